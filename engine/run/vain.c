/* SPDX-License-Identifier: Apache-2.0 */
#include "run/vain.h"
#include "process/progress.h"

#include <stdlib.h>

enum { HAPPENED = 1, SAID = 2 }; /* in mass_stray.vain */

/* Whether another phase of the same callback has said it, or is going to. */
static bool is_said(const mass_model *m, const mass_stray *strays, uint32_t phase, int kind)
{
    for (uint32_t i = 0; i < m->phase_count; i++)
        if (m->phases[i].declared == m->phases[phase].declared &&
            (strays[i].vain[kind] == SAID || (i < phase && strays[i].vain[kind] == HAPPENED)))
            return true;
    return false;
}

static void say_of_callback(const char *callback, const char *population, int kind)
{
    switch (kind) {
    case MASS_VAIN_CHILDREN:
        mass_progress_say("mass-engine: callback %s asks for children by SPAWN, and none are born: population %s "
                          "declares no .children", callback, population);
        break;
    case MASS_VAIN_EDGE:
        mass_progress_say("mass-engine: callback %s asks by CHILD_TO for places over the edge of the space, where no "
                          "child of population %s is born: let it ask EXISTS first", callback, population);
        break;
    case MASS_VAIN_DRAW:
        mass_progress_say("mass-engine: callback %s asks for draws that there are not, and gets those of others: "
                          "RANDOM has 0 to 65535, SHUFFLED begins at 65528 at the latest", callback);
        break;
    default: break;
    }
}

static void say(const mass_model *m, const mass_stray *strays)
{
    for (uint32_t i = 0; i < m->phase_count; i++) {
        const mass_phase_def *p = &m->phases[i];
        const char *population = p->population >= 0 ? m->populations[p->population].name : "";
        for (int k = 0; p->callback && k < MASS_VAIN_KINDS; k++)
            if (strays[i].vain[k] == HAPPENED && !is_said(m, strays, i, k))
                say_of_callback(p->callback->name, population, k);
    }
    for (uint32_t i = 0; i < m->population_count; i++)
        if (strays[m->phase_count + i].vain[MASS_VAIN_REQUEST] == HAPPENED)
            mass_progress_say("mass-engine: agents of population %s ask to move, to have children or to die, and no "
                              "manage carries it out: declare one after the callbacks that ask",
                              m->populations[i].name);
}

mass_status mass_vain_say(mass_domain *d, mass_error *error)
{
    const size_t count = mass_domain_diagnostic_count(d), bytes = count * sizeof(mass_stray);
    mass_stray *strays = malloc(bytes + 1);
    if (!strays) return mass_error_memory(error, bytes, "the run");
    bool news = false;
    mass_status status = mass_buffer_download(d->diagnostics, strays, bytes, error);
    if (status == MASS_OK) say(d->model, strays);
    for (size_t i = 0; status == MASS_OK && i < count; i++)
        for (int k = 0; k < MASS_VAIN_KINDS; k++) {
            news |= strays[i].vain[k] == HAPPENED;
            if (strays[i].vain[k]) strays[i].vain[k] = SAID;
        }
    if (status == MASS_OK && news) status = mass_buffer_upload(d->diagnostics, strays, bytes, error);
    free(strays);
    return status;
}
