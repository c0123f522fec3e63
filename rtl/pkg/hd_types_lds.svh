// hd_types_lds.svh - structs that the modules of the LDS hand to each other; part of hd_pkg.
