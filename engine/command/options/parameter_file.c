/* SPDX-License-Identifier: Apache-2.0 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for asprintf */
#endif
#include "command/options/parameter_file.h"
#include "command/options/yaml.h"
#include "base/file.h"
#include "base/memory_stream.h"
#include "snapshot/state_hash.h"
#include "text/decimal.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FILE_BYTES_MAX = 1 << 20 };

/* A file that is being read. */
typedef struct reading {
    const char *path;
    mass_parameter_file *to;
    mass_error *error;
} reading;

#define BAD_LINE(R, LINE, FORMAT, ...) \
    mass_error_set((R)->error, MASS_BAD_INPUT, "%s, line %zu: " FORMAT, (R)->path, (size_t)(LINE), __VA_ARGS__)

/* Returns how many bytes of a name a message shows. */
static int shown(size_t length) { return length > 80 ? 80 : (int)length; }

/* Frees the three texts of a setting. */
static void free_setting(mass_setting *s)
{
    free((void *)(uintptr_t)s->name);
    free((void *)(uintptr_t)s->value);
    free((void *)(uintptr_t)s->where);
}

/* Enlarges the list of parameters for `more` entries. Leaves the count. */
static mass_status grow(mass_parameter_file *f, uint32_t more, mass_error *error)
{
    mass_setting *larger = realloc(f->settings, (f->count + more) * sizeof *larger);
    if (!larger) return mass_error_memory(error, (f->count + more) * sizeof *larger, "parameters");
    f->settings = larger;
    return MASS_OK;
}

/* Adds a copy of a name and a value, with the line as its place. Refuses an empty name, zero bytes, a name given
 * twice, and too much. */
static mass_status add(const reading *r, size_t line, const char *name, size_t name_length, const char *value,
                       size_t length)
{
    mass_parameter_file *f = r->to;
    char *where = NULL;
    if (name_length == 0) return BAD_LINE(r, line, "%s", "a parameter has no name");
    if (memchr(name, '\0', name_length) || memchr(value, '\0', length))
        return BAD_LINE(r, line, "%s", "a zero byte in a text");
    if (length > MASS_PARAMETER_VALUE_MAX)
        return BAD_LINE(r, line, "%.*s: a value of %zu bytes", shown(name_length), name, length);
    for (uint32_t i = 0; i < f->count; i++)
        if (strlen(f->settings[i].name) == name_length && memcmp(f->settings[i].name, name, name_length) == 0)
            return BAD_LINE(r, line, "%.*s is given twice", shown(name_length), name);
    if (f->count == MASS_PARAMETER_FILE_MAX)
        return BAD_LINE(r, line, "there are more than %d parameters", MASS_PARAMETER_FILE_MAX);
    if (grow(f, 1, r->error) != MASS_OK) return r->error->status;
    if (asprintf(&where, "%s, line %zu", r->path, line) < 0) where = NULL;
    mass_setting *s = &f->settings[f->count++];
    *s = (mass_setting){strndup(name, name_length), strndup(value, length), where};
    f->own = f->count;
    return s->name && s->value && where ? MASS_OK : mass_error_memory(r->error, length, "a parameter");
}

/* Reports that the value of a parameter is neither a number nor a text. */
static mass_status refuse_value(const reading *r, size_t line, const char *name, const char *what)
{
    return BAD_LINE(r, line, "%.80s is %s, and has to be a number, a text or a list of numbers", name, what);
}

/* ---- YAML: the events of one flat map, which expand nothing ---- */

/* A YAML file that is being read. */
typedef struct yaml_reading {
    reading r;
    mass_yaml y;
} yaml_reading;

/* Returns whether a scalar is a number. */
static bool is_number(const yaml_event_t *e)
{
    double value;
    return mass_read_f64((const char *)e->data.scalar.value, &value);
}

/* Reads the numbers of a list, whose begin is in y->y.event, into *out: "[1,2]". Refuses all else in it. The caller
 * frees *out, also on failure. */
static mass_status take_list(yaml_reading *y, const char *name, char **out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = mass_memory_stream(&text, &size);
    if (!to) return mass_error_memory(y->r.error, 1, "parameters");
    const bool plain = !y->y.event.data.sequence_start.anchor && !y->y.event.data.sequence_start.tag;
    mass_status status = plain ? MASS_OK : refuse_value(&y->r, mass_yaml_line(&y->y), name,
                                                        "a list with an anchor or a tag");
    fputc('[', to);
    for (const char *before = ""; status == MASS_OK; before = ",") {
        status = mass_yaml_next(&y->y);
        if (status != MASS_OK || y->y.event.type == YAML_SEQUENCE_END_EVENT) break;
        const char *fault = mass_yaml_fault(&y->y.event);
        if (fault || !is_number(&y->y.event))
            status = refuse_value(&y->r, mass_yaml_line(&y->y), name, "a list with more in it than numbers");
        else fprintf(to, "%s%s", before, (const char *)y->y.event.data.scalar.value);
    }
    fputc(']', to);
    const bool whole = fclose(to) == 0;
    *out = text;
    return status == MASS_OK && !whole ? mass_error_memory(y->r.error, size, "parameters") : status;
}

/* Adds the name in y->y.event and its value, which it reads next. Refuses null, maps, aliases, anchors and tags. */
static mass_status take_value(yaml_reading *y)
{
    yaml_event_t key = y->y.event;
    const char *name = (const char *)key.data.scalar.value;
    y->y.event = (yaml_event_t){0};
    mass_status status = mass_yaml_next(&y->y);
    const bool list = status == MASS_OK && y->y.event.type == YAML_SEQUENCE_START_EVENT;
    char *numbers = NULL;
    const char *fault = status == MASS_OK && !list ? mass_yaml_fault(&y->y.event) : NULL;
    if (list) status = take_list(y, name, &numbers);
    else if (!fault && status == MASS_OK && mass_yaml_is_null(&y->y.event)) fault = "given no value";
    if (fault) status = refuse_value(&y->r, key.start_mark.line + 1, name, fault);
    else if (list && status == MASS_OK)
        status = add(&y->r, key.start_mark.line + 1, name, key.data.scalar.length, numbers, strlen(numbers));
    else if (status == MASS_OK)
        status = add(&y->r, key.start_mark.line + 1, name, key.data.scalar.length,
                     (const char *)y->y.event.data.scalar.value, y->y.event.data.scalar.length);
    free(numbers);
    yaml_event_delete(&key);
    return status;
}

/* Adds all parameters of the map. Refuses names that are no texts. */
static mass_status take_map(yaml_reading *y)
{
    for (;;) {
        mass_status status = mass_yaml_next(&y->y);
        if (status != MASS_OK || y->y.event.type == YAML_MAPPING_END_EVENT) return status;
        const char *fault = mass_yaml_fault(&y->y.event);
        if (fault)
            return BAD_LINE(&y->r, mass_yaml_line(&y->y), "a name of a parameter is %s, and has to be a text", fault);
        status = take_value(y);
        if (status != MASS_OK) return status;
    }
}

/* Adds all parameters of a YAML file, which is one map and nothing else. */
static mass_status parse_yaml(const reading *r, const uint8_t *bytes, size_t size)
{
    yaml_reading y = {.r = *r};
    mass_status status = mass_yaml_open(r->path, bytes, size, &y.y, r->error);
    if (status == MASS_OK) status = mass_yaml_begin_map(&y.y, "parameters");
    if (status == MASS_OK) status = take_map(&y);
    if (status == MASS_OK) status = mass_yaml_end_map(&y.y);
    mass_yaml_close(&y.y);
    return status;
}

/* ---- JSON: the library checks and decodes, but tells neither lines nor how numbers were written ---- */

/* Walks over the text of an object, which is known to be well-formed and flat. */
typedef struct json_walk {
    const char *at, *end;
    size_t line;
} json_walk;

/* Returns whether a line ends at a byte: at LF, or at a CR without LF after it. */
static bool ends_line(const char *at, const char *end)
{
    return *at == '\n' || (*at == '\r' && (at + 1 == end || at[1] != '\n'));
}

/* Moves to the next byte that is one of `bytes`, or to the end, and counts lines. */
static void skip_to(json_walk *w, const char *bytes)
{
    for (; w->at < w->end && !strchr(bytes, *w->at); w->at++) w->line += ends_line(w->at, w->end);
}

/* Moves over a text in quotes, with its escapes. It begins here. */
static void skip_text(json_walk *w)
{
    for (w->at++; *w->at != '"'; w->at++) w->at += *w->at == '\\';
    w->at++;
}

/* Moves past the next name. */
static void skip_name(json_walk *w)
{
    skip_to(w, "\"");
    skip_text(w);
}

/* Advances past the colon and blanks to a member's value. Counts lines. */
static void skip_to_value(json_walk *w)
{
    skip_to(w, ":");
    for (w->at++; strchr(" \t\r\n", *w->at); w->at++) w->line += ends_line(w->at, w->end);
}

/* Returns why an array is no list of numbers; NULL: it is one. */
static const char *list_fault(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_number(json_array_get(list, i))) return "a list with more in it than numbers";
    return NULL;
}

/* Returns why a value is no number, no text and no list of numbers, in words; NULL: it is one. */
static const char *json_fault(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return list_fault(value);
    case JSON_TRUE: return "true";
    case JSON_FALSE: return "false";
    case JSON_NULL: return "null";
    default: return NULL;
    }
}

/* Adds the members of a JSON object as settings, with their lines. A number's text is as in the file, so that no digit
 * is lost. Fails at a value that is no text, no number and no list of numbers. */
static mass_status take_members(const reading *r, const uint8_t *bytes, size_t size, json_t *object)
{
    json_walk w = {(const char *)bytes, (const char *)bytes + size, 1};
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        skip_name(&w);
        const size_t line = w.line;
        const char *fault = json_fault(value);
        if (fault) return refuse_value(r, line, name, fault);
        skip_to_value(&w);
        const char *number = w.at;
        mass_status status;
        if (json_is_string(value)) {
            skip_text(&w);
            status = add(r, line, name, strlen(name), json_string_value(value), json_string_length(value));
        } else {
            if (json_is_array(value)) {
                skip_to(&w, "]");
                w.at++;
            } else w.at += strspn(w.at, "+-.0123456789eE");
            status = add(r, line, name, strlen(name), number, (size_t)(w.at - number));
        }
        if (status != MASS_OK) return status;
    }
    return MASS_OK;
}

/* Returns the line, from 1, of the byte at a position. The library counts only lines that end in LF. */
static size_t line_at(const uint8_t *bytes, size_t size, size_t position)
{
    size_t line = 1;
    for (size_t i = 0; i < size && i < position; i++)
        line += ends_line((const char *)bytes + i, (const char *)bytes + size);
    return line;
}

/* Adds all parameters of a JSON file, which is one object. Skips a byte order mark. */
static mass_status parse_json(const reading *r, const uint8_t *bytes, size_t size)
{
    json_error_t cause;
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) bytes += 3, size -= 3; /* a byte order mark */
    json_t *object = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL |
                                JSON_DECODE_ANY, &cause);
    if (!object) return BAD_LINE(r, line_at(bytes, size, (size_t)cause.position), "it is not JSON: %s", cause.text);
    const mass_status status = json_is_object(object) ? take_members(r, bytes, size, object)
                             : BAD_LINE(r, 1, "%s", "it is not an object of parameters, as in {\"NAME\": VALUE}");
    json_decref(object);
    return status;
}

/* ---- both languages ---- */

/* Returns whether a path has the ending, in upper or lower case. */
static bool ends_with(const char *path, const char *ending)
{
    const size_t length = strlen(path), tail = strlen(ending);
    return length >= tail && strcasecmp(path + length - tail, ending) == 0;
}

mass_status mass_parameter_file_parse(const char *path, const uint8_t *bytes, size_t size, mass_parameter_file *out,
                                      mass_error *error)
{
    *out = (mass_parameter_file){0};
    const reading r = {path, out, error};
    if (ends_with(path, ".yaml") || ends_with(path, ".yml")) return parse_yaml(&r, bytes, size);
    if (ends_with(path, ".json")) return parse_json(&r, bytes, size);
    return mass_error_set(error, MASS_BAD_INPUT, "parameters %s: its name does not end in .yaml, .yml or .json", path);
}

mass_status mass_parameter_file_read(const char *path, mass_parameter_file *out, mass_error *error)
{
    mass_file file = {0};
    *out = (mass_parameter_file){0};
    mass_status status = mass_file_read(path, FILE_BYTES_MAX, MASS_BAD_INPUT, &file, error);
    if (status == MASS_OK) status = mass_parameter_file_parse(path, file.bytes, file.size, out, error);
    if (status == MASS_OK) mass_hash_file_bytes(file.bytes, file.size, out->hash);
    mass_file_free(&file);
    return status;
}

/* Removes setting i, which is one of the file's, and frees it. */
static void remove_own(mass_parameter_file *f, uint32_t i)
{
    free_setting(&f->settings[i]);
    memmove(&f->settings[i], &f->settings[i + 1], (f->count - i - 1) * sizeof *f->settings);
    f->own--;
    f->count--;
}

mass_status mass_parameter_file_override(mass_parameter_file *f, const mass_setting *settings, uint32_t count,
                                         mass_error *error)
{
    if (count == 0) return MASS_OK;
    if (grow(f, count, error) != MASS_OK) return error->status;
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t i = 0; i < f->own; i++)
            if (strcmp(f->settings[i].name, settings[k].name) == 0) remove_own(f, i--);
        f->settings[f->count++] = settings[k];
    }
    return MASS_OK;
}

void mass_parameter_file_free(mass_parameter_file *f)
{
    for (uint32_t i = 0; i < f->own; i++) free_setting(&f->settings[i]);
    free(f->settings);
    *f = (mass_parameter_file){0};
}
