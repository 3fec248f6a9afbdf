/* SPDX-License-Identifier: Apache-2.0 */
/* The export (--fields): places and agents of some steps for other programs, as a folder of HDF5 files and an XDMF
 * index, which ParaView and VisIt open as a time series.
 *
 *   fields.xmf             the index: every step that is in the folder. Replaced as a whole with each
 *   fields-STEP.h5         one step, of at least 12 digits. Replaced never, once it has its name
 *     /                    format "mass-engine fields", format_version, engine_version, plugin, plugin_version, run (a
 *                          hash of all that the run was started with), seed, step, worlds, first_world, identity and
 *                          plugin_hash (as of a checkpoint), made (what the run is made of: io/folder/made.h)
 *     /places/SPACE/ATTRIBUTE
 *                          [nz][ny][nx][length], without length where it is 1: unit and help where there are any
 *     /agents/POPULATION/ATTRIBUTE
 *                          [agents][length]: the same, of id, lost, world, place and what the model has
 *     /points/POPULATION/position, vertex
 *                          [agents][3], x first, and [agents], counting from 0: what the index makes points of
 *
 * Members of a struct are data sets of their own, ATTRIBUTE.MEMBER. With several worlds, each has a group of its own,
 * /world_K/places and so on, K as --first-world counts. Axes are named in DIMENSION_LABELS, and are
 * dimension scales beside the data, x, y, z, agent, axis and ATTRIBUTE-component; x-axis where an attribute is called
 * x.
 *
 * One thread at a time may be in HDF5, and SIGXFSZ has to be ignored. */
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
    mass_folder *place;  /* the checkpoint folder, which may be the same, or NULL */
    bool resumed;        /* what is there up to `step` goes on, and is replaced otherwise */
    uint64_t step;       /* where the run begins */
} mass_export_plan;

/* Looks at the folder, which need not be there yet. Refuses what is of another run, or no fields, where
 * nobody said --force.
 * The plan is copied but for its texts, which are borrowed, as is the model. */
mass_status mass_export_create(const mass_export_plan *plan, const mass_model *model, mass_export **out,
                               mass_error *error);
void mass_export_free(mass_export *); /* NULL is fine */

/* Makes the folder, and takes away the steps that the run does again. checkpoints: that folder by now, or NULL. */
mass_status mass_export_begin(mass_export *f, mass_folder *checkpoints, mass_error *error);

bool mass_export_has(const mass_export *f, uint64_t step);

/* Writes a step, later than those before, and the index with it, to where they survive a crash of the machine. On
 * failure (MASS_FAILED) the folder is as it was, or has the step, and it is not certain that a crash of the machine
 * leaves it there: mass_export_has says which. */
mass_status mass_export_add(mass_export *f, const mass_snapshot *s, mass_error *error);

#endif
