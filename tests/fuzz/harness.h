/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that libFuzzer calls, and checks of the engine's promises. */
#ifndef MASS_FUZZ_HARNESS_H
#define MASS_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerInitialize(int *count, char ***arguments);                                     /* called first */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned int seed); /* replaces the next */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t most);

#define ALWAYS(CONDITION)                                                       \
    do {                                                                        \
        if (!(CONDITION)) {                                                     \
            fprintf(stderr, "%s:%d: not %s\n", __FILE__, __LINE__, #CONDITION); \
            abort();                                                            \
        }                                                                       \
    } while (0)

/* Checks that a text is one line without control characters. */
#define ALWAYS_ONE_LINE(TEXT) \
    for (const unsigned char *at_ = (const unsigned char *)(TEXT); *at_; at_++) ALWAYS(*at_ >= 0x20 && *at_ != 0x7f)

#endif
