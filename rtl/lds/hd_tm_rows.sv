// hd_tm_rows.sv - rows that transactions in the LDS have accessed: marks, owners, backup words.
//
// Paper 5 (sections 3.2, 3.3, 4.2). One row of each bank at a time.
// look_i  pass P0 of a transactional access: banks_i {used, row, lane} as of hd_tm_shadow, but rows
//         of the whole bank. pass_i: a pass of any kind. In the same cycle lost_o, lanes that lose
//         their attempt, and go_o, some bank has none of them.
// p1_i    the cycle after: the words of before are at line_i, the owner records are looked at.
//         fresh_o: the rows that are new to their lanes; their words are put aside by the edge.
//         With Detect conflicts are found here: lost_o.
// p2_i    the cycle after a fresh_o: the lanes become the owners of these rows.
// drop_o  banks whose access is not to take place, in P1.
// walk_i  a walk over the rows of walk_wfs_i, of all their lanes or of gone_i: as of hd_tm_shadow.
//         Rows are put back: put_o {put, row, words}; walking_o; still_o: there are entries after
//         those of this cycle. clear_i: marks of {wavefront, lane} go.
// some_o  wavefronts that own rows.
//
//   mark of the row's filter   owner (P1)          access     row
//   of another lane            -                   none       the lane loses in P0
//   own                        the lane            done       stays
//   own (of another row)       none                done       put aside in P1, owned in P2
//   none                       none                done       the same; the lane is marked in P0
//   (Detect: not looked at)    another lane        none       the lane loses in P1
//
// Parameters: Banks; BankRows of each; TmRows that transactions may use; WordW, bits of a word;
// Lanes of a wavefront; TmWarps wavefronts; Hash, filters of a bank; Detect: owner records instead.
`include "hd_assert.svh"
`default_nettype none
module hd_tm_rows #(
  parameter int unsigned Banks    = 32,
  parameter int unsigned BankRows = 512,
  parameter int unsigned TmRows   = 227,
  parameter int unsigned WordW    = 32,
  parameter int unsigned Lanes    = 64,
  parameter int unsigned TmWarps  = 4,
  parameter int unsigned Hash     = 8,
  parameter int unsigned Detect   = 0,
  parameter int unsigned RowW     = hd_pkg::idx_w(BankRows),  // derived: leave as is
  parameter int unsigned LaneW    = hd_pkg::idx_w(Lanes),     // derived
  parameter int unsigned WfW      = hd_pkg::idx_w(TmWarps)    // derived
) (
  input  logic                            clk_i,
  input  logic                            rst_i,
  input  logic                            pass_i,
  input  logic                            look_i,
  input  logic [WfW-1:0]                  wf_i,
  input  logic [Banks*(1+RowW+LaneW)-1:0] banks_i,
  output logic                            go_o,
  output logic [Lanes-1:0]                lost_o,

  input  logic                            p1_i,
  input  logic                            p2_i,
  input  logic [Banks*WordW-1:0]          line_i,
  output logic                            fresh_o,
  output logic [Banks-1:0]                drop_o,

  input  hd_pkg::tm_walk_s                walk_i,
  input  logic [TmWarps-1:0]              walk_wfs_i,
  input  logic [Lanes-1:0]                gone_i,
  input  logic [TmWarps*Lanes-1:0]        clear_i,
  output logic                            walking_o,
  output logic                            still_o,
  output logic [Banks*(1+RowW+WordW)-1:0] put_o,
  output logic [TmWarps-1:0]              some_o
);
  localparam int unsigned TmRowW = hd_pkg::idx_w(TmRows);
  localparam int unsigned HashW = hd_pkg::idx_w(Hash);

  logic [Banks-1:0]        used_q, new_q, drop_q;  // of the last look
  logic [Banks*TmRowW-1:0] row_q;
  logic [Banks-1:0]        sig_other, self_q, mine, rec_other, fresh, taken, own, back_re;
  logic [Banks*TmRowW-1:0] tm_row, rest_row, back_row;
  logic [Banks-1:0]        used, put;
  logic [Banks*RowW-1:0]   row, put_row;
  logic [Banks*LaneW-1:0]  lane;
  logic [Banks*WordW-1:0]  put_data;
  logic [Banks*HashW-1:0]  hash;
  logic [Lanes-1:0]        lost_in_p0, lost_in_p1;

  assign {used, row, lane} = banks_i;
  assign put_o = {put, put_row, put_data};

  always_comb begin
    tm_row = '0;
    hash   = '0;
    if (look_i) begin
      for (int unsigned b = 0; b < Banks; b++) begin
        tm_row[b*TmRowW +: TmRowW] = TmRowW'(row[b*RowW +: RowW]);
        hash[b*HashW +: HashW] = HashW'(32'(row[b*RowW +: RowW]) & (Hash - 1));
      end
    end
  end

  // ---- conflicts --------------------------------------------------------------------------------
  if (Detect == 0) begin : g_signatures
    logic [Banks-1:0] sig_self;
    hd_tm_signatures #(
      .Banks(Banks),
      .Lanes(Lanes),
      .TmWarps(TmWarps),
      .Hash(Hash)
    ) u_signatures (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .look_i(look_i),
      .wf_i(wf_i),
      .used_i(used),
      .hash_i(hash),
      .lane_i(lane),
      .other_o(sig_other),
      .self_o(sig_self),
      .clear_i(clear_i)
    );
    assign lost_in_p1 = '0;
    always_ff @(posedge clk_i) if (look_i) self_q <= sig_self;
  end else begin : g_owners
    logic unused_clear;
    logic [Banks*LaneW-1:0] lane_q;
    assign sig_other = '0;
    assign self_q    = '1;
    assign unused_clear = ^{clear_i, hash};
    always_comb begin
      lost_in_p1 = '0;
      for (int unsigned b = 0; b < Banks; b++)
        if (p1_i && rec_other[b] && used_q[b]) lost_in_p1[lane_q[b*LaneW +: LaneW]] = 1'b1;
    end
    always_ff @(posedge clk_i) if (look_i) lane_q <= lane;
  end
  always_comb begin
    lost_in_p0 = '0;
    for (int unsigned b = 0; b < Banks; b++) begin
      if (look_i && sig_other[b]) lost_in_p0[lane[b*LaneW +: LaneW]] = 1'b1;
    end
  end
  assign lost_o = lost_in_p0 | lost_in_p1;
  assign go_o   = (used & ~sig_other) != '0;
  assign drop_o = (Detect != 0 && p1_i) ? rec_other : drop_q;

  // ---- owners -----------------------------------------------------------------------------------
  assign own = p2_i ? new_q : '0;
  hd_tm_shadow #(
    .Banks(Banks),
    .Rows(TmRows),
    .Lanes(Lanes),
    .TmWarps(TmWarps)
  ) u_shadow (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .look_i(look_i),
    .wf_i(wf_i),
    .banks_i({used, tm_row, lane}),
    .owner_o({mine, rec_other}),
    .own_i(own),
    .walk_i(walk_i),
    .walk_wfs_i(walk_wfs_i),
    .gone_i(gone_i),
    .busy_o(walking_o),
    .rest_o({put, rest_row}),
    .back_o({back_re, back_row}),
    .some_o(some_o)
  );
  assign still_o = back_re != '0;

  // ---- backup words -----------------------------------------------------------------------------
  assign fresh   = p1_i ? used_q & ~drop_o & ~(mine & self_q) : '0;
  assign taken   = fresh;
  assign fresh_o = fresh != '0;
  hd_sram_banks #(
    .Width(WordW),
    .Depth(TmRows),
    .Banks(Banks)
  ) u_backup (
    .clk_i(clk_i),
    .we_i(taken),
    .waddr_i(row_q),
    .wdata_i(line_i),
    .re_i(back_re),
    .raddr_i(back_row),
    .rdata_o(put_data)
  );
  always_comb begin
    put_row = '0;
    for (int unsigned b = 0; b < Banks; b++) begin
      put_row[b*RowW +: RowW] = RowW'(rest_row[b*TmRowW +: TmRowW]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (look_i) begin
      used_q <= used;
      row_q  <= tm_row;
    end
    if (pass_i) drop_q <= look_i ? sig_other : '0;
    else if (Detect != 0 && p1_i) drop_q <= drop_o;
    if (p1_i) new_q <= fresh;
  end

  `HD_ASSERT(a_own_alone, own == '0 || !(pass_i || walk_i.start || walking_o))
  `HD_ASSERT(a_one_phase, 32'(pass_i) + 32'(p1_i) + 32'(p2_i) <= 1)
  `HD_ASSERT(a_restored, !walking_o || !(pass_i || p1_i || p2_i))
endmodule
`default_nettype wire
