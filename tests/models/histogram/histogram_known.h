/* SPDX-License-Identifier: Apache-2.0 */
/* The expected results of the model `histogram`: files to count, and plain loops that count them. */
#ifndef MASS_TESTS_MODELS_HISTOGRAM_KNOWN_H
#define MASS_TESTS_MODELS_HISTOGRAM_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How items are counted; bins 0: by the mode's default. */
typedef struct counting {
    const char *mode;
    int64_t bins;
    double lo, hi;
} counting;

/* Every mode with its defaults; the last has no name. */
extern const counting each_mode[];

/* Writes a file of `items` items to an empty folder, which exists as long as folder_make's do, and returns its path.
 * The items have all values that bytes can have, below lo and above hi too. Floats include NaN, infinities and
 * zeros. */
const char *items_make(const counting *c, size_t items);
/* Writes a file of these bytes. */
const char *file_make(const void *bytes, size_t size);

/* Runs it over the file with options, and checks counts, total, and the items outside of all bins. */
void expect_counts(const char *path, const counting *c, const char *options);

/* Writes a file of words in several languages, with all kinds of white space between them. */
const char *words_make(size_t words);
/* Runs it over the file with options, and checks its words against those of tr, sort and uniq -c; folded: without
 * capitals. */
void expect_words(const char *path, bool folded, const char *options);

/* Returns the options that name model, file and counting. */
const char *counting_options(const char *path, const counting *c);
/* Checks the tallies of a checkpoint. */
void expect_counts_in(const char *checkpoint, const char *path, const counting *c, const char *options);

#endif
