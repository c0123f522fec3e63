// hd_l1_queues.sv - what an L1 sends up: queue of requests and writeback buffer.
//
// req   push_req_i with kind and entry of the pending table, only while req_room_o. The head flit
//       is made at the exit from the entry's warp operation (rq_* port, combinational);
//       valid/ready. ReqDepth 0: a place for each entry, so there is always room as an entry has
//       one request at a time, and the line is read at the exit too. Else ReqDepth places that
//       keep line and lanes.
// rsp   push_rsp_i in cycle T with the head, only while rsp_room_o (it counts a packet on its way);
//       the line is on line_i in cycle T + 1. The exit is valid/ready, a packet a beat, strictly in
//       order (no answer may overtake a give-back).
// Parameters: MshrEntries, ReqDepth, WbEntries (packets), PartBits = log2(partitions), LineWords,
// WordW, Lanes of a warp.
// Latency 1 (req), 2 (rsp).
`include "hd_assert.svh"
`default_nettype none
module hd_l1_queues #(
  parameter int unsigned MshrEntries = 128,
  parameter int unsigned ReqDepth = 0,
  parameter int unsigned WbEntries = 4,
  parameter int unsigned PartBits = 3,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LaneW = hd_pkg::lane_w(Lanes),       // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes),       // derived
  parameter int unsigned ByteW = $clog2(LineWords * 4),       // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - ByteW,      // derived
  parameter int unsigned IdxW = hd_pkg::idx_w(MshrEntries)    // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [hd_pkg::NODE_W-1:0]  sm_id_i,
  // from the decision stage
  input  logic                       push_req_i,
  input  hd_pkg::msg_e               req_kind_i,
  input  logic [IdxW-1:0]            req_idx_i,
  input  logic [LineW-1:0]           req_line_i,
  input  logic [LaneW-1:0]           req_lanes_i,
  output logic                       req_room_o,
  input  logic                       push_rsp_i,
  input  hd_pkg::msg_e               rsp_kind_i,
  input  logic                       rsp_data_i,  // it carries the line
  input  logic [LineW-1:0]           rsp_line_i,
  input  logic [hd_pkg::TID_W-1:0]   rsp_tid_i,
  output logic                       rsp_room_o,
  input  logic [LineWords*WordW-1:0] line_i,      // data array output, cycle after push_rsp_i
  // MSHR entry of the request at the exit
  output logic [IdxW-1:0]            rq_idx_o,
  input  logic [LineW-1:0]           rq_line_i,
  input  logic [hd_pkg::OPID_W-1:0]  rq_opid_i,
  // up networks
  output logic                       req_valid_o,
  input  logic                       req_ready_i,
  output logic [HeadW-1:0]           req_head_o,
  output logic                       rsp_valid_o,
  input  logic                       rsp_ready_i,
  output logic [HeadW-1:0]           rsp_head_o,
  output logic [LineWords*WordW-1:0] rsp_data_o,
  output logic                       idle_o
);
  localparam int unsigned Places = (ReqDepth == 0) ? MshrEntries : ReqDepth;
  localparam int unsigned KeyW  = $bits(req_kind_i) + IdxW;  // message kind, entry
  localparam int unsigned RqW   = (ReqDepth == 0) ? KeyW : KeyW + LineW + LaneW;
  localparam int unsigned RsW   = hd_pkg::HEAD_W + LineWords * WordW;
  localparam int unsigned RqCnt = $clog2(Places + 1);
  localparam int unsigned WbCnt = $clog2(WbEntries + 1);

  hd_pkg::head_s             req, rsp;
  logic [RqW-1:0]            rq_in, rq_out;
  logic [LineW-1:0]          rq_line;
  logic [LaneW-1:0]          rq_lanes;
  logic                      rq_ready, wb_ready, rsp_q;
  logic [RqCnt-1:0]          rq_count;
  logic [WbCnt-1:0]          wb_count;
  logic [hd_pkg::HEAD_W-1:0] rsp_head_q, rsp_head;
  hd_pkg::kind_s             rq_kind;

  function automatic logic [hd_pkg::NODE_W-1:0] home(input logic [LineW-1:0] line);
    home = hd_pkg::NODE_W'(line & LineW'((1 << PartBits) - 1));
  endfunction

  // Entry in the low bits, then kind.
  assign rq_in = RqW'({req_lanes_i, req_line_i, req_kind_i, req_idx_i});
  hd_fifo #(
    .Width(RqW),
    .Depth(Places)
  ) u_requests (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(push_req_i),
    .in_ready_o(rq_ready),
    .in_data_i(rq_in),
    .out_valid_o(req_valid_o),
    .out_ready_i(req_ready_i),
    .out_data_o(rq_out),
    .count_o(rq_count)
  );
  assign rq_idx_o   = rq_out[IdxW-1:0];
  if (ReqDepth == 0) begin : g_line_of_entry
    assign req_room_o = 1'b1;
    assign rq_line  = rq_line_i;
    assign rq_lanes = '0;
  end else begin : g_line_kept
    assign req_room_o = rq_ready;
    assign {rq_lanes, rq_line} = rq_out[RqW-1:KeyW];
  end
  always_comb begin
    req       = '0;
    rq_kind   = rq_out[KeyW-1:IdxW];
    req.kind  = rq_kind.kind;
    req.route = hd_pkg::route_up(sm_id_i, home(rq_line));
    req.addr  = {rq_line, {ByteW{1'b0}}};
    req.tid   = hd_pkg::TID_W'(rq_idx_o);
    req.opid  = rq_opid_i;
  end
  assign req_head_o = {rq_lanes, req};

  always_comb begin
    rsp       = '0;
    rsp.kind  = rsp_kind_i;
    rsp.route = hd_pkg::route_up(sm_id_i, home(rsp_line_i));
    rsp.addr  = {rsp_line_i, {ByteW{1'b0}}};
    rsp.wmask.words = rsp_data_i ? hd_pkg::MASK_W'({LineWords{1'b1}}) : '0;
    rsp.tid   = rsp_tid_i;
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) rsp_q <= 1'b0;
    else rsp_q <= push_rsp_i;
    if (push_rsp_i) rsp_head_q <= rsp;
  end
  hd_fifo #(
    .Width(RsW),
    .Depth(WbEntries)
  ) u_writebacks (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(rsp_q),
    .in_ready_o(wb_ready),
    .in_data_i({rsp_head_q, line_i}),
    .out_valid_o(rsp_valid_o),
    .out_ready_i(rsp_ready_i),
    .out_data_o({rsp_head, rsp_data_o}),
    .count_o(wb_count)
  );
  assign rsp_head_o = HeadW'(rsp_head);
  assign rsp_room_o = 32'(wb_count) + 32'(rsp_q) < WbEntries;
  assign idle_o     = !req_valid_o && !rsp_valid_o && !rsp_q;

  logic unused;
  assign unused = ^{rq_count, wb_ready, rq_line_i, req_line_i, req_lanes_i};

  `HD_ASSERT(a_request_fits, !push_req_i || rq_ready)
  `HD_ASSERT(a_answer_fits, !rsp_q || wb_ready)
endmodule
`default_nettype wire
