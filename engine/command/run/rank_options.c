/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/rank_options.h"
#include "command/options/arguments.h"
#include "base/memory_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* in the order of --help */
static const char *const names[] = {"plugin", "set", "params", "load", "size", "steps", "until", "seed", "worlds",
                                    "first-world", "sweep", "resume", "fuse", "comm", "no-bits", "no-graph",
                                    "no-block", "no-overlap"};

/* Writes a line with an option, and its value if it is not empty. */
static void put(FILE *to, const char *name, const char *value)
{
    fprintf(to, "--%s%s%s\n", name, value[0] ? " " : "", value);
}

/* Writes an option each time that it is given if it may be repeated, else the last time, which counts. A word alone is
 * the plugin. */
static void put_all(FILE *to, const mass_arguments *a, const char *name)
{
    const char *value, *last = NULL;
    for (int i = 1, taken; i < a->count; i += taken) {
        const mass_option *o = mass_arguments_option(a, i, &taken, &value);
        if (strcmp(o ? o->name : "plugin", name) != 0) continue;
        if (o && o->repeated) put(to, name, value);
        else last = o ? value : a->words[i];
    }
    if (last) put(to, name, last);
}

char *mass_same_options(void)
{
    char *text = NULL;
    size_t ignored;
    mass_arguments a;
    FILE *to = mass_arguments_read(&a) ? mass_memory_stream(&text, &ignored) : NULL;
    for (size_t i = 0; to && i < sizeof names / sizeof *names; i++) put_all(to, &a, names[i]);
    mass_arguments_free(&a);
    return to && fclose(to) == 0 ? text : NULL;
}

/* Returns the beginning, in the first text, of the first line that differs. */
static size_t first_other(const char *one, const char *other)
{
    size_t line = 0;
    for (size_t i = 0; one[i] && one[i] == other[i]; i++)
        if (one[i] == '\n') line = i + 1;
    return line;
}

/* Returns the index of a line's option, as in "--size 9", in `names`; their number if there is no line, or the
 * option is not there. */
static size_t place_of(const char *line)
{
    const size_t all = sizeof names / sizeof *names, length = line[0] ? strcspn(line + 2, " \n") : 0;
    for (size_t i = 0; line[0] && i < all; i++)
        if (strlen(names[i]) == length && strncmp(line + 2, names[i], length) == 0) return i;
    return all;
}

/* Reports the difference of two lines, this rank's and rank 0's. If their options differ, the one with the lower index
 * is given on one rank only. */
static mass_status differ(const char *here, const char *there, mass_error *error)
{
    static const char *const all = "all ranks are given the same model";
    const int own = (int)strcspn(here, "\n"), first = (int)strcspn(there, "\n");
    const size_t place = place_of(here), other = place_of(there);
    if (place > other)
        return mass_error_set(error, MASS_BAD_USAGE, "rank 0 was given %.*s, and this rank was not: %s", first, there,
                              all);
    if (place < other)
        return mass_error_set(error, MASS_BAD_USAGE, "this rank was given %.*s, and rank 0 was not: %s", own, here,
                              all);
    return mass_error_set(error, MASS_BAD_USAGE, "this rank was given %.*s, and rank 0 %.*s: %s", own, here, first,
                          there, all);
}

mass_status mass_same_options_check(const char *of_rank_0, mass_error *error)
{
    char *own = of_rank_0 ? mass_same_options() : NULL;
    mass_status status = MASS_OK;
    if (own && strcmp(own, of_rank_0) != 0) {
        const size_t at = first_other(own, of_rank_0);
        status = differ(own + at, of_rank_0 + at, error);
    }
    free(own);
    return status;
}
