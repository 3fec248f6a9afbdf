/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/result_series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A block has at least as many steps as a chunk of the file, which would be written several times otherwise. */
enum { BLOCK_BYTES = 1 << 20, BLOCK_STEPS = 32 };

/* Reports that the file could not be read, or is not what the run writes. */
static mass_status refuse(const mass_result_series *s, const char *why, mass_error *error)
{
    return mass_error_set(error, MASS_FAILED, "the series of a group of rows, %s: %s", s->path, why);
}

/* Reads the next line as an object, whose numbers are reals, and which the caller releases. *out NULL: the file has
 * ended. */
static mass_status read_line(mass_result_series *s, json_t **out, mass_error *error)
{
    errno = 0;
    const ssize_t length = getline(&s->line, &s->room, s->file);
    *out = length > 0 ? json_loadb(s->line, (size_t)length, JSON_DECODE_INT_AS_REAL, NULL) : NULL;
    if (*out) return MASS_OK;
    if (length <= 0 && feof(s->file)) return MASS_OK;
    return refuse(s, length <= 0 ? strerror(errno) : "a line is not whole", error);
}

/* Returns whether a text ends with another one. */
static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Returns whether a column is a coordinate of this name. */
static bool is_coordinate(const mass_result_columns *c, const char *name)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (c->list[i].coordinate && strcmp(c->list[i].name, name) == 0) return true;
    return false;
}

/* Returns whether a column is of a parameter of this name, which is NAME-parameter if another column has the name. */
static bool is_parameter(const mass_result_columns *c, const char *name)
{
    static const char *const own[] = {"number", "row", "world", "seed", "step"};
    char longer[300];
    snprintf(longer, sizeof longer, "%s-parameter", name);
    if (is_coordinate(c, longer)) return true;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcmp(name, own[i]) == 0) return false;
    return is_coordinate(c, name);
}

/* Returns whether a member of a line is a series: neither the step nor a parameter. A parameter is NAME-parameter there
 * if a series has its name. */
static bool is_series(const mass_result_columns *c, json_t *line, const char *key)
{
    char longer[300];
    snprintf(longer, sizeof longer, "%s-parameter", key);
    if (strcmp(key, "step") == 0 || ends_with(key, "-parameter")) return false;
    return json_object_get(line, longer) || !is_parameter(c, key);
}

/* Adds the series of one member of the first line, for which list and keys have room. It becomes NAME-result if a
 * coordinate has its name. */
static mass_status add(mass_result_series *s, const mass_result_columns *c, const char *key, const json_t *value,
                       mass_error *error)
{
    const json_t *first = s->worlds > 1 ? json_array_get(value, 0) : value;
    mass_results_series *one = &s->list[s->source.count];
    *one = (mass_results_series){.width = json_is_array(first) ? (uint32_t)json_array_size(first) : 1,
                                 .binned = json_is_array(first)};
    char **own = &s->keys[s->source.count++];
    *own = strdup(key);
    if (!*own || asprintf(&one->name, "%s%s", key, is_coordinate(c, key) ? "-result" : "") < 0) {
        one->name = NULL;
        return mass_error_memory(error, strlen(key), "a series");
    }
    return MASS_OK;
}

/* Chooses how many steps a block has at most, and makes room for it. On failure the caller frees what there is. */
static mass_status make_room(mass_result_series *s, mass_error *error)
{
    uint64_t row = 0;
    for (uint32_t i = 0; i < s->source.count; i++) row += s->worlds * s->list[i].width;
    s->steps = BLOCK_BYTES / (row * sizeof(double) + 1);
    if (s->steps < BLOCK_STEPS) s->steps = BLOCK_STEPS;
    s->values = calloc(s->source.count + 1, sizeof *s->values);
    for (uint32_t i = 0; s->values && i < s->source.count; i++) {
        const size_t bytes = s->worlds * s->steps * s->list[i].width * sizeof(double);
        if (!(s->values[i] = malloc(bytes + 1))) return mass_error_memory(error, bytes, "a series");
    }
    return s->values ? MASS_OK : mass_error_memory(error, 4096, "a series");
}

/* Returns a number of a line; NaN if it is none. */
static double number(const json_t *value) { return json_is_number(value) ? json_number_value(value) : NAN; }

/* Takes the values of a line as step number `at` of a block whose steps are `steps` apart in memory. Returns whether
 * the line has them all. */
static bool take(const mass_result_series *s, const json_t *line, uint64_t at)
{
    for (uint32_t i = 0; i < s->source.count; i++) {
        const uint32_t width = s->list[i].width;
        const json_t *all = json_object_get(line, s->keys[i]);
        if (!all || (s->worlds > 1 && json_array_size(all) != s->worlds)) return false;
        for (uint64_t w = 0; w < s->worlds; w++) {
            const json_t *own = s->worlds > 1 ? json_array_get(all, w) : all;
            double *to = s->values[i] + (w * s->steps + at) * width;
            if (s->list[i].binned && json_array_size(own) != width) return false;
            for (uint32_t b = 0; b < width; b++) to[b] = number(s->list[i].binned ? json_array_get(own, b) : own);
        }
    }
    return true;
}

/* Closes up a block that is not full: each world's steps follow those of the world before. */
static void close_up(const mass_result_series *s, uint64_t steps)
{
    for (uint32_t i = 0; i < s->source.count; i++) {
        const size_t width = s->list[i].width;
        for (uint64_t w = 1; w < s->worlds; w++)
            memmove(s->values[i] + w * steps * width, s->values[i] + w * s->steps * width,
                    steps * width * sizeof(double));
    }
}

/* Reads a block of lines into *values, which s owns: mass_results_source.next. *steps becomes their number, which is
 * less than a whole block at the end only. */
static mass_status next(void *context, double *const **values, uint64_t *steps, mass_error *error)
{
    mass_result_series *s = context;
    *values = s->values;
    for (*steps = 0; *steps < s->steps; ++*steps) {
        json_t *line;
        const mass_status status = read_line(s, &line, error);
        if (status != MASS_OK) return status;
        if (!line) break;
        const bool whole = take(s, line, *steps);
        json_decref(line);
        if (!whole) return refuse(s, "a line lacks values", error);
    }
    if (*steps < s->steps) close_up(s, *steps);
    return MASS_OK;
}

/* Finds the series in the first line, and goes back to the file's beginning. Refuses an empty file. */
static mass_status find(mass_result_series *s, const mass_result_columns *c, mass_error *error)
{
    const char *key;
    json_t *line, *value;
    mass_status status = read_line(s, &line, error);
    if (status == MASS_OK && !line) status = refuse(s, "it is empty", error);
    if (status != MASS_OK) return status;
    s->list = calloc(json_object_size(line) + 1, sizeof *s->list);
    s->keys = calloc(json_object_size(line) + 1, sizeof *s->keys);
    if (!s->list || !s->keys) status = mass_error_memory(error, 4096, "a series");
    json_object_foreach(line, key, value)
        if (status == MASS_OK && is_series(c, line, key)) status = add(s, c, key, value, error);
    json_decref(line);
    rewind(s->file);
    return status;
}

mass_status mass_result_series_open(const char *path, uint64_t every, const mass_result_columns *c,
                                    mass_result_series *out, mass_error *error)
{
    *out = (mass_result_series){.path = path, .worlds = c->rows, .file = fopen(path, "re")};
    if (!out->file) return refuse(out, strerror(errno), error);
    mass_status status = find(out, c, error);
    if (status == MASS_OK) status = make_room(out, error);
    out->source.list = out->list;
    out->source.every = every;
    out->source.next = next;
    out->source.context = out;
    return status;
}

void mass_result_series_free(mass_result_series *s)
{
    for (uint32_t i = 0; i < s->source.count; i++) {
        free(s->list[i].name);
        free(s->keys[i]);
        if (s->values) free(s->values[i]);
    }
    free(s->list);
    free(s->keys);
    free(s->values);
    free(s->line);
    if (s->file) fclose(s->file);
    *s = (mass_result_series){0};
}
