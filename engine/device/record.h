/* SPDX-License-Identifier: Apache-2.0 */
/* The device's part for recordings: steps that are recorded once and replayed many times without the host, and that
 * stop by themselves where the host is needed. Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_RECORD_H
#define MASS_ENGINE_DEVICE_RECORD_H

#include "core/error.h"
#include "manage.h"

#include <stdbool.h>

typedef struct mass_device mass_device;
typedef struct mass_recording mass_recording; /* queued work that can be replayed */

typedef struct mass_record_operations {
    uint32_t struct_size;
    /* Between begin and end, queued work is kept instead of done; replay queues it again. `clock` is a device counter
     * that replay raises by `steps` after each time. */
    mass_status (*begin)(mass_device *, mass_error *error);
    mass_status (*end)(mass_device *, uint64_t *clock, uint64_t steps, mass_recording **out, mass_error *error);
    mass_status (*replay)(mass_device *, mass_recording *, mass_error *error);
    void (*discard)(mass_device *, mass_recording *);
    /* Waits until all but the `ahead` last replays are done. */
    mass_status (*keep_up)(mass_device *, int ahead, mass_error *error);
    /* Both optional: without, only what never stops is recorded. Where a recorded manage would bring forth more
     * agents than it has room for, guard finds more than its limit, or a recorded look that its condition holds, the
     * replay stops: what it has not done yet and what was queued behind it does nothing, a launch by its gates, but
     * for copies, which may be repeated. take_stop tells of that, after it waited for all replays (wait) or only if it
     * is known already, and ends it; the gates stay closed. */
    mass_status (*guard)(mass_device *, const mass_guard_work *work, mass_error *error); /* queued */
    mass_status (*take_stop)(mass_device *, bool wait, mass_stop *stop, mass_error *error);
} mass_record_operations;

#endif
