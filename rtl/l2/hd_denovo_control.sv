// hd_denovo_control.sv - what an L2 bank of family DENOVO does in a cycle, and who owns which word.
//
// Paper 3 section 3; docs/protocol_denovo.md; table: hd_dir_denovo. The works of a cycle, and what
// becomes of lines: hd_denovo_bank, whose ports these are: req, rsp, mem (mrsp); the data and what
// is sent are there. Lines and entries are in hd_coh_lines.
//
// work_o the work, plan_o what is done of it, with the message of head_o: head_s of kind and bits
//        decided about, of its sender (route.src, tid, opid), or for it, and of the address of the
//        line in the row at work or, if that leaves, of the one in it. row_o the row, words_o words
//        of the line.
// in_i   req, rsp and mem beside the heads; in_i.fw, rs only for ev_o, registered pulses. mine_i:
//        words of the row that was read in the cycle before (plan_o.read) whose place names the
//        sender at rsp.
// idle_o: nothing queued here, no walk, no pulse out.
// Parameters: of hd_denovo_bank.
`include "hd_assert.svh"
`default_nettype none
module hd_denovo_control #(
  parameter int unsigned LineWords   = 16,
  parameter int unsigned Sets        = 256,
  parameter int unsigned Ways        = 16,
  parameter int unsigned MshrEntries = 64,
  parameter int unsigned PartBits    = 4,
  parameter int unsigned RowW = $clog2(Sets) + $clog2(Ways),  // derived
  parameter int unsigned IdxW = hd_pkg::idx_w(MshrEntries)    // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [hd_pkg::NODE_W-1:0]    part_id_i,
  input  hd_pkg::dn_in_s               in_i,
  input  logic [hd_pkg::HEAD_W-1:0]    req_head_i,
  input  logic [hd_pkg::HEAD_W-1:0]    rsp_head_i,
  input  logic [LineWords-1:0]         mine_i,
  output hd_pkg::dn_work_s             work_o,
  output hd_pkg::dn_plan_s             plan_o,
  output logic [hd_pkg::HEAD_W-1:0]    head_o,
  output logic [RowW-1:0]              row_o,
  output hd_pkg::dn_words_s            words_o,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o,
  output logic                         idle_o
);
  localparam int unsigned OffW = $clog2(LineWords * 4);             // byte in line
  localparam int unsigned NumW = hd_pkg::ADDR_W - OffW - PartBits;  // line number in the bank
  localparam int unsigned SetW = $clog2(Sets);
  localparam int unsigned TagW = NumW - SetW;

  hd_pkg::head_s             rq, rsp, head;
  hd_pkg::role_s             rq_role;
  hd_pkg::role_e             m_role;
  hd_pkg::msg_e              msg;
  hd_pkg::l2_asker_s         rq_asker, asker, from;
  hd_pkg::l2_line_s          line;
  hd_pkg::coh_at_s           at;
  hd_pkg::dir_dn_at_s        dir_at;
  hd_pkg::dir_dn_do_s        d;
  hd_pkg::coh_step_s         step;
  logic                      w_write, w_mem, w_rsp, w_serve, w_req, w_walk, is_wb;
  logic                      new_ok, serve_valid, m_next_ok, walk, lines_idle, bad, dirty;
  logic                      take, alloc, chain, fetch, back, recall, emit, ends, merged;
  logic                      own_we, look_q, recall_q, recall_ends;
  logic [LineWords-1:0]      owned, owned_now, owned_d, merge, left_q, words, dir_owned;
  logic [IdxW-1:0]           idx, new_idx, serve_idx, txn;
  logic [NumW-1:0]           num, m_num, rq_num, rsp_num;
  logic [SetW-1:0]           walk_set;
  logic [TagW-1:0]           tag;
  logic [hd_pkg::MASK_W-1:0] bits, m_bits;
  // what this family does not need
  logic                      cam_hit, sharers;

  assign rq       = req_head_i;
  assign rsp      = rsp_head_i;
  assign is_wb    = rsp.kind == hd_pkg::MSG_WB;
  assign rq_num   = rq.addr[hd_pkg::ADDR_W-1 -: NumW];
  assign rsp_num  = rsp.addr[hd_pkg::ADDR_W-1 -: NumW];
  assign rq_asker = {rq.route.src, rq.tid, rq.opid};
  assign rq_role.role = (rq.kind == hd_pkg::MSG_REG) ? hd_pkg::ROLE_WRITE : hd_pkg::ROLE_READ;

  // ---- the work of this cycle ------------------------------------------------------------------
  assign w_write = look_q;
  assign w_mem   = !w_write && in_i.mem;
  assign w_rsp   = !w_write && !w_mem && in_i.rsp;
  assign w_serve = !w_write && !w_mem && !w_rsp && serve_valid && in_i.free;
  assign w_req   = !w_write && !w_mem && !w_rsp && !w_serve && in_i.req && !recall_q;
  assign w_walk  = !w_write && !w_mem && !w_rsp && !w_serve && !in_i.req && walk && in_i.mreq_ok;
  assign work_o  = {w_write, w_mem, w_rsp, w_serve, w_req, w_walk};
  assign idx     = w_mem ? in_i.tid[IdxW-1:0] : serve_idx;
  always_comb begin
    num = m_num;
    if (w_req) num = rq_num;
    else if (w_write || w_rsp) num = rsp_num;
    else if (w_walk) num = NumW'(walk_set);
    msg = hd_pkg::MSG_NONE;
    if (w_write) msg = rsp.kind;
    else if (w_req) msg = rq.kind;
    else if (w_serve) msg = (m_role == hd_pkg::ROLE_READ) ? hd_pkg::MSG_GETS : hd_pkg::MSG_REG;
    bits = w_req ? rq.wmask.words : w_write ? rsp.wmask.words : m_bits;
  end
  assign from      = w_req ? rq_asker : asker;
  assign words     = bits[LineWords-1:0];
  assign dirty     = line.valid && line.dirty;
  assign owned_now = line.valid ? owned : '0;
  // Of a line on its way in hd_coh_lines keeps "recall"; owners are then those of the line before.
  assign dir_owned = (line.hit && line.recall) ? '0 : owned_now;

  assign dir_at.walk  = w_walk;
  assign dir_at.later = w_serve;
  assign dir_at.here  = line.hit;
  assign dir_at.busy  = line.lock;
  assign dir_at.dirty = dirty;
  hd_dir_denovo #(
    .LineWords(LineWords)
  ) u_dir (
    .en_i(w_write || w_req || w_serve || (w_walk && line.valid)),
    .msg_i(msg),
    .at_i(dir_at),
    .words_i(words),
    .owned_i(dir_owned),
    .mine_i(mine_i),
    .do_o(d),
    .merge_o(merge),
    .bad_o(bad)
  );

  `HD_COVER_PAIRS(g_dirdn_pair, (w_req && (take || back || recall)) || (w_serve && emit) || w_write
                  || (w_walk && line.valid),
                  hd_pkg::dn_dir_row(msg, w_serve, line.hit, line.lock, line.recall,
                                     (dir_owned & words) != '0, owned_now != '0, merge != '0,
                                     dirty), 8,
                  hd_pkg::dir_column(msg), 5)

  // ---- what is done ----------------------------------------------------------------------------
  assign back    = d.back && in_i.mreq_ok && line.ok;
  assign fetch   = d.fetch && line.ok && new_ok && in_i.mreq_ok;
  assign recall  = d.recall && line.ok && in_i.free;
  assign emit    = d.emit && in_i.free;
  assign alloc   = w_req && d.waits && new_ok && (fetch || !d.fetch);
  assign chain   = alloc && line.hit;
  assign take    = w_req && (alloc || emit);
  assign ends    = w_serve && emit;
  assign merged  = w_write && merge != '0;
  assign recall_ends = w_write && !is_wb && recall_q && (left_q & ~words) == '0;
  assign own_we  = fetch || merged || (emit && d.own);
  always_comb begin
    owned_d = '0;
    if (emit) owned_d = owned | words;
    else if (w_write) owned_d = owned & ~merge;
  end
  assign plan_o = {hd_pkg::TID_W'(new_idx), take, fetch, back, recall, emit, emit && d.own,
                   merged, w_write && d.ack, w_rsp || back || recall || emit};
  always_comb begin
    head             = '0;
    head.addr        = {(back || recall) ? {tag, num[SetW-1:0]} : num, {(OffW + PartBits) {1'b0}}}
                     | (hd_pkg::ADDR_W'(part_id_i) << OffW);
    head.wmask.words = bits;
    if (recall) begin
      head.wmask.words = hd_pkg::MASK_W'({hd_pkg::COH_WRITE, 1'b0, hd_pkg::COH_WORDS'(owned)});
    end
    head.tid         = from.tid;
    head.opid        = from.opid;
    head.kind        = recall ? hd_pkg::MSG_RECALL : msg;
    head.route.src   = from.src;
    words_o.words    = w_write ? hd_pkg::COH_WORDS'(merge) : hd_pkg::COH_WORDS'(words);
    words_o.owned    = hd_pkg::COH_WORDS'(owned);
  end
  assign head_o = head;

  assign at = {work_o != '0, 1'b0, w_walk, 1'b0};
  assign step.take   = take;
  assign step.alloc  = alloc;
  assign step.chain  = chain;
  assign step.fetch  = fetch;
  assign step.ends   = ends;
  assign step.push   = w_mem || (ends && m_next_ok);
  assign step.pop    = ends;
  assign step.tag_we = fetch || (back && w_req) || w_mem || (ends && !m_next_ok) || recall
                       || recall_ends;
  assign step.valid  = !back;
  assign step.lock   = fetch || w_mem || recall;
  assign step.recall = fetch;
  assign step.dir_we = fetch || merged || (back && w_walk);
  assign step.dirty  = merged;
  assign step.walked = w_walk;
  assign step.waits  = '0;
  hd_coh_lines #(
    .Sets(Sets),
    .Ways(Ways),
    .MshrEntries(MshrEntries),
    .NumW(NumW),
    .LaneW(hd_pkg::MASK_W),
    .Sms(1)
  ) u_lines (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .at_i(at),
    .num_i(num),
    .fill_way_i({$clog2(Ways){1'b0}}),
    .line_o(line),
    .row_o(row_o),
    .tag_o(tag),
    .sharers_o(sharers),
    .txn_o(txn),
    .cam_hit_o(cam_hit),
    .rq_num_i(rq_num),
    .rq_role_i(rq_role.role),
    .rq_asker_i(rq_asker),
    .rq_lanes_i(rq.wmask.words),
    .new_ok_o(new_ok),
    .new_idx_o(new_idx),
    .idx_i(idx),
    .m_num_o(m_num),
    .m_role_o(m_role),
    .m_asker_o(asker),
    .m_lanes_o(m_bits),
    .next_ok_o(m_next_ok),
    .step_i(step),
    .sharers_i(1'b0),
    .serve_valid_o(serve_valid),
    .serve_idx_o(serve_idx),
    .flush_i(in_i.flush),
    .walk_o(walk),
    .walk_set_o(walk_set),
    .idle_o(lines_idle)
  );
  hd_regfile #(
    .Width(LineWords),
    .Depth(Sets * Ways)
  ) u_owned (
    .clk_i(clk_i),
    .we_i(own_we),
    .waddr_i(row_o),
    .wmask_i(1'b1),
    .wdata_i(owned_d),
    .raddr_i(row_o),
    .rdata_o(owned)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      look_q   <= 1'b0;
      recall_q <= 1'b0;
      ev_o     <= '0;
    end else begin
      look_q <= w_rsp;
      if (recall) recall_q <= 1'b1;
      else if (recall_ends) recall_q <= 1'b0;
      ev_o                          <= '0;
      ev_o[hd_pkg::EV_L2_GETS]      <= take && rq_role.role == hd_pkg::ROLE_READ;
      ev_o[hd_pkg::EV_L2_REG]       <= take && rq_role.role == hd_pkg::ROLE_WRITE;
      ev_o[hd_pkg::EV_L2_HIT]       <= take && line.hit && !line.lock;
      ev_o[hd_pkg::EV_L2_MISS]      <= fetch;
      ev_o[hd_pkg::EV_L2_CHAINED]   <= chain;
      ev_o[hd_pkg::EV_L2_STALL]     <= in_i.req && !take && !back && !recall;
      ev_o[hd_pkg::EV_L2_WB]        <= w_write && is_wb;
      {ev_o[hd_pkg::EV_L2_FWD], ev_o[hd_pkg::EV_L2_GRANT]} <= {in_i.fw, in_i.rs};
      ev_o[hd_pkg::EV_L2_RECALL]    <= recall;
      ev_o[hd_pkg::EV_L2_MEM_READ]  <= fetch;
      ev_o[hd_pkg::EV_L2_MEM_WRITE] <= back;
    end
    if (recall) left_q <= owned;
    else if (w_write && !is_wb) left_q <= left_q & ~words;
  end
  assign idle_o = lines_idle && !look_q && ev_o == '0;

  logic unused;
  assign unused = ^{rq, rsp, line, txn, cam_hit, sharers, bits, in_i};

  `HD_ASSERT(a_legal, !bad)
  `HD_ASSERT(a_partition, part_id_i >> PartBits == '0)
`ifndef SYNTHESIS
  logic [RowW-1:0] recall_row_q;  // for the assertion
  always_ff @(posedge clk_i) if (recall) recall_row_q <= row_o;
  `HD_ASSERT(a_recalled_line, !(w_write && !is_wb) || (recall_q && row_o == recall_row_q
                                                       && (words & ~left_q) == '0))
`endif
  `HD_ASSERT(a_served_line_is_there, !(w_mem || w_serve) || (line.hit && line.lock && txn == idx))
  `HD_ASSERT(a_walk_alone, !(walk && in_i.req))
endmodule
`default_nettype wire
