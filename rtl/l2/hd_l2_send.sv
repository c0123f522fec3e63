// hd_l2_send.sv - the stage of an L2 bank that sends: a packet down or a request to memory.
//
// in    send_i (only while free_o) with head_i: the next packet, down, or to memory (to_mem_i, then
//       write_i: a line is written). Its data are there a cycle later, by hd_l2_data.
// dn    valid/ready, head only. mreq: one pulse.
// obs   with Observe: registered, a cycle after obs_i (with a send_i): a store was written and
//       head_i is its answer. Else 0.
// idle_o nothing held.
`default_nettype none
module hd_l2_send #(
  parameter int unsigned Observe = 0,
  parameter int unsigned HeadW = hd_pkg::head_w(32)  // bits of a head
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  output logic                      free_o,
  input  logic                      send_i,
  input  logic                      to_mem_i,
  input  logic                      write_i,
  input  logic                      obs_i,
  input  logic [HeadW-1:0]          head_i,
  output logic                      dn_valid_o,
  input  logic                      dn_ready_i,
  output logic [HeadW-1:0]          dn_head_o,
  output logic                      mreq_valid_o,
  output logic                      mreq_write_o,
  output logic [hd_pkg::ADDR_W-1:0] mreq_addr_o,
  output logic [hd_pkg::TID_W-1:0]  mreq_tid_o,
  output logic                      obs_valid_o,
  output logic [hd_pkg::NODE_W-1:0] obs_src_o,
  output logic [hd_pkg::OPID_W-1:0] obs_opid_o,
  output logic [hd_pkg::ADDR_W-1:0] obs_addr_o,
  output logic                      idle_o
);
  logic             out_q, mem_q, write_q;
  logic [HeadW-1:0] head_q;
  hd_pkg::head_s    head;

  assign head = head_q[hd_pkg::HEAD_W-1:0];
  assign free_o = !out_q || mem_q || dn_ready_i;

  always_ff @(posedge clk_i) begin
    if (rst_i) out_q <= 1'b0;
    else if (free_o) out_q <= send_i;
    if (send_i) begin
      mem_q   <= to_mem_i;
      write_q <= write_i;
      head_q  <= head_i;
    end
  end

  assign dn_valid_o   = out_q && !mem_q;
  assign dn_head_o    = head_q;
  assign mreq_valid_o = out_q && mem_q;
  assign mreq_write_o = write_q;
  assign mreq_addr_o  = head.addr;
  assign mreq_tid_o   = head.tid;
  assign idle_o       = !out_q;

  if (Observe != 0) begin : g_obs
    logic obs_q;
    always_ff @(posedge clk_i) begin
      if (rst_i) obs_q <= 1'b0;
      else obs_q <= obs_i;
    end
    assign obs_valid_o = obs_q;
    assign obs_src_o   = head.route.dst;
    assign obs_opid_o  = head.opid;
    assign obs_addr_o  = head.addr;
  end else begin : g_no_obs
    assign {obs_valid_o, obs_src_o, obs_opid_o, obs_addr_o} = '0;
    logic unused;
    assign unused = obs_i;
  end

  logic unused_head;
  assign unused_head = ^head;
endmodule
`default_nettype wire
