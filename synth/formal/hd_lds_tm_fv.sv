// hd_lds_tm_fv.sv - proof of the whole hd_lds_tm: a word has one attempt, its words are put back before anything else happens, who
// runs alone is alone and loses nothing. What the proofs of its parts take for granted is an assertion of the part, proved here.
//
// Two wavefronts of two lanes, two banks of two rows, one filter. Loads, stores, begins and commits come as a warp may offer them,
// plain accesses of either wavefront too, and perf is taken when it likes. Any one word is followed. What words hold is not looked at.
//@ proof lds_tm_2 pdr
//@ bug own_wavefront lds/hd_tm_signatures.sv s/= (row \& ~own) != '0;/= (row \& ~(Cols'(3) << (wf_i * 2))) != '0;/
//@ bug bits_outlive lds/hd_tm_phases.sv s/if (lose \&\& me\[v\])/if (1'b0)/
//@ bug walk_left lds/hd_tm_phases.sv s/PH_WALK: if (!still_i) phase/PH_WALK: if (1'b1) phase/
`default_nettype none
module hd_lds_tm_fv (
  input logic       clk_i,
  input logic       go_i,
  input logic [1:0] what_i,    // load, store, begin, commit
  input logic       wf_i,
  input logic [1:0] mask_i,
  input logic [3:0] word_i,    // of each lane {row, bank}
  input logic [1:0] data_i,
  input logic       ready_i,
  input logic [1:0] follow_i
);
  localparam logic [1:0] LOAD = 2'd0, STORE = 2'd1, BEGIN = 2'd2, COMMIT = 2'd3;
  logic        rst_q, ready, perf, cpl, idle;
  logic [1:0]  cpl_mask, cpl_tcm, hold;
  hd_pkg::lds_perf_s   perf_what;
  hd_pkg::lds_answer_s answer;
  hd_pkg::lds_ev_s     ev;
  hd_pkg::access_s     acc;
  hd_pkg::completion_s cpl_what;
  logic [63:0] words;
  // the operation on the port, held until it is taken
  logic        held_q, wf_q;
  logic [1:0]  what_q, mask_q, data_q;
  logic [3:0]  word_q;
  // of the wavefronts, as completions tell: an attempt is open, lanes to retry, an answer is awaited; lanes; those that have lost
  logic [1:0]  run_q, retry_q, wait_q;
  logic [3:0]  lanes_q, tcm_q;
  initial begin
    rst_q = 1; held_q = 0; run_q = 0; retry_q = 0; wait_q = 0; tcm_q = 0; lanes_q = 0;
  end

  wire [1:0] own   = wf_i ? lanes_q[3:2] : lanes_q[1:0];
  wire       legal = !wait_q[wf_i]
                     && (what_i == BEGIN ? !run_q[wf_i] && (retry_q[wf_i] || mask_i != 0)
                         : what_i == COMMIT ? run_q[wf_i]
                         : mask_i != 0 && !(run_q[wf_i] && (mask_i & ~own) != 0));
  wire [1:0] mask_new = (what_i == COMMIT || (what_i == BEGIN && retry_q[wf_i])) ? own : mask_i;
  wire       valid = !rst_q && (held_q || (go_i && legal));
  wire [1:0] what  = held_q ? what_q : what_i;
  wire       wf    = held_q ? wf_q : wf_i;
  wire [1:0] mask  = held_q ? mask_q : mask_new;
  wire [1:0] data  = held_q ? data_q : data_i;
  wire [3:0] word  = held_q ? word_q : word_i;
  wire       inside = run_q[wf];             // an access of an attempt

  always_comb begin
    acc      = '0;
    acc.warp = {5'd0, wf};
    acc.kind = what == LOAD ? hd_pkg::OP_LOAD : what == STORE ? hd_pkg::OP_STORE
               : what == BEGIN ? hd_pkg::OP_TX_BEGIN : hd_pkg::OP_TX_COMMIT;
  end
  assign answer = {ready_i, 1'b1};
  hd_lds_tm #(
    .Lanes(2), .Words(4), .Banks(2), .WordW(32), .Warps(2), .TmWarps(2), .TmRows(2), .Hash(1)
  ) u_dut (
    .clk_i(clk_i), .rst_i(rst_q), .in_valid_i(valid), .in_ready_o(ready), .in_acc_i(acc),
    .in_body_i({mask, word, {32{data[1]}}, {32{data[0]}}, 64'd0}),
    .perf_valid_o(perf), .perf_o(perf_what), .perf_i(answer), .cpl_valid_o(cpl),
    .cpl_body_o({cpl_tcm, cpl_what, cpl_mask, words}), .hold_o(hold), .ev_o(ev), .idle_o(idle)
  );

  // operations in the two stages behind the port: a plain one waits for perf; one completes
  logic       g_wf_q, c_q, c_wf_q, c_in_q;
  logic [1:0] g_what_q, g_hit_q, g_mask_q, c_what_q, c_hit_q, c_mask_q;
  logic       set_q;
  logic [1:0] at_q;
  initial begin c_q = 0; set_q = 0; end
  wire       take = valid && ready;
  wire       done = perf && ready_i;
  wire       tx   = inside || what == BEGIN || what == COMMIT;
  wire       now  = take && tx;              // completes with what is on the port
  wire [1:0] hit  = {mask[1] && word[3:2] == at_q, mask[0] && word[1:0] == at_q} & {2{set_q && !what[1]}};

  // the attempt that holds the word {wavefront, lane}; a wavefront runs alone
  logic holds_q, h_wf_q, h_lane_q;
  logic token_q, t_wf_q;
  initial begin holds_q = 0; token_q = 0; end

  wire [1:0] c_tcm   = c_wf_q ? tcm_q[3:2] : tcm_q[1:0];
  wire [1:0] good    = c_hit_q & ~cpl_tcm & ~c_tcm;      // lanes of an attempt that have got the word
  wire       begun   = c_q && c_what_q == BEGIN && cpl_tcm != c_mask_q;
  wire       alone   = begun && cpl_what.status[1:0] == hd_pkg::TM_WG;
  wire       ends    = c_q && c_what_q == COMMIT;
  wire       inner   = c_q && c_in_q && !c_what_q[1];
  wire       plain   = c_q && !c_in_q && !c_what_q[1];
  wire       lane    = good[1];
  wire       mine    = holds_q && h_wf_q == c_wf_q;
  wire       loses   = holds_q && ((inner && mine && cpl_tcm[h_lane_q])
                                   || (alone && h_wf_q != c_wf_q));
  wire       takes   = inner && good != 0 && !(mine && h_lane_q == lane);
  always @(posedge clk_i) begin
    rst_q  <= 1'b0;
    set_q  <= 1'b1;
    if (!set_q) at_q <= follow_i;
    held_q <= valid && !ready;
    if (valid && !held_q) begin
      what_q <= what_i;
      wf_q   <= wf_i;
      mask_q <= mask_new;
      data_q <= data_i;
      word_q <= word_i;
    end
    if (take && what[1]) wait_q[wf] <= 1'b1;
    if (take && !tx) begin
      g_what_q <= what;
      g_wf_q   <= wf;
      g_hit_q  <= hit;
      g_mask_q <= mask;
    end
    c_q <= done && !rst_q;
    if (done) begin
      c_what_q <= now ? what : g_what_q;
      c_wf_q   <= now ? wf : g_wf_q;
      c_hit_q  <= now ? hit : g_hit_q;
      c_mask_q <= now ? mask : g_mask_q;
      c_in_q   <= now && inside;
    end
    // what completes
    if (begun || ends || (c_q && c_what_q == BEGIN)) wait_q[c_wf_q] <= take && what[1] && wf == c_wf_q;
    if (begun) begin
      run_q[c_wf_q]    <= 1'b1;
      retry_q[c_wf_q]  <= 1'b0;
      if (c_wf_q) begin
        lanes_q[3:2] <= c_mask_q;
        tcm_q[3:2]   <= cpl_tcm;
      end else begin
        lanes_q[1:0] <= c_mask_q;
        tcm_q[1:0]   <= cpl_tcm;
      end
      if (alone) begin
        token_q <= 1'b1;
        t_wf_q  <= c_wf_q;
        if (run_q[!c_wf_q]) begin
          if (c_wf_q) tcm_q[1:0] <= lanes_q[1:0];
          else tcm_q[3:2] <= lanes_q[3:2];
        end
      end
    end
    if (inner) begin
      if (c_wf_q) tcm_q[3:2] <= cpl_tcm;
      else tcm_q[1:0] <= cpl_tcm;
    end
    if (ends) begin
      run_q[c_wf_q]   <= 1'b0;
      retry_q[c_wf_q] <= cpl_tcm != 0;
      if (c_wf_q) lanes_q[3:2] <= cpl_tcm;
      else lanes_q[1:0] <= cpl_tcm;
      if (token_q && t_wf_q == c_wf_q) token_q <= 1'b0;
    end
    // the word
    if (loses || (ends && mine)) holds_q <= 1'b0;
    if (takes) begin
      holds_q  <= 1'b1;
      h_wf_q   <= c_wf_q;
      h_lane_q <= lane;
    end
  end

  always @* if (!rst_q && set_q) begin
    performed: assert (cpl == c_q);
    one_owner: assert (!(inner && good != 0) || (good != 2'b11 && (!holds_q || (mine && h_lane_q == lane))));
    stay_lost: assert (!inner || (c_tcm & ~cpl_tcm) == 0);
    retries:   assert (!ends || cpl_tcm == c_tcm);
    one_alone: assert (!(token_q && begun));
    alone_gets: assert (!(token_q && inner && c_wf_q == t_wf_q) || cpl_tcm == c_tcm);
    killed:    cover (alone && loses);
    raced:     cover (plain && c_hit_q != 0 && c_what_q == STORE && holds_q);
    partly:    cover (ends && cpl_tcm != 0 && cpl_tcm != c_mask_q);
  end
  logic unused;
  assign unused = ^{words, idle, perf_what, cpl_mask, hold, ev};
endmodule
`default_nettype wire
