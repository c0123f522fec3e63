// hd_l1_dn_front.sv - what becomes of a step of the access of the memory pipe at an L1 of DENOVO.
//
// Combinational; with sel_i. An access goes in steps: each serves some of its lanes, lets them wait
// for one READ or one registered word, or makes room; the last one takes it. what_i: what the
// access is. hit_any_i, ask_any_i, join_any_i, why_i: answers of hd_l1_denovo_table about the lanes
// left. writing_back_i: the line is in
// the writeback buffer. here_i: it has a row; way_i: there is a victim, vict_r_i: which
// holds registered words. Rooms: evict_ok_i, req_room_i,
// list_room_i, reg_room_i of hd_reg_table; wait_*: READs (read_join_i one to join, read_room_i a
// new one, read_why_i) and registrations (sync_why_i). dirty_i: a word to be asked for is dirty
// and flush_can_i is low while a marker is the head of the dirty list.
// do_o, and why_o: why it waits in front.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_dn_front (
  input  logic             sel_i,
  input  hd_pkg::l1_sync_s what_i,
  input  logic             hit_any_i,
  input  logic             ask_any_i,
  input  logic             join_any_i,
  input  hd_pkg::why_e     why_i,
  input  logic             writing_back_i,
  input  logic             here_i,
  input  logic             way_i,
  input  logic             vict_r_i,
  input  logic             evict_ok_i,
  input  logic             req_room_i,
  input  logic             list_room_i,
  input  logic             reg_room_i,
  input  logic             read_join_i,
  input  logic             read_room_i,
  input  hd_pkg::why_e     read_why_i,
  input  hd_pkg::why_e     sync_why_i,
  input  logic             dirty_i,
  input  logic             flush_can_i,
  output hd_pkg::dn_do_s   do_o,
  output hd_pkg::why_e     why_o
);
  logic accept, hit, merge, read, fetch, wait_reg, ask, evict, step;

  always_comb begin
    accept   = 1'b0;
    hit      = 1'b0;
    merge     = 1'b0;
    read     = 1'b0;
    fetch    = 1'b0;
    wait_reg = 1'b0;
    ask      = 1'b0;
    evict    = 1'b0;
    why_o    = hd_pkg::WHY_NONE;
    if (sel_i) begin
      if (what_i.fence) begin
        accept = 1'b1;
      end else if (writing_back_i) begin
        why_o = hd_pkg::WHY_WRITEBACK;
      end else if (why_i != hd_pkg::WHY_NONE) begin
        why_o = why_i;
      end else if (!here_i && !way_i) begin
        why_o = hd_pkg::WHY_LIST;  // its set is full of words in use: the dirty ones are registered
      end else if (!here_i && vict_r_i) begin
        evict = evict_ok_i;
        if (!evict) why_o = hd_pkg::WHY_QUEUE;
      end else if (hit_any_i) begin
        hit = what_i.load || what_i.sync || list_room_i;
        if (!hit) why_o = hd_pkg::WHY_LIST;
      end else if (what_i.sync) begin
        if (join_any_i) begin
          wait_reg = sync_why_i == hd_pkg::WHY_NONE;
          why_o    = sync_why_i;
        end else if (dirty_i && !flush_can_i) begin
          why_o = hd_pkg::WHY_LIST;
        end else begin
          ask      = sync_why_i == hd_pkg::WHY_NONE && req_room_i && reg_room_i;
          wait_reg = ask;
          if (sync_why_i != hd_pkg::WHY_NONE) why_o = sync_why_i;
          else if (!ask) why_o = req_room_i ? hd_pkg::WHY_ENTRY : hd_pkg::WHY_QUEUE;
        end
      end else if (what_i.load && read_join_i) begin
        merge  = read_why_i == hd_pkg::WHY_NONE;
        why_o = read_why_i;
      end else if (ask_any_i) begin
        read  = read_why_i == hd_pkg::WHY_NONE && read_room_i && req_room_i;
        fetch = read && what_i.atomic;
        if (!read_room_i) why_o = hd_pkg::WHY_ENTRY;
        else if (read_why_i != hd_pkg::WHY_NONE) why_o = read_why_i;
        else if (!read) why_o = hd_pkg::WHY_QUEUE;
      end
    end
    step = hit || merge || wait_reg || (read && !fetch);
  end
  assign do_o.accept   = accept;
  assign do_o.part     = step;
  assign do_o.hit      = hit;
  assign do_o.merge     = merge;
  assign do_o.read     = read;
  assign do_o.fetch    = fetch;
  assign do_o.wait_reg = wait_reg;
  assign do_o.ask      = ask;
  assign do_o.evict    = evict;
  assign do_o.marker   = sel_i && what_i.fence && what_i.release_it;
  assign do_o.reject   = sel_i && !accept && !step && !evict && !fetch;

  logic unused;
  assign unused = ^what_i;
endmodule
`default_nettype wire
