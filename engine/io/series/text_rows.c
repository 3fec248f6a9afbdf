/* SPDX-License-Identifier: Apache-2.0 */
#include "io/series/text_rows.h"
#include "io/series/text_parameters.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

void mass_series_text_put_number(FILE *to, double value, const char *none)
{
    char digits[32];
    if (!isfinite(value)) {
        fputs(none, to);
        return;
    }
    if (fabs(value) < 1e15 && value == (double)(int64_t)value && (value != 0 || !signbit(value))) {
        fprintf(to, "%" PRId64, (int64_t)value); /* the same digits, sooner */
        return;
    }
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) break;
    }
    fputs(digits, to);
}

void mass_series_text_put_header(FILE *to, const mass_series_set *s)
{
    fputs(s->worlds > 1 ? "step,world" : "step", to);
    mass_series_text_put_names(to, s);
    for (uint32_t c = 0; c < s->count; c++) {
        const uint32_t length = mass_series_length(&s->columns[c]);
        if (length == 1) fprintf(to, ",%s", s->columns[c].name);
        for (uint32_t i = 0; length > 1 && i < length; i++) fprintf(to, ",%s[%u]", s->columns[c].name, i);
    }
    fputc('\n', to);
}

void mass_series_text_put_csv(FILE *to, const mass_series_set *s, uint64_t step, const double *values)
{
    for (int32_t w = 0; w < s->worlds; w++) {
        fprintf(to, "%" PRIu64, step);
        if (s->worlds > 1) fprintf(to, ",%d", s->first_world + w);
        mass_series_text_put_values(to, s, w);
        const double *own = values;
        for (uint32_t c = 0; c < s->count; c++) {
            const size_t length = mass_series_length(&s->columns[c]);
            for (size_t i = 0; i < length; i++) {
                fputc(',', to);
                mass_series_text_put_number(to, own[(size_t)w * length + i], "");
            }
            own += length * (size_t)s->worlds;
        }
        fputc('\n', to);
    }
}

/* Prints the values of one world: a number, or a list if there are several. NaN becomes null. */
static void put_json_values(FILE *to, const double *values, uint32_t length)
{
    if (length > 1) fputc('[', to);
    for (uint32_t i = 0; i < length; i++) {
        if (i > 0) fputs(", ", to);
        mass_series_text_put_number(to, values[i], "null");
    }
    if (length > 1) fputc(']', to);
}

void mass_series_text_put_json(FILE *to, const mass_series_set *s, uint64_t step, const double *values)
{
    fprintf(to, "{\"step\": %" PRIu64, step);
    mass_series_text_put_lists(to, s);
    for (uint32_t c = 0; c < s->count; c++) {
        const uint32_t length = mass_series_length(&s->columns[c]);
        fprintf(to, ", \"%s\": %s", s->columns[c].name, s->worlds > 1 ? "[" : "");
        for (int32_t w = 0; w < s->worlds; w++, values += length) {
            if (w > 0) fputs(", ", to);
            put_json_values(to, values, length);
        }
        if (s->worlds > 1) fputc(']', to);
    }
    fputs("}\n", to);
}
