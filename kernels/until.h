/* SPDX-License-Identifier: Apache-2.0 */
/* Stop conditions: an expression that is evaluated after every step. */
#ifndef MASS_KERNELS_UNTIL_H
#define MASS_KERNELS_UNTIL_H

#include "evaluate.h"

/* One evaluation, after a step, or some, one after the other, after as many steps. Pointers are addresses on the
 * device. */
typedef struct mass_until_work {
    const mass_instruction *program; /* [count] */
    uint32_t count;
    int32_t worlds;
    const int64_t *tallies; /* [tallies][worlds][words] of the first */
    int32_t rows;           /* of so many steps, and */
    int64_t row;            /* so many int64_t from those of one step to those of the next */
    mass_steady *steady;    /* [steady()s][worlds] in and out */
    uint64_t step;          /* of the first, plus *clock, if clock is not NULL */
    const uint64_t *clock;
    uint64_t *held; /* out: the first step, if it is UINT64_MAX, with which the condition holds in all worlds. Where it
                       is another, nothing changes */
    uint32_t *closed; /* [worlds] gates that close where the evaluation is recorded and the condition holds */
} mass_until_work;

/* After the work's first step and `later` more. */
MASS_FN int mass_until_holds(const mass_until_work *w, int32_t world, uint64_t step, int32_t later)
{
    const double value = mass_evaluate(w->program, w->count, w->tallies + later * w->row, w->worlds, world,
                                       step + (uint64_t)later, w->steady);
    return value != 0 && value == value;
}

#endif
