// hd_persist_l1.sv - persist barriers at an L1 with dirty words: its NVW-FIFO and tracked bits.
//
// Paper 4 section 6.1. A row with dirty words of non-volatile memory is tracked; a tracked row's
// line has an entry in the FIFO, in the order in which they were tracked. An entry may be stale:
// its line was written through or evicted before its turn; whoever pops looks.
//
//  event                                        tracked bit of the row  FIFO
//  put_i, nv, not tracked                       1                       line in
//  put_i, nv, tracked                           1                       -
//  put_i, not nv                                as new_i                -
//  new_i (another line takes the row, or none)  as put_i, else 0        its entry stays, stale
//  pop of a line that is here (hit_i)           0                       entry out
//  pop of a line that is not here               -                       entry out
//  marker                                       -                       marker in; pop: out
//
// put    at the edge: put_i: words of line num_i, now of row row_i, become dirty; new_i: the row
//        gets another line or none. Allowed only with room_o, which is combinational for num_i and
//        row_i; hit_i: the line has that row already.
// mark   valid/ready: a barrier's marker; ready while a line is not put and there is room.
// pop    pop_o: the head is to leave; pop_mark_o: it is a marker, mark_id_o; else line pop_num_o;
//        pop_i takes it, with hit_i and row_i of its line.
// With Persist 2, the buffered alternative, a tracked row carries a persist epoch (see
// hd_persist_tags): room_o is 0 while the line still holds words in front of a marker. leave_o:
// row_i may be written through now, be it for a pop, an eviction or a release; list_leave_o:
// list_row_i. one_o: no marker is here, so what goes to the L2 past the rows keeps its place. All 1
// with Persist 1.
// idle_o nothing is to leave. Lines that wait for a marker do not count.
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
  input  logic             clk_i,
  input  logic             rst_i,
  input  logic [31:0]      nv_base_i,
  // put
  input  logic             put_i,
  input  logic             new_i,
  input  logic             hit_i,
  input  logic [RowW-1:0]  row_i,
  input  logic [LineW-1:0] num_i,
  output logic             room_o,
  // mark
  input  logic             mark_valid_i,
  output logic             mark_ready_o,
  input  logic [7:0]       mark_id_i,
  // pop
  output logic             pop_o,
  output logic             pop_mark_o,
  output logic [LineW-1:0] pop_num_o,
  output logic [7:0]       mark_id_o,
  input  logic             pop_i,
  // state
  output logic             tracked_o,    // of row_i, with hit_i
  output logic             nv_o,         // num_i is of non-volatile memory
  input  logic [RowW-1:0]  list_row_i,
  output logic             leave_o,
  output logic             list_leave_o,
  output logic             one_o,
  output logic             idle_o
);
  if (Persist != 0) begin : g_persist
    logic [LineW-1:0] entry;
    logic             push, ready, untrack, tracked, put_ok, more;

    assign nv_o      = nv_base_i != '0 && num_i >= nv_base_i[ByteW +: LineW];
    assign tracked_o = hit_i && tracked;
    assign room_o    = !nv_o || (tracked_o ? put_ok : ready);
    assign push      = put_i && nv_o && !tracked_o;
    assign untrack   = pop_i && !pop_mark_o && hit_i && leave_o;
    assign mark_ready_o = ready && !push && more;
    assign pop_num_o = entry;
    assign mark_id_o = entry[7:0];
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
      .pop_o(pop_o),
      .pop_ready_i(pop_i),
      .pop_mark_o(pop_mark_o),
      .pop_entry_o(entry),
      .idle_o(idle_o)
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
        .put_i(put_i && nv_o),
        .drop_i(new_i || untrack),
        .open_i(mark_valid_i && mark_ready_o),
        .close_i(pop_i && pop_mark_o),
        .tracked_o(tracked),
        .put_ok_o(put_ok),
        .leave_o(leave_o),
        .also_leave_o(list_leave_o),
        .more_o(more),
        .one_o(one_o),
        .oldest_o(oldest)
      );
      logic unused_oldest;
      assign unused_oldest = ^oldest;
    end else begin : g_fifo
      logic [Rows-1:0] tracked_q;
      assign tracked      = tracked_q[row_i];
      assign put_ok       = 1'b1;
      assign leave_o      = 1'b1;
      assign list_leave_o = 1'b1;
      assign more         = 1'b1;
      assign one_o        = 1'b1;
      always_ff @(posedge clk_i) begin
        if (rst_i) tracked_q <= '0;
        else if (put_i && nv_o) tracked_q[row_i] <= 1'b1;
        else if (new_i || untrack) tracked_q[row_i] <= 1'b0;
      end
    end
    logic unused;
    assign unused = ^{nv_base_i, list_row_i};
    `HD_ASSERT(a_one_epoch_a_row, !(put_i && nv_o && hit_i) || put_ok)
    `HD_ASSERT(a_put_fits, !put_i || room_o)
    `HD_ASSERT(a_put_or_pop, !(pop_i && (put_i || new_i)))
    `HD_ASSERT(a_pop_of_one, !pop_i || pop_o)
  end else begin : g_none
    assign room_o       = 1'b1;
    assign mark_ready_o = 1'b0;
    assign pop_o        = 1'b0;
    assign pop_mark_o   = 1'b0;
    assign pop_num_o    = '0;
    assign mark_id_o    = '0;
    assign tracked_o    = 1'b1;
    assign nv_o         = 1'b0;
    assign idle_o       = 1'b1;
    assign leave_o      = 1'b1;
    assign list_leave_o = 1'b1;
    assign one_o        = 1'b1;
    logic unused;
    assign unused = ^{clk_i, rst_i, nv_base_i, put_i, new_i, hit_i, row_i, num_i, mark_valid_i,
                      mark_id_i, pop_i, list_row_i};
  end
endmodule
`default_nettype wire
