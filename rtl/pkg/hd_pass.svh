// hd_pass.svh - gives the parameters of hd_params.svh to an instance. Stands last in its parameter
// list, behind those that are its own.
`define HD_PARAM(key, Name, value) .Name(Name),
`define HD_DERIVED(Name, value) .Name(Name),
`define HD_KEY(key, value)
`include "hd_keys.svh"
`undef HD_PARAM
`undef HD_DERIVED
`undef HD_KEY
.WordW(WordW)
