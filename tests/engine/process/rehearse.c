/* SPDX-License-Identifier: Apache-2.0 */
/* What crashes, ends the process or never ends does so in a copy, and nothing of it is left. */
#include "process/rehearse.h"

#include <criterion/criterion.h>
#include <signal.h>

#include <stdlib.h>
#include <unistd.h>

static int changed;
static volatile int zero;

static void change(void *context)
{
    changed = 1;
    *(int *)context = 1;
}

static void divide(void *context) { *(int *)context = 1000 / zero; }
static void abort_it(void *context)
{
    (void)context;
    abort();
}
static void leave(void *context)
{
    (void)context;
    _exit(0);
}
static void go_on(void *context)
{
    while (!zero) (void)context;
}

Test(rehearse, what_ends_well_changes_nothing_here)
{
    int here = 0;
    cr_assert_eq(mass_rehearse(change, &here, 5), MASS_REHEARSAL_DONE);
    cr_assert_eq(here, 0);
    cr_assert_eq(changed, 0);
}

Test(rehearse, what_does_not_end_well_is_told)
{
    int here = 0;
    cr_assert_eq(mass_rehearse(divide, &here, 5), MASS_REHEARSAL_BROKE);
    cr_assert_eq(mass_rehearse(abort_it, &here, 5), MASS_REHEARSAL_BROKE);
    cr_assert_eq(mass_rehearse(leave, &here, 5), MASS_REHEARSAL_BROKE);
}

Test(rehearse, what_never_ends_is_ended)
{
    int here = 0;
    cr_assert_eq(mass_rehearse(go_on, &here, 1), MASS_REHEARSAL_BROKE);
}

Test(rehearse, that_there_is_no_copy_to_be_heard_of_is_told)
{
    int here = 0;
    signal(SIGCHLD, SIG_IGN);
    cr_assert_eq(mass_rehearse(change, &here, 5), MASS_REHEARSAL_NOT_HAD);
}
