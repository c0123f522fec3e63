// hd_l1_dn_words.sv - words of an L1 of family DENOVO: found, changed, registered, passed on.
//
// docs/protocol_denovo.md. The line decided about (hd_l1_dn_line), which rows are dirty and which
// releases wait for them (hd_dirty_list), which words are being registered and who waits for them,
// here and elsewhere (hd_reg_table). work_i, act_i: what is decided in this cycle.
//
// line    the access in front, what_i: la_line_i, its words that are left la_words_i, warp and slot
//         who_i; word_i is the one to wait for. RSP: rs_head_i, and rd_i, guard_i of hd_l1_dn_data.
//         FWD: fw_head_i, its words that are to be looked for fw_left_i. All combinational to
//         line_o, row_o, says_o {writes, joins, asks, hits} of hd_l1_denovo_table (writes: of a
//         line that is here), held_o {registered, dirty}, found_o, and, with act_i, to_line_o: the
//         line that is sent about.
// scan_i  {row; its valid words go; read-only ones too}: of a walk; else the row is evicted. back_i
//         {line_o is in the writeback buffer, registered words that are evicted find room}. put_o:
//         those of held_o leave to the L2.
// leave   leave_o: as hd_pkg says; mk_who_o {warp, slot}: whose marker is the head; pass_o {words;
//         class, recall, sync, SM of who waits for them}: with work_i.ps.
// served_o words that come registered, and accesses here wait for. waits_o: a forward is kept.
// gen_i {generation, it moves}. st_o {words, line}, st_valid_o: as in hd_l1_denovo.
// Parameters: as in hd_l1_denovo. Latency 0 to read, 1 to write.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_dn_words #(
  parameter int unsigned LineWords = 16,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned Sets = 64,
  parameter int unsigned Ways = 8,
  parameter int unsigned GenW = 10,
  parameter int unsigned RegEntries = 64,
  parameter int unsigned SbWords = 256,
  parameter int unsigned SbRows = 256,
  parameter int unsigned Markers = 48,
  parameter int unsigned OffW = hd_pkg::idx_w(LineWords),                // derived
  parameter int unsigned LineW = hd_pkg::ADDR_W - $clog2(LineWords * 4), // derived
  parameter int unsigned RowW = $clog2(Sets) + $clog2(Ways),             // derived
  parameter int unsigned NextW = hd_pkg::COH_CLS_W + 2 + hd_pkg::NODE_W  // derived
) (
  input  logic                         clk_i,
  input  logic                         rst_i,
  input  hd_pkg::dn_sel_s              work_i,
  input  hd_pkg::dn_do_s               act_i,
  input  logic [GenW:0]                gen_i,
  input  logic [RowW+1:0]              scan_i,
  input  logic [1:0]                   back_i,
  // whose line
  input  hd_pkg::l1_sync_s             what_i,
  input  logic [hd_pkg::WARP_W+SlotW-1:0] who_i,
  input  logic [LineW-1:0]             la_line_i,
  input  logic [LineWords-1:0]         la_words_i,
  input  logic [OffW-1:0]              word_i,
  input  logic [hd_pkg::HEAD_W-1:0]    rs_head_i,
  input  logic [LineW+4+2*LineWords:0] rd_i,
  input  logic [LineWords-1:0]         guard_i,
  input  logic [hd_pkg::HEAD_W-1:0]    fw_head_i,
  input  logic [LineWords-1:0]         fw_left_i,
  // found
  output logic [LineW-1:0]             line_o,
  output logic [RowW-1:0]              row_o,
  output logic [4*LineWords-1:0]       says_o,
  output logic [2*LineWords-1:0]       held_o,
  output hd_pkg::dn_found_s            found_o,
  output logic [LineW-1:0]             to_line_o,
  // leaves
  output hd_pkg::dn_leave_s            leave_o,
  output logic [hd_pkg::WARP_W+SlotW-1:0] mk_who_o,
  output logic                         put_o,
  output logic [LineWords+NextW-1:0]   pass_o,
  output logic [LineWords-1:0]         served_o,
  output logic                         waits_o,
  // observation
  output logic                         st_valid_o,
  output logic [4*LineWords+LineW-1:0] st_o
);
  localparam int unsigned WhoW = 1 + hd_pkg::WARP_W + SlotW;  // a fence: acquires, warp, slot
  localparam int unsigned NumW = $clog2(LineWords + 1);
  localparam int unsigned OutW = $clog2(SbWords + 1);

  hd_pkg::head_s        rs, fw;
  hd_pkg::why_e         why;
  hd_pkg::dirty_list_s  list;
  hd_pkg::reg_do_s      reg_do;
  logic                 is_ack, is_wback, is_fread, is_recall, hit, vict_ok, vict_r, row_ok, wanted;
  logic                 clears, clears_ro, list_room, reg_room, reg_free, pass;
  logic                 mk_acquires;
  logic [LineW-1:0]     st_line;
  logic [RowW-1:0]      wrap_row, fl_row, pass_row;
  logic [LineWords-1:0] d, r, d_new, made, gone, clean, dirty, hits, asks, joins, writes;
  logic [LineWords-1:0] rs_words, put_words, pass_words, next, local_words;
  logic [4*LineWords-1:0] st_words;
  logic [NextW-1:0]     pass_who;
  logic [OutW-1:0]      list_words, out_q;  // out_q: dirty words whose registration is out
  logic [NumW-1:0]      add, sub, fit, out_add;

  assign rs = rs_head_i;
  assign fw = fw_head_i;
  assign is_ack    = rs.kind != hd_pkg::MSG_DATA_S && rs.kind != hd_pkg::MSG_NACK;
  assign rs_words  = rs.wmask.words[LineWords-1:0];
  assign is_wback  = fw.kind == hd_pkg::MSG_WB_ACK;
  assign is_fread  = fw.kind == hd_pkg::MSG_FWD_READ;
  assign is_recall = fw.kind == hd_pkg::MSG_RECALL;
  assign {wrap_row, clears, clears_ro} = scan_i;

  // ---- the line: what it is, what becomes of it ------------------------------------------------
  hd_l1_dn_line #(
    .Sets(Sets),
    .Ways(Ways),
    .LineWords(LineWords),
    .GenW(GenW)
  ) u_state (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .sel_i(work_i),
    .act_i(act_i),
    .gen_i(gen_i[GenW:1]),
    .moves_i(gen_i[0]),
    .walk_i({clears, clears_ro}),
    .room_i(back_i[0]),
    .what_i(what_i),
    .la_line_i(la_line_i),
    .la_words_i(la_words_i),
    .rs_head_i(rs_head_i),
    .rd_i(rd_i[LineW+3+2*LineWords:0]),
    .merge_i(rd_i[LineW+4+2*LineWords]),
    .fw_head_i(fw_head_i),
    .fw_left_i(fw_left_i),
    .fl_row_i(fl_row),
    .wrap_row_i(wrap_row),
    .pass_row_i(pass_row),
    .pass_words_i(pass_words),
    .guard_i(guard_i),
    .next_i(next),
    .local_i(local_words),
    .line_o(line_o),
    .row_o(row_o),
    .hit_o(hit),
    .vict_ok_o(vict_ok),
    .vict_r_o(vict_r),
    .masks_o({d_new, r, d}),
    .hits_o(hits),
    .asks_o(asks),
    .joins_o(joins),
    .writes_o(writes),
    .why_o(why),
    .wanted_o(wanted),
    .row_ok_o(row_ok),
    .to_line_o(to_line_o),
    .st_valid_o(st_valid_o),
    .st_line_o(st_line),
    .st_words_o(st_words)
  );
  `HD_COVER_SETS(g_l1dn_pair, work_i.fl || work_i.ps || (work_i.fw && !is_wback)
                 || (work_i.rs && is_ack) || u_state.data_here
                 || (work_i.wrap && hit && (clears || row_ok))
                 || (work_i.fr && !what_i.fence && !back_i[1]
                     && (!act_i.reject || why != hd_pkg::WHY_NONE)),
                 hd_pkg::dn_rows(hd_pkg::dn_of(u_state.ev, 16'({LineWords{1'b1}}), 16'(d),
                                 16'(u_state.words), 16'(hits) | 16'(asks) | 16'(joins)),
                                 16'(u_state.v), 16'(d), 16'(r), 16'(u_state.ro), 16'(u_state.w)),
                 8, u_state.ev, 12)
  assign put_o  = act_i.evict || (work_i.wrap && !clears && hit && row_ok && r != '0);
  assign says_o = {hit ? writes : {LineWords{1'b0}}, joins, asks, hits};
  assign held_o = {r, d};
  assign st_o   = {st_words, st_line};

  // ---- dirty rows and releases -----------------------------------------------------------------
  assign made  = d_new & ~d;
  assign gone  = d & ~d_new;
  assign clean = la_words_i & ~(d | r);
  assign dirty = asks & d;
  // Apart from what follows a decision, which looks at it: in one block both form a circle.
  always_comb begin
    fit = '0;
    if (work_i.fr) fit = NumW'(hd_pkg::ones(64'(clean)));
  end
  always_comb begin
    add     = '0;
    sub     = '0;
    out_add = '0;
    if (act_i.hit && (what_i.store || what_i.atomic)) add = NumW'(hd_pkg::ones(64'(made)));
    if (work_i.rs && is_ack) sub = NumW'(hd_pkg::ones(64'(gone)));
    if (work_i.fl || act_i.ask) out_add = NumW'(hd_pkg::ones(64'(dirty)));
  end
  hd_dirty_list #(
    .Rows(Sets * Ways),
    .SbWords(SbWords),
    .SbRows(SbRows),
    .Markers(Markers),
    .WhoW(WhoW),
    .LineWords(LineWords)
  ) u_dirty (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .do_i({|add, act_i.marker, work_i.fl || work_i.mk}),
    .row_i(row_o),
    .add_i(add),
    .sub_i(sub),
    .who_i({what_i.acquire, who_i}),
    .fit_i(fit),
    .room_o(list_room),
    .list_o(list),
    .head_row_o(fl_row),
    .head_who_o({mk_acquires, mk_who_o}),
    .words_o(list_words)
  );
  always_ff @(posedge clk_i) begin
    if (rst_i) out_q <= '0;
    else out_q <= out_q + OutW'(out_add) - OutW'(sub);
  end

  // ---- registrations, who waits for them here and elsewhere ------------------------------------
  assign waits_o = work_i.fw && !is_wback && !is_fread && joins != '0;
  always_comb begin
    put_words = rs_words;
    if (work_i.fr) put_words = LineWords'(1) << word_i;
    else if (work_i.fw) put_words = joins;
    else if (work_i.ps) put_words = pass_words;
  end
  always_comb begin
    reg_do.ask    = act_i.ask || (work_i.fl && (|asks));
    reg_do.stay   = act_i.wait_reg;
    reg_do.follow = waits_o;
    reg_do.ack    = work_i.rs && is_ack;
    reg_do.pass   = work_i.ps;
    reg_do.last   = (reg_do.pass || reg_do.ack) && !wanted;
  end
  hd_reg_table #(
    .Entries(RegEntries),
    .LineWords(LineWords),
    .RowW(RowW),
    .WhoW(NextW)
  ) u_regs (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .row_i(row_o),
    .room_o(reg_room),
    .free_o(reg_free),
    .next_o(next),
    .local_o(local_words),
    .words_i(put_words),
    .do_i(reg_do),
    .who_i({fw.wmask.words[hd_pkg::COH_CLS +: hd_pkg::COH_CLS_W], is_recall,
            fw.wmask.words[hd_pkg::COH_SYNC], fw.wmask.words[hd_pkg::COH_REQ +: hd_pkg::NODE_W]}),
    .pass_o(pass),
    .pass_row_o(pass_row),
    .pass_words_o(pass_words),
    .pass_who_o(pass_who)
  );
  assign served_o = (work_i.rs && is_ack) ? local_words & rs_words : '0;
  assign pass_o   = {pass_words, pass_who};
  assign leave_o  = {list.valid, list.marker, mk_acquires, list.marked, list.full, out_q == '0,
                     reg_free, pass};
  assign found_o  = {hit, vict_ok, vict_r, row_ok, |dirty, list_room, reg_room, why};

  logic unused;
  assign unused = ^{back_i, work_i, act_i, what_i, rs, fw, list_words};
endmodule
`default_nettype wire
