/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/sweep_values.h"
#include "base/memory_stream.h"
#include "text/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MOST = 1 << 20, NUMBER_SIZE = 64 };

typedef struct reader {
    const mass_csv *csv;
    const char *name;
    mass_sweep_values *to;
    FILE *made; /* texts of ranges, without zero bytes between them; NULL: none yet */
    char **text;
    size_t size;
    mass_error *error;
} reader;

#define REFUSE(r, ...) mass_csv_refuse((r)->csv, MASS_BAD_INPUT, (r)->error, __VA_ARGS__)
#define SHOWN(f) (f).length > 80 ? 80 : (int)(f).length, (f).text

/* Appends a value to the field's values. Refuses values that are too many or too long. */
static mass_status add(reader *r, mass_csv_field value)
{
    mass_sweep_values *v = r->to;
    if (v->count == VALUES_MOST)
        return REFUSE(r, "parameter %s: more than %d values in a field", r->name, VALUES_MOST);
    if (value.length > MASS_SWEEP_VALUE_MOST)
        return REFUSE(r, "parameter %s: a value of %zu bytes", r->name, value.length);
    if (v->count == v->room) {
        const uint32_t room = v->room ? 2 * v->room : 4;
        mass_csv_field *larger = realloc(v->list, room * sizeof *larger);
        if (!larger) return mass_error_memory(r->error, room * sizeof *larger, "a sweep");
        v->list = larger;
        v->room = room;
    }
    v->list[v->count++] = value;
    return MASS_OK;
}

/* ---- ranges ---- */

typedef struct range {
    bool whole;
    int64_t from, step; /* for whole numbers */
    double real_from, real_step;
    uint64_t count;
    bool misses; /* no step is given, and steps of one do not reach the end */
} range;

/* Returns the text without blanks at both ends. */
static mass_csv_field trimmed(const char *begin, const char *end)
{
    while (begin < end && *begin == ' ') begin++;
    while (end > begin && end[-1] == ' ') end--;
    return (mass_csv_field){begin, (size_t)(end - begin)};
}

/* Returns the first ".." in the text, or NULL. */
static const char *find_dots(const char *at, const char *end)
{
    for (; end - at >= 2; at++)
        if (at[0] == '.' && at[1] == '.') return at;
    return NULL;
}

/* Splits a range into its two or three texts. *by_ones: there are two, and the third becomes "1". Returns false if it
 * has fewer or more, or if one is too long. */
static bool split(mass_csv_field item, char text[3][NUMBER_SIZE], bool *by_ones)
{
    const char *at = item.text, *end = item.text + item.length;
    strcpy(text[2], "1");
    *by_ones = false;
    for (int i = 0; i < 3; i++) {
        const char *dots = find_dots(at, end);
        if (!mass_csv_text(trimmed(at, dots ? dots : end), text[i], NUMBER_SIZE)) return false;
        if (!dots) {
            *by_ones = i == 1;
            return i > 0;
        }
        at = dots + 2;
    }
    return false;
}

/* Counts the integers of a range. Returns false if its step does not lead from its start to its end. */
static bool count_whole(int64_t from, int64_t to, int64_t step, uint64_t *count)
{
    if (step == 0 || (step > 0 ? to < from : to > from)) return false;
    const uint64_t way = step > 0 ? (uint64_t)to - (uint64_t)from : (uint64_t)from - (uint64_t)to;
    *count = way / (step > 0 ? (uint64_t)step : 0 - (uint64_t)step) + 1;
    return true;
}

/* Counts the values of a range of real numbers. Includes the end in spite of rounding errors: 0..1..0.1 ends with 1.
 * *count is at most VALUES_MOST + 1. Returns false if the step does not lead to the end. */
static bool count_real(double from, double to, double step, uint64_t *count)
{
    const double steps = (to - from) / step;
    if (step == 0 || !(steps >= 0)) return false;
    *count = steps < VALUES_MOST ? (uint64_t)(steps + 1e-9) + 1 : VALUES_MOST + 1;
    return true;
}

/* Reads a range and counts its values. Returns false if it is no range. */
static bool read_range(mass_csv_field item, range *out)
{
    char text[3][NUMBER_SIZE];
    int64_t to;
    double real_to;
    bool by_ones;
    *out = (range){0};
    if (!split(item, text, &by_ones)) return false;
    out->whole = mass_read_whole(text[0], &out->from) && mass_read_whole(text[1], &to) &&
                 mass_read_whole(text[2], &out->step);
    if (out->whole) return count_whole(out->from, to, out->step, &out->count);
    const bool good = mass_read_f64(text[0], &out->real_from) && mass_read_f64(text[1], &real_to) &&
                      mass_read_f64(text[2], &out->real_step) &&
                      count_real(out->real_from, real_to, out->real_step, &out->count);
    const double end = out->real_from + (double)out->count - 1;
    out->misses = good && by_ones && fabs(end - real_to) > 1e-9 * fmax(1, fabs(real_to));
    return good;
}

/* Adds all values of a range, whose texts go to r->made. A value has only its length at first, as the texts may move
 * while they grow. */
static mass_status add_range(reader *r, mass_csv_field item)
{
    range g;
    mass_status status = MASS_OK;
    if (!read_range(item, &g))
        return REFUSE(r, "parameter %s: '%.*s' is not a range of numbers such as 1..4 or 0..1..0.25", r->name,
                      SHOWN(item));
    if (g.count > VALUES_MOST)
        return REFUSE(r, "parameter %s: more than %d values in a field", r->name, VALUES_MOST);
    if (g.misses)
        return REFUSE(r, "parameter %s: '%.*s' counts by ones, which miss its end: give a step, as in 0..1..0.25",
                      r->name, SHOWN(item));
    if (!r->made) r->made = mass_memory_stream(r->text, &r->size);
    if (!r->made) return mass_error_memory(r->error, g.count, "a sweep");
    for (uint64_t i = 0; status == MASS_OK && i < g.count; i++) {
        const int length = g.whole ? fprintf(r->made, "%" PRId64, (int64_t)((uint64_t)g.from + i * (uint64_t)g.step))
                                   : fprintf(r->made, "%.15g", g.real_from + (double)i * g.real_step);
        if (length < 0) return mass_error_memory(r->error, g.count, "a sweep");
        status = add(r, (mass_csv_field){NULL, (size_t)length});
    }
    return status;
}

/* ---- fields ---- */

/* Adds a value of a list, or all values of a range A..B. "[1; 2]" and "@FILE" are each one value. alone: it is all of
 * the field, and may be empty. */
static mass_status add_item(reader *r, mass_csv_field item, bool alone)
{
    if (item.length == 0 && !alone) return REFUSE(r, "parameter %s: a value of its list is missing", r->name);
    const bool list = item.length > 0 && (item.text[0] == '[' || item.text[0] == '@');
    const bool ranged = !list && find_dots(item.text, item.text + item.length) != NULL;
    return ranged ? add_range(r, item) : add(r, item);
}

/* Sets the addresses of the texts of ranges, which follow each other in *r->text and no longer move. */
static void place_texts(const reader *r)
{
    const char *at = *r->text;
    for (uint32_t i = 0; i < r->to->count; i++) {
        if (r->to->list[i].text) continue;
        r->to->list[i].text = at;
        at += r->to->list[i].length;
    }
}

mass_status mass_sweep_values_read(const mass_csv *csv, const char *name, mass_csv_field field, mass_sweep_values *out,
                                   char **made, mass_error *error)
{
    *out = (mass_sweep_values){0};
    *made = NULL;
    reader r = {.csv = csv, .name = name, .to = out, .text = made, .error = error};
    const char *at = field.text, *end = field.text + field.length;
    mass_status status = MASS_OK;
    for (bool more = true; status == MASS_OK && more; at++) {
        const char *start = at;
        for (int depth = 0; at < end && (depth > 0 || (*at != ';' && *at != ',')); at++)
            depth += (*at == '[') - (*at == ']');
        more = at < end;
        status = add_item(&r, trimmed(start, at), start == field.text && !more);
    }
    if (r.made && fclose(r.made) != 0 && status == MASS_OK) status = mass_error_memory(error, r.size, "a sweep");
    if (status == MASS_OK) place_texts(&r);
    return status;
}

/* ---- designs ---- */

/* Reads a field as the two ends of a range, into text[0] and text[1]. Returns false if it is none, or if it has a step
 * or several items. */
static bool read_ends(mass_csv_field field, char text[3][NUMBER_SIZE])
{
    bool by_ones;
    double end;
    const mass_csv_field item = trimmed(field.text, field.text + field.length);
    if (memchr(item.text, ';', item.length) || memchr(item.text, ',', item.length)) return false;
    return split(item, text, &by_ones) && by_ones && mass_read_f64(text[0], &end) && mass_read_f64(text[1], &end);
}

bool mass_sweep_values_is_range(mass_csv_field field)
{
    char text[3][NUMBER_SIZE];
    return read_ends(field, text);
}

/* Returns whether a number is written as a whole one, without a point or an exponent; then *value is it. */
static bool is_whole(const char *text, int64_t *value)
{
    return !strpbrk(text, ".eE") && mass_read_whole(text, value);
}

mass_status mass_sweep_values_draw(const mass_csv *csv, const char *name, mass_csv_field field, const double *units,
                                   size_t stride, uint32_t count, mass_sweep_values *out, char **made,
                                   mass_error *error)
{
    char text[3][NUMBER_SIZE];
    int64_t first = 0, last = 0;
    double low = 0, high = 0;
    *out = (mass_sweep_values){0};
    *made = NULL;
    reader r = {.csv = csv, .name = name, .to = out, .text = made, .error = error};
    read_ends(field, text);
    const bool whole = is_whole(text[0], &first) && is_whole(text[1], &last);
    const bool good = mass_read_f64(text[0], &low) && mass_read_f64(text[1], &high) && low <= high &&
                      isfinite(high - low) && (!whole || high - low < 0x1p53);
    if (!good)
        return REFUSE(&r, "parameter %s: '%.*s' is not a range from a number to a greater one", name, SHOWN(field));
    r.made = mass_memory_stream(made, &r.size);
    if (!r.made) return mass_error_memory(error, count, "a sweep");
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < count; i++) {
        const double unit = units[i * stride];
        const uint64_t numbers = (uint64_t)last - (uint64_t)first + 1;
        const int64_t number = first + (int64_t)(unit * (double)numbers);
        const int length = whole ? fprintf(r.made, "%" PRId64, number < last ? number : last)
                                 : fprintf(r.made, "%.15g", low + unit * (high - low));
        status = length < 0 ? mass_error_memory(error, count, "a sweep")
                            : add(&r, (mass_csv_field){NULL, (size_t)length});
    }
    if (fclose(r.made) != 0 && status == MASS_OK) status = mass_error_memory(error, r.size, "a sweep");
    if (status == MASS_OK) place_texts(&r);
    return status;
}

bool mass_sweep_values_choose(mass_sweep_values *v, const double *units, size_t stride, uint32_t count)
{
    mass_csv_field *chosen = malloc(count * sizeof *chosen);
    if (!chosen) return false;
    for (uint32_t i = 0; i < count; i++) chosen[i] = v->list[(uint32_t)(units[i * stride] * v->count)];
    free(v->list);
    *v = (mass_sweep_values){chosen, count, count};
    return true;
}

void mass_sweep_values_free(mass_sweep_values *v)
{
    free(v->list);
    *v = (mass_sweep_values){0};
}
