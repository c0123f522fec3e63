// hd_sram.sv - the memory kinds of the chip.
//
// No other file holds an array that is meant to become an SRAM.
//
// hd_sram_1r1w  one synchronous read port, one write port
// hd_sram_1rw   one port that reads or writes
// hd_regfile    one asynchronous read port, one write port (small arrays)
// hd_sram_banks Banks of hd_sram_1r1w side by side, each with a row address of its own; no mask
//
// write  wmask_i[i] enables bits i*Gran +: Gran of the word. With Gran == Width the mask is one
//        bit. The code writes a merged word, which is cheap to simulate; Yosys makes write enables
//        of it.
// read   synchronous: rdata_o changes only by an edge that reads, and holds its value otherwise. A
//        word read and written by the same edge gives the OLD value. hd_regfile: rdata_o follows
//        raddr_i and shows a write from the next cycle on.
// Contents are unspecified until written: keep valid bits in reset registers elsewhere. The caller
// must not use an address of Depth or more.
//
// Width: bits of a word. Depth: words. Gran: bits a mask bit covers, a divisor of Width. Banks.
// Synthesis reads this file as black boxes when it counts memory bits (docs/area.md).
`default_nettype none
module hd_sram_1r1w #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 16,
  parameter int unsigned Gran  = Width,
  parameter int unsigned AddrW = hd_pkg::idx_w(Depth),  // derived: leave at its default
  parameter int unsigned MaskW = Width / Gran           // derived
) (
  input  logic             clk_i,

  input  logic             we_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [MaskW-1:0] wmask_i,
  input  logic [Width-1:0] wdata_i,

  input  logic             re_i,
  input  logic [AddrW-1:0] raddr_i,
  output logic [Width-1:0] rdata_o
);
  if (Width == 0 || Depth == 0 || Gran == 0 || Width % Gran != 0) begin : g_bad_shape
    $error("hd_sram_1r1w: Width, Depth and Gran must be at least 1, Gran must divide Width");
  end

  logic [Width-1:0] mem_q [0:Depth-1];
  logic [Width-1:0] rdata_q;

  always_ff @(posedge clk_i) begin
    if (we_i) begin : write
      logic [Width-1:0] word;
      word = mem_q[waddr_i];
      for (int unsigned i = 0; i < MaskW; i++) begin
        if (wmask_i[i]) word[i*Gran +: Gran] = wdata_i[i*Gran +: Gran];
      end
      mem_q[waddr_i] <= word;
    end
    if (re_i) rdata_q <= mem_q[raddr_i];
  end

  assign rdata_o = rdata_q;
endmodule

module hd_sram_1rw #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 16,
  parameter int unsigned Gran  = Width,
  parameter int unsigned AddrW = hd_pkg::idx_w(Depth),  // derived: leave at its default
  parameter int unsigned MaskW = Width / Gran           // derived
) (
  input  logic             clk_i,

  input  logic             en_i,     // with we_i: write, without: read
  input  logic             we_i,
  input  logic [AddrW-1:0] addr_i,
  input  logic [MaskW-1:0] wmask_i,
  input  logic [Width-1:0] wdata_i,
  output logic [Width-1:0] rdata_o
);
  hd_sram_1r1w #(
    .Width(Width),
    .Depth(Depth),
    .Gran (Gran)
  ) u_mem (
    .clk_i  (clk_i),
    .we_i   (en_i && we_i),
    .waddr_i(addr_i),
    .wmask_i(wmask_i),
    .wdata_i(wdata_i),
    .re_i   (en_i && !we_i),
    .raddr_i(addr_i),
    .rdata_o(rdata_o)
  );
endmodule

module hd_regfile #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 16,
  parameter int unsigned Gran  = Width,
  parameter int unsigned AddrW = hd_pkg::idx_w(Depth),  // derived: leave at its default
  parameter int unsigned MaskW = Width / Gran           // derived
) (
  input  logic             clk_i,

  input  logic             we_i,
  input  logic [AddrW-1:0] waddr_i,
  input  logic [MaskW-1:0] wmask_i,
  input  logic [Width-1:0] wdata_i,

  input  logic [AddrW-1:0] raddr_i,
  output logic [Width-1:0] rdata_o
);
  if (Width == 0 || Depth == 0 || Gran == 0 || Width % Gran != 0) begin : g_bad_shape
    $error("hd_regfile: Width, Depth and Gran must be at least 1, Gran must divide Width");
  end

  logic [Width-1:0] mem_q [0:Depth-1];

  if (MaskW == 1) begin : g_whole
    always_ff @(posedge clk_i) if (we_i && wmask_i[0]) mem_q[waddr_i] <= wdata_i;
  end else begin : g_parts
    always_ff @(posedge clk_i) begin
      if (we_i) begin : write
        logic [Width-1:0] word;
        word = mem_q[waddr_i];
        for (int unsigned i = 0; i < MaskW; i++) begin
          if (wmask_i[i]) word[i*Gran +: Gran] = wdata_i[i*Gran +: Gran];
        end
        mem_q[waddr_i] <= word;
      end
    end
  end

  assign rdata_o = mem_q[raddr_i];
endmodule

module hd_sram_banks #(
  parameter int unsigned Width = 32,
  parameter int unsigned Depth = 16,
  parameter int unsigned Banks = 4,
  parameter int unsigned AddrW = hd_pkg::idx_w(Depth)   // derived: leave at its default
) (
  input  logic                   clk_i,

  input  logic [Banks-1:0]       we_i,
  input  logic [Banks*AddrW-1:0] waddr_i,
  input  logic [Banks*Width-1:0] wdata_i,

  input  logic [Banks-1:0]       re_i,
  input  logic [Banks*AddrW-1:0] raddr_i,
  output logic [Banks*Width-1:0] rdata_o
);
  // Two bodies, against the rule of one text; the unit test runs on both (RTL and netlist).
  // Synthesis needs an instance for each bank: one array with Banks addresses would be a memory of
  // Banks ports. In a simulator the instances take 57 ns a cycle more than the one array (32 idle
  // banks: 114 instead of 57), 7 % of what an SM takes for a cycle of gemm.
`ifdef SYNTHESIS
  for (genvar b = 0; b < Banks; b++) begin : g_bank
    hd_sram_1r1w #(.Width(Width), .Depth(Depth)) u_mem (
      .clk_i(clk_i), .we_i(we_i[b]), .waddr_i(waddr_i[b*AddrW +: AddrW]), .wmask_i(1'b1),
      .wdata_i(wdata_i[b*Width +: Width]), .re_i(re_i[b]), .raddr_i(raddr_i[b*AddrW +: AddrW]),
      .rdata_o(rdata_o[b*Width +: Width])
    );
  end
`else
  // The same in one array: a simulator passes by all banks at once while none is used.
  localparam int unsigned IdxW = AddrW + hd_pkg::idx_w(Banks);
  logic [Width-1:0]       mem_q [0:(Banks << AddrW)-1];
  logic [Banks*Width-1:0] rdata_q;

  always_ff @(posedge clk_i) begin
    if (re_i != '0) begin : read
      logic [Banks*Width-1:0] words;
      words = rdata_q;
      for (int unsigned b = 0; b < Banks; b++) begin
        if (re_i[b]) begin
          words[b*Width +: Width]
              = mem_q[(IdxW'(b) << AddrW) | IdxW'(raddr_i[b*AddrW +: AddrW])];
        end
      end
      rdata_q <= words;
    end
    // Behind the reads and at once: one that waits is looked for in every cycle, for each bank.
    if (we_i != '0) begin
      for (int unsigned b = 0; b < Banks; b++) begin
        if (we_i[b]) begin
          mem_q[(IdxW'(b) << AddrW) | IdxW'(waddr_i[b*AddrW +: AddrW])]
              = wdata_i[b*Width +: Width];
        end
      end
    end
  end

  assign rdata_o = rdata_q;
`endif
endmodule
`default_nettype wire
