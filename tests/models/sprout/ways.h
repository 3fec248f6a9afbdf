/* SPDX-License-Identifier: Apache-2.0 */
/* What decides in the model `sprout`, for the model and for the plain loop of known.c. */
#ifndef MASS_TESTS_MODELS_SPROUT_WAYS_H
#define MASS_TESTS_MODELS_SPROUT_WAYS_H

#include <mass/arithmetic.h>
#include <stdint.h>

/* Returns a number by three others, from which all choices of the model come. */
MASS_FN uint64_t sprout_mix(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t h = a * UINT64_C(0x9e3779b97f4a7c15) ^ (b + 1) * UINT64_C(0xbf58476d1ce4e5b9) ^
                 (c + 2) * UINT64_C(0x94d049bb133111eb);
    h ^= h >> 29;
    h *= UINT64_C(0xd6e8feb86659fd93);
    return h ^ h >> 32;
}
/* Return the number of a place and of an agent in a step. */
MASS_FN uint64_t sprout_place(uint64_t place, uint64_t step, uint64_t soil)
{
    return sprout_mix(place, step, soil) % UINT64_C(1000003);
}
MASS_FN uint64_t sprout_agent(uint64_t id, uint64_t step, uint64_t beast)
{
    return sprout_mix(id, step, beast + 100) % UINT64_C(1000003);
}
/* Return what such a number stands for. */
MASS_FN int sprout_weeds(uint64_t h) { return h % 5 ? 0 : (int)(h / 5 % 4); } /* 0 to 3 */
MASS_FN int sprout_beasts(uint64_t h) { return h % 7 ? 0 : 1 + (int)(h / 7 % 2); }
MASS_FN int sprout_is_set(uint64_t h, int k) { return (int)(h >> 9 >> k & 1); }
MASS_FN int64_t sprout_energy(uint64_t h, int k) { return (int64_t)(h % 1000) * 4 + k; }
MASS_FN int sprout_children(uint64_t h) { return h % 6 ? 0 : (int)(h / 6 % 3); }
MASS_FN int sprout_dies(uint64_t h) { return h % 4 == 1; }
MASS_FN int sprout_move(uint64_t h, int axis)
{
    return (int)((axis == 0 ? h : axis == 1 ? h / 3 : h / 9) % 3) - 1;
}

#endif
