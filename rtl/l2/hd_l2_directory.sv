// hd_l2_directory.sv - asks the directory of the family about the work of an L2 bank.
//
// work_i  at most one bit; line_i, sharers_i: the line at work. rsp_i: the packet, req_i: the
//         request; m_i: the entry at work (m_recall_i: its way still holds another line), whose
//         message is named again from its role: what a family calls a write differs.
// todo_i  SMs that the entry at the head of its queue has yet to ask (0: it has not begun).
// dir_o   what the directory says; sharers_o: the next sharers. send_o: the packet it wants sent;
//         its SM is whom to ask (inv, fetch), rest_o those left to ask after it.
// asked_o what it was asked. Combinational. Parameters: Family, Sms (L1s).
`default_nettype none
module hd_l2_directory #(
  parameter int unsigned Family = hd_pkg::FAMILY_MESI,
  parameter int unsigned Sms = 16
) (
  input  hd_pkg::l2_work_s  work_i,
  input  hd_pkg::l2_line_s  line_i,
  input  logic [Sms-1:0]    sharers_i,
  input  hd_pkg::l2_msg_s   rsp_i,
  input  hd_pkg::l2_msg_s   req_i,
  input  hd_pkg::l2_entry_s m_i,
  input  logic              m_recall_i,
  input  logic [Sms-1:0]    todo_i,
  output hd_pkg::l2_dir_s   dir_o,
  output logic [Sms-1:0]    sharers_o,
  output hd_pkg::l2_msg_s   send_o,
  output logic [Sms-1:0]    rest_o,
  output hd_pkg::l2_asked_s asked_o
);
  hd_pkg::msg_e   m_msg;  // of the entry
  logic           put;
  logic [Sms-1:0] self, from, copies, targets;

  function automatic logic [Sms-1:0] one_hot(input logic [hd_pkg::NODE_W-1:0] node);
    one_hot = Sms'(1) << node;
  endfunction

  assign put = rsp_i.kind == hd_pkg::MSG_PUTM || rsp_i.kind == hd_pkg::MSG_PUTE;
  always_comb begin
    asked_o    = '0;
    asked_o.en = line_i.valid && work_i != '0 && !work_i.mem;
    self       = '0;
    from       = '0;
    if (work_i.rsp) begin
      asked_o.kind = rsp_i.kind;
      asked_o.sm   = rsp_i.sm;
      from         = one_hot(rsp_i.sm);
      if (!put && !m_recall_i) self = one_hot(m_i.src);
    end else if (work_i.serve || work_i.done) begin
      asked_o.kind = m_msg;
      asked_o.sm   = m_i.src;
      self         = one_hot(m_i.src);
    end else if (work_i.req) begin
      asked_o.kind = req_i.kind;
      asked_o.sm   = req_i.sm;
      self         = one_hot(req_i.sm);
    end
  end

  if (Family == hd_pkg::FAMILY_VI) begin : g_vi
    always_comb begin
      unique case (m_i.role)
        hd_pkg::ROLE_WRITE: m_msg = hd_pkg::MSG_WT;
        hd_pkg::ROLE_RMW:   m_msg = hd_pkg::MSG_ATOMIC;
        default:            m_msg = hd_pkg::MSG_GETS;
      endcase
    end
    hd_dir_vi #(
      .Sms(Sms)
    ) u_dir (
      .en_i(asked_o.en),
      .msg_i(asked_o.kind),
      .self_i(self),
      .from_i(from),
      .dirty_i(line_i.dirty),
      .sharers_i(sharers_i),
      .dir_o(dir_o),
      .sharers_o(sharers_o),
      .targets_o(copies),
      .send_o(send_o.kind)
    );
  end else begin : g_mesi
    always_comb begin
      unique case (m_i.role)
        hd_pkg::ROLE_WRITE:   m_msg = hd_pkg::MSG_GETM;
        hd_pkg::ROLE_UPGRADE: m_msg = hd_pkg::MSG_UPG;
        default:              m_msg = hd_pkg::MSG_GETS;
      endcase
    end
    hd_dir_mesi #(
      .Sms(Sms)
    ) u_dir (
      .en_i(asked_o.en),
      .msg_i(asked_o.kind),
      .self_i(self),
      .from_i(from),
      .keep_i(m_i.role == hd_pkg::ROLE_READ && !m_recall_i),
      .dirty_i(line_i.dirty),
      .excl_i(line_i.excl),
      .sharers_i(sharers_i),
      .dir_o(dir_o),
      .sharers_o(sharers_o),
      .targets_o(copies),
      .send_o(send_o.kind)
    );
  end
  assign targets = (todo_i != '0) ? todo_i : copies;
  assign rest_o  = targets & (targets - 1'b1);
  always_comb begin
    send_o.sm = '0;
    if (dir_o.inv || dir_o.fetch) begin
      for (int unsigned i = 0; i < Sms; i++) begin
        if (targets[i] && !rest_o[i]) send_o.sm = hd_pkg::NODE_W'(i);
      end
    end
  end

  logic unused;
  assign unused = ^line_i;
endmodule
`default_nettype wire
