/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers as a function of entity and time: Philox4x32-10 of Salmon, Moraes, Dror and Shaw, "Parallel random
 * numbers: as easy as 1, 2, 3" (SC11), from the Random123 library. There is no state. The same seed, world, entity,
 * step, phase and draw give the same bits on every device.
 *
 * Key: 64 bits of Philox(key = seed, counter = world). Counter: entity 64 bits, step 40, phase 8, draw 16. The entity
 * of a place is its row-major global index, that of an agent its id. */
#ifndef MASS_RANDOM_H
#define MASS_RANDOM_H

#include <mass/impl/launch.h>
#include <mass/math.h>
#include <mass/impl/ignored.h>
#include <Random123/philox.h>

/* Four independent words, uniform over 32 bits. */
typedef struct mass_random4 { uint32_t v[4]; } mass_random4;

/* Returns the four words of a draw. The phase counts modulo 256, the draw modulo 65536. */
MASS_FN mass_random4 mass_random_block(uint64_t key, uint64_t entity, uint64_t step, uint32_t phase,
                                       uint32_t draw)
{
    const philox4x32_ctr_t counter = {{(uint32_t)entity, (uint32_t)(entity >> 32), (uint32_t)step,
        (uint32_t)(step >> 32) << 24 | (phase & 0xffu) << 16 | (draw & 0xffffu)}};
    const philox4x32_key_t k = {{(uint32_t)key, (uint32_t)(key >> 32)}};
    const philox4x32_ctr_t r = philox4x32(counter, k);
    const mass_random4 out = {{r.v[0], r.v[1], r.v[2], r.v[3]}};
    return out;
}

/* Returns the key of one world of a run. */
MASS_FN uint64_t mass_random_key(uint64_t seed, uint64_t world)
{
    const philox4x32_ctr_t counter = {{(uint32_t)world, (uint32_t)(world >> 32), 0, 0}};
    const philox4x32_key_t k = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    const philox4x32_ctr_t r = philox4x32(counter, k);
    return (uint64_t)r.v[1] << 32 | r.v[0];
}

/* Returns the step that a launch computes. */
MASS_FN uint64_t mass_launch_step(const mass_launch *l) { return l->clock ? l->step + *l->clock : l->step; }

/* Returns the random words of the body's place, or of its agent, for draw 0 to 65535 in this phase and step. */
MASS_FN mass_random4 mass_site_random(const mass_site *s, uint32_t draw)
{
    const mass_launch *l = s->launch;
    const uint64_t place = (uint64_t)((s->z * l->size[1] + s->y) * l->size[0] + s->x);
    return mass_random_block(l->random_keys[s->world], s->id ? *s->id : place, mass_launch_step(l), l->phase, draw);
}

/* The greatest draws of RANDOM and of SHUFFLED, which uses eight. */
enum { MASS_LAST_DRAW = 65535, MASS_LAST_SHUFFLE = MASS_LAST_DRAW - 7 };
/* Returns a body's draw, cut to 32 bits. It records a draw above `last` as ignored: mass_random_block takes that modulo
 * 2^16. */
MASS_FN uint32_t mass_draw(const mass_site *s, uint64_t draw, uint32_t last)
{
    if (draw > last) mass_effects_ignored(s->launch, MASS_IGNORED_DRAW);
    return (uint32_t)draw;
}

/* Uniform in [0, 1), from one word (24 bits) or two (53 bits). */
MASS_FN float mass_unit_f32(uint32_t word) { return (float)(word >> 8) * 0x1p-24f; }
MASS_FN double mass_unit_f64(uint32_t high, uint32_t low)
{
    return (double)(((uint64_t)high << 32 | low) >> 11) * 0x1p-53;
}

/* Returns a number uniform in 0 to n - 1, from two words; 0 for n = 0. It is the product of n and a 64-bit fraction:
 * the probability of every value is within 2^-64 of 1/n. It needs no rejections, so it costs the same on every place
 * and needs no further draw. */
MASS_FN uint32_t mass_below_u32(uint32_t n, uint32_t high, uint32_t low)
{
    return (uint32_t)(((uint64_t)high * n + ((uint64_t)low * n >> 32)) >> 32);
}

/* Returns a normal number with mean 0 and variance 1, from a whole block, by the method of G. E. P. Box and M. E.
 * Muller, "A note on the generation of random normal deviates" (1958). Its size is at most 8.6. */
MASS_FN double mass_normal_f64(mass_random4 r)
{
    const double radius = mass_sqrt_f64(-2.0 * mass_log_f64(1.0 - mass_unit_f64(r.v[0], r.v[1])));
    return radius * mass_cos_f64(0x1.921fb54442d18p+2 * mass_unit_f64(r.v[2], r.v[3]));
}

enum { MASS_POINTS = 8 /* MASS_GEOMETRIC of network.h */ };
/* Sets the point of a node of a geometric network (network.h) with that .seed: x and y, from 0 and below 1. */
MASS_FN void mass_geometric_point(uint64_t seed, mass_gidx node, double point[2])
{
    const mass_random4 r = mass_random_block(mass_random_key(seed, MASS_POINTS), (uint64_t)node, 0, 0, 0);
    point[0] = mass_unit_f64(r.v[0], r.v[1]);
    point[1] = mass_unit_f64(r.v[2], r.v[3]);
}

/* Returns the rank of element i's random number among those of n elements, in n draws. Equal numbers rank by
 * element. */
MASS_FN uint64_t mass_ranked_u64_(uint64_t key, uint64_t step, uint32_t phase, uint32_t draw, uint64_t i, uint64_t n)
{
    const mass_random4 own = mass_random_block(key, i, step, phase, draw);
    const uint64_t number = (uint64_t)own.v[0] << 32 | own.v[1];
    uint64_t before = 0;
    for (uint64_t k = 0; k < n; k++) {
        const mass_random4 other = mass_random_block(key, k, step, phase, draw);
        const uint64_t its = (uint64_t)other.v[0] << 32 | other.v[1];
        before += its < number || (its == number && k < i);
    }
    return before;
}

/* The permutation of mass_shuffled_u64 for any n of at least 1: a Feistel network of 8 rounds, repeated from element i
 * until the result is below n. i is below n. */
MASS_FN uint64_t mass_permuted_u64(uint64_t key, uint64_t step, uint32_t phase, uint32_t draw, uint64_t i, uint64_t n)
{
    uint32_t half = 1;
    while (half < 32 && (n - 1) >> 2 * half) half++;
    const uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (uint32_t round = 0; round < 8; round++) {
            const uint64_t mixed = left ^ (mass_random_block(key, right, step, phase, draw + round).v[0] & mask);
            left = right;
            right = mixed;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}

/* Returns element i of a random permutation of 0 to n - 1, without an array that holds it; i itself if that is n or
 * more. Elements 0, 1, 2 ... are picks without repetition. For i a place's own number, the result is the place's
 * position in a random order.
 *
 * A Feistel network permutes the numbers of an even number of bits: M. Luby and C. Rackoff, "How to construct
 * pseudorandom permutations from pseudorandom functions" (1988). Repeating it until the result is below n permutes the
 * numbers below n: J. Black and P. Rogaway, "Ciphers with arbitrary finite domains" (2002). It takes fewer than four
 * turns in the mean.
 *
 * Few bits would show a bias, so up to 16 elements are ranked by random numbers of their own. Either way, draws `draw`
 * to `draw` + 7 of entities below 2^32 are used: other random numbers of the same phase and step need other draws. */
MASS_FN uint64_t mass_shuffled_u64(uint64_t key, uint64_t step, uint32_t phase, uint32_t draw, uint64_t i, uint64_t n)
{
    if (i >= n) return i;
    return n <= 16 ? mass_ranked_u64_(key, step, phase, draw, i, n)
                   : mass_permuted_u64(key, step, phase, draw, i, n);
}

/* Returns the element that a body gets: the permutation is the same for all of its world, in this phase and step. */
MASS_FN uint64_t mass_site_shuffled(const mass_site *s, uint32_t draw, uint64_t i, uint64_t n)
{
    return mass_shuffled_u64(s->launch->random_keys[s->world], mass_launch_step(s->launch), s->launch->phase, draw, i,
                             n);
}

#endif
