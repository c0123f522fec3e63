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
//  message    sharers        does                               next sharers     send_o
//  GETS       any            grant                              + self           DATA_S
//  WT         none or self   grant, dirty                       the same         WT_ACK
//  ATOMIC     none or self   grant, dirty                       none             AT_DATA
//  WT ATOMIC  others         invalidate targets_o               -                INV
//  NONE       none           evict (copies are gone)            -                -
//  NONE       some           invalidate targets_o               -                INV
//  INV_ACK    with from      done when only self is left        - from           -
//  any other pair            bad_o                              -                -
//
// A writer keeps its copy, which has its words already; one that performs an atomic has dropped it.
// Outputs that no row names are 0; the next state is the old one where the table has "-".
// Paper 1 sections 3.6 and 6.5; docs/protocol_vi.md.
`include "hd_assert.svh"
`default_nettype none
module hd_dir_vi #(
  parameter int unsigned Sms = 16  // L1s
) (
  input  logic           en_i,       // 0: every output is 0 (spares the simulator the work)
  input  hd_pkg::msg_e   msg_i,
  input  logic [Sms-1:0] self_i,
  input  logic [Sms-1:0] from_i,
  input  logic           dirty_i,
  input  logic [Sms-1:0] sharers_i,
  output logic           dirty_o,
  output logic [Sms-1:0] sharers_o,
  output logic           grant_o,
  output logic           evict_o,
  output logic           done_o,
  output logic           bad_o,
  output logic [Sms-1:0] targets_o,  // whom INV goes to
  output hd_pkg::msg_e   send_o
);
  if (Sms < 1 || Sms > 128) begin : g_bad_sms
    $error("hd_dir_vi: Sms must be 1 to 128");
  end

  always_comb begin
    dirty_o   = 1'b0;
    sharers_o = '0;
    grant_o   = 1'b0;
    evict_o   = 1'b0;
    done_o    = 1'b0;
    bad_o     = 1'b0;
    targets_o = '0;
    send_o    = hd_pkg::MSG_NONE;
    if (en_i) begin
      dirty_o   = dirty_i;
      sharers_o = sharers_i;
      unique case (msg_i)
        hd_pkg::MSG_GETS: begin
          grant_o   = 1'b1;
          sharers_o = sharers_i | self_i;
          send_o    = hd_pkg::MSG_DATA_S;
        end
        hd_pkg::MSG_WT, hd_pkg::MSG_ATOMIC: begin
          targets_o = sharers_i & ~self_i;
          if (targets_o != '0) begin
            send_o = hd_pkg::MSG_INV;
          end else begin
            grant_o = 1'b1;
            dirty_o = 1'b1;
            send_o  = (msg_i == hd_pkg::MSG_WT) ? hd_pkg::MSG_WT_ACK : hd_pkg::MSG_AT_DATA;
            if (msg_i == hd_pkg::MSG_ATOMIC) sharers_o = '0;
          end
        end
        hd_pkg::MSG_NONE: begin
          evict_o   = sharers_i == '0;
          targets_o = sharers_i;
          if (sharers_i != '0) send_o = hd_pkg::MSG_INV;
        end
        hd_pkg::MSG_INV_ACK: begin
          if ((sharers_i & from_i) != '0) begin
            sharers_o = sharers_i & ~from_i;
            done_o    = (sharers_o & ~self_i) == '0;
          end else begin
            bad_o = 1'b1;
          end
        end
        default: bad_o = 1'b1;
      endcase
    end
  end
endmodule
`default_nettype wire
