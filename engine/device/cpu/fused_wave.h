/* SPDX-License-Identifier: Apache-2.0 */
/* A wave of fused steps (fused.h) down the rows or planes of a tile. */
#ifndef MASS_ENGINE_DEVICE_CPU_FUSED_WAVE_H
#define MASS_ENGINE_DEVICE_CPU_FUSED_WAVE_H

#include "device/cpu/cpu.h"
#include "device/cpu/roles.h"

enum { MASS_CPU_STEPS_MOST = 64 };

/* A launch, as all threads know it. */
typedef struct mass_cpu_fused {
    const mass_work *work;
    const mass_form *form;
    mass_cpu_role roles[MASS_CPU_FIELDS_MOST];
    uint32_t partner[MASS_CPU_FIELDS_MOST]; /* of PRESENT and NEXT: the other one */
    size_t buffer[MASS_CPU_FIELDS_MOST];    /* of others than VALUE and PRESENT: where its buffers begin, in bytes */
    size_t each[MASS_CPU_FIELDS_MOST];      /* bytes of one of them */
    size_t level[MASS_CPU_FIELDS_MOST];  /* of NEXT: bytes from what a step writes to what the next one does; else 0 */
    bool unsettles; /* set by any thread: the callback changed how floats are computed with */
    int32_t steps;
    int32_t radius[3]; /* along each axis */
    int32_t wide[3];   /* as many times more as there are steps */
    int along;         /* the axis of the waves: 1 or 2 */
    int64_t rows;      /* of a piece, along it */
    int64_t tile[3];   /* extent of a tile; along x all of it, or a part */
    int64_t tiles[3];
    bool whole;        /* tiles are as wide as the space */
    int64_t waves, items;        /* along the axis of the waves; and tiles times waves, in all worlds */
    int64_t left, pitch, stride; /* in elements of a buffer: before x = 0 of the tile; from row to row; and along */
    size_t bytes;      /* a thread's memory */
    char *memory;      /* [threads] */
    int threads;
} mass_cpu_fused;

/* Places of the partition. */
typedef struct mass_cpu_box {
    int64_t first[3], last[3];
} mass_cpu_box;

/* The places of one world over which a wave goes with `memory`, a thread's. Any thread, each with memory of its own. */
void mass_cpu_run_wave(const mass_cpu_fused *f, char *memory, int64_t world, const mass_cpu_box *part);

static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t greatest(int64_t a, int64_t b) { return a > b ? a : b; }
static inline int64_t parts(int64_t value, int64_t part) { return (value + part - 1) / part; }
static inline int64_t up(int64_t value, int64_t quantum) { return parts(value, quantum) * quantum; }

static inline int64_t size_of(const mass_cpu_fused *f, uint32_t field)
{
    return (int64_t)f->work->memory[field].element_size;
}
static inline uint32_t field_count(const mass_cpu_fused *f) { return f->work->prepared->callback->field_count; }
static inline bool is_buffered(const mass_cpu_fused *f, uint32_t i)
{
    return f->roles[i] != MASS_ROLE_VALUE && f->roles[i] != MASS_ROLE_PRESENT;
}

#endif
