/* SPDX-License-Identifier: Apache-2.0 */
/* The CUDA backend: a module that the engine loads when it is asked for. It carries its own static
 * CUDA runtime, which answers with an error where there is no driver. One GPU, one stream: work runs
 * in the order in which it is given. */
#include "device/cuda/cuda.h"
#include "cuda/kernels.h"
#include "device/keys_field.h"

#include <mass/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FORMS_MAX = 8,
    BLOCK_THREADS = 128,
    BLOCKS_OF_AGENTS = 16, /* on a processor */
    THREADS_A_PROCESSOR = 1024, /* that hide the latency of memory */
    GRID_LIMIT = 65535,
    STATIC_MEMORY = 4096 /* of a block, that kernels have without asking, at most */
};
/* Waves of threads that a form with more rows a thread has to fill. */
static const double WAVES = 2;

/* A form of a callback: the places that a thread of its kernel covers. */
typedef struct kernel {
    cudaKernel_t function;
    int strip, rows;
    bool strides;
} kernel;

struct mass_prepared {
    mass_prepared *next;
    const mass_callback *callback;
    kernel kernels[2][FORMS_MAX]; /* [1]: add to tallies; most rows first */
    int count[2];
};

struct mass_recording {
    cudaGraphExec_t graph;
};

mass_status mass_cuda_failed(mass_cuda *cuda, cudaError_t result, const char *what, mass_error *error)
{
    cudaGetLastError();
    const mass_status status = result == cudaErrorMemoryAllocation ? MASS_NO_DEVICE : MASS_FAILED;
    return mass_error_set(error, status, "%s: %s: %s", cuda->name, what, cudaGetErrorString(result));
}

static void close_cuda(mass_device *device)
{
    mass_cuda *cuda = (mass_cuda *)device;
    if (cuda->stream) cudaStreamSynchronize(cuda->stream);
    mass_cuda_end_arrivals(cuda);
    while (cuda->prepared) {
        mass_prepared *next = cuda->prepared->next;
        free(cuda->prepared);
        cuda->prepared = next;
    }
    for (int i = 0; i < MASS_CUDA_MARKS; i++)
        if (cuda->marks[i]) cudaEventDestroy(cuda->marks[i]);
    cudaFree(cuda->scratch);
    cudaFree(cuda->hashes);
    cudaFree(cuda->stop);
    cudaFreeHost(cuda->seen);
    free(cuda->world_callbacks);
    if (cuda->library) cudaLibraryUnload(cuda->library);
    if (cuda->own_library) cudaLibraryUnload(cuda->own_library);
    if (cuda->stream) cudaStreamDestroy(cuda->stream);
    free(cuda);
}

static mass_status start(mass_cuda *cuda, mass_error *error)
{
    TRY(cudaSetDevice(cuda->ordinal), "it cannot be used");
    TRY(cudaDeviceGetAttribute(&cuda->processors, cudaDevAttrMultiProcessorCount, cuda->ordinal), "it does not answer");
    int major, memory;
    TRY(cudaDeviceGetAttribute(&memory, cudaDevAttrMaxSharedMemoryPerBlockOptin, cuda->ordinal), "it does not answer");
    cuda->block_memory = (uint64_t)memory;
    TRY(cudaDeviceGetAttribute(&memory, cudaDevAttrMaxSharedMemoryPerMultiprocessor, cuda->ordinal),
        "it does not answer");
    cuda->processor_memory = (uint64_t)memory;
    TRY(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, cuda->ordinal), "it does not answer");
    cuda->overlaps = major >= 9;
    TRY(cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking), "no stream");
    TRY(cudaMalloc((void **)&cuda->stop, sizeof *cuda->stop), "it has no memory");
    TRY(cudaMemsetAsync(cuda->stop, 0, sizeof *cuda->stop, cuda->stream), "it does not answer");
    TRY(cudaMallocHost((void **)&cuda->seen, sizeof *cuda->seen), "there is no memory to reach it through");
    memset(cuda->seen, 0, sizeof *cuda->seen);
    for (int i = 0; i < MASS_CUDA_MARKS; i++)
        TRY(cudaEventCreateWithFlags(&cuda->marks[i], cudaEventDisableTiming), "no event");
    return mass_cuda_hash_memory(cuda, error);
}

static mass_status open_cuda(int ordinal, int threads, mass_device **out, mass_error *error)
{
    (void)threads;
    extern const mass_device_table mass_cuda_table;
    int count = 0;
    const cudaError_t result = cudaGetDeviceCount(&count);
    if (result != cudaSuccess || count == 0) {
        cudaGetLastError();
        return mass_error_set(error, MASS_NO_DEVICE, "there is no usable GPU: %s; use --device cpu",
                              result == cudaSuccess ? "none is installed" : cudaGetErrorString(result));
    }
    if (ordinal >= count)
        return mass_error_set(error, MASS_NO_DEVICE, "there is no cuda:%d: this machine has %d GPU%s, from cuda:0",
                              ordinal, count, count == 1 ? "" : "s");
    mass_cuda *cuda = calloc(1, sizeof *cuda);
    if (!cuda) return mass_error_memory(error, sizeof *cuda, "the CUDA device");
    cuda->device.table = &mass_cuda_table;
    cuda->ordinal = ordinal;
    snprintf(cuda->name, sizeof cuda->name, "cuda:%d", ordinal);
    const mass_status status = start(cuda, error);
    if (status != MASS_OK) {
        close_cuda(&cuda->device);
        return status == MASS_FAILED ? (error->status = MASS_NO_DEVICE) : status;
    }
    *out = &cuda->device;
    return MASS_OK;
}

static const char *name_of_cuda(mass_device *device) { return ((mass_cuda *)device)->name; }

static mass_status available(mass_device *device, size_t *bytes, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    size_t total;
    TRY(cudaMemGetInfo(bytes, &total), "its memory is unknown");
    return MASS_OK;
}

static mass_status allocate(mass_device *device, size_t bytes, void **out, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    void *memory = NULL;
    if (cudaMalloc(&memory, bytes ? bytes : 1) != cudaSuccess) {
        cudaGetLastError();
        char size[32];
        return mass_error_set(error, MASS_NO_DEVICE, "%s has no %s free: use a smaller space", cuda->name,
                              mass_format_bytes(size, (double)bytes));
    }
    *out = memory;
    return MASS_OK;
}

static void release(mass_device *device, void *memory)
{
    (void)device;
    if (memory) cudaFree(memory);
}

static mass_status synchronise(mass_device *device, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(cudaStreamSynchronize(cuda->stream), "a callback failed");
    return MASS_OK;
}

static mass_status move(mass_cuda *cuda, void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                        mass_error *error)
{
    TRY(cudaMemcpyAsync(to, from, bytes, kind, cuda->stream), "a copy failed");
    return synchronise(&cuda->device, error);
}

static mass_status upload(mass_device *device, void *to, const void *host, size_t bytes, mass_error *error)
{
    return move((mass_cuda *)device, to, host, bytes, cudaMemcpyHostToDevice, error);
}

static mass_status download(mass_device *device, void *host, const void *from, size_t bytes, mass_error *error)
{
    return move((mass_cuda *)device, host, from, bytes, cudaMemcpyDeviceToHost, error);
}

/* Rows of a box, sheet by sheet; whole sheets at once where they lie together on both sides. */
static mass_status move_box(mass_cuda *cuda, const mass_strided *c, enum cudaMemcpyKind kind, mass_error *error)
{
    for (int64_t k = 0; k < c->count[1]; k++) {
        char *to = (char *)c->to + k * c->to_stride[1];
        const char *from = (const char *)c->from + k * c->from_stride[1];
        if (c->count[0] == 1) TRY(cudaMemcpyAsync(to, from, c->bytes, kind, cuda->stream), "a copy failed");
        else
            TRY(cudaMemcpy2DAsync(to, (size_t)c->to_stride[0], from, (size_t)c->from_stride[0], c->bytes,
                                  (size_t)c->count[0], kind, cuda->stream), "a copy failed");
    }
    return synchronise(&cuda->device, error);
}

static mass_status upload_box(mass_device *device, const mass_strided *copy, mass_error *error)
{
    return move_box((mass_cuda *)device, copy, cudaMemcpyHostToDevice, error);
}

static mass_status download_box(mass_device *device, const mass_strided *copy, mass_error *error)
{
    return move_box((mass_cuda *)device, copy, cudaMemcpyDeviceToHost, error);
}

/* What recorded work has to look at. */
static const mass_stop *stop_of(const mass_cuda *cuda) { return cuda->recording ? cuda->stop : NULL; }

static mass_status fill(mass_device *device, void *to, const void *element, size_t size, size_t count,
                        mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_fill(cuda->stream, to, element, size, count, stop_of(cuda)), "an array cannot be filled");
    return MASS_OK;
}

static mass_status copy(mass_device *device, const mass_strided *strided, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_copy(cuda->stream, strided), "ghosts cannot be copied");
    return MASS_OK;
}

static mass_status add(mass_device *device, const mass_strided *box, size_t size, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_add(cuda->stream, box, size, stop_of(cuda)), "ghosts cannot be added to places");
    return MASS_OK;
}

/* ---- callbacks ---- */

/* Whether this backend runs a form. */
static bool knows(const mass_form *f)
{
    return f->id == MASS_FORM_KERNEL && f->kernel && f->steps == 1 && f->element_bits == 0 && f->places_x > 0 &&
           f->places_y > 0 && (f->flags & ~(uint32_t)(MASS_FORM_TALLIES | MASS_FORM_STRIDES)) == MASS_FORM_PUSHES;
}

static void insert(mass_prepared *p, bool tallies, const kernel *k)
{
    int at = p->count[tallies]++;
    for (; at > 0 && p->kernels[tallies][at - 1].rows < k->rows; at--)
        p->kernels[tallies][at] = p->kernels[tallies][at - 1];
    p->kernels[tallies][at] = *k;
}

static mass_status load_own_code(mass_cuda *cuda, mass_error *error)
{
    if (cuda->own_library) return MASS_OK;
    TRY(cudaLibraryLoadData(&cuda->own_library, mass_device_code, NULL, NULL, 0, NULL, NULL, 0),
        "the engine's device code cannot be loaded");
    return MASS_OK;
}

static mass_status load_code(mass_cuda *cuda, const void *code, mass_error *error)
{
    if (code == mass_device_code) return load_own_code(cuda, error);
    if (cuda->library && cuda->code == code) return MASS_OK;
    if (!code) return mass_error_set(error, MASS_NO_DEVICE, "the plugin was built without device code");
    TRY(cudaLibraryLoadData(&cuda->library, code, NULL, NULL, 0, NULL, NULL, 0),
        "the plugin's device code cannot be loaded");
    cuda->code = code;
    return MASS_OK;
}

static mass_status prepare(mass_device *device, const mass_callback *callback, const void *device_code,
                           mass_prepared **out, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_status status = load_code(cuda, device_code, error);
    if (status != MASS_OK) return status;
    const bool own = device_code == mass_device_code;
    mass_prepared *p = calloc(1, sizeof *p);
    if (!p) return mass_error_memory(error, sizeof *p, "a callback");
    p->next = cuda->prepared; /* closing frees it, whatever follows */
    p->callback = callback;
    cuda->prepared = p;
    for (uint32_t i = 0; i < callback->form_count; i++) {
        const mass_form *form = &callback->forms[i];
        const bool tallies = form->flags & MASS_FORM_TALLIES;
        if (!knows(form) || p->count[tallies] == FORMS_MAX) continue;
        kernel k = {NULL, form->places_x, form->places_y, (form->flags & MASS_FORM_STRIDES) != 0};
        const cudaError_t result = cudaLibraryGetKernel(&k.function, own ? cuda->own_library : cuda->library,
                                                        form->kernel);
        if (result != cudaSuccess) {
            cudaGetLastError();
            return mass_error_set(error, MASS_NO_DEVICE, "the %s's device code has no kernel %s for %s: %s",
                                  own ? "engine" : "plugin", form->kernel, cuda->name, cudaGetErrorString(result));
        }
        if (k.strides)
            TRY(cudaFuncSetAttribute((const void *)k.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)cuda->block_memory - STATIC_MEMORY), "a callback cannot count");
        insert(p, tallies, &k);
    }
    if (p->count[0] == 0 || p->count[1] == 0)
        return mass_error_set(error, MASS_BAD_PLUGIN, "callback %s has no form for CUDA", callback->name);
    *out = p;
    return MASS_OK;
}

static int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* How a launch covers a partition: blocks as wide as the space is, up to a warp of strips. grid.y is 0
 * if it cannot. */
typedef struct cover {
    const kernel *kernel;
    dim3 grid, block;
    uint32_t local;  /* bytes of a block's memory for bins, and */
    uint32_t passes; /* launches (mass_cuda_strides) */
} cover;

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

/* The form with the most rows a thread that still fills the GPU. */
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

/* Where along an axis no ghosts are pushed by places themselves. Along x and y, a strip holds those of
 * one side where the extent is made of whole strips. */
static void find_inner(mass_launch *l, int strip, int rows)
{
    const int piece[3] = {strip, rows, INT32_MAX};
    for (int a = 0; a < 3; a++) {
        const bool whole = l->extent[a] % piece[a] == 0 && l->extent[a] / piece[a] >= 2 && l->ghost[a] <= piece[a];
        const int32_t margin = (l->push >> a & 1) && !whole ? l->ghost[a] : 0;
        l->inner_first[a] = margin;
        l->inner_last[a] = l->extent[a] - margin;
    }
}

/* Threads that stride over the agents, whose number only the device knows; of a part of a space, world by
 * world. */
static cover cover_agents(const mass_cuda *cuda, const mass_launch *l, const kernel *k)
{
    const int64_t places = (int64_t)l->extent[0] * l->extent[1] * l->extent[2];
    const int64_t worlds = places == l->agents.places ? 1 : l->worlds < GRID_LIMIT ? l->worlds : GRID_LIMIT;
    const int64_t most = (int64_t)cuda->processors * BLOCKS_OF_AGENTS, need = divide_up(l->agents.room, BLOCK_THREADS);
    const unsigned blocks = (unsigned)(need < 1 ? 1 : need < most ? need : most);
    return (cover){k, {blocks, (unsigned)worlds, 1}, {BLOCK_THREADS, 1, 1}, 0, 1};
}

/* Threads that stride over strips of places or over agents, and gather as they go. */
static cover cover_strides(const mass_cuda *cuda, const mass_work *work, const kernel *k, mass_launch *l)
{
    const int64_t items = work->prepared->callback->over == MASS_OVER_AGENTS
                              ? l->agents.room
                              : divide_up(l->extent[0], k->strip) * l->extent[1] * l->extent[2];
    const mass_cuda_strides s = mass_cuda_choose_strides(cuda, work, l, items);
    const unsigned worlds = (unsigned)(l->worlds < GRID_LIMIT ? l->worlds : GRID_LIMIT);
    return (cover){k, {s.blocks, worlds, 1}, {s.threads, 1, 1}, s.local, s.passes};
}

static cover cover_work(const mass_cuda *cuda, const mass_work *work, mass_launch *l)
{
    const kernel *k = &work->prepared->kernels[work->tallies][0];
    if (k->strides) return cover_strides(cuda, work, k, l);
    return work->prepared->callback->over == MASS_OVER_AGENTS
               ? cover_agents(cuda, l, k)
               : choose_cover(cuda, l, work->prepared, work->tallies);
}

const mass_callback *mass_cuda_callback(const mass_prepared *p) { return p->callback; }

mass_status mass_cuda_launch(mass_cuda *cuda, const mass_work *work, mass_error *error)
{
    const mass_prepared *p = work->prepared;
    mass_launch record = *work->launch;
    const cover how = cover_work(cuda, work, &record);
    if (how.grid.y == 0)
        return mass_error_set(error, MASS_BAD_USAGE, "%s: a partition of %d rows is too tall for one launch: use "
                              "more --partitions", cuda->name, work->launch->extent[1]);
    void *fields[256];
    find_inner(&record, how.kernel->strip, how.kernel->rows);
    memcpy(fields, work->fields, p->callback->field_count * sizeof *fields);
    void *arguments[] = {fields, &record};
    cudaLaunchAttribute overlap = {.id = cudaLaunchAttributeProgrammaticStreamSerialization};
    overlap.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {.gridDim = how.grid, .blockDim = how.block, .stream = cuda->stream,
                                       .dynamicSmemBytes = how.local, .attrs = &overlap,
                                       .numAttrs = cuda->overlaps ? 1 : 0};
    cudaError_t result = cudaSuccess;
    for (uint32_t pass = 0; result == cudaSuccess && pass < how.passes; pass++) {
        result = cudaLaunchKernelExC(&config, (const void *)how.kernel->function, arguments);
        record.bins[0].first += record.bins[0].count;
        if (record.bins[0].length - record.bins[0].first < record.bins[0].count)
            record.bins[0].count = record.bins[0].length - record.bins[0].first;
        for (int k = 1; k < MASS_BINS_FIELDS; k++) record.bins[k].count = 0;
    }
    if (result == cudaSuccess) return MASS_OK;
    cudaGetLastError();
    return mass_error_set(error, MASS_FAILED, "%s: callback %s cannot be launched at step %llu: %s", cuda->name,
                          p->callback->name, (unsigned long long)work->step, cudaGetErrorString(result));
}

static mass_status launch(mass_device *device, const mass_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const bool keys = work->tallies && mass_keys_field(work->prepared->callback) >= 0;
    return keys ? mass_cuda_count_keys(cuda, work, error) : mass_cuda_launch(cuda, work, error);
}

/* Kernels of agents, and those that gather as they go, stride over as many as there are. */
static void form(mass_device *device, const mass_work *work, char text[MASS_FORM_TEXT])
{
    mass_launch record = *work->launch;
    const cover how = cover_work((mass_cuda *)device, work, &record);
    const char *name = NULL;
    if (cudaFuncGetName(&name, (const void *)how.kernel->function) != cudaSuccess || !name) name = "a kernel";
    const bool strides = how.kernel->strides || work->prepared->callback->over == MASS_OVER_AGENTS;
    if (strides) snprintf(text, MASS_FORM_TEXT, "%s, strides", name);
    else snprintf(text, MASS_FORM_TEXT, "%s, %dx%d places a thread", name, how.kernel->strip, how.kernel->rows);
}

/* Of the driver's own copy. */
static mass_status time_copy(mass_cuda *cuda, void *to, const void *from, size_t bytes, cudaEvent_t began,
                             cudaEvent_t ended, double *rate, mass_error *error)
{
    enum { COPIES = 8 };
    float milliseconds;
    for (int warm = 0; warm < 2; warm++) {
        TRY(cudaEventRecord(began, cuda->stream), "a copy cannot be timed");
        for (int i = 0; i < COPIES; i++)
            TRY(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, cuda->stream), "a copy failed");
        TRY(cudaEventRecord(ended, cuda->stream), "a copy cannot be timed");
        TRY(cudaEventSynchronize(ended), "a copy failed");
    }
    TRY(cudaEventElapsedTime(&milliseconds, began, ended), "a copy cannot be timed");
    *rate = 2.0 * (double)bytes * COPIES / (1e-3 * milliseconds);
    return MASS_OK;
}

static mass_status copy_rate(mass_device *device, double *rate, mass_error *error)
{
    static const size_t most = (size_t)1 << 30; /* more than caches hold */
    mass_cuda *cuda = (mass_cuda *)device;
    size_t room;
    void *to = NULL, *from = NULL;
    cudaEvent_t began = NULL, ended = NULL;
    mass_status status = available(device, &room, error);
    const size_t bytes = room / 8 < most ? room / 8 : most;
    if (status == MASS_OK) status = allocate(device, bytes, &to, error);
    if (status == MASS_OK) status = allocate(device, bytes, &from, error);
    if (status == MASS_OK && (cudaEventCreate(&began) != cudaSuccess || cudaEventCreate(&ended) != cudaSuccess))
        status = mass_error_set(error, MASS_FAILED, "%s: a copy cannot be timed", cuda->name);
    if (status == MASS_OK) status = time_copy(cuda, to, from, bytes, began, ended, rate, error);
    if (began) cudaEventDestroy(began);
    if (ended) cudaEventDestroy(ended);
    release(device, to);
    release(device, from);
    return status;
}

/* ---- populations ---- */

static mass_status make_scratch(mass_cuda *cuda, size_t bytes, mass_error *error)
{
    if (bytes <= cuda->scratch_bytes) return MASS_OK;
    cudaStreamSynchronize(cuda->stream);
    cudaFree(cuda->scratch);
    cuda->scratch = NULL;
    cuda->scratch_bytes = 0;
    const mass_status status = allocate(&cuda->device, bytes, &cuda->scratch, error);
    if (status == MASS_OK) cuda->scratch_bytes = bytes;
    return status;
}

/* Only births can take more room than there is, so that only they are waited for, and not in a recording. */
static mass_status manage(mass_device *device, const mass_manage_work *work, uint64_t *agents, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    const mass_status status = make_scratch(cuda, mass_cuda_manage_scratch(work, work->room), error);
    if (status != MASS_OK) return status;
    TRY(mass_cuda_manage(cuda->stream, work, cuda->scratch, cuda->stop), "agents cannot be managed");
    *agents = 0;
    if (work->children == 0) return MASS_OK;
    cuda->may_stop = true;
    if (cuda->recording) return MASS_OK;
    mass_stop stop;
    TRY(cudaMemcpyAsync(&stop, cuda->stop, sizeof stop, cudaMemcpyDeviceToHost, cuda->stream), "a copy failed");
    TRY(cudaStreamSynchronize(cuda->stream), "agents cannot be managed");
    if (!stop.stopped) return MASS_OK;
    *agents = stop.needed;
    TRY(cudaMemsetAsync(cuda->stop, 0, sizeof stop, cuda->stream), "agents cannot be managed");
    return MASS_OK;
}

static mass_status drop(mass_device *device, const mass_drop_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_drop(cuda->stream, work, stop_of(cuda)), "requests cannot be dropped");
    return MASS_OK;
}

static mass_status gate(mass_device *device, const mass_gate_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_gate(cuda->stream, work), "a condition cannot be looked at");
    return MASS_OK;
}

static mass_status census(mass_device *device, const uint32_t *start_of, int64_t places, int32_t worlds, int64_t *tally,
                          mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(mass_cuda_census(cuda->stream, start_of, places, worlds, tally, stop_of(cuda)), "agents cannot be counted");
    return MASS_OK;
}

static mass_status guard(mass_device *device, const mass_guard_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    cuda->may_stop = true;
    TRY(mass_cuda_guard(cuda->stream, work, cuda->stop), "agents cannot be counted");
    return MASS_OK;
}

static mass_status take_stop(mass_device *device, bool wait, mass_stop *stop, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    *stop = (mass_stop){0};
    if (!wait && !((volatile mass_stop *)cuda->seen)->stopped) return MASS_OK;
    TRY(cudaStreamSynchronize(cuda->stream), "a callback failed");
    *stop = *cuda->seen;
    if (stop->stopped) TRY(cudaMemsetAsync(cuda->stop, 0, sizeof *stop, cuda->stream), "it does not answer");
    memset(cuda->seen, 0, sizeof *cuda->seen);
    return MASS_OK;
}

static mass_status look(mass_device *device, const mass_until_work *work, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    cuda->may_stop = true;
    TRY(mass_cuda_look(cuda->stream, work, cuda->recording ? cuda->stop : NULL),
        "the stop condition cannot be looked at");
    return MASS_OK;
}

/* ---- recordings ---- */

static mass_status record(mass_device *device, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(cudaStreamBeginCapture(cuda->stream, cudaStreamCaptureModeThreadLocal), "steps cannot be recorded");
    cuda->recording = true;
    cuda->may_stop = false;
    return MASS_OK;
}

static mass_status recorded(mass_device *device, uint64_t *clock, uint64_t steps, mass_recording **out,
                            mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    cudaGraph_t graph = NULL;
    TRY(mass_cuda_advance(cuda->stream, clock, steps, cuda->stop), "steps cannot be recorded");
    if (cuda->may_stop)
        TRY(cudaMemcpyAsync(cuda->seen, cuda->stop, sizeof *cuda->seen, cudaMemcpyDeviceToHost, cuda->stream),
            "steps cannot be recorded");
    cuda->recording = false;
    TRY(cudaStreamEndCapture(cuda->stream, &graph), "steps cannot be recorded");
    mass_recording *r = calloc(1, sizeof *r);
    if (!r) return mass_error_memory(error, sizeof *r, "a recording");
    const cudaError_t result = cudaGraphInstantiate(&r->graph, graph, 0);
    cudaGraphDestroy(graph);
    if (result != cudaSuccess) {
        free(r);
        return mass_cuda_failed(cuda, result, "steps cannot be recorded", error);
    }
    *out = r;
    return MASS_OK;
}

static mass_status replay(mass_device *device, mass_recording *r, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    TRY(cudaGraphLaunch(r->graph, cuda->stream), "steps cannot be replayed");
    TRY(cudaEventRecord(cuda->marks[cuda->replays++ % MASS_CUDA_MARKS], cuda->stream), "steps cannot be replayed");
    return MASS_OK;
}

static mass_status keep_up(mass_device *device, int ahead, mass_error *error)
{
    mass_cuda *cuda = (mass_cuda *)device;
    if (ahead >= MASS_CUDA_MARKS || cuda->replays <= (uint64_t)ahead) return MASS_OK;
    const uint64_t last = cuda->replays - 1 - (uint64_t)ahead;
    TRY(cudaEventSynchronize(cuda->marks[last % MASS_CUDA_MARKS]), "a callback failed");
    return MASS_OK;
}

static void discard(mass_device *device, mass_recording *r)
{
    cudaStreamSynchronize(((mass_cuda *)device)->stream);
    cudaGraphExecDestroy(r->graph);
    free(r);
}

static const mass_memory_operations memory = {
    .struct_size = sizeof memory,
    .available = available,
    .allocate = allocate,
    .release = release,
    .upload = upload,
    .download = download,
    .upload_box = upload_box,
    .download_box = download_box,
    .fill = fill,
    .copy = copy,
    .add = add,
    .copy_rate = copy_rate,
    .hash_blocks = mass_cuda_hash,
};

static const mass_launch_operations launching = {
    .struct_size = sizeof launching,
    .pushed_axes = MASS_AXES_ALL,
    .own_code = mass_device_code,
    .prepare = prepare,
    .launch = launch,
    .form = form,
    .synchronise = synchronise,
};

static const mass_condition_operations conditions = {
    .struct_size = sizeof conditions,
    .gate = gate,
    .look = look,
};

static const mass_agents_operations agents_of_all = {
    .struct_size = sizeof agents_of_all,
    .manage = manage,
    .drop = drop,
    .census = census,
};

static const mass_record_operations recording = {
    .struct_size = sizeof recording,
    .begin = record,
    .end = recorded,
    .replay = replay,
    .discard = discard,
    .keep_up = keep_up,
    .guard = guard,
    .take_stop = take_stop,
};

const mass_device_table mass_cuda_table = {
    .struct_size = sizeof mass_cuda_table,
    .open = open_cuda,
    .close = close_cuda,
    .name = name_of_cuda,
    .memory = &memory,
    .launch = &launching,
    .conditions = &conditions,
    .keys = &mass_cuda_keys,
    .agents = &agents_of_all,
    .record = &recording,
    .small_worlds = &mass_cuda_small_worlds,
    .streams = &mass_cuda_streams,
};

__attribute__((visibility("default"))) const mass_device_table *mass_backend = &mass_cuda_table;
