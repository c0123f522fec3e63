// hd_l2_writes.sv - bodies of the stores and atomics that wait in an L2 bank (write-through L1s).
//
// put   room_o: a place is free. put_i (only with room_o): body_i of the request that takes entry
//       put_entry_i of the bank's MSHRs is kept.
// read  read_i with an entry: its body is in the fields below from the next cycle on, until the
//       next read_i. Of an entry without a body they mean nothing.
// free  free_i with an entry: its body is no longer needed (entries without one: do not).
// body  as hd_wt_queue makes it, taken apart: data_o words of a store in line order or operands of
//       an atomic in lane order, whole flits, 0 behind; at_o of an atomic: {compare values, places,
//       function}.
// Parameters: Entries (MSHRs of the bank), Places (bodies), Lanes (of an atomic, at most
// HALF_LANES), LineWords, WordW, FlitWords.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_writes #(
  parameter int unsigned Entries = 128,
  parameter int unsigned Places = 32,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned FlitWords = hd_pkg::FLIT_WORDS,
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),                         // derived
  // derived
  parameter int unsigned DataW = hd_pkg::down_words(LineWords, Lanes, FlitWords) * WordW,
  // derived
  parameter int unsigned BodyW = hd_pkg::request_body(hd_pkg::FAMILY_VI, LineWords, Lanes, WordW,
                                                      FlitWords),
  parameter int unsigned IdxW = hd_pkg::idx_w(Entries),                           // derived
  parameter int unsigned AtW = 4 + Lanes * OffW + Lanes * 32                      // derived
) (
  input  logic            clk_i,
  input  logic            rst_i,
  // put
  output logic            room_o,
  input  logic            put_i,
  input  logic            put_atomic_i,
  input  logic [IdxW-1:0] put_entry_i,
  input  logic [BodyW-1:0]body_i,
  // read
  input  logic            read_i,
  input  logic [IdxW-1:0] read_entry_i,
  output logic [DataW-1:0]data_o,
  output logic [AtW-1:0]  at_o,
  // free
  input  logic            free_i,
  input  logic [IdxW-1:0] free_entry_i
);
  localparam int unsigned PlaceW = hd_pkg::idx_w(Places);
  localparam int unsigned FlitW  = FlitWords * WordW;
  localparam int unsigned PartW  = 32 * FlitWords;  // bits of places, compare values in a flit
  localparam int unsigned Lead   = hd_pkg::place_flits(Lanes, FlitWords);
  localparam int unsigned Groups = hd_pkg::ceil_div(Lanes, FlitWords);
  if (Lanes > hd_pkg::HALF_LANES) begin : g_bad_lanes
    $error("hd_l2_writes: an atomic has at most HALF_LANES lanes");
  end

  logic [PlaceW-1:0]           place, read_place, free_place;
  logic [$clog2(Places+1)-1:0] count;
  logic [DataW-1:0]            data;
  logic [Groups*PartW-1:0]     cmp;
  logic [Lead*PartW-1:0]       places;

  always_comb begin
    data = '0;
    cmp  = '0;
    for (int unsigned p = 0; p < Lead; p++) places[PartW*p +: PartW] = body_i[FlitW*p +: PartW];
    if (put_atomic_i) data[Groups*FlitW-1:0] = body_i[Lead*FlitW +: Groups*FlitW];
    else data[LineWords*WordW-1:0] = body_i[LineWords*WordW-1:0];
    for (int unsigned g = 0; g < Groups; g++) begin
      cmp[PartW*g +: PartW] = body_i[FlitW*(Lead + Groups + g) +: PartW];
    end
  end

  hd_freelist #(
    .N(Places)
  ) u_free (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_o(room_o),
    .idx_o(place),
    .take_i(put_i),
    .free_i(free_i),
    .free_idx_i(free_place),
    .count_o(count)
  );
  hd_regfile #(
    .Width(PlaceW),
    .Depth(Entries)
  ) u_place (
    .clk_i(clk_i),
    .we_i(put_i),
    .waddr_i(put_entry_i),
    .wmask_i(1'b1),
    .wdata_i(place),
    .raddr_i(read_entry_i),
    .rdata_o(read_place)
  );
  hd_regfile #(
    .Width(PlaceW),
    .Depth(Entries)
  ) u_place_freed (
    .clk_i(clk_i),
    .we_i(put_i),
    .waddr_i(put_entry_i),
    .wmask_i(1'b1),
    .wdata_i(place),
    .raddr_i(free_entry_i),
    .rdata_o(free_place)
  );
  hd_sram_1r1w #(
    .Width(DataW),
    .Depth(Places)
  ) u_data (
    .clk_i(clk_i),
    .we_i(put_i),
    .waddr_i(place),
    .wmask_i(1'b1),
    .wdata_i(data),
    .re_i(read_i),
    .raddr_i(read_place),
    .rdata_o(data_o)
  );
  hd_sram_1r1w #(
    .Width(AtW),
    .Depth(Places)
  ) u_atomic (
    .clk_i(clk_i),
    .we_i(put_i && put_atomic_i),
    .waddr_i(place),
    .wmask_i(1'b1),
    .wdata_i({cmp[Lanes*32-1:0], places[4 +: Lanes*OffW], places[3:0]}),
    .re_i(read_i),
    .raddr_i(read_place),
    .rdata_o(at_o)
  );

  logic unused;
  assign unused = ^{count, cmp, places, body_i};

  `HD_ASSERT(a_put_has_room, !put_i || room_o)
endmodule
`default_nettype wire
