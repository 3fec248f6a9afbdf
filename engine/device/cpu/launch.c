/* SPDX-License-Identifier: Apache-2.0 */
/* Launches on CPUs: the threads of the team share the rows of a partition, or its agents. */
#include "cpu/kernels.h"
#include "device/cpu/bytes.h"
#include "device/cpu/fused.h"
#include "device/cpu/key_counts.h"
#include "device/cpu/rule.h"
#include "device/cpu/thread_parts.h"
#include "device/cpu/row_blocks.h"
#include "device/cpu/together.h"
#include "device/cpu/turns.h"
#include "device/key_fields.h"
#include "process/crash.h"

#include <inttypes.h>
#include <string.h>

enum {
    STRETCH = 4096,      /* places of a part of a row */
    ROWS_A_THREAD = 8,   /* with more rows for each thread, rows are not divided */
    AGENTS_A_THREAD = 256,
    TURN_COST = 64 /* nanoseconds of an agent in turn, about */
};

/* ---- places ---- */

/* Sets s->rows, stretches, width and stretch: whole rows if there are enough of them or they are short, else parts of
 * rows. */
static void cut(mass_cpu_thread_parts *s, int threads)
{
    const mass_launch *l = &s->launch;
    s->rows = (int64_t)l->worlds * l->extent[2] * l->extent[1];
    s->stretches = 1;
    s->width = s->stretch = l->extent[0];
    if (s->rows >= ROWS_A_THREAD * (int64_t)threads || s->width <= STRETCH) return;
    s->stretch = STRETCH;
    s->stretches = (s->width + STRETCH - 1) / STRETCH;
}

/* Copies column `from` of a field to column `to`, in `rows` rows from `row` on. stride: bytes between rows. */
static void copy_column(char *row, mass_lidx to, mass_lidx from, size_t size, int64_t rows, int64_t stride)
{
    const mass_strided c = {row + to * (int64_t)size, row + from * (int64_t)size, size, {rows, 1, 1}, {stride},
                            {stride}};
    mass_cpu_copy(&c, NULL);
}

/* Writes the ghosts along x of rows of bits. */
static void push_bits(const mass_launch *l, uint64_t *row, int64_t rows)
{
    for (int64_t i = 0; i < rows; i++, row += l->pitch / MASS_BITS_WORD)
        for (int32_t g = 0; g < l->ghost[0]; g++) {
            mass_bits_copy_place(row, -1 - g, l->extent[0] - 1 - g);
            mass_bits_copy_place(row, l->extent[0] + g, g);
        }
}

/* Writes ghosts from the inside out: in a space narrower than its ghosts, the nearest are the source of the next
 * ones. */
void mass_cpu_push_rows(const mass_work *w, int64_t first, int64_t last)
{
    const mass_launch *l = w->launch;
    for (uint32_t i = 0; i < w->prepared->callback->field_count; i++) {
        const mass_callback *c = w->prepared->callback;
        if (!mass_access_does_to_places(c->fields[i].access, c->over, MASS_EFFECT_WRITES)) continue;
        const size_t size = w->memory[i].element_size;
        const bool bits = c->fields[i].type == MASS_BIT;
        for (int64_t row = first, rows; row < last; row += rows) {
            const int64_t y = row % l->extent[1], sheet = row / l->extent[1];
            const int64_t z = sheet % l->extent[2], world = sheet / l->extent[2];
            rows = last - row < l->extent[1] - y ? last - row : l->extent[1] - y;
            const int64_t at = world * l->world_stride + z * l->plane + y * l->pitch;
            if (bits) {
                push_bits(l, (uint64_t *)w->fields[i] + at / MASS_BITS_WORD, rows);
                continue;
            }
            char *start = (char *)w->fields[i] + at * (int64_t)size;
            for (int32_t g = 0; g < l->ghost[0]; g++) {
                copy_column(start, -1 - g, l->extent[0] - 1 - g, size, rows, l->pitch * (int64_t)size);
                copy_column(start, l->extent[0] + g, g, size, rows, l->pitch * (int64_t)size);
            }
        }
    }
}

/* Runs a range by the rule, in row blocks or by the callback's loop. */
static void run_range(const mass_cpu_thread_parts *s, void *const *fields, int thread, const mass_range *range)
{
    if (s->by_rule) mass_cpu_run_rule(s, fields, range);
    else if (s->strip.rows) mass_cpu_run_row_blocks(s, fields, thread, range);
    else s->form->loop(fields, &s->launch, range);
}

/* Writes the ghosts along x of a thread's rows, if what ran the rows did not. */
static void push_own(const mass_cpu_thread_parts *s, int64_t first, int64_t last)
{
    const bool pushes = s->by_rule || (s->form->flags & MASS_FORM_PUSHES && s->strip.rows == 0);
    if ((s->launch.push & MASS_AXIS_X) && !pushes) mass_cpu_push_rows(s->work, first, last);
}

/* Runs a thread's rows in one call, and writes their ghosts; or its parts of rows one by one, in turn with the other
 * threads if s->in_turn, without ghosts. */
static void run_places(const mass_cpu_thread_parts *s, void *const *fields, int thread)
{
    const int64_t total = s->rows * s->stretches;
    const int64_t first = total * thread / s->threads, last = total * (thread + 1) / s->threads;
    if (s->stretches == 1) {
        if (first < last) run_range(s, fields, thread, &(mass_range){first, last, 0, s->width});
        push_own(s, first, last);
        return;
    }
    const int64_t begin = s->in_turn ? thread : first, end = s->in_turn ? total : last;
    for (int64_t i = begin; i < end; i += s->in_turn ? s->threads : 1) {
        const int64_t row = i / s->stretches, x = i % s->stretches * s->stretch, to = x + s->stretch;
        const mass_range range = {row, row + 1, (mass_lidx)x, (mass_lidx)(to < s->width ? to : s->width)};
        run_range(s, fields, thread, &range);
    }
}

/* ---- agents ---- */

/* The agents of a partition: a range for each world; one range for all worlds if the partition has all places of the
 * process. */
typedef struct agent_ranges {
    const mass_launch *launch;
    int64_t places, skipped; /* places of the partition; places of the process before it */
    int32_t count;
} agent_ranges;

/* Returns which agents a launch runs over: those of its box, in one range of cells a world. */
static agent_ranges find_agents(const mass_launch *l)
{
    agent_ranges r = {l, (int64_t)l->extent[0] * l->extent[1] * l->extent[2],
                      (l->origin[2] * l->size[1] + l->origin[1]) * l->size[0] + l->origin[0] -
                          l->populations[0].first_place,
                      l->worlds};
    if (r.places == l->populations[0].places) r = (agent_ranges){l, r.places * l->worlds, 0, 1};
    return r;
}

/* Returns the number of agents on the cells before a cell. */
static int64_t first_agent(const mass_launch *l, int64_t cell)
{
    if (!l->populations[0].occupancy) return l->populations[0].start[cell];
    const mass_seats occupancy = l->populations[0].occupancy[cell / 32];
    return (int64_t)occupancy.before + __builtin_popcount(occupancy.held & ((1u << cell % 32) - 1));
}

/* Returns the agents of range i, from *first to *last - 1. */
static void range_of(const agent_ranges *r, int32_t i, int64_t *first, int64_t *last)
{
    const int64_t cell = i * r->launch->populations[0].places + r->skipped;
    *first = first_agent(r->launch, cell);
    *last = first_agent(r->launch, cell + r->places);
}

/* Runs a thread's share of every range. */
static void run_agents(const mass_cpu_thread_parts *s, const void *fields, int thread)
{
    const agent_ranges r = find_agents(&s->launch);
    for (int32_t i = 0; i < r.count; i++) {
        int64_t first, last;
        range_of(&r, i, &first, &last);
        const int64_t n = last - first;
        const mass_range range = {first + n * thread / s->threads, first + n * (thread + 1) / s->threads, 0, 0};
        if (range.first_row < range.last_row) s->form->loop(fields, &s->launch, &range);
    }
}

/* Returns how many agents a launch runs over, with those of closed worlds. */
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

/* ---- a launch ---- */

/* Runs one thread's share, on whichever thread calls it. Sets s->unsettles if the callback changed how floats are
 * computed. */
static void run_share(void *context, int thread)
{
    mass_cpu_thread_parts *s = context;
    const mass_callback *c = s->work->prepared->callback;
    void *fields[256];
    mass_crash_plugin_thread();
    mass_floats_settle();
    memcpy(fields, s->work->fields, c->field_count * sizeof *fields);
    if (s->scratch) mass_cpu_own_tallies(s, thread, fields);
    if (s->keys >= 0) fields[s->keys] = mass_cpu_keys_of(s->work, thread);
    if (mass_over_is_in_turn(c->over)) mass_cpu_turns_run(s, fields, thread);
    else if (c->over == MASS_OVER_AGENTS) run_agents(s, fields, thread);
    else run_places(s, fields, thread);
    if (!mass_cpu_kept_floats()) __atomic_store_n(&s->unsettles, true, __ATOMIC_RELAXED);
    mass_crash_plugin_thread_done();
}

/* Runs all shares, and merges their tallies. *helped: other threads ran some of them. Fails if the callback changed how
 * floats are computed, without memory, or for a text outside its input. */
static mass_status run(mass_cpu *cpu, mass_cpu_thread_parts *s, bool *helped, mass_error *error)
{
    const mass_work *work = s->work;
    mass_status status = work->tallies ? mass_cpu_begin_tallies(cpu, s, error) : MASS_OK;
    if (status == MASS_OK && mass_over_is_in_turn(work->prepared->callback->over))
        status = mass_cpu_turns_begin(cpu, s, error);
    if (status == MASS_OK && s->keys >= 0) status = mass_cpu_keys_begin(work, s->threads, error);
    if (status != MASS_OK) return status;
    *helped = mass_cpu_team_run(cpu->team, s->threads, run_share, s) > 0;
    if (s->scratch) mass_cpu_end_tallies(s);
    if (s->keys >= 0) status = mass_cpu_keys_end(work, s->threads, error);
    return status == MASS_OK && s->unsettles ? mass_cpu_refuse_floats(work, error) : status;
}

/* Runs a callback once over the launch's places or agents, on the threads that the tuner chooses. Also writes
 * ghosts. */
static mass_status run_loops(mass_cpu *cpu, const mass_work *work, mass_error *error)
{
    const mass_prepared *p = work->prepared;
    const int threads = mass_cpu_team_threads(cpu->team);
    mass_cpu_thread_parts s = {.work = work, .form = work->tallies ? p->tally : p->quiet, .launch = *work->launch,
                         .keys = work->tallies ? mass_keys_field(p->callback) : -1,
                         .by_rule = mass_cpu_follows(work)};
    cut(&s, threads);
    if (!s.by_rule && mass_cpu_takes_row_blocks(p->callback)) {
        if (s.stretch > STRETCH) s.stretch = STRETCH;
        const mass_status ready = mass_cpu_begin_row_blocks(cpu, &s, error);
        if (ready != MASS_OK) return ready;
    }
    const bool agents = p->callback->over == MASS_OVER_AGENTS, in_turn = mass_over_is_in_turn(p->callback->over);
    int most = threads;
    const int64_t count = in_turn ? TURN_COST * mass_cpu_turns_count(cpu, work->launch, &most)
                                  : agents ? count_agents(work->launch) : s.rows * s.width;
    const int64_t chunks = in_turn ? most : agents ? 1 + count / AGENTS_A_THREAD : s.rows * s.stretches;
    if (chunks < most) most = (int)chunks;
    const bool paced = cpu->paced && most > 1;
    bool helped = false;
    s.launch.count_number = mass_cpu_count_number;
    s.launch.count_text = mass_cpu_count_text;
    s.threads = paced ? mass_thread_tuner_begin(&p->tuner[work->tallies], most, (double)count) : most;
    s.launch.alone = s.threads == 1;
    const mass_status status = run(cpu, &s, &helped, error);
    if (!agents && s.stretches > 1 && (work->launch->push & MASS_AXIS_X)) mass_cpu_push_rows(work, 0, s.rows);
    if (in_turn) mass_cpu_turns_end(cpu);
    if (paced) mass_thread_tuner_end(&p->tuner[work->tallies], helped);
    return status;
}

mass_status mass_cpu_launch_checked(mass_cpu *cpu, const mass_work *work, mass_error *error)
{
    mass_prepared checked = *work->prepared;
    mass_work w = *work;
    if (checked.checked[0] && checked.checked[1]) {
        checked.quiet = checked.checked[0];
        checked.tally = checked.checked[1];
        w.prepared = &checked;
    }
    return run_loops(cpu, &w, error);
}

/* Runs a callback: several steps at once, on unpacked bits, or plainly. Those in turn have bytes for bits. */
static mass_status launch(mass_device *device, const mass_work *work, mass_error *error)
{
    mass_cpu *cpu = (mass_cpu *)device;
    const mass_callback *c = work->prepared->callback;
    if (work->steps > 1) return mass_cpu_launch_fused(cpu, work, error);
    if (mass_over_is_in_turn(c->over)) return run_loops(cpu, work, error);
    if (mass_cpu_has_bits(c) && !mass_cpu_takes_row_blocks(c) && !mass_cpu_follows(work))
        return mass_cpu_with_bytes(cpu, work, run_loops, error);
    return run_loops(cpu, work, error);
}

mass_status mass_cpu_synchronise(mass_device *device, mass_error *error)
{
    (void)device;
    (void)error;
    return MASS_OK;
}

mass_status mass_cpu_refuse_floats(const mass_work *work, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s, step %" PRIu64 ": it changes how floats are rounded, "
                          "or the handling of subnormal ones, so that later results would differ: do not change that",
                          work->prepared->callback->name, work->step);
}

/* Launches phases that share a turn, without checks. */
static mass_status launch_together(mass_device *device, const mass_work *works, uint32_t count, mass_error *error)
{
    return mass_cpu_launch_together((mass_cpu *)device, works, count, false, error);
}

const mass_launch_operations mass_cpu_launch = {
    .struct_size = sizeof mass_cpu_launch,
    .pushed_axes = MASS_AXIS_X,
    .pushes_bits = true,
    .prepare = mass_cpu_prepare,
    .follow = mass_cpu_follow,
    .launch = launch,
    .steps = mass_cpu_steps,
    .around = mass_cpu_around,
    .form = mass_cpu_form,
    .synchronise = mass_cpu_synchronise,
    .together = launch_together,
};
