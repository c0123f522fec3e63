// hd_dir_gpu.sv - the decision table of family GPU at the L2: message + line -> action.
//
// Paper 3; docs/protocol_gpu.md. Nobody is told of writes. An inclusive L2 (paper 4 Table 2) keeps
// who may have clean words of a line, and takes them out of the L1s before it gives the line away.
// Combinational. msg_i: GETS, WT, ATOMIC of an L1; NONE: the line's turn in a walk of all lines.
// later_i: the message has waited for its turn, the line is there. here_i: the line has a way;
// busy_i: it is on its way in, or messages before this one wait for it; dirty_i: what its way
// holds, or would have to give up, is newer than memory; shared_i: it has to give up a line of
// which L1s may have words.
//
//  message   absent          absent, way dirty   way shared     busy     here, or its turn
//  GETS      fetch, wait     write back          recall, wait   wait     send DATA_S
//  WT        fetch, wait     write back          recall, wait   wait     write, dirty, send WT_ACK
//  ATOMIC    fetch, wait     write back          recall, wait   wait     wait; its turn: perform
//  NONE      -               -                   -              -        dirty: write back
//
// fetch_o: a way is taken and memory asked; wait_o: the message gets an entry; back_o: the way is
// written to memory, a message comes again; recall_o: INV to the sharers, then as without. Outputs
// that no row names are 0.
`include "hd_assert.svh"
`default_nettype none
module hd_dir_gpu (
  input  logic         en_i,  // 0: every output is 0 (spares the simulator the work)
  input  hd_pkg::msg_e msg_i,
  input  logic         later_i,
  input  logic         here_i,
  input  logic         busy_i,
  input  logic         dirty_i,
  input  logic         shared_i,
  output logic         fetch_o,
  output logic         wait_o,
  output logic         back_o,
  output logic         recall_o,
  output logic         write_o,
  output logic         perform_o,
  output hd_pkg::msg_e send_o,
  output logic         bad_o
);
  logic now;  // the message can be served
  assign now = later_i || (here_i && !busy_i);

  always_comb begin
    fetch_o   = 1'b0;
    wait_o    = 1'b0;
    back_o    = 1'b0;
    recall_o  = 1'b0;
    write_o   = 1'b0;
    perform_o = 1'b0;
    send_o    = hd_pkg::MSG_NONE;
    bad_o     = 1'b0;
    if (en_i) begin
      if (msg_i == hd_pkg::MSG_NONE) begin
        back_o = dirty_i;
      end else if (!now) begin
        recall_o = !here_i && shared_i;
        back_o   = !here_i && !shared_i && dirty_i;
        fetch_o  = !here_i && !shared_i && !dirty_i;
        wait_o   = here_i || shared_i || !dirty_i;
      end else begin
        unique case (msg_i)
          hd_pkg::MSG_GETS: send_o = hd_pkg::MSG_DATA_S;
          hd_pkg::MSG_WT: begin
            send_o  = hd_pkg::MSG_WT_ACK;
            write_o = 1'b1;
          end
          hd_pkg::MSG_ATOMIC: begin
            perform_o = later_i;
            wait_o    = !later_i;
          end
          default: bad_o = 1'b1;
        endcase
      end
    end
  end
endmodule
`default_nettype wire
