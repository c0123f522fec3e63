// hd_dir_vi.sv - the decision table of the write-through (VI) directory: line state + message ->
// action.
//
// Combinational. sharers_i: the L1s that may hold a copy; no L1 owns a line. dirty_i: the L2's data
// is newer than memory's.
//
// msg_i is a request to be decided (GETS, WT, ATOMIC; NONE = the line is to be evicted), or an
// INV_ACK. self_i is the one-hot requester of the transaction on the line (0 for an eviction and
// when there is none), from_i the one-hot sender of an INV_ACK.
//
//  message    sharers        does (dir_o)                       next sharers     send_o
//  GETS       any            grant                              + self           DATA_S
//  WT         none or self   grant, dirty                       the same         WT_ACK
//  ATOMIC     none or self   grant, dirty                       none             AT_DATA
//  WT ATOMIC  others         invalidate targets_o               -                INV
//  NONE       none           evict (copies are gone)            -                -
//  NONE       some           invalidate targets_o               -                INV
//  INV_ACK    with from      done when only self is left        - from           -
//  any other pair            bad                                -                -
//
// A writer keeps its copy, which has its words already; one that performs an atomic has dropped it.
// Outputs that no row names are 0; the next state is the old one where the table has "-".
// Paper 1 sections 3.6 and 6.5; docs/protocol_vi.md.
`include "hd_assert.svh"
`default_nettype none
module hd_dir_vi #(
  parameter int unsigned Sms = 16  // L1s
) (
  input  logic            en_i,       // 0: every output is 0 (spares the simulator the work)
  input  hd_pkg::msg_e    msg_i,
  input  logic [Sms-1:0]  self_i,
  input  logic [Sms-1:0]  from_i,
  input  logic            dirty_i,
  input  logic [Sms-1:0]  sharers_i,
  output hd_pkg::l2_dir_s dir_o,
  output logic [Sms-1:0]  sharers_o,
  output logic [Sms-1:0]  targets_o,  // whom INV goes to
  output hd_pkg::msg_e    send_o
);
  if (Sms < 1 || Sms > 128) begin : g_bad_sms
    $error("hd_dir_vi: Sms must be 1 to 128");
  end

  always_comb begin
    dir_o     = '0;
    sharers_o = '0;
    targets_o = '0;
    send_o    = hd_pkg::MSG_NONE;
    if (en_i) begin
      dir_o.dirty = dirty_i;
      sharers_o   = sharers_i;
      unique case (msg_i)
        hd_pkg::MSG_GETS: begin
          dir_o.grant = 1'b1;
          sharers_o   = sharers_i | self_i;
          send_o      = hd_pkg::MSG_DATA_S;
        end
        hd_pkg::MSG_WT, hd_pkg::MSG_ATOMIC: begin
          targets_o = sharers_i & ~self_i;
          if (targets_o != '0) begin
            dir_o.inv = 1'b1;
            send_o    = hd_pkg::MSG_INV;
          end else begin
            dir_o.grant = 1'b1;
            dir_o.dirty = 1'b1;
            send_o      = (msg_i == hd_pkg::MSG_WT) ? hd_pkg::MSG_WT_ACK : hd_pkg::MSG_AT_DATA;
            if (msg_i == hd_pkg::MSG_ATOMIC) sharers_o = '0;
          end
        end
        hd_pkg::MSG_NONE: begin
          dir_o.evict = sharers_i == '0;
          dir_o.inv   = sharers_i != '0;
          targets_o   = sharers_i;
          if (sharers_i != '0) send_o = hd_pkg::MSG_INV;
        end
        hd_pkg::MSG_INV_ACK: begin
          if ((sharers_i & from_i) != '0) begin
            sharers_o  = sharers_i & ~from_i;
            dir_o.done = (sharers_o & ~self_i) == '0;
          end else begin
            dir_o.bad = 1'b1;
          end
        end
        default: dir_o.bad = 1'b1;
      endcase
    end
  end
endmodule
`default_nettype wire
