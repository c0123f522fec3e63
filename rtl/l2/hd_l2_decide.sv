// hd_l2_decide.sv - what one piece of work does to an L2 bank: the directory is asked, and what it
// says becomes updates of tables and queues. Ports as of hd_l2_directory and hd_l2_updates.
//
// dirty_o, excl_o, sharers_o: the directory's next state, count with plan_o.dir_we. bad_o: a
// message that the line's state excludes. dir_*: what the directory was asked, and of which SM.
// Combinational. Parameters: Family, Sms (L1s).
`default_nettype none
module hd_l2_decide #(
  parameter int unsigned Family = hd_pkg::FAMILY_MESI,
  parameter int unsigned Sms = 16
) (
  input  hd_pkg::l2_work_s          work_i,
  input  hd_pkg::l2_line_s          line_i,
  input  logic [Sms-1:0]            sharers_i,
  input  hd_pkg::msg_e              rsp_kind_i,
  input  logic [hd_pkg::NODE_W-1:0] rsp_src_i,
  input  hd_pkg::msg_e              req_kind_i,
  input  logic [hd_pkg::NODE_W-1:0] req_src_i,
  input  hd_pkg::role_e             m_role_i,
  input  logic [hd_pkg::NODE_W-1:0] m_src_i,
  input  hd_pkg::l2_can_s           can_i,
  input  logic [Sms-1:0]            todo_i,
  output hd_pkg::l2_plan_s          plan_o,
  output hd_pkg::msg_e              kind_o,
  output logic [hd_pkg::NODE_W-1:0] ask_dst_o,
  output logic [Sms-1:0]            rest_o,
  output logic                      dirty_o,
  output logic                      excl_o,
  output logic [Sms-1:0]            sharers_o,
  output logic                      bad_o,
  output logic                      dir_en_o,
  output hd_pkg::msg_e              dir_msg_o,
  output logic [Sms-1:0]            dir_who_o
);
  logic            put, last;
  hd_pkg::l2_dir_s dir;
  hd_pkg::role_s   req_role;

  assign put      = rsp_kind_i == hd_pkg::MSG_PUTM || rsp_kind_i == hd_pkg::MSG_PUTE;
  assign last     = rest_o == '0;
  assign req_role = hd_pkg::l2_role(req_kind_i);

  hd_l2_directory #(
    .Family(Family),
    .Sms(Sms)
  ) u_directory (
    .work_i(work_i),
    .valid_i(line_i.valid),
    .dirty_i(line_i.dirty),
    .excl_i(line_i.excl),
    .sharers_i(sharers_i),
    .rsp_kind_i(rsp_kind_i),
    .rsp_src_i(rsp_src_i),
    .req_kind_i(req_kind_i),
    .req_src_i(req_src_i),
    .m_role_i(m_role_i),
    .m_recall_i(can_i.m_recall),
    .m_src_i(m_src_i),
    .todo_i(todo_i),
    .dir_o(dir),
    .sharers_o(sharers_o),
    .kind_o(kind_o),
    .ask_dst_o(ask_dst_o),
    .rest_o(rest_o),
    .en_o(dir_en_o),
    .msg_o(dir_msg_o),
    .who_o(dir_who_o)
  );
  hd_l2_updates #(
    .Through(Family == hd_pkg::FAMILY_VI ? 1 : 0)
  ) u_updates (
    .work_i(work_i),
    .line_i(line_i),
    .dir_i(dir),
    .last_i(last),
    .put_i(put),
    .m_role_i(m_role_i),
    .req_role_i(req_role.role),
    .can_i(can_i),
    .plan_o(plan_o)
  );
  assign dirty_o = dir.dirty && !plan_o.write_back;  // mem: nobody is asked, so all three are 0
  assign excl_o  = dir.excl;
  assign bad_o   = dir.bad;
endmodule
`default_nettype wire
