// hd_l1_mesi_table.sv - the L1 side of the MESI protocol as one combinational table.
//
// Paper 1 section 5 (write-back, write-allocate MESI); docs/protocol_mesi.md holds the same table
// with the directory's side. Every answer is given in the same cycle.
//
// in   state_i (mesi_e) of the line, ev_i what happens to it.
// out  next_o   state after it
//      hit_o    the access may be performed now
//      req_o    request to send (GETS, GETM, UPG), MSG_NONE if none
//      rsp_o    answer or give-back to send, MSG_NONE if none; data_o: it carries the line
//      legal_o  0: the protocol never brings this pair
//
// "-": legal_o = 0. A state is named where it changes; DATA_x brings state x. EVICT of an invalid
// way: flush walk.
//          LOAD   STORE     DATA_x  ACK_M        INV        FETCH         FETCH_INV     EVICT
//   I      GETS   GETM      x       PUTE, GETM   INV_ACK    RSP_NONE      RSP_NONE      nothing
//   S      hit    UPG       -       M            I INV_ACK  -             -             I
//   E      hit    hit, M    -       -            -          S RSP_CLEAN   I RSP_CLEAN   I PUTE
//   M      hit    hit       -       -            -          S RSP_DATA    I RSP_DATA    I PUTM
//
// ACK_M in I: the copy that asked for the upgrade was replaced meanwhile; the line is given back
// and asked again.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_mesi_table (
  input  hd_pkg::mesi_e     state_i,
  input  hd_pkg::l1_event_e ev_i,
  output hd_pkg::mesi_e     next_o,
  output logic              hit_o,
  output hd_pkg::msg_e      req_o,
  output hd_pkg::msg_e      rsp_o,
  output logic              data_o,
  output logic              legal_o
);
  logic owned;  // E or M
  assign owned = state_i == hd_pkg::ST_E || state_i == hd_pkg::ST_M;

  always_comb begin
    next_o  = state_i;
    hit_o   = 1'b0;
    req_o   = hd_pkg::MSG_NONE;
    rsp_o   = hd_pkg::MSG_NONE;
    data_o  = 1'b0;
    legal_o = 1'b1;
    unique case (ev_i)
      hd_pkg::L1E_LOAD: begin
        hit_o = state_i != hd_pkg::ST_I;
        if (!hit_o) req_o = hd_pkg::MSG_GETS;
      end
      hd_pkg::L1E_STORE: begin
        hit_o = owned;
        if (owned) next_o = hd_pkg::ST_M;
        else req_o = (state_i == hd_pkg::ST_S) ? hd_pkg::MSG_UPG : hd_pkg::MSG_GETM;
      end
      hd_pkg::L1E_DATA_S: begin
        next_o  = hd_pkg::ST_S;
        legal_o = state_i == hd_pkg::ST_I;
      end
      hd_pkg::L1E_DATA_E: begin
        next_o  = hd_pkg::ST_E;
        legal_o = state_i == hd_pkg::ST_I;
      end
      hd_pkg::L1E_DATA_M: begin
        next_o  = hd_pkg::ST_M;
        legal_o = state_i == hd_pkg::ST_I;
      end
      hd_pkg::L1E_ACK_M: begin
        legal_o = !owned;
        if (state_i == hd_pkg::ST_S) begin
          next_o = hd_pkg::ST_M;
        end else begin
          rsp_o = hd_pkg::MSG_PUTE;
          req_o = hd_pkg::MSG_GETM;
        end
      end
      hd_pkg::L1E_INV: begin
        next_o  = hd_pkg::ST_I;
        rsp_o   = hd_pkg::MSG_INV_ACK;
        legal_o = !owned;
      end
      hd_pkg::L1E_FETCH, hd_pkg::L1E_FETCH_INV: begin
        legal_o = state_i != hd_pkg::ST_S;
        if (owned && ev_i == hd_pkg::L1E_FETCH) next_o = hd_pkg::ST_S;
        else next_o = hd_pkg::ST_I;
        data_o = state_i == hd_pkg::ST_M;
        if (state_i == hd_pkg::ST_M) rsp_o = hd_pkg::MSG_RSP_DATA;
        else if (state_i == hd_pkg::ST_E) rsp_o = hd_pkg::MSG_RSP_CLEAN;
        else rsp_o = hd_pkg::MSG_RSP_NONE;
      end
      hd_pkg::L1E_EVICT: begin
        next_o = hd_pkg::ST_I;
        data_o = state_i == hd_pkg::ST_M;
        if (state_i == hd_pkg::ST_M) rsp_o = hd_pkg::MSG_PUTM;
        else if (state_i == hd_pkg::ST_E) rsp_o = hd_pkg::MSG_PUTE;
      end
      default: legal_o = 1'b0;
    endcase
  end
endmodule
`default_nettype wire
