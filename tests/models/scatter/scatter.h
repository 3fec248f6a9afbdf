/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers that callbacks of the model "scatter" add, and their targets, for the model and its plain reference. */
#ifndef MASS_TESTS_MODELS_SCATTER_H
#define MASS_TESTS_MODELS_SCATTER_H

#include <mass/arithmetic.h>
#include <mass/callback.h>

extern const mass_callback scatter_sow, scatter_throw_1d, scatter_throw_2d, scatter_throw_3d, scatter_gather_1d,
    scatter_gather_2d, scatter_gather_3d, scatter_toss, scatter_meet, scatter_spill;

/* Returns 64 bits for a place, or an agent, and a step. */
MASS_FN uint64_t scatter_draw(uint64_t who, uint64_t step)
{
    uint64_t bits = (who * 0x9e3779b97f4a7c15u + step) * 0xd1342543de82ef95u;
    bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93u;
    return bits ^ bits >> 32;
}

/* Returns component `which`, 0 to 11, of offsets up to `radius` away. */
MASS_FN int scatter_offset(uint64_t draw, int which, int64_t radius)
{
    return (int)((draw >> 5 * which & 31) % (uint64_t)(2 * radius + 1)) - (int)radius;
}

#endif
