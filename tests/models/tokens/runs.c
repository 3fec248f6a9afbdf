/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by key on CPUs: against sorted arrays of all contributions. */
#include "../../extended.h"
#include "run.h"
#include "tokens.h"
#include "tokens_known.h"

#include <criterion/criterion.h>
#include <string.h>

Test(tokened, keys_are_those_of_plain_loops_wherever_it_runs)
{
    static const char *const places[] = {"--device cpu --threads 1", "--device cpu --threads 3", "--device paranoid",
                                         "--device cpu --threads 2 --partitions 7", "--device paranoid --partitions 5"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i += (size_t)unsanitized(2, 1))
        for (int kind = TOKENS_FEW; kind <= TOKENS_ALIKE; kind++)
            EXPECT_TOKENS(places[i], .nx = 311, .ny = 43, .steps = 2, .kind = kind);
}

Test(tokened, a_million_keys_in_one_launch)
{
    EXPECT_TOKENS("--device cpu --threads 2", .nx = 1250, .ny = 800, .steps = 1, .kind = TOKENS_MANY);
}

Test(tokened, texts_of_any_length)
{
    EXPECT_TOKENS("--device cpu --threads 2", .nx = 70000, .ny = 6, .steps = 2);
    EXPECT_TOKENS("--device cpu --partitions 2", .nx = 65534, .ny = 4, .steps = 1, .alike = 1);
    EXPECT_TOKENS("--device cpu", .nx = 65535, .ny = 3, .steps = 1, .alike = 1);
    EXPECT_TOKENS("--device cpu", .nx = 1, .ny = 40, .steps = 1);
}

Test(tokened, worlds_count_apart)
{
    EXPECT_TOKENS("--threads 2", .nx = 100, .ny = 30, .steps = 2, .kind = TOKENS_MANY, .worlds = 3);
}

Test(tokened, a_resumed_run_goes_on_with_them)
{
    const char *folder = folder_make();
    engine_write(text("--plugin '%s/tokens.so' --size 200x20 --steps 2 --checkpoint '%s'", MASS_TEST_PLUGINS, folder));
    EXPECT_TOKENS("--partitions 3", .nx = 200, .ny = 20, .steps = 5, .folder = folder);
}

Test(tokened, are_refused_where_a_number_is_wanted)
{
    engine_refuse(text("--plugin '%s/tokens.so' --until 'words > 3'", MASS_TEST_PLUGINS), 2,
                  "tally 'words' counts by key");
}

Test(tokened, a_text_beyond_its_row_is_refused)
{
    const char *run = text("--plugin '%s/tokens.so' --size 90x20 --steps 1", MASS_TEST_PLUGINS);
    engine_refuse(text("%s --device paranoid --set beyond=1", run), 3,
                  "callback tokens_rows, field text, step 1: it is read outside the partition's row, to compute field "
                  "rows for world 0");
    engine_refuse(text("%s --device cpu --set beyond=100000000", run), 3,
                  "callback tokens_rows, field rows, step 1: it counts a text that is not in the array of field "
                  "text");
}

/* The service says of the final step what the report does. */
Test(tokened, a_plugin_reads_them_in_the_end)
{
    process p = engine_start(text("--plugin '%s/tokens.so' --size 311x43 --steps 2 --set kind=0", MASS_TEST_PLUGINS));
    outcome o = engine_finish(&p);
    const json_t *tallies = json_object_get(o.report, "tallies"), *numbers = json_object_get(tallies, "numbers");
    const json_t *first = json_array_get(json_object_get(numbers, "top"), 0);
    const json_t *word = json_array_get(json_object_get(json_object_get(tallies, "words"), "top"), 0);
    const json_t *number = json_array_get(first, 0);
    const char *key = json_is_integer(number) ? text("%lld", json_integer_value(number)) : json_string_value(number);
    const char *said = text("9 numbers of %d, most of %s: %lld", 311 * 43, key,
                            json_integer_value(json_array_get(first, 1)));
    cr_assert_not_null(strstr(o.errors, said), "%s is not in %s", said, o.errors);
    cr_assert_not_null(strstr(o.errors, text("bytes, %lld", json_integer_value(json_array_get(word, 1)))));
    outcome_free(&o);
}
