/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a block of a GPU that computes many steps of a world (world.h): copies a world into it and back.
 * Included by kernel.h under nvcc. */
#ifndef MASS_KERNEL_WORLD_MEMORY_H
#define MASS_KERNEL_WORLD_MEMORY_H

#include <mass/impl/kernel_cuda.h>
#include <mass/impl/world.h>

/* Returns the address of byte `local` of the block's memory. */
template <class T = char> MASS_FN T *mass_world_at(uint32_t local)
{
    extern __shared__ uint4 mass_world_memory[];
    return (T *)((char *)mass_world_memory + local);
}

/* Returns an address in the block's memory, or in the world's part of the memory for arrays that did not fit. */
MASS_FN char *mass_world_where(const mass_block_program &p, uint32_t local)
{
    char *const beside = (char *)p.beside + blockIdx.x * p.beside_bytes;
    return (local & MASS_WORLD_BESIDE ? beside : mass_world_at(0)) + (local & ~MASS_WORLD_BESIDE);
}
/* Sets the pointer of a field. */
template <class T> MASS_FN void mass_world_find(T *&pointer, uint32_t local) { pointer = mass_world_at<T>(local); }
template <class T> MASS_FN void mass_world_find(const mass_block_program &p, T *&pointer, uint32_t local)
{
    pointer = (T *)mass_world_where(p, local);
}

/* ---- copies of a world, in and out ---- */

/* Copies an element of `size` bytes, aligned to its size if that is a power of two up to 16. */
MASS_FN void mass_world_copy(void *to, const void *from, uint32_t size)
{
    switch (size) {
    case 1: *(uint8_t *)to = *(const uint8_t *)from; break;
    case 2: *(uint16_t *)to = *(const uint16_t *)from; break;
    case 4: *(uint32_t *)to = *(const uint32_t *)from; break;
    case 8: *(uint2 *)to = *(const uint2 *)from; break;
    case 16: *(uint4 *)to = *(const uint4 *)from; break;
    default:
        for (uint32_t k = 0; k < size; k++) ((char *)to)[k] = ((const char *)from)[k];
    }
}

/* Copies an element: IN from the memory of all worlds to the block's, else back. */
template <bool IN> MASS_FN void mass_world_element(char *global, char *local, uint32_t size)
{
    if (IN) mass_world_copy(local, global, size);
    else mass_world_copy(global, local, size);
}

/* Copies the places of a world with their ghosts: IN from the memory of all worlds to the block's, else back. */
template <bool IN>
MASS_FN void mass_world_places(const mass_world_array &a, const mass_world_space &s, char *local, int world)
{
    const uint32_t wide = s.extent[0] + 2 * s.ghost[0], high = s.extent[1] + 2 * s.ghost[1];
    for (uint32_t i = threadIdx.x; i < a.elements; i += blockDim.x) {
        const int row = i / wide, x = (int)(i - row * wide) - s.ghost[0];
        const int sheet = row / high, y = row - sheet * high - s.ghost[1], z = sheet - s.ghost[2];
        const int64_t element = world * s.world_stride + z * s.plane + y * s.pitch + x;
        mass_world_element<IN>((char *)a.global + element * a.size, local + i * a.size, a.size);
    }
}

/* Copies numbers of cells and agents, which count from the world's first one in the block's memory. */
template <bool IN>
MASS_FN void mass_world_numbers(uint32_t *global, uint32_t *local, uint32_t count, uint32_t first)
{
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        if (IN) local[i] = global[i] < MASS_CELL_NOWHERE ? global[i] - first : global[i];
        else global[i] = local[i] < MASS_CELL_NOWHERE ? local[i] + first : local[i];
    }
}

/* Copies an array of a world, of places or of agents: IN into the block's memory, else back. Arrays of agents have as
 * many elements as the world has agents. Every thread must call it. */
template <bool IN> MASS_FN void mass_world_array_in(const mass_block_program &p, const mass_world_array &a, int world)
{
    if (a.kind == MASS_WORLD_PLACES) {
        mass_world_places<IN>(a, mass_world_at<const mass_world_space>(p.spaces)[a.owner],
                              mass_world_where(p, a.local), world);
        return;
    }
    const mass_world_population &g = mass_world_at<const mass_world_population>(p.populations)[a.owner];
    const uint32_t base = (uint32_t)(world * g.places), first = g.start[base], count = g.start[base + g.places] - first;
    if (a.kind == MASS_WORLD_STARTS)
        mass_world_numbers<IN>((uint32_t *)a.global + base, mass_world_at<uint32_t>(a.local), (uint32_t)g.places + IN,
                               first);
    else if (a.kind == MASS_WORLD_CELLS)
        mass_world_numbers<IN>((uint32_t *)a.global + first, mass_world_at<uint32_t>(a.local), count, base);
    else
        for (uint32_t i = threadIdx.x; i < count; i += blockDim.x)
            mass_world_element<IN>((char *)a.global + (uint64_t)(first + i) * a.size,
                                   mass_world_at(a.local + i * a.size), a.size);
}

/* Sets a value; of a tally, the first warp's part, and all other parts to the neutral element. */
MASS_FN void mass_world_set(const mass_world_value &v, int64_t number)
{
    int64_t *const parts = mass_world_at<int64_t>(v.local);
    for (int k = 0; k < MASS_WORLD_WARPS; k++) parts[k] = k == 0 ? number : v.neutral;
}

/* Returns the value of a tally: its parts of all warps, combined. */
MASS_FN int64_t mass_world_total(const mass_world_value &v)
{
    const int64_t *const parts = mass_world_at<const int64_t>(v.local);
    int64_t total = v.neutral;
    for (int k = 0; k < MASS_WORLD_WARPS; k++)
        total = v.access == MASS_SUM   ? mass_combine<MASS_SUM>(total, parts[k])
                : v.access == MASS_MIN ? mass_combine<MASS_MIN>(total, parts[k])
                                       : mass_combine<MASS_MAX>(total, parts[k]);
    return total;
}

/* Copies the values and arrays of a world into the block's memory, or back those that may have changed. */
template <bool IN> MASS_FN void mass_world_move(const mass_block_program &p, int world)
{
    const mass_world_array *arrays = mass_world_at<const mass_world_array>(p.arrays);
    const mass_world_value *values = mass_world_at<const mass_world_value>(p.values);
    for (uint32_t i = threadIdx.x; i < p.value_count; i += blockDim.x) {
        int64_t *const local = mass_world_at<int64_t>(values[i].local);
        if (IN && values[i].access) mass_world_set(values[i], values[i].global[world]);
        else if (IN) *local = values[i].global[world];
        else if (values[i].access) values[i].global[world] = mass_world_total(values[i]);
    }
    for (uint32_t i = 0; i < p.array_count; i++)
        if (IN || arrays[i].stored) mass_world_array_in<IN>(p, arrays[i], world);
}

/* Sets the number of agents of each population. */
MASS_FN void mass_world_link(const mass_block_program &p, int world)
{
    const mass_world_population *const all = mass_world_at<const mass_world_population>(p.populations);
    for (uint32_t i = threadIdx.x; i < p.population_count; i += blockDim.x) {
        const uint64_t base = (uint64_t)world * (uint64_t)all[i].places;
        mass_world_at<uint32_t>(p.counts)[i] = all[i].start[base + (uint64_t)all[i].places] - all[i].start[base];
    }
}

#endif
