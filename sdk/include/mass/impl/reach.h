/* SPDX-License-Identifier: Apache-2.0 */
/* The reach of a body, and the values that it gets beyond: defaults, the same on every device. */
#ifndef MASS_REACH_H
#define MASS_REACH_H

#include <mass/arithmetic.h>
#include <mass/impl/launch.h>

/* The reach of a body along each axis. `checked`: accesses beyond it are recorded, in the forms of --device paranoid;
 * that would slow down other forms. */
typedef struct mass_reach {
    uint32_t along[3];
    int checked;
    /* Of a body in turn: how far it meets agents, and changes something. axes: 1: only along the axes. part: 1: places
     * of the process have other numbers than those of the space (mass_turn_part). */
    uint32_t meets[3], changes[3];
    int axes, part;
} mass_reach;

/* The agents of a population on one place, from `first` to before `end`. */
typedef struct mass_span {
    uint32_t first, end;
} mass_span;

/* Returns the reach of a body with a number of dimensions; 0: any. Along an axis that a space does not have there are
 * no ghosts. */
MASS_FN uint32_t mass_reach_along(const mass_launch *l, int axis, int dimensions)
{
    return (uint32_t)(axis < dimensions || l->reach < l->ghost[axis] ? l->reach : l->ghost[axis]);
}
/* Returns the reach along all three axes. checked: the form reports what is beyond. */
MASS_FN mass_reach mass_reach_of(const mass_launch *l, int dimensions, int checked)
{
    const mass_reach r = {{mass_reach_along(l, 0, dimensions), mass_reach_along(l, 1, dimensions),
                           mass_reach_along(l, 2, dimensions)}, checked, {0, 0, 0}, {0, 0, 0}, 0, 0};
    return r;
}

/* Is true if an offset is within the reach. Compilers evaluate it for constant offsets. */
MASS_FN int mass_within(mass_gidx offset, uint32_t reach)
{
    return (offset < 0 ? 0 - (uint64_t)offset : (uint64_t)offset) <= reach;
}
/* Is true if an offset is within the reach along all three axes. */
MASS_FN int mass_is_in_reach(const mass_reach *r, mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    return mass_within(dx, r->along[0]) & mass_within(dy, r->along[1]) & mass_within(dz, r->along[2]);
}

#ifndef __CUDACC__
/* Returns the length of an offset along the axis on which it is the longest. */
MASS_FN uint64_t mass_longest(mass_gidx dx, mass_gidx dy, mass_gidx dz)
{
    const mass_gidx offset[] = {dx, dy, dz};
    uint64_t longest = 0;
    for (int a = 0; a < 3; a++) {
        const uint64_t length = offset[a] < 0 ? 0 - (uint64_t)offset[a] : (uint64_t)offset[a];
        if (length > longest) longest = length;
    }
    return longest;
}
/* Returns whether the offset of an access of that kind is a distance. */
MASS_FN int mass_has_distance(uint32_t what)
{
    return what == MASS_OUT_OF_REACH_SCATTER || what == MASS_OUT_OF_REACH_SEE || what == MASS_OUT_OF_REACH_NEAR ||
           what == MASS_OUT_OF_REACH_COUNT || what == MASS_OUT_OF_REACH_WALK || what == MASS_OUT_OF_REACH_WALK_AT ||
           what == MASS_OUT_OF_REACH_CLAIM || what == MASS_OUT_OF_REACH_ALTER || what == MASS_OUT_OF_REACH_MOVE ||
           what == MASS_OUT_OF_REACH_BEAR || what == MASS_OUT_OF_REACH_CHANGE;
}
/* Records the first access that a body may not make, or the farthest one of that kind if it is too far. So a message
 * has the reach that the body needs. A GPU records nothing. */
static void mass_record_out_of_reach(mass_diagnostics *t, const mass_site *s, uint32_t what, mass_gidx dx, mass_gidx dy,
                                     mass_gidx dz) __attribute__((noinline, cold, unused));
static void mass_record_out_of_reach(mass_diagnostics *t, const mass_site *s, uint32_t what, mass_gidx dx, mass_gidx dy,
                                     mass_gidx dz)
{
    if (!t) return;
    if (t->seen && (t->seen != what || !mass_has_distance(what) ||
                    mass_longest(dx, dy, dz) <= mass_longest(t->offset[0], t->offset[1], t->offset[2]))) return;
    t->seen = what;
    t->world = s->world;
    t->from[0] = s->x, t->from[1] = s->y, t->from[2] = s->z;
    t->offset[0] = dx, t->offset[1] = dy, t->offset[2] = dz;
    if (s->id) t->agent = *s->id;
}
#endif
/* Does so if the form checks. */
MASS_FN void mass_report_out_of_reach(const mass_site *s, int checked, uint32_t what, mass_gidx dx, mass_gidx dy,
                                      mass_gidx dz)
{
#ifdef __CUDACC__
    (void)s, (void)checked, (void)what, (void)dx, (void)dy, (void)dz;
#else
    if (checked) mass_record_out_of_reach(s->launch->diagnostics, s, what, dx, dy, dz);
#endif
}

/* Records an access by a handle of another agent, or of a walk; with the agent's id, if there is one. */
MASS_FN void mass_report_other(const mass_site *s, int checked, uint32_t what, mass_gidx a, mass_gidx b, mass_gidx c)
{
    mass_report_out_of_reach(s, checked, what, a, b, c);
}
/* Is true if a list has a value of this number; forms that check report one that it lacks. */
MASS_FN int mass_is_listed(const mass_site *s, int checked, int64_t count, int64_t i)
{
    const int listed = (uint64_t)i < (uint64_t)count;
    if (!listed) mass_report_out_of_reach(s, checked, MASS_OUT_OF_REACH_LIST, i, count, 0);
    return listed;
}
/* Is true if a world attribute of `count` values has a value of this number. It reports in the same way. */
MASS_FN int mass_is_of_world(const mass_site *s, int checked, int64_t count, int64_t i)
{
    const int has = (uint64_t)i < (uint64_t)count;
    if (!has) mass_report_out_of_reach(s, checked, MASS_OUT_OF_REACH_WORLD, i, count, 0);
    return has;
}
/* Returns the address of value i of `count`, or of `nowhere` for a number that there is not. It sets
 * `nowhere` to 0 in any case. */
MASS_FN void *mass_value_at(const mass_site *s, int checked, void *values, int64_t count, int64_t i, int64_t *nowhere)
{
    memset(nowhere, 0, sizeof *nowhere);
    return mass_is_of_world(s, checked, count, i) ? (void *)((char *)values + i * (int64_t)sizeof *nowhere)
                                                  : (void *)nowhere;
}
/* Returns the row of a table by step: the first for step 1, and for `start`. */
MASS_FN int64_t mass_row_of_step(uint64_t step) { return step ? (int64_t)(step - 1) : 0; }

/* Returns the element that nothing writes (mass_launch). */
MASS_FN int64_t mass_default_element(const mass_launch *l)
{
    return l->worlds * l->world_stride - l->ghost[2] * l->plane - l->ghost[1] * l->pitch - l->ghost[0];
}
/* On a CPU it is a jump that is never taken, so a read does not wait for the comparison. A GPU selects. */
#ifdef __CUDACC__
#define MASS_LIKELY_(condition) (condition)
#else
#define MASS_LIKELY_(condition) __builtin_expect_with_probability(condition, 1, 1.0)
#endif

/* Returns the address of the element at an offset from a place's, or `none`, the address of the default, beyond the
 * reach. */
MASS_FN const void *mass_place(const mass_site *s, const mass_reach *r, uint32_t what, const void *own,
                               const void *none, size_t size, int64_t pitch, int64_t plane, mass_gidx dx, mass_gidx dy,
                               mass_gidx dz)
{
    const int within = mass_is_in_reach(r, dx, dy, dz);
    if (!within) mass_report_out_of_reach(s, r->checked, what, dx, dy, dz);
    return MASS_LIKELY_(within) ? (const char *)own + (dx + dy * pitch + dz * plane) * (int64_t)size
                                : (const char *)none;
}

#endif
