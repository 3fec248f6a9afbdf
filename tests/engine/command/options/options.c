/* SPDX-License-Identifier: Apache-2.0 */
/* The command line as data: every option in both spellings, and the sentence that each mistake gets. */
#include "command/options/options.h"

#include <criterion/criterion.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS_MAX = 12 };

/* Arguments up to the first NULL; exactly as many, so that reading beyond them is seen. */
static mass_status parse(const char *const words[], mass_options *out, mass_error *error)
{
    int count = 0;
    while (words[count]) count++;
    char **arguments = malloc((size_t)count * sizeof *arguments + 1);
    for (int i = 0; i < count; i++) arguments[i] = (char *)(uintptr_t)words[i];
    const mass_status status = mass_options_parse(count, arguments, out, error);
    free(arguments);
    return status;
}

static mass_options parsed(const char *const words[])
{
    mass_options o;
    mass_error e = {0};
    cr_assert_eq(parse(words, &o, &e), MASS_OK, "%s", e.text);
    cr_assert_str_empty(e.text);
    return o;
}

#define PARSED(...) parsed((const char *const[]){__VA_ARGS__, NULL})

static void expect_refusal(const char *const words[], const char *text)
{
    mass_options o;
    mass_error e = {0};
    cr_assert_eq(parse(words, &o, &e), MASS_BAD_USAGE, "not refused: %s", text);
    cr_assert_eq(e.status, MASS_BAD_USAGE);
    cr_assert_str_eq(e.text, text);
    mass_options_free(&o);
    cr_assert_null(o.settings);
}

/* ---- what is accepted ---- */

Test(options, a_run_has_plain_defaults)
{
    mass_options o = PARSED("--plugin", "life.so");
    cr_assert_eq(o.mode, MASS_MODE_RUN);
    cr_assert_str_eq(o.plugin, "life.so");
    cr_assert(!o.resume && !o.device && !o.checkpoint && !o.image && !o.movie && !o.settings);
    cr_assert(!o.steps_given && !o.seed_given && !o.worlds_given && !o.first_world_given && !o.every_given &&
              !o.keep_given && !o.json && !o.quiet && !o.resumed);
    cr_assert(o.worlds == 1 && o.partitions == 1 && o.keep == 3 && o.first_world == 0 && o.threads == 0 &&
              o.ranks == 0 && o.comm_timeout == 600);
    cr_assert(o.movie_every == 1 && o.checkpoint_every == 0 && o.slice == -1 && o.dimensions == 0);
    cr_assert(!o.until && !o.series && !o.logs && o.log_count == 0 && !o.log_every_given);
    mass_options_free(&o);
}

Test(options, series_and_a_stop_condition)
{
    mass_options o = PARSED("--plugin", "life", "--log", "births", "--series=a.csv", "--log=x=births == 2",
                            "--log-every", "7", "--until=a == b");
    cr_assert(o.log_count == 2 && o.log_every == 7 && o.log_every_given);
    cr_assert_str_eq(o.logs[0], "births");
    cr_assert_str_eq(o.logs[1], "x=births == 2");
    cr_assert_str_eq(o.series, "a.csv");
    cr_assert_str_eq(o.until, "a == b");
    mass_options_free(&o);
    cr_assert(!o.logs && o.log_count == 0);
}

Test(options, series_that_have_nowhere_to_go)
{
    static const char wanted[] = "--log and --log-every need --checkpoint FOLDER or --series FILE, or in a sweep "
                                 "--results FILE.h5";
    expect_refusal((const char *const[]){"--plugin", "life", "--log", "births", NULL}, wanted);
    expect_refusal((const char *const[]){"--plugin", "life", "--log-every", "3", NULL}, wanted);
    expect_refusal((const char *const[]){"--resume", "f", "--log", "", NULL}, "--log needs a value");
    expect_refusal((const char *const[]){"--resume", "f", "--until=", NULL}, "--until needs a value");
}

typedef enum kind { TEXT, COUNT, WIDE } kind; /* const char *, int32_t, uint64_t or int64_t */

Test(options, every_value_is_taken_in_both_spellings)
{
    static const size_t none = offsetof(mass_options, json);
    static const struct {
        const char *name, *value; kind kind; size_t at; uint64_t expected; size_t given;
    } options[] = {
        {"--plugin", "p.so", TEXT, offsetof(mass_options, plugin), 0, none},
        {"--device", "cuda:1", TEXT, offsetof(mass_options, device), 0, none},
        {"--checkpoint", "folder=1", TEXT, offsetof(mass_options, checkpoint), 0, none},
        {"--image", "a.png", TEXT, offsetof(mass_options, image), 0, none},
        {"--network", "a.graphml", TEXT, offsetof(mass_options, network), 0, none},
        {"--movie", "a.gif", TEXT, offsetof(mass_options, movie), 0, none},
        {"--comm", "mpi", TEXT, offsetof(mass_options, comm), 0, none},
        {"--ranks", "7", COUNT, offsetof(mass_options, ranks), 7, none},
        {"--comm-timeout", "0", WIDE, offsetof(mass_options, comm_timeout), 0, none},
        {"--threads", "1024", COUNT, offsetof(mass_options, threads), 1024, none},
        {"--partitions", "8", COUNT, offsetof(mass_options, partitions), 8, none},
        {"--worlds", "1073741823", COUNT, offsetof(mass_options, worlds), 1073741823,
         offsetof(mass_options, worlds_given)},
        {"--first-world", "0", COUNT, offsetof(mass_options, first_world), 0,
         offsetof(mass_options, first_world_given)},
        {"--steps", "1099511627775", WIDE, offsetof(mass_options, steps), ((uint64_t)1 << 40) - 1,
         offsetof(mass_options, steps_given)},
        {"--steps", "1e6", WIDE, offsetof(mass_options, steps), 1000000, offsetof(mass_options, steps_given)},
        {"--steps", "2.5e3", WIDE, offsetof(mass_options, steps), 2500, offsetof(mass_options, steps_given)},
        {"--threads", "1e2", COUNT, offsetof(mass_options, threads), 100, none},
        {"--steps", "0", WIDE, offsetof(mass_options, steps), 0, offsetof(mass_options, steps_given)},
        {"--seed", "9223372036854775807", WIDE, offsetof(mass_options, seed), INT64_MAX,
         offsetof(mass_options, seed_given)},
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        for (int together = 0; together < 2; together++) {
            char joined[64];
            snprintf(joined, sizeof joined, "%s=%s", options[i].name, options[i].value);
            mass_options o = together ? PARSED("--plugin", "x", joined)
                                      : PARSED("--plugin", "x", options[i].name, options[i].value);
            const char *field = (const char *)&o + options[i].at;
            if (options[i].kind == TEXT) cr_assert_str_eq(*(const char *const *)field, options[i].value);
            if (options[i].kind == COUNT) cr_assert_eq(*(const int32_t *)field, (int32_t)options[i].expected);
            if (options[i].kind == WIDE) cr_assert_eq(*(const uint64_t *)field, options[i].expected);
            cr_assert_eq(*((const bool *)&o + options[i].given), options[i].given != none, "%s", options[i].name);
            mass_options_free(&o);
        }
}

Test(options, what_belongs_to_an_output_needs_it)
{
    mass_options o = PARSED("--plugin", "x", "--checkpoint", "f", "--keep=0");
    cr_assert(o.keep == 0 && o.keep_given);
    mass_options_free(&o);
    o = PARSED("--resume", "f", "--keep", "7");
    cr_assert(o.keep == 7 && o.keep_given);
    mass_options_free(&o);
    o = PARSED("--plugin", "x", "--movie-every", "9", "--movie", "a.gif", "--slice=5");
    cr_assert(o.movie_every == 9 && o.slice == 5 && o.checkpoint_every == 0);
    mass_options_free(&o);
    o = PARSED("--plugin", "x", "--slice", "0", "--image=a.png");
    cr_assert_eq(o.slice, 0);
    mass_options_free(&o);
    o = PARSED("--plugin", "x", "--slice", "0", "--watch");
    cr_assert(o.slice == 0 && o.watch);
    mass_options_free(&o);
    expect_refusal((const char *const[]){"--plugin", "x", "--keep", "7", NULL}, "--keep needs --checkpoint FOLDER");
    expect_refusal((const char *const[]){"--plugin", "x", "--image", "a.png", "--movie-every", "1", NULL},
                   "--movie-every needs --movie FILE.gif");
    expect_refusal((const char *const[]){"--plugin", "x", "--slice", "0", NULL},
                   "--slice needs --image FILE.png, --movie FILE.gif or --watch");
}

Test(options, checkpoints_every_so_many_steps_need_a_folder_or_a_resumed_run)
{
    mass_options o = PARSED("--plugin", "x", "--checkpoint", "f", "--checkpoint-every", "25");
    cr_assert(o.checkpoint_every == 25 && o.every_given && o.movie_every == 1);
    mass_options_free(&o);
    o = PARSED("--resume", "f", "--checkpoint-every=25");
    cr_assert(o.checkpoint_every == 25 && o.every_given);
    mass_options_free(&o);
    expect_refusal((const char *const[]){"--plugin", "x", "--checkpoint-parts", NULL},
                   "--checkpoint-parts needs --checkpoint FOLDER");
    expect_refusal((const char *const[]){"--plugin", "x", "--checkpoint-every", "25", NULL},
                   "--checkpoint-every needs --checkpoint FOLDER");
}

Test(options, flags_are_taken)
{
    static const struct { const char *flag; mass_mode mode; } modes[] = {{"--info", MASS_MODE_INFO},
        {"--list", MASS_MODE_LIST}, {"--version", MASS_MODE_VERSION}, {"--help", MASS_MODE_HELP},
        {"-h", MASS_MODE_HELP}};
    mass_options o = PARSED("--json", "--plugin", "x", "--quiet");
    cr_assert(o.json && o.quiet && !o.watch && o.mode == MASS_MODE_RUN);
    mass_options_free(&o);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        o = PARSED("--plugin", "x", modes[i].flag);
        cr_assert_eq(o.mode, modes[i].mode);
        cr_assert_not(o.json);
        mass_options_free(&o);
    }
}

Test(options, list_version_and_help_need_nothing_else)
{
    for (int i = 0; i < 3; i++) {
        mass_options o = PARSED((const char *const[]){"--list", "--version", "--help"}[i]);
        cr_assert_neq(o.mode, MASS_MODE_RUN);
        mass_options_free(&o);
    }
}

Test(options, probes_are_modes_of_their_own)
{
    mass_options o = PARSED("--probe-plugin", "p.so", "--set", "a=1", "--resumed", "--size", "4x4");
    cr_assert(o.mode == MASS_MODE_PROBE_PLUGIN && o.resumed && o.setting_count == 1 && o.dimensions == 2);
    cr_assert_str_eq(o.plugin, "p.so");
    mass_options_free(&o);
    o = PARSED("--probe-cut", "p.so", "--size", "4", "--ranks", "3", "--partitions", "2");
    cr_assert(o.mode == MASS_MODE_PROBE_CUT && o.ranks == 3 && o.partitions == 2 && o.dimensions == 1);
    cr_assert_str_eq(o.plugin, "p.so");
    mass_options_free(&o);
    o = PARSED("--probe-checkpoint", "c.h5");
    cr_assert_eq(o.mode, MASS_MODE_PROBE_CHECKPOINT);
    cr_assert_str_eq(o.resume, "c.h5");
    mass_options_free(&o);
    o = PARSED("--probe-part", "p.h5");
    cr_assert_eq(o.mode, MASS_MODE_PROBE_PART);
    cr_assert_str_eq(o.resume, "p.h5");
    mass_options_free(&o);
}

Test(options, settings_are_kept_in_order_and_split_at_the_first_equals_sign)
{
    mass_options o = PARSED("--set", "a=1", "--plugin", "x", "--set=b=c=d", "--set", "a=");
    static const char *const expected[][2] = {{"a", "1"}, {"b", "c=d"}, {"a", ""}};
    cr_assert_eq(o.setting_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        cr_assert_str_eq(o.settings[i].name, expected[i][0]);
        cr_assert_str_eq(o.settings[i].value, expected[i][1]);
    }
    mass_options_free(&o);
}

Test(options, the_last_of_one_option_counts)
{
    mass_options o = PARSED("--plugin", "a", "--plugin=b", "--steps", "1", "--steps=2", "--size=3", "--size", "4x5");
    cr_assert_str_eq(o.plugin, "b");
    cr_assert(o.steps == 2 && o.dimensions == 2 && o.size[0] == 4 && o.size[1] == 5 && o.size[2] == 1);
    mass_options_free(&o);
}

Test(options, a_value_may_look_like_an_option)
{
    mass_options o = PARSED("--plugin", "--json", "--checkpoint", "--quiet");
    cr_assert_str_eq(o.plugin, "--json");
    cr_assert_str_eq(o.checkpoint, "--quiet");
    cr_assert(!o.json && !o.quiet);
    mass_options_free(&o);
}

Test(options, a_resumed_run_may_change_where_it_runs_and_what_it_writes)
{
    mass_options o = PARSED("--resume", "ck", "--plugin", "x", "--steps", "9", "--device", "cpu", "--threads", "2",
                            "--partitions", "3", "--keep", "5");
    cr_assert_str_eq(o.resume, "ck");
    cr_assert(o.steps == 9 && o.threads == 2 && o.partitions == 3 && o.keep == 5);
    mass_options_free(&o);
}

/* ---- sizes ---- */

Test(options, sizes_have_one_to_three_extents)
{
    static const struct { const char *text; mass_gidx size[3]; uint32_t dimensions; } good[] = {
        {"512", {512, 1, 1}, 1}, {"512x256", {512, 256, 1}, 2}, {"1x2x3", {1, 2, 3}, 3},
        {"9223372036854775807x1", {INT64_MAX, 1, 1}, 2}, {"007x01", {7, 1, 1}, 2}, {"1e3x2e1", {1000, 20, 1}, 2},
        {"5.0x3", {5, 3, 1}, 2}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        mass_gidx size[3];
        uint32_t dimensions;
        cr_assert(mass_options_size(good[i].text, size, &dimensions), "%s", good[i].text);
        cr_assert_arr_eq(size, good[i].size, sizeof size);
        cr_assert_eq(dimensions, good[i].dimensions);
    }
}

Test(options, bad_sizes_change_nothing)
{
    static const char *const bad[] = {"", "x", "0", "-5", "5x", "x5", "5xx5", "5x0", "5x-1", "1x2x3x4", "5 x5", "5X5",
        "5x5x", "five", "5.5", "5.", "0x10", "9223372036854775808", "1x99999999999999999999999999999999", "+5", " 5",
        "5 "};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mass_gidx size[3] = {7, 8, 9};
        uint32_t dimensions = 77;
        cr_assert_not(mass_options_size(bad[i], size, &dimensions), "'%s'", bad[i]);
        cr_assert(size[0] == 7 && size[1] == 8 && size[2] == 9 && dimensions == 77);
    }
}

/* ---- what is refused ---- */

Test(options, mistakes_are_named)
{
    static const char resumed[] = "a resumed run keeps its parameters, size, seed and worlds: leave out --set, "
                                  "--params, --load, --sweep, --size, --seed, --worlds and --first-world";
    static const char nothing[] = "name a model, as in mass-engine life, or a checkpoint with --resume; --list names "
                                  "models, and --help tells more";
    static const struct { const char *words[ARGUMENTS_MAX], *text; } bad[] = {
        {{"--json"}, nothing},
        {{NULL}, nothing},
        {{"--plugin", "x", "--colour", "3"},
         "there is no option --colour; --help lists them, and --set colour=VALUE sets a parameter of the model"},
        {{"--plugin", "x", "--colour=3"},
         "there is no option --colour; --help lists them, and --set colour=VALUE sets a parameter of the model"},
        {{"--plugin", "x", "--colour"},
         "there is no option --colour; --help lists them, and --set colour=VALUE sets a parameter of the model"},
        {{"life", "--density", "0.4"}, "there is no option --density; did you mean --design, or --set density=VALUE?"},
        {{"life", "--stpes", "4"}, "there is no option --stpes; did you mean --steps?"},
        {{"life", "--2x=4"}, "there is no option --2x; --help lists them"},
        {{"--plugin", "x", ""}, "an argument is empty, and has to be an option or a plugin"},
        {{"life", "heat"}, "one plugin at a time: life or heat"},
        {{"life", "--plugin", "heat"}, "one plugin at a time: heat or life"},
        {{"life", "--size", "100", "80"}, "'80' needs an option; a size along two axes is one word, as in --size "
         "100x80"},
        {{"life", "density=0.3"}, "'density=0.3' needs an option; did you mean --set density=0.3?"},
        {{"run", "life"}, "there is no command run; did you mean mass-engine life?"},
        {{"run", "--plugin", "life"}, "there is no command run; leave the word out"},
        {{"list"}, "there is no command list; did you mean --list?"},
        {{"--plugin", "x", "--"}, "there is no option --; --help lists them"},
        {{"--plugin", "x", "-q"}, "there is no option -q; --help lists them"},
        {{"--plugin", "x", "--a_name_that_is_longer_than_any_option_that_there_is_or_ever_will_be=1"},
         "there is no option --a_name_that_is_longer_than_any_option_that_there_is_or_ever_will_be; --help lists "
         "them"},
        {{"--plugin", "x", "--resumed"}, "there is no option --resumed; --help lists them"},
        {{"--plugin", "x", "--quiet=1"}, "--quiet takes no value"},
        {{"--plugin", "x", "--json="}, "--json takes no value"},
        {{"--plugin", "x", "--force=all"}, "--force takes no value"},
        {{"--info"}, "--info needs a plugin, as in mass-engine --info life"},
        {{"--plugin", "x", "--verbose"}, "--verbose goes with --info, --list or --version"},
        {{"--plugin"}, "--plugin needs a value"},
        {{"--plugin", ""}, "--plugin needs a value"},
        {{"--plugin="}, "--plugin needs a value"},
        {{"--plugin", "x", "--threads"}, "--threads needs a value"},
        {{"--plugin", "x", "--set"}, "--set needs a value"},
        {{"--plugin", "x", "--size"}, "--size needs a value"},
        {{"--probe-plugin"}, "--probe-plugin needs a value"},
        {{"--plugin", "x", "--set", "rate"}, "--set rate is not of the form NAME=VALUE"},
        {{"--plugin", "x", "--set", "=1"}, "--set =1 is not of the form NAME=VALUE"},
        {{"--plugin", "x", "--size", "0x5"},
         "--size 0x5 is not N, NXxNY or NXxNYxNZ with extents of at least 1"},
        {{"--plugin", "x", "--steps", "-1"}, "--steps -1 is not an integer from 0 to 1099511627775"},
        {{"--plugin", "x", "--steps", "1099511627776"},
         "--steps 1099511627776 is not an integer from 0 to 1099511627775"},
        {{"--plugin", "x", "--steps", "many"}, "--steps many is not an integer from 0 to 1099511627775"},
        {{"--plugin", "x", "--seed", "-1"}, "--seed -1 is not an integer from 0 to 2^63 - 1"},
        {{"--plugin", "x", "--seed", "9223372036854775808"},
         "--seed 9223372036854775808 is not an integer from 0 to 2^63 - 1"},
        {{"--plugin", "x", "--threads", "0"}, "--threads 0 is not an integer from 1 to 1024"},
        {{"--plugin", "x", "--threads", "1025"}, "--threads 1025 is not an integer from 1 to 1024"},
        {{"--plugin", "x", "--partitions", "0"}, "--partitions 0 is not an integer from 1 to 1073741823"},
        {{"--plugin", "x", "--partitions=2.5"}, "--partitions 2.5 is not an integer from 1 to 1073741823"},
        {{"--plugin", "x", "--worlds", "1073741824"}, "--worlds 1073741824 is not an integer from 1 to 1073741823"},
        {{"--plugin", "x", "--first-world", "-1"}, "--first-world -1 is not an integer from 0 to 1073741823"},
        {{"--plugin", "x", "--keep", "-1"}, "--keep -1 is not an integer from 0 to 1073741823"},
        {{"--plugin", "x", "--slice", "-1"}, "--slice -1 is not an integer from 0 to 2147483647"},
        {{"--plugin", "x", "--movie-every", "0"},
         "--movie-every 0 is not an integer from 1 to 2^63 - 1"},
        {{"--plugin", "x", "--checkpoint-every", "0"},
         "--checkpoint-every 0 is not an integer from 1 to 2^63 - 1"},
        {{"--resume", "c", "--set", "a=1"}, resumed},
        {{"--resume", "c", "--size", "5"}, resumed},
        {{"--resume", "c", "--seed", "0"}, resumed},
        {{"--resume", "c", "--worlds", "1"}, resumed},
        {{"--resume", "c", "--first-world", "0"}, resumed}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) expect_refusal(bad[i].words, bad[i].text);
}

Test(options, the_first_mistake_is_the_one_told)
{
    expect_refusal((const char *const[]){"--threads", "none", "--steps", "none", "--speed", NULL},
                   "--threads none is not an integer from 1 to 1024");
}

/* ---- names of options ---- */

static const mass_option *next(const mass_option *o) { return mass_option_next(&mass_engine_command, o); }

/* Whether one letter was left out, put in, or swapped with the next. */
static void expect_meant(const char *misspelt, const char *name)
{
    char word[80], wanted[80];
    snprintf(word, sizeof word, "--%s", misspelt);
    snprintf(wanted, sizeof wanted, "did you mean --%s?", name);
    mass_options o;
    mass_error e = {0};
    if (mass_option_find(&mass_engine_command, word, strlen(word))) return; /* it is short for another */
    cr_assert_eq(parse((const char *const[]){word, NULL}, &o, &e), MASS_BAD_USAGE);
    mass_options_free(&o);
    cr_assert(strstr(e.text, wanted) || strstr(e.text, "short for several"), "%s", e.text);
}

Test(options, a_misspelt_one_is_suggested)
{
    int tried = 0;
    for (const mass_option *o = NULL; (o = next(o));) {
        const size_t length = strlen(o->name);
        for (size_t i = 1; i + 1 < length; i++, tried++) {
            char misspelt[64], swapped[64];
            snprintf(misspelt, sizeof misspelt, "%.*sq%s", (int)i, o->name, o->name + i);
            expect_meant(misspelt, o->name);
            snprintf(swapped, sizeof swapped, "%s", o->name);
            swapped[i] = o->name[i + 1], swapped[i + 1] = o->name[i];
            if (strcmp(swapped, o->name) != 0) expect_meant(swapped, o->name);
        }
    }
    cr_assert_gt(tried, 100);
}

Test(options, what_is_one_options_alone_is_short_for_it)
{
    for (const mass_option *o = NULL; (o = next(o));)
        for (size_t length = 1; length <= strlen(o->name); length++) {
            char word[64];
            int others = 0;
            const mass_option *whole = NULL;
            snprintf(word, sizeof word, "--%.*s", (int)length, o->name);
            for (const mass_option *other = NULL; (other = next(other));) {
                others += other != o && strncmp(other->name, o->name, length) == 0;
                if (strcmp(other->name, word + 2) == 0) whole = other;
            }
            const mass_option *found = mass_option_find(&mass_engine_command, word, strlen(word));
            cr_assert_eq(found, whole ? whole : others ? NULL : o, "%s", word);
        }
    mass_options o = PARSED("life", "--ste", "3", "--forc", "--siz=4x4");
    cr_assert(o.steps == 3 && o.force && o.dimensions == 2);
    mass_options_free(&o);
    expect_refusal((const char *const[]){"life", "--check", "x", NULL},
                   "--check is short for several: --checkpoint, --checkpoint-every, "
                   "--checkpoint-parts");
    expect_refusal((const char *const[]){"--probe-plug", "x", NULL},
                   "there is no option --probe-plug; --help lists them");
}

Test(options, a_plugin_is_a_word_alone)
{
    mass_options o = PARSED("--steps", "3", "life", "--json");
    cr_assert_str_eq(o.plugin, "life");
    cr_assert(o.steps == 3 && o.json);
    mass_options_free(&o);
    o = PARSED("--info", "./life.so", "--verbose");
    cr_assert_str_eq(o.plugin, "./life.so");
    cr_assert(o.mode == MASS_MODE_INFO && o.verbose);
    mass_options_free(&o);
    o = PARSED("plugin", "--resume", "f");
    cr_assert_str_eq(o.plugin, "plugin");
    cr_assert_str_eq(o.resume, "f");
    mass_options_free(&o);
}
