/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/run_print.h"
#include "command/options/arguments.h"
#include "command/options/run_file.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What is printed, and the words that it is made of. */
typedef struct printing {
    FILE *to;
    bool json, some; /* some: an entry has been printed */
    const mass_arguments *words;
    mass_error *error;
} printing;

/* ---- texts ---- */

/* Returns whether a text is a number as JSON writes it, which a double can hold. */
static bool is_json_number(const char *text)
{
    const char *at = text + (text[0] == '-');
    const size_t digits = strspn(at, "0123456789");
    if (digits == 0 || (at[0] == '0' && digits > 1)) return false;
    at += digits;
    if (*at == '.') {
        const size_t more = strspn(at + 1, "0123456789");
        if (more == 0) return false;
        at += 1 + more;
    }
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '+' || at[1] == '-');
        if (!strspn(at, "0123456789")) return false;
        at += strspn(at, "0123456789");
    }
    return *at == '\0' && isfinite(strtod(text, NULL));
}

/* Returns whether YAML reads a text without quotes as this text, and people do, too. */
static bool is_plain(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=()*^<>";
    static const char *const others[] = {"true", "false", "yes", "no", "on", "off", "y", "n", "null"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcasecmp(text, others[i]) == 0) return false;
    return text[0] && !strchr("-=()*^<>+", text[0]) && text[strspn(text, letters)] == '\0';
}

/* Puts a text in quotes, as JSON and YAML read it. Refuses one that is not UTF-8. */
static mass_status put_quoted(printing *p, const char *text)
{
    json_t *string = json_string(text);
    if (!string)
        return mass_error_set(p->error, MASS_BAD_USAGE, "'%.80s' is not UTF-8, and a file of a run has to be", text);
    char *quoted = json_dumps(string, JSON_ENCODE_ANY);
    json_decref(string);
    if (!quoted) return mass_error_memory(p->error, strlen(text), "a run");
    fputs(quoted, p->to);
    free(quoted);
    return MASS_OK;
}

/* Puts a text, in quotes if the language needs them. number: JSON may have it as a number. */
static mass_status put_text(printing *p, const char *text, bool number)
{
    const bool bare = p->json ? number && is_json_number(text) : is_plain(text) || is_json_number(text);
    if (!bare) return put_quoted(p, text);
    fputs(text, p->to);
    return MASS_OK;
}

/* ---- entries ---- */

/* Puts the beginning of an entry, up to its value. */
static void put_key(printing *p, const char *name)
{
    if (p->json) fprintf(p->to, "%s\n  \"%s\": ", p->some ? "," : "{", name);
    else fprintf(p->to, "%s:", name);
    p->some = true;
}

/* Returns whether a word of the option from number `after` on has the same name as a value NAME=VALUE, and so replaces
 * it. */
static bool is_replaced(const printing *p, const mass_option *o, int after, const char *value)
{
    const size_t length = strcspn(value, "=") + 1;
    for (int i = after, taken; i < p->words->count; i += taken) {
        const char *other;
        if (mass_arguments_option(p->words, i, &taken, &other) == o && strncmp(other, value, length) == 0) return true;
    }
    return false;
}

/* Puts one value of an option that may be given several times: NAME: VALUE, or an item of a list. The value of a map
 * has to contain a '='. `first`: it is the first one. */
static mass_status put_item(printing *p, const mass_option *o, const char *value, bool first)
{
    const char *equals = strchr(value, '=');
    mass_status status = MASS_OK;
    if (p->json) fprintf(p->to, first ? "%c\n    " : ",\n    ", mass_run_file_is_map(o) ? '{' : '[');
    if (!mass_run_file_is_map(o)) {
        if (!p->json) fputs("\n  - ", p->to);
        return put_text(p, value, false);
    }
    if (!p->json) fputs("\n  ", p->to);
    char *name = strndup(value, (size_t)(equals - value));
    if (!name) return mass_error_memory(p->error, strlen(value), "a run");
    status = p->json ? put_quoted(p, name) : put_text(p, name, false);
    free(name);
    fputs(": ", p->to);
    return status == MASS_OK ? put_text(p, equals + 1, strcmp(o->name, "set") == 0) : status;
}

/* Puts all values of an option that may be given several times, or nothing if there is none. Of a map, only the last
 * value of a name. */
static mass_status put_items(printing *p, const mass_option *o)
{
    mass_status status = MASS_OK;
    bool first = true;
    for (int i = 1, taken; status == MASS_OK && i < p->words->count; i += taken) {
        const char *value;
        if (mass_arguments_option(p->words, i, &taken, &value) != o) continue;
        if (mass_run_file_is_map(o) && is_replaced(p, o, i + taken, value)) continue;
        if (first) put_key(p, o->name);
        status = put_item(p, o, value, first);
        first = false;
    }
    if (first || status != MASS_OK) return status;
    if (p->json) fprintf(p->to, "\n  %c", mass_run_file_is_map(o) ? '}' : ']');
    else fputc('\n', p->to);
    return MASS_OK;
}

/* Puts the name and the last value of an option, if it is given; `true` for one without a value. The plugin may also
 * be a word without --plugin. */
static mass_status put_value(printing *p, const mass_option *o)
{
    const char *found = NULL;
    for (int i = 1, taken; i < p->words->count; i += taken) {
        const char *value;
        const mass_option *here = mass_arguments_option(p->words, i, &taken, &value);
        const bool is_plugin = !here && strcmp(o->name, "plugin") == 0 && p->words->words[i][0] != '-';
        if (here == o || is_plugin) found = is_plugin ? p->words->words[i] : value;
    }
    if (!found) return MASS_OK;
    put_key(p, o->name);
    if (!p->json) fputc(' ', p->to);
    mass_status status = MASS_OK;
    if (!o->value || (o->bare && !found[0])) fputs("true", p->to);
    else status = put_text(p, found, o->kind == MASS_OPTION_INT32 || o->kind == MASS_OPTION_INT64);
    if (!p->json) fputc('\n', p->to);
    return status;
}

mass_status mass_run_print(FILE *to, char *const words[], int count, bool json, mass_error *error)
{
    char **all = calloc((size_t)count + 2, sizeof *all);
    if (!all) return mass_error_memory(error, (size_t)count * sizeof *all, "a run");
    static char name[] = "mass-engine";
    all[0] = name;
    if (count > 0) memcpy(all + 1, words, (size_t)count * sizeof *all);
    const mass_arguments list = {.words = all, .count = count + 1};
    printing p = {.to = to, .json = json, .words = &list, .error = error};
    mass_status status = MASS_OK;
    for (const mass_option *o = NULL; status == MASS_OK && (o = mass_option_next(&mass_engine_command, o));) {
        if (!mass_run_file_has(o) || strcmp(o->name, "json") == 0) continue;
        status = o->repeated ? put_items(&p, o) : put_value(&p, o);
    }
    if (json) fputs(p.some ? "\n}\n" : "{}\n", to);
    free(all);
    return status;
}
