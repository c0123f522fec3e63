// hd_l2_updates.sv - what one piece of work does to the tables and queues of an L2 bank.
//
// work_i  at most one bit; line_i the line at work, dir_i what the directory says about it, last_i:
//         it asks the last one; put_i: the rsp packet is a PUT. m_role_i: of the entry at work,
//         req_role_i: of the request. can_i: what else counts. plan_o: what is done.
//
//  work    case                        does
//  rsp     any                         writes directory and, with data, the line
//          PUT, txn_wait               + transaction goes on: txn_clr, serve_push
//          answer, all are in          + transaction goes on: fill_push if recall, else serve_push
//  mem                                 writes line and directory (no copies, clean), serve_push
//  fill    victim has copies           asks one of them; fill_pop with the last
//          victim dirty                write_back, marks it clean; stays in the queue
//          else                        installs the tag (locked), mem_read, fill_pop
//  serve   others have copies          asks one of them; serve_pop with the last
//          requester is still owner    wait_set, serve_pop
//          else                        grants, frees the entry, unlocks the line or hands it to the
//                                      next of the chain (txn_we, serve_push)
//  req     hit, unlocked, grantable    grants as soon as out_free
//          no entry free, line on its  stall
//          way out, no way free
//          transaction on the line     alloc, chained behind it
//          hit, unlocked               alloc, locks the line, serve_push
//          miss                        alloc, locks the victim (recall), fill_push
//  done    (VI) atomic performed       grants as serve does, writes the line
//  pop     dirty line, unlocked        write_back, marks it clean
//          other                       nothing
//  walk    dirty line                  write_back as soon as out_free and mreq_ok, marks it
//                                      clean, walk_next
//          other                       walk_next
//
// Through (writes are performed here): serve and req of a write that is granted write the line. A
// read-modify-write is never granted by req, and where serve could grant it, it starts as soon as
// at_free: at_start, serve_pop, the line stays locked; done follows. A request with data that needs
// an entry stalls without wr_room (a place for its data).
//
// plan_o for the tag (wvalid, wlock, wrecall) counts with tag_we. Combinational.
// Paper 1 section 5; docs/protocol_mesi.md.
`default_nettype none
module hd_l2_updates #(
  parameter int unsigned Through = 0  // 1: write-through family
) (
  input  hd_pkg::l2_work_s work_i,
  input  hd_pkg::l2_line_s line_i,
  input  hd_pkg::l2_dir_s  dir_i,
  input  logic             last_i,
  input  logic             put_i,
  input  hd_pkg::role_e    m_role_i,
  input  hd_pkg::role_e    req_role_i,
  input  hd_pkg::l2_can_s  can_i,
  output hd_pkg::l2_plan_s plan_o
);
  logic req_ready, stall, walk_next, ask, grant, write_back, mem_read, data_we, at_start;
  logic fill_push, fill_pop, serve_push, serve_pop, alloc, alloc_chain, alloc_recall;
  logic recall_clr, wait_set, free, txn_clr, txn_we, touch, tag_we, wvalid, wlock, wrecall, dir_we;
  logic thru, rmw;

  assign thru = Through != 0;
  assign rmw  = m_role_i == hd_pkg::ROLE_RMW;
  always_comb begin
    req_ready    = 1'b0;
    stall        = 1'b0;
    walk_next    = 1'b0;
    ask          = 1'b0;
    grant        = 1'b0;
    write_back   = 1'b0;
    mem_read     = 1'b0;
    data_we      = 1'b0;
    at_start     = 1'b0;
    fill_push    = 1'b0;
    fill_pop     = 1'b0;
    serve_push   = 1'b0;
    serve_pop    = 1'b0;
    alloc        = 1'b0;
    alloc_chain  = 1'b0;
    alloc_recall = 1'b0;
    recall_clr   = 1'b0;
    wait_set     = 1'b0;
    free         = 1'b0;
    txn_clr      = 1'b0;
    txn_we       = 1'b0;
    touch        = 1'b0;
    tag_we       = 1'b0;
    wvalid       = 1'b1;
    wlock        = 1'b1;
    wrecall      = 1'b0;
    dir_we       = 1'b0;
    if (work_i.rsp) begin
      dir_we     = line_i.hit && !dir_i.bad;
      data_we    = line_i.hit && dir_i.merge;
      txn_clr    = line_i.hit && put_i && line_i.lock && can_i.txn_wait;
      fill_push  = dir_i.done && can_i.m_recall;
      serve_push = txn_clr || (dir_i.done && !can_i.m_recall);
    end else if (work_i.mem) begin
      data_we    = 1'b1;
      dir_we     = 1'b1;
      serve_push = 1'b1;
    end else if (work_i.fill) begin
      ask        = dir_i.inv || dir_i.fetch;
      write_back = dir_i.evict && line_i.dirty;
      mem_read   = !ask && !write_back;
      dir_we     = write_back;
      fill_pop   = mem_read || (ask && last_i);
      recall_clr = mem_read;
      tag_we     = mem_read;
    end else if (work_i.serve || work_i.done) begin
      ask        = dir_i.inv || dir_i.fetch;
      wait_set   = dir_i.wait_put;
      at_start   = work_i.serve && dir_i.grant && rmw && can_i.at_free;
      grant      = dir_i.grant && (work_i.done || !rmw);
      data_we    = thru && grant && m_role_i != hd_pkg::ROLE_READ;
      serve_pop  = work_i.serve && (ask ? last_i : !dir_i.grant || grant || at_start);
      free       = grant;
      dir_we     = grant;
      touch      = grant;
      serve_push = grant && can_i.m_next_ok;
      txn_we     = grant && can_i.m_next_ok;
      tag_we     = grant && !can_i.m_next_ok;
      wlock      = 1'b0;
    end else if (work_i.req) begin
      if (line_i.hit && !line_i.lock && dir_i.grant && req_role_i != hd_pkg::ROLE_RMW) begin
        grant     = can_i.out_free;
        data_we   = thru && can_i.out_free && req_role_i == hd_pkg::ROLE_WRITE;
        req_ready = can_i.out_free;
        dir_we    = can_i.out_free;
        touch     = can_i.out_free;
      end else if (!can_i.new_ok || (line_i.hit && line_i.recall) || (!line_i.ok && !can_i.cam_hit)
                   || (thru && req_role_i != hd_pkg::ROLE_READ && !can_i.wr_room)) begin
        stall = 1'b1;
      end else begin
        req_ready    = 1'b1;
        alloc        = 1'b1;
        alloc_chain  = (line_i.hit && line_i.lock) || can_i.cam_hit;
        alloc_recall = !line_i.hit && !can_i.cam_hit;
        txn_we       = !alloc_chain;
        tag_we       = !alloc_chain;
        touch        = !alloc_chain;
        serve_push   = line_i.hit && !line_i.lock;
        fill_push    = alloc_recall;
        wvalid       = line_i.valid;
        wrecall      = alloc_recall;
      end
    end else if (work_i.pop) begin
      write_back = line_i.hit && !line_i.lock && line_i.dirty;
      dir_we     = write_back;
    end else if (work_i.walk) begin
      write_back = line_i.valid && line_i.dirty && can_i.out_free && can_i.mreq_ok;
      walk_next  = write_back || !(line_i.valid && line_i.dirty);
      dir_we     = write_back;
    end
  end

  assign plan_o = {req_ready, stall, walk_next, ask, grant, write_back, mem_read, data_we, at_start,
                   fill_push, fill_pop, serve_push, serve_pop, alloc, alloc_chain, alloc_recall,
                   recall_clr, wait_set, free, txn_clr, txn_we, touch, tag_we, wvalid, wlock,
                   wrecall, dir_we};

  logic unused;
  assign unused = ^{line_i, dir_i, can_i};
endmodule
`default_nettype wire
