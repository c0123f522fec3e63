// hd_l1_pass.svh - gives an instance of a family's L1 the parameters that all of them have. Stands
// last in its parameter list, in hd_l1.
.Lanes(Lanes), .LineWords(LineWords), .WordW(WordW), .SlotW(SlotW), .Sets(Sets), .Ways(Ways),
.WbEntries(WbEntries), .PartBits(PartBits), .MshrEntries(MshrEntries), .MshrTargets(MshrTargets),
.StoreData(StoreData), .MergeLanes(MergeLanes)
