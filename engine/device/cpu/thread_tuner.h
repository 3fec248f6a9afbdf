/* SPDX-License-Identifier: Apache-2.0 */
/* The thread tuner: chooses how many threads repeated work gets, so that it is fastest on this machine at present,
 * together with other programs. It measures at the beginning and now and then, and spends about a hundredth of the time
 * on that. */
#ifndef MASS_ENGINE_DEVICE_THREAD_TUNER_H
#define MASS_ENGINE_DEVICE_THREAD_TUNER_H

#include <stdbool.h>
#include <stdint.h>

enum { MASS_THREAD_TUNER_RUNGS = 12 }; /* 1, 2, 4 ... threads, and all */

/* A tuner of one kind of work. Initialise with zeros. Times in nanoseconds. */
typedef struct mass_thread_tuner {
    int64_t (*clock)(void); /* NULL: the machine's clock */
    int top;                /* the rung of all threads */
    int rung;               /* the number of threads is 2^rung, or all */
    int home;               /* the rung to return to during a trial; else the same */
    bool begun, timed;
    double work;            /* units of the present work */
    bool down;              /* the next trial is of fewer threads */
    double cost[MASS_THREAD_TUNER_RUNGS]; /* of a unit of work, as last measured; 0: not measured */
    double latest;                /* the last measure that was not a trial */
    double credit;                /* time that trials may lose; grows with the time of work */
    int64_t start;                /* of the present work, if it is timed */
    int warming, resting;         /* next works that are not measured because threads are waking up; next works that are
                                     not timed */
    double waited;                /* time of works that were not measured because of `warming` */
    int works;                    /* works in the present measure ... */
    double taken, units;          /* ... their time, and their units */
} mass_thread_tuner;

/* Returns the number of threads for the work that begins now: 1 to `most`. units: amount of work, above 0, in the same
 * unit each time, about a nanosecond each. */
int mass_thread_tuner_begin(mass_thread_tuner *, int most, double units);

/* Ends the work. shared: other threads ran a part of it. */
void mass_thread_tuner_end(mass_thread_tuner *, bool shared);

#endif
