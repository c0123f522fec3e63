// hd_coh_lines.sv - lines and entries of an L2 bank with word states: GPU and DENOVO.
//
// Joins the tags (hd_l2_tags), the requests that wait, chained per line (hd_l2_mshr), the queue of
// entries whose turn it is, and the flush walk. A cycle is about one line and one entry; outputs
// depend on inputs of the same cycle, step_i acts on the clock edge and only on what was found.
//
// at     the line: number num_i (of fill and walk the set), of a fill in fill_way_i, of the walk in
//        the way it looks at. line_o, row_o {set, way}, tag_o, sharers_o, txn_o its head entry:
//        what is in that way. cam_hit_o: with at_i.ask, num_i is awaited by an entry that waits.
// rq     the request. new_ok_o, new_idx_o: the entry that it would get.
// entry  idx_i: its line, role, asker, lanes; next_ok_o: others wait behind it.
// step_i what is done: as hd_pkg says; sharers_i with dir_we. alloc and ends exclude each other. Of
//        an entry that ends the next one is the head of the line; push puts that in the queue, or
//        the new entry of a request, or the entry at work.
// serve  the oldest entry of the queue, popped by step_i.pop.
// walk   flush_i starts it at row 0, step_i.walked moves it on; walk_o: it looks at a row, of set
//        walk_set_o. idle_o: no walk, nothing in the queue.
// Parameters: Sets, Ways, MshrEntries; NumW bits of a line's number, LaneW of lanes or words of an
// entry; Sms L1s that a line's sharers name.
`include "hd_assert.svh"
`default_nettype none
module hd_coh_lines #(
  parameter int unsigned Sets        = 256,
  parameter int unsigned Ways        = 16,
  parameter int unsigned MshrEntries = 64,
  parameter int unsigned NumW        = 22,
  parameter int unsigned LaneW       = 32,
  parameter int unsigned Sms         = 1,
  parameter int unsigned SetW = $clog2(Sets),               // derived
  parameter int unsigned WayW = $clog2(Ways),               // derived
  parameter int unsigned TagW = NumW - SetW,                // derived
  parameter int unsigned IdxW = hd_pkg::idx_w(MshrEntries)  // derived
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  // the line at work
  input  hd_pkg::coh_at_s      at_i,
  input  logic [NumW-1:0]      num_i,
  input  logic [WayW-1:0]      fill_way_i,
  output hd_pkg::l2_line_s     line_o,
  output logic [SetW+WayW-1:0] row_o,
  output logic [TagW-1:0]      tag_o,
  output logic [Sms-1:0]       sharers_o,
  output logic [IdxW-1:0]      txn_o,
  output logic                 cam_hit_o,
  // the request
  input  logic [NumW-1:0]      rq_num_i,
  input  hd_pkg::role_e        rq_role_i,
  input  hd_pkg::l2_asker_s    rq_asker_i,
  input  logic [LaneW-1:0]     rq_lanes_i,
  output logic                 new_ok_o,
  output logic [IdxW-1:0]      new_idx_o,
  // the entry at work
  input  logic [IdxW-1:0]      idx_i,
  output logic [NumW-1:0]      m_num_o,
  output hd_pkg::role_e        m_role_o,
  output hd_pkg::l2_asker_s    m_asker_o,
  output logic [LaneW-1:0]     m_lanes_o,
  output logic                 next_ok_o,
  // what becomes of them
  input  hd_pkg::coh_step_s    step_i,
  input  logic [Sms-1:0]       sharers_i,
  output logic                 serve_valid_o,
  output logic [IdxW-1:0]      serve_idx_o,
  // walk
  input  logic                 flush_i,
  output logic                 walk_o,
  output logic [SetW-1:0]      walk_set_o,
  output logic                 idle_o
);
  localparam int unsigned RowW = SetW + WayW;

  logic            recall_any, serve_room, walk_q;
  logic [RowW-1:0] walk_row_q;
  logic [WayW-1:0] way;
  logic [TagW-1:0] tag, wtag;
  logic [IdxW-1:0] next, cam_idx, push_idx;
  logic [$clog2(MshrEntries+1)-1:0] serve_count;
  hd_pkg::l2_way_do_s     way_do;
  hd_pkg::l2_entries_s    entries;
  hd_pkg::l2_entries_do_s entries_do;

  always_comb begin
    push_idx = idx_i;
    if (step_i.ends) push_idx = next;
    else if (step_i.alloc) push_idx = new_idx_o;
    wtag = tag;
    if (step_i.fetch) wtag = at_i.fill ? m_num_o[NumW-1:SetW] : rq_num_i[NumW-1:SetW];
  end
  assign row_o  = {num_i[SetW-1:0], way};
  assign tag_o  = tag;

  assign entries_do.alloc      = step_i.alloc;
  assign entries_do.chain      = step_i.chain;
  assign entries_do.recall     = step_i.waits;
  assign entries_do.recall_clr = at_i.fill && step_i.fetch;
  assign entries_do.free       = step_i.ends;
  assign entries_do.wait_set   = '0;
  assign entries_do.txn_clr    = '0;
  assign new_ok_o  = entries.new_ok;
  assign next_ok_o = entries.next_ok;
  assign cam_hit_o = entries.cam_hit;
  hd_l2_mshr #(
    .Entries(MshrEntries),
    .LineW(NumW),
    .LaneMasks(1),
    .LaneW(LaneW)
  ) u_mshr (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .do_i(entries_do),
    .is_o(entries),
    .new_idx_o(new_idx_o),
    .new_i({rq_lanes_i, rq_num_i, rq_role_i, rq_asker_i}),
    .chain_head_i(cam_hit_o ? cam_idx : txn_o),
    .idx_i(idx_i),
    .entry_o({m_lanes_o, m_num_o, m_role_o, m_asker_o}),
    .next_o(next),
    .txn_i(txn_o),
    .cam_en_i(at_i.ask && !line_o.hit && recall_any),
    .cam_line_i(num_i),
    .cam_idx_o(cam_idx)
  );
  assign way_do.tag_we = step_i.tag_we;
  assign way_do.valid  = step_i.valid;
  assign way_do.lock   = step_i.lock;
  assign way_do.recall = step_i.recall;
  assign way_do.dir_we = step_i.dir_we;
  assign way_do.dirty  = step_i.dirty;
  assign way_do.excl   = 1'b0;
  assign way_do.txn_we = (step_i.alloc && !step_i.chain) || (step_i.ends && next_ok_o);
  assign way_do.touch  = step_i.take && !step_i.chain;
  hd_l2_tags #(
    .Sets(Sets),
    .Ways(Ways),
    .TagW(TagW),
    .Sms(Sms),
    .IdxW(IdxW)
  ) u_tags (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .en_i(at_i.en),
    .num_i(num_i),
    .way_known_i(at_i.walk || at_i.fill),
    .way_i(at_i.fill ? fill_way_i : walk_row_q[WayW-1:0]),
    .line_o(line_o),
    .recall_any_o(recall_any),
    .way_o(way),
    .holds_o({tag, txn_o, sharers_o}),
    .do_i(way_do),
    .holds_i({wtag, step_i.alloc ? new_idx_o : next, sharers_i})
  );
  hd_fifo #(
    .Width(IdxW),
    .Depth(MshrEntries)
  ) u_serve (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(step_i.push),
    .in_ready_o(serve_room),
    .in_data_i(push_idx),
    .out_valid_o(serve_valid_o),
    .out_ready_i(step_i.pop),
    .out_data_o(serve_idx_o),
    .count_o(serve_count)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      walk_q     <= 1'b0;
      walk_row_q <= '0;
    end else begin
      if (flush_i) walk_q <= 1'b1;
      else if (step_i.walked && walk_row_q == '1) walk_q <= 1'b0;
      if (step_i.walked) walk_row_q <= walk_row_q + 1'b1;
    end
  end
  assign walk_o     = walk_q;
  assign walk_set_o = walk_row_q[RowW-1 -: SetW];
  assign idle_o     = !serve_valid_o && !walk_q;

  logic unused;
  assign unused = ^{entries, serve_count, serve_room};

  `HD_ASSERT(a_queue_has_room, !step_i.push || serve_room)
  `HD_ASSERT(a_step_of_a_line, at_i.en || !(step_i.tag_we || step_i.dir_we || step_i.alloc))
  `HD_ASSERT(a_alloc_takes, !step_i.alloc || step_i.take)
endmodule
`default_nettype wire
