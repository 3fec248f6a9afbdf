/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of one model by ranks that are threads, and their results. */
#ifndef MASS_TESTS_RUN_ON_RANKS_H
#define MASS_TESTS_RUN_ON_RANKS_H

#include "plugin/host.h"
#include "population/table.h"
#include "snapshot/snapshot.h"
#include "state/domain.h"

enum { SETTINGS_MAX = 6 };

/* A run. Its model is a plugin's, or made by a function. The first state is the plugin's, or that of `fill`, which rank
 * 0 calls. */
typedef struct trial {
    const char *plugin; /* its name; NULL: make and fill */
    mass_setting settings[SETTINGS_MAX]; /* ended by one without a name */
    void (*make)(mass_model *m, const void *context, mass_error *error);
    void (*fill)(mass_domain *d, const void *context, mass_error *error);
    const void *context;
    mass_gidx size[3];
    uint32_t dimensions;
    int32_t worlds, first_world, partitions; /* 0 worlds or partitions: 1 */
    uint64_t steps;
    const char *until;
    bool paranoid, every; /* the device; tallies count in every step */
    uint64_t stop_at; /* watch->stop requests the end at this step or a later one; 0: never */
    const mass_table *table; /* agents of population 0 */
    int32_t fuse, tries; /* steps in a pass: a fixed number, or tuned by the ranks; 0: one */
    mass_status (*launch)(mass_device *, const mass_work *, mass_error *); /* replaces the CPU's launch, if not NULL */
    /* How ranks write parts of checkpoints, and work of rank 0 at the end. NULL: nothing. */
    mass_status (*write_part)(mass_domain *d, const struct mass_part_order *order, uint64_t *table, mass_error *error);
    mass_status (*finish)(mass_domain *d, mass_error *error);
    uint64_t uneven;    /* seed of random shares of the ranks; 0: equal shares */
    uint64_t rebalance; /* steps between repartitions; 0: never */
    bool pretended;     /* ranks pretend to have worked for random times, so that repartitions occur */
} trial;

enum { RANKS_MOST = 16 };

typedef struct outcome {
    mass_error error;
    mass_model *model;    /* owned */
    mass_snapshot state;  /* of model; owned */
    char hash[33];        /* as the ranks' devices compute it */
    uint64_t step, repartitions;
    mass_gidx rows[RANKS_MOST]; /* of the first space, at the end */
    bool held;
} outcome;

/* Runs the trial. It continues from the state and step of `from`, unless NULL, and does not free it. */
outcome run_on_ranks(const trial *t, int32_t ranks, const outcome *from);
void free_outcome(outcome *o);

/* Expects that both succeeded, with the same state, tallies and keys at the same step. what: for messages. */
void expect_same_outcome(const outcome *expected, const outcome *found, const char *what);

/* Expects that runs on one rank and on several have the same result, whatever the partitions. A run that continues on
 * other ranks must have it too. */
void expect_same_on_ranks(const trial *t, const int32_t *ranks, size_t count);

#endif
