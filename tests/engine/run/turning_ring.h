/* SPDX-License-Identifier: Apache-2.0 */
/* A run of a tiny model, a ring that turns by one place a step with traces of who was called when, and what a few plain
 * loops say of it. */
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

/* Before its start; it is also what the recording CPU watches. */
scene make_scene(const mass_device_table *table, int32_t partitions, int32_t worlds);
void discard(scene *s);

void start(scene *s);
void advance(scene *s, uint64_t last);

/* What attributes hold after n steps. */
void check_places(scene *s, uint64_t n);
/* What tallies hold after n steps, of which the last is observed; every place was one of 100 to 100 + PLACES - 1. */
void check_tallies(scene *s, uint64_t n);

#endif
