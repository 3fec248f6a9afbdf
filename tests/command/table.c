/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that start from a file: where they end up in the state, and what the user is told of a bad one. And files that
 * --agents writes. */
#include "../extended.h"
#include "command.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

TestSuite(table, SCRATCH);

#define TABLE(FILE) "--plugin", bad_plugin("table"), "--set", path_of("folk_table=%s", FILE), "--seed", "1"

static const char *csv(const char *text)
{
    const char *path = scratch("folk.csv");
    file_write_text(path, text);
    return path;
}

/* Numbers of a data set of a checkpoint, as doubles; returns how many. */
static size_t read_set(const char *file, const char *name, double out[64])
{
    const hid_t f = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(f, name, H5P_DEFAULT);
    cr_assert(f >= 0 && set >= 0, "%s %s", file, name);
    const hid_t space = H5Dget_space(set);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    cr_assert_leq(count, 64);
    cr_assert_geq(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out), 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(f);
    return (size_t)count;
}

static void expect_set(const char *file, const char *name, size_t count, const double *values)
{
    double found[64];
    cr_assert_eq(read_set(file, name, found), count, "%s", name);
    for (size_t i = 0; i < count; i++) cr_assert_float_eq(found[i], values[i], 0, "%s[%zu] is %g", name, i, found[i]);
}
#define EXPECT_SET(FILE, NAME, ...) \
    expect_set(FILE, NAME, sizeof(const double[]){__VA_ARGS__} / sizeof(double), (const double[]){__VA_ARGS__})

Test(table, agents_stand_where_it_says_in_the_order_of_the_state)
{
    const char *file = csv("x,y,id,\"wealth\",gene[2],code[0]\r\n9,7,30,-5,0.5,255\r\n 2 ,1,4,2147483647,-1e3,0\r\n"
                           "2,1,3,0,1,2\r\n\r\n");
    DONE(RUN(TABLE(file), "--steps", "0", "--quiet", "--checkpoint", scratch("out")));
    const char *state = scratch("out/ckpt-000000000000.h5");
    EXPECT_SET(state, "/agents/folk/id", 3, 4, 30);
    EXPECT_SET(state, "/agents/folk/place", 12, 12, 79);
    EXPECT_SET(state, "/agents/folk/wealth", 0, 2147483647, -5);
    EXPECT_SET(state, "/agents/folk/gene", 0, 0, 1, 0, 0, -1e3, 0, 0, 0.5);
    EXPECT_SET(state, "/agents/folk/code", 2, 0, 0, 0, 255, 0);
    EXPECT_SET(state, "/tallies/folk_next_id/value", 31);
    DONE(RUN("--resume", state, "--plugin", bad_plugin("table"), "--steps", "3", "--quiet")); /* which needs no table */
    remove(file);
    DONE(RUN("--resume", state, "--plugin", bad_plugin("table"), "--steps", "4", "--quiet"));
}

/* Values by the names that the model gives them, and by numbers, in all that is text. */
Test(table, names_of_values_are_values)
{
    const char *food = scratch("food.csv"), *events = scratch("events.csv"), *model = bad_plugin("table-counted");
    char set[200];
    snprintf(set, sizeof set, "folk_table=%s", csv("x,y,code[0],code[1]\n0,0,adult,egg\n1,0, 255 ,\"larva\"\n"));
    file_write_text(food, "bad,none,\"good, much\"\n1,0,-1\n");
    file_write_text(events, "step,attribute,x,y,value\n0,food,0,0,\"good, much\"\n0,food,1,1,bad\n");
    DONE(RUN("--plugin", model, "--seed", "1", "--steps", "1", "--quiet", "--size", "3x2", "--set", set, "--load",
             path_of("food=%s", food), "--checkpoint", scratch("out"), "--events", events));
    const char *state = scratch("out/ckpt-000000000001.h5");
    EXPECT_SET(state, "/agents/folk/code", 2, 0, 255, 1);
    EXPECT_SET(state, "/places/grid/food", 1, 0, 1, 1, -1, -1);
    file_write_text(food, "bad,none,good\n1,0,-1\n");
    REFUSED(RUN("--plugin", model, "--load", path_of("food=%s", food)), MASS_BAD_INPUT, "food.csv, line 1: column 3: "
            "'good' is not an integer of 64 bits, nor one of the names bad, none, good, much");
    file_write_text(events, "step,attribute,x,y,value\n0,food,0,0,worse\n");
    REFUSED(RUN("--plugin", model, "--events", events, "--quiet"), MASS_BAD_INPUT,
            "events.csv, line 2: value: 'worse' is not a number, nor one of the names bad, none, good, much");
    REFUSED(RUN(TABLE(csv("x,y,code[1]\n0,0,old\n"))), MASS_BAD_INPUT, "line 2: code[1]: 'old' is not an integer of 64 "
            "bits, nor one of the names egg, larva, adult");
    REFUSED(RUN(TABLE(csv("x,y,wealth\n0,egg,0\n"))), MASS_BAD_INPUT, "line 2: y: 'egg' is not an integer of 64 bits");
}

Test(table, every_world_gets_it_and_defaults)
{
    DONE(RUN(TABLE(csv("y,x\r1.0,0\r0,3.00e0\r")), "--worlds", "2", "--steps", "0", "--quiet", "--checkpoint",
             scratch("out")));
    const char *state = scratch("out/ckpt-000000000000.h5");
    EXPECT_SET(state, "/agents/folk/id", 1, 0, 1, 0);
    EXPECT_SET(state, "/agents/folk/world", 0, 0, 1, 1);
    EXPECT_SET(state, "/agents/folk/place", 3, 10, 3, 10);
    EXPECT_SET(state, "/agents/folk/wealth", 7, 7, 7, 7);
    EXPECT_SET(state, "/tallies/folk_next_id/value", 2, 2);
}

Test(table, worlds_take_their_own_rows)
{
    const char *file = csv("world,x,y\n5,1,0\n4,2,0\n5,0,0\n3,9,7\n");
    DONE(RUN(TABLE(file), "--worlds", "3", "--first-world", "4", "--steps", "0", "--quiet", "--checkpoint",
             scratch("out")));
    const char *state = scratch("out/ckpt-000000000000.h5");
    EXPECT_SET(state, "/agents/folk/world", 0, 1, 1);
    EXPECT_SET(state, "/agents/folk/place", 2, 0, 1);
    EXPECT_SET(state, "/agents/folk/id", 0, 1, 0);
    EXPECT_SET(state, "/tallies/folk_next_id/value", 1, 2, 0);
}

Test(table, without_agents)
{
    DONE(RUN(TABLE(csv("x,y\n")), "--steps", "2", "--quiet"));
}

Test(table, one_and_three_dimensions)
{
    DONE(RUN(TABLE(csv("x\n3\n")), "--size", "4", "--quiet"));
    REFUSED(RUN(TABLE(csv("x\n4\n")), "--size", "4", "--quiet"), MASS_BAD_INPUT,
            "folk.csv, line 2: x: 4 is not an integer from 0 to 3");
    DONE(RUN(TABLE(csv("x,y,z\n3,2,1\n")), "--size", "4x3x2", "--checkpoint", scratch("out"), "--quiet"));
    EXPECT_SET(scratch("out/ckpt-000000000001.h5"), "/agents/folk/place", 23);
}

Test(table, that_there_has_to_be)
{
    REFUSED(RUN("--plugin", bad_plugin("table-needed"), "--quiet"), MASS_BAD_USAGE,
            "population folk starts from a table", "--set folk_table=FILE");
    DONE(RUN("--plugin", bad_plugin("table-needed"), "--set", path_of("folk_table=%s", csv("x,y\n1,1\n")), "--quiet"));
}

Test(table, load_that_adds_agents_has_to_be)
{
    REFUSED(RUN("--plugin", bad_plugin("table-unloaded"), "--quiet"), MASS_BAD_PLUGIN,
            "population folk starts with the agents that load adds, and the plugin has no load");
}

Test(table, bad_files)
{
    static const struct { const char *text, *said; } bad[] = {
        {"", "line 1: there is no header"},
        {"x,y,z\n", "line 1: there is no column 'z' for population folk; it may have x, y, id, world, wealth, gene[0], "
                    "code[0]"},
        {"x,y,lost\n", "line 1: there is no column 'lost'"},
        {"x,y,gene\n", "line 1: there is no column 'gene'"},
        {"x,y,gene[3]\n", "line 1: there is no column 'gene[3]'"},
        {"x,y,gene[]\n", "line 1: there is no column 'gene[]'"},
        {"x,y,wealth,wealth[0]\n", "line 1: columns 'wealth' and 'wealth[0]' are the same"},
        {"x,id\n", "line 1: there is no column 'y'"},
        {"x,y,x\n", "line 1: there are two columns 'x'"},
        {"x,y\n1,2\n3\n", "line 3: it has 1 field, and the header has 2"},
        {"x,y\n1,two\n", "line 2: y: 'two' is not an integer"},
        {"x,y\n1,2.5\n", "line 2: y: '2.5' is not an integer"},
        {"x,y\n1,8.0\n", "line 2: y: 8 is not an integer from 0 to 7"},
        {"x,y\n1,\n", "line 2: y: '' is not an integer"},
        {"x,y\n1,2\n\n3,4\n", "line 3: it is empty"},
        {"x,y\n1,8\n", "line 2: y: 8 is not an integer from 0 to 7"},
        {"x,y\n-1,0\n", "line 2: x: -1 is not an integer from 0 to 9"},
        {"x,y,wealth\n1,0,2147483648\n", "line 2: wealth: 2147483648 is not a value of type i32"},
        {"x,y,gene[0]\n1,0,1e39\n", "line 2: gene[0]: 1e+39 is not a value of type f32"},
        {"x,y,gene[0]\n1,0,nan\n", "line 2: gene[0]: 'nan' is not a number"},
        {"x,y,code[1]\n1,0,256\n", "line 2: code[1]: 256 is not a value of type u8"},
        {"x,y,id\n1,0,5\n2,0,6\n3,0,5\n", "line 4: id: an agent before it in world 0 has the id 5, too"},
        {"x,y,id\n1,0,-5\n", "line 2: id: -5 is not an integer from 0 to"},
        {"x,y,id\n1,0,4611686018427387905\n", "line 2: id: 4611686018427387905 is not"},
        {"x,y,id\n1,0,99999999999999999999\n", "line 2: id: '99999999999999999999' is not an integer of 64 bits"},
        {"x,y,world\n1,0,-1\n", "line 2: world: -1 is not"},
        {"x,y\n1,0\n2,0\n1,0\n1,0\n", "line 5: its place would have more agents of population folk than the 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSED(RUN(TABLE(csv(bad[i].text)), "--quiet"), MASS_BAD_INPUT, "folk.csv", bad[i].said);
    REFUSED(RUN(TABLE(scratch("none.csv")), "--quiet"), MASS_BAD_INPUT, "none.csv", "No such file");
    REFUSED(RUN(TABLE(scratch("none.h5")), "--quiet"), MASS_BAD_INPUT, "none.h5", "No such file");
    REFUSED(RUN(TABLE(scratch("none.xls")), "--quiet"), MASS_BAD_INPUT, "none.xls", "does not end in .csv");
}

/* ---- --agents ---- */

static void expect_same_file(const char *path, const char *other)
{
    const content a = file_read(path), b = file_read(other);
    cr_assert(a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0, "%s", (const char *)a.bytes);
}

Test(table, that_is_written_starts_the_same_run)
{
    const char *file = csv("world,x,y,id,wealth,gene[2],code[0]\n4,9,7,30,-5,0.1,255\n5,2,1,4,2147483647,-1e-41,0\n"
                           "4,2,1,9,0,-0,2\n");
    static const char written[] = "id,world,x,y,wealth,gene[0],gene[1],gene[2],code[0],code[1]\n"
                                  "9,4,2,1,0,0,0,-0,2,0\n30,4,9,7,-5,0,0,0.1,255,0\n"
                                  "4,5,2,1,2147483647,0,0,-9.99967e-42,0,0\n";
#define WRITES(NAME) "--worlds", "2", "--first-world", "4", "--steps", "0", "--quiet", "--json", "--agents", \
    path_of("folk=%s", scratch(NAME))
    const outcome first = RUN(TABLE(file), WRITES("one.csv"));
    cr_assert_str_eq((const char *)file_read(scratch("one.csv")).bytes, written);
    const outcome again = RUN(TABLE(scratch("one.csv")), WRITES("two.csv"));
    cr_assert_str_eq(outcome_hash(&again, 0), outcome_hash(&first, 0));
    expect_same_file(scratch("two.csv"), scratch("one.csv"));
}

Test(table, that_is_written_is_the_same_however_a_run_is_divided)
{
#define ANTS(NAME, ...) RUN("sugarscape", "--size", "24x18", "--worlds", "2", "--seed", "1", "--steps", "20", \
    "--quiet", "--agents", path_of("ants=%s", scratch(NAME)), __VA_ARGS__)
    DONE(ANTS("one.csv", "--threads", "1", "--checkpoint", scratch("out"), "--checkpoint-every", "12"));
    cr_assert_gt(line_count((const char *)file_read(scratch("one.csv")).bytes), 40);
    DONE(ANTS("many.csv", "--threads", "2", "--partitions", "5"));
    expect_same_file(scratch("many.csv"), scratch("one.csv"));
    if (ranks_can_run()) {
        DONE(ANTS("ranks.csv", "--device", "cpu", "--threads", "1", "--ranks", "3"));
        expect_same_file(scratch("ranks.csv"), scratch("one.csv"));
    }
    DONE(RUN("--resume", scratch("out/ckpt-000000000012.h5"), "--quiet", "--agents",
             path_of("ants=%s", scratch("resumed.csv"))));
    expect_same_file(scratch("resumed.csv"), scratch("one.csv"));
    DONE(RUN("--resume", scratch("out"), "--quiet", "--agents", path_of("ants=%s", scratch("read.csv"))));
    expect_same_file(scratch("read.csv"), scratch("one.csv"));
}

Test(table, that_cannot_be_written_is_refused_before_the_run)
{
    const char *there = csv("x,y\n");
#define TO(TEXT) RUN("wolf-sheep", "--steps", "0", "--quiet", "--checkpoint", scratch("out"), "--agents", TEXT)
    REFUSED(TO("sheep"), MASS_BAD_USAGE, "--agents sheep is not of the form POPULATION=FILE.csv");
    REFUSED(TO("=a.csv"), MASS_BAD_USAGE, "--agents =a.csv is not of the form");
    REFUSED(TO("shee=a.csv"), MASS_BAD_USAGE, "--agents: there is no population 'shee'; wolf-sheep has ");
    REFUSED(RUN("life", "--agents", "a=a.csv", "--quiet"), MASS_BAD_USAGE, "--agents: plugin life has no population");
    REFUSED(TO("sheep=a.txt"), MASS_BAD_USAGE, "--agents 'a.txt': expected a file name ending in .csv");
    REFUSED(TO("sheep=none/a.csv"), MASS_BAD_USAGE, "cannot write --agents none/a.csv", "mkdir -p none");
    REFUSED(TO(path_of("sheep=%s", there)), MASS_BAD_USAGE, "folk.csv exists: give another name, or --force");
    REFUSED(RUN("wolf-sheep", "--quiet", "--agents", "sheep=a.csv", "--agents", "sheep=b.csv"), MASS_BAD_USAGE,
            "--agents: population sheep has two files, a.csv and b.csv");
    REFUSED(RUN("wolf-sheep", "--quiet", "--agents", "sheep=a.csv", "--agents", "wolves=a.csv"), MASS_BAD_USAGE,
            "--agents: populations sheep and wolves have the same file a.csv");
    cr_assert_not(file_exists(scratch("out")));
    DONE(RUN("wolf-sheep", "--steps", "0", "--quiet", "--seed", "1", "--force", "--agents", path_of("sheep=%s", there),
             "--agents", path_of("wolves=%s", scratch("wolves.csv"))));
    cr_assert_eq(strncmp((const char *)file_read(there).bytes, "id,world,x,y,", 13), 0);
    cr_assert(file_exists(scratch("wolves.csv")));
}

/* One of each run of a sweep that needs several, and in the crate of each. */
Test(table, that_is_written_by_a_sweep)
{
    const char *sizes = scratch("sizes.csv");
    file_write_text(sizes, "size\n8x8\n9x8\n");
    DONE(RUN("sugarscape", "--sweep", sizes, "--seed", "1", "--steps", "2", "--quiet", "--agents",
             path_of("ants=%s", scratch("ants.csv")), "--crate", scratch("crate")));
    cr_assert(file_exists(scratch("ants-1.csv")) && file_exists(scratch("ants-2.csv")));
    const content crate = file_read(scratch("crate/run-2/ro-crate-metadata.json"));
    cr_assert(strstr((const char *)crate.bytes, "ants-2.csv") && strstr((const char *)crate.bytes, "text/csv"));
    REFUSED(RUN("sugarscape", "--sweep", sizes, "--results", scratch("r.h5"), "--agents", "ants=a.csv"), MASS_BAD_USAGE,
            "leave out --checkpoint", "--agents");
}

/* ---- HDF5 ---- */

static hid_t create(void) { return H5Fcreate(scratch("folk.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT); }

static void add_set(hid_t file, const char *name, hid_t type, hsize_t count, const void *values, bool packed)
{
    const hid_t space = H5Screate_simple(1, &count, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    if (packed) {
        H5Pset_chunk(list, 1, &count);
        H5Pset_deflate(list, 6);
    }
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    cr_assert_geq(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
}

static void expect_bad_hdf5(const char *said)
{
    REFUSED(RUN(TABLE(scratch("folk.h5")), "--quiet"), MASS_BAD_INPUT, "folk.h5", said);
}

Test(table, hdf5_says_the_same)
{
    static const int8_t x[] = {9, 2, 2};
    static const uint64_t y[] = {7, 1, 1};
    static const int64_t id[] = {30, 4, 3};
    static const double gene[] = {0.5, -1e3, 1};
    const hid_t file = create();
    add_set(file, "x", H5T_NATIVE_INT8, 3, x, true);
    add_set(file, "y", H5T_STD_U64BE, 3, y, false);
    add_set(file, "id", H5T_NATIVE_INT64, 3, id, true);
    add_set(file, "gene[2]", H5T_NATIVE_DOUBLE, 3, gene, false);
    H5Fclose(file);
    /* The numbers were given to a big-endian set as they lie here. */
    const hid_t again = H5Fopen(scratch("folk.h5"), H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(again, "y", H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, y);
    H5Dclose(set);
    H5Fclose(again);
    const outcome o = RUN(TABLE(scratch("folk.h5")), "--json", "--quiet");
    const outcome p = RUN(TABLE(csv("x,y,id,gene[2]\n9,7,30,0.5\n2,1,4,-1e3\n2,1,3,1\n")), "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&o, 0), outcome_hash(&p, 0));
}

Test(table, bad_hdf5)
{
    static const int64_t x[] = {0, 1, 10}, big[] = {0, 300, 1};
    static const double real[] = {0, 0.5, 1};
    hid_t file = create();
    H5Fclose(file);
    expect_bad_hdf5("there is no data set in its root");
    file = create();
    add_set(file, "x", H5T_NATIVE_INT64, 3, x, false);
    H5Fclose(file);
    expect_bad_hdf5("there is no column 'y'");
    file = create();
    add_set(file, "x", H5T_NATIVE_INT64, 3, x, false);
    add_set(file, "y", H5T_NATIVE_INT64, 2, x, false);
    H5Fclose(file);
    expect_bad_hdf5("column 'y' has another length");
    file = create();
    add_set(file, "x", H5T_NATIVE_INT64, 3, x, false);
    add_set(file, "y", H5T_NATIVE_INT64, 3, x, false);
    H5Fclose(file);
    expect_bad_hdf5("row 2: x: 10 is not an integer from 0 to 9");
    file = create();
    add_set(file, "x", H5T_NATIVE_DOUBLE, 3, real, false);
    add_set(file, "y", H5T_NATIVE_INT64, 3, x, false);
    H5Fclose(file);
    expect_bad_hdf5("row 1: x: 0.5 is not an integer from 0 to 9");
    file = create();
    add_set(file, "x", H5T_NATIVE_INT64, 2, x, false);
    add_set(file, "y", H5T_NATIVE_INT64, 2, x, false);
    add_set(file, "code[0]", H5T_NATIVE_INT64, 2, big, false);
    H5Fclose(file);
    expect_bad_hdf5("row 1: code[0]: 300 is not a value of type u8");
    file = create();
    H5Gclose(H5Gcreate2(file, "x", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(file);
    expect_bad_hdf5("column 'x' cannot be read (it is not a data set)");
    file = create();
    H5Lcreate_external("/etc/passwd", "/", file, "x", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    expect_bad_hdf5("its root holds a link");
    file_write_text(scratch("folk.h5"), "x,y\n1,1\n");
    expect_bad_hdf5("is not an HDF5 file");
}

/* Refused or read, and never a crash or a hang. */
Test(table, damaged_hdf5)
{
    static const int64_t x[] = {0, 1, 2};
    const hid_t file = create();
    add_set(file, "x", H5T_NATIVE_INT64, 3, x, true);
    add_set(file, "y", H5T_NATIVE_INT64, 3, x, false);
    H5Fclose(file);
    const content whole = file_read(scratch("folk.h5"));
    uint64_t state = 1;
    for (int i = 0; i < unsanitized(16, 60); i++) {
        file_write_damaged(scratch("folk.h5"), &whole, i, &state);
        const outcome o = RUN(TABLE(scratch("folk.h5")), "--quiet");
        cr_assert(o.status == MASS_OK || o.status == MASS_BAD_INPUT, "trial %d: %d %d: %s", i, o.status, o.signal,
                  o.err);
        cr_assert_leq(line_count(o.err), 1);
    }
}
