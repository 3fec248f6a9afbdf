/* SPDX-License-Identifier: Apache-2.0 */
/* A run of a tiny model: a ring that turns by one place in each step and records the order of calls. A few plain loops
 * compute the expected state. */
#ifndef MASS_TESTS_TURNING_RING_H
#define MASS_TESTS_TURNING_RING_H

#include "run/stepper.h"

enum { PLACES = 23 };

/* Its attributes and tallies. */
enum { TURNING, ORDER, STEPS };
enum { SUM, LEAST, MOST, TOTAL };

typedef struct scene {
    mass_model *model;
    mass_device *device;
    mass_domain *domain;
    mass_stepper *stepper;
} scene;

/* Makes a scene before its start. The recording CPU watches it. */
scene make_scene(const mass_device_table *table, int32_t partitions, int32_t worlds);
void discard(scene *s);

void start(scene *s);
void advance(scene *s, uint64_t last);

/* Checks the attributes after n steps. */
void check_places(scene *s, uint64_t n);
/* Checks the tallies after n steps, of which the last is observed. The values of the places were 100 to 100 + PLACES -
 * 1. */
void check_tallies(scene *s, uint64_t n);

#endif
