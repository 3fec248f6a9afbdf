/* SPDX-License-Identifier: Apache-2.0 */
/* Runs by the library: the same states as by the command, one after the other and next to each other. */
#include "scene.h"

#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void step(mass_engine *run, uint64_t count)
{
    uint64_t taken = 0;
    WORKS(mass_engine_step(run, count, 0, &taken));
    cr_assert_eq(taken, count);
}

Test(runs, have_the_states_of_the_command)
{
    char expected[33];
    state_of_command("sugarscape --size 40x30 --seed 5 --steps 60 --worlds 2 --set vision_max=3", expected);
    mass_engine *run = OPEN("sugarscape", {"size", "40x30"}, {"seed", "5"}, {"worlds", "2"}, {"set", "vision_max=3"});
    step(run, 1);
    step(run, 59);
    check_state(run, expected);
    cr_expect_eq(mass_engine_look(run)->step, 60);
    mass_engine_close(run);
}

Test(runs, do_not_disturb_each_other)
{
    char expected[2][33];
    mass_engine *runs[2];
    for (int i = 0; i < 2; i++) {
        char words[100], seed[2] = {(char)('1' + i)};
        snprintf(words, sizeof words, "sugarscape --size 40x30 --steps 30 --seed %s", seed);
        state_of_command(words, expected[i]);
        runs[i] = OPEN("sugarscape", {"size", "40x30"}, {"seed", seed});
    }
    for (int k = 0; k < 30; k++)
        for (int i = 0; i < 2; i++) step(runs[i], 1);
    for (int i = 0; i < 2; i++) check_state(runs[i], expected[i]);
    for (int i = 0; i < 2; i++) mass_engine_close(runs[i]);
}

Test(runs, leave_nothing_behind)
{
    for (int i = 0; i < 20; i++) {
        mass_engine *run = OPEN("sugarscape", {"size", "20x20"}, {"seed", "1"});
        WORKS(mass_engine_log(run, (const char *const[]){"ants"}, 1, 1));
        step(run, 5);
        cr_expect(mass_engine_describe(run));
        mass_engine_close(run);
    }
    mass_engine_close(NULL);
}

static void *step_in_thread(void *run)
{
    step(run, 200);
    return NULL;
}

Test(runs, of_several_threads_take_turns)
{
    pthread_t threads[3];
    mass_engine *runs[3];
    char expected[33];
    state_of_command("life --size 64x64 --seed 1 --steps 200", expected);
    for (int i = 0; i < 3; i++) runs[i] = OPEN("life", {"size", "64x64"}, {"seed", "1"});
    for (int i = 0; i < 3; i++) cr_assert_eq(pthread_create(&threads[i], NULL, step_in_thread, runs[i]), 0);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++) check_state(runs[i], expected);
    for (int i = 0; i < 3; i++) mass_engine_close(runs[i]);
}

/* Steps until it is interrupted. The other thread may be the one that uses the run at first. */
static void *step_for_long(void *run)
{
    uint64_t taken;
    int status;
    do status = mass_engine_step(run, UINT64_C(1) << 39, 0, &taken);
    while (status == MASS_ENGINE_BUSY);
    cr_expect(status == MASS_OK && taken == mass_engine_look(run)->step);
    return NULL;
}

Test(runs, are_interrupted_and_refuse_a_second_thread)
{
    pthread_t thread;
    mass_engine *run = OPEN("life", {"size", "64x64"}, {"seed", "1"});
    cr_assert_eq(pthread_create(&thread, NULL, step_for_long, run), 0);
    int status = MASS_OK;
    while (status == MASS_OK) status = mass_engine_until(run, NULL); /* until the thread has begun */
    cr_expect_eq(status, MASS_ENGINE_BUSY);
    cr_expect_str_eq(mass_engine_error(), "another thread uses the run");
    mass_engine_interrupt(run);
    pthread_join(thread, NULL);
    char before[33];
    WORKS(mass_engine_hash(run, before)); /* of a whole step */
    char words[100], expected[33];
    snprintf(words, sizeof words, "life --size 64x64 --seed 1 --steps %llu",
             (unsigned long long)mass_engine_look(run)->step);
    state_of_command(words, expected);
    cr_expect_str_eq(before, expected);
    mass_engine_close(run);
}

Test(runs, end_at_their_time_and_condition)
{
    uint64_t taken;
    mass_engine *run = OPEN("sugarscape", {"size", "40x30"}, {"seed", "1"});
    WORKS(mass_engine_step(run, UINT64_C(1) << 39, 0.01, &taken));
    cr_expect(taken >= 1 && taken < UINT64_C(1) << 39);
    WORKS(mass_engine_until(run, "steady(ants, 5)"));
    WORKS(mass_engine_step(run, 1000000, 0, &taken));
    cr_expect(mass_engine_look(run)->held);
    WORKS(mass_engine_step(run, 10, 0, &taken));
    cr_expect_eq(taken, 0);
    WORKS(mass_engine_until(run, NULL));
    step(run, 10);
    mass_engine_close(run);
}

/* What a listener saw, and when it ends the steps. */
typedef struct heard {
    mass_engine *run;
    pthread_t thread;
    uint64_t calls, most; /* it ends the steps in call number `most`; 0: never */
    double last;          /* seconds, by the clock of this test */
    double least;         /* the least from one call to the next */
    mass_engine_progress progress; /* of the last call */
    int refusals;
} heard;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int hear(void *context, const mass_engine_progress *progress)
{
    heard *h = context;
    const double at = now();
    if (h->calls == 0 || at - h->last < h->least) h->least = at - h->last;
    cr_expect(pthread_equal(pthread_self(), h->thread));
    cr_expect(progress->step >= h->progress.step && progress->seconds > 0);
    cr_expect_eq(mass_engine_look(h->run)->step, progress->step);
    cr_expect_eq(fegetround(), FE_UPWARD); /* the program's */
    mass_engine *other = NULL;
    h->refusals += mass_engine_step(h->run, 1, 0, NULL) == MASS_ENGINE_BUSY &&
                   strstr(mass_engine_error(), "another call of this thread") != NULL;
    h->refusals += mass_engine_open("life", NULL, 0, &other) == MASS_ENGINE_BUSY;
    h->progress = *progress;
    h->last = at;
    return ++h->calls == h->most;
}

Test(runs, tell_of_their_progress_until_they_are_ended)
{
    const uint64_t steps = UINT64_C(1) << 39;
    uint64_t taken;
    char words[100], expected[33];
    mass_engine *run = OPEN("heat", {"size", "64x64"}, {"seed", "1"});
    heard h = {.run = run, .thread = pthread_self(), .most = 3};
    fesetround(FE_UPWARD);
    step(run, 5);
    h.last = now();
    WORKS(mass_engine_on_progress(run, hear, &h));
    WORKS(mass_engine_step(run, steps, 0, &taken));
    fesetround(FE_TONEAREST);
    cr_expect_eq(h.calls, 3);
    cr_expect_eq(h.refusals, 6);
    cr_expect(h.least >= 0.0999 && h.least < 10, "%g", h.least);
    cr_expect(h.progress.steps == steps && h.progress.step == 5 + h.progress.taken && h.progress.seconds < 60);
    cr_expect(taken > 0 && taken > h.progress.taken && taken < steps, "%llu", (unsigned long long)taken);
    snprintf(words, sizeof words, "heat --size 64x64 --seed 1 --steps %llu",
             (unsigned long long)mass_engine_look(run)->step);
    state_of_command(words, expected);
    check_state(run, expected);
    WORKS(mass_engine_on_progress(run, NULL, NULL));
    WORKS(mass_engine_step(run, steps, 0.15, NULL));
    cr_expect_eq(h.calls, 3);
    mass_engine_close(run);
}

/* Many short calls are heard of as often as a long one. */
Test(runs, tell_of_their_progress_over_several_calls)
{
    mass_engine *run = OPEN("life", {"size", "64x64"}, {"seed", "1"});
    heard h = {.run = run, .thread = pthread_self()};
    fesetround(FE_UPWARD);
    const double began = h.last = now();
    WORKS(mass_engine_on_progress(run, hear, &h));
    while (now() - began < 0.35) WORKS(mass_engine_step(run, 1, 0, NULL));
    cr_expect(h.calls >= 1 && h.calls <= 3, "%d", (int)h.calls);
    cr_expect(h.least >= 0.0999, "%g", h.least);
    mass_engine_close(run);
}

Test(runs, keep_the_threads_locale_and_rounding)
{
    mass_engine *run = OPEN("heat", {"size", "16x16"}, {"seed", "1"});
    char expected[33];
    state_of_command("heat --size 16x16 --seed 1 --steps 20", expected);
    const locale_t own = newlocale(LC_ALL_MASK, "C", NULL), before = uselocale(own);
    fesetround(FE_UPWARD);
    step(run, 20);
    check_state(run, expected);
    cr_expect_eq(fegetround(), FE_UPWARD);
    cr_expect_eq(uselocale((locale_t)0), own);
    fesetround(FE_TONEAREST);
    uselocale(before);
    freelocale(own);
    mass_engine_close(run);
}

Test(runs, are_not_those_of_a_copy_of_the_process)
{
    mass_engine *run = OPEN("life", {"size", "16x16"}, {"seed", "1"});
    const pid_t copy = fork();
    if (copy == 0) {
        const bool refused = mass_engine_step(run, 1, 0, NULL) == MASS_FAILED &&
                             strstr(mass_engine_error(), "a copy of") != NULL;
        mass_engine *own = NULL; /* the copy may open runs of its own */
        const mass_engine_option options[] = {{"size", "16x16"}, {"seed", "1"}};
        const bool opened = mass_engine_open("life", options, 2, &own) == MASS_OK &&
                            mass_engine_step(own, 3, 0, NULL) == MASS_OK;
        _exit(refused && opened ? 0 : 1);
    }
    int how = 1;
    cr_assert_eq(waitpid(copy, &how, 0), copy);
    cr_expect(WIFEXITED(how) && WEXITSTATUS(how) == 0);
    step(run, 1);
    mass_engine_close(run);
}

Test(runs, go_on_from_a_checkpoint)
{
    char folder[] = "/tmp/mass-library-XXXXXX", path[100], hex[33], words[200];
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/here", folder);
    mass_engine *run = OPEN("sugarscape", {"size", "40x30"}, {"seed", "1"});
    step(run, 20);
    WORKS(mass_engine_checkpoint(run, path, 0));
    mass_engine *first = OPEN(NULL, {"resume", path}), *second = OPEN(NULL, {"resume", path}); /* both at once */
    cr_expect_eq(mass_engine_look(first)->step, 20);
    step(run, 20);
    step(first, 20);
    step(second, 20);
    WORKS(mass_engine_hash(run, hex));
    check_state(first, hex);
    check_state(second, hex);
    WORKS(mass_engine_checkpoint(first, path, 0)); /* into the folder of its own run */
    snprintf(words, sizeof words, "--resume %s --steps 40", path);
    state_of_command(words, hex);
    check_state(run, hex);
    snprintf(words, sizeof words, "rm -r %s", folder);
    cr_expect_eq(system(words), 0);
    mass_engine_close(run);
    mass_engine_close(first);
    mass_engine_close(second);
}
