// hd_order_naive.sv - which warps may issue their waiting operation under RMO, naive TSO, naive SC.
//
// Combinational; bit w of every vector belongs to warp w. The caller asks only about warps that
// hold an operation; ok_o of the others means nothing. Paper 1 sections 3.2 (RMO), 3.3 (naive TSO:
// per-warp counters of pending loads and stores), 3.4 (naive SC).
//
//            load        store, atomic  barrier  exit  release or fence wider than one lane
//   RMO      -           -              -        both  both
//   TSO      loads       both           both     both  both
//   SC       both        both           both     both  both
//   TSO_SB   loads       loads, both    both     both  both
//   SC_PF    -           -              both     both  both
//   TYPE     -           -              order    both  order
//   DRF, HRF -           -              both     both  both
//
// Under DRF, HRF, RMO, TSO and TSO_SB a synchronizing access also waits for every earlier one of
// its warp (sync_pend): an acquire does not pass a release. The others keep it behind anyway.
//
// "loads" / "both": waits until the warp has no uncompleted load / neither load nor store. An
// atomic counts as both. While an acquire of the warp is uncompleted everything waits, except under
// SC_PF and TYPE, where the hardware behind the coalescer keeps program order: hd_sc_prefetch,
// hd_type_aware. "order": waits for that hardware (order_busy_i), as a barrier orders warps it does
// not see. TSO_SB: stores wait for earlier stores in hd_store_buffer.
//
// A copy to the LDS (is_copy_i) counts as a load and a store until its words are in the LDS, and
// goes as an atomic where atomics wait. Under TYPE it waits for all before it, and all behind it
// for it (copy_pend_i): the hardware behind the coalescer knows no LDS words. Under RMO, DRF, HRF a
// COPY_CTL, a fence or what waits for "both" orders it, nothing else.
//
// Barrier under TSO: stores must have drained because barrier and partners order the warps, and
// pending loads must have too: a load still under way could return what a partner stores after the
// barrier, and TSO lets no load be passed by what follows it.
//
// policy  model_i: hd_pkg::model_e
// class   is_ld_i is_st_i is_at_i is_bar_i is_exit_i: kind of the waiting operation, at most one
//         bit set (none: fence, clock, nop). rel_i: a memory operation with release order wider
//         than SCOPE_WI, or a fence wider than SCOPE_WI. is_sync_i: a synchronizing access.
//         is_copy_i: beside is_at_i, it is a copy
// state   sb_i {sync_pend, acq_block, st_pend, ld_pend}: registered state of the scoreboard,
//         copy_pend_i of hd_copy_groups, order_busy_i of the ordering hardware
`default_nettype none
module hd_order_naive #(
  parameter int unsigned Warps = 48  // warp slots
) (
  input  logic [3:0]         model_i,

  input  logic [Warps-1:0]   is_ld_i,
  input  logic [Warps-1:0]   is_st_i,
  input  logic [Warps-1:0]   is_at_i,
  input  logic [Warps-1:0]   is_bar_i,
  input  logic [Warps-1:0]   is_exit_i,
  input  logic [Warps-1:0]   rel_i,
  input  logic [Warps-1:0]   is_sync_i,
  input  logic [Warps-1:0]   is_copy_i,

  input  logic [4*Warps-1:0] sb_i,
  input  logic [Warps-1:0]   copy_pend_i,
  input  logic [Warps-1:0]   order_busy_i,

  output logic [Warps-1:0]   ok_o
);
  logic [Warps-1:0] wait_ld, wait_both, wait_hw, wait_acq, wait_sync;
  logic [Warps-1:0] ld_pend, st_pend, acq_block, sync_pend;
  assign {sync_pend, acq_block, st_pend, ld_pend} = sb_i;

  always_comb begin
    wait_ld    = '0;
    wait_hw    = '0;
    wait_acq   = acq_block;
    wait_sync  = is_sync_i & sync_pend;
    wait_both  = is_exit_i | rel_i;
    unique case (model_i)
      hd_pkg::MODEL_TSO: begin
        wait_ld   = is_ld_i;
        wait_both = wait_both | is_st_i | is_at_i | is_bar_i;
      end
      hd_pkg::MODEL_SC: wait_both = wait_both | is_ld_i | is_st_i | is_at_i | is_bar_i;
      hd_pkg::MODEL_TSO_SB: begin
        wait_ld   = is_ld_i | is_st_i;
        wait_both = wait_both | is_at_i | is_bar_i;
      end
      hd_pkg::MODEL_SC_PF: begin
        wait_both = wait_both | is_bar_i;
        wait_acq  = '0;
        wait_sync = '0;
      end
      hd_pkg::MODEL_TYPE: begin
        wait_both  = is_exit_i | is_copy_i | copy_pend_i;
        wait_hw    = is_bar_i | rel_i | is_copy_i;
        wait_acq   = '0;
        wait_sync  = '0;
      end
      hd_pkg::MODEL_DRF, hd_pkg::MODEL_HRF: wait_both = wait_both | is_bar_i;
      default: ;  // RMO
    endcase
    ok_o = ~(wait_acq | wait_sync | (order_busy_i & wait_hw) | (ld_pend & (wait_ld | wait_both))
             | (st_pend & wait_both));
  end
endmodule
`default_nettype wire
