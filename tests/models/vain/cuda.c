/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that no manage applies are reported once a run, on a GPU: launched, replayed, and of small worlds. */
#include "known.h"

#include <criterion/criterion.h>

Test(vain_cuda, what_nobody_carries_out_is_said_once)
{
    expect_words("--device cuda", 2);
    expect_words("--device cuda --partitions 3", 200);
    expect_words("--device cuda --worlds 5", 200);
}
