/* SPDX-License-Identifier: Apache-2.0 */
/* The places of a model on one device: partitions, their arrays, ghosts, and access in global
 * coordinates. Main thread. */
#ifndef MASS_ENGINE_DOMAIN_H
#define MASS_ENGINE_DOMAIN_H

#include "device/buffer.h"
#include "domain/ranks/call.h"
#include "domain/layout.h"
#include "domain/share.h"
#include "domain/snapshot.h"
#include "domain/table.h"

/* One array of one partition. */
typedef struct mass_array {
    mass_buffer buffer[2]; /* [1] only where old and new values are kept apart */
    uint32_t fresh;        /* axes along which the ghosts show the present values */
    int32_t deep; /* where those along the cut between ranks are not fresh: so many layers next to the places show the
                     present values all the same, but for their own ghosts along other axes */
} mass_array;

typedef struct mass_partition {
    mass_layout layout;
    mass_array *arrays; /* [array_count of the model]; those of other spaces are empty */
} mass_partition;

/* The agents of one population, of all worlds and partitions together, in canonical order: those of a
 * partition are a range in each world (mass_agents in the SDK's launch.h). */
typedef struct mass_agent_buffers {
    mass_buffer buffer[2]; /* [room] */
    mass_buffer child;     /* [children][room], where callbacks give children values; else none */
    uint8_t *initial;      /* host: one element as children get it that are given none */
} mass_agent_buffers;

typedef struct mass_population_state {
    const mass_table *table; /* borrowed: who stands where at the start; NULL: as the population's rule says */
    mass_table *own_table;   /* what `table` is where others hold part of the one that was given; NULL; owned */
    bool populated;
    uint8_t current; /* which of two buffers holds the present values */
    bool orders_always; /* somebody died or was born in a manage that was to keep the order of agents: none does now */
    uint32_t room;   /* of the buffers, in agents */
    int64_t places;  /* of the space, in one world, that this rank holds: cells number these */
    int64_t *first_place; /* [ranks + 1] the first one that each rank holds; NULL: all hold all. Owned */
    uint32_t most;   /* agents of the largest world at the start */
    /* Where a step begins with at most `safe_count` agents, the device surely has memory for all that could be born in
     * that step and in the next, so that nobody needs to ask. mass_population_check_room sets it, and
     * mass_population_guard has replays stop before a step that begins with more. UINT32_MAX: any number is safe. */
    uint32_t safe_count;
    mass_buffer count, start; /* uint32_t[1], [worlds * places + 1] */
    mass_buffer seats; /* mass_seats[worlds * places / 32 + 1], and start has those of worlds alone; none: it has all */
    mass_buffer safe_count_on_device; /* uint32_t[1] the same, for the guard to read */
    mass_buffer cell[2], move, asked, child_cell; /* uint32_t, see manage.h */
    mass_buffer move_far, child_far; /* int64_t, likewise; none: all hold all */
    struct mass_decision *decision; /* memory of its manages over ranks, or NULL; owned */
    struct mass_letters *letters;   /* the same, where devices decide */
    mass_buffer world_starts; /* uint32_t[worlds + 1] agents of all ranks before each world; none: all hold all */
    mass_buffer crowds;    /* uint32_t[worlds][2][crowd_places] agents of other ranks beside this rank's places, */
    int64_t crowd_places;  /* as far as callbacks look (launch.h) */
    void *crowd_memory;    /* of their messages, or NULL; owned */
    size_t crowd_room;
    mass_agent_buffers *arrays; /* [array_count of the population] */
} mass_population_state;

struct mass_part_order;

typedef struct mass_domain {
    const mass_model *model; /* borrowed */
    mass_device *device;     /* borrowed */
    mass_share share;        /* of the run: what this rank holds. All else here is this rank's alone: */
    int32_t partition_count, worlds, first_world; /* the number of its first world is what random numbers know it by */
    mass_partition *partitions[MASS_SPACES_MAX]; /* [partition_count] of each space */
    mass_population_state populations[MASS_POPULATIONS_MAX];
    mass_buffer gates;  /* uint32_t[phases][worlds], of conditional phases, and then those of `closed` where births need
                           them; none: there are neither */
    mass_buffer closed; /* uint32_t[worlds], gates that a replay closes when it stops (device/recordings.h), part of
                           `gates` or of the stop condition; none: no step can stop */
    uint64_t changes; /* goes up whenever what was recorded cannot be replayed any more: a population's arrays have
                         moved, or it needs a guard where it needed none */
    uint64_t seed;
    uint8_t *current; /* [array_count] which buffer holds the present values */
    mass_buffer constants;  /* what does not change in a run: */
    mass_buffer random_keys; /* uint64_t[worlds], part of it */
    mass_buffer parameters; /* uint64_t[parameters][worlds], part of it */
    mass_buffer counters;   /* what does: */
    mass_buffer clock;      /* uint64_t, part of it: what replayed launches add to their step */
    mass_buffer history;    /* rows of tallies, part of it: of steps that follow each other, the last row of the last */
    int32_t rows;           /* so many, at least one */
    mass_buffer tallies;    /* int64_t[tallies][worlds][words], the last row */
    mass_buffer totals;     /* int64_t[tallies][worlds of the run][words]: those that steps look at, over all ranks;
                               none: there is one rank */
    mass_keys **key_counts; /* [tallies] the device's; NULL: it does not count by key */
    mass_buffer zeros;  /* a row of them, which ghosts are cleared from before callbacks add to places; none: no
                           callback adds to places, or the space is not cut */
    mass_buffer diagnostics; /* mass_diagnostics[phases], and then one for each population: requests that were
                                ignored */
    struct mass_cuts *cuts; /* what crosses to other ranks; NULL: nothing has, yet */
    struct mass_pieces *pieces; /* what is read or written piece by piece (pieces.h); NULL: nothing is */
    /* How this rank writes its part of a checkpoint (pieces.h); NULL: it cannot. */
    mass_status (*write_part)(struct mass_domain *, const struct mass_part_order *, uint64_t *table, mass_error *error);
    int32_t edges;          /* while an exchange runs beside the queue (device/side.h): how many layers at each cut
                               the launch must do last, after joining it; 0: none */
    const int64_t *live; /* [partition_count] of a stream: how many places of the first space have an item of the piece,
                            so that phases run over these; NULL: phases run over all; borrowed */
    struct mass_until *until; /* the stop condition; NULL: there is none */
} mass_domain;

typedef struct mass_domain_options {
    int32_t partitions; /* of a rank */
    int32_t worlds, first_world; /* of the run, over all ranks */
    uint64_t seed;
    mass_comm *comm; /* the ranks that compute the run together; NULL: one alone. Borrowed */
    const int32_t *shares; /* [ranks] in what proportion they hold rows or worlds, each from 1 to MASS_SHARE_MOST; NULL:
                              all the same. Borrowed for the call */
} mass_domain_options;

/* How many `diagnostics` there are. */
static inline size_t mass_domain_diagnostic_count(const mass_domain *d)
{
    return (size_t)d->model->phase_count + d->model->population_count;
}

/* Bytes that a model's state needs on its device, for people. */
double mass_domain_bytes(const mass_model *m, int32_t partitions, int32_t worlds);

/* Whether every space has rows for so many ranks that cut it, of so many partitions each. MASS_BAD_USAGE. */
mass_status mass_domain_check_rows(const mass_model *m, int32_t ranks, int32_t partitions, mass_error *error);

/* Checks the options and the memory, allocates, and fills every attribute with its default. All ranks of the run call
 * it, with the same options. On failure *out is untouched. */
mass_status mass_domain_create(const mass_model *m, mass_device *device, const mass_domain_options *options,
                               mass_domain **out, mass_error *error);
void mass_domain_free(mass_domain *d); /* NULL is fine */

/* One element of an array at its default; the caller frees it. An interleaved attribute's is its component's
 * default, `length` times. */
mass_status mass_array_initial(const mass_model *m, uint32_t array, uint8_t **out, mass_error *error);

/* What follows up to the ghosts concerns the whole run, all its worlds and places, wherever they are: it is called on
 * rank 0, and by others out of mass_serve (call.h), where NULL may stand for data, snapshots and lists. What fails on
 * one rank fails. Exceptions say so. */

/* A box of one world of an attribute, data [extent z][y][x][length]; see mass_run_table. The box has
 * to lie inside the space. */
mass_status mass_domain_read(mass_domain *d, uint32_t attribute, int32_t world, const mass_gidx origin[3],
                             const mass_gidx extent[3], void *data, mass_error *error);
mass_status mass_domain_write(mass_domain *d, uint32_t attribute, int32_t world, const mass_gidx origin[3],
                              const mass_gidx extent[3], const void *data, mass_error *error);

/* In several worlds, data [worlds][z][y][x][length]. */
mass_status mass_domain_move(mass_domain *d, const mass_call_box *box, void *data, mass_error *error);
/* The same of this rank's worlds, counted from its first, and of its slab, by no other rank. Places of the box that are
 * another rank's are left out. */
mass_status mass_domain_move_own(mass_domain *d, const mass_call_box *box, void *data, mass_error *error);

/* `count` elements of a box that is this rank's, [worlds][z][y][x], from number `first` on; by no other rank. */
mass_status mass_domain_move_run(mass_domain *d, const mass_call_box *box, int64_t first, int64_t count, void *data,
                                 mass_error *error);
/* The same of all that this rank has of an attribute in canonical order, [worlds][its slab]. And how many places of a
 * space this rank has in a world. */
mass_status mass_domain_read_run(mass_domain *d, uint32_t attribute, int64_t first, int64_t count, void *data,
                                 mass_error *error);
mass_status mass_domain_write_run(mass_domain *d, uint32_t attribute, int64_t first, int64_t count, const void *data,
                                  mass_error *error);
int64_t mass_domain_places(const mass_domain *d, uint32_t space);
/* ... or, as attributes of bits are stored, eights of them. Runs of bits count these. */
int64_t mass_domain_stored_places(const mass_domain *d, uint32_t space, bool bits);

/* This rank's share of tallies to the neutral element: those that restart each step, or all. Reductions restart when
 * they are computed. Of this rank alone. Queued. */
mass_status mass_domain_reset_tallies(mass_domain *d, bool cumulative_too, mass_error *error);
/* Some that follow each other, whatever they are; those that lie side by side and begin alike at once. */
mass_status mass_domain_reset_some(mass_domain *d, uint32_t first, uint32_t count, mass_error *error);
/* The same of `rows` rows of the history, behind which `later` follow. */
mass_status mass_domain_reset_rows(mass_domain *d, uint32_t first, uint32_t count, int32_t later, int32_t rows,
                                   mass_error *error);
/* From a row to the next one, in int64_t. */
int64_t mass_domain_tally_row(const mass_domain *d);
/* This rank's last `rows` rows of the history. Waits for the device. */
mass_status mass_domain_read_history(mass_domain *d, int32_t rows, int64_t *out, mass_error *error);

/* The whole state. save allocates *s, which holds nothing on failure; restore takes one of this model and
 * these worlds. */
mass_status mass_domain_save(mass_domain *d, mass_snapshot *s, mass_error *error);
mass_status mass_domain_restore(mass_domain *d, const mass_snapshot *s, mass_error *error);
/* Its part without attributes. */
mass_status mass_domain_restore_numbers(mass_domain *d, const mass_snapshot *s, mass_error *error);
/* The same of the run where its attributes stay with the ranks, and are read by pieces (pieces.h) until
 * mass_pieces_end: s->source. kept: while the run goes on; else before the next step. */
mass_status mass_domain_save_pieces(mass_domain *d, bool kept, mass_snapshot *s, mass_error *error);
/* What reports need of it, in little memory: save without attributes and the stop condition. */
mass_status mass_domain_save_numbers(mass_domain *d, mass_snapshot *s, mass_error *error);
/* The state hash (state_hash.h), computed by the device where the state lies. numbers: what was saved of it now, with
 * or without attributes, and its step. */
mass_status mass_domain_hash(mass_domain *d, const mass_snapshot *numbers, char hex[33], mass_error *error);
/* Part of it: the hash of an attribute's bytes, on rank 0. */
mass_status mass_domain_hash_attribute(mass_domain *d, uint32_t attribute, uint8_t hash[16], mass_error *error);
/* How many values of an attribute with a range (range.h) lie outside, on all ranks: *count on rank 0. The device
 * counts. */
mass_status mass_domain_count_outside(mass_domain *d, uint32_t attribute, uint64_t *count, mass_error *error);
/* Sorted keys of the tallies that count by key: lists[tallies][worlds], the others empty. Read: the lists are the
 * caller's, and empty on failure. */
mass_status mass_domain_read_keys(mass_domain *d, mass_key_list *lists, mass_error *error);
mass_status mass_domain_write_keys(mass_domain *d, const mass_key_list *lists, mass_error *error);
/* Those of one tally: in `count` worlds, lists[count], which are empty before; or in all. */
mass_status mass_domain_read_keys_of(mass_domain *d, uint32_t tally, int32_t first, int32_t count,
                                     mass_key_list *lists, mass_error *error);
mass_status mass_domain_write_keys_of(mass_domain *d, uint32_t tally, const mass_key_list *lists, mass_error *error);
/* [tallies][worlds][words] accumulators as mass_tally_value takes them. Keys are not among them. */
mass_status mass_domain_read_tallies(mass_domain *d, int64_t *accumulators, mass_error *error);
mass_status mass_domain_write_tallies(mass_domain *d, const int64_t *accumulators, mass_error *error);
/* `count` words of one of them in one world, from word `first` on. */
mass_status mass_domain_read_tally(mass_domain *d, uint32_t tally, int32_t world, uint32_t first, uint32_t count,
                                   int64_t *out, mass_error *error);

/* Exact sums that go on from step to step carry, so that as much fits again (the SDK's exact.h). Of this rank alone.
 * Waits. And how many steps fit between; 0: there are no such sums. */
mass_status mass_domain_carry_sums(mass_domain *d, mass_error *error);
uint64_t mass_domain_steps_to_carry(const mass_domain *d);
/* In a step, on all ranks: has mass_domain_total show some tallies over all ranks, as they are now. With one rank, it
 * always does. */
mass_status mass_domain_reduce_tallies(mass_domain *d, const uint32_t *tallies, uint32_t count, mass_error *error);

/* Makes the ghosts of an array show the present values, where these are this rank's own, but for those along some axes,
 * which nobody reads until a refresh of all. Queued. */
mass_status mass_ghosts_refresh(mass_domain *d, uint32_t array, uint32_t unread_axes, mass_error *error);
/* ... and then so many layers of them where they are other ranks', of the arrays, all of one space, that a callback
 * reads, but for arrays of which `deep` layers at least are right (mass_array.deep). All ranks call it. Queued. */
mass_status mass_ghosts_exchange(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t deep, int32_t layers,
                                 mass_error *error);

/* Whether it would do anything. */
bool mass_ghosts_are_stale(const mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t deep);

/* For callbacks that add to places up to `reach` away: makes zero the ghosts that show places of other partitions, and
 * after the launches adds them to those that are this rank's own, and then, of all the phase's arrays, to other ranks',
 * for which all ranks call deliver. From the first to the next refresh, the ghosts are not those of the present
 * values. Queued. */
mass_status mass_ghosts_clear(mass_domain *d, uint32_t array, int32_t reach, mass_error *error);
mass_status mass_ghosts_add(mass_domain *d, uint32_t array, int32_t reach, mass_error *error);
mass_status mass_ghosts_deliver(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t reach,
                                mass_error *error);

/* Bytes of an array that refresh copies along `axes` if they are stale along these, at most so many layers deep, and
 * that clear makes zero or add adds: to and from places of this rank, or of others, in exchange and deliver. */
double mass_ghosts_bytes(const mass_domain *d, uint32_t array, uint32_t axes, int32_t layers, bool between_ranks);
double mass_ghosts_seam_bytes(const mass_domain *d, uint32_t array, int32_t reach, bool between_ranks);

/* From the element of place (0, 0, 0) of world 0 on, the buffer that holds the present (next = false) or takes the next
 * values; and its address, for kernels. */
mass_buffer mass_array_from(const mass_domain *d, const mass_partition *p, uint32_t array, bool next);
void *mass_array_at(const mass_domain *d, const mass_partition *p, uint32_t array, bool next);

/* The accumulators of a tally in all worlds, [worlds][words]; and the address of the first, for kernels. */
mass_buffer mass_domain_tally(const mass_domain *d, uint32_t tally);
int64_t *mass_domain_tally_at(const mass_domain *d, uint32_t tally);
/* The same over all ranks, [worlds of the run][words], as last reduced. */
mass_buffer mass_domain_total(const mass_domain *d, uint32_t tally);

#endif
