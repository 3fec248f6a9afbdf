/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of the CUDA backend. Main thread. */
#ifndef MASS_ENGINE_CUDA_H
#define MASS_ENGINE_CUDA_H

#include "device/device.h"

#include <cuda_runtime.h>

enum { MASS_CUDA_MARKS = 8 };

typedef struct mass_cuda {
    mass_device device;
    int ordinal, processors;
    uint64_t block_memory, processor_memory; /* shared memory that a block, and all blocks of a processor, may have */
    bool overlaps; /* a launch may begin while the one before it ends */
    enum { MASS_CUDA_UNKNOWN, MASS_CUDA_OVERLAPS, MASS_CUDA_WAITS } code_overlaps[2]; /* of a plugin's code;
                                                                                         own_library's */
    char name[24];
    cudaStream_t stream;
    const void *code; /* the code of `library` */
    cudaLibrary_t library, own_library; /* the plugin's, and the engine's own (reduce.h) */
    mass_prepared *prepared;
    cudaEvent_t marks[MASS_CUDA_MARKS]; /* after the last replays */
    uint64_t replays;
    void *scratch; /* of manage */
    size_t scratch_bytes;
    struct mass_cuda_remote_part *remote; /* of manage over ranks; NULL until the first one */
    struct mass_cuda_queued_part *queued; /* the same for manages that are all queued; NULL until the first one */
    char *picture, *picture_on_host; /* [picture_bytes] of a frame; NULL until the first one */
    size_t picture_bytes;
    uint64_t *hashes; /* of blocks, on the device; after them, tables of arrays */
    mass_stop *stop; /* on the device */
    mass_stop *seen; /* in host memory: a copy made by the last replay that is done */
    bool recording, may_stop; /* may_stop: the present recording may stop */
    cudaKernel_t world_kernel; /* of MASS_WORLD_STEPS, once looked for */
    char *world_callbacks;     /* names, each followed by a semicolon; NULL: none */
    bool looked_for_world;
    cudaStream_t input; /* stream for copies of input; NULL until there is input */
    cudaEvent_t copied[2], consumed[2]; /* by slot: its chunk has arrived; it is not needed any more */
    cudaStream_t side; /* the other stream, between enter and leave; NULL until the first enter (side.h) */
    cudaEvent_t entered, left;
    bool follows_others; /* the stream's last work is not a launch that the next one may overlap with */
    /* Called now and then while the host waits for the stream; `waited`: seconds so far. Returns an error if the work
     * cannot be completed, because another rank has failed. NULL: no other rank takes part. */
    mass_status (*watch)(void *watcher, double waited, mass_error *error);
    void *watcher;
} mass_cuda;

/* Sets the error of a failed call, and clears the runtime's error, so that no later call reports it. Returns
 * MASS_NO_DEVICE if memory is short, else MASS_FAILED. */
mass_status mass_cuda_failed(mass_cuda *cuda, cudaError_t result, const char *what, mass_error *error);

/* Makes a call of CUDA. If it fails, makes the calling function report `what` and return. Needs `cuda` and `error` in
 * scope. */
#define TRY(call, what)                                                                        \
    do {                                                                                       \
        const cudaError_t try_result = (call);                                                 \
        if (try_result != cudaSuccess) return mass_cuda_failed(cuda, try_result, what, error); \
    } while (0)

/* Returns the callback that was prepared. */
const mass_callback *mass_cuda_callback(const mass_prepared *p);

/* Launch of a kernel whose threads stride over items: strips of places, or agents of a world. Blocks and threads along
 * x; each world has its own blocks. Several passes each count some of the bins. */
typedef struct mass_cuda_strides {
    unsigned blocks, threads;
    uint32_t local;  /* bytes of a block's shared memory for bins */
    uint32_t passes;
} mass_cuda_strides;

enum { MASS_CUDA_STRIDE_THREADS = MASS_AGENT_THREADS }; /* of a block over agents */
/* Chooses a launch, and sets l->bins for the first pass. items: strips of a world, or the room for all agents.
 * resident: blocks over agents that fit into a processor's registers. */
mass_cuda_strides mass_cuda_choose_strides(const mass_cuda *cuda, const mass_work *work, mass_launch *l, int64_t items,
                                           int resident);

/* Queues a launch of a callback: its kernel once, or once a pass, or the kernel of the rule that it follows.
 * MASS_BAD_USAGE: the partition has too many rows. */
mass_status mass_cuda_launch(mass_cuda *cuda, const mass_work *work, mass_error *error);
/* Counts what a callback counts by key, in as many launches as needed, and waits. */
mass_status mass_cuda_count_keys(mass_cuda *cuda, const mass_work *work, mass_error *error);

/* Allocates memory for hashes, which must exist even if a run takes all other memory; close frees it. */
mass_status mass_cuda_hash_memory(mass_cuda *cuda, mass_error *error);

/* Hashes blocks of an attribute: an operation of the memory table (memory.h). */
mass_status mass_cuda_hash(mass_device *, const mass_blocks *b, int64_t first, int64_t count, uint64_t *hashes,
                           mass_error *error);
/* Waits for copies of input, and frees what they use. */
void mass_cuda_close_input(mass_cuda *cuda);
/* Waits for work in parallel to other work, and frees what it uses. */
void mass_cuda_close_side(mass_cuda *cuda);
/* Makes scratch at least this large. Scratch that is large enough stays. Otherwise it waits for queued work, and the
 * contents are lost. On failure there is none. */
mass_status mass_cuda_make_scratch(mass_cuda *cuda, size_t bytes, mass_error *error);
/* Free the memory of manages over ranks. */
void mass_cuda_close_remote(mass_cuda *cuda);
void mass_cuda_close_queued(mass_cuda *cuda);
/* Frees the memory of pictures. */
void mass_cuda_close_pictures(mass_cuda *cuda);
/* Frees all that prepare made. */
void mass_cuda_free_prepared(mass_cuda *cuda);

/* Returns the stop that recorded work must check first; NULL if work is not being recorded. */
static inline const mass_stop *mass_cuda_stop(const mass_cuda *cuda) { return cuda->recording ? cuda->stop : NULL; }

/* Wait for an event; with NULL, and always in mass_cuda_synchronise, for all queued work. The watch may end the wait
 * with an error. */
mass_status mass_cuda_wait(mass_cuda *cuda, cudaEvent_t event, mass_error *error);
mass_status mass_cuda_synchronise(mass_device *, mass_error *error);
/* With a watch, waits for all queued work, before a call that may itself wait for it. Without one, does nothing. */
static inline mass_status mass_cuda_wait_watched(mass_cuda *cuda, mass_error *error)
{
    return cuda->watch ? mass_cuda_wait(cuda, NULL, error) : MASS_OK;
}

extern const mass_memory_operations mass_cuda_memory;
extern const mass_launch_operations mass_cuda_launches;
extern const mass_condition_operations mass_cuda_conditions;
extern const mass_agents_operations mass_cuda_agents;
extern const mass_remote_operations mass_cuda_remote_operations;
extern const mass_queued_operations mass_cuda_queued_operations;
extern const mass_record_operations mass_cuda_record;
extern const mass_keys_operations mass_cuda_keys;
extern const mass_block_world_operations mass_cuda_block_worlds;
extern const mass_stream_operations mass_cuda_streams;
extern const mass_side_operations mass_cuda_side;
extern const mass_picture_operations mass_cuda_pictures;
extern const mass_link_table mass_nccl_links; /* comm/nccl, if the build has NCCL */

#endif
