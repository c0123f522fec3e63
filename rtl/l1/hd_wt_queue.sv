// hd_wt_queue.sv - what a write-through L1 sends up as requests, in order, with their data.
//
// in    push_i with a request (GETS, WT, ATOMIC). Allowed only while its rooms are: room_o for any,
//       data_room_o for WT and ATOMIC, at_room_o for ATOMIC as well. data_i: WT the words of the
//       line, wmask_i those written; ATOMIC the operand per lane. lanes_i: of GETS and ATOMIC.
// out   valid/ready: head flit and body (hd_flit_pack). Latency 1.
//       WT      body flit k: words FlitWords*k and up of the line; wmask.words
//       ATOMIC  place_flits body flits: fn_i in the low bits, above it the place (word of the line)
//               per lane, 32 bits for each word of a flit; then operands of FlitWords lanes a flit;
//               then, of a compare-and-swap, compare values of FlitWords lanes a flit, 32 bits a
//               value. wmask.flits: those that follow; lanes: the lanes. Of a warp of more than 32
//               lanes it brings one half, 0..31 or 32..63 (lanes_i), counted from 0 in the body
// idle_o nothing held.
// Parameters: ReqDepth requests, WbEntries of them with data, AtEntries of them atomics; PartBits =
// log2(partitions), Lanes, LineWords, WordW, FlitWords words of a flit.
`include "hd_assert.svh"
`default_nettype none
module hd_wt_queue #(
  parameter int unsigned ReqDepth = 8,
  parameter int unsigned WbEntries = 4,
  parameter int unsigned AtEntries = 2,
  parameter int unsigned PartBits = 3,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),                            // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - $clog2(LineWords * 4),             // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes),                              // derived
  parameter int unsigned BodyW = hd_pkg::request_body(hd_pkg::FAMILY_VI, LineWords, Lanes, WordW,
                                                      FlitWords)                     // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [hd_pkg::NODE_W-1:0] sm_id_i,
  // in
  input  logic                      push_i,
  input  hd_pkg::msg_e              kind_i,
  input  logic [LineW-1:0]          line_i,
  input  logic [hd_pkg::TID_W-1:0]  tid_i,
  input  logic [hd_pkg::OPID_W-1:0] opid_i,
  input  logic [LineWords-1:0]      wmask_i,
  input  logic [Lanes-1:0]          lanes_i,
  input  logic [DataW-1:0]          data_i,
  input  logic [3:0]                fn_i,     // hd_pkg::atomic_e
  input  logic [Lanes*OffW-1:0]     offs_i,
  input  logic [Lanes*32-1:0]       cmp_i,
  output logic                      room_o,
  output logic                      data_room_o,
  output logic                      at_room_o,
  // out
  output logic                      valid_o,
  input  logic                      ready_i,
  output logic [HeadW-1:0]          head_o,
  output logic [BodyW-1:0]          body_o,
  output logic                      idle_o
);
  localparam int unsigned ByteW  = $clog2(LineWords * 4);
  localparam int unsigned FlitW  = FlitWords * WordW;
  localparam int unsigned HalfL  = hd_pkg::half_lanes(Lanes);  // lanes of an atomic
  localparam int unsigned KeepW  = ((HalfL > LineWords) ? HalfL : LineWords) * WordW;
  localparam int unsigned Places = hd_pkg::place_flits(Lanes, FlitWords);
  localparam int unsigned PartW  = hd_pkg::least(32, WordW) * FlitWords;  // of places, in a flit
  localparam int unsigned Groups = hd_pkg::ceil_div(HalfL, FlitWords);
  localparam int unsigned AtW    = 4 + HalfL * OffW + HalfL * 32;
  localparam int unsigned PadW   = Groups * FlitW;

  hd_pkg::head_s          head, oldest;
  logic [hd_pkg::lane_w(Lanes)-1:0] lanes;
  logic [Places*PartW-1:0]          places;
  logic                   is_data, is_at, has_data, has_at, pop, data_valid, at_valid, upper;
  logic [KeepW-1:0]       data, in_data;
  logic [HalfL-1:0]       in_lanes;
  logic [HalfL*OffW-1:0]  in_offs;
  logic [HalfL*32-1:0]    in_cmp;
  logic [AtW-1:0]         at;
  logic [3:0]             fn;
  logic [HalfL*OffW-1:0]  offs;
  logic [HalfL*32-1:0]    cmp;
  logic [hd_pkg::MASK_W-1:0] flits;
  logic [$clog2(ReqDepth+1)-1:0]  req_count;
  logic [$clog2(WbEntries+1)-1:0] data_count;
  logic [$clog2(AtEntries+1)-1:0] at_count;

  assign is_data = kind_i == hd_pkg::MSG_WT || kind_i == hd_pkg::MSG_ATOMIC;
  assign is_at   = kind_i == hd_pkg::MSG_ATOMIC;

  assign upper    = is_at && (lanes_i >> HalfL) != '0;
  assign in_lanes = HalfL'(upper ? lanes_i >> HalfL : lanes_i);
  assign in_offs  = (HalfL * OffW)'(upper ? offs_i >> (HalfL * OffW) : offs_i);
  assign in_cmp   = (HalfL * 32)'(upper ? cmp_i >> (HalfL * 32) : cmp_i);
  assign in_data  = KeepW'(upper ? data_i >> (HalfL * WordW) : data_i);

  always_comb begin  // body flits of an atomic
    flits             = '0;
    flits[Places-1:0] = '1;
    for (int unsigned l = 0; l < HalfL; l++) begin
      if (in_lanes[l]) begin
        flits[Places + l / FlitWords]          = 1'b1;
        flits[Places + Groups + l / FlitWords] = fn_i == hd_pkg::AT_CAS;
      end
    end
  end
  always_comb begin
    head       = '0;
    head.kind  = kind_i;
    head.route = hd_pkg::route_up(sm_id_i,
                                  hd_pkg::NODE_W'(line_i & LineW'((1 << PartBits) - 1)));
    head.addr  = {line_i, {ByteW{1'b0}}};
    head.tid   = tid_i;
    head.opid  = opid_i;
    if (is_at) head.wmask.flits = flits;
    else if (is_data) head.wmask.words = hd_pkg::MASK_W'(wmask_i);
    lanes = '0;
    if (kind_i != hd_pkg::MSG_WT) lanes[Lanes-1:0] = lanes_i;
  end

  hd_fifo #(
    .Width(HeadW),
    .Depth(ReqDepth)
  ) u_requests (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(push_i),
    .in_ready_o(room_o),
    .in_data_i({lanes, head}),
    .out_valid_o(valid_o),
    .out_ready_i(ready_i),
    .out_data_o(head_o),
    .count_o(req_count)
  );
  hd_fifo #(
    .Width(KeepW),
    .Depth(WbEntries)
  ) u_data (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(push_i && is_data),
    .in_ready_o(data_room_o),
    .in_data_i(in_data),
    .out_valid_o(data_valid),
    .out_ready_i(pop && has_data),
    .out_data_o(data),
    .count_o(data_count)
  );
  hd_fifo #(
    .Width(AtW),
    .Depth(AtEntries)
  ) u_atomics (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(push_i && is_at),
    .in_ready_o(at_room_o),
    .in_data_i({in_cmp, in_offs, fn_i}),
    .out_valid_o(at_valid),
    .out_ready_i(pop && has_at),
    .out_data_o(at),
    .count_o(at_count)
  );
  assign oldest   = head_o[hd_pkg::HEAD_W-1:0];
  assign has_data = oldest.kind == hd_pkg::MSG_WT || has_at;
  assign has_at   = oldest.kind == hd_pkg::MSG_ATOMIC;
  assign pop      = valid_o && ready_i;
  assign {cmp, offs, fn} = at;
  assign places = (Places * PartW)'({offs, fn});

  always_comb begin
    body_o = '0;
    if (has_at) begin
      for (int unsigned p = 0; p < Places; p++) body_o[FlitW*p +: PartW] = places[PartW*p +: PartW];
      body_o[FlitW*Places +: PadW] = PadW'(data[HalfL*WordW-1:0]);
      for (int unsigned l = 0; l < HalfL; l++) begin
        body_o[FlitW*(Places + Groups + l / FlitWords) + 32*(l % FlitWords) +: 32]
          = cmp[32*l +: 32];
      end
    end else begin
      body_o[LineWords*WordW-1:0] = data[LineWords*WordW-1:0];
    end
  end
  assign idle_o = !valid_o;

  logic unused;
  assign unused = ^{oldest, req_count, data_count, at_count, data_valid, at_valid};

  `HD_ASSERT(a_request_fits, !push_i || room_o)
  `HD_ASSERT(a_data_fits, !(push_i && is_data) || data_room_o)
  `HD_ASSERT(a_atomic_fits, !(push_i && is_at) || at_room_o)
  `HD_ASSERT(a_one_half, !(push_i && is_at) || !upper || HalfL'(lanes_i) == '0)
  `HD_ASSERT(a_data_there, !valid_o || ((!has_data || data_valid) && (!has_at || at_valid)))
endmodule
`default_nettype wire
