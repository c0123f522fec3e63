// hd_types_l1.svh - structs that the modules of all L1s hand to each other; part of hd_pkg.

  // Bits are not assignable to an enum; to a struct they are.
  typedef struct packed {
    mesi_e st;
  } mesi_s;

  // What an L1 decides about in a cycle (hd_l1_arb), one of them at most.
  typedef struct packed {
    logic rp;             // an access that waited for the line that has arrived
    logic dn;             // a message of the down network
    logic fr;             // the access of the memory pipe
    logic fl;             // a step of the flush walk
  } l1_sel_s;

  // What it does then (hd_l1_mesi_decide, hd_l1_vi_decide).
  typedef struct packed {
    logic perform;        // the access of the pipe or the one that waited is performed
    logic push;           // the access of the pipe waits in the pending table
    logic send;           // VI: ... leaves for the L2
    logic reject;         // ... is refused
    logic start;          // MESI: those that wait for the line are served from now on
    logic stop;           // MESI: the one that waited has to wait again
    logic req;            // a request leaves
    logic rsp;            // an answer leaves
    logic data;           // ... with the line
    logic write;          // VI: a store writes the copy
    logic we;             // the line changes its state
    logic touch;          // the line is used
  } l1_do_s;

  // What an access is to an L1 with word states (l1_sync).
  typedef struct packed {
    logic fence;          // no access: a fence that reaches the L1
    logic release_it;     // ... done when all dirty words are written through
    logic acquire;        // valid clean words go when it is done
    logic sync;           // synchronization of the device: performed at the L2
    logic load;
    logic store;
    logic atomic;
  } l1_sync_s;

  // What an L1 is told that is constant during a run; each family has its part of it.
  typedef struct packed {
    logic        scoped;    // GPU, DENOVO: scopes narrower than the device count
    logic        read_only; // DENOVO: words of read-only data outlive acquires
    logic [31:0] nv_base;   // GPU: non-volatile memory begins at this address
  } l1_policy_s;
