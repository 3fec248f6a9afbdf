/* SPDX-License-Identifier: Apache-2.0 */
/* How many threads work gets that is done again and again: as many as make it fastest here and now, beside other
 * programs. That is measured at the beginning and again now and then, at the cost of one part in a hundred
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
    int rung;               /* the number of threads in use is 2^rung, or all */
    int home;               /* the rung to return to while another one is on trial; else the same */
    bool begun, timed;
    double work;            /* units of the work that runs now */
    bool down;              /* the next trial is of fewer threads */
    double cost[MASS_PACE_RUNGS]; /* of a unit of work, as last measured; 0: not yet */
    double latest;                /* the last measure that was no trial */
    double credit;                /* grows with the time that work takes, and trials spend it: what they may lose */
    int64_t start;                /* of the work that runs now, if it is timed */
    int warming, resting;         /* works to come that are not measured, as other threads only begin; not even timed */
    double waited;                /* time that works took while they were not measured for that reason */
    int works;                    /* works in the present measure ... */
    double taken, units;          /* ... the time that they took, and how much work they were */
} mass_pace;

/* Threads for the work that begins now, of at most `most`, which is at least 1. units: how much work it is, in the
 * same measure each time, about a nanosecond each, above 0. */
int mass_pace_begin(mass_pace *, int most, double units);

/* It has ended. shared: other threads had a part in it. */
void mass_pace_end(mass_pace *, bool shared);

#endif
