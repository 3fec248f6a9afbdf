/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks on a GPU: chooses a kernel of the callback, and the blocks and threads of its launch. */
#include "device/cuda/cuda.h"
#include "cuda/kernels.h"
#include "device/cuda/rule_launch.h"
#include "device/key_fields.h"

#include <mass/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FORMS_MAX = 8,
    BLOCK_THREADS = 128,
    BLOCKS_OF_AGENTS = 16, /* least blocks on a processor */
    THREADS_A_TURN = 4, /* most threads for an agent in turn, on average */
    THREADS_A_PROCESSOR = 1024, /* threads that hide the latency of memory */
    GRID_LIMIT = 65535,
    TILE_LENGTH_MOST = 128, /* several steps: most rows or planes of a tile */
    WARPS_AT_A_TIME = 12, /* several steps: warps on a processor that take no longer than one */
    STATIC_MEMORY = 4096, /* most static memory of a block */
    RULE_PLACES = 1 << 20 /* least places that are worth a launch */
};
/* Waves of threads that a form with more rows a thread must fill. */
static const double WAVES = 2;

/* A form of a callback: the places that a thread of its kernel covers, and the steps that a launch advances. */
typedef struct kernel {
    cudaKernel_t function;
    int strip, rows;
    bool strides;
    int steps;
    bool around;
    bool overlaps; /* it waits by itself for the work before */
    int resident; /* over agents, or over places through agents: blocks that a processor holds at once */
} kernel;

struct mass_prepared {
    mass_prepared *next;
    const mass_callback *callback;
    kernel kernels[2][FORMS_MAX]; /* [1]: add to tallies; most rows first */
    int count[2];
    bool pushes;   /* launches write ghosts */
    kernel fused; /* of several steps; its steps are 0 if there is none */
    mass_cuda_rules *rules; /* used by launches if possible; NULL: none */
};

/* Returns whether this backend runs a form: a kernel of at least one step on whole elements. One of a single step
 * writes ghosts. */
static bool knows(const mass_form *f)
{
    const uint32_t flags = f->flags & ~(uint32_t)(MASS_FORM_TALLIES | MASS_FORM_STRIDES);
    return f->id == MASS_FORM_KERNEL && f->kernel && f->steps > 0 && f->element_bits == 0 && f->places_x > 0 &&
           f->places_y > 0 &&
           (f->steps == 1 ? flags == MASS_FORM_PUSHES : (flags & ~(uint32_t)MASS_FORM_AROUND) == 0);
}

/* Inserts a kernel into the callback's list, most rows first. The list has room for it. */
static void insert(mass_prepared *p, bool tallies, const kernel *k)
{
    int at = p->count[tallies]++;
    for (; at > 0 && p->kernels[tallies][at - 1].rows < k->rows; at--)
        p->kernels[tallies][at] = p->kernels[tallies][at - 1];
    p->kernels[tallies][at] = *k;
}

/* Loads the engine's own device code, unless it is loaded. */
static mass_status load_own_code(mass_cuda *cuda, mass_error *error)
{
    if (cuda->own_library) return MASS_OK;
    TRY(cudaLibraryLoadData(&cuda->own_library, mass_device_code, NULL, NULL, 0, NULL, NULL, 0),
        "the engine's device code cannot be loaded");
    return MASS_OK;
}

/* Loads a plugin's device code or the engine's own, unless it is loaded. A plugin without device code is
 * MASS_NO_DEVICE. */
static mass_status load_code(mass_cuda *cuda, const void *code, mass_error *error)
{
    if (code == mass_device_code) return load_own_code(cuda, error);
    if (cuda->library && cuda->code == code) return MASS_OK;
    if (!code) return mass_error_set(error, MASS_NO_DEVICE, "the plugin was built without device code");
    TRY(cudaLibraryLoadData(&cuda->library, code, NULL, NULL, 0, NULL, NULL, 0),
        "the plugin's device code cannot be loaded (build it on a machine with this GPU, or with "
        "-DMASS_CUDA_ARCHITECTURES)");
    cuda->code = code;
    cuda->code_overlaps[0] = MASS_CUDA_UNKNOWN;
    return MASS_OK;
}

/* Returns whether launches of a kernel may overlap. own: it is the engine's own. Tests one kernel of each library: all
 * are compiled for the same GPUs. */
static bool may_overlap(mass_cuda *cuda, bool own, cudaKernel_t function)
{
    if (!cuda->overlaps) return false;
    if (cuda->code_overlaps[own] == MASS_CUDA_UNKNOWN)
        cuda->code_overlaps[own] = mass_cuda_may_overlap((const void *)function) ? MASS_CUDA_OVERLAPS : MASS_CUDA_WAITS;
    return cuda->code_overlaps[own] == MASS_CUDA_OVERLAPS;
}

/* Returns whether launches write ghosts. They do not write ghosts of bits. */
static bool pushes(const mass_callback *c)
{
    for (uint32_t i = 0; i < c->field_count; i++)
        if (c->fields[i].type != MASS_BIT &&
            mass_access_does_to_places(c->fields[i].access, c->over, MASS_EFFECT_WRITES))
            return true;
    return false;
}

/* Returns the threads of a block over agents, or over places through agents. */
static int threads_of(const mass_callback *c, const kernel *k)
{
    if (mass_over_is_in_turn(c->over)) return MASS_TURN_THREADS;
    return k->strides ? MASS_CUDA_STRIDE_THREADS : BLOCK_THREADS;
}

/* Finds the callback's kernels for this GPU, and what they may use. The device owns what it makes, also on failure;
 * *out is untouched then. */
static mass_status prepare(mass_device *device, const mass_callback *callback, const void *device_code,
                           mass_prepared **out, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_status status = load_code(cuda, device_code, error);
    if (status != MASS_OK) return status;
    const bool own = device_code == mass_device_code;
    mass_prepared *p = calloc(1, sizeof *p);
    if (!p) return mass_error_memory(error, sizeof *p, "a callback");
    p->next = cuda->prepared; /* closing frees it, whatever happens here */
    p->callback = callback;
    p->pushes = pushes(callback);
    cuda->prepared = p;
    for (uint32_t i = 0; i < callback->form_count; i++) {
        const mass_form *form = &callback->forms[i];
        const bool tallies = form->flags & MASS_FORM_TALLIES;
        if (!knows(form) || p->count[tallies] == FORMS_MAX) continue;
        kernel k = {NULL, form->places_x, form->places_y, (form->flags & MASS_FORM_STRIDES) != 0, form->steps,
                    (form->flags & MASS_FORM_AROUND) != 0, false, 0};
        const cudaError_t result = cudaLibraryGetKernel(&k.function, own ? cuda->own_library : cuda->library,
                                                        form->kernel);
        if (result != cudaSuccess) {
            cudaGetLastError();
            return mass_error_set(error, MASS_NO_DEVICE, "the %s's device code has no kernel %s for %s: %s",
                                  own ? "engine" : "plugin", form->kernel, cuda->name, cudaGetErrorString(result));
        }
        k.overlaps = may_overlap(cuda, own, k.function);
        if (k.strides)
            TRY(cudaFuncSetAttribute((const void *)k.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)cuda->block_memory - STATIC_MEMORY), "a callback cannot count");
        if (callback->over == MASS_OVER_AGENTS || mass_over_is_in_turn(callback->over) ||
            (callback->over == MASS_OVER_OCCUPIED && !k.strides))
            TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                    &k.resident, (const void *)k.function, threads_of(callback, &k), 0),
                "a callback cannot be launched");
        if (k.steps > 1) p->fused = k;
        else insert(p, tallies, &k);
    }
    if (p->count[0] == 0 || p->count[1] == 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s has no form for CUDA: build "
                              "the plugin again, by nvcc", callback->name);
    *out = p;
    return MASS_OK;
}

void mass_cuda_free_prepared(mass_cuda *cuda)
{
    while (cuda->prepared) {
        mass_prepared *next = cuda->prepared->next;
        mass_cuda_rules_free(cuda->prepared->rules);
        free(cuda->prepared);
        cuda->prepared = next;
    }
}

/* Lets launches of a callback use rules, if the device can use all of them; sets *follows. */
static mass_status follow(mass_device *device, mass_prepared *p, const mass_world_rules *rules, bool *follows,
                          mass_error *error)
{
    const mass_status status = mass_cuda_rules_create((mass_cuda *)device, p->callback, rules, &p->rules, error);
    *follows = status == MASS_OK && p->rules;
    return status;
}

/* Returns whether kernels generated from the callback's rule can do the work. */
static bool follows(const mass_work *work)
{
    const mass_cuda_rules *rules = work->prepared->rules;
    return rules && mass_cuda_rules_do(rules, work);
}

/* Returns the most steps of a launch. Forms of several steps count only the last step, and do not flush subnormal
 * numbers. */
static int32_t steps(mass_device *device, const mass_prepared *p, const mass_launch *launch, bool tallies)
{
    (void)device;
    if ((tallies && !p->rules) || (launch->flush_floats | launch->flush_doubles) != 0) return 1;
    return p->rules ? mass_cuda_rules_steps(p->rules, launch) : p->fused.steps > 1 ? p->fused.steps : 1;
}

/* Returns the axes that wrap and whose places are all in the launch. */
static uint32_t whole_axes(const mass_launch *l)
{
    uint32_t axes = 0;
    for (int a = 0; a < 3; a++)
        if ((l->torus >> a & 1) && l->origin[a] == 0 && l->extent[a] == l->size[a]) axes |= 1u << a;
    return axes;
}

/* Returns the axes along which a launch needs no ghosts: it reads the places at the opposite edge themselves. */
static uint32_t around(mass_device *device, const mass_work *work)
{
    (void)device;
    if (follows(work)) return mass_cuda_rules_around(work->prepared->rules, work);
    return work->steps > 1 && work->prepared->fused.around ? whole_axes(work->launch) : 0;
}

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* How a launch covers a partition, with blocks as wide as the space, up to a warp of strips. grid.y is 0 if it
 * cannot. */
typedef struct cover {
    const kernel *kernel;
    dim3 grid, block;
    uint32_t local;  /* bytes of a block's shared memory for bins */
    uint32_t passes; /* launches (mass_cuda_strides) */
} cover;

/* Returns the grid with which a kernel covers all places of a launch. Its height is 0 if a grid cannot have so many
 * rows; threads take further layers one after the other. */
static cover cover_with(const mass_launch *l, const kernel *k)
{
    const int64_t strips = divide_up(l->extent[0], k->strip), sheets = (int64_t)l->extent[2] * l->worlds;
    unsigned width = l->extent[1] == 1 ? BLOCK_THREADS : 32;
    while (width > 1 && width / 2 >= strips) width /= 2;
    const unsigned height = BLOCK_THREADS / width;
    const int64_t rows = divide_up(l->extent[1], (int64_t)height * k->rows);
    return (cover){k, {(unsigned)divide_up(strips, width), rows > GRID_LIMIT ? 0 : (unsigned)rows,
                       (unsigned)(sheets < GRID_LIMIT ? sheets : GRID_LIMIT)}, {width, height, 1}, 0, 1};
}

/* Chooses the form with the most rows a thread that still fills the GPU. Returns it with its grid. */
static cover choose_cover(const mass_cuda *cuda, const mass_launch *l, const mass_prepared *p, bool tallies)
{
    const kernel *k = p->kernels[tallies], *last = k + p->count[tallies] - 1;
    const double places = (double)l->extent[0] * l->extent[1] * l->extent[2] * l->worlds;
    const double threads = WAVES * cuda->processors * THREADS_A_PROCESSOR;
    while (k < last && places / (k->strip * k->rows) < threads) k++;
    cover how = cover_with(l, k);
    if (how.grid.y == 0) how = cover_with(l, p->kernels[tallies]);
    return how;
}

/* Finds the range along each axis where places write no ghosts. Along x and y, a strip has the ghosts of only one side
 * if the extent is a multiple of the strip. */
static void find_inner(mass_launch *l, int strip, int rows)
{
    const int chunk[3] = {strip, rows, INT32_MAX};
    for (int a = 0; a < 3; a++) {
        const bool whole = l->extent[a] % chunk[a] == 0 && l->extent[a] / chunk[a] >= 2 && l->ghost[a] <= chunk[a];
        const int32_t boundary = (l->push >> a & 1) && !whole ? l->ghost[a] : 0;
        l->inner_first[a] = boundary;
        l->inner_last[a] = l->extent[a] - boundary;
    }
}

/* Covers agents with threads that stride over them, since only the device knows their number; in a part of a space,
 * world by world. Processors get several times the blocks that they hold at once, so that none waits for the last
 * few. */
static cover cover_agents(const mass_cuda *cuda, const mass_launch *l, const kernel *k)
{
    const int64_t places = (int64_t)l->extent[0] * l->extent[1] * l->extent[2];
    const int64_t worlds = places == l->populations[0].places ? 1 : l->worlds < GRID_LIMIT ? l->worlds : GRID_LIMIT;
    const int resident = k->resident > 0 ? k->resident : 1;
    const int64_t most = cuda->processors * divide_up(BLOCKS_OF_AGENTS, resident) * resident;
    const int64_t need = divide_up(l->populations[0].room, BLOCK_THREADS);
    const unsigned blocks = (unsigned)(need < 1 ? 1 : need < most ? need : most);
    return (cover){k, {blocks, (unsigned)worlds, 1}, {BLOCK_THREADS, 1, 1}, 0, 1};
}

/* Returns whether the callback finds places with agents through the agents (mass_find_lone_agents). */
static bool goes_by_agents(const mass_callback *c, const mass_launch *l)
{
    bool bits = false;
    for (uint32_t i = 0; i < c->field_count; i++) bits |= c->fields[i].type == MASS_BIT;
    return c->over == MASS_OVER_OCCUPIED && c->population_count < 2 && l->populations[0].occupancy && !bits;
}

/* Covers places with agents, with as many blocks as fit at once, or a multiple if these are few. */
static cover cover_lone(const mass_cuda *cuda, const mass_launch *l, const kernel *k)
{
    const int resident = k->resident > 0 ? k->resident : 1;
    const int64_t most = cuda->processors * divide_up(BLOCKS_OF_AGENTS / 2, resident) * resident;
    const int64_t need = divide_up(l->populations[0].room, BLOCK_THREADS);
    return (cover){k, {(unsigned)(need < 1 ? 1 : need < most ? need : most), 1, 1}, {BLOCK_THREADS, 1, 1}, 0, 1};
}

/* Covers strips of places, or agents, with threads that stride over them and count as they go. Sets l->bins for the
 * first pass. */
static cover cover_strides(const mass_cuda *cuda, const mass_work *work, const kernel *k, mass_launch *l)
{
    const int64_t items = work->prepared->callback->over == MASS_OVER_AGENTS
                              ? l->populations[0].room
                              : divide_up(l->extent[0], k->strip) * l->extent[1] * l->extent[2];
    const mass_cuda_strides s = mass_cuda_choose_strides(cuda, work, l, items, k->resident);
    const unsigned worlds = (unsigned)(l->worlds < GRID_LIMIT ? l->worlds : GRID_LIMIT);
    return (cover){k, {s.blocks, worlds, 1}, {s.threads, 1, 1}, s.local, s.passes};
}

/* Returns the length of a tile for several steps, in rows or, in 3-D, planes: the one by which the processors end
 * first. `length` is that of the space. A tile also computes `reach` rows before and behind its own. So in long tiles
 * fewer rows are computed twice, but if there are few tiles, some processors have none. Along the other axes there are
 * `across` blocks, of `warps` warps each. A block computes `down` tiles, one below the other. */
static int64_t choose_tile_length(const mass_cuda *cuda, int64_t length, int64_t reach, int64_t across, int warps,
                                  int down)
{
    int64_t best = 1, least = INT64_MAX;
    for (int64_t tile = 1; tile <= TILE_LENGTH_MOST; tile++) {
        const int64_t blocks = across * divide_up(length, tile * down);
        const int64_t busy = divide_up(blocks, cuda->processors) * warps;
        const int64_t time = (tile + 2 * reach) * (busy > WARPS_AT_A_TIME ? busy : WARPS_AT_A_TIME);
        if (time > least) continue;
        least = time;
        best = tile;
    }
    return best;
}

/* Covers places with tiles for several steps. Their outermost strips, and in 3-D rows, only serve the others. In 2-D, a
 * warp streams along the rows of a tile; in 3-D, a block streams along its planes. Sets l->steps and l->gathers. */
static cover cover_fused(const mass_cuda *cuda, const mass_work *work, mass_launch *l)
{
    const kernel *k = &work->prepared->fused;
    const bool sheets = work->prepared->callback->dimensions > 2;
    const int64_t reach = (int64_t)k->steps * work->prepared->callback->radius, rim = divide_up(reach, k->strip);
    const int64_t side = divide_up(l->extent[0], (32 - 2 * rim) * k->strip);
    const int64_t height = sheets ? divide_up(l->extent[1], k->rows - 2 * reach) : 1;
    const int64_t worlds = sheets ? l->worlds : (int64_t)l->extent[2] * l->worlds;
    const int64_t length = l->extent[sheets ? 2 : 1];
    const int down = sheets ? 1 : k->rows;
    const int64_t tile = choose_tile_length(cuda, length, reach, side * height * worlds, k->rows, down);
    const int64_t chunks = divide_up(length, tile * down), rows = sheets ? height : chunks;
    const int64_t deep = sheets && chunks * worlds <= GRID_LIMIT ? chunks * worlds : worlds;
    l->steps = (uint16_t)work->steps;
    l->gathers = work->tallies;
    return (cover){k, {(unsigned)side, rows > GRID_LIMIT ? (sheets ? 0 : GRID_LIMIT) : (unsigned)rows,
                       (unsigned)(deep < GRID_LIMIT ? deep : GRID_LIMIT)}, {32, (unsigned)k->rows, 1}, 0, 1};
}

/* Covers a phase in turn with blocks that are all on the GPU at once, as they wait for each other. Bins count in the
 * device's memory. */
static cover cover_turns(const mass_cuda *cuda, mass_launch *l, const kernel *k)
{
    const int64_t most = cuda->processors * (int64_t)k->resident;
    const int64_t actors = l->populations[0].id ? (int64_t)l->populations[0].room
                                                : l->size[0] * l->size[1] * l->size[2] * l->worlds;
    const int64_t need = divide_up(actors * THREADS_A_TURN, MASS_TURN_THREADS);
    for (int i = 0; i < MASS_BINS_FIELDS; i++) {
        l->bins[i].first = l->bins[i].copies_log2 = 0;
        l->bins[i].count = l->bins[i].length;
        l->bins[i].local = MASS_BINS_GLOBAL;
    }
    return (cover){k, {(unsigned)(need < 1 ? 1 : need < most ? need : most), 1, 1}, {MASS_TURN_THREADS, 1, 1}, 0, 1};
}

/* Chooses the kernel of a work and the grid with which it covers the work's elements. Sets what it needs of *l, a copy
 * of the launch record. */
static cover cover_work(const mass_cuda *cuda, const mass_work *work, mass_launch *l)
{
    const kernel *k = &work->prepared->kernels[work->tallies][0];
    if (work->steps > 1) return cover_fused(cuda, work, l);
    if (mass_over_is_in_turn(work->prepared->callback->over)) return cover_turns(cuda, l, k);
    if (k->strides) return cover_strides(cuda, work, k, l);
    if (goes_by_agents(work->prepared->callback, l)) return cover_lone(cuda, l, k);
    return work->prepared->callback->over == MASS_OVER_AGENTS
               ? cover_agents(cuda, l, k)
               : choose_cover(cuda, l, work->prepared, work->tallies);
}

const mass_callback *mass_cuda_callback(const mass_prepared *p) { return p->callback; }

/* Reports that a callback could not be launched, and clears CUDA's error. */
static mass_status not_launched(mass_cuda *cuda, const mass_work *work, cudaError_t result, mass_error *error)
{
    cudaGetLastError();
    return mass_error_set(error, MASS_FAILED, "%s: callback %s cannot be launched at step %llu: %s", cuda->name,
                          work->prepared->callback->name, (unsigned long long)work->step, cudaGetErrorString(result));
}

/* Launches a callback by its rules. Afterwards the next launch may overlap with it (follows_others). */
static mass_status launch_rule(mass_cuda *cuda, const mass_work *work, mass_error *error)
{
    const cudaError_t result = mass_cuda_rules_launch(cuda, work->prepared->rules, work,
                                                      cuda->overlaps && !cuda->follows_others);
    cuda->follows_others = false;
    return result == cudaSuccess ? MASS_OK : not_launched(cuda, work, result, error);
}

mass_status mass_cuda_launch(mass_cuda *cuda, const mass_work *work, mass_error *error)
{
    if (follows(work)) return launch_rule(cuda, work, error);
    const mass_prepared *p = work->prepared;
    mass_launch record = *work->launch;
    const cover how = cover_work(cuda, work, &record);
    if (how.grid.y == 0)
        return mass_error_set(error, MASS_BAD_USAGE, "%s: a partition of %d rows is too tall for one launch: use "
                              "more --partitions", cuda->name, work->launch->extent[1]);
    void *fields[256];
    if (!p->pushes) record.push = 0;
    find_inner(&record, how.kernel->strip, how.kernel->rows);
    memcpy(fields, work->fields, p->callback->field_count * sizeof *fields);
    void *arguments[] = {fields, &record};
    const bool together = mass_over_is_in_turn(p->callback->over);
    const bool overlaps = how.kernel->overlaps && !cuda->follows_others;
    cudaLaunchAttribute how_to = {.id = together ? cudaLaunchAttributeCooperative
                                                 : cudaLaunchAttributeProgrammaticStreamSerialization};
    if (together) how_to.val.cooperative = 1;
    else how_to.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {.gridDim = how.grid, .blockDim = how.block, .stream = cuda->stream,
                                       .dynamicSmemBytes = how.local, .attrs = &how_to,
                                       .numAttrs = together || overlaps ? 1 : 0};
    cuda->follows_others = false;
    cudaError_t result = cudaSuccess;
    for (uint32_t pass = 0; result == cudaSuccess && pass < how.passes; pass++) {
        result = cudaLaunchKernelExC(&config, (const void *)how.kernel->function, arguments);
        record.bins[0].first += record.bins[0].count;
        if (record.bins[0].length - record.bins[0].first < record.bins[0].count)
            record.bins[0].count = record.bins[0].length - record.bins[0].first;
        for (int k = 1; k < MASS_BINS_FIELDS; k++) record.bins[k].count = 0;
    }
    return result == cudaSuccess ? MASS_OK : not_launched(cuda, work, result, error);
}

/* Launches a callback; waits for it if it counts by key. */
static mass_status launch(mass_device *device, const mass_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const bool keys = work->tallies && mass_keys_field(work->prepared->callback) >= 0;
    return keys ? mass_cuda_count_keys(cuda, work, error) : mass_cuda_launch(cuda, work, error);
}

/* Describes the form that launch would choose. Kernels of agents, and kernels that count as they go, stride. */
static void form(mass_device *device, const mass_work *work, char text[MASS_FORM_TEXT])
{
    mass_launch record = *work->launch;
    if (follows(work)) {
        mass_cuda_rules_form(work->prepared->rules, text);
        return;
    }
    const cover how = cover_work((mass_cuda *)device, work, &record);
    const char *name = NULL;
    if (cudaFuncGetName(&name, (const void *)how.kernel->function) != cudaSuccess || !name) name = "a kernel";
    const bool strides = how.kernel->strides || work->prepared->callback->over == MASS_OVER_AGENTS;
    if (work->steps > 1) snprintf(text, MASS_FORM_TEXT, "%s, %d steps a launch", name, work->steps);
    else if (strides) snprintf(text, MASS_FORM_TEXT, "%s, strides", name);
    else snprintf(text, MASS_FORM_TEXT, "%s, %dx%d places a thread", name, how.kernel->strip, how.kernel->rows);
}

const mass_launch_operations mass_cuda_launches = {
    .struct_size = sizeof mass_cuda_launches,
    .pushed_axes = MASS_AXES_ALL,
    .rule_places = RULE_PLACES,
    .own_code = mass_device_code,
    .prepare = prepare,
    .follow = follow,
    .launch = launch,
    .steps = steps,
    .around = around,
    .form = form,
    .synchronise = mass_cuda_synchronise,
};
