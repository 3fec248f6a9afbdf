/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies over agents on CPUs: the loops over a range of them. */
#ifndef MASS_KERNEL_CPU_AGENTS_H
#define MASS_KERNEL_CPU_AGENTS_H

#include <mass/impl/kernel_cpu.h>

/* Runs the body for agent `own`, which is at `site` and `element`. AMID: all that it sees is inside the space, and the
 * occupancy bitmap is used (mass_middle). It writes requests only if they change. */
#define MASS_AGENT_AT_(NAME, LIST, TALLY, AMID)                                \
    {                                                                          \
        const int64_t here = element;                                          \
        (void)here;                                                            \
        MASS_JOIN(NAME, _window) window;                                       \
        window.site = site;                                                    \
        window.draws = &draws;                                                 \
        window.pitch = l.pitch;                                                \
        window.plane = l.plane;                                                \
        window.reach_ = reach;                                                 \
        window.amid = AMID;                                                    \
        window.cell = cell;                                                    \
        window.agent = own;                                                    \
        window.self_ = own;                                                    \
        window.walked_.end = window.walked_.first = 0;                         \
        window.lost = g.lost[own];                                             \
        const uint32_t move = moves[own], ask = asked[own];                    \
        window.move = move;                                                    \
        window.asked = ask;                                                    \
        MASS_EACH_(MASS_GET_, LIST)                                            \
        MASS_RUN_BODY_(NAME, MASS_IS_NEARBY_(LIST) && !AMID)                   \
        if (window.move != move) moves[own] = window.move;                     \
        if (window.asked != ask) asked[own] = window.asked;                    \
        if (flushes) MASS_FLUSH_FIELDS_(LIST, l.flush_floats, l.flush_doubles) \
        MASS_EACH_(MASS_PUT_, LIST)                                            \
        MASS_EACH_(TALLY, LIST)                                                \
    }

/* If there is no occupancy bitmap, it prefetches the counts of the farthest row that an agent sees. For agents that
 * follow one another on a row, away from its ends, it does not compute positions from cells. */
#define MASS_AGENT_LOOP_(NAME, LIST, DIMENSIONS, LOST, SUFFIX, CHECKED, TALLIES, TALLY, FLUSH)           \
    static void MASS_JOIN(NAME, SUFFIX)(const void *fields, const mass_launch *launch,                   \
                                        const mass_range *range)                                         \
    {                                                                                                    \
        enum { MASS_EACH_(MASS_BIN_FIELD_, LIST) MASS_JOIN(NAME, _bin_fields) };                         \
        enum { MASS_EACH_(MASS_SUM_FIELD_, LIST) MASS_JOIN(NAME, _sum_fields) };                         \
        const int checked = CHECKED, tallies = TALLIES;                                                  \
        (void)checked, (void)tallies;                                                                    \
        const MASS_JOIN(NAME, _fields) f = *(const MASS_JOIN(NAME, _fields) *)fields;                    \
        mass_launch l = *launch;                                                                         \
        const mass_agents g = l.populations[0];                                                          \
        l.step = mass_launch_step(launch);                                                               \
        l.clock = 0;                                                                                     \
        const int flushes = MASS_FLUSHABLE_(LIST) && (l.flush_floats | l.flush_doubles) != 0;            \
        (void)flushes;                                                                                   \
        const mass_reach reach = mass_reach_of(&l, DIMENSIONS, checked);                                 \
        const mass_middle middle = mass_middle_of(&l, &reach);                                           \
        const int64_t none = mass_default_element(&l);                                                   \
        mass_site site;                                                                                  \
        mass_draws draws;                                                                                \
        int32_t world = 0;                                                                               \
        for (int64_t next = range->first_row; next < range->last_row;) {                                 \
            mass_stand(&site, &l, (uint32_t)next, world);                                                \
            world = site.world;                                                                          \
            uint32_t cell = g.cell[next];                                                                \
            const int64_t world_end = g.start[(world + 1) * g.places];                                   \
            const uint32_t last = (uint32_t)(world_end < range->last_row ? world_end : range->last_row); \
            const int closed = l.gates && l.gates[world];                                                \
            const int64_t ahead = g.reach > 1 && !g.occupancy ? g.reach * l.size[0] : 0;                 \
            const int64_t at = 0; /* a row is all of them */                                             \
            const int lane = -1;                                                                         \
            mass_begin_draws(&draws, last);                                                              \
            const uint32_t *const cells = g.cell;                                                        \
            const uint64_t *const ids = g.id;                                                            \
            uint32_t *__restrict__ const moves = g.move;                                                 \
            uint32_t *__restrict__ const asked = g.asked;                                                \
            int64_t element = mass_element_of(&site);                                                    \
            (void)f, (void)at, (void)none, (void)lane;                                                   \
            MASS_EACH_(MASS_ROW_, LIST)                                                                  \
            MASS_EACH_(MASS_WIDE_LOW_, LIST)                                                             \
            for (uint32_t own = MASS_NEXT_##LOST((uint32_t)next); !closed && own < last;) {              \
                element = mass_stand_ahead(&site, &l, own, (int64_t)cells[own] - cell, element);         \
                cell = cells[own];                                                                       \
                if (ahead) __builtin_prefetch(g.start + cell + ahead);                                   \
                if (checked || !mass_is_amid(&middle, &site)) {                                          \
                    MASS_AGENT_AT_(NAME, LIST, TALLY, 0)                                                 \
                    own = MASS_NEXT_##LOST(own + 1);                                                     \
                    continue;                                                                            \
                }                                                                                        \
                const uint32_t first = cell - (uint32_t)(site.x - middle.from[0]);                       \
                const int64_t to_element = element - cell, to_x = site.x - cell;                         \
                const int64_t farthest = reach.along[1] * l.pitch + reach.along[2] * l.plane;            \
                (void)farthest;                                                                          \
                for (uint32_t there = cell; there - first < middle.extent[0]; there = cells[own]) {      \
                    cell = there;                                                                        \
                    element = to_element + cell;                                                         \
                    site.x = to_x + cell;                                                                \
                    site.id = ids + own;                                                                 \
                    MASS_EACH_(MASS_FETCH_, LIST)                                                        \
                    MASS_AGENT_AT_(NAME, LIST, TALLY, 1)                                                 \
                    own = MASS_NEXT_##LOST(own + 1);                                                     \
                    if (own >= last) break;                                                              \
                }                                                                                        \
            }                                                                                            \
            MASS_EACH_(MASS_CARRY_, LIST)                                                                \
            MASS_EACH_(FLUSH, LIST)                                                                      \
            next = last;                                                                                 \
        }                                                                                                \
    }
/* The number of places ahead for which loops prefetch the farthest row that agents see. */
enum { MASS_FETCHED_ = 128 };
#define MASS_FETCH_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) MASS_REST_(MASS_FETCH_##VIEW(n))
#define MASS_FETCH_AROUND_(n) ~, __builtin_prefetch(MASS_JOIN(n, _row) + element + farthest + MASS_FETCHED_);
#define MASS_NEXT_0(own) (own)
#define MASS_NEXT_1(own) mass_next_refused(g.lost, (own), last)

/* LOST: for refused agents only. */
#define MASS_AGENT_(NAME, LIST, DIMENSIONS, LOST)                                                                     \
    typedef struct { MASS_EACH_(MASS_POINTER_, LIST) } MASS_JOIN(NAME, _fields);                                      \
    typedef struct {                                                                                                  \
        MASS_EACH_(MASS_WINDOW_, LIST)                                                                                \
        int64_t pitch, plane;                                                                                         \
        mass_reach reach_;                                                                                            \
        mass_site site;                                                                                               \
        mass_draws *draws;                                                                                            \
        int amid;                                                                                                     \
        char (*radius_)[1025][1025][1025][DIMENSIONS + 1]; /* the radius: the phase sets it */                        \
        uint32_t agent, move, asked, lost, cell;                                                                      \
        uint32_t first_resident, end_of_residents; /* none: for OF */                                                 \
        MASS_JOIN(NAME, _sight) sight;                                                                                \
        MASS_OTHERS_(LIST)                                                                                            \
    } MASS_JOIN(NAME, _window);                                                                                       \
    MASS_FN void MASS_JOIN(NAME, _body)(MASS_JOIN(NAME, _window) *const w);                                           \
    MASS_APART_(NAME)                                                                                                 \
    MASS_AGENT_LOOP_(NAME, LIST, DIMENSIONS, LOST, _quiet_base, 0, 0, MASS_NOTHING_, MASS_NOTHING_)                   \
    MASS_AGENT_LOOP_(NAME, LIST, DIMENSIONS, LOST, _tally_base, 0, 1, MASS_TALLY_, MASS_FLUSH_)                       \
    MASS_AGENT_LOOP_(NAME, LIST, DIMENSIONS, LOST, _quiet_checked, 1, 0, MASS_NOTHING_, MASS_NOTHING_)                \
    MASS_AGENT_LOOP_(NAME, LIST, DIMENSIONS, LOST, _tally_checked, 1, 1, MASS_TALLY_, MASS_FLUSH_)                    \
    static const mass_field MASS_JOIN(NAME, _reflection)[] = {MASS_EACH_(MASS_REFLECT_, LIST)};                       \
    static const mass_form MASS_JOIN(NAME, _forms)[] = {                                                              \
        MASS_FORM_PAIR_(NAME, LIST, MASS_FORM_LOOP, base, 0, 0)                                                       \
        MASS_FORM_PAIR_(NAME, LIST, MASS_FORM_CHECKED, checked, 0, 0)                                                 \
        {sizeof(mass_form), MASS_FORM_KERNEL, 0, MASS_FORM_PUSHES, 0, #NAME "_agents_quiet", 1, 1, 1, 0},             \
        {sizeof(mass_form), MASS_FORM_KERNEL, 0, MASS_FORM_PUSHES | MASS_FORM_TALLIES | MASS_STRIDES_(LIST), 0,       \
            #NAME "_agents_tally", 1, 1, 1, 0}};                                                                      \
    MASS_CALLBACK_(NAME) = {                                                                                          \
        sizeof(mass_callback), MASS_OVER_AGENTS, #NAME, DIMENSIONS, 0,                                                \
        sizeof MASS_JOIN(NAME, _reflection) / sizeof(mass_field), sizeof(mass_field),                                 \
        MASS_JOIN(NAME, _reflection),                                                                                 \
        sizeof MASS_JOIN(NAME, _forms) / sizeof(mass_form), sizeof(mass_form),                                        \
        MASS_JOIN(NAME, _forms), MASS_JOIN(NAME, _populations), MASS_JOIN(NAME, _sees), 0,                            \
        MASS_JOIN(NAME, _network), MASS_JOIN(NAME, _sets), MASS_JOIN(NAME, _set_count), 0};                           \
    MASS_FN void MASS_JOIN(NAME, _body)(MASS_JOIN(NAME, _window) *const mass_w)

#endif
