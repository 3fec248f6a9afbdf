/* SPDX-License-Identifier: Apache-2.0 */
#include "model/list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t mass_list_count(const char *text)
{
    uint64_t count = text[0] != '\0';
    for (; *text; text++) count += *text == ',';
    return count;
}

void mass_list_values(const mass_parameter_slot *slot, const char *text, uint64_t *to)
{
    char *at = (char *)(uintptr_t)text;
    for (uint64_t i = 0, count = mass_list_count(text); i < count; i++) {
        const double real = slot->list == MASS_REAL ? strtod(at, &at) : 0;
        if (slot->list == MASS_REAL) memcpy(&to[i], &real, sizeof real);
        else to[i] = (uint64_t)strtoll(at, &at, 10);
        at += *at == ',';
    }
}

mass_status mass_list_meet(mass_parameter_slot *slot, const char *text, uint64_t *out, mass_error *error)
{
    uint64_t count = 0;
    for (; slot->choices && slot->choices[count]; count++)
        if (strcmp(slot->choices[count], text) == 0) return *out = count, MASS_OK;
    char **larger = realloc(slot->choices, (count + 2) * sizeof *larger);
    if (!larger) return mass_error_memory(error, (count + 2) * sizeof *larger, "a list");
    slot->choices = larger;
    slot->choices[count + 1] = NULL;
    slot->choices[count] = strdup(text);
    *out = count;
    return slot->choices[count] ? MASS_OK : mass_error_memory(error, strlen(text), "a list");
}

void mass_list_free(mass_parameter_slot *slot)
{
    for (uint64_t i = 0; slot->choices && slot->choices[i]; i++) free(slot->choices[i]);
    free(slot->choices);
    slot->choices = NULL;
}

void mass_list_take(mass_parameter_slot *slot, mass_parameter_slot *from)
{
    mass_list_free(slot);
    slot->choices = from->choices;
    from->choices = NULL;
}

const char *mass_list_text_in(const mass_parameter_slot *slot, int32_t world)
{
    return slot->swept ? slot->choices[slot->swept[world]] : slot->text;
}

uint64_t mass_list_words(const mass_parameter_slot *slot) { return slot->list ? 1 + slot->length : 0; }

uint64_t mass_list_words_before(const mass_parameters *list, uint32_t slot)
{
    uint64_t words = 0;
    for (uint32_t i = 0; i < slot; i++) words += mass_list_words(&list->slots[i]);
    return words;
}

const char *mass_list_show(const char *text, char out[MASS_LIST_SHOWN])
{
    const size_t most = MASS_LIST_SHOWN - 40;
    size_t end = strlen(text);
    if (end > most)
        for (end = most; text[end] != ','; end--) continue;
    snprintf(out, MASS_LIST_SHOWN, "%.*s", (int)end, text);
    if (text[end]) snprintf(out + end, MASS_LIST_SHOWN - end, ",... (%" PRIu64 " values)", mass_list_count(text));
    return out;
}
