// hd_l1_dn_access.sv - the access in front of an L1 of family DENOVO, in steps.
//
// docs/protocol_denovo.md. Combinational, but the lanes that earlier steps served. With sel_i: the
// access what_i of place_i {lanes, places, words} makes a step: hd_l1_dn_front decides which, do_o,
// why_o: why it waits.
//
// words_o the words of lanes that are left; hits_i, asks_i, joins_i, why_i of hd_l1_denovo_table
//         answer about them, the other inputs are those of hd_l1_dn_front.
// step    lanes_o: the lanes of this step: served; or that wait for a READ (read_lanes_o of them),
//         of words asks_i, or join_words_i of the READ that is joined (those of a local atomic wait
//         for none, it comes again); or for the registration of word_o (sync_lanes_o of them), the
//         lowest that is to be joined, else to be asked for. These two counts are of lanes that
//         would wait, before it is decided.
// ready_o a fence, or the last step: the access is taken.
// Parameters: Lanes, LineWords.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_dn_access #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),             // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),  // derived
  parameter int unsigned CntW = $clog2(Lanes + 1)                     // derived
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic                 sel_i,
  input  hd_pkg::l1_sync_s     what_i,
  input  logic [PlaceW-1:0]    place_i,
  output logic [LineWords-1:0] words_o,
  // what the line and tables answer
  input  logic [LineWords-1:0] hits_i,
  input  logic [LineWords-1:0] asks_i,
  input  logic [LineWords-1:0] joins_i,
  input  hd_pkg::why_e         why_i,
  input  logic                 writing_back_i,
  input  logic                 here_i,
  input  logic                 way_i,
  input  logic                 vict_r_i,
  input  logic                 evict_ok_i,
  input  logic                 req_room_i,
  input  logic                 list_room_i,
  input  logic                 reg_room_i,
  input  logic                 read_join_i,
  input  logic [LineWords-1:0] join_words_i,
  input  logic                 read_room_i,
  input  hd_pkg::why_e         read_why_i,
  input  hd_pkg::why_e         sync_why_i,
  input  logic                 dirty_i,
  input  logic                 flush_can_i,
  // the step
  output logic [Lanes-1:0]     lanes_o,
  output logic [CntW-1:0]      read_lanes_o,
  output logic [CntW-1:0]      sync_lanes_o,
  output logic [OffW-1:0]      word_o,
  output hd_pkg::dn_do_s       do_o,
  output hd_pkg::why_e         why_o,
  output logic                 ready_o
);
  logic [Lanes-1:0]      mask, done_q, left, hit_lanes, read_lanes, sync_lanes;
  logic [Lanes*OffW-1:0] offs;
  logic [LineWords-1:0]  all_words, read_words, pick;

  assign {mask, offs, all_words} = place_i;
  assign left = mask & ~done_q;
  always_comb begin
    words_o = '0;
    if (sel_i) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (left[l]) words_o[offs[OffW*l +: OffW]] = 1'b1;
      end
    end
  end
  assign pick = (joins_i != '0) ? joins_i : asks_i;  // words to wait for; now for the lowest
  always_comb begin
    word_o = '0;
    for (int i = LineWords - 1; i >= 0; i--) begin
      if (pick[i]) word_o = OffW'(i);
    end
  end
  // Lanes served, that wait for a READ (those of a local atomic come again), for a registration.
  assign read_words = read_join_i ? join_words_i : asks_i;
  always_comb begin
    hit_lanes    = '0;
    read_lanes   = '0;
    sync_lanes   = '0;
    read_lanes_o = '0;
    sync_lanes_o = '0;
    if (sel_i) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        hit_lanes[l]  = left[l] && hits_i[offs[OffW*l +: OffW]];
        read_lanes[l] = left[l] && !what_i.atomic && read_words[offs[OffW*l +: OffW]];
        sync_lanes[l] = left[l] && offs[OffW*l +: OffW] == word_o;
      end
      read_lanes_o = CntW'(hd_pkg::ones(64'(read_lanes)));
      sync_lanes_o = CntW'(hd_pkg::ones(64'(sync_lanes)));
    end
  end
  always_comb begin
    lanes_o = read_lanes;
    if (do_o.hit) lanes_o = hit_lanes;
    else if (do_o.wait_reg) lanes_o = sync_lanes;
  end
  hd_l1_dn_front u_front (
    .sel_i(sel_i),
    .what_i(what_i),
    .hit_any_i(|hits_i),
    .ask_any_i(|asks_i),
    .join_any_i(|joins_i),
    .why_i(why_i),
    .writing_back_i(writing_back_i),
    .here_i(here_i),
    .way_i(way_i),
    .vict_r_i(vict_r_i),
    .evict_ok_i(evict_ok_i),
    .req_room_i(req_room_i),
    .list_room_i(list_room_i),
    .reg_room_i(reg_room_i),
    .read_join_i(read_join_i),
    .read_room_i(read_room_i),
    .read_why_i(read_why_i),
    .sync_why_i(sync_why_i),
    .dirty_i(dirty_i),
    .flush_can_i(flush_can_i),
    .do_o(do_o),
    .why_o(why_o)
  );
  assign ready_o = do_o.accept || (do_o.part && left == lanes_o);
  always_ff @(posedge clk_i) begin
    if (rst_i || ready_o) done_q <= '0;
    else if (do_o.part) done_q <= done_q | lanes_o;
  end

  logic unused;
  assign unused = ^all_words;

  `HD_ASSERT(a_step_serves, !do_o.part || lanes_o != '0)
endmodule
`default_nettype wire
