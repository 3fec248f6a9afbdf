/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes events as a table of text. */
#include "base/memory_stream.h"
#include "io/input/csv.h"
#include "io/input/events.h"
#include "model/value_names.h"
#include "text/decimal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 2 * MASS_NAME_SIZE + 16 };

static const char *const names[] = {"step", "world", "attribute", "x", "y", "z", "value"};
typedef enum column { STEP, WORLD, ATTRIBUTE, AT_X, AT_Y, AT_Z, VALUE, COLUMNS } column;

/* ---- reading ---- */

typedef struct table {
    const mass_events_of *of;
    mass_csv csv;
    int field[COLUMNS]; /* index of each column in a row; -1: the table lacks it */
    mass_event event;
    char name[NAME_BYTES]; /* name of the event's attribute, in the last row */
} table;

/* Finds the events' columns in the header. Refuses an unknown column, or the lack of a needed one. */
static mass_status find_columns(table *t, mass_error *error)
{
    for (int c = 0; c < COLUMNS; c++) t->field[c] = -1;
    for (uint32_t i = 0; i < t->csv.columns; i++) {
        char name[NAME_BYTES] = "";
        int c = 0;
        mass_csv_text(t->csv.names[i], name, sizeof name);
        while (c < COLUMNS && strcmp(name, names[c]) != 0) c++;
        if (c == COLUMNS)
            return mass_csv_refuse(&t->csv, MASS_BAD_INPUT, error, "there is no column '%s' of events; they have step, "
                                   "world, attribute, x, y, z and value", name);
        t->field[c] = (int)i;
    }
    for (int c = 0; c < COLUMNS; c++)
        if (t->field[c] < 0 && c != WORLD && c != AT_Y && c != AT_Z)
            return mass_csv_refuse(&t->csv, MASS_BAD_INPUT, error, "events need a column %s", names[c]);
    return MASS_OK;
}

/* Copies a field of the row, whose column the table has, to `out`; false if it has no room. */
static bool take_text(const table *t, column c, char *out, size_t room)
{
    return mass_csv_text(t->csv.fields[t->field[c]], out, room);
}

/* Reads a whole number of the row; the default if the file lacks the column. */
static mass_status take_whole(const table *t, column c, int64_t by_default, int64_t *out, mass_error *error)
{
    char text[MASS_CSV_NUMBER_SIZE] = "";
    *out = by_default;
    if (t->field[c] < 0) return MASS_OK;
    if (take_text(t, c, text, sizeof text) && mass_read_whole(text, out)) return MASS_OK;
    return mass_csv_refuse(&t->csv, MASS_BAD_INPUT, error, "%s: '%s' is not a whole number", names[c], text);
}

/* Sets the event's attribute and component from the row; looks them up only if the name changed. */
static mass_status take_attribute(table *t, mass_error *error)
{
    char name[NAME_BYTES] = "";
    take_text(t, ATTRIBUTE, name, sizeof name);
    if (t->name[0] && strcmp(name, t->name) == 0) return MASS_OK;
    memcpy(t->name, name, sizeof t->name);
    return mass_event_name(t->of->model, name, &t->event, error);
}

/* Sets the event's value from the row: a number or a value's name, as the attribute allows. Refuses others. */
static mass_status take_value(table *t, mass_error *error)
{
    char text[MASS_CSV_NUMBER_SIZE] = "", list[MASS_NAMED_TEXT];
    mass_number value;
    const mass_attribute_def *a = &t->of->model->attributes[t->event.attribute];
    const bool read = take_text(t, VALUE, text, sizeof text) &&
                      (mass_number_read_value(a, text, false, &value) || mass_number_read(text, true, &value));
    if (!read) return mass_error_set(error, MASS_BAD_USAGE, "value: '%s' is not a number%s", text,
                              mass_value_names_list(a, list));
    return mass_event_value(t->of->model, value, &t->event, error);
}

/* Turns an error of the event's functions into an error of the line. */
static mass_status with_line(const table *t, mass_status status, mass_error *error)
{
    const mass_error cause = *error;
    if (status != MASS_BAD_USAGE) return status;
    *error = (mass_error){0};
    return mass_csv_refuse(&t->csv, MASS_BAD_INPUT, error, "%s", cause.text);
}

/* Sets the event's step, world and place from the row. Steps may not descend. A world before the run's first one, or
 * beyond 32 bits, becomes -1. */
static mass_status take_numbers(table *t, mass_error *error)
{
    mass_event *e = &t->event;
    int64_t step = 0, world = 0;
    const uint64_t before = e->step;
    mass_status status = take_whole(t, STEP, 0, &step, error);
    if (status == MASS_OK) status = take_whole(t, WORLD, t->of->first_world, &world, error);
    for (int k = 0; status == MASS_OK && k < 3; k++) status = take_whole(t, AT_X + k, 0, &e->at[k], error);
    if (status != MASS_OK) return status;
    if (step < 0 || (uint64_t)step < before)
        return mass_csv_refuse(&t->csv, MASS_BAD_INPUT, error, "step %" PRId64 " comes after step %" PRIu64
                               ": steps of events ascend", step, before);
    e->step = (uint64_t)step;
    world -= t->of->first_world;
    e->world = world < 0 || world > INT32_MAX ? -1 : (int32_t)world;
    return MASS_OK;
}

/* Fills the table's event from one row, and checks its attribute, place and value. An error names the line. */
static mass_status take_row(table *t, mass_error *error)
{
    mass_status status = take_numbers(t, error);
    if (status != MASS_OK) return status;
    status = take_attribute(t, error);
    if (status == MASS_OK) status = mass_event_place(t->of, &t->event, error);
    if (status == MASS_OK) status = take_value(t, error);
    return with_line(t, status, error);
}

/* Appends a copy of an event to a list of the capacity *room, which grows. On failure the list stays. */
static mass_status add(mass_events *to, size_t *room, const mass_event *e, mass_error *error)
{
    if (to->count == *room) {
        const size_t more = 2 * *room + 64;
        mass_event *larger = realloc(to->list, more * sizeof *larger);
        if (!larger) return mass_error_memory(error, more * sizeof *larger, "events");
        to->list = larger;
        *room = more;
    }
    to->list[to->count++] = *e;
    return MASS_OK;
}

mass_status mass_events_parse(const mass_events_of *of, const char *path, const char *text, size_t size,
                              mass_events *out, mass_error *error)
{
    table t = {.of = of};
    size_t room = 0;
    bool more = true;
    *out = (mass_events){0};
    mass_status status = mass_csv_open(path, (const uint8_t *)text, size, &t.csv, error);
    if (status == MASS_OK) status = find_columns(&t, error);
    while (status == MASS_OK && (status = mass_csv_next(&t.csv, &more, error)) == MASS_OK && more) {
        if (out->count == MASS_EVENTS_MOST)
            status = mass_csv_refuse(&t.csv, MASS_BAD_INPUT, error, "a run has at most %d events", MASS_EVENTS_MOST);
        if (status == MASS_OK) status = take_row(&t, error);
        if (status == MASS_OK) status = add(out, &room, &t.event, error);
    }
    mass_csv_close(&t.csv);
    return status;
}

/* ---- writing ---- */

/* Prints a value with the fewest digits that give it again. */
static void put_value(FILE *to, uint32_t type, const mass_event *e)
{
    const mass_number n = mass_number_at(type, e->value);
    char text[MASS_NUMBER_SIZE];
    if (n.kind == MASS_NUMBER_SIGNED) fprintf(to, "%" PRId64, n.i);
    else if (n.kind == MASS_NUMBER_UNSIGNED) fprintf(to, "%" PRIu64, n.u);
    else {
        for (int digits = 6; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, n.f);
            const double again = strtod(text, NULL);
            if (again == n.f || (type == MASS_F32 && (float)again == (float)n.f)) break;
        }
        fputs(text, to);
    }
}

char *mass_events_text(const mass_events_of *of, const mass_events *e, size_t *size)
{
    char *text = NULL;
    FILE *to = mass_memory_stream(&text, size);
    if (!to) return NULL;
    for (int c = 0; c < COLUMNS; c++) fprintf(to, "%s%c", names[c], c + 1 < COLUMNS ? ',' : '\n');
    for (size_t i = 0; i < e->count; i++) {
        const mass_event *one = &e->list[i];
        const mass_attribute_def *a = &of->model->attributes[one->attribute];
        fprintf(to, "%" PRIu64 ",%" PRId64 ",%s.%s", one->step, (int64_t)of->first_world + one->world,
                of->model->spaces[a->space].name, a->name);
        if (a->length > 1) fprintf(to, "[%u]", one->component);
        fprintf(to, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",", one->at[0], one->at[1], one->at[2]);
        put_value(to, a->type, one);
        fputc('\n', to);
    }
    if (fclose(to) == 0) return text;
    free(text);
    return NULL;
}
