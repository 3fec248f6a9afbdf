/* SPDX-License-Identifier: Apache-2.0 */
/* Where there is no GPU, the engine runs and does not speak of one unless it is asked for. */
#include "run.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static void hide_gpus(void) { setenv("CUDA_VISIBLE_DEVICES", "", 1); }

static bool speaks_of_cuda(const char *errors)
{
    char small[4096];
    size_t i = 0;
    for (; errors[i] && i + 1 < sizeof small; i++) small[i] = (char)tolower((unsigned char)errors[i]);
    small[i] = '\0';
    return strstr(small, "cuda") || strstr(small, "gpu") || strstr(small, "nvidia") || strstr(small, "driver");
}

static void expect_cpu(const char *options)
{
    process p = engine_start(options);
    outcome o = engine_finish(&p);
    cr_assert_eq(o.status, 0, "%s", o.errors);
    cr_expect_str_eq(json_string_value(json_object_get(o.report, "device")), "cpu");
    cr_expect_not(speaks_of_cuda(o.errors), "%s", o.errors);
    cr_expect_eq(strstr(options, "--quiet") != NULL, o.errors[0] == '\0');
    outcome_free(&o);
}

Test(start, auto_takes_the_cpu_silently_where_there_is_no_gpu)
{
    hide_gpus();
    expect_cpu("--plugin life --steps 3");
    expect_cpu("--plugin heat --steps 3 --device auto");
    expect_cpu("--plugin life --steps 3 --device auto --quiet");
}

Test(start, a_gpu_that_is_asked_for_and_not_there_is_one_line_and_status_5)
{
    hide_gpus();
    process p = engine_start("--plugin life --device cuda --steps 3");
    outcome o = engine_finish(&p);
    cr_expect_eq(o.status, 5);
    cr_expect_null(o.report);
    cr_expect(speaks_of_cuda(o.errors) || strstr(o.errors, "device code"), "%s", o.errors);
    const char *end = strchr(o.errors, '\n');
    cr_expect(end && end[1] == '\0', "not one line: %s", o.errors);
    outcome_free(&o);
}
