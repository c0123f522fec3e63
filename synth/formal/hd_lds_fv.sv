// hd_lds_fv.sv - proof of hd_lds: every access is performed once, in order, with the right words.
//
// Two lanes, two banks of two words, words all of one bit's value, atomics exchange. Any one word is
// followed: its value is that of the last store or atomic accepted, and that is what every lane gets.
//@ proof lds_2 pdr
//@ proof lds_idle idle
//@ bug@lds_2 row lds/hd_lds_pass.sv s/(rem\[l\] \&\& !alone_i/(rem[l] \&\& 1'b1/
//@ bug@lds_2 bypass lds/hd_lds_banks.sv s/newer\[b\] = we\[b\]/newer[b] = 1'b0 \&\& we[b]/
//@ bug@lds_2 stall lds/hd_lds_pass.sv s/assign pass = valid_i \&\& !stall_i/assign pass = valid_i/
//@ bug@lds_2 highest lds/hd_lds_pass.sv s/if (serve\[l\]) top/if (lead[l]) top/
//@ bug@lds_idle early lds/hd_lds_result.sv s/!there_i.valid \&\& !cpl_valid_o/!cpl_valid_o/
`default_nettype none
module hd_lds_fv (
  input logic       clk_i,
  input logic       go_i,
  input logic [1:0] kind_i,
  input logic [1:0] mask_i,
  input logic [3:0] word_i,
  input logic [1:0] data_i,
  input logic       ready_i,
  input logic [1:0] follow_i
);
  (* keep *) wire fv_idle;
  logic        rst_q, past_q, ready, perf, cpl, idle;
  logic [1:0]  cpl_mask;
  hd_pkg::lds_perf_s   perf_what;
  hd_pkg::lds_answer_s answer;
  hd_pkg::lds_ev_s     ev;
  hd_pkg::access_s     acc;
  hd_pkg::completion_s cpl_what;
  logic [63:0] words;
  // the access on the port, held until it is taken
  logic        held_q;
  logic [1:0]  kind_q, mask_q, data_q;
  logic [3:0]  word_q;
  initial begin rst_q = 1; past_q = 0; held_q = 0; end
  wire       valid = !rst_q && (held_q || (go_i && mask_i != 0 && kind_i != 2'd3));
  wire [1:0] kind = held_q ? kind_q : kind_i;
  wire [1:0] mask = held_q ? mask_q : mask_i;
  wire [1:0] data = held_q ? data_q : data_i;
  wire [3:0] word = held_q ? word_q : word_i;

  always_comb begin
    acc      = '0;
    acc.warp = 6'(mask);
    acc.slot = 3'd1;
    acc.kind = {3'd0, kind};
    acc.fn   = hd_pkg::AT_EXCH;
  end
  wire [5:0] cpl_warp = cpl_what.warp;
  assign answer = {ready_i, 1'b1};
  hd_lds #(.Lanes(2), .Words(4), .Banks(2), .WordW(32)) u_dut (
    .clk_i(clk_i), .rst_i(rst_q), .in_valid_i(valid), .in_ready_o(ready), .in_acc_i(acc),
    .in_body_i({mask, word, {32{data[1]}}, {32{data[0]}}, 64'd0}),
    .perf_valid_o(perf), .perf_o(perf_what), .perf_i(answer), .cpl_valid_o(cpl),
    .cpl_body_o({cpl_what, cpl_mask, words}), .ev_o(ev), .idle_o(idle)
  );
  assign fv_idle = past_q && !rst_q && idle && !valid;

  // the word that is followed: what its lanes must get, in the two stages behind the port
  logic [1:0] at_q;
  logic       set_q, known_q, value_q;
  logic       g_q, c_q;                     // an access waits for perf; completes
  logic [1:0] g_mask_q, g_hit_q, g_old_q, c_mask_q, c_hit_q, c_old_q;
  initial begin set_q = 0; known_q = 0; g_q = 0; c_q = 0; end
  wire       take = valid && ready;
  wire       h0 = mask[0] && word[1:0] == at_q, h1 = mask[1] && word[3:2] == at_q;
  wire       write = kind != hd_pkg::OP_LOAD;
  wire       mid = (kind == hd_pkg::OP_ATOMIC && h0) ? data[0] : value_q;  // for the upper lane
  wire       mid_known = known_q || (kind == hd_pkg::OP_ATOMIC && h0);
  always @(posedge clk_i) begin
    rst_q  <= 1'b0;
    past_q <= !rst_q;
    held_q <= valid && !ready;
    if (valid && !held_q) begin
      kind_q <= kind_i;
      mask_q <= mask_i;
      data_q <= data_i;
      word_q <= word_i;
    end
    if (!set_q) at_q <= follow_i;
    set_q <= 1'b1;
    if (set_q && take && write && (h0 || h1)) begin
      value_q <= h1 ? data[1] : data[0];
      known_q <= 1'b1;
    end
    if (!rst_q) begin
      g_q <= take || (g_q && !ready_i);
      c_q <= g_q && ready_i;
    end
    if (take) begin
      g_mask_q <= mask;
      g_hit_q  <= (kind == hd_pkg::OP_STORE || !set_q) ? 2'b00
                                                       : {h1 && mid_known, h0 && known_q};
      g_old_q  <= {mid, value_q};
    end
    if (g_q && ready_i) begin
      c_mask_q <= g_mask_q;
      c_hit_q  <= g_hit_q;
      c_old_q  <= g_old_q;
    end
  end
  always @* if (!rst_q) begin
    performed: assert (perf == g_q && cpl == c_q);
    stands:    assert (!(take && g_q && !ready_i));
    lanes_of:  assert (!perf || (perf_what.lanes[1:0] == 2'(g_mask_q[0]) + 2'(g_mask_q[1])
                       && perf_what.who.warp == 6'(g_mask_q)));
    mask_of:   assert (!cpl || (cpl_mask == c_mask_q && cpl_warp == 6'(c_mask_q)));
    word_0:    assert (!(cpl && c_hit_q[0]) || words[31:0] == {32{c_old_q[0]}});
    word_1:    assert (!(cpl && c_hit_q[1]) || words[63:32] == {32{c_old_q[1]}});
    both:      cover (cpl && c_hit_q == 2'b11 && c_old_q == 2'b01 && ev.conflict);
    waits:     cover (perf && !ready_i && valid && cpl);
    rest:      cover (fv_idle && known_q);
  end
endmodule
`default_nettype wire
