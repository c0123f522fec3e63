// hd_idle_fv.sv - proof of the idle contract: an idle block without new input does not change.
//
// "Nothing" is every flip-flop of the block and every bit of its memories: engine `idle` of run.sh
// adds the assertion that no flip-flop changes in a cycle with fv_idle. Inputs are inactive when
// the valids that start something are low; all other inputs (data, ready, ticks) stay free.
// Blocks that promise it without an idle_o (hd_scoreboard, hd_arb_age: "nothing moves unless") too.
// Assertions of the blocks are proved along: the environment below must be legal.
//@ proof idle_link_rx idle Block=0
//@ proof idle_link_tx idle Block=1
//@ proof idle_flit_pack idle Block=2
//@ proof idle_flit_unpack idle Block=3
//@ proof idle_barrier idle Block=4
//@ proof idle_l2_mem idle Block=5
//@ proof idle_scoreboard idle Block=6
//@ proof idle_l1_queues idle Block=7
//@ proof idle_mshr idle Block=8
//@ bug@idle_link_rx credit_pending common/hd_link_rx.sv s/ && credit_q == '0;/;/
//@ bug@idle_link_rx credit_owed common/hd_link_rx.sv s/ && owed_q == '0 && / \&\& /
//@ bug@idle_link_rx not_empty common/hd_link_rx.sv s/some_q == '0 && owed_q/owed_q/
//@ bug@idle_link_tx always common/hd_link_tx.sv s/idle_o        = !valid_q/idle_o        = 1'b1/
//@ bug@idle_flit_pack always common/hd_flit_pack.sv s/idle_o      = !out_valid_o/idle_o      = out_tail_o/
//@ bug@idle_flit_unpack always common/hd_flit_unpack.sv s/idle_o      = !full_q && !body_q/idle_o      = !body_q/
//@ bug@idle_barrier check sm/hd_barrier.sv s/idle_o = !check_q/idle_o = arrived_q == '0/
//@ bug@idle_l2_mem credit l2/hd_l2_mem.sv s/!valid_q && !taken_q && /!valid_q \&\& /
//@ bug@idle_l2_mem request l2/hd_l2_mem.sv s/!valid_q && !taken_q && /!taken_q \&\& /
//@ bug@idle_scoreboard set sm/hd_scoreboard.sv s/if (issue_valid_i) begin/if (1'b1) begin/;s/else if (issue_valid_i || perf_last_o)/else/
//@ bug@idle_l1_queues rsp l1/hd_l1_queues.sv s/!rsp_valid_o && !rsp_q/!rsp_valid_o/
//@ bug@idle_mshr replay sm/hd_mshr_table.sv s/idle_o  = !rp_q/idle_o  = 1'b1/
`default_nettype none
module hd_idle_fv #(
  parameter int unsigned Block = 0
) (
  input  logic         clk_i,
  input  logic [7:0]   go_i,     // what may start something
  input  logic [3:0]   free_i,   // ready, ticks
  input  logic [7:0]   num_i,    // numbers
  input  logic [16:0]  data_i
);
  (* keep *) wire fv_idle;
  logic rst_q, past_q, idle, quiet;
  initial begin rst_q = 1; past_q = 0; end
  always @(posedge clk_i) begin
    rst_q <= 1'b0;
    past_q <= !rst_q;
  end
  wire [7:0] go = rst_q ? 8'd0 : go_i;
  assign fv_idle = past_q && !rst_q && idle && quiet;

  if (Block == 0) begin : g_link_rx
    logic [1:0] credit, valid, tail, flit;
    // legal: a flit only with a credit
    logic [1:0] room0_q, room1_q;
    wire vn = num_i[0];
    wire v  = go[0] && (vn ? room1_q : room0_q) != 0;
    initial begin room0_q = 2; room1_q = 2; end
    hd_link_rx #(.FlitW(1), .NumVn(2), .Depth(2)) u_dut (
      .clk_i(clk_i), .rst_i(rst_q), .tick_i(free_i[0]), .valid_i(v), .vn_i({1'b0, vn}),
      .tail_i(data_i[0]), .flit_i(data_i[1]), .credit_o(credit), .out_valid_o(valid),
      .out_ready_i(free_i[2:1]), .out_tail_o(tail), .out_flit_o(flit), .idle_o(idle)
    );
    always @(posedge clk_i) if (!rst_q) begin
      room0_q <= room0_q - 2'(v && !vn) + 2'(credit[0]);
      room1_q <= room1_q - 2'(v && vn) + 2'(credit[1]);
    end
    assign quiet = !v;
    always @* begin cover (!rst_q && room0_q == 0 && room1_q == 0); cover (fv_idle && tail[1] &&
        flit[0]); end
  end

  if (Block == 1) begin : g_link_tx
    logic [1:0] ready, vn, home;
    logic       valid, tail, flit, full;
    logic [1:0] out0_q, out1_q;
    initial begin out0_q = 0; out1_q = 0; end
    wire [1:0] cr = {go[3] && out1_q != 0, go[2] && out0_q != 0};
    hd_link_tx #(.FlitW(1), .NumVn(2), .Credits(2)) u_dut (
      .clk_i(clk_i), .rst_i(rst_q), .tick_i(free_i[0] && !rst_q), .in_valid_i(go[1:0]),
          .in_ready_o(ready),
      .in_tail_i(data_i[1:0]), .in_flit_i(data_i[3:2]), .valid_o(valid), .vn_o(vn), .tail_o(tail),
      .flit_o(flit), .credit_i(cr), .idle_o(idle), .full_credit_o(full)
    );
    always @(posedge clk_i) begin
      out0_q <= out0_q + 2'(ready[0] && go[0]) - 2'(cr[0]);
      out1_q <= out1_q + 2'(ready[1] && go[1]) - 2'(cr[1]);
    end
    assign quiet = go[1:0] == 0 && cr == 0;
    always @* begin cover (fv_idle && out0_q == 2 && out1_q == 2); cover (fv_idle && full && flit);
    end
  end

  if (Block == 2) begin : g_flit_pack
    logic         ready, valid, tail;
    logic [143:0] flit;
    // words of 16 bits, all of one value a flit: enough to see registers change
    hd_flit_pack #(.LineWords(16), .WordW(18)) u_dut (
      .clk_i(clk_i), .rst_i(rst_q), .in_valid_i(go[0]), .in_ready_o(ready),
      .in_head_i({87'd0, num_i[1], 7'd0, num_i[0], 48'(data_i[1:0])}),
          .in_data_i({{144{data_i[2]}}, {144{data_i[3]}}}),
      .out_valid_o(valid), .out_ready_i(free_i[0]), .out_tail_o(tail), .out_flit_o(flit),
          .idle_o(idle)
    );
    assign quiet = !go[0];
    always @* begin cover (valid && !tail); cover (fv_idle && flit[0]); end
  end

  if (Block == 3) begin : g_flit_unpack
    logic         ready, valid;
    logic [hd_pkg::head_w(32)-1:0] head;
    logic [287:0] data;
    logic [1:0]   left_q;    // data flits of the packet that are to come
    wire  [1:0]   words = num_i[1:0];
    wire          take = go[0] && ready;
    wire  [1:0]   want = 2'(words[0]) + 2'(words[1]);
    wire          last = left_q != 0 ? left_q == 2'd1 : want == 0;
    initial left_q = 0;
    // wmask is at bits 48 and up of a head, its route in the low bits
    wire [143:0] flit = left_q != 0 ? {144{data_i[16]}}
                                    : {87'd0, words[1], 7'd0, words[0], 32'd0, data_i[15:0]};
    hd_flit_unpack #(.LineWords(16), .WordW(18)) u_dut (
      .clk_i(clk_i), .rst_i(rst_q), .in_valid_i(go[0]), .in_ready_o(ready), .in_tail_i(last),
      .in_flit_i(flit), .out_valid_o(valid), .out_ready_i(free_i[0]), .out_head_o(head),
      .out_data_o(data), .idle_o(idle)
    );
    always @(posedge clk_i) if (take && !rst_q) left_q <= left_q != 0 ? left_q - 2'd1 : want;
    assign quiet = !go[0];
    always @* begin cover (left_q == 2); cover (fv_idle && left_q == 0 && data[0] && head[0]); end
  end

  if (Block == 4) begin : g_barrier
    // three warps of two blocks; an operation only of a warp that may do it
    logic [2:0] rel, waits, live_q, blk_q;
    wire [1:0] w = num_i[1:0];
    wire       b = num_i[2];
    wire [2:0] bit_w = w == 2'd3 ? 3'd0 : 3'd1 << w;
    wire [2:0] mates = live_q & (b ? blk_q : ~blk_q);
    wire launch = go[0] && bit_w != 0 && (live_q & bit_w) == 0 && (mates & waits) == 0;
    wire may    = (live_q & ~waits & bit_w) != 0;
    wire arrive = go[1] && !launch && may, leave = go[2] && !launch && !arrive && may;
    initial begin live_q = 0; blk_q = 0; end
    hd_barrier #(.Warps(3), .Blocks(2)) u_dut (
      .clk_i(clk_i), .rst_i(rst_q), .launch_valid_i(launch), .launch_warp_i(w), .launch_block_i(b),
      .arrive_valid_i(arrive), .arrive_warp_i(w), .exit_valid_i(leave), .exit_warp_i(w),
      .release_o(rel), .wait_o(waits), .idle_o(idle)
    );
    always @(posedge clk_i) begin
      if (launch) begin live_q <= live_q | bit_w; blk_q <= b ? blk_q | bit_w : blk_q & ~bit_w; end
      if (leave) live_q <= live_q & ~bit_w;
    end
    assign quiet = !launch && !arrive && !leave;
    always @* if (!rst_q) begin
      // a barrier opens for all warps of a block that live, and only when all have arrived
      assert ((rel & ~(live_q & waits)) == 0);
      assert ((rel & blk_q) == 0 || (rel & blk_q) == (live_q & blk_q));
      assert ((rel & ~blk_q) == 0 || (rel & ~blk_q) == (live_q & ~blk_q));
      // nobody waits for nothing once it is idle
      assert (!idle || (waits & blk_q) == 0 || (live_q & blk_q & ~waits) != 0);
      assert (!idle || (waits & ~blk_q) == 0 || (live_q & ~blk_q & ~waits) != 0);
      cover (rel == 3'b111);
      cover (fv_idle && waits == 3'b101);
    end
  end

  if (Block == 5) begin : g_l2_mem
    logic        mv, mw, cr, ov;
    logic [1:0]  oks;
    logic [31:0] ma;
    logic [7:0]  mt, ot;
    logic [1:0]  md, od;
    // claims without a request; credits out; answers owed a credit
    logic [1:0]  claimed_q, out_q, ans_q;
    initial begin claimed_q = 0; out_q = 0; ans_q = 0; end
    wire ok = oks[0], claim = go[0] && ok, in = go[1] && claimed_q != 0, back = go[2] && out_q > claimed_q;
    wire rsp = go[3] && ans_q != 2;
    hd_l2_mem #(.LineW(2), .Credits(2)) u_dut (
      .clk_i(clk_i), .rst_i(rst_q), .ok_o(oks), .claim_i({1'b0, claim}), .in_valid_i(in),
          .in_write_i(data_i[0]),
      .in_addr_i({31'd0, data_i[1]}), .in_tid_i({7'd0, data_i[2]}), .in_data_i(data_i[4:3]),
      .mreq_valid_o(mv), .mreq_write_o(mw), .mreq_addr_o(ma), .mreq_tid_o(mt), .mreq_data_o(md),
      .mreq_credit_i({1'b0, back}), .mrsp_valid_i(rsp), .mrsp_tid_i({7'd0, data_i[5]}),
      .mrsp_data_i(data_i[7:6]), .mrsp_credit_o(cr), .out_valid_o(ov), .out_ready_i(free_i[0]),
      .out_tid_o(ot), .out_data_o(od), .idle_o(idle)
    );
    always @(posedge clk_i) if (!rst_q) begin
      claimed_q <= claimed_q + 2'(claim) - 2'(in);
      out_q     <= out_q + 2'(claim) - 2'(back);
      ans_q     <= ans_q + 2'(rsp) - 2'(cr);
    end
    assign quiet = !claim && !in && !back && !rsp;
    always @* if (!rst_q) begin
      assert (ok == (out_q != 2) && 32'(out_q) <= 2);
      assert (!idle || ans_q == 0);
      cover (fv_idle && !ok);
      cover (ans_q == 2 && !cr && ov);
    end
  end

  if (Block == 6) begin : g_scoreboard
    // two warps, two slots, two lanes: issue, open in the next cycle, perform after that
    logic       slot, last, open_q, ow_q, os_q, empty;
    logic [1:0] full, ldp, stp, acq, syn;
    logic [7:0] rem_q;   // lanes to perform, 2 bits for each {warp, slot}
    logic [1:0] at;
    wire        w  = num_i[0];
    wire        issue = go[0] && !full[w] && data_i[1:0] != 0;
    assign at = num_i[2:1];
    wire [1:0]  rem = 2'(rem_q >> (2 * 32'(at)));
    wire [1:0]  n = num_i[4:3];
    wire [1:0]  lanes = num_i[5] ? 2'd2 : 2'd1;
    wire        perf = go[1] && n != 0 && n <= rem;
    integer i;
    initial begin open_q = 0; rem_q = 0; end
    hd_scoreboard #(.Warps(2), .Lanes(2), .Slots(2)) u_dut (
      .clk_i(clk_i), .rst_i(rst_q), .issue_valid_i(issue && !rst_q), .issue_warp_i(w),
      .issue_i({data_i[0], data_i[1], data_i[2], data_i[3]}), .issue_slot_o(slot),
      .open_valid_i(open_q), .open_acc_i({20'd0, ow_q, 2'd0, os_q, 16'd0}), .open_lanes_i(lanes),
      .perf_valid_i(perf), .perf_i({n, 10'd0, at[0], 5'd0, at[1]}), .perf_last_o(last),
      .state_o({syn, acq, stp, ldp, full}), .empty_o(empty)
    );
    always @(posedge clk_i) begin
      open_q <= issue && !rst_q;
      if (issue) begin ow_q <= w; os_q <= slot; end
      for (i = 0; i < 4; i = i + 1) begin
        if (open_q && 32'({ow_q, os_q}) == i) rem_q[2*i +: 2] <= lanes;
        else if (perf && 32'(at) == i) rem_q[2*i +: 2] <= rem - n;
      end
    end
    assign idle  = 1'b1;
    assign quiet = !issue && !open_q && !perf;
    always @* if (!rst_q) begin
      assert (!perf || last == (n == rem));
      assert (empty == (rem_q == 0 && !open_q));
      assert ((full & ~(ldp | stp)) == 0);
      assert ((syn & ~(ldp | stp)) == 0);
      cover (full == 2'b11 && !open_q);
      cover (fv_idle && empty && past_q && acq == 0);
      cover (perf && open_q && last);
    end
  end

  if (Block == 7) begin : g_l1_queues
    logic         room, rqv, rsv, taken_q, rq_room_unused;
    logic         rq_idx;
    logic [hd_pkg::head_w(32)-1:0] rqh, rsh;
    logic [1:0]   line;
    logic [1:0]   busy_q;   // MSHR entries with a request in the queue
    initial begin busy_q = 0; taken_q = 0; end
    wire req = go[0] && !busy_q[num_i[0]], rsp = go[1] && room;
    hd_l1_queues #(.MshrEntries(2), .WbEntries(2), .PartBits(1), .LineWords(2), .WordW(1)) u_dut (
      .clk_i(clk_i), .rst_i(rst_q), .sm_id_i(7'd1), .push_req_i(req), .req_kind_i(hd_pkg::MSG_GETS),
      .req_idx_i(num_i[0]), .req_line_i(29'd0), .req_lanes_i(32'd0), .req_room_o(rq_room_unused),
      .push_rsp_i(rsp),
          .rsp_kind_i(data_i[0] ? hd_pkg::MSG_PUTM : hd_pkg::MSG_INV_ACK),
      .rsp_data_i(data_i[0]), .rsp_line_i(29'(data_i[1])), .rsp_tid_i(8'd0), .rsp_room_o(room),
      .line_i(data_i[3:2]), .rq_idx_o(rq_idx), .rq_line_i(29'(data_i[4])), .rq_opid_i(16'd0),
      .req_valid_o(rqv), .req_ready_i(free_i[0]), .req_head_o(rqh), .rsp_valid_o(rsv),
      .rsp_ready_i(free_i[1]), .rsp_head_o(rsh), .rsp_data_o(line), .idle_o(idle)
    );
    always @(posedge clk_i) if (!rst_q) begin
      if (rqv && free_i[0]) busy_q[rq_idx] <= 1'b0;
      if (req) busy_q[num_i[0]] <= 1'b1;
    end
    assign quiet = !req && !rsp;
    always @* if (!rst_q) begin
      assert (rqv == (busy_q != 0) && (!rqv || busy_q[rq_idx]));
      cover (busy_q == 2'b11 && !room);
      cover (fv_idle && line == 2'b01);
    end
  end

  // Of block 8. Members of a struct declared in a generate block are not found by Yosys.
  hd_pkg::access_s push_acc;
  always_comb begin
    push_acc      = '0;
    push_acc.warp = 6'(data_i[2]);
    push_acc.kind = data_i[1] ? hd_pkg::OP_STORE : hd_pkg::OP_LOAD;
  end

  if (Block == 8) begin : g_mshr
    logic [3:0]  why;
    logic        hit, idx, room, rp_wait_unused, rpv, rpi, last, empty;
    logic [1:0]  busy;
    logic        rpl, rdl, lanes, data;
    logic [2:0]  place;
    logic [15:0] opid;
    hd_pkg::access_s rp_acc;
    logic [31:0] cmp;
    wire start = go[0] && !rpv && busy[num_i[0]];
    wire push  = go[1] && room && !rpv && !start;
    wire pop   = go[2] && rpv, stop = go[3] && rpv && !pop;
    hd_mshr_table #(
      .Entries(2), .Targets(2), .StoreData(1), .CasData(1), .MergeLanes(2), .Lanes(1),
          .LineWords(1),
      .WordW(1), .LineW(1)
    ) u_dut (
      .clk_i(clk_i), .rst_i(rst_q), .lk_valid_i(go[1]), .lk_line_i(data_i[0]), .lk_lanes_i(1'b1),
      .lk_hit_o(hit), .lk_idx_o(idx), .lk_room_o(room),
      .lk_why_o(why), .push_i(push), .push_acc_i(push_acc),
      .push_place_i(3'b101), .push_data_i(data_i[3]),
      .push_cmp_i(32'd0), .rd_idx_i(rpi), .rd_line_o(rdl), .rd_opid_o(opid), .rp_start_i(start),
      .rp_idx_i(num_i[0]), .rp_line_i(1'b0), .rp_mask_i(1'b0), .rp_wait_o(rp_wait_unused),
      .rp_valid_o(rpv), .rp_line_o(rpl), .rp_idx_o(rpi), .rp_acc_o(rp_acc),
      .rp_lanes_o(lanes), .rp_place_o(place), .rp_data_o(data), .rp_cmp_o(cmp), .rp_last_o(last),
      .rp_pop_i(pop), .rp_stop_i(stop), .empty_o(empty), .busy_o(busy), .idle_o(idle)
    );
    assign quiet = !start && !push && !pop;   // stop only in a replay: idle covers it
    always @* if (!rst_q) begin cover (fv_idle && busy == 2'b11); cover (rpv && last && pop); end
  end
endmodule
`default_nettype wire
