// hd_sync_table.sv - SM-safe and LDS accesses that have passed unsafe ones of their warp.
//
// Paper 1 sections 4.1 and 4.2 (synchronization table, 64 entries). An access that conflicts with
// one of another warp (same line, one of them writes) must wait until the unsafe accesses which
// that one passed are performed; else the warps could see each other's accesses out of order. An
// entry is a line of one of the two spaces and one warp (several readers have an
// entry each), whether the warp wrote it, and the number of the last unsafe access passed: the
// entry goes when that one is performed. Table:
//
//   look, entry of another warp, one of both writes   conflict: the access waits
//   look, otherwise                                   it may go
//   pass, entry of this warp and line                 the entry takes the new number; writer if
//                                                     either wrote
//   pass, none                                        a new entry
//   done of the entry's warp with its number          the entry goes
//
// The paper frees entries of global memory by their markers and those of the LDS by an identifier
// of the last unsafe access; one mechanism serves both here (markers tell when an invalidation may
// be acknowledged).
//
// look   combinational; room_o: a pass would find its entry or a free one. conflict_o does not
//        count what done frees in this cycle.
// pass   pass_i: the access that is looked at goes, past unsafe accesses; only with room_o.
// done   done_i: an unsafe access of done_warp_i was performed, the one with number done_seq_i.
//        The number that comes with a pass must not be done in the same or an earlier cycle.
// Entries; LineW.
`include "hd_assert.svh"
`default_nettype none
module hd_sync_table #(
  parameter int unsigned Entries = 64,
  parameter int unsigned Warps   = 48,
  parameter int unsigned LineW   = 25,
  parameter int unsigned SeqW    = hd_pkg::ORDER_SEQ_W,
  parameter int unsigned WarpW   = hd_pkg::idx_w(Warps)  // derived: leave at its default
) (
  input  logic             clk_i,
  input  logic             rst_i,

  input  logic             look_i,
  input  hd_pkg::access_s  look_acc_i,
  input  logic [LineW-1:0] look_line_i,
  output logic             conflict_o,
  output logic             room_o,
  input  logic             pass_i,
  input  logic [SeqW-1:0]  pass_seq_i,

  input  logic             done_i,
  input  logic [WarpW-1:0] done_warp_i,
  input  logic [SeqW-1:0]  done_seq_i,

  output logic             empty_o
);
  localparam int unsigned IdxW = hd_pkg::idx_w(Entries);

  logic [Entries-1:0] valid_q, write_q;
  logic [Entries-1:0] same_line, own, gone, free, new_bit;
  logic [LineW:0]     line_q [0:Entries-1];  // space, line
  logic [WarpW-1:0]   warp_q [0:Entries-1];
  logic [SeqW-1:0]    seq_q [0:Entries-1];
  logic [IdxW-1:0]    idx;
  logic [WarpW-1:0]   look_warp;
  logic [LineW:0]     look_line;
  logic               look_write;

  assign look_warp  = WarpW'(look_acc_i.warp);
  assign look_line  = {look_acc_i.space, look_line_i};
  assign look_write = hd_pkg::op_writes(look_acc_i.kind);

  always_comb begin
    same_line = '0;
    own       = '0;
    gone      = '0;
    if (valid_q != '0) begin
      if (look_i) begin
        for (int unsigned i = 0; i < Entries; i++) begin
          same_line[i] = valid_q[i] && line_q[i] == look_line;
          own[i]       = same_line[i] && warp_q[i] == look_warp;
        end
      end
      if (done_i) begin
        for (int unsigned i = 0; i < Entries; i++)
          gone[i] = valid_q[i] && warp_q[i] == done_warp_i && seq_q[i] == done_seq_i;
      end
    end
    conflict_o = (same_line & ~own & (look_write ? '1 : write_q)) != '0;
    free       = ~valid_q;
    room_o     = own != '0 || free != '0;
    new_bit    = (own != '0) ? own : free & (valid_q + Entries'(1));
  end
  always_comb begin
    idx = '0;
    if (pass_i) begin
      for (int unsigned i = 0; i < Entries; i++) if (new_bit[i]) idx = IdxW'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) valid_q <= '0;
    else if (pass_i || done_i) begin
      valid_q <= (valid_q & ~gone) | (pass_i ? new_bit : '0);
    end
    if (pass_i) begin
      write_q <= (write_q & (own | ~new_bit)) | (look_write ? new_bit : '0);
      line_q[idx] <= look_line;
      warp_q[idx] <= look_warp;
      seq_q[idx]  <= pass_seq_i;
    end
  end

  assign empty_o = valid_q == '0;

  logic unused;
  assign unused = ^look_acc_i;

  `HD_ASSERT(a_pass_may_go, !pass_i || (look_i && room_o && !conflict_o))
  `HD_ASSERT(a_one_entry, $onehot0(own))
endmodule
`default_nettype wire
