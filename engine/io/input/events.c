/* SPDX-License-Identifier: Apache-2.0 */
#include "io/input/events.h"
#include "model/range.h"
#include "state/box.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 2 * MASS_NAME_SIZE + 16, RUN_MOST = 4096 /* most places along x in one write */ };

/* ---- one event ---- */

bool mass_event_suits(const mass_attribute_def *a)
{
    return a->population < 0 && !a->derived && !a->streamed && mass_type_size(a->type) > 0;
}

/* Writes a name such as "grid.velocity[1]". */
static void put_name(const mass_model *m, const mass_attribute_def *a, uint32_t component, char out[NAME_BYTES])
{
    const int used = snprintf(out, NAME_BYTES, "%s.%s", m->spaces[a->space].name, a->name);
    if (a->length > 1) snprintf(out + used, NAME_BYTES - (size_t)used, "[%u]", component);
}

/* Returns true if the name is SPACE.ATTRIBUTE of this component; in the first space, ATTRIBUTE alone suffices. */
static bool is_name(const mass_model *m, const mass_attribute_def *a, uint32_t component, const char *name)
{
    char full[NAME_BYTES];
    put_name(m, a, component, full);
    return strcmp(name, full) == 0 || (a->space == 0 && strcmp(name, strchr(full, '.') + 1) == 0);
}

/* Refuses a name that no attribute of places has, and lists those that events can set. */
static mass_status refuse_name(const mass_model *m, const char *name, mass_error *error)
{
    char list[400] = "", one[NAME_BYTES];
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const size_t used = strlen(list);
        if (!mass_event_suits(&m->attributes[i])) continue;
        put_name(m, &m->attributes[i], 0, one);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", one);
    }
    return mass_error_set(error, MASS_BAD_USAGE, "there is no attribute of places %.200s; %s has %s", name, m->plugin,
                          list[0] ? list : "none");
}

mass_status mass_event_name(const mass_model *m, const char *name, mass_event *e, mass_error *error)
{
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        for (uint32_t k = 0; mass_event_suits(a) && k < a->length; k++) {
            if (!is_name(m, a, k, name)) continue;
            e->attribute = i;
            e->component = k;
            return MASS_OK;
        }
    }
    return refuse_name(m, name, error);
}

mass_status mass_event_value(const mass_model *m, mass_number value, mass_event *e, mass_error *error)
{
    const mass_attribute_def *a = &m->attributes[e->attribute];
    char shown[MASS_NUMBER_SIZE], range[MASS_RANGE_TEXT];
    const bool fits = mass_number_is_real(a->type) ? mass_number_store(a->type, value, e->value)
                                                   : mass_number_store_exactly(a->type, value, e->value);
    if (!fits)
        return mass_error_set(error, MASS_BAD_USAGE, "attribute %s cannot have the value %s: it is of type %s", a->name,
                              mass_number_show(value, shown), mass_type_name(a->type));
    if (mass_range_find(a, e->value, 1) == 1) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "attribute %s cannot have the value %s: it is %s", a->name,
                          mass_number_show(value, shown), mass_range_show(a, range));
}

mass_status mass_event_place(const mass_events_of *of, const mass_event *e, mass_error *error)
{
    const mass_space_def *s = &of->model->spaces[of->model->attributes[e->attribute].space];
    if (e->world < 0 || e->world >= of->worlds)
        return mass_error_set(error, MASS_BAD_USAGE, "there is no world %" PRId64,
                              (int64_t)of->first_world + e->world);
    for (int k = 0; k < 3; k++)
        if (e->at[k] < 0 || e->at[k] >= s->size[k])
            return mass_error_set(error, MASS_BAD_USAGE, "there is no place (%" PRId64 ", %" PRId64 ", %" PRId64 ") in "
                                  "space %s", e->at[0], e->at[1], e->at[2], s->name);
    return MASS_OK;
}

/* ---- lists ---- */

mass_status mass_events_insert(mass_events *e, size_t at, const mass_event *more, size_t count, mass_error *error)
{
    if (count > MASS_EVENTS_MOST - e->count)
        return mass_error_set(error, MASS_BAD_USAGE, "a run has at most %d events", MASS_EVENTS_MOST);
    mass_event *larger = realloc(e->list, (e->count + count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(error, (e->count + count + 1) * sizeof *larger, "events");
    memmove(larger + at + count, larger + at, (e->count - at) * sizeof *larger);
    if (count) memcpy(larger + at, more, count * sizeof *larger);
    e->list = larger;
    e->count += count;
    return MASS_OK;
}

void mass_events_free(mass_events *e)
{
    free(e->list);
    *e = (mass_events){0};
}

/* ---- application ---- */

/* Returns how many events, from the first on, are for adjacent places along x. */
static size_t run_length(const mass_event *list, size_t count)
{
    size_t n = 1;
    for (; n < count && n < RUN_MOST; n++) {
        const mass_event *a = &list[0], *b = &list[n];
        if (b->attribute != a->attribute || b->component != a->component || b->world != a->world ||
            b->at[0] != a->at[0] + (mass_gidx)n || b->at[1] != a->at[1] || b->at[2] != a->at[2])
            break;
    }
    return n;
}

/* Writes values to adjacent places, on the ranks that hold them. For an attribute of several components, reads and
 * keeps the others. bytes: room for the places' elements. */
static mass_status apply_run(const mass_event *list, size_t count, mass_domain *d, char *bytes, mass_error *error)
{
    const mass_event *e = &list[0];
    const mass_attribute_def *a = &d->model->attributes[e->attribute];
    const size_t element = mass_element_size(a);
    const mass_gidx extent[3] = {(mass_gidx)count, 1, 1};
    mass_status status = MASS_OK;
    if (a->length > 1) status = mass_domain_read(d, e->attribute, e->world, e->at, extent, bytes, error);
    for (size_t i = 0; i < count; i++)
        memcpy(bytes + i * element + e->component * a->component_size, list[i].value, a->component_size);
    return status == MASS_OK ? mass_domain_write(d, e->attribute, e->world, e->at, extent, bytes, error) : status;
}

mass_status mass_events_apply(const mass_event *list, size_t count, mass_domain *d, mass_error *error)
{
    mass_status status = MASS_OK;
    for (size_t i = 0, n; status == MASS_OK && i < count; i += n) {
        n = run_length(list + i, count - i);
        const size_t bytes = n * mass_element_size(&d->model->attributes[list[i].attribute]);
        char *data = malloc(bytes);
        if (!data) return mass_error_memory(error, bytes, "events");
        status = apply_run(list + i, n, d, data, error);
        free(data);
    }
    return status;
}
