// hd_l1_dn_out.sv - what an L1 of family DENOVO sends: requests, and answers to forwards.
//
// req   push_req_i (only with req_room_o): READ or REG to the home of line_i.
// rsp   push_rsp_i (only with rsp_room_o) in cycle T: an answer, to the SM req_i or, with home_i,
//       to the home of line_i; its words are on data_i in T + 1, with from_wb_i those of entry
//       wb_idx_i of the writeback buffer instead (wb_rd_idx_o, wb_data_i in T + 1).
// Both: kind_i, line_i, words_i, sync_i, cls_i, tid_i, opid_i; not in the same cycle.
// Exits valid/ready, each in order. idle_o nothing held.
// Parameters: ReqDepth, RspDepth packets; PartBits; LineWords, WordW; WbW bits of wb_idx_i.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_dn_out #(
  parameter int unsigned ReqDepth = 8,
  parameter int unsigned RspDepth = 4,
  parameter int unsigned PartBits = 4,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned WbW = 2,
  parameter int unsigned ByteW = $clog2(LineWords * 4),   // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - ByteW,  // derived
  parameter int unsigned DataW = LineWords * WordW        // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [hd_pkg::NODE_W-1:0]  sm_id_i,
  input  logic                       push_req_i,
  input  logic                       push_rsp_i,
  input  hd_pkg::msg_e               kind_i,
  input  logic [LineW-1:0]           line_i,
  input  logic [LineWords-1:0]       words_i,
  input  logic                       sync_i,
  input  logic [hd_pkg::COH_CLS_W-1:0] cls_i,
  input  logic [hd_pkg::TID_W-1:0]   tid_i,
  input  logic [hd_pkg::OPID_W-1:0]  opid_i,
  input  logic                       home_i,
  input  logic [hd_pkg::NODE_W-1:0]  req_i,
  input  logic                       from_wb_i,
  input  logic [WbW-1:0]             wb_idx_i,
  output logic [WbW-1:0]             wb_rd_idx_o,
  input  logic [DataW-1:0]           wb_data_i,
  input  logic [DataW-1:0]           data_i,
  output logic                       req_room_o,
  output logic                       rsp_room_o,
  output logic                       req_valid_o,
  input  logic                       req_ready_i,
  output logic [hd_pkg::HEAD_W-1:0]  req_head_o,
  output logic                       rsp_valid_o,
  input  logic                       rsp_ready_i,
  output logic [hd_pkg::HEAD_W-1:0]  rsp_head_o,
  output logic [DataW-1:0]           rsp_data_o,
  output logic                       idle_o
);
  hd_pkg::head_s                  head;
  logic [hd_pkg::HEAD_W-1:0]      head_q;
  logic [hd_pkg::NODE_W-1:0]      home;
  logic                           rsp_q, wb_q, rsp_fits;
  logic [$clog2(ReqDepth+1)-1:0]  req_count;
  logic [$clog2(RspDepth+1)-1:0]  rsp_count;

  assign home = hd_pkg::NODE_W'(line_i & LineW'((1 << PartBits) - 1));
  always_comb begin
    head       = '0;
    head.kind  = kind_i;
    head.addr  = {line_i, {ByteW{1'b0}}};
    head.tid   = tid_i;
    head.opid  = opid_i;
    head.route = hd_pkg::route_up(sm_id_i, home);
    if (push_rsp_i && !home_i) begin
      head.route = {hd_pkg::END_SM, req_i, hd_pkg::END_SM, sm_id_i};
    end
    head.wmask.words[LineWords-1:0] = words_i;
    head.wmask.words[hd_pkg::COH_SYNC] = sync_i;
    head.wmask.words[hd_pkg::COH_CLS +: hd_pkg::COH_CLS_W] = cls_i;
  end

  hd_fifo #(
    .Width(hd_pkg::HEAD_W),
    .Depth(ReqDepth)
  ) u_requests (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(push_req_i),
    .in_ready_o(req_room_o),
    .in_data_i(head),
    .out_valid_o(req_valid_o),
    .out_ready_i(req_ready_i),
    .out_data_o(req_head_o),
    .count_o(req_count)
  );
  hd_fifo #(
    .Width(hd_pkg::HEAD_W + DataW),
    .Depth(RspDepth)
  ) u_answers (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(rsp_q),
    .in_ready_o(rsp_fits),
    .in_data_i({head_q, wb_q ? wb_data_i : data_i}),
    .out_valid_o(rsp_valid_o),
    .out_ready_i(rsp_ready_i),
    .out_data_o({rsp_head_o, rsp_data_o}),
    .count_o(rsp_count)
  );
  always_ff @(posedge clk_i) begin
    if (rst_i) rsp_q <= 1'b0;
    else rsp_q <= push_rsp_i;
    if (push_rsp_i) begin
      head_q      <= head;
      wb_q        <= from_wb_i;
      wb_rd_idx_o <= wb_idx_i;
    end
  end
  assign rsp_room_o = 32'(rsp_count) + 32'(rsp_q) < RspDepth;
  assign idle_o     = !req_valid_o && !rsp_valid_o && !rsp_q;

  logic unused;
  assign unused = ^req_count;

  `HD_ASSERT(a_request_fits, !push_req_i || req_room_o)
  `HD_ASSERT(a_answer_fits, !rsp_q || rsp_fits)
  `HD_ASSERT(a_one, !(push_req_i && push_rsp_i))
endmodule
`default_nettype wire
