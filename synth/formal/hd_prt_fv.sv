// hd_prt_fv.sv - proof of hd_pending_request_table: no entry is lost or freed twice.
//
// Two lanes, 8 lines (the filter has 4 marks: two lines share one). The environment presents accesses of any instruction, pushes only with room and not in a replay, and answers any
// request that is out, in any order. A model counts the requests out per entry; "in use", the
// instruction of an entry and the reasons for a refusal must agree with it, and every answer must
// show the line, lane, offset, kind and data of its request.
//@ proof prt_2 pdr Entries=2
//@ bug freed_early sm/hd_pending_request_table.sv s/pop_last = rp_pop_i && pend_pop == CntW'(1)/pop_last = rp_pop_i/
//@ bug never_freed sm/hd_pending_request_table.sv s/pop_last = rp_pop_i && pend_pop == CntW'(1)/pop_last = rp_pop_i \&\& pend_pop == CntW'(2)/
//@ bug current_kept sm/hd_pending_request_table.sv s/else if (pop_last && rp_idx_q == cur_idx_q) cur_q/else if (pop_last \&\& !ent_free) cur_q/
//@ bug mark_kept sm/hd_pending_request_table.sv s/.we_i(push_i || rp_pop_i)/.we_i(push_i)/
//@ bug credit_leak sm/hd_pending_request_table.sv s/else if (rp_pop_i) out_q/else if (rp_pop_i \&\& rp_has_st) out_q/
//@ bug store_data_leak sm/hd_pending_request_table.sv s/.free_i(rp_pop_i && rp_has_st)/.free_i(rp_pop_i \&\& rp_has_cas)/
//@ bug offsets_of_all_lanes sm/hd_pending_request_table.sv s/.wmask_i(push_mask),/.wmask_i({Lanes{1'b1}}),/
`default_nettype none
module hd_prt_fv #(
  parameter int unsigned Entries = 2,
  parameter int unsigned IdxW    = hd_pkg::idx_w(Entries)
) (
  input logic            clk_i,
  input logic            lk_valid_i,
  input logic [2:0]      line_i,
  input logic            lane_i,
  input logic [1:0]      warp_i,
  input logic            store_i,
  input logic            tag_i,       // offset and data
  input logic            push_i,
  input logic            start_i,
  input logic [IdxW-1:0] start_idx_i,
  input logic            start_lane_i,
  input logic            pop_i
);
  localparam int unsigned Credits = 3;
  localparam int unsigned Stores = 2;
  logic              rst_q, hit, room, rp_wait, rp_valid, rp_last, empty, idle;
  hd_pkg::why_e      why;
  logic [IdxW-1:0]   idx, rp_idx;
  logic [Entries-1:0] busy;
  logic [2:0]        rp_line, rd_line;
  logic [hd_pkg::OPID_W-1:0] rd_opid;
  hd_pkg::access_s   push_acc, rp_acc;
  logic [5:0]        rp_place;
  logic [1:0]        rp_lanes, rp_data;
  logic [63:0]       rp_cmp;
  // model, a bit for lane l of entry e at 2 * e + l: out, store, line, offset
  logic [2*Entries-1:0] out_q, st_q, tag_q;
  logic [2:0]        line_q [0:2*Entries-1];
  logic [1:0]        warp_q [0:Entries-1];
  logic [Entries-1:0] kind_q;
  logic              cur_q;           // the entry made last is in use
  logic [IdxW-1:0]   cur_idx_q;
  logic              rp_lane_q;
  initial begin
    rst_q = 1; out_q = 0; st_q = 0; tag_q = 0; cur_q = 0; cur_idx_q = 0; rp_lane_q = 0; kind_q = 0;
  end
  wire [31:0] slot = 2 * 32'(start_idx_i) + 32'(start_lane_i);
  wire start = start_i && !rp_valid && !rp_wait && !rst_q && 32'(start_idx_i) < Entries
               && out_q[slot[IdxW:0]];
  wire same  = cur_q && warp_q[cur_idx_q] == warp_i;
  // lanes of an instruction are pushed once, and all of a kind
  wire fresh = !same || (!out_q[2 * 32'(cur_idx_q) + 32'(lane_i)]
                         && kind_q[cur_idx_q] == store_i);
  // an instruction that is out under another entry does not come again
  logic elsewhere;
  wire push  = push_i && lk_valid_i && room && fresh && !elsewhere && !rp_valid && !rp_wait && !start
               && !rst_q;
  wire pop   = pop_i && rp_valid && !rst_q;
  // Wires, because Yosys fails on concatenations and array words in a port list here.
  wire [1:0] push_mask = 2'd1 << lane_i, start_mask = 2'd1 << start_lane_i;
  wire [1:0] push_offs = lane_i ? {tag_i, !tag_i} : {!tag_i, tag_i};
  wire [1:0] push_data = {tag_i, tag_i};
  wire [2:0] start_line = line_q[slot[IdxW:0]];
  wire [5:0] push_place = {push_mask, push_offs, 2'd1};
  wire [1:0] rp_mask = rp_place[5:4], rp_offs = rp_place[3:2];
  wire [5:0] rp_warp = rp_acc.warp;
  wire [hd_pkg::OP_W-1:0] rp_kind = rp_acc.kind;
  always_comb begin
    push_acc      = '0;
    push_acc.warp = 6'(warp_i);
    push_acc.kind = store_i ? hd_pkg::OP_STORE : hd_pkg::OP_LOAD;
  end
  wire       lk_valid = lk_valid_i && !rst_q;
  hd_pending_request_table #(
    .Entries(Entries), .ReqCredits(Credits), .StoreData(Stores), .CasData(1), .LineFilter(4),
    .Lanes(2), .LineWords(2), .WordW(1), .LineW(3)
  ) u_dut (
    .clk_i(clk_i), .rst_i(rst_q), .lk_valid_i(lk_valid), .lk_line_i(line_i),
    .lk_lanes_i(2'd1), .lk_hit_o(hit), .lk_idx_o(idx),
    .lk_room_o(room), .lk_why_o(why), .push_i(push), .push_acc_i(push_acc),
    .push_place_i(push_place), .push_data_i(push_data), .push_cmp_i(64'd0),
    .rd_idx_i(start_idx_i), .rd_line_o(rd_line), .rd_opid_o(rd_opid),
    .rp_start_i(start), .rp_idx_i(start_idx_i), .rp_line_i(start_line),
    .rp_mask_i(start_mask), .rp_wait_o(rp_wait), .rp_valid_o(rp_valid),
    .rp_line_o(rp_line), .rp_idx_o(rp_idx), .rp_acc_o(rp_acc),
    .rp_lanes_o(rp_lanes), .rp_place_o(rp_place), .rp_data_o(rp_data), .rp_cmp_o(rp_cmp),
    .rp_last_o(rp_last), .rp_pop_i(pop), .rp_stop_i(1'b0), .empty_o(empty), .busy_o(busy),
    .idle_o(idle)
  );
  wire [31:0]  rp_at = 2 * 32'(rp_idx) + 32'(rp_lane_q);
  integer i;
  logic [3:0]  outs, stores;
  logic [Entries-1:0] used;
  logic        marked;
  always_comb begin
    outs = 0; stores = 0; used = 0; marked = 0; elsewhere = 0;
    for (i = 0; i < 2 * Entries; i = i + 1) begin
      outs   = outs + 4'(out_q[i]);
      stores = stores + 4'(out_q[i] && st_q[i]);
      used[i / 2] = used[i / 2] || out_q[i];
      marked = marked || (out_q[i] && line_q[i][1:0] == line_i[1:0]);
    end
    for (i = 0; i < Entries; i = i + 1)
      elsewhere = elsewhere
                  || (used[i] && warp_q[i] == warp_i && !(cur_q && cur_idx_q == IdxW'(i)));
  end
  always @(posedge clk_i) begin
    rst_q <= 1'b0;
    if (push) begin
      out_q[2 * 32'(idx) + 32'(lane_i)]  <= 1'b1;
      st_q[2 * 32'(idx) + 32'(lane_i)]   <= store_i;
      tag_q[2 * 32'(idx) + 32'(lane_i)]  <= tag_i;
      line_q[2 * 32'(idx) + 32'(lane_i)] <= line_i;
      warp_q[idx] <= warp_i;
      kind_q[idx] <= store_i;
      cur_q       <= 1'b1;
      cur_idx_q   <= idx;
    end
    if (start) rp_lane_q <= start_lane_i;
    if (pop) begin
      out_q[rp_at[IdxW:0]] <= 1'b0;
      if (rp_idx == cur_idx_q && !out_q[rp_at[IdxW:0] ^ 1]) cur_q <= 1'b0;
    end
  end
  wire unused = &{rd_line, rp_acc, rp_place, rp_cmp};
  always @* if (!rst_q) begin
    in_use:      assert (busy == used && empty == (used == 0));
    no_reuse:    assert (!(lk_valid_i && room && !same) || !used[idx]);
    continues:   assert (!(lk_valid_i && room && same) || idx == cur_idx_q);
    line_waits:  assert (hit == (lk_valid_i && !rp_valid && !rp_wait && marked) || rp_valid
                         || rp_wait);
    refusals:    assert (!lk_valid_i || rp_valid || rp_wait
                         || room == (!marked && (same || used != '1) && outs < Credits
                                     && (!store_i || stores < Stores)));
    limit:       assert (outs <= Credits && stores <= Stores);
    instruction: assert (!used[start_idx_i] || rd_opid == 16'(warp_q[start_idx_i]));
    answer:      assert (!rp_valid || (out_q[rp_at[IdxW:0]] && rp_mask == (2'd1 << rp_lane_q)
                         && rp_lanes == 1 && rp_line == line_q[rp_at[IdxW:0]]
                         && rp_warp == 6'(warp_q[rp_idx]) && rp_last
                         && (rp_kind == hd_pkg::OP_STORE) == st_q[rp_at[IdxW:0]]));
    offset:      assert (!rp_valid || rp_offs[rp_lane_q] == tag_q[rp_at[IdxW:0]]);
    data:        assert (!rp_valid || !st_q[rp_at[IdxW:0]] || rp_data[0] == tag_q[rp_at[IdxW:0]]);
    quiet:       assert (idle == !(rp_valid || rp_wait));
    all_out:     cover (outs == Credits && used == '1);
    shared_mark: cover (lk_valid_i && why == hd_pkg::WHY_LINE && line_i[2] != line_q[0][2] && out_q == 1);
    both_lanes:  cover (out_q[1:0] == 2'b11 && pop && rp_kind == hd_pkg::OP_STORE);
  end
endmodule
`default_nettype wire
