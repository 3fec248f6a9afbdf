/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the forms of a callback that this machine runs. */
#include "device/cpu/rule.h"
#include "rule/rule.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the callback's form of this kind, with these flags (MASS_FORM_PUSHES aside) and the widest instruction set up
 * to `isa`, or NULL. */
static const mass_form *find_loop(const mass_callback *c, uint32_t id, uint32_t isa, uint32_t flags)
{
    const mass_form *best = NULL;
    for (uint32_t i = 0; i < c->form_count; i++) {
        const mass_form *f = &c->forms[i];
        if (f->id == id && f->isa <= isa && (f->flags & ~MASS_FORM_PUSHES) == flags &&
            f->steps == 1 && f->element_bits == 0 && f->loop && (!best || f->isa > best->isa))
            best = f;
    }
    return best;
}

/* Finds the callback's loops for this CPU, with tallies and without. The device owns *out. */
mass_status mass_cpu_prepare(mass_device *device, const mass_callback *callback, const void *device_code,
                             mass_prepared **out, mass_error *error)
{
    (void)device_code;
    mass_cpu *cpu = (mass_cpu *)device;
    mass_prepared *p = calloc(1, sizeof *p);
    mass_thread_tuner *tuner = calloc(MASS_PACES, sizeof *tuner);
    if (!p || !tuner) {
        free(p);
        free(tuner);
        return mass_error_memory(error, sizeof *p + MASS_PACES * sizeof *tuner, "a callback");
    }
    *p = (mass_prepared){cpu->prepared, callback, find_loop(callback, MASS_FORM_LOOP, cpu->isa, 0),
                         find_loop(callback, MASS_FORM_LOOP, cpu->isa, MASS_FORM_TALLIES),
                         {find_loop(callback, MASS_FORM_CHECKED, cpu->isa, 0),
                          find_loop(callback, MASS_FORM_CHECKED, cpu->isa, MASS_FORM_TALLIES)}, tuner, NULL};
    if (!p->quiet || !p->tally) {
        free(tuner);
        free(p);
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s has no form that this CPU runs", callback->name);
    }
    cpu->prepared = p;
    *out = p;
    return MASS_OK;
}

/* Writes the rule or the number of rules for people. */
static void put_rules(const mass_world_rules *rules, char *text, size_t size)
{
    if (rules->count == 1) mass_rule_text(rules->list[0], text, size);
    else snprintf(text, size, "%u rules by world", rules->count);
}

/* Writes which instruction set and which rule a launch uses, and whether it is checked. */
void mass_cpu_form(mass_device *device, const mass_work *work, char text[MASS_FORM_TEXT])
{
    const mass_prepared *p = work->prepared;
    const bool checked = device->table == &mass_paranoid_table && p->checked[work->tallies];
    const mass_form *form = checked ? p->checked[work->tallies] : work->tallies ? p->tally : p->quiet;
    char rule[MASS_RULE_TEXT] = "";
    if (!checked && mass_cpu_follows(work)) put_rules(mass_cpu_rules_of(p), rule, sizeof rule);
    snprintf(text, MASS_FORM_TEXT, "%s%s%s%s", mass_cpu_isa_name(form->isa), checked ? ", checked" : "",
             *rule ? ", " : "", rule);
}
