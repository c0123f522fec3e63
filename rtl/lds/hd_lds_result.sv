// hd_lds_result.sv - write-back of the LDS: gathers the lanes' words and completes the access.
//
// pass   a pass of hd_lds_pass: lanes_i {lanes it serves, all of the access}; with the first one
//        who asks, and all lanes.
// words  the cycle after, from hd_lds_banks: there_i, and what the access returns to the lanes
//        served.
// perf   valid/ready, the cycle after the last pass: the access is performed when it is taken.
//        stall_o: it is not taken, and until then no further pass is made.
// cpl    registers, the cycle after perf is taken: cpl_body_o {completion_s, lanes, their words}.
// idle_o nothing moves.
// Parameters: Lanes, WordW. A slot (SlotW bits) has the tag above it, if there is room.
`include "hd_assert.svh"
`default_nettype none
module hd_lds_result #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned CplW = hd_pkg::COMPLETION_W + Lanes * (1 + WordW)  // derived: leave as is
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  // pass
  input  hd_pkg::lds_pass_s      pass_i,
  input  hd_pkg::access_s        acc_i,
  input  logic [2*Lanes-1:0]     lanes_i,
  // words
  input  hd_pkg::lds_there_s     there_i,
  input  logic [Lanes*WordW-1:0] words_i,
  output logic                   stall_o,
  // scoreboard and completion
  output logic                   perf_valid_o,
  output hd_pkg::lds_perf_s      perf_o,
  input  hd_pkg::lds_answer_s    perf_i,
  output logic                   cpl_valid_o,
  output logic [CplW-1:0]        cpl_body_o,
  output logic                   idle_o
);
  localparam int unsigned CntW = $clog2(Lanes + 1);

  logic                      last_q, cpl_last_q, taken, copy_q, cpl_copy_q;
  logic [hd_pkg::WARP_W-1:0] warp_q, cpl_warp_q;
  logic [SlotW-1:0]          slot_q;
  logic [hd_pkg::SLOT_W-1:0] cpl_slot_q;
  logic [CntW-1:0]           lanes_q;
  logic [Lanes-1:0]          serve, mask, mask_q, serve_q, cpl_mask_q;
  logic [Lanes*WordW-1:0]    cpl_data_q;
  hd_pkg::completion_s       cpl;

  assign {serve, mask} = lanes_i;
  assign perf_valid_o  = there_i.valid && last_q;
  always_comb begin
    perf_o.lanes    = 7'(lanes_q);
    perf_o.who.warp = warp_q;
    {perf_o.who.tag, perf_o.who.slot} = (hd_pkg::TAG_W + hd_pkg::SLOT_W)'(slot_q);
  end
  assign taken   = perf_valid_o && perf_i.ready;
  assign stall_o = perf_valid_o && !perf_i.ready;

  always_ff @(posedge clk_i) begin
    if (rst_i) cpl_valid_o <= 1'b0;
    else cpl_valid_o <= taken;
    // payload needs no reset
    if (pass_i.made) begin
      last_q  <= pass_i.last;
      serve_q <= serve;
    end
    if (pass_i.first) begin
      warp_q  <= acc_i.warp;
      copy_q  <= acc_i.kind == hd_pkg::OP_COPY;
      slot_q  <= SlotW'({acc_i.tag, acc_i.slot});
      mask_q  <= mask;
      lanes_q <= CntW'(hd_pkg::ones(64'(mask)));
    end
    if (there_i.valid && there_i.gives && !stall_o) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (serve_q[l]) cpl_data_q[l*WordW +: WordW] <= words_i[l*WordW +: WordW];
      end
    end
    if (taken) begin
      cpl_warp_q <= warp_q;
      cpl_slot_q <= slot_q[hd_pkg::SLOT_W-1:0];
      cpl_last_q <= perf_i.last;
      cpl_copy_q <= copy_q;
      cpl_mask_q <= mask_q;
    end
  end

  always_comb begin
    cpl      = '0;
    cpl.warp = cpl_warp_q;
    cpl.slot = cpl_slot_q;
    cpl.last = cpl_last_q;
    cpl.status[hd_pkg::STATUS_COPY] = cpl_copy_q;
  end
  assign cpl_body_o = {cpl, cpl_mask_q, cpl_data_q};
  logic unused;
  assign unused = ^acc_i;
  assign idle_o = !there_i.valid && !cpl_valid_o;

  `HD_ASSERT(a_pass_when_free, !(pass_i.made && stall_o))
endmodule
`default_nettype wire
