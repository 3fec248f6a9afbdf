/* SPDX-License-Identifier: Apache-2.0 */
/* How much of what callbacks write in steps is subnormal, which makes CPUs slow: found in a sample of the state between
 * two steps, so that steps cost what they cost. Main thread. */
#ifndef MASS_ENGINE_RUN_SUBNORMALS_H
#define MASS_ENGINE_RUN_SUBNORMALS_H

#include "state/domain.h"

enum { MASS_SUBNORMALS_TEXT = 400 };

/* Whether steps write floats that .flush leaves alone. */
bool mass_subnormals_may_come(const mass_model *m);

/* Looks at all ranks' attributes, and says in a sentence which one has most of them, what writes it, and what to do; ""
 * where all have fewer than one in a thousand. All ranks call it (rpc.h); others than rank 0 with NULL. Waits for the
 * device. */
mass_status mass_subnormals_look(mass_domain *d, char text[MASS_SUBNORMALS_TEXT], mass_error *error);

/* When a run looks, so that it is no part of its time: after half a second, and then twice as late each time. */
typedef struct mass_subnormals_watch {
    bool on;
    double next, pause;
} mass_subnormals_watch;
void mass_subnormals_begin(mass_subnormals_watch *w, const mass_domain *d, bool wanted);
bool mass_subnormals_are_due(const mass_subnormals_watch *w);
/* Looks, and says in a line what there is, once. */
mass_status mass_subnormals_say(mass_subnormals_watch *w, mass_domain *d, mass_error *error);

#endif
