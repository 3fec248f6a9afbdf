/* SPDX-License-Identifier: Apache-2.0 */
#include "command/run/worker.h"
#include "base/file.h"
#include "command/run/job.h"
#include "command/run/link.h"
#include "io/checkpoint/layout.h"
#include "io/checkpoint/parts_write.h"
#include "plugin/elf.h"
#include "plugin/search.h"
#include "process/standard.h"
#include "ranks/rpc.h"
#include "run/create.h"
#include "run/repartition.h"
#include "run/serve.h"
#include "snapshot/create.h"
#include "state/stop_condition.h"
#include "text/reduction.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mass_worker {
    const mass_options *options;
    mass_comm *comm;
    mass_job job;
    mass_loaded loaded;
    mass_engine_host host;
    mass_model model;
    mass_expression until;
    mass_device *device;
    int32_t *shares; /* [ranks] measured weights, or NULL */
    mass_link *link;
    mass_domain *domain;
    mass_stepper *run;
    int32_t tries; /* most steps in one pass that are tried */
};

/* Finds rank 0's file or, if this machine does not have it, the file that the search finds under the plugin's name. */
static mass_status find_plugin(const mass_worker *w, char path[PATH_MAX], mass_error *error)
{
    const bool same = w->job.path && access(w->job.path, R_OK) == 0;
    return mass_plugin_find(same ? w->job.path : w->job.plugin, path, error);
}

/* Checks that the plugin's file is the same as rank 0's. */
static mass_status check_build(const mass_worker *w, const char *path, mass_error *error)
{
    mass_file plugin = {0};
    char hash[33];
    const mass_status status = mass_file_read(path, MASS_PLUGIN_BYTES_MAX, MASS_BAD_PLUGIN, &plugin, error);
    if (status != MASS_OK) return status;
    mass_checkpoint_hash_bytes(plugin.bytes, plugin.size, hash);
    mass_file_free(&plugin);
    if (strcmp(hash, w->job.plugin_hash) == 0) return MASS_OK;
    return mass_error_set(error, MASS_BAD_PLUGIN, "%s is another build of the plugin than rank 0's %s", path,
                          w->job.path);
}

/* Adds the reductions that --tally names to the model. */
static mass_status add_tallies(mass_worker *w, mass_error *error)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < w->job.tally_count; i++)
        status = mass_model_add_reduction_text(&w->model, w->job.tallies[i], error);
    return status;
}

/* Finds this rank's plugin file, checks that it is rank 0's build, loads it, opens the model and makes it equal to rank
 * 0's. */
static mass_status open_plugin(mass_worker *w, mass_error *error)
{
    char path[PATH_MAX];
    mass_elf_facts facts;
    mass_status status = find_plugin(w, path, error);
    w->job.opening.threads = w->options->threads;
    if (status == MASS_OK) status = check_build(w, path, error);
    if (status == MASS_OK) status = mass_elf_check_file(path, &facts, error);
    if (status == MASS_OK) status = mass_plugin_load(path, &w->loaded, error);
    if (status == MASS_OK)
        status = mass_host_open(&w->host, w->loaded.entry, &w->job.opening, &w->model, error);
    if (status == MASS_OK) status = add_tallies(w, error);
    return status == MASS_OK ? mass_job_apply(&w->job, &w->model, error) : status;
}

/* Compiles the stop condition and prepares it for the domain, if there is one. */
static mass_status create_until(mass_worker *w, mass_error *error)
{
    const mass_job *j = &w->job;
    const mass_expression_scope scope = {&w->model, j->worlds, j->first_world, true};
    if (!j->until) return MASS_OK;
    const mass_status status = mass_expression_compile("--until", j->until, &scope, &w->until, error);
    return status == MASS_OK ? mass_until_create(w->domain, j->until, &w->until, error) : status;
}

/* Opens this rank's device, as its options say. */
static mass_status open_device(mass_worker *w, mass_error *error)
{
    return mass_device_open(w->options->device ? w->options->device : "auto", w->options->threads,
                            w->loaded.entry->device_code != NULL, &w->device, error);
}

/* Creates this rank's domain, stepper and stop condition as prepare.c does on rank 0. */
static mass_status create_domain(mass_worker *w, mass_error *error)
{
    const mass_job *j = &w->job;
    const mass_options *o = w->options;
    const mass_run_request q = {.domain = {.partitions = j->partitions, .worlds = j->worlds, .seed = j->opening.seed,
                                           .first_world = j->first_world, .comm = w->comm,
                                           .shares = j->shares ? j->shares : w->shares,
                                           .by_edges = j->edge_shares},
                                .device_code = w->loaded.entry->device_code, .step = j->first_step,
                                .fuse = j->fuse, .no_bits = o->no_bits, .no_graph = o->no_graph,
                                .no_block = o->no_block, .no_overlap = o->no_overlap};
    const mass_status status = mass_run_create(&w->model, w->device, &q, &w->domain, &w->run, &w->tries, error);
    if (status == MASS_OK) w->domain->write_part = mass_parts_write_own;
    return status == MASS_OK ? create_until(w, error) : status;
}

void mass_worker_free(mass_worker *w)
{
    if (!w) return;
    mass_stepper_free(w->run);
    mass_domain_free(w->domain);
    if (w->link) w->link->table->close(w->link);
    mass_device_close(w->device);
    free(w->shares);
    mass_expression_free(&w->until);
    mass_model_free(&w->model);
    mass_plugin_unload(&w->loaded);
    mass_job_free(&w->job);
    free(w);
}

/* Creates this rank's part of the run. It agrees with the others at the same points as rank 0, even if something failed
 * here, as `status` says of what came before. */
static mass_status create(mass_worker *w, mass_status status, mass_error *error)
{
    const mass_options *o = w->options;
    mass_comm *comm = w->comm;
    if (status == MASS_OK) status = open_plugin(w, error);
    if (status == MASS_OK) status = open_device(w, error);
    status = mass_rpc_agree(comm, status, error);
    const bool given = w->job.shares || w->job.edge_shares;
    const mass_shares_wish wish = given ? MASS_SHARES_GIVEN : MASS_SHARES_BY_KIND; /* rank 0's wish is used */
    if (status == MASS_OK) status = mass_shares_measure(comm, w->device, wish, &w->shares, error);
    if (status == MASS_OK) status = mass_rpc_agree(comm, create_domain(w, error), error);
    if (status == MASS_OK)
        status = mass_link_domain(w->domain, o->comm, (double)o->comm_timeout, true, &w->link, error);
    return status == MASS_OK ? mass_stepper_try_fuse(w->run, w->tries, error) : status;
}

mass_status mass_worker_open(const mass_options *options, mass_comm *comm, mass_worker **out, mass_error *error)
{
    mass_worker *w = calloc(1, sizeof *w);
    bool cancelled;
    *out = NULL;
    if (!w) {
        mass_error_memory(error, sizeof *w, "the run");
        return mass_rpc_abandon(comm, error->status, error); /* rank 0 sends its job all the same */
    }
    w->options = options;
    w->comm = comm;
    mass_status status = mass_job_receive(comm, &w->job, &cancelled, error);
    if (!cancelled) status = create(w, status, error);
    if (status == MASS_OK && !cancelled) {
        *out = w;
        return MASS_OK;
    }
    if (status != MASS_OK) *error = (mass_error){0}; /* rank 0 reports it */
    mass_worker_free(w);
    return status;
}

mass_status mass_worker_serve(mass_worker *w, mass_error *error) { return mass_serve(w->domain, w->run, error); }

mass_status mass_worker_run(const mass_options *options, mass_comm *comm, mass_error *error)
{
    mass_worker *w;
    mass_status status = mass_worker_open(options, comm, &w, error);
    mass_standard_lend(); /* without mass_standard_take_back, as on rank 0 */
    if (w) status = mass_worker_serve(w, error);
    mass_worker_free(w);
    return status;
}
