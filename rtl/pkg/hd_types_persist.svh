// hd_types_persist.svh - structs that the modules of persistency hand to each other; part of hd_pkg.
