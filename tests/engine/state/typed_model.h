/* SPDX-License-Identifier: Apache-2.0 */
/* A model with every type, in planes and interleaved, on two spaces; and its domains. */
#ifndef MASS_TESTS_TYPED_MODEL_H
#define MASS_TESTS_TYPED_MODEL_H

#include "snapshot/snapshot.h"
#include "state/domain.h"

extern const uint8_t defaults[8]; /* of every attribute, repeated */
static const mass_gidx zero[3] = {0, 0, 0};

/* Space 0 has these extents. The last attribute belongs to the other space. */
mass_model *make_model(uint32_t dimensions, const mass_gidx size[3]);
void free_model(mass_model *m);

/* Opens a device with two threads. The table is that of a CPU, or one that calls it. */
mass_device *open_device(const mass_device_table *table);
/* Makes a domain of worlds from 3 on, with seed 42. */
mass_domain *make_domain(const mass_model *m, mass_device *device, int32_t partitions, int32_t worlds);

/* Sets the values of an attribute to noise, seeded with its number. */
void scramble_attribute(mass_snapshot *s, uint32_t attribute);
void scramble(void *memory, size_t bytes, uint64_t seed);

#endif
