// hd_warp_queues.sv - first-in first-out queues side by side in one memory, one for each warp.
//
// push   push_i puts push_data_i behind queue push_q_i, which must not be full. The entry of the
//        memory it takes is push_entry_o (combinational).
// read   rd_q_i -> rd_data_o, rd_entry_o: head of that queue and where it lies, combinational;
//        pop_i takes it. A beat can leave from the cycle after it came.
// state  full_o empty_o, bit q for queue q; hkey_o: the keys of all heads, plane k (bit k of every
//        queue's key) at k * Queues. Registers; a head's key is valid while its queue is not empty.
//
// Paper 1 sections 3.3, 3.5 and 4.2 (store buffers, waiting accesses, type-wait and unsafe queues)
// are made of it. Queues; Depth: beats of one queue, any number from 1; Width: bits of a beat;
// KeyW: bits of a beat's key, kept in flip-flops so that all heads are seen at once.
`include "hd_assert.svh"
`default_nettype none
module hd_warp_queues #(
  parameter int unsigned Queues = 48,
  parameter int unsigned Depth  = 4,
  parameter int unsigned Width  = 32,
  parameter int unsigned KeyW   = 4,
  parameter int unsigned QueueW = hd_pkg::idx_w(Queues),         // derived: leave at its default
  parameter int unsigned EntryW = hd_pkg::idx_w(Queues * Depth)  // derived
) (
  input  logic                   clk_i,
  input  logic                   rst_i,

  input  logic                   push_i,
  input  logic [QueueW-1:0]      push_q_i,
  input  logic [KeyW-1:0]        push_key_i,
  input  logic [Width-1:0]       push_data_i,
  output logic [EntryW-1:0]      push_entry_o,

  input  logic [QueueW-1:0]      rd_q_i,
  output logic [Width-1:0]       rd_data_o,
  output logic [EntryW-1:0]      rd_entry_o,
  input  logic                   pop_i,

  output logic [Queues-1:0]      full_o,
  output logic [Queues-1:0]      empty_o,
  output logic [Queues*KeyW-1:0] hkey_o
);
  localparam int unsigned PtrW = hd_pkg::idx_w(Depth);
  localparam int unsigned CntW = $clog2(Depth + 1);

  if (Queues == 0 || Depth == 0 || Width == 0 || KeyW == 0) begin : g_bad_shape
    $error("hd_warp_queues: Queues, Depth, Width and KeyW must be at least 1");
  end

  logic [PtrW-1:0]   rd_q [0:Queues-1];
  logic [PtrW-1:0]   wr_q [0:Queues-1];
  logic [CntW-1:0]   cnt_q [0:Queues-1];
  logic [KeyW-1:0]   key_q [0:Queues*Depth-1];
  logic [Queues-1:0] hkey_q [0:KeyW-1];
  logic [Queues-1:0] push_bit, pop_bit;
  logic [PtrW-1:0]   next;           // head of the queue that is read, once it has left
  logic [EntryW-1:0] next_entry;
  logic              same, first;    // both at one queue; the pushed beat becomes its head
  logic [CntW-1:0]   push_cnt, pop_cnt;

  function automatic logic [PtrW-1:0] after(input logic [PtrW-1:0] ptr);
    after = (ptr == PtrW'(Depth - 1)) ? '0 : ptr + PtrW'(1);
  endfunction

  // What is read, apart from what is pushed and popped, which may follow it: in one block both form
  // a circle.
  always_comb begin
    next       = after(rd_q[rd_q_i]);
    pop_cnt    = cnt_q[rd_q_i];
    rd_entry_o = EntryW'(32'(rd_q_i) * Depth + 32'(rd_q[rd_q_i]));
    next_entry = EntryW'(32'(rd_q_i) * Depth + 32'(next));
  end
  always_comb begin
    push_bit = '0;
    pop_bit  = '0;
    if (push_i) push_bit[push_q_i] = 1'b1;
    if (pop_i) pop_bit[rd_q_i] = 1'b1;
    push_cnt     = cnt_q[push_q_i];
    same         = push_i && pop_i && push_q_i == rd_q_i;
    first        = push_i && (push_cnt == '0 || (same && push_cnt == CntW'(1)));
    push_entry_o = EntryW'(32'(push_q_i) * Depth + 32'(wr_q[push_q_i]));
  end

  hd_regfile #(.Width(Width), .Depth(Queues * Depth)) u_beats (
    .clk_i(clk_i), .we_i(push_i), .waddr_i(push_entry_o), .wmask_i(1'b1), .wdata_i(push_data_i),
    .raddr_i(rd_entry_o), .rdata_o(rd_data_o)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      for (int unsigned q = 0; q < Queues; q++) begin
        rd_q[q]  <= '0;
        wr_q[q]  <= '0;
        cnt_q[q] <= '0;
      end
      full_o  <= '0;
      empty_o <= '1;
    end else begin
      if (push_i) wr_q[push_q_i] <= after(wr_q[push_q_i]);
      if (pop_i) rd_q[rd_q_i] <= next;
      if (push_i && !same) cnt_q[push_q_i] <= push_cnt + CntW'(1);
      if (pop_i && !same) cnt_q[rd_q_i] <= pop_cnt - CntW'(1);
      if ((push_i || pop_i) && !same) begin
        full_o  <= (full_o & ~pop_bit) | (push_cnt == CntW'(Depth - 1) ? push_bit : '0);
        empty_o <= (empty_o & ~push_bit) | (pop_cnt == CntW'(1) ? pop_bit : '0);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (push_i) key_q[push_entry_o] <= push_key_i;
    for (int unsigned k = 0; k < KeyW; k++) begin
      if (first) hkey_q[k] <= (hkey_q[k] & ~push_bit) | (push_key_i[k] ? push_bit : '0);
      if (pop_i && !(first && same)) begin
        hkey_q[k] <= (((first ? ((hkey_q[k] & ~push_bit) | (push_key_i[k] ? push_bit : '0))
                              : hkey_q[k]) & ~pop_bit)
                      | (key_q[next_entry][k] ? pop_bit : '0));
      end
    end
  end

  for (genvar k = 0; k < KeyW; k++) begin : g_key
    assign hkey_o[k*Queues +: Queues] = hkey_q[k];
  end

  `HD_ASSERT(a_push_has_room, !push_i || push_cnt != CntW'(Depth))
  `HD_ASSERT(a_pop_has_a_beat, !pop_i || pop_cnt != '0)
endmodule
`default_nettype wire
