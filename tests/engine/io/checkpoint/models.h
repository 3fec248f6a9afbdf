/* SPDX-License-Identifier: Apache-2.0 */
/* Models for the tests of checkpoints, and states with unusual values. The caller frees both. */
#ifndef MASS_TESTS_CHECKPOINT_MODELS_H
#define MASS_TESTS_CHECKPOINT_MODELS_H

#include "snapshot/snapshot.h"

#include <stdbool.h>

/* Parameters of all types, and no space. */
mass_model empty_model(void);
/* One attribute 'health', of a grid of 12 x 5. The tests of damage change its checkpoint byte by byte. */
mass_model small_model(void);
/* The same with counts by number and by text. */
mass_model small_keys_model(void);
/* The same with three worlds that differ in a parameter of each kind, and in a constant. */
mass_model small_swept_model(void);
/* The same with two populations, one of which died out. */
mass_model small_crowd_model(void);
/* Every type, dimension, length and tally; one attribute of many chunks. */
mass_model full_model(void);

void add_space(mass_model *m, const char *name, uint32_t dimensions, int64_t x, int64_t y, int64_t z);
void add_attribute(mass_model *m, const char *space, const char *name, uint32_t type, uint32_t length);
void add_tally(mass_model *m, const char *name, uint32_t access, uint32_t kind, uint32_t bits);

/* Returns the number of worlds in the model's sweep; 1 without one. */
int32_t worlds_of(const mass_model *m);

/* The first population, if there is one, has ten agents, and others have none. */
mass_snapshot snapshot_of(const mass_model *m, int32_t worlds);
/* Has bytes of all kinds, also of NaNs and infinities. */
mass_snapshot filled(const mass_model *m, int32_t worlds, uint64_t step);

/* Returns true if the state of a checkpoint is that of s, bit for bit. */
bool holds(const char *path, const mass_snapshot *s);

#endif
