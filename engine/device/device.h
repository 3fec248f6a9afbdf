/* SPDX-License-Identifier: Apache-2.0 */
/* A device, as the engine uses it: several small tables of operations, which a backend fills in. The backends cpu and
 * paranoid are linked in. The backend cuda is a module, which is loaded when it is used.
 *
 * All calls come from the engine's main thread. Work on a device runs in the order in which it was given. An operation
 * marked "queued" may return before its work is done, but has then read all that it needs of host memory. Any other
 * operation returns when its work is done; if it uses the device's memory, it first waits for all queued work. Sizes
 * are in bytes, and the first step is step 1. Arguments stay the caller's.
 *
 * The status of a failed operation tells the state afterwards:
 *   MASS_NO_DEVICE   The device has too little memory, or lacks a feature. Nothing was queued or written.
 *   MASS_BAD_USAGE, MASS_BAD_PLUGIN   The request itself is invalid. Nothing was queued or written.
 *   MASS_FAILED      The device is broken, by this operation or by one that was queued before it. All of its memory is
 *                    undefined from then on, and so are targets in host memory. Only operations that free something
 *                    may still be called, and close.
 * An operation that departs from this says so. */
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
#include "device/block_worlds.h"
#include "device/input.h"

#include <stdbool.h>

enum { MASS_DEVICE_KIND = 300 };

/* A part marked optional is NULL if a device does not have it. Each part has its size, so that the engine recognises a
 * module of another build. */
typedef struct mass_device_table {
    uint32_t struct_size;
    /* Opens device `ordinal` of the backend, with at most `threads` CPU threads (0: all). An ordinal below 0 belongs to
     * a rank that takes turns: -1 - r is device r, modulo the number of devices. On failure *out is untouched. */
    mass_status (*open)(int ordinal, int threads, mass_device **out, mass_error *error);
    /* Waits for queued work, and frees what prepare made. The caller must have given back all else that the device
     * returned. */
    void (*close)(mass_device *);
    const char *(*name)(mass_device *); /* "cpu", "cuda:0"; the device owns the text */
    /* Writes a description that equally fast devices share: "NVIDIA H100 80GB HBM3". */
    void (*kind)(mass_device *, char kind[MASS_DEVICE_KIND]);
    const mass_memory_operations *memory;
    const mass_launch_operations *launch;
    const mass_condition_operations *conditions;
    const mass_keys_operations *keys;
    const mass_agents_operations *agents;            /* optional */
    const mass_record_operations *record;            /* optional */
    const mass_block_world_operations *small_worlds; /* optional, with record */
    const mass_stream_operations *streams;           /* optional */
    const mass_side_operations *side;                /* optional */
    const mass_picture_operations *pictures;         /* optional */
    const mass_link_table *links;                    /* optional */
} mass_device_table;

/* Every backend's device struct begins with this. */
struct mass_device {
    const mass_device_table *table;
};

extern const mass_device_table mass_cpu_table, mass_paranoid_table;

/* The symbol that a backend module exports, and its type. */
#define MASS_BACKEND_SYMBOL "mass_backend"
typedef const mass_device_table *mass_backend_symbol;

/* Returns whether the file of the module for CUDA is there. It may still be of another build, or not load. */
bool mass_device_has_cuda(void);

/* Sets that this process is rank `local_rank` of `local_size` on its host. From then on, cuda and auto without a number
 * choose a GPU by this rank, and cuda:N,M chooses one of those. Main thread. */
void mass_device_take_turns(int local_rank, int local_size);
/* Returns the number of GPUs that a value of --device lists by number, or 0 if it lists none or is invalid. NULL is
 * allowed. */
int mass_device_listed(const char *spec);

/* Opens the device that --device names: auto, cpu, paranoid, cuda, cuda:N, or cuda:N,M for ranks. auto takes a GPU if
 * one works and the plugin has device code. Otherwise it takes the CPU, without a message. cuda needs device code.
 * cuda:N,M may name at most as many GPUs as the host has ranks. */
mass_status mass_device_open(const char *spec, int threads, bool has_device_code, mass_device **out,
                             mass_error *error);
void mass_device_close(mass_device *); /* NULL is allowed */

/* Links a rank's device with those of the other ranks (mass_link_open). */
static inline mass_status mass_device_link(mass_device *device, mass_comm *comm, double limit, mass_link **out,
                                           bool *odd, mass_error *error)
{
    return mass_link_open(device, device->table->links, comm, limit, out, odd, error);
}

#endif
