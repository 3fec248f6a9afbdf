/* What libFuzzer calls, and the promises that a harness holds the engine to. */
#ifndef MASS_FUZZ_HARNESS_H
#define MASS_FUZZ_HARNESS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#define ALWAYS(CONDITION)                                                       \
    do {                                                                        \
        if (!(CONDITION)) {                                                     \
            fprintf(stderr, "%s:%d: not %s\n", __FILE__, __LINE__, #CONDITION); \
            abort();                                                            \
        }                                                                       \
    } while (0)

#endif
