/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/faults.h"
#include "process/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds a copy of a sentence. Returns false if memory is short; the caller then prints it. */
static bool keep(mass_faults *f, const char *text)
{
    char **const longer = realloc(f->texts, (f->count + 1) * sizeof *longer);
    if (longer) f->texts = longer;
    char *const copy = longer ? strdup(text) : NULL;
    if (copy) f->texts[f->count++] = copy;
    return copy != NULL;
}

void mass_faults_add(void *faults, const char *text)
{
    mass_faults *f = faults;
    if (!keep(f, text) || !f->strict) mass_progress_say("mass-engine: %s", text);
}

void mass_faults_note(mass_faults *f, const char *text)
{
    if (!keep(f, text)) mass_progress_say("mass-engine: memory is short: --json lacks the fault that follows");
}

mass_status mass_faults_check(const mass_faults *f, mass_error *error)
{
    char more[80] = "";
    if (!f->strict || f->count == 0) return MASS_OK;
    if (f->count > 1) snprintf(more, sizeof more, "; without --strict, a run reports %zu more", f->count - 1);
    return mass_error_set(error, MASS_BAD_PLUGIN, "%s%s", f->texts[0], more);
}

void mass_faults_free(mass_faults *f)
{
    for (size_t i = 0; i < f->count; i++) free(f->texts[i]);
    free(f->texts);
    *f = (mass_faults){0};
}
