// hd_l1_gpu_front.sv - what becomes of the access of the memory pipe at the L1 of family GPU.
//
// Combinational; with sel_i. what_i: what the access is; look_i: what is found of its line (dirty
// words of the row it would take are sent first); dirty_i: whether its words may become dirty, or
// leave; room_i: of what is sent; wt_can_i: dirty words may be sent now (hd_l1_word_select).
// do_o, and why_o: why it waits in front. Latency 0.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_gpu_front (
  input  logic               sel_i,
  input  hd_pkg::l1_sync_s   what_i,
  input  hd_pkg::gpu_look_s  look_i,
  input  hd_pkg::gpu_dirty_s dirty_i,
  input  hd_pkg::gpu_room_s  room_i,
  input  logic               wt_can_i,
  output hd_pkg::word_do_s   do_o,
  output hd_pkg::why_e       why_o
);
  logic accept, push, fetch, send, step, out_room;

  // What goes past the rows to non-volatile memory must not leave a marker behind.
  assign out_room = room_i.out && (dirty_i.one || !dirty_i.nv);

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
      end else if (look_i.evict || (what_i.sync && look_i.again)) begin
        step = wt_can_i && dirty_i.leave;
        if (!step) why_o = hd_pkg::WHY_QUEUE;
      end else if (look_i.why != hd_pkg::WHY_NONE) begin
        why_o = look_i.why;
      end else if (what_i.sync) begin
        send   = out_room && room_i.req && room_i.data && (room_i.at || what_i.store);
        accept = send;
        if (!send) why_o = out_room ? hd_pkg::WHY_QUEUE : hd_pkg::WHY_ENTRY;
      end else if (!look_i.row) begin
        why_o = hd_pkg::WHY_LINE;
      end else if (look_i.again || look_i.missing) begin
        push   = look_i.wait_why == hd_pkg::WHY_NONE
                 && (look_i.pending || (look_i.read_room && room_i.req));
        fetch  = push && look_i.again;
        accept = push && !look_i.again;
        if (look_i.wait_why != hd_pkg::WHY_NONE) why_o = look_i.wait_why;
        else if (!push) why_o = look_i.read_room ? hd_pkg::WHY_QUEUE : hd_pkg::WHY_ENTRY;
      end else begin
        accept = what_i.load || dirty_i.room;
        if (!accept) why_o = hd_pkg::WHY_LIST;
      end
    end
  end
  assign do_o.accept = accept;
  assign do_o.push   = push;
  assign do_o.fetch  = fetch;
  assign do_o.send   = send;
  assign do_o.step   = step;
  assign do_o.marker = sel_i && what_i.fence && what_i.release_it;
  assign do_o.reject = sel_i && !accept && !step && !fetch;

  logic unused;
  assign unused = ^{what_i, look_i, dirty_i, room_i};
endmodule
`default_nettype wire
