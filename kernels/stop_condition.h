/* SPDX-License-Identifier: Apache-2.0 */
/* Stop conditions: an expression that is evaluated after every step. */
#ifndef MASS_KERNELS_STOP_CONDITION_H
#define MASS_KERNELS_STOP_CONDITION_H

#include "evaluate.h"

/* Evaluations of a stop condition, after each of `rows` steps. Pointers are addresses on the device. */
typedef struct mass_until_work {
    const mass_instruction *program; /* [count] */
    uint32_t count;
    int32_t worlds;
    const int64_t *tallies; /* [tallies][worlds][words] of the first step */
    int32_t rows;           /* number of steps */
    int64_t row;            /* int64_t between the tallies of one step and the next */
    mass_steady *steady;    /* [steady()s][worlds] in and out */
    uint64_t step;          /* the first step; plus *clock, if clock is not NULL */
    const uint64_t *clock;
    uint64_t *held; /* in and out: if it is UINT64_MAX, becomes the first step after which the condition holds in all
                       worlds. Otherwise nothing changes */
    uint32_t *closed; /* [worlds] gates that close if the condition holds in a recorded evaluation */
} mass_until_work;

/* Returns whether the condition holds in a world, `later` steps after the work's first step. A value of NaN is false.
 * Advances steady(): call it once for each step and world, in order. */
MASS_FN int mass_until_holds(const mass_until_work *w, int32_t world, uint64_t step, int32_t later)
{
    const double value = mass_evaluate(w->program, w->count, w->tallies + later * w->row, w->worlds, world,
                                       step + (uint64_t)later, w->steady);
    return value != 0 && value == value;
}

#endif
