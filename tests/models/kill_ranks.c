/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of several ranks, one of which is killed at a random moment. All processes end soon, and one line names the rank
 * and its host. Another number of ranks resumes the run and ends with the bits of a run that was not killed. 100 kills
 * of each model, or a sample; a kill after the end of the run is not counted. */
#include "../extended.h"
#include "killed.h"
#include "minesweeper/minesweeper.h"
#include "needed.h"
#include "sugarscape/sugarscape.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

enum { KILLS = 100, SAMPLE = 3, STEPS = 320, EVERY = 16, RANKS_MOST = 5, SECONDS = 10 };

/* The processes of a run: mass-engine, which is process 0, mpirun, and the ranks. */
typedef struct team {
    int count;
    int processes[RANKS_MOST + 2]; /* pidfd */
    int number[RANKS_MOST + 2];    /* of a rank */
} team;

/* ---- the processes of a run ---- */

static pid_t parent_of(pid_t id)
{
    int parent = 0;
    FILE *f = fopen(text("/proc/%d/stat", id), "re");
    if (!f) return 0;
    if (fscanf(f, "%*d (%*[^)]) %*c %d", &parent) != 1) parent = 0;
    fclose(f);
    return parent;
}

/* Returns how many there are, of which it writes at most `most`. */
static int children_of(pid_t id, pid_t *children, int most)
{
    int count = 0;
    DIR *all = opendir("/proc");
    cr_assert_not_null(all);
    for (const struct dirent *e; (e = readdir(all)) && count < most;) {
        const pid_t child = (pid_t)strtol(e->d_name, NULL, 10);
        if (child > 0 && parent_of(child) == id) children[count++] = child;
    }
    closedir(all);
    return count;
}

/* The rank that a process is, by its environment; -1: none yet. */
static int rank_of(pid_t id)
{
    static const char name[] = "OMPI_COMM_WORLD_RANK=";
    char *entry = NULL;
    size_t room = 0;
    int rank = -1;
    FILE *f = fopen(text("/proc/%d/environ", id), "re");
    while (f && rank < 0 && getdelim(&entry, &room, 0, f) > 0)
        if (strncmp(entry, name, sizeof name - 1) == 0) rank = (int)strtol(entry + sizeof name - 1, NULL, 10);
    if (f) fclose(f);
    free(entry);
    return rank;
}

static void team_add(team *t, pid_t id, int number)
{
    t->number[t->count] = number;
    t->processes[t->count] = pidfd_open(id, 0);
    cr_assert_geq(t->processes[t->count++], 0);
}

/* Waits until all ranks have been started. */
static team team_find(const process *run, int ranks)
{
    const double began = now();
    pid_t launcher = 0, found[RANKS_MOST + 1];
    for (int count = 0; count < ranks;) {
        cr_assert_lt(now() - began, 60, "the ranks do not start");
        usleep(2000);
        if (children_of(run->pid, &launcher, 1) == 0) continue;
        count = children_of(launcher, found, RANKS_MOST + 1);
        for (int i = 0; i < count; i++)
            if (rank_of(found[i]) < 0) count = 0;
    }
    team t = {0};
    team_add(&t, run->pid, -1);
    team_add(&t, launcher, -1);
    for (int i = 0; i < ranks; i++) team_add(&t, found[i], rank_of(found[i]));
    return t;
}

static void team_kill(const team *t, int rank)
{
    for (int i = 0; i < t->count; i++)
        if (t->number[i] == rank) pidfd_send_signal(t->processes[i], SIGKILL, NULL, 0);
}

/* False if any is left. */
static bool team_ends(team *t, double seconds)
{
    const double end = now() + seconds;
    bool all = true;
    for (int i = 0; i < t->count; i++) {
        struct pollfd p = {.fd = t->processes[i], .events = POLLIN};
        const double left = end - now();
        all &= poll(&p, 1, left > 0 ? (int)(left * 1e3) : 0) == 1;
        close(t->processes[i]);
    }
    return all;
}

/* ---- kills ---- */

static bool starts_with(const char *all, const char *start) { return strncmp(all, start, strlen(start)) == 0; }

/* Behind what mpirun says of its connections, "[host:process] ...", where a rank is killed before all are made. */
static const char *own_words(const char *errors)
{
    while (*errors == '[' && strchr(errors, '\n')) errors = strchr(errors, '\n') + 1;
    return errors;
}

/* A line of the rank that was killed and of this host, and no other. Which rank it was is not known before ranks have
 * found each other, and when the last of their checkpoints is there and they leave. */
static void expect_one_line(const outcome *o, int rank, const char *folder, uint64_t random)
{
    uint64_t steps[STEPS / EVERY + 1];
    const int found = checkpoint_steps(folder, true, steps, STEPS / EVERY + 1);
    const bool any = found == 0 || steps[found - 1] == STEPS;
    char host[256];
    cr_assert_eq(gethostname(host, sizeof host), 0);
    const char *start = text("mass-engine: rank %d on %s ", rank, host);
    const char *of_any = text("mass-engine: a rank on %s %s", host, found == 0 ? "" : "was ended by signal 9 ");
    const char *said = found == 0 ? own_words(o->errors) : o->errors, *end = strchr(said, '\n');
    cr_assert((starts_with(said, start) || (any && starts_with(said, of_any))) && end && !end[1],
              "not one line that starts with '%s' (random state %llu), status %d: %s", start,
              (unsigned long long)random, o->status, o->errors);
}

/* Kills a rank of a run after as many checkpoints, or before the first, and some. Returns how many had their names, or
 * -1 if the run ended first. */
static int kill_a_rank(const char *options, int ranks, const char *folder, kills *k)
{
    const uint64_t random = k->random;
    const int victim = (int)draw(&k->random, (uint64_t)ranks), wanted = (int)draw(&k->random, STEPS / EVERY);
    const double share = 1e-3 * (double)draw(&k->random, 1000);
    const int watch = watch_checkpoints(folder);
    process p = engine_start(options);
    team t = team_find(&p, ranks);
    const double began = now();
    const int seen = wait_for_checkpoints(&p, watch, wanted);
    usleep((unsigned)(1e6 * share * (seen ? (now() - began) / seen : 0.3)));
    close(watch);
    team_kill(&t, victim);
    cr_assert(team_ends(&t, SECONDS), "processes are left (random state %llu)", (unsigned long long)random);
    outcome o = engine_finish(&p);
    if (o.status != 0) expect_one_line(&o, victim, folder, random);
    const bool killed = o.status != 0;
    outcome_free(&o);
    return killed ? seen : -1;
}

static void kill_and_go_on(const model *m, const char *expected, kills *k)
{
    const uint64_t random = k->random;
    const char *folder = folder_make();
    const int from = 2 + (int)draw(&k->random, RANKS_MOST - 1);
    const int to = 1 + (from + (int)draw(&k->random, RANKS_MOST - 1)) % RANKS_MOST; /* another */
    const char *start = text("--quiet %s --device cpu --threads 1 --steps %d --checkpoint %s --checkpoint-every %d",
                             m->options, m->steps, folder, EVERY);
    const int seen = kill_a_rank(text("%s --ranks %d", start, from), from, folder, k);
    uint64_t steps[STEPS / EVERY + 1];
    const int found = checkpoint_steps(folder, true, steps, STEPS / EVERY + 1);
    cr_assert(seen <= 0 || (found && steps[found - 1] >= (uint64_t)(seen * EVERY)),
              "a checkpoint was lost: %d were written (random state %llu)", seen, (unsigned long long)random);
    int *which = seen < 0 ? &k->late : found == 0 ? &k->early : &k->resumed;
    ++*which;
    const char *result = found ? engine_result(text("--resume %s --ranks %d", folder, to))
                               : engine_result(text("%s --ranks %d", start, to));
    cr_assert_str_eq(result, expected, "%s, %d ranks, killed after %d checkpoints, go on as %d (random state %llu)",
                     m->options, from, seen, to, (unsigned long long)random);
    folder_empty(folder);
}

static void kill_often(const model *models, int count, uint64_t seed)
{
    const char *expected[2];
    for (int i = 0; i < count; i++) expected[i] = expected_result(&models[i]);
    const int wanted = extended(SAMPLE, KILLS);
    kills k = {.random = seed};
    for (int i = 0; k.resumed + k.early < wanted; i++) {
        kill_and_go_on(&models[i % count], expected[i % count], &k);
        cr_assert_leq(k.late, wanted / 2 + 4, "%d kills missed the runs", k.late);
    }
    cr_assert_leq(k.early, wanted / 2 + 1, "%d kills came before the first checkpoint", k.early);
    printf("kills of ranks: %d, of which %d before the first checkpoint; %d more came when the run had ended\n",
           k.resumed + k.early, k.early, k.late);
}

Test(kill_ranks, life_ends_as_if_no_rank_had_been_killed)
{
    const model models[] = {life_model(160, 120, STEPS, "B3/S23", "torus"),
                            life_model(77, 41, STEPS, "B36/S23", "dead")};
    kill_often(models, 2, 1);
}

Test(kill_ranks, sugarscape_ends_as_if_no_rank_had_been_killed)
{
    const model models[] = {
        sugarscape_model(60, 44, STEPS, "--seed 6 --set replace=yes --set reproduce=30 --set growback=2"),
        sugarscape_model(37, 50, STEPS, "--seed 7 --set reproduce=12 --set landscape=flat --worlds 2")};
    kill_often(models, 2, 2);
}

Test(kill_ranks, minesweeper_ends_as_if_no_rank_had_been_killed)
{
    const model models[] = {minesweeper_model(46, 46, STEPS, "--seed 8 --set restart=0.6"),
                            minesweeper_model(20, 31, STEPS, "--seed 9 --worlds 6 --set agents=200")};
    kill_often(models, 2, 3);
}

const needed what_is_needed = {"--plugin life --steps 0 --quiet --ranks 2",
                               {"there is no MPI in this build", "needs mpirun, which is not in PATH", NULL}};
