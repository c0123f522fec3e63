// hd_sc_prefetch.sv - SC with prefetch: accesses wait for their order, their lines are fetched.
//
// Paper 1 section 3.5: a queue per warp (4 accesses by default) holds line accesses
// that wait until the earlier ones of their warp have been performed; each asks for its line once,
// to read or to write, when it enters. Prefetches wait in a queue of their own, go out when nothing
// else does and are dropped when that queue is full or where the L1 has no room. Operations on the
// LDS queue like those on memory (Figure 1b). Accesses of one instruction go together.
//
// Ports and timing as hd_store_buffer; a prefetch has the field of this name set. The field last:
// an access is the last one of its operation. order_o {hold, busy}, bit w of each for warp w:
// busy: accesses of the warp wait; hold: so, or an operation is on its way: a warp that issues
// nothing then cannot stop the others with a full queue, unless one operation has more lines than
// the queue has room. Of registers. Accesses go out with the tag 2**(TAG_W-1).
// QueueDepth: waiting accesses of a warp. Stores, Cas: of them with data, with compare data.
// PrefetchDepth: prefetches that wait.
`include "hd_assert.svh"
`default_nettype none
module hd_sc_prefetch #(
  parameter int unsigned Warps         = 48,
  parameter int unsigned LineW         = 25,
  parameter int unsigned PlaceW        = 32,
  parameter int unsigned DataW         = 1024,
  parameter int unsigned CmpW          = 1024,
  parameter int unsigned QueueDepth    = 4,
  parameter int unsigned Stores        = 64,
  parameter int unsigned Cas           = 8,
  parameter int unsigned PrefetchDepth = 16,
  parameter int unsigned BodyW         = LineW + PlaceW + DataW + CmpW,  // derived
  parameter int unsigned WarpW         = hd_pkg::idx_w(Warps)              // derived
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

  input  hd_pkg::order_now_s       now_i,
  output logic [2*Warps-1:0]       order_o,
  output logic                     ev_queued_o,
  output logic                     idle_o
);
  localparam int unsigned WhereW = LineW + PlaceW;  // of a body, from the top
  localparam int unsigned StW = hd_pkg::idx_w(Stores);
  localparam int unsigned CsW = hd_pkg::idx_w(Cas);
  localparam int unsigned PfW = 1 + LineW;

  logic             has_data, push, direct, direct_ok, front;
  logic             qu_valid, qu_take, qu_has_data, pf_valid, pf_take, pf_in, pf_room, pf_write;
  logic [StW-1:0]   st_idx, qu_st;
  logic [CsW-1:0]   cas_idx, qu_cas_idx;
  hd_pkg::oq_do_s   todo;
  logic [WarpW-1:0] la_warp;
  hd_pkg::access_s  qu_acc;
  logic             la_cas, qu_cas, prefetch;
  logic [LineW-1:0] la_line, pf_line;
  logic [WhereW-1:0] la_where, qu_where;
  logic [DataW-1:0] la_data, st_data;
  logic [CmpW-1:0]  la_cmp, st_cmp;
  hd_pkg::oq_e      qu_kind;
  hd_pkg::keep_s    room, take, give;
  logic             done;
  logic [$clog2(PrefetchDepth+1)-1:0] pf_count;
  logic [Warps-1:0] full, empty, pend;
  logic [2*hd_pkg::ORDER_SEQ_W:0] seq;

  hd_unsafe_queues #(
    .Warps(Warps), .Depth(QueueDepth), .Width(WhereW + StW + CsW)
  ) u_queues (
    .clk_i(clk_i), .rst_i(rst_i), .in_acc_i(la_acc_i), .in_data_i({la_where, st_idx, cas_idx}),
    .direct_ok_o(direct_ok), .do_i(todo), .out_valid_o(qu_valid), .out_kind_o(qu_kind),
    .out_acc_o(qu_acc), .out_data_o({qu_where, qu_st, qu_cas_idx}), .done_i(done),
    .done_warp_i(WarpW'(now_i.perf.warp)), .state_o({pend, empty, full}), .seq_o(seq)
  );
  assign todo.push   = push;
  assign todo.kind   = hd_pkg::OQ_ORDERED;
  assign todo.direct = direct;
  assign todo.take   = qu_take;
  hd_store_data_array #(.Stores(Stores), .Cas(Cas), .DataW(DataW), .CmpW(CmpW)) u_data (
    .clk_i(clk_i), .rst_i(rst_i), .room_o(room), .take_i(take), .data_i(la_data),
    .cmp_i(la_cmp), .idx_o(st_idx), .cas_idx_o(cas_idx), .rd_idx_i(qu_st),
    .rd_cas_idx_i(qu_cas_idx), .data_o(st_data), .cmp_o(st_cmp),
    .free_i(give)
  );
  hd_fifo #(.Width(PfW), .Depth(PrefetchDepth)) u_prefetches (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(pf_in), .in_ready_o(pf_room),
    .in_data_i({hd_pkg::op_writes(la_acc_i.kind), la_line}), .out_valid_o(pf_valid),
    .out_ready_i(pf_take),
    .out_data_o({pf_write, pf_line}), .count_o(pf_count)
  );

  logic [Warps-1:0] on_way;
  hd_type_front #(.Warps(Warps), .CountW(hd_pkg::SLOT_W + 1)) u_front (
    .clk_i(clk_i), .rst_i(rst_i), .in_i(now_i.issue),
    .in_warp_i(WarpW'(now_i.issue_warp)),
    .out_i(la_valid_i && la_ready_o && la_acc_i.last), .out_warp_i(la_warp), .front_o(on_way)
  );
  // Apart from the block below: issue, in now_i, follows order_o.
  assign order_o = {on_way | ~empty, ~empty};
  assign done    = now_i.performed && now_i.perf.tag[hd_pkg::TAG_W-1];
  assign la_warp = WarpW'(la_acc_i.warp);
  assign {la_where, la_data, la_cmp} = la_body_i;
  assign la_line = la_where[WhereW-1 -: LineW];
  always_comb begin
    has_data    = la_acc_i.kind != hd_pkg::OP_LOAD;
    qu_has_data = qu_acc.kind != hd_pkg::OP_LOAD;
    la_cas      = hd_pkg::op_cas(la_acc_i.kind, la_acc_i.fn);
    qu_cas      = hd_pkg::op_cas(qu_acc.kind, qu_acc.fn);
    // The queues first: what has waited longest.
    qu_take     = qu_valid && lo_ready_i;
    front       = la_valid_i && direct_ok;
    direct      = front && lo_ready_i && !qu_valid;
    push        = la_valid_i && !direct_ok && !full[la_warp] && (!has_data || room.data)
                  && (!la_cas || room.cas);
    take.data   = push && has_data;
    take.cas    = push && la_cas;
    give.data   = qu_take && qu_has_data;
    give.cas    = qu_take && qu_cas;
    la_ready_o  = push || direct;
    pf_in       = push && la_acc_i.space == hd_pkg::SPACE_GLOBAL && pf_room;
    lo_valid_o  = qu_valid || front || pf_valid;
    prefetch    = !qu_valid && !front;
    pf_take     = pf_valid && prefetch && lo_ready_i;
    lo_acc_o    = qu_valid ? qu_acc : la_acc_i;
    lo_body_o   = qu_valid ? {qu_where, st_data, st_cmp} : la_body_i;
    if (prefetch) begin
      lo_acc_o.kind  = pf_write ? hd_pkg::OP_STORE : hd_pkg::OP_LOAD;
      lo_acc_o.space = hd_pkg::SPACE_GLOBAL;
      lo_body_o[BodyW-1 -: LineW] = pf_line;
    end
    lo_acc_o.prefetch = prefetch;
    lo_acc_o.tag      = {!prefetch, {(hd_pkg::TAG_W - 1) {1'b0}}};
  end

  assign ev_queued_o = push;
  assign idle_o      = !(la_valid_i && la_ready_o) && !((qu_valid || pf_valid) && lo_ready_i);

  logic unused;
  assign unused = ^{qu_kind, pend, now_i, seq, pf_count};
endmodule
`default_nettype wire
