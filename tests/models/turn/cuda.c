/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn do not run on a GPU: a run that asks for one ends when it opens, and others take the CPU. */
#include "gpu.h"
#include "run.h"

#include <criterion/criterion.h>

Test(turn_cuda, is_refused)
{
    engine_refuse(text("--plugin '%s/turn.so' --seed 1 --steps 2 --device cuda", MASS_TEST_PLUGINS), 2,
                  "agents act in turn in callback turn_1, which");
}

Test(turn_cuda, takes_the_cpu_if_no_device_is_named)
{
    const char *turn = text("--plugin '%s/turn.so' --seed 1 --steps 2", MASS_TEST_PLUGINS);
    cr_expect_str_eq(engine_result(turn), engine_result(text("%s --device cpu", turn)));
}
