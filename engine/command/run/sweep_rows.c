/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/sweep_rows.h"
#include "command/run/sweep_values.h"
#include "text/decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 26, WORLDS_MAX = INT32_MAX / 2, OWN_VALUE = 256 /* bytes of a field that sets the run */ };
/* limits on combinations, and on their values, which a few bytes of text could exceed */
static const uint64_t combinations_most = 1 << 20, cells_most = 1 << 24;

/* ---- the columns ---- */

enum { SEED, STEPS, SIZE, REPEAT, OWN, PARAMETER = OWN };
const char *const mass_sweep_own_names[] = {[SEED] = "seed", [STEPS] = "steps", [SIZE] = "size", [REPEAT] = "repeat",
                                             [OWN] = NULL};

/* The file that is being read. */
typedef struct reader {
    mass_sweep_rows *to;
    const mass_options *options;
    uint8_t *kinds;            /* [csv.columns] */
    mass_sweep_values *values; /* [csv.columns] of the current line */
    uint32_t room, run_room, text_room;
    int64_t worlds;
    mass_error *error;
} reader;

#define REFUSE(r, ...) mass_csv_refuse(&(r)->to->csv, MASS_BAD_INPUT, (r)->error, __VA_ARGS__)

/* Takes a column's name and kind: one that sets the run, or a parameter. "set.NAME" is always a parameter. Refuses a
 * parameter named twice, and what is no name. */
static mass_status take_name(reader *r, uint32_t column)
{
    static const char prefix[] = "set.";
    mass_sweep_rows *s = r->to;
    mass_csv_field name = s->csv.names[column];
    r->kinds[column] = PARAMETER;
    for (uint8_t k = 0; k < OWN; k++)
        if (name.length == strlen(mass_sweep_own_names[k]) &&
            memcmp(name.text, mass_sweep_own_names[k], name.length) == 0)
            r->kinds[column] = k;
    if (r->kinds[column] != PARAMETER) return MASS_OK;
    if (name.length > strlen(prefix) && memcmp(name.text, prefix, strlen(prefix)) == 0)
        name = (mass_csv_field){name.text + strlen(prefix), name.length - strlen(prefix)};
    char *own = s->names[s->columns];
    if (!mass_csv_text(name, own, sizeof *s->names) || memchr(name.text, '=', name.length))
        return REFUSE(r, "'%.*s' is not a name of a parameter", name.length > 80 ? 80 : (int)name.length, name.text);
    for (uint32_t c = 0; c < s->columns; c++)
        if (strcmp(s->names[c], own) == 0) return REFUSE(r, "there are two columns of parameter %s", own);
    s->columns++;
    return MASS_OK;
}

/* Refuses columns of the seed, steps, size or repetitions that an option gives, too. */
static mass_status check_own(reader *r)
{
    const mass_options *o = r->options;
    const mass_sweep_rows *s = r->to;
    const char *twice = s->seed && o->seed_given ? "seed" : s->steps && o->steps_given ? "steps"
                      : s->size && o->dimensions ? "size" : NULL;
    if (twice) return REFUSE(r, "the %s is given by --%s, too", twice, twice);
    if (s->repeat && o->worlds_given) return REFUSE(r, "how often a row runs is given by --worlds, too");
    return MASS_OK;
}

/* Takes the names and kinds of all columns, and sets which run options have one. Allocates for the reader. */
static mass_status take_header(reader *r)
{
    mass_sweep_rows *s = r->to;
    const uint32_t columns = s->csv.columns;
    s->names = calloc(columns, sizeof *s->names);
    r->kinds = calloc(columns, sizeof *r->kinds);
    r->values = calloc(columns, sizeof *r->values);
    if (!s->names || !r->kinds || !r->values) return mass_error_memory(r->error, s->file.size, "a sweep");
    mass_status status = MASS_OK;
    for (uint32_t c = 0; status == MASS_OK && c < columns; c++) status = take_name(r, c);
    for (uint32_t c = 0; c < columns; c++) {
        s->seed |= r->kinds[c] == SEED;
        s->steps |= r->kinds[c] == STEPS;
        s->size |= r->kinds[c] == SIZE;
        s->repeat |= r->kinds[c] == REPEAT;
    }
    return status == MASS_OK ? check_own(r) : status;
}

/* ---- rows ---- */

/* Doubles a list's space if it is full, and updates list and room. Returns false, both unchanged, if memory is short.
 * */
static bool grow(void **list, uint32_t *room, uint32_t count, size_t size)
{
    if (count < *room) return true;
    const uint32_t more = *room ? 2 * *room : 64;
    void *larger = realloc(*list, (size_t)more * size);
    if (!larger) return false;
    *list = larger;
    *room = more;
    return true;
}

/* Makes room in all lists for one more row. On failure the rows so far stay. */
static mass_status make_room(reader *r)
{
    mass_sweep_rows *s = r->to;
    uint32_t room = r->room, lines = r->room, repeats = r->room, starts = r->room;
    const size_t each = (s->columns ? s->columns : 1) * sizeof *s->fields;
    if (grow((void **)&s->fields, &room, s->count, each) &&
        grow((void **)&s->lines, &lines, s->count, sizeof *s->lines) &&
        grow((void **)&s->starts, &starts, s->count, sizeof *s->starts) &&
        grow((void **)&s->repeats, &repeats, s->count, sizeof *s->repeats)) {
        r->room = room;
        return MASS_OK;
    }
    return mass_error_memory(r->error, s->count * each, "a sweep");
}

/* Reads a whole number from least to most, as the option of that name does. */
static mass_status take_whole(reader *r, const char *name, mass_csv_field field, int64_t least, int64_t most,
                              int64_t *out)
{
    char text[OWN_VALUE];
    if (mass_csv_text(field, text, sizeof text) && mass_read_whole(text, out) && *out >= least && *out <= most)
        return MASS_OK;
    return REFUSE(r, "%s: '%.*s' is not a whole number from %lld to %lld", name,
                  field.length > 80 ? 80 : (int)field.length, field.text, (long long)least, (long long)most);
}

/* Reads a field that sets the run, by its kind: SEED, STEPS, SIZE or REPEAT. Refuses values that the option refuses. */
static mass_status take_own(reader *r, uint8_t kind, mass_csv_field field, mass_sweep_run *run, int64_t *repeat)
{
    char text[OWN_VALUE];
    if (kind == SEED) return take_whole(r, "seed", field, 0, INT64_MAX, &run->seed);
    if (kind == STEPS) return take_whole(r, "steps", field, 0, (int64_t)MASS_STEPS_MAX, &run->steps);
    if (kind == REPEAT) return take_whole(r, "repeat", field, 1, WORLDS_MAX, repeat);
    if (mass_csv_text(field, text, sizeof text) && mass_options_size(text, run->size, &run->dimensions)) return MASS_OK;
    return REFUSE(r, "size: '%.*s' is not N, NXxNY or NXxNYxNZ with extents of at least 1",
                  field.length > 80 ? 80 : (int)field.length, field.text);
}

/* Returns whether a row can be in the run of the rows before it: same steps and size, and no seed. */
static bool goes_with(const mass_sweep_run *a, const mass_sweep_run *b)
{
    return b->seed < 0 && a->steps == b->steps && a->dimensions == b->dimensions &&
           memcmp(a->size, b->size, sizeof a->size) == 0;
}

/* Adds the last row, of `repeat` worlds, to the last run, or to a new run like of_row. Refuses too many worlds in
 * all. */
static mass_status add_to_runs(reader *r, mass_sweep_run of_row, int64_t repeat)
{
    mass_sweep_rows *s = r->to;
    mass_sweep_run *last = s->run_count ? &s->runs[s->run_count - 1] : NULL;
    if (repeat > WORLDS_MAX - r->worlds) return REFUSE(r, "there are more than %d worlds", WORLDS_MAX);
    if (!last || !goes_with(last, &of_row)) {
        if (!grow((void **)&s->runs, &r->run_room, s->run_count, sizeof *s->runs))
            return mass_error_memory(r->error, s->run_count * sizeof *s->runs, "a sweep");
        last = &s->runs[s->run_count++];
        *last = of_row;
        last->first_row = s->count - 1;
        last->before = s->seed ? 0 : (int32_t)r->worlds;
    }
    s->starts[s->count - 1] = last->worlds;
    last->rows++;
    last->worlds += (int32_t)repeat;
    r->worlds += repeat;
    return MASS_OK;
}

/* Adds a row for one combination of the line's values, to the run that it belongs to. chosen: of each column, which of
 * its values. */
static mass_status add_row(reader *r, const uint32_t *chosen)
{
    mass_sweep_rows *s = r->to;
    mass_sweep_run run = {.seed = -1, .steps = -1};
    int64_t repeat = r->options->worlds;
    uint32_t parameter = 0;
    mass_status status = make_room(r);
    for (uint32_t c = 0; status == MASS_OK && c < s->csv.columns; c++) {
        const mass_csv_field value = r->values[c].list[chosen[c]];
        if (r->kinds[c] != PARAMETER) status = take_own(r, r->kinds[c], value, &run, &repeat);
        else s->fields[(size_t)s->count * s->columns + parameter++] = value;
    }
    if (status != MASS_OK) return status;
    s->lines[s->count] = s->csv.line;
    s->repeats[s->count++] = (int32_t)repeat;
    return add_to_runs(r, run, repeat);
}

/* Adds a row for every combination; the last column changes fastest. */
static mass_status add_rows(reader *r)
{
    const uint32_t columns = r->to->csv.columns;
    uint32_t *chosen = calloc(columns, sizeof *chosen), c = columns;
    mass_status status = chosen ? MASS_OK : mass_error_memory(r->error, columns * sizeof *chosen, "a sweep");
    while (status == MASS_OK && (status = add_row(r, chosen)) == MASS_OK) {
        for (c = columns; c > 0 && ++chosen[c - 1] == r->values[c - 1].count; c--) chosen[c - 1] = 0;
        if (c == 0) break;
    }
    free(chosen);
    return status;
}

/* Puts a column's name, shortened to MASS_NAME_SIZE, and returns it. */
static const char *name_of(const reader *r, uint32_t column, char out[MASS_NAME_SIZE])
{
    const mass_csv_field name = r->to->csv.names[column];
    snprintf(out, MASS_NAME_SIZE, "%.*s", (int)name.length, name.text);
    return out;
}

/* Takes ownership of a text that was made for a field, also on failure, until the table is freed. NULL is allowed. */
static mass_status keep_text(reader *r, char *text)
{
    mass_sweep_rows *s = r->to;
    if (!text) return MASS_OK;
    if (!grow((void **)&s->texts, &r->text_room, s->text_count, sizeof *s->texts)) {
        free(text);
        return mass_error_memory(r->error, 64, "a sweep");
    }
    s->texts[s->text_count++] = text;
    return MASS_OK;
}

/* Returns the most rows that a table may have. */
static uint64_t most_rows(const mass_csv *csv)
{
    const uint64_t few = cells_most / csv->columns;
    return few < combinations_most ? few : combinations_most;
}

/* Draws the values of column c for all points of a design; `units` has the coordinates, `stride` apart. */
static mass_status draw_column(reader *r, uint32_t c, const double *units, size_t stride)
{
    const mass_csv *csv = &r->to->csv;
    char name[MASS_NAME_SIZE], *made = NULL;
    const uint32_t points = r->options->design.points;
    mass_status status = MASS_OK;
    if (!mass_sweep_values_is_range(csv->fields[c]))
        return mass_sweep_values_choose(&r->values[c], units, stride, points)
                   ? MASS_OK : mass_error_memory(r->error, points * sizeof(mass_csv_field), "a sweep");
    status = mass_sweep_values_draw(csv, name_of(r, c, name), csv->fields[c], units, stride, points, &r->values[c],
                                    &made, r->error);
    const mass_status kept = keep_text(r, made);
    return status == MASS_OK ? kept : status;
}

/* Draws the columns that vary, and adds a row for each point. dimension: of each column, from 1; 0: it is constant. */
static mass_status add_points(reader *r, const uint32_t *dimension, uint32_t dimensions)
{
    const mass_design *d = &r->options->design;
    const uint32_t columns = r->to->csv.columns;
    uint32_t *chosen = calloc(columns, sizeof *chosen);
    double *units = malloc((size_t)d->points * dimensions * sizeof *units);
    mass_status status = MASS_OK;
    if (!chosen || !units || !mass_design_fill(d, r->to->csv.line, dimensions, units))
        status = mass_error_memory(r->error, (size_t)d->points * dimensions * sizeof *units, "a sweep");
    for (uint32_t c = 0; status == MASS_OK && c < columns; c++)
        if (dimension[c]) status = draw_column(r, c, units + dimension[c] - 1, dimensions);
    for (uint32_t i = 0; status == MASS_OK && i < d->points; i++) {
        for (uint32_t c = 0; c < columns; c++) chosen[c] = dimension[c] ? i : 0;
        status = add_row(r, chosen);
    }
    free(units);
    free(chosen);
    return status;
}

/* Reads the values of a line, and adds a row for each point of a design in their ranges. Refuses a line in which no
 * field varies, or too many do, and too many rows. */
static mass_status take_design(reader *r)
{
    const mass_csv *csv = &r->to->csv;
    const mass_design *d = &r->options->design;
    uint32_t dimensions = 0, *dimension = calloc(csv->columns, sizeof *dimension);
    mass_status status = dimension ? MASS_OK : mass_error_memory(r->error, csv->columns * sizeof *dimension, "a sweep");
    for (uint32_t c = 0; status == MASS_OK && c < csv->columns; c++) {
        char name[MASS_NAME_SIZE], *made = NULL;
        mass_sweep_values_free(&r->values[c]);
        const bool range = mass_sweep_values_is_range(csv->fields[c]);
        if (!range)
            status = mass_sweep_values_read(csv, name_of(r, c, name), csv->fields[c], &r->values[c], &made, r->error);
        const mass_status kept = keep_text(r, made);
        if (status == MASS_OK) status = kept;
        if (range || r->values[c].count > 1) dimension[c] = ++dimensions;
    }
    if (status == MASS_OK && dimensions == 0)
        status = REFUSE(r, "a %s design needs a range, as 1..4 or 0.0..1.0, or several values in a field",
                        mass_design_name(d->kind));
    if (status == MASS_OK && d->kind == MASS_DESIGN_SOBOL && dimensions > MASS_SOBOL_DIMENSIONS_MAX)
        status = REFUSE(r, "%u fields vary, and a sobol design has at most %d", dimensions, MASS_SOBOL_DIMENSIONS_MAX);
    if (status == MASS_OK && r->to->count + (uint64_t)d->points > most_rows(csv))
        status = REFUSE(r, "the design has more than %llu rows", (unsigned long long)most_rows(csv));
    if (status == MASS_OK) status = add_points(r, dimension, dimensions);
    free(dimension);
    return status;
}

/* Reads the values of a line, and adds a row for each combination of them, or for each point of a design. Refuses too
 * many. */
static mass_status take_line(reader *r)
{
    const mass_csv *csv = &r->to->csv;
    if (r->options->design.points) return take_design(r);
    uint64_t combinations = 1;
    mass_status status = MASS_OK;
    for (uint32_t c = 0; status == MASS_OK && c < csv->columns; c++) {
        char name[MASS_NAME_SIZE], *made = NULL;
        mass_sweep_values_free(&r->values[c]);
        status = mass_sweep_values_read(csv, name_of(r, c, name), csv->fields[c], &r->values[c], &made, r->error);
        const mass_status kept = keep_text(r, made);
        if (status == MASS_OK) status = kept;
        combinations *= status == MASS_OK ? r->values[c].count : 1;
        const uint64_t all = r->to->count + combinations;
        const uint64_t most = most_rows(csv);
        if (combinations > 1 && all > most)
            return REFUSE(r, "it has more than %llu combinations of values", (unsigned long long)most);
    }
    return status == MASS_OK ? add_rows(r) : status;
}

/* Takes all rows after the header. Refuses a file without any. */
static mass_status take_lines(reader *r)
{
    mass_csv *csv = &r->to->csv;
    mass_status status = MASS_OK;
    for (bool more = true; status == MASS_OK;) {
        status = mass_csv_next(csv, &more, r->error);
        if (status != MASS_OK || !more) break;
        status = take_line(r);
    }
    if (status == MASS_OK && r->to->count == 0)
        status = REFUSE(r, "no row follows the header, and each is a world");
    return status;
}

mass_status mass_sweep_rows_read(const mass_options *o, mass_sweep_rows *out, mass_error *error)
{
    *out = (mass_sweep_rows){0};
    reader r = {.to = out, .options = o, .error = error};
    mass_status status = mass_file_read(o->sweep, FILE_BYTES_MAX, MASS_BAD_INPUT, &out->file, error);
    if (status == MASS_OK) status = mass_csv_open(o->sweep, out->file.bytes, out->file.size, &out->csv, error);
    const uint32_t columns = out->csv.columns;
    if (status == MASS_OK) status = take_header(&r);
    if (status == MASS_OK) status = take_lines(&r);
    for (uint32_t c = 0; r.values && c < columns; c++) mass_sweep_values_free(&r.values[c]);
    free(r.values);
    free(r.kinds);
    out->worlds = r.worlds;
    return status == MASS_OK ? mass_sweep_rows_select(out, o, error) : status;
}

void mass_sweep_rows_free(mass_sweep_rows *s)
{
    for (uint32_t i = 0; i < s->text_count; i++) free(s->texts[i]);
    free(s->texts);
    free(s->runs);
    free(s->repeats);
    free(s->starts);
    free(s->lines);
    free(s->fields);
    free(s->names);
    mass_csv_close(&s->csv);
    mass_file_free(&s->file);
    *s = (mass_sweep_rows){0};
}

void mass_sweep_rows_use(const mass_sweep_rows *s, uint32_t run, mass_options *o)
{
    const mass_sweep_run *r = &s->runs[run];
    o->rows = s;
    o->sweep_run = (int32_t)run + 1;
    o->worlds = r->worlds;
    o->first_world += r->before;
    if (r->seed >= 0) {
        o->seed = (uint64_t)r->seed;
        o->seed_given = true;
    }
    if (r->steps >= 0) {
        o->steps = (uint64_t)r->steps;
        o->steps_given = true;
    }
    if (r->dimensions == 0) return;
    memcpy(o->size, r->size, sizeof o->size);
    o->dimensions = r->dimensions;
}
