/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/seam.h"

bool mass_seam_next(const mass_domain *d, uint32_t space, uint32_t axis, int32_t index, int32_t reach, int32_t *done,
                    mass_seam *out)
{
    const mass_space_def *s = &d->model->spaces[space];
    const bool cut = axis == mass_slab_axis(s) && d->share.partitions > 1, torus = s->torus >> axis & 1;
    const mass_gidx size = s->size[axis];
    const mass_gidx start = cut ? mass_share_row(&d->share, s, index) : 0;
    const mass_gidx end = cut ? mass_share_row(&d->share, s, index + 1) : size;
    for (; *done < 2 * reach; ++*done) {
        const mass_lidx ghost = *done < reach ? *done - reach : (mass_lidx)(end - start) + *done - reach;
        mass_gidx at = start + ghost;
        if (!torus && (at < 0 || at >= size)) continue;
        at = (at % size + size) % size;
        const int32_t owner = cut ? mass_share_owner(&d->share, s, at) : index;
        const mass_gidx first = cut ? mass_share_row(&d->share, s, owner) : 0;
        const mass_gidx last = cut ? mass_share_row(&d->share, s, owner + 1) : size;
        const int32_t left = reach - *done % reach;
        *out = (mass_seam){ghost, owner, (mass_lidx)(at - first), last - at < left ? (int32_t)(last - at) : left};
        *done += out->count;
        return true;
    }
    return false;
}

static int64_t stride_of(const mass_layout *l, uint32_t axis)
{
    return axis == 0 ? 1 : axis == 1 ? l->pitch : l->plane;
}

mass_layers mass_layers_of(const mass_domain *d, uint32_t array, uint32_t axis, bool corners, const mass_partition *p,
                           mass_lidx at, int32_t count)
{
    const mass_layout *l = &p->layout;
    const int64_t size = (int64_t)d->model->arrays[array].element_size;
    const int64_t wide = corners ? l->ghost[0] : 0, high = corners ? l->ghost[1] : 0;
    int64_t skip = 0, run = count; /* a run starts at the lowest ghost of the axes before */
    mass_layers c = {.count = {1, 1, d->worlds},
                     .stride = {l->pitch * size, l->plane * size, l->world_stride * size}};
    if (axis == 0) {
        c.count[0] = l->extent[1];
        c.count[1] = l->extent[2];
    } else if (axis == 1) {
        skip = wide;
        run = l->extent[0] + 2 * wide;
        c.count[0] = count;
        c.count[1] = l->extent[2];
    } else {
        skip = wide + high * l->pitch;
        run = l->extent[0] + 2 * wide;
        c.count[0] = l->extent[1] + 2 * high;
        c.count[1] = count;
    }
    c.bytes = (size_t)(run * size);
    c.at = (char *)mass_array_at(d, p, array, false) + (at * stride_of(l, axis) - skip) * size;
    return c;
}

size_t mass_layers_bytes(const mass_layers *l)
{
    return l->bytes * (size_t)l->count[0] * (size_t)l->count[1] * (size_t)l->count[2];
}

mass_layers mass_layers_packed(const mass_layers *l, char *at)
{
    mass_layers packed = *l;
    packed.at = at;
    packed.stride[0] = (int64_t)l->bytes;
    for (int i = 1; i < 3; i++) packed.stride[i] = packed.stride[i - 1] * l->count[i - 1];
    return packed;
}

mass_strided mass_layers_copy(const mass_layers *to, const mass_layers *from)
{
    mass_strided c = {.to = to->at, .from = from->at, .bytes = from->bytes};
    for (int i = 0; i < 3; i++) {
        c.count[i] = from->count[i];
        c.to_stride[i] = to->stride[i];
        c.from_stride[i] = from->stride[i];
    }
    return c;
}
