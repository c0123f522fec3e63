// hd_types_sm.svh - structs that the modules of issue hand to each other; part of hd_pkg.

  // What issues in a cycle (hd_issue_select).
  typedef struct packed {
    logic any;            // a warp issues: one of the next three
    logic alu;            // an ALU instruction in front of its operation
    logic mem;            // its memory operation, or the fence in front
    logic ctl;            // its control operation
    logic fence;          // mem is the fence in front
    logic arrive;         // ctl is an arrival at a barrier
    logic leave;          // ctl is its exit
  } issue_pick_s;

  // A warp joins a thread block (hd_issue_table).
  typedef struct packed {
    logic               now;    // in this cycle
    logic [BLOCK_W-1:0] block;  // ... this block
    logic [WARP_W-1:0]  warp;   // ... this warp
  } issue_launch_s;

  // What the scoreboard is told of a memory operation that issues (hd_issue).
  typedef struct packed {
    logic ld;             // pending as a load
    logic st;             // ... as a store
    logic acq;            // it acquires
    logic sync;           // it synchronizes
  } issue_mem_s;

  // What hd_pbarrier is told of the warp that issues (hd_issue).
  typedef struct packed {
    logic       arrive;   // a persist barrier
    logic       leave;    // its exit
    logic [1:0] scope;    // scope_e of the persist barrier
  } issue_pb_s;
