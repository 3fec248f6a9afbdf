/* SPDX-License-Identifier: Apache-2.0 */
#include "named.h"
#include "run.h"

#include <criterion/criterion.h>
#include <string.h>

/* Finishes two runs, and compares their hashes. */
static void compare_hashes(process *one, process *other, bool same, const char *options)
{
    outcome a = engine_finish(one), b = engine_finish(other);
    cr_expect_eq(a.status, 0, "%s: %s", options, a.errors);
    cr_expect_eq(b.status, 0, "%s: %s", options, b.errors);
    cr_expect_neq(a.hash[0], 0, "%s", options);
    cr_expect_eq(strcmp(a.hash, b.hash) == 0, same, "%s", options);
    outcome_free(&a);
    outcome_free(&b);
}

void expect_same_hash(const char *one, const char *other, bool same)
{
    process first = engine_start(one), second = engine_start(other);
    compare_hashes(&first, &second, same, text("%s, %s", one, other));
}

void paranoid_names(const char *options, const char *words, const char *where)
{
    process p = engine_start(text("%s --device paranoid", options));
    outcome o = engine_finish(&p);
    cr_expect_eq(o.status, 3, "%s: %d", options, o.status);
    cr_expect(strstr(o.errors, words), "%s: %s: %s", options, words, o.errors);
    cr_expect(strstr(o.errors, where), "%s: %s: %s", options, where, o.errors);
    outcome_free(&o);
}

void only_paranoid_names(const char *options, const char *words, const char *where)
{
    process one = engine_start(text("%s --threads 1", options));
    process other = engine_start(text("%s --threads 2 --partitions 3", options));
    paranoid_names(options, words, where);
    compare_hashes(&one, &other, true, options);
}
