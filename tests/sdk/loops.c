/* SPDX-License-Identifier: Apache-2.0 */
#include "loops.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <stdlib.h>

static int processor_runs(uint32_t isa)
{
    if (isa == MASS_ISA_BASE) return 1;
#if defined(__x86_64__)
    if (isa == MASS_ISA_AVX2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    if (isa == MASS_ISA_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#endif
    return 0;
}

const mass_form *next_form(const mass_callback *callback, uint32_t *at)
{
    while (*at < callback->form_count) {
        const mass_form *const form = &callback->forms[(*at)++];
        if (form->id == MASS_FORM_LOOP && processor_runs(form->isa)) return form;
    }
    return NULL;
}

mass_launch launch_of(int nx, int ny, int nz, int worlds)
{
    mass_launch l = {.struct_size = sizeof l, .phase = 4, .step = 12, .worlds = worlds, .origin = {100, 200, 300},
                     .size = {1000, 1000, 1000}, .extent = {nx, ny, nz}, .torus = MASS_AXES_ALL};
    for (int a = 0; a < 3; a++) l.ghost[a] = a == 0 || l.extent[a] > 1 ? 3 : 0;
    l.pitch = nx + 2 * l.ghost[0] + 5;
    l.plane = l.pitch * (ny + 2 * l.ghost[1] + 1);
    l.world_stride = l.plane * (nz + 2 * l.ghost[2] + 1);
    return l;
}

mass_range whole(const mass_launch *l)
{
    const mass_range range = {0, (int64_t)l->worlds * l->extent[2] * l->extent[1], 0, l->extent[0]};
    return range;
}

static int64_t first_place(const mass_launch *l)
{
    return l->ghost[2] * l->plane + l->ghost[1] * l->pitch + l->ghost[0];
}

void *array_of(const mass_launch *l, size_t size)
{
    char *const bytes = calloc((size_t)(l->world_stride * l->worlds), size);
    cr_assert(bytes);
    return bytes + (size_t)first_place(l) * size;
}

void array_free(const mass_launch *l, void *array, size_t size) { free((char *)array - (size_t)first_place(l) * size); }

void scramble(const mass_launch *l, void *array, size_t size, uint32_t seed)
{
    unsigned char *const bytes = (unsigned char *)array - (size_t)first_place(l) * size;
    const size_t count = (size_t)(l->world_stride * l->worlds) * size;
    for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)mass_random_block(seed, i, 0, 0, 0).v[0];
}

void expect_equal(const mass_launch *l, const void *got, const void *expected, size_t size, const mass_form *form)
{
    const size_t before = (size_t)first_place(l) * size;
    cr_assert_eq(memcmp((const char *)got - before, (const char *)expected - before,
                        (size_t)(l->world_stride * l->worlds) * size),
                 0, "instruction set %u, flags %u, extents %d %d %d", form->isa, form->flags, l->extent[0],
                 l->extent[1], l->extent[2]);
}
