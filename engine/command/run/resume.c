/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the checkpoint that a run resumes from, and restores it. */
#include "command/run/session.h"
#include "io/checkpoint/checkpoint.h"
#include "process/signals.h"
#include "snapshot/chunks.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"
#include "text/parameter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Refuses a folder if an older complete checkpoint in it is of another run than the chosen one: the user must
 * choose. */
static mass_status check_one_run(const mass_checkpoint_names *names, size_t chosen, const char *folder,
                                 mass_error *error)
{
    mass_run_facts of, other;
    if (mass_file_facts(names->paths[chosen], &of) == MASS_FILE_UNREAD)
        return mass_error_unread(error, MASS_BAD_INPUT, names->paths[chosen], errno);
    for (size_t i = chosen + 1; i < names->count; i++) {
        mass_error problem = {0};
        const mass_file_kind kind = mass_file_facts(names->paths[i], &other);
        if (kind == MASS_FILE_UNREAD) return mass_error_unread(error, MASS_BAD_INPUT, names->paths[i], errno);
        if (kind != MASS_FILE_CHECKPOINT || mass_facts_agree(&of, &other)) continue;
        const mass_status status = mass_checkpoint_probe(names->paths[i], &problem);
        if (status != MASS_OK && (status != MASS_BAD_INPUT || problem.obstacle))
            return mass_error_set(error, status, "%s", problem.text);
        if (status == MASS_OK)
            return mass_error_set(error, MASS_BAD_USAGE, "%s holds checkpoints of several runs, of one %s and of "
                                  "another %s: name the file, as in --resume FILE, and another --checkpoint folder",
                                  folder, names->paths[chosen], names->paths[i]);
    }
    return MASS_OK;
}

/* Reports that a checkpoint is skipped for an older one, and why, without the remedy. */
static void say_passed_over(const char *path, const mass_error *problem)
{
    static const char remedy[] = ": " MASS_CHECKPOINT_REMEDY;
    const size_t length = strlen(problem->text), end = sizeof remedy - 1, name = strlen(path);
    const bool has = length > end && strcmp(problem->text + length - end, remedy) == 0;
    const char *why = strncmp(problem->text, path, name) == 0 ? problem->text + name : "";
    if (!why[0]) mass_progress_say("mass-engine: skipped %s: %s", path, problem->text);
    else mass_progress_say("mass-engine: skipped %s: it%.*s", path, (int)(strlen(why) - (has ? end : 0)), why);
}

/* Opens the newest checkpoint of a folder that verifies, as s->checkpoint, and reports skipped ones. A checkpoint that
 * cannot be checked for reasons outside of it is not skipped. */
static mass_status choose_checkpoint(mass_session *s, const char *folder, mass_error *error)
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
        } else if (problem.status != MASS_BAD_INPUT || problem.obstacle)
            status = mass_error_set(error, problem.status, "%s", problem.text);
        else say_passed_over(names.paths[i], &problem);
    }
    if (status == MASS_OK && !found)
        status = mass_error_set(error, MASS_BAD_INPUT, names.count ? "no checkpoint in %s is whole"
                                : "there is no checkpoint in %s", folder);
    mass_checkpoint_names_free(&names);
    return status;
}

void mass_folder_of(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    if (!slash) snprintf(folder, PATH_MAX, ".");
    else snprintf(folder, PATH_MAX, "%.*s", slash == path ? 1 : (int)(slash - path), path);
}

mass_status mass_session_open_checkpoint(mass_session *s, mass_error *error)
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
    if (status == MASS_OK && !s->options->checkpoint) mass_folder_of(s->checkpoint_path, s->folder);
    return status;
}

mass_status mass_session_hold_folder(mass_session *s, mass_error *error)
{
    const mass_options *o = s->options;
    char folder[PATH_MAX] = "";
    struct stat facts;
    if (o->checkpoint) snprintf(folder, sizeof folder, "%s", o->checkpoint);
    else if (o->resume && stat(o->resume, &facts) == 0) {
        if (S_ISDIR(facts.st_mode)) snprintf(folder, sizeof folder, "%s", o->resume);
        else mass_folder_of(o->resume, folder);
    }
    if (!folder[0] || stat(folder, &facts) != 0) return MASS_OK;
    return mass_folder_open(folder, "checkpoint", &s->place, error);
}

mass_status mass_session_restore_opening(mass_session *s, mass_error *error)
{
    const mass_model *stored = &s->checkpoint->model;
    const uint32_t count = stored->parameters.count;
    s->restored = calloc(count ? count : 1, sizeof *s->restored);
    s->restored_text = calloc(count ? count : 1, sizeof *s->restored_text);
    if (!s->restored || !s->restored_text) return mass_error_memory(error, count * sizeof *s->restored, "parameters");
    for (uint32_t i = 0; i < count; i++) {
        const mass_parameter_slot *slot = &stored->parameters.slots[i];
        if (!slot->given && !slot->constant && slot->type >= MASS_TEXT && !slot->text[0]) continue;
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

/* Restores attributes on all ranks in chunks, so that this rank never holds other ranks' parts as a whole. Puts the
 * rest into `numbers`. */
static mass_status restore_attributes(mass_session *s, mass_snapshot *numbers, mass_error *error)
{
    const mass_snapshot_sink sink = mass_chunks_sink(s->domain);
    mass_error ignored = {0};
    mass_status status = mass_chunks_begin(s->domain, MASS_CHUNKS_RESTORE, error);
    if (status != MASS_OK) return status;
    status = mass_checkpoint_restore(s->checkpoint, numbers, &sink, error);
    const mass_status ended = mass_chunks_end(s->domain, status == MASS_OK ? error : &ignored);
    return status == MASS_OK ? ended : status;
}

mass_status mass_session_restore_state(mass_session *s, mass_error *error)
{
    mass_snapshot numbers;
    uint64_t agents[MASS_POPULATIONS_MAX] = {0};
    mass_checkpoint_agents(s->checkpoint, &s->model, agents);
    mass_status status =
        mass_snapshot_allocate_numbers(&numbers, &s->model, s->domain->share.worlds, agents, error);
    if (status != MASS_OK) return status;
    status = restore_attributes(s, &numbers, error);
    if (status == MASS_OK) status = mass_domain_restore_numbers(s->domain, &numbers, error);
    mass_snapshot_free(&numbers);
    if (status == MASS_OK) status = mass_stepper_resume(s->run, error);
    if (status == MASS_OK && !s->checkpoint->identity[0])
        mass_progress_say("mass-engine: %s is of a version that gave runs no identity; it is taken as this run's",
                          s->checkpoint_path);
    return status;
}
