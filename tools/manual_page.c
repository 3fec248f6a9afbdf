/* SPDX-License-Identifier: Apache-2.0 */
/* manual-page mass-engine|plot FILE: writes the manual page of a command from the table of its options. */
#include "command/options/options.h"
#include "command/options/plot_options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Writes text for roff: characters of requests, typographic quotes and escapes become plain. */
static void put(FILE *to, const char *text)
{
    for (const char *c = text; *c; c++)
        switch (*c) {
        case '\\': fputs("\\e", to); break;
        case '-': fputs("\\-", to); break;
        case '\'': fputs("\\(aq", to); break;
        case '`': fputs("\\(ga", to); break;
        case '^': fputs("\\(ha", to); break;
        case '~': fputs("\\(ti", to); break;
        case '.':
            if (c == text) fputs("\\&", to);
            fputc('.', to);
            break;
        default: fputc(*c, to);
        }
}

/* Writes the heading of a section, in capital letters. */
static void put_heading(FILE *to, const char *heading)
{
    fputs(".SH ", to);
    for (; *heading; heading++) fputc(toupper((unsigned char)*heading), to);
    fputc('\n', to);
}

/* Writes an option with its value and help, after its group's heading if it begins one. */
static void put_option(FILE *to, const mass_option *o)
{
    char spelling[64];
    if (o->heading) put_heading(to, o->heading);
    fputs(".TP\n\\fB", to);
    if (o->letter) fprintf(to, "\\-%c\\fR, \\fB", o->letter);
    put(to, mass_option_spelling(o, spelling));
    fputs("\\fR", to);
    if (o->value) fputs(o->bare ? "\\fI" : " \\fI", to), put(to, o->value), fputs("\\fR", to);
    fputc('\n', to);
    put(to, o->help);
    fputs(o->repeated ? "; may be repeated.\n" : ".\n", to);
    if (o->more) put(to, o->more), fputc('\n', to);
}

/* Writes the ways to call a command. */
static void put_ways(FILE *to, const mass_command *c)
{
    fputs(".SH SYNOPSIS\n.nf\n", to);
    for (const char *const (*way)[2] = c->ways; (*way)[0]; way++) put(to, (*way)[0]), fputc('\n', to);
    fputs(".fi\n", to);
}

/* Writes "mass-engine-plot" for the page of mass-engine plot. */
static void put_name(FILE *to, const char *name)
{
    for (; *name; name++) fputs(*name == ' ' || *name == '-' ? "\\-" : (const char[]){*name, '\0'}, to);
}

/* Writes the whole page of a command in man's format. `other` is the command to see also. */
static void write_page(FILE *to, const mass_command *c, const mass_command *other)
{
    fputs(".TH ", to);
    put_name(to, c->name);
    fprintf(to, " 1 \"\" \"mass\\-engine %s\" \"User commands\"\n.SH NAME\n", MASS_ENGINE_VERSION);
    put_name(to, c->name);
    fprintf(to, " \\- %s\n", c->summary);
    put_ways(to, c);
    fputs(".SH DESCRIPTION\n", to);
    put(to, c->about);
    fputs("\n.PP\nAn option and its value are two words or joined by \\(aq=\\(aq. Options may come in any order, and "
          "be shortened to as many letters as no other begins with.\n", to);
    for (const mass_option *o = NULL; (o = mass_option_next(c, o));) put_option(to, o);
    for (const char *const (*p)[2] = c->paragraphs; (*p)[0]; p++) {
        put_heading(to, (*p)[0]);
        put(to, (*p)[1]);
        fputc('\n', to);
    }
    fputs(".SH SEE ALSO\n.BR ", to);
    put_name(to, other->name);
    fputs(" (1)\n", to);
}

/* Writes one page to a file. Returns the exit status. */
int main(int count, char *arguments[])
{
    const bool plot = count == 3 && strcmp(arguments[1], "plot") == 0;
    if (!plot && (count != 3 || strcmp(arguments[1], "mass-engine") != 0)) {
        fputs("usage: manual-page mass-engine|plot FILE\n", stderr);
        return 2;
    }
    const mass_command *pages[] = {&mass_engine_command, &mass_plot_command};
    FILE *to = fopen(arguments[2], "w");
    if (to) write_page(to, pages[plot], pages[!plot]);
    if (to && !ferror(to) && fclose(to) == 0) return 0;
    fprintf(stderr, "manual-page: %s cannot be written\n", arguments[2]);
    return 1;
}
