/* SPDX-License-Identifier: Apache-2.0 */
/* Trying in a subprocess what may crash or hang: this program again, with other arguments. */
#ifndef MASS_ENGINE_PROCESS_SUBPROCESS_H
#define MASS_ENGINE_PROCESS_SUBPROCESS_H

#include "base/error.h"

enum {
    MASS_SUBPROCESS_ARGUMENTS = 20000, /* at most */
    MASS_SUBPROCESS_FILE = 4           /* descriptor of the file that a subprocess was given */
};

typedef struct mass_subprocess_limits {
    double seconds;             /* then it is killed, with all processes of its group. What it waits for a processor,
                                 * as where others are busy, does not count */
    unsigned processor_seconds; /* then it dies of SIGXCPU; 0: no limit */
    size_t memory_bytes; /* of address space; 0: no limit. Not held in builds with a sanitizer */
    int (*stop)(void);   /* asked now and then: not 0 ends the wait; or NULL */
    int file;            /* of the caller, which the subprocess has as MASS_SUBPROCESS_FILE; 0: none */
    double more_seconds; /* that it has after mass_subprocess_passed; 0: it ends there, as at its report */
} mass_subprocess_limits;

typedef enum mass_subprocess_outcome {
    MASS_SUBPROCESS_FINISHED,   /* it reported; status and text are its report. Or it passed, and came to none */
    MASS_SUBPROCESS_CRASHED,    /* it died of signal `number` without a report */
    MASS_SUBPROCESS_HUNG,       /* it was killed at the time limit without a report */
    MASS_SUBPROCESS_EXITED,     /* it left with exit status `number` without a report */
    MASS_SUBPROCESS_STOPPED,    /* it was killed because `stop` said so */
    MASS_SUBPROCESS_NOT_STARTED /* text says why */
} mass_subprocess_outcome;

typedef struct mass_subprocess_result {
    mass_subprocess_outcome outcome;
    int number;
    mass_status status;
    char text[1000]; /* one line; "" if none */
    char where[200]; /* the last mass_subprocess_where; "" if none */
    int passed;      /* 1: a report, if any, is of what came after mass_subprocess_passed */
} mass_subprocess_result;

/* Runs /proc/self/exe with arguments (those after the program's name, ended by NULL) and waits for
 * its report or its end. The subprocess has no standard streams, no core dump, and no file of the caller
 * but the pipe for its report, and the one that it is given; signals are as in a fresh process, but
 * those that ask for an end or a checkpoint are ignored: they are for the caller, who ends it. It
 * ends at its report: whatever it does after that is cut short. Returns MASS_OK if it ran, however it
 * ended, else MASS_FAILED. *out is always complete. Any thread; SIGCHLD must not be ignored. */
mass_status mass_subprocess_run(const char *const arguments[], const mass_subprocess_limits *limits,
                                mass_subprocess_result *out);

/* In the subprocess: its answer, once. Control characters in text become spaces. */
void mass_subprocess_report(mass_status status, const char *text);

/* In the subprocess, once, instead of a report or before it: all is well, and what comes now matters to nobody if it
 * crashes, hangs or ends the subprocess. */
void mass_subprocess_passed(void);

/* In the subprocess: what it does now, to be told if it dies of it. One write; async-signal-safe. */
void mass_subprocess_where(const char *text);

#endif
