// hd_l1_reads.sv - the READs of an L1 with word states that are out, and the accesses that wait.
//
// hd_read_marks knows lines and words, hd_mshr_table the accesses; the "lines" of the latter are
// the entries of the former. The transaction id of a READ is the entry of the latter (tid_o).
//
// look  with lk_valid_i, combinational: what hd_read_marks says of line lk_line_i; lanes_i would
//       wait: why_o is WHY_NONE if there is a place for them.
// note  push_i: the access waits, the lanes of place_i, and makes an entry unless one is pending_o;
//       need_i: the words it waits for; skip_i: need_i is skipped by every READ of the line; old_i:
//       every READ becomes old.
// data  rd_tid_i: rd_line_o, rd_old_o, rd_skip_o are combinational. start_i: the data have come,
//       the READ ends, its accesses leave in order: valid_o, acc_o,
//       place_o (but its words touched) until pop_i.
// busy_o entries in use; idle_o nothing leaves.
// Parameters: Entries, Targets, MergeLanes of hd_mshr_table; Lanes, LineWords, WordW, SlotW, LineW.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_reads #(
  parameter int unsigned Entries = 64,
  parameter int unsigned Targets = 256,
  parameter int unsigned MergeLanes = 1024,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned LineW = 26,
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),  // derived
  parameter int unsigned CntW = $clog2(Lanes + 1)                     // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  // look
  input  logic                      lk_valid_i,
  input  logic [LineW-1:0]          lk_line_i,
  input  logic [CntW-1:0]           lanes_i,
  output logic                      pending_o,
  output logic                      room_o,
  output logic [LineWords-1:0]      skip_o,
  output logic [LineWords-1:0]      guard_o,
  output hd_pkg::why_e              why_o,
  output logic [hd_pkg::TID_W-1:0]  tid_o,
  // note
  input  logic                      push_i,
  input  hd_pkg::access_s           acc_i,
  input  logic [PlaceW-1:0]         place_i,
  input  logic [LineWords-1:0]      need_i,
  input  logic                      skip_i,
  input  logic                      old_i,
  // data
  input  logic [hd_pkg::TID_W-1:0]  rd_tid_i,
  output logic [LineW-1:0]          rd_line_o,
  output logic                      rd_old_o,
  output logic [LineWords-1:0]      rd_skip_o,
  input  logic                      start_i,
  output logic                      valid_o,
  output hd_pkg::access_s           acc_o,
  output logic [PlaceW-1:0]         place_o,
  input  logic                      pop_i,
  output logic [Entries-1:0]        busy_o,
  output logic                      idle_o
);
  localparam int unsigned IdxW  = hd_pkg::idx_w(Entries);
  localparam int unsigned DataW = (Lanes > LineWords) ? Lanes : LineWords;  // bits: no data wait

  logic [IdxW-1:0]           key, rd_key, rp_key, lk_idx, rp_idx;
  logic                      lk_hit, lk_room, rp_wait, rp_last, table_empty, marks_empty;
  logic [hd_pkg::OPID_W-1:0] rd_opid;
  logic [CntW-1:0]           rp_lanes;
  logic [DataW-1:0]          rp_data;
  logic [Lanes*32-1:0]       rp_cmp;
  hd_pkg::read_note_s        note;
  hd_pkg::access_s           wait_acc;

  always_comb begin
    wait_acc      = acc_i;
    wait_acc.kind = hd_pkg::OP_LOAD;  // brings no data
  end
  assign note.makes = push_i && !pending_o;
  assign note.joins = push_i && pending_o;
  assign note.skips = skip_i;
  assign note.ages  = old_i;
  assign note.ends  = start_i;
  assign tid_o = hd_pkg::TID_W'(lk_idx);
  hd_read_marks #(
    .Entries(Entries),
    .LineWords(LineWords),
    .LineW(LineW)
  ) u_marks (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .lk_valid_i(lk_valid_i),
    .lk_line_i(lk_line_i),
    .pending_o(pending_o),
    .room_o(room_o),
    .idx_o(key),
    .skip_o(skip_o),
    .guard_o(guard_o),
    .note_i(note),
    .need_i(need_i),
    .rd_idx_i(rd_key),
    .rd_o({rd_line_o, rd_old_o, rd_skip_o}),
    .empty_o(marks_empty)
  );
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
    .rp_acc_o(acc_o),
    .rp_lanes_o(rp_lanes),
    .rp_place_o(place_o),
    .rp_data_o(rp_data),
    .rp_cmp_o(rp_cmp),
    .rp_last_o(rp_last),
    .rp_pop_i(pop_i),
    .rp_stop_i(1'b0),
    .empty_o(table_empty),
    .busy_o(busy_o),
    .idle_o(idle_o)
  );

  logic unused;
  assign unused = ^{rp_key, rp_idx, lk_hit, lk_room, rp_wait, rp_last, table_empty, marks_empty,
                    rd_opid, rp_lanes, rp_data, rp_cmp, rd_tid_i};

  `HD_ASSERT(a_tables_agree, !push_i || lk_hit == pending_o)
  `HD_ASSERT(a_data_expected, !start_i || busy_o[rd_tid_i[IdxW-1:0]])
endmodule
`default_nettype wire
