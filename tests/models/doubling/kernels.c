/* SPDX-License-Identifier: Apache-2.0 */
#include <mass/mass.h>

#define SPLIT(FIELD)                     \
    FIELD(age,   uint32_t, UPDATE, age)  \
    FIELD(child, uint32_t, CHILD,  age)

/* The child goes one place to the right, and starts at age 7. */
MASS_AGENT(doubling_split, SPLIT, 2)
{
    OUT(age)++;
    SPAWN(1);
    CHILD(child, 0) = 7;
    CHILD_TO(0, 1, 0);
}
