// hd_sm_lds.sv - local data share of an SM: the LDS that is asked for, and what copies bring to it.
//
//   L1's words --> hd_copy_queue --.
//   lo ---------------------> hd_copy_merge --> hd_lds (hd_lds_tm, hd_lds_tm_ideal) --> perf, cpl
//
// Papers: 1 (Table 2), 5 (LocalTm).
// lo     accesses of the warps' lanes, valid/ready, as hd_lds takes them.
// copy   with Copies: a line access of an OP_COPY, from copy_in_i on until the L1 takes it
//        (copy_taken_i), as in of hd_copy_queue: the access, its lanes and its data are those of
//        lo's port, its LDS words byte addresses in place of the compare values. The L1 is offered
//        it with copy_room_o. l1_*: what the L1 performs; copy_mine_o (combinational): of a copy.
// perf   valid/ready: performed accesses, copies among them; perf_last_i, in the cycle it is taken:
//        its operation is complete. cpl: its completion, the cycle after.
// tm     with LocalTm, of hd_lds_tm: cpl_tcm_o, tm_hold_o; else 0.
// ev     registered pulses: an access was served; a cycle more than its first; words of a copy were
//        offered; those of hd_lds_tm. idle_o: nothing moves.
// Parameters: hd_keys.svh. SlotW bits of a slot, with the tag above it.
`default_nettype none
module hd_sm_lds #(
  `include "hd_params.svh"
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned LdsW  = hd_pkg::idx_w(LdsRows * LineWords),  // derived
  parameter int unsigned CntW  = $clog2(Lanes + 1)                    // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,

  input  logic                      lo_valid_i,
  output logic                      lo_ready_o,
  input  hd_pkg::access_s           lo_acc_i,
  input  logic [Lanes-1:0]          lo_mask_i,
  input  logic [Lanes*LdsW-1:0]     lo_word_i,
  input  logic [Lanes*WordW-1:0]    lo_data_i,
  input  logic [Lanes*32-1:0]       lo_cmp_i,

  input  logic                      copy_in_i,
  input  logic                      copy_taken_i,
  output logic                      copy_room_o,
  output logic                      copy_mine_o,
  input  logic                      l1_perf_valid_i,
  input  logic [hd_pkg::WARP_W-1:0] l1_perf_warp_i,
  input  logic [SlotW-1:0]          l1_perf_slot_i,
  input  logic [Lanes-1:0]          l1_cpl_mask_i,
  input  logic [Lanes*WordW-1:0]    l1_cpl_data_i,

  output logic                      perf_valid_o,
  input  logic                      perf_ready_i,
  output logic [hd_pkg::WARP_W-1:0] perf_warp_o,
  output logic [SlotW-1:0]          perf_slot_o,
  output logic [CntW-1:0]           perf_lanes_o,
  input  logic                      perf_last_i,
  output logic                      cpl_valid_o,
  output hd_pkg::completion_s       cpl_o,
  output logic [Lanes-1:0]          cpl_mask_o,
  output logic [Lanes*WordW-1:0]    cpl_data_o,
  output logic [Lanes-1:0]          cpl_tcm_o,
  output logic [Warps-1:0]          tm_hold_o,

  output logic                      ev_access_o,
  output logic                      ev_conflict_o,
  output logic                      ev_copy_o,
  output logic [7:0]                ev_tm_o,
  output logic                      idle_o
);
  // Signals have the prefix of the block that drives them.
  logic                   me_valid, li_ready, li_idle, cq_idle;
  hd_pkg::access_s        me_acc;
  logic [Lanes-1:0]       me_mask, li_tcm;
  logic [Lanes*LdsW-1:0]  me_word;
  logic [Lanes*WordW-1:0] me_data;

  if (Copies != 0) begin : g_copies
    logic                   cq_valid, me_ready;
    hd_pkg::access_s        cq_acc;
    logic [Lanes-1:0]       cq_mask;
    logic [Lanes*LdsW-1:0]  place, cq_word;
    logic [Lanes*WordW-1:0] cq_data;
    always_comb begin
      for (int unsigned l = 0; l < Lanes; l++) place[l*LdsW +: LdsW] = lo_cmp_i[l*32+2 +: LdsW];
    end
    hd_copy_queue #(
      .Lanes(Lanes), .Entries(Copies), .WordW(WordW), .LdsW(LdsW), .SlotW(SlotW)
    ) u_copies (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(copy_in_i),
      .in_taken_i(copy_taken_i),
      .in_room_o(copy_room_o),
      .in_warp_i(lo_acc_i.warp),
      .in_slot_i(SlotW'({lo_acc_i.tag, lo_acc_i.slot})),
      .in_mask_i(lo_mask_i),
      .in_word_i(place),
      .in_data_i(lo_data_i),
      .perf_valid_i(l1_perf_valid_i),
      .perf_warp_i(l1_perf_warp_i),
      .perf_slot_i(l1_perf_slot_i),
      .perf_mine_o(copy_mine_o),
      .cpl_mask_i(l1_cpl_mask_i),
      .cpl_data_i(l1_cpl_data_i),
      .out_valid_o(cq_valid),
      .out_ready_i(me_ready),
      .out_acc_o(cq_acc),
      .out_mask_o(cq_mask),
      .out_word_o(cq_word),
      .out_data_o(cq_data),
      .ev_o(ev_copy_o),
      .idle_o(cq_idle)
    );
    hd_copy_merge #(
      .Lanes(Lanes), .WordW(WordW), .LdsW(LdsW)
    ) u_merge (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .lo_valid_i(lo_valid_i),
      .lo_ready_o(lo_ready_o),
      .lo_acc_i(lo_acc_i),
      .lo_mask_i(lo_mask_i),
      .lo_word_i(lo_word_i),
      .lo_data_i(lo_data_i),
      .copy_valid_i(cq_valid),
      .copy_ready_o(me_ready),
      .copy_acc_i(cq_acc),
      .copy_mask_i(cq_mask),
      .copy_word_i(cq_word),
      .copy_data_i(cq_data),
      .out_valid_o(me_valid),
      .out_ready_i(li_ready),
      .out_acc_o(me_acc),
      .out_mask_o(me_mask),
      .out_word_o(me_word),
      .out_data_o(me_data)
    );
  end else begin : g_no_copies
    assign copy_room_o = 1'b0;
    assign copy_mine_o = 1'b0;
    assign ev_copy_o   = 1'b0;
    assign cq_idle     = 1'b1;
    assign me_valid    = lo_valid_i;
    assign lo_ready_o  = li_ready;
    assign me_acc      = lo_acc_i;
    assign me_mask     = lo_mask_i;
    assign me_word     = lo_word_i;
    assign me_data     = lo_data_i;
    logic unused_copies;
    assign unused_copies = ^{copy_in_i, copy_taken_i, l1_perf_valid_i, l1_perf_warp_i,
                             l1_perf_slot_i, l1_cpl_mask_i, l1_cpl_data_i};
  end
  if (LocalTm == hd_pkg::LOCAL_TM_IDEAL) begin : g_lds_ideal
    hd_lds_tm_ideal #(
      .Lanes(Lanes), .Words(LdsRows * LineWords), .Banks(LdsBanks), .WordW(WordW),
      .SlotW(SlotW), .Warps(Warps), .TmWarps(TmWarps), .TmRows(TmRows), .Hash(TmHash),
      .Detect(TmDetect)
    ) u_lds (
      .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(me_valid), .in_ready_o(li_ready),
      .in_acc_i(me_acc), .in_mask_i(me_mask), .in_word_i(me_word), .in_data_i(me_data),
      .in_cmp_i(lo_cmp_i), .perf_valid_o(perf_valid_o), .perf_ready_i(perf_ready_i),
      .perf_warp_o(perf_warp_o), .perf_slot_o(perf_slot_o), .perf_lanes_o(perf_lanes_o),
      .perf_last_i(perf_last_i), .cpl_valid_o(cpl_valid_o), .cpl_o(cpl_o),
      .cpl_mask_o(cpl_mask_o), .cpl_data_o(cpl_data_o), .cpl_tcm_o(li_tcm),
      .hold_o(tm_hold_o), .ev_access_o(ev_access_o), .ev_conflict_o(ev_conflict_o),
      .ev_tm_o(ev_tm_o), .idle_o(li_idle)
    );
  end else if (LocalTm != 0) begin : g_lds_tm
    hd_lds_tm #(
      .Lanes(Lanes), .Words(LdsRows * LineWords), .Banks(LdsBanks), .WordW(WordW),
      .SlotW(SlotW), .Warps(Warps), .TmWarps(TmWarps), .TmRows(TmRows), .Hash(TmHash),
      .Detect(TmDetect)
    ) u_lds (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(me_valid),
      .in_ready_o(li_ready),
      .in_acc_i(me_acc),
      .in_mask_i(me_mask),
      .in_word_i(me_word),
      .in_data_i(me_data),
      .in_cmp_i(lo_cmp_i),
      .perf_valid_o(perf_valid_o),
      .perf_ready_i(perf_ready_i),
      .perf_warp_o(perf_warp_o),
      .perf_slot_o(perf_slot_o),
      .perf_lanes_o(perf_lanes_o),
      .perf_last_i(perf_last_i),
      .cpl_valid_o(cpl_valid_o),
      .cpl_o(cpl_o),
      .cpl_mask_o(cpl_mask_o),
      .cpl_data_o(cpl_data_o),
      .cpl_tcm_o(li_tcm),
      .hold_o(tm_hold_o),
      .ev_access_o(ev_access_o),
      .ev_conflict_o(ev_conflict_o),
      .ev_tm_o(ev_tm_o), .idle_o(li_idle)
    );
  end else begin : g_lds
    hd_lds #(
      .Lanes(Lanes), .Words(LdsRows * LineWords), .Banks(LdsBanks), .WordW(WordW),
      .SlotW(SlotW)
    ) u_lds (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_valid_i(me_valid),
      .in_ready_o(li_ready),
      .in_acc_i(me_acc),
      .in_mask_i(me_mask),
      .in_word_i(me_word),
      .in_data_i(me_data),
      .in_cmp_i(lo_cmp_i),
      .perf_valid_o(perf_valid_o),
      .perf_ready_i(perf_ready_i),
      .perf_warp_o(perf_warp_o),
      .perf_slot_o(perf_slot_o),
      .perf_lanes_o(perf_lanes_o),
      .perf_last_i(perf_last_i),
      .cpl_valid_o(cpl_valid_o),
      .cpl_o(cpl_o),
      .cpl_mask_o(cpl_mask_o),
      .cpl_data_o(cpl_data_o),
      .ev_access_o(ev_access_o),
      .ev_conflict_o(ev_conflict_o),
      .idle_o(li_idle)
    );
    assign li_tcm    = '0;
    assign ev_tm_o   = '0;
    assign tm_hold_o = '0;
  end
  assign cpl_tcm_o = cpl_valid_o ? li_tcm : '0;
  assign idle_o    = li_idle && cq_idle;
endmodule
`default_nettype wire
