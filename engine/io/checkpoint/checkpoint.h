/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: the whole state of a run in one HDF5 file, from which it goes on to the same bits on
 * any device.
 *
 *   /                       format "mass-engine checkpoint", format_version, engine_version, plugin,
 *                           plugin_version, abi_major, abi_minor, schema, seed, step, worlds,
 *                           first_world, checkpoint_every, last_step, keep, identity, run (a hash of all that
 *                           the run was started with), plugin_hash (XXH3-128 of the plugin's file),
 *                           state_hash, state_hash_version. Versions before had no identity, run and plugin_hash
 *   /places/SPACE           a group: dimensions, size (x first), torus, dimension_labels
 *   /places/SPACE/ATTRIBUTE [worlds][nz][ny][nx][length], without worlds and length where they are 1
 *                           and the z and y that the space does not have: mass_type, length, hash,
 *                           unit, help, dimension_labels
 *   /agents/POPULATION      a group: space, capacity (0: any number), agents: how many, of all worlds.
 *                           There is no /agents where a model has no populations
 *   /agents/POPULATION/ATTRIBUTE
 *                           [agents][length], without length where it is 1, by world, place and id:
 *                           as above. Always id, lost, world (from 0) and place (row-major)
 *   /places/SPACE/AXIS, /agents/POPULATION/AXIS, /parameters/world
 *                           dimension scales, by which other programs know the axes: x, y, z, agent and
 *                           ATTRIBUTE-component, without values, and world [worlds], their numbers; x-axis and so
 *                           on where an attribute is called so. Versions before had none
 *   /tallies/NAME           a group: kind, op, fraction_bits, cumulative, unit, help, hash, and two data
 *                           sets [worlds]: accumulator, and value, as reported. Among them
 *                           POPULATION_next_id, the least id not given yet. One that counts by key, as keys
 *                           says ("numbers", "texts"), has entries, bytes and total, and instead of these two
 *                           distinct [worlds]; count [entries], by world and ascending key; and key [entries] or,
 *                           of texts, end [entries] and text [bytes], in which the texts follow each other
 *   /until                  a group, only where there is a stop condition: expression; held, the first step at
 *                           which it held in all worlds, or 2^64 - 1; steady, how many steady() it has. And
 *                           where it has some, last and unchanged [steady][worlds]: the value, and for how
 *                           many steps before this one it was the same
 *   /inputs/NAME            a group for each file that the run was started with, only where there are some: file, its
 *                           name, and hash, XXH3-128 of its bytes. NAME is what it gave: SPACE.ATTRIBUTE, or
 *                           SPACE.ATTRIBUTE[component], or "parameters"
 *   /events                 a group, only where places were drawn or are to be: text [bytes], the table of all events
 *                           that are known (io/input/events.h), its hash, XXH3-128, and applied, how many of its rows
 *                           the state has
 *   /parameters             NAME, the value, and NAME.kind: "integer", "real", "text" or "choice",
 *                           then " constant" or " given" where it is one, and " swept" where
 *                           worlds differ: NAME is then that of one of them
 *   /parameters/NAME        [worlds] of one that is swept: i64, f64, or a text of a choice: hash
 *
 * Format 1 had no state_hash_version, and no hash of tallies: its hashes are of version 1 (state_hash.h).
 *
 * Of many ranks it may be in parts, a file for each beside this one: parts.h.
 *
 * Those in small letters are HDF5 attributes. All texts have a fixed length, all data sets chunks
 * and checksums. HDF5 is not re-entrant: one thread at a time in all of these functions. Before the
 * first, SIGXFSZ has to be ignored, or a limit of file size ends the program. */
#ifndef MASS_ENGINE_IO_CHECKPOINT_CHECKPOINT_H
#define MASS_ENGINE_IO_CHECKPOINT_CHECKPOINT_H

#include "io/hdf5/open.h"
#include "snapshot/snapshot.h"
#include "state/stop_state.h"

#include <limits.h>

#ifndef MASS_ENGINE_VERSION
#define MASS_ENGINE_VERSION "0.1.0"
#endif

enum {
    MASS_CHECKPOINT_FORMAT = 2,
    MASS_WORLDS_MAX = INT32_MAX / 2, /* of a run, and the number of its first one: as the command line takes them */
    MASS_CHECKPOINT_TEXT_MAX = 65000, /* bytes of a TEXT parameter: HDF5 attributes end at 64 KiB */
    MASS_CHECKPOINT_OBJECTS_MAX = 8000 /* parameters, attributes and tallies, of each */
};

#define MASS_INPUT_PARAMETERS "parameters" /* name of an input whose values are in the parameters */

/* A file that a run was started with. */
typedef struct mass_input {
    char name[2 * MASS_NAME_SIZE + 16]; /* what it gave */
    char *file, hash[33];
} mass_input;

typedef struct mass_inputs {
    mass_input *list;
    uint32_t count;
} mass_inputs;

/* Copies its texts. */
mass_status mass_inputs_add(mass_inputs *list, const char *name, const char *file, const char *hash, mass_error *error);
void mass_inputs_free(mass_inputs *list); /* all zero is fine */

/* The table of a run's events, and how many of its rows have happened. */
typedef struct mass_recorded_events {
    char *text; /* [size]; NULL: there are none */
    size_t size;
    uint64_t applied;
} mass_recorded_events;

struct mass_ownership;
struct mass_others;

typedef struct mass_checkpoint_settings {
    const char *folder;
    uint64_t every;     /* steps between checkpoints; only stored */
    uint32_t keep;      /* newest checkpoints left in the folder; 0: all */
    uint64_t last_step; /* that the run is to end at; only stored */
    const mass_inputs *inputs; /* only stored; NULL: none */
    mass_recorded_events events; /* only stored; borrowed */
    const uint64_t *own; /* steps of the files in the folder that this run may remove; NULL: all */
    size_t own_count;
    const struct mass_ownership *owner; /* whose they are, also held against what is in the way; NULL: nobody's */
    const struct mass_parts_written *parts; /* where values are that ranks have written; NULL: here */
    const struct mass_others *others;   /* files of another run that go with the next that is written; NULL: none */
} mass_checkpoint_settings;

/* ---- the folder ---- */

typedef struct mass_checkpoint_names {
    char **paths; /* "FOLDER/ckpt-000000000250.h5" */
    uint64_t *steps;
    size_t count;
} mass_checkpoint_names;

/* The checkpoints in a folder by their names, the highest step first. Owned by the caller, even
 * when it failed. */
mass_status mass_checkpoint_list(const char *folder, mass_checkpoint_names *out, mass_error *error);
void mass_checkpoint_names_free(mass_checkpoint_names *names);

/* ---- writing ---- */

/* Whether checkpoints hold all of a model, which a run has to know before it computes: MASS_BAD_PLUGIN for too many
 * parameters, attributes or tallies, MASS_BAD_USAGE for texts that are too long. */
mass_status mass_checkpoint_check_model(const mass_model *m, mass_error *error);

/* Writes a checkpoint to where it survives a crash of the machine, and only then removes older
 * ones: those of the lowest steps beyond `keep`, never the one just written. An old file that cannot be
 * removed stays. What is under its name and not the run's is not replaced. `path`, if not NULL, becomes its name on
 * success. On failure (MASS_FAILED, or
 * MASS_BAD_USAGE for a text too long to store) the folder is as before. */
mass_status mass_checkpoint_write(const mass_checkpoint_settings *settings, const mass_snapshot *s,
                                  char path[PATH_MAX], mass_error *error);

/* ---- reading: what is wrong with a file is MASS_BAD_INPUT ---- */

/* What a checkpoint says about itself. */
typedef struct mass_checkpoint {
    char *path;
    mass_hdf5_source source;
    /* The model as it was: plugin, version, parameters with their values and whether they were
     * given (mass_parameter_format), spaces with their sizes, attributes and tallies, all by name.
     * Not stored are phases, defaults, ranges and choices, so that mass_parameter_bits and
     * mass_parameter_set are not for these parameters. Choices that are swept have those that were
     * found. */
    mass_model model;
    char engine_version[MASS_NAME_SIZE];
    uint32_t abi_major, abi_minor;
    uint64_t seed, step, every, last_step;
    int32_t worlds, first_world;
    uint32_t keep;
    uint32_t hash_version; /* of its hashes */
    char schema[33], state_hash[33];
    char plugin_hash[33]; /* of the plugin's file; "": the version that wrote it gave none */
    char identity[33]; /* of the run; "": the version that wrote it gave none */
    char run[33];      /* hash of all that it was started with; the same */
    mass_until_state until; /* the stop condition; its expression is yet to be compiled */
    mass_inputs inputs;
    mass_recorded_events events; /* owned */
    uint64_t agents[MASS_POPULATIONS_MAX]; /* of model.populations, over all worlds */
    uint8_t (*hashes)[16]; /* of model.attributes, and ... */
    uint8_t (*tally_hashes)[16]; /* of model.tallies, unless hash_version is 1 */
    mass_hdf5_place *attribute_places, *tally_places; /* of these, their data set or group */
    struct mass_parts *parts; /* of one in parts (parts.h); NULL: it is whole */
    bool repacked; /* another program has repacked it, or some of its parts, whose values hold all the same */
    int64_t file;          /* HDF5's */
} mass_checkpoint;

/* Reads and checks all but the data of places, agents and tallies. On failure *out is NULL. A hostile
 * file may crash HDF5: probe first. */
mass_status mass_checkpoint_open(const char *path, mass_checkpoint **out, mass_error *error);
void mass_checkpoint_close(mass_checkpoint *c); /* NULL is fine */

/* Refuses a model of another plugin, or with other spaces, sizes, populations, attributes or tallies. */
mass_status mass_checkpoint_match(const mass_checkpoint *c, const mass_model *model,
                                  mass_error *error);

/* Gives a model that matches what the checkpoint's worlds have of swept parameters and constants; refuses
 * values that it does not take. Others stay as they are. */
mass_status mass_checkpoint_restore_sweep(const mass_checkpoint *c, mass_model *model, mass_error *error);

/* How many agents a snapshot for a model that matches has to have room for, over all worlds:
 * counts[model->population_count]. */
void mass_checkpoint_agents(const mass_checkpoint *c, const mass_model *model, uint64_t *counts);

/* Reads the state into a snapshot allocated for a model that matches, for c->worlds and for as many
 * agents, checks it against all stored hashes, and checks where agents stand, in what order, and their
 * ids. On failure the snapshot's contents are undefined. */
mass_status mass_checkpoint_read(mass_checkpoint *c, mass_snapshot *s, mass_error *error);

/* The same with attributes going to a sink, piece by piece, in memory that does not depend on how many values there
 * are: s has been allocated for numbers. What was given before a failure counts for nothing. */
mass_status mass_checkpoint_restore(mass_checkpoint *c, mass_snapshot *s, const mass_snapshot_sink *sink,
                                    mass_error *error);

/* All the checks of the above without a model, in little memory. */
mass_status mass_checkpoint_verify(const char *path, mass_error *error);

/* Opens what a confined subprocess of limited memory and time has verified, started with the arguments
 * "--probe-checkpoint" PATH: that very file, whatever has become of its name since. A file that crashes HDF5 is refused
 * like any other. A status other than MASS_BAD_INPUT says nothing about the file. */
#define MASS_CHECKPOINT_REMEDY "take an older checkpoint" /* ends what is said of damaged ones, after ": " */
mass_status mass_checkpoint_open_probed(const char *path, mass_checkpoint **out, mass_error *error);

/* The same without opening it. */
mass_status mass_checkpoint_probe(const char *path, mass_error *error);

/* What that subprocess runs: verifies and reports. Returns its exit status. */
int mass_checkpoint_answer_probe(const char *path);

/* The same of a part that another program has repacked (parts.h), started with "--probe-part" PATH. */
int mass_part_answer_probe(const char *path);

#endif
