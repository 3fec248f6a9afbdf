/* SPDX-License-Identifier: Apache-2.0 */
/* What a device does for the engine: memory, copies, callbacks. One table of operations a backend;
 * cpu and paranoid are linked in, cuda is a module of its own that is loaded when it is asked for.
 * All calls come from the engine's main thread. Work on a device runs in the order in which it was
 * given; operations marked "queued" may return before it is done. */
#ifndef MASS_ENGINE_DEVICE_H
#define MASS_ENGINE_DEVICE_H

#include "core/error.h"
#include "core/keys.h"
#include "blocks.h"
#include "gate.h"
#include "until.h"
#include "manage.h"
#include "strided.h"

#include <mass/callback.h>
#include <mass/world.h>
#include <stdbool.h>

enum { MASS_BLOCKS_AT_ONCE = 1 << 16 }; /* that a device hashes in a call */

typedef struct mass_device mass_device;
typedef struct mass_prepared mass_prepared;   /* a callback made ready for one device */
typedef struct mass_keys mass_keys;           /* counts by key of one tally, in all worlds */
typedef struct mass_recording mass_recording; /* launches that can be replayed */

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
} mass_work;

typedef struct mass_device_table {
    uint32_t struct_size;
    /* Opens device `ordinal` of the backend, for `threads` CPU threads at most (0: all). */
    mass_status (*open)(int ordinal, int threads, mass_device **out, mass_error *error);
    void (*close)(mass_device *);
    const char *(*name)(mass_device *); /* "cpu", "cuda:0" */
    mass_status (*free_memory)(mass_device *, size_t *bytes, mass_error *error);
    /* At least 256-byte aligned. Contents undefined. */
    mass_status (*allocate)(mass_device *, size_t bytes, void **out, mass_error *error);
    void (*release)(mass_device *, void *); /* NULL is fine */
    /* Host to device and back; blocking. */
    mass_status (*upload)(mass_device *, void *to, const void *host, size_t bytes, mass_error *error);
    mass_status (*download)(mass_device *, void *host, const void *from, size_t bytes, mass_error *error);
    mass_status (*upload_box)(mass_device *, const mass_strided *copy, mass_error *error);   /* from: host */
    mass_status (*download_box)(mass_device *, const mass_strided *copy, mass_error *error); /* to: host */
    /* On the device; queued. */
    mass_status (*fill)(mass_device *, void *to, const void *element, size_t size, size_t count, mass_error *error);
    mass_status (*copy)(mass_device *, const mass_strided *copy, mass_error *error);
    /* To each integer of the target adds that of the source, modulo 2^(8 * size); size is 4 or 8. */
    mass_status (*add)(mass_device *, const mass_strided *box, size_t size, mass_error *error);
    /* hashes[i] = the hash of block first + i (blocks.h), at most MASS_BLOCKS_AT_ONCE of them. hashes, b->parts and
     * b->arrays are the host's, and what the arrays point at the device's. Waits. */
    mass_status (*hash_blocks)(mass_device *, const mass_blocks *b, int64_t first, int64_t count, uint64_t *hashes,
                               mass_error *error);
    /* Makes a callback ready; device_code is the plugin's fatbin or NULL, or own_code. Freed by close. */
    mass_status (*prepare)(mass_device *, const mass_callback *callback, const void *device_code,
                           mass_prepared **out, mass_error *error);
    mass_status (*launch)(mass_device *, const mass_work *work, mass_error *error); /* queued, unless it counts keys */
    mass_status (*synchronise)(mass_device *, mass_error *error);
    /* Optional, all or none. Between record and recorded, queued work is kept instead of done; replay
     * queues it again. `clock` is a device counter that replay raises by `steps` after each time. */
    mass_status (*record)(mass_device *, mass_error *error);
    mass_status (*recorded)(mass_device *, uint64_t *clock, uint64_t steps, mass_recording **out, mass_error *error);
    mass_status (*replay)(mass_device *, mass_recording *, mass_error *error);
    void (*discard)(mass_device *, mass_recording *);
    /* Optional: waits until all but the `ahead` last replays are done. */
    mass_status (*keep_up)(mass_device *, int ahead, mass_error *error);
    /* Steps that are replayed and may stop; optional, with record. Where a recorded manage would bring forth more
     * agents than it has room for, guard finds more than its limit, or a recorded look that its condition holds, the
     * replay stops: what it has not done yet and what was queued behind it does nothing, a launch by its gates, but
     * for copies, which may be repeated. take_stop tells of that, after it waited for all replays (wait) or only if it
     * is known already, and ends it; the gates stay closed. */
    mass_status (*guard)(mass_device *, const mass_guard_work *work, mass_error *error); /* queued */
    mass_status (*take_stop)(mass_device *, bool wait, mass_stop *stop, mass_error *error);
    /* Populations. Optional, all or none. manage tells how many agents there would be; where that is over
     * the room that it was given, nothing was done. While it is recorded it tells 0. */
    mass_status (*manage)(mass_device *, const mass_manage_work *work, uint64_t *agents, mass_error *error);
    mass_status (*drop)(mass_device *, const mass_drop_work *work, mass_error *error); /* queued */
    mass_status (*gate)(mass_device *, const mass_gate_work *work, mass_error *error); /* queued */
    /* tally[w] = agents of world w; queued. */
    mass_status (*census)(mass_device *, const uint32_t *start, int64_t places, int32_t worlds, int64_t *tally,
                          mass_error *error);
    /* Looks at a stop condition after a step (until.h); queued. */
    mass_status (*look)(mass_device *, const mass_until_work *work, mass_error *error);
    /* Steps of small worlds (the SDK's world.h). Optional, all or none. Bytes of a processor's memory; the number
     * of a callback among those of the plugin's MASS_WORLD_STEPS, or -1; and the steps, queued, and waited for
     * by keep_up as a replay is. */
    size_t (*world_memory)(mass_device *);
    int (*world_callback)(mass_device *, const char *name);
    mass_status (*world_steps)(mass_device *, const mass_world_program *program, uint64_t step, uint64_t pairs,
                               mass_error *error);
    /* Counts by key: launches add to what memory->keys of their KEYS field names, and are waited for. A new one is
     * empty; read makes a list of a world's keys, of which write makes the world's keys. */
    mass_status (*keys_create)(mass_device *, bool texts, int32_t worlds, mass_keys **out, mass_error *error);
    void (*keys_free)(mass_device *, mass_keys *); /* NULL is fine */
    mass_status (*keys_clear)(mass_device *, mass_keys *, mass_error *error);
    mass_status (*keys_read)(mass_device *, mass_keys *, int32_t world, mass_key_list *out, mass_error *error);
    mass_status (*keys_write)(mass_device *, mass_keys *, int32_t world, const mass_key_list *list, mass_error *error);
    /* Input that arrives while other input is worked on, in two slots. Optional, all or none: without, it is read
     * straight into the device's memory. stage allocates memory of the host that sends fast. send is queued; it
     * begins once what was queued before the last `consumed` of its slot is done, and what is queued after it finds the
     * data. sent waits until the slot's sends are done. */
    mass_status (*stage)(mass_device *, size_t bytes, void **out, mass_error *error);
    void (*unstage)(mass_device *, void *);
    mass_status (*send)(mass_device *, int slot, void *to, const void *staged, size_t bytes, mass_error *error);
    mass_status (*sent)(mass_device *, int slot, mass_error *error);
    mass_status (*consumed)(mass_device *, int slot, mass_error *error);
    const void *own_code; /* device code of the engine's own callbacks (reduce.h); NULL where it needs none */
    bool in_host_memory; /* free_memory is of the memory that snapshots take too */
    uint32_t pushed_axes; /* those along which launches write ghosts, where launch->push has them */
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
