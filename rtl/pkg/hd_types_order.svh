// hd_types_order.svh - structs that the modules of the ordering hardware hand to each other; part of hd_pkg.

  // A message of a classifier, without its sector; none: no kind is set.
  typedef struct packed {
    logic              inval;
    logic              recall;
    logic              reply;
    logic [NODE_W-1:0] src;
    logic [TID_W-1:0]  tid;   // of a reply TYPE_SAFE, TYPE_MAY_WRITE, else the transition
  } type_msg_s;

  // What a message says of its sector, its type and accesses that wait for it (hd_type_known).
  typedef struct packed {
    logic reply;          // the classifier's answer
    logic safe;           // ... they are SM-safe
    logic write;          // ... stores, too
    logic again;          // ... the right to write is asked for again
    logic install;        // ... the type is known from now on
    logic drop;           // an invalidation or a recall: it is not known any more
  } type_up_s;

  // What is known of a sector (hd_type_known).
  typedef struct packed {
    logic known;          // its type, for this access
    logic safe;           // ... SM-safe
    logic ask_ok;         // a request for it is out, or finds room
  } type_look_s;

  // The access that is tried (hd_type_choose).
  typedef struct packed {
    logic valid;          // there is one, of a known type
    logic safe;           // ... SM-safe, or to the LDS
    logic queued;         // it is the head of a type-wait queue; else it is the one offered
    logic data_ok;        // its data have a place, in case it has to wait
  } type_try_s;

  // What the in-flight counters of hd_type_cache count in a cycle, with hashes of the sectors.
  typedef struct packed {
    logic add_safe;       // an access goes, safe and in memory
    logic add_unsafe;     // ... unsafe
    logic add_marker;     // ... and leaves a marker
    logic sub_safe;       // one was performed
    logic sub_unsafe;
    logic sub_marker;     // a marker leaves its queue
    logic [TAG_W-3:0] sub_hash;     // of the one that was performed
    logic [TAG_W-3:0] marker_hash;  // of the marker
  } type_count_s;

  // What of a sector's hash is out (hd_type_cache).
  typedef struct packed {
    logic safe;           // safe accesses or markers
    logic any;            // ... or unsafe ones
  } type_out_s;

  // Bits are not assignable to an enum; to a struct they are.
  typedef struct packed {
    oq_e kind;
  } oq_s;

  // Bits are not assignable to an enum; to a struct they are.
  typedef struct packed {
    mac_e st;
  } mac_s;

  // What happened at a memory access classifier (hd_mac).
  typedef struct packed {
    logic request;        // a request was answered or remembered
    logic inval;          // an invalidation began
    logic recall;         // a recall began
  } mac_ev_s;

  // Parts of an access that waits which have places of their own (hd_store_data_array).
  typedef struct packed {
    logic cas;            // compare values
    logic data;
  } keep_s;

  // What happens to operations and accesses of an SM elsewhere in a cycle (hd_sc_prefetch).
  typedef struct packed {
    logic              issue;       // an operation of issue_warp is on its way to la
    logic [WARP_W-1:0] issue_warp;
    logic              performed;   // an access was performed
    performed_s        perf;        // ... this one
  } order_now_s;

  // What hd_unsafe_queues does with the access that comes, and with the head it shows.
  typedef struct packed {
    logic push;           // it enters its queue
    oq_e  kind;           // ... as this
    logic direct;         // it passes
    logic take;           // the head leaves
  } oq_do_s;
