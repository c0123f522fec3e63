// hd_pkg.sv - the one package: every type and constant that two modules share.
//
// Localparams and enum values are also exported to C: tb/model/genpkg.awk turns this file into
// build/gen/hd_pkg.h, so a number is written once. Keep one value per line.
`default_nettype none
package hd_pkg;
  // ---- widths -------------------------------------------------------------------------------
  localparam int unsigned ADDR_W = 32;      // byte addresses
  localparam int unsigned FLIT_WORDS = 8;   // words of a flit at the most: 32 bytes of data
  localparam int unsigned NODE_W = 7;       // number of an SM, L2 or command processor
  localparam int unsigned TID_W = 8;        // transaction id: an index into the asker's table
  localparam int unsigned OPID_W = 16;      // warp operation: slot * 64 + warp
  localparam int unsigned VN_W = 2;         // virtual network number
  localparam int unsigned MASK_W = 32;      // word mask of a line of at most 32 words
  localparam int unsigned WARP_W = 6;       // warp slot of an SM, at most 64
  localparam int unsigned SLOT_W = 3;       // scoreboard slot of a warp, at most 8
  localparam int unsigned BLOCK_W = 4;      // thread block slot of an SM, at most 16
  localparam int unsigned ALU_W = 16;       // ALU instructions before an operation
  localparam int unsigned LANE_W = 32;      // lane mask of a request, at the least (lane_w)
  localparam int unsigned LANES_MAX = 64;   // lanes of a warp at the most: masks of C and ones()
  localparam int unsigned HALF_LANES = 32;  // lanes of a global atomic access at the most
  localparam int unsigned TAG_W = 8;        // what the ordering hardware wants back with perf
  localparam int unsigned SECTOR_BYTES = 16384;  // paper 1 Table 2
  localparam int unsigned ORDER_SEQ_W = 8;  // counts the unsafe accesses of a warp, modulo

  // ---- networks -------------------------------------------------------------------------------
  // What waits may wait only for a higher one; docs/protocol_mesi.md argues why nothing deadlocks.
  localparam int unsigned VN_REQ = 0;       // requests, may wait at the L2
  localparam int unsigned VN_FWD = 1;       // grants, invalidations, fetches, in order
  localparam int unsigned VN_RSP = 2;       // answers and writebacks, always sunk
  localparam int unsigned NETS = 3;
  // Their numbers on the wires of a link. Links of a mesh have all three under the numbers above.
  // Links of the crossbars, up to an L2 and down to an SM:
  localparam int unsigned UP_REQ = 0;
  localparam int unsigned UP_RSP = 1;
  localparam int unsigned UP_NETS = 2;
  localparam int unsigned DOWN_FWD = 0;     // always sunk by the SM
  localparam int unsigned DOWN_NETS = 1;
  // Tiles count the networks they use as the crossbars' links do, and translate (up_wire).

  // ---- between SMs and L2s ----------------------------------------------------------------------
  localparam int unsigned NOC_XBAR = 0;     // a crossbar up, one down
  localparam int unsigned NOC_MESH = 1;     // routers: hd_router_tile
  localparam int unsigned MESH_MAX = 16;    // columns, rows of a mesh at the most
  localparam int unsigned MESH_W = 8;       // number of a node: row * columns + column
  // Ports of a router. SM i is at node i + 1, L2 b at node b, the command processor at node 0,
  // where the port of the SM is its.
  localparam int unsigned ROUTER_N = 0;     // to the row above: node - columns
  localparam int unsigned ROUTER_E = 1;     // node + 1
  localparam int unsigned ROUTER_S = 2;     // node + columns
  localparam int unsigned ROUTER_W = 3;     // node - 1
  localparam int unsigned ROUTER_SM = 4;
  localparam int unsigned ROUTER_L2 = 5;
  localparam int unsigned ROUTER_PORTS = 6;

  // ---- messages -------------------------------------------------------------------------------
  // The message table. Behind each value: the networks it may take (a family uses one of them), d
  // if data flits may follow its head, the class its flits are counted in (cls: the head says it),
  // the messages of which one answers it, and after the colon what it says. genpkg.awk makes
  // HD_MSG_TABLE of it, for links, conservation and docs/messages.md.
  typedef enum logic [5:0] {
    MSG_NONE = 6'd0,         // no message
    MSG_GETS = 6'd1,         // REQ - read DATA_S|DATA_E: wants the line to read
    MSG_GETM = 6'd2,         // REQ - write DATA_M: wants the line to write
    MSG_UPG = 6'd3,          // REQ - write ACK_M|DATA_M: holds the line shared, wants to write
    MSG_PUTM = 6'd4,         // RSP d writeback -: gives a modified line back
    MSG_PUTE = 6'd5,         // RSP - writeback -: gives an exclusive clean line back
    MSG_RSP_DATA = 6'd6,     // RSP d fetch -: answer to a fetch, line was modified
    MSG_RSP_CLEAN = 6'd7,    // RSP - fetch -: answer to a fetch, line was exclusive and clean
    MSG_RSP_NONE = 6'd8,     // RSP - fetch -: answer to a fetch, line already given back by a PUT
    MSG_INV_ACK = 6'd9,      // RSP - inv -: the copy is dropped
    MSG_DATA_S = 6'd10,      // FWD|RSP d read -: the line, to read
    MSG_DATA_E = 6'd11,      // FWD d read -: the line, no other copy, clean
    MSG_DATA_M = 6'd12,      // FWD d write -: the line, no other copy, to write
    MSG_ACK_M = 6'd13,       // FWD - write -: an upgrade is granted, no data
    MSG_INV = 6'd14,         // FWD - inv INV_ACK: drop a shared copy
    MSG_FETCH = 6'd15,       // FWD - fetch RSP_DATA|RSP_CLEAN|RSP_NONE: owner becomes a sharer
    MSG_FETCH_INV = 6'd16,   // FWD - fetch RSP_DATA|RSP_CLEAN|RSP_NONE: owner drops the line
    MSG_WT = 6'd17,          // REQ d write WT_ACK: words of a store
    MSG_ATOMIC = 6'd18,      // REQ d atomic AT_DATA: function, places, operands
    MSG_WT_ACK = 6'd19,      // FWD|RSP - write -: the store is performed, no old copy is left
    MSG_AT_DATA = 6'd20,     // FWD|RSP d atomic -: performed, the old word of each lane
    // types of sectors, paper 1 section 4; addr names the sector, flags TYPE_*
    MSG_TYPE_REQ = 6'd24,    // REQ - type TYPE_REP: asks for the type of a sector
    MSG_TYPE_ACK = 6'd25,    // RSP - type -: answer to TYPE_INV and TYPE_RECALL
    MSG_TYPE_REP = 6'd26,    // FWD - type -: the type
    MSG_TYPE_INV = 6'd27,    // FWD - type TYPE_ACK: the sector becomes unsafe
    MSG_TYPE_RECALL = 6'd28, // FWD - type TYPE_ACK: the classifier forgets the sector
    // word-granular coherence, paper 3; persistency, paper 4
    MSG_REG = 6'd32,         // REQ - cls -: wants words to write; REG_ACK or REG_DATA answer
    MSG_FWD_READ = 6'd33,    // FWD - cls -: owner, answer a reader
    MSG_FWD_REG = 6'd34,     // FWD - cls -: owner, hand words over
    MSG_RECALL = 6'd35,      // FWD - cls -: owner, give words back
    MSG_WB_ACK = 6'd36,      // FWD - cls -: a writeback has arrived
    MSG_NACK = 6'd37,        // RSP - cls -: not the owner any more
    MSG_REG_DATA = 6'd38,    // RSP d cls -: words are yours, with their values
    MSG_REG_ACK = 6'd39,     // RSP - cls -: words are yours
    MSG_WB = 6'd40,          // RSP d cls WB_ACK: gives words back
    MSG_RECALL_DATA = 6'd41, // RSP d cls -: answer to a recall
    MSG_PMARK = 6'd42,       // REQ - persist PACK: a persist epoch ends
    MSG_PACK = 6'd43         // FWD|RSP - persist -: all before the mark is durable
  } msg_e;

  // Bits are not assignable to an enum; to a struct they are.
  typedef struct packed {
    msg_e kind;
  } kind_s;

  // Flags of a type message, bits of tid in its head.
  localparam int unsigned TYPE_WANTS_WRITE = 0;  // TYPE_REQ: wants to write
  localparam int unsigned TYPE_SAFE = 0;         // TYPE_REP: safe
  localparam int unsigned TYPE_MAY_WRITE = 1;    // TYPE_REP: may be written

  // ---- packets --------------------------------------------------------------------------------
  // A packet is a head and, if its message carries data, data flits. The network is beside the
  // flits, on the link. The head begins with where it goes: all that a router looks at.
  typedef enum logic [1:0] {
    END_SM = 2'd0,        // an SM
    END_L2 = 2'd1,        // a partition
    END_CP = 2'd2         // the command processor
  } end_e;

  typedef struct packed {
    end_e              dst_kind;
    logic [NODE_W-1:0] dst;
    end_e              src_kind;
    logic [NODE_W-1:0] src;
  } route_s;
  localparam int unsigned ROUTE_W = 18;     // bits of route_s

  // What follows the head.
  typedef union packed {
    logic [MASK_W-1:0] words;    // words of the line that the data flits hold
    logic [MASK_W-1:0] results;  // MSG_AT_DATA: the same, a word a lane of its half (half_mask)
    logic [MASK_W-1:0] flits;    // MSG_ATOMIC: the data flits themselves (hd_wt_queue)
  } wmask_u;

  // Head of the families MESI and VI, in the low bits of the first flits; unused bits are 0. Above
  // it a mask of lane_w(Lanes) lanes: those that wait for the answer, which echoes it (requests of
  // a pending request table), or those of a MSG_ATOMIC.
  typedef struct packed {
    logic [ADDR_W-1:0] addr;    // byte address of the line
    wmask_u            wmask;
    // requester's table entry, an answer echoes it; MSG_TYPE_REQ, MSG_TYPE_REP: TYPE_*
    logic [TID_W-1:0]  tid;
    logic [OPID_W-1:0] opid;    // warp operation that caused the message, 0 if none
    msg_e              kind;
    route_s            route;
  } head_s;
  localparam int unsigned HEAD_W = 112;          // bits of head_s
  localparam int unsigned HEAD_LANES_LSB = HEAD_W;

  // DENOVO needs no lanes above its head, has lines of at most 16 words, and keeps in the upper
  // bits of wmask.words what a message of 10 bits more says: whether the values of the words are
  // wanted, the class of its flits and, of a forward, the SM that asks.
  localparam int unsigned COH_SYNC = 16;
  localparam int unsigned COH_CLS = 17;     // bits COH_CLS_W, coh_class_e
  localparam int unsigned COH_CLS_W = 3;
  localparam int unsigned COH_REQ = 20;     // bits NODE_W
  localparam int unsigned COH_WORDS = 16;
  typedef enum logic [2:0] {
    COH_READ = 3'd0,      // reads and what they cause
    COH_REGISTRATION = 3'd1,  // registrations of written words
    COH_WRITE = 3'd2,     // writebacks and recalls
    COH_ATOMIC = 3'd3     // registrations and reads of synchronization
  } coh_class_e;

  // ---- warp operations --------------------------------------------------------------------------
  localparam int unsigned OP_W = 5;         // bits of op_e
  typedef enum logic [4:0] {
    OP_LOAD = 5'd0,       // read a word per lane
    OP_STORE = 5'd1,      // write a word per lane
    OP_ATOMIC = 5'd2,     // read-modify-write a word per lane, old value returned
    OP_FENCE = 5'd3,      // done when all earlier operations of the warp are
    OP_BARRIER = 5'd4,    // done when every live warp of the block has arrived
    OP_EXIT = 5'd5,       // warp ends; done when its operations are
    OP_CLOCK = 5'd6,      // reads the cycle number
    OP_NOP = 5'd7,        // only the ALU instructions in front of it
    // host: warp slot joins a thread block, becomes the youngest warp; fn 1: a kernel begins
    OP_LAUNCH = 5'd8,
    OP_FLUSH = 5'd9,      // host: write back and drop the whole L1
    OP_TX_BEGIN = 5'd10,  // paper 5
    OP_TX_COMMIT = 5'd11, // paper 5
    OP_PBARRIER = 5'd12,  // paper 4
    OP_COPY = 5'd13,      // global to LDS
    OP_COPY_CTL = 5'd14   // fn[3] 0: closes a group of copies, 1: waits until fn[2:0] are open
  } op_e;

  // What an operation is to the machine. The first four are memory operations: they go down the
  // pipe from the coalescer to L1 or LDS and take a scoreboard slot.
  typedef enum logic [2:0] {
    OPC_LOAD = 3'd0,    // pending as a load
    OPC_STORE = 3'd1,   // ... as a store
    OPC_ATOMIC = 3'd2,  // ... as both, and indivisible
    OPC_BOTH = 3'd3,    // ... as both: ordered like an atomic
    OPC_FENCE = 3'd4,
    OPC_PERSIST = 3'd5,
    OPC_CONTROL = 3'd6, // done at issue
    OPC_HOST = 3'd7     // of the host: acted on at once
  } op_class_e;

  typedef enum logic [3:0] {
    AT_ADD = 4'd0,        // old + b
    AT_MIN = 4'd1,        // signed minimum
    AT_MAX = 4'd2,        // signed maximum
    AT_AND = 4'd3,        // old & b
    AT_OR = 4'd4,         // old | b
    AT_XOR = 4'd5,        // old ^ b
    AT_EXCH = 4'd6,       // b
    AT_CAS = 4'd7,        // old == compare ? b : old; compare in the lane's second operand
    AT_INC = 4'd8,        // old >= b ? 0 : old + 1 (unsigned)
    AT_DEC = 4'd9,        // old == 0 || old > b ? b : old - 1 (unsigned)
    AT_UMIN = 4'd10,      // unsigned minimum
    AT_UMAX = 4'd11,      // unsigned maximum
    AT_READ = 4'd12       // old: a synchronizing load at the L2, nothing is written
  } atomic_e;

  typedef enum logic [2:0] {
    ORD_RELAXED = 3'd0,   // no order
    ORD_ACQUIRE = 3'd1,   // later operations of the warp wait for it
    ORD_RELEASE = 3'd2,   // waits for earlier operations of the warp
    ORD_ACQ_REL = 3'd3,   // both
    ORD_SEQ_CST = 3'd4    // both
  } order_e;

  typedef enum logic [1:0] {
    SCOPE_WI = 2'd0,      // the lane: no order needed
    SCOPE_WG = 2'd1,      // thread block: one SM
    SCOPE_DEVICE = 2'd2,  // the GPU
    SCOPE_SYSTEM = 2'd3   // same as device in this machine
  } scope_e;

  typedef enum logic {
    SPACE_GLOBAL = 1'd0,  // through the L1
    SPACE_LDS = 1'd1      // the SM's local data share
  } space_e;

  // ---- line accesses ----------------------------------------------------------------------------
  // What every stage from issue to L1 and LDS passes on about an operation and its line accesses.
  // Beside it go vectors whose widths are parameters, under the same names everywhere: line (its
  // number), place (lanes and words: hd_access_route), data and cmp (compare values). Between the
  // parts of an SM tile they are one vector, body, in this order from the top.
  // A warp's table keeps the last DESC_W bits: a field that the warp port brings stands there. The
  // other fields, but tag and prefetch, are 0.
  typedef struct packed {
    logic               tx;        // in a transaction
    logic [BLOCK_W-1:0] block;     // thread block slot of the warp
    logic               last;      // last access of its operation
    logic               prefetch;  // no lane: only the line is wanted
    logic [TAG_W-1:0]   tag;       // of the ordering hardware
    logic [WARP_W-1:0]  warp;
    logic [SLOT_W-1:0]  slot;      // scoreboard slot of the operation
    logic               ro;        // nobody writes the word while the kernel runs
    logic [1:0]         scope;     // scope_e
    logic [2:0]         order;     // order_e
    logic               space;     // space_e
    logic [3:0]         fn;        // atomic_e
    logic [OP_W-1:0]    kind;      // op_e
  } access_s;
  localparam int unsigned ACCESS_W = 40;    // bits of access_s
  localparam int unsigned DESC_W = 16;      // ro and what follows
  localparam int unsigned QUEUED_W = 10;    // space and what follows
  localparam int unsigned ORDERED_W = 34;   // prefetch and what follows
  localparam int unsigned MISS_W = 33;      // tag and what follows: kept while a miss is out
  localparam int unsigned WHAT_W = 9;       // fn and kind

  // Whose access was performed; its lanes go beside it.
  typedef struct packed {
    logic [TAG_W-1:0]  tag;      // of the ordering hardware
    logic [SLOT_W-1:0] slot;
    logic [WARP_W-1:0] warp;
  } performed_s;
  localparam int unsigned PERFORMED_W = TAG_W + SLOT_W + WARP_W;

  // What comes back when an access has been performed; its lanes go beside it.
  localparam int unsigned STATUS_W = 4;
  localparam int unsigned STATUS_COPY = 2;
  typedef struct packed {
    logic [STATUS_W-1:0] status;   // bits 1:0 tm_status_e, STATUS_COPY: of a copy, in the LDS
    logic                last;     // the operation is complete
    logic [SLOT_W-1:0]   slot;
    logic [WARP_W-1:0]   warp;
  } completion_s;
  localparam int unsigned COMPLETION_W = 14;  // bits of completion_s
  typedef enum logic [1:0] {
    TM_TX = 2'd0,         // mode of the attempt: all lanes
    TM_WF = 2'd1,         // ... one lane of the warp
    TM_WG = 2'd2          // ... one lane of the thread block
  } tm_status_e;

  // ---- runtime policy ----------------------------------------------------------------------
  typedef enum logic [3:0] {
    MODEL_RMO = 4'd0,     // relaxed memory order
    MODEL_TSO = 4'd1,     // naive total store order, paper 1 section 3.3
    MODEL_SC = 4'd2,      // naive sequential consistency, paper 1 section 3.4
    MODEL_TSO_SB = 4'd3,  // TSO with store buffers, section 3.3
    MODEL_SC_PF = 4'd4,   // SC with prefetch, section 3.5
    MODEL_TYPE = 4'd5,    // type-aware SC, section 4
    MODEL_DRF = 4'd6,     // sequential consistency for race-free programs, paper 3
    MODEL_HRF = 4'd7      // ... with scopes
  } model_e;

  typedef enum logic [1:0] {
    SCHED_GTO = 2'd0,     // greedy, then oldest
    SCHED_LRR = 2'd1      // loose round robin
  } sched_e;

  // What a run may change without another model: constant from reset on, on every tile. hd_keys.svh
  // says which key fills which field.
  typedef struct packed {
    logic [31:0] nv_base;       // first byte address of the non-volatile region
    logic        nv_eager;      // lines of it are written back early
    logic        nv_on;         // there is such a region
    logic [1:0]  issue_gap;     // cycles between two operations of a warp at least, less one
    logic        eager;         // words written are registered, written through at once
    logic        read_only;     // read-only data outlive an acquire
    logic        scoped;        // scopes narrower than the device count: MODEL_HRF
    logic        type_prefetch; // TYPE: lines of unknown type are fetched meanwhile
    logic        credit_issue;  // SC_PF, TYPE: a warp whose queue is full does not issue
    logic        marker_merge;  // TYPE: no marker behind one of its sector
    sched_e      scheduler;
    model_e      model;
  } policy_s;
  localparam int unsigned POLICY_W = 48;  // bits of policy_s

  // ---- ordering hardware behind the coalescer (hd_order_stage) ------------------------------
  localparam int unsigned ORDER_NONE = 0;      // none: ordering at issue only
  localparam int unsigned ORDER_SB = 1;        // hd_store_buffer
  localparam int unsigned ORDER_PREFETCH = 2;  // hd_sc_prefetch
  localparam int unsigned ORDER_TYPE = 3;      // hd_type_aware
  // What a model (model_e) needs.
  function automatic int unsigned order_hardware(input int unsigned model);
    order_hardware = (model == 32'(hd_pkg::MODEL_TSO_SB)) ? ORDER_SB
                   : (model == 32'(hd_pkg::MODEL_SC_PF)) ? ORDER_PREFETCH
                   : (model == 32'(hd_pkg::MODEL_TYPE)) ? ORDER_TYPE : ORDER_NONE;
  endfunction

  // Entries of hd_unsafe_queues.
  typedef enum logic [1:0] {
    OQ_ORDERED = 2'd0,    // waits until no access of an earlier instruction is in flight
    OQ_FREE = 2'd1,       // leaves when it is the head
    OQ_MARKER = 2'd2      // no access: leaves when none is in flight
  } oq_e;

  // ---- L1 and directory ----------------------------------------------------------------------
  localparam int unsigned FAMILY_MESI = 0;   // hd_l1_mesi, hd_dir_mesi: write-back, write-allocate
  localparam int unsigned FAMILY_VI = 1;     // hd_l1_vi, hd_dir_vi: write-through, no allocation
  localparam int unsigned FAMILY_GPU = 2;    // paper 3: words, written through, self-invalidation
  localparam int unsigned FAMILY_DENOVO = 3; // paper 3: words, owned by an L1 once written

  // ---- behind the L1 ---------------------------------------------------------------------------
  localparam int unsigned MEMORY_CHIP = 0;   // crossbars, L2 tiles, memory channels
  localparam int unsigned MEMORY_FIXED = 1;  // an ideal memory, lines a cycle (WideFill)

  // ---- L2 bank -------------------------------------------------------------------------------
  // What a request wants of its line.
  typedef enum logic [1:0] {
    ROLE_READ = 2'd0,     // GETS
    ROLE_WRITE = 2'd1,    // GETM: the line to write; WT: its words are written here
    ROLE_UPGRADE = 2'd2,  // UPG: as GETM, the asker has the data
    ROLE_RMW = 2'd3       // ATOMIC: performed here
  } role_e;

  // Bits are not assignable to an enum; to a struct they are.
  typedef struct packed {
    role_e role;
  } role_s;

  localparam int unsigned ASKER_W = NODE_W + TID_W + OPID_W;  // bits of l2_asker_s

  localparam int unsigned L2_WORK_W = 8;

  // ---- pending table -----------------------------------------------------------------------
  localparam int unsigned PENDING_MSHR = 0;  // hd_mshr_table: an entry a line
  localparam int unsigned PENDING_PRT = 1;   // hd_pending_request_table: an entry an instruction
  // local_tm, above off and on
  localparam int unsigned LOCAL_TM_IDEAL = 2;  // hd_lds_tm_ideal

  // Why the table has no room for an access.
  typedef enum logic [3:0] {
    WHY_NONE = 4'd0,      // it has
    WHY_ENTRY = 4'd1,     // no entry free
    WHY_MERGE = 4'd2,     // merge limit of the line's entry
    WHY_CREDIT = 4'd3,    // as many requests out as allowed
    WHY_QUEUE = 4'd4,     // no target, store data or compare data free
    WHY_LINE = 4'd5,      // the line is on the way already
    WHY_GUARD = 4'd6,     // a transaction holds the row
    WHY_WRITEBACK = 4'd7, // the writeback buffer is full
    WHY_LIST = 4'd8,      // the dirty list is full
    WHY_NVW = 4'd9        // the queue of non-volatile writes is full
  } why_e;

  // ---- states of a sector in the memory access classifier, paper 1 Figure 5 -------------------
  typedef enum logic [1:0] {
    MAC_PRIVATE_RO = 2'd0,  // one SM reads it
    MAC_PRIVATE_RW = 2'd1,  // one SM reads and writes it
    MAC_SHARED_RO = 2'd2,   // SMs read it
    MAC_SHARED_RW = 2'd3    // unsafe
  } mac_e;

  // ---- L1 line states ----------------------------------------------------------------------
  // The states of hd_l1_vi are ST_I and ST_S: valid is shared and clean.
  typedef enum logic [1:0] {
    ST_I = 2'd0,          // invalid
    ST_S = 2'd1,          // shared, clean
    ST_E = 2'd2,          // only copy, clean
    ST_M = 2'd3           // only copy, modified
  } mesi_e;

  // What can happen to an L1 line (columns of hd_l1_mesi_table and hd_l1_vi_table).
  typedef enum logic [3:0] {
    L1E_LOAD = 4'd0,      // a load wants the line
    L1E_STORE = 4'd1,     // a store (MESI: or an atomic) wants the line
    L1E_DATA_S = 4'd2,    // a grant arrived, by its message
    L1E_DATA_E = 4'd3,    // ...
    L1E_DATA_M = 4'd4,    // ...
    L1E_ACK_M = 4'd5,     // ...
    L1E_INV = 4'd6,       // the directory invalidates
    L1E_FETCH = 4'd7,     // the directory fetches, a shared copy may stay
    L1E_FETCH_INV = 4'd8, // the directory fetches, no copy stays
    L1E_EVICT = 4'd9,     // replacement or flush
    L1E_ATOMIC = 4'd10,   // VI only: an atomic
    L1E_LOAD_OUT = 4'd11, // VI only: a load while stores of this SM to the line are out
    L1E_LAST = 4'd12      // VI only: the last waiting load of data that may not stay
  } l1_event_e;

  // What can happen to the words of an L1 line (columns of hd_l1_gpu_table).
  typedef enum logic [2:0] {
    WEV_LOAD = 3'd0,      // a load of data, or a synchronizing one of the thread block
    WEV_STORE = 3'd1,     // a store of data, or a synchronizing one of the thread block
    WEV_SYNC = 3'd2,      // synchronization of the device
    WEV_LOCAL = 3'd3,     // an atomic of the thread block
    WEV_FLUSH = 3'd4,     // its dirty words are written through
    WEV_EVICT = 3'd5,     // its way is needed
    WEV_FILL = 3'd6,      // data arrived
    WEV_INV = 3'd7        // an inclusive L2 gives the line away
  } word_event_e;
  // Masks of a line's words (hd_l1_words), by number.
  localparam int unsigned WORDS_V = 0;      // valid, clean
  localparam int unsigned WORDS_D = 1;      // dirty
  localparam int unsigned WORDS_GPU = 2;    // masks of family GPU
  localparam int unsigned WORDS_R = 2;      // DENOVO: registered
  localparam int unsigned WORDS_RO = 3;     // ... valid, outlives acquires
  localparam int unsigned WORDS_W = 4;      // ... wanted, or (of R) on its way to who waits for it
  localparam int unsigned WORDS_DENOVO = 5; // masks of family DENOVO

  // What can happen to the words of a line of family DENOVO (columns of hd_l1_denovo_table).
  typedef enum logic [3:0] {
    DEV_LOAD = 4'd0,      // a load of data, or a synchronizing one of the thread block
    DEV_STORE = 4'd1,     // a store of data, or a synchronizing one of the thread block
    DEV_SYNC = 4'd2,      // synchronization of the device
    DEV_LOCAL = 4'd3,     // an atomic of the thread block
    DEV_FLUSH = 4'd4,     // its dirty words are registered
    DEV_EVICT = 4'd5,     // its way is needed
    DEV_FILL = 4'd6,      // DATA
    DEV_ACK = 4'd7,       // REG_ACK, REG_DATA
    DEV_FWD_READ = 4'd8,  // FWD_READ
    DEV_FWD_REG = 4'd9,   // FWD_REG, RECALL
    DEV_PASS = 4'd10,     // words leave to who waits for them
    DEV_BEGIN = 4'd11     // a kernel begins: what may be stale goes
  } dn_event_e;

`ifdef HD_COVERAGE
  // Rows of hd_l1_denovo_table that the words `of` a line are in: I; I, W; V; D; D, W; R; R, W; RO.
  function automatic logic [7:0] dn_rows(input logic [15:0] of, input logic [15:0] v,
      input logic [15:0] d, input logic [15:0] r, input logic [15:0] ro, input logic [15:0] w);
    dn_rows[0] = (of & ~(v | d | r | ro | w)) != '0;
    dn_rows[1] = (of & w & ~(d | r)) != '0;
    dn_rows[2] = (of & v) != '0;
    dn_rows[3] = (of & d & ~w) != '0;
    dn_rows[4] = (of & d & w) != '0;
    dn_rows[5] = (of & r & ~w) != '0;
    dn_rows[6] = (of & r & w) != '0;
    dn_rows[7] = (of & ro) != '0;
  endfunction
  // What of a line's words an event is about: all, the dirty ones, those it touches; of several
  // kinds that synchronization touches, those that it serves now (done), if it does.
  function automatic logic [15:0] dn_of(input dn_event_e ev, input logic [15:0] all,
      input logic [15:0] d, input logic [15:0] words, input logic [15:0] done);
    dn_of = words;
    if (ev == DEV_FLUSH) dn_of = d;
    else if (ev == DEV_EVICT || ev == DEV_BEGIN) dn_of = all;
    else if (ev == DEV_SYNC && done != '0) dn_of = words & done;
  endfunction
  // Rows of hd_l1_gpu_table: I, V, D.
  function automatic logic [2:0] gpu_rows(input logic [15:0] of, input logic [15:0] v,
      input logic [15:0] d);
    gpu_rows = {(of & d) != '0, (of & v) != '0, (of & ~(v | d)) != '0};
  endfunction
  function automatic logic [15:0] gpu_of(input word_event_e ev, input logic [15:0] all,
      input logic [15:0] d, input logic [15:0] words, input logic again);
    gpu_of = words;
    if (ev == WEV_FLUSH) gpu_of = d;
    else if (ev == WEV_EVICT || ev == WEV_FILL) gpu_of = all;
    else if (ev == WEV_SYNC && again) gpu_of = words & d;
  endfunction
  // Rows of hd_dir_gpu: absent, its way clean or dirty; busy; here, clean or dirty; its turn. The
  // columns: GETS, WT, ATOMIC, NONE.
  function automatic logic [2:0] gpu_dir_row(input msg_e msg, input logic later, input logic here,
      input logic busy, input logic dirty);
    if (msg == MSG_NONE) gpu_dir_row = dirty ? 3'd4 : 3'd3;
    else if (later) gpu_dir_row = 3'd5;
    else if (!here) gpu_dir_row = dirty ? 3'd1 : 3'd0;
    else if (busy) gpu_dir_row = 3'd2;
    else gpu_dir_row = dirty ? 3'd4 : 3'd3;
  endfunction
  function automatic logic [2:0] dir_column(input msg_e msg);
    unique case (msg)
      MSG_GETS: dir_column = 3'd0;
      MSG_WT, MSG_REG: dir_column = 3'd1;
      MSG_ATOMIC, MSG_WB: dir_column = 3'd2;
      MSG_NONE: dir_column = 3'd3;
      MSG_RECALL_DATA: dir_column = 3'd4;
      default: dir_column = 3'd7;
    endcase
  endfunction
  // Rows of hd_dir_denovo: absent, its way clean, dirty or owned; busy or, of an answer, on its way
  // in; here, words without and with owners (of an answer: with the sender as the owner; NONE:
  // clean, dirty); its turn, the same two.
  function automatic logic [2:0] dn_dir_row(input msg_e msg, input logic later, input logic here,
      input logic busy, input logic fetching, input logic owned, input logic way_owned,
      input logic merges, input logic dirty);
    if (msg == MSG_NONE) dn_dir_row = dirty ? 3'd5 : 3'd4;
    else if (msg == MSG_WB || msg == MSG_RECALL_DATA)
      dn_dir_row = !here ? 3'd0 : fetching ? 3'd3 : merges ? 3'd5 : 3'd4;
    else if (later) dn_dir_row = owned ? 3'd7 : 3'd6;
    else if (!here) dn_dir_row = way_owned ? 3'd2 : dirty ? 3'd1 : 3'd0;
    else if (busy) dn_dir_row = 3'd3;
    else dn_dir_row = owned ? 3'd5 : 3'd4;
  endfunction
`endif

  // ---- what becomes of a warp's issue slot in a cycle (hd_stalls) ---------------------------
  typedef enum logic [3:0] {
    STALL_EMPTY = 4'd0,    // no warp in the slot
    STALL_ISSUED = 4'd1,   // no stall: it issued
    STALL_FRONT = 4'd2,    // no operation offered, no load out: the next one is on its way
    STALL_DATA = 4'd3,     // no operation offered, loads out: it waits for a value
    STALL_QUEUED = 4'd4,   // ... while accesses of it wait in the ordering hardware
    STALL_BARRIER = 4'd5,  // it waits for partners
    STALL_SELECT = 4'd6,   // it could issue; another warp did
    STALL_PIPE = 4'd7,     // it could issue; the memory pipe is full
    STALL_SLOTS = 4'd8,    // no scoreboard slot is free
    STALL_HOLD = 4'd9,     // the ordering hardware has no room for accesses of the warp
    STALL_ORDER = 4'd10,   // the memory order wants earlier loads, stores done first
    STALL_SYNC = 4'd11,    // an acquire, release, fence, barrier or exit wants them done first
    STALL_TOKEN = 4'd12,   // its transaction waits for a token
    STALL_PERSIST = 4'd13, // it waits for its writes to persist
    STALL_COPY = 4'd14,    // it waits for a copy to the LDS
    STALL_GAP = 4'd15      // too early after its last memory operation
  } stall_e;
  localparam int unsigned STALL_NUM = 16;   // number of causes

  // ---- event pulses: bit numbers of the tiles' ev_o ----------------------------------------
  localparam int unsigned EV_SM_ISSUE_ALU = 0;       // an issue slot spent on an ALU instruction
  localparam int unsigned EV_SM_ISSUE_MEM = 1;       // ... on a load, store or atomic
  localparam int unsigned EV_SM_ISSUE_CTL = 2;       // ... on a fence, barrier, exit, clock or nop
  // a warp could issue but the memory pipe is full
  localparam int unsigned EV_SM_STALL_PIPE = 3;
  localparam int unsigned EV_SM_ACCESS = 4;          // a line access was presented to the L1
  localparam int unsigned EV_SM_HIT = 5;             // ... and hit
  localparam int unsigned EV_SM_MISS = 6;            // ... and took an MSHR entry
  localparam int unsigned EV_SM_MERGE = 7;           // ... and joined an MSHR entry
  localparam int unsigned EV_SM_REJECT = 8;          // ... and was refused this cycle
  localparam int unsigned EV_SM_REJ_ENTRY = 9;       // refused: no entry of the pending table free
  localparam int unsigned EV_SM_REJ_MERGE = 10;      // refused: merge limit
  localparam int unsigned EV_SM_ACC_STORE = 11;      // an accepted access was a store
  localparam int unsigned EV_SM_ACC_ATOMIC = 12;     // an accepted access was an atomic
  localparam int unsigned EV_SM_FILL = 13;           // a grant was installed
  localparam int unsigned EV_SM_REPLAY = 14;         // a waiting access was served
  localparam int unsigned EV_SM_EVICT_CLEAN = 15;    // a clean line was replaced
  localparam int unsigned EV_SM_EVICT_DIRTY = 16;    // a modified line was replaced
  localparam int unsigned EV_SM_INV = 17;            // an invalidation was served
  localparam int unsigned EV_SM_FETCH = 18;          // a fetch was served
  localparam int unsigned EV_SM_UPGRADE = 19;        // an upgrade request was made
  // an upgrade grant found no copy and asked again
  localparam int unsigned EV_SM_LOST_COPY = 20;
  localparam int unsigned EV_SM_RMW_LANE = 21;       // one lane's atomic was performed by the L1
  localparam int unsigned EV_SM_FLUSH_DONE = 22;     // a flush walk ended
  localparam int unsigned EV_SM_LDS = 23;            // an access to the LDS was served
  localparam int unsigned EV_SM_REJ_CREDIT = 24;     // refused: as many requests out as allowed
  // refused: no target, store data, compare data or request queue place free
  localparam int unsigned EV_SM_REJ_QUEUE = 25;
  localparam int unsigned EV_SM_REJ_LINE = 26;       // refused: its line is on the way already
  localparam int unsigned EV_SM_PREFETCH = 27;       // a prefetch asked for its line
  localparam int unsigned EV_SM_PF_DROP = 28;        // ... and was not needed or had no room
  // ordering hardware
  localparam int unsigned EV_SM_ORD_QUEUED = 29;     // an access entered a queue in front of the L1
  localparam int unsigned EV_SM_ORD_SAFE = 30;       // an access was classified safe and went on
  localparam int unsigned EV_SM_ORD_UNSAFE = 31;     // ... unsafe
  localparam int unsigned EV_SM_ORD_MARKER = 32;     // a safe access left a marker
  localparam int unsigned EV_SM_ORD_ASK = 33;        // a type request was sent
  // an invalidation or recall of a sector arrived
  localparam int unsigned EV_SM_ORD_INVAL = 34;
  // an access was refused by the synchronization table
  localparam int unsigned EV_SM_ORD_CONFLICT = 35;
  localparam int unsigned ORDER_EV_FIRST = EV_SM_ORD_QUEUED;  // of the ordering hardware
  localparam int unsigned ORDER_EV_NUM = 7;         // how many those are
  localparam int unsigned EV_SM_LDS_CONFLICT = 36;   // a cycle an LDS access took beyond its first
  localparam int unsigned EV_SM_WT = 37;             // a store or atomic was accepted and sent up
  // GPU: dirty words of a line were written through
  localparam int unsigned EV_SM_WT_DIRTY = 38;
  // GPU, DENOVO
  localparam int unsigned EV_SM_ACQUIRE = 39;        // valid words went: a generation ended
  localparam int unsigned EV_SM_MARKER = 40;         // a release waited for dirty words and left
  localparam int unsigned EV_SM_SYNC = 41;           // DENOVO: synchronization performed in the L1
  localparam int unsigned EV_SM_REG = 42;            // ... a registration was sent
  localparam int unsigned EV_SM_WB = 43;             // ... a writeback was sent
  localparam int unsigned EV_SM_FWD = 44;            // ... a forward was answered with words
  localparam int unsigned EV_SM_NACK = 45;           // ... a forwarded read was refused
  localparam int unsigned EV_SM_RETRY = 46;          // ... a refused read was repeated
  localparam int unsigned EV_SM_WAITER = 47;         // ... a forward waits for a registration
  localparam int unsigned EV_SM_PASS = 48;           // ... words left to who waited for them
  // transactions in the LDS: hd_lds_tm's ev_tm_o, from bit 0
  localparam int unsigned EV_SM_TM_PASS = 49;        // an access of a transaction, a cycle of it
  localparam int unsigned EV_SM_TM_OWNER = 50;       // ... the owners of its rows were looked at
  localparam int unsigned EV_SM_TM_ASIDE = 51;       // ... and words put aside in shadow memory
  localparam int unsigned EV_SM_TM_LOST = 52;        // a row walked for lanes that lost
  localparam int unsigned EV_SM_TM_KEPT = 53;        // ... for a commit
  localparam int unsigned EV_SM_TM_ALONE = 54;       // ... for a begin that is alone
  localparam int unsigned EV_SM_TM_BEGIN = 55;       // a begin is done
  localparam int unsigned EV_SM_TM_COMMIT = 56;      // a commit is done
  localparam int unsigned EV_SM_COPY = 57;           // words of a copy were offered to the LDS
  // persist barriers, the NVW-FIFO of an L1 with dirty words
  localparam int unsigned EV_SM_NVW_PUSH = 58;       // a line entered
  localparam int unsigned EV_SM_NVW_POP = 59;        // a line left, its words are written through
  localparam int unsigned EV_SM_NVW_STALE = 60;      // ... and there was nothing to write any more
  localparam int unsigned EV_SM_NVW_FULL = 61;       // a store was refused: no room
  localparam int unsigned EV_SM_NVW_DRAIN = 62;      // the head is to leave: marker within, or full
  localparam int unsigned EV_SM_NUM = 63;            // number of SM events

  localparam int unsigned EV_L2_GETS = 0;            // a GETS was accepted
  localparam int unsigned EV_L2_GETM = 1;            // a GETM was accepted
  localparam int unsigned EV_L2_UPG = 2;             // an UPG was accepted
  localparam int unsigned EV_L2_HIT = 3;             // an accepted request found the line
  localparam int unsigned EV_L2_MISS = 4;            // an accepted request did not
  localparam int unsigned EV_L2_CHAINED = 5;         // ... or queued behind a request to its line
  // the request at the head waits (table, ways or victim busy)
  localparam int unsigned EV_L2_STALL = 6;
  localparam int unsigned EV_L2_PUTM = 7;            // a writeback arrived
  localparam int unsigned EV_L2_PUTE = 8;            // a clean give-back arrived
  localparam int unsigned EV_L2_INV_SENT = 9;        // an invalidation was sent
  localparam int unsigned EV_L2_FETCH_SENT = 10;     // a fetch was sent
  localparam int unsigned EV_L2_RECALL = 11;         // an eviction had to recall copies
  localparam int unsigned EV_L2_MEM_READ = 12;       // a line was asked from memory
  localparam int unsigned EV_L2_MEM_WRITE = 13;      // a line was written to memory
  localparam int unsigned EV_L2_GRANT = 14;          // a grant was sent
  localparam int unsigned EV_L2_ACK_M = 15;          // ... and it was an upgrade without data
  localparam int unsigned EV_L2_TYPE_REQ = 16;       // a type request was answered or remembered
  localparam int unsigned EV_L2_TYPE_INV = 17;       // a sector began to become unsafe
  localparam int unsigned EV_L2_TYPE_RECALL = 18;    // a sector's entry began to be recalled
  localparam int unsigned EV_L2_WT = 19;             // a write-through was accepted
  localparam int unsigned EV_L2_ATOMIC = 20;         // an atomic was accepted
  localparam int unsigned EV_L2_REG = 21;            // DENOVO: a registration was accepted
  localparam int unsigned EV_L2_WB = 22;             // ... a writeback arrived
  localparam int unsigned EV_L2_FWD = 23;            // ... a forward was sent
  // persist barriers, the NVW-FIFO of a bank: hd_persist_l2's ev_o, from bit 0
  localparam int unsigned EV_L2_NVW_PUSH = 24;       // a line entered
  localparam int unsigned EV_L2_NVW_POP = 25;        // a line left and is written to memory
  localparam int unsigned EV_L2_NVW_STALE = 26;      // ... and there was nothing to write any more
  localparam int unsigned EV_L2_NVW_FULL = 27;       // a write or marker waits: no room
  localparam int unsigned EV_L2_NVW_DRAIN = 28;      // the head is to leave: marker within, or full
  localparam int unsigned EV_L2_EPOCH_FULL = 29;     // a marker waits: no epoch free
  localparam int unsigned EV_L2_EPOCH_WAIT = 30;     // ... for writes before it to be durable
  localparam int unsigned NVW_EV_L2_NUM = 7;         // how many those are
  localparam int unsigned EV_L2_NUM = 31;            // number of L2 events

  localparam int unsigned EV_XBAR_FLIT = 0;          // at least one flit crossed
  localparam int unsigned EV_XBAR_BLOCKED = 1;       // a flit waited for a port or a credit
  localparam int unsigned EV_XBAR_NUM = 2;           // number of crossbar events

  localparam int unsigned EV_ROUTER_N = 0;           // a flit left by that port, ROUTER_*
  localparam int unsigned EV_ROUTER_E = 1;           // ...
  localparam int unsigned EV_ROUTER_S = 2;           // ...
  localparam int unsigned EV_ROUTER_W = 3;           // ...
  localparam int unsigned EV_ROUTER_SM = 4;          // ...
  localparam int unsigned EV_ROUTER_L2 = 5;          // ...
  localparam int unsigned EV_ROUTER_BLOCKED = 6;     // a flit waited for a port or a credit
  localparam int unsigned EV_ROUTER_NUM = 7;         // number of router events

  // What an operation is (op_class_e). C has it as hd_op_class(), from here.
  function automatic logic [2:0] op_class(input logic [OP_W-1:0] kind);
    unique case (kind)
      hd_pkg::OP_LOAD:      op_class = hd_pkg::OPC_LOAD;
      hd_pkg::OP_STORE:     op_class = hd_pkg::OPC_STORE;
      hd_pkg::OP_ATOMIC:    op_class = hd_pkg::OPC_ATOMIC;
      hd_pkg::OP_TX_BEGIN:  op_class = hd_pkg::OPC_BOTH;
      hd_pkg::OP_TX_COMMIT: op_class = hd_pkg::OPC_BOTH;
      hd_pkg::OP_COPY:      op_class = hd_pkg::OPC_BOTH;
      hd_pkg::OP_FENCE:     op_class = hd_pkg::OPC_FENCE;
      hd_pkg::OP_PBARRIER:  op_class = hd_pkg::OPC_PERSIST;
      hd_pkg::OP_LAUNCH:    op_class = hd_pkg::OPC_HOST;
      hd_pkg::OP_FLUSH:     op_class = hd_pkg::OPC_HOST;
      default:              op_class = hd_pkg::OPC_CONTROL;
    endcase
  endfunction

  // An access of this kind (op_e), order (order_e), scope (scope_e) at an L1 with word states, as
  // l1_sync_s; scoped: scopes narrower than the device count. An atomic of the lane alone is one of
  // the device that orders nothing. A store does not acquire.
  function automatic logic [6:0] l1_sync(input logic [OP_W-1:0] kind, input logic [2:0] order,
                                         input logic [1:0] scope, input logic scoped);
    logic fence, narrow, marked, acquires, atomic;
    fence    = kind == hd_pkg::OP_FENCE;
    atomic   = kind == hd_pkg::OP_ATOMIC;
    narrow   = scoped && scope == hd_pkg::SCOPE_WG;
    marked   = order != hd_pkg::ORD_RELAXED && scope != hd_pkg::SCOPE_WI && !narrow;
    acquires = marked && order != hd_pkg::ORD_RELEASE;
    l1_sync  = {fence, fence && marked && order != hd_pkg::ORD_ACQUIRE,
                acquires && kind != hd_pkg::OP_STORE, !fence && (marked || (atomic && !narrow)),
                kind == hd_pkg::OP_LOAD, kind == hd_pkg::OP_STORE, atomic};
  endfunction

  // A memory operation. C: hd_op_memory().
  function automatic logic op_memory(input logic [OP_W-1:0] kind);
    op_memory = hd_pkg::op_class(kind) <= hd_pkg::OPC_BOTH;
  endfunction

  // The access has compare values, or in their place the LDS addresses of a copy.
  function automatic logic op_cas(input logic [OP_W-1:0] kind, input logic [3:0] fn);
    op_cas = (kind == hd_pkg::OP_ATOMIC && fn == hd_pkg::AT_CAS) || kind == hd_pkg::OP_COPY;
  endfunction

  // The access writes the line it names; a copy reads it and writes the LDS.
  function automatic logic op_writes(input logic [OP_W-1:0] kind);
    op_writes = kind != hd_pkg::OP_LOAD && kind != hd_pkg::OP_COPY;
  endfunction

  // The parts of an access_s that a warp's table, a queue of the ordering hardware and the queue
  // behind that hardware keep.
  function automatic logic [DESC_W-1:0] described(input logic [ACCESS_W-1:0] acc);
    described = DESC_W'(acc);
  endfunction
  function automatic logic [QUEUED_W-1:0] queued(input logic [ACCESS_W-1:0] acc);
    queued = QUEUED_W'(acc);
  endfunction
  function automatic logic [ORDERED_W-1:0] ordered(input logic [ACCESS_W-1:0] acc);
    ordered = ORDERED_W'(acc);
  endfunction

  // Bits of an access's place at the L1: lanes, their words in the line, words touched.
  function automatic int unsigned place_w(input int unsigned lanes, input int unsigned line);
    place_w = lanes + lanes * idx_w(line) + line;
  endfunction

  // New value of a word under an atomic function (atomic_e): old the word, b the operand, cmp the
  // compare value of CAS.
  function automatic logic [31:0] amo(input logic [3:0] fn, input logic [31:0] old,
                                      input logic [31:0] b, input logic [31:0] cmp);
    unique case (fn)
      hd_pkg::AT_ADD:  amo = old + b;
      hd_pkg::AT_MIN:  amo = ($signed(old) < $signed(b)) ? old : b;
      hd_pkg::AT_MAX:  amo = ($signed(old) < $signed(b)) ? b : old;
      hd_pkg::AT_AND:  amo = old & b;
      hd_pkg::AT_OR:   amo = old | b;
      hd_pkg::AT_XOR:  amo = old ^ b;
      hd_pkg::AT_EXCH: amo = b;
      hd_pkg::AT_CAS:  amo = (old == cmp) ? b : old;
      hd_pkg::AT_INC:  amo = (old < b) ? old + 32'd1 : 32'd0;
      hd_pkg::AT_DEC:  amo = (old == 32'd0 || old > b) ? b : old - 32'd1;
      hd_pkg::AT_UMIN: amo = (old < b) ? old : b;
      hd_pkg::AT_UMAX: amo = (old < b) ? b : old;
      default:         amo = old;
    endcase
  endfunction

  // Number of set bits.
  function automatic logic [6:0] ones(input logic [63:0] bits);
    ones = '0;
    for (int i = 0; i < 64; i++) ones = ones + 7'(bits[i]);
  endfunction

  function automatic int unsigned most(input int unsigned a, input int unsigned b);
    most = (a > b) ? a : b;
  endfunction

  function automatic int unsigned least(input int unsigned a, input int unsigned b);
    least = (a < b) ? a : b;
  endfunction

  function automatic int unsigned ceil_div(input int unsigned n, input int unsigned d);
    ceil_div = (n + d - 1) / d;
  endfunction

  // Bits of a lane mask in a head, of a head, and the flits it takes: each word of a flit holds 32
  // bits of a head, ghosts or not.
  function automatic int unsigned lane_w(input int unsigned lanes);
    lane_w = most(LANE_W, lanes);
  endfunction
  function automatic int unsigned head_w(input int unsigned lanes);
    head_w = HEAD_W + lane_w(lanes);
  endfunction
  // ... of a family: DENOVO's has no lanes and is one flit.
  function automatic int unsigned family_head_w(input int unsigned family,
                                                input int unsigned lanes);
    family_head_w = (family == FAMILY_DENOVO) ? HEAD_W : head_w(lanes);
  endfunction
  function automatic int unsigned head_flits(input int unsigned lanes, input int unsigned flit);
    head_flits = ceil_div(head_w(lanes), 32 * flit);
  endfunction

  // Bits of a beat that is a whole packet: the head fills whole 32-bit units, then the line.
  function automatic int unsigned wide_w(input int unsigned lanes, input int unsigned line_w);
    wide_w = 32 * ceil_div(head_w(lanes), 32) + line_w;
  endfunction

  // Role of a request at the L2.
  function automatic logic [1:0] l2_role(input logic [5:0] kind);
    unique case (kind)
      hd_pkg::MSG_GETM, hd_pkg::MSG_WT: l2_role = hd_pkg::ROLE_WRITE;
      hd_pkg::MSG_UPG:                  l2_role = hd_pkg::ROLE_UPGRADE;
      hd_pkg::MSG_ATOMIC:               l2_role = hd_pkg::ROLE_RMW;
      default:                          l2_role = hd_pkg::ROLE_READ;
    endcase
  endfunction

  // Route of a packet from an SM to an L2, and back.
  function automatic logic [ROUTE_W-1:0] route_up(input logic [NODE_W-1:0] sm,
                                                  input logic [NODE_W-1:0] part);
    route_up = {hd_pkg::END_L2, part, hd_pkg::END_SM, sm};
  endfunction
  function automatic logic [ROUTE_W-1:0] route_down(input logic [NODE_W-1:0] part,
                                                    input logic [NODE_W-1:0] sm);
    route_down = {hd_pkg::END_SM, sm, hd_pkg::END_L2, part};
  endfunction

  // A global atomic access of a warp of more than HALF_LANES lanes has lanes of one half only:
  // those below HALF_LANES, or those from there on (hd_coalescer). MSG_ATOMIC and MSG_AT_DATA hold
  // as many; the lane mask of the request and the table it waits in say which half they are of.
  function automatic int unsigned half_lanes(input int unsigned lanes);
    half_lanes = least(lanes, HALF_LANES);
  endfunction
  function automatic logic [HALF_LANES-1:0] half_mask(input logic [LANES_MAX-1:0] lanes);
    half_mask = lanes[HALF_LANES-1:0] | lanes[LANES_MAX-1:HALF_LANES];
  endfunction
  `include "hd_noc.svh"

  // Data flits of a MSG_ATOMIC at the most: function and places of the lanes, operands, compare
  // values; flit: words of one.
  function automatic int unsigned place_flits(input int unsigned lanes, input int unsigned flit);
    place_flits = ceil_div(4 + 5 * half_lanes(lanes), 32 * flit);
  endfunction
  function automatic int unsigned atom_flits(input int unsigned lanes, input int unsigned flit);
    atom_flits = place_flits(lanes, flit) + 2 * ceil_div(half_lanes(lanes), flit);
  endfunction

  // Words of a down packet of VI: a line, or a word for each lane of an atomic; whole flits.
  function automatic int unsigned down_words(input int unsigned line, input int unsigned lanes,
                                             input int unsigned flit);
    down_words = flit * most(ceil_div(line, flit), ceil_div(half_lanes(lanes), flit));
  endfunction

  // L1s that send stores and atomics to the L2 with their data.
  function automatic logic writes_through(input int unsigned family);
    writes_through = family == FAMILY_VI || family == FAMILY_GPU;
  endfunction

  // Bits of the data of a request at the L2 (MESI: none) and of a down packet.
  function automatic int unsigned request_body(input int unsigned family, input int unsigned line,
                                               input int unsigned lanes, input int unsigned word,
                                               input int unsigned flit);
    request_body = writes_through(family) ? flit * most(line / flit, atom_flits(lanes, flit)) * word
                                         : 1;
  endfunction
  function automatic int unsigned down_body(input int unsigned family, input int unsigned line,
                                            input int unsigned lanes, input int unsigned word,
                                            input int unsigned flit);
    down_body = writes_through(family) ? down_words(line, lanes, flit) * word : line * word;
  endfunction

  // Index width for n entries; never 0, so ports stay legal for n == 1.
  function automatic int unsigned idx_w(input int unsigned n);
    idx_w = (n > 1) ? $clog2(n) : 1;
  endfunction

  // What goes between the modules of one room.
  `include "hd_types_l1.svh"
  `include "hd_types_l1_words.svh"
  `include "hd_types_l2.svh"
  `include "hd_types_l2_words.svh"
  `include "hd_types_lds.svh"
  `include "hd_types_order.svh"
  `include "hd_types_persist.svh"
  `include "hd_types_sm.svh"
endpackage
`default_nettype wire
