/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU: a team of threads over rows, loops compiled for several instruction sets. */
#include "device/cpu.h"
#include "cpu/kernels.h"
#include "device/cpu_keys.h"
#include "device/host_memory.h"
#include "device/keys_field.h"
#include "device/threads.h"
#include "process/crash.h"
#include "process/limits.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_X = 4096, MEMORY_ALIGNMENT = 256, CACHE_LINE = 64 };

static const char *const isa_names[] = {[MASS_ISA_BASE] = "base", [MASS_ISA_AVX2] = "avx2",
                                       [MASS_ISA_AVX512] = "avx512"};

static uint32_t widest_isa(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return MASS_ISA_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return MASS_ISA_AVX2;
#endif
    return MASS_ISA_BASE;
}

static mass_status choose_isa(uint32_t *isa, mass_error *error)
{
    const uint32_t widest = widest_isa();
    const char *wish = getenv("MASS_ISA");
    *isa = widest;
    if (!wish || !*wish) return MASS_OK;
    for (uint32_t i = 0; i < sizeof isa_names / sizeof *isa_names; i++)
        if (strcmp(wish, isa_names[i]) == 0 && i <= widest) {
            *isa = i;
            return MASS_OK;
        }
    return mass_error_set(error, MASS_BAD_USAGE, "MASS_ISA=%s is not an instruction set of this machine: it has "
                          "base%s%s", wish, widest >= MASS_ISA_AVX2 ? ", avx2" : "",
                          widest >= MASS_ISA_AVX512 ? ", avx512" : "");
}

mass_status mass_cpu_open(const mass_device_table *table, int threads, mass_device **out, mass_error *error)
{
    mass_cpu *cpu = calloc(1, sizeof *cpu);
    if (!cpu) return mass_error_memory(error, sizeof *cpu, "the CPU device");
    cpu->device.table = table;
    const mass_status status = choose_isa(&cpu->isa, error);
    if (status != MASS_OK) {
        free(cpu);
        return status;
    }
    cpu->team = mass_threads_team(threads > 0 ? threads : mass_threads_default());
    cpu->paced = threads <= 0;
    *out = &cpu->device;
    return MASS_OK;
}

static mass_status open_cpu(int ordinal, int threads, mass_device **out, mass_error *error)
{
    (void)ordinal;
    return mass_cpu_open(&mass_cpu_table, threads, out, error);
}

void mass_cpu_close(mass_device *device)
{
    mass_cpu *cpu = (mass_cpu *)device;
    while (cpu->prepared) {
        mass_prepared *next = cpu->prepared->next;
        free(cpu->prepared->pace);
        free(cpu->prepared);
        cpu->prepared = next;
    }
    mass_cpu_team_stop(cpu->team);
    mass_cpu_manage_free(&cpu->manage);
    free(cpu->scratch);
    free(cpu);
}

static const char *name_of_cpu(mass_device *device)
{
    (void)device;
    return "cpu";
}

mass_status mass_cpu_host_memory(size_t *bytes, mass_error *error)
{
    const mass_status status = mass_host_memory("", bytes, error);
    const size_t left = mass_limits_left();
    if (status != MASS_OK || left == SIZE_MAX) return status;
    const size_t free_bytes = left > MASS_LIMITS_KEPT ? left - MASS_LIMITS_KEPT : 0;
    if (free_bytes < *bytes) *bytes = free_bytes;
    return MASS_OK;
}

static mass_status available(mass_device *device, size_t *bytes, mass_error *error)
{
    size_t all;
    const mass_status status = mass_cpu_host_memory(&all, error);
    if (status == MASS_OK) *bytes = all / (1 + ((mass_cpu *)device)->copies);
    return status;
}

static mass_status allocate(mass_device *device, size_t bytes, void **out, mass_error *error)
{
    (void)device;
    void *memory;
    if (bytes > SIZE_MAX / 2 || posix_memalign(&memory, MEMORY_ALIGNMENT, bytes ? bytes : 1) != 0)
        return mass_error_memory(error, bytes, "an attribute");
    *out = memory;
    return MASS_OK;
}

static void release(mass_device *device, void *memory)
{
    (void)device;
    free(memory);
}

static mass_status upload(mass_device *device, void *to, const void *from, size_t bytes, mass_error *error)
{
    (void)device;
    (void)error;
    memcpy(to, from, bytes);
    return MASS_OK;
}

static mass_status copy_box(mass_device *device, const mass_strided *copy, mass_error *error)
{
    (void)error;
    mass_cpu_copy(copy, ((mass_cpu *)device)->team);
    return MASS_OK;
}

static mass_status add(mass_device *device, const mass_strided *box, size_t size, mass_error *error)
{
    (void)error;
    mass_cpu_add(box, size, ((mass_cpu *)device)->team);
    return MASS_OK;
}

static mass_status hash_blocks(mass_device *device, const mass_blocks *b, int64_t first, int64_t count,
                               uint64_t *hashes, mass_error *error)
{
    (void)error;
    mass_cpu_hash_blocks(b, first, count, hashes, ((mass_cpu *)device)->team);
    return MASS_OK;
}

static mass_status fill(mass_device *device, void *to, const void *element, size_t size, size_t count,
                        mass_error *error)
{
    (void)error;
    mass_cpu_fill(to, element, size, count, ((mass_cpu *)device)->team);
    return MASS_OK;
}

mass_status mass_cpu_synchronise(mass_device *device, mass_error *error)
{
    (void)device;
    (void)error;
    return MASS_OK;
}

/* The widest loop that the machine runs, of those that do or do not tally. */
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

mass_status mass_cpu_prepare(mass_device *device, const mass_callback *callback, const void *device_code,
                             mass_prepared **out, mass_error *error)
{
    (void)device_code;
    mass_cpu *cpu = (mass_cpu *)device;
    mass_prepared *p = calloc(1, sizeof *p);
    mass_pace *pace = calloc(2, sizeof *pace);
    if (!p || !pace) {
        free(p);
        free(pace);
        return mass_error_memory(error, sizeof *p + 2 * sizeof *pace, "a callback");
    }
    *p = (mass_prepared){cpu->prepared, callback, find_loop(callback, MASS_FORM_LOOP, cpu->isa, 0),
                         find_loop(callback, MASS_FORM_LOOP, cpu->isa, MASS_FORM_TALLIES),
                         {find_loop(callback, MASS_FORM_TELLS, cpu->isa, 0),
                          find_loop(callback, MASS_FORM_TELLS, cpu->isa, MASS_FORM_TALLIES)}, pace};
    if (!p->quiet || !p->tally) {
        free(pace);
        free(p);
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s has no form that this CPU runs", callback->name);
    }
    cpu->prepared = p;
    *out = p;
    return MASS_OK;
}

void mass_cpu_form(mass_device *device, const mass_work *work, char text[MASS_FORM_TEXT])
{
    const mass_prepared *p = work->prepared;
    const bool tells = device->table == &mass_paranoid_table && p->telling[work->tallies];
    const mass_form *form = tells ? p->telling[work->tallies] : work->tallies ? p->tally : p->quiet;
    snprintf(text, MASS_FORM_TEXT, "%s%s", isa_names[form->isa], tells ? ", checked" : "");
}

void mass_cpu_set_float_environment(void)
{
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(0x1f80);
#else
    fesetenv(FE_DFL_ENV);
#endif
}

/* Room for every thread's own tallies, cache lines apart. */
static mass_status make_scratch(mass_cpu *cpu, size_t stride, mass_error *error)
{
    const size_t bytes = stride * (size_t)mass_cpu_team_threads(cpu->team);
    if (bytes <= cpu->scratch_bytes) return MASS_OK;
    free(cpu->scratch);
    cpu->scratch = NULL;
    cpu->scratch_bytes = 0;
    void *memory;
    if (posix_memalign(&memory, CACHE_LINE, bytes) != 0) return mass_error_memory(error, bytes, "tallies");
    cpu->scratch = memory;
    cpu->scratch_bytes = bytes;
    return MASS_OK;
}

/* Cuts a partition into pieces: rows where there are enough, else stretches of rows too. */
typedef struct pieces {
    int64_t rows, stretches;
    mass_lidx width, stretch;
    bool in_turn; /* threads take stretches in turn */
} pieces;

static pieces cut(const mass_launch *l, int threads)
{
    pieces p = {(int64_t)l->worlds * l->extent[2] * l->extent[1], 1, l->extent[0], l->extent[0], false};
    if (p.rows < 8 * (int64_t)threads && p.width > CHUNK_X) {
        p.stretch = CHUNK_X;
        p.stretches = (p.width + CHUNK_X - 1) / CHUNK_X;
    }
    return p;
}

/* Column `from` of a field over to column `to`. */
static void copy_column(char *row, mass_lidx to, mass_lidx from, size_t size, int64_t rows, int64_t stride)
{
    const mass_strided c = {row + to * (int64_t)size, row + from * (int64_t)size, size, {rows, 1, 1}, {stride},
                            {stride}};
    mass_cpu_copy(&c, NULL);
}

/* The ghosts along x of some rows of all that was written, for loops that do not write them. The nearest
 * go first: in a space narrower than its ghosts, they are the source of those beyond. */
static void push_rows(const mass_work *w, int64_t first, int64_t last)
{
    const mass_launch *l = w->launch;
    for (uint32_t i = 0; i < w->prepared->callback->field_count; i++) {
        const mass_callback *c = w->prepared->callback;
        if (!mass_access_does_to_places(c->fields[i].access, c->over, MASS_EFFECT_WRITES)) continue;
        const size_t size = w->memory[i].element_size;
        for (int64_t row = first, rows; row < last; row += rows) {
            const int64_t y = row % l->extent[1], sheet = row / l->extent[1];
            const int64_t z = sheet % l->extent[2], world = sheet / l->extent[2];
            rows = last - row < l->extent[1] - y ? last - row : l->extent[1] - y;
            const int64_t at = world * l->world_stride + z * l->plane + y * l->pitch;
            char *start = (char *)w->fields[i] + at * (int64_t)size;
            for (int32_t g = 0; g < l->ghost[0]; g++) {
                copy_column(start, -1 - g, l->extent[0] - 1 - g, size, rows, l->pitch * (int64_t)size);
                copy_column(start, l->extent[0] + g, g, size, rows, l->pitch * (int64_t)size);
            }
        }
    }
}

/* The pieces of one thread: its share of the rows in one call, or of the stretches one by one. */
static void run_share(const mass_form *form, const void *fields, const mass_work *w, const mass_launch *l,
                      const pieces *p, int thread, int threads)
{
    const int64_t total = p->rows * p->stretches;
    const int64_t first = total * thread / threads, last = total * (thread + 1) / threads;
    if (p->stretches == 1) {
        if (first < last) form->loop(fields, l, &(mass_range){first, last, 0, p->width});
        if ((l->push & MASS_AXIS_X) && !(form->flags & MASS_FORM_PUSHES)) push_rows(w, first, last);
        return;
    }
    for (int64_t i = p->in_turn ? thread : first; i < (p->in_turn ? total : last); i += p->in_turn ? threads : 1) {
        const int64_t row = i / p->stretches, x = i % p->stretches * p->stretch;
        const int64_t end = x + p->stretch;
        form->loop(fields, l, &(mass_range){row, row + 1, (mass_lidx)x, (mass_lidx)(end < p->width ? end : p->width)});
    }
}

/* The agents of a partition: of each world a range, of a whole space one range of all worlds. */
typedef struct agent_ranges {
    const mass_agents *agents;
    int64_t places, skipped; /* of the partition, and before it */
    int32_t count;
} agent_ranges;

static agent_ranges find_agents(const mass_launch *l)
{
    agent_ranges r = {&l->agents, (int64_t)l->extent[0] * l->extent[1] * l->extent[2],
                      (l->origin[2] * l->size[1] + l->origin[1]) * l->size[0] + l->origin[0], l->worlds};
    if (r.places == l->agents.places) r = (agent_ranges){&l->agents, r.places * l->worlds, 0, 1};
    return r;
}

static void range_of(const agent_ranges *r, int32_t i, int64_t *first, int64_t *last)
{
    const int64_t cell = i * r->agents->places + r->skipped;
    *first = r->agents->start[cell];
    *last = r->agents->start[cell + r->places];
}

/* A thread's share of every range. */
static void run_agents(const mass_form *form, const void *fields, const mass_launch *l, int thread, int threads)
{
    const agent_ranges r = find_agents(l);
    for (int32_t i = 0; i < r.count; i++) {
        int64_t first, last;
        range_of(&r, i, &first, &last);
        const int64_t n = last - first;
        const mass_range range = {first + n * thread / threads, first + n * (thread + 1) / threads, 0, 0};
        if (range.first_row < range.last_row) form->loop(fields, l, &range);
    }
}

static int64_t count_agents(const mass_launch *l)
{
    const agent_ranges r = find_agents(l);
    int64_t agents = 0;
    for (int32_t i = 0; i < r.count; i++) {
        int64_t first, last;
        range_of(&r, i, &first, &last);
        agents += last - first;
    }
    return agents;
}

/* What all threads of a launch share. */
typedef struct team {
    const mass_work *work;
    const mass_form *form;
    mass_launch launch; /* with its bins as this device counts them */
    pieces pieces;
    bool bins_in_place;
    int threads;
    int keys;         /* KEYS field, or -1 */
    int64_t *scratch; /* accumulators of the first thread; NULL: none */
    size_t stride;    /* from one thread's to the next, in accumulators */
} team;

/* How many accumulators of its own a thread has for a field, over all worlds; and how many of them make one. */
static size_t own_count(const team *t, uint32_t field, size_t *copies)
{
    const uint32_t access = t->work->prepared->callback->fields[field].access;
    *copies = 1;
    if (!mass_access_is_tally(access) || (access == MASS_BINS && t->bins_in_place)) return 0;
    if (access == MASS_BINS) *copies <<= t->launch.bins[0].copies_log2;
    return (size_t)t->launch.worlds * t->work->memory[field].words * *copies;
}

static size_t own_count_of_all(const team *t)
{
    size_t all = 0, copies;
    for (uint32_t i = 0; i < t->work->prepared->callback->field_count; i++) all += own_count(t, i, &copies);
    return all;
}

/* Points a thread's tally fields at its own accumulators. */
static void own_tallies(const team *t, int64_t *own, void **fields)
{
    const mass_callback *c = t->work->prepared->callback;
    size_t copies;
    for (uint32_t i = 0; i < c->field_count; i++) {
        const size_t count = own_count(t, i, &copies);
        const int64_t neutral = mass_accumulator_neutral(mass_access_of(c->fields[i].access)->combine);
        for (size_t k = 0; k < count; k++) own[k] = neutral;
        if (count) fields[i] = own;
        own += count;
    }
}

static void merge_tallies(const team *t, const int64_t *own)
{
    const mass_callback *c = t->work->prepared->callback;
    size_t copies;
    for (uint32_t i = 0; i < c->field_count; i++) {
        const size_t count = own_count(t, i, &copies);
        const mass_combine_rule rule = mass_access_of(c->fields[i].access)->combine;
        int64_t *total = t->work->fields[i];
        for (size_t k = 0; k < count; k++)
            total[k / copies] = mass_accumulator_combine(rule, total[k / copies], own[k]);
        own += count;
    }
}

/* How a callback's bins are counted, unless one of them says how: those that a thread's own table holds in the
 * nearest cache, in copies that it takes in turn; more in one table a thread; most in one that all threads share. */
enum { LANED_BYTES = 256 << 10, OWN_BYTES = 64 << 20 };

static void choose_bins(team *t)
{
    const mass_callback *c = t->work->prepared->callback;
    size_t bins = 0;
    uint32_t method = MASS_COUNT_AUTO;
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (c->fields[i].access != MASS_BINS) continue;
        bins += t->work->memory[i].words;
        if (t->work->memory[i].method > method) method = t->work->memory[i].method;
    }
    if (bins == 0) return;
    const size_t bytes = bins * (size_t)t->launch.worlds * sizeof(int64_t);
    const bool laned = method == MASS_COUNT_AUTO && bytes << MASS_CPU_LANES_LOG2 <= LANED_BYTES;
    if (method == MASS_COUNT_SEQUENTIAL) t->threads = 1;
    t->bins_in_place = method == MASS_COUNT_AUTO ? !laned && (t->threads == 1 || bytes * (size_t)t->threads > OWN_BYTES)
                                                 : method != MASS_COUNT_SHARED;
    t->pieces.in_turn = method == MASS_COUNT_STRIDE;
    for (uint32_t k = 0; k < MASS_BINS_FIELDS; k++) {
        t->launch.bins[k].copies_log2 = laned ? MASS_CPU_LANES_LOG2 : 0;
        t->launch.bins[k].shared = t->bins_in_place && t->threads > 1;
    }
}

/* One thread's share of a launch, whichever thread does it. */
static void run_part(void *context, int part)
{
    const team *t = context;
    const mass_callback *c = t->work->prepared->callback;
    void *fields[256];
    mass_crash_plugin_thread();
    mass_cpu_set_float_environment();
    memcpy(fields, t->work->fields, c->field_count * sizeof *fields);
    if (t->scratch) own_tallies(t, t->scratch + (size_t)part * t->stride, fields);
    if (t->keys >= 0) fields[t->keys] = mass_cpu_keys_of(t->work, part);
    if (c->over == MASS_OVER_AGENTS) run_agents(t->form, fields, &t->launch, part, t->threads);
    else run_share(t->form, fields, t->work, &t->launch, &t->pieces, part, t->threads);
    mass_crash_plugin_thread_done();
}

/* Runs a team, and puts together what its threads counted. */
static mass_status run_team(mass_cpu *cpu, team *t, bool *shared, mass_error *error)
{
    const mass_work *work = t->work;
    if (work->tallies) {
        choose_bins(t);
        t->stride = (own_count_of_all(t) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
        const mass_status status = make_scratch(cpu, t->stride * sizeof *t->scratch, error);
        if (status != MASS_OK) return status;
        t->scratch = t->stride ? cpu->scratch : NULL;
    }
    mass_status status = t->keys >= 0 ? mass_cpu_keys_begin(work, t->threads, error) : MASS_OK;
    if (status != MASS_OK) return status;
    *shared = mass_cpu_team_run(cpu->team, t->threads, run_part, t) > 0;
    for (int i = 0; t->scratch && i < t->threads; i++) merge_tallies(t, t->scratch + (size_t)i * t->stride);
    if (t->keys >= 0) status = mass_cpu_keys_end(work, t->threads, error);
    return status;
}

static mass_status launch(mass_device *device, const mass_work *work, mass_error *error)
{
    mass_cpu *cpu = (mass_cpu *)device;
    const mass_prepared *p = work->prepared;
    const int threads = mass_cpu_team_threads(cpu->team);
    team t = {.work = work, .form = work->tallies ? p->tally : p->quiet, .launch = *work->launch,
              .pieces = cut(work->launch, threads), .keys = work->tallies ? mass_keys_field(p->callback) : -1};
    const bool agents = p->callback->over == MASS_OVER_AGENTS;
    const int64_t count = agents ? count_agents(work->launch) : t.pieces.rows * t.pieces.width;
    const int64_t parts = agents ? 1 + count / 256 : t.pieces.rows * t.pieces.stretches;
    const int most = parts < threads ? (int)parts : threads;
    const bool paced = cpu->paced && most > 1;
    bool shared = false;
    t.launch.count_number = mass_cpu_count_number;
    t.launch.count_text = mass_cpu_count_text;
    t.threads = paced ? mass_pace_begin(&p->pace[work->tallies], most, (double)count) : most;
    const mass_status status = run_team(cpu, &t, &shared, error);
    if (!agents && t.pieces.stretches > 1 && (work->launch->push & MASS_AXIS_X)) push_rows(work, 0, t.pieces.rows);
    if (paced) mass_pace_end(&p->pace[work->tallies], shared);
    return status;
}

static mass_status manage(mass_device *device, const mass_manage_work *work, uint64_t *agents, mass_error *error)
{
    mass_cpu *cpu = (mass_cpu *)device;
    const double cells = (double)work->worlds * (double)work->places + *work->count;
    const int most = mass_cpu_team_threads(cpu->team);
    const bool paced = cpu->paced && most > 1;
    const int threads = paced ? mass_pace_begin(&cpu->manage_pace, most, cells) : most;
    *agents = mass_cpu_manage(work, &cpu->manage, cpu->team, threads);
    if (paced) mass_pace_end(&cpu->manage_pace, true);
    return *agents == UINT64_MAX ? mass_error_memory(error, (size_t)work->room * 24, "moving agents") : MASS_OK;
}

static mass_status drop(mass_device *device, const mass_drop_work *work, mass_error *error)
{
    (void)error;
    mass_cpu_drop(work, ((mass_cpu *)device)->team);
    return MASS_OK;
}

static mass_status look(mass_device *device, const mass_until_work *w, mass_error *error)
{
    (void)device, (void)error;
    if (*w->held != UINT64_MAX) return MASS_OK;
    const uint64_t step = w->step + (w->clock ? *w->clock : 0);
    int holds = 1;
    for (int32_t i = 0; i < w->worlds; i++) holds &= mass_until_holds(w, i, step);
    if (holds) *w->held = step;
    return MASS_OK;
}

static mass_status gate(mass_device *device, const mass_gate_work *w, mass_error *error)
{
    (void)device;
    (void)error;
    for (int32_t i = 0; i < w->worlds; i++) w->gates[i] = mass_gate_of(w, i);
    return MASS_OK;
}

static mass_status census(mass_device *device, const uint32_t *start, int64_t places, int32_t worlds, int64_t *tally,
                          mass_error *error)
{
    (void)device;
    (void)error;
    for (int32_t w = 0; w < worlds; w++) tally[w] = mass_agents_of_world(start, places, w);
    return MASS_OK;
}

static const mass_launch_operations launching = {
    .struct_size = sizeof launching,
    .pushed_axes = MASS_AXIS_X,
    .prepare = mass_cpu_prepare,
    .launch = launch,
    .form = mass_cpu_form,
    .synchronise = mass_cpu_synchronise,
};

const mass_memory_operations mass_cpu_memory = {
    .struct_size = sizeof mass_cpu_memory,
    .in_host_memory = true,
    .available = available,
    .allocate = allocate,
    .release = release,
    .upload = upload,
    .download = upload,
    .upload_box = copy_box,
    .download_box = copy_box,
    .fill = fill,
    .copy = copy_box,
    .add = add,
    .copy_rate = mass_cpu_copy_rate,
    .hash_blocks = hash_blocks,
};

const mass_condition_operations mass_cpu_conditions = {
    .struct_size = sizeof mass_cpu_conditions,
    .gate = gate,
    .look = look,
};

const mass_agents_operations mass_cpu_agents = {
    .struct_size = sizeof mass_cpu_agents,
    .manage = manage,
    .drop = drop,
    .census = census,
};

const mass_device_table mass_cpu_table = {
    .struct_size = sizeof mass_cpu_table,
    .open = open_cpu,
    .close = mass_cpu_close,
    .name = name_of_cpu,
    .memory = &mass_cpu_memory,
    .launch = &launching,
    .conditions = &mass_cpu_conditions,
    .keys = &mass_cpu_keys,
    .agents = &mass_cpu_agents,
};
