// hd_order_stage.sv - ordering hardware between coalescer and L1, of the kind that is asked for.
//
// Order: hd_pkg::ORDER_NONE: accesses pass, ordered at issue only (RMO, naive TSO and SC);
// ORDER_SB: hd_store_buffer; ORDER_PREFETCH: hd_sc_prefetch; ORDER_TYPE: hd_type_aware. Paper 1
// sections 3.2 to 3.5 and 4. Ports are theirs; what one does not have is 0. With ORDER_NONE nothing
// is delayed and every field of an access passes; with the others accesses leave through a queue of
// two, a cycle later, with the fields that hd_pkg says, and their tag comes back in perf_i.
// la_body_i, lo_body_o from the top: line, place, data, cmp. perf_valid_i: an access was performed.
// ty: bit and head 0 are requests of hd_type_aware, 1 its acknowledgements.
// Policy type_prefetch (TYPE): the line of an access that waits for its type is fetched meanwhile,
// as under ORDER_PREFETCH, so that it does not pay for classifier and memory one after the other.
// ev_o: pulses, bit numbers hd_pkg::EV_SM_ORD_* less ORDER_EV_FIRST, registers.
// Parameters: hd_keys.svh. OrderStores: places for data of accesses that wait here. CasData: places
// for their compare values, and as many for those that wait in the pending table: one key sizes
// both. LineW, PlaceW, DataW, CmpW: bits of the vectors beside an access. (LDS operations that the
// hardware does not see have a word number a lane in their place.)
`include "hd_assert.svh"
`default_nettype none
module hd_order_stage #(
  `include "hd_params.svh"
  parameter int unsigned LineW  = hd_pkg::ADDR_W - $clog2(LineWords * 4), // derived
  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords) + ((Order != hd_pkg::ORDER_NONE)
                                  ? 0 : Lanes * hd_pkg::idx_w(LdsRows * LineWords)),
  parameter int unsigned DataW  = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,
  parameter int unsigned CmpW   = Lanes * 32,                           // derived
  parameter int unsigned BodyW  = LineW + PlaceW + DataW + CmpW,        // derived
  parameter int unsigned WarpW  = hd_pkg::idx_w(Warps)                  // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [hd_pkg::NODE_W-1:0] sm_id_i,
  input  hd_pkg::policy_s           policy_i,
  input  logic                      clear_i,

  input  logic                      la_valid_i,
  output logic                      la_ready_o,
  input  hd_pkg::access_s           la_acc_i,
  input  logic [BodyW-1:0]          la_body_i,

  output logic                      lo_valid_o,
  input  logic                      lo_ready_i,
  output hd_pkg::access_s           lo_acc_o,
  output logic [BodyW-1:0]          lo_body_o,

  input  logic                      perf_valid_i,
  input  hd_pkg::performed_s        perf_i,
  input  logic                      issue_i,
  input  logic [WarpW-1:0]          issue_warp_i,

  input  logic                      dn_valid_i,
  input  logic [hd_pkg::HEAD_W-1:0] dn_head_i,
  output logic [1:0]                ty_valid_o,
  input  logic [1:0]                ty_ready_i,
  output logic [2*hd_pkg::HEAD_W-1:0] ty_head_o,

  output logic [Warps-1:0]          busy_o,
  output logic [Warps-1:0]          unsafe_o,
  output logic [Warps-1:0]          hold_o,
  output logic [hd_pkg::ORDER_EV_NUM-1:0] ev_o,
  output logic                      drained_o,
  output logic                      idle_o
);
  // Offered to the hardware, leaving it, leaving hd_type_aware. What no queue keeps is 0 for an
  // access that does not wait, too.
  hd_pkg::access_s    q_acc, o_acc, t_acc;
  hd_pkg::order_now_s now;
  always_comb begin
    q_acc      = hd_pkg::ACCESS_W'(hd_pkg::queued(la_acc_i));
    q_acc.last = la_acc_i.last;
    q_acc.warp = la_acc_i.warp;
    q_acc.slot = la_acc_i.slot;
  end
  assign now.issue      = issue_i;
  assign now.issue_warp = hd_pkg::WARP_W'(issue_warp_i);
  assign now.performed  = perf_valid_i;
  assign now.perf       = perf_i;
  logic unused_now;
  assign unused_now = ^now;

  if (Order == hd_pkg::ORDER_NONE) begin : g_none
    assign o_acc         = '0;
    assign t_acc         = '0;
    assign lo_valid_o    = la_valid_i;
    assign la_ready_o    = lo_ready_i;
    assign lo_acc_o      = la_acc_i;
    assign lo_body_o     = la_body_i;
    assign ty_valid_o    = '0;
    assign ty_head_o     = '0;
    assign busy_o        = '0;
    assign unsafe_o      = '0;
    assign hold_o        = '0;
    assign ev_o          = '0;
    assign drained_o     = 1'b1;
    assign idle_o        = 1'b1;
    logic unused;
    assign unused = ^{clk_i, rst_i, sm_id_i, policy_i, clear_i, perf_valid_i, perf_i, issue_i,
        issue_warp_i, dn_valid_i, dn_head_i, ty_ready_i, q_acc, o_acc, t_acc};
  end else begin : g_order
    logic                         o_valid, o_ready, o_idle;
    logic [BodyW-1:0]             o_body;
    logic [hd_pkg::ORDERED_W-1:0] lo_bits;
    logic [hd_pkg::ORDER_EV_NUM-1:0] ev;
    logic [1:0]                   o_count;

    if (Order == hd_pkg::ORDER_SB) begin : g_sb
      hd_store_buffer #(
        .Warps(Warps), .LineW(LineW), .PlaceW(PlaceW), .DataW(DataW), .CmpW(CmpW),
        .BufferDepth(BufferDepth), .Unified(Unified)
      ) u_buffer (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .la_valid_i(la_valid_i),
        .la_ready_o(la_ready_o),
        .la_acc_i(q_acc),
        .la_body_i(la_body_i),
        .lo_valid_o(o_valid),
        .lo_ready_i(o_ready),
        .lo_acc_o(o_acc),
        .lo_body_o(o_body),
        .perf_valid_i(perf_valid_i),
        .perf_i(perf_i),
        .ev_queued_o(ev[hd_pkg::EV_SM_ORD_QUEUED - hd_pkg::ORDER_EV_FIRST]),
        .idle_o(o_idle)
      );
    end else if (Order == hd_pkg::ORDER_PREFETCH) begin : g_prefetch
      hd_sc_prefetch #(
        .Warps(Warps), .LineW(LineW), .PlaceW(PlaceW), .DataW(DataW), .CmpW(CmpW),
        .QueueDepth(WaitDepth), .Stores(OrderStores), .Cas(CasData)
      ) u_prefetch (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .la_valid_i(la_valid_i),
        .la_ready_o(la_ready_o),
        .la_acc_i(q_acc),
        .la_body_i(la_body_i),
        .lo_valid_o(o_valid),
        .lo_ready_i(o_ready),
        .lo_acc_o(o_acc),
        .lo_body_o(o_body),
        .now_i(now),
        .order_o({hold_o, busy_o}),
        .ev_queued_o(ev[hd_pkg::EV_SM_ORD_QUEUED - hd_pkg::ORDER_EV_FIRST]),
        .idle_o(o_idle)
      );
    end
    if (Order == hd_pkg::ORDER_TYPE) begin : g_type
      localparam int unsigned AheadDepth = 16;
      logic             t_valid, t_idle, t_drained, unknown, pf_in, pf_room, pf_valid;
      logic             pf_take, pf_write, writes;
      logic [BodyW-1:0] t_body;
      logic [LineW-1:0] pf_line;
      logic [$clog2(AheadDepth+1)-1:0] pf_count;
      hd_type_aware #(
        .Warps(Warps), .LineW(LineW), .PlaceW(PlaceW), .DataW(DataW), .CmpW(CmpW),
        .TypeEntries(TypeEntries), .TypeWays(TypeWays), .TypeReqs(TypeReqs),
        .WaitDepth(WaitDepth), .UnsafeDepth(UnsafeDepth), .SafeDepth(SafeDepth),
        .SyncEntries(SyncEntries), .Stores(OrderStores), .Cas(CasData), .AckEntries(AckEntries),
        .PartBits(PartBits), .SectorBytes(SectorBytes)
      ) u_type (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .sm_id_i(sm_id_i),
        .merge_i(policy_i.marker_merge),
        .clear_i(clear_i),
        .la_valid_i(la_valid_i),
        .la_ready_o(la_ready_o),
        .la_acc_i(q_acc),
        .la_body_i(la_body_i),
        .lo_valid_o(t_valid),
        .lo_ready_i(o_ready),
        .lo_acc_o(t_acc),
        .lo_body_o(t_body),
        .perf_valid_i(perf_valid_i),
        .perf_i(perf_i),
        .issue_i(issue_i),
        .issue_warp_i(issue_warp_i),
        .dn_valid_i(dn_valid_i),
        .dn_head_i(dn_head_i),
        .req_valid_o(ty_valid_o[0]),
        .req_ready_i(ty_ready_i[0]),
        .req_head_o(ty_head_o[0 +: hd_pkg::HEAD_W]),
        .ack_valid_o(ty_valid_o[1]),
        .ack_ready_i(ty_ready_i[1]),
        .ack_head_o(ty_head_o[hd_pkg::HEAD_W +: hd_pkg::HEAD_W]),
        .busy_o(busy_o),
        .unsafe_o(unsafe_o),
        .hold_o(hold_o),
        .unknown_o(unknown),
        .ev_o(ev),
        .drained_o(t_drained),
        .idle_o(t_idle)
      );
      // What waits for a type, once; when nothing else goes out. Lost when the queue is full.
      hd_fifo #(.Width(1 + LineW), .Depth(AheadDepth)) u_ahead (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .in_valid_i(pf_in),
        .in_ready_o(pf_room),
        .in_data_i({writes, la_body_i[BodyW-1 -: LineW]}),
        .out_valid_o(pf_valid),
        .out_ready_i(pf_take),
        .out_data_o({pf_write, pf_line}),
        .count_o(pf_count)
      );
      always_comb begin
        writes         = hd_pkg::op_writes(la_acc_i.kind);
        pf_in          = policy_i.type_prefetch && unknown;
        pf_take        = !t_valid && o_ready;
        o_valid        = t_valid || pf_valid;
        o_acc          = t_acc;
        o_acc.prefetch = !t_valid;
        o_body         = t_body;
        if (!t_valid) begin
          o_acc.kind  = pf_write ? hd_pkg::OP_STORE : hd_pkg::OP_LOAD;
          o_acc.space = hd_pkg::SPACE_GLOBAL;
          o_body[BodyW-1 -: LineW] = pf_line;
        end
      end
      assign drained_o = t_drained && !pf_valid;
      assign o_idle    = t_idle && !(pf_valid && o_ready);
      logic unused_ahead;
      assign unused_ahead = ^{pf_room, pf_count};
    end else begin : g_no_types
      assign t_acc       = '0;
      assign ty_valid_o  = '0;
      assign ty_head_o   = '0;
      if (Order != hd_pkg::ORDER_PREFETCH) begin : g_never_held
        assign busy_o = '0;
        assign hold_o = '0;
      end
      assign unsafe_o    = '0;
      assign drained_o   = 1'b1;
      assign ev[hd_pkg::ORDER_EV_NUM-1:1] = '0;
      logic unused;
      assign unused = ^{sm_id_i, clear_i, issue_i, issue_warp_i, dn_valid_i, dn_head_i,
          ty_ready_i, t_acc};
    end

    hd_fifo #(.Width(hd_pkg::ORDERED_W + BodyW), .Depth(2)) u_out (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(o_valid),
      .in_ready_o(o_ready),
      .in_data_i({hd_pkg::ordered(o_acc), o_body}),
      .out_valid_o(lo_valid_o),
      .out_ready_i(lo_ready_i),
      .out_data_o({lo_bits, lo_body_o}),
      .count_o(o_count)
    );
    assign lo_acc_o = hd_pkg::ACCESS_W'(lo_bits);
    always_ff @(posedge clk_i) begin
      if (rst_i) ev_o <= '0;
      else ev_o <= ev;
    end
    assign idle_o = o_idle && ev_o == '0;
    logic unused_count;
    assign unused_count = ^{o_count, policy_i, perf_i};
  end
endmodule
`default_nettype wire
