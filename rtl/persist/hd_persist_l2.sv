// hd_persist_l2.sv - persist barriers at an L2 bank: its NVW-FIFO and its persist epochs.
//
// req    the request in front of the bank: req_ok_o: the bank may work on it. Not on a marker
//        (mark_o: taken here), not on a write to non-volatile memory while the FIFO is full, not on
//        one of the line that a pop waits for. taken_i: the bank accepted it. There is an entry for
//        it from then on, unless noted_i: its line is there, dirty, under no transaction, so an
//        older entry stands in front of all later markers.
// pop    pop_valid_o: line pop_num_o is to be cleaned. The bank says in the cycle of its lookup
//        (pop_i) whether the line is locked_i, under transaction: then the pop is offered again
//        when a transaction has ended (ended_i). Else the entry goes: the line has been written to
//        memory if it was there and dirty.
//        With Persist 2, the buffered alternative, each row carries a persist epoch (see
//        hd_persist_tags). row_i, hit_i, of the lookup of this cycle: hold_o: the request may not
//        be worked on: its line has words in front of a marker that it would join, or the line in
//        its way words behind one; leave_o: the line of the row may be written to memory. new_i:
//        the row gets another line. A marker leaves the FIFO, and the next epoch may be written,
//        when all writes before it are durable; only one of kernel scope is answered.
// back   back_i: a line is written to memory at back_addr_i, whatever the cause; epoch_o is its tid
//        if it is non-volatile memory, back_nv_o. mack: such a write is durable.
// pack   valid/ready: all writes in front of the marker pack_id_o of pack_to_o are durable.
// ev_o   registered pulses, those from EV_L2_NVW_PUSH on.
// idle_o nothing is to be cleaned or answered, no pulse out. Entries that wait for a marker do not
//        count.
// Paper 4 section 6.1. nv_base_i, constant: byte address where non-volatile memory begins, 0: none.
// Parameters: Persist 0: nothing of all this, 1, 2: above. Depth of the FIFO, Epochs, NumW bits of
// a line number, Rows of the bank (Persist 2).
`include "hd_assert.svh"
`default_nettype none
module hd_persist_l2 #(
  parameter int unsigned Persist = 1,
  parameter int unsigned Depth   = 64,
  parameter int unsigned Epochs  = 8,
  parameter int unsigned NumW    = 26,
  parameter int unsigned Rows    = 2,
  parameter int unsigned RowW    = hd_pkg::idx_w(Rows)  // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [31:0]               nv_base_i,
  input  logic                      req_valid_i,
  input  logic [hd_pkg::HEAD_W-1:0] req_head_i,
  output logic                      req_ok_o,
  output logic                      mark_o,
  input  logic                      taken_i,
  input  logic                      noted_i,
  input  logic [RowW-1:0]           row_i,
  input  logic                      hit_i,
  input  logic                      new_i,
  output logic                      hold_o,
  output logic                      leave_o,
  output logic                      pop_valid_o,
  output logic [NumW-1:0]           pop_num_o,
  input  logic                      pop_i,
  input  logic                      locked_i,
  input  logic                      ended_i,
  input  logic                      back_i,
  input  logic [hd_pkg::ADDR_W-1:0] back_addr_i,
  output logic [hd_pkg::TID_W-1:0]  epoch_o,
  output logic                      back_nv_o,
  input  logic                      mack_valid_i,
  input  logic [hd_pkg::TID_W-1:0]  mack_tid_i,
  output logic                      pack_valid_o,
  input  logic                      pack_ready_i,
  output logic [hd_pkg::NODE_W-1:0] pack_to_o,
  output logic [hd_pkg::OPID_W-1:0] pack_id_o,
  output logic [hd_pkg::EV_L2_NUM-1:0] ev_o,
  output logic                      idle_o
);
  hd_pkg::head_s rq;
  hd_pkg::role_s role;
  assign rq   = req_head_i;
  assign role = hd_pkg::l2_role(rq.kind);
  if (Persist != 0) begin : g_persist
    localparam int unsigned EpW    = $clog2(Epochs);
    localparam int unsigned MarkW  = hd_pkg::NODE_W + hd_pkg::OPID_W;
    localparam int unsigned EntryW = (NumW > MarkW) ? NumW : MarkW;
    localparam int unsigned CntW   = 12;  // writes under way: less than 4096
    logic              is_mark, writes, nv_req, nv_back, room, note, want, head_mark, leaves;
    logic              close_ready, fifo_idle, epochs_idle, held_q, pop_locked, more, noted;
    logic              no_epoch, waits;
    logic [hd_pkg::NVW_EV_L2_NUM-1:0] ev_q;
    logic [NumW-1:0]   rq_num;
    logic [EntryW-1:0] entry, in_entry;
    logic [EpW-1:0]    epoch;
    logic [MarkW-1:0]  mark, pack;

    assign back_nv_o = nv_back;
    assign rq_num   = rq.addr[hd_pkg::ADDR_W-1 -: NumW];
    assign is_mark  = rq.kind == hd_pkg::MSG_PMARK;
    assign nv_req   = nv_base_i != '0 && rq.addr >= nv_base_i;
    assign nv_back  = nv_base_i != '0 && back_addr_i >= nv_base_i;
    assign writes   = nv_req && role.role != hd_pkg::ROLE_READ;
    assign req_ok_o = !is_mark && (room || !writes) && !(held_q && rq_num == pop_num_o);
    assign mark_o   = req_valid_i && is_mark && room && more;
    assign note     = taken_i && writes && !noted;
    assign mark     = {rq.route.src, rq.opid};
    assign in_entry = is_mark ? EntryW'(mark) : EntryW'(rq_num);
    // A marker at the head leaves by itself, a line with its lookup.
    assign leaves   = head_mark ? close_ready : pop_i && !locked_i;
    hd_nvw_fifo #(
      .Depth(Depth),
      .EntryW(EntryW)
    ) u_fifo (
      .clk_i(clk_i),
      .rst_i(rst_i),
      .push_i(note || mark_o),
      .push_ready_o(room),
      .push_mark_i(is_mark),
      .push_entry_i(in_entry),
      .pop_o(want),
      .pop_ready_i(leaves),
      .pop_mark_o(head_mark),
      .pop_entry_o(entry),
      .idle_o(fifo_idle)
    );
    if (Persist == 2) begin : g_buffered
      logic [CntW-1:0] out_q;  // writes not durable
      logic            tracked, put_ok, also_leave, one, done, pop_here;
      // Nothing is written in the cycle of an answer; a write of the cycle counts in the old epoch.
      assign done         = want && head_mark && out_q == '0;
      assign pack_valid_o = done && entry[7:6] == 2'd2;
      assign close_ready  = done && (pack_valid_o ? pack_ready_i : !(back_i && nv_back));
      assign pack         = entry[MarkW-1:0];
      assign noted        = hit_i && tracked;
      assign hold_o       = hit_i ? writes && !put_ok : !leave_o;
      assign pop_here     = pop_i && !locked_i && hit_i && leave_o;
      assign epochs_idle  = 1'b1;
      assign no_epoch     = req_valid_i && is_mark && !more;
      assign waits        = want && head_mark && !done;
      hd_persist_tags #(
        .Rows(Rows),
        .Epochs(Epochs)
      ) u_tags (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .row_i(row_i),
        .also_i(row_i),
        .do_i({taken_i && writes, back_i || new_i || pop_here, mark_o,
               want && head_mark && close_ready}),
        .row_o({tracked, put_ok, leave_o}),
        .also_leave_o(also_leave),
        .more_o(more),
        .one_o(one),
        .oldest_o(epoch)
      );
      always_ff @(posedge clk_i) begin
        if (rst_i) out_q <= '0;
        else if ((back_i && nv_back) != mack_valid_i) begin
          out_q <= mack_valid_i ? out_q - 1'b1 : out_q + 1'b1;
        end
      end
      logic unused_tags;
      assign unused_tags = ^{also_leave, one, noted_i};
      `HD_ASSERT(a_one_epoch_a_row, !(taken_i && writes && hit_i) || put_ok)
      `HD_ASSERT(a_answer_alone, !pack_ready_i || !(back_i && nv_back))
      `HD_ASSERT(a_write_is_out, !mack_valid_i || out_q != '0)
      `HD_ASSERT(a_leaves_in_its_epoch, !(back_i && nv_back) || leave_o)
    end else begin : g_fifo
      assign hold_o  = 1'b0;
      assign leave_o = 1'b1;
      assign more    = 1'b1;
      assign noted   = noted_i;
      assign no_epoch = want && head_mark && !close_ready;
      assign waits   = !epochs_idle;
      hd_persist_epochs #(
        .Epochs(Epochs),
        .CntW(CntW),
        .MarkW(MarkW)
      ) u_epochs (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .sent_i(back_i && nv_back),
        .epoch_o(epoch),
        .mack_valid_i(mack_valid_i),
        .mack_tid_i(mack_tid_i[EpW-1:0]),
        .close_valid_i(want && head_mark),
        .close_ready_o(close_ready),
        .close_mark_i(entry[MarkW-1:0]),
        .pack_valid_o(pack_valid_o),
        .pack_ready_i(pack_ready_i),
        .pack_mark_o(pack),
        .idle_o(epochs_idle)
      );
    end
    assign {pack_to_o, pack_id_o} = pack;
    assign pop_valid_o = want && !head_mark && !held_q;
    assign pop_num_o   = entry[NumW-1:0];
    assign pop_locked  = pop_i && locked_i;
    assign epoch_o     = nv_back ? hd_pkg::TID_W'(epoch) : '0;
    assign idle_o      = fifo_idle && epochs_idle && ev_q == '0;
    assign ev_o        = hd_pkg::EV_L2_NUM'(ev_q) << hd_pkg::EV_L2_NVW_PUSH;
    always_ff @(posedge clk_i) begin
      if (rst_i || ended_i) held_q <= 1'b0;
      else if (pop_locked) held_q <= 1'b1;
      // in the order of their numbers, the last one first
      ev_q <= rst_i ? '0 : {waits, no_epoch, want, req_valid_i && (is_mark || writes) && !room,
                            pop_i && !locked_i && !back_i, pop_i && !locked_i && back_i, note};
    end
    logic unused;
    assign unused = ^{rq, role, entry, mack_tid_i, row_i, hit_i, new_i};
    `HD_ASSERT(a_pop_is_wanted, !pop_i || pop_valid_o)
    `HD_ASSERT(a_entry_fits, !note || room)
  end else begin : g_none
    assign req_ok_o     = 1'b1;
    assign hold_o       = 1'b0;
    assign leave_o      = 1'b1;
    assign mark_o       = 1'b0;
    assign pop_valid_o  = 1'b0;
    assign pop_num_o    = '0;
    assign epoch_o      = '0;
    assign back_nv_o    = 1'b0;
    assign pack_valid_o = 1'b0;
    assign pack_to_o    = '0;
    assign pack_id_o    = '0;
    assign ev_o         = '0;
    assign idle_o       = 1'b1;
    logic unused;
    assign unused = ^{clk_i, rst_i, nv_base_i, req_valid_i, rq, role, taken_i, noted_i, pop_i,
                      row_i, hit_i, new_i,
                      locked_i, ended_i, back_i, back_addr_i, mack_valid_i, mack_tid_i,
                      pack_ready_i};
  end
endmodule
`default_nettype wire
