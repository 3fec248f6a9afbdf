/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures on the CPU: threads share the rows of pixels. */
#include "device/cpu/cpu.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { PARTS_A_THREAD = 8 };

typedef struct shrinking {
    const mass_shrink_work *work;
    int64_t rows, parts;
    atomic_int_fast64_t next; /* next part */
    uint8_t *index;
    char *memory; /* [threads] */
    size_t each;
    double *ranges; /* [threads][2] */
} shrinking;

/* Draws parts until none is left. A thread that runs slowly gets fewer of them. */
static void shrink_parts(void *context, int thread)
{
    shrinking *s = context;
    for (int64_t part; (part = atomic_fetch_add(&s->next, 1)) < s->parts;) {
        const int64_t first = s->rows * part / s->parts, end = s->rows * (part + 1) / s->parts;
        mass_cpu_shrink(s->work, first, end - first, s->memory + (size_t)thread * s->each, s->index,
                        s->ranges + 2 * thread);
    }
}

/* Draws the picture on the device's threads; extends `range` by the values of the box if asked for. */
static mass_status shrink(mass_device *device, const mass_shrink_work *w, uint8_t *index, double range[2],
                          mass_error *error)
{
    mass_cpu *cpu = (mass_cpu *)device;
    const int64_t rows = mass_shrink_rows(w);
    const int team = mass_cpu_team_threads(cpu->team), threads = rows < team ? (int)rows : team;
    const int64_t wanted = threads > 1 ? (int64_t)threads * PARTS_A_THREAD : 1;
    shrinking s = {.work = w, .rows = rows, .parts = rows < wanted ? rows : wanted, .index = index};
    s.each = (mass_cpu_shrink_memory(w) + 63) / 64 * 64;
    s.memory = malloc((size_t)threads * s.each);
    s.ranges = malloc((size_t)threads * 2 * sizeof *s.ranges);
    const bool room = s.memory && s.ranges;
    for (int i = 0; room && i < 2 * threads; i++) s.ranges[i] = range[i % 2];
    if (room) mass_cpu_team_run(cpu->team, threads, shrink_parts, &s);
    for (int i = 0; room && i < threads; i++) {
        range[0] = s.ranges[2 * i] < range[0] ? s.ranges[2 * i] : range[0];
        range[1] = s.ranges[2 * i + 1] > range[1] ? s.ranges[2 * i + 1] : range[1];
    }
    free(s.memory);
    free(s.ranges);
    return room ? MASS_OK : mass_error_memory(error, (size_t)threads * s.each, "a picture");
}

size_t mass_pictures_host_memory(const mass_shrink_work *w) { return mass_cpu_shrink_memory(w); }

void mass_pictures_shrink_on_host(const mass_shrink_work *w, void *memory, uint8_t *index, double range[2])
{
    mass_cpu_shrink(w, 0, mass_shrink_rows(w), memory, index, range);
}

const mass_picture_operations mass_cpu_pictures = {
    .struct_size = sizeof mass_cpu_pictures,
    .rules = 1u << MASS_SHRINK_MEAN | 1u << MASS_SHRINK_MOST | 1u << MASS_SHRINK_LARGEST,
    .shrink = shrink,
};
