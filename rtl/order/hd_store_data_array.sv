// hd_store_data_array.sv - data of the stores and atomics that wait in the ordering queues.
//
// room_o a place is free. Here and below .data is data, .cas compare data.
// take   take_i (only with room_o; .cas only with .data) keeps data_i in place idx_o, cmp_i in
//        place cas_idx_o. Both numbers are valid in that cycle.
// read   rd_idx_i, rd_cas_idx_i -> data_o, cmp_o, combinational, from the cycle after the take.
// free_i gives the places at rd_idx_i, rd_cas_idx_i back.
//
// Paper 1 section 5: the queues hold no data, the number of stores in them is limited to Stores
// (64), and nothing is forwarded from here. Compare data of atomics have Cas places of their own,
// since few operations need them. DataW: bits of a line or of the lanes' operands; CmpW: bits of
// the lanes' compare values.
`include "hd_assert.svh"
`default_nettype none
module hd_store_data_array #(
  parameter int unsigned Stores = 64,
  parameter int unsigned Cas    = 8,
  parameter int unsigned DataW  = 1024,
  parameter int unsigned CmpW   = 1024,
  parameter int unsigned IdxW   = hd_pkg::idx_w(Stores),  // derived: leave at its default
  parameter int unsigned CasW   = hd_pkg::idx_w(Cas)      // derived
) (
  input  logic             clk_i,
  input  logic             rst_i,

  output hd_pkg::keep_s    room_o,
  input  hd_pkg::keep_s    take_i,
  input  logic [DataW-1:0] data_i,
  input  logic [CmpW-1:0]  cmp_i,
  output logic [IdxW-1:0]  idx_o,
  output logic [CasW-1:0]  cas_idx_o,

  input  logic [IdxW-1:0]  rd_idx_i,
  input  logic [CasW-1:0]  rd_cas_idx_i,
  output logic [DataW-1:0] data_o,
  output logic [CmpW-1:0]  cmp_o,
  input  hd_pkg::keep_s    free_i
);
  logic [$clog2(Stores+1)-1:0] st_count;
  logic [$clog2(Cas+1)-1:0]    cas_count;
  logic                        unused;
  assign unused = ^{st_count, cas_count};

  hd_freelist #(.N(Stores)) u_free (
    .clk_i(clk_i), .rst_i(rst_i), .valid_o(room_o.data), .idx_o(idx_o),
    .take_i(take_i.data), .free_i(free_i.data), .free_idx_i(rd_idx_i), .count_o(st_count)
  );
  hd_freelist #(.N(Cas)) u_free_cas (
    .clk_i(clk_i), .rst_i(rst_i), .valid_o(room_o.cas), .idx_o(cas_idx_o),
    .take_i(take_i.cas), .free_i(free_i.cas), .free_idx_i(rd_cas_idx_i), .count_o(cas_count)
  );
  hd_regfile #(.Width(DataW), .Depth(Stores)) u_data (
    .clk_i(clk_i), .we_i(take_i.data), .waddr_i(idx_o), .wmask_i(1'b1), .wdata_i(data_i),
    .raddr_i(rd_idx_i), .rdata_o(data_o)
  );
  hd_regfile #(.Width(CmpW), .Depth(Cas)) u_cmp (
    .clk_i(clk_i), .we_i(take_i.cas), .waddr_i(cas_idx_o), .wmask_i(1'b1), .wdata_i(cmp_i),
    .raddr_i(rd_cas_idx_i), .rdata_o(cmp_o)
  );

  `HD_ASSERT(a_take_has_room, !take_i.data || room_o.data)
  `HD_ASSERT(a_take_cas_has_room, !take_i.cas || (room_o.cas && take_i.data))
endmodule
`default_nettype wire
