// hd_coh_recalls.sv - sharers of an inclusive L2 of family GPU, and the recalls of their copies.
//
// Paper 4 Table 2; docs/protocol_gpu.md. Before a line with sharers gives its way away, each of
// them is sent an INV; with the last INV_ACK the way is to be filled.
// line   sharers_i of the line at work; sharers_o, to be written if we_o: none with new_i, else
//        with (share_i) or without (ack_i) who_i. Combinational.
// start  start_i (only while free_o): INVs to sharers_i for line addr_i.
// inv    valid/ready: one for each sharer, the lowest first.
// fill   valid, until fill_pop_i: a row whose last copy is gone, and the entry that waits for it:
//        row_i and idx_i of that INV_ACK, in their order.
// idle_o nothing to send or to fill. A recall that waits for answers does not count.
// Parameters: Inclusive 0: nothing of all this; Sms; RowW, IdxW bits of a row, of an entry; Rows:
// rows to be filled at most. Latency 1.
`include "hd_assert.svh"
`default_nettype none
module hd_coh_recalls #(
  parameter int unsigned Inclusive = 1,
  parameter int unsigned Sms  = 16,
  parameter int unsigned RowW = 8,
  parameter int unsigned IdxW = 6,
  parameter int unsigned Rows = 64
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [hd_pkg::NODE_W-1:0] part_id_i,
  input  logic [Sms-1:0]            sharers_i,
  input  logic                      new_i,
  input  logic                      share_i,
  input  logic                      ack_i,
  input  logic [hd_pkg::NODE_W-1:0] who_i,
  output logic [Sms-1:0]            sharers_o,
  output logic                      we_o,
  output logic                      free_o,
  input  logic                      start_i,
  input  logic [hd_pkg::ADDR_W-1:0] addr_i,
  output logic                      inv_valid_o,
  input  logic                      inv_ready_i,
  output logic [hd_pkg::HEAD_W-1:0] inv_head_o,
  input  logic [RowW-1:0]           row_i,
  input  logic [IdxW-1:0]           idx_i,
  output logic                      fill_valid_o,
  output logic [RowW-1:0]           fill_row_o,
  output logic [IdxW-1:0]           fill_idx_o,
  input  logic                      fill_pop_i,
  output logic                      idle_o
);
  hd_pkg::head_s             head;
  logic [hd_pkg::ADDR_W-1:0] addr;
  logic [hd_pkg::NODE_W-1:0] to;
  logic [Sms-1:0]            who;

  assign who = Sms'(1) << who_i;
  always_comb begin
    head       = '0;
    head.kind  = hd_pkg::MSG_INV;
    head.addr  = addr;
    head.route = hd_pkg::route_down(part_id_i, to);
  end
  assign inv_head_o = head;

  if (Inclusive != 0) begin : g_recalls
    logic [Sms-1:0]            left_q;
    logic [hd_pkg::ADDR_W-1:0] addr_q;
    logic                      told, room;
    logic [$clog2(Rows+1)-1:0] count;

    assign addr = addr_q;
    assign we_o = share_i || ack_i;
    always_comb begin
      sharers_o = sharers_i;
      if (new_i) sharers_o = '0;
      else if (ack_i) sharers_o = sharers_i & ~who;
      else if (share_i) sharers_o = sharers_i | who;
    end
    assign told = ack_i && sharers_o == '0;

    always_comb begin
      to = '0;
      for (int i = Sms - 1; i >= 0; i--) begin
        if (left_q[i]) to = hd_pkg::NODE_W'(i);
      end
    end
    assign free_o      = left_q == '0;
    assign inv_valid_o = left_q != '0;
    always_ff @(posedge clk_i) begin
      if (rst_i) left_q <= '0;
      else if (start_i) left_q <= sharers_i;
      else if (inv_ready_i) left_q <= left_q & (left_q - 1'b1);
      if (start_i) addr_q <= addr_i;
    end

    hd_fifo #(
      .Width(RowW + IdxW),
      .Depth(Rows)
    ) u_fill (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(told),
      .in_ready_o(room),
      .in_data_i({row_i, idx_i}),
      .out_valid_o(fill_valid_o),
      .out_ready_i(fill_pop_i),
      .out_data_o({fill_row_o, fill_idx_o}),
      .count_o(count)
    );
    assign idle_o = !inv_valid_o && !fill_valid_o;
    logic unused;
    assign unused = ^count;
    `HD_ASSERT(a_starts_when_free, !start_i || free_o)
    `HD_ASSERT(a_recalls_copies, !start_i || sharers_i != '0)
    `HD_ASSERT(a_ack_of_a_sharer, !ack_i || (sharers_i & who) != '0)
    `HD_ASSERT(a_fill_has_room, !told || room)
  end else begin : g_none
    assign addr         = '0;
    assign to           = '0;
    assign sharers_o    = '0;
    assign we_o         = 1'b0;
    assign free_o       = 1'b0;
    assign inv_valid_o  = 1'b0;
    assign fill_valid_o = 1'b0;
    assign fill_row_o   = '0;
    assign fill_idx_o   = '0;
    assign idle_o       = 1'b1;
    logic unused;
    assign unused = ^{clk_i, rst_i, part_id_i, sharers_i, new_i, share_i, ack_i, who, start_i,
                      addr_i, inv_ready_i, row_i, idx_i, fill_pop_i};
  end
endmodule
`default_nettype wire
