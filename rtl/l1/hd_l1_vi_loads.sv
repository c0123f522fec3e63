// hd_l1_vi_loads.sv - loads of a write-through L1 that wait for lines; which lines will not stay.
//
// Paper 1 section 3.6. The loads are in hd_pending_table, an entry for each line that is requested.
// A store or atomic that follows the request for its line marks the entry: its data serve those who
// wait and do not stay, later loads of the line wait in front of the L1.
//
// look  combinational, with lk_valid_i, about the access in front, of line la_line_i: hit_o, its
//       line is requested, by entry idx_o; else idx_o is what a new request takes if it may be made
//       (room_o, or why_o says why not). line_busy_o: it may not join the request.
// note  push_i: it waits, the lanes of la_place_i; unless hit_o it makes the entry. send_i: it is a
//       store or atomic that leaves.
// data  start_i: line line_i of entry tid_i has come for lanes mask_i; from the next cycle on those
//       who wait leave in order: valid_o (wait_o: not yet), line_o, acc_o, place_o (but its words
//       touched) until pop_i. last_o: with it the line goes, the entry is marked.
// busy_o entries in use; idle_o nothing leaves.
// Parameters: of hd_pending_table. Latency 1. With the pending request table nothing joins a
// request or passes it: line_busy_o is hit_o, no entry is marked.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_vi_loads #(
  parameter int unsigned Pending = hd_pkg::PENDING_MSHR,
  parameter int unsigned ReqCredits = 0,
  parameter int unsigned Entries = 128,
  parameter int unsigned Targets = 512,
  parameter int unsigned MergeLanes = 32,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned LineW = 25,
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),  // derived
  parameter int unsigned IdxW = hd_pkg::idx_w(Entries)                // derived
) (
  input  logic                     clk_i,
  input  logic                     rst_i,
  // look
  input  logic                     lk_valid_i,
  input  hd_pkg::access_s          la_acc_i,
  input  logic [LineW-1:0]         la_line_i,
  input  logic [PlaceW-1:0]        la_place_i,
  output logic                     hit_o,
  output logic [IdxW-1:0]          idx_o,
  output logic                     room_o,
  output hd_pkg::why_e             why_o,
  output logic                     line_busy_o,
  // note
  input  logic                     push_i,
  input  logic                     send_i,
  // data
  input  logic                     start_i,
  input  logic [hd_pkg::TID_W-1:0] tid_i,
  input  logic [LineW-1:0]         line_i,
  input  logic [Lanes-1:0]         mask_i,
  output logic                     wait_o,
  output logic                     valid_o,
  output logic [LineW-1:0]         line_o,
  output hd_pkg::access_s          acc_o,
  output logic [PlaceW-1:0]        place_o,
  output logic                     last_o,
  input  logic                     pop_i,
  output logic [Entries-1:0]       busy_o,
  output logic                     idle_o
);
  localparam int unsigned DataW = (Lanes > LineWords) ? Lanes : LineWords;  // bits: no data wait
  localparam int unsigned CntW  = $clog2(Lanes + 1);
  localparam bit          IsPrt = Pending == hd_pkg::PENDING_PRT;

  logic                is_load, rp_last, table_empty;
  logic [IdxW-1:0]     rp_idx;
  logic [CntW-1:0]     la_lanes, rp_lanes;
  logic [Entries-1:0]  leaves_q;  // the data of the entry do not stay: a store followed it
  // outputs of the table that loads do not need
  logic [LineW-1:0]    rd_line;
  logic [hd_pkg::OPID_W-1:0] rd_opid;
  logic [DataW-1:0]    rp_data;
  logic [Lanes*32-1:0] rp_cmp;

  assign is_load     = la_acc_i.kind == hd_pkg::OP_LOAD;
  assign la_lanes    = lk_valid_i ? CntW'(hd_pkg::ones(64'(la_place_i[PlaceW-1 -: Lanes]))) : '0;
  assign line_busy_o = hit_o && (IsPrt || (is_load && leaves_q[idx_o]));
  hd_pending_table #(
    .Pending(Pending),
    .ReqCredits(ReqCredits),
    .Entries(Entries),
    .Targets(Targets),
    .StoreData(1),
    .CasData(1),
    .MergeLanes(MergeLanes),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(1),
    .SlotW(SlotW),
    .LineW(LineW)
  ) u_pending (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .lk_valid_i(lk_valid_i),
    .lk_line_i(la_line_i),
    .lk_lanes_i(la_lanes),
    .lk_hit_o(hit_o),
    .lk_idx_o(idx_o),
    .lk_room_o(room_o),
    .lk_why_o(why_o),
    .push_i(push_i),
    .push_acc_i(la_acc_i),
    .push_place_i(la_place_i),
    .push_data_i({DataW{1'b0}}),
    .push_cmp_i({(Lanes * 32) {1'b0}}),
    .rd_idx_i(idx_o),
    .rd_line_o(rd_line),
    .rd_opid_o(rd_opid),
    .rp_start_i(start_i),
    .rp_idx_i(tid_i[IdxW-1:0]),
    .rp_line_i(line_i),
    .rp_mask_i(mask_i),
    .rp_wait_o(wait_o),
    .rp_valid_o(valid_o),
    .rp_line_o(line_o),
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
  assign last_o = rp_last && !IsPrt && leaves_q[rp_idx];

  always_ff @(posedge clk_i) begin
    if (push_i && !hit_o) leaves_q[idx_o] <= 1'b0;
    else if (send_i && hit_o) leaves_q[idx_o] <= 1'b1;
  end

  logic unused;
  assign unused = ^{table_empty, rd_line, rd_opid, rp_lanes, rp_data, rp_cmp, tid_i};

  `HD_ASSERT(a_data_expected, !start_i || busy_o[tid_i[IdxW-1:0]])
  `HD_ASSERT(a_load_may_wait, !push_i || (is_load && !line_busy_o))
  `HD_ASSERT(a_load_sends_nothing, !(send_i && is_load))
endmodule
`default_nettype wire
