// hd_types_lds.svh - structs that the modules of the LDS hand to each other; part of hd_pkg.

  // A pass over the banks: a cycle of an access (hd_lds_pass).
  typedef struct packed {
    logic made;           // one is made
    logic first;          // ... the first of its access
    logic last;           // ... the last: the access is taken
  } lds_pass_s;

  // The cycle after, at the banks.
  typedef struct packed {
    logic valid;          // a pass is there
    logic gives;          // ... which returns words, in the cycle in which it goes on
  } lds_there_s;

  // Who is performed.
  typedef struct packed {
    logic [6:0] lanes;    // how many
    performed_s who;
  } lds_perf_s;

  // ... and what is said to it, in the same cycle.
  typedef struct packed {
    logic ready;          // it is taken
    logic last;           // its operation is complete
  } lds_answer_s;

  // Registered pulses.
  typedef struct packed {
    logic [7:0] tm;       // of transactions, EV_SM_TM_*; 0 without them
    logic       access;   // an access has made its last pass
    logic       conflict; // ... one before the last
  } lds_ev_s;

  // What happens to a wavefront's transaction in a cycle, one of them at most (hd_tm_control).
  typedef struct packed {
    logic start;          // TX_BEGIN
    logic commit;         // TX_COMMIT
    logic lose;           // lanes lose their attempt
  } tm_event_s;

  // A walk over the rows of transactions (hd_tm_shadow).
  typedef struct packed {
    logic start;          // it begins; the others count in this cycle
    logic all;            // every entry goes; else those of the lanes that are gone
    logic restore;        // rows of entries that go are put back
  } tm_walk_s;

  // A line access of a copy in front of the L1 (hd_copy_queue).
  typedef struct packed {
    logic valid;          // there is one
    logic taken;          // the L1 takes it
    performed_s who;
  } copy_in_s;

  // An access of which the L1 performs lanes (hd_copy_queue).
  typedef struct packed {
    logic valid;          // there is one
    performed_s who;
  } copy_perf_s;
