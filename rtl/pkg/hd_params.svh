// hd_params.svh - the parameters of a module that passes structure on: all of hd_keys.svh, with its
// defaults. Stands in the parameter list of a module, before those of its own.
`define HD_PARAM(key, Name, value) parameter int unsigned Name = value,
`define HD_DERIVED(Name, value) parameter int unsigned Name = value,
`define HD_KEY(key, value)
`include "hd_keys.svh"
`undef HD_PARAM
`undef HD_DERIVED
`undef HD_KEY
parameter int unsigned WordW = 32 + GhostW,  // derived
