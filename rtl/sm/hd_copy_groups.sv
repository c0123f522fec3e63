// hd_copy_groups.sv - copies to the LDS of each warp: which are under way, and in which group.
//
// A COPY_CTL that closes a group puts the warp's copies since the last one into it. Groups are
// counted from the youngest: a COPY_CTL that waits with n goes on when every copy of groups older
// than the n youngest is complete; copies in no group yet are not waited for. Empty groups count.
// op      the tile's warp port: what hd_issue is given.
// taken   the operation of taken_warp_i has issued, the cycle after; its slot of hd_scoreboard.
// done    the operation in done_slot_i of done_warp_i is complete (a copy or not).
// is_o    bit w: the operation warp w brought last is a COPY. wait_o: it is a COPY_CTL that has to
//         wait. pend_o: the warp has copies under way. Of registers.
// Nothing moves but for the three pulses, so there is no idle_o. Warps; Slots: outstanding memory
// operations of a warp. A group's number stops at the eighth: no wait tells older ones apart.
`include "hd_assert.svh"
`default_nettype none
module hd_copy_groups #(
  parameter int unsigned Warps = 48,
  parameter int unsigned Slots = 4,
  parameter int unsigned WarpW = hd_pkg::idx_w(Warps),  // derived: leave at its default
  parameter int unsigned SlotW = hd_pkg::idx_w(Slots)   // derived
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic             op_valid_i,
  input  hd_pkg::access_s  op_acc_i,   // warp, kind, fn
  input  logic             taken_i,
  input  logic [WarpW-1:0] taken_warp_i,
  input  logic [SlotW-1:0] taken_slot_i,
  input  logic             done_i,
  input  logic [WarpW-1:0] done_warp_i,
  input  logic [SlotW-1:0] done_slot_i,
  output logic [Warps-1:0] is_o,
  output logic [Warps-1:0] wait_o,
  output logic [Warps-1:0] pend_o
);
  localparam logic [3:0] Oldest = 4'd8;

  logic [Warps-1:0] copy_q, close_q, ask_q;          // what a warp brought last, at most one
  logic [2:0]       open_q [0:Warps-1];              // with ask_q: groups that may be open
  logic [Warps-1:0] busy_q [0:Slots-1];
  logic [3:0]       group_q [0:Slots-1][0:Warps-1];  // 0: in none yet, 1: the youngest
  logic [WarpW-1:0] op_warp;
  logic             is_ctl, copies, closes;

  assign op_warp = WarpW'(op_acc_i.warp);
  assign is_ctl  = op_acc_i.kind == hd_pkg::OP_COPY_CTL;
  assign copies  = taken_i && copy_q[taken_warp_i];
  assign closes  = taken_i && close_q[taken_warp_i];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      copy_q  <= '0;
      close_q <= '0;
      ask_q   <= '0;
    end else if (op_valid_i) begin
      copy_q[op_warp]  <= op_acc_i.kind == hd_pkg::OP_COPY;
      close_q[op_warp] <= is_ctl && !op_acc_i.fn[3];
      ask_q[op_warp]   <= is_ctl && op_acc_i.fn[3];
    end
    if (op_valid_i) open_q[op_warp] <= op_acc_i.fn[2:0];  // payload needs no reset
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned s = 0; s < Slots; s++) begin
      if (rst_i) busy_q[s] <= '0;
      else begin
        if (done_i && done_slot_i == SlotW'(s)) busy_q[s][done_warp_i] <= 1'b0;
        if (copies && taken_slot_i == SlotW'(s)) busy_q[s][taken_warp_i] <= 1'b1;
      end
      // payload needs no reset
      if (closes && group_q[s][taken_warp_i] != Oldest) begin
        group_q[s][taken_warp_i] <= group_q[s][taken_warp_i] + 1'b1;
      end
      if (copies && taken_slot_i == SlotW'(s)) group_q[s][taken_warp_i] <= '0;
    end
  end

  always_comb begin
    wait_o = '0;
    pend_o = '0;
    for (int unsigned s = 0; s < Slots; s++) begin
      pend_o = pend_o | busy_q[s];
      for (int unsigned w = 0; w < Warps; w++) begin
        if (ask_q[w] && busy_q[s][w] && group_q[s][w] > 4'(open_q[w])) wait_o[w] = 1'b1;
      end
    end
  end
  assign is_o = copy_q;

  logic unused;
  assign unused = ^op_acc_i;

`ifndef SYNTHESIS
  logic in_use;
  assign in_use = |((busy_q[taken_slot_i] >> taken_warp_i) & Warps'(1));
`endif
  `HD_ASSERT(a_free_slot, !copies || !in_use)
endmodule
`default_nettype wire
