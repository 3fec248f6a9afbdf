/* SPDX-License-Identifier: Apache-2.0 */
/* Tries work that may crash or hang in a subprocess: this program again, with other arguments. */
#ifndef MASS_ENGINE_PROCESS_SUBPROCESS_H
#define MASS_ENGINE_PROCESS_SUBPROCESS_H

#include "base/error.h"

enum {
    MASS_SUBPROCESS_ARGUMENTS = 20000, /* at most */
    MASS_SUBPROCESS_FILE = 4           /* descriptor of the file that the caller passes on */
};

typedef struct mass_subprocess_limits {
    double seconds;             /* time limit: then the caller kills its process group. Time that it waits for a
                                 * processor does not count */
    unsigned processor_seconds; /* limit of processor time: then it dies of SIGXCPU; 0: none */
    size_t memory_bytes; /* limit of address space; 0: none. Not applied in builds with a sanitizer */
    int (*stop)(void);   /* polled during the wait; a result other than 0 ends the wait; or NULL */
    int file;            /* a file of the caller, passed on as MASS_SUBPROCESS_FILE; 0: none */
    double more_seconds; /* time limit after mass_subprocess_passed; 0: the subprocess ends there */
} mass_subprocess_limits;

typedef enum mass_subprocess_outcome {
    MASS_SUBPROCESS_FINISHED,   /* it reported, and status and text are its report; or it passed without a report */
    MASS_SUBPROCESS_CRASHED,    /* it died of signal `number` without a report */
    MASS_SUBPROCESS_HUNG,       /* the caller killed it at the time limit, without a report */
    MASS_SUBPROCESS_EXITED,     /* it left with exit status `number` without a report */
    MASS_SUBPROCESS_STOPPED,    /* the caller killed it because `stop` returned other than 0 */
    MASS_SUBPROCESS_NOT_STARTED /* text says why */
} mass_subprocess_outcome;

typedef struct mass_subprocess_result {
    mass_subprocess_outcome outcome;
    int number;
    mass_status status;
    char text[1000]; /* one line; "" if none */
    char where[200]; /* text of the last mass_subprocess_where; "" if none */
    int passed;      /* 1: it called mass_subprocess_passed; a report may have come before or after that */
} mass_subprocess_result;

/* Runs the program (program.h) with `arguments`, which follow its name and end with NULL. Waits until the subprocess
 * reports or ends, then kills its process group.
 *
 * The subprocess has no standard streams and no core dump. Its only files of the caller are the pipe for its report and
 * limits->file. Its signals are as in a fresh process, but it ignores signals that ask for an end or a checkpoint: the
 * caller handles those and ends it. Anything it does after its report is cut short.
 *
 * Returns MASS_OK if it ran, however it ended, else MASS_FAILED. *out is always complete. Any thread; the caller must
 * not ignore SIGCHLD. */
mass_status mass_subprocess_run(const char *const arguments[], const mass_subprocess_limits *limits,
                                mass_subprocess_result *out);

/* Called once in the subprocess: sends its report. Control characters in text become spaces. */
void mass_subprocess_report(mass_status status, const char *text);

/* Called once in the subprocess, before a report or instead of one: the test succeeded. A crash, hang or exit after it
 * does not count. */
void mass_subprocess_passed(void);

/* Called in the subprocess: names the current work, for the caller's report if the subprocess dies. One write;
 * async-signal-safe. */
void mass_subprocess_where(const char *text);

#endif
