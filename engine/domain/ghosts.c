/* Ghosts: layers around a partition that show places of its neighbours or of the opposite edge.
 *
 * Axis by axis, x first, so that the layers of a later axis carry the ghosts of the earlier ones and
 * corners come right. A bounded axis has nothing to copy at the edges of the space: its ghosts hold
 * the defaults since the array was filled. */
#include "domain/domain.h"

static int64_t stride_of(const mass_layout *l, uint32_t axis)
{
    return axis == 0 ? 1 : axis == 1 ? l->pitch : l->plane;
}

/* `count` consecutive layers along an axis, from one partition to the same or another. Layers hold
 * the ghosts of the axes before. */
static mass_status copy_layers(mass_domain *d, uint32_t array, uint32_t axis, const mass_partition *to, mass_lidx to_at,
                               const mass_partition *from, mass_lidx from_at, int32_t count, mass_error *error)
{
    const mass_layout *t = &to->layout, *f = &from->layout;
    const int64_t size = (int64_t)d->model->arrays[array].element_size;
    int64_t skip = 0, run = count; /* a run starts at the lowest ghost of the axes before */
    if (axis > 0) {
        skip += t->ghost[0];
        run = t->extent[0] + 2 * (int64_t)t->ghost[0];
    }
    mass_strided c = {.count = {1, 1, d->worlds}};
    c.to_stride[2] = t->world_stride * size;
    c.from_stride[2] = f->world_stride * size;
    if (axis == 0) {
        c.count[0] = t->extent[1];
        c.count[1] = t->extent[2];
        c.to_stride[0] = c.from_stride[0] = t->pitch * size;
        c.to_stride[1] = t->plane * size;
        c.from_stride[1] = f->plane * size;
    } else if (axis == 1) {
        c.count[0] = count;
        c.count[1] = t->extent[2];
        c.to_stride[0] = c.from_stride[0] = t->pitch * size;
        c.to_stride[1] = t->plane * size;
        c.from_stride[1] = f->plane * size;
    } else {
        skip += t->ghost[1] * t->pitch;
        c.count[0] = t->extent[1] + 2 * (int64_t)t->ghost[1];
        c.count[1] = count;
        c.to_stride[0] = c.from_stride[0] = t->pitch * size;
        c.to_stride[1] = t->plane * size;
        c.from_stride[1] = f->plane * size;
    }
    c.bytes = (size_t)(run * size);
    c.to = (char *)mass_array_at(d, to, array, false) + (to_at * stride_of(t, axis) - skip) * size;
    c.from = (const char *)mass_array_at(d, from, array, false) + (from_at * stride_of(f, axis) - skip) * size;
    return d->device->table->copy(d->device, &c, error);
}

/* The ghosts of one partition along one axis, in as few copies as the sources lie together. */
static mass_status refresh_axis(mass_domain *d, uint32_t space, uint32_t array, uint32_t axis, int32_t index,
                                mass_error *error)
{
    const mass_space_def *s = &d->model->spaces[space];
    const mass_partition *p = &d->partitions[space][index];
    const mass_layout *l = &p->layout;
    const bool slab = axis == mass_slab_axis(s), torus = s->torus >> axis & 1;
    const mass_gidx size = s->size[axis];
    const int32_t ghost = l->ghost[axis];
    for (int side = 0; side < 2; side++) {
        const mass_lidx start = side ? l->extent[axis] : -ghost;
        for (int32_t done = 0; done < ghost;) {
            mass_gidx at = l->origin[axis] + start + done;
            if (!torus && (at < 0 || at >= size)) {
                done++;
                continue;
            }
            at = (at % size + size) % size;
            const int32_t owner = slab ? mass_slab_owner(s, at, d->partition_count) : index;
            const mass_partition *from = &d->partitions[space][owner];
            const mass_lidx from_at = (mass_lidx)(at - from->layout.origin[axis]);
            int32_t count = from->layout.extent[axis] - from_at;
            if (count > ghost - done) count = ghost - done;
            const mass_status status = copy_layers(d, array, axis, p, start + done, from, from_at, count, error);
            if (status != MASS_OK) return status;
            done += count;
        }
    }
    return MASS_OK;
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
