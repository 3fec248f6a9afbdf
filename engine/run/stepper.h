/* SPDX-License-Identifier: Apache-2.0 */
/* Time stepping: the schedules of a model over a domain. Main thread. */
#ifndef MASS_ENGINE_STEPPER_H
#define MASS_ENGINE_STEPPER_H

#include "plan/plan.h"
#include "ranks/call.h"
#include "run/fuse_trial.h"
#include "run/input.h"
#include "run/profile.h"
#include "run/rules.h"
#include "run/world_program.h"

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

/* How slabs follow what ranks take for them (run/balancing.h). */
typedef struct mass_balancing {
    uint64_t every;   /* steps from one look at it to the next; 0: nobody looks. On rank 0 */
    uint64_t look_at; /* the step after which somebody looks next; 0: not known yet */
    uint64_t recuts;  /* how often slabs were cut anew */
    double worked;    /* seconds of this rank's own work, in the steps since the last look that were timed */
    double met;       /* seconds of a step's operations in which devices met others, of those */
    bool timed;       /* they are timed now, one by one */
    struct mass_balance *balance; /* what is known of rows; NULL: nothing yet. On rank 0; owned */
    bool stays;       /* it was said that slabs could not be cut anew */
} mass_balancing;

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
    mass_small_worlds *worlds; /* steps of small worlds, where the device and the model have them */
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
    mass_fuse_trial trial; /* which finds out what `fuse` is to be; or nothing */
    bool no_bits;     /* callbacks over bits go by no rules, as somebody has said, before mass_stepper_fuse */
    bool no_graph;    /* steps are not recorded: false, like no_block, until somebody sets it */
    bool no_block;    /* small worlds go by launches as others do */
    bool overlap;     /* exchanges between ranks may go on beside launches: true, until somebody sets it */
    bool apart;       /* ... and do not, as that was found to be faster */
    bool scarce;      /* memory has to be looked for before the next step */
    uint64_t chunk;   /* steps that several ranks go before watch->stop is asked; 0: not known yet */
    mass_balancing balancing;
} mass_stepper;

/* With several ranks, all create theirs. Whatever else concerns the steps of the run is called on rank 0, and by others
 * out of mass_serve (ranks/call.h). */

/* Makes the callbacks ready for the domain's device. `step` is where the state stands. */
mass_status mass_stepper_create(mass_domain *domain, const void *device_code, uint64_t step, mass_stepper **out,
                            mass_error *error);
void mass_stepper_free(mass_stepper *); /* NULL is fine */

/* Has callbacks over bits go by words, where they can, from the next step on; it changes no result. Every rank's own,
 * once, before the first step. */
mass_status mass_stepper_follow_rules(mass_stepper *r, mass_error *error);
/* From now on `steps`, from 1 to MASS_FUSE_MOST, are done at once where nobody looks at them in between; ghosts are so
 * thick (mass_fuse_thicken). All ranks call it. MASS_BAD_USAGE: the model or the device doesn't take so many. */
mass_status mass_stepper_fuse(mass_stepper *r, int32_t steps, mass_error *error);

/* Instead of it: the number, of `most` at most, and whether ranks exchange ghosts beside launches, where r->overlap
 * lets them, are found by measuring in the first steps; 0: nothing is. All ranks call it, with the same number, when
 * they are linked. */
mass_status mass_stepper_try_fuse(mass_stepper *r, int32_t most, mass_error *error);

/* Whether steps can hand their tallies to mass_step_watch.row; and whether several at once can. */
bool mass_stepper_has_rows(const mass_stepper *, bool *several);

/* The schedule `start`: resets all tallies, then its phases. */
mass_status mass_stepper_start(mass_stepper *r, mass_error *error);

/* Instead of it, after a restored state: what is no part of checkpoints. */
mass_status mass_stepper_resume(mass_stepper *r, mass_error *error);

/* From now on steps are timed operation by operation, and so neither recorded nor run as those of small worlds. */
mass_status mass_stepper_profile(mass_stepper *r, mass_error *error);

/* Steps up to `last`. Tallies count in the last of them, cumulative ones in all. watch may be NULL; when it
 * stops the run, the step it reaches is complete, with its tallies. A stop condition that holds ends it with the
 * step at which it first does, in which tallies count too. Waits for the device at the end.
 *
 * With several ranks, watch->stop is asked about every 100 ms, and the steps up to then are the same on all ranks; in
 * between, slabs may be cut anew. A rank on which a step fails says so and ends the processes of all
 * (mass_call_abandon). */
mass_status mass_stepper_advance(mass_stepper *r, uint64_t last, const mass_step_watch *watch, mass_error *error);

/* Part of it, with several ranks: the steps between two questions. */
mass_status mass_stepper_advance_chunk(mass_stepper *r, const mass_call_advance *c, mass_error *error);

#endif
