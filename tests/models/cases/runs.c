/* SPDX-License-Identifier: Apache-2.0 */
/* Random cases on one process: on threads, in partitions, on the paranoid device. */
#include "cases.h"

#include "../extended.h"

#include <criterion/criterion.h>

Test(cases, come_to_what_plain_programs_do) { expect_cases(draw_cpu_way, 1, true, unsanitized(24, 80)); }
