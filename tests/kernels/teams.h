/* SPDX-License-Identifier: Apache-2.0 */
/* Teams of any number of threads. They start at the first use. */
#ifndef MASS_TESTS_TEAMS_H
#define MASS_TESTS_TEAMS_H

#include "cpu/team.h"

#include <criterion/criterion.h>

/* Returns the team of 1 to 7 threads, which all tests share. */
static inline mass_cpu_team *team_of(int threads)
{
    static mass_cpu_team *teams[8];
    cr_assert(threads > 0 && threads < 8);
    if (!teams[threads]) teams[threads] = mass_cpu_team_create(threads, NULL);
    cr_assert_eq(mass_cpu_team_threads(teams[threads]), threads, "%d threads", threads);
    return teams[threads];
}

#endif
