/* SPDX-License-Identifier: Apache-2.0 */
/* Places that see agents around them, on a GPU: recorded steps, partitions and worlds. */
#include "gpu.h"
#include "ways.h"

Test(around_cuda, sees_what_a_plain_program_sees)
{
    for (int i = 0; i < AROUNDS; i++)
        for (int partitions = 1; partitions <= 2; partitions++)
            cr_expect_str_eq(engine_result(text("%s --device cuda --partitions %d", around_options(i), partitions)),
                             engine_result(text("%s --device cpu", around_options(i))), "%s", around_options(i));
}

Test(around_cuda, long_runs_large_spaces_and_odd_handles_are_the_same)
{
    const char *around = text("--plugin '%s/around.so' --seed 12", MASS_TEST_PLUGINS);
    static const char *const more[] = {"--steps 60", "--steps 20 --set odd=1", "--steps 20 --set odd=2",
                                       "--steps 20 --set far=9", "--steps 30 --worlds 9 --size 14x10",
                                       "--steps 3 --size 600x40 --set ants=2000 --set bees=900"};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        cr_expect_str_eq(engine_result(text("%s --device cuda %s", around, more[i])),
                         engine_result(text("%s --device cpu %s", around, more[i])), "%s", more[i]);
}

Test(around_cuda, bits_are_the_same)
{
    for (int i = 0; i < AROUND_BITS; i++)
        cr_expect_str_eq(engine_result(text("%s --device cuda", around_bits_options(i))),
                         engine_result(text("%s --device cpu --threads 1", around_bits_options(i))), "%s",
                         around_bits_options(i));
}
