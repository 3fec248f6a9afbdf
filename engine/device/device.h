/* SPDX-License-Identifier: Apache-2.0 */
/* What a device does for the engine, in parts: a small table of operations each, which a backend fills in. cpu and
 * paranoid are linked in; cuda is a module of its own that is loaded when it is asked for.
 *
 * All calls come from the engine's main thread. Work on a device runs in the order in which it was given; operations
 * marked "queued" may return before it is done. */
#ifndef MASS_ENGINE_DEVICE_H
#define MASS_ENGINE_DEVICE_H

#include "core/error.h"
#include "device/agents.h"
#include "device/conditions.h"
#include "device/keys.h"
#include "device/launch.h"
#include "device/memory.h"
#include "device/record.h"
#include "device/small_worlds.h"
#include "device/streams.h"

#include <stdbool.h>

/* A part that is marked optional is NULL where a device does not have it. Each part says how large it is, so that a
 * module of another build is told from one of this. */
typedef struct mass_device_table {
    uint32_t struct_size;
    /* Opens device `ordinal` of the backend, for `threads` CPU threads at most (0: all). On failure *out is
     * untouched. */
    mass_status (*open)(int ordinal, int threads, mass_device **out, mass_error *error);
    void (*close)(mass_device *); /* waits for what is queued, and frees what prepare made */
    const char *(*name)(mass_device *); /* "cpu", "cuda:0"; the device's */
    const mass_memory_operations *memory;
    const mass_launch_operations *launch;
    const mass_condition_operations *conditions;
    const mass_keys_operations *keys;
    const mass_agents_operations *agents;            /* optional */
    const mass_record_operations *record;            /* optional */
    const mass_small_world_operations *small_worlds; /* optional, with record */
    const mass_stream_operations *streams;           /* optional */
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

/* Opens what --device names: auto, cpu, paranoid, cuda, cuda:N. auto takes a GPU where one works
 * and the plugin has device code, and the CPU otherwise, silently. */
mass_status mass_device_open(const char *spec, int threads, bool has_device_code, mass_device **out,
                             mass_error *error);
void mass_device_close(mass_device *); /* NULL is fine */

#endif
