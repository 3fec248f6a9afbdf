/* SPDX-License-Identifier: Apache-2.0 */
/* What a misspelt name may mean. */
#include "text/spelling.h"

#include <criterion/criterion.h>
#include <string.h>

static const char *nearest_of(const char *word, const char *const names[])
{
    mass_spelling n = mass_spelling_to(word);
    for (size_t i = 0; names[i]; i++) mass_spelling_try(&n, names[i]);
    return n.best ? n.best : "";
}
#define NEAREST(WORD, ...) nearest_of(WORD, (const char *const[]){__VA_ARGS__, NULL})

Test(nearest, one_slip_is_seen_through)
{
    static const char *const slips[] = {"densty", "dnesity", "densitty", "dendity", "Density", "ensity", "densit"};
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++)
        cr_assert_str_eq(NEAREST(slips[i], "pattern", "rule", "density", "edge"), "density", "%s", slips[i]);
}

Test(nearest, the_nearest_counts_and_of_equals_the_first)
{
    cr_assert_str_eq(NEAREST("seed", "speed", "seed", "steps"), "seed");
    cr_assert_str_eq(NEAREST("cat", "car", "bat"), "car");
    cr_assert_str_eq(NEAREST("checkpoint-evry", "checkpoint", "checkpoint-every"), "checkpoint-every");
}

Test(nearest, what_is_far_is_not_guessed)
{
    cr_assert_str_empty(NEAREST("colour", "steps", "seed", "size"));
    cr_assert_str_empty(NEAREST("a", "x", "y"));
    cr_assert_str_empty(NEAREST("", "x", "life"));
    cr_assert_str_empty(NEAREST("life", ""));
}

Test(nearest, long_words_are_none)
{
    char word[200];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    cr_assert_str_empty(NEAREST(word, "a", "life"));
    cr_assert_str_empty(NEAREST("life", word));
    word[63] = '\0';
    cr_assert_str_eq(NEAREST(word, "b", word + 1), word + 1);
}
