/* SPDX-License-Identifier: Apache-2.0 */
/* Agents in turn do not run on a GPU: the run ends when it opens. */
#include "gpu.h"
#include "run.h"

#include <criterion/criterion.h>

Test(turn_cuda, is_refused)
{
    engine_refuse(text("--plugin '%s/turn.so' --seed 1 --steps 2 --device cuda", MASS_TEST_PLUGINS), 2,
                  "agents act in turn in callback turn_1, which");
}
