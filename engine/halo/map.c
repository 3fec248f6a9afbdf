/* SPDX-License-Identifier: Apache-2.0 */
#include "halo/map.h"

#include "bits.h"

bool mass_halo_map_next(const mass_domain *d, uint32_t space, uint32_t axis, int32_t each, int32_t index, int32_t reach,
                    int32_t *done, mass_halo_map *out)
{
    const mass_space_def *s = &d->model->spaces[space];
    const bool cut = axis == mass_slab_axis(s) && d->share.partitions > each, torus = s->torus >> axis & 1;
    const mass_gidx size = s->size[axis];
    const mass_gidx start = cut ? mass_share_row(&d->share, s, index * each) : 0;
    const mass_gidx end = cut ? mass_share_row(&d->share, s, (index + 1) * each) : size;
    for (; *done < 2 * reach; ++*done) {
        const mass_lidx ghost = *done < reach ? *done - reach : (mass_lidx)(end - start) + *done - reach;
        mass_gidx at = start + ghost;
        if (!torus && (at < 0 || at >= size)) continue;
        at = (at % size + size) % size;
        const int32_t owner = cut ? mass_share_owner(&d->share, s, at) / each : index;
        const mass_gidx first = cut ? mass_share_row(&d->share, s, owner * each) : 0;
        const mass_gidx last = cut ? mass_share_row(&d->share, s, (owner + 1) * each) : size;
        const int32_t left = reach - *done % reach;
        *out = (mass_halo_map){ghost, owner, (mass_lidx)(at - first), last - at < left ? (int32_t)(last - at) : left};
        *done += out->count;
        return true;
    }
    return false;
}

/* Returns the elements from one place to the next along an axis. */
static int64_t stride_of(const mass_layout *l, uint32_t axis)
{
    return axis == 0 ? 1 : axis == 1 ? l->pitch : l->plane;
}

/* Returns the word of a row that has a place. */
static int64_t word_of(int64_t place)
{
    return (place < 0 ? place - MASS_BITS_WORD + 1 : place) / MASS_BITS_WORD;
}

/* Returns the layers of an array of bits, as mass_layers_of for other types: along x runs of bits; along other
 * axes whole words, which may hold more than the layers. */
static mass_layers layers_of_bits(const mass_domain *d, uint32_t array, uint32_t axis, bool corners,
                                  const mass_partition *p, mass_lidx at, int32_t count)
{
    const mass_layout *l = &p->layout;
    const int64_t high = corners ? l->ghost[1] : 0;
    const int64_t word = axis == 0 ? word_of(at) : word_of(corners ? -l->ghost[0] : 0);
    mass_layers c = {.count = {l->extent[1], l->extent[2], d->worlds},
                     .stride = {l->pitch / 8, l->plane / 8, l->world_stride / 8}};
    int64_t row = 0;
    if (axis == 0) {
        c.bits = count;
        c.first_bit = (uint32_t)(at - word * MASS_BITS_WORD);
        c.bytes = (size_t)(count + MASS_BITS_WORD - 1) / MASS_BITS_WORD * sizeof(uint64_t);
    } else {
        const int64_t end = l->extent[0] + (corners ? l->ghost[0] : 0) + MASS_BITS_WORD - 1;
        c.bytes = (size_t)(word_of(end) - word) * sizeof(uint64_t);
        c.count[axis - 1] = count;
        if (axis == 2) c.count[0] += 2 * high;
        row = at * stride_of(l, axis) - (axis == 2 ? high * l->pitch : 0);
    }
    c.at = (char *)mass_array_at(d, p, array, false) + row / 8 + word * (int64_t)sizeof(uint64_t);
    return c;
}

/* Returns `count` layers of a partition's array from layer `at` on. corners: with the ghosts of the axes before. */
mass_layers mass_layers_of(const mass_domain *d, uint32_t array, uint32_t axis, bool corners, const mass_partition *p,
                           mass_lidx at, int32_t count)
{
    const mass_layout *l = &p->layout;
    const mass_array_def *def = &d->model->arrays[array];
    if (def->bits) return layers_of_bits(d, array, axis, corners, p, at, count);
    const int64_t size = (int64_t)def->element_size;
    const int64_t wide = corners ? l->ghost[0] : 0, high = corners ? l->ghost[1] : 0;
    int64_t skip = 0, run = count; /* a run begins at the lowest ghost of the axes before */
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
    packed.first_bit = 0;
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

/* Returns runs of bits that write to these layers; the source is not set. */
static mass_bit_runs runs_of(const mass_layers *to)
{
    mass_bit_runs r = {.to = (uint64_t *)(void *)to->at, .to_bit = to->first_bit, .bits = to->bits};
    for (int i = 0; i < 3; i++) {
        r.count[i] = to->count[i];
        r.to_stride[i] = to->stride[i] / (int64_t)sizeof(uint64_t);
    }
    return r;
}

mass_status mass_layers_move(mass_device *device, const mass_layers *to, const mass_layers *from, mass_error *error)
{
    if (to->bits == 0) {
        const mass_strided copy = mass_layers_copy(to, from);
        return device->table->memory->copy(device, &copy, error);
    }
    mass_bit_runs r = runs_of(to);
    r.from = (const uint64_t *)(const void *)from->at;
    r.from_bit = from->first_bit;
    for (int i = 0; i < 3; i++) r.from_stride[i] = from->stride[i] / (int64_t)sizeof(uint64_t);
    return device->table->memory->copy_bits(device, &r, error);
}

mass_status mass_layers_combine(mass_device *device, const mass_layers *to, const mass_layers *from,
                                const mass_combination *how, mass_error *error)
{
    const mass_strided box = mass_layers_copy(to, from);
    return device->table->memory->combine(device, &box, how, error);
}

mass_status mass_layers_fill(mass_device *device, const mass_layers *to, bool value, mass_error *error)
{
    mass_bit_runs r = runs_of(to);
    r.value = value;
    return device->table->memory->copy_bits(device, &r, error);
}
