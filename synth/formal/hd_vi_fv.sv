// hd_vi_fv.sv - proof of the write-through protocol: N L1s, directory, memory, one line, any order.
//
// The decisions are the RTL's own: one hd_l1_vi_table and one hd_l2_decide (with hd_dir_vi) are in
// here. The model around them is that of hd_mesi_fv: states, messages on their way, requests
// chained at the L2; one step a clock, chosen by the free inputs, so every order of deliveries,
// accesses, evictions and recalls is covered. What hd_l1_vi does around its table (a load joins a
// request, a store marks it, waiting loads go first) is in the model. docs/formal.md.
//
// An L1 has at most Stores stores and atomics and one GETS out, so Stores + 1 requests on the
// ordered network and in the chain, where the order of each L1 is kept; chains of different L1s
// mix in any order. Down holds an answer for each and an INV, RSP an INV_ACK: that they never hold
// more is proved.
// A datum is one bit: "not the value of the line". That value changes when the directory grants a
// WT or an ATOMIC, the only moment at which a store is performed. A copy counts as the line with
// the own stores that are out; only without any may it be read.
// Prt: a pending request table, which refuses every access to a line on its way.
// Drain: each step that begins nothing new makes what is unfinished less, counted in weights: so
// without new accesses, evictions, recalls and walks the machine comes to rest ("no deadlock": while
// it has not, such a step is possible). REPLAY counts once, for the last load that waited.
// Bug 1: a GETS overtakes the store in front of it. Bug 2: down messages out of order. Bug 3: a
// store does not mark the request of its line. Bug 4: a load hits while stores are out. Bug 5: a
// load joins a marked request. Bug 6: another access comes before the waiting loads.
//@ proof vi_2 pdr N=2
//@ proof vi_3 pdr N=3 Stores=1
//@ proof vi_2_prt pdr N=2 Prt=1
//@ proof vi_2_drain pdr N=2 Drain=1
//@ proof vi_3_drain pdr N=3 Stores=1 Drain=1
//@ bug request_order Bug=1
//@ bug down_order Bug=2
//@ bug@vi_2_prt request_order Bug=1
//@ bug@vi_2_prt down_order Bug=2
//@ bug@vi_2_prt load_passes_store Bug=4
//@ bug@vi_2_prt sharers_ignored l2/hd_dir_vi.sv s/targets_o = sharers_i & ~self_i/targets_o = '0/
//@ bug@vi_2_drain sharer_stays l2/hd_dir_vi.sv s/sharers_o  = sharers_i & ~from_i/sharers_o = sharers_i/
//@ bug@vi_2_drain not_written_back l2/hd_l2_updates.sv s/write_back = dir_i.evict && line_i.dirty/write_back = 1'b0/
//@ bug@vi_3_drain sharer_stays l2/hd_dir_vi.sv s/sharers_o  = sharers_i & ~from_i/sharers_o = sharers_i/
//@ bug not_marked Bug=3
//@ bug load_passes_store Bug=4
//@ bug joins_marked Bug=5
//@ bug fill_not_used Bug=6
//@ bug copy_not_written l1/hd_l1_vi_table.sv s/write_o = held/write_o = 1'b0/
//@ bug atomic_keeps_copy l1/hd_l1_vi_table.sv /MSG_ATOMIC;/,/end/s/next_o = hd_pkg::ST_I/next_o = state_i/
//@ bug old_data_stay l1/hd_l1_vi_table.sv /L1E_LAST:/,/end/s/next_o  = hd_pkg::ST_I/next_o  = state_i/
//@ bug inv_keeps_copy l1/hd_l1_vi_table.sv /L1E_INV:/,/end/s/next_o = hd_pkg::ST_I/next_o = state_i/
//@ bug inv_unanswered l1/hd_l1_vi_table.sv s/rsp_o  = hd_pkg::MSG_INV_ACK/rsp_o  = hd_pkg::MSG_NONE/
//@ bug sharers_ignored l2/hd_dir_vi.sv s/targets_o = sharers_i & ~self_i/targets_o = '0/
//@ bug forgotten_sharer l2/hd_dir_vi.sv s/sharers_o   = sharers_i | self_i/sharers_o = sharers_i/
//@ bug ack_too_early l2/hd_dir_vi.sv s/done = (sharers_o & ~self_i) == '0/done = 1'b1/
//@ bug not_dirty l2/hd_dir_vi.sv s/dirty = 1'b1;/dirty = dirty_i;/
//@ bug store_lost l2/hd_l2_updates.sv s/data_we    = thru \&\& grant \&\& m_role_i != hd_pkg::ROLE_READ/data_we    = 1'b0/
//@ bug no_write_back l2/hd_l2_updates.sv s/write_back = dir_i.evict && line_i.dirty/write_back = 1'b0/
//@ bug chain_lost l2/hd_l2_updates.sv s/serve_push = grant \&\& can_i.m_next_ok/serve_push = 1'b0/
`default_nettype none
module hd_vi_fv #(
  parameter int unsigned N        = 2,
  parameter int unsigned Stores   = 2,
  parameter int unsigned Prt      = 0,
  parameter int unsigned Drain    = 0,
  parameter int unsigned Bug      = 0
) (
  input logic       clk_i,
  input logic [3:0] any_act_i,    // act_i, if it may be; 15: DOWN once more, for covers
  input logic [1:0] any_who_i,    // who_i and next_i, if it is one
  input logic [1:0] any_next_i,
  input logic       any_more_i    // replay: more loads wait
);
  localparam logic [3:0] LOAD = 0, STORE = 1, ATOMIC = 2, EVICT = 3, DOWN = 4, REPLAY = 5, RSP = 6,
                         REQ = 7, SERVE = 8, FILL = 9, MEM = 10, MISS = 11, DONE = 12, RECALL = 13,
                         WALK = 14;
  // what the L2 is doing with the line: nothing; its miss waits for a way; memory was asked; the
  // request `head` is to be served, waits for answers, is an atomic at work; another line wants
  // the way and the copies are to be recalled, answers to that are waited for
  localparam logic [2:0] IDLE = 0, P_MISS = 1, P_MEM = 2, P_SERVE = 3, P_ANS = 4, P_AT = 5,
                         R_FILL = 6, R_ANS = 7;
  localparam logic [1:0] GETS = 1, WT = 2, AT = 3;                  // requests; 0 none
  localparam logic [2:0] DATA = 1, WT_ACK = 2, AT_DATA = 3, INV = 4;  // down messages; 0 none
  localparam int unsigned R = Stores + 1, D = Stores + 2;           // places up and down

  // L1s. Slice i belongs to L1 i; of its slice of a channel the lowest place is the oldest.
  logic [N-1:0]     v_q, v_d;        // it has a copy
  logic [N-1:0]     old_q, old_d;    // ... which is not the line with its stores that are out
  logic [N-1:0]     pend_q, pend_d;  // a GETS has not been answered
  logic [N-1:0]     mark_q, mark_d;  // ... and a store followed it
  logic [N-1:0]     rp_q, rp_d;      // ... the data are here, loads that waited for them go first
  logic [2*N-1:0]   out_q, out_d;    // stores and atomics without an answer
  logic [2*R*N-1:0] req_q, req_d;    // requests, until they are granted
  logic [2*N-1:0]   acc_q, acc_d;    // so many of them are at the L2
  logic [3*D*N-1:0] dn_q, dn_d;
  logic [N-1:0]     dnx_q, dnx_d;    // the DATA on down is not the value of the line
  logic [N-1:0]     up_q, up_d;      // INV_ACK
  // L2 and memory
  logic             absent_q, absent_d;  // the L2 does not have the line (not inverted: reset is 0)
  logic             dirty_q, dirty_d, l2x_q, l2x_d, memx_q, memx_d;
  logic [N-1:0]     shr_q, shr_d, todo_q, todo_d;
  logic [2:0]       ph_q, ph_d;
  logic [1:0]       head_q, head_d;
  initial begin
    v_q = 0; old_q = 0; pend_q = 0; mark_q = 0; rp_q = 0; out_q = 0; req_q = 0; acc_q = 0;
    dn_q = 0; dnx_q = 0; up_q = 0; absent_q = 0; dirty_q = 0; l2x_q = 0; memx_q = 0; shr_q = 0;
    todo_q = 0; ph_q = 0; head_q = 0;
  end

  wire [3:0]  act_i  = any_act_i == 4'd15 ? DOWN : any_act_i;
  wire [1:0]  who_i  = 32'(any_who_i) < N ? any_who_i : 2'd0;
  wire [1:0]  next_i = 32'(any_next_i) < N ? any_next_i : 2'd0;

  // ---- the L1 of this step ----------------------------------------------------------------------
  wire [31:0] who  = 32'(who_i);
  wire        v    = 1'(v_q >> who), pend = 1'(pend_q >> who), mark = 1'(mark_q >> who);
  wire        rp   = 1'(rp_q >> who), copy_old = 1'(old_q >> who), dnx = 1'(dnx_q >> who);
  wire [1:0]  outn = 2'(out_q >> (2 * who)), acc = 2'(acc_q >> (2 * who));
  wire [2*R+1:0] reqs = {2'b0, (2*R)'(req_q >> (2 * R * who))};
  wire [3*D-1:0] dns  = (3*D)'(dn_q >> (3 * D * who));
  wire        swap_dn = Bug == 2 && act_i == DOWN && dns[5:3] != 0;
  wire [2:0]  dn   = swap_dn ? dns[5:3] : dns[2:0];

  wire l1_free = !rp || Bug == 6;
  wire joins   = act_i == LOAD && pend && l1_free && (!mark || Bug == 5) && Prt == 0;
  wire l_load  = act_i == LOAD && !pend && l1_free;
  wire l_write = (act_i == STORE || act_i == ATOMIC) && l1_free && 32'(outn) < Stores
                 && !(pend && Prt != 0);
  wire l_down  = act_i == DOWN && dn != 0 && l1_free;
  wire l_done  = l_down && (dn == WT_ACK || dn == AT_DATA);
  wire l_table = l_load || l_write || (act_i == EVICT && l1_free) || (l_down && !l_done)
                 || (act_i == REPLAY && rp);
  wire l1_step = l_table || l_done || joins;
  wire l_fill  = l_down && dn == DATA;
  wire l_last  = act_i == REPLAY && rp && !any_more_i;  // the last load that waited
  logic [3:0] ev;
  always_comb begin
    case (act_i)
      LOAD:    ev = (outn != 0 && Bug != 4) ? hd_pkg::L1E_LOAD_OUT : hd_pkg::L1E_LOAD;
      STORE:   ev = hd_pkg::L1E_STORE;
      ATOMIC:  ev = hd_pkg::L1E_ATOMIC;
      EVICT:   ev = hd_pkg::L1E_EVICT;
      REPLAY:  ev = (l_last && mark) ? hd_pkg::L1E_LAST : hd_pkg::L1E_LOAD;
      default: ev = (dn == DATA) ? hd_pkg::L1E_DATA_S : hd_pkg::L1E_INV;
    endcase
  end
  wire  [1:0] st = {1'b0, v};  // ST_I, ST_S
  logic [1:0] t_next;
  logic       t_hit, t_write, t_legal;
  logic [5:0] t_req, t_rsp;
  hd_l1_vi_table u_table (
    .state_i(st), .ev_i(ev), .next_o(t_next), .hit_o(t_hit), .req_o(t_req), .rsp_o(t_rsp),
    .write_o(t_write), .legal_o(t_legal)
  );
  logic [1:0] new_req;
  always_comb begin
    case (t_req)
      hd_pkg::MSG_GETS:   new_req = GETS;
      hd_pkg::MSG_WT:     new_req = WT;
      hd_pkg::MSG_ATOMIC: new_req = AT;
      default:            new_req = 2'd0;
    endcase
  end
  wire reads = l_load && t_hit;  // a load is performed from a copy

  // ---- the L2 -----------------------------------------------------------------------------------
  wire recall  = ph_q == R_FILL || ph_q == R_ANS;
  wire [1:0] rk = 2'(reqs >> (2 * 32'(acc)));       // the oldest request on the network
  wire w_rsp   = act_i == RSP && 1'(up_q >> who);
  wire w_req   = act_i == REQ && rk != 0;
  wire w_serve = act_i == SERVE && ph_q == P_SERVE;
  wire w_done  = act_i == DONE && ph_q == P_AT;
  wire w_miss  = act_i == MISS && ph_q == P_MISS;   // the way's old line is gone, the tag is set
  wire w_fill  = (act_i == FILL && ph_q == R_FILL) || w_miss;
  wire w_mem   = act_i == MEM && ph_q == P_MEM;
  wire w_walk  = act_i == WALK && !absent_q;
  wire [1:0] head_kind = 2'(req_q >> (2 * R * 32'(head_q)));
  logic [N-1:0] others;                             // L1s that have requests behind the head
  logic [5:0]   req_kind;
  integer j;
  always_comb begin
    for (j = 0; j < N; j = j + 1) begin
      others[j] = (32'(head_q) == j) ? acc_q[2*j +: 2] > 2'd1 : acc_q[2*j +: 2] != 2'd0;
    end
    case (rk)
      GETS:    req_kind = hd_pkg::MSG_GETS;
      WT:      req_kind = hd_pkg::MSG_WT;
      AT:      req_kind = hd_pkg::MSG_ATOMIC;
      default: req_kind = hd_pkg::MSG_NONE;
    endcase
  end
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
  assign l2_work = {w_rsp, w_mem, w_done, w_fill, w_serve, w_req, w_walk};
  assign line = {!absent_q, 1'b1, !absent_q, ph_q != IDLE, recall, dirty_q, 1'b0};
  assign can  = {3'b111, ph_q == P_MISS, 1'b0, recall || ph_q == P_MISS, others != 0, 2'b11};
  assign role = recall ? 2'd0 : head_kind == WT ? hd_pkg::ROLE_WRITE
                              : head_kind == AT ? hd_pkg::ROLE_RMW : hd_pkg::ROLE_READ;
  hd_l2_decide #(.Family(hd_pkg::FAMILY_VI), .Sms(N)) u_decide (
    .work_i(l2_work), .line_i(line), .sharers_i(shr_q), .rsp_i({hd_pkg::MSG_INV_ACK, 7'(who_i)}),
    .req_i({req_kind, 7'(who_i)}), .m_i({role.role, 7'(head_q)}), .can_i(can), .todo_i(todo_q),
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
  // A grant with requests chained behind needs an L1 with one of them named by next_i, else nothing
  // happens.
  wire next_ok = others == 0 || 1'(others >> next_i);
  wire l2_step = w_rsp || (w_req && !stall) || ((w_serve || w_done) && (!grant || next_ok))
                 || w_fill || w_mem || (w_walk && write_back);
  wire [1:0] dst  = ask ? 2'(ask_dst) : w_req ? who_i : head_q;
  wire       send = l2_step && (ask || grant);
  wire       performs = l2_step && grant && kind != hd_pkg::MSG_DATA_S;  // a store or an atomic
  logic [2:0]     msg;
  logic [3*D-1:0] to, pushed;      // the channel to dst, before and after
  logic [2*R-1:0] from, asked;     // the requests of who, before and after
  integer k;
  always_comb begin
    case (kind)
      hd_pkg::MSG_DATA_S:  msg = DATA;
      hd_pkg::MSG_WT_ACK:  msg = WT_ACK;
      hd_pkg::MSG_AT_DATA: msg = AT_DATA;
      default:             msg = INV;
    endcase
    to = (3*D)'(dn_q >> (3 * D * 32'(dst)));
    pushed = to;
    for (k = D - 1; k >= 0; k = k - 1) begin
      if (to[3*k +: 3] == 0 && (k == 0 || to[3*((k == 0) ? 0 : k - 1) +: 3] != 0)) begin
        pushed[3*k +: 3] = msg;
      end
    end
    from = reqs[2*R-1:0];
    asked = from;
    for (k = R - 1; k >= 0; k = k - 1) begin
      if (from[2*k +: 2] == 0 && (k == 0 || from[2*((k == 0) ? 0 : k - 1) +: 2] != 0)) begin
        asked[2*k +: 2] = new_req;
      end
    end
    if (Bug == 1 && new_req == GETS && from[3:2] == 0 && from[1:0] != 0 && acc == 0) begin
      asked[3:0] = {from[1:0], GETS};
    end
  end

  // ---- the step ---------------------------------------------------------------------------------
  logic err;
  integer i;
  always_comb begin
    v_d = v_q; old_d = old_q; pend_d = pend_q; mark_d = mark_q; rp_d = rp_q; out_d = out_q;
    req_d = req_q; acc_d = acc_q; dn_d = dn_q; dnx_d = dnx_q; up_d = up_q;
    absent_d = absent_q; dirty_d = dirty_q; l2x_d = l2x_q; memx_d = memx_q;
    shr_d = shr_q; todo_d = todo_q; ph_d = ph_q; head_d = head_q;
    err = 1'b0;
    for (i = 0; i < N; i = i + 1) begin
      if (l_table && who == i) begin
        v_d[i] = t_next != 0;
        if (!t_legal || t_next > 2'd1) err = 1'b1;              // unexpected message
        if (l_fill) begin
          old_d[i] = dnx || mark;
          rp_d[i]  = 1'b1;
          if (!pend || rp) err = 1'b1;                          // data nobody asked for
        end
        if (act_i == REPLAY && !t_hit) err = 1'b1;              // a load that waited finds no copy
        if (act_i == STORE && v && !t_write) old_d[i] = 1'b1;
        if (t_next == 0) old_d[i] = 1'b0;
        if (l_last) begin rp_d[i] = 1'b0; pend_d[i] = 1'b0; mark_d[i] = 1'b0; end
        if (l_write) begin
          out_d[2*i +: 2] = outn + 2'd1;
          if (pend && Bug != 3) mark_d[i] = 1'b1;
        end
        if (new_req == GETS) pend_d[i] = 1'b1;
        if (new_req != 0) begin
          if (reqs[2*R-1 -: 2] != 0) err = 1'b1;                // REQ: one too many
          req_d[2*R*i +: 2*R] = asked;
        end
        if (t_rsp != 0) begin
          if (up_q[i]) err = 1'b1;                              // RSP: a second message
          up_d[i] = 1'b1;
        end
      end
      if (l_done && who == i) begin
        if (outn == 0) err = 1'b1;                              // an answer nobody waits for
        out_d[2*i +: 2] = outn - 2'd1;
      end
      if (l_down && who == i) begin
        dn_d[3*D*i +: 3*D] = swap_dn ? {3'd0, dns[3*D-1:6], dns[2:0]} : {3'd0, dns[3*D-1:3]};
      end
      if (w_rsp && who == i) up_d[i] = 1'b0;
      if (send && 32'(dst) == i) begin
        if (to[3*D-1 -: 3] != 0) err = 1'b1;                    // down: one too many
        dn_d[3*D*i +: 3*D] = pushed;
        if (msg == DATA) dnx_d[i] = l2x_q;
      end
      if (l2_step && grant && 32'(dst) == i) begin
        req_d[2*R*i +: 2*R] = {2'd0, req_q[2*R*i+2 +: 2*R-2]};
        if (w_req && acc_q[2*i +: 2] != 0) err = 1'b1;          // it overtakes those that wait
        if (!w_req) acc_d[2*i +: 2] = acc_q[2*i +: 2] - 2'd1;
      end
      if (l2_step && alloc && who == i) acc_d[2*i +: 2] = acc + 2'd1;
      // all data but the writer's copy are not the line's any more; nor is that, after an atomic
      if (performs) begin
        dnx_d[i] = 1'b1;
        if (32'(dst) != i || kind == hd_pkg::MSG_AT_DATA) old_d[i] = v_q[i];
      end
    end
    if (l2_step) begin
      if (dir_we) begin dirty_d = d.dirty; shr_d = d_shr; end
      if (w_rsp && (d.bad || absent_q)) err = 1'b1;             // the line's state excludes it
      if (w_rsp && ph_q != P_SERVE && ph_q != P_ANS && !recall) err = 1'b1;
      if (w_mem) l2x_d = memx_q;
      if (write_back) memx_d = l2x_q;
      if (ask) todo_d = rest;
      if (w_rsp && fill_push) begin if (ph_q != R_ANS) err = 1'b1; ph_d = R_FILL; end
      if (w_rsp && serve_push) begin if (ph_q != P_ANS) err = 1'b1; ph_d = P_SERVE; end
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
      if (w_serve || w_done) begin
        if (w_serve && serve_pop) ph_d = at_start ? P_AT : P_ANS;
        if (grant) ph_d = serve_push ? P_SERVE : IDLE;
        if (grant && others != 0) head_d = next_i;
      end
    end
    if (act_i == RECALL && ph_q == IDLE && !absent_q) ph_d = R_FILL;
    if (performs) begin
      memx_d = 1'b1;
      if (!data_we) l2x_d = 1'b1;
    end
  end

  always @(posedge clk_i) begin
    v_q <= v_d; old_q <= old_d; pend_q <= pend_d; mark_q <= mark_d; rp_q <= rp_d; out_q <= out_d;
    req_q <= req_d; acc_q <= acc_d; dn_q <= dn_d; dnx_q <= dnx_d; up_q <= up_d;
    absent_q <= absent_d; dirty_q <= dirty_d; l2x_q <= l2x_d; memx_q <= memx_d;
    shr_q <= shr_d; todo_q <= todo_d; ph_q <= ph_d; head_q <= head_d;
  end

  // ---- properties -------------------------------------------------------------------------------
  logic data_on_dn;              // DATA is on its way to the L1 of this step
  logic [N-1:0] arriving, waits_req;
  integer p;
  always_comb begin
    data_on_dn = 1'b0;
    for (p = 0; p < D; p = p + 1) if (dns[3*p +: 3] == DATA) data_on_dn = 1'b1;
    for (p = 0; p < N; p = p + 1) begin
      arriving[p]  = dn_q[3*D*p +: 3] != 0;
      waits_req[p] = 2'({2'b0, req_q[2*R*p +: 2*R]} >> (2 * 32'(acc_q[2*p +: 2]))) != 0;
    end
  end
  wire l2_can  = ph_q != IDLE && ph_q != P_ANS && ph_q != R_ANS;
  wire work    = pend_q != 0 || out_q != 0 || ph_q != IDLE || up_q != 0 || dn_q != 0;
  wire can_go  = up_q != 0 || arriving != 0 || rp_q != 0 || l2_can || (waits_req != 0 && !recall);
  always @* begin
    data_value:   assert ((v_q & old_q & ~(rp_q & mark_q)) == 0);
    grants_value: assert (!(l2_step && l2x_q && ((grant && msg == DATA) || at_start)));
    not_early:    assert (!reads || outn == 0);
    own_store:    assert (!l_fill || mark || outn == 0);
    joins_value:  assert (!joins || !data_on_dn || !dnx);
    expected:     assert (!err);
    no_deadlock:  assert (!work || can_go);
  end

  // ---- drain ------------------------------------------------------------------------------------
  // What is unfinished, in steps it may still take: of an L1 its requests on the network or at the L2,
  // messages on down and up, loads that wait, and whether it is a sharer to be invalidated; of the L2
  // where it is with its head, and data to be written back. A step touches one L1 and the L2: the sum
  // gets less when theirs does and no other L1's changes.
  function automatic logic [2:0] rest_l2(input logic [2:0] ph, input logic dirty);
    case (ph)
      IDLE:           rest_l2 = 3'd0 + 3'(dirty);
      P_MISS:         rest_l2 = 3'd4 + 3'(dirty);
      P_MEM:          rest_l2 = 3'd3 + 3'(dirty);
      P_SERVE, P_ANS: rest_l2 = 3'd2 + 3'(dirty);
      default:        rest_l2 = 3'd1 + 3'(dirty);
    endcase
  endfunction
  function automatic logic [6:0] rest_l1(
    input logic [2*R-1:0] req, input logic [1:0] acc, input logic [3*D-1:0] dn, input logic up,
    input logic rp, input logic shr
  );
    logic   inv;
    integer b;
    inv = up;
    rest_l1 = 7'(up) + 7'(rp);
    for (b = 0; b < R; b = b + 1) begin
      if (req[2*b +: 2] != 0) rest_l1 = rest_l1 + (b < 32'(acc) ? 7'd7 : 7'd12);
    end
    for (b = 0; b < D; b = b + 1) begin
      if (dn[3*b +: 3] == INV) inv = 1'b1;
      if (dn[3*b +: 3] == DATA || dn[3*b +: 3] == INV) rest_l1 = rest_l1 + 7'd1;
      if (dn[3*b +: 3] != 0) rest_l1 = rest_l1 + 7'd1;
    end
    if (shr && !inv) rest_l1 = rest_l1 + 7'd3;
  endfunction
  if (Drain != 0) begin : g_drain
    wire        finishes = l_down || l_last || (l2_step && !w_walk);
    wire [31:0] touched = (l2_step && ask) ? 32'(ask_dst) : (w_serve || w_done || w_mem || w_fill) ? 32'(head_q) : who;
    logic [N-1:0] same, less;
    for (genvar g = 0; g < N; g = g + 1) begin : g_l1
      wire [6:0] was = rest_l1(req_q[2*R*g +: 2*R], acc_q[2*g +: 2], dn_q[3*D*g +: 3*D], up_q[g], rp_q[g], shr_q[g]);
      wire [6:0] is  = rest_l1(req_d[2*R*g +: 2*R], acc_d[2*g +: 2], dn_d[3*D*g +: 3*D], up_d[g], rp_d[g], shr_d[g]);
      assign same[g] = was == is;
      assign less[g] = 8'(is) + 8'(rest_l2(ph_d, dirty_d)) < 8'(was) + 8'(rest_l2(ph_q, dirty_q));
      always @* begin
        assert (!finishes || same[g] || touched == g);
        assert (!finishes || less[g] || touched != g);
        cover (finishes && was >= 7'd16 && touched == g);
        cover (finishes && was != 7'd0 && is == 7'd0 && touched == g);
      end
    end
  end

  // ---- covers: every race of docs/protocol_vi.md ------------------------------------------------
  wire inv_down = l_down && dn == INV;
  always @* begin
    inv_no_copy:        cover (inv_down && !v);
    inv_before_get:     cover (inv_down && pend && acc != 0);
    inv_before_store:   cover (inv_down && v && outn != 0 && acc != 0);
    two_writers:        cover (w_serve && ask && shr_q[1:0] == 2'b11 && head_kind == WT);
    hits:               cover (reads);
    joined:             cover (Prt != 0 || (joins && data_on_dn));
    get_behind_store:   cover (l_fill && v && !mark);
    store_before_data:  cover (Prt != 0 || (l_fill && mark && dnx && outn != 0));
    store_at_once:      cover (w_req && performs);
    store_waited:       cover (w_serve && performs && others != 0);
    atomic_done:        cover (w_done && performs && others != 0);
    own_chain:          cover ((w_serve || w_done) && grant && others[0] && head_q == 0);
    recall_of_sharers:  cover (w_fill && ask && rest != 0);
    store_in_recall:    cover (w_req && stall && rk == WT);
    chained_to_miss:    cover (w_req && alloc && ph_q == P_MISS);
    evicted_dirty:      cover (w_fill && write_back);
    back_from_memory:   cover (w_mem && others != 0);
    walked:             cover (w_walk && write_back && shr_q != 0);
    down_full:          cover (dns[3*D-4 -: 3] != 0);
  end
  // every row of the L1 table that is legal, bit s: state s
  for (genvar r = 0; r < 26; r = r + 1) begin : g_row
    // events 12 LAST, 11 LOAD_OUT, 10 ATOMIC, 9 EVICT, 6 INV, 2 DATA_S, 1 STORE, 0 LOAD
    localparam logic [25:0] Legal = {(Prt != 0) ? 2'b00 : 2'b10, 2'b11, 2'b11, 2'b11, 4'b0000,
                                     2'b11, 6'b000000, 2'b11, 2'b11, 2'b11};
    if (Legal[r]) begin : g_legal
      always @* cover (l_table && 32'(ev) == r / 2 && 32'(st) == r % 2);
    end
  end
endmodule
`default_nettype wire
