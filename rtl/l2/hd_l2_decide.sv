// hd_l2_decide.sv - what one piece of work does to an L2 bank; combinational, with the directory.
//
// At most one of the seven works is high. *_i of the line (hit .. sharers) are hd_l2_tags' outputs
// for it, m_* are the MSHR entry at work, txn_wait_i: the line's transaction waits for a PUT.
// todo_i: SMs that the entry at the head of its queue has yet to ask (0: it has not begun).
//
//  work    case                        does
//  rsp     any                         writes directory and, with data, the line
//          PUT, txn_wait_i             + transaction goes on: txn_clr, serve_push
//          answer, all are in          + transaction goes on: fill_push if recall, else serve_push
//  mem                                 writes line and directory (no copies, clean), serve_push
//  fill    victim has copies           asks one of them; fill_pop with the last
//          victim dirty                write_back, marks it clean; stays in the queue
//          else                        installs the tag (locked), mem_read, fill_pop
//  serve   others have copies          asks one of them; serve_pop with the last
//          requester is still owner    wait_set, serve_pop
//          else                        grants, frees the entry, unlocks the line or hands it to the
//                                      next of the chain (txn_we, serve_push)
//  req     hit, unlocked, grantable    grants as soon as out_free_i
//          no entry free, line on its  stall
//          way out, no way free
//          transaction on the line     alloc, chained behind it
//          hit, unlocked               alloc, locks the line, serve_push
//          miss                        alloc, locks the victim (recall), fill_push
//  done    (VI) atomic performed       grants as serve does, writes the line
//  walk    dirty line                  write_back as soon as out_free_i and mreq_ok_i, marks it
//                                      clean, walk_next
//          other                       walk_next
//
// Family VI (hd_dir_vi): m_getm_i and m_upg_i mean WT and ATOMIC. Then serve and req of a WT that
// is granted write the line; an ATOMIC is never granted by req, and where serve could grant it, it
// starts as soon as at_free_i: at_start, serve_pop, the line stays locked; done follows. A WT or
// ATOMIC that needs an entry stalls without wr_room_i (a place for its data).
//
// ask: kind_o (INV, FETCH, FETCH_INV) to ask_dst_o, rest_o are those left to ask. grant: kind_o to
// the requester. The outputs for the directory (dirty, excl, sharers) count with dir_we_o, those
// for the tag (wvalid, wlock, wrecall) with tag_we_o. bad_o: a message the line's state excludes.
// dir_*: what the directory was asked, and of which SM.
// Paper 1 section 5; docs/protocol_mesi.md.
`include "hd_assert.svh"
`default_nettype none
module hd_l2_decide #(
  parameter int unsigned Family = hd_pkg::FAMILY_MESI,
  parameter int unsigned Sms = 16  // L1s
) (
  input  logic                      rsp_i,
  input  logic                      mem_i,
  input  logic                      fill_i,
  input  logic                      serve_i,
  input  logic                      req_i,
  input  logic                      walk_i,
  input  logic                      done_i,

  input  hd_pkg::msg_e              rsp_kind_i,
  input  logic [hd_pkg::NODE_W-1:0] rsp_src_i,
  input  hd_pkg::msg_e              req_kind_i,
  input  logic [hd_pkg::NODE_W-1:0] req_src_i,
  input  logic                      out_free_i,
  input  logic                      mreq_ok_i,
  input  logic                      new_ok_i,
  input  logic                      cam_hit_i,
  input  logic                      txn_wait_i,
  input  logic                      m_getm_i,
  input  logic                      m_upg_i,
  input  logic                      m_recall_i,
  input  logic [hd_pkg::NODE_W-1:0] m_src_i,
  input  logic                      m_next_ok_i,
  input  logic                      wr_room_i,
  input  logic                      at_free_i,
  input  logic [Sms-1:0]            todo_i,

  input  logic                      hit_i,
  input  logic                      ok_i,
  input  logic                      valid_i,
  input  logic                      lock_i,
  input  logic                      recall_i,
  input  logic                      dirty_i,
  input  logic                      excl_i,
  input  logic [Sms-1:0]            sharers_i,

  output logic                      req_ready_o,
  output logic                      stall_o,
  output logic                      walk_next_o,
  output logic                      ask_o,
  output logic [hd_pkg::NODE_W-1:0] ask_dst_o,
  output logic [Sms-1:0]            rest_o,
  output logic                      grant_o,
  output hd_pkg::msg_e              kind_o,
  output logic                      write_back_o,
  output logic                      mem_read_o,
  output logic                      data_we_o,
  output logic                      at_start_o,

  output logic                      fill_push_o,
  output logic                      fill_pop_o,
  output logic                      serve_push_o,
  output logic                      serve_pop_o,
  output logic                      alloc_o,
  output logic                      alloc_chain_o,
  output logic                      alloc_recall_o,
  output logic                      recall_clr_o,
  output logic                      wait_set_o,
  output logic                      free_o,
  output logic                      txn_clr_o,
  output logic                      txn_we_o,
  output logic                      touch_o,

  output logic                      tag_we_o,
  output logic                      wvalid_o,
  output logic                      wlock_o,
  output logic                      wrecall_o,
  output logic                      dir_we_o,
  output logic                      dirty_o,
  output logic                      excl_o,
  output logic [Sms-1:0]            sharers_o,
  output logic                      bad_o,

  output logic                      dir_en_o,
  output hd_pkg::msg_e              dir_msg_o,
  output logic [Sms-1:0]            dir_who_o
);
  hd_pkg::msg_e   msg, send;
  localparam bit Vi = Family == hd_pkg::FAMILY_VI;

  logic           en, atomic;  // atomic: VI, of the entry at work
  logic           put, d_dirty, d_excl, d_grant, d_fetch, d_inv, d_wait, d_evict, d_merge, d_done;
  logic [Sms-1:0] self, from, d_sharers, d_targets, targets;

  function automatic logic [Sms-1:0] one_hot(input logic [hd_pkg::NODE_W-1:0] node);
    one_hot = Sms'(1) << node;
  endfunction

  assign put = rsp_kind_i == hd_pkg::MSG_PUTM || rsp_kind_i == hd_pkg::MSG_PUTE;
  always_comb begin
    msg  = hd_pkg::MSG_NONE;
    self = '0;
    from = '0;
    if (rsp_i) begin
      msg  = rsp_kind_i;
      from = one_hot(rsp_src_i);
      if (!put && !m_recall_i) self = one_hot(m_src_i);
    end else if (serve_i || done_i) begin
      if (m_upg_i) msg = Vi ? hd_pkg::MSG_ATOMIC : hd_pkg::MSG_UPG;
      else if (m_getm_i) msg = Vi ? hd_pkg::MSG_WT : hd_pkg::MSG_GETM;
      else msg = hd_pkg::MSG_GETS;
      self = one_hot(m_src_i);
    end else if (req_i) begin
      msg  = req_kind_i;
      self = one_hot(req_src_i);
    end
  end

  assign en     = valid_i && (rsp_i || fill_i || serve_i || req_i || walk_i || done_i);
  assign atomic = Vi && m_upg_i;
  if (Vi) begin : g_vi
    hd_dir_vi #(.Sms(Sms)) u_dir (
      .en_i(en), .msg_i(msg), .self_i(self), .from_i(from), .dirty_i(dirty_i),
      .sharers_i(sharers_i), .dirty_o(d_dirty), .sharers_o(d_sharers), .grant_o(d_grant),
      .inv_o(d_inv), .evict_o(d_evict), .done_o(d_done), .bad_o(bad_o), .targets_o(d_targets),
      .send_o(send)
    );
    assign {d_excl, d_fetch, d_wait, d_merge} = 4'd0;
    logic unused;
    assign unused = excl_i;
  end else begin : g_mesi
    hd_dir_mesi #(.Sms(Sms)) u_dir (
      .en_i(en), .msg_i(msg), .self_i(self), .from_i(from),
      .keep_i(!m_getm_i && !m_upg_i && !m_recall_i),
      .dirty_i(dirty_i), .excl_i(excl_i), .sharers_i(sharers_i),
      .dirty_o(d_dirty), .excl_o(d_excl), .sharers_o(d_sharers),
      .grant_o(d_grant), .fetch_o(d_fetch), .inv_o(d_inv), .wait_o(d_wait), .evict_o(d_evict),
      .merge_o(d_merge), .done_o(d_done), .bad_o(bad_o), .targets_o(d_targets), .send_o(send)
    );
    logic unused;
    assign unused = ^{wr_room_i, at_free_i};
  end

  assign dir_en_o  = en;
  assign dir_msg_o = msg;
  assign dir_who_o = rsp_i ? from : self;

  assign targets = (todo_i != '0) ? todo_i : d_targets;
  assign rest_o  = targets & (targets - 1'b1);
  always_comb begin
    ask_dst_o = '0;
    if (ask_o) begin
      for (int unsigned i = 0; i < Sms; i++) begin
        if (targets[i] && !rest_o[i]) ask_dst_o = hd_pkg::NODE_W'(i);
      end
    end
  end
  assign kind_o    = send;
  assign dirty_o   = d_dirty && !write_back_o;  // mem: u_dir is off, so all three are 0
  assign excl_o    = d_excl;
  assign sharers_o = d_sharers;

  always_comb begin
    req_ready_o    = 1'b0;
    stall_o        = 1'b0;
    walk_next_o    = 1'b0;
    ask_o          = 1'b0;
    grant_o        = 1'b0;
    write_back_o   = 1'b0;
    mem_read_o     = 1'b0;
    data_we_o      = 1'b0;
    at_start_o     = 1'b0;
    fill_push_o    = 1'b0;
    fill_pop_o     = 1'b0;
    serve_push_o   = 1'b0;
    serve_pop_o    = 1'b0;
    alloc_o        = 1'b0;
    alloc_chain_o  = 1'b0;
    alloc_recall_o = 1'b0;
    recall_clr_o   = 1'b0;
    wait_set_o     = 1'b0;
    free_o         = 1'b0;
    txn_clr_o      = 1'b0;
    txn_we_o       = 1'b0;
    touch_o        = 1'b0;
    tag_we_o       = 1'b0;
    wvalid_o       = 1'b1;
    wlock_o        = 1'b1;
    wrecall_o      = 1'b0;
    dir_we_o       = 1'b0;
    if (rsp_i) begin
      dir_we_o     = hit_i && !bad_o;
      data_we_o    = hit_i && d_merge;
      txn_clr_o    = hit_i && put && lock_i && txn_wait_i;
      fill_push_o  = d_done && m_recall_i;
      serve_push_o = txn_clr_o || (d_done && !m_recall_i);
    end else if (mem_i) begin
      data_we_o    = 1'b1;
      dir_we_o     = 1'b1;
      serve_push_o = 1'b1;
    end else if (fill_i) begin
      ask_o        = d_inv || d_fetch;
      write_back_o = d_evict && dirty_i;
      mem_read_o   = !ask_o && !write_back_o;
      dir_we_o     = write_back_o;
      fill_pop_o   = mem_read_o || (ask_o && rest_o == '0);
      recall_clr_o = mem_read_o;
      tag_we_o     = mem_read_o;
    end else if (serve_i || done_i) begin
      ask_o        = d_inv || d_fetch;
      wait_set_o   = d_wait;
      at_start_o   = serve_i && d_grant && atomic && at_free_i;
      grant_o      = d_grant && (done_i || !atomic);
      data_we_o    = Vi && grant_o && (m_getm_i || m_upg_i);
      serve_pop_o  = serve_i && (ask_o ? rest_o == '0 : !d_grant || grant_o || at_start_o);
      free_o       = grant_o;
      dir_we_o     = grant_o;
      touch_o      = grant_o;
      serve_push_o = grant_o && m_next_ok_i;
      txn_we_o     = grant_o && m_next_ok_i;
      tag_we_o     = grant_o && !m_next_ok_i;
      wlock_o      = 1'b0;
    end else if (req_i) begin
      if (hit_i && !lock_i && d_grant && !(Vi && req_kind_i == hd_pkg::MSG_ATOMIC)) begin
        grant_o     = out_free_i;
        data_we_o   = Vi && out_free_i && req_kind_i == hd_pkg::MSG_WT;
        req_ready_o = out_free_i;
        dir_we_o    = out_free_i;
        touch_o     = out_free_i;
      end else if (!new_ok_i || (hit_i && recall_i) || (!ok_i && !cam_hit_i)
                   || (Vi && req_kind_i != hd_pkg::MSG_GETS && !wr_room_i)) begin
        stall_o = 1'b1;
      end else begin
        req_ready_o    = 1'b1;
        alloc_o        = 1'b1;
        alloc_chain_o  = (hit_i && lock_i) || cam_hit_i;
        alloc_recall_o = !hit_i && !cam_hit_i;
        txn_we_o       = !alloc_chain_o;
        tag_we_o       = !alloc_chain_o;
        touch_o        = !alloc_chain_o;
        serve_push_o   = hit_i && !lock_i;
        fill_push_o    = alloc_recall_o;
        wvalid_o       = valid_i;
        wrecall_o      = alloc_recall_o;
      end
    end else if (walk_i) begin
      write_back_o = valid_i && dirty_i && out_free_i && mreq_ok_i;
      walk_next_o  = write_back_o || !(valid_i && dirty_i);
      dir_we_o     = write_back_o;
    end
  end

endmodule
`default_nettype wire
