// hd_l2_bank.sv - the L2 bank proper: one decision a cycle over tags, directory, MSHRs and data.
//
// Each cycle does one piece of work, the first of this list that there is:
//   rsp    a packet of the RSP network (PUT, answer to a fetch or invalidation). Always taken.
//   mrsp   a line from memory
//   done   (VI) the atomic that was performed: writes its words and answers. Needs out_free.
//   fill   the oldest entry that needs a way: invalidates or fetches the victim's copies, writes
//          the victim to memory, installs the new tag and asks memory. Needs out_free, mreq_ok_i.
//   serve  the oldest entry whose line is there and whose turn it is: invalidates, fetches, waits
//          for a PUT, or grants. Needs out_free.
//   req    the request at req_*: granted at once, or gets an MSHR entry, or waits (EV_L2_STALL)
//   flush  the next line of the flush walk
// An entry is in at most one of the two queues, and in none while it waits for an answer; the
// answer puts it back. Invalidations are sent one a cycle; the entry stays at the head meanwhile.
//
// req   valid/ready; req_head_i a hd_pkg::head_s. req_ready_o depends on req_valid_i and the rest.
// rsp   valid, always taken in the cycle it is offered; data words outside the wmask are not read.
// mrsp  valid/ready: line for MSHR entry mrsp_tid_i.
// dn    valid/ready: packet to an SM, a cycle after the decision; order of decision is kept.
// mreq  mreq_claim_o (only with mreq_ok_i) announces exactly one mreq_valid_o pulse, the cycle
//       after. mreq_data_o only with mreq_write_o.
// flush_i  pulse: walks all lines; the dirty ones are written to memory and stay, clean. No request
//       may be under way or come before idle_o.
// ev_o  registered pulses. idle_o: nothing queued, no pulse out, no walk. Entries that wait for an
//       answer do not count. part_id_i is constant and below 2**PartBits.
// Family VI: requests bring a body (req_body_i, hd_wt_queue), which is kept in hd_l2_writes while
// they wait; stores are written and atomics (hd_atomic_unit, one at a time) performed here. A head
// of the serve queue waits a cycle for its body. obs_*: registered, checked builds only, the cycle
// after a store was written: who, which line, and the line before it.
// Paper 1 sections 3.6 and 5, Table 2; protocols: docs/protocol_mesi.md, docs/protocol_vi.md;
// tables: hd_l2_decide, hd_dir_mesi, hd_dir_vi.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_bank #(
  parameter int unsigned Family      = hd_pkg::FAMILY_MESI,
  parameter int unsigned Sms         = 16,
  parameter int unsigned Lanes       = 32,   // VI: of an atomic
  parameter int unsigned WritePlaces = 32,   // VI: stores and atomics that may wait
  parameter int unsigned LineWords   = 32,   // words of a line
  parameter int unsigned Sets        = 128,
  parameter int unsigned Ways        = 8,
  parameter int unsigned MshrEntries = 128,
  parameter int unsigned PartBits    = 3,    // log2 of the partitions
  parameter int unsigned LaneMasks   = 0,    // 1: grants echo the lanes of requests
  parameter int unsigned WordW       = 32,   // bits of a word
  parameter int unsigned FlitWords   = hd_pkg::FLIT_WORDS,
  parameter int unsigned LineW       = LineWords * WordW,  // derived
  parameter int unsigned HeadW       = hd_pkg::head_w(Lanes),  // derived
  parameter int unsigned BodyW = hd_pkg::request_body(Family, LineWords, Lanes, WordW,
                                                    FlitWords),
  parameter int unsigned DownW = hd_pkg::down_body(Family, LineWords, Lanes, WordW,
                                                 FlitWords)
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [hd_pkg::NODE_W-1:0]    part_id_i,

  input  logic                         req_valid_i,
  output logic                         req_ready_o,
  input  logic [HeadW-1:0]             req_head_i,
  input  logic [BodyW-1:0]             req_body_i,

  input  logic                         rsp_valid_i,
  input  logic [HeadW-1:0]             rsp_head_i,
  input  logic [LineW-1:0]             rsp_data_i,

  input  logic                         mrsp_valid_i,
  output logic                         mrsp_ready_o,
  input  logic [hd_pkg::TID_W-1:0]     mrsp_tid_i,
  input  logic [LineW-1:0]             mrsp_data_i,

  output logic                         dn_valid_o,
  input  logic                         dn_ready_i,
  output logic [HeadW-1:0]             dn_head_o,
  output logic [DownW-1:0]             dn_data_o,

  input  logic                         mreq_ok_i,
  output logic                         mreq_claim_o,
  output logic                         mreq_valid_o,
  output logic                         mreq_write_o,
  output logic [hd_pkg::ADDR_W-1:0]    mreq_addr_o,
  output logic [hd_pkg::TID_W-1:0]     mreq_tid_o,
  output logic [LineW-1:0]             mreq_data_o,

  input  logic                         flush_i,
  output logic                         obs_valid_o,
  output logic [hd_pkg::NODE_W-1:0]    obs_src_o,
  output logic [hd_pkg::OPID_W-1:0]    obs_opid_o,
  output logic [hd_pkg::ADDR_W-1:0]    obs_addr_o,
  output logic [LineW-1:0]             obs_data_o,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o,
  output logic                         idle_o
);
  localparam int unsigned OffW  = $clog2(LineWords * 4);           // byte in line
  localparam int unsigned NumW  = hd_pkg::ADDR_W - OffW - PartBits;  // line number in the bank
  localparam int unsigned SetW  = $clog2(Sets);
  localparam int unsigned WayW  = $clog2(Ways);
  localparam int unsigned TagW  = NumW - SetW;
  localparam int unsigned IdxW  = hd_pkg::idx_w(MshrEntries);
  localparam int unsigned CntW  = $clog2(MshrEntries + 1);
  localparam int unsigned WalkW = SetW + WayW;
  localparam int unsigned LaneW = hd_pkg::lane_w(Lanes);
  localparam int unsigned NodeW = hd_pkg::NODE_W;
  localparam bit          Vi    = Family == hd_pkg::FAMILY_VI;
  if (Sms < 1 || Sms > (1 << NodeW)) begin : g_bad_sms
    $error("hd_l2_bank: Sms must be 1 to 2**NODE_W");
  end

  function automatic logic [hd_pkg::ADDR_W-1:0] addr_of(input logic [NumW-1:0]  num,
                                                        input logic [NodeW-1:0] part);
    addr_of = {num, {(OffW + PartBits) {1'b0}}} | (hd_pkg::ADDR_W'(part) << OffW);
  endfunction

  // ---- which work ---------------------------------------------------------------------------
  hd_pkg::head_s    rq, rs;
  logic [LaneW-1:0] rq_lanes;
  logic             wk_rsp, wk_mem, wk_done, wk_fill, wk_other, wk_serve, wk_req, wk_walk;
  logic             out_free, fill_valid, serve_valid, body_ready, at_done;
  logic [IdxW-1:0]  fill_idx, serve_idx, at_idx, idx;
  logic [WayW-1:0]  fill_way;
  logic             walk_q;       // a flush walk is on
  logic [WalkW-1:0] walk_line_q;  // {set, way} it looks at

  assign rq = req_head_i[hd_pkg::HEAD_W-1:0];
  assign rq_lanes = req_head_i[HeadW-1:hd_pkg::HEAD_W];
  assign rs = rsp_head_i[hd_pkg::HEAD_W-1:0];
  always_comb begin
    wk_rsp   = rsp_valid_i;
    wk_mem   = !wk_rsp && mrsp_valid_i;
    wk_done  = !wk_rsp && !wk_mem && at_done && out_free;
    wk_fill  = !wk_rsp && !wk_mem && !wk_done && fill_valid && out_free && mreq_ok_i;
    wk_other = !wk_rsp && !wk_mem && !wk_done && !wk_fill;
    idx      = serve_idx;
    if (wk_rsp) idx = rs.tid[IdxW-1:0];
    else if (wk_mem) idx = mrsp_tid_i[IdxW-1:0];
    else if (wk_done) idx = at_idx;
    else if (wk_fill) idx = fill_idx;
  end
  always_comb begin  // an atomic waits for the unit; requests pass it
    wk_serve = wk_other && serve_valid && body_ready && out_free && !(Vi && m_upg && !at_free);
    wk_req   = wk_other && !wk_serve && req_valid_i;
    wk_walk  = wk_other && !wk_serve && !wk_req && walk_q;
  end
  assign mrsp_ready_o = !rsp_valid_i;

  // ---- the waiting requests --------------------------------------------------------------------
  logic                      new_ok, alloc, alloc_chain, alloc_recall;
  logic [IdxW-1:0]           new_idx, cam_idx, m_next, txn;
  logic [NumW-1:0]           m_num;
  logic                      m_getm, m_upg, m_recall, m_next_ok, txn_wait, cam_en, cam_hit;
  logic                      recall_clr, wait_set, free, txn_clr;
  logic [NodeW-1:0]          m_src;
  logic [hd_pkg::TID_W-1:0]  m_tid;
  logic [hd_pkg::OPID_W-1:0] m_opid;
  logic [LaneW-1:0]          m_lanes;

  // Not in the ports: Yosys 0.23 fails on constants there.
  logic new_write, new_upg, all_told;
  assign new_write = rq.kind == (Vi ? hd_pkg::MSG_WT : hd_pkg::MSG_GETM);
  assign new_upg   = rq.kind == (Vi ? hd_pkg::MSG_ATOMIC : hd_pkg::MSG_UPG);
  hd_l2_mshr #(
    .Entries(MshrEntries), .LineW(NumW), .LaneMasks(Vi ? 1 : LaneMasks), .LaneW(LaneW)
  ) u_mshr (
    .clk_i, .rst_i,
    .new_ok_o(new_ok), .new_idx_o(new_idx),
    .alloc_i(alloc), .alloc_chain_i(alloc_chain), .alloc_recall_i(alloc_recall),
    .chain_head_i(cam_hit ? cam_idx : txn),
    .alloc_line_i(rq.addr[hd_pkg::ADDR_W-1 -: NumW]),
    .alloc_getm_i(new_write), .alloc_upg_i(new_upg),
    .alloc_src_i(rq.route.src), .alloc_tid_i(rq.tid), .alloc_opid_i(rq.opid),
    .alloc_lanes_i((rq.kind == hd_pkg::MSG_WT) ? LaneW'(rq.wmask.words) : rq_lanes),  // no lanes
    .idx_i(idx), .line_o(m_num), .getm_o(m_getm), .upg_o(m_upg), .src_o(m_src), .tid_o(m_tid),
    .opid_o(m_opid), .lanes_o(m_lanes), .recall_o(m_recall), .next_ok_o(m_next_ok), .next_o(m_next),
    .recall_clr_i(recall_clr), .wait_set_i(wait_set), .free_i(free),
    .txn_i(txn), .txn_wait_o(txn_wait), .txn_clr_i(txn_clr),
    .cam_en_i(cam_en), .cam_line_i(rq.addr[hd_pkg::ADDR_W-1 -: NumW]),
    .cam_hit_o(cam_hit), .cam_idx_o(cam_idx)
  );

  // ---- the line at work -------------------------------------------------------------------------
  logic [NumW-1:0] num;  // its number; in a walk only the set counts
  logic [SetW-1:0] set;
  logic            t_hit, t_ok, t_recall_any, t_valid, t_lock, t_recall, t_dirty, t_excl;
  logic [WayW-1:0] t_way;
  logic [TagW-1:0] t_tag;
  logic [Sms-1:0]  t_sharers;
  logic            tag_we, wvalid, wlock, wrecall, dir_we, txn_we, touch, bad;

  always_comb begin
    num = m_num;
    if (wk_rsp) num = rs.addr[hd_pkg::ADDR_W-1 -: NumW];
    else if (wk_req) num = rq.addr[hd_pkg::ADDR_W-1 -: NumW];
    else if (wk_walk) num = NumW'(walk_line_q[WalkW-1 -: SetW]);
  end
  assign set = num[SetW-1:0];

  hd_l2_tags #(.Sets(Sets), .Ways(Ways), .TagW(TagW), .Sms(Sms), .IdxW(IdxW)) u_tags (
    .clk_i, .rst_i,
    .en_i(wk_rsp || wk_mem || wk_done || wk_fill || wk_serve || wk_req || wk_walk),
    .set_i(set), .tag_i(num[NumW-1:SetW]),
    .way_known_i(wk_fill || wk_walk), .way_i(wk_fill ? fill_way : walk_line_q[WayW-1:0]),
    .hit_o(t_hit), .ok_o(t_ok), .recall_any_o(t_recall_any), .way_o(t_way), .valid_o(t_valid),
    .lock_o(t_lock), .recall_o(t_recall), .tag_o(t_tag),
    .dirty_o(t_dirty), .excl_o(t_excl), .sharers_o(t_sharers), .txn_o(txn),
    .tag_we_i(tag_we), .wvalid_i(wvalid),
    .wlock_i(wlock), .wrecall_i(wrecall), .wtag_i(wk_fill ? m_num[NumW-1:SetW] : t_tag),
    .dir_we_i(dir_we), .wdirty_i(d_dirty), .wexcl_i(d_excl), .wsharers_i(d_sharers),
    .txn_we_i(txn_we), .wtxn_i(alloc ? new_idx : m_next),
    .touch_i(touch)
  );
  assign cam_en = wk_req && !t_hit && t_recall_any;

  // ---- the decision ---------------------------------------------------------------------------
  logic            fill_push, fill_pop, fill_room, serve_push, serve_pop, serve_room;
  logic [CntW-1:0] fill_count, serve_count;
  logic [IdxW-1:0] push_idx;
  hd_pkg::msg_e     d_kind;
  logic             d_dirty, d_excl, ask, grant, write_back, mem_read, data_we, stall, walk_next;
  logic [Sms-1:0]   d_sharers, todo, rest, dir_who;
  logic             dir_en;
  hd_pkg::msg_e     dir_msg;
  logic [Sms-1:0]   todo_fill_q, todo_serve_q;  // asks the head of the queue has yet to send
  logic [NodeW-1:0] ask_dst;
  assign todo = wk_fill ? todo_fill_q : todo_serve_q;

  hd_l2_decide #(.Family(Family), .Sms(Sms)) u_decide (
    .rsp_i(wk_rsp), .mem_i(wk_mem), .fill_i(wk_fill), .serve_i(wk_serve), .req_i(wk_req),
    .walk_i(wk_walk), .done_i(wk_done),
    .rsp_kind_i(rs.kind), .rsp_src_i(rs.route.src), .req_kind_i(rq.kind), .req_src_i(rq.route.src),
    .out_free_i(out_free), .mreq_ok_i, .new_ok_i(new_ok), .cam_hit_i(cam_hit),
    .txn_wait_i(txn_wait), .m_getm_i(m_getm), .m_upg_i(m_upg), .m_recall_i(m_recall),
    .m_src_i(m_src), .m_next_ok_i(m_next_ok), .wr_room_i(wr_room), .at_free_i(at_free),
    .todo_i(todo),
    .hit_i(t_hit), .ok_i(t_ok), .valid_i(t_valid), .lock_i(t_lock), .recall_i(t_recall),
    .dirty_i(t_dirty), .excl_i(t_excl), .sharers_i(t_sharers),
    .req_ready_o, .stall_o(stall), .walk_next_o(walk_next),
    .ask_o(ask), .ask_dst_o(ask_dst), .rest_o(rest), .grant_o(grant), .kind_o(d_kind),
    .write_back_o(write_back), .mem_read_o(mem_read), .data_we_o(data_we), .at_start_o(at_start),
    .fill_push_o(fill_push), .fill_pop_o(fill_pop), .serve_push_o(serve_push),
    .serve_pop_o(serve_pop), .alloc_o(alloc), .alloc_chain_o(alloc_chain),
    .alloc_recall_o(alloc_recall), .recall_clr_o(recall_clr), .wait_set_o(wait_set),
    .free_o(free), .txn_clr_o(txn_clr), .txn_we_o(txn_we), .touch_o(touch),
    .tag_we_o(tag_we), .wvalid_o(wvalid), .wlock_o(wlock), .wrecall_o(wrecall),
    .dir_we_o(dir_we), .dirty_o(d_dirty), .excl_o(d_excl), .sharers_o(d_sharers), .bad_o(bad),
    .dir_en_o(dir_en), .dir_msg_o(dir_msg), .dir_who_o(dir_who)
  );
  always_comb begin  // the entry that is put into a queue
    push_idx = idx;
    if (txn_clr) push_idx = txn;
    else if (wk_serve || wk_done) push_idx = m_next;
    else if (wk_req) push_idx = new_idx;
  end

  hd_fifo #(.Width(WayW + IdxW), .Depth(MshrEntries)) u_fill (
    .clk_i, .rst_i, .in_valid_i(fill_push), .in_ready_o(fill_room), .in_data_i({t_way, push_idx}),
    .out_valid_o(fill_valid), .out_ready_i(fill_pop), .out_data_o({fill_way, fill_idx}),
    .count_o(fill_count)
  );
  hd_fifo #(.Width(IdxW), .Depth(MshrEntries)) u_serve (
    .clk_i, .rst_i, .in_valid_i(serve_push), .in_ready_o(serve_room), .in_data_i(push_idx),
    .out_valid_o(serve_valid), .out_ready_i(serve_pop), .out_data_o(serve_idx),
    .count_o(serve_count)
  );

  // ---- data, and the stage that sends ---------------------------------------------------------
  logic                 send, send_idle, read, has_line;
  hd_pkg::head_s        head_d;
  logic [LaneW-1:0]     lanes_d;
  logic [LineW-1:0]     data;
  logic                 wr_room, at_free, at_start, at_idle;  // VI; else constant

  assign has_line     = grant && (d_kind == hd_pkg::MSG_DATA_S || d_kind == hd_pkg::MSG_DATA_E
                                 || d_kind == hd_pkg::MSG_DATA_M);
  assign read         = write_back || has_line || at_start;
  assign send         = ask || grant || write_back || mem_read;
  assign mreq_claim_o = write_back || mem_read;

  hd_l2_data #(
    .Family(Family), .Rows(Sets * Ways), .Entries(MshrEntries), .Places(WritePlaces),
    .Lanes(Lanes), .LineWords(LineWords), .WordW(WordW), .FlitWords(FlitWords)
  ) u_data (
    .clk_i, .rst_i, .row_i({set, t_way}), .read_i(read), .we_i(data_we),
    .from_mem_i(wk_mem), .from_req_i(wk_req), .from_wait_i(wk_serve), .from_atomic_i(wk_done),
    .mem_data_i(mrsp_data_i), .rsp_data_i(rsp_data_i), .rsp_mask_i(rs.wmask.words[LineWords-1:0]),
    .body_i(req_body_i), .req_mask_i(rq.wmask.words[LineWords-1:0]), .wait_mask_i(m_lanes),
    .data_o(data), .send_i(send), .dn_data_o,
    .wr_room_o(wr_room), .put_i(alloc && rq.kind != hd_pkg::MSG_GETS),
    .put_atomic_i(rq.kind == hd_pkg::MSG_ATOMIC), .put_entry_i(new_idx),
    .next_valid_i(serve_valid), .next_entry_i(serve_idx), .next_pop_i(serve_pop),
    .ready_o(body_ready), .free_i(free && (m_getm || m_upg)), .free_entry_i(idx),
    .at_free_o(at_free), .at_start_i(at_start), .at_done_o(at_done), .at_entry_o(at_idx),
    .idle_o(at_idle)
  );

  always_comb begin
    head_d = '0;
    if (send) begin
      head_d.kind = d_kind;
      head_d.addr = addr_of(mem_read ? m_num : {t_tag, set}, part_id_i);
      head_d.tid  = hd_pkg::TID_W'(idx);
      head_d.opid = wk_req ? rq.opid : m_opid;
      if (grant) begin
        head_d.route = hd_pkg::route_down(part_id_i, wk_req ? rq.route.src : m_src);
        head_d.tid   = wk_req ? rq.tid : m_tid;
        if (has_line) head_d.wmask.words[LineWords-1:0] = '1;
        if (wk_done) head_d.wmask.results = m_lanes[hd_pkg::MASK_W-1:0];
      end else begin
        head_d.route = hd_pkg::route_down(part_id_i, ask_dst);
      end
    end
  end
  assign lanes_d = (LaneMasks != 0 && grant) ? (wk_req ? rq_lanes : m_lanes) : '0;

  hd_l2_send #(.Observe(Vi && WordW > 32 ? 1 : 0), .HeadW(HeadW)) u_send (
    .clk_i, .rst_i, .free_o(out_free), .send_i(send), .to_mem_i(write_back || mem_read),
    .write_i(write_back), .obs_i(grant && d_kind == hd_pkg::MSG_WT_ACK), .head_i({lanes_d, head_d}),
    .dn_valid_o, .dn_ready_i, .dn_head_o, .mreq_valid_o, .mreq_write_o, .mreq_addr_o, .mreq_tid_o,
    .obs_valid_o, .obs_src_o, .obs_opid_o, .obs_addr_o, .idle_o(send_idle)
  );
  assign mreq_data_o = data;
  assign obs_data_o  = (Vi && WordW > 32) ? data : '0;

  assign all_told = todo == '0;
  hd_l2_events #(.Family(Family), .Sms(Sms)) u_events (
    .clk_i, .rst_i, .taken_i(req_ready_o), .req_kind_i(rq.kind), .hit_i(t_hit && !t_lock),
    .miss_i(alloc_recall), .chained_i(alloc_chain), .stall_i(stall), .rsp_i(wk_rsp),
    .rsp_kind_i(rs.kind), .ask_i(ask), .recall_i(wk_fill && all_told), .grant_i(grant),
    .send_kind_i(d_kind), .mem_read_i(mem_read), .mem_write_i(write_back),
    .pair_i(dir_en && (wk_rsp || (wk_req && grant) || ((wk_serve || wk_fill) && all_told))),
    .pair_msg_i(dir_msg), .pair_keep_i(!m_getm && !m_upg && !m_recall), .pair_excl_i(t_excl),
    .pair_who_i(dir_who), .pair_sharers_i(t_sharers), .ev_o
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      todo_fill_q  <= '0;
      todo_serve_q <= '0;
      walk_q       <= 1'b0;
      walk_line_q  <= '0;
    end else begin
      if (ask && wk_fill) todo_fill_q <= rest;
      if (ask && wk_serve) todo_serve_q <= rest;
      if (flush_i) walk_q <= 1'b1;
      else if (walk_next && walk_line_q == '1) walk_q <= 1'b0;
      if (walk_next) walk_line_q <= walk_line_q + 1'b1;
    end
  end

  assign idle_o = send_idle && !fill_valid && !serve_valid && !walk_q && at_idle && ev_o == '0;

  logic unused_ok;
  assign unused_ok = ^{fill_count, serve_count, rq.route, rq.wmask, rq_lanes, m_lanes, rsp_head_i,
                       rs.route, rs.wmask, rs.tid, rs.opid,
                       rq.addr, rs.addr, mrsp_tid_i};

  `HD_ASSERT(a_message_fits_line_state, !wk_rsp || (t_hit && !bad))
  `HD_ASSERT(a_answer_to_transaction, !wk_rsp || rs.kind == hd_pkg::MSG_PUTM
             || rs.kind == hd_pkg::MSG_PUTE || (t_lock && txn == idx))
  `HD_ASSERT(a_served_line_is_there,
             !(wk_mem || wk_serve || wk_done) || (t_hit && t_lock && !t_recall && txn == idx))
  `HD_ASSERT(a_req_is_request, !req_valid_i || rq.kind == hd_pkg::MSG_GETS
             || rq.kind == (Vi ? hd_pkg::MSG_WT : hd_pkg::MSG_GETM)
             || rq.kind == (Vi ? hd_pkg::MSG_ATOMIC : hd_pkg::MSG_UPG))
  `HD_ASSERT(a_queues_hold_all, !(fill_push && !fill_room) && !(serve_push && !serve_room))
  `HD_ASSERT(a_send_has_room, !send || out_free)
  `HD_ASSERT(a_claim_has_credit, !mreq_claim_o || mreq_ok_i)
  `HD_ASSERT(a_no_walk_under_way, !(walk_q && t_lock && wk_walk))
  `HD_ASSERT(a_line_of_this_bank, !req_valid_i || rq.addr == addr_of(
             rq.addr[hd_pkg::ADDR_W-1 -: NumW], part_id_i))
endmodule
`default_nettype wire
