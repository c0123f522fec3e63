// hd_l2_control.sv - decides what an L2 bank does: one piece of work a cycle over the waiting
// requests, tags and directory (the list of works is in hd_l2_bank's header).
//
// req, rsp, mem, done, pop  what there is to do: a request (head), a packet of RSP (head without
//         lanes), a line from memory for entry mem_idx_i, a performed atomic of entry done_idx_i, a
//         line to be cleaned.
// can     out_free_i, mreq_ok_i: the sending stage, memory takes something; wr_room_i, at_free_i,
//         body_ready_i: hd_l2_data.
// work_o, plan_o  what is done, of the entry idx_o (new_idx_o the one a request takes), whose
//         fields are m_*; of the line in set set_o, way way_o, which holds tag tag_o. msg_o: the
//         message to send, its SM counts if plan_o.ask. serve_*: the entry to be served next.
//         busy_o: a transaction of the line at work is under way; dirty_o: it is here and dirty.
// flush_i starts the walk. ev_o registered pulses. idle_o: nothing queued, no walk, no pulse out.
// Parameters as of hd_l2_bank; NumW, SetW, WayW, IdxW bits of line number, set, way, entry.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_control #(
  parameter int unsigned Family = hd_pkg::FAMILY_MESI,
  parameter int unsigned Sms = 16,
  parameter int unsigned Lanes = 32,
  parameter int unsigned Sets = 128,
  parameter int unsigned Ways = 8,
  parameter int unsigned MshrEntries = 128,
  parameter int unsigned LaneMasks = 0,
  parameter int unsigned NumW = 22,
  parameter int unsigned SetW = $clog2(Sets),              // derived
  parameter int unsigned WayW = $clog2(Ways),              // derived
  parameter int unsigned TagW = NumW - SetW,               // derived
  parameter int unsigned IdxW = hd_pkg::idx_w(MshrEntries),  // derived
  parameter int unsigned LaneW = hd_pkg::lane_w(Lanes),    // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes)     // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  // req, rsp, mem, done, pop
  input  logic                         req_valid_i,
  input  logic [HeadW-1:0]             req_head_i,
  input  logic                         rsp_valid_i,
  input  logic [hd_pkg::HEAD_W-1:0]    rsp_head_i,
  input  logic                         mem_valid_i,
  input  logic [IdxW-1:0]              mem_idx_i,
  input  logic                         done_valid_i,
  input  logic [IdxW-1:0]              done_idx_i,
  input  logic                         pop_valid_i,
  input  logic [NumW-1:0]              pop_num_i,
  // can
  input  logic                         out_free_i,
  input  logic                         mreq_ok_i,
  input  logic                         wr_room_i,
  input  logic                         at_free_i,
  input  logic                         body_ready_i,
  // decision
  output hd_pkg::l2_work_s             work_o,
  output hd_pkg::l2_plan_s             plan_o,
  output hd_pkg::l2_msg_s              msg_o,
  output logic [SetW-1:0]              set_o,
  output logic [WayW-1:0]              way_o,
  output logic [TagW-1:0]              tag_o,
  output logic [IdxW-1:0]              idx_o,
  output logic [IdxW-1:0]              new_idx_o,
  output hd_pkg::role_e                m_role_o,
  output logic [NumW-1:0]              m_num_o,
  output hd_pkg::l2_asker_s            m_asker_o,
  output logic [LaneW-1:0]             m_lanes_o,
  output logic                         serve_valid_o,
  output logic [IdxW-1:0]              serve_idx_o,
  output logic                         busy_o,
  output logic                         dirty_o,
  // observation
  input  logic                         flush_i,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o,
  output logic                         idle_o
);
  if (Sms < 1 || Sms > (1 << hd_pkg::NODE_W)) begin : g_bad_sms
    $error("hd_l2_control: Sms must be 1 to 2**NODE_W");
  end
  localparam bit          Vi        = Family == hd_pkg::FAMILY_VI;
  localparam int unsigned EchoLanes = Vi ? 1 : LaneMasks;  // an entry keeps lanes or words
  localparam int unsigned WalkW     = SetW + WayW;

  logic                put, keep, all_told, any_work, cam_en, t_recall_any;
  logic [IdxW-1:0]     fill_idx, cam_idx, m_next, txn, chain_head;
  logic [WayW-1:0]     fill_way;
  logic [WalkW-1:0]    walk_line;
  logic [NumW-1:0]     num, rq_num;
  logic [LaneW-1:0]    rq_lanes, new_lanes;
  logic [Sms-1:0]      t_sharers, d_sharers, todo, rest;
  hd_pkg::head_s       rq, rs;
  hd_pkg::role_s       rq_role;
  hd_pkg::l2_work_s    queued, is;
  hd_pkg::l2_line_s    line;
  hd_pkg::l2_can_s     can;
  hd_pkg::l2_next_s    next;
  hd_pkg::l2_asked_s   asked;
  hd_pkg::l2_way_do_s  way_do;
  hd_pkg::l2_entries_s entries;
  hd_pkg::l2_entries_do_s entries_do;

  assign {rq_lanes, rq} = req_head_i;
  assign rs         = rsp_head_i;
  assign rq_role    = hd_pkg::l2_role(rq.kind);
  assign rq_num     = rq.addr[hd_pkg::ADDR_W-1 -: NumW];
  assign new_lanes  = (rq.kind == hd_pkg::MSG_WT) ? LaneW'(rq.wmask.words) : rq_lanes;
  assign put        = rs.kind == hd_pkg::MSG_PUTM || rs.kind == hd_pkg::MSG_PUTE;
  assign can        = {out_free_i, mreq_ok_i, entries, wr_room_i, at_free_i};  // in that order
  assign cam_en     = (work_o.req || work_o.pop) && !line.hit && t_recall_any;
  assign busy_o     = line.hit ? line.lock : entries.cam_hit;
  assign dirty_o    = line.hit && line.dirty;
  assign chain_head = entries.cam_hit ? cam_idx : txn;
  assign all_told   = todo == '0;
  assign set_o      = num[SetW-1:0];
  // Not in the ports: Yosys 0.23 fails on constants there.
  assign any_work   = work_o != '0;
  assign keep       = m_role_o == hd_pkg::ROLE_READ && !entries.recall;
  assign idle_o     = queued == '0 && ev_o == '0;
  assign serve_valid_o = queued.serve;

  always_comb begin
    is      = queued;
    is.pop  = pop_valid_i;
    is.rsp  = rsp_valid_i;
    is.mem  = mem_valid_i;
    is.done = done_valid_i;
    is.req  = req_valid_i;
  end
  hd_l2_select #(
    .IdxW(IdxW),
    .NumW(NumW),
    .SetW(SetW)
  ) u_select (
    .is_i(is),
    .ready_i({out_free_i, mreq_ok_i, at_free_i, body_ready_i}),
    .idx_i({rs.tid[IdxW-1:0], mem_idx_i, done_idx_i, fill_idx, serve_idx_o}),
    .rsp_num_i(rs.addr[hd_pkg::ADDR_W-1 -: NumW]),
    .pop_num_i(pop_num_i),
    .req_num_i(rq_num),
    .walk_set_i(walk_line[WalkW-1 -: SetW]),
    .role_i(m_role_o),
    .m_num_i(m_num_o),
    .work_o(work_o),
    .idx_o(idx_o),
    .num_o(num)
  );

  assign entries_do.alloc      = plan_o.alloc;
  assign entries_do.chain      = plan_o.alloc_chain;
  assign entries_do.recall     = plan_o.alloc_recall;
  assign entries_do.recall_clr = plan_o.recall_clr;
  assign entries_do.wait_set   = plan_o.wait_set;
  assign entries_do.free       = plan_o.free;
  assign entries_do.txn_clr    = plan_o.txn_clr;
  hd_l2_mshr #(
    .Entries(MshrEntries),
    .LineW(NumW),
    .LaneMasks(EchoLanes),
    .LaneW(LaneW)
  ) u_mshr (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .do_i(entries_do),
    .is_o(entries),
    .new_idx_o(new_idx_o),
    .new_i({new_lanes, rq_num, rq_role.role, rq.route.src, rq.tid, rq.opid}),
    .chain_head_i(chain_head),
    .idx_i(idx_o),
    .entry_o({m_lanes_o, m_num_o, m_role_o, m_asker_o}),
    .next_o(m_next),
    .txn_i(txn),
    .cam_en_i(cam_en),
    .cam_line_i(num),
    .cam_idx_o(cam_idx)
  );

  assign way_do.tag_we = plan_o.tag_we;
  assign way_do.valid  = plan_o.wvalid;
  assign way_do.lock   = plan_o.wlock;
  assign way_do.recall = plan_o.wrecall;
  assign way_do.dir_we = plan_o.dir_we;
  assign way_do.dirty  = next.dirty;
  assign way_do.excl   = next.excl;
  assign way_do.txn_we = plan_o.txn_we;
  assign way_do.touch  = plan_o.touch;
  hd_l2_tags #(
    .Sets(Sets),
    .Ways(Ways),
    .TagW(TagW),
    .Sms(Sms),
    .IdxW(IdxW)
  ) u_tags (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .en_i(any_work),
    .num_i(num),
    .way_known_i(work_o.fill || work_o.walk),
    .way_i(work_o.fill ? fill_way : walk_line[WayW-1:0]),
    .line_o(line),
    .recall_any_o(t_recall_any),
    .way_o(way_o),
    .holds_o({tag_o, txn, t_sharers}),
    .do_i(way_do),
    .holds_i({work_o.fill ? m_num_o[NumW-1:SetW] : tag_o, plan_o.alloc ? new_idx_o : m_next,
              d_sharers})
  );

  hd_l2_decide #(
    .Family(Family),
    .Sms(Sms)
  ) u_decide (
    .work_i(work_o),
    .line_i(line),
    .sharers_i(t_sharers),
    .rsp_i({rs.kind, rs.route.src}),
    .req_i({rq.kind, rq.route.src}),
    .m_i({m_role_o, m_asker_o.src}),
    .can_i(can),
    .todo_i(todo),
    .plan_o(plan_o),
    .send_o(msg_o),
    .rest_o(rest),
    .next_o(next),
    .sharers_o(d_sharers),
    .asked_o(asked)
  );

  hd_l2_queues #(
    .Entries(MshrEntries),
    .Sms(Sms),
    .WayW(WayW),
    .WalkW(WalkW)
  ) u_queues (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .work_i(work_o),
    .plan_i(plan_o),
    .push_i({idx_o, txn, m_next, new_idx_o}),
    .way_i(way_o),
    .queued_o(queued),
    .fill_idx_o(fill_idx),
    .fill_way_o(fill_way),
    .serve_idx_o(serve_idx_o),
    .todo_o(todo),
    .rest_i(rest),
    .flush_i(flush_i),
    .walk_line_o(walk_line)
  );

  hd_l2_events #(
    .Family(Family),
    .Sms(Sms)
  ) u_events (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .work_i(work_o),
    .plan_i(plan_o),
    .line_i(line),
    .req_kind_i(rq.kind),
    .rsp_kind_i(rs.kind),
    .send_kind_i(msg_o.kind),
    .first_i(all_told),
    .asked_i(asked),
    .keep_i(keep),
    .sharers_i(t_sharers),
    .ev_o(ev_o)
  );

  logic unused;
  assign unused = ^{rq, rs, line};

  `HD_ASSERT(a_one_work, $onehot0(work_o))
  `HD_ASSERT(a_message_fits_line_state, !work_o.rsp || (line.hit && !next.bad))
  `HD_ASSERT(a_answer_to_transaction, !work_o.rsp || put || (line.lock && txn == idx_o))
  `HD_ASSERT(a_served_line_is_there, !(work_o.mem || work_o.serve || work_o.done)
             || (line.hit && line.lock && !line.recall && txn == idx_o))
  `HD_ASSERT(a_no_walk_under_way, !(queued.walk && line.lock && work_o.walk))
endmodule
`default_nettype wire
