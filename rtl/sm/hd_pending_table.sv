// hd_pending_table.sv - the table of outstanding requests of an SM, of the kind that is asked for.
//
// Pending: hd_pkg::PENDING_MSHR, hd_mshr_table (paper 2 section 2.1), or PENDING_PRT,
// hd_pending_request_table (section 2.2). Ports, timing and the other parameters are theirs;
// Targets and MergeLanes are the MSHRs', ReqCredits the pending request table's.
`default_nettype none
module hd_pending_table #(
  parameter int unsigned Pending = hd_pkg::PENDING_MSHR,
  parameter int unsigned ReqCredits = 0,
  parameter int unsigned Entries = 128,
  parameter int unsigned Targets = 512,
  parameter int unsigned StoreData = 128,
  parameter int unsigned CasData = 16,
  parameter int unsigned MergeLanes = 32,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned LineW = 25,
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,   // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                  // derived
  parameter int unsigned CntW = $clog2(Lanes + 1),                                    // derived
  parameter int unsigned IdxW = hd_pkg::idx_w(Entries)                                // derived
) (
  input  logic                     clk_i,
  input  logic                     rst_i,
  // lookup
  input  logic                     lk_valid_i,
  input  logic [LineW-1:0]         lk_line_i,
  input  logic [CntW-1:0]          lk_lanes_i,
  output logic                     lk_hit_o,
  output logic [IdxW-1:0]          lk_idx_o,
  output logic                     lk_room_o,
  output hd_pkg::why_e             lk_why_o,
  // push
  input  logic                     push_i,
  input  hd_pkg::access_s          push_acc_i,
  input  logic [PlaceW-1:0]        push_place_i,
  input  logic [DataW-1:0]         push_data_i,
  input  logic [Lanes*32-1:0]      push_cmp_i,
  // read an entry
  input  logic [IdxW-1:0]          rd_idx_i,
  output logic [LineW-1:0]         rd_line_o,
  output logic [hd_pkg::OPID_W-1:0] rd_opid_o,
  // replay
  input  logic                     rp_start_i,
  input  logic [IdxW-1:0]          rp_idx_i,
  input  logic [LineW-1:0]         rp_line_i,
  input  logic [Lanes-1:0]         rp_mask_i,
  output logic                     rp_wait_o,
  output logic                     rp_valid_o,
  output logic [LineW-1:0]         rp_line_o,
  output logic [IdxW-1:0]          rp_idx_o,
  output hd_pkg::access_s          rp_acc_o,
  output logic [CntW-1:0]          rp_lanes_o,
  output logic [PlaceW-1:0]        rp_place_o,
  output logic [DataW-1:0]         rp_data_o,
  output logic [Lanes*32-1:0]      rp_cmp_o,
  output logic                     rp_last_o,
  input  logic                     rp_pop_i,
  input  logic                     rp_stop_i,
  // state
  output logic                     empty_o,       // no entry in use
  output logic [Entries-1:0]       busy_o,        // entries in use
  output logic                     idle_o
);
  if (Pending == hd_pkg::PENDING_PRT) begin : g_prt
    hd_pending_request_table #(
      .Entries(Entries),
      .ReqCredits(ReqCredits),
      .StoreData(StoreData),
      .CasData(CasData),
      .Lanes(Lanes),
      .LineWords(LineWords),
      .WordW(WordW),
      .SlotW(SlotW),
      .LineW(LineW)
    ) u_table (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .lk_valid_i(lk_valid_i),
      .lk_line_i(lk_line_i),
      .lk_lanes_i(lk_lanes_i),
      .lk_hit_o(lk_hit_o),
      .lk_idx_o(lk_idx_o),
      .lk_room_o(lk_room_o),
      .lk_why_o(lk_why_o),
      .push_i(push_i),
      .push_acc_i(push_acc_i),
      .push_place_i(push_place_i),
      .push_data_i(push_data_i),
      .push_cmp_i(push_cmp_i),
      .rd_idx_i(rd_idx_i),
      .rd_line_o(rd_line_o),
      .rd_opid_o(rd_opid_o),
      .rp_start_i(rp_start_i),
      .rp_idx_i(rp_idx_i),
      .rp_line_i(rp_line_i),
      .rp_mask_i(rp_mask_i),
      .rp_wait_o(rp_wait_o),
      .rp_valid_o(rp_valid_o),
      .rp_line_o(rp_line_o),
      .rp_idx_o(rp_idx_o),
      .rp_acc_o(rp_acc_o),
      .rp_lanes_o(rp_lanes_o),
      .rp_place_o(rp_place_o),
      .rp_data_o(rp_data_o),
      .rp_cmp_o(rp_cmp_o),
      .rp_last_o(rp_last_o),
      .rp_pop_i(rp_pop_i),
      .rp_stop_i(rp_stop_i),
      .empty_o(empty_o),
      .busy_o(busy_o),
      .idle_o(idle_o)
    );
  end else begin : g_mshr
    hd_mshr_table #(
      .Entries(Entries),
      .Targets(Targets),
      .StoreData(StoreData),
      .CasData(CasData),
      .MergeLanes(MergeLanes),
      .Lanes(Lanes),
      .LineWords(LineWords),
      .WordW(WordW),
      .SlotW(SlotW),
      .LineW(LineW)
    ) u_table (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .lk_valid_i(lk_valid_i),
      .lk_line_i(lk_line_i),
      .lk_lanes_i(lk_lanes_i),
      .lk_hit_o(lk_hit_o),
      .lk_idx_o(lk_idx_o),
      .lk_room_o(lk_room_o),
      .lk_why_o(lk_why_o),
      .push_i(push_i),
      .push_acc_i(push_acc_i),
      .push_place_i(push_place_i),
      .push_data_i(push_data_i),
      .push_cmp_i(push_cmp_i),
      .rd_idx_i(rd_idx_i),
      .rd_line_o(rd_line_o),
      .rd_opid_o(rd_opid_o),
      .rp_start_i(rp_start_i),
      .rp_idx_i(rp_idx_i),
      .rp_line_i(rp_line_i),
      .rp_mask_i(rp_mask_i),
      .rp_wait_o(rp_wait_o),
      .rp_valid_o(rp_valid_o),
      .rp_line_o(rp_line_o),
      .rp_idx_o(rp_idx_o),
      .rp_acc_o(rp_acc_o),
      .rp_lanes_o(rp_lanes_o),
      .rp_place_o(rp_place_o),
      .rp_data_o(rp_data_o),
      .rp_cmp_o(rp_cmp_o),
      .rp_last_o(rp_last_o),
      .rp_pop_i(rp_pop_i),
      .rp_stop_i(rp_stop_i),
      .empty_o(empty_o),
      .busy_o(busy_o),
      .idle_o(idle_o)
    );
  end
endmodule
`default_nettype wire
