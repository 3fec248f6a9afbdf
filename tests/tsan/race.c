/* SPDX-License-Identifier: Apache-2.0 */
/* Shows that the thread sanitizer understands how a team synchronizes. With `race` two threads add to one number
 * without synchronization: the sanitizer has to report that. With `sum` each thread adds to a number of its own, and
 * the main thread then reads all of them: the sanitizer must report nothing. */
#include "cpu/team.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 1000, THREADS = 2 };

static long total, parts[THREADS];

/* The nap lets another thread come for its part. */
static void add_in_turns(void *racing, int part)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        if (*(const int *)racing) total++;
        else parts[part]++;
    }
}

int main(int count, char **arguments)
{
    int racing;
    if (count != 2) return 2;
    racing = strcmp(arguments[1], "race") == 0;
    mass_cpu_team *team = mass_cpu_team_create(THREADS, NULL);
    /* Several times, so that threads meet work that others left. */
    for (int time = 0; time < 10; time++) {
        mass_cpu_team_run(team, THREADS, add_in_turns, &racing);
        for (int t = 0; t < THREADS && !racing; t++) total += parts[t];
    }
    mass_cpu_team_stop(team);
    return printf("%ld\n", total) < 0;
}
