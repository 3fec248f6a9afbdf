/* SPDX-License-Identifier: Apache-2.0 */
/* Guards calls: one at a time in the process, in the thread settings that the engine needs. */
/* for pthread mutexes that check errors */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "library/run.h"
#include "base/floats.h"
#include "base/keys.h"
#include "io/input/list.h"
#include "process/available_memory.h"
#include "process/crash.h"
#include "process/program.h"
#include "process/standard.h"
#include "text/list.h"

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t one_at_a_time;
static _Thread_local mass_error last;
static _Thread_local bool inside; /* this thread is in a call */
static atomic_uint copies; /* how often this process became a copy by fork */

/* The call in progress, which has the lock. */
static mass_engine *current;
static locale_t callers_locale;
static fenv_t callers_floats;
static bool floats_differ;

/* Keeps a line for people, without "mass-engine: " before it, for the run of the call in progress. If memory is short,
 * drops it. */
static void hear(void *context, const char *line)
{
    static const char own[] = "mass-engine: ";
    mass_engine *run = current;
    (void)context;
    if (strncmp(line, own, sizeof own - 1) == 0) line += sizeof own - 1;
    mass_engine_line *m = run ? malloc(sizeof *m + strlen(line) + 1) : NULL;
    if (!m) return;
    m->next = NULL;
    memcpy(m->text, line, strlen(line) + 1);
    if (run->last) run->last->next = m;
    else run->first = m;
    run->last = m;
    run->now.messages++;
}

/* Runs in a copy of the process that fork made: its runs have lost their threads. Frees the lock of calls.
 * Calls for those runs fail from now on. */
static void become_copy(void)
{
    const pthread_mutex_t free_again = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    one_at_a_time = free_again;
    inside = false;
    atomic_fetch_add(&copies, 1);
}

/* Prepares the process for the engine, at its first call. Also diverts lines for people to `hear`. */
static void begin(void)
{
    const pthread_mutex_t unlocked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    one_at_a_time = unlocked;
    pthread_atfork(NULL, NULL, become_copy);
    mass_standard_leave();
    mass_progress_divert(hear, NULL);
    mass_list_read_file = mass_list_file_read;
    mass_keys_ask(mass_available_memory_has);
}

/* Settles the thread for the engine: the C locale, and floats as the C standard says. Keeps the thread's own
 * settings for unsettle. */
static void settle(void)
{
    callers_locale = uselocale((locale_t)0);
    mass_standard_locale();
    floats_differ = !mass_floats_are_settled();
    if (floats_differ) fegetenv(&callers_floats);
    if (floats_differ) mass_floats_settle();
}

/* Gives the thread its own settings back, which `settle` has kept. */
static void unsettle(void)
{
    uselocale(callers_locale);
    if (floats_differ) fesetenv(&callers_floats);
}

int mass_library_fail(int status, const mass_error *error)
{
    last = *error;
    return status;
}

/* Keeps the text as a failure, outside of a call, and returns the status. */
static int refuse(int status, const char *text)
{
    mass_error error = {.status = MASS_FAILED};
    snprintf(error.text, sizeof error.text, "%s", text);
    return mass_library_fail(status, &error);
}

/* Ends a call of a run, keeps the text as its failure, and returns the status. */
static int refuse_here(mass_engine *run, int status, const char *text)
{
    mass_error error = {.status = MASS_FAILED};
    snprintf(error.text, sizeof error.text, "%s", text);
    return mass_library_leave(run, status, &error);
}

int mass_library_enter(mass_engine *run, mass_error *error)
{
    static const char in_a_call[] = "the engine is in the middle of another call of this thread";
    *error = (mass_error){0};
    pthread_once(&once, begin);
    if (inside) return refuse(MASS_ENGINE_BUSY, in_a_call);
    if (run && run->copies != atomic_load(&copies))
        return refuse(MASS_FAILED, "the run belongs to the process that this one is a copy of: open it again here");
    if (run && run->comm && !mass_library_is_rank_thread())
        return refuse(MASS_BAD_USAGE, "a run over ranks takes calls of the thread alone that opened the first one");
    if (run && atomic_exchange(&run->busy, true)) return refuse(MASS_ENGINE_BUSY, "another thread uses the run");
    if (pthread_mutex_lock(&one_at_a_time) != 0) { /* of a signal handler, in the middle of this function */
        if (run) atomic_store(&run->busy, false);
        return refuse(MASS_ENGINE_BUSY, in_a_call);
    }
    inside = true;
    settle();
    current = run;
    return MASS_OK;
}

void mass_library_hear(mass_engine *run)
{
    if (run) run->copies = atomic_load(&copies);
    current = run;
}

int mass_library_leave(mass_engine *run, int status, const mass_error *error)
{
    current = NULL;
    unsettle();
    inside = false;
    pthread_mutex_unlock(&one_at_a_time);
    if (run) atomic_store(&run->busy, false);
    return status == MASS_OK ? MASS_OK : mass_library_fail(status, error);
}

int mass_library_call_back(mass_engine *run, const mass_engine_progress *now)
{
    mass_crash_step(NULL, now->step);
    unsettle();
    const int answer = run->listener(run->listener_context, now);
    settle();
    return answer;
}

int mass_library_enter_here(mass_engine *run, mass_error *error)
{
    const int status = mass_library_enter(run, error);
    if (status != MASS_OK || !run->worker) return status;
    return refuse_here(run, MASS_BAD_USAGE, "rank 0 has the run: other ranks serve it (mass_engine_serve)");
}

int mass_library_enter_to_read(mass_engine *run, mass_error *error)
{
    const int status = mass_library_enter_here(run, error);
    if (status != MASS_OK) return status;
    if (run->now.broken)
        return refuse_here(run, MASS_FAILED, "a step of the run failed: it can only be closed");
    if (!run->written) return MASS_OK;
    run->written = false;
    const bool held = run->session.run->held;
    const mass_status found = mass_stepper_resume(run->session.run, error);
    run->session.run->held = held; /* a stop condition is looked at after steps */
    if (found == MASS_OK) return MASS_OK;
    run->now.broken = 1;
    return mass_library_leave(run, found, error);
}

int mass_library_enter_to_change(mass_engine *run, mass_error *error)
{
    const int status = mass_library_enter_to_read(run, error);
    if (status != MASS_OK || !run->viewed) return status;
    return refuse_here(run, MASS_ENGINE_VIEWED, "a view of the run is open: close it before the state changes");
}

const char *mass_engine_error(void) { return last.text; }

const char *mass_engine_version(void) { return MASS_ENGINE_VERSION; }

uint32_t mass_engine_abi(void) { return (uint32_t)MASS_ABI_MAJOR << 16 | MASS_ABI_MINOR; }

void mass_engine_tell_crashes(void) { mass_crash_install(false); }

void mass_engine_use_command(const char *path) { mass_program_set(path); }
