// hd_l2_queues.sv - what waits for a turn in an L2 bank: two queues of entries, and the flush walk.
//
// work_i  at most one bit.
// fill    the oldest entry that needs a way, and the way it is to have. serve: the oldest entry
//         whose line is there. plan_i pushes and pops; an entry is in one of them at most. What is
//         pushed is, of push_i from the high bits on, the entry at work; after a PUT the line's
//         transaction; after a grant the next of the chain; of a request its new entry.
// queued_o  which of fill, serve and walk there is to do; the rest 0.
// todo_o  SMs that the entry at the head of its queue (fill: work_i.fill) has yet to ask, 0 when it
//         has not begun; rest_i are those left when plan_i asks one.
// walk    flush_i starts it, plan_i moves it on; walk_line_o: {set, way} it looks at.
// Parameters: Entries, Sms, WayW and WalkW bits of a way and of {set, way}.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_queues #(
  parameter int unsigned Entries = 128,
  parameter int unsigned Sms = 16,
  parameter int unsigned WayW = 3,
  parameter int unsigned WalkW = 10,
  parameter int unsigned IdxW = hd_pkg::idx_w(Entries)  // derived
) (
  input  logic              clk_i,
  input  logic              rst_i,
  input  hd_pkg::l2_work_s  work_i,
  input  hd_pkg::l2_plan_s  plan_i,
  input  logic [4*IdxW-1:0] push_i,
  input  logic [WayW-1:0]   way_i,
  output hd_pkg::l2_work_s  queued_o,
  output logic [IdxW-1:0]   fill_idx_o,
  output logic [WayW-1:0]   fill_way_o,
  output logic [IdxW-1:0]   serve_idx_o,
  output logic [Sms-1:0]    todo_o,
  input  logic [Sms-1:0]    rest_i,
  input  logic              flush_i,
  output logic [WalkW-1:0]  walk_line_o
);
  localparam int unsigned CntW = $clog2(Entries + 1);

  logic            fill_valid, fill_room, serve_valid, serve_room, walk_q;
  logic [CntW-1:0] fill_count, serve_count;
  logic [IdxW-1:0] idx, txn, next, fresh, push_idx;
  logic [Sms-1:0]  todo_fill_q, todo_serve_q;

  assign {idx, txn, next, fresh} = push_i;
  always_comb begin
    push_idx = idx;
    if (plan_i.txn_clr) push_idx = txn;
    else if (work_i.serve || work_i.done) push_idx = next;
    else if (work_i.req) push_idx = fresh;
  end

  hd_fifo #(
    .Width(WayW + IdxW),
    .Depth(Entries)
  ) u_fill (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(plan_i.fill_push),
    .in_ready_o(fill_room),
    .in_data_i({way_i, push_idx}),
    .out_valid_o(fill_valid),
    .out_ready_i(plan_i.fill_pop),
    .out_data_o({fill_way_o, fill_idx_o}),
    .count_o(fill_count)
  );
  hd_fifo #(
    .Width(IdxW),
    .Depth(Entries)
  ) u_serve (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .in_valid_i(plan_i.serve_push),
    .in_ready_o(serve_room),
    .in_data_i(push_idx),
    .out_valid_o(serve_valid),
    .out_ready_i(plan_i.serve_pop),
    .out_data_o(serve_idx_o),
    .count_o(serve_count)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      todo_fill_q  <= '0;
      todo_serve_q <= '0;
      walk_q       <= 1'b0;
      walk_line_o  <= '0;
    end else begin
      if (plan_i.ask && work_i.fill) todo_fill_q <= rest_i;
      if (plan_i.ask && work_i.serve) todo_serve_q <= rest_i;
      if (flush_i) walk_q <= 1'b1;
      else if (plan_i.walk_next && walk_line_o == '1) walk_q <= 1'b0;
      if (plan_i.walk_next) walk_line_o <= walk_line_o + 1'b1;
    end
  end
  assign todo_o = work_i.fill ? todo_fill_q : todo_serve_q;
  assign queued_o.fill  = fill_valid;
  assign queued_o.serve = serve_valid;
  assign queued_o.walk  = walk_q;
  assign queued_o.pop   = '0;
  assign queued_o.rsp   = '0;
  assign queued_o.mem   = '0;
  assign queued_o.done  = '0;
  assign queued_o.req   = '0;

  logic unused;
  assign unused = ^{fill_count, serve_count, plan_i, work_i};

  `HD_ASSERT(a_one_work, (work_i & (work_i - 1'b1)) == '0)
  `HD_ASSERT(a_fill_has_room, !plan_i.fill_push || fill_room)
  `HD_ASSERT(a_serve_has_room, !plan_i.serve_push || serve_room)
endmodule
`default_nettype wire
