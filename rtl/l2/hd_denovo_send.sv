// hd_denovo_send.sv - what an L2 bank of family DENOVO sends: messages of decisions, WB_ACKs owed.
//
// docs/protocol_denovo.md. Decisions, as hd_l2_emit has them: plan_i.emit or recall, only with
// held_o.free: head_i (of hd_denovo_control), owned_i, and line_i in the next cycle.
// ack    plan_i.ack: the writeback wb_head_i is to be acknowledged. These leave in order; there is
//        room for Owed, as many as L1s can have writebacks out. One waits until what was decided
//        before it has left and goes before the forwards of what is decided later.
// rs, fw held_o is valid, ready_i: answers with words; forwards and acknowledgements.
// Parameters: LineWords, WordW, Bonus as in hd_l2_emit; PartBits, Owed.
`include "hd_assert.svh"
`default_nettype none
module hd_denovo_send #(
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned PartBits = 4,
  parameter int unsigned Owed = 60,
  parameter int unsigned Bonus = 1,
  parameter int unsigned LineW = LineWords * WordW  // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [hd_pkg::NODE_W-1:0]  part_id_i,
  input  hd_pkg::dn_plan_s           plan_i,
  input  logic [hd_pkg::HEAD_W-1:0]  head_i,
  input  logic [LineWords-1:0]       owned_i,
  input  logic [LineW-1:0]           line_i,
  input  logic [hd_pkg::HEAD_W-1:0]  wb_head_i,
  input  hd_pkg::dn_ready_s          ready_i,
  output hd_pkg::dn_held_s           held_o,
  output logic [hd_pkg::HEAD_W-1:0]  rs_head_o,
  output logic [LineW-1:0]           rs_data_o,
  output logic [hd_pkg::HEAD_W-1:0]  fw_head_o
);
  localparam int unsigned OffW = $clog2(LineWords * 4);             // byte in line
  localparam int unsigned NumW = hd_pkg::ADDR_W - OffW - PartBits;  // line number in the bank
  localparam int unsigned AckW = NumW + hd_pkg::NODE_W + hd_pkg::TID_W;

  hd_pkg::head_s             wb, ack;
  logic                      emit_free, emit_rs, emit_fw, ack_q, owed_valid, owed_room, ack_take;
  logic [hd_pkg::HEAD_W-1:0] emit_head;
  logic [NumW-1:0]           ack_num;
  logic [hd_pkg::NODE_W-1:0] ack_to;
  logic [hd_pkg::TID_W-1:0]  ack_tid;
  logic [AckW-1:0]           owed, ack_who_q;
  logic [$clog2(Owed+1)-1:0] owed_count;

  assign wb = wb_head_i;
  hd_l2_emit #(
    .LineWords(LineWords),
    .WordW(WordW),
    .Bonus(Bonus)
  ) u_emit (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .part_id_i(part_id_i),
    .free_o(emit_free),
    .load_i(plan_i.emit || plan_i.recall),
    .ask_i({owned_i, head_i}),
    .line_i(line_i),
    .rs_valid_o(emit_rs),
    .rs_ready_i(ready_i.rs),
    .rs_head_o(rs_head_o),
    .rs_data_o(rs_data_o),
    .fw_valid_o(emit_fw),
    .fw_ready_i(ready_i.fw && !ack_q),
    .fw_head_o(emit_head)
  );
  hd_fifo #(
    .Width(AckW),
    .Depth(Owed)
  ) u_owed (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(plan_i.ack),
    .in_ready_o(owed_room),
    .in_data_i({wb.addr[hd_pkg::ADDR_W-1 -: NumW], wb.route.src, wb.tid}),
    .out_valid_o(owed_valid),
    .out_ready_i(ack_take),
    .out_data_o(owed),
    .count_o(owed_count)
  );
  assign ack_take = owed_valid && emit_free && !ack_q;
  assign {ack_num, ack_to, ack_tid} = ack_who_q;
  always_comb begin
    ack       = '0;
    ack.kind  = hd_pkg::MSG_WB_ACK;
    ack.addr  = {ack_num, {(OffW + PartBits) {1'b0}}} | (hd_pkg::ADDR_W'(part_id_i) << OffW);
    ack.tid   = ack_tid;
    ack.route = hd_pkg::route_down(part_id_i, ack_to);
    ack.wmask.words[hd_pkg::COH_CLS +: hd_pkg::COH_CLS_W] = hd_pkg::COH_WRITE;
  end
  assign fw_head_o = ack_q ? ack : emit_head;
  assign held_o.free    = emit_free;
  assign held_o.rs      = emit_rs;
  assign held_o.fw      = emit_fw || ack_q;
  assign held_o.forward = emit_fw && !ack_q;
  assign held_o.idle    = emit_free && !ack_q && !owed_valid;

  always_ff @(posedge clk_i) begin
    if (rst_i) ack_q <= 1'b0;
    else if (ack_take) ack_q <= 1'b1;
    else if (ready_i.fw) ack_q <= 1'b0;
    if (ack_take) ack_who_q <= owed;
  end

  logic unused;
  assign unused = ^{wb, owed_count, plan_i};

  `HD_ASSERT(a_acks_have_room, !plan_i.ack || owed_room)
  `HD_ASSERT(a_writeback, !plan_i.ack || wb.kind == hd_pkg::MSG_WB)
endmodule
`default_nettype wire
