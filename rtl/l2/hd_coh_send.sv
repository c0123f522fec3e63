// hd_coh_send.sv - what an L2 bank of family GPU sends: answers, INVs, and requests to memory.
//
// One of these, only with free_o; what leaves is there the cycle after (hd_l2_send):
// answer  answer_i, kind_i: to the asker asker_i, about line addr_i. results_i: lanes of an
//         AT_DATA; whole_i: all words of the line go with it. obs_i: and words were written.
// mem     fetch_i: line addr_i is read for entry idx_i; back_i: line addr_i is written, tid epoch_i
// pack    pack_i: the marker pack_id_i of pack_to_i
// inv     inv_i: inv_head_i
// dn, mreq, obs: of hd_l2_send; head_o is what all three are about.
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
  input  logic                          clk_i,
  input  logic                          rst_i,
  input  logic [hd_pkg::NODE_W-1:0]     part_id_i,
  output logic                          free_o,
  input  logic [hd_pkg::ADDR_W-1:0]     addr_i,
  // answer
  input  logic                          answer_i,
  input  hd_pkg::msg_e                  kind_i,
  input  hd_pkg::l2_asker_s             asker_i,
  input  logic [hd_pkg::HALF_LANES-1:0] results_i,
  input  logic                          whole_i,
  input  logic                          obs_i,
  // mem
  input  logic                          fetch_i,
  input  logic [IdxW-1:0]               idx_i,
  input  logic                          back_i,
  input  logic [hd_pkg::TID_W-1:0]      epoch_i,
  // pack
  input  logic                          pack_i,
  input  logic [hd_pkg::NODE_W-1:0]     pack_to_i,
  input  logic [hd_pkg::OPID_W-1:0]     pack_id_i,
  // inv
  input  logic                          inv_i,
  input  logic [hd_pkg::HEAD_W-1:0]     inv_head_i,
  // out
  output logic                          dn_valid_o,
  input  logic                          dn_ready_i,
  output logic                          mreq_valid_o,
  output logic                          mreq_write_o,
  output logic                          obs_valid_o,
  output logic [HeadW-1:0]              head_o
);
  hd_pkg::head_s head;
  logic          send;

  assign send = answer_i || back_i || fetch_i || pack_i || inv_i;
  always_comb begin
    head       = '0;
    head.addr  = addr_i;
    head.tid   = hd_pkg::TID_W'(idx_i);
    head.route = hd_pkg::route_down(part_id_i, asker_i.src);
    if (back_i && Persist != 0) head.tid = epoch_i;
    if (pack_i) begin
      head.kind  = hd_pkg::MSG_PACK;
      head.opid  = pack_id_i;
      head.route = hd_pkg::route_down(part_id_i, pack_to_i);
    end
    if (inv_i) head = inv_head_i;
    if (answer_i) begin
      head.kind = kind_i;
      head.tid  = asker_i.tid;
      head.opid = asker_i.opid;
      if (kind_i == hd_pkg::MSG_AT_DATA) head.wmask.results = results_i;
      else if (whole_i) head.wmask.words[LineWords-1:0] = '1;
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
    .to_mem_i(back_i || fetch_i),
    .write_i(back_i),
    .obs_i(obs_i),
    .head_i(HeadW'(head)),
    .dn_valid_o(dn_valid_o),
    .dn_ready_i(dn_ready_i),
    .mreq_valid_o(mreq_valid_o),
    .mreq_write_o(mreq_write_o),
    .obs_valid_o(obs_valid_o),
    .head_o(head_o)
  );
endmodule
`default_nettype wire
