/* SPDX-License-Identifier: Apache-2.0 */
/* Text for people in lines that a terminal of 80 columns shows. */
#ifndef MASS_ENGINE_FOLD_H
#define MASS_ENGINE_FOLD_H

#include <stdio.h>

enum { MASS_FOLD_COLUMNS = 80 };

/* Prints lines, which end in newlines. One that is too long goes on in the next at a blank, if it begins with a blank
 * itself with `hang` blanks before it. Words stay whole, however long, and so do lines that end in a backslash. */
void mass_fold(const char *lines, int hang, FILE *to);

#endif
