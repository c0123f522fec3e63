// hd_type_wait_queues.sv - accesses of each warp that wait for the type of their sector.
//
// Paper 1 section 4.2 (type-wait queues, 48 x 4). First in, first out in each warp, so that
// accesses are classified in program order. An entry is resolved (safe or unsafe) or not, and asked
// (a request for its sector is out) or not. Table, for the entries of a sector:
//
//   reply unsafe                   resolved unsafe
//   reply safe, may write          resolved safe
//   reply safe, may not write      readers resolved safe; writers: unless an upgrade is out, not
//                                  asked any more
//   inval, recall                  neither resolved nor asked
//
// Entries of the LDS have no sector and are resolved safe from the start.
//
// push   push_i; full_o[push_warp_i] must be 0. With type (push_known_i, push_safe_i) or without.
// up     up_i: a message about up_sector_i; nothing may be popped, pushed or asked in that cycle.
// head   known_o: warps whose head is resolved; ask_o: neither resolved nor asked; rd_warp_i ->
//        rd_known_o rd_safe_o rd_data_o rd_sector_o rd_write_o, combinational. pop_i takes it;
//        rd_ask_i: it has been asked for; rd_known_i: its type was found, rd_safe_i.
// state  full_o empty_o, registers.
// Warps; Depth: entries of a queue; Width: bits of an access; SectorW.
`include "hd_assert.svh"
`default_nettype none
module hd_type_wait_queues #(
  parameter int unsigned Warps   = 48,
  parameter int unsigned Depth   = 4,
  parameter int unsigned Width   = 32,
  parameter int unsigned SectorW = 18,
  parameter int unsigned WarpW   = hd_pkg::idx_w(Warps)  // derived: leave at its default
) (
  input  logic               clk_i,
  input  logic               rst_i,

  input  logic               push_i,
  input  logic [WarpW-1:0]   push_warp_i,
  input  logic               push_lds_i,
  input  logic [SectorW-1:0] push_sector_i,
  input  logic               push_write_i,
  input  logic               push_known_i,
  input  logic               push_safe_i,
  input  logic               push_asked_i,
  input  logic [Width-1:0]   push_data_i,

  input  logic               up_i,
  input  logic [SectorW-1:0] up_sector_i,
  input  logic               up_reply_i,
  input  logic               up_safe_i,
  input  logic               up_write_i,
  input  logic               up_again_i,

  output logic [Warps-1:0]   known_o,
  output logic [Warps-1:0]   ask_o,
  input  logic [WarpW-1:0]   rd_warp_i,
  output logic               rd_known_o,
  output logic               rd_safe_o,
  output logic               rd_write_o,
  output logic [SectorW-1:0] rd_sector_o,
  output logic [Width-1:0]   rd_data_o,
  input  logic               pop_i,
  input  logic               rd_ask_i,
  input  logic               rd_known_i,
  input  logic               rd_safe_i,

  output logic [Warps-1:0]   full_o,
  output logic [Warps-1:0]   empty_o
);
  localparam int unsigned EntryW = hd_pkg::idx_w(Warps * Depth);

  // Plane p of a vector: entry p of each warp's queue.
  logic [Warps-1:0]   known_q [0:Depth-1];
  logic [Warps-1:0]   safe_q [0:Depth-1];
  logic [Warps-1:0]   asked_q [0:Depth-1];
  logic [Warps-1:0]   write_q [0:Depth-1];
  logic [Warps-1:0]   lds_q [0:Depth-1];
  logic [Warps-1:0]   head_q [0:Depth-1];       // where the queues begin
  logic [Warps-1:0]   tail_q [0:Depth-1];       // where they end
  logic [SectorW-1:0] sector_q [0:Warps*Depth-1];

  logic [EntryW-1:0]  rd_entry, push_entry;
  logic [Warps-1:0]   rd_bit, push_bit, head_known, head_asked;
  logic [Warps-1:0]   hit [0:Depth-1];
  logic [Warps-1:0]   put [0:Depth-1];
  logic [Warps-1:0]   head [0:Depth-1];
  logic [Warps-1:0]   hkey;
  logic               unused_key;

  hd_warp_queues #(.Queues(Warps), .Depth(Depth), .Width(Width), .KeyW(1)) u_queues (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(push_i), .push_q_i(push_warp_i), .push_key_i(1'b0),
    .push_data_i(push_data_i), .push_entry_o(push_entry), .rd_q_i(rd_warp_i),
    .rd_data_o(rd_data_o), .rd_entry_o(rd_entry), .pop_i(pop_i), .full_o(full_o),
    .empty_o(empty_o), .hkey_o(hkey)
  );
  assign unused_key = ^hkey;

  always_comb begin
    head_known = '0;
    head_asked = '0;
    for (int unsigned p = 0; p < Depth; p++) begin
      head_known = head_known | (known_q[p] & head_q[p]);
      head_asked = head_asked | (asked_q[p] & head_q[p]);
    end
    known_o = ~empty_o & head_known;
    ask_o   = ~empty_o & ~head_known & ~head_asked;
  end
  // rd_warp_i may follow known_o, and push_i what is read: in one block they form a circle.
  always_comb begin
    rd_bit = '0;
    rd_bit[rd_warp_i] = 1'b1;
    rd_known_o = 1'b0;
    rd_safe_o  = 1'b0;
    rd_write_o = 1'b0;
    for (int unsigned p = 0; p < Depth; p++) begin
      if ((head_q[p] & rd_bit) != '0) begin
        rd_known_o = (known_q[p] & rd_bit) != '0;
        rd_safe_o  = (safe_q[p] & rd_bit) != '0;
        rd_write_o = (write_q[p] & rd_bit) != '0;
      end
    end
  end
  always_comb begin
    push_bit = '0;
    if (push_i) push_bit[push_warp_i] = 1'b1;
  end
  assign rd_sector_o = sector_q[rd_entry];

  // Entries that have left still hold a sector; what happens to them does not matter.
  always_comb begin
    for (int unsigned p = 0; p < Depth; p++) hit[p] = '0;
    if (up_i) begin
      for (int unsigned p = 0; p < Depth; p++) begin
        for (int unsigned w = 0; w < Warps; w++)
          hit[p][w] = sector_q[w*Depth + p] == up_sector_i && !lds_q[p][w];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < Depth; p++) begin
      if (rst_i) begin
        head_q[p] <= {Warps{p == 0}};
        tail_q[p] <= {Warps{p == 0}};
      end else begin
        if (pop_i) head_q[p] <= (head_q[p] & ~rd_bit) | (head_q[(p+Depth-1)%Depth] & rd_bit);
        if (push_i) tail_q[p] <= (tail_q[p] & ~push_bit) | (tail_q[(p+Depth-1)%Depth] & push_bit);
      end
    end
  end

  // What is pushed and the head of the queue that is read are never the same entry.
  always_comb begin
    for (int unsigned p = 0; p < Depth; p++) begin
      put[p]  = tail_q[p] & push_bit;
      head[p] = head_q[p] & rd_bit;
    end
  end
  always_ff @(posedge clk_i) begin
    if (push_i) sector_q[push_entry] <= push_sector_i;
    for (int unsigned p = 0; p < Depth; p++) begin
      if (up_i && up_reply_i) begin
        known_q[p] <= known_q[p] | (hit[p] & ((up_safe_i && !up_write_i) ? ~write_q[p] : '1));
        safe_q[p]  <= up_safe_i ? safe_q[p] | (hit[p] & ~known_q[p]) : safe_q[p] & ~hit[p];
        if (!up_again_i) asked_q[p] <= asked_q[p] & ~(hit[p] & ~known_q[p]);
      end else if (up_i) begin
        known_q[p] <= known_q[p] & ~hit[p];
        asked_q[p] <= asked_q[p] & ~hit[p];
      end else begin
        known_q[p] <= (known_q[p] & ~put[p]) | (push_known_i ? put[p] : '0)
                      | (rd_known_i ? head[p] : '0);
        safe_q[p]  <= (safe_q[p] & ~(put[p] | (rd_known_i ? head[p] : '0)))
                      | (push_safe_i ? put[p] : '0) | ((rd_known_i && rd_safe_i) ? head[p] : '0);
        asked_q[p] <= (asked_q[p] & ~put[p]) | (push_asked_i ? put[p] : '0)
                      | (rd_ask_i ? head[p] : '0);
        write_q[p] <= (write_q[p] & ~put[p]) | (push_write_i ? put[p] : '0);
        lds_q[p]   <= (lds_q[p] & ~put[p]) | (push_lds_i ? put[p] : '0);
      end
    end
  end

  `HD_ASSERT(a_message_alone, !(up_i && (push_i || pop_i || rd_ask_i || rd_known_i)))
endmodule
`default_nettype wire
