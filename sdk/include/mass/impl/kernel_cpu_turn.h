/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies in turn on CPUs: the plain loop over the agents, places or nodes of one world, in their order. */
#ifndef MASS_KERNEL_CPU_TURN_H
#define MASS_KERNEL_CPU_TURN_H

#include <mass/impl/kernel_cpu.h>

/* The members of a window, by view (views.h). */
#define MASS_TURN_WINDOW_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_TURN_WINDOW_##VIEW(ACCESS, n, n2, T))
#define MASS_TURN_WINDOW_WHOLE_(ACCESS, n, n2, T) ~, MASS_CONST_(ACCESS) T *n; const T *n2; T MASS_JOIN(n, _nowhere);
#define MASS_TURN_WINDOW_POINT_ MASS_WINDOW_POINT_
#define MASS_TURN_WINDOW_VALUE_ MASS_WINDOW_VALUE_
#define MASS_TURN_WINDOW_ANYBODY_ MASS_WINDOW_ANYBODY_
#define MASS_TURN_WINDOW_SCALAR_ MASS_WINDOW_SCALAR_
#define MASS_TURN_WINDOW_LIST_ MASS_WINDOW_LIST_
#define MASS_TURN_WINDOW_SUM_ MASS_WINDOW_SUM_
#define MASS_TURN_WINDOW_EXTREME_ MASS_WINDOW_EXTREME_
#define MASS_TURN_WINDOW_BINS_ MASS_WINDOW_BINS_
/* Before the loop. Arrays of agents get no pointer here: bodies write them through several. */
#define MASS_TURN_ROW_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_TURN_ROW_##VIEW(ACCESS, n, T))
#define MASS_TURN_ROW_SCALAR_ MASS_ROW_SCALAR_
#define MASS_TURN_ROW_LIST_ MASS_ROW_LIST_
#define MASS_TURN_ROW_SUM_ MASS_ROW_SUM_
#define MASS_TURN_ROW_EXTREME_ MASS_ROW_EXTREME_
#define MASS_TURN_ROW_BINS_ MASS_ROW_BINS_

/* Before a body, and after it. */
#define MASS_TURN_GET_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_REST_(MASS_TURN_GET_##VIEW(CLASS, ACCESS, n, n2, T))
#define MASS_TURN_GET_WHOLE_(CLASS, ACCESS, n, n2, T) ~, window.n = f.n, window.n2 = f.n + none;
#define MASS_TURN_GET_POINT_(CLASS, ACCESS, n, n2, T) MASS_TURN_POINT_##CLASS(n, T)
#define MASS_TURN_POINT_AGENTS_(n, T) ~, window.n = f.n + at;
/* A body that sets values of other nodes may do so over an edge from its own. So what it reads is a copy. */
#define MASS_TURN_POINT_PLACES_(n, T) ~, const T MASS_JOIN(n, _at) = f.n[at]; window.n = &MASS_JOIN(n, _at);
#define MASS_TURN_GET_VALUE_(CLASS, ACCESS, n, n2, T) ~, window.n = f.n[at];
#define MASS_TURN_GET_ANYBODY_(CLASS, ACCESS, n, n2, T) MASS_GET_ANY_(n, MASS_ANY_NAME_(ACCESS, n, n2), T)
#define MASS_TURN_GET_NEARBY_(CLASS, ACCESS, n, n2, T) MASS_GET_OTHER_(others_, n, MASS_TURN_OF_##ACCESS(n, n2), T)
#define MASS_TURN_GET_SCALAR_ MASS_GET_SCALAR_
#define MASS_TURN_GET_LIST_ MASS_GET_LIST_
#define MASS_TURN_GET_SUM_ MASS_GET_SUM_
#define MASS_TURN_GET_EXTREME_ MASS_GET_EXTREME_
#define MASS_TURN_GET_BINS_ MASS_GET_BINS_
#define MASS_TURN_PUT_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_TURN_PUT_##VIEW(n))
#define MASS_TURN_PUT_VALUE_(n) ~, f.n[at] = window.n;

/* Bodies take memory in random order. So the loop asks for what the next ones need, if that is too much for a cache.
 * It asks for the values of agents first. When their cells are known, it asks for the places around, up to
 * MASS_TURN_ROWS rows away. */
enum { MASS_TURN_MANY = 1 << 14, MASS_TURN_AHEAD = 24, MASS_TURN_SOON = 12, MASS_TURN_ROWS = 8 };
#define MASS_TURN_FETCH_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_TURN_FETCH_##CLASS##VIEW(n))
#define MASS_TURN_FETCH_AGENTS_POINT_(n) ~, __builtin_prefetch(f.n + ahead);
#define MASS_TURN_FETCH_AGENTS_VALUE_(n) ~, __builtin_prefetch(f.n + ahead, 1);
#define MASS_TURN_FETCH_PLACE_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_TURN_FETCH_PLACE_##VIEW(n))
#define MASS_TURN_FETCH_PLACE_WHOLE_(n) ~, mass_turn_fetch(f.n + element, l.pitch * (int64_t)sizeof *f.n, rows);
#define MASS_TURN_FETCH_AGENT_(LIST)                                                              \
    if (many && k + MASS_TURN_AHEAD < range->last_row) {                                          \
        const uint32_t ahead = l.turn->order[k + MASS_TURN_AHEAD];                                \
        __builtin_prefetch(agents + ahead, 1);                                                    \
        __builtin_prefetch(g.cell + ahead);                                                       \
        __builtin_prefetch(g.id + ahead);                                                         \
        __builtin_prefetch(g.lost + ahead);                                                       \
        MASS_EACH_(MASS_TURN_FETCH_, LIST)                                                        \
    }                                                                                             \
    if (many && k + MASS_TURN_SOON < range->last_row) {                                           \
        const uint32_t soon = g.cell[l.turn->order[k + MASS_TURN_SOON]];                          \
        const int64_t element = mass_turn_element_of(&l, world, soon);                            \
        (void)element;                                                                            \
        mass_turn_fetch(l.turn->populations[0].first + soon, l.size[0] * (int64_t)sizeof soon, 1); \
        MASS_EACH_(MASS_TURN_FETCH_PLACE_, LIST)                                                  \
    }
#define MASS_TURN_FETCH_PLACES_(LIST)                                                             \
    if (many && k + MASS_TURN_SOON < range->last_row) {                                           \
        const int64_t element = mass_turn_element_of(&l, world, l.turn->order[k + MASS_TURN_SOON]); \
        (void)element;                                                                            \
        MASS_EACH_(MASS_TURN_FETCH_PLACE_, LIST)                                                  \
    }
/* Of nodes: which edges come in, then the edges, and their other ends. */
#define MASS_TURN_FETCH_LINKED_(CLASS, VIEW, ACCESS, n, ...) MASS_REST_(MASS_TURN_FETCH_LINKED_##CLASS(n))
#define MASS_TURN_FETCH_LINKED_LINKED_(n) ~, __builtin_prefetch(f.n + world * l.edges.stride + l.edges.source[e]);
#define MASS_TURN_FETCH_NODES_(LIST)                                                                           \
    if (many && k + 2 * MASS_TURN_AHEAD < range->last_row)                                                     \
        __builtin_prefetch(mass_turn_edges_of(&l, world, l.turn->order[k + 2 * MASS_TURN_AHEAD]));             \
    if (many && k + MASS_TURN_AHEAD < range->last_row)                                                         \
        __builtin_prefetch(l.edges.source + *mass_turn_edges_of(&l, world, l.turn->order[k + MASS_TURN_AHEAD])); \
    if (many && k + MASS_TURN_SOON < range->last_row) {                                                        \
        const uint64_t *const soon = mass_turn_edges_of(&l, world, l.turn->order[k + MASS_TURN_SOON]);         \
        for (uint64_t e = soon[0]; e < soon[1] && e < soon[0] + MASS_TURN_SOON; e++) {                         \
            MASS_EACH_(MASS_TURN_FETCH_LINKED_, LIST)                                                          \
        }                                                                                                      \
    }
#define MASS_TURN_FETCHES_AGENT_ MASS_TURN_FETCH_AGENT_
#define MASS_TURN_FETCHES_PLACE_ MASS_TURN_FETCH_PLACES_
#define MASS_TURN_FETCHES_NODE_ MASS_TURN_FETCH_NODES_

/* What a body has that acts for an agent, a place or a node: members of its window, and what they are set to; its site;
 * and whether it acts. Then the element of its own values, what it runs over, and its kernels. */
#define MASS_TURN_HAS_AGENT_                   \
    uint32_t agent, agent_, lost, cell, born_; \
    mass_turn_moves move;                      \
    uint32_t first_resident, end_of_residents; /* none: for OF */
#define MASS_TURN_SET_AGENT_                           \
    window.cell = g.cell[own];                         \
    window.agent = window.agent_ = window.self_ = own; \
    window.lost = g.lost[own];                         \
    window.born_ = 0;                                  \
    window.move.there = 0;                             \
    window.first_resident = window.end_of_residents = 0;
#define MASS_TURN_STAND_AGENT_                                         \
    mass_stand(&site, &l, own, world);                                 \
    if (reach.part) mass_turn_leave_part(&site);
#define MASS_TURN_ACTS_AGENT_ (agents[own].cell != MASS_CELL_NOWHERE)
#define MASS_TURN_HAS_PLACE_
#define MASS_TURN_SET_PLACE_ window.self_ = MASS_NOBODY;
#define MASS_TURN_STAND_PLACE_ mass_turn_stand_on(&site, &l, own, world);
#define MASS_TURN_ACTS_PLACE_ 1
#define MASS_TURN_HAS_NODE_ uint32_t first_resident, end_of_residents; /* none: for OF */
#define MASS_TURN_SET_NODE_          \
    window.self_ = MASS_NOBODY;      \
    window.first_resident = window.end_of_residents = 0;
#define MASS_TURN_STAND_NODE_ MASS_TURN_STAND_PLACE_
#define MASS_TURN_ACTS_NODE_ 1
#define MASS_TURN_AT_AGENT_ own
#define MASS_TURN_AT_PLACE_ own
#define MASS_TURN_AT_NODE_ mass_turn_element_of(&l, world, own)
#define MASS_TURN_KERNELS_(NAME)                                                                                    \
    {sizeof(mass_form), MASS_FORM_KERNEL, 0, MASS_FORM_PUSHES, 0, #NAME "_turn_quiet", 1, 1, 1, 0},                 \
    {sizeof(mass_form), MASS_FORM_KERNEL, 0, MASS_FORM_PUSHES | MASS_FORM_TALLIES, 0, #NAME "_turn_tally", 1, 1, 1, 0}
#define MASS_TURN_OVER_AGENT_ MASS_OVER_TURNS
#define MASS_TURN_OVER_PLACE_ MASS_OVER_TURNS
#define MASS_TURN_OVER_NODE_ MASS_OVER_NODES_IN_TURN

/* Runs the body for agent, place or node `own`. WHO: AGENT_, PLACE_ or NODE_. */
#define MASS_TURN_RUN_(NAME, LIST, WHO, TALLY)                         \
    {                                                             \
        const int64_t at = MASS_TURN_AT_##WHO;                    \
        MASS_JOIN(NAME, _window) window;                          \
        (void)at;                                                 \
        window.site = site;                                       \
        window.draws = 0;                                         \
        window.pitch = l.pitch;                                   \
        window.plane = l.plane;                                   \
        window.reach_ = reach;                                    \
        window.amid = 0;                                          \
        MASS_TURN_SET_##WHO                                       \
        MASS_EACH_(MASS_TURN_GET_, LIST)                          \
        if (checked) MASS_JOIN(NAME, _apart_checked)(&window);    \
        else MASS_JOIN(NAME, _body)(&window);                     \
        MASS_EACH_(MASS_TURN_PUT_, LIST)                          \
        if (counts) { MASS_EACH_(TALLY, LIST) }                   \
    }

#define MASS_TURN_LOOP_(NAME, LIST, WHO, DIMENSIONS, SUFFIX, CHECKED, TALLIES, TALLY, FLUSH)                   \
    static void MASS_JOIN(NAME, SUFFIX)(const void *fields, const mass_launch *launch,                    \
                                        const mass_range *range)                                          \
    {                                                                                                     \
        enum { MASS_EACH_(MASS_BIN_FIELD_, LIST) MASS_JOIN(NAME, _bin_fields) };                          \
        enum { MASS_EACH_(MASS_SUM_FIELD_, LIST) MASS_JOIN(NAME, _sum_fields) };                          \
        const int checked = CHECKED, lane = -1;                                                           \
        int tallies = TALLIES;                                                                            \
        const MASS_JOIN(NAME, _fields) f = *(const MASS_JOIN(NAME, _fields) *)fields;                     \
        mass_launch l = *launch;                                                                          \
        const mass_agents g = l.populations[0];                                                           \
        l.step = mass_launch_step(launch);                                                                \
        l.clock = 0;                                                                                      \
        const mass_reach reach = mass_turn_reach(&l, DIMENSIONS, checked);                                  \
        const int64_t none = mass_default_element(&l);                                                    \
        const int32_t world = range->first_x;                                                             \
        const int shared = l.turn->part.shared != 0;                                                      \
        const int many = l.turn->populations[0].count >= MASS_TURN_MANY;                                  \
        const int64_t rows = reach.along[1] < MASS_TURN_ROWS ? (int64_t)reach.along[1] : MASS_TURN_ROWS;  \
        const mass_turn_agent *const agents = l.turn->populations[0].agents;                              \
        mass_site site;                                                                                   \
        (void)f, (void)none, (void)lane, (void)tallies, (void)g, (void)agents, (void)many, (void)rows;    \
        MASS_EACH_(MASS_TURN_ROW_, LIST)                                                                  \
        MASS_EACH_(MASS_WIDE_LOW_, LIST)                                                                  \
        for (int64_t k = range->first_row; k < range->last_row; k++) {                                    \
            MASS_TURN_FETCHES_##WHO(LIST)                                                                 \
            const uint32_t own = l.turn->order[k];                                                        \
            if (!MASS_TURN_ACTS_##WHO) continue;                                                          \
            MASS_TURN_STAND_##WHO                                                                         \
            if (shared && !mass_turn_may_act(&site)) continue;                                            \
            const int counts = !shared || mass_turn_counts(&site);                                        \
            if (shared) l.diagnostics = counts ? launch->diagnostics : 0;                                 \
            tallies = TALLIES && counts;                                                                  \
            MASS_TURN_RUN_(NAME, LIST, WHO, TALLY)                                                        \
        }                                                                                                 \
        tallies = TALLIES;                                                                                \
        MASS_EACH_(MASS_CARRY_, LIST)                                                                     \
        MASS_EACH_(FLUSH, LIST)                                                                           \
    }

/* The radius of an axis that the callback does not have is 0. */
#define MASS_TURN_(NAME, LIST, WHO, DIMENSIONS, RADIUS)                                                               \
    typedef struct { MASS_EACH_(MASS_POINTER_, LIST) } MASS_JOIN(NAME, _fields);                                      \
    typedef struct {                                                                                                  \
        MASS_EACH_(MASS_TURN_WINDOW_, LIST)                                                                           \
        int64_t pitch, plane;                                                                                         \
        mass_reach reach_;                                                                                            \
        mass_site site;                                                                                               \
        mass_draws *draws;                                                                                            \
        int amid;                                                                                                     \
        char (*radius_)[RADIUS + 1][(DIMENSIONS > 1 ? RADIUS : 0) + 1][(DIMENSIONS > 2 ? RADIUS : 0) + 1]             \
                       [DIMENSIONS + 1];                                                                              \
        MASS_TURN_HAS_##WHO                                                                                           \
        MASS_JOIN(NAME, _sight) sight;                                                                                \
        MASS_OTHERS_OF_(LIST, MASS_TURN_OTHER_, MASS_TURN_NEAR_##WHO, mass_turn_walked)                               \
    } MASS_JOIN(NAME, _window);                                                                                       \
    MASS_FN void MASS_JOIN(NAME, _body)(MASS_JOIN(NAME, _window) *const w);                                           \
    MASS_APART_(NAME)                                                                                                 \
    MASS_TURN_LOOP_(NAME, LIST, WHO, DIMENSIONS, _quiet_base, 0, 0, MASS_NOTHING_, MASS_NOTHING_)                     \
    MASS_TURN_LOOP_(NAME, LIST, WHO, DIMENSIONS, _tally_base, 0, 1, MASS_TALLY_, MASS_FLUSH_)                         \
    MASS_TURN_LOOP_(NAME, LIST, WHO, DIMENSIONS, _quiet_checked, 1, 0, MASS_NOTHING_, MASS_NOTHING_)                  \
    MASS_TURN_LOOP_(NAME, LIST, WHO, DIMENSIONS, _tally_checked, 1, 1, MASS_TALLY_, MASS_FLUSH_)                      \
    static const mass_field MASS_JOIN(NAME, _reflection)[] = {MASS_EACH_(MASS_REFLECT_, LIST)};                       \
    static const mass_form MASS_JOIN(NAME, _forms)[] = {                                                              \
        MASS_FORM_PAIR_(NAME, LIST, MASS_FORM_LOOP, base, 0, 0)                                                       \
        MASS_FORM_PAIR_(NAME, LIST, MASS_FORM_CHECKED, checked, 0, 0)                                                 \
        MASS_TURN_KERNELS_(NAME)};                                                                                    \
    MASS_CALLBACK_(NAME) = {                                                                                          \
        sizeof(mass_callback), MASS_TURN_OVER_##WHO, #NAME, DIMENSIONS, RADIUS,                                       \
        sizeof MASS_JOIN(NAME, _reflection) / sizeof(mass_field), sizeof(mass_field),                                 \
        MASS_JOIN(NAME, _reflection),                                                                                 \
        sizeof MASS_JOIN(NAME, _forms) / sizeof(mass_form), sizeof(mass_form),                                        \
        MASS_JOIN(NAME, _forms), MASS_JOIN(NAME, _populations), MASS_JOIN(NAME, _sees), 0,                            \
        MASS_JOIN(NAME, _network), MASS_JOIN(NAME, _sets), MASS_JOIN(NAME, _set_count), 0};                           \
    MASS_BODY_(NAME, _body)

#endif
