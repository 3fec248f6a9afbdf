/* SPDX-License-Identifier: Apache-2.0 */
/* What an export's data and its index share. */
#ifndef MASS_ENGINE_IO_EXPORT_FORMAT_H
#define MASS_ENGINE_IO_EXPORT_FORMAT_H

#include "io/export/export.h"
#include "io/folder/names.h"
#include "snapshot/snapshot.h"

#include <limits.h>
#include <stdio.h>

enum { MASS_EXPORT_AXES = 4, MASS_EXPORT_PATH = 4 * MASS_NAME_SIZE };

/* One world of a snapshot. */
typedef struct mass_export_world {
    const mass_snapshot *snapshot;
    int32_t world;    /* from 0 */
    char prefix[32];  /* of its paths: "" where it is the only one, else "/world_3" */
    uint64_t first[MASS_POPULATIONS_MAX], agents[MASS_POPULATIONS_MAX]; /* rows of each population */
} mass_export_world;

/* Calls `each` for every world, in order, until one does not return MASS_OK. */
typedef mass_status mass_export_visit(void *context, const mass_export_world *w, mass_error *error);
mass_status mass_export_worlds(const mass_snapshot *s, mass_export_visit *each, void *context, mass_error *error);

/* A data set of a world: an attribute, or a member of one. */
typedef struct mass_export_column {
    char name[2 * MASS_NAME_SIZE + 1], path[MASS_EXPORT_PATH];
    uint32_t type, components;
    int rank; /* with an axis of components, where there are several */
    uint64_t extent[MASS_EXPORT_AXES], count;
    const uint8_t *values; /* [count], apart by; of bits, rows as they are stored (bits.h) */
    size_t stride;
} mass_export_column;

/* Column `member`, from 0, of an attribute: false after the last. */
bool mass_export_column_of(const mass_export_world *w, uint32_t attribute, uint32_t member, mass_export_column *out);

/* "/world_3/points/ants/position" */
void mass_export_points_path(const mass_export_world *w, uint32_t population, const char *name,
                             char path[MASS_EXPORT_PATH]);

/* ---- one step's file ---- */

mass_status mass_export_write(const char *folder, const mass_ownership *owner, const mass_snapshot *s,
                              mass_error *error);

/* ---- the index ---- */

/* The index up to the first step, and what follows the last. */
void mass_export_index_head(FILE *to, const mass_run_facts *run);
extern const char mass_export_index_tail[];

/* A step in the index. */
mass_status mass_export_index_step(FILE *to, const mass_snapshot *s, mass_error *error);

/* A step in an index that was read: its text, within the index. */
typedef struct mass_export_entry {
    uint64_t step;
    size_t start, size;
} mass_export_entry;

typedef struct mass_export_index {
    mass_run_facts facts; /* run, and identity and plugin_hash or "" */
    mass_export_entry *entries; /* [count], in ascending steps; owned */
    size_t count;
} mass_export_index;

/* Reads an index that this engine wrote; any other is MASS_BAD_INPUT. Pure. The caller frees entries. */
mass_status mass_export_index_parse(const char *path, const uint8_t *bytes, size_t size, mass_export_index *out,
                                    mass_error *error);

#endif
