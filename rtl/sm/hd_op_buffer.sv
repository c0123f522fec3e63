// hd_op_buffer.sv - lane payload of the one operation each warp slot can hold.
//
// op     the tile's warp port. A memory operation that arrives is written at the edge; its data
//        unless it is a LOAD, its compare values only for AT_CAS, the LDS addresses of a COPY in
//        their place. Other kinds write nothing. The caller must not offer an operation to a warp
//        whose last one has not been issued.
// read   re_i at the issue edge of re_warp_i's operation; mask_o addr_o data_o cmp_o are valid from
//        the next cycle and hold until the next read, whatever arrives meanwhile. data_o and cmp_o
//        are unspecified for kinds that did not write them.
//
// No state besides four SRAMs: nothing moves unless op_valid_i or re_i, so there is no idle_o.
// Warps: warp slots. Lanes: lanes of a warp. WordW: bits of a word, 32 + ghost.
`default_nettype none
module hd_op_buffer #(
  parameter int unsigned Warps = 48,
  parameter int unsigned Lanes = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned WarpW = hd_pkg::idx_w(Warps)  // derived: leave at its default
) (
  input  logic                            clk_i,

  input  logic                            op_valid_i,
  input  logic [WarpW-1:0]                op_warp_i,
  input  logic [hd_pkg::OP_W-1:0]                      op_kind_i,  // hd_pkg::op_e
  input  logic [3:0]                      op_fn_i,    // hd_pkg::atomic_e
  input  logic [Lanes-1:0]                op_mask_i,
  input  logic [Lanes*hd_pkg::ADDR_W-1:0] op_addr_i,
  input  logic [Lanes*WordW-1:0]          op_data_i,
  input  logic [Lanes*32-1:0]             op_cmp_i,

  input  logic                            re_i,
  input  logic [WarpW-1:0]                re_warp_i,
  output logic [Lanes-1:0]                mask_o,
  output logic [Lanes*hd_pkg::ADDR_W-1:0] addr_o,
  output logic [Lanes*WordW-1:0]          data_o,
  output logic [Lanes*32-1:0]             cmp_o
);
  logic we_mem, we_data, we_cmp;

  always_comb begin
    we_mem  = 1'b0;
    we_data = 1'b0;
    we_cmp  = 1'b0;
    if (op_valid_i) begin
      we_mem  = hd_pkg::op_memory(op_kind_i);
      we_data = we_mem && hd_pkg::op_class(op_kind_i) != hd_pkg::OPC_LOAD;
      we_cmp  = hd_pkg::op_cas(op_kind_i, op_fn_i);
    end
  end

  hd_sram_1r1w #(.Width(Lanes), .Depth(Warps)) u_mask (
    .clk_i(clk_i), .we_i(we_mem), .waddr_i(op_warp_i), .wmask_i(1'b1), .wdata_i(op_mask_i),
    .re_i(re_i), .raddr_i(re_warp_i), .rdata_o(mask_o)
  );
  hd_sram_1r1w #(.Width(Lanes * hd_pkg::ADDR_W), .Depth(Warps)) u_addr (
    .clk_i(clk_i), .we_i(we_mem), .waddr_i(op_warp_i), .wmask_i(1'b1), .wdata_i(op_addr_i),
    .re_i(re_i), .raddr_i(re_warp_i), .rdata_o(addr_o)
  );
  hd_sram_1r1w #(.Width(Lanes * WordW), .Depth(Warps)) u_data (
    .clk_i(clk_i), .we_i(we_data), .waddr_i(op_warp_i), .wmask_i(1'b1), .wdata_i(op_data_i),
    .re_i(re_i), .raddr_i(re_warp_i), .rdata_o(data_o)
  );
  hd_sram_1r1w #(.Width(Lanes * 32), .Depth(Warps)) u_cmp (
    .clk_i(clk_i), .we_i(we_cmp), .waddr_i(op_warp_i), .wmask_i(1'b1), .wdata_i(op_cmp_i),
    .re_i(re_i), .raddr_i(re_warp_i), .rdata_o(cmp_o)
  );
endmodule
`default_nettype wire
