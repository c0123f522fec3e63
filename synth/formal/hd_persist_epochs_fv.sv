// hd_persist_epochs_fv.sv - proof of hd_persist_epochs: a marker is answered when every write that
// was sent before it is durable, once, in order, and not later than that.
//
// The environment counts the writes under way of each epoch; memory tells of one that is. One write,
// any (pick_i), is followed: who closes an epoch while it is out must not be answered before it.
//@ proof epochs_4 pdr Epochs=4
//@ bug at_once persist/hd_persist_epochs.sv s/!idle_o \&\& count_q.old_q. == '0/!idle_o/
//@ bug newest_only persist/hd_persist_epochs.sv s/!idle_o \&\& count_q.old_q. == '0/!idle_o \&\& count_q[EpW'(cur_q - 1'b1)] == '0/
//@ bug wrong_epoch persist/hd_persist_epochs.sv s/mack_tid_i == EpW'(e))) begin/cur_q == EpW'(e))) begin/
//@ bug wraps persist/hd_persist_epochs.sv s/close_ready_o = next != old_q/close_ready_o = 1'b1/
//@ bug mark_of_another persist/hd_persist_epochs.sv s/mark_q.cur_q. <= close_mark_i/mark_q[old_q] <= close_mark_i/
`default_nettype none
module hd_persist_epochs_fv #(
  parameter int unsigned Epochs = 2,
  parameter int unsigned EpW    = $clog2(Epochs),
  parameter int unsigned CntW   = 2
) (
  input logic           clk_i,
  input logic           sent_i,
  input logic           mack_i,
  input logic [EpW-1:0] mack_tid_i,
  input logic           mine_i,
  input logic           close_i,
  input logic           mark_i,
  input logic           pack_ready_i,
  input logic           pick_i,
  input logic           follow_i
);
  logic            rst_q, close_ready, pack_valid, pack_mark, idle;
  logic [EpW-1:0]  epoch, tid_q;
  logic [CntW-1:0] out_q [0:Epochs-1];
  logic            out_now_q, behind_q;  // the write is under way; a marker behind it is followed
  logic            gone_q;
  logic [EpW:0]    open_q, ahead_q;      // markers inside; in front of the one that is followed
  logic            follow_q, mark_q;
  integer          k;
  initial begin
    rst_q = 1; out_now_q = 0; behind_q = 0; gone_q = 0; open_q = 0; ahead_q = 0; follow_q = 0; mark_q = 0;
    tid_q = 0;
    for (k = 0; k < Epochs; k = k + 1) out_q[k] = 0;
  end

  wire room  = out_q[epoch] != '1;
  wire sent  = sent_i && room && !rst_q;
  // Of the writes of an epoch memory tells of any; the followed one is told of when mine_i says so,
  // at the latest as the last of them.
  wire some  = out_q[mack_tid_i] != '0;
  wire mack  = mack_i && some && !rst_q;
  wire mine  = mack && out_now_q && mack_tid_i == tid_q
               && (mine_i || out_q[mack_tid_i] == CntW'(1));
  wire close = close_i && close_ready && !rst_q;
  wire pack  = pack_valid && pack_ready_i && !rst_q;

  hd_persist_epochs #(.Epochs(Epochs), .CntW(CntW), .MarkW(1)) u_dut (
    .clk_i(clk_i), .rst_i(rst_q), .sent_i(sent), .epoch_o(epoch), .mack_valid_i(mack),
    .mack_tid_i(mack_tid_i), .close_valid_i(close_i && !rst_q), .close_ready_o(close_ready),
    .close_mark_i(mark_i), .pack_valid_o(pack_valid), .pack_ready_i(pack_ready_i && !rst_q),
    .pack_mark_o(pack_mark), .idle_o(idle)
  );

  always @(posedge clk_i) begin
    rst_q <= 1'b0;
    if (sent) out_q[epoch] <= out_q[epoch] + CntW'(!(mack && mack_tid_i == epoch));
    if (mack && !(sent && mack_tid_i == epoch)) out_q[mack_tid_i] <= out_q[mack_tid_i] - CntW'(1);
    if (sent && pick_i && !out_now_q && !gone_q) begin
      out_now_q <= 1'b1;
      tid_q     <= epoch;
    end else if (mine) begin
      out_now_q <= 1'b0;
      gone_q    <= 1'b1;
    end
    open_q <= open_q + (EpW+1)'(close) - (EpW+1)'(pack);
    if (close && follow_i && !follow_q) begin
      follow_q <= 1'b1;
      mark_q   <= mark_i;
      ahead_q  <= open_q - (EpW+1)'(pack);
      behind_q <= (out_now_q && !mine) || (sent && pick_i && !out_now_q && !gone_q);
    end else if (follow_q && pack) begin
      if (ahead_q == 0) follow_q <= 1'b0;
      else ahead_q <= ahead_q - (EpW+1)'(1);
    end
  end

  always @* if (!rst_q) begin
    all_before_durable: assert (!(follow_q && behind_q && out_now_q) || !pack_valid || ahead_q != 0);
    answered_in_order:  assert (!(follow_q && ahead_q == 0 && pack_valid) || pack_mark == mark_q);
    still_inside:       assert (!follow_q || ahead_q < open_q);
    at_most:            assert (32'(open_q) < Epochs && close_ready == (32'(open_q) != Epochs - 1));
    honest:             assert (idle == (open_q == 0) && (!pack_valid || open_q != 0));
    waited:             cover (follow_q && behind_q && gone_q && ahead_q == 0 && pack_valid);
    deep:               cover (32'(open_q) == Epochs - 1 && !pack_valid);
  end
  // When the oldest ended epoch has no write under way, its marker is answered at once.
  wire [EpW-1:0] old = epoch - EpW'(open_q);
  always @* if (!rst_q) prompt: assert (pack_valid == (open_q != 0 && out_q[old] == '0));
endmodule
`default_nettype wire
