/* SPDX-License-Identifier: Apache-2.0 */
/* Rules that come of asking bodies do to places what the bodies do, by words, however places are cut. */
#include "bodies.h"
#include "device/device.h"
#include "../../extended.h"
#include "../expect.h"
#include "rule/rule.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 32, LEFT = 512, WORD = 64 };

static uint64_t state;
static uint64_t any(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 32 ^ state << 21;
}

/* Places of a body, as bits and as bytes. */
typedef struct arena {
    const body *of;
    int nx, ny, nz, worlds;
    int ry, rz; /* of neighbourhoods, along y and z */
    bool torus;
    mass_launch launch;
    size_t words;
    uint64_t *bits[FIELDS];
    uint8_t *bytes[FIELDS];
    int64_t tallies[BODY_TALLIES][8];
    uint64_t given[BODY_GIVEN][8];
    void *fields[FIELDS];
    mass_field_memory memory[FIELDS];
} arena;

static int array_count(const arena *a) { return a->of->inputs + a->of->outputs; }

static bool get(const uint64_t *bits, int64_t at) { return bits[at / WORD] >> at % WORD & 1; }
static void put(uint64_t *bits, int64_t at, bool bit)
{
    bits[at / WORD] = (bits[at / WORD] & ~((uint64_t)1 << at % WORD)) | (uint64_t)bit << at % WORD;
}

static int64_t element(const arena *a, int w, int z, int y, int x)
{
    return LEFT + w * a->launch.world_stride + (z + a->rz) * a->launch.plane + (y + a->ry) * a->launch.pitch + x;
}

/* The byte of a place; beyond an edge of those that don't wrap, 1. */
static int wrap(int at, int size) { return (at % size + size) % size; }
static bool look(const arena *a, int array, int w, int z, int y, int x)
{
    if (a->torus) x = wrap(x, a->nx), y = wrap(y, a->ny), z = wrap(z, a->nz);
    else if (x < 0 || y < 0 || z < 0 || x >= a->nx || y >= a->ny || z >= a->nz) return true;
    return a->bytes[array][((w * a->nz + z) * a->ny + y) * a->nx + x];
}

static void make(arena *a, const body *of, int nx, int ny, int worlds, bool torus)
{
    const int r = of->callback->radius, ghost = r ? r : 1, dimensions = (int)of->callback->dimensions;
    *a = (arena){.of = of, .nx = nx, .ny = ny, .nz = dimensions > 2 ? 3 : 2, .worlds = worlds, .torus = torus,
                 .ry = dimensions > 1 ? r : 0, .rz = dimensions > 2 ? r : 0};
    mass_launch *l = &a->launch;
    *l = (mass_launch){.struct_size = sizeof *l, .step = 1, .worlds = worlds, .extent = {nx, ny, a->nz},
                       .size = {nx, ny, a->nz}, .ghost = {ghost, a->ry, a->rz},
                       .torus = torus ? MASS_AXES_ALL : 0, .push = torus ? MASS_AXIS_X : 0, .reach = r};
    l->pitch = (nx + 2 * WORD + 1023) / 512 * 512;
    l->plane = l->pitch * (ny + 2 * a->ry);
    l->world_stride = l->plane * (a->nz + 2 * a->rz);
    a->words = (size_t)((l->world_stride * worlds + 2 * l->pitch + 2 * LEFT) / WORD);
    for (int k = 0; k < array_count(a); k++) {
        a->bits[k] = aligned_alloc(64, (a->words * 8 + 63) / 64 * 64);
        a->bytes[k] = calloc((size_t)(nx * ny * a->nz * worlds), 1);
        for (size_t i = 0; i < a->words; i++) a->bits[k][i] = any() << 32 ^ any();
    }
    for (int g = 0; g < of->given; g++)
        for (int w = 0; w < worlds; w++) a->given[g][w] = w ? a->given[g][0] : any() << 32 ^ any();
}

static void clear(arena *a)
{
    for (int k = 0; k < array_count(a); k++) {
        free(a->bits[k]);
        free(a->bytes[k]);
    }
}

/* The arrays that are read, with their ghosts, out of bytes that are any. */
static void fill(arena *a)
{
    const int first = a->of->updates ? a->of->inputs : 0, last = a->of->updates ? array_count(a) : a->of->inputs;
    const int r = a->of->callback->radius;
    for (int k = first; k < last; k++) {
        for (int i = 0; i < a->nx * a->ny * a->nz * a->worlds; i++) a->bytes[k][i] = any() >> 7 & 1;
        for (int w = 0; w < a->worlds; w++)
            for (int z = -a->rz; z < a->nz + a->rz; z++)
                for (int y = -a->ry; y < a->ny + a->ry; y++)
                    for (int x = -r; x < a->nx + r; x++)
                        put(a->bits[k], element(a, w, z, y, x), look(a, k, w, z, y, x));
    }
}

/* Fields follow each other as bodies say them: read, written, given, added to; or updated and added to. */
static void bind(arena *a)
{
    const body *b = a->of;
    int i = 0;
    for (int k = 0; k < array_count(a); k++, i++) {
        a->fields[i] = a->bits[k] + element(a, 0, 0, 0, 0) / WORD;
        a->memory[i] = (mass_field_memory){.start = a->bits[k], .bytes = a->words * 8, .element_size = 1};
    }
    for (int g = 0; g < b->given; g++, i++) a->fields[i] = a->given[g];
    for (int t = 0; t < b->tallies; t++, i++) {
        a->fields[i] = a->tallies[t];
        a->memory[i] = (mass_field_memory){.words = 1};
    }
    cr_assert_eq((uint32_t)i, b->callback->field_count);
}

static const char *why_not; /* of the last that was asked */
static uint32_t effects_size = sizeof(mass_effects);

static mass_rule *ask_in(const body *b, uint64_t given[BODY_GIVEN][8], int world)
{
    const void *parameters[FIELDS] = {0};
    mass_rule *rule;
    for (int g = 0; given && g < b->given; g++) parameters[b->inputs + b->outputs + g] = &given[g][world];
    EXPECT_OK(mass_rule_probe(b->callback, effects_size, parameters, 1, &rule, &why_not, e));
    cr_assert(!rule || !why_not, "%s", why_not);
    return rule;
}

static mass_rule *ask(const body *b, uint64_t given[BODY_GIVEN][8]) { return ask_in(b, given, 0); }

/* Those of all worlds, of which neighbours may share one. */
static mass_world_rules *ask_all(const arena *a)
{
    mass_world_rules *rules = malloc(sizeof *rules);
    *rules = (mass_world_rules){.list = calloc(8, sizeof *rules->list), .of = calloc(8, 1), .worlds = a->worlds};
    uint64_t given[BODY_GIVEN][8];
    memcpy(given, a->given, sizeof given);
    for (int w = 0; w < a->worlds; w++) {
        bool known = w > 0;
        for (int g = 0; w && g < a->of->given; g++) known &= given[g][w] == given[g][w - 1];
        if (!known) rules->list[rules->count++] = ask_in(a->of, given, w);
        cr_assert_not_null(rules->list[rules->count - 1], "%s", a->of->callback->name);
        rules->of[w] = (uint8_t)(rules->count - 1);
    }
    return rules;
}

static void launch(arena *a, const mass_world_rules *rules, int threads, bool tallies)
{
    mass_device *device;
    mass_prepared *prepared;
    char form[MASS_FORM_TEXT];
    bool follows;
    EXPECT_OK(mass_cpu_table.open(0, threads, &device, e));
    EXPECT_OK(mass_cpu_table.launch->prepare(device, a->of->callback, NULL, &prepared, e));
    EXPECT_OK(mass_cpu_table.launch->follow(device, prepared, rules, &follows, e));
    cr_assert(follows);
    const mass_work work = {prepared, &a->launch, a->fields, a->memory, tallies, 1, 1, 0};
    mass_cpu_table.launch->form(device, &work, form);
    cr_assert(strstr(form, rules->count > 1 ? "rules by world" : "a word"), "%s", form);
    EXPECT_OK(mass_cpu_table.launch->launch(device, &work, e));
    mass_cpu_table.close(device);
}

static answer answer_of(const arena *a, int w, int z, int y, int x)
{
    const body *b = a->of;
    bool in[64];
    int n = 0;
    const int r = b->callback->radius;
    for (int k = b->updates ? b->inputs : 0; k < (b->updates ? array_count(a) : b->inputs); k++)
        for (int dz = -a->rz; dz <= a->rz; dz++)
            for (int dy = -a->ry; dy <= a->ry; dy++)
                for (int dx = -r; dx <= r; dx++) in[n++] = look(a, k, w, z + dz, y + dy, x + dx);
    uint64_t given[BODY_GIVEN];
    for (int g = 0; g < b->given; g++) given[g] = a->given[g][w];
    return b->answer(in, given);
}

/* What a row has become, with its ghosts and with what lies behind them: of rows that don't wrap all that is no place
 * is as it was. */
static void check_row(const arena *a, int o, uint64_t *const before, int w, int z, int y)
{
    const int array = a->of->inputs + o, ghosts = a->launch.ghost[0];
    for (int x = -ghosts - WORD; x < a->nx + ghosts + WORD; x++) {
        const int64_t at = element(a, w, z, y, x);
        const bool place = x >= 0 && x < a->nx, ghost = !place && x >= -ghosts && x < a->nx + ghosts;
        const bool of_place = place || (ghost && a->torus);
        const bool expected = of_place ? answer_of(a, w, z, y, (x % a->nx + a->nx) % a->nx).bits[o] : get(before, at);
        cr_assert_eq(get(a->bits[array], at), expected, "%s of %d x %d, output %d, world %d at %d, %d, %d",
                     a->of->callback->name, a->nx, a->ny, o, w, x, y, z);
    }
}

static void check(const arena *a, uint64_t *const before[BODY_OUTPUTS], bool tallies)
{
    for (int o = 0; o < a->of->outputs; o++)
        for (int w = 0; w < a->worlds; w++)
            for (int z = 0; z < a->nz; z++)
                for (int y = 0; y < a->ny; y++) check_row(a, o, before[o], w, z, y);
    for (int w = 0; w < a->worlds; w++) {
        int64_t expected[BODY_TALLIES] = {0};
        for (int z = 0; z < a->nz && tallies; z++)
            for (int y = 0; y < a->ny; y++)
                for (int x = 0; x < a->nx; x++)
                    for (int t = 0; t < a->of->tallies; t++) expected[t] += answer_of(a, w, z, y, x).addends[t];
        for (int t = 0; t < a->of->tallies; t++) cr_assert_eq(a->tallies[t][w], expected[t], "tally %d", t);
    }
}

static void try_arena(arena *a, int threads)
{
    const body *b = a->of;
    uint64_t *before[BODY_OUTPUTS];
    const bool tallies = any() >> 9 & 3;
    mass_world_rules *rules = ask_all(a);
    fill(a);
    bind(a);
    for (int o = 0; o < b->outputs; o++) {
        before[o] = malloc(a->words * 8);
        memcpy(before[o], a->bits[b->inputs + o], a->words * 8);
    }
    launch(a, rules, threads, tallies);
    check(a, before, tallies);
    for (int o = 0; o < b->outputs; o++) free(before[o]);
    mass_world_rules_free(rules);
    clear(a);
}

/* Steps places of a body by the rule of its parameters: those given, or any but for what `mask` leaves of them. */
static void try_given(const body *b, int nx, int ny, int worlds, bool torus, int threads, uint64_t mask,
                      const uint64_t *given)
{
    arena a;
    make(&a, b, nx, ny, worlds, torus);
    for (int g = 0; g < b->given; g++)
        for (int w = 0; w < worlds; w++) a.given[g][w] = given ? given[g] : a.given[g][w] & mask;
    try_arena(&a, threads);
}

/* Of worlds that differ in their parameters, but for one that has those of the one before it. */
static void try_worlds(const body *b, int nx, int ny, int worlds, bool torus, int threads, uint64_t mask)
{
    arena a;
    make(&a, b, nx, ny, worlds, torus);
    for (int g = 0; g < b->given; g++)
        for (int w = 0; w < worlds; w++) a.given[g][w] = w == 3 ? a.given[g][2] : any() & mask;
    try_arena(&a, threads);
}

static void try_body(const body *b, int nx, int ny, int worlds, bool torus, int threads, uint64_t mask)
{
    try_given(b, nx, ny, worlds, torus, threads, mask, NULL);
}

static const int sizes[][2] = {{1, 1}, {2, 2}, {31, 3}, {32, 9}, {33, 1}, {63, 5}, {64, 4}, {65, 7}, {1, 65}, {129, 33},
                               {512, 2}, {700, 11}, {300, 67}};
enum { SIZES = sizeof sizes / sizeof *sizes };
static const char *const isas[] = {"base", "avx2", "avx512"};

/* Of some random rules each size, in one to three worlds on one to five threads. */
static void try_many(const body *b, int count, uint64_t mask)
{
    if (count > SIZES) count = unsanitized(SIZES, count); /* each size in one of both kinds of space */
    state = 7;
    for (int i = 0; i < count; i++)
        try_body(b, sizes[i % SIZES][0], sizes[i % SIZES][1], 1 + i % 3, (i + i / SIZES) % 2, 1 + i % 5, mask);
}

Test(rules, life_like_rules_are_followed)
{
    try_many(&by_moore, 200, 511);
}

Test(rules, von_neumann_rules_are_followed)
{
    try_many(&by_neumann, 60, 31);
}

Test(rules, any_table_is_followed)
{
    try_many(&by_table, 50, UINT64_MAX);
}

Test(rules, rules_of_two_attributes_are_followed)
{
    try_many(&by_two, 13, UINT64_MAX);
}

Test(rules, lines_and_places_alone_are_followed)
{
    try_many(&by_line, 60, UINT64_MAX);
    try_many(&by_swap, 24, UINT64_MAX);
}

Test(rules, worlds_follow_each_its_own)
{
    static const struct { const body *of; uint64_t mask; } bodies[] = {{&by_moore, 511}, {&by_neumann, 31},
                                                                       {&by_table, UINT64_MAX}, {&by_line, UINT64_MAX}};
    state = 11;
    for (int i = 0; i < 4 * SIZES; i += unsanitized(3, 1))
        try_worlds(bodies[i % 4].of, sizes[i / 4][0], sizes[i / 4][1], 2 + i % 5, i / 3 % 2, 1 + i % 6,
                   bodies[i % 4].mask);
    try_worlds(&by_moore, 70001, 3, 5, true, 5, 511); /* of rows that threads share */
}

/* Where all that bodies may look at would be too much, what they look at is asked. */
Test(rules, bodies_that_look_at_few_of_many_places_are_followed)
{
    try_many(&by_star, 60, UINT64_MAX);
    try_many(&by_far, 60, UINT64_MAX);
    try_many(&by_stars, 26, UINT64_MAX);
    try_many(&by_turns, 60, UINT64_MAX);
    try_many(&by_most, 3, 0);
}

Test(rules, large_spaces_are_followed)
{
    state = 3;
    try_body(&by_moore, 1000, unsanitized(177, 777), 1, true, 3, 511);
    try_body(&by_table, 1000, 77, 1, false, 2, UINT64_MAX);
    try_body(&by_moore, 70001, 3, 1, true, 5, 511); /* wider than a block; and rows that threads share */
    try_body(&by_moore, 70001, unsanitized(7, 20), 1, true, 2, 511);
    try_body(&by_table, 70001, 3, 1, true, 2, UINT64_MAX);
    try_body(&by_star, 70001, 3, 1, true, 2, UINT64_MAX);
    try_body(&by_far, 1000, unsanitized(177, 777), 1, false, 3, UINT64_MAX);
}

/* Of rows as wide as vectors of any kind, and a little wider, and more of them than are stepped together. */
static void try_life(int isa)
{
    static const uint64_t life[] = {1 << 3, 1 << 2 | 1 << 3};
    static const int widths[] = {64, 65, 128, 191, 256, 257, 320, 511, 512, 513, 1024, 1100};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        if (takes_part(i + (size_t)isa, 3))
            try_given(&by_moore, widths[i], i % 4 ? 3 : 67, 1 + i % 2, i % 3 > 0, 1 + i % 3, 0, life);
}

Test(rules, all_instruction_sets_come_to_the_same)
{
    for (int i = 0; i < 3; i++) {
        mass_device *device;
        mass_error error = {0};
        setenv("MASS_ISA", isas[i], 1);
        if (mass_cpu_table.open(0, 1, &device, &error) != MASS_OK) break;
        mass_cpu_table.close(device);
        try_many(&by_moore, 24, 511);
        try_life(i);
        try_many(&by_table, 12, UINT64_MAX);
        try_many(&by_neumann, 12, 31);
        try_many(&by_stars, 12, UINT64_MAX);
    }
    unsetenv("MASS_ISA");
}

/* ---- what is asked ---- */

static void expect_text_of(const body *b, uint64_t given[BODY_GIVEN][8], const char *expected)
{
    char text[MASS_RULE_TEXT];
    mass_rule *rule = ask(b, given);
    mass_rule_text(rule, text, sizeof text);
    cr_assert_str_eq(text, expected);
    cr_assert(rule->tallies);
    mass_rule_free(rule);
}

static void expect_text(const body *b, uint64_t birth, uint64_t survive, const char *expected)
{
    expect_text_of(b, (uint64_t[BODY_GIVEN][8]){{birth}, {survive}}, expected);
}

/* A place comes to be set where two neighbours are that face each other, and no others; and remains so. */
static void expect_isotropic(void)
{
    uint64_t given[BODY_GIVEN][8] = {0};
    for (unsigned i = 0; i < 512; i++) {
        bool set = i >> 4 & 1;
        for (unsigned k = 0; k < 4; k++) set |= i == (1u << k | 1u << (8 - k));
        given[i / 64][0] |= (uint64_t)set << i % 64;
    }
    expect_text_of(&by_table, given, "isotropic, 18 operations a word");
}

Test(rules, people_are_told_which_it_is)
{
#define COUNTED(name, operations) name ", neighbours are counted; as a table " #operations " operations a word"
    expect_text(&by_moore, 1 << 3, 1 << 2 | 1 << 3, COUNTED("B3/S23", 41));
    expect_text(&by_moore, 1 << 3 | 1 << 6, 1 << 1 | 1 << 2 | 1 << 5, COUNTED("B36/S125", 41));
    expect_text(&by_neumann, 1 << 2, 1 << 0 | 1 << 4, COUNTED("B2/S04V", 12));
    expect_text(&by_table, 12345, 999, "a table of 512, 15 operations a word");
    expect_isotropic();
    expect_text(&by_star, 12345, 999, "a table of 128, 14 operations a word");
    expect_text(&by_one, 0, 0, "a table of 2, 1 operation a word");
}

static void expect_none(const mass_callback *callback, const char *why)
{
    cr_assert_null(ask(&(body){.callback = callback}, NULL), "%s", callback->name);
    cr_assert(why_not && strcmp(why_not, why) == 0, "%s: %s", callback->name, why_not ? why_not : "no reason");
}

Test(rules, bodies_that_go_by_more_than_bits_have_none_and_it_is_said_why)
{
    expect_none(&asks_position, "its body asks for the position");
    expect_none(&asks_size, "its body asks for the size of the space");
    expect_none(&asks_step, "its body asks for the step");
    expect_none(&asks_random, "its body draws random numbers");
    expect_none(&asks_exists, "its body asks which places exist");
    expect_none(&looks_far, "its body looks further than it says");
    expect_none(&of_bytes, "attributes of other types than bool take part");
    expect_none(&looks_at_19, "it looks at more than 18 bits");
    expect_none(&looks_at_19_at_times, "it looks at more than 18 bits");
}

/* Those of before look at anything, and of others nobody knows what they go by. */
Test(rules, plugins_that_leave_fewer_notes_have_fewer_rules)
{
    effects_size = offsetof(mass_effects, looks);
    expect_none(&of_space, "it may look at more than 18 bits");
    try_many(&by_moore, 3, 511);
    effects_size = 0;
    expect_none(&adds_doubles, "it leaves no notes of what its body asks for");
    effects_size = sizeof(mass_effects);
    mass_rule *rule = ask(&(body){.callback = &of_space}, NULL);
    cr_assert(rule && rule->input_count == 1);
    const mass_rule_input *in = rule->inputs;
    cr_assert(in->x == 1 && in->y == 0 && in->z == -1);
    mass_rule_free(rule);
}

/* What a body may not do is then done by none of them, since no run has such places. */
Test(rules, bodies_that_crash_or_never_end_somewhere_have_none)
{
    expect_none(&divides, "its body crashes, or goes on for long, with some values of the bits");
    expect_none(&never_ends, "its body crashes, or goes on for long, with some values of the bits");
    expect_none(&divides_in_space, "its body crashes, or goes on for long, with some values of the bits");
}

Test(rules, no_reason_is_given_where_nothing_is_of_bits)
{
    cr_assert_null(ask(&(body){.callback = &of_no_bits}, NULL));
    cr_assert_null(why_not);
}

/* The rule serves launches that don't tally. */
Test(rules, tallies_of_other_kinds_are_none_of_the_rules)
{
    mass_rule *rule = ask(&(body){.callback = &adds_doubles}, NULL);
    cr_assert_not_null(rule);
    cr_assert_not(rule->tallies);
    cr_assert_eq(rule->output_count, 1);
    cr_assert_eq(rule->input_count, 1);
    mass_rule_free(rule);
}

/* The same nodes, whenever it is asked: figures are of use only if they don't change. */
Test(rules, diagrams_are_small_and_always_the_same)
{
    uint64_t given[BODY_GIVEN][8] = {{1 << 3}, {1 << 2 | 1 << 3}};
    mass_rule *first = ask(&by_moore, given), *second = ask(&by_moore, given);
    cr_assert_eq(first->node_count, second->node_count);
    cr_assert_eq(memcmp(first->nodes, second->nodes, first->node_count * sizeof *first->nodes), 0);
    mass_rule_free(first);
    mass_rule_free(second);
}
