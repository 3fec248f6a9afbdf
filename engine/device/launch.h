/* SPDX-License-Identifier: Apache-2.0 */
/* The device's operations for callbacks: it prepares and launches them, and waits until all work is done. Failures and
 * order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_LAUNCH_H
#define MASS_ENGINE_DEVICE_LAUNCH_H

#include "base/error.h"

#include <mass/callback.h>
#include <stdbool.h>

typedef struct mass_device mass_device;
typedef struct mass_prepared mass_prepared; /* a callback prepared for one device */
typedef struct mass_world_rules mass_world_rules; /* see rule/rule.h */
typedef struct mass_keys mass_keys;         /* see key_counts.h */

/* Memory that holds a field's array, for devices that check what a callback accesses. */
typedef struct mass_field_memory {
    void *start;
    size_t bytes, element_size;
    const struct mass_attribute_def *attribute; /* of its elements, or NULL */
    uint32_t words, method; /* of a tally: accumulators of a world; how its bins are counted */
    bool doubles;           /* of a world attribute: the words are doubles */
    mass_keys *keys;        /* of a tally of keys; else NULL */
} mass_field_memory;

/* One callback over one partition. */
typedef struct mass_work {
    const mass_prepared *prepared;
    const mass_launch *launch;       /* its pointers are addresses on the device */
    void *const *fields;             /* [field_count] addresses on the device */
    const mass_field_memory *memory; /* [field_count]; for parameters and tallies without a start */
    bool tallies;                    /* contributions to tallies count */
    uint64_t step;                   /* for messages; launch->step may be relative to a clock */
    /* The steps that the launch advances at once from launch->step on: a power of two; 0 means 1. More than 1 only if
     * mass_launch_operations.steps allows it. The launch reads present values, whose ghosts must be valid steps * reach
     * deep along every axis. It writes the values after the last step over launch->extent. Beyond a bounded edge, all
     * steps find the defaults. Contributions that count are also written: those of the last step to its tallies, those
     * of the step before to accumulators `row` int64_t before them, and so on. Such a launch writes no ghosts: its
     * launch->push is 0. */
    int32_t steps;
    int64_t row;
} mass_work;

enum { MASS_FORM_TEXT = 160 };

typedef struct mass_launch_operations {
    uint32_t struct_size;
    uint32_t pushed_axes; /* axes along which launches write ghosts, if launch->push has them */
    bool pushes_bits;     /* they also write ghosts of attributes of bits */
    int64_t rule_places;  /* if rules differ between worlds: places that consecutive worlds with the same rule must have
                             on average for launches by rules to be worthwhile; 0: always worthwhile */
    const void *own_code; /* device code of the engine's own callbacks (reduce.h); NULL if the device needs none */
    /* Prepares a callback. device_code is the plugin's fatbin or NULL, or own_code. The callback and the code must live
     * until the device is closed, which frees *out. Returns MASS_BAD_PLUGIN if no form of the callback runs here. On
     * failure *out is untouched. */
    mass_status (*prepare)(mass_device *, const mass_callback *callback, const void *device_code,
                           mass_prepared **out, mass_error *error);
    /* Optional: lets launches of `prepared` use these rules instead of its forms, where the result is the same. The
     * rules describe the callback in the worlds of each launch, and must live until the last launch. If the device
     * cannot use one of them, sets *follows to false, and nothing has changed. At most once for each `prepared`. */
    mass_status (*follow)(mass_device *, mass_prepared *prepared, const mass_world_rules *rules, bool *follows,
                          mass_error *error);
    /* Runs the callback over the partition. Queued, unless it counts by key. Counting by key fails with MASS_NO_DEVICE
     * for lack of memory, or MASS_BAD_PLUGIN for a text outside its input; then the targets of the callback and its
     * tallies are undefined. A device that checks callbacks returns MASS_BAD_PLUGIN if this one broke its promises, and
     * has then written nothing. A CPU returns it if the callback changed how floats are rounded; then the targets are
     * undefined. */
    mass_status (*launch)(mass_device *, const mass_work *work, mass_error *error);
    /* Optional: returns the most steps that one launch may take at once (mass_work.steps), with contributions that
     * count if `tallies`. 1: one after the other. It reads all of *launch but step and gates; ghosts may still be as
     * thin as one step needs. NULL: 1. */
    int32_t (*steps)(mass_device *, const mass_prepared *, const mass_launch *launch, bool tallies);
    /* Optional: returns the axes along which a launch reads the places themselves instead of their ghosts; all of these
     * places belong to the launch. It reads all of *work but step and the launch's step and gates. NULL: none. */
    uint32_t (*around)(mass_device *, const mass_work *work);
    /* Writes the form of the callback that launch would choose, for people: "avx2", "life_step_4x8, 4x8 places a
     * thread". */
    void (*form)(mass_device *, const mass_work *work, char text[MASS_FORM_TEXT]);
    /* Waits until all queued work is done. */
    mass_status (*synchronise)(mass_device *, mass_error *error);
    /* Optional: launches the callbacks of phases that share a turn. Their agents act in one order: by their keys
     * (impl/turn_keys.h), and if these are equal, in the order of the works. Fails as launch does. */
    mass_status (*together)(mass_device *, const mass_work *works, uint32_t count, mass_error *error);
} mass_launch_operations;

#endif
