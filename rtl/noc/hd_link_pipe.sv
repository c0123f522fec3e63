// hd_link_pipe.sv - a link as hardware: flits and credits arrive a fixed time after they were sent.
//
// The RTL twin of the C links (docs/tiles.md). clk_i is the fast clock. What the sender's output
// register shows after its edge of cycle t is seen by the receiver's edge of cycle t + Latency,
// credits by the sender's edge of t + CreditLatency.
// s_beat_i, r_beat_o: {vn, tail, flit}.
// s_*  sender: s_capture_i high in the cycles in which its output registers are new (a slow sender
//      holds each value for several fast cycles, it must be taken once): every cycle for a fast
//      sender, else the cycle after a slow edge. s_credit_o pulses for one fast cycle.
// r_*  receiver: r_valid_o with its flit pulses for one fast cycle, that of the receiver's edge;
//      r_capture_i is to r_credit_i what s_capture_i is to the flit.
// empty_o: no flit and no credit is in the pipe (those in a tile's output register do not count).
// Parameters: FlitW bits, NumVn networks, Latency and CreditLatency in fast cycles, at least 1.
`default_nettype none
module hd_link_pipe #(
  parameter int unsigned FlitW = 256,
  parameter int unsigned NumVn = 1,
  parameter int unsigned Latency = 78,
  parameter int unsigned CreditLatency = 32,
  parameter int unsigned BeatW = hd_pkg::VN_W + 1 + FlitW  // derived: leave as is
) (
  input  logic             clk_i,
  input  logic             rst_i,
  // sender
  input  logic             s_capture_i,
  input  logic             s_valid_i,
  input  logic [BeatW-1:0] s_beat_i,
  output logic [NumVn-1:0] s_credit_o,
  // receiver
  output logic             r_valid_o,
  output logic [BeatW-1:0] r_beat_o,
  input  logic             r_capture_i,
  input  logic [NumVn-1:0] r_credit_i,
  output logic             empty_o
);
  if (Latency == 0 || CreditLatency == 0) begin : g_bad_latency
    $error("hd_link_pipe: Latency and CreditLatency must be at least 1");
  end

  logic             flit_new, credit_new, credit_valid, flits_empty, credits_empty;
  logic [NumVn-1:0] credit;
  assign flit_new   = s_valid_i && s_capture_i;
  assign credit_new = r_credit_i != '0 && r_capture_i;

  hd_delay #(.Width(BeatW), .Cycles(Latency - 1)) u_flits (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(flit_new), .data_i(s_beat_i), .valid_o(r_valid_o),
    .data_o(r_beat_o), .empty_o(flits_empty)
  );
  hd_delay #(.Width(NumVn), .Cycles(CreditLatency - 1)) u_credits (
    .clk_i(clk_i), .rst_i(rst_i), .valid_i(credit_new), .data_i(r_credit_i),
    .valid_o(credit_valid), .data_o(credit), .empty_o(credits_empty)
  );
  assign s_credit_o = credit_valid ? credit : '0;
  assign empty_o = flits_empty && credits_empty;
endmodule
`default_nettype wire
