/* SPDX-License-Identifier: Apache-2.0 */
/* Values that an attribute is not declared to have: refused where files bring them, and where a body makes them on the
 * paranoid device. */
#include "../instructions.h"
#include "command.h"
#include "io/checkpoint/checkpoint.h"
#include "snapshot/snapshot.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

TestSuite(range, SCRATCH);

static const char *file(const char *name, const char *text)
{
    file_write_text(scratch(name), text);
    return scratch(name);
}

/* ---- --load ---- */

#define LIFE "--plugin", "life", "--size", "3x2", "--seed", "1", "--steps", "1", "--quiet"

static const char *health(const char *path) { return path_of("health=%s", path); }

Test(range, a_load_of_values_without_a_meaning_is_refused_with_any_instructions)
{
    static const char *const sets[] = {"base", "avx2", "avx512"};
    for (int i = 0; i < 3; i++) {
        if (!machine_has(sets[i])) continue;
        setenv("MASS_ISA", sets[i], 1);
        REFUSED(RUN(LIFE, "--load", health(file("a.csv", "0,1,0\n1,7,1\n"))), MASS_BAD_INPUT,
                "a.csv: 7 at (y 1, x 1) is not a value that grid.health has: 0 or 1");
    }
    unsetenv("MASS_ISA");
}

static const char *picture(const char *name, int bits, const uint8_t *rows, size_t bytes)
{
    FILE *to = fopen(scratch(name), "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, to);
    png_set_IHDR(png, info, 3, 2, bits, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int y = 0; y < 2; y++) png_write_row(png, rows + (size_t)y * bytes);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    fclose(to);
    return scratch(name);
}

Test(range, a_black_and_white_picture_is_0_and_1)
{
    const outcome plain = RUN(LIFE, "--json", "--load", health(file("a.csv", "1,0,1\n0,1,1\n")));
    const outcome bits = RUN(LIFE, "--json", "--load", health(picture("a.png", 1, (const uint8_t[]){0xa0, 0x60}, 1)));
    const outcome bytes = RUN(LIFE, "--json", "--load",
                              health(picture("b.png", 8, (const uint8_t[]){255, 0, 255, 0, 255, 255}, 3)));
    cr_assert_str_eq(outcome_hash(&bits, 0), outcome_hash(&plain, 0));
    cr_assert_str_eq(outcome_hash(&bytes, 0), outcome_hash(&plain, 0));
    REFUSED(RUN(LIFE, "--load", health(picture("c.png", 8, (const uint8_t[]){255, 0, 254, 0, 255, 255}, 3))),
            MASS_BAD_INPUT, "c.png: 255 at (y 0, x 0) is not a value that grid.health has: 0 or 1");
}

/* ---- tables ---- */

Test(range, a_table_with_a_value_beyond_is_refused_with_its_line)
{
#define FOLK(FILE) "--plugin", bad_plugin("table-ranged"), "--set", path_of("folk_table=%s", FILE), "--quiet"
    DONE(RUN(FOLK(file("a.csv", "x,y,wealth\n0,0,-10\n1,1,20\n"))));
    REFUSED(RUN(FOLK(file("a.csv", "x,y,wealth\n0,0,-10\n1,1,21\n"))), MASS_BAD_INPUT,
            "a.csv, line 3: wealth: 21 is not a value that folk have: -10 to 20");
}

/* ---- checkpoints ---- */

enum { LAST = -1 };

/* Writes a checkpoint with one value changed, as its hashes say. Returns its path. */
static const char *changed(const char *path, const char *owner, const char *attribute, int byte, uint8_t value)
{
    mass_error error = {0};
    mass_checkpoint *c = NULL;
    mass_snapshot s;
    uint64_t agents[MASS_POPULATIONS_MAX];
    char *out = kept(calloc(1, PATH_MAX));
    cr_assert_eq(mass_checkpoint_open(path, &c, &error), MASS_OK, "%s", error.text);
    mass_checkpoint_agents(c, &c->model, agents);
    cr_assert_eq(mass_snapshot_allocate(&s, &c->model, c->worlds, agents, &error), MASS_OK, "%s", error.text);
    cr_assert_eq(mass_checkpoint_read(c, &s, &error), MASS_OK, "%s", error.text);
    const int population = mass_model_find_population(&c->model, owner);
    const int space = mass_model_find_space(&c->model, owner);
    const int a = population >= 0 ? mass_model_find_agent_attribute(&c->model, (uint32_t)population, attribute)
                                  : mass_model_find_attribute(&c->model, (uint32_t)space, attribute);
    ((uint8_t *)s.attributes[a])[byte == LAST ? mass_snapshot_size(&s, (uint32_t)a) - 1 : (size_t)byte] = value;
    static int calls;
    const mass_checkpoint_settings settings = {.folder = folder_make(scratch(path_of("changed%d", calls++))),
                                               .last_step = c->last_step};
    cr_assert_eq(mass_checkpoint_write(&settings, &s, out, &error), MASS_OK, "%s", error.text);
    mass_snapshot_free(&s);
    mass_checkpoint_close(c);
    return out;
}

#define OUT "--quiet", "--checkpoint", scratch("out")

Test(range, a_resume_of_values_beyond_is_refused_and_says_whose)
{
    DONE(RUN("--plugin", "sugarscape", "--size", "20x20", "--seed", "1", "--steps", "5", OUT));
    const char *whole = scratch("out/ckpt-000000000005.h5");
    const char *vision = changed(whole, "ants", "vision", 3, 255);
    for (int partitions = 1; partitions <= 2; partitions++)
        REFUSED(RUN("--resume", vision, "--steps", "9", "--partitions", path_of("%d", partitions)), MASS_BAD_INPUT,
                vision, ": 'vision' of agent ", " is 255, and sugarscape has 1 to 6");
    const char *sugar = changed(whole, "grid", "sugar", 3 * 20 + 7, 9);
    REFUSED(RUN("--resume", sugar, "--steps", "9"), MASS_BAD_INPUT, sugar,
            ": 'sugar' of place (7, 3) is 9, and sugarscape has 0 to 4");
    DONE(RUN("--resume", changed(whole, "ants", "vision", 3, 6), "--steps", "9", "--quiet"));
}

/* The parameter decides, and the worlds of a sweep have one each: what any of them has is right in all. */
Test(range, follows_the_parameters_of_all_worlds)
{
    const char *rows = file("s.csv", "vision_max,metabolism_max\n3,9\n12,2\n5,3\n");
#define SWEPT "--plugin", "sugarscape", "--size", "20x20", "--seed", "1", "--sweep", rows
    DONE(RUN(SWEPT, "--steps", "5", OUT));
    const outcome whole = RUN(SWEPT, "--steps", "9", "--json", "--quiet");
    const char *half = scratch("out/ckpt-000000000005.h5");
    const outcome resumed = RUN("--resume", half, "--steps", "9", "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&resumed, 0), outcome_hash(&whole, 0));
    REFUSED(RUN("--resume", changed(half, "ants", "metabolism", 0, 10), "--steps", "9"), MASS_BAD_INPUT,
            "'metabolism' of agent ", " of world 0 is 10, and sugarscape has 1 to 9");
    REFUSED(RUN("--resume", changed(half, "ants", "vision", LAST, 13), "--steps", "9"), MASS_BAD_INPUT,
            " of world 2 is 13, and sugarscape has 1 to 12");
}

/* ---- world attributes ---- */

#define DIVERGE "--plugin", bad_plugin("diverge"), "--seed", "1", "--quiet"

Test(range, a_world_attribute_that_becomes_infinite_is_told)
{
    static const char of_trial[] = "callback diverge_square, field price, step 5: it is infinite in world 0";
    static const char at_end[] = "results may be wrong: world attribute price of world 4 is infinite at step 5: "
                                 "callback diverge_open or diverge_square wrote it, and --device paranoid says in "
                                 "which step";
    const outcome o = RUN(DIVERGE, "--steps", "5", "--json", "--worlds", "2", "--first-world", "4");
    const json_t *faults = json_object_get(outcome_json(&o), "faults");
    cr_assert(o.status == 0 && strstr(o.err, of_trial) && strstr(o.err, at_end) && line_count(o.err) == 2, "%s", o.err);
    cr_assert_eq(json_array_size(faults), 2);
    cr_assert_str_eq(json_string_value(json_array_get(faults, 1)), at_end);
    REFUSED(RUN(DIVERGE, "--steps", "5", "--device", "paranoid"), MASS_BAD_PLUGIN, of_trial);
    REFUSED(RUN(DIVERGE, "--steps", "9", "--strict"), MASS_BAD_PLUGIN, of_trial);
}

/* A NaN by 0/0 has other bits than that of a body that means it. */
Test(range, a_world_attribute_that_becomes_a_nan_is_told_unless_it_is_meant)
{
    const outcome o = RUN(DIVERGE, "--set", "first=0", "--steps", "1");
    cr_assert(o.status == 0 && line_count(o.err) == 2, "%s", o.err);
    cr_assert(strstr(o.err, "callback diverge_divide, field ratio, step 1: it is a NaN, as of 0/0"), "%s", o.err);
    cr_assert(strstr(o.err, "world attribute ratio[1] is a NaN, as of 0/0, at step 1: callback diverge_divide wrote"),
              "%s", o.err);
    DONE(RUN(DIVERGE, "--set", "first=1", "--steps", "20", "--strict"));
    const outcome report = RUN("--plugin", bad_plugin("diverge"), "--seed", "1", "--set", "first=0", "--steps", "1");
    cr_assert(strstr(report.err, "\n  ratio 0, none, 0\n"), "%s", report.err);
}

/* ---- declarations ---- */

Test(range, declarations_without_sense_are_refused)
{
    static const struct { const char *plugin, *said; } bad[] = {
        {"range-of-nothing", "attribute 'value' has the range 3 to 2, in which nothing is"},
        {"range-without-default", "attribute 'value' has the range 1 to 2, and its default is outside: give it "
                                  "another .initial"},
        {"range-between-integers", "attribute 'value' has the range 0.25 to 0.75, and its default is outside"},
        {"range-of-a-struct", "attribute 'value' is a struct, and has a range: only numbers have one"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSED(RUN("--plugin", bad_plugin(bad[i].plugin)), MASS_BAD_PLUGIN, bad[i].said);
}

Test(range, a_plugin_of_before_there_were_ranges_has_none)
{
    DONE(RUN("--plugin", bad_plugin("older-attribute"), "--seed", "1", "--steps", "200", "--quiet"));
    const outcome info = RUN("--info", "--json", "--plugin", bad_plugin("older-attribute"));
    const json_t *attributes = json_object_get(outcome_json(&info), "attributes");
    cr_assert_null(json_object_get(json_array_get(attributes, 0), "range"));
}

Test(range, is_told)
{
    const outcome json = RUN("--info", "--json", "--plugin", "sugarscape");
    const outcome text = RUN("--info", "--plugin", "sugarscape");
    const json_t *attributes = json_object_get(outcome_json(&json), "attributes");
    const json_t *range = json_object_get(json_array_get(attributes, 0), "range");
    cr_assert(json_number_value(json_array_get(range, 0)) == 0 && json_number_value(json_array_get(range, 1)) == 4);
    cr_assert_not_null(strstr(text.out, "on the place (u8, 0 to 4)"), "%s", text.out);
}

/* The third step makes a 3 of every place. */
Test(range, the_paranoid_device_names_who_leaves_it)
{
    REFUSED(RUN("--plugin", bad_plugin("ranged"), "--device", "paranoid", "--seed", "1"), MASS_BAD_PLUGIN,
            "callback grow, field value, step 3: at place (0, 0) of world 0 it is 3, and value has 0 to 2");
}
