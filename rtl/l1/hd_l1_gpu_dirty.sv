// hd_l1_gpu_dirty.sv - dirty words of an L1 of family GPU: how many, in which order they leave.
//
// Rows and releases: hd_dirty_list (papers 3 and 4: store buffer, S-FIFO). Rows of non-volatile
// memory and persist barriers: hd_persist_l1 (paper 4: NVW-FIFO).
// row    write_i: row row_i gets line num_i (hit_i: has it already) with dirty words d_new_i where
//        it had d_i. put_i (then with write_i): an access made words dirty.
// fit    fit_i: the words that an access would make dirty; dirty_o: whether it may, and what the
//        NVW-FIFO says of the row (hd_persist_l1).
// marker put_marker_i, who_i: a release; mark: valid/ready, a persist barrier.
// heads  heads_o: of the list (hd_dirty_list), row head_row_o or release head_who_o, it leaves with
//        list_pop_i; of the NVW-FIFO (hd_persist_l1), line pop_num_o or barrier pop_id_o, it leaves
//        with pop_i.
// idle_o nothing is to leave the NVW-FIFO.
// Parameters: of those two. Latency 1.
`default_nettype none
module hd_l1_gpu_dirty #(
  parameter int unsigned Rows = 512,
  parameter int unsigned LineWords = 16,
  parameter int unsigned SbWords = 256,
  parameter int unsigned SbRows = 256,
  parameter int unsigned Markers = 48,
  parameter int unsigned WhoW = 10,
  parameter int unsigned Persist = 0,
  parameter int unsigned NvwDepth = 16,
  parameter int unsigned LineW = 26,
  parameter int unsigned ByteW = 6,
  parameter int unsigned RowW = hd_pkg::idx_w(Rows)  // derived
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic [31:0]          nv_base_i,
  // row
  input  logic                 write_i,
  input  logic                 put_i,
  input  logic                 hit_i,
  input  logic [RowW-1:0]      row_i,
  input  logic [LineW-1:0]     num_i,
  input  logic [LineWords-1:0] d_i,
  input  logic [LineWords-1:0] d_new_i,
  // fit
  input  logic [LineWords-1:0] fit_i,
  output hd_pkg::gpu_dirty_s   dirty_o,
  // markers
  input  logic                 put_marker_i,
  input  logic [WhoW-1:0]      who_i,
  input  logic                 mark_valid_i,
  output logic                 mark_ready_o,
  input  logic [7:0]           mark_id_i,
  // heads
  output hd_pkg::gpu_heads_s   heads_o,
  output logic [RowW-1:0]      head_row_o,
  output logic [WhoW-1:0]      head_who_o,
  input  logic                 list_pop_i,
  output logic [LineW-1:0]     pop_num_o,
  output logic [7:0]           pop_id_o,
  input  logic                 pop_i,
  output logic                 idle_o
);
  localparam int unsigned NumW = $clog2(LineWords + 1);

  hd_pkg::dirty_list_s          list;
  logic [NumW-1:0]              add, sub, fit;
  logic [LineWords-1:0]         made, gone;
  logic [$clog2(SbWords+1)-1:0] words;
  hd_pkg::nvw_found_s           found;
  hd_pkg::nvw_head_s            head;
  logic                         list_room;

  assign made = d_new_i & ~d_i;
  assign gone = d_i & ~d_new_i;
  assign fit  = NumW'(hd_pkg::ones(64'(fit_i)));
  always_comb begin
    add = '0;
    sub = '0;
    if (write_i) begin
      add = NumW'(hd_pkg::ones(64'(made)));
      sub = NumW'(hd_pkg::ones(64'(gone)));
    end
  end
  assign dirty_o = {list_room && found.room, found};
  assign heads_o = {list, head.list_leave, head.pop, head.mark};
  assign pop_id_o = pop_num_o[7:0];
  assign idle_o   = head.idle;

  hd_dirty_list #(
    .Rows(Rows),
    .SbWords(SbWords),
    .SbRows(SbRows),
    .Markers(Markers),
    .WhoW(WhoW),
    .LineWords(LineWords)
  ) u_list (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .do_i({put_i, put_marker_i, list_pop_i}),
    .row_i(row_i),
    .add_i(add),
    .sub_i(sub),
    .who_i(who_i),
    .fit_i(fit),
    .room_o(list_room),
    .list_o(list),
    .head_row_o(head_row_o),
    .head_who_o(head_who_o),
    .words_o(words)
  );
  hd_persist_l1 #(
    .Persist(Persist),
    .Depth(NvwDepth),
    .Rows(Rows),
    .LineW(LineW),
    .ByteW(ByteW)
  ) u_persist (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .nv_base_i(nv_base_i),
    .do_i({put_i, write_i && !hit_i, pop_i}),
    .hit_i(hit_i),
    .row_i(row_i),
    .num_i(num_i),
    .list_row_i(head_row_o),
    .mark_valid_i(mark_valid_i),
    .mark_ready_o(mark_ready_o),
    .mark_id_i(mark_id_i),
    .found_o(found),
    .head_o(head),
    .entry_o(pop_num_o)
  );

  logic unused;
  assign unused = ^words;
endmodule
`default_nettype wire
