// hd_l1_gpu_send.sv - all that leaves an L1 of family GPU: dirty words, requests, acknowledgements.
//
// Paper 3 section 2.2, paper 4 section 6.1. Order of dirty rows, releases and persist barriers:
// hd_l1_gpu_dirty; queue of requests and what is out: hd_l1_gpu_out; INV_ACKs: hd_l1_acks.
// turn_i, look_i, act_i: what the cycle is about, finds and does (hd_l1_gpu_decide).
//
// access  the access in front: la_acc_i, la_line_i, la_place_i, la_data_i, la_cmp_i. It goes to
//         the L2 with act_i.la.send, a READ read_tid_i of its line with act_i.la.push unless one is
//         out.
// row     row_i, num_i, masks_i {dirty afterwards, dirty} of hd_l1_gpu_line. With act_i.wt its
//         dirty words are written through, in the next cycle they are on wt_data_i.
// dn      the message dn_i that turn_i.sel.dn takes: an answer ends what is out, an INV is
//         acknowledged (ack_room_o). st_who_o: of a synchronizing access, for dn_i.tid at once.
// mark    valid/ready, a persist barrier; its PMARK follows in req when it is the head.
// room_o, heads_o, dirty_o: hd_pkg. fl_row_o, mk_who_o: the head of the dirty list, a row or a
//         release; pop_num_o: that of the NVW-FIFO. st_who_o {acquires, warp, slot, lanes},
//         mk_who_o without lanes.
// req, rsp valid/ready. idle_o nothing to send, nothing to leave the NVW-FIFO.
// Parameters: of those three; Rows; StoreData synchronizing accesses out. Latency 1.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_gpu_send #(
  parameter int unsigned Rows = 512,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned WbEntries = 4,
  parameter int unsigned PartBits = 4,
  parameter int unsigned ReqDepth = 8,
  parameter int unsigned StoreData = 64,
  parameter int unsigned SbWords = 256,
  parameter int unsigned SbRows = 256,
  parameter int unsigned WtOut = 64,
  parameter int unsigned Markers = 48,
  parameter int unsigned Persist = 0,
  parameter int unsigned NvwDepth = 16,
  parameter int unsigned Inclusive = 0,
  parameter int unsigned RowW = hd_pkg::idx_w(Rows),                                 // derived
  parameter int unsigned WhoW = 1 + hd_pkg::WARP_W + SlotW,                          // derived
  parameter int unsigned ByteW = $clog2(LineWords * 4),                              // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - ByteW,                             // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                 // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes),                              // derived
  parameter int unsigned BodyW = hd_pkg::request_body(hd_pkg::FAMILY_VI, LineWords, Lanes, WordW,
                                                      FlitWords)                     // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [hd_pkg::NODE_W-1:0]  sm_id_i,
  input  logic [31:0]                nv_base_i,
  input  hd_pkg::gpu_turn_s          turn_i,
  input  hd_pkg::gpu_look_s          look_i,
  input  hd_pkg::gpu_do_s            act_i,
  // the access
  input  hd_pkg::access_s            la_acc_i,
  input  logic [LineW-1:0]           la_line_i,
  input  logic [PlaceW-1:0]          la_place_i,
  input  logic [DataW-1:0]           la_data_i,
  input  logic [Lanes*32-1:0]        la_cmp_i,
  input  logic [hd_pkg::TID_W-1:0]   read_tid_i,
  // the row
  input  logic [RowW-1:0]            row_i,
  input  logic [LineW-1:0]           num_i,
  input  logic [2*LineWords-1:0]     masks_i,
  input  logic [LineWords*WordW-1:0] wt_data_i,
  // the message
  input  hd_pkg::head_s              dn_i,
  output logic [WhoW+Lanes-1:0]      st_who_o,
  output logic                       ack_room_o,
  // what leaves, and room
  output hd_pkg::gpu_room_s          room_o,
  output hd_pkg::gpu_heads_s         heads_o,
  output hd_pkg::gpu_dirty_s         dirty_o,
  output logic [RowW-1:0]            fl_row_o,
  output logic [WhoW-1:0]            mk_who_o,
  output logic [LineW-1:0]           pop_num_o,
  input  logic                       mark_valid_i,
  output logic                       mark_ready_o,
  input  logic [7:0]                 mark_id_i,
  // requests, acknowledgements
  output logic                       req_valid_o,
  input  logic                       req_ready_i,
  output logic [HeadW-1:0]           req_head_o,
  output logic [BodyW-1:0]           req_body_o,
  output logic                       rsp_valid_o,
  input  logic                       rsp_ready_i,
  output logic [hd_pkg::HEAD_W-1:0]  rsp_head_o,
  output logic                       idle_o
);
  localparam int unsigned MaskLsb = PlaceW - Lanes;

  hd_pkg::word_sel_s    sel;
  hd_pkg::word_do_s     act;
  hd_pkg::l1_sync_s     what;
  hd_pkg::msg_e         push_kind;
  logic                 pop_mark, acquires, out_idle, dirty_idle, acks_idle;
  logic [7:0]           pop_id;
  logic [SlotW-1:0]     la_slot, st_slot;
  logic [hd_pkg::WARP_W-1:0] st_warp;
  logic [Lanes-1:0]     la_mask, st_mask;
  logic [LineWords-1:0] words, d, d_new;

  assign sel      = turn_i.sel;
  assign what     = turn_i.what;
  assign act      = act_i.la;
  assign la_slot  = SlotW'({la_acc_i.tag, la_acc_i.slot});
  assign la_mask  = la_place_i[MaskLsb +: Lanes];
  assign words    = la_place_i[LineWords-1:0];
  assign pop_mark = sel.pp && heads_o.pop_mark;
  assign {d_new, d} = masks_i;

  // ---- dirty rows and releases -----------------------------------------------------------------
  hd_l1_gpu_dirty #(
    .Rows(Rows),
    .LineWords(LineWords),
    .SbWords(SbWords),
    .SbRows(SbRows),
    .Markers(Markers),
    .WhoW(WhoW),
    .Persist(Persist),
    .NvwDepth(NvwDepth),
    .LineW(LineW),
    .ByteW(ByteW)
  ) u_dirty (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .nv_base_i(nv_base_i),
    .write_i(act_i.write && !sel.wrap),
    .put_i(act_i.store || act_i.atomic),
    .hit_i(look_i.hit),
    .row_i(row_i),
    .num_i(num_i),
    .d_i(d),
    .d_new_i(d_new),
    .fit_i(sel.fr ? words & ~d : {LineWords{1'b0}}),
    .dirty_o(dirty_o),
    .put_marker_i(act.marker),
    .who_i({what.acquire, la_acc_i.warp, la_slot}),
    .mark_valid_i(mark_valid_i),
    .mark_ready_o(mark_ready_o),
    .mark_id_i(mark_id_i),
    .heads_o(heads_o),
    .head_row_o(fl_row_o),
    .head_who_o(mk_who_o),
    .list_pop_i(sel.fl || sel.mk),
    .pop_num_o(pop_num_o),
    .pop_id_o(pop_id),
    .pop_i(sel.pp),
    .idle_o(dirty_idle)
  );

  // ---- what is sent ----------------------------------------------------------------------------
  always_comb begin
    push_kind = hd_pkg::MSG_GETS;
    if (pop_mark) push_kind = hd_pkg::MSG_PMARK;
    else if (act.send) push_kind = what.store ? hd_pkg::MSG_WT : hd_pkg::MSG_ATOMIC;
  end
  hd_l1_gpu_out #(
    .ReqDepth(ReqDepth),
    .WbEntries(WbEntries),
    .PartBits(PartBits),
    .Entries(StoreData),
    .WtOut(WtOut),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW),
    .FlitWords(FlitWords)
  ) u_out (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .push_i(act.send || (act.push && !look_i.pending) || pop_mark),
    .kind_i(push_kind),
    .acquire_i(what.acquire),
    .tid_i(read_tid_i),
    .mark_id_i(pop_id),
    .warp_i(la_acc_i.warp),
    .slot_i(la_slot),
    .fn_i(what.load ? hd_pkg::AT_READ : la_acc_i.fn),
    .line_i(pop_mark ? {LineW{1'b0}} : la_line_i),
    .place_i(la_place_i),
    .data_i(la_data_i),
    .cmp_i(la_cmp_i),
    .room_o(room_o),
    .wt_i(act_i.wt),
    .wt_line_i(num_i),
    .wt_mask_i(d),
    .wt_data_i(wt_data_i),
    .ack_i(sel.dn && turn_i.msg.ack),
    .done_i(sel.dn && turn_i.msg.done),
    .done_tid_i(dn_i.tid),
    .done_warp_o(st_warp),
    .done_slot_o(st_slot),
    .done_mask_o(st_mask),
    .done_acquire_o(acquires),
    .valid_o(req_valid_o),
    .ready_i(req_ready_i),
    .head_o(req_head_o),
    .body_o(req_body_o),
    .idle_o(out_idle)
  );
  assign st_who_o = {acquires, st_warp, st_slot, st_mask};

  hd_l1_acks #(
    .Depth(WbEntries),
    .Enable(Inclusive)
  ) u_acks (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .inv_i(sel.dn && turn_i.msg.inv),
    .head_i(dn_i),
    .room_o(ack_room_o),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .rsp_head_o(rsp_head_o),
    .idle_o(acks_idle)
  );
  assign idle_o = out_idle && dirty_idle && acks_idle;

  logic unused;
  assign unused = ^{turn_i, look_i, act_i, sel, what, act, la_acc_i, la_mask};

  // Paper 4: a dirty line of non-volatile memory is tracked.
  `HD_ASSERT(a_dirty_is_tracked, Persist == 0 || !look_i.hit || sel.wrap || d == '0 || !dirty_o.nv
             || dirty_o.tracked)
  // Buffered barriers: what goes past the rows to non-volatile memory leaves no marker behind.
  `HD_ASSERT(a_sync_behind_no_marker, !(act.send && dirty_o.nv) || dirty_o.one)
  `HD_ASSERT(a_half, !(act.send && what.atomic) || 64'(la_mask) >> 32 == 0 || 32'(la_mask) == 0)
endmodule
`default_nettype wire
