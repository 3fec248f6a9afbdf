/* SPDX-License-Identifier: Apache-2.0 */
/* Positions of agents that follow one another on a CPU, and accessors of their surroundings. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#if !defined MASS_KERNEL_CPU_SITES_H && !defined __CUDACC__
#define MASS_KERNEL_CPU_SITES_H

/* The same as mass_stand, from the position of an agent of the same world. That agent is `cells` cells before, or after
 * if negative, and its place is at `element`. Returns the new element. */
MASS_FN int64_t mass_stand_ahead(mass_site *s, const mass_launch *l, uint32_t i, int64_t cells, int64_t element)
{
    if ((uint64_t)(s->x + cells) >= (uint64_t)l->size[0]) {
        mass_stand(s, l, i, s->world);
        return mass_element_of(s);
    }
    s->x += cells;
    s->id = l->populations[0].id + i;
    return element + cells;
}

/* The box in which all that an agent sees is inside the space and held by the process. It is empty without an occupancy
 * bitmap. */
typedef struct mass_middle {
    mass_gidx from[3];
    uint64_t extent[3];
} mass_middle;
/* Returns this box for a reach. */
MASS_FN mass_middle mass_middle_of(const mass_launch *l, const mass_reach *r)
{
    mass_middle m;
    mass_gidx first[3] = {0, 0, 0}, size[3] = {l->size[0], l->size[1], l->size[2]};
    if (MASS_HOLDS_A_PART_(l)) { /* the part is a slab along the slowest axis */
        const int slowest = size[2] > 1 ? 2 : size[1] > 1 ? 1 : 0;
        const mass_gidx row = slowest == 2 ? size[0] * size[1] : slowest == 1 ? size[0] : 1;
        first[slowest] = l->populations[0].first_place / row;
        size[slowest] = l->populations[0].places / row;
    }
    for (int a = 0; a < 3; a++) {
        m.from[a] = first[a] + r->along[a];
        m.extent[a] = l->populations[0].occupancy &&
            size[a] > 2 * r->along[a] ? (uint64_t)(size[a] - 2 * r->along[a]) : 0;
    }
    return m;
}
/* Returns 1 if an agent's place is in the box, else 0. */
MASS_FN int mass_is_amid(const mass_middle *m, const mass_site *s)
{
    return ((uint64_t)(s->x - m->from[0]) < m->extent[0]) & ((uint64_t)(s->y - m->from[1]) < m->extent[1]) &
           ((uint64_t)(s->z - m->from[2]) < m->extent[2]);
}
/* Returns the cell at an offset that stays inside the space. */
MASS_FN uint32_t mass_cell_amid(const mass_launch *l, uint32_t cell, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    return cell + (uint32_t)dx + ((uint32_t)dy + (uint32_t)dz * (uint32_t)l->size[1]) * (uint32_t)l->size[0];
}
/* Returns the number of agents at an offset from an agent on cell `cell`, as mass_count_at does. */
MASS_FN uint32_t mass_count_seen(const mass_site *s, const mass_reach *r, int amid, uint32_t cell, mass_gidx dx,
                                 mass_gidx dy, mass_gidx dz)
{
    if (!amid || !mass_is_in_reach(r, dx, dy, dz)) return mass_count_at(s, r, dx, dy, dz);
    const uint32_t there = mass_cell_amid(s->launch, cell, dx, dy, dz);
    return s->launch->populations[0].occupancy[there / 32].held >> there % 32 & 1;
}
/* Returns the first refused agent from `agent` on, or `end`. */
MASS_FN uint32_t mass_next_refused(const uint8_t *lost, uint32_t agent, uint32_t end)
{
    uint64_t eight = 0;
    for (; agent + UINT64_C(8) <= end; agent += 8) {
        memcpy(&eight, lost + agent, sizeof eight);
        if (eight) return agent + (uint32_t)__builtin_ctzll(eight) / 8;
    }
    while (agent < end && !lost[agent]) agent++;
    return agent;
}
/* Requests a move, as mass_move does, without a jump that depends on the direction. A move may lead farther than the
 * agent sees. */
MASS_FN uint32_t mass_move_seen(const mass_site *s, int amid, uint32_t cell, uint32_t agent, mass_gidx dx, mass_gidx dy,
                                mass_gidx dz)
{
    const mass_launch *const l = s->launch;
    const int inside = ((uint64_t)s->x + (uint64_t)dx < (uint64_t)l->size[0]) &
                       ((uint64_t)s->y + (uint64_t)dy < (uint64_t)l->size[1]) &
                       ((uint64_t)s->z + (uint64_t)dz < (uint64_t)l->size[2]);
    const uint64_t places = (uint64_t)l->populations[0].places, row = (uint64_t)l->size[0];
    const uint64_t here = cell - (uint64_t)s->world * places + (uint64_t)dx +
                          ((uint64_t)dy + (uint64_t)dz * (uint64_t)l->size[1]) * row; /* wraps for large offsets */
    const int held = here < places; /* by this process */
    return amid && inside & held ? mass_cell_amid(l, cell, dx, dy, dz) : mass_move(s, agent, dx, dy, dz);
}

#endif
