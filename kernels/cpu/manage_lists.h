/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of items by cell, for cells that may hold any number of agents, and the state of every item.
 *
 * A list has, in order: births that come after moves, claims, births that come before moves. When a cell is decided,
 * its claims are sorted worst first, and those beyond the free seats are refused. A refused agent keeps a seat of its
 * own cell, where one claim may then be too many. So the worst claim is popped off that list and refused, and so on.
 * Threads do this concurrently. Their order changes which refusal pops a claim, but not which claims are popped. */
#ifndef MASS_KERNELS_CPU_MANAGE_LISTS_H
#define MASS_KERNELS_CPU_MANAGE_LISTS_H

#include "cpu/manage_job.h"

/* The present state of an item. Agents in the first three states are where they were. */
enum {
    KEPT,         /* its world's gate is closed */
    STANDS,       /* it asks for no other cell */
    REFUSED,      /* its claim was taken back later; a birth: it does not happen */
    GONE,         /* it dies */
    CLAIMS,       /* its claim to another cell is granted so far */
    CLAIMS_FIRST, /* the same, and the first claim to its cell: its thread decides all of them */
    LOSES,        /* its claim was beyond the free seats when its cell was decided */
    BORN,         /* a birth: it happens so far */
    BORN_FIRST,   /* the same; its thread decides the births of the cell */
    LEAVES        /* it moves to a cell of another rank */
};

typedef bool manage_before(const manage_job *j, uint32_t a, uint32_t b);

/* Merges two sorted lists of items. Returns the first item of the merged list. */
static inline uint32_t merge(const manage_job *j, uint32_t a, uint32_t b, manage_before *before)
{
    uint32_t list, *end = &list;
    while (a && b) {
        uint32_t *const from = before(j, b, a) ? &b : &a;
        *end = *from;
        end = &j->next[*from];
        *from = *end;
    }
    *end = a ? a : b;
    return list;
}

/* Sorts the first n items of a list, and cuts off the rest. Returns the sorted list. */
static inline uint32_t sort(const manage_job *j, uint32_t list, uint32_t n, manage_before *before)
{
    if (n == 0) return 0;
    if (n == 1) {
        j->next[list] = 0;
        return list;
    }
    uint32_t second = list;
    for (uint32_t i = 0; i < n / 2; i++) second = j->next[second];
    list = sort(j, list, n / 2, before);
    return merge(j, list, sort(j, second, n - n / 2, before), before);
}

/* Appends `rest` to the first n items of a list. What came after them is cut off. */
static inline void append(const manage_job *j, uint32_t *list, uint32_t n, uint32_t rest)
{
    while (n--) list = &j->next[*list];
    *list = rest;
}

/* Pushes an item on a cell's list. `shared`: other threads may push on it at the same time. Returns the list as it
 * was. */
static inline uint32_t push(const manage_job *j, uint64_t cell, uint32_t item, bool shared)
{
    uint32_t old = j->head[cell];
    if (shared) old = __atomic_exchange_n(&j->head[cell], item, __ATOMIC_RELAXED);
    else j->head[cell] = item;
    j->next[item] = old;
    return old;
}

/* Returns the number of items of a linked list. 0 is its end. */
static inline uint32_t length(const manage_job *j, uint32_t list)
{
    uint32_t n = 0;
    for (; list; list = j->next[list]) n++;
    return n;
}
/* Reads a state that other threads may write. */
static inline uint8_t get_state(const manage_job *j, uint32_t i)
{
    return __atomic_load_n(&j->state[i], __ATOMIC_RELAXED);
}
/* Writes a state that other threads may read. */
static inline void set_state(const manage_job *j, uint32_t i, uint8_t s)
{
    __atomic_store_n(&j->state[i], s, __ATOMIC_RELAXED);
}

/* Returns whether a claim is refused. */
static inline bool is_lost(uint8_t state) { return state == REFUSED || state == LOSES; }
/* Returns whether a claim to another cell of this rank is granted so far. */
static inline bool is_moving(uint8_t state) { return state == CLAIMS || state == CLAIMS_FIRST; }
/* Returns whether an agent stays on its cell. */
static inline bool is_staying(uint8_t state) { return state <= REFUSED || state == LOSES; }

/* Returns the number of agents that hold a seat of a cell, of those that were on it when manage began. */
static inline uint32_t standing(const manage_job *j, uint64_t cell)
{
    uint32_t n = 0;
    for (uint32_t i = j->w->start[cell]; i < j->w->start[cell + 1]; i++) {
        const uint8_t state = get_state(j, i);
        n += state <= REFUSED || (j->moved && state == LOSES);
    }
    return n;
}

/* Returns a - b, but at least 0. */
static inline uint32_t less(uint32_t a, uint64_t b) { return a > b ? (uint32_t)(a - b) : 0; }

/* Decides births, before the moves or after them, and gives ids to those that happen. */
void manage_spawn(manage_job *j);

#endif
