/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction sets that tests select by MASS_ISA. */
#ifndef MASS_TESTS_INSTRUCTIONS_H
#define MASS_TESTS_INSTRUCTIONS_H

#include "../engine/process/sanitized.h"

#include <stdbool.h>
#include <string.h>

/* Returns true if this machine has the instruction set of MASS_ISA=name. The base is on all machines, and is the only
 * one in builds with a sanitizer. */
static inline bool machine_has(const char *name)
{
#if defined(__x86_64__) && !MASS_SANITIZED
    if (strcmp(name, "avx2") == 0) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    if (strcmp(name, "avx512") == 0)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#endif
    return strcmp(name, "base") == 0;
}

#endif
