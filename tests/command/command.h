/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the command as a user does: with arguments, in a folder of the test's own. Tests check its output, its files and
 * its exit status. A test that does not use Criterion's fixtures calls scratch_make and scratch_remove itself. */
#ifndef MASS_TEST_COMMAND_H
#define MASS_TEST_COMMAND_H

#include <criterion/criterion.h>
#include <jansson.h>
#include <mass/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- the test's own folder ---- */

void scratch_make(void);
void scratch_remove(void); /* with all files in it */
#define SCRATCH .init = scratch_make, .fini = scratch_remove

/* Keeps memory until the test's process ends, and returns it. All functions below that return memory keep it so. */
void *kept(void *memory);

/* Returns a path, formatted. */
const char *path_of(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *scratch(const char *name);    /* a path below the scratch folder */
const char *data_file(const char *name);  /* a path in the repository's data/ */
const char *shipped(const char *name);    /* the path of a plugin that ships */
const char *bad_plugin(const char *name); /* the path of one of tests/command/plugins */

/* ---- files ---- */

typedef struct content {
    uint8_t *bytes;
    size_t size;
} content;

content file_read(const char *path); /* followed by a zero byte */
void file_write(const char *path, const void *bytes, size_t size);
void file_write_text(const char *path, const char *text);
/* Writes the file with three bytes changed. In every fourth trial it also cuts it anywhere. */
void file_write_damaged(const char *path, const content *whole, int trial, uint64_t *random);
void file_copy(const char *from, const char *to);
bool file_exists(const char *path);
const char *folder_make(const char *path); /* returns path */
int folder_count(const char *path);        /* entries, hidden ones too; 0 if there is no such folder */

/* ---- running it ---- */

typedef struct setting {
    const char *folder;    /* where to run it; NULL: the test's folder */
    void (*prepare)(void); /* called in the child before it becomes the command */
    double seconds;        /* most time it may take; 0: 60 */
} setting;

typedef struct process {
    pid_t id;
    int out, err;
    double deadline;
} process;

typedef struct outcome {
    int status;      /* exit status, or -1 */
    int signal;      /* signal that killed it, or 0 */
    bool hung;       /* it was killed when its time had passed */
    char *out, *err;
} outcome;

/* Starts the command. finish waits for its end, and kills it when its time has passed; run does both. A text that it
 * printed is kept. */
process command_start(const setting *s, const char *const arguments[]);
outcome command_finish(process *p);
outcome command_run(const setting *s, const char *const arguments[]);
/* Returns the command's output on standard error so far; await waits until it contains a text. */
char *command_errors(const process *p);
void command_await(const process *p, const char *text);
void command_await_file(const process *p, const char *path);
void command_await_signals(const process *p); /* until it handles them as requests, and does not die */
#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define RUN(...) command_run(NULL, ARGUMENTS(__VA_ARGS__))
#define RUN_WITH(SETTING, ...) command_run(&(const setting)SETTING, ARGUMENTS(__VA_ARGS__))
#define IN(...) {__VA_ARGS__} /* RUN_WITH(IN(.folder = "/tmp"), "--list") */

/* Returns true if several ranks can start here: the build may lack MPI, or mpirun may be missing. */
bool ranks_can_run(void);

/* ---- results ---- */

/* Returns the number of lines. */
int line_count(const char *text);
/* Expects one line on standard error that begins with "mass-engine: " and contains all the pieces, no standard output,
 * and the status. */
void assert_refused(const outcome *o, int status, const char *const pieces[]);
#define REFUSED(OUTCOME, STATUS, ...)                                                              \
    assert_refused(&(const outcome[]){OUTCOME}[0], STATUS, ARGUMENTS(__VA_ARGS__))
void assert_done(const outcome *o, int status);
#define DONE(OUTCOME) assert_done(&(const outcome[]){OUTCOME}[0], 0)

/* Returns standard output as one JSON value; it must contain nothing else. */
json_t *outcome_json(const outcome *o);
/* Returns "state_hash" of a run that ended with `status`. */
const char *outcome_hash(const outcome *o, int status);

/* Returns the next number of a reproducible sequence. */
uint64_t next_random(uint64_t *state);

#endif
