// hd_coh_bank.sv - L2 bank of the families with word states: GPU.
//
// Paper 3; docs/protocol_gpu.md; table: hd_dir_gpu. Each cycle does one piece of work, the first
// of this list that there is:
//   ack    with Inclusive: a copy of a line is gone
//   mem    a line from memory: its first message is next to be served
//   inv    with Inclusive: an INV leaves (hd_coh_recalls). Needs out_free.
//   done   the atomic that was performed: writes its words and answers. Needs out_free.
//   pop    with Persist: a line of non-volatile memory that is to be cleaned, written to memory if
//          dirty; or the answer to a marker (hd_persist_l2). Needs out_free, pop mreq_ok.
//   fill   with Inclusive: a way whose line no L1 has any more: that is written to memory if dirty,
//          then that of the entry that waits for the way fetched. Needs out_free, mreq_ok.
//   serve  the oldest entry whose line is there and whose turn it is. Needs out_free.
//   req    the request at req_*: served at once, or gets an entry, or waits (EV_L2_STALL); if it
//          needs the way of a dirty line, that is written to memory first, or, of a line that L1s
//          have, INVs are sent first and requests for that line wait
//   walk   the next line of the flush walk
// A line is locked while entries of it exist; they are chained and served in order of arrival.
//
// req   valid/ready; head and body (hd_wt_queue). req_ready_o depends on req_valid_i and the rest.
// ack   with Inclusive, valid, taken at once: INV_ACK.
// mrsp  valid/ready: line for entry mrsp_tid_i. Taken unless an INV_ACK is.
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
// WritePlaces of them with data; PartBits; Inclusive: the L2 has every line of which one of Sms L1s
// has clean words.
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
  parameter int unsigned Inclusive   = 0,
  parameter int unsigned Sms         = 1,
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
  input  logic                         ack_valid_i,
  input  logic [hd_pkg::HEAD_W-1:0]    ack_head_i,
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
  localparam int unsigned RowW  = $clog2(Sets) + $clog2(Ways);
  localparam int unsigned IdxW  = hd_pkg::idx_w(MshrEntries);
  localparam int unsigned LaneW = hd_pkg::lane_w(Lanes);
  localparam int unsigned Observe = (WordW > 32) ? 1 : 0;

  hd_pkg::head_s             rq, sent;
  hd_pkg::role_s             rq_role;
  hd_pkg::msg_e              kind;
  hd_pkg::coh_can_s          can;
  hd_pkg::coh_work_s         work;
  hd_pkg::coh_plan_s         plan;
  hd_pkg::coh_line_s         line;
  hd_pkg::coh_send_s         send;
  hd_pkg::coh_answer_s       answer;
  hd_pkg::coh_sent_s         leaves;
  hd_pkg::l2_asker_s         pack;
  logic                      out_free, wr_room, at_free, at_done, at_idle, body_ready, mreq_all;
  logic                      serve_valid, ctl_idle, data_we, back_nv, fetch_nv, at_wrote, at_put;
  logic                      req_nv;
  logic [IdxW-1:0]           idx, new_idx, serve_idx, at_idx;
  logic [RowW-1:0]           row;
  logic [LaneW-1:0]          m_lanes;
  logic [hd_pkg::ADDR_W-1:0] line_addr, tag_addr;
  logic [hd_pkg::HEAD_W-1:0] inv_head;
  logic [hd_pkg::EV_L2_NUM-1:0] ctl_ev, ps_ev;
  // persist barriers
  logic                      mark, pop_valid, pack_valid, req_ok, ps_idle, hold, leave;
  logic [NumW-1:0]           pop_num;
  logic [hd_pkg::TID_W-1:0]  epoch;

  assign rq       = req_head_i[hd_pkg::HEAD_W-1:0];
  assign rq_role  = hd_pkg::l2_role(rq.kind);
  assign answer.results = hd_pkg::half_mask(hd_pkg::LANES_MAX'(m_lanes));
  assign mreq_all = mreq_ok_i[0] && (Persist == 0 || mreq_ok_i[1]);
  assign req_nv   = nv_base_i != '0 && rq.addr >= nv_base_i;
  assign fetch_nv = Persist != 0 && nv_base_i != '0 && line_addr >= nv_base_i;
  assign data_we  = work.mem || plan.stored || work.done;
  assign at_put   = rq_role.role == hd_pkg::ROLE_RMW;
  assign can      = {out_free, mreq_all, mreq_ok_i[1], wr_room, at_free, body_ready};
  assign {mrsp_ready_o, req_ready_o} = {!work.ack, plan.take || mark};
  assign mreq_claim_o = 2'(plan.back || plan.fetch) << (plan.back ? back_nv : fetch_nv);
  assign sent         = dn_head_o[hd_pkg::HEAD_W-1:0];
  assign {mreq_addr_o, mreq_tid_o} = {sent.addr, sent.tid};
  assign {obs_src_o, obs_opid_o, obs_addr_o, obs_data_o}
    = (Observe != 0) ? {sent.route.dst, sent.opid, sent.addr, mreq_data_o} : '0;

  hd_coh_control #(
    .Lanes(Lanes),
    .LineWords(LineWords),
    .Sets(Sets),
    .Ways(Ways),
    .MshrEntries(MshrEntries),
    .PartBits(PartBits),
    .Persist(Persist),
    .Inclusive(Inclusive),
    .Sms(Sms)
  ) u_control (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .part_id_i(part_id_i),
    .req_valid_i(req_valid_i && req_ok),
    .req_nv_i(req_nv),
    .req_head_i(req_head_i),
    .ack_valid_i(ack_valid_i),
    .ack_head_i(ack_head_i),
    .mem_valid_i(mrsp_valid_i),
    .mem_idx_i(mrsp_tid_i[IdxW-1:0]),
    .done_valid_i(at_done),
    .done_idx_i(at_idx),
    .done_wrote_i(at_wrote),
    .pop_valid_i(pop_valid),
    .pop_num_i(pop_num),
    .pack_valid_i(pack_valid),
    .can_i(can),
    .hold_i(hold),
    .leave_i(leave),
    .back_ok_i(mreq_ok_i[back_nv]),
    .fetch_ok_i(mreq_ok_i[fetch_nv]),
    .work_o(work),
    .plan_o(plan),
    .kind_o(kind),
    .asker_o(answer.asker),
    .lanes_o(m_lanes),
    .row_o(row),
    .line_o(line),
    .line_addr_o(line_addr),
    .tag_addr_o(tag_addr),
    .idx_o(idx),
    .new_idx_o(new_idx),
    .serve_valid_o(serve_valid),
    .serve_idx_o(serve_idx),
    .inv_head_o(inv_head),
    .flush_i(flush_i),
    .ev_o(ctl_ev),
    .idle_o(ctl_idle)
  );

  hd_l2_data #(
    .Family(hd_pkg::FAMILY_VI),  // whose data these are too
    .Rows(Sets * Ways),
    .Entries(MshrEntries),
    .Places(WritePlaces),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .FlitWords(FlitWords),
    .Observe(Observe)
  ) u_data (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .row_i(row),
    .read_i(plan.read),
    .we_i(data_we),
    .from_mem_i(work.mem),
    .from_req_i(work.req),
    .from_wait_i(work.serve),
    .from_atomic_i(work.done),
    .mem_data_i(mrsp_data_i),
    .rsp_data_i({LineW{1'b0}}),
    .rsp_mask_i({LineWords{1'b0}}),
    .body_i(req_body_i),
    .req_mask_i(rq.wmask.words[LineWords-1:0]),
    .wait_mask_i(m_lanes),
    .data_o(mreq_data_o),
    .send_i(out_free),
    .dn_data_o(dn_data_o),
    .wr_room_o(wr_room),
    .put_i(plan.put),
    .put_atomic_i(at_put),
    .put_entry_i(new_idx),
    .next_valid_i(serve_valid),
    .next_entry_i(serve_idx),
    .next_pop_i(work.serve),
    .ready_o(body_ready),
    .free_i(plan.drop),
    .free_entry_i(idx),
    .at_free_o(at_free),
    .at_start_i(plan.perform),
    .at_done_o(at_done),
    .at_entry_o(at_idx),
    .at_wrote_o(at_wrote),
    .obs_mask_o(obs_mask_o),
    .obs_new_o(obs_new_o),
    .idle_o(at_idle)
  );

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
    .taken_i(plan.take),
    .noted_i(line.noted),
    .row_i(row),
    .hit_i(line.hit),
    .new_i(plan.fetch),
    .hold_o(hold),
    .leave_o(leave),
    .pop_valid_o(pop_valid),
    .pop_num_o(pop_num),
    .pop_i(work.pop),
    .locked_i(line.locked),
    .ended_i(plan.ends || plan.filled),
    .back_i(plan.back),
    .back_addr_i(tag_addr),
    .epoch_o(epoch),
    .back_nv_o(back_nv),
    .mack_valid_i(mack_valid_i),
    .mack_tid_i(mack_tid_i),
    .pack_valid_o(pack_valid),
    .pack_ready_i(work.pack),
    .pack_to_o(pack.src),
    .pack_id_o(pack.opid),
    .ev_o(ps_ev),
    .idle_o(ps_idle)
  );

  // ---- what is sent ----------------------------------------------------------------------------
  assign pack.tid = '0;
  assign send.answer = plan.answer;
  assign send.fetch  = plan.fetch;
  assign send.back   = plan.back;
  assign send.pack   = work.pack;
  assign send.inv    = work.inv;
  assign send.kind   = kind;
  assign send.whole  = !plan.stored;
  assign send.obs    = plan.wrote;
  hd_coh_send #(
    .Lanes(Lanes),
    .LineWords(LineWords),
    .IdxW(IdxW),
    .Observe(Observe),
    .Persist(Persist)
  ) u_send (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .part_id_i(part_id_i),
    .free_o(out_free),
    .do_i(send),
    .addr_i(plan.back ? tag_addr : line_addr),
    .answer_i(answer),
    .idx_i(new_idx),
    .epoch_i(epoch),
    .pack_i(pack),
    .inv_head_i(inv_head),
    .dn_ready_i(dn_ready_i),
    .sent_o(leaves),
    .head_o(dn_head_o)
  );
  assign {dn_valid_o, mreq_valid_o, mreq_write_o, obs_valid_o} = leaves;

  assign idle_o = ps_idle && ctl_idle && at_idle && !dn_valid_o && !mreq_valid_o;
  assign ev_o   = ctl_ev | ps_ev;

  logic unused;
  assign unused = ^{rq, sent, work, plan, mrsp_tid_i, m_lanes};

  `HD_ASSERT(a_send_has_room, !(plan.answer || plan.back || plan.fetch || work.pack || work.inv)
             || out_free)
  `HD_ASSERT(a_line_of_this_bank, !req_valid_i || (rq.addr[OffW-1:0] == '0
             && (rq.addr >> OffW & hd_pkg::ADDR_W'((1 << PartBits) - 1))
                == hd_pkg::ADDR_W'(part_id_i)))
endmodule
`default_nettype wire
