// hd_l1_gpu_table.sv - the L1 side of GPU coherence as one combinational table over a line's words.
//
// Paper 3 section 2.2.1; docs/protocol_gpu.md holds the same table in words. A word is I, V (valid,
// clean) or D (dirty): v_i and d_i, never both. Every answer is given in the same cycle.
//
// in   ev_i what happens; words_i the words it touches. guard_i: words that loads wait for.
//      pending_i: a READ of the line is out whose data may stay, skip_i: but not these words.
// out  v_o, d_o   the line's words after it
//      hit_o      touched words that are served now; miss_o those that must wait for data
//      write_o    words of the array that the event's data go to
//      says_o     the rest: hd_pkg::gpu_says_s
//
//         LOAD               STORE    SYNC          LOCAL     FLUSH   EVICT   FILL         INV
//   I     join, skip: wait,  D (g)    ATOMIC (g)    GETS (g)  -       -       V, skip: -   -
//         else GETS
//   V     hit                D (g)    I, ATOMIC (g) D (g)     -       I       -            I
//   D     hit                D        WT of d_i, V  D         WT, V   WT, I   -            -
//
// (g): words of guard_i wait. SYNC: with a touched word D the line's dirty words are written
// through first (again). A LOCAL with a touched word I asks for the line and comes again. FILL is
// asked only for a line that is here, by a READ whose data may stay.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_gpu_table #(
  parameter int unsigned LineWords = 16
) (
  input  hd_pkg::word_event_e  ev_i,
  input  logic [LineWords-1:0] words_i,
  input  logic [LineWords-1:0] v_i,
  input  logic [LineWords-1:0] d_i,
  input  logic [LineWords-1:0] guard_i,
  input  logic                 pending_i,
  input  logic [LineWords-1:0] skip_i,
  output logic [LineWords-1:0] v_o,
  output logic [LineWords-1:0] d_o,
  output logic [LineWords-1:0] hit_o,
  output logic [LineWords-1:0] miss_o,
  output logic [LineWords-1:0] write_o,
  output hd_pkg::gpu_says_s    says_o
);
  logic [LineWords-1:0] here, missing;
  logic                 guarded;

  assign here    = words_i & (v_i | d_i);
  assign missing = words_i & ~(v_i | d_i);
  assign guarded = (words_i & guard_i) != '0;

  always_comb begin
    v_o     = v_i;
    d_o     = d_i;
    hit_o   = '0;
    miss_o  = '0;
    write_o = '0;
    says_o  = '0;
    unique case (ev_i)
      hd_pkg::WEV_LOAD: begin
        if (missing != '0 && pending_i && (missing & skip_i) != '0) begin
          says_o.why = hd_pkg::WHY_LINE;
        end else begin
          hit_o        = here;
          miss_o       = missing;
          says_o.joins = missing != '0 && pending_i;
          if (missing != '0 && !pending_i) says_o.req = hd_pkg::MSG_GETS;
        end
      end
      hd_pkg::WEV_STORE: begin
        if (guarded) begin
          says_o.why = hd_pkg::WHY_GUARD;
        end else begin
          hit_o   = words_i;
          write_o = words_i;
          d_o     = d_i | words_i;
          v_o     = v_i & ~words_i;
        end
      end
      hd_pkg::WEV_SYNC: begin
        if (guarded) begin
          says_o.why = hd_pkg::WHY_GUARD;
        end else if ((words_i & d_i) != '0) begin
          says_o.req   = hd_pkg::MSG_WT;
          says_o.again = 1'b1;
          v_o          = v_i | d_i;
          d_o          = '0;
        end else begin
          says_o.req = hd_pkg::MSG_ATOMIC;
          v_o        = v_i & ~words_i;
        end
      end
      hd_pkg::WEV_LOCAL: begin
        if (guarded) begin
          says_o.why = hd_pkg::WHY_GUARD;
        end else if (missing != '0) begin
          if (pending_i) says_o.why = hd_pkg::WHY_LINE;
          else says_o.req = hd_pkg::MSG_GETS;
          says_o.again = !pending_i;
        end else begin
          hit_o = words_i;
          d_o   = d_i | words_i;
          v_o   = v_i & ~words_i;
        end
      end
      hd_pkg::WEV_FLUSH: begin
        if (d_i != '0) says_o.req = hd_pkg::MSG_WT;
        v_o = v_i | d_i;
        d_o = '0;
      end
      hd_pkg::WEV_EVICT: begin
        if (d_i != '0) says_o.req = hd_pkg::MSG_WT;
        v_o = '0;
        d_o = '0;
      end
      hd_pkg::WEV_FILL: begin
        write_o = ~(v_i | d_i) & ~skip_i;
        v_o     = v_i | write_o;
      end
      hd_pkg::WEV_INV: v_o = '0;
      default: says_o.why = hd_pkg::WHY_LINE;
    endcase
  end
endmodule
`default_nettype wire
