/* SPDX-License-Identifier: Apache-2.0 */
/* What the steps of a manage on the CPU share. Cells are cut into parts, one a thread, each with the agents on them. A
 * manage first finds out who will stand where ("seating"), which changes nothing but the job, and then puts agents and
 * attributes into their new order ("arranging"). There are five ways to do so, each in files of its own:
 *   merge       nobody asks to move, and few births: manage_merge.c;
 *   sparse      a cell holds one agent, few ask to move or die, and none is born: manage_sparse.c;
 *   loose       a cell holds one agent, agents are in no order, or keep theirs, and none dies or is born:
 *               manage_loose.c, manage_loose_order.c;
 *   exclusive   a cell holds one agent: manage_exclusive.c;
 *   lists       otherwise: manage_births.c, manage_moves.c, manage_order.c over the lists of manage_lists.h.
 *
 * Who is to stand on a cell is an item: 1 + the index of an agent, which is a claim, or 1 + count + the number of a
 * birth; 0 is nobody. */
#ifndef MASS_KERNELS_CPU_MANAGE_JOB_H
#define MASS_KERNELS_CPU_MANAGE_JOB_H

#include "cpu/kernels.h"

enum { MANAGE_PARTS_MAX = 256, MANAGE_WORD = 64 };

typedef struct manage_part {
    uint64_t cell;           /* the first */
    uint32_t agent;          /* the first, as they were */
    uint32_t births, gone;   /* births asked for before this part; deaths in it */
    uint32_t begin, after;   /* new index of its first agent; its agents afterwards */
    uint32_t later;          /* agents that ask for cells of other parts */
    uint32_t moves;          /* agents that ask to move, or some of them, if they are many */
    uint32_t asking;         /* agents that die or ask for another cell; in the end, those refused one */
    uint32_t seat, seats;    /* the first, and how many */
    bool crowded;            /* some cell has two agents */
    bool few;                /* loose: few of its agents ask to move */
    bool waits;              /* by merging: nobody asks to move, not even to the own cell */
    bool replaces;           /* by merging: births are of agents that die, on the place that these leave */
    uint64_t asked;          /* births asked for in it */
} manage_part;

/* 64 cells, of which some have seats (manage_exclusive.c). */
typedef struct manage_word {
    uint64_t cells;  /* the seats, as bits */
    uint32_t before; /* seats of the words before */
} manage_word;

/* 64 cells that hold one agent each, as bits (manage_sparse.c). */
typedef struct manage_taken {
    uint64_t cells;           /* somebody stands here */
    uint64_t leaving, sought; /* who stands here dies, or wants to go; somebody wants to come here */
    uint32_t before, seats;   /* agents, and cells that are sought, of the words before */
} manage_taken;

/* An agent of another rank that claims a cell of this one. The claim with the lower key is better, and with the lower
 * id where they are equal. */
typedef struct manage_visitor {
    uint64_t key, id;
    uint32_t cell;
    uint32_t index; /* of the agent, on its own rank */
    int32_t rank;   /* that one */
    uint32_t turned_away; /* MANAGE_... */
} manage_visitor;
enum { MANAGE_STAYS = 0, MANAGE_TURNED_AWAY = 1, MANAGE_TOLD = 2 };

typedef struct manage_newborn {
    uint64_t id; /* of the parent, until those born have one */
    uint32_t cell, number, birth;
    uint32_t at; /* new index */
} manage_newborn;

typedef struct manage_job {
    const mass_manage_work *w;
    mass_cpu_team *team;
    uint64_t cells;
    uint32_t count, births, total;
    bool spawn_first, spawn_last; /* before KILL, after MIGRATE */
    bool sparse, loose, exclusive, merges; /* which way it is done; none of them: by lists */
    bool stays; /* by merging, but every agent stays where it is in the order, or another is born in its place */
    bool replaces; /* it stays, as all births are on places of parents that die, and nobody else dies */
    bool few;      /* loose: few ask to move, of all parts, and seats say already who stands where */
    bool answered; /* no requests remain */
    bool moved;
    bool changes; /* somebody dies, or asks for a birth */
    bool popcnt;  /* the processor counts bits */
    bool crosses; /* agents or births leave for other ranks, or some come (manage_over_ranks.h of the engine) */
    int parts;
    uint32_t *order;                   /* [count + births] where an agent was; at first claims of other parts */
    uint64_t *child_id;                /* [births] */
    uint32_t *parent, *number, *where; /* [births] where: NOWHERE for those refused */
    uint32_t *first;                   /* [worlds + 1] agents, as they were */
    uint32_t *asked, *born;            /* [worlds] births */

    /* By lists. */
    uint32_t *head;  /* [cells] lists of items; 0 between manages */
    uint32_t *next;  /* [1 + count + births] by item */
    uint8_t *state;  /* [count + births] */
    uint32_t *seats; /* [count] free seats of a cell, at its first agent */

    /* Exclusive. */
    manage_word *words; /* [cells / 64, rounded up] */
    uint32_t *seated;   /* [2 * count + births] item on each seat; of a sparse one [asking] */

    /* Sparse and loose. */
    uint32_t *few_words, few_word_count; /* loose, few: words of `taken` that anybody has to do with */
    uint32_t *lots;           /* [count] loose: by agent, the first words that those have drawn who compete for a seat;
                                 or NULL */
    manage_taken *taken;      /* [cells / 64, rounded up] */
    uint32_t *asking, *later; /* [count] agents of each part, from its first one on: those that ask, and of them those
                                 that ask for cells of other parts */

    /* Loose, over ranks (manage_visits.c). Items of visitors are those behind the agents. */
    manage_visitor *visitor; /* [visitor_count] */
    uint32_t visitor_count, visitor_room; /* seats for so many of them */
    const uint32_t *leaver; /* [leaver_count] agents that another rank has taken, ascending */
    uint32_t leaver_count;

    /* By merging. */
    manage_newborn *newborn; /* [births] those that are born, by cell, then id */
    uint32_t newborn_count;

    /* Who comes from other ranks; no request of this rank competes with them for a seat. Their items are those behind
     * the births, and where and child_id have them behind these, too. Only arrival_count and arrival_cell matter until
     * everybody is seated. */
    uint32_t arrival_count;
    const uint32_t *arrival_cell; /* [arrival_count] */
    const char *arrivals;         /* the values of the first: array by array, without gaps */
    size_t arrival_size;          /* from the values of one to those of the next; of visitors as well */

    manage_part part[MANAGE_PARTS_MAX + 1];
} manage_job;

static inline bool is_closed(const mass_manage_work *w, uint64_t world) { return w->gates && w->gates[world]; }
static inline bool is_claim(const manage_job *j, uint32_t item) { return item - 1 < j->count; }
static inline bool is_birth(const manage_job *j, uint32_t item) { return item > j->count; }

/* It leaves for a cell of another rank. */
static inline bool is_leaving(const mass_manage_work *w, uint32_t i)
{
    return w->move[i] == MASS_CELL_FAR && !(w->asked[i] & MASS_ASKED_KILL);
}

static inline uint64_t item_id(const manage_job *j, uint32_t item)
{
    return is_claim(j, item) ? j->w->id[item - 1] : j->child_id[item - 1 - j->count];
}

/* The part's agents from `agent` on that are of one world; returns the end. */
static inline uint32_t world_end(const manage_job *j, int p, uint32_t agent, uint64_t *world)
{
    const uint32_t last = j->part[p + 1].agent;
    *world = j->w->worlds == 1 ? 0 : j->w->cell[agent] / (uint64_t)j->w->places;
    const uint32_t end = j->w->start[(*world + 1) * (uint64_t)j->w->places];
    return end < last ? end : last;
}

static inline uint32_t manage_ones(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    return (uint32_t)(((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56);
}

/* What is gone through is fetched into the cache so many bytes before that: processors do so themselves, but of few
 * lines, which are near. */
enum { MANAGE_AHEAD = 2048 };
static inline void manage_fetch(const void *at) { __builtin_prefetch((const char *)at + MANAGE_AHEAD); }
/* An item of a list that comes so much later than item k, if it has one before `end`: what it leads to is fetched. */
enum { MANAGE_LATER = 64 };
static inline uint32_t manage_later(const uint32_t *list, uint32_t k, uint32_t end)
{
    return list[end - k > MANAGE_LATER ? k + MANAGE_LATER : k];
}

/* Bits of the cells of its word that come before a cell. */
static inline uint64_t manage_bits_before(uint32_t cell) { return ((uint64_t)1 << cell % MANAGE_WORD) - 1; }

/* Whether any of the next MANAGE_LOOK agents asks for anything. */
enum { MANAGE_LOOK = 8 };
static inline bool manage_any_asks(const uint32_t *move, const uint32_t *asked)
{
    uint32_t any = 0;
    for (int i = 0; i < MANAGE_LOOK; i++) any |= (move[i] ^ MASS_CELL_STAY) | asked[i];
    return any != 0;
}

static inline bool manage_any_moves(const uint32_t *move)
{
    uint32_t all = MASS_CELL_STAY;
    for (int i = 0; i < MANAGE_LOOK; i++) all &= move[i];
    return all != MASS_CELL_STAY;
}

/* ---- who stands where, by starts or by seats ---- */

/* How many agents stand on the cells before one. */
static inline uint32_t manage_first_agent(const mass_manage_work *w, uint64_t cell)
{
    if (!w->seats) return w->start[cell];
    const mass_seats seats = w->seats[cell / 32];
    return seats.before + manage_ones(seats.held & (((uint32_t)1 << cell % 32) - 1));
}

static inline bool manage_is_held(const mass_manage_work *w, uint32_t cell)
{
    return w->seats ? w->seats[cell / 32].held >> cell % 32 & 1 : w->start[cell] < w->start[cell + 1];
}

/* Of 64 cells by their seats, those that hold an agent. */
static inline uint64_t manage_held(const manage_job *j, uint64_t word)
{
    const mass_seats *const seats = j->w->seats + 2 * word;
    return seats->held | (2 * word < j->cells / 32 ? (uint64_t)seats[1].held << 32 : 0);
}

/* Agents stand on `taken` of 64 cells; those before them are as they were. */
static inline void manage_put_held(const manage_job *j, uint64_t word, uint64_t taken)
{
    mass_seats *const seats = j->w->seats + 2 * word;
    seats[0].held = (uint32_t)taken;
    if (2 * word < j->cells / 32) seats[1].held = (uint32_t)(taken >> 32);
}

/* Agents stand on `taken` of 64 cells, and `before` on those before them. */
static inline void manage_put_seats(const manage_job *j, uint64_t word, uint64_t taken, uint32_t before)
{
    mass_seats *const seats = j->w->seats + 2 * word;
    seats[0] = (mass_seats){(uint32_t)taken, before};
    before += manage_ones((uint32_t)taken);
    if (2 * word < j->cells / 32) seats[1] = (mass_seats){(uint32_t)(taken >> 32), before};
}

/* Calls `work` for every part, on the team's threads. */
void manage_each_part(manage_job *j, void (*work)(manage_job *j, int p));

/* A step that counts bits all the time is compiled a second time, for processors that have instructions for that:
 * MANAGE_COUNTING step(manage_job *j, int p) {...} and MANAGE_COUNTED(step), and MANAGE_EACH_PART(j, step). */
#define MANAGE_COUNTING static inline __attribute__((always_inline)) void
#ifdef __x86_64__
#define MANAGE_COUNTED(STEP) \
    __attribute__((target("bmi,bmi2,popcnt"))) static void STEP##_popcnt(manage_job *j, int p) { STEP(j, p); }
#define MANAGE_EACH_PART(j, STEP) manage_each_part((j), (j)->popcnt ? STEP##_popcnt : STEP)
#else
#define MANAGE_COUNTED(STEP)
#define MANAGE_EACH_PART(j, STEP) manage_each_part((j), STEP)
#endif

/* Of two claims to a cell, whether a loses to b; of two births, whether a comes before b. */
bool manage_loses_to(const manage_job *j, uint32_t a, uint32_t b);
bool manage_birth_before(const manage_job *j, uint32_t a, uint32_t b);
/* Who asks for births: parent, number and where, which is STAY for the parent's cell. */
void manage_list_births(manage_job *j);
/* Ids of those born, once `where` says which. */
void manage_number_births(manage_job *j);

/* All of seating, and of arranging (manage.c). j begins as {.w, .team, .crosses, .arrival_...}. False: no memory. */
bool manage_seat(manage_job *j, mass_cpu_manage_scratch *scratch, int threads);
void manage_arrange(manage_job *j, mass_cpu_manage_scratch *scratch);

/* Seating and arranging, in each of the five ways. */
void manage_lists_seat(manage_job *j);
void manage_lists_arrange(manage_job *j);
bool manage_exclusive_seat(manage_job *j); /* false where some cell has more than one agent already */
void manage_exclusive_arrange(manage_job *j);
bool manage_sparse_seat(manage_job *j); /* likewise */
void manage_sparse_arrange(manage_job *j);
void manage_loose_seat(manage_job *j); /* requests end, too */
void manage_loose_arrange(manage_job *j);
/* Seating of loose agents over ranks, step by step. begin: false: no memory; where somebody dies or asks for a birth
 * (changes), nothing else may follow. claim: j has its visitors, no more than there is room for. Then agents whose
 * claims elsewhere came back return one by one, and all is settled. */
bool manage_loose_begin(manage_job *j, mass_cpu_manage_scratch *scratch, int threads);
void manage_loose_claim(manage_job *j);
void manage_loose_return(manage_job *j, uint32_t agent);
void manage_loose_settle(manage_job *j);
void manage_merge_seat(manage_job *j);
void manage_merge_arrange(manage_job *j);

/* Whether agents that may be in no order are in order nevertheless; and puts them in order, with their requests, in the
 * arrays where they are. False: no memory. */
bool manage_finds_order(const mass_manage_work *w);
bool manage_make_order(const manage_job *j);
/* Visitors claim their cells, after all agents of the rank. */
void manage_claim_visits(manage_job *j);
/* Those who leave make room in the arrays for visitors that stay, or for the last agents. */
void manage_exchange_agents(manage_job *j);
/* The new starts of a word's first `cells`, of which those in `taken` have an agent, from the index `at` on. */
void manage_put_starts(uint32_t *start, uint32_t cells, uint64_t taken, uint32_t at);
/* Attributes in the new order. */
void manage_copy_attributes(manage_job *j);
/* The value of birth or arrival k, from 0 on. */
const void *manage_first_value(const manage_job *j, const mass_agent_array *a, uint32_t k);
/* No requests, but for those of closed worlds, which follow the agents. */
void manage_reset_requests(manage_job *j);

#endif
