// hd_pending_request_table.sv - pending requests by warp instruction instead of by line.
//
// Paper 2 section 2.2 (pending request table; an entry per warp memory instruction with a miss) and
// section 5.2. The entry counts the instruction's line requests that have not returned and keeps
// the offset of each lane in its line; a request carries the entry and the lanes that wait for it
// (hd_pkg::head_s tid, lanes), and its answer brings them back with the line. So the table does not
// know which lines are out. Same ports as hd_mshr_table, for hd_l1_mesi and the loads of hd_l1_vi:
// of an access it keeps warp, slot, tag, kind and function, all they ask for; in rp_acc_o the rest
// is 0.
//
// Two requests of one SM for one line would break the coherence protocol: a filter of
// LineFilter bits, indexed by the line number, marks the lines on the way. An access to a marked
// line waits (WHY_LINE), also one that only shares the bit.
//
// lookup   as in hd_mshr_table; lk_hit_o: the line may be on the way, there is no room. push_acc_i
//          names the instruction: its accesses come one after the other, so only the entry made
//          last can be its own. lk_idx_o: that entry, or the one it would take.
// push     as there; every push makes one request.
// read     rd_opid_o; the line is not known: rd_line_o is 0.
// replay   rp_start_i, rp_idx_i, rp_line_i, rp_mask_i: an answer. From the next cycle (stores and
//          atomics: after one cycle with rp_wait_o) rp_valid_o and the rp_* payload show the access
//          until rp_pop_i takes it; rp_last_o is 1. The entry leaves with its last access.
//          rp_stop_i is not allowed.
// Parameters: Entries, ReqCredits (requests out at the most; 0: as many as lanes of all entries),
// StoreData and CasData (accesses with data, with CAS compare), LineFilter (a power of two, at
// least 4), Lanes, LineWords, WordW bits, LineW bits of a line number.
`include "hd_assert.svh"
`default_nettype none
module hd_pending_request_table #(
  parameter int unsigned Entries = 45,
  parameter int unsigned ReqCredits = 0,
  parameter int unsigned StoreData = 128,
  parameter int unsigned CasData = 16,
  parameter int unsigned LineFilter = 2048,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LineWords = 32,
  parameter int unsigned WordW = 32,
  parameter int unsigned SlotW = hd_pkg::SLOT_W,
  parameter int unsigned LineW = 25,
  parameter int unsigned DataW = ((Lanes > LineWords) ? Lanes : LineWords) * WordW,   // derived
  parameter int unsigned PlaceW = hd_pkg::place_w(Lanes, LineWords),                  // derived
  parameter int unsigned CntW = $clog2(Lanes + 1),                                    // derived
  parameter int unsigned IdxW = hd_pkg::idx_w(Entries)                                // derived
) (
  input  logic                     clk_i,
  input  logic                     rst_i,
  // lookup
  input  logic                     lk_valid_i,
  input  logic [LineW-1:0]         lk_line_i,
  input  logic [CntW-1:0]          lk_lanes_i,
  output logic                     lk_hit_o,
  output logic [IdxW-1:0]          lk_idx_o,
  output logic                     lk_room_o,
  output hd_pkg::why_e             lk_why_o,
  // push
  input  logic                     push_i,
  input  hd_pkg::access_s          push_acc_i,
  input  logic [PlaceW-1:0]        push_place_i,
  input  logic [DataW-1:0]         push_data_i,
  input  logic [Lanes*32-1:0]      push_cmp_i,
  // read an entry
  input  logic [IdxW-1:0]          rd_idx_i,
  output logic [LineW-1:0]         rd_line_o,
  output logic [hd_pkg::OPID_W-1:0] rd_opid_o,
  // replay
  input  logic                     rp_start_i,
  input  logic [IdxW-1:0]          rp_idx_i,
  input  logic [LineW-1:0]         rp_line_i,
  input  logic [Lanes-1:0]         rp_mask_i,
  output logic                     rp_wait_o,
  output logic                     rp_valid_o,
  output logic [LineW-1:0]         rp_line_o,
  output logic [IdxW-1:0]          rp_idx_o,
  output hd_pkg::access_s          rp_acc_o,
  output logic [CntW-1:0]          rp_lanes_o,
  output logic [PlaceW-1:0]        rp_place_o,
  output logic [DataW-1:0]         rp_data_o,
  output logic [Lanes*32-1:0]      rp_cmp_o,
  output logic                     rp_last_o,
  input  logic                     rp_pop_i,
  input  logic                     rp_stop_i,
  // state
  output logic                     empty_o,       // no entry in use
  output logic [Entries-1:0]       busy_o,        // entries in use
  output logic                     idle_o
);
  localparam int unsigned Credits = (ReqCredits == 0) ? Entries * Lanes : ReqCredits;
  localparam int unsigned CredW = $clog2(Credits + 1);
  localparam int unsigned StW   = hd_pkg::idx_w(StoreData);
  localparam int unsigned CasW  = hd_pkg::idx_w(CasData);
  localparam int unsigned PtrW  = StW + CasW;
  localparam int unsigned MarkW = (LineFilter < 64) ? LineFilter / 2 : 32;  // marks a row
  localparam int unsigned BitW  = $clog2(MarkW);
  localparam int unsigned Rows  = LineFilter / MarkW;
  localparam int unsigned RowW  = $clog2(Rows);
  localparam int unsigned OffW  = hd_pkg::idx_w(LineWords);
  localparam int unsigned IdW   = hd_pkg::WARP_W + SlotW;
  if (Entries > (1 << hd_pkg::TID_W)) begin : g_bad_entries
    $error("hd_pending_request_table: Entries must fit in a transaction id");
  end
  if (LineFilter < 4 || LineFilter != (MarkW << RowW)) begin : g_bad_filter
    $error("hd_pending_request_table: LineFilter must be a power of two, at least 4");
  end

  // entries
  logic [Entries-1:0] valid_q;
  logic [CntW-1:0]    pend_q [0:Entries-1];   // requests that have not returned
  logic [IdW-1:0]     id_q   [0:Entries-1];   // of the access: warp, slot, tag
  logic [hd_pkg::WHAT_W-1:0] what_q [0:Entries-1];  // of the access: kind and function
  logic               cur_q;                  // the entry made last is still in use
  logic [IdxW-1:0]    cur_idx_q;
  logic [IdW-1:0]     cur_id_q, push_id;      // warp, slot, tag of it and of the access that comes
  logic [CredW-1:0]   out_q;                  // requests out

  // replay
  logic               rp_q, rp_wait_q;
  logic [IdxW-1:0]    rp_idx_q;
  logic [LineW-1:0]   rp_line_q;
  logic [Lanes-1:0]   rp_mask_q;

  logic               has_st, has_cas;
  logic [Lanes-1:0]      push_mask;
  logic [Lanes*OffW-1:0] push_offs, rp_offs;
  logic [LineWords-1:0]  push_wmask, rp_wmask;
  hd_pkg::access_s       rd_acc;
  assign {push_mask, push_offs, push_wmask} = push_place_i;
  assign push_id    = IdW'(push_acc_i >> hd_pkg::DESC_W);
  assign has_st     = push_acc_i.kind != hd_pkg::OP_LOAD;
  assign has_cas    = push_acc_i.kind == hd_pkg::OP_ATOMIC && push_acc_i.fn == hd_pkg::AT_CAS;
  assign rp_place_o = {rp_mask_q, rp_offs, rp_wmask};

  logic               ent_free, st_free, cas_free, same, push_new, push_st, push_cas;
  logic [IdxW-1:0]    ent_idx;
  logic [StW-1:0]     st_idx, rp_st;
  logic [CasW-1:0]    cas_idx, rp_cas;
  logic [CntW-1:0]    pend_push, pend_pop;
  logic               pop_last, rp_has_st, rp_has_cas, st_read;
  logic [$clog2(Entries+1)-1:0]   ent_cnt;
  logic [$clog2(StoreData+1)-1:0] st_cnt;
  logic [$clog2(CasData+1)-1:0]   cas_cnt;

  // ---- lines on the way: the row of the access, in a replay that of the answer ---------------
  logic [31:0]        f_line;
  logic [RowW-1:0]    f_row;
  logic [MarkW-1:0]   f_read, f_marks, f_bit;
  logic [Rows-1:0]    f_valid_q;              // the row has been written since reset
  assign f_line  = rp_q ? 32'(rp_line_q) : 32'(lk_line_i);
  assign f_row   = RowW'(f_line >> BitW);
  assign f_bit   = MarkW'(1) << f_line[BitW-1:0];
  assign f_marks = f_valid_q[f_row] ? f_read : '0;
  hd_regfile #(
    .Width(MarkW),
    .Depth(Rows)
  ) u_filter (
    .clk_i(clk_i),
    .we_i(push_i || rp_pop_i),
    .waddr_i(f_row),
    .wmask_i(1'b1),
    .wdata_i(f_marks ^ f_bit),
    .raddr_i(f_row),
    .rdata_o(f_read)
  );

  // ---- lookup ----------------------------------------------------------------------------------
  assign same      = cur_q && cur_id_q == push_id;
  assign lk_hit_o  = lk_valid_i && (f_marks & f_bit) != '0;
  assign lk_idx_o  = same ? cur_idx_q : ent_idx;
  assign lk_room_o = lk_why_o == hd_pkg::WHY_NONE;
  always_comb begin
    lk_why_o = hd_pkg::WHY_NONE;
    if (lk_hit_o) lk_why_o = hd_pkg::WHY_LINE;
    else if (!same && !ent_free) lk_why_o = hd_pkg::WHY_ENTRY;
    else if (out_q == CredW'(Credits)) lk_why_o = hd_pkg::WHY_CREDIT;
    else if ((has_st && !st_free) || (has_cas && !cas_free)) lk_why_o = hd_pkg::WHY_QUEUE;
  end

  // ---- pools -----------------------------------------------------------------------------------
  assign push_new = push_i && !same;
  assign push_st  = push_i && has_st;
  assign push_cas = push_i && has_cas;
  assign pop_last = rp_pop_i && pend_pop == CntW'(1);
  hd_freelist #(
    .N(Entries)
  ) u_entries (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_o(ent_free),
    .idx_o(ent_idx),
    .take_i(push_new),
    .free_i(pop_last),
    .free_idx_i(rp_idx_q),
    .count_o(ent_cnt)
  );
  hd_freelist #(
    .N(StoreData)
  ) u_stores (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_o(st_free),
    .idx_o(st_idx),
    .take_i(push_st),
    .free_i(rp_pop_i && rp_has_st),
    .free_idx_i(rp_st),
    .count_o(st_cnt)
  );
  hd_freelist #(
    .N(CasData)
  ) u_cas (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .valid_o(cas_free),
    .idx_o(cas_idx),
    .take_i(push_cas),
    .free_i(rp_pop_i && rp_has_cas),
    .free_idx_i(rp_cas),
    .count_o(cas_cnt)
  );

  // ---- what waits: offsets and places of data by entry and lane, data by place -----------------
  logic [Lanes*PtrW-1:0] ptrs;
  logic [PtrW-1:0]       ptr;
  hd_sram_1r1w #(
    .Width(Lanes * OffW),
    .Depth(Entries),
    .Gran(OffW)
  ) u_offsets (
    .clk_i(clk_i),
    .we_i(push_i),
    .waddr_i(lk_idx_o),
    .wmask_i(push_mask),
    .wdata_i(push_offs),
    .re_i(rp_start_i),
    .raddr_i(rp_idx_i),
    .rdata_o(rp_offs)
  );
  hd_sram_1r1w #(
    .Width(Lanes * PtrW),
    .Depth(Entries),
    .Gran(PtrW)
  ) u_places (
    .clk_i(clk_i),
    .we_i(push_st),
    .waddr_i(lk_idx_o),
    .wmask_i(push_mask),
    .wdata_i({Lanes{st_idx, cas_idx}}),
    .re_i(rp_start_i),
    .raddr_i(rp_idx_i),
    .rdata_o(ptrs)
  );
  always_comb begin  // of the lowest lane
    ptr = '0;
    for (int i = Lanes - 1; i >= 0; i--) if (rp_mask_q[i]) ptr = ptrs[i*PtrW +: PtrW];
  end
  assign {rp_st, rp_cas} = ptr;
  hd_sram_1r1w #(
    .Width(LineWords + DataW),
    .Depth(StoreData)
  ) u_store_data (
    .clk_i(clk_i),
    .we_i(push_st),
    .waddr_i(st_idx),
    .wmask_i(1'b1),
    .wdata_i({push_wmask, push_data_i}),
    .re_i(st_read),
    .raddr_i(rp_st),
    .rdata_o({rp_wmask, rp_data_o})
  );
  hd_sram_1r1w #(
    .Width(Lanes * 32),
    .Depth(CasData)
  ) u_cas_data (
    .clk_i(clk_i),
    .we_i(push_cas),
    .waddr_i(cas_idx),
    .wmask_i(1'b1),
    .wdata_i(push_cmp_i),
    .re_i(st_read),
    .raddr_i(rp_cas),
    .rdata_o(rp_cmp_o)
  );

  // ---- replay ----------------------------------------------------------------------------------
  assign rp_acc_o   = hd_pkg::ACCESS_W'({id_q[rp_idx_q], hd_pkg::DESC_W'(what_q[rp_idx_q])});
  assign rp_has_st  = rp_acc_o.kind != hd_pkg::OP_LOAD;
  assign rp_has_cas = rp_acc_o.kind == hd_pkg::OP_ATOMIC && rp_acc_o.fn == hd_pkg::AT_CAS;
  assign rp_wait_o  = rp_q && rp_wait_q && rp_has_st;
  assign rp_valid_o = rp_q && !rp_wait_o;
  assign st_read    = rp_wait_o;
  assign rp_idx_o   = rp_idx_q;
  assign rp_line_o  = rp_line_q;
  assign rp_lanes_o = CntW'(hd_pkg::ones(64'(rp_mask_q)));
  assign rp_last_o  = 1'b1;
  assign rd_line_o  = '0;
  assign rd_acc     = hd_pkg::ACCESS_W'(id_q[rd_idx_i]) << hd_pkg::DESC_W;
  assign rd_opid_o  = hd_pkg::OPID_W'({rd_acc.tag, rd_acc.slot, rd_acc.warp});
  assign pend_pop   = pend_q[rp_idx_q];
  assign pend_push  = same ? pend_q[cur_idx_q] : '0;

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q   <= '0;
      f_valid_q <= '0;
      cur_q     <= 1'b0;
      out_q     <= '0;
      rp_q      <= 1'b0;
      rp_wait_q <= 1'b0;
    end else begin
      if (push_new) valid_q[ent_idx] <= 1'b1;
      if (pop_last) valid_q[rp_idx_q] <= 1'b0;
      if (push_i || rp_pop_i) f_valid_q[f_row] <= 1'b1;
      if (push_new) cur_q <= 1'b1;
      else if (pop_last && rp_idx_q == cur_idx_q) cur_q <= 1'b0;
      if (push_i) out_q <= out_q + CredW'(1);
      else if (rp_pop_i) out_q <= out_q - CredW'(1);
      if (rp_start_i) rp_q <= 1'b1;
      else if (rp_pop_i) rp_q <= 1'b0;
      rp_wait_q <= rp_start_i;
    end
  end

  always_ff @(posedge clk_i) begin  // payload needs no reset
    if (push_new) begin
      cur_idx_q       <= ent_idx;
      cur_id_q        <= push_id;
      id_q[ent_idx]   <= push_id;
      what_q[ent_idx] <= hd_pkg::WHAT_W'(push_acc_i);
    end
    if (push_i) pend_q[lk_idx_o] <= pend_push + CntW'(1);
    else if (rp_pop_i) pend_q[rp_idx_q] <= pend_pop - CntW'(1);
    if (rp_start_i) begin
      rp_idx_q  <= rp_idx_i;
      rp_line_q <= rp_line_i;
      rp_mask_q <= rp_mask_i;
    end
  end

  assign empty_o = valid_q == '0;
  assign busy_o  = valid_q;
  assign idle_o  = !rp_q;

  logic unused;
  assign unused = ^{lk_lanes_i, push_acc_i, rd_acc, ent_cnt, st_cnt, cas_cnt, f_line};

  `HD_ASSERT(a_push_has_room, !push_i || (lk_valid_i && lk_room_o))
  `HD_ASSERT(a_no_push_in_replay, !(push_i && (rp_q || rp_start_i)))
  `HD_ASSERT(a_pop_in_replay, !rp_pop_i || rp_valid_o)
  `HD_ASSERT(a_no_stop, !rp_stop_i)
  `HD_ASSERT(a_start_pending, !rp_start_i || (valid_q[rp_idx_i] && !rp_q))
  `HD_ASSERT(a_answer_to_lanes, !rp_start_i || rp_mask_i != '0)
  `HD_ASSERT(a_line_was_out, !rp_pop_i || (f_marks & f_bit) != '0)
endmodule
`default_nettype wire
