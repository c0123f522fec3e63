// hd_fifo_fv.sv - proof of hd_fifo: nothing lost, doubled, reordered or refused without need.
//
// The environment is free. One beat, any (pick_i), is followed from its push to its pop: the beats
// in front of it are counted, and when none is left it must be on offer with its data.
//@ proof fifo_1 pdr Depth=1
//@ proof fifo_3 pdr Depth=3
//@ proof fifo_8 pdr Depth=8
//@ bug overflow common/hd_fifo.sv s/assign push = in_valid_i && in_ready_o/assign push = in_valid_i/
//@ bug underflow common/hd_fifo.sv s/assign pop  = out_valid_o && out_ready_i/assign pop  = out_ready_i/
//@ bug count common/hd_fifo.sv s/if (push != pop)/if (push)/
//@ bug refuses common/hd_fifo.sv s/assign in_ready_o  = count_q != CntW'(Depth)/assign in_ready_o  = count_q == '0 \&\& !out_ready_i/
`default_nettype none
module hd_fifo_fv #(
  parameter int unsigned Depth = 3,
  parameter int unsigned CntW  = $clog2(Depth + 1)
) (
  input logic       clk_i,
  input logic       in_valid_i,
  input logic       in_data_i,
  input logic       out_ready_i,
  input logic       pick_i
);
  logic            rst_q, in_ready, out_valid, out_data;
  logic [CntW-1:0] count, model_q, ahead_q;
  logic            track_q, data_q, done_q;
  initial begin rst_q = 1; model_q = 0; ahead_q = 0; track_q = 0; data_q = 0; done_q = 0; end
  hd_fifo #(.Width(1), .Depth(Depth)) u_dut (
    .clk_i(clk_i), .rst_i(rst_q), .in_valid_i(in_valid_i), .in_ready_o(in_ready),
    .in_data_i(in_data_i), .out_valid_o(out_valid), .out_ready_i(out_ready_i),
    .out_data_o(out_data), .count_o(count)
  );
  wire push = in_valid_i && in_ready && !rst_q;
  wire pop  = out_valid && out_ready_i && !rst_q;

  always @(posedge clk_i) begin
    rst_q <= 1'b0;
    model_q <= model_q + CntW'(push) - CntW'(pop);
    if (push && pick_i && !track_q && !done_q) begin
      track_q <= 1'b1;
      data_q  <= in_data_i;
      ahead_q <= model_q - CntW'(pop);
    end else if (track_q && pop) begin
      if (ahead_q == 0) begin track_q <= 1'b0; done_q <= 1'b1; end
      else ahead_q <= ahead_q - CntW'(1);
    end
  end

  always @* if (!rst_q) begin
    conserved:      assert (count == model_q && 32'(model_q) <= Depth);
    offered:        assert (out_valid == (model_q != 0));
    not_refused:    assert (in_ready == (32'(model_q) != Depth));
    still_inside:   assert (!track_q || ahead_q < model_q);
    order_and_data: assert (!(track_q && ahead_q == 0) || (out_valid && out_data == data_q));
    full:           cover (32'(count) == Depth && in_valid_i && out_ready_i);
    through:        cover (done_q && count == 0);
    last_in_line:   cover (track_q && 32'(ahead_q) == Depth - 1);
  end
endmodule
`default_nettype wire
