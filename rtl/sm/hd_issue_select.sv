// hd_issue_select.sv - which warp of an SM issues in a cycle: greedy then oldest, or round robin.
//
// sched_i  policy (hd_pkg::sched_e), constant during a run. GTO: the warp issued last while it can,
//          else the oldest that can, those of last_i only if no other can. LRR: round robin over
//          warps that can. Under both, a warp that could issue when another did and has not issued
//          for Turns to 2 * Turns issues since goes first once, the policy choosing among several:
//          programs that spin end as under a fair scheduler.
// can_i    {control operation, memory operation, ALU instruction}, bit w of each: warp w may issue
//          one (hd_issue_gates); a memory operation only with mem_ready_i. is_i {its operation is
//          an exit, is a barrier, has a fence in front}.
// launch   launch_i: its warp, launch_bit_i (one hot), becomes the youngest, and its slot is not
//          the one issued last any more.
// issue    gnt_o (one hot), idx_o: the warp; 0 and any number without pick_o.any. pick_o: what it
//          issues. can_o: warps that could. stalled_o: a memory operation could but for
//          mem_ready_i. All combinational.
// Warps: warp slots. Turns: a power of two, at least 2. Paper 1 section 2.1. Latency: 0.
`default_nettype none
module hd_issue_select #(
  parameter int unsigned Warps = 48,
  parameter int unsigned Turns = 4096,
  parameter int unsigned WarpW = hd_pkg::idx_w(Warps)  // derived: leave at its default
) (
  input  logic                  clk_i,
  input  logic                  rst_i,
  input  logic [1:0]            sched_i,

  input  logic [3*Warps-1:0]    can_i,
  input  logic [3*Warps-1:0]    is_i,
  input  logic [Warps-1:0]      last_i,
  input  logic                  mem_ready_i,

  input  hd_pkg::issue_launch_s launch_i,
  input  logic [Warps-1:0]      launch_bit_i,

  output logic [Warps-1:0]      gnt_o,
  output logic [WarpW-1:0]      idx_o,
  output hd_pkg::issue_pick_s   pick_o,
  output logic [Warps-1:0]      can_o,
  output logic                  stalled_o
);
  localparam int unsigned TurnW = $clog2(Turns);

  logic [Warps-1:0] can_alu, can_mem, can_ctl, can, is_exit, is_bar, is_fence;
  logic [Warps-1:0] greedy_q, gnt_rr, gnt_age, gnt, req_rr, req_age;
  // A warp's issues: 0 not passed over since its last one; 1 passed over, since the last turn of
  // turns_q; 2 before it; 3 before the one before that: it goes first.
  logic [Warps-1:0] since_q, before_q, due;
  logic [TurnW-1:0] turns_q;
  logic             turn;
  logic [WarpW-1:0] idx_rr, idx_age, idx, last_q;
  logic             valid_rr, valid_age;      // both follow from `can`
  logic             lrr, stay, any, alu, mem, ctl;

  assign {can_ctl, can_mem, can_alu} = can_i;
  assign {is_exit, is_bar, is_fence} = is_i;
  always_comb begin
    can     = can_alu | can_ctl | (mem_ready_i ? can_mem : '0);
    lrr     = sched_i == hd_pkg::SCHED_LRR;
    due     = can & before_q & since_q;
    stay    = !lrr && due == '0 && (can & greedy_q) != '0;
    req_rr  = '0;
    req_age = '0;
    if (lrr) req_rr = (due != '0) ? due : can;
    else if (due != '0) req_age = due;
    else if (!stay) req_age = ((can & ~last_i) != '0) ? can & ~last_i : can;
  end
  assign can_o     = can;
  assign stalled_o = !mem_ready_i && can_mem != '0;

  hd_arb_rr #(.N(Warps)) u_rr (
    .clk_i(clk_i), .rst_i(rst_i), .req_i(req_rr), .take_i(1'b1),
    .gnt_o(gnt_rr), .idx_o(idx_rr), .valid_o(valid_rr)
  );
  hd_arb_age #(.N(Warps)) u_age (
    .clk_i(clk_i), .rst_i(rst_i), .req_i(req_age),
    .gnt_o(gnt_age), .idx_o(idx_age), .valid_o(valid_age),
    .young_valid_i(launch_i.now), .young_idx_i(launch_i.warp[WarpW-1:0])
  );

  always_comb begin
    gnt = stay ? greedy_q : (gnt_rr | gnt_age);
    idx = stay ? last_q : (idx_rr | idx_age);
    any = stay || valid_rr || valid_age;
    alu = any && (gnt & can_alu) != '0;
    mem = any && (gnt & can_mem) != '0;
    ctl = any && !alu && !mem;
  end
  assign gnt_o  = gnt;
  assign idx_o  = idx;
  assign pick_o = {any, alu, mem, ctl, mem && (gnt & is_fence) != '0, ctl && (gnt & is_bar) != '0,
                   ctl && (gnt & is_exit) != '0};

  // The warp GTO stays with: none after reset and once the slot is launched anew.
  always_ff @(posedge clk_i) begin
    if (rst_i) greedy_q <= '0;
    else if (any || launch_i.now) begin
      greedy_q <= (any ? gnt : greedy_q) & ~(launch_i.now ? launch_bit_i : '0);
    end
    if (any) last_q <= idx;
  end

  // Only issues count: a tile without work is not evaluated, so nothing may change in it.
  assign turn = &turns_q;
  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      turns_q  <= '0;
      since_q  <= '0;
      before_q <= '0;
    end else if (any) begin
      turns_q  <= turns_q + 1'b1;
      since_q  <= ~gnt & (turn ? before_q | (can & ~since_q) : since_q | (can & ~before_q));
      before_q <= ~gnt & (turn ? since_q | before_q : before_q);
    end
  end

  logic unused;
  assign unused = ^launch_i;
endmodule
`default_nettype wire
