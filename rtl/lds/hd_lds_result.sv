// hd_lds_result.sv - write-back of the LDS: gathers the lanes' words and completes the access.
//
// pass   a pass of hd_lds_pass: lanes it serves; with the first one (first_i) who asks and all
//        lanes of the access. last_i: it is the last.
// words  the cycle after, from hd_lds_banks: valid_i, a pass is there; give_i, words_i hold what
//        the access returns to the lanes served.
// perf   valid/ready, the cycle after the last pass: the access is performed when it is taken;
//        perf_last_i (same cycle) = the operation is complete. stall_o: it is not taken, and until
//        then no further pass is made.
// cpl    registers, the cycle after perf is taken.
// idle_o nothing moves.
// Parameters: Lanes, WordW. A slot (SlotW bits) has the tag above it, if there is room.
`include "hd_assert.svh"
`default_nettype none
module hd_lds_result #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned CntW = $clog2(Lanes + 1)  // derived: leave as is
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  // pass
  input  logic                      pass_i,
  input  logic                      first_i,
  input  logic                      last_i,
  input  logic [Lanes-1:0]          serve_i,
  input  hd_pkg::access_s           acc_i,
  input  logic [Lanes-1:0]          mask_i,
  // words
  input  logic                      valid_i,
  input  logic                      give_i,
  input  logic [Lanes*WordW-1:0]    words_i,
  output logic                      stall_o,
  // scoreboard and completion
  output logic                      perf_valid_o,
  input  logic                      perf_ready_i,
  output logic [hd_pkg::WARP_W-1:0] perf_warp_o,
  output logic [SlotW-1:0]          perf_slot_o,
  output logic [CntW-1:0]           perf_lanes_o,
  input  logic                      perf_last_i,
  output logic                      cpl_valid_o,
  output hd_pkg::completion_s       cpl_o,
  output logic [Lanes-1:0]          cpl_mask_o,
  output logic [Lanes*WordW-1:0]    cpl_data_o,
  output logic                      idle_o
);
  logic                      last_q, cpl_last_q, taken, copy_q, cpl_copy_q;
  logic [hd_pkg::WARP_W-1:0] warp_q, cpl_warp_q;
  logic [SlotW-1:0]          slot_q;
  logic [hd_pkg::SLOT_W-1:0] cpl_slot_q;
  logic [CntW-1:0]           lanes_q;
  logic [Lanes-1:0]          mask_q, serve_q;

  assign perf_valid_o = valid_i && last_q;
  assign perf_warp_o  = warp_q;
  assign perf_slot_o  = slot_q;
  assign perf_lanes_o = lanes_q;
  assign taken        = perf_valid_o && perf_ready_i;
  assign stall_o      = perf_valid_o && !perf_ready_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) cpl_valid_o <= 1'b0;
    else cpl_valid_o <= taken;
    // payload needs no reset
    if (pass_i) begin
      last_q  <= last_i;
      serve_q <= serve_i;
    end
    if (first_i) begin
      warp_q  <= acc_i.warp;
      copy_q  <= acc_i.kind == hd_pkg::OP_COPY;
      slot_q  <= SlotW'({acc_i.tag, acc_i.slot});
      mask_q  <= mask_i;
      lanes_q <= CntW'(hd_pkg::ones(64'(mask_i)));
    end
    if (give_i) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (serve_q[l]) cpl_data_o[l*WordW +: WordW] <= words_i[l*WordW +: WordW];
      end
    end
    if (taken) begin
      cpl_warp_q <= warp_q;
      cpl_slot_q <= slot_q[hd_pkg::SLOT_W-1:0];
      cpl_last_q <= perf_last_i;
      cpl_copy_q <= copy_q;
      cpl_mask_o <= mask_q;
    end
  end

  always_comb begin
    cpl_o      = '0;
    cpl_o.warp = cpl_warp_q;
    cpl_o.slot = cpl_slot_q;
    cpl_o.last = cpl_last_q;
    cpl_o.status[hd_pkg::STATUS_COPY] = cpl_copy_q;
  end
  logic unused;
  assign unused = ^acc_i;
  assign idle_o = !valid_i && !cpl_valid_o;

  `HD_ASSERT(a_pass_when_free, !(pass_i && stall_o))
  `HD_ASSERT(a_gives_when_there, !give_i || (valid_i && !stall_o))
endmodule
`default_nettype wire
