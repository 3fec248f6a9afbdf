/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions over tallies: programs in postfix order for a small stack machine. The CPU and CUDA share it, and get the
 * same bits. Both sides of && and || are always evaluated, so steady() misses no step. It keeps a value and a count,
 * so a checkpoint has room for it whatever its number of steps. */
#ifndef MASS_KERNELS_EVALUATE_H
#define MASS_KERNELS_EVALUATE_H

#include <mass/arithmetic.h>
#include <mass/callback.h>
#include <mass/impl/exact.h>
#include <mass/plugin.h>

enum { MASS_EXPRESSION_DEPTH = 64 }; /* values on the stack at once */

/* Each takes its operands from the stack and pushes one value. Comparisons give 1 or 0; any value but 0 is true. */
typedef enum mass_operation {
    MASS_OP_NUMBER,
    MASS_OP_TALLY,
    MASS_OP_STEP,
    MASS_OP_STEADY,
    MASS_OP_NEGATE,
    MASS_OP_NOT,
    MASS_OP_ADD,
    MASS_OP_SUBTRACT,
    MASS_OP_MULTIPLY,
    MASS_OP_DIVIDE,
    MASS_OP_LESS,
    MASS_OP_AT_MOST,
    MASS_OP_GREATER,
    MASS_OP_AT_LEAST,
    MASS_OP_EQUAL,
    MASS_OP_UNEQUAL,
    MASS_OP_AND,
    MASS_OP_OR
} mass_operation;

typedef struct mass_instruction {
    uint32_t operation;
    uint32_t index; /* of a tally, or of a steady() */
    uint32_t access, kind, fraction_bits; /* of the tally */
    uint32_t bin, words;                  /* bin of the tally, 0 if it has none; accumulators of one world */
    uint64_t first;                       /* accumulators of a world before the tally's */
    int32_t world;  /* the world whose tally is read; -1: the world that is evaluated */
    uint32_t late;  /* the tally has no value at step 0 */
    double number;  /* the number; of steady(), the steps that the value must stay the same */
} mass_instruction;

/* The state of one steady() in one world. */
typedef struct mass_steady {
    double last;
    int64_t unchanged; /* steps for which the value has been `last`; -1: no value yet */
} mass_steady;

/* Returns an exact sum or mean. A function that is not inlined, because it is long and rarely used. */
#ifdef __CUDACC__
static __device__ __noinline__
#else
static __attribute__((noinline, unused))
#endif
double mass_number_of_sum(const int64_t *words, int mean)
{
    return mean ? mass_exact_mean(words) : mass_exact_value(words);
}

/* Returns a tally as a number. NaN: a minimum or maximum without contributions, or a fixed-point sum that
 * overflowed. */
MASS_FN double mass_number_of_tally(const mass_instruction *i, const int64_t *accumulators)
{
    const int64_t accumulator = *accumulators;
    if (i->access == MASS_OF_WORLD)
        return i->kind == MASS_TALLY_REAL ? mass_f64_bits((uint64_t)accumulator) : (double)accumulator;
    if (i->access == MASS_MEAN || (i->access == MASS_SUM && i->kind == MASS_TALLY_REAL))
        return mass_number_of_sum(accumulators, i->access == MASS_MEAN);
    if (i->access != MASS_SUM && accumulator == (i->access == MASS_MIN ? INT64_MAX : INT64_MIN))
        return mass_f64_bits(0x7ff8000000000000ull);
    if (i->kind == MASS_TALLY_REAL) return mass_f64_rank(accumulator);
    if (i->kind == MASS_TALLY_FIXED && i->access == MASS_SUM && mass_beyond_fixed(accumulator) < 0)
        return mass_f64_bits(0x7ff8000000000000ull);
    if (i->kind == MASS_TALLY_FIXED) return (double)accumulator / (double)((int64_t)1 << i->fraction_bits);
    return (double)accumulator;
}

/* Records the value of this step, once a step. Returns whether it has been the same for `steps` steps. NaN is the same
 * as NaN. */
MASS_FN int mass_steady_take(mass_steady *s, double value, double steps)
{
    const double next = mass_canonical_f64(value);
    const int same = s->unchanged >= 0 && (next == s->last || (next != next && s->last != s->last));
    s->unchanged = same ? s->unchanged + 1 : 0;
    s->last = next;
    return (double)s->unchanged >= steps;
}

/* Returns a, combined with b by a mass_operation. Comparisons, AND and OR give 0 or 1; any other operation is OR. */
MASS_FN double mass_combine(uint32_t operation, double a, double b)
{
    switch (operation) {
    case MASS_OP_ADD: return a + b;
    case MASS_OP_SUBTRACT: return a - b;
    case MASS_OP_MULTIPLY: return a * b;
    case MASS_OP_DIVIDE: return a / b;
    case MASS_OP_LESS: return a < b;
    case MASS_OP_AT_MOST: return a <= b;
    case MASS_OP_GREATER: return a > b;
    case MASS_OP_AT_LEAST: return a >= b;
    case MASS_OP_EQUAL: return a == b;
    case MASS_OP_UNEQUAL: return a != b;
    case MASS_OP_AND: return a != 0 && b != 0;
    default: return a != 0 || b != 0;
    }
}

/* Evaluates a program in one world after a step. A tally without a value is NaN. tallies is [tallies][worlds][words];
 * steady is [steady()s][worlds], in and out. The program must come from mass_expression_compile. */
MASS_FN double mass_evaluate(const mass_instruction *program, uint32_t count, const int64_t *tallies, int32_t worlds,
                             int32_t world, uint64_t step, mass_steady *steady)
{
    double stack[MASS_EXPRESSION_DEPTH] = {0};
    uint32_t top = 0; /* values on the stack */
    for (uint32_t k = 0; k < count; k++) {
        const mass_instruction *i = &program[k];
        const int32_t of = i->world < 0 ? world : i->world;
        if (i->operation == MASS_OP_NUMBER) stack[top++] = i->number;
        else if (i->operation == MASS_OP_STEP) stack[top++] = (double)step;
        else if (i->operation == MASS_OP_TALLY && i->late && step == 0)
            stack[top++] = mass_f64_bits(0x7ff8000000000000ull);
        else if (i->operation == MASS_OP_TALLY)
            stack[top++] =
                mass_number_of_tally(i, tallies + (int64_t)i->first * worlds + (int64_t)of * i->words + i->bin);
        else if (i->operation == MASS_OP_STEADY)
            stack[top - 1] = mass_steady_take(&steady[(int64_t)i->index * worlds + world], stack[top - 1], i->number);
        else if (i->operation == MASS_OP_NEGATE) stack[top - 1] = -stack[top - 1];
        else if (i->operation == MASS_OP_NOT) stack[top - 1] = stack[top - 1] == 0;
        else {
            top--;
            stack[top - 1] = mass_combine(i->operation, stack[top - 1], stack[top]);
        }
    }
    return mass_canonical_f64(stack[0]);
}

#endif
