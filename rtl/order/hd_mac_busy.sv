// hd_mac_busy.sv - transitions of a memory access classifier that are under way.
//
// Paper 1 sections 4.1 and 4.2. A transition is an invalidation (the sector becomes shared_rw) or a
// recall (its entry is evicted): the SMs concerned are told one after the other, and it ends when
// all have acknowledged and those that wait for it have their answer.
//
// look    combinational: same_o: one of sector num_i is under way, same_recall_o: it is a recall;
//         set_recall_o: there is a recall in its set. room_o: another may begin.
// begin   at the edge, only with room_o: begin_i a transition of begin_num_i in way begin_way_i
//         that SMs targets_i are told of; begin_recall_i: a recall, else an invalidation that SM
//         sm_i waits for. remember_i: SM sm_i waits for that of num_i, too. Neither together with
//         send_o or finish_o.
// step    with go_i: send_o: SM sm_o is to be told about sector num_o (send_recall_o: of a recall)
//         with transition number idx_o; else finish_o: one ends, reply_o: SM sm_o gets the answer
//         about num_o. One message a cycle, the lowest number first. end_o: that was the last, the
//         way end_way_o of num_o is free again; end_recall_o: and empty.
// ack     always taken: an SM has acknowledged transition ack_idx_i.
// moves_o go_i would make a step.
// Parameters: Sms; Busy transitions; Sets, Ways of the classifier; NumW bits of a sector number.
`include "hd_assert.svh"
`default_nettype none
module hd_mac_busy #(
  parameter int unsigned Sms   = 16,
  parameter int unsigned Busy  = 8,
  parameter int unsigned Sets  = 64,
  parameter int unsigned Ways  = 8,
  parameter int unsigned NumW  = 20,
  parameter int unsigned SmW   = hd_pkg::idx_w(Sms),   // derived
  parameter int unsigned WayW  = hd_pkg::idx_w(Ways),  // derived
  parameter int unsigned BusyW = hd_pkg::idx_w(Busy)   // derived
) (
  input  logic              clk_i,
  input  logic              rst_i,
  // look
  input  logic [NumW-1:0]   num_i,
  output logic              same_o,
  output logic              same_recall_o,
  output logic              set_recall_o,
  output logic              room_o,
  // begin
  input  logic              begin_i,
  input  logic              begin_recall_i,
  input  logic [NumW-1:0]   begin_num_i,
  input  logic [WayW-1:0]   begin_way_i,
  input  logic [Sms-1:0]    targets_i,
  input  logic [SmW-1:0]    sm_i,
  input  logic              remember_i,
  // step
  input  logic              go_i,
  output logic              send_o,
  output logic              send_recall_o,
  output logic [BusyW-1:0]  idx_o,
  output logic              finish_o,
  output logic              reply_o,
  output logic [SmW-1:0]    sm_o,
  output logic [NumW-1:0]   num_o,
  output logic              end_o,
  output logic              end_recall_o,
  output logic [WayW-1:0]   end_way_o,
  // ack
  input  logic              ack_i,
  input  logic [BusyW-1:0]  ack_idx_i,
  output logic              moves_o
);
  localparam int unsigned RowW  = hd_pkg::idx_w(Sets);
  localparam int unsigned LeftW = $clog2(Sms + 1);

  logic [Busy-1:0]  busy_q, recall_q, sending, finished, same, set_recall;
  logic [NumW-1:0]  num_q [0:Busy-1];
  logic [WayW-1:0]  way_q [0:Busy-1];
  logic [LeftW-1:0] left_q [0:Busy-1];   // acknowledgements that are missing
  logic [Sms-1:0]   send_q [0:Busy-1];   // SMs that must still be told
  logic [Sms-1:0]   want_q [0:Busy-1];   // SMs that wait for the answer
  logic [BusyW-1:0] send_idx, fin_idx, new_idx, same_idx;
  logic [LeftW-1:0] ack_left;
  logic [Sms-1:0]   to_bit, sm_bit;

  function automatic logic [SmW-1:0] first_of(input logic [Sms-1:0] set_of_sms);
    first_of = '0;
    for (int unsigned i = Sms; i > 0; i--) if (set_of_sms[i-1]) first_of = SmW'(i - 1);
  endfunction

  assign ack_left = left_q[ack_idx_i];
  always_comb begin
    sending  = '0;
    finished = '0;
    same     = '0;
    set_recall = '0;  // a recall in the set of the sector
    if (busy_q != '0) begin
      for (int unsigned b = 0; b < Busy; b++) begin
        sending[b]  = busy_q[b] && send_q[b] != '0;
        finished[b] = busy_q[b] && send_q[b] == '0 && left_q[b] == '0;
        same[b]     = busy_q[b] && num_q[b] == num_i;
        set_recall[b] = busy_q[b] && recall_q[b]
            && (Sets == 1 || num_q[b][RowW-1:0] == num_i[RowW-1:0]);
      end
    end
    send_idx = '0;
    fin_idx  = '0;
    new_idx  = '0;
    same_idx = '0;
    for (int unsigned b = Busy; b > 0; b--) begin
      if (sending[b-1]) send_idx = BusyW'(b - 1);
      if (finished[b-1]) fin_idx = BusyW'(b - 1);
      if (!busy_q[b-1]) new_idx = BusyW'(b - 1);
      if (same[b-1]) same_idx = BusyW'(b - 1);
    end
  end
  assign same_o        = same != '0;
  assign same_recall_o = recall_q[same_idx];
  assign set_recall_o  = set_recall != '0;
  assign room_o        = busy_q != '1;
  assign moves_o       = sending != '0 || finished != '0;

  assign send_o        = go_i && sending != '0;
  assign finish_o      = go_i && !send_o && finished != '0;
  assign reply_o       = finish_o && want_q[fin_idx] != '0;
  assign send_recall_o = recall_q[send_idx];
  assign idx_o         = send_idx;
  assign sm_o          = first_of(send_o ? send_q[send_idx] : want_q[fin_idx]);
  assign num_o         = send_o ? num_q[send_idx] : num_q[fin_idx];
  assign to_bit        = Sms'(1) << sm_o;
  assign sm_bit        = Sms'(1) << sm_i;
  assign end_o         = finish_o && (want_q[fin_idx] & ~to_bit) == '0;
  assign end_recall_o  = recall_q[fin_idx];
  assign end_way_o     = way_q[fin_idx];

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      busy_q <= '0;
      for (int unsigned b = 0; b < Busy; b++) begin
        send_q[b] <= '0;
        want_q[b] <= '0;
      end
    end else begin
      if (end_o) busy_q[fin_idx] <= 1'b0;
      if (reply_o) want_q[fin_idx] <= want_q[fin_idx] & ~to_bit;
      if (send_o) send_q[send_idx] <= send_q[send_idx] & ~to_bit;
      if (remember_i) want_q[same_idx] <= want_q[same_idx] | sm_bit;
      if (begin_i) begin
        busy_q[new_idx] <= 1'b1;
        send_q[new_idx] <= targets_i;
        want_q[new_idx] <= begin_recall_i ? '0 : sm_bit;
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      recall_q[new_idx] <= begin_recall_i;
      num_q[new_idx]    <= begin_num_i;
      way_q[new_idx]    <= begin_way_i;
      left_q[new_idx]   <= LeftW'(hd_pkg::ones(64'(targets_i)));
    end
    if (ack_i) begin
      left_q[ack_idx_i] <= ack_left - LeftW'(1);
    end
  end

  `HD_ASSERT(a_room_to_begin, !begin_i || room_o)
  `HD_ASSERT(a_one_work, !(begin_i || remember_i) || !(send_o || finish_o))
  `HD_ASSERT(a_remembered_by_one, !remember_i || (same_o && !same_recall_o))
  `HD_ASSERT(a_ack_expected, !ack_i || (busy_q[ack_idx_i] && ack_left != '0))
  `HD_ASSERT(a_one_transition, $onehot0(same))
endmodule
`default_nettype wire
