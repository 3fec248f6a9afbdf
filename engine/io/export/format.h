/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by an export's data and its index. */
#ifndef MASS_ENGINE_IO_EXPORT_FORMAT_H
#define MASS_ENGINE_IO_EXPORT_FORMAT_H

#include "io/export/export.h"
#include "io/folder/names.h"
#include "model/network.h"
#include "snapshot/snapshot.h"

#include <limits.h>
#include <stdio.h>

enum { MASS_EXPORT_AXES = 4, MASS_EXPORT_PATH = 4 * MASS_NAME_SIZE };

/* One world of a snapshot. */
typedef struct mass_export_world {
    const mass_snapshot *snapshot;
    int32_t world;    /* index from 0 */
    char prefix[32];  /* of its paths: "" for the only world, else such as "/world_3" */
    uint64_t first[MASS_POPULATIONS_MAX], agents[MASS_POPULATIONS_MAX]; /* each population's first row, and rows */
} mass_export_world;

/* Handles one world. */
typedef mass_status mass_export_visit(void *context, const mass_export_world *w, mass_error *error);

/* Calls `each` for every world, in order, until a call does not return MASS_OK. */
mass_status mass_export_worlds(const mass_snapshot *s, mass_export_visit *each, void *context, mass_error *error);

/* A data set of a world: an attribute, or one of its members. */
typedef struct mass_export_column {
    char name[2 * MASS_NAME_SIZE + 1], path[MASS_EXPORT_PATH];
    uint32_t type, components;
    int rank; /* includes an axis of components, if there are several */
    uint64_t extent[MASS_EXPORT_AXES], count;
    const uint8_t *values; /* [count], `stride` bytes apart; for bits, packed rows (bits.h) */
    size_t stride;
} mass_export_column;

/* Describes member number `member`, from 0, of an attribute, whose values are the snapshot's; false after the last one.
 * Numbers have only member 0, and a struct without members has none. */
bool mass_export_column_of(const mass_export_world *w, uint32_t attribute, uint32_t member, mass_export_column *out);

/* Returns whether agents of a space have positions. Its grid then begins at 0, with cells as long as the space's;
 * else cells are as long as 1, with their centres at whole numbers. */
bool mass_export_is_continuous(const mass_model *m, uint32_t space);

/* Returns whether readers get an attribute as a vector of three components, the last one 0: two real components of
 * agents with positions. */
bool mass_export_is_vector(const mass_model *m, uint32_t attribute);

/* Writes a path such as "/world_3/points/ants/position". */
void mass_export_points_path(const mass_export_world *w, uint32_t population, const char *name,
                             char path[MASS_EXPORT_PATH]);

/* ---- networks ---- */

/* Sets the point of a node: all are on a circle around 0, one apart along it, from (x, 0, 0) on towards y. */
void mass_export_locate_node(mass_gidx nodes, mass_gidx node, double at[3]);

/* Returns whether a network or set has edges, and these do not change: all steps and worlds have them. */
bool mass_export_has_edges(const mass_network_def *n);

/* Writes the name of the grid of these edges, "town_edges", or that of a further set. */
void mass_export_edges_name(const mass_network_def *n, char name[2 * MASS_NAME_SIZE]);

/* Lists the source and the target of each edge, in the order of targets, then of sources; of an undirected edge first
 * the lower node. number: where the values of its attributes are. Both have room for n->edges, whose number it
 * returns. */
uint64_t mass_export_list_edges(const mass_network_def *n, uint32_t *ends /* [edges][2] */,
                                uint64_t *number /* [edges] */);

/* ---- one step's file ---- */

/* Writes a step's file under its name, or none on failure. MASS_FAILED if it cannot be written. */
mass_status mass_export_write(const char *folder, const mass_ownership *owner, const mass_snapshot *s,
                              mass_error *error);

/* ---- the index ---- */

/* Prints the index up to the first step. The tail is what follows the last one. */
void mass_export_index_head(FILE *to, const mass_run_facts *run);
extern const char mass_export_index_tail[];

/* Prints a step of the index. */
mass_status mass_export_index_step(FILE *to, const mass_snapshot *s, mass_error *error);

/* A step in an index that was read: the position of its text. */
typedef struct mass_export_entry {
    uint64_t step;
    size_t start, size;
} mass_export_entry;

typedef struct mass_export_index {
    mass_run_facts facts; /* has run, and identity and plugin_hash or "" */
    mass_export_entry *entries; /* [count], in ascending steps; owned */
    size_t count;
} mass_export_index;

/* Reads an index that this engine wrote; MASS_BAD_INPUT for any other. The caller frees entries, also on failure.
 * Pure. */
mass_status mass_export_index_parse(const char *path, const uint8_t *bytes, size_t size, mass_export_index *out,
                                    mass_error *error);

#endif
