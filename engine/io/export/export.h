/* SPDX-License-Identifier: Apache-2.0 */
/* The export (--fields) writes places and agents of some steps for other programs. It is a folder of HDF5 files with an
 * XDMF index, which ParaView and VisIt open as a time series.
 *
 *   fields.xmf             the index of all steps in the folder. Each new step replaces it as a whole
 *   fields-STEP.h5         one step, with at least 12 digits. It is never replaced once it has its name
 *     /                    format "mass-engine fields", format_version, engine_version, plugin, plugin_version, run (a
 *                          hash of everything that the run was started with), seed, step, worlds, first_world,
 *                          identity, plugin_hash (as in a checkpoint), made (what the run is made of: io/folder/made.h)
 *     /places/SPACE/ATTRIBUTE
 *                          [nz][ny][nx][length], without length if it is 1: unit and help, if there are any
 *     /agents/POPULATION/ATTRIBUTE
 *                          [agents][length]: the same, for id, lost, world, place and the model's attributes
 *     /points/POPULATION/position, vertex, ATTRIBUTE
 *                          [agents][3], x first; and [agents], from 0: the index makes points of these. In continuous
 *                          space also attributes of two real components, [agents][3] with 0 as the third
 *     /points/NETWORK_edges/ends
 *                          [edges][2] of edges that change, in place of these: source and place
 *     /networks/NETWORK/position, vertex
 *                          [nodes][3] and [nodes], from 0
 *     /networks/NAME/ends  [edges][2] of the edges of a network or set that do not change: source and target, by
 *                          target, then by source; of undirected ones the lower node and the other, in this order
 *     /edges/NAME/ATTRIBUTE
 *                          [edges]
 *
 * Each member of a struct is a data set, ATTRIBUTE.MEMBER. With several worlds, each has its own group, /world_K/places
 * and so on, with K as in --first-world; /networks and /edges are those of all. DIMENSION_LABELS has the names of axes.
 * The axes x, y, z, agent, axis, node, edge, end and ATTRIBUTE-component are dimension scales next to the data; an axis
 * is called x-axis if an attribute is called x.
 *
 * Only one thread at a time may use HDF5, and SIGXFSZ has to be ignored. */
#ifndef MASS_ENGINE_IO_EXPORT_H
#define MASS_ENGINE_IO_EXPORT_H

#include "snapshot/snapshot.h"
#include "io/folder/lock.h"
#include "io/folder/ownership.h"

enum { MASS_EXPORT_FORMAT = 1 };

#define MASS_EXPORT_INDEX "fields.xmf"

typedef struct mass_export mass_export;

typedef struct mass_export_plan {
    const char *folder;
    const mass_ownership *owner;
    mass_folder *place;  /* the locked checkpoint folder, which may be the same folder; or NULL */
    bool resumed;        /* keeps existing steps up to `step`; else existing steps are replaced */
    uint64_t step;       /* first step of the run */
} mass_export_plan;

/* Checks the folder, which need not exist yet, and locks it if it does. Without --force, refuses files of another run,
 * and files that are not fields. Refuses a model that reads a stream. Copies the plan, but borrows its texts and the
 * model. */
mass_status mass_export_create(const mass_export_plan *plan, const mass_model *model, mass_export **out,
                               mass_error *error);
void mass_export_free(mass_export *); /* NULL is allowed */

/* Creates and locks the folder, unless it is the checkpoint folder. Writes the index, and removes the steps that the
 * run repeats. checkpoints: the locked checkpoint folder, or NULL. */
mass_status mass_export_begin(mass_export *f, mass_folder *checkpoints, mass_error *error);

/* Returns true if the export has a step. */
bool mass_export_has(const mass_export *f, uint64_t step);

/* Writes a step, later than all before, and the new index, so that both survive a crash of the machine. After
 * MASS_FAILED, mass_export_has tells what happened. If false, the folder is as before; if true, it has the step, but a
 * crash of the machine may lose it. */
mass_status mass_export_add(mass_export *f, const mass_snapshot *s, mass_error *error);

#endif
