#include "run/crash.h"
#include "core/child.h"
#include "device/device.h"
#include "run/terminal.h"

#include <limits.h>
#include <mass/types.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *volatile running_plugin, *volatile running_what;
static volatile uint64_t running_step;
static uint64_t the_seed;
static bool seed_is_known;
static bool in_child;
static _Thread_local bool of_engine; /* this thread runs no plugin code */

/* Only what may be called in a signal handler. A plugin that is being loaded goes by its path. */
typedef struct line {
    char text[PATH_MAX + 512];
    size_t used;
} line;

static void add(line *l, const char *text)
{
    for (; *text && l->used + 1 < sizeof l->text; text++)
        l->text[l->used++] = (unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text;
    l->text[l->used] = '\0';
}

static void add_number(line *l, uint64_t number)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) && at > 0);
    add(l, digits + at);
}

static const char *name_of(int number)
{
    switch (number) {
    case SIGSEGV: return "a bad memory access (SIGSEGV)";
    case SIGBUS: return "a bad memory access (SIGBUS)";
    case SIGFPE: return "a division by zero or the like (SIGFPE)";
    case SIGILL: return "an unknown instruction (SIGILL)";
    default: return "an abort (SIGABRT)";
    }
}

static void add_place(line *l)
{
    add(l, " in ");
    add(l, running_what);
    if (running_step == MASS_NO_STEP) return;
    add(l, ", step ");
    add_number(l, running_step);
}

static void say(line *l)
{
    if (seed_is_known) {
        add(l, ", seed ");
        add_number(l, the_seed);
    }
    add(l, "; a run resumes from its last checkpoint");
    l->text[l->used++] = '\n';
    const ssize_t written = write(STDERR_FILENO, l->text, l->used);
    (void)written;
}

static void die_of(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

/* Threads of one callback tend to crash together: the first speaks for all of them. */
static void on_crash(int number)
{
    static atomic_bool taken;
    static _Thread_local bool speaking;
    if (speaking) die_of(number);
    while (atomic_exchange(&taken, true)) pause();
    speaking = true;
    mass_terminal_give_back();
    line l = {.used = 0};
    const bool of_plugin = running_what && !of_engine;
    add(&l, "mass-engine: ");
    if (of_plugin) {
        add(&l, running_plugin);
        add(&l, " ");
    }
    add(&l, "crashed with ");
    add(&l, name_of(number));
    if (of_plugin) add_place(&l);
    say(&l);
    die_of(number);
}

/* A plugin that calls exit would otherwise end a run as if it were done. Every thread of a callback may
 * call it at the same time, and each takes a handler of its own off the list: one speaks, the others wait. */
static void on_exit_call(void)
{
    static atomic_bool taken;
    if (!running_what) return;
    while (atomic_exchange(&taken, true)) pause();
    mass_terminal_give_back();
    line l = {.used = 0};
    add(&l, "mass-engine: ");
    add(&l, running_plugin);
    add(&l, " ended the program");
    add_place(&l);
    say(&l);
    _exit(MASS_BAD_PLUGIN);
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
    running_step = step;
    running_what = what;
    if (!in_child) return;
    line l = {.used = 0};
    if (what) add_place(&l);
    mass_child_where(l.text);
}

void mass_crash_engine_thread(void) { of_engine = true; }

/* A stack that has overflowed has no room for a handler. */
void mass_crash_plugin_thread(void)
{
    static _Thread_local bool ready;
    static _Thread_local char stack[1 << 15];
    stack_t present;
    if (ready) return;
    ready = true;
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE)) sigaltstack(&alternate, NULL);
}

void mass_crash_install(bool child)
{
    in_child = child;
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    if (child) { /* whose end the parent sees, if no sanitizer steps in */
        for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
        return;
    }
    for (int thread = 0; thread < MASS_THREADS_MAX; thread++) atexit(on_exit_call);
    mass_crash_plugin_thread();
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
}
