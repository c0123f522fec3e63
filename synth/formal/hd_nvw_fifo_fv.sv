// hd_nvw_fifo_fv.sv - proof of hd_nvw_fifo: lines and markers leave in the order in which they came,
// a marker only behind all that came before it, and nothing leaves without need.
//
// The environment is free. One entry, any (pick_i), is followed from its push to its pop: the
// entries in front of it are counted. Markers inside are counted beside the design.
//@ proof nvw_fifo_2 pdr Depth=2
//@ proof nvw_fifo_4 pdr Depth=4
//@ bug marker_first persist/hd_nvw_fifo.sv s/out_ready_i(pop_o \&\& pop_ready_i)/out_ready_i(pop_o)/
//@ bug full_keeps persist/hd_nvw_fifo.sv s/some \&\& (marks_q != '0 || !push_ready_o)/some \&\& marks_q != '0/
//@ bug eager persist/hd_nvw_fifo.sv s/some \&\& (marks_q != '0 || !push_ready_o)/some/
//@ bug marks_lost persist/hd_nvw_fifo.sv s/if (in_mark != out_mark)/if (in_mark)/
//@ bug refused_mark persist/hd_nvw_fifo.sv s/push_i \&\& push_ready_o \&\& push_mark_i/push_i \&\& push_mark_i/
`default_nettype none
module hd_nvw_fifo_fv #(
  parameter int unsigned Depth = 4,
  parameter int unsigned CntW  = $clog2(Depth + 1)
) (
  input logic       clk_i,
  input logic       push_i,
  input logic       push_mark_i,
  input logic [1:0] push_entry_i,
  input logic       pop_ready_i,
  input logic       pick_i
);
  logic            rst_q, ready, pop, pop_mark, idle;
  logic [1:0]      pop_entry;
  logic [CntW-1:0] model_q, ahead_q, marks_q;
  logic            track_q, done_q, mark_q;
  logic [1:0]      entry_q;
  initial begin
    rst_q = 1; model_q = 0; ahead_q = 0; marks_q = 0; track_q = 0; done_q = 0; mark_q = 0; entry_q = 0;
  end
  hd_nvw_fifo #(.Depth(Depth), .EntryW(2)) u_dut (
    .clk_i(clk_i), .rst_i(rst_q), .push_i(push_i), .push_ready_o(ready),
    .push_mark_i(push_mark_i), .push_entry_i(push_entry_i), .pop_o(pop),
    .pop_ready_i(pop_ready_i), .pop_mark_o(pop_mark), .pop_entry_o(pop_entry), .idle_o(idle)
  );
  wire in  = push_i && ready && !rst_q;
  wire out = pop && pop_ready_i && !rst_q;

  always @(posedge clk_i) begin
    rst_q   <= 1'b0;
    model_q <= model_q + CntW'(in) - CntW'(out);
    marks_q <= marks_q + CntW'(in && push_mark_i) - CntW'(out && pop_mark);
    if (in && pick_i && !track_q && !done_q) begin
      track_q <= 1'b1;
      mark_q  <= push_mark_i;
      entry_q <= push_entry_i;
      ahead_q <= model_q - CntW'(out);
    end else if (track_q && out) begin
      if (ahead_q == 0) begin track_q <= 1'b0; done_q <= 1'b1; end
      else ahead_q <= ahead_q - CntW'(1);
    end
  end

  always @* if (!rst_q) begin
    not_refused:    assert (ready == (32'(model_q) != Depth));
    drains:         assert (pop == (model_q != 0 && (marks_q != 0 || 32'(model_q) == Depth)));
    idle_is_honest: assert (idle == !pop);
    still_inside:   assert (!track_q || ahead_q < model_q);
    its_mark_holds: assert (!(track_q && mark_q) || marks_q != 0);
    order_and_data: assert (!(track_q && ahead_q == 0) || !pop
                            || (pop_mark == mark_q && pop_entry == entry_q));
    marker_through: cover (done_q && mark_q && model_q == 0);
    line_through:   cover (done_q && !mark_q && 32'(model_q) == Depth);
    last_in_line:   cover (track_q && 32'(ahead_q) == Depth - 1);
  end
endmodule
`default_nettype wire
