// hd_mac_table.sv - what the memory access classifier does with a request for a sector's type.
//
// Combinational. Paper 1 Figure 5, with silent transitions (docs/type_aware.md):
//
//   state        who      read                     write
//   none         -        private_ro, safe         private_rw, safe + write
//   private_ro   owner    stays, safe              private_rw, safe + write
//   private_ro   other    shared_ro, safe          shared_rw, invalidate the owner
//   private_rw   owner    stays, safe + write      stays, safe + write
//   private_rw   other    shared_rw, inv. owner    shared_rw, invalidate the owner
//   shared_ro    any      stays, safe              shared_rw, invalidate all SMs
//   shared_rw    any      stays, unsafe            stays, unsafe
//
// After an invalidation the answer is "unsafe", once every invalidated SM has acknowledged. All SMs
// includes the one that asks: it may have safe reads and markers on the sector.
`default_nettype none
module hd_mac_table (
  input  hd_pkg::mac_e state_i,
  input  logic         known_i,      // the sector has an entry
  input  logic         owner_i,      // the one who asks is its owner
  input  logic         write_i,
  output hd_pkg::mac_e next_o,
  output logic         safe_o,       // the answer, if nothing is invalidated
  output logic         may_write_o,
  output logic         inv_owner_o,
  output logic         inv_all_o
);
  always_comb begin
    next_o      = state_i;
    inv_owner_o = 1'b0;
    inv_all_o   = 1'b0;
    if (!known_i) next_o = write_i ? hd_pkg::MAC_PRIVATE_RW : hd_pkg::MAC_PRIVATE_RO;
    else begin
      unique case (state_i)
        hd_pkg::MAC_PRIVATE_RO: begin
          if (owner_i) next_o = write_i ? hd_pkg::MAC_PRIVATE_RW : hd_pkg::MAC_PRIVATE_RO;
          else begin
            next_o      = write_i ? hd_pkg::MAC_SHARED_RW : hd_pkg::MAC_SHARED_RO;
            inv_owner_o = write_i;
          end
        end
        hd_pkg::MAC_PRIVATE_RW: begin
          if (!owner_i) next_o = hd_pkg::MAC_SHARED_RW;
          inv_owner_o = !owner_i;
        end
        hd_pkg::MAC_SHARED_RO: begin
          if (write_i) next_o = hd_pkg::MAC_SHARED_RW;
          inv_all_o = write_i;
        end
        default: ;  // shared_rw
      endcase
    end
    safe_o      = next_o != hd_pkg::MAC_SHARED_RW;
    may_write_o = next_o == hd_pkg::MAC_PRIVATE_RW;
  end
endmodule
`default_nettype wire
