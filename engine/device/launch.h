/* SPDX-License-Identifier: Apache-2.0 */
/* The device's part for callbacks: making them ready, launching them, and waiting until all is done. Failures and
 * order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_LAUNCH_H
#define MASS_ENGINE_DEVICE_LAUNCH_H

#include "base/error.h"

#include <mass/callback.h>
#include <stdbool.h>

typedef struct mass_device mass_device;
typedef struct mass_prepared mass_prepared; /* a callback made ready for one device */
typedef struct mass_world_rules mass_world_rules; /* see rule/rule.h */
typedef struct mass_keys mass_keys;         /* see key_counts.h */

/* Memory that a field's array lies in, for devices that check what a callback touches. */
typedef struct mass_field_memory {
    void *start;
    size_t bytes, element_size;
    const struct mass_attribute_def *attribute; /* that its elements belong to, or NULL */
    uint32_t words, method; /* of a tally: accumulators a world; how its bins are counted */
    mass_keys *keys;        /* of a tally of keys; else NULL */
} mass_field_memory;

/* One callback over one partition. */
typedef struct mass_work {
    const mass_prepared *prepared;
    const mass_launch *launch;       /* its pointers are addresses on the device */
    void *const *fields;             /* [field_count] addresses on the device */
    const mass_field_memory *memory; /* [field_count]; of parameters and tallies without a start */
    bool tallies;                    /* whether contributions count */
    uint64_t step;                   /* for messages; launch->step may be relative to a clock */
    /* How many steps the launch advances at once, a power of two, 0 meaning 1, from launch->step on; more than one as
     * mass_launch_operations.steps allows. It reads the present values, ghosts of which are right steps * reach deep
     * along every axis, and writes those after the last of the steps over launch->extent. Beyond a bounded edge all
     * steps find the defaults. Nothing else is observable but contributions that count: those of the last step go to
     * its tallies, and those of the step before to accumulators that lie `row` int64_t before them, and so on. Such a
     * launch writes no ghosts: its launch->push is 0. */
    int32_t steps;
    int64_t row;
} mass_work;

enum { MASS_FORM_TEXT = 160 };

typedef struct mass_launch_operations {
    uint32_t struct_size;
    uint32_t pushed_axes; /* those along which launches write ghosts, where launch->push has them */
    bool pushes_bits;     /* ... of attributes of bits too */
    int64_t rule_places;  /* where rules differ between worlds, launches are worth it if worlds that follow one another
                             and the same rule have so many places, on average; 0: always */
    const void *own_code; /* device code of the engine's own callbacks (reduce.h); NULL where it needs none */
    /* Makes a callback ready; device_code is the plugin's fatbin or NULL, or own_code. The callback and the code have
     * to live until the device is closed, which frees *out. MASS_BAD_PLUGIN where none of the callback's forms runs
     * here. On failure *out is untouched. */
    mass_status (*prepare)(mass_device *, const mass_callback *callback, const void *device_code,
                           mass_prepared **out, mass_error *error);
    /* Optional: has launches of `prepared` follow these rules, which are what its callback does in the worlds of each
     * launch, from now on, wherever that comes to the same; its forms run elsewhere. The rules have to live until the
     * last of them. *follows is false, and nothing has changed, where one of them is more than the device can follow.
     * At most once. */
    mass_status (*follow)(mass_device *, mass_prepared *prepared, const mass_world_rules *rules, bool *follows,
                          mass_error *error);
    /* Runs the callback over the partition. Queued, unless it counts by key. Where counting by key fails, with
     * MASS_NO_DEVICE for lack of memory or MASS_BAD_PLUGIN for a text that is none of its input's, what the callback
     * writes is undefined, and so are its tallies. A device that checks callbacks returns MASS_BAD_PLUGIN if this one
     * broke its promises, and has then written nothing. A CPU returns it if the callback changed how floats are
     * rounded; what it writes is undefined then, too. */
    mass_status (*launch)(mass_device *, const mass_work *work, mass_error *error);
    /* Optional: the most steps that one such launch takes at once (mass_work.steps), whose contributions count if
     * `tallies`; 1: one after the other. It may look at anything in *launch but step and gates; ghosts may still be as
     * thin as one step needs. NULL: 1. */
    int32_t (*steps)(mass_device *, const mass_prepared *, const mass_launch *launch, bool tallies);
    /* Optional: the axes along which a launch reads the places themselves instead of the ghosts that show them; all of
     * these places are the launch's. It may look at anything in *work but step and the launch's step and gates. NULL:
     * none. */
    uint32_t (*around)(mass_device *, const mass_work *work);
    /* The form of its callback that launch would choose, for people: "avx2", "life_step_4x8, 4x8 places a thread". */
    void (*form)(mass_device *, const mass_work *work, char text[MASS_FORM_TEXT]);
    /* Waits until all that was queued is done. */
    mass_status (*synchronise)(mass_device *, mass_error *error);
} mass_launch_operations;

#endif
