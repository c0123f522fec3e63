// hd_l1_vi_table.sv - the L1 side of the write-through (VI) protocol as one combinational table.
//
// Paper 1 sections 3.6 and 6.5 (write-through, no-write-allocate, kept coherent by the directory);
// docs/protocol_vi.md holds the same table with the directory's side. Every answer is given in the
// same cycle. Valid is ST_S, so that tags and observers are those of hd_l1_mesi.
//
// in   state_i of the line, ev_i what happens to it.
// out  next_o   state after it
//      hit_o    the load may be performed now
//      req_o    request to send (GETS, WT, ATOMIC), MSG_NONE if none
//      rsp_o    answer to send, MSG_NONE if none
//      write_o  the copy takes the store's words
//      legal_o  0: the protocol never brings this pair
//
// "-": legal_o = 0. A state is named where it changes. LOAD_OUT: a load while stores or atomics of
// this SM to the line are out; LAST: the last load that waited for data that may not stay, because
// a store followed its request. EVICT of an invalid way: flush walk.
//        LOAD   LOAD_OUT   STORE       ATOMIC     DATA_S   LAST     INV         EVICT
//   I    GETS   GETS       WT          ATOMIC     V        -        INV_ACK     nothing
//   V    hit    GETS       WT, write   ATOMIC, I  V        hit, I   INV_ACK, I  I
//
// DATA_S in V: the request was made because of a store that was out; the copy is written again.
`include "hd_assert.svh"
`default_nettype none
module hd_l1_vi_table (
  input  hd_pkg::mesi_e     state_i,
  input  hd_pkg::l1_event_e ev_i,
  output hd_pkg::mesi_e     next_o,
  output logic              hit_o,
  output hd_pkg::msg_e      req_o,
  output hd_pkg::msg_e      rsp_o,
  output logic              write_o,
  output logic              legal_o
);
  logic held;
  assign held = state_i == hd_pkg::ST_S;

  always_comb begin
    next_o  = state_i;
    hit_o   = 1'b0;
    req_o   = hd_pkg::MSG_NONE;
    rsp_o   = hd_pkg::MSG_NONE;
    write_o = 1'b0;
    legal_o = state_i == hd_pkg::ST_I || held;
    unique case (ev_i)
      hd_pkg::L1E_LOAD: begin
        hit_o = held;
        if (!held) req_o = hd_pkg::MSG_GETS;
      end
      hd_pkg::L1E_LOAD_OUT: req_o = hd_pkg::MSG_GETS;
      hd_pkg::L1E_STORE: begin
        req_o   = hd_pkg::MSG_WT;
        write_o = held;
      end
      hd_pkg::L1E_ATOMIC: begin
        req_o  = hd_pkg::MSG_ATOMIC;
        next_o = hd_pkg::ST_I;
      end
      hd_pkg::L1E_DATA_S: next_o = hd_pkg::ST_S;
      hd_pkg::L1E_LAST: begin
        hit_o   = 1'b1;
        next_o  = hd_pkg::ST_I;
        legal_o = held;
      end
      hd_pkg::L1E_INV: begin
        next_o = hd_pkg::ST_I;
        rsp_o  = hd_pkg::MSG_INV_ACK;
      end
      hd_pkg::L1E_EVICT: next_o = hd_pkg::ST_I;
      default: legal_o = 1'b0;
    endcase
  end
endmodule
`default_nettype wire
