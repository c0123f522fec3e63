/* hdt_parts.h - what writer and reader of native traces share. */
#ifndef HD_TRACE_HDT_PARTS_H
#define HD_TRACE_HDT_PARTS_H

enum {
    HD_HDT_HEAD = 0x44414548,  /* "HEAD" */
    HD_HDT_IMAGE = 0x47414d49, /* "IMAG" */
    HD_HDT_SEGM = 0x4d474553,  /* "SEGM" */
    HD_HDT_INDEX = 0x58444e49, /* "INDX" */
    HD_HDT_SECTION_HEAD = 16,
    HD_HDT_TAIL = 24,
    HD_HDT_MOST = 1 << 30      /* bytes of a section, unpacked */
};
#endif
