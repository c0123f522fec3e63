// hd_dir_denovo.sv - the L2 side of DeNovo, the registry, as one combinational table.
//
// Paper 3 section 3; docs/protocol_denovo.md holds the same table in words. With en_i, for message
// msg_i (GETS, REG; WB, RECALL_DATA; MSG_NONE: its way is needed, or at_i.walk). words_i of it;
// owned_i: words with an owner, of a message for a line that is not here the victim's; mine_i:
// those whose owner is the sender. merge_o: words that come back.
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
  input  hd_pkg::dir_dn_at_s   at_i,
  input  logic [LineWords-1:0] words_i,
  input  logic [LineWords-1:0] owned_i,
  input  logic [LineWords-1:0] mine_i,
  output hd_pkg::dir_dn_do_s   do_o,
  output logic [LineWords-1:0] merge_o,
  output logic                 bad_o
);
  always_comb begin
    do_o    = '0;
    merge_o = '0;
    bad_o   = 1'b0;
    if (en_i) begin
      unique case (msg_i)
        hd_pkg::MSG_GETS, hd_pkg::MSG_REG: begin
          if (at_i.later || (at_i.here && !at_i.busy)) begin
            do_o.emit = 1'b1;
            do_o.own  = msg_i == hd_pkg::MSG_REG;
          end else if (at_i.here) begin
            do_o.waits = 1'b1;
          end else begin
            do_o.recall = owned_i != '0;
            do_o.back   = owned_i == '0 && at_i.dirty;
            do_o.fetch  = owned_i == '0 && !at_i.dirty;
            do_o.waits  = do_o.fetch;
          end
        end
        hd_pkg::MSG_WB: begin
          if (at_i.here) merge_o = words_i & owned_i & mine_i;
          do_o.ack = 1'b1;
        end
        hd_pkg::MSG_RECALL_DATA: begin
          if (at_i.here) merge_o = words_i & owned_i & mine_i;
          bad_o = !at_i.here;
        end
        hd_pkg::MSG_NONE: begin
          bad_o     = at_i.walk && owned_i != '0;
          do_o.back = at_i.dirty && owned_i == '0;
        end
        default: bad_o = 1'b1;
      endcase
    end
  end
endmodule
`default_nettype wire
