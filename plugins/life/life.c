/* SPDX-License-Identifier: Apache-2.0 */
/* Conway's Game of Life, and every rule that counts the eight neighbours of a place. */
#include "kernels.h"
#include "pattern.h"
#include "rule.h"

#include <mass/mass.h>
#include <stdlib.h>
#include <string.h>

static const char *const edges[] = {"torus", "dead", NULL};
static const uint32_t palette[] = {0x101418, 0xf2c14e};

static void declare_parameters(mass_host *host)
{
    MASS_DECLARE(host, parameter, .name = "pattern", .type = MASS_TEXT,
                 .help = "an RLE or .cells file to start from", .by_default = "a random soup");
    MASS_DECLARE(host, parameter, .name = "rule", .type = MASS_TEXT, .text = "B3/S23",
                 .help = "births and survivals by the number of neighbours; a pattern's own rule goes first "
                         "unless this is given");
    MASS_DECLARE(host, parameter, .name = "density", .type = MASS_REAL, .real = 0.25, .real_min = 0,
                 .real_max = 1, .help = "share of living places in the random soup");
    MASS_DECLARE(host, parameter, .name = "edge", .type = MASS_CHOICE, .choices = edges,
                 .help = "whether opposite edges meet, or everything beyond the edge is dead");
    MASS_DECLARE(host, parameter, .name = "x", .type = MASS_INTEGER,
                 .help = "column of the pattern's left edge", .by_default = "the pattern is centred");
    MASS_DECLARE(host, parameter, .name = "y", .type = MASS_INTEGER,
                 .help = "row of the pattern's top edge", .by_default = "the pattern is centred");
}

/* The pattern's bytes, or NULL where none is asked for. The caller frees them. */
static mass_status read_pattern(mass_host *host, uint8_t **bytes, size_t *size, life_pattern_format *format)
{
    const char *path = mass_values(host)->text(host, "pattern");
    *bytes = NULL;
    if (!path[0]) return MASS_OK;
    char message[200];
    const mass_status status = life_pattern_read_file(path, bytes, size, message, sizeof message);
    if (status != MASS_OK) return host->fail(host, status, "pattern %s: %s", path, message);
    *format = life_pattern_format_of(path, *bytes, *size);
    return MASS_OK;
}

/* A pattern brings its rule along. A resumed run knows it already, and its file may be gone. */
static mass_status take_rule_of_pattern(mass_host *host)
{
    const mass_values_table *values = mass_values(host);
    if (values->resumed(host) || values->given(host, "rule")) return MASS_OK;
    uint8_t *bytes;
    size_t size;
    life_pattern_format format;
    mass_status status = read_pattern(host, &bytes, &size, &format);
    if (status != MASS_OK || !bytes) return status;
    int has_rule = 0;
    life_rule rule;
    life_pattern_error error;
    status = life_pattern_rule(bytes, size, format, &has_rule, &rule, &error);
    free(bytes);
    if (status != MASS_OK)
        return host->fail(host, status, "pattern %s: %s", values->text(host, "pattern"), error.text);
    char text[24];
    if (!has_rule) return MASS_OK;
    life_rule_format(rule, text);
    return values->set_text(host, "rule", text);
}

static mass_status life_open(mass_host *host)
{
    const mass_values_table *values = mass_values(host);
    declare_parameters(host);
    MASS_DECLARE(host, space, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {512, 512},
                 .torus = values->integer(host, "edge") == 0 ? MASS_AXES_ALL : 0);
    MASS_DECLARE(host, attribute, .space = "grid", .name = "health", .type = MASS_U8, .most = 1,
                 .help = "1 alive, 0 dead");
    MASS_DECLARE(host, tally, .name = "population", .access = MASS_SUM, .help = "living places");
    MASS_DECLARE(host, tally, .name = "births", .access = MASS_SUM, .help = "born in the last step");
    MASS_DECLARE(host, tally, .name = "deaths", .access = MASS_SUM, .help = "died in the last step");

    MASS_DECLARE_LOG(host, .expression = "population");

    const mass_status status = take_rule_of_pattern(host);
    if (status != MASS_OK) return status;
    life_rule rule;
    char message[200];
    const char *text = values->text(host, "rule");
    if (life_rule_parse(text, strlen(text), &rule, message, sizeof message) != MASS_OK)
        return host->fail(host, MASS_BAD_USAGE, "parameter rule: %s", message);
    MASS_DECLARE(host, constant, .name = "birth", .type = MASS_INTEGER, .integer = rule.birth);
    MASS_DECLARE(host, constant, .name = "survive", .type = MASS_INTEGER, .integer = rule.survive);
    const int conway = rule.birth == 1 << 3 && rule.survive == (1 << 2 | 1 << 3);

    if (values->text(host, "pattern")[0]) mass_seed_of(host)->unused(host);
    else MASS_DECLARE(host, phase, .schedule = MASS_START, .callback = &life_soup);
    MASS_DECLARE(host, phase, .schedule = MASS_START, .callback = &life_census);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = conway ? &life_conway : &life_rule_step);
    return MASS_DECLARE(host, picture, .space = "grid", .attribute = "health", .low = 0, .high = 1, .colours = 2,
                        .palette = palette);
}

static mass_status place_pattern(mass_host *host, const life_pattern *pattern, const mass_gidx size[3])
{
    const mass_values_table *values = mass_values(host);
    static const char *const axes[] = {"x", "y"};
    const mass_gidx extent[3] = {pattern->width, pattern->height, 1};
    mass_gidx origin[3] = {0, 0, 0};
    for (int a = 0; a < 2; a++) {
        origin[a] = values->given(host, axes[a]) ? values->integer(host, axes[a]) : (size[a] - extent[a]) / 2;
        if (origin[a] < 0 || origin[a] > size[a] - extent[a])
            return host->fail(host, MASS_BAD_USAGE, "parameter %s: the pattern would reach outside the space; it fits "
                              "from 0 to %lld", axes[a], (long long)(size[a] - extent[a]));
    }
    mass_status status = MASS_OK;
    for (int32_t world = 0; status == MASS_OK && world < mass_run(host)->worlds(host); world++)
        status = mass_run(host)->write(host, "grid", "health", world, origin, extent, pattern->cells);
    return status;
}

static mass_status life_load(mass_host *host)
{
    uint8_t *bytes;
    size_t bytes_size;
    life_pattern_format format;
    mass_status status = read_pattern(host, &bytes, &bytes_size, &format);
    if (status != MASS_OK || !bytes) return status;
    mass_gidx size[3];
    uint32_t dimensions;
    status = mass_values(host)->size(host, "grid", size, &dimensions);
    if (status != MASS_OK) {
        free(bytes);
        return status;
    }
    life_pattern pattern = {0};
    life_pattern_error error;
    status = life_pattern_parse(format, bytes, bytes_size, size[0], size[1], &pattern, &error);
    free(bytes);
    if (status != MASS_OK)
        return host->fail(host, status, "pattern %s: %s", mass_values(host)->text(host, "pattern"), error.text);
    status = place_pattern(host, &pattern, size);
    life_pattern_free(&pattern);
    return status;
}

MASS_PLUGIN(.name = "life", .version = "1.0.0",
            .help = "Conway's Game of Life and every rule that counts eight neighbours",
            .services = (const char *const[]){MASS_DECLARE_ID, MASS_VALUES_ID, MASS_RUN_ID, MASS_SERIES_ID,
                                              MASS_SEED_ID, NULL},
            .open = life_open, .load = life_load);
