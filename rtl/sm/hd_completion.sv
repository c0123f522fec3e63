// hd_completion.sv - what L1 and LDS have performed, in one stream for scoreboard and warps.
//
// perf   an access was performed. The L1 is never made to wait; the LDS waits while the L1 has one.
//        A slot is {tag, slot} of the access (TagW may be 0). l1_perf_hide_i: the L1's is not
//        shown, its completion is.
// cpl    its completion, the cycle after perf, so both sides never show one at once. Combinational.
// Lanes, WordW bits of a word, TagW bits of a tag that come back.
`include "hd_assert.svh"
`default_nettype none
module hd_completion #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned TagW  = 0,
  parameter int unsigned SlotW = hd_pkg::SLOT_W + TagW,  // derived: leave as is
  parameter int unsigned CntW  = $clog2(Lanes + 1)       // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,

  input  logic                      l1_perf_valid_i,
  input  logic [hd_pkg::WARP_W-1:0] l1_perf_warp_i,
  input  logic [SlotW-1:0]          l1_perf_slot_i,
  input  logic [CntW-1:0]           l1_perf_lanes_i,
  input  logic                      l1_perf_hide_i,
  input  logic                      l1_cpl_valid_i,
  input  hd_pkg::completion_s       l1_cpl_i,
  input  logic [Lanes-1:0]          l1_cpl_mask_i,
  input  logic [Lanes*WordW-1:0]    l1_cpl_data_i,

  input  logic                      lds_perf_valid_i,
  output logic                      lds_perf_ready_o,
  input  logic [hd_pkg::WARP_W-1:0] lds_perf_warp_i,
  input  logic [SlotW-1:0]          lds_perf_slot_i,
  input  logic [CntW-1:0]           lds_perf_lanes_i,
  input  logic                      lds_cpl_valid_i,
  input  hd_pkg::completion_s       lds_cpl_i,
  input  logic [Lanes-1:0]          lds_cpl_mask_i,
  input  logic [Lanes*WordW-1:0]    lds_cpl_data_i,

  output logic                      perf_valid_o,
  output hd_pkg::performed_s        perf_o,
  output logic [CntW-1:0]           perf_lanes_o,
  output logic                      cpl_valid_o,
  output hd_pkg::completion_s       cpl_o,
  output logic [Lanes-1:0]          cpl_mask_o,
  output logic [Lanes*WordW-1:0]    cpl_data_o
);
  logic [SlotW-1:0]          slot;
  logic [hd_pkg::WARP_W-1:0] warp;
  logic [hd_pkg::TAG_W-1:0]  tag;

  assign lds_perf_ready_o = !l1_perf_valid_i;
  assign perf_valid_o     = l1_perf_valid_i ? !l1_perf_hide_i : lds_perf_valid_i;
  assign {warp, slot, perf_lanes_o} = l1_perf_valid_i
      ? {l1_perf_warp_i, l1_perf_slot_i, l1_perf_lanes_i}
      : {lds_perf_warp_i, lds_perf_slot_i, lds_perf_lanes_i};
  if (TagW != 0) begin : g_tag
    assign tag = hd_pkg::TAG_W'(slot[SlotW-1 -: TagW]);
  end else begin : g_no_tag
    assign tag = '0;
  end

  assign perf_o           = {tag, slot[hd_pkg::SLOT_W-1:0], warp};
  assign cpl_valid_o      = l1_cpl_valid_i || lds_cpl_valid_i;
  assign cpl_o            = l1_cpl_valid_i ? l1_cpl_i : lds_cpl_i;
  assign cpl_mask_o       = l1_cpl_valid_i ? l1_cpl_mask_i : lds_cpl_mask_i;
  assign cpl_data_o       = l1_cpl_valid_i ? l1_cpl_data_i : lds_cpl_data_i;

  `HD_ASSERT(a_one_completion, !(l1_cpl_valid_i && lds_cpl_valid_i))
endmodule
`default_nettype wire
