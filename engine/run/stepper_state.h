/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a stepper between steps. Main thread. */
#ifndef MASS_ENGINE_RUN_STEPPER_STATE_H
#define MASS_ENGINE_RUN_STEPPER_STATE_H

#include "plan/plan.h"
#include "run/fuse_tuner.h"
#include "run/input.h"
#include "run/profile.h"
#include "run/rules.h"
#include "run/block_program.h"

/* Callbacks between steps. */
typedef struct mass_step_watch {
    bool (*stop)(void *context, uint64_t step); /* returns true to end the run after one more step; may be NULL */
    bool (*looks)(void *context); /* returns true if a viewer waits for a step, so that few steps are queued; may be
                                     NULL */
    bool every; /* tallies count in every step */
    /* Receives the tallies, [tallies][worlds][words], step by step: some steps late, but before the call returns.
     * NULL: not wanted. Requires `every`, and that mass_stepper_has_rows is true. A failure ends the call. */
    mass_status (*row)(void *context, uint64_t step, const int64_t *tallies, mass_error *error);
    void (*on_input)(void *context, uint64_t step, uint64_t given); /* receives the progress of a pass over a stream;
                                                                       may be NULL */
    void *context;
} mass_step_watch;

/* The state of repartition, and what it has measured (run/repartition.h). */
typedef struct mass_repartition_state {
    uint64_t every;   /* steps from one check to the next; 0: no checks. On rank 0 */
    uint64_t look_at; /* the step of the next check; 0: not known yet */
    uint64_t done;    /* number of times that slabs were divided again */
    double worked;    /* seconds of this rank's own work, in timed steps since the last check */
    double met;       /* seconds in which devices exchanged, since these steps began to be timed */
    bool timed;       /* steps are now timed operation by operation */
    struct mass_row_times *row_times; /* measures of rows; NULL: none yet. On rank 0; owned */
    bool stays;       /* the user was told that slabs cannot be divided again */
} mass_repartition_state;

typedef struct mass_stepper {
    mass_domain *domain; /* borrowed */
    uint64_t step;       /* steps done so far */
    mass_plan *plan;
    mass_prepared **prepared; /* [phase_count] */
    mass_world_rules **rules; /* [phase_count] rules of the launches, or NULL */
    const char **no_rule;     /* [phase_count] the reason that a callback over bits has no rule, or NULL */
    mass_input_reader *input; /* reader of the model's stream, or NULL */
    mass_recording *recording; /* recorded steps, for replay */
    mass_recording *brief;     /* a few steps, if ranks exchange agents */
    bool is_brief;             /* `brief` is the next to be replayed */
    bool ahead;                /* ranks exchange agents: the next replay is queued before this one is done */
    mass_block_worlds *worlds; /* block-resident worlds, if the device and the model allow them */
    bool looked_for_worlds;
    uint8_t *worlds_current;   /* the present buffers when they were made */
    uint8_t *recorded_current; /* the present buffers when the recording was made */
    bool recorded_observed;    /* tallies count in every step of the recording */
    bool recorded_rows;        /* the recording's tallies are handed over */
    bool held; /* the domain's stop condition held after the last step */
    bool out_of_room; /* the next step could need more memory than there is; the last step is complete */
    uint64_t carried; /* the step after which exact sums were last carried */
    uint64_t recordable_after; /* no recording before this step, because ghosts do not have their regular state yet */
    double near_began, step_seconds; /* while a viewer waits: when the device was last known to be idle, and the
                                        seconds of a step since then */
    uint64_t near_from; /* the step that was done at that time */
    bool replaying;            /* replays are queued since step `replayed_from`, and `step` counts them as done */
    uint64_t replayed_from;
    uint32_t stops;   /* recent stops of replays in which ranks exchange agents; they delay the next recording */
    uint64_t changes; /* the domain's `changes` at the time of the recording */
    bool grows;       /* births may need memory, so replays may stop */
    const mass_step_watch *watch; /* of the present call to advance, or NULL */
    mass_profile *profile; /* NULL: no profile */
    int32_t fuse;     /* steps in one launch if no output is due in between; 1 by default */
    int32_t tallied;  /* most steps in one launch if the tallies of each count */
    mass_fuse_tuner trial; /* the tuner that finds `fuse`, if it runs */
    bool no_bits;     /* callbacks over bits use no rules; set before mass_stepper_fuse */
    bool no_graph;    /* do not record steps; false by default, like no_block */
    bool no_block;    /* do not run block-resident worlds */
    bool overlap;     /* exchanges between ranks may overlap with launches; true by default */
    bool apart;       /* do not overlap them, because the tuner found that faster */
    bool scarce;      /* check the memory before the next step */
    uint64_t chunk;   /* steps of several ranks between two questions to watch->stop; 0: not known yet */
    double chunk_seconds; /* seconds of a chunk; 0.1 by default */
    mass_repartition_state repartition;
} mass_stepper;

#endif
