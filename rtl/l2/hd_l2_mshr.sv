// hd_l2_mshr.sv - the requests that wait in an L2 bank, one entry each, chained per line.
//
// The oldest entry of a line is its head: the transaction at work. Later requests for the line hang
// behind it in arrival order. All inputs act on the clock edge, all outputs are combinational.
//
// alloc   new_ok_o/new_idx_o: a free entry. alloc_i (only with new_ok_o) fills it with alloc_*.
//         alloc_chain_i hangs it behind the last of chain_head_i's chain, else it is a head.
//         alloc_recall_i (heads only): its way still holds another line.
// read    entry idx_i: line, request, recall, next in its chain.
// step    on entry idx_i: recall_clr_i: its way is its own now. wait_set_i: it waits for the PUT of
//         its own requester. free_i: it has ended; the next of its chain (next_ok_o) is the head.
// txn     txn_wait_o: entry txn_i waits for a PUT; txn_clr_i: it no longer does.
// cam     with cam_en_i: the entry in recall that wants cam_line_i (at most one). The comparators
//         work only while cam_en_i.
// At most one of alloc_i and free_i in a cycle. Paper 1 Table 2: 128 MSHRs.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_mshr #(
  parameter int unsigned Entries = 128,  // 1 to 2**TID_W
  parameter int unsigned LineW   = 22,   // bits of a line number within the partition
  parameter int unsigned LaneMasks = 0,  // 1: lanes are kept, 0: lanes_o is 0
  parameter int unsigned LaneW   = hd_pkg::LANE_W,         // bits of a lane mask
  parameter int unsigned IdxW    = hd_pkg::idx_w(Entries)  // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,

  output logic                      new_ok_o,
  output logic [IdxW-1:0]           new_idx_o,
  input  logic                      alloc_i,
  input  logic                      alloc_chain_i,
  input  logic                      alloc_recall_i,
  input  logic [IdxW-1:0]           chain_head_i,
  input  logic [LineW-1:0]          alloc_line_i,
  input  hd_pkg::role_e             alloc_role_i,
  input  hd_pkg::l2_asker_s         alloc_asker_i,
  input  logic [LaneW-1:0]          alloc_lanes_i,

  input  logic [IdxW-1:0]           idx_i,
  output logic [LineW-1:0]          line_o,
  output hd_pkg::role_e             role_o,
  output hd_pkg::l2_asker_s         asker_o,
  output logic [LaneW-1:0]          lanes_o,
  output logic                      recall_o,
  output logic                      next_ok_o,
  output logic [IdxW-1:0]           next_o,
  input  logic                      recall_clr_i,
  input  logic                      wait_set_i,
  input  logic                      free_i,

  input  logic [IdxW-1:0]           txn_i,
  output logic                      txn_wait_o,
  input  logic                      txn_clr_i,

  input  logic                      cam_en_i,
  input  logic [LineW-1:0]          cam_line_i,
  output logic                      cam_hit_o,
  output logic [IdxW-1:0]           cam_idx_o
);
  localparam int unsigned InfoW = 2 + hd_pkg::ASKER_W;
  localparam int unsigned CntW  = $clog2(Entries + 1);
  if (Entries < 1 || Entries > (1 << hd_pkg::TID_W)) begin : g_bad_entries
    $error("hd_l2_mshr: Entries must be 1 to 2**TID_W");
  end

  hd_pkg::role_s      role;
  logic [LineW-1:0]   line_q [0:Entries-1];  // registers: the comparators see all of them
  logic [Entries-1:0] recall_q;              // way still holds another line; heads only
  logic [Entries-1:0] wait_q;                // waits for its requester's PUT; heads only
  logic [Entries-1:0] chained_q;             // has a next
  logic [IdxW-1:0]    tail;
  logic [CntW-1:0]    free_count;

  hd_freelist #(
    .N(Entries)
  ) u_free (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_o(new_ok_o),
    .idx_o(new_idx_o),
    .take_i(alloc_i),
    .free_i(free_i),
    .free_idx_i(idx_i),
    .count_o(free_count)
  );
  hd_regfile #(
    .Width(InfoW),
    .Depth(Entries)
  ) u_info (
    .clk_i(clk_i),
    .we_i(alloc_i),
    .waddr_i(new_idx_o),
    .wmask_i(1'b1),
    .wdata_i({alloc_role_i, alloc_asker_i}),
    .raddr_i(idx_i),
    .rdata_o({role, asker_o})
  );
  assign role_o = role.role;
  if (LaneMasks != 0) begin : g_lanes
    hd_regfile #(
      .Width(LaneW),
      .Depth(Entries)
    ) u_lanes (
      .clk_i(clk_i),
      .we_i(alloc_i),
      .waddr_i(new_idx_o),
      .wmask_i(1'b1),
      .wdata_i(alloc_lanes_i),
      .raddr_i(idx_i),
      .rdata_o(lanes_o)
    );
  end else begin : g_no_lanes
    assign lanes_o = '0;
    logic unused_lanes;
    assign unused_lanes = ^alloc_lanes_i;
  end
  // next[tail of the chain] = new
  hd_regfile #(
    .Width(IdxW),
    .Depth(Entries)
  ) u_next (
    .clk_i(clk_i),
    .we_i(alloc_i && alloc_chain_i),
    .waddr_i(tail),
    .wmask_i(1'b1),
    .wdata_i(new_idx_o),
    .raddr_i(idx_i),
    .rdata_o(next_o)
  );

  // tail[head] = last of its chain
  logic            tail_we;
  logic [IdxW-1:0] tail_waddr, tail_wdata;
  always_comb begin
    tail_we    = alloc_i || (free_i && next_ok_o);
    tail_waddr = new_idx_o;
    tail_wdata = new_idx_o;
    if (free_i) begin
      tail_waddr = next_o;
      tail_wdata = tail;
    end else if (alloc_chain_i) begin
      tail_waddr = chain_head_i;
    end
  end
  hd_regfile #(
    .Width(IdxW),
    .Depth(Entries)
  ) u_tail (
    .clk_i(clk_i),
    .we_i(tail_we),
    .waddr_i(tail_waddr),
    .wmask_i(1'b1),
    .wdata_i(tail_wdata),
    .raddr_i(free_i ? idx_i : chain_head_i),
    .rdata_o(tail)
  );

  assign line_o     = line_q[idx_i];
  assign recall_o   = recall_q[idx_i];
  assign next_ok_o  = chained_q[idx_i];
  assign txn_wait_o = wait_q[txn_i];

  logic [Entries-1:0] match;
  always_comb begin
    match     = '0;
    cam_idx_o = '0;
    if (cam_en_i) begin
      for (int unsigned i = 0; i < Entries; i++) match[i] = line_q[i] == cam_line_i;
      match = match & recall_q;
      for (int unsigned i = 0; i < Entries; i++) begin
        if (match[i]) cam_idx_o = IdxW'(i);
      end
    end
    cam_hit_o = match != '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      recall_q  <= '0;
      wait_q    <= '0;
      chained_q <= '0;
    end else begin
      if (alloc_i) begin
        recall_q[new_idx_o]  <= alloc_recall_i;
        chained_q[new_idx_o] <= 1'b0;
        if (alloc_chain_i) chained_q[tail] <= 1'b1;
      end
      if (recall_clr_i) recall_q[idx_i] <= 1'b0;
      if (wait_set_i) wait_q[idx_i] <= 1'b1;
      if (txn_clr_i) wait_q[txn_i] <= 1'b0;
    end
    if (alloc_i) line_q[new_idx_o] <= alloc_line_i;
  end

  logic unused_free;
  assign unused_free = ^free_count;

  `HD_ASSERT(a_one_cam_match, (match & (match - 1'b1)) == '0)
  `HD_ASSERT(a_alloc_or_free, !(alloc_i && free_i))
  `HD_ASSERT(a_recall_is_head, !(alloc_i && alloc_recall_i && alloc_chain_i))
  `HD_ASSERT(a_free_is_done, !free_i || !(recall_q[idx_i] || wait_q[idx_i]))
  `HD_ASSERT(a_clear_only_waiting, !txn_clr_i || txn_wait_o)

endmodule
`default_nettype wire
