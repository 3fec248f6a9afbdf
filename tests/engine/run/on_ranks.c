/* SPDX-License-Identifier: Apache-2.0 */
#include "on_ranks.h"
#include "population/gather.h"
#include "snapshot/create.h"
#include "snapshot/hash.h"
#include "snapshot/save.h"
#include "snapshot/snapshot.h"
#include "state/key_counts.h"
#include "state/tally.h"

#include "../comm/threads.h"
#include "../expect.h"
#include "device/cpu/cpu.h"
#include "run/repartition.h"
#include "snapshot/chunks.h"
#include "state/stop_condition.h"
#include "plan/fuse.h"
#include "plugin/load.h"
#include "run/serve.h"

#include <mass/random.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What all ranks of a run share. */
typedef struct job {
    const trial *trial;
    const mass_plugin *entry; /* or NULL */
    const outcome *from;
    outcome *out; /* rank 0's */
} job;

/* One rank. */
typedef struct member {
    const job *job;
    mass_comm *comm;
    mass_opening opening;
    mass_engine_host host;
    mass_model *model;
    mass_device_table table; /* of a rank that pretends */
    mass_launch_operations launch;
    mass_device *device;
    mass_domain *domain;
    mass_stepper *stepper;
    mass_expression until;
} member;

static mass_status make_model(member *m, mass_error *e)
{
    const trial *t = m->job->trial;
    m->opening = (mass_opening){.settings = t->settings, .dimensions = t->dimensions, .seed = 5, .quiet = true,
                                .size = {t->size[0], t->size[1], t->size[2]}};
    while (m->opening.setting_count < SETTINGS_MAX && t->settings[m->opening.setting_count].name)
        m->opening.setting_count++;
    if (m->job->entry) return mass_host_open(&m->host, m->job->entry, &m->opening, m->model, e);
    t->make(m->model, t->context, e);
    if (e->status == MASS_OK) mass_model_resolve(m->model, e);
    return e->status;
}

/* ---- parts of ranks ---- */

static uint32_t draw(uint64_t n, uint32_t which, uint32_t below)
{
    return mass_random_block(41, n, 0, 0, which).v[0] % below;
}

/* NULL: they are equal. */
static const int32_t *draw_shares(uint64_t uneven, int32_t ranks, int32_t shares[RANKS_MOST])
{
    for (int32_t r = 0; r < ranks; r++) shares[r] = 1 + (int32_t)draw(uneven, (uint32_t)(r + 20 * ranks), 9);
    return uneven ? shares : NULL;
}

/* The ranks are threads. */
static _Thread_local mass_comm *own_comm;
static _Thread_local uint64_t pretences;

/* Whatever was worked looks like a second more or less. */
static mass_status pretend(mass_device *device, mass_error *e)
{
    own_comm->waited -= 1e-3 * draw(pretences++, (uint32_t)own_comm->rank, 1000);
    return mass_cpu_table.launch->synchronise(device, e);
}

static const mass_device_table *table_of(member *m)
{
    const mass_device_table *table = m->job->trial->paranoid ? &mass_paranoid_table : &mass_cpu_table;
    const trial *t = m->job->trial;
    if ((!t->pretended && !t->launch) || t->paranoid) return table;
    own_comm = m->comm;
    pretences = 0;
    m->launch = *table->launch;
    if (t->pretended) m->launch.synchronise = pretend;
    if (t->launch) m->launch.launch = t->launch;
    m->table = *table;
    m->table.launch = &m->launch;
    return &m->table;
}

/* As mass_run_create does. */
static void thicken(member *m)
{
    const trial *t = m->job->trial;
    const int32_t most = t->fuse > t->tries ? t->fuse : t->tries, partitions = t->partitions ? t->partitions : 1;
    if (most > 1) mass_fuse_thicken(m->model, most);
    if (most > 1 && t->worlds < m->comm->size)
        mass_fuse_deepen(m->model, m->device, most, m->comm->size * partitions);
}

static mass_status fuse(member *m, mass_error *e)
{
    const trial *t = m->job->trial;
    mass_status status = t->fuse + t->tries ? mass_stepper_follow_rules(m->stepper, e) : MASS_OK;
    if (status == MASS_OK && t->fuse) status = mass_stepper_fuse(m->stepper, t->fuse, e);
    return status == MASS_OK ? mass_stepper_try_fuse(m->stepper, t->tries, e) : status;
}

static mass_status make_run(member *m, mass_error *e)
{
    const trial *t = m->job->trial;
    int32_t shares[RANKS_MOST];
    const mass_domain_options options = {.partitions = t->partitions ? t->partitions : 1,
        .worlds = t->worlds ? t->worlds : 1, .first_world = t->first_world, .seed = 5, .comm = m->comm,
        .shares = draw_shares(t->uneven, m->comm->size, shares)};
    mass_status status = mass_cpu_open(table_of(m), 1, &m->device, e);
    if (status == MASS_OK) thicken(m);
    if (status == MASS_OK) status = mass_domain_create(m->model, m->device, &options, &m->domain, e);
    if (status == MASS_OK)
        status = mass_stepper_create(m->domain, NULL, m->job->from ? m->job->from->step : 0, &m->stepper, e);
    if (status == MASS_OK) status = fuse(m, e);
    if (status == MASS_OK) mass_repartition_every(m->stepper, t->rebalance);
    if (status == MASS_OK) m->domain->write_part = t->write_part;
    if (status != MASS_OK || !t->until) return status;
    const mass_expression_scope scope = {m->model, options.worlds, t->first_world, false};
    status = mass_expression_compile("--until", t->until, &scope, &m->until, e);
    return status == MASS_OK ? mass_until_create(m->domain, t->until, &m->until, e) : status;
}

static mass_status begin(member *m, mass_error *e)
{
    const trial *t = m->job->trial;
    const outcome *from = m->job->from;
    mass_status status = t->table ? mass_population_use_table(m->domain, 0, t->table, e) : MASS_OK;
    if (from) {
        if (from->state.until.text) status = mass_until_restore(m->domain, &from->state.until, e);
        if (status == MASS_OK) status = mass_domain_restore(m->domain, &from->state, e);
        return status == MASS_OK ? mass_stepper_resume(m->stepper, e) : status;
    }
    if (status == MASS_OK && m->job->entry) status = mass_host_load(&m->host, m->job->entry, m->domain, e);
    if (status == MASS_OK && t->fill) t->fill(m->domain, t->context, e);
    return e->status == MASS_OK ? mass_stepper_start(m->stepper, e) : e->status;
}

/* What is asked for in small pieces is what the snapshot has. */
static mass_status check_numbers(mass_domain *d, const mass_snapshot *s, mass_error *e)
{
    const mass_model *m = d->model;
    bool same = true;
    for (uint32_t i = 0; i < m->tally_count; i++)
        for (int32_t w = 0; w < s->worlds; w++) {
            const mass_tally_def *t = &m->tallies[i];
            const int64_t *all = s->tallies + mass_tally_at(t, s->worlds, w);
            const uint32_t first = t->bins ? t->words / 3 : 0, count = t->bins ? t->words / 2 : t->words;
            int64_t *found = calloc(count + 1u, sizeof *found);
            mass_key_list keys = {0};
            if (t->keys) mass_domain_read_keys_of(d, i, w, 1, &keys, e);
            else mass_domain_read_tally(d, i, w, first, count, found, e);
            for (uint32_t k = 0; k < count && !t->bins && !t->keys; k++)
                same &= mass_tally_value(t, found) == mass_tally_value(t, all);
            same &= !t->bins || memcmp(found, all + first, count * sizeof *found) == 0;
            same &= keys.count == s->keys[(size_t)i * (size_t)s->worlds + (size_t)w].count;
            mass_key_list_free(&keys);
            free(found);
        }
    for (uint32_t p = 0; p < m->population_count; p++) {
        uint64_t *found = calloc((size_t)s->worlds, sizeof *found), *all = calloc((size_t)s->worlds, sizeof *all);
        mass_population_count_worlds(d, p, found, e);
        mass_snapshot_count_agents(s, p, all);
        same &= memcmp(found, all, (size_t)s->worlds * sizeof *all) == 0;
        free(found);
        free(all);
    }
    return same ? e->status : mass_error_set(e, MASS_FAILED, "a number is not the snapshot's");
}

/* So are attributes that are read in pieces of any size, of ranks' shares as they lie or as they were kept. */
static mass_status check_pieces(mass_domain *d, const mass_snapshot *s, bool kept, mass_error *e)
{
    const mass_model *m = d->model;
    mass_snapshot chunks = {0};
    mass_status status = mass_domain_save_chunks(d, kept, &chunks, e);
    bool same = true;
    for (uint32_t i = 0; status == MASS_OK && i < m->attribute_count; i++) {
        const size_t bytes = mass_snapshot_size(s, i), size = mass_element_size(&m->attributes[i]);
        const uint64_t count = bytes / size, each = count / 3 + 1;
        char *found = malloc(bytes + 1);
        for (uint64_t first = 0; status == MASS_OK && first < count; first += each)
            status = chunks.source->read(chunks.source->context, i, first, count - first < each ? count - first : each,
                                         found + first * size, e);
        same &= status == MASS_OK && memcmp(found, s->attributes[i], bytes) == 0;
        free(found);
    }
    if (chunks.model) mass_snapshot_free(&chunks);
    if (status == MASS_OK) status = mass_chunks_end(d, e);
    return same ? status : mass_error_set(e, MASS_FAILED, "a piece is not the snapshot's");
}

static bool stop(void *context, uint64_t step)
{
    const trial *t = context;
    return t->stop_at > 0 && step + 1 >= t->stop_at;
}

/* Rank 0's part, with a pause on the way. */
static mass_status carry_out(member *m, mass_error *e)
{
    const trial *t = m->job->trial;
    outcome *o = m->job->out;
    const mass_step_watch watch = {.stop = stop, .every = t->every, .context = (void *)(uintptr_t)t};
    mass_status status = begin(m, e);
    const uint64_t pause = m->stepper->step + (t->steps - m->stepper->step) / 3;
    if (status == MASS_OK) status = mass_stepper_advance(m->stepper, pause, &watch, e);
    const bool stopped = t->stop_at > 0 && m->stepper->step >= t->stop_at;
    if (status == MASS_OK && !stopped) status = mass_stepper_advance(m->stepper, t->steps, &watch, e);
    if (status == MASS_OK) status = mass_domain_save(m->domain, &o->state, e);
    o->step = o->state.step = m->stepper->step;
    o->held = m->stepper->held;
    o->repartitions = m->stepper->repartition.done;
    for (int32_t r = 0; status == MASS_OK && mass_share_is_split(&m->domain->share) && r < m->comm->size; r++)
        o->rows[r] = mass_share_first_row(&m->domain->share, m->model->spaces, r + 1) -
                     mass_share_first_row(&m->domain->share, m->model->spaces, r);
    if (status == MASS_OK) status = check_numbers(m->domain, &o->state, e);
    if (status == MASS_OK) status = check_pieces(m->domain, &o->state, false, e);
    if (status == MASS_OK) status = check_pieces(m->domain, &o->state, true, e);
    if (status == MASS_OK) status = mass_domain_hash(m->domain, &o->state, o->hash, e);
    return status == MASS_OK && t->finish ? t->finish(m->domain, e) : status;
}

static void live(mass_comm *comm, void *context)
{
    const job *j = context;
    mass_error own = {0}, *e = comm->rank == 0 ? &j->out->error : &own;
    member *m = calloc(1, sizeof *m);
    m->job = j;
    m->comm = comm;
    m->model = comm->rank == 0 ? j->out->model : calloc(1, sizeof *m->model);
    mass_status status = make_model(m, e);
    if (status == MASS_OK) status = make_run(m, e);
    if (status == MASS_OK && comm->rank > 0) status = mass_serve(m->domain, m->stepper, e);
    else if (status == MASS_OK) {
        mass_error end = {0};
        status = carry_out(m, e);
        mass_serve_end(comm, &end);
    }
    mass_stepper_free(m->stepper);
    mass_domain_free(m->domain);
    mass_device_close(m->device);
    mass_expression_free(&m->until);
    if (comm->rank > 0) mass_model_free(m->model);
    if (comm->rank > 0) free(m->model);
    free(m);
}

/* Loaded once: outcomes have models of it. */
static const mass_plugin *find_plugin(const char *name)
{
    enum { PLUGINS = 8 };
    static struct {
        const char *name;
        mass_loaded loaded;
    } known[PLUGINS];
    int i = 0;
    while (known[i].name && strcmp(known[i].name, name) != 0) i++;
    if (!known[i].name) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/%s.so", getenv("MASS_PLUGINS"), name);
        EXPECT_OK(mass_plugin_load(path, &known[i].loaded, e));
        known[i].name = name;
    }
    return known[i].loaded.entry;
}

outcome run_on_ranks(const trial *t, int32_t ranks, const outcome *from)
{
    outcome out = {.model = calloc(1, sizeof *out.model)};
    const job j = {t, t->plugin ? find_plugin(t->plugin) : NULL, from, &out};
    mass_run_as_ranks(ranks, live, (void *)(uintptr_t)&j);
    return out;
}

void free_outcome(outcome *o)
{
    if (o->state.model) mass_snapshot_free(&o->state);
    mass_model_free(o->model);
    free(o->model);
}

void expect_same_outcome(const outcome *expected, const outcome *found, const char *what)
{
    char a[33], b[33];
    cr_assert_eq(expected->error.status, MASS_OK, "%s: %s", what, expected->error.text);
    cr_assert_eq(found->error.status, MASS_OK, "%s: %s", what, found->error.text);
    cr_assert_eq(expected->step, found->step, "%s: %llu steps, not %llu", what, (unsigned long long)found->step,
                 (unsigned long long)expected->step);
    cr_assert_eq(expected->held, found->held, "%s: whether the condition held", what);
    mass_snapshot_hash(&expected->state, a);
    mass_snapshot_hash(&found->state, b);
    cr_assert_str_eq(a, b, "%s: another state", what);
    cr_assert_str_eq(found->hash, b, "%s: another hash than that of the state", what);
    const size_t tallies = found->model->tally_count * (size_t)found->state.worlds;
    cr_assert_arr_eq(expected->state.tallies, found->state.tallies,
                     (size_t)found->state.worlds * found->model->tally_words * sizeof *found->state.tallies,
                     "%s: other tallies", what);
    for (size_t i = 0; i < tallies; i++) {
        const mass_key_list *x = &expected->state.keys[i], *y = &found->state.keys[i];
        cr_assert_eq(x->count, y->count, "%s: other keys", what);
        if (x->count == 0) continue;
        cr_assert_arr_eq(x->counts, y->counts, x->count * sizeof *x->counts, "%s: other counts of keys", what);
    }
}

void expect_same_on_ranks(const trial *t, const int32_t *ranks, size_t count)
{
    outcome expected = run_on_ranks(t, 1, NULL);
    for (size_t i = 0; i < count; i++) {
        char what[200];
        outcome found = run_on_ranks(t, ranks[i], NULL);
        snprintf(what, sizeof what, "%s on %d ranks", t->plugin ? t->plugin : "the model", ranks[i]);
        expect_same_outcome(&expected, &found, what);
        free_outcome(&found);
        trial half = *t;
        half.steps = t->steps / 2;
        outcome middle = run_on_ranks(&half, ranks[i], NULL);
        outcome resumed = run_on_ranks(t, ranks[(i + 1) % count], &middle);
        snprintf(what, sizeof what, "%s on %d ranks and then %d", t->plugin ? t->plugin : "the model", ranks[i],
                 ranks[(i + 1) % count]);
        expect_same_outcome(&expected, &resumed, what);
        free_outcome(&resumed);
        free_outcome(&middle);
    }
    free_outcome(&expected);
}
