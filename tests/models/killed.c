/* SPDX-License-Identifier: Apache-2.0 */
#include "killed.h"

#include <criterion/criterion.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/pidfd.h>
#include <time.h>
#include <unistd.h>

uint64_t draw(uint64_t *state, uint64_t below)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (z ^ z >> 31) % below;
}

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Checkpoints that got their names, among the events of a watched folder. */
static int count_events(int watch)
{
    char events[16384] __attribute__((aligned(__alignof__(struct inotify_event))));
    const ssize_t size = read(watch, events, sizeof events);
    int count = 0;
    for (ssize_t at = 0; at < size;) {
        const struct inotify_event *e = (const void *)(events + at);
        count += e->len > 0 && strncmp(e->name, "ckpt-", 5) == 0;
        at += (ssize_t)(sizeof *e + e->len);
    }
    return count;
}

int watch_checkpoints(const char *folder)
{
    const int watch = inotify_init1(IN_CLOEXEC);
    cr_assert(watch >= 0 && inotify_add_watch(watch, folder, IN_MOVED_TO) >= 0);
    return watch;
}

int wait_for_checkpoints(const process *p, int watch, int wanted)
{
    const int end = pidfd_open(p->pid, 0);
    cr_assert_geq(end, 0);
    struct pollfd events[2] = {{.fd = watch, .events = POLLIN}, {.fd = end, .events = POLLIN}};
    int count = 0;
    while (count < wanted && !(events[1].revents & POLLIN)) {
        cr_assert_gt(poll(events, 2, 60000), 0, "no checkpoint for a minute");
        if (events[0].revents & POLLIN) count += count_events(watch);
    }
    close(end);
    return count;
}

/* Starts a run and kills it at a random moment between two checkpoints. Returns how many had their
 * names by then, or -1 if the run ended first. */
static int run_and_kill(const char *options, const char *folder, int checkpoints, kills *k)
{
    const int wanted = (int)draw(&k->random, (uint64_t)checkpoints), share = (int)draw(&k->random, 1000);
    const int watch = watch_checkpoints(folder);
    const double began = now();
    process p = engine_start(options);
    const int seen = wait_for_checkpoints(&p, watch, wanted);
    const double interval = (now() - began) / (seen ? seen : 1);
    usleep(seen ? (unsigned)(interval * share * 1e3) : 40u * (unsigned)share);
    const bool killed = engine_kill(&p);
    close(watch);
    return killed ? seen : -1;
}

void kill_and_resume(const model *m, int every, const char *from, const char *to, const char *expected, kills *k)
{
    const char *folder = folder_make();
    const char *start = text("--quiet %s --steps %d --checkpoint %s --checkpoint-every %d", m->options, m->steps,
                             folder, every);
    const uint64_t random = k->random;
    const int seen = run_and_kill(text("%s %s", start, from), folder, m->steps / every, k);
    uint64_t steps[16];
    const int found = checkpoint_steps(folder, true, steps, 16);
    cr_assert(seen <= 0 || (found && steps[found - 1] >= (uint64_t)(seen * every)),
              "a checkpoint was lost: %d were written, the newest is of %d (random state %llu)", seen,
              found ? (int)steps[found - 1] : -1, (unsigned long long)random);
    int *which = seen < 0 ? &k->late : found == 0 ? &k->early : &k->resumed;
    ++*which;
    const char *result = found ? engine_result(text("--resume %s %s", folder, to))
                               : engine_result(text("%s %s", start, to));
    cr_assert_str_eq(result, expected, "%s, killed with %s after %d checkpoints and resumed with %s (random state "
                     "%llu)", m->options, from, seen, to, (unsigned long long)random);
    const int left = checkpoint_steps(folder, false, steps, 16);
    cr_assert(left > 0 && steps[left - 1] == (uint64_t)m->steps);
    folder_empty(folder);
}
