// hd_l1_gpu_out.sv - what an L1 of family GPU has sent and will send.
//
// req    READs, synchronizing accesses and markers of persist barriers: push_i with kind_i (GETS,
//        WT, ATOMIC, PMARK) and the access; tid_i of a GETS, mark_id_i of a PMARK; the others take
//        an entry of a table until they are answered. room_o: rooms of hd_wt_queue, of that table,
//        and what follows.
// wt     wt_i: dirty words wt_mask_i of line wt_line_i are written through; their line is on
//        wt_data_i in the next cycle (room_o.wt_busy), in which nothing is pushed. tid: FlushTid.
//        room_o.wt: one may be sent, at most WtOut are out; room_o.wt_none: none is.
// ack    ack_i: the answer to a WT came. done_i, done_tid_i: that to a synchronizing access;
//        done_*_o, combinational for done_tid_i: whose, which lanes, whether it acquires.
// out    valid/ready, head and body (hd_wt_queue). idle_o nothing to send.
// Parameters: of hd_wt_queue; Entries synchronizing accesses out; WtOut; SlotW.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_gpu_out #(
  parameter int unsigned ReqDepth = 8,
  parameter int unsigned WbEntries = 4,
  parameter int unsigned PartBits = 4,
  parameter int unsigned Entries = 64,
  parameter int unsigned WtOut = 64,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),                            // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - $clog2(LineWords * 4),             // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                 // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes),                              // derived
  parameter int unsigned BodyW = hd_pkg::request_body(hd_pkg::FAMILY_VI, LineWords, Lanes, WordW,
                                                      FlitWords)                     // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [hd_pkg::NODE_W-1:0]  sm_id_i,
  // req
  input  logic                       push_i,
  input  hd_pkg::msg_e               kind_i,
  input  logic                       acquire_i,
  input  logic [hd_pkg::TID_W-1:0]   tid_i,
  input  logic [7:0]                 mark_id_i,
  input  logic [hd_pkg::WARP_W-1:0]  warp_i,
  input  logic [SlotW-1:0]           slot_i,
  input  logic [3:0]                 fn_i,
  input  logic [LineW-1:0]           line_i,
  input  logic [PlaceW-1:0]          place_i,
  input  logic [DataW-1:0]           data_i,
  input  logic [Lanes*32-1:0]        cmp_i,
  output hd_pkg::gpu_room_s          room_o,
  // wt
  input  logic                       wt_i,
  input  logic [LineW-1:0]           wt_line_i,
  input  logic [LineWords-1:0]       wt_mask_i,
  input  logic [LineWords*WordW-1:0] wt_data_i,
  // ack
  input  logic                       ack_i,
  input  logic                       done_i,
  input  logic [hd_pkg::TID_W-1:0]   done_tid_i,
  output logic [hd_pkg::WARP_W-1:0]  done_warp_o,
  output logic [SlotW-1:0]           done_slot_o,
  output logic [Lanes-1:0]           done_mask_o,
  output logic                       done_acquire_o,
  // out
  output logic                       valid_o,
  input  logic                       ready_i,
  output logic [HeadW-1:0]           head_o,
  output logic [BodyW-1:0]           body_o,
  output logic                       idle_o
);
  localparam int unsigned StW  = hd_pkg::idx_w(Entries);
  localparam int unsigned OutW = $clog2(WtOut + 1);
  localparam int unsigned FlushTid = (1 << hd_pkg::TID_W) - 1;
  if (Entries > FlushTid) begin : g_bad_entries
    $error("hd_l1_gpu_out: Entries must leave FlushTid free");
  end

  logic [Lanes-1:0]          mask, lanes;
  logic [Lanes*OffW-1:0]     offs;
  logic [LineWords-1:0]      words, wt_mask_q;
  logic [LineW-1:0]          wt_line_q;
  logic [OutW-1:0]           wt_out_q;
  logic [StW-1:0]            idx;
  logic [hd_pkg::TID_W-1:0]  tid;
  logic [hd_pkg::OPID_W-1:0] opid;
  logic [DataW-1:0]          data;
  logic                      wt_q, out, empty, queue_idle, read, mark, wt_room;
  logic                      req_room, data_room, at_room, out_room;
  hd_pkg::msg_e              kind;

  assign {mask, offs, words} = place_i;
  assign read  = kind_i == hd_pkg::MSG_GETS;
  assign mark  = kind_i == hd_pkg::MSG_PMARK;
  assign lanes = (kind == hd_pkg::MSG_ATOMIC) ? mask : '0;
  assign kind  = wt_q ? hd_pkg::MSG_WT : kind_i;
  assign data  = wt_q ? DataW'(wt_data_i) : data_i;
  always_comb begin
    opid = hd_pkg::OPID_W'({slot_i[hd_pkg::SLOT_W-1:0], warp_i});
    if (wt_q) opid = '0;
    else if (mark) opid = hd_pkg::OPID_W'(mark_id_i);
    tid = hd_pkg::TID_W'(idx);
    if (wt_q) tid = hd_pkg::TID_W'(FlushTid);
    else if (read) tid = tid_i;
    else if (mark) tid = '0;
  end

  hd_wt_table #(
    .Entries(Entries),
    .Lanes(Lanes),
    .SlotW(SlotW + 1),
    .LineW(1)
  ) u_out (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .line_i(1'b0),
    .lk_valid_i(1'b0),
    .out_o(out),
    .room_o(out_room),
    .idx_o(idx),
    .put_i(push_i && !read && !mark),
    .who_i({warp_i, acquire_i, slot_i, mask}),
    .done_i(done_i),
    .done_idx_i(done_tid_i[StW-1:0]),
    .who_o({done_warp_o, done_acquire_o, done_slot_o, done_mask_o}),
    .empty_o(empty)
  );
  hd_wt_queue #(
    .ReqDepth(ReqDepth),
    .WbEntries(WbEntries),
    .PartBits(PartBits),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .FlitWords(FlitWords)
  ) u_queue (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .push_i(push_i || wt_q),
    .kind_i(kind),
    .line_i(wt_q ? wt_line_q : line_i),
    .tid_i(tid),
    .opid_i(opid),
    .wmask_i(wt_q ? wt_mask_q : words),
    .lanes_i(lanes),
    .data_i(data),
    .fn_i(fn_i),
    .offs_i(offs),
    .cmp_i(cmp_i),
    .room_o(req_room),
    .data_room_o(data_room),
    .at_room_o(at_room),
    .valid_o(valid_o),
    .ready_i(ready_i),
    .head_o(head_o),
    .body_o(body_o),
    .idle_o(queue_idle)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      wt_q     <= 1'b0;
      wt_out_q <= '0;
    end else begin
      wt_q <= wt_i;
      if (wt_i != ack_i) wt_out_q <= wt_i ? wt_out_q + 1'b1 : wt_out_q - 1'b1;
    end
    if (wt_i) begin
      wt_line_q <= wt_line_i;
      wt_mask_q <= wt_mask_i;
    end
  end
  assign wt_room = req_room && data_room && wt_out_q != OutW'(WtOut);
  assign room_o  = {req_room, data_room, at_room, out_room, wt_room, wt_out_q == '0, wt_q};
  assign idle_o  = queue_idle && !wt_q;

  logic unused;
  assign unused = ^{out, empty, done_tid_i};

  `HD_ASSERT(a_one_push, !(wt_q && (push_i || wt_i)))
  `HD_ASSERT(a_wt_has_room, !wt_i || wt_room)
  `HD_ASSERT(a_ack_of_one_out, !ack_i || wt_out_q != '0)
endmodule
`default_nettype wire
