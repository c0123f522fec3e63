// hd_mshr_table.sv - miss status holding registers: pending lines and the accesses that wait.
//
// Paper 1 Table 2 (128 entries a line each), paper 1 section 6.1 and paper 2 section 3 (a merge
// limit; an access that finds no room stalls the in-order memory pipe). One entry per pending line;
// each entry owns a first-in first-out list of waiting line accesses (targets) in a shared pool, so
// that they are served in arrival order, stores included. The merge limit is counted in lanes of
// one entry.
//
// lookup   combinational: lk_valid_i, lk_line_i, lk_lanes_i and push_acc_i, the access
//          -> lk_hit_o, lk_idx_o (entry of that line, or the entry a new one would take),
//          lk_room_o: the access may be pushed; lk_why_o (hd_pkg::why_e): why not. The first access
//          of an entry is never refused by the limit.
// push     push_i with a looked-up access that has room: its payload is stored at the edge; a new
//          entry is made when lk_hit_o is 0. Of push_acc_i the last MISS_W bits are kept, its tag
//          cut to SlotW - SLOT_W bits; push_place_i is {lanes, word of each lane, words touched}.
// read     rd_idx_i -> rd_line_o, rd_opid_o: line and first warp operation of an entry,
//          combinational.
// replay   rp_start_i, rp_idx_i: begin to serve an entry; from the next cycle rp_valid_o and the
//          rp_* payload show its oldest target until rp_pop_i takes it; the next one follows in the
//          next cycle. rp_last_o: the shown target is the last one; popping it frees the entry.
//          rp_stop_i: stop serving, the shown target stays the oldest. During a replay there is no
//          push.
//          rp_line_i and rp_mask_i are for hd_pending_request_table, which has the same ports;
//          rp_wait_o, never here: a replay has begun and shows nothing yet.
// A freed entry or target can be used from the next cycle. idle_o: no replay runs (waiting entries
// do not move).
// Parameters: Entries, Targets (pool), StoreData and CasData (targets with data, with CAS compare),
// MergeLanes, Lanes, LineWords, WordW bits, LineW bits of a line number.
`include "hd_assert.svh"
`default_nettype none
module hd_mshr_table #(
  parameter int unsigned Entries = 128,
  parameter int unsigned Targets = 512,
  parameter int unsigned StoreData = 128,
  parameter int unsigned CasData = 16,
  parameter int unsigned MergeLanes = 32,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned LineW = 25,
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,   // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                  // derived
  parameter int unsigned CntW = $clog2(Lanes + 1),                                    // derived
  parameter int unsigned IdxW = hd_pkg::idx_w(Entries)                                // derived
) (
  input  logic                     clk_i,
  input  logic                     rst_i,
  // lookup
  input  logic                     lk_valid_i,
  input  logic [LineW-1:0]         lk_line_i,
  input  logic [CntW-1:0]          lk_lanes_i,
  output logic                     lk_hit_o,
  output logic [IdxW-1:0]          lk_idx_o,
  output logic                     lk_room_o,
  output hd_pkg::why_e             lk_why_o,
  // push
  input  logic                     push_i,
  input  hd_pkg::access_s          push_acc_i,
  input  logic [PlaceW-1:0]        push_place_i,
  input  logic [DataW-1:0]         push_data_i,
  input  logic [Lanes*32-1:0]      push_cmp_i,
  // read an entry
  input  logic [IdxW-1:0]          rd_idx_i,
  output logic [LineW-1:0]         rd_line_o,
  output logic [hd_pkg::OPID_W-1:0] rd_opid_o,
  // replay
  input  logic                     rp_start_i,
  input  logic [IdxW-1:0]          rp_idx_i,
  input  logic [LineW-1:0]         rp_line_i,
  input  logic [Lanes-1:0]         rp_mask_i,
  output logic                     rp_wait_o,
  output logic                     rp_valid_o,
  output logic [LineW-1:0]         rp_line_o,
  output logic [IdxW-1:0]          rp_idx_o,
  output hd_pkg::access_s          rp_acc_o,
  output logic [CntW-1:0]          rp_lanes_o,
  output logic [PlaceW-1:0]        rp_place_o,
  output logic [DataW-1:0]         rp_data_o,
  output logic [Lanes*32-1:0]      rp_cmp_o,
  output logic                     rp_last_o,
  input  logic                     rp_pop_i,
  input  logic                     rp_stop_i,
  // state
  output logic                     empty_o,       // no entry in use
  output logic [Entries-1:0]       busy_o,        // entries in use
  output logic                     idle_o
);
  localparam int unsigned TgtW  = hd_pkg::idx_w(Targets);
  localparam int unsigned StW   = hd_pkg::idx_w(StoreData);
  localparam int unsigned CasW  = hd_pkg::idx_w(CasData);
  localparam int unsigned MostL = (MergeLanes > Lanes) ? MergeLanes : Lanes;  // lanes of an entry
  localparam int unsigned SumW  = $clog2(MostL + Lanes + 1);
  localparam int unsigned OffW  = hd_pkg::idx_w(LineWords);
  localparam int unsigned KeepW = hd_pkg::MISS_W - hd_pkg::TAG_W - hd_pkg::SLOT_W + SlotW;
  localparam int unsigned PayW  = KeepW - hd_pkg::WHAT_W + Lanes + Lanes * OffW;
  localparam int unsigned LinkW = hd_pkg::WHAT_W + CntW + StW + CasW;
  if (Entries > (1 << hd_pkg::TID_W)) begin : g_bad_entries
    $error("hd_mshr_table: Entries must fit in a transaction id");
  end

  // entries
  logic [Entries-1:0] valid_q;
  logic [LineW-1:0]   line_q [0:Entries-1];
  logic [SumW-1:0]    lanes_q [0:Entries-1];  // lanes waiting
  logic [TgtW-1:0]    head_q [0:Entries-1];
  logic [TgtW-1:0]    tail_q [0:Entries-1];
  logic [hd_pkg::OPID_W-1:0] opid_q [0:Entries-1];

  // replay
  logic               rp_q;
  logic [IdxW-1:0]    rp_idx_q;
  logic [TgtW-1:0]    rp_tgt_q;

  logic               ent_free, tgt_free, st_free, cas_free, fits, hit, pop_last;
  logic [IdxW-1:0]    ent_idx, hit_idx;
  logic [TgtW-1:0]    tgt_idx, rp_next, rd_tgt, hit_tail;
  logic [$clog2(Entries+1)-1:0]   ent_cnt;
  logic [$clog2(Targets+1)-1:0]   tgt_cnt;
  logic [$clog2(StoreData+1)-1:0] st_cnt;
  logic [$clog2(CasData+1)-1:0]   cas_cnt;
  logic [StW-1:0]     st_idx, rp_st, rd_st;
  logic [CasW-1:0]    cas_idx, rp_cas, rd_cas;
  logic               rp_has_st, rp_has_cas, rd_en;
  logic [SumW-1:0]    sum;
  logic               push_new, push_st, push_cas, has_st, has_cas;
  logic [Lanes-1:0]         push_mask, rp_mask;
  logic [Lanes*OffW-1:0]    push_offs, rp_offs;
  logic [LineWords-1:0]     push_wmask, rp_wmask;
  logic [KeepW-1:0]         push_keep;
  logic [hd_pkg::OPID_W-1:0] push_opid;
  logic [hd_pkg::WHAT_W-1:0] rp_what;  // fn and kind: known as early as the link
  logic [KeepW-hd_pkg::WHAT_W-1:0] rp_keep;
  assign {push_mask, push_offs, push_wmask} = push_place_i;
  assign push_keep  = KeepW'(push_acc_i);
  assign push_opid  = hd_pkg::OPID_W'({SlotW'({push_acc_i.tag, push_acc_i.slot}), push_acc_i.warp});
  assign has_st     = push_acc_i.kind != hd_pkg::OP_LOAD;
  assign has_cas    = push_acc_i.kind == hd_pkg::OP_ATOMIC && push_acc_i.fn == hd_pkg::AT_CAS;
  assign rp_acc_o   = hd_pkg::ACCESS_W'({rp_keep, rp_what});
  assign rp_place_o = {rp_mask, rp_offs, rp_wmask};

  // ---- lookup: a CAM, searched only when there is something to look up --------------------------
  always_comb begin
    hit     = 1'b0;
    hit_idx = '0;
    if (lk_valid_i) begin
      for (int i = 0; i < Entries; i++) begin
        if (valid_q[i] && line_q[i] == lk_line_i) begin
          hit     = 1'b1;
          hit_idx = hit_idx | IdxW'(i);
        end
      end
    end
  end
  assign sum             = lanes_q[hit_idx] + SumW'(lk_lanes_i);
  assign fits            = sum <= SumW'(MergeLanes);
  assign lk_hit_o        = hit;
  assign lk_idx_o        = hit ? hit_idx : ent_idx;
  assign lk_room_o       = lk_why_o == hd_pkg::WHY_NONE;
  always_comb begin
    lk_why_o = hd_pkg::WHY_NONE;
    if (hit && !fits) lk_why_o = hd_pkg::WHY_MERGE;
    else if (!hit && !ent_free) lk_why_o = hd_pkg::WHY_ENTRY;
    else if (!tgt_free || (has_st && !st_free) || (has_cas && !cas_free))
      lk_why_o = hd_pkg::WHY_QUEUE;
  end

  // ---- pools ------------------------------------------------------------------------------------
  assign push_new = push_i && !hit;
  assign push_st  = push_i && has_st;
  assign push_cas = push_i && has_cas;
  assign pop_last = rp_pop_i && rp_last_o;

  hd_freelist #(
    .N(Entries)
  ) u_entries (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_o(ent_free),
    .idx_o(ent_idx),
    .take_i(push_new),
    .free_i(pop_last),
    .free_idx_i(rp_idx_q),
    .count_o(ent_cnt)
  );
  hd_freelist #(
    .N(Targets)
  ) u_targets (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_o(tgt_free),
    .idx_o(tgt_idx),
    .take_i(push_i),
    .free_i(rp_pop_i),
    .free_idx_i(rp_tgt_q),
    .count_o(tgt_cnt)
  );
  hd_freelist #(
    .N(StoreData)
  ) u_stores (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_o(st_free),
    .idx_o(st_idx),
    .take_i(push_st),
    .free_i(rp_pop_i && rp_has_st),
    .free_idx_i(rp_st),
    .count_o(st_cnt)
  );
  hd_freelist #(
    .N(CasData)
  ) u_cas (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_o(cas_free),
    .idx_o(cas_idx),
    .take_i(push_cas),
    .free_i(rp_pop_i && rp_has_cas),
    .free_idx_i(rp_cas),
    .count_o(cas_cnt)
  );

  // Link record of a target: what must be known before the wide payload is read.
  logic [LinkW-1:0] link_rd, link_q;
  logic [hd_pkg::WHAT_W-1:0] rd_what;
  logic [CntW-1:0]  rd_lanes;
  hd_regfile #(
    .Width(LinkW),
    .Depth(Targets)
  ) u_link (
    .clk_i(clk_i),
    .we_i(push_i),
    .waddr_i(tgt_idx),
    .wmask_i(1'b1),
    .wdata_i({push_keep[hd_pkg::WHAT_W-1:0], lk_lanes_i, st_idx, cas_idx}),
    .raddr_i(rd_tgt),
    .rdata_o(link_rd)
  );
  assign {rd_what, rd_lanes, rd_st, rd_cas} = link_rd;
  assign {rp_what, rp_lanes_o, rp_st, rp_cas} = link_q;
  // Successor in the entry's list, written when the successor is pushed.
  assign hit_tail = tail_q[hit_idx];  // not in the port list: Yosys fails on an array word there
  hd_regfile #(
    .Width(TgtW),
    .Depth(Targets)
  ) u_next (
    .clk_i(clk_i),
    .we_i(push_i && hit),
    .waddr_i(hit_tail),
    .wmask_i(1'b1),
    .wdata_i(tgt_idx),
    .raddr_i(rp_tgt_q),
    .rdata_o(rp_next)
  );

  hd_sram_1r1w #(
    .Width(PayW),
    .Depth(Targets)
  ) u_payload (
    .clk_i(clk_i),
    .we_i(push_i),
    .waddr_i(tgt_idx),
    .wmask_i(1'b1),
    .wdata_i({push_keep[KeepW-1:hd_pkg::WHAT_W], push_mask, push_offs}),
    .re_i(rd_en),
    .raddr_i(rd_tgt),
    .rdata_o({rp_keep, rp_mask, rp_offs})
  );
  hd_sram_1r1w #(
    .Width(LineWords + DataW),
    .Depth(StoreData)
  ) u_store_data (
    .clk_i(clk_i),
    .we_i(push_st),
    .waddr_i(st_idx),
    .wmask_i(1'b1),
    .wdata_i({push_wmask, push_data_i}),
    .re_i(rd_en),
    .raddr_i(rd_st),
    .rdata_o({rp_wmask, rp_data_o})
  );
  hd_sram_1r1w #(
    .Width(Lanes * 32),
    .Depth(CasData)
  ) u_cas_data (
    .clk_i(clk_i),
    .we_i(push_cas),
    .waddr_i(cas_idx),
    .wmask_i(1'b1),
    .wdata_i(push_cmp_i),
    .re_i(rd_en),
    .raddr_i(rd_cas),
    .rdata_o(rp_cmp_o)
  );

  // ---- replay -----------------------------------------------------------------------------------
  assign rp_has_st  = rp_acc_o.kind != hd_pkg::OP_LOAD;
  assign rp_has_cas = rp_acc_o.kind == hd_pkg::OP_ATOMIC && rp_acc_o.fn == hd_pkg::AT_CAS;
  assign rp_wait_o  = 1'b0;
  assign rp_valid_o = rp_q;
  assign rp_idx_o   = rp_idx_q;
  assign rp_line_o  = line_q[rp_idx_q];
  assign rp_last_o  = rp_tgt_q == tail_q[rp_idx_q];
  assign rd_en      = rp_start_i || (rp_pop_i && !rp_last_o);
  assign rd_tgt     = rp_start_i ? head_q[rp_idx_i] : rp_next;
  assign rd_line_o  = line_q[rd_idx_i];
  assign rd_opid_o  = opid_q[rd_idx_i];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q <= '0;
      rp_q    <= 1'b0;
    end else begin
      if (push_new) valid_q[ent_idx] <= 1'b1;
      if (pop_last) valid_q[rp_idx_q] <= 1'b0;
      if (rp_start_i) rp_q <= 1'b1;
      else if (pop_last || rp_stop_i) rp_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin  // payload needs no reset
    if (push_new) begin
      line_q[ent_idx] <= lk_line_i;
      head_q[ent_idx] <= tgt_idx;
      opid_q[ent_idx] <= push_opid;
    end
    if (push_i) begin
      tail_q[lk_idx_o]  <= tgt_idx;
      lanes_q[lk_idx_o] <= hit ? sum : SumW'(lk_lanes_i);
    end else if (rp_pop_i) begin
      lanes_q[rp_idx_q] <= lanes_q[rp_idx_q] - SumW'(rp_lanes_o);
      head_q[rp_idx_q]  <= rp_next;
    end
    if (rp_start_i) rp_idx_q <= rp_idx_i;
    if (rd_en) begin
      rp_tgt_q <= rd_tgt;
      link_q   <= link_rd;
    end
  end

  assign empty_o = valid_q == '0;
  assign busy_o  = valid_q;
  assign idle_o  = !rp_q;

  logic unused;
  assign unused = ^{rp_line_i, rp_mask_i, push_acc_i, rd_what, rd_lanes, ent_cnt, tgt_cnt, st_cnt,
                    cas_cnt};

  `HD_ASSERT(a_push_has_room, !push_i || (lk_valid_i && lk_room_o))
  `HD_ASSERT(a_no_push_in_replay, !(push_i && (rp_q || rp_start_i)))
  `HD_ASSERT(a_pop_in_replay, !(rp_pop_i || rp_stop_i) || rp_q)
  `HD_ASSERT(a_start_pending, !rp_start_i || (valid_q[rp_idx_i] && !rp_q))
endmodule
`default_nettype wire
