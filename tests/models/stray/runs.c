/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of attributes as offsets, children and residents, on CPUs: nothing leads outside, and all ways to run come
 * to what plain loops do. */
#include "../../instructions.h"
#include "known.h"
#include "run.h"
#include "stray.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(stray, comes_to_the_same_as_plain_loops_in_any_partition)
{
    for (int partitions = 1; partitions <= 7; partitions++)
        for (int births = partitions % 3 != 1; births < 2; births++)
            expect_strays(13, 11, births, text("--device cpu --threads %d --partitions %d", partitions % 3 + 1,
                                               partitions));
}

Test(stray, comes_to_the_same_in_spaces_smaller_than_the_reach)
{
    static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 7}, {3, 2}, {100, 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int partitions = 1; partitions <= sizes[i][1]; partitions++)
            expect_strays(sizes[i][0], sizes[i][1], 0, text("--device cpu --partitions %d", partitions));
}

Test(stray, comes_to_the_same_with_any_instructions)
{
    static const char *const sets[] = {"base", "avx2", "avx512"};
    for (int i = 0; i < 3; i++) {
        if (!machine_has(sets[i])) continue;
        setenv("MASS_ISA", sets[i], 1);
        expect_strays(70, 5, 1, "--device cpu --threads 2 --partitions 2");
    }
    unsetenv("MASS_ISA");
}

Test(stray, what_stays_within_passes_the_paranoid_device)
{
    const char *stays = text("--plugin '%s/stray.so' --seed 1 --set strays=0 --set births=1", MASS_TEST_PLUGINS);
    const char *paranoid = engine_result(text("%s --device paranoid --partitions 3", stays));
    cr_assert_str_eq(engine_result(text("%s --device cpu --threads 2", stays)), paranoid);
}

Test(stray, the_paranoid_device_names_who_strays_and_how_far)
{
    static const struct { int who; const char *words; } all[] = {
        {SEES, "callback stray_look, step 1: at place ("},
        {SEES, " it sees the place ("},
        {SEES, " away, which is farther than 2"},
        {COUNTS, " it counts the agents on the place ("},
        {NAMES_CHILDREN, " it names child "},
        {NAMES_CHILDREN, ", and an agent has at most 2"},
        {NAMES_RESIDENTS, "callback stray_listen, step 1: at place ("},
        {NAMES_RESIDENTS, ", which is not a resident of that population: take its "},
        {READS, "callback stray_read, step 1: at place ("},
        {READS, " away, which is farther than 1"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int partitions = 1; partitions <= 3; partitions += 2)
            engine_refuse(text("--plugin '%s/stray.so' --seed 1 --device paranoid --set births=1 --set strays=%d "
                               "--partitions %d", MASS_TEST_PLUGINS, all[i].who, partitions), 3, all[i].words);
}
