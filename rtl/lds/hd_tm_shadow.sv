// hd_tm_shadow.sv - owner records of the transactions in the LDS, and the walk over them.
//
// Paper 5 (sections 3.2, 4.2). A row of a bank has one record: valid, its owner {wavefront, lane},
// and a link. Each bank keeps for each wavefront a list of the rows its lanes own, threaded through
// the records, the head in flip-flops; a row is in exactly one list or not valid.
// Vectors of several things a bank have one after the other, each with bank b in slice b.
// look_i  a look at banks_i {used, row, lane}: in the banks used, each a row for a lane of
//         wavefront wf_i. In the cycle after owner_o {mine, other}: that lane owns the row; another
//         one does.
// own_i   in a later cycle, of the banks of the last look: the lane becomes the row's owner, in
//         front of its wavefront's list. Only where the row is not valid.
// walk_i  a walk over the lists of the wavefronts walk_wfs_i, an entry a cycle and bank, all banks
//         side by side, from the next cycle on while busy_o. Lanes that are gone, gone_i, stay on
//         the port. Entries that go are not valid any more; rows that are to be put back: rest_o
//         {write, row}, in that cycle. Entries that stay are pushed onto the list anew. The backup
//         memory's read port follows the records': back_o {read, row}, a cycle ahead of rest_o.
// some_o  wavefronts that own rows.
//
//   entry of a walk      record             list               row
//   goes                 not valid          leaves             put back (restore) or kept (commit)
//   stays                next := head       becomes the head   kept
//
// Parameters: Banks; Rows that may be used in transactions; Lanes of a wavefront; TmWarps.
`include "hd_assert.svh"
`default_nettype none
module hd_tm_shadow #(
  parameter int unsigned Banks   = 32,
  parameter int unsigned Rows    = 227,
  parameter int unsigned Lanes   = 64,
  parameter int unsigned TmWarps = 4,
  parameter int unsigned RowW    = hd_pkg::idx_w(Rows),     // derived: leave as is
  parameter int unsigned LaneW   = hd_pkg::idx_w(Lanes),    // derived
  parameter int unsigned WfW     = hd_pkg::idx_w(TmWarps)   // derived
) (
  input  logic                            clk_i,
  input  logic                            rst_i,
  input  logic                            look_i,
  input  logic [WfW-1:0]                  wf_i,
  input  logic [Banks*(1+RowW+LaneW)-1:0] banks_i,
  output logic [Banks*2-1:0]              owner_o,
  input  logic [Banks-1:0]                own_i,

  input  hd_pkg::tm_walk_s                walk_i,
  input  logic [TmWarps-1:0]              walk_wfs_i,
  input  logic [Lanes-1:0]                gone_i,
  output logic                            busy_o,
  output logic [Banks*(1+RowW)-1:0]       rest_o,
  output logic [Banks*(1+RowW)-1:0]       back_o,
  output logic [TmWarps-1:0]              some_o
);
  // A record: {wavefront, lane, next row, end of the list}.
  localparam int unsigned RecW = WfW + LaneW + RowW + 1;

  logic                     all_q, restore_q, looked_q;
  logic [WfW-1:0]           wf_q;
  logic [Banks-1:0]         used, mine, other, rest_we, back_re, re, we, walks_q;
  logic [Banks*RowW-1:0]    row, rest_row, back_row, raddr, waddr;
  logic [Banks*LaneW-1:0]   look_lane;
  logic [Banks*RecW-1:0]    wdata, rdata;
  logic [Banks*TmWarps-1:0] headed;

  assign {used, row, look_lane} = banks_i;
  assign owner_o = {mine, other};
  assign rest_o  = {rest_we, rest_row};
  assign back_o  = {back_re, back_row};

  hd_sram_banks #(
    .Width(RecW),
    .Depth(Rows),
    .Banks(Banks)
  ) u_records (
    .clk_i(clk_i),
    .we_i(we),
    .waddr_i(waddr),
    .wdata_i(wdata),
    .re_i(re),
    .raddr_i(raddr),
    .rdata_o(rdata)
  );

  for (genvar b = 0; b < Banks; b++) begin : g_bank
    logic [Rows-1:0]         valid_q;
    logic [TmWarps-1:0]      has_q, todo_q, lists, taken;  // has_q: the list is not empty
    logic [TmWarps*RowW-1:0] head_q;
    logic [RowW-1:0]         row_q, head, next;            // row_q: of the record at rdata
    logic [LaneW-1:0]        lane_q, lane;
    logic [WfW-1:0]          wf, list_wf, back_wf;
    logic                    is_valid, ends, walks, stays, goes, begins, follows;

    assign {wf, lane, next, ends} = rdata[b*RecW +: RecW];
    assign headed[b*TmWarps +: TmWarps] = has_q;

    always_comb begin
      is_valid = looked_q && valid_q[row_q];
      mine[b]  = is_valid && wf == wf_q && lane == lane_q;
      other[b] = is_valid && !(wf == wf_q && lane == lane_q);
    end

    always_comb begin
      walks   = walks_q[b];
      goes    = walks && (all_q || gone_i[lane]);
      stays   = walks && !goes;
      follows = walks && !ends;                 // to the next row of the list
      lists   = walk_i.start ? walk_wfs_i & has_q : (walks && ends) ? todo_q : '0;
      begins  = lists != '0;                    // the head of another list
      list_wf = '0;
      for (int unsigned v = TmWarps; v > 0; v--) if (lists[v-1]) list_wf = WfW'(v - 1);
      taken = '0;
      if (begins) taken[list_wf] = 1'b1;
      head    = begins ? head_q[list_wf*RowW +: RowW] : next;
      back_wf = stays ? wf : wf_q;
    end

    assign re[b]    = (look_i && used[b]) || follows || begins;
    assign raddr[b*RowW +: RowW] = (follows || begins) ? head : row[b*RowW +: RowW];
    assign we[b]    = own_i[b] || stays;
    assign waddr[b*RowW +: RowW] = row_q;
    assign wdata[b*RecW +: RecW] = {back_wf, stays ? lane : lane_q,
                                    head_q[back_wf*RowW +: RowW], !has_q[back_wf]};
    assign rest_we[b] = goes && restore_q;
    assign rest_row[b*RowW +: RowW] = row_q;
    assign back_re[b] = follows || begins;
    assign back_row[b*RowW +: RowW] = head;

    always_ff @(posedge clk_i) begin
      if (rst_i) begin
        valid_q    <= '0;
        has_q      <= '0;
        walks_q[b] <= 1'b0;
      end else begin
        if (own_i[b]) valid_q[row_q] <= 1'b1;
        else if (goes) valid_q[row_q] <= 1'b0;
        if (we[b]) has_q <= (has_q & ~taken) | (TmWarps'(1) << back_wf);
        else if (begins) has_q <= has_q & ~taken;
        walks_q[b] <= follows || begins;
      end
      if (begins) todo_q <= lists & ~taken;
      if (we[b]) head_q[back_wf*RowW +: RowW] <= row_q;
      if ((look_i && used[b]) || follows || begins) row_q <= raddr[b*RowW +: RowW];
      if (look_i && used[b]) lane_q <= look_lane[b*LaneW +: LaneW];
    end

    `HD_ASSERT(a_owned_once, !own_i[b] || !valid_q[row_q])
    `HD_ASSERT(a_walks_over_owned_rows, !walks || valid_q[row_q])
    `HD_ASSERT(a_row_in_range, !(look_i && used[b]) || 32'(row[b*RowW +: RowW]) < Rows)
  end

  always_comb begin
    some_o = '0;
    for (int unsigned i = 0; i < Banks; i++) some_o = some_o | headed[i*TmWarps +: TmWarps];
  end
  assign busy_o = walks_q != '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) looked_q <= 1'b0;
    else looked_q <= look_i;
    if (look_i) wf_q <= wf_i;
    if (walk_i.start) begin
      all_q     <= walk_i.all;
      restore_q <= walk_i.restore;
    end
  end

  `HD_ASSERT(a_one_at_a_time, 32'(look_i) + 32'(walk_i.start) + 32'(busy_o) <= 1)
endmodule
`default_nettype wire
