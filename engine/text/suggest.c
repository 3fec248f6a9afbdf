/* SPDX-License-Identifier: Apache-2.0 */
#include "text/suggest.h"
#include "text/spelling.h"

#include <stdio.h>
#include <string.h>

/* Copies `say` to `out` if `name` is the closest name so far, as which *nearest then has it. */
static void try(mass_spelling *nearest, const char *name, const char *say, char out[MASS_SUGGESTION_SIZE])
{
    const size_t before = nearest->distance;
    mass_spelling_try(nearest, name);
    if (nearest->distance < before) snprintf(out, MASS_SUGGESTION_SIZE, "%s", say);
}

const char *mass_suggest_tally(const mass_model *m, const char *name, char out[MASS_SUGGESTION_SIZE])
{
    static const char *const counts[] = {"alive", "born", "died", "unborn"};
    mass_spelling nearest = mass_spelling_to(name);
    char count[MASS_SUGGESTION_SIZE];
    out[0] = '\0';
    for (uint32_t i = 0; i < m->tally_count; i++)
        if (!m->tallies[i].hidden) try(&nearest, m->tallies[i].name, m->tallies[i].name, out);
    for (uint32_t i = 0; i < m->population_count; i++) {
        const mass_population_def *p = &m->populations[i];
        const int tallies[] = {p->alive, p->born, p->died, p->unborn};
        for (int k = 0; k < 4; k++) {
            snprintf(count, sizeof count, "%s.%s", p->name, counts[k]);
            if (tallies[k] >= 0) try(&nearest, count, count, out);
        }
    }
    try(&nearest, "step", "step", out);
    try(&nearest, "steady", "steady", out);
    return out;
}

const mass_attribute_def *mass_suggestion_attribute(const mass_model *m, const char *suggestion)
{
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        char full[MASS_SUGGESTION_SIZE];
        snprintf(full, sizeof full, "%s.%s", mass_owner_name(m, a), a->name);
        if (strcmp(full, suggestion) == 0 || (a->population < 0 && a->space == 0 && strcmp(a->name, suggestion) == 0))
            return a;
    }
    return NULL;
}

const char *mass_suggest_attribute(const mass_model *m, const char *name, bool agents, char out[MASS_SUGGESTION_SIZE])
{
    const bool owned = strchr(name, '.') != NULL;
    mass_spelling nearest = mass_spelling_to(name);
    out[0] = '\0';
    for (uint32_t i = 0; i < m->attribute_count; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        char full[MASS_SUGGESTION_SIZE];
        snprintf(full, sizeof full, "%s.%s", mass_owner_name(m, a), a->name);
        if (a->population < 0 || agents)
            try(&nearest, owned ? full : a->name, owned || a->population >= 0 || a->space ? full : a->name, out);
    }
    return out;
}
