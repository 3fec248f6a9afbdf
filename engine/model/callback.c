/* SPDX-License-Identifier: Apache-2.0 */
#include "model/callback.h"
#include "model/parameter.h"
#include "base/sized.h"

#include <stdlib.h>

enum { FIELDS_MOST = 256, FORMS_MOST = 256 };

static const mass_sized sized_callback = {"callback", sizeof(mass_callback), MASS_THROUGH(mass_callback, forms)};
static const mass_sized sized_field = {"field", sizeof(mass_field), sizeof(mass_field)};
static const mass_sized sized_form = {"form", sizeof(mass_form), MASS_THROUGH(mass_form, element_bits)};

/* Returns the count of a list; 0 if the list is NULL or longer than `most`. */
static uint32_t counted(uint32_t count, uint32_t most, const void *list) { return list && count <= most ? count : 0; }

mass_callback *mass_callback_take(const mass_callback *theirs, mass_error *error)
{
    mass_callback c;
    if (!theirs || !mass_sized_fits(&sized_callback, theirs->struct_size) ||
        mass_sized_take(&sized_callback, &c, theirs, theirs->struct_size, error) != MASS_OK ||
        !mass_name_valid(c.name) || !mass_sized_fits(&sized_field, c.field_size) ||
        !mass_sized_fits(&sized_form, c.form_size))
        return NULL;
    const uint32_t fields = counted(c.field_count, FIELDS_MOST, c.fields);
    const uint32_t forms = counted(c.form_count, FORMS_MOST, c.forms);
    mass_callback *own = calloc(1, sizeof *own + fields * sizeof(mass_field) + forms * sizeof(mass_form));
    if (!own) {
        mass_error_memory(error, sizeof *own, "a declaration");
        return NULL;
    }
    mass_field *own_fields = (mass_field *)(own + 1);
    mass_form *own_forms = (mass_form *)(own_fields + fields);
    if (mass_sized_take_all(&sized_field, own_fields, c.fields, c.field_size, fields, error) != MASS_OK ||
        mass_sized_take_all(&sized_form, own_forms, c.forms, c.form_size, forms, error) != MASS_OK) {
        free(own);
        return NULL;
    }
    *own = c;
    own->struct_size = sizeof *own;
    own->field_count = c.field_count, own->field_size = sizeof *own_fields, own->fields = fields ? own_fields : NULL;
    own->form_count = forms, own->form_size = sizeof *own_forms, own->forms = forms ? own_forms : NULL;
    return own;
}
