/* SPDX-License-Identifier: Apache-2.0 */
#include "models.h"

#include "../../crowd.h"
#include "io/checkpoint/checkpoint.h"
#include "text/parameter.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

typedef struct cell {
    double mass;
    int16_t kind;
    uint8_t alive, spare;
    float heat;
} cell;

static const mass_member cell_members[] = {{"mass", MASS_F64, 0},
                                           {"kind", MASS_I16, 8},
                                           {"alive", MASS_U8, 10},
                                           {"spare", MASS_U8, 11},
                                           {"heat", MASS_F32, 12}};

void add_space(mass_model *m, const char *name, uint32_t dimensions, int64_t x, int64_t y, int64_t z)
{
    mass_error e = {0};
    const mass_space space = {.name = name, .dimensions_min = dimensions, .dimensions_max = dimensions,
                              .torus = MASS_AXIS_X, .size = {x, y, z}};
    mass_model_add_space(m, &space, NULL, 0, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

void add_attribute(mass_model *m, const char *space, const char *name, uint32_t type, uint32_t length)
{
    mass_error e = {0};
    mass_attribute a = {.space = space, .name = name, .type = type, .length = length, .unit = "m",
                        .help = "some thing"};
    if (type == MASS_STRUCT) a.element_size = sizeof(cell), a.member_count = 5, a.members = cell_members;
    mass_model_add_attribute(m, &a, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

void add_tally(mass_model *m, const char *name, uint32_t access, uint32_t kind, uint32_t bits)
{
    mass_error e = {0};
    const mass_tally tally = {.name = name, .access = access, .kind = kind, .fraction_bits = bits,
                              .cumulative = bits != 0};
    mass_model_add_tally(m, &tally, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

static void add_parameters(mass_model *m)
{
    static const char *const edges[] = {"torus", "dead", NULL};
    mass_error e = {0};
    mass_parameters *p = &m->parameters;
    mass_parameters_add(p, &(mass_parameter){.type = MASS_INTEGER, .name = "agents", .integer = -7}, &e);
    mass_parameters_add(p, &(mass_parameter){.type = MASS_REAL, .name = "density", .real = 0.1}, &e);
    mass_parameters_add(p, &(mass_parameter){.type = MASS_TEXT, .name = "pattern"}, &e);
    mass_parameters_add(p, &(mass_parameter){.type = MASS_CHOICE, .name = "edge", .choices = edges}, &e);
    mass_parameters_add_constant(p, &(mass_constant){.type = MASS_REAL, .name = "pi", .real = 3.14}, &e);
    cr_assert_eq(mass_parameter_set(mass_parameters_find(p, "edge"), "dead", &e), MASS_OK);
}

mass_model empty_model(void)
{
    mass_model m = {.plugin = "life", .version = "1.0.0"};
    add_parameters(&m);
    return m;
}

mass_model small_model(void)
{
    mass_model m = empty_model();
    add_space(&m, "grid", 2, 12, 5, 0);
    add_attribute(&m, "grid", "health", MASS_U8, 1);
    add_tally(&m, "population", MASS_SUM, MASS_TALLY_INTEGER, 0);
    return m;
}

static void add_keys(mass_model *m, const char *name, uint32_t keys)
{
    mass_error e = {0};
    const mass_tally t = {.name = name, .access = MASS_SUM, .keys = keys};
    cr_assert_eq(mass_model_add_tally(m, &t, &e), MASS_OK, "%s", e.text);
}

mass_model small_keys_model(void)
{
    mass_model m = small_model();
    add_keys(&m, "numbers", MASS_KEYS_NUMBERS);
    add_keys(&m, "words", MASS_KEYS_TEXTS);
    return m;
}

mass_model small_swept_model(void)
{
    mass_model m = small_model();
    static const struct { const char *name; uint64_t bits[3]; } swept[] = {
        {"agents", {(uint64_t)-7, 8, (uint64_t)INT64_MIN}},
        {"density", {0, 0x3fe0000000000000, 0xc008000000000000}},
        {"edge", {1, 0, 1}},
        {"pi", {0x4000000000000000, 0x4008000000000000, 0x4010000000000000}}};
    for (size_t i = 0; i < sizeof swept / sizeof *swept; i++) {
        mass_parameter_slot *slot = mass_parameters_find(&m.parameters, swept[i].name);
        slot->swept = malloc(sizeof swept[i].bits);
        memcpy(slot->swept, swept[i].bits, sizeof swept[i].bits);
    }
    m.parameters.worlds = 3;
    return m;
}

int32_t worlds_of(const mass_model *m) { return m->parameters.worlds ? m->parameters.worlds : 1; }

mass_model small_crowd_model(void)
{
    mass_model m = small_model();
    mass_error e = {0};
    mass_model_add_population(&m, &(mass_population){.name = "ants", .space = "grid", .capacity = 1}, &e);
    mass_model_add_population(&m, &(mass_population){.name = "bees", .space = "grid"}, &e);
    mass_model_add_attribute(&m, &(mass_attribute){.population = "ants", .name = "load", .type = MASS_F32, .length = 2},
                             &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    return m;
}

mass_model full_model(void)
{
    mass_model m = empty_model();
    add_space(&m, "line", 1, 700000, 0, 0);
    add_space(&m, "grid", 2, 13, 1, 0);
    add_space(&m, "box", 3, 7, 5, 3);
    for (uint32_t t = MASS_I8; t <= MASS_F64; t++) {
        add_attribute(&m, "grid", mass_type_name(t), t, 1);
        add_attribute(&m, "box", mass_type_name(t), t, t);
    }
    add_attribute(&m, "line", "long", MASS_F32, 3);
    add_attribute(&m, "box", "cells", MASS_STRUCT, 1);
    add_attribute(&m, "box", "pairs", MASS_STRUCT, 2);
    add_tally(&m, "population", MASS_SUM, MASS_TALLY_INTEGER, 0);
    add_tally(&m, "total", MASS_SUM, MASS_TALLY_FIXED, 20);
    add_tally(&m, "coldest", MASS_MIN, MASS_TALLY_REAL, 0);
    add_tally(&m, "oldest", MASS_MAX, MASS_TALLY_INTEGER, 0);
    return m;
}

mass_snapshot snapshot_of(const mass_model *m, int32_t worlds)
{
    mass_snapshot s;
    mass_error e = {0};
    const uint64_t agents[MASS_POPULATIONS_MAX] = {10};
    cr_assert_eq(mass_snapshot_allocate(&s, m, worlds, agents, &e), MASS_OK);
    return s;
}

/* Some keys, among them 0 and the empty text; of world 1 none. */
static void fill_keys(mass_snapshot *s, uint32_t tally)
{
    for (int32_t w = 0; s->model->tallies[tally].keys && w < s->worlds; w++) {
        mass_error e = {0};
        mass_key_set set = {.texts = s->model->tallies[tally].keys == MASS_KEYS_TEXTS};
        for (uint64_t i = 0; w != 1 && i < 7; i++) {
            if (set.texts) mass_key_set_add_text(&set, "a\0\xff-text", i, (int64_t)i + 1 + w);
            else mass_key_set_add_number(&set, i * 0x3000000000000000u, (int64_t)i + 1);
        }
        cr_assert_eq(mass_key_list_of(&set, &s->keys[tally * (uint32_t)s->worlds + (uint32_t)w], &e), MASS_OK);
        mass_key_set_free(&set);
    }
}

static bool same_keys(const mass_key_list *a, const mass_key_list *b)
{
    return a->count == b->count && memcmp(a->counts, b->counts, a->count * sizeof *a->counts) == 0 &&
           memcmp(a->keys, b->keys, a->count * sizeof *a->keys) == 0 &&
           (!a->texts || memcmp(a->bytes, b->bytes, mass_key_list_bytes(a)) == 0);
}

mass_snapshot filled(const mass_model *m, int32_t worlds, uint64_t step)
{
    mass_snapshot s = snapshot_of(m, worlds);
    uint64_t x = 88172645463325252;
    for (uint32_t i = 0; i < m->attribute_count; i++)
        for (size_t b = 0; b < mass_snapshot_size(&s, i); b++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            ((uint8_t *)s.attributes[i])[b] = (uint8_t)(b % 3 ? x : x | 0xf0);
        }
    for (uint32_t i = 0; i < m->tally_count; i++) fill_keys(&s, i);
    for (size_t i = 0; i < m->tally_words * (size_t)worlds; i++) s.tallies[i] = (int64_t)(i * 1000003) - 500;
    crowd_stand_all(&s);
    s.step = step;
    s.seed = INT64_MAX - 3;
    s.first_world = 2;
    return s;
}

/* Whether a parameter was swept, and over the same values. */
static bool same_sweep(const mass_parameter_slot *a, const mass_parameter_slot *b, int32_t worlds)
{
    bool same = !a->swept == !b->swept;
    for (int32_t w = 0; same && a->swept && w < worlds; w++)
        same = a->type == MASS_CHOICE ? strcmp(a->choices[a->swept[w]], b->choices[b->swept[w]]) == 0
                                      : a->swept[w] == b->swept[w];
    return same;
}

bool holds(const char *path, const mass_snapshot *s)
{
    mass_checkpoint *c;
    mass_error e = {0};
    if (mass_checkpoint_open(path, &c, &e) != MASS_OK) return false;
    mass_snapshot back = snapshot_of(s->model, s->worlds);
    bool same = mass_checkpoint_read(c, &back, &e) == MASS_OK && back.step == s->step && back.seed == s->seed &&
                back.first_world == s->first_world;
    for (uint32_t i = 0; same && i < s->model->attribute_count; i++)
        same = memcmp(back.attributes[i], s->attributes[i], mass_snapshot_size(s, i)) == 0;
    same = same && memcmp(back.tallies, s->tallies, s->model->tally_words * (size_t)s->worlds * 8) == 0;
    for (size_t i = 0; same && i < s->model->tally_count * (size_t)s->worlds; i++)
        same = !s->model->tallies[i / (size_t)s->worlds].keys || same_keys(&back.keys[i], &s->keys[i]);
    for (uint32_t i = 0; same && i < s->model->parameters.count; i++) {
        const mass_parameter_slot *was = &s->model->parameters.slots[i];
        const mass_parameter_slot *is = mass_parameters_find(&c->model.parameters, was->name);
        char a[64], b[64];
        same = is && is->type == was->type && is->given == was->given && is->constant == was->constant &&
               same_sweep(is, was, s->worlds) &&
               strcmp(mass_parameter_format(is, a), mass_parameter_format(was, b)) == 0;
    }
    mass_snapshot_free(&back);
    mass_checkpoint_close(c);
    return same;
}
