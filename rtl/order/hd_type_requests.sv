// hd_type_requests.sv - type requests of an SM that have not been answered, one for a sector.
//
// Paper 1 section 4.2 (misses of the Type-cache). Table, for a request entry:
//
//   ask, no entry of the sector     a request goes out, to read or to write
//   ask to write, entry to read     upgrade = 1: asked again once the answer is there
//   ask otherwise                   nothing: the answer will do
//   inval of the sector             poison = 1
//   recall of the sector            poison = 0
//   reply, poison                   the waiting accesses are unsafe; "safe" is not installed
//   reply safe, no write, upgrade   the answer holds for readers; a request to write goes out
//   reply otherwise                 the answer holds for all
//
// An invalidation may overtake the reply that was sent before it: the poison. A recall may not
// (down keeps their order), so the reply behind it is of the time after it.
//
// ask    ask_i (only with ask_ok_o): combinational ask_ok_o for ask_sector_i.
// msg    of msg_sector_i. up_o: what it means, combinational.
// req    to the classifier: valid/ready; the sector, "to write".
// Entries: requests without an answer.
`include "hd_assert.svh"
`default_nettype none
module hd_type_requests #(
  parameter int unsigned Entries = 16,
  parameter int unsigned SectorW = 18,
  parameter int unsigned IdxW    = hd_pkg::idx_w(Entries)  // derived: leave at its default
) (
  input  logic               clk_i,
  input  logic               rst_i,

  input  logic [SectorW-1:0] ask_sector_i,
  input  logic               ask_write_i,
  output logic               ask_ok_o,
  input  logic               ask_i,

  input  hd_pkg::type_msg_s  msg_i,
  input  logic [SectorW-1:0] msg_sector_i,
  output hd_pkg::type_up_s   up_o,

  output logic               req_valid_o,
  input  logic               req_ready_i,
  output logic [SectorW-1:0] req_sector_o,
  output logic               req_write_o,
  output logic               empty_o
);
  localparam int unsigned CntW = $clog2(Entries + 1);

  logic [Entries-1:0] valid_q, write_q, up_q, poison_q;
  logic [SectorW-1:0] sector_q [0:Entries-1];
  logic [Entries-1:0] ask_hit, hit, ask_bit, reply_bit, free;
  logic [IdxW-1:0]    free_idx;
  logic               make, poison, out_room;
  logic [CntW-1:0]    waiting;

  always_comb begin
    ask_hit  = '0;
    hit      = '0;
    free_idx = '0;
    for (int unsigned i = Entries; i > 0; i--) begin
      ask_hit[i-1] = valid_q[i-1] && sector_q[i-1] == ask_sector_i;
      hit[i-1]     = valid_q[i-1] && sector_q[i-1] == msg_sector_i;
      if (!valid_q[i-1]) free_idx = IdxW'(i - 1);
    end
    free     = ~valid_q;
    ask_ok_o = ask_hit != '0 || free != '0;
  end
  always_comb begin
    make      = ask_i && ask_hit == '0;
    ask_bit   = '0;
    ask_bit[free_idx] = make;
    reply_bit = msg_i.reply ? hit : '0;
    poison        = (poison_q & reply_bit) != '0;
    up_o.reply    = msg_i.reply;
    up_o.safe     = msg_i.tid[hd_pkg::TYPE_SAFE] && !poison;
    up_o.write    = msg_i.tid[hd_pkg::TYPE_MAY_WRITE] && !poison;
    up_o.again    = msg_i.reply && up_o.safe && !up_o.write && (up_q & reply_bit) != '0;
    up_o.install  = msg_i.reply && (!poison || !msg_i.tid[hd_pkg::TYPE_SAFE]);
    up_o.drop     = msg_i.inval || msg_i.recall;
  end

  hd_fifo #(.Width(SectorW + 1), .Depth(Entries)) u_out (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(make || up_o.again), .in_ready_o(out_room),
    .in_data_i({up_o.again ? msg_sector_i : ask_sector_i, up_o.again || ask_write_i}),
    .out_valid_o(req_valid_o), .out_ready_i(req_ready_i),
    .out_data_o({req_sector_o, req_write_o}), .count_o(waiting)
  );

  always_ff @(posedge clk_i) begin
    if (rst_i) begin
      valid_q  <= '0;
      poison_q <= '0;
      up_q     <= '0;
    end else if (ask_i || up_o.reply || up_o.drop) begin
      valid_q  <= (valid_q | ask_bit) & ~(up_o.again ? '0 : reply_bit);
      poison_q <= (poison_q | (msg_i.inval ? hit : '0))
                  & ~(ask_bit | reply_bit | (msg_i.recall ? hit : '0));
      up_q     <= (up_q | ((ask_i && ask_write_i) ? ask_hit & ~write_q : '0))
                  & ~(ask_bit | reply_bit);
      write_q  <= (write_q & ~(ask_write_i ? '0 : ask_bit)) | (ask_write_i ? ask_bit : '0)
                  | (up_o.again ? reply_bit : '0);
    end
    if (make) sector_q[free_idx] <= ask_sector_i;
  end

  assign empty_o = valid_q == '0;

  logic unused;
  assign unused = ^{waiting, out_room, msg_i};

  `HD_ASSERT(a_ask_has_room, !ask_i || ask_ok_o)
  `HD_ASSERT(a_one_entry_of_message, !(up_o.reply || up_o.drop) || $onehot0(hit))
  `HD_ASSERT(a_one_of_them, $onehot0({ask_i, msg_i.inval, msg_i.recall, msg_i.reply}))
  `HD_ASSERT(a_reply_expected, !msg_i.reply || (valid_q & reply_bit) != '0)
  `HD_ASSERT(a_one_entry, $onehot0(ask_hit))
endmodule
`default_nettype wire
