/* SPDX-License-Identifier: Apache-2.0 */
/* A population's initial agents from a file, for all worlds of a run, in canonical order. */
#ifndef MASS_ENGINE_POPULATION_TABLE_H
#define MASS_ENGINE_POPULATION_TABLE_H

#include "model/model.h"

typedef struct mass_table {
    uint32_t count;
    uint64_t *id;    /* [count] */
    uint32_t *cell;  /* [count]: world * places + place, worlds counted from 0 */
    void **values;   /* [attribute_count of the model], each [count][length], or NULL for defaults; those of the ids may
                        be `id` itself */
    int64_t *next_id; /* [worlds] */
} mass_table;

#endif
