// hd_dir_gpu.sv - the decision table of family GPU at the L2: message + line -> action.
//
// Paper 3; docs/protocol_gpu.md. Nobody is told of writes. An inclusive L2 (paper 4 Table 2) keeps
// who may have clean words of a line, and takes them out of the L1s before it gives the line away.
// Combinational. msg_i: GETS, WT, ATOMIC of an L1; NONE: the line's turn in a walk of all lines.
// at_i: the state of message and line.
//
//  message   absent          absent, way dirty   way shared     busy     here, or its turn
//  GETS      fetch, wait     write back          recall, wait   wait     send DATA_S
//  WT        fetch, wait     write back          recall, wait   wait     write, dirty, send WT_ACK
//  ATOMIC    fetch, wait     write back          recall, wait   wait     wait; its turn: perform
//  NONE      -               -                   -              -        dirty: write back
//
// do_o: hd_pkg::dir_gpu_do_s, send_o: the answer. Outputs that no row names are 0.
`include "hd_assert.svh"
`default_nettype none
module hd_dir_gpu (
  input  logic                en_i,  // 0: every output is 0 (spares the simulator the work)
  input  hd_pkg::msg_e        msg_i,
  input  hd_pkg::dir_gpu_at_s at_i,
  output hd_pkg::dir_gpu_do_s do_o,
  output hd_pkg::msg_e        send_o,
  output logic                bad_o
);
  logic now;  // the message can be served
  assign now = at_i.later || (at_i.here && !at_i.busy);

  always_comb begin
    do_o   = '0;
    send_o = hd_pkg::MSG_NONE;
    bad_o  = 1'b0;
    if (en_i) begin
      if (msg_i == hd_pkg::MSG_NONE) begin
        do_o.back = at_i.dirty;
      end else if (!now) begin
        do_o.recall = !at_i.here && at_i.shared;
        do_o.back   = !at_i.here && !at_i.shared && at_i.dirty;
        do_o.fetch  = !at_i.here && !at_i.shared && !at_i.dirty;
        do_o.waits  = at_i.here || at_i.shared || !at_i.dirty;
      end else begin
        unique case (msg_i)
          hd_pkg::MSG_GETS: send_o = hd_pkg::MSG_DATA_S;
          hd_pkg::MSG_WT: begin
            send_o     = hd_pkg::MSG_WT_ACK;
            do_o.write = 1'b1;
          end
          hd_pkg::MSG_ATOMIC: begin
            do_o.perform = at_i.later;
            do_o.waits   = !at_i.later;
          end
          default: bad_o = 1'b1;
        endcase
      end
    end
  end
endmodule
`default_nettype wire
