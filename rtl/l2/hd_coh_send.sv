// hd_coh_send.sv - what an L2 bank of family GPU sends: answers, INVs, and requests to memory.
//
// One of these, only with free_o; what leaves is there the cycle after (hd_l2_send):
// answer  answer_i, about line addr_i
// mem     line addr_i is read for entry idx_i; line addr_i is written, tid epoch_i
// pack    to pack_i: src and opid of the marker
// inv     inv_head_i
// sent_o  of hd_l2_send; head_o is what all of it is about.
// Parameters: Lanes, LineWords, IdxW, Observe; Persist: tids of writes are epochs.
`default_nettype none
module hd_coh_send #(
  parameter int unsigned Lanes     = 32,
  parameter int unsigned LineWords = 16,
  parameter int unsigned IdxW      = 6,
  parameter int unsigned Observe   = 0,
  parameter int unsigned Persist   = 0,
  parameter int unsigned HeadW     = hd_pkg::head_w(Lanes)  // derived
) (
  input  logic                      clk_i,
  input  logic                      rst_i,
  input  logic [hd_pkg::NODE_W-1:0] part_id_i,
  output logic                      free_o,
  input  hd_pkg::coh_send_s         do_i,
  input  logic [hd_pkg::ADDR_W-1:0] addr_i,
  input  hd_pkg::coh_answer_s       answer_i,
  input  logic [IdxW-1:0]           idx_i,
  input  logic [hd_pkg::TID_W-1:0]  epoch_i,
  input  hd_pkg::l2_asker_s         pack_i,
  input  logic [hd_pkg::HEAD_W-1:0] inv_head_i,
  input  logic                      dn_ready_i,
  output hd_pkg::coh_sent_s         sent_o,
  output logic [HeadW-1:0]          head_o
);
  hd_pkg::head_s head;
  logic          send;

  assign send = do_i.answer || do_i.back || do_i.fetch || do_i.pack || do_i.inv;
  always_comb begin
    head       = '0;
    head.addr  = addr_i;
    head.tid   = hd_pkg::TID_W'(idx_i);
    head.route = hd_pkg::route_down(part_id_i, answer_i.asker.src);
    if (do_i.back && Persist != 0) head.tid = epoch_i;
    if (do_i.pack) begin
      head.kind  = hd_pkg::MSG_PACK;
      head.opid  = pack_i.opid;
      head.route = hd_pkg::route_down(part_id_i, pack_i.src);
    end
    if (do_i.inv) head = inv_head_i;
    if (do_i.answer) begin
      head.kind = do_i.kind;
      head.tid  = answer_i.asker.tid;
      head.opid = answer_i.asker.opid;
      if (do_i.kind == hd_pkg::MSG_AT_DATA) head.wmask.results = answer_i.results;
      else if (do_i.whole) head.wmask.words[LineWords-1:0] = '1;
    end
  end
  hd_l2_send #(
    .Observe(Observe),
    .HeadW(HeadW)
  ) u_send (
    .clk_i(clk_i),
    .rst_i(rst_i),
    .free_o(free_o),
    .send_i(send),
    .to_mem_i(do_i.back || do_i.fetch),
    .write_i(do_i.back),
    .obs_i(do_i.obs),
    .head_i(HeadW'(head)),
    .dn_valid_o(sent_o.dn),
    .dn_ready_i(dn_ready_i),
    .mreq_valid_o(sent_o.mreq),
    .mreq_write_o(sent_o.write),
    .obs_valid_o(sent_o.obs),
    .head_o(head_o)
  );

  logic unused;
  assign unused = ^pack_i;
endmodule
`default_nettype wire
