// hd_l2_mshr.sv - the requests that wait in an L2 bank, one entry each, chained per line.
//
// The oldest entry of a line is its head: the transaction at work. Later requests for the line hang
// behind it in arrival order. All inputs act on the clock edge, all outputs are combinational.
//
// alloc   new_idx_o: a free entry, with is_o.new_ok. do_i.alloc (only with that) fills it with
//         new_i, {lanes, line, role, asker}; chain: behind the last of chain_head_i's chain.
// read    entry idx_i: entry_o as new_i was, recall and next_ok of is_o, next in its chain.
// step    recall_clr, wait_set and free of do_i: on entry idx_i.
// txn     is_o.txn_wait, do_i.txn_clr: of entry txn_i.
// cam     with cam_en_i: the entry in recall that wants cam_line_i (at most one), is_o.cam_hit. The
//         comparators work only while cam_en_i.
// At most one of alloc and free in a cycle. Paper 1 Table 2: 128 MSHRs.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_mshr #(
  parameter int unsigned Entries = 128,  // 1 to 2**TID_W
  parameter int unsigned LineW   = 22,   // bits of a line number within the partition
  parameter int unsigned LaneMasks = 0,  // 1: lanes are kept, 0: lanes are 0
  parameter int unsigned LaneW   = hd_pkg::LANE_W,         // bits of a lane mask
  parameter int unsigned IdxW    = hd_pkg::idx_w(Entries),  // derived
  parameter int unsigned EntryW  = LaneW + LineW + 2 + hd_pkg::ASKER_W  // derived
) (
  input  logic                   clk_i,
  input  logic                   rst_i,

  input  hd_pkg::l2_entries_do_s do_i,
  output hd_pkg::l2_entries_s    is_o,

  output logic [IdxW-1:0]        new_idx_o,
  input  logic [EntryW-1:0]      new_i,
  input  logic [IdxW-1:0]        chain_head_i,

  input  logic [IdxW-1:0]        idx_i,
  output logic [EntryW-1:0]      entry_o,
  output logic [IdxW-1:0]        next_o,
  input  logic [IdxW-1:0]        txn_i,

  input  logic                   cam_en_i,
  input  logic [LineW-1:0]       cam_line_i,
  output logic [IdxW-1:0]        cam_idx_o
);
  localparam int unsigned InfoW = 2 + hd_pkg::ASKER_W;
  localparam int unsigned CntW  = $clog2(Entries + 1);
  if (Entries < 1 || Entries > (1 << hd_pkg::TID_W)) begin : g_bad_entries
    $error("hd_l2_mshr: Entries must be 1 to 2**TID_W");
  end

  logic [InfoW-1:0]   new_info, info;
  logic [LaneW-1:0]   new_lanes, lanes;
  logic [LineW-1:0]   new_line;
  logic [LineW-1:0]   line_q [0:Entries-1];  // registers: the comparators see all of them
  logic [Entries-1:0] recall_q;              // way still holds another line; heads only
  logic [Entries-1:0] wait_q;                // waits for its requester's PUT; heads only
  logic [Entries-1:0] chained_q;             // has a next
  logic [Entries-1:0] match;
  logic [IdxW-1:0]    tail;
  logic               new_ok;
  logic [CntW-1:0]    free_count;

  assign {new_lanes, new_line, new_info} = new_i;
  assign entry_o = {lanes, line_q[idx_i], info};

  hd_freelist #(
    .N(Entries)
  ) u_free (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_o(new_ok),
    .idx_o(new_idx_o),
    .take_i(do_i.alloc),
    .free_i(do_i.free),
    .free_idx_i(idx_i),
    .count_o(free_count)
  );
  hd_regfile #(
    .Width(InfoW),
    .Depth(Entries)
  ) u_info (
    .clk_i(clk_i),
    .we_i(do_i.alloc),
    .waddr_i(new_idx_o),
    .wmask_i(1'b1),
    .wdata_i(new_info),
    .raddr_i(idx_i),
    .rdata_o(info)
  );
  if (LaneMasks != 0) begin : g_lanes
    hd_regfile #(
      .Width(LaneW),
      .Depth(Entries)
    ) u_lanes (
      .clk_i(clk_i),
      .we_i(do_i.alloc),
      .waddr_i(new_idx_o),
      .wmask_i(1'b1),
      .wdata_i(new_lanes),
      .raddr_i(idx_i),
      .rdata_o(lanes)
    );
  end else begin : g_no_lanes
    assign lanes = '0;
    logic unused_lanes;
    assign unused_lanes = ^new_lanes;
  end
  // next[tail of the chain] = new
  hd_regfile #(
    .Width(IdxW),
    .Depth(Entries)
  ) u_next (
    .clk_i(clk_i),
    .we_i(do_i.alloc && do_i.chain),
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
    tail_we    = do_i.alloc || (do_i.free && is_o.next_ok);
    tail_waddr = new_idx_o;
    tail_wdata = new_idx_o;
    if (do_i.free) begin
      tail_waddr = next_o;
      tail_wdata = tail;
    end else if (do_i.chain) begin
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
    .raddr_i(do_i.free ? idx_i : chain_head_i),
    .rdata_o(tail)
  );

  assign is_o.new_ok   = new_ok;
  assign is_o.cam_hit  = match != '0;
  assign is_o.txn_wait = wait_q[txn_i];
  assign is_o.recall   = recall_q[idx_i];
  assign is_o.next_ok  = chained_q[idx_i];

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
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      recall_q  <= '0;
      wait_q    <= '0;
      chained_q <= '0;
    end else begin
      if (do_i.alloc) begin
        recall_q[new_idx_o]  <= do_i.recall;
        chained_q[new_idx_o] <= 1'b0;
        if (do_i.chain) chained_q[tail] <= 1'b1;
      end
      if (do_i.recall_clr) recall_q[idx_i] <= 1'b0;
      if (do_i.wait_set) wait_q[idx_i] <= 1'b1;
      if (do_i.txn_clr) wait_q[txn_i] <= 1'b0;
    end
    if (do_i.alloc) line_q[new_idx_o] <= new_line;
  end

  logic unused_free;
  assign unused_free = ^free_count;

  `HD_ASSERT(a_one_cam_match, (match & (match - 1'b1)) == '0)
  `HD_ASSERT(a_alloc_or_free, !(do_i.alloc && do_i.free))
  `HD_ASSERT(a_recall_is_head, !(do_i.alloc && do_i.recall && do_i.chain))
  `HD_ASSERT(a_free_is_done, !do_i.free || !(recall_q[idx_i] || wait_q[idx_i]))
  `HD_ASSERT(a_clear_only_waiting, !do_i.txn_clr || is_o.txn_wait)

endmodule
`default_nettype wire
