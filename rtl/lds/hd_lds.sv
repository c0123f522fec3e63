// hd_lds.sv - local data share of an SM: banks of words, conflicts served in turn, atomics.
//
// Word w lies in bank w mod Banks, row w / Banks. A pass is one cycle: every bank serves one of its
// words, that of its lowest lane still to do, to all lanes that want it. An access takes as many
// passes as its worst bank has distinct words; an atomic, whose lanes on a bank go one by one in
// ascending order, as many as its worst bank has lanes. Paper 1, Table 2: 48 KB, 32 banks.
// in    one access, a whole operation or any part of it: warp, slot, kind, fn, lanes in_mask_i (not
//       empty) and of each lane its LDS word, data (store, atomic operand) and compare value (CAS).
//       Valid/ready: it stays on the port until its last pass. Lanes that store to one word: the
//       highest wins.
// perf  valid/ready: the access is performed when it is taken; perf_last_i (same cycle) = the
//       operation is complete. Until then no further pass is made.
// cpl   registers, the cycle after perf is taken; lanes' words of loads and atomics. Words with
//       ghosts: the completion of a store returns the old words of its lanes.
// ev    registered pulses: an access has made its last pass; it has made one before the last.
// idle_o nothing moves while in_valid_i is low.
// Latency: last pass in cycle T, perf in T + 1, cpl in T + 2; without conflicts an access a cycle.
// Accesses take effect in the order in which they came: a word is read by the pass, and changed and
// written one cycle later, and a pass that reads it meanwhile gets the new value.
// The lanes of an atomic are computed where their words arrive, one ALU a lane: a bank would need
// the compare values brought to it as well.
// Parameters: Lanes; Words of 32 bits and ghost (WordW) in all; Banks, a power of two from 2.
// A slot (SlotW bits) is opaque.
`include "hd_assert.svh"
`default_nettype none
module hd_lds #(
  parameter int unsigned Lanes = 32,
  parameter int unsigned Words = 12288,
  parameter int unsigned Banks = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned AddrW = hd_pkg::idx_w(Words),  // derived: leave as is
  parameter int unsigned CntW = $clog2(Lanes + 1)       // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  // accesses
  input  logic                      in_valid_i,
  output logic                      in_ready_o,
  input  logic [hd_pkg::WARP_W-1:0] in_warp_i,
  input  logic [SlotW-1:0]          in_slot_i,
  input  logic [hd_pkg::OP_W-1:0]                in_kind_i,  // hd_pkg::op_e: load, store, atomic
  input  logic [3:0]                in_fn_i,    // hd_pkg::atomic_e
  input  logic [Lanes-1:0]          in_mask_i,
  input  logic [Lanes*AddrW-1:0]    in_word_i,
  input  logic [Lanes*WordW-1:0]    in_data_i,
  input  logic [Lanes*32-1:0]       in_cmp_i,
  // scoreboard and completion
  output logic                      perf_valid_o,
  input  logic                      perf_ready_i,
  output logic [hd_pkg::WARP_W-1:0] perf_warp_o,
  output logic [SlotW-1:0]          perf_slot_o,
  output logic [CntW-1:0]           perf_lanes_o,
  input  logic                      perf_last_i,
  output logic                      cpl_valid_o,
  output logic [hd_pkg::WARP_W-1:0] cpl_warp_o,
  output logic [SlotW-1:0]          cpl_slot_o,
  output logic                      cpl_last_o,
  output logic [Lanes-1:0]          cpl_mask_o,
  output logic [Lanes*WordW-1:0]    cpl_data_o,
  // observation
  output logic                      ev_access_o,
  output logic                      ev_conflict_o,
  output logic                      idle_o
);
  localparam int unsigned BankW = hd_pkg::idx_w(Banks);
  localparam int unsigned Rows = (Words + Banks - 1) / Banks;
  localparam int unsigned RowW = hd_pkg::idx_w(Rows);
  localparam int unsigned LaneW = hd_pkg::idx_w(Lanes);
  localparam bit          Ghosts = WordW > 32;
  if (Banks < 2 || (Banks & (Banks - 1)) != 0 || Words == 0) begin : g_bad
    $error("hd_lds: Banks must be a power of two, at least 2, and Words at least 1");
  end

  logic                   pass, last, stall, atomic;
  logic                   more_q;     // the access has made a pass; lanes still to do: rem_q
  logic [Lanes-1:0]       rem_q, rem, lead, serve;
  logic [Lanes*BankW-1:0] lane_bank;
  logic [Lanes*RowW-1:0]  lane_row;
  logic [Banks-1:0]       used;       // banks with a lane to serve
  logic [RowW-1:0]        row [0:Banks-1];
  logic [LaneW-1:0]       top [0:Banks-1];  // highest lane served
  logic [Banks*RowW-1:0]  rows;             // row and top, flat
  logic [Banks*LaneW-1:0] tops;

  // What the pass of the last cycle left to do.
  logic                      g_valid_q, g_last_q, g_write_q, g_atomic_q, g_fire;
  logic [3:0]                g_fn_q;
  logic [hd_pkg::WARP_W-1:0] g_warp_q;
  logic [SlotW-1:0]          g_slot_q;
  logic [CntW-1:0]           g_lanes_q;
  logic [Lanes-1:0]          g_mask_q, g_serve_q;
  logic [Lanes*BankW-1:0]    g_bank_q;
  logic [Banks-1:0]          g_used_q, re, we, newer, newer_q;  // see newer_word_q
  logic [Banks*RowW-1:0]     g_row_q;
  logic [Banks*LaneW-1:0]    g_top_q;
  logic [Lanes*WordW-1:0]    g_data_q, old, value;
  logic [Lanes*32-1:0]       g_cmp_q;
  logic [Banks*WordW-1:0]    rdata, wdata, line, newer_word_q;  // written while read

  // ---- pass: which lanes -------------------------------------------------------------------
  assign stall  = perf_valid_o && !perf_ready_i;
  assign pass   = in_valid_i && !stall;
  assign atomic = in_kind_i == hd_pkg::OP_ATOMIC;

  always_comb begin
    rem   = more_q ? rem_q : in_mask_i;
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
        lane_bank[l*BankW +: BankW] = BankW'(in_word_i[l*AddrW +: AddrW]);
        lane_row[l*RowW +: RowW]    = RowW'(in_word_i[l*AddrW +: AddrW] >> BankW);
        if (rem[l] && !used[lane_bank[l*BankW +: BankW]]) begin
          lead[l] = 1'b1;
          used[lane_bank[l*BankW +: BankW]] = 1'b1;
          row[lane_bank[l*BankW +: BankW]] = lane_row[l*RowW +: RowW];
        end
      end
      for (int unsigned l = 0; l < Lanes; l++) begin
        serve[l] = lead[l] || (rem[l] && !atomic
            && row[lane_bank[l*BankW +: BankW]] == lane_row[l*RowW +: RowW]);
        if (serve[l]) top[lane_bank[l*BankW +: BankW]] = LaneW'(l);
      end
      for (int unsigned b = 0; b < Banks; b++) begin
        rows[b*RowW +: RowW]   = row[b];
        tops[b*LaneW +: LaneW] = top[b];
      end
    end
    last = (rem & ~serve) == '0;
  end
  assign in_ready_o = pass && last;

  // ---- the cycle after: new words, results ---------------------------------------------------
  assign g_fire = g_valid_q && !stall;
  assign we     = (g_fire && g_write_q) ? g_used_q : '0;
  assign re     = (Ghosts || in_kind_i != hd_pkg::OP_STORE) ? used : '0;

  hd_sram_banks #(.Width(WordW), .Depth(Rows), .Banks(Banks)) u_words (
    .clk_i(clk_i), .we_i(we), .waddr_i(g_row_q), .wdata_i(wdata), .re_i(re), .raddr_i(rows),
    .rdata_o(rdata)
  );

  always_comb begin
    line = '0;
    if (g_valid_q) begin
      for (int unsigned b = 0; b < Banks; b++) begin
        line[b*WordW +: WordW] = newer_q[b] ? newer_word_q[b*WordW +: WordW]
                                            : rdata[b*WordW +: WordW];
      end
    end
  end
  hd_gather #(.Lanes(Lanes), .LineWords(Banks), .WordW(WordW)) u_gather (
    .en_i(g_valid_q && (Ghosts || !g_write_q || g_atomic_q)), .line_i(line), .offs_i(g_bank_q),
    .words_o(old)
  );

  always_comb begin
    value = '0;
    wdata = '0;
    if (g_valid_q && g_write_q) begin
      value = g_data_q;
      if (g_atomic_q) begin
        for (int unsigned l = 0; l < Lanes; l++) begin
          value[l*WordW +: 32] = hd_pkg::amo(g_fn_q, old[l*WordW +: 32], g_data_q[l*WordW +: 32],
                                             g_cmp_q[l*32 +: 32]);
        end
      end
      for (int unsigned b = 0; b < Banks; b++) begin
        wdata[b*WordW +: WordW] = value[g_top_q[b*LaneW +: LaneW]*WordW +: WordW];
      end
    end
  end

  always_comb begin
    newer = '0;
    if (we != '0) begin
      for (int unsigned b = 0; b < Banks; b++) begin
        newer[b] = we[b] && used[b] && g_row_q[b*RowW +: RowW] == rows[b*RowW +: RowW];
      end
    end
  end

  assign perf_valid_o = g_valid_q && g_last_q;
  assign perf_warp_o  = g_warp_q;
  assign perf_slot_o  = g_slot_q;
  assign perf_lanes_o = g_lanes_q;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      more_q        <= 1'b0;
      g_valid_q     <= 1'b0;
      cpl_valid_o   <= 1'b0;
      ev_access_o   <= 1'b0;
      ev_conflict_o <= 1'b0;
    end else begin
      if (pass) more_q <= !last;
      if (!stall) g_valid_q <= pass;
      cpl_valid_o   <= perf_valid_o && perf_ready_i;
      ev_access_o   <= pass && last;
      ev_conflict_o <= pass && !last;
    end
  end

  always_ff @(posedge clk_i) begin  // payload needs no reset
    if (pass) begin
      rem_q      <= rem & ~serve;
      g_last_q   <= last;
      g_write_q  <= in_kind_i != hd_pkg::OP_LOAD;
      g_atomic_q <= atomic;
      g_serve_q  <= serve;
      g_bank_q   <= lane_bank;
      g_used_q   <= used;
      g_row_q    <= rows;
      g_top_q    <= tops;
      newer_q    <= newer;
      if (newer != '0) newer_word_q <= wdata;
    end
    if (pass && !more_q) begin
      g_warp_q  <= in_warp_i;
      g_slot_q  <= in_slot_i;
      g_fn_q    <= in_fn_i;
      g_mask_q  <= in_mask_i;
      g_lanes_q <= CntW'(hd_pkg::ones(64'(in_mask_i)));
      if (in_kind_i != hd_pkg::OP_LOAD) g_data_q <= in_data_i;
      if (atomic && in_fn_i == hd_pkg::AT_CAS) g_cmp_q <= in_cmp_i;
    end
    if (g_fire && (Ghosts || !g_write_q || g_atomic_q)) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (g_serve_q[l]) cpl_data_o[l*WordW +: WordW] <= old[l*WordW +: WordW];
      end
    end
    if (perf_valid_o && perf_ready_i) begin
      cpl_warp_o <= g_warp_q;
      cpl_slot_o <= g_slot_q;
      cpl_last_o <= perf_last_i;
      cpl_mask_o <= g_mask_q;
    end
  end

  assign idle_o = !in_valid_i && !g_valid_q && !cpl_valid_o && !ev_access_o && !ev_conflict_o;

`ifndef SYNTHESIS
  logic in_range;
  always_comb begin
    in_range = 1'b1;
    for (int unsigned l = 0; l < Lanes; l++) begin
      in_range = in_range && (!in_mask_i[l] || 32'(in_word_i[l*AddrW +: AddrW]) < Words);
    end
  end
`endif
  `HD_ASSERT(a_inside, !in_valid_i || in_range)
  `HD_ASSERT(a_has_lanes, !in_valid_i || in_mask_i != '0)
  `HD_ASSERT(a_kind, !in_valid_i || in_kind_i <= hd_pkg::OP_ATOMIC)
  `HD_ASSERT(a_stays, !more_q || in_valid_i)
endmodule
`default_nettype wire
