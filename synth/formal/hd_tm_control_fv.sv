// hd_tm_control_fv.sv - proof of hd_tm_control: one token, who holds it runs alone, no wavefront tries in vain for ever.
//
// Wavefronts begin, lose lanes and commit in any order, as the LDS lets them: an attempt that runs alone loses none, an
// attempt of one lane none to itself. Any one wavefront is followed.
//@ proof tm_control_2 pdr TmWarps=2
//@ proof tm_control_3 pdr TmWarps=3
//@ bug token_kept lds/hd_tm_control.sv s/token_q <= token_q \& ~me;/if (rest == '0) token_q <= token_q \& ~me;/
//@ bug not_held lds/hd_tm_control.sv s/hold_o = (chosen != '0) ? ~chosen : '0;/hold_o = '0;/
//@ bug not_sent_back lds/hd_tm_control.sv s/again_o  = ev_i.start \&\& (hold_o \& me) != '0;/again_o  = 1'b0;/
//@ bug not_killed lds/hd_tm_control.sv s/if (alone_o \&\& others_o\[v\]) tcm_q/if (1'b0) tcm_q/
//@ bug two_lanes lds/hd_tm_control.sv s/: lanes \& (lanes - 1'b1);/: '0;/
//@ bug never_serial lds/hd_tm_control.sv s/? hd_pkg::TM_WF : hd_pkg::TM_WG;/? hd_pkg::TM_TX : hd_pkg::TM_WG;/
//@ bug never_alone lds/hd_tm_control.sv s/: (mode == hd_pkg::TM_TX) ? hd_pkg::TM_WF : hd_pkg::TM_WG;/: hd_pkg::TM_WF;/
`default_nettype none
module hd_tm_control_fv #(
  parameter int unsigned TmWarps = 2,
  parameter int unsigned WfW     = hd_pkg::idx_w(TmWarps)
) (
  input logic           clk_i,
  input logic [1:0]     what_i,  // 1 begin, 2 commit, 3 lose
  input logic [WfW-1:0] wf_i,
  input logic [1:0]     mask_i,
  input logic [WfW-1:0] follow_i
);
  logic               rst_q, runs, again, alone, inside;
  logic [1:0]         live, tcm, mode;
  logic [TmWarps-1:0] others, hold, me;
  // of each wavefront, what the operations tell: state and lanes of its transaction
  logic [TmWarps-1:0]   run_q, retry_q, killed_q;
  logic [TmWarps*2-1:0] lanes_q;
  logic [1:0]           lanes;
  integer v;
  initial begin rst_q = 1; run_q = 0; retry_q = 0; killed_q = 0; end

  always_comb begin
    me     = '0;
    lanes  = '0;
    for (v = 0; v < TmWarps; v = v + 1) begin
      if (32'(wf_i) == v) begin
        me[v] = 1'b1;
        lanes = lanes_q[v*2 +: 2];
      end
    end
    inside = 32'(wf_i) < TmWarps;
  end
  wire       is_run  = (run_q & me) != '0;
  wire       is_idle = ((run_q | retry_q) & me) == '0;
  wire       begins  = !rst_q && inside && what_i == 2'd1 && !is_run && (!is_idle || mask_i != '0);
  wire       commits = !rst_q && inside && what_i == 2'd2 && is_run;
  wire       loses   = !rst_q && inside && what_i == 2'd3 && is_run && mode != hd_pkg::TM_WG
                       && (mask_i & ~live) == '0 && mask_i != '0;
  wire [1:0] mask    = (begins && is_idle) ? mask_i : lanes;
  hd_pkg::tm_event_s ev;
  assign ev = {begins, commits, loses};
  hd_tm_control #(.Lanes(2), .TmWarps(TmWarps)) u_dut (
    .clk_i(clk_i), .rst_i(rst_q), .wf_i(wf_i), .mask_i(mask), .ev_i(ev), .lost_i(mask_i),
    .runs_o(runs), .live_o(live), .tcm_o(tcm), .mode_o(mode), .again_o(again), .alone_o(alone),
    .others_o(others), .hold_o(hold)
  );

  // the wavefront that is followed: attempts in a row that committed no lane and were not killed
  logic           set_q, token_q;     // token_q: some wavefront runs alone
  logic [WfW-1:0] at_q, owner_q;
  logic [2:0]     vain_q;
  logic           fresh_q;            // its attempt has begun in the cycle before
  initial begin set_q = 0; token_q = 0; vain_q = 0; fresh_q = 0; end
  wire at_it = set_q && wf_i == at_q;
  wire ended = commits && (tcm & lanes) == lanes;  // in vain
  always @(posedge clk_i) begin
    rst_q <= 1'b0;
    set_q <= 1'b1;
    if (!set_q) at_q <= follow_i;
    fresh_q <= at_it && begins && !again;
    if (begins && !again) begin
      run_q    <= run_q | me;
      retry_q  <= retry_q & ~me;
      killed_q <= (killed_q & ~me) | (alone ? run_q & ~me : '0);
      for (v = 0; v < TmWarps; v = v + 1) if (me[v]) lanes_q[v*2 +: 2] <= mask;
    end
    if (begins && alone) begin
      token_q <= 1'b1;
      owner_q <= wf_i;
    end
    if (commits) begin
      run_q   <= run_q & ~me;
      retry_q <= (tcm & lanes) != '0 ? retry_q | me : retry_q & ~me;
      for (v = 0; v < TmWarps; v = v + 1) if (me[v]) lanes_q[v*2 +: 2] <= tcm & lanes;
      if (token_q && owner_q == wf_i) token_q <= 1'b0;
      if (at_it && (killed_q & me) == '0) vain_q <= ended ? vain_q + 1'b1 : 3'd0;
    end
  end
  always @* if (!rst_q && inside) begin
    one_token:    assert (!(token_q && alone));
    held:         assert (!(token_q && begins && wf_i != owner_q) || again);
    alone_runs:   assert (!token_q || !is_run || wf_i == owner_q || live == '0);
    never_all:    assert (hold != '1);
    held_for:     assert (token_q || hold == '0 || (hold & me) != '0 || mode == hd_pkg::TM_WG);
    told:         assert (runs == is_run);
    within:       assert (!is_run || (live & ~lanes) == '0);
    some_run:     assert (!(fresh_q && at_it) || live != '0 || token_q);
    one_lane:     assert (!(fresh_q && at_it) || mode == hd_pkg::TM_TX || live != 2'b11);
    never_long:   assert (vain_q != 3'd4);
    taken:        cover (token_q && again && (killed_q != '0));
    back:         cover (token_q && commits && wf_i == owner_q && tcm != '0);
    thrice:       cover (vain_q == 3'd3);
  end
  logic unused;
  assign unused = ^others;
endmodule
`default_nettype wire
