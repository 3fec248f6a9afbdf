/* SPDX-License-Identifier: Apache-2.0 */
#include "run/fuse_memory.h"
#include "snapshot/memory_check.h"
#include "plan/fuse.h"

#include <string.h>

/* Limits of memory for ghosts: LITTLE bytes, or PART of the share's memory if that is more. */
static const double LITTLE = 64.0 * (1 << 20), PART = 0.5;

typedef double count_bytes(const mass_model *m, const mass_device *device, const mass_share *share);

/* Returns the bytes that `count` gives for a model with thicker ghosts. It thickens a copy: ghosts are members of
 * the model. If the model cannot fuse steps, they are as they were. */
static double with_ghosts(const mass_model *m, const mass_device *device, const mass_share *share, int32_t steps,
                          count_bytes *count)
{
    mass_model thick;
    if (steps <= 1 || mass_fuse_why_not(m)) return count(m, device, share);
    memcpy(&thick, m, sizeof thick);
    mass_fuse_thicken(&thick, steps);
    return count(&thick, device, share);
}

/* Returns mass_memory_of_share as a count_bytes. */
static double bytes_of_share(const mass_model *m, const mass_device *device, const mass_share *share)
{
    (void)device;
    return mass_memory_of_share(m, share);
}

double mass_fuse_memory_bytes(const mass_model *m, const mass_share *share, int32_t steps)
{
    return with_ghosts(m, NULL, share, steps, bytes_of_share);
}

int32_t mass_fuse_memory_worth(const mass_model *m, const mass_share *share, int32_t most)
{
    if (most <= 1) return most;
    const double single = mass_fuse_memory_bytes(m, share, 1),
        allowed = single * PART > LITTLE ? single * PART : LITTLE;
    while (most > 1 && mass_fuse_memory_bytes(m, share, most) - single > allowed) most /= 2;
    return most;
}

/* Returns the bytes that all ranks which share this device's memory need; on a GPU, those of this rank alone. */
static double needed(const mass_model *m, const mass_device *device, const mass_share *share)
{
    const int32_t sharing = device->table->memory->in_host_memory ? share->comm->local_size : 1;
    return mass_memory_of_run(m, device, share) * (sharing > 1 ? sharing : 1);
}

mass_status mass_fuse_memory_most(const mass_model *m, mass_device *device, const mass_share *share, int32_t most,
                                int32_t *out, mass_error *error)
{
    size_t available;
    most = mass_fuse_memory_worth(m, share, most);
    if (most > 1) {
        const mass_status status = device->table->memory->available(device, &available, error);
        if (status != MASS_OK) return status;
        while (most > 1 && with_ghosts(m, device, share, most, needed) > (double)available) most /= 2;
    }
    *out = most;
    return MASS_OK;
}

mass_status mass_fuse_memory_check(const mass_model *m, mass_device *device, const mass_share *share, int32_t steps,
                                 mass_error *error)
{
    char wants[32], has[32], single[32];
    size_t available;
    if (steps <= 1) return MASS_OK;
    const mass_status status = device->table->memory->available(device, &available, error);
    const double several = with_ghosts(m, device, share, steps, needed), one = needed(m, device, share);
    if (status != MASS_OK || several <= (double)available || one > (double)available) return status;
    mass_format_bytes(wants, several);
    mass_format_bytes(has, (double)available);
    mass_format_bytes(single, one);
    return mass_error_set(error, MASS_NO_DEVICE, "%s needs %s for %d steps in one pass, %s has %s free: use --fuse 1, "
                          "which needs %s", m->plugin, wants, steps, device->table->name(device), has, single);
}
