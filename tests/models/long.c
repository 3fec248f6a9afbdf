/* SPDX-License-Identifier: Apache-2.0 */
/* What takes minutes. */
#include "soup.h"

#include <criterion/criterion.h>

Test(life, acorn_on_paranoid_has_633_cells_at_generation_5206)
{
    expect_population("--device paranoid --threads 1", "acorn.rle", 5206, 633);
}

Test(life, r_pentomino_on_paranoid_has_116_cells_at_generation_1103)
{
    expect_population("--device paranoid --threads 1", "r-pentomino.rle", 1103, 116);
}
