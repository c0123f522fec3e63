// hd_l2_emit.sv - the messages that one decision of an L2 bank of family DENOVO causes.
//
// Paper 3; docs/protocol_denovo.md, no deadlock: all of them are decided at once and leave one by
// one; nothing else is decided meanwhile but writebacks and lines from memory.
// in    load_i (only with free_o): ask_i is {owned, head}, words of the line that have an owner and
//       what was asked: kind (GETS, REG, or RECALL for an eviction), addr, route.src, tid, opid and
//       wmask.words: which words, and what else stands there (COH_*). In the next cycle the line is
//       on line_i: values, and in the low bits of an owned word its owner.
// rs    DATA_S, REG_DATA, REG_ACK with the words that have no owner, valid/ready. Bonus: a DATA_S
//       brings all words that have none, else those asked for.
// fw    FWD_READ, FWD_REG, RECALL, one to each owner, valid/ready.
// Parameters: LineWords, WordW, Bonus. Latency 2. part_id_i: this partition.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_emit #(
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned Bonus = 1,
  parameter int unsigned LineW = LineWords * WordW,         // derived
  parameter int unsigned AskW = LineWords + hd_pkg::HEAD_W  // derived
) (
  input  logic                        clk_i,
  input  logic                        rst_i,
  input  logic [hd_pkg::NODE_W-1:0]   part_id_i,
  output logic                        free_o,
  input  logic                        load_i,
  input  logic [AskW-1:0]             ask_i,
  input  logic [LineW-1:0]            line_i,
  output logic                        rs_valid_o,
  input  logic                        rs_ready_i,
  output logic [hd_pkg::HEAD_W-1:0]   rs_head_o,
  output logic [LineW-1:0]            rs_data_o,
  output logic                        fw_valid_o,
  input  logic                        fw_ready_i,
  output logic [hd_pkg::HEAD_W-1:0]   fw_head_o
);
  localparam int unsigned ReqLsb = hd_pkg::COH_REQ;

  logic                      valid_q, snap_q, own_q, rest_any;
  hd_pkg::kind_s             kind_q;
  hd_pkg::head_s             ask, rs, fw;
  logic [hd_pkg::ADDR_W-1:0] addr_q;
  logic [hd_pkg::NODE_W-1:0] src_q, owner;
  logic [hd_pkg::TID_W-1:0]  tid_q;
  logic [hd_pkg::OPID_W-1:0] opid_q;
  logic [hd_pkg::MASK_W-1:0] bits_q;
  logic [LineWords-1:0]      words, owned, owned_q, left_q, theirs, home;
  logic [LineW-1:0]          line_q;

  assign {owned, ask} = ask_i;
  assign words    = bits_q[LineWords-1:0];
  assign free_o   = !valid_q;
  assign rest_any = left_q != '0;
  assign home     = (Bonus != 0 && kind_q.kind == hd_pkg::MSG_GETS) ? ~owned_q : words & ~owned_q;

  // The owner of the lowest word that is left, and its other words.
  always_comb begin
    owner  = '0;
    theirs = '0;
    for (int w = LineWords - 1; w >= 0; w--) begin
      if (left_q[w]) owner = line_q[WordW*w +: hd_pkg::NODE_W];
    end
    for (int unsigned w = 0; w < LineWords; w++) begin
      theirs[w] = left_q[w] && line_q[WordW*w +: hd_pkg::NODE_W] == owner;
    end
  end

  always_comb begin
    rs             = '0;
    rs.addr        = addr_q;
    rs.tid         = tid_q;
    rs.opid        = opid_q;
    rs.wmask.words = bits_q;
    rs.wmask.words[LineWords-1:0] = home;
    rs.route       = hd_pkg::route_down(part_id_i, src_q);
    rs.kind        = hd_pkg::MSG_DATA_S;
    if (kind_q.kind == hd_pkg::MSG_REG) begin
      rs.kind = bits_q[hd_pkg::COH_SYNC] ? hd_pkg::MSG_REG_DATA : hd_pkg::MSG_REG_ACK;
    end
    fw             = rs;
    fw.wmask.words[LineWords-1:0] = theirs;
    fw.wmask.words[ReqLsb +: hd_pkg::NODE_W] = src_q;
    fw.route       = hd_pkg::route_down(part_id_i, owner);
    unique case (kind_q.kind)
      hd_pkg::MSG_GETS: fw.kind = hd_pkg::MSG_FWD_READ;
      hd_pkg::MSG_REG:  fw.kind = hd_pkg::MSG_FWD_REG;
      default:          fw.kind = hd_pkg::MSG_RECALL;
    endcase
  end
  assign rs_valid_o = valid_q && !snap_q && own_q;
  assign rs_head_o  = rs;
  assign rs_data_o  = line_q;
  assign fw_valid_o = valid_q && !snap_q && rest_any;
  assign fw_head_o  = fw;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= 1'b0;
      snap_q  <= 1'b0;
    end else begin
      snap_q <= load_i;
      if (load_i) valid_q <= 1'b1;
      else if (!snap_q && (!own_q || rs_ready_i)
               && (!rest_any || (fw_ready_i && theirs == left_q))) valid_q <= 1'b0;
    end
    if (load_i) begin
      kind_q.kind <= ask.kind;
      addr_q  <= ask.addr;
      src_q   <= ask.route.src;
      tid_q   <= ask.tid;
      opid_q  <= ask.opid;
      bits_q  <= ask.wmask.words;
      owned_q <= owned;
      left_q  <= ask.wmask.words[LineWords-1:0] & owned;
      own_q   <= (ask.wmask.words[LineWords-1:0] & ~owned) != '0;
    end else begin
      if (rs_valid_o && rs_ready_i) own_q <= 1'b0;
      if (fw_valid_o && fw_ready_i) left_q <= left_q & ~theirs;
    end
    if (snap_q) line_q <= line_i;
  end

  logic unused;
  assign unused = ^ask;

  `HD_ASSERT(a_load_when_free, !load_i || free_o)
  `HD_ASSERT(a_asks_for_no_own_word, !fw_valid_o || kind_q.kind == hd_pkg::MSG_RECALL
             || owner != src_q)
endmodule
`default_nettype wire
