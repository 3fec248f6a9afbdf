/* SPDX-License-Identifier: Apache-2.0 */
#include "launching.h"

#include <criterion/criterion.h>
#include <stdlib.h>

mass_device *open_cpu(int threads)
{
    mass_device *device;
    mass_error error = {0};
    cr_assert_eq(mass_cpu_table.open(0, threads, &device, &error), MASS_OK, "%s", error.text);
    return device;
}

int instruction_sets(const char *names[3])
{
    static const char *const all[] = {"base", "avx2", "avx512"};
    int count = 0;
    for (int i = 0; i < 3; i++) {
        mass_device *device;
        mass_error error = {0};
        setenv("MASS_ISA", all[i], 1);
        if (mass_cpu_table.open(0, 1, &device, &error) != MASS_OK) break;
        mass_cpu_table.close(device);
        names[count++] = all[i];
    }
    unsetenv("MASS_ISA");
    return count;
}

mass_status launch_on(mass_device *device, const mass_callback *callback, const mass_launch *l, void *const *fields,
                      bool tallies, mass_error *error)
{
    mass_prepared *prepared;
    const mass_status status = mass_cpu_table.launch->prepare(device, callback, NULL, &prepared, error);
    if (status != MASS_OK) return status;
    mass_field_memory memory[8] = {{0}};
    for (uint32_t i = 0; i < callback->field_count; i++) memory[i].words = 1;
    const mass_work work = {prepared, l, fields, memory, tallies, l->step, 1, 0};
    return mass_cpu_table.launch->launch(device, &work, error);
}

void launch_with(int threads, const mass_callback *callback, const mass_launch *l, void *const *fields, bool tallies)
{
    mass_error error = {0};
    mass_device *device = open_cpu(threads);
    cr_assert_eq(launch_on(device, callback, l, fields, tallies, &error), MASS_OK, "%s", error.text);
    mass_cpu_table.close(device);
}

mass_launch launch_of(int nx, int ny, int nz, int worlds)
{
    mass_launch l = {.struct_size = sizeof l, .phase = 2, .step = 9, .worlds = worlds, .origin = {1, 2, 3},
                     .size = {1 << 20, 1 << 20, 1 << 20}, .extent = {nx, ny, nz}, .ghost = {1, 1, 1},
                     .torus = MASS_AXES_ALL};
    l.pitch = nx + 5;
    l.plane = l.pitch * (ny + 2);
    l.world_stride = l.plane * (nz + 2);
    return l;
}

size_t first_place(const mass_launch *l) { return (size_t)(l->plane + l->pitch + 2); }

size_t elements_of(const mass_launch *l) { return (size_t)(l->world_stride * l->worlds); }

bool is_own(const mass_launch *l, size_t element)
{
    const int64_t at = (int64_t)element - (int64_t)first_place(l) + l->plane + l->pitch;
    if (at < 0) return false;
    const int64_t z = at % l->world_stride / l->plane - 1, y = at % l->plane / l->pitch - 1;
    const int64_t x = at % l->pitch;
    return x < l->extent[0] && y >= 0 && y < l->extent[1] && z >= 0 && z < l->extent[2];
}

static void touch_loop(const void *fields, const mass_launch *l, const mass_range *range)
{
    uint8_t *const touched = *(uint8_t *const *)fields;
    int64_t *const count = ((int64_t *const *)fields)[1];
    for (int64_t row = range->first_row; row < range->last_row; row++) {
        const int64_t y = row % l->extent[1], z = row / l->extent[1] % l->extent[2];
        const int64_t world = row / l->extent[1] / l->extent[2];
        for (mass_lidx x = range->first_x; x < range->last_x; x++)
            touched[world * l->world_stride + z * l->plane + y * l->pitch + x]++;
        count[world] += range->last_x - range->first_x;
    }
}

static void idle_loop(const void *fields, const mass_launch *l, const mass_range *range)
{
    (void)fields;
    (void)l;
    (void)range;
}

static const mass_field touch_fields[] = {{"touched", "touched", MASS_UPDATE, MASS_U8, 1, 0},
                                          {"count", "count", MASS_SUM, MASS_I64, 8, 0}};
const mass_form touch_forms[2] = {LOOP_FORM(MASS_ISA_BASE, 0, idle_loop, 1, 0),
                                  LOOP_FORM(MASS_ISA_BASE, TALLIES, touch_loop, 1, 0)};

mass_callback touch_with(const mass_form *forms, uint32_t count)
{
    return (mass_callback){sizeof(mass_callback), MASS_OVER_PLACES, "touch", 0, 0, 2,
                           sizeof(mass_field), touch_fields, count, sizeof(mass_form), forms, 0, NULL, 0,
                           NULL, NULL, 0, 0};
}
