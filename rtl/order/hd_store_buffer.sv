// hd_store_buffer.sv - TSO with store buffers: stores wait for earlier stores, loads pass them.
//
// Paper 1 section 3.3: one buffer per warp (8 stores of a line each: 48 KB for 48 warps), or, for
// comparison (section 6.2), one of the same size for all warps. Loads wait for earlier loads, and
// stores for earlier loads, at issue (hd_order_naive), so only the order of stores is kept here: a
// store leaves when the earlier stores of its warp have been performed. An atomic was issued with
// nothing of its warp pending. Nothing is forwarded: a load whose line and warp may have a store in
// the buffer queues behind it and leaves in its turn. What "may" means: counters
// of the buffered stores, indexed by a hash of warp and line; two pairs that share one only cost
// time. Stores to the LDS queue like those to memory, so that synchronization through the LDS is
// ordered (Figure 1b).
//
// la      line accesses of the coalescer, valid/ready; ready depends on what is offered.
// lo      line accesses towards L1 and LDS, valid/ready; may change while it is not taken. Stores
//         carry the tag 2**(TAG_W-1), everything else 0.
//         la_body_i, lo_body_o from the top: line, place, data, cmp.
// perf    an access was performed.
// ev_queued_o  pulse, combinational: an access entered a buffer.
// idle_o  nothing moves while no access comes, lo_ready_i is low and nothing is performed.
// BufferDepth: stores of one warp (all: Warps times as many). FilterSize: counters, a power of 2.
// PlaceW: bits of an access nobody looks at here.
`include "hd_assert.svh"
`default_nettype none
module hd_store_buffer #(
  parameter int unsigned Warps       = 48,
  parameter int unsigned LineW       = 25,
  parameter int unsigned PlaceW      = 32,
  parameter int unsigned DataW       = 1024,
  parameter int unsigned CmpW        = 1024,
  parameter int unsigned BufferDepth = 8,
  parameter int unsigned Unified     = 0,
  parameter int unsigned FilterSize  = 512,
  parameter int unsigned BodyW       = LineW + PlaceW + DataW + CmpW,  // derived
  parameter int unsigned WarpW       = hd_pkg::idx_w(Warps)              // derived
) (
  input  logic                     clk_i,
  input  logic                     rst_i,

  input  logic                     la_valid_i,
  output logic                     la_ready_o,
  input  hd_pkg::access_s          la_acc_i,
  input  logic [BodyW-1:0]         la_body_i,

  output logic                     lo_valid_o,
  input  logic                     lo_ready_i,
  output hd_pkg::access_s          lo_acc_o,
  output logic [BodyW-1:0]         lo_body_o,

  input  logic                     perf_valid_i,
  input  hd_pkg::performed_s       perf_i,

  output logic                     ev_queued_o,
  output logic                     idle_o
);
  localparam int unsigned Depth = (Unified != 0) ? BufferDepth * Warps : BufferDepth;
  localparam int unsigned HashW = $clog2(FilterSize);
  localparam int unsigned CntW  = $clog2(BufferDepth * Warps + 1);
  if (FilterSize < 2 || FilterSize != (1 << HashW)) begin : g_bad_filter
    $error("hd_store_buffer: FilterSize must be a power of two, at least 2");
  end

  logic [CntW-1:0] filter_q [0:FilterSize-1];
  logic [CntW-1:0] la_count;
  logic            turn_q;       // the buffers' turn
  logic            is_st, is_ld, behind, wants_queue, wants_direct, direct_ok, direct;
  logic            push, la_full, la_empty, qu_valid, qu_take, qu_st, inc, dec, direct_st, st_done;
  logic [HashW-1:0] la_hash, qu_hash;
  hd_pkg::oq_e     push_kind, qu_kind;
  hd_pkg::oq_do_s  todo;
  logic [WarpW-1:0] la_warp;
  hd_pkg::access_s qu_acc;
  logic [BodyW-1:CmpW] qu_body;  // without compare values
  logic [Warps-1:0] full, empty, pend;
  logic [2*hd_pkg::ORDER_SEQ_W:0] seq;

  // Low bits of the line number.
  function automatic logic [HashW-1:0] hash(input logic [HashW-1:0] line, input logic space,
                                            input logic [WarpW-1:0] warp);
    hash = line ^ HashW'({warp, space, 2'b00});
  endfunction

  hd_unsafe_queues #(
    .Warps(Warps), .Depth(Depth), .Width(BodyW - CmpW), .Unified(Unified)
  ) u_buffers (
    .clk_i(clk_i), .rst_i(rst_i), .in_acc_i(la_acc_i), .in_data_i(la_body_i[BodyW-1:CmpW]),
    .direct_ok_o(direct_ok), .do_i(todo), .out_valid_o(qu_valid), .out_kind_o(qu_kind),
    .out_acc_o(qu_acc), .out_data_o(qu_body), .done_i(st_done),
    .done_warp_i(WarpW'(perf_i.warp)), .state_o({pend, empty, full}), .seq_o(seq)
  );
  assign todo.push   = push;
  assign todo.kind   = push_kind;
  assign todo.direct = direct_st;
  assign todo.take   = qu_take;

  assign la_warp = WarpW'(la_acc_i.warp);
  always_comb begin
    is_st        = la_acc_i.kind == hd_pkg::OP_STORE;
    is_ld        = la_acc_i.kind == hd_pkg::OP_LOAD;
    push_kind    = is_st ? hd_pkg::OQ_ORDERED : hd_pkg::OQ_FREE;
    st_done      = perf_valid_i && perf_i.tag[hd_pkg::TAG_W-1];
    la_full      = full[la_warp];
    la_empty     = empty[la_warp];
    la_hash      = hash(HashW'(la_body_i[BodyW-1 -: LineW]), la_acc_i.space, la_warp);
    qu_hash      = hash(HashW'(qu_body[BodyW-1 -: LineW]), qu_acc.space, WarpW'(qu_acc.warp));
    la_count     = filter_q[la_hash];
    behind       = is_ld && !la_empty && la_count != '0;
    wants_queue  = la_valid_i && (behind || (is_st && !direct_ok));
    wants_direct = la_valid_i && !wants_queue;
    push         = wants_queue && !la_full;
    // One access a cycle goes out; the two sides take turns when both could.
    qu_take      = qu_valid && lo_ready_i && (turn_q || !wants_direct);
    direct       = wants_direct && lo_ready_i && !qu_take;
    direct_st    = direct && is_st;
    la_ready_o   = push || direct;
    qu_st        = qu_kind == hd_pkg::OQ_ORDERED;
    inc          = push && is_st;
    dec          = qu_take && qu_st;
    lo_valid_o   = qu_valid || wants_direct;
    lo_acc_o     = la_acc_i;
    lo_body_o    = la_body_i;
    lo_acc_o.tag = {is_st, {(hd_pkg::TAG_W - 1) {1'b0}}};
    if (qu_valid && (turn_q || !wants_direct)) begin
      lo_acc_o     = qu_acc;
      lo_body_o[BodyW-1:CmpW] = qu_body;
      lo_acc_o.tag = {qu_st, {(hd_pkg::TAG_W - 1) {1'b0}}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      turn_q <= 1'b0;
      for (int unsigned i = 0; i < FilterSize; i++) filter_q[i] <= '0;
    end else begin
      if (qu_take) turn_q <= 1'b0;
      else if (direct && qu_valid) turn_q <= 1'b1;
      if (inc && !(dec && la_hash == qu_hash)) filter_q[la_hash] <= la_count + CntW'(1);
      if (dec && !(inc && la_hash == qu_hash)) filter_q[qu_hash] <= filter_q[qu_hash] - CntW'(1);
    end
  end

  assign ev_queued_o = push;
  assign idle_o      = !(la_valid_i && la_ready_o) && !(qu_valid && lo_ready_i);

  logic unused;
  assign unused = ^{pend, perf_i, seq};

  `HD_ASSERT(a_atomic_alone, !(la_valid_i && !is_st && !is_ld) || !pend[la_warp])
endmodule
`default_nettype wire
