// hd_lds_pass.sv - bank schedule of the LDS: the lanes of an access each bank serves in a cycle.
//
// Word w lies in bank w mod Banks, row w / Banks. A pass is one cycle: every bank takes the row of
// its lowest lane still to do and serves all lanes that want that row; with alone_i (atomics) that
// lane only.
// in    valid_i with mask_i (not empty), alone_i and of each lane its word: they stay until the
//       last pass. stall_i: no pass is made in this cycle.
// pass  combinational. Lanes: serve_o, and the bank of each in bank_o. banks_o {used, row, top},
//       one after the other, each with bank b in slice b: the banks used, of each its row and, of
//       the lanes it serves, the highest.
// idle_o nothing moves while valid_i is low.
// Parameters: Lanes; Words; Banks, a power of two from 2.
`include "hd_assert.svh"
`default_nettype none
module hd_lds_pass #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Words = 12288,
  parameter int unsigned Banks = 32,
  parameter int unsigned AddrW = hd_pkg::idx_w(Words),                       // derived: leave as is
  parameter int unsigned BankW = hd_pkg::idx_w(Banks),                       // derived
  parameter int unsigned RowW = hd_pkg::idx_w((Words + Banks - 1) / Banks),  // derived
  parameter int unsigned LaneW = hd_pkg::idx_w(Lanes)                        // derived
) (
  input  logic                            clk_i,
  input  logic                            rst_i,
  // access
  input  logic                            valid_i,
  input  logic                            alone_i,
  input  logic [Lanes-1:0]                mask_i,
  input  logic [Lanes*AddrW-1:0]          word_i,
  input  logic                            stall_i,
  // pass
  output hd_pkg::lds_pass_s               pass_o,
  output logic [Lanes-1:0]                serve_o,
  output logic [Lanes*BankW-1:0]          bank_o,
  output logic [Banks*(1+RowW+LaneW)-1:0] banks_o,
  // observation
  output hd_pkg::lds_ev_s                 ev_o,
  output logic                            idle_o
);
  if (Banks < 2 || (Banks & (Banks - 1)) != 0 || Words == 0) begin : g_bad
    $error("hd_lds_pass: Banks must be a power of two, at least 2, and Words at least 1");
  end

  logic                   more_q;      // the access has made a pass; lanes still to do: rem_q
  logic                   pass, none_left, ev_access_q, ev_conflict_q;
  logic [Lanes-1:0]       rem_q, rem, lead, serve;
  logic [Lanes*BankW-1:0] lane_bank;
  logic [Lanes*RowW-1:0]  lane_row;
  logic [Banks-1:0]       used;
  logic [Banks*RowW-1:0]  rows;
  logic [Banks*LaneW-1:0] tops;
  logic [RowW-1:0]        row [0:Banks-1];
  logic [LaneW-1:0]       top [0:Banks-1];

  assign pass = valid_i && !stall_i;
  assign pass_o.made  = pass;
  assign pass_o.first = pass && !more_q;
  assign pass_o.last  = pass && none_left;

  always_comb begin
    rem   = more_q ? rem_q : mask_i;
    used  = '0;
    lead  = '0;
    serve = '0;
    lane_bank = '0;
    lane_row  = '0;
    rows = '0;
    tops = '0;
    for (int unsigned b = 0; b < Banks; b++) begin
      row[b] = '0;
      top[b] = '0;
    end
    if (pass) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        lane_bank[l*BankW +: BankW] = BankW'(word_i[l*AddrW +: AddrW]);
        lane_row[l*RowW +: RowW]    = RowW'(word_i[l*AddrW +: AddrW] >> BankW);
        if (rem[l] && !used[lane_bank[l*BankW +: BankW]]) begin
          lead[l] = 1'b1;
          used[lane_bank[l*BankW +: BankW]] = 1'b1;
          row[lane_bank[l*BankW +: BankW]] = lane_row[l*RowW +: RowW];
        end
      end
      for (int unsigned l = 0; l < Lanes; l++) begin
        serve[l] = lead[l] || (rem[l] && !alone_i
            && row[lane_bank[l*BankW +: BankW]] == lane_row[l*RowW +: RowW]);
        if (serve[l]) top[lane_bank[l*BankW +: BankW]] = LaneW'(l);
      end
      for (int unsigned b = 0; b < Banks; b++) begin
        rows[b*RowW +: RowW]   = row[b];
        tops[b*LaneW +: LaneW] = top[b];
      end
    end
    none_left = (rem & ~serve) == '0;
  end
  assign serve_o = serve;
  assign bank_o  = lane_bank;
  assign banks_o = {used, rows, tops};

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      more_q        <= 1'b0;
      ev_access_q   <= 1'b0;
      ev_conflict_q <= 1'b0;
    end else begin
      if (pass) more_q <= !none_left;
      ev_access_q   <= pass && none_left;
      ev_conflict_q <= pass && !none_left;
    end
    if (pass) rem_q <= rem & ~serve;  // payload needs no reset
  end

  assign ev_o.access   = ev_access_q;
  assign ev_o.conflict = ev_conflict_q;
  assign ev_o.tm       = '0;
  assign idle_o = !valid_i && !ev_access_q && !ev_conflict_q;

`ifndef SYNTHESIS
  logic in_range;
  always_comb begin
    in_range = 1'b1;
    for (int unsigned l = 0; l < Lanes; l++) begin
      in_range = in_range && (!mask_i[l] || 32'(word_i[l*AddrW +: AddrW]) < Words);
    end
  end
`endif
  `HD_ASSERT(a_inside, !valid_i || in_range)
  `HD_ASSERT(a_has_lanes, !valid_i || mask_i != '0)
  `HD_ASSERT(a_stays, !more_q || valid_i)
  `HD_ASSERT(a_serves, !pass || serve != '0)
endmodule
`default_nettype wire
