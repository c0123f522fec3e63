// hd_op_access.sv - what the warp port says of an operation, as the machine passes it on.
//
// op_*_i: ports of the tile, encodings of hd_pkg. acc_o: the fields the warp port brings; the
// others are 0, the machine fills them as the operation goes. Combinational.
`default_nettype none
module hd_op_access (
  input  logic [hd_pkg::WARP_W-1:0] op_warp_i,
  input  logic [hd_pkg::OP_W-1:0]   op_kind_i,
  input  logic [3:0]                op_fn_i,
  input  logic                      op_space_i,
  input  logic [2:0]                op_order_i,
  input  logic [1:0]                op_scope_i,
  input  logic                      op_ro_i,
  output hd_pkg::access_s           acc_o
);
  assign acc_o.warp  = op_warp_i;
  assign acc_o.kind  = op_kind_i;
  assign acc_o.fn    = op_fn_i;
  assign acc_o.space = op_space_i;
  assign acc_o.order = op_order_i;
  assign acc_o.scope = op_scope_i;
  assign acc_o.ro    = op_ro_i;
  assign acc_o.tx    = '0;
  assign acc_o.block = '0;
  assign acc_o.last  = '0;
  assign acc_o.prefetch = '0;
  assign acc_o.tag   = '0;
  assign acc_o.slot  = '0;
endmodule
`default_nettype wire
