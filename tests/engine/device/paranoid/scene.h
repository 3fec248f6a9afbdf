/* SPDX-License-Identifier: Apache-2.0 */
/* One launch of a callback on a partition of its own, by the paranoid device or another. Tests check the exact message
 * of a refusal, and the result. */
#ifndef MASS_TESTS_PARANOID_SCENE_H
#define MASS_TESTS_PARANOID_SCENE_H

#include "device/device.h"

#include <mass/callback.h>

enum { SCENE_WORLDS_MAX = 3, SCENE_FIELDS_MAX = 16 };

/* A launch and the memory of its fields. */
typedef struct scene {
    mass_launch launch;
    int64_t first, elements;
    uint64_t keys[SCENE_WORLDS_MAX], clock;
    uint32_t gates[SCENE_WORLDS_MAX];
    const mass_callback *callback;
    mass_field_memory memory[SCENE_FIELDS_MAX];
    void *fields[SCENE_FIELDS_MAX];
    size_t bytes[SCENE_FIELDS_MAX]; /* size of a field's whole memory */
} scene;

/* A partition whose first place is (10, 20, 30) of a larger torus, and worlds from 5 on. There is padding
 * between and before its ghosts. */
scene make_ghosted(const mass_callback *callback, int nx, int ny, int nz, int worlds, int ghosts);
/* The same with ghosts 2 deep. */
scene make_scene(const mass_callback *callback, int nx, int ny, int nz, int worlds);
void free_scene(scene *s);
void close_second_world(scene *s);

/* Returns the whole memory of field i, ghosts and padding included. */
void *memory_of(const scene *s, uint32_t i);

mass_status run_scene(scene *s, const mass_device_table *table, bool tallies, mass_error *error);

/* Expects that the paranoid device refuses the launch and changes nothing. The sentence follows the callback's name. */
void expect_refusal(scene *s, bool tallies, const char *sentence);
/* The same with extents that make rows, planes and worlds distinguishable. */
void expect_sentence(const mass_callback *callback, bool tallies, const char *sentence);
void expect_refusal_with_closed_world(const mass_callback *callback, const char *sentence);

/* Expects that both devices produce the same bytes everywhere. `change`, if not NULL, changes the scenes first. */
void expect_as_cpu(const mass_callback *callback, int nx, int ny, int nz, int worlds, bool tallies,
                   void (*change)(scene *));

#endif
