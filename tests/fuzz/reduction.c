/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a --tally. The reader refuses them in one line with a caret, or gives a reduction. That reduction,
 * written out, is read as the same. A model takes it and gets phases and tallies for it, or refuses it in one line. */
#include "harness.h"
#include "text/reduction.h"

#include <string.h>

static mass_model make_model(void)
{
    mass_model m = {.plugin = "folk"};
    mass_error e = {0};
    mass_model_add_space(&m, &(mass_space){.name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {4, 3}},
                         NULL, 0, &e);
    mass_model_add_attribute(&m, &(mass_attribute){.name = "a", .type = MASS_U8, .length = 3}, &e);
    mass_model_add_population(&m, &(mass_population){.name = "ants"}, &e);
    mass_model_add_attribute(&m, &(mass_attribute){.name = "b", .type = MASS_F64, .population = "ants"}, &e);
    mass_model_resolve(&m, &e);
    ALWAYS(e.status == MASS_OK);
    return m;
}

static void check_refusal(const char *text, const mass_error *error)
{
    ALWAYS(error->status == MASS_BAD_USAGE && strncmp(error->text, "--tally: ", 9) == 0);
    ALWAYS(strlen(text) > MASS_REDUCTION_LENGTH || strchr(error->text, '^'));
    for (const unsigned char *c = (const unsigned char *)error->text; *c; c++) ALWAYS(*c >= 0x20 && *c != 0x7f);
}

static void check_reading(const mass_reduction_text *w)
{
    const char *operation = w->operation == MASS_SUM ? "sum" : w->operation == MASS_MEAN ? "mean"
                          : w->operation == MASS_MIN ? "min" : w->operation == MASS_MAX ? "max" : "hist";
    char text[600], component[16] = "", bins[100] = "";
    if (w->indexed) snprintf(component, sizeof component, "[%u]", w->component);
    if (w->operation == MASS_HISTOGRAM) snprintf(bins, sizeof bins, ",%u,%.17g,%.17g", w->bins, w->low, w->high);
    snprintf(text, sizeof text, "%s=%s(%s%s%s%s%s)", w->name, operation, w->owner, w->owner[0] ? "." : "", w->attribute,
             component, bins);
    mass_reduction_text again;
    mass_error error = {0};
    ALWAYS(mass_reduction_parse(text, &again, &error) == MASS_OK);
    ALWAYS(strcmp(again.name, w->name) == 0 && strcmp(again.owner, w->owner) == 0 &&
           strcmp(again.attribute, w->attribute) == 0);
    ALWAYS(again.operation == w->operation && again.indexed == w->indexed && again.component == w->component);
    ALWAYS(again.bins == w->bins && again.low == w->low && again.high == w->high);
}

static void check_adding(const char *text, const mass_reduction_text *w)
{
    mass_model m = make_model();
    mass_error error = {0};
    if (mass_model_add_reduction_text(&m, text, &error) == MASS_OK) {
        const mass_phase_def *p = &m.phases[m.phase_count - 1];
        ALWAYS(mass_model_find_tally(&m, w->name) >= 0 && m.phase_count == 1);
        for (uint32_t i = 0; i < p->callback->field_count; i++)
            ALWAYS(p->targets[i].index < (mass_access_is_tally(p->targets[i].access) ? m.tally_count
                                          : p->targets[i].access == MASS_PARAM ? mass_model_reduction_values(&m)
                                          : m.array_count));
    } else ALWAYS(error.status == MASS_BAD_USAGE && strncmp(error.text, "--tally ", 8) == 0);
    mass_model_free(&m);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mass_reduction_text w;
    mass_error error = {0};
    char *text = malloc(size + 1);
    memcpy(text, bytes, size);
    text[size] = '\0';
    if (mass_reduction_parse(text, &w, &error) == MASS_OK) {
        check_reading(&w);
        check_adding(text, &w);
    } else check_refusal(text, &error);
    free(text);
    return 0;
}
