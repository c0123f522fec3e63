// hd_l1_denovo_table.sv - the L1 side of DeNovo as one combinational table over a line's words.
//
// Paper 3 section 3; docs/protocol_denovo.md holds the same table in words. Masks of words: v_i
// valid, d_i dirty, r_i registered, ro_i valid beyond acquires, at most one of them a word (else
// I); w_i: wanted (a registration is out) or, of R, leaving to who waits for it. Every answer is
// given in the same cycle.
//
// in   ev_i what happens; words_i the words it touches. guard_i: words that loads wait for. skip_i,
//      need_i, old_i, keep_i: of the READ whose data arrive (keep_i: needed words become RO).
//      sync_i: wanted words that synchronization of this SM waits for.
//      data_i: the acknowledgement brings values. next_i: words that somebody else waits for.
// out  v_o .. w_o the line's words after it
//      hit_o      touched words that are served, written back, registered or given away now
//      ask_o      those that a READ or REG asks for, or that a forwarded READ is refused
//      join_o     those whose registration is out: the access waits for it, or the forward does
//      write_o    words of the array that the event's data go to
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
  parameter int unsigned LineWords = 16
) (
  input  hd_pkg::dn_event_e    ev_i,
  input  logic [LineWords-1:0] words_i,
  input  logic [LineWords-1:0] v_i,
  input  logic [LineWords-1:0] d_i,
  input  logic [LineWords-1:0] r_i,
  input  logic [LineWords-1:0] ro_i,
  input  logic [LineWords-1:0] w_i,
  input  logic [LineWords-1:0] guard_i,
  input  logic [LineWords-1:0] sync_i,
  input  logic [LineWords-1:0] skip_i,
  input  logic [LineWords-1:0] need_i,
  input  logic                 old_i,
  input  logic                 keep_i,
  input  logic                 data_i,
  input  logic [LineWords-1:0] next_i,
  output logic [LineWords-1:0] v_o,
  output logic [LineWords-1:0] d_o,
  output logic [LineWords-1:0] r_o,
  output logic [LineWords-1:0] ro_o,
  output logic [LineWords-1:0] w_o,
  output logic [LineWords-1:0] hit_o,
  output logic [LineWords-1:0] ask_o,
  output logic [LineWords-1:0] join_o,
  output logic [LineWords-1:0] write_o,
  output hd_pkg::why_e         why_o,
  output logic                 bad_o
);
  logic [LineWords-1:0] here, want, free, fill, kept;

  assign here = v_i | ro_i | d_i | r_i;
  assign want = w_i & ~r_i;
  assign free = ~(here | w_i) & ~skip_i;
  assign fill = words_i & free;
  assign kept = keep_i ? fill & need_i : '0;

  always_comb begin
    v_o     = v_i;
    d_o     = d_i;
    r_o     = r_i;
    ro_o    = ro_i;
    w_o     = w_i;
    hit_o   = '0;
    ask_o   = '0;
    join_o  = '0;
    write_o = '0;
    why_o   = hd_pkg::WHY_NONE;
    bad_o   = 1'b0;
    unique case (ev_i)
      hd_pkg::DEV_LOAD: begin
        hit_o = words_i & here & ~(want & sync_i);
        ask_o = words_i & ~here & ~want;
        if (words_i != '0 && hit_o == '0 && ask_o == '0) why_o = hd_pkg::WHY_LINE;
      end
      hd_pkg::DEV_STORE, hd_pkg::DEV_LOCAL: begin
        if ((words_i & guard_i) != '0) begin
          why_o = hd_pkg::WHY_GUARD;
        end else if ((words_i & want & (~d_i | sync_i)) != '0) begin
          why_o = hd_pkg::WHY_LINE;
        end else if (ev_i == hd_pkg::DEV_LOCAL && (words_i & ~here) != '0) begin
          ask_o = words_i & ~here;
        end else begin
          hit_o   = words_i;
          write_o = words_i;
          d_o     = d_i | (words_i & ~r_i);
          v_o     = v_i & ~words_i;
          ro_o    = ro_i & ~words_i;
        end
      end
      hd_pkg::DEV_SYNC: begin
        hit_o = words_i & r_i;
        if (hit_o == '0) join_o = words_i & want;
        if (hit_o == '0 && join_o == '0) begin
          ask_o = words_i & ~guard_i;
          w_o   = w_i | ask_o;
          v_o   = v_i & ~ask_o;
          ro_o  = ro_i & ~ask_o;
          if (words_i != '0 && ask_o == '0) why_o = hd_pkg::WHY_GUARD;
        end
      end
      hd_pkg::DEV_FLUSH: begin
        ask_o = d_i & ~w_i;
        w_o   = w_i | ask_o;
      end
      hd_pkg::DEV_EVICT: begin
        hit_o = r_i;
        bad_o = (d_i | w_i) != '0;
        v_o   = '0;
        r_o   = '0;
        ro_o  = '0;
      end
      hd_pkg::DEV_FILL: begin
        write_o = old_i ? kept : fill;
        ro_o    = ro_i | kept;
        if (!old_i) v_o = v_i | (fill & ~kept);
      end
      hd_pkg::DEV_ACK: begin
        bad_o   = (words_i & ~want) != '0 || (!data_i && (words_i & ~d_i) != '0);
        hit_o   = words_i;
        r_o     = r_i | words_i;
        d_o     = d_i & ~words_i;
        w_o     = w_i & (~words_i | next_i);
        write_o = data_i ? words_i & ~d_i : '0;
      end
      hd_pkg::DEV_FWD_READ: begin
        hit_o = words_i & r_i;
        ask_o = words_i & want;
        bad_o = (words_i & ~(r_i | want)) != '0;
      end
      hd_pkg::DEV_FWD_REG: begin
        hit_o  = words_i & r_i & ~w_i;
        join_o = words_i & want;
        bad_o  = (words_i & ~(hit_o | join_o)) != '0;
        r_o    = r_i & ~hit_o;
      end
      hd_pkg::DEV_PASS: begin
        hit_o = words_i;
        bad_o = (words_i & ~(r_i & w_i)) != '0;
        r_o   = r_i & ~words_i;
        w_o   = w_i & ~words_i;
      end
      hd_pkg::DEV_BEGIN: begin
        v_o  = '0;
        ro_o = '0;
      end
      default: bad_o = 1'b1;
    endcase
  end
endmodule
`default_nettype wire
