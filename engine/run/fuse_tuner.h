/* SPDX-License-Identifier: Apache-2.0 */
/* How many steps in one pass are fastest, measured in the first steps of a run. They are steps of the run, so trials
 * cost little, and nothing is stored in a file.
 *
 * Trials begin with 1 step, then 4, 8 and so on. A number of steps is kept if it is faster by a margin. Its first pass
 * warms up; of two more the shorter one counts. Brief passes are measured several together, up to twelve times, and the
 * median counts. Ranks take the time of the slowest one by an all-reduce, so that all decide alike. They also try
 * exchanges before launches instead of beside them. Main thread. */
#ifndef MASS_ENGINE_FUSE_TUNER_H
#define MASS_ENGINE_FUSE_TUNER_H

#include "state/domain.h"

/* So many measures are taken of each number of steps; of brief passes, up to so many. */
enum { MASS_FUSE_TUNER_MEASURES = 3, MASS_FUSE_TUNER_MEASURES_MOST = 12 };

typedef struct mass_fuse_tuner {
    int32_t most;    /* so many steps at once are tried at most; 0: nothing is being tried */
    int32_t now;     /* so many are on trial: 1, then more and more */
    bool may_part;   /* passes with exchanges before the launches are tried, too, and not beside them alone */
    bool apart;      /* ... are on trial */
    bool brief;      /* passes may be brief: these are measured several together, and more often */
    int32_t runs;    /* so many passes are the next measure, or as many as there is room for */
    int32_t measures; /* taken so far */
    double spent;    /* ... but on the first one */
    int32_t crowded; /* how often in a row there was no room for a pass */
    int32_t best;    /* the fastest of those before, and */
    bool best_apart;
    double seconds;  /* what a step takes then; 0: not known yet */
    int32_t counted; /* of the measures, those that decide: what a step took in each, the shortest first */
    double steps[MASS_FUSE_TUNER_MEASURES_MOST];
} mass_fuse_tuner;

/* The most that may be worth trying on this rank; 1: none are. Before there is a domain, whose ghosts have to be so
 * thick. */
int32_t mass_fuse_tuner_most(const mass_model *m, const mass_device *device, int32_t worlds, const mass_comm *comm);
/* The same before there is a device: of a GPU or a CPU. */
int32_t mass_fuse_tuner_most_on(bool gpu, const mass_model *m, int32_t worlds, const mass_comm *comm);

mass_fuse_tuner mass_fuse_tuner_begin(int32_t most, bool may_part, bool brief);

/* `runs` passes of t->now steps took so long, on the slowest rank; nothing else was under way. True when all that is
 * worth it has been tried: t->best, and t->best_apart. */
bool mass_fuse_tuner_note(mass_fuse_tuner *t, int32_t runs, double seconds);

/* So many steps are left until somebody looks, or stops: where that is too few for a pass again and again, what was
 * tried before decides, and the trial is over. True when it is. */
bool mass_fuse_tuner_note_memory(mass_fuse_tuner *t, uint64_t left);

#endif
