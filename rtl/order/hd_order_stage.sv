// hd_order_stage.sv - ordering hardware between coalescer and L1, of the kind that is asked for.
//
// Order: hd_pkg::ORDER_NONE: accesses pass, ordered at issue only (RMO, naive TSO and SC);
// ORDER_SB: hd_store_buffer; ORDER_PREFETCH: hd_sc_prefetch; ORDER_TYPE: hd_type_aware. Paper 1
// sections 3.2 to 3.5 and 4. Ports and parameters are theirs; what one does not have is 0. With
// ORDER_NONE nothing is delayed; with the others accesses leave through a queue of two, a cycle
// later, and {tag, slot} on lo_slot_o comes back with perf. perf_valid_i: an access was performed.
// ahead_i (policy, TYPE): the line of an access that waits for its type is fetched meanwhile, as
// under ORDER_PREFETCH, so that it does not pay for classifier and memory one after the other.
// ev_o: pulses, bit numbers hd_pkg::EV_SM_ORD_* less ORDER_EV_FIRST, registers.
`include "hd_assert.svh"
`default_nettype none
module hd_order_stage #(
  parameter int unsigned Order       = hd_pkg::ORDER_NONE,
  parameter int unsigned Warps       = 48,
  parameter int unsigned LineW       = 25,
  parameter int unsigned BodyW       = 32,
  parameter int unsigned DataW       = 1024,
  parameter int unsigned CmpW        = 1024,
  parameter int unsigned BufferDepth = 8,
  parameter int unsigned Unified     = 0,
  parameter int unsigned WaitDepth   = 4,
  parameter int unsigned UnsafeDepth = 4,
  parameter int unsigned SafeDepth   = 16,
  parameter int unsigned SyncEntries = 64,
  parameter int unsigned TypeEntries = 64,
  parameter int unsigned TypeWays    = 4,
  parameter int unsigned TypeReqs    = 16,
  parameter int unsigned Stores      = 64,
  parameter int unsigned Cas         = 8,
  parameter int unsigned AckEntries  = 64,
  parameter int unsigned PartBits    = 3,
  parameter int unsigned SectorBytes = hd_pkg::SECTOR_BYTES,
  parameter int unsigned SlotW       = hd_pkg::SLOT_W,             // derived: leave at its default
  parameter int unsigned TagW        = (Order == hd_pkg::ORDER_NONE) ? 0 : hd_pkg::TAG_W,
  parameter int unsigned OutSlotW    = SlotW + TagW,               // derived
  parameter int unsigned WarpW       = hd_pkg::idx_w(Warps)        // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [hd_pkg::NODE_W-1:0] sm_id_i,
  input  logic                      merge_i,
  input  logic                      ahead_i,
  input  logic                      clear_i,

  input  logic                      la_valid_i,
  output logic                      la_ready_o,
  input  logic [WarpW-1:0]          la_warp_i,
  input  logic [SlotW-1:0]          la_slot_i,
  input  logic [hd_pkg::OP_W-1:0]                la_kind_i,
  input  logic                      la_cas_i,
  input  logic                      la_space_i,
  input  logic                      la_last_i,
  input  logic [LineW-1:0]          la_line_i,
  input  logic [BodyW-1:0]          la_body_i,
  input  logic [DataW-1:0]          la_data_i,
  input  logic [CmpW-1:0]           la_cmp_i,

  output logic                      lo_valid_o,
  input  logic                      lo_ready_i,
  output logic                      lo_prefetch_o,
  output logic [WarpW-1:0]          lo_warp_o,
  output logic [OutSlotW-1:0]       lo_slot_o,
  output logic [hd_pkg::OP_W-1:0]                lo_kind_o,
  output logic                      lo_space_o,
  output logic [LineW-1:0]          lo_line_o,
  output logic [BodyW-1:0]          lo_body_o,
  output logic [DataW-1:0]          lo_data_o,
  output logic [CmpW-1:0]           lo_cmp_o,

  input  logic                      perf_valid_i,
  input  logic [WarpW-1:0]          perf_warp_i,
  input  logic [OutSlotW-1:0]       perf_slot_i,
  input  logic                      issue_i,
  input  logic [WarpW-1:0]          issue_warp_i,

  input  logic                      dn_valid_i,
  input  logic [hd_pkg::HEAD_W-1:0] dn_head_i,
  output logic                      req_valid_o,
  input  logic                      req_ready_i,
  output logic [hd_pkg::HEAD_W-1:0] req_head_o,
  output logic                      ack_valid_o,
  input  logic                      ack_ready_i,
  output logic [hd_pkg::HEAD_W-1:0] ack_head_o,

  output logic [Warps-1:0]          busy_o,
  output logic [Warps-1:0]          unsafe_o,
  output logic [Warps-1:0]          hold_o,
  output logic [hd_pkg::ORDER_EV_NUM-1:0] ev_o,
  output logic                      drained_o,
  output logic                      idle_o
);
  if (Order == hd_pkg::ORDER_NONE) begin : g_none
    assign lo_valid_o    = la_valid_i;
    assign la_ready_o    = lo_ready_i;
    assign lo_prefetch_o = 1'b0;
    assign lo_warp_o     = la_warp_i;
    assign lo_slot_o     = la_slot_i;
    assign lo_kind_o     = la_kind_i;
    assign lo_space_o    = la_space_i;
    assign lo_line_o     = la_line_i;
    assign lo_body_o     = la_body_i;
    assign lo_data_o     = la_data_i;
    assign lo_cmp_o      = la_cmp_i;
    assign req_valid_o   = 1'b0;
    assign req_head_o    = '0;
    assign ack_valid_o   = 1'b0;
    assign ack_head_o    = '0;
    assign busy_o        = '0;
    assign unsafe_o      = '0;
    assign hold_o        = '0;
    assign ev_o          = '0;
    assign drained_o     = 1'b1;
    assign idle_o        = 1'b1;
    logic unused;
    assign unused = ^{clk_i, rst_i, sm_id_i, merge_i, ahead_i, clear_i, la_cas_i, la_last_i,
        perf_valid_i,
        perf_warp_i, perf_slot_i, issue_i, issue_warp_i, dn_valid_i, dn_head_i, req_ready_i,
        ack_ready_i};
  end else begin : g_order
    localparam int unsigned OutW = 1 + WarpW + OutSlotW + hd_pkg::OP_W + 1 + LineW + BodyW + DataW + CmpW;
    logic                     o_valid, o_ready, o_prefetch, o_space, o_idle;
    logic [WarpW-1:0]         o_warp;
    logic [SlotW-1:0]         o_slot;
    logic [hd_pkg::TAG_W-1:0] o_tag;
    logic [hd_pkg::OP_W-1:0]               o_kind;
    logic [LineW-1:0]         o_line;
    logic [BodyW-1:0]         o_body;
    logic [DataW-1:0]         o_data;
    logic [CmpW-1:0]          o_cmp;
    logic [hd_pkg::ORDER_EV_NUM-1:0] ev;
    logic [1:0]               o_count;

    if (Order == hd_pkg::ORDER_SB) begin : g_sb
      hd_store_buffer #(
        .Warps(Warps), .SlotW(SlotW), .LineW(LineW), .BodyW(BodyW), .DataW(DataW), .CmpW(CmpW),
        .BufferDepth(BufferDepth), .Unified(Unified)
      ) u_buffer (
        .clk_i, .rst_i, .la_valid_i, .la_ready_o, .la_warp_i, .la_slot_i, .la_kind_i, .la_space_i,
        .la_line_i, .la_body_i, .la_data_i, .la_cmp_i, .lo_valid_o(o_valid), .lo_ready_i(o_ready),
        .lo_warp_o(o_warp), .lo_slot_o(o_slot), .lo_tag_o(o_tag), .lo_kind_o(o_kind),
        .lo_space_o(o_space), .lo_line_o(o_line), .lo_body_o(o_body), .lo_data_o(o_data),
        .lo_cmp_o(o_cmp), .perf_valid_i, .perf_warp_i, .perf_tag_i(perf_slot_i[OutSlotW-1:SlotW]),
        .ev_queued_o(ev[hd_pkg::EV_SM_ORD_QUEUED - hd_pkg::ORDER_EV_FIRST]), .idle_o(o_idle)
      );
      assign o_prefetch = 1'b0;
      logic unused_cas;
      assign unused_cas = la_cas_i;
    end else if (Order == hd_pkg::ORDER_PREFETCH) begin : g_prefetch
      hd_sc_prefetch #(
        .Warps(Warps), .SlotW(SlotW), .LineW(LineW), .BodyW(BodyW), .DataW(DataW), .CmpW(CmpW),
        .QueueDepth(WaitDepth), .Stores(Stores), .Cas(Cas)
      ) u_prefetch (
        .clk_i, .rst_i, .la_valid_i, .la_ready_o, .la_warp_i, .la_slot_i, .la_kind_i, .la_cas_i,
        .la_space_i, .la_line_i, .la_body_i, .la_data_i, .la_cmp_i, .lo_valid_o(o_valid),
        .lo_ready_i(o_ready), .lo_prefetch_o(o_prefetch), .lo_warp_o(o_warp), .lo_slot_o(o_slot),
        .lo_tag_o(o_tag), .lo_kind_o(o_kind), .lo_space_o(o_space), .lo_line_o(o_line),
        .lo_body_o(o_body), .lo_data_o(o_data), .lo_cmp_o(o_cmp), .perf_valid_i, .perf_warp_i,
        .perf_tag_i(perf_slot_i[OutSlotW-1:SlotW]), .issue_i, .issue_warp_i,
        .la_last_i, .busy_o, .hold_o,
        .ev_queued_o(ev[hd_pkg::EV_SM_ORD_QUEUED - hd_pkg::ORDER_EV_FIRST]), .idle_o(o_idle)
      );
    end
    if (Order == hd_pkg::ORDER_TYPE) begin : g_type
      localparam int unsigned AheadDepth = 16;
      logic             t_valid, t_space, t_idle, t_drained, unknown, pf_in, pf_room, pf_valid;
      logic             pf_take, pf_write, writes;
      logic [hd_pkg::OP_W-1:0]       t_kind;
      logic [LineW-1:0] t_line, pf_line;
      logic [$clog2(AheadDepth+1)-1:0] pf_count;
      hd_type_aware #(
        .Warps(Warps), .SlotW(SlotW), .LineW(LineW), .BodyW(BodyW), .DataW(DataW), .CmpW(CmpW),
        .TypeEntries(TypeEntries), .TypeWays(TypeWays), .TypeReqs(TypeReqs),
        .WaitDepth(WaitDepth), .UnsafeDepth(UnsafeDepth), .SafeDepth(SafeDepth),
        .SyncEntries(SyncEntries), .Stores(Stores), .Cas(Cas), .AckEntries(AckEntries),
        .PartBits(PartBits), .SectorBytes(SectorBytes)
      ) u_type (
        .clk_i, .rst_i, .sm_id_i, .merge_i, .clear_i, .la_valid_i, .la_ready_o, .la_warp_i,
        .la_slot_i, .la_kind_i, .la_cas_i, .la_space_i, .la_last_i, .la_line_i, .la_body_i,
        .la_data_i, .la_cmp_i, .lo_valid_o(t_valid), .lo_ready_i(o_ready), .lo_warp_o(o_warp),
        .lo_slot_o(o_slot), .lo_tag_o(o_tag), .lo_kind_o(t_kind), .lo_space_o(t_space),
        .lo_line_o(t_line), .lo_body_o(o_body), .lo_data_o(o_data), .lo_cmp_o(o_cmp),
        .perf_valid_i, .perf_warp_i, .perf_tag_i(perf_slot_i[OutSlotW-1:SlotW]), .issue_i,
        .issue_warp_i, .dn_valid_i, .dn_head_i, .req_valid_o, .req_ready_i, .req_head_o,
        .ack_valid_o, .ack_ready_i, .ack_head_o, .busy_o, .unsafe_o, .hold_o,
        .unknown_o(unknown),
        .ev_safe_o(ev[hd_pkg::EV_SM_ORD_SAFE - hd_pkg::ORDER_EV_FIRST]),
        .ev_unsafe_o(ev[hd_pkg::EV_SM_ORD_UNSAFE - hd_pkg::ORDER_EV_FIRST]),
        .ev_marker_o(ev[hd_pkg::EV_SM_ORD_MARKER - hd_pkg::ORDER_EV_FIRST]),
        .ev_queued_o(ev[hd_pkg::EV_SM_ORD_QUEUED - hd_pkg::ORDER_EV_FIRST]),
        .ev_ask_o(ev[hd_pkg::EV_SM_ORD_ASK - hd_pkg::ORDER_EV_FIRST]),
        .ev_inval_o(ev[hd_pkg::EV_SM_ORD_INVAL - hd_pkg::ORDER_EV_FIRST]),
        .ev_conflict_o(ev[hd_pkg::EV_SM_ORD_CONFLICT - hd_pkg::ORDER_EV_FIRST]),
        .drained_o(t_drained), .idle_o(t_idle)
      );
      // What waits for a type, once; when nothing else goes out. Lost when the queue is full.
      hd_fifo #(.Width(1 + LineW), .Depth(AheadDepth)) u_ahead (
        .clk_i, .rst_i, .in_valid_i(pf_in), .in_ready_o(pf_room), .in_data_i({writes, la_line_i}),
        .out_valid_o(pf_valid), .out_ready_i(pf_take), .out_data_o({pf_write, pf_line}),
        .count_o(pf_count)
      );
      always_comb begin
        writes     = la_kind_i != hd_pkg::OP_LOAD;
        pf_in      = ahead_i && unknown;
        pf_take    = !t_valid && o_ready;
        o_valid    = t_valid || pf_valid;
        o_prefetch = !t_valid;
        o_kind     = t_kind;
        o_space    = t_space;
        o_line     = t_line;
        if (!t_valid) begin
          o_kind  = pf_write ? hd_pkg::OP_STORE : hd_pkg::OP_LOAD;
          o_space = hd_pkg::SPACE_GLOBAL;
          o_line  = pf_line;
        end
      end
      assign drained_o = t_drained && !pf_valid;
      assign o_idle    = t_idle && !(pf_valid && o_ready);
      logic unused_ahead;
      assign unused_ahead = ^{pf_room, pf_count};
    end else begin : g_no_types
      assign req_valid_o = 1'b0;
      assign req_head_o  = '0;
      assign ack_valid_o = 1'b0;
      assign ack_head_o  = '0;
      if (Order != hd_pkg::ORDER_PREFETCH) begin : g_never_held
        assign busy_o = '0;
        assign hold_o = '0;
      end
      assign unsafe_o    = '0;
      assign drained_o   = 1'b1;
      assign ev[hd_pkg::ORDER_EV_NUM-1:1] = '0;
      logic unused;
      assign unused = ^{sm_id_i, merge_i, ahead_i, clear_i, la_last_i, issue_i, issue_warp_i,
          dn_valid_i, dn_head_i, req_ready_i, ack_ready_i, perf_slot_i};
    end

    hd_fifo #(.Width(OutW), .Depth(2)) u_out (
      .clk_i, .rst_i, .in_valid_i(o_valid), .in_ready_o(o_ready),
      .in_data_i({o_prefetch, o_warp, o_tag, o_slot, o_kind, o_space, o_line, o_body, o_data,
        o_cmp}), .out_valid_o(lo_valid_o), .out_ready_i(lo_ready_i),
      .out_data_o({lo_prefetch_o, lo_warp_o, lo_slot_o, lo_kind_o, lo_space_o, lo_line_o,
        lo_body_o, lo_data_o, lo_cmp_o}), .count_o(o_count)
    );
    always_ff @(posedge clk_i) begin
      if (rst_i) ev_o <= '0;
      else ev_o <= ev;
    end
    assign idle_o = o_idle && ev_o == '0;
    logic unused_count;
    assign unused_count = ^{o_count, perf_slot_i[SlotW-1:0]};
  end
endmodule
`default_nettype wire
