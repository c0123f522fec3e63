// hd_l2_data.sv - data array of an L2 bank: what is written, and what goes down.
//
// row     row_i: the line at work. read_i: it is on data_o from the next cycle on, until the next
//         read. we_i: it is written, by the first that is high: from_mem_i a line from memory;
//         VI only: from_atomic_i the atomic that was performed, from_req_i the store of the request
//         (body_i, req_mask_i), from_wait_i the store of the next entry (wait_mask_i); else words
//         that came up (rsp_*). Never read and written at once.
// dn      dn_data_o: data of the packet that was decided in the last cycle with send_i: the line
//         read, or old words of an atomic (from_atomic_i), of a warp of more than 32 lanes those
//         of its half.
// others  family VI (and GPU, which has the same): hd_l2_perform; at_wrote_o: the atomic that is
//         performed has words to write. Else constant: room, ready, idle.
// Checked builds of family VI: what is written also brings the line before it to data_o.
// obs     with Observe, the cycle after stores or an atomic wrote words: those; the line after it.
// Parameters: Family, Rows lines; of hd_l2_perform: Entries, Places, Lanes; LineWords, WordW,
// FlitWords; Observe.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_data #(
  parameter int unsigned Family = hd_pkg::FAMILY_MESI,
  parameter int unsigned Rows = 1024,
  parameter int unsigned Entries = 128,
  parameter int unsigned Places = 32,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned Observe = 0,
  parameter int unsigned LineW = LineWords * WordW,          // derived
  parameter int unsigned LaneW = hd_pkg::lane_w(Lanes),      // derived
  parameter int unsigned RowW = hd_pkg::idx_w(Rows),         // derived
  parameter int unsigned IdxW = hd_pkg::idx_w(Entries),      // derived
  parameter int unsigned BodyW = hd_pkg::request_body(Family, LineWords, Lanes, WordW,
                                                    FlitWords),
  parameter int unsigned DownW = hd_pkg::down_body(Family, LineWords, Lanes, WordW,
                                                 FlitWords)
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  // row
  input  logic [RowW-1:0]           row_i,
  input  logic                      read_i,
  input  logic                      we_i,
  input  logic                      from_mem_i,
  input  logic                      from_req_i,
  input  logic                      from_wait_i,
  input  logic                      from_atomic_i,
  input  logic [LineW-1:0]          mem_data_i,
  input  logic [LineW-1:0]          rsp_data_i,
  input  logic [LineWords-1:0]      rsp_mask_i,
  input  logic [BodyW-1:0]          body_i,
  input  logic [LineWords-1:0]      req_mask_i,
  input  logic [LaneW-1:0]          wait_mask_i,
  output logic [LineW-1:0]          data_o,
  // dn
  input  logic                      send_i,
  output logic [DownW-1:0]          dn_data_o,
  // others
  output logic                      wr_room_o,
  input  logic                      put_i,
  input  logic                      put_atomic_i,
  input  logic [IdxW-1:0]           put_entry_i,
  input  logic                      next_valid_i,
  input  logic [IdxW-1:0]           next_entry_i,
  input  logic                      next_pop_i,
  output logic                      ready_o,
  input  logic                      free_i,
  input  logic [IdxW-1:0]           free_entry_i,
  output logic                      at_free_o,
  input  logic                      at_start_i,
  output logic                      at_done_o,
  output logic [IdxW-1:0]           at_entry_o,
  output logic                      at_wrote_o,
  output logic [LineWords-1:0]      obs_mask_o,
  output logic [LineW-1:0]          obs_new_o,
  output logic                      idle_o
);
  localparam bit          Vi    = Family == hd_pkg::FAMILY_VI;
  localparam int unsigned HalfL = hd_pkg::half_lanes(Lanes);  // lanes of an atomic

  hd_pkg::l2_perform_do_s  todo;
  hd_pkg::l2_perform_can_s can;
  logic [LineWords-1:0]    mask, at_mask;
  logic [LineW-1:0]        line, at_line, wait_line;
  logic [HalfL*WordW-1:0]  at_old;

  always_comb begin
    mask = rsp_mask_i;
    line = rsp_data_i;
    if (from_mem_i) begin
      mask = '1;
      line = mem_data_i;
    end else if (Vi && from_atomic_i) begin
      mask = at_mask;
      line = at_line;
    end else if (Vi && from_req_i) begin
      mask = req_mask_i;
      line = LineW'(body_i);
    end else if (Vi && from_wait_i) begin
      mask = wait_mask_i[LineWords-1:0];
      line = wait_line;
    end
  end

  if (Vi && WordW > 32) begin : g_old_words
    hd_sram_1r1w #(
      .Width(LineW),
      .Depth(Rows),
      .Gran(WordW)
    ) u_data (
      .clk_i(clk_i),
      .we_i(we_i),
      .waddr_i(row_i),
      .wmask_i(mask),
      .wdata_i(line),
      .re_i(read_i || (we_i && (from_req_i || from_wait_i || from_atomic_i))),
      .raddr_i(row_i),
      .rdata_o(data_o)
    );
  end else begin : g_data
    hd_sram_1rw #(
      .Width(LineW),
      .Depth(Rows),
      .Gran(WordW)
    ) u_data (
      .clk_i(clk_i),
      .en_i(we_i || read_i),
      .we_i(we_i),
      .addr_i(row_i),
      .wmask_i(mask),
      .wdata_i(line),
      .rdata_o(data_o)
    );
  end

  assign todo.put    = put_i;
  assign todo.atomic = put_atomic_i;
  assign todo.next   = next_valid_i;
  assign todo.pop    = next_pop_i;
  assign todo.free   = free_i;
  assign todo.start  = at_start_i;
  assign todo.taken  = from_atomic_i;
  if (Vi) begin : g_vi
    logic                          old_q;  // the packet brings old words
    logic [hd_pkg::HALF_LANES-1:0] at_lanes;
    assign at_lanes = hd_pkg::half_mask(hd_pkg::LANES_MAX'(wait_mask_i));
    assign {wr_room_o, ready_o, at_free_o} = can;
    assign idle_o = can.at_free;
    hd_l2_perform #(
      .Entries(Entries),
      .Places(Places),
      .Lanes(HalfL),
      .LineWords(LineWords),
      .WordW(WordW),
      .FlitWords(FlitWords)
    ) u_perform (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .do_i(todo),
      .entry_i({put_entry_i, next_entry_i, free_entry_i}),
      .body_i(body_i),
      .can_o(can),
      .line_o(wait_line),
      .mask_i(at_lanes[HalfL-1:0]),
      .line_i(data_o),
      .done_o(at_done_o),
      .done_entry_o(at_entry_o),
      .at_line_o(at_line),
      .at_wmask_o(at_mask),
      .at_old_o(at_old)
    );
    always_ff @(posedge clk_i) begin
      if (send_i) old_q <= from_atomic_i;
    end
    assign dn_data_o  = old_q ? DownW'(at_old) : DownW'(data_o);
    assign at_wrote_o = at_mask != '0;
  end else begin : g_no_vi
    assign {wr_room_o, ready_o, idle_o} = 3'b111;
    assign {at_free_o, at_done_o, at_entry_o, at_mask, at_line, wait_line, at_old} = '0;
    assign dn_data_o  = data_o;
    assign at_wrote_o = 1'b0;
    logic unused;
    assign can = '0;
    assign unused = ^{rst_i, from_req_i, from_wait_i, body_i, req_mask_i, send_i, wait_mask_i,
                      put_entry_i, next_entry_i, free_entry_i, todo, can, at_mask, at_line,
                      wait_line, at_old};
  end

  if (Observe != 0) begin : g_observe
    always_ff @(posedge clk_i) begin
      obs_mask_o <= (we_i && (from_req_i || from_wait_i || from_atomic_i)) ? mask : '0;
      obs_new_o  <= line;
    end
  end else begin : g_blind
    assign obs_mask_o = '0;
    assign obs_new_o  = '0;
  end

  `HD_ASSERT(a_read_or_write, !(read_i && we_i))
endmodule
`default_nettype wire
