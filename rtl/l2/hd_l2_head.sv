// hd_l2_head.sv - the head of the packet or memory request that an L2 bank decided to send.
//
// grant   msg_i to who asked, the request req_head_i or the entry m_i, {lanes, asker}: echoes tid
//         and opid, and with LaneMasks the lanes; a grant of the line (line_o) names its words, the
//         answer of an atomic (work_i.done) its lanes, of a warp of more than 32 those of its half.
// ask     msg_i as it is; else to memory: tid is the entry idx_i, of a line that is written
//         epoch_i.
// pack    with pack_i.valid there is nothing else: PACK.
// num_i   line number, of what is read from memory or of what the way holds. Combinational.
// Parameters: IdxW, NumW bits of an entry and of a line number, PartBits, LineWords, Lanes,
// LaneMasks.
`default_nettype none
module hd_l2_head #(
  parameter int unsigned IdxW = 7,
  parameter int unsigned NumW = 22,
  parameter int unsigned PartBits = 3,
  parameter int unsigned LineWords = 32,
  parameter int unsigned Lanes = 32,
  parameter int unsigned LaneMasks = 0,
  parameter int unsigned LaneW = hd_pkg::lane_w(Lanes),  // derived
  parameter int unsigned HeadW = hd_pkg::head_w(Lanes)   // derived
) (
  input  hd_pkg::l2_work_s          work_i,
  input  hd_pkg::l2_plan_s          plan_i,
  input  hd_pkg::l2_msg_s           msg_i,
  input  logic [hd_pkg::NODE_W-1:0] part_id_i,
  input  logic [NumW-1:0]           num_i,
  input  logic [HeadW-1:0]          req_head_i,
  input  logic [IdxW-1:0]           idx_i,
  input  logic [LaneW+hd_pkg::ASKER_W-1:0] m_i,
  input  logic [hd_pkg::TID_W-1:0]  epoch_i,
  input  hd_pkg::l2_pack_s          pack_i,
  output logic                      send_o,
  output logic                      line_o,
  output logic [hd_pkg::ADDR_W-1:0] addr_o,
  output logic [HeadW-1:0]          head_o
);
  localparam int unsigned OffW = hd_pkg::ADDR_W - NumW - PartBits;  // byte in line

  hd_pkg::head_s     req, head;
  hd_pkg::l2_asker_s m_asker, asker;
  logic [LaneW-1:0]  req_lanes, m_lanes, lanes;

  assign {req_lanes, req} = req_head_i;
  assign {m_lanes, m_asker} = m_i;
  assign asker  = work_i.req ? {req.route.src, req.tid, req.opid} : m_asker;
  assign send_o = plan_i.ask || plan_i.grant || plan_i.write_back || plan_i.mem_read
                  || pack_i.valid;
  assign addr_o = {num_i, {(OffW + PartBits) {1'b0}}} | (hd_pkg::ADDR_W'(part_id_i) << OffW);
  assign line_o = plan_i.grant
                  && (msg_i.kind == hd_pkg::MSG_DATA_S || msg_i.kind == hd_pkg::MSG_DATA_E
                      || msg_i.kind == hd_pkg::MSG_DATA_M);

  always_comb begin
    head  = '0;
    lanes = '0;
    if (pack_i.valid) begin
      head.kind  = hd_pkg::MSG_PACK;
      head.route = hd_pkg::route_down(part_id_i, pack_i.dst);
      head.opid  = pack_i.id;
    end else if (send_o) begin
      head.kind = msg_i.kind;
      head.addr = addr_o;
      head.tid  = plan_i.write_back ? epoch_i : hd_pkg::TID_W'(idx_i);
      head.opid = asker.opid;
      if (plan_i.grant) begin
        head.route = hd_pkg::route_down(part_id_i, asker.src);
        head.tid   = asker.tid;
        if (line_o) head.wmask.words[LineWords-1:0] = '1;
        if (work_i.done) head.wmask.results = hd_pkg::half_mask(hd_pkg::LANES_MAX'(m_lanes));
        if (LaneMasks != 0) lanes = work_i.req ? req_lanes : m_lanes;
      end else begin
        head.route = hd_pkg::route_down(part_id_i, msg_i.sm);
      end
    end
  end
  assign head_o = {lanes, head};

  logic unused;
  assign unused = ^{work_i, plan_i, req, req_lanes, m_lanes};
endmodule
`default_nettype wire
