// hd_fits.svh - what the widths of the package can hold: stands in the body of a module whose
// parameters are those of hd_params.svh. Without it a number that does not fit loses bits in a cast,
// silently.
if (Warps > 2**hd_pkg::WARP_W || Slots > 2**hd_pkg::SLOT_W || Blocks > 2**hd_pkg::BLOCK_W)
  begin : g_bad_warps
  $error("Warps, Slots or Blocks do not fit WARP_W, SLOT_W, BLOCK_W");
end
if (Lanes > hd_pkg::LANES_MAX || LineWords > hd_pkg::MASK_W) begin : g_bad_masks
  $error("Lanes or LineWords do not fit LANES_MAX, MASK_W");
end
if (Sms > 2**hd_pkg::NODE_W || PartBits > hd_pkg::NODE_W) begin : g_bad_nodes
  $error("Sms or PartBits do not fit NODE_W");
end
if (MshrEntries > 2**hd_pkg::TID_W || L2Mshr > 2**hd_pkg::TID_W) begin : g_bad_ids
  $error("MshrEntries or L2Mshr do not fit TID_W");
end
