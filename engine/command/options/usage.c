/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/usage.h"
#include "command/options/wrap.h"
#include "base/memory_stream.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMN = 28 /* where help begins */ };

/* Prints an option's spelling, value and help, after its group's heading if it is the first of the group. */
static void print_option(const mass_option *o, FILE *to)
{
    char name[128], spelling[64];
    if (o->letter) snprintf(name, sizeof name, "-%c, %s", o->letter, mass_option_spelling(o, spelling));
    else snprintf(name, sizeof name, "%s%s%s", mass_option_spelling(o, spelling), o->value && !o->bare ? " " : "",
                  o->value ? o->value : "");
    if (o->heading) fprintf(to, "\n%s\n", o->heading);
    fprintf(to, "  %-*s", COLUMN - 3, name);
    if (strlen(name) > COLUMN - 3) fprintf(to, "\n%*s", COLUMN - 1, "");
    fprintf(to, " %s%s\n", o->help, o->repeated ? "; may be repeated" : "");
}

/* Prints a command's forms in aligned columns. */
static void print_ways(const mass_command *c, FILE *to)
{
    int width = 0;
    for (const char *const (*way)[2] = c->ways; (*way)[0]; way++)
        if (width < (int)strlen((*way)[0])) width = (int)strlen((*way)[0]);
    for (const char *const (*way)[2] = c->ways; (*way)[0]; way++)
        fprintf(to, "  %-*s  %s\n", width, (*way)[0], (*way)[1]);
}

mass_status mass_usage_print(const mass_command *c, FILE *to, mass_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *lines = mass_memory_stream(&text, &size);
    if (!lines) return mass_error_memory(error, 1 << 14, "the help");
    fprintf(lines, "%s\n\n", c->about);
    print_ways(c, lines);
    for (const mass_option *o = NULL; (o = mass_option_next(c, o));) print_option(o, lines);
    for (const char *const (*p)[2] = c->paragraphs; (*p)[0]; p++)
        fprintf(lines, "\n%s: %s\n", (*p)[0], (*p)[1]);
    if (fclose(lines) != 0) return mass_error_memory(error, 1 << 14, "the help");
    mass_fold(text, COLUMN, to);
    free(text);
    return MASS_OK;
}
