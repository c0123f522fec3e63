// hd_l1_gpu_line.sv - the line an L1 of family GPU decides about: its words, the READs out for it.
//
// Paper 3 section 2.2; docs/protocol_gpu.md. Words of lines are in hd_l1_words, what an event makes
// of them is hd_l1_gpu_table, READs and the accesses that wait for them are in hd_l1_reads.
// Combinational, but the rows, the READs and st_*: turn_i says whose line is looked up; the same
// cycle's act_i, which may depend on what is found, what is written at the edge.
//
// line    the access in front: la_acc_i, la_line_i, la_place_i; the message dn_i; else rows:
//         fl_row_i a flush, wrap_row_i a walk; pop_num_i the line at the head of the NVW-FIFO, or
//         pop_mark_i. gen_i: the generation.
// found   look_o; row_o, num_o: the row and the number of the line that is in it, or of the victim
//         which leaves; masks_o {dirty afterwards, dirty} of it; wmask_o: words to be written
//         there; lanes_o of the access that find their words; read_tid_o: id of a READ made now.
// rp      rp_valid_o: data have come for an access that waited, rp_acc_o, rp_place_o (without its
//         words); it leaves with turn_i.sel.rp.
// st      registered pulse: words of st_line_o have changed.
// mshr_busy_o READs out; idle_o: no access leaves.
// Parameters: Sets, Ways (powers of two, at least 2); Lanes, LineWords, SlotW; GenW;
// MshrEntries, MshrTargets, MergeLanes of hd_l1_reads. Latency 0 to read, 1 to write.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_gpu_line #(
  parameter int unsigned Sets = 64,
  parameter int unsigned Ways = 8,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned GenW = 10,
  parameter int unsigned MshrEntries = 64,
  parameter int unsigned MshrTargets = 256,
  parameter int unsigned MergeLanes = 1024,
  parameter int unsigned LineW = hd_pkg::ADDR_W - $clog2(LineWords * 4),  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),      // derived
  parameter int unsigned RowW = $clog2(Sets) + $clog2(Ways)               // derived
) (
  input  logic                     clk_i,
  input  logic                     rst_i,
  input  hd_pkg::gpu_turn_s        turn_i,
  input  hd_pkg::gpu_do_s          act_i,
  input  logic [GenW-1:0]          gen_i,
  // whose line
  input  hd_pkg::access_s          la_acc_i,
  input  logic [LineW-1:0]         la_line_i,
  input  logic [PlaceW-1:0]        la_place_i,
  input  hd_pkg::head_s            dn_i,
  input  logic [RowW-1:0]          fl_row_i,
  input  logic [RowW-1:0]          wrap_row_i,
  input  logic [LineW-1:0]         pop_num_i,
  input  logic                     pop_mark_i,
  // found
  output hd_pkg::gpu_look_s        look_o,
  output logic [RowW-1:0]          row_o,
  output logic [LineW-1:0]         num_o,
  output logic [2*LineWords-1:0]   masks_o,
  output logic [LineWords-1:0]     wmask_o,
  output logic [Lanes-1:0]         lanes_o,
  output logic [hd_pkg::TID_W-1:0] read_tid_o,
  // accesses that waited
  output logic                     rp_valid_o,
  output hd_pkg::access_s          rp_acc_o,
  output logic [PlaceW-1:0]        rp_place_o,
  // observation
  output logic                     st_valid_o,
  output logic [LineW-1:0]         st_line_o,
  output logic [MshrEntries-1:0]   mshr_busy_o,
  output logic                     idle_o
);
  localparam int unsigned SetW = $clog2(Sets);
  localparam int unsigned WayW = $clog2(Ways);
  localparam int unsigned TagW = LineW - SetW;
  localparam int unsigned OffW = hd_pkg::idx_w(LineWords);
  localparam int unsigned CntW = $clog2(Lanes + 1);

  hd_pkg::word_sel_s   sel;
  hd_pkg::word_do_s    act;
  hd_pkg::l1_sync_s    what;
  hd_pkg::word_event_e ev;
  hd_pkg::gpu_says_s   says;
  hd_pkg::why_e        wait_why;
  logic                inv, own_row, pop_line, look, hit, vict_ok, evict, pin, fills;
  logic                pending, read_room, rd_old;
  logic [LineW-1:0]    line, rd_line;
  logic [RowW-1:0]     own;
  logic [WayW-1:0]     way, hit_way, vict_way;
  logic [TagW-1:0]     tag, vict_tag;
  logic [LineWords-1:0] v, d, look_v, look_d, vict_v, vict_d, v_new, d_new, v_put, d_put, need;
  logic [LineWords-1:0] words, hit_words, miss_words, write_words, guard, skip, rd_skip;
  logic [Lanes-1:0]    la_mask, miss_mask;
  logic [Lanes*OffW-1:0] la_offs;
  logic [CntW-1:0]     fr_lanes;

  assign sel  = turn_i.sel;
  assign what = turn_i.what;
  assign act  = act_i.la;
  assign inv  = sel.dn && turn_i.msg.inv;
  assign {la_mask, la_offs, words} = la_place_i;

  // ---- the line and its words ------------------------------------------------------------------
  assign own_row  = sel.fl || sel.wrap;  // the row is named
  assign own      = sel.wrap ? wrap_row_i : fl_row_i;
  assign pop_line = sel.pp && !pop_mark_i;
  assign look     = sel.fr || sel.dn || own_row || pop_line;
  assign evict    = sel.fr && !what.fence && !what.sync && !hit && vict_ok && vict_d != '0;
  assign v        = evict ? vict_v : look_v;
  assign d        = evict ? vict_d : look_d;
  assign way      = hit ? hit_way : vict_way;
  always_comb begin
    line = la_line_i;
    if (sel.dn) line = inv ? dn_i.addr[hd_pkg::ADDR_W-1 -: LineW] : rd_line;
    else if (sel.pp) line = pop_num_i;
  end
  assign row_o = own_row ? own : {line[SetW-1:0], way};
  assign num_o = evict ? {vict_tag, line[SetW-1:0]} : own_row ? {tag, own[RowW-1 -: SetW]} : line;
  assign v_put = sel.wrap ? '0 : v_new;
  assign d_put = sel.wrap ? look_d : d_new;
  assign pin   = (act.push && !pending) || fills;
  hd_l1_words #(
    .Sets(Sets),
    .Ways(Ways),
    .TagW(TagW),
    .LineWords(LineWords),
    .GenW(GenW)
  ) u_words (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .gen_i(gen_i),
    .valid_i(look),
    .set_i(own_row ? own[RowW-1 -: SetW] : line[SetW-1:0]),
    .tag_i(line[LineW-1:SetW]),
    .known_i(own_row),
    .way_i(own[WayW-1:0]),
    .hit_o(hit),
    .way_o(hit_way),
    .tag_o(tag),
    .masks_o({look_d, look_v}),
    .vict_ok_o(vict_ok),
    .vict_way_o(vict_way),
    .vict_tag_o(vict_tag),
    .vict_masks_o({vict_d, vict_v}),
    .we_i(act_i.write),
    .we_way_i(way),
    .we_holds_i(!evict),
    .we_tag_i(hit ? tag : line[LineW-1:SetW]),
    .we_masks_i({d_put, v_put}),
    .touch_i(act.accept && !what.fence && !what.sync),
    .pin_we_i(pin),
    .pin_i(sel.fr),
    .unpin_all_i(act_i.gen)
  );

  // ---- what becomes of them --------------------------------------------------------------------
  always_comb begin
    if (sel.fl || sel.pp) ev = hd_pkg::WEV_FLUSH;
    else if (sel.dn) ev = inv ? hd_pkg::WEV_INV : hd_pkg::WEV_FILL;
    else if (evict) ev = hd_pkg::WEV_EVICT;
    else if (what.sync) ev = hd_pkg::WEV_SYNC;
    else if (what.atomic) ev = hd_pkg::WEV_LOCAL;
    else ev = what.load ? hd_pkg::WEV_LOAD : hd_pkg::WEV_STORE;
  end
  hd_l1_gpu_table #(
    .LineWords(LineWords)
  ) u_table (
    .ev_i(ev),
    .words_i(words),
    .v_i(v),
    .d_i(d),
    .guard_i(guard),
    .pending_i(pending),
    .skip_i(sel.dn ? rd_skip : skip),
    .v_o(v_new),
    .d_o(d_new),
    .hit_o(hit_words),
    .miss_o(miss_words),
    .write_o(write_words),
    .says_o(says)
  );
  `HD_COVER_SETS(g_l1gpu_pair, act_i.leave || fills
                 || (sel.fr && !what.fence && (!act.reject || says.why != hd_pkg::WHY_NONE)),
                 hd_pkg::gpu_rows(hd_pkg::gpu_of(ev, 16'({LineWords{1'b1}}), 16'(d), 16'(words),
                                                says.again), 16'(v), 16'(d)), 3, ev, 7)
  assign fills   = sel.dn && turn_i.msg.data && !rd_old;
  assign masks_o = {d_new, d};
  assign wmask_o = (sel.dn && !(fills && hit)) ? '0 : write_words;
  always_comb begin
    {lanes_o, miss_mask, fr_lanes} = '0;
    if (sel.fr) begin
      for (int unsigned l = 0; l < Lanes; l++)
        {lanes_o[l], miss_mask[l]} = {2{la_mask[l]}}
            & {hit_words[la_offs[OffW*l +: OffW]], miss_words[la_offs[OffW*l +: OffW]]};
      fr_lanes = CntW'(hd_pkg::ones(64'(miss_mask)));
    end
  end
  assign look_o = {hit, hit || vict_ok, evict, says.why, says.again, miss_words != '0,
                   lanes_o != '0, says.req == hd_pkg::MSG_WT, fills, pending, read_room, wait_why};

  // ---- READs and what waits for them -----------------------------------------------------------
  always_comb begin
    need = miss_words;
    if (inv) need = look_v;  // may be of a WT that the READ which is out has overtaken
    else if (act.send) need = words;
    else if (act.fetch) need = '0;
  end
  hd_l1_reads #(
    .Entries(MshrEntries),
    .Targets(MshrTargets),
    .MergeLanes(MergeLanes),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .SlotW(SlotW),
    .LineW(LineW)
  ) u_reads (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .lk_valid_i(sel.fr || inv),
    .lk_line_i(inv ? line : la_line_i),
    .lanes_i(fr_lanes),
    .pending_o(pending),
    .room_o(read_room),
    .skip_o(skip),
    .guard_o(guard),
    .why_o(wait_why),
    .tid_o(read_tid_o),
    .push_i(act.push),
    .acc_i(la_acc_i),
    .place_i({miss_mask, la_offs, words}),
    .need_i(need),
    .skip_i(act.send || inv),
    .old_i(act_i.gen),
    .rd_tid_i(dn_i.tid),
    .rd_line_o(rd_line),
    .rd_old_o(rd_old),
    .rd_skip_o(rd_skip),
    .start_i(sel.dn && turn_i.msg.data),
    .valid_o(rp_valid_o),
    .acc_o(rp_acc_o),
    .place_o(rp_place_o),
    .pop_i(sel.rp),
    .busy_o(mshr_busy_o),
    .idle_o(idle_o)
  );

  // ---- observation -----------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (rst_i) st_valid_o <= 1'b0;
    else st_valid_o <= act_i.write && !sel.wrap;
    if (act_i.write) st_line_o <= num_o;
  end

  logic unused;
  assign unused = ^{turn_i, act_i, sel, act, what, dn_i, says, vict_v};

  `HD_ASSERT(a_line_of_a_read_stays, !fills || hit)
  `HD_ASSERT(a_dirty_row_is_here, !sel.fl || hit || says.req == hd_pkg::MSG_NONE)
  `HD_ASSERT(a_word_in_one_state, (v & d) == '0)
endmodule
`default_nettype wire
