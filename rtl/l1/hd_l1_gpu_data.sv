// hd_l1_gpu_data.sv - data of an L1 of family GPU, and who is told that an access is performed.
//
// Paper 3 section 2.2. The array and the data that arrived last: hd_l1_word_data. In cycle T,
// turn_i and act_i (hd_l1_gpu_decide) say which lanes are served, which words written; data come a
// cycle later ("G").
//
// la      the access in front: la_acc_i, la_place_i, la_data_i, la_cmp_i; of a load only lanes_i
//         find their words. rp: an access that waited, rp_acc_i, rp_place_i; served_o: it has
//         lanes, else data were fetched for the access in front.
// row     row_i; wmask_i: words of it that are written; old_i: its dirty words. With act_i.wt they
//         are on line_o in G.
// done    complete without the array, while done_ok_o: the synchronizing access st_who_i whose
//         answer brings dn_data_i, the release mk_who_i, a fence that does not release. st_who_i
//         {acquires, warp, slot, lanes}, mk_who_i without lanes.
// perf_o  {number of performed lanes (of a fence 1), slot, warp} with perf_valid_o; perf_last_i
//         (same cycle): the operation is complete. cpl: registers, the cycle after.
// busy_o  an atomic is performed lane by lane: nothing may start; rmw_lane_o one of its lanes is.
// Parameters: Rows; Lanes, LineWords, WordW, SlotW; DnWords of an answer. Latency: load 2 cycles.
`default_nettype none
module hd_l1_gpu_data #(
  parameter int unsigned Rows = 512,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned DnWords = 32,
  parameter int unsigned RowW = hd_pkg::idx_w(Rows),                                 // derived
  parameter int unsigned WhoW = 1 + hd_pkg::WARP_W + SlotW,                          // derived
  parameter int unsigned PerfW = $clog2(Lanes + 1) + SlotW + hd_pkg::WARP_W,         // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords)                  // derived
) (
  input  logic                       clk_i,
  input  logic                       rst_i,
  input  hd_pkg::gpu_turn_s          turn_i,
  input  hd_pkg::gpu_do_s            act_i,
  // whose lanes
  input  hd_pkg::access_s            la_acc_i,
  input  logic [PlaceW-1:0]          la_place_i,
  input  logic [DataW-1:0]           la_data_i,
  input  logic [Lanes*32-1:0]        la_cmp_i,
  input  logic [Lanes-1:0]           lanes_i,
  input  hd_pkg::access_s            rp_acc_i,
  input  logic [PlaceW-1:0]          rp_place_i,
  output logic                       served_o,
  // the row
  input  logic [RowW-1:0]            row_i,
  input  logic [LineWords-1:0]       wmask_i,
  input  logic [LineWords-1:0]       old_i,
  output logic [LineWords*WordW-1:0] line_o,
  // answers, releases
  input  logic [DnWords*WordW-1:0]   dn_data_i,
  input  logic [WhoW+Lanes-1:0]      st_who_i,
  input  logic [WhoW-1:0]            mk_who_i,
  output logic                       done_ok_o,
  // scoreboard and completion
  output logic                       perf_valid_o,
  output logic [PerfW-1:0]           perf_o,
  input  logic                       perf_last_i,
  output logic                       cpl_valid_o,
  output hd_pkg::completion_s        cpl_o,
  output logic [Lanes-1:0]           cpl_mask_o,
  output logic [Lanes*WordW-1:0]     cpl_data_o,
  // observation
  output logic                       busy_o,
  output logic                       rmw_lane_o,
  output logic                       idle_o
);
  localparam int unsigned OffW  = hd_pkg::idx_w(LineWords);
  localparam int unsigned CntW  = $clog2(Lanes + 1);
  localparam int unsigned HalfL = (Lanes > 32) ? 32 : Lanes;

  hd_pkg::word_sel_s         sel;
  hd_pkg::gpu_msg_s          msg;
  hd_pkg::l1_sync_s          what;
  hd_pkg::word_do_s          act;
  hd_pkg::access_s           acc;  // of an access that is performed
  logic                      done, mk_acquires, st_acquires, cpl_last;
  logic [hd_pkg::WARP_W-1:0] mk_warp, st_warp, done_warp, perf_warp, cpl_warp;
  logic [SlotW-1:0]          mk_slot, st_slot, done_slot, do_slot, la_slot, perf_slot, cpl_slot;
  logic [Lanes-1:0]          la_mask, rp_mask, st_mask, do_mask, done_mask;
  logic [Lanes*OffW-1:0]     la_offs, rp_offs, do_offs;
  logic [LineWords-1:0]      la_words, rp_words;
  logic [CntW-1:0]           perf_lanes;
  logic [HalfL*WordW-1:0]    done_data;

  assign sel  = turn_i.sel;
  assign msg  = turn_i.msg;
  assign what = turn_i.what;
  assign act  = act_i.la;
  assign {la_mask, la_offs, la_words} = la_place_i;
  assign {rp_mask, rp_offs, rp_words} = rp_place_i;
  assign {st_acquires, st_warp, st_slot, st_mask} = st_who_i;
  assign {mk_acquires, mk_warp, mk_slot} = mk_who_i;

  assign served_o = sel.rp && rp_mask != '0;
  assign acc      = sel.rp ? rp_acc_i : la_acc_i;
  assign do_slot  = SlotW'({acc.tag, acc.slot});
  assign do_mask  = sel.rp ? rp_mask : what.load ? lanes_i : la_mask;
  assign do_offs  = sel.rp ? rp_offs : la_offs;
  assign la_slot  = SlotW'({la_acc_i.tag, la_acc_i.slot});
  // What is complete without the array: an answer, a release whose marker leaves, a fence.
  assign done = (sel.dn && msg.done) || sel.mk || (act.accept && what.fence && !act.marker);
  always_comb begin
    done_warp = st_warp;
    done_slot = st_slot;
    done_mask = st_mask;
    if (!sel.dn) begin
      done_warp = sel.mk ? mk_warp : la_acc_i.warp;
      done_slot = sel.mk ? mk_slot : la_slot;
      done_mask = '0;
    end
  end
  // Only an atomic brings words: a store that was performed there has none to tell (ghosts).
  assign done_data = dn_data_i[HalfL*WordW-1:0] & {HalfL*WordW{WordW == 32 || msg.lanes}};
  hd_l1_word_data #(
    .Rows(Rows),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW)
  ) u_data (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .load_i(act_i.load),
    .store_i(act_i.store),
    .atomic_i(act_i.atomic),
    .fill_i(sel.dn && msg.data),
    .serve_i(served_o),
    .read_i(act_i.wt),
    .row_i(row_i),
    .warp_i(acc.warp),
    .slot_i(do_slot),
    .fn_i(la_acc_i.fn),
    .mask_i(do_mask),
    .offs_i(do_offs),
    .wmask_i(wmask_i),
    .old_i(old_i),
    .data_i(sel.dn ? DataW'(dn_data_i[LineWords*WordW-1:0]) : la_data_i),
    .cmp_i(la_cmp_i),
    .busy_o(busy_o),
    .line_o(line_o),
    .done_ok_o(done_ok_o),
    .done_i(done),
    .done_warp_i(done_warp),
    .done_slot_i(done_slot),
    .done_mask_i(done_mask),
    .done_data_i(done_data),
    .perf_valid_o(perf_valid_o),
    .perf_warp_o(perf_warp),
    .perf_slot_o(perf_slot),
    .perf_lanes_o(perf_lanes),
    .perf_last_i(perf_last_i),
    .rmw_lane_o(rmw_lane_o),
    .cpl_valid_o(cpl_valid_o),
    .cpl_warp_o(cpl_warp),
    .cpl_slot_o(cpl_slot),
    .cpl_last_o(cpl_last),
    .cpl_mask_o(cpl_mask_o),
    .cpl_data_o(cpl_data_o),
    .idle_o(idle_o)
  );
  assign perf_o = {perf_lanes, perf_slot, perf_warp};
  // in the order of its fields
  assign cpl_o  = hd_pkg::COMPLETION_W'({cpl_last, cpl_slot[hd_pkg::SLOT_W-1:0], cpl_warp});

  logic unused;
  assign unused = ^{turn_i, act_i, sel, msg, what, act, la_acc_i, acc, rp_acc_i, rp_words, la_words,
                    dn_data_i, cpl_slot, mk_acquires, st_acquires};
endmodule
`default_nettype wire
