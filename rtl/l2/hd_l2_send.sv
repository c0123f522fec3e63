// hd_l2_send.sv - the stage of an L2 bank that sends: a packet down or a request to memory.
//
// in    send_i (only while free_o) with head_i: the next packet, down, or to memory (to_mem_i, then
//       write_i: a line is written). Its data are there a cycle later, by hd_l2_data.
// head_o what is held: of the packet dn_valid_o, of the request mreq_valid_o or the answer
//       obs_valid_o is about. Nothing is held while neither of the first two is high.
// dn    valid/ready. mreq: one pulse.
// obs   with Observe: registered, a cycle after obs_i (with a send_i): a store was written and
//       head_i is its answer. Else 0.
`default_nettype none
module hd_l2_send #(
  parameter int unsigned Observe = 0,
  parameter int unsigned HeadW = hd_pkg::head_w(32)  // bits of a head
) (
  input  logic             clk_i,
  input  logic             rst_i,
  output logic             free_o,
  input  logic             send_i,
  input  logic             to_mem_i,
  input  logic             write_i,
  input  logic             obs_i,
  input  logic [HeadW-1:0] head_i,
  output logic             dn_valid_o,
  input  logic             dn_ready_i,
  output logic             mreq_valid_o,
  output logic             mreq_write_o,
  output logic             obs_valid_o,
  output logic [HeadW-1:0] head_o
);
  logic             out_q, mem_q, write_q;
  logic [HeadW-1:0] head_q;

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
  assign mreq_valid_o = out_q && mem_q;
  assign mreq_write_o = write_q;
  assign head_o       = head_q;

  if (Observe != 0) begin : g_obs
    logic obs_q;
    always_ff @(posedge clk_i) begin
      if (rst_i) obs_q <= 1'b0;
      else obs_q <= obs_i;
    end
    assign obs_valid_o = obs_q;
  end else begin : g_no_obs
    assign obs_valid_o = 1'b0;
    logic unused;
    assign unused = obs_i;
  end
endmodule
`default_nettype wire
