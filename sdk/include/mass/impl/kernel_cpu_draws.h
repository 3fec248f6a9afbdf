/* SPDX-License-Identifier: Apache-2.0 */
/* Random words of agents on CPUs. If one agent after the other draws them, those of the next agents are computed
 * together, in vectors. A body in which few agents draw computes no unused words. */
#ifndef MASS_KERNEL_CPU_DRAWS_H
#define MASS_KERNEL_CPU_DRAWS_H

#include <mass/random.h>
#include <string.h>

/* Attributes of functions for processors with more than the baseline. */
#define MASS_TARGET_AVX2_ __attribute__((target("avx2,bmi2")))
#ifdef __clang__
#define MASS_TARGET_AVX512_ __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq"), min_vector_width(512)))
#else
#define MASS_TARGET_AVX512_ __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,prefer-vector-width=512")))
#endif

/* The words that a loop over agents of one world has drawn ahead. */
enum { MASS_DRAWN_AHEAD = 16 };
typedef struct mass_draws {
    uint32_t first, draw; /* words[] belong to the agents from `first` on, and to this draw; UINT32_MAX: there are
                             none */
    uint32_t next, end;   /* the agent after the last one that drew; the agent after all agents of the loop */
    uint64_t words[4][MASS_DRAWN_AHEAD]; /* in their lower halves */
} mass_draws;

/* The same as mass_random_block, for the entities from id[0] on. Philox4x32-10 in lanes of 64 bits, whose upper halves
 * do not matter; compilers by themselves would multiply all 64 bits. One function for each instruction set. */
#define MASS_DRAW_AHEAD_(ISA, TARGET, LANES)                                                                        \
    typedef uint64_t mass_lanes_##ISA __attribute__((vector_size(8 * (LANES))));                                    \
    TARGET static void mass_draw_ahead_##ISA(mass_draws *d, const uint64_t *id, uint64_t key, uint64_t step,        \
                                             uint32_t phase) __attribute__((noinline, unused));                     \
    TARGET static void mass_draw_ahead_##ISA(mass_draws *d, const uint64_t *id, uint64_t key, uint64_t step,        \
                                             uint32_t phase)                                                        \
    {                                                                                                               \
        const uint32_t last = (uint32_t)(step >> 32) << 24 | (phase & 0xffu) << 16 | (d->draw & 0xffffu);           \
        const mass_lanes_##ISA none = {0}, first = none + 0xd2511f53u, second = none + 0xcd9e8d57u;                 \
        for (int i = 0; i < MASS_DRAWN_AHEAD; i += LANES) {                                                         \
            mass_lanes_##ISA v[4], product[2];                                                                      \
            uint32_t low = (uint32_t)key, high = (uint32_t)(key >> 32);                                             \
            memcpy(&v[0], id + i, sizeof v[0]);                                                                     \
            v[1] = v[0] >> 32, v[2] = none + (uint32_t)step, v[3] = none + last;                                    \
            for (int round = 0; round < 10; round++, low += 0x9e3779b9u, high += 0xbb67ae85u) {                     \
                __asm__("vpmuludq %2, %1, %0" : "=v"(product[0]) : "v"(v[0]), "v"(first));                          \
                __asm__("vpmuludq %2, %1, %0" : "=v"(product[1]) : "v"(v[2]), "v"(second));                         \
                v[0] = (product[1] >> 32) ^ v[1] ^ (none + low);                                                    \
                v[2] = (product[0] >> 32) ^ v[3] ^ (none + high);                                                   \
                v[1] = product[1], v[3] = product[0];                                                               \
            }                                                                                                       \
            for (int k = 0; k < 4; k++) memcpy(&d->words[k][i], &v[k], sizeof v[k]);                                \
        }                                                                                                           \
    }
#if defined(__x86_64__) && !defined(MASS_BASELINE_ONLY)
MASS_DRAW_AHEAD_(avx2, MASS_TARGET_AVX2_, 4)
MASS_DRAW_AHEAD_(avx512, MASS_TARGET_AVX512_, 8)
enum { MASS_DRAWS_AHEAD = 1 };
/* Draws for the agents from id[0] on, MASS_DRAWN_AHEAD of them. Returns 1; or 0, with no change, if the processor lacks
 * the instructions. */
MASS_FN int mass_draw_ahead(mass_draws *d, const uint64_t *id, uint64_t key, uint64_t step, uint32_t phase)
{
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        mass_draw_ahead_avx512(d, id, key, step, phase);
    else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        mass_draw_ahead_avx2(d, id, key, step, phase);
    else return 0;
    return 1;
}
#else
enum { MASS_DRAWS_AHEAD = 0 };
/* Draws nothing, and returns 0: this build has no such code. */
MASS_FN int mass_draw_ahead(mass_draws *d, const uint64_t *id, uint64_t key, uint64_t step, uint32_t phase)
{
    (void)d, (void)id, (void)key, (void)step, (void)phase;
    return 0;
}
#endif

/* Returns the words of an agent that were drawn ahead. It must be one of those from `first` on. */
MASS_FN mass_random4 mass_drawn_words(const mass_draws *d, uint32_t agent)
{
    const uint32_t i = agent - d->first;
    const mass_random4 r = {{(uint32_t)d->words[0][i], (uint32_t)d->words[1][i], (uint32_t)d->words[2][i],
                             (uint32_t)d->words[3][i]}};
    return r;
}

/* Returns the words of an agent that were not drawn ahead, and may draw those of the next agents. If few agents draw,
 * nothing else reads ids: so it prefetches those that the next draws may need. */
enum { MASS_IDS_AHEAD = 64 };
static mass_random4 mass_draw_now(mass_draws *d, uint32_t agent, const uint64_t *id, uint64_t key, uint64_t step,
                                  uint32_t phase, uint32_t draw) __attribute__((noinline, unused));
static mass_random4 mass_draw_now(mass_draws *d, uint32_t agent, const uint64_t *id, uint64_t key, uint64_t step,
                                  uint32_t phase, uint32_t draw)
{
    const int follows = agent == d->next && d->end - agent >= MASS_DRAWN_AHEAD;
    d->next = agent + 1;
    if (follows) {
        d->draw = draw;
        d->first = agent;
        if (mass_draw_ahead(d, id, key, step, phase)) {
            d->next = agent + MASS_DRAWN_AHEAD;
            return mass_drawn_words(d, agent);
        }
        d->draw = UINT32_MAX;
    }
    for (int i = MASS_IDS_AHEAD; i < 2 * MASS_IDS_AHEAD; i += 8) __builtin_prefetch(id + i);
    return mass_random_block(key, *id, step, phase, draw);
}

/* Prepares for the agents of one world, up to before `end`. */
MASS_FN void mass_begin_draws(mass_draws *d, uint32_t end)
{
    d->first = 0;
    d->draw = d->next = UINT32_MAX;
    d->end = end;
}

/* Returns random numbers of an agent or a place, those of mass_site_random. d: shared by the agents of the loop; NULL
 * for places. */
MASS_FN mass_random4 mass_random_of(const mass_site *s, mass_draws *d, uint32_t draw)
{
    if (!d || !MASS_DRAWS_AHEAD) return mass_site_random(s, draw);
    const mass_launch *const l = s->launch;
    const uint32_t agent = (uint32_t)(s->id - l->populations[0].id);
    if (d->draw == draw && agent - d->first < MASS_DRAWN_AHEAD) return mass_drawn_words(d, agent);
    return mass_draw_now(d, agent, s->id, l->random_keys[s->world], mass_launch_step(l), l->phase, draw);
}

#endif
