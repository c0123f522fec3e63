// hd_l1_dn_syncs.sv - accesses of an L1 of family DENOVO that wait until a word is registered here.
//
// Paper 3; docs/protocol_denovo.md. hd_mshr_table, whose "lines" are words of rows: a target has
// lanes of one word.
//
// push  push_i: the lanes of place_i, all of word word_i of row row_i, wait; why_o (combinational,
//       with lk_valid_i): WHY_NONE if there is a place.
// serve serve_i: words words_i of row row_i have come and are waited for. From the next cycle on,
//       word by word: busy_o; start_i begins one; then valid_o with the access until pop_i, in the
//       order of push. row_o, word_o, line_o: which. Nothing is pushed meanwhile.
// idle_o nothing is served. Parameters: Entries words, Targets accesses, CasData of them with
// compare values; MergeLanes, Lanes, LineWords, WordW, SlotW; RowW, LineW bits of row and line
// number.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_dn_syncs #(
  parameter int unsigned Entries = 64,
  parameter int unsigned Targets = 64,
  parameter int unsigned CasData = 16,
  parameter int unsigned MergeLanes = 1024,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned RowW = 9,
  parameter int unsigned LineW = 26,
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),                            // derived
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,  // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                 // derived
  parameter int unsigned CntW = $clog2(Lanes + 1)                                    // derived
) (
  input  logic                 clk_i,
  input  logic                 rst_i,
  input  logic [RowW-1:0]      row_i,
  // push
  input  logic                 lk_valid_i,
  input  logic [OffW-1:0]      word_i,
  input  logic [CntW-1:0]      lanes_i,
  output hd_pkg::why_e         why_o,
  input  logic                 push_i,
  input  hd_pkg::access_s      acc_i,
  input  logic [PlaceW-1:0]    place_i,
  input  logic [DataW-1:0]     data_i,
  input  logic [Lanes*32-1:0]  cmp_i,
  // serve
  input  logic                 serve_i,
  input  logic [LineWords-1:0] words_i,
  input  logic [LineW-1:0]     line_i,
  output logic                 busy_o,
  input  logic                 start_i,
  output logic                 valid_o,
  output hd_pkg::access_s      acc_o,
  output logic [PlaceW-1:0]    place_o,
  output logic [DataW-1:0]     data_o,
  output logic [Lanes*32-1:0]  cmp_o,
  output logic [RowW-1:0]      row_o,
  output logic [LineW-1:0]     line_o,
  output logic [OffW-1:0]      word_o,
  input  logic                 pop_i,
  output logic                 empty_o,
  output logic                 idle_o
);
  localparam int unsigned KeyW = RowW + OffW;
  localparam int unsigned IdxW = hd_pkg::idx_w(Entries);

  logic [LineWords-1:0]      left_q;
  logic [KeyW-1:0]           key, rd_line, rp_line;
  logic [IdxW-1:0]           lk_idx, rp_idx;
  logic                      lk_hit, lk_room, rp_wait, rp_last, rp_idle;
  logic [hd_pkg::OPID_W-1:0] rd_opid;
  logic [CntW-1:0]           rp_lanes;
  logic [Entries-1:0]        entries;

  always_comb begin
    word_o = '0;
    for (int w = LineWords - 1; w >= 0; w--) begin
      if (left_q[w]) word_o = OffW'(w);
    end
  end
  assign busy_o = left_q != '0;
  assign key    = busy_o ? {row_o, word_o} : {row_i, word_i};

  hd_mshr_table #(
    .Entries(Entries),
    .Targets(Targets),
    .StoreData(Targets),
    .CasData(CasData),
    .MergeLanes(MergeLanes),
    .Lanes(Lanes),
    .LineWords(LineWords),
    .WordW(WordW),
    .SlotW(SlotW),
    .LineW(KeyW)
  ) u_waiting (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .lk_valid_i(lk_valid_i || start_i),
    .lk_line_i(key),
    .lk_lanes_i(lanes_i),
    .lk_hit_o(lk_hit),
    .lk_idx_o(lk_idx),
    .lk_room_o(lk_room),
    .lk_why_o(why_o),
    .push_i(push_i),
    .push_acc_i(acc_i),
    .push_place_i(place_i),
    .push_data_i(data_i),
    .push_cmp_i(cmp_i),
    .rd_idx_i(lk_idx),
    .rd_line_o(rd_line),
    .rd_opid_o(rd_opid),
    .rp_start_i(start_i),
    .rp_idx_i(lk_idx),
    .rp_line_i({KeyW{1'b0}}),
    .rp_mask_i({Lanes{1'b0}}),
    .rp_wait_o(rp_wait),
    .rp_valid_o(valid_o),
    .rp_line_o(rp_line),
    .rp_idx_o(rp_idx),
    .rp_acc_o(acc_o),
    .rp_lanes_o(rp_lanes),
    .rp_place_o(place_o),
    .rp_data_o(data_o),
    .rp_cmp_o(cmp_o),
    .rp_last_o(rp_last),
    .rp_pop_i(pop_i),
    .rp_stop_i(1'b0),
    .empty_o(empty_o),
    .busy_o(entries),
    .idle_o(rp_idle)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) left_q <= '0;
    else if (serve_i) left_q <= words_i;
    else if (pop_i && rp_last) left_q <= left_q & (left_q - 1'b1);
    if (serve_i) begin
      row_o  <= row_i;
      line_o <= line_i;
    end
  end
  assign idle_o = rp_idle && !busy_o;

  logic unused;
  assign unused = ^{rd_line, rp_line, rp_idx, lk_room, rp_wait, rd_opid, rp_lanes, entries};

  `HD_ASSERT(a_serve_one_row, !serve_i || !busy_o)
  `HD_ASSERT(a_start_of_a_word, !start_i || busy_o)
  `HD_ASSERT(a_someone_waits, !start_i || lk_hit)
endmodule
`default_nettype wire
