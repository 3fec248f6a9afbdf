/* SPDX-License-Identifier: Apache-2.0 */
/* Fused steps: several steps in one launch. A model allows them if its step is one callback over places, and no
 * output is due in between.
 *
 * Each fused step has its own row of tally accumulators. The last step uses the tallies themselves. Earlier steps
 * use the rows in front of them (history in state/domain.h). The stop condition tests row after row. If it holds in
 * the middle of a launch, the engine repeats the steps up to that one from the old buffer.
 *
 * Between ranks, the ghosts along the cuts are thick enough for several launches. Each launch also computes the
 * ghost layers that the next one reads, fewer each time. So one exchange serves several launches. If tallies count,
 * ranks exchange before every launch, because computed ghosts would count twice. Pure. */
#ifndef MASS_ENGINE_FUSE_H
#define MASS_ENGINE_FUSE_H

#include "plan/plan.h"

enum { MASS_FUSE_MOST = 64 };

/* Returns the reason that a model takes its steps one at a time. NULL: it may fuse steps, as far as the device can. */
const char *mass_fuse_why_not(const mass_model *m);

/* Checks --fuse. One step is always allowed. MASS_BAD_USAGE if `steps` is no power of two, or if the model takes
 * steps one at a time. */
mass_status mass_fuse_check(const mass_model *m, int32_t steps, mass_error *error);

/* Returns the phase that is the whole step of a model that may fuse steps. Of other models, the first phase of a step,
 * or the number of phases. */
uint32_t mass_fuse_phase(const mass_model *m);

/* Makes ghosts thick enough for `steps` fused steps; thicker ones stay. The model may fuse steps. Call it before the
 * domain exists. */
void mass_fuse_thicken(mass_model *m, int32_t steps);
/* Makes ghosts along the cuts between `slabs` slabs thicker, so that one exchange serves several launches of `steps`
 * steps. The same holds as for mass_fuse_thicken. */
void mass_fuse_deepen(mass_model *m, const mass_device *device, int32_t steps, int32_t slabs);
/* Returns how many launches of `steps` steps one exchange serves; 1 if the space is not divided between ranks.
 * Ghosts must be thick enough for one launch. */
int32_t mass_fuse_passes(const mass_domain *d, int32_t steps);

/* Returns the most steps that the device fuses; 1: none. prepared: the callback of mass_fuse_phase. tallies: the
 * tallies of each step count, so at most as many as the domain has rows for. */
int32_t mass_fuse_most(const mass_domain *d, const mass_prepared *prepared, bool tallies);

/* Returns the reason that the device takes one step at a time, for a message. The model may fuse steps. has_rule: the
 * phase has rules of bits. no_rule: the reason that it has none, or NULL. no_bits: the user gave --no-bits. */
const char *mass_fuse_why_one(const mass_domain *d, bool has_rule, const char *no_rule, bool no_bits);

#endif
