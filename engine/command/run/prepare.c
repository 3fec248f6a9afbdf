/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a run that can step from a model: its steps, its stop condition, its outputs and identity, its input files, and
 * the domain on its device. */
#include "base/file.h"
#include "base/plural.h"
#include "base/identity.h"
#include "command/report/crate.h"
#include "command/report/means.h"
#include "command/run/job.h"
#include "command/run/link.h"
#include "io/checkpoint/layout.h"
#include "io/checkpoint/parts_write.h"
#include "io/input/given.h"
#include "io/input/table.h"
#include "model/list.h"
#include "plan/fuse.h"
#include "population/gather.h"
#include "population/population.h"
#include "process/available_memory.h"
#include "process/signals.h"
#include "process/standard.h"
#include "ranks/rpc.h"
#include "run/create.h"
#include "run/repartition.h"
#include "snapshot/create.h"
#include "state/stop_condition.h"
#include "state/stop_state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

mass_status mass_session_check_tables(const mass_session *s, mass_error *error)
{
    const mass_parameters *list = &s->model.parameters;
    for (uint32_t i = 0; i < list->count && s->last_step > s->first_step; i++) {
        const mass_parameter_slot *slot = &list->slots[i];
        for (int32_t w = 0; slot->by_step && w < (slot->swept ? list->worlds : 1); w++) {
            const uint64_t rows = mass_list_count(mass_list_text_in(slot, w));
            if (rows >= s->last_step) continue;
            if (rows == 0)
                return mass_error_set(error, MASS_BAD_USAGE, "parameter %s has no values: give one for each of the %"
                                      PRIu64 " step%s, as in --set %s=@FILE.csv", slot->name, s->last_step,
                                      mass_plural(s->last_step), slot->name);
            return mass_error_set(error, MASS_BAD_USAGE, "parameter %s gives %" PRIu64 " step%s and the run has %"
                                  PRIu64 ": give a value for each step, as in --set %s=@FILE.csv, or --steps %" PRIu64,
                                  slot->name, rows, mass_plural(rows), s->last_step, slot->name, rows);
        }
    }
    return MASS_OK;
}

/* Sets the first and the last step, which is not before the first. Refuses --steps before the checkpoint's step, and a
 * run with more steps than a parameter by step has values. --explain runs no steps. */
static mass_status plan_steps(mass_session *s, mass_error *error)
{
    const mass_options *o = s->options;
    s->first_step = s->checkpoint ? s->checkpoint->step : 0;
    s->last_step = o->steps_given ? o->steps : s->checkpoint ? s->checkpoint->last_step : s->model.default_steps;
    if (s->checkpoint && o->steps_given && o->steps < s->first_step)
        return mass_error_set(error, MASS_BAD_USAGE, "--steps %" PRIu64 " is before step %" PRIu64 " of the "
                              "checkpoint", o->steps, s->first_step);
    if (s->last_step < s->first_step) s->last_step = s->first_step;
    return o->mode == MASS_MODE_EXPLAIN ? MASS_OK : mass_session_check_tables(s, error);
}

const char *mass_session_until(const mass_session *s)
{
    return s->options->until ? s->options->until : s->checkpoint ? s->checkpoint->until.text : NULL;
}

/* Returns whether the run keeps the checkpoint's stop condition and its state. */
static bool keeps_until(const mass_session *s)
{
    const char *stored = s->checkpoint ? s->checkpoint->until.text : NULL;
    return stored && strcmp(stored, mass_session_until(s)) == 0;
}

/* Reports that the checkpoint's stop condition does not fit the model. */
static mass_status refuse_stored_until(const mass_session *s, mass_error *error)
{
    const mass_error cause = *error;
    *error = (mass_error){0};
    return mass_error_set(error, cause.status, "%s does not fit its plugin (a --tally that its condition names has "
                          "to be given again): %s", s->checkpoint_path, cause.text);
}

/* Compiles the stop condition, if there is one. Refuses a checkpoint's that no longer fits. */
static mass_status compile_until(mass_session *s, mass_error *error)
{
    if (!mass_session_until(s)) return MASS_OK;
    const mass_expression_scope scope = {&s->model, mass_session_worlds(s), s->checkpoint ? s->checkpoint->first_world
                                                                               : s->options->first_world,
                                         keeps_until(s)};
    mass_status status = mass_expression_compile("--until", mass_session_until(s), &scope, &s->until, error);
    if (status == MASS_OK && keeps_until(s) && s->until.steady_count != s->checkpoint->until.steady_count)
        status = mass_error_set(error, MASS_BAD_INPUT, "its stop condition has another number of steady()");
    return status != MASS_OK && keeps_until(s) ? refuse_stored_until(s, error) : status;
}

/* Prepares the compiled stop condition for the domain, if there is one. */
static mass_status create_until(mass_session *s, mass_error *error)
{
    const char *text = mass_session_until(s);
    return text ? mass_until_create(s->domain, text, &s->until, error) : MASS_OK;
}

/* Restores the stop condition's state from the checkpoint, if the run goes on with it. Sets s->run->held, too. */
static mass_status restore_until(mass_session *s, mass_error *error)
{
    if (!mass_session_until(s) || !keeps_until(s)) return MASS_OK;
    s->run->held = s->checkpoint->until.held != MASS_NOT_HELD;
    return mass_until_restore(s->domain, &s->checkpoint->until, error);
}

/* Returns the inputs that the run started with: the checkpoint's, if it goes on from one. */
static const mass_inputs *inputs_of(const mass_session *s)
{
    return s->checkpoint ? &s->checkpoint->inputs : &s->inputs;
}

/* Tells the user if the plugin was rebuilt with the same version, as after a change of its rules. For a resumed run
 * only. */
static void say_other_build(const mass_session *s)
{
    const mass_checkpoint *c = s->checkpoint;
    if (strcmp(s->model.version, c->model.version) != 0 || !c->plugin_hash[0]) return;
    if (strcmp(s->owner.facts.plugin_hash, c->plugin_hash) != 0)
        mass_progress_say("mass-engine: the checkpoint is of another build of %s %s than %s: if its rules changed, "
                          "the run goes on with the new ones", s->model.plugin, s->model.version, s->loaded.path);
}

/* Sets the session's hash of the plugin's file. */
static mass_status hash_plugin(mass_session *s, mass_error *error)
{
    mass_file plugin = {0};
    const mass_status status = mass_file_read(s->loaded.path, MASS_PLUGIN_BYTES_MAX, MASS_BAD_PLUGIN, &plugin, error);
    if (status == MASS_OK) mass_checkpoint_hash_bytes(plugin.bytes, plugin.size, s->owner.facts.plugin_hash);
    mass_file_free(&plugin);
    return status;
}

/* Computes the facts that describe the run, without its identity, into s->owner and s->series.set. s->made becomes the
 * text of what they are made of. */
static mass_status describe(mass_session *s, int32_t first_world, mass_error *error)
{
    mass_series_set *set = &s->series.set;
    mass_run_facts *facts = &s->owner.facts;
    const mass_run_made made = {&s->model, inputs_of(s), s->opening.seed, mass_session_worlds(s), first_world};
    mass_status status = mass_run_made_print(&made, &s->made, error);
    if (status == MASS_OK)
        status = mass_series_identify(&s->model, made.inputs, made.seed, made.worlds, first_world, set, error);
    if (status != MASS_OK) return status;
    memcpy(facts->run, set->run, sizeof facts->run);
    memcpy(facts->schema, set->schema, sizeof facts->schema);
    memcpy(facts->plugin, set->plugin, sizeof facts->plugin);
    facts->known = true;
    facts->seed = set->seed;
    facts->worlds = (uint64_t)set->worlds;
    facts->first_world = (uint64_t)set->first_world;
    s->owner.made = s->made;
    return MASS_OK;
}

/* Gives the run its identity, a new one or the checkpoint's, and its plugin's hash; s->owner also says if the run is
 * resumed and forced. Tells the user of another build. */
static mass_status identify(mass_session *s, mass_error *error)
{
    mass_run_facts *facts = &s->owner.facts;
    const mass_status status = hash_plugin(s, error);
    if (status != MASS_OK) return status;
    if (s->checkpoint) say_other_build(s);
    s->owner.resumed = s->checkpoint != NULL;
    s->owner.force = s->options->force;
    if (!s->checkpoint || !s->checkpoint->identity[0]) return mass_identity_make(facts->identity, error);
    memcpy(facts->identity, s->checkpoint->identity, sizeof facts->identity);
    return MASS_OK;
}

/* Checks a checkpoint that another program repacked. Its description of the run has no checksums, but the run has a
 * hash. Accepts any other checkpoint. Tells the user that it accepts a repacked one. */
static mass_status check_repacked(const mass_session *s, mass_error *error)
{
    const mass_checkpoint *c = s->checkpoint;
    if (!c || !c->repacked) return MASS_OK;
    if (!c->run[0] || strcmp(c->run, s->series.set.run) == 0) {
        mass_progress_say("mass-engine: %s was repacked by another program: its hashes show that its values are "
                          "unchanged, and the run goes on", s->checkpoint_path);
        return MASS_OK;
    }
    return mass_error_set(error, MASS_BAD_INPUT, "%s was repacked by another program, and its seed, sizes or "
                          "parameters are not those that the run was started with: " MASS_CHECKPOINT_REMEDY,
                          s->checkpoint_path);
}

/* Fills in the session's folder, its description of the run, and the series that it logs. Fails for a checkpoint or
 * --log that does not fit. */
static mass_status plan_logging(mass_session *s, mass_error *error)
{
    char from[PATH_MAX];
    if (s->checkpoint) mass_folder_of(s->checkpoint_path, from);
    if (s->options->checkpoint) snprintf(s->folder, PATH_MAX, "%s", s->options->checkpoint);
    s->series.set.owner = &s->owner;
    const int32_t first_world = s->checkpoint ? s->checkpoint->first_world : s->options->first_world;
    mass_status status = describe(s, first_world, error);
    if (status == MASS_OK) status = check_repacked(s, error);
    if (status != MASS_OK) return status;
    return mass_run_series_plan(s->options, &s->model, s->checkpoint ? from : NULL, s->folder[0] ? s->folder : NULL,
                             s->first_step, &s->series, error);
}

/* Plans checkpoints, series, pictures and fields of the run, gives it its identity, and makes s->output. */
static mass_status plan_output(mass_session *s, mass_error *error)
{
    const mass_options *o = s->options;
    mass_status status = plan_logging(s, error);
    if (status == MASS_OK) status = mass_drawing_check_folder(s, error);
    if (status == MASS_OK) status = identify(s, error);
    if (status != MASS_OK) return status;
    s->plan = (mass_output_plan){
        .folder = s->folder[0] ? s->folder : NULL,
        .checkpoint_every = s->checkpoint && !o->every_given ? s->checkpoint->every : o->checkpoint_every,
        .keep = s->checkpoint && !o->keep_given ? s->checkpoint->keep : (uint32_t)o->keep,
        .parts = o->parts,
        .resumed = s->checkpoint ? s->checkpoint_path : NULL,
        .first_step = s->first_step,
        .last_step = s->last_step,
        .image = o->image,
        .movie = o->movie,
        .network = o->network,
        .agents = o->agents,
        .agents_count = o->agents_count,
        .movie_every = o->movie_every,
        .movie_rate = o->movie_rate,
        .slice = o->slice,
        .inputs = inputs_of(s),
        .fields = o->fields,
        .fields_every = o->fields_every,
        .owner = &s->owner,
        .place = s->place,
        .seed = s->opening.seed,
        .series_set = s->series.set.count ? &s->series.set : NULL,
        .programs = s->series.programs,
        .series_source = s->series.source[0] ? s->series.source : NULL,
        .series_found = &s->series.found,
        .series = o->series,
        .series_waits_silently = o->worlds_count > 0}; /* a file of its own, of a group of a sweep's worlds */
    return mass_output_create(&s->plan, &s->model, &s->output, error);
}

/* Returns the file that the user named for a population's start, or NULL, as for a run from a checkpoint. */
static const char *table_of(const mass_session *s, uint32_t population)
{
    const int parameter = s->model.populations[population].table;
    const char *path = parameter < 0 ? "" : s->model.parameters.slots[parameter].text;
    return s->checkpoint || !path[0] ? NULL : path;
}

/* Reads the files that place agents at the start, and leaves out callbacks of the start that would overwrite their
 * values. Refuses a new run if one is missing. */
static mass_status read_tables(mass_session *s, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < s->model.population_count; i++) {
        const mass_population_def *p = &s->model.populations[i];
        const mass_table_request request = {&s->model, i, mass_session_worlds(s), s->options->first_world};
        const char *path = table_of(s, i);
        if (path) status = mass_table_read(&request, path, &s->tables[i], error);
        if (path && status == MASS_OK) status = mass_given_by_table(&s->tables[i], path, i, &s->model, error);
        if (!path && !s->checkpoint && p->initial == MASS_FROM_TABLE)
            return mass_error_set(error, MASS_BAD_USAGE, "population %s starts from a table: --set %s=FILE.csv or "
                                  "FILE.h5", p->name, s->model.parameters.slots[p->table].name);
    }
    return status;
}

/* Opens the device that --device names, by default the best for the plugin's code. */
static mass_status open_device(mass_session *s, mass_error *error)
{
    const mass_options *o = s->options;
    return mass_device_open(o->device ? o->device : "auto", o->threads, s->loaded.entry->device_code != NULL,
                            &s->device, error);
}

/* Creates this rank's part of the domain, its stepper and its stop condition. */
static mass_status hold_share(mass_session *s, mass_error *error)
{
    const mass_options *o = s->options;
    const mass_run_request q = {.domain = {.partitions = o->partitions, .seed = s->opening.seed,
                                           .worlds = mass_session_worlds(s), .comm = s->comm,
                                           .shares = o->share_count ? o->shares : s->shares,
                                           .by_edges = o->edge_shares,
                                           .first_world = s->checkpoint ? s->checkpoint->first_world : o->first_world},
                                .device_code = s->loaded.entry->device_code, .step = s->first_step,
                                .fuse = o->fuse, .no_bits = o->no_bits, .no_graph = o->no_graph,
                                .no_block = o->no_block, .no_overlap = o->no_overlap};
    const mass_status status = mass_run_create(&s->model, s->device, &q, &s->domain, &s->run, &s->tries, error);
    if (status != MASS_OK) return status;
    s->domain->write_part = mass_parts_write_own;
    mass_repartition_every(s->run, o->rebalance);
    return create_until(s, error);
}

/* Refuses --shares and --rebalance if they do not fit the ranks or the model, and spaces with too few rows for the
 * ranks. */
static mass_status check_shares(const mass_session *s, mass_error *error)
{
    const mass_options *o = s->options;
    const int32_t ranks = s->comm->size;
    if (o->share_count && o->share_count != (uint32_t)ranks)
        return mass_error_set(error, MASS_BAD_USAGE, "--shares gives %u share%s, one for each rank, and there %s %d "
                              "(--ranks)", o->share_count, mass_plural(o->share_count), ranks == 1 ? "is" : "are",
                              ranks);
    if (o->edge_shares && !s->model.networks)
        return mass_error_set(error, MASS_BAD_USAGE, "--shares edges divides the nodes of a network, and %s has none: "
                              "leave it out", s->model.plugin);
    if (o->rebalance && s->model.stream.read)
        return mass_error_set(error, MASS_BAD_USAGE, "--rebalance cuts spaces again, and %s reads a stream into its: "
                              "leave it out", s->model.plugin);
    if (o->rebalance && ranks > 1 && mass_session_worlds(s) >= ranks)
        return mass_error_set(error, MASS_BAD_USAGE, "--rebalance cuts spaces again, and %d ranks hold %d worlds "
                              "whole: leave it out", ranks, mass_session_worlds(s));
    if (ranks == 1 || mass_session_worlds(s) >= ranks) return MASS_OK;
    return mass_domain_check_rows(&s->model, ranks, o->partitions, error);
}

/* Opens the device, measures weights and creates the domain. All ranks do so, and agree at the same points (worker.c).
 * */
static mass_status create_domain(mass_session *s, mass_error *error)
{
    const mass_options *o = s->options;
    const mass_shares_wish wish = o->share_count || o->edge_shares ? MASS_SHARES_GIVEN
                                  : o->measured_shares ? MASS_SHARES_BY_RATE : MASS_SHARES_BY_KIND;
    mass_status status = mass_rpc_agree(s->comm, open_device(s, error), error);
    if (status == MASS_OK) status = mass_shares_measure(s->comm, s->device, wish, &s->shares, error);
    return status == MASS_OK ? mass_rpc_agree(s->comm, hold_share(s, error), error) : status;
}

/* Sends the job to the other ranks, and creates the domains of all ranks and their link. They then await calls. On
 * failure, s->others says what they do. */
static mass_status create_shares(mass_session *s, mass_error *error)
{
    mass_status status = check_shares(s, error);
    if (status == MASS_OK) status = mass_fuse_check(&s->model, s->options->fuse, error);
    if (status == MASS_OK) status = mass_job_send(s, error);
    if (status != MASS_OK) return status; /* the other ranks still wait for the job */
    s->others = MASS_OTHERS_ENDED; /* until they have agreed */
    status = create_domain(s, error);
    if (status == MASS_OK)
        status = mass_link_domain(s->domain, s->options->comm, (double)s->options->comm_timeout, s->options->quiet,
                                  &s->link, error);
    if (status == MASS_OK) status = mass_stepper_try_fuse(s->run, s->tries, error);
    if (status == MASS_OK) s->others = MASS_OTHERS_AWAIT_CALLS;
    return status;
}

/* Prints a drawn seed, once nothing that the user gave can be refused any more. With --quiet and --json it only notes
 * that the seed has to be printed if the run fails. */
static void say_seed(mass_session *s)
{
    if (s->options->seed_given || s->model.seedless) return;
    s->seed_is_due = s->options->quiet && s->options->json;
    s->seed_said = !s->seed_is_due;
    if (s->seed_said) mass_progress_say("mass-engine: seed %" PRIu64, s->opening.seed);
}

void mass_session_add_seed(const mass_session *s, mass_error *error)
{
    const size_t used = strlen(error->text);
    if (s->seed_is_due && error->status != MASS_OK)
        snprintf(error->text + used, sizeof error->text - used, " (seed %" PRIu64 ")", s->opening.seed);
}

/* Opens checkpoint and plugin, plans steps and stop condition, and reads files: all that needs no device. */
static mass_status set_up_model(mass_session *s, mass_error *error)
{
    mass_status status = s->options->resume ? mass_session_open_checkpoint(s, error) : MASS_OK;
    if (status == MASS_OK) status = mass_session_open(s, error);
    if (status == MASS_OK && s->checkpoint) status = mass_checkpoint_match(s->checkpoint, &s->model, error);
    if (status == MASS_OK && s->checkpoint) status = mass_checkpoint_restore_sweep(s->checkpoint, &s->model, error);
    if (status == MASS_OK) status = mass_session_add_tallies(s, error);
    if (status == MASS_OK) status = plan_steps(s, error);
    if (status == MASS_OK) status = compile_until(s, error);
    if (status == MASS_OK) /* before the output: it is part of the run's identity */
        status = mass_loading_read(s->options, &s->model, mass_session_worlds(s), &s->loading, &s->inputs, error);
    if (status == MASS_OK) status = mass_drawing_read(s, error);
    return status;
}

/* Gives each population that starts from a table its table. */
static mass_status use_tables(mass_session *s, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < s->model.population_count; i++)
        if (table_of(s, i)) status = mass_population_use_table(s->domain, i, &s->tables[i], error);
    return status;
}

/* Sets places from the plugin and from files, before the schedule `start`. */
static mass_status load(mass_session *s, mass_error *error)
{
    const mass_status status = mass_host_load(&s->host, s->loaded.entry, s->domain, error);
    return status == MASS_OK ? mass_loading_apply(&s->loading, s->domain, error) : status;
}

/* Makes the state of the first step: restores the checkpoint, or loads files, prints a drawn seed and executes the
 * start phases. */
static mass_status start(mass_session *s, mass_error *error)
{
    mass_status status = use_tables(s, error);
    if (status != MASS_OK) return status;
    if (s->checkpoint) {
        const mass_status restored = restore_until(s, error);
        return restored == MASS_OK ? mass_session_restore_state(s, error) : restored;
    }
    status = load(s, error);
    if (status == MASS_OK) status = mass_signals_check(error);
    if (status != MASS_OK) return status;
    say_seed(s);
    mass_standard_lend();
    status = mass_stepper_start(s->run, error);
    mass_standard_take_back();
    return status;
}

mass_status mass_session_prepare(mass_session *s, mass_error *error)
{
    mass_status status = s->options->watch ? mass_watch_check(error) : MASS_OK;
    if (status == MASS_OK && s->options->means)
        status = mass_means_check(s->options->means, s->options->force, error);
    if (status == MASS_OK && s->options->crate)
        status = mass_crate_check(s->options->crate, s->options->force, error);
    if (status == MASS_OK) status = mass_session_hold_folder(s, error);
    if (status == MASS_OK) status = set_up_model(s, error);
    if (status == MASS_OK) status = plan_output(s, error);
    if (status == MASS_OK && s->options->watch)
        status = mass_watch_create(&s->model, s->options->slice, &s->watch, error);
    if (status == MASS_OK && s->options->view)
        status = mass_view_open(s->options->view, s->options->view_handed, &s->view, error);
    if (status == MASS_OK) status = read_tables(s, error);
    if (status == MASS_OK) status = mass_signals_check(error);
    if (status == MASS_OK) status = create_shares(s, error);
    if (status == MASS_OK && s->options->profile) status = mass_stepper_profile(s->run, error);
    if (status == MASS_OK) status = mass_signals_check(error);
    return status == MASS_OK ? start(s, error) : status;
}

/* Returns whether the plugin's load or files set places or agents, not only the model's own phases. */
static bool is_filled(const mass_session *s)
{
    bool filled = s->loaded.entry->load || s->options->load_count > 0;
    for (uint32_t i = 0; i < s->model.population_count; i++) filled |= table_of(s, i) != NULL;
    return filled;
}

/* Opens a CPU and a domain on it, and fills places and agents by the plugin's load and from the files, for a trial. */
static mass_status fill_on_host(mass_session *s, mass_error *error)
{
    const mass_options *o = s->options;
    const mass_domain_options options = {.partitions = o->partitions, .seed = s->opening.seed,
                                         .worlds = mass_session_worlds(s), .first_world = o->first_world};
    mass_status status = mass_device_open("cpu", 1, false, &s->device, error);
    if (status == MASS_OK) status = mass_domain_create(&s->model, s->device, &options, &s->domain, error);
    if (status == MASS_OK) status = use_tables(s, error);
    return status == MASS_OK ? load(s, error) : status;
}

/* Checks that the host has memory for this run. The bytes of --held, which the run before still holds, count as free:
 * it ends first. Checks nothing without --held. */
static mass_status check_memory(const mass_session *s, mass_error *error)
{
    const mass_options *o = s->options;
    const double needs = mass_domain_bytes(&s->model, o->partitions, mass_session_worlds(s));
    char wants[32], has[32];
    size_t left = 0;
    if (!o->held) return MASS_OK;
    const mass_status status = mass_available_memory_left(&left, error);
    if (status != MASS_OK || needs <= (double)left + (double)o->held) return status;
    mass_format_bytes(wants, needs);
    mass_format_bytes(has, (double)left + (double)o->held);
    return mass_error_set(error, MASS_BAD_USAGE, "%s needs %s with these values, and this machine has %s for it",
                          s->model.plugin, wants, has);
}

mass_status mass_session_try(mass_session *s, void (*passed)(void), mass_error *error)
{
    mass_status status = set_up_model(s, error);
    if (status == MASS_OK) status = plan_output(s, error);
    if (status == MASS_OK) status = read_tables(s, error);
    if (status == MASS_OK) status = check_shares(s, error);
    if (status == MASS_OK) status = mass_fuse_check(&s->model, s->options->fuse, error);
    if (status == MASS_OK) status = check_memory(s, error);
    if (status != MASS_OK) return status;
    passed();
    return is_filled(s) ? fill_on_host(s, error) : MASS_OK;
}

/* Puts the expected agents of each population over all worlds, at the start or as resumed; 0 if not known yet. */
static void expect_agents(const mass_session *s, double agents[MASS_POPULATIONS_MAX])
{
    uint64_t stored[MASS_POPULATIONS_MAX] = {0};
    if (s->checkpoint) mass_checkpoint_agents(s->checkpoint, &s->model, stored);
    for (uint32_t p = 0; p < s->model.population_count; p++)
        agents[p] = s->checkpoint ? (double)stored[p]
                  : table_of(s, p) ? (double)s->tables[p].count
                                   : mass_population_estimate(&s->model, p) * mass_session_worlds(s);
}

mass_status mass_session_plan(mass_session *s, double agents[MASS_POPULATIONS_MAX], mass_error *error)
{
    mass_status status = set_up_model(s, error);
    if (status == MASS_OK) status = read_tables(s, error);
    if (status == MASS_OK) status = hash_plugin(s, error);
    if (status == MASS_OK) status = mass_signals_check(error);
    if (status == MASS_OK) status = create_shares(s, error);
    if (status == MASS_OK) expect_agents(s, agents);
    return status;
}
