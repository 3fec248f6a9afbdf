/* SPDX-License-Identifier: Apache-2.0 */
/* What the data and the index of fields share. */
#ifndef MASS_ENGINE_IO_EXPORT_FORMAT_H
#define MASS_ENGINE_IO_EXPORT_FORMAT_H

#include "io/export/fields.h"
#include "io/folder/names.h"

#include <limits.h>
#include <stdio.h>

enum { MASS_FIELDS_AXES = 4, MASS_FIELDS_PATH = 4 * MASS_NAME_SIZE };

/* One world of a snapshot. */
typedef struct mass_fields_world {
    const mass_snapshot *snapshot;
    int32_t world;    /* from 0 */
    char prefix[32];  /* of its paths: "" where it is the only one, else "/world_3" */
    uint64_t first[MASS_POPULATIONS_MAX], agents[MASS_POPULATIONS_MAX]; /* rows of each population */
} mass_fields_world;

/* Calls `each` for every world, in order, until one does not return MASS_OK. */
typedef mass_status mass_fields_visit(void *context, const mass_fields_world *w, mass_error *error);
mass_status mass_fields_worlds(const mass_snapshot *s, mass_fields_visit *each, void *context, mass_error *error);

/* A data set of a world: an attribute, or a member of one. */
typedef struct mass_fields_column {
    char name[2 * MASS_NAME_SIZE + 1], path[MASS_FIELDS_PATH];
    uint32_t type, components;
    int rank; /* with an axis of components, where there are several */
    uint64_t extent[MASS_FIELDS_AXES], count;
    const uint8_t *values; /* [count], apart by */
    size_t stride;
} mass_fields_column;

/* Column `member`, from 0, of an attribute: false after the last. */
bool mass_fields_column_of(const mass_fields_world *w, uint32_t attribute, uint32_t member, mass_fields_column *out);

/* "/world_3/points/ants/position" */
void mass_fields_points_path(const mass_fields_world *w, uint32_t population, const char *name,
                             char path[MASS_FIELDS_PATH]);

/* ---- one step's file ---- */

mass_status mass_fields_write(const char *folder, const mass_ownership *owner, const mass_snapshot *s,
                              mass_error *error);

/* ---- the index ---- */

/* The index up to the first step, and what follows the last. */
void mass_fields_index_head(FILE *to, const mass_run_facts *run);
extern const char mass_fields_index_tail[];

/* A step in the index. */
mass_status mass_fields_index_step(FILE *to, const mass_snapshot *s, mass_error *error);

/* A step in an index that was read: its text, within the index. */
typedef struct mass_fields_entry {
    uint64_t step;
    size_t start, size;
} mass_fields_entry;

typedef struct mass_fields_index {
    mass_run_facts facts; /* run, and identity and plugin_hash or "" */
    mass_fields_entry *entries; /* [count], in ascending steps; owned */
    size_t count;
} mass_fields_index;

/* Reads an index that this engine wrote; any other is MASS_BAD_INPUT. Pure. The caller frees entries. */
mass_status mass_fields_index_parse(const char *path, const uint8_t *bytes, size_t size, mass_fields_index *out,
                                    mass_error *error);

#endif
