/* SPDX-License-Identifier: Apache-2.0 */
/* What the model `histogram` has to come to: files to count, and plain loops that do. */
#ifndef MASS_TESTS_MODELS_HISTOGRAM_KNOWN_H
#define MASS_TESTS_MODELS_HISTOGRAM_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How items are counted; where bins is 0, as the mode does by itself. */
typedef struct counting {
    const char *mode;
    int64_t bins;
    double lo, hi;
} counting;

/* Every mode, as it counts by itself; ended by one without a name. */
extern const counting each_mode[];

/* Writes a file of so many items to an empty folder, which lives as folder_make's do, and gives its path. They are
 * of all values that bytes can make, from below lo to above hi; among floats are NaN, infinities and zeros. */
const char *items_make(const counting *c, size_t items);
/* One of these bytes. */
const char *file_make(const void *bytes, size_t size);

/* Runs it over the file with options, and checks counts, total and what lies apart. */
void expect_counts(const char *path, const counting *c, const char *options);

/* A file of words in several languages, with all kinds of space between them. */
const char *words_make(size_t words);
/* Runs it over the file with options, and checks its words against those of tr, sort and uniq -c; folded: without
 * capitals. */
void expect_words(const char *path, bool folded, const char *options);

/* The options that name model, file and counting. */
const char *counting_options(const char *path, const counting *c);
/* Checks the tallies of a checkpoint. */
void expect_counts_in(const char *checkpoint, const char *path, const counting *c, const char *options);

#endif
