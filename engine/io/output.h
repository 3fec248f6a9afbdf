/* SPDX-License-Identifier: Apache-2.0 */
/* The output of a run: checkpoints, which a thread writes while the run goes on; series; fields; a movie;
 * and a picture, the networks and tables of agents at the end. Main thread. */
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
    const char *folder; /* checkpoint folder; NULL: no checkpoints */
    uint64_t checkpoint_every; /* steps; 0: only at the end and on request */
    uint32_t keep;
    bool parts; /* each of several ranks writes its own part */
    const char *resumed; /* checkpoint that the run resumes from, or NULL */
    uint64_t first_step; /* the step that it resumes from */
    uint64_t last_step;  /* the planned last step; stored for a resume */
    const char *image, *movie, *network; /* NULL: none */
    const char *const *agents; /* [agents_count] POPULATION=FILE.csv, at most MASS_POPULATIONS_MAX */
    uint32_t agents_count;
    uint64_t movie_every; /* steps */
    double movie_rate; /* frames a second */
    mass_gidx slice; /* as in mass_picture_check */
    uint64_t seed;
    const mass_inputs *inputs; /* files that the run was started with */
    const char *fields; /* folder of fields, or NULL */
    uint64_t fields_every; /* steps; 0: only the first step and the last */
    mass_ownership *owner; /* the run; takes over the identity that the run had in the folder before */
    mass_folder *place; /* the checkpoint folder, if it exists and is locked; or NULL */
    const mass_series_set *series_set; /* the series to log; NULL: none */
    const mass_expression *programs; /* [series_set->count] */
    const char *series_source; /* file whose rows up to first_step are kept; NULL: none */
    const mass_series_contents *series_found; /* description of that file */
    const char *series; /* text file of the series, or NULL */
    bool series_waits_silently; /* rows of the text that cannot be written are not reported before the end */
} mass_output_plan;

/* Checks that all planned output can be written, and that existing files belong to the run. The plan, its texts and the
 * model are borrowed. The caller frees *out. */
mass_status mass_output_create(const mass_output_plan *plan, const mass_model *model, mass_output **out,
                               mass_error *error);
void mass_output_free(mass_output *); /* NULL is allowed; unfinished output leaves no file */

/* Creates the checkpoint folder, and writes the first output of series, fields, diagram and movie. */
mass_status mass_output_begin(mass_output *o, mass_domain *d, uint64_t step, mass_error *error);

/* Returns the next step, at most `last`, at which output is due. */
uint64_t mass_output_next(const mass_output *o, uint64_t step, uint64_t last);

/* Returns true if the caller has to pass rows of the series by mass_output_row; mass_output_at then writes none. This
 * is so if rows are only a few steps apart: the run then need not stop at each one. `several`: one launch makes several
 * steps and counts their tallies. Call it once, before the first step. */
bool mass_output_takes_rows(mass_output *o, bool several);
/* Passes the tallies [tallies][worlds][words] of a step, and adds its row if that is due. The caller passes every step
 * in order. */
mass_status mass_output_row(mass_output *o, mass_domain *d, uint64_t step, const int64_t *tallies, mass_error *error);

/* Writes the output that is due at a step; `wanted` requests a checkpoint. If a checkpoint, fields or a movie cannot be
 * written, reports it and goes on. */
mass_status mass_output_at(mass_output *o, mass_domain *d, uint64_t step, bool wanted, mass_error *error);

/* Set what checkpoints record about events from now on. mass_output_know_events takes the table of all known events,
 * which the output then owns, and how many of them the state has. mass_output_count_events updates that number. If the
 * latter changes it, the present step's checkpoint is due again. */
void mass_output_know_events(mass_output *o, char *text, size_t size, uint64_t applied);
void mass_output_count_events(mass_output *o, uint64_t applied);

/* Starts to write a checkpoint of this step, unless there is one. Without a folder it only says so. mass_output_at was
 * called for this step before. */
void mass_output_checkpoint_now(mass_output *o, mass_domain *d, uint64_t step);

/* Call this between steps: if the writer of a checkpoint waits for a chunk of other ranks, passes it. */
void mass_output_attend(mass_output *o);

/* Waits until the checkpoint in progress is written and its snapshot freed. Needs the other ranks. */
void mass_output_drain(mass_output *o);

/* The part of the state that mass_output_end needs at this step. Ask after all calls above. */
typedef enum mass_output_need {
    MASS_NEEDS_STEP,   /* only the step's number */
    MASS_NEEDS_CHUNKS, /* attributes, chunk by chunk */
    MASS_NEEDS_STATE   /* the whole state in memory */
} mass_output_need;
mass_output_need mass_output_needs(const mass_output *o, uint64_t step);

/* Waits for the checkpoint in progress. Then writes what is due at the end: rows of series, fields, the checkpoint, the
 * picture, the networks, the tables of agents, and the end of the movie. A failure does not stop the others; each is
 * reported. `final`: the snapshot that mass_output_needs asked for. */
mass_status mass_output_end(mass_output *o, mass_domain *d, const mass_snapshot *final, mass_error *error);

/* Lets the ended run go on to another last step. Not for runs with a movie or a diagram. */
void mass_output_run_on(mass_output *o, uint64_t last_step);

const char *mass_output_checkpoint(const mass_output *o); /* path of the last checkpoint written, or NULL */
double mass_output_seconds(const mass_output *o);         /* time spent in mass_output_at and mass_output_row */

#endif
