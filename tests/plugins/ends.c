/* SPDX-License-Identifier: Apache-2.0 */
/* Every model goes some steps from the ends of its ranges: those of parameters, one by one, and those of attributes. In
 * a build that looks for undefined behaviour, as sums that overflow are, none is found; and in any build, what rules
 * write stays in its range. ENDS_SHIPPED and ENDS_OTHERS are lists of plugins, ended by a colon each: what users bring
 * to the others may be so large that a rule leaves the range. */
#include "../engine/expect.h"
#include "snapshot/create.h"
#include "snapshot/hash.h"
#include "state/box.h"

#include "model/range.h"
#include "device/cpu/cpu.h"
#include "population/population.h"
#include "plugin/host.h"
#include "plugin/load.h"
#include "run/stepper.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXTENT = 8, AGENTS = 40, STEPS = 3 };
typedef enum fill { AS_IT_STARTS, LEAST, MOST, MIXED, FILLS } fill;

/* ---- values ---- */

static double finite_end(const mass_attribute_def *a, bool most)
{
    static const double least_of[] = {[MASS_I8] = INT8_MIN, [MASS_I16] = INT16_MIN, [MASS_I32] = INT32_MIN,
                                      [MASS_I64] = -0x1p63};
    static const double most_of[] = {[MASS_I8] = INT8_MAX,   [MASS_U8] = UINT8_MAX,   [MASS_I16] = INT16_MAX,
                                     [MASS_U16] = UINT16_MAX, [MASS_I32] = INT32_MAX, [MASS_U32] = UINT32_MAX,
                                     [MASS_I64] = 0x1p62,     [MASS_U64] = 0x1p63};
    const bool real = a->type == MASS_F32 || a->type == MASS_F64;
    const double end = !a->ranged ? (most ? HUGE_VAL : -HUGE_VAL) : most ? a->most : a->least;
    if (isfinite(end)) return end;
    if (real) return most ? 1e30 : -1e30;
    return most ? most_of[a->type] : a->type < sizeof least_of / sizeof *least_of ? least_of[a->type] : 0;
}

static void put(const mass_attribute_def *a, void *to, size_t index, double v)
{
    switch (a->type) {
    case MASS_I8: ((int8_t *)to)[index] = (int8_t)v; break;
    case MASS_U8: ((uint8_t *)to)[index] = (uint8_t)v; break;
    case MASS_I16: ((int16_t *)to)[index] = (int16_t)v; break;
    case MASS_U16: ((uint16_t *)to)[index] = (uint16_t)v; break;
    case MASS_I32: ((int32_t *)to)[index] = (int32_t)v; break;
    case MASS_U32: ((uint32_t *)to)[index] = (uint32_t)v; break;
    case MASS_I64: ((int64_t *)to)[index] = (int64_t)v; break;
    case MASS_U64: ((uint64_t *)to)[index] = (uint64_t)v; break;
    case MASS_F32: ((float *)to)[index] = (float)v; break;
    default: ((double *)to)[index] = v; break;
    }
}

static double value_of(const mass_attribute_def *a, fill how, size_t index)
{
    return finite_end(a, how == MOST || (how == MIXED && index * 2654435761u >> 7 & 1));
}

static void fill_places(mass_domain *d, uint32_t attribute, fill how)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    const mass_space_def *s = &d->model->spaces[a->space];
    const mass_gidx origin[3] = {0, 0, 0};
    const size_t count = (size_t)mass_space_places(s) * a->length;
    void *values = calloc(count, a->component_size);
    for (size_t i = 0; i < count; i++) put(a, values, i, value_of(a, how, i));
    EXPECT_OK(mass_domain_write(d, attribute, 0, origin, s->size, values, e));
    free(values);
}

/* The device's memory is the host's. */
static void fill_agents(mass_domain *d, const mass_attribute_def *a, fill how)
{
    uint64_t agents = 0;
    EXPECT_OK(mass_population_count_own(d, (uint32_t)a->population, &agents, e));
    const uint32_t planes = a->layout == MASS_PLANES ? a->length : 1, each = a->length / planes;
    for (uint32_t k = 0; k < planes; k++) {
        void *const values = mass_population_array(d, (uint32_t)a->population, a->first_array + k).address;
        for (size_t i = 0; i < (size_t)agents * each; i++) put(a, values, i, value_of(a, how, i));
    }
}

static void fill_all(mass_domain *d, fill how)
{
    for (uint32_t i = 0; i < d->model->attribute_count; i++) {
        const mass_attribute_def *a = &d->model->attributes[i];
        if (a->derived || a->streamed || a->type == MASS_BIT || a->type == MASS_STRUCT) continue;
        if (a->population >= 0 && d->model->populations[a->population].position == (int)i) continue; /* as they stand */
        if (a->population < 0) fill_places(d, i, how);
        else if (strcmp(a->name, "id") != 0 && strcmp(a->name, "lost") != 0) fill_agents(d, a, how);
    }
}

static void expect_ranges(mass_domain *d, const char *path, const char *what)
{
    for (uint32_t i = 0; i < d->model->attribute_count; i++) {
        const mass_attribute_def *a = &d->model->attributes[i];
        uint64_t count = 0;
        if (!a->ranged) continue;
        EXPECT_OK(mass_domain_count_outside(d, i, &count, e));
        cr_expect_eq(count, 0, "%s %s: %d values of %s are outside of its range", path, what, (int)count, a->name);
    }
}

/* ---- runs ---- */

static mass_status go(mass_engine_host *h, const mass_loaded *loaded, mass_model *model, fill how, bool strict,
                      const char *path, const char *what, mass_error *e)
{
    mass_device *device = NULL;
    mass_domain *domain = NULL;
    mass_stepper *run = NULL;
    const mass_domain_options options = {.partitions = 1, .worlds = 1, .seed = 5};
    for (uint32_t i = 0; i < model->population_count; i++)
        if (model->populations[i].count > AGENTS) model->populations[i].count = AGENTS;
    mass_status status = mass_device_open("cpu", 1, false, &device, e);
    if (status == MASS_OK) status = mass_domain_create(model, device, &options, &domain, e);
    if (status == MASS_OK) status = mass_host_load(h, loaded->entry, domain, e);
    if (status == MASS_OK) status = mass_stepper_create(domain, NULL, 0, &run, e);
    if (status == MASS_OK) status = mass_stepper_start(run, e);
    if (status == MASS_OK && how != AS_IT_STARTS) fill_all(domain, how);
    for (uint64_t step = 1; status == MASS_OK && step <= STEPS; step++)
        status = mass_stepper_advance(run, step, NULL, e);
    if (status == MASS_OK && strict) expect_ranges(domain, path, what);
    mass_stepper_free(run);
    mass_domain_free(domain);
    mass_device_close(device);
    return status;
}

/* A model may refuse a parameter beside the others' defaults, as its user's mistake. Returns whether it ran. */
static bool run_with(const char *path, bool strict, const char *name, const char *value, fill how)
{
    const mass_setting setting = {name, value, NULL};
    const mass_opening opening = {.settings = &setting, .setting_count = name ? 1 : 0, .extent_limit = EXTENT,
                                  .seed = 5, .quiet = true};
    const char *what = name ? name : "by default";
    mass_loaded loaded;
    mass_engine_host host;
    mass_model model;
    mass_error error = {0};
    EXPECT_OK(mass_plugin_load(path, &loaded, e));
    mass_status status = mass_host_open(&host, loaded.entry, &opening, &model, &error);
    if (status == MASS_OK) status = go(&host, &loaded, &model, how, strict, path, what, &error);
    mass_model_free(&model);
    mass_plugin_unload(&loaded);
    cr_expect(status == MASS_OK || (name && status == MASS_BAD_USAGE), "%s %s=%s: %s", path, what,
              name ? value : "", error.text);
    return status == MASS_OK;
}

/* The ends of a number's range, or all choices, as texts; NULL after the last. */
static const char *nth_value(const mass_parameter_slot *slot, int n, char text[64])
{
    const bool integer = slot->type == MASS_INTEGER;
    if (slot->type == MASS_CHOICE) return slot->choices[n];
    if (n > 1 || (!integer && slot->type != MASS_REAL)) return NULL;
    const double real = n ? slot->real_max : slot->real_min;
    if (integer) snprintf(text, 64, "%lld", (long long)(n ? slot->integer_max : slot->integer_min));
    else snprintf(text, 64, "%.17g", isfinite(real) ? real : n ? 1e300 : -1e300);
    return text;
}

static void run_parameters(const char *path, bool strict)
{
    const mass_opening opening = {.extent_limit = EXTENT, .quiet = true};
    mass_loaded loaded;
    mass_engine_host host;
    mass_model model;
    int ran = 0, all = 0;
    EXPECT_OK(mass_plugin_load(path, &loaded, e));
    EXPECT_OK(mass_host_open(&host, loaded.entry, &opening, &model, e));
    for (uint32_t i = 0; i < model.parameters.count; i++) {
        const mass_parameter_slot *slot = &model.parameters.slots[i];
        char text[64];
        const char *value;
        for (int n = 0; !slot->constant && (value = nth_value(slot, n, text)) != NULL; n++)
            for (fill how = AS_IT_STARTS; how < FILLS; how++, all++)
                ran += run_with(path, strict, slot->name, value, how);
    }
    mass_model_free(&model);
    mass_plugin_unload(&loaded);
    cr_expect(2 * ran >= all, "%s: of %d runs it refused all but %d", path, all, ran);
}

static void run_all(const char *list, bool strict)
{
    int found = 0;
    for (const char *at = list, *end; (end = strchr(at, ':')) != NULL; at = end + 1, found++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%.*s", (int)(end - at), at);
        for (fill how = AS_IT_STARTS; how < FILLS; how++) run_with(path, strict, NULL, NULL, how);
        run_parameters(path, strict);
    }
    cr_expect_geq(found, 4);
}

Test(ends, shipped_models_go_from_the_ends_of_their_ranges_and_stay_in_them) { run_all(ENDS_SHIPPED, true); }

Test(ends, examples_go_from_the_ends_of_their_ranges) { run_all(ENDS_OTHERS, false); }
