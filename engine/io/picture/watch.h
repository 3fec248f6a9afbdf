/* SPDX-License-Identifier: Apache-2.0 */
/* Shows a run in the terminal while it goes on: the picture that its plugin declares, and below it the step, the speed
 * and the tallies of the first world. The state is copied between two steps, and a thread draws it. A slow terminal
 * gets fewer frames, and never delays the run. Uses standard error. Main thread. */
#ifndef MASS_ENGINE_IO_PICTURE_WATCH_H
#define MASS_ENGINE_IO_PICTURE_WATCH_H

#include "state/domain.h"
#include "process/progress.h"

typedef struct mass_watch mass_watch;

/* MASS_BAD_USAGE unless standard error is a terminal that supports drawing. */
mass_status mass_watch_check(mass_error *error);

/* Creates the display; the caller frees it. slice: as in mass_picture_check. The model is borrowed. */
mass_status mass_watch_create(const mass_model *model, mass_gidx slice, mass_watch **out, mass_error *error);
void mass_watch_free(mass_watch *); /* NULL is allowed */

/* Returns true if a frame is due: a few times a second, but so rarely that frames take at most a hundredth of the run's
 * time. Cheap enough for every step. NULL: never. */
bool mass_watch_is_due(mass_watch *w);

/* Shows the present state with this step's tallies, unless it is shown already or the run is in the background. Waits
 * until the last frame is drawn. If memory is short, shows less. NULL is allowed. */
void mass_watch_look(mass_watch *w, mass_domain *d, const mass_progress *progress, uint64_t step);

/* Ends the display: the last frame stays, and the terminal is given back. NULL is allowed. */
void mass_watch_end(mass_watch *w);

double mass_watch_seconds(const mass_watch *w); /* time that frames have taken from the run; NULL: 0 */

#endif
