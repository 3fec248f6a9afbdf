/* SPDX-License-Identifier: Apache-2.0 */
/* A look at a run in the terminal while it goes on: the picture that its plugin declares, and below it the step, the
 * speed and the tallies, of the first world. What is looked at is copied between two steps, and drawn by a thread of
 * its own; a terminal that is slow gets fewer looks, and never holds up the run. On standard error. Main thread. */
#ifndef MASS_ENGINE_IO_PICTURE_WATCH_H
#define MASS_ENGINE_IO_PICTURE_WATCH_H

#include "state/domain.h"
#include "process/progress.h"

typedef struct mass_watch mass_watch;

/* MASS_BAD_USAGE unless standard error is a terminal that can be drawn on. */
mass_status mass_watch_check(mass_error *error);

/* slice: as of mass_picture_check. The model is borrowed. */
mass_status mass_watch_create(const mass_model *model, mass_gidx slice, mass_watch **out, mass_error *error);
void mass_watch_free(mass_watch *); /* NULL is fine */

/* Whether a look is due: a few times a second, and as rarely as it takes to cost a run one part in a hundred. Cheap
 * enough for every step. Of NULL: never. */
bool mass_watch_is_due(mass_watch *w);

/* Shows the present state, with the tallies of this step, unless that is what is shown already. What there is no
 * memory for is not shown. NULL is fine. */
void mass_watch_look(mass_watch *w, mass_domain *d, const mass_progress *progress, uint64_t step);

/* What was shown last stays, and the terminal is given back. NULL is fine. */
void mass_watch_end(mass_watch *w);

double mass_watch_seconds(const mass_watch *w); /* that looks have taken from the run; of NULL: 0 */

#endif
