/* SPDX-License-Identifier: Apache-2.0 */
/* Pattern files that Life refuses: bad input, said with the file and its line. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(pattern, SCRATCH);

static outcome run_pattern(const char *path, const char *size)
{
    return RUN("--plugin", "life", "--size", size, "--steps", "4", "--set", path_of("pattern=%s", path),
               "--checkpoint", scratch("out"), "--force", "--image", scratch("out.png"));
}

static void refuse(const char *text, mass_status status, const char *const pieces[])
{
    file_write_text(scratch("p.rle"), text);
    const outcome o = run_pattern(scratch("p.rle"), "64x64");
    assert_refused(&o, status, pieces);
    cr_assert_not_null(strstr(o.err, "p.rle"), "%s", o.err);
    cr_assert_not(file_exists(scratch("out")), "a folder was made for nothing");
    cr_assert_not(file_exists(scratch("out.png")));
}
#define REFUSE(TEXT, ...) refuse(TEXT, MASS_BAD_INPUT, ARGUMENTS(__VA_ARGS__))

Test(pattern, missing)
{
    REFUSED(run_pattern(scratch("none.rle"), "64x64"), MASS_BAD_INPUT, "life: pattern", "none.rle", "No such file");
    REFUSED(run_pattern(scratch(""), "64x64"), MASS_BAD_INPUT, "life: pattern");
    cr_assert_not(file_exists(scratch("out")));
}

Test(pattern, empty)
{
    REFUSE("", "empty");
    REFUSE("#C nothing but a comment\n", "p.rle");
}

Test(pattern, wrong_header)
{
    REFUSE("3o!\n", "line 1");
    REFUSE("x = three, y = 3\nbo$2bo$3o!\n", "line 1");
    REFUSE("x = 3\nbo$2bo$3o!\n", "line 1");
    REFUSE("x = -3, y = 3\nbo$2bo$3o!\n", "line 1");
    REFUSE("x = 99999999999999999999, y = 3\nbo!\n", "line 1");
    REFUSE("x = 3, y = 3, rule = B3/S99\nbo$2bo$3o!\n", "line 1");
    REFUSE("x = 3, y = 3, rule = LifeHistory\nbo$2bo$3o!\n", "line 1");
}

Test(pattern, unknown_tag) { REFUSE("x = 3, y = 3\nbo$2bo$\n3q!\n", "line 3", "q"); }

Test(pattern, run_length_over_the_size)
{
    REFUSE("x = 3, y = 3\n4o!\n", "line 2");
    REFUSE("x = 3, y = 3\nbo$2bo$2b2o!\n", "line 2");
    REFUSE("x = 3, y = 3\n3o9$o!\n", "line 2");
    REFUSE("x = 3, y = 3\n99999999999999999999o!\n", "line 2");
}

Test(pattern, larger_than_the_space)
{
    REFUSE("x = 65, y = 3\n65o!\n", "65", "64");
    REFUSE("x = 3, y = 65\n3o!\n", "65", "64");
    REFUSED(run_pattern(data_file("gosper-gun.rle"), "35x35"), MASS_BAD_INPUT, "gosper-gun.rle", "36", "35");
    DONE(run_pattern(data_file("gosper-gun.rle"), "36x9"));
}

Test(pattern, larger_than_the_memory)
{
    file_write_text(scratch("p.rle"), "x = 2000000000, y = 2000000000\n2000000000o!\n");
    REFUSED(run_pattern(scratch("p.rle"), "64x64"), MASS_BAD_INPUT, "2000000000");
}

Test(pattern, placed_outside)
{
    REFUSED(RUN("--plugin", "life", "--size", "64x64", "--set", path_of("pattern=%s", data_file("acorn.rle")), "--set",
                "x=58"), MASS_BAD_USAGE, "life: parameter x", "0 to 57");
    REFUSED(RUN("--plugin", "life", "--size", "64x64", "--set", path_of("pattern=%s", data_file("acorn.rle")), "--set",
                "y=-1"), MASS_BAD_USAGE, "life: parameter y", "0 to 61");
}

Test(pattern, cells_with_an_unknown_character)
{
    file_write_text(scratch("p.cells"), "!Name: broken\n.O.\n.X?\n");
    REFUSED(run_pattern(scratch("p.cells"), "64x64"), MASS_BAD_INPUT, "p.cells", "line 3");
}

Test(pattern, random_bytes)
{
    uint64_t state = 7;
    for (int i = 0; i < 64; i++) {
        char text[200] = "x = 20, y = 20\n";
        const size_t start = strlen(text), size = start + next_random(&state) % 100;
        for (size_t k = start; k < size; k++) text[k] = (char)next_random(&state);
        file_write(scratch("p.rle"), text, size);
        const outcome o = run_pattern(scratch("p.rle"), "32x32");
        if (o.status != 0) REFUSED(o, MASS_BAD_INPUT, "life: pattern", "p.rle");
    }
}

Test(pattern, every_pattern_that_ships_runs)
{
    static const char *const names[] = {"acorn.rle", "r-pentomino.rle", "gosper-gun.rle", "replicator.rle",
                                        "glider.cells", "lwss.cells"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) DONE(run_pattern(data_file(names[i]), "64x64"));
}

Test(pattern, brings_its_rule_unless_one_is_given)
{
    const char *pattern = path_of("pattern=%s", data_file("replicator.rle"));
    outcome o = RUN("--info", "--json", "--plugin", "life", "--set", pattern);
    DONE(o);
    cr_assert_not_null(strstr(o.out, "B36/S23"), "%s", o.out);
    o = RUN("--info", "--json", "--plugin", "life", "--set", pattern, "--set", "rule=B2/S");
    DONE(o);
    cr_assert_null(strstr(o.out, "B36/S23"), "%s", o.out);
}

static outcome life(const char *text, const char *first, const char *second)
{
    file_write_text(scratch("p.rle"), text);
    return RUN("--plugin", "life", "--steps", "1", "--json", "--set", path_of("pattern=%s", scratch("p.rle")), first,
               second);
}

#define BLINKER "x = 3, y = 1, rule = B3/S23"
#define SAME_RUN(FIRST, SECOND) \
    do { \
        const outcome one_ = (FIRST), other_ = (SECOND); \
        char hash_[100]; \
        snprintf(hash_, sizeof hash_, "%s", outcome_hash(&one_, 0)); \
        cr_assert_str_eq(hash_, outcome_hash(&other_, 0)); \
    } while (0)

Test(pattern, grid_of_its_rule_is_the_size_and_the_edge)
{
    SAME_RUN(life(BLINKER ":T12,7\n3o!", NULL, NULL), life(BLINKER "\n3o!", "--size=12x7", NULL));
    SAME_RUN(life("#r 23/3:T12,7\nx = 3, y = 1\n3o!", NULL, NULL), life(BLINKER "\n3o!", "--size=12x7", NULL));
    SAME_RUN(life(BLINKER ":P12,8\n3o!", NULL, NULL), life(BLINKER ":P12,8\n3o!", "--set=x=5", "--set=y=4"));
    SAME_RUN(life(BLINKER ":P12,7\n3o!", "--set=x=0", "--set=y=0"),
             life("x = 12, y = 7, rule = B3/S23\n3o!", "--size=12x7", "--set=edge=dead"));
    SAME_RUN(life("#CXRLE Pos=-6,-4\n" BLINKER ":P12,8\n3o!", "--set=y=3", NULL),
             life(BLINKER ":P12,8\n3o!", "--set=x=0", "--set=y=3"));
    REFUSED(life("#CXRLE Pos=4,-4\n" BLINKER ":P12,8\n3o!", NULL, NULL), MASS_BAD_INPUT, "p.rle", "Pos=");
    SAME_RUN(RUN("--plugin", "life", "--steps", "1", "--json", "--seed", "1", "--set", "rule=B36/S23:T9,8"),
             RUN("--plugin", "life", "--steps", "1", "--json", "--seed", "1", "--set", "rule=B36/S23", "--size=9x8"));
}

Test(pattern, grid_that_does_not_run_is_said)
{
    static const char said[] = "its rule says :T12,7, a torus of 12 x 7; what runs is a ";
    outcome o = life(BLINKER ":T12,7\n3o!", NULL, NULL);
    cr_assert_null(strstr(o.err, "its rule says"), "%s", o.err);
    o = life(BLINKER ":T12,7\n3o!", "--size=20x20", NULL);
    cr_assert(o.status == 0 && strstr(o.err, said) && strstr(o.err, "torus of 20 x 20"), "%s", o.err);
    o = life(BLINKER ":T12,7\n3o!", "--set=edge=dead", NULL);
    cr_assert(o.status == 0 && strstr(o.err, said) && strstr(o.err, "plane of 12 x 7"), "%s", o.err);
    o = life(BLINKER ":K12,7*\n3o!", "--set=rule=B3/S23", "--size=20x20");
    cr_assert(o.status == 0 && strstr(o.err, "a Klein bottle of 12 x 7; what runs"), "%s", o.err);
    cr_assert_null(strstr(o.err, "to run that"), "%s", o.err); /* no size of a space runs it */
    REFUSED(life(BLINKER ":K12,7*\n3o!", NULL, NULL), MASS_BAD_INPUT, "p.rle", ":K12,7*", "a Klein bottle",
            "--set rule");
    REFUSED(RUN("--plugin", "life", "--set", "rule=B3/S23:S9"), MASS_BAD_USAGE, "parameter rule", ":S9", "a sphere");
}

Test(pattern, empty_one_runs)
{
    const outcome o = life("x = 0, y = 0, rule = B3/S23\n!\n", "--size=16x16", NULL);
    cr_assert(o.status == 0 && strstr(o.out, "\"population\": 0"), "%s%s", o.out, o.err);
}

Test(pattern, of_another_format_is_named)
{
    REFUSE("[M2] (golly 4.2)\n#R B3/S23\n", "p.rle", "a macrocell file", "save it as RLE");
    REFUSE("#Life 1.06\n0 0\n", "p.rle", "a Life 1.06 file", "save it as RLE");
}
