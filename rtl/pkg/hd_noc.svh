// hd_noc.svh - a part of hd_pkg: networks on the wires of crossbars and meshes, places on a mesh.

// Networks on the wires of a link towards an L2, towards an SM.
// A mesh and family DENOVO, whose SMs answer each other, have all of them.
function automatic int unsigned up_nets(input int unsigned noc, input int unsigned family);
  up_nets = (noc == NOC_MESH || family == FAMILY_DENOVO) ? NETS : UP_NETS;
endfunction
function automatic int unsigned down_nets(input int unsigned noc, input int unsigned family);
  down_nets = (noc == NOC_MESH || family == FAMILY_DENOVO) ? NETS : DOWN_NETS;
endfunction

// Number on the wires of a network of a tile, UP_* and DOWN_*.
function automatic int unsigned up_wire(input int unsigned noc, input int unsigned net);
  up_wire = (noc != NOC_MESH) ? net : (net == UP_RSP) ? VN_RSP : VN_REQ;
endfunction
function automatic int unsigned down_wire(input int unsigned noc, input int unsigned net);
  down_wire = (noc != NOC_MESH) ? net : VN_FWD;
endfunction

// Row and column of a node of a mesh of these columns and rows.
function automatic logic [MESH_W-1:0] mesh_row(input logic [MESH_W-1:0] node,
                                               input int unsigned columns,
                                               input int unsigned rows);
  mesh_row = '0;
  for (int unsigned r = 1; r < MESH_MAX; r++)
    if (r < rows && 32'(node) >= r * columns) mesh_row = MESH_W'(r);
endfunction
function automatic logic [MESH_W-1:0] mesh_column(input logic [MESH_W-1:0] node,
                                                  input logic [MESH_W-1:0] row,
                                                  input int unsigned columns);
  mesh_column = node - MESH_W'(32'(row) * columns);
endfunction
