/* SPDX-License-Identifier: Apache-2.0 */
/* state/ holds the state of a model on one device: the partitions of its spaces with their arrays, its tallies, and its
 * stop condition. A rank has one domain. Main thread. */
#ifndef MASS_ENGINE_DOMAIN_H
#define MASS_ENGINE_DOMAIN_H

#include "device/buffer.h"
#include "split/share.h"

/* An array of a partition. */
typedef struct mass_array {
    mass_buffer buffer[2]; /* [1] only if old and new values are kept apart */
    uint32_t valid;        /* axes along which the ghosts have the present values */
    /* For ghosts along the boundary between ranks that are not valid: the number of layers next to the places that
     * still have the present values, except their own ghosts along other axes. */
    int32_t valid_depth;
} mass_array;

typedef struct mass_partition {
    mass_layout layout;
    mass_array *arrays; /* [array_count of the model]; those of other spaces are empty */
} mass_partition;

/* An array of a population's agents, of all worlds and partitions together, in canonical order. The agents of a
 * partition are a range in each world (mass_agents in the SDK's launch.h). */
typedef struct mass_agent_buffers {
    mass_buffer buffer[2]; /* [room] */
    mass_buffer child;     /* [children][room], if callbacks give children values; else none */
    uint8_t *initial;      /* host: the element of children and sprouts that get no value */
    mass_buffer sprout;    /* [sprouts][worlds * places], if callbacks give sprouts values; else none. An element that
                              no callback has set is `initial` */
    mass_buffer before;    /* values from before a phase (population/nearby.h), or none */
    mass_buffer added;     /* what a phase adds to other agents, or none */
    mass_buffer of_all;    /* values of all ranks' agents, if phases name any of them (population/anybody.h), or none */
    mass_buffer sums;      /* what this rank adds to all ranks' agents in a phase, or none */
} mass_agent_buffers;

typedef struct mass_population_state {
    const struct mass_table *table; /* borrowed: the agents at the start; NULL: the population's rule places them */
    struct mass_table *own_table;   /* `table`, if it is this rank's part of the given one, or of load; else NULL;
                                       owned */
    bool populated;
    bool window; /* agents that a rank plays in a phase in turn (population/turn_ranks.h): they make no requests, and no
                    other phase names them */
    uint8_t current; /* the buffer that holds the present values */
    bool sorts_always; /* an agent died or was born in a manage that was to leave any order: all leave SORTED now */
    uint32_t room;   /* agents that the buffers have room for */
    int64_t places;  /* places of the space, in one world, that this rank holds; cells number these */
    int64_t *first_place; /* [ranks + 1] the first place that each rank holds; NULL: all ranks hold all. Owned */
    uint32_t most;   /* agents of the largest world at the start */
    /* If a step begins with at most `safe_count` agents, the device has memory for all births of that step and the
     * next. Function mass_population_check_room sets it. Function mass_population_guard_memory stops replays before a
     * step that begins with more. UINT32_MAX: any number is safe. */
    uint32_t safe_count;
    mass_buffer count, start; /* uint32_t[1], [worlds * places + 1] */
    mass_buffer occupancy; /* occupancy bitmap, mass_seats[worlds * places / 32 + 1]; then start has only the starts of
                          worlds. None: start has all */
    mass_buffer safe_count_on_device; /* uint32_t[1] the same, read by the guard */
    mass_buffer cell[2], move, asked, child_cell; /* uint32_t, see manage.h */
    mass_buffer sprout_asked;  /* uint32_t[worlds * places], see mass_sprouts in launch.h; none: there are no sprouts */
    mass_buffer sprout_before; /* uint32_t[worlds * places + 1], memory of population/sprout.c */
    mass_buffer sprout_ids;    /* uint64_t[worlds] the same; none: all ranks hold all */
    mass_buffer remote_move, remote_child; /* int64_t, see manage.h; none: all ranks hold all */
    struct mass_decision *decision; /* memory of manages over ranks, or NULL; owned */
    struct mass_manage_messages *messages;   /* the same, if devices decide */
    struct mass_turn_memory *turn; /* memory of phases in turn (population/in_turn.h), or NULL; owned */
    mass_buffer world_starts; /* uint32_t[worlds + 1] agents of all ranks before each world; none: all ranks hold all */
    /* Uint32_t[worlds][2][crowd_places] agents of other ranks next to this rank's places, ... */
    mass_buffer place_counts;
    int64_t crowd_places;  /* ... as far as callbacks read (launch.h) */
    mass_agent_buffers *arrays; /* [array_count of the population] */
    /* For callbacks that name any agents, or free places (population/anybody.h). None: no callback does. */
    mass_buffer slots;   /* uint32_t[last_slot + 1] agents by their ids (mass_everybody) */
    uint32_t last_slot;
    mass_buffer full;    /* mass_seats, as in mass_launch.full; none: `occupancy` has them */
    mass_buffer moved;   /* uint32_t[worlds] as in mass_everybody */
    uint32_t room_of_all; /* agents of all ranks that arrays have room for, if ranks split the space */
} mass_population_state;

struct mass_part_order;

typedef struct mass_domain {
    const mass_model *model; /* borrowed */
    mass_device *device;     /* borrowed */
    mass_share share;        /* what this rank holds of the run. All else here is only this rank's part: */
    int32_t partition_count, worlds, first_world; /* first_world: number of its first world in the run, for random
                                                     numbers */
    mass_partition *partitions[MASS_SPACES_MAX]; /* [partition_count] of each space */
    mass_population_state populations[MASS_POPULATIONS_MAX];
    mass_buffer gates;  /* uint32_t[phases][worlds], of conditional phases; then those of `closed` if births need them.
                           None: neither exists */
    mass_buffer closed; /* uint32_t[worlds], gates that a replay closes when it stops (device/recordings.h); part of
                           `gates` or of the stop condition. None: no step can stop */
    uint64_t changes; /* raised when recordings become invalid, as when a population's arrays have moved, the host wrote
                         places, or the stop condition is another one */
    uint64_t seed;
    uint8_t *current; /* [array_count] the buffer that holds the present values */
    mass_buffer constants;  /* memory that does not change in a run: */
    mass_buffer random_keys; /* uint64_t[worlds], part of `constants` */
    mass_buffer parameters; /* uint64_t[parameters][worlds], part of `constants` */
    mass_buffer counters;   /* memory that changes: */
    mass_buffer clock;      /* uint64_t, part of `counters`: replayed launches add it to their step */
    mass_buffer history;    /* rows of tallies, part of `counters`: of consecutive steps, the last step last */
    int32_t rows;           /* number of rows, at least one */
    mass_buffer tallies;    /* int64_t[tallies][worlds][words], the last row */
    mass_buffer totals;     /* int64_t[tallies][worlds of the run][words]: tallies over all ranks, as steps read them;
                               none: there is one rank */
    mass_buffer settled;    /* uint64_t[tallies][worlds]: values of tallies, as bodies read them; none: no body does */
    mass_keys **key_counts; /* [tallies] of the device; NULL: the tally does not count by key */
    mass_buffer zeros;  /* a row of zeros, from which ghosts are cleared before callbacks add to places. None: no
                           callback adds to places, or the space is not divided */
    mass_buffer diagnostics; /* mass_diagnostics[phases], then one for each population, for requests that were
                                ignored */
    struct mass_halos *halos; /* halos that were made so far (halo/halo.h); NULL: none */
    struct mass_band **bands; /* [phases][populations] copies of agents next to the boundary (population/nearby.h), or
                                 NULL */
    struct mass_halo_rooms *halo_rooms; /* memory for their messages (halo/exchange.h), or NULL */
    struct mass_chunks *chunks; /* the chunk-wise reader or writer (chunks.h); NULL: none */
    /* Writes this rank's part of a checkpoint (chunks.h); NULL: it cannot. */
    mass_status (*write_part)(struct mass_domain *, const struct mass_part_order *, uint64_t *table, mass_error *error);
    int32_t edges;          /* while an exchange runs in parallel to other work (device/side.h): layers at each boundary
                               that the launch must do last, after it joins; 0: none */
    const int64_t *live; /* [partition_count] for a stream: places of the first space that have an item of the chunk;
                            phases run only over these. NULL: over all. Borrowed */
    struct mass_until *until; /* the stop condition; NULL: none */
    struct mass_domain_edges *networks; /* edges and copies of linked nodes (state/edges.h), or NULL; owned */
    struct mass_turn_stage *turn; /* what phases in turn share (population/turn_stage.h), or NULL; owned */
} mass_domain;

/* Returns the number of `diagnostics`. */
static inline size_t mass_domain_diagnostic_count(const mass_domain *d)
{
    return (size_t)d->model->phase_count + d->model->population_count;
}

/* Makes one element of an array with its default; the caller frees it. For an interleaved attribute it is its
 * component's default, `length` times. */
mass_status mass_array_initial(const mass_model *m, uint32_t array, uint8_t **out, mass_error *error);

/* Return the buffer from the element of place (0, 0, 0) of world 0 on, with the present values or, if `next`, for the
 * next ones; and its address, for kernels. An array with one buffer has no next values. */
mass_buffer mass_array_from(const mass_domain *d, const mass_partition *p, uint32_t array, bool next);
void *mass_array_at(const mass_domain *d, const mass_partition *p, uint32_t array, bool next);

#endif
