/* SPDX-License-Identifier: Apache-2.0 */
/* Life-like rules: the numbers of living neighbours, of 8, with which a place is born or survives. */
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

/* Reads B3/S23 in either case, S23/B3, B3S23, or the older 23/3 (survival first). Digits come in any order, repeated or
 * none. A bounded grid may follow, as in B3/S23:T48,48 (grid.h), and then a comma. The text need not end in NUL.
 * Returns MASS_OK. On failure, returns MASS_BAD_USAGE with one line in message, and *out is untouched. */
mass_status life_rule_parse(const char *text, size_t length, life_rule *out, char *message,
                            size_t message_size);

/* The same, and reads the grid; it has no surface if the rule has no grid. */
mass_status life_rule_parse_grid(const char *text, size_t length, life_rule *out, life_grid *grid, char *message,
                                 size_t message_size);

/* Writes the same text for equal rules: B3/S23. */
void life_rule_format(life_rule rule, char out[24]);

#ifdef __cplusplus
}
#endif
#endif
