// hd_mshr_fv.sv - proof of hd_mshr_table: every pushed access is replayed once, in order per line.
//
// One lane and one word an access, four lines. The environment looks up any line, pushes only with
// room and not during a replay, starts any entry in use, pops or stops as it likes. A model counts
// the accesses that wait per line; hits, "last" and "in use" must agree with it, so a line has one
// entry and no access is lost. One access, any (pick_i), is followed from push to pop: those of its
// line before it are counted, and then it must show its payload.
//@ proof mshr_2 pdr Entries=2 Targets=2
//@ bug freed_early sm/hd_mshr_table.sv s/pop_last = rp_pop_i && rp_last_o/pop_last = rp_pop_i/
//@ bug two_entries sm/hd_mshr_table.sv s/if (valid_q\[i\] && line_q\[i\] == lk_line_i)/if (valid_q[i] \&\& line_q[i] == lk_line_i \&\& !rp_q \&\& i == 0)/
//@ bug stop_forgets sm/hd_mshr_table.sv s/head_q\[rp_idx_q\]  <= rp_next/head_q[rp_idx_q]  <= rp_tgt_q/
//@ bug merge_limit sm/hd_mshr_table.sv s/lanes_q\[lk_idx_o\] <= hit ? sum : SumW/lanes_q[lk_idx_o] <= SumW/
//@ bug store_data_leak sm/hd_mshr_table.sv s/.free_i(rp_pop_i && rp_has_st)/.free_i(rp_pop_i \&\& rp_has_cas)/
//@ bug tail_kept sm/hd_mshr_table.sv s/tail_q\[lk_idx_o\]  <= tgt_idx/tail_q[ent_idx]  <= tgt_idx/
`default_nettype none
module hd_mshr_fv #(
  parameter int unsigned Entries = 2,
  parameter int unsigned Targets = 3,
  parameter int unsigned IdxW    = hd_pkg::idx_w(Entries)
) (
  input logic            clk_i,
  input logic            lk_valid_i,
  input logic [1:0]      line_i,
  input logic            store_i,
  input logic            tag_i,       // payload
  input logic            push_i,
  input logic            start_i,
  input logic [IdxW-1:0] start_idx_i,
  input logic            pop_i,
  input logic            stop_i,
  input logic            pick_i
);
  localparam int unsigned CW = $clog2(Targets + 1);
  hd_pkg::why_e      why;
  logic              rst_q, hit, room, rp_wait_unused, rp_valid, rp_last, empty, idle;
  logic [IdxW-1:0]   idx, rp_idx;
  logic [Entries-1:0] busy;
  logic [1:0]        rp_line, rd_line;
  logic [hd_pkg::OPID_W-1:0] rd_opid;
  hd_pkg::access_s   push_acc, rp_acc;
  logic [2:0]        rp_place;
  logic              rp_lanes, rp_data;
  logic [31:0]       rp_cmp;
  logic [4*CW-1:0]   wait_q;      // accesses that wait, per line
  logic              track_q, done_q, tag_q, store_q;
  logic [1:0]        tline_q;
  logic [CW-1:0]     ahead_q, used_st_q;
  initial begin
    rst_q = 1; wait_q = 0; track_q = 0; done_q = 0; tag_q = 0; tline_q = 0; ahead_q = 0;
    store_q = 0;
    used_st_q = 0;
  end
  wire start = start_i && !rp_valid && !rst_q && 1'(busy >> start_idx_i);
  wire push  = push_i && lk_valid_i && room && !rp_valid && !start && !rst_q;
  wire pop   = pop_i && rp_valid && !rst_q;
  wire stop  = stop_i && !pop && rp_valid && !rst_q;
  wire [5:0] rp_warp = rp_acc.warp;
  wire [hd_pkg::OP_W-1:0] rp_kind = rp_acc.kind;
  always_comb begin
    push_acc      = '0;
    push_acc.warp = 6'(tag_i);
    push_acc.kind = store_i ? hd_pkg::OP_STORE : hd_pkg::OP_LOAD;
  end
  hd_mshr_table #(
    .Entries(Entries), .Targets(Targets), .StoreData(2), .CasData(1), .MergeLanes(2), .Lanes(1),
    .LineWords(1), .WordW(1), .LineW(2)
  ) u_dut (
    .clk_i(clk_i), .rst_i(rst_q), .lk_valid_i(lk_valid_i && !rst_q), .lk_line_i(line_i),
        .lk_lanes_i(1'b1),
    .lk_hit_o(hit), .lk_idx_o(idx), .lk_room_o(room),
    .lk_why_o(why), .push_i(push), .push_acc_i(push_acc),
    .push_place_i(3'b101), .push_data_i(tag_i),
    .push_cmp_i(32'd0), .rd_idx_i(rp_idx), .rd_line_o(rd_line), .rd_opid_o(rd_opid),
    .rp_start_i(start), .rp_idx_i(start_idx_i), .rp_line_i(2'd0), .rp_mask_i(1'b0), .rp_wait_o(rp_wait_unused),
    .rp_valid_o(rp_valid), .rp_line_o(rp_line),
    .rp_idx_o(rp_idx), .rp_acc_o(rp_acc),
    .rp_lanes_o(rp_lanes), .rp_place_o(rp_place), .rp_data_o(rp_data), .rp_cmp_o(rp_cmp), .rp_last_o(rp_last),
    .rp_pop_i(pop), .rp_stop_i(stop), .empty_o(empty), .busy_o(busy), .idle_o(idle)
  );
  wire full = why == hd_pkg::WHY_MERGE;
  wire [CW-1:0] lk_wait = CW'(wait_q >> (CW * 32'(line_i)));
  wire [CW-1:0] rp_wait = CW'(wait_q >> (CW * 32'(rp_line)));
  wire pop_st = pop && rp_kind == hd_pkg::OP_STORE;
  integer i;
  logic [2:0] lines;
  logic [CW+1:0] total;
  always_comb begin
    lines = 0;
    total = 0;
    for (i = 0; i < 4; i = i + 1) begin
      lines = lines + 3'(wait_q[CW*i +: CW] != 0);
      total = total + (CW+2)'(wait_q[CW*i +: CW]);
    end
  end
  always @(posedge clk_i) begin
    rst_q <= 1'b0;
    for (i = 0; i < 4; i = i + 1) begin
      if (push && 32'(line_i) == i) wait_q[CW*i +: CW] <= wait_q[CW*i +: CW] + 1'b1;
      if (pop && 32'(rp_line) == i) wait_q[CW*i +: CW] <= wait_q[CW*i +: CW] - 1'b1;
    end
    used_st_q <= used_st_q + CW'(push && store_i) - CW'(pop_st);
    if (push && pick_i && !track_q && !done_q) begin
      track_q <= 1'b1;
      tline_q <= line_i;
      tag_q   <= tag_i;
      store_q <= store_i;
      ahead_q <= lk_wait;
    end else if (pop && track_q && rp_line == tline_q) begin
      if (ahead_q == 0) begin track_q <= 1'b0; done_q <= 1'b1; end
      else ahead_q <= ahead_q - 1'b1;
    end
  end
  always @* if (!rst_q) begin
    one_entry:   assert (!lk_valid_i || hit == (lk_wait != 0));
    replays:     assert (!rp_valid || (rp_wait != 0 && rp_last == (rp_wait == 1)));
    entries:     assert (empty == (lines == 0) && 32'(lines) <= Entries);
    limit:       assert (32'(lk_wait) <= 2 && full == (lk_valid_i && hit && lk_wait == 2));
    has_room:    assert (!lk_valid_i || room == ((hit ? !full : 32'(lines) < Entries)
                         && 32'(total) < Targets && (!store_i || 32'(used_st_q) < 2)));
    order:       assert (!(track_q && ahead_q == 0 && rp_valid && rp_line == tline_q)
                         || (rp_warp[0] == tag_q && (rp_kind == hd_pkg::OP_STORE) == store_q
                             && (!store_q || rp_data == tag_q)));
    quiet:       assert (idle == !rp_valid);
    all_used:    cover (32'(total) == Targets && 32'(lines) == Entries);
    merged:      cover (rp_valid && rp_wait == 2);
    stopped:     cover (done_q && empty);
  end
endmodule
`default_nettype wire
