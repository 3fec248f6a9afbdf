/* SPDX-License-Identifier: Apache-2.0 */
/* The device's operations for recordings: steps are recorded once and replayed many times without the host. Replays
 * stop by themselves if the host is needed. Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_RECORDINGS_H
#define MASS_ENGINE_DEVICE_RECORDINGS_H

#include "base/error.h"
#include "manage.h"

#include <stdbool.h>

typedef struct mass_device mass_device;
typedef struct mass_recording mass_recording; /* queued work that can be replayed */

typedef struct mass_record_operations {
    uint32_t struct_size;
    /* Begins a recording. Until end, queued operations are recorded instead of being done, and only these may be
     * called. After any failure from begin to end, the device is as after MASS_FAILED, and *out is untouched. The
     * caller discards the recording. */
    mass_status (*begin)(mass_device *, mass_error *error);
    /* Ends a recording. clock: a counter on the device. Each replay adds `steps` to it after all its other work.
     * Recorded work, which is the same each time, gets the step from it. */
    mass_status (*end)(mass_device *, uint64_t *clock, uint64_t steps, mass_recording **out, mass_error *error);
    /* Queues a recording once more. All memory that it uses must be where it was. */
    mass_status (*replay)(mass_device *, mass_recording *, mass_error *error);
    void (*discard)(mass_device *, mass_recording *); /* waits for its replays */
    /* Waits until all replays but the last `ahead` are done, so that the host does not run far ahead of the device. */
    mass_status (*keep_up)(mass_device *, int ahead, mass_error *error);

    /* Stops. Both operations are optional; without them, only steps that never stop are recorded. A replay runs without
     * the host, but some steps need it: to enlarge arrays for births, or because the run ends. Four recorded operations
     * detect that:
     *   agents->manage      there would be more agents than the arrays have room for;
     *   agents->queued->commit
     *                       the same on some rank, or ranks have more messages than were recorded;
     *   guard               there are more agents before a step than work->limit. Up to the limit, the host knows that
     *                       there is memory for the step's births;
     *   conditions->look    the run's stop condition holds.
     * Such an operation writes the reason to a mass_stop (manage.h) on the device, closes the gates of all worlds
     * (work->closed), and has no other effect. After that, all work that is still queued has no effect, in this replay
     * and later ones. Launches find their gates closed. Other operations see the mass_stop, also the one that advances
     * the clock. Only copies may still run; they write what is there already. The host learns of the stop by
     * take_stop. */
    /* Stops if there are more agents than work->limit. Queued; recorded only. */
    mass_status (*guard)(mass_device *, const mass_memory_guard_work *work, mass_error *error);
    /* Sets *stop to the reason if replays have stopped in a step before number `before`, else to all zeros. With
     * `wait`, waits until all replays are done; otherwise reports what is known. After a stop the device accepts work
     * again, with the gates still closed; the caller opens them. A stop in a later step is left for a later call. */
    mass_status (*take_stop)(mass_device *, bool wait, uint64_t before, mass_stop *stop, mass_error *error);
} mass_record_operations;

#endif
