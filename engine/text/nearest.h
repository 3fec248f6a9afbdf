/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the name most like a misspelt word. The distance of two names is the least number of letters to insert, delete,
 * replace or swap with a neighbour. Pure. */
#ifndef MASS_ENGINE_TEXT_NEAREST_H
#define MASS_ENGINE_TEXT_NEAREST_H

#include <stddef.h>

typedef struct mass_nearest {
    const char *word, *best; /* borrowed; best: NULL while no name is similar enough */
    size_t distance;         /* the next name has to be closer than this */
} mass_nearest;

mass_nearest mass_nearest_to(const char *word);

/* Makes `name` the best if it is closer than all names before it. It has to differ from the word in at most a third of
 * the word's letters, rounded up. */
void mass_nearest_try(mass_nearest *n, const char *name);

#endif
