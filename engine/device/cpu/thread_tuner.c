/* SPDX-License-Identifier: Apache-2.0 */
/* The thread tuner. It moves on a ladder: on rung r, work gets 2^r threads; on the top rung, all. A measure is the mean
 * cost of some works on one rung. A trial is one measure on the rung above or below; the tuner stays there if that was
 * better. Between trials, work must continue for PRICE times the time that trials have lost. */
#include "device/cpu/thread_tuner.h"

#include <stddef.h>
#include <time.h>

enum {
    WARMING = 2, /* works after a change that only warm caches and wake threads */
    WORKS = 8,   /* least works of a measure */
    SMOOTH = 4,  /* measures in an average */
    REST = 16    /* after a measure of brief works, this many times as many are not timed */
};
static const double BRIEF = 1e4, LONG = 1e6;      /* works below BRIEF are not always timed, since reading the clock
                                                     takes about as long; those above LONG need no warming */
static const double SMALL = 1 << 16;              /* units of work that begins on one thread */
static const double ALL = 2e7;                    /* work that takes longer than this on one thread continues on all
                                                     threads */
static const double HANDED = 2e3;                 /* time to distribute parts: shorter work gets one thread */
static const double MEASURE = 2e5, MEASURED = 4e6; /* least time of a measure; time at which it ends with fewer works */
static const double PRICE = 100;                  /* credit that a trial needs for each nanosecond that it loses */
static const double FIRST = 1e7;                  /* the first trial of a rung below may lose this much without
                                                     credit */
static const double GAIN = 0.9;                   /* a rung above must cost at most this share of the known cost */
static const double DUE = 0.2;                    /* a trial counts as a loss of at least this share of its time */
static const double AGE = 1.02;                   /* a cost on one thread grows by at most this factor a measure */
static const double PATIENCE = 5e6;               /* time to wait for threads whose cores other programs use */

/* Returns the time in nanoseconds. A test can set the clock. */
static int64_t now(const mass_thread_tuner *p)
{
    struct timespec t;
    if (p->clock) return p->clock();
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Changes to another rung, whose first works only warm caches and wake threads. */
static void go_to(mass_thread_tuner *p, int rung)
{
    p->rung = rung;
    p->warming = WARMING;
    p->waited = 0;
}

int mass_thread_tuner_begin(mass_thread_tuner *p, int most, double units)
{
    while (p->top < MASS_THREAD_TUNER_RUNGS - 1 && 1 << p->top < most) p->top++;
    if (!p->begun) p->rung = p->home = units < SMALL ? 0 : p->top;
    p->work = units;
    p->timed = p->resting == 0;
    if (p->timed) p->start = now(p);
    else p->resting--;
    return p->rung == p->top || 1 << p->rung > most ? most : 1 << p->rung;
}

/* Notes the cost of the first work of all, if it had several threads, and chooses a rung: all threads for long work,
 * one thread for other work. */
static void begin(mass_thread_tuner *p, double taken)
{
    p->begun = true;
    if (p->rung > 0) p->cost[p->rung] = taken / p->work;
    go_to(p, taken * (double)(1 << p->rung) < ALL ? 0 : p->top);
    p->home = p->rung;
}

/* Records the cost of a measure; at home also as `latest`. again: the rung's cost was known, and this was no trial. On
 * one thread, a cost above that of an earlier measure is time of other programs, which more threads would not win back,
 * so it may grow only slowly. On several threads, measures are averaged, since one may have been disturbed. */
static void note_cost(mass_thread_tuner *p, bool again)
{
    const double cost = p->taken / p->units, before = p->cost[p->rung], most = AGE * before;
    if (!again) p->cost[p->rung] = cost;
    else if (p->rung > 0) p->cost[p->rung] = before + (cost - before) / SMOOTH;
    else p->cost[p->rung] = cost > most ? most : cost;
    if (p->rung == p->home) p->latest = cost;
}

/* Returns the time that a trial of a rung may lose, estimated from known costs. Half as many threads take at most twice
 * as long. */
static double risk(const mass_thread_tuner *p, int rung)
{
    const double work = p->taken / p->works, known = p->cost[rung] * p->units / p->works;
    const double most = rung < p->home ? work : 4 * work;
    double lost = known > 0 ? known - work : rung < p->home ? work : work / 2;
    lost = lost < DUE * work ? DUE * work : lost > most ? most : lost;
    return lost * (work > LONG ? 1 : WARMING + WORKS);
}

/* Returns whether credit pays for what a trial may lose. First trials are free, if above the present rung or cheap. */
static bool may_try(const mass_thread_tuner *p, int rung)
{
    const double lost = risk(p, rung);
    const bool first = p->cost[rung] == 0 && (rung > p->home || lost <= FIRST);
    return first || p->credit >= PRICE * lost;
}

/* Returns the rung to try next; -1: none. It is the one above if that was not measured yet, or the one below if that
 * cost less than the present one. Otherwise the two take turns. */
static int next_trial(const mass_thread_tuner *p)
{
    const int below = p->home - 1, above = p->home + 1 <= p->top ? p->home + 1 : -1;
    if (above >= 0 && p->cost[above] == 0) return above;
    if (below >= 0 && (p->cost[below] <= p->cost[p->home] || above < 0 || p->down)) return below;
    return above;
}

/* Changes to the next rung to try, if a trial is due and affordable. A rung that was as good as the present one
 * needs no budget. */
static void try_another(mass_thread_tuner *p)
{
    const int next = next_trial(p);
    if (next < 0 || (p->home == 0 && p->taken < HANDED * p->works)) return;
    const bool was_better = next < p->home && p->cost[next] > 0 && p->cost[next] <= p->cost[p->home];
    if (!was_better && !may_try(p, next)) return;
    p->down = next > p->home;
    go_to(p, next);
}

/* Ends a trial: the tuner stays on its rung, or goes back. known_before: the rung's cost was known. A trial that loses
 * costs credit. So does one that wins on a known rung below, since the time on the rung above was lost until now. */
static void judge_trial(mass_thread_tuner *p, bool known_before)
{
    const double tried = p->cost[p->rung], known = p->cost[p->home];
    const bool down = p->rung < p->home, won = tried <= (down ? known : GAIN * known);
    const double lost = (won ? p->latest - tried : tried - known) * p->units, due = DUE * p->taken;
    if (!won || (down && known_before)) p->credit -= PRICE * (lost < due ? due : lost);
    if (won) p->home = p->rung;
    else go_to(p, p->home);
}

/* After the first measure on one thread: moves to all threads if the first work of all, which had them, cost less.
 * Otherwise forgets that cost, since caches were cold. */
static void settle(mass_thread_tuner *p)
{
    const bool faster = p->cost[p->top] > 0 && p->cost[p->top] < GAIN * p->cost[0];
    if (faster) go_to(p, p->home = p->top);
    else p->cost[p->top] = 0;
}

/* Ends a measurement: notes the cost of the rung, and decides which rung is next. After brief works on one thread, the
 * next ones are not timed. */
static void end_measure(mass_thread_tuner *p)
{
    const bool trial = p->rung != p->home, known = p->cost[p->rung] > 0;
    note_cost(p, known && !trial);
    if (trial) judge_trial(p, known);
    else if (!known && p->rung == 0 && p->top > 0) settle(p);
    else try_another(p);
    if (p->rung == 0 && p->home == 0 && p->taken < BRIEF * p->works) p->resting = REST * p->works;
    p->taken = p->units = 0;
    p->works = 0;
}

/* Returns whether a work is ignored, as one of the first after a change; counts these down. A long work is not ignored.
 * With several threads, only works that others shared are counted down, until PATIENCE is over. */
static bool warms_up(mass_thread_tuner *p, double taken, bool shared)
{
    if (p->warming == 0) return false;
    p->waited += taken;
    if (shared || p->rung == 0 || p->waited > PATIENCE) p->warming--;
    return taken < LONG;
}

void mass_thread_tuner_end(mass_thread_tuner *p, bool shared)
{
    const double taken = p->timed ? (double)(now(p) - p->start) : p->cost[p->rung] * p->work;
    if (!p->begun) {
        begin(p, taken);
        return;
    }
    p->credit += taken;
    if (!p->timed || warms_up(p, taken, shared)) return;
    p->taken += taken;
    p->units += p->work;
    p->works++;
    if ((p->works >= WORKS && p->taken >= MEASURE) || p->taken >= MEASURED) end_measure(p);
}
