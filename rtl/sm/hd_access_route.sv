// hd_access_route.sv - sends line accesses to the L1 or the LDS and takes their places apart.
//
// lo     accesses of the ordering stage, valid/ready; ready is that of the side the access is for.
//        lo_place_i as the coalescer makes it (SplitLds as there).
// l1     lo's access for the L1: l1_place_o, from the top: lanes, word in the line of each lane,
//        words touched; no lane and no word of a prefetch.
// lds    lo's access for the LDS: lanes and the LDS word of each lane.
// Combinational. Lanes, LineWords; LdsW, LineW: bits of an LDS word's and of a line's number.
`default_nettype none
module hd_access_route #(
  parameter int unsigned Lanes     = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned LdsW      = 14,
  parameter int unsigned SplitLds  = 0,
  parameter int unsigned OffW      = hd_pkg::idx_w(LineWords),               // derived
  parameter int unsigned LineW     = hd_pkg::ADDR_W - $clog2(LineWords * 4), // derived
  parameter int unsigned L1PlaceW  = hd_pkg::place_w(Lanes, LineWords),      // derived
  parameter int unsigned PlaceW    = L1PlaceW + ((SplitLds != 0) ? 0 : Lanes * LdsW)  // derived
) (
  input  logic                  lo_valid_i,
  output logic                  lo_ready_o,
  input  logic                  lo_space_i,
  input  logic                  lo_prefetch_i,
  input  logic [LineW-1:0]      lo_line_i,
  input  logic [PlaceW-1:0]     lo_place_i,

  output logic                  l1_valid_o,
  input  logic                  l1_ready_i,
  output logic [L1PlaceW-1:0]   l1_place_o,

  output logic                  lds_valid_o,
  input  logic                  lds_ready_i,
  output logic [Lanes-1:0]      lds_mask_o,
  output logic [Lanes*LdsW-1:0] lds_word_o
);
  logic                  is_lds;
  logic [Lanes-1:0]      mask;
  logic [Lanes*OffW-1:0] offs;
  logic [LineWords-1:0]  wmask;
  assign {mask, offs, wmask} = lo_place_i[PlaceW-1 -: L1PlaceW];

  assign is_lds      = lo_space_i == hd_pkg::SPACE_LDS;
  assign lo_ready_o  = is_lds ? lds_ready_i : l1_ready_i;
  assign l1_valid_o  = lo_valid_i && !is_lds;
  assign lds_valid_o = lo_valid_i && is_lds;
  assign l1_place_o  = lo_prefetch_i ? {{Lanes{1'b0}}, offs, {LineWords{1'b0}}}
                                     : {mask, offs, wmask};
  assign lds_mask_o  = mask;

  if (SplitLds != 0) begin : g_line
    for (genvar l = 0; l < Lanes; l++) begin : g_lane
      assign lds_word_o[l*LdsW +: LdsW] = LdsW'({lo_line_i, offs[l*OffW +: OffW]});
    end
  end else begin : g_words
    assign lds_word_o = lo_place_i[Lanes*LdsW-1:0];
    logic unused_line;
    assign unused_line = ^lo_line_i;
  end
endmodule
`default_nettype wire
