/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn that see, meet and change within distances of their own, on a GPU: the same as the loop of one CPU
 * thread. */
#include "gpu.h"
#include "same.h"
#include "ways.h"

#include <criterion/criterion.h>

Test(scope_cuda, rounds_are_the_loop)
{
    for (int i = 0; i < SCOPES; i++) {
        const char *expected = engine_result(scope_options(text("%s --device cpu --threads 1", scopes[i])));
        for (int partitions = 1; partitions <= 2; partitions++)
            cr_expect_str_eq(engine_result(scope_options(text("%s --device cuda --partitions %d", scopes[i],
                                                              partitions))), expected, "%s, %d", scopes[i],
                             partitions);
    }
}

Test(scope_cuda, large_spaces_are_the_same)
{
    static const char *const large[] = {
        "--steps 4 --size 700x500 --set ants=120000",
        "--steps 4 --size 700x500 --set ants=120000 --set axes=1 --set meets=4 --set changes=3",
        "--steps 4 --size 400x300 --set ants=100000 --set seats=3 --set meets=1 --set changes=0 --set looks=1",
        "--steps 4 --size 60x50x40 --set ants=50000 --set axes=1 --set looks=1"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        const char *options = scope_options(text("%s --set compared=0", large[i]));
        cr_expect_str_eq(engine_result(text("%s --device cuda", options)),
                         engine_result(text("%s --device cpu", options)), "%s", large[i]);
    }
}
