/* SPDX-License-Identifier: Apache-2.0 */
/* The expected results of the model `tokens`, by plain loops and sorted arrays. */
#ifndef MASS_TESTS_MODELS_TOKENS_KNOWN_H
#define MASS_TESTS_MODELS_TOKENS_KNOWN_H

typedef struct tokens_run {
    const char *options;    /* options of the place where it runs */
    int nx, ny, steps, kind; /* kind: TOKENS_... */
    int alike;              /* all rows are equal to the first one */
    int worlds;             /* 0: one */
    const char *folder;     /* with a checkpoint to resume from; NULL: from the start */
} tokens_run;

/* Runs it, and expects every key and count of its last checkpoint, and the same in its report. */
void expect_tokens(const tokens_run *run);
#define EXPECT_TOKENS(...) expect_tokens(&(tokens_run){__VA_ARGS__})

#endif
