/* SPDX-License-Identifier: Apache-2.0 */
/* Other programs that mass-bench asks. */
#include "bench/command.h"

#include <criterion/criterion.h>

static mass_status ask_shell(const char *script, json_t **answer, mass_error *error)
{
    char *arguments[] = {"sh", "-c", (char *)(uintptr_t)script, NULL};
    return bench_command_ask("sh", arguments, answer, error);
}

Test(bench_command, an_answer_may_be_longer_than_a_pipe_holds)
{
    mass_error error = {0};
    json_t *answer;
    const mass_status status = ask_shell("printf '[\"%01000000d\", 7]' 0", &answer, &error);
    cr_assert_eq(status, MASS_OK, "%s", error.text);
    cr_assert_eq(json_string_length(json_array_get(answer, 0)), 1000000);
    cr_assert_eq(json_integer_value(json_array_get(answer, 1)), 7);
    json_decref(answer);
}

Test(bench_command, half_an_answer_is_none)
{
    mass_error error = {0};
    json_t *answer;
    cr_assert_eq(ask_shell("printf '[1, 2'", &answer, &error), MASS_FAILED);
    cr_assert_str_eq(error.text, "sh printed no result");
}

Test(bench_command, what_fails_has_no_answer)
{
    mass_error error = {0};
    json_t *answer;
    cr_assert_eq(ask_shell("printf '[1, 2]'; exit 3", &answer, &error), MASS_FAILED);
    cr_assert_str_eq(error.text, "sh ended with exit status 3");
}
