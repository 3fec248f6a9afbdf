/* SPDX-License-Identifier: Apache-2.0 */
/* A question of a viewer, read from the line of a request. Pure; any thread. */
#ifndef MASS_ENGINE_VIEW_QUESTION_H
#define MASS_ENGINE_VIEW_QUESTION_H

#include <mass/types.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    MASS_VIEW_PIXELS_MOST = 4096, /* most pixels of a frame, along each side */
    MASS_VIEW_WORLDS_MOST = 16,   /* most worlds in a frame */
    MASS_VIEW_ARROWS_MOST = 4096, /* most arrows */
    MASS_VIEW_BODY_MOST = 64 << 10 /* most bytes of a body */
};

typedef enum mass_view_kind {
    MASS_VIEW_MODEL,   /* what the model declares, and what the run is */
    MASS_VIEW_FRAME,   /* part of a picture */
    MASS_VIEW_PLACE,   /* one place and its agents */
    MASS_VIEW_AGENT,   /* one agent, at any place */
    MASS_VIEW_ARROWS,  /* values of an attribute for arrows */
    MASS_VIEW_EDGES,   /* the edges of a network, or how many there are by degree and node */
    MASS_VIEW_NUMBERS, /* step, tallies and messages */
    MASS_VIEW_CONTROL  /* a request to the run, in the body */
} mass_view_kind;

/* How the value of a pixel is computed from its places. */
typedef enum mass_view_rule { MASS_VIEW_MEAN, MASS_VIEW_MOST, MASS_VIEW_LARGEST, MASS_VIEW_RULES } mass_view_rule;
extern const char *const mass_view_rules[MASS_VIEW_RULES]; /* "mean", "most", "largest" */

/* The state of the run, as /run/numbers reports it. */
typedef enum mass_view_phase { MASS_VIEW_WAITING, MASS_VIEW_RUNNING, MASS_VIEW_PAUSED, MASS_VIEW_ENDED,
                               MASS_VIEW_PHASES } mass_view_phase;
extern const char *const mass_view_phases[MASS_VIEW_PHASES]; /* "waiting", "running", "paused", "ended" */

typedef struct mass_view_question {
    mass_view_kind kind;
    bool has_after, has_run, has_rule; /* whether after, run and rule are given */
    bool agents;            /* include agents */
    uint64_t after;         /* the step that the page has: the answer must be of another step */
    uint32_t run;           /* run of that step */
    uint32_t picture, space, population, attribute, network;
    uint64_t id;            /* of an agent */
    int32_t most;           /* most arrows */
    int32_t world, worlds;  /* first world, and number of worlds */
    mass_gidx at[3];        /* a place, or the beginning of a box, which may be outside of the space */
    mass_gidx extent[2];    /* of the box, along x and y */
    int32_t pixels[2];      /* most pixels */
    mass_gidx slice;        /* layer of three dimensions; -1: the middle one */
    mass_view_rule rule;
    int phase;              /* mass_view_phase that the page has; -1: none */
    uint64_t log;           /* number of the last line that the page has */
} mass_view_question;

/* Returns whether a target is of the run, not of the page. */
bool mass_view_is_of_run(const char *target);

/* Reads the target "/run/frame?picture=0&..." of a request by `method`. Returns 200, or the status of a refusal, with
 * *out unchanged: 404 for an unknown target, 405 for another method, 400 for anything else. */
int mass_view_question_read(const char *method, const char *target, mass_view_question *out);

#endif
