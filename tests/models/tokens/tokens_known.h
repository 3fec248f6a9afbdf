/* SPDX-License-Identifier: Apache-2.0 */
/* What the model `tokens` has to come to, by plain loops and sorted arrays. */
#ifndef MASS_TESTS_MODELS_TOKENS_KNOWN_H
#define MASS_TESTS_MODELS_TOKENS_KNOWN_H

typedef struct tokens_run {
    const char *options;    /* where it runs */
    int nx, ny, steps, kind; /* kind: TOKENS_... */
    int alike;              /* all rows are the first one */
    int worlds;             /* 0: one */
    const char *folder;     /* of a checkpoint to go on from; NULL: from the start */
} tokens_run;

/* Runs it, and expects every key and count of the checkpoint it ends with, and what the report says of them. */
void expect_tokens(const tokens_run *run);
#define EXPECT_TOKENS(...) expect_tokens(&(tokens_run){__VA_ARGS__})

#endif
