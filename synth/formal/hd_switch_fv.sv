// hd_switch_fv.sv - proof of the router's switch: no flit lost, made up, altered or out of order.
//
// hd_switch itself, Ins inputs, two outputs and Nets networks; a flit carries its input, a bit of
// data and, in heads, its output. Senders keep to their credits, receivers give them back when
// they like. One flit, any (pick_i), is followed: it leaves once, by the output of its packet, on
// its network, after exactly those that came before it on its (input, network). Packets of an
// (output, network) do not mix. When the switch says it is idle, nothing is inside. Where packets
// go: hd_route_xy_fv.
//@ proof switch_2x2 pdr Depth=1 Nets=1
//@ bug packets_mix noc/hd_switch.sv s/(body_q . ~pop) | (pop . ~tail)/'0/
//@ bug other_input noc/hd_switch.sv s/front\[v\*Ins + 32'(/front[v*Ins + Ins - 1 - 32'(/
//@ bug lost noc/hd_switch.sv s/= pop\[v\*Ins + i\]/= pop[v*Ins + i] || (valid[v] \&\& out_credit_i[0])/
//@ bug doubled noc/hd_switch.sv s/= pop\[v\*Ins + i\]/= pop[v*Ins + i] \&\& !out_credit_i[0]/
//@ bug idle_early noc/hd_switch.sv s/(&rx_idle) && //
`default_nettype none
module hd_switch_fv #(
  parameter int unsigned Depth = 1,
  parameter int unsigned Nets  = 2,
  parameter int unsigned Ins   = 2
) (
  input logic           clk_i,
  input logic [Ins-1:0] any_send_i,
  input logic [Ins-1:0] any_net_i,
  input logic [Ins-1:0] any_tail_i,
  input logic [Ins-1:0] any_out_i,
  input logic [Ins-1:0] any_data_i,
  input logic [2*Nets-1:0] any_credit_i,
  input logic           pick_i
);
  localparam int unsigned FlitW = hd_pkg::ROUTE_W;
  localparam int unsigned Q     = Ins * Nets;   // (input, network): i * Nets + v
  logic           rst_q;
  logic [3*Q-1:0] cr_q, cr_d, in_q, in_d;       // credits of a sender; flits inside
  logic [Q-1:0]   body_q, body_d, to_q, to_d;   // a packet is open, it is for that output
  logic [3*2*Nets-1:0] held_q, held_d;          // flits an output's receiver holds
  logic [2*Nets-1:0] open_q, open_d, from_q, from_d;
  logic           track_q, track_d, done_q, done_d, tin_q, tin_d, tnet_q, tnet_d;
  logic           data_q, data_d, tail_q, tail_d, out_q, out_d;
  logic [2:0]     ahead_q, ahead_d;
  initial begin
    rst_q = 1; in_q = 0; body_q = 0; to_q = 0; held_q = 0; open_q = 0; from_q = 0; track_q = 0;
    done_q = 0; tin_q = 0; tnet_q = 0; data_q = 0; tail_q = 0; out_q = 0; ahead_q = 0;
    cr_q = {Q{3'(Depth)}};
  end
  logic [Ins-1:0] send, to;
  logic [Ins*hd_pkg::VN_W-1:0] in_vn;
  logic [Ins*FlitW-1:0] in_flit;
  logic [Ins*Nets-1:0] in_credit, head;
  logic [Ins*Nets*hd_pkg::ROUTE_W-1:0] route;
  logic [2*Ins*Nets-1:0] want;
  logic [1:0] out_valid, out_tail;
  logic [2*hd_pkg::VN_W-1:0] out_vn;
  logic [2*FlitW-1:0] out_flit;
  logic [2*Nets-1:0] out_credit;
  logic moved, blocked, idle;
  for (genvar i = 0; i < Ins; i = i + 1) begin : g_in
    wire net = Nets > 1 && any_net_i[i];
    assign send[i] = !rst_q && any_send_i[i] && 3'(cr_q >> (3 * (i * Nets + 32'(net)))) != 0;
    assign to[i]   = 1'(body_q >> (i * Nets + 32'(net))) ? 1'(to_q >> (i * Nets + 32'(net)))
                                                         : any_out_i[i];
    assign in_vn[i*hd_pkg::VN_W +: hd_pkg::VN_W] = hd_pkg::VN_W'(net);
    assign in_flit[i*FlitW +: FlitW] = FlitW'({any_data_i[i], 1'(i), any_out_i[i]});
    for (genvar v = 0; v < Nets; v = v + 1) begin : g_net
      assign want[v*Ins + i]            = head[v*Ins + i] && !route[(v*Ins + i)*hd_pkg::ROUTE_W];
      assign want[(Nets + v)*Ins + i]   = head[v*Ins + i] && route[(v*Ins + i)*hd_pkg::ROUTE_W];
    end
  end
  for (genvar o = 0; o < 2*Nets; o = o + 1) begin : g_credit
    assign out_credit[o] = !rst_q && any_credit_i[o] && held_q[3*o +: 3] != 0;
  end
  hd_switch #(.Ins(Ins), .Outs(2), .NumVn(Nets), .RxDepth(Depth), .TxCredits(Depth), .FlitW(FlitW))
  u_switch (
    .clk_i(clk_i), .rst_i(rst_q), .in_valid_i(send), .in_beats_i({in_vn, any_tail_i, in_flit}),
    .in_credit_o(in_credit), .out_valid_o(out_valid), .out_beats_o({out_vn, out_tail, out_flit}),
    .out_credit_i(out_credit), .head_o(head), .route_o(route), .want_i(want), .moved_o(moved),
    .blocked_o(blocked), .idle_o(idle)
  );
  logic made_up, mixed, wrong, sends;
  integer i, o, v;
  always_comb begin
    cr_d = cr_q; in_d = in_q; body_d = body_q; to_d = to_q; held_d = held_q; open_d = open_q;
    from_d = from_q; track_d = track_q; done_d = done_q; tin_d = tin_q; tnet_d = tnet_q;
    data_d = data_q; tail_d = tail_q; out_d = out_q; ahead_d = ahead_q;
    made_up = 1'b0; mixed = 1'b0; wrong = 1'b0; sends = 1'b0;
    // what leaves
    for (o = 0; o < 2; o = o + 1) begin
      for (v = 0; v < Nets; v = v + 1) begin
        for (i = 0; i < Ins; i = i + 1) begin
          if (!rst_q && out_valid[o] && 32'(out_vn[o*hd_pkg::VN_W +: hd_pkg::VN_W]) == v
              && 32'(out_flit[o*FlitW+1]) == i) begin
            if (in_d[3*(i*Nets+v) +: 3] == 0) made_up = 1'b1;
            in_d[3*(i*Nets+v) +: 3] = in_d[3*(i*Nets+v) +: 3] - 3'd1;
            held_d[3*(o*Nets+v) +: 3] = held_d[3*(o*Nets+v) +: 3] + 3'd1;
            if (open_q[o*Nets+v] && 32'(from_q[o*Nets+v]) != i) mixed = 1'b1;
            open_d[o*Nets+v] = !out_tail[o];
            from_d[o*Nets+v] = 1'(i);
            if (track_q && 32'(tin_q) == i && 32'(tnet_q) == v) begin
              if (ahead_q == 0) begin
                if (32'(out_q) != o || out_tail[o] != tail_q || out_flit[o*FlitW+2] != data_q)
                  wrong = 1'b1;
                track_d = 1'b0; done_d = 1'b1;
              end else ahead_d = ahead_q - 3'd1;
            end
          end
        end
        if (out_credit[o*Nets+v]) held_d[3*(o*Nets+v) +: 3] = held_d[3*(o*Nets+v) +: 3] - 3'd1;
      end
    end
    // what comes
    for (i = 0; i < Ins; i = i + 1) begin
      for (v = 0; v < Nets; v = v + 1) begin
        sends = send[i] && 32'(in_vn[i*hd_pkg::VN_W +: hd_pkg::VN_W]) == v;
        if (sends) begin
          if (pick_i && !track_q && !done_q && (i == 0 || !send[0])) begin
            track_d = 1'b1; tin_d = 1'(i); tnet_d = 1'(v); data_d = any_data_i[i];
            tail_d = any_tail_i[i]; out_d = to[i]; ahead_d = in_d[3*(i*Nets+v) +: 3];
          end
          in_d[3*(i*Nets+v) +: 3] = in_d[3*(i*Nets+v) +: 3] + 3'd1;
          body_d[i*Nets+v] = !any_tail_i[i];
          to_d[i*Nets+v]   = to[i];
        end
        if (!rst_q) cr_d[3*(i*Nets+v) +: 3] = cr_q[3*(i*Nets+v) +: 3] - 3'(sends)
                                              + 3'(in_credit[i*Nets+v]);
      end
    end
  end
  always @(posedge clk_i) begin
    rst_q <= 1'b0;
    cr_q <= cr_d; in_q <= in_d; body_q <= body_d; to_q <= to_d; held_q <= held_d;
    open_q <= open_d; from_q <= from_d; track_q <= track_d; done_q <= done_d; tin_q <= tin_d;
    tnet_q <= tnet_d; data_q <= data_d; tail_q <= tail_d; out_q <= out_d; ahead_q <= ahead_d;
  end
  logic over;
  always_comb begin
    over = 1'b0;
    for (i = 0; i < Q; i = i + 1) begin
      if (32'(cr_q[3*i +: 3]) > Depth || 32'(in_q[3*i +: 3]) > Depth + 1) over = 1'b1;
    end
    for (i = 0; i < 2*Nets; i = i + 1) if (32'(held_q[3*i +: 3]) > Depth) over = 1'b1;
  end
  always @* if (!rst_q) begin
    none_made_up: assert (!made_up);
    not_mixed:    assert (!mixed);
    in_order:     assert (!wrong);
    none_lost:    assert (!idle || in_q == 0);
    bounded:      assert (!over);
    followed:     assert (!track_q
                          || 3'(in_q >> (3 * (32'(tin_q) * Nets + 32'(tnet_q)))) > ahead_q);
    leaves:       cover (done_q && idle);
    waits:        cover (track_q && blocked && moved);
    all_full:     cover (held_q[2:0] == 3'(Depth) && in_q[2:0] == 3'(Depth));
  end
endmodule
`default_nettype wire
