/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cuda/rule_launch.h"
#include "model/model.h"
#include "device/cuda/rule_counts.h"
#include "device/cuda/rule_ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 32, WIDE = 16, GRID_LIMIT = 65535, WIDTH_MOST = 1 << 30, BLOCKS_OF_A_PROCESSOR = 64 };

typedef struct followed {
    const mass_callback *callback;
    const mass_rule *rule;
    bool counted;
    mass_rule_counts counts;
    /* If the rule is not by counts: kernels that the driver compiled; [1] adds to tallies. */
    cudaLibrary_t library;
    cudaKernel_t kernels[2];
} followed;

struct mass_cuda_rules {
    const mass_world_rules *rules;
    uint32_t count;  /* of `rules`, which may have been freed before these */
    followed list[]; /* [count] */
};

/* ---- rules by counts ---- */

/* Returns the sides where the space ends, at once or within `ghosts` layers, as next to thin partitions. */
static uint32_t open_sides(const mass_launch *l, int32_t ghosts)
{
    uint32_t open = 0;
    for (int a = 0; a < 2; a++) {
        if (l->torus >> a & 1) continue;
        if (l->origin[a] < ghosts) open |= a ? MASS_BITS_TOP : MASS_BITS_LEFT;
        if (l->origin[a] + l->extent[a] + ghosts > l->size[a]) open |= a ? MASS_BITS_BOTTOM : MASS_BITS_RIGHT;
    }
    return open;
}

/* Returns the row, moved into the range that the kernels use. */
static int32_t clamp(int64_t row)
{
    return row < -MASS_BITS_STEPS_MOST ? -MASS_BITS_STEPS_MOST : row > INT32_MAX ? INT32_MAX : (int32_t)row;
}

/* Returns a field's default bit. */
static bool default_of(const mass_work *work, uint32_t field)
{
    return work->memory[field].attribute && work->memory[field].attribute->initial[0];
}

static int32_t steps_of(const mass_work *work) { return work->steps > 1 ? work->steps : 1; }

/* Returns which of x and y wrap within the places of this launch, so that kernels read places instead of ghosts. Leaves
 * out x unless rows are whole words, and y if the rows are fewer than the steps. */
static uint32_t axes_around(const mass_work *work)
{
    const mass_launch *l = work->launch;
    uint32_t axes = l->torus;
    for (int a = 0; a < 2; a++)
        if (l->origin[a] != 0 || l->extent[a] != l->size[a]) axes &= ~(1u << a);
    if (l->extent[0] % WORD != 0) axes &= ~(uint32_t)MASS_BITS_X;
    if (l->extent[1] < steps_of(work)) axes &= ~(uint32_t)MASS_BITS_Y;
    return axes & (MASS_BITS_X | MASS_BITS_Y);
}

/* Queues the kernel that makes all fused steps of a rule by counts of neighbours. */
static cudaError_t launch_counts(mass_cuda *cuda, const followed *r, const mass_work *work, bool overlaps)
{
    const mass_launch *l = work->launch;
    const mass_rule_counts *c = &r->counts;
    mass_bits_work w = {.from = work->fields[c->from], .to = work->fields[c->to], .pitch = l->pitch / WORD,
                        .world_stride = l->world_stride / WORD, .width = l->extent[0], .height = l->extent[1],
                        .worlds = l->worlds, .steps = steps_of(work), .open = open_sides(l, steps_of(work)),
                        .first_row = clamp(-l->origin[1]), .end_row = clamp(l->size[1] - l->origin[1]),
                        .around = axes_around(work),
                        .beyond = default_of(work, c->to) ? UINT32_MAX : 0, .von_neumann = r->rule->von_neumann,
                        .birth = c->birth, .survive = c->survive, .gates = l->gates,
                        .sum_count = work->tallies ? c->sum_count : 0, .row = work->row};
    memcpy(w.sums, c->sums, sizeof w.sums);
    for (uint32_t i = 0; i < w.sum_count; i++) w.sums[i].tally = work->fields[c->sum_fields[i]];
    return mass_cuda_step_bits(cuda->stream, &w, overlaps);
}

/* ---- any rule ---- */

/* Compiles a rule with the driver, or gets it from the driver's cache. If that fails, *r has no kernels, and MASS_OK is
 * returned. Fails for lack of memory for the text. */
static mass_status compile(mass_cuda *cuda, followed *r, mass_error *error)
{
    static const char *const names[2] = {MASS_RULE_PTX_QUIET, MASS_RULE_PTX_TALLY};
    struct cudaFuncAttributes loaded; /* the query loads the code now, and not in the first launch */
    char *text = mass_rule_ptx(r->rule, cuda->overlaps ? 90 : 75);
    if (!text) return mass_error_memory(error, 1, "the text of a rule");
    cudaError_t result = cudaLibraryLoadData(&r->library, text, NULL, NULL, 0, NULL, NULL, 0);
    for (int i = 0; result == cudaSuccess && i < 2; i++) {
        result = cudaLibraryGetKernel(&r->kernels[i], r->library, names[i]);
        if (result == cudaSuccess) result = cudaFuncGetAttributes(&loaded, (const void *)r->kernels[i]);
    }
    free(text);
    if (result != cudaSuccess) r->kernels[0] = r->kernels[1] = NULL;
    cudaGetLastError();
    return MASS_OK;
}

static unsigned at_most(int64_t value, int64_t most) { return (unsigned)(value < most ? value : most); }
static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* Queues the kernel in PTX that was generated for this rule, for one step. */
static cudaError_t launch_kernel(mass_cuda *cuda, const followed *r, const mass_work *work, bool overlaps)
{
    const mass_launch *l = work->launch;
    mass_rule_arguments a = {.plane = l->plane / 8, .world_stride = l->world_stride / 8, .gates = l->gates,
                             .pitch = (int32_t)(l->pitch / 8), .width = l->extent[0], .height = l->extent[1],
                             .depth = l->extent[2], .worlds = l->worlds,
                             .open = (open_sides(l, 1) & MASS_BITS_RIGHT) != 0};
    for (uint32_t i = 0; i < r->callback->field_count && i < MASS_RULE_PTX_FIELDS; i++) a.field[i] = work->fields[i];
    for (uint32_t i = 0; i < r->rule->output_count; i++)
        if (r->rule->outputs[i].kind == MASS_RULE_FIELD)
            a.beyond |= (uint64_t)default_of(work, r->rule->outputs[i].field) << i;
    const int64_t across = divide_up(l->extent[0], WORD * WORD * MASS_RULE_PTX_WORDS);
    const int64_t down = divide_up(l->extent[1], MASS_RULE_PTX_WARPS * mass_rule_ptx_rows(r->rule));
    const int64_t sheets = at_most((int64_t)l->extent[2] * l->worlds, GRID_LIMIT);
    const int64_t most = divide_up((int64_t)cuda->processors * BLOCKS_OF_A_PROCESSOR, across * sheets);
    cudaLaunchAttribute overlap = {.id = cudaLaunchAttributeProgrammaticStreamSerialization};
    overlap.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {.gridDim = {(unsigned)across, at_most(down, most), (unsigned)sheets},
                                       .blockDim = {WORD, MASS_RULE_PTX_WARPS, 1}, .stream = cuda->stream,
                                       .attrs = &overlap, .numAttrs = overlaps ? 1 : 0};
    void *arguments[] = {&a};
    return cudaLaunchKernelExC(&config, (const void *)r->kernels[work->tallies], arguments);
}

/* ---- both kinds ---- */

/* Prepares the kernels of one rule. Sets r->counted, and r->counts then. Sets *can to false if no kernel can compute
 * it. alone: it is the only rule, so the driver may compile a kernel for it. */
static mass_status follow_one(mass_cuda *cuda, followed *r, bool alone, bool *can, mass_error *error)
{
    mass_status status = MASS_OK;
    r->counted = mass_rule_counts_of(r->rule, &r->counts);
    if (!r->counted && alone && mass_rule_ptx_fits(r->rule)) status = compile(cuda, r, error);
    *can = status == MASS_OK && (r->counted || r->kernels[0]);
    return status;
}

mass_status mass_cuda_rules_create(mass_cuda *cuda, const mass_callback *callback, const mass_world_rules *rules,
                                   mass_cuda_rules **out, mass_error *error)
{
    mass_cuda_rules *r = calloc(1, sizeof *r + rules->count * sizeof *r->list);
    mass_status status = MASS_OK;
    bool can = true;
    if (!r) return mass_error_memory(error, rules->count * sizeof *r->list, "rules");
    r->rules = rules;
    r->count = rules->count;
    for (uint32_t i = 0; i < r->count; i++) r->list[i] = (followed){.callback = callback, .rule = rules->list[i]};
    for (uint32_t i = 0; status == MASS_OK && can && i < r->count; i++)
        status = follow_one(cuda, &r->list[i], r->count == 1, &can, error);
    if (status == MASS_OK) *out = can ? r : NULL;
    if (status != MASS_OK || !can) mass_cuda_rules_free(r);
    return status;
}

void mass_cuda_rules_free(mass_cuda_rules *r)
{
    for (uint32_t i = 0; r && i < r->count; i++)
        if (r->list[i].library) cudaLibraryUnload(r->list[i].library);
    free(r);
}

/* Returns whether the kernels of a rule can do the work. On a GPU, launches do not write ghosts of bits. If a launch
 * covers more or less than a partition, its rows may begin within a word, which kernels cannot do. */
static bool does(const followed *r, const mass_work *work)
{
    const mass_launch *l = work->launch;
    const bool counts = r->rule->tallies || !work->tallies;
    bool does = counts && l->extent[0] < WIDTH_MOST && l->pitch / 8 <= INT32_MAX;
    for (uint32_t i = 0; i < r->callback->field_count; i++)
        if (r->callback->fields[i].type == MASS_BIT) does &= (uintptr_t)work->fields[i] % WIDE == 0;
    return does && (!r->counted || l->extent[2] == 1);
}

bool mass_cuda_rules_do(const mass_cuda_rules *r, const mass_work *work)
{
    bool all = true;
    for (uint32_t i = 0; i < r->count; i++) all &= does(&r->list[i], work);
    return all;
}

/* Returns the most steps of a launch by a rule. More than 1 only for a rule by counts that also gives the tallies and
 * whose field that is written is read in the next step. */
static int32_t steps_by(const followed *r, const mass_launch *launch)
{
    const mass_field *fields = r->callback->fields;
    const bool goes_on = r->counted && r->rule->tallies && launch->extent[0] < WIDTH_MOST &&
                         strcmp(fields[r->counts.from].target, fields[r->counts.to].target) == 0;
    return goes_on ? MASS_BITS_STEPS_MOST : 1;
}

int32_t mass_cuda_rules_steps(const mass_cuda_rules *r, const mass_launch *launch)
{
    int32_t least = MASS_BITS_STEPS_MOST;
    for (uint32_t i = 0; i < r->count; i++)
        if (steps_by(&r->list[i], launch) < least) least = steps_by(&r->list[i], launch);
    return least;
}

uint32_t mass_cuda_rules_around(const mass_cuda_rules *r, const mass_work *work)
{
    return r->list[0].counted ? axes_around(work) : 0; /* all rules are alike in this */
}

/* Work for some of the worlds. */
typedef struct share {
    mass_work work;
    mass_launch launch;
    void *fields[MASS_RULE_PTX_FIELDS];
} share;

/* Describes worlds `first` to `last` - 1 of a work as a work of its own. */
static void take_worlds(const mass_callback *c, const mass_work *work, int32_t first, int32_t last, share *s)
{
    s->launch = *work->launch;
    s->launch.first_world += first;
    s->launch.worlds = last - first;
    if (s->launch.gates) s->launch.gates += first;
    for (uint32_t i = 0; i < c->field_count && i < MASS_RULE_PTX_FIELDS; i++) {
        const int64_t world = c->fields[i].type == MASS_BIT ? s->launch.world_stride / 8 : (int64_t)sizeof(int64_t);
        s->fields[i] = (char *)work->fields[i] + first * world;
    }
    s->work = *work;
    s->work.launch = &s->launch;
    s->work.fields = s->fields;
}

/* Launches one rule over the worlds of a work, by counts or with its kernel. */
static cudaError_t launch_one(mass_cuda *cuda, const followed *r, const mass_work *work, bool overlaps)
{
    return r->counted ? launch_counts(cuda, r, work, overlaps) : launch_kernel(cuda, r, work, overlaps);
}

/* Launches each rule for its worlds. Only the first launch may overlap with the work before it. */
cudaError_t mass_cuda_rules_launch(mass_cuda *cuda, const mass_cuda_rules *r, const mass_work *work, bool overlaps)
{
    cudaError_t result = cudaSuccess;
    if (r->count == 1) return launch_one(cuda, &r->list[0], work, overlaps);
    for (int32_t world = 0, next; result == cudaSuccess && world < work->launch->worlds; world = next) {
        share s;
        next = mass_world_rules_same(r->rules, world);
        take_worlds(r->list[0].callback, work, world, next, &s);
        result = launch_one(cuda, &r->list[r->rules->of[world]], &s.work, overlaps && world == 0);
    }
    return result;
}

void mass_cuda_rules_form(const mass_cuda_rules *r, char text[MASS_FORM_TEXT])
{
    char rule[MASS_RULE_TEXT];
    if (r->count == 1) mass_rule_text(r->rules->list[0], rule, sizeof rule);
    else snprintf(rule, sizeof rule, "%u rules by world", r->count);
    snprintf(text, MASS_FORM_TEXT, "words of 32 places, %s", rule);
}
