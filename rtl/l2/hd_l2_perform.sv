// hd_l2_perform.sv - write-through family: what an L2 bank keeps of stores and atomics that wait,
// and the unit that performs atomics.
//
// do_i  put (only with can_o.room): body_i; next: line_o are a store's words with can_o.ready;
//       start (only with can_o.ready and at_free): lanes mask_i, on the line that is on line_i in
//       the cycle after; free: of entries with a body. entry_i: entries of {put, next, free}.
// done  done_o until do_i.taken: the atomic of entry done_entry_o is performed: at_line_o,
//       at_wmask_o are what to write. at_old_o: the old words in lane order, until two cycles
//       behind the next start.
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
  input  logic                    clk_i,
  input  logic                    rst_i,
  input  hd_pkg::l2_perform_do_s  do_i,
  input  logic [3*IdxW-1:0]       entry_i,
  input  logic [BodyW-1:0]        body_i,
  output hd_pkg::l2_perform_can_s can_o,
  output logic [LineW-1:0]        line_o,
  input  logic [Lanes-1:0]        mask_i,
  input  logic [LineW-1:0]        line_i,
  output logic                    done_o,
  output logic [IdxW-1:0]         done_entry_o,
  output logic [LineW-1:0]        at_line_o,
  output logic [LineWords-1:0]    at_wmask_o,
  output logic [Lanes*WordW-1:0]  at_old_o
);
  localparam int unsigned OffW  = hd_pkg::idx_w(LineWords);
  localparam int unsigned DataW = hd_pkg::down_words(LineWords, Lanes, FlitWords) * WordW;

  logic                  ready_q;    // the body of the next entry has been read
  logic                  pending_q;  // performed, and not yet taken
  logic [IdxW-1:0]       entry_q, put_entry, next_entry, free_entry;
  logic [DataW-1:0]      data;
  logic [3:0]            fn;
  logic [Lanes*OffW-1:0] offs;
  logic [Lanes*32-1:0]   cmp;
  logic                  room, at_done, at_idle, at_lane;

  assign {put_entry, next_entry, free_entry} = entry_i;
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
    .room_o(room),
    .put_i(do_i.put),
    .put_atomic_i(do_i.atomic),
    .put_entry_i(put_entry),
    .body_i(body_i),
    .read_i(do_i.next && !ready_q),
    .read_entry_i(next_entry),
    .data_o(data),
    .at_o({cmp, offs, fn}),
    .free_i(do_i.free),
    .free_entry_i(free_entry)
  );
  hd_atomic_unit #(
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW)
  ) u_atomic (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .start_i(do_i.start),
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
      ready_q   <= do_i.next && !do_i.pop;
      pending_q <= at_done || (pending_q && !do_i.taken);
    end
    if (do_i.start) entry_q <= next_entry;
  end

  assign can_o.room    = room;
  assign can_o.ready   = ready_q;
  assign can_o.at_free = at_idle && !pending_q;
  assign line_o       = data[LineW-1:0];
  assign done_o       = pending_q;
  assign done_entry_o = entry_q;

  logic unused;
  assign unused = ^{at_lane, data};

  `HD_ASSERT(a_start_when_free, !do_i.start || (can_o.at_free && ready_q && do_i.next))
  `HD_ASSERT(a_done_when_pending, !do_i.taken || pending_q)
  `HD_ASSERT(a_pop_only_valid, !do_i.pop || do_i.next)
endmodule
`default_nettype wire
