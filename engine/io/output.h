/* SPDX-License-Identifier: Apache-2.0 */
/* What a run leaves behind, and when: checkpoints, written by a thread of their own while the run goes on, series,
 * fields, a movie, and a picture at the end. Main thread. */
#ifndef MASS_ENGINE_OUTPUT_H
#define MASS_ENGINE_OUTPUT_H

#include "io/checkpoint/checkpoint.h"
#include "io/folder/lock.h"
#include "io/folder/ownership.h"
#include "io/series/series.h"
#include "snapshot/snapshot.h"
#include "state/domain.h"

typedef struct mass_output mass_output;

typedef struct mass_output_plan {
    const char *folder; /* of checkpoints; NULL: none */
    uint64_t checkpoint_every; /* 0: only at the end and when asked */
    uint32_t keep;
    bool parts; /* of several ranks, each writes its own */
    const char *resumed; /* checkpoint that the run goes on from, or NULL */
    uint64_t first_step; /* where it goes on */
    uint64_t last_step;  /* that the run is to end at; stored for a resume */
    const char *image, *movie; /* NULL: none */
    uint64_t movie_every;
    double movie_rate; /* frames a second */
    mass_gidx slice;
    uint64_t seed;
    const mass_inputs *inputs; /* that the run was started with */
    const char *fields; /* folder of fields, or NULL */
    uint64_t fields_every; /* 0: only the first step and the last */
    mass_ownership *owner; /* the run; the identity that it had in the folder before becomes its own */
    mass_folder *place; /* the checkpoint folder, where it is there and held, or NULL */
    const mass_series_set *series_set; /* the series that are logged; NULL: none */
    const mass_expression *programs; /* [series_set->count] */
    const char *series_source; /* file whose rows up to first_step go on; NULL: none */
    const mass_series_contents *series_found; /* what is in it */
    const char *series; /* text file of the series, or NULL */
} mass_output_plan;

/* Checks that everything planned can be written, and that what is there is the run's. The plan and its texts are
 * borrowed. */
mass_status mass_output_create(const mass_output_plan *plan, const mass_model *model, mass_output **out,
                               mass_error *error);
void mass_output_free(mass_output *); /* NULL is fine; what is unfinished leaves no file */

/* Makes the checkpoint folder, and the first frame of a movie. */
mass_status mass_output_begin(mass_output *o, mass_domain *d, uint64_t step, mass_error *error);

/* The next step, at most `last`, at which there is something to write. */
uint64_t mass_output_next(const mass_output *o, uint64_t step, uint64_t last);

/* Whether rows of the series are to come by mass_output_row and not by mass_output_at, to whom it is no matter then:
 * where few steps lie between them, so that runs need not be stopped for each. several: steps that count go several at
 * once. Once, before the first step. */
bool mass_output_takes_rows(mass_output *o, bool several);
/* Every step's tallies, [tallies][worlds][words], in order. */
mass_status mass_output_row(mass_output *o, mass_domain *d, uint64_t step, const int64_t *tallies, mass_error *error);

/* Writes what is due at a step; `wanted` asks for a checkpoint besides. A checkpoint, fields or a movie that cannot be
 * written are said and the run goes on. */
mass_status mass_output_at(mass_output *o, mass_domain *d, uint64_t step, bool wanted, mass_error *error);

/* What checkpoints say of events from now on: the table of all that are known, which becomes the output's, and how many
 * of them the state has; and that it has more, after which a checkpoint of the same step is written again. */
void mass_output_know_events(mass_output *o, char *text, size_t size, uint64_t applied);
void mass_output_count_events(mass_output *o, uint64_t applied);

/* Writes a checkpoint of this step, where output was written before, unless that has one. */
void mass_output_checkpoint_now(mass_output *o, mass_domain *d, uint64_t step);

/* Between steps: a checkpoint that is being written gets a piece of what other ranks hold, if it waits for one. */
void mass_output_attend(mass_output *o);

/* Waits for a checkpoint that is being written, whose snapshot is then gone from memory. With several ranks they have
 * to be there. */
void mass_output_drain(mass_output *o);

/* What the end of the run, at this step, needs of the state; after the above. */
typedef enum mass_output_need {
    MASS_NEEDS_STEP,   /* no more than that */
    MASS_NEEDS_PIECES, /* attributes, one piece after the other */
    MASS_NEEDS_STATE   /* the whole in memory */
} mass_output_need;
mass_output_need mass_output_needs(const mass_output *o, uint64_t step);

/* The final checkpoint, picture and end of the movie. One that fails is an error, and the others come all the same; of
 * several that fail, each is said. final: what is needed. */
mass_status mass_output_end(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *error);

/* After that, the run goes on up to another last step: not one with a movie or a diagram. */
void mass_output_run_on(mass_output *o, uint64_t last_step);

const char *mass_output_checkpoint(const mass_output *o); /* path of the last one written, or NULL */
double mass_output_seconds(const mass_output *o);         /* that mass_output_at and _row have taken */

#endif
