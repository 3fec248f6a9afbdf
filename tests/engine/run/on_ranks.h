/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of one model by ranks that are threads, and what they come to. */
#ifndef MASS_TESTS_RUN_ON_RANKS_H
#define MASS_TESTS_RUN_ON_RANKS_H

#include "plugin/host.h"
#include "population/table.h"
#include "snapshot/snapshot.h"
#include "state/domain.h"

enum { SETTINGS_MAX = 6 };

/* A run. Its model is a plugin's, or made by a function; the state that it begins with is the plugin's, or that of
 * `fill`, which rank 0 calls. */
typedef struct trial {
    const char *plugin; /* its name; NULL: make and fill */
    mass_setting settings[SETTINGS_MAX]; /* up to one without a name */
    void (*make)(mass_model *m, const void *context, mass_error *error);
    void (*fill)(mass_domain *d, const void *context, mass_error *error);
    const void *context;
    mass_gidx size[3];
    uint32_t dimensions;
    int32_t worlds, first_world, partitions; /* 0 worlds or partitions: 1 */
    uint64_t steps;
    const char *until;
    bool paranoid, every; /* on which device; whether tallies count in every step */
    uint64_t stop_at; /* watch->stop asks for the end at this step or a later one; 0: never */
    const mass_table *table; /* of population 0 */
    int32_t fuse, tries; /* steps at once, as told or as ranks find together; 0: one */
    mass_status (*launch)(mass_device *, const mass_work *, mass_error *); /* instead of the CPU's; NULL: that */
    /* How ranks write parts of checkpoints; and what rank 0 does at the end. NULL: not, and nothing. */
    mass_status (*write_part)(mass_domain *d, const struct mass_part_order *order, uint64_t *table, mass_error *error);
    mass_status (*finish)(mass_domain *d, mass_error *error);
    uint64_t uneven;    /* ranks have random shares, of which this says which; 0: all the same */
    uint64_t rebalance; /* every so many steps slabs may be divided again; 0: never */
    bool pretended;     /* ranks pretend to have worked for random times, so that they are */
} trial;

enum { RANKS_MOST = 16 };

typedef struct outcome {
    mass_error error;
    mass_model *model;    /* owned */
    mass_snapshot state;  /* of model; owned */
    char hash[33];        /* as the ranks' devices have it */
    uint64_t step, repartitions;
    mass_gidx rows[RANKS_MOST]; /* of the first space, at the end */
    bool held;
} outcome;

/* from: what the run goes on from, with its step; or NULL. Frees nothing of it. */
outcome run_on_ranks(const trial *t, int32_t ranks, const outcome *from);
void free_outcome(outcome *o);

/* Both went well, and came to the same state, tallies and keys at the same step. what: for messages. */
void expect_same_outcome(const outcome *expected, const outcome *found, const char *what);

/* The run on one rank is that on some others, whatever the partitions; and so is one that goes on on other ranks. */
void expect_same_on_ranks(const trial *t, const int32_t *ranks, size_t count);

#endif
