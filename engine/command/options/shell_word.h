/* SPDX-License-Identifier: Apache-2.0 */
/* Quotes words for a shell. Pure. */
#ifndef MASS_ENGINE_COMMAND_SHELL_WORD_H
#define MASS_ENGINE_COMMAND_SHELL_WORD_H

#include <stdio.h>

/* Writes a word, in quotes if the shell needs them. */
void mass_put_shell_word(FILE *to, const char *word);

#endif
