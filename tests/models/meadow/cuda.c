/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks that see two populations, on a GPU. */
#include "gpu.h"
#include "ways.h"

Test(meadow_cuda, both_populations_are_seen_where_they_stand)
{
    for (int i = 0; i < MEADOWS; i++) {
        expect_equal_sights(text("%s --device cuda", meadow_options(i)));
        for (int partitions = 1; partitions <= 2; partitions++)
            cr_expect_str_eq(engine_result(text("%s --device cuda --partitions %d", meadow_options(i), partitions)),
                             engine_result(text("%s --device cpu", meadow_options(i))), "%s", meadow_options(i));
    }
}
