// hd_l2_select.sv - which piece of work an L2 bank does in a cycle, and of which entry and line.
//
// The first that there is, of the list in hd_l2_bank's header; work_o has one bit set at most. Of
// those that send, done, pop, fill and serve go only while out_free_i, pop and fill only with
// mreq_ok_i. An
// entry that is to perform an atomic (role_i) waits for the unit, at_free_i, and requests pass it.
// idx_o  the entry at work, serve_idx_i when there is none. role_i and m_num_i are its role and
//        line number, from the table that idx_o reads.
// num_o  number of the line at work; in a walk only its set counts.
// Combinational.
`default_nettype none
module hd_l2_select #(
  parameter int unsigned IdxW = 7,   // bits of an entry
  parameter int unsigned NumW = 22,  // bits of a line number
  parameter int unsigned SetW = 7    // bits of a set: the low ones of the number
) (
  input  logic              rsp_valid_i,
  input  logic [IdxW-1:0]   rsp_idx_i,
  input  logic [NumW-1:0]   rsp_num_i,
  input  logic              mem_valid_i,
  input  logic [IdxW-1:0]   mem_idx_i,
  input  logic              done_valid_i,
  input  logic [IdxW-1:0]   done_idx_i,
  input  logic              pop_valid_i,
  input  logic [NumW-1:0]   pop_num_i,
  input  logic              fill_valid_i,
  input  logic [IdxW-1:0]   fill_idx_i,
  input  logic              serve_valid_i,
  input  logic [IdxW-1:0]   serve_idx_i,
  input  logic              body_ready_i,
  input  logic              req_valid_i,
  input  logic [NumW-1:0]   req_num_i,
  input  logic              walk_i,
  input  logic [SetW-1:0]   walk_set_i,
  input  logic              out_free_i,
  input  logic              mreq_ok_i,
  input  logic              at_free_i,
  input  hd_pkg::role_e     role_i,
  input  logic [NumW-1:0]   m_num_i,
  output hd_pkg::l2_work_s  work_o,
  output logic [IdxW-1:0]   idx_o,
  output logic [NumW-1:0]   num_o
);
  logic rsp, mem, done, pop, fill, other, serve, req, walk;

  always_comb begin
    rsp   = rsp_valid_i;
    mem   = !rsp && mem_valid_i;
    done  = !rsp && !mem && done_valid_i && out_free_i;
    pop   = !rsp && !mem && !done && pop_valid_i && out_free_i && mreq_ok_i;
    fill  = !rsp && !mem && !done && !pop && fill_valid_i && out_free_i && mreq_ok_i;
    other = !rsp && !mem && !done && !pop && !fill;
    idx_o = serve_idx_i;
    if (rsp) idx_o = rsp_idx_i;
    else if (mem) idx_o = mem_idx_i;
    else if (done) idx_o = done_idx_i;
    else if (fill) idx_o = fill_idx_i;
  end
  always_comb begin
    serve = other && serve_valid_i && body_ready_i && out_free_i
            && !(role_i == hd_pkg::ROLE_RMW && !at_free_i);
    req   = other && !serve && req_valid_i;
    walk  = other && !serve && !req && walk_i;
  end
  assign work_o = {pop, rsp, mem, done, fill, serve, req, walk};

  always_comb begin
    num_o = m_num_i;
    if (rsp) num_o = rsp_num_i;
    else if (pop) num_o = pop_num_i;
    else if (req) num_o = req_num_i;
    else if (walk) num_o = NumW'(walk_set_i);
  end
endmodule
`default_nettype wire
