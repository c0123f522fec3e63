// hd_l1_denovo_table.sv - the L1 side of DeNovo as one combinational table over a line's words.
//
// Paper 3 section 3; docs/protocol_denovo.md holds the same table in words. state_i: the line's
// masks of words as in hd_l1_words, {wanted (a registration is out) or, of R, leaving to who waits
// for it; and, at most one of them a word (else I), valid beyond acquires (RO); registered (R);
// dirty (D); valid (V)}. Every answer is given in the same cycle.
//
// in   ev_i what happens; words_i the words it touches. guard_i: words that loads wait for. read_i
//      of the READ whose data arrive: {old, keep: needed words become RO, skip, need}.
//      sync_i: wanted words that synchronization of this SM waits for.
//      data_i: the acknowledgement brings values. next_i: words that somebody else waits for.
// out  state_o    the line's words after it
//      says_o     {writes: words of the array that the event's data go to;
//                 joins: those whose registration is out: the access waits for it, or the forward;
//                 asks: those that a READ or REG asks for, or that a forwarded READ is refused;
//                 hits: touched words that are served, written back, registered or given away now}
//      why_o      not WHY_NONE: nothing is done, the event must wait
//      bad_o      a word in a state that the event excludes
//
//            LOAD  STORE    SYNC     LOCAL    FLUSH  EVICT  FILL     ACK     FWD_READ FWD_REG PASS
//   I        ask   D (g)    ask W(g) ask (g)  -      -      V or RO  bad     bad      bad     bad
//   I, W     wait  wait     join     wait     -      bad    -        R       ask      join    bad
//   V, RO    hit   D (g)    ask W(g) D (g)    -      I      -        bad     bad      bad     bad
//   D        hit   D (g)    ask W(g) D (g)    ask W  bad    -        bad     bad      bad     bad
//   D, W     hit   D (g)    join     D (g)    -      bad    -        R       ask      join    bad
//   R        hit   R        hit      R        -      hit I  -        bad     hit      hit I   bad
//   R, W     hit   R        hit      R        -      bad    -        bad     hit      bad     hit I
//
// (g): words of guard_i wait. D, W: LOAD, STORE and LOCAL of words of sync_i wait, for they are
// behind it in program order. SYNC serves words of one kind, R before W before the rest. ACK: words
// of next_i stay W, the others do not. BEGIN: V and RO become I.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_denovo_table #(
  parameter int unsigned LineWords = 16,
  parameter int unsigned StateW = hd_pkg::WORDS_DENOVO * LineWords  // derived
) (
  input  hd_pkg::dn_event_e      ev_i,
  input  logic [LineWords-1:0]   words_i,
  input  logic [StateW-1:0]      state_i,
  input  logic [LineWords-1:0]   guard_i,
  input  logic [LineWords-1:0]   sync_i,
  input  logic [2*LineWords+1:0] read_i,
  input  logic                   data_i,
  input  logic [LineWords-1:0]   next_i,
  output logic [StateW-1:0]      state_o,
  output logic [4*LineWords-1:0] says_o,
  output hd_pkg::why_e           why_o,
  output logic                   bad_o
);
  logic [LineWords-1:0] v, d, r, ro, w, v_new, d_new, r_new, ro_new, w_new;
  logic [LineWords-1:0] hits, asks, joins, writes, skip, need, here, want, free, fill, kept;
  logic                 old, keep;

  assign {w, ro, r, d, v}        = state_i;
  assign {old, keep, skip, need} = read_i;
  assign state_o = {w_new, ro_new, r_new, d_new, v_new};
  assign says_o  = {writes, joins, asks, hits};

  assign here = v | ro | d | r;
  assign want = w & ~r;
  assign free = ~(here | w) & ~skip;
  assign fill = words_i & free;
  assign kept = keep ? fill & need : '0;

  always_comb begin
    v_new  = v;
    d_new  = d;
    r_new  = r;
    ro_new = ro;
    w_new  = w;
    hits   = '0;
    asks   = '0;
    joins  = '0;
    writes = '0;
    why_o  = hd_pkg::WHY_NONE;
    bad_o  = 1'b0;
    unique case (ev_i)
      hd_pkg::DEV_LOAD: begin
        hits = words_i & here & ~(want & sync_i);
        asks = words_i & ~here & ~want;
        if (words_i != '0 && hits == '0 && asks == '0) why_o = hd_pkg::WHY_LINE;
      end
      hd_pkg::DEV_STORE, hd_pkg::DEV_LOCAL: begin
        if ((words_i & guard_i) != '0) begin
          why_o = hd_pkg::WHY_GUARD;
        end else if ((words_i & want & (~d | sync_i)) != '0) begin
          why_o = hd_pkg::WHY_LINE;
        end else if (ev_i == hd_pkg::DEV_LOCAL && (words_i & ~here) != '0) begin
          asks = words_i & ~here;
        end else begin
          hits   = words_i;
          writes = words_i;
          d_new  = d | (words_i & ~r);
          v_new  = v & ~words_i;
          ro_new = ro & ~words_i;
        end
      end
      hd_pkg::DEV_SYNC: begin
        hits = words_i & r;
        if (hits == '0) joins = words_i & want;
        if (hits == '0 && joins == '0) begin
          asks   = words_i & ~guard_i;
          w_new  = w | asks;
          v_new  = v & ~asks;
          ro_new = ro & ~asks;
          if (words_i != '0 && asks == '0) why_o = hd_pkg::WHY_GUARD;
        end
      end
      hd_pkg::DEV_FLUSH: begin
        asks  = d & ~w;
        w_new = w | asks;
      end
      hd_pkg::DEV_EVICT: begin
        hits   = r;
        bad_o  = (d | w) != '0;
        v_new  = '0;
        r_new  = '0;
        ro_new = '0;
      end
      hd_pkg::DEV_FILL: begin
        writes = old ? kept : fill;
        ro_new = ro | kept;
        if (!old) v_new = v | (fill & ~kept);
      end
      hd_pkg::DEV_ACK: begin
        bad_o  = (words_i & ~want) != '0 || (!data_i && (words_i & ~d) != '0);
        hits   = words_i;
        r_new  = r | words_i;
        d_new  = d & ~words_i;
        w_new  = w & (~words_i | next_i);
        writes = data_i ? words_i & ~d : '0;
      end
      hd_pkg::DEV_FWD_READ: begin
        hits  = words_i & r;
        asks  = words_i & want;
        bad_o = (words_i & ~(r | want)) != '0;
      end
      hd_pkg::DEV_FWD_REG: begin
        hits  = words_i & r & ~w;
        joins = words_i & want;
        bad_o = (words_i & ~(hits | joins)) != '0;
        r_new = r & ~hits;
      end
      hd_pkg::DEV_PASS: begin
        hits  = words_i;
        bad_o = (words_i & ~(r & w)) != '0;
        r_new = r & ~words_i;
        w_new = w & ~words_i;
      end
      hd_pkg::DEV_BEGIN: begin
        v_new  = '0;
        ro_new = '0;
      end
      default: bad_o = 1'b1;
    endcase
  end
endmodule
`default_nettype wire
