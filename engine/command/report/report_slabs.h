/* SPDX-License-Identifier: Apache-2.0 */
/* What a report says of the slabs that ranks had at the end, where they need not be equal. */
#ifndef MASS_ENGINE_REPORT_SLABS_H
#define MASS_ENGINE_REPORT_SLABS_H

#include "split/share.h"

#include <jansson.h>

typedef struct mass_slabs_result {
    const mass_share *share; /* NULL: there is nothing to say */
    const mass_space_def *space;
    bool repartitioned;      /* they followed what ranks took for them: */
    uint64_t repartitions;   /* so often they were divided again */
} mass_slabs_result;

/* Adds rows, by rank, and recuts to the object. */
void mass_report_slabs_json(const mass_slabs_result *s, json_t *object);
void mass_report_say_slabs(const mass_slabs_result *s);

#endif
