/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the steps of a manage on the CPU. The cells are divided into parts, one a thread, each with its agents. A
 * manage has two stages. Seating decides who is on which cell, and changes only the job. Arranging puts agents and
 * attributes into their new order. There are five ways to do so:
 *
 *   merge       No agent asks to move, and there are few births: manage_merge.c.
 *   sparse      A cell holds one agent. Few ask to move or die, and there are no births: manage_sparse.c.
 *   unsorted    A cell holds one agent, and the manage finds or leaves MASS_ORDER_ANY. There are no births or deaths:
 *               manage_unsorted.c, manage_unsorted_order.c.
 *   exclusive   A cell holds one agent: manage_exclusive.c.
 *   lists       Otherwise: manage_births.c, manage_moves.c, manage_order.c over the lists of manage_lists.h.
 *
 * An item names a candidate for a cell: 1 + the index of an agent, which is a claim, or 1 + count + the number of a
 * birth. 0 is none. */
#ifndef MASS_KERNELS_CPU_MANAGE_JOB_H
#define MASS_KERNELS_CPU_MANAGE_JOB_H

#include "cpu/kernels.h"

enum { MANAGE_PARTS_MAX = 256, MANAGE_WORD = 64 };

typedef struct manage_part {
    uint64_t cell;           /* the first cell */
    uint32_t agent;          /* old index of the first agent */
    uint32_t births, gone;   /* births requested before this part; deaths in it */
    uint32_t begin, after;   /* new index of its first agent; its agents afterwards */
    uint32_t later;          /* agents that ask for cells of other parts */
    uint32_t moves;          /* agents that ask to move; if they are many, only some are counted */
    uint32_t asking;         /* agents that die or ask for another cell; at the end, the refused ones */
    uint32_t seat, seats;    /* number of the first seat; how many seats */
    bool crowded;            /* some cell has two agents */
    bool few;                /* unsorted: few of the part's agents ask to move */
    bool waits;              /* merge: no agent asks to move, not even to its own cell */
    bool replaces;           /* merge: each birth is on the place of a parent that dies, and no other agent dies */
    uint64_t asked;          /* births requested in it */
} manage_part;

/* 64 cells, some of which have seats (manage_exclusive.c). */
typedef struct manage_word {
    uint64_t cells;  /* bitmap of cells with a seat */
    uint32_t before; /* seats of the words before */
} manage_word;

/* 64 cells that hold one agent each, as bitmaps (manage_sparse.c). */
typedef struct manage_taken {
    uint64_t cells;           /* occupied cells */
    uint64_t leaving, sought; /* cells whose agent dies or asks to leave; cells that an agent asks for */
    uint32_t before;          /* agents of the words before */
    uint32_t first_seat;      /* number of the seat of the first sought cell */
} manage_taken;

/* An agent of another rank that claims a cell of this one. The claim with the lower key is better; of equal keys, the
 * one with the lower id. */
typedef struct manage_visitor {
    uint64_t key, id;
    uint32_t cell;
    uint32_t index; /* of the agent, on its own rank */
    int32_t rank;   /* the agent's own rank */
    uint32_t turned_away; /* MANAGE_STAYS ... */
} manage_visitor;
enum { MANAGE_STAYS = 0, MANAGE_TURNED_AWAY = 1, MANAGE_TOLD = 2 };

typedef struct manage_newborn {
    uint64_t id; /* id of the parent; once the births have ids, their own */
    uint32_t cell, number, birth;
    uint32_t at; /* new index */
} manage_newborn;

typedef struct manage_job {
    const mass_manage_work *w;
    mass_cpu_team *team;
    uint64_t cells;
    uint32_t count, births, total;
    bool spawn_first, spawn_last; /* before KILL; after MIGRATE */
    bool sparse, unsorted, exclusive, merges; /* the way; none of them: lists */
    bool stays; /* merge: every agent keeps its index, or a birth takes its place */
    bool replaces; /* `stays`, and each birth takes the place of its parent, which dies; no other agent dies */
    bool few;      /* unsorted: few ask to move in every part; w->occupancy has the result */
    bool answered; /* no requests remain */
    bool moved;
    bool changes; /* an agent dies or asks for a birth */
    bool popcnt;  /* the processor counts bits */
    bool crosses; /* agents or births leave for other ranks, or agents arrive (manage_over_ranks.h of the engine) */
    int parts;
    uint32_t *order;                   /* [count + births] old index by new index; before that, claims to cells of other
                                          parts */
    uint64_t *child_id;                /* [births] */
    uint32_t *parent, *number, *where; /* [births] where: NOWHERE if refused */
    uint32_t *first;                   /* [worlds + 1] first agents, old indices */
    uint32_t *asked, *born;            /* [worlds] births requested; births that happen */

    /* Lists. */
    uint32_t *head;  /* [cells] lists of items; 0 between manages */
    uint32_t *next;  /* [1 + count + births] by item */
    uint8_t *state;  /* [count + births] */
    uint32_t *free_seats; /* [count] free seats of a cell, at the index of its first agent */

    /* Exclusive. */
    manage_word *words; /* [cells / 64, rounded up] */
    uint32_t *seated;   /* [2 * count + births] item on each seat; sparse: [asking] */

    /* Sparse and unsorted. */
    uint32_t *few_words, few_word_count; /* unsorted, few: the words of `taken` that are in use */
    uint32_t *lots;           /* [count] unsorted: by agent, the first words of the lottery numbers of competing agents
                                 for a seat; or NULL */
    manage_taken *taken;      /* [cells / 64, rounded up] */
    uint32_t *asking, *later; /* [count] agents of each part, from its first agent on: those with requests; those of
                                 them that ask for cells of other parts */

    /* Unsorted, over ranks (manage_visits.c). Items of visitors follow those of agents. */
    manage_visitor *visitor; /* [visitor_count] */
    uint32_t visitor_count, visitor_room; /* visitor_room: seats allocated for visitors */
    const uint32_t *leaver; /* [leaver_count] agents that another rank has taken, ascending */
    uint32_t leaver_count;

    /* Merge. */
    manage_newborn *newborn; /* [births] those that happen, by cell, then id */
    uint32_t newborn_count;

    /* Arrivals: agents from other ranks that have a seat; no request of this rank competes with them. Their items
     * follow those of births; their cells and ids follow in `where` and child_id. Before the end of seating, only
     * arrival_count and arrival_cell are used. */
    uint32_t arrival_count;
    const uint32_t *arrival_cell; /* [arrival_count] */
    const char *arrivals;         /* the values of the first arrival: array by array, without gaps */
    size_t arrival_size;          /* bytes from the values of one to those of the next, for visitors too */

    manage_part part[MANAGE_PARTS_MAX + 1];
} manage_job;

/* Returns whether the gate of a world is closed: the manage leaves the world as it is. */
static inline bool is_closed(const mass_manage_work *w, uint64_t world) { return w->gates && w->gates[world]; }
/* Returns whether an item is an agent of this rank; items are numbered from 1, and 0 is none. */
static inline bool is_claim(const manage_job *j, uint32_t item) { return item - 1 < j->count; }
/* Returns whether an item is no agent of this rank: a birth, or an arrival from another rank. */
static inline bool is_birth(const manage_job *j, uint32_t item) { return item > j->count; }

/* Returns whether the agent leaves for a cell of another rank. */
static inline bool is_leaving(const mass_manage_work *w, uint32_t i)
{
    return w->move[i] == MASS_CELL_REMOTE && !(w->asked[i] & MASS_ASKED_KILL);
}

/* Returns the id of an agent, a child or an arrival. Births must have ids already. */
static inline uint64_t item_id(const manage_job *j, uint32_t item)
{
    return is_claim(j, item) ? j->w->id[item - 1] : j->child_id[item - 1 - j->count];
}

/* Returns the end of the part's agents from `agent` on that are in one world, and sets *world. */
static inline uint32_t world_end(const manage_job *j, int p, uint32_t agent, uint64_t *world)
{
    const uint32_t last = j->part[p + 1].agent;
    *world = j->w->worlds == 1 ? 0 : j->w->cell[agent] / (uint64_t)j->w->places;
    const uint32_t end = j->w->start[(*world + 1) * (uint64_t)j->w->places];
    return end < last ? end : last;
}

/* Returns the number of set bits, without an instruction for it. */
static inline uint32_t manage_ones(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    return (uint32_t)(((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
}

/* Prefetch distance in bytes, for memory that is read in order. Processors prefetch by themselves, but only a few near
 * lines. */
enum { MANAGE_AHEAD = 2048 };
/* Prefetches the memory MANAGE_AHEAD bytes after an address. */
static inline void manage_fetch(const void *at) { __builtin_prefetch((const char *)at + MANAGE_AHEAD); }
enum { MANAGE_LATER = 64 };
/* Returns the item MANAGE_LATER after item k of a list, or item k if there is none before `end`. Callers prefetch with
 * it. */
static inline uint32_t manage_later(const uint32_t *list, uint32_t k, uint32_t end)
{
    return list[end - k > MANAGE_LATER ? k + MANAGE_LATER : k];
}

/* Returns the bits, in a cell's word, of the cells before it. */
static inline uint64_t manage_bits_before(uint32_t cell) { return ((uint64_t)1 << cell % MANAGE_WORD) - 1; }

enum { MANAGE_LOOK = 8 };
/* Returns whether any of the next MANAGE_LOOK agents has a request. A move to the own cell is one, too. */
static inline bool manage_any_asks(const uint32_t *move, const uint32_t *asked)
{
    uint32_t any = 0;
    for (int i = 0; i < MANAGE_LOOK; i++) any |= (move[i] ^ MASS_CELL_STAY) | asked[i];
    return any != 0;
}

/* Returns whether any of them asks to move. */
static inline bool manage_any_moves(const uint32_t *move)
{
    uint32_t all = MASS_CELL_STAY;
    for (int i = 0; i < MANAGE_LOOK; i++) all &= move[i];
    return all != MASS_CELL_STAY;
}

/* ---- occupancy, by starts or by bitmap ---- */

/* Returns the number of agents on the cells before a cell. */
static inline uint32_t manage_first_agent(const mass_manage_work *w, uint64_t cell)
{
    if (!w->occupancy) return w->start[cell];
    const mass_seats occupancy = w->occupancy[cell / 32];
    return occupancy.before + manage_ones(occupancy.held & (((uint32_t)1 << cell % 32) - 1));
}

/* Returns whether any agent is on the cell. */
static inline bool manage_is_held(const mass_manage_work *w, uint32_t cell)
{
    return w->occupancy ? w->occupancy[cell / 32].held >> cell % 32 & 1 : w->start[cell] < w->start[cell + 1];
}

/* Returns which of 64 cells hold an agent, from the occupancy bitmap. */
static inline uint64_t manage_held(const manage_job *j, uint64_t word)
{
    const mass_seats *const occupancy = j->w->occupancy + 2 * word;
    return occupancy->held | (2 * word < j->cells / 32 ? (uint64_t)occupancy[1].held << 32 : 0);
}

/* Sets the bitmap of 64 cells to `taken`. Keeps the number of agents before them. */
static inline void manage_put_held(const manage_job *j, uint64_t word, uint64_t taken)
{
    mass_seats *const occupancy = j->w->occupancy + 2 * word;
    occupancy[0].held = (uint32_t)taken;
    if (2 * word < j->cells / 32) occupancy[1].held = (uint32_t)(taken >> 32);
}

/* Sets the bitmap of 64 cells to `taken`, and the number of agents before them to `before`. */
static inline void manage_put_seats(const manage_job *j, uint64_t word, uint64_t taken, uint32_t before)
{
    mass_seats *const occupancy = j->w->occupancy + 2 * word;
    occupancy[0] = (mass_seats){(uint32_t)taken, before};
    before += manage_ones((uint32_t)taken);
    if (2 * word < j->cells / 32) occupancy[1] = (mass_seats){(uint32_t)(taken >> 32), before};
}

/* Calls `work` for every part, on the team's threads. */
void manage_each_part(manage_job *j, void (*work)(manage_job *j, int p));

/* Compiles a step that counts many bits a second time, for processors with instructions for that. Use: MANAGE_COUNTING
 * step(manage_job *j, int p) {...}, then MANAGE_COUNTED(step), then MANAGE_EACH_PART(j, step). */
#define MANAGE_COUNTING static inline __attribute__((always_inline)) void
#ifdef __x86_64__
#define MANAGE_COUNTED(STEP) \
    __attribute__((target("bmi,bmi2,popcnt"))) static void STEP##_popcnt(manage_job *j, int p) { STEP(j, p); }
#define MANAGE_EACH_PART(j, STEP) manage_each_part((j), (j)->popcnt ? STEP##_popcnt : STEP)
#else
#define MANAGE_COUNTED(STEP)
#define MANAGE_EACH_PART(j, STEP) manage_each_part((j), STEP)
#endif

/* Return whether claim a to a cell loses to claim b; whether birth a comes before birth b. Both are items. */
bool manage_loses_to(const manage_job *j, uint32_t a, uint32_t b);
bool manage_birth_before(const manage_job *j, uint32_t a, uint32_t b);
/* Lists the births that are requested: parent, number and where, which is STAY for the parent's cell. */
void manage_list_births(manage_job *j);
/* Gives ids to the births that happen, which `where` tells. Adds up asked[] and born[], but leaves w->next_id. */
void manage_number_births(manage_job *j);

/* Run all of seating, and all of arranging (manage.c). j begins as {.w, .team, .crosses, .arrival_...}. Seating returns
 * false if out of memory, or if births do not fit into 32 bits. It seats nobody if j->changes and w->order leaves ANY.
 * The caller sets j->total before arranging. Arranging leaves tallies and w->next_id to the caller. */
bool manage_seat(manage_job *j, mass_cpu_manage_scratch *scratch, int threads);
void manage_arrange(manage_job *j, mass_cpu_manage_scratch *scratch);

/* Seating and arranging in each of the five ways. */
void manage_lists_seat(manage_job *j);
void manage_lists_arrange(manage_job *j);
bool manage_exclusive_seat(manage_job *j); /* false: some cell has more than one agent */
void manage_exclusive_arrange(manage_job *j);
bool manage_sparse_seat(manage_job *j); /* false: some cell has more than one agent */
void manage_sparse_arrange(manage_job *j);
void manage_unsorted_seat(manage_job *j); /* also clears requests */
void manage_unsorted_arrange(manage_job *j);
/* ---- seating of unsorted agents over ranks, in steps ---- */

/* Begins. Returns false if out of memory. If it sets j->changes (an agent dies or asks for a birth), no other step may
 * follow. */
bool manage_unsorted_begin(manage_job *j, mass_cpu_manage_scratch *scratch, int threads);
/* Makes the claims of agents, and of the visitors in j: at most visitor_room. Sets j->few. */
void manage_unsorted_claim(manage_job *j);
/* Takes back one agent whose claim elsewhere was refused; it then asks for MASS_CELL_NOWHERE. That may turn a visitor
 * away. */
void manage_unsorted_return(manage_job *j, uint32_t agent);
/* Ends the seating: moves the agents to their new cells. The cells that are then occupied are in w->occupancy if
 * j->few, else in j->taken. */
void manage_unsorted_settle(manage_job *j);
/* Seating and arranging of a merge. Seating sets j->stays and j->replaces. If j->stays, arranging sets *w->stayed, and
 * j->answered. */
void manage_merge_seat(manage_job *j);
void manage_merge_arrange(manage_job *j);

/* Returns whether agents in any order happen to be sorted by their cells, one agent a cell. */
bool manage_is_sorted(const mass_manage_work *w);
/* Sorts agents and their requests in the present arrays, by w->occupancy. Returns false, and changes nothing, if out of
 * memory. */
bool manage_make_order(const manage_job *j);
/* Makes the claims of visitors, after those of all agents of the rank. Marks the visitors that are turned away. */
void manage_claim_visits(manage_job *j);
/* Puts visitors that stay, or else the last agents, into the array elements of agents that have left. */
void manage_exchange_agents(manage_job *j);
/* Writes the starts of the first `cells` cells of a word. Cells in `taken` have one agent each; the first start is
 * `at`. */
void manage_put_starts(uint32_t *start, uint32_t cells, uint64_t taken, uint32_t at);
/* Copies attributes into the new order. */
void manage_copy_attributes(manage_job *j);
/* Returns the value of birth or arrival k, counted from 0; arrivals follow births. A birth without a value of its own
 * has the default. */
const void *manage_first_value(const manage_job *j, const mass_agent_array *a, uint32_t k);
/* Clears requests. Those of closed worlds are kept, and follow their agents. */
void manage_reset_requests(manage_job *j);

#endif
