# replay_bench.awk - writes the bench of replay.sh for the port lines of a recording (tests/unit/hd_unit.h).
# Usage: awk -v top=hd_x -f replay_bench.awk hd_x.rec > bench.v
#
# The bench reads lines "INPUTS OUTPUTS" of one instance from +vec=FILE, sets the inputs, waits, and compares every
# bit of every output. Without +x a bit that differs or is X is a mismatch, from the end of the first reset on
# (modules without rst_i: from the first line). With +x, registers start as X: a bit with a value must have the
# recorded one, and a bit that is X is counted:
#   control   a mismatch
#   low       payload of a valid that is 0
#   unwritten payload of a valid that is 1, and what a read gives back by address: what was never written
# Result: RESULT lines bits mismatches x_low x_unwritten.

# Payload is decided by name; everything else is control and may never be X. The answer for output `p` of module `top`:
#   STEM_x_o where there is a STEM_valid_o, STEM_hit_o or STEM_o: that output; its bit i stands for the i-th part of p
#   data_o and the like where there is a valid_o: that
#   what is in the list `own`, as said there
#   rdata_o, rd_x_o, ctl_clock_o: "read", words given by address or held until the next one, which have no valid
#   everything else, and what is named like a control output: ""
function payload_of(p,   stem) {
  if (p ~ /(valid|ready|credit|idle|empty|full|busy|ok|hit|wait|done|pend)_o$/) return ""
  if (match(" " own[top], " " p ":[a-z_]*")) return substr(own[top], RSTART + length(p) + 1, RLENGTH - length(p) - 2)
  if (p ~ /^(rdata|rd_[a-z]+|ctl_clock)_o$/) return "read"
  stem = p; sub(/_o$/, "", stem)
  while (sub(/_[a-z0-9]*$/, "", stem)) {
    if ((stem "_valid_o") in width) return stem "_valid_o"
    if ((stem "_hit_o") in width) return stem "_hit_o"
    if ((stem "_o") in width) return stem "_o"
  }
  if (("valid_o" in width) && p ~ /^(data|idx|vn|tail|flit|tag|dirty|excl|sharers|txn)_o$/) return "valid_o"
  return ""
}
BEGIN {
  own["hd_atomic_unit"] = "line_o:done_o wmask_o:done_o old_o:done_o"
  own["hd_l1_data"] = "line_o:read"  # of row_i
  own["hd_l1_queues"] = "rq_idx_o:req_valid_o"
  own["hd_l1_lines"] = "about_o:read"  # of a way that may be invalid
  own["hd_lds_banks"] = "words_o:read"  # of lanes that are not served
  own["hd_l1_tags"] = "vict_tag_o:read"  # of a way that may be invalid
  own["hd_l2_mshr"] = "new_idx_o:new_ok_o next_o:next_ok_o line_o:read role_o:read asker_o:read"  # of entry idx_i
  own["hd_l2_writes"] = "data_o:read at_o:read"  # of entry read_entry_i
  own["hd_l2_send"] = "head_o:read"  # what is held, if anything is
  own["hd_l2_perform"] = "line_o:read at_line_o:done_o at_wmask_o:done_o at_old_o:read"  # the next entry's, the last atomic's
  own["hd_l2_data"] = "data_o:read dn_data_o:read"  # of row_i, of the last packet
  own["hd_store_data_array"] = "data_o:read cmp_o:read idx_o:room_o cas_idx_o:cas_room_o"  # of rd_idx_i
  own["hd_warp_queues"] = "hkey_o:read"  # of queues that may be empty
  own["hd_type_acks"] = "out_hash_o:read"  # of the first acknowledgement, when there is one
  own["hd_mob"] = "marker_sector_o:marker_out_o"
  own["hd_wt_queue"] = "head_o:valid_o body_o:valid_o"
  own["hd_wt_table"] = "idx_o:room_o who_o:read"  # of entry done_idx_i
  own["hd_op_buffer"] = "mask_o:read addr_o:read data_o:read cmp_o:read"  # of warp rd_warp_i
}
function digits(w) { return 4 * int((w + 3) / 4) }
$1 == "port" { order[++n] = $2; width[$2] = $3; input[$2] = $4 == "in"; next }
{ exit }
END {
  for (i = n; i >= 1; i--) { # the first port is written first: highest bits
    p = order[i]
    if (input[p]) { at[p] = in_w + 0; in_w += digits(width[p]) } else { at[p] = out_w + 0; out_w += digits(width[p]) }
  }
  for (i = 1; i <= n; i++) {
    p = order[i]
    for (k = 0; k < width[p]; k++) { # map.sh gives every bit a port of its own; wide nets would make Icarus slow
      port[++bits] = p (width[p] > 1 ? "[" k "]" : "")
      net[bits] = input[p] ? "in[" at[p] + k "]" : "o" at[p] + k
      if (!input[p]) { outs++; is_out[at[p] + k] = 1 }
    }
  }
  print "`timescale 1ns/1ps\nmodule bench;"
  printf "  reg [%d:0] in; reg [%d:0] want, got; bit [%d:0] same, differ, unknown;\n", in_w - 1, out_w - 1, out_w - 1
  print "  integer file, lines, compared, bad, low, unwritten, shown, i; reg [1023:0] name;"
  print "  reg x, counts, reset_seen, clear = 0;"
  for (k = 0; k < out_w; k++) if (k in is_out) printf "  wire o%d;\n", k
  printf "  %s dut (", top
  for (i = 1; i <= bits; i++) printf "%s\n    .\\%s (%s)", (i > 1 ? "," : ""), port[i], net[i]
  print "\n  );"
  print "  // Icarus counts wrong when $countones has a part of one bit as its argument."
  printf "  function integer ones(input bit [%d:0] bits); ones = $countones(bits); endfunction\n", out_w - 1
  print "  task report(input [1023:0] what, input integer count); begin"
  print "    bad = bad + count;"
  print "    if (shown < 8) $display(\"line %0d: %0s: %0d bits\", lines, what, count);"
  print "    shown = shown + 1;"
  print "  end endtask"
  print "  task examine; begin"
  print "    differ = got ^ want; same = ~(got ^ want); unknown = ~(same | differ);"
  print "    if (!x) differ = ~same;"
  for (i = 1; i <= n; i++) {
    p = order[i]; if (input[p]) continue
    part = at[p] " +: " width[p]
    printf "    if (|differ[%s]) report(\"%s\", ones(differ[%s]));\n", part, p, part
    v = payload_of(p)
    if (v == "") {
      printf "    if (x && |unknown[%s]) report(\"%s is X\", ones(unknown[%s]));\n", part, p, part
    } else if (v == "read") {
      printf "    if (x) unwritten = unwritten + ones(unknown[%s]);\n", part
    } else {
      slice = width[p] / width[v]
      printf "    if (x && |unknown[%s]) for (i = 0; i < %d; i = i + 1)\n", part, width[v]
      part = at[p] " + i * " slice " +: " slice
      printf "      if (got[%d + i] === 1'b0) low = low + ones(unknown[%s]);\n", at[v], part
      printf "      else unwritten = unwritten + ones(unknown[%s]);\n", part
    }
  }
  print "  end endtask"
  print "  initial begin"
  print "    if (!$value$plusargs(\"vec=%s\", name)) $finish;"
  print "    x = $test$plusargs(\"x\"); file = $fopen(name, \"r\");"
  print "    in = 0; clear = !x; #5 clear = 0; #5;"
  print "    lines = 0; compared = 0; bad = 0; low = 0; unwritten = 0; shown = 0; reset_seen = 0; counts = 0;"
  print "    while ($fscanf(file, \"%h %h\", in, want) == 2) begin"
  printf "      #10 got = {"
  for (k = out_w - 1; k >= 0; k--) printf "%s%s", ((k in is_out) ? "o" k : "1'b0"), (k ? "," : "};\n")
  print "      lines = lines + 1;"
  if ("rst_i" in width) {
    printf "      if (in[%d]) reset_seen = 1;\n      if (reset_seen && !in[%d]) counts = 1;\n", at["rst_i"], at["rst_i"]
  } else print "      counts = 1;"
  print "      if (counts) begin compared = compared + 1; if (got !== want) examine; end"
  print "    end"
  printf "    $display(\"RESULT %%0d %%0d %%0d %%0d %%0d\", lines, compared * %d, bad, low, unwritten);\n", outs
  print "    $finish;\n  end\nendmodule"
}
