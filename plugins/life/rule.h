/* SPDX-License-Identifier: Apache-2.0 */
/* Life-like rules: with how many living neighbours of 8 a place is born, and with how many it
 * survives. */
#ifndef LIFE_RULE_H
#define LIFE_RULE_H

#include <mass/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct life_rule {
    uint16_t birth, survive; /* bit n: with n living neighbours, 0 to 8 */
} life_rule;

/* Reads B3/S23 in either case, or the older 23/3 (survival first); digits in any order, repeated or
 * none. A bounded grid after it, as in B3/S23:T48,48 (torus) or :P48,48 (plane), is checked and
 * otherwise ignored. text need not end in NUL.
 * Returns MASS_OK, or MASS_BAD_USAGE with one line in message and *out untouched. */
mass_status life_rule_parse(const char *text, size_t length, life_rule *out, char *message,
                            size_t message_size);

/* The one spelling that equal rules share: B3/S23. */
void life_rule_format(life_rule rule, char out[24]);

#ifdef __cplusplus
}
#endif
#endif
