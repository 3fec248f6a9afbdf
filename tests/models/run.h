/* SPDX-License-Identifier: Apache-2.0 */
/* Runs mass-engine as its users do, and reads what it reports and writes. MASS_ENGINE is the path of
 * the command, MASS_PLUGINS the folder of the plugins and MASS_DATA that of the patterns. */
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

/* What a command left behind; the caller frees it with outcome_free. */
typedef struct outcome {
    int status;       /* exit status, or -signal */
    json_t *report;   /* what --json printed; NULL if that is no JSON */
    const char *hash; /* state_hash, in report; "" without one */
    char *tallies;    /* of the report, as text; "" without one */
    char *errors;     /* standard error */
} outcome;

/* Starts mass-engine with options, as in a shell: '...' keeps spaces together. --json is added. */
process engine_start(const char *options);
/* Waits for its end. */
outcome engine_finish(process *p);
/* Ends it at once by SIGKILL and waits; false if it had ended by itself before. */
bool engine_kill(process *p);
void outcome_free(outcome *o);

/* As printf, into a string that lives until the end of the test program. */
const char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Runs to an end with --quiet, and fails the test unless that is status 0 with a report and without
 * a word on standard error, but for faults that the report lists, of a model that is made to have some. */
outcome engine_run(const char *options);
/* As above, of which only the state_hash and the tallies matter: one text, to live as text() does. */
const char *engine_result(const char *options);

/* As above, of a run that writes nothing: it is made once, and known from then on to the test. */
const char *engine_known_result(const char *options);

/* As above, of which only the files matter that it writes. */
void engine_write(const char *options);
/* Runs to an end with --quiet, and fails the test unless that is this status without a report, and one line on
 * standard error that says `words`. */
void engine_refuse(const char *options, int status, const char *words);

/* A tally of a run in one world. */
int64_t tally_of(const outcome *o, const char *name);

/* An empty folder, removed with all that it holds when the test program ends. */
const char *folder_make(void);
void folder_empty(const char *folder);

/* Steps of the checkpoints in a folder, in increasing order; returns how many, at most `most`. Fails
 * the test if there is any other file in it, temporary ones included, unless others are welcome. */
int checkpoint_steps(const char *folder, bool others, uint64_t *steps, int most);
const char *checkpoint_path(const char *folder, uint64_t step);

/* A data set of a checkpoint, in the element type that it has in the file, and of bits a byte each; the caller
 * frees bytes. */
typedef struct dataset {
    int rank;
    size_t extents[6];
    size_t size; /* of all elements */
    unsigned char *bytes;
} dataset;
dataset dataset_read(const char *path, const char *name); /* bits apart, one a byte */
dataset dataset_read_packed(const char *path, const char *name);

#endif
