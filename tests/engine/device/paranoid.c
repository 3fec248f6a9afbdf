/* Callbacks that break a promise, each in one way, and the sentence that each of them gets; and
 * callbacks that keep all, which come to what the CPU device comes to. */
#include "core/model.h"
#include "device/device.h"

#include <mass/mass.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- partitions ---- */

enum { WORLDS_MAX = 3, FIELDS_MAX = 16 };

/* A launch and the memory of its fields. */
typedef struct scene {
    mass_launch launch;
    int64_t first, elements;
    uint64_t keys[WORLDS_MAX], clock;
    uint32_t gates[WORLDS_MAX];
    const mass_callback *callback;
    mass_field_memory memory[FIELDS_MAX];
    void *fields[FIELDS_MAX];
    size_t bytes[FIELDS_MAX]; /* of what a field lies in */
} scene;

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

/* A partition whose first place is (10, 20, 30) of a larger torus, and worlds from 5 on. There is padding
 * between and before its ghosts. */
static scene make_ghosted(const mass_callback *callback, int nx, int ny, int nz, int worlds, int ghosts)
{
    scene s = {.callback = callback};
    mass_launch *const l = &s.launch;
    *l = (mass_launch){.struct_size = sizeof *l, .phase = 4, .step = 7, .worlds = worlds,
                       .first_world = 5, .torus = MASS_AXES_ALL, .reach = callback->radius};
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
    s.first = l->ghost[2] * l->plane + l->ghost[1] * l->pitch + 64; /* the first ghost need not be the first element */
    s.elements = l->world_stride * worlds + 128;
    for (int w = 0; w < worlds; w++) s.keys[w] = 1000 + (uint64_t)w;
    for (uint32_t i = 0; i < callback->field_count; i++) add_field(&s, i);
    return s;
}

/* Of ghosts 2 deep. */
static scene make_scene(const mass_callback *callback, int nx, int ny, int nz, int worlds)
{
    return make_ghosted(callback, nx, ny, nz, worlds, 2);
}

static void *memory_of(const scene *s, uint32_t i)
{
    return s->memory[i].start ? s->memory[i].start : s->fields[i];
}

static void free_scene(scene *s)
{
    for (uint32_t i = 0; i < s->callback->field_count; i++) free(memory_of(s, i));
}

static mass_status run_scene(scene *s, const mass_device_table *table, bool tallies,
                             mass_error *error)
{
    mass_device *device;
    mass_prepared *prepared;
    cr_assert_eq(table->open(0, 2, &device, error), MASS_OK, "%s", error->text);
    cr_assert_eq(table->prepare(device, s->callback, NULL, &prepared, error), MASS_OK);
    s->launch.keys = s->keys;
    const mass_work work = {prepared, &s->launch, s->fields, s->memory, tallies, 7};
    const mass_status status = table->launch(device, &work, error);
    table->close(device);
    return status;
}

/* ---- what is expected ---- */

/* The sentence goes on after the callback's name. */
static void expect_refusal(scene *s, bool tallies, const char *sentence)
{
    void *before[FIELDS_MAX];
    for (uint32_t i = 0; i < s->callback->field_count; i++) {
        before[i] = malloc(s->bytes[i]);
        memcpy(before[i], memory_of(s, i), s->bytes[i]);
    }
    mass_error error = {0};
    cr_assert_eq(run_scene(s, &mass_paranoid_table, tallies, &error), MASS_BAD_PLUGIN,
                 "%s is not refused", s->callback->name);
    char whole[512];
    snprintf(whole, sizeof whole, "callback %s, %s", s->callback->name, sentence);
    cr_assert_str_eq(error.text, whole);
    for (uint32_t i = 0; i < s->callback->field_count; i++) {
        cr_assert_eq(memcmp(before[i], memory_of(s, i), s->bytes[i]), 0,
                     "field %u changes though the callback is refused", i);
        free(before[i]);
    }
}

/* Extents that show whether rows, planes and worlds are told apart. */
static void expect_sentence(const mass_callback *callback, bool tallies, const char *sentence)
{
    scene s = make_scene(callback, 6, 5, 1, 2);
    expect_refusal(&s, tallies, sentence);
    free_scene(&s);
}

static void close_second_world(scene *s)
{
    s->gates[1] = 1;
    s->launch.gates = s->gates;
}

static void expect_refusal_with_closed_world(const mass_callback *callback, const char *sentence)
{
    scene s = make_scene(callback, 6, 5, 1, 3);
    close_second_world(&s);
    expect_refusal(&s, true, sentence);
    free_scene(&s);
}

/* Both devices leave the same bytes everywhere, in scenes that `change`, if not NULL, changes. */
static void expect_as_cpu(const mass_callback *callback, int nx, int ny, int nz, int worlds,
                          bool tallies, void (*change)(scene *))
{
    scene cpu = make_scene(callback, nx, ny, nz, worlds);
    scene paranoid = make_scene(callback, nx, ny, nz, worlds);
    if (change) {
        change(&cpu);
        change(&paranoid);
    }
    mass_error error = {0};
    cr_assert_eq(run_scene(&cpu, &mass_cpu_table, tallies, &error), MASS_OK, "%s", error.text);
    cr_assert_eq(run_scene(&paranoid, &mass_paranoid_table, tallies, &error), MASS_OK, "%s",
                 error.text);
    for (uint32_t i = 0; i < callback->field_count; i++)
        cr_assert_eq(memcmp(memory_of(&cpu, i), memory_of(&paranoid, i), cpu.bytes[i]), 0,
                     "%s, field %u, extents %d %d %d", callback->name, i, nx, ny, nz);
    free_scene(&cpu);
    free_scene(&paranoid);
}

/* ---- callbacks written by hand, for what the macros make impossible ---- */

typedef struct hand_fields {
    uint8_t *first, *second;
    int64_t *third;
} hand_fields;

/* Where a place of a hand-written loop stands. */
typedef struct stand {
    const mass_launch *launch;
    const mass_range *range;
    int64_t x, y, z, world, at;
} stand;

#define HAND_CALLBACK(NAME, DIMENSIONS, RADIUS, FIRST, SECOND, THIRD)                              \
    static void NAME##_body(const hand_fields *f, const stand *s);                                 \
    static void NAME##_loop(const void *fields, const mass_launch *l, const mass_range *range)     \
    {                                                                                              \
        walk(fields, l, range, NAME##_body);                                                       \
    }                                                                                              \
    static const mass_field NAME##_reflection[] = {                                                \
        {"first", "a", MASS_##FIRST, MASS_U8, 1},                                                  \
        {"second", "b", MASS_##SECOND, MASS_U8, 1},                                                \
        {"third", "c", MASS_##THIRD, MASS_I64, 8}};                                                \
    static const mass_form NAME##_forms[] = {                                                      \
        {sizeof(mass_form), MASS_FORM_LOOP, 0, 0, NAME##_loop, NULL, 1, 1, 1, 0},                  \
        {sizeof(mass_form), MASS_FORM_LOOP, 0, MASS_FORM_TALLIES, NAME##_loop, NULL, 1, 1, 1, 0}}; \
    static const mass_callback NAME = {                                                            \
        sizeof(mass_callback), MASS_OVER_PLACES, #NAME, DIMENSIONS, RADIUS, 3,                     \
        sizeof(mass_field), NAME##_reflection, 2, sizeof(mass_form), NAME##_forms};                \
    static void NAME##_body(const hand_fields *f, const stand *s)

static void walk(const void *fields, const mass_launch *l, const mass_range *range,
                 void (*body)(const hand_fields *, const stand *))
{
    for (int64_t row = range->first_row; row < range->last_row; row++) {
        stand s = {l, range, 0, row % l->extent[1], row / l->extent[1] % l->extent[2],
                   row / l->extent[1] / l->extent[2], 0};
        for (s.x = range->first_x; s.x < range->last_x; s.x++) {
            s.at = s.world * l->world_stride + s.z * l->plane + s.y * l->pitch + s.x;
            body(fields, &s);
        }
    }
}

/* ---- reading what may not be read ---- */

#define TO(FIELD)                     \
    FIELD(from, uint8_t, READ, a)     \
    FIELD(other, uint8_t, READ, b)    \
    FIELD(next, uint8_t, WRITE, a)

#define FAR(NAME, DIMENSIONS, RADIUS, ...)                                                         \
    MASS_STENCIL(NAME, TO, DIMENSIONS, RADIUS)                                                     \
    {                                                                                              \
        OUT(next) = (uint8_t)(IN(from) + NEAR(from, __VA_ARGS__) + IN(other));                     \
    }
FAR(far_left, 2, 1, -2, 0)
FAR(far_right, 2, 1, 2, 0)
FAR(far_up, 2, 1, 0, -2)
FAR(far_down, 2, 1, 0, 2)
FAR(farther_down, 2, 2, 0, 3)
FAR(far_line, 1, 1, 2)
FAR(far_back, 3, 1, 0, -2, 0)
FAR(far_ahead, 3, 1, 0, 2, 0)
FAR(far_above, 3, 1, 0, 0, -2)
FAR(far_below, 3, 1, 0, 0, 2)

Test(paranoid, reading_beyond_the_radius_is_refused_in_every_direction)
{
    expect_sentence(&far_left, false,
                    "field from, step 7: it is read farther than 1 away, to compute field next "
                    "for place (10, 20) of world 5");
    expect_sentence(&far_right, false,
                    "field from, step 7: it is read farther than 1 away, to compute field next "
                    "for place (15, 20) of world 5");
    expect_sentence(&far_up, false,
                    "field from, step 7: it is read farther than 1 away, to compute field next "
                    "for place (10, 20) of world 5");
    expect_sentence(&far_down, false,
                    "field from, step 7: it is read farther than 1 away, to compute field next "
                    "for place (10, 24) of world 5");
    expect_sentence(&farther_down, false,
                    "field from, step 7: it is read farther than 2 away, to compute field next "
                    "for place (10, 24) of world 5");
}

Test(paranoid, reading_beyond_the_radius_is_refused_in_one_and_three_dimensions)
{
    scene line = make_scene(&far_line, 300, 1, 1, 1);
    expect_refusal(&line, false,
                   "field from, step 7: it is read farther than 1 away, to compute field next "
                   "for place (309) of world 5");
    free_scene(&line);
    scene above = make_scene(&far_above, 4, 3, 5, 1);
    expect_refusal(&above, false,
                   "field from, step 7: it is read farther than 1 away, to compute field next "
                   "for place (10, 20, 30) of world 5");
    free_scene(&above);
    scene below = make_scene(&far_below, 4, 3, 5, 1);
    expect_refusal(&below, false,
                   "field from, step 7: it is read farther than 1 away, to compute field next "
                   "for place (10, 20, 34) of world 5");
    free_scene(&below);
}

/* Where no layer lies between the ghosts of two planes. */
Test(paranoid, reading_the_ghosts_of_another_plane_is_refused)
{
    scene back = make_ghosted(&far_back, 4, 3, 5, 1, 1);
    expect_refusal(&back, false,
                   "field from, step 7: it is read farther than 1 away, to compute field next "
                   "for place (10, 20, 30) of world 5");
    free_scene(&back);
    scene ahead = make_ghosted(&far_ahead, 4, 3, 5, 1, 1);
    expect_refusal(&ahead, false,
                   "field from, step 7: it is read farther than 1 away, to compute field next "
                   "for place (10, 22, 30) of world 5");
    free_scene(&ahead);
}

/* Ghosts as deep as another callback's radius are not this one's to read. */
MASS_MAP(map_with_neighbour, TO) { OUT(next) = (uint8_t)(IN(from) ^ w->other[1]); }

Test(paranoid, a_map_that_reads_a_neighbour_is_refused)
{
    expect_sentence(&map_with_neighbour, false,
                    "field other, step 7: it is read elsewhere than at the own place, to compute "
                    "field next for place (15, 20) of world 5");
}

/* One place only, at an edge, and the lowest bit only. */
MASS_STENCIL(far_once, TO, 2, 1)
{
    OUT(next) = AT_X == 12 && AT_Y == 24 ? NEAR(other, 0, 2) & 1 : IN(from);
}

Test(paranoid, one_bit_of_one_place_read_beyond_the_radius_is_refused)
{
    expect_sentence(&far_once, false,
                    "field other, step 7: it is read farther than 1 away, to compute field next "
                    "for place (12, 24) of world 5");
}

HAND_CALLBACK(next_world, 2, 1, READ, WRITE, PARAM)
{
    if (s->launch->gates[s->world]) return;
    f->second[s->at] = f->first[s->at + (s->world ? 0 : s->launch->world_stride)];
}

Test(paranoid, reading_a_closed_world_is_refused)
{
    expect_refusal_with_closed_world(&next_world,
                                     "field first, step 7: it is read farther than 1 away, to "
                                     "compute field second for place (10, 20) of world 5");
}

HAND_CALLBACK(reads_output, 2, 1, READ, WRITE, PARAM) { f->second[s->at] ^= f->first[s->at]; }

Test(paranoid, reading_an_output_before_it_is_written_is_refused)
{
    expect_sentence(&reads_output, false,
                    "field second, step 7: it is read before it is written, to compute field "
                    "second for place (10, 20) of world 5");
}

HAND_CALLBACK(reads_beside_update, 2, 1, UPDATE, WRITE, PARAM)
{
    f->second[s->at] = f->first[s->at - 1];
}

Test(paranoid, reading_an_update_field_elsewhere_is_refused)
{
    expect_sentence(&reads_beside_update, false,
                    "field first, step 7: it is read elsewhere than at the own place, to compute "
                    "field second for place (10, 20) of world 5");
}

HAND_CALLBACK(reads_next_param, 2, 0, READ, WRITE, PARAM)
{
    f->second[s->at] = (uint8_t)(f->first[s->at] + f->third[s->world + 1]);
}

Test(paranoid, reading_a_parameter_of_a_world_that_is_not_there_is_refused)
{
    expect_sentence(&reads_next_param, false,
                    "field third, step 7: it is read outside its array, to compute field second "
                    "for place (10, 20) of world 6");
}

HAND_CALLBACK(counts_poison, 2, 0, READ, UPDATE, SUM)
{
    *(&f->third[s->world]) += f->first[s->at + 1];
}

Test(paranoid, poison_in_a_tally_is_noticed)
{
    expect_sentence(&counts_poison, true,
                    "field first, step 7: it is read elsewhere than at the own place, to compute "
                    "field third for world 5");
}

/* ---- writing what may not be written ---- */

MASS_MAP(changes_input, TO)
{
    OUT(next) = IN(from);
    if (AT_X == 13 && AT_Y == 22) *(uint8_t *)(uintptr_t)w->other ^= 1;
}

Test(paranoid, changing_an_input_is_refused)
{
    expect_sentence(&changes_input, false,
                    "field other, step 7: it is READ, but is written at place (13, 22) of world 5");
}

HAND_CALLBACK(unwritten_place, 2, 0, READ, WRITE, PARAM)
{
    if (s->x != 3 || s->y != 2 || s->world != 1) f->second[s->at] = f->first[s->at];
}

Test(paranoid, a_place_left_unwritten_is_refused)
{
    expect_sentence(&unwritten_place, false,
                    "field second, step 7: it is WRITE, but is left unwritten at place (13, 22) "
                    "of world 6");
}

/* A neighbour on either side, written by one place only. */
#define STRAY(NAME, OFFSET)                                                                        \
    HAND_CALLBACK(NAME, 2, 0, READ, WRITE, PARAM)                                                  \
    {                                                                                              \
        f->second[s->at] = f->first[s->at];                                                        \
        if (s->x == 2 && s->y == 2 && s->world == 0) f->second[s->at + (OFFSET)] = 99;             \
    }
STRAY(stray_right, 1)
STRAY(stray_left, -1)
STRAY(stray_two, 2)
STRAY(stray_down, s->launch->pitch)
STRAY(stray_up, -s->launch->pitch)
STRAY(stray_world, s->launch->world_stride)
STRAY(stray_ghost, -3)
STRAY(stray_padding, -5 - s->launch->pitch * 4)
STRAY(stray_out, -2 - 2 * s->launch->pitch - 64 - 2 * s->launch->pitch - 1)

Test(paranoid, writing_another_place_is_refused)
{
    static const struct { const mass_callback *callback; const char *place; } cases[] = {
        {&stray_right, "place (13, 22) of world 5"}, {&stray_left, "place (11, 22) of world 5"},
        {&stray_two, "place (14, 22) of world 5"},   {&stray_down, "place (12, 23) of world 5"},
        {&stray_up, "place (12, 21) of world 5"},    {&stray_world, "place (12, 22) of world 6"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char sentence[256];
        snprintf(sentence, sizeof sentence,
                 "field second, step 7: it is written at %s by a call for other places",
                 cases[i].place);
        expect_sentence(cases[i].callback, false, sentence);
    }
}

Test(paranoid, writing_a_ghost_or_padding_is_refused)
{
    expect_sentence(&stray_ghost, false,
                    "field second, step 7: it is written outside the partition, at (9, 22) of "
                    "world 5");
    expect_sentence(&stray_padding, false,
                    "field second, step 7: it is written outside the partition, at (7, 18) of "
                    "world 5");
}

Test(paranoid, writing_before_the_array_is_refused)
{
    expect_sentence(&stray_out, false, "field second, step 7: it is written outside its array");
}

STRAY(stray_layers, -6 * s->launch->pitch)

/* Wide rows, so that two of them are more than any fixed guard. */
Test(paranoid, writing_two_layers_before_the_ghosts_is_refused)
{
    scene s = make_scene(&stray_layers, 3000, 5, 1, 1);
    expect_refusal(&s, false, "field second, step 7: it is written outside its array");
    free_scene(&s);
}

HAND_CALLBACK(stray_beyond, 1, 0, READ, WRITE, PARAM)
{
    f->second[s->at] = f->first[s->at];
    if (s->x == 0 && s->world == 1) f->second[s->at + s->launch->world_stride] = 99;
}

Test(paranoid, writing_a_world_that_is_not_there_is_refused)
{
    scene s = make_scene(&stray_beyond, 6, 1, 1, 2);
    expect_refusal(&s, false,
                   "field second, step 7: it is written outside the partition, at (10) of world 7");
    free_scene(&s);
}

HAND_CALLBACK(writes_param, 2, 0, READ, UPDATE, PARAM) { f->third[1] = f->first[s->at]; }

Test(paranoid, writing_a_parameter_is_refused)
{
    expect_sentence(&writes_param, false,
                    "field third, step 7: it is PARAM, but is written for world 6");
}

HAND_CALLBACK(writes_keys, 2, 0, READ, UPDATE, PARAM)
{
    (void)f;
    *(uint64_t *)(uintptr_t)s->launch->keys = 0;
}
HAND_CALLBACK(writes_record, 2, 0, READ, UPDATE, PARAM)
{
    (void)f;
    ((mass_launch *)(uintptr_t)s->launch)->step++;
}
HAND_CALLBACK(writes_pointers, 2, 0, READ, UPDATE, PARAM)
{
    (void)s;
    ((hand_fields *)(uintptr_t)f)->second++;
}

Test(paranoid, writing_what_the_engine_lends_is_refused)
{
    expect_sentence(&writes_keys, false,
                    "step 7: it writes to the random keys, which it may only read");
    expect_sentence(&writes_record, false,
                    "step 7: it writes to the launch record, which it may only read");
    expect_sentence(&writes_pointers, false,
                    "step 7: it writes to the struct of pointers, which it may only read");
}

/* ---- elements that are structs ---- */

typedef struct pair { uint16_t low, high; } pair;

static void write_half(const void *fields, const mass_launch *l, const mass_range *range)
{
    pair *const next = *(pair *const *)fields;
    for (int64_t row = range->first_row; row < range->last_row; row++)
        for (mass_lidx x = range->first_x; x < range->last_x; x++) {
            const int64_t y = row % l->extent[1], world = row / l->extent[1];
            pair *const own = &next[world * l->world_stride + y * l->pitch + x];
            own->low = 3;
            if (x != 4 || y != 1) own->high = 4;
        }
}
static const mass_field half_fields[] = {{"next", "a", MASS_WRITE, MASS_STRUCT, sizeof(pair)}};
static const mass_form half_forms[] = {
    {sizeof(mass_form), MASS_FORM_LOOP, 0, 0, write_half, NULL, 1, 1, 1, 0},
    {sizeof(mass_form), MASS_FORM_LOOP, 0, MASS_FORM_TALLIES, write_half, NULL, 1, 1, 1, 0}};
static const mass_callback half = {sizeof(mass_callback), MASS_OVER_PLACES, "half", 2, 0, 1,
                                   sizeof(mass_field), half_fields, 2, sizeof(mass_form), half_forms};

Test(paranoid, an_element_written_in_part_is_refused)
{
    expect_sentence(&half, false,
                    "field next, step 7: it is WRITE, but is left unwritten at place (14, 21) of "
                    "world 5");
}

/* ---- order ---- */

/* A running sum along the row, and one down the column. They show first where the highest bit of x,
 * or of the row's number over both worlds, changes. */
HAND_CALLBACK(runs_along, 2, 0, READ, WRITE, PARAM)
{
    f->second[s->at] = (uint8_t)(f->first[s->at] + (s->x ? f->second[s->at - 1] : 0));
}
HAND_CALLBACK(runs_down, 2, 0, READ, UPDATE, PARAM)
{
    const uint8_t above = s->y ? f->second[s->at - s->launch->pitch] : 0;
    f->second[s->at] = (uint8_t)(f->first[s->at] + above);
}
/* Two places, far from each other. */
HAND_CALLBACK(peeks, 2, 0, READ, UPDATE, PARAM)
{
    const bool peek = s->x == 5 && s->y == 4 && s->world == 1;
    f->second[s->at] ^= peek ? f->second[s->at - 3] : f->first[s->at];
}

Test(paranoid, using_another_places_result_is_refused)
{
    expect_sentence(&runs_along, false,
                    "field second, step 7: its value for place (14, 20) of world 5 depends on "
                    "the order in which places are computed");
    expect_sentence(&runs_down, false,
                    "field second, step 7: its value for place (10, 23) of world 6 depends on "
                    "the order in which places are computed");
    expect_sentence(&peeks, false,
                    "field second, step 7: its value for place (15, 24) of world 6 depends on "
                    "the order in which places are computed");
}

/* The range is no place's business. */
HAND_CALLBACK(sees_range, 2, 0, READ, UPDATE, PARAM)
{
    f->second[s->at] = (uint8_t)(s->range->last_x - s->x);
}

Test(paranoid, depending_on_how_the_range_is_cut_is_refused)
{
    expect_sentence(&sees_range, false,
                    "field second, step 7: its value for place (10, 20) of world 5 depends on "
                    "the order in which places are computed");
}

static uint8_t calls;
HAND_CALLBACK(remembers, 2, 0, READ, WRITE, PARAM)
{
    if (s->x == 0 && s->y == 0) calls++;
    f->second[s->at] = (uint8_t)(f->first[s->at] + (s->y == 3 ? calls : 0));
}

Test(paranoid, remembering_earlier_calls_is_refused)
{
    expect_sentence(&remembers, false,
                    "field second, step 7: its value for place (10, 23) of world 5 is another "
                    "when the same call is repeated");
}

/* ---- tallies ---- */

HAND_CALLBACK(reads_tally, 2, 0, READ, WRITE, SUM)
{
    f->second[s->at] = (uint8_t)(f->first[s->at] + (f->third[s->world] == 12));
    f->third[s->world]++;
}
HAND_CALLBACK(sets_tally, 2, 0, READ, UPDATE, SUM) { f->third[s->world] = f->first[s->at]; }

Test(paranoid, using_a_tally_is_refused)
{
    expect_sentence(&reads_tally, true,
                    "field second, step 7: its value for place (10, 20) of world 6 depends on "
                    "the order in which places are computed");
}

Test(paranoid, setting_a_tally_is_refused)
{
    expect_sentence(&sets_tally, true,
                    "field third, step 7: its value for world 6 depends on the order in which "
                    "places are computed");
}

HAND_CALLBACK(always_counts, 2, 0, READ, UPDATE, SUM) { f->third[s->world] += f->first[s->at] + 1; }

Test(paranoid, counting_where_tallies_do_not_count_is_refused)
{
    expect_sentence(&always_counts, false,
                    "field third, step 7: it is added to for world 5 in the form without tallies");
}

/* ---- gates ---- */

HAND_CALLBACK(ignores_gates, 2, 0, READ, WRITE, SUM) { f->second[s->at] = f->first[s->at]; }

Test(paranoid, writing_a_closed_world_is_refused)
{
    expect_refusal_with_closed_world(&ignores_gates,
                                     "field second, step 7: it is written at place (10, 20) of "
                                     "world 6, whose gate is closed");
}

Test(paranoid, counting_in_a_closed_world_is_refused)
{
    expect_refusal_with_closed_world(&always_counts,
                                     "field third, step 7: it is added to for world 6, whose "
                                     "gate is closed");
}

/* ---- callbacks that keep their promises ---- */

#define ALL_TALLIES(FIELD)           \
    FIELD(sum, int64_t, SUM, sum)    \
    FIELD(least, int64_t, MIN, least) \
    FIELD(most, int64_t, MAX, most)  \
    FIELD(low, double, MIN, low)     \
    FIELD(high, double, MAX, high)

#define STENCIL(FIELD)                  \
    FIELD(from, uint32_t, READ, a)      \
    FIELD(to, uint32_t, WRITE, a)       \
    FIELD(scale, int64_t, PARAM, scale) \
    ALL_TALLIES(FIELD)

#define COUNT(value)                 \
    ADD(sum, (int64_t)(value));      \
    LEAST(least, (int64_t)(value));  \
    MOST(most, (int64_t)(value));    \
    LEAST(low, (value) * 0.25 - 9);  \
    MOST(high, (value) * -0.5 + 1e9)

/* No two offsets weigh the same. */
#define WEIGHT(dx, dy, dz) ((uint32_t)(((dz) + 2) * 25 + ((dy) + 2) * 5 + (dx) + 3))
#define STENCILS(RADIUS)                                                                           \
    MASS_STENCIL(line_##RADIUS, STENCIL, 1, RADIUS)                                                \
    {                                                                                              \
        uint32_t sum = IN(from) * (uint32_t)PARAM(scale);                                          \
        MASS_MOORE_1D(dx, RADIUS) { sum += WEIGHT(dx, 0, 0) * NEAR(from, dx); }                    \
        OUT(to) = sum;                                                                             \
        COUNT(sum);                                                                                \
    }                                                                                              \
    MASS_STENCIL(plane_##RADIUS, STENCIL, 2, RADIUS)                                               \
    {                                                                                              \
        uint32_t sum = IN(from) * (uint32_t)PARAM(scale);                                          \
        MASS_MOORE_2D(dx, dy, RADIUS) { sum += WEIGHT(dx, dy, 0) * NEAR(from, dx, dy); }           \
        OUT(to) = sum;                                                                             \
        COUNT(sum);                                                                                \
    }                                                                                              \
    MASS_STENCIL(space_##RADIUS, STENCIL, 3, RADIUS)                                               \
    {                                                                                              \
        uint32_t sum = IN(from) * (uint32_t)PARAM(scale);                                          \
        MASS_MOORE_3D(dx, dy, dz, RADIUS) { sum += WEIGHT(dx, dy, dz) * NEAR(from, dx, dy, dz); }  \
        OUT(to) = sum;                                                                             \
        COUNT(sum);                                                                                \
    }
STENCILS(1)
STENCILS(2)

Test(paranoid, correct_stencils_come_to_what_the_cpu_comes_to)
{
    for (int tallies = 0; tallies < 2; tallies++)
        for (int worlds = 1; worlds <= 2; worlds++) {
            expect_as_cpu(&line_1, 301, 1, 1, worlds, tallies, NULL);
            expect_as_cpu(&line_2, 64, 1, 1, worlds, tallies, NULL);
            expect_as_cpu(&plane_1, 19, 7, 1, worlds, tallies, NULL);
            expect_as_cpu(&plane_2, 33, 8, 1, worlds, tallies, NULL);
            expect_as_cpu(&space_1, 9, 4, 5, worlds, tallies, NULL);
            expect_as_cpu(&space_2, 17, 3, 2, worlds, tallies, NULL);
        }
}

Test(paranoid, the_smallest_partition_passes)
{
    expect_as_cpu(&line_1, 1, 1, 1, 1, true, NULL);
    expect_as_cpu(&plane_2, 2, 1, 1, 2, true, NULL);
}

Test(paranoid, closed_worlds_are_left_alone)
{
    expect_as_cpu(&plane_1, 19, 7, 1, 3, true, close_second_world);
    expect_as_cpu(&space_2, 6, 3, 2, 3, false, close_second_world);
}

#define AGE(FIELD)                      \
    FIELD(age, int32_t, UPDATE, age)    \
    FIELD(speed, double, UPDATE, speed) \
    FIELD(same, double, READ, other)    \
    FIELD(again, double, READ, other)   \
    ALL_TALLIES(FIELD)
MASS_MAP(grow_older, AGE)
{
    OUT(age) = (int32_t)((uint32_t)OUT(age) * 3u + RANDOM(0).v[0] + (uint32_t)STEP);
    if (AT_X & 1) OUT(speed) = IN(same) * 2 + IN(again);
    COUNT(OUT(age));
}

Test(paranoid, updates_come_to_what_the_cpu_comes_to)
{
    expect_as_cpu(&grow_older, 37, 6, 1, 2, true, NULL);
    expect_as_cpu(&grow_older, 37, 6, 1, 2, false, NULL);
    expect_as_cpu(&grow_older, 5, 4, 3, 2, true, close_second_world);
}

Test(paranoid, two_fields_may_read_one_array)
{
    scene s[2];
    mass_error error = {0};
    for (int i = 0; i < 2; i++) {
        s[i] = make_scene(&grow_older, 8, 6, 1, 1);
        void *const unused = s[i].memory[3].start;
        s[i].fields[3] = s[i].fields[2];
        s[i].memory[3] = s[i].memory[2];
        cr_assert_eq(run_scene(&s[i], i ? &mass_paranoid_table : &mass_cpu_table, true, &error),
                     MASS_OK, "%s", error.text);
        s[i].memory[3].start = unused;
    }
    for (uint32_t i = 0; i < grow_older.field_count; i++)
        cr_assert_eq(memcmp(memory_of(&s[0], i), memory_of(&s[1], i), s[0].bytes[i]), 0);
    free_scene(&s[0]);
    free_scene(&s[1]);
}

Test(paranoid, the_clock_reaches_the_callback)
{
    scene s = make_scene(&grow_older, 8, 6, 1, 1), late = make_scene(&grow_older, 8, 6, 1, 1);
    s.launch.step += 1000;
    late.clock = 1000;
    late.launch.clock = &late.clock;
    mass_error error = {0};
    cr_assert_eq(run_scene(&s, &mass_cpu_table, false, &error), MASS_OK);
    cr_assert_eq(run_scene(&late, &mass_paranoid_table, false, &error), MASS_OK, "%s", error.text);
    cr_assert_eq(memcmp(memory_of(&s, 0), memory_of(&late, 0), s.bytes[0]), 0);
    free_scene(&s);
    free_scene(&late);
}

typedef struct velocity { float x, y, z; } velocity;
#define FLOW(FIELD)                       \
    FIELD(flow, velocity, READ, flow)     \
    FIELD(next, velocity, WRITE, flow)    \
    FIELD(odd, pair, UPDATE, odd)
MASS_STENCIL(advect, FLOW, 2, 1)
{
    const velocity a = IN(flow), b = NEAR(flow, 1, -1);
    const velocity next = {b.y, a.z, a.x};
    const pair swapped = {OUT(odd).high, OUT(odd).low};
    OUT(next) = next;
    OUT(odd) = swapped;
}

Test(paranoid, elements_may_be_structs)
{
    expect_as_cpu(&advect, 13, 7, 1, 2, false, NULL);
}

/* ---- adding to places around ---- */

#define THROW(FIELD)                               \
    FIELD(value, int32_t,  READ,        value)     \
    FIELD(small, uint32_t, SCATTER_ADD, small)     \
    FIELD(wide,  int64_t,  SCATTER_ADD, wide)      \
    FIELD(total, int64_t,  SUM,         total)
#define THROWS(NAME, DX, DY)                                                                       \
    MASS_SCATTER(NAME, THROW, 2, 2)                                                                \
    {                                                                                              \
        const mass_random4 r = RANDOM(0);                                                          \
        SCATTER(small, r.v[0], (int)(r.v[1] % 5) - 2, (int)(r.v[2] % 5) - 2);                      \
        SCATTER(small, 1, 2, -2);                                                                  \
        SCATTER(wide, NEAR(value, -2, 1), DX, DY);                                                 \
        ADD(total, 1);                                                                             \
    }
THROWS(throw_around, AT_X % 5 - 2, AT_Y % 3)
THROWS(throw_far, AT_X == 12 && AT_Y == 21 ? -3 : 1, 2)
THROWS(throw_high, 0, AT_X == 15 ? 1000 : 0)

Test(paranoid, additions_come_to_what_the_cpu_comes_to)
{
    expect_as_cpu(&throw_around, 8, 6, 1, 2, false, NULL);
    expect_as_cpu(&throw_around, 5, 7, 1, 2, true, close_second_world);
    expect_as_cpu(&throw_around, 37, 1, 1, 1, true, NULL);
}

/* On other devices they do nothing. */
Test(paranoid, additions_beyond_the_radius_are_refused)
{
    expect_sentence(&throw_far, false,
                    "step 7: at place (12, 21) of world 5 it adds to the place (-3, 2) away, which is farther than 2");
    expect_sentence(&throw_high, true,
                    "step 7: at place (15, 20) of world 5 it adds to the place (0, 1000) away, which is farther than "
                    "2");
}

/* ---- NaN ---- */

#define FLOATS(FIELD)                   \
    FIELD(from, uint8_t, READ, from)    \
    FIELD(single, float, WRITE, single) \
    FIELD(wide, double, UPDATE, wide)
MASS_MAP(odd_single, FLOATS) { OUT(single) = mass_f32_bits(AT_X == 12 && AT_Y == 21 ? 0xffc00000u : 0x7fc00000u); }
MASS_MAP(odd_wide, FLOATS)
{
    OUT(single) = 0;
    if (AT_X == 12 && AT_Y == 21) OUT(wide) = mass_f64_bits(0x7ff8000000000001u);
}
MASS_MAP(no_odd_ones, FLOATS)
{
    OUT(single) = mass_canonical_f32(mass_f32_bits(0xff800001u));
    OUT(wide) = AT_Y & 1 ? OUT(wide) : -1.0 / 0.0;
}

Test(paranoid, another_NaN_than_the_canonical_one_is_refused)
{
    expect_sentence(&odd_single, false,
                    "field single, step 7: it is a NaN of other bits than the canonical one at place (12, 21) of "
                    "world 5: store what mass_canonical_f32 or _f64 makes of it");
    expect_sentence(&odd_wide, false,
                    "field wide, step 7: it is a NaN of other bits than the canonical one at place (12, 21) of "
                    "world 5: store what mass_canonical_f32 or _f64 makes of it");
}

Test(paranoid, infinities_the_canonical_NaN_and_one_that_was_there_are_fine)
{
    scene s = make_scene(&no_odd_ones, 6, 5, 1, 1);
    mass_error error = {0};
    const uint64_t odd = 0xfff8000000000123u;
    for (size_t at = 0; at < s.bytes[2]; at += sizeof odd) memcpy((char *)memory_of(&s, 2) + at, &odd, sizeof odd);
    cr_assert_eq(run_scene(&s, &mass_paranoid_table, false, &error), MASS_OK, "%s", error.text);
    free_scene(&s);
}

/* The attribute tells where the numbers of a struct are. */
static void expect_odd_member(const mass_attribute_def *attribute, bool refused)
{
    scene s = make_scene(&advect, 6, 5, 1, 1);
    mass_error error = {0};
    const uint32_t odd = 0xffc00000u;
    for (size_t at = 0; at < s.bytes[0]; at += sizeof odd) memcpy((char *)memory_of(&s, 0) + at, &odd, sizeof odd);
    memset(memory_of(&s, 2), 0, s.bytes[2]);
    s.memory[1].attribute = attribute;
    cr_assert_eq(run_scene(&s, &mass_paranoid_table, false, &error), refused ? MASS_BAD_PLUGIN : MASS_OK, "%s",
                 error.text);
    free_scene(&s);
}

Test(paranoid, another_NaN_within_an_element_is_refused)
{
    mass_member_def floats[] = {{"x", MASS_F32, 0}, {"y", MASS_F32, 4}, {"z", MASS_F32, 8}};
    mass_member_def integers[] = {{"x", MASS_U32, 0}, {"y", MASS_U32, 4}, {"z", MASS_U32, 8}};
    mass_attribute_def a = {.type = MASS_F32, .length = 3, .layout = MASS_INTERLEAVED, .component_size = 4};
    expect_odd_member(&a, true);
    a.type = MASS_U32;
    expect_odd_member(&a, false);
    a = (mass_attribute_def){.type = MASS_STRUCT, .length = 1, .component_size = 12, .member_count = 3,
                             .members = floats};
    expect_odd_member(&a, true);
    a.members = integers;
    expect_odd_member(&a, false);
}

Test(paranoid, it_says_its_name_and_takes_what_leaves_room_for_copies)
{
    mass_error error = {0};
    mass_device *cpu, *paranoid;
    size_t all, some;
    cr_assert_eq(mass_cpu_table.open(0, 1, &cpu, &error), MASS_OK);
    cr_assert_eq(mass_paranoid_table.open(0, 1, &paranoid, &error), MASS_OK);
    cr_assert_eq(paranoid->table, &mass_paranoid_table);
    cr_assert_str_eq(mass_paranoid_table.name(paranoid), "paranoid");
    cr_assert_eq(mass_cpu_table.free_memory(cpu, &all, &error), MASS_OK);
    cr_assert_eq(mass_paranoid_table.free_memory(paranoid, &some, &error), MASS_OK);
    cr_assert_lt(some, all / 2);
    cr_assert_gt(some, 0);
    mass_cpu_table.close(cpu);
    mass_paranoid_table.close(paranoid);
}
