/* SPDX-License-Identifier: Apache-2.0 */
/* The device's part for recordings: steps that are recorded once and replayed many times without the host, and that
 * stop by themselves where the host is needed. Failures and order: see device.h. */
#ifndef MASS_ENGINE_DEVICE_RECORDINGS_H
#define MASS_ENGINE_DEVICE_RECORDINGS_H

#include "base/error.h"
#include "manage.h"

#include <stdbool.h>

typedef struct mass_device mass_device;
typedef struct mass_recording mass_recording; /* queued work that can be replayed */

typedef struct mass_record_operations {
    uint32_t struct_size;
    /* From begin to end, queued operations are kept in a recording instead of being done; only such operations may be
     * called there. After any failure from begin to end, the device is as after MASS_FAILED, and *out is untouched. The
     * caller discards a recording. */
    mass_status (*begin)(mass_device *, mass_error *error);
    /* clock: a counter on the device, to which each replay adds `steps` when all the rest of it is done; that is how
     * recorded work, which is the same each time, knows the step. */
    mass_status (*end)(mass_device *, uint64_t *clock, uint64_t steps, mass_recording **out, mass_error *error);
    /* Queues what was recorded once more. All memory that it uses has to be where it was. */
    mass_status (*replay)(mass_device *, mass_recording *, mass_error *error);
    void (*discard)(mass_device *, mass_recording *); /* waits for its replays */
    /* Waits until all but the `ahead` last replays are done, so that the host does not run far ahead of the device. */
    mass_status (*keep_up)(mass_device *, int ahead, mass_error *error);

    /* Stops; both operations are optional, and without them only steps that never stop are recorded. A replay runs
     * without the host, but some steps need it: to enlarge arrays for births, or because the run ends. Four recorded
     * operations find that out:
     *   agents->manage      there would be more agents than the arrays have room for;
     *   agents->queued->commit
     *                       so there would be on some rank, or ranks have more to tell each other than was recorded;
     *   guard               there are more agents before a step than work->limit, up to which the host knows that the
     *                       step's births find memory;
     *   conditions->look    the run's stop condition holds.
     * The one that does writes the reason to a mass_stop (manage.h) on the device, closes the gates of all worlds
     * (work->closed) and has no other effect. From then on the device goes through what is still queued, the rest of
     * this replay and all replays behind it, without effect: launches find their gates closed, and all others see the
     * mass_stop, the raising of the clock included. Copies alone may be carried out, which write what is there already.
     * The host hears of it by take_stop. */
    mass_status (*guard)(mass_device *, const mass_guard_work *work, mass_error *error); /* queued; recorded only */
    /* Whether replays have stopped in a step before number `before`, and why: *stop, all zeros if they have not. wait:
     * after all replays are done; else as far as is known without waiting. If so, the device takes up work again, with
     * the gates still closed: to open them is up to the caller. Any other stop is left for a later call. */
    mass_status (*take_stop)(mass_device *, bool wait, uint64_t before, mass_stop *stop, mass_error *error);
} mass_record_operations;

#endif
