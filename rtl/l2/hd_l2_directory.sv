// hd_l2_directory.sv - asks the directory of the family about the work of an L2 bank.
//
// work_i  at most one bit. valid_i, dirty_i, excl_i, sharers_i: the line at work and its state.
// who     rsp_*: the packet, req_*: the request; m_*: the entry at work. The entry's message is
//         named again from its role: what a family calls a write differs.
// todo_i  SMs that the entry at the head of its queue has yet to ask (0: it has not begun).
// dir_o   what the directory says; sharers_o the next sharers. kind_o: the packet it wants sent, to
//         the requester (grant) or to ask_dst_o (fetch, inv); rest_o: those left to ask after it.
// en_o, msg_o, who_o  what it was asked, and of which SM.
// Combinational. Parameters: Family, Sms (L1s).
`default_nettype none
module hd_l2_directory #(
  parameter int unsigned Family = hd_pkg::FAMILY_MESI,
  parameter int unsigned Sms = 16
) (
  input  hd_pkg::l2_work_s          work_i,
  input  logic                      valid_i,
  input  logic                      dirty_i,
  input  logic                      excl_i,
  input  logic [Sms-1:0]            sharers_i,
  input  hd_pkg::msg_e              rsp_kind_i,
  input  logic [hd_pkg::NODE_W-1:0] rsp_src_i,
  input  hd_pkg::msg_e              req_kind_i,
  input  logic [hd_pkg::NODE_W-1:0] req_src_i,
  input  hd_pkg::role_e             m_role_i,
  input  logic                      m_recall_i,
  input  logic [hd_pkg::NODE_W-1:0] m_src_i,
  input  logic [Sms-1:0]            todo_i,
  output hd_pkg::l2_dir_s           dir_o,
  output logic [Sms-1:0]            sharers_o,
  output hd_pkg::msg_e              kind_o,
  output logic [hd_pkg::NODE_W-1:0] ask_dst_o,
  output logic [Sms-1:0]            rest_o,
  output logic                      en_o,
  output hd_pkg::msg_e              msg_o,
  output logic [Sms-1:0]            who_o
);
  hd_pkg::msg_e   m_msg;  // of the entry
  logic           put, dirty, excl, grant, fetch, inv, wait_put, evict, merge, done, bad;
  logic [Sms-1:0] self, from, copies, targets;

  function automatic logic [Sms-1:0] one_hot(input logic [hd_pkg::NODE_W-1:0] node);
    one_hot = Sms'(1) << node;
  endfunction

  assign put = rsp_kind_i == hd_pkg::MSG_PUTM || rsp_kind_i == hd_pkg::MSG_PUTE;
  always_comb begin
    msg_o = hd_pkg::MSG_NONE;
    self  = '0;
    from  = '0;
    if (work_i.rsp) begin
      msg_o = rsp_kind_i;
      from  = one_hot(rsp_src_i);
      if (!put && !m_recall_i) self = one_hot(m_src_i);
    end else if (work_i.serve || work_i.done) begin
      msg_o = m_msg;
      self  = one_hot(m_src_i);
    end else if (work_i.req) begin
      msg_o = req_kind_i;
      self  = one_hot(req_src_i);
    end
  end
  assign en_o  = valid_i && work_i != '0 && !work_i.mem;
  assign who_o = work_i.rsp ? from : self;

  if (Family == hd_pkg::FAMILY_VI) begin : g_vi
    always_comb begin
      unique case (m_role_i)
        hd_pkg::ROLE_WRITE: m_msg = hd_pkg::MSG_WT;
        hd_pkg::ROLE_RMW:   m_msg = hd_pkg::MSG_ATOMIC;
        default:            m_msg = hd_pkg::MSG_GETS;
      endcase
    end
    hd_dir_vi #(
      .Sms(Sms)
    ) u_dir (
      .en_i(en_o),
      .msg_i(msg_o),
      .self_i(self),
      .from_i(from),
      .dirty_i(dirty_i),
      .sharers_i(sharers_i),
      .dirty_o(dirty),
      .sharers_o(sharers_o),
      .grant_o(grant),
      .evict_o(evict),
      .done_o(done),
      .bad_o(bad),
      .targets_o(copies),
      .send_o(kind_o)
    );
    assign inv = kind_o == hd_pkg::MSG_INV;
    assign {excl, fetch, wait_put, merge} = 4'd0;
    logic unused;
    assign unused = excl_i;
  end else begin : g_mesi
    always_comb begin
      unique case (m_role_i)
        hd_pkg::ROLE_WRITE:   m_msg = hd_pkg::MSG_GETM;
        hd_pkg::ROLE_UPGRADE: m_msg = hd_pkg::MSG_UPG;
        default:              m_msg = hd_pkg::MSG_GETS;
      endcase
    end
    hd_dir_mesi #(
      .Sms(Sms)
    ) u_dir (
      .en_i(en_o),
      .msg_i(msg_o),
      .self_i(self),
      .from_i(from),
      .keep_i(m_role_i == hd_pkg::ROLE_READ && !m_recall_i),
      .dirty_i(dirty_i),
      .excl_i(excl_i),
      .sharers_i(sharers_i),
      .dirty_o(dirty),
      .excl_o(excl),
      .sharers_o(sharers_o),
      .grant_o(grant),
      .fetch_o(fetch),
      .inv_o(inv),
      .wait_o(wait_put),
      .evict_o(evict),
      .merge_o(merge),
      .done_o(done),
      .bad_o(bad),
      .targets_o(copies),
      .send_o(kind_o)
    );
  end
  assign dir_o = {grant, fetch, inv, wait_put, evict, merge, done, bad, dirty, excl};

  assign targets = (todo_i != '0) ? todo_i : copies;
  assign rest_o  = targets & (targets - 1'b1);
  always_comb begin
    ask_dst_o = '0;
    if (inv || fetch) begin
      for (int unsigned i = 0; i < Sms; i++) begin
        if (targets[i] && !rest_o[i]) ask_dst_o = hd_pkg::NODE_W'(i);
      end
    end
  end
endmodule
`default_nettype wire
