// hd_dn_leave_fv.sv - proof that no forward meets a word that leaves, in an L1 of family DENOVO.
//
// A word that has come and leaves to who waited for it (R, W) goes before any forward is looked at:
// both wait for room on RSP alone, and hd_l1_dn_select takes words that leave first. So the pairs
// FWD_READ and FWD_REG of R, W do not occur (docs/stress.md). hd_l1_dn_select, hd_reg_table and
// hd_l1_denovo_table are the RTL's; the model holds one row of two words and what the environment
// may offer: acknowledgements of words that are wanted, forwards of words that the row has or
// wants and nobody waits for yet, accesses, flush steps, walks; room at any time.
//@ proof dn_leave pdr
//@ bug forward_first l1/hd_l1_dn_select.sv s/else if (ps_valid_i && rsp_room_i) sel_o.ps = 1'b1;/else if (fw_valid_i \&\& rsp_room_i) sel_o.fw = 1'b1; else if (ps_valid_i \&\& rsp_room_i) sel_o.ps = 1'b1;/
//@ bug pass_needs_request_room l1/hd_l1_dn_select.sv s/ps_valid_i && rsp_room_i/ps_valid_i \&\& rsp_room_i \&\& req_room_i/
//@ bug pass_forgotten l1/hd_reg_table.sv s/pass_q\[idx\]  <= pass_q\[idx\] | (next_q\[idx\] & words_i)/pass_q[idx] <= pass_q[idx]/
//@ bug one_leaves_for_all l1/hd_reg_table.sv s/pass_q\[idx\] <= pass_q\[idx\] & ~words_i/pass_q[idx] <= '0/
//@ bug stays_wanted l1/hd_l1_denovo_table.sv s/w_new  = w . (~words_i | next_i)/w_new = w/
`default_nettype none
module hd_dn_leave_fv (
  input logic       clk_i,
  input logic [7:0] any_valid_i,  // what there is to decide about
  input logic [6:0] any_state_i,  // room, the dirty list
  input logic [1:0] any_words_i,
  input logic       any_kind_i,   // FWD_READ; synchronization, not a store
  input logic       any_who_i,
  input logic       any_begin_i,
  input logic       any_refuse_i
);
  logic       booted_q;  // the cycle of the reset is over
  logic [1:0] v_q, d_q, r_q, w_q;
  initial begin
    booted_q = 0; v_q = 0; d_q = 0; r_q = 0; w_q = 0;
  end
  wire rst = !booted_q;
  wire [1:0] leaving = r_q & w_q, want = w_q & ~r_q;

  hd_pkg::dn_sel_s sel;
  logic            refuse;
  logic            pass, reg_room, reg_free, flush_can, clears, clears_ro;
  logic            flushing, drop, sel_idle, gen, row, pass_row, pass_who;
  logic [1:0]      next, local_words, pass_words;
  hd_l1_dn_select #(
    .Rows(2),
    .GenW(1)
  ) u_select (
    .clk_i(clk_i), .rst_i(rst), .busy_i(any_valid_i[0]), .rp_valid_i(any_valid_i[1]),
    .st_valid_i(any_valid_i[2]), .sv_valid_i(any_valid_i[3]),
    .rs_valid_i(any_valid_i[4] && (any_words_i & want) != '0), .ps_valid_i(pass),
    .fw_valid_i(any_valid_i[5]), .rt_valid_i(any_valid_i[6]), .rsp_room_i(any_state_i[0]),
    .req_room_i(any_state_i[1]), .reg_free_i(reg_free), .done_ok_i(1'b1),
    .la_valid_i(any_valid_i[7]), .la_fence_i(1'b0), .list_valid_i(any_state_i[2] && d_q != '0),
    .list_marker_i(any_state_i[3]), .list_marked_i(any_state_i[4]), .list_full_i(any_state_i[5]),
    .out_none_i(any_state_i[6]), .sel_o(sel), .flush_can_o(flush_can), .refuse_i(refuse),
    .press_i(1'b0), .change_i(1'b1), .read_only_i(1'b1), .step_i(1'b0), .gen_o(gen), .row_o(row),
    .clear_o(clears), .clear_ro_o(clears_ro), .row_ok_i(1'b0), .flush_i(1'b0),
    .begin_i(any_begin_i), .wb_none_i(1'b1), .flushing_o(flushing), .drop_o(drop),
    .idle_o(sel_idle)
  );

  assign refuse = sel.fr && any_refuse_i;

  // ---- what is decided --------------------------------------------------------------------------
  logic [3:0] ev;
  logic [1:0] words;
  always_comb begin
    ev    = any_kind_i ? hd_pkg::DEV_SYNC : hd_pkg::DEV_STORE;
    words = any_words_i;
    if (sel.fl) ev = hd_pkg::DEV_FLUSH;
    else if (sel.wrap) ev = hd_pkg::DEV_BEGIN;
    else if (sel.ps) begin
      ev    = hd_pkg::DEV_PASS;
      words = pass_words;
    end else if (sel.rs) begin
      ev    = hd_pkg::DEV_ACK;
      words = any_words_i & want;
    end else if (sel.fw) begin
      ev    = any_kind_i ? hd_pkg::DEV_FWD_READ : hd_pkg::DEV_FWD_REG;
      words = any_words_i & (any_kind_i ? r_q | want : r_q | (want & ~next));
    end
  end
  logic [1:0] t_v, t_d, t_r, t_ro, t_w, t_hit, t_ask, t_join, t_write;
  logic [3:0] t_why;
  logic       t_bad;
  hd_l1_denovo_table #(.LineWords(2)) u_table (
    .ev_i(ev), .words_i(words), .state_i({w_q, 2'b0, r_q, d_q, v_q}), .guard_i(2'b0),
    .sync_i(local_words), .read_i(6'b0), .data_i(1'b1), .next_i(next),
    .state_o({t_w, t_ro, t_r, t_d, t_v}), .says_o({t_write, t_join, t_ask, t_hit}), .why_o(t_why),
    .bad_o(t_bad)
  );
  wire front = sel.fr && !refuse && t_why == hd_pkg::WHY_NONE && words != '0;
  wire asks  = ((front && any_kind_i) || sel.fl) && t_ask != '0;
  wire waits = sel.fw && !any_kind_i && t_join != '0;
  wire acked = sel.rs;
  hd_pkg::reg_do_s reg_do;
  always_comb begin
    reg_do.ask    = asks;
    reg_do.stay   = front && any_kind_i && asks;
    reg_do.follow = waits;
    reg_do.ack    = acked;
    reg_do.pass   = sel.ps;
    reg_do.last   = (sel.ps || acked) && t_w == '0;
  end
  hd_reg_table #(
    .Entries(1),
    .LineWords(2),
    .RowW(1),
    .WhoW(1)
  ) u_regs (
    .clk_i(clk_i), .rst_i(rst), .row_i(1'b0), .room_o(reg_room),
    .free_o(reg_free), .next_o(next), .local_o(local_words),
    .words_i(waits ? t_join : words), .do_i(reg_do), .who_i(any_who_i), .pass_o(pass),
    .pass_row_o(pass_row), .pass_words_o(pass_words), .pass_who_o(pass_who)
  );
  always @(posedge clk_i) begin
    booted_q <= 1'b1;
    if (booted_q && (front || sel.fl || sel.rs || sel.ps || (sel.fw && !any_kind_i))) begin
      v_q <= t_v;
      d_q <= t_d;
      r_q <= t_r;
      w_q <= t_w;
    end
  end

  always @* if (booted_q) begin
    leaves_listed: assert (pass == (leaving != '0));
    leaves_first:  assert (!(sel.fw && leaving != '0));
    legal:         assert (!(t_bad && (sel.ps || sel.rs || sel.fw)));
    two_leave:     cover (leaving == 2'b11 && sel.ps && pass_words == 2'b01);
    held_back:     cover (leaving != '0 && any_valid_i[5] && !any_state_i[0] && sel == '0);
    load_meanwhile: cover (leaving != '0 && sel.fr);
    answered_after: cover (sel.fw && any_kind_i && r_q != '0);
    other_wanted:  cover (leaving == 2'b01 && want == 2'b10 && acked);
  end

  logic unused;
  assign unused = ^{gen, row, clears, clears_ro, flushing, drop, sel_idle, flush_can,
                    reg_room, pass_row, pass_who, t_ro, t_hit, t_write};
endmodule
`default_nettype wire
