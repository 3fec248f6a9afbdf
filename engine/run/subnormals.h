/* SPDX-License-Identifier: Apache-2.0 */
/* Reports attributes with many subnormal numbers, which make CPUs slow. It samples the state between two steps, so
 * steps cost no more. Main thread. */
#ifndef MASS_ENGINE_RUN_SUBNORMALS_H
#define MASS_ENGINE_RUN_SUBNORMALS_H

#include "state/domain.h"

enum { MASS_SUBNORMALS_TEXT = 400 };

/* Returns true if steps write floats without .flush. */
bool mass_subnormals_may_come(const mass_model *m);

/* Sets the elements of chunk i of a sample of `all`: the number of the first one, and how many. Returns false if there
 * are no more chunks. They are spread evenly, with a shift, so that they are not all in the same columns. If there are
 * few elements, the chunks are all of them. */
bool mass_subnormals_chunk(int64_t all, int64_t i, int64_t *first, int64_t *count);

/* Samples the attributes of all ranks. text: a sentence about the attribute with the highest share of subnormal
 * numbers, with its callback and the remedy. It is "" if all shares are below one in a thousand. All ranks call it
 * (rpc.h), those other than rank 0 with NULL. Waits for the device. */
mass_status mass_subnormals_look(mass_domain *d, char text[MASS_SUBNORMALS_TEXT], mass_error *error);

/* The times of samples in a run: after half a second, then at twice the pause each time. */
typedef struct mass_subnormals_watch {
    bool on;
    double next, pause;
} mass_subnormals_watch;
void mass_subnormals_begin(mass_subnormals_watch *w, const mass_domain *d, bool wanted);
/* Returns true if the next sample is due. */
bool mass_subnormals_are_due(const mass_subnormals_watch *w);
/* Takes a sample. If there is a sentence, prints it and turns the watch off; else sets when the next sample is due. If
 * the watch is off, does nothing. Of several ranks, rank 0 calls it. */
mass_status mass_subnormals_say(mass_subnormals_watch *w, mass_domain *d, mass_error *error);

#endif
