/* SPDX-License-Identifier: Apache-2.0 */
/* The main function of test programs that need a GPU: where the engine finds none, or was built
 * without CUDA, it says so on standard output and ends with a status that ctest shows as "Skipped". */
#include "gpu.h"

#include "run.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { SKIPPED = 77 };

/* Reasons to skip; any other failure is one of the tests. */
static bool is_absence(const outcome *o)
{
    static const char *const reasons[] = {"there is no usable GPU", "there is no CUDA in this build",
                                          "was built without device code"};
    for (size_t i = 0; o->status == 5 && i < sizeof reasons / sizeof *reasons; i++)
        if (strstr(o->errors, reasons[i])) return true;
    return false;
}

static bool skip(void)
{
    process p = engine_start("--plugin life --device cuda --steps 0 --quiet");
    outcome o = engine_finish(&p);
    const bool absent = is_absence(&o);
    if (absent) printf("Skipped: %s", o.errors);
    outcome_free(&o);
    return absent;
}

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

/* Criterion looks it up by its name in the processes of the tests. */
__attribute__((visibility("default"))) int main(int count, char *arguments[])
{
    struct criterion_test_set *tests = criterion_initialize();
    int status = 0;
    if (criterion_handle_args(count, arguments, true))
        status = skip() ? SKIPPED : criterion_run_all_tests(tests) ? 0 : 1;
    criterion_finalize(tests);
    return status;
}
