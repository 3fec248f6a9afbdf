/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of phases in turn: which actors they have, and when they suffice. The reference takes the whole space. */
#include "population/turn_window.h"

#include <criterion/criterion.h>
#include <mass/random.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MOST = 1024 };

/* A space with actors on some of its places, in an order. */
typedef struct scene {
    mass_space_def space;
    mass_gidx places, radius;
    mass_gidx actor[PLACES_MOST]; /* where each began, in the order in which they act */
    size_t count;
    uint8_t *distances; /* [places][places] */
} scene;

static uint64_t state = 1;

static uint32_t draw(uint32_t below)
{
    const mass_random4 r = mass_random_block(7, state++, 0, 0, 0);
    return mass_below_u32(below, r.v[0], r.v[1]);
}

/* Puts actors on one of `each` places, in random order. */
static scene make_scene(uint32_t dimensions, const mass_gidx size[3], uint32_t torus, mass_gidx radius, uint32_t each)
{
    scene s = {.space = {.dimensions = dimensions, .torus = torus, .size = {size[0], size[1], size[2]}},
               .places = size[0] * size[1] * size[2], .radius = radius};
    cr_assert_leq(s.places, PLACES_MOST);
    for (mass_gidx p = 0; p < s.places; p++) {
        if (draw(each)) continue;
        const size_t at = draw((uint32_t)++s.count);
        s.actor[s.count - 1] = s.actor[at];
        s.actor[at] = p;
    }
    return s;
}

static void coordinates(const scene *s, mass_gidx place, mass_gidx at[3])
{
    at[0] = place % s->space.size[0];
    at[1] = place / s->space.size[0] % s->space.size[1];
    at[2] = place / s->space.size[0] / s->space.size[1];
}

/* Returns the greatest distance of two places along an axis. */
static mass_gidx find_distance(const scene *s, mass_gidx a, mass_gidx b)
{
    mass_gidx of_a[3], of_b[3], most = 0;
    coordinates(s, a, of_a);
    coordinates(s, b, of_b);
    for (int axis = 0; axis < 3; axis++) {
        const mass_gidx across = llabs(of_a[axis] - of_b[axis]), around = s->space.size[axis] - across;
        const mass_gidx by = s->space.torus >> axis & 1 && around < across ? around : across;
        if (by > most) most = by;
    }
    return most;
}

static mass_gidx distance(const scene *s, mass_gidx a, mass_gidx b) { return s->distances[a * s->places + b]; }

static void find_distances(scene *s)
{
    s->distances = malloc((size_t)(s->places * s->places));
    cr_assert(s->distances);
    for (mass_gidx a = 0; a < s->places; a++)
        for (mass_gidx b = 0; b < s->places; b++)
            s->distances[a * s->places + b] = (uint8_t)find_distance(s, a, b);
}

static mass_gidx layer_of(const scene *s, mass_gidx place)
{
    return place / (s->places / s->space.size[s->space.dimensions - 1]);
}

static bool is_owned(const mass_turn_window *w, mass_gidx layer)
{
    return layer >= w->own_first && layer < w->own_first + w->own;
}

/* Returns whether a layer is in a window, searching layer by layer. */
static bool is_inside(const mass_turn_window *w, mass_gidx layer)
{
    mass_gidx k = 0;
    while (k < w->count && (w->first + k) % w->size != layer) k++;
    return k < w->count;
}

/* Returns whether all places within `by` of a place are in the window. */
static bool is_deep(const scene *s, const mass_turn_window *w, mass_gidx place, mass_gidx by)
{
    bool deep = true;
    for (mass_gidx p = 0; p < s->places; p++) deep &= distance(s, p, place) > by || is_inside(w, layer_of(s, p));
    return deep;
}

/* Returns whether the window has all that a needed actor depends on: by a search of the whole space. */
static bool suffices(const scene *s, const mass_turn_window *w)
{
    const mass_gidx far = 2 * s->radius;
    bool needed[PLACES_MOST] = {false}, all = true;
    for (mass_gidx p = 0; p < s->places; p++) all &= !is_owned(w, layer_of(s, p)) || is_deep(s, w, p, far);
    for (size_t i = s->count; i > 0; i--) {
        const mass_gidx here = s->actor[i - 1];
        bool needs = false;
        for (mass_gidx p = 0; p < s->places; p++)
            needs |= is_owned(w, layer_of(s, p)) && distance(s, p, here) <= far;
        for (size_t k = i; k < s->count; k++) needs |= needed[k] && distance(s, s->actor[k], here) <= far;
        needed[i - 1] = needs;
        all &= !needs || is_owned(w, layer_of(s, here)) || is_deep(s, w, here, far);
    }
    return all;
}

/* Returns what the window's own function finds. */
static bool found(const scene *s, const mass_turn_window *w)
{
    mass_gidx place[PLACES_MOST];
    size_t count = 0;
    bool result = false;
    mass_error error = {0};
    for (size_t i = 0; i < s->count; i++) {
        const mass_gidx layer = layer_of(s, s->actor[i]);
        if (is_inside(w, layer) && !is_owned(w, layer)) place[count++] = s->actor[i];
    }
    cr_assert_eq(mass_turn_window_suffices(w, 2 * s->radius, place, count, &result, &error), MASS_OK);
    return result;
}

/* Lets an actor mix what is within the radius, and write it to a place there. */
static void act(const scene *s, uint64_t *values, mass_gidx here)
{
    mass_gidx near[PLACES_MOST], count = 0;
    uint64_t mixed = (uint64_t)here;
    for (mass_gidx p = 0; p < s->places; p++)
        if (distance(s, p, here) <= s->radius) {
            mixed = (mixed ^ values[p]) * 6364136223846793005u + 1442695040888963407u;
            near[count++] = p;
        }
    values[near[(mixed >> 33) % (uint64_t)count]] = mixed;
}

/* Expects that the slab's places are those of the space if only those of the window act that may. */
static void expect_same_slab(const scene *s, const mass_turn_window *w)
{
    uint64_t all[PLACES_MOST], part[PLACES_MOST];
    for (mass_gidx p = 0; p < s->places; p++) {
        all[p] = (uint64_t)p * 77;
        part[p] = is_inside(w, layer_of(s, p)) ? all[p] : 12345;
    }
    for (size_t i = 0; i < s->count; i++) {
        const mass_gidx here = s->actor[i];
        act(s, all, here);
        if (is_inside(w, layer_of(s, here)) && is_deep(s, w, here, s->radius)) act(s, part, here);
    }
    for (mass_gidx p = 0; p < s->places; p++)
        if (is_owned(w, layer_of(s, p))) cr_assert_eq(all[p], part[p], "place %d", (int)p);
}

/* Expects of a window that its ranges of places are those that launches need. */
static void expect_part(const scene *s, const mass_turn_window *w)
{
    const mass_turn_part part = mass_turn_window_part(w, s->radius);
    mass_gidx in_part = 0;
    for (mass_gidx p = 0; p < s->places; p++) {
        const mass_gidx layer = layer_of(s, p), by = p - part.acting_first;
        const bool inside = is_inside(w, layer);
        cr_assert_eq(mass_turn_window_at(w, layer) < w->count, inside);
        cr_assert_eq(p >= part.counted_first && p < part.counted_first + part.counted, is_owned(w, layer));
        cr_assert_eq(mass_turn_window_owns(w, layer), is_owned(w, layer));
        cr_assert_eq((by < 0 ? by + s->places : by) < part.acting, inside && is_deep(s, w, p, s->radius));
        if (!inside) continue;
        cr_assert_eq(p < part.low_end ? p : p - part.gap, in_part, "place %d", (int)p);
        cr_assert_eq(mass_turn_window_in_part(w, layer), in_part / mass_turn_window_row(w));
        in_part++;
    }
    cr_assert_eq(in_part, w->count * mass_turn_window_row(w));
}

/* Expects that the ranges of layers are those of both, ascending. */
static void expect_ranges(const mass_turn_window *w, mass_gidx first, mass_gidx end)
{
    mass_turn_layers ranges[2];
    const uint32_t count = mass_turn_window_meet(w, first, end, ranges);
    mass_gidx last = -1;
    bool met[PLACES_MOST] = {false};
    for (uint32_t k = 0; k < count; k++)
        for (mass_gidx l = ranges[k].first; l < ranges[k].end; last = l++) {
            cr_assert_gt(l, last);
            met[l] = true;
        }
    for (mass_gidx l = 0; l < w->size; l++) cr_assert_eq(met[l], l >= first && l < end && is_inside(w, l));
}

/* Checks windows of all slabs of a scene. Counts those that suffice, and the others that are not the whole space. */
static void check(const scene *s, mass_gidx thickness, mass_gidx most, int counts[2])
{
    const mass_gidx size = s->space.size[s->space.dimensions - 1];
    for (mass_gidx own = 0; own < size; own += thickness)
        for (mass_gidx more = 0; more <= most; more += 1 + s->radius) {
            const mass_gidx end = own + thickness < size ? own + thickness : size;
            const mass_turn_window w = mass_turn_window_make(&s->space, own, end, more);
            expect_part(s, &w);
            expect_ranges(&w, size / 3, size - 2);
            if (mass_turn_window_is_whole(&w)) continue;
            const bool enough = found(s, &w);
            cr_assert_eq(enough, suffices(s, &w), "slab %d of %d, %d more", (int)own, (int)thickness, (int)more);
            if (enough) expect_same_slab(s, &w);
            counts[enough]++;
        }
}

Test(turn_window, suffices_if_no_needed_actor_is_near_a_cut)
{
    static const mass_gidx sizes[][3] = {{70, 1, 1}, {9, 30, 1}, {67, 12, 1}, {3, 8, 16}, {11, 22, 1}, {66, 13, 1}};
    static const uint32_t dimensions[] = {1, 2, 2, 3, 2, 2}, each[] = {2, 3, 9, 6, 5, 20};
    int counts[2] = {0, 0};
    for (int i = 0; i < 6; i++)
        for (uint32_t torus = 0; torus < 8; torus += i ? 1 : 7)
            for (mass_gidx radius = 0; radius < 3; radius++) {
                scene s = make_scene(dimensions[i], sizes[i], torus & ((1u << dimensions[i]) - 1), radius,
                                     each[i] + (uint32_t)radius);
                find_distances(&s);
                check(&s, 2 + (mass_gidx)torus % 5, 14, counts);
                free(s.distances);
            }
    cr_assert_gt(counts[0], 100, "%d windows do not suffice", counts[0]);
    cr_assert_gt(counts[1], 100, "%d windows do", counts[1]);
}

Test(turn_window, the_whole_space_is_cut_nowhere)
{
    const mass_space_def torus = {.dimensions = 2, .torus = 3, .size = {5, 10, 1}};
    const mass_space_def bounded = {.dimensions = 2, .size = {5, 10, 1}};
    const mass_turn_window all = mass_turn_window_make(&torus, 3, 6, 4);
    const mass_turn_window low = mass_turn_window_make(&bounded, 0, 6, 3);
    const mass_turn_window high = mass_turn_window_make(&bounded, 6, 10, 3);
    cr_assert(mass_turn_window_is_whole(&all) && !all.cut[0] && !all.cut[1]);
    cr_assert_eq(mass_turn_window_part(&all, 2).gap, 0);
    cr_assert(!low.cut[0] && low.cut[1] && low.count == 9);
    cr_assert(high.cut[0] && !high.cut[1] && high.first == 3);
}

/* The phases of a space have one window, of the largest radius among them. Only those in turn count. */
Test(turn_window, one_serves_all_phases_of_a_space)
{
    const mass_callback turn = {.over = MASS_OVER_TURNS}, agents = {.over = MASS_OVER_AGENTS};
    mass_phase_def phases[] = {{.callback = &turn, .reach = 1}, {.callback = &turn, .reach = 3},
                               {.callback = &agents, .reach = 9}, {.callback = &turn, .space = 1, .reach = 2},
                               {.callback = NULL, .reach = 7}};
    mass_model m = {.phases = phases, .phase_count = 5, .space_count = 3};
    cr_expect_eq(mass_turn_window_more(&m, 0), 3 * MASS_TURN_MORE);
    cr_expect_eq(mass_turn_window_more(&m, 1), 2 * MASS_TURN_MORE);
    cr_expect_eq(mass_turn_window_more(&m, 2), 0);
    const mass_callback nodes = {.over = MASS_OVER_NODES_IN_TURN}; /* edges lead anywhere */
    phases[2] = (mass_phase_def){.callback = &nodes, .space = 2};
    m.spaces[2].size[0] = 500;
    cr_expect_eq(mass_turn_window_more(&m, 2), 500);
}
