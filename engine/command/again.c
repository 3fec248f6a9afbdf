/* SPDX-License-Identifier: Apache-2.0 */
#include "command/again.h"
#include "command/shell_word.h"
#include "core/file.h"
#include "core/memory_stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The arguments of this process, each with its zero byte; the caller frees it. */
static char *read_arguments(size_t *size)
{
    char *bytes = NULL;
    FILE *from = fopen("/proc/self/cmdline", "rbe");
    FILE *to = mass_memory_stream(&bytes, size);
    char part[4096];
    for (size_t got; from && to && (got = fread(part, 1, sizeof part, from)) > 0;) fwrite(part, 1, got, to);
    if (from) fclose(from);
    return to && fclose(to) == 0 ? bytes : NULL;
}

/* Abbreviations, too. */
static bool is_of_view(const char *word)
{
    const mass_option *o = mass_option_find(&mass_engine_command, word, strcspn(word, "="));
    return o && strncmp(word, "--", 2) == 0 && (strcmp(o->name, "view") == 0 || strcmp(o->name, "view-wait") == 0);
}

char *mass_again(const mass_options *o, uint64_t seed, bool seedless)
{
    char *text = NULL;
    size_t size = 0, ignored;
    char *arguments = read_arguments(&size);
    FILE *to = arguments ? mass_memory_stream(&text, &ignored) : NULL;
    for (const char *at = arguments; to && at < arguments + size; at += strlen(at) + 1) {
        if (at > arguments && is_of_view(at)) continue;
        if (at > arguments) fputc(' ', to);
        mass_put_shell_word(to, at);
    }
    if (to && !o->seed_given && !seedless && !o->resume) fprintf(to, " --seed %" PRIu64, seed);
    free(arguments);
    return to && fclose(to) == 0 ? text : NULL;
}
