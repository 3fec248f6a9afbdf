/* SPDX-License-Identifier: Apache-2.0 */
/* Ghosts: layers around a partition that show places of its neighbours or of the opposite edge.
 *
 * Axis by axis, x first, so that the layers of a later axis carry the ghosts of the earlier ones and
 * corners come right. A bounded axis has nothing to copy at the edges of the space: its ghosts hold
 * the defaults since the array was filled.
 *
 * What a callback adds to places of another partition goes the other way: to ghosts along the axis that is cut, which
 * are zero before, and from there to the places that they show. */
#include "domain/domain.h"

static int64_t stride_of(const mass_layout *l, uint32_t axis)
{
    return axis == 0 ? 1 : axis == 1 ? l->pitch : l->plane;
}

/* Consecutive layers of ghosts of a partition along an axis, and the places that they show. */
typedef struct seam {
    mass_lidx ghost;
    const mass_partition *source;
    mass_lidx place;
    int32_t count;
} seam;

/* The seams of a partition's first `reach` ghosts on either side, as few as the sources lie together. `done` counts
 * layers, from 0; false at the end. */
static bool next_seam(const mass_domain *d, uint32_t space, uint32_t axis, int32_t index, int32_t reach, int32_t *done,
                      seam *out)
{
    const mass_space_def *s = &d->model->spaces[space];
    const mass_layout *l = &d->partitions[space][index].layout;
    const bool slab = axis == mass_slab_axis(s), torus = s->torus >> axis & 1;
    const mass_gidx size = s->size[axis];
    for (; *done < 2 * reach; ++*done) {
        const mass_lidx ghost = *done < reach ? *done - reach : l->extent[axis] + *done - reach;
        mass_gidx at = l->origin[axis] + ghost;
        if (!torus && (at < 0 || at >= size)) continue;
        at = (at % size + size) % size;
        const int32_t owner = slab ? mass_slab_owner(s, at, d->partition_count) : index;
        const mass_partition *source = &d->partitions[space][owner];
        const mass_lidx place = (mass_lidx)(at - source->layout.origin[axis]);
        const int32_t together = source->layout.extent[axis] - place, left = reach - *done % reach;
        *out = (seam){ghost, source, place, together < left ? together : left};
        *done += out->count;
        return true;
    }
    return false;
}

/* `count` consecutive layers along an axis, from one partition to the same or another; with `corners`, the ghosts of
 * the axes before are part of them. */
static mass_strided layers_of(const mass_domain *d, uint32_t array, uint32_t axis, bool corners,
                              const mass_partition *to, mass_lidx to_at, const mass_partition *from, mass_lidx from_at,
                              int32_t count)
{
    const mass_layout *t = &to->layout, *f = &from->layout;
    const int64_t size = (int64_t)d->model->arrays[array].element_size;
    const int64_t wide = corners ? t->ghost[0] : 0, high = corners ? t->ghost[1] : 0;
    int64_t skip = 0, run = count; /* a run starts at the lowest ghost of the axes before */
    mass_strided c = {.count = {1, 1, d->worlds}};
    c.to_stride[2] = t->world_stride * size;
    c.from_stride[2] = f->world_stride * size;
    c.to_stride[0] = c.from_stride[0] = t->pitch * size;
    c.to_stride[1] = t->plane * size;
    c.from_stride[1] = f->plane * size;
    if (axis == 0) {
        c.count[0] = t->extent[1];
        c.count[1] = t->extent[2];
    } else if (axis == 1) {
        skip = wide;
        run = t->extent[0] + 2 * wide;
        c.count[0] = count;
        c.count[1] = t->extent[2];
    } else {
        skip = wide + high * t->pitch;
        run = t->extent[0] + 2 * wide;
        c.count[0] = t->extent[1] + 2 * high;
        c.count[1] = count;
    }
    c.bytes = (size_t)(run * size);
    c.to = (char *)mass_array_at(d, to, array, false) + (to_at * stride_of(t, axis) - skip) * size;
    c.from = (const char *)mass_array_at(d, from, array, false) + (from_at * stride_of(f, axis) - skip) * size;
    return c;
}

static mass_status refresh_axis(mass_domain *d, uint32_t space, uint32_t array, uint32_t axis, int32_t index,
                                mass_error *error)
{
    const mass_partition *p = &d->partitions[space][index];
    mass_status status = MASS_OK;
    seam s;
    for (int32_t done = 0; status == MASS_OK && next_seam(d, space, axis, index, p->layout.ghost[axis], &done, &s);) {
        const mass_strided c = layers_of(d, array, axis, true, p, s.ghost, s.source, s.place, s.count);
        status = d->device->table->memory->copy(d->device, &c, error);
    }
    return status;
}

mass_status mass_ghosts_refresh(mass_domain *d, uint32_t array, mass_error *error)
{
    const uint32_t space = d->model->attributes[d->model->arrays[array].attribute].space;
    const uint32_t dimensions = d->model->spaces[space].dimensions;
    for (uint32_t axis = 0; axis < dimensions; axis++) {
        for (int32_t i = 0; i < d->partition_count; i++) {
            if (d->partitions[space][i].arrays[array].fresh >> axis & 1) continue;
            const mass_status status = refresh_axis(d, space, array, axis, i, error);
            if (status != MASS_OK) return status;
        }
    }
    for (int32_t i = 0; i < d->partition_count; i++) d->partitions[space][i].arrays[array].fresh = MASS_AXES_ALL;
    return MASS_OK;
}

/* One seam of a partition: its ghosts to zero, or added to the places that they show. */
static mass_status scatter_seam(mass_domain *d, uint32_t array, uint32_t axis, const mass_partition *p, const seam *s,
                                bool add, mass_error *error)
{
    const mass_device_table *t = d->device->table;
    if (add) {
        const mass_strided c = layers_of(d, array, axis, false, s->source, s->place, p, s->ghost, s->count);
        return t->memory->add(d->device, &c, d->model->arrays[array].element_size, error);
    }
    mass_strided c = layers_of(d, array, axis, false, p, s->ghost, s->source, s->place, s->count);
    c.from = d->zeros.address;
    for (int i = 0; i < 3; i++) c.from_stride[i] = 0;
    return t->memory->copy(d->device, &c, error);
}

static mass_status scatter_seams(mass_domain *d, uint32_t array, int32_t reach, bool add, mass_error *error)
{
    const uint32_t space = d->model->attributes[d->model->arrays[array].attribute].space;
    const uint32_t axis = mass_slab_axis(&d->model->spaces[space]);
    mass_status status = MASS_OK;
    seam s;
    for (int32_t i = 0; d->partition_count > 1 && i < d->partition_count; i++)
        for (int32_t done = 0; status == MASS_OK && next_seam(d, space, axis, i, reach, &done, &s);)
            status = scatter_seam(d, array, axis, &d->partitions[space][i], &s, add, error);
    return status;
}

mass_status mass_ghosts_clear(mass_domain *d, uint32_t array, int32_t reach, mass_error *error)
{
    return scatter_seams(d, array, reach, false, error);
}

mass_status mass_ghosts_add(mass_domain *d, uint32_t array, int32_t reach, mass_error *error)
{
    return scatter_seams(d, array, reach, true, error);
}

/* ---- how much that is ---- */

static double bytes_of(const mass_strided *c)
{
    return (double)c->bytes * (double)c->count[0] * (double)c->count[1] * (double)c->count[2];
}

/* Of the seams of all partitions along an axis. */
static double bytes_along(const mass_domain *d, uint32_t array, uint32_t axis, int32_t reach, bool corners)
{
    const uint32_t space = d->model->attributes[d->model->arrays[array].attribute].space;
    double bytes = 0;
    seam s;
    for (int32_t i = 0; i < d->partition_count; i++)
        for (int32_t done = 0; next_seam(d, space, axis, i, reach, &done, &s);) {
            const mass_strided c = layers_of(d, array, axis, corners, &d->partitions[space][i], s.ghost, s.source,
                                             s.place, s.count);
            bytes += bytes_of(&c);
        }
    return bytes;
}

double mass_ghosts_bytes(const mass_domain *d, uint32_t array, uint32_t axes)
{
    const mass_space_def *s = &d->model->spaces[d->model->attributes[d->model->arrays[array].attribute].space];
    double bytes = 0;
    for (uint32_t axis = 0; axis < s->dimensions; axis++)
        if (axes >> axis & 1) bytes += bytes_along(d, array, axis, s->ghost[axis], true);
    return bytes;
}

double mass_ghosts_seam_bytes(const mass_domain *d, uint32_t array, int32_t reach)
{
    const mass_space_def *s = &d->model->spaces[d->model->attributes[d->model->arrays[array].attribute].space];
    return d->partition_count > 1 ? bytes_along(d, array, mass_slab_axis(s), reach, false) : 0;
}
