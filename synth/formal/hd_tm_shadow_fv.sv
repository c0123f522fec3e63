// hd_tm_shadow_fv.sv - proof of hd_tm_shadow: a row has one owner, and a walk ends with every row of those that go put back.
//
// One bank of 2 or 3 rows, 2 wavefronts of 2 lanes. The environment looks, makes the lane of the last look the owner where the row
// is free (or is its own already: nothing), and walks over any wavefronts, with or without putting back. Any one row is followed.
//@ proof tm_shadow_2 pdr Rows=2
//@ proof tm_shadow_3 pdr Rows=3
//@ bug outlives lds/hd_tm_shadow.sv s/else if (goes) valid_q\[row_q\] <= 1'b0;/else if (goes \&\& restore_q) valid_q[row_q] <= 1'b0;/
//@ bug not_relinked lds/hd_tm_shadow.sv s/assign we\[b\]    = own_i\[b\] || stays;/assign we[b]    = own_i[b];/
//@ bug stops lds/hd_tm_shadow.sv s/follows = walks \&\& !ends; /follows = goes \&\& !ends; /
//@ bug list_stays lds/hd_tm_shadow.sv s/else if (begins) has_q <= has_q \& ~taken;/else if (1'b0) has_q <= '0;/
//@ bug lane lds/hd_tm_shadow.sv s/mine\[b\]  = is_valid \&\& wf == wf_q \&\& lane == lane_q;/mine[b]  = is_valid \&\& wf == wf_q;/
//@ bug next_list lds/hd_tm_shadow.sv s/(walks \&\& ends) ? todo_q : '0;/'0;/
`default_nettype none
module hd_tm_shadow_fv #(
  parameter int unsigned Rows = 2,
  parameter int unsigned RowW = hd_pkg::idx_w(Rows)
) (
  input logic            clk_i,
  input logic [1:0]      what_i,   // 1 look, 2 own, 3 walk
  input logic            wf_i,
  input logic            lane_i,
  input logic [RowW-1:0] row_i,
  input logic [1:0]      wfs_i,
  input logic            all_i,
  input logic            restore_i,
  input logic [1:0]      gone_i,
  input logic [RowW-1:0] follow_i
);
  logic            rst_q, mine, other, busy, put, back;
  logic [RowW-1:0] put_row, back_row;
  logic [1:0]      some;
  // the row that is followed: its owner; of the last look: of whom, and whether at that row
  logic            set_q, owned_q, owner_wf_q, owner_lane_q;
  logic [RowW-1:0] at_q;
  logic            looked_q, can_q, look_wf_q, look_lane_q, look_at_q;
  // the walk under way: does the owner go, has the row been put back, cycles
  logic            goes_q, restore_q, all_q, walked_q, done_q;
  logic [1:0]      gone_q, wfs_q;
  logic [3:0]      time_q;
  initial begin rst_q = 1; set_q = 0; owned_q = 0; looked_q = 0; can_q = 0; walked_q = 0; done_q = 0; time_q = 0; end

  wire free  = !rst_q && !busy;
  wire look  = free && what_i == 2'd1 && 32'(row_i) < Rows;
  wire own   = free && what_i == 2'd2 && can_q;
  // An access keeps its lanes; a walk for lost lanes is over one wavefront, for all lanes over any.
  wire walk  = free && what_i == 2'd3 && wfs_i != '0 && (all_i || wfs_i != 2'b11);
  wire [1:0] gone = busy ? gone_q : gone_i;
  hd_pkg::tm_walk_s walks;
  assign walks = {walk, all_i, restore_i};
  hd_tm_shadow #(.Banks(1), .Rows(Rows), .Lanes(2), .TmWarps(2)) u_dut (
    .clk_i(clk_i), .rst_i(rst_q), .look_i(look), .wf_i(wf_i), .banks_i({1'b1, row_i, lane_i}),
    .owner_o({mine, other}), .own_i(own), .walk_i(walks), .walk_wfs_i(wfs_i), .gone_i(gone),
    .busy_o(busy), .rest_o({put, put_row}), .back_o({back, back_row}), .some_o(some)
  );

  wire leaves = owned_q && wfs_i[owner_wf_q] && (all_i || gone_i[owner_lane_q]);
  wire put_it = put && put_row == at_q;
  always @(posedge clk_i) begin
    rst_q <= 1'b0;
    set_q <= 1'b1;
    if (!set_q) at_q <= follow_i;
    looked_q <= look;
    if (look) begin
      look_wf_q   <= wf_i;
      look_lane_q <= lane_i;
      look_at_q   <= set_q && row_i == at_q;
    end
    // only where nobody owns the row: known a cycle after the look
    can_q <= looked_q ? (!mine && !other && !look && !walk) : (can_q && !own && !look && !walk);
    if (own && look_at_q) begin
      owned_q      <= 1'b1;
      owner_wf_q   <= look_wf_q;
      owner_lane_q <= look_lane_q;
    end
    if (walk) begin
      goes_q    <= leaves;
      restore_q <= restore_i;
      all_q     <= all_i;
      gone_q    <= gone_i;
      wfs_q     <= wfs_i;
      done_q    <= 1'b0;
      time_q    <= 4'd1;
      if (leaves) owned_q <= 1'b0;
    end else if (busy) begin
      time_q <= time_q + 1'b1;
      if (put_it) done_q <= 1'b1;
    end
    walked_q <= walk || (busy && !rst_q);
  end
  wire ended = walked_q && !busy;
  always @* if (!rst_q && set_q) begin
    mine_is:   assert (!(looked_q && look_at_q) || mine == (owned_q && owner_wf_q == look_wf_q
                       && owner_lane_q == look_lane_q));
    other_is:  assert (!(looked_q && look_at_q) || other == (owned_q && !(owner_wf_q == look_wf_q
                       && owner_lane_q == look_lane_q)));
    put_right: assert (!put_it || (busy && goes_q && restore_q && !done_q));
    put_all:   assert (!(ended && goes_q && restore_q) || done_q);
    ends:      assert (time_q <= 4'(Rows + 1) || !busy);
    listed:    assert (!owned_q || busy || some[owner_wf_q]);
    puts:      cover (ended && goes_q && restore_q && time_q == 4'(Rows + 1));
    stays:     cover (ended && !goes_q && owned_q && time_q == 4'(Rows + 1) && !all_q);
    two_lists: cover (owned_q && some == 2'b11);
  end
  logic unused;
  assign unused = ^{back, back_row, wfs_q};
endmodule
`default_nettype wire
