/* SPDX-License-Identifier: Apache-2.0 */
#include "text/spelling.h"

#include <string.h>

enum { LETTERS_MAX = 63 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Returns the optimal string alignment distance: Levenshtein's, where swapping two neighbours also counts as one. rows,
 * columns: lengths of a and b, at most LETTERS_MAX. */
static size_t distance_of(const char *a, size_t rows, const char *b, size_t columns)
{
    size_t table[3][LETTERS_MAX + 1], *before = table[0], *above = table[1], *row = table[2];
    for (size_t j = 0; j <= columns; j++) row[j] = j;
    for (size_t i = 1; i <= rows; i++) {
        size_t *const oldest = before;
        before = above, above = row, row = oldest;
        row[0] = i;
        for (size_t j = 1; j <= columns; j++) {
            row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return row[columns];
}

mass_spelling mass_spelling_to(const char *word)
{
    return (mass_spelling){.word = word, .distance = (strlen(word) + 2) / 3 + 1};
}

void mass_spelling_try(mass_spelling *n, const char *name)
{
    const size_t letters = strlen(n->word), others = strlen(name);
    if (letters > LETTERS_MAX || others > LETTERS_MAX) return;
    const size_t distance = distance_of(n->word, letters, name, others);
    if (distance >= n->distance || distance >= others) return;
    n->best = name;
    n->distance = distance;
}
