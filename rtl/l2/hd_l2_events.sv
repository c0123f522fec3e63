// hd_l2_events.sv - event pulses of an L2 bank, and the count of the pairs of its directory table.
//
// Inputs say what this cycle's decision is: taken_i a request of req_kind_i was accepted, it
// hit_i, missed (miss_i) or was chained (chained_i); stall_i; rsp_i a packet of rsp_kind_i came up;
// send_kind_i was asked (ask_i; recall_i: the first of an eviction) or granted (grant_i); memory
// was read or written. ev_o: registered pulses, bit numbers EV_L2_*.
// pair_*  only for models that count (HD_COVERAGE): the directory decided on msg_i of an SM (who_i)
//         for a line with these sharers; keep_i: an answer to a FETCH.
// Parameters: Family, Sms.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_events #(
  parameter int unsigned Family = hd_pkg::FAMILY_MESI,
  parameter int unsigned Sms = 16
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  logic                         taken_i,
  input  hd_pkg::msg_e                 req_kind_i,
  input  logic                         hit_i,
  input  logic                         miss_i,
  input  logic                         chained_i,
  input  logic                         stall_i,
  input  logic                         rsp_i,
  input  hd_pkg::msg_e                 rsp_kind_i,
  input  logic                         ask_i,
  input  logic                         recall_i,
  input  logic                         grant_i,
  input  hd_pkg::msg_e                 send_kind_i,
  input  logic                         mem_read_i,
  input  logic                         mem_write_i,
  input  logic                         pair_i,
  input  hd_pkg::msg_e                 pair_msg_i,
  input  logic                         pair_keep_i,
  input  logic                         pair_excl_i,
  input  logic [Sms-1:0]               pair_who_i,
  input  logic [Sms-1:0]               pair_sharers_i,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o
);
  logic [hd_pkg::EV_L2_NUM-1:0] ev_d, ev_q;

  always_comb begin
    ev_d = '0;
    ev_d[hd_pkg::EV_L2_GETS]       = taken_i && req_kind_i == hd_pkg::MSG_GETS;
    ev_d[hd_pkg::EV_L2_GETM]       = taken_i && req_kind_i == hd_pkg::MSG_GETM;
    ev_d[hd_pkg::EV_L2_UPG]        = taken_i && req_kind_i == hd_pkg::MSG_UPG;
    ev_d[hd_pkg::EV_L2_WT]         = taken_i && req_kind_i == hd_pkg::MSG_WT;
    ev_d[hd_pkg::EV_L2_ATOMIC]     = taken_i && req_kind_i == hd_pkg::MSG_ATOMIC;
    ev_d[hd_pkg::EV_L2_HIT]        = taken_i && hit_i;
    ev_d[hd_pkg::EV_L2_MISS]       = taken_i && miss_i;
    ev_d[hd_pkg::EV_L2_CHAINED]    = taken_i && chained_i;
    ev_d[hd_pkg::EV_L2_STALL]      = stall_i;
    ev_d[hd_pkg::EV_L2_PUTM]       = rsp_i && rsp_kind_i == hd_pkg::MSG_PUTM;
    ev_d[hd_pkg::EV_L2_PUTE]       = rsp_i && rsp_kind_i == hd_pkg::MSG_PUTE;
    ev_d[hd_pkg::EV_L2_INV_SENT]   = ask_i && send_kind_i == hd_pkg::MSG_INV;
    ev_d[hd_pkg::EV_L2_FETCH_SENT] = ask_i && send_kind_i != hd_pkg::MSG_INV;
    ev_d[hd_pkg::EV_L2_RECALL]     = ask_i && recall_i;
    ev_d[hd_pkg::EV_L2_MEM_READ]   = mem_read_i;
    ev_d[hd_pkg::EV_L2_MEM_WRITE]  = mem_write_i;
    ev_d[hd_pkg::EV_L2_GRANT]      = grant_i;
    ev_d[hd_pkg::EV_L2_ACK_M]      = grant_i && send_kind_i == hd_pkg::MSG_ACK_M;
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
  logic [2:0] dir_state;
  logic [3:0] dir_msg;
  always_comb begin
    if (pair_sharers_i == '0) dir_state = 3'd0;
    else if (pair_excl_i) dir_state = (pair_sharers_i == pair_who_i) ? 3'd4 : 3'd5;
    else if ((pair_sharers_i & pair_who_i) == '0) dir_state = 3'd1;
    else dir_state = (pair_sharers_i == pair_who_i) ? 3'd2 : 3'd3;
    dir_msg = 4'(pair_msg_i);
    if (pair_msg_i == hd_pkg::MSG_WT) dir_msg = 4'd2;
    else if (pair_msg_i == hd_pkg::MSG_ATOMIC) dir_msg = 4'd3;
    else if (Family == hd_pkg::FAMILY_VI && rsp_i) dir_msg = 4'd4;
    else if (pair_keep_i && (dir_msg == 4'd6 || dir_msg == 4'd7)) dir_msg = dir_msg + 4'd4;
  end
  if (Family == hd_pkg::FAMILY_VI) begin : g_vi
    `HD_COVER_PAIRS(g_dirvi_pair, pair_i, dir_state, 4, dir_msg, 5)
  end else begin : g_mesi
    `HD_COVER_PAIRS(g_dir_pair, pair_i, dir_state, 6, dir_msg, 12)
  end
`else
  logic unused;
  assign unused = ^{Family, pair_i, pair_msg_i, pair_keep_i, pair_excl_i, pair_who_i,
                    pair_sharers_i};
`endif
endmodule
`default_nettype wire
