// hd_l1_gpu_dirty.sv - dirty words of an L1 of family GPU: how many, in which order they leave.
//
// Rows and releases: hd_dirty_list (papers 3 and 4: store buffer, S-FIFO). Rows of non-volatile
// memory and persist barriers: hd_persist_l1 (paper 4: NVW-FIFO).
// row    write_i: row row_i gets line num_i (hit_i: has it already) with dirty words d_new_i where
//        it had d_i. put_i (then with write_i): an access made words dirty.
// fit    fit_i: the words that an access would make dirty; room_o: it may. nv_room_o: as far as the
//        NVW-FIFO is concerned.
// marker put_marker_i, who_i: a release; mark: valid/ready, a persist barrier.
// list   head of the list, list_pop_i, list_marked_o, list_full_o: hd_dirty_list; list_leave_o: its
//        row may leave. head_row_o: that row.
// pop    head of the NVW-FIFO: hd_persist_l1; nv_o, tracked_o, leave_o, one_o of it too.
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
  output logic                 room_o,
  output logic                 nv_room_o,
  // markers
  input  logic                 put_marker_i,
  input  logic [WhoW-1:0]      who_i,
  input  logic                 mark_valid_i,
  output logic                 mark_ready_o,
  input  logic [7:0]           mark_id_i,
  // list
  output logic                 list_valid_o,
  output logic                 list_marker_o,
  output logic                 list_marked_o,
  output logic                 list_full_o,
  output logic                 list_leave_o,
  output logic [RowW-1:0]      head_row_o,
  output logic [WhoW-1:0]      head_who_o,
  input  logic                 list_pop_i,
  // pop
  output logic                 pop_o,
  output logic                 pop_mark_o,
  output logic [LineW-1:0]     pop_num_o,
  output logic [7:0]           pop_id_o,
  input  logic                 pop_i,
  output logic                 nv_o,
  output logic                 tracked_o,
  output logic                 leave_o,
  output logic                 one_o,
  output logic                 idle_o
);
  localparam int unsigned NumW = $clog2(LineWords + 1);

  logic [NumW-1:0]              add, sub, fit;
  logic [LineWords-1:0]         made, gone;
  logic [$clog2(SbWords+1)-1:0] words;
  logic                         list_room, empty;

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
  assign room_o = list_room && nv_room_o;

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
    .put_row_i(put_i),
    .row_i(row_i),
    .add_i(add),
    .sub_i(sub),
    .put_marker_i(put_marker_i),
    .who_i(who_i),
    .fit_i(fit),
    .room_o(list_room),
    .full_o(list_full_o),
    .head_valid_o(list_valid_o),
    .head_marker_o(list_marker_o),
    .head_row_o(head_row_o),
    .head_who_o(head_who_o),
    .pop_i(list_pop_i),
    .marked_o(list_marked_o),
    .words_o(words),
    .empty_o(empty)
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
    .put_i(put_i),
    .new_i(write_i && !hit_i),
    .hit_i(hit_i),
    .row_i(row_i),
    .num_i(num_i),
    .room_o(nv_room_o),
    .mark_valid_i(mark_valid_i),
    .mark_ready_o(mark_ready_o),
    .mark_id_i(mark_id_i),
    .pop_o(pop_o),
    .pop_mark_o(pop_mark_o),
    .pop_num_o(pop_num_o),
    .mark_id_o(pop_id_o),
    .pop_i(pop_i),
    .tracked_o(tracked_o),
    .nv_o(nv_o),
    .list_row_i(head_row_o),
    .leave_o(leave_o),
    .list_leave_o(list_leave_o),
    .one_o(one_o),
    .idle_o(idle_o)
  );

  logic unused;
  assign unused = ^{words, empty};
endmodule
`default_nettype wire
