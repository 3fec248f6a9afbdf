/* SPDX-License-Identifier: Apache-2.0 */
/* A wavefront of fused steps (fused.h) that moves down the rows or planes of a tile. */
#ifndef MASS_ENGINE_DEVICE_CPU_FUSED_WAVEFRONT_H
#define MASS_ENGINE_DEVICE_CPU_FUSED_WAVEFRONT_H

#include "device/cpu/cpu.h"
#include "device/cpu/argument_kinds.h"

enum { MASS_CPU_STEPS_MOST = 64 };

/* A launch, as all threads see it. */
typedef struct mass_cpu_fused {
    const mass_work *work;
    const mass_form *form;
    mass_cpu_argument_kind roles[MASS_CPU_FIELDS_MOST];
    uint32_t partner[MASS_CPU_FIELDS_MOST]; /* for PRESENT and NEXT: the other one */
    size_t buffer[MASS_CPU_FIELDS_MOST];    /* offset of a field's buffers in bytes; not for VALUE and PRESENT */
    size_t each[MASS_CPU_FIELDS_MOST];      /* bytes of one buffer */
    size_t level[MASS_CPU_FIELDS_MOST];  /* for NEXT: bytes between the buffers of consecutive steps; else 0 */
    bool unsettles; /* set by any thread: the callback changed how floats are computed */
    int32_t steps;
    int32_t radius[3]; /* along each axis */
    int32_t wide[3];   /* radius times steps */
    int along;         /* axis of the wavefronts: 1 or 2 */
    int64_t rows;      /* rows of a piece, along that axis */
    int64_t tile[3];   /* extent of a tile; along x, all places or a part */
    int64_t tiles[3];
    bool whole;        /* tiles are as wide as the space */
    int64_t waves, items;        /* wavefronts along their axis; tiles times wavefronts, of all worlds */
    int64_t left, pitch, stride; /* in elements of a buffer: before x = 0 of the tile; between rows; between steps along
                                    the axis */
    size_t bytes;      /* of a thread */
    char *memory;      /* [threads] */
    int threads;
} mass_cpu_fused;

/* A box of places of the partition. */
typedef struct mass_cpu_box {
    int64_t first[3], last[3];
} mass_cpu_box;

/* Runs a wavefront over a box of places of one world. `memory` is the thread's own. Any thread. */
void mass_cpu_run_wavefront(const mass_cpu_fused *f, char *memory, int64_t world, const mass_cpu_box *part);

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t greatest(int64_t a, int64_t b) { return a > b ? a : b; }
/* Return into how many parts of at most so many a value is divided, and the next multiple of a quantum. */
static inline int64_t parts(int64_t value, int64_t part) { return (value + part - 1) / part; }
static inline int64_t up(int64_t value, int64_t quantum) { return parts(value, quantum) * quantum; }

/* Returns the bytes of an element of a field. */
static inline int64_t size_of(const mass_cpu_fused *f, uint32_t field)
{
    return (int64_t)f->work->memory[field].element_size;
}
static inline uint32_t field_count(const mass_cpu_fused *f) { return f->work->prepared->callback->field_count; }
/* Returns whether a field needs buffers between steps: all but values of worlds and present values, which use their
 * partner's. */
static inline bool is_buffered(const mass_cpu_fused *f, uint32_t i)
{
    return f->roles[i] != MASS_ROLE_VALUE && f->roles[i] != MASS_ROLE_PRESENT;
}

#endif
