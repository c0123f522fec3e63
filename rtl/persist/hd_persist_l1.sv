// hd_persist_l1.sv - persist barriers at an L1 with dirty words: its NVW-FIFO and tracked bits.
//
// Paper 4 section 6.1. A row with dirty words of non-volatile memory is tracked; a tracked row's
// line has an entry in the FIFO, in the order in which they were tracked. An entry may be stale:
// its line was written through or evicted before its turn; whoever pops looks.
//
//  do_i, event                                  tracked bit of the row  FIFO
//  put, nv, not tracked                         1                       line in
//  put, nv, tracked                             1                       -
//  put, not nv                                  as fresh                -
//  fresh                                        as put, else 0          its entry stays, stale
//  pop of a line that is here (hit_i)           0                       entry out
//  pop of a line that is not here               -                       entry out
//  marker                                       -                       marker in; pop: out
//
// put    at the edge, of line num_i, now of row row_i; allowed only with found_o.room, which is
//        combinational for num_i and row_i; hit_i: the line has that row already.
// mark   valid/ready: a barrier's marker; ready while a line is not put and there is room.
// pop    entry_o: of the head the line or, in the low bits, the marker; it leaves with do_i.pop,
//        with hit_i and row_i of its line.
// With Persist 2, the buffered alternative, a tracked row carries a persist epoch (see
// hd_persist_tags): found_o.room is 0 while the line still holds words in front of a marker. leave,
// list_leave (of list_row_i), be it for a pop, an eviction or a release, and one are all 1 with
// Persist 1.
// nv_base_i, constant: byte address where non-volatile memory begins, 0: none.
// Parameters: Persist 0: nothing of all this, 1, 2: above. Depth entries, Rows of the L1, LineW
// bits of a line number, ByteW of a byte's place in a line. Latency 1: what is put can be the head
// in the next cycle.
`include "hd_assert.svh"
`default_nettype none
module hd_persist_l1 #(
  parameter int unsigned Persist = 1,
  parameter int unsigned Depth   = 16,
  parameter int unsigned Rows    = 256,
  parameter int unsigned LineW   = 26,
  parameter int unsigned ByteW   = 6,
  parameter int unsigned RowW    = hd_pkg::idx_w(Rows)  // derived
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic [31:0]        nv_base_i,
  input  hd_pkg::nvw_do_s    do_i,
  input  logic               hit_i,
  input  logic [RowW-1:0]    row_i,
  input  logic [LineW-1:0]   num_i,
  input  logic [RowW-1:0]    list_row_i,
  input  logic               mark_valid_i,
  output logic               mark_ready_o,
  input  logic [7:0]         mark_id_i,
  output hd_pkg::nvw_found_s found_o,
  output hd_pkg::nvw_head_s  head_o,
  output logic [LineW-1:0]   entry_o
);
  if (Persist != 0) begin : g_persist
    logic push, ready, untrack, nv, here, room, pop, mark, idle;
    logic tracked, put_ok, leave, list_leave, more, one;

    assign nv      = nv_base_i != '0 && num_i >= nv_base_i[ByteW +: LineW];
    assign here    = hit_i && tracked;
    assign room    = !nv || (here ? put_ok : ready);
    assign push    = do_i.put && nv && !here;
    assign untrack = do_i.pop && !mark && hit_i && leave;
    assign mark_ready_o = ready && !push && more;
    assign found_o = {room, nv, here, leave, one};
    assign head_o  = {list_leave, pop, mark, idle};
    hd_nvw_fifo #(
      .Depth(Depth),
      .EntryW(LineW)
    ) u_fifo (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .push_i(push || (mark_valid_i && mark_ready_o)),
      .push_ready_o(ready),
      .push_mark_i(!push),
      .push_entry_i(push ? num_i : LineW'(mark_id_i)),
      .pop_o(pop),
      .pop_ready_i(do_i.pop),
      .pop_mark_o(mark),
      .pop_entry_o(entry_o),
      .idle_o(idle)
    );
    if (Persist == 2) begin : g_buffered
      logic [2:0] oldest;
      hd_persist_tags #(
        .Rows(Rows),
        .Epochs(8)
      ) u_tags (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .row_i(row_i),
        .also_i(list_row_i),
        .do_i({do_i.put && nv, do_i.fresh || untrack, mark_valid_i && mark_ready_o,
               do_i.pop && mark}),
        .row_o({tracked, put_ok, leave}),
        .also_leave_o(list_leave),
        .more_o(more),
        .one_o(one),
        .oldest_o(oldest)
      );
      logic unused_oldest;
      assign unused_oldest = ^oldest;
    end else begin : g_fifo
      logic [Rows-1:0] tracked_q;
      assign tracked = tracked_q[row_i];
      assign {put_ok, leave, list_leave, more, one} = '1;
      always_ff @(posedge clk_i) begin
        if (rst_i) tracked_q <= '0;
        else if (do_i.put && nv) tracked_q[row_i] <= 1'b1;
        else if (do_i.fresh || untrack) tracked_q[row_i] <= 1'b0;
      end
    end
    logic unused;
    assign unused = ^{nv_base_i, list_row_i};
    `HD_ASSERT(a_one_epoch_a_row, !(do_i.put && nv && hit_i) || put_ok)
    `HD_ASSERT(a_put_fits, !do_i.put || room)
    `HD_ASSERT(a_put_or_pop, !(do_i.pop && (do_i.put || do_i.fresh)))
    `HD_ASSERT(a_pop_of_one, !do_i.pop || pop)
  end else begin : g_none
    assign mark_ready_o = 1'b0;
    assign found_o      = 5'b10111;  // all but nv
    assign head_o       = 4'b1001;   // list_leave, idle
    assign entry_o      = '0;
    logic unused;
    assign unused = ^{clk_i, rst_i, nv_base_i, do_i, hit_i, row_i, num_i, mark_valid_i, mark_id_i,
                      list_row_i};
  end
endmodule
`default_nettype wire
