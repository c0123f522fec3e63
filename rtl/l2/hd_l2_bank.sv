// hd_l2_bank.sv - the L2 bank proper: one decision a cycle over tags, directory, MSHRs and data.
//
// Each cycle does one piece of work, the first of this list that there is:
//   rsp    a packet of the RSP network (PUT, answer to a fetch or invalidation). Always taken.
//   mrsp   a line from memory
//   done   (VI) the atomic that was performed: writes its words and answers. Needs out_free.
//   pop    (VI, with Persist) a line of non-volatile memory is to be cleaned: written to memory
//          if it is dirty. Needs out_free, mreq_ok_i.
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
// mack, nv_base_i  persist barriers, VI with Persist: as of hd_coh_bank.
// mreq  mreq_claim_o (only with mreq_ok_i; bit 1, with Persist, is of non-volatile memory, and
//       both must be there) announces exactly one mreq_valid_o pulse, the cycle after.
//       mreq_data_o only with mreq_write_o.
// flush_i  pulse: walks all lines; the dirty ones are written to memory and stay, clean. No request
//       may be under way or come before idle_o.
// ev_o  registered pulses. idle_o: nothing queued, no pulse out, no walk. Entries that wait for an
//       answer do not count. part_id_i is constant and below 2**PartBits.
// Family VI: requests bring a body (req_body_i, hd_wt_queue), which is kept in hd_l2_writes while
// they wait; stores are written and atomics (hd_atomic_unit, one at a time) performed here. A head
// of the serve queue waits a cycle for its body. obs_*: registered, checked builds only, the cycle
// after a store was written: who, which line, and the line before it. With Persist obs_mask_o is
// not 0 the cycle after a store or an atomic wrote words: those, which obs_new_o became.
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
  parameter int unsigned Persist     = 0,    // VI, 1: persist barriers
  parameter int unsigned NvwDepth    = 64,
  parameter int unsigned Epochs      = 8,
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

  input  logic [1:0]                   mreq_ok_i,
  output logic [1:0]                   mreq_claim_o,
  output logic                         mreq_valid_o,
  output logic                         mreq_write_o,
  output logic [hd_pkg::ADDR_W-1:0]    mreq_addr_o,
  output logic [hd_pkg::TID_W-1:0]     mreq_tid_o,
  output logic [LineW-1:0]             mreq_data_o,

  input  logic [31:0]                  nv_base_i,
  input  logic                         mack_valid_i,
  input  logic [hd_pkg::TID_W-1:0]     mack_tid_i,

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
  localparam int unsigned OffW  = $clog2(LineWords * 4);           // byte in line
  localparam int unsigned NumW  = hd_pkg::ADDR_W - OffW - PartBits;  // line number in the bank
  localparam int unsigned SetW  = $clog2(Sets);
  localparam int unsigned IdxW  = hd_pkg::idx_w(MshrEntries);
  localparam bit          Vi    = Family == hd_pkg::FAMILY_VI;
  localparam int unsigned Observe   = (Vi && WordW > 32) ? 1 : 0;

  logic                      out_free, serve_valid, body_ready, at_done, at_free, at_idle, wr_room;
  logic                      ctl_idle, send, has_line, put, put_atomic, drop, leave, back_nv, ok;
  logic [IdxW-1:0]           serve_idx, at_idx, idx, new_idx;
  logic                      at_wrote;
  logic [$clog2(Ways)-1:0]   t_way;
  logic [NumW-1:0]           t_num;  // of the line in the way
  hd_pkg::l2_asker_s         m_asker;
  logic [hd_pkg::lane_w(Lanes)-1:0] m_lanes;
  logic [HeadW-1:0]          head;
  // persist barriers
  logic                      req_ok, mark, pop_valid, pack_valid, busy, dirty, ps_idle, hold;
  logic [NumW-1:0]           pop_num, m_num;
  logic [hd_pkg::TID_W-1:0]  epoch;
  logic [hd_pkg::ADDR_W-1:0] addr;
  logic [hd_pkg::NODE_W-1:0] pack_to;
  logic [hd_pkg::OPID_W-1:0] pack_id;
  logic [hd_pkg::EV_L2_NUM-1:0] control_ev, ps_ev;
  hd_pkg::head_s             rq, rs, sent;
  hd_pkg::role_s             rq_role;
  hd_pkg::role_e             m_role;
  hd_pkg::l2_msg_s           msg;
  hd_pkg::l2_pack_s          pack;
  hd_pkg::l2_work_s          work;
  hd_pkg::l2_plan_s          plan;

  assign {rq, rs}     = {req_head_i[hd_pkg::HEAD_W-1:0], rsp_head_i[hd_pkg::HEAD_W-1:0]};
  assign rq_role      = hd_pkg::l2_role(rq.kind);
  assign {mrsp_ready_o, req_ready_o} = {!rsp_valid_i, plan.req_ready || mark};
  assign mreq_claim_o = 2'(plan.write_back || plan.mem_read) << back_nv;
  assign sent         = dn_head_o[hd_pkg::HEAD_W-1:0];
  assign {mreq_addr_o, mreq_tid_o} = {sent.addr, sent.tid};
  assign {obs_src_o, obs_opid_o, obs_addr_o, obs_data_o}
    = (Observe != 0) ? {sent.route.dst, sent.opid, sent.addr, mreq_data_o} : '0;
  // Not in the ports: Yosys 0.23 fails on constants there.
  assign put          = plan.alloc && rq_role.role != hd_pkg::ROLE_READ;
  assign put_atomic   = rq_role.role == hd_pkg::ROLE_RMW;
  assign drop         = plan.free && m_role != hd_pkg::ROLE_READ;
  assign ok           = mreq_ok_i[0] && (Persist == 0 || mreq_ok_i[1]);
  assign idle_o       = !dn_valid_o && !mreq_valid_o && ctl_idle && at_idle && ps_idle;
  assign ev_o         = control_ev | ps_ev;

  hd_l2_control #(
    .Family(Family),
    .Sms(Sms),
    .Lanes(Lanes),
    .Sets(Sets),
    .Ways(Ways),
    .MshrEntries(MshrEntries),
    .LaneMasks(LaneMasks),
    .NumW(NumW)
  ) u_control (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .req_valid_i(req_valid_i && req_ok),
    .req_head_i(req_head_i),
    .rsp_valid_i(rsp_valid_i),
    .rsp_head_i(rsp_head_i[hd_pkg::HEAD_W-1:0]),
    .mem_valid_i(mrsp_valid_i),
    .mem_idx_i(mrsp_tid_i[IdxW-1:0]),
    .done_valid_i(at_done),
    .done_idx_i(at_idx),
    .pop_valid_i(pop_valid),
    .pop_num_i(pop_num),
    .out_free_i(out_free && !pack.valid),
    .mreq_ok_i(ok),
    .wr_room_i(wr_room),
    .at_free_i(at_free),
    .body_ready_i(body_ready),
    .work_o(work),
    .plan_o(plan),
    .msg_o(msg),
    .set_o(t_num[SetW-1:0]),
    .way_o(t_way),
    .tag_o(t_num[NumW-1:SetW]),
    .idx_o(idx),
    .new_idx_o(new_idx),
    .m_role_o(m_role),
    .m_num_o(m_num),
    .m_asker_o(m_asker),
    .m_lanes_o(m_lanes),
    .serve_valid_o(serve_valid),
    .serve_idx_o(serve_idx),
    .busy_o(busy),
    .dirty_o(dirty),
    .flush_i(flush_i),
    .ev_o(control_ev),
    .idle_o(ctl_idle)
  );

  hd_l2_data #(
    .Family(Family),
    .Rows(Sets * Ways),
    .Entries(MshrEntries),
    .Places(WritePlaces),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .FlitWords(FlitWords),
    .Observe((Persist != 0 && Observe != 0) ? 1 : 0)
  ) u_data (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .row_i({t_num[SetW-1:0], t_way}),
    .read_i(plan.write_back || has_line || plan.at_start),
    .we_i(plan.data_we),
    .from_mem_i(work.mem),
    .from_req_i(work.req),
    .from_wait_i(work.serve),
    .from_atomic_i(work.done),
    .mem_data_i(mrsp_data_i),
    .rsp_data_i(rsp_data_i),
    .rsp_mask_i(rs.wmask.words[LineWords-1:0]),
    .body_i(req_body_i),
    .req_mask_i(rq.wmask.words[LineWords-1:0]),
    .wait_mask_i(m_lanes),
    .data_o(mreq_data_o),
    .send_i(send),
    .dn_data_o(dn_data_o),
    .wr_room_o(wr_room),
    .put_i(put),
    .put_atomic_i(put_atomic),
    .put_entry_i(new_idx),
    .next_valid_i(serve_valid),
    .next_entry_i(serve_idx),
    .next_pop_i(plan.serve_pop),
    .ready_o(body_ready),
    .free_i(drop),
    .free_entry_i(idx),
    .at_free_o(at_free),
    .at_start_i(plan.at_start),
    .at_done_o(at_done),
    .at_entry_o(at_idx),
    .at_wrote_o(at_wrote),
    .obs_mask_o(obs_mask_o),
    .obs_new_o(obs_new_o),
    .idle_o(at_idle)
  );

  hd_l2_head #(
    .IdxW(IdxW),
    .NumW(NumW),
    .PartBits(PartBits),
    .LineWords(LineWords),
    .Lanes(Lanes),
    .LaneMasks(LaneMasks)
  ) u_head (
    .work_i(work),
    .plan_i(plan),
    .msg_i(msg),
    .part_id_i(part_id_i),
    .num_i(plan.mem_read ? m_num : t_num),
    .req_head_i(req_head_i),
    .idx_i(idx),
    .m_i({m_lanes, m_asker}),
    .epoch_i((Persist != 0) ? epoch : hd_pkg::TID_W'(idx)),
    .pack_i(pack),
    .send_o(send),
    .line_o(has_line),
    .addr_o(addr),
    .head_o(head)
  );

  // An answer to a marker takes the sending stage from the work of the cycle.
  assign pack = {pack_valid && out_free, pack_to, pack_id};
  hd_persist_l2 #(
    .Persist(Persist), .Depth(NvwDepth), .Epochs(Epochs), .NumW(NumW)
  ) u_persist (
    .clk_i(clk_i), .rst_i(rst_i), .nv_base_i(nv_base_i), .req_valid_i(req_valid_i),
    .req_head_i(rq), .req_ok_o(req_ok), .mark_o(mark), .taken_i(plan.req_ready),
    .noted_i(dirty && !busy), .row_i(1'b0), .hit_i(1'b0), .new_i(1'b0), .hold_o(hold),
    .leave_o(leave), .pop_valid_o(pop_valid), .pop_num_o(pop_num), .pop_i(work.pop),
    .locked_i(busy), .ended_i(plan.free || plan.recall_clr), .back_i(plan.write_back),
    .back_addr_i(addr), .epoch_o(epoch), .back_nv_o(back_nv),
    .mack_valid_i(mack_valid_i), .mack_tid_i(mack_tid_i),
    .pack_valid_o(pack_valid), .pack_ready_i(pack.valid), .pack_to_o(pack_to), .pack_id_o(pack_id),
    .ev_o(ps_ev), .idle_o(ps_idle)
  );

  hd_l2_send #(
    .Observe(Observe),
    .HeadW(HeadW)
  ) u_send (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .free_o(out_free),
    .send_i(send),
    .to_mem_i(plan.write_back || plan.mem_read),
    .write_i(plan.write_back),
    .obs_i(plan.grant && msg.kind == hd_pkg::MSG_WT_ACK),
    .head_i(head),
    .dn_valid_o(dn_valid_o),
    .dn_ready_i(dn_ready_i),
    .mreq_valid_o(mreq_valid_o),
    .mreq_write_o(mreq_write_o),
    .obs_valid_o(obs_valid_o),
    .head_o(dn_head_o)
  );

  logic unused_ok;
  assign unused_ok = ^{rq, rs, sent, rsp_head_i, mrsp_tid_i, work, plan, hold, leave, at_wrote};

  `HD_ASSERT(a_req_is_request, !req_valid_i || rq.kind == hd_pkg::MSG_GETS
             || rq.kind == (Vi ? hd_pkg::MSG_WT : hd_pkg::MSG_GETM)
             || rq.kind == (Vi ? hd_pkg::MSG_ATOMIC : hd_pkg::MSG_UPG)
             || (Persist != 0 && rq.kind == hd_pkg::MSG_PMARK))
  `HD_ASSERT(a_send_has_room, !send || out_free)
  `HD_ASSERT(a_line_of_this_bank, !req_valid_i || (rq.addr[OffW-1:0] == '0
             && (rq.addr >> OffW & hd_pkg::ADDR_W'((1 << PartBits) - 1))
                == hd_pkg::ADDR_W'(part_id_i)))
endmodule
`default_nettype wire
