/* Checkpoints come back as they were written, and whatever else they are is refused. The test
 * program is its own probe: before main, when it is started with --probe-checkpoint. */
#include "crowd.h"
#include "io/checkpoint.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((constructor)) static void be_probe(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "--probe-checkpoint") == 0)
        _exit(mass_checkpoint_answer_probe(arguments[2]));
}

/* HDF5 1.10 forgets the memory of a file that it could not close. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

/* ---- models and folders ---- */

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

static void add_space(mass_model *m, const char *name, uint32_t dimensions, int64_t x, int64_t y,
                      int64_t z)
{
    mass_error e = {0};
    mass_model_add_space(m,
                         &(mass_space){.name = name,
                                       .dimensions_min = dimensions,
                                       .dimensions_max = dimensions,
                                       .torus = MASS_AXIS_X,
                                       .size = {x, y, z}},
                         NULL, 0, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

static void add_attribute(mass_model *m, const char *space, const char *name, uint32_t type,
                          uint32_t length)
{
    mass_error e = {0};
    mass_attribute a = {.space = space,
                        .name = name,
                        .type = type,
                        .length = length,
                        .unit = "m",
                        .help = "some thing"};
    if (type == MASS_STRUCT)
        a.element_size = sizeof(cell), a.member_count = 5, a.members = cell_members;
    mass_model_add_attribute(m, &a, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

static void add_tally(mass_model *m, const char *name, uint32_t access, uint32_t kind,
                      uint32_t bits)
{
    mass_error e = {0};
    mass_model_add_tally(m,
                         &(mass_tally){.name = name,
                                       .access = access,
                                       .kind = kind,
                                       .fraction_bits = bits,
                                       .cumulative = bits != 0},
                         &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

static void add_parameters(mass_model *m)
{
    static const char *const edges[] = {"torus", "dead", NULL};
    mass_error e = {0};
    mass_parameters *p = &m->parameters;
    mass_parameters_add(p, &(mass_parameter){.type = MASS_INTEGER, .name = "agents", .integer = -7},
                        &e);
    mass_parameters_add(p, &(mass_parameter){.type = MASS_REAL, .name = "density", .real = 0.1},
                        &e);
    mass_parameters_add(p, &(mass_parameter){.type = MASS_TEXT, .name = "pattern"}, &e);
    mass_parameters_add(p, &(mass_parameter){.type = MASS_CHOICE, .name = "edge", .choices = edges},
                        &e);
    mass_parameters_add_constant(p, &(mass_constant){.type = MASS_REAL, .name = "pi", .real = 3.14},
                                 &e);
    cr_assert_eq(mass_parameter_set(mass_parameters_find(p, "edge"), "dead", &e), MASS_OK);
}

static mass_model empty_model(void)
{
    mass_model m = {.plugin = "life", .version = "1.0.0"};
    add_parameters(&m);
    return m;
}

/* One attribute: what the tests of damage take apart byte by byte. */
static mass_model small_model(void)
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

/* The same with counts by number and by text. */
static mass_model small_keys_model(void)
{
    mass_model m = small_model();
    add_keys(&m, "numbers", MASS_KEYS_NUMBERS);
    add_keys(&m, "words", MASS_KEYS_TEXTS);
    return m;
}

/* The same of three worlds that differ in a parameter of each kind, and in a constant. */
static mass_model small_swept_model(void)
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

static int32_t worlds_of(const mass_model *m) { return m->parameters.worlds ? m->parameters.worlds : 1; }

/* The same with two populations, one of which died out. */
static mass_model small_crowd_model(void)
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

/* Every type, dimension, length and tally; one attribute of many chunks. */
static mass_model full_model(void)
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

/* The first population, where there is one, has ten agents, and others none. */
static mass_snapshot snapshot_of(const mass_model *m, int32_t worlds)
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

/* Bytes of all kinds: NaNs and infinities come back like any other. */
static mass_snapshot filled(const mass_model *m, int32_t worlds, uint64_t step)
{
    mass_snapshot s = snapshot_of(m, worlds);
    uint64_t x = 88172645463325252;
    for (uint32_t i = 0; i < m->attribute_count; i++)
        for (size_t b = 0; b < mass_snapshot_size(&s, i); b++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            ((uint8_t *)s.attributes[i])[b] = (uint8_t)(b % 3 ? x : x | 0xf0);
        }
    for (uint32_t i = 0; i < m->tally_count; i++) fill_keys(&s, i);
    for (size_t i = 0; i < m->tally_words * (size_t)worlds; i++)
        s.tallies[i] = (int64_t)(i * 1000003) - 500;
    crowd_stand_all(&s);
    s.step = step;
    s.seed = UINT64_MAX - 3;
    s.first_world = 2;
    return s;
}

static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/mass-checkpoint-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    signal(SIGXFSZ, SIG_IGN);
}

static void empty_folder(void)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *e; entries && (e = readdir(entries));)
        unlinkat(dirfd(entries), e->d_name, 0);
    if (entries) closedir(entries);
}

static void remove_folder(void)
{
    empty_folder();
    rmdir(folder);
}

TestSuite(checkpoint, .init = make_folder, .fini = remove_folder);

static mass_status try_write(const mass_snapshot *s, uint32_t keep, char path[PATH_MAX],
                             mass_error *e)
{
    return mass_checkpoint_write(
        &(mass_checkpoint_settings){.folder = folder, .every = 50, .keep = keep, .last_step = 900},
        s, path, e);
}

static void write_one(const mass_snapshot *s, char path[PATH_MAX])
{
    mass_error e = {0};
    cr_assert_eq(try_write(s, 0, path, &e), MASS_OK, "%s", e.text);
}

static int files_in_folder(void)
{
    int count = 0;
    DIR *entries = opendir(folder);
    for (const struct dirent *e; (e = readdir(entries));)
        count += strcmp(e->d_name, ".") && strcmp(e->d_name, "..");
    closedir(entries);
    return count;
}

static bool is_there(const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void touch(const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    close(open(path, O_CREAT | O_WRONLY, 0666));
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

/* The state that a checkpoint holds is that of s, bit for bit. */
static bool holds(const char *path, const mass_snapshot *s)
{
    mass_checkpoint *c;
    mass_error e = {0};
    if (mass_checkpoint_open(path, &c, &e) != MASS_OK) return false;
    mass_snapshot back = snapshot_of(s->model, s->worlds);
    bool same = mass_checkpoint_read(c, &back, &e) == MASS_OK && back.step == s->step &&
                back.seed == s->seed && back.first_world == s->first_world;
    for (uint32_t i = 0; same && i < s->model->attribute_count; i++)
        same = memcmp(back.attributes[i], s->attributes[i], mass_snapshot_size(s, i)) == 0;
    same = same &&
           memcmp(back.tallies, s->tallies, s->model->tally_words * (size_t)s->worlds * 8) == 0;
    for (size_t i = 0; same && i < s->model->tally_count * (size_t)s->worlds; i++)
        same = !s->model->tallies[i / (size_t)s->worlds].keys || same_keys(&back.keys[i], &s->keys[i]);
    for (uint32_t i = 0; same && i < s->model->parameters.count; i++) {
        const mass_parameter_slot *was = &s->model->parameters.slots[i];
        const mass_parameter_slot *is = mass_parameters_find(&c->model.parameters, was->name);
        char a[64], b[64];
        same = is && is->type == was->type && is->given == was->given &&
               is->constant == was->constant && same_sweep(is, was, s->worlds) &&
               strcmp(mass_parameter_format(is, a), mass_parameter_format(was, b)) == 0;
    }
    mass_snapshot_free(&back);
    mass_checkpoint_close(c);
    return same;
}

/* ---- round trips ---- */

static void round_trip(mass_model m, int32_t worlds)
{
    mass_snapshot s = filled(&m, worlds, 250);
    mass_error e = {0};
    char path[PATH_MAX];
    write_one(&s, path);
    cr_assert(holds(path, &s));
    cr_assert_eq(mass_checkpoint_verify(path, &e), MASS_OK, "%s", e.text);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, of_one_world_comes_back) { round_trip(full_model(), 1); }
Test(checkpoint, of_three_worlds_comes_back) { round_trip(full_model(), 3); }
Test(checkpoint, of_keys_comes_back) { round_trip(small_keys_model(), 3); }
Test(checkpoint, of_a_sweep_comes_back) { round_trip(small_swept_model(), 3); }

/* Into a plugin whose choices have another order, and one whose range is narrower. */
Test(checkpoint, of_a_sweep_gives_its_values_to_a_model)
{
    static const char *const edges[] = {"dead", "open", "torus", NULL}, *const fewer[] = {"dead", NULL};
    mass_model m = small_swept_model();
    mass_snapshot s = filled(&m, 3, 250);
    mass_checkpoint *c;
    mass_error e = {0};
    char path[PATH_MAX];
    write_one(&s, path);
    cr_assert_eq(mass_checkpoint_open(path, &c, &e), MASS_OK, "%s", e.text);
    mass_model is = {.plugin = "life"};
    mass_parameters_add(&is.parameters, &(mass_parameter){.type = MASS_CHOICE, .name = "edge", .choices = edges}, &e);
    cr_assert_eq(mass_checkpoint_restore_sweep(c, &is, &e), MASS_BAD_INPUT);
    cr_assert_not_null(strstr(e.text, "no parameter 'agents'"), "%s", e.text);
    e = (mass_error){0};
    mass_parameters_add(&is.parameters, &(mass_parameter){.type = MASS_INTEGER, .name = "agents"}, &e);
    mass_parameters_add(&is.parameters, &(mass_parameter){.type = MASS_REAL, .name = "density"}, &e);
    mass_parameters_add_constant(&is.parameters, &(mass_constant){.type = MASS_REAL, .name = "pi"}, &e);
    cr_assert_eq(mass_checkpoint_restore_sweep(c, &is, &e), MASS_OK, "%s", e.text);
    const mass_parameter_slot *edge = mass_parameters_find(&is.parameters, "edge");
    cr_assert(is.parameters.worlds == 3 && edge->swept[0] == 0 && edge->swept[1] == 2 && edge->swept[2] == 0);
    cr_assert_eq((int64_t)mass_parameters_find(&is.parameters, "agents")->swept[2], INT64_MIN);
    mass_model_free(&is);
    is = (mass_model){.plugin = "life"};
    mass_parameters_add(&is.parameters, &(mass_parameter){.type = MASS_INTEGER, .name = "agents", .integer_min = -7,
                                                          .integer_max = 9}, &e);
    cr_assert_eq(mass_checkpoint_restore_sweep(c, &is, &e), MASS_BAD_INPUT);
    cr_assert_not_null(strstr(e.text, "parameter 'agents' of world 4 is out of its range"), "%s", e.text);
    mass_model_free(&is);
    is = (mass_model){.plugin = "life"};
    e = (mass_error){0};
    mass_checkpoint_close(c);
    mass_parameters_add(&is.parameters, &(mass_parameter){.type = MASS_CHOICE, .name = "edge", .choices = fewer}, &e);
    for (uint32_t i = 0; i < m.parameters.count; i++)
        if (strcmp(m.parameters.slots[i].name, "edge") != 0) {
            free(m.parameters.slots[i].swept);
            m.parameters.slots[i].swept = NULL;
        }
    write_one(&s, path);
    cr_assert_eq(mass_checkpoint_open(path, &c, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(mass_checkpoint_restore_sweep(c, &is, &e), MASS_BAD_INPUT);
    cr_assert_not_null(strstr(e.text, "parameter 'edge' of world 3 is out of its range"), "%s", e.text);
    mass_checkpoint_close(c);
    mass_model_free(&is);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, of_no_attributes_comes_back)
{
    mass_model m = empty_model();
    add_space(&m, "grid", 1, 4, 0, 0);
    round_trip(m, 1);
}

Test(checkpoint, says_what_it_is)
{
    mass_model m = small_model();
    mass_snapshot s = filled(&m, 1, 250);
    mass_checkpoint *c;
    mass_error e = {0};
    char path[PATH_MAX], hash[33];
    write_one(&s, path);
    cr_assert_not_null(strstr(path, "/ckpt-000000000250.h5"));
    cr_assert_eq(mass_checkpoint_open(path, &c, &e), MASS_OK, "%s", e.text);
    cr_assert_str_eq(c->model.plugin, "life");
    cr_assert_str_eq(c->model.version, "1.0.0");
    cr_assert_str_eq(c->engine_version, MASS_ENGINE_VERSION);
    cr_assert_eq(c->abi_minor, MASS_ABI_MINOR);
    cr_assert_eq(c->seed, UINT64_MAX - 3);
    cr_assert_eq(c->step, 250);
    cr_assert_eq(c->every, 50);
    cr_assert_eq(c->keep, 0);
    cr_assert_eq(c->last_step, 900);
    cr_assert_eq(c->worlds, 1);
    cr_assert_eq(c->first_world, 2);
    cr_assert_eq(c->model.space_count, 1);
    cr_assert_eq(c->model.spaces[0].dimensions, 2);
    cr_assert_eq(c->model.spaces[0].torus, MASS_AXIS_X);
    cr_assert_eq(c->model.spaces[0].size[1], 5);
    mass_snapshot_hash(&s, hash);
    cr_assert_str_eq(c->state_hash, hash);
    mass_checkpoint_close(c);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, longest_text_comes_back_and_a_longer_one_is_refused)
{
    mass_model m = small_model();
    mass_error e = {0};
    char text[MASS_CHECKPOINT_TEXT_MAX + 2], path[PATH_MAX];
    memset(text, 'x', sizeof text);
    text[MASS_CHECKPOINT_TEXT_MAX] = '\0';
    mass_parameter_set(mass_parameters_find(&m.parameters, "pattern"), text, &e);
    mass_snapshot s = filled(&m, 1, 1);
    write_one(&s, path);
    cr_assert(holds(path, &s));
    text[MASS_CHECKPOINT_TEXT_MAX] = 'x';
    text[MASS_CHECKPOINT_TEXT_MAX + 1] = '\0';
    mass_parameter_set(mass_parameters_find(&m.parameters, "pattern"), text, &e);
    s.step = 2;
    cr_assert_eq(try_write(&s, 0, path, &e), MASS_BAD_USAGE);
    cr_assert_eq(files_in_folder(), 1);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, is_read_by_h5py)
{
    static const char *const script = "import sys, h5py\n"
                                      "f = h5py.File(sys.argv[1], 'r')\n"
                                      "assert f['places/grid/i32'].shape == (3, 1, 13), "
                                      "f['places/grid/i32'].shape\n"
                                      "assert f['places/box/u8'].shape == (3, 3, 5, 7, 2)\n"
                                      "assert f['places/line/long'].shape == (3, 700000, 3)\n"
                                      "assert f['places/box/cells'].dtype.names == ('mass', "
                                      "'kind', 'alive', 'spare', 'heat')\n"
                                      "assert f['places/grid/i32'].attrs['mass_type'] == b'i32'\n"
                                      "assert f['places/box/u8'].attrs['dimension_labels'] == "
                                      "b'world z y x component'\n"
                                      "assert f['tallies/total/value'][1] == (4000012 - 500 + 0) / "
                                      "2**20, f['tallies/total/value'][1]\n"
                                      "assert f['parameters'].attrs['density'] == 0.1 and "
                                      "f['parameters'].attrs['agents'] == -7\n"
                                      "assert f['parameters'].attrs['edge'] == b'dead'\n"
                                      "assert f['parameters'].attrs['edge.kind'] == b'choice "
                                      "given'\n"
                                      "assert f.attrs['step'] == 250 and "
                                      "len(f.attrs['state_hash']) == 32\n";
    mass_model m = full_model();
    mass_snapshot s = filled(&m, 3, 250);
    char path[PATH_MAX], command[PATH_MAX + 4096];
    if (system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0)
        cr_skip_test("h5py is not there: install python3-h5py");
    write_one(&s, path);
    snprintf(command, sizeof command, "/usr/bin/python3 -c \"%s\" %s", script, path);
    cr_assert_eq(system(command), 0);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

/* ---- the folder ---- */

Test(checkpoint, keeps_the_newest)
{
    mass_model m = small_model();
    mass_error e = {0};
    touch("ckpt-notes.h5");
    for (uint64_t step = 1; step <= 5; step++) {
        mass_snapshot s = filled(&m, 1, step * 100);
        cr_assert_eq(try_write(&s, 2, NULL, &e), MASS_OK);
        mass_snapshot_free(&s);
    }
    cr_assert_eq(files_in_folder(), 3);
    cr_assert(is_there("ckpt-000000000500.h5") && is_there("ckpt-000000000400.h5") &&
              is_there("ckpt-notes.h5"));
    mass_model_free(&m);
}

Test(checkpoint, never_prunes_what_it_just_wrote)
{
    mass_model m = small_model();
    mass_error e = {0};
    touch("ckpt-000000000800.h5");
    touch("ckpt-000000000900.h5");
    mass_snapshot s = filled(&m, 1, 10);
    cr_assert_eq(try_write(&s, 1, NULL, &e), MASS_OK);
    cr_assert(is_there("ckpt-000000000010.h5") && is_there("ckpt-000000000900.h5"));
    cr_assert_not(is_there("ckpt-000000000800.h5"));
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, list_is_newest_first_and_of_checkpoints_only)
{
    mass_checkpoint_names names;
    mass_error e = {0};
    touch("ckpt-000000000007.h5");
    touch("ckpt-1000000000000.h5");
    touch("ckpt-000000000300.h5");
    touch("ckpt-7.h5");
    touch("ckpt-0000000000007.h5");
    touch("ckpt-000000000007.h5~");
    touch(".ckpt-000000000007.1.host.tmp");
    cr_assert_eq(mass_checkpoint_list(folder, &names, &e), MASS_OK);
    cr_assert_eq(names.count, 3);
    cr_assert_eq(names.steps[0], 1000000000000);
    cr_assert_eq(names.steps[1], 300);
    cr_assert_eq(names.steps[2], 7);
    cr_assert_not_null(strstr(names.paths[2], "/ckpt-000000000007.h5"));
    mass_checkpoint_names_free(&names);
}

Test(checkpoint, list_of_a_missing_folder_says_so)
{
    mass_checkpoint_names names;
    mass_error e = {0};
    cr_assert_eq(mass_checkpoint_list("/nowhere/at-all", &names, &e), MASS_BAD_INPUT);
    cr_assert_not_null(strstr(e.text, "No such file"));
}

Test(checkpoint, prepare_makes_one_folder)
{
    char path[128];
    mass_error e = {0}, deep = {0};
    snprintf(path, sizeof path, "%s/new", folder);
    cr_assert_eq(mass_checkpoint_prepare(path, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(rmdir(path), 0); /* and leaves it empty */
    snprintf(path, sizeof path, "%s/not/there", folder);
    cr_assert_eq(mass_checkpoint_prepare(path, &deep), MASS_BAD_USAGE);
    cr_assert_not_null(strstr(deep.text, path));
}

Test(checkpoint, prepare_refuses_a_file)
{
    char path[128];
    mass_error e = {0};
    touch("file");
    snprintf(path, sizeof path, "%s/file", folder);
    cr_assert_eq(mass_checkpoint_prepare(path, &e), MASS_BAD_USAGE);
}

static pid_t dead_process(void)
{
    const pid_t id = fork();
    if (id == 0) _exit(0);
    waitpid(id, NULL, 0);
    return id;
}

Test(checkpoint, prepare_sweeps_what_dead_processes_left)
{
    char dead[200], alive[200], other[200], host[65] = "";
    mass_error e = {0};
    gethostname(host, 64);
    snprintf(dead, sizeof dead, ".ckpt-000000000100.%d.%s.tmp", dead_process(), host);
    snprintf(alive, sizeof alive, ".ckpt-000000000100.%d.%s.tmp", getppid(), host);
    snprintf(other, sizeof other, ".ckpt-000000000100.%d.%s-b.tmp", dead_process(), host);
    touch(dead), touch(alive), touch(other), touch(".mine.tmp"), touch("ckpt-000000000100.h5");
    cr_assert_eq(mass_checkpoint_prepare(folder, &e), MASS_OK);
    cr_assert_not(is_there(dead));
    cr_assert(is_there(alive) && is_there(other) && is_there(".mine.tmp") &&
              is_there("ckpt-000000000100.h5"));
}

/* ---- failing writes ---- */

/* Under a limit of file size every write either succeeds whole or leaves all as it was. In a child:
 * the limit holds for Criterion's own files too. */
Test(checkpoint, failing_write_leaves_the_previous_one)
{
    mass_model m = small_model();
    mass_snapshot s = filled(&m, 1, 100);
    struct stat facts;
    char path[PATH_MAX];
    write_one(&s, path);
    stat(path, &facts);
    for (off_t limit = 0; limit <= facts.st_size + 512; limit += 211) {
        const pid_t id = fork();
        if (id == 0) {
            mass_error e = {0};
            char name[PATH_MAX];
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){(rlim_t)limit, RLIM_INFINITY});
            s.step = 200;
            const mass_status status = try_write(&s, 3, name, &e);
            if (status == MASS_OK) _exit(holds(name, &s) ? 0 : 10);
            _exit(status != MASS_FAILED || files_in_folder() != 1 ||
                          !strstr(e.text, "File too large")
                      ? 11
                      : 1);
        }
        int how;
        waitpid(id, &how, 0);
        cr_assert(WIFEXITED(how), "a limit of %ld bytes ends in signal %d", (long)limit,
                  WTERMSIG(how));
        cr_assert_eq(WEXITSTATUS(how), limit < facts.st_size, "limit %ld of %ld: %d", (long)limit,
                     (long)facts.st_size, WEXITSTATUS(how));
    }
    s.step = 100;
    cr_assert(holds(path, &s));
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

/* The same on a disk that is full, for every page that can be missing. */
Test(checkpoint, full_disk_leaves_the_previous_one)
{
    mass_model m = small_model();
    mass_snapshot s = filled(&m, 1, 100);
    int failed = 0, written = 0;
    for (int pages = 1; pages <= 12; pages++) {
        char size[32];
        snprintf(size, sizeof size, "size=%dk", pages * 4);
        if (mount("tmpfs", folder, "tmpfs", 0, size) != 0)
            cr_skip_test("a small disk cannot be mounted here");
        mass_error e = {0}, f = {0};
        char first[PATH_MAX], second[PATH_MAX];
        s.step = 100;
        mass_status status = try_write(&s, 3, first, &e);
        if (status == MASS_OK) {
            s.step = 200;
            status = try_write(&s, 3, second, &f);
            const bool whole = status != MASS_OK || holds(second, &s);
            const bool clean = status == MASS_OK || (files_in_folder() == 1 && strstr(f.text, "No "
                                                                                              "spac"
                                                                                              "e "
                                                                                              "lef"
                                                                                              "t"));
            s.step = 100;
            const bool kept = holds(first, &s);
            umount2(folder, MNT_DETACH);
            cr_assert(whole && clean && kept, "%d pages: %d %d %d: %s", pages, whole, clean, kept,
                      f.text);
        } else {
            umount2(folder, MNT_DETACH);
        }
        status == MASS_OK ? written++ : failed++;
    }
    cr_assert(failed > 0 && written > 0);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, missing_folder_is_a_failure_in_words)
{
    mass_model m = small_model();
    mass_snapshot s = filled(&m, 1, 100);
    mass_error e = {0};
    const mass_checkpoint_settings settings = {.folder = "/nowhere/at-all", .keep = 3};
    cr_assert_eq(mass_checkpoint_write(&settings, &s, NULL, &e), MASS_FAILED);
    cr_assert_not_null(strstr(e.text, "No such file or directory"), "%s", e.text);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

/* ---- models that do not match ---- */

static void assert_no_match(const mass_model *was, mass_model is, const char *words)
{
    mass_snapshot s = filled(was, 1, 100);
    mass_checkpoint *c;
    mass_error e = {0};
    char path[PATH_MAX];
    write_one(&s, path);
    cr_assert_eq(mass_checkpoint_open(path, &c, &e), MASS_OK);
    cr_assert_eq(mass_checkpoint_match(c, &is, &e), MASS_BAD_INPUT);
    cr_assert(strstr(e.text, words) && strstr(e.text, path), "%s", e.text);
    mass_checkpoint_close(c);
    mass_snapshot_free(&s);
    mass_model_free(&is);
}

Test(checkpoint, of_another_plugin_is_refused)
{
    mass_model was = small_model(), is = small_model();
    snprintf(is.plugin, sizeof is.plugin, "heat");
    assert_no_match(&was, is, "was written by plugin life");
    mass_model_free(&was);
}

Test(checkpoint, of_another_schema_is_refused_by_the_first_difference)
{
    mass_model was = small_model(), is = small_model();
    is.attributes[0].type = MASS_I8;
    assert_no_match(&was, is, "attribute 'health' of space 'grid' was u8[1] and now is i8[1]");
    is = small_model();
    add_attribute(&is, "grid", "age", MASS_U8, 1);
    assert_no_match(&was, is, "no attribute 'age'");
    is = small_model();
    is.spaces[0].size[0] = 13;
    assert_no_match(&was, is, "the size 12x5x1 and now has 13x5x1");
    is = small_model();
    is.spaces[0].torus = 0;
    assert_no_match(&was, is, "wrapped");
    is = small_model();
    is.tallies[0].access = MASS_MAX;
    assert_no_match(&was, is, "tally 'population' was of another kind");
    is = empty_model();
    add_space(&is, "grid", 2, 12, 5, 0);
    assert_no_match(&was, is, "attribute 'health' too many");
    mass_model_free(&was);
}

Test(checkpoint, reads_into_a_model_declared_in_another_order)
{
    mass_model was = small_model(), is = empty_model();
    add_attribute(&was, "grid", "age", MASS_I16, 1);
    add_space(&is, "grid", 2, 12, 5, 0);
    add_attribute(&is, "grid", "age", MASS_I16, 1);
    add_attribute(&is, "grid", "health", MASS_U8, 1);
    add_tally(&is, "population", MASS_SUM, MASS_TALLY_INTEGER, 0);
    mass_snapshot s = filled(&was, 1, 100), back = snapshot_of(&is, 1);
    mass_checkpoint *c;
    mass_error e = {0};
    char path[PATH_MAX], a[33], b[33];
    write_one(&s, path);
    cr_assert_eq(mass_checkpoint_open(path, &c, &e), MASS_OK);
    cr_assert_eq(mass_checkpoint_read(c, &back, &e), MASS_OK, "%s", e.text);
    mass_snapshot_hash(&s, a);
    mass_snapshot_hash(&back, b);
    cr_assert_str_eq(a, b);
    mass_checkpoint_close(c);
    mass_snapshot_free(&s), mass_snapshot_free(&back);
    mass_model_free(&was), mass_model_free(&is);
}

/* ---- damage ---- */

enum { UNKNOWN, REFUSED, SAME, WRONG, CRASHED };

typedef struct damage {
    int file;
    const char *path;
    const uint8_t *bytes;
    size_t size;
    const mass_snapshot *snapshot;
    void (*apply)(const struct damage *, size_t at);
    void (*undo)(const struct damage *, size_t at);
} damage;

static uint8_t pattern;

static void flip(const damage *d, size_t at)
{
    const uint8_t byte = d->bytes[at] ^ pattern;
    if (pwrite(d->file, &byte, 1, (off_t)at) != 1) abort();
}

static void unflip(const damage *d, size_t at)
{
    if (pwrite(d->file, &d->bytes[at], 1, (off_t)at) != 1) abort();
}

static void truncate_at(const damage *d, size_t at)
{
    if (ftruncate(d->file, (off_t)at) != 0) abort();
}

static void restore(const damage *d, size_t at)
{
    (void)at;
    if (pwrite(d->file, d->bytes, d->size, 0) != (ssize_t)d->size) abort();
}

static uint8_t outcome_of(const damage *d)
{
    mass_error e = {0};
    if (mass_checkpoint_verify(d->path, &e) != MASS_OK)
        return e.status == MASS_BAD_INPUT && strstr(e.text, d->path) ? REFUSED : WRONG;
    return holds(d->path, d->snapshot) ? SAME : WRONG;
}

/* Tries the damage at every byte, in children: one that dies is taken for the probe's and the next
 * goes on after it. */
static void try_all(const damage *d, uint8_t *outcomes)
{
    for (volatile size_t *next = (volatile size_t *)(outcomes + (d->size + 7) / 8 * 8);
         *next < d->size;) {
        const pid_t id = fork();
        if (id == 0) {
            for (; *next < d->size; ++*next) {
                alarm(30);
                d->apply(d, *next);
                outcomes[*next] = outcome_of(d);
                d->undo(d, *next);
            }
            _exit(0);
        }
        int how;
        waitpid(id, &how, 0);
        if (*next == d->size) break;
        outcomes[*next] = CRASHED;
        d->undo(d, *next);
        ++*next;
    }
}

/* Counts how often each outcome comes out of the damage to a small checkpoint. */
static void survey(mass_model m, void (*apply)(const damage *, size_t), void (*undo)(const damage *, size_t),
                   int counts[5])
{
    mass_snapshot s = filled(&m, worlds_of(&m), 100);
    char path[PATH_MAX];
    struct stat facts;
    write_one(&s, path);
    damage d = {
        .file = open(path, O_RDWR), .path = path, .snapshot = &s, .apply = apply, .undo = undo};
    fstat(d.file, &facts);
    d.size = (size_t)facts.st_size;
    uint8_t *bytes = malloc(d.size);
    cr_assert_eq(pread(d.file, bytes, d.size, 0), (ssize_t)d.size);
    d.bytes = bytes;
    uint8_t *outcomes =
        mmap(NULL, d.size + 64, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    try_all(&d, outcomes);
    memset(counts, 0, 5 * sizeof *counts);
    for (size_t i = 0; i < d.size; i++) counts[outcomes[i]]++;
    if (counts[CRASHED])
        fprintf(stderr, "HDF5 crashed on %d of %zu damaged files, which only the probe refuses\n",
                counts[CRASHED], d.size);
    munmap(outcomes, d.size + 64);
    free(bytes);
    close(d.file);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint, cut_at_any_byte_is_refused, .timeout = 300)
{
    int counts[5];
    survey(small_model(), truncate_at, restore, counts);
    cr_assert_eq(counts[SAME] + counts[WRONG] + counts[UNKNOWN], 0, "%d came back, %d wrong",
                 counts[SAME], counts[WRONG]);
    cr_assert_gt(counts[REFUSED], 1000);
}

static void survey_flips(mass_model m, uint8_t bits)
{
    int counts[5];
    pattern = bits;
    survey(m, flip, unflip, counts);
    cr_assert_eq(counts[WRONG] + counts[UNKNOWN], 0, "%d wrong", counts[WRONG]);
    cr_assert_gt(counts[REFUSED], 1000);
}

Test(checkpoint, with_a_low_bit_flipped_is_refused_or_the_same, .timeout = 300)
{
    survey_flips(small_model(), 0x01);
}
Test(checkpoint, with_a_high_bit_flipped_is_refused_or_the_same, .timeout = 300)
{
    survey_flips(small_model(), 0x80);
}
Test(checkpoint, with_a_byte_inverted_is_refused_or_the_same, .timeout = 300)
{
    survey_flips(small_model(), 0xff);
}
Test(checkpoint, of_agents_with_a_low_bit_flipped_is_refused_or_the_same, .timeout = 300)
{
    survey_flips(small_crowd_model(), 0x01);
}
Test(checkpoint, of_agents_with_a_byte_inverted_is_refused_or_the_same, .timeout = 300)
{
    survey_flips(small_crowd_model(), 0xff);
}

Test(checkpoint, of_keys_with_a_byte_inverted_is_refused_or_the_same, .timeout = 300)
{
    survey_flips(small_keys_model(), 0xff);
}

Test(checkpoint, of_a_sweep_with_a_low_bit_flipped_is_refused_or_the_same, .timeout = 300)
{
    survey_flips(small_swept_model(), 0x01);
}
Test(checkpoint, of_a_sweep_with_a_byte_inverted_is_refused_or_the_same, .timeout = 300)
{
    survey_flips(small_swept_model(), 0xff);
}

/* ---- hostile files, made by the HDF5 library itself ---- */

/* Writes a small checkpoint, lets `change` edit it as HDF5, and expects the refusal to say `words`.
 */
static void assert_refused_of(mass_model m, void (*change)(hid_t), const char *words)
{
    mass_snapshot s = filled(&m, worlds_of(&m), 100);
    mass_error verified = {0}, probed = {0};
    char path[PATH_MAX];
    write_one(&s, path);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, access);
    cr_assert_geq(file, 0);
    change(file);
    H5Pclose(access);
    cr_assert_geq(H5Fclose(file), 0);
    cr_assert_eq(mass_checkpoint_verify(path, &verified), MASS_BAD_INPUT);
    cr_assert(strstr(verified.text, words) && strstr(verified.text, path), "%s", verified.text);
    cr_assert_eq(mass_checkpoint_probe(path, &probed), MASS_BAD_INPUT);
    cr_assert_str_eq(probed.text, verified.text);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

static void assert_refused(void (*change)(hid_t), const char *words)
{
    assert_refused_of(small_model(), change, words);
}

static void set_number(hid_t file, const char *object, const char *name, hid_t type,
                       const void *value)
{
    const hid_t at = H5Oopen(file, object, H5P_DEFAULT), a = H5Aopen(at, name, H5P_DEFAULT);
    cr_assert_geq(H5Awrite(a, type, value), 0, "%s of %s", name, object);
    H5Aclose(a);
    H5Oclose(at);
}

static void huge_size(hid_t file)
{
    set_number(file, "/places/grid", "size", H5T_STD_I64LE, (int64_t[]){1 << 20, 1 << 20});
}
static void endless_size(hid_t file)
{
    set_number(file, "/places/grid", "size", H5T_STD_I64LE, (int64_t[]){INT64_MAX, INT64_MAX});
}
static void negative_size(hid_t file)
{
    set_number(file, "/places/grid", "size", H5T_STD_I64LE, (int64_t[]){-1, -60});
}
static void many_worlds(hid_t file)
{
    set_number(file, "/", "worlds", H5T_STD_U64LE, (uint64_t[]){INT32_MAX});
}
static void no_worlds(hid_t file)
{
    set_number(file, "/", "worlds", H5T_STD_U64LE, (uint64_t[]){0});
}
static void four_dimensions(hid_t file)
{
    set_number(file, "/places/grid", "dimensions", H5T_STD_U64LE, (uint64_t[]){4});
}
static void next_format(hid_t file)
{
    set_number(file, "/", "format_version", H5T_STD_U64LE, (uint64_t[]){2});
}
static void many_components(hid_t file)
{
    set_number(file, "/places/grid/health", "length", H5T_STD_U64LE, (uint64_t[]){1000});
}
static void wide_fraction(hid_t file)
{
    set_number(file, "/tallies/population", "fraction_bits", H5T_STD_U64LE, (uint64_t[]){64});
}
static void other_step(hid_t file)
{
    set_number(file, "/", "step", H5T_STD_U64LE, (uint64_t[]){101});
}

Test(checkpoint, of_absurd_extents_is_refused)
{
    assert_refused(huge_size, "other extents");
    assert_refused(endless_size, "beyond");
    assert_refused(negative_size, "not at least 1");
    assert_refused(many_worlds, "other extents");
    assert_refused(no_worlds, "no worlds");
    assert_refused(four_dimensions, "beyond 3");
    assert_refused(many_components, "other extents");
    assert_refused(wide_fraction, "beyond 62");
}

Test(checkpoint, of_a_later_format_is_refused) { assert_refused(next_format, "reads format 1"); }
Test(checkpoint, of_changed_facts_is_refused) { assert_refused(other_step, "state_hash"); }

static void changed_values(hid_t file)
{
    const uint8_t ones[60] = {1, 1, 1};
    const hid_t set = H5Dopen2(file, "/places/grid/health", H5P_DEFAULT);
    cr_assert_geq(H5Dwrite(set, H5T_STD_U8LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, ones), 0);
    H5Dclose(set);
}

static void changed_tally(hid_t file)
{
    const hid_t set = H5Dopen2(file, "/tallies/population/accumulator", H5P_DEFAULT);
    cr_assert_geq(H5Dwrite(set, H5T_STD_I64LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, (int64_t[]){77}), 0);
    H5Dclose(set);
}

Test(checkpoint, of_changed_values_is_refused)
{
    assert_refused(changed_values, "the values of 'health' are not those written");
    assert_refused(changed_tally, "the values of tally 'population' are not those written");
}

static void write_to(hid_t file, const char *name, hid_t type, const void *values)
{
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    cr_assert_geq(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    H5Dclose(set);
}
static void unsorted_keys(hid_t file)
{
    write_to(file, "/tallies/numbers/key", H5T_STD_U64LE, (uint64_t[]){0, 3, 2, 5, 6, 7, 8});
}
static void equal_keys(hid_t file)
{
    write_to(file, "/tallies/numbers/key", H5T_STD_U64LE, (uint64_t[]){0, 3, 3, 5, 6, 7, 8});
}
static void other_counts(hid_t file)
{
    write_to(file, "/tallies/numbers/count", H5T_STD_I64LE, (int64_t[]){1, 2, 3, 4, 5, 6, 8});
}
static void negative_count(hid_t file)
{
    write_to(file, "/tallies/numbers/count", H5T_STD_I64LE, (int64_t[]){-1, 4, 3, 4, 5, 6, 7});
}
static void many_keys_of_a_world(hid_t file)
{
    write_to(file, "/tallies/numbers/distinct", H5T_STD_U64LE, (uint64_t[]){UINT64_MAX});
}
static void ends_that_go_back(hid_t file)
{
    write_to(file, "/tallies/words/end", H5T_STD_U64LE, (uint64_t[]){0, 1, UINT64_MAX, 6, 10, 15, 21});
}
static void ends_beyond(hid_t file)
{
    write_to(file, "/tallies/words/end", H5T_STD_U64LE, (uint64_t[]){0, 1, 3, 6, 10, 15, 1u << 30});
}
static void many_entries(hid_t file)
{
    set_number(file, "/tallies/words", "entries", H5T_STD_U64LE, (uint64_t[]){1u << 30});
}
static void no_text(hid_t file) { H5Ldelete(file, "/tallies/words/text", H5P_DEFAULT); }

Test(checkpoint, of_unsound_keys_is_refused)
{
    static void (*const changes[])(hid_t) = {unsorted_keys, equal_keys, other_counts, negative_count, many_keys_of_a_world};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        assert_refused_of(small_keys_model(), changes[i], "the keys of tally 'numbers' are not those written");
    assert_refused_of(small_keys_model(), ends_that_go_back, "the keys of tally 'words' are not those written");
    assert_refused_of(small_keys_model(), ends_beyond, "the keys of tally 'words' are not those written");
    assert_refused_of(small_keys_model(), many_entries, "other extents");
    assert_refused_of(small_keys_model(), no_text, "not whole");
}

static void soft_link(hid_t file)
{
    H5Lcreate_soft("/places/grid/health", file, "/places/grid/other", H5P_DEFAULT, H5P_DEFAULT);
}
static void external_link(hid_t file)
{
    H5Lcreate_external("/etc/passwd", "/", file, "/places/other", H5P_DEFAULT, H5P_DEFAULT);
}
static void cyclic_link(hid_t file)
{
    H5Lcreate_hard(file, "/places", file, "/places/grid/again", H5P_DEFAULT, H5P_DEFAULT);
}
static void extra_group(hid_t file)
{
    H5Gclose(H5Gcreate2(file, "/agents", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}
static void no_tallies(hid_t file) { H5Ldelete(file, "/tallies", H5P_DEFAULT); }
static void no_value(hid_t file) { H5Ldelete(file, "/tallies/population/value", H5P_DEFAULT); }

Test(checkpoint, with_other_links_is_refused)
{
    assert_refused(soft_link, "a link out of its place");
    assert_refused(external_link, "a link out of its place");
    assert_refused(cyclic_link, "");
    assert_refused(extra_group, "'/agents'");
    assert_refused(no_tallies, "no group 'tallies'");
    assert_refused(no_value, "not whole");
}

static void no_density(hid_t file) { H5Ldelete(file, "/parameters/density", H5P_DEFAULT); }
static void swapped(hid_t file)
{
    H5Lmove(file, "/parameters/density", file, "/parameters/agents2", H5P_DEFAULT, H5P_DEFAULT);
    H5Lmove(file, "/parameters/agents", file, "/parameters/density", H5P_DEFAULT, H5P_DEFAULT);
    H5Lmove(file, "/parameters/agents2", file, "/parameters/agents", H5P_DEFAULT, H5P_DEFAULT);
}
static void other_density(hid_t file)
{
    const hid_t set = H5Dopen2(file, "/parameters/density", H5P_DEFAULT);
    cr_assert_geq(H5Dwrite(set, H5T_IEEE_F64LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, (double[]){0, 0.25, -3}), 0);
    H5Dclose(set);
}
static void sweep_too_many(hid_t file)
{
    H5Gclose(H5Gcreate2(file, "/parameters/pattern", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

Test(checkpoint, of_another_sweep_is_refused)
{
    assert_refused_of(small_swept_model(), no_density, "no values of 'density' by world");
    assert_refused_of(small_swept_model(), swapped, "has another type");
    assert_refused_of(small_swept_model(), other_density, "the values of 'density' are not those written");
    assert_refused_of(small_swept_model(), sweep_too_many, "'/parameters/pattern', which is not swept");
    assert_refused(sweep_too_many, "'/parameters/pattern', which is not swept");
}

/* Another data set in place of health, with all its attributes. */
static void replace_health(hid_t file, hid_t type, hid_t list, const hsize_t extent[2], bool fill)
{
    const uint64_t length = 1;
    const uint8_t zeros[60 * 8] = {0};
    H5Ldelete(file, "/places/grid/health", H5P_DEFAULT);
    const hid_t space = H5Screate_simple(2, extent, NULL), scalar = H5Screate(H5S_SCALAR);
    const hid_t set =
        H5Dcreate2(file, "/places/grid/health", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    cr_assert_geq(set, 0);
    if (fill) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros);
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 3);
    hid_t a = H5Acreate2(set, "mass_type", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, text, "u8");
    H5Aclose(a);
    a = H5Acreate2(set, "length", H5T_STD_U64LE, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, H5T_STD_U64LE, &length);
    H5Aclose(a);
    H5Tclose(text);
    H5Sclose(scalar), H5Sclose(space);
    H5Dclose(set);
}

static hid_t chunked(void)
{
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 2, (hsize_t[]){5, 12});
    return list;
}

static void replaced(hid_t file, hid_t type, hid_t list, bool fill)
{
    replace_health(file, type, list, (hsize_t[]){5, 12}, fill);
    H5Pclose(list);
}

static void contiguous(hid_t file)
{
    replaced(file, H5T_STD_U8LE, H5Pcreate(H5P_DATASET_CREATE), true);
}
static void no_checksum(hid_t file) { replaced(file, H5T_STD_U8LE, chunked(), true); }
static void compressed(hid_t file)
{
    const hid_t list = chunked();
    H5Pset_deflate(list, 6);
    H5Pset_fletcher32(list);
    replaced(file, H5T_STD_U8LE, list, true);
}
static void unallocated(hid_t file)
{
    const hid_t list = chunked();
    H5Pset_fletcher32(list);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR);
    replaced(file, H5T_STD_U8LE, list, false);
}
static void huge_and_unallocated(hid_t file)
{
    const hid_t list = chunked();
    H5Pset_fletcher32(list);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR);
    huge_size(file);
    replace_health(file, H5T_STD_U8LE, list, (hsize_t[]){1 << 20, 1 << 20}, false);
    H5Pclose(list);
}
static void external_storage(hid_t file)
{
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(list, "/etc/passwd", 0, 60);
    replaced(file, H5T_STD_U8LE, list, false);
}
static void virtual_layout(hid_t file)
{
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE),
                space = H5Screate_simple(2, (hsize_t[]){5, 12}, NULL);
    H5Pset_virtual(list, space, "/etc/passwd", "x", space);
    H5Sclose(space);
    replaced(file, H5T_STD_U8LE, list, false);
}
static void variable_length(hid_t file)
{
    const hid_t type = H5Tvlen_create(H5T_STD_U8LE);
    replaced(file, type, chunked(), false);
    H5Tclose(type);
}
static void wider_type(hid_t file) { replaced(file, H5T_STD_U16LE, chunked(), true); }
static void other_order(hid_t file) { replaced(file, H5T_STD_U16BE, chunked(), true); }

Test(checkpoint, of_other_storage_is_refused)
{
    assert_refused(contiguous, "not stored in chunks with checksums");
    assert_refused(no_checksum, "not stored in chunks with checksums");
    assert_refused(compressed, "not stored in chunks with checksums");
    assert_refused(unallocated, "not stored whole");
    assert_refused(huge_and_unallocated, "not stored whole");
    assert_refused(external_storage, "not stored in chunks with checksums");
    assert_refused(virtual_layout, "not stored in chunks with checksums");
}

Test(checkpoint, of_other_types_is_refused)
{
    assert_refused(variable_length, "unknown type");
    assert_refused(wider_type, "not of type u8");
    assert_refused(other_order, "unknown type");
}

static void path_as_plugin(hid_t file)
{
    const hid_t type = H5Tcopy(H5T_C_S1), a = H5Aopen(file, "plugin", H5P_DEFAULT);
    H5Tset_size(type, 5);
    H5Tset_cset(type, H5T_CSET_UTF8);
    cr_assert_geq(H5Awrite(a, type, "../x"), 0);
    H5Aclose(a);
    H5Tclose(type);
}

Test(checkpoint, naming_a_path_as_its_plugin_is_refused)
{
    assert_refused(path_as_plugin, "plugin's name");
}

/* ---- files of other kinds ---- */

static void assert_not_one(const char *path, const char *words)
{
    mass_checkpoint *c;
    mass_error opened = {0}, probed = {0};
    cr_assert_eq(mass_checkpoint_open(path, &c, &opened), MASS_BAD_INPUT);
    cr_assert_null(c);
    cr_assert(strstr(opened.text, words) && strstr(opened.text, path), "%s", opened.text);
    cr_assert_eq(mass_checkpoint_probe(path, &probed), MASS_BAD_INPUT);
    cr_assert_str_eq(probed.text, opened.text);
}

Test(checkpoint, other_files_are_none)
{
    char path[PATH_MAX];
    touch("empty");
    snprintf(path, sizeof path, "%s/empty", folder);
    assert_not_one(path, "give a file that --checkpoint wrote");
    snprintf(path, sizeof path, "%s/pipe", folder);
    cr_assert_eq(mkfifo(path, 0600), 0);
    assert_not_one(path, "nor a file");
    snprintf(path, sizeof path, "%s/plain.h5", folder);
    H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    assert_not_one(path, "not a checkpoint");
    assert_not_one("/nowhere/at-all", "No such file");
    assert_not_one("/dev/zero", "nor a file");
    assert_not_one("/tmp", "nor a file");
}

Test(checkpoint, probe_accepts_what_is_whole)
{
    mass_model m = full_model();
    mass_snapshot s = filled(&m, 2, 100);
    mass_error e = {0};
    char path[PATH_MAX];
    write_one(&s, path);
    cr_assert_eq(mass_checkpoint_probe(path, &e), MASS_OK, "%s", e.text);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}
