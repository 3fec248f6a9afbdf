/* SPDX-License-Identifier: Apache-2.0 */
/* The writers of a run's output, one for each kind of file, and their shared state. Main thread. */
#ifndef MASS_ENGINE_IO_WRITERS_H
#define MASS_ENGINE_IO_WRITERS_H

#include "io/checkpoint/survey.h"
#include "io/export/export.h"
#include "io/main_thread_read.h"
#include "io/output.h"
#include "io/picture/movie.h"
#include "io/picture/picture.h"
#include "io/picture/space_time.h"
#include "io/series/text.h"
#include "snapshot/snapshot.h"

#include <limits.h>
#include <pthread.h>

#define NO_STEP UINT64_MAX

/* A table of --agents. */
typedef struct mass_agents_file {
    uint32_t population;
    const char *path; /* borrowed */
    bool written;     /* by this run */
} mass_agents_file;

struct mass_output {
    const mass_output_plan *plan;
    const mass_model *model;
    double seconds;
    mass_palette palette;
    mass_movie *movie;
    uint64_t movie_step; /* step of the last frame */
    mass_error no_movie; /* why the movie ended early */
    mass_space_time *diagram; /* the image, if it is a space-time diagram; or NULL */
    mass_export *export;
    mass_agents_file agents[MASS_POPULATIONS_MAX]; /* [plan->agents_count] */
    mass_series_writer *series;
    mass_series_text *text;
    int64_t *tallies; /* [tallies][worlds][words] of one logged step */
    double *row;      /* its row, as mass_series_row_values describes */
    bool by_row;      /* the caller passes rows by mass_output_row */
    bool file_lags, text_lags; /* rows could not be written, which was reported */
    bool file_is_kept, text_is_kept; /* all rows are on disk at the end, so that the last checkpoint may rely on them */
    uint64_t lost_checkpoints, lost_fields; /* failures since the last success */
    /* The checkpoint that `writer` writes, or the last one written. */
    bool writing;
    pthread_t writer;
    mass_snapshot snapshot;
    mass_domain *domain;       /* the snapshot's; borrowed */
    /* Reads what other ranks hold; NULL: there is one rank, and the snapshot has all */
    mass_main_thread_read *hand_over;
    mass_checkpoint_settings settings;
    mass_recorded_events events; /* for the next checkpoint; settings.events are those of the last one. Owned */
    mass_error problem;      /* why the last checkpoint could not be written */
    char path[PATH_MAX], written[PATH_MAX]; /* of the one being written; of the last one written, or "" */
    uint64_t written_step;   /* of `written`; NO_STEP: more events are in the state since */
    mass_folder *made;     /* the checkpoint folder, if this run created it */
    mass_others others;    /* files of another run that the first checkpoint replaces */
    uint64_t *own; /* steps of this run's files in the folder; it removes only these */
    size_t own_count;
};

/* A kind of output. Each function may be NULL. */
typedef struct mass_output_writer {
    /* Checks that it can be written, and creates what it needs; o is nearly empty. */
    mass_status (*create)(mass_output *o, mass_error *error);
    /* Writes the output of the run's first step. */
    mass_status (*begin)(mass_output *o, mass_domain *d, uint64_t step, mass_error *error);
    /* Returns the distance of steps at which it writes: multiples of that; 0: none. */
    uint64_t (*every)(const mass_output *o);
    /* Writes what is due at a step; `wanted` requests a checkpoint. Reports failures of a disk, and the run goes on. */
    mass_status (*write)(mass_output *o, mass_domain *d, uint64_t step, bool wanted, mass_error *error);
    /* Writes what is due when the run ends, with the last state in *final. Adds its failures to the run's. */
    void (*end)(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *failure);
    void (*release)(mass_output *o); /* unfinished output leaves no file */
} mass_output_writer;

extern const mass_output_writer mass_output_checkpoints, mass_output_series, mass_output_text, mass_output_fields,
    mass_output_movie, mass_output_image, mass_output_network, mass_output_agents;

/* ---- checkpoints (write_checkpoints.c), for the other writers ---- */

/* Checks that the folder is still this run's; MASS_OK if there is none. Call it before writing there. */
mass_status mass_output_check_place(mass_output *o, mass_error *error);
/* Wait for the checkpoint in progress; and return true if one is in progress: only one thread at a time may use
 * HDF5. Both take the result of a writer that has ended. */
void mass_output_finish_writing(mass_output *o);
bool mass_output_is_writing(mass_output *o);
/* Returns true if checkpoints are written and this step's is missing. */
bool mass_output_lacks_checkpoint(const mass_output *o, uint64_t step);
/* Counts and reports a failed output: `what`, such as "no checkpoint". It reports the first, second, fourth, eighth
 * failure in a row, and so on: a full disk may stay full for thousands of steps. */
void mass_output_say_lost(uint64_t *lost, const char *what, uint64_t step, const mass_error *why);

/* ---- rows of series (write_series.c) ---- */

/* Adds the step's row to the file and the text, if it is due and not there. Publishes the file from time to time. A
 * failure of a disk is only reported. tallies: those of the step, [tallies][worlds][words]; NULL: the domain's. */
mass_status mass_output_add_row(mass_output *o, mass_domain *d, uint64_t step, const int64_t *tallies,
                                mass_error *error);

#endif
