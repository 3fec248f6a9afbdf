/* SPDX-License-Identifier: Apache-2.0 */
/* Ghosts: layers around a partition that copy places of its neighbours or of the opposite edge.
 *
 * Ghosts are filled axis by axis, x first. So layers along a later axis include the ghosts of the earlier axes, and
 * corners are right. On a bounded axis there is nothing to copy at the edges of the space: these ghosts have held the
 * defaults since the array was filled.
 *
 * Contributions of a callback to places of another partition go the other way. They are added to ghosts along the axis
 * of the boundaries, which are zero before. From there they are added to the places that the ghosts copy.
 *
 * Ranks exchange ghosts along the last axis, so a rank's own ghosts along all others are right by then. */
#include "halo/boxes.h"
#include "halo/ghosts.h"

#include <stdlib.h>

enum { ARRAYS_MOST = 256 }; /* of one exchange: fields of a callback */

/* Returns the axes along which ghosts copy other ranks' places. */
static uint32_t axes_between_ranks(const mass_domain *d, uint32_t space)
{
    return mass_share_is_split(&d->share) ? 1u << mass_slab_axis(&d->model->spaces[space]) : 0;
}

/* Writes the defaults beyond a bounded edge again, after a row of bits: writers of the row may leave anything in its
 * last word. Does nothing if x wraps. */
static mass_status restore_defaults(mass_domain *d, uint32_t space, uint32_t array, int32_t index, mass_error *error)
{
    const mass_partition *p = &d->partitions[space][index];
    const mass_space_def *s = &d->model->spaces[space];
    const mass_layout *l = &p->layout;
    if (s->torus & MASS_AXIS_X || l->ghost[0] == 0 || l->origin[0] + l->extent[0] < s->size[0]) return MASS_OK;
    const mass_layers to = mass_layers_of(d, array, 0, true, p, l->extent[0], l->ghost[0]);
    return mass_layers_fill(d->device, &to, d->model->attributes[d->model->arrays[array].attribute].initial[0], error);
}

/* Returns the later axes whose ghosts become stale with those along this axis, since they include them. */
static uint32_t outdated_by(const mass_domain *d, uint32_t space, uint32_t array, uint32_t axis)
{
    const mass_space_def *s = &d->model->spaces[space];
    const bool cut = axis == mass_slab_axis(s) && d->share.partitions > 1;
    return cut || (s->torus >> axis & 1) || d->model->arrays[array].bits ? MASS_AXES_ALL & ~((2u << axis) - 1) : 0;
}

/* Updates the ghosts along an axis that copy this rank's own places, unless all are valid, and marks the ghosts that
 * this makes outdated. valid: [partition_count] scratch; partitions whose ghosts are valid. */
static mass_status refresh_axis(mass_domain *d, uint32_t array, uint32_t axis, uint32_t unread_axes, bool *valid,
                                mass_error *error)
{
    const uint32_t space = mass_boxes_space(d, array);
    const int32_t depth = d->model->spaces[space].ghost[axis];
    bool all = true;
    for (int32_t i = 0; i < d->partition_count; i++)
        all &= valid[i] = (d->partitions[space][i].arrays[array].valid | unread_axes) >> axis & 1;
    if (all) return MASS_OK;
    mass_status status = mass_boxes_refresh_own(d, array, axis, depth, valid, error);
    for (int32_t i = 0; status == MASS_OK && i < d->partition_count; i++) {
        if (valid[i]) continue;
        if (axis == 0 && d->model->arrays[array].bits) status = restore_defaults(d, space, array, i, error);
        d->partitions[space][i].arrays[array].valid &= ~outdated_by(d, space, array, axis);
    }
    return status;
}

mass_status mass_ghosts_refresh(mass_domain *d, uint32_t array, uint32_t unread_axes, mass_error *error)
{
    const uint32_t space = mass_boxes_space(d, array), skipped = axes_between_ranks(d, space) | unread_axes;
    const size_t partitions = (size_t)d->partition_count;
    bool few[64], *valid = partitions <= sizeof few ? few : malloc(partitions);
    mass_status status = valid ? MASS_OK : mass_error_memory(error, partitions, "partitions");
    for (uint32_t axis = 0; status == MASS_OK && axis < d->model->spaces[space].dimensions; axis++)
        status = refresh_axis(d, array, axis, unread_axes, valid, error);
    for (int32_t i = 0; status == MASS_OK && i < d->partition_count; i++)
        d->partitions[space][i].arrays[array].valid |= MASS_AXES_ALL & ~skipped;
    if (valid != few) free(valid);
    return status;
}

/* Returns whether ghosts along an axis between ranks are not valid as deep as needed. */
static bool is_stale(const mass_domain *d, uint32_t array, int32_t valid_depth)
{
    const uint32_t space = mass_boxes_space(d, array);
    const mass_array *a = &d->partitions[space][0].arrays[array];
    return (axes_between_ranks(d, space) & ~a->valid) && a->valid_depth < valid_depth;
}

bool mass_ghosts_are_stale(const mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t valid_depth)
{
    for (uint32_t i = 0; i < count; i++)
        if (is_stale(d, arrays[i], valid_depth)) return true;
    return false;
}

/* Records that `layers` layers of ghosts have been exchanged. If there are no more, the ghosts along the axis of the
 * ranks are valid, else they are valid to this depth. */
static void note_layers(mass_domain *d, uint32_t array, int32_t layers)
{
    const uint32_t space = mass_boxes_space(d, array);
    const mass_space_def *s = &d->model->spaces[space];
    const bool all = layers >= s->ghost[mass_slab_axis(s)];
    for (int32_t i = 0; i < d->partition_count; i++) {
        mass_array *a = &d->partitions[space][i].arrays[array];
        if (all) a->valid |= axes_between_ranks(d, space);
        else a->valid_depth = layers;
    }
}

mass_status mass_ghosts_exchange(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t valid_depth,
                                 int32_t layers, mass_error *error)
{
    uint32_t stale[ARRAYS_MOST], stale_count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (is_stale(d, arrays[i], valid_depth)) stale[stale_count++] = arrays[i];
    if (stale_count == 0) return MASS_OK;
    const mass_status status = mass_boxes_refresh(d, stale, stale_count, layers, error);
    for (uint32_t k = 0; status == MASS_OK && k < stale_count; k++) note_layers(d, stale[k], layers);
    return status;
}

/* Only a space that is divided into partitions has zeros (state/domain.h). */
mass_status mass_ghosts_clear(mass_domain *d, uint32_t array, int32_t reach, mass_error *error)
{
    return d->share.partitions > 1 ? mass_boxes_fill(d, array, reach, d->zeros.address, error) : MASS_OK;
}

mass_status mass_ghosts_add(mass_domain *d, uint32_t array, int32_t reach, mass_error *error)
{
    return d->share.partitions > 1 ? mass_boxes_combine_own(d, array, reach, MASS_COMBINATION_ADD, error) : MASS_OK;
}

mass_status mass_ghosts_deliver(mass_domain *d, const uint32_t *arrays, uint32_t count, int32_t reach,
                                mass_error *error)
{
    return mass_share_is_split(&d->share) ? mass_boxes_combine(d, arrays, count, reach, MASS_COMBINATION_ADD, error)
                                        : MASS_OK;
}

/* ---- bytes that are copied ---- */

/* Returns the bytes of ghosts of this rank's partitions along an axis, `reach` layers deep, that copy its own places
 * or, between_ranks, those of other ranks. corners: with the ghosts of the axes before. */
static double bytes_along(const mass_domain *d, uint32_t array, uint32_t axis, int32_t reach, bool corners,
                          bool between_ranks)
{
    const uint32_t space = mass_boxes_space(d, array);
    const int32_t first = d->share.first_partition;
    double bytes = 0;
    mass_halo_map s;
    for (int32_t i = 0; i < d->partition_count; i++)
        for (int32_t done = 0; mass_halo_map_next(d, space, axis, 1, first + i, reach, &done, &s);) {
            const bool own = s.owner >= first && s.owner < first + d->partition_count;
            if (own == between_ranks) continue;
            const mass_layers l = mass_layers_of(d, array, axis, corners, &d->partitions[space][i], s.ghost, s.count);
            bytes += (double)mass_layers_bytes(&l);
        }
    return bytes;
}

double mass_ghosts_bytes(const mass_domain *d, uint32_t array, uint32_t axes, int32_t layers, bool between_ranks)
{
    const mass_space_def *s = &d->model->spaces[mass_boxes_space(d, array)];
    double bytes = 0;
    for (uint32_t axis = 0; axis < s->dimensions; axis++) {
        const int32_t valid_depth = layers < s->ghost[axis] ? layers : s->ghost[axis];
        if (axes >> axis & 1 && valid_depth > 0) bytes += bytes_along(d, array, axis, valid_depth, true, between_ranks);
    }
    return bytes;
}

double mass_ghosts_exchange_bytes(const mass_domain *d, uint32_t array, int32_t reach, bool between_ranks)
{
    const uint32_t axis = mass_slab_axis(&d->model->spaces[mass_boxes_space(d, array)]);
    return d->share.partitions > 1 ? bytes_along(d, array, axis, reach, false, between_ranks) : 0;
}
