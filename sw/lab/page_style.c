/* page_style.c - see page_parts.h: the head of the page and its style. */
#include "page_parts.h"
#include "report/svg.h"

static const char style[] =
    ":root{color-scheme:light "
    "dark;--back:#fff;--ink:#1b1b1b;--soft:#5c5f66;--line:#d4d7dc;--held:#0a6b4c;--broken:#b03a00;--tint:#f4f5f7}"
    "@media screen and "
    "(prefers-color-scheme:dark){:root{--back:#16181c;--ink:#ececec;--soft:#a9adb5;--line:#3a3e46;--held:#4cc79b;"
    "--broken:#ff9a5c;--tint:#1f2228}}"
    "*{box-sizing:border-box}body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,sans-serif}"
    "main{max-width:1500px;margin:0 "
    "auto;padding:1rem}h1{font-size:1.7rem;line-height:1.2}h2{font-size:1.35rem;line-height:1.25;"
    "border-top:2px solid var(--line);padding-top:1rem;margin-top:2.5rem}h3{font-size:1.1rem;margin-top:1.6rem}a{color:inherit}"
    "code,pre{font:.85em ui-monospace,monospace;background:var(--tint);border-radius:3px}code{padding:.1em "
    ".3em;overflow-wrap:anywhere}"
    "pre{padding:.6rem;overflow-x:auto;margin:0}.wide{overflow-x:auto}"
    "table{border-collapse:collapse;font-size:.9rem}th,td{text-align:left;vertical-align:top;padding:.35rem .7rem .35rem 0;"
    "border-bottom:1px solid var(--line)}th{font-weight:600;color:var(--soft)}.summary td:not(:first-child),"
    ".summary th:not(:first-child){text-align:right;font-variant-numeric:tabular-nums}"
    ".figures{columns:420px;column-gap:1.5rem;margin:1rem 0}.figures .missing{break-inside:avoid}"
    "figure{margin:0 0 1.5rem;break-inside:avoid}figure "
    "svg{width:100%;height:auto;display:block}figcaption{font-weight:600;margin-bottom:.4rem}"
    ".note{font-size:.85rem;color:var(--soft);margin:.3rem 0}.missing{border-left:4px solid var(--broken);padding:.3rem .6rem;"
    "background:var(--tint);margin:.4rem 0}.keys{font-size:.8rem}.keys span{display:inline-block;margin-right:1rem}"
    ".number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}.why td{color:var(--soft);font-size:.95em}"
    ".wide td:not(.number):not(:empty){min-width:7rem}.wide table:not(.claims) td:last-child:not(.number):not(:empty){min-width:16rem}"
    ".why .missing{margin:0}tr:has(+.why) td{border-bottom:0}"
    ".held td:last-child{color:var(--held);font-weight:600}.broken td:last-child{color:var(--broken);font-weight:600}"
    "@media screen and (max-width:760px){.claims thead{display:none}.claims tr{display:block;padding:.5rem 0;border-bottom:1px solid "
    "var(--line)}"
    ".claims td{display:block;border:0;padding:.1rem 0}.claims td::before{content:attr(data-label) \" \";color:var(--soft)}"
    ".claims td:first-child::before{content:\"\"}.claims td:first-child{font-weight:600}}"
    "@media print{body{font-size:10pt}main{max-width:none;padding:0}.figures{columns:2}.wide{overflow:visible}"
    "pre{white-space:pre-wrap;font-size:6.5pt}tr,figure{break-inside:avoid}section+section h2{break-before:page}details{display:none}figure svg{max-height:20cm}"
    ".wide table td:not(.number){min-width:0!important}}";

void hd_page_head(FILE *f)
{
    fprintf(f, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>Heddle: five papers</title>\n"
            "<style>%s%s</style></head>\n<body><main>\n<h1>Heddle: five papers on GPU memory systems, measured again</h1>\n"
            "<p>Figures from our runs; a diamond marks a number that the paper states. Every bar has its value behind it; a "
            "bar with a "
            "gap is longer than its axis.</p>\n", style, hd_svg_style);
}
