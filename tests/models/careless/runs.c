/* SPDX-License-Identifier: Apache-2.0 */
/* The paranoid device finds what is not written though compilers give it a value, and who looks too far though nothing
 * comes of it. */
#include "careless.h"
#include "run.h"

#include <criterion/criterion.h>

static const char *careless(int who, const char *options)
{
    return text("--plugin '%s/careless.so' --seed 1 --set who=%d %s", MASS_TEST_PLUGINS, who, options);
}

Test(careless, a_field_that_is_not_written_on_every_path_is_found)
{
    static const struct { int who; const char *words; } all[] = {
        {LAYS, "callback careless_lay, field ground, step 1: it is in WRITES, but is left unwritten at place (5, 0) "},
        {MEETS, "callback careless_meet, field heard, step 1: it was not written"},
        {ACTS, "callback careless_act, field done, agent 7, step 1: it was not written"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        engine_refuse(careless(all[i].who, text("--device paranoid --partitions %zu", i + 1)), 3, all[i].words);
}

Test(careless, who_looks_too_far_is_found_wherever_and_whatever_for)
{
    static const char *const near[] = {"dx=0 --set dy=0", "dx=1 --set dy=-1", "dx=-1 --set dy=1"};
    static const char *const far[] = {"dx=2 --set dy=0", "dx=-2 --set dy=0", "dx=0 --set dy=2", "dx=0 --set dy=-2",
                                      "dx=13 --set dy=0", "dx=1 --set dy=4294967296"};
    for (int who = SEES; who <= READS; who *= 2)
        for (int partitions = 1; partitions <= 3; partitions += 2) {
            const char *device = text("--device paranoid --partitions %d", partitions);
            for (size_t i = 0; i < sizeof near / sizeof *near; i++)
                engine_result(careless(who, text("%s --set %s", device, near[i])));
            for (size_t i = 0; i < sizeof far / sizeof *far; i++)
                engine_refuse(careless(who, text("%s --set %s", device, far[i])), 3, " away, which is farther than 1");
        }
}

Test(careless, who_looks_too_far_comes_to_the_same_in_any_partition)
{
    const char *looks = careless(SEES + COUNTS + READS, "--device cpu --set dx=0 --set dy=2");
    const char *whole = engine_result(looks);
    for (int partitions = 2; partitions <= 3; partitions++)
        cr_assert_str_eq(engine_result(text("%s --partitions %d", looks, partitions)), whole);
}
