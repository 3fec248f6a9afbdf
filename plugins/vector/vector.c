/* SPDX-License-Identifier: Apache-2.0 */
/* Two first programs: the sum of two matrices, place by place, and their dot product. */
#include <mass/model.h>

MASS_SPACE(matrix, 2, .size = {1024, 1024})
MASS_ATTRIBUTE(matrix, double, a, .help = "random, from -1 to 1")
MASS_ATTRIBUTE(matrix, double, b, .help = "random, from -1 to 1")
MASS_ATTRIBUTE(matrix, double, c, .help = "a + b")
MASS_TALLY(SUM, double, dot, "sum of all a * b")

MASS_MAP(vector_fill, WRITES(a, b))
{
    const mass_random4 r = RANDOM(0);
    OUT(a) = 2 * mass_unit_f64(r.v[0], r.v[1]) - 1;
    OUT(b) = 2 * mass_unit_f64(r.v[2], r.v[3]) - 1;
}

MASS_MAP(vector_add, READS(a, b), WRITES(c)) { OUT(c) = IN(a) + IN(b); }

MASS_MAP(vector_dot, READS(a, b), SUMS(dot)) { ADD(dot, IN(a) * IN(b)); }

MASS_SCHEDULE(STARTS(vector_fill), STEPS(vector_add), STEPS(vector_dot))
MASS_PICTURE(matrix, c, -2, 2, 0x2166ac, 0xf7f7f7, 0xb2182b)
MASS_DEFAULT_STEPS(1)

MASS_PLUGIN(.name = "vector", .version = "1.0.0", .help = "c = a + b, and the dot product of a and b");
