/* SPDX-License-Identifier: Apache-2.0 */
#include "scene.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every byte from a seeded sequence, so that no two places agree but by chance. */
static void scramble(void *memory, size_t bytes, uint32_t seed)
{
    unsigned char *const to = memory;
    for (size_t i = 0; i < bytes; i += 16) {
        const mass_random4 r = mass_random_block(seed, i, 0, 0, 0);
        memcpy(to + i, &r, bytes - i < 16 ? bytes - i : 16);
    }
}

static void add_field(scene *s, uint32_t i)
{
    const mass_field *const f = &s->callback->fields[i];
    const bool on_places = f->access <= MASS_UPDATE || f->access == MASS_SCATTER_ADD;
    const size_t size = f->access >= MASS_SUM && !on_places ? sizeof(int64_t) : f->size;
    s->bytes[i] = size * (size_t)(on_places ? s->elements : s->launch.worlds);
    char *const memory = malloc(s->bytes[i]);
    cr_assert(memory);
    scramble(memory, s->bytes[i], i);
    s->fields[i] = memory + (on_places ? (size_t)s->first * size : 0);
    if (on_places) s->memory[i] = (mass_field_memory){.start = memory, .bytes = s->bytes[i], .element_size = size};
    else s->memory[i].words = 1;
}

scene make_ghosted(const mass_callback *callback, int nx, int ny, int nz, int worlds, int ghosts)
{
    scene s = {.callback = callback};
    mass_launch *const l = &s.launch;
    *l = (mass_launch){.struct_size = sizeof *l, .phase = 4, .step = 7, .worlds = worlds, .first_world = 5,
                       .torus = MASS_AXES_ALL, .reach = callback->radius};
    const int extent[3] = {nx, ny, nz}, most = nz > 1 ? 3 : ny > 1 ? 2 : 1;
    const int axes = callback->dimensions ? callback->dimensions : most;
    for (int a = 0; a < 3; a++) {
        l->extent[a] = extent[a];
        l->origin[a] = a < axes ? 10 * (a + 1) : 0;
        l->size[a] = a < axes ? 1000 : 1;
        l->ghost[a] = a < axes ? ghosts : 0;
    }
    l->pitch = nx + 9;
    l->plane = l->pitch * (ny + 2 * l->ghost[1]);
    l->world_stride = l->plane * (nz + 2 * l->ghost[2]);
    s.first = l->ghost[2] * l->plane + l->ghost[1] * l->pitch + 64; /* not at the first ghost */
    s.elements = l->world_stride * worlds + 128;
    for (int w = 0; w < worlds; w++) s.keys[w] = 1000 + (uint64_t)w;
    for (uint32_t i = 0; i < callback->field_count; i++) add_field(&s, i);
    return s;
}

scene make_scene(const mass_callback *callback, int nx, int ny, int nz, int worlds)
{
    return make_ghosted(callback, nx, ny, nz, worlds, 2);
}

void *memory_of(const scene *s, uint32_t i) { return s->memory[i].start ? s->memory[i].start : s->fields[i]; }

void free_scene(scene *s)
{
    for (uint32_t i = 0; i < s->callback->field_count; i++) free(memory_of(s, i));
}

mass_status run_scene(scene *s, const mass_device_table *table, bool tallies, mass_error *error)
{
    mass_device *device;
    mass_prepared *prepared;
    cr_assert_eq(table->open(0, 2, &device, error), MASS_OK, "%s", error->text);
    cr_assert_eq(table->launch->prepare(device, s->callback, NULL, &prepared, error), MASS_OK);
    s->launch.random_keys = s->keys;
    const mass_work work = {prepared, &s->launch, s->fields, s->memory, tallies, 7, 1, 0};
    const mass_status status = table->launch->launch(device, &work, error);
    table->close(device);
    return status;
}

void expect_refusal(scene *s, bool tallies, const char *sentence)
{
    void *before[SCENE_FIELDS_MAX];
    for (uint32_t i = 0; i < s->callback->field_count; i++) {
        before[i] = malloc(s->bytes[i]);
        memcpy(before[i], memory_of(s, i), s->bytes[i]);
    }
    mass_error error = {0};
    cr_assert_eq(run_scene(s, &mass_paranoid_table, tallies, &error), MASS_BAD_PLUGIN, "%s is not refused",
                 s->callback->name);
    char whole[512];
    snprintf(whole, sizeof whole, "callback %s, %s", s->callback->name, sentence);
    cr_assert_str_eq(error.text, whole);
    for (uint32_t i = 0; i < s->callback->field_count; i++) {
        cr_assert_eq(memcmp(before[i], memory_of(s, i), s->bytes[i]), 0,
                     "field %u changes though the callback is refused", i);
        free(before[i]);
    }
}

void expect_sentence(const mass_callback *callback, bool tallies, const char *sentence)
{
    scene s = make_scene(callback, 6, 5, 1, 2);
    expect_refusal(&s, tallies, sentence);
    free_scene(&s);
}

void close_second_world(scene *s)
{
    s->gates[1] = 1;
    s->launch.gates = s->gates;
}

void expect_refusal_with_closed_world(const mass_callback *callback, const char *sentence)
{
    scene s = make_scene(callback, 6, 5, 1, 3);
    close_second_world(&s);
    expect_refusal(&s, true, sentence);
    free_scene(&s);
}

void expect_as_cpu(const mass_callback *callback, int nx, int ny, int nz, int worlds, bool tallies,
                   void (*change)(scene *))
{
    scene cpu = make_scene(callback, nx, ny, nz, worlds);
    scene paranoid = make_scene(callback, nx, ny, nz, worlds);
    if (change) {
        change(&cpu);
        change(&paranoid);
    }
    mass_error error = {0};
    cr_assert_eq(run_scene(&cpu, &mass_cpu_table, tallies, &error), MASS_OK, "%s", error.text);
    cr_assert_eq(run_scene(&paranoid, &mass_paranoid_table, tallies, &error), MASS_OK, "%s", error.text);
    for (uint32_t i = 0; i < callback->field_count; i++)
        cr_assert_eq(memcmp(memory_of(&cpu, i), memory_of(&paranoid, i), cpu.bytes[i]), 0,
                     "%s, field %u, extents %d %d %d", callback->name, i, nx, ny, nz);
    free_scene(&cpu);
    free_scene(&paranoid);
}
