/* text.c - see text.h. */
#include "text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *hd_text_grouped(uint64_t n, char text[32])
{
    char digits[24];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n), at = 0;
    for (int i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

const char *hd_text_rounded(double x, char text[32])
{
    return hd_text_grouped((uint64_t)(x + 0.5), text);
}

const char *hd_text_bytes(double n, char text[32])
{
    if (n < 1e4)
        snprintf(text, 32, "%.0f B", n);
    else if (n < 1e7)
        snprintf(text, 32, "%.1f kB", n / 1e3);
    else
        snprintf(text, 32, "%.1f MB", n / 1e6);
    return text;
}

void hd_text_number(double x, int width, int digits)
{
    if (isnan(x))
        printf("%*s", width, "-");
    else
        printf("%*.*f", width, digits, x);
}

void hd_text_wrap(const char *label, const char *text, int indent)
{
    enum { WIDTH = 118 };
    int at = printf("      %-*s", indent - 7, label);
    while (*text) {
        int n = (int)strcspn(text, " ");
        if (at + 1 + n > WIDTH)
            at = printf("\n%*s", indent - 1, "") - 1;
        at += printf(" %.*s", n, text);
        text += n + (text[n] == ' ');
    }
    printf("\n");
}
