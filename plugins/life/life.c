/* SPDX-License-Identifier: Apache-2.0 */
/* Conway's Game of Life, and every rule that counts the eight neighbours of a place. */
#include <mass/model.h>

#if MASS_HOST
#include "pattern.h"
#include "rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#endif

MASS_PARAMETER(text, pattern, "", "an RLE or .cells file to start from", .by_default = "a random soup")
MASS_PARAMETER(text, rule, "B3/S23",
               "births and survivals by the number of neighbours; a pattern's own rule is used unless this is given")
MASS_PARAMETER(double, density, 0.25, 0, 1, "share of living places in the random soup")
MASS_PARAMETER(choice, edge, "torus", "whether opposite edges meet, or everything beyond the edge is dead",
               "torus", "dead")
MASS_PARAMETER(int64_t, x, 0, 0, 0, "column of the pattern's left edge", .by_default = "the pattern is centred")
MASS_PARAMETER(int64_t, y, 0, 0, 0, "row of the pattern's top edge", .by_default = "the pattern is centred")

/* ---- the rule and its grid, from the parameter or from the pattern ---- */

#if MASS_HOST

/* Reads the pattern's bytes; NULL without a pattern. The caller frees them. */
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

static life_rule rule;
static life_grid bounds; /* the rule's grid; no surface: the rule has none */

/* Refuses a grid that no torus or plane can be: the run would end differently. */
static mass_status refuse_grid(mass_host *host, mass_status status, const char *whose)
{
    char about[100];
    if (!bounds.surface || life_grid_runs(&bounds)) return MASS_OK;
    life_grid_describe(&bounds, about, sizeof about);
    return host->fail(host, status, "%s: the grid %s of its rule is %s, and a space here is a torus or a plane: give "
                      "a rule without it, as by --set rule=B3/S23, to run on one", whose, bounds.text, about);
}

/* Takes the rule of a pattern. A resumed run already knows it, and its file may be gone. */
static mass_status take_rule_of_pattern(mass_host *host)
{
    const mass_values_table *values = mass_values_of(host);
    uint8_t *bytes;
    size_t size;
    life_pattern_format format;
    mass_status status = read_pattern(host, &bytes, &size, &format);
    if (status != MASS_OK || !bytes) return status;
    life_pattern found;
    life_pattern_error error;
    status = life_pattern_facts(bytes, size, format, &found, &error);
    free(bytes);
    if (status != MASS_OK) return host->fail(host, status, "pattern %s: %s", VALUE(pattern), error.text);
    char text[24], whose[1000];
    if (!found.has_rule) return MASS_OK;
    bounds = found.grid;
    snprintf(whose, sizeof whose, "pattern %s", VALUE(pattern));
    status = refuse_grid(host, MASS_BAD_INPUT, whose);
    life_rule_format(found.rule, text);
    return status == MASS_OK ? values->set_text(host, "rule", text) : status;
}

/* Takes the rule of the parameter. A resumed run keeps its space, whatever the grid of its rule is. */
static mass_status take_rule_of_parameter(mass_host *host, int resumed)
{
    char message[200];
    life_grid found;
    if (life_rule_parse_grid(VALUE(rule), strlen(VALUE(rule)), &rule, &found, message, sizeof message) != MASS_OK)
        return host->fail(host, MASS_BAD_USAGE, "parameter rule: %s", message);
    if (!found.surface || resumed) return MASS_OK;
    bounds = found;
    return refuse_grid(host, MASS_BAD_USAGE, "parameter rule");
}

/* Finds the rule: that of the pattern if the user gave none. A rule's grid that is a plane has dead edges. */
MASS_OPEN(life_find_rule)
{
    const mass_values_table *values = mass_values_of(host);
    const int resumed = values->resumed(host);
    bounds = (life_grid){0};
    mass_status status = resumed || values->given(host, "rule") ? MASS_OK : take_rule_of_pattern(host);
    if (status == MASS_OK) status = take_rule_of_parameter(host, resumed);
    if (status == MASS_OK && bounds.surface == 'P' && !values->given(host, "edge"))
        status = values->set_text(host, "edge", "dead");
    if (status != MASS_OK) return status;
    return VALUE(pattern)[0] ? mass_seed_of(host)->unused(host) : MASS_OK;
}

static int is_conway(void) { return rule.birth == 1 << 3 && rule.survive == (1 << 2 | 1 << 3); }

#endif

MASS_SPACE(grid, 2, .size = {bounds.surface ? bounds.width : 512, bounds.surface ? bounds.height : 512},
           .torus = VALUE(edge) == 0 ? MASS_AXES_ALL : 0)
MASS_ATTRIBUTE(grid, bool, health, .help = "1 alive, 0 dead")

MASS_TALLY(SUM, int64_t, population, "living places")
MASS_TALLY(SUM, int64_t, births, "born in the last step")
MASS_TALLY(SUM, int64_t, deaths, "died in the last step")
MASS_SERIES("population")

MASS_CONSTANT(int64_t, birth, rule.birth)
MASS_CONSTANT(int64_t, survive, rule.survive)

/* ---- callbacks ---- */

/* Every place lives with probability `density`. */
MASS_MAP(life_soup, WRITES(health), GIVEN(density))
{
    const mass_random4 r = RANDOM(0);
    OUT(health) = mass_unit_f64(r.v[0], r.v[1]) < PARAM(density);
}

/* Counts the living places at the start. */
MASS_MAP(life_census, READS(health), SUMS(population))
{
    ADD(population, IN(health));
}

#define NEIGHBOURS                                                               \
    (uint8_t)(NEAR(health, -1, -1) + NEAR(health, 0, -1) + NEAR(health, 1, -1) + \
              NEAR(health, -1, 0) + NEAR(health, 1, 0) +                         \
              NEAR(health, -1, 1) + NEAR(health, 0, 1) + NEAR(health, 1, 1))

/* Counts a place that is `now` and will be `next`, each 0 or 1, as living, born or dead. */
#define COUNT_CHANGE(now, next)        \
    ADD(population, (next));           \
    ADD_UNLESS(births, (next), (now)); \
    ADD_UNLESS(deaths, (now), (next))

/* B3/S23, the most frequent rule, in few operations. */
MASS_STENCIL(life_conway, 2, 1, READS(health), WRITES(health), SUMS(population, births, deaths))
{
    const uint8_t now = IN(health), n = NEIGHBOURS;
    const uint8_t next = (uint8_t)((n == 3) | ((n == 2) & now));
    OUT(health) = next;
    COUNT_CHANGE(now, next);
}

/* Any rule: bit n of `birth` and `survive` is the next state of a place with n living neighbours. */
MASS_STENCIL(life_rule_step, 2, 1, READS(health), WRITES(health), SUMS(population, births, deaths),
             GIVEN(birth, survive))
{
    const uint8_t now = IN(health), n = NEIGHBOURS;
    const uint32_t bits = now ? (uint32_t)PARAM(survive) : (uint32_t)PARAM(birth);
    const uint8_t next = (bits & (1u << n)) != 0; /* compilers vectorise this, but not a shift of bits */
    OUT(health) = next;
    COUNT_CHANGE(now, next);
}

MASS_SCHEDULE(IF(!VALUE(pattern)[0], STARTS(life_soup)), STARTS(life_census),
              IF(is_conway(), STEPS(life_conway)), IF(!is_conway(), STEPS(life_rule_step)))
MASS_PICTURE(grid, health, 0, 1, 0x101418, 0xf2c14e)

/* ---- placing a pattern ---- */

#if MASS_HOST

/* Returns 1 if a grid is the space that runs. */
static int is_what_runs(mass_host *host, const life_grid *said, const mass_gidx size[3])
{
    return life_grid_runs(said) && said->width == size[0] && said->height == size[1] &&
           (said->surface == 'P') == (VALUE(edge) == 1);
}

/* Reports a grid that does not run, because the user gave another size, edge or rule. */
static void say_other_grid(mass_host *host, const char *whose, const life_grid *said, const mass_gidx size[3])
{
    char about[100], line[1200];
    if (!said->surface || is_what_runs(host, said, size)) return;
    life_grid_describe(said, about, sizeof about);
    snprintf(line, sizeof line, "%s: its rule says %s, %s; what runs is a %s of %lld x %lld%s", whose, said->text,
             about, VALUE(edge) ? "plane" : "torus", (long long)size[0], (long long)size[1],
             life_grid_runs(said) ? ": leave out --size, rule and edge to run that" : "");
    mass_run_of(host)->say(host, line);
}

/* Returns the first place of a pattern: centred, or on a bounded plane at the position in the file. */
static int64_t first_place(const life_pattern *p, int axis, int on_its_plane, const mass_gidx size[3])
{
    const int64_t extent = axis == 0 ? p->width : p->height, at = axis == 0 ? p->x : p->y;
    if (!on_its_plane) return (size[axis] - extent) / 2;
    int64_t first;
    if (__builtin_add_overflow(size[axis] / 2, p->has_position ? at : -(extent / 2), &first)) return -1;
    return first;
}

/* Reports that the pattern would reach outside the space: by parameter x or y, or by the file's own position. */
static mass_status fail_outside(mass_host *host, const char *axis, mass_gidx last)
{
    if (mass_values_of(host)->given(host, axis))
        return host->fail(host, MASS_BAD_USAGE, "parameter %s: the pattern would reach outside the space; it fits "
                          "from 0 to %lld", axis, (long long)last);
    return host->fail(host, MASS_BAD_INPUT, "pattern %s: its position (Pos= of #CXRLE) is outside its plane: give "
                      "another by --set x=0 --set y=0", VALUE(pattern));
}

/* Writes the pattern's cells into all worlds, at the given position or at the pattern's own. Fails if it does not
 * fit. */
static mass_status place_pattern(mass_host *host, const life_pattern *pattern, const mass_gidx size[3])
{
    const mass_values_table *values = mass_values_of(host);
    static const char *const axes[] = {"x", "y"};
    const mass_gidx extent[3] = {pattern->width, pattern->height, 1};
    mass_gidx origin[3] = {0, 0, 0};
    const int on_its_plane = pattern->grid.surface == 'P' && is_what_runs(host, &pattern->grid, size);
    for (int a = 0; a < 2; a++) {
        origin[a] = values->given(host, axes[a]) ? values->integer(host, axes[a])
                                                 : first_place(pattern, a, on_its_plane, size);
        if (origin[a] < 0 || origin[a] > size[a] - extent[a]) return fail_outside(host, axes[a], size[a] - extent[a]);
    }
    mass_status status = MASS_OK;
    const int32_t worlds = extent[0] && extent[1] ? mass_run_of(host)->worlds(host) : 0;
    for (int32_t world = 0; status == MASS_OK && world < worlds; world++)
        status = mass_run_of(host)->write(host, "grid", "health", world, origin, extent, pattern->cells);
    return status;
}

/* Parses a pattern's bytes and places it. Says so if its grid differs from the run's. */
static mass_status load_pattern(mass_host *host, const uint8_t *bytes, size_t bytes_size, life_pattern_format format,
                                const mass_gidx size[3])
{
    life_pattern pattern = {0};
    life_pattern_error error;
    mass_status status = life_pattern_parse(format, bytes, bytes_size, size[0], size[1], &pattern, &error);
    if (status != MASS_OK) return host->fail(host, status, "pattern %s: %s", VALUE(pattern), error.text);
    char whose[1000];
    snprintf(whose, sizeof whose, "pattern %s", VALUE(pattern));
    say_other_grid(host, whose, &pattern.grid, size);
    status = place_pattern(host, &pattern, size);
    life_pattern_free(&pattern);
    return status;
}

/* Loads the pattern before the first step, if there is one. Says so if the rule's grid differs from the run's. */
static mass_status life_load(mass_host *host)
{
    uint8_t *bytes;
    size_t bytes_size;
    life_pattern_format format;
    mass_gidx size[3];
    uint32_t dimensions;
    mass_status status = mass_values_of(host)->size(host, "grid", size, &dimensions);
    if (status == MASS_OK) status = read_pattern(host, &bytes, &bytes_size, &format);
    if (status != MASS_OK) return status;
    life_grid given = {0};
    life_rule ignored;
    char message[200];
    life_rule_parse_grid(VALUE(rule), strlen(VALUE(rule)), &ignored, &given, message, sizeof message);
    say_other_grid(host, "parameter rule", &given, size);
    if (!bytes) return MASS_OK;
    status = load_pattern(host, bytes, bytes_size, format, size);
    free(bytes);
    return status;
}

#endif

MASS_PLUGIN(.name = "life", .version = "2.0.0",
            .help = "Conway's Game of Life and every rule that counts eight neighbours", .load = life_load);
