// hd_types_noc.svh - structs that the modules of links and switches hand to each other; part of hd_pkg.
