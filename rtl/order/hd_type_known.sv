// hd_type_known.sv - what an SM knows of sectors: their types, requests for them, what drains.
//
// Paper 1 section 4.2; docs/type_aware.md. Joins hd_type_cache, hd_type_requests and hd_type_acks.
//
// dn     messages of the classifiers (TYPE_*), always taken in the cycle they come. up_o,
//        up_sector_o: what they mean to accesses that wait for a type, combinational, only with
//        dn_valid_i.
// lk     lk_o of lk_sector_i, to be written or not: combinational. Not in a cycle with a message.
//        ask_i: its type is asked for (only with lk_o.ask_ok, without a message).
// try    held_o: accesses to sectors of hash try_hash_i do not go. Combinational.
// count  accesses that go (to a sector of hash try_hash_i), are performed and markers that leave:
//        acknowledgements wait for them.
// req    type requests, ack: acknowledgements, heads of packets without data, valid/ready.
// clear_i: forget all types. drained_o: nothing counted, asked for or to be acknowledged.
//
// Entries, Ways of the Type-cache; Reqs requests without an answer; AckEntries invalidations that
// may wait; PartBits log2 of the partitions; SectorW bits of a sector number. Latency: a message
// counts from the next cycle on; a request or an acknowledgement leaves in the next cycle at the
// earliest.
`include "hd_assert.svh"
`default_nettype none
module hd_type_known #(
  parameter int unsigned Entries    = 64,
  parameter int unsigned Ways       = 4,
  parameter int unsigned Reqs       = 16,
  parameter int unsigned AckEntries = 64,
  parameter int unsigned PartBits   = 3,
  parameter int unsigned SectorW    = 18,
  parameter int unsigned HashW      = hd_pkg::TAG_W - 2  // derived: leave at its default
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [hd_pkg::NODE_W-1:0] sm_id_i,
  input  logic                      clear_i,

  input  logic                      dn_valid_i,
  input  logic [hd_pkg::HEAD_W-1:0] dn_head_i,
  output hd_pkg::type_up_s          up_o,
  output logic [SectorW-1:0]        up_sector_o,

  input  logic [SectorW-1:0]        lk_sector_i,
  input  logic                      lk_write_i,
  output hd_pkg::type_look_s        lk_o,
  input  logic                      ask_i,

  input  logic [HashW-1:0]          try_hash_i,
  output logic                      held_o,
  input  hd_pkg::type_count_s       count_i,

  output logic                      req_valid_o,
  input  logic                      req_ready_i,
  output logic [hd_pkg::HEAD_W-1:0] req_head_o,
  output logic                      ack_valid_o,
  input  logic                      ack_ready_i,
  output logic [hd_pkg::HEAD_W-1:0] ack_head_o,
  output logic                      drained_o
);
  hd_pkg::head_s      dn, req;
  hd_pkg::type_msg_s  msg;
  hd_pkg::type_out_s  out;
  logic [SectorW-1:0] req_sector;
  logic               req_write, reqs_empty, lk_known, lk_safe, ask_ok, out_busy, acks_empty;
  logic [HashW-1:0]   out_hash;

  assign dn = dn_head_i;
  assign msg.inval  = dn_valid_i && dn.kind == hd_pkg::MSG_TYPE_INV;
  assign msg.recall = dn_valid_i && dn.kind == hd_pkg::MSG_TYPE_RECALL;
  assign msg.reply  = dn_valid_i && dn.kind == hd_pkg::MSG_TYPE_REP;
  assign msg.src    = dn.route.src;
  assign msg.tid    = dn.tid;
  assign up_sector_o = dn.addr[hd_pkg::ADDR_W-1 -: SectorW];
  assign lk_o        = {lk_known, lk_safe, ask_ok};

  hd_type_cache #(
    .Entries(Entries), .Ways(Ways), .Counters(1 << HashW), .SectorW(SectorW)
  ) u_types (
    .clk_i(clk_i), .rst_i(rst_i), .lk_sector_i(lk_sector_i), .lk_write_i(lk_write_i),
    .lk_known_o(lk_known), .lk_safe_o(lk_safe), .up_i(up_o), .up_sector_i(up_sector_o),
    .clear_i(clear_i), .count_i(count_i), .add_hash_i(try_hash_i), .out_hash_i(out_hash),
    .out_o(out), .busy_o(out_busy)
  );

  hd_type_requests #(.Entries(Reqs), .SectorW(SectorW)) u_requests (
    .clk_i(clk_i), .rst_i(rst_i), .ask_sector_i(lk_sector_i), .ask_write_i(lk_write_i),
    .ask_ok_o(ask_ok), .ask_i(ask_i), .msg_i(msg), .msg_sector_i(up_sector_o), .up_o(up_o),
    .req_valid_o(req_valid_o), .req_ready_i(req_ready_i), .req_sector_o(req_sector),
    .req_write_o(req_write), .empty_o(reqs_empty)
  );
  always_comb begin
    req      = '0;
    req.kind = hd_pkg::MSG_TYPE_REQ;
    req.route = hd_pkg::route_up(sm_id_i,
                                 hd_pkg::NODE_W'(req_sector & SectorW'((1 << PartBits) - 1)));
    req.addr = {req_sector, {(hd_pkg::ADDR_W - SectorW) {1'b0}}};
    req.tid[hd_pkg::TYPE_WANTS_WRITE] = req_write;
  end
  assign req_head_o = req;

  hd_type_acks #(.Entries(AckEntries), .SectorW(SectorW), .HashW(HashW)) u_acks (
    .clk_i(clk_i), .rst_i(rst_i), .sm_id_i(sm_id_i), .msg_i(msg),
    .msg_sector_i(up_sector_o), .try_hash_i(try_hash_i), .held_o(held_o), .out_hash_o(out_hash),
    .out_i(out), .ack_valid_o(ack_valid_o),
    .ack_ready_i(ack_ready_i), .ack_head_o(ack_head_o), .empty_o(acks_empty)
  );
  assign drained_o = !out_busy && reqs_empty && acks_empty;

  logic unused;
  assign unused = ^dn;

  `HD_ASSERT(a_known_message, !dn_valid_i || msg.reply || msg.inval || msg.recall)
  `HD_ASSERT(a_own_partition, !dn_valid_i || 32'(dn.route.src) < (1 << PartBits))
endmodule
`default_nettype wire
