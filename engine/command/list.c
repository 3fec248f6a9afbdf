/* SPDX-License-Identifier: Apache-2.0 */
#include "command/list.h"
#include "command/options/wrap.h"
#include "text/json.h"
#include "base/escape.h"
#include "base/memory_stream.h"
#include "plugin/describe.h"
#include "plugin/elf.h"
#include "plugin/exposure.h"
#include "plugin/search.h"
#include "process/progress.h"
#include "process/signals.h"
#include "process/standard.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN = 17 /* where descriptions begin */ };

typedef struct listing {
    json_t *list; /* NULL: print text */
    FILE *text;   /* receives the text */
    bool verbose;
    int count;
} listing;

/* The facts about a plugin's file. */
typedef struct listed {
    const char *path;
    char where[PATH_MAX]; /* the file or folder that all users can write to; "": none */
    bool shadowed, described;
    mass_plugin_description of;
    mass_error problem;
} listed;

/* Examines a plugin's file, and sets all facts but path and shadowed. Describing loads the plugin. So it skips a plugin
 * that any user could have written, and, of two with one name, all but the first. */
static void look(listed *l)
{
    mass_elf_facts facts;
    char real[PATH_MAX], where[PATH_MAX];
    if (mass_elf_check_file(l->path, &facts, &l->problem) != MASS_OK || !realpath(l->path, real)) return;
    if (mass_plugin_is_exposed(real, where)) snprintf(l->where, sizeof l->where, "%s", where);
    else if (!l->shadowed) l->described = mass_plugin_describe(real, &l->of, &l->problem) == MASS_OK;
}

/* Returns a plugin's entry: path, usable, shadowed, exposed and problem; if it could be described also plugin, version
 * and help. */
static json_t *listed_json(const listed *l)
{
    json_t *one = json_pack("{s:o, s:b, s:b, s:b, s:o}", "path", mass_text_json(l->path), "usable",
                            l->problem.status == MASS_OK, "shadowed", l->shadowed, "exposed", l->where[0] != '\0',
                            "problem", mass_text_json(l->problem.text));
    if (!l->described) return one;
    json_object_set_new(one, "plugin", json_string(l->of.name));
    json_object_set_new(one, "version", mass_text_json(l->of.version));
    json_object_set_new(one, "help", mass_text_json(l->of.help));
    return one;
}

/* Puts a plugin's line: its help, or what hinders its use; if verbose also its version and path. */
static void put_text(const listed *l, bool verbose, FILE *to)
{
    char name[NAME_MAX + 1];
    const char *file = strrchr(l->path, '/') ? strrchr(l->path, '/') + 1 : l->path;
    snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - strlen(".so")), file);
    mass_print(to, "  %-14s ", name);
    if (l->problem.status != MASS_OK) mass_print(to, "unusable: %s\n", l->problem.text);
    else if (l->where[0]) mass_print(to, "everybody can write to %s: chmod o-w\n", l->where);
    else if (l->shadowed) mass_print(to, "one of the same name comes first: %s\n", l->path);
    else mass_print(to, "%s\n", l->of.help);
    if (verbose && l->described) mass_print(to, "%17s%s, %s\n", "", l->of.version, l->path);
    else if (verbose) mass_print(to, "%17s%s\n", "", l->path);
}

/* Describes one plugin file, and adds it to the JSON list or prints it at once. Does nothing after a signal to end. */
static void list_plugin(void *context, const char *path, bool shadowed)
{
    listing *l = context;
    if (mass_signals_end()) return;
    listed one = {.path = path, .shadowed = shadowed};
    look(&one);
    l->count++;
    if (l->list) json_array_append_new(l->list, listed_json(&one));
    else put_text(&one, l->verbose, l->text);
}

/* Prints the list to the results and closes them. Fails if the list or the output is incomplete. */
static mass_status print_json(const json_t *list, mass_error *error)
{
    FILE *to = mass_standard_results();
    const bool whole = list && json_dumpf(list, to, JSON_INDENT(2)) == 0;
    fputc('\n', to);
    const mass_status status = mass_standard_results_end(error);
    return status == MASS_OK && !whole ? mass_error_memory(error, 1 << 16, "the list") : status;
}

mass_status mass_list_print(bool verbose, bool json, mass_error *error)
{
    char *text = NULL;
    size_t size = 0;
    listing l = {.list = json ? json_array() : NULL, .text = mass_memory_stream(&text, &size), .verbose = verbose};
    if (!l.text || json != (l.list != NULL)) return mass_error_memory(error, 1 << 16, "the list");
    mass_status status = mass_plugin_list(list_plugin, &l, error);
    if (status == MASS_OK) status = mass_signals_check(error);
    if (fclose(l.text) != 0 && status == MASS_OK) status = mass_error_memory(error, 1 << 16, "the list");
    if (status == MASS_OK && json) status = print_json(l.list, error);
    else if (status == MASS_OK) {
        if (l.count == 0) mass_progress_say("no plugins found: set MASS_PLUGIN_PATH to the folders they are in");
        mass_fold(text, COLUMN, mass_standard_results());
        status = mass_standard_results_end(error);
    }
    json_decref(l.list);
    free(text);
    return status;
}
