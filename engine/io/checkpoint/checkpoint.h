/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: the whole state of a run in one HDF5 file. A run that resumes from it gets the same bits on any device.
 *
 *   /                       format "mass-engine checkpoint", format_version, engine_version, plugin,
 *                           plugin_version, abi_major, abi_minor, schema, seed, step, worlds,
 *                           first_world, checkpoint_every, last_step, keep, identity, run (hash of everything that
 *                           the run was started with), plugin_hash (XXH3-128 of the plugin's file),
 *                           state_hash, state_hash_version. Earlier versions had no identity, run and plugin_hash
 *   /places/SPACE           a group: dimensions, size (x first), torus, dimension_labels
 *   /places/SPACE/ATTRIBUTE [worlds][nz][ny][nx][length], without worlds and length if they are 1,
 *                           and without z and y if the space lacks them: mass_type, length, hash,
 *                           unit, help, dimension_labels
 *   /agents/POPULATION      a group: space, capacity (0: no limit), agents: the number over all worlds.
 *                           A model without populations has no /agents
 *   /agents/POPULATION/ATTRIBUTE
 *                           [agents][length], without length if it is 1, by world, place and id:
 *                           as above. Always id, lost, world (from 0) and place (row-major)
 *   /places/SPACE/AXIS, /agents/POPULATION/AXIS, /parameters/world
 *                           dimension scales, which tell other programs the axes: x, y, z, agent and
 *                           ATTRIBUTE-component, without values; and world [worlds], the worlds' numbers. An axis is
 *                           called x-axis and so on if an attribute has its name. Earlier versions had none
 *   /tallies/NAME           a group: kind, op, fraction_bits, cumulative, unit, help, hash, and two data
 *                           sets [worlds]: accumulator, and value, as reported. One of them is
 *                           POPULATION_next_id, the least id not given yet. A tally that counts by key has keys
 *                           ("numbers" or "texts"), entries, bytes and total. Instead of the two data sets it has
 *                           distinct [worlds]; count [entries], by world and ascending key; and key [entries], or
 *                           for texts end [entries] and text [bytes], in which the texts follow one another
 *   /until                  a group, if there is a stop condition: expression; held, the first step at which
 *                           it held in all worlds, or 2^64 - 1; steady, the number of its steady() calls. If
 *                           there are some, last and unchanged [steady][worlds]: the value, and for how
 *                           many steps before this one it was the same
 *   /inputs/NAME            a group for each file that the run was started with, if there are some: file, its
 *                           name, and hash, XXH3-128 of its bytes. NAME is what the file gave: SPACE.ATTRIBUTE,
 *                           SPACE.ATTRIBUTE[component], or "parameters"
 *   /events                 a group, if places were drawn or are to be: text [bytes], the table of all known events
 *                           (io/input/events.h), its hash, XXH3-128, and applied, the number of its rows that
 *                           the state has
 *   /networks/NAME          a group for each network whose nodes have names: names [nodes], texts by node, with their
 *                           hash, XXH3-128, and bytes, the length of each with zeros at its end. Nodes behind
 *                           the last one have no name
 *   /parameters             NAME, the value, and NAME.kind: "integer", "real", "text" or "choice",
 *                           then " constant" or " given" if it is one, and " swept" if worlds
 *                           differ: NAME is then the value of one world
 *   /parameters/NAME        [worlds] values of a swept parameter: i64, f64, or a choice as text: hash
 *
 * Format 1 had neither state_hash_version nor hashes of tallies: its hashes are of version 1 (state_hash.h).
 *
 * With several ranks, a checkpoint may be in parts, with a file for each rank next to this one: parts.h.
 *
 * Names in lower case without a path are HDF5 attributes. All texts have a fixed length, and all data sets have chunks
 * and checksums. HDF5 is not re-entrant: only one thread at a time may be in these functions. SIGXFSZ has to be ignored
 * before the first call; else a limit of file size ends the program. */
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
    MASS_WORLDS_MAX = INT32_MAX / 2, /* most worlds of a run, and highest number of its first one, as in options */
    MASS_CHECKPOINT_TEXT_MAX = 65000, /* bytes of a TEXT parameter: HDF5 attributes have at most 64 KiB */
    MASS_CHECKPOINT_OBJECTS_MAX = 8000 /* most parameters; also most attributes, and most tallies */
};

#define MASS_INPUT_PARAMETERS "parameters" /* name of the input that gave parameters */

/* A file that a run was started with. */
typedef struct mass_input {
    char name[2 * MASS_NAME_SIZE + 16]; /* what the file gave */
    char *file, hash[33];
} mass_input;

typedef struct mass_inputs {
    mass_input *list;
    uint32_t count;
} mass_inputs;

/* Adds an input to the list, and copies its texts; too long ones are cut. */
mass_status mass_inputs_add(mass_inputs *list, const char *name, const char *file, const char *hash, mass_error *error);
void mass_inputs_free(mass_inputs *list); /* all zero is allowed */

/* The table of a run's events, and how many of its rows were applied. */
typedef struct mass_recorded_events {
    char *text; /* [size]; NULL: no events */
    size_t size;
    uint64_t applied;
} mass_recorded_events;

struct mass_ownership;
struct mass_others;

typedef struct mass_checkpoint_settings {
    const char *folder;
    uint64_t every;     /* steps between checkpoints; only stored */
    uint32_t keep;      /* how many of the newest checkpoints stay in the folder; 0: all */
    uint64_t last_step; /* planned last step; only stored */
    const mass_inputs *inputs; /* only stored; NULL: none */
    mass_recorded_events events; /* only stored; borrowed */
    const uint64_t *own; /* steps of the files in the folder that this run may remove; NULL: all */
    size_t own_count;
    const struct mass_ownership *owner; /* the run, which may replace only its own files; NULL: no owner */
    const struct mass_parts_written *parts; /* parts that ranks have written; NULL: the snapshot has the values */
    const struct mass_others *others;   /* another run's files, removed after the next write; NULL: none */
} mass_checkpoint_settings;

/* ---- the folder ---- */

typedef struct mass_checkpoint_names {
    char **paths; /* "FOLDER/ckpt-000000000250.h5" */
    uint64_t *steps;
    size_t count;
} mass_checkpoint_names;

/* Lists the regular files in a folder that have the name of a checkpoint, the highest step first; opens none. The
 * caller frees *out, also on failure. */
mass_status mass_checkpoint_list(const char *folder, mass_checkpoint_names *out, mass_error *error);
void mass_checkpoint_names_free(mass_checkpoint_names *names);

/* ---- writing ---- */

/* Checks that a checkpoint can hold a model. MASS_BAD_PLUGIN for too many parameters, attributes or tallies;
 * MASS_BAD_USAGE for a text, or all parameters together, that are too long. Call it before the run. */
mass_status mass_checkpoint_check_model(const mass_model *m, mass_error *error);

/* Writes a checkpoint so that it survives a crash of the machine. Only then it removes older ones: those of the lowest
 * steps beyond `keep`, but never the one just written. An old file that cannot be removed stays. A file of the same
 * name that is not the run's is not replaced. On success `path`, if not NULL, becomes the file's name. On failure the
 * folder is as before: MASS_FAILED, or MASS_BAD_USAGE for a text too long to store. */
mass_status mass_checkpoint_write(const mass_checkpoint_settings *settings, const mass_snapshot *s,
                                  char path[PATH_MAX], mass_error *error);

/* ---- reading: a fault of the file is MASS_BAD_INPUT ---- */

/* The contents of a checkpoint, without the data. */
typedef struct mass_checkpoint {
    char *path;
    mass_hdf5_source source;
    /* The stored model: plugin, version, parameters with their values and whether the user gave them
     * (mass_parameter_format), spaces with their sizes, attributes and tallies, all by name. Phases, defaults, ranges
     * and choices are not stored, so do not use mass_parameter_bits and mass_parameter_set with these parameters. Swept
     * choices list the values that the file has. */
    mass_model model;
    char engine_version[MASS_NAME_SIZE];
    uint32_t abi_major, abi_minor;
    uint64_t seed, step, every, last_step;
    int32_t worlds, first_world;
    uint32_t keep;
    uint32_t hash_version; /* version of the state hash */
    char schema[33], state_hash[33];
    char plugin_hash[33]; /* of the plugin's file; "": not stored by an earlier version */
    char identity[33]; /* of the run; "": not stored by an earlier version */
    char run[33];      /* hash of everything that the run was started with; "": not stored */
    mass_until_state until; /* the stop condition; its expression is not compiled yet */
    mass_inputs inputs;
    mass_recorded_events events; /* owned */
    uint64_t agents[MASS_POPULATIONS_MAX]; /* by population of `model`, over all worlds */
    uint8_t (*hashes)[16]; /* by attribute of `model` */
    uint8_t (*tally_hashes)[16]; /* by tally of `model`, unless hash_version is 1 */
    mass_hdf5_place *attribute_places, *tally_places; /* their data sets and groups in the file */
    struct mass_parts *parts; /* of a checkpoint in parts (parts.h); NULL: it is in one file */
    bool repacked; /* another program has repacked the file or a part; the values are still valid */
    int64_t file;          /* HDF5's id */
} mass_checkpoint;

/* Opens a checkpoint: reads and checks everything but the data of places, agents and tallies. The caller ends with
 * mass_checkpoint_close. On failure *out is NULL. A hostile file may crash HDF5: use mass_checkpoint_open_probed for
 * files of unknown origin. */
mass_status mass_checkpoint_open(const char *path, mass_checkpoint **out, mass_error *error);
void mass_checkpoint_close(mass_checkpoint *c); /* NULL is allowed */

/* Refuses a model of another plugin, or with other spaces, sizes, populations, attributes or tallies:
 * MASS_BAD_INPUT. Bytes may have become bits. Parameters, streamed attributes and reduced tallies are not compared. */
mass_status mass_checkpoint_match(const mass_checkpoint *c, const mass_model *model,
                                  mass_error *error);

/* Copies each world's values of swept parameters and constants to a model that matches, and sets parameters.worlds of
 * it if there are some. Refuses values that the model does not allow; on failure it may have some of them. Other
 * parameters stay as they are. */
mass_status mass_checkpoint_restore_sweep(const mass_checkpoint *c, mass_model *model, mass_error *error);

/* Returns how many agents a snapshot for a model that matches needs, over all worlds:
 * counts[model->population_count]. */
void mass_checkpoint_agents(const mass_checkpoint *c, const mass_model *model, uint64_t *counts);

/* Reads the state into a snapshot. The caller has allocated it for a model that matches, c->worlds worlds and the
 * agents of mass_checkpoint_agents. Checks all stored hashes, the agents' places, order and ids, and the model's
 * ranges. On failure the snapshot's contents are undefined. */
mass_status mass_checkpoint_read(mass_checkpoint *c, mass_snapshot *s, mass_error *error);

/* Reads the state as mass_checkpoint_read does, but passes attributes to a sink, chunk by chunk, in bounded memory.
 * Also checks agents' positions, and packs bytes that have become bits. The caller has allocated s for numbers. On
 * failure, ignore what the sink has got. */
mass_status mass_checkpoint_restore(mass_checkpoint *c, mass_snapshot *s, const mass_snapshot_sink *sink,
                                    mass_error *error);

/* Does all the checks of mass_checkpoint_read that need no model, in little memory. Does not look at parts. */
mass_status mass_checkpoint_verify(const char *path, mass_error *error);

/* Opens a checkpoint after a confined subprocess, limited in memory and time, has verified it. The program starts that
 * subprocess with the arguments "--probe-checkpoint" PATH and passes it the open file, so both read the same file, even
 * if its name now means another one. A file that crashes HDF5 is refused. A status other than MASS_BAD_INPUT says
 * nothing about the file. */
#define MASS_CHECKPOINT_REMEDY "use an older checkpoint" /* ends messages about damaged checkpoints, after ": " */
mass_status mass_checkpoint_open_probed(const char *path, mass_checkpoint **out, mass_error *error);

/* Verifies a checkpoint as mass_checkpoint_open_probed does, without opening it. */
mass_status mass_checkpoint_probe(const char *path, mass_error *error);

/* Runs in that subprocess: verifies the file and reports. Returns its exit status. */
int mass_checkpoint_answer_probe(const char *path);

/* Runs in the subprocess that is started with "--probe-part" PATH: verifies a part that another program has repacked
 * (parts.h), and reports. Returns its exit status. */
int mass_part_answer_probe(const char *path);

#endif
