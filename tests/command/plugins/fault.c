/* SPDX-License-Identifier: Apache-2.0 */
/* FAULT in one PLACE: IN_CONSTRUCTOR, IN_OPEN, IN_LOAD, IN_STEP or IN_FINISH. In a step it waits for step
 * FROM_STEP, for a space of FROM_EXTENT places along x, and for a call from row FROM_ROW on. It also waits for rank
 * ON_RANK, a text, of Open MPI. */
#include "plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define IN_CONSTRUCTOR 1
#define IN_OPEN 2
#define IN_LOAD 3
#define IN_STEP 4
#define IN_FINISH 5
#ifndef FROM_STEP
#define FROM_STEP 1
#endif
#ifndef FROM_EXTENT
#define FROM_EXTENT 1
#endif
#ifndef FROM_ROW
#define FROM_ROW 0
#endif

__attribute__((unused)) static void crash(void)
{
    static volatile uintptr_t nowhere = 8;
    *(volatile int *)nowhere = 1;
}
__attribute__((unused)) static void abort_run(void) { abort(); }
__attribute__((unused)) static void leave(void) { exit(0); }
__attribute__((unused)) static void hang(void)
{
    for (;;) pause();
}

static int is_the_rank(void)
{
#ifdef ON_RANK
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    return rank && strcmp(rank, ON_RANK) == 0;
#else
    return 1;
#endif
}

/* All of the stack, a call after the other. */
__attribute__((noinline)) static int sink(volatile char *above)
{
    volatile char room[4096];
    room[0] = *above;
    return room[0] ? sink(room) + room[0] : 0;
}
__attribute__((unused)) static void overflow(void)
{
    volatile char top = 1;
    sink(&top);
}
/* Not where it is tried first. */
__attribute__((unused)) static void crash_unseen(void)
{
    char arguments[64] = "";
    FILE *file = fopen("/proc/self/cmdline", "r");
    if (!file || fread(arguments, 1, sizeof arguments - 1, file) == 0) return;
    fclose(file);
    if (strcmp(arguments + strlen(arguments) + 1, "--probe-plugin") != 0) crash();
}

#if PLACE == IN_CONSTRUCTOR
__attribute__((constructor)) static void at_loading(void) { FAULT(); }
#endif

static void step(const void *fields, const mass_launch *launch, const mass_range *range)
{
    if (PLACE == IN_STEP && launch->step >= FROM_STEP && launch->size[0] >= FROM_EXTENT &&
        range->first_row >= FROM_ROW && is_the_rank())
        FAULT();
    plain_grow(fields, launch, range);
}
PLAIN_CALLBACK(grow, step, PLAIN_FIELD)

static mass_status open_model(mass_host *host)
{
    if (PLACE == IN_OPEN) FAULT();
    return plain_declare(host, &grow);
}

__attribute__((unused)) static mass_status load_or_finish(mass_host *host)
{
    (void)host;
    FAULT();
    return MASS_OK;
}

MASS_PLUGIN(.name = "fault", .version = "1.0.0", .help = "goes wrong",
            .services = (const char *const[]){MASS_DECLARE_ID, NULL}, .open = open_model,
#if PLACE == IN_LOAD
            .load = load_or_finish
#elif PLACE == IN_FINISH
            .finish = load_or_finish
#endif
)
;
