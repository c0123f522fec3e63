// hd_unsafe_queues.sv - accesses of each warp that must be performed in program order, and markers.
//
// Three kinds of entry (hd_pkg::oq_e): ORDERED leaves when no ordered access of its warp is in
// flight, or only lines of its own instruction; FREE leaves when it is the head;
// MARKER leaves when none is in flight. In flight: gone out and not yet performed.
//
// in      in_acc_i, in_data_i: the access that comes. direct_ok_o (combinational): if it is ordered
//         it may pass, the queue being empty. do_i: it does, or it enters the queue of its warp,
//         which must not be full. An entry can leave from the next cycle on.
// out     out_valid_o: a head may leave; out_kind_o out_acc_o (warp, slot and what hd_pkg::queued
//         keeps) out_data_o describe it until it is taken (round robin between warps, so it may
//         change while it waits). At most one access passes, or is taken and ordered, a cycle.
// done    done_i: an ordered access in flight of done_warp_i was performed.
// state_o {pend, empty, full}, bit w of each for warp w; pend: the warp has ordered accesses,
//         queued or in flight, that are not performed. Registers.
// seq_o   {pend, done, came} tells pending from done: came is the number of ordered accesses that
//         ever came of the warp of in_acc_i, done that of those of done_warp_i that were performed,
//         this cycle's included, both modulo 2**SeqW; pend: the bit of state_o of the warp of
//         in_acc_i without what is done in this cycle.
//
// Paper 1 section 4.2 (unsafe queues of the memory ordering buffer, markers, pending counters);
// section 3.3 (store buffers: stores are the ordered accesses) and 3.5 (SC with prefetch: all are).
// Warps; Depth: entries of a queue; Width: bits beside an access; SlotW: an instruction's number in
// its warp; Unified: one queue of Depth entries for all warps, whose head blocks the others.
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
  input  logic               clk_i,
  input  logic               rst_i,

  input  hd_pkg::access_s    in_acc_i,
  input  logic [Width-1:0]   in_data_i,
  output logic               direct_ok_o,
  input  hd_pkg::oq_do_s     do_i,

  output logic               out_valid_o,
  output hd_pkg::oq_e        out_kind_o,
  output hd_pkg::access_s    out_acc_o,
  output logic [Width-1:0]   out_data_o,

  input  logic               done_i,
  input  logic [WarpW-1:0]   done_warp_i,

  output logic [3*Warps-1:0] state_o,
  output logic [2*SeqW:0]    seq_o
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
  logic [KeyW-1:0]        in_key, out_key;
  logic [hd_pkg::idx_w(Queues*Depth)-1:0] in_entry, out_entry;
  logic                   out_ordered, go, new_ordered, last_done, drop_pend;
  logic [WarpW-1:0]       in_warp, out_warp, go_warp;
  logic [SlotW-1:0]       in_slot, out_slot, go_slot;
  logic [hd_pkg::QUEUED_W-1:0] out_bits;
  logic [Warps-1:0]       full, empty, go_bit, new_bit, done_bit, in_bit;
  logic [Warps-1:0]       pend_q;
  logic [SeqW-1:0]        enq_next, done_cnt, done_seq;  // of done_warp_i
  logic                   in_pend;

  assign in_warp = WarpW'(in_acc_i.warp);
  assign in_slot = SlotW'(in_acc_i.slot);
  assign in_key  = {in_warp, in_slot, do_i.kind};
  assign state_o = {pend_q, empty, full};

  hd_warp_queues #(
    .Queues(Queues), .Depth(Depth), .Width(hd_pkg::QUEUED_W + Width + KeyW), .KeyW(KeyW)
  ) u_queues (
    .clk_i(clk_i), .rst_i(rst_i), .push_i(do_i.push), .push_q_i(push_q), .push_key_i(in_key),
    .push_data_i({hd_pkg::queued(in_acc_i), in_data_i, in_key}), .push_entry_o(in_entry),
    .rd_q_i(out_q), .rd_data_o({out_bits, out_data_o, out_key}), .rd_entry_o(out_entry),
    .pop_i(do_i.take), .full_o(q_full), .empty_o(q_empty), .hkey_o(hkey)
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
    assign full   = {Warps{q_full[0]}};
    assign empty  = {Warps{q_empty[0]}};
  end else begin : g_per_warp
    logic [Warps-1:0] other;  // the head is of another instruction than what is in flight
    always_comb begin
      other = '0;
      for (int unsigned b = 0; b < SlotW; b++)
        other = other | (hkey[(2+b)*Warps +: Warps] ^ infl_slot_q[b]);
    end
    // kinds: ORDERED 00, FREE 01, MARKER 10
    assign ready   = ~q_empty & (~infl_q | hkey[0 +: Warps] | (~hkey[Warps +: Warps] & ~other));
    assign push_q  = in_warp;
    assign full    = q_full;
    assign empty   = q_empty;
    logic unused_warp;
    assign unused_warp = ^hkey[Queues*KeyW-1 -: WarpW*Warps];
  end

  hd_arb_rr #(.N(Queues)) u_pick (
    .clk_i(clk_i), .rst_i(rst_i), .req_i(ready), .take_i(do_i.take), .gnt_o(gnt), .idx_o(out_q),
    .valid_o(out_valid_o)
  );
  assign {out_warp, out_slot} = out_key[KeyW-1:2];
  always_comb begin
    out_acc_o      = hd_pkg::ACCESS_W'(out_bits);
    out_acc_o.warp = hd_pkg::WARP_W'(out_warp);
    out_acc_o.slot = hd_pkg::SLOT_W'(out_slot);
  end
  hd_pkg::oq_s kind_bits;
  assign kind_bits   = out_key[1:0];
  assign out_kind_o  = kind_bits.kind;
  assign out_ordered = out_key[1:0] == hd_pkg::OQ_ORDERED;

  // ---- in flight, pending -----------------------------------------------------------------------
  always_comb begin
    in_bit = '0;
    in_bit[in_warp] = 1'b1;
    direct_ok_o = (empty & in_bit) != '0;
    if ((infl_q & in_bit) != '0) begin
      for (int unsigned b = 0; b < SlotW; b++) begin
        if (((infl_slot_q[b] & in_bit) != '0) != in_slot[b]) direct_ok_o = 1'b0;
      end
    end
  end

  always_comb begin
    done_seq  = done_q[done_warp_i] + SeqW'(done_i);
    enq_next  = enq_q[done_warp_i];
    last_done = done_i && done_seq == enq_next;
    done_cnt  = infl_cnt_q[done_warp_i];
    in_pend   = pend_q[in_warp] && !(last_done && in_warp == done_warp_i);
    seq_o     = {in_pend, done_seq, enq_q[in_warp]};
    done_bit  = '0;
    if (done_i) done_bit[done_warp_i] = 1'b1;
  end

  always_comb begin
    go          = do_i.direct || (do_i.take && out_ordered);
    go_warp     = do_i.direct ? in_warp : out_warp;
    go_slot     = do_i.direct ? in_slot : out_slot;
    new_ordered = do_i.direct || (do_i.push && do_i.kind == hd_pkg::OQ_ORDERED);
    go_bit      = '0;
    new_bit     = '0;
    if (go) go_bit[go_warp] = 1'b1;
    if (new_ordered) new_bit[in_warp] = 1'b1;
    drop_pend   = last_done && (new_bit & done_bit) == '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      infl_q <= '0;
      pend_q <= '0;
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
      if (new_ordered) enq_q[in_warp] <= enq_q[in_warp] + SeqW'(1);
      if (done_i) done_q[done_warp_i] <= done_seq;
      pend_q <= (pend_q & ~(drop_pend ? done_bit : '0)) | new_bit;
    end
  end
  always_ff @(posedge clk_i) begin
    if (go) begin
      for (int unsigned b = 0; b < SlotW; b++)
        infl_slot_q[b] <= (infl_slot_q[b] & ~go_bit) | (go_slot[b] ? go_bit : '0);
    end
  end

  logic unused;
  assign unused = ^{gnt, in_entry, out_entry, in_acc_i};

  `HD_ASSERT(a_direct_may_pass, !do_i.direct || direct_ok_o)
  `HD_ASSERT(a_one_goes_out, !(do_i.direct && do_i.take && out_ordered))
  `HD_ASSERT(a_one_is_new, !(do_i.direct && do_i.push && do_i.kind == hd_pkg::OQ_ORDERED))
  `HD_ASSERT(a_done_was_in_flight, !done_i || done_cnt != '0)
endmodule
`default_nettype wire
