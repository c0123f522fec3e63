// hd_l2_mem.sv - memory port of an L2 tile: credits, output registers, buffer of answers.
//
// claim  ok_o: a credit is there. claim_i (only with ok_o) spends it; exactly one request comes in
//        by in_valid_i in a later cycle for each claim, and is always taken. A bit a memory: with
//        Two each has Credits of its own, else bit 1 is as bit 0 and not claimed.
// mreq   registered pulse, one cycle after in_valid_i; requests leave in the order they came.
//        mreq_credit_i: that memory has taken one out of its queue of Credits.
// mrsp   a pulse that cannot be refused; memory sends at most Credits more answers than
//        mrsp_credit_o pulses (registered, one per answer that left by out_*). Only reads
//        have answers.
// out    valid/ready, oldest answer; it appears one cycle after mrsp_valid_i.
// idle_o holds no answer, no pulse is out. Free credits play no part in it.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_mem #(
  parameter int unsigned LineW   = 1024,  // bits of a line's data
  parameter int unsigned Credits = 8,     // requests memory can hold, answers held here
  parameter int unsigned Two     = 0      // 1: a second memory with credits of its own
) (
  input  logic                      clk_i,
  input  logic                      rst_i,

  output logic [1:0]                ok_o,
  input  logic [1:0]                claim_i,
  input  logic                      in_valid_i,
  input  logic                      in_write_i,
  input  logic [hd_pkg::ADDR_W-1:0] in_addr_i,
  input  logic [hd_pkg::TID_W-1:0]  in_tid_i,
  input  logic [LineW-1:0]          in_data_i,

  output logic                      mreq_valid_o,
  output logic                      mreq_write_o,
  output logic [hd_pkg::ADDR_W-1:0] mreq_addr_o,
  output logic [hd_pkg::TID_W-1:0]  mreq_tid_o,
  output logic [LineW-1:0]          mreq_data_o,  // of a write
  input  logic [1:0]                mreq_credit_i,

  input  logic                      mrsp_valid_i,
  input  logic [hd_pkg::TID_W-1:0]  mrsp_tid_i,
  input  logic [LineW-1:0]          mrsp_data_i,
  output logic                      mrsp_credit_o,

  output logic                      out_valid_o,
  input  logic                      out_ready_i,
  output logic [hd_pkg::TID_W-1:0]  out_tid_o,
  output logic [LineW-1:0]          out_data_o,

  output logic                      idle_o
);
  localparam int unsigned CntW = $clog2(Credits + 1);
  localparam int unsigned PtrW = hd_pkg::idx_w(Credits);
  if (Credits < 1) begin : g_bad_credits
    $error("hd_l2_mem: Credits must be at least 1");
  end

  logic [CntW-1:0]           answers_q;  // answers held
  logic [PtrW-1:0]           wr_q, rd_q;
  logic                      valid_q, write_q, taken_q;
  logic [hd_pkg::ADDR_W-1:0] addr_q;
  logic [hd_pkg::TID_W-1:0]  tid_q;
  logic [LineW-1:0]          data_q;
  logic                      take;
  logic [Two:0]              some;       // credits of each memory

  function automatic logic [PtrW-1:0] after(input logic [PtrW-1:0] ptr);
    after = (ptr == PtrW'(Credits - 1)) ? '0 : ptr + 1'b1;
  endfunction

  hd_regfile #(
    .Width(LineW + hd_pkg::TID_W),
    .Depth(Credits)
  ) u_answers (
    .clk_i(clk_i),
    .we_i(mrsp_valid_i),
    .waddr_i(wr_q),
    .wmask_i(1'b1),
    .wdata_i({mrsp_tid_i, mrsp_data_i}),
    .raddr_i(rd_q),
    .rdata_o({out_tid_o, out_data_o})
  );

  for (genvar m = 0; m < Two + 1; m++) begin : g_memory
    logic [CntW-1:0] credit_q;  // requests it can still take
    assign some[m] = credit_q != '0;
    always_ff @(posedge clk_i) begin
      if (rst_i) credit_q <= CntW'(Credits);
      else if (claim_i[m] != mreq_credit_i[m]) begin
        credit_q <= mreq_credit_i[m] ? credit_q + 1'b1 : credit_q - 1'b1;
      end
    end
    `HD_ASSERT(a_claim_only_ok, !claim_i[m] || some[m])
    `HD_ASSERT(a_credit_in_range, credit_q <= CntW'(Credits))
  end
  assign ok_o = {some[Two], some[0]};
  logic unused;
  assign unused = ^{claim_i, mreq_credit_i};
  assign out_valid_o = answers_q != '0;
  assign take        = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      answers_q <= '0;
      wr_q      <= '0;
      rd_q      <= '0;
      valid_q   <= 1'b0;
      taken_q   <= 1'b0;
    end else begin
      if (mrsp_valid_i != take) begin
        answers_q <= mrsp_valid_i ? answers_q + 1'b1 : answers_q - 1'b1;
      end
      if (mrsp_valid_i) wr_q <= after(wr_q);
      if (take) rd_q <= after(rd_q);
      valid_q <= in_valid_i;
      taken_q <= take;
    end
    if (in_valid_i) begin
      write_q <= in_write_i;
      addr_q  <= in_addr_i;
      tid_q   <= in_tid_i;
      if (in_write_i) data_q <= in_data_i;
    end
  end

  assign mreq_valid_o  = valid_q;
  assign mreq_write_o  = write_q;
  assign mreq_addr_o   = addr_q;
  assign mreq_tid_o    = tid_q;
  assign mreq_data_o   = data_q;
  assign mrsp_credit_o = taken_q;
  assign idle_o        = !valid_q && !taken_q && answers_q == '0;

  `HD_ASSERT(a_answer_fits, !mrsp_valid_i || answers_q != CntW'(Credits))

endmodule
`default_nettype wire
