/* A domain: boxes in global coordinates against a plain array, states saved and restored, defaults,
 * and what is refused. */
#include "../expect.h"
#include "domain/domain.h"

#include <mass/random.h>

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t draw(uint64_t n, uint32_t which, uint32_t below)
{
    return mass_random_block(13, n, 0, 0, which).v[0] % below;
}

static void scramble(void *memory, size_t bytes, uint64_t seed)
{
    for (size_t i = 0; i < bytes; i++) ((uint8_t *)memory)[i] = (uint8_t)mass_random_block(seed, i, 2, 0, 0).v[0];
}

/* ---- devices that have little memory, or run out of it ---- */

static size_t free_bytes;       /* what the poor device says it has */
static int allocations_allowed; /* before the short device fails */
static mass_device_table poor_table, short_table;

static mass_status poor_memory(mass_device *device, size_t *bytes, mass_error *error)
{
    (void)device;
    (void)error;
    *bytes = free_bytes;
    return MASS_OK;
}

static mass_status short_allocate(mass_device *device, size_t bytes, void **out, mass_error *error)
{
    if (allocations_allowed-- <= 0) return mass_error_memory(error, bytes, "an attribute");
    return mass_cpu_table.allocate(device, bytes, out, error);
}

static mass_device *open_device(const mass_device_table *table)
{
    mass_device *device = NULL;
    EXPECT_OK(mass_cpu_table.open(0, 2, &device, e));
    poor_table = short_table = mass_cpu_table;
    poor_table.free_memory = poor_memory;
    short_table.allocate = short_allocate;
    device->table = table;
    return device;
}

/* ---- a model with every type, in planes and interleaved, on two spaces ---- */

static const mass_member pair_members[] = {{"a", MASS_U32, 0}, {"b", MASS_U8, 4}};
enum { PAIR_SIZE = 5 };
static const uint8_t defaults[8] = {0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8};

static void add_attributes(mass_model *m, const char *space)
{
    for (uint32_t type = MASS_I8; type <= MASS_STRUCT; type++)
        for (uint32_t layout = MASS_PLANES; layout <= MASS_INTERLEAVED && type != MASS_BIT; layout++) {
            char name[32];
            snprintf(name, sizeof name, "%s_%s", mass_type_name(type), layout == MASS_PLANES ? "planes" : "together");
            EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = space, .name = name, .type = type,
                .length = 1 + type % 4, .layout = layout, .initial = defaults, .element_size = PAIR_SIZE,
                .member_count = 2, .members = pair_members}, e));
        }
}

static mass_model *make_model(uint32_t dimensions, const mass_gidx size[3])
{
    mass_model *m = calloc(1, sizeof *m);
    snprintf(m->plugin, sizeof m->plugin, "trial");
    const mass_space s = {.name = "s", .dimensions_min = 1, .dimensions_max = 3, .size = {1}, .torus = 5};
    const mass_space other = {.name = "other", .dimensions_min = 1, .dimensions_max = 1, .size = {9}};
    EXPECT_OK(mass_model_add_space(m, &s, size, dimensions, e));
    EXPECT_OK(mass_model_add_space(m, &other, NULL, 0, e));
    add_attributes(m, "s");
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "other", .name = "o", .type = MASS_F64}, e));
    const mass_parameter rate = {.name = "rate", .type = MASS_REAL, .real = .75};
    const mass_parameter count = {.name = "count", .type = MASS_INTEGER, .integer = -4};
    EXPECT_OK(mass_parameters_add(&m->parameters, &rate, e));
    EXPECT_OK(mass_parameters_add(&m->parameters, &count, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "sum", .access = MASS_SUM}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "least", .access = MASS_MIN, .cumulative = 1}, e));
    EXPECT_OK(mass_model_add_tally(m, &(mass_tally){.name = "most", .access = MASS_MAX}, e));
    EXPECT_OK(mass_model_resolve(m, e));
    m->spaces[0].ghost[0] = 2; /* as some stencil would make it: boxes must not mind */
    return m;
}

static void free_model(mass_model *m)
{
    mass_model_free(m);
    free(m);
}

static mass_domain *make_domain(const mass_model *m, mass_device *device, int32_t partitions, int32_t worlds)
{
    mass_domain *d = NULL;
    EXPECT_OK(mass_domain_create(m, device, &(mass_domain_options){.partitions = partitions, .worlds = worlds,
                                                .first_world = 3, .seed = 42}, &d, e));
    return d;
}

static const mass_gidx zero[3] = {0, 0, 0};

/* ---- defaults and constants ---- */

Test(domain, every_place_of_every_world_starts_with_the_default)
{
    mass_model *m = make_model(2, (const mass_gidx[3]){13, 6, 1});
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 4, 3);
    for (uint32_t i = 0; i < m->attribute_count - 1; i++) {
        const mass_attribute_def *a = &m->attributes[i];
        const size_t bytes = 13 * 6 * mass_element_size(a);
        uint8_t *data = malloc(bytes);
        for (int32_t w = 0; w < 3; w++) {
            EXPECT_OK(mass_domain_read(d, i, w, zero, m->spaces[0].size, data, e));
            for (size_t at = 0; at < bytes; at++) cr_assert_eq(data[at], defaults[at % a->component_size]);
        }
        free(data);
    }
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

Test(domain, worlds_have_the_keys_of_their_own_numbers_and_the_parameters)
{
    mass_model *m = make_model(1, (const mass_gidx[3]){9, 1, 1});
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 1, 4);
    double rate;
    for (uint64_t w = 0; w < 4; w++) {
        cr_assert_eq(d->keys[w], mass_random_key(42, 3 + w));
        memcpy(&rate, &d->parameters[w], sizeof rate);
        cr_assert_eq(rate, .75);
        cr_assert_eq((int64_t)d->parameters[4 + w], -4);
    }
    cr_assert_eq(*d->clock, 0);
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

/* ---- boxes ---- */

/* One attribute as a plain array: [worlds][nz][ny][nx] elements. */
typedef struct plain {
    const mass_space_def *space;
    size_t element;
    uint8_t *bytes;
} plain;

static uint8_t *plain_at(const plain *p, int32_t world, mass_gidx x, mass_gidx y, mass_gidx z)
{
    const mass_gidx *n = p->space->size;
    return p->bytes + (size_t)(((world * n[2] + z) * n[1] + y) * n[0] + x) * p->element;
}

/* Row by row between a box and the plain array. */
static void plain_box(const plain *p, int32_t world, const mass_gidx o[3], const mass_gidx n[3], uint8_t *box,
                      bool write)
{
    const size_t row = (size_t)n[0] * p->element;
    for (mass_gidx z = 0; z < n[2]; z++)
        for (mass_gidx y = 0; y < n[1]; y++, box += row) {
            uint8_t *there = plain_at(p, world, o[0], o[1] + y, o[2] + z);
            if (write) memcpy(there, box, row);
            else memcpy(box, there, row);
        }
}

static void random_box(uint64_t n, const mass_space_def *s, mass_gidx origin[3], mass_gidx extent[3])
{
    for (uint32_t a = 0; a < 3; a++) {
        origin[a] = draw(n, 2 * a, (uint32_t)s->size[a]);
        extent[a] = 1 + draw(n, 2 * a + 1, (uint32_t)(s->size[a] - origin[a]));
    }
}

static void try_attribute(mass_domain *d, uint32_t attribute, uint64_t seed)
{
    const mass_attribute_def *a = &d->model->attributes[attribute];
    const mass_space_def *s = &d->model->spaces[a->space];
    plain p = {s, mass_element_size(a), NULL};
    const size_t places = (size_t)mass_space_places(s), bytes = places * p.element;
    p.bytes = malloc(bytes * (size_t)d->worlds);
    uint8_t *box = malloc(bytes + 1), *expected = malloc(bytes);
    for (size_t i = 0; i < bytes * (size_t)d->worlds; i++) p.bytes[i] = a->initial[i % a->component_size];
    for (uint64_t k = 0; k < 12; k++) {
        mass_gidx o[3], n[3];
        random_box(100 * seed + k, s, o, n);
        const int32_t world = (int32_t)draw(100 * seed + k, 6, (uint32_t)d->worlds);
        const size_t used = (size_t)(n[0] * n[1] * n[2]) * p.element;
        if (k % 2 == 0) {
            scramble(box, used, 1000 * seed + k);
            plain_box(&p, world, o, n, box, true);
            EXPECT_OK(mass_domain_write(d, attribute, world, o, n, box, e));
        } else {
            memset(box, 0x5a, bytes + 1);
            plain_box(&p, world, o, n, expected, false);
            EXPECT_OK(mass_domain_read(d, attribute, world, o, n, box, e));
            cr_assert_eq(memcmp(box, expected, used), 0, "%s", a->name);
            cr_assert_eq(box[used], 0x5a, "%s", a->name);
        }
    }
    for (int32_t w = 0; w < d->worlds; w++) {
        EXPECT_OK(mass_domain_read(d, attribute, w, zero, s->size, box, e));
        cr_assert_eq(memcmp(box, plain_at(&p, w, 0, 0, 0), bytes), 0, "%s, world %d", a->name, w);
    }
    free(expected);
    free(box);
    free(p.bytes);
}

static void try_boxes(uint32_t dimensions, uint64_t seed)
{
    mass_gidx size[3] = {1, 1, 1};
    for (uint32_t a = 0; a < dimensions; a++) size[a] = 1 + draw(seed, a, dimensions == 3 ? 9 : 25);
    const mass_gidx rows = size[dimensions - 1] < 9 ? size[dimensions - 1] : 9; /* the other space has 9 */
    mass_model *m = make_model(dimensions, size);
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 1 + (int32_t)draw(seed, 4, (uint32_t)rows), 1 + (int32_t)draw(seed, 5, 3));
    for (uint32_t i = 0; i < m->attribute_count; i++) try_attribute(d, i, 100 * seed + i);
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

Test(domain, boxes_of_every_type_are_read_and_written_as_in_a_plain_array)
{
    for (uint64_t seed = 0; seed < 12; seed++) try_boxes(1 + (uint32_t)seed % 3, seed);
}

Test(domain, an_empty_box_moves_nothing)
{
    mass_model *m = make_model(2, (const mass_gidx[3]){5, 4, 1});
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 2, 1);
    uint8_t byte = 0x5a;
    EXPECT_OK(mass_domain_read(d, 0, 0, zero, (const mass_gidx[3]){5, 0, 1}, &byte, e));
    EXPECT_OK(mass_domain_read(d, 0, 0, (const mass_gidx[3]){5, 4, 1}, zero, &byte, e));
    cr_assert_eq(byte, 0x5a);
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

Test(domain, boxes_that_reach_outside_are_refused)
{
    static const struct { mass_gidx origin[3], extent[3]; } bad[] = {
        {{-1, 0, 0}, {1, 1, 1}}, {{0, -1, 0}, {1, 1, 1}}, {{0, 0, -1}, {1, 1, 1}}, {{0, 0, 1}, {1, 1, 1}},
        {{0, 0, 0}, {6, 1, 1}}, {{1, 0, 0}, {5, 1, 1}}, {{0, 4, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, 1, 2}},
        {{0, 0, 0}, {-1, 1, 1}}, {{INT64_MAX, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {INT64_MAX, 1, 1}},
        {{INT64_MIN, 0, 0}, {1, 1, 1}}, {{0, 0, 0}, {1, INT64_MIN, 1}}};
    mass_model *m = make_model(2, (const mass_gidx[3]){5, 4, 1});
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 2, 2);
    uint8_t data[512] = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        EXPECT_REFUSAL(mass_domain_read(d, 0, 0, bad[i].origin, bad[i].extent, data, e), MASS_BAD_PLUGIN,
                       "a box of attribute i8_planes reaches outside its space");
        EXPECT_REFUSAL(mass_domain_write(d, 0, 0, bad[i].origin, bad[i].extent, data, e), MASS_BAD_PLUGIN,
                       "a box of attribute i8_planes reaches outside its space");
    }
    EXPECT_REFUSAL(mass_domain_read(d, 0, 2, zero, m->spaces[0].size, data, e), MASS_BAD_PLUGIN, "there is no world 2");
    EXPECT_REFUSAL(mass_domain_write(d, 0, -1, zero, m->spaces[0].size, data, e), MASS_BAD_PLUGIN,
                   "there is no world -1");
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

/* ---- the whole state ---- */

static void expect_same_state(const mass_snapshot *a, const mass_snapshot *b)
{
    for (uint32_t i = 0; i < a->model->attribute_count; i++)
        cr_assert_eq(memcmp(a->attributes[i], b->attributes[i], mass_snapshot_size(a, i)), 0, "%s",
                     a->model->attributes[i].name);
    const size_t tallies = (size_t)a->model->tally_count * (size_t)a->worlds * sizeof *a->tallies;
    cr_assert_eq(memcmp(a->tallies, b->tallies, tallies), 0);
}

Test(domain, a_state_is_restored_on_any_other_number_of_partitions)
{
    mass_model *m = make_model(3, (const mass_gidx[3]){7, 3, 8});
    mass_device *device = open_device(&mass_cpu_table);
    mass_snapshot first, again;
    EXPECT_OK(mass_snapshot_allocate(&first, m, 2, NULL, e));
    for (uint32_t i = 0; i < m->attribute_count; i++) scramble(first.attributes[i], mass_snapshot_size(&first, i), i);
    scramble(first.tallies, (size_t)m->tally_count * 2 * sizeof *first.tallies, 77);
    for (int32_t partitions = 1; partitions <= 8; partitions++) {
        mass_domain *d = make_domain(m, device, partitions, 2);
        EXPECT_OK(mass_domain_restore(d, &first, e));
        EXPECT_OK(mass_domain_save(d, &again, e));
        expect_same_state(&first, &again);
        mass_snapshot_free(&again);
        mass_domain_free(d);
    }
    mass_snapshot_free(&first);
    mass_device_close(device);
    free_model(m);
}

Test(domain, a_saved_state_is_what_boxes_read)
{
    mass_model *m = make_model(2, (const mass_gidx[3]){7, 5, 1});
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 3, 2);
    mass_snapshot s;
    uint8_t *box = malloc(7 * 5 * 64), *read = malloc(7 * 5 * 64);
    for (uint32_t i = 0; i < m->attribute_count - 1; i++) {
        const size_t bytes = 7 * 5 * mass_element_size(&m->attributes[i]);
        scramble(box, bytes, i);
        EXPECT_OK(mass_domain_write(d, i, 1, zero, m->spaces[0].size, box, e));
        EXPECT_OK(mass_domain_save(d, &s, e));
        EXPECT_OK(mass_domain_read(d, i, 1, zero, m->spaces[0].size, read, e));
        cr_assert_eq(memcmp(read, box, bytes), 0);
        cr_assert_eq(memcmp((uint8_t *)s.attributes[i] + bytes, box, bytes), 0);
        mass_snapshot_free(&s);
    }
    free(read);
    free(box);
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

/* ---- tallies ---- */

Test(domain, tallies_start_neutral_and_restart_unless_cumulative)
{
    mass_model *m = make_model(1, (const mass_gidx[3]){9, 1, 1});
    mass_device *device = open_device(&mass_cpu_table);
    mass_domain *d = make_domain(m, device, 1, 2);
    static const int64_t neutral[6] = {0, 0, INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
    static const int64_t kept[6] = {0, 0, 3, 4, INT64_MIN, INT64_MIN};
    static const int64_t used[6] = {1, 2, 3, 4, 5, 6};
    int64_t values[6];
    EXPECT_OK(mass_domain_read_tallies(d, values, e));
    cr_assert_arr_eq(values, neutral, sizeof values);
    memcpy(d->tallies, used, sizeof used);
    EXPECT_OK(mass_domain_reset_tallies(d, false, e));
    EXPECT_OK(mass_domain_read_tallies(d, values, e));
    cr_assert_arr_eq(values, kept, sizeof values);
    EXPECT_OK(mass_domain_reset_tallies(d, true, e));
    EXPECT_OK(mass_domain_read_tallies(d, values, e));
    cr_assert_arr_eq(values, neutral, sizeof values);
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

/* ---- what is refused ---- */

static void expect_no_domain(const mass_model *m, mass_device *device, mass_domain_options o, mass_status status,
                             const char *text)
{
    mass_domain *d = (mass_domain *)(uintptr_t)0x77;
    EXPECT_REFUSAL(mass_domain_create(m, device, &o, &d, e), status, text);
    cr_assert_eq((uintptr_t)d, 0x77);
}

Test(domain, bad_options_are_the_users_to_mend)
{
    static const char least[] = "there have to be at least 1 partition and 1 world";
    mass_model *m = make_model(2, (const mass_gidx[3]){9, 7, 1});
    mass_device *device = open_device(&mass_cpu_table);
    expect_no_domain(m, device, (mass_domain_options){0, 1, 0, 1}, MASS_BAD_USAGE, least);
    expect_no_domain(m, device, (mass_domain_options){-1, 1, 0, 1}, MASS_BAD_USAGE, least);
    expect_no_domain(m, device, (mass_domain_options){1, 0, 0, 1}, MASS_BAD_USAGE, least);
    expect_no_domain(m, device, (mass_domain_options){1, 1, -1, 1}, MASS_BAD_USAGE, least);
    expect_no_domain(m, device, (mass_domain_options){1, 2, INT32_MAX - 1, 1}, MASS_BAD_USAGE, least);
    expect_no_domain(m, device, (mass_domain_options){8, 1, 0, 1}, MASS_BAD_USAGE,
                     "--partitions 8 is more than the 7 rows of space s");
    mass_device_close(device);
    free_model(m);
    m = make_model(2, (const mass_gidx[3]){9, 12, 1});
    device = open_device(&mass_cpu_table);
    expect_no_domain(m, device, (mass_domain_options){10, 1, 0, 1}, MASS_BAD_USAGE,
                     "--partitions 10 is more than the 9 rows of space other");
    mass_device_close(device);
    free_model(m);
}

/* A model of one space of single bytes. */
static mass_model *bytes_model(uint32_t dimensions, const mass_gidx *size)
{
    mass_model *m = calloc(1, sizeof *m);
    snprintf(m->plugin, sizeof m->plugin, "trial");
    const mass_space s = {.name = "s", .dimensions_min = 1, .dimensions_max = 3};
    EXPECT_OK(mass_model_add_space(m, &s, size, dimensions, e));
    EXPECT_OK(mass_model_add_attribute(m, &(mass_attribute){.space = "s", .name = "a", .type = MASS_U8}, e));
    EXPECT_OK(mass_model_resolve(m, e));
    return m;
}

Test(domain, a_space_beyond_all_memory_is_refused_before_anything_is_allocated)
{
    mass_model *m = bytes_model(2, (const mass_gidx[3]){2000000000, 1000000});
    mass_device *device = open_device(&short_table);
    allocations_allowed = 0;
    mass_domain *d = NULL;
    mass_error e = {0};
    cr_assert_eq(mass_domain_create(m, device, &(mass_domain_options){1, 1, 0, 1}, &d, &e), MASS_NO_DEVICE);
    cr_assert_not_null(strstr(e.text, "trial needs 3.6 PiB, cpu has "));
    cr_assert_not_null(strstr(e.text, " free: use a space of at most "));
    cr_assert_eq(allocations_allowed, 0);
    cr_assert_null(d);
    mass_device_close(device);
    free_model(m);
}

/* On a device in host memory, the state and a snapshot of it: one byte a place and world. */
static double needed_by(const mass_model *m, int32_t partitions, int32_t worlds)
{
    return mass_domain_bytes(m, partitions, worlds) + (double)(mass_space_places(&m->spaces[0]) * worlds);
}

Test(domain, a_space_is_refused_from_the_first_byte_too_many)
{
    mass_model *m = bytes_model(2, (const mass_gidx[3]){300, 200});
    mass_device *device = open_device(&poor_table);
    mass_domain *d = NULL;
    mass_error refusal = {0};
    free_bytes = (size_t)needed_by(m, 3, 2) - 1;
    cr_assert_eq(mass_domain_create(m, device, &(mass_domain_options){3, 2, 0, 1}, &d, &refusal), MASS_NO_DEVICE);
    free_bytes++;
    EXPECT_OK(mass_domain_create(m, device, &(mass_domain_options){3, 2, 0, 1}, &d, e));
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

Test(domain, a_device_with_memory_of_its_own_leaves_snapshots_to_the_host)
{
    mass_model *m = bytes_model(2, (const mass_gidx[3]){300, 200});
    mass_device *device = open_device(&poor_table);
    mass_domain *d = NULL;
    poor_table.in_host_memory = false;
    free_bytes = (size_t)mass_domain_bytes(m, 3, 2);
    EXPECT_OK(mass_domain_create(m, device, &(mass_domain_options){3, 2, 0, 1}, &d, e));
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}

Test(domain, the_space_that_a_refusal_recommends_fits)
{
    for (int32_t worlds = 1; worlds <= 4; worlds++) {
        mass_model *m = bytes_model(1, (const mass_gidx[3]){50000000});
        mass_device *device = open_device(&poor_table);
        char together[40] = "";
        free_bytes = 10000000;
        mass_domain *d = NULL;
        mass_error e = {0};
        cr_assert_eq(mass_domain_create(m, device, &(mass_domain_options){1, worlds, 0, 1}, &d, &e), MASS_NO_DEVICE);
        char *end = strstr(e.text, "at most ");
        cr_assert_not_null(end);
        m->spaces[0].size[0] = strtoll(end + strlen("at most "), &end, 10) / worlds;
        if (worlds > 1) snprintf(together, sizeof together, " over all %d worlds", worlds);
        cr_assert_eq(strncmp(end, " places", strlen(" places")), 0, "%s", e.text);
        cr_assert_str_eq(end + strlen(" places"), together);
        const double share = needed_by(m, 1, worlds) / (double)free_bytes;
        cr_assert(share > .99 && share < 1.01, "%lld places need %g of it", (long long)m->spaces[0].size[0], share);
        mass_device_close(device);
        free_model(m);
    }
}

Test(domain, what_is_counted_is_what_is_allocated)
{
    mass_model *m = make_model(3, (const mass_gidx[3]){7, 3, 8});
    mass_device *device = open_device(&mass_cpu_table);
    for (int32_t partitions = 1; partitions <= 8; partitions += 3) {
        mass_domain *d = make_domain(m, device, partitions, 2);
        double bytes = 2 * 8 * (1 + 2 + 3); /* keys, parameters and tallies of two worlds */
        for (uint32_t s = 0; s < m->space_count; s++)
            for (int32_t p = 0; p < partitions; p++)
                for (uint32_t i = 0; i < m->array_count; i++) {
                    const mass_array *a = &d->partitions[s][p].arrays[i];
                    for (int b = 0; b < 2; b++) bytes += a->buffer[b] ? (double)a->bytes : 0;
                }
        cr_assert_eq(mass_domain_bytes(m, partitions, 2), bytes);
        mass_domain_free(d);
    }
    mass_device_close(device);
    free_model(m);
}

Test(domain, memory_that_runs_out_halfway_is_refused_and_given_back)
{
    mass_model *m = make_model(2, (const mass_gidx[3]){7, 5, 1});
    mass_device *device = open_device(&short_table);
    mass_domain *d = NULL;
    int failures = 0;
    for (mass_status status = MASS_NO_DEVICE; status != MASS_OK; failures++) {
        mass_error e = {0};
        allocations_allowed = failures;
        status = mass_domain_create(m, device, &(mass_domain_options){2, 2, 0, 1}, &d, &e);
        cr_assert(status == MASS_OK || (status == MASS_NO_DEVICE && !d && strstr(e.text, "does not have free")));
    }
    cr_assert_gt(failures, (int)m->array_count);
    mass_domain_free(d);
    mass_device_close(device);
    free_model(m);
}
