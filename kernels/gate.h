/* SPDX-License-Identifier: Apache-2.0 */
/* Gates of conditional phases, and the number of agents in a world. */
#ifndef MASS_KERNELS_GATE_H
#define MASS_KERNELS_GATE_H

#include <mass/impl/world.h>

#include <string.h>

/* Decides in which worlds a conditional phase runs; see mass_condition. Pointers are addresses on the device. */
typedef struct mass_gate_work {
    int32_t worlds;
    uint32_t relation;
    const int64_t *tally;      /* [worlds] */
    double value;              /* the bound; multiplied by ... */
    const uint64_t *parameter; /* ... this [worlds], a double if `real`, else an int64_t; NULL: 1 */
    int real;
    const uint32_t *start;     /* ... and the number of agents of the world, which has `places` cells; NULL: 1 */
    int64_t places;
    const uint32_t *closed;    /* [worlds], not 0: closed, whatever the condition; or NULL */
    uint32_t *gates;           /* [worlds] out: 0 open, 1 closed */
} mass_gate_work;

/* Returns the number of this rank's agents in one of its worlds. */
MASS_FN int64_t mass_agents_of_world(const uint32_t *start, int64_t places, int32_t world)
{
    return (int64_t)start[(world + 1) * places] - (int64_t)start[world * places];
}

/* Returns whether the condition holds in a world: its tally, which is an integer, against value, times parameter and
 * number of agents if given. */
MASS_FN int mass_condition_holds(const mass_gate_work *w, int32_t world)
{
    double bound = w->value;
    if (w->parameter) {
        double real;
        memcpy(&real, &w->parameter[world], sizeof real);
        bound *= w->real ? real : (double)(int64_t)w->parameter[world];
    }
    if (w->start) bound *= (double)mass_agents_of_world(w->start, w->places, world);
    return mass_relation_holds(w->relation, (double)w->tally[world], bound);
}

/* Returns 1 if the world's gate is closed: closed for good, or its condition does not hold. */
MASS_FN uint32_t mass_gate_of(const mass_gate_work *w, int32_t world)
{
    return (w->closed && w->closed[world]) || !mass_condition_holds(w, world);
}

#endif
