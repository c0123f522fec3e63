// hd_gpu_fv.sv - proof of GPU coherence: N L1s, the L2, memory, one word of a line, any order.
//
// The decisions are the RTL's own: one hd_l1_gpu_table and one hd_dir_gpu are in here. One step a
// clock, chosen by the free inputs. REQ is a FIFO an L1 (the protocol needs that order), answers
// come in any order. The line's other words are what they can do to this one: a READ of them brings
// it along (OTHER). An L1 has one READ, one access performed at the L2 and two WTs out.
// docs/formal.md.
//
// ex: the word has been written at the L2 since the data left. b, eb: a value is older than the
// last acquire, or the last write, of its own L1: nobody may read it there.
// Bug 1: REQ out of order. Bug 2: a load joins a READ of before an acquire. Bug 3: acquires leave
// V. Bug 4: an access performed at the L2 does not mark the READ that is out. Bug 5: data of before
// an acquire stay. Bug 6: the line of a READ is evicted. Bug 7: a READ does not skip what an INV took.
// INVs of an inclusive L2 may come at any time: nothing here rests on when it sends them.
// Drain: each step that begins nothing new makes what is unfinished less, counted in weights: so
// without new accesses, flush steps, evictions and needs of the way the machine comes to rest ("no
// deadlock": while it has not, such a step is possible). Bug 12: a line from memory is not kept.
// Bug 13: an ATOMIC is performed again and again. Bug 14: the L2 serves a WT and does not answer.
//@ proof gpu_2 pdr N=2
//@ proof gpu_3 pdr N=3
//@ proof gpu_2_drain pdr N=2 Drain=1
//@ proof gpu_3_drain pdr N=3 Drain=1
//@ bug@gpu_2_drain fetched_again Bug=12
//@ bug@gpu_2_drain performed_again Bug=13
//@ bug@gpu_2_drain wt_not_answered Bug=14
//@ bug@gpu_2_drain atomic_forgotten l2/hd_dir_gpu.sv s/perform = at_i.later/perform = 1'b0/
//@ bug@gpu_2_drain read_not_served l2/hd_dir_gpu.sv s/MSG_DATA_S/MSG_NONE/
//@ bug@gpu_3_drain fetched_again Bug=12
//@ bug@gpu_3_drain performed_again Bug=13
//@ bug req_order Bug=1
//@ bug merge_old Bug=2
//@ bug acquire_keeps_valid Bug=3
//@ bug at_no_skip Bug=4
//@ bug fill_survives_acquire Bug=5
//@ bug pin_lost Bug=6
//@ bug inv_no_skip Bug=7
//@ bug inv_drops_dirty l1/hd_l1_gpu_table.sv s/hd_pkg::WEV_INV: v_o = '0;/hd_pkg::WEV_INV: begin v_o = '0; d_o = '0; end/
//@ bug at_keeps_copy l1/hd_l1_gpu_table.sv s/          v_o\(   \|        \)= v_i . ~words_i;/          v_o = v_i;/
//@ bug at_passes_dirty l1/hd_l1_gpu_table.sv s/else if ((words_i . d_i) != '0) begin/else if (1'b0) begin/
//@ bug evict_loses_dirty l1/hd_l1_gpu_table.sv s/if (d_i != '0) says_o.req/if (1'b0) says_o.req/
//@ bug fill_over_dirty l1/hd_l1_gpu_table.sv s/write_o = ~(v_i | d_i)/write_o = ~v_i/
//@ bug skipped_joined l1/hd_l1_gpu_table.sv s/(missing . skip_i) != '0/1'b0/
//@ bug no_guard l1/hd_l1_gpu_table.sv s/guarded = (words_i . guard_i) != '0/guarded = 1'b0/
//@ bug no_write_back l2/hd_dir_gpu.sv s/back   = !at_i.here .. !at_i.shared .. at_i.dirty/back = 1'b0/;s/fetch  = !at_i.here .. !at_i.shared .. !at_i.dirty/fetch = !at_i.here/
//@ bug performed_at_once l2/hd_dir_gpu.sv s/now = at_i.later || (at_i.here .. !at_i.busy)/now = at_i.later || at_i.here/
`default_nettype none
module hd_gpu_fv #(
  parameter int unsigned N     = 2,
  parameter int unsigned Drain = 0,
  parameter int unsigned Bug   = 0
) (
  input logic       clk_i,
  input logic [3:0] any_act_i,
  input logic [1:0] any_who_i
);
  localparam logic [3:0] LOAD = 0, STORE = 1, SYNC = 2, LOCAL = 3, FLUSH = 4, EVICT = 5,
                         ACQUIRE = 6, OTHER = 7, NEEDED = 8, DATA = 9, WT_ACK = 10, AT_DATA = 11,
                         REQ = 12, MEM = 13, PERFORM = 14, INV = 15;
  localparam logic [1:0] Q_READ = 1, Q_WT = 2, Q_AT = 3;
  localparam int unsigned D = 4;  // a READ, two WTs, an ATOMIC
  logic [N-1:0] v_q, v_d, d_q, d_d, b_q, b_d;
  // the READ: out, waited for, to skip the word, old, asked for since the last acquire; data on
  // their way, written since, too old for this L1
  logic [N-1:0] ev_q, ev_d, en_q, en_d, es_q, es_d, eo_q, eo_d, ej_q, ej_d, el_q, el_d;
  logic [N-1:0] ex_q, ex_d, eb_q, eb_d;
  logic [2*D*N-1:0] rq_q, rq_d;
  logic [2*N-1:0] wo_q, wo_d;              // WT_ACKs on their way
  logic [2*N-1:0] wc_q, wc_d;              // WTs without an answer, as the L1 counts them
  logic [N-1:0] at_q, at_d, ar_q, ar_d;    // an access is out; AT_DATA on its way
  logic [N-1:0] own_q, own_d;              // a store of this L1 is not yet written at the L2
  logic       here_q, here_d, fetch_q, fetch_d, lock_q, lock_d, dirty_q, dirty_d, memx_q, memx_d;
  logic [1:0] by_q, by_d;                  // whose ATOMIC has the line
  initial begin
    v_q = 0; d_q = 0; b_q = 0; ev_q = 0; en_q = 0; es_q = 0; eo_q = 0; ej_q = 0; el_q = 0; ex_q = 0;
    eb_q = 0; rq_q = 0; wo_q = 0; wc_q = 0; at_q = 0; ar_q = 0; own_q = 0; here_q = 0; fetch_q = 0;
    lock_q = 0; dirty_q = 0; memx_q = 0; by_q = 0;
  end
  wire [3:0]  act = any_act_i;
  wire [1:0]  who_i = 32'(any_who_i) < N ? any_who_i : 2'd0;
  wire [31:0] who = 32'(who_i);

  // ---- the L1 of this step ----------------------------------------------------------------------
  wire v = 1'(v_q >> who), d = 1'(d_q >> who);
  wire ev = 1'(ev_q >> who), en = 1'(en_q >> who), es = 1'(es_q >> who), eo = 1'(eo_q >> who);
  wire ej = 1'(ej_q >> who), el = 1'(el_q >> who), ex = 1'(ex_q >> who), eb = 1'(eb_q >> who);
  wire at = 1'(at_q >> who), ar = 1'(ar_q >> who);
  wire [1:0] wo = 2'(wo_q >> (2 * who)), wc = 2'(wc_q >> (2 * who));
  wire [2*D-1:0] rq = (2*D)'(rq_q >> (2 * D * who));
  logic [2:0] wts;                         // WTs out
  integer c;
  always_comb begin
    wts = 3'(wo);
    for (c = 0; c < D; c = c + 1) if (rq[2*c +: 2] == Q_WT) wts = wts + 3'd1;
  end
  wire pending = ev && (!eo || Bug == 2);
  wire access  = act <= LOCAL;
  wire evicts  = act == EVICT && !(ev && !eo && Bug != 6);
  wire l_data  = act == DATA && el;
  wire fills   = l_data && (!eo || Bug == 5);
  logic [2:0] te;
  always_comb begin
    case (act)
      LOAD:    te = hd_pkg::WEV_LOAD;
      STORE:   te = hd_pkg::WEV_STORE;
      SYNC:    te = hd_pkg::WEV_SYNC;
      LOCAL:   te = hd_pkg::WEV_LOCAL;
      FLUSH:   te = hd_pkg::WEV_FLUSH;
      EVICT:   te = hd_pkg::WEV_EVICT;
      INV:     te = hd_pkg::WEV_INV;
      default: te = hd_pkg::WEV_FILL;
    endcase
  end
  logic       t_v, t_d, t_hit, t_miss, t_write;
  hd_pkg::gpu_says_s t;
  hd_l1_gpu_table #(.LineWords(1)) u_table (
    .ev_i(te), .words_i(1'b1), .v_i(v), .d_i(d), .guard_i(ev && en), .pending_i(pending),
    .skip_i(es), .v_o(t_v), .d_o(t_d), .hit_o(t_hit), .miss_o(t_miss), .write_o(t_write),
    .says_o(t)
  );
  wire free_read = !ev;
  wire can = t.why == hd_pkg::WHY_NONE && !(t.req == hd_pkg::MSG_GETS && !free_read)
             && !(t.req == hd_pkg::MSG_WT && wts >= 3'd2) && !(t.req == hd_pkg::MSG_ATOMIC && at);
  wire goes  = can && (access || act == FLUSH || act == INV || evicts || fills);
  wire reads = (goes && t.req == hd_pkg::MSG_GETS) || (act == OTHER && free_read);
  wire sends = goes && t.req == hd_pkg::MSG_ATOMIC;
  wire throughs = goes && t.req == hd_pkg::MSG_WT;
  wire joins = goes && act == LOAD && t.joins;
  wire stores = goes && t_hit && (act == STORE || act == LOCAL);

  // ---- the L2 -----------------------------------------------------------------------------------
  wire swap = Bug == 1 && rq[3:2] != 0;
  wire [1:0] head = swap ? rq[3:2] : rq[1:0];
  wire m_req  = act == REQ && head != 0;
  wire m_need = act == NEEDED && here_q && !lock_q;
  wire m_perf = act == PERFORM && lock_q;
  wire m_mem  = act == MEM && fetch_q;
  wire [5:0] msg = m_perf || (m_req && head == Q_AT) ? hd_pkg::MSG_ATOMIC
                 : m_req && head == Q_WT ? hd_pkg::MSG_WT : hd_pkg::MSG_GETS;
  hd_pkg::dir_gpu_do_s m;
  logic m_bad;
  logic [5:0] m_send;
  // The way of this line is needed: the request is for another one, which is not here.
  hd_dir_gpu u_dir (
    .en_i(m_req || m_need || m_perf), .msg_i(msg),
    .at_i({m_perf, m_need ? 1'b0 : here_q || fetch_q, fetch_q || lock_q, here_q && dirty_q, 1'b0}),
    .do_o(m), .send_o(m_send), .bad_o(m_bad)
  );
  wire served = m_req && m_send != hd_pkg::MSG_NONE;
  wire passes = swap && rq[1:0] == Q_WT;   // it overtakes a store of its own L1
  wire takes  = m_req && head == Q_AT && m.waits && here_q && !lock_q && !fetch_q;
  wire writer = m.write || (m_perf && m.perform);

  // ---- the step ---------------------------------------------------------------------------------
  logic err, full;
  logic [1:0] push_k;
  integer i, k;
  always_comb begin
    v_d = v_q; d_d = d_q; b_d = b_q; ev_d = ev_q; en_d = en_q; es_d = es_q; eo_d = eo_q;
    ej_d = ej_q; el_d = el_q; ex_d = ex_q; eb_d = eb_q; rq_d = rq_q; wo_d = wo_q; wc_d = wc_q; at_d = at_q;
    ar_d = ar_q; own_d = own_q; here_d = here_q; fetch_d = fetch_q; lock_d = lock_q;
    dirty_d = dirty_q; memx_d = memx_q; by_d = by_q;
    err = m_bad;
    full = 1'b0;
    k = 0;
    push_k = reads ? Q_READ : throughs ? Q_WT : Q_AT;
    for (i = 0; i < N; i = i + 1) begin
      if (who == i) begin
        if (goes) begin v_d[i] = t_v; d_d[i] = t_d; end
        if (fills && t_write) b_d[i] = eb;
        if (reads) begin
          ev_d[i] = 1'b1; en_d[i] = goes && act == LOAD; ej_d[i] = goes && act == LOAD;
          es_d[i] = 1'b0; eo_d[i] = 1'b0; el_d[i] = 1'b0; ex_d[i] = 1'b0; eb_d[i] = 1'b0;
        end
        if (joins) begin en_d[i] = 1'b1; ej_d[i] = 1'b1; end
        if (stores) begin own_d[i] = 1'b1; b_d[i] = 1'b0; end
        if ((stores || sends) && ev) eb_d[i] = 1'b1;
        if (sends) begin
          at_d[i] = 1'b1;
          if (ev && Bug != 4) es_d[i] = 1'b1;
        end
        if (act == INV && ev && v && Bug != 7) es_d[i] = 1'b1;
        if (act == ACQUIRE) begin
          if (Bug != 3) v_d[i] = 1'b0;
          eo_d[i] = ev; ej_d[i] = 1'b0;
          if (el && ex) eb_d[i] = 1'b1;
          if (Bug == 3) b_d[i] = v && !own_q[i];
        end
        if (l_data) begin
          ev_d[i] = 1'b0; en_d[i] = 1'b0; es_d[i] = 1'b0; eo_d[i] = 1'b0; ej_d[i] = 1'b0;
          el_d[i] = 1'b0; ex_d[i] = 1'b0; eb_d[i] = 1'b0;
        end
        if (act == WT_ACK && wo != 0) begin
          wo_d[2*i +: 2] = wo - 2'd1;
          wc_d[2*i +: 2] = wc - 2'd1;
        end
        if (throughs) wc_d[2*i +: 2] = wc + 2'd1;
        if (act == AT_DATA && ar) begin ar_d[i] = 1'b0; at_d[i] = 1'b0; end
        if (served || takes) begin
          rq_d[2*D*i +: 2*D] = swap ? {2'd0, rq[2*D-1:4], rq[1:0]} : {2'd0, rq[2*D-1:2]};
          if (head == Q_READ) begin
            if (!ev || el) err = 1'b1;
            el_d[i] = 1'b1;
            if (passes) eb_d[i] = 1'b1;
          end
          if (head == Q_WT && Bug != 14) wo_d[2*i +: 2] = wo + 2'd1;
        end
        if (reads || throughs || sends) begin
          if (rq[2*D-1 -: 2] != 0) full = 1'b1;
          for (k = D - 1; k >= 0; k = k - 1) begin
            if (rq[2*k +: 2] == 0 && (k == 0 || rq[2*((k == 0) ? 0 : k-1) +: 2] != 0))
              rq_d[2*D*i+2*k +: 2] = push_k;
          end
        end
      end
      if (m_perf && 32'(by_q) == i) ar_d[i] = 1'b1;
      if (writer && el_d[i]) ex_d[i] = 1'b1;
    end
    if (m_req && m.fetch) fetch_d = 1'b1;
    if (takes) begin lock_d = 1'b1; by_d = who_i; end
    if (m_perf && m.perform && Bug != 13) begin lock_d = 1'b0; by_d = 2'd0; end
    if (writer) begin dirty_d = 1'b1; memx_d = 1'b1; end
    if (m_need && (m.back || m.fetch)) begin
      here_d = 1'b0; dirty_d = 1'b0;
      if (m.back) memx_d = 1'b0;
    end
    if (m_mem) begin here_d = Bug != 12; fetch_d = 1'b0; end
    // a store is written when its last WT is
    for (i = 0; i < N; i = i + 1) begin
      if (served && head == Q_WT && who == i && wts - 3'(wo) == 3'd1 && !d) own_d[i] = 1'b0;
    end
    b_d = b_d & v_d;
  end
  always @(posedge clk_i) begin
    v_q <= v_d; d_q <= d_d; b_q <= b_d; ev_q <= ev_d; en_q <= en_d; es_q <= es_d; eo_q <= eo_d;
    ej_q <= ej_d; el_q <= el_d; ex_q <= ex_d; eb_q <= eb_d; rq_q <= rq_d; wo_q <= wo_d; wc_q <= wc_d;
    at_q <= at_d; ar_q <= ar_d; own_q <= own_d; here_q <= here_d; fetch_q <= fetch_d;
    lock_q <= lock_d; dirty_q <= dirty_d; memx_q <= memx_d; by_q <= by_d;
  end

  // ---- properties -------------------------------------------------------------------------------
  logic [N-1:0] kept, reading, waits, counted;
  integer p, q;
  always_comb begin
    q = 0;
    for (p = 0; p < N; p = p + 1) begin
      kept[p]    = d_q[p];
      reading[p] = el_q[p];
      waits[p]   = rq_q[2*D*p +: 2] != 0;
      counted[p] = 1'b0;
      for (q = 0; q < D; q = q + 1) begin
        if (rq_q[2*(D*p+q) +: 2] == Q_WT) kept[p] = 1'b1;
        if (rq_q[2*(D*p+q) +: 2] == Q_READ) begin
          if (reading[p]) counted[p] = 1'b1;
          reading[p] = 1'b1;
        end
      end
    end
  end
  wire work = ev_q != 0 || at_q != 0 || wc_q != 0 || waits != 0;
  wire can_go = el_q != 0 || ar_q != 0 || wo_q != 0 || fetch_q || lock_q || waits != 0;
  always @* begin
    one_state:    assert ((v_q & d_q) == 0);
    own_kept:     assert (own_q == kept);
    acquired:     assert ((v_q & b_q) == 0 && !(l_data && en && ej && eb));
    over_own:     assert (!(fills && t_write && d));
    in_order:     assert (!(sends && d) && !(takes && passes));
    one_read:     assert (counted == 0 && reading == ev_q);
    memory:       assert (!(m_mem && memx_q));
    alone:        assert (!(lock_q && served));
    room:         assert (wts <= 3'd2 && wts == 3'(wc));
    expected:     assert (!err);
    no_overflow:  assert (!full);
    no_deadlock:  assert (!work || can_go);
  end

  // ---- drain ------------------------------------------------------------------------------------
  // What is unfinished, in steps that it may still take: requests of an L1 on the network, answers to
  // it; of the L2 the atomic that has the line, and whether the line is there.
  function automatic logic [4:0] rest_l1(input logic [2*D-1:0] rq, input logic el,
                                         input logic [1:0] wo, input logic ar);
    integer b;
    rest_l1 = 5'(el) + 5'(wo) + 5'(ar);
    for (b = 0; b < D; b = b + 1) begin
      if (rq[2*b +: 2] == Q_AT) rest_l1 = rest_l1 + 5'd3;
      else if (rq[2*b +: 2] != 0) rest_l1 = rest_l1 + 5'd2;
    end
  endfunction
  if (Drain != 0) begin : g_drain
    // a step of these is possible: it must do something
    wire finishes = l_data || (act == WT_ACK && wo != 0) || (act == AT_DATA && ar) || m_mem || m_perf
                    || (m_req && !fetch_q && !lock_q);
    logic [6:0] was, is;
    integer g;
    always_comb begin
      was = lock_q ? 7'd2 : here_q ? 7'd0 : fetch_q ? 7'd1 : 7'd2;
      is  = lock_d ? 7'd2 : here_d ? 7'd0 : fetch_d ? 7'd1 : 7'd2;
      for (g = 0; g < N; g = g + 1) begin
        was = was + 7'(rest_l1(rq_q[2*D*g +: 2*D], el_q[g], wo_q[2*g +: 2], ar_q[g]));
        is  = is + 7'(rest_l1(rq_d[2*D*g +: 2*D], el_d[g], wo_d[2*g +: 2], ar_d[g]));
      end
    end
    always @* begin
      drains:    assert (!finishes || is < was);
      ends:      cover (finishes && was != 0 && is == 0);
      from_much: cover (finishes && was >= 7'd16);
    end
  end

  // ---- covers -----------------------------------------------------------------------------------
  always @* begin
    skipped:       cover (fills && es && !v && !d);
    old_data:      cover (l_data && eo && ex);
    over_dirty:    cover (fills && d);
    own_valid:     cover (fills && v && eb);
    evicted_dirty: cover (evicts && throughs);
    stepped:       cover (goes && act == SYNC && t.again);
    guarded:       cover (act == STORE && t.why == hd_pkg::WHY_GUARD);
    chained:       cover (m_req && lock_q && m.waits);
    written_back:  cover (m_need && m.back);
    two_out:       cover (wts == 3'd2 && at && ev && !el);
    waits_skip:    cover (act == LOAD && t.why == hd_pkg::WHY_LINE);
    joined:        cover (joins && el);
    taken_away:    cover (act == INV && v && ev && eb);
  end
  for (genvar s = 0; s < 3; s = s + 1) begin : g_state
    for (genvar e = 0; e < 8; e = e + 1) begin : g_event
      always @* cover ((access || act == FLUSH || act == INV || evicts || fills) && 32'(te) == e
                       && {v, d} == (s == 0 ? 2'b00 : s == 1 ? 2'b10 : 2'b01));
    end
  end
endmodule
`default_nettype wire
