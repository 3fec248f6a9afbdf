/* SPDX-License-Identifier: Apache-2.0 */
/* Moves in a world that one block of a GPU carries through many steps (world.h). Included by kernel.h under nvcc. */
#ifndef MASS_KERNEL_WORLD_MANAGE_H
#define MASS_KERNEL_WORLD_MANAGE_H

#include <mass/kernel_world_memory.h>

/* Moves of a population without births, deaths or a capacity (the words of manage, in agents.h): everybody gets where it
 * wants. Canonical order is made from the one before. Who stays in a cell keeps its order among those who do, so that
 * only those who arrive there are looked for, by id, and compared with each other: a cell where hundreds wait costs
 * no more than others.
 *
 * What agents and cells have meanwhile:
 *     move    the cell that the agent will be in, and LOST where its request was refused
 *     asked   how many arrived in its cell before it, in any order; and, by KEPT, how many stay in it that have lower ids
 *     stays   a bit an agent: it stays in its cell
 *     crowds  of a cell, how many arrive, and, by LEFT, how many leave; zero between manages
 *     order   behind those who stay in a cell, who arrives there */
enum { MASS_WORLD_LEFT = 16, MASS_WORLD_KEPT = 16, MASS_WORLD_ARRIVED = 0xffff };
#define MASS_WORLD_LOST 0x80000000u

/* What manage needs of a population, as pointers. */
struct mass_world_moves {
    const mass_world_population &g;
    uint32_t count, from, to; /* agents; where columns lie and will lie, from the first place of theirs on */
    const uint32_t *cell;
    const uint64_t *id;
    uint32_t *start, *crowds, *move, *asked, *order, *stays;
};

MASS_FN mass_world_moves mass_world_moves_of(const mass_world_program &p, const mass_world_phase &h)
{
    const mass_world_population &g = mass_world_at<const mass_world_population>(p.populations)[h.population];
    const uint32_t from = h.columns - g.columns, to = h.spare - g.columns;
    return {g, mass_world_at<const uint32_t>(p.counts)[h.population], from, to,
            mass_world_at<const uint32_t>(g.cell + from), mass_world_at<const uint64_t>(g.id + from),
            mass_world_at<uint32_t>(g.starts), mass_world_at<uint32_t>(g.crowds), mass_world_at<uint32_t>(g.move),
            mass_world_at<uint32_t>(g.asked), mass_world_at<uint32_t>(g.order), mass_world_at<uint32_t>(g.stays)};
}

MASS_FN void mass_world_drop(const mass_world_population &g, uint32_t count)
{
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        mass_world_at<uint32_t>(g.move)[i] = MASS_CELL_STAY;
        mass_world_at<uint32_t>(g.asked)[i] = 0;
    }
}

/* Who stays, and what changes in cells. Whole warps, for their votes. */
MASS_FN void mass_world_leave(const mass_world_moves &m)
{
    for (uint32_t i = threadIdx.x; i < (m.count + 31) / 32 * 32; i += blockDim.x) {
        const bool here = i < m.count;
        const uint32_t asked_cell = here ? m.move[i] : MASS_CELL_STAY, cell = here ? m.cell[i] : 0;
        const uint32_t target = asked_cell < MASS_CELL_NOWHERE ? asked_cell : cell;
        const uint32_t stays = __ballot_sync(~0u, here && target == cell);
        if (threadIdx.x % 32 == 0) m.stays[i / 32] = stays;
        if (!here) continue;
        m.move[i] = target | (asked_cell == MASS_CELL_NOWHERE ? MASS_WORLD_LOST : 0);
        m.asked[i] = 0;
        if (target == cell) continue;
        m.asked[i] = atomicAdd(&m.crowds[target], 1) & MASS_WORLD_ARRIVED;
        atomicAdd(&m.crowds[cell], 1u << MASS_WORLD_LEFT);
    }
}

/* How many of the agents from number `first` on, and before `last`, stay in their cells. */
MASS_FN uint32_t mass_world_staying(const uint32_t *stays, uint32_t first, uint32_t last)
{
    const uint32_t end = last / 32, below = (1u << last % 32) - 1;
    uint32_t word = first / 32, bits = stays[word] & ~0u << first % 32, number = 0;
    for (; word < end; bits = stays[++word]) number += __popc(bits);
    return number + __popc(bits & below);
}

/* Of every agent, how many stay in the cell where it will be that have lower ids: before the starts of cells change. */
MASS_FN void mass_world_compare_with_staying(const mass_world_moves &m)
{
    for (uint32_t i = threadIdx.x; i < m.count; i += blockDim.x) {
        const uint32_t target = m.move[i] & ~MASS_WORLD_LOST, first = m.start[target];
        uint32_t last = i;
        if (target != m.cell[i]) {
            const uint64_t own = m.id[i];
            last = first;
            for (uint32_t end = m.start[target + 1]; last < end;) {
                const uint32_t middle = (last + end) / 2;
                if (m.id[middle] < own) last = middle + 1;
                else end = middle;
            }
        }
        m.asked[i] |= mass_world_staying(m.stays, first, last) << MASS_WORLD_KEPT;
    }
}

/* How many more agents a cell will have. */
MASS_FN uint32_t mass_world_growth(uint32_t crowd)
{
    return (crowd & MASS_WORLD_ARRIVED) - (crowd >> MASS_WORLD_LEFT);
}

/* The sum of what the threads before this one have, in all threads. `meanwhile` runs before any gets it. */
template <class Meanwhile> MASS_FN uint32_t mass_world_sum_before(uint32_t own, Meanwhile meanwhile)
{
    __shared__ uint32_t sums[MASS_WORLD_WARPS];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t before = own;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        const uint32_t other = __shfl_up_sync(~0u, before, d);
        if (lane >= d) before += other;
    }
    if (lane == 31) sums[warp] = before;
    meanwhile();
    __syncthreads();
    const uint32_t sum = lane < warp ? sums[lane] : 0;
#if __CUDA_ARCH__ >= 800
    return before + __reduce_add_sync(~0u, sum) - own;
#else
    return before + (uint32_t)__shfl_sync(~0u, mass_combine_warp<MASS_SUM>(sum), 0) - own;
#endif
}

/* First agents of cells after the moves; cells by four, for which there is room. `meanwhile` still finds those before
 * them. */
template <class Meanwhile> MASS_FN void mass_world_shift(const mass_world_moves &m, Meanwhile meanwhile)
{
    const uint4 *const crowds = (const uint4 *)m.crowds;
    uint4 *const start = (uint4 *)m.start;
    const uint32_t first = threadIdx.x * m.g.fours_a_thread, end = first + m.g.fours_a_thread;
    const uint32_t last = end < m.g.fours ? end : m.g.fours;
    uint32_t own = 0;
    for (uint32_t k = first; k < last; k++)
        own += mass_world_growth(crowds[k].x) + mass_world_growth(crowds[k].y) + mass_world_growth(crowds[k].z) +
               mass_world_growth(crowds[k].w);
    uint32_t before = mass_world_sum_before(own, meanwhile);
    for (uint32_t k = first; k < last; k++) {
        const uint4 n = crowds[k], old = start[k];
        const uint32_t x = before + mass_world_growth(n.x), y = x + mass_world_growth(n.y);
        const uint32_t z = y + mass_world_growth(n.z);
        start[k] = {old.x + before, old.y + x, old.z + y, old.w + z};
        before = z + mass_world_growth(n.w);
    }
}

/* Who arrives in a cell, by cells. */
MASS_FN void mass_world_arrive(const mass_world_moves &m)
{
    for (uint32_t i = threadIdx.x; i < m.count; i += blockDim.x) {
        const uint32_t target = m.move[i] & ~MASS_WORLD_LOST;
        if (target != m.cell[i]) m.order[m.start[target + 1] - 1 - (m.asked[i] & MASS_WORLD_ARRIVED)] = i;
    }
}

/* The number that an agent gets. */
MASS_FN uint32_t mass_world_number(const mass_world_moves &m, uint32_t i, uint32_t target)
{
    const uint32_t arrived = m.crowds[target] & MASS_WORLD_ARRIVED, last = m.start[target + 1];
    uint32_t at = m.start[target] + (m.asked[i] >> MASS_WORLD_KEPT);
    if (arrived > (target != m.cell[i])) {
        const uint64_t own = m.id[i];
        for (uint32_t k = last - arrived; k < last; k++) at += m.id[m.order[k]] < own;
    }
    return at;
}

/* Elements of agent i in columns of one width, several of which are under way at a time. */
template <class T>
MASS_FN void mass_world_carry(const mass_world_array *columns, uint32_t first, uint32_t last, uint32_t from, uint32_t i,
                              uint32_t to, uint32_t at)
{
    constexpr uint32_t TOGETHER = sizeof(T) < 8 ? 4 : 2;
    for (uint32_t k = first; k < last; k += TOGETHER) {
        uint32_t local[TOGETHER];
        T value[TOGETHER];
#pragma unroll
        for (uint32_t n = 0; n < TOGETHER; n++) local[n] = columns[k + n < last ? k + n : k].local;
#pragma unroll
        for (uint32_t n = 0; n < TOGETHER; n++) value[n] = mass_world_at<const T>(local[n] + from)[i];
#pragma unroll
        for (uint32_t n = 0; n < TOGETHER; n++) mass_world_at<T>(local[n] + to)[at] = value[n];
    }
}

MASS_FN void mass_world_carry_agent(const mass_world_moves &m, const mass_world_array *columns, uint32_t i, uint32_t at)
{
    const uint32_t *const wider = m.g.wider;
    mass_world_carry<uint8_t>(columns, wider[0], wider[1], m.from, i, m.to, at);
    mass_world_carry<uint16_t>(columns, wider[1], wider[2], m.from, i, m.to, at);
    mass_world_carry<uint32_t>(columns, wider[2], wider[3], m.from, i, m.to, at);
    mass_world_carry<uint2>(columns, wider[3], wider[4], m.from, i, m.to, at);
    mass_world_carry<uint4>(columns, wider[4], wider[5], m.from, i, m.to, at);
    for (uint32_t k = wider[5]; k < wider[6]; k++) {
        const uint32_t size = columns[k].size, local = columns[k].local;
        mass_world_copy(mass_world_at(local + m.to + at * size), mass_world_at(local + m.from + i * size), size);
    }
}

/* Crowds and requests, for the next manage. */
MASS_FN void mass_world_forget(const mass_world_moves &m)
{
    for (uint32_t i = threadIdx.x; i < m.count; i += blockDim.x) {
        const uint32_t target = m.move[i] & ~MASS_WORLD_LOST, cell = m.cell[i];
        if (target != cell) m.crowds[target] = m.crowds[cell] = 0;
        m.move[i] = MASS_CELL_STAY;
        m.asked[i] = 0;
    }
}

MASS_FN void mass_world_manage(const mass_world_program &p, const mass_world_phase &h)
{
    const mass_world_moves m = mass_world_moves_of(p, h);
    const mass_world_array *const columns = mass_world_at<const mass_world_array>(p.arrays);
    mass_world_leave(m);
    __syncthreads();
    mass_world_shift(m, [&m] { mass_world_compare_with_staying(m); });
    __syncthreads();
    mass_world_arrive(m);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < m.count; i += blockDim.x) {
        const uint32_t target = m.move[i] & ~MASS_WORLD_LOST, at = mass_world_number(m, i, target);
        mass_world_at<uint32_t>(m.g.cell + m.to)[at] = target;
        mass_world_at<uint8_t>(m.g.lost + m.to)[at] = m.move[i] >> 31;
        mass_world_carry_agent(m, columns, i, at);
    }
    __syncthreads();
    mass_world_forget(m);
    if (!h.conditional) return;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < m.g.bytes / 16; i += blockDim.x)
        mass_world_at<uint4>(h.columns)[i] = mass_world_at<const uint4>(h.spare)[i];
}

#endif
