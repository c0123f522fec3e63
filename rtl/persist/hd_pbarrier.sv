// hd_pbarrier.sv - persist barriers of one SM, beside issue: gathers, sends markers, waits.
//
// launch, pb_i.leave  as of hd_barrier. pb_i.arrive: warp_i, whose earlier operations are all done,
// issued a persist barrier; wait_o[warp] is 1 from the next cycle up to and including the cycle of
// done_o[warp], a pulse.
// mark   valid/ready: the barrier mark_id_o wants its marker sent. pack: the answer to it.
//
//  state of a warp  event                                     next      does
//  run              barrier, work-item or kernel scope        queued    id {scope, warp}
//  run              barrier, work-group scope                 arrived
//  arrived          all live warps of the block have arrived  queued    one id {1, block} for all
//  queued           marker taken, round robin                 flushing
//  flushing         PACK with its id                          run       done_o of all its warps
//
// Buffered (paper 4 section 6.1, alternative): what a marker of work-item or work-group scope
// orders stays in order behind it, so its warps run on when it is taken, and no PACK comes. Of
// kernel scope it is waited for: nobody numbers the epochs of a kernel.
//
// Kernel scope: this warp's part of it; who needs all warps of the kernel gathers them (paper 4
// section 6.1: the command processor does). idle_o: no marker waits, no gather ends.
// Parameters: Warps, Blocks slots; Buffered. Paper 4 section 6.1.
`include "hd_assert.svh"
`default_nettype none
module hd_pbarrier #(
  parameter int unsigned Warps    = 48,
  parameter int unsigned Blocks   = 8,
  parameter int unsigned Buffered = 0,
  parameter int unsigned WarpW  = hd_pkg::idx_w(Warps),   // derived
  parameter int unsigned BlockW = hd_pkg::idx_w(Blocks)   // derived
) (
  input  logic               clk_i,
  input  logic               rst_i,
  input  logic               launch_i,
  input  hd_pkg::pb_launch_s launch_at_i,
  input  hd_pkg::issue_pb_s  pb_i,
  input  logic [WarpW-1:0]   warp_i,          // that arrives or exits
  output logic [Warps-1:0]   wait_o,
  output logic [Warps-1:0]   done_o,
  output logic               mark_valid_o,
  input  logic               mark_ready_i,
  output logic [7:0]         mark_id_o,       // kind 2: wi, wg, kr; number 6
  input  logic               pack_valid_i,
  input  logic [7:0]         pack_id_i,
  output logic               idle_o
);
  localparam int unsigned All  = Warps + Blocks;
  localparam int unsigned AllW = hd_pkg::idx_w(All);

  logic [Warps-1:0]  arrive_bit, group_q, kernel_q, waits_q, gathered, gather_wait, own, members;
  logic [Warps-1:0]  left;
  logic [Blocks-1:0] full;
  logic [All-1:0]    queued_q, more, grant;
  logic [AllW-1:0]   idx;
  logic [BlockW-1:0] block_q [0:Warps-1];
  logic [BlockW-1:0] check_q, launch_block;
  logic [WarpW-1:0]  launch_warp;
  logic              group, some, gather_idle, taken;

  assign launch_warp  = launch_at_i.warp[WarpW-1:0];
  assign launch_block = launch_at_i.block[BlockW-1:0];
  assign group = pb_i.scope == hd_pkg::SCOPE_WG;
  always_comb begin
    arrive_bit = '0;
    if (pb_i.arrive) arrive_bit[warp_i] = 1'b1;
    full = '0;
    if (gathered != '0) full[check_q] = 1'b1;
    more = {full, group ? {Warps{1'b0}} : arrive_bit};
  end

  hd_barrier #(
    .Warps(Warps),
    .Blocks(Blocks)
  ) u_gather (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .launch_valid_i(launch_i),
    .launch_warp_i(launch_warp),
    .launch_block_i(launch_block),
    .arrive_valid_i(pb_i.arrive && group),
    .arrive_warp_i(warp_i),
    .exit_valid_i(pb_i.leave),
    .exit_warp_i(warp_i),
    .release_o(gathered),
    .wait_o(gather_wait),
    .idle_o(gather_idle)
  );
  hd_arb_rr #(
    .N(All)
  ) u_turn (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .req_i(queued_q),
    .take_i(mark_ready_i),
    .gnt_o(grant),
    .idx_o(idx),
    .valid_o(some)
  );
  assign mark_valid_o = some;
  always_comb begin
    if (32'(idx) >= Warps) mark_id_o = {2'd1, 6'(32'(idx) - Warps)};
    else mark_id_o = {kernel_q[WarpW'(idx)] ? 2'd2 : 2'd0, 6'(idx)};
  end

  // Who waits for the marker that came back, or was taken.
  assign taken = Buffered != 0 && mark_valid_o && mark_ready_i && mark_id_o[7:6] != 2'd2;
  always_comb begin
    own     = '0;
    members = '0;
    left    = '0;
    for (int unsigned w = 0; w < Warps; w++) begin
      own[w]     = pack_id_i[5:0] == 6'(w);
      members[w] = block_q[w] == BlockW'(pack_id_i[5:0]);
      left[w]    = mark_id_o[7:6] == 2'd1 ? group_q[w] && block_q[w] == BlockW'(mark_id_o[5:0])
                                          : !group_q[w] && mark_id_o[5:0] == 6'(w);
    end
    done_o = '0;
    if (pack_valid_i) begin
      done_o = waits_q & (pack_id_i[7:6] == 2'd1 ? group_q & members : own & ~group_q);
    end
    if (taken) done_o = done_o | (waits_q & left);
  end
  assign wait_o = waits_q;
  assign idle_o = !some && gather_idle;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      waits_q  <= '0;
      queued_q <= '0;
    end else begin
      waits_q  <= (waits_q & ~done_o) | arrive_bit;
      queued_q <= (queued_q & ~(mark_ready_i ? grant : '0)) | more;
    end
    if (pb_i.arrive) begin
      group_q  <= (group_q & ~arrive_bit) | (group ? arrive_bit : '0);
      kernel_q <= (kernel_q & ~arrive_bit)
                  | (pb_i.scope == hd_pkg::SCOPE_DEVICE ? arrive_bit : '0);
    end
    if (launch_i) block_q[launch_warp] <= launch_block;
    if (pb_i.arrive || pb_i.leave) check_q <= block_q[warp_i];
  end

  logic unused;
  assign unused = ^{gather_wait, launch_at_i};
  `HD_ASSERT(a_arrival_of_a_warp_that_runs, (arrive_bit & waits_q) == '0)
  `HD_ASSERT(a_answer_is_waited_for, !pack_valid_i || done_o != '0)
  `HD_ASSERT(a_taken_is_waited_for, !taken || (waits_q & left) != '0)
endmodule
`default_nettype wire
