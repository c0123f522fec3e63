/* files.h - folders, files in them, and programs that draw, for commands that write results. */
#ifndef HD_FILES_H
#define HD_FILES_H
#include <stdbool.h>
#include <stdio.h>

/* Makes a folder and those above it. @option stands in the message. @return false after a message on stderr. */
bool hd_files_folder(const char *option, const char *path);

/* @return file @name of @folder opened for writing, NULL after a message. */
FILE *hd_files_open_in(const char *folder, const char *name);

/* Closes @f, whose name is @path. @return false after a message if not all that was printed to it could be written. */
bool hd_files_close(FILE *f, const char *path);

/* Can file @path of @option be written? Asked before a long run. @return false after a message. */
bool hd_files_writable(const char *option, const char *path);

/* Are these two files, or is one NULL? What @option writes would destroy what @other reads or writes. @return false after a message. */
bool hd_files_apart(const char *option, const char *path, const char *other, const char *other_path);

/* Is @path, if it is there, a file to be read? One that is not there is for its reader to say. A pipe has no size, cannot be read
 * twice, and opening one waits for ever when nobody writes. @stream: /dev/stdin and /dev/fd/N may be one, as they are open
 * already. @option stands in the message, NULL: nothing. @return false after a message. */
bool hd_files_input(const char *option, const char *path, bool stream);

/* To be called once at the start: a closed pipe is an error of printing, not the end of the program. */
void hd_files_pipes(void);

/* @return false after a message if not all that was printed to standard output could be written. */
bool hd_files_printed(void);

/* Runs gnuplot on @script in @folder. @return false, without a message, when it is missing or failed. */
bool hd_files_gnuplot(const char *folder, const char *script);

/* The same with rsvg-convert: NAME.png of NAME.svg, twice as large. */
bool hd_files_png(const char *folder, const char *name);
#endif
