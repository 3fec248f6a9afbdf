/* SPDX-License-Identifier: Apache-2.0 */
#include "process/crash.h"
#include "base/escape.h"
#include "process/limits.h"
#include "process/standard.h"
#include "process/subprocess.h"
#include "process/terminal.h"

#include <limits.h>
#include <mass/types.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *volatile running_plugin, *volatile running_what;
static volatile uint64_t running_step;
static uint64_t the_seed;
static bool seed_is_known;
static bool is_probe;
static const char *volatile doing; /* the engine's current work; NULL: none to report */
static const char *who = "";

/* The running step. Times are in nanoseconds of the coarse clock, which is cheap and exact to milliseconds. */
static const char *volatile stepping_plugin; /* NULL: none */
static volatile uint64_t stepping_step;
static volatile int64_t step_began, longest_step;
static const int64_t SECOND = 1000000000, PATIENCE = 10; /* seconds, and times the longest step */

static pid_t owner;                /* the process whose end is watched; a fork of it has another number */
static volatile int leaving = -1;  /* the status of a planned end; -1: none is planned */
static void (*end_if_others_are_gone)(void); /* NULL: this process runs alone */
static bool (*claim_word)(int status);
static pthread_key_t threads_end;
static bool watches_threads;
static volatile bool forked;       /* a plugin made this process as a copy with fork */
static _Thread_local bool of_engine; /* this thread runs no plugin code */
static _Thread_local bool in_plugin; /* this thread of a team runs plugin code */

/* A line of a report, built with functions that are safe in signal handlers. A plugin's name may be its path, while it
 * is loaded. */
typedef struct line {
    char text[4 * PATH_MAX + 512];
    size_t used;
} line;

/* Appends text to the line, escaped; cuts it at the line's end. Safe in a signal handler. */
static void add(line *l, const char *text)
{
    l->used += mass_escape(text, strlen(text), l->text + l->used, sizeof l->text - l->used);
}

/* Appends a number in decimal. Safe in a signal handler, unlike snprintf. */
static void add_number(line *l, uint64_t number)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) && at > 0);
    add(l, digits + at);
}

/* Returns the words for a crash's signal; an abort for any that is not listed. */
static const char *name_of(int number)
{
    switch (number) {
    case SIGSEGV: return "a bad memory access (SIGSEGV)";
    case SIGBUS: return "a bad memory access (SIGBUS)";
    case SIGFPE: return "a division by zero or the like (SIGFPE)";
    case SIGILL: return "an unknown instruction (SIGILL)";
    case SIGTRAP: return "a trap (SIGTRAP)";
    case SIGSYS: return "a forbidden system call (SIGSYS)";
    default: return "an abort (SIGABRT)";
    }
}

/* Appends what was running, and the step unless none is set. */
static void add_place(line *l, const char *what)
{
    add(l, " in ");
    add(l, what);
    if (running_step == MASS_NO_STEP) return;
    add(l, ", step ");
    add_number(l, running_step);
}

/* Adds the seed and a hint to the line and writes it to standard error, unless another rank has reported. Safe in a
 * signal handler. */
static void say(line *l, int status)
{
    const bool is_copy = owner && getpid() != owner; /* a copy always reports, and its end does not end the run */
    if (claim_word && !is_copy && !claim_word(status)) return;
    if (seed_is_known) {
        add(l, ", seed ");
        add_number(l, the_seed);
    }
    add(l, "; a run resumes from its last checkpoint");
    l->text[l->used++] = '\n';
    mass_standard_tell(l->text, l->used);
}

/* Ends the process by a system call, since a library may have replaced _exit. */
_Noreturn static void end(int status)
{
    for (;;) syscall(SYS_exit_group, status);
}

/* Returns true if the calling thread runs plugin code. */
static bool plugin_runs(void) { return running_what && !of_engine; }

/* Restores the signal's default action and raises it, which ends the process. */
static void die_of(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

/* Reports a crash, gives the terminal back, and dies of the signal. Threads of one callback tend to crash together: the
 * first one reports, the others wait. */
static void on_crash(int number)
{
    static atomic_bool taken;
    static _Thread_local bool speaking;
    if (speaking) die_of(number);
    while (atomic_exchange(&taken, true)) pause();
    speaking = true;
    mass_terminal_give_back();
    line l = {.used = 0};
    const bool of_plugin = plugin_runs();
    add(&l, "mass-engine: ");
    add(&l, who);
    if (of_plugin) {
        add(&l, running_plugin);
        add(&l, " ");
    }
    add(&l, "crashed with ");
    add(&l, name_of(number));
    if (of_plugin) add_place(&l, running_what);
    say(&l, MASS_FAILED);
    die_of(number);
}

/* Reports who ended the program, and ends it: with MASS_BAD_PLUGIN if plugin code runs, else MASS_FAILED. Threads of a
 * callback may call it together: the first one reports, the others wait. */
_Noreturn static void end_unplanned(void)
{
    static atomic_bool taken;
    const bool of_plugin = plugin_runs();
    while (atomic_exchange(&taken, true)) pause();
    if (end_if_others_are_gone) end_if_others_are_gone();
    mass_terminal_give_back();
    line l = {.used = 0};
    add(&l, "mass-engine: ");
    add(&l, who);
    add(&l, of_plugin ? running_plugin : "a library");
    add(&l, " ended the program");
    if (of_plugin) add_place(&l, running_what);
    else if (doing) {
        add(&l, " while ");
        add(&l, doing);
    }
    const int status = of_plugin ? MASS_BAD_PLUGIN : MASS_FAILED;
    say(&l, status);
    end(status);
}

/* Returns true if nothing announced this end. False before mass_crash_install, and in a copy made by fork. Every exit
 * calls it about a thousand times, so it makes no system call in a planned end. */
static bool is_unplanned(void) { return owner && leaving < 0 && getpid() == owner; }

/* Runs when something calls exit, even with status 0. */
static void on_exit_call(void)
{
    if (is_unplanned()) end_unplanned();
}

/* Runs when a thread ends: after pthread_exit in plugin code, the other threads of its team would wait for it
 * forever. */
static void on_thread_end(void *unused)
{
    (void)unused;
    if (is_unplanned() && in_plugin) end_unplanned();
}

void mass_crash_main_ends(void *unused)
{
    (void)unused;
    if (is_unplanned()) end_unplanned();
}

/* ---- waiting for the end of plugin code ---- */

/* Returns nanoseconds of a monotonic clock: coarse, but cheap enough for every call. */
static int64_t coarse_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return t.tv_sec * SECOND + t.tv_nsec;
}

void mass_crash_step(const char *plugin, uint64_t step)
{
    const int64_t now = coarse_now(), took = now - step_began;
    if (stepping_plugin && stepping_step > 0 && took > longest_step) longest_step = took;
    step_began = now;
    stepping_step = step;
    stepping_plugin = plugin;
}

/* Returns the seconds a step may take before it is reported: PATIENCE, or more after long steps. */
static int64_t patience(void)
{
    const int64_t of_steps = longest_step / SECOND * PATIENCE;
    return of_steps > PATIENCE ? of_steps : PATIENCE;
}

/* Begins a line: "mass-engine: ", the verb, and the running function or step. On a terminal, erases what is in the line
 * before. Returns false if nothing is running. */
static bool begin_waiting(line *l, const char *verb)
{
    const char *const what = running_what, *const plugin = running_plugin; /* another thread may reset them meanwhile */
    const char *const stepping = stepping_plugin;
    const bool in_function = what && plugin;
    if (!in_function && !stepping) return false;
    if (isatty(mass_standard_people())) mass_standard_tell("\r\033[K", 4);
    add(l, "mass-engine: ");
    add(l, who);
    add(l, verb);
    add(l, in_function ? plugin : stepping);
    if (in_function) add_place(l, what);
    else {
        add(l, " in step ");
        add_number(l, stepping_step);
    }
    return true;
}

bool mass_crash_say_waiting(void)
{
    line l = {.used = 0};
    if (!begin_waiting(&l, "waiting for ")) return false;
    if (stepping_plugin) {
        add(&l, " for another ");
        add_number(&l, (uint64_t)patience());
        add(&l, " s");
    }
    add(&l, "; a second signal ends the run at once, without a checkpoint");
    l.text[l.used++] = '\n';
    mass_standard_tell(l.text, l.used);
    return true;
}

bool mass_crash_steps(void) { return stepping_plugin != NULL; }

bool mass_crash_is_overdue(double waited)
{
    const double since = (double)(coarse_now() - step_began) / (double)SECOND;
    return stepping_plugin && (waited < since ? waited : since) > (double)patience();
}

void mass_crash_say_overdue(void)
{
    line l = {.used = 0};
    if (!begin_waiting(&l, "no end of ")) return;
    add(&l, ", ");
    add_number(&l, (uint64_t)patience());
    add(&l, " s after the signal: the run ends without a checkpoint; a run resumes from its last one");
    l.text[l.used++] = '\n';
    mass_standard_tell(l.text, l.used);
}

/* Marks the child of a fork. */
static void on_fork(void) { forked = true; }

void mass_crash_in_copy(void) { forked = false; }

/* Ends a copy that returns from plugin code: it would write the same files as the program. */
_Noreturn static void end_copy(void)
{
    line l = {.used = 0};
    add(&l, "mass-engine: ");
    add(&l, running_plugin);
    add(&l, " copied the program (fork) and came back in the copy, which ends here");
    l.text[l.used++] = '\n';
    mass_standard_tell(l.text, l.used);
    end(MASS_BAD_PLUGIN);
}

void mass_crash_exit(int status)
{
    if (is_unplanned()) end_unplanned();
    end(leaving >= 0 && getpid() == owner ? leaving : status);
}

void mass_crash_leave(int status) { leaving = status; }

void mass_crash_as(const char *name) { who = name; }

void mass_crash_doing(const char *what) { doing = what; }

void mass_crash_among(void (*end_if_gone)(void), bool (*claim)(int status))
{
    end_if_others_are_gone = end_if_gone;
    claim_word = claim;
}

void mass_crash_seed(uint64_t seed)
{
    the_seed = seed;
    seed_is_known = true;
}

void mass_crash_where(const char *plugin, const char *what, uint64_t step)
{
    running_what = NULL;
    running_plugin = plugin;
    if (forked && !what) end_copy();
    running_step = step;
    running_what = what;
    if (!is_probe) return;
    line l = {.used = 0};
    if (what) add_place(&l, running_what);
    mass_subprocess_where(l.text);
}

/* Gives the thread a stack for handlers, which an overflowed stack needs, unless it has one. Returns whether this is
 * the thread's first call. */
static bool give_stack(void)
{
    static _Thread_local bool ready;
    static _Thread_local char stack[1 << 15];
    stack_t present;
    if (ready) return false;
    ready = true;
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE)) sigaltstack(&alternate, NULL);
    return true;
}

void mass_crash_engine_thread(void)
{
    of_engine = true;
    give_stack();
}

void mass_crash_plugin_thread(void)
{
    in_plugin = true;
    if (give_stack() && watches_threads) pthread_setspecific(threads_end, &owner);
}

void mass_crash_plugin_thread_done(void)
{
    in_plugin = false;
    if (forked) end_copy();
}

void mass_crash_install(bool probe)
{
    is_probe = probe;
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    if (probe) { /* the parent sees how it ends, unless a sanitizer intervenes */
        for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
        return;
    }
    owner = getpid();
    pthread_atfork(NULL, NULL, on_fork);
    for (int thread = 0; thread < MASS_THREADS_MAX; thread++) atexit(on_exit_call); /* each call to exit uses one up */
    at_quick_exit(on_exit_call);
    watches_threads = pthread_key_create(&threads_end, on_thread_end) == 0;
    mass_crash_plugin_thread();
    mass_crash_plugin_thread_done();
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
}
