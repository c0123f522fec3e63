// hd_types_l1_words.svh - structs that the modules of the L1s with word states hand to each other; part of hd_pkg.

  // What such an L1 decides about in a cycle (hd_l1_dn_select), one of them at most.
  typedef struct packed {
    logic rp;             // an access that waited for a READ
    logic st;             // ... for a registration
    logic sv;             // the words that came begin to serve those that wait
    logic rs;             // a message of RSP
    logic ps;             // words leave to who waits for them
    logic fw;             // a message of FWD
    logic rt;             // a refused READ is repeated
    logic mk;             // the marker of a release leaves
    logic ends;           // a drain, a flush or the walk's begin ends
    logic fl;             // a row's dirty words are registered
    logic fr;             // the access of the memory pipe
    logic wrap;           // the next row of a walk
  } dn_sel_s;

  // What becomes of a step of the access of the memory pipe (hd_l1_dn_front).
  typedef struct packed {
    logic accept;         // a fence is taken
    logic part;           // some of its lanes are served or wait; with the last it is taken
    logic hit;            // lanes are served
    logic merge;          // lanes wait for a READ that is out
    logic read;           // ... for a new one
    logic fetch;          // a new READ without lanes: the access comes again
    logic wait_reg;       // lanes wait for a registration
    logic ask;            // ... which is asked for now
    logic evict;          // registered words of the victim are written back; it comes again
    logic marker;         // a release waits in the dirty list
    logic reject;         // it waits in front
  } dn_do_s;

  // What of hd_l1_dn_data waits for hd_l1_dn_select, and what must wait for it.
  typedef struct packed {
    logic rp;             // an access that waited for a READ
    logic st;             // ... for a registration
    logic sv;             // words that came may begin to serve
    logic rt;             // a refused READ is to be repeated
    logic busy;           // the array serves lane by lane: nothing is decided
    logic done_ok;        // a fence or a marker can complete
  } dn_due_s;

  // Places for lanes that would wait (hd_l1_dn_data): WHY_NONE, there is one.
  typedef struct packed {
    logic read_room;      // a new READ has an entry
    why_e read_why;       // ... or the one to join, its lanes
    why_e sync_why;       // those that wait for a registration
  } dn_places_s;

  // What hd_l1_dn_data does in a cycle.
  typedef struct packed {
    logic acquire;        // an access that waited is performed, and acquires
    logic sync;           // an access that waited for a registration is performed
    logic serve;          // lanes that waited for a READ are served
    logic fill;           // a packet of a READ's data is taken
    logic rmw;            // a lane of an atomic is performed
  } dn_did_s;

  // What of hd_l1_dn_words waits for hd_l1_dn_select: the head of the dirty list, words.
  typedef struct packed {
    logic valid;          // the list has a head
    logic marker;         // which is the marker of a release
    logic acquires;       // ... that acquires, too
    logic marked;         // there is a marker in the list
    logic full;           // the list is almost full
    logic out_none;       // no dirty word is being registered
    logic reg_free;       // a row with wanted words finds an entry
    logic pass;           // words are to leave to who waits for them
  } dn_leave_s;

  // What the access in front meets (hd_l1_dn_words).
  typedef struct packed {
    logic here;           // its line has a row
    logic way;            // else there is a row for it
    logic vict_r;         // ... with registered words
    logic row_ok;         // the row of a walk may go
    logic dirty;          // words to be asked for are dirty
    logic list_room;      // the words it would make dirty fit
    logic reg_room;       // its row has an entry of registrations, or finds one
    why_e why;            // of hd_l1_denovo_table
  } dn_found_s;

  // What hd_l1_dn_send has room for.
  typedef struct packed {
    logic req;            // a request
    logic rsp;            // an answer to a forward, a writeback
    logic wb;             // a line in the writeback buffer
    logic wb_none;        // nothing is to be acknowledged
  } dn_room_s;

  // What such an L1 decides about in a cycle (hd_l1_word_select), one of them at most.
  typedef struct packed {
    logic rp;             // an access that waited for the data that arrived
    logic dn;             // a message
    logic mk;             // the marker of a release leaves
    logic pp;             // the head of the NVW-FIFO leaves
    logic ends;           // a drain, a flush or the walk's begin ends
    logic fl;             // a row's dirty words are sent
    logic fr;             // the access of the memory pipe
    logic wrap;           // a row forgets generations: numbers come again
  } word_sel_s;

  // What becomes of the access of the memory pipe (hd_l1_gpu_front).
  typedef struct packed {
    logic accept;         // it is taken
    logic push;           // a place among those that wait for data
    logic fetch;          // ... without lanes: data are asked for, the access comes again
    logic send;           // it goes to the L2
    logic step;           // dirty words are sent first, the access comes again
    logic marker;         // a release waits in the dirty list
    logic reject;         // it waits in front
  } word_do_s;

  // What travels between the parts of an L1 of family GPU. From registers: room for what is sent
  // (hd_l1_gpu_out), the heads of what leaves in order (hd_l1_gpu_dirty).
  typedef struct packed {
    logic req;            // a request without data may be sent
    logic data;           // ... one with data
    logic at;             // ... an atomic
    logic out;            // a synchronizing access may be out
    logic wt;             // dirty words may be written through
    logic wt_none;        // no such WT is out
    logic wt_busy;        // the row of one is read, nothing else happens
  } gpu_room_s;

  typedef struct packed {
    logic valid;          // the dirty list is not empty
    logic marker;         // its head is the marker of a release
    logic marked;         // a marker is in it
    logic full;           // it is almost full
    logic leave;          // the row at its head may leave
    logic pop;            // the head of the NVW-FIFO is to leave
    logic pop_mark;       // ... a persist barrier
  } gpu_heads_s;

  // The message that is offered.
  typedef struct packed {
    logic data;           // a line
    logic ack;            // a WT of dirty words is done
    logic inv;            // the line is taken away
    logic done;           // a synchronizing access is done
    logic lanes;          // ... and brings words: an atomic
  } gpu_msg_s;

  // What a cycle is about (hd_l1_gpu_decide): msg and what count whatever is selected.
  typedef struct packed {
    word_sel_s sel;
    gpu_msg_s  msg;
    l1_sync_s  what;      // the access in front
  } gpu_turn_s;

  // What is found of its line (hd_l1_gpu_line), and by the tables of dirty words (hd_l1_gpu_dirty).
  typedef struct packed {
    logic hit;            // it is here
    logic row;            // ... or a row can be had
    logic evict;          // dirty words of that row go first
    why_e why;            // WHY_NONE: the access may go on, as far as its words say
    logic again;          // ... after dirty words or a READ of them
    logic missing;        // some of its words are not here
    logic hits;           // lanes of it find theirs
    logic wt;             // the event writes dirty words through
    logic fill;           // data arrived, and stay
    logic pending;        // a READ of the line is out
    logic read_room;      // one more may be
    why_e wait_why;       // WHY_NONE: there is a place among those that wait
  } gpu_look_s;

  typedef struct packed {
    logic room;           // its words may become dirty
    logic nv_room;        // ... as far as the NVW-FIFO is concerned
    logic nv;             // it is of non-volatile memory
    logic tracked;        // it is in the NVW-FIFO
    logic leave;          // its words may leave
    logic one;            // ... or a single word past them
  } gpu_dirty_s;

  // What is done in the cycle: to the access of the memory pipe, and to row and data.
  typedef struct packed {
    word_do_s la;
    logic     load;       // lanes are served from the array
    logic     store;      // words are written
    logic     atomic;     // both, lane by lane
    logic     leave;      // dirty words leave in their order
    logic     wt;         // dirty words are written through
    logic     write;      // the states of the row's words change
    logic     gen;        // a generation ends: valid words go
  } gpu_do_s;

  // What hd_l1_gpu_table says of an event beside the words.
  typedef struct packed {
    msg_e req;            // request to send (GETS, WT, ATOMIC), MSG_NONE if none
    logic joins;          // the words that miss wait for the READ that is out
    logic again;          // the request was a step only: the event comes again
    why_e why;            // not WHY_NONE: nothing is done, the event must wait
  } gpu_says_s;

  // What happens to hd_dirty_list at the edge; a row or a marker is put, not both.
  typedef struct packed {
    logic row;            // a row gets dirty words: it is put unless it is in the list
    logic marker;         // the marker of a release is put
    logic pop;            // the head is taken out
  } dirty_do_s;

  // What is in it.
  typedef struct packed {
    logic valid;          // there is a head
    logic marker;         // ... which is a marker
    logic marked;         // a marker is in it
    logic full;           // a line's words or a row might not fit
  } dirty_list_s;

  // What happens to the READs of the line looked up in hd_read_marks, at the edge.
  typedef struct packed {
    logic makes;          // one is sent: an entry, with the words needed (room, none is pending)
    logic joins;          // the words are needed from the pending one, too
    logic skips;          // every READ of the line skips the words
    logic ages;           // every READ becomes old, one made in the same cycle, too
    logic ends;           // the data of the READ rd_idx_i have come: its entry is free
  } read_note_s;

  // What happens to the row looked up in hd_reg_table, at the edge.
  typedef struct packed {
    logic ask;            // it has wanted words from now on
    logic stay;           // an access of this SM waits for the words
    logic follow;         // somebody else waits for them
    logic ack;            // they have come: to be passed on, no longer waited for
    logic pass;           // they leave to who waits for them
    logic last;           // no word is wanted any more
  } reg_do_s;
