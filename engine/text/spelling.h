/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the name most like a misspelt word. The distance of two names is the least number of letters to insert, delete,
 * replace or swap with a neighbour. Pure. */
#ifndef MASS_ENGINE_TEXT_SPELLING_H
#define MASS_ENGINE_TEXT_SPELLING_H

#include <stddef.h>

typedef struct mass_spelling {
    const char *word, *best; /* borrowed; best: NULL while no name is similar enough */
    size_t distance;         /* the next name has to be closer than this */
} mass_spelling;

/* Starts a search for the name closest to `word`, which is borrowed. */
mass_spelling mass_spelling_to(const char *word);

/* Makes `name` the best if it is closer than all names before it; it is borrowed. It has to differ from the word in at
 * most a third of the word's letters, rounded up, and in less than `name` has. Names and words of more than 63 bytes
 * never match. */
void mass_spelling_try(mass_spelling *n, const char *name);

#endif
