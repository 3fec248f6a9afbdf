/* SPDX-License-Identifier: Apache-2.0 */
/* A model with two populations for the tests of checkpoints, and states of it that a run may leave. */
#ifndef MASS_TESTS_CHECKPOINT_CROWD_H
#define MASS_TESTS_CHECKPOINT_CROWD_H

#include "snapshot/snapshot.h"

enum { WASPS, ANTS };

/* Makes a line of 40 and a grid of 60 x 50 places, without agents. */
mass_model spaces_model(void);
/* Makes wasps on the line, any number on a place, and ants on the grid, at most two on a place. They have attributes of
 * all types and layouts. The order of declaration is not that of names. */
mass_model crowd_model(void);

void add_population(mass_model *m, const char *name, const char *space, uint32_t capacity);
void add_agent_attribute(mass_model *m, const char *population, const char *name, uint32_t type, uint32_t length,
                         uint32_t layout);

mass_snapshot crowd_snapshot(const mass_model *m, int32_t worlds, uint64_t wasps, uint64_t ants);

#endif
