// hd_coh_select.sv - what an L2 bank of family GPU works on in a cycle.
//
// One of the works of hd_pkg::coh_work_s, in that order: see hd_coh_bank. Combinational.
// in    there_i: what there is of each; req_ok_i: requests may be worked on. can_i: what is
//       possible. idx_i: entries {mem, done, fill, serve}; sets_i: sets {fill, walk}; ack_num_i,
//       pop_num_i: lines; req_i: {msg_e, line} of the request; entry_i: {role_e, line} of the entry
//       idx_o.
// out   work_o; idx_o its entry, num_o its line (of fill and walk only the set counts), msg_o the
//       message for hd_dir_gpu.
// Parameters: Inclusive, Sets, NumW, IdxW of the bank.
`default_nettype none
module hd_coh_select #(
  parameter int unsigned Inclusive = 0,
  parameter int unsigned Sets = 256,
  parameter int unsigned NumW = 22,
  parameter int unsigned IdxW = 6,
  parameter int unsigned SetW = $clog2(Sets)  // derived
) (
  input  hd_pkg::coh_work_s there_i,
  input  logic              req_ok_i,
  input  hd_pkg::coh_can_s  can_i,
  input  logic [4*IdxW-1:0] idx_i,
  input  logic [2*SetW-1:0] sets_i,
  input  logic [NumW-1:0]   ack_num_i,
  input  logic [NumW-1:0]   pop_num_i,
  input  logic [6+NumW-1:0] req_i,
  input  logic [2+NumW-1:0] entry_i,
  output hd_pkg::coh_work_s work_o,
  output logic [IdxW-1:0]   idx_o,
  output logic [NumW-1:0]   num_o,
  output hd_pkg::msg_e      msg_o
);
  logic ack, mem, inv, done, pop, pack, fill, serve, req, walk, busy, rmw;
  logic [IdxW-1:0] mem_idx, done_idx, fill_idx, serve_idx;
  logic [NumW-1:0] req_num, m_num;
  logic [SetW-1:0] fill_set, walk_set;
  hd_pkg::kind_s   rq;
  hd_pkg::role_s   m;

  assign {mem_idx, done_idx, fill_idx, serve_idx} = idx_i;
  assign {fill_set, walk_set} = sets_i;
  assign {rq, req_num} = req_i;
  assign {m, m_num} = entry_i;
  assign rmw   = m.role == hd_pkg::ROLE_RMW;
  assign ack   = Inclusive != 0 && there_i.ack;
  assign mem   = !ack && there_i.mem;
  assign inv   = !ack && !mem && there_i.inv && can_i.out_free;
  assign done  = !ack && !mem && !inv && there_i.done && can_i.out_free;
  assign busy  = ack || mem || inv || there_i.done;
  assign pop   = !busy && there_i.pop && can_i.out_free && can_i.mreq_nv;
  assign pack  = !busy && !pop && there_i.pack && can_i.out_free;
  assign fill  = !busy && !pop && !pack && there_i.fill && can_i.out_free && can_i.mreq_all;
  assign serve = !busy && !pop && !pack && !fill && there_i.serve && can_i.body_ready
                 && can_i.out_free && (can_i.at_free || !rmw);
  assign req   = !ack && !mem && !inv && !done && !pop && !pack && !fill && !serve && there_i.req
                 && req_ok_i;
  assign walk  = !ack && !mem && !inv && !done && !pop && !pack && !fill && !serve && !there_i.req
                 && there_i.walk && can_i.out_free && can_i.mreq_all;
  // in the order of its fields
  assign work_o = {ack, mem, inv, done, pop, pack, fill, serve, req, walk};

  always_comb begin
    idx_o = serve_idx;
    if (mem) idx_o = mem_idx;
    else if (there_i.done) idx_o = done_idx;
    else if (fill) idx_o = fill_idx;
  end
  always_comb begin
    num_o = m_num;
    if (ack) num_o = ack_num_i;
    else if (req) num_o = req_num;
    else if (pop) num_o = pop_num_i;
    else if (fill) num_o = NumW'(fill_set);
    else if (walk) num_o = NumW'(walk_set);
  end
  always_comb begin
    msg_o = hd_pkg::MSG_NONE;
    if (req) msg_o = rq.kind;
    else if (fill) msg_o = hd_pkg::MSG_GETS;  // whatever it is: it does not find its line
    else if (pop || walk) msg_o = hd_pkg::MSG_NONE;
    else if (rmw) msg_o = hd_pkg::MSG_ATOMIC;
    else if (serve && m.role == hd_pkg::ROLE_READ) msg_o = hd_pkg::MSG_GETS;
    else if (serve) msg_o = hd_pkg::MSG_WT;
  end

  logic unused;
  assign unused = ^can_i;
endmodule
`default_nettype wire
