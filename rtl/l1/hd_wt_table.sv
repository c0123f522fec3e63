// hd_wt_table.sv - the stores and atomics of a write-through L1 that are out, an entry each.
//
// Paper 1 section 3.6; the "CAM of pending write-through lines": what the L1 asks for each access.
//
// lookup  combinational, with lk_valid_i: out_o, some entry is of line line_i. The comparators work
//         only while lk_valid_i.
// put     put_i (only with room_o): the entry idx_o takes line_i and who_i at the edge.
// done    done_i, done_idx_i: the answer came. who_o of entry done_idx_i is combinational; the
//         entry is free from the next cycle on.
// who     {warp, slot, lanes}.
// empty_o no entry in use.
// Parameters: Entries, at most 2**TID_W; Lanes; SlotW; LineW bits of a line number.
`include "hd_assert.svh"
`default_nettype none
module hd_wt_table #(
  parameter int unsigned Entries = 128,
  parameter int unsigned Lanes = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned LineW = 25,
  parameter int unsigned IdxW = hd_pkg::idx_w(Entries),         // derived
  parameter int unsigned WhoW = hd_pkg::WARP_W + SlotW + Lanes  // derived
) (
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic [LineW-1:0] line_i,
  // lookup
  input  logic             lk_valid_i,
  output logic             out_o,
  // put
  output logic             room_o,
  output logic [IdxW-1:0]  idx_o,
  input  logic             put_i,
  input  logic [WhoW-1:0]  who_i,
  // done
  input  logic             done_i,
  input  logic [IdxW-1:0]  done_idx_i,
  output logic [WhoW-1:0]  who_o,
  output logic             empty_o
);
  if (Entries < 1 || Entries > (1 << hd_pkg::TID_W)) begin : g_bad_entries
    $error("hd_wt_table: Entries must be 1 to 2**TID_W");
  end

  logic [Entries-1:0]           valid_q;
  logic [LineW-1:0]             line_q [0:Entries-1];  // registers: the comparators see all of them
  logic [$clog2(Entries+1)-1:0] free_count;

  hd_freelist #(
    .N(Entries)
  ) u_free (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_o(room_o),
    .idx_o(idx_o),
    .take_i(put_i),
    .free_i(done_i),
    .free_idx_i(done_idx_i),
    .count_o(free_count)
  );
  hd_regfile #(
    .Width(WhoW),
    .Depth(Entries)
  ) u_who (
    .clk_i(clk_i),
    .we_i(put_i),
    .waddr_i(idx_o),
    .wmask_i(1'b1),
    .wdata_i(who_i),
    .raddr_i(done_idx_i),
    .rdata_o(who_o)
  );

  always_comb begin
    out_o = 1'b0;
    if (lk_valid_i) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        if (valid_q[i] && line_q[i] == line_i) out_o = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= '0;
    end else begin
      if (put_i) valid_q[idx_o] <= 1'b1;
      if (done_i) valid_q[done_idx_i] <= 1'b0;
    end
    if (put_i) line_q[idx_o] <= line_i;
  end
  assign empty_o = valid_q == '0;

  logic unused;
  assign unused = ^free_count;

  `HD_ASSERT(a_done_is_out, !done_i || valid_q[done_idx_i])
endmodule
`default_nettype wire
