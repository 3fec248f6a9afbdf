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

Test(pattern, unknown_tag) { REFUSE("x = 3, y = 3\nbo$2bo$\n3z!\n", "line 3", "z"); }

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
