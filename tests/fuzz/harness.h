/* SPDX-License-Identifier: Apache-2.0 */
/* What libFuzzer calls, and the promises that a harness holds the engine to. */
#ifndef MASS_FUZZ_HARNESS_H
#define MASS_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerInitialize(int *count, char ***arguments);                                     /* before the first */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned int seed); /* in place of: */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);

#define ALWAYS(CONDITION)                                                       \
    do {                                                                        \
        if (!(CONDITION)) {                                                     \
            fprintf(stderr, "%s:%d: not %s\n", __FILE__, __LINE__, #CONDITION); \
            abort();                                                            \
        }                                                                       \
    } while (0)

/* That a text is one line that a terminal shows as it is. */
#define ALWAYS_ONE_LINE(TEXT) \
    for (const unsigned char *at_ = (const unsigned char *)(TEXT); *at_; at_++) ALWAYS(*at_ >= 0x20 && *at_ != 0x7f)

#endif
