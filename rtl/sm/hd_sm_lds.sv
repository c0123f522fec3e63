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
  localparam int unsigned BodyW = Lanes * (1 + LdsW + WordW);
  localparam int unsigned CplW = Lanes + hd_pkg::COMPLETION_W + Lanes * (1 + WordW);

  // Signals have the prefix of the block that drives them.
  logic                   me_valid, li_ready, li_idle, cq_idle;
  hd_pkg::access_s        me_acc;
  hd_pkg::copy_in_s       copy_in;
  hd_pkg::copy_perf_s     l1_perf;
  hd_pkg::lds_perf_s      li_perf;
  hd_pkg::lds_answer_s    answer;
  hd_pkg::lds_ev_s        li_ev;
  logic [CplW-1:0]        li_cpl;
  logic [Lanes-1:0]       li_tcm;
  logic [BodyW-1:0]       me_body, lo_body;

  assign lo_body = {lo_mask_i, lo_word_i, lo_data_i};
  always_comb begin
    copy_in.valid    = copy_in_i;
    copy_in.taken    = copy_taken_i;
    copy_in.who.warp = lo_acc_i.warp;
    copy_in.who.slot = lo_acc_i.slot;
    copy_in.who.tag  = lo_acc_i.tag;
    l1_perf.valid    = l1_perf_valid_i;
    l1_perf.who.warp = l1_perf_warp_i;
    {l1_perf.who.tag, l1_perf.who.slot} = (hd_pkg::TAG_W + hd_pkg::SLOT_W)'(l1_perf_slot_i);
  end

  if (Copies != 0) begin : g_copies
    logic                   cq_valid, me_ready;
    hd_pkg::access_s        cq_acc;
    logic [Lanes*LdsW-1:0]  place;
    logic [BodyW-1:0]       cq_body;
    always_comb begin
      for (int unsigned l = 0; l < Lanes; l++) place[l*LdsW +: LdsW] = lo_cmp_i[l*32+2 +: LdsW];
    end
    hd_copy_queue #(
      .Lanes(Lanes), .Entries(Copies), .WordW(WordW), .LdsW(LdsW), .SlotW(SlotW)
    ) u_copies (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .in_i(copy_in),
      .in_room_o(copy_room_o),
      .in_body_i({lo_mask_i, place, lo_data_i}),
      .perf_i(l1_perf),
      .perf_mine_o(copy_mine_o),
      .cpl_body_i({l1_cpl_mask_i, l1_cpl_data_i}),
      .out_valid_o(cq_valid),
      .out_ready_i(me_ready),
      .out_acc_o(cq_acc),
      .out_body_o(cq_body),
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
      .lo_body_i(lo_body),
      .copy_valid_i(cq_valid),
      .copy_ready_o(me_ready),
      .copy_acc_i(cq_acc),
      .copy_body_i(cq_body),
      .out_valid_o(me_valid),
      .out_ready_i(li_ready),
      .out_acc_o(me_acc),
      .out_body_o(me_body)
    );
  end else begin : g_no_copies
    assign copy_room_o = 1'b0;
    assign copy_mine_o = 1'b0;
    assign ev_copy_o   = 1'b0;
    assign cq_idle     = 1'b1;
    assign me_valid    = lo_valid_i;
    assign lo_ready_o  = li_ready;
    assign me_acc      = lo_acc_i;
    assign me_body     = lo_body;
    logic unused_copies;
    assign unused_copies = ^{copy_in, l1_perf, l1_cpl_mask_i, l1_cpl_data_i};
  end
  if (LocalTm == hd_pkg::LOCAL_TM_IDEAL) begin : g_lds_ideal
    hd_lds_tm_ideal #(
      .Lanes(Lanes), .Words(LdsRows * LineWords), .Banks(LdsBanks), .WordW(WordW),
      .SlotW(SlotW), .Warps(Warps), .TmWarps(TmWarps), .TmRows(TmRows), .Hash(TmHash),
      .Detect(TmDetect)
    ) u_lds (
      .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(me_valid), .in_ready_o(li_ready),
      .in_acc_i(me_acc), .in_body_i({me_body, lo_cmp_i}),
      .perf_valid_o(perf_valid_o), .perf_o(li_perf), .perf_i(answer), .cpl_valid_o(cpl_valid_o),
      .cpl_body_o(li_cpl), .hold_o(tm_hold_o), .ev_o(li_ev), .idle_o(li_idle)
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
      .in_body_i({me_body, lo_cmp_i}),
      .perf_valid_o(perf_valid_o),
      .perf_o(li_perf),
      .perf_i(answer),
      .cpl_valid_o(cpl_valid_o),
      .cpl_body_o(li_cpl),
      .hold_o(tm_hold_o),
      .ev_o(li_ev),
      .idle_o(li_idle)
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
      .in_body_i({me_body, lo_cmp_i}),
      .perf_valid_o(perf_valid_o),
      .perf_o(li_perf),
      .perf_i(answer),
      .cpl_valid_o(cpl_valid_o),
      .cpl_body_o(li_cpl[CplW-Lanes-1:0]),
      .ev_o(li_ev),
      .idle_o(li_idle)
    );
    assign li_cpl[CplW-1 -: Lanes] = '0;
    assign tm_hold_o = '0;
  end
  assign answer.ready = perf_ready_i;
  assign answer.last  = perf_last_i;
  assign perf_warp_o  = li_perf.who.warp;
  assign perf_slot_o  = SlotW'({li_perf.who.tag, li_perf.who.slot});
  assign perf_lanes_o = CntW'(li_perf.lanes);
  assign {ev_tm_o, ev_access_o, ev_conflict_o} = li_ev;
  assign {li_tcm, cpl_o, cpl_mask_o, cpl_data_o} = li_cpl;
  assign cpl_tcm_o = cpl_valid_o ? li_tcm : '0;
  assign idle_o    = li_idle && cq_idle;
endmodule
`default_nettype wire
