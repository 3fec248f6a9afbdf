/* SPDX-License-Identifier: Apache-2.0 */
/* What shells are told when they ask for completion, straight from the command. */
#include "command.h"
#include "command/options/options.h"
#include "command/options/plot_options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

TestSuite(complete, SCRATCH);

/* Silent and done, whatever is asked. */
static const char *answer(const char *const arguments[])
{
    const outcome o = command_run(NULL, arguments);
    DONE(o);
    cr_assert_str_empty(o.err);
    return o.out;
}
#define ANSWER(...) answer(ARGUMENTS("--complete", __VA_ARGS__))

/* Whether a line begins with the word, and goes on with a tab. */
static bool offers(const char *text, const char *word)
{
    const size_t length = strlen(word);
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        if (strncmp(line, word, length) == 0 && line[length] == '\t') return true;
    return false;
}

static void expect_all(const mass_command *c, const char *all)
{
    int count = 0;
    char spelling[64];
    for (const mass_option *o = NULL; (o = mass_option_next(c, o)); count++)
        cr_assert(offers(all, mass_option_spelling(o, spelling)), "no %s", spelling);
    cr_assert_eq(line_count(all), count);
}

Test(complete, every_option_and_no_hidden_one)
{
    expect_all(&mass_engine_command, ANSWER("life", "-"));
    expect_all(&mass_engine_command, ANSWER("life", ""));
    expect_all(&mass_plot_command, ANSWER("plot", "a.h5", "b", "-"));
    cr_assert_str_empty(ANSWER("--probe"));
}

/* Of every option that takes one: words and files of its kind, after it and behind '='. */
Test(complete, values_are_of_their_kind)
{
    char spelling[64];
    for (const mass_option *o = NULL; (o = mass_option_next(&mass_engine_command, o));) {
        if (!o->value) continue;
        mass_option_spelling(o, spelling);
        const char *apart = ANSWER("life", spelling, ""), *joined = ANSWER("life", path_of("%s=", spelling));
        if (o->expected == MASS_EXPECTED_ANYTHING) cr_assert_str_empty(apart);
        if (o->expected == MASS_EXPECTED_FILE)
            cr_assert_str_eq(apart, path_of(":file%s%s\n", o->words ? " " : "", o->words ? o->words : ""));
        if (o->expected == MASS_EXPECTED_FOLDER) cr_assert_str_eq(apart, ":folder\n");
        const int first = o->words ? (int)strcspn(o->words, " ") : 0;
        if (o->expected == MASS_EXPECTED_WORDS)
            cr_assert(offers(joined, path_of("%s=%.*s", spelling, first, o->words)), "%s", joined);
        if (o->bare) cr_assert(offers(apart, "--steps"), "%s", apart); /* what comes next is another option */
        else cr_assert_eq(line_count(apart), line_count(joined), "%s", spelling);
    }
}

Test(complete, plugins_by_name)
{
    const char *all = ANSWER("");
    cr_assert(offers(all, "life") && offers(all, "heat") && offers(all, "plot"), "%s", all);
    cr_assert_str_eq(ANSWER("--plugin", "lif"), "life\t\n");
    cr_assert_str_eq(ANSWER("--info", "lif"), "life\t\n");
    cr_assert_str_eq(ANSWER("--plugin=lif"), "--plugin=life\t\n");
    cr_assert_str_eq(ANSWER("./li"), ":file .so\n");
}

Test(complete, parameters_of_the_plugin_that_is_named)
{
    static const char *const ways[][3] = {{"life"}, {"--plugin", "life"}, {"--plugin=life", "--json"},
                                          {"--info", "life"}, {"--steps", "3", "life"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const char *arguments[8] = {"--complete"};
        size_t count = 1;
        for (size_t k = 0; k < 3 && ways[i][k]; k++) arguments[count++] = ways[i][k];
        arguments[count++] = "--set";
        arguments[count] = "den";
        cr_assert_str_eq(answer(arguments), "density=\tshare of living places in the random soup\n");
    }
    cr_assert_str_eq(ANSWER("life", "--set", "edge="), "edge=torus\t\nedge=dead\t\n");
    cr_assert_str_eq(ANSWER("life", "--set=edge=d"), "--set=edge=dead\t\n");
    cr_assert_str_empty(ANSWER("life", "--set", "density="));
    cr_assert_str_empty(ANSWER("life", "--set", "birth"));
    cr_assert_str_empty(ANSWER("--set", "den"));
    cr_assert_str_empty(ANSWER("nothing", "--set", "den"));
}

/* A plugin runs because somebody asks for completion only if it is one that --list names. */
Test(complete, no_plugin_is_opened_by_its_path_or_if_everybody_could_have_written_it)
{
    folder_make(scratch("mine"));
    file_copy(shipped("life"), scratch("mine/open.so"));
    cr_assert_eq(setenv("MASS_PLUGIN_PATH", scratch("mine"), 1), 0);
    cr_assert(offers(ANSWER("open", "--set", "den"), "density="));
    cr_assert_str_empty(ANSWER(scratch("mine/open.so"), "--set", "den"));
    cr_assert_eq(chmod(scratch("mine/open.so"), 0666), 0);
    cr_assert_str_empty(ANSWER("open", "--set", "den"));
}

Test(complete, any_words)
{
    static const char *const words[] = {"", "-", "--", "--=", "=", "--set", "--set=", "--st", "--colour=", "plot",
        "\xff", "--plugin", "a=b", "--checkpoint=a=b",
        "--a_name_that_is_longer_than_any_option_that_there_is_or_ever_will_be=1"};
    const size_t count = sizeof words / sizeof *words;
    answer(ARGUMENTS("--complete"));
    for (size_t i = 0; i < count; i++)
        for (size_t k = i % 5; k < count; k += 5) ANSWER(words[i], words[k]);
}
