// hd_nvw_fifo.sv - NVW-FIFO: lines with words that are to reach non-volatile memory, and markers.
//
// An entry is a line number or a marker. Lines leave only while a marker waits or the FIFO is full
// (paper 4 section 6.1: lazily), in the order in which they came.
//
//  state              push line  push marker  pop_o
//  empty              in         in           no
//  some, no marker    in         in           no
//  some, markers >= 1 in         in           yes
//  full               refused    refused      yes
//
// push  push_ready_o is "not full", a function of state. pop_o: the head is to leave; is it a
// marker, pop_mark_o; pop_entry_o; it leaves with pop_ready_i. idle_o: nothing is to leave.
// Parameters: Depth entries, EntryW bits of the larger of line number and marker.
`include "hd_assert.svh"
`default_nettype none
module hd_nvw_fifo #(
  parameter int unsigned Depth  = 64,
  parameter int unsigned EntryW = 26,
  parameter int unsigned CntW   = $clog2(Depth + 1)  // derived
) (
  input  logic              clk_i,
  input  logic              rst_i,
  input  logic              push_i,
  output logic              push_ready_o,
  input  logic              push_mark_i,
  input  logic [EntryW-1:0] push_entry_i,
  output logic              pop_o,
  input  logic              pop_ready_i,
  output logic              pop_mark_o,
  output logic [EntryW-1:0] pop_entry_o,
  output logic              idle_o
);
  logic            some, in_mark, out_mark;
  logic [CntW-1:0] count, marks_q;

  hd_fifo #(
    .Width(EntryW + 1),
    .Depth(Depth)
  ) u_fifo (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(push_i),
    .in_ready_o(push_ready_o),
    .in_data_i({push_mark_i, push_entry_i}),
    .out_valid_o(some),
    .out_ready_i(pop_o && pop_ready_i),
    .out_data_o({pop_mark_o, pop_entry_o}),
    .count_o(count)
  );
  assign pop_o    = some && (marks_q != '0 || !push_ready_o);
  assign idle_o   = !pop_o;
  assign in_mark  = push_i && push_ready_o && push_mark_i;
  assign out_mark = pop_o && pop_ready_i && pop_mark_o;
  always_ff @(posedge clk_i) begin
    if (rst_i) marks_q <= '0;
    else if (in_mark != out_mark) marks_q <= in_mark ? marks_q + 1'b1 : marks_q - 1'b1;
  end

  `HD_ASSERT(a_marks_are_entries, marks_q <= count)
endmodule
`default_nettype wire
