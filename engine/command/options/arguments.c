/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/arguments.h"
#include "base/memory_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *const *replacing; /* words in place of the system's; NULL: none */

void mass_arguments_use(char *const words[]) { replacing = words; }

/* Returns `first`, the name of the program, and the replacing words, which there have to be, with zero bytes between
 * them, or NULL. *size: all bytes. The caller frees it. */
static char *join(const char *first, size_t *size)
{
    char *bytes = NULL;
    FILE *to = mass_memory_stream(&bytes, size);
    if (to) fwrite(first, 1, strlen(first) + 1, to);
    for (char *const *word = replacing; to && *word; word++) fwrite(*word, 1, strlen(*word) + 1, to);
    return to && fclose(to) == 0 ? bytes : NULL;
}

/* Returns this process's command line as words with zero bytes between them, or NULL. *size: all bytes. The caller
 * frees it. */
static char *read_bytes(size_t *size)
{
    char *bytes = NULL, part[4096];
    FILE *from = fopen("/proc/self/cmdline", "rbe");
    FILE *to = from ? mass_memory_stream(&bytes, size) : NULL;
    for (size_t got; to && (got = fread(part, 1, sizeof part, from)) > 0;) fwrite(part, 1, got, to);
    if (from) fclose(from);
    return to && fclose(to) == 0 ? bytes : NULL;
}

bool mass_arguments_read(mass_arguments *out)
{
    size_t size = 0;
    mass_arguments a = {.bytes = read_bytes(&size)};
    if (a.bytes && replacing) {
        char *own = join(a.bytes, &size);
        free(a.bytes);
        a.bytes = own;
    }
    for (size_t i = 0; a.bytes && i < size; i++) a.count += a.bytes[i] == '\0';
    a.words = a.count ? calloc((size_t)a.count + 1, sizeof *a.words) : NULL;
    if (!a.words) {
        mass_arguments_free(&a);
        *out = a;
        return false;
    }
    char *at = a.bytes;
    for (int i = 0; i < a.count; i++, at += strlen(at) + 1) a.words[i] = at;
    *out = a;
    return true;
}

void mass_arguments_free(mass_arguments *a)
{
    free(a->bytes);
    free(a->words);
    *a = (mass_arguments){0};
}

const mass_option *mass_arguments_option(const mass_arguments *a, int i, int *taken, const char **value)
{
    const char *word = a->words[i], *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const mass_option *o = i > 0 ? mass_option_find(&mass_engine_command, word, length) : NULL;
    const bool next = o && o->value && !o->bare && !equals && i + 1 < a->count;
    *taken = next ? 2 : 1;
    *value = equals ? equals + 1 : next ? a->words[i + 1] : "";
    return o;
}
