/* SPDX-License-Identifier: Apache-2.0 */
/* The slabs that ranks had at the end, for reports of runs whose slabs may differ. */
#ifndef MASS_ENGINE_REPORT_SLABS_H
#define MASS_ENGINE_REPORT_SLABS_H

#include "split/share.h"

#include <jansson.h>

typedef struct mass_slabs_result {
    const mass_share *share; /* NULL: nothing to report */
    const mass_space_def *space;
    bool repartitioned;      /* slabs were adapted to the time that ranks needed */
    uint64_t repartitions;   /* number of repartitions */
} mass_slabs_result;

/* Adds `rows`, by rank, to the object, and `recuts` if slabs were adapted; nothing if s->share is NULL. */
void mass_report_slabs_json(const mass_slabs_result *s, json_t *object);

/* Prints a line of the ranks' rows, by mass_progress_say; nothing if s->share is NULL. */
void mass_report_say_slabs(const mass_slabs_result *s);

#endif
