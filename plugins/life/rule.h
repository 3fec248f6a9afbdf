/* SPDX-License-Identifier: Apache-2.0 */
/* Life-like rules: with how many living neighbours of 8 a place is born, and with how many it
 * survives. */
#ifndef LIFE_RULE_H
#define LIFE_RULE_H

#include "grid.h"

#include <mass/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct life_rule {
    uint16_t birth, survive; /* bit n: with n living neighbours, 0 to 8 */
} life_rule;

/* Reads B3/S23 in either case, also S23/B3 and B3S23, or the older 23/3 (survival first); digits in any order, repeated
 * or none. A bounded grid may follow, as in B3/S23:T48,48 (grid.h), and then a comma. text need not end in NUL.
 * Returns MASS_OK, or MASS_BAD_USAGE with one line in message and *out untouched. */
mass_status life_rule_parse(const char *text, size_t length, life_rule *out, char *message,
                            size_t message_size);

/* The same, with the grid: one without a surface if the rule has none. */
mass_status life_rule_parse_grid(const char *text, size_t length, life_rule *out, life_grid *grid, char *message,
                                 size_t message_size);

/* The one spelling that equal rules share: B3/S23. */
void life_rule_format(life_rule rule, char out[24]);

#ifdef __cplusplus
}
#endif
#endif
