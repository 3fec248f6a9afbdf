/* SPDX-License-Identifier: Apache-2.0 */
/* A model whose structs are all as an older SDK, CUT, or a newer one, GROWN, would have filled them in. MORE is what
 * stands in the members that the engine does not know; 0 if it is not defined. */
#include "plain.h"

#include <mass/agents.h>
#include <mass/reductions.h>
#include <mass/series.h>
#include <string.h>

#ifndef MORE
#define MORE 0
#endif
enum { GROWTH = 24 };

/* Memory for what is declared, which the engine copies. */
static _Alignas(max_align_t) unsigned char pool[1 << 16];
static size_t used;

/* A copy in which only the first `kept` bytes are the struct's, or behind which there is more. */
static const void *resized(const void *d, size_t size, size_t kept)
{
    unsigned char *copy = pool + used;
    used += size + GROWTH;
    memcpy(copy, d, size);
#ifdef CUT
    memset(copy + kept, 0xa5, size + GROWTH - kept); /* whatever is there */
#else
    (void)kept;
    memset(copy + size, MORE, GROWTH);
#endif
    return copy;
}

/* The size that such a struct says, and an array of them that lie as far apart. */
#ifdef CUT
#define SIZE(T, LAST) (uint32_t)(offsetof(T, LAST) + sizeof(((T *)0)->LAST))
#define STRIDE(T) (uint32_t)sizeof(T)
#elif defined(GROWN)
#define SIZE(T, LAST) (uint32_t)(sizeof(T) + GROWTH)
#define STRIDE(T) (uint32_t)(sizeof(T) + GROWTH)
#else
#define SIZE(T, LAST) (uint32_t)sizeof(T)
#define STRIDE(T) (uint32_t)sizeof(T)
#endif
static const void *spread(const void *list, size_t count, size_t size, uint32_t stride)
{
    unsigned char *copy = pool + used;
    used += count * stride;
    for (size_t i = 0; i < count; i++) memcpy(copy + i * stride, (const char *)list + i * size, size);
    return copy;
}
#define SPREAD(LIST) spread(LIST, sizeof(LIST) / sizeof *(LIST), sizeof *(LIST), STRIDE(__typeof__(*(LIST))))

/* Declares a T by a table's function, of which members up to LAST are there. */
#define DECLARE(FUNCTION, T, LAST, ...)                                                                     \
    FUNCTION(host, resized(&(const T){.struct_size = SIZE(T, LAST), __VA_ARGS__}, sizeof(T), SIZE(T, LAST)))

static void age(const void *fields, const mass_launch *launch, const mass_range *range)
{
    uint32_t *const ages = *(uint32_t *const *)fields;
    (void)launch;
    for (int64_t i = range->first_row; i < range->last_row; i++) ages[i]++;
}

static const mass_callback *callback(const char *name, uint32_t over, const mass_field *field, mass_loop *loop)
{
    const mass_field fields[] = {*field};
    const mass_form forms[] = {{.struct_size = sizeof(mass_form), .id = MASS_FORM_LOOP, .loop = loop, .steps = 1,
                                .flags = MASS_FORM_TALLIES},
                               {.struct_size = sizeof(mass_form), .id = MASS_FORM_LOOP, .loop = loop, .steps = 1}};
    return resized(&(const mass_callback){.struct_size = SIZE(mass_callback, forms), .over = over, .name = name,
                       .field_count = 1, .field_size = STRIDE(mass_field), .fields = SPREAD(fields), .form_count = 2,
                       .form_size = STRIDE(mass_form), .forms = SPREAD(forms)},
                   sizeof(mass_callback), SIZE(mass_callback, forms));
}

static mass_status open_model(mass_host *host)
{
    static const uint32_t colours[] = {0, 0xffffff};
    static const mass_member members[] = {{"a", MASS_U16, 0}, {"b", MASS_U16, 2}};
    const mass_declare_table *d = mass_declare_of(host);
    const mass_agents_table *agents = mass_agents_of(host);
    if (!MASS_HAS(d, steps) || !MASS_HAS(agents, read) || d->struct_size != sizeof *d) return MASS_FAILED;
    used = 0;
    DECLARE(d->parameter, mass_parameter, name, .type = MASS_INTEGER, .name = "rate");
    DECLARE(d->constant, mass_constant, name, .type = MASS_REAL, .name = "unit");
    DECLARE(d->space, mass_space, size, .name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {16, 16});
    DECLARE(d->attribute, mass_attribute, name, .space = "grid", .name = "value", .type = MASS_U8);
    DECLARE(d->attribute, mass_attribute, least, .space = "grid", .name = "pair", .type = MASS_STRUCT,
            .element_size = 4, .member_count = 2, .member_size = STRIDE(mass_member), .members = SPREAD(members));
    DECLARE(d->tally, mass_tally, name, .access = MASS_SUM, .name = "born");
    const mass_drawn *drawn = resized(&(const mass_drawn){.colours = 2, .palette = colours}, sizeof(mass_drawn),
                                      sizeof(mass_drawn));
    DECLARE(agents->population, mass_population, constant, .name = "ants", .space = "grid", .count = 9, .born = "born",
            .drawn = drawn, .drawn_size = STRIDE(mass_drawn));
    DECLARE(d->attribute, mass_attribute, population, .space = "grid", .name = "age", .type = MASS_U32,
            .population = "ants");
    DECLARE(d->picture, mass_picture, palette, .space = "grid", .attribute = "value", .high = 255, .colours = 2,
            .palette = colours);
    const mass_condition *never = resized(&(const mass_condition){.tally = "born", .relation = MASS_GREATER,
                                          .value = 1}, sizeof(mass_condition), sizeof(mass_condition));
    DECLARE(d->phase, mass_phase, callback, .schedule = MASS_STEP,
            .callback = callback("grow", MASS_OVER_PLACES,
                                 &(const mass_field){"value", "value", MASS_UPDATE, MASS_U8, 1, 0}, plain_grow));
    DECLARE(agents->phase, mass_agent_phase, callback, .schedule = MASS_STEP, .population = "ants",
            .callback = callback("age", MASS_OVER_AGENTS,
                                 &(const mass_field){"age", "age", MASS_UPDATE, MASS_U32, 4, 0}, age));
    DECLARE(agents->manage, mass_manage, population, .schedule = MASS_STEP, .population = "ants");
    DECLARE(agents->manage, mass_manage, condition, .schedule = MASS_STEP, .population = "ants", .condition = never,
            .condition_size = STRIDE(mass_condition));
    DECLARE(mass_reductions_of(host)->reduction, mass_reduction, attribute, .operation = MASS_SUM, .name = "total",
            .attribute = "value");
    return DECLARE(mass_series_of(host)->series, mass_series, expression, .expression = "born");
}

__attribute__((section(".note.mass"), used, aligned(4))) static const mass_abi_note note = {
    8, 8, MASS_NOTE_TYPE, MASS_NOTE_NAME, MASS_ABI_MAJOR, MASS_ABI_MINOR};

typedef struct grown_plugin {
    mass_plugin known;
    unsigned char more[GROWTH];
} grown_plugin;
extern const grown_plugin mass_plugin_entry;
__attribute__((visibility("default"))) const grown_plugin mass_plugin_entry = {
    .known = {.struct_size = SIZE(mass_plugin, open), .abi_major = MASS_ABI_MAJOR, .abi_minor = MASS_ABI_MINOR,
#ifdef CUT
              .load = (void *)1, .finish = (void *)1, /* which are not there */
#endif
              .launch_size = sizeof(mass_launch), .diagnostics_size = sizeof(mass_diagnostics),
              .effects_size = sizeof(mass_effects), .name = "sized", .version = "1.0.0", .help = "", .open = open_model,
              .services = (const char *const[]){MASS_DECLARE_ID, NULL}}};
