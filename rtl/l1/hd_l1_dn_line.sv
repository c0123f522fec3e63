// hd_l1_dn_line.sv - the line an L1 of family DENOVO decides about: its words and what they become.
//
// docs/protocol_denovo.md. Words of lines are in hd_l1_words, what an event makes of them is
// hd_l1_denovo_table. Combinational, but the rows and st_*: sel_i says whose line is looked up, the
// same cycle's act_i, which may depend on what is found, what is written at the edge.
//
// line    the access in front: la_line_i, its words that are left la_words_i, what_i it is. RSP:
//         rs_head_i, of an answer to a READ with what hd_l1_dn_reads knows, rd_i {line, old, read
//         only, others wait, last, skipped words, needed words}; merge_i: its last words wait for
//         the cycle after. FWD: fw_head_i, its words that are to be looked for fw_left_i. Else
//         rows: fl_row_i a flush, wrap_row_i a walk, pass_row_i words pass_words_i that leave.
// found   line_o, row_o; hit_o: the line is here; else vict_ok_o: its row may be taken, vict_r_o:
//         after its registered words are written back. masks_o {dirty afterwards, registered,
//         dirty}, of the victim if it is that which leaves. hits_o asks_o joins_o writes_o why_o of
//         the table, with guard_i (hd_l1_dn_reads), next_i, local_i (hd_reg_table).
// written what act_i or the message says, line to_line_o. walk_i {a kernel begins: valid words go;
//         read-only words too}: else a walk evicts the row, row_ok_o: it may go, no word of it is
//         dirty or wanted and registered ones find room_i. wanted_o: words are wanted afterwards.
// gen_i, moves_i: the generation, and that it moves. st_*: as in hd_l1_denovo.
// Parameters: Sets, Ways (powers of two, at least 2), LineWords, GenW. Latency 0 to read, 1 to
// write.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_dn_line #(
  parameter int unsigned Sets = 64,
  parameter int unsigned Ways = 8,
  parameter int unsigned LineWords = 16,
  parameter int unsigned GenW = 10,
  parameter int unsigned LineW = hd_pkg::ADDR_W - $clog2(LineWords * 4),  // derived
  parameter int unsigned RowW = $clog2(Sets) + $clog2(Ways),              // derived
  parameter int unsigned RdW = LineW + 4 + 2 * LineWords                  // derived
) (
  input  logic                   clk_i,
  input  logic                   rst_i,
  input  hd_pkg::dn_sel_s        sel_i,
  input  hd_pkg::dn_do_s         act_i,
  input  logic [GenW-1:0]        gen_i,
  input  logic                   moves_i,
  input  logic [1:0]             walk_i,
  input  logic                   room_i,
  // whose line
  input  hd_pkg::l1_sync_s       what_i,
  input  logic [LineW-1:0]       la_line_i,
  input  logic [LineWords-1:0]   la_words_i,
  input  logic [hd_pkg::HEAD_W-1:0] rs_head_i,
  input  logic [RdW-1:0]         rd_i,
  input  logic                   merge_i,
  input  logic [hd_pkg::HEAD_W-1:0] fw_head_i,
  input  logic [LineWords-1:0]   fw_left_i,
  input  logic [RowW-1:0]        fl_row_i,
  input  logic [RowW-1:0]        wrap_row_i,
  input  logic [RowW-1:0]        pass_row_i,
  input  logic [LineWords-1:0]   pass_words_i,
  // what tables know of it
  input  logic [LineWords-1:0]   guard_i,
  input  logic [LineWords-1:0]   next_i,
  input  logic [LineWords-1:0]   local_i,
  // found
  output logic [LineW-1:0]       line_o,
  output logic [RowW-1:0]        row_o,
  output logic                   hit_o,
  output logic                   vict_ok_o,
  output logic                   vict_r_o,
  output logic [3*LineWords-1:0] masks_o,
  output logic [LineWords-1:0]   hits_o,
  output logic [LineWords-1:0]   asks_o,
  output logic [LineWords-1:0]   joins_o,
  output logic [LineWords-1:0]   writes_o,
  output hd_pkg::why_e           why_o,
  // written
  output logic                   wanted_o,
  output logic                   row_ok_o,
  output logic [LineW-1:0]       to_line_o,
  output logic                   st_valid_o,
  output logic [LineW-1:0]       st_line_o,
  output logic [4*LineWords-1:0] st_words_o
);
  localparam int unsigned SetW = $clog2(Sets);
  localparam int unsigned WayW = $clog2(Ways);
  localparam int unsigned TagW = LineW - SetW;

  hd_pkg::dn_event_e    ev;
  hd_pkg::head_s        rs, fw;
  logic                 is_data, is_ack, is_fread, look, known, evicts, clears, clears_ro;
  logic                 write_row, update, data_here, pin_we, pin, bad;
  logic                 rd_old, rd_ro, rd_more, rd_last;
  logic [LineW-1:0]     rd_line, own_line, vict_line;
  logic [RowW-1:0]      known_row;
  logic [SetW-1:0]      set;
  logic [WayW-1:0]      way, hit_way, vict_way;
  logic [TagW-1:0]      tag, vict_tag;
  logic [LineWords-1:0] v, d, r, ro, w, v_new, d_new, r_new, ro_new, w_new, words, look_ro, vict_r;
  logic [LineWords-1:0] rd_need, rd_skip;
  logic [hd_pkg::WORDS_DENOVO*LineWords-1:0] state, look_state, vict_state;

  assign rs       = rs_head_i;
  assign fw       = fw_head_i;
  assign is_data  = rs.kind == hd_pkg::MSG_DATA_S;
  assign is_ack   = !is_data && rs.kind != hd_pkg::MSG_NACK;
  assign is_fread = fw.kind == hd_pkg::MSG_FWD_READ;
  assign {rd_line, rd_old, rd_ro, rd_more, rd_last, rd_skip, rd_need} = rd_i;
  assign {clears, clears_ro} = walk_i;

  // ---- the line and its words ------------------------------------------------------------------
  assign known = sel_i.fl || sel_i.wrap || sel_i.ps;  // the row is named
  assign look  = sel_i.fr || sel_i.rs || sel_i.fw || known;
  always_comb begin
    line_o = la_line_i;
    if (sel_i.rs) line_o = is_ack ? rs.addr[hd_pkg::ADDR_W-1 -: LineW] : rd_line;
    else if (sel_i.fw) line_o = fw.addr[hd_pkg::ADDR_W-1 -: LineW];
    known_row = wrap_row_i;
    if (sel_i.fl) known_row = fl_row_i;
    else if (sel_i.ps) known_row = pass_row_i;
  end
  assign evicts    = sel_i.fr && !what_i.fence && !hit_o && vict_ok_o && vict_r != '0;
  assign state     = evicts ? vict_state : look_state;
  assign {w, ro, r, d, v} = state;
  assign way       = hit_o ? hit_way : vict_way;
  assign row_o     = {set, way};
  assign set       = known ? known_row[RowW-1 -: SetW] : line_o[SetW-1:0];
  assign own_line  = {tag, set};
  assign vict_line = {vict_tag, line_o[SetW-1:0]};
  assign look_ro   = look_state[hd_pkg::WORDS_RO*LineWords +: LineWords];
  assign vict_r    = vict_state[hd_pkg::WORDS_R*LineWords +: LineWords];
  assign vict_r_o  = |vict_r;
  assign masks_o   = {d_new, r, d};
  hd_l1_words #(
    .Sets(Sets),
    .Ways(Ways),
    .TagW(TagW),
    .LineWords(LineWords),
    .GenW(GenW),
    .Masks(hd_pkg::WORDS_DENOVO),
    .KeepDirty(1)
  ) u_words (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .gen_i(gen_i),
    .valid_i(look),
    .set_i(set),
    .tag_i(line_o[LineW-1:SetW]),
    .known_i(known),
    .way_i(known_row[WayW-1:0]),
    .hit_o(hit_o),
    .way_o(hit_way),
    .tag_o(tag),
    .masks_o(look_state),
    .vict_ok_o(vict_ok_o),
    .vict_way_o(vict_way),
    .vict_tag_o(vict_tag),
    .vict_masks_o(vict_state),
    .we_i(write_row),
    .we_way_i(way),
    .we_holds_i(!(act_i.evict || (sel_i.wrap && !clears))),
    .we_tag_i(hit_o ? tag : line_o[LineW-1:SetW]),
    .we_masks_i({w_new, clears && !clears_ro ? look_ro : ro_new, r_new, d_new, v_new}),
    .touch_i(sel_i.fr && act_i.part),
    .pin_we_i(pin_we),
    .pin_i(pin),
    .unpin_all_i(moves_i)
  );

  // ---- what becomes of it ----------------------------------------------------------------------
  always_comb begin
    ev    = what_i.load ? hd_pkg::DEV_LOAD : hd_pkg::DEV_STORE;
    words = la_words_i;
    if (sel_i.fl) ev = hd_pkg::DEV_FLUSH;
    else if (sel_i.wrap) ev = clears ? hd_pkg::DEV_BEGIN : hd_pkg::DEV_EVICT;
    else if (sel_i.ps) ev = hd_pkg::DEV_PASS;
    else if (sel_i.rs) ev = is_ack ? hd_pkg::DEV_ACK : hd_pkg::DEV_FILL;
    else if (sel_i.fw) ev = is_fread ? hd_pkg::DEV_FWD_READ : hd_pkg::DEV_FWD_REG;
    else if (evicts) ev = hd_pkg::DEV_EVICT;
    else if (what_i.sync) ev = hd_pkg::DEV_SYNC;
    else if (what_i.atomic) ev = hd_pkg::DEV_LOCAL;
    if (sel_i.rs) words = rs.wmask.words[LineWords-1:0];
    else if (sel_i.fw) words = fw_left_i;
    else if (sel_i.ps) words = pass_words_i;
  end
  hd_l1_denovo_table #(
    .LineWords(LineWords)
  ) u_table (
    .ev_i(ev),
    .words_i(words),
    .state_i(state),
    .guard_i(guard_i),
    .sync_i(local_i),
    .read_i({rd_old, rd_ro, rd_skip, rd_need}),
    .data_i(rs.kind == hd_pkg::MSG_REG_DATA),
    .next_i(next_i),
    .state_o({w_new, ro_new, r_new, d_new, v_new}),
    .says_o({writes_o, joins_o, asks_o, hits_o}),
    .why_o(why_o),
    .bad_o(bad)
  );
  assign data_here = sel_i.rs && is_data && hit_o && !merge_i;
  assign update    = (sel_i.fr && ((act_i.hit && !what_i.load && !(what_i.sync && what_i.load))
                                   || act_i.read || act_i.ask || act_i.evict))
                     || (data_here && writes_o != '0) || (sel_i.rs && is_ack) || sel_i.ps
                     || (sel_i.fw && hits_o != '0 && !is_fread) || (sel_i.fl && asks_o != '0)
                     || (sel_i.wrap && hit_o && (clears || row_ok_o));
  assign write_row = update && (hit_o || sel_i.fr);
  assign row_ok_o  = w == '0 && d == '0 && (r == '0 || room_i);
  assign pin_we    = act_i.read || (data_here && rd_last && !rd_old);
  assign pin       = act_i.read || rd_more;
  assign wanted_o  = |w_new;
  assign to_line_o = act_i.evict ? vict_line : known ? own_line : line_o;

  // ---- observation -----------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (rst_i) st_valid_o <= 1'b0;
    else st_valid_o <= write_row && !clears;
    if (write_row) begin
      st_line_o  <= to_line_o;
      st_words_o <= {ro_new, r_new, d_new, v_new};
    end
  end

  logic unused;
  assign unused = ^{rs, fw, sel_i, act_i, what_i};

  `HD_ASSERT(a_one, $onehot0(sel_i))
  `HD_ASSERT(a_answer, !sel_i.rs || is_data || rs.kind == hd_pkg::MSG_NACK
             || rs.kind == hd_pkg::MSG_REG_DATA || rs.kind == hd_pkg::MSG_REG_ACK)
  `HD_ASSERT(a_words_expected, !(sel_i.rs && is_ack) || (!bad && hit_o))
  `HD_ASSERT(a_forward_finds, !(sel_i.fw && fw.kind != hd_pkg::MSG_WB_ACK) || !bad)
  `HD_ASSERT(a_pass_legal, !sel_i.ps || (!bad && hit_o))
  `HD_ASSERT(a_victim_free, !act_i.evict || !bad)
  `HD_ASSERT(a_word_in_one_state, (v & d) == '0 && (v & r) == '0 && (d & r) == '0
             && (ro & (v | d | r)) == '0)
  `HD_ASSERT(a_registered_or_wanted_once, !(sel_i.fr && act_i.ask)
             || (asks_o & (w | r)) == '0)
endmodule
`default_nettype wire
