// hd_types_persist.svh - structs that the modules of persistency hand to each other; part of hd_pkg.

  // A launch (hd_pbarrier).
  typedef struct packed {
    logic [WARP_W-1:0]  warp;
    logic [BLOCK_W-1:0] block;  // thread block slot that it joins
  } pb_launch_s;

  // What becomes of a row and of the epochs (hd_persist_tags).
  typedef struct packed {
    logic put;            // words of this epoch are written to the row
    logic drop;           // what it had has left
    logic open;           // a marker came
    logic close;          // the oldest marker left
  } ptag_do_s;

  // The row.
  typedef struct packed {
    logic tracked;        // it holds words to persist
    logic put_ok;         // its line may take words of the newest epoch
    logic leave;          // it may be written out
  } ptag_row_s;

  // What is done to a row of an L1 and to its NVW-FIFO (hd_persist_l1).
  typedef struct packed {
    logic put;            // words of the line become dirty
    logic fresh;          // the row gets another line or none
    logic pop;            // the head leaves
  } nvw_do_s;

  // The line and its row.
  typedef struct packed {
    logic room;           // its words may become dirty
    logic nv;             // it is of non-volatile memory
    logic tracked;        // the row is, and it is the row's
    logic leave;          // the row may be written through now
    logic one;            // no marker is here: what goes past the rows keeps its place
  } nvw_found_s;

  // What is at heads.
  typedef struct packed {
    logic list_leave;     // the row at the head of the dirty list may be written through
    logic pop;            // the head of the NVW-FIFO is to leave
    logic mark;           // ... a marker
    logic idle;           // nothing is; lines that wait for a marker do not count
  } nvw_head_s;
