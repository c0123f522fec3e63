// hd_coh_bank.sv - L2 bank of the families with word states: GPU.
//
// Paper 3; docs/protocol_gpu.md; table: hd_dir_gpu. Each cycle does one piece of work, the first
// of this list that there is:
//   mem    a line from memory: its first message is next to be served
//   done   the atomic that was performed: writes its words and answers. Needs out_free.
//   pop    with Persist: a line of non-volatile memory that is to be cleaned, written to memory if
//          dirty; or the answer to a marker (hd_persist_l2). Needs out_free, pop mreq_ok.
//   serve  the oldest entry whose line is there and whose turn it is. Needs out_free.
//   req    the request at req_*: served at once, or gets an entry, or waits (EV_L2_STALL); if it
//          needs the way of a dirty line, that is written to memory first
//   walk   the next line of the flush walk
// A line is locked while entries of it exist; they are chained and served in order of arrival.
//
// req   valid/ready; head and body (hd_wt_queue). req_ready_o depends on req_valid_i and the rest.
// mrsp  valid/ready: line for entry mrsp_tid_i. Always taken.
// dn    valid/ready: packet to an SM, a cycle after the decision; order of decision is kept.
// mreq  mreq_claim_o (only with mreq_ok_i; bit 1, with Persist: of non-volatile memory) announces
//       exactly one mreq_valid_o pulse, the cycle after. mreq_data_o only with mreq_write_o.
// mack  with Persist: a write of tid mack_tid_i (its persist epoch) is durable. nv_base_i,
//       constant: byte address where non-volatile memory begins, 0: nowhere.
// flush_i  pulse: walks all lines; the dirty ones are written to memory and stay, clean. No request
//       may be under way or come before idle_o.
// obs   registered, checked builds only (ghosts), the cycle after words were written through or an
//       atomic wrote: who, which line, the line before it, the words written and what they became.
// ev_o  registered pulses. idle_o: nothing queued, no pulse out, no walk. Entries that wait for an
//       answer do not count. part_id_i is constant and below 2**PartBits.
// Parameters: Lanes, LineWords, WordW, FlitWords; Sets, Ways; MshrEntries messages that wait,
// WritePlaces of them with data; PartBits.
`include "hd_assert.svh"
`default_nettype none
module hd_coh_bank #(
  parameter int unsigned Lanes       = 32,
  parameter int unsigned WritePlaces = 32,
  parameter int unsigned LineWords   = 16,
  parameter int unsigned Sets        = 256,
  parameter int unsigned Ways        = 16,
  parameter int unsigned MshrEntries = 64,
  parameter int unsigned PartBits    = 4,
  parameter int unsigned WordW       = 32,
  parameter int unsigned Persist     = 0,   // persist barriers: hd_persist_l2
  parameter int unsigned NvwDepth    = 64,
  parameter int unsigned Epochs      = 8,
  parameter int unsigned FlitWords   = hd_pkg::FLIT_WORDS,
  parameter int unsigned LineW       = LineWords * WordW,      // derived
  parameter int unsigned HeadW       = hd_pkg::head_w(Lanes),  // derived
  parameter int unsigned BodyW = hd_pkg::request_body(hd_pkg::FAMILY_VI, LineWords, Lanes, WordW,
                                                    FlitWords),
  parameter int unsigned DownW = hd_pkg::down_body(hd_pkg::FAMILY_VI, LineWords, Lanes, WordW,
                                                 FlitWords)
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic [hd_pkg::NODE_W-1:0]    part_id_i,
  // requests
  input  logic                         req_valid_i,
  output logic                         req_ready_o,
  input  logic [HeadW-1:0]             req_head_i,
  input  logic [BodyW-1:0]             req_body_i,
  // lines from memory
  input  logic                         mrsp_valid_i,
  output logic                         mrsp_ready_o,
  input  logic [hd_pkg::TID_W-1:0]     mrsp_tid_i,
  input  logic [LineW-1:0]             mrsp_data_i,
  // answers
  output logic                         dn_valid_o,
  input  logic                         dn_ready_i,
  output logic [HeadW-1:0]             dn_head_o,
  output logic [DownW-1:0]             dn_data_o,
  // requests to memory
  input  logic [1:0]                   mreq_ok_i,
  output logic [1:0]                   mreq_claim_o,
  output logic                         mreq_valid_o,
  output logic                         mreq_write_o,
  output logic [hd_pkg::ADDR_W-1:0]    mreq_addr_o,
  output logic [hd_pkg::TID_W-1:0]     mreq_tid_o,
  output logic [LineW-1:0]             mreq_data_o,
  // persistency
  input  logic [31:0]                  nv_base_i,
  input  logic                         mack_valid_i,
  input  logic [hd_pkg::TID_W-1:0]     mack_tid_i,
  // observation
  input  logic                         flush_i,
  output logic                         obs_valid_o,
  output logic [hd_pkg::NODE_W-1:0]    obs_src_o,
  output logic [hd_pkg::OPID_W-1:0]    obs_opid_o,
  output logic [hd_pkg::ADDR_W-1:0]    obs_addr_o,
  output logic [LineW-1:0]             obs_data_o,
  output logic [LineWords-1:0]         obs_mask_o,
  output logic [LineW-1:0]             obs_new_o,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o,
  output logic                         idle_o
);
  localparam int unsigned OffW  = $clog2(LineWords * 4);             // byte in line
  localparam int unsigned NumW  = hd_pkg::ADDR_W - OffW - PartBits;  // line number in the bank
  localparam int unsigned SetW  = $clog2(Sets);
  localparam int unsigned WayW  = $clog2(Ways);
  localparam int unsigned TagW  = NumW - SetW;
  localparam int unsigned WalkW = SetW + WayW;
  localparam int unsigned IdxW  = hd_pkg::idx_w(MshrEntries);
  localparam int unsigned LaneW = hd_pkg::lane_w(Lanes);
  localparam int unsigned HalfL = hd_pkg::half_lanes(Lanes);  // lanes of an atomic
  localparam int unsigned Observe = (WordW > 32) ? 1 : 0;

  hd_pkg::head_s             rq, head, sent;
  hd_pkg::role_s             rq_role;
  hd_pkg::role_e             m_role;
  hd_pkg::msg_e              msg, send_kind;
  logic                      w_mem, w_done, w_serve, w_req, w_walk, any_work;
  logic                      out_free, new_ok, wr_room, at_free, at_done, at_idle, body_ready;
  logic                      serve_valid, serve_room, m_next_ok, hit, way_ok, lock, dirty, valid;
  logic                      d_fetch, d_wait, d_back, d_write, d_perform, bad, is_put, rmw, back_nv;
  logic                      take, alloc, chain, fetch, back, answer, ends, stored, push, leave;
  logic                      tag_we, dir_we, read, send, walk_q, old_q, wrote, entry_ok, hold;
  logic [WalkW-1:0]          walk_row_q;
  logic [IdxW-1:0]           idx, new_idx, serve_idx, at_idx, m_next, txn, push_idx, cam_idx;
  logic [NumW-1:0]           num, rq_num, m_num;
  logic [SetW-1:0]           set;
  logic [WayW-1:0]           way;
  logic [TagW-1:0]           tag, wtag;
  logic [hd_pkg::NODE_W-1:0] to;
  hd_pkg::l2_asker_s         asker;
  logic [LaneW-1:0]          m_lanes, rq_lanes, new_lanes;
  logic [LineWords-1:0]      at_mask, mask;
  logic [LineW-1:0]          at_line, wait_line, wdata, rdata;
  logic [HalfL*WordW-1:0]    at_old;
  logic [hd_pkg::HALF_LANES-1:0] at_lanes;
  logic [$clog2(MshrEntries+1)-1:0] serve_count;
  // persist barriers
  logic                      w_pop, w_pack, mark, pop_valid, pack_valid, req_ok, ps_idle, rq_nv;
  logic [NumW-1:0]           pop_num;
  logic [hd_pkg::TID_W-1:0]  epoch;
  logic [hd_pkg::ADDR_W-1:0] line_addr, tag_addr;
  logic [hd_pkg::NODE_W-1:0] pack_to;
  logic [hd_pkg::OPID_W-1:0] pack_id;
  logic [hd_pkg::EV_L2_NUM-1:0] ev_q, ps_ev;
  // outputs of tables that this family does not need
  logic                      recall_any, recall, excl, sharers, m_recall, txn_wait, cam_hit;

  assign {rq_lanes, rq} = req_head_i;
  assign rq_role   = hd_pkg::l2_role(rq.kind);
  assign rq_num    = rq.addr[hd_pkg::ADDR_W-1 -: NumW];
  assign rq_nv     = Persist != 0 && nv_base_i != '0 && rq.addr >= nv_base_i;
  assign new_lanes = (rq.kind == hd_pkg::MSG_WT) ? LaneW'(rq.wmask.words) : rq_lanes;

  // ---- the work of this cycle ------------------------------------------------------------------
  assign w_mem    = mrsp_valid_i;
  assign w_done   = !w_mem && at_done && out_free;
  assign rmw      = m_role == hd_pkg::ROLE_RMW;
  assign w_pop    = !w_mem && !at_done && pop_valid && out_free && mreq_ok_i[1];
  assign w_pack   = !w_mem && !at_done && !w_pop && pack_valid && out_free;
  assign w_serve  = !w_mem && !w_done && !w_pop && !w_pack && !at_done && serve_valid
                    && body_ready && out_free && (at_free || !rmw);
  assign w_req    = !w_mem && !w_done && !w_pop && !w_pack && !w_serve && req_valid_i && req_ok;
  assign w_walk   = !w_mem && !w_done && !w_pop && !w_pack && !w_serve && !req_valid_i && walk_q
                    && out_free && mreq_ok_i[0] && (Persist == 0 || mreq_ok_i[1]);
  assign any_work = w_mem || w_pop || w_done || w_serve || w_req || w_walk;
  always_comb begin
    idx = serve_idx;
    if (w_mem) idx = mrsp_tid_i[IdxW-1:0];
    else if (at_done) idx = at_idx;
  end
  always_comb begin
    num = m_num;
    if (w_req) num = rq_num;
    else if (w_pop) num = pop_num;
    else if (w_walk) num = NumW'(walk_row_q[WalkW-1 -: SetW]);
  end
  always_comb begin
    msg = hd_pkg::MSG_NONE;
    if (w_req) msg = rq.kind;
    else if (rmw) msg = hd_pkg::MSG_ATOMIC;
    else if (w_serve && m_role == hd_pkg::ROLE_READ) msg = hd_pkg::MSG_GETS;
    else if (w_serve) msg = hd_pkg::MSG_WT;
  end

  hd_dir_gpu u_dir (
    .en_i((w_req && !hold) || w_serve || (w_walk && leave) || (w_pop && hit && !lock && leave)),
    .msg_i((w_walk || w_pop) ? hd_pkg::MSG_NONE : msg),
    .later_i(w_serve),
    .here_i(hit),
    .busy_i(lock),
    .dirty_i(valid && dirty),
    .fetch_o(d_fetch),
    .wait_o(d_wait),
    .back_o(d_back),
    .write_o(d_write),
    .perform_o(d_perform),
    .send_o(send_kind),
    .bad_o(bad)
  );

  `HD_COVER_PAIRS(g_dirgpu_pair,
                  take || back || (w_serve && (answer || d_perform)) || (w_walk && leave),
                  hd_pkg::gpu_dir_row((w_walk || w_pop) ? hd_pkg::MSG_NONE : msg, w_serve, hit,
                                      lock, valid && dirty), 6,
                  hd_pkg::dir_column((w_walk || w_pop) ? hd_pkg::MSG_NONE : msg), 4)

  // ---- what is done ----------------------------------------------------------------------------
  assign is_put   = rq_role.role != hd_pkg::ROLE_READ;
  assign entry_ok = new_ok && (wr_room || !is_put);
  assign back     = d_back && out_free && mreq_ok_i[back_nv] && way_ok;
  assign fetch    = d_fetch && way_ok && entry_ok && out_free && mreq_ok_i[rq_nv];
  assign alloc    = w_req && d_wait && entry_ok && (fetch || !d_fetch);
  assign chain    = alloc && hit && lock;
  assign answer   = w_done || (send_kind != hd_pkg::MSG_NONE && out_free);
  assign take     = w_req && (alloc || answer);  // neither while hold
  assign ends     = w_done || (w_serve && answer);
  assign stored   = d_write && answer;
  assign wrote    = stored || (w_done && at_mask != '0);
  assign read     = back || d_perform || (answer && !w_done && !stored);
  assign send     = answer || back || fetch || w_pack;
  assign push     = w_mem || (ends && m_next_ok) || (alloc && hit && !lock);
  always_comb begin
    push_idx = idx;
    if (ends) push_idx = m_next;
    else if (alloc) push_idx = new_idx;
  end
  assign tag_we   = fetch || (back && w_req) || (alloc && !chain) || (ends && !m_next_ok);
  assign wtag     = fetch ? rq_num[NumW-1:SetW] : tag;
  assign dir_we   = fetch || wrote || (back && !w_req);
  assign {mrsp_ready_o, req_ready_o} = {1'b1, take || mark};
  assign mreq_claim_o = 2'(back || fetch) << (back ? back_nv : rq_nv);
  assign mreq_data_o  = rdata;
  assign sent         = dn_head_o[hd_pkg::HEAD_W-1:0];
  assign {mreq_addr_o, mreq_tid_o} = {sent.addr, sent.tid};
  assign {obs_src_o, obs_opid_o, obs_addr_o, obs_data_o}
    = (Observe != 0) ? {sent.route.dst, sent.opid, sent.addr, rdata} : '0;
  assign set          = num[SetW-1:0];

  hd_l2_mshr #(
    .Entries(MshrEntries),
    .LineW(NumW),
    .LaneMasks(1),
    .LaneW(LaneW)
  ) u_mshr (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .new_ok_o(new_ok),
    .new_idx_o(new_idx),
    .alloc_i(alloc),
    .alloc_chain_i(chain),
    .alloc_recall_i(1'b0),
    .chain_head_i(txn),
    .alloc_line_i(rq_num),
    .alloc_role_i(rq_role.role),
    .alloc_asker_i({rq.route.src, rq.tid, rq.opid}),
    .alloc_lanes_i(new_lanes),
    .idx_i(idx),
    .line_o(m_num),
    .role_o(m_role),
    .asker_o(asker),
    .lanes_o(m_lanes),
    .recall_o(m_recall),
    .next_ok_o(m_next_ok),
    .next_o(m_next),
    .recall_clr_i(1'b0),
    .wait_set_i(1'b0),
    .free_i(ends),
    .txn_i(txn),
    .txn_wait_o(txn_wait),
    .txn_clr_i(1'b0),
    .cam_en_i(1'b0),
    .cam_line_i(rq_num),
    .cam_hit_o(cam_hit),
    .cam_idx_o(cam_idx)
  );
  hd_l2_tags #(
    .Sets(Sets),
    .Ways(Ways),
    .TagW(TagW),
    .Sms(1),
    .IdxW(IdxW)
  ) u_tags (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .en_i(any_work),
    .set_i(set),
    .tag_i(num[NumW-1:SetW]),
    .way_known_i(w_walk),
    .way_i(walk_row_q[WayW-1:0]),
    .hit_o(hit),
    .ok_o(way_ok),
    .recall_any_o(recall_any),
    .way_o(way),
    .valid_o(valid),
    .lock_o(lock),
    .recall_o(recall),
    .tag_o(tag),
    .dirty_o(dirty),
    .excl_o(excl),
    .sharers_o(sharers),
    .txn_o(txn),
    .tag_we_i(tag_we),
    .wvalid_i(!back),
    .wlock_i(alloc),
    .wrecall_i(1'b0),
    .wtag_i(wtag),
    .dir_we_i(dir_we),
    .wdirty_i(wrote),
    .wexcl_i(1'b0),
    .wsharers_i(1'b0),
    .txn_we_i((alloc && !chain) || (ends && m_next_ok)),
    .wtxn_i(alloc ? new_idx : m_next),
    .touch_i(take && !chain)
  );
  hd_fifo #(
    .Width(IdxW),
    .Depth(MshrEntries)
  ) u_serve (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(push),
    .in_ready_o(serve_room),
    .in_data_i(push_idx),
    .out_valid_o(serve_valid),
    .out_ready_i(w_serve),
    .out_data_o(serve_idx),
    .count_o(serve_count)
  );

  // ---- data ------------------------------------------------------------------------------------
  always_comb begin
    mask  = '1;
    wdata = mrsp_data_i;
    if (w_done) begin
      mask  = at_mask;
      wdata = at_line;
    end else if (w_serve) begin
      mask  = m_lanes[LineWords-1:0];
      wdata = wait_line;
    end else if (w_req) begin
      mask  = rq.wmask.words[LineWords-1:0];
      wdata = req_body_i[LineW-1:0];
    end
  end
  hd_sram_1r1w #(
    .Width(LineW),
    .Depth(Sets * Ways),
    .Gran(WordW)
  ) u_data (
    .clk_i(clk_i),
    .we_i(w_mem || stored || w_done),
    .waddr_i({set, way}),
    .wmask_i(mask),
    .wdata_i(wdata),
    .re_i(read || (Observe != 0 && wrote)),
    .raddr_i({set, way}),
    .rdata_o(rdata)
  );
  assign at_lanes = hd_pkg::half_mask(hd_pkg::LANES_MAX'(m_lanes));
  hd_l2_perform #(
    .Entries(MshrEntries),
    .Places(WritePlaces),
    .Lanes(HalfL),
    .LineWords(LineWords),
    .WordW(WordW),
    .FlitWords(FlitWords)
  ) u_perform (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .room_o(wr_room),
    .put_i(alloc && is_put),
    .put_atomic_i(rq_role.role == hd_pkg::ROLE_RMW),
    .put_entry_i(new_idx),
    .body_i(req_body_i),
    .next_valid_i(serve_valid),
    .next_entry_i(serve_idx),
    .next_pop_i(w_serve),
    .ready_o(body_ready),
    .line_o(wait_line),
    .free_i(ends && m_role != hd_pkg::ROLE_READ),
    .free_entry_i(idx),
    .at_free_o(at_free),
    .start_i(d_perform),
    .mask_i(at_lanes[HalfL-1:0]),
    .line_i(rdata),
    .done_o(at_done),
    .done_entry_o(at_idx),
    .done_i(w_done),
    .at_line_o(at_line),
    .at_wmask_o(at_mask),
    .at_old_o(at_old),
    .idle_o(at_idle)
  );
  if (Observe != 0) begin : g_observe
    always_ff @(posedge clk_i) begin
      if (wrote) begin
        obs_mask_o <= mask;
        obs_new_o  <= wdata;
      end
    end
  end else begin : g_blind
    assign obs_mask_o = '0;
    assign obs_new_o  = '0;
  end
  assign dn_data_o = old_q ? DownW'(at_old) : DownW'(rdata);

  hd_persist_l2 #(
    .Persist(Persist),
    .Depth(NvwDepth),
    .Epochs(Epochs),
    .NumW(NumW),
    .Rows(Sets * Ways)
  ) u_persist (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .nv_base_i(nv_base_i),
    .req_valid_i(req_valid_i),
    .req_head_i(rq),
    .req_ok_o(req_ok),
    .mark_o(mark),
    .taken_i(take),
    .noted_i(hit && !lock && dirty),
    .row_i({set, way}),
    .hit_i(hit),
    .new_i(fetch),
    .hold_o(hold),
    .leave_o(leave),
    .pop_valid_o(pop_valid),
    .pop_num_o(pop_num),
    .pop_i(w_pop),
    .locked_i(hit && lock),
    .ended_i(ends),
    .back_i(back),
    .back_addr_i(tag_addr),
    .epoch_o(epoch),
    .back_nv_o(back_nv),
    .mack_valid_i(mack_valid_i),
    .mack_tid_i(mack_tid_i),
    .pack_valid_o(pack_valid),
    .pack_ready_i(w_pack),
    .pack_to_o(pack_to),
    .pack_id_o(pack_id),
    .ev_o(ps_ev),
    .idle_o(ps_idle)
  );

  // ---- what is sent ----------------------------------------------------------------------------
  assign tag_addr  = {tag, set, {(OffW + PartBits) {1'b0}}} | (hd_pkg::ADDR_W'(part_id_i) << OffW);
  assign line_addr = back ? tag_addr : {num, {(OffW + PartBits) {1'b0}}}
                                       | (hd_pkg::ADDR_W'(part_id_i) << OffW);
  assign to = w_req ? rq.route.src : asker.src;
  always_comb begin
    head       = '0;
    head.addr  = line_addr;
    head.tid   = hd_pkg::TID_W'(new_idx);
    head.route = hd_pkg::route_down(part_id_i, to);
    if (back && Persist != 0) head.tid = epoch;
    if (w_pack) begin
      head.kind  = hd_pkg::MSG_PACK;
      head.opid  = pack_id;
      head.route = hd_pkg::route_down(part_id_i, pack_to);
    end
    if (answer) begin
      head.kind = w_done ? hd_pkg::MSG_AT_DATA : send_kind;
      head.tid  = w_req ? rq.tid : asker.tid;
      head.opid = w_req ? rq.opid : asker.opid;
      if (w_done) head.wmask.results = at_lanes;
      else if (!stored) head.wmask.words[LineWords-1:0] = '1;
    end
  end
  hd_l2_send #(
    .Observe(Observe),
    .HeadW(HeadW)
  ) u_send (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .free_o(out_free),
    .send_i(send),
    .to_mem_i(back || fetch),
    .write_i(back),
    .obs_i(wrote),
    .head_i(HeadW'(head)),
    .dn_valid_o(dn_valid_o),
    .dn_ready_i(dn_ready_i),
    .mreq_valid_o(mreq_valid_o),
    .mreq_write_o(mreq_write_o),
    .obs_valid_o(obs_valid_o),
    .head_o(dn_head_o)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      walk_q     <= 1'b0;
      walk_row_q <= '0;
      ev_q       <= '0;
    end else begin
      if (flush_i) walk_q <= 1'b1;
      else if (w_walk && leave && walk_row_q == '1) walk_q <= 1'b0;
      if (w_walk && leave) walk_row_q <= walk_row_q + 1'b1;
      ev_q                           <= '0;
      ev_q[hd_pkg::EV_L2_GETS]       <= take && rq_role.role == hd_pkg::ROLE_READ;
      ev_q[hd_pkg::EV_L2_WT]         <= take && rq_role.role == hd_pkg::ROLE_WRITE;
      ev_q[hd_pkg::EV_L2_ATOMIC]     <= take && rq_role.role == hd_pkg::ROLE_RMW;
      ev_q[hd_pkg::EV_L2_HIT]        <= take && hit && !lock;
      ev_q[hd_pkg::EV_L2_MISS]       <= fetch;
      ev_q[hd_pkg::EV_L2_CHAINED]    <= chain;
      ev_q[hd_pkg::EV_L2_STALL]      <= w_req && !take && !back;
      ev_q[hd_pkg::EV_L2_MEM_READ]   <= fetch;
      ev_q[hd_pkg::EV_L2_MEM_WRITE]  <= back;
      ev_q[hd_pkg::EV_L2_GRANT]      <= answer;
    end
    if (send) old_q <= w_done;
  end
  assign idle_o = ps_idle && !dn_valid_o && !mreq_valid_o && at_idle && !serve_valid && !walk_q
                  && ev_q == '0;
  assign ev_o   = ev_q | ps_ev;

  logic unused;
  assign unused = ^{rq, sent, asker, m_recall, txn_wait, cam_hit, cam_idx, recall_any, recall,
                    excl, sharers, serve_room, serve_count, bad, mrsp_tid_i, req_body_i, m_lanes};

  `HD_ASSERT(a_legal, !bad)
  `HD_ASSERT(a_served_line_is_there, !(w_mem || w_serve || w_done) || (hit && lock))
  `HD_ASSERT(a_turn, !(w_mem || w_serve || w_done) || txn == idx)
  `HD_ASSERT(a_queue_has_room, !push || serve_room)
  `HD_ASSERT(a_send_has_room, !send || out_free)
  `HD_ASSERT(a_walk_alone, !(walk_q && req_valid_i))
  `HD_ASSERT(a_line_of_this_bank, !req_valid_i || (rq.addr[OffW-1:0] == '0
             && (rq.addr >> OffW & hd_pkg::ADDR_W'((1 << PartBits) - 1))
                == hd_pkg::ADDR_W'(part_id_i)))
endmodule
`default_nettype wire
