/* SPDX-License-Identifier: Apache-2.0 */
/* Text in memory is whole, or there is none. */
#include "base/memory_stream.h"
#include "process/sanitized.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

Test(memory_stream, has_what_was_printed)
{
    char *text = NULL;
    size_t size = 1;
    FILE *to = mass_memory_stream(&text, &size);
    cr_assert_eq(fclose(to), 0);
    cr_assert_eq(size, 0);
    cr_assert_str_empty(text);
    free(text);
    to = mass_memory_stream(&text, &size);
    for (int i = 0; i < 5000; i++) fprintf(to, "%d,", i);
    cr_assert_eq(fclose(to), 0);
    cr_assert_eq(size, 10 * 2 + 90 * 3 + 900 * 4 + 4000 * 5);
    cr_assert_eq(strlen(text), size);
    cr_assert_eq(strncmp(text, "0,1,2,", 6), 0);
    cr_assert_str_eq(text + size - 5, "4999,");
    free(text);
}

#if !MASS_SANITIZED /* which needs more address space than there is to be */
Test(memory_stream, says_when_memory_was_short)
{
    const size_t part = 64 << 20;
    char *text = NULL, *bytes = calloc(1, part);
    size_t size = 1;
    FILE *to = mass_memory_stream(&text, &size);
    fwrite("a", 1, 1, to);
    fflush(to);
    setrlimit(RLIMIT_AS, &(const struct rlimit){part, RLIM_INFINITY});
    fwrite(bytes, 1, part, to);
    fwrite("z", 1, 1, to);
    cr_assert_neq(fclose(to), 0);
    cr_assert_null(text);
    cr_assert_eq(size, 0);
    setrlimit(RLIMIT_AS, &(const struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
    free(bytes);
}
#endif
