/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/run_file.h"
#include "command/options/yaml.h"
#include "base/file.h"
#include "base/memory_stream.h"
#include "text/spelling.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FILE_BYTES_MAX = 1 << 20, WORDS_MAX = 10000 };

/* A file that is being read. */
typedef struct reading {
    mass_yaml y;
    mass_run_file *to;
    mass_options tried; /* takes each word, to check it */
    bool *given;        /* [options] */
    mass_error *error;
} reading;

#define REFUSE(R, STATUS, LINE, FORMAT, ...) \
    mass_error_set((R)->error, STATUS, "%s, line %zu: " FORMAT, (R)->y.path, (size_t)(LINE), __VA_ARGS__)

/* ---- options ---- */

/* Returns whether an option's name is in a list that NULL ends. */
static bool is_among(const mass_option *o, const char *const *names)
{
    while (*names && strcmp(o->name, *names) != 0) names++;
    return *names != NULL;
}

bool mass_run_file_has(const mass_option *o)
{
    static const char *const others[] = {"run", "verbose", NULL};
    return !o->hidden && o->kind != MASS_OPTION_MODE && !is_among(o, others);
}

bool mass_run_file_is_map(const mass_option *o)
{
    static const char *const maps[] = {"set", "load", "tally", "agents", NULL};
    return is_among(o, maps);
}

char mass_run_file_separator(const mass_option *o)
{
    return strcmp(o->name, "size") == 0 ? 'x' : strcmp(o->name, "shares") == 0 ? ',' : 0;
}

/* Returns the option that a key names, or NULL. */
static const mass_option *find(const char *key)
{
    for (const mass_option *o = NULL; (o = mass_option_next(&mass_engine_command, o));)
        if (mass_run_file_has(o) && strcmp(o->name, key) == 0) return o;
    return NULL;
}

/* Reports a key that is no option of a run: with the option that is meant or most like it, or as one of the command
 * line alone. */
static mass_status refuse_key(const reading *r, size_t line, const char *key)
{
    static const char *const meant[][2] = {{"model", "plugin"}, {"parameters", "set"}, {"parameter", "set"},
                                           {"tallies", "tally"}, {"logs", "log"}, {NULL}};
    mass_spelling nearest = mass_spelling_to(key);
    for (const mass_option *o = NULL; (o = mass_option_next(&mass_engine_command, o));) {
        if (mass_run_file_has(o)) mass_spelling_try(&nearest, o->name);
        else if (strcmp(o->name, key) == 0)
            return REFUSE(r, MASS_BAD_USAGE, line, "%.80s is an option of the command line alone", key);
    }
    for (size_t i = 0; meant[i][0]; i++)
        if (strcasecmp(meant[i][0], key) == 0) nearest.best = meant[i][1];
    if (nearest.best)
        return REFUSE(r, MASS_BAD_USAGE, line, "a run has no '%.80s'; did you mean '%s'?", key, nearest.best);
    return REFUSE(r, MASS_BAD_USAGE, line, "a run has no '%.80s'; the keys are the options of mass-engine --help "
                  "without dashes, and parameters of the model are below 'set'", key);
}

/* ---- words ---- */

/* Adds a word "--NAME", "--NAME=VALUE" or "--NAME=KEY=VALUE", with its line, and refuses it if the command's parser
 * does. Refuses a key of an option that is there. key and value may be NULL. */
static mass_status add(reading *r, size_t line, const mass_option *o, const char *key, const char *value)
{
    mass_run_file *f = r->to;
    mass_error why = {0};
    char *word = NULL;
    for (uint32_t i = 0; key && i < f->count; i++) {
        const size_t before = strlen("--") + strlen(o->name) + 1, length = strlen(key);
        if (f->words[i].option == o && strncmp(f->words[i].word + before, key, length) == 0 &&
            f->words[i].word[before + length] == '=')
            return REFUSE(r, MASS_BAD_INPUT, line, "%.80s is given twice", key);
    }
    if (f->count == WORDS_MAX)
        return REFUSE(r, MASS_BAD_INPUT, line, "there are more than %d entries", WORDS_MAX);
    mass_run_word *larger = realloc(f->words, (f->count + 1) * sizeof *larger);
    if (larger) f->words = larger;
    const int length = asprintf(&word, "--%s%s%s%s%s", o->name, value ? "=" : "", key ? key : "", key ? "=" : "",
                                value ? value : "");
    if (length < 0) word = NULL;
    if (!larger || !word) {
        free(word);
        return mass_error_memory(r->error, sizeof *larger, "a run");
    }
    f->words[f->count++] = (mass_run_word){o, word, line};
    if (mass_command_read(&mass_engine_command, 1, &word, &r->tried, &why) == MASS_OK) return MASS_OK;
    return REFUSE(r, why.status, line, "%s", why.text + (strncmp(why.text, "--", 2) == 0 ? 2 : 0));
}

/* ---- values ---- */

/* Checks that the event is one value, neither null nor with a zero byte. Messages name `name`, and `what` it has to
 * be. */
static mass_status check_scalar(const reading *r, const char *name, const char *what)
{
    const yaml_event_t *e = &r->y.event;
    const char *fault = mass_yaml_fault(e);
    if (!fault && mass_yaml_is_null(e)) fault = "given no value";
    const size_t line = mass_yaml_line(&r->y);
    if (fault) return REFUSE(r, MASS_BAD_INPUT, line, "%.80s is %s, and has to be %s", name, fault, what);
    if (strlen((const char *)e->data.scalar.value) != e->data.scalar.length)
        return REFUSE(r, MASS_BAD_INPUT, line, "%.80s: a zero byte in a text", name);
    return MASS_OK;
}

/* Returns the text of the event, a scalar. */
static const char *text_of(const reading *r) { return (const char *)r->y.event.data.scalar.value; }

/* Sets *value if the event is true or false. Returns whether it is. */
static bool read_bool(const reading *r, bool *value)
{
    const char *text = text_of(r);
    *value = strcasecmp(text, "true") == 0;
    return r->y.event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE && (*value || strcasecmp(text, "false") == 0);
}

/* Takes the value of a switch, or of an option whose value is optional. `false` adds no word. */
static mass_status take_switch(reading *r, const mass_option *o)
{
    bool on;
    const size_t line = mass_yaml_line(&r->y);
    const mass_status status = check_scalar(r, o->name, "true or false");
    if (status != MASS_OK) return status;
    if (read_bool(r, &on)) return on ? add(r, line, o, NULL, NULL) : MASS_OK;
    if (o->bare) return add(r, line, o, NULL, text_of(r));
    return REFUSE(r, MASS_BAD_INPUT, line, "%s is '%.80s', and has to be true or false", o->name, text_of(r));
}

/* Reads the items of a list, whose begin is the event, into one text: "[1,2]", or "1x2" with a separator. Refuses items
 * that are no single values. The caller frees *out, NULL before, also on failure. */
static mass_status join(reading *r, const char *name, char separator, char **out)
{
    size_t size = 0;
    FILE *to = mass_memory_stream(out, &size);
    if (!to) return mass_error_memory(r->error, 1, "a run");
    const bool plain = !r->y.event.data.sequence_start.anchor && !r->y.event.data.sequence_start.tag;
    mass_status status = plain ? MASS_OK : REFUSE(r, MASS_BAD_INPUT, mass_yaml_line(&r->y),
                                                  "%.80s is a list with an anchor or a tag", name);
    if (!separator) fputc('[', to);
    for (bool first = true; status == MASS_OK; first = false) {
        status = mass_yaml_next(&r->y);
        if (status != MASS_OK || r->y.event.type == YAML_SEQUENCE_END_EVENT) break;
        status = check_scalar(r, name, "a list of numbers");
        if (status == MASS_OK && !first) fputc(separator ? separator : ',', to);
        if (status == MASS_OK) fputs(text_of(r), to);
    }
    if (!separator) fputc(']', to);
    if (fclose(to) == 0 || status != MASS_OK) return status;
    return mass_error_memory(r->error, size, "a run");
}

/* Takes the value in the event of a name of a map: a text, a number, or of `set` a list of numbers. line: that of the
 * name. */
static mass_status take_named(reading *r, const mass_option *o, const char *name, size_t line)
{
    char *list = NULL;
    const bool numbers = r->y.event.type == YAML_SEQUENCE_START_EVENT && strcmp(o->name, "set") == 0;
    mass_status status = numbers ? join(r, name, 0, &list)
                                 : check_scalar(r, name, "a number or a text");
    if (status == MASS_OK) status = add(r, line, o, name, list ? list : text_of(r));
    free(list);
    return status;
}

/* Takes the names and values of a map, whose begin is the event, up to its end. Refuses an empty name, and one with
 * "=". */
static mass_status take_map(reading *r, const mass_option *o)
{
    for (;;) {
        mass_status status = mass_yaml_next(&r->y);
        if (status != MASS_OK || r->y.event.type == YAML_MAPPING_END_EVENT) return status;
        const size_t line = mass_yaml_line(&r->y);
        status = check_scalar(r, o->name, "a map of names and values");
        if (status == MASS_OK && (!text_of(r)[0] || strchr(text_of(r), '=')))
            status = REFUSE(r, MASS_BAD_INPUT, line, "'%.80s' is no name below %s", text_of(r), o->name);
        char *name = status == MASS_OK ? strdup(text_of(r)) : NULL;
        if (status == MASS_OK && !name) status = mass_error_memory(r->error, 80, "a run");
        if (status == MASS_OK) status = mass_yaml_next(&r->y);
        if (status == MASS_OK) status = take_named(r, o, name, line);
        free(name);
        if (status != MASS_OK) return status;
    }
}

/* Takes the items of a list, whose begin is the event, as so many options. */
static mass_status take_items(reading *r, const mass_option *o)
{
    for (;;) {
        mass_status status = mass_yaml_next(&r->y);
        if (status != MASS_OK || r->y.event.type == YAML_SEQUENCE_END_EVENT) return status;
        status = check_scalar(r, o->name, "a list of texts");
        if (status == MASS_OK) status = add(r, mass_yaml_line(&r->y), o, NULL, text_of(r));
        if (status != MASS_OK) return status;
    }
}

/* Takes the value of an option, whose first event is the current one: a switch, a map, a list of values or one that
 * is joined to a text, or a single value. Refuses forms that the option does not have. */
static mass_status take_value(reading *r, const mass_option *o)
{
    const size_t line = mass_yaml_line(&r->y);
    const yaml_event_type_t type = r->y.event.type;
    const char separator = mass_run_file_separator(o);
    char *list = NULL;
    if (!o->value || o->bare) return take_switch(r, o);
    if (type == YAML_MAPPING_START_EVENT && (mass_run_file_is_map(o) || strcmp(o->name, "log") == 0))
        return take_map(r, o);
    if (type == YAML_SEQUENCE_START_EVENT && o->repeated) return take_items(r, o);
    const bool joined = type == YAML_SEQUENCE_START_EVENT && separator;
    mass_status status = joined ? join(r, o->name, separator, &list)
                                : check_scalar(r, o->name, mass_run_file_is_map(o) ? "a map of names and values"
                                                         : o->repeated ? "a text or a list of texts"
                                                         : "a number or a text");
    if (status == MASS_OK) status = add(r, line, o, NULL, list ? list : text_of(r));
    free(list);
    return status;
}

/* Takes a key, which is the event, and its value. Refuses an unknown option, and one that is given twice. */
static mass_status take_key(reading *r)
{
    const size_t line = mass_yaml_line(&r->y);
    mass_status status = check_scalar(r, "a key", "a name of an option");
    if (status != MASS_OK) return status;
    const mass_option *o = find(text_of(r));
    if (!o) return refuse_key(r, line, text_of(r));
    bool *given = &r->given[o - mass_engine_command.options];
    if (*given) return REFUSE(r, MASS_BAD_INPUT, line, "%s is given twice", o->name);
    *given = true;
    status = mass_yaml_next(&r->y);
    return status == MASS_OK ? take_value(r, o) : status;
}

/* ---- the file ---- */

/* Returns whether a path has the ending, in upper or lower case. */
static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

/* Checks that bytes are JSON, whose words YAML has, too, but for surrogates in texts. Skips a byte order mark. */
static mass_status check_json(const char *path, const uint8_t *bytes, size_t size, mass_error *error)
{
    json_error_t cause;
    const size_t mark = size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    json_t *object = json_loadb((const char *)bytes + mark, size - mark, JSON_DECODE_INT_AS_REAL | JSON_DECODE_ANY,
                                &cause);
    if (!object)
        return mass_error_set(error, MASS_BAD_INPUT, "%s, line %d: it is not JSON: %s", path,
                              cause.line > 0 ? cause.line : 1, cause.text);
    json_decref(object);
    return MASS_OK;
}

/* Returns the number of the command's options. */
static size_t count_options(void)
{
    const mass_option *o = mass_engine_command.options;
    while (o->name) o++;
    return (size_t)(o - mass_engine_command.options);
}

/* Takes all keys of the file, which is one map and nothing else. */
static mass_status take_keys(reading *r)
{
    mass_status status = mass_yaml_begin_map(&r->y, "options");
    while (status == MASS_OK) {
        status = mass_yaml_next(&r->y);
        if (status == MASS_OK && r->y.event.type == YAML_MAPPING_END_EVENT) break;
        if (status == MASS_OK) status = take_key(r);
    }
    return status == MASS_OK ? mass_yaml_end_map(&r->y) : status;
}

mass_status mass_run_file_parse(const char *path, const uint8_t *bytes, size_t size, mass_run_file *out,
                                mass_error *error)
{
    *out = (mass_run_file){0};
    reading r = {.to = out, .error = error};
    mass_status status = MASS_OK;
    if (ends_with(path, ".json")) status = check_json(path, bytes, size, error);
    else if (!ends_with(path, ".yaml") && !ends_with(path, ".yml"))
        return mass_error_set(error, MASS_BAD_INPUT, "run %s: its name does not end in .yaml, .yml or .json", path);
    if (status != MASS_OK) return status;
    r.given = calloc(count_options(), sizeof *r.given);
    if (!r.given) return mass_error_memory(error, count_options(), "a run");
    status = mass_yaml_open(path, bytes, size, &r.y, error);
    if (status == MASS_OK) status = take_keys(&r);
    mass_yaml_close(&r.y);
    mass_options_free(&r.tried);
    free(r.given);
    return status;
}

mass_status mass_run_file_read(const char *path, mass_run_file *out, mass_error *error)
{
    mass_file file = {0};
    *out = (mass_run_file){0};
    mass_status status = mass_file_read(path, FILE_BYTES_MAX, MASS_BAD_INPUT, &file, error);
    if (status == MASS_OK) status = mass_run_file_parse(path, file.bytes, file.size, out, error);
    mass_file_free(&file);
    return status;
}

void mass_run_file_free(mass_run_file *f)
{
    for (uint32_t i = 0; i < f->count; i++) free(f->words[i].word);
    free(f->words);
    *f = (mass_run_file){0};
}
