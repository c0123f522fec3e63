// hd_unsafe_queues.sv - accesses of each warp that must be performed in program order, and markers.
//
// Three kinds of entry (hd_pkg::oq_e): ORDERED leaves when no ordered access of its warp is in
// flight, or only lines of its own instruction; FREE leaves when it is the head;
// MARKER leaves when none is in flight. In flight: gone out and not yet performed.
//
// push    push_i; full_o[push_warp_i] must be 0. An entry can leave from the next cycle on.
// direct  direct_ok_o (combinational from direct_warp_i, direct_slot_i): an ordered access of that
//         instruction may pass, the queue being empty; direct_i: it does so now.
// out     out_valid_o: a head may leave; out_kind_o out_warp_o out_data_o describe it until it is
//         taken (round robin between warps, so it may change while it waits). out_take_i takes it.
//         At most one of direct_i and a take of an ordered entry a cycle.
// done    done_i: an ordered access in flight of done_warp_i was performed.
// state   full_o empty_o, bit w for warp w; pend_o: the warp has ordered accesses, queued or in
//         flight, that are not performed. Registers.
// seq     tells pending from done: seq_o is the number of ordered accesses of seq_warp_i that ever
//         came, done_seq_o of those of done_warp_i that were performed, this cycle's included, both
//         modulo 2**SeqW. seq_pend_o: pend_o of seq_warp_i without what is done in this cycle.
//
// Paper 1 section 4.2 (unsafe queues of the memory ordering buffer, markers, pending counters);
// section 3.3 (store buffers: stores are the ordered accesses) and 3.5 (SC with prefetch: all are).
// Warps; Depth: entries of a queue; Width: bits of an entry; SlotW: an instruction's number in its
// warp; Unified: one queue of Depth entries for all warps, whose head blocks the others.
`include "hd_assert.svh"
`default_nettype none
module hd_unsafe_queues #(
  parameter int unsigned Warps   = 48,
  parameter int unsigned Depth   = 4,
  parameter int unsigned Width   = 32,
  parameter int unsigned SlotW   = hd_pkg::SLOT_W,
  parameter int unsigned Unified = 0,
  parameter int unsigned SeqW    = hd_pkg::ORDER_SEQ_W,
  parameter int unsigned WarpW   = hd_pkg::idx_w(Warps)  // derived: leave at its default
) (
  input  logic             clk_i,
  input  logic             rst_i,

  input  logic             push_i,
  input  hd_pkg::oq_e      push_kind_i,
  input  logic [WarpW-1:0] push_warp_i,
  input  logic [SlotW-1:0] push_slot_i,
  input  logic [Width-1:0] push_data_i,

  input  logic [WarpW-1:0] direct_warp_i,
  input  logic [SlotW-1:0] direct_slot_i,
  output logic             direct_ok_o,
  input  logic             direct_i,

  output logic             out_valid_o,
  output hd_pkg::oq_e      out_kind_o,
  output logic [WarpW-1:0] out_warp_o,
  output logic [SlotW-1:0] out_slot_o,
  output logic [Width-1:0] out_data_o,
  input  logic             out_take_i,

  input  logic             done_i,
  input  logic [WarpW-1:0] done_warp_i,

  output logic [Warps-1:0] full_o,
  output logic [Warps-1:0] empty_o,
  output logic [Warps-1:0] pend_o,

  input  logic [WarpW-1:0] seq_warp_i,
  output logic [SeqW-1:0]  seq_o,
  output logic             seq_pend_o,
  output logic [SeqW-1:0]  done_seq_o
);
  localparam int unsigned Queues = (Unified != 0) ? 1 : Warps;
  localparam int unsigned QueueW = hd_pkg::idx_w(Queues);
  localparam int unsigned KeyW   = 2 + SlotW + WarpW;  // warp, slot, kind

  logic [Warps-1:0]   infl_q;                   // ordered accesses are in flight
  logic [SeqW-1:0]    infl_cnt_q [0:Warps-1];   // how many
  logic [Warps-1:0]   infl_slot_q [0:SlotW-1];  // of which instruction, by planes
  logic [SeqW-1:0]    enq_q [0:Warps-1];
  logic [SeqW-1:0]    done_q [0:Warps-1];

  logic [Queues-1:0]      q_full, q_empty, ready, gnt;
  logic [Queues*KeyW-1:0] hkey;
  logic [QueueW-1:0]      push_q, out_q;
  logic [KeyW-1:0]        out_key;
  logic [hd_pkg::idx_w(Queues*Depth)-1:0] in_entry, out_entry;
  logic                   out_ordered, go, new_ordered, last_done, drop_pend;
  logic [WarpW-1:0]       go_warp, new_warp;
  logic [SlotW-1:0]       go_slot;
  logic [Warps-1:0]       go_bit, new_bit, done_bit, direct_bit;
  logic [SeqW-1:0]        enq_next, done_cnt;  // of done_warp_i

  hd_warp_queues #(.Queues(Queues), .Depth(Depth), .Width(Width + KeyW), .KeyW(KeyW)) u_queues (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(push_i), .push_q_i(push_q),
    .push_key_i({push_warp_i, push_slot_i, push_kind_i}),
    .push_data_i({push_data_i, push_warp_i, push_slot_i, push_kind_i}), .push_entry_o(in_entry),
    .rd_q_i(out_q), .rd_data_o({out_data_o, out_key}), .rd_entry_o(out_entry), .pop_i(out_take_i),
    .full_o(q_full), .empty_o(q_empty), .hkey_o(hkey)
  );

  // ---- which heads may leave --------------------------------------------------------------------
  if (Unified != 0) begin : g_unified
    logic [WarpW-1:0] warp;
    logic [SlotW-1:0] in_flight;
    assign warp   = hkey[KeyW-1 -: WarpW];
    assign push_q = '0;
    always_comb begin
      for (int unsigned b = 0; b < SlotW; b++) in_flight[b] = infl_slot_q[b][warp];
    end
    assign ready  = !q_empty[0] && (!infl_q[warp] || hkey[1:0] == hd_pkg::OQ_FREE
                    || (hkey[1:0] == hd_pkg::OQ_ORDERED && hkey[2 +: SlotW] == in_flight));
    assign full_o  = {Warps{q_full[0]}};
    assign empty_o = {Warps{q_empty[0]}};
  end else begin : g_per_warp
    logic [Warps-1:0] other;  // the head is of another instruction than what is in flight
    always_comb begin
      other = '0;
      for (int unsigned b = 0; b < SlotW; b++)
        other = other | (hkey[(2+b)*Warps +: Warps] ^ infl_slot_q[b]);
    end
    // kinds: ORDERED 00, FREE 01, MARKER 10
    assign ready   = ~q_empty & (~infl_q | hkey[0 +: Warps] | (~hkey[Warps +: Warps] & ~other));
    assign push_q  = push_warp_i;
    assign full_o  = q_full;
    assign empty_o = q_empty;
    logic unused_warp;
    assign unused_warp = ^hkey[Queues*KeyW-1 -: WarpW*Warps];
  end

  hd_arb_rr #(.N(Queues)) u_pick (
    .clk_i(clk_i), .rst_i(rst_i), .req_i(ready), .take_i(out_take_i), .gnt_o(gnt), .idx_o(out_q),
    .valid_o(out_valid_o)
  );
  assign {out_warp_o, out_slot_o} = out_key[KeyW-1:2];
  hd_pkg::oq_s kind_bits;
  assign kind_bits   = out_key[1:0];
  assign out_kind_o  = kind_bits.kind;
  assign out_ordered = out_key[1:0] == hd_pkg::OQ_ORDERED;

  // ---- in flight, pending -----------------------------------------------------------------------
  always_comb begin
    direct_bit = '0;
    direct_bit[direct_warp_i] = 1'b1;
    direct_ok_o = (empty_o & direct_bit) != '0;
    if ((infl_q & direct_bit) != '0) begin
      for (int unsigned b = 0; b < SlotW; b++) begin
        if (((infl_slot_q[b] & direct_bit) != '0) != direct_slot_i[b]) direct_ok_o = 1'b0;
      end
    end
  end

  always_comb begin
    done_seq_o = done_q[done_warp_i] + SeqW'(done_i);
    enq_next   = enq_q[done_warp_i];
    last_done  = done_i && done_seq_o == enq_next;
    done_cnt   = infl_cnt_q[done_warp_i];
    seq_o      = enq_q[seq_warp_i];
    seq_pend_o = pend_o[seq_warp_i] && !(last_done && seq_warp_i == done_warp_i);
    done_bit   = '0;
    if (done_i) done_bit[done_warp_i] = 1'b1;
  end

  always_comb begin
    go          = direct_i || (out_take_i && out_ordered);
    go_warp     = direct_i ? direct_warp_i : out_warp_o;
    go_slot     = direct_i ? direct_slot_i : out_slot_o;
    new_ordered = direct_i || (push_i && push_kind_i == hd_pkg::OQ_ORDERED);
    new_warp    = direct_i ? direct_warp_i : push_warp_i;
    go_bit      = '0;
    new_bit     = '0;
    if (go) go_bit[go_warp] = 1'b1;
    if (new_ordered) new_bit[new_warp] = 1'b1;
    drop_pend   = last_done && (new_bit & done_bit) == '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      infl_q <= '0;
      pend_o <= '0;
      for (int unsigned w = 0; w < Warps; w++) begin
        infl_cnt_q[w] <= '0;
        enq_q[w]      <= '0;
        done_q[w]     <= '0;
      end
    end else if (go || new_ordered || done_i) begin
      if (go && (go_bit & done_bit) == '0) infl_cnt_q[go_warp] <= infl_cnt_q[go_warp] + SeqW'(1);
      if (done_i && (go_bit & done_bit) == '0) begin
        infl_cnt_q[done_warp_i] <= done_cnt - SeqW'(1);
      end
      infl_q <= (infl_q & ~((done_cnt == SeqW'(1)) ? done_bit : '0)) | go_bit;
      if (new_ordered) enq_q[new_warp] <= enq_q[new_warp] + SeqW'(1);
      if (done_i) done_q[done_warp_i] <= done_seq_o;
      pend_o <= (pend_o & ~(drop_pend ? done_bit : '0)) | new_bit;
    end
  end
  always_ff @(posedge clk_i) begin
    if (go) begin
      for (int unsigned b = 0; b < SlotW; b++)
        infl_slot_q[b] <= (infl_slot_q[b] & ~go_bit) | (go_slot[b] ? go_bit : '0);
    end
  end

  logic unused;
  assign unused = ^{gnt, in_entry, out_entry};

  `HD_ASSERT(a_direct_may_pass, !direct_i || direct_ok_o)
  `HD_ASSERT(a_one_goes_out, !(direct_i && out_take_i && out_ordered))
  `HD_ASSERT(a_one_is_new, !(direct_i && push_i && push_kind_i == hd_pkg::OQ_ORDERED))
  `HD_ASSERT(a_done_was_in_flight, !done_i || done_cnt != '0)
endmodule
`default_nettype wire
