/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin that does what SPOIL names to what the program takes for granted, in one PLACE: constructor, open, load,
 * step (7) or finish. Where it is tried it behaves. */
#include "plain.h"

#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void print(void) { printf("{\"printed\": \"by a plugin\"}\n"); }
static void set_locale(void) { setlocale(LC_ALL, getenv("COMMA_LOCALE")); }
static void leave(void) { exit(0); }
static void leave_now(void) { _exit(0); }
static void leave_Now(void) { _Exit(0); }
static void leave_quickly(void) { quick_exit(0); }
static void end_thread(void) { pthread_exit(NULL); }
/* What the copy says is there before the program ends. */
static void copy(void)
{
    const pid_t copied = fork();
    if (copied > 0) waitpid(copied, NULL, 0);
}
static void copy_and_leave(void) { if (fork() == 0) _exit(0); }

/* The numbers of standard files, for a file of its own. */
static void take_files(void)
{
    for (int i = 0; i < 3; i++) close(i);
    for (int i = 0; i < 3; i++) open("/dev/null", O_RDWR);
    printf("{}\n");
    fflush(stdout);
}
static void close_files(void)
{
    for (int i = 0; i < 3; i++) close(i);
}

static bool is_tried(void)
{
    char arguments[64] = "";
    FILE *file = fopen("/proc/self/cmdline", "r");
    const size_t size = file ? fread(arguments, 1, sizeof arguments - 1, file) : 0;
    if (file) fclose(file);
    return size > 0 && strcmp(arguments + strlen(arguments) + 1, "--probe-plugin") == 0;
}

static void spoil_in(const char *place)
{
    static const struct {
        const char *name;
        void (*spoil)(void);
    } all[] = {{"print", print}, {"set_locale", set_locale}, {"leave", leave}, {"leave_now", leave_now},
               {"leave_Now", leave_Now}, {"leave_quickly", leave_quickly}, {"end_thread", end_thread}, {"copy", copy},
               {"copy_and_leave", copy_and_leave}, {"take_files", take_files}, {"close_files", close_files}};
    const char *wish = getenv("SPOIL"), *there = getenv("PLACE");
    if (!wish || !there || strcmp(there, place) != 0 || is_tried()) return;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(wish, all[i].name) == 0) all[i].spoil();
}

__attribute__((constructor)) static void at_loading(void) { spoil_in("constructor"); }

static void step(const void *fields, const mass_launch *launch, const mass_range *range)
{
    if (launch->step == 7 && range->first_row == 0) spoil_in("step");
    plain_grow(fields, launch, range);
}
PLAIN_CALLBACK(grow, step, PLAIN_FIELD)

static mass_status open_model(mass_host *host)
{
    spoil_in("open");
    return plain_declare(host, &grow);
}

static mass_status load(mass_host *host)
{
    (void)host;
    spoil_in("load");
    return MASS_OK;
}

static mass_status finish(mass_host *host)
{
    (void)host;
    spoil_in("finish");
    return MASS_OK;
}

MASS_PLUGIN(.name = "spoil", .version = "1.0.0", .help = "spoils what is around it",
            .services = (const char *const[]){MASS_DECLARE_ID, NULL}, .open = open_model, .load = load,
            .finish = finish);
