/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads a piece of work is worth that is done again and again: as many as make it fastest here and now,
 * beside other programs. That is measured at the beginning and again now and then, at the cost of one part in a hundred
 * of the time. */
#ifndef MASS_ENGINE_DEVICE_PACE_H
#define MASS_ENGINE_DEVICE_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum { MASS_PACE_RUNGS = 12 }; /* 1, 2, 4 ... threads, and all */

/* Begins as all zeros. Times in nanoseconds. */
typedef struct mass_pace {
    int64_t (*clock)(void); /* NULL: that of the machine */
    int top;                /* the rung of all threads */
    int rung, home;         /* the one in use; while that is a trial, the one to go back to, else the same */
    bool begun, timed;
    double work;            /* units of the one that runs now */
    bool down;              /* the next trial is of fewer threads */
    double cost[MASS_PACE_RUNGS]; /* of a unit of work, as last measured; 0: not yet */
    double latest;                /* the last measure that was no trial */
    double credit;                /* what trials may lose */
    int64_t start;                /* of the work that runs now, if it is timed */
    int warming, resting;         /* works to come that count for no measure; that need no clock */
    double waited;                /* for other threads to come, since a change */
    int works;                    /* of the present measure ... */
    double taken, units;          /* ... and what they took and were */
} mass_pace;

/* Threads for the work that begins now, of at most `most`, which is at least 1. units: how much work it is, in the
 * same measure each time, about a nanosecond each, above 0. */
int mass_pace_begin(mass_pace *, int most, double units);

/* It has ended. shared: other threads had a part in it. */
void mass_pace_end(mass_pace *, bool shared);

#endif
