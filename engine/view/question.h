/* SPDX-License-Identifier: Apache-2.0 */
/* What somebody who looks at a run in a browser asks: read from the line of a request. Pure; any thread. */
#ifndef MASS_ENGINE_VIEW_QUESTION_H
#define MASS_ENGINE_VIEW_QUESTION_H

#include <mass/types.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    MASS_VIEW_PIXELS_MOST = 4096, /* of a frame, along each side */
    MASS_VIEW_WORLDS_MOST = 16,   /* that are looked at side by side */
    MASS_VIEW_ARROWS_MOST = 4096, /* of an attribute */
    MASS_VIEW_BODY_MOST = 64 << 10 /* bytes */
};

typedef enum mass_view_kind {
    MASS_VIEW_MODEL,   /* what the model declares, and who the run is */
    MASS_VIEW_FRAME,   /* part of a picture */
    MASS_VIEW_PLACE,   /* one place, and who is there */
    MASS_VIEW_AGENT,   /* one agent, wherever it is */
    MASS_VIEW_ARROWS,  /* values of an attribute that arrows show */
    MASS_VIEW_NUMBERS, /* the step, tallies, and what was said */
    MASS_VIEW_CONTROL  /* what the run is to do: in the body */
} mass_view_kind;

/* How a pixel comes from the values of its places. */
typedef enum mass_view_rule { MASS_VIEW_MEAN, MASS_VIEW_MOST, MASS_VIEW_LARGEST, MASS_VIEW_RULES } mass_view_rule;
extern const char *const mass_view_rules[MASS_VIEW_RULES]; /* "mean", "most", "largest" */

/* What the run does, as numbers say it. */
typedef enum mass_view_phase { MASS_VIEW_WAITING, MASS_VIEW_RUNNING, MASS_VIEW_PAUSED, MASS_VIEW_ENDED,
                               MASS_VIEW_PHASES } mass_view_phase;
extern const char *const mass_view_phases[MASS_VIEW_PHASES]; /* "waiting", "running", "paused", "ended" */

typedef struct mass_view_question {
    mass_view_kind kind;
    bool has_after, has_run, has_rule; /* given: after, run, rule */
    bool agents;            /* ... are wanted too */
    uint64_t after;         /* the step that is known already: the answer is of another one */
    uint32_t run;           /* ... of which run */
    uint32_t picture, space, population, attribute;
    uint64_t id;            /* of an agent */
    int32_t most;           /* arrows at most */
    int32_t world, worlds;  /* the first of so many, side by side */
    mass_gidx at[3];        /* a place, or where a box begins, which may be outside of the space */
    mass_gidx extent[2];    /* of the box, along x and y */
    int32_t pixels[2];      /* at most */
    mass_gidx slice;        /* of three dimensions; -1: the middle one */
    mass_view_rule rule;
    int phase;              /* mass_view_phase that is known; -1: none is */
    uint64_t log;           /* serial number of the last line that is known */
} mass_view_question;

/* Whether a target is of the run, and not of the page. */
bool mass_view_is_of_run(const char *target);

/* Reads the target "/run/frame?picture=0&..." of a request by `method`. Returns 200, or the status that refuses it: 404
 * for what there is not, 405 for another method, 400 for anything else; *out is then untouched. */
int mass_view_question_read(const char *method, const char *target, mass_view_question *out);

#endif
