/* SPDX-License-Identifier: Apache-2.0 */
/* A measure goes over some works. A trial is one measure on the rung above or below, and the run stays there if that
 * was better. A hundred times what a trial lost has to be worked off before the next one. */
#include "device/cpu/pace.h"

#include <stddef.h>
#include <time.h>

enum {
    WARMING = 2, /* works after a change, for caches and threads that sleep */
    WORKS = 8,   /* of a measure, at least */
    SMOOTH = 4,  /* measures in an average */
    REST = 16    /* times as many rest after a measure of such as take little longer than looking at a clock */
};
static const double BRIEF = 1e4, LONG = 1e6;      /* works that rest; that warm up by themselves */
static const double SMALL = 1 << 16;              /* units of work that begins on one thread */
static const double ALL = 2e7;                    /* work that would take so long on one thread goes on on all */
static const double HANDED = 2e3;                 /* handing out parts takes so long: less work has one thread */
static const double MEASURE = 2e5, MEASURED = 4e6; /* a measure takes this at least, and ends here with fewer works */
static const double PRICE = 100, FIRST = 1e7;     /* of what is lost; what the first trial of a rung may lose */
static const double GAIN = 0.9, DUE = 0.2;        /* more threads have to win so much; a trial counts as such a loss */
static const double AGE = 1.02;                   /* so fast the least that was measured is forgotten */
static const double PATIENCE = 5e6;               /* with threads that were asleep, whose cores others have */

static int64_t now(const mass_pace *p)
{
    struct timespec t;
    if (p->clock) return p->clock();
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void go_to(mass_pace *p, int rung)
{
    p->rung = rung;
    p->warming = WARMING;
    p->waited = 0;
}

int mass_pace_begin(mass_pace *p, int most, double units)
{
    while (p->top < MASS_PACE_RUNGS - 1 && 1 << p->top < most) p->top++;
    if (!p->begun) p->rung = p->home = units < SMALL ? 0 : p->top;
    p->work = units;
    p->timed = p->resting == 0;
    if (p->timed) p->start = now(p);
    else p->resting--;
    return p->rung == p->top || 1 << p->rung > most ? most : 1 << p->rung;
}

/* The first work, on all threads if it looks large, shows whether it is long. */
static void begin(mass_pace *p, double taken)
{
    p->begun = true;
    if (p->rung > 0) p->cost[p->rung] = taken / p->work;
    go_to(p, taken * (double)(1 << p->rung) < ALL ? 0 : p->top);
    p->home = p->rung;
}

/* On one thread, more than was measured before is the time of other programs, which more threads do not win back. On
 * several, one measure that was disturbed is none. */
static void note_cost(mass_pace *p, bool again)
{
    const double cost = p->taken / p->units, before = p->cost[p->rung], most = AGE * before;
    if (!again) p->cost[p->rung] = cost;
    else if (p->rung > 0) p->cost[p->rung] = before + (cost - before) / SMOOTH;
    else p->cost[p->rung] = cost > most ? most : cost;
    if (p->rung == p->home) p->latest = cost;
}

/* What a trial loses, as far as one can tell. Half as many threads take at most twice as long. */
static double risk(const mass_pace *p, int rung)
{
    const double work = p->taken / p->works, known = p->cost[rung] * p->units / p->works;
    const double most = rung < p->home ? work : 4 * work;
    double lost = known > 0 ? known - work : rung < p->home ? work : work / 2;
    lost = lost < DUE * work ? DUE * work : lost > most ? most : lost;
    return lost * (work > LONG ? 1 : WARMING + WORKS);
}

static bool may_try(const mass_pace *p, int rung)
{
    const double lost = risk(p, rung);
    const bool first = p->cost[rung] == 0 && (rung > p->home || lost <= FIRST);
    return first || p->credit >= PRICE * lost;
}

/* Of a rung that was not measured yet, or of the one below if that was better than this is now; else of the two in
 * turn. */
static int next_trial(const mass_pace *p)
{
    const int below = p->home - 1, above = p->home + 1 <= p->top ? p->home + 1 : -1;
    if (above >= 0 && p->cost[above] == 0) return above;
    if (below >= 0 && (p->cost[below] <= p->cost[p->home] || above < 0 || p->down)) return below;
    return above;
}

static void try_another(mass_pace *p)
{
    const int next = next_trial(p);
    if (next < 0 || (p->home == 0 && p->taken < HANDED * p->works)) return;
    const bool was_better = next < p->home && p->cost[next] > 0 && p->cost[next] <= p->cost[p->home];
    if (!was_better && !may_try(p, next)) return;
    p->down = next > p->home;
    go_to(p, next);
}

/* Where the rung below had been left for this one, that was a loss until now. */
static void judge_trial(mass_pace *p, bool known_before)
{
    const double tried = p->cost[p->rung], known = p->cost[p->home];
    const bool down = p->rung < p->home, won = tried <= (down ? known : GAIN * known);
    const double lost = (won ? p->latest - tried : tried - known) * p->units, due = DUE * p->taken;
    if (!won || (down && known_before)) p->credit -= PRICE * (lost < due ? due : lost);
    if (won) p->home = p->rung;
    else go_to(p, p->home);
}

/* After the first measure on one thread, which the first work of all is compared with. That was cold, and is no measure
 * if it took longer. */
static void settle(mass_pace *p)
{
    const bool faster = p->cost[p->top] > 0 && p->cost[p->top] < GAIN * p->cost[0];
    if (faster) go_to(p, p->home = p->top);
    else p->cost[p->top] = 0;
}

static void end_measure(mass_pace *p)
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

/* Whether a work is to be left out of account, as one of the first after a change. */
static bool warms_up(mass_pace *p, double taken, bool shared)
{
    if (p->warming == 0) return false;
    p->waited += taken;
    if (shared || p->rung == 0 || p->waited > PATIENCE) p->warming--;
    return taken < LONG;
}

void mass_pace_end(mass_pace *p, bool shared)
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
