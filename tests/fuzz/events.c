/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a table of events. The reader refuses them in one line with the line's number. Or it gives values that
 * places of the model can have, in ascending steps. A table that is written from these values gives them again. The
 * first byte chooses worlds. */
#include "harness.h"
#include "io/input/events.h"

#include <string.h>

static mass_model make_model(void)
{
    mass_model m = {.plugin = "folk"};
    mass_error e = {0};
    mass_model_add_space(&m, &(mass_space){.name = "grid", .dimensions_min = 3, .dimensions_max = 3, .size = {4, 3, 2}},
                         NULL, 0, &e);
    static const struct { const char *name; uint32_t type, length; double least, most; } attributes[] = {
        {"a", MASS_I8, 1, -5, 5}, {"b", MASS_U16, 2, 0, 0}, {"c", MASS_F32, 1, 0, 0}, {"d", MASS_U64, 1, 0, 0},
        {"e", MASS_I64, 1, 0, 0}, {"f", MASS_F64, 3, 0, 1}, {"g", MASS_BIT, 1, 0, 0}};
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
        mass_model_add_attribute(&m, &(mass_attribute){.space = "grid", .name = attributes[i].name,
                                     .type = attributes[i].type, .length = attributes[i].length,
                                     .least = attributes[i].least, .most = attributes[i].most}, &e);
    ALWAYS(e.status == MASS_OK);
    return m;
}

static void check(const mass_events_of *of, const mass_events *e)
{
    mass_error error = {0};
    for (size_t i = 0; i < e->count; i++) {
        const mass_event *one = &e->list[i];
        const mass_attribute_def *a = &of->model->attributes[one->attribute];
        mass_event again = *one;
        ALWAYS(mass_event_place(of, one, &error) == MASS_OK && one->component < a->length);
        ALWAYS(mass_event_value(of->model, mass_number_at(a->type, one->value), &again, &error) == MASS_OK);
        ALWAYS(i == 0 || one->step >= e->list[i - 1].step);
    }
}

static void check_text(const mass_events_of *of, const mass_events *e)
{
    size_t size;
    mass_events again;
    mass_error error = {0};
    char *text = mass_events_text(of, e, &size);
    ALWAYS(text && mass_events_parse(of, "f", text, size, &again, &error) == MASS_OK && again.count == e->count);
    for (size_t i = 0; i < e->count; i++) {
        const mass_event *a = &e->list[i], *b = &again.list[i];
        ALWAYS(a->step == b->step && a->attribute == b->attribute && a->component == b->component);
        ALWAYS(a->world == b->world && memcmp(a->at, b->at, sizeof a->at) == 0);
        ALWAYS(memcmp(a->value, b->value, of->model->attributes[a->attribute].component_size) == 0);
    }
    mass_events_free(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0) return 0;
    mass_model m = make_model();
    const mass_events_of of = {&m, 1 + bytes[0] % 4, bytes[0] / 4 % 4};
    mass_events events;
    mass_error error = {0};
    const mass_status status = mass_events_parse(&of, "f", (const char *)bytes + 1, size - 1, &events, &error);
    ALWAYS(status == error.status && (status == MASS_OK || status == MASS_BAD_INPUT));
    if (status == MASS_OK) {
        check(&of, &events);
        check_text(&of, &events);
    } else ALWAYS_ONE_LINE(error.text);
    mass_events_free(&events);
    mass_model_free(&m);
    return 0;
}
