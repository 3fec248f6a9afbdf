/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the fastest number of steps in one pass. It measures the first steps of a run, so trials cost little, and it
 * stores nothing in a file.
 *
 * Trials begin with 1 step, then 4, 8 and so on. The tuner keeps a number of steps if it is faster by a margin. The
 * first pass warms up; of two more the shorter one counts. Brief passes are measured several together, up to twelve
 * times, and the median counts. Ranks take the time of the slowest one by an all-reduce, so all decide alike. They
 * also try exchanges before launches in place of overlapped ones. Main thread. */
#ifndef MASS_ENGINE_FUSE_TUNER_H
#define MASS_ENGINE_FUSE_TUNER_H

#include "state/domain.h"

/* Measures of each number of steps, and the most for brief passes. */
enum { MASS_FUSE_TUNER_MEASURES = 3, MASS_FUSE_TUNER_MEASURES_MOST = 12 };

typedef struct mass_fuse_tuner {
    int32_t most;    /* most steps in one pass; 0: no trial is running */
    int32_t now;     /* steps of the present trial: 1, then more */
    bool may_part;   /* also try exchanges before launches, without overlap */
    bool apart;      /* the present trial does so */
    bool brief;      /* passes may be brief: measure several together, and more often */
    int32_t runs;    /* passes of the next measure, fewer if the run ends before */
    int32_t measures; /* measures of this trial so far */
    double spent;    /* their seconds, without the first one */
    int32_t too_short; /* times in a row that fewer steps were left than a pass has */
    int32_t best;    /* the fastest number of steps so far, and */
    bool best_apart;
    double seconds;  /* its seconds a step; 0: none yet */
    int32_t counted; /* number of measures that count; `steps` has their seconds a step, ascending */
    double steps[MASS_FUSE_TUNER_MEASURES_MOST];
} mass_fuse_tuner;

/* Returns the most steps that are worth a trial on this rank; 1: no trial. worlds: of the run. Call it before the
 * domain exists, because its ghosts depend on it. */
int32_t mass_fuse_tuner_most(const mass_model *m, const mass_device *device, int32_t worlds, const mass_comm *comm);
/* Returns the same number before the device exists, for a GPU or a CPU that can fuse steps. */
int32_t mass_fuse_tuner_most_on(bool gpu, const mass_model *m, int32_t worlds, const mass_comm *comm);

/* Begins the first trial, of 1 step. With most 1 or less and without may_part no trial runs. */
mass_fuse_tuner mass_fuse_tuner_begin(int32_t most, bool may_part, bool brief);

/* Records a measure: `runs` passes of t->now steps took `seconds` on the slowest rank, and nothing else was running.
 * Returns true after the last trial, with t->best and t->best_apart; t->most is 0 then. Otherwise sets
 * `now`, `apart` and `runs` of the next measure. */
bool mass_fuse_tuner_note(mass_fuse_tuner *t, int32_t runs, double seconds);

/* Records that `left` steps remain until an output or a stop. If these are fewer than a pass has, several times in a
 * row, the trial ends with the best number so far. Returns true then. */
bool mass_fuse_tuner_note_left(mass_fuse_tuner *t, uint64_t left);

#endif
