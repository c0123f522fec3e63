// hd_dir_denovo.sv - the L2 side of DeNovo, the registry, as one combinational table.
//
// Paper 3 section 3; docs/protocol_denovo.md holds the same table in words. With en_i, for message
// msg_i (GETS, REG; WB, RECALL_DATA; MSG_NONE: its way is needed, walk_i: the flush walk looks at
// it). words_i of it; here_i: the line is there or on its way in; busy_i: on its way in, or others
// wait; later_i: it is the turn of one that waited. owned_i: words with an owner; mine_i: those
// whose owner is the sender; dirty_i. Of a message for a line that is not here: owned_i and
// dirty_i of the victim.
//
//               not here              busy      present
//   GETS, REG   the victim's row;     wait      emit; REG: owner := asker
//               then fetch, wait
//   WB          ack                   -         words of mine_i: value, no owner, dirty; ack
//   RECALL_DATA bad                   -         the same, no ack
//   (needed)    owned: recall; dirty: back; else its way is free. Walk: dirty: back; owned: bad
`include "hd_assert.svh"
`default_nettype none
module hd_dir_denovo #(
  parameter int unsigned LineWords = 16
) (
  input  logic                 en_i,
  input  hd_pkg::msg_e         msg_i,
  input  logic                 walk_i,
  input  logic                 later_i,
  input  logic                 here_i,
  input  logic                 busy_i,
  input  logic [LineWords-1:0] words_i,
  input  logic [LineWords-1:0] owned_i,
  input  logic [LineWords-1:0] mine_i,
  input  logic                 dirty_i,
  output logic                 wait_o,
  output logic                 fetch_o,
  output logic                 back_o,
  output logic                 recall_o,
  output logic                 emit_o,
  output logic                 own_o,
  output logic [LineWords-1:0] merge_o,
  output logic                 ack_o,
  output logic                 bad_o
);
  always_comb begin
    wait_o   = 1'b0;
    fetch_o  = 1'b0;
    back_o   = 1'b0;
    recall_o = 1'b0;
    emit_o   = 1'b0;
    own_o    = 1'b0;
    merge_o  = '0;
    ack_o    = 1'b0;
    bad_o    = 1'b0;
    if (en_i) begin
      unique case (msg_i)
        hd_pkg::MSG_GETS, hd_pkg::MSG_REG: begin
          if (later_i || (here_i && !busy_i)) begin
            emit_o = 1'b1;
            own_o  = msg_i == hd_pkg::MSG_REG;
          end else if (here_i) begin
            wait_o = 1'b1;
          end else begin
            recall_o = owned_i != '0;
            back_o   = owned_i == '0 && dirty_i;
            fetch_o  = owned_i == '0 && !dirty_i;
            wait_o   = fetch_o;
          end
        end
        hd_pkg::MSG_WB: begin
          if (here_i) merge_o = words_i & owned_i & mine_i;
          ack_o = 1'b1;
        end
        hd_pkg::MSG_RECALL_DATA: begin
          if (here_i) merge_o = words_i & owned_i & mine_i;
          bad_o = !here_i;
        end
        hd_pkg::MSG_NONE: begin
          bad_o  = walk_i && owned_i != '0;
          back_o = dirty_i && owned_i == '0;
        end
        default: bad_o = 1'b1;
      endcase
    end
  end
endmodule
`default_nettype wire
