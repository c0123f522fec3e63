// hd_persist_l1_fv.sv - proof of hd_persist_l1: no dirty line of non-volatile memory is untracked, no
// tracked line is without an entry, and a marker leaves behind all lines that were dirty before it.
//
// The environment is an L1 of two rows: it knows which line a row holds and whether it is dirty,
// writes lines, takes rows for others (which writes a dirty one through), writes one through for
// another reason, and pops. One line, any, is followed: line_q.
//@ proof tracked_2 pdr Depth=2
//@ proof tracked_3 pdr Depth=3
//@ bug inherited persist/hd_persist_l1.sv s/else if (do_i.fresh || untrack)/else if (untrack)/
//@ bug stays_tracked persist/hd_persist_l1.sv s/else if (do_i.fresh || untrack)/else if (do_i.fresh)/
//@ bug dropped persist/hd_persist_l1.sv s/here ? put_ok : ready/1'b1/
//@ bug not_pushed persist/hd_persist_l1.sv s/push    = do_i.put \&\& nv \&\& !here/push    = do_i.put \&\& nv \&\& !here \&\& hit_i/
//@ bug wrong_row persist/hd_persist_l1.sv s/tracked_q.row_i. <= 1'b0/tracked_q[~row_i] <= 1'b0/
`default_nettype none
module hd_persist_l1_fv #(
  parameter int unsigned Depth = 2,
  parameter int unsigned CntW  = $clog2(Depth + 1)
) (
  input logic       clk_i,
  // 1 a store, 2 a line is written through, 3 a pop, 4 a line that is loaded takes a row
  input logic [2:0] kind_i,
  input logic [1:0] num_i,    // of the store, of the load
  input logic       row_i,    // a row for it, if it has none; of a line that is written through
  input logic       mark_i,
  input logic [1:0] line_i
);
  logic       rst_q, room, mark_ready, pop, pop_mark, tracked, nv;
  hd_pkg::nvw_found_s found;
  hd_pkg::nvw_head_s  head;
  logic [1:0] pop_num, tag_q [0:1];
  logic [1:0] valid_q, dirty_q;
  logic [5:0] unused;
  logic [1:0] line_q;                // any line
  logic [CntW-1:0] total_q, ahead_q; // entries; in front of the last of line_q
  logic       entry_q;               // it has one
  // A marker, any: pushed when mark_i with follow; line_q was dirty then and has not left since.
  logic       mark_q, owed_q;
  logic [CntW-1:0] mark_ahead_q;
  initial begin
    rst_q = 1; valid_q = 0; dirty_q = 0; total_q = 0; ahead_q = 0; entry_q = 0; mark_q = 0; owed_q = 0;
    mark_ahead_q = 0;
  end

  wire store = kind_i == 3'd1 && !rst_q;
  wire thru  = kind_i == 3'd2 && !rst_q;
  wire takes = kind_i == 3'd3 && !rst_q && pop;
  wire load  = kind_i == 3'd4 && !rst_q;
  wire [1:0] num = (store || load) ? num_i : pop_num;
  wire hit0  = valid_q[0] && tag_q[0] == num;
  wire hit1  = valid_q[1] && tag_q[1] == num;
  wire hit   = hit0 || hit1;
  wire row   = hit ? hit1 : row_i;
  wire puts  = store && room;
  wire fresh = (puts || load) && !hit;  // another line takes the row

  hd_persist_l1 #(.Persist(1), .Depth(Depth), .Rows(2), .LineW(8), .ByteW(6)) u_dut (
    .clk_i(clk_i), .rst_i(rst_q), .nv_base_i(32'h40 * 32'd2),
    .do_i({puts, fresh, takes}), .hit_i(hit), .row_i(row), .num_i({6'd0, num}), .list_row_i(1'b0),
    .mark_valid_i(mark_i && !rst_q), .mark_ready_o(mark_ready), .mark_id_i(8'd0), .found_o(found),
    .head_o(head), .entry_o({unused, pop_num})
  );
  assign {room, nv, tracked} = {found.room, found.nv, found.tracked};
  assign {pop, pop_mark} = {head.pop, head.mark};
  wire marks = mark_i && mark_ready && !rst_q;
  wire here0 = valid_q[0] && tag_q[0] == line_q;
  wire here1 = valid_q[1] && tag_q[1] == line_q;
  wire dirty = (here0 && dirty_q[0]) || (here1 && dirty_q[1]);
  wire is_nv = line_q >= 2'd2;
  wire pushes = puts && nv && !tracked;

  always @(posedge clk_i) begin
    rst_q  <= 1'b0;
    if (rst_q) line_q <= line_i;
    if (puts) begin
      valid_q[row] <= 1'b1;
      dirty_q[row] <= 1'b1;
      tag_q[row]   <= num_i;
    end
    if (load && !hit) begin
      valid_q[row] <= 1'b1;
      dirty_q[row] <= 1'b0;
      tag_q[row]   <= num_i;
    end
    if (thru) dirty_q[row_i] <= 1'b0;
    if (takes && !pop_mark && hit) dirty_q[row] <= 1'b0;
    total_q <= total_q + CntW'(pushes || marks) - CntW'(takes);
    if (pushes && num_i == line_q) begin
      entry_q <= 1'b1;
      ahead_q <= total_q - CntW'(takes);
    end else if (takes && entry_q) begin
      if (ahead_q == 0) entry_q <= 1'b0;
      else ahead_q <= ahead_q - CntW'(1);
    end
    // owed: line_q was dirty when the marker came and has not been written through since
    if (marks && !mark_q) begin
      mark_q       <= 1'b1;
      owed_q       <= dirty && !(thru && ((here0 && !row_i) || (here1 && row_i)))
                      && !(takes && !pop_mark && pop_num == line_q)
                      && !(fresh && ((here0 && !row) || (here1 && row)));
      mark_ahead_q <= total_q - CntW'(takes);
    end else begin
      if (!dirty || (thru && ((here0 && !row_i) || (here1 && row_i)))
          || (takes && !pop_mark && pop_num == line_q)
          || (fresh && ((here0 && !row) || (here1 && row)))) owed_q <= 1'b0;
      if (mark_q && takes) begin
        if (mark_ahead_q == 0) mark_q <= 1'b0;
        else mark_ahead_q <= mark_ahead_q - CntW'(1);
      end
    end
  end

  always @* if (!rst_q) begin
    one_row:     assert (!(here0 && here1));
    has_entry:   assert (!(is_nv && dirty) || entry_q);
    inside:      assert (!entry_q || ahead_q < total_q);
    in_turn:     assert (!(entry_q && ahead_q == 0 && pop) || (!pop_mark && pop_num == line_q));
    nothing_owed: assert (!(mark_q && owed_q && is_nv && pop && mark_ahead_q == 0));
    is_mark:     assert (!(mark_q && mark_ahead_q == 0) || (pop && pop_mark));
    behind:      cover (mark_q && owed_q && is_nv && pop);
    stale:       cover (entry_q && !dirty && pop && ahead_q == 0);
    crowded:     cover (32'(total_q) == Depth && dirty && is_nv);
  end
endmodule
`default_nettype wire
