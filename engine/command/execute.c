/* SPDX-License-Identifier: Apache-2.0 */
#include "command/execute.h"
#include "command/explain.h"
#include "command/go_on.h"
#include "command/info.h"
#include "command/loading.h"
#include "command/logging.h"
#include "command/parameter_file.h"
#include "command/ranges.h"
#include "command/report.h"
#include "command/sweep.h"
#include "command/word.h"
#include "core/file.h"
#include "domain/population.h"
#include "domain/until.h"
#include "io/checkpoint/format.h"
#include "io/input/table.h"
#include "io/output.h"
#include "io/picture/watch.h"
#include "plugin/elf.h"
#include "plugin/exposure.h"
#include "plugin/load.h"
#include "plugin/probe.h"
#include "plugin/search.h"
#include "process/crash.h"
#include "process/progress.h"
#include "process/signals.h"
#include "process/standard.h"
#include "run/feed.h"
#include "run/stepper.h"
#include "run/vain.h"
#include "text/parameter.h"
#include "text/reduction.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

static const size_t PLUGIN_BYTES_MAX = (size_t)1 << 32;

/* Everything that one run holds, released in one place. */
typedef struct session {
    const mass_options *options;
    mass_checkpoint *checkpoint; /* being resumed, or NULL */
    char checkpoint_path[PATH_MAX], folder[PATH_MAX];
    mass_folder *place; /* the checkpoint folder, where it was there before; held */
    mass_ownership owner; /* what this run is */
    mass_setting *restored; /* the checkpoint's parameters as settings */
    char (*restored_text)[64];
    mass_parameter_file parameters; /* of --params; all zero: none */
    mass_sweep sweep; /* all zero: none */
    mass_opening opening;
    mass_loaded loaded;
    mass_engine_host host;
    mass_model model;
    mass_expression until;
    mass_logging logging;
    mass_table tables[MASS_POPULATIONS_MAX];
    mass_loading loading; /* of --load; all zero: nothing */
    mass_inputs inputs; /* files that the run starts with, where it is not resumed */
    mass_device *device;
    mass_domain *domain;
    mass_stepper *run;
    mass_output_plan plan;
    mass_output *output;
    mass_progress progress;
    mass_watch *watch; /* NULL: nobody looks on */
    uint64_t first_step, last_step;
    bool seed_is_due, seed_said; /* it was drawn, and nobody has been told; or somebody has */
    double began, initialised, stepped;
} session;

static uint64_t random_seed(void)
{
    uint32_t seed = 0;
    if (getrandom(&seed, sizeof seed, 0) != sizeof seed) seed = (uint32_t)(mass_seconds() * 1e6);
    return seed;
}

/* ---- what is resumed ---- */

/* Of the checkpoints older than the chosen one, none that is whole may be of another run: which of them is to go on
 * is for the user to say. */
static mass_status check_one_run(const mass_checkpoint_names *names, size_t chosen, const char *folder,
                                 mass_error *error)
{
    mass_run_facts of, other;
    mass_file_facts(names->paths[chosen], &of);
    for (size_t i = chosen + 1; i < names->count; i++) {
        mass_error problem = {0};
        if (mass_file_facts(names->paths[i], &other) != MASS_FILE_CHECKPOINT || mass_facts_agree(&of, &other)) continue;
        const mass_status status = mass_checkpoint_probe(names->paths[i], &problem);
        if (status != MASS_OK && status != MASS_BAD_INPUT) return mass_error_set(error, status, "%s", problem.text);
        if (status == MASS_OK)
            return mass_error_set(error, MASS_BAD_USAGE, "%s holds checkpoints of several runs, of one %s and of "
                                  "another %s: name the file, as in --resume FILE, and another --checkpoint folder",
                                  folder, names->paths[chosen], names->paths[i]);
    }
    return MASS_OK;
}

/* The newest checkpoint of a folder that verifies; says what it passed over. One that cannot be checked, which is not
 * its fault, is not passed over. */
static mass_status choose_checkpoint(session *s, const char *folder, mass_error *error)
{
    mass_checkpoint_names names = {0};
    mass_status status = mass_checkpoint_list(folder, &names, error);
    bool found = false;
    for (size_t i = 0; status == MASS_OK && !found && i < names.count; i++) {
        mass_error problem = {0};
        found = mass_checkpoint_open_probed(names.paths[i], &s->checkpoint, &problem) == MASS_OK;
        status = mass_signals_check(error);
        if (status != MASS_OK) break;
        if (found) {
            snprintf(s->checkpoint_path, PATH_MAX, "%s", names.paths[i]);
            status = check_one_run(&names, i, folder, error);
        } else if (problem.status != MASS_BAD_INPUT) status = mass_error_set(error, problem.status, "%s", problem.text);
        else mass_progress_say("mass-engine: passed over %s", problem.text);
    }
    if (status == MASS_OK && !found)
        status = mass_error_set(error, MASS_BAD_INPUT, names.count ? "no checkpoint in %s is whole"
                                : "there is no checkpoint in %s", folder);
    mass_checkpoint_names_free(&names);
    return status;
}

/* The folder that a checkpoint lies in, where the resumed run puts the next ones. */
static void folder_of(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    if (!slash) snprintf(folder, PATH_MAX, ".");
    else snprintf(folder, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

static mass_status open_checkpoint(session *s, mass_error *error)
{
    const char *resume = s->options->resume;
    struct stat facts;
    if (stat(resume, &facts) != 0)
        return mass_error_set(error, MASS_BAD_INPUT, "%s: %m", resume);
    mass_status status;
    if (S_ISDIR(facts.st_mode)) status = choose_checkpoint(s, resume, error);
    else {
        snprintf(s->checkpoint_path, PATH_MAX, "%s", resume);
        status = mass_checkpoint_open_probed(resume, &s->checkpoint, error);
    }
    if (status == MASS_OK && !s->options->checkpoint) folder_of(s->checkpoint_path, s->folder);
    return status;
}

/* The checkpoint folder, if it is there, is held before anything in it is looked at. */
static mass_status hold_folder(session *s, mass_error *error)
{
    const mass_options *o = s->options;
    char folder[PATH_MAX] = "";
    struct stat facts;
    if (o->checkpoint) snprintf(folder, sizeof folder, "%s", o->checkpoint);
    else if (o->resume && stat(o->resume, &facts) == 0) {
        if (S_ISDIR(facts.st_mode)) snprintf(folder, sizeof folder, "%s", o->resume);
        else folder_of(o->resume, folder);
    }
    if (!folder[0] || stat(folder, &facts) != 0) return MASS_OK;
    return mass_folder_open(folder, "checkpoint", &s->place, error);
}

/* The stored parameters and size, as if the user had given them. */
static mass_status restore_opening(session *s, mass_error *error)
{
    const mass_model *stored = &s->checkpoint->model;
    const uint32_t count = stored->parameters.count;
    s->restored = calloc(count ? count : 1, sizeof *s->restored);
    s->restored_text = calloc(count ? count : 1, sizeof *s->restored_text);
    if (!s->restored || !s->restored_text) return mass_error_memory(error, count * sizeof *s->restored, "parameters");
    for (uint32_t i = 0; i < count; i++) {
        const mass_parameter_slot *slot = &stored->parameters.slots[i];
        if (!slot->given && !slot->constant && slot->type == MASS_TEXT && !slot->text[0]) continue;
        s->restored[s->opening.setting_count++] =
            (mass_setting){slot->name, mass_parameter_format(slot, s->restored_text[i]), NULL};
    }
    s->opening.settings = s->restored;
    memcpy(s->opening.size, stored->spaces[0].size, sizeof s->opening.size);
    s->opening.dimensions = stored->spaces[0].dimensions;
    s->opening.stored = stored;
    s->opening.seed = s->checkpoint->seed;
    s->opening.resumed = true;
    return MASS_OK;
}

/* ---- setting up ---- */

/* Those of the file, and those of --set. */
static mass_status read_parameters(session *s, mass_error *error)
{
    const mass_options *o = s->options;
    mass_status status = mass_parameter_file_read(o->params, &s->parameters, error);
    if (status == MASS_OK)
        status = mass_parameter_file_override(&s->parameters, o->settings, o->setting_count, error);
    if (status == MASS_OK)
        status = mass_inputs_add(&s->inputs, MASS_INPUT_PARAMETERS, o->params, s->parameters.hash, error);
    s->opening.settings = s->parameters.settings;
    s->opening.setting_count = s->parameters.count;
    return status;
}

/* A row is a world. */
static mass_status read_sweep(session *s, mass_error *error)
{
    const mass_options *o = s->options;
    const mass_status status = mass_sweep_read(o->sweep, &s->opening, &s->sweep, error);
    if (status == MASS_OK && o->worlds_given && o->worlds != s->sweep.worlds)
        return mass_error_set(error, MASS_BAD_USAGE, "--worlds %d, and %s has rows for %d: leave out --worlds",
                              o->worlds, o->sweep, s->sweep.worlds);
    return status;
}

static int32_t worlds_of(const session *s)
{
    if (s->checkpoint) return s->checkpoint->worlds;
    return s->sweep.worlds ? s->sweep.worlds : s->options->worlds;
}

static mass_status make_opening(session *s, mass_error *error)
{
    const mass_options *o = s->options;
    s->opening = (mass_opening){.quiet = o->quiet};
    if (s->checkpoint) return restore_opening(s, error);
    s->opening.settings = o->settings;
    s->opening.setting_count = o->setting_count;
    memcpy(s->opening.size, o->size, sizeof o->size);
    s->opening.dimensions = o->dimensions;
    s->opening.seed = o->seed_given ? o->seed : random_seed();
    if (!o->seed_given) mass_crash_seed(s->opening.seed);
    const mass_status status = o->params ? read_parameters(s, error) : MASS_OK;
    return status == MASS_OK && o->sweep ? read_sweep(s, error) : status;
}

/* Before the plugin is opened with the parameters of a checkpoint, which another does not have. */
static mass_status check_owner(const session *s, mass_error *error)
{
    const char *stored = s->checkpoint ? s->checkpoint->model.plugin : s->loaded.entry->name;
    if (strcmp(stored, s->loaded.entry->name) == 0) return MASS_OK;
    return mass_error_set(error, MASS_BAD_INPUT, "%s was written by plugin %s, not by %s: give --plugin %s",
                          s->checkpoint_path, stored, s->loaded.entry->name, stored);
}

/* What a plugin says of its parameters or size, where the user gave none. */
static mass_status blame_checkpoint(const session *s, mass_error *error)
{
    const mass_error cause = *error;
    *error = (mass_error){0};
    return mass_error_set(error, MASS_BAD_INPUT, "%s does not fit its plugin: %s", s->checkpoint_path, cause.text);
}

/* A checkpoint names its plugin, and never a path: what is loaded is found by the search. */
static mass_status find_plugin(const session *s, char path[PATH_MAX], mass_error *error)
{
    if (s->options->plugin) return mass_word_plugin(s->options->plugin, path, error);
    const char *name = s->checkpoint->model.plugin;
    mass_error cause = {0};
    if (mass_plugin_find(name, path, &cause) == MASS_OK) return MASS_OK;
    return mass_error_set(error, cause.status, "%s was written by plugin %s: name it with --plugin PATH (%s)",
                          s->checkpoint_path, name, cause.text);
}

static void say_exposure(const session *s, const char *path)
{
    char where[PATH_MAX];
    if (!s->options->quiet && mass_plugin_is_exposed(path, where))
        mass_progress_say("mass-engine: everybody on this machine can write to %s, and so choose what this plugin does: "
                          "chmod o-w", where);
}

/* Of a checkpoint, with the ranges that attributes have in all of its worlds. */
static mass_status open_model(session *s, mass_error *error)
{
    mass_ranges ranges = {0};
    const mass_model *stored = s->checkpoint ? &s->checkpoint->model : NULL;
    mass_status status = MASS_OK;
    if (stored) status = mass_ranges_find(&ranges, &s->host, s->loaded.entry, &s->opening, stored, error);
    if (status == MASS_OK) status = mass_host_open(&s->host, s->loaded.entry, &s->opening, &s->model, error);
    if (status == MASS_OK) mass_ranges_give(&ranges, &s->model);
    mass_ranges_free(&ranges);
    return status;
}

static mass_status open_any(session *s, mass_error *error)
{
    if (!s->sweep.worlds) return open_model(s, error);
    return mass_sweep_open(&s->sweep, &s->host, s->loaded.entry, &s->opening, &s->model, error);
}

/* Where no size is given, that of a file to load. */
static mass_status take_size_of_file(session *s, mass_error *error)
{
    const mass_options *o = s->options;
    mass_opening *opening = &s->opening;
    if (o->load_count == 0 || opening->dimensions || s->model.space_count == 0) return MASS_OK;
    mass_status status = mass_loading_size(o, &s->model, worlds_of(s), opening->size, &opening->dimensions, error);
    if (status != MASS_OK || opening->dimensions == 0) return status;
    mass_model_free(&s->model);
    return open_any(s, error);
}

static mass_status open_plugin(session *s, mass_error *error)
{
    char path[PATH_MAX];
    mass_status status = find_plugin(s, path, error);
    mass_elf_facts facts;
    if (status == MASS_OK) say_exposure(s, path);
    if (status == MASS_OK) status = mass_elf_check_file(path, &facts, error);
    if (status == MASS_OK) status = mass_probe_plugin(path, &s->opening, error);
    if (status == MASS_OK) status = mass_plugin_load(path, &s->loaded, error);
    if (status == MASS_OK) status = check_owner(s, error);
    if (status == MASS_OK) status = open_any(s, error);
    if (status == MASS_OK) status = take_size_of_file(s, error);
    if (status == MASS_OK && s->model.seedless && !s->options->seed_given && !s->checkpoint)
        mass_crash_seed(s->opening.seed = 0);
    if (status == MASS_OK && s->checkpoint && strcmp(s->model.version, s->checkpoint->model.version) != 0)
        mass_progress_say("mass-engine: the checkpoint is of %s %s, and this is %s", s->model.plugin,
                          s->checkpoint->model.version, s->model.version);
    if (status == MASS_BAD_USAGE && s->checkpoint) status = blame_checkpoint(s, error);
    return status;
}

/* After a checkpoint was compared with the model, which has nothing of this. */
static mass_status add_tallies(session *s, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < s->options->tally_count; i++)
        status = mass_model_add_reduction_text(&s->model, s->options->tallies[i], error);
    return status;
}

static mass_status plan_steps(session *s, mass_error *error)
{
    const mass_options *o = s->options;
    s->first_step = s->checkpoint ? s->checkpoint->step : 0;
    s->last_step = o->steps_given ? o->steps : s->checkpoint ? s->checkpoint->last_step : s->model.default_steps;
    if (s->checkpoint && o->steps_given && o->steps < s->first_step)
        return mass_error_set(error, MASS_BAD_USAGE, "--steps %" PRIu64 " lies before step %" PRIu64 " of the "
                              "checkpoint", o->steps, s->first_step);
    if (s->last_step < s->first_step) s->last_step = s->first_step;
    return MASS_OK;
}

static const char *until_text(const session *s)
{
    return s->options->until ? s->options->until : s->checkpoint ? s->checkpoint->until.text : NULL;
}

/* Whether the run goes on with the condition that the checkpoint had, and with what that has seen. */
static bool keeps_until(const session *s)
{
    const char *stored = s->checkpoint ? s->checkpoint->until.text : NULL;
    return stored && strcmp(stored, until_text(s)) == 0;
}

/* Of the condition that the checkpoint has. */
static mass_status blame_until(const session *s, mass_error *error)
{
    const mass_error cause = *error;
    *error = (mass_error){0};
    return mass_error_set(error, cause.status, "%s does not fit its plugin (a --tally that its condition names has "
                          "to be given again): %s", s->checkpoint_path, cause.text);
}

static mass_status compile_until(session *s, mass_error *error)
{
    if (!until_text(s)) return MASS_OK;
    const mass_expression_scope scope = {&s->model, worlds_of(s), s->checkpoint ? s->checkpoint->first_world
                                                                               : s->options->first_world,
                                         keeps_until(s)};
    mass_status status = mass_expression_compile("--until", until_text(s), &scope, &s->until, error);
    if (status == MASS_OK && keeps_until(s) && s->until.steady_count != s->checkpoint->until.steady_count)
        status = mass_error_set(error, MASS_BAD_INPUT, "its stop condition has another number of steady()");
    return status != MASS_OK && keeps_until(s) ? blame_until(s, error) : status;
}

static mass_status create_until(session *s, mass_error *error)
{
    if (!until_text(s)) return MASS_OK;
    mass_status status = mass_until_create(s->domain, until_text(s), &s->until, error);
    if (status != MASS_OK || !keeps_until(s)) return status;
    s->run->held = s->checkpoint->until.held != MASS_NOT_HELD;
    return mass_until_restore(s->domain, &s->checkpoint->until, error);
}

/* What was and is remembered of the files that the run started with. */
static const mass_inputs *inputs_of(const session *s) { return s->checkpoint ? &s->checkpoint->inputs : &s->inputs; }

/* People mend a plugin and go on, and may forget to raise its version. */
static void say_other_build(const session *s)
{
    const mass_checkpoint *c = s->checkpoint;
    if (strcmp(s->model.version, c->model.version) != 0 || !c->plugin_hash[0]) return;
    if (strcmp(s->owner.facts.plugin_hash, c->plugin_hash) != 0)
        mass_progress_say("mass-engine: the checkpoint is of another build of %s %s than %s: if its rules changed, the "
                          "run goes on by the new ones", s->model.plugin, s->model.version, s->loaded.path);
}

/* Once all is known that makes a run what it is. */
static mass_status identify(session *s, mass_error *error)
{
    mass_file plugin = {0};
    const mass_series_set *set = &s->logging.set;
    mass_run_facts *facts = &s->owner.facts;
    mass_status status = mass_file_read(s->loaded.path, PLUGIN_BYTES_MAX, MASS_BAD_PLUGIN, &plugin, error);
    if (status != MASS_OK) return status;
    mass_checkpoint_hash_bytes(plugin.bytes, plugin.size, facts->plugin_hash);
    mass_file_free(&plugin);
    if (s->checkpoint) say_other_build(s);
    s->owner.resumed = s->checkpoint != NULL;
    s->owner.force = s->options->force;
    memcpy(facts->run, set->run, sizeof facts->run);
    memcpy(facts->schema, set->schema, sizeof facts->schema);
    memcpy(facts->plugin, set->plugin, sizeof facts->plugin);
    facts->known = true;
    facts->seed = set->seed;
    facts->worlds = (uint64_t)set->worlds;
    facts->first_world = (uint64_t)set->first_world;
    if (!s->checkpoint || !s->checkpoint->identity[0]) return mass_identity_make(facts->identity, error);
    memcpy(facts->identity, s->checkpoint->identity, sizeof facts->identity);
    return MASS_OK;
}

static mass_status plan_logging(session *s, mass_error *error)
{
    char from[PATH_MAX];
    if (s->checkpoint) folder_of(s->checkpoint_path, from);
    if (s->options->checkpoint) snprintf(s->folder, PATH_MAX, "%s", s->options->checkpoint);
    s->logging.set.owner = &s->owner;
    const int32_t first_world = s->checkpoint ? s->checkpoint->first_world : s->options->first_world;
    const mass_status status = mass_series_identify(&s->model, inputs_of(s), s->opening.seed, worlds_of(s), first_world,
                                                    &s->logging.set, error);
    if (status != MASS_OK) return status;
    return mass_logging_plan(s->options, &s->model, s->checkpoint ? from : NULL, s->folder[0] ? s->folder : NULL,
                             s->first_step, &s->logging, error);
}

static mass_status plan_output(session *s, mass_error *error)
{
    const mass_options *o = s->options;
    mass_status status = plan_logging(s, error);
    if (status == MASS_OK) status = identify(s, error);
    if (status != MASS_OK) return status;
    s->plan = (mass_output_plan){
        .folder = s->folder[0] ? s->folder : NULL,
        .checkpoint_every = s->checkpoint && !o->every_given ? s->checkpoint->every : o->checkpoint_every,
        .keep = s->checkpoint && !o->keep_given ? s->checkpoint->keep : (uint32_t)o->keep,
        .resumed = s->checkpoint ? s->checkpoint_path : NULL,
        .first_step = s->first_step,
        .last_step = s->last_step,
        .image = o->image,
        .movie = o->movie,
        .movie_every = o->movie_every,
        .slice = o->slice,
        .inputs = inputs_of(s),
        .fields = o->fields,
        .fields_every = o->fields_every,
        .owner = &s->owner,
        .place = s->place,
        .seed = s->opening.seed,
        .log = s->logging.set.count ? &s->logging.set : NULL,
        .programs = s->logging.programs,
        .log_source = s->logging.source[0] ? s->logging.source : NULL,
        .log_found = &s->logging.found,
        .series = o->series};
    return mass_output_create(&s->plan, &s->model, &s->output, error);
}

/* The file that the user named for a population's start, or NULL. */
static const char *table_of(const session *s, uint32_t population)
{
    const int parameter = s->model.populations[population].table;
    const char *path = parameter < 0 ? "" : s->model.parameters.slots[parameter].text;
    return s->checkpoint || !path[0] ? NULL : path;
}

static mass_status read_tables(session *s, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < s->model.population_count; i++) {
        const mass_population_def *p = &s->model.populations[i];
        const mass_table_request request = {&s->model, i, worlds_of(s), s->options->first_world};
        const char *path = table_of(s, i);
        if (path) status = mass_table_read(&request, path, &s->tables[i], error);
        else if (!s->checkpoint && p->initial == MASS_FROM_TABLE)
            return mass_error_set(error, MASS_BAD_USAGE, "population %s starts from a table: --set %s=FILE.csv or "
                                  "FILE.h5", p->name, s->model.parameters.slots[p->table].name);
    }
    return status;
}

static mass_status create_domain(session *s, mass_error *error)
{
    const mass_options *o = s->options;
    const mass_domain_options domain = {.partitions = o->partitions, .seed = s->opening.seed,
        .worlds = worlds_of(s),
        .first_world = s->checkpoint ? s->checkpoint->first_world : o->first_world};
    const void *code = s->loaded.entry->device_code;
    mass_status status = mass_device_open(o->device ? o->device : "auto", o->threads, code != NULL, &s->device, error);
    if (status == MASS_OK) status = mass_domain_create(&s->model, s->device, &domain, &s->domain, error);
    if (status == MASS_OK) status = mass_stepper_create(s->domain, code, s->first_step, &s->run, error);
    if (status == MASS_OK) status = create_until(s, error);
    if (status == MASS_OK && o->profile) status = mass_stepper_profile(s->run, error);
    return status;
}

static mass_status restore_state(session *s, mass_error *error)
{
    mass_snapshot snapshot;
    uint64_t agents[MASS_POPULATIONS_MAX] = {0};
    mass_checkpoint_agents(s->checkpoint, &s->model, agents);
    mass_status status = mass_snapshot_allocate(&snapshot, &s->model, s->domain->worlds, agents, error);
    if (status != MASS_OK) return status;
    status = mass_checkpoint_read(s->checkpoint, &snapshot, error);
    if (status == MASS_OK) status = mass_domain_restore(s->domain, &snapshot, error);
    mass_snapshot_free(&snapshot);
    if (status == MASS_OK) status = mass_stepper_resume(s->run, error);
    if (status == MASS_OK && !s->checkpoint->identity[0])
        mass_progress_say("mass-engine: %s is of a version that gave runs no identity; it is taken as this run's",
                          s->checkpoint_path);
    return status;
}

/* A seed that was drawn is said as soon as nothing that the user gave can be refused any more, so that the run
 * can be repeated however it ends. With --quiet and --json, only the result or a failure says it. */
static void say_seed(session *s)
{
    if (s->options->seed_given || s->model.seedless) return;
    s->seed_is_due = s->options->quiet && s->options->json;
    s->seed_said = !s->seed_is_due;
    if (s->seed_said) mass_progress_say("mass-engine: seed %" PRIu64, s->opening.seed);
}

static void add_seed(const session *s, mass_error *error)
{
    const size_t used = strlen(error->text);
    if (s->seed_is_due && error->status != MASS_OK)
        snprintf(error->text + used, sizeof error->text - used, " (seed %" PRIu64 ")", s->opening.seed);
}

/* All that is known before there is a device. */
static mass_status set_up_model(session *s, mass_error *error)
{
    mass_status status = s->options->resume ? open_checkpoint(s, error) : MASS_OK;
    if (status == MASS_OK) status = make_opening(s, error);
    if (status == MASS_OK) status = open_plugin(s, error);
    if (status == MASS_OK && s->checkpoint) status = mass_checkpoint_match(s->checkpoint, &s->model, error);
    if (status == MASS_OK && s->checkpoint) status = mass_checkpoint_restore_sweep(s->checkpoint, &s->model, error);
    if (status == MASS_OK) status = add_tallies(s, error);
    if (status == MASS_OK) status = plan_steps(s, error);
    if (status == MASS_OK) status = compile_until(s, error);
    if (status == MASS_OK) /* before the output, as it tells runs apart */
        status = mass_loading_read(s->options, &s->model, worlds_of(s), &s->loading, &s->inputs, error);
    return status;
}

static mass_status set_up(session *s, mass_error *error)
{
    mass_status status = s->options->watch ? mass_watch_check(error) : MASS_OK;
    if (status == MASS_OK) status = hold_folder(s, error);
    if (status == MASS_OK) status = set_up_model(s, error);
    if (status == MASS_OK) status = plan_output(s, error);
    if (status == MASS_OK && s->options->watch)
        status = mass_watch_create(&s->model, s->options->slice, &s->watch, error);
    if (status == MASS_OK) status = read_tables(s, error);
    if (status == MASS_OK) status = mass_signals_check(error);
    if (status == MASS_OK) status = create_domain(s, error);
    if (status == MASS_OK) status = mass_signals_check(error);
    if (status != MASS_OK) return status;
    for (uint32_t i = 0; i < s->model.population_count; i++)
        if (table_of(s, i)) mass_population_use_table(s->domain, i, &s->tables[i]);
    if (s->checkpoint) return restore_state(s, error);
    status = mass_host_load(&s->host, s->loaded.entry, s->domain, error);
    if (status == MASS_OK) status = mass_loading_apply(&s->loading, s->domain, error);
    if (status == MASS_OK) status = mass_signals_check(error);
    if (status != MASS_OK) return status;
    say_seed(s);
    mass_standard_lend();
    status = mass_stepper_start(s->run, error);
    mass_standard_take_back();
    return status;
}

/* ---- stepping ---- */

static bool stop(void *context, uint64_t step)
{
    session *s = context;
    mass_progress_update(&s->progress, step);
    return mass_signals_pending() || mass_watch_is_due(s->watch);
}

static void show_fed(void *context, uint64_t step, uint64_t given)
{
    session *s = context;
    mass_progress_fed(&s->progress, step, given, s->model.stream.items);
}

/* As soon as it is known to be, and at the end. */
static mass_status say_vain(session *s, mass_error *error)
{
    return s->options->quiet ? MASS_OK : mass_vain_say(s->domain, error);
}

/* Steps from output or look to the next one, until the end or a signal. */
static mass_status step(session *s, mass_error *error)
{
    double places = 0;
    for (uint32_t i = 0; i < s->model.space_count; i++) places += (double)mass_space_places(&s->model.spaces[i]);
    const mass_stream_def *stream = s->model.stream.feed ? &s->model.stream : NULL;
    mass_progress_begin(&s->progress, s->first_step, s->last_step,
                        stream ? (double)stream->items : places * s->domain->worlds, stream ? "items" : "places",
                        s->options->quiet || s->watch);
    const mass_step_watch watcher = {.stop = stop, .fed = show_fed, .context = s};
    mass_status status = mass_output_begin(s->output, s->domain, s->run->step, error);
    mass_standard_lend(); /* for good: files of the run may be open, of which take_back knows nothing */
    bool first = true;
    while (status == MASS_OK && s->run->step < s->last_step && !s->run->held && !mass_signals_end()) {
        if (mass_watch_is_due(s->watch)) mass_watch_look(s->watch, s->domain, &s->progress, s->run->step);
        status = mass_stepper_advance(s->run, mass_output_next(s->output, s->run->step, s->last_step), &watcher, error);
        mass_standard_hold();
        if (status == MASS_OK && first) status = say_vain(s, error);
        first = false;
        if (status == MASS_OK)
            status = mass_output_at(s->output, s->domain, s->run->step, mass_signals_take_checkpoint(), error);
    }
    mass_progress_end(&s->progress);
    if (status == MASS_OK) status = say_vain(s, error);
    if (status == MASS_OK) mass_watch_look(s->watch, s->domain, &s->progress, s->run->step);
    mass_watch_end(s->watch);
    return status;
}

/* By population and world; the caller frees it. */
static mass_status count_agents(const session *s, uint64_t **out, mass_error *error)
{
    const size_t worlds = (size_t)s->domain->worlds, count = s->model.population_count * worlds;
    mass_status status = MASS_OK;
    *out = calloc(count + 1, sizeof **out);
    if (!*out) return mass_error_memory(error, count * sizeof **out, "counts of agents");
    for (uint32_t p = 0; status == MASS_OK && p < s->model.population_count; p++)
        status = mass_population_count_worlds(s->domain, p, *out + p * worlds, error);
    return status;
}

/* What is there at the end: all of it only where it goes to a file. */
static mass_status take_state(const session *s, mass_snapshot *out, mass_error *error)
{
    const bool whole = mass_output_needs_state(s->output, s->run->step);
    const mass_status status = whole ? mass_domain_save(s->domain, out, error)
                                     : mass_domain_save_numbers(s->domain, out, error);
    if (status == MASS_OK) out->step = s->run->step;
    return status;
}

/* The final state goes to disk before the plugin's finish and the report, which may fail. A disk that does not
 * take it leaves the report. */
static mass_status conclude(session *s, mass_error *error)
{
    mass_snapshot snapshot;
    uint64_t *agents = NULL;
    mass_status written = MASS_OK;
    mass_output_drain(s->output);
    mass_status status = take_state(s, &snapshot, error);
    if (status != MASS_OK) return status;
    mass_result result = {.model = &s->model, .device = s->device->table->name(s->device),
        .first_step = s->first_step, .steps = s->run->step, .seed = s->opening.seed, .worlds = s->domain->worlds,
        .items = s->run->feeder ? mass_feeder_total(s->run->feeder) : 0,
        .first_world = s->domain->first_world, .partitions = s->domain->partition_count,
        .until = until_text(s), .held = s->run->held,
        .interrupted = mass_signals_end() != 0 || s->run->out_of_room, .tallies = snapshot.tallies,
        .keys = snapshot.keys, .profile = s->run->profile, .last_step = s->last_step, .keeps = s->folder[0],
        .resumed = s->checkpoint != NULL, .seed_said = s->seed_said};
    status = mass_domain_hash(s->domain, &snapshot, result.state_hash, error);
    if (status == MASS_OK) status = count_agents(s, &agents, error);
    result.agents = agents;
    if (status == MASS_OK && result.profile)
        status = s->device->table->memory->copy_rate(s->device, &result.copy_rate, error);
    if (status == MASS_OK) written = mass_output_end(s->output, s->domain, &snapshot, error);
    if (status == MASS_OK && !result.interrupted)
        status = mass_host_finish(&s->host, s->loaded.entry, s->domain, s->run->step, error);
    if (status == MASS_OK) {
        const double now = mass_seconds();
        result.checkpoint = mass_output_checkpoint(s->output);
        result.init = s->initialised - s->began;
        const double between = mass_output_seconds(s->output) + mass_watch_seconds(s->watch);
        result.output = now - s->stepped + between;
        result.run = s->stepped - s->initialised - between;
        result.total = now - s->began;
        if (result.interrupted && result.checkpoint) result.go_on = mass_go_on(s->options, s->folder);
        if (!s->options->quiet) mass_report_text(&result);
        if (s->options->json) status = mass_report_json(&result, error);
    }
    free(result.go_on);
    free(agents);
    mass_snapshot_free(&snapshot);
    return status == MASS_OK ? written : status;
}

/* A run that stops for want of memory, after a complete step: its state and report come as ever. */
static mass_status conclude_short(session *s, mass_error *error)
{
    const mass_error reason = *error;
    *error = (mass_error){0};
    const mass_status status = conclude(s, error);
    if (status == MASS_OK) *error = reason;
    return error->status;
}

static void release(session *s)
{
    mass_watch_free(s->watch);
    mass_output_free(s->output);
    mass_stepper_free(s->run);
    mass_domain_free(s->domain);
    mass_device_close(s->device);
    for (uint32_t i = 0; i < s->model.population_count; i++) mass_table_free(&s->model, &s->tables[i]);
    mass_loading_free(&s->loading);
    mass_inputs_free(&s->inputs);
    mass_logging_free(&s->logging);
    mass_expression_free(&s->until);
    mass_model_free(&s->model);
    mass_plugin_unload(&s->loaded);
    mass_checkpoint_close(s->checkpoint);
    mass_folder_close(s->place);
    mass_sweep_free(&s->sweep);
    mass_parameter_file_free(&s->parameters);
    free(s->restored);
    free(s->restored_text);
}

mass_status mass_execute(const mass_options *options, mass_error *error)
{
    session *s = calloc(1, sizeof *s);
    if (!s) return mass_error_memory(error, sizeof *s, "the run");
    s->options = options;
    s->began = mass_seconds();
    mass_status status = set_up(s, error);
    s->initialised = mass_seconds();
    if (status == MASS_OK) status = step(s, error);
    s->stepped = mass_seconds();
    if (status == MASS_OK) status = conclude(s, error);
    else if (s->run && s->run->out_of_room) status = conclude_short(s, error);
    if (status == MASS_OK && mass_signals_end()) status = MASS_INTERRUPTED;
    add_seed(s, error);
    release(s);
    free(s);
    return status;
}

/* In all worlds, at the start or as it is resumed; none where nobody can tell yet. */
static void expect_agents(const session *s, double agents[MASS_POPULATIONS_MAX])
{
    uint64_t stored[MASS_POPULATIONS_MAX] = {0};
    if (s->checkpoint) mass_checkpoint_agents(s->checkpoint, &s->model, stored);
    for (uint32_t p = 0; p < s->model.population_count; p++)
        agents[p] = s->checkpoint ? (double)stored[p]
                  : table_of(s, p) ? (double)s->tables[p].count
                                   : mass_population_estimate(&s->model, p) * worlds_of(s);
}

mass_status mass_execute_explain(const mass_options *options, mass_error *error)
{
    double agents[MASS_POPULATIONS_MAX] = {0};
    session *s = calloc(1, sizeof *s);
    if (!s) return mass_error_memory(error, sizeof *s, "the plan");
    s->options = options;
    mass_status status = set_up_model(s, error);
    if (status == MASS_OK) status = read_tables(s, error);
    if (status == MASS_OK) status = mass_signals_check(error);
    if (status == MASS_OK) status = create_domain(s, error);
    if (status == MASS_OK) expect_agents(s, agents);
    if (status == MASS_OK) status = mass_explain(&(mass_explanation){s->run, agents, options->json}, error);
    release(s);
    free(s);
    return status;
}

mass_status mass_execute_info(const mass_options *options, mass_error *error)
{
    session *s = calloc(1, sizeof *s);
    if (!s) return mass_error_memory(error, sizeof *s, "the description");
    s->options = options;
    mass_status status = make_opening(s, error);
    if (status == MASS_OK) status = open_plugin(s, error);
    if (status == MASS_OK) status = add_tallies(s, error);
    if (status == MASS_OK)
        status = mass_info_print(&(mass_info){&s->model, s->loaded.entry, s->loaded.path, options->plugin,
                                              options->partitions, worlds_of(s), options->json, options->verbose},
                                 error);
    release(s);
    free(s);
    return status;
}
