/* SPDX-License-Identifier: Apache-2.0 */
/* A program with several threads over the library: library PLUGIN. Each thread steps a run of its own, to the same
 * state, and hears of its progress. Two more use one run, which another thread interrupts. */
#include <mass/engine.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, STEPS = 60 };

static const char *plugin;

/* Ends the program if a call has failed. */
static void check(int status)
{
    if (status == MASS_OK) return;
    fprintf(stderr, "library: %d: %s\n", status, mass_engine_error());
    exit(1);
}

static mass_engine *open_run(void)
{
    const mass_engine_option options[] = {{"size", "120x90"}, {"seed", "1"}, {"threads", "2"}, {"partitions", "2"}};
    mass_engine *run;
    check(mass_engine_open(plugin, options, 4, &run));
    return run;
}

static int hear(void *context, const mass_engine_progress *now)
{
    *(uint64_t *)context = now->step;
    return 0;
}

/* Steps a run of its own in short calls, reads it, and writes its hash. Goes on until it has heard of progress. */
static void *step_own(void *hash)
{
    uint64_t heard = 0;
    mass_engine *run = open_run();
    mass_engine_array places = {.struct_size = sizeof places};
    check(mass_engine_on_progress(run, hear, &heard));
    for (int i = 0; i < STEPS; i++) check(mass_engine_step(run, 1, 0, NULL));
    check(mass_engine_array_of(run, 0, &places));
    void *values = malloc(places.bytes);
    if (!values) exit(1);
    check(mass_engine_read(run, 0, NULL, values, places.bytes));
    check(mass_engine_hash(run, hash));
    while (!heard) check(mass_engine_step(run, 10, 0, NULL));
    free(values);
    mass_engine_close(run);
    return NULL;
}

/* Steps the common run until it is interrupted. The other thread may be the one that uses it at first. */
static void *step_for_long(void *run)
{
    int status;
    do status = mass_engine_step(run, UINT64_C(1) << 39, 0, NULL);
    while (status == MASS_ENGINE_BUSY);
    check(status);
    return NULL;
}

/* Interrupts a run that another thread steps, once it refuses this one. */
static void interrupt(mass_engine *run)
{
    pthread_t thread;
    int status = MASS_OK;
    if (pthread_create(&thread, NULL, step_for_long, run)) exit(1);
    while (status == MASS_OK) status = mass_engine_until(run, NULL);
    if (status != MASS_ENGINE_BUSY) check(status);
    mass_engine_interrupt(run);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    char hashes[THREADS][33];
    plugin = argc > 1 ? argv[1] : "life";
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, step_own, hashes[i])) return 1;
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    for (int i = 1; i < THREADS; i++)
        if (strcmp(hashes[i], hashes[0]) != 0) {
            fprintf(stderr, "library: thread %d has another state than thread 0\n", i);
            return 1;
        }
    mass_engine *run = open_run();
    interrupt(run);
    mass_engine_close(run);
    return 0;
}
