/* SPDX-License-Identifier: Apache-2.0 */
#include "base/floats.h"

#include <fenv.h>

#if defined(__x86_64__)

enum { SETTLED = 0x1f80, FLAGS = 0x3f /* exceptions that were raised so far */ };

void mass_floats_settle(void) { __builtin_ia32_ldmxcsr(SETTLED); }
bool mass_floats_are_settled(void) { return (__builtin_ia32_stmxcsr() & ~(unsigned)FLAGS) == SETTLED; }

#elif defined(__aarch64__)

void mass_floats_settle(void) { fesetenv(FE_DFL_ENV); }
bool mass_floats_are_settled(void) { return __builtin_aarch64_get_fpcr() == 0; }

#else

void mass_floats_settle(void) { fesetenv(FE_DFL_ENV); }
bool mass_floats_are_settled(void) { return fegetround() == FE_TONEAREST; }

#endif
