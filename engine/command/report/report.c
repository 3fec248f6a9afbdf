/* SPDX-License-Identifier: Apache-2.0 */
#include "command/report/report.h"
#include "base/plural.h"
#include "command/report/profile.h"
#include "command/report/report_keys.h"
#include "command/report/report_worlds.h"
#include "text/json.h"
#include "text/list.h"
#include "base/memory_stream.h"
#include "model/network.h"
#include "model/swept.h"
#include "model/value_names.h"
#include "snapshot/state_hash.h"
#include "process/progress.h"
#include "process/standard.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns a value of a tally as JSON: an integer if it is one, null if JSON has no such number. */
static json_t *value_json(const mass_tally_def *t, const int64_t *accumulators)
{
    if (t->kind == MASS_TALLY_INTEGER && !mass_tally_is_empty(t, accumulators)) return json_integer(*accumulators);
    const double value = mass_tally_value(t, accumulators);
    return isfinite(value) && !mass_tally_is_empty(t, accumulators) ? json_real(value) : json_null();
}

/* Returns a tally of one world, as an array if it has bins. */
static json_t *tally_json(const mass_tally_def *t, const int64_t *accumulators)
{
    if (t->bins == 0) return value_json(t, accumulators);
    json_t *bins = json_array();
    for (uint32_t i = 0; i < t->bins; i++) json_array_append_new(bins, value_json(t, accumulators + i));
    return bins;
}

/* Prints bins whose values have names, each with its name. Returns false if some have no name or no value, or memory is
 * short. */
static bool say_named_bins(const mass_model *m, uint32_t tally, const char *world, const int64_t *bins)
{
    const mass_tally_def *t = &m->tallies[tally];
    char *text = NULL;
    size_t size;
    for (uint32_t i = 0; i < t->bins; i++)
        if (!mass_bin_name(m, tally, i) || mass_tally_is_empty(t, &bins[i])) return false;
    FILE *to = mass_memory_stream(&text, &size);
    for (uint32_t i = 0; to && i < t->bins; i++)
        fprintf(to, "%s %s %.15g", i ? "," : "", mass_bin_name(m, tally, i), mass_tally_value(t, &bins[i]));
    const bool whole = to && fclose(to) == 0;
    if (whole) mass_progress_say("  %s%s%s", t->name, world, text);
    free(text);
    return whole;
}

/* Prints the values of a world attribute that is an array; of a long one, the first 8 and how many there are. */
static void say_values(const mass_tally_def *t, const char *world, const int64_t *values)
{
    enum { SHOWN = 8, NUMBER = 40 };
    char text[SHOWN * NUMBER + NUMBER] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < t->bins && i < SHOWN; i++) {
        const char *comma = i ? "," : "";
        if (t->kind == MASS_TALLY_INTEGER)
            used += (size_t)snprintf(text + used, NUMBER, "%s %" PRId64, comma, values[i]);
        else if (mass_tally_is_empty(t, &values[i])) used += (size_t)snprintf(text + used, NUMBER, "%s none", comma);
        else used += (size_t)snprintf(text + used, NUMBER, "%s %.6g", comma, mass_tally_value(t, &values[i]));
    }
    if (t->bins > SHOWN) snprintf(text + used, NUMBER, ", ... (%u values)", t->bins);
    mass_progress_say("  %s%s%s%s%s", t->name, world, text, t->unit[0] ? " " : "", t->unit);
}

/* Prints bins by their names, if all have one, otherwise a summary: their sum and the largest. */
static void say_bins(const mass_model *m, uint32_t tally, const char *world, const int64_t *bins)
{
    const mass_tally_def *t = &m->tallies[tally];
    if (say_named_bins(m, tally, world, bins)) return;
    uint32_t most = 0;
    int64_t total = 0;
    for (uint32_t i = 0; i < t->bins; i++) {
        total = mass_tally_is_fixed_sum(t) ? mass_sum_fixed(total, bins[i]) : mass_sum_i64(total, bins[i]);
        if (bins[i] > bins[most]) most = i;
    }
    const int digits = t->kind == MASS_TALLY_INTEGER ? 15 : 6; /* counts are whole numbers */
    char fullest[160] = "", range[80] = "", all[40];
    const double width = (t->high - t->low) / t->bins;
    if (t->low < t->high)
        snprintf(range, sizeof range, " (%.6g to %.6g)", t->low + most * width, t->low + (most + 1) * width);
    if (bins[most])
        snprintf(fullest, sizeof fullest, ", most in bin %u%s: %.*g", most, range, digits,
                 mass_tally_value(t, &bins[most]));
    if (mass_tally_is_empty(t, &total)) snprintf(all, sizeof all, "none");
    else snprintf(all, sizeof all, "%.*g", digits, mass_tally_value(t, &total));
    mass_progress_say("  %s%s %u bin%s, %s in %s%s", t->name, world, t->bins, mass_plural(t->bins), all,
                      t->bins == 1 ? "it" : "them", fullest);
}

/* Returns the keys of a tally in a world. */
static const mass_key_list *keys_of(const mass_result *r, uint32_t tally, int32_t world)
{
    return &r->keys[(size_t)tally * (size_t)r->worlds + (size_t)world];
}

/* Returns a tally's value, bins or keys in a world; null if the tally has no value at this step. */
static json_t *world_json(const mass_result *r, uint32_t tally, int32_t world)
{
    const mass_tally_def *t = &r->model->tallies[tally];
    if (mass_tally_is_unknown(t, r->steps)) return json_null();
    return t->keys ? mass_report_keys_json(keys_of(r, tally, world))
                   : tally_json(t, r->tallies + mass_tally_at(t, r->worlds, world));
}

/* Returns all tallies but hidden ones: a value each, or with several worlds a list of them. */
static json_t *tallies_json(const mass_result *r)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < r->model->tally_count; i++) {
        const mass_tally_def *t = &r->model->tallies[i];
        if (t->hidden) continue;
        json_t *value = r->worlds == 1 ? world_json(r, i, 0) : json_array();
        for (int32_t w = 0; r->worlds > 1 && w < r->worlds; w++) json_array_append_new(value, world_json(r, i, w));
        json_object_set_new(object, t->name, value);
    }
    return object;
}

/* Returns an object with each population's count, or an array of counts by world. */
static json_t *agents_json(const mass_result *r)
{
    json_t *object = json_object();
    for (uint32_t p = 0; p < r->model->population_count; p++) {
        const uint64_t *counts = r->agents + (size_t)p * (size_t)r->worlds;
        json_t *value = r->worlds == 1 ? json_integer((json_int_t)counts[0]) : json_array();
        for (int32_t w = 0; r->worlds > 1 && w < r->worlds; w++)
            json_array_append_new(value, json_integer((json_int_t)counts[w]));
        json_object_set_new(object, r->model->populations[p].name, value);
    }
    return object;
}

/* Returns a new array of the faults of the model, one sentence each. */
static json_t *faults_json(const mass_result *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->fault_count; i++) json_array_append_new(list, mass_text_json(r->faults[i]));
    return list;
}

/* Returns a value that is given by its bits, by the parameter's type: of a list or a choice an index of its choices.
 * Not of a text. */
static json_t *parameter_json(const mass_parameter_slot *p, uint64_t bits)
{
    double real;
    memcpy(&real, &bits, sizeof real);
    if (p->list) return mass_list_json(p, p->choices[bits]);
    if (p->type == MASS_CHOICE) return mass_text_json(p->choices[bits]);
    return p->type == MASS_REAL ? json_real(real) : json_integer((json_int_t)bits);
}

/* Returns a new array with an object for each world: its values of the swept parameters. */
static json_t *sweep_json(const mass_result *r)
{
    json_t *worlds = json_array();
    for (int32_t w = 0; w < r->worlds; w++) {
        json_t *world = json_object();
        for (uint32_t i = 0; i < r->model->parameters.count; i++) {
            const mass_parameter_slot *p = &r->model->parameters.slots[i];
            if (mass_is_swept(p)) json_object_set_new(world, p->name, parameter_json(p, p->swept[w]));
        }
        json_array_append_new(worlds, world);
    }
    return worlds;
}

/* Returns the places of all worlds that this run's steps processed, or the items of a stream. */
static double work_of(const mass_result *r)
{
    double places = 0;
    if (r->model->stream.read) return (double)r->items;
    for (uint32_t s = 0; s < r->model->space_count; s++) places += (double)mass_space_places(&r->model->spaces[s]);
    return (double)(r->steps - r->first_step) * places * r->worlds;
}

/* Returns work per second of stepping, 0 if that took no time. */
static double a_second(const mass_result *r, double work) { return r->run > 0 ? work / r->run : 0; }

/* Adds the rates of the steps, if there were any. */
static void rates_json(const mass_result *r, json_t *object)
{
    if (r->steps <= r->first_step) return;
    json_object_set_new(object, r->model->stream.read ? "items_per_s" : "places_per_s",
                        json_real(a_second(r, work_of(r))));
    if (r->model->population_count) json_object_set_new(object, "agents_per_s", json_real(a_second(r, r->agent_steps)));
}

/* Prints the object with its times, in microseconds, at the end, and closes the results. Other numbers need 17
 * digits to be exact. Fails if memory is or was short. */
static mass_status print_json(const json_t *object, const mass_result *r, mass_error *error)
{
    char *text = json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    if (!text || !mass_json_is_whole()) {
        free(text);
        return mass_error_set(error, MASS_FAILED, "there is no memory for the object of --json: a --checkpoint has all "
                              "that is in it");
    }
    FILE *to = mass_standard_results();
    fwrite(text, 1, strlen(text) - strlen("\n}"), to);
    fprintf(to, ",\n  \"seconds\": {\n    \"init\": %.6f,\n    \"run\": %.6f,\n    \"output\": %.6f,\n"
            "    \"total\": %.6f\n  }\n}\n", r->init, r->run, r->output, r->total);
    free(text);
    return mass_standard_results_end(error);
}

/* Returns the parameters that all worlds share, without constants; null for a default that the model computes. */
static json_t *parameters_json(const mass_result *r)
{
    json_t *object = json_object();
    for (uint32_t i = 0; i < r->model->parameters.count; i++) {
        const mass_parameter_slot *p = &r->model->parameters.slots[i];
        if (p->constant || p->swept) continue;
        const bool open = !p->given && p->by_default[0]; /* the model computes it as the text says */
        json_t *value = open ? json_null() : p->type == MASS_TEXT ? mass_text_json(p->text)
                                                                  : parameter_json(p, mass_parameter_bits(p));
        json_object_set_new(object, p->name, value);
    }
    return object;
}

/* Lists the number of each world's row in the sweep's table, from 1. */
static json_t *rows_json(const mass_result *r)
{
    json_t *rows = json_array();
    for (int32_t w = 0; w < r->worlds; w++) json_array_append_new(rows, json_integer((json_int_t)r->rows[w] + 1));
    return rows;
}

/* Returns all that --json prints of a run. Facts that the run does not have are left out. */
static json_t *result_json(const mass_result *r)
{
    json_t *object = json_object(), *size = json_array();
    json_object_set_new(object, "plugin", json_string(r->model->plugin));
    json_object_set_new(object, "version", mass_text_json(r->model->version));
    json_object_set_new(object, "device", json_string(r->device));
    json_object_set_new(object, "steps", json_integer((json_int_t)r->steps));
    json_object_set_new(object, "seed", json_integer((json_int_t)r->seed));
    for (uint32_t a = 0; a < r->model->spaces[0].dimensions; a++)
        json_array_append_new(size, json_integer(r->model->spaces[0].size[a]));
    json_object_set_new(object, "size", size);
    json_object_set_new(object, "worlds", json_integer(r->worlds));
    json_object_set_new(object, "first_world", json_integer(r->first_world));
    json_object_set_new(object, "partitions", json_integer(r->partitions));
    json_object_set_new(object, "ranks", json_integer(r->ranks));
    if (r->ranks > 1) json_object_set_new(object, "comm", json_string(r->comm));
    mass_report_slabs_json(&r->slabs, object);
    json_object_set_new(object, "parameters", parameters_json(r));
    if (r->model->parameters.worlds) json_object_set_new(object, "sweep", sweep_json(r));
    if (r->rows) json_object_set_new(object, "sweep_rows", rows_json(r));
    json_object_set_new(object, "reproducible", json_boolean(r->model->racy == NULL));
    json_object_set_new(object, "faults", faults_json(r));
    json_object_set_new(object, "state_hash", json_string(r->state_hash));
    json_object_set_new(object, "state_hash_version", json_integer(MASS_STATE_HASH_VERSION));
    json_object_set_new(object, "tallies", tallies_json(r));
    if (r->agents && r->model->population_count) json_object_set_new(object, "agents", agents_json(r));
    if (r->until) {
        json_object_set_new(object, "until", mass_text_json(r->until));
        json_object_set_new(object, "held", json_boolean(r->held));
    }
    json_object_set_new(object, "interrupted", json_boolean(r->interrupted));
    if (r->interrupted) json_object_set_new(object, "last_step", json_integer((json_int_t)r->last_step));
    if (r->go_on) json_object_set_new(object, "go_on", mass_text_json(r->go_on));
    if (r->checkpoint) json_object_set_new(object, "checkpoint", mass_text_json(r->checkpoint));
    if (r->events)
        json_object_set_new(object, "events", json_pack("{s:I, s:o}", "count", (json_int_t)r->events, "file",
                                                        r->events_file ? mass_text_json(r->events_file)
                                                                       : json_null()));
    rates_json(r, object);
    if (r->profile) json_object_set_new(object, "profile", mass_profile_json(r->profile, r->copy_rate));
    return object;
}

char *mass_report_object(const mass_result *r)
{
    mass_json_begin();
    json_t *object = result_json(r);
    char *text = json_dumps(object, JSON_REAL_PRECISION(17));
    json_decref(object);
    if (text && mass_json_is_whole()) return text;
    free(text);
    return NULL;
}

mass_status mass_report_json(const mass_result *r, mass_error *error)
{
    mass_json_begin();
    json_t *object = result_json(r);
    const mass_status status = print_json(object, r, error);
    json_decref(object);
    return status;
}

/* Reports the parameters swept: of one world its values, otherwise the names. */
static void say_sweep(const mass_result *r)
{
    char names[600] = "";
    if (r->worlds == 1) {
        mass_swept_label(&r->model->parameters, 0, names, sizeof names);
        mass_progress_say("  row of a sweep: %s", names);
        return;
    }
    for (uint32_t i = 0; i < r->model->parameters.count; i++) {
        const size_t used = strlen(names);
        if (mass_is_swept(&r->model->parameters.slots[i]))
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", r->model->parameters.slots[i].name);
    }
    mass_progress_say("  sweep of %d worlds over %s", r->worlds, names);
}

enum { WORLD_SIZE = 200, WORLDS_SHOWN = 3 /* worlds for tallies that need lines of their own */ };

/* Writes a world's name with its swept parameters: " of world 3", " of world 3 (growback = 2)". Writes "" if there
 * is one world. */
static void name_world(const mass_result *r, int32_t world, char out[WORLD_SIZE])
{
    char parameters[WORLD_SIZE - 40];
    out[0] = '\0';
    if (r->worlds == 1) return;
    mass_swept_label(&r->model->parameters, world, parameters, sizeof parameters);
    snprintf(out, WORLD_SIZE, parameters[0] ? " of world %d (%s)" : " of world %d", r->first_world + world, parameters);
}

/* Writes a number in groups of three digits. Returns where it begins in `text`. */
static const char *grouped(uint64_t number, char text[32])
{
    char *at = text + 31;
    *at = '\0';
    for (int digits = 0; number || digits == 0; number /= 10) {
        if (digits && digits % 3 == 0) *--at = ',';
        *--at = (char)('0' + number % 10);
        digits++;
    }
    return at;
}

/* Returns whether the run was resumed at its last step, so that it made none. */
static bool has_ended_before(const mass_result *r)
{
    return r->resumed && r->steps == r->last_step && r->steps == r->first_step;
}

/* Reports the step of an early end, and the command to go on with. */
static void say_stopped(const mass_result *r)
{
    char step[32], last[32];
    mass_progress_say("mass-engine: stopped at step %s of %s%s%s", grouped(r->steps, step), grouped(r->last_step, last),
                      r->go_on ? "; go on with "
                      : r->keeps ? "" : "; without --checkpoint, nothing is kept to go on from",
                      r->go_on ? r->go_on : "");
}

/* Prints where the run is and, if it made steps, how fast it was. A run that had ended before is reported as such. */
static void say_first(const mass_result *r)
{
    char seed[40] = "", speed[120] = "", agents[40] = "", ranks[60] = "";
    if (!r->model->seedless && !r->seed_said) snprintf(seed, sizeof seed, ", seed %" PRIu64, r->seed);
    if (r->ranks > 1) snprintf(ranks, sizeof ranks, ", %d ranks by %s", r->ranks, r->comm);
    if (has_ended_before(r)) {
        mass_progress_say("%s: step %" PRIu64 " on %s, the last of its run: no step was left%s", r->model->plugin,
                          r->steps, r->device, seed);
        return;
    }
    if (r->model->population_count)
        snprintf(agents, sizeof agents, ", %.4g agents/s", a_second(r, r->agent_steps));
    if (r->steps > r->first_step)
        snprintf(speed, sizeof speed, ", of which stepping %.3g s (%.4g %s/s%s)", r->run, a_second(r, work_of(r)),
                 r->model->stream.read ? "items" : "places", agents);
    mass_progress_say("%s: step %" PRIu64 " on %s%s after %.3g s%s%s", r->model->plugin, r->steps, r->device, ranks,
                      r->total, speed, seed);
}

/* Reports whether the stop condition ended the run. */
static void say_until(const mass_result *r)
{
    const bool before = r->resumed && r->steps == r->first_step;
    mass_progress_say("  until %s: %s%s", r->until, r->held ? "ended by that" : "not reached",
                      r->held && before ? " before; another --until goes on, and --until 0 to the last step" : "");
}

/* Prints a tally of one world: bins and keys, or with one world any tally. */
static void say_tally(const mass_result *r, uint32_t tally, int32_t world)
{
    const mass_tally_def *t = &r->model->tallies[tally];
    const int64_t *accumulators = r->tallies + mass_tally_at(t, r->worlds, world);
    char name[WORLD_SIZE], number[MASS_REPORT_NUMBER];
    name_world(r, world, name);
    if (mass_tally_is_unknown(t, r->steps)) mass_progress_say("  %s%s none", t->name, name);
    else if (t->keys) mass_report_say_keys(t, name, keys_of(r, tally, world));
    else if (mass_tally_is_kept(t) && t->bins) say_values(t, name, accumulators);
    else if (t->bins) say_bins(r->model, tally, name, accumulators);
    else {
        const bool unit = t->unit[0] && !mass_tally_is_empty(t, accumulators);
        const char *value = mass_tally_value_name(r->model, tally, mass_tally_value(t, accumulators));
        mass_progress_say("  %s %s%s%s%s%s%s", t->name, mass_report_number(r, t, world, number), unit ? " " : "",
                          unit ? t->unit : "", value ? " (" : "", value ? value : "", value ? ")" : "");
    }
}

/* Reports tallies: of several worlds a table of numbers, and bins and keys of the first WORLDS_SHOWN. */
static void say_tallies(const mass_result *r)
{
    const int32_t shown = r->worlds < WORLDS_SHOWN ? r->worlds : WORLDS_SHOWN;
    if (r->worlds > 1) mass_report_worlds(r);
    for (uint32_t i = 0; i < r->model->tally_count; i++) {
        const mass_tally_def *t = &r->model->tallies[i];
        if (!mass_report_has(r, t) || (r->worlds > 1 && !t->bins && !t->keys)) continue;
        for (int32_t w = 0; w < shown; w++) say_tally(r, i, w);
        if (shown < r->worlds) mass_progress_say("  ... and of %d more world%s: --json has all", r->worlds - shown,
                                                  mass_plural(r->worlds - shown));
    }
}

void mass_report_text(const mass_result *r)
{
    say_first(r);
    mass_report_say_slabs(&r->slabs);
    if (r->model->parameters.worlds) say_sweep(r);
    if (r->until) say_until(r);
    say_tallies(r);
    for (uint32_t p = 0; r->agents && p < r->model->population_count; p++) {
        char worlds[32] = "";
        if (r->worlds == 1 && mass_model_find_tally(r->model, r->model->populations[p].name) >= 0) continue;
        uint64_t agents = 0;
        for (int32_t w = 0; w < r->worlds; w++) agents += r->agents[(size_t)p * (size_t)r->worlds + (size_t)w];
        if (r->worlds > 1) snprintf(worlds, sizeof worlds, " in %d worlds", r->worlds);
        mass_progress_say("  %s %" PRIu64 " %s%s%s", r->model->populations[p].name, agents,
                          mass_model_is_of_edges(r->model, p) ? "edge" : "agent", mass_plural(agents), worlds);
    }
    mass_progress_say("  state %s%s", r->state_hash, r->model->racy ? ", not reproducible"
                                                                    : "");
    if (r->checkpoint) mass_progress_say("  checkpoint %s", r->checkpoint);
    if (r->events)
        mass_progress_say("  events %" PRIu64 "%s%s", r->events, r->events_file ? ", in " : "",
                          r->events_file ? r->events_file : "");
    if (r->profile) mass_profile_say(r->profile, r->copy_rate);
    if (r->interrupted) say_stopped(r);
    else if (has_ended_before(r)) mass_progress_say("  to go on, give --steps with a later one");
}
