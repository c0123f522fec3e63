// hd_l2_events.sv - event pulses of an L2 bank, and the count of the pairs of its directory table.
//
// Inputs say what this cycle's decision is: of a request of req_kind_i or a packet of rsp_kind_i;
// send_kind_i is asked (first_i: nobody was asked before) or granted. ev_o: registered pulses, bit
// numbers EV_L2_*.
// asked_i, keep_i, sharers_i  only for models that count (HD_COVERAGE): what the directory decided
//         on, for a line with these sharers; keep_i: an answer to a FETCH.
// Parameters: Family, Sms.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_events #(
  parameter int unsigned Family = hd_pkg::FAMILY_MESI,
  parameter int unsigned Sms = 16
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  hd_pkg::l2_work_s             work_i,
  input  hd_pkg::l2_plan_s             plan_i,
  input  hd_pkg::l2_line_s             line_i,
  input  hd_pkg::msg_e                 req_kind_i,
  input  hd_pkg::msg_e                 rsp_kind_i,
  input  hd_pkg::msg_e                 send_kind_i,
  input  logic                         first_i,
  input  hd_pkg::l2_asked_s            asked_i,
  input  logic                         keep_i,
  input  logic [Sms-1:0]               sharers_i,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o
);
  logic [hd_pkg::EV_L2_NUM-1:0] ev_d, ev_q;

  always_comb begin
    ev_d = '0;
    ev_d[hd_pkg::EV_L2_GETS]       = plan_i.req_ready && req_kind_i == hd_pkg::MSG_GETS;
    ev_d[hd_pkg::EV_L2_GETM]       = plan_i.req_ready && req_kind_i == hd_pkg::MSG_GETM;
    ev_d[hd_pkg::EV_L2_UPG]        = plan_i.req_ready && req_kind_i == hd_pkg::MSG_UPG;
    ev_d[hd_pkg::EV_L2_WT]         = plan_i.req_ready && req_kind_i == hd_pkg::MSG_WT;
    ev_d[hd_pkg::EV_L2_ATOMIC]     = plan_i.req_ready && req_kind_i == hd_pkg::MSG_ATOMIC;
    ev_d[hd_pkg::EV_L2_HIT]        = plan_i.req_ready && line_i.hit && !line_i.lock;
    ev_d[hd_pkg::EV_L2_MISS]       = plan_i.req_ready && plan_i.alloc_recall;
    ev_d[hd_pkg::EV_L2_CHAINED]    = plan_i.req_ready && plan_i.alloc_chain;
    ev_d[hd_pkg::EV_L2_STALL]      = plan_i.stall;
    ev_d[hd_pkg::EV_L2_PUTM]       = work_i.rsp && rsp_kind_i == hd_pkg::MSG_PUTM;
    ev_d[hd_pkg::EV_L2_PUTE]       = work_i.rsp && rsp_kind_i == hd_pkg::MSG_PUTE;
    ev_d[hd_pkg::EV_L2_INV_SENT]   = plan_i.ask && send_kind_i == hd_pkg::MSG_INV;
    ev_d[hd_pkg::EV_L2_FETCH_SENT] = plan_i.ask && send_kind_i != hd_pkg::MSG_INV;
    ev_d[hd_pkg::EV_L2_RECALL]     = plan_i.ask && work_i.fill && first_i;
    ev_d[hd_pkg::EV_L2_MEM_READ]   = plan_i.mem_read;
    ev_d[hd_pkg::EV_L2_MEM_WRITE]  = plan_i.write_back;
    ev_d[hd_pkg::EV_L2_GRANT]      = plan_i.grant;
    ev_d[hd_pkg::EV_L2_ACK_M]      = plan_i.grant && send_kind_i == hd_pkg::MSG_ACK_M;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) ev_q <= '0;
    else ev_q <= ev_d;
  end
  assign ev_o = ev_q;

`ifdef HD_COVERAGE
  // Pairs of hd_dir_mesi. State: 0 N; S of 1 others than the SM of the message, 2 only it, 3 it and
  // others; X of 4 it, 5 another. Message: msg_e; 10, 11: RSP_DATA, RSP_CLEAN that answer a FETCH.
  // Pairs of hd_dir_vi: the same states; 0 evict, 1 GETS, 2 WT, 3 ATOMIC, 4 INV_ACK.
  logic           counts;
  logic [Sms-1:0] who;
  logic [2:0]     dir_state;
  logic [3:0]     dir_msg;
  assign counts = asked_i.en && (work_i.rsp || (work_i.req && plan_i.grant)
                                 || ((work_i.serve || work_i.fill) && first_i));
  assign who    = (asked_i.kind == hd_pkg::MSG_NONE) ? '0 : Sms'(1) << asked_i.sm;
  always_comb begin
    if (sharers_i == '0) dir_state = 3'd0;
    else if (line_i.excl) dir_state = (sharers_i == who) ? 3'd4 : 3'd5;
    else if ((sharers_i & who) == '0) dir_state = 3'd1;
    else dir_state = (sharers_i == who) ? 3'd2 : 3'd3;
    dir_msg = 4'(asked_i.kind);
    if (asked_i.kind == hd_pkg::MSG_WT) dir_msg = 4'd2;
    else if (asked_i.kind == hd_pkg::MSG_ATOMIC) dir_msg = 4'd3;
    else if (Family == hd_pkg::FAMILY_VI && work_i.rsp) dir_msg = 4'd4;
    else if (keep_i && (dir_msg == 4'd6 || dir_msg == 4'd7)) dir_msg = dir_msg + 4'd4;
  end
  if (Family == hd_pkg::FAMILY_VI) begin : g_vi
    `HD_COVER_PAIRS(g_dirvi_pair, counts, dir_state, 4, dir_msg, 5)
  end else begin : g_mesi
    `HD_COVER_PAIRS(g_dir_pair, counts, dir_state, 6, dir_msg, 12)
  end
`else
  logic unused;
  assign unused = ^{Family, asked_i, keep_i, sharers_i};
`endif
  logic unused_ok;
  assign unused_ok = ^{work_i, plan_i, line_i};
endmodule
`default_nettype wire
