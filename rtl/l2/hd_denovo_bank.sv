// hd_denovo_bank.sv - L2 bank of family DENOVO: the registry of who owns which word.
//
// Paper 3 section 3; docs/protocol_denovo.md; table: hd_dir_denovo. A word of a present line has a
// value here or, with its owned bit, the number of the L1 that owns it in the same place. Each
// cycle does one piece of work, the first of this list that there is:
//   write  a writeback or answer to a recall, looked at in the cycle before, is merged
//   mem    a line from memory: its first message is next to be served
//   rsp    the packet of RSP is looked at
//   serve  the oldest entry whose turn it is; it needs a free hd_denovo_send
//   req    the request: served at once (with that free), or gets an entry, or waits (EV_L2_STALL);
//          for the way of a line with owned words their owners are asked first (one recall at a
//          time; requests wait meanwhile), a dirty one is written to memory first
//   walk   the next line of the flush walk
// A line is locked while entries of it exist; they are chained and served in order of arrival.
// hd_denovo_control: what is done, lines, entries, who owns what. Here: values and owners of words,
// and what is sent.
//
// req   valid/ready, heads. rsp: valid/ready, WB and RECALL_DATA, taken within finite time and
//       never waiting for anything sent: WB_ACKs owed are kept, as many as L1s can have writebacks
//       out.
// rs, fw  valid/ready: answers with words; forwards, and WB_ACK behind those decided before it.
// mrsp  valid/ready: line for entry mrsp_tid_i. mreq: mreq_claim_o (only with mreq_ok_i) announces
//       exactly one mreq_valid_o pulse, the cycle after.
// flush_i  pulse: walks all lines; the dirty ones are written to memory and stay, clean. No word
//       may be owned, no request under way or come before idle_o.
// obs   registered, checked builds only (ghosts), the cycle after words were given to a new owner:
//       whom, which words of which line. A word's owners are told in their order.
// ev_o  registered pulses. idle_o: nothing queued, no pulse out, no walk. Entries that wait for an
//       answer do not count.
// Parameters: LineWords, WordW; Sets, Ways; MshrEntries requests that wait; PartBits; Owed
// WB_ACKs; Bonus of hd_l2_emit, in hd_denovo_send.
`include "hd_assert.svh"
`default_nettype none
module hd_denovo_bank #(
  parameter int unsigned LineWords   = 16,
  parameter int unsigned Sets        = 256,
  parameter int unsigned Ways        = 16,
  parameter int unsigned MshrEntries = 64,
  parameter int unsigned PartBits    = 4,
  parameter int unsigned WordW       = 32,
  parameter int unsigned Owed        = 60,
  parameter int unsigned Bonus       = 1,
  parameter int unsigned LineW       = LineWords * WordW      // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [hd_pkg::NODE_W-1:0]    part_id_i,
  // requests
  input  logic                         req_valid_i,
  output logic                         req_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0]    req_head_i,
  // writebacks, answers to recalls
  input  logic                         rsp_valid_i,
  output logic                         rsp_ready_o,
  input  logic [hd_pkg::HEAD_W-1:0]    rsp_head_i,
  input  logic [LineW-1:0]             rsp_data_i,
  // lines from memory
  input  logic                         mrsp_valid_i,
  output logic                         mrsp_ready_o,
  input  logic [hd_pkg::TID_W-1:0]     mrsp_tid_i,
  input  logic [LineW-1:0]             mrsp_data_i,
  // answers
  output logic                         rs_valid_o,
  input  logic                         rs_ready_i,
  output logic [hd_pkg::HEAD_W-1:0]    rs_head_o,
  output logic [LineW-1:0]             rs_data_o,
  // forwards
  output logic                         fw_valid_o,
  input  logic                         fw_ready_i,
  output logic [hd_pkg::HEAD_W-1:0]    fw_head_o,
  // requests to memory
  input  logic                         mreq_ok_i,
  output logic                         mreq_claim_o,
  output logic                         mreq_valid_o,
  output logic                         mreq_write_o,
  output logic [hd_pkg::ADDR_W-1:0]    mreq_addr_o,
  output logic [hd_pkg::TID_W-1:0]     mreq_tid_o,
  output logic [LineW-1:0]             mreq_data_o,
  // observation
  input  logic                         flush_i,
  output logic                         obs_valid_o,
  output logic [hd_pkg::NODE_W-1:0]    obs_src_o,
  output logic [hd_pkg::OPID_W-1:0]    obs_opid_o,
  output logic [hd_pkg::ADDR_W-1:0]    obs_addr_o,
  output logic [LineW-1:0]             obs_data_o,
  output logic [LineWords-1:0]         obs_mask_o,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o,
  output logic                         idle_o
);
  localparam int unsigned OffW = $clog2(LineWords * 4);  // byte in line
  localparam int unsigned RowW = $clog2(Sets) + $clog2(Ways);
  localparam int unsigned Observe = (WordW > 32) ? 1 : 0;

  hd_pkg::head_s             rq, rsp, msg;
  hd_pkg::dn_in_s            there;
  hd_pkg::dn_words_s         words;
  hd_pkg::dn_held_s          held;
  hd_pkg::dn_work_s          work;
  hd_pkg::dn_plan_s          plan;
  logic                      ctl_idle, mreq_q, mwrite_q;
  logic [hd_pkg::ADDR_W-1:0] maddr_q;
  logic [hd_pkg::TID_W-1:0]  mtid_q;
  logic [LineWords-1:0]      mine;
  logic [RowW-1:0]           row;
  logic [hd_pkg::HEAD_W-1:0] head;
  logic [LineW-1:0]          wdata, rdata, owners;

  assign rq  = req_head_i;
  assign rsp = rsp_head_i;
  for (genvar i = 0; i < LineWords; i++) begin : g_mine
    assign mine[i] = rdata[WordW*i +: hd_pkg::NODE_W] == rsp.route.src;
  end
  assign there.req     = req_valid_i;
  assign there.rsp     = rsp_valid_i;
  assign there.mem     = mrsp_valid_i;
  assign there.tid     = mrsp_tid_i;
  assign there.mreq_ok = mreq_ok_i;
  assign there.free    = held.free;
  assign there.fw      = held.forward && fw_ready_i;
  assign there.rs      = held.rs && rs_ready_i;
  assign there.flush   = flush_i;
  hd_denovo_control #(
    .LineWords(LineWords),
    .Sets(Sets),
    .Ways(Ways),
    .MshrEntries(MshrEntries),
    .PartBits(PartBits)
  ) u_control (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .part_id_i(part_id_i),
    .in_i(there),
    .req_head_i(req_head_i),
    .rsp_head_i(rsp_head_i),
    .mine_i(mine),
    .work_o(work),
    .plan_o(plan),
    .head_o(head),
    .row_o(row),
    .words_o(words),
    .ev_o(ev_o),
    .idle_o(ctl_idle)
  );
  assign {req_ready_o, rsp_ready_o, mrsp_ready_o} = {plan.take, work.write, work.mem};
  assign msg          = head;
  assign mreq_claim_o = plan.back || plan.fetch;

  // ---- data: values, and owners ----------------------------------------------------------------
  for (genvar i = 0; i < LineWords; i++) begin : g_owners
    assign owners[WordW*i +: WordW] = WordW'(msg.route.src);
  end
  always_comb begin
    wdata = owners;
    if (work.mem) wdata = mrsp_data_i;
    else if (work.write) wdata = rsp_data_i;
  end
  hd_sram_1r1w #(
    .Width(LineW),
    .Depth(Sets * Ways),
    .Gran(WordW)
  ) u_data (
    .clk_i(clk_i),
    .we_i(work.mem || plan.merge || plan.own),
    .waddr_i(row),
    .wmask_i(words.words[LineWords-1:0] | {LineWords{work.mem}}),
    .wdata_i(wdata),
    .re_i(plan.read),
    .raddr_i(row),
    .rdata_o(rdata)
  );

  // ---- what is sent ----------------------------------------------------------------------------
  hd_denovo_send #(
    .LineWords(LineWords),
    .WordW(WordW),
    .PartBits(PartBits),
    .Owed(Owed),
    .Bonus(Bonus)
  ) u_send (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .part_id_i(part_id_i),
    .plan_i(plan),
    .head_i(head),
    .owned_i(words.owned[LineWords-1:0]),
    .line_i(rdata),
    .wb_head_i(rsp_head_i),
    .ready_i({rs_ready_i, fw_ready_i}),
    .held_o(held),
    .rs_head_o(rs_head_o),
    .rs_data_o(rs_data_o),
    .fw_head_o(fw_head_o)
  );
  assign {rs_valid_o, fw_valid_o} = {held.rs, held.fw};
  assign mreq_valid_o = mreq_q;
  assign mreq_write_o = mwrite_q;
  assign mreq_addr_o  = maddr_q;
  assign mreq_tid_o   = mtid_q;
  assign mreq_data_o  = rdata;

  always_ff @(posedge clk_i) begin
    if (rst_i) mreq_q <= 1'b0;
    else mreq_q <= mreq_claim_o;
    if (mreq_claim_o) begin
      mwrite_q <= plan.back;
      maddr_q  <= msg.addr;
      mtid_q   <= plan.tid;
    end
  end
  assign idle_o = held.idle && ctl_idle && !mreq_q;

  if (Observe != 0) begin : g_observe
    always_ff @(posedge clk_i) begin
      if (rst_i) obs_valid_o <= 1'b0;
      else obs_valid_o <= plan.own;
      obs_src_o  <= msg.route.src;
      obs_addr_o <= msg.addr;
      obs_mask_o <= words.words[LineWords-1:0];
    end
  end else begin : g_no_observe
    assign obs_valid_o = 1'b0;
    assign obs_src_o   = '0;
    assign obs_addr_o  = '0;
    assign obs_mask_o  = '0;
  end
  assign obs_opid_o = '0;
  assign obs_data_o = '0;

  logic unused;
  assign unused = ^{rq, rsp, msg, work, plan, words};

  `HD_ASSERT(a_line_of_this_bank, !req_valid_i || (rq.addr[OffW-1:0] == '0
             && (rq.addr >> OffW & hd_pkg::ADDR_W'((1 << PartBits) - 1))
                == hd_pkg::ADDR_W'(part_id_i)))
endmodule
`default_nettype wire
