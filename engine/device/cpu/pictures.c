/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures on the CPU: threads take rows of pixels. */
#include "device/cpu/cpu.h"

#include <stdlib.h>

enum { PARTS_A_THREAD = 4 };

typedef struct shrinking {
    const mass_shrink_work *work;
    int64_t rows, parts;
    uint8_t *index;
    char *memory; /* [parts] */
    size_t each;
    double *ranges; /* [parts][2] */
} shrinking;

static void shrink_part(void *context, int part)
{
    const shrinking *s = context;
    const int64_t first = s->rows * part / s->parts, end = s->rows * (part + 1) / s->parts;
    mass_cpu_shrink(s->work, first, end - first, s->memory + (size_t)part * s->each, s->index, s->ranges + 2 * part);
}

static mass_status shrink(mass_device *device, const mass_shrink_work *w, uint8_t *index, double range[2],
                          mass_error *error)
{
    mass_cpu *cpu = (mass_cpu *)device;
    const int64_t rows = mass_shrink_rows(w), wanted = (int64_t)mass_cpu_team_threads(cpu->team) * PARTS_A_THREAD;
    shrinking s = {.work = w, .rows = rows, .parts = rows < wanted ? rows : wanted, .index = index};
    s.each = (mass_cpu_shrink_memory(w) + 63) / 64 * 64;
    s.memory = malloc((size_t)s.parts * s.each);
    s.ranges = malloc((size_t)s.parts * 2 * sizeof *s.ranges);
    const bool room = s.memory && s.ranges;
    for (int64_t i = 0; room && i < 2 * s.parts; i++) s.ranges[i] = range[i % 2];
    if (room) mass_cpu_team_run(cpu->team, (int)s.parts, shrink_part, &s);
    for (int64_t i = 0; room && i < s.parts; i++) {
        range[0] = s.ranges[2 * i] < range[0] ? s.ranges[2 * i] : range[0];
        range[1] = s.ranges[2 * i + 1] > range[1] ? s.ranges[2 * i + 1] : range[1];
    }
    free(s.memory);
    free(s.ranges);
    return room ? MASS_OK : mass_error_memory(error, (size_t)s.parts * s.each, "a picture");
}

const mass_picture_operations mass_cpu_pictures = {
    .struct_size = sizeof mass_cpu_pictures,
    .rules = 1u << MASS_SHRINK_MEAN | 1u << MASS_SHRINK_MOST | 1u << MASS_SHRINK_LARGEST,
    .shrink = shrink,
};
