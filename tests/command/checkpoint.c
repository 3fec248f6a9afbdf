/* SPDX-License-Identifier: Apache-2.0 */
/* Checkpoints: resuming, keeping, falling back, and files that belong elsewhere or lie. */
#include "command.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(checkpoint, SCRATCH);

#define LIFE "--plugin", "life", "--size", "60x50", "--seed", "11", "--json", "--quiet"

static const char *folder(void) { return scratch("out"); }

static const char *at(int step) { return scratch(path_of("out/ckpt-%012d.h5", step)); }

static const char *life_hash(const char *steps)
{
    const outcome o = RUN(LIFE, "--steps", steps);
    return outcome_hash(&o, 0);
}

/* Checkpoints of steps 10, 20 and 30. */
static void make_life(void)
{
    DONE(RUN(LIFE, "--steps", "30", "--checkpoint", folder(), "--checkpoint-every", "10", "--keep", "0"));
    cr_assert(file_exists(at(10)) && file_exists(at(20)) && file_exists(at(30)));
}

static void damage(const char *path)
{
    const content c = file_read(path);
    file_write(path, c.bytes, c.size / 2);
}

static bool same_bytes(const content *c, const char *path)
{
    const content now = file_read(path);
    return now.size == c->size && memcmp(now.bytes, c->bytes, c->size) == 0;
}

/* ---- going on ---- */

Test(checkpoint, resumed_equals_never_stopped)
{
    make_life();
    const outcome o = RUN("--resume", at(20), "--steps", "57", "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&o, 0), life_hash("57"));
}

/* Of two worlds of 24 x 16, from seed 5, as it was written before hashes of version 2. */
Test(checkpoint, of_format_1_goes_on_as_if_it_were_none)
{
    file_copy(MASS_FORMAT_1, scratch("first.h5"));
    const outcome o = RUN("--resume", scratch("first.h5"), "--steps", "25", "--json", "--quiet", "--checkpoint",
                          folder());
    const outcome whole = RUN("--plugin", "life", "--size", "24x16", "--worlds", "2", "--seed", "5", "--steps", "25",
                              "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&o, 0), outcome_hash(&whole, 0));
    const outcome again = RUN("--resume", at(25), "--steps", "25", "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&again, 0), outcome_hash(&whole, 0));
}

Test(checkpoint, resumed_on_another_device_and_partitions)
{
    make_life();
    const outcome o = RUN("--resume", at(10), "--steps", "40", "--json", "--quiet", "--device", "paranoid",
                          "--partitions", "5", "--threads", "1");
    cr_assert_str_eq(outcome_hash(&o, 0), life_hash("40"));
}

Test(checkpoint, resumed_with_its_worlds_and_parameters)
{
#define SOUPS "--plugin", "life", "--size", "20x20", "--seed", "3", "--json", "--quiet", "--worlds", "2", \
              "--first-world", "4", "--set", "rule=B36/S23", "--set", "density=0.4"
    const outcome whole = RUN(SOUPS, "--steps", "25");
    DONE(RUN(SOUPS, "--steps", "10", "--checkpoint", folder()));
    const outcome o = RUN("--resume", at(10), "--steps", "25", "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&o, 0), outcome_hash(&whole, 0));
    json_t *result = outcome_json(&o);
    cr_assert_eq(json_integer_value(json_object_get(result, "seed")), 3);
    cr_assert_eq(json_integer_value(json_object_get(result, "first_world")), 4);
}

Test(checkpoint, resumed_without_its_pattern)
{
    file_copy(data_file("replicator.rle"), scratch("p.rle"));
    DONE(RUN("--plugin", "life", "--steps", "5", "--quiet", "--checkpoint", folder(), "--set",
             path_of("pattern=%s", scratch("p.rle"))));
    const outcome whole = RUN("--plugin", "life", "--steps", "30", "--quiet", "--json", "--set",
                              path_of("pattern=%s", scratch("p.rle")));
    unlink(scratch("p.rle"));
    const outcome o = RUN("--resume", at(5), "--steps", "30", "--quiet", "--json");
    cr_assert_str_eq(outcome_hash(&o, 0), outcome_hash(&whole, 0));
}

/* An edge list, which a resume reads again. */
Test(checkpoint, resumed_in_another_folder_than_that_of_its_file)
{
    file_write_text(scratch("ties.csv"), "0,1\n1,2\n2,0\n");
    DONE(RUN_WITH(IN(.folder = scratch("")), "voter", "--set", "ties=ties.csv", "--steps", "2", "--checkpoint", "out",
                  "--quiet"));
    const char *const resume[] = {"--resume", scratch("out"), "--steps", "3", "--quiet", NULL};
    const outcome o = command_run(&(const setting){.folder = "/"}, resume);
    REFUSED(o, MASS_BAD_INPUT, "cannot read ties.csv: No such file or directory: parameter ties has a path relative to "
            "the folder in which the run began: resume there\n");
    DONE(command_run(&(const setting){.folder = scratch("")}, resume));
}

Test(checkpoint, resumed_with_the_sizes_of_all_its_spaces)
{
#define SPACES "--plugin", bad_plugin("spaces"), "--json", "--quiet"
    const outcome whole = RUN(SPACES, "--size", "11x9", "--seed", "1", "--steps", "20");
    DONE(RUN(SPACES, "--size", "11x9", "--seed", "1", "--steps", "10", "--checkpoint", folder()));
    const outcome o = RUN(SPACES, "--resume", at(10), "--steps", "20");
    cr_assert_str_eq(outcome_hash(&o, 0), outcome_hash(&whole, 0));
}

Test(checkpoint, resumed_to_the_stored_end_at_the_stored_interval)
{
    make_life();
    const outcome o = RUN("--resume", at(10), "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&o, 0), life_hash("30"));
    unlink(at(30));
    DONE(RUN("--resume", folder(), "--steps", "50", "--quiet"));
    cr_assert(file_exists(at(30)) && file_exists(at(40)) && file_exists(at(50)));
}

Test(checkpoint, steps_that_are_done_already)
{
    make_life();
    const outcome o = RUN("--resume", at(20), "--steps", "20", "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&o, 0), life_hash("20"));
    cr_assert_eq(json_integer_value(json_object_get(outcome_json(&o), "steps")), 20);
}

Test(checkpoint, tallies_survive_a_resume)
{
    const outcome whole = RUN(LIFE, "--steps", "30", "--checkpoint", folder());
    const outcome o = RUN("--resume", at(30), "--steps", "30", "--json", "--quiet");
    DONE(o);
    json_t *before = json_object_get(outcome_json(&whole), "tallies");
    cr_assert(json_equal(before, json_object_get(outcome_json(&o), "tallies")), "%s", o.out);
}

Test(checkpoint, steps_below_the_stored_one)
{
    make_life();
    REFUSED(RUN("--resume", at(20), "--steps", "19", "--image", scratch("a.png")), MASS_BAD_USAGE, "--steps 19",
            "step 20");
    cr_assert_eq(folder_count(folder()), 3);
    cr_assert_not(file_exists(scratch("a.png")));
}

/* ---- the folder ---- */

Test(checkpoint, the_newest_k_are_kept)
{
    DONE(RUN(LIFE, "--steps", "50", "--checkpoint", folder(), "--checkpoint-every", "10", "--keep", "2"));
    cr_assert_eq(folder_count(folder()), 2);
    cr_assert(file_exists(at(40)) && file_exists(at(50)));
}

Test(checkpoint, three_are_kept_by_default)
{
    DONE(RUN(LIFE, "--steps", "50", "--checkpoint", folder(), "--checkpoint-every", "5"));
    cr_assert_eq(folder_count(folder()), 3);
    cr_assert(file_exists(at(40)) && file_exists(at(45)) && file_exists(at(50)));
}

Test(checkpoint, those_of_other_runs_stay)
{
    DONE(RUN(LIFE, "--steps", "90", "--checkpoint", folder()));
    DONE(RUN(LIFE, "--steps", "50", "--checkpoint", folder(), "--checkpoint-every", "5", "--keep", "2"));
    cr_assert_eq(folder_count(folder()), 3);
    cr_assert(file_exists(at(45)) && file_exists(at(50)) && file_exists(at(90)));
}

/* One that resumes from step 10 has nothing to do with what another wrote after it. */
Test(checkpoint, those_after_the_resumed_one_stay)
{
    make_life();
    DONE(RUN("--resume", at(10), "--steps", "12", "--keep", "1", "--quiet"));
    cr_assert_eq(folder_count(folder()), 3);
    cr_assert(file_exists(at(12)) && file_exists(at(20)) && file_exists(at(30)));
}

Test(checkpoint, other_files_stay)
{
    folder_make(folder());
    file_write_text(scratch("out/notes.txt"), "mine");
    file_write_text(scratch("out/.ckpt-mine.tmp"), "mine");
    file_write_text(scratch("out/.ckpt-000000000007.999999999.nobody.tmp"), "of another machine");
    DONE(RUN(LIFE, "--steps", "20", "--checkpoint", folder(), "--checkpoint-every", "5", "--keep", "1"));
    cr_assert_eq(folder_count(folder()), 4);
}

Test(checkpoint, the_newest_that_is_whole_is_taken)
{
    make_life();
    damage(at(30));
    const outcome o = RUN("--resume", folder(), "--steps", "40", "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&o, 0), life_hash("40"));
    cr_assert_eq(line_count(o.err), 1, "%s", o.err);
    cr_assert_not_null(strstr(o.err, path_of("mass-engine: skipped %s: it is damaged: ", at(30))), "%s", o.err);
    cr_assert_null(strstr(o.err, "use an older"), "%s", o.err);
}

/* ---- what cannot be checked is not damaged ---- */

static void load_shim(void)
{
    setenv("LD_PRELOAD", MASS_FAULT_SHIM, 1);
    setenv("ASAN_OPTIONS", "abort_on_error=1:detect_leaks=0:allocator_may_return_null=1", 1);
    setenv("MASS_FAULT_FOLDER", folder(), 1);
}

/* Goes on from the folder with a fault: tests/faults/shim.h. */
static outcome resume_with(const char *whose, const char *fault)
{
    setenv("MASS_FAULT_PROCESS", whose, 1);
    setenv("MASS_FAULT", fault, 1);
    const outcome o = RUN_WITH(IN(.prepare = load_shim), "--resume", folder(), "--steps", "40", "--quiet");
    unsetenv("MASS_FAULT");
    return o;
}

/* The first three opens are of the lock, the folder and the newest. */
Test(checkpoint, that_cannot_be_read_is_not_passed_over)
{
    static const struct { const char *whose, *kind; int first, last, error, every; } faults[] = {
        {"main", "open_to_read", 2, 12, 5 /* EIO */, 1}, {"main", "open_to_read", 2, 12, 13 /* EACCES */, 1},
        {"main", "open_to_read", 2, 12, 24 /* EMFILE */, 2}, {"child", "pread", 1, 40, 5, 4},
        {"child", "malloc", 1, 40, 12 /* ENOMEM */, 2}, {"child", "library_malloc", 50, 4000, 12, 500}};
    make_life();
    const content newest = file_read(at(30));
    int refused = 0;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (int n = faults[i].first; n <= faults[i].last; n += faults[i].every) {
            const char *fault = path_of("%s %d %d once", faults[i].kind, n, faults[i].error);
            const outcome o = resume_with(faults[i].whose, fault);
            refused += o.status != 0;
            cr_assert(!strstr(o.err, "damaged") && !strstr(o.err, "skipped") && !strstr(o.err, "not written by"),
                      "%s: %s", fault, o.err);
            cr_assert(line_count(o.err) == (o.status != 0) || o.status == 0, "%s: %s", fault, o.err);
            cr_assert(o.status == 0 || o.status == 1 || o.status == 2 || o.status == 4 || o.status == 5 ||
                      o.status == 127, "%s: %d", fault, o.status);
            cr_assert(same_bytes(&newest, at(30)), "%s", fault);
            remove(at(40));
        }
    cr_assert_gt(refused, 20);
}

/* A library that gets no memory may crash, or may find a file damaged that it found whole before. The file is not at
 * fault if that does not happen again. */
Test(checkpoint, that_was_whole_a_moment_ago_is_not_damaged)
{
    int refused = 0;
    make_life();
    setenv("MASS_FAULT_COUNTS", scratch("counts"), 1); /* of all processes together: one of them crashes */
    for (int n = 4; n <= 40; n += 6) {
        const outcome crashed = resume_with("child", path_of("pread %d 0 crash", n));
        cr_assert(crashed.status == 0 && !crashed.err[0], "pread %d: %d, %s", n, crashed.status, crashed.err);
        remove(at(40));
        remove(scratch("counts"));
        const outcome o = resume_with("main", path_of("pread %d 0 spoil", n));
        cr_assert(o.status == 0 || (o.status == 1 && line_count(o.err) == 1 &&
                                    strstr(o.err, "cannot be checked: it was whole a moment ago, and now ")),
                  "pread %d: %d, %s", n, o.status, o.err);
        refused += o.status != 0;
        remove(at(40));
        remove(scratch("counts"));
    }
    unsetenv("MASS_FAULT_COUNTS");
    cr_assert_geq(refused, 4);
}

/* ---- what another program has repacked ---- */

static herr_t copy_attribute(hid_t from, const char *name, const H5A_info_t *info, void *to)
{
    (void)info;
    const hid_t a = H5Aopen(from, name, H5P_DEFAULT), type = H5Aget_type(a), space = H5Aget_space(a);
    void *value = malloc(H5Tget_size(type) * (size_t)H5Sget_simple_extent_npoints(space));
    const hid_t b = H5Acreate2(*(const hid_t *)to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const herr_t good = H5Aread(a, type, value) < 0 ? -1 : H5Awrite(b, type, value);
    free(value);
    H5Aclose(b), H5Aclose(a), H5Tclose(type), H5Sclose(space);
    return good;
}

/* As h5repack does it: the same values, in a file whose groups and headers are those of older versions. */
static const char *repacked(const char *from)
{
    static const char *const groups[] = {"places", "tallies", "parameters"};
    const char *path = scratch("repacked.h5");
    const hid_t old = H5Fopen(from, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t new = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    for (int i = 0; i < 3; i++)
        cr_assert_geq(H5Ocopy(old, groups[i], new, groups[i], H5P_DEFAULT, H5P_DEFAULT), 0, "%s", groups[i]);
    cr_assert_geq(H5Aiterate2(old, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_attribute, &new), 0);
    H5Fclose(new);
    H5Fclose(old);
    return path;
}

Test(checkpoint, that_was_repacked_goes_on)
{
    make_life();
    const char *path = repacked(at(20));
    const outcome o = RUN("--resume", path, "--steps", "40", "--json", "--quiet", "--checkpoint", scratch("on"));
    cr_assert_str_eq(outcome_hash(&o, 0), life_hash("40"));
    cr_assert_not_null(strstr(o.err, "was repacked by another program"), "%s", o.err);
}

Test(checkpoint, that_was_repacked_and_changed_is_refused)
{
    make_life();
    const char *path = repacked(at(20));
    const uint64_t seed = 12;
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t a = H5Aopen(file, "seed", H5P_DEFAULT);
    cr_assert_geq(H5Awrite(a, H5T_NATIVE_UINT64, &seed), 0);
    H5Aclose(a);
    H5Fclose(file);
    REFUSED(RUN("--resume", path, "--steps", "40"), MASS_BAD_INPUT, "its seed, sizes or parameters are not those");
    file = H5Fopen(repacked(at(20)), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "/places/grid/health", H5P_DEFAULT);
    const hsize_t zero[3] = {0};
    const hid_t space = H5Dget_space(set), one = H5Screate(H5S_SCALAR);
    uint8_t value;
    H5Sselect_elements(space, H5S_SELECT_SET, 1, zero);
    cr_assert_geq(H5Dread(set, H5T_NATIVE_UINT8, one, space, H5P_DEFAULT, &value), 0);
    value ^= 1;
    cr_assert_geq(H5Dwrite(set, H5T_NATIVE_UINT8, one, space, H5P_DEFAULT, &value), 0);
    H5Sclose(one), H5Sclose(space), H5Dclose(set), H5Fclose(file);
    REFUSED(RUN("--resume", path, "--steps", "40"), MASS_BAD_INPUT, "the values of 'health' are not those written");
}

Test(checkpoint, a_file_never_falls_back)
{
    make_life();
    damage(at(30));
    REFUSED(RUN("--resume", at(30), "--steps", "40"), MASS_BAD_INPUT, "ckpt-000000000030.h5");
    cr_assert_eq(folder_count(folder()), 3);
}

Test(checkpoint, none_is_whole)
{
    make_life();
    damage(at(10));
    damage(at(20));
    damage(at(30));
    const outcome o = RUN("--resume", folder());
    assert_done(&o, MASS_BAD_INPUT);
    cr_assert_eq(line_count(o.err), 4);
    cr_assert_not_null(strstr(o.err, path_of("mass-engine: no checkpoint in %s is whole", folder())), "%s", o.err);
}

Test(checkpoint, missing)
{
    REFUSED(RUN("--resume", scratch("none.h5")), MASS_BAD_INPUT, "none.h5", "No such file");
    REFUSED(RUN("--resume", scratch("")), MASS_BAD_INPUT, "there is no checkpoint in");
}

/* ---- models with much in them ---- */

/* Of thousands, many.c tells. */
Test(checkpoint, of_many_parameters)
{
#define MANY "--plugin", bad_plugin("many"), "--json", "--quiet"
    const outcome whole = RUN(MANY, "--seed", "1", "--steps", "4", "--set", "parameters=300");
    DONE(RUN(MANY, "--seed", "1", "--steps", "2", "--set", "parameters=300", "--checkpoint", folder()));
    const outcome o = RUN(MANY, "--resume", at(2), "--steps", "4");
    cr_assert_str_eq(outcome_hash(&o, 0), outcome_hash(&whole, 0));
}

/* What no checkpoint holds is said before the run, and before the file is looked for. */
Test(checkpoint, of_a_text_that_is_too_long)
{
    REFUSED(RUN("--plugin", bad_plugin("table"), "--set", path_of("folk_table=%065001d", 1), "--checkpoint", folder()),
            MASS_BAD_USAGE, "folk_table", "65001 bytes does not fit a checkpoint", "without --checkpoint");
    cr_assert(!file_exists(folder()));
}

/* ---- files that belong elsewhere, or lie ---- */

Test(checkpoint, of_another_plugin)
{
    DONE(RUN("--plugin", "heat", "--size", "20x20", "--steps", "5", "--quiet", "--checkpoint", folder()));
    REFUSED(RUN("--resume", at(5), "--plugin", "life"), MASS_BAD_INPUT, "written by plugin heat, not by life",
            "--plugin heat");
    DONE(RUN("--resume", at(5), "--plugin", "heat"));
}

Test(checkpoint, of_another_plugin_that_is_not_found_by_its_name)
{
    DONE(RUN("--plugin", bad_plugin("shape"), "--quiet", "--checkpoint", folder()));
    REFUSED(RUN("--resume", at(10), "--plugin", "life"), MASS_BAD_INPUT,
            "written by plugin shape, not by life: give that one, as in --plugin FOLDER/shape.so");
}

Test(checkpoint, of_a_plugin_that_is_not_there)
{
    DONE(RUN("--plugin", bad_plugin("shape"), "--quiet", "--checkpoint", folder()));
    REFUSED(RUN("--resume", at(10)), MASS_BAD_PLUGIN, "ckpt-000000000010.h5 was written by plugin shape",
            "in no folder of plugins: give its path, as in --plugin FOLDER/shape.so, or put", "MASS_PLUGIN_PATH");
}

Test(checkpoint, of_another_schema)
{
    DONE(RUN("--plugin", bad_plugin("shape"), "--quiet", "--checkpoint", folder()));
    REFUSED(RUN("--resume", at(10), "--plugin", bad_plugin("shape-other"), "--steps", "20"), MASS_BAD_INPUT,
            "attribute 'value'", "was u8[1] and now is f64[1]", "version 1.0.0");
    cr_assert_eq(folder_count(folder()), 1);
}

Test(checkpoint, of_another_version_goes_on_and_says_so)
{
    DONE(RUN("--plugin", bad_plugin("shape"), "--quiet", "--checkpoint", folder()));
    const outcome o = RUN("--resume", at(10), "--plugin", bad_plugin("shape-newer"), "--steps", "20", "--quiet");
    assert_done(&o, 0);
    cr_assert_not_null(strstr(o.err, "the checkpoint is of shape 1.0.0, and this is 2.0.0"), "%s", o.err);
    cr_assert(file_exists(at(20)));
}

static hid_t open_to_change(const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    cr_assert_geq(file, 0, "%s", path);
    return file;
}

/* Writes the integers of an HDF5 attribute, as anybody with h5py can: the file's checksums are right
 * again afterwards. */
static void change(const char *path, const char *object, const char *name, const int64_t *values)
{
    const hid_t file = open_to_change(path), owner = H5Oopen(file, object, H5P_DEFAULT);
    const hid_t attribute = H5Aopen(owner, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    cr_assert_geq(attribute, 0, "%s of %s", name, object);
    cr_assert_geq(H5Awrite(attribute, type, values), 0);
    H5Tclose(type);
    H5Aclose(attribute);
    H5Oclose(owner);
    cr_assert_geq(H5Fclose(file), 0);
}

Test(checkpoint, whose_parameter_makes_another_schema)
{
    DONE(RUN("--plugin", "heat", "--size", "20x20", "--steps", "5", "--quiet", "--checkpoint", folder()));
    change(at(5), "/parameters", "materials", (const int64_t[]){1});
    REFUSED(RUN("--resume", at(5), "--steps", "9"), MASS_BAD_INPUT, "attribute 'temperature'", "f32[2]", "f32[1]");
    change(at(5), "/parameters", "materials", (const int64_t[]){2});
    DONE(RUN("--resume", at(5), "--steps", "9"));
}

Test(checkpoint, whose_parameter_is_out_of_range)
{
    DONE(RUN("--plugin", "heat", "--size", "20x20", "--steps", "5", "--quiet", "--checkpoint", folder()));
    change(at(5), "/parameters", "materials", (const int64_t[]){3});
    REFUSED(RUN("--resume", at(5), "--steps", "9"), MASS_BAD_INPUT, "ckpt-000000000005.h5",
            "materials: 3 is not between 1 and 2");
}

Test(checkpoint, that_claims_other_extents)
{
    static const int64_t sizes[][2] = {{61, 50}, {50, 60}, {1, 3000}, {0, 0}, {-60, 50}, {2000000000, 2000000000},
        {INT64_MAX, INT64_MAX}, {INT64_MIN, 50}, {INT64_C(1) << 32, INT64_C(1) << 32}};
    make_life();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        change(at(30), "/places/grid", "size", sizes[i]);
        REFUSED(RUN("--resume", at(30)), MASS_BAD_INPUT, "ckpt-000000000030.h5");
    }
}

Test(checkpoint, that_claims_absurd_numbers)
{
    static const struct {
        const char *object, *name;
        int64_t value;
    } lies[] = {{"/", "worlds", 0}, {"/", "worlds", -1}, {"/", "worlds", 2}, {"/", "worlds", INT64_MAX},
        {"/", "first_world", -1}, {"/", "first_world", INT64_MAX}, {"/", "step", -1}, {"/", "step", 31},
        {"/", "format_version", 3}, {"/places/grid", "dimensions", 0}, {"/places/grid", "dimensions", 3},
        {"/places/grid", "dimensions", INT64_MAX}, {"/places/grid/health", "length", 1 << 30},
        {"/places/grid/health", "length", 0}, {"/tallies/births", "fraction_bits", 1000}};
    make_life();
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        file_copy(at(30), scratch("lie.h5"));
        change(scratch("lie.h5"), lies[i].object, lies[i].name, &lies[i].value);
        const outcome o = RUN("--resume", scratch("lie.h5"), "--steps", "100");
        cr_assert_neq(o.status, MASS_OK, "%s = %lld was believed", lies[i].name, (long long)lies[i].value);
        assert_refused(&o, MASS_BAD_INPUT, ARGUMENTS("lie.h5"));
    }
}

/* A file of a few kilobytes that claims 2^60 bytes. */
Test(checkpoint, that_claims_absurd_data)
{
    static const hsize_t extent[2] = {UINT64_C(1) << 30, UINT64_C(1) << 30}, chunk[2] = {1024, 1024};
    make_life();
    change(at(30), "/places/grid", "size", (const int64_t[]){1 << 30, 1 << 30});
    const hid_t file = open_to_change(at(30)), list = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t old = H5Dopen2(file, "/places/grid/health", H5P_DEFAULT);
    H5Pset_chunk(list, 2, chunk);
    H5Pset_fletcher32(list);
    const hid_t space = H5Screate_simple(2, extent, NULL);
    const hid_t new = H5Dcreate2(file, "/places/grid/huge", H5T_STD_U8LE, space, H5P_DEFAULT, list, H5P_DEFAULT);
    cr_assert_geq(new, 0);
    static const char *const names[] = {"mass_type", "length", "hash", "unit", "help", "dimension_labels"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) { /* as the old one has them */
        const hid_t from = H5Aopen(old, names[i], H5P_DEFAULT);
        if (from < 0) continue;
        char bytes[1024] = "";
        const hid_t type = H5Aget_type(from), shape = H5Aget_space(from);
        const hid_t to = H5Acreate2(new, names[i], type, shape, H5P_DEFAULT, H5P_DEFAULT);
        H5Aread(from, type, bytes);
        H5Awrite(to, type, bytes);
        H5Aclose(to);
        H5Aclose(from);
        H5Tclose(type);
        H5Sclose(shape);
    }
    H5Dclose(new);
    H5Dclose(old);
    H5Sclose(space);
    H5Pclose(list);
    H5Ldelete(file, "/places/grid/health", H5P_DEFAULT);
    H5Lmove(file, "/places/grid/huge", file, "/places/grid/health", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    REFUSED(RUN_WITH(IN(.seconds = 20), "--resume", at(30)), MASS_BAD_INPUT, "ckpt-000000000030.h5");
}

/* ---- step 0 ---- */

static double first_value(const char *path, const char *name, const double *instead)
{
    double value = -1;
    const hid_t f = H5Fopen(path, instead ? H5F_ACC_RDWR : H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(f, path_of("/tallies/%s/value", name), H5P_DEFAULT);
    cr_assert(f >= 0 && set >= 0);
    cr_assert_geq(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value), 0);
    if (instead) cr_assert_geq(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, instead), 0);
    H5Dclose(set);
    H5Fclose(f);
    return value;
}

/* Versions before wrote 0 for what only steps count, and those go on, too; any other number is no value of it. */
Test(checkpoint, what_steps_count_is_nan_before_the_first)
{
    const char *path = scratch("out/ckpt-000000000000.h5");
    DONE(RUN(LIFE, "--steps", "0", "--checkpoint", scratch("out")));
    cr_assert(isnan(first_value(path, "births", NULL)) && first_value(path, "population", NULL) >= 0);
    const outcome ends = RUN("--resume", path, "--steps", "3", "--checkpoint", scratch("on"), "--json", "--quiet");
    const char *hash = outcome_hash(&ends, 0);
    first_value(path, "births", &(double){0});
    const outcome old = RUN("--resume", path, "--steps", "3", "--checkpoint", scratch("old"), "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&old, 0), hash);
    const outcome none = RUN("--resume", path, "--steps", "0", "--checkpoint", scratch("none"));
    DONE(none);
    cr_assert_not_null(strstr(none.err, "\n  births none\n"), "%s", none.err);
    first_value(path, "births", &(double){3});
    REFUSED(RUN("--resume", path, "--steps", "3", "--checkpoint", scratch("odd")), MASS_BAD_INPUT, "births");
    first_value(path, "births", &(double){0});
    first_value(path, "population", &(double){NAN});
    REFUSED(RUN("--resume", path, "--steps", "3", "--checkpoint", scratch("odd")), MASS_BAD_INPUT, "population");
}
