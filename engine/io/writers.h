/* SPDX-License-Identifier: Apache-2.0 */
/* The writers of a run's output, one for each kind of file, and what they share. Main thread. */
#ifndef MASS_ENGINE_IO_WRITERS_H
#define MASS_ENGINE_IO_WRITERS_H

#include "io/checkpoint/survey.h"
#include "io/export/export.h"
#include "io/hand_over.h"
#include "io/output.h"
#include "io/picture/movie.h"
#include "io/picture/picture.h"
#include "io/picture/space_time.h"
#include "io/series/text.h"
#include "snapshot/snapshot.h"

#include <limits.h>
#include <pthread.h>

#define NO_STEP UINT64_MAX

struct mass_output {
    const mass_output_plan *plan;
    const mass_model *model;
    double seconds;
    mass_palette palette;
    mass_movie *movie;
    uint64_t movie_step; /* of the last frame */
    mass_error no_movie; /* why there is none any more */
    mass_space_time *diagram; /* the image, where that is one; or NULL */
    mass_export *export;
    mass_series_writer *series;
    mass_series_text *text;
    int64_t *tallies; /* [tallies][worlds] and */
    double *row;      /* of one logged step, as mass_series_row_values has it */
    bool by_row;      /* rows come by mass_output_row */
    bool file_lags, text_lags; /* rows could not be written, and that was said */
    bool file_is_kept, text_is_kept; /* up to the end: the last checkpoint may count on their rows */
    uint64_t lost_checkpoints, lost_fields; /* since the last that was written */
    /* The checkpoint being written by `writer`, or written last. */
    bool writing;
    pthread_t writer;
    mass_snapshot snapshot;
    mass_domain *domain;       /* of the snapshot; borrowed */
    mass_hand_over *hand_over; /* of what ranks hold; NULL: there is one rank, whose snapshot has all */
    mass_checkpoint_settings settings;
    mass_recorded_events events; /* as the next checkpoint has them; those of settings are of the last. Owned */
    mass_error problem;
    char path[PATH_MAX], written[PATH_MAX];
    uint64_t written_step;
    mass_folder *made;     /* the checkpoint folder, where it was not there before */
    mass_others others;    /* what goes with the first checkpoint */
    uint64_t *own; /* steps of this run's files in the folder, which alone it may remove */
    size_t own_count;
};

/* A kind of output. Each function may be NULL. */
typedef struct mass_output_writer {
    /* Checks that it can be written, and makes what it needs; o is all but empty. */
    mass_status (*create)(mass_output *o, mass_error *error);
    /* At the run's first step. */
    mass_status (*begin)(mass_output *o, mass_domain *d, uint64_t step, mass_error *error);
    /* Writes at steps that are multiples of it; 0: at none. */
    uint64_t (*every)(const mass_output *o);
    /* Writes what is due at a step; `wanted` asks for a checkpoint besides. Failures of a disk are said here, and the
     * run goes on. */
    mass_status (*write)(mass_output *o, mass_domain *d, uint64_t step, bool wanted, mass_error *error);
    void (*end)(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *failure);
    void (*release)(mass_output *o); /* what is unfinished leaves no file */
} mass_output_writer;

extern const mass_output_writer mass_output_checkpoints, mass_output_series, mass_output_text, mass_output_fields,
    mass_output_movie, mass_output_image;

/* ---- checkpoints (write_checkpoints.c), for the others ---- */

/* That the folder is still this run's, before something is written there. */
mass_status mass_output_check_place(mass_output *o, mass_error *error);
/* Waits for the checkpoint that is being written; and whether one is, as HDF5 is for one thread at a time. */
void mass_output_finish_writing(mass_output *o);
bool mass_output_is_writing(mass_output *o);
/* Whether the last step's checkpoint is not there yet. */
bool mass_output_lacks_checkpoint(const mass_output *o, uint64_t step);
/* Of those that are lost one after the other, the first, second, fourth, eighth ... is said: a full disk may stay full
 * for thousands. */
void mass_output_say_lost(uint64_t *lost, const char *what, uint64_t step, const mass_error *why);

/* ---- rows of series (write_series.c) ---- */

/* tallies: of the step, [tallies][worlds][words]; NULL: those that the domain has. */
mass_status mass_output_add_row(mass_output *o, mass_domain *d, uint64_t step, const int64_t *tallies,
                                mass_error *error);

#endif
