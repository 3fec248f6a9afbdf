/* SPDX-License-Identifier: Apache-2.0 */
/* Words as a shell reads them back. Pure. */
#ifndef MASS_ENGINE_COMMAND_SHELL_WORD_H
#define MASS_ENGINE_COMMAND_SHELL_WORD_H

#include <stdio.h>

/* In quotes where it needs them. */
void mass_put_shell_word(FILE *to, const char *word);

#endif
