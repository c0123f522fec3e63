// hd_l2_decide.sv - what one piece of work does to an L2 bank: the directory is asked, and what it
// says becomes updates of tables and queues. Ports as of hd_l2_directory and hd_l2_updates.
//
// send_o: the packet to send. next_o, sharers_o: what becomes of the line. Combinational.
// Parameters: Family, Sms (L1s).
`default_nettype none
module hd_l2_decide #(
  parameter int unsigned Family = hd_pkg::FAMILY_MESI,
  parameter int unsigned Sms = 16
) (
  input  hd_pkg::l2_work_s  work_i,
  input  hd_pkg::l2_line_s  line_i,
  input  logic [Sms-1:0]    sharers_i,
  input  hd_pkg::l2_msg_s   rsp_i,
  input  hd_pkg::l2_msg_s   req_i,
  input  hd_pkg::l2_entry_s m_i,
  input  hd_pkg::l2_can_s   can_i,
  input  logic [Sms-1:0]    todo_i,
  output hd_pkg::l2_plan_s  plan_o,
  output hd_pkg::l2_msg_s   send_o,
  output logic [Sms-1:0]    rest_o,
  output hd_pkg::l2_next_s  next_o,
  output logic [Sms-1:0]    sharers_o,
  output hd_pkg::l2_asked_s asked_o
);
  logic            put, last;
  hd_pkg::l2_dir_s dir;
  hd_pkg::role_s   req_role;

  assign put      = rsp_i.kind == hd_pkg::MSG_PUTM || rsp_i.kind == hd_pkg::MSG_PUTE;
  assign last     = rest_o == '0;
  assign req_role = hd_pkg::l2_role(req_i.kind);

  hd_l2_directory #(
    .Family(Family),
    .Sms(Sms)
  ) u_directory (
    .work_i(work_i),
    .line_i(line_i),
    .sharers_i(sharers_i),
    .rsp_i(rsp_i),
    .req_i(req_i),
    .m_i(m_i),
    .m_recall_i(can_i.m_recall),
    .todo_i(todo_i),
    .dir_o(dir),
    .sharers_o(sharers_o),
    .send_o(send_o),
    .rest_o(rest_o),
    .asked_o(asked_o)
  );
  hd_l2_updates #(
    .Through(Family == hd_pkg::FAMILY_VI ? 1 : 0)
  ) u_updates (
    .work_i(work_i),
    .line_i(line_i),
    .dir_i(dir),
    .last_i(last),
    .put_i(put),
    .m_role_i(m_i.role),
    .req_role_i(req_role.role),
    .can_i(can_i),
    .plan_o(plan_o)
  );
  // mem: nobody is asked, so all three are 0
  assign next_o.dirty = dir.dirty && !plan_o.write_back;
  assign next_o.excl  = dir.excl;
  assign next_o.bad   = dir.bad;
endmodule
`default_nettype wire
