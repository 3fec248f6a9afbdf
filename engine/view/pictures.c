/* SPDX-License-Identifier: Apache-2.0 */
#include "view/pictures.h"
#include "io/picture/picture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Colours from dark to light, evenly to the eye and also in grey: Viridis, by S. van der Walt and N. Smith, 16 of its
 * colours. */
static const uint32_t colours[] = {0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e, 0x2a788e, 0x23888e,
                                   0x1f988b, 0x22a884, 0x35b779, 0x54c568, 0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};
enum { COLOURS = sizeof colours / sizeof *colours };

/* Finds the range of an attribute's values. Returns false if it is not known beforehand; then *low and *high are only
 * to begin with. */
static bool find_range(const mass_attribute_def *a, double *low, double *high)
{
    *low = 0;
    *high = 1;
    if (a->type == MASS_BIT) return true;
    if (!a->ranged && a->name_count > 1) {
        *low = a->first_name;
        *high = a->first_name + a->name_count - 1;
        return true;
    }
    if (!a->ranged || !isfinite(a->least) || !isfinite(a->most) || !(a->least < a->most)) return false;
    *low = a->least;
    *high = a->most;
    return isfinite(*high - *low);
}

/* Adds a picture of one component of an attribute, with the default colours. to->list must have room. */
static mass_status add_attribute(const mass_model *m, uint32_t index, uint32_t component, mass_view_pictures *to,
                                 mass_error *error)
{
    const mass_attribute_def *a = &m->attributes[index];
    mass_view_picture *p = &to->list[to->count++];
    double low, high;
    *p = (mass_view_picture){.attribute = index, .component = component, .space = a->space};
    p->ranged = find_range(a, &low, &high);
    const int used = snprintf(p->label, sizeof p->label, "%s.%s", m->spaces[a->space].name, a->name);
    if (a->length > 1) snprintf(p->label + used, sizeof p->label - (size_t)used, "[%u]", component);
    return mass_palette_make(&p->palette, low, high, colours, COLOURS, error);
}

/* Adds the picture that the plugin declares, if it declares one. */
static mass_status add_declared(const mass_model *m, mass_view_pictures *to, mass_error *error)
{
    if (!m->picture.declared) return MASS_OK;
    mass_view_picture *p = &to->list[to->count++];
    const mass_attribute_def *a = &m->attributes[m->picture.attribute];
    *p = (mass_view_picture){.declared = true, .attribute = m->picture.attribute, .component = m->picture.component,
                             .space = a->space, .ranged = true};
    const int used = snprintf(p->label, sizeof p->label, "%s.%s", m->spaces[a->space].name, a->name);
    if (a->length > 1) snprintf(p->label + used, sizeof p->label - (size_t)used, "[%u]", p->component);
    return mass_picture_palette(m, &p->palette, error);
}

/* Returns whether an attribute is of places and part of the state. */
static bool can_be_seen(const mass_attribute_def *a)
{
    return a->population < 0 && !a->derived && !a->streamed && mass_type_size(a->type) > 0;
}

mass_status mass_view_pictures_create(const mass_model *m, mass_view_pictures *out, mass_error *error)
{
    mass_view_pictures made = {.list = calloc(MASS_VIEW_PICTURES_MOST, sizeof *made.list)};
    if (!made.list) return mass_error_memory(error, MASS_VIEW_PICTURES_MOST * sizeof *made.list, "--view");
    mass_status status = add_declared(m, &made, error);
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++)
        for (uint32_t k = 0; status == MASS_OK && k < m->attributes[i].length && can_be_seen(&m->attributes[i]); k++)
            if (made.count < MASS_VIEW_PICTURES_MOST) status = add_attribute(m, i, k, &made, error);
    if (status == MASS_OK) *out = made;
    else mass_view_pictures_free(&made);
    return status;
}

void mass_view_pictures_free(mass_view_pictures *p)
{
    free(p->list);
    *p = (mass_view_pictures){0};
}
