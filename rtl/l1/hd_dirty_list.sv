// hd_dirty_list.sv - which rows of an L1 hold dirty words, in the order of the first; and markers.
//
// Paper 3 section 5: the store buffer, whose words lie in the L1's data array; paper 4's S-FIFO.
// The list holds rows, each at most once, and markers of releases. A row may have lost its dirty
// words meanwhile: whoever pops it looks. A marker that is the head stands behind all that was
// dirty when it was pushed; who pops it sees to it that those words are written.
//
// do_i   at the edge: row row_i, or a marker with who_i, is put, the head taken out. add_i, sub_i:
//        words that become dirty, that no longer are.
// room_o combinational: fit_i more words fit, and row_i is in the list or fits. A marker always
//        fits if there are no more than Markers.
// list_o, and head_row_o or head_who_o: the head. words_o dirty words.
// Parameters: Rows; SbWords dirty words, SbRows rows in the list at the most; Markers, releases
// out at the most (one a warp); WhoW; LineWords of a line. Latency 1: what is put can be the head
// in the next cycle.
`include "hd_assert.svh"
`default_nettype none
module hd_dirty_list #(
  parameter int unsigned Rows = 512,
  parameter int unsigned SbWords = 256,
  parameter int unsigned SbRows = 256,
  parameter int unsigned Markers = 48,
  parameter int unsigned WhoW = 10,
  parameter int unsigned LineWords = 16,
  parameter int unsigned RowW = hd_pkg::idx_w(Rows),           // derived
  parameter int unsigned NumW = $clog2(LineWords + 1),         // derived
  parameter int unsigned CntW = $clog2(SbWords + 1)            // derived
) (
  input  logic                clk_i,
  input  logic                rst_i,
  input  hd_pkg::dirty_do_s   do_i,
  input  logic [RowW-1:0]     row_i,
  input  logic [NumW-1:0]     add_i,
  input  logic [NumW-1:0]     sub_i,
  input  logic [WhoW-1:0]     who_i,
  input  logic [NumW-1:0]     fit_i,
  output logic                room_o,
  output hd_pkg::dirty_list_s list_o,
  output logic [RowW-1:0]     head_row_o,
  output logic [WhoW-1:0]     head_who_o,
  output logic [CntW-1:0]     words_o
);
  localparam int unsigned Most  = hd_pkg::least(Rows, SbRows);     // rows in the list
  localparam int unsigned Depth = Most + Markers;
  localparam int unsigned PtrW  = hd_pkg::idx_w(Depth);
  localparam int unsigned LenW  = $clog2(Depth + 1);
  localparam int unsigned KeyW  = hd_pkg::most(RowW, WhoW);
  localparam int unsigned SumW  = CntW + 1;
  if (SbWords < LineWords || SbRows < 1 || Markers < 1) begin : g_bad_size
    $error("hd_dirty_list: SbWords must hold a line, SbRows and Markers be at least 1");
  end
  if (Markers > 2**WhoW) begin : g_bad_markers
    $error("hd_dirty_list: WhoW must tell Markers releases apart");
  end

  logic [Rows-1:0] in_q;             // rows in the list
  logic [PtrW-1:0] rd_q, wr_q;
  logic [LenW-1:0] len_q, markers_q; // of the list; of them markers
  logic [CntW-1:0] words_q;
  logic [KeyW-1:0] key;
  logic            put, new_row, in_list, rows_full, marker;

  function automatic logic [PtrW-1:0] after(input logic [PtrW-1:0] ptr);
    after = (ptr == PtrW'(Depth - 1)) ? '0 : ptr + 1'b1;
  endfunction

  assign in_list = in_q[row_i];
  assign new_row = do_i.row && !in_list;
  assign put     = new_row || do_i.marker;
  hd_regfile #(
    .Width(KeyW + 1),
    .Depth(Depth)
  ) u_list (
    .clk_i(clk_i),
    .we_i(put),
    .waddr_i(wr_q),
    .wmask_i(1'b1),
    .wdata_i({do_i.marker, do_i.marker ? KeyW'(who_i) : KeyW'(row_i)}),
    .raddr_i(rd_q),
    .rdata_o({marker, key})
  );
  assign head_row_o = key[RowW-1:0];
  assign head_who_o = key[WhoW-1:0];
  assign rows_full  = len_q - markers_q == LenW'(Most);
  assign room_o     = SumW'(words_q) + SumW'(fit_i) <= SumW'(SbWords) && (in_list || !rows_full);
  assign words_o    = words_q;
  assign list_o.valid  = len_q != '0;
  assign list_o.marker = marker && len_q != '0;
  assign list_o.marked = markers_q != '0;
  assign list_o.full   = SumW'(words_q) + SumW'(LineWords) > SumW'(SbWords) || rows_full;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      in_q      <= '0;
      rd_q      <= '0;
      wr_q      <= '0;
      len_q     <= '0;
      markers_q <= '0;
      words_q   <= '0;
    end else begin
      if (do_i.pop && !list_o.marker) in_q[head_row_o] <= 1'b0;
      if (new_row) in_q[row_i] <= 1'b1;
      if (put) wr_q <= after(wr_q);
      if (do_i.pop) rd_q <= after(rd_q);
      if (put != do_i.pop) len_q <= put ? len_q + 1'b1 : len_q - 1'b1;
      markers_q <= markers_q + LenW'(do_i.marker) - LenW'(do_i.pop && list_o.marker);
      words_q   <= words_q + CntW'(add_i) - CntW'(sub_i);
    end
  end

  logic unused;
  assign unused = ^key;

  `HD_ASSERT(a_put_one, !(do_i.row && do_i.marker))
  `HD_ASSERT(a_pop_valid, !do_i.pop || list_o.valid)
  `HD_ASSERT(a_fits, !put || len_q != LenW'(Depth))
  `HD_ASSERT(a_rows_fit, !new_row || !rows_full)
  `HD_ASSERT(a_markers_fit, !do_i.marker || markers_q != LenW'(Markers))
  `HD_ASSERT(a_words_fit, SumW'(words_q) + SumW'(add_i) <= SumW'(SbWords))
  `HD_ASSERT(a_words_left, SumW'(words_q) + SumW'(add_i) >= SumW'(sub_i))
endmodule
`default_nettype wire
