// hd_link_fv.sv - proof of a credited link: hd_link_tx, Wire registers each way, hd_link_rx.
//
// Two networks. Senders, receivers and the ticks of both ends are free. The receiver never
// overflows and the sender never gets a credit it did not spend (assertions of the RTL, proved
// here); credits are conserved: what is out of the sender's hands is never more than Credits, comes
// home when the link is empty, and no network with a credit at home is refused while it alone wants
// to send. One flit, any (pick_i), is followed to see order and data.
//@ proof link_2 pdr Credits=2
//@ proof link_3 pdr Credits=3
//@ proof link_2_wire pdr Credits=2 Wire=1
//@ bug credit_leak common/hd_link_tx.sv s/if (credit_i != sent)/if ((credit_i | sent) != '0)/;s/if (credit_i\[v\] != sent\[v\])/if (sent[v] || (credit_i[v] \&\& !tick_i))/
//@ bug credit_made common/hd_link_rx.sv s/- CntW'(tick_i && owing\[v\])/- CntW'(tick_i \&\& pop[v])/
//@ bug sends_without common/hd_link_tx.sv s/in_valid_i\[v\] && credit_q\[v\*CredW +: CredW\] != '0/in_valid_i[v]/
//@ bug wrong_network common/hd_link_rx.sv s/assign pop         = some_q \& out_ready_i/assign pop         = some_q \& {out_ready_i[0], out_ready_i[1]}/
//@ bug empty_early common/hd_link_rx.sv s/emptied\[v\] = pop\[v\] &&/emptied[v] = pop[v] \&\& tick_i ||/
`default_nettype none
module hd_link_fv #(
  parameter int unsigned Credits = 2,
  parameter int unsigned Wire    = 0,
  parameter int unsigned CntW    = $clog2(Credits + 1)
) (
  input logic       clk_i,
  input logic       tx_tick_i,
  input logic       rx_tick_i,
  input logic [1:0] in_valid_i,
  input logic [1:0] in_tail_i,
  input logic [1:0] in_flit_i,
  input logic [1:0] out_ready_i,
  input logic       pick_i,
  input logic       pick_vn_i
);
  logic       rst_q, valid, tail, flit, w_valid, w_tail, w_flit, tx_idle, rx_idle, all_home;
  logic [1:0] in_ready, vn, w_vn, credit, w_credit, out_valid, out_tail, out_flit;
  // credits away from the sender; flits not yet taken
  logic [CntW-1:0] out0_q, out1_q, at0_q, at1_q, buf0_q, buf1_q;
  logic       track_q, done_q, data_q, tvn_q;
  logic [CntW-1:0] ahead_q;
  initial begin
    rst_q = 1; out0_q = 0; out1_q = 0; at0_q = 0; at1_q = 0; track_q = 0; done_q = 0; data_q = 0;
    tvn_q = 0; ahead_q = 0; buf0_q = 0; buf1_q = 0;
  end
  hd_link_tx #(.FlitW(1), .NumVn(2), .Credits(Credits)) u_tx (
    .clk_i(clk_i), .rst_i(rst_q), .tick_i(tx_tick_i && !rst_q), .in_valid_i(in_valid_i),
        .in_ready_o(in_ready),
    .in_tail_i(in_tail_i), .in_flit_i(in_flit_i), .valid_o(valid), .vn_o(vn), .tail_o(tail),
    .flit_o(flit), .credit_i(w_credit), .idle_o(tx_idle), .full_credit_o(all_home)
  );
  hd_link_rx #(.FlitW(1), .NumVn(2), .Depth(Credits)) u_rx (
    .clk_i(clk_i), .rst_i(rst_q), .tick_i(rx_tick_i), .valid_i(w_valid), .vn_i(w_vn),
    .tail_i(w_tail), .flit_i(w_flit), .credit_o(credit), .out_valid_o(out_valid),
    .out_ready_i(out_ready_i), .out_tail_o(out_tail), .out_flit_o(out_flit), .idle_o(rx_idle)
  );
  if (Wire == 0) begin : g_short
    assign {w_valid, w_vn, w_tail, w_flit, w_credit} = {valid && !rst_q, vn, tail, flit,
        rst_q ? 2'b00 : credit};
  end else begin : g_wire
    logic [6:0] wire_q;
    initial wire_q = 0;
    always @(posedge clk_i) wire_q <= rst_q ? '0 : {valid, vn, tail, flit, credit};
    assign {w_valid, w_vn, w_tail, w_flit, w_credit} = wire_q;
  end
  wire [1:0] sent  = rst_q ? 2'b00 : in_valid_i & in_ready;
  wire [1:0] taken = rst_q ? 2'b00 : out_valid & out_ready_i;
  wire [CntW-1:0] at_t = tvn_q ? at1_q : at0_q;
  wire [CntW-1:0] at_p = pick_vn_i ? at1_q - CntW'(taken[1]) : at0_q - CntW'(taken[0]);
  always @(posedge clk_i) begin
    rst_q  <= 1'b0;
    out0_q <= out0_q + CntW'(sent[0]) - CntW'(w_credit[0]);
    out1_q <= out1_q + CntW'(sent[1]) - CntW'(w_credit[1]);
    at0_q  <= at0_q + CntW'(sent[0]) - CntW'(taken[0]);
    at1_q  <= at1_q + CntW'(sent[1]) - CntW'(taken[1]);
    buf0_q <= buf0_q + CntW'(w_valid && w_vn == 0) - CntW'(taken[0]);
    buf1_q <= buf1_q + CntW'(w_valid && w_vn == 1) - CntW'(taken[1]);
    if (pick_i && !track_q && !done_q && sent[pick_vn_i]) begin
      track_q <= 1'b1;
      tvn_q   <= pick_vn_i;
      data_q  <= in_flit_i[pick_vn_i];
      ahead_q <= at_p;
    end else if (track_q && taken[tvn_q]) begin
      if (ahead_q == 0) begin track_q <= 1'b0; done_q <= 1'b1; end
      else ahead_q <= ahead_q - 1'b1;
    end
  end
  always @* if (!rst_q) begin
    bounded:     assert (32'(out0_q) <= Credits && 32'(out1_q) <= Credits && at0_q <= out0_q &&
        at1_q <= out1_q);
    home:        assert (all_home == (out0_q == 0 && out1_q == 0));
    quiet:       assert (!(tx_idle && rx_idle && Wire == 0) || all_home);
    one:         assert ((in_ready & (in_ready - 1'b1)) == 0 && (in_ready == 0 || tx_tick_i));
    not_refused: assert (!tx_tick_i || in_ready != 0 || ((!in_valid_i[0] || 32'(out0_q) == Credits)
                         && (!in_valid_i[1] || 32'(out1_q) == Credits)));
    offered:     assert (out_valid == {buf1_q != 0, buf0_q != 0});
    inside:      assert (!track_q || ahead_q < at_t);
    order_data:  assert (!(track_q && ahead_q == 0 && taken[tvn_q]) || out_flit[tvn_q] == data_q);
    both_out:    cover (32'(out0_q) == Credits && 32'(out1_q) == Credits && at0_q == 0);
    all_back:    cover (done_q && all_home && rx_idle);
    stuck_vn:    cover (32'(at0_q) == Credits && sent[1] && taken[1]);
  end
endmodule
`default_nettype wire
