// hd_type_fv.sv - proof that SMs and the classifier agree on the types of sectors.
//
// The RTL itself: hd_mac with one entry, and for each of two SMs hd_type_cache with one entry,
// hd_type_requests, hd_type_acks and hd_type_wait_queues with one, joined as in hd_type_aware. Two
// sectors, so that entries are recalled and replaced. Around them: accesses that come when they
// like (from the head of the queue or past it, as another warp), one safe and one unsafe access in
// flight an SM, performed when they like, and the network: requests and acknowledgements wait as
// long as they like, messages to an SM too but come in order. docs/formal.md.
//
// A marker in an unsafe queue counts as a safe access here: both are what an acknowledgement waits
// for. Bug 1: an SM goes on as unsafe from the invalidation on, not from the classifier's answer.
// Bug 2: an invalidation overtakes the reply in front of it.
//@ proof type_2 pdr
//@ bug unsafe_at_once Bug=1
//@ bug down_order Bug=2
//@ bug ack_at_once order/hd_type_acks.sv s/valid && !out_i.safe && (!recall || !out_i.any)/valid/
//@ bug recall_like_inval order/hd_type_acks.sv s/ && (!recall || !out_i.any)//
//@ bug no_wait order/hd_mac_busy.sv s/send_q\[b\] == '0 && left_q\[b\] == '0/send_q[b] == '0/
//@ bug no_recall order/hd_mac.sv s/free   = ~valid;/free   = ~lock;/
//@ bug forgets_who_waits order/hd_mac_busy.sv s/want_q\[new_idx\] <= begin_recall_i ? '0 : sm_bit/want_q[new_idx] <= '0/
//@ bug reader_of_written order/hd_mac_table.sv s/inv_owner_o = !owner_i;/inv_owner_o = !owner_i \&\& write_i;/
//@ bug sharers_not_told order/hd_mac_table.sv s/inv_all_o = write_i/inv_owner_o = write_i/
//@ bug write_without_right order/hd_type_cache.sv s/&& (!lk_safe_o .*write_q\[lk_set\]) != '0);/;/
//@ bug stays_safe order/hd_type_cache.sv s/else if (up_i.drop)/else if (1'b0)/
//@ bug waits_as_safe order/hd_type_wait_queues.sv s/known_q\[p\] <= known_q\[p\] & ~hit\[p\];//
`default_nettype none
module hd_type_fv #(
  parameter int unsigned Bug = 0
) (
  input logic       clk_i,
  input logic [1:0] any_down_i,     // of each SM: the next message arrives
  input logic [1:0] any_head_i,     // the access in the queue is tried
  input logic [1:0] any_front_i,    // an access is offered
  input logic [1:0] any_past_i,     // its warp has nothing in the queue
  input logic [1:0] any_sector_i,
  input logic [1:0] any_write_i,
  input logic [1:0] any_perf_i,     // an access is performed
  input logic [1:0] any_which_i,    // 1: the safe one
  input logic [1:0] any_ack_i,      // the acknowledgement is sent
  input logic       any_req_i,      // a request arrives
  input logic       any_sm_i,       // ... of this SM, if it has one
  input logic       any_ackarr_i,   // an acknowledgement arrives
  input logic       any_acksm_i,
  input logic       any_dn_i        // the classifier's message is taken
);
  localparam int unsigned SectorBytes = 32'h80000000;
  localparam logic [1:0] NONE = 0, REP = 1, INV = 2, RECALL = 3;

  logic       rst_q;
  // down: the oldest, the one behind it. k kind, s sector, f {may write, safe}
  logic [3:0] dk0_q, dk1_q, df0_q, df1_q;
  logic [1:0] ds0_q, ds1_q, ack_q, acks_q;                // an acknowledgement on its way
  logic [1:0] fv_q, fs_q, fw_q, uv_q, us_q, uw_q;         // in flight: safe, unsafe; sector, write
  logic       err_q;
  initial begin
    rst_q = 1; dk0_q = 0; dk1_q = 0; df0_q = 0; df1_q = 0; ds0_q = 0; ds1_q = 0; ack_q = 0;
    acks_q = 0;
    fv_q = 0; fs_q = 0; fw_q = 0; uv_q = 0; us_q = 0; uw_q = 0; err_q = 0;
  end
  always @(posedge clk_i) rst_q <= 1'b0;

  // ---- the classifier ---------------------------------------------------------------------------
  hd_pkg::head_s req_head, ack_head, dn_head;
  logic [1:0] rq_valid, rq_sector, rq_write, rq_ready;
  logic       mac_req, mac_ack, dn_valid, mac_idle, req_sm, ack_sm;
  hd_pkg::mac_ev_s mac_ev;
  logic       dn_take, dn_sm, dn_sector;
  logic [1:0] dn_kind, dn_flags;
  assign req_sm  = rq_valid == 2'b10 || (rq_valid == 2'b11 && any_sm_i);
  assign mac_req = any_req_i && rq_valid != 0 && !rst_q;
  assign rq_ready = {mac_req && req_sm, mac_req && !req_sm};
  assign ack_sm  = ack_q == 2'b10 || (ack_q == 2'b11 && any_acksm_i);
  assign mac_ack = any_ackarr_i && ack_q != 0 && !rst_q;
  always_comb begin
    req_head = '0;
    req_head.kind = hd_pkg::MSG_TYPE_REQ;
    req_head.route.src[0] = req_sm;
    req_head.addr[31] = req_sm ? rq_sector[1] : rq_sector[0];
    req_head.tid[hd_pkg::TYPE_WANTS_WRITE] = req_sm ? rq_write[1] : rq_write[0];
    ack_head = '0;
    ack_head.kind = hd_pkg::MSG_TYPE_ACK;
    ack_head.addr[31] = ack_sm ? acks_q[1] : acks_q[0];
    ack_head.route.src[0] = ack_sm;
  end
  hd_mac #(.Sms(2), .Entries(1), .Ways(1), .Busy(1), .Requests(2), .PartBits(0),
           .SectorBytes(SectorBytes)) u_mac (
    .clk_i(clk_i), .rst_i(rst_q), .part_id_i(7'd0), .clear_i(1'b0), .req_valid_i(mac_req),
    .req_head_i(req_head), .ack_valid_i(mac_ack), .ack_head_i(ack_head), .dn_valid_o(dn_valid),
    .dn_ready_i(any_dn_i), .dn_head_o(dn_head), .ev_o(mac_ev), .idle_o(mac_idle)
  );
  assign dn_take   = dn_valid && any_dn_i && !rst_q;
  assign dn_sm     = dn_head.route.dst[0];
  assign dn_sector = dn_head.addr[31];
  assign dn_kind   = dn_head.kind == hd_pkg::MSG_TYPE_REP ? REP
                     : dn_head.kind == hd_pkg::MSG_TYPE_INV ? INV : RECALL;
  assign dn_flags  = dn_head.tid[1:0];

  // ---- the SMs ----------------------------------------------------------------------------------
  logic [1:0] arrives, over, acks_o, go_f, go_u, go_s, go_w, perf_f, perf_u, reqs_empty, acks_empty;
  logic [1:0] wait_full, wait_empty, wait_cand, waits_safe, waits_s, waits_w, lk_known, lk_safe;
  logic [1:0] acked_s, ack_offer;
  for (genvar i = 0; i < 2; i = i + 1) begin : g_sm
    logic       rep, inv, rec, msg_s, ans_safe, ans_write, ans_install, ans_again, ask_ok, ask;
    logic       use_head, try_head, look_head, fr, fr_look, fr_try, push;
    logic       lk_sector, lk_write, t_try, t_safe, t_s, t_w, held, out_hash, safe_out, any_out;
    logic       busy, wait_known, wait_ask;
    logic       rq_s, rq_w, hknown, hsafe, hwrite, hs, unused_data, install, drop, swap;
    logic [1:0] m_kind, m_flags;
    logic [hd_pkg::HEAD_W-1:0] ahead;
    // Bug 2: the younger message, an invalidation, comes first
    assign swap       = Bug == 2 && dk1_q[2*i +: 2] == INV && dk0_q[2*i +: 2] == REP;
    assign over[i]    = swap;
    assign m_kind     = swap ? dk1_q[2*i +: 2] : dk0_q[2*i +: 2];
    assign m_flags    = swap ? df1_q[2*i +: 2] : df0_q[2*i +: 2];
    assign msg_s      = swap ? ds1_q[i] : ds0_q[i];
    assign arrives[i] = any_down_i[i] && dk0_q[2*i +: 2] != NONE && !rst_q;
    assign rep        = arrives[i] && m_kind == REP;
    assign inv        = arrives[i] && m_kind == INV;
    assign rec        = arrives[i] && m_kind == RECALL;
    assign use_head   = wait_cand[i] && any_head_i[i] && !arrives[i] && !rst_q;
    assign try_head   = use_head && hknown;
    assign look_head  = use_head && !hknown;
    assign lk_sector  = look_head ? hs : any_sector_i[i];
    assign lk_write   = look_head ? hwrite : any_write_i[i];
    assign fr         = any_front_i[i] && !arrives[i] && !rst_q;
    assign fr_look    = fr && !look_head;
    assign fr_try     = fr_look && !try_head && lk_known[i] && (any_past_i[i] || wait_empty[i]);
    assign t_try      = try_head || fr_try;
    assign t_safe     = try_head ? hsafe : lk_safe[i];
    assign t_s        = try_head ? hs : any_sector_i[i];
    assign t_w        = try_head ? hwrite : any_write_i[i];
    assign go_f[i]    = t_try && !held && t_safe && !fv_q[i];
    assign go_u[i]    = t_try && !held && !t_safe && !uv_q[i];
    assign go_s[i]    = t_s;
    assign go_w[i]    = t_w;
    assign push       = fr_look && !((go_f[i] || go_u[i]) && fr_try) && !wait_full[i];
    assign ask        = ((look_head && !lk_known[i]) || (push && !lk_known[i])) && ask_ok;
    assign perf_f[i]  = any_perf_i[i] && any_which_i[i] && fv_q[i];
    assign perf_u[i]  = any_perf_i[i] && !any_which_i[i] && uv_q[i];
    assign install    = ans_install || (Bug == 1 && inv);
    assign drop       = rec || (Bug != 1 && inv);
    wire sub_hash = perf_f[i] ? fs_q[i] : us_q[i];
    wire push_ask   = push && !lk_known[i] && ask_ok;
    wire pop_head   = try_head && (go_f[i] || go_u[i]);
    wire head_ask   = look_head && !lk_known[i] && ask_ok;
    wire head_found = look_head && lk_known[i];
    wire [hd_pkg::NODE_W+hd_pkg::TID_W+2:0] msg = {inv, rec, rep, 7'd0, 6'd0, m_flags};
    wire up_reply, up_drop;
    wire send   = any_ack_i[i] && !rst_q;
    hd_type_cache #(.Entries(1), .Ways(1), .Counters(2), .SectorW(1), .CountW(1)) u_types (
      .clk_i(clk_i), .rst_i(rst_q), .lk_sector_i(lk_sector), .lk_write_i(lk_write),
      .lk_known_o(lk_known[i]), .lk_safe_o(lk_safe[i]),
      .up_i({rep, ans_safe, ans_write, ans_again, install, drop}), .up_sector_i(msg_s),
      .clear_i(1'b0),
      .count_i({go_f[i], go_u[i], 1'b0, perf_f[i], perf_u[i], 1'b0, 6'(sub_hash), 6'd0}),
      .add_hash_i(t_s), .out_hash_i(out_hash), .out_o({safe_out, any_out}), .busy_o(busy)
    );
    hd_type_requests #(.Entries(1), .SectorW(1)) u_requests (
      .clk_i(clk_i), .rst_i(rst_q), .ask_sector_i(lk_sector), .ask_write_i(lk_write),
      .ask_ok_o(ask_ok), .ask_i(ask), .msg_i(msg), .msg_sector_i(msg_s),
      .up_o({up_reply, ans_safe, ans_write, ans_again, ans_install, up_drop}),
      .req_valid_o(rq_valid[i]), .req_ready_i(rq_ready[i]),
      .req_sector_o(rq_s), .req_write_o(rq_w), .empty_o(reqs_empty[i])
    );
    assign rq_sector[i] = rq_s;
    assign rq_write[i]  = rq_w;
    hd_type_wait_queues #(.Warps(1), .Depth(1), .Width(1), .SectorW(1)) u_wait (
      .clk_i(clk_i), .rst_i(rst_q), .push_i(push), .push_warp_i(1'b0), .push_lds_i(1'b0),
      .push_sector_i(any_sector_i[i]), .push_write_i(any_write_i[i]), .push_known_i(lk_known[i]),
      .push_safe_i(lk_safe[i]), .push_asked_i(push_ask), .push_data_i(1'b0), .up_i(arrives[i]),
      .up_sector_i(msg_s), .up_reply_i(rep), .up_safe_i(ans_safe), .up_write_i(ans_write),
      .up_again_i(ans_again), .known_o(wait_known), .ask_o(wait_ask), .rd_warp_i(1'b0),
      .rd_known_o(hknown), .rd_safe_o(hsafe), .rd_write_o(hwrite), .rd_sector_o(hs),
      .rd_data_o(unused_data), .pop_i(pop_head), .rd_ask_i(head_ask), .rd_known_i(head_found),
      .rd_safe_i(lk_safe[i]), .full_o(wait_full[i]), .empty_o(wait_empty[i])
    );
    assign wait_cand[i]  = wait_known || wait_ask;
    assign waits_safe[i] = !wait_empty[i] && hknown && hsafe;
    assign waits_s[i]    = hs;
    assign waits_w[i]    = hwrite;
    hd_type_acks #(.Entries(1), .SectorW(1), .HashW(1)) u_acks (
      .clk_i(clk_i), .rst_i(rst_q), .sm_id_i(7'd0), .msg_i(msg), .msg_sector_i(msg_s),
      .try_hash_i(t_s), .held_o(held), .out_hash_o(out_hash), .out_i({safe_out, any_out}),
      .ack_valid_o(ack_offer[i]), .ack_ready_i(send), .ack_head_o(ahead),
      .empty_o(acks_empty[i])
    );
    assign acks_o[i]  = ack_offer[i] && send;
    assign acked_s[i] = ahead[hd_pkg::MASK_W + hd_pkg::TID_W + hd_pkg::OPID_W + 31];
  end

  // ---- the step ---------------------------------------------------------------------------------
  integer i;
  logic err;
  always @* begin
    err = 1'b0;
    for (i = 0; i < 2; i = i + 1) begin
      if (dn_take && 32'(dn_sm) == i && dk1_q[2*i +: 2] != NONE) err = 1'b1;  // a third message
      if (acks_o[i] && ack_q[i]) err = 1'b1;                                 // a second answer
    end
  end
  always @(posedge clk_i) if (!rst_q) begin
    err_q <= err;
    for (i = 0; i < 2; i = i + 1) begin
      if (arrives[i]) begin
        if (!over[i]) begin
          dk0_q[2*i +: 2] <= dk1_q[2*i +: 2]; ds0_q[i] <= ds1_q[i];
          df0_q[2*i +: 2] <= df1_q[2*i +: 2];
        end
        dk1_q[2*i +: 2] <= NONE;
      end
      if (dn_take && 32'(dn_sm) == i) begin
        if (dk0_q[2*i +: 2] == NONE || (arrives[i] && dk1_q[2*i +: 2] == NONE)) begin
          dk0_q[2*i +: 2] <= dn_kind; ds0_q[i] <= dn_sector; df0_q[2*i +: 2] <= dn_flags;
        end else begin
          dk1_q[2*i +: 2] <= dn_kind; ds1_q[i] <= dn_sector; df1_q[2*i +: 2] <= dn_flags;
        end
      end
      if (acks_o[i]) begin ack_q[i] <= 1'b1; acks_q[i] <= acked_s[i]; end
      else if (mac_ack && 32'(ack_sm) == i) ack_q[i] <= 1'b0;
      if (go_f[i]) begin fv_q[i] <= 1'b1; fs_q[i] <= go_s[i]; fw_q[i] <= go_w[i]; end
      else if (perf_f[i]) fv_q[i] <= 1'b0;
      if (go_u[i]) begin uv_q[i] <= 1'b1; us_q[i] <= go_s[i]; uw_q[i] <= go_w[i]; end
      else if (perf_u[i]) uv_q[i] <= 1'b0;
    end
  end

  // ---- properties -------------------------------------------------------------------------------
  // what the SMs were told: right to use a sector as safe, to write it as safe; index 2*SM + sector
  logic [3:0] right_q, wright_q;
  initial begin right_q = 0; wright_q = 0; end
  always @(posedge clk_i) if (!rst_q) begin
    for (i = 0; i < 2; i = i + 1) if (arrives[i]) begin
      // (the oldest message; with Bug 2 other properties fail first)
      right_q[2*i + ds0_q[i]]  <= dk0_q[2*i +: 2] == REP && df0_q[2*i];
      wright_q[2*i + ds0_q[i]] <= dk0_q[2*i +: 2] == REP && df0_q[2*i+1];
    end
  end
  wire told   = dn_take && dn_kind == REP;
  wire other  = !dn_sm;
  wire quiet  = dk0_q == 0 && ack_q == 0 && rq_valid == 0 && fv_q == 0 && uv_q == 0 && !dn_valid
                && mac_idle && ack_offer == 0 && !rst_q;
  wire o_right  = 1'(right_q >> {other, dn_sector}), o_wright = 1'(wright_q >> {other, dn_sector});
  wire o_safe   = (other ? fv_q[1] : fv_q[0]) && (other ? fs_q[1] : fs_q[0]) == dn_sector;
  wire o_unsafe = (other ? uv_q[1] : uv_q[0]) && (other ? us_q[1] : us_q[0]) == dn_sector;
  wire both_safe = fv_q == 2'b11 && fs_q[0] == fs_q[1];
  wire mixed0 = fv_q[0] && uv_q[1] && fs_q[0] == us_q[1];
  wire mixed1 = fv_q[1] && uv_q[0] && fs_q[1] == us_q[0];
  always @* if (!rst_q) begin
    // nobody changes what another SM uses as safe
    safe_alone:    assert (!(both_safe && fw_q != 0));
    unsafe_apart0: assert (!(mixed0 && (fw_q[0] || uw_q[1])));
    unsafe_apart1: assert (!(mixed1 && (fw_q[1] || uw_q[0])));
    // what the SMs were told agrees, what waits with a type too
    rights:        assert (((wright_q & {right_q[1:0], right_q[3:2]})) == 0);
    // at an answer nobody else has what it excludes
    told_unsafe:   assert (!(told && !dn_flags[0]
                             && (right_q[dn_sector] || right_q[2 + dn_sector])));
    told_read:     assert (!(told && dn_flags[0]
                             && (o_wright || (o_safe && (other ? fw_q[1] : fw_q[0])))));
    told_write:    assert (!(told && dn_flags[1] && (o_right || o_safe || o_unsafe)));
    expected:      assert (!err_q);
    // nothing waits for ever: with nothing on its way nobody waits for an answer
    answers:       assert (!(quiet && reqs_empty != 2'b11));
    acknowledges:  assert (!(quiet && acks_empty != 2'b11));
    goes_on0:      assert (!(quiet && !wait_empty[0] && !wait_cand[0]));
    goes_on1:      assert (!(quiet && !wait_empty[1] && !wait_cand[1]));
  end

  // ---- covers -----------------------------------------------------------------------------------
  always @* if (!rst_q) begin
    read_shared:    cover (both_safe);
    written_unsafe: cover (mixed0 == 1'b0 && uv_q == 2'b11 && us_q[0] == us_q[1] && uw_q == 2'b11);
    may_write:      cover (told && dn_flags == 2'b11 && fv_q == 0);
    upgraded:       cover (wright_q[0] && go_f[0] && go_w[0]);
    inval_waits:    cover (dk0_q[1:0] == NONE && !acks_empty[0] && !ack_offer[0] && fv_q[0]);
    recall_waits:   cover (!acks_empty[0] && !ack_offer[0] && uv_q[0] && !fv_q[0]);
    both_told:      cover (!acks_empty[0] && !acks_empty[1]);
    full:           cover (dk1_q[1:0] != NONE);
    recalls:        cover (mac_ev.recall);
    crosses:        cover (dk0_q[1:0] == INV && rq_valid[0]);
    waits_safe_inv: cover (waits_safe[0] && waits_s[0] == ds0_q[0] && dk0_q[1:0] == INV);
    nothing:        cover (quiet && reqs_empty == 2'b11 && acks_empty == 2'b11 && !mac_ev.request
                           && wright_q != 0);
  end
  logic unused;
  assign unused = ^{mac_ev.inval, waits_w};
endmodule
`default_nettype wire
