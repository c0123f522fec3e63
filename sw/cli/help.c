/* help.c - see help.h. */
#include "help.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEFT = 23, NAME = 13, GOOD = 0, REFUSED = 2 };

const struct hd_help *hd_help_find(const char *name)
{
    for (const struct hd_help *h = hd_helps; h->name; h++)
        if (strcmp(h->name, name) == 0)
            return h;
    return NULL;
}

void hd_help_wrap(FILE *to, int now, int at, const char *text)
{
    if (now < at)
        fprintf(to, "%*s", at - now, "");
    else if (at > 0 && now >= at)
        fprintf(to, "\n%*s", at, "");
    int column = at;
    while (*text) {
        int n = (int)strcspn(text, " ");
        if (column > at && column + 1 + n > HD_HELP_WIDTH) {
            fprintf(to, "\n%*s", at, "");
            column = at;
        }
        column += fprintf(to, "%s%.*s", column > at ? " " : "", n, text);
        text += n;
        text += strspn(text, " ");
    }
    fprintf(to, "\n");
}

void hd_help_heading(FILE *to, const char *text)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    bool bold = isatty(fileno(to)) && !(no && *no) && term && strcmp(term, "dumb") != 0;
    fprintf(to, bold ? "\033[1m%s\033[0m\n" : "%s\n", text);
}

static void print_all(FILE *to)
{
    hd_help_heading(to, "heddle - GPU memory systems in RTL, run by warps written in C");
    fprintf(to, "\n");
    hd_help_heading(to, "commands");
    for (const struct hd_help *h = hd_helps; h->name; h++)
        hd_help_wrap(to, fprintf(to, "  heddle %s", h->name), 2 + 7 + NAME, h->brief);
    fprintf(to, "\n  heddle COMMAND --help: its arguments and options; heddle --version; heddle help --man\n\n");
    fprintf(to, "exit code: 0 all checks passed, 1 a check failed, 2 bad input\n");
}

void hd_help_print(const struct hd_help *h, FILE *to)
{
    char line[160];
    if (!h) {
        print_all(to);
        return;
    }
    snprintf(line, sizeof line, "heddle %s %s", h->name, h->args);
    hd_help_heading(to, line);
    hd_help_wrap(to, 0, 2, h->brief);
    if (h->about) {
        fprintf(to, "\n");
        hd_help_wrap(to, 0, 2, h->about);
    }
    fprintf(to, "\n");
    for (const struct hd_help_item *i = h->items; i->left; i++)
        if (i->right)
            hd_help_wrap(to, fprintf(to, "  %s", i->left), LEFT, i->right);
        else
            hd_help_heading(to, i->left);
    fprintf(to, "\n");
    snprintf(line, sizeof line, "exit code: %s", h->ends);
    hd_help_wrap(to, 0, 0, line);
}

/* Text for roff: no line begins with a control character, and what it would interpret is escaped. */
static void roff(FILE *to, const char *text)
{
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\e", to);
        else if (*text == '-')
            fputs("\\-", to);
        else if (*text == '\'')
            fputs("\\(aq", to);
        else
            fputc(*text, to);
    fputc('\n', to);
}

void hd_help_man(FILE *to)
{
    fputs(".TH HEDDLE 1 \"\" \"heddle " HEDDLE_VERSION "\" \"Heddle\"\n.SH NAME\nheddle \\- GPU memory systems in RTL, run by warps "
          "written in C\n.SH SYNOPSIS\n.B heddle\n.I COMMAND\n[\\fIoption\\fR]... [\\fIargument\\fR]...\n", to);
    fputs(".SH COMMANDS\n", to);
    for (const struct hd_help *h = hd_helps; h->name; h++) {
        fprintf(to, ".SS heddle %s ", h->name);
        roff(to, h->args);
        roff(to, h->brief);
        if (h->about) {
            fputs(".PP\n", to);
            roff(to, h->about);
        }
        for (const struct hd_help_item *i = h->items; i->left; i++) {
            fputs(i->right ? ".TP\n.B " : ".PP\n", to);
            roff(to, i->left);
            if (i->right)
                roff(to, i->right[0] == '.' ? i->right + 4 : i->right);
        }
        fputs(".PP\nExit code: ", to);
        roff(to, h->ends);
    }
    fputs(".SH ENVIRONMENT\n.TP\n.B HEDDLE_ROOT\nthe tree with RTL, models and configurations (default: found above the "
          "program)\n.TP\n.B HEDDLE_MODELS\nthe folder of built models (default: build/models of that tree, or ~/.cache/heddle/models)\n"
          ".TP\n.B HEDDLE_VERBOSE\nset: all parameters of each model that is built\n.TP\n.B NO_COLOR\nset: nothing "
          "bold on a terminal\n.SH EXIT STATUS\n0 all checks passed, 1 a check failed, 2 bad input\n", to);
}

void hd_help_bash(FILE *to)
{
    fputs("# Completion of heddle for bash, by heddle help --bash. It asks the program, so it knows its workloads and keys.\n"
          "_heddle() {\n"
          "  local cur prev command words i\n"
          "  cur=${COMP_LINE:0:COMP_POINT}; cur=${cur##*[[:space:]]}\n"
          "  command=${COMP_WORDS[1]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
          "  _heddle_ask() { \"${COMP_WORDS[0]}\" list --names \"$@\" 2>/dev/null; }\n"
          "  if [ \"$COMP_CWORD\" -eq 1 ]; then words=\"$(_heddle_ask commands) --help --version\"\n"
          "  elif [[ $cur == *=* ]]; then\n"
          "    words=$(_heddle_ask values \"${cur%%=*}\" | sed \"s/^/${cur%%=*}=/\")\n"
          "    [[ $COMP_WORDBREAKS != *=* ]] || words=$(printf '%s\\n' \"$words\" | sed 's/^[^=]*=//') cur=${cur#*=}\n"
          "  else\n"
          "    case $prev in\n"
          "      --config) words=$(_heddle_ask configurations) ;;\n"
          "      --set) words=$(_heddle_ask keys | sed 's/$/=/') ;;\n"
          "      --wave|--log|--db|--trace|--record|--port-log|--json|--out|--svg|--page|-o) words= ;;\n"
          "      *)\n"
          "        words=\"$(_heddle_ask options \"$command\") --help\"\n"
          "        case $command in\n"
          "          run|crash)\n"
          "            words+=\" $(_heddle_ask workloads)\"\n"
          "            for i in \"${COMP_WORDS[@]:2}\"; do words+=\" $(_heddle_ask parameters \"$i\" | sed 's/$/=/')\"; done ;;\n"
          "          list) words+=\" workloads configurations keys commands\" ;;\n"
          "          help) words+=\" $(_heddle_ask commands)\" ;;\n"
          "          lab) words+=\" $(_heddle_ask experiments)\" ;;\n"
          "          trace) words+=\" info import check\" ;;\n"
          "          firstlight) words+=\" $(_heddle_ask configurations)\" ;;\n"
          "        esac ;;\n"
          "    esac\n"
          "  fi\n"
          "  COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
          "  [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null\n"
          "}\n"
          "complete -o default -F _heddle heddle\n", to);
}

int hd_help_command(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : NULL;
    const struct hd_help *h = what ? hd_help_find(what) : NULL;
    if (argc > 2 || (what && !h && strcmp(what, "--man") != 0 && strcmp(what, "--bash") != 0)) {
        fprintf(stderr, "heddle: help: unknown command '%s'; see heddle --help\n", argv[argc - 1]);
        return REFUSED;
    }
    if (h || !what)
        hd_help_print(h, stdout);
    else
        (what[2] == 'm' ? hd_help_man : hd_help_bash)(stdout);
    return GOOD;
}
