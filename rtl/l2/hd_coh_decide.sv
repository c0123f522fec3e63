// hd_coh_decide.sv - what an L2 bank of family GPU does with the work of a cycle.
//
// Paper 3; docs/protocol_gpu.md: the table hd_dir_gpu, and what it takes to do what that says.
// Combinational. work_i, msg_i: hd_coh_select; line_i: of hd_l2_tags, shared_i: and L1s may have
// words of it; cam_hit_i: the line is on its way to a way that is being emptied. can_i, new_ok_i
// (an entry is free), recall_free_i, hold_i, leave_i (hd_persist_l2), back_ok_i, fetch_ok_i: what
// is possible. next_ok_i: others wait behind the entry at work. done_wrote_i: the atomic that is
// done has words to write. ev_o: EV_L2_*, to be registered.
// blocks_i: the request takes no entry before its way is free, frees_i: the fill is for such a one.
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
  input  logic              shared_i,
  input  logic              cam_hit_i,
  input  logic              new_ok_i,
  input  logic              recall_free_i,
  input  logic              blocks_i,
  input  logic              frees_i,
  input  hd_pkg::role_e     req_role_i,
  input  hd_pkg::role_e     m_role_i,
  input  logic              next_ok_i,
  input  logic              done_wrote_i,
  input  logic              hold_i,
  input  logic              leave_i,
  input  logic              back_ok_i,
  input  logic              fetch_ok_i,
  output hd_pkg::coh_plan_s plan_o,
  output hd_pkg::msg_e      kind_o,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o,
  output logic              bad_o
);
  hd_pkg::msg_e send_kind;
  logic d_fetch, d_wait, d_back, d_recall, d_write, d_perform, en, is_put, entry_ok, take, alloc;
  logic chain, fetch, back, recall, filled, answer, ends, stored, wrote;

  assign en = (work_i.req && !hold_i && !(line_i.hit && line_i.recall) && !(cam_hit_i && blocks_i))
              || work_i.serve
              || ((work_i.walk || work_i.fill) && leave_i)
              || (work_i.pop && line_i.hit && !line_i.lock && leave_i);
  hd_dir_gpu u_dir (
    .en_i(en),
    .msg_i(msg_i),
    .later_i(work_i.serve),
    .here_i(line_i.hit || cam_hit_i),
    .busy_i(line_i.lock || cam_hit_i),
    .dirty_i(line_i.valid && line_i.dirty),
    .shared_i(shared_i),
    .fetch_o(d_fetch),
    .wait_o(d_wait),
    .back_o(d_back),
    .recall_o(d_recall),
    .write_o(d_write),
    .perform_o(d_perform),
    .send_o(send_kind),
    .bad_o(bad_o)
  );

  assign is_put   = req_role_i != hd_pkg::ROLE_READ;
  assign entry_ok = new_ok_i && (can_i.wr_room || !is_put);
  assign back     = d_back && can_i.out_free && back_ok_i && line_i.ok;
  assign fetch    = d_fetch && line_i.ok && can_i.out_free && fetch_ok_i
                    && ((work_i.fill && !frees_i) || (work_i.req && entry_ok));
  assign recall   = Inclusive != 0 && work_i.req && d_recall && line_i.ok && recall_free_i
                    && (blocks_i || entry_ok);
  assign filled   = Inclusive != 0 && work_i.fill && (fetch || frees_i);
  assign alloc    = work_i.req && d_wait && entry_ok
                    && (fetch || (recall && !blocks_i) || !(d_fetch || d_recall));
  assign chain    = alloc && ((line_i.hit && line_i.lock) || cam_hit_i);
  assign answer   = work_i.done || (send_kind != hd_pkg::MSG_NONE && can_i.out_free);
  assign take     = work_i.req && (alloc || answer);  // neither while hold_i
  assign ends     = work_i.done || (work_i.serve && answer);
  assign stored   = d_write && answer;
  assign wrote    = stored || (work_i.done && done_wrote_i);
  assign kind_o   = work_i.done ? hd_pkg::MSG_AT_DATA : send_kind;
  always_comb begin
    plan_o         = '0;
    plan_o.take    = take;
    plan_o.alloc   = alloc;
    plan_o.chain   = chain;
    plan_o.put     = alloc && is_put;
    plan_o.fetch   = fetch;
    plan_o.back    = back;
    plan_o.recall  = recall;
    plan_o.filled  = filled;
    plan_o.answer  = answer;
    plan_o.ends    = ends;
    plan_o.drop    = ends && m_role_i != hd_pkg::ROLE_READ;
    plan_o.stored  = stored;
    plan_o.perform = d_perform;
    plan_o.wrote   = wrote;
    plan_o.read    = back || d_perform || (answer && !work_i.done && !stored);
    plan_o.push    = work_i.mem || (ends && next_ok_i) || (alloc && line_i.hit && !line_i.lock);
    plan_o.tag_we  = fetch || (back && work_i.req) || (alloc && !chain) || (ends && !next_ok_i)
                     || recall || filled;
    plan_o.dir_we  = fetch || wrote || (back && !work_i.req);
  end
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
