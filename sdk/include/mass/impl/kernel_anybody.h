/* SPDX-License-Identifier: Apache-2.0 */
/* Agents anywhere in the world, and free places: what the words of kernel_agents.h need for them, on CPUs and GPUs. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_KERNEL_ANYBODY_H
#define MASS_KERNEL_ANYBODY_H

/* Is true for an agent of this world in population k; nobody is none. */
MASS_FN int mass_is_somebody(const mass_site *s, const mass_reach *reach, uint32_t k, mass_somebody o)
{
    const mass_everybody *const e = &s->launch->everybody[k];
    if (o.agent == MASS_NOBODY) {
        mass_report_other(s, reach->checked, MASS_OUT_OF_REACH_NOBODY, 0, 0, 0);
        return 0;
    }
    if (!e->start) return 0; /* no entry names the population */
    const uint32_t first = e->start[s->world * e->stride];
    return o.agent - first < e->start[(s->world + 1) * e->stride] - first;
}
/* Returns the address of an agent's element in an array; `none` for nobody. Takes what is needed for agents nearby. */
MASS_FN const void *mass_of_somebody(const mass_site *s, const mass_reach *reach, const mass_walked *walked, uint32_t k,
                                     uint32_t self, mass_somebody o, const void *array, size_t size, const void *none)
{
    (void)walked, (void)self;
    return mass_is_somebody(s, reach, k, o) ? (const char *)array + (size_t)o.agent * size : (const char *)none;
}
/* Returns an agent's id; 2^64 - 1 for nobody. */
MASS_FN uint64_t mass_id_of_somebody(const mass_site *s, const mass_reach *reach, const mass_walked *walked, uint32_t k,
                                     uint32_t self, mass_somebody o)
{
    (void)walked, (void)self;
    return mass_is_somebody(s, reach, k, o) ? s->launch->everybody[k].id[o.agent] : UINT64_MAX;
}

/* Returns the handle of an agent; MASS_NOBODY gives that of nobody. */
MASS_FN mass_somebody mass_somebody_at(uint32_t agent)
{
    const mass_somebody o = {agent};
    return o;
}
/* Returns an agent of the body's world, drawn by two random words, or nobody if there are none. */
MASS_FN mass_somebody mass_one_of(const mass_site *s, uint32_t k, mass_random4 r)
{
    const mass_everybody *const e = &s->launch->everybody[k];
    const uint32_t first = e->start[s->world * e->stride], count = e->start[(s->world + 1) * e->stride] - first;
    return mass_somebody_at(count ? first + mass_below_u32(count, r.v[0], r.v[1]) : MASS_NOBODY);
}
/* Returns the agent of the body's world with an id, or nobody. */
MASS_FN mass_somebody mass_agent_by_id(const mass_site *s, uint32_t k, uint64_t id)
{
    const mass_everybody *const e = &s->launch->everybody[k];
    const uint32_t first = e->start[s->world * e->stride], count = e->start[(s->world + 1) * e->stride] - first;
    for (uint32_t slot = mass_slot_of(s->world, id, e->last_slot);; slot = (slot + 1) & e->last_slot) {
        const uint32_t agent = e->slots[slot];
        if (agent == MASS_NOBODY || (e->id[agent] == id && agent - first < count)) return mass_somebody_at(agent);
    }
}
/* Returns the handle of the body's own agent, by its number among those of all processes. */
MASS_FN mass_somebody mass_self(const mass_site *s, uint32_t agent)
{
    const uint32_t *const moved = s->launch->everybody[0].moved;
    return mass_somebody_at(moved ? agent + moved[s->world] : agent);
}

/* Refuse a word without its entry. Once a list is wrong, the number of every population is 3, and so is the set. */
#define MASS_CHECK_ANYBODY_(population, call, entries)                                                 \
    MASS_CHECK_WORD_HAS_(                                                                              \
        MASS_IS_IN_SET_(sizeof *MASS_MEMBER_OF_(POINTER, any_) - 1, MASS_POPULATION_IN_(population)),  \
        call " needs an entry of " #population " in the callback's list: " entries)
#define MASS_IS_IN_SET_(set, k) ((set) >> (k) & 1 || ((k) == 3 && (set) == 3))
#define MASS_CHECK_FREE_(call)                                         \
    MASS_CHECK_WORD_HAS_(sizeof *MASS_MEMBER_OF_(POINTER, seeks_) > 1, \
                         call " needs the entry FREE_PLACES(population) in the callback's list")
#ifdef __cplusplus
#define MASS_CHECK_WORD_HAS_(condition, text) (void)sizeof(__extension__({ MASS_ASSERT_(condition, text) 0; })),
#else
#define MASS_CHECK_WORD_HAS_(condition, text) (void)sizeof(struct { MASS_ASSERT_(condition, text) int mass_; }),
#endif

#define ONE_OF(population, draw)                                                                         \
    (MASS_CHECK_ANYBODY_(population, "ONE_OF(" #population ", " #draw ")", "ANYBODY or ADDS_ANYBODY")    \
     mass_one_of(&mass_w->site, (uint32_t)MASS_POPULATION_IN_(population), RANDOM(draw)))
#define AGENT(population, id)                            \
    ((void)MASS_MEMBER_OF_(POINTER, by_id_##population), \
     mass_agent_by_id(&mass_w->site, (uint32_t)MASS_POPULATION_IN_(population), (id)))
#define SELF mass_self(&mass_w->site, mass_w->agent)
#define FREE_PLACE(draw) (MASS_CHECK_FREE_("FREE_PLACE(" #draw ")") mass_free_place(&mass_w->site, RANDOM(draw)))
#define MIGRATE_TO_PLACE(p) MASS_ASK_FOR_PLACE_(mass_move_to_place(&mass_w->site, mass_w->agent, (p)))

/* ---- free places ---- */

/* Returns the number of full places before a cell. */
MASS_FN int64_t mass_full_before(const mass_seats *full, int64_t cell)
{
#ifdef __CUDACC__
    return mass_agents_before(((const uint2 *)full)[cell / 32], (uint32_t)cell);
#else
    return mass_agents_before(full[cell / 32], (uint32_t)cell);
#endif
}
/* Returns the number of bits that are 1. */
MASS_FN uint32_t mass_ones_of(uint32_t bits)
{
#ifdef __CUDACC__
    return (uint32_t)__popc(bits);
#else
    return mass_ones_u32(bits);
#endif
}
/* Returns the position of the bit of 0 that has `nth` bits of 0 below it. */
MASS_FN int mass_nth_free(uint32_t held, uint32_t nth)
{
    int bit = 0;
    for (int width = 16; width > 0; width /= 2) {
        const uint32_t lower = ~(held >> bit) & ((1u << width) - 1), ones = mass_ones_of(lower);
        if (nth >= ones) nth -= ones, bit += width;
    }
    return bit;
}
/* Returns the word, from `low` to `high`, that has free cell number `nth`. `first` free cells are before word low, and
 * `end` up to the end of word high. The first tries are interpolations: if free cells are spread evenly, they find the
 * word at once. The later tries halve the range, so that few are needed in any case. */
MASS_FN int64_t mass_word_of_free(const mass_seats *full, int64_t low, int64_t high, int64_t first, int64_t end,
                                  int64_t nth)
{
    for (int tries = 6; low < high; tries--) {
        const int64_t guess =
            tries > 0 ? low + (int64_t)((double)(nth - first) / (double)(end - first) * (double)(high - low + 1))
                      : low + (high - low) / 2;
        const int64_t at = guess < low ? low : guess > high ? high : guess;
        const int64_t before = 32 * at - full[at].before, after = before + 32 - mass_ones_of(full[at].held);
        if (nth < before) high = at - 1, end = before;
        else if (nth >= after) low = at + 1, first = after;
        else return at;
    }
    return low;
}
/* Returns a place of the world drawn evenly from those that are not full, or -1. */
MASS_FN int64_t mass_free_place(const mass_site *s, mass_random4 r)
{
    const mass_launch *const l = s->launch;
    const mass_seats *const full = l->full;
    const int64_t places = l->populations[0].places_all, cell = s->world * places;
    const int64_t before = cell - mass_full_before(full, cell);
    const int64_t count = cell + places - mass_full_before(full, cell + places) - before;
    if (count == 0) return -1;
    const int64_t nth = before + mass_below_u32((uint32_t)count, r.v[0], r.v[1]);
    const int64_t word = mass_word_of_free(full, cell / 32, (cell + places - 1) / 32, before, before + count, nth);
    return 32 * word + mass_nth_free(full[word].held, (uint32_t)(nth - (32 * word - full[word].before))) - cell;
}
/* Returns the request for a move to a place of the whole space: a place below 0 asks to stay, and one that does not
 * exist for MASS_CELL_NOWHERE. If another process has the place, it stores the place in remote_move. */
MASS_FN uint32_t mass_move_to_place(const mass_site *s, uint32_t agent, int64_t place)
{
    const mass_agents *const g = &s->launch->populations[0];
    if (place < 0) return MASS_CELL_STAY;
    if (place >= g->places_all) return MASS_CELL_NOWHERE;
    if (MASS_HOLDS_A_PART_(s->launch)) {
        const mass_gidx here = place - g->first_place;
        if ((uint64_t)here >= (uint64_t)g->places) {
            g->remote_move[agent] = place;
            return MASS_CELL_REMOTE;
        }
        place = here;
    }
    return (uint32_t)(s->world * g->places + place);
}

#endif
