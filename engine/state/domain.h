/* SPDX-License-Identifier: Apache-2.0 */
/* state/ holds the state of a model on one device: the partitions of its spaces with their arrays, its tallies, its
 * stop condition. A rank has one domain. Main thread. */
#ifndef MASS_ENGINE_DOMAIN_H
#define MASS_ENGINE_DOMAIN_H

#include "device/buffer.h"
#include "split/share.h"

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
    const struct mass_table *table; /* borrowed: who stands where at the start; NULL: as the population's rule says */
    struct mass_table *own_table;   /* what `table` is where others hold part of the one that was given; NULL; owned */
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
    struct mass_halos *halos; /* who has copies of what (halo/halo.h); NULL: nobody has asked yet */
    struct mass_halo_rooms *halo_rooms; /* memory for their messages (halo/exchange.h), or NULL */
    struct mass_pieces *pieces; /* what is read or written piece by piece (pieces.h); NULL: nothing is */
    /* How this rank writes its part of a checkpoint (pieces.h); NULL: it cannot. */
    mass_status (*write_part)(struct mass_domain *, const struct mass_part_order *, uint64_t *table, mass_error *error);
    int32_t edges;          /* while an exchange runs beside the queue (device/side.h): how many layers at each cut
                               the launch must do last, after joining it; 0: none */
    const int64_t *live; /* [partition_count] of a stream: how many places of the first space have an item of the piece,
                            so that phases run over these; NULL: phases run over all; borrowed */
    struct mass_until *until; /* the stop condition; NULL: there is none */
} mass_domain;

/* How many `diagnostics` there are. */
static inline size_t mass_domain_diagnostic_count(const mass_domain *d)
{
    return (size_t)d->model->phase_count + d->model->population_count;
}

/* One element of an array at its default; the caller frees it. An interleaved attribute's is its component's
 * default, `length` times. */
mass_status mass_array_initial(const mass_model *m, uint32_t array, uint8_t **out, mass_error *error);

/* From the element of place (0, 0, 0) of world 0 on, the buffer that holds the present (next = false) or takes the next
 * values; and its address, for kernels. */
mass_buffer mass_array_from(const mass_domain *d, const mass_partition *p, uint32_t array, bool next);
void *mass_array_at(const mass_domain *d, const mass_partition *p, uint32_t array, bool next);

#endif
