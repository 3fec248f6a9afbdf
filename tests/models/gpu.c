/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu.h"
#include "needed.h"
#include "run.h"

#include <criterion/criterion.h>

const needed what_is_needed = {"--plugin life --device cuda --steps 0 --quiet",
                               {"there is no usable GPU", "there is no CUDA in this build",
                                "was built without device code", NULL}};

void expect_outcome_of_cpu(const char *options)
{
    outcome cuda = engine_run(text("%s --device cuda", options)), cpu = engine_run(text("%s --device cpu", options));
    cr_assert_str_eq(cuda.hash, cpu.hash, "%s", options);
    cr_assert_str_eq(cuda.tallies, cpu.tallies, "%s", options);
    cr_assert_eq(json_integer_value(json_object_get(cuda.report, "steps")),
                 json_integer_value(json_object_get(cpu.report, "steps")), "%s", options);
    outcome_free(&cuda);
    outcome_free(&cpu);
}
