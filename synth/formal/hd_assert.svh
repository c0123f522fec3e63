// hd_assert.svh - the assertions of the RTL as proof obligations (read instead of rtl/pkg/hd_assert.svh).
`ifndef HD_ASSERT_SVH
`define HD_ASSERT_SVH
`define HD_ASSERT(name_, prop_) \
  always @* if (!rst_i) assert (prop_);
`endif
