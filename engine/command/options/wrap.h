/* SPDX-License-Identifier: Apache-2.0 */
/* Breaks text for people into lines that fit a terminal of 80 columns. */
#ifndef MASS_ENGINE_WRAP_H
#define MASS_ENGINE_WRAP_H

#include <stdio.h>

enum { MASS_FOLD_COLUMNS = 80 };

/* Prints lines, which end in newlines. Breaks a line that is too long at a blank. If the line begins with a blank, its
 * continuation begins with `hang` blanks. Never breaks words, or lines that end in a backslash. */
void mass_fold(const char *lines, int hang, FILE *to);

#endif
