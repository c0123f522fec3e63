// hd_l2_perform.sv - write-through family: what an L2 bank keeps of stores and atomics that wait,
// and the unit that performs atomics.
//
// put   as in hd_l2_writes: put_i (only with room_o) keeps the body of a request that takes an
//       entry; free_i (of entries with a body) drops it.
// next  next_valid_i, next_entry_i: the entry that is to be served next; ready_o: its body has been
//       read, line_o are a store's words. next_pop_i: another one is next from the next cycle on.
// start start_i (only with ready_o and at_free_o): performs the atomic of the next entry, lanes
//       mask_i, on the line that is on line_i in the cycle after.
// done  done_o until done_i: the atomic of entry done_entry_o is performed: at_line_o, at_wmask_o
//       are what to write. at_old_o: the old words in lane order, until two cycles behind the next
//       start.
// idle_o no atomic under way.
// Parameters: Entries (MSHRs of the bank), Places (bodies), Lanes, LineWords, WordW, FlitWords.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_perform #(
  parameter int unsigned Entries = 128,
  parameter int unsigned Places = 32,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned LineW = LineWords * WordW,                                // derived
  parameter int unsigned BodyW = hd_pkg::request_body(hd_pkg::FAMILY_VI, LineWords, Lanes, WordW,
                                                      FlitWords),
  parameter int unsigned IdxW = hd_pkg::idx_w(Entries)                             // derived
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  // put
  output logic                   room_o,
  input  logic                   put_i,
  input  logic                   put_atomic_i,
  input  logic [IdxW-1:0]        put_entry_i,
  input  logic [BodyW-1:0]       body_i,
  // next
  input  logic                   next_valid_i,
  input  logic [IdxW-1:0]        next_entry_i,
  input  logic                   next_pop_i,
  output logic                   ready_o,
  output logic [LineW-1:0]       line_o,
  // free
  input  logic                   free_i,
  input  logic [IdxW-1:0]        free_entry_i,
  // start
  output logic                   at_free_o,
  input  logic                   start_i,
  input  logic [Lanes-1:0]       mask_i,
  input  logic [LineW-1:0]       line_i,
  // done
  output logic                   done_o,
  output logic [IdxW-1:0]        done_entry_o,
  input  logic                   done_i,
  output logic [LineW-1:0]       at_line_o,
  output logic [LineWords-1:0]   at_wmask_o,
  output logic [Lanes*WordW-1:0] at_old_o,
  output logic                   idle_o
);
  localparam int unsigned OffW  = hd_pkg::idx_w(LineWords);
  localparam int unsigned DataW = hd_pkg::down_words(LineWords, Lanes, FlitWords) * WordW;

  logic                  ready_q;    // the body of the next entry has been read
  logic                  pending_q;  // performed, and not yet taken
  logic [IdxW-1:0]       entry_q;
  logic [DataW-1:0]      data;
  logic [3:0]            fn;
  logic [Lanes*OffW-1:0] offs;
  logic [Lanes*32-1:0]   cmp;
  logic                  at_done, at_idle, at_lane;

  hd_l2_writes #(
    .Entries(Entries),
    .Places(Places),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .FlitWords(FlitWords)
  ) u_bodies (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .room_o(room_o),
    .put_i(put_i),
    .put_atomic_i(put_atomic_i),
    .put_entry_i(put_entry_i),
    .body_i(body_i),
    .read_i(next_valid_i && !ready_q),
    .read_entry_i(next_entry_i),
    .data_o(data),
    .at_o({cmp, offs, fn}),
    .free_i(free_i),
    .free_entry_i(free_entry_i)
  );
  hd_atomic_unit #(
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW)
  ) u_atomic (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .start_i(start_i),
    .fn_i(fn),
    .mask_i(mask_i),
    .offs_i(offs),
    .data_i(data[Lanes*WordW-1:0]),
    .cmp_i(cmp),
    .line_i(line_i),
    .done_o(at_done),
    .lane_o(at_lane),
    .line_o(at_line_o),
    .wmask_o(at_wmask_o),
    .old_o(at_old_o),
    .idle_o(at_idle)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      ready_q   <= 1'b0;
      pending_q <= 1'b0;
    end else begin
      ready_q   <= next_valid_i && !next_pop_i;
      pending_q <= at_done || (pending_q && !done_i);
    end
    if (start_i) entry_q <= next_entry_i;
  end

  assign ready_o      = ready_q;
  assign line_o       = data[LineW-1:0];
  assign at_free_o    = at_idle && !pending_q;
  assign done_o       = pending_q;
  assign done_entry_o = entry_q;
  assign idle_o       = at_idle && !pending_q;

  logic unused;
  assign unused = ^{at_lane, data};

  `HD_ASSERT(a_start_when_free, !start_i || (at_free_o && ready_q && next_valid_i))
  `HD_ASSERT(a_done_when_pending, !done_i || pending_q)
  `HD_ASSERT(a_pop_only_valid, !next_pop_i || next_valid_i)
endmodule
`default_nettype wire
