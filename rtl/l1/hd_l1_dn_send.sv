// hd_l1_dn_send.sv - what a decision of an L1 of family DENOVO sends, and how it answers forwards.
//
// docs/protocol_denovo.md. sel_i, act_i: what is decided in this cycle. line_i: the line looked
// up; to_line_i: the line that is sent about. hits_i, asks_i: hd_l1_denovo_table about its words.
// put    put_i (only with wb_room_o, rsp_room_o): registered words put_words_i of to_line_i leave;
//        their values stay in the writeback buffer until WB_ACK. wb_hit_o: line_i is in it.
// read   act_i.read: a READ with tid_i; retry_i {line, words, tid} one that is repeated (sel_i.rt);
//        a registration of asks_i: act_i.ask, for synchronization, or sel_i.fl.
// pass   sel_i.ps: words of pass_i {words, class, recall, sync, SM} go to who waits for them.
// fw     valid/ready, taken with sel_i.fw. fw_left_o: its words that are to be looked for in the
//        L1: not those given before nor those in the writeback buffer. Given are hits_i and those;
//        a FWD_READ of words that are not here is refused: NACK.
// tells  {a registration goes, a NACK goes, words are given}. push_rsp_o: something is sent
//        on rsp; to_line_i must be on data_i in the next cycle.
// req, rsp  valid/ready, as in hd_l1_dn_out. idle_o: nothing held; wb_empty_o: nothing to be
//        acknowledged. Parameters: WbEntries lines; ReqDepth packets; PartBits; LineWords, WordW.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_dn_send #(
  parameter int unsigned WbEntries = 4,
  parameter int unsigned ReqDepth = 8,
  parameter int unsigned PartBits = 4,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned LineW = hd_pkg::ADDR_W - $clog2(LineWords * 4),          // derived
  parameter int unsigned DataW = LineWords * WordW,                               // derived
  parameter int unsigned RetryW = LineW + LineWords + hd_pkg::TID_W,              // derived
  parameter int unsigned PassW = LineWords + hd_pkg::COH_CLS_W + 2 + hd_pkg::NODE_W  // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  logic [hd_pkg::NODE_W-1:0]  sm_id_i,
  input  hd_pkg::dn_sel_s            sel_i,
  input  hd_pkg::dn_do_s             act_i,
  input  logic [LineW-1:0]           line_i,
  input  logic [LineW-1:0]           to_line_i,
  input  logic [LineWords-1:0]       hits_i,
  input  logic [LineWords-1:0]       asks_i,
  input  logic                       put_i,
  input  logic [LineWords-1:0]       put_words_i,
  input  logic [hd_pkg::TID_W-1:0]   tid_i,
  input  logic [hd_pkg::OPID_W-1:0]  opid_i,
  input  logic [RetryW-1:0]          retry_i,
  input  logic [PassW-1:0]           pass_i,
  input  logic [DataW-1:0]           data_i,
  // forwards
  input  logic                       fw_valid_i,
  output logic                       fw_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0]  fw_head_i,
  output logic [LineWords-1:0]       fw_left_o,
  // what there is room for, what is done
  output logic                       wb_hit_o,
  output logic                       wb_room_o,
  output logic                       wb_empty_o,
  output logic                       req_room_o,
  output logic                       rsp_room_o,
  output logic                       push_rsp_o,
  output logic [2:0]                 tells_o,
  // packets
  output logic                       req_valid_o,
  input  logic                       req_ready_i,
  output logic [hd_pkg::HEAD_W-1:0]  req_head_o,
  output logic                       rsp_valid_o,
  input  logic                       rsp_ready_i,
  output logic [hd_pkg::HEAD_W-1:0]  rsp_head_o,
  output logic [DataW-1:0]           rsp_data_o,
  output logic                       idle_o
);
  localparam int unsigned WbW  = hd_pkg::idx_w(WbEntries);
  localparam int unsigned ClsW = hd_pkg::COH_CLS_W;

  hd_pkg::head_s             fw;
  hd_pkg::msg_e              kind;
  logic                      is_wback, is_fread, is_recall, gives, push_req;
  logic                      sync, home, pass_sync, pass_home;
  logic [LineWords-1:0]      words, rest, done_q, give, from_wb, wb_words, retry_words, pass_words;
  logic [ClsW-1:0]           cls, pass_cls;
  logic [hd_pkg::NODE_W-1:0] to, pass_to;
  logic [hd_pkg::TID_W-1:0]  tid, retry_tid;
  logic [LineW-1:0]          retry_line;
  logic [WbW-1:0]            wb_idx, put_idx, wb_rd_idx;
  logic [DataW-1:0]          wb_data;

  assign fw        = fw_head_i;
  assign is_wback  = fw.kind == hd_pkg::MSG_WB_ACK;
  assign is_fread  = fw.kind == hd_pkg::MSG_FWD_READ;
  assign is_recall = fw.kind == hd_pkg::MSG_RECALL;
  assign {retry_line, retry_words, retry_tid} = retry_i;
  assign {pass_words, pass_cls, pass_home, pass_sync, pass_to} = pass_i;

  hd_wb_buffer #(
    .Entries(WbEntries),
    .LineWords(LineWords),
    .WordW(WordW),
    .LineW(LineW)
  ) u_back (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .line_i(line_i),
    .hit_o(wb_hit_o),
    .idx_o(wb_idx),
    .words_o(wb_words),
    .room_o(wb_room_o),
    .put_i(put_i),
    .put_idx_o(put_idx),
    .put_line_i(to_line_i),
    .put_words_i(put_words_i),
    .put_data_i(data_i),
    .rd_idx_i(wb_rd_idx),
    .data_o(wb_data),
    .free_i(sel_i.fw && is_wback),
    .free_idx_i(fw.tid[WbW-1:0]),
    .empty_o(wb_empty_o)
  );

  // ---- a forward: its words that were in the L1 or on their way back, at once or, of a READ, in
  // steps
  assign rest      = fw.wmask.words[LineWords-1:0] & ~done_q;
  assign from_wb   = wb_words & rest;
  assign give      = from_wb | hits_i;
  assign gives     = sel_i.fw && !is_wback && give != '0;
  assign fw_left_o = is_wback ? '0 : rest & ~from_wb;
  assign fw_ready_o = sel_i.fw && (is_wback || !is_fread || give == '0 || (rest & ~give) == '0);
  always_ff @(posedge clk_i) begin
    if (rst_i || fw_ready_o) done_q <= '0;
    else if (sel_i.fw) done_q <= done_q | give;
  end

  // ---- the message of this cycle
  assign push_req = act_i.read || act_i.ask || sel_i.rt || (sel_i.fl && asks_i != '0);
  assign push_rsp_o = put_i || sel_i.ps || gives || (sel_i.fw && is_fread);
  always_comb begin
    kind  = hd_pkg::MSG_GETS;
    words = asks_i;
    cls   = hd_pkg::COH_READ;
    sync  = 1'b0;
    tid   = tid_i;
    home  = 1'b1;
    to    = fw.wmask.words[hd_pkg::COH_REQ +: hd_pkg::NODE_W];
    if (sel_i.rt) begin
      words = retry_words;
      tid   = retry_tid;
    end else if (put_i) begin
      kind  = hd_pkg::MSG_WB;
      words = put_words_i;
      cls   = hd_pkg::COH_WRITE;
      tid   = hd_pkg::TID_W'(put_idx);
    end else if (sel_i.fl || act_i.ask) begin
      kind = hd_pkg::MSG_REG;
      sync = act_i.ask;
      cls  = act_i.ask ? hd_pkg::COH_ATOMIC : hd_pkg::COH_REGISTRATION;
      tid  = '0;
    end else if (sel_i.ps) begin
      cls   = pass_cls;
      sync  = pass_sync;
      home  = pass_home;
      to    = pass_to;
      words = pass_words;
      tid   = '0;
      kind  = home ? hd_pkg::MSG_RECALL_DATA
            : sync ? hd_pkg::MSG_REG_DATA : hd_pkg::MSG_REG_ACK;
    end else if (sel_i.fw) begin
      cls   = fw.wmask.words[hd_pkg::COH_CLS +: ClsW];
      sync  = fw.wmask.words[hd_pkg::COH_SYNC];
      home  = is_recall;
      tid   = fw.tid;
      words = give;
      if (is_recall) kind = hd_pkg::MSG_RECALL_DATA;
      else if (!is_fread) kind = sync ? hd_pkg::MSG_REG_DATA : hd_pkg::MSG_REG_ACK;
      else kind = hd_pkg::MSG_DATA_S;
      if (is_fread && give == '0) begin
        kind  = hd_pkg::MSG_NACK;
        words = asks_i;
      end
    end else if (act_i.fetch) begin
      cls = hd_pkg::COH_ATOMIC;
    end
  end
  assign tells_o = {push_req && kind == hd_pkg::MSG_REG, sel_i.fw && kind == hd_pkg::MSG_NACK,
                    gives};
  hd_l1_dn_out #(
    .ReqDepth(ReqDepth),
    .PartBits(PartBits),
    .LineWords(LineWords),
    .WordW(WordW),
    .WbW(WbW)
  ) u_out (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sm_id_i(sm_id_i),
    .push_req_i(push_req),
    .push_rsp_i(push_rsp_o),
    .kind_i(kind),
    .line_i(sel_i.rt ? retry_line : to_line_i),
    .words_i(words),
    .sync_i(sync),
    .cls_i(cls),
    .tid_i(tid),
    .opid_i(opid_i),
    .home_i(home),
    .req_i(to),
    .from_wb_i(sel_i.fw && (|from_wb)),
    .wb_idx_i(wb_idx),
    .wb_rd_idx_o(wb_rd_idx),
    .wb_data_i(wb_data),
    .data_i(data_i),
    .req_room_o(req_room_o),
    .rsp_room_o(rsp_room_o),
    .req_valid_o(req_valid_o),
    .req_ready_i(req_ready_i),
    .req_head_o(req_head_o),
    .rsp_valid_o(rsp_valid_o),
    .rsp_ready_i(rsp_ready_i),
    .rsp_head_o(rsp_head_o),
    .rsp_data_o(rsp_data_o),
    .idle_o(idle_o)
  );

  logic unused;
  assign unused = ^{fw, sel_i, act_i};

  `HD_ASSERT(a_forward_kind, !fw_valid_i || is_wback || is_fread || is_recall
             || fw.kind == hd_pkg::MSG_FWD_REG)
  `HD_ASSERT(a_here_or_written_back, !(sel_i.fw && !is_wback) || from_wb == '0 || hits_i == '0)
endmodule
`default_nettype wire
