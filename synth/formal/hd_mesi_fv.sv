// hd_mesi_fv.sv - proof of the MESI protocol: N L1s, the directory, memory, one line, any order.
//
// The decisions are the RTL's own: one hd_l1_mesi_table and one hd_l2_decide (with hd_dir_mesi) are
// in here. The model around them holds what they decide about: states, messages on their way, the
// requests chained at the L2. One step a clock, chosen by the free inputs act_i, who_i and next_i:
// so every order of deliveries, accesses, evictions and recalls is covered. docs/formal.md.
//
// A datum is one bit: "not what was written last". A store makes every other datum of the system
// old; nobody may ever hold a copy that is old. That is the data value property for words of any
// size.
// Channels hold two messages a direction and L1; that they never hold a third is proved, so the
// depth is no limit. Chained requests are served in any order, which covers the order of arrival.
// Drain: from any moment on (quiet_i) no new access, eviction, recall or walk is begun; each step
// then does something, and MaxDrain steps must end all that was begun. With "no deadlock" (a step
// is possible while anything is unfinished) every request ends.
// Bug 1: an answer overtakes a PUT on RSP. Bug 2: down messages out of order. Bug 3: an L1 may ask
// twice. Bug 4: a request that waits for its own PUT is served over and over. The table bugs are
// patches of the RTL.
//@ proof mesi_2 pdr N=2
//@ proof mesi_3 pdr N=3
//@ proof mesi_2_drain pdr N=2 Drain=1
//@ bug rsp_order Bug=1
//@ bug down_order Bug=2
//@ bug asks_twice Bug=3
//@ bug@mesi_2_drain livelock Bug=4
//@ bug wait_forgotten l2/hd_l2_updates.sv s/wait_set   = dir_i.wait_put/wait_set   = 1'b0/
//@ bug lost_copy_kept l1/hd_l1_mesi_table.sv s/if (state_i == hd_pkg::ST_S) begin/if (1'b1) begin/
//@ bug dirty_dropped l1/hd_l1_mesi_table.sv s/rsp_o = hd_pkg::MSG_PUTM/rsp_o = hd_pkg::MSG_PUTE/
//@ bug inv_unanswered l1/hd_l1_mesi_table.sv s/rsp_o   = hd_pkg::MSG_INV_ACK/rsp_o   = hd_pkg::MSG_NONE/
//@ bug inv_keeps_copy l1/hd_l1_mesi_table.sv s/legal_o = !owned;/legal_o = !owned; next_o = state_i;/
//@ bug ack_too_early l2/hd_dir_mesi.sv s/done = (sharers_o & ~self_i) == '0/done = 1'b1/
//@ bug put_race l2/hd_dir_mesi.sv s/dir_o.wait_put = 1'b1;/dir_o.grant = 1'b1; send_o = hd_pkg::MSG_DATA_M;/
//@ bug stale_sharer l2/hd_dir_mesi.sv s/(sharers_i & ~self_i) != '0/1'b0/
//@ bug put_wakes_nobody l2/hd_l2_updates.sv s/serve_push = txn_clr || /serve_push = /
//@ bug no_write_back l2/hd_l2_updates.sv s/write_back = dir_i.evict && line_i.dirty/write_back = 1'b0/
//@ bug chain_lost l2/hd_l2_updates.sv s/serve_push = grant \&\& can_i.m_next_ok/serve_push = 1'b0/
`default_nettype none
module hd_mesi_fv #(
  parameter int unsigned N        = 2,
  parameter int unsigned Bug      = 0,
  parameter int unsigned Drain    = 0,
  parameter int unsigned MaxDrain = 40
) (
  input logic       clk_i,
  input logic [3:0] any_act_i,    // act_i, if it may be
  input logic [1:0] any_who_i,    // who_i and next_i, if it is one
  input logic [1:0] any_next_i,
  input logic [7:0] quiet_i       // all ones: quiet from now on (rare in random simulation)
);
  localparam logic [3:0] LOAD = 0, STORE = 1, EVICT = 2, DOWN = 3, RSP = 4, REQ = 5, SERVE = 6,
                         FILL = 7, MEM = 8, MISS = 9, RECALL = 10, WALK = 11;
  // what the L2 is doing with the line: nothing; its miss waits for a way; memory was asked; the
  // request `head` is to be served, waits for answers, waits for its own PUT; another line wants
  // the way and the copies are to be recalled, answers to that are waited for
  localparam logic [2:0] IDLE = 0, P_MISS = 1, P_MEM = 2, P_SERVE = 3, P_ANS = 4, P_PUT = 5,
                         R_FILL = 6, R_ANS = 7;

  // L1s. Slice i belongs to L1 i.
  logic [2*N-1:0] st_q, st_d;        // MESI state
  logic [N-1:0]   old_q, old_d;      // its copy is not the last value written
  logic [N-1:0]   pend_q, pend_d;    // a request is under way
  logic [2*N-1:0] rk_q, rk_d;        // its kind until it is granted (msg_e, 0 none)
  logic [N-1:0]   acc_q, acc_d;      // ... and it is at the L2 (else on REQ)
  // channels: 0 the oldest. up: msg_e - 3 (PUTM 1 .. INV_ACK 6), dn: msg_e - 9 (DATA_S 1 ..
  // FETCH_INV 7), 0 none. *x: the datum it carries is old.
  logic [3*N-1:0] up0_q, up0_d, up1_q, up1_d, dn0_q, dn0_d, dn1_q, dn1_d;
  logic [N-1:0]   up0x_q, up0x_d, up1x_q, up1x_d, dn0x_q, dn0x_d, dn1x_q, dn1x_d;
  // L2 and memory
  logic           absent_q, absent_d;  // the L2 does not have the line (not inverted: reset is 0)
  logic           dirty_q, dirty_d, excl_q, excl_d, l2x_q, l2x_d, memx_q, memx_d;
  logic [N-1:0]   shr_q, shr_d, todo_q, todo_d;
  logic [2:0]     ph_q, ph_d;
  logic [1:0]     head_q, head_d;
  initial begin
    st_q = 0; old_q = 0; pend_q = 0; rk_q = 0; acc_q = 0;
    up0_q = 0; up1_q = 0; dn0_q = 0; dn1_q = 0; up0x_q = 0; up1x_q = 0; dn0x_q = 0; dn1x_q = 0;
    absent_q = 0; dirty_q = 0; excl_q = 0; l2x_q = 0; memx_q = 0; shr_q = 0; todo_q = 0;
    ph_q = 0; head_q = 0;
  end

  logic       quiet_q;   // Drain: nothing is begun any more
  wire        begins = any_act_i <= EVICT || any_act_i >= RECALL;
  wire [3:0]  act_i  = quiet_q && begins ? 4'd15 : any_act_i;
  wire [1:0]  who_i  = 32'(any_who_i) < N ? any_who_i : 2'd0;
  wire [1:0]  next_i = 32'(any_next_i) < N ? any_next_i : 2'd0;

  // ---- the L1 of this step ----------------------------------------------------------------------
  wire [31:0] who = 32'(who_i);
  wire [1:0]  st  = 2'(st_q >> (2 * who));
  wire [1:0]  rk  = 2'(rk_q >> (2 * who));
  wire        pend = 1'(pend_q >> who), acc = 1'(acc_q >> who), copy_old = 1'(old_q >> who);
  wire [2:0]  up0 = 3'(up0_q >> (3 * who)), up1 = 3'(up1_q >> (3 * who));
  wire [2:0]  dn0 = 3'(dn0_q >> (3 * who)), dn1 = 3'(dn1_q >> (3 * who));
  wire        swap_up = Bug == 1 && act_i == RSP && up1 == 3'd5;          // RSP_NONE overtakes
  wire        swap_dn = Bug == 2 && act_i == DOWN && dn1 != 0;
  wire [2:0]  up  = swap_up ? up1 : up0, dn = swap_dn ? dn1 : dn0;
  wire        upx = 1'((swap_up ? up1x_q : up0x_q) >> who);
  wire        dnx = 1'((swap_dn ? dn1x_q : dn0x_q) >> who);

  wire l1_step = (act_i == LOAD && (!pend || Bug == 3)) || (act_i == STORE && !pend)
                 || (act_i == EVICT && st != 0) || (act_i == DOWN && dn0 != 0);
  logic [3:0] ev;
  always_comb begin
    case (act_i)
      LOAD:    ev = hd_pkg::L1E_LOAD;
      STORE:   ev = hd_pkg::L1E_STORE;
      EVICT:   ev = hd_pkg::L1E_EVICT;
      default: ev = 4'(dn) + 4'd1;  // DATA_S 2 .. FETCH_INV 8
    endcase
  end
  logic [1:0] t_next;
  logic       t_hit, t_data, t_legal;
  logic [5:0] t_req, t_rsp;
  hd_l1_mesi_table u_table (
    .state_i(st), .ev_i(ev), .next_o(t_next), .hit_o(t_hit), .req_o(t_req), .rsp_o(t_rsp),
    .data_o(t_data), .legal_o(t_legal)
  );
  wire l1_grant = act_i == DOWN && dn >= 3'd1 && dn <= 3'd4;
  wire l1_data  = act_i == DOWN && dn >= 3'd1 && dn <= 3'd3;
  wire writes   = l1_step && act_i == STORE && t_hit;

  // ---- the L2 -----------------------------------------------------------------------------------
  wire recall  = ph_q == R_FILL || ph_q == R_ANS;
  wire w_rsp   = act_i == RSP && up != 0;
  wire w_req   = act_i == REQ && rk != 0 && !acc;
  wire w_serve = act_i == SERVE && ph_q == P_SERVE;
  wire w_miss  = act_i == MISS && ph_q == P_MISS;   // the way's old line is gone, the tag is set
  wire w_fill  = (act_i == FILL && ph_q == R_FILL) || w_miss;
  wire w_mem   = act_i == MEM && ph_q == P_MEM;
  wire w_walk  = act_i == WALK && !absent_q;
  wire [1:0] head_kind = 2'(rk_q >> (2 * 32'(head_q)));
  wire [N-1:0] others  = acc_q & ~(N'(1) << head_q);  // chained behind the head
  hd_pkg::l2_work_s l2_work;
  hd_pkg::l2_line_s line;
  hd_pkg::l2_can_s  can;
  hd_pkg::l2_plan_s plan;
  hd_pkg::role_s    role;
  hd_pkg::l2_msg_s  to_send;
  hd_pkg::l2_next_s d;
  logic [N-1:0]     rest, d_shr;
  wire [5:0]        kind    = to_send.kind;
  wire [6:0]        ask_dst = to_send.sm;
  assign l2_work = {w_rsp, w_mem, 1'b0, w_fill, w_serve, w_req, w_walk};
  assign line = {!absent_q, 1'b1, !absent_q, ph_q != IDLE, recall, dirty_q, excl_q};
  assign can  = {3'b111, ph_q == P_MISS, ph_q == P_PUT, recall || ph_q == P_MISS, others != 0, 2'b11};
  assign role = recall ? 2'd0 : hd_pkg::l2_role(6'(head_kind));
  hd_l2_decide #(.Sms(N)) u_decide (
    .work_i(l2_work), .line_i(line), .sharers_i(shr_q), .rsp_i({6'(up) + 6'd3, 7'(who_i)}),
    .req_i({6'(rk), 7'(who_i)}), .m_i({role.role, 7'(head_q)}), .can_i(can), .todo_i(todo_q),
    .plan_o(plan), .send_o(to_send), .rest_o(rest), .next_o(d), .sharers_o(d_shr), .asked_o()
  );
  logic            req_ready, stall, walk_next, ask, grant, write_back, mem_read, data_we;
  logic            fill_push, fill_pop, serve_push, serve_pop, alloc, alloc_chain, alloc_recall;
  logic            recall_clr, wait_set, free, txn_clr, txn_we, touch, tag_we, wvalid, wlock;
  logic            wrecall, dir_we, at_start;
  assign {req_ready, stall, walk_next, ask, grant, write_back, mem_read, data_we, at_start,
          fill_push, fill_pop, serve_push, serve_pop, alloc, alloc_chain, alloc_recall,
          recall_clr, wait_set, free, txn_clr, txn_we, touch, tag_we, wvalid, wlock, wrecall,
          dir_we} = plan;
  // A grant with requests chained behind needs one of them named by next_i, else nothing happens.
  wire next_ok = others == 0 || 1'(others >> next_i);
  wire l2_step = w_rsp || (w_req && !stall) || (w_serve && (!grant || next_ok)) || w_fill || w_mem
                 || (w_walk && write_back);
  wire [1:0] dst = ask ? 2'(ask_dst) : w_req ? who_i : head_q;
  wire       send = l2_step && (ask || grant);

  // ---- the step ---------------------------------------------------------------------------------
  logic err;
  integer i;
  always_comb begin
    st_d = st_q; old_d = old_q; pend_d = pend_q; rk_d = rk_q; acc_d = acc_q;
    up0_d = up0_q; up1_d = up1_q; dn0_d = dn0_q; dn1_d = dn1_q;
    up0x_d = up0x_q; up1x_d = up1x_q; dn0x_d = dn0x_q; dn1x_d = dn1x_q;
    absent_d = absent_q; dirty_d = dirty_q; excl_d = excl_q; l2x_d = l2x_q; memx_d = memx_q;
    shr_d = shr_q; todo_d = todo_q; ph_d = ph_q; head_d = head_q;
    err = 1'b0;
    for (i = 0; i < N; i = i + 1) begin
      if (l1_step && who == i) begin
        st_d[2*i +: 2] = t_next;
        if (!t_legal) err = 1'b1;                               // unexpected message
        if (l1_data) old_d[i] = dnx;
        else if (st == 0) old_d[i] = t_next != 0;               // a copy out of nothing
        if (t_next == 0) old_d[i] = 1'b0;
        if (l1_grant && (!pend || rk != 0)) err = 1'b1;         // grant nobody asked for
        if (l1_grant) pend_d[i] = 1'b0;
        if (t_req != 0) begin
          if (rk != 0) err = 1'b1;                              // REQ: a second request
          rk_d[2*i +: 2] = 2'(t_req);
          pend_d[i] = 1'b1;
        end
        if (t_rsp != 0) begin
          if (up1 != 0) err = 1'b1;                             // RSP: a third message
          if (up0 == 0) begin up0_d[3*i +: 3] = 3'(t_rsp - 6'd3); up0x_d[i] = t_data && copy_old;
          end
          else begin up1_d[3*i +: 3] = 3'(t_rsp - 6'd3); up1x_d[i] = t_data && copy_old; end
        end
        if (act_i == DOWN) begin
          if (!swap_dn) begin dn0_d[3*i +: 3] = dn1; dn0x_d[i] = dn1x_q[i]; end
          dn1_d[3*i +: 3] = 0; dn1x_d[i] = 1'b0;
        end
      end
      if (w_rsp && who == i) begin
        if (!swap_up) begin up0_d[3*i +: 3] = up1; up0x_d[i] = up1x_q[i]; end
        up1_d[3*i +: 3] = 0; up1x_d[i] = 1'b0;
      end
      if (send && 32'(dst) == i) begin
        if (dn1_q[3*i +: 3] != 0) err = 1'b1;                   // down: a third message
        if (dn0_q[3*i +: 3] == 0) begin
          dn0_d[3*i +: 3] = 3'(kind - 6'd9); dn0x_d[i] = grant && kind != hd_pkg::MSG_ACK_M &&
              l2x_q;
        end else begin
          dn1_d[3*i +: 3] = 3'(kind - 6'd9); dn1x_d[i] = grant && kind != hd_pkg::MSG_ACK_M &&
              l2x_q;
        end
      end
      if (l2_step && grant && 32'(dst) == i) begin rk_d[2*i +: 2] = 0; acc_d[i] = 1'b0; end
      if (l2_step && alloc && who == i) acc_d[i] = 1'b1;
      // every other copy, and every message that carries data, is old from now on
      if (writes) begin
        old_d[i]  = who != i && st_q[2*i +: 2] != 0;
        up0x_d[i] = up0_q[3*i +: 3] == 1 || up0_q[3*i +: 3] == 4;
        up1x_d[i] = up1_q[3*i +: 3] == 1 || up1_q[3*i +: 3] == 4;
        dn0x_d[i] = dn0_q[3*i +: 3] >= 1 && dn0_q[3*i +: 3] <= 3;
        dn1x_d[i] = dn1_q[3*i +: 3] >= 1 && dn1_q[3*i +: 3] <= 3;
      end
    end
    if (l2_step) begin
      if (dir_we) begin dirty_d = d.dirty; excl_d = d.excl; shr_d = d_shr; end
      if (w_rsp && (d.bad || absent_q)) err = 1'b1;             // the line's state excludes it
      if (w_rsp && up > 3'd2 && ph_q != P_SERVE && ph_q != P_ANS && !recall) err = 1'b1;
      if (data_we) l2x_d = w_mem ? memx_q : upx;
      if (write_back) memx_d = l2x_q;
      if (ask) todo_d = rest;
      if (w_rsp && fill_push) begin if (ph_q != R_ANS) err = 1'b1; ph_d = R_FILL; end
      if (w_rsp && serve_push) begin
        if (ph_q != P_ANS && ph_q != P_PUT) err = 1'b1;
        ph_d = P_SERVE;
      end
      if (w_req && alloc && !alloc_chain) begin
        head_d = who_i;
        ph_d   = alloc_recall ? P_MISS : P_SERVE;
      end
      if (w_mem) ph_d = P_SERVE;
      if (w_miss) begin ph_d = P_MEM; absent_d = 1'b0; if (!mem_read) err = 1'b1; end
      if (w_fill && !w_miss) begin
        if (ask && fill_pop) ph_d = R_ANS;
        if (mem_read) begin ph_d = IDLE; absent_d = 1'b1; end   // the way is the other line's
      end
      if (w_serve) begin
        if (serve_pop) ph_d = P_ANS;
        if (wait_set && Bug != 4) ph_d = P_PUT;
        if (wait_set && Bug == 4) ph_d = P_SERVE;
        if (grant) ph_d = serve_push ? P_SERVE : IDLE;
        if (grant && others != 0) head_d = next_i;
      end
    end
    if (act_i == RECALL && ph_q == IDLE && !absent_q) ph_d = R_FILL;
    if (writes) begin
      l2x_d  = 1'b1;
      memx_d = 1'b1;
    end
  end

  always @(posedge clk_i) begin
    st_q <= st_d; old_q <= old_d; pend_q <= pend_d; rk_q <= rk_d; acc_q <= acc_d;
    up0_q <= up0_d; up1_q <= up1_d; dn0_q <= dn0_d; dn1_q <= dn1_d;
    up0x_q <= up0x_d; up1x_q <= up1x_d; dn0x_q <= dn0x_d; dn1x_q <= dn1x_d;
    absent_q <= absent_d; dirty_q <= dirty_d; excl_q <= excl_d; l2x_q <= l2x_d; memx_q <= memx_d;
    shr_q <= shr_d; todo_q <= todo_d; ph_q <= ph_d; head_q <= head_d;
      end

  // ---- properties -------------------------------------------------------------------------------
  logic [N-1:0] has, owns, waits_req;
  always_comb begin
    for (i = 0; i < N; i = i + 1) begin
      has[i]  = st_q[2*i +: 2] != 0;
      owns[i] = st_q[2*i+1];
      waits_req[i] = rk_q[2*i +: 2] != 0 && !acc_q[i];
    end
  end
  wire l2_can  = ph_q != IDLE && ph_q != P_ANS && ph_q != P_PUT && ph_q != R_ANS;
  wire work    = pend_q != 0 || ph_q != IDLE || up0_q != 0 || dn0_q != 0;
  wire can_go  = up0_q != 0 || dn0_q != 0 || l2_can || (waits_req != 0 && !recall);
  always @* begin
    single_writer: assert (owns == 0 || (has & (has - 1'b1)) == 0);
    data_value:    assert ((has & old_q) == 0);
    expected:      assert (!err);
    no_deadlock:   assert (!work || can_go);
  end

  initial quiet_q = 0;
  always @(posedge clk_i) quiet_q <= Drain != 0 && (quiet_q || &quiet_i);
  if (Drain != 0) begin : g_drain
    logic [5:0] steps_q;
    initial steps_q = 0;
    always @(posedge clk_i) begin
      if (quiet_q && (l1_step || l2_step) && steps_q != 6'(MaxDrain)) steps_q <= steps_q + 6'd1;
    end
    always @* begin
      drained:     assert (!work || steps_q != 6'(MaxDrain));
      takes_steps: cover (!work && 32'(steps_q) >= 8);
    end
  end

  // ---- covers: every race of docs/protocol_mesi.md
  // -----------------------------------------------
  always @* begin
    put_crosses_fetch:  cover (w_rsp && up == 5 && !recall && shr_q == 0 && dirty_q);
    request_before_put: cover (w_serve && wait_set);
    put_wakes:          cover (w_rsp && txn_clr);
    chained_then_none:  cover (w_rsp && up == 5 && others != 0);
    inv_no_copy:        cover (l1_step && act_i == DOWN && dn == 5 && st == 0);
    inv_asked_again:    cover (l1_step && act_i == DOWN && dn == 5 && st == 0 && acc && rk == 1);
    two_upgrades:       cover (w_serve && grant && head_kind == 3 && kind == hd_pkg::MSG_DATA_M);
    lost_copy:          cover (l1_step && act_i == DOWN && dn == 4 && st == 0);
    lost_copy_fetched:  cover (up0 == 2 && up1 == 5);
    recall_of_sharers:  cover (w_fill && ask && kind == hd_pkg::MSG_INV && rest != 0);
    recall_crosses_put: cover (w_rsp && up == 1 && ph_q == R_ANS);
    request_in_recall:  cover (w_req && stall);
    evicted_dirty:      cover (w_fill && write_back);
    back_from_memory:   cover (w_mem && others != 0);
    down_full:          cover (dn1 != 0);
  end
  // every row of the L1 table that is legal
  for (genvar r = 0; r < 40; r = r + 1) begin : g_row
    // rows: LOAD STORE DATA_S DATA_E DATA_M ACK_M INV FETCH FETCH_INV EVICT, bit s: state s
    localparam logic [39:0] Legal = {4'b1110, 4'b1101, 4'b1101, 4'b0011, 4'b0011, 4'b0001, 4'b0001,
                                     4'b0001, 4'b1111, 4'b1111};
    if (Legal[r]) begin : g_legal
      always @* cover (l1_step && 32'(ev) == r / 4 && 32'(st) == r % 4);
    end
  end
  always @* begin
    walked:             cover (w_walk && write_back && excl_q);
  end
endmodule
`default_nettype wire
