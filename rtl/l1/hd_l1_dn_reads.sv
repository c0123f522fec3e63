// hd_l1_dn_reads.sv - READs of an L1 of family DENOVO that are out, their words, those who wait.
//
// hd_read_words knows lines and words, hd_mshr_table the accesses (its "lines" are entries of the
// former; the transaction id of a READ is its entry there, tid_o). The words of a READ come in
// several packets, from the L2 and from owners: until the last they are kept here, then the
// accesses are served.
//
// look  combinational, lk_valid_i, lk_line_i, words_i: guard_o, join_o, join_words_o of
//       hd_read_words, room_o. new_i with lk_*: a new READ would be meant, else one to join; why_o:
//       WHY_NONE if there is a place for lanes_i more lanes.
// note  push_i: the access waits, the lanes of place_i; with new_i it makes an entry of need_i
//       {read only, words}. skip_i, skip_words_i, old_i of hd_read_words.
// data  rd_tid_i: rd_*_o are combinational, rd_o {line, old, read only; skipped, needed words}.
//       rd_last_o: rd_words_i are the last that were missing; rd_parts_o: others came before, so
//       merge_i in the cycle before start_i makes line_o the line of all. got_i: words rd_words_i
//       of rd_data_i are kept. nack_i: they were refused. start_i: all have come, the READ ends,
//       its accesses leave: valid_o, leave_o {place, access} until pop_i.
// retry as in hd_read_words, retry_read_o {line, words, id}. busy_o entries in use; idle_o nothing
//       leaves, nothing to repeat.
// Parameters: as hd_l1_reads; WordW.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_dn_reads #(
  parameter int unsigned Entries = 64,
  parameter int unsigned Targets = 256,
  parameter int unsigned MergeLanes = 1024,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned LineW = 26,
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),  // derived
  parameter int unsigned LeaveW = PlaceW + hd_pkg::ACCESS_W,          // derived
  parameter int unsigned RdW = LineW + 2 + 2 * LineWords,             // derived
  parameter int unsigned RetryW = LineW + LineWords + hd_pkg::TID_W,  // derived
  parameter int unsigned CntW = $clog2(Lanes + 1)                     // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  // look
  input  logic                       lk_valid_i,
  input  logic [LineW-1:0]           lk_line_i,
  input  logic [LineWords-1:0]       words_i,
  input  logic [CntW-1:0]            lanes_i,
  input  logic                       new_i,
  output logic                       join_o,
  output logic                       room_o,
  output logic [LineWords-1:0]       join_words_o,
  output logic [LineWords-1:0]       guard_o,
  output hd_pkg::why_e               why_o,
  output logic [hd_pkg::TID_W-1:0]   tid_o,
  // note
  input  logic                       push_i,
  input  hd_pkg::access_s            acc_i,
  input  logic [PlaceW-1:0]          place_i,
  input  logic [LineWords:0]         need_i,
  input  logic                       skip_i,
  input  logic [LineWords-1:0]       skip_words_i,
  input  logic                       old_i,
  // data
  input  logic [hd_pkg::TID_W-1:0]   rd_tid_i,
  output logic [RdW-1:0]             rd_o,
  output logic                       rd_more_o,
  output logic                       rd_last_o,
  output logic                       rd_parts_o,
  input  logic [LineWords-1:0]       rd_words_i,
  input  logic [LineWords*WordW-1:0] rd_data_i,
  input  logic                       got_i,
  input  logic                       nack_i,
  input  logic                       merge_i,
  output logic [LineWords*WordW-1:0] line_o,
  input  logic                       start_i,
  output logic                       valid_o,
  output logic [LeaveW-1:0]          leave_o,
  input  logic                       pop_i,
  // retry
  output logic                       retry_o,
  output logic [RetryW-1:0]          retry_read_o,
  input  logic                       retry_pop_i,
  output logic [Entries-1:0]         busy_o,
  output logic                       idle_o
);
  localparam int unsigned IdxW  = hd_pkg::idx_w(Entries);
  localparam int unsigned DataW = (Lanes > LineWords) ? Lanes : LineWords;  // bits: no data wait

  logic [IdxW-1:0]           join_idx, free_idx, key, rd_key, rp_key, lk_idx, rp_idx;
  logic                      lk_hit, lk_room, rp_wait, rp_last, table_empty, marks_empty, rp_idle;
  logic [hd_pkg::OPID_W-1:0] rd_opid;
  logic [CntW-1:0]           rp_lanes;
  logic [DataW-1:0]          rp_data;
  logic [Lanes*32-1:0]       rp_cmp;
  logic [LineWords-1:0]      rd_need, rd_got, rd_skip, kept_words_q, retry_words;
  logic [LineW-1:0]          rd_line, retry_line;
  logic                      rd_old, rd_ro;
  logic [hd_pkg::TID_W-1:0]  retry_tid;
  logic [LineWords*WordW-1:0] kept;
  logic [PlaceW-1:0]         leave_place;
  hd_pkg::access_s           wait_acc, leave_acc;

  always_comb begin
    wait_acc      = acc_i;
    wait_acc.kind = hd_pkg::OP_LOAD;  // brings no data
  end
  assign key   = new_i ? free_idx : join_idx;
  assign tid_o = hd_pkg::TID_W'(lk_idx);
  hd_read_words #(
    .Entries(Entries),
    .LineWords(LineWords),
    .LineW(LineW)
  ) u_words (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .lk_valid_i(lk_valid_i),
    .lk_line_i(lk_line_i),
    .words_i(words_i),
    .guard_o(guard_o),
    .join_o(join_o),
    .join_idx_o(join_idx),
    .join_words_o(join_words_o),
    .room_o(room_o),
    .free_idx_o(free_idx),
    .new_i(push_i && new_i),
    .need_i(need_i[LineWords-1:0]),
    .ro_i(need_i[LineWords]),
    .tid_i(tid_o),
    .skip_i(skip_i),
    .skip_words_i(skip_words_i),
    .old_i(old_i),
    .rd_idx_i(rd_key),
    .rd_line_o(rd_line),
    .rd_old_o(rd_old),
    .rd_ro_o(rd_ro),
    .rd_more_o(rd_more_o),
    .rd_need_o(rd_need),
    .rd_got_o(rd_got),
    .rd_skip_o(rd_skip),
    .rd_words_i(rd_words_i),
    .got_i(got_i),
    .nack_i(nack_i),
    .done_i(start_i),
    .retry_o(retry_o),
    .retry_tid_o(retry_tid),
    .retry_line_o(retry_line),
    .retry_words_o(retry_words),
    .retry_pop_i(retry_pop_i),
    .empty_o(marks_empty)
  );
  assign rd_o         = {rd_line, rd_old, rd_ro, rd_skip, rd_need};
  assign retry_read_o = {retry_line, retry_words, retry_tid};
  assign rd_last_o    = (rd_need & ~(rd_got | rd_words_i)) == '0;
  assign rd_parts_o   = rd_got != '0;
  hd_mshr_table #(
    .Entries(Entries),
    .Targets(Targets),
    .StoreData(1),
    .CasData(1),
    .MergeLanes(MergeLanes),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(1),
    .SlotW(SlotW),
    .LineW(IdxW)
  ) u_waiting (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .lk_valid_i(lk_valid_i),
    .lk_line_i(key),
    .lk_lanes_i(lanes_i),
    .lk_hit_o(lk_hit),
    .lk_idx_o(lk_idx),
    .lk_room_o(lk_room),
    .lk_why_o(why_o),
    .push_i(push_i),
    .push_acc_i(wait_acc),
    .push_place_i(place_i),
    .push_data_i({DataW{1'b0}}),
    .push_cmp_i({(Lanes * 32) {1'b0}}),
    .rd_idx_i(rd_tid_i[IdxW-1:0]),
    .rd_line_o(rd_key),
    .rd_opid_o(rd_opid),
    .rp_start_i(start_i),
    .rp_idx_i(rd_tid_i[IdxW-1:0]),
    .rp_line_i({IdxW{1'b0}}),
    .rp_mask_i({Lanes{1'b0}}),
    .rp_wait_o(rp_wait),
    .rp_valid_o(valid_o),
    .rp_line_o(rp_key),
    .rp_idx_o(rp_idx),
    .rp_acc_o(leave_acc),
    .rp_lanes_o(rp_lanes),
    .rp_place_o(leave_place),
    .rp_data_o(rp_data),
    .rp_cmp_o(rp_cmp),
    .rp_last_o(rp_last),
    .rp_pop_i(pop_i),
    .rp_stop_i(1'b0),
    .empty_o(table_empty),
    .busy_o(busy_o),
    .idle_o(rp_idle)
  );
  assign leave_o = {leave_place, leave_acc};
  assign idle_o  = rp_idle && !retry_o;

  // Words that came before the last packet.
  hd_sram_1r1w #(
    .Width(LineWords * WordW),
    .Depth(Entries),
    .Gran(WordW)
  ) u_kept (
    .clk_i(clk_i),
    .we_i(got_i),
    .waddr_i(rd_key),
    .wmask_i(rd_words_i),
    .wdata_i(rd_data_i),
    .re_i(merge_i),
    .raddr_i(rd_key),
    .rdata_o(kept)
  );
  always_ff @(posedge clk_i) begin
    if (rst_i) kept_words_q <= '0;
    else if (merge_i) kept_words_q <= rd_got;
    else if (start_i) kept_words_q <= '0;
  end
  always_comb begin
    line_o = rd_data_i;
    for (int unsigned w = 0; w < LineWords; w++) begin
      if (kept_words_q[w]) line_o[WordW*w +: WordW] = kept[WordW*w +: WordW];
    end
  end

  logic unused;
  assign unused = ^{rp_key, rp_idx, lk_hit, lk_room, rp_wait, rp_last, table_empty, marks_empty,
                    rd_opid, rp_lanes, rp_data, rp_cmp, rd_tid_i};

  `HD_ASSERT(a_tables_agree, !push_i || lk_hit != new_i)
  `HD_ASSERT(a_all_have_come, !start_i || rd_last_o)
  `HD_ASSERT(a_data_expected, !(start_i || got_i || nack_i) || busy_o[rd_tid_i[IdxW-1:0]])
endmodule
`default_nettype wire
