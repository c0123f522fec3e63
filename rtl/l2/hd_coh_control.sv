// hd_coh_control.sv - what an L2 bank of family GPU does in a cycle, and who has copies.
//
// Paper 3; docs/protocol_gpu.md; the work of a cycle: hd_coh_bank, whose ports these are: req (with
// req_ok), ack, mem (mrsp), done, pop, pack; the data, what is sent and hd_persist_l2 are there.
// Lines and entries are in hd_coh_lines.
// work_o the work, plan_o what is done of it, kind_o with which answer, to asker_o, lanes_o: words
//        or lanes of the entry. row_o: the row at work; line_o: what is there.
//        line_addr_o, tag_addr_o: address of the line at work, of that in the way.
// idx_o  the entry at work, new_idx_o the one that is taken, or that the fetched line is for.
// serve  the entry that is to be served next.
// can_i, and hold_i, leave_i (hd_persist_l2), back_ok_i, fetch_ok_i (a credit of the memory of
//        tag_addr_o, line_addr_o): what is possible; the latter four depend on the outputs.
// inv_head_o: the INV that work_o.inv sends.
// ev_o: registered pulses. idle_o: nothing queued here.
// Parameters: of hd_coh_bank; NumW bits of a line's number in the bank.
`include "hd_assert.svh"
`default_nettype none
module hd_coh_control #(
  parameter int unsigned Lanes       = 32,
  parameter int unsigned LineWords   = 16,
  parameter int unsigned Sets        = 256,
  parameter int unsigned Ways        = 16,
  parameter int unsigned MshrEntries = 64,
  parameter int unsigned PartBits    = 4,
  parameter int unsigned Persist     = 0,
  parameter int unsigned Inclusive   = 0,
  parameter int unsigned Sms         = 1,
  parameter int unsigned OffW  = $clog2(LineWords * 4),                    // derived: byte in line
  parameter int unsigned NumW  = hd_pkg::ADDR_W - OffW - PartBits,         // derived
  parameter int unsigned RowW  = $clog2(Sets) + $clog2(Ways),              // derived
  parameter int unsigned IdxW  = hd_pkg::idx_w(MshrEntries),               // derived
  parameter int unsigned LaneW = hd_pkg::lane_w(Lanes),                    // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes)                     // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [hd_pkg::NODE_W-1:0]    part_id_i,
  input  logic                         req_valid_i,
  input  logic                         req_nv_i,
  input  logic [HeadW-1:0]             req_head_i,
  input  logic                         ack_valid_i,
  input  logic [hd_pkg::HEAD_W-1:0]    ack_head_i,
  input  logic                         mem_valid_i,
  input  logic [IdxW-1:0]              mem_idx_i,
  input  logic                         done_valid_i,
  input  logic [IdxW-1:0]              done_idx_i,
  input  logic                         done_wrote_i,
  input  logic                         pop_valid_i,
  input  logic [NumW-1:0]              pop_num_i,
  input  logic                         pack_valid_i,
  input  hd_pkg::coh_can_s             can_i,
  input  logic                         hold_i,
  input  logic                         leave_i,
  input  logic                         back_ok_i,
  input  logic                         fetch_ok_i,
  output hd_pkg::coh_work_s            work_o,
  output hd_pkg::coh_plan_s            plan_o,
  output hd_pkg::msg_e                 kind_o,
  output hd_pkg::l2_asker_s            asker_o,
  output logic [LaneW-1:0]             lanes_o,
  output logic [RowW-1:0]              row_o,
  output hd_pkg::coh_line_s            line_o,
  output logic [hd_pkg::ADDR_W-1:0]    line_addr_o,
  output logic [hd_pkg::ADDR_W-1:0]    tag_addr_o,
  output logic [IdxW-1:0]              idx_o,
  output logic [IdxW-1:0]              new_idx_o,
  output logic                         serve_valid_o,
  output logic [IdxW-1:0]              serve_idx_o,
  output logic [hd_pkg::HEAD_W-1:0]    inv_head_o,
  // observation
  input  logic                         flush_i,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o,
  output logic                         idle_o
);
  localparam int unsigned SetW  = $clog2(Sets);
  localparam int unsigned WayW  = $clog2(Ways);
  localparam int unsigned TagW  = NumW - SetW;
  localparam bit          Incl  = Inclusive != 0;
  localparam int unsigned Who   = Incl ? Sms : 1;  // L1s that a line's sharers name

  hd_pkg::head_s             rq, ack;
  hd_pkg::role_s             rq_role;
  hd_pkg::role_e             m_role;
  hd_pkg::msg_e              msg;
  hd_pkg::l2_asker_s         asker, rq_asker, m_asker;
  hd_pkg::l2_line_s          found, line;
  hd_pkg::coh_at_s           at;
  hd_pkg::coh_step_s         step;
  hd_pkg::coh_work_s         there;
  hd_pkg::coh_now_s          now;
  hd_pkg::coh_recall_do_s    recall;
  hd_pkg::coh_recall_has_s   recalls;
  logic                      new_ok, m_next_ok, walk, cam_hit, lines_idle, bad;
  logic [IdxW-1:0]           new_idx, txn;
  logic [NumW-1:0]           num, rq_num, m_num;
  logic [SetW-1:0]           walk_set;
  logic [TagW-1:0]           tag;
  logic [LaneW-1:0]          rq_lanes, new_lanes;
  // inclusion
  logic                      shared, share_we, begun_q, blocks, frees;
  logic [Who-1:0]            sharers, sharers_d;
  logic [RowW-1:0]           fill_row;
  logic [IdxW-1:0]           fill_idx;
  logic [hd_pkg::EV_L2_NUM-1:0] ev;

  assign {rq_lanes, rq} = req_head_i;
  assign ack       = ack_head_i;
  assign rq_asker  = {rq.route.src, rq.tid, rq.opid};
  assign rq_role   = hd_pkg::l2_role(rq.kind);
  assign rq_num    = rq.addr[hd_pkg::ADDR_W-1 -: NumW];
  assign new_lanes = (rq.kind == hd_pkg::MSG_WT) ? LaneW'(rq.wmask.words) : rq_lanes;

  assign there.ack   = ack_valid_i;
  assign there.mem   = mem_valid_i;
  assign there.inv   = recalls.inv;
  assign there.done  = done_valid_i;
  assign there.pop   = pop_valid_i;
  assign there.pack  = pack_valid_i;
  assign there.fill  = recalls.fill;
  assign there.serve = serve_valid_o;
  assign there.req   = req_valid_i;
  assign there.walk  = walk;
  hd_coh_select #(
    .Inclusive(Inclusive),
    .Sets(Sets),
    .NumW(NumW),
    .IdxW(IdxW)
  ) u_select (
    .there_i(there),
    .req_ok_i(!begun_q),
    .can_i(can_i),
    .idx_i({mem_idx_i, done_idx_i, fill_idx, serve_idx_o}),
    .sets_i({fill_row[RowW-1 -: SetW], walk_set}),
    .ack_num_i(ack.addr[hd_pkg::ADDR_W-1 -: NumW]),
    .pop_num_i(pop_num_i),
    .req_i({rq.kind, rq_num}),
    .entry_i({m_role, m_num}),
    .work_o(work_o),
    .idx_o(idx_o),
    .num_o(num),
    .msg_o(msg)
  );

  assign now.shared      = shared;
  assign now.cam_hit     = cam_hit;
  assign now.blocks      = blocks;
  assign now.frees       = frees;
  assign now.new_ok      = new_ok;
  assign now.recall_free = recalls.free;
  assign now.next        = m_next_ok;
  assign now.did_write   = done_wrote_i;
  assign now.hold        = hold_i;
  assign now.leave       = leave_i;
  assign now.back_ok     = back_ok_i;
  assign now.fetch_ok    = fetch_ok_i;
  hd_coh_decide #(
    .Inclusive(Inclusive)
  ) u_decide (
    .work_i(work_o),
    .msg_i(msg),
    .can_i(can_i),
    .line_i(line),
    .now_i(now),
    .req_role_i(rq_role.role),
    .m_role_i(m_role),
    .plan_o(plan_o),
    .kind_o(kind_o),
    .ev_o(ev),
    .bad_o(bad)
  );
  `HD_COVER_PAIRS(g_dirgpu_pair, plan_o.take || plan_o.back || (work_o.walk && leave_i)
                  || (work_o.serve && (plan_o.answer || plan_o.perform)),
                  hd_pkg::gpu_dir_row(msg, work_o.serve, found.hit, found.lock,
                                      found.valid && found.dirty), 6,
                  hd_pkg::dir_column(msg), 4)
  always_comb begin
    line     = found;
    line.hit = found.hit && !work_o.fill;  // a fill knows its way, the number is only its set
  end
  assign shared = Incl && found.valid && sharers != '0;
  assign line_o = {found.hit, found.hit && !found.lock && found.dirty,
                   (found.hit && found.lock) || cam_hit};
  assign new_idx_o   = work_o.fill ? fill_idx : new_idx;
  assign asker       = work_o.req ? rq_asker : m_asker;
  assign asker_o     = asker;
  assign tag_addr_o  = {tag, num[SetW-1:0], {(OffW + PartBits) {1'b0}}}
                       | (hd_pkg::ADDR_W'(part_id_i) << OffW);
  assign line_addr_o = {work_o.fill ? m_num : num, {(OffW + PartBits) {1'b0}}}
                       | (hd_pkg::ADDR_W'(part_id_i) << OffW);

  assign at = {work_o != '0 && !work_o.inv && !work_o.pack, work_o.fill, work_o.walk,
               Incl && (work_o.req || work_o.pop)};
  assign step.take   = plan_o.take;
  assign step.alloc  = plan_o.alloc;
  assign step.chain  = plan_o.chain;
  assign step.waits  = plan_o.recall;
  assign step.fetch  = plan_o.fetch;
  assign step.ends   = plan_o.ends;
  assign step.push   = plan_o.push;
  assign step.pop    = work_o.serve;
  assign step.tag_we = plan_o.tag_we;
  assign step.valid  = !plan_o.back;
  assign step.lock   = plan_o.alloc || plan_o.recall || (work_o.fill && plan_o.fetch);
  assign step.recall = plan_o.recall;
  assign step.dir_we = plan_o.dir_we || share_we;
  assign step.dirty  = plan_o.wrote || (Incl && found.dirty && !plan_o.fetch && !plan_o.back);
  assign step.walked = work_o.walk && leave_i;
  hd_coh_lines #(
    .Sets(Sets),
    .Ways(Ways),
    .MshrEntries(MshrEntries),
    .NumW(NumW),
    .LaneW(LaneW),
    .Sms(Who)
  ) u_lines (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .at_i(at),
    .num_i(num),
    .fill_way_i(fill_row[WayW-1:0]),
    .line_o(found),
    .row_o(row_o),
    .tag_o(tag),
    .sharers_o(sharers),
    .txn_o(txn),
    .cam_hit_o(cam_hit),
    .rq_num_i(rq_num),
    .rq_role_i(rq_role.role),
    .rq_asker_i(rq_asker),
    .rq_lanes_i(new_lanes),
    .new_ok_o(new_ok),
    .new_idx_o(new_idx),
    .idx_i(idx_o),
    .m_num_o(m_num),
    .m_role_o(m_role),
    .m_asker_o(m_asker),
    .m_lanes_o(lanes_o),
    .next_ok_o(m_next_ok),
    .step_i(step),
    .sharers_i(sharers_d),
    .serve_valid_o(serve_valid_o),
    .serve_idx_o(serve_idx_o),
    .flush_i(flush_i),
    .walk_o(walk),
    .walk_set_o(walk_set),
    .idle_o(lines_idle)
  );

  // ---- inclusion -------------------------------------------------------------------------------
  // A row that is written to belongs to the epoch of its words: with Persist 2 a write to
  // non-volatile memory waits for its way without an entry.
  assign blocks = Persist == 2 && req_nv_i && rq_role.role != hd_pkg::ROLE_READ;
  if (Incl && Persist == 2) begin : g_begun
    logic [RowW-1:0] row_q;
    assign frees = begun_q && fill_row == row_q;
    always_ff @(posedge clk_i) begin
      if (rst_i) begun_q <= 1'b0;
      else if (plan_o.recall && blocks) begun_q <= 1'b1;
      else if (plan_o.filled && frees) begun_q <= 1'b0;
      if (plan_o.recall && blocks) row_q <= row_o;
    end
  end else begin : g_never
    assign {begun_q, frees} = '0;
  end
  // Who may have clean words of a line: who reads it, and who wrote dirty words through.
  assign recall.fetch  = plan_o.fetch;
  assign recall.share  = plan_o.answer
                         && (kind_o == hd_pkg::MSG_DATA_S || (plan_o.stored && asker.tid == '1));
  assign recall.ack    = work_o.ack;
  assign recall.start  = plan_o.recall;
  assign recall.inv    = work_o.inv;
  assign recall.filled = plan_o.filled;
  hd_coh_recalls #(
    .Inclusive(Inclusive),
    .Sms(Who),
    .RowW(RowW),
    .IdxW(IdxW),
    .Rows(MshrEntries + ((Persist == 2) ? 1 : 0))  // ... and of the request that waits in front
  ) u_recalls (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .part_id_i(part_id_i),
    .sharers_i(sharers),
    .do_i(recall),
    .who_i(work_o.ack ? ack.route.src : asker.src),
    .sharers_o(sharers_d),
    .we_o(share_we),
    .addr_i(tag_addr_o),
    .place_i({row_o, txn}),
    .has_o(recalls),
    .inv_head_o(inv_head_o),
    .fill_o({fill_row, fill_idx})
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) ev_o <= '0;
    else ev_o <= ev;
  end
  assign idle_o = recalls.idle && lines_idle && ev_o == '0;

  logic unused;
  assign unused = ^{rq, ack, bad};

  `HD_ASSERT(a_legal, !bad)
  `HD_ASSERT(a_one_work, $onehot0(work_o))
  `HD_ASSERT(a_served_line_is_there, !(work_o.mem || work_o.serve || work_o.done)
             || (found.hit && found.lock))
  `HD_ASSERT(a_turn, !(work_o.mem || work_o.serve || work_o.done) || txn == idx_o)
  `HD_ASSERT(a_walk_alone, !(walk && req_valid_i))
  `HD_ASSERT(a_ack_is_awaited, !work_o.ack
             || (ack.kind == hd_pkg::MSG_INV_ACK && found.hit && found.recall))
  `HD_ASSERT(a_recalled_way_may_leave, !work_o.fill || (leave_i && found.recall && sharers == '0))
endmodule
`default_nettype wire
