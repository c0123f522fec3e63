# replay_bench.awk - writes the bench of replay.sh for the port lines of a recording (tests/unit/hd_unit.h).
# Usage: awk -v top=hd_x -f replay_bench.awk hd_x.rec > bench.v
#
# The bench reads lines "INPUTS OUTPUTS" of one instance from +vec=FILE, sets the inputs, waits, and compares every
# bit of every output. Without +x a bit that differs or is X is a mismatch, from the end of the first reset on
# (modules without rst_i: from the first line). One thing is none: a register that is not reset and only ever loaded
# with 1 is the constant 1 in the netlist, even before the model loads it, which it must do in the end. With +x,
# registers start as X: a bit with a value must have the recorded one, and a bit that is X is counted:
#   control   a mismatch
#   low       payload of a valid that is 0
#   unwritten payload of a valid that is 1, and what a read gives back by address: what was never written
# Result: RESULT lines bits mismatches x_low x_unwritten.

# Payload is decided by name; everything else is control and may never be X. The answer for output `p` of module `top`:
#   STEM_o where there is a STEM_valid_o, STEM_x_o where there is a STEM_valid_o, STEM_hit_o or STEM_o: that output; its bit i
#   stands for the i-th part of p
#   data_o and the like where there is a valid_o: that
#   what is in the list `own`, as said there: PORT:ANSWER, or PORT:ANSWER/LOW-HIGH,... where only these bits are payload
#   rdata_o, rd_x_o, ctl_clock_o: "read", words given by address or held until the next one, which have no valid
#   everything else, and what is named like a control output: ""
function payload_of(p,   stem) {
  if (p ~ /(valid|ready|credit|idle|empty|full|busy|ok|hit|wait|done|pend)_o$/) return ""
  if (match(" " own[top], " " p ":[-a-z_/0-9,]*")) return substr(own[top], RSTART + length(p) + 1, RLENGTH - length(p) - 2)
  if (p ~ /^(rdata|rd_[a-z]+|ctl_clock)_o$/) return "read"
  stem = p; sub(/_o$/, "", stem)
  if ((stem "_valid_o") in width) return stem "_valid_o"
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
  own["hd_l1_word_data"] = "line_o:read"  # of row_i
  own["hd_l1_words"] = "tag_o:read vict_tag_o:read"  # of a way that may be empty
  own["hd_l1_lines"] = "about_o:read"  # of a way that may be invalid
  own["hd_lds_banks"] = "words_o:read line_o:read there_o:read/0"  # of lanes that are not served; gives, of no pass
  own["hd_l1_tags"] = "vict_tag_o:read"  # of a way that may be invalid
  own["hd_l2_mshr"] = "new_idx_o:read next_o:read entry_o:read"  # of no free entry, of entry idx_i
  own["hd_l2_queues"] = "fill_idx_o:read fill_way_o:read serve_idx_o:read"  # of queues that may be empty
  own["hd_l2_tags"] = "line_o:read/0-1 holds_o:read"  # dirty and excl; of a way that may be invalid
  own["hd_l2_writes"] = "data_o:read at_o:read"  # of entry read_entry_i
  own["hd_l2_send"] = "head_o:read"  # what is held, if anything is
  own["hd_l2_perform"] = "line_o:read at_line_o:done_o at_wmask_o:done_o at_old_o:read"  # the next entry's, the last atomic's
  own["hd_l2_data"] = "data_o:read dn_data_o:read"  # of row_i, of the last packet
  own["hd_store_data_array"] = "data_o:read cmp_o:read idx_o:read cas_idx_o:read"  # of rd_idx_i, of no free place
  own["hd_warp_queues"] = "hkey_o:read"  # of queues that may be empty
  own["hd_type_acks"] = "out_hash_o:read"  # of the first acknowledgement, when there is one
  own["hd_mob"] = "marker_sector_o:marker_out_o"
  own["hd_wt_queue"] = "head_o:valid_o body_o:valid_o"
  own["hd_wt_table"] = "idx_o:room_o who_o:read"  # of entry done_idx_i
  # The control of a bank: of the work in hand, if there is any.
  own["hd_coh_control"] = "asker_o:read idx_o:read lanes_o:read inv_head_o:read new_idx_o:read row_o:read"
  own["hd_coh_control"] = own["hd_coh_control"] " tag_addr_o:read line_addr_o:read"
  # Of a way that may be invalid, of entry idx_i.
  own["hd_coh_lines"] = "new_idx_o:new_ok_o line_o:read/0-1 sharers_o:read txn_o:read m_num_o:read m_role_o:read m_asker_o:read m_lanes_o:read"
  own["hd_denovo_control"] = "head_o:read/0-17,24-111 plan_o:read/9-16 row_o:read words_o:read"  # ... all but kind; tid
  own["hd_denovo_send"] = "rs_head_o:read rs_data_o:read fw_head_o:read"  # what is held, if anything is
  own["hd_l1_dn_data"] = "line_o:read rd_o:read request_o:read places_o:read/0-7"  # of rows given, why no place
  own["hd_l1_dn_reads"] = "leave_o:valid_o rd_o:read"  # of entry rd_tid_i
  own["hd_l1_dn_syncs"] = "acc_o:valid_o place_o:valid_o cmp_o:valid_o row_o:valid_o line_o:valid_o"
  own["hd_l1_dn_words"] = "leave_o:read/5-6 mk_who_o:read to_line_o:read"  # the marker at the head of the list, a row's line
  own["hd_l1_gpu_data"] = "line_o:read"  # of row_i
  # What is at the head of a list that may be empty.
  own["hd_dirty_list"] = "head_row_o:read head_who_o:read"
  own["hd_l1_gpu_dirty"] = "heads_o:read/0-0,5-5 head_row_o:read head_who_o:read pop_num_o:read pop_id_o:read"
  own["hd_l1_gpu_line"] = "num_o:read"  # of a way that may be invalid
  own["hd_l1_gpu_out"] = "done_warp_o:read done_slot_o:read done_mask_o:read done_acquire_o:read head_o:valid_o body_o:valid_o"
  own["hd_l1_gpu_send"] = "st_who_o:read fl_row_o:read mk_who_o:read pop_num_o:read heads_o:read/0-0,5-5"
  own["hd_l1_reads"] = "acc_o:valid_o place_o:valid_o tid_o:read why_o:read"  # of the line that is looked at
  own["hd_l1_vi_loads"] = "line_o:valid_o acc_o:valid_o place_o:valid_o last_o:valid_o"
  own["hd_l1_vi_send"] = "st_who_o:read"  # of the answer that is looked at
  own["hd_l1_dn_line"] = "to_line_o:read"  # of a row that may be empty
  own["hd_coh_send"] = "head_o:read sent_o:read/1-1"  # what is held, if anything is; write
  own["hd_coh_recalls"] = "inv_head_o:read fill_o:read"  # of the recall and the row, if there is one
  own["hd_issue_table"] = "desc_o:read is_o:read"  # of warps that may have no operation
  own["hd_issue"] = "pb_o:read/0-1"  # the scope, which may be that of no operation
  own["hd_l1_dn_out"] = "wb_rd_idx_o:read"  # of the packet held, if any is
  # Of the work in hand, if there is any: of the entry and the way it means.
  own["hd_l2_control"] = "idx_o:read set_o:read way_o:read tag_o:read m_role_o:read m_num_o:read m_asker_o:read m_lanes_o:read"
  own["hd_l2_control"] = own["hd_l2_control"] " new_idx_o:read dirty_o:read"
  own["hd_mac_busy"] = "num_o:read"  # of the transition that sends or ends, if one does
  own["hd_persist_l1"] = "entry_o:read head_o:read/1-1"  # of the head, if anything is
  own["hd_read_marks"] = "idx_o:read rd_o:read"  # of the entry that is pending or free, if one is; of rd_idx_i
  own["hd_read_words"] = "join_idx_o:join_o free_idx_o:room_o"
  own["hd_release_fence"] = "fence_o:read"  # of warps that have not arrived at a barrier
  own["hd_switch"] = "route_o:head_o"
  own["hd_tm_control"] = "mode_o:read"  # of wavefront wf_i, which may be in no transaction
  own["hd_tm_phases"] = "tcm_o:read mode_o:read"  # the same of the one performed
  own["hd_tm_rows"] = "drop_o:read put_o:read/0-104"  # of the look before, if there was one; row and words
  own["hd_tm_shadow"] = "owner_o:read rest_o:read/0-8 back_o:read/0-8"  # of banks that were looked at; rows
  own["hd_type_pass"] = "count_o:read/0-5"  # of the oldest marker, if there is one
  own["hd_wb_buffer"] = "data_o:read"  # of entry rd_idx_i
  own["hd_op_buffer"] = "lanes_o:read"  # of warp re_warp_i
}
# None of @w bits of @p from @from may be unknown.
function control(p, from, w) {
  if (w == 0) return
  printf "    if (x && |unknown[%d +: %d]) report(\"%s is X\", ones(unknown[%d +: %d]));\n", from, w, p, from, w
}
# The unknown bits of payload: @w bits from @from of what is valid by @v.
function payload(from, w, v,   slice, part) {
  part = from " +: " w
  if (v == "read") {
    printf "    if (x) unwritten = unwritten + ones(unknown[%s]);\n", part
  } else if (w % width[v] != 0) {
    printf "    if (x && |unknown[%s]) if (got[%d +: %d] === 0)", part, at[v], width[v]
    printf " low = low + ones(unknown[%s]);\n", part
    printf "      else unwritten = unwritten + ones(unknown[%s]);\n", part
  } else {
    slice = w / width[v]
    printf "    if (x && |unknown[%s]) for (i = 0; i < %d; i = i + 1)\n", part, width[v]
    part = from " + i * " slice " +: " slice
    printf "      if (got[%d + i] === 1'b0) low = low + ones(unknown[%s]);\n", at[v], part
    printf "      else unwritten = unwritten + ones(unknown[%s]);\n", part
  }
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
  printf "  bit [%d:0] known, always1, once1, soon1;\n", out_w - 1
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
  print "    soon1 = soon1 | differ & always1 & ~once1; differ = differ & ~(always1 & ~once1);"
  for (i = 1; i <= n; i++) {
    p = order[i]; if (input[p]) continue
    part = at[p] " +: " width[p]
    printf "    if (|differ[%s]) report(\"%s\", ones(differ[%s]));\n", part, p, part
    v = payload_of(p)
    ranges = split(v, parts, "/") == 2 ? parts[2] : "0-" width[p] - 1 # the bits that are payload
    v = parts[1]
    next_bit = 0
    split(v == "" ? "" : ranges, range, ",")
    for (r = 1; r in range; r++) {
      split(range[r], ends, "-")
      control(p, at[p] + next_bit, ends[1] - next_bit)
      payload(at[p] + ends[1], ends[2] - ends[1] + 1, v)
      next_bit = ends[2] + 1
    }
    control(p, at[p] + next_bit, width[p] - next_bit)
  }
  print "  end endtask"
  print "  initial begin"
  print "    if (!$value$plusargs(\"vec=%s\", name)) $finish;"
  print "    x = $test$plusargs(\"x\"); file = $fopen(name, \"r\");"
  print "    in = 0; clear = !x; #5 clear = 0; #5;"
  print "    lines = 0; compared = 0; bad = 0; low = 0; unwritten = 0; shown = 0; reset_seen = 0; counts = 0;"
  print "    always1 = ~0; once1 = 0; soon1 = 0;"
  print "    while ($fscanf(file, \"%h %h\", in, want) == 2) begin"
  printf "      #10 got = {"
  for (k = out_w - 1; k >= 0; k--) printf "%s%s", ((k in is_out) ? "o" k : "1'b0"), (k ? "," : "};\n")
  print "      lines = lines + 1;"
  if ("rst_i" in width) {
    printf "      if (in[%d]) reset_seen = 1;\n      if (reset_seen && !in[%d]) counts = 1;\n", at["rst_i"], at["rst_i"]
  } else print "      counts = 1;"
  print "      if (counts) begin"
  print "        compared = compared + 1; known = got; always1 = always1 & known; known = want; once1 = once1 | known;"
  print "        if (got !== want) examine;\n      end"
  print "    end"
  print "    differ = soon1 & ~once1;"
  for (i = 1; i <= n; i++) {
    p = order[i]; if (input[p]) continue
    part = at[p] " +: " width[p]
    printf "    if (|differ[%s]) report(\"%s is always 1\", ones(differ[%s]));\n", part, p, part
  }
  printf "    $display(\"RESULT %%0d %%0d %%0d %%0d %%0d\", lines, compared * %d, bad, low, unwritten);\n", outs
  print "    $finish;\n  end\nendmodule"
}
