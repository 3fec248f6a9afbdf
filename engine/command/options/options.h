/* SPDX-License-Identifier: Apache-2.0 */
/* All options of mass-engine. A new option is a row in options.c, a member here and its use: prepare.c passes on
 * options for output, resume_command.c repeats options that a resumed run needs. Pure. */
#ifndef MASS_ENGINE_OPTIONS_H
#define MASS_ENGINE_OPTIONS_H

#include "command/options/command_line.h"
#include "command/options/design.h"
#include "plugin/host.h"

typedef enum mass_mode {
    MASS_MODE_RUN,
    MASS_MODE_INFO,
    MASS_MODE_EXPLAIN,
    MASS_MODE_PRINT_RUN,
    MASS_MODE_LIST,
    MASS_MODE_VERSION,
    MASS_MODE_HELP,
    MASS_MODE_PROBE_PLUGIN,    /* internal: tries a plugin, in a subprocess */
    MASS_MODE_PROBE_RUN,       /* internal: prepares a run and writes nothing, in a subprocess */
    MASS_MODE_PROBE_CUT,       /* internal: checks that ranks can divide a plugin's spaces, in a subprocess */
    MASS_MODE_PROBE_ENTRY,     /* internal: describes a plugin, in a subprocess */
    MASS_MODE_PROBE_CHECKPOINT, /* internal: reads a checkpoint, in a subprocess */
    MASS_MODE_PROBE_PART,      /* internal: reads a part of a checkpoint, in a subprocess */
    MASS_MODE_PROBE_SERIES,    /* internal: reads a file of series, in a subprocess */
    MASS_MODE_PROBE_TABLE,      /* internal: reads a table, in a subprocess */
    MASS_MODE_PROBE_NUMBERS     /* internal: reads a data set, in a subprocess */
} mass_mode;

/* The words of a command line with those of a file in the place of --run. */
typedef struct mass_run_words {
    char **words; /* ended by NULL; owned. NULL: there is no --run */
    char **where; /* "PATH, line N" of each; NULL of those that are no file's; owned */
    uint32_t count;
} mass_run_words;

typedef struct mass_options {
    mass_mode mode;
    const char *word; /* the plugin, if it is given without --plugin; copied to `plugin` */
    const char *plugin, *resume, *device, *checkpoint, *sweep, *means, *image, *movie, *network, *until, *series,
        *params, *fields, *comm, *events, *view, *crate,
        *run; /* NULL: not given; view "": --view alone; run: replaced by its words */
    mass_run_words run_words; /* words NULL: no --run */
    mass_setting *settings; /* owned, with its texts */
    uint32_t setting_count, log_count, load_count, tally_count, share_count, agents_count;
    char **logs, **loads, **tallies; /* owned, with their texts */
    const char *agents[MASS_POPULATIONS_MAX]; /* [agents_count] POPULATION=FILE.csv */
    int32_t *shares; /* [share_count] weights of ranks; owned */
    mass_gidx size[3];
    uint32_t dimensions; /* 0: no --size */
    bool steps_given, seed_given, worlds_given, first_world_given, every_given, keep_given, movie_every_given,
        movie_rate_given, log_every_given, json, quiet, strict, profile, watch, view_wait, view_go, verbose, force,
        no_bits, no_graph, no_block, no_overlap, parts, measured_shares, edge_shares,
        resumed, loaded, /* internal, of a probe: parameters come from a checkpoint, values from files */
        of_checkpoint,   /* of --print-run: `resume` is a word that names a checkpoint, in place of a plugin */
        explained;       /* internal, of a probe: it is for --explain */
    uint64_t steps, seed, checkpoint_every, movie_every, log_every, fields_every,
        rebalance, view_every; /* fields_every, rebalance, view_every 0: not given */
    mass_gidx slice; /* -1: the middle layer */
    const struct mass_sweep_rows *rows; /* of --sweep, after they are read; borrowed */
    double movie_rate;    /* frames a second */
    int64_t comm_timeout, view_stay; /* seconds; view_stay -1: not given */
    mass_design design; /* of --sweep */
    const char *results; /* NULL: not given */
    int32_t sweep_part, sweep_parts; /* sweep_parts 0: not given */
    int64_t worlds_from, worlds_count; /* internal: of the worlds of a table; worlds_count 0: all */
    int64_t held; /* internal, of a trial: bytes that the run before it releases */
    int32_t threads, partitions, worlds, first_world, keep, ranks, fuse, /* ranks, fuse 0: not given */
        sweep_run,   /* internal: the run of a sweep's table, from 1; 0: not given */
        view_handed; /* internal, of a run that follows another: mass_view_hand_over; 0: it follows none */
} mass_options;

/* Reads the arguments after the program's name, whose texts *out borrows. Reports the first wrong one as
 * MASS_BAD_USAGE. A file of --run may also be MASS_BAD_INPUT. The caller frees *out, also on failure. */
mass_status mass_options_parse(int count, char *const arguments[], mass_options *out, mass_error *error);
void mass_options_free(mass_options *);

/* Reads extents: "512", "512x256" or "64x64x64"; each may be written as 1e3. Extents that are not given become 1.
 * Returns false, and changes nothing, for another text. */
bool mass_options_size(const char *text, mass_gidx size[3], uint32_t *dimensions);

extern const mass_command mass_engine_command;

#endif
