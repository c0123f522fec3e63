// hd_op_buffer.sv - lane payload of the one operation each warp slot can hold.
//
// op     the tile's warp port; lanes from the top: mask, addr, data, cmp (compare values). A memory
//        operation that arrives is written at the edge; its data unless it is a LOAD, its compare
//        values only for AT_CAS, the LDS addresses of a COPY in their place. Other kinds write
//        nothing. The caller must not offer an operation to a warp whose last one has not been
//        issued.
// read   re_i at the issue edge of re_warp_i's operation; lanes_o is valid from the next cycle and
//        holds until the next read, whatever arrives meanwhile. Its data and cmp are unspecified
//        for kinds that did not write them.
//
// No state besides four SRAMs: nothing moves unless op_valid_i or re_i, so there is no idle_o.
// Warps: warp slots. Lanes: lanes of a warp. WordW: bits of a word, 32 + ghost.
`default_nettype none
module hd_op_buffer #(
  parameter int unsigned Warps = 48,
  parameter int unsigned Lanes = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned WarpW = hd_pkg::idx_w(Warps),  // derived: leave at its default
  parameter int unsigned OpW   = Lanes * (1 + hd_pkg::ADDR_W + WordW + 32)  // derived
) (
  input  logic             clk_i,

  input  logic             op_valid_i,
  input  hd_pkg::access_s  op_acc_i,   // warp, kind, fn
  input  logic [OpW-1:0]   op_lanes_i,

  input  logic             re_i,
  input  logic [WarpW-1:0] re_warp_i,
  output logic [OpW-1:0]   lanes_o
);
  logic [WarpW-1:0]                op_warp;
  logic [Lanes-1:0]                op_mask, mask;
  logic [Lanes*hd_pkg::ADDR_W-1:0] op_addr, addr;
  logic [Lanes*WordW-1:0]          op_data, data;
  logic [Lanes*32-1:0]             op_cmp, cmp;
  logic                            we_mem, we_data, we_cmp;

  assign op_warp = op_acc_i.warp[WarpW-1:0];
  assign {op_mask, op_addr, op_data, op_cmp} = op_lanes_i;
  assign lanes_o = {mask, addr, data, cmp};

  always_comb begin
    we_mem  = 1'b0;
    we_data = 1'b0;
    we_cmp  = 1'b0;
    if (op_valid_i) begin
      we_mem  = hd_pkg::op_memory(op_acc_i.kind);
      we_data = we_mem && hd_pkg::op_class(op_acc_i.kind) != hd_pkg::OPC_LOAD;
      we_cmp  = hd_pkg::op_cas(op_acc_i.kind, op_acc_i.fn);
    end
  end

  hd_sram_1r1w #(.Width(Lanes), .Depth(Warps)) u_mask (
    .clk_i(clk_i), .we_i(we_mem), .waddr_i(op_warp), .wmask_i(1'b1), .wdata_i(op_mask),
    .re_i(re_i), .raddr_i(re_warp_i), .rdata_o(mask)
  );
  hd_sram_1r1w #(.Width(Lanes * hd_pkg::ADDR_W), .Depth(Warps)) u_addr (
    .clk_i(clk_i), .we_i(we_mem), .waddr_i(op_warp), .wmask_i(1'b1), .wdata_i(op_addr),
    .re_i(re_i), .raddr_i(re_warp_i), .rdata_o(addr)
  );
  hd_sram_1r1w #(.Width(Lanes * WordW), .Depth(Warps)) u_data (
    .clk_i(clk_i), .we_i(we_data), .waddr_i(op_warp), .wmask_i(1'b1), .wdata_i(op_data),
    .re_i(re_i), .raddr_i(re_warp_i), .rdata_o(data)
  );
  hd_sram_1r1w #(.Width(Lanes * 32), .Depth(Warps)) u_cmp (
    .clk_i(clk_i), .we_i(we_cmp), .waddr_i(op_warp), .wmask_i(1'b1), .wdata_i(op_cmp),
    .re_i(re_i), .raddr_i(re_warp_i), .rdata_o(cmp)
  );

  logic unused;
  assign unused = ^op_acc_i;
endmodule
`default_nettype wire
