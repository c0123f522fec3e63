// hd_copy_queue.sv - copies to the LDS under way: where their words go, and the words once there.
//
//   lo --> L1 (as a load) --perf, cpl--> words --> out --> LDS
//    '---> places in the LDS -------------------'
//
// An OP_COPY is a load to coalescer and L1; what the L1 answers goes to LDS words instead of
// lanes. Each of its line accesses holds an entry until its words leave for the LDS: from the cycle
// on in which the L1 takes it, or is first offered it if the L1 may perform lanes before (DENOVO).
// An L1 with word states serves the lanes of an access in parts, in any order, beside others.
// Room is asked for in front of the L1, so that the L1, which is never made to wait, always finds
// it; it is given back whatever else wants the LDS, as out does not pass the queue in front of L1
// and LDS: that queue may wait for this one, never this one for it.
// in     a line access of a copy; in_body_i {lanes, of each the LDS word, with ghosts the ids of
//        the words to be written, above 32 bits that mean nothing}. It stays until it is taken
//        (maybe the same cycle). The L1 is offered it only with in_room_o: there is room for it, or
//        it has its entry.
// perf   the L1 performs lanes of an access; perf_mine_o (combinational): of a copy. Their words
//        come with cpl_body_i {lanes, words}, the cycle after.
// out    valid/ready, from registers: a copy to the LDS (kind OP_COPY), out_body_o {lanes, of each
//        its LDS word, its data}. An operation is complete when the LDS has performed all of them;
//        in the order in which the last words came, an access a cycle. If they come in cycle T it
//        is offered in T + 2.
// ev_o   registered pulse: words were offered to the LDS.
// idle_o nothing moves while perf_i is not valid and in_i and out_ready_i stay as they are.
// Parameters: Lanes; Entries, line accesses under way; WordW, bits of a word and its ghost; LdsW,
// bits of a word's number in the LDS. A slot (SlotW bits) has the tag above it, if there is room.
`include "hd_assert.svh"
`default_nettype none
module hd_copy_queue #(
  parameter int unsigned Lanes   = 32,
  parameter int unsigned Entries = 16,
  parameter int unsigned WordW   = 32,
  parameter int unsigned LdsW    = 14,
  parameter int unsigned SlotW   = hd_pkg::SLOT_W,
  parameter int unsigned BodyW   = Lanes * (1 + LdsW + WordW)  // derived: leave as is
) (
  input  logic                       clk_i,
  input  logic                       rst_i,

  input  hd_pkg::copy_in_s           in_i,
  output logic                       in_room_o,
  input  logic [BodyW-1:0]           in_body_i,

  input  hd_pkg::copy_perf_s         perf_i,
  output logic                       perf_mine_o,
  input  logic [Lanes*(1+WordW)-1:0] cpl_body_i,

  output logic                       out_valid_o,
  input  logic                       out_ready_i,
  output hd_pkg::access_s            out_acc_o,
  output logic [BodyW-1:0]           out_body_o,

  output logic                       ev_o,
  output logic                       idle_o
);
  localparam int unsigned IdxW = hd_pkg::idx_w(Entries);
  localparam int unsigned CntW = $clog2(Entries + 1);
  localparam int unsigned GhostW = WordW - 32;

  if (Entries == 0) begin : g_bad
    $error("hd_copy_queue: Entries must be at least 1");
  end

  logic [IdxW-1:0]           in_idx, here_idx, out_idx, out_idx_q;
  logic [CntW-1:0]           free_count, here_count;
  logic                      room, take, has_q;  // take an entry; who is offered has one
  logic                      here, whole, out_there, read, out_valid_q;
  logic [Entries-1:0]        load_q, same, of_op;  // in the L1; what came; of its operation
  logic [hd_pkg::WARP_W-1:0] warp_q [0:Entries-1];
  logic [SlotW-1:0]          slot_q [0:Entries-1];
  logic [Lanes-1:0]          left_q [0:Entries-1];  // lanes that are still to come
  logic [hd_pkg::WARP_W-1:0] came_warp_q;
  logic [SlotW-1:0]          came_slot_q;
  logic [Lanes*32-1:0]       words, came_words;
  logic [Lanes-1:0]          in_mask, cpl_mask, out_mask;
  logic [Lanes*LdsW-1:0]     in_word, out_word;
  logic [Lanes*WordW-1:0]    in_data, cpl_data, out_data;

  assign {in_mask, in_word, in_data} = in_body_i;
  assign {cpl_mask, cpl_data}        = cpl_body_i;
  assign out_body_o                  = {out_mask, out_word, out_data};

  hd_freelist #(.N(Entries)) u_free (
    .clk_i(clk_i), .rst_i(rst_i), .valid_o(room), .idx_o(in_idx), .take_i(take),
    .free_i(out_valid_q && out_ready_i), .free_idx_i(out_idx_q), .count_o(free_count)
  );

  assign in_room_o = room || has_q;
  assign take      = in_i.valid && room && !has_q;

  // Two accesses of an operation have no lane in common, so any lanes of an access name it among
  // them. A slot belongs to an operation until it is complete.
  always_comb begin
    of_op = '0;
    same  = '0;
    for (int unsigned e = 0; e < Entries; e++) begin
      of_op[e] = perf_i.valid && load_q[e] && warp_q[e] == perf_i.who.warp
          && slot_q[e][hd_pkg::SLOT_W-1:0] == perf_i.who.slot;
      same[e]  = here && load_q[e] && warp_q[e] == came_warp_q && slot_q[e] == came_slot_q
          && (left_q[e] & cpl_mask) != '0;
    end
    here_idx = '0;
    whole    = 1'b0;
    for (int unsigned e = 0; e < Entries; e++) begin
      if (same[e]) here_idx = here_idx | IdxW'(e);
      if (same[e] && (left_q[e] & ~cpl_mask) == '0) whole = 1'b1;
    end
  end
  assign perf_mine_o = of_op != '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      has_q       <= 1'b0;
      here        <= 1'b0;
      load_q      <= '0;
      out_valid_q <= 1'b0;
    end else begin
      has_q <= (has_q || take) && !in_i.taken;
      here  <= perf_mine_o;
      for (int unsigned e = 0; e < Entries; e++) begin
        if (take && in_idx == IdxW'(e)) load_q[e] <= 1'b1;
        else if (same[e] && whole) load_q[e] <= 1'b0;
      end
      if (read) out_valid_q <= 1'b1;
      else if (out_ready_i) out_valid_q <= 1'b0;
    end
    ev_o <= !rst_i && read;
    // payload needs no reset
    if (take) begin
      warp_q[in_idx] <= in_i.who.warp;
      slot_q[in_idx] <= SlotW'({in_i.who.tag, in_i.who.slot});
    end
    for (int unsigned e = 0; e < Entries; e++) begin
      if (take && in_idx == IdxW'(e)) left_q[e] <= in_mask;
      else if (same[e]) left_q[e] <= left_q[e] & ~cpl_mask;
    end
    if (perf_mine_o) begin
      came_warp_q <= perf_i.who.warp;
      came_slot_q <= SlotW'({perf_i.who.tag, perf_i.who.slot});
    end
    if (read) out_idx_q <= out_idx;
  end

  // Accesses all of whose words are there, in the order in which their last ones came.
  logic there_room;
  hd_fifo #(.Width(IdxW), .Depth(Entries)) u_here (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(whole), .in_ready_o(there_room),
    .in_data_i(here_idx), .out_valid_o(out_there), .out_ready_i(read), .out_data_o(out_idx),
    .count_o(here_count)
  );
  assign read = out_there && (!out_valid_q || out_ready_i);

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    assign came_words[l*32 +: 32] = cpl_data[l*WordW +: 32];
    assign out_data[l*WordW +: 32] = words[l*32 +: 32];
  end
  hd_sram_1r1w #(.Width(Lanes + Lanes * LdsW), .Depth(Entries)) u_places (
    .clk_i(clk_i), .we_i(take), .waddr_i(in_idx), .wmask_i(1'b1), .wdata_i({in_mask, in_word}),
    .re_i(read), .raddr_i(out_idx), .rdata_o({out_mask, out_word})
  );
  hd_sram_1r1w #(.Width(Lanes * 32), .Depth(Entries), .Gran(32)) u_words (
    .clk_i(clk_i), .we_i(here), .waddr_i(here_idx), .wmask_i(cpl_mask), .wdata_i(came_words),
    .re_i(read), .raddr_i(out_idx), .rdata_o(words)
  );
  if (GhostW != 0) begin : g_ghosts
    logic [Lanes*GhostW-1:0] ids, own;
    for (genvar l = 0; l < Lanes; l++) begin : g_lane
      assign ids[l*GhostW +: GhostW] = in_data[l*WordW+32 +: GhostW];
      assign out_data[l*WordW+32 +: GhostW] = own[l*GhostW +: GhostW];
    end
    hd_sram_1r1w #(.Width(Lanes * GhostW), .Depth(Entries)) u_ids (
      .clk_i(clk_i), .we_i(take), .waddr_i(in_idx), .wmask_i(1'b1), .wdata_i(ids),
      .re_i(read), .raddr_i(out_idx), .rdata_o(own)
    );
  end

  always_comb begin
    out_acc_o       = '0;
    out_acc_o.kind  = hd_pkg::OP_COPY;
    out_acc_o.space = hd_pkg::SPACE_LDS;
    out_acc_o.last  = 1'b1;
    out_acc_o.warp  = warp_q[out_idx_q];
    {out_acc_o.tag, out_acc_o.slot} = (hd_pkg::TAG_W + hd_pkg::SLOT_W)'(slot_q[out_idx_q]);
  end
  assign out_valid_o = out_valid_q;
  assign idle_o      = !take && !in_i.taken && !here && !ev_o && !read
                       && !(out_valid_q && out_ready_i);

  logic unused;
  assign unused = ^{free_count, here_count, there_room, in_i, perf_i, in_data, cpl_data};

  `HD_ASSERT(a_room, !in_i.taken || (in_i.valid && in_room_o))
  `HD_ASSERT(a_stays, !has_q || in_i.valid)
  `HD_ASSERT(a_comes_once, !here || $onehot(same))
  `HD_ASSERT(a_room_for_what_came, !whole || there_room)
endmodule
`default_nettype wire
