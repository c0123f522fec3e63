// hd_coh_decide.sv - what an L2 bank of family GPU does with the work of a cycle.
//
// Paper 3; docs/protocol_gpu.md: the table hd_dir_gpu, and what it takes to do what that says.
// Combinational. work_i, msg_i: hd_coh_select; line_i: of hd_l2_tags; can_i, now_i: what is
// possible; req_role_i, m_role_i: of the request, of the entry at work. plan_o: what is done,
// kind_o: the answer. ev_o: EV_L2_*, to be registered.
// Parameters: Inclusive of the bank.
`include "hd_assert.svh"
`default_nettype none
module hd_coh_decide #(
  parameter int unsigned Inclusive = 0
) (
  input  hd_pkg::coh_work_s work_i,
  input  hd_pkg::msg_e      msg_i,
  input  hd_pkg::coh_can_s  can_i,
  input  hd_pkg::l2_line_s  line_i,
  input  hd_pkg::coh_now_s  now_i,
  input  hd_pkg::role_e     req_role_i,
  input  hd_pkg::role_e     m_role_i,
  output hd_pkg::coh_plan_s plan_o,
  output hd_pkg::msg_e      kind_o,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o,
  output logic              bad_o
);
  hd_pkg::msg_e send_kind;
  hd_pkg::dir_gpu_at_s at;
  hd_pkg::dir_gpu_do_s d;
  logic en, is_put, entry_ok, take, alloc, chain, fetch, back, recall, filled, answer, ends;
  logic stored, wrote;

  assign en = (work_i.req && !now_i.hold && !(line_i.hit && line_i.recall)
               && !(now_i.cam_hit && now_i.blocks))
              || work_i.serve
              || ((work_i.walk || work_i.fill) && now_i.leave)
              || (work_i.pop && line_i.hit && !line_i.lock && now_i.leave);
  assign at.later  = work_i.serve;
  assign at.here   = line_i.hit || now_i.cam_hit;
  assign at.busy   = line_i.lock || now_i.cam_hit;
  assign at.dirty  = line_i.valid && line_i.dirty;
  assign at.shared = now_i.shared;
  hd_dir_gpu u_dir (
    .en_i(en),
    .msg_i(msg_i),
    .at_i(at),
    .do_o(d),
    .send_o(send_kind),
    .bad_o(bad_o)
  );

  assign is_put   = req_role_i != hd_pkg::ROLE_READ;
  assign entry_ok = now_i.new_ok && (can_i.wr_room || !is_put);
  assign back     = d.back && can_i.out_free && now_i.back_ok && line_i.ok;
  assign fetch    = d.fetch && line_i.ok && can_i.out_free && now_i.fetch_ok
                    && ((work_i.fill && !now_i.frees) || (work_i.req && entry_ok));
  assign recall   = Inclusive != 0 && work_i.req && d.recall && line_i.ok && now_i.recall_free
                    && (now_i.blocks || entry_ok);
  assign filled   = Inclusive != 0 && work_i.fill && (fetch || now_i.frees);
  assign alloc    = work_i.req && d.waits && entry_ok
                    && (fetch || (recall && !now_i.blocks) || !(d.fetch || d.recall));
  assign chain    = alloc && ((line_i.hit && line_i.lock) || now_i.cam_hit);
  assign answer   = work_i.done || (send_kind != hd_pkg::MSG_NONE && can_i.out_free);
  assign take     = work_i.req && (alloc || answer);  // neither while now_i.hold
  assign ends     = work_i.done || (work_i.serve && answer);
  assign stored   = d.write && answer;
  assign wrote    = stored || (work_i.done && now_i.did_write);
  assign kind_o   = work_i.done ? hd_pkg::MSG_AT_DATA : send_kind;
  assign plan_o.take    = take;
  assign plan_o.alloc   = alloc;
  assign plan_o.chain   = chain;
  assign plan_o.put     = alloc && is_put;
  assign plan_o.fetch   = fetch;
  assign plan_o.back    = back;
  assign plan_o.recall  = recall;
  assign plan_o.filled  = filled;
  assign plan_o.answer  = answer;
  assign plan_o.ends    = ends;
  assign plan_o.drop    = ends && m_role_i != hd_pkg::ROLE_READ;
  assign plan_o.stored  = stored;
  assign plan_o.perform = d.perform;
  assign plan_o.wrote   = wrote;
  assign plan_o.read    = back || d.perform || (answer && !work_i.done && !stored);
  assign plan_o.push    = work_i.mem || (ends && now_i.next)
                          || (alloc && line_i.hit && !line_i.lock);
  assign plan_o.tag_we  = fetch || (back && work_i.req) || (alloc && !chain)
                          || (ends && !now_i.next) || recall || filled;
  assign plan_o.dir_we  = fetch || wrote || (back && !work_i.req);
  always_comb begin
    ev_o = '0;
    ev_o[hd_pkg::EV_L2_GETS]      = take && req_role_i == hd_pkg::ROLE_READ;
    ev_o[hd_pkg::EV_L2_WT]        = take && req_role_i == hd_pkg::ROLE_WRITE;
    ev_o[hd_pkg::EV_L2_ATOMIC]    = take && req_role_i == hd_pkg::ROLE_RMW;
    ev_o[hd_pkg::EV_L2_HIT]       = take && line_i.hit && !line_i.lock;
    ev_o[hd_pkg::EV_L2_MISS]      = fetch;
    ev_o[hd_pkg::EV_L2_CHAINED]   = chain;
    ev_o[hd_pkg::EV_L2_STALL]     = work_i.req && !take && !back && !recall;
    ev_o[hd_pkg::EV_L2_INV_SENT]  = work_i.inv;
    ev_o[hd_pkg::EV_L2_RECALL]    = recall;
    ev_o[hd_pkg::EV_L2_MEM_READ]  = fetch;
    ev_o[hd_pkg::EV_L2_MEM_WRITE] = back;
    ev_o[hd_pkg::EV_L2_GRANT]     = answer;
  end

  logic unused;
  assign unused = ^{line_i, work_i, can_i};
endmodule
`default_nettype wire
