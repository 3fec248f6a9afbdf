/* SPDX-License-Identifier: Apache-2.0 */
/* Agents that ask again, on the CPU. */
#include "losers/known.h"

#include <criterion/criterion.h>

Test(losers, are_the_same_on_threads) { each_refused(same_on_threads); }
Test(losers, are_the_same_in_partitions) { each_refused(same_in_partitions); }
Test(losers, are_the_same_on_paranoid)
{
    const model m = losers_model(23, 19, 12, "--seed 3 --set dies=300");
    same_on_paranoid(&m);
}

static void expect_losers(const model *m) { expect_all_losers(m, "--device cpu"); }
Test(losers, are_all_who_were_lost) { each_refused(expect_losers); }
