// hd_l1_vi_send.sv - all that leaves a write-through L1: requests, markers, acknowledgements.
//
// Paper 1 section 3.6, paper 4 section 6.1. Stores and atomics that are out: hd_wt_table; the queue
// of requests and their data: hd_wt_queue; INV_ACKs: hd_l1_acks.
//
// access  the access in front: la_acc_i, la_line_i, la_place_i, la_ops_i {compare values, data}.
//         push_i: a request for it, kind_i, leaves; only with req_room_o, or of a store or atomic,
//         send_room_o (for this access all rooms at once) and send_i: it takes an entry until it is
//         answered. Of a load tid read_tid_i.
// look    combinational, lk_valid_i: st_out_o, a store or atomic of the line is out. st_room_o: one
//         more may be.
// dn      the message dn_i. done_i: the answer to the store or atomic dn_i.tid, its entry is free.
//         st_who_o {warp, slot, lanes} of that entry, combinational. inv_i (only with ack_room_o):
//         an INV, acknowledged.
// mark    valid/ready, with Persist: a persist barrier; all that its warps did is at the L2. PMARK
//         in req, behind all that went there; it waits for a cycle without push_i.
// req, rsp valid/ready, each in order. idle_o: both queues are empty.
// Parameters: as hd_l1_vi. Latency 1.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_vi_send #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned WbEntries = 4,
  parameter int unsigned PartBits = 3,
  parameter int unsigned ReqDepth = 8,
  parameter int unsigned StoreData = 128,
  parameter int unsigned Persist = 0,
  parameter int unsigned WhoW = hd_pkg::WARP_W + SlotW + Lanes,                      // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - $clog2(LineWords * 4),             // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                 // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes),                              // derived
  parameter int unsigned BodyW = hd_pkg::request_body(hd_pkg::FAMILY_VI, LineWords, Lanes, WordW,
                                                      FlitWords)                     // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [hd_pkg::NODE_W-1:0] sm_id_i,
  // the access in front
  input  hd_pkg::access_s           la_acc_i,
  input  logic [LineW-1:0]          la_line_i,
  input  logic [PlaceW-1:0]         la_place_i,
  input  logic [Lanes*32+DataW-1:0] la_ops_i,
  input  logic                      push_i,
  input  hd_pkg::msg_e              kind_i,
  input  logic                      send_i,
  input  logic [hd_pkg::TID_W-1:0]  read_tid_i,
  output logic                      req_room_o,
  output logic                      send_room_o,
  // look
  input  logic                      lk_valid_i,
  output logic                      st_out_o,
  output logic                      st_room_o,
  // the message
  input  hd_pkg::head_s             dn_i,
  input  logic                      done_i,
  output logic [WhoW-1:0]           st_who_o,
  input  logic                      inv_i,
  output logic                      ack_room_o,
  // persist barriers
  input  logic                      mark_valid_i,
  output logic                      mark_ready_o,
  input  logic [7:0]                mark_id_i,
  // requests, acknowledgements
  output logic                      req_valid_o,
  input  logic                      req_ready_i,
  output logic [HeadW-1:0]          req_head_o,
  output logic [BodyW-1:0]          req_body_o,
  output logic                      rsp_valid_o,
  input  logic                      rsp_ready_i,
  output logic [HeadW-1:0]          rsp_head_o,
  output logic                      idle_o
);
  localparam int unsigned OffW = hd_pkg::idx_w(LineWords);
  localparam int unsigned StW = hd_pkg::idx_w(StoreData);

  logic                      is_at, mark, data_room, at_room, queue_idle, acks_idle, st_empty;
  logic [SlotW-1:0]          la_slot;
  logic [Lanes-1:0]          la_mask;
  logic [Lanes*OffW-1:0]     la_offs;
  logic [LineWords-1:0]      la_wmask;
  logic [Lanes*32-1:0]       la_cmp;
  logic [DataW-1:0]          la_data;
  logic [StW-1:0]            st_idx;
  // the request that is sent
  hd_pkg::msg_e              out_kind;
  logic [LineW-1:0]          out_line;
  logic [hd_pkg::TID_W-1:0]  out_tid;
  logic [hd_pkg::OPID_W-1:0] out_opid;
  logic [Lanes-1:0]          out_lanes;
  logic [hd_pkg::HEAD_W-1:0] ack;

  assign {la_mask, la_offs, la_wmask} = la_place_i;
  assign {la_cmp, la_data} = la_ops_i;
  assign la_slot     = SlotW'({la_acc_i.tag, la_acc_i.slot});
  assign is_at       = la_acc_i.kind == hd_pkg::OP_ATOMIC;
  assign send_room_o = st_room_o && req_room_o && data_room && (!is_at || at_room);

  hd_wt_table #(
    .Entries(StoreData),
    .Lanes(Lanes),
    .SlotW(SlotW),
    .LineW(LineW)
  ) u_stores (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .line_i(la_line_i),
    .lk_valid_i(lk_valid_i),
    .out_o(st_out_o),
    .room_o(st_room_o),
    .idx_o(st_idx),
    .put_i(send_i),
    .who_i({la_acc_i.warp, la_slot, la_mask}),
    .done_i(done_i),
    .done_idx_i(StW'(dn_i.tid)),
    .who_o(st_who_o),
    .empty_o(st_empty)
  );

  // The queue of requests is free for a marker beside an access that asks for nothing.
  assign mark         = Persist != 0 && mark_valid_i && !push_i && req_room_o;
  assign mark_ready_o = mark;
  always_comb begin
    out_kind  = kind_i;
    out_line  = la_line_i;
    out_tid   = (la_acc_i.kind == hd_pkg::OP_LOAD) ? read_tid_i : hd_pkg::TID_W'(st_idx);
    out_opid  = hd_pkg::OPID_W'({la_acc_i.slot, la_acc_i.warp});
    out_lanes = la_mask;
    if (mark) begin
      out_kind  = hd_pkg::MSG_PMARK;
      out_line  = '0;
      out_tid   = '0;
      out_opid  = hd_pkg::OPID_W'(mark_id_i);
      out_lanes = '0;
    end
  end
  hd_wt_queue #(
    .ReqDepth(ReqDepth),
    .WbEntries(WbEntries),
    .PartBits(PartBits),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .FlitWords(FlitWords)
  ) u_requests (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .push_i(push_i || mark),
    .kind_i(out_kind),
    .line_i(out_line),
    .tid_i(out_tid),
    .opid_i(out_opid),
    .wmask_i(la_wmask),
    .lanes_i(out_lanes),
    .data_i(la_data),
    .fn_i(la_acc_i.fn),
    .offs_i(la_offs),
    .cmp_i(la_cmp),
    .room_o(req_room_o),
    .data_room_o(data_room),
    .at_room_o(at_room),
    .valid_o(req_valid_o),
    .ready_i(req_ready_i),
    .head_o(req_head_o),
    .body_o(req_body_o),
    .idle_o(queue_idle)
  );
  hd_l1_acks #(
    .Depth(WbEntries)
  ) u_acks (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .inv_i(inv_i),
    .head_i(dn_i),
    .room_o(ack_room_o),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .rsp_head_o(ack),
    .idle_o(acks_idle)
  );
  assign rsp_head_o = HeadW'(ack);
  assign idle_o     = queue_idle && acks_idle;

  logic unused;
  assign unused = ^{la_acc_i, mark_valid_i, mark_id_i, st_empty};

  `HD_ASSERT(a_half, !(send_i && is_at) || 64'(la_mask) >> 32 == 0 || 32'(la_mask) == 0)
endmodule
`default_nettype wire
