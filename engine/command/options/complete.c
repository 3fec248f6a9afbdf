/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/complete.h"
#include "command/options/options.h"
#include "command/options/plot_options.h"
#include "base/escape.h"
#include "plugin/elf.h"
#include "plugin/exposure.h"
#include "plugin/load.h"
#include "plugin/probe.h"
#include "plugin/search.h"
#include "process/standard.h"

#include <stdio.h>
#include <string.h>

/* The word that is being completed. An option before its value, as in "--device=", is in `before`. */
typedef struct writing {
    const char *before, *begun; /* begun: the part to complete, after `before` */
    int before_length;
    const char *plugin;         /* as the user named it; NULL: not yet */
} writing;

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* Prints a candidate if it begins with the typed text. end: added to it, as '='. */
static void offer(const writing *w, const char *candidate, const char *end, const char *help)
{
    char before[64 + MASS_NAME_SIZE];
    if (!begins(candidate, w->begun)) return;
    snprintf(before, sizeof before, "%.*s", w->before_length, w->before);
    mass_print(mass_standard_results(), "%s%s%s\t%s\n", before, candidate, end, help);
}

/* Offers each of some words that blanks separate. */
static void offer_words(const writing *w, const char *words)
{
    for (const char *at = words; *at;) {
        char word[32];
        const size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        offer(w, word, "", "");
        at += length + (at[length] == ' ');
    }
}

/* ---- plugins and their parameters ---- */

/* Offers a plugin's name, unless an earlier folder has one of that name. */
static void offer_plugin(void *context, const char *path, bool shadowed)
{
    char name[NAME_MAX + 1];
    const char *file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(".so")), file);
    if (!shadowed) offer(context, name, "", "");
}

/* Offers the name of a parameter; or, after NAME=, its choices. Leaves out constants. */
static void offer_parameter(const writing *w, const mass_parameter_slot *p)
{
    const char *equals = strchr(w->begun, '=');
    const size_t name = equals ? (size_t)(equals - w->begun) : 0;
    if (p->constant) return;
    if (!equals) offer(w, p->name, "=", p->help);
    else if (p->choices && !p->list && strlen(p->name) == name && strncmp(p->name, w->begun, name) == 0) {
        char before[64 + MASS_NAME_SIZE];
        const int length = snprintf(before, sizeof before, "%.*s%.*s=", w->before_length, w->before, (int)name,
                                    w->begun);
        const writing value = {.before = before, .before_length = length, .begun = equals + 1};
        for (int i = 0; p->choices[i]; i++) offer(&value, p->choices[i], "", "");
    }
}

/* Tries the plugin in a subprocess, opens it, and offers its parameters. Offers none of a plugin by path or that all
 * can write to. */
static void offer_parameters(const writing *w)
{
    char path[PATH_MAX], where[PATH_MAX];
    mass_error error = {0};
    mass_elf_facts facts;
    mass_loaded loaded = {0};
    mass_model model = {0};
    mass_engine_host host;
    const mass_opening opening = {.quiet = true};
    if (!w->plugin || strchr(w->plugin, '/') || mass_plugin_find(w->plugin, path, &error) != MASS_OK ||
        mass_plugin_is_exposed(path, where))
        return;
    if (mass_elf_check_file(path, &facts, &error) == MASS_OK &&
        mass_probe_plugin(path, &opening, NULL, &error) == MASS_OK &&
        mass_plugin_load(path, &loaded, &error) == MASS_OK &&
        mass_host_open(&host, loaded.entry, &opening, &model, &error) == MASS_OK)
        for (uint32_t i = 0; i < model.parameters.count; i++) offer_parameter(w, &model.parameters.slots[i]);
    mass_model_free(&model);
    mass_plugin_unload(&loaded);
}

/* ---- values, options, words ---- */

/* Asks the shell to complete files with these endings; NULL: all files. */
static void offer_files(const char *endings)
{
    fprintf(mass_standard_results(), ":file%s%s\n", endings ? " " : "", endings ? endings : "");
}

/* Offers values of the expected kind, such as plugins of the search if no path is begun, or asks the shell to
 * complete files or folders. */
static void offer_value(writing *w, mass_expected expected, const char *words, mass_error *error)
{
    switch (expected) {
    case MASS_EXPECTED_ANYTHING: break;
    case MASS_EXPECTED_WORDS: offer_words(w, words); break;
    case MASS_EXPECTED_FILE: offer_files(words); break;
    case MASS_EXPECTED_FOLDER: fputs(":folder\n", mass_standard_results()); break;
    case MASS_EXPECTED_PLUGIN:
        if (strchr(w->begun, '/') || w->begun[0] == '.') offer_files(".so");
        else mass_plugin_list(offer_plugin, w, error);
        break;
    case MASS_EXPECTED_PARAMETER: offer_parameters(w); break;
    }
}

/* Offers all options of the command, with their help. */
static void offer_options(const writing *w, const mass_command *c)
{
    for (const mass_option *o = NULL; (o = mass_option_next(c, o));) {
        char spelling[64];
        offer(w, mass_option_spelling(o, spelling), "", o->help);
    }
}

/* Returns the option whose value is being completed, or NULL. words: those before the word that is completed. Records
 * the plugin on the way. */
static const mass_option *pass(const mass_command *c, int count, char *const words[], writing *w)
{
    for (int i = 0; i < count; i++) {
        const char *equals = words[i][0] == '-' ? strchr(words[i], '=') : NULL;
        const size_t length = equals ? (size_t)(equals - words[i]) : strlen(words[i]);
        const mass_option *o = mass_option_find(c, words[i], length);
        if (o && o->value && !o->bare && !equals && i + 1 == count) return o;
        const char *value = !o ? words[i] : equals ? equals + 1 : o->value && !o->bare ? words[++i] : NULL;
        if (value && (o ? o->expected == MASS_EXPECTED_PLUGIN : words[i][0] != '-')) w->plugin = value;
    }
    return NULL;
}

mass_status mass_complete(int count, char *const words[], mass_error *error)
{
    const mass_command *c = &mass_engine_command;
    if (count > 1 && strcmp(words[0], "plot") == 0) c = &mass_plot_command, count--, words++;
    if (count < 1) return MASS_OK;
    fputs("", mass_standard_results()); /* so that ending without output succeeds, too */
    const char *word = words[count - 1], *equals = word[0] == '-' ? strchr(word, '=') : NULL;
    writing w = {.before = word, .begun = word};
    const mass_option *o = pass(c, count - 1, words, &w);
    if (!o && equals && (o = mass_option_find(c, word, (size_t)(equals - word)))) {
        w.before_length = equals + 1 - word < 64 ? (int)(equals + 1 - word) : 0;
        w.begun = equals + 1;
    }
    if (o && o->value) offer_value(&w, o->expected, o->words, error);
    else if (!o && !equals && word[0] == '-') offer_options(&w, c);
    else if (!o && !equals) {
        if (!w.plugin) offer_value(&w, c->expected, c->words, error);
        if (c == &mass_engine_command && count == 1) offer(&w, "plot", "", "draw time series");
        if (w.plugin && !word[0]) offer_options(&w, c);
    }
    return mass_standard_results_end(error);
}
