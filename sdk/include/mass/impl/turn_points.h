/* SPDX-License-Identifier: Apache-2.0 */
/* What bodies in turn do with positions (positions.h): they move and bear to points, each at once, and search from
 * where their agent is now. */
#ifndef MASS_TURN_POINTS_H
#define MASS_TURN_POINTS_H

#include <mass/impl/kernel_turn.h>
#include <mass/impl/points.h>

/* Returns the offset of a cell from that of the frame along an axis, the shorter way round an axis that wraps; the
 * negative one at half the size. */
MASS_FN mass_gidx mass_turn_offset(const mass_site *s, int axis, mass_gidx cell)
{
    const mass_launch *const l = s->launch;
    const mass_gidx size = l->size[axis], by = cell - (axis == 0 ? s->x : axis == 1 ? s->y : s->z);
    if (!(l->torus >> axis & 1)) return by;
    return 2 * by >= size ? by - size : 2 * by < -size ? by + size : by;
}

/* Returns how far a search walks from the frame, to meet all agents at most `cells` away from the cell of its agent,
 * which is at `at`. Before the agent leaves the cell of its frame, that is `cells`. */
MASS_FN int64_t mass_turn_cells_from_frame(const mass_turn_walked *walked, const mass_site *s, uint32_t self,
                                           mass_point_double_3 at, int64_t cells)
{
    const mass_launch *const l = s->launch;
    const double from[3] = {at.x, at.y, at.z};
    int64_t moved = 0;
    (void)walked;
    if (cells < 0 || l->turn->populations[0].agents[self].cell == l->populations[0].cell[self]) return cells;
    for (int a = 0; a < 3; a++) {
        const mass_gidx by = mass_turn_offset(s, a, mass_cell_along(from[a], l->cell, l->size[a]));
        if (by > moved) moved = by;
        if (-by > moved) moved = -by;
    }
    return cells + moved;
}

/* Returns the address of an agent's position, of a launch that acts in turn. */
MASS_FN void *mass_turn_position(const mass_site *s, uint32_t agent)
{
    const mass_positions *const all = &s->launch->positions[0];
    return (char *)(uintptr_t)all->at + (size_t)agent * all->size;
}

/* Finds the offset from the frame of a point's cell, and brings the point into the space. Returns 0 if it is over a
 * bounded edge, or has a coordinate that is no finite number. */
#define MASS_TURN_BRING_(T, DIMENSIONS)                                                                              \
    MASS_FN int mass_turn_bring_##T##_##DIMENSIONS(const mass_site *s, mass_point_##T##_##DIMENSIONS *p,             \
                                                   mass_gidx by[3])                                                  \
    {                                                                                                                \
        const int what = mass_bring_##T##_##DIMENSIONS(s->launch, s->launch->positions[0].at_edge, p, by);           \
        if ((what & 2) && mass_turn_counts(s)) mass_report_no_number(s->launch);                                     \
        for (int a = 0; a < 3; a++) by[a] = mass_turn_offset(s, a, by[a]);                                           \
        return !what;                                                                                                \
    }
/* Moves an agent to a point, or by the way to it. It has the form of mass_move_point. */
#define MASS_TURN_MOVE_(T, DIMENSIONS)                                                                               \
    MASS_FN mass_turn_moves mass_turn_move_point_##T##_##DIMENSIONS(const mass_site *s, const mass_reach *r,         \
                                                                    uint32_t agent, mass_turn_moves before,          \
                                                                    mass_point_##T##_##DIMENSIONS own, int by_way,   \
                                                                    double x, double y, double z)                    \
    {                                                                                                                \
        mass_point_##T##_##DIMENSIONS to = mass_moved_##T##_##DIMENSIONS(own, x, y, z, by_way);                      \
        mass_gidx by[3];                                                                                             \
        before.there = !mass_turn_is_dead(mass_turn_of(s, 0), agent) &&                                              \
                       mass_turn_bring_##T##_##DIMENSIONS(s, &to, by) &&                                             \
                       mass_turn_move_there(s, r, agent, by[0], by[1], by[2]);                                       \
        if (before.there) *(mass_point_##T##_##DIMENSIONS *)mass_turn_position(s, agent) = to;                       \
        return before;                                                                                               \
    }
/* Bears a child of an agent at a point. *born: the agent's children so far. */
#define MASS_TURN_BEAR_(T, DIMENSIONS)                                                                               \
    MASS_FN mass_peer mass_turn_bear_point_##T##_##DIMENSIONS(const mass_site *s, const mass_reach *r, uint32_t agent, \
                                                              uint32_t *born, mass_point_##T##_##DIMENSIONS own,     \
                                                              double x, double y, double z)                          \
    {                                                                                                                \
        mass_point_##T##_##DIMENSIONS at = mass_moved_##T##_##DIMENSIONS(own, x, y, z, 0);                           \
        mass_gidx by[3];                                                                                             \
        if (mass_turn_is_dead(mass_turn_of(s, 0), agent) || !mass_turn_bring_##T##_##DIMENSIONS(s, &at, by))         \
            return mass_turn_nobody();                                                                               \
        const mass_peer child = mass_turn_bear_there(s, r, agent, born, by[0], by[1], by[2]);                        \
        if (child.agent != MASS_NOBODY)                                                                              \
            *(mass_point_##T##_##DIMENSIONS *)mass_turn_position(s, child.agent) = at;                               \
        return child;                                                                                                \
    }
#define MASS_TURN_POINTS_(T, DIMENSIONS) \
    MASS_TURN_BRING_(T, DIMENSIONS) MASS_TURN_MOVE_(T, DIMENSIONS) MASS_TURN_BEAR_(T, DIMENSIONS)
MASS_TURN_POINTS_(float, 1)
MASS_TURN_POINTS_(float, 2)
MASS_TURN_POINTS_(float, 3)
MASS_TURN_POINTS_(double, 1)
MASS_TURN_POINTS_(double, 2)
MASS_TURN_POINTS_(double, 3)

#ifdef __cplusplus
/* The names by which bodies in C++ call these functions. */
#define MASS_TURN_POINT_OVERLOADS_(T, DIMENSIONS)                                                                     \
    MASS_FN mass_turn_moves mass_move_point(const mass_site *s, const mass_reach *r, uint32_t agent,                  \
                                            mass_turn_moves before, mass_point_##T##_##DIMENSIONS own, int by,        \
                                            double x, double y, double z)                                             \
    {                                                                                                                 \
        return mass_turn_move_point_##T##_##DIMENSIONS(s, r, agent, before, own, by, x, y, z);                        \
    }                                                                                                                 \
    MASS_FN mass_peer mass_turn_bear_point(const mass_site *s, const mass_reach *r, uint32_t agent, uint32_t *born,   \
                                           mass_point_##T##_##DIMENSIONS own, double x, double y, double z)           \
    {                                                                                                                 \
        return mass_turn_bear_point_##T##_##DIMENSIONS(s, r, agent, born, own, x, y, z);                              \
    }
MASS_TURN_POINT_OVERLOADS_(float, 1)
MASS_TURN_POINT_OVERLOADS_(float, 2)
MASS_TURN_POINT_OVERLOADS_(float, 3)
MASS_TURN_POINT_OVERLOADS_(double, 1)
MASS_TURN_POINT_OVERLOADS_(double, 2)
MASS_TURN_POINT_OVERLOADS_(double, 3)
/* Returns mass_turn_cells_from_frame, by the name of other bodies over agents. */
MASS_FN int64_t mass_cells_from_here(const mass_turn_walked *walked, const mass_site *s, uint32_t self,
                                     mass_point_double_3 at, int64_t cells)
{
    return mass_turn_cells_from_frame(walked, s, self, at, cells);
}
/* Keeps whether the agent is there now, and where. Device code has its position in the window. */
template <class Own>
MASS_FN int mass_keep_move(mass_turn_moves *move, Own *own, const mass_site *s, uint32_t agent, mass_turn_moves result)
{
    *move = result;
    own->v = *(const decltype(own->v) *)mass_turn_position(s, agent);
    return result.there;
}
#define MASS_BEAR_POINT_ mass_turn_bear_point
#else
#define MASS_BEAR_POINT_ MASS_BY_POINT_(mass_turn_bear_point, IN(position))
#endif

#define BEAR_AT(...)                                                                                     \
    MASS_BEAR_POINT_(&mass_w->site, &mass_w->reach_, mass_w->agent_, &mass_w->born_, IN(position),       \
                     MASS_THREE_("BEAR_AT(" #__VA_ARGS__ ")", __VA_ARGS__))

#endif
