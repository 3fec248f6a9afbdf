/* SPDX-License-Identifier: Apache-2.0 */
/* What a stepper knows between steps. Main thread. */
#ifndef MASS_ENGINE_RUN_STEPPER_STATE_H
#define MASS_ENGINE_RUN_STEPPER_STATE_H

#include "plan/plan.h"
#include "run/fuse_tuner.h"
#include "run/input.h"
#include "run/profile.h"
#include "run/rules.h"
#include "run/block_program.h"

/* What looks on between steps. */
typedef struct mass_step_watch {
    bool (*stop)(void *context, uint64_t step); /* may end the run early, after one more step; may be NULL */
    bool (*looks)(void *context); /* whether somebody wants to see a step soon, so that few are queued; may be NULL */
    bool every; /* tallies count in every step */
    /* Is given them, [tallies][worlds][words], step by step, some steps late but before the call returns; NULL: nobody
     * wants them. With `every`, and where mass_stepper_has_rows says so. A failure ends the call. */
    mass_status (*row)(void *context, uint64_t step, const int64_t *tallies, mass_error *error);
    void (*on_input)(void *context, uint64_t step, uint64_t given); /* how far a pass over a stream is; may be NULL */
    void *context;
} mass_step_watch;

/* When slabs are divided again, and what is measured for it (run/repartition.h). */
typedef struct mass_repartition_state {
    uint64_t every;   /* steps from one look at it to the next; 0: nobody looks. On rank 0 */
    uint64_t look_at; /* the step after which somebody looks next; 0: not known yet */
    uint64_t done;    /* how often slabs were divided again */
    double worked;    /* seconds of this rank's own work, in the steps since the last look that were timed */
    double met;       /* seconds of a step's operations in which devices met others, of those */
    bool timed;       /* they are timed now, one by one */
    struct mass_row_times *row_times; /* what is known of rows; NULL: nothing yet. On rank 0; owned */
    bool stays;       /* it was said that slabs could not be divided again */
} mass_repartition_state;

typedef struct mass_stepper {
    mass_domain *domain; /* borrowed */
    uint64_t step;       /* done so far */
    mass_plan *plan;
    mass_prepared **prepared; /* [phase_count] */
    mass_world_rules **rules; /* [phase_count] that they follow, or NULL */
    const char **no_rule;     /* [phase_count] why of bits they follow none, or NULL */
    mass_input_reader *input; /* of the model's stream, or NULL */
    mass_recording *recording; /* some steps, kept for replay */
    mass_recording *brief;     /* few of them, where ranks meet */
    bool is_brief;             /* that is the one to be replayed */
    bool ahead;                /* where ranks meet: it comes again, and is queued before this replay is done */
    mass_block_worlds *worlds; /* steps of small worlds, where the device and the model have them */
    bool looked_for_worlds;
    uint8_t *worlds_current;   /* what held the present values when these were made */
    uint8_t *recorded_current; /* ... and when the recording was */
    bool recorded_observed;    /* whether tallies count in every step of it */
    bool recorded_rows;        /* ... and are handed over */
    bool held; /* the domain's stop condition held after the last step */
    bool out_of_room; /* the next step could take more memory than there is: the last one is complete */
    uint64_t carried; /* the step after which exact sums last carried */
    uint64_t recordable_after; /* no recording before this step: ghosts are not yet as they will be */
    double near_began, step_seconds; /* while somebody looks: when the device was last known to be idle; and what a
                                        step took after that */
    uint64_t near_from; /* the step that was done then */
    bool replaying;            /* replays were queued since step `replayed_from`, and `step` counts them as done */
    uint64_t replayed_from;
    uint32_t stops;   /* of the last replays, where ranks meet in manages: replays then come later */
    uint64_t changes; /* of the domain, as the recording knows it */
    bool grows;       /* births may need room, so that replays may stop */
    const mass_step_watch *watch; /* of the call to advance; or NULL */
    mass_profile *profile; /* NULL: nobody wants to know */
    int32_t fuse;     /* steps that are done at once where nobody looks at them in between: 1, unless somebody
                         has called mass_stepper_fuse */
    int32_t tallied;  /* ... and so many of them at most where the tallies of each count */
    mass_fuse_tuner trial; /* which finds out what `fuse` is to be; or nothing */
    bool no_bits;     /* callbacks over bits go by no rules, as somebody has said, before mass_stepper_fuse */
    bool no_graph;    /* steps are not recorded: false, like no_block, until somebody sets it */
    bool no_block;    /* small worlds go by launches as others do */
    bool overlap;     /* exchanges between ranks may go on beside launches: true, until somebody sets it */
    bool apart;       /* ... and do not, as that was found to be faster */
    bool scarce;      /* memory has to be looked for before the next step */
    uint64_t chunk;   /* steps that several ranks go before watch->stop is asked; 0: not known yet */
    double chunk_seconds; /* that these take about: a tenth, until somebody sets it */
    mass_repartition_state repartition;
} mass_stepper;

#endif
