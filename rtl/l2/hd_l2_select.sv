// hd_l2_select.sv - which piece of work an L2 bank does in a cycle, and of which entry and line.
//
// is_i    what there is to do. The first of the list in hd_l2_bank's header goes: work_o has one
//         bit set at most. Of those that send, done, pop, fill and serve go only with out_free of
//         ready_i, pop and fill only with mreq_ok. An entry that is to perform an atomic (role_i)
//         waits for the unit, at_free, and requests pass it.
// idx_i   entries of rsp, mem, done, fill and, in the low bits, serve. idx_o: the entry at work,
//         that of serve when there is none. role_i and m_num_i are its role and line number, from
//         the table that idx_o reads.
// num_o   number of the line at work; in a walk only its set counts.
// Combinational.
`default_nettype none
module hd_l2_select #(
  parameter int unsigned IdxW = 7,   // bits of an entry
  parameter int unsigned NumW = 22,  // bits of a line number
  parameter int unsigned SetW = 7    // bits of a set: the low ones of the number
) (
  input  hd_pkg::l2_work_s  is_i,
  input  hd_pkg::l2_ready_s ready_i,
  input  logic [5*IdxW-1:0] idx_i,
  input  logic [NumW-1:0]   rsp_num_i,
  input  logic [NumW-1:0]   pop_num_i,
  input  logic [NumW-1:0]   req_num_i,
  input  logic [SetW-1:0]   walk_set_i,
  input  hd_pkg::role_e     role_i,
  input  logic [NumW-1:0]   m_num_i,
  output hd_pkg::l2_work_s  work_o,
  output logic [IdxW-1:0]   idx_o,
  output logic [NumW-1:0]   num_o
);
  logic rsp, mem, done, pop, fill, other, serve, req, walk;
  logic [IdxW-1:0] rsp_idx, mem_idx, done_idx, fill_idx, serve_idx;

  assign {rsp_idx, mem_idx, done_idx, fill_idx, serve_idx} = idx_i;
  always_comb begin
    rsp   = is_i.rsp;
    mem   = !rsp && is_i.mem;
    done  = !rsp && !mem && is_i.done && ready_i.out_free;
    pop   = !rsp && !mem && !done && is_i.pop && ready_i.out_free && ready_i.mreq_ok;
    fill  = !rsp && !mem && !done && !pop && is_i.fill && ready_i.out_free && ready_i.mreq_ok;
    other = !rsp && !mem && !done && !pop && !fill;
    idx_o = serve_idx;
    if (rsp) idx_o = rsp_idx;
    else if (mem) idx_o = mem_idx;
    else if (done) idx_o = done_idx;
    else if (fill) idx_o = fill_idx;
  end
  always_comb begin
    serve = other && is_i.serve && ready_i.body && ready_i.out_free
            && !(role_i == hd_pkg::ROLE_RMW && !ready_i.at_free);
    req   = other && !serve && is_i.req;
    walk  = other && !serve && !req && is_i.walk;
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
