/* SPDX-License-Identifier: Apache-2.0 */
#include "needed.h"
#include "run.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { SKIPPED = 77 };

static bool is_absence(const outcome *o)
{
    for (size_t i = 0; o->status == 5 && what_is_needed.absent[i]; i++)
        if (strstr(o->errors, what_is_needed.absent[i])) return true;
    return false;
}

static bool skip(void)
{
    process p = engine_start(what_is_needed.options);
    outcome o = engine_finish(&p);
    const bool absent = is_absence(&o);
    if (absent) printf("Skipped: %s", o.errors);
    outcome_free(&o);
    return absent;
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
