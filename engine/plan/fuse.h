/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that one launch may take together: those of a model whose step is one callback over places, which nobody looks
 * at in between.
 *
 * Tallies of such steps go to rows of accumulators: those of the last step to the tallies themselves, those of earlier
 * steps to rows in front of them (history in state/domain.h). A stop condition looks at row after row. If it holds in
 * the middle of a launch, the steps up to that one are taken again from the old buffer.
 *
 * Over ranks, ghosts along the cuts are thick enough for several launches. A launch also computes the layers of ghosts
 * that the next ones read, fewer each time, so that ranks exchange once in several launches. If tallies count, ranks
 * exchange before every launch, since computed ghosts would count twice. Pure. */
#ifndef MASS_ENGINE_FUSE_H
#define MASS_ENGINE_FUSE_H

#include "plan/plan.h"

enum { MASS_FUSE_MOST = 64 };

/* Why the steps of a model are taken one after the other, in words; NULL: they may be taken together, as far as the
 * device can. */
const char *mass_fuse_why_not(const mass_model *m);

/* For --fuse: MASS_BAD_USAGE where there is such a reason and more than one step to take, and where steps are no power
 * of two. */
mass_status mass_fuse_check(const mass_model *m, int32_t steps, mass_error *error);

/* The phase that a step of such a model consists of. */
uint32_t mass_fuse_phase(const mass_model *m);

/* Makes ghosts so thick that `steps` of them can be taken at once. Before there is a domain. */
void mass_fuse_thicken(mass_model *m, int32_t steps);
/* ... and along the cuts between `slabs` slabs so much thicker that several such launches go by one exchange. */
void mass_fuse_deepen(mass_model *m, const mass_device *device, int32_t steps, int32_t slabs);
/* How many launches of `steps` steps go by one exchange. */
int32_t mass_fuse_passes(const mass_domain *d, int32_t steps);

/* The most steps that the device takes at once, the tallies of each of which count if `tallies`. */
int32_t mass_fuse_most(const mass_domain *d, const mass_prepared *prepared, bool tallies);

/* Why that is one, for who is told so; has_rule: there are rules of bits of that phase; no_rule: or NULL, why not;
 * no_bits: as nobody asked. */
const char *mass_fuse_why_one(const mass_domain *d, bool has_rule, const char *no_rule, bool no_bits);

#endif
