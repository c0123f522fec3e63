// hd_l1_gpu_front.sv - what becomes of the access of the memory pipe at the L1 of family GPU.
//
// Combinational; with sel_i. what_i: what the access is; evict_i: first the dirty words of the line
// in its way are sent; why_i, again_i, missing_i: answers of hd_l1_gpu_table, words of it missing;
// row_i: its line has a row or one can be had. Rooms: wt_can_i a WT may be sent; req_room_i,
// data_room_i, at_room_i of hd_wt_queue; out_room_i of the table of synchronizing accesses;
// list_room_i of hd_dirty_list; pending_i: a READ to join, else read_room_i for one; wait_why_i:
// WHY_NONE, there is a place among those that wait.
// do_o, and why_o: why it waits in front.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_gpu_front (
  input  logic             sel_i,
  input  hd_pkg::l1_sync_s what_i,
  input  logic             evict_i,
  input  hd_pkg::why_e     why_i,
  input  logic             again_i,
  input  logic             missing_i,
  input  logic             row_i,
  input  logic             wt_can_i,
  input  logic             req_room_i,
  input  logic             data_room_i,
  input  logic             at_room_i,
  input  logic             out_room_i,
  input  logic             list_room_i,
  input  logic             pending_i,
  input  logic             read_room_i,
  input  hd_pkg::why_e     wait_why_i,
  output hd_pkg::word_do_s   do_o,
  output hd_pkg::why_e     why_o
);
  logic accept, push, fetch, send, step;

  always_comb begin
    push   = 1'b0;
    fetch  = 1'b0;
    send   = 1'b0;
    step   = 1'b0;
    accept = 1'b0;
    why_o  = hd_pkg::WHY_NONE;
    if (sel_i) begin
      if (what_i.fence) begin
        accept = 1'b1;
      end else if (evict_i || (what_i.sync && again_i)) begin
        step = wt_can_i;
        if (!step) why_o = hd_pkg::WHY_QUEUE;
      end else if (why_i != hd_pkg::WHY_NONE) begin
        why_o = why_i;
      end else if (what_i.sync) begin
        send   = out_room_i && req_room_i && data_room_i && (at_room_i || what_i.store);
        accept = send;
        if (!send) why_o = out_room_i ? hd_pkg::WHY_QUEUE : hd_pkg::WHY_ENTRY;
      end else if (!row_i) begin
        why_o = hd_pkg::WHY_LINE;
      end else if (again_i || missing_i) begin
        push   = wait_why_i == hd_pkg::WHY_NONE && (pending_i || (read_room_i && req_room_i));
        fetch  = push && again_i;
        accept = push && !again_i;
        if (wait_why_i != hd_pkg::WHY_NONE) why_o = wait_why_i;
        else if (!push) why_o = read_room_i ? hd_pkg::WHY_QUEUE : hd_pkg::WHY_ENTRY;
      end else begin
        accept = what_i.load || list_room_i;
        if (!accept) why_o = hd_pkg::WHY_LIST;
      end
    end
  end
  always_comb begin
    do_o.accept = accept;
    do_o.push   = push;
    do_o.fetch  = fetch;
    do_o.send   = send;
    do_o.step   = step;
    do_o.marker = sel_i && what_i.fence && what_i.release_it;
    do_o.reject = sel_i && !accept && !step && !fetch;
  end

  logic unused;
  assign unused = ^what_i;
endmodule
`default_nettype wire
