// hd_coh_select.sv - what an L2 bank of family GPU works on in a cycle.
//
// One of the works of hd_pkg::coh_work_s, in that order: see hd_coh_bank. Combinational.
// in    what there is: valid, and entry (idx), number of the line (num) or set; role_i, m_num_i of
//       the entry idx_o. req_ok_i: requests may be worked on. can_i: what is possible.
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
  input  logic              ack_valid_i,
  input  logic [NumW-1:0]   ack_num_i,
  input  logic              mem_valid_i,
  input  logic [IdxW-1:0]   mem_idx_i,
  input  logic              inv_valid_i,
  input  logic              done_valid_i,
  input  logic [IdxW-1:0]   done_idx_i,
  input  logic              pop_valid_i,
  input  logic [NumW-1:0]   pop_num_i,
  input  logic              pack_valid_i,
  input  logic              fill_valid_i,
  input  logic [IdxW-1:0]   fill_idx_i,
  input  logic [SetW-1:0]   fill_set_i,
  input  logic              serve_valid_i,
  input  logic [IdxW-1:0]   serve_idx_i,
  input  hd_pkg::role_e     role_i,
  input  logic [NumW-1:0]   m_num_i,
  input  logic              req_valid_i,
  input  logic              req_ok_i,
  input  hd_pkg::msg_e      req_kind_i,
  input  logic [NumW-1:0]   req_num_i,
  input  logic              walk_i,
  input  logic [SetW-1:0]   walk_set_i,
  input  hd_pkg::coh_can_s  can_i,
  output hd_pkg::coh_work_s work_o,
  output logic [IdxW-1:0]   idx_o,
  output logic [NumW-1:0]   num_o,
  output hd_pkg::msg_e      msg_o
);
  logic ack, mem, inv, done, pop, pack, fill, serve, req, walk, busy, rmw;

  assign rmw   = role_i == hd_pkg::ROLE_RMW;
  assign ack   = Inclusive != 0 && ack_valid_i;
  assign mem   = !ack && mem_valid_i;
  assign inv   = !ack && !mem && inv_valid_i && can_i.out_free;
  assign done  = !ack && !mem && !inv && done_valid_i && can_i.out_free;
  assign busy  = ack || mem || inv || done_valid_i;
  assign pop   = !busy && pop_valid_i && can_i.out_free && can_i.mreq_nv;
  assign pack  = !busy && !pop && pack_valid_i && can_i.out_free;
  assign fill  = !busy && !pop && !pack && fill_valid_i && can_i.out_free && can_i.mreq_all;
  assign serve = !busy && !pop && !pack && !fill && serve_valid_i && can_i.body_ready
                 && can_i.out_free && (can_i.at_free || !rmw);
  assign req   = !ack && !mem && !inv && !done && !pop && !pack && !fill && !serve && req_valid_i
                 && req_ok_i;
  assign walk  = !ack && !mem && !inv && !done && !pop && !pack && !fill && !serve && !req_valid_i
                 && walk_i && can_i.out_free && can_i.mreq_all;
  // in the order of its fields
  assign work_o = {ack, mem, inv, done, pop, pack, fill, serve, req, walk};

  always_comb begin
    idx_o = serve_idx_i;
    if (mem) idx_o = mem_idx_i;
    else if (done_valid_i) idx_o = done_idx_i;
    else if (fill) idx_o = fill_idx_i;
  end
  always_comb begin
    num_o = m_num_i;
    if (ack) num_o = ack_num_i;
    else if (req) num_o = req_num_i;
    else if (pop) num_o = pop_num_i;
    else if (fill) num_o = NumW'(fill_set_i);
    else if (walk) num_o = NumW'(walk_set_i);
  end
  always_comb begin
    msg_o = hd_pkg::MSG_NONE;
    if (req) msg_o = req_kind_i;
    else if (fill) msg_o = hd_pkg::MSG_GETS;  // whatever it is: it does not find its line
    else if (pop || walk) msg_o = hd_pkg::MSG_NONE;
    else if (rmw) msg_o = hd_pkg::MSG_ATOMIC;
    else if (serve && role_i == hd_pkg::ROLE_READ) msg_o = hd_pkg::MSG_GETS;
    else if (serve) msg_o = hd_pkg::MSG_WT;
  end

  logic unused;
  assign unused = ^can_i;
endmodule
`default_nettype wire
