/* SPDX-License-Identifier: Apache-2.0 */
/* Agents by hand: load adds them in several calls, or makes one of the mistakes that a parameter names. plain.h has the
 * same model as one loop. */
#include "hand.h"

#include <mass/model.h>
#if MASS_HOST
#include <math.h>
#include <stdlib.h>
#include <string.h>
#endif

MASS_PARAMETER(text, folk_table, "", "a table of folk, in place of those of load")
#define WAYS                                                                                                     \
    "many", "none", "large", "fixed", "population", "initial", "world", "negative", "outside", "below", "place", \
        "axis", "more", "both", "id", "equal", "between", "capacity", "attribute", "lost", "twice", "elements",  \
        "type", "nan", "infinite", "range", "fraction", "wide", "array", "late"
MASS_PARAMETER(choice, how, "many", "what load does: it adds agents, or makes a mistake", WAYS)
MASS_PARAMETER(int64_t, large, 1000000, 0, INT64_MAX, "agents of how=large")

MASS_PARAMETER(int64_t, fragile, 0, 0, 1, "1: agents of kind 3 that weigh 7 crash the run")

typedef struct genes {
    float a, b, c;
} genes;
typedef struct mark {
    int32_t n;
    float weight;
} mark;

MASS_SPACE(town, 2, .size = {24, 18}, .torus = MASS_AXES_ALL)
MASS_TALLY(SUM, int64_t, alive, "folk")
MASS_TALLY(SUM, int64_t, born, "folk", .cumulative = 1)
MASS_TALLY(SUM, int64_t, died, "folk", .cumulative = 1)
MASS_TALLY(SUM, int64_t, huts_alive, "huts")
MASS_TALLY(SUM, int64_t, nobody_alive, "nobody")
MASS_TALLY(SUM, int64_t, trace, "of all that bodies read", .cumulative = 1)

MASS_POPULATION(folk, town, .initial = MASS_BY_LOAD, .table = "folk_table", .children = 1, .alive = "alive",
                .born = "born", .died = "died")
MASS_AGENT_ATTRIBUTE(folk, int64_t, energy, .initial = &(const int64_t){5}, .most = 1000)
MASS_AGENT_ATTRIBUTE(folk, uint8_t, kind, .initial = &(const uint8_t){2}, .most = 3)
MASS_AGENT_ATTRIBUTE(folk, double, size)
MASS_AGENT_VECTOR(folk, genes, float, gene, .least = -1000, .most = 1000)
MASS_AGENT_ATTRIBUTE(folk, mark, tag, MASS_MEMBERS(mark, n, weight))
MASS_POPULATION(huts, town, .initial = MASS_BY_LOAD, .capacity = 2, .alive = "huts_alive")
MASS_POPULATION(nobody, town, .initial = MASS_BY_LOAD, .alive = "nobody_alive")
MASS_POPULATION(guests, town, .count = 3)

MASS_FN uint64_t mixed(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

MASS_AGENT(folk_go, folk, 2, UPDATES(energy), READS(kind, size, gene, tag), SUMS(trace), CHILDREN(energy, kind),
           GIVEN(fragile))
{
    if (PARAM(fragile) && IN(kind) == 3 && IN(tag).n == 7) *(volatile int *)(uintptr_t)(PARAM(fragile) - 1) = 1;
    uint64_t h = mixed(mixed(AGENT_ID, (uint64_t)(AT_X + 1000 * AT_Y)), (uint64_t)OUT(energy));
    h = mixed(mixed(h, IN(kind)), (uint64_t)(int64_t)(IN(size) * 4));
    h = mixed(mixed(h, (uint64_t)(int64_t)IN(gene).b), (uint64_t)(IN(tag).n + (int64_t)IN(tag).weight));
    ADD(trace, (int64_t)(h >> 40));
    OUT(energy) += IN(kind) + (int64_t)(h >> 50 & 3);
    if (OUT(energy) >= 40) {
        SPAWN(1);
        CHILD(energy, 0) = OUT(energy) / 2;
        CHILD(kind, 0) = (uint8_t)(3 - IN(kind));
        OUT(energy) -= OUT(energy) / 2;
    } else if (h % 32 == 5) KILL();
    MIGRATE((int)(AGENT_ID % 3) - 1, (int)IN(kind) % 3 - 1);
}

MASS_SCHEDULE(STEPS(folk_go), MANAGES(folk))

#if MASS_HOST

enum { HAND_WAYS = sizeof((const char *const[]){WAYS}) / sizeof(char *) };

/* Adds folk on places that depend on the call. Energies and kinds are of another type
 * than the attributes. */
static mass_status add_folk(mass_host *host, int call, int world, int64_t count)
{
    const mass_gidx nx = EXTENT(town, 0), ny = EXTENT(town, 1);
    mass_gidx *x = malloc(((size_t)count + 1) * sizeof *x), *y = malloc(((size_t)count + 1) * sizeof *y);
    int32_t *energy = malloc(((size_t)count + 1) * sizeof *energy), *kind = malloc(((size_t)count + 1) * sizeof *kind);
    genes *gene = malloc(((size_t)count + 1) * sizeof *gene);
    for (int64_t i = 0; i < count; i++) {
        x[i] = hand_draw(call, world, i, 0, nx);
        y[i] = hand_draw(call, world, i, 1, ny);
        energy[i] = (int32_t)hand_draw(call, world, i, 2, 30);
        kind[i] = (int32_t)hand_draw(call, world, i, 3, 4);
        gene[i] = (genes){0.5f, (float)hand_draw(call, world, i, 4, 900), -3};
    }
    const mass_status status = MASS_ADD_AGENTS(host, world, folk, count, .x = x, .y = y,
                                               MASS_COLUMNS(MASS_COLUMN(gene, gene), MASS_COLUMN(energy, energy),
                                                            MASS_COLUMN(kind, kind)));
    free(x), free(y), free(energy), free(kind), free(gene);
    return status;
}

/* Adds folk with ids to every world, by the numbers of their places. */
static mass_status add_few(mass_host *host)
{
    const mass_gidx places = EXTENT(town, 0) * EXTENT(town, 1);
    mass_gidx place[HAND_FEW];
    uint64_t id[HAND_FEW];
    mark tag[HAND_FEW];
    for (int i = 0; i < HAND_FEW; i++) {
        place[i] = hand_draw(1, 0, i, 0, places);
        id[i] = hand_id(i);
        tag[i] = (mark){(int32_t)hand_draw(1, 0, i, 5, 77), 2.5f};
    }
    return MASS_ADD_AGENTS(host, MASS_EVERY_WORLD, folk, HAND_FEW, .place = place, .id = id,
                           MASS_COLUMNS(MASS_COLUMN(tag, tag)));
}

/* Adds a few more to world 0, whose energies are whole doubles and whose sizes are floats, and huts to every world. */
static mass_status add_last(mass_host *host)
{
    const mass_gidx x[HAND_LAST] = {0, 1, 1, 2, 3}, y[HAND_LAST] = {3, 2, 2, 1, 0};
    const double energy[HAND_LAST] = {1, 2, 3, 4, 5};
    const float size[HAND_LAST] = {0.25f, 0.5f, 0.75f, -1, 1e6f};
    const bool kind[HAND_LAST] = {1, 0, 1, 0, 1};
    mass_status status = MASS_ADD_AGENTS(host, 0, folk, HAND_LAST, .x = x, .y = y,
                                         MASS_COLUMNS(MASS_COLUMN(energy, energy), MASS_COLUMN(size, size),
                                                      MASS_COLUMN(kind, kind)));
    if (status == MASS_OK) status = MASS_ADD_AGENTS(host, MASS_EVERY_WORLD, huts, HAND_LAST, .x = x, .y = y);
    return status == MASS_OK ? MASS_ADD_AGENTS(host, 0, folk, 0, .x = NULL) : status;
}

/* Adds agents to places that are not in a trial, and two huts to each of many places. */
static mass_status add_fixed(mass_host *host)
{
    const mass_gidx x[] = {20, 21, 22}, y[] = {15, 16, 17};
    const uint8_t kind[] = {3, 3, 3};
    const mark tag[] = {{1, 0}, {7, 0}, {1, 0}};
    mass_gidx place[200];
    for (int i = 0; i < 200; i++) place[i] = 100 + i / 2;
    const mass_status status = MASS_ADD_AGENTS(host, 0, folk, 3, .x = x, .y = y,
                                               MASS_COLUMNS(MASS_COLUMN(kind, kind), MASS_COLUMN(tag, tag)));
    return status == MASS_OK ? MASS_ADD_AGENTS(host, 0, huts, 200, .place = place) : status;
}

static mass_status add_many(mass_host *host)
{
    const int worlds = mass_run_of(host)->worlds(host);
    mass_status status = MASS_OK;
    for (int w = 0; status == MASS_OK && w < worlds; w++) status = add_folk(host, 0, w, hand_many(w));
    if (status == MASS_OK) status = add_few(host);
    return status == MASS_OK ? add_last(host) : status;
}

#define IS(name) (strcmp(how, name) == 0)
#define FOLK(count, ...) MASS_ADD_AGENTS(host, 0, folk, count, __VA_ARGS__)

/* Makes the mistake that the user wants. */
static mass_status err(mass_host *host, const char *how)
{
    const mass_gidx x[] = {1, 2, 3}, y[] = {1, 1, 1}, z[] = {0, 0, 0}, far[] = {0, EXTENT(town, 0), 0};
    const mass_gidx below[] = {0, 0, -1}, place[] = {0, EXTENT(town, 0) * EXTENT(town, 1), 1};
    const uint64_t id[] = {4, 9, 4}, large[] = {0, (1ull << 62) + 1, 1}, four[] = {4};
    const double nans[] = {0, 1, NAN}, infinite[] = {INFINITY, 1, 2}, fraction[] = {0, 0.5, 0};
    const int64_t wide[] = {0, 1001, 2}, energy[] = {1, 2, 3};
    const genes gene[] = {{0, 0, 0}, {1, 2, 1001}, {0, 0, 0}};
    const void *const pointers[3] = {0};
    const mass_gidx one[] = {1, 1, 1};
    if (IS("population")) return MASS_ADD_AGENTS(host, 0, folks, 3, .x = x, .y = y);
    if (IS("initial")) return MASS_ADD_AGENTS(host, 0, guests, 3, .x = x, .y = y);
    if (IS("world")) return MASS_ADD_AGENTS(host, mass_run_of(host)->worlds(host), folk, 3, .x = x, .y = y);
    if (IS("negative")) return FOLK(-1, .x = x, .y = y);
    if (IS("outside")) return FOLK(3, .x = far, .y = y);
    if (IS("below")) return FOLK(3, .x = x, .y = below);
    if (IS("place")) return FOLK(3, .place = place);
    if (IS("axis")) return FOLK(3, .x = x);
    if (IS("more")) return FOLK(3, .x = x, .y = y, .z = z);
    if (IS("both")) return FOLK(3, .x = x, .place = place);
    if (IS("id")) return FOLK(3, .x = x, .y = y, .id = large);
    if (IS("equal")) return FOLK(3, .x = x, .y = y, .id = id);
    if (IS("between")) { /* the fifth of those without an id is 4 */
        const mass_status status = MASS_ADD_AGENTS(host, MASS_EVERY_WORLD, folk, 3, .x = x, .y = y);
        if (status == MASS_OK) FOLK(3, .x = x, .y = y);
        return status == MASS_OK ? FOLK(1, .x = x, .y = y, .id = four) : status;
    }
    if (IS("capacity")) return MASS_ADD_AGENTS(host, 0, huts, 3, .x = one, .y = one);
    if (IS("attribute")) return FOLK(3, .x = x, .y = y, MASS_COLUMNS(MASS_COLUMN(enrgy, energy)));
    if (IS("lost")) return FOLK(3, .x = x, .y = y, MASS_COLUMNS(MASS_COLUMN(lost, energy)));
    if (IS("twice")) return FOLK(3, .x = x, .y = y, MASS_COLUMNS(MASS_COLUMN(kind, one), MASS_COLUMN(kind, one)));
    if (IS("elements")) return FOLK(3, .x = x, .y = y, MASS_COLUMNS(MASS_COLUMN(gene, energy)));
    if (IS("type")) return FOLK(3, .x = x, .y = y, MASS_COLUMNS(MASS_COLUMN(energy, pointers)));
    if (IS("nan")) return FOLK(3, .x = x, .y = y, MASS_COLUMNS(MASS_COLUMN(size, nans)));
    if (IS("infinite")) return FOLK(3, .x = x, .y = y, MASS_COLUMNS(MASS_COLUMN(size, infinite)));
    if (IS("range")) return FOLK(3, .x = x, .y = y, MASS_COLUMNS(MASS_COLUMN(gene, gene)));
    if (IS("fraction")) return FOLK(3, .x = x, .y = y, MASS_COLUMNS(MASS_COLUMN(energy, fraction)));
    if (IS("wide")) return FOLK(3, .x = x, .y = y, MASS_COLUMNS(MASS_COLUMN(kind, wide)));
    if (IS("array")) return FOLK(3, .x = x, .y = y, MASS_COLUMNS({"energy", NULL, MASS_F64, 8}));
    return MASS_OK;
}

static mass_status hand_load(mass_host *host)
{
    const int64_t how = VALUE(how);
    if (how == 0) return add_many(host);
    if (how == 2) return add_folk(host, 0, 0, VALUE(large));
    if (how == 3) return add_fixed(host);
    static const char *const names[] = {WAYS};
    return err(host, names[how]);
}

static mass_status hand_finish(mass_host *host)
{
    const mass_gidx one[] = {1};
    return VALUE(how) == HAND_WAYS - 1 ? MASS_ADD_AGENTS(host, 0, folk, 1, .x = one, .y = one) : MASS_OK;
}

#endif

MASS_PLUGIN(.name = "hand", .version = "1.0.0", .help = "agents that load adds by hand", .load = hand_load,
            .finish = hand_finish);
