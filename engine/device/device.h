/* SPDX-License-Identifier: Apache-2.0 */
/* What a device does for the engine, in parts: a small table of operations each, which a backend fills in. cpu and
 * paranoid are linked in; cuda is a module of its own that is loaded when it is asked for.
 *
 * All calls come from the engine's main thread. Work on a device runs in the order in which it was given. An operation
 * marked "queued" may return before its work is done, but has then read all that it needs of the host's memory. Any
 * other returns when its work is done; if that concerns the device's memory, it first waits for all that was queued.
 * Sizes are in bytes, and the first step is step 1. What is passed to an operation stays the caller's.
 *
 * What a failed operation returns says what is true afterwards:
 *   MASS_NO_DEVICE   It has too little memory, or lacks what is asked for. Nothing was queued or written.
 *   MASS_BAD_USAGE, MASS_BAD_PLUGIN   The request itself cannot be carried out. Nothing was queued or written.
 *   MASS_FAILED      The device is broken, by this operation or by one that was queued before it and is heard of only
 *                    now. All memory of the device is undefined from then on, and so is what was to be written to the
 *                    host; only what frees something may still be called, and close.
 * Where an operation departs from this, it says so. */
#ifndef MASS_ENGINE_DEVICE_H
#define MASS_ENGINE_DEVICE_H

#include "comm/link.h"
#include "base/error.h"
#include "device/agents.h"
#include "device/conditions.h"
#include "device/key_counts.h"
#include "device/launch.h"
#include "device/memory.h"
#include "device/pictures.h"
#include "device/recordings.h"
#include "device/side.h"
#include "device/small_worlds.h"
#include "device/input.h"

#include <stdbool.h>

enum { MASS_DEVICE_KIND = 300 };

/* A part that is marked optional is NULL where a device does not have it. Each part says how large it is, so that a
 * module of another build is told from one of this. */
typedef struct mass_device_table {
    uint32_t struct_size;
    /* Opens device `ordinal` of the backend, for `threads` CPU threads at most (0: all). An ordinal below 0 is that of
     * a rank that takes turns: -1 - r is device r, modulo how many there are. On failure *out is untouched. */
    mass_status (*open)(int ordinal, int threads, mass_device **out, mass_error *error);
    /* Waits for what is queued, and frees what prepare made. All else that the device gave has been given back. */
    void (*close)(mass_device *);
    const char *(*name)(mass_device *); /* "cpu", "cuda:0"; the device's */
    /* What devices that are as fast as each other have in common: "NVIDIA H100 80GB HBM3". */
    void (*kind)(mass_device *, char kind[MASS_DEVICE_KIND]);
    const mass_memory_operations *memory;
    const mass_launch_operations *launch;
    const mass_condition_operations *conditions;
    const mass_keys_operations *keys;
    const mass_agents_operations *agents;            /* optional */
    const mass_record_operations *record;            /* optional */
    const mass_small_world_operations *small_worlds; /* optional, with record */
    const mass_stream_operations *streams;           /* optional */
    const mass_side_operations *side;                /* optional */
    const mass_picture_operations *pictures;         /* optional */
    const mass_link_table *links;                    /* optional */
} mass_device_table;

/* Every backend's struct starts with this. */
struct mass_device {
    const mass_device_table *table;
};

extern const mass_device_table mass_cpu_table, mass_paranoid_table;

/* The symbol, of this type, that a backend module exports, and the module's file name. */
#define MASS_BACKEND_SYMBOL "mass_backend"
typedef const mass_device_table *mass_backend_symbol;

/* Whether the module for CUDA was built with this program. */
bool mass_device_has_cuda(void);

/* This process is rank `local_rank` of `local_size` on its host: cuda and auto, without a number, take its turn of the
 * GPUs from here on, and cuda:N,M of those. Main thread. */
void mass_device_take_turns(int local_rank, int local_size);
/* How many GPUs what --device names lists by their numbers; NULL is fine. */
int mass_device_listed(const char *spec);

/* Opens what --device names: auto, cpu, paranoid, cuda, cuda:N, or cuda:N,M for ranks. auto takes a GPU where one works
 * and the plugin has device code, and the CPU otherwise, silently. */
mass_status mass_device_open(const char *spec, int threads, bool has_device_code, mass_device **out,
                             mass_error *error);
void mass_device_close(mass_device *); /* NULL is fine */

/* Links a rank's device with those of the others (mass_link_open). */
static inline mass_status mass_device_link(mass_device *device, mass_comm *comm, double limit, mass_link **out,
                                           bool *odd, mass_error *error)
{
    return mass_link_open(device, device->table->links, comm, limit, out, odd, error);
}

#endif
