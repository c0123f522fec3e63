// hd_coh_recalls.sv - sharers of an inclusive L2 of family GPU, and the recalls of their copies.
//
// Paper 4 Table 2; docs/protocol_gpu.md. Before a line with sharers gives its way away, each of
// them is sent an INV; with the last INV_ACK the way is to be filled.
// line   sharers_i of the line at work; sharers_o, to be written if we_o: none with do_i.fetch,
//        else with (share) or without (ack) who_i. Combinational.
// start  do_i.start (only while has_o.free): INVs to sharers_i for line addr_i.
// inv    inv_head_o: one for each sharer, the lowest first.
// fill   fill_o: a row whose last copy is gone, and the entry that waits for it, {row, entry}:
//        place_i of that INV_ACK, in their order.
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
  input  hd_pkg::coh_recall_do_s    do_i,
  input  logic [hd_pkg::NODE_W-1:0] who_i,
  output logic [Sms-1:0]            sharers_o,
  output logic                      we_o,
  input  logic [hd_pkg::ADDR_W-1:0] addr_i,
  input  logic [RowW+IdxW-1:0]      place_i,
  output hd_pkg::coh_recall_has_s   has_o,
  output logic [hd_pkg::HEAD_W-1:0] inv_head_o,
  output logic [RowW+IdxW-1:0]      fill_o
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
    logic                      told, room, fill;
    logic [$clog2(Rows+1)-1:0] count;

    assign addr = addr_q;
    assign we_o = do_i.share || do_i.ack;
    always_comb begin
      sharers_o = sharers_i;
      if (do_i.fetch) sharers_o = '0;
      else if (do_i.ack) sharers_o = sharers_i & ~who;
      else if (do_i.share) sharers_o = sharers_i | who;
    end
    assign told = do_i.ack && sharers_o == '0;

    always_comb begin
      to = '0;
      for (int i = Sms - 1; i >= 0; i--) begin
        if (left_q[i]) to = hd_pkg::NODE_W'(i);
      end
    end
    assign has_o = {left_q == '0, left_q != '0, fill, left_q == '0 && !fill};
    always_ff @(posedge clk_i) begin
      if (rst_i) left_q <= '0;
      else if (do_i.start) left_q <= sharers_i;
      else if (do_i.inv) left_q <= left_q & (left_q - 1'b1);
      if (do_i.start) addr_q <= addr_i;
    end

    hd_fifo #(
      .Width(RowW + IdxW),
      .Depth(Rows)
    ) u_fill (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(told),
      .in_ready_o(room),
      .in_data_i(place_i),
      .out_valid_o(fill),
      .out_ready_i(do_i.filled),
      .out_data_o(fill_o),
      .count_o(count)
    );
    logic unused;
    assign unused = ^count;
    `HD_ASSERT(a_starts_when_free, !do_i.start || has_o.free)
    `HD_ASSERT(a_recalls_copies, !do_i.start || sharers_i != '0)
    `HD_ASSERT(a_ack_of_a_sharer, !do_i.ack || (sharers_i & who) != '0)
    `HD_ASSERT(a_fill_has_room, !told || room)
  end else begin : g_none
    assign addr      = '0;
    assign to        = '0;
    assign sharers_o = '0;
    assign we_o      = 1'b0;
    assign has_o     = 4'b0001;  // idle
    assign fill_o    = '0;
    logic unused;
    assign unused = ^{clk_i, rst_i, part_id_i, sharers_i, do_i, who, addr_i, place_i};
  end
endmodule
`default_nettype wire
