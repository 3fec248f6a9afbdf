/* SPDX-License-Identifier: Apache-2.0 */
#include "vector_known.h"
#include "run.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { A, B, C, MATRICES };

/* Exact: elements are multiples of 2^-52 below 1, and so is a product, rounded or not, one of 2^-104; 2^22 of them fit.
 * The conversion rounds once. */
static double dot_of(const double *a, const double *b, size_t count)
{
    __int128 sum = 0;
    cr_assert_leq(count, (size_t)1 << 22);
    for (size_t i = 0; i < count; i++) sum += (__int128)ldexp(a[i] * b[i], 104);
    return ldexp((double)sum, -104);
}

void expect_vector(const char *options)
{
    static const char *const names[MATRICES] = {"a", "b", "c"};
    dataset found[MATRICES];
    const double *of[MATRICES];
    const char *folder = folder_make();
    outcome o = engine_run(text("--plugin vector --checkpoint '%s' %s", folder, options));
    for (int i = 0; i < MATRICES; i++) {
        found[i] = dataset_read(checkpoint_path(folder, 1), text("/places/matrix/%s", names[i]));
        of[i] = (const double *)(const void *)found[i].bytes;
    }
    const size_t count = found[C].size / sizeof(double);
    for (size_t i = 0; i < count; i++) {
        const double sum = of[A][i] + of[B][i];
        cr_assert_eq(memcmp(&of[C][i], &sum, sizeof sum), 0, "c[%zu] is %a: %s", i, of[C][i], options);
        cr_assert(of[A][i] >= -1 && of[A][i] < 1 && of[B][i] >= -1 && of[B][i] < 1);
    }
    const double dot = json_real_value(json_object_get(json_object_get(o.report, "tallies"), "dot"));
    cr_assert_eq(dot, dot_of(of[A], of[B], count), "dot is %a: %s", dot, options);
    for (int i = 0; i < MATRICES; i++) free(found[i].bytes);
    outcome_free(&o);
}
