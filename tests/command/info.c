/* SPDX-License-Identifier: Apache-2.0 */
/* --info and --list, in lines of at most 80 columns for people. */
#include "command.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

TestSuite(info, SCRATCH);

static void assert_mentions(const char *text, const char *const pieces[])
{
    for (size_t i = 0; pieces[i]; i++) cr_assert_not_null(strstr(text, pieces[i]), "no '%s' in %s", pieces[i], text);
}

static json_t *info_of(const char *plugin, const char *size)
{
    const outcome o = RUN("--info", "--json", "--plugin", plugin, "--size", size);
    DONE(o);
    cr_assert_str_empty(o.err);
    return outcome_json(&o);
}

/* The member of an array of objects that has this name. */
static json_t *named(const json_t *info, const char *list, const char *name)
{
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(info, list), i, one)
        if (strcmp(json_string_value(json_object_get(one, "name")), name) == 0) return one;
    cr_assert_fail("no %s in %s", name, list);
    return NULL;
}

static const char *text_in(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    cr_assert_not_null(text, "no text %s", key);
    return text;
}

Test(info, text_has_all_that_a_user_needs)
{
    const outcome o = RUN("--info", "--plugin", "heat", "--size", "32x16x8");
    DONE(o);
    cr_assert_str_empty(o.err);
    assert_mentions(o.out, ARGUMENTS("heat 1.1.0", "mass-engine heat --size 32x16x8 --steps 3000", "3000 steps",
        "parameters", "--set", "alpha", "between 0 and 0.25", "edge_x", "one of torus, bounded", "amplitude",
        "default 100 K", "spaces", "32x16x8", "attributes", "temperature", "f32", "length 2", "tallies", "total",
        "minimum", "maximum", "memory", "iB"));
    cr_assert(!strstr(o.out, "ABI") && !strstr(o.out, "callbacks") && !strstr(o.out, "heat_3d_r1"), "%s", o.out);
}

Test(info, text_says_what_load_and_tally_take)
{
    const outcome o = RUN("--info", "boids"), agents = RUN("--info", bad_plugin("table"));
    assert_mentions(o.out, ARGUMENTS("\nattributes (--load, --tally)\n  air ", "\nattributes of agents (--tally)\n"
        "  birds.position "));
    const char *const position = strstr(o.out, "birds.position"), *const heading = strstr(o.out, "birds.heading");
    cr_assert_not_null(heading);
    cr_expect_null(memmem(position, (size_t)(heading - position), "not for --tally", 15), "%s", o.out);
    cr_expect_null(strstr(agents.out, "(--load, --tally)"), "%s", agents.out);
    cr_expect_null(memmem(agents.out, (size_t)(strstr(agents.out, "folk.code") - agents.out), "not for", 7), "%s",
                   agents.out);
    assert_mentions(agents.out, ARGUMENTS("2 adult; not for\n"));
}

Test(info, edges_that_change_are_those_of_the_network_at_the_start)
{
    const outcome o = RUN("--info", "innovation", "--size", "50");
    DONE(o);
    assert_mentions(o.out, ARGUMENTS("on people; at the start the 300 edges of the network;", "asks for up to 6 at"));
}

Test(info, networks_are_said_to_be_cut_by_ranks_and_partitions)
{
    const outcome o = RUN("--info", "voter", "--size", "40", "--ranks", "2", "--partitions", "3"),
                  by_edges = RUN("--info", "voter", "--json", "--size", "90", "--set", "network=preferential",
                                 "--ranks", "3", "--shares", "edges"),
                  alone = RUN("--info", "voter", "--size", "40"),
                  many = RUN("--info", "voter", "--size", "40", "--ranks", "65536", "--partitions", "99999");
    DONE(o);
    assert_mentions(o.out, ARGUMENTS("in 6 parts: ", "in 2 ranks: "));
    cr_assert_null(strstr(alone.out, "parts: "), "%s", alone.out);
    static const int nodes[] = {16, 30, 44}; /* as a run has them: ranks.sh */
    json_t *const info = outcome_json(&by_edges), *const ranks =
        json_object_get(json_array_get(json_object_get(info, "networks"), 0), "by_rank");
    for (size_t r = 0; r < 3; r++)
        cr_assert_eq(json_integer_value(json_object_get(json_array_get(ranks, r), "nodes")), nodes[r]);
    json_decref(info);
    DONE(many);
    cr_assert_null(strstr(many.out, "parts: "), "%s", many.out);
}

Test(info, verbose_text_has_all_that_an_author_wants)
{
    const outcome brief = RUN("--info", "sugarscape"), o = RUN("--info", "sugarscape", "--verbose");
    DONE(o);
    assert_mentions(o.out, ARGUMENTS("ABI 0.4", "/sugarscape.so", "callbacks", "sugarscape_look", "radius 6",
        "SEES", "sugar", "ants.place"));
    cr_assert_null(strstr(brief.out, "ants.place"));
    cr_assert_gt(strlen(o.out), strlen(brief.out));
}

Test(info, a_model_that_races_is_said_not_to_be_reproducible)
{
    const outcome racy = RUN("--info", "--plugin", "minesweeper", "--set", "update=racy"),
                  ordered = RUN("--info", "--plugin", "minesweeper");
    assert_mentions(racy.out, ARGUMENTS("not reproducible: callback minesweeper_race writes to places in no order\n"));
    cr_assert_null(strstr(ordered.out, "reproducible"));
    json_t *info = info_of("minesweeper", "46x46");
    cr_assert(json_is_true(json_object_get(info, "reproducible")));
    json_decref(info);
    const outcome o = RUN("--info", "--json", "--plugin", "minesweeper", "--set", "update=racy");
    info = outcome_json(&o);
    cr_assert(json_is_false(json_object_get(info, "reproducible")));
    json_decref(info);
}

Test(info, text_prints_values_that_are_set)
{
    const outcome o = RUN("--info", "--plugin", "life", "--set", "density=0.125", "--set", "edge=dead");
    DONE(o);
    assert_mentions(o.out, ARGUMENTS("set to 0.125", "set to dead", "x bounded"));
}

Test(info, says_what_the_picture_is_of)
{
    const outcome o = RUN("--info", "minesweeper");
    assert_mentions(o.out, ARGUMENTS("\npicture (--image, --movie, --watch)\n  value            of each place, from -1 "
                                     "to 1 in 255 colours\n  walker           on top of them, in 2 colours, by their "
                                     "active\n"));
    const outcome birds = RUN("--info", "boids");
    assert_mentions(birds.out, ARGUMENTS("on top of them, in 1 colour, as arrows by their heading\n"));
    const outcome none = RUN("--info", "histogram");
    cr_assert_null(strstr(none.out, "picture ("), "%s", none.out);
}

/* What happens unless a parameter is set, where the number behind it says nothing. */
Test(info, defaults_are_said_in_words)
{
    const outcome life = RUN("--info", "life"), ants = RUN("--info", "sugarscape"),
                  placed = RUN("--info", "life", "--set", "x=0");
    assert_mentions(life.out, ARGUMENTS("default: a random soup\n", "default: the pattern is centred\n",
                                        "default 0.25, between 0 and 1\n", "default torus, one of torus, dead\n"));
    assert_mentions(ants.out, ARGUMENTS("default: a tenth of the places, as with 0; at least 0\n"));
    assert_mentions(placed.out, ARGUMENTS("edge (integer)\n                   set to 0\n"));
    cr_assert(!strstr(life.out, "value") && !strstr(ants.out, "4294967293"), "%s%s", life.out, ants.out);
    json_t *x = named(info_of("life", "8x8"), "parameters", "x");
    cr_assert_str_eq(text_in(x, "by_default"), "the pattern is centred");
}

Test(info, json_has_parameters)
{
    json_t *info = info_of("heat", "32x16");
    const json_t *alpha = named(info, "parameters", "alpha"), *edge = named(info, "parameters", "edge_y");
    cr_assert_str_eq(text_in(alpha, "type"), "real");
    cr_assert_float_eq(json_real_value(json_object_get(alpha, "value")), 0.1, 1e-15);
    cr_assert_float_eq(json_real_value(json_array_get(json_object_get(alpha, "range"), 1)), 0.25, 1e-15);
    cr_assert_gt(strlen(text_in(alpha, "help")), 5);
    cr_assert_str_eq(text_in(edge, "type"), "choice");
    cr_assert_str_eq(text_in(edge, "value"), "bounded");
    cr_assert_eq(json_array_size(json_object_get(edge, "choices")), 2);
    cr_assert_str_eq(text_in(named(info, "parameters", "heat"), "unit"), "K");
}

Test(info, ranges_may_have_one_end)
{
    const outcome o = RUN("--info", "--plugin", bad_plugin("shape"));
    DONE(o);
    assert_mentions(o.out, ARGUMENTS("default 0 ms, at least 0"));
    json_t *range = json_object_get(named(info_of(bad_plugin("shape"), "8x8"), "parameters", "nap"), "range");
    cr_assert_eq(json_integer_value(json_array_get(range, 0)), 0);
    cr_assert(json_is_null(json_array_get(range, 1)));
}

Test(info, json_hides_constants)
{
    json_t *info = info_of("life", "32x16");
    cr_assert_eq(json_array_size(json_object_get(info, "parameters")), 6);
}

Test(info, json_has_the_model)
{
    json_t *info = info_of("life", "40x20");
    cr_assert_str_eq(text_in(info, "plugin"), "life");
    cr_assert_str_eq(text_in(info, "version"), "2.0.0");
    cr_assert_str_eq(text_in(info, "abi"), "0.4");
    cr_assert_str_eq(text_in(info, "path"), kept(realpath(shipped("life"), NULL)));
    cr_assert_eq(json_integer_value(json_object_get(info, "steps")), 250);
    const json_t *grid = named(info, "spaces", "grid");
    cr_assert_eq(json_integer_value(json_array_get(json_object_get(grid, "size"), 0)), 40);
    cr_assert_eq(json_integer_value(json_array_get(json_object_get(grid, "size"), 1)), 20);
    cr_assert_str_eq(text_in(json_object_get(grid, "edges"), "y"), "torus");
    const json_t *health = named(info, "attributes", "health");
    cr_assert_str_eq(text_in(health, "type"), "bit");
    cr_assert_str_eq(text_in(health, "space"), "grid");
    cr_assert_eq(json_integer_value(json_object_get(health, "length")), 1);
    cr_assert_str_eq(text_in(named(info, "tallies", "population"), "operation"), "sum");
    cr_assert_str_eq(text_in(named(info, "logs", "population"), "expression"), "population");
    const json_t *step = named(info, "callbacks", "life_conway");
    cr_assert_str_eq(text_in(step, "schedule"), "step");
    cr_assert_eq(json_integer_value(json_object_get(step, "radius")), 1);
    cr_assert_gt(json_array_size(json_object_get(step, "fields")), 1);
}

Test(info, of_a_model_that_counts_by_key)
{
    file_write_text(scratch("text"), "some words");
    const outcome o = RUN("--info", "--plugin", "histogram", "--set", "mode=words", "--verbose");
    DONE(o);
    assert_mentions(o.out, ARGUMENTS("KEYS counts"));
    assert_mentions(o.out, ARGUMENTS("--set input=FILE", "(sum by key: texts)"));
}

Test(info, bins_of_an_attribute_have_its_unit)
{
    const outcome o = RUN("--info", "--plugin", "heat", "--tally", "warmth=hist(temperature[1],4,0,1)");
    DONE(o);
    assert_mentions(o.out, ARGUMENTS("(sum, 4 bins from 0 to 1, K)"));
}

/* Two buffers of a bit a place, and little around them. */
Test(info, memory_is_that_of_the_size)
{
    json_t *info = info_of("life", "4096x4096");
    const json_int_t bytes = json_integer_value(json_object_get(info, "memory_bytes"));
    cr_assert_geq(bytes, 2 << 21);
    cr_assert_leq(bytes, (2 << 21) * 12 / 10);
}

Test(info, a_size_that_no_machine_holds_is_described)
{
    json_t *info = info_of("life", "2000000x2000000");
    cr_assert_geq(json_integer_value(json_object_get(info, "memory_bytes")), 1000000000000);
}

static json_int_t bytes_of_worlds(const char *worlds, const char *fuse)
{
    const outcome o = RUN("--info", "--json", "heat", "--size", "4x4", "--worlds", worlds, "--fuse", fuse);
    DONE(o);
    json_t *info = outcome_json(&o);
    const json_int_t bytes = json_integer_value(json_object_get(info, "memory_bytes"));
    json_decref(info);
    return bytes;
}

/* A GPU has them, and so has --device cpu. */
Test(info, memory_has_what_several_steps_in_one_pass_take)
{
    const outcome some = RUN("--info", "life", "--size", "64x64", "--worlds", "20000");
    const outcome none = RUN("--info", "life", "--size", "64x64", "--worlds", "20000", "--fuse", "1");
    const outcome by_itself = RUN("--info", "heat", "--size", "4x4", "--worlds", "300000");
    assert_mentions(some.out, ARGUMENTS("memory at this size: ", "of which ", "for several steps in one"));
    DONE(none);
    cr_assert_null(strstr(none.out, "of which"), "%s", none.out);
    cr_assert_not_null(strstr(by_itself.out, "memory at this size: 480.7 MiB\n"), "%s", by_itself.out);
    cr_assert_gt(bytes_of_worlds("300000", "16"), 15 * bytes_of_worlds("300000", "1"));
}

Test(info, bad_values_are_refused)
{
    REFUSED(RUN("--info", "--plugin", "life", "--set", "density=2"), MASS_BAD_USAGE, "density", "between 0 and 1");
    REFUSED(RUN("--info", "--plugin", "life", "--size", "4x4x4"), MASS_BAD_USAGE, "2 dimensions");
}

/* ---- --list ---- */

Test(info, list_has_the_plugins_that_ship)
{
    const outcome o = RUN("--list");
    DONE(o);
    cr_assert_str_empty(o.err);
    assert_mentions(o.out, ARGUMENTS("  heat  ", "  life  ", "Conway's Game of Life", "dot product"));
    cr_assert_null(strstr(o.out, ".so"));
    const outcome where = RUN("--list", "--verbose");
    assert_mentions(where.out, ARGUMENTS("/heat.so\n", "/life.so\n", "1.0.0"));
}

/* Longer words, as paths, stay whole. */
static void assert_fits(const outcome *o)
{
    DONE(*o);
    cr_assert_gt(line_count(o->out), 5);
    for (const char *line = o->out, *end; (end = strchr(line, '\n')); line = end + 1)
        cr_assert(end - line <= 80 || !memchr(line + 19, ' ', (size_t)(end - line - 19)), "%.*s", (int)(end - line),
                  line);
}

static const char *const models[] = {"life", "heat", "sugarscape", "minesweeper", "histogram", "vector", "wolf-sheep",
                                     "schelling", "boltzmann", "el-farol", "boids", "slime", "circles", "epidemic",
                                     "voter", "innovation"};

Test(info, all_text_fits_a_terminal)
{
    static const char *const asked[][3] = {{"--help"}, {"plot", "--help"}, {"--list"}, {"--list", "--verbose"}};
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        assert_fits(&(const outcome[]){RUN(asked[i][0], asked[i][1])}[0]);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        assert_fits(&(const outcome[]){RUN("--info", models[i])}[0]);
        assert_fits(&(const outcome[]){RUN("--info", models[i], "--verbose")}[0]);
    }
}

/* Runs the example of a description, as a shell takes it, with an end at step 1. */
static void run_example(const outcome *info)
{
    DONE(*info);
    const char *begin = strstr(info->out, "\n\n  mass-engine "), *end = begin ? strstr(begin, "\n\nparameters") : NULL;
    cr_assert(begin && end, "%s", info->out);
    begin += strlen("\n\n  mass-engine ");
    const char *command = path_of("cd '%s' && '%s' %.*s --steps 1 --quiet >out 2>&1 || { cat out; exit 1; }",
                                  scratch(""), getenv("MASS_ENGINE"), (int)(end - begin), begin);
    cr_assert_eq(system(command), 0, "%s", command);
}

/* FILE is there. A path is one word of it, whatever it has in it. */
Test(info, the_example_runs)
{
    const char *plugin = path_of("%s/it's a \\ plugin.so", folder_make(scratch("a folder")));
    file_write_text(scratch("FILE"), "some words");
    file_copy(shipped("vector"), plugin);
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        const char *size = strcmp(models[i], "histogram") == 0 ? "1" : "16";
        run_example(&(const outcome[]){RUN("--info", models[i], "--size", size)}[0]);
    }
    run_example(&(const outcome[]){RUN("--info", plugin, "--size", "4")}[0]);
}

Test(info, list_looks_into_no_plugin_that_everybody_could_have_written)
{
    folder_make(scratch("mine"));
    file_copy(shipped("vector"), scratch("mine/open.so"));
    cr_assert_eq(chmod(scratch("mine/open.so"), 0666), 0);
    cr_assert_eq(setenv("MASS_PLUGIN_PATH", scratch("mine"), 1), 0);
    const outcome o = RUN("--list");
    DONE(o);
    assert_mentions(o.out, ARGUMENTS("  open           everybody can write to"));
}

Test(info, list_in_json_tells_what_is_usable)
{
    folder_make(scratch("mine"));
    file_copy(shipped("life"), scratch("mine/life.so"));
    file_write_text(scratch("mine/broken.so"), "");
    file_write_text(scratch("mine/latin\xe9.so"), "");
    file_write_text(scratch("mine/notes.txt"), "");
    cr_assert_eq(setenv("MASS_PLUGIN_PATH", scratch("mine"), 1), 0);
    const outcome o = RUN("--list", "--json");
    DONE(o);
    json_t *list = outcome_json(&o), *one;
    int latin = 0, broken = 0, shadowed = 0, mine = 0;
    size_t i;
    json_array_foreach(list, i, one) {
        const char *path = text_in(one, "path");
        const bool usable = json_is_true(json_object_get(one, "usable"));
        if (strstr(path, "mine/latin\\xe9.so")) latin++;
        else if (strcmp(path, scratch("mine/broken.so")) == 0) {
            broken++;
            cr_assert_not(usable);
            assert_mentions(text_in(one, "problem"), ARGUMENTS("empty"));
        } else cr_assert(usable, "%s", path);
        mine += strcmp(path, scratch("mine/life.so")) == 0;
        shadowed += json_is_true(json_object_get(one, "shadowed"));
        cr_assert_null(strstr(path, "notes"));
    }
    cr_assert_eq(latin, 1);
    cr_assert_eq(broken, 1);
    cr_assert_eq(mine, 1);
    cr_assert_eq(shadowed, 1);
}
