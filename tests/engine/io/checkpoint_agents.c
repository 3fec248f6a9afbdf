/* Agents in checkpoints come back as they were written, and those that no run can have left are refused,
 * although every hash says that they are what was written. */
#include "crowd.h"
#include "io/checkpoint.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

typedef struct bag {
    double weight;
    int32_t kind;
    uint8_t open, spare[3];
} bag;

static const mass_member bag_members[] = {{"weight", MASS_F64, 0}, {"kind", MASS_I32, 8},  {"open", MASS_U8, 12},
                                          {"spare0", MASS_U8, 13}, {"spare1", MASS_U8, 14}, {"spare2", MASS_U8, 15}};

static void add_population(mass_model *m, const char *name, const char *space, uint32_t capacity)
{
    mass_error e = {0};
    mass_model_add_population(m, &(mass_population){.name = name, .space = space, .capacity = capacity}, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

static void add_attribute(mass_model *m, const char *population, const char *name, uint32_t type, uint32_t length,
                          uint32_t layout)
{
    mass_error e = {0};
    mass_attribute a = {.population = population, .name = name, .type = type, .length = length, .layout = layout,
                        .unit = "kg", .help = "what it carries"};
    if (type == MASS_STRUCT) a.element_size = sizeof(bag), a.member_count = 6, a.members = bag_members;
    mass_model_add_attribute(m, &a, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
}

static mass_model spaces_model(void)
{
    mass_model m = {.plugin = "ants", .version = "1.0.0"};
    mass_error e = {0};
    mass_model_add_space(&m, &(mass_space){.name = "line", .dimensions_min = 1, .dimensions_max = 1, .size = {40}},
                         NULL, 0, &e);
    mass_model_add_space(&m, &(mass_space){.name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {60, 50}},
                         NULL, 0, &e);
    mass_model_add_attribute(&m, &(mass_attribute){.space = "grid", .name = "food", .type = MASS_F32}, &e);
    mass_model_add_tally(&m, &(mass_tally){.name = "births", .access = MASS_SUM}, &e);
    cr_assert_eq(e.status, MASS_OK, "%s", e.text);
    return m;
}

/* Attributes of all types and forms; declared in an order that is not that of names. */
static mass_model crowd_model(void)
{
    mass_model m = spaces_model();
    add_population(&m, "wasps", "line", 0);
    add_population(&m, "ants", "grid", 2);
    add_attribute(&m, "wasps", "sting", MASS_I16, 1, MASS_PLANES);
    add_attribute(&m, "ants", "memory", MASS_F32, 4, MASS_INTERLEAVED);
    add_attribute(&m, "ants", "genes", MASS_U8, 3, MASS_PLANES);
    add_attribute(&m, "ants", "bag", MASS_STRUCT, 1, MASS_PLANES);
    add_attribute(&m, "ants", "bags", MASS_STRUCT, 2, MASS_PLANES);
    add_attribute(&m, "ants", "age", MASS_U64, 1, MASS_PLANES);
    return m;
}

enum { WASPS, ANTS };

static mass_snapshot snapshot_of(const mass_model *m, int32_t worlds, uint64_t wasps, uint64_t ants)
{
    mass_snapshot s;
    mass_error e = {0};
    uint64_t x = 88172645463325252;
    const uint64_t agents[MASS_POPULATIONS_MAX] = {wasps, ants};
    cr_assert_eq(mass_snapshot_allocate(&s, m, worlds, agents, &e), MASS_OK);
    for (uint32_t i = 0; i < m->attribute_count; i++)
        for (size_t b = 0; b < mass_snapshot_size(&s, i); b++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            ((uint8_t *)s.attributes[i])[b] = (uint8_t)x;
        }
    crowd_stand_all(&s);
    s.step = 100;
    return s;
}

static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/mass-agents-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    signal(SIGXFSZ, SIG_IGN);
}

static void remove_folder(void)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *e; entries && (e = readdir(entries));) unlinkat(dirfd(entries), e->d_name, 0);
    if (entries) closedir(entries);
    rmdir(folder);
}

TestSuite(checkpoint_agents, .init = make_folder, .fini = remove_folder);

static void write_one(const mass_snapshot *s, char path[PATH_MAX])
{
    mass_error e = {0};
    const mass_checkpoint_settings settings = {.folder = folder};
    cr_assert_eq(mass_checkpoint_write(&settings, s, path, &e), MASS_OK, "%s", e.text);
}

/* ---- round trips ---- */

/* Reads a checkpoint into a model that matches, and gives its hash back. */
static mass_status hash_in(const char *path, const mass_model *m, char hex[33], mass_error *e)
{
    mass_checkpoint *c;
    mass_snapshot back;
    uint64_t agents[MASS_POPULATIONS_MAX];
    mass_status status = mass_checkpoint_open(path, &c, e);
    if (status != MASS_OK) return status;
    mass_checkpoint_agents(c, m, agents);
    cr_assert_eq(mass_snapshot_allocate(&back, m, c->worlds, agents, e), MASS_OK);
    status = mass_checkpoint_read(c, &back, e);
    if (status == MASS_OK) mass_snapshot_hash(&back, hex);
    mass_snapshot_free(&back);
    mass_checkpoint_close(c);
    return status;
}

static void round_trip(int32_t worlds, uint64_t wasps, uint64_t ants)
{
    mass_model m = crowd_model();
    mass_snapshot s = snapshot_of(&m, worlds, wasps, ants);
    mass_error e = {0};
    char path[PATH_MAX], was[33], is[33];
    write_one(&s, path);
    mass_snapshot_hash(&s, was);
    cr_assert_eq(mass_checkpoint_verify(path, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(mass_checkpoint_probe(path, &e), MASS_OK, "%s", e.text);
    cr_assert_eq(hash_in(path, &m, is, &e), MASS_OK, "%s", e.text);
    cr_assert_str_eq(is, was);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

Test(checkpoint_agents, come_back) { round_trip(1, 300, 2000); }
Test(checkpoint_agents, of_three_worlds_come_back) { round_trip(3, 301, 2999); }
Test(checkpoint_agents, one_comes_back) { round_trip(1, 1, 1); }
Test(checkpoint_agents, none_come_back) { round_trip(1, 0, 0); }
Test(checkpoint_agents, none_of_one_population_come_back) { round_trip(2, 0, 1000); }
Test(checkpoint_agents, of_many_boxes_come_back) { round_trip(1, 300000, 0); }

Test(checkpoint_agents, come_back_into_a_model_declared_in_another_order)
{
    mass_model was = crowd_model(), is = spaces_model();
    add_population(&is, "ants", "grid", 2);
    add_attribute(&is, "ants", "age", MASS_U64, 1, MASS_PLANES);
    add_attribute(&is, "ants", "bag", MASS_STRUCT, 1, MASS_PLANES);
    add_attribute(&is, "ants", "bags", MASS_STRUCT, 2, MASS_PLANES);
    add_population(&is, "wasps", "line", 0);
    add_attribute(&is, "ants", "genes", MASS_U8, 3, MASS_INTERLEAVED);
    add_attribute(&is, "wasps", "sting", MASS_I16, 1, MASS_PLANES);
    add_attribute(&is, "ants", "memory", MASS_F32, 4, MASS_PLANES);
    mass_snapshot s = snapshot_of(&was, 2, 30, 200);
    mass_error e = {0};
    char path[PATH_MAX], a[33], b[33];
    write_one(&s, path);
    mass_snapshot_hash(&s, a);
    cr_assert_eq(hash_in(path, &is, b, &e), MASS_OK, "%s", e.text);
    cr_assert_str_eq(a, b);
    mass_snapshot_free(&s);
    mass_model_free(&was), mass_model_free(&is);
}

Test(checkpoint_agents, are_not_read_where_there_is_no_room_for_them)
{
    mass_model m = crowd_model();
    mass_snapshot s = snapshot_of(&m, 1, 30, 200), small = snapshot_of(&m, 1, 30, 199);
    mass_checkpoint *c;
    mass_error e = {0};
    char path[PATH_MAX];
    write_one(&s, path);
    cr_assert_eq(mass_checkpoint_open(path, &c, &e), MASS_OK);
    cr_assert_eq(mass_checkpoint_read(c, &small, &e), MASS_BAD_INPUT);
    cr_assert_not_null(strstr(e.text, "has 200 agents of population 'ants'"), "%s", e.text);
    mass_checkpoint_close(c);
    mass_snapshot_free(&s), mass_snapshot_free(&small);
    mass_model_free(&m);
}

Test(checkpoint_agents, are_read_by_h5py)
{
    static const char *const script =
        "import sys, h5py\n"
        "f = h5py.File(sys.argv[1], 'r')\n"
        "ants, wasps = f['agents/ants'], f['agents/wasps']\n"
        "assert ants['memory'].shape == (200, 4) and ants['age'].shape == (200,)\n"
        "assert ants['bag'].dtype.names[:3] == ('weight', 'kind', 'open')\n"
        "assert ants['memory'].attrs['dimension_labels'] == b'agent component'\n"
        "assert ants['id'].attrs['mass_type'] == b'u64' and ants['age'].attrs['unit'] == b'kg'\n"
        "assert ants.attrs['space'] == b'grid' and ants.attrs['capacity'] == 2 and ants.attrs['agents'] == 200\n"
        "assert list(ants['world'][98:102]) == [0, 0, 1, 1] and ants['place'][199] < 3000\n"
        "assert wasps['id'].shape == (0,) and wasps['lost'].dtype == 'uint8' and wasps['place'].dtype == 'int64'\n"
        "assert f['tallies/ants_next_id/accumulator'].shape == (2,)\n";
    mass_model m = crowd_model();
    mass_snapshot s = snapshot_of(&m, 2, 0, 200);
    char path[PATH_MAX], command[PATH_MAX + 4096];
    if (system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0)
        cr_skip_test("h5py is not there: install python3-h5py");
    write_one(&s, path);
    snprintf(command, sizeof command, "/usr/bin/python3 -c \"%s\" %s", script, path);
    cr_assert_eq(system(command), 0);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

/* ---- models that do not match ---- */

static void assert_no_match(const mass_model *was, mass_model is, const char *words)
{
    mass_snapshot s = snapshot_of(was, 1, 3, 4);
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

Test(checkpoint_agents, of_another_schema_are_refused_by_the_first_difference)
{
    mass_model was = crowd_model(), is = spaces_model();
    assert_no_match(&was, is, "it has a population 'ants' too many");
    is = crowd_model();
    add_population(&is, "bees", "grid", 0);
    assert_no_match(&was, is, "it has no population 'bees'");
    is = crowd_model();
    is.populations[ANTS].space = 0;
    assert_no_match(&was, is, "population 'ants' lived on space 'grid' and now lives on 'line'");
    is = crowd_model();
    is.populations[ANTS].capacity = 1;
    assert_no_match(&was, is, "a place had room for 2 agents of population 'ants' and now has for 1");
    is = crowd_model();
    add_attribute(&is, "wasps", "age", MASS_U64, 1, MASS_PLANES);
    assert_no_match(&was, is, "it has no attribute 'age' of population 'wasps'");
    is = crowd_model();
    is.attributes[mass_model_find_agent_attribute(&is, ANTS, "age")].type = MASS_I64;
    assert_no_match(&was, is, "attribute 'age' of population 'ants' was u64[1] and now is i64[1]");
    is = crowd_model();
    is.attributes[mass_model_find_agent_attribute(&is, ANTS, "memory")].length = 3;
    assert_no_match(&was, is, "attribute 'memory' of population 'ants' was f32[4] and now is f32[3]");
    is = crowd_model();
    snprintf(is.attributes[mass_model_find_agent_attribute(&is, ANTS, "bag")].members[1].name, MASS_NAME_SIZE, "sort");
    assert_no_match(&was, is, "attribute 'bag' of population 'ants' had other members");
    is = crowd_model();
    add_attribute(&was, "ants", "speed", MASS_F64, 1, MASS_PLANES);
    assert_no_match(&was, is, "it has an attribute 'speed' too many");
    mass_model_free(&was);
}

/* ---- agents that no run can have left ---- */

/* Writes wasps (any number a place) or ants (at most two) after `change`, and expects the probe and the
 * reader to refuse them in the same `words`. */
static void assert_impossible(uint32_t population, void (*change)(mass_snapshot *s, uint32_t population),
                              const char *words)
{
    mass_model m = crowd_model();
    mass_snapshot s = snapshot_of(&m, 2, population == WASPS ? 140002 : 0, population == ANTS ? 6002 : 0);
    mass_error verified = {0}, probed = {0}, read = {0};
    char path[PATH_MAX], hex[33];
    change(&s, population);
    write_one(&s, path);
    cr_assert_eq(mass_checkpoint_verify(path, &verified), MASS_BAD_INPUT);
    cr_assert(strstr(verified.text, words) && strstr(verified.text, path), "%s", verified.text);
    cr_assert_eq(mass_checkpoint_probe(path, &probed), MASS_BAD_INPUT);
    cr_assert_str_eq(probed.text, verified.text);
    cr_assert_eq(hash_in(path, &m, hex, &read), MASS_BAD_INPUT);
    cr_assert_str_eq(read.text, verified.text);
    mass_snapshot_free(&s);
    mass_model_free(&m);
}

/* The agent that is changed: in the second part of the wasps as they are read, and in the second world. */
static uint64_t victim(const mass_snapshot *s, uint32_t population) { return s->agents[population] - 1000; }

#define ID ((uint64_t *)crowd_column(s, p, MASS_AGENT_ID))
#define LOST ((uint8_t *)crowd_column(s, p, MASS_AGENT_LOST))
#define WORLD ((int32_t *)crowd_column(s, p, MASS_AGENT_WORLD))
#define PLACE ((int64_t *)crowd_column(s, p, MASS_AGENT_PLACE))

static void world_beyond(mass_snapshot *s, uint32_t p) { WORLD[victim(s, p)] = 2; }
static void world_before(mass_snapshot *s, uint32_t p) { WORLD[victim(s, p)] = -1; }
static void place_beyond(mass_snapshot *s, uint32_t p) { PLACE[victim(s, p)] = p == WASPS ? 40 : 3000; }
static void place_before(mass_snapshot *s, uint32_t p) { PLACE[victim(s, p)] = -1; }
static void lost_twice(mass_snapshot *s, uint32_t p) { LOST[victim(s, p)] = 2; }
static void id_not_given(mass_snapshot *s, uint32_t p) { ID[victim(s, p)] = (uint64_t)crowd_next_ids(s, p)[1]; }
static void id_far_off(mass_snapshot *s, uint32_t p) { ID[victim(s, p)] = UINT64_MAX; }
static void next_id_negative(mass_snapshot *s, uint32_t p) { crowd_next_ids(s, p)[1] = -1; }
static void next_id_zero(mass_snapshot *s, uint32_t p) { crowd_next_ids(s, p)[0] = 0; }
static void world_again(mass_snapshot *s, uint32_t p) { WORLD[victim(s, p)] = 0; }
static void place_again(mass_snapshot *s, uint32_t p) { PLACE[victim(s, p)]--; }
static void place_too_early(mass_snapshot *s, uint32_t p) { PLACE[victim(s, p) - 10000]++; }
static void id_twice(mass_snapshot *s, uint32_t p) { ID[victim(s, p)] = ID[victim(s, p) - 1]; }
static void ids_swapped(mass_snapshot *s, uint32_t p)
{
    const uint64_t i = victim(s, p), id = ID[i];
    ID[i] = ID[i - 1], ID[i - 1] = id;
}
/* On either side of where one part ends, as they are read. */
static void ids_swapped_between_parts(mass_snapshot *s, uint32_t p)
{
    const uint64_t id = ID[65536];
    ID[65536] = ID[65535], ID[65535] = id;
}
static void place_again_between_parts(mass_snapshot *s, uint32_t p) { PLACE[65536] = PLACE[65535] - 1; }

static void three_on_a_place(mass_snapshot *s, uint32_t p)
{
    const uint64_t i = victim(s, p);
    for (uint64_t k = i; k < i + 3; k++) {
        PLACE[k] = PLACE[i];
        ID[k] = ID[i] + (k - i);
    }
}

Test(checkpoint_agents, in_no_world_are_refused)
{
    assert_impossible(WASPS, world_beyond, "agent 139002 of population 'wasps' (counted from 0) is in a world that");
    assert_impossible(ANTS, world_before, "is in a world that there is not");
}

Test(checkpoint_agents, on_no_place_are_refused)
{
    assert_impossible(WASPS, place_beyond, "is on a place that there is not");
    assert_impossible(ANTS, place_beyond, "is on a place that there is not");
    assert_impossible(ANTS, place_before, "is on a place that there is not");
}

Test(checkpoint_agents, half_lost_are_refused) { assert_impossible(ANTS, lost_twice, "neither lost nor not"); }

Test(checkpoint_agents, with_ids_to_come_are_refused)
{
    assert_impossible(WASPS, id_not_given, "agent 139002 of population 'wasps' (counted from 0) has an id that");
    assert_impossible(WASPS, id_far_off, "has an id that no agent was given yet");
    assert_impossible(ANTS, next_id_negative, "agent 3001 of population 'ants' (counted from 0) has an id that");
    assert_impossible(ANTS, next_id_zero, "agent 0 of population 'ants' (counted from 0) has an id that");
}

Test(checkpoint_agents, out_of_order_are_refused)
{
    assert_impossible(WASPS, world_again, "agent 139002 of population 'wasps' (counted from 0) is out of the order");
    assert_impossible(ANTS, place_again, "is out of the order of world, place and id");
    assert_impossible(WASPS, place_too_early, "agent 129003 of population 'wasps' (counted from 0) is out of");
    assert_impossible(WASPS, id_twice, "agent 139002 of population 'wasps' (counted from 0) is out of");
    assert_impossible(WASPS, ids_swapped, "agent 139002 of population 'wasps' (counted from 0) is out of");
    assert_impossible(WASPS, ids_swapped_between_parts, "agent 65536 of population 'wasps'");
    assert_impossible(WASPS, place_again_between_parts, "agent 65536 of population 'wasps'");
}

Test(checkpoint_agents, beyond_the_capacity_are_refused)
{
    assert_impossible(ANTS, three_on_a_place, "agent 5004 of population 'ants' (counted from 0) is one too many");
}

/* ---- files that are not whole ---- */

/* Lets `change` edit a checkpoint of ants as HDF5, and expects the refusal to say `words`. */
static void assert_refused(void (*change)(hid_t), const char *words)
{
    mass_model m = crowd_model();
    mass_snapshot s = snapshot_of(&m, 1, 0, 20);
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

static void set_number(hid_t file, const char *object, const char *name, uint64_t value)
{
    const hid_t at = H5Oopen(file, object, H5P_DEFAULT), a = H5Aopen(at, name, H5P_DEFAULT);
    cr_assert_geq(H5Awrite(a, H5T_STD_U64LE, &value), 0, "%s of %s", name, object);
    H5Aclose(a);
    H5Oclose(at);
}

/* Of as many bytes as the text before. */
static void set_text(hid_t file, const char *object, const char *name, const char *text)
{
    const hid_t at = H5Oopen(file, object, H5P_DEFAULT), a = H5Aopen(at, name, H5P_DEFAULT), type = H5Aget_type(a);
    cr_assert_geq(H5Awrite(a, type, text), 0, "%s of %s", name, object);
    H5Tclose(type);
    H5Aclose(a);
    H5Oclose(at);
}

static void no_agents(hid_t file) { H5Ldelete(file, "/agents", H5P_DEFAULT); }
static void no_ants(hid_t file) { H5Ldelete(file, "/agents/ants", H5P_DEFAULT); }
static void no_id(hid_t file) { H5Ldelete(file, "/agents/ants/id", H5P_DEFAULT); }
static void no_lost(hid_t file) { H5Ldelete(file, "/agents/wasps/lost", H5P_DEFAULT); }
static void no_world(hid_t file) { H5Ldelete(file, "/agents/ants/world", H5P_DEFAULT); }
static void no_place(hid_t file) { H5Ldelete(file, "/agents/ants/place", H5P_DEFAULT); }
static void no_age(hid_t file) { H5Ldelete(file, "/agents/ants/age", H5P_DEFAULT); }
static void no_next_id(hid_t file) { H5Ldelete(file, "/tallies/ants_next_id", H5P_DEFAULT); }
static void none_left(hid_t file)
{
    no_ants(file);
    H5Ldelete(file, "/agents/wasps", H5P_DEFAULT);
}

Test(checkpoint_agents, without_a_part_are_refused)
{
    assert_refused(no_agents, "schema");
    assert_refused(no_ants, "schema");
    assert_refused(none_left, "'/agents' and no population");
    assert_refused(no_id, "population 'ants' has no 'id'");
    assert_refused(no_lost, "population 'wasps' has no 'lost'");
    assert_refused(no_world, "population 'ants' has no 'world'");
    assert_refused(no_place, "population 'ants' has no 'place'");
    assert_refused(no_age, "schema");
    assert_refused(no_next_id, "no '/tallies/ants_next_id'");
}

static void one_more(hid_t file) { set_number(file, "/agents/ants", "agents", 21); }
static void endless(hid_t file) { set_number(file, "/agents/ants", "agents", UINT64_MAX); }
static void a_wasp(hid_t file) { set_number(file, "/agents/wasps", "agents", 1); }
static void more_room(hid_t file) { set_number(file, "/agents/ants", "capacity", 3); }
static void endless_room(hid_t file) { set_number(file, "/agents/ants", "capacity", UINT64_MAX); }
static void on_the_line(hid_t file) { set_text(file, "/agents/ants", "space", "line"); }
static void on_no_space(hid_t file) { set_text(file, "/agents/ants", "space", "grit"); }
static void longer_id(hid_t file) { set_number(file, "/agents/ants/id", "length", 2); }
static void no_sum(hid_t file) { set_text(file, "/tallies/ants_next_id", "op", "max"); }
static void restarting(hid_t file) { set_number(file, "/tallies/ants_next_id", "cumulative", 0); }

Test(checkpoint_agents, of_changed_facts_are_refused)
{
    assert_refused(one_more, "other extents");
    assert_refused(endless, "beyond");
    assert_refused(a_wasp, "other extents");
    assert_refused(more_room, "schema");
    assert_refused(endless_room, "beyond");
    assert_refused(on_the_line, "schema");
    assert_refused(on_no_space, "'grit', which is not declared");
    assert_refused(longer_id, "'id' has 2 components");
    assert_refused(no_sum, "tally 'ants_next_id' does not count ids");
    assert_refused(restarting, "tally 'ants_next_id' does not count ids");
}

/* Another data set of 20 elements (or none of 2^40, which are not stored) in place of the places. */
static void replace_place(hid_t file, hid_t type, const char *mass_type, hsize_t extent, bool stored)
{
    const uint64_t length = 1;
    const int64_t zeros[40] = {0};
    H5Ldelete(file, "/agents/ants/place", H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &extent, NULL), scalar = H5Screate(H5S_SCALAR);
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE), text = H5Tcopy(H5T_C_S1);
    H5Pset_chunk(list, 1, (hsize_t[]){20});
    H5Pset_fletcher32(list);
    const hid_t set = H5Dcreate2(file, "/agents/ants/place", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    cr_assert_geq(set, 0);
    if (stored) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros);
    H5Tset_size(text, 4);
    hid_t a = H5Acreate2(set, "mass_type", text, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, text, mass_type);
    H5Aclose(a);
    a = H5Acreate2(set, "length", H5T_STD_U64LE, scalar, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(a, H5T_STD_U64LE, &length);
    H5Aclose(a);
    H5Tclose(text), H5Pclose(list);
    H5Sclose(scalar), H5Sclose(space);
    H5Dclose(set);
}

static void places_of_another_type(hid_t file) { replace_place(file, H5T_STD_I32LE, "i32", 20, true); }
static void places_that_lie_about_their_type(hid_t file) { replace_place(file, H5T_STD_I32LE, "i64", 20, true); }
static void more_places_than_agents(hid_t file) { replace_place(file, H5T_STD_I64LE, "i64", 40, true); }
static void places_not_stored(hid_t file) { replace_place(file, H5T_STD_I64LE, "i64", 20, false); }
static void countless_agents(hid_t file)
{
    set_number(file, "/agents/ants", "agents", (uint64_t)1 << 40);
    replace_place(file, H5T_STD_I64LE, "i64", (hsize_t)1 << 40, false);
}
static void another_group(hid_t file)
{
    H5Gclose(H5Gcreate2(file, "/agents/ants/more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}
static void a_soft_link(hid_t file)
{
    H5Lcreate_soft("/agents/ants/age", file, "/agents/ants/older", H5P_DEFAULT, H5P_DEFAULT);
}
static void named_like_a_space(hid_t file)
{
    H5Lmove(file, "/agents/ants", file, "/agents/grid", H5P_DEFAULT, H5P_DEFAULT);
}

Test(checkpoint_agents, of_other_storage_are_refused)
{
    assert_refused(places_of_another_type, "'place' is not of type i32");
    assert_refused(places_that_lie_about_their_type, "'place' has another type");
    assert_refused(more_places_than_agents, "other extents");
    assert_refused(places_not_stored, "not stored whole");
    assert_refused(countless_agents, "");
    assert_refused(another_group, "");
    assert_refused(a_soft_link, "a link out of its place");
    assert_refused(named_like_a_space, "two populations or spaces named 'grid'");
}
