// hd_dir_mesi.sv - the decision table of the MESI directory: line state + message -> action.
//
// Combinational. The line is in one of three directory states: N, no L1 has it (sharers_i == 0);
// S, the L1s in sharers_i may hold it shared; X, the one L1 in sharers_i owns it (excl_i), be it
// exclusive or modified. dirty_i: the L2's data is newer than memory's.
//
// msg_i is a request to be decided (GETS, GETM, UPG; NONE = the line is to be evicted), or
// something that came up the RSP network. self_i is the one-hot requester of the transaction on the
// line (0 for an eviction and when there is none), from_i the one-hot sender of an RSP message.
// keep_i: the fetch being answered was a FETCH (owner becomes a sharer) and not a FETCH_INV.
//
//  message    state          does (dir_o)                       next state       send_o
//  GETS       N              grant                              X self           DATA_E
//  GETS       S              grant                              S + self         DATA_S
//  GETS       X other        fetch                              -                FETCH
//  GETM       N, S self      grant                              X self           DATA_M
//  UPG        N              grant                              X self           DATA_M
//  UPG        S self         grant                              X self           ACK_M
//  GETM UPG   S others       invalidate targets_o               -                INV
//  GETM UPG   X other        fetch                              -                FETCH_INV
//  any of 3   X self         wait for the PUT that is on its way  -              -
//  NONE       N              evict (copies are gone)            -                -
//  NONE       S              invalidate targets_o               -                INV
//  NONE       X              fetch                              -                FETCH_INV
//  PUTM       X from         merge data                         N, dirty         -
//  PUTE       X from                                            N                -
//  RSP_DATA   X from, keep   merge data, done                   S from, dirty    -
//  RSP_DATA   X from         merge data, done                   N, dirty         -
//  RSP_CLEAN  X from, keep   done                               S from           -
//  RSP_CLEAN  X from         done                               N                -
//  RSP_NONE   N              done (its PUT came before)         -                -
//  INV_ACK    S with from    done when only self is left        S - from         -
//  any other pair            bad                                -                -
//
// UPG in S others is granted after the invalidations: ACK_M if self is still a sharer, else DATA_M.
// Outputs that no row names are 0; the next state is the old one where the table has "-".
// Paper 1 section 5 (MESI); docs/protocol_mesi.md.
`include "hd_assert.svh"
`default_nettype none
module hd_dir_mesi #(
  parameter int unsigned Sms = 16  // L1s
) (
  input  logic            en_i,       // 0: every output is 0 (spares the simulator the work)
  input  hd_pkg::msg_e    msg_i,
  input  logic [Sms-1:0]  self_i,
  input  logic [Sms-1:0]  from_i,
  input  logic            keep_i,
  input  logic            dirty_i,
  input  logic            excl_i,
  input  logic [Sms-1:0]  sharers_i,
  output hd_pkg::l2_dir_s dir_o,
  output logic [Sms-1:0]  sharers_o,
  output logic [Sms-1:0]  targets_o,  // of fetch (one bit) and inv
  output hd_pkg::msg_e    send_o
);
  if (Sms < 1 || Sms > 128) begin : g_bad_sms
    $error("hd_dir_mesi: Sms must be 1 to 128");
  end

  always_comb begin
    dir_o     = '0;
    sharers_o = '0;
    targets_o = '0;
    send_o    = hd_pkg::MSG_NONE;
    if (en_i) begin
      dir_o.dirty = dirty_i;
      dir_o.excl  = excl_i;
      sharers_o   = sharers_i;
      unique case (msg_i)
        hd_pkg::MSG_GETS: begin
          if (excl_i && (sharers_i & self_i) != '0) begin
            dir_o.wait_put = 1'b1;
          end else if (excl_i) begin
            dir_o.fetch = 1'b1;
            targets_o   = sharers_i;
            send_o      = hd_pkg::MSG_FETCH;
          end else begin
            dir_o.grant = 1'b1;
            dir_o.excl  = sharers_i == '0;
            sharers_o   = sharers_i | self_i;
            send_o      = (sharers_i == '0) ? hd_pkg::MSG_DATA_E : hd_pkg::MSG_DATA_S;
          end
        end
        hd_pkg::MSG_GETM, hd_pkg::MSG_UPG: begin
          if (excl_i && (sharers_i & self_i) != '0) begin
            dir_o.wait_put = 1'b1;
          end else if (excl_i) begin
            dir_o.fetch = 1'b1;
            targets_o   = sharers_i;
            send_o      = hd_pkg::MSG_FETCH_INV;
          end else if ((sharers_i & ~self_i) != '0) begin
            dir_o.inv = 1'b1;
            targets_o = sharers_i & ~self_i;
            send_o    = hd_pkg::MSG_INV;
          end else begin
            dir_o.grant = 1'b1;
            dir_o.excl  = 1'b1;
            sharers_o   = self_i;
            send_o      = (msg_i == hd_pkg::MSG_UPG && sharers_i != '0) ? hd_pkg::MSG_ACK_M
                                                                        : hd_pkg::MSG_DATA_M;
          end
        end
        hd_pkg::MSG_NONE: begin
          dir_o.fetch = excl_i;
          dir_o.inv   = !excl_i && sharers_i != '0;
          dir_o.evict = sharers_i == '0;
          targets_o   = sharers_i;
          if (excl_i) send_o = hd_pkg::MSG_FETCH_INV;
          else if (sharers_i != '0) send_o = hd_pkg::MSG_INV;
        end
        hd_pkg::MSG_PUTM, hd_pkg::MSG_PUTE: begin
          if (excl_i && sharers_i == from_i) begin
            dir_o.merge = msg_i == hd_pkg::MSG_PUTM;
            dir_o.dirty = dirty_i || dir_o.merge;
            dir_o.excl  = 1'b0;
            sharers_o   = '0;
          end else begin
            dir_o.bad = 1'b1;
          end
        end
        hd_pkg::MSG_RSP_DATA, hd_pkg::MSG_RSP_CLEAN: begin
          if (excl_i && sharers_i == from_i) begin
            dir_o.merge = msg_i == hd_pkg::MSG_RSP_DATA;
            dir_o.done  = 1'b1;
            dir_o.dirty = dirty_i || dir_o.merge;
            dir_o.excl  = 1'b0;
            sharers_o   = keep_i ? from_i : '0;
          end else begin
            dir_o.bad = 1'b1;
          end
        end
        hd_pkg::MSG_RSP_NONE: begin
          dir_o.done = sharers_i == '0;
          dir_o.bad  = sharers_i != '0;
        end
        hd_pkg::MSG_INV_ACK: begin
          if (!excl_i && (sharers_i & from_i) != '0) begin
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
