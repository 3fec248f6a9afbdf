/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by key on a GPU: tables that grow in the middle of a launch, between launches, and not at all. */
#include "run.h"
#include "tokens.h"
#include "tokens_known.h"

#include <criterion/criterion.h>

Test(tokened_cuda, keys_are_those_of_plain_loops)
{
    for (int kind = TOKENS_FEW; kind <= TOKENS_ALIKE; kind++) {
        EXPECT_TOKENS("--device cuda", .nx = 311, .ny = 43, .steps = 3, .kind = kind);
        EXPECT_TOKENS("--device cuda --partitions 7", .nx = 311, .ny = 43, .steps = 2, .kind = kind);
    }
}

/* From 2^16 slots on. */
Test(tokened_cuda, a_million_keys_in_one_launch)
{
    EXPECT_TOKENS("--device cuda", .nx = 1250, .ny = 800, .steps = 3, .kind = TOKENS_MANY);
    EXPECT_TOKENS("--device cuda", .nx = 3000, .ny = 1000, .steps = 1, .kind = TOKENS_MANY);
}

Test(tokened_cuda, texts_of_any_length)
{
    EXPECT_TOKENS("--device cuda", .nx = 70000, .ny = 6, .steps = 2);
    EXPECT_TOKENS("--device cuda", .nx = 65536, .ny = 600, .steps = 1);
    EXPECT_TOKENS("--device cuda --partitions 2", .nx = 65534, .ny = 4, .steps = 2, .alike = 1);
    EXPECT_TOKENS("--device cuda", .nx = 65535, .ny = 3, .steps = 1, .alike = 1);
    EXPECT_TOKENS("--device cuda", .nx = 1, .ny = 40, .steps = 1);
}

Test(tokened_cuda, a_text_outside_its_array_is_refused)
{
    engine_refuse(text("--plugin '%s/tokens.so' --size 90x20 --steps 1 --set beyond=100000000 --device cuda",
                       MASS_TEST_PLUGINS), 3, "is not in the array of field text");
}

Test(tokened_cuda, worlds_count_apart)
{
    EXPECT_TOKENS("--device cuda", .nx = 300, .ny = 70, .steps = 2, .kind = TOKENS_MANY, .worlds = 5);
}

Test(tokened_cuda, a_resumed_run_goes_on_with_them)
{
    static const char *const devices[] = {"cpu", "cuda"};
    for (int i = 0; i < 2; i++) {
        const char *folder = folder_make();
        engine_write(text("--plugin '%s/tokens.so' --size 70000x20 --steps 2 --set kind=1 --device %s "
                          "--checkpoint '%s'", MASS_TEST_PLUGINS, devices[i], folder));
        EXPECT_TOKENS(text("--device %s", devices[1 - i]), .nx = 70000, .ny = 20, .steps = 5,
                      .kind = TOKENS_MANY, .folder = folder);
    }
}
