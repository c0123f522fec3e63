# idle.awk - RTLIL of gates in, the same out with one more assertion: while wire fv_idle is 1, no flip-flop changes.
/^module / { inside = 1 }
/^  cell \$_[A-Z]*FF[A-Z]*_[A-Z0-9]*_ / { ff = 1; if ($2 != "$_DFF_P_" && $2 != "$_FF_") bad = 1 }
ff && /connect \\D / { d = $0; sub(/.*connect \\D /, "", d) }
ff && /connect \\Q / { q = $0; sub(/.*connect \\Q /, "", q) }
ff && /^  end/ { ff = 0; ds = ds " " d; qs = qs " " q; n++ }
/^end/ && inside {
  if (n == 0 || bad) { print "idle.awk: no flip-flop, or one of an unexpected kind" > "/dev/stderr"; exit 1 }
  print "  wire \\fv_moves\n  wire \\fv_still"
  print "  cell $ne \\fv_compare\n    parameter \\A_SIGNED 0\n    parameter \\B_SIGNED 0\n    parameter \\A_WIDTH " n \
    "\n    parameter \\B_WIDTH " n "\n    parameter \\Y_WIDTH 1\n    connect \\A {" ds " }\n    connect \\B {" qs \
    " }\n    connect \\Y \\fv_moves\n  end"
  print "  cell $not \\fv_invert\n    parameter \\A_SIGNED 0\n    parameter \\A_WIDTH 1\n    parameter \\Y_WIDTH 1\n" \
    "    connect \\A \\fv_moves\n    connect \\Y \\fv_still\n  end"
  print "  cell $assert \\fv_idle_check\n    connect \\A \\fv_still\n    connect \\EN \\fv_idle\n  end"
}
{ print }
