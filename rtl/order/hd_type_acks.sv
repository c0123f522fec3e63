// hd_type_acks.sv - invalidations and recalls of sectors that an SM has not acknowledged.
//
// Paper 1 section 4.2. First in, first out; the first is acknowledged when
// what it must wait for has drained (in-flight counters of hd_type_cache, by the sector's hash):
//
//   invalidation   no safe access and no marker of the hash
//   recall         no access and no marker of the hash
//
// From the message to the acknowledgement no access to a sector of that hash is classified, safe or
// unsafe. Safe ones would be waited for. An unsafe one could pass a safe access to its line that
// still waits for the L1, or see what a safe one wrote before the unsafe accesses which that one
// passed are performed. What is classified never waits for what is not, so the drain always ends.
//
// msg    an invalidation or a recall arrived, always taken; Entries is as many as can be out.
// held   held_o: accesses of hash try_hash_i may not go. Combinational.
// out    out_hash_o: of the first one; out_i: the counters of this hash.
// ack    TYPE_ACK to who asked, of the sector and his transition; valid/ready.
`include "hd_assert.svh"
`default_nettype none
module hd_type_acks #(
  parameter int unsigned Entries = 64,
  parameter int unsigned SectorW = 18,
  parameter int unsigned HashW   = 6
) (
  input  logic                      clk_i,
  input  logic                      rst_i,

  input  logic [hd_pkg::NODE_W-1:0] sm_id_i,

  input  hd_pkg::type_msg_s         msg_i,
  input  logic [SectorW-1:0]        msg_sector_i,

  input  logic [HashW-1:0]          try_hash_i,
  output logic                      held_o,
  output logic [HashW-1:0]          out_hash_o,
  input  hd_pkg::type_out_s         out_i,

  output logic                      ack_valid_o,
  input  logic                      ack_ready_i,
  output logic [hd_pkg::HEAD_W-1:0] ack_head_o,
  output logic                      empty_o
);
  localparam int unsigned Width = 1 + SectorW + hd_pkg::NODE_W + hd_pkg::TID_W;

  hd_pkg::head_s                ack;
  logic [SectorW-1:0]           sector;
  logic [hd_pkg::NODE_W-1:0]    src;
  logic [hd_pkg::TID_W-1:0]     tid;
  logic                         msg, valid, recall, room, take;
  logic [$clog2(Entries+1)-1:0] count;
  logic [(1<<HashW)-1:0]        held_q;  // by hash: a message came and none was acknowledged since

  assign msg = msg_i.inval || msg_i.recall;
  hd_fifo #(.Width(Width), .Depth(Entries)) u_messages (
    .clk_i(clk_i), .rst_i(rst_i), .in_valid_i(msg), .in_ready_o(room),
    .in_data_i({msg_i.recall, msg_sector_i, msg_i.src, msg_i.tid}), .out_valid_o(valid),
    .out_ready_i(take), .out_data_o({recall, sector, src, tid}),
    .count_o(count)
  );
  assign out_hash_o  = HashW'(sector);
  assign ack_valid_o = valid && !out_i.safe && (!recall || !out_i.any);
  assign take        = ack_valid_o && ack_ready_i;
  assign empty_o     = !valid;
  always_comb begin
    ack      = '0;
    ack.kind = hd_pkg::MSG_TYPE_ACK;
    ack.route = hd_pkg::route_up(sm_id_i, src);
    ack.addr = {sector, {(hd_pkg::ADDR_W - SectorW) {1'b0}}};
    ack.tid  = tid;
  end
  assign ack_head_o = ack;

  // An acknowledgement clears the bit of its hash: all safe accesses and markers of the hash are
  // gone, those of a later message too. What that one still waits for is held while it is first.
  assign held_o = held_q[try_hash_i] || (valid && try_hash_i == out_hash_o);
  always_ff @(posedge clk_i) begin
    if (rst_i) held_q <= '0;
    else begin
      if (take) held_q[out_hash_o] <= 1'b0;
      if (msg) held_q[HashW'(msg_sector_i)] <= 1'b1;
    end
  end

  logic unused;
  assign unused = ^{room, count, msg_i};

  `HD_ASSERT(a_message_fits, !msg || room)
endmodule
`default_nettype wire
