/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of Vector, compiled for the CPU and for CUDA. */
#include <mass/mass.h>

#define FILL(FIELD)            \
    FIELD(a, double, WRITE, a) \
    FIELD(b, double, WRITE, b)

MASS_MAP(vector_fill, FILL)
{
    const mass_random4 r = RANDOM(0);
    OUT(a) = 2 * mass_unit_f64(r.v[0], r.v[1]) - 1;
    OUT(b) = 2 * mass_unit_f64(r.v[2], r.v[3]) - 1;
}

#define ADDENDS(FIELD)         \
    FIELD(a, double, READ,  a) \
    FIELD(b, double, READ,  b) \
    FIELD(c, double, WRITE, c)

MASS_MAP(vector_add, ADDENDS) { OUT(c) = IN(a) + IN(b); }

#define PRODUCT(FIELD)           \
    FIELD(a,   double, READ, a)  \
    FIELD(b,   double, READ, b)  \
    FIELD(dot, double, SUM,  dot)

MASS_MAP(vector_dot, PRODUCT) { ADD(dot, IN(a) * IN(b)); }
