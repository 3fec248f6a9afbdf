/* SPDX-License-Identifier: Apache-2.0 */
#include "plugin/services.h"
#include "base/floats.h"
#include "process/crash.h"
#include "process/standard.h"
#include "text/parameter.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records a plugin's own error. A status that plugins may not return becomes MASS_BAD_PLUGIN. */
static mass_status fail(mass_host *host, mass_status status, const char *format, ...)
{
    char text[900];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (status != MASS_BAD_USAGE && status != MASS_BAD_INPUT && status != MASS_FAILED) status = MASS_BAD_PLUGIN;
    return mass_error_set(self(host)->error, status, "%s", text);
}

/* Returns a table of the host's functions, or NULL if this engine does not have it. */
static const void *find_service(const char *id)
{
    if (strcmp(id, MASS_KEYS_ID) == 0) return &mass_host_keys_table;
    if (strcmp(id, MASS_NETWORKS_ID) == 0) return &mass_host_networks_table;
    if (strcmp(id, MASS_STREAMS_ID) == 0) return &mass_host_streams_table;
    if (strcmp(id, MASS_TALLIES_ID) == 0) return &mass_host_tallies_table;
    if (strcmp(id, MASS_SERIES_ID) == 0) return &mass_host_series_table;
    if (strcmp(id, MASS_REDUCTIONS_ID) == 0) return &mass_host_reductions_table;
    if (strcmp(id, MASS_SEED_ID) == 0) return &mass_host_seed_table;
    if (strcmp(id, MASS_AGENTS_ID) == 0) return &mass_host_agents_table;
    if (strcmp(id, MASS_PLACING_ID) == 0) return &mass_host_placing_table;
    if (strcmp(id, MASS_DECLARE_ID) == 0) return &mass_host_declare_table;
    if (strcmp(id, MASS_VALUES_ID) == 0) return &mass_host_values_table;
    if (strcmp(id, MASS_RUN_ID) == 0) return &mass_host_run_table;
    return NULL;
}

/* Returns the table of a service for the plugin; NULL: the engine does not have it. */
static const void *service(mass_host *host, const char *id)
{
    (void)host;
    return id ? find_service(id) : NULL;
}

/* ---- calls into the plugin ---- */

mass_status mass_host_conclude(mass_engine_host *h, const char *call, mass_status returned, mass_error *inner,
                               mass_error *error)
{
    h->error = NULL;
    if (inner->status == MASS_OK && returned != MASS_OK)
        mass_error_set(inner, MASS_BAD_PLUGIN, "its %s failed with status %d and said nothing", call, (int)returned);
    if (inner->status == MASS_OK) return MASS_OK;
    return mass_error_set(error, inner->status, "%s: %s", h->model->plugin, inner->text);
}

mass_status mass_host_refuse_setting(const mass_setting *s, const mass_error *why, mass_error *error)
{
    return mass_error_set(error, why->status, "%s%s%s", s->where ? s->where : "", s->where ? ": " : "", why->text);
}

/* Returns whether a model has a parameter that a user can set; if the run is resumed, constants are such, too. */
static bool has_parameter(const mass_model *m, const char *name, bool resumed)
{
    const mass_parameter_slot *found = mass_parameters_find(&m->parameters, name);
    return found && (!found->constant || resumed);
}

/* Refuses a setting that the model does not have, with a hint at the most similar parameter. */
static mass_status refuse_name(const mass_model *m, const mass_setting *s, mass_error *error)
{
    char names[600] = "";
    for (uint32_t k = 0; k < m->parameters.count; k++) {
        const size_t used = strlen(names);
        if (!m->parameters.slots[k].constant)
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", m->parameters.slots[k].name);
    }
    mass_error why = {0};
    const char *meant = mass_parameters_nearest(&m->parameters, s->name);
    if (meant)
        mass_error_set(&why, MASS_BAD_USAGE, "there is no parameter '%s'; did you mean '%s'? It has %s", s->name, meant,
                       names);
    else
        mass_error_set(&why, MASS_BAD_USAGE, "there is no parameter '%s'; it has %s", s->name,
                       names[0] ? names : "none");
    return mass_host_refuse_setting(s, &why, error);
}

/* Refuses settings that the model does not have; and constants, unless the run is resumed. */
static mass_status check_settings(const mass_model *m, const mass_opening *o, mass_error *error)
{
    for (uint32_t i = 0; i < o->setting_count; i++)
        if (!has_parameter(m, o->settings[i].name, o->resumed)) return refuse_name(m, &o->settings[i], error);
    return MASS_OK;
}

/* Checks that the plugin has an open function, and that the engine has the services that it needs. */
static mass_status check_entry(const mass_plugin *p, mass_error *error)
{
    for (const char *const *id = p->services; id && *id; id++)
        if (!find_service(*id))
            return mass_error_set(error, MASS_BAD_PLUGIN, "it needs service '%s', which this engine does not have",
                                  *id);
    return p->open ? MASS_OK : mass_error_set(error, MASS_BAD_PLUGIN, "it has no open function");
}

/* Sets *error if a population starts with the agents of a load that the plugin lacks. */
static void check_load(const mass_plugin *plugin, const mass_model *m, mass_error *error)
{
    for (uint32_t i = 0; !plugin->load && i < m->population_count; i++)
        if (m->populations[i].initial == MASS_BY_LOAD)
            mass_error_set(error, MASS_BAD_PLUGIN, "population %s starts with the agents that load adds, and the "
                           "plugin has no load: give it MASS_PLUGIN(.load = ...)", m->populations[i].name);
}

mass_status mass_host_open(mass_engine_host *h, const mass_plugin *plugin, const mass_opening *opening,
                           mass_model *model, mass_error *error)
{
    mass_error inner = {0};
    *model = (mass_model){.default_steps = 250};
    snprintf(model->plugin, sizeof model->plugin, "%s", plugin->name);
    model->effects_size = plugin->effects_size;
    snprintf(model->version, sizeof model->version, "%s", plugin->version ? plugin->version : "");
    model->help = strdup(plugin->help ? plugin->help : "");
    *h = (mass_engine_host){.host = {sizeof(mass_host), service, fail}, .opening = opening, .model = model,
                            .error = &inner};
    mass_status status = model->help ? check_entry(plugin, &inner) : mass_error_memory(&inner, 1, "the plugin's help");
    if (status == MASS_OK) {
        mass_standard_lend();
        mass_crash_where(model->plugin, "open", MASS_NO_STEP);
        status = plugin->open(&h->host);
        mass_crash_where(model->plugin, NULL, 0);
        mass_floats_settle();
        mass_standard_take_back();
    }
    if (status == MASS_OK && inner.status == MASS_OK) check_load(plugin, model, &inner);
    h->opened = status == MASS_OK && inner.status == MASS_OK;
    if (h->opened) status = mass_host_settle_networks(h, &inner);
    if (h->opened && status == MASS_OK) status = check_settings(model, opening, &inner);
    if (status == MASS_OK && inner.status == MASS_OK) status = mass_model_resolve(model, &inner);
    return mass_host_conclude(h, "open", status, &inner, error);
}

/* Returns the first setting that neither model has; NULL: there is none. */
static const mass_setting *find_unknown(const mass_model *one, const mass_model *other, const mass_opening *o)
{
    for (uint32_t i = 0; i < o->setting_count; i++)
        if (!has_parameter(one, o->settings[i].name, false) && !has_parameter(other, o->settings[i].name, false))
            return &o->settings[i];
    return NULL;
}

bool mass_host_blame_name(const mass_engine_host *failed, const mass_plugin *plugin, const mass_opening *opening,
                          const mass_error *why, mass_error *error)
{
    const bool refused = why->status == MASS_BAD_USAGE || why->status == MASS_BAD_INPUT ||
                         why->status == MASS_BAD_PLUGIN;
    if (!refused || failed->opened || opening->resumed || !find_unknown(failed->model, failed->model, opening))
        return false;
    mass_opening plain = *opening;
    mass_engine_host host;
    mass_model model;
    mass_error ignored = {0}, inner = {0};
    plain.setting_count = 0;
    mass_host_open(&host, plugin, &plain, &model, &ignored);
    const mass_setting *s = find_unknown(failed->model, &model, opening);
    const char *meant = s ? mass_parameters_nearest(&model.parameters, s->name) : NULL;
    if (s && host.opened) {
        refuse_name(&model, s, &inner);
        mass_error_set(error, inner.status, "%s: %s", plugin->name, inner.text);
    } else if (meant)
        mass_error_set(error, why->status, "%s; it declares no parameter '%s' before that: did you mean '%s'?",
                       why->text, s->name, meant);
    mass_model_free(&model);
    return s && (host.opened || meant);
}

/* Calls load or finish of the plugin, if it has the function, for a domain at a step, which stay in *h. Meanwhile the
 * plugin has the standard streams, and a crash is reported as its own. */
static mass_status call(mass_engine_host *h, const char *name, mass_status (*function)(mass_host *),
                        mass_domain *domain, uint64_t step, mass_error *error)
{
    if (!function) return MASS_OK;
    mass_error inner = {0};
    h->domain = domain;
    h->step = step;
    h->error = &inner;
    mass_standard_lend();
    mass_crash_where(h->model->plugin, name, step);
    const mass_status status = function(&h->host);
    mass_crash_where(h->model->plugin, NULL, step);
    mass_floats_settle();
    mass_standard_take_back();
    return mass_host_conclude(h, name, status, &inner, error);
}

mass_status mass_host_load(mass_engine_host *h, const mass_plugin *plugin, mass_domain *domain, mass_error *error)
{
    mass_error inner = {0};
    h->loading = true;
    h->fitted = false;
    mass_crash_step(h->model->plugin, 0);
    mass_status status = call(h, "load", plugin->load, domain, 0, error);
    mass_crash_step(NULL, 0);
    h->loading = false;
    if (status == MASS_OK)
        status = mass_host_conclude(h, "load", mass_placed_start(h, &inner), &inner, error);
    mass_placed_free(h);
    return status;
}

mass_status mass_host_finish(mass_engine_host *h, const mass_plugin *plugin, mass_domain *domain, uint64_t step,
                             mass_error *error)
{
    const mass_status status = call(h, "finish", plugin->finish, domain, step, error);
    mass_key_list_free(&h->keys);
    return status;
}
