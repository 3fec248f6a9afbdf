/* SPDX-License-Identifier: Apache-2.0 */
/* What somebody may have meant who misspelt a name: the one that takes fewest letters left out, put in, exchanged or
 * swapped with their neighbours. Pure. */
#ifndef MASS_ENGINE_TEXT_NEAREST_H
#define MASS_ENGINE_TEXT_NEAREST_H

#include <stddef.h>

typedef struct mass_nearest {
    const char *word, *best; /* borrowed; best: NULL while no name is near enough */
    size_t distance;         /* that a name has to be below */
} mass_nearest;

mass_nearest mass_nearest_to(const char *word);

/* Takes the name if it is nearer than those before it. A name is near if no more than a third of the letters of the
 * word, rounded up, differ. */
void mass_nearest_try(mass_nearest *n, const char *name);

#endif
