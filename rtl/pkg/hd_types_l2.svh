// hd_types_l2.svh - structs that the modules of an L2 bank with line states hand to each other; part of hd_pkg.

  // Who asked.
  typedef struct packed {
    logic [NODE_W-1:0] src;
    logic [TID_W-1:0]  tid;    // an answer echoes it
    logic [OPID_W-1:0] opid;
  } l2_asker_s;

  // A message and the SM that it is from or for.
  typedef struct packed {
    msg_e              kind;
    logic [NODE_W-1:0] sm;
  } l2_msg_s;

  // The entry at work (hd_l2_mshr).
  typedef struct packed {
    role_e             role;
    logic [NODE_W-1:0] src;    // who asked
  } l2_entry_s;

  // The work of a cycle (hd_l2_select), one of them at most.
  typedef struct packed {
    logic pop;            // a line of non-volatile memory to be cleaned (hd_persist_l2)
    logic rsp;            // a packet of the RSP network
    logic mem;            // a line from memory
    logic done;           // the atomic that was performed
    logic fill;           // an entry that needs a way
    logic serve;          // an entry whose turn it is
    logic req;            // a request
    logic walk;           // the next line of a flush walk
  } l2_work_s;

  // The line at work (hd_l2_tags).
  typedef struct packed {
    logic hit;            // it is there, or its way is known
    logic ok;             // ... or a way for it is free
    logic valid;          // the way holds a line
    logic lock;           // a transaction of the line is under way
    logic recall;         // the way is being emptied for another line
    logic dirty;
    logic excl;           // directory: an owner, not readers
  } l2_line_s;

  // What works may have to wait for (hd_l2_select).
  typedef struct packed {
    logic out_free;       // the sending stage takes a packet
    logic mreq_ok;        // memory takes a request
    logic at_free;        // the unit that performs atomics is free
    logic body;           // the data of the entry to be served are there
  } l2_ready_s;

  // What else a decision depends on.
  typedef struct packed {
    logic out_free;       // the sending stage takes a packet
    logic mreq_ok;        // memory takes a request
    logic new_ok;         // an entry is free
    logic cam_hit;        // the request's line is on its way in
    logic txn_wait;       // the line's transaction waits for a PUT
    logic m_recall;       // the entry at work: its way still holds another line
    logic m_next_ok;      // ... has a next in its chain
    logic wr_room;        // a place for the data of a request is free
    logic at_free;        // the unit that performs atomics is free
  } l2_can_s;

  // What becomes of the way of the line at work (hd_l2_tags).
  typedef struct packed {
    logic tag_we;         // these three and the tag are written
    logic valid;
    logic lock;
    logic recall;
    logic dir_we;         // these two and the sharers are written
    logic dirty;
    logic excl;
    logic txn_we;         // the transaction is written
    logic touch;          // it is the most recently used of its set
  } l2_way_do_s;

  // What the entries say (hd_l2_mshr).
  typedef struct packed {
    logic new_ok;         // one is free
    logic cam_hit;        // the line looked for is on its way in
    logic txn_wait;       // the line's transaction waits for a PUT
    logic recall;         // the entry at work: its way still holds another line
    logic next_ok;        // ... has a next in its chain
  } l2_entries_s;

  // What becomes of entries; the last four of the one at work or of the line's transaction.
  typedef struct packed {
    logic alloc;          // the free one is taken
    logic chain;          // ... and hangs behind others, else it is a head
    logic recall;         // ... and its way still holds another line (heads only)
    logic recall_clr;     // its way is its own now
    logic wait_set;       // it waits for the PUT of its own requester
    logic free;           // it has ended; the next of its chain (next_ok) is the head
    logic txn_clr;        // the line's transaction no longer waits
  } l2_entries_do_s;

  // What the directory is asked (hd_l2_directory).
  typedef struct packed {
    logic              en;
    msg_e              kind;   // NONE: the line is to be evicted or looked at
    logic [NODE_W-1:0] sm;     // whose message
  } l2_asked_s;

  // What the directory says (hd_l2_directory).
  typedef struct packed {
    logic grant;          // the requester may have it
    logic fetch;          // ask the owner
    logic inv;            // ask the readers
    logic wait_put;       // the requester is still the owner: wait for its PUT
    logic evict;          // no copies: the line may leave
    logic merge;          // the message brings the line
    logic done;           // all answers are in
    logic bad;            // a message that the line's state excludes
    logic dirty;          // its next state
    logic excl;
  } l2_dir_s;

  // What becomes of the line (hd_l2_decide); the first two count with dir_we.
  typedef struct packed {
    logic dirty;
    logic excl;
    logic bad;            // a message that its state excludes
  } l2_next_s;

  // The answer to a marker of a persist barrier (hd_persist_l2).
  typedef struct packed {
    logic              valid;
    logic [NODE_W-1:0] dst;
    logic [OPID_W-1:0] id;     // of the marker
  } l2_pack_s;

  // What is done (hd_l2_updates).
  typedef struct packed {
    logic req_ready;      // the request is taken
    logic stall;          // ... has to wait outside
    logic walk_next;      // the walk goes on
    logic ask;            // a packet to an SM that has a copy
    logic grant;          // a packet to the requester
    logic write_back;     // the line to memory
    logic mem_read;       // a line from memory
    logic data_we;        // the line is written
    logic at_start;       // an atomic begins
    logic fill_push;      // queues of entries
    logic fill_pop;
    logic serve_push;
    logic serve_pop;
    logic alloc;          // entries
    logic alloc_chain;
    logic alloc_recall;
    logic recall_clr;
    logic wait_set;
    logic free;
    logic txn_clr;
    logic txn_we;         // tags
    logic touch;
    logic tag_we;
    logic wvalid;         // with tag_we
    logic wlock;
    logic wrecall;
    logic dir_we;
  } l2_plan_s;
