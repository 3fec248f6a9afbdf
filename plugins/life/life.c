/* SPDX-License-Identifier: Apache-2.0 */
/* Conway's Game of Life, and every rule that counts the eight neighbours of a place. */
#include <mass/model.h>

#if MASS_HOST
#include "pattern.h"
#include "rule.h"

#include <stdlib.h>
#include <string.h>
#endif

MASS_PARAMETER(text, pattern, "", "an RLE or .cells file to start from", .by_default = "a random soup")
MASS_PARAMETER(text, rule, "B3/S23",
               "births and survivals by the number of neighbours; a pattern's own rule goes first unless this is given")
MASS_PARAMETER(double, density, 0.25, 0, 1, "share of living places in the random soup")
MASS_PARAMETER(choice, edge, "torus", "whether opposite edges meet, or everything beyond the edge is dead",
               "torus", "dead")
MASS_PARAMETER(int64_t, x, 0, 0, 0, "column of the pattern's left edge", .by_default = "the pattern is centred")
MASS_PARAMETER(int64_t, y, 0, 0, 0, "row of the pattern's top edge", .by_default = "the pattern is centred")

MASS_SPACE(grid, 2, .size = {512, 512}, .torus = VALUE(edge) == 0 ? MASS_AXES_ALL : 0)
MASS_ATTRIBUTE(grid, bool, health, .help = "1 alive, 0 dead")

MASS_TALLY(SUM, int64_t, population, "living places")
MASS_TALLY(SUM, int64_t, births, "born in the last step")
MASS_TALLY(SUM, int64_t, deaths, "died in the last step")
MASS_SERIES("population")

/* ---- the rule: of the parameter, or of a pattern that brings one along ---- */

#if MASS_HOST

/* The pattern's bytes, or NULL where none is asked for. The caller frees them. */
static mass_status read_pattern(mass_host *host, uint8_t **bytes, size_t *size, life_pattern_format *format)
{
    const char *path = VALUE(pattern);
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
    const mass_values_table *values = mass_values_of(host);
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
        return host->fail(host, status, "pattern %s: %s", VALUE(pattern), error.text);
    char text[24];
    if (!has_rule) return MASS_OK;
    life_rule_format(rule, text);
    return values->set_text(host, "rule", text);
}

static life_rule rule;

MASS_OPEN(life_find_rule)
{
    const mass_status status = take_rule_of_pattern(host);
    char message[200];
    if (status != MASS_OK) return status;
    if (life_rule_parse(VALUE(rule), strlen(VALUE(rule)), &rule, message, sizeof message) != MASS_OK)
        return host->fail(host, MASS_BAD_USAGE, "parameter rule: %s", message);
    return VALUE(pattern)[0] ? mass_seed_of(host)->unused(host) : MASS_OK;
}

static int is_conway(void) { return rule.birth == 1 << 3 && rule.survive == (1 << 2 | 1 << 3); }

#endif

MASS_CONSTANT(int64_t, birth, rule.birth)
MASS_CONSTANT(int64_t, survive, rule.survive)

/* ---- callbacks ---- */

/* Every place lives with probability `density`. */
MASS_MAP(life_soup, WRITES(health), GIVEN(density))
{
    const mass_random4 r = RANDOM(0);
    OUT(health) = mass_unit_f64(r.v[0], r.v[1]) < PARAM(density);
}

MASS_MAP(life_census, READS(health), SUMS(population))
{
    ADD(population, IN(health));
}

#define NEIGHBOURS                                                               \
    (uint8_t)(NEAR(health, -1, -1) + NEAR(health, 0, -1) + NEAR(health, 1, -1) + \
              NEAR(health, -1, 0) + NEAR(health, 1, 0) +                         \
              NEAR(health, -1, 1) + NEAR(health, 0, 1) + NEAR(health, 1, 1))

#define COUNT_CHANGE(now, next)        \
    ADD(population, (next));           \
    ADD_UNLESS(births, (next), (now)); \
    ADD_UNLESS(deaths, (now), (next))

/* B3/S23, the rule that nearly everybody runs, in few operations. */
MASS_STENCIL(life_conway, 2, 1, READS(health), WRITES(health), SUMS(population, births, deaths))
{
    const uint8_t now = IN(health), n = NEIGHBOURS;
    const uint8_t next = (uint8_t)((n == 3) | ((n == 2) & now));
    OUT(health) = next;
    COUNT_CHANGE(now, next);
}

/* Any rule: bit n of `birth` and `survive` says what n living neighbours do. */
MASS_STENCIL(life_rule_step, 2, 1, READS(health), WRITES(health), SUMS(population, births, deaths),
             GIVEN(birth, survive))
{
    const uint8_t now = IN(health), n = NEIGHBOURS;
    const uint32_t bits = now ? (uint32_t)PARAM(survive) : (uint32_t)PARAM(birth);
    const uint8_t next = (bits & (1u << n)) != 0; /* which becomes vectors where a shift of bits does not */
    OUT(health) = next;
    COUNT_CHANGE(now, next);
}

MASS_SCHEDULE(IF(!VALUE(pattern)[0], STARTS(life_soup)), STARTS(life_census),
              IF(is_conway(), STEPS(life_conway)), IF(!is_conway(), STEPS(life_rule_step)))
MASS_PICTURE(grid, health, 0, 1, 0x101418, 0xf2c14e)

/* ---- a pattern is placed ---- */

#if MASS_HOST

static mass_status place_pattern(mass_host *host, const life_pattern *pattern, const mass_gidx size[3])
{
    const mass_values_table *values = mass_values_of(host);
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
    for (int32_t world = 0; status == MASS_OK && world < mass_run_of(host)->worlds(host); world++)
        status = mass_run_of(host)->write(host, "grid", "health", world, origin, extent, pattern->cells);
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
    status = mass_values_of(host)->size(host, "grid", size, &dimensions);
    if (status != MASS_OK) {
        free(bytes);
        return status;
    }
    life_pattern pattern = {0};
    life_pattern_error error;
    status = life_pattern_parse(format, bytes, bytes_size, size[0], size[1], &pattern, &error);
    free(bytes);
    if (status != MASS_OK)
        return host->fail(host, status, "pattern %s: %s", VALUE(pattern), error.text);
    status = place_pattern(host, &pattern, size);
    life_pattern_free(&pattern);
    return status;
}

#endif

MASS_PLUGIN(.name = "life", .version = "2.0.0",
            .help = "Conway's Game of Life and every rule that counts eight neighbours", .load = life_load);
