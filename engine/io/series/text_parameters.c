/* SPDX-License-Identifier: Apache-2.0 */
#include "io/series/text_parameters.h"

#include <string.h>

void mass_series_text_put_names(FILE *to, const mass_series_set *set)
{
    char name[MASS_SERIES_FULL_NAME];
    for (uint32_t i = 0; i < set->parameters.count; i++) {
        mass_series_parameter_name(set, &set->parameters.slots[i], name);
        fprintf(to, ",%s", name);
    }
}

/* Prints a field, in quotes only if it needs them, with the quotes in it doubled. */
static void put_field(FILE *to, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"') fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

/* Prints a text in quotes, escaped for JSON. */
static void put_json_text(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', to);
        if ((unsigned char)*text < 0x20) fprintf(to, "\\u%04x", *text);
        else fputc(*text, to);
    }
    fputc('"', to);
}

void mass_series_text_put_values(FILE *to, const mass_series_set *set, int32_t world)
{
    char value[64];
    for (uint32_t i = 0; i < set->parameters.count; i++) {
        fputc(',', to);
        put_field(to, mass_swept_value(&set->parameters.slots[i], world, value));
    }
}

void mass_series_text_put_lists(FILE *to, const mass_series_set *set)
{
    char name[MASS_SERIES_FULL_NAME], value[64];
    for (uint32_t i = 0; i < set->parameters.count; i++) {
        const mass_parameter_slot *slot = &set->parameters.slots[i];
        mass_series_parameter_name(set, slot, name);
        fprintf(to, ", \"%s\": %s", name, set->worlds > 1 ? "[" : "");
        for (int32_t w = 0; w < set->worlds; w++) {
            const char *text = mass_swept_value(slot, w, value);
            if (w > 0) fputs(", ", to);
            if (slot->type == MASS_CHOICE) put_json_text(to, text);
            else fputs(text, to);
        }
        if (set->worlds > 1) fputc(']', to);
    }
}
