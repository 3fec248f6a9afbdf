/* SPDX-License-Identifier: Apache-2.0 */
/* The model of linked.c with an attribute of bits. */
#include <stdbool.h>

#define LINKED_LIT bool
#include "linked.c"
