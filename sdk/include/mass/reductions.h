/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions that a model declares: tallies that the engine computes from an attribute, without a callback. */
#ifndef MASS_REDUCTIONS_H
#define MASS_REDUCTIONS_H

#include <mass/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MASS_HISTOGRAM = 65 }; /* an operation, as MASS_SUM, MASS_MEAN, MASS_MIN and MASS_MAX are */

/* A reduction of one component of an attribute, in one world, after a step: over all places of the space, or all living
 * agents of the population. It is a tally like others, but the engine computes it only if an output needs it, also at
 * step 0 and after a resume. Checkpoints do not store it. Callbacks do not add to it, and conditions of phases cannot
 * use it.
 *
 * A sum of integers is an int64_t and wraps. A sum of floats, and every mean, is the double nearest to the exact one.
 * Minima and maxima leave out NaN; of u64 they are the nearest doubles. A histogram is a tally of bins: bin i counts
 * low + i * width <= v < low + (i + 1) * width, where width = (high - low) / bins, all computed in double. The last bin
 * includes high. NAME.below, NAME.above and NAME.nan are tallies of the values that no bin counts. Integers beyond 2^53
 * enter means and bins as the nearest doubles. */
typedef struct mass_reduction {
    uint32_t struct_size;
    uint32_t operation;
    const char *name, *help, *unit; /* help and unit may be NULL */
    const char *population; /* the population whose agents it reduces; NULL: places ... */
    const char *space;      /* ... of this space; NULL: the space declared first */
    const char *attribute;  /* an attribute of numbers; interleaved: two or three reals of agents */
    uint32_t component;
    uint32_t bins;          /* of a histogram, 1 or more, between low and high */
    double low, high;
} mass_reduction;

#define MASS_REDUCTIONS_ID "mass.reductions/0"
typedef struct mass_reductions_table {
    uint32_t struct_size;
    mass_status (*reduction)(mass_host *, const mass_reduction *); /* in open, after the attribute */
} mass_reductions_table;

/* Returns the functions for reductions that a plugin may call. */
static inline const mass_reductions_table *mass_reductions_of(mass_host *host)
{
    return (const mass_reductions_table *)host->service(host, MASS_REDUCTIONS_ID);
}

/* MASS_DECLARE_REDUCTION(host, .name = "wealth", .operation = MASS_HISTOGRAM, .population = "ants",
 *                        .attribute = "wealth", .bins = 64, .low = 0, .high = 100); */
#define MASS_DECLARE_REDUCTION(HOST, ...)       \
    mass_reductions_of(HOST)->reduction((HOST), \
                                        &(const mass_reduction){.struct_size = sizeof(mass_reduction), __VA_ARGS__})

#ifdef __cplusplus
}
#endif
#endif
