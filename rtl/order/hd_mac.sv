// hd_mac.sv - memory access classifier of a partition: which SMs use which sectors how.
//
// Paper 1 sections 4.1 and 4.2, Figure 5 (hd_mac_table), Table 2. A set-associative table of
// sectors, and Busy transitions under way (hd_mac_busy): an invalidation (the sector becomes
// shared_rw) or a recall (its entry is evicted), until all SMs concerned have acknowledged. One
// request is worked on at a time, the first of their queue; it is
//
//   its sector is being invalidated   remembered there and answered "unsafe" at the end (A6)
//   its sector is being recalled      kept waiting
//   answer without invalidation       answered
//   invalidation                      a transition begins; kept waiting while none is free
//   no entry, no way is free          the recall of the least recently used way that is not busy
//                                     begins; kept waiting (A7)
//
// One message a cycle: of transitions that begin, then of those that end, then the first request.
// Waiting requests never stand in the way of data requests (A5): the queue has room for all that
// the SMs may have out, and acknowledgements are taken in the cycle they come.
//
// req   TYPE_REQ, always taken. ack: TYPE_ACK, always taken; tid is the transition.
// dn    TYPE_REP, TYPE_INV, TYPE_RECALL; valid/ready, registers.
// clear_i  forget all sectors (between kernels; nothing is under way).
// ev_o  registered pulses.
// idle_o   nothing moves until a request or an acknowledgement comes.
// Sms; Entries, Ways (powers of two); Busy; Requests: requests that may be out, of all SMs;
// PartBits: log2 of the partitions; SectorBytes. The home of a sector is its number modulo the
// partitions (A14). Replacement: not used since all others of the set were, by one bit a way.
`include "hd_assert.svh"
`default_nettype none
module hd_mac #(
  parameter int unsigned Sms         = 16,
  parameter int unsigned Entries     = 512,
  parameter int unsigned Ways        = 8,
  parameter int unsigned Busy        = 8,
  parameter int unsigned Requests    = 256,
  parameter int unsigned PartBits    = 3,
  parameter int unsigned SectorBytes = hd_pkg::SECTOR_BYTES
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [hd_pkg::NODE_W-1:0] part_id_i,
  input  logic                      clear_i,

  input  logic                      req_valid_i,
  input  logic [hd_pkg::HEAD_W-1:0] req_head_i,
  input  logic                      ack_valid_i,
  input  logic [hd_pkg::HEAD_W-1:0] ack_head_i,
  output logic                      dn_valid_o,
  input  logic                      dn_ready_i,
  output logic [hd_pkg::HEAD_W-1:0] dn_head_o,

  output hd_pkg::mac_ev_s           ev_o,
  output logic                      idle_o
);
  localparam int unsigned SecW  = hd_pkg::ADDR_W - $clog2(SectorBytes);
  localparam int unsigned NumW  = SecW - PartBits;           // sector number in the partition
  localparam int unsigned Sets  = Entries / Ways;
  localparam int unsigned SetW  = $clog2(Sets);
  localparam int unsigned RowW  = hd_pkg::idx_w(Sets);
  localparam int unsigned TagW  = NumW - SetW;
  localparam int unsigned WayW  = hd_pkg::idx_w(Ways);
  localparam int unsigned SmW   = hd_pkg::idx_w(Sms);
  localparam int unsigned BusyW = hd_pkg::idx_w(Busy);
  localparam int unsigned CellW = 2 + TagW + SmW;            // state, tag, owner
  localparam int unsigned ReqW  = NumW + SmW + 1;
  if (Entries != Sets * Ways || Sets != (1 << SetW) || (Ways & (Ways - 1)) != 0) begin : g_bad
    $error("hd_mac: Entries and Ways must be powers of two, Ways at most Entries");
  end

  // ---- the queue of requests --------------------------------------------------------------------
  hd_pkg::head_s    rq, ak, dn;
  logic [0:0]       rq_full, rq_empty, unused_key;
  logic             rq_pop, rq_write;
  logic [NumW-1:0]  rq_num;
  logic [hd_pkg::idx_w(Requests)-1:0] rq_in, rq_out;
  logic [SmW-1:0]   rq_sm, rq_src;
  assign rq = req_head_i;
  assign rq_src = SmW'(rq.route.src);
  assign ak = ack_head_i;
  hd_warp_queues #(.Queues(1), .Depth(Requests), .Width(ReqW), .KeyW(1)) u_requests (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(req_valid_i), .push_q_i(1'b0), .push_key_i(1'b0),
    .push_data_i({rq.addr[hd_pkg::ADDR_W-1 -: NumW], rq_src,
                  rq.tid[hd_pkg::TYPE_WANTS_WRITE]}),
    .push_entry_o(rq_in), .rd_q_i(1'b0), .rd_data_o({rq_num, rq_sm, rq_write}), .rd_entry_o(rq_out),
    .pop_i(rq_pop), .full_o(rq_full), .empty_o(rq_empty), .hkey_o(unused_key)
  );

  // ---- the table ------------------------------------------------------------------------------
  logic [Ways-1:0]       valid_q [0:Sets-1];
  logic [Ways-1:0]       used_q [0:Sets-1];
  logic [Ways-1:0]       lock_q [0:Sets-1];  // a transition of the entry is under way
  logic [Ways*CellW-1:0] row;
  logic [RowW-1:0]       set, fin_set, at;   // of the request; of what ends; the one that is read
  logic [NumW-1:0]       busy_num;           // sector of the transition that is worked on
  logic                  do_finish;          // it has all acknowledgements
  logic [Ways-1:0]       valid, used, lock;
  logic [Ways-1:0]       hit, free, old, young, victim, way, drop_way;
  logic [WayW-1:0]       way_idx;
  logic                  known, same_owner, safe, may_write, inv_owner, inv_all, we;
  logic [CellW-1:0]      cell_hit, cell_victim, cell_new;
  hd_pkg::mac_s          state, victim_state;
  hd_pkg::mac_e          next;
  logic [SmW-1:0]        owner, victim_owner;
  logic [TagW-1:0]       victim_tag;

  assign set     = (Sets == 1) ? '0 : RowW'(rq_num);
  assign fin_set = (Sets == 1) ? '0 : RowW'(busy_num);
  assign at      = do_finish ? fin_set : set;
  assign valid   = valid_q[at];
  assign used    = used_q[at];
  assign lock    = lock_q[at];
  hd_regfile #(.Width(Ways * CellW), .Depth(Sets), .Gran(CellW)) u_table (
    .clk_i(clk_i), .we_i(we), .waddr_i(set), .wmask_i(way), .wdata_i({Ways{cell_new}}),
    .raddr_i(set), .rdata_o(row)
  );
  always_comb begin
    hit         = '0;
    cell_hit    = '0;
    cell_victim = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      hit[w] = valid[w] && row[w*CellW +: TagW] == rq_num[NumW-1 -: TagW];
      if (hit[w]) cell_hit = row[w*CellW +: CellW];
    end
    free   = ~valid;
    old    = ~lock & ~used;
    young  = ~lock;
    victim = (old != '0) ? old & (~old + Ways'(1)) : young & (~young + Ways'(1));
    for (int unsigned w = 0; w < Ways; w++)
      if (victim[w]) cell_victim = row[w*CellW +: CellW];
    known = hit != '0;
    {owner, state} = cell_hit[CellW-1:TagW];
    {victim_owner, victim_state, victim_tag} = cell_victim;
    same_owner = owner == rq_sm;
    way = known ? hit : free & (~free + Ways'(1));
    way_idx = '0;
    for (int unsigned w = 0; w < Ways; w++)
      if (known ? hit[w] : victim[w]) way_idx = WayW'(w);
  end
  hd_mac_table u_figure5 (
    .state_i(state.st), .known_i(known), .owner_i(same_owner), .write_i(rq_write), .next_o(next),
    .safe_o(safe), .may_write_o(may_write), .inv_owner_o(inv_owner), .inv_all_o(inv_all)
  );
  assign cell_new = {known ? owner : rq_sm, next, rq_num[NumW-1 -: TagW]};

  // ---- transitions under way ------------------------------------------------------------------
  logic             same, same_recall, set_recall, busy_room, moves, out_free;
  logic             do_send, send_recall, do_reply, do_req, start, begin_inv, begin_rec;
  logic             answer, remember, end_busy, end_recall;
  logic [BusyW-1:0] send_idx;
  logic [Sms-1:0]   targets;
  logic [SmW-1:0]   busy_sm, to_sm;
  logic [NumW-1:0]  begin_num;
  logic [WayW-1:0]  end_way;

  always_comb begin
    begin_num = rq_num;
    if (begin_rec) begin_num = (Sets == 1) ? NumW'(victim_tag)
                                           : NumW'({victim_tag, rq_num[RowW-1:0]});
  end
  hd_mac_busy #(
    .Sms(Sms),
    .Busy(Busy),
    .Sets(Sets),
    .Ways(Ways),
    .NumW(NumW)
  ) u_busy (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .num_i(rq_num),
    .same_o(same),
    .same_recall_o(same_recall),
    .set_recall_o(set_recall),
    .room_o(busy_room),
    .begin_i(begin_inv || begin_rec),
    .begin_recall_i(begin_rec),
    .begin_num_i(begin_num),
    .begin_way_i(way_idx),
    .targets_i(targets),
    .sm_i(rq_sm),
    .remember_i(remember),
    .go_i(out_free),
    .send_o(do_send),
    .send_recall_o(send_recall),
    .idx_o(send_idx),
    .finish_o(do_finish),
    .reply_o(do_reply),
    .sm_o(busy_sm),
    .num_o(busy_num),
    .end_o(end_busy),
    .end_recall_o(end_recall),
    .end_way_o(end_way),
    .ack_i(ack_valid_i),
    .ack_idx_i(BusyW'(ak.tid)),
    .moves_o(moves)
  );
  assign out_free = !dn_valid_o || dn_ready_i;
  always_comb begin
    do_req    = out_free && !do_send && !do_finish && !rq_empty[0];
    remember  = do_req && same && !same_recall;
    start     = do_req && !same && busy_room;
    begin_inv = start && known && (inv_owner || inv_all);
    begin_rec = start && !known && free == '0 && young != '0 && !set_recall;
    answer    = do_req && !same && (known ? !(inv_owner || inv_all) : free != '0);
    rq_pop    = remember || begin_inv || answer;
    we        = answer || begin_inv;
    if (begin_inv) targets = inv_all ? '1 : Sms'(1) << owner;
    else if (victim_state.st == hd_pkg::MAC_PRIVATE_RO
             || victim_state.st == hd_pkg::MAC_PRIVATE_RW) targets = Sms'(1) << victim_owner;
    else targets = '1;
    to_sm    = (do_send || do_reply) ? busy_sm : rq_sm;
    drop_way = '0;
    drop_way[end_way] = end_busy;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i) begin
      for (int unsigned s = 0; s < Sets; s++) begin
        valid_q[s] <= '0;
        lock_q[s]  <= '0;
        used_q[s]  <= '0;
      end
    end else if (end_busy) begin
      lock_q[at] <= lock & ~drop_way;
      if (end_recall) valid_q[at] <= valid & ~drop_way;
    end else if (we || begin_rec) begin
      if (we) begin
        valid_q[at] <= valid | way;
        used_q[at]  <= ((used | way) == '1) ? way : used | way;
      end
      lock_q[at] <= lock | (begin_inv ? hit : (begin_rec ? victim : '0));
    end
  end

  // ---- towards the SMs ------------------------------------------------------------------------
  logic [NumW-1:0] to_num;
  logic [SecW-1:0] to_sector;
  always_comb begin
    dn        = '0;
    dn.kind   = hd_pkg::MSG_TYPE_REP;
    to_num    = rq_num;
    if (do_send) begin
      dn.kind = send_recall ? hd_pkg::MSG_TYPE_RECALL : hd_pkg::MSG_TYPE_INV;
      dn.tid  = hd_pkg::TID_W'(send_idx);
      to_num  = busy_num;
    end else if (do_reply) to_num = busy_num;
    else begin
      dn.tid[hd_pkg::TYPE_SAFE]      = safe;
      dn.tid[hd_pkg::TYPE_MAY_WRITE] = may_write;
    end
    to_sector = (SecW'(to_num) << PartBits) | SecW'(part_id_i);
    dn.route  = hd_pkg::route_down(part_id_i, hd_pkg::NODE_W'(to_sm));
    dn.addr   = {to_sector, {(hd_pkg::ADDR_W - SecW) {1'b0}}};
  end
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      dn_valid_o <= 1'b0;
      ev_o       <= '0;
    end else begin
      if (out_free) dn_valid_o <= do_send || do_reply || answer;
      ev_o.request <= rq_pop;
      ev_o.inval   <= begin_inv;
      ev_o.recall  <= begin_rec;
    end
    if (out_free) dn_head_o <= dn;
  end

  // A request that only waits moves nothing: it can go on when a transition ends.
  logic can_req;
  always_comb begin
    can_req = !rq_empty[0] && (same ? !same_recall
              : ((known ? !(inv_owner || inv_all) : free != '0)
                 || (busy_room && (known || (young != '0 && !set_recall)))));
  end
  assign idle_o = !dn_valid_o && !moves && !can_req && ev_o == '0;

  logic unused;
  assign unused = ^{rq, ak, rq_full, rq_in, rq_out, unused_key, cell_hit[TagW-1:0]};

  `HD_ASSERT(a_queue_has_room, !req_valid_i || !rq_full[0])
  `HD_ASSERT(a_own_sector, !req_valid_i || SecW'(rq.addr[hd_pkg::ADDR_W-1 -: SecW]
             & SecW'((1 << PartBits) - 1)) == SecW'(part_id_i))
  `HD_ASSERT(a_one_entry, rq_empty[0] || do_finish || $onehot0(hit))
endmodule
`default_nettype wire
