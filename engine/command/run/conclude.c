/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a run: writes its final state, lets the plugin finish, and reports the result. */
#include "command/report/crate.h"
#include "command/report/means.h"
#include "command/report/report.h"
#include "command/run/rerun_command.h"
#include "command/run/resume_command.h"
#include "command/run/session.h"
#include "command/run/world_values.h"
#include "model/range.h"
#include "population/gather.h"
#include "process/signals.h"
#include "run/input.h"
#include "snapshot/hash.h"
#include "snapshot/chunks.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts agents by population and world: (*out)[population * worlds + world]. The caller frees *out, also on
 * failure. */
static mass_status count_agents(const mass_session *s, uint64_t **out, mass_error *error)
{
    const size_t worlds = (size_t)s->domain->share.worlds, count = s->model.population_count * worlds;
    mass_status status = MASS_OK;
    *out = calloc(count + 1, sizeof **out);
    if (!*out) return mass_error_memory(error, count * sizeof **out, "counts of agents");
    for (uint32_t p = 0; status == MASS_OK && p < s->model.population_count; p++)
        status = mass_population_count_worlds(s->domain, p, *out + p * worlds, error);
    return status;
}

/* Finds the row of each world of a sweep; the caller frees *out. Leaves it without a sweep, as in a resumed run. */
static mass_status find_rows(const mass_session *s, uint32_t **out, mass_error *error)
{
    const int32_t worlds = s->sweep.worlds;
    if (worlds == 0) return MASS_OK;
    *out = malloc((size_t)worlds * sizeof **out);
    if (!*out) return mass_error_memory(error, (size_t)worlds * sizeof **out, "the rows of a sweep");
    for (int32_t w = 0; w < worlds; w++) (*out)[w] = mass_sweep_row(&s->sweep, w);
    return MASS_OK;
}

/* Takes what the output needs of the final state; all of it only if fields or networks are written. leave_state
 * releases it, unless this fails. */
static mass_status take_state(const mass_session *s, mass_snapshot *out, mass_error *error)
{
    const mass_output_need need = mass_output_needs(s->output, s->run->step);
    const mass_status status = need == MASS_NEEDS_STATE    ? mass_domain_save(s->domain, out, error)
                               : need == MASS_NEEDS_CHUNKS ? mass_domain_save_chunks(s->domain, false, out, error)
                                                           : mass_domain_save_numbers(s->domain, out, error);
    if (status == MASS_OK) out->step = s->run->step;
    return status;
}

/* Releases the state that take_state took, on all ranks if they hold chunks of it. */
static void leave_state(const mass_session *s, mass_snapshot *state)
{
    mass_error ignored = {0}; /* the error does not matter: ranks that cannot be reached have ended */
    if (state->source) mass_chunks_end(s->domain, &ignored);
    mass_snapshot_free(state);
}

/* Returns the slabs to report; none if they are equal or spaces are not divided. */
static mass_slabs_result slabs_of(const mass_session *s)
{
    const mass_options *o = s->options;
    const bool uneven = o->share_count || o->measured_shares || o->edge_shares || s->shares || o->rebalance;
    if (!mass_share_is_split(&s->domain->share) || !uneven) return (mass_slabs_result){0};
    return (mass_slabs_result){&s->domain->share, s->model.spaces, o->rebalance > 0, s->run->repartition.done};
}

/* Returns the result of a run, still without state hash, agents, rows, times and checkpoint. It refers to the session's
 * and the snapshot's memory. */
static mass_result result_of(const mass_session *s, const mass_snapshot *final)
{
    return (mass_result){.model = &s->model, .device = s->device->table->name(s->device),
        .first_step = s->first_step, .steps = s->run->step, .seed = s->opening.seed, .worlds = s->domain->share.worlds,
        .items = s->run->input ? mass_input_reader_total(s->run->input) : 0,
        .first_world = s->domain->first_world, .partitions = s->domain->partition_count, .ranks = s->comm->size,
        .comm = s->link ? mass_link_by(s->link) : s->comm->table->name, .slabs = slabs_of(s),
        .until = mass_session_until(s), .held = s->run->held,
        .interrupted = mass_signals_end() != 0 || s->run->out_of_room, .tallies = final->tallies,
        .keys = final->keys, .profile = s->run->profile, .last_step = s->last_step, .keeps = s->folder[0],
        .resumed = s->checkpoint != NULL, .seed_said = s->seed_said, .agent_steps = s->agents.done,
        .faults = s->faults.texts, .fault_count = s->faults.count, .events = s->drawing.applied,
        .events_file = s->drawing.ours ? s->drawing.file : s->options->events};
}

/* Sets the result's state hash and numbers of agents, which the caller frees, also on failure, and for a profile the
 * device's rate of copying. */
static mass_status measure(mass_session *s, const mass_snapshot *final, uint64_t **agents, mass_result *result,
                           mass_error *error)
{
    mass_status status = mass_domain_hash(s->domain, final, result->state_hash, error);
    if (status == MASS_OK) status = count_agents(s, agents, error);
    result->agents = *agents;
    if (status == MASS_OK && result->profile)
        status = s->device->table->memory->copy_rate(s->device, &result->copy_rate, error);
    return status;
}

/* Writes the table of --means, if there is that option and the run was not interrupted. */
static mass_status write_means(const mass_session *s, const mass_result *result, mass_error *error)
{
    if (!s->options->means || result->interrupted) return MASS_OK; /* the table is about final states */
    char *object = mass_report_object(result);
    if (!object) return mass_error_memory(error, 1 << 16, "the table of --means");
    const mass_status status = mass_means_write(s->options->means, s->options->force, &object, 1, error);
    free(object);
    return status;
}

/* Writes the crate of --crate, if there is that option and the run was not interrupted. */
static mass_status write_crate(const mass_session *s, const mass_result *result, mass_error *error)
{
    const mass_options *o = s->options;
    if (!o->crate || result->interrupted) return MASS_OK;
    char *object = mass_report_object(result), *command = mass_again(o, s->opening.seed, s->model.seedless, 0, NULL);
    if (!object) return mass_error_memory(error, 1 << 16, "--crate");
    mass_crate crate = {.folder = o->crate, .force = o->force, .command = command, .result = object,
        .seconds = result->total, .plugin = s->loaded.path,
        .inputs = s->checkpoint ? NULL : &s->inputs, .resumed = s->checkpoint ? s->checkpoint_path : NULL,
        .checkpoints = s->folder[0] ? s->folder : NULL, .fields = o->fields,
        .files = {o->image, o->movie, o->network, o->series, o->means}};
    for (uint32_t i = 0; i < o->agents_count; i++) crate.files[MASS_CRATE_TABLES + i] = strchr(o->agents[i], '=') + 1;
    const mass_status status = mass_crate_write(&crate, error);
    free(object);
    free(command);
    return status;
}

/* Sets times and checkpoint of the result, and go_on, which the caller frees. Then reports it as text, table, crate and
 * JSON, as the options say. If the table fails, there is no crate. JSON is printed all the same. */
static mass_status report(const mass_session *s, mass_result *result, mass_error *error)
{
    const double now = mass_seconds(), between = mass_output_seconds(s->output) + mass_watch_seconds(s->watch) +
                                  mass_view_seconds(s->view);
    result->checkpoint = mass_output_checkpoint(s->output);
    result->init = s->initialised - s->began;
    result->output = now - s->stepped + between;
    result->run = s->stepped - s->initialised - between;
    result->total = now - s->began;
    if (result->interrupted && result->checkpoint) result->go_on = mass_resume_command(s->options, s->folder);
    if (!s->options->quiet) mass_report_text(result);
    mass_status status = write_means(s, result, error);
    if (status == MASS_OK) status = write_crate(s, result, error);
    mass_error of_json = {0};
    if (s->options->json && mass_report_json(result, &of_json) != MASS_OK && status == MASS_OK) *error = of_json;
    return error->status;
}

mass_status mass_session_check_ranges(const mass_session *s, mass_error *error)
{
    uint64_t first = 0, count = 0, others = 0;
    const mass_attribute_def *found = NULL;
    char range[MASS_RANGE_TEXT], more[80] = "";
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < s->model.attribute_count; i++) {
        const mass_attribute_def *a = &s->model.attributes[i];
        if (!a->ranged || a->streamed || a->derived) continue;
        status = mass_domain_count_outside(s->domain, i, &count, error);
        if (status != MASS_OK || count == 0) continue;
        if (found) others++;
        else found = a, first = count;
    }
    if (status != MASS_OK || !found) return status;
    const bool one = first == 1;
    if (others)
        snprintf(more, sizeof more, ", and so are values of %" PRIu64 " other attribute%s", others,
                 others > 1 ? "s" : "");
    return mass_error_set(error, MASS_BAD_PLUGIN, "results are wrong: %" PRIu64 " value%s of %s.%s %s outside its "
                          "range, %s%s: %s wrote them, and --device paranoid says which callback", first,
                          one ? "" : "s", mass_owner_name(&s->model, found), found->name, one ? "is" : "are",
                          mass_range_show(found, range), more, s->model.plugin);
}

/* Writes the final state before the plugin's finish and the report, which may fail. If the disk does not take it, or
 * values are out of range, the run is reported nevertheless. */
mass_status mass_session_conclude(mass_session *s, mass_error *error)
{
    mass_snapshot final;
    uint64_t *agents = NULL;
    uint32_t *rows = NULL;
    mass_error unwritten = {0}, outside = {0};
    char odd[MASS_WORLD_VALUES_TEXT];
    mass_output_drain(s->output);
    mass_status status = take_state(s, &final, error);
    if (status != MASS_OK) return status;
    mass_result result = result_of(s, &final);
    status = measure(s, &final, &agents, &result, error);
    if (status == MASS_OK) status = find_rows(s, &rows, error);
    result.rows = rows;
    if (status == MASS_OK) mass_output_end(s->output, s->domain, &final, &unwritten);
    if (status == MASS_OK && !result.interrupted)
        status = mass_host_finish(&s->host, s->loaded.entry, s->domain, s->run->step, error);
    if (status == MASS_OK && mass_world_values_check(&final, odd)) mass_faults_add(&s->faults, odd);
    if (status == MASS_OK && mass_session_check_ranges(s, &outside) == MASS_BAD_PLUGIN)
        mass_faults_note(&s->faults, outside.text);
    result.faults = s->faults.texts;
    result.fault_count = s->faults.count;
    if (status == MASS_OK) status = report(s, &result, error);
    if (status == MASS_OK && outside.status != MASS_OK) {
        *error = outside;
        status = error->status;
    }
    free(result.go_on);
    free(agents);
    free(rows);
    leave_state(s, &final);
    if (unwritten.status == MASS_OK) return status;
    if (status == MASS_OK) *error = unwritten;
    else mass_progress_say("mass-engine: %s; the run goes on", unwritten.text);
    return error->status;
}

mass_status mass_session_conclude_short(mass_session *s, mass_error *error)
{
    const mass_error reason = *error;
    *error = (mass_error){0};
    const mass_status status = mass_session_conclude(s, error);
    if (status == MASS_OK) *error = reason;
    else {
        const mass_error second = *error;
        *error = (mass_error){0};
        mass_error_set(error, status, "%s; %s", reason.text, second.text);
    }
    return error->status;
}
