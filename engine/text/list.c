/* SPDX-License-Identifier: Apache-2.0 */
#include "text/list.h"
#include "text/decimal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_MAX = 63 }; /* bytes of a number as written */

mass_list_reader *mass_list_read_file;

/* A list that is being read. */
typedef struct listing {
    const mass_parameter_slot *slot;
    const char *at, *end; /* what is left of the text */
    char *out;            /* the text so far, of which `used` bytes count */
    size_t used, room;
    uint64_t count;
    mass_error *error;
} listing;

/* Refuses the list, with the parameter's name. */
static mass_status refuse(const listing *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static mass_status refuse(const listing *l, const char *format, ...)
{
    char what[300];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return mass_error_set(l->error, MASS_BAD_USAGE, "parameter %s: %s", l->slot->name, what);
}

/* Moves the ends of a text inwards over blanks. */
static void strip(const char **at, const char **end)
{
    while (*at < *end && strchr(" \t\r\n", **at)) ++*at;
    while (*end > *at && strchr(" \t\r\n", (*end)[-1])) --*end;
}

/* Appends a number to the text, after a comma if it is not the first. On failure the text stays. */
static mass_status append(listing *l, const char *number)
{
    const size_t length = strlen(number);
    if (l->used + length + 2 > l->room) {
        char *larger = realloc(l->out, l->room = 2 * l->room + length + 2);
        if (!larger) return mass_error_memory(l->error, l->room, "a list");
        l->out = larger;
    }
    if (l->used) l->out[l->used++] = ',';
    memcpy(l->out + l->used, number, length + 1);
    l->used += length;
    return MASS_OK;
}

/* Appends a real in the fewest digits that give it exactly. -0 becomes 0. */
static mass_status append_real(listing *l, double value)
{
    char number[32];
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(number, sizeof number, "%.*g", digits, value + 0.0);
        if (strtod(number, NULL) == value) break;
    }
    return append(l, number);
}

/* Counts one number, from `at` to before `end`, reads it, and appends it to the text. Refuses what is no number, or
 * outside the range. */
static mass_status take_number(listing *l, const char *at, const char *end)
{
    const mass_parameter_slot *s = l->slot;
    const bool whole = s->list == MASS_INTEGER;
    char text[NUMBER_MAX + 1], range[MASS_RANGE_SIZE], number[32];
    int64_t integer = 0;
    double real = 0;
    strip(&at, &end);
    snprintf(text, sizeof text, "%.*s", end - at > NUMBER_MAX ? NUMBER_MAX : (int)(end - at), at);
    l->count++;
    if (end - at > NUMBER_MAX || !(whole ? mass_read_whole(text, &integer) : mass_read_f64(text, &real)))
        return refuse(l, "value %" PRIu64 " of the list, '%s', is not %s: give numbers with commas between, or @FILE",
                      l->count, text, whole ? "an integer" : "a number");
    if (whole ? integer < s->integer_min || integer > s->integer_max : real < s->real_min || real > s->real_max)
        return refuse(l, "value %" PRIu64 " of the list is %s, which is not %s", l->count, text,
                      mass_parameter_range(s, range));
    if (!whole) return append_real(l, real);
    snprintf(number, sizeof number, "%" PRId64, integer);
    return append(l, number);
}

/* Returns true for a comma, and for a semicolon, which needs no quotes in a table of a sweep. */
static bool ends_number(char c) { return c == ',' || c == ';'; }

/* Reads all numbers, with or without brackets around them. Refuses an empty list, and one that is too long. */
static mass_status take_numbers(listing *l)
{
    strip(&l->at, &l->end);
    if (l->end - l->at >= 2 && *l->at == '[' && l->end[-1] == ']') l->at++, l->end--;
    strip(&l->at, &l->end);
    uint64_t given = 1;
    for (const char *c = l->at; c < l->end; c++) given += ends_number(*c);
    if (l->at == l->end)
        return refuse(l, "the list has no values: give 1 to %" PRIu64 ", as in %s=1,2", l->slot->length, l->slot->name);
    if (given > l->slot->length)
        return refuse(l, "the list has %" PRIu64 " values, and may have %" PRIu64 ": give fewer", given,
                      l->slot->length);
    mass_status status = MASS_OK;
    for (const char *next; status == MASS_OK && l->count < given; l->at = next + 1) {
        for (next = l->at; next < l->end && !ends_number(*next); next++) continue;
        status = take_number(l, l->at, next);
    }
    if (status == MASS_OK && l->used > MASS_LIST_TEXT_MAX)
        status = refuse(l, "the list has %zu characters, and may have %d: give fewer digits or values", l->used,
                        MASS_LIST_TEXT_MAX);
    return status;
}

/* Makes a text the list's, which takes it over, also on failure: then it is freed, and the list is as before. */
static mass_status keep(mass_parameter_slot *slot, char *text, mass_error *error)
{
    uint64_t number;
    const mass_status status = mass_list_meet(slot, text, &number, error);
    if (status != MASS_OK) {
        free(text);
        return status;
    }
    free(slot->text);
    slot->text = text;
    return MASS_OK;
}

/* Sets a list to numbers in a text. On failure it keeps its values. */
static mass_status set_numbers(mass_parameter_slot *slot, const char *text, mass_error *error)
{
    listing l = {.slot = slot, .at = text, .end = text + strlen(text), .error = error};
    const mass_status status = take_numbers(&l);
    if (status == MASS_OK) return keep(slot, l.out, error);
    free(l.out);
    return status;
}

/* Sets a list to the numbers of a file. A fault of the numbers names the file. */
static mass_status set_by_file(mass_parameter_slot *slot, const char *path, mass_error *error)
{
    char *text = NULL;
    mass_error why = {0};
    if (!mass_list_read_file || !path[0])
        return mass_error_set(error, MASS_BAD_USAGE, "parameter %s: '@' is followed by the name of a .csv or .npy file",
                              slot->name);
    mass_status status = mass_list_read_file(path, &text, &why);
    if (status != MASS_OK) return mass_error_set(error, status, "parameter %s: %s", slot->name, why.text);
    status = set_numbers(slot, text, &why);
    free(text);
    return status == MASS_OK ? status : mass_error_set(error, MASS_BAD_INPUT, "%s: %s", path, why.text);
}

mass_status mass_list_set(mass_parameter_slot *slot, const char *text, mass_error *error)
{
    return text[0] == '@' ? set_by_file(slot, text + 1, error) : set_numbers(slot, text, error);
}

mass_status mass_list_set_default(mass_parameter_slot *slot, const char *text, mass_error *error)
{
    mass_error why = {0};
    if (!text || !text[0] || set_numbers(slot, text, &why) == MASS_OK) return MASS_OK;
    return mass_error_set(error, MASS_BAD_PLUGIN, "its default is not allowed: %s", why.text);
}

json_t *mass_list_json(const mass_parameter_slot *slot, const char *text)
{
    const uint64_t count = mass_list_count(text);
    uint64_t *values = malloc((count + 1) * sizeof *values);
    json_t *list = values ? json_array() : NULL;
    if (values) mass_list_values(slot, text, values);
    for (uint64_t i = 0; list && i < count; i++) {
        double real;
        memcpy(&real, &values[i], sizeof real);
        json_array_append_new(list, slot->list == MASS_REAL ? json_real(real) : json_integer((json_int_t)values[i]));
    }
    free(values);
    return list;
}
