/* SPDX-License-Identifier: Apache-2.0 */
/* Runs mass-engine as its users do, and reads its reports and files. MASS_ENGINE is the path of the command,
 * MASS_PLUGINS the folder of the plugins and MASS_DATA that of the patterns. */
#ifndef MASS_TESTS_MODELS_RUN_H
#define MASS_TESTS_MODELS_RUN_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A running command. Its output goes to files without a name. */
typedef struct process {
    pid_t pid;
    int output, errors;
} process;

/* The results of a command; the caller frees it with outcome_free. */
typedef struct outcome {
    int status;       /* exit status, or -signal */
    json_t *report;   /* output of --json; NULL if it is no JSON */
    const char *hash; /* state_hash, in report; "" without one */
    char *tallies;    /* of the report, as text; "" without one */
    char *errors;     /* standard error */
} outcome;

/* Starts mass-engine with options, as in a shell: '...' keeps spaces together. It adds --json. */
process engine_start(const char *options);
/* Waits for the end of the command. */
outcome engine_finish(process *p);
/* Ends it at once by SIGKILL and waits. Returns false if it had ended by itself before. */
bool engine_kill(process *p);
void outcome_free(outcome *o);

/* Formats as printf does. The string is valid until the end of the test program. */
const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Runs to an end with --quiet. It expects status 0, a report, and nothing on standard error except faults that the
 * report lists, for a model that has some on purpose. */
outcome engine_run(const char *options);
/* The same; returns the state_hash and the tallies as one text, in memory like that of text(). */
const char *engine_result(const char *options);

/* The same for a run that writes nothing: it runs once, and the test keeps the result. */
const char *engine_known_result(const char *options);

/* The same for a run of which only the files matter. */
void engine_write(const char *options);
/* Runs to an end with --quiet, and expects this status without a report, and one line on standard error that contains
 * `words`. */
void engine_refuse(const char *options, int status, const char *words);

/* Returns a tally of a run in one world. */
int64_t tally_of(const outcome *o, const char *name);

/* Makes an empty folder, which is removed with its content when the test program ends. */
const char *folder_make(void);
void folder_empty(const char *folder);

/* Gets the steps of the checkpoints in a folder, in increasing order, and returns their number, at most `most`. It
 * fails the test if there is any other file, temporary ones included, unless `others` is true. */
int checkpoint_steps(const char *folder, bool others, uint64_t *steps, int most);
const char *checkpoint_path(const char *folder, uint64_t step);

/* A data set of a checkpoint, in its element type in the file; bits have a byte each. The caller frees bytes. */
typedef struct dataset {
    int rank;
    size_t extents[6];
    size_t size; /* of all elements */
    unsigned char *bytes;
} dataset;
dataset dataset_read(const char *path, const char *name); /* one byte for each bit */
dataset dataset_read_packed(const char *path, const char *name);

#endif
