/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a table of a sweep. The reader refuses them in one line that names the file, or gives worlds. Each world
 * has the parameters that a run of its row alone would have. The first byte chooses what --set gives in addition. */
#include "input.h"
#include "command/run/sweep.h"
#include "command/run/sweep_values.h"

#include <sys/mman.h>
#include <unistd.h>

enum { ROWS_MOST = 200 };

/* ---- a model that parameters change, and more than a sweep may ---- */

static mass_status open_model(mass_host *host)
{
    static const char *const colours[] = {"red", "green", "0", NULL};
    const mass_values_table *values = mass_values_of(host);
    MASS_DECLARE(host, parameter, .name = "n", .type = MASS_INTEGER, .integer = 4, .integer_min = 0, .integer_max = 99);
    MASS_DECLARE(host, parameter, .name = "i", .type = MASS_INTEGER);
    MASS_DECLARE(host, parameter, .name = "r", .type = MASS_REAL, .real_min = -1, .real_max = 2.5);
    MASS_DECLARE(host, parameter, .name = "c", .type = MASS_CHOICE, .choices = colours);
    MASS_DECLARE(host, parameter, .name = "t", .type = MASS_TEXT, .text = "as it was");
    MASS_DECLARE(host, parameter, .name = "wide", .type = MASS_INTEGER);
    const int64_t n = values->integer(host, "n");
    if (n == 13) return host->fail(host, MASS_BAD_USAGE, "n is %d", (int)n);
    if (n == 14) return host->fail(host, MASS_BAD_INPUT, "some file is bad");
    MASS_DECLARE(host, constant, .name = "twice", .type = MASS_INTEGER, .integer = 2 * n);
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 1, .dimensions_max = 1,
                 .size = {values->integer(host, "wide") == 7 ? 200 : 100});
    MASS_DECLARE_AGENTS(host, population, .name = "folk", .space = "grid", .capacity = 1, .count = n);
    return MASS_OK;
}

static const char *const services[] = {MASS_DECLARE_ID, MASS_VALUES_ID, MASS_AGENTS_ID, NULL};
static const mass_plugin plugin = {.struct_size = sizeof plugin, .name = "swept", .version = "1", .help = "",
                                   .services = services, .open = open_model};

/* ---- a row alone ---- */

static void check_world(const mass_model *m, int32_t world, const mass_opening *alone)
{
    mass_engine_host h;
    mass_model own;
    mass_error error = {0};
    ALWAYS(mass_host_open(&h, &plugin, alone, &own, &error) == MASS_OK);
    ALWAYS(own.parameters.count == m->parameters.count);
    for (uint32_t i = 0; i < own.parameters.count; i++)
        ALWAYS(mass_parameter_bits(&own.parameters.slots[i]) ==
               mass_parameter_bits_in(&m->parameters.slots[i], world));
    ALWAYS(m->populations[0].counts && m->populations[0].counts[world] == own.populations[0].count);
    ALWAYS(m->populations[0].count >= own.populations[0].count);
    mass_model_free(&own);
}

/* Of a table whose fields are one value each. */
static void check_rows(const mass_model *m, const mass_opening *common, const uint8_t *bytes, size_t size)
{
    mass_csv csv;
    mass_error error = {0};
    ALWAYS(mass_csv_open("again", bytes, size, &csv, &error) == MASS_OK && csv.columns <= 8);
    char names[8][MASS_NAME_SIZE], values[8][256];
    mass_setting settings[16];
    mass_opening alone = {.settings = settings, .setting_count = common->setting_count + csv.columns};
    memcpy(settings, common->settings, common->setting_count * sizeof *settings);
    int32_t world = 0;
    for (bool more = true; mass_csv_next(&csv, &more, &error) == MASS_OK && more; world++) {
        for (uint32_t c = 0; c < csv.columns; c++) {
            ALWAYS(mass_csv_text(csv.names[c], names[c], sizeof *names));
            ALWAYS(mass_csv_text(csv.fields[c], values[c], sizeof *values));
            settings[common->setting_count + c] = (mass_setting){names[c], values[c], NULL};
        }
        check_world(m, world, &alone);
    }
    ALWAYS(world == m->parameters.worlds && error.status == MASS_OK);
    mass_csv_close(&csv);
}

/* Every row is in one run, and every world in one row. */
static void check_runs(const mass_sweep_rows *rows)
{
    uint32_t row = 0;
    ALWAYS(rows->count > 0 && rows->run_count > 0);
    for (uint32_t i = 0; i < rows->run_count; i++) {
        int64_t worlds = 0;
        ALWAYS(rows->runs[i].first_row == row && rows->runs[i].rows > 0);
        for (uint32_t k = 0; k < rows->runs[i].rows; k++, row++) worlds += rows->repeats[row];
        ALWAYS(worlds == rows->runs[i].worlds);
    }
    ALWAYS(row == rows->count);
    for (size_t i = 0; i < (size_t)rows->count * rows->columns; i++)
        ALWAYS(rows->fields[i].text && rows->fields[i].length <= MASS_SWEEP_VALUE_MOST);
}

static mass_status open_sweep(const mass_sweep_rows *rows, mass_opening *opening, mass_sweep *sweep, mass_model *model,
                              mass_error *error)
{
    mass_engine_host h;
    mass_status status = mass_sweep_take(rows, 0, opening, sweep, error);
    if (status == MASS_OK) status = mass_sweep_open(sweep, &h, &plugin, opening, model, error);
    return status == MASS_OK ? mass_sweep_check_own(rows, model, error) : status;
}

static bool is_plain(const mass_sweep_rows *rows, const uint8_t *bytes, size_t size)
{
    const bool own = rows->seed || rows->steps || rows->size || rows->repeat;
    return !own && !memmem(bytes, size, "..", 2) && !memchr(bytes, ';', size) && !memchr(bytes, '"', size) &&
           !memmem(bytes, size, "set.", 4);
}

static void check_failure(const mass_error *error, const char *path, const mass_model *m)
{
    ALWAYS(error->status == MASS_BAD_INPUT && error->text[0]);
    ALWAYS(strncmp(error->text, path, strlen(path)) == 0 || strncmp(error->text, "swept: ", 7) == 0);
    ALWAYS_ONE_LINE(error->text);
    ALWAYS(m->parameters.worlds == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const mass_setting given[] = {{"r", "0.5", NULL}, {"t", "some", "f.yaml, line 3"}};
    const uint32_t given_count = size > 0 ? bytes[0] % 3 : 0;
    size_t lines = 0;
    for (size_t i = 1; i < size; i++) lines += bytes[i] == '\n' || bytes[i] == '\r';
    if (size == 0 || lines > ROWS_MOST) return 0;
    char path[40];
    const int file = memfd_create("sweep", MFD_CLOEXEC);
    ALWAYS(file >= 0 && write(file, bytes + 1, size - 1) == (ssize_t)size - 1);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const mass_opening common = {.settings = given, .setting_count = given_count};
    mass_opening opening = common;
    mass_sweep_rows rows;
    mass_sweep sweep = {0};
    mass_model model = {0};
    mass_error error = {0};
    const mass_options options = {.sweep = path, .worlds = 1};
    mass_status status = mass_sweep_rows_read(&options, &rows, &error);
    if (status == MASS_OK) check_runs(&rows);
    const bool few = status != MASS_OK || (rows.columns > 0 && rows.runs[0].worlds <= ROWS_MOST);
    if (status == MASS_OK && few) status = open_sweep(&rows, &opening, &sweep, &model, &error);
    ALWAYS(status == error.status);
    if (status != MASS_OK) check_failure(&error, path, &model);
    else if (few && is_plain(&rows, bytes + 1, size - 1)) check_rows(&model, &common, bytes + 1, size - 1);
    mass_model_free(&model);
    mass_sweep_free(&sweep);
    mass_sweep_rows_free(&rows);
    close(file);
    return 0;
}
