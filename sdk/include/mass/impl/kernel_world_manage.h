/* SPDX-License-Identifier: Apache-2.0 */
/* Moves in a block-resident world (world.h). Included by kernel.h under nvcc. */
#ifndef MASS_KERNEL_WORLD_MANAGE_H
#define MASS_KERNEL_WORLD_MANAGE_H

#include <mass/impl/kernel_world_memory.h>

/* Moves of a population without births, deaths or a capacity (`manage` in agents.h): all moves inside the space are
 * granted. The new canonical order is made from the old one. Agents that stay in a cell keep their order. So manage
 * looks only for the agents that arrive there, by id, and compares them with each other. Agents of a warp that move
 * from one cell to another together are a group, whose ids ascend. So a cell with hundreds of agents costs no more than
 * others, nor do hundreds that move together.
 *
 * The data of agents and cells in the meantime:
 *     move          the cell that the agent will be in, and LOST if its request was refused
 *     asked         of a group's first agent: how many arrived in the cell before the group, in any order, and the
 *                   size of the group; of every agent: how many agents with lower ids stay in its cell
 *     stays         a bit for each agent: it stays in its cell
 *     place_counts  of a cell: how many arrive, and, by GROWTH, how many more there will be; zero between manages
 *     order         after the agents that stay in a cell, those that arrive: of each group its first agent, and by
 *                   GROUP its size */
enum { MASS_WORLD_GROWTH = 16, MASS_WORLD_ARRIVED = 0xffff, MASS_WORLD_GROUP = 16, MASS_WORLD_FIRST = 0xffff };
#define MASS_WORLD_LOST 0x80000000u

/* Make `asked` of two of its parts, and return its parts: the agents before the group (13 bits), the size of the group
 * (6), and the agents with lower ids that stay (13). */
MASS_FN uint32_t mass_world_asked(uint32_t before, uint32_t group) { return before | group << 13; }
MASS_FN uint32_t mass_world_before(uint32_t asked) { return asked & 0x1fff; }
MASS_FN uint32_t mass_world_group(uint32_t asked) { return asked >> 13 & 0x3f; }
MASS_FN uint32_t mass_world_kept(uint32_t asked) { return asked >> 19; }

/* The data of a population that manage needs, as pointers. */
struct mass_world_moves {
    const mass_world_population &g;
    uint32_t count, from, to; /* number of agents; offsets of the old and the new columns, from the first position of
                                 the columns on */
    const uint32_t *cell;
    const uint64_t *id;
    uint32_t *start, *place_counts, *move, *asked, *order, *stays;
    uint32_t *occupied; /* or NULL */
};

/* Returns the data of the population whose moves a phase makes. */
MASS_FN mass_world_moves mass_world_moves_of(const mass_block_program &p, const mass_world_phase &h)
{
    const mass_world_population &g = mass_world_at<const mass_world_population>(p.populations)[h.population];
    const uint32_t from = h.columns - g.columns, to = h.spare - g.columns;
    return {g, mass_world_at<const uint32_t>(p.counts)[h.population], from, to,
            mass_world_at<const uint32_t>(g.cell + from), mass_world_at<const uint64_t>(g.id + from),
            mass_world_at<uint32_t>(g.starts), mass_world_at<uint32_t>(g.place_counts), mass_world_at<uint32_t>(g.move),
            mass_world_at<uint32_t>(g.asked), mass_world_at<uint32_t>(g.order), mass_world_at<uint32_t>(g.stays),
            g.occupied == MASS_WORLD_NONE ? nullptr : mass_world_at<uint32_t>(g.occupied)};
}

/* Removes the requests of the first `count` agents. Every thread of the block must call it. */
MASS_FN void mass_world_drop(const mass_world_population &g, uint32_t count)
{
    for (uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
        mass_world_at<uint32_t>(g.move)[i] = MASS_CELL_STAY;
        mass_world_at<uint32_t>(g.asked)[i] = 0;
    }
}

/* Lists the cells with agents, before the first step. */
MASS_FN void mass_world_list_occupied(const mass_world_population &g)
{
    if (g.occupied == MASS_WORLD_NONE) return;
    const uint32_t *const start = mass_world_at<const uint32_t>(g.starts);
    uint32_t *const occupied = mass_world_at<uint32_t>(g.occupied);
    if (threadIdx.x == 0) occupied[0] = 0;
    __syncthreads();
    for (uint32_t c = threadIdx.x; c < g.places; c += blockDim.x)
        if (start[c] != start[c + 1]) occupied[1 + atomicAdd(occupied, 1)] = c;
}
/* Lists the cells of those lanes of a warp for which `listed` is true. */
MASS_FN void mass_world_list(const mass_world_moves &m, bool listed, uint32_t cell)
{
    const uint32_t all = __ballot_sync(~0u, listed), lane = threadIdx.x % 32;
    uint32_t before = 0;
    if (lane == 0) before = atomicAdd(m.occupied, (uint32_t)__popc(all));
    before = __shfl_sync(~0u, before, 0) + (uint32_t)__popc(all & ((1u << lane) - 1));
    if (listed) m.occupied[1 + before] = cell;
}

/* The action of an agent in a manage. */
struct mass_world_mover {
    uint32_t cell, target; /* its cell before and after */
    uint32_t asked;        /* as m.asked[] until arrivals are counted */
    bool lost;
};

/* Finds the agents that stay, and the changes of cells. Whole warps must call it, for their votes. */
MASS_FN mass_world_mover mass_world_leave(const mass_world_moves &m, uint32_t i)
{
    const uint32_t lane = threadIdx.x % 32;
    const bool here = i < m.count;
    const uint32_t asked_cell = here ? m.move[i] : MASS_CELL_STAY, cell = here ? m.cell[i] : MASS_CELL_STAY;
    const uint32_t target = asked_cell < MASS_CELL_NOWHERE ? asked_cell : cell;
    const uint32_t cell_before = __shfl_up_sync(~0u, cell, 1), target_before = __shfl_up_sync(~0u, target, 1);
    const bool goes = target != cell, joins = goes && cell == cell_before && target == target_before;
    const uint32_t stays = __ballot_sync(~0u, here && !goes), others = __ballot_sync(~0u, !joins);
    mass_world_mover mover = {cell, target, 0, asked_cell == MASS_CELL_NOWHERE};
    if (lane == 0 && here) m.stays[i / 32] = stays;
    if (goes && (lane == 0 || !joins)) {
        const uint32_t behind = others & ~1u << lane, group = (behind ? __ffs((int)behind) - 1 : 32) - lane;
        const uint32_t before = atomicAdd(&m.place_counts[target], group | group << MASS_WORLD_GROWTH);
        mover.asked = mass_world_asked(before & MASS_WORLD_ARRIVED, group);
        atomicAdd(&m.place_counts[cell], 0 - (group << MASS_WORLD_GROWTH));
    }
    return mover;
}
/* Lets all agents of the world leave. */
MASS_FN void mass_world_leave(const mass_world_moves &m)
{
    for (uint32_t i = threadIdx.x; i < (m.count + 31) / 32 * 32; i += blockDim.x) {
        const mass_world_mover mover = mass_world_leave(m, i);
        if (i >= m.count) continue;
        m.move[i] = mover.target | (mover.lost ? MASS_WORLD_LOST : 0);
        m.asked[i] = mover.asked;
    }
}

/* Returns how many of the agents from `first` to before `last` stay in their cells. */
MASS_FN uint32_t mass_world_staying(const uint32_t *stays, uint32_t first, uint32_t last)
{
    const uint32_t end = last / 32, below = (1u << last % 32) - 1;
    uint32_t word = first / 32, bits = stays[word] & ~0u << first % 32, number = 0;
#pragma unroll 1
    for (; word < end; bits = stays[++word]) number += __popc(bits);
    return number + __popc(bits & below);
}

/* Returns how many agents with lower ids stay in the cell where an agent will be. Call it before the starts of cells
 * change. */
MASS_FN uint32_t mass_world_kept_below(const mass_world_moves &m, uint32_t i, uint32_t cell, uint32_t target)
{
    const uint32_t first = m.start[target];
    uint32_t last = i;
    if (target != cell) {
        const uint64_t own = m.id[i];
        last = first;
#pragma unroll 1
        for (uint32_t end = m.start[target + 1]; last < end;) {
            const uint32_t middle = (last + end) / 2;
            if (m.id[middle] < own) last = middle + 1;
            else end = middle;
        }
    }
    return first == last ? 0 : mass_world_staying(m.stays, first, last);
}
MASS_FN void mass_world_compare_with_staying(const mass_world_moves &m)
{
    for (uint32_t i = threadIdx.x; i < m.count; i += blockDim.x)
        m.asked[i] |= mass_world_kept_below(m, i, m.cell[i], m.move[i] & ~MASS_WORLD_LOST) << 19;
}

/* Returns how many more agents a cell will have, or several cells, from the sum of their place_counts. All arrivals
 * together are too few to carry. */
MASS_FN uint32_t mass_world_growth(uint32_t crowd) { return (uint32_t)((int32_t)crowd >> MASS_WORLD_GROWTH); }

/* Returns the sum of `own` over the threads before this one. All threads must call it. `meanwhile` runs before any
 * thread gets its sum. */
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

/* Computes the first agents of cells after the moves. It processes cells by four, for which there is space. `meanwhile`
 * still sees the old ones. */
template <class Meanwhile> MASS_FN void mass_world_shift(const mass_world_moves &m, Meanwhile meanwhile)
{
    const uint4 *const place_counts = (const uint4 *)m.place_counts;
    uint4 *const start = (uint4 *)m.start;
    const uint32_t first = threadIdx.x * m.g.fours_a_thread, end = first + m.g.fours_a_thread;
    const uint32_t last = end < m.g.fours ? end : m.g.fours;
    uint32_t own = 0;
#pragma unroll 1
    for (uint32_t k = first; k < last; k++) own += place_counts[k].x + place_counts[k].y + place_counts[k].z +
        place_counts[k].w;
    uint32_t before = mass_world_sum_before(own, meanwhile);
    for (uint32_t k = first; k < last; k++) {
        const uint4 n = place_counts[k], old = start[k];
        const uint32_t x = before + n.x, y = x + n.y, z = y + n.z;
        start[k] = {old.x + mass_world_growth(before), old.y + mass_world_growth(x), old.z + mass_world_growth(y),
                    old.w + mass_world_growth(z)};
        before = z + n.w;
    }
}

/* Lists the arrivals of each cell. */
MASS_FN void mass_world_arrive(const mass_world_moves &m, uint32_t i, uint32_t target, uint32_t asked)
{
    const uint32_t group = mass_world_group(asked);
    if (group == 0) return;
    m.order[m.start[target + 1] - mass_world_before(asked) - group] = i | group << MASS_WORLD_GROUP;
}
MASS_FN void mass_world_arrive(const mass_world_moves &m)
{
    for (uint32_t i = threadIdx.x; i < m.count; i += blockDim.x)
        mass_world_arrive(m, i, m.move[i] & ~MASS_WORLD_LOST, m.asked[i]);
}

/* Returns how many agents of a group have ids lower than `own`. */
MASS_FN uint32_t mass_world_lower(const uint64_t *id, uint32_t first, uint32_t count, uint64_t own)
{
    if (id[first + count - 1] < own) return count;
    uint32_t low = 0;
    for (uint32_t end = count - 1; low < end;) {
        const uint32_t middle = (low + end) / 2;
        if (id[first + middle] < own) low = middle + 1;
        else end = middle;
    }
    return low;
}

/* Returns the new number of an agent. `kept` agents with lower ids stay in its new cell. */
MASS_FN uint32_t mass_world_number(const mass_world_moves &m, uint32_t i, uint32_t cell, uint32_t target, uint32_t kept)
{
    const uint32_t arrived = m.place_counts[target] & MASS_WORLD_ARRIVED;
    uint32_t at = m.start[target] + kept;
    if (arrived > (target != cell)) {
        const uint64_t own = m.id[i];
        const uint32_t last = m.start[target + 1];
        for (uint32_t k = last - arrived, group; k < last; k += group) {
            group = m.order[k] >> MASS_WORLD_GROUP;
            at += mass_world_lower(m.id, m.order[k] & MASS_WORLD_FIRST, group, own);
        }
    }
    return at;
}

/* Copies the elements of agent i in columns of one width, two at a time. */
template <class T>
MASS_FN void mass_world_carry(const mass_world_array *columns, uint32_t first, uint32_t last, uint32_t from, uint32_t i,
                              uint32_t to, uint32_t at)
{
#pragma unroll 1
    for (uint32_t k = first; k < last; k += 2) {
        const bool both = k + 1 < last;
        const uint32_t a = columns[k].local, b = both ? columns[k + 1].local : a;
        const T of_a = mass_world_at<const T>(a + from)[i], of_b = mass_world_at<const T>(b + from)[i];
        mass_world_at<T>(a + to)[at] = of_a;
        if (both) mass_world_at<T>(b + to)[at] = of_b;
    }
}

/* Copies all columns of agent i to index `at` of the new columns. */
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

/* Resets place_counts and requests for the next manage. */
MASS_FN void mass_world_forget(const mass_world_moves &m)
{
    for (uint32_t i = threadIdx.x; i < m.count; i += blockDim.x) {
        const uint32_t target = m.move[i] & ~MASS_WORLD_LOST, cell = m.cell[i];
        if (target != cell) m.place_counts[target] = m.place_counts[cell] = 0;
        m.move[i] = MASS_CELL_STAY;
        m.asked[i] = 0;
    }
}

/* Gives agent i its new number, which it returns, and copies all its columns there. */
MASS_FN uint32_t mass_world_arrive_with_all(const mass_world_moves &m, const mass_world_array *columns, uint32_t i,
                                            const mass_world_mover &mover, uint32_t kept)
{
    const uint32_t at = mass_world_number(m, i, mover.cell, mover.target, kept);
    mass_world_at<uint32_t>(m.g.cell + m.to)[at] = mover.target;
    mass_world_at<uint8_t>(m.g.lost + m.to)[at] = mover.lost;
    mass_world_carry_agent(m, columns, i, at);
    return at;
}

/* A manage of no more agents than threads. Each thread keeps one agent in its registers. */
MASS_FN void mass_world_move_one_each(const mass_world_moves &m, const mass_world_array *columns)
{
    const uint32_t i = threadIdx.x;
    const bool here = i < m.count;
    uint32_t kept = 0;
    const mass_world_mover mover = mass_world_leave(m, i);
    __syncthreads();
    mass_world_shift(m, [&] { kept = here ? mass_world_kept_below(m, i, mover.cell, mover.target) : 0; });
    __syncthreads();
    mass_world_arrive(m, i, mover.target, mover.asked);
    if (m.occupied && i == 0) m.occupied[0] = 0;
    __syncthreads();
    bool first = false;
    if (here) {
        first = mass_world_arrive_with_all(m, columns, i, mover, kept) == m.start[mover.target];
        m.move[i] = MASS_CELL_STAY;
        m.asked[i] = 0;
    }
    if (m.occupied) mass_world_list(m, first, mover.target);
    __syncthreads();
    if (mover.target != mover.cell) m.place_counts[mover.target] = m.place_counts[mover.cell] = 0;
}

/* A manage of any number of agents. */
MASS_FN void mass_world_move_all(const mass_world_moves &m, const mass_world_array *columns)
{
    mass_world_leave(m);
    __syncthreads();
    mass_world_shift(m, [&m] { mass_world_compare_with_staying(m); });
    __syncthreads();
    mass_world_arrive(m);
    if (m.occupied && threadIdx.x == 0) m.occupied[0] = 0;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < m.count; i += blockDim.x) {
        const uint32_t move = m.move[i];
        const mass_world_mover mover = {m.cell[i], move & ~MASS_WORLD_LOST, 0, (move & MASS_WORLD_LOST) != 0};
        const uint32_t at = mass_world_arrive_with_all(m, columns, i, mover, mass_world_kept(m.asked[i]));
        if (m.occupied && at == m.start[mover.target]) m.occupied[1 + atomicAdd(m.occupied, 1)] = mover.target;
    }
    __syncthreads();
    mass_world_forget(m);
}

/* Makes the moves of a phase. */
MASS_FN void mass_world_manage(const mass_block_program &p, const mass_world_phase &h)
{
    const mass_world_moves m = mass_world_moves_of(p, h);
    const mass_world_array *const columns = mass_world_at<const mass_world_array>(p.arrays);
    if (m.count <= blockDim.x) mass_world_move_one_each(m, columns);
    else mass_world_move_all(m, columns);
    if (!h.conditional) return;
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < m.g.bytes / 16; i += blockDim.x)
        mass_world_at<uint4>(h.columns)[i] = mass_world_at<const uint4>(h.spare)[i];
}

#endif
