// hd_types_l2_words.svh - structs that the modules of the L2 banks with word states hand to each other; part of hd_pkg.

  // The work of a cycle of an L2 bank of family GPU (hd_coh_control), one of them at most.
  typedef struct packed {
    logic ack;            // an INV_ACK
    logic mem;            // a line from memory
    logic inv;            // an INV leaves
    logic done;           // the atomic that was performed
    logic pop;            // a line of non-volatile memory to be cleaned
    logic pack;           // an answer to a marker leaves
    logic fill;           // a way that no L1 has words of any more
    logic serve;          // an entry whose turn it is
    logic req;            // a request
    logic walk;           // the next line of a flush walk
  } coh_work_s;

  // What is done in it (hd_coh_decide).
  typedef struct packed {
    logic take;           // the request is accepted
    logic alloc;          // ... and gets an entry
    logic chain;          // ... behind others of its line
    logic put;            // ... with data
    logic fetch;          // a line from memory
    logic back;           // the line to memory
    logic recall;         // its copies are recalled
    logic filled;         // the way of the fill has its line or none
    logic answer;         // a packet to the asker
    logic ends;           // the entry at work ends
    logic drop;           // ... and had data
    logic stored;         // words of a WT are written
    logic perform;        // an atomic begins
    logic wrote;          // a WT or an atomic writes words
    logic read;           // the line is read
    logic push;           // an entry is to be served
    logic tag_we;         // tags
    logic dir_we;         // ... or the line's sharers change
  } coh_plan_s;

  // What it depends on beside the line.
  typedef struct packed {
    logic out_free;       // the sending stage takes a packet
    logic mreq_all;       // all memories take a request
    logic mreq_nv;        // the non-volatile one does
    logic wr_room;        // a place for the data of a request is free
    logic at_free;        // the unit that performs atomics is free
    logic body_ready;     // the data of the entry to be served are there
  } coh_can_s;

  // The line, for hd_persist_l2.
  typedef struct packed {
    logic hit;            // it is there
    logic noted;          // ... dirty, under no transaction
    logic locked;         // a transaction is on it
  } coh_line_s;

  // What a cycle of an L2 bank with word states is about (hd_coh_lines).
  typedef struct packed {
    logic en;             // a line
    logic fill;           // ... which gets a way that is known
    logic walk;           // ... the next of the flush walk
    logic ask;            // it may be on its way to a way that is being emptied
  } coh_at_s;

  // What becomes of that line, of the entry at work and of the request (hd_coh_lines).
  typedef struct packed {
    logic take;           // the request is accepted: its line is the last one used
    logic alloc;          // ... and gets an entry
    logic chain;          // ... behind others of its line
    logic waits;          // ... whose way is being emptied
    logic fetch;          // the way gets the line of the request, of a fill of the entry
    logic ends;           // the entry at work ends
    logic push;           // an entry is to be served
    logic pop;            // the one to be served is
    logic tag_we;         // the way:
    logic valid;          // ... holds a line
    logic lock;           // ... which has entries
    logic recall;         // ... and leaves it
    logic dir_we;         // the line:
    logic dirty;          // ... differs from memory
    logic walked;         // the walk moves on
  } coh_step_s;

  // The work of a cycle of an L2 bank of family DENOVO (hd_denovo_control), one at most.
  typedef struct packed {
    logic write;          // a packet of RSP, looked at in the cycle before
    logic mem;            // a line from memory
    logic rsp;            // a packet of RSP is looked at
    logic serve;          // an entry whose turn it is
    logic req;            // a request
    logic walk;           // the next line of a flush walk
  } dn_work_s;

  // What is done in it.
  typedef struct packed {
    logic [TID_W-1:0] tid;  // of a line fetched: memory's answer brings it back
    logic take;           // the request is accepted
    logic fetch;          // a line from memory
    logic back;           // the line to memory
    logic recall;         // its owners are asked
    logic emit;           // the message is answered or forwarded
    logic own;            // ... its sender owns its words
    logic merge;          // words come back
    logic ack;            // ... which is acknowledged
    logic read;           // the line is read
  } dn_plan_s;

  // What there is for such a bank in a cycle, and what is possible.
  typedef struct packed {
    logic             req;     // a request
    logic             rsp;     // a packet of RSP
    logic             mem;     // a line from memory
    logic [TID_W-1:0] tid;     // ... for this entry
    logic             mreq_ok; // memory takes a request
    logic             free;    // a message can be sent
    logic             fw;      // a forward leaves
    logic             rs;      // an answer does
    logic             flush;   // the walk starts
  } dn_in_s;

  // Words of its line.
  typedef struct packed {
    logic [COH_WORDS-1:0] words;  // that come back, else those of the message
    logic [COH_WORDS-1:0] owned;  // that have an owner
  } dn_words_s;

  // A message and its line, for the table of family DENOVO (hd_dir_denovo).
  typedef struct packed {
    logic walk;           // no message: the flush walk looks at the line
    logic later;          // it is the turn of one that waited
    logic here;           // the line is here or on its way in
    logic busy;           // ... on its way in, or others wait
    logic dirty;          // it, or the victim of one that is not here, is newer than memory
  } dir_dn_at_s;

  // What the table says to that, beside the words that come back.
  typedef struct packed {
    logic waits;          // the message gets an entry
    logic fetch;          // a way is taken and memory asked
    logic back;           // the way is written to memory
    logic recall;         // the owners of its words are asked
    logic emit;           // the message is answered or forwarded
    logic own;            // ... its sender owns its words
    logic ack;            // WB_ACK
  } dir_dn_do_s;

  // What hd_denovo_send holds.
  typedef struct packed {
    logic free;           // no decision
    logic rs;             // an answer is offered
    logic fw;             // a forward or an acknowledgement is
    logic forward;        // ... a forward
    logic idle;           // nothing at all
  } dn_held_s;

  // Which of them are taken.
  typedef struct packed {
    logic rs;
    logic fw;
  } dn_ready_s;

  // A message and its line, for the table of family GPU (hd_dir_gpu).
  typedef struct packed {
    logic later;          // the message has waited for its turn, the line is there
    logic here;           // the line has a way
    logic busy;           // it is on its way in, or messages before this one wait for it
    logic dirty;          // what its way holds, or would have to give up, is newer than memory
    logic shared;         // it has to give up a line of which L1s may have words
  } dir_gpu_at_s;

  // What the table says to that, beside the answer.
  typedef struct packed {
    logic fetch;          // a way is taken and memory asked
    logic waits;          // the message gets an entry
    logic back;           // the way is written to memory, a message comes again
    logic recall;         // INV to the sharers, then as without
    logic write;          // the words of the message are written
    logic perform;        // the atomic is
  } dir_gpu_do_s;

  // What the work of a cycle depends on beside its line, known once the line is (hd_coh_decide).
  typedef struct packed {
    logic shared;         // L1s may have words of the line
    logic cam_hit;        // it is on its way to a way that is being emptied
    logic blocks;         // the request takes no entry before its way is free
    logic frees;          // the fill is for such a one
    logic new_ok;         // an entry is free
    logic recall_free;    // a recall can begin
    logic next;           // others wait behind the entry at work
    logic did_write;      // the atomic that is done has words to write
    logic hold;           // hd_persist_l2: the request has to wait
    logic leave;          // ... the line may leave
    logic back_ok;        // a credit of the memory of the line in the way
    logic fetch_ok;       // ... of the line at work
  } coh_now_s;

  // What sharers of a line and their recalls are told (hd_coh_recalls).
  typedef struct packed {
    logic fetch;          // another line takes the row: no sharers
    logic share;          // one more sharer
    logic ack;            // one less: an INV_ACK
    logic start;          // a recall begins
    logic inv;            // the INV leaves
    logic filled;         // the row to be filled has been
  } coh_recall_do_s;

  // What they have.
  typedef struct packed {
    logic free;           // a recall can begin
    logic inv;            // an INV is to leave
    logic fill;           // a row is to be filled
    logic idle;           // neither; a recall that waits for answers does not count
  } coh_recall_has_s;

  // What is sent (hd_coh_send), one of the first five at most.
  typedef struct packed {
    logic answer;         // to who asked
    logic fetch;          // to memory: a read
    logic back;           // ... a write
    logic pack;           // the answer to a marker
    logic inv;            // an INV
    msg_e kind;           // of the answer
    logic whole;          // ... all words of the line go with it
    logic obs;            // ... words were written
  } coh_send_s;

  // The answer.
  typedef struct packed {
    l2_asker_s             asker;
    logic [HALF_LANES-1:0] results;  // lanes of an AT_DATA
  } coh_answer_s;

  // What leaves: registers.
  typedef struct packed {
    logic dn;             // a packet to an SM
    logic mreq;           // a request to memory
    logic write;          // ... a write
    logic obs;            // words were written
  } coh_sent_s;

  // What is done with data of requests that wait (hd_l2_perform).
  typedef struct packed {
    logic put;            // those of a request are kept: it takes an entry
    logic atomic;         // ... it is an atomic
    logic next;           // an entry is to be served next
    logic pop;            // ... from the next cycle on another one
    logic free;           // those of an entry are dropped
    logic start;          // the atomic of the next entry is performed
    logic taken;          // the one that was performed is taken
  } l2_perform_do_s;

  // What is possible.
  typedef struct packed {
    logic room;           // a request with data can be kept
    logic ready;          // those of the next entry have been read
    logic at_free;        // an atomic can begin: none is under way
  } l2_perform_can_s;
