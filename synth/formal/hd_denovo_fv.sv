// hd_denovo_fv.sv - proof of DeNovo: N L1s, the registry, memory, one word of a line, any order.
//
// The decisions are the RTL's own: one hd_l1_denovo_table and one hd_dir_denovo are in here. The
// model around them holds what they decide about: states, READs, registrations, who waits, lines in
// write-back, messages. One step a clock, chosen by the free inputs. REQ and RSP are unordered, a
// place for each message that can exist; FWD is a FIFO an L1, WB_ACKs behind the forwards decided
// before them. docs/formal.md.
//
// The line's other words are what they can do to this one: READs of them bring it along (BONUS),
// writebacks of them make it wait (other_i). A READ that is out is one an L1, of this word, of
// others or of both: what comes of this word first is kept until the last packet, which alone goes
// into the line; repeated for others it may bring this one again. Values: one bit, "is not what was written last". A dirty word is written when it becomes
// registered. eb, b: older than an acquire or a write of its own L1.
// Bug 1: WB_ACK on RSP. Bug 2: forwards out of order. Bug 3: a line in write-back is accessed.
// Bug 4: the buffer is free when the writeback is sent. Bug 5: a load joins a READ of before an
// acquire. Bug 6: acquires leave V. Bug 7: words registered since are not skipped. Bug 8: a refused
// READ is not repeated. Bug 9: a data registration is acknowledged by the L2 at once. Bug 10:
// requests are served during a recall. Bug 11: a line with a wanted word is evicted.
// Bug 17: a READ is repeated for some words while others are still to come. Bug 18: the guard of a
// word ends when it has come.
//
// Drain: what is unfinished, counted in weights, gets less with each step that begins nothing new,
// READs by themselves. A READ starts again when it is refused, and that happens only while the one
// who refuses has a registration out; and while anything but READs is unfinished a step that makes
// it less is possible, or READs alone stand in front of it in FWD. So, messages being delivered
// some time, the rest ends, and then every READ without a refusal. Bug 12: a writeback is merged
// again and again. Bug 13: an owed WB_ACK does not leave. Bug 14: a line from memory is not kept.
// Bug 15: a registered word is refused. Bug 16: RECALL_DATA is sent twice.
//@ proof denovo_2 pdr N=2
//@ proof denovo_3 pdr N=3
//@ proof denovo_2_drain pdr N=2 Drain=1
//@ proof denovo_3_drain pdr N=3 Drain=1
//@ bug@denovo_2_drain merged_again Bug=12
//@ bug@denovo_2_drain ack_stays_owed Bug=13
//@ bug@denovo_2_drain fetched_again Bug=14
//@ bug@denovo_2_drain refused_without_need Bug=15
//@ bug@denovo_2_drain recall_data_twice Bug=16
//@ bug@denovo_2_drain not_registered l2/hd_dir_denovo.sv s/emit = 1'b1/emit = msg_i == hd_pkg::MSG_GETS/
//@ bug@denovo_2_drain nack_lost Bug=8
//@ bug@denovo_3_drain merged_again Bug=12
//@ bug@denovo_3_drain refused_without_need Bug=15
//@ bug wb_ack_overtakes Bug=1
//@ bug fwd_out_of_order Bug=2
//@ bug access_during_wb Bug=3
//@ bug no_wb_buffer Bug=4
//@ bug merge_old Bug=5
//@ bug acquire_keeps_valid Bug=6
//@ bug no_skip Bug=7
//@ bug nack_lost Bug=8
//@ bug l2_acknowledges Bug=9
//@ bug l2_serves_in_recall Bug=10
//@ bug pin_lost Bug=11
//@ bug repeated_too_early Bug=17
//@ bug guard_ends_early Bug=18
//@ bug not_queued l1/hd_l1_denovo_table.sv s/hits  = words_i . r . ~w;/hits = words_i;/;s/^        joins = words_i . want;/joins = '0;/
//@ bug stale_wb_taken l2/hd_dir_denovo.sv s/words_i . owned_i . mine_i/words_i \& owned_i/
//@ bug fill_over_dirty l1/hd_l1_denovo_table.sv s/free = ~(here | w)/free = ~(v | r | w)/
//@ bug fill_survives_acquire l1/hd_l1_denovo_table.sv s/if (!old) v_new/v_new/
//@ bug payload_over_own l1/hd_l1_denovo_table.sv s/writes = data_i . words_i . ~d/writes = data_i ? words_i/
//@ bug two_registrants l1/hd_l1_denovo_table.sv s/r_new = r . ~hits;/r_new = r;/
//@ bug no_guard l1/hd_l1_denovo_table.sv s/if ((words_i . guard_i) != '0)/if (1'b0)/
//@ bug l2_evicts_owned l2/hd_dir_denovo.sv s/recall = owned_i != '0;/recall = 1'b0;/;s/= owned_i == '0 .. /= /
//@ bug wb_not_merged l2/hd_dir_denovo.sv s/if (at_i.here) merge_o = .*/merge_o = '0;/
//@ bug pass_keeps l1/hd_l1_denovo_table.sv s/r_new = r . ~words_i;/r_new = r;/
`default_nettype none
module hd_denovo_fv #(
  parameter int unsigned N     = 2,
  parameter int unsigned Drain = 0,
  parameter int unsigned Bug   = 0
) (
  input logic       clk_i,
  input logic [4:0] any_act_i,
  input logic [1:0] any_who_i,
  input logic       other_i    // other words of the line: the evicted one has some that are
                               // registered; the READ asks for some; the packet is its last
);
  localparam logic [4:0] LOAD = 0, STORE = 1, SYNC = 2, LOCAL = 3, FLUSH = 4, EVICT = 5,
                         ACQUIRE = 6, BONUS = 7, NEEDED = 8, DATA = 9, NACK = 10, ACK = 11,
                         FWD = 12, PASS = 13, RETRY = 14, L2_READ = 15, L2_REG = 16, L2_WB = 17,
                         L2_RCLD = 18, L2_ACK = 19, L2_MEM = 20, OTHER = 21, AGAIN = 22,
                         L2_AGAIN = 23;
  // where a READ is: on REQ, forwarded, answered with the word, without, refused, to be repeated,
  // answered and kept until its other words have come
  localparam logic [2:0] E_REQ = 1, E_FWD = 2, E_DATA = 3, E_NONE = 4, E_NACK = 5, E_RETRY = 6,
                         E_KEPT = 7;
  // forwards: kind, asker
  localparam logic [2:0] F_READ = 1, F_REG = 2, F_SYNC = 3, F_RECALL = 4, F_ACK = 5;
  localparam logic [1:0] B_WB = 1, B_OWED = 2, B_ACK = 3;  // a writeback is on RSP, owed, on FWD
  localparam int unsigned D  = N + 1;                      // (N - 1) READs, a REG or RECALL, WB_ACK
  localparam int unsigned FW = 5;

  // L1s; bit or slice i belongs to L1 i
  logic [N-1:0] v_q, v_d, d_q, d_d, r_q, r_d, w_q, w_d;  // valid, dirty, registered, wanted
  logic [N-1:0] x_q, x_d, b_q, b_d;                      // its value is old, too old
  logic [N-1:0] lc_q, lc_d;                              // synchronization here waits for it
  logic [N-1:0] ev_q, ev_d, en_q, en_d, es_q, es_d, eo_q, eo_d, ej_q, ej_d, ex_q, ex_d, eb_q, eb_d;
  logic [3*N-1:0] el_q, el_d;
  logic [N-1:0] em_q, em_d;                              // other words that the READ needs miss
  logic [N-1:0] pv_q, pv_d, px_q, px_d, pb_q, pb_d;      // data of its repetition bring the word
  logic [N-1:0] rq_q, rq_d, rs_q, rs_d;                  // REG on REQ; with value
  logic [N-1:0] ak_q, ak_d, akd_q, akd_d, akx_q, akx_d;  // REG_ACK or REG_DATA on its way here
  logic [N-1:0] nx_q, nx_d, ns_q, ns_d;                  // somebody waits for the word; with value
  logic [2*N-1:0] nw_q, nw_d;                            // ... who; 3: the L2
  logic [N-1:0] bv_q, bv_d, bm_q, bm_d, bh_q, bh_d, bx_q, bx_d;  // in write-back, the word too,
  logic [2*N-1:0] bl_q, bl_d;                                    // handed on
  logic [N-1:0] rd_q, rd_d, rdx_q, rdx_d, rdt_q, rdt_d;  // RECALL_DATA; it is the word's token
  logic [FW*D*N-1:0] fq_q, fq_d;
  // L2 and memory
  logic       here_q, here_d, fetch_q, fetch_d, recall_q, recall_d, owned_q, owned_d;
  logic       dirty_q, dirty_d, l2x_q, l2x_d, memx_q, memx_d;
  logic [1:0] owner_q, owner_d;
  initial begin
    v_q = 0; d_q = 0; r_q = 0; w_q = 0; x_q = 0; b_q = 0; lc_q = 0; ev_q = 0; en_q = 0; es_q = 0;
    eo_q = 0; ej_q = 0; ex_q = 0; eb_q = 0; el_q = 0; rq_q = 0; rs_q = 0; ak_q = 0; akd_q = 0;
    akx_q = 0; nx_q = 0; ns_q = 0; nw_q = 0; bv_q = 0; bm_q = 0; bh_q = 0; bx_q = 0; bl_q = 0;
    rd_q = 0; rdx_q = 0; rdt_q = 0; fq_q = 0; here_q = 0; fetch_q = 0; recall_q = 0; owned_q = 0;
    dirty_q = 0; l2x_q = 0; memx_q = 0; owner_q = 0; em_q = 0; pv_q = 0; px_q = 0; pb_q = 0;
  end

  wire [4:0]  act = any_act_i;
  wire [1:0]  who_i = 32'(any_who_i) < N ? any_who_i : 2'd0;
  wire [31:0] who = 32'(who_i);

  // ---- the L1 of this step ----------------------------------------------------------------------
  wire v = 1'(v_q >> who), d = 1'(d_q >> who), r = 1'(r_q >> who), w = 1'(w_q >> who);
  wire x = 1'(x_q >> who), lc = 1'(lc_q >> who);
  wire ev = 1'(ev_q >> who), en = 1'(en_q >> who), es = 1'(es_q >> who), eo = 1'(eo_q >> who);
  wire ej = 1'(ej_q >> who), ex = 1'(ex_q >> who), eb = 1'(eb_q >> who);
  wire [2:0] el = 3'(el_q >> (3 * who));
  wire em = 1'(em_q >> who), pv = 1'(pv_q >> who), px = 1'(px_q >> who), pb = 1'(pb_q >> who);
  wire rq = 1'(rq_q >> who), rs = 1'(rs_q >> who);
  wire ak = 1'(ak_q >> who), akd = 1'(akd_q >> who), akx = 1'(akx_q >> who);
  wire nx = 1'(nx_q >> who), ns = 1'(ns_q >> who);
  wire [1:0] nw = 2'(nw_q >> (2 * who));
  wire bv = 1'(bv_q >> who), bm = 1'(bm_q >> who), bh = 1'(bh_q >> who), bx = 1'(bx_q >> who);
  wire [1:0] bl = 2'(bl_q >> (2 * who));
  wire rd = 1'(rd_q >> who), rdx = 1'(rdx_q >> who);
  wire [FW*D-1:0] fq = (FW*D)'(fq_q >> (FW * D * who));
  wire            swap = Bug == 2 && fq[FW +: 3] != 0;
  wire [2:0] fk = swap ? fq[FW +: 3] : fq[2:0];
  wire [1:0] fr = swap ? fq[FW+3 +: 2] : fq[4:3];  // whom the forward names

  wire free_line = !bv || Bug == 3;
  wire access = act <= LOCAL && free_line;
  wire f_reg  = fk == F_REG || fk == F_SYNC;
  wire in_wb  = bv && bm;
  wire l_fwd  = act == FWD && fk != 0;
  wire l_data = act == DATA && (el == E_DATA || el == E_NONE) && !pv;
  wire l_other = act == OTHER && em && !pv;              // a packet without the word
  wire l_again = act == AGAIN && pv;
  wire l_last = (l_data && !em) || (l_other && el == E_KEPT) || (l_again && other_i);
  wire l_fill = l_last;                                  // of the words of the last packet
  wire brings = l_again || (l_data && el == E_DATA);     // it has the word
  wire kept   = en && el == E_KEPT;                      // an earlier one had it: that counts
  wire fx     = kept || !l_again ? ex : px;
  wire fb     = kept || !l_again ? eb : pb;
  wire l_ack  = act == ACK && ak;
  wire l_pass = act == PASS && r && w && nx;
  wire l_evict = act == EVICT && !bv && (!w || Bug == 11) && (!d || Bug == 11) && !(ev && !eo)
                 && (v || r || other_i);
  wire l_flush = act == FLUSH && free_line;
  wire l_table = access || l_evict || l_flush || l_fill || l_ack || l_pass
                 || (l_fwd && fk != F_ACK && !in_wb);
  logic [3:0] te;
  always_comb begin
    case (act)
      LOAD:    te = hd_pkg::DEV_LOAD;
      STORE:   te = hd_pkg::DEV_STORE;
      SYNC:    te = hd_pkg::DEV_SYNC;
      LOCAL:   te = hd_pkg::DEV_LOCAL;
      FLUSH:   te = hd_pkg::DEV_FLUSH;
      EVICT:   te = hd_pkg::DEV_EVICT;
      DATA, OTHER, AGAIN: te = hd_pkg::DEV_FILL;
      ACK:     te = hd_pkg::DEV_ACK;
      PASS:    te = hd_pkg::DEV_PASS;
      default: te = (fk == F_READ) ? hd_pkg::DEV_FWD_READ : hd_pkg::DEV_FWD_REG;
    endcase
  end
  logic       t_v, t_d, t_r, t_ro, t_w, t_hit, t_ask, t_join, t_write, t_bad;
  logic [3:0] t_why;
  hd_l1_denovo_table #(.LineWords(1)) u_table (
    .ev_i(te), .words_i(l_fill ? brings : act != FLUSH), .state_i({w, 1'b0, r, d, v}),
    .guard_i(ev && en && (Bug != 18 || el != E_KEPT)), .sync_i(lc), .read_i({eo, 1'b0, es, en}),
    .data_i(akd), .next_i(nx), .state_o({t_w, t_ro, t_r, t_d, t_v}),
    .says_o({t_write, t_join, t_ask, t_hit}), .why_o(t_why), .bad_o(t_bad)
  );
  wire joins  = act == LOAD && access && t_ask && ev && en && !es && (!eo || Bug == 5);
  wire reads  = (access && t_ask && (act == LOAD || act == LOCAL) && !ev)
                || (act == BONUS && free_line && !ev);
  wire asks   = t_ask && ((access && act == SYNC) || l_flush);
  wire goes   = (access && (t_hit || asks || (act == SYNC && t_join))) || l_evict
                || (l_flush && asks) || l_fill || l_ack || l_pass
                || (l_fwd && fk != F_ACK && !in_wb);
  // what is written, and what an access must not see
  wire serves   = l_ack && lc;                           // synchronization that waited is performed
  wire sync_hit = access && act == SYNC && t_hit;
  wire writes   = (access && t_hit && r && act != LOAD) || (l_ack && (d || lc));
  wire after_x  = (l_ack && !(d && !t_write)) ? akx : (l_ack ? 1'b0 : x);

  // ---- the L2 -----------------------------------------------------------------------------------
  wire free_l2 = here_q && !fetch_q && (!recall_q || Bug == 10);
  wire m_read = act == L2_READ && el == E_REQ && (!recall_q || Bug == 10) && !fetch_q;
  wire m_again = act == L2_AGAIN && em && !pv && (el == E_KEPT || (Bug == 17 && en))
                 && (!recall_q || Bug == 10) && !fetch_q;  // repeated for other words
  wire m_reg  = act == L2_REG && rq && (!recall_q || Bug == 10) && !fetch_q;
  wire m_wb   = act == L2_WB && bl == B_WB;
  wire m_rcld = act == L2_RCLD && rd;
  wire m_need = act == NEEDED && here_q && !fetch_q && !recall_q;
  wire m_ack  = act == L2_ACK && bl == B_OWED;
  wire m_mem  = act == L2_MEM && fetch_q;
  logic [5:0] msg;
  always_comb begin
    case (act)
      L2_REG:  msg = hd_pkg::MSG_REG;
      L2_WB:   msg = hd_pkg::MSG_WB;
      L2_RCLD: msg = hd_pkg::MSG_RECALL_DATA;
      default: msg = hd_pkg::MSG_GETS;
    endcase
  end
  wire mine = owner_q == who_i;
  hd_pkg::dir_dn_do_s m;
  logic m_merge, m_bad;
  // The way of this line is needed: the request is for another one, which is not here.
  hd_dir_denovo #(.LineWords(1)) u_dir (
    .en_i(m_read || m_again || m_reg || m_wb || m_rcld || m_need), .msg_i(msg),
    .at_i({2'b00, m_need ? 1'b0 : here_q || fetch_q, fetch_q, here_q && dirty_q}),
    .words_i(m_wb ? bm : 1'b1), .owned_i(here_q && !fetch_q && owned_q), .mine_i(mine),
    .do_o(m), .merge_o(m_merge), .bad_o(m_bad)
  );
  // a forward, for one L1 at most
  wire to_owner = m.emit && owned_q && (m_reg || (m_read && en));
  wire push = to_owner || (m_need && m.recall) || (m_ack && Bug != 1 && Bug != 13);
  wire [1:0] push_to = m_ack ? who_i : owner_q;
  wire [2:0] push_k = m_ack ? F_ACK : m_need ? F_RECALL : m_read ? F_READ : rs ? F_SYNC : F_REG;
  // the word is handed over
  wire gives = (l_fwd && f_reg && (in_wb || t_hit)) || (l_pass && nw != 3);
  wire backs = (l_fwd && fk == F_RECALL && (in_wb || t_hit)) || (l_pass && nw == 3);
  wire gx    = (l_fwd && in_wb) ? bx : x;
  wire [1:0] to = l_pass ? nw : fr;
  wire to_sync  = l_pass ? ns : fk == F_SYNC;

  // ---- the step ---------------------------------------------------------------------------------
  logic err, full, wb_ack;
  integer i, k;
  always_comb begin
    v_d = v_q; d_d = d_q; r_d = r_q; w_d = w_q; x_d = x_q; b_d = b_q; lc_d = lc_q; ev_d = ev_q;
    en_d = en_q; es_d = es_q; eo_d = eo_q; ej_d = ej_q; ex_d = ex_q; eb_d = eb_q; el_d = el_q;
    rq_d = rq_q; rs_d = rs_q; ak_d = ak_q; akd_d = akd_q; akx_d = akx_q; nx_d = nx_q; ns_d = ns_q;
    nw_d = nw_q; bv_d = bv_q; bm_d = bm_q; bh_d = bh_q; bx_d = bx_q; bl_d = bl_q; rd_d = rd_q;
    rdx_d = rdx_q; rdt_d = rdt_q; fq_d = fq_q; here_d = here_q; fetch_d = fetch_q;
    recall_d = recall_q; owned_d = owned_q; dirty_d = dirty_q; l2x_d = l2x_q; memx_d = memx_q;
    owner_d = owner_q; em_d = em_q; pv_d = pv_q; px_d = px_q; pb_d = pb_q;
    err = 1'b0;
    full = 1'b0;
    k = 0;
    wb_ack = (l_fwd && fk == F_ACK) || (m_ack && Bug == 1);
    for (i = 0; i < N; i = i + 1) begin
      if (who == i) begin
        if (goes && t_why == hd_pkg::WHY_NONE) begin
          if (t_bad) err = 1'b1;
          v_d[i] = t_v; d_d[i] = t_d; r_d[i] = t_r; w_d[i] = t_w;
        end
        if (access && act == SYNC && (t_join || asks)) lc_d[i] = 1'b1;
        if (asks) begin
          if (rq || ak) err = 1'b1;
          rq_d[i] = 1'b1; rs_d[i] = act == SYNC;
        end
        if (reads) begin
          em_d[i] = other_i;
          ev_d[i] = 1'b1; en_d[i] = act != BONUS; es_d[i] = 1'b0; eo_d[i] = 1'b0;
          ej_d[i] = act != BONUS; ex_d[i] = 1'b0; eb_d[i] = 1'b0; el_d[3*i +: 3] = E_REQ;
        end
        if (joins) ej_d[i] = 1'b1;
        if (act == ACQUIRE) begin
          if (Bug != 6) v_d[i] = 1'b0;
          else b_d[i] = v && x;
          eo_d[i] = ev; ej_d[i] = 1'b0;
          eb_d[i] = ex && (el == E_DATA || el == E_KEPT);
          pb_d[i] = px;
        end
        if (l_evict && (r || other_i)) begin
          bv_d[i] = 1'b1; bm_d[i] = r; bh_d[i] = 1'b0; bx_d[i] = r && x; bl_d[2*i +: 2] = B_WB;
          if (Bug == 4) bm_d[i] = 1'b0;
        end
        if (l_fill) begin
          if (en && !(brings || kept)) err = 1'b1;
          if (t_write && t_v) begin x_d[i] = fx; b_d[i] = fb; end
          ev_d[i] = 1'b0; en_d[i] = 1'b0; es_d[i] = 1'b0; eo_d[i] = 1'b0; ej_d[i] = 1'b0;
          ex_d[i] = 1'b0; eb_d[i] = 1'b0; el_d[3*i +: 3] = 3'd0; em_d[i] = 1'b0;
        end
        if (l_data && !l_last) begin
          el_d[3*i +: 3] = E_KEPT;
          ex_d[i] = en && ex; eb_d[i] = en && eb;       // what it brings along is lost
        end
        if (l_other) em_d[i] = 1'b0;
        if (l_again) begin
          pv_d[i] = 1'b0; px_d[i] = 1'b0; pb_d[i] = 1'b0;
          if (en && el != E_KEPT) err = 1'b1;           // one that is still to come has come
          if (!l_last && en) begin ex_d[i] = px; eb_d[i] = pb; end
        end
        if (act == NACK && el == E_NACK && Bug != 8) el_d[3*i +: 3] = E_RETRY;
        if (act == NACK && el == E_NACK && Bug == 8) el_d[3*i +: 3] = 3'd0;
        if (act == RETRY && el == E_RETRY) el_d[3*i +: 3] = E_REQ;
        if (l_ack) begin
          ak_d[i] = 1'b0; akd_d[i] = 1'b0; akx_d[i] = 1'b0; lc_d[i] = 1'b0;
          x_d[i] = after_x;
          if (ev && Bug != 7) es_d[i] = 1'b1;
        end
        if (l_fwd) begin
          if (swap) fq_d[FW*D*i +: FW*D] = {{FW{1'b0}}, fq[FW*D-1:2*FW], fq[FW-1:0]};
          else fq_d[FW*D*i +: FW*D] = {{FW{1'b0}}, fq[FW*D-1:FW]};
          if (fk != F_ACK && fk != F_RECALL && 32'(fr) == i) err = 1'b1;
          if (f_reg || fk == F_RECALL) begin
            if (in_wb) bh_d[i] = bh || f_reg;  // recalled words stay until one of the two is home
            else if (t_join) begin
              if (nx) err = 1'b1;
              nx_d[i] = 1'b1; ns_d[i] = fk == F_SYNC; nw_d[2*i +: 2] = fk == F_RECALL ? 2'd3 : fr;
            end
          end
        end
        if (l_pass) begin nx_d[i] = 1'b0; ns_d[i] = 1'b0; nw_d[2*i +: 2] = 2'd0; end
        if (backs) begin
          if (rd) err = 1'b1;
          rd_d[i] = 1'b1; rdx_d[i] = gx; rdt_d[i] = !(l_fwd && in_wb);
        end
        if (wb_ack) begin
          if (bl != (m_ack ? B_OWED : B_ACK)) err = 1'b1;
          bv_d[i] = 1'b0; bm_d[i] = 1'b0; bh_d[i] = 1'b0; bx_d[i] = 1'b0; bl_d[2*i +: 2] = 2'd0;
        end
        if (m_read && m.emit) begin
          if (en && owned_q && mine) err = 1'b1;
          if (!owned_q) begin
            el_d[3*i +: 3] = E_DATA; ex_d[i] = l2x_q; eb_d[i] = l2x_q;
          end else if (en) el_d[3*i +: 3] = E_FWD;
          else el_d[3*i +: 3] = E_NONE;
        end
        if (m_again && m.emit && !owned_q) begin
          pv_d[i] = 1'b1; px_d[i] = l2x_q; pb_d[i] = l2x_q;
        end
        if (m_reg && m.emit) begin
          rq_d[i] = 1'b0; rs_d[i] = 1'b0;
          if (owned_q && mine) err = 1'b1;
          if (!owned_q || (Bug == 9 && !rs)) begin
            if (ak) err = 1'b1;
            ak_d[i] = 1'b1; akd_d[i] = rs; akx_d[i] = rs && l2x_q;
          end
        end
        if (m_wb) begin
          if (Bug != 12) bl_d[2*i +: 2] = B_OWED;
          if (m_merge) bh_d[i] = 1'b1;                  // the word's token is at home
        end
        if (m_ack && Bug != 1 && Bug != 13) bl_d[2*i +: 2] = B_ACK;
        if (m_rcld) begin
          bh_d[i] = bh || (m_merge && bm);
          rd_d[i] = Bug == 16 && !m_merge; rdx_d[i] = 1'b0; rdt_d[i] = 1'b0;
        end
      end
      if (l_fwd && fk == F_READ && 32'(fr) == i) begin
        if (3'(el_q >> (3 * i)) != E_FWD) err = 1'b1;
        if ((in_wb || t_hit) && !(Bug == 15 && !in_wb)) begin
          el_d[3*i +: 3] = E_DATA; ex_d[i] = gx; eb_d[i] = gx && (eo_q[i] || es_q[i]);
        end else el_d[3*i +: 3] = E_NACK;
      end
      if (gives && 32'(to) == i && !(Bug == 9 && !to_sync)) begin
        if (ak_q[i]) err = 1'b1;
        ak_d[i] = 1'b1; akd_d[i] = to_sync; akx_d[i] = to_sync && gx;
      end
      if (push && 32'(push_to) == i) begin
        if (fq_q[FW*D*i + FW*(D-1) +: 3] != 0) full = 1'b1;
        for (k = D - 1; k >= 0; k = k - 1) begin
          if (fq_q[FW*(D*i+k) +: 3] == 0
              && (k == 0 || fq_q[FW*(D*i+((k == 0) ? 0 : k-1)) +: 3] != 0)) begin
            fq_d[FW*(D*i+k) +: FW] = {push_k == F_ACK || push_k == F_RECALL ? 2'd0 : who_i, push_k};
          end
        end
      end
    end
    if (m_bad) err = 1'b1;
    if ((m_read || m_again || m_reg) && m.fetch) fetch_d = 1'b1;
    if (m_reg && m.emit) begin owned_d = 1'b1; owner_d = who_i; end
    if ((m_wb || m_rcld) && m_merge) begin
      owned_d = 1'b0; owner_d = 2'd0; dirty_d = 1'b1; l2x_d = m_wb ? bx : rdx;
    end
    if (m_rcld) begin
      if (!recall_q) err = 1'b1;
      recall_d = 1'b0;
    end
    if (m_need) begin
      if (m.recall) recall_d = 1'b1;
      if (m.back) memx_d = l2x_q;
      if (m.back || m.fetch) begin
        here_d = 1'b0; dirty_d = 1'b0; l2x_d = 1'b0; owned_d = 1'b0; owner_d = 2'd0;
      end
    end
    if (m_mem) begin here_d = Bug != 14; fetch_d = 1'b0; l2x_d = memx_q; end
    // every other value is old from now on; data on their way to the writer are too old for it.
    // Drain: values do not matter.
    if (writes && Drain == 0) begin
      for (i = 0; i < N; i = i + 1) begin
        x_d[i] = who != i;
        if (el_d[3*i +: 3] == E_DATA || (el_d[3*i +: 3] == E_KEPT && en_d[i])) begin
          ex_d[i] = 1'b1;
          if (who == i) eb_d[i] = 1'b1;
        end
        if (pv_d[i]) begin
          px_d[i] = 1'b1;
          if (who == i) pb_d[i] = 1'b1;
        end
        if (ak_d[i] && akd_d[i]) akx_d[i] = 1'b1;
        if (bv_d[i] && bm_d[i]) bx_d[i] = 1'b1;
        if (rd_d[i]) rdx_d[i] = 1'b1;
      end
      if (here_d) l2x_d = 1'b1;
      memx_d = 1'b1;
    end
    x_d = x_d & (v_d | r_d);
    b_d = b_d & v_d;
    if (Drain != 0) begin
      x_d = '0; b_d = '0; ex_d = '0; eb_d = '0; akx_d = '0; bx_d = '0; rdx_d = '0; l2x_d = 1'b0;
      memx_d = 1'b0; em_d = '0; pv_d = '0; px_d = '0; pb_d = '0;  // READs of one word
    end
  end

  always @(posedge clk_i) begin
    v_q <= v_d; d_q <= d_d; r_q <= r_d; w_q <= w_d; x_q <= x_d; b_q <= b_d; lc_q <= lc_d;
    ev_q <= ev_d; en_q <= en_d; es_q <= es_d; eo_q <= eo_d; ej_q <= ej_d; ex_q <= ex_d;
    eb_q <= eb_d; el_q <= el_d; rq_q <= rq_d; rs_q <= rs_d; ak_q <= ak_d; akd_q <= akd_d;
    akx_q <= akx_d; nx_q <= nx_d; ns_q <= ns_d; nw_q <= nw_d; bv_q <= bv_d; bm_q <= bm_d;
    bh_q <= bh_d; bx_q <= bx_d; bl_q <= bl_d; rd_q <= rd_d; rdx_q <= rdx_d; rdt_q <= rdt_d;
    fq_q <= fq_d; here_q <= here_d; fetch_q <= fetch_d; recall_q <= recall_d; owned_q <= owned_d;
    dirty_q <= dirty_d; l2x_q <= l2x_d; memx_q <= memx_d; owner_q <= owner_d; em_q <= em_d;
    pv_q <= pv_d; px_q <= px_d; pb_q <= pb_d;
  end

  // ---- properties -------------------------------------------------------------------------------
  // Facts, by their number in docs/formal.md; counts of places of a token, of what a wanted word waits
  // for, of what a line in write-back waits for.
  logic [3:0] tokens;
  logic [2:0] asked [0:N-1];
  logic [N-1:0] fact2, fact3, fact5, fact6, fact7, fact8, queued, wants;
  logic [1:0] acks;
  integer p, q, n;
  always_comb begin
    tokens = 0;
    fact2  = '0;
    acks   = 0;
    n      = 0;
    q      = 0;
    for (p = 0; p < N; p = p + 1) begin
      tokens = tokens + 4'(r_q[p]) + 4'(ak_q[p]) + 4'(bv_q[p] && bm_q[p] && !bh_q[p])
               + 4'(rd_q[p] && rdt_q[p]);
      wants[p] = w_q[p] && !r_q[p];
      fact2[p] = !(owned_q && 32'(owner_q) == p) || r_q[p] || wants[p]
                 || (bv_q[p] && bm_q[p] && !bh_q[p]) || rd_q[p];
      asked[p] = 3'(rq_q[p]) + 3'(ak_q[p]);
      acks = 0;
      queued[p] = fq_q[FW*D*p +: 3] != 0;
      for (q = 0; q < N; q = q + 1) begin
        if (nx_q[q] && 32'(nw_q[2*q +: 2]) == p) asked[p] = asked[p] + 3'd1;
        for (n = 0; n < D; n = n + 1) begin
          if ((fq_q[FW*(D*q+n) +: 3] == F_REG || fq_q[FW*(D*q+n) +: 3] == F_SYNC)
              && 32'(fq_q[FW*(D*q+n)+3 +: 2]) == p) asked[p] = asked[p] + 3'd1;
          if (q == p && fq_q[FW*(D*q+n) +: 3] == F_ACK) acks = acks + 2'd1;
        end
      end
      fact3[p] = asked[p] == 3'(wants[p]);
      fact5[p] = !nx_q[p] || w_q[p];
      fact6[p] = !(ev_q[p] && en_q[p]) || !(w_q[p] || d_q[p] || r_q[p]);
      fact7[p] = bv_q[p] == (bl_q[2*p +: 2] != 0) && (acks == 1) == (bl_q[2*p +: 2] == B_ACK)
                 && acks < 2;
      fact8[p] = !bv_q[p] || !(w_q[p] || v_q[p] || d_q[p] || r_q[p]);
    end
  end
  wire [N-1:0] leaving = w_q & r_q;
  wire work   = ev_q != 0 || wants != 0 || bv_q != 0 || leaving != 0 || recall_q || fetch_q;
  logic can_go;
  always_comb begin
    can_go = ak_q != 0 || queued != 0 || leaving != 0 || rd_q != 0 || fetch_q;
    for (p = 0; p < N; p = p + 1) begin
      if (el_q[3*p +: 3] != 0 && el_q[3*p +: 3] != E_FWD && (el_q[3*p +: 3] != E_REQ || !recall_q))
        can_go = 1'b1;
      if (rq_q[p] && !recall_q) can_go = 1'b1;
      if (bl_q[2*p +: 2] == B_WB || bl_q[2*p +: 2] == B_OWED) can_go = 1'b1;
    end
  end
  always @* begin
    fact_1:        assert (tokens == 4'(owned_q));
    fact_2:        assert (fact2 == '1);
    fact_3:        assert (fact3 == '1);
    fact_4:        assert ((leaving & ~nx_q) == 0 && (d_q & r_q) == 0 && (v_q & (d_q | r_q)) == 0);
    fact_5:        assert (fact5 == '1);
    fact_6:        assert (fact6 == '1);
    fact_7:        assert (fact7 == '1);
    fact_8:        assert (fact8 == '1);
    one_registrant: assert ((r_q & (r_q - 1'b1)) == 0);
    value_here:    assert ((r_q & x_q) == 0);
    value_l2:      assert (!(here_q && !owned_q && l2x_q) && (here_q || !memx_q));
    sync_value:    assert (!((sync_hit && x) || (serves && !d && akx)));
    acquired:      assert ((v_q & b_q) == 0 && !(l_fill && ej && fb));
    own_store:     assert (!(l_ack && d && t_write));
    expected:      assert (!err);
    no_overflow:   assert (!full);
    no_deadlock:   assert (!work || can_go);
  end

  // ---- drain ------------------------------------------------------------------------------------
  // Steps that are left: of a registration on REQ, forwarded, kept by an owner who waits himself,
  // acknowledged; of a writeback; of a recall; and of the line until it is here. Of a READ: refused,
  // to be repeated, on REQ, forwarded, answered.
  function automatic logic [4:0] rest_l1(input logic rq, input logic ak, input logic nx,
                                         input logic [1:0] bl, input logic rd,
                                         input logic [FW*D-1:0] fq);
    integer b;
    rest_l1 = (rq ? 5'd4 : 5'd0) + 5'(ak) + (nx ? 5'd2 : 5'd0) + 5'(rd);
    if (bl != 0) rest_l1 = rest_l1 + 5'(B_ACK) + 5'd1 - 5'(bl);
    for (b = 0; b < D; b = b + 1) begin
      if (fq[FW*b +: 3] == F_REG || fq[FW*b +: 3] == F_SYNC || fq[FW*b +: 3] == F_RECALL)
        rest_l1 = rest_l1 + 5'd3;
    end
  endfunction
  function automatic logic [2:0] rest_read(input logic [2:0] el);
    case (el)
      E_NACK:         rest_read = 3'd5;
      E_RETRY:        rest_read = 3'd4;
      E_REQ:          rest_read = 3'd3;
      E_FWD:          rest_read = 3'd2;
      E_DATA, E_NONE: rest_read = 3'd1;
      default:        rest_read = 3'd0;
    endcase
  endfunction
  if (Drain != 0) begin : g_drain
    // steps of READs and others that are possible: they must do something
    wire refused = l_fwd && fk == F_READ && (t_ask || Bug == 15) && !in_wb;
    wire of_read = l_fill || (act == NACK && el == E_NACK) || (act == RETRY && el == E_RETRY)
                   || m_read || (l_fwd && fk == F_READ);
    wire of_rest = l_ack || l_pass || (l_fwd && fk != F_READ) || m_reg || m_wb || m_rcld || m_ack
                   || m_mem;
    logic [6:0] was, is, was_read, is_read;
    logic       can_fall;
    integer     g, h;
    always_comb begin
      was      = here_q ? 7'd0 : fetch_q ? 7'd1 : 7'd2;
      is       = here_d ? 7'd0 : fetch_d ? 7'd1 : 7'd2;
      was_read = '0;
      is_read  = '0;
      can_fall = ak_q != 0 || leaving != 0 || rd_q != 0 || fetch_q || (rq_q != 0 && !recall_q);
      for (g = 0; g < N; g = g + 1) begin
        was = was + 7'(rest_l1(rq_q[g], ak_q[g], nx_q[g], bl_q[2*g +: 2], rd_q[g],
                               fq_q[FW*D*g +: FW*D]));
        is  = is + 7'(rest_l1(rq_d[g], ak_d[g], nx_d[g], bl_d[2*g +: 2], rd_d[g],
                              fq_d[FW*D*g +: FW*D]));
        was_read = was_read + 7'(rest_read(el_q[3*g +: 3]));
        is_read  = is_read + 7'(rest_read(el_d[3*g +: 3]));
        if (bl_q[2*g +: 2] == B_WB || bl_q[2*g +: 2] == B_OWED) can_fall = 1'b1;
        for (h = 0; h < D; h = h + 1) begin
          if (fq_q[FW*(D*g+h) +: 3] != 0 && fq_q[FW*(D*g+h) +: 3] != F_READ) can_fall = 1'b1;
        end
      end
    end
    always @* begin
      rest_drains:    assert (!of_rest || (is < was && is_read == was_read));
      reads_drain:    assert (!of_read || refused || (is <= was && is + is_read < was + was_read));
      refusals:       assert (!refused || (w && !r && is == was));
      rest_can_fall:  assert ((was == 0 || (was == 7'd2 && !here_q && !fetch_q)) || can_fall);
      ends:           cover (of_rest && was != 0 && is == 0 && is_read == 0);
      read_ends_last: cover (of_read && was == 0 && was_read != 0 && is_read == 0);
      from_much:      cover (of_rest && was >= 7'd8);
      again:          cover (refused && is_read > was_read);
    end
  end

  // ---- covers: the races (docs/protocol_denovo.md) ----------------------------------------------
  always @* begin
    forward_before_own:  cover (l_fwd && f_reg && t_join);
    read_before_own:     cover (l_fwd && fk == F_READ && t_ask && !in_wb);
    repeated:            cover (act == RETRY && el == E_RETRY);
    forward_after_evict: cover (l_fwd && f_reg && in_wb);
    read_after_evict:    cover (l_fwd && fk == F_READ && in_wb);
    stale_wb:            cover (m_wb && bm && here_q && owned_q && !mine);
    wb_of_absent:        cover (m_wb && !here_q && bm);
    wb_on_its_way_in:    cover (m_wb && bm && fetch_q);
    fill_of_leaving:     cover (l_fill && brings && r && w);
    kept_for_others:     cover (Drain != 0 || (l_other && kept && l_last));
    others_first:        cover (Drain != 0 || (l_other && el == E_FWD && en));
    refused_others_here: cover (Drain != 0 || (act == RETRY && el == E_RETRY && !em && ej));
    brought_again:       cover (Drain != 0 || (l_again && kept && l_last && t_write && ex && !px));
    again_not_last:      cover (Drain != 0 || (l_again && kept && !l_last));
    joins_kept:          cover (Drain != 0 || (joins && el == E_KEPT));
    brought_and_lost:    cover (Drain != 0 || (l_data && !l_last && !en && el == E_DATA));
    recall_meets_wb:     cover (m_wb && recall_q && m_merge);
    recall_waits:        cover (l_fwd && fk == F_RECALL && t_join);
    recall_from_buffer:  cover (l_fwd && fk == F_RECALL && in_wb);
    skipped:             cover (l_fill && es && !d && !r && !w && brings);
    old_data:            cover (Drain != 0 || (l_fill && eo && el == E_DATA && eb));
    passed_on:           cover (l_pass && nw != 3);
    passed_back:         cover (l_pass && nw == 3);
    served_then_left:    cover (serves && nx);
    dirty_with_value:    cover (l_ack && akd && d);
    brought_along:       cover (l_fill && !en && t_write);
    own_data_not_here:   cover (m_read && m.emit && !en && owned_q && mine);
    written_back:        cover (m_need && m.back && (Drain != 0 || (l2x_q == 0 && memx_q)));
    guarded:             cover (access && act == STORE && t_why == hd_pkg::WHY_GUARD);
    waits_for_wb:        cover (act == LOAD && bv);
    sync_on_registered:  cover (sync_hit);
    local_dirty:         cover (access && act == LOCAL && t_hit && v);
  end
  // every state of a word with every event that the table has for it
  for (genvar s = 0; s < 6; s = s + 1) begin : g_state
    localparam logic [3:0] S = s == 0 ? 4'b0000 : s == 1 ? 4'b0001 : s == 2 ? 4'b1000
                             : s == 3 ? 4'b0100 : s == 4 ? 4'b0101 : 4'b0010;  // v d r w
    // LOAD STORE SYNC LOCAL FLUSH EVICT FILL ACK FWD_READ FWD_REG PASS
    localparam logic [10:0] Legal = s == 0 ? 11'b00001011111 : s == 1 ? 11'b01111001111
                                  : s == 2 ? 11'b00001101111 : s == 3 ? 11'b00001011111
                                  : s == 4 ? 11'b01111001111 : 11'b01101101111;
    for (genvar e = 0; e < 11; e = e + 1) begin : g_event
      if (Legal[e]) begin : g_legal
        always @* cover (l_table && 32'(te) == e && {v, d, r, w} == S);
      end
    end
  end
endmodule
`default_nettype wire
