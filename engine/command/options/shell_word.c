/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/shell_word.h"

#include <string.h>

void mass_put_shell_word(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-=,:+@%";
    if (word[0] && word[strspn(word, plain)] == '\0') {
        fputs(word, to);
        return;
    }
    fputc('\'', to);
    for (; *word; word++) fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, to);
    fputc('\'', to);
}
