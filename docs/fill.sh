#!/bin/sh
# fill.sh PAGE.md NAME FILE [NAME FILE]... - what is between the lines `<!-- NAME -->` and `<!-- end -->` of the page
# becomes the text of the file, as a block of code. Exit 2 if the page has no such lines.
set -eu
page=$1 new=$1.$$
shift
trap 'rm -f "$new"' EXIT
awk -v list="$*" '
  BEGIN { n = split(list, f, " "); for (i = 1; i < n; i += 2) file["<!-- " f[i] " -->"] = f[i + 1] }
  /^<!-- end -->$/ { inside = 0 }
  !inside { print }
  $0 in file {
    inside = 1
    print "```"
    while ((getline line <file[$0]) > 0) print line
    print "```"
    delete file[$0]
  }
  END {
    if (inside) { print FILENAME ": <!-- end --> expected before the end" >"/dev/stderr"; exit 2 }
    for (name in file) { print FILENAME ": no line " name >"/dev/stderr"; exit 2 }
  }' "$page" >"$new"
cat "$new" >"$page"
