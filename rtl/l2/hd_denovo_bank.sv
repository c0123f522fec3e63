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
  localparam int unsigned OffW  = $clog2(LineWords * 4);             // byte in line
  localparam int unsigned NumW  = hd_pkg::ADDR_W - OffW - PartBits;  // line number in the bank
  localparam int unsigned SetW  = $clog2(Sets);
  localparam int unsigned WayW  = $clog2(Ways);
  localparam int unsigned TagW  = NumW - SetW;
  localparam int unsigned WalkW = SetW + WayW;
  localparam int unsigned IdxW  = hd_pkg::idx_w(MshrEntries);
  localparam int unsigned Observe = (WordW > 32) ? 1 : 0;

  hd_pkg::head_s             rq, rsp;
  hd_pkg::role_s             rq_role;
  hd_pkg::role_e             m_role;
  hd_pkg::msg_e              msg;
  hd_pkg::l2_asker_s         asker, from;
  logic                      w_write, w_mem, w_rsp, w_serve, w_req, w_walk, any_work, is_wb;
  logic                      emit_free, forwards, send_idle;
  logic                      d_wait, d_fetch, d_back, d_recall, d_emit, d_own, d_ack, bad;
  logic                      new_ok, serve_valid, serve_room, m_next_ok, hit, way_ok;
  logic                      lock, dirty, valid;
  logic                      take, alloc, chain, fetch, back, recall, emit, ends, push, merged;
  logic                      data_we, tag_we, own_we, txn_we, read, look_q;
  logic                      walk_q, recall_q, recall_ends;
  logic                      mreq_q, mwrite_q;
  logic [hd_pkg::ADDR_W-1:0] maddr_q, addr;
  logic [hd_pkg::TID_W-1:0]  mtid_q;
  logic [LineWords-1:0]      owned, owned_now, owned_d, merge, mine, left_q, words, dir_owned;
  logic [WalkW-1:0]          walk_row_q;
  logic [IdxW-1:0]           idx, new_idx, serve_idx, m_next, txn, push_idx;
  logic [NumW-1:0]           num, m_num, rq_num, rsp_num;
  logic [SetW-1:0]           set;
  logic [WayW-1:0]           way;
  logic [TagW-1:0]           tag;
  logic [hd_pkg::MASK_W-1:0] bits, m_bits;
  logic [LineW-1:0]          wdata, rdata, owners;
  logic [LineWords-1:0]      mask;
  logic [$clog2(MshrEntries+1)-1:0] serve_count;
  // outputs of tables that this family does not need
  logic                      recall_any, fetching, excl, sharers, m_recall, txn_wait, cam_hit;
  logic [IdxW-1:0]           cam_idx;

  assign rq      = req_head_i;
  assign rsp     = rsp_head_i;
  assign is_wb   = rsp.kind == hd_pkg::MSG_WB;
  assign rq_num  = rq.addr[hd_pkg::ADDR_W-1 -: NumW];
  assign rsp_num = rsp.addr[hd_pkg::ADDR_W-1 -: NumW];
  always_comb begin
    rq_role.role = (rq.kind == hd_pkg::MSG_REG) ? hd_pkg::ROLE_WRITE : hd_pkg::ROLE_READ;
  end

  // ---- the work of this cycle ------------------------------------------------------------------
  assign w_write  = look_q;
  assign w_mem    = !w_write && mrsp_valid_i;
  assign w_rsp    = !w_write && !w_mem && rsp_valid_i;
  assign w_serve  = !w_write && !w_mem && !w_rsp && serve_valid && emit_free;
  assign w_req    = !w_write && !w_mem && !w_rsp && !w_serve && req_valid_i && !recall_q;
  assign w_walk   = !w_write && !w_mem && !w_rsp && !w_serve && !req_valid_i && walk_q && mreq_ok_i;
  assign any_work = w_write || w_mem || w_rsp || w_serve || w_req || w_walk;
  assign idx      = w_mem ? mrsp_tid_i[IdxW-1:0] : serve_idx;
  always_comb begin
    num = m_num;
    if (w_req) num = rq_num;
    else if (w_write || w_rsp) num = rsp_num;
    else if (w_walk) num = NumW'(walk_row_q[WalkW-1 -: SetW]);
    msg = hd_pkg::MSG_NONE;
    if (w_write) msg = rsp.kind;
    else if (w_req) msg = rq.kind;
    else if (w_serve) msg = (m_role == hd_pkg::ROLE_READ) ? hd_pkg::MSG_GETS : hd_pkg::MSG_REG;
    bits = w_req ? rq.wmask.words : w_write ? rsp.wmask.words : m_bits;
    from = asker;
    if (w_req) from = {rq.route.src, rq.tid, rq.opid};
  end
  assign words     = bits[LineWords-1:0];
  assign owned_now = valid ? owned : '0;
  for (genvar i = 0; i < LineWords; i++) begin : g_mine
    assign mine[i] = rdata[WordW*i +: hd_pkg::NODE_W] == rsp.route.src;
  end
  assign dir_owned = (hit && fetching) ? '0 : owned_now;

  hd_dir_denovo #(
    .LineWords(LineWords)
  ) u_dir (
    .en_i(w_write || w_req || w_serve || (w_walk && valid)),
    .msg_i(msg),
    .walk_i(w_walk),
    .later_i(w_serve),
    .here_i(hit),
    .busy_i(lock),
    .words_i(words),
    .owned_i(dir_owned),
    .mine_i(mine),
    .dirty_i(valid && dirty),
    .wait_o(d_wait),
    .fetch_o(d_fetch),
    .back_o(d_back),
    .recall_o(d_recall),
    .emit_o(d_emit),
    .own_o(d_own),
    .merge_o(merge),
    .ack_o(d_ack),
    .bad_o(bad)
  );

  `HD_COVER_PAIRS(g_dirdn_pair, (w_req && (take || back || recall)) || (w_serve && emit) || w_write
                  || (w_walk && valid),
                  hd_pkg::dn_dir_row(msg, w_serve, hit, lock, fetching, (dir_owned & words) != '0,
                                     owned_now != '0, merge != '0, valid && dirty), 8,
                  hd_pkg::dir_column(msg), 5)

  // ---- what is done ----------------------------------------------------------------------------
  assign back    = d_back && mreq_ok_i && way_ok;
  assign fetch   = d_fetch && way_ok && new_ok && mreq_ok_i;
  assign recall  = d_recall && way_ok && emit_free;
  assign emit    = d_emit && emit_free;
  assign alloc   = w_req && d_wait && new_ok && (fetch || !d_fetch);
  assign chain   = alloc && hit;
  assign take    = w_req && (alloc || emit);
  assign ends    = w_serve && emit;
  assign merged  = w_write && merge != '0;
  assign recall_ends = w_write && !is_wb && recall_q && (left_q & ~words) == '0;
  assign data_we = w_mem || merged || (emit && d_own);
  assign read    = w_rsp || back || recall || emit;
  assign push    = w_mem || (ends && m_next_ok);
  assign push_idx = ends ? m_next : idx;
  assign txn_we  = fetch || (ends && m_next_ok);
  assign tag_we  = fetch || (back && w_req) || w_mem || (ends && !m_next_ok) || recall
                   || recall_ends;
  assign own_we  = fetch || merged || (emit && d_own);
  always_comb begin
    owned_d = '0;
    if (emit) owned_d = owned | words;
    else if (w_write) owned_d = owned & ~merge;
  end
  assign req_ready_o  = take;
  assign rsp_ready_o  = w_write;
  assign mrsp_ready_o = w_mem;
  assign mreq_claim_o = back || fetch;
  assign set          = num[SetW-1:0];
  assign addr         = {(back || recall) ? {tag, set} : num, {(OffW + PartBits) {1'b0}}}
                        | (hd_pkg::ADDR_W'(part_id_i) << OffW);

  hd_l2_mshr #(
    .Entries(MshrEntries),
    .LineW(NumW),
    .LaneMasks(1),
    .LaneW(hd_pkg::MASK_W)
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
    .alloc_lanes_i(rq.wmask.words),
    .idx_i(idx),
    .line_o(m_num),
    .role_o(m_role),
    .asker_o(asker),
    .lanes_o(m_bits),
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
  // Of a line on its way in hd_l2_tags keeps "recall".
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
    .recall_o(fetching),
    .tag_o(tag),
    .dirty_o(dirty),
    .excl_o(excl),
    .sharers_o(sharers),
    .txn_o(txn),
    .tag_we_i(tag_we),
    .wvalid_i(!back),
    .wlock_i(fetch || w_mem || recall),
    .wrecall_i(fetch),
    .wtag_i(fetch ? rq_num[NumW-1:SetW] : tag),
    .dir_we_i(fetch || merged || (back && w_walk)),
    .wdirty_i(merged),
    .wexcl_i(1'b0),
    .wsharers_i(1'b0),
    .txn_we_i(txn_we),
    .wtxn_i(fetch ? new_idx : m_next),
    .touch_i(take && !chain)
  );
  hd_regfile #(
    .Width(LineWords),
    .Depth(Sets * Ways)
  ) u_owned (
    .clk_i(clk_i),
    .we_i(own_we),
    .waddr_i({set, way}),
    .wmask_i(1'b1),
    .wdata_i(owned_d),
    .raddr_i({set, way}),
    .rdata_o(owned)
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
    .out_ready_i(ends),
    .out_data_o(serve_idx),
    .count_o(serve_count)
  );

  // ---- data: values, and owners ----------------------------------------------------------------
  for (genvar i = 0; i < LineWords; i++) begin : g_owners
    assign owners[WordW*i +: WordW] = WordW'(from.src);
  end
  always_comb begin
    mask  = words;
    wdata = owners;
    if (w_mem) begin
      mask  = '1;
      wdata = mrsp_data_i;
    end else if (w_write) begin
      mask  = merge;
      wdata = rsp_data_i;
    end
  end
  hd_sram_1r1w #(
    .Width(LineW),
    .Depth(Sets * Ways),
    .Gran(WordW)
  ) u_data (
    .clk_i(clk_i),
    .we_i(data_we),
    .waddr_i({set, way}),
    .wmask_i(mask),
    .wdata_i(wdata),
    .re_i(read),
    .raddr_i({set, way}),
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
    .free_o(emit_free),
    .load_i(emit || recall),
    .kind_i(recall ? hd_pkg::MSG_RECALL : msg),
    .addr_i(addr),
    .from_i(from),
    .bits_i(recall ? hd_pkg::MASK_W'({hd_pkg::COH_WRITE, 1'b0, hd_pkg::COH_WORDS'(owned)}) : bits),
    .owned_i(owned),
    .line_i(rdata),
    .ack_i(w_write && d_ack),
    .wb_head_i(rsp_head_i),
    .rs_valid_o(rs_valid_o),
    .rs_ready_i(rs_ready_i),
    .rs_head_o(rs_head_o),
    .rs_data_o(rs_data_o),
    .fw_valid_o(fw_valid_o),
    .fw_ready_i(fw_ready_i),
    .fw_head_o(fw_head_o),
    .ev_o(forwards),
    .idle_o(send_idle)
  );
  assign mreq_valid_o = mreq_q;
  assign mreq_write_o = mwrite_q;
  assign mreq_addr_o  = maddr_q;
  assign mreq_tid_o   = mtid_q;
  assign mreq_data_o  = rdata;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      look_q     <= 1'b0;
      recall_q   <= 1'b0;
      mreq_q     <= 1'b0;
      walk_q     <= 1'b0;
      walk_row_q <= '0;
      ev_o       <= '0;
    end else begin
      look_q <= w_rsp;
      if (recall) recall_q <= 1'b1;
      else if (recall_ends) recall_q <= 1'b0;
      mreq_q <= mreq_claim_o;
      if (flush_i) walk_q <= 1'b1;
      else if (w_walk && walk_row_q == '1) walk_q <= 1'b0;
      if (w_walk) walk_row_q <= walk_row_q + 1'b1;
      ev_o                          <= '0;
      ev_o[hd_pkg::EV_L2_GETS]      <= take && rq_role.role == hd_pkg::ROLE_READ;
      ev_o[hd_pkg::EV_L2_REG]       <= take && rq_role.role == hd_pkg::ROLE_WRITE;
      ev_o[hd_pkg::EV_L2_HIT]       <= take && hit && !lock;
      ev_o[hd_pkg::EV_L2_MISS]      <= fetch;
      ev_o[hd_pkg::EV_L2_CHAINED]   <= chain;
      ev_o[hd_pkg::EV_L2_STALL]     <= req_valid_i && !take && !back && !recall;
      ev_o[hd_pkg::EV_L2_WB]        <= w_write && is_wb;
      ev_o[hd_pkg::EV_L2_FWD]       <= forwards;
      ev_o[hd_pkg::EV_L2_RECALL]    <= recall;
      ev_o[hd_pkg::EV_L2_MEM_READ]  <= fetch;
      ev_o[hd_pkg::EV_L2_MEM_WRITE] <= back;
      ev_o[hd_pkg::EV_L2_GRANT]     <= rs_valid_o && rs_ready_i;
    end
    if (recall) left_q <= owned;
    else if (w_write && !is_wb) left_q <= left_q & ~words;
    if (mreq_claim_o) begin
      mwrite_q <= back;
      maddr_q  <= addr;
      mtid_q   <= hd_pkg::TID_W'(new_idx);
    end
  end
  assign idle_o = send_idle && !mreq_q && !serve_valid && !walk_q && !look_q && ev_o == '0;

  if (Observe != 0) begin : g_observe
    always_ff @(posedge clk_i) begin
      if (rst_i) obs_valid_o <= 1'b0;
      else obs_valid_o <= emit && d_own;
      obs_src_o  <= from.src;
      obs_addr_o <= addr;
      obs_mask_o <= words;
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
  assign unused = ^{rq, rsp, m_recall, txn_wait, cam_hit, cam_idx, recall_any, excl, sharers,
                    serve_count, mrsp_tid_i, m_bits, bits};

  `HD_ASSERT(a_legal, !bad)
`ifndef SYNTHESIS
  logic [WalkW-1:0] recall_row_q;  // for the assertion
  always_ff @(posedge clk_i) if (recall) recall_row_q <= {set, way};
  `HD_ASSERT(a_recalled_line, !(w_write && !is_wb) || (recall_q && {set, way} == recall_row_q
                                                       && (words & ~left_q) == '0))
`endif
  `HD_ASSERT(a_served_line_is_there, !(w_mem || w_serve) || (hit && lock && txn == idx))
  `HD_ASSERT(a_queue_has_room, !push || serve_room)
  `HD_ASSERT(a_walk_alone, !(walk_q && req_valid_i))
  `HD_ASSERT(a_line_of_this_bank, !req_valid_i || (rq.addr[OffW-1:0] == '0
             && (rq.addr >> OffW & hd_pkg::ADDR_W'((1 << PartBits) - 1))
                == hd_pkg::ADDR_W'(part_id_i)))
endmodule
`default_nettype wire
