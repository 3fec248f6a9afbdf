/* SPDX-License-Identifier: Apache-2.0 */
/* Forms that advance several steps a launch against as many launches of one step, on spaces of all shapes, bounded and
 * not, whole and cut. Ends with 77 where there is no GPU. */
#include "../../gpu.cuh"
#include "fused.h"

#include <string.h>
#include <vector>

namespace {

enum { GHOSTS = 8, ATTRIBUTES = 3, FIELDS = 8, WORLDS = 2, TALLIES = 4, OLD = 0, NEW = 8, OF_TALLY = 16, OF_RATE = 32 };

struct attribute {
    int size;
    uint32_t by_default;
    bool written;
};
/* Fields: OLD or NEW values of an attribute, by its number, OF_TALLY, or OF_RATE. */
struct rule {
    const char *name;
    const void *one, *tally, *fused;
    int dimensions, radius, strip, steps;
    int attributes;
    attribute attribute[ATTRIBUTES];
    int fields, field[FIELDS];
};

#define RULE(NAME, TALLY, DIMENSIONS, RADIUS, STRIP, STEPS) \
    #NAME, (const void *)NAME##_small, (const void *)NAME##TALLY, (const void *)NAME##_fused, DIMENSIONS, RADIUS, \
        STRIP, STEPS
const rule rules[] = {
    {RULE(bytes, _tally, 2, 1, 8, 4), 1, {{1, 1, true}}, 5, {OLD, NEW, OF_TALLY, OF_TALLY + 1, OF_TALLY + 2}},
    {RULE(star, _small, 2, 1, 4, 4), 1, {{4, 0x3f000000, true}}, 2, {OLD, NEW}},
    {RULE(wide, _small, 2, 2, 4, 3), 1, {{4, 9, true}}, 2, {OLD, NEW}},
    {RULE(mixed, _small, 2, 1, 4, 3), 3, {{4, 5, true}, {1, 3, false}, {1, 0, true}}, 5,
     {OLD, OLD + 1, NEW, NEW + 2, OF_RATE}},
    {RULE(box, _tally, 3, 1, 4, 2), 1, {{4, 7, true}}, 3, {OLD, NEW, OF_TALLY}},
};

struct space {
    int64_t pitch, plane, stride, bytes;
    char *old_values[ATTRIBUTES], *new_values[ATTRIBUTES], *other_values[ATTRIBUTES];
};

/* Ghosts of all worlds, from the values or by default. */
__global__ void refresh(char *values, mass_launch l, int size, uint32_t by_default)
{
    const int sheets = l.extent[2] + 2 * l.ghost[2], world = blockIdx.z / sheets;
    const int place[3] = {(int)(blockIdx.x * blockDim.x + threadIdx.x) - GHOSTS, (int)blockIdx.y - GHOSTS,
                          (int)blockIdx.z % sheets - l.ghost[2]};
    int64_t to = world * l.world_stride, from = to;
    const int64_t stride[3] = {1, l.pitch, l.plane};
    bool exists = true;
    if (place[0] >= l.extent[0] + GHOSTS) return;
    for (int a = 0; a < 3; a++) {
        const int wrapped = (place[a] % l.extent[a] + l.extent[a]) % l.extent[a];
        exists &= wrapped == place[a] || (l.torus >> a & 1);
        to += place[a] * stride[a], from += wrapped * stride[a];
    }
    for (int i = 0; i < size; i++)
        values[to * size + i] = exists ? values[from * size + i] : (char)(by_default >> 8 * i);
}

dim3 with_ghosts(const mass_launch &l)
{
    return dim3((l.extent[0] + 2 * GHOSTS + 127) / 128, l.extent[1] + 2 * GHOSTS,
                WORLDS * (l.extent[2] + 2 * l.ghost[2]));
}
void refresh_all(char *values, const mass_launch &l, const attribute &a)
{
    refresh<<<with_ghosts(l), 128>>>(values, l, a.size, a.by_default);
    CHECK(cudaGetLastError());
}

/* Ghosts that only show places of axes that wrap, which a launch of several steps over all of them does not look at. */
__global__ void spoil_ghosts(char *values, mass_launch l, int size)
{
    const int sheets = l.extent[2] + 2 * l.ghost[2], world = blockIdx.z / sheets;
    const int place[3] = {(int)(blockIdx.x * blockDim.x + threadIdx.x) - GHOSTS, (int)blockIdx.y - GHOSTS,
                          (int)blockIdx.z % sheets - l.ghost[2]};
    bool ghost = false, shows = true;
    if (place[0] >= l.extent[0] + GHOSTS) return;
    for (int a = 0; a < 3; a++) {
        const bool outside = place[a] < 0 || place[a] >= l.extent[a];
        ghost |= outside;
        shows &= !outside || (l.torus >> a & 1);
    }
    if (!ghost || !shows) return;
    const int64_t at = world * l.world_stride + place[2] * l.plane + place[1] * l.pitch + place[0];
    for (int i = 0; i < size; i++) values[at * size + i] = (char)0xa5;
}
void spoil(char *values, const mass_launch &l, int size)
{
    spoil_ghosts<<<with_ghosts(l), 128>>>(values, l, size);
    CHECK(cudaGetLastError());
}

int64_t *tallies, *rate;
uint64_t *keys;

void launch(const rule *r, const void *kernel, const mass_launch *l, char *const *from, char *const *to, int64_t *sums,
            dim3 grid, dim3 block)
{
    void *fields[FIELDS];
    for (int i = 0; i < r->fields; i++) {
        const int f = r->field[i];
        fields[i] = f == OF_RATE ? (void *)rate : f >= OF_TALLY ? (void *)(sums + (f - OF_TALLY) * WORLDS)
                  : f >= NEW ? to[f - NEW] : from[f];
    }
    mass_launch record = *l;
    void *arguments[] = {fields, &record};
    CHECK(cudaLaunchKernel(kernel, grid, block, arguments, 0, 0));
}

void launch_one(const rule *r, const void *kernel, const mass_launch *l, char *const *from, char *const *to,
                int64_t *sums)
{
    const int rows = r->dimensions > 2 ? 8 : 16; /* of a block */
    const dim3 grid((l->extent[0] + 32 * r->strip - 1) / (32 * r->strip), (l->extent[1] + rows - 1) / rows,
                    WORLDS * l->extent[2]);
    launch(r, kernel, l, from, to, sums, grid, dim3(32, 4));
}

void launch_fused(const rule *r, const mass_launch *l, char *const *from, char *const *to, int64_t *sums, int rows)
{
    const int reach = r->steps * r->radius, rim = (reach + MASS_FUSED_PLACES - 1) / MASS_FUSED_PLACES;
    const int columns = (32 - 2 * rim) * MASS_FUSED_PLACES;
    const unsigned side = (unsigned)((l->extent[0] + columns - 1) / columns);
    const int tile = r->dimensions > 2 ? MASS_TILE_WARPS(3) - 2 * reach : MASS_TILE_WARPS(2) * rows;
    const unsigned sheets = r->dimensions > 2 ? (unsigned)((l->extent[2] + rows - 1) / rows) : 1;
    const dim3 grid(side, (unsigned)((l->extent[1] + tile - 1) / tile), sheets * WORLDS);
    launch(r, r->fused, l, from, to, sums, grid, dim3(32, MASS_TILE_WARPS(r->dimensions)));
}

mass_launch record_of(const rule *r, space *s, const int size[3], uint32_t torus)
{
    mass_launch l;
    memset(&l, 0, sizeof l);
    l.struct_size = sizeof l;
    l.phase = 3, l.step = 7, l.torus = torus, l.worlds = WORLDS, l.random_keys = keys;
    l.pitch = s->pitch, l.plane = s->plane, l.world_stride = s->stride;
    for (int a = 0; a < 3; a++) {
        l.size[a] = l.extent[a] = l.inner_last[a] = size[a];
        l.ghost[a] = a < r->dimensions ? GHOSTS : 0;
    }
    return l;
}

/* A box of the launch's places, to be computed alone. */
void cut(mass_launch *l, const rule *r, char **from, char **to, const int first[3], const int extent[3])
{
    for (int a = 0; a < 3; a++) l->origin[a] = first[a], l->extent[a] = l->inner_last[a] = extent[a];
    for (int i = 0; i < r->attributes; i++) {
        const int64_t offset = (first[2] * l->plane + first[1] * l->pitch + first[0]) * r->attribute[i].size;
        from[i] += offset, to[i] += offset;
    }
}

/* Compares the boxes, and says where they differ. */
bool equal(const rule *r, const mass_launch *l, char *const *a, char *const *b, const char *what)
{
    for (int i = 0; i < r->attributes; i++) {
        if (!r->attribute[i].written) continue;
        const int size = r->attribute[i].size;
        const size_t row = (size_t)l->extent[0] * size;
        std::vector<char> left(row), right(row);
        for (int w = 0; w < WORLDS; w++)
            for (int k = 0; k < l->extent[1] * l->extent[2]; k++) {
                const int y = k % l->extent[1], z = k / l->extent[1];
                const int64_t at = (w * l->world_stride + z * l->plane + y * l->pitch) * size;
                CHECK(cudaMemcpy(left.data(), a[i] + at, row, cudaMemcpyDeviceToHost));
                CHECK(cudaMemcpy(right.data(), b[i] + at, row, cudaMemcpyDeviceToHost));
                if (memcmp(left.data(), right.data(), row) == 0) continue;
                size_t x = 0;
                while (left[x] == right[x]) x++;
                fprintf(stderr, "%s, attribute %d, world %d, place (%zu, %d, %d) of %s: the forms differ\n", r->name, i,
                        w, x / size, y, z, what);
                return false;
            }
    }
    return true;
}

void fill(const rule *r, space *s, const mass_launch *l, uint32_t seed)
{
    for (int i = 0; i < r->attributes; i++) {
        const attribute *a = &r->attribute[i];
        std::vector<char> bytes(s->bytes * a->size);
        for (size_t k = 0; k < bytes.size(); k++) bytes[k] = (char)(a->by_default >> 8 * (k % a->size));
        const int64_t base = (l->ghost[2] * s->plane + GHOSTS * s->pitch + 16) * a->size;
        for (int w = 0; w < WORLDS; w++)
            for (int k = 0; k < l->extent[1] * l->extent[2]; k++)
                for (int64_t x = 0; x < l->extent[0] * a->size; x++) {
                    seed = seed * 1664525u + 1013904223u;
                    const char value = (char)(a->size == 1 ? seed >> 24 & 1 : x % 4 == 3 ? 0x3f : seed >> 24);
                    const int64_t row = w * s->stride + k / l->extent[1] * s->plane + k % l->extent[1] * s->pitch;
                    bytes[base + row * a->size + x] = value;
                }
        char **const all[] = {s->old_values, s->new_values, s->other_values};
        for (int k = 0; k < 3; k++) {
            CHECK(cudaMalloc(&all[k][i], bytes.size()));
            CHECK(cudaMemcpy(all[k][i], bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
            all[k][i] += base;
        }
    }
}

void empty(const rule *r, space *s, const mass_launch *l)
{
    for (int i = 0; i < r->attributes; i++) {
        const int64_t base = (l->ghost[2] * s->plane + GHOSTS * s->pitch + 16) * r->attribute[i].size;
        CHECK(cudaFree(s->old_values[i] - base));
        CHECK(cudaFree(s->new_values[i] - base));
        CHECK(cudaFree(s->other_values[i] - base));
    }
}

/* `steps` steps one after the other: the values are in `to`, and the last one's contributions in the tallies. */
void one_by_one(const rule *r, mass_launch l, char *const *from, char *const *to, char *const *spare, int steps)
{
    char *now[ATTRIBUTES], *next[ATTRIBUTES];
    for (int i = 0; i < r->attributes; i++) {
        const bool first_to_spare = steps % 2 == 0;
        now[i] = from[i], next[i] = !r->attribute[i].written || !first_to_spare ? to[i] : spare[i];
    }
    for (int k = 0; k < steps; k++, l.step++) {
        for (int i = 0; i < r->attributes; i++) refresh_all(now[i], l, r->attribute[i]);
        launch_one(r, k == steps - 1 ? r->tally : r->one, &l, now, next, tallies);
        for (int i = 0; i < r->attributes; i++) {
            if (!r->attribute[i].written) continue;
            now[i] = next[i];
            next[i] = next[i] == to[i] ? spare[i] : to[i];
        }
    }
}

bool same_tallies(const rule *r, const char *what)
{
    int64_t sums[2][TALLIES * WORLDS];
    CHECK(cudaMemcpy(sums, tallies, sizeof sums, cudaMemcpyDeviceToHost));
    if (memcmp(sums[0], sums[1], sizeof sums[0]) == 0) return true;
    fprintf(stderr, "%s, %s: the tallies differ\n", r->name, what);
    return false;
}

bool compare(const rule *r, const int size[3], uint32_t torus, int steps, int rows)
{
    space s;
    s.pitch = (size[0] + 2 * GHOSTS + 31) / 16 * 16, s.plane = s.pitch * (size[1] + 2 * GHOSTS);
    s.stride = s.plane * (r->dimensions > 2 ? size[2] + 2 * GHOSTS : 1);
    s.bytes = (WORLDS + 3) * s.stride + 4096;
    mass_launch l = record_of(r, &s, size, torus);
    fill(r, &s, &l, (uint32_t)(size[0] * 31 + size[1] + steps));
    char what[80];
    snprintf(what, sizeof what, "%d by %d by %d, torus %u, %d steps, %d rows", size[0], size[1], size[2], torus, steps,
             rows);
    char *again[ATTRIBUTES], *from[ATTRIBUTES], *to[ATTRIBUTES];
    one_by_one(r, l, s.old_values, s.new_values, s.other_values, steps);
    memcpy(again, s.other_values, sizeof again);
    for (int i = 0; i < r->attributes; i++) spoil(s.old_values[i], l, r->attribute[i].size);
    l.steps = (uint16_t)steps, l.gathers = 1;
    launch_fused(r, &l, s.old_values, again, tallies + TALLIES * WORLDS, rows);
    bool ok = equal(r, &l, s.new_values, again, what) && same_tallies(r, what);
    /* A part in the middle, and what ghosts it would have are places. */
    const int first[3] = {size[0] / 3 / r->strip * r->strip, size[1] / 3, size[2] / 3};
    const int extent[3] = {size[0] - first[0] * 2 > 0 ? size[0] - first[0] * 2 : 1, (size[1] + 2) / 3,
                           (size[2] + 2) / 3};
    mass_launch part = l;
    memcpy(from, s.old_values, sizeof from);
    memcpy(to, again, sizeof to);
    char *expected[ATTRIBUTES];
    memcpy(expected, s.new_values, sizeof expected);
    for (int i = 0; i < r->attributes; i++) refresh_all(s.old_values[i], l, r->attribute[i]);
    cut(&part, r, from, to, first, extent);
    for (int i = 0; i < r->attributes; i++) {
        expected[i] += to[i] - again[i];
        if (r->attribute[i].written)
            CHECK(cudaMemset(again[i], 99, s.stride * r->attribute[i].size));
    }
    part.gathers = 0;
    launch_fused(r, &part, from, to, tallies, rows);
    strcat(what, ", a part");
    ok = ok && equal(r, &part, expected, to, what);
    CHECK(cudaMemset(tallies, 0, 2 * TALLIES * WORLDS * sizeof *tallies));
    empty(r, &s, &l);
    return ok;
}

} // namespace

int main()
{
    if (!there_is_a_gpu()) return SKIPPED;
    const int sizes[][3] = {{1, 1, 1}, {2, 31, 3}, {33, 5, 9}, {64, 63, 2}, {200, 77, 5}, {1000, 130, 1}};
    const uint64_t key[WORLDS] = {11, 12};
    const int64_t rates[WORLDS] = {13, -17};
    CHECK(cudaMalloc(&tallies, 2 * TALLIES * WORLDS * sizeof *tallies));
    CHECK(cudaMemset(tallies, 0, 2 * TALLIES * WORLDS * sizeof *tallies));
    CHECK(cudaMalloc(&keys, sizeof key));
    CHECK(cudaMemcpy(keys, key, sizeof key, cudaMemcpyHostToDevice));
    CHECK(cudaMalloc(&rate, sizeof rates));
    CHECK(cudaMemcpy(rate, rates, sizeof rates, cudaMemcpyHostToDevice));
    bool ok = true;
    for (const rule &r : rules)
        for (const int *all : sizes)
            for (uint32_t torus = 0; torus < 1u << r.dimensions; torus++)
                for (int steps = 1; steps <= r.steps; steps++) {
                    const int size[3] = {all[0], all[1], r.dimensions > 2 ? all[2] : 1};
                    ok = compare(&r, size, torus, steps, size[1] > 60 && r.dimensions == 2 ? 24 : 3) && ok;
                }
    return !ok;
}
