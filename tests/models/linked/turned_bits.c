/* SPDX-License-Identifier: Apache-2.0 */
/* The model of turned.c with an attribute of bits. */
#include <stdbool.h>

#define TURNED_LIT bool
#include "turned.c"
