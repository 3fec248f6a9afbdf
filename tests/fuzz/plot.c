/* SPDX-License-Identifier: Apache-2.0 */
/* Any words as arguments of plot, and any series behind its file's name. The command refuses them in one line and
 * prints nothing, or prints a chart of whole characters only. It reads no row that the file lacks. This harness
 * replaces the reading of files and the drawing by gnuplot. */
#include "input.h"
#include "command/plot/plot.h"
#include "io/chart/chart.h"
#include "io/chart/format.h"
#include "io/series/series.h"
#include "process/standard.h"

#include <jansson.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WORDS_MOST = 12, COLUMNS_MOST = 4 };

mass_status __wrap_mass_series_describe_probed(const char *path, mass_series_contents *out, mass_error *error);
mass_status __wrap_mass_series_read(const mass_series_contents *of, uint32_t column, uint64_t first, uint64_t rows,
                                    double *out, mass_error *error);
mass_status __wrap_mass_chart_write(const mass_chart *charts, size_t count, const char *path, bool force,
                                    mass_error *error);

static int output = -1;

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    output = memfd_create("output", MFD_CLOEXEC);
    ALWAYS(output >= 0 && dup2(output, STDOUT_FILENO) == STDOUT_FILENO);
    mass_standard_open();
    return 0;
}

/* ---- the file ---- */

static mass_series_contents contents;
static mass_series_column columns[COLUMNS_MOST];
static double swept[5];
static double pool[64];
static size_t pool_count;

/* As many rows, worlds and bins as a reader lets through, and no more than can be drawn soon. */
static void take_contents(input *in)
{
    const uint8_t shape = take_u8(in);
    contents = (mass_series_contents){.rows = take_u64(in) >> (take_u8(in) % 64), .first = take_u64(in) >> 24};
    contents.set = (mass_series_set){.every = 1 + (take_u64(in) >> (1 + take_u8(in) % 63)), .worlds = 1 + shape % 5,
                                     .first_world = (int32_t)(take_u64(in) >> 33), .count = shape / 5 % COLUMNS_MOST,
                                     .columns = columns};
    uint64_t last;
    const bool counted = !__builtin_mul_overflow(contents.rows, contents.set.every, &last) && last < MASS_STEPS_MAX;
    if (!counted || contents.rows > 5000) contents.rows = 3, contents.set.every = 1;
    if (contents.set.first_world > INT32_MAX - 5) contents.set.first_world = INT32_MAX - 5;
    for (uint32_t i = 0; i < contents.set.count; i++) {
        char *unit = take_text(in);
        columns[i] = (mass_series_column){.length = 1 + take_u8(in) % 9};
        snprintf(columns[i].name, sizeof columns[i].name, "%c", "abcd"[i]);
        snprintf(columns[i].unit, sizeof columns[i].unit, "%s", unit);
        if (columns[i].length > 1 && take_u8(in) % 2) columns[i].lo = -1, columns[i].hi = 1;
        free(unit);
    }
    for (int i = 0; i < 5; i++) swept[i] = take_u8(in) % 4;
    for (pool_count = 0; pool_count < 64 && (input_left(in) > 0 || pool_count == 0);) pool[pool_count++] = take_f64(in);
}

mass_status __wrap_mass_series_describe_probed(const char *path, mass_series_contents *out, mass_error *error)
{
    ALWAYS(path && error->status == MASS_OK);
    *out = contents;
    out->set.columns = malloc(sizeof columns);
    ALWAYS(out->set.columns);
    memcpy(out->set.columns, columns, sizeof columns);
    if (swept[0] == 0) return MASS_OK;
    const mass_parameter parameter = {.name = "growback", .type = MASS_REAL};
    ALWAYS(mass_parameters_add(&out->set.parameters, &parameter, error) == MASS_OK);
    out->set.parameters.worlds = out->set.worlds;
    out->set.parameters.slots[0].swept = malloc(sizeof swept);
    ALWAYS(out->set.parameters.slots[0].swept);
    memcpy(out->set.parameters.slots[0].swept, swept, sizeof swept);
    return MASS_OK;
}

mass_status __wrap_mass_series_read(const mass_series_contents *of, uint32_t column, uint64_t first, uint64_t rows,
                                    double *out, mass_error *error)
{
    ALWAYS(error->status == MASS_OK && column < contents.set.count);
    ALWAYS(first <= contents.rows && rows <= contents.rows - first);
    const size_t own = mass_series_length(&of->set.columns[column]) * (size_t)of->set.worlds;
    for (size_t i = 0; i < rows * own; i++) out[i] = pool[(first * own + i) % pool_count];
    return MASS_OK;
}

mass_status __wrap_mass_chart_write(const mass_chart *charts, size_t count, const char *path, bool force,
                                    mass_error *error)
{
    bool numbers = false;
    (void)force;
    ALWAYS(error->status == MASS_OK && mass_chart_format_of(path));
    for (size_t k = 0; k < count; k++) {
        numbers |= mass_chart_has_numbers(&charts[k]);
        ALWAYS(charts[k].count > 0 && charts[k].line_count > 0);
        ALWAYS_ONE_LINE(charts[k].x_label);
        ALWAYS_ONE_LINE(charts[k].y_label);
        for (size_t i = 0; i < charts[k].line_count; i++) ALWAYS_ONE_LINE(charts[k].lines[i].label);
    }
    ALWAYS(numbers);
    return MASS_OK;
}

/* ---- what is printed ---- */

static void check_output(mass_status status)
{
    const off_t size = lseek(output, 0, SEEK_END);
    char *text = malloc((size_t)size + 1);
    ALWAYS(text && pread(output, text, (size_t)size, 0) == size && (status == MASS_OK || size == 0));
    text[size] = '\0';
    json_t *whole = json_stringn(text, (size_t)size); /* NULL if it were no UTF-8 */
    ALWAYS(whole && strlen(text) == (size_t)size);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        ALWAYS(*c == '\n' || (*c >= 0x20 && *c != 0x7f && (*c != 0xc2 || c[1] >= 0xa0)));
    json_decref(whole);
    free(text);
    ALWAYS(ftruncate(output, 0) == 0 && lseek(output, 0, SEEK_SET) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    input in = {bytes, bytes + size};
    char *words[WORDS_MOST];
    mass_error error = {0};
    const int count = take_u8(&in) % WORDS_MOST;
    for (int i = 0; i < count; i++) words[i] = take_text(&in);
    take_contents(&in);
    const mass_status status = mass_plot(count, words, &error);
    ALWAYS(status == error.status);
    ALWAYS(status == MASS_OK || status == MASS_BAD_USAGE || status == MASS_BAD_INPUT);
    ALWAYS((status == MASS_OK) == (error.text[0] == '\0'));
    ALWAYS_ONE_LINE(error.text);
    check_output(status);
    for (int i = 0; i < count; i++) free(words[i]);
    return 0;
}
