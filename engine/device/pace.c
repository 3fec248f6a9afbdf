/* A measure goes over some works. A trial is one measure on the rung above or below, and stays there if that was better.
 * A hundred times what it lost has to be worked off before the next one. */
#include "device/pace.h"

#include <stddef.h>
#include <time.h>

enum {
    WARMING = 2, /* works after a change, for caches and threads that sleep */
    WORKS = 8,   /* of a measure, at least */
    REST = 64    /* works between two measures of such as take little longer than looking at a clock */
};
static const double BRIEF = 1e4, LONG = 1e6;      /* works that rest; that warm up by themselves, and begin on all threads */
static const double MEASURE = 2e5, MEASURED = 2e7; /* a measure takes this at least, and ends here with fewer works */
static const double PRICE = 100, CREDIT = 3e8;    /* of what is lost, and before anything was */
static const double GAIN = 0.9, DUE = 0.2;        /* more threads have to win so much; a trial counts as such a loss */
static const double AGE = 1.02;

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
}

int mass_pace_begin(mass_pace *p, int most)
{
    while (p->top < MASS_PACE_RUNGS - 1 && 1 << p->top < most) p->top++;
    if (!p->begun) p->rung = p->home = p->top;
    p->timed = p->resting == 0;
    if (p->timed) p->start = now(p);
    else p->resting--;
    return p->rung == p->top || 1 << p->rung > most ? most : 1 << p->rung;
}

/* The first work, on all threads, shows whether it is long. */
static void begin(mass_pace *p, double taken)
{
    p->begun = true;
    p->credit = CREDIT;
    go_to(p, taken * (double)(1 << p->top) < LONG ? 0 : p->top);
    p->home = p->rung;
}

/* On one thread, more than was measured before is the time of other programs, which more threads do not win back. */
static void note_cost(mass_pace *p, bool again)
{
    const double cost = p->taken / p->units, most = AGE * p->cost[p->rung];
    p->cost[p->rung] = again && p->rung == 0 && cost > most ? most : cost;
}

/* What a trial loses at most, as far as one can tell. */
static double risk(const mass_pace *p, int rung)
{
    const double work = p->taken / p->works, known = p->cost[rung] * p->units / p->works;
    const double lost = known > 0 ? known - work : rung < p->home ? work : work / 2;
    return (lost < DUE * work ? DUE * work : lost) * (WARMING + (work > LONG ? 1 : WORKS));
}

/* Of the rung below if that was better when it was last measured, else of one or the other in turn. */
static void try_another(mass_pace *p)
{
    const int below = p->home - 1;
    if (below >= 0 && p->cost[below] > 0 && p->cost[below] <= p->cost[p->home]) {
        go_to(p, below);
        return;
    }
    p->down = !p->down;
    const int other = p->home == 0 ? 1 : p->home == p->top || p->down ? below : p->home + 1;
    if (other <= p->top && p->credit >= PRICE * risk(p, other)) go_to(p, other);
}

static void judge_trial(mass_pace *p)
{
    const double tried = p->cost[p->rung], known = p->cost[p->home];
    const bool down = p->rung < p->home, won = tried <= (down ? known : GAIN * known);
    const double lost = (won ? known - tried : tried - known) * p->units, due = DUE * p->taken;
    if (!won || down) p->credit -= PRICE * (lost < due ? due : lost);
    if (won) p->home = p->rung;
    else go_to(p, p->home);
}

static void end_measure(mass_pace *p)
{
    const bool trial = p->rung != p->home, again = p->cost[p->rung] > 0 && !trial;
    note_cost(p, again);
    if (trial) judge_trial(p);
    else try_another(p);
    if (p->rung == 0 && p->home == 0 && p->taken < BRIEF * p->works) p->resting = REST;
    p->taken = p->units = 0;
    p->works = 0;
}

void mass_pace_end(mass_pace *p, double units)
{
    const double taken = p->timed ? (double)(now(p) - p->start) : p->cost[p->rung] * units;
    if (!p->begun) {
        begin(p, taken);
        return;
    }
    p->credit += taken;
    if (!p->timed || (p->warming > 0 && p->warming-- && taken < LONG)) return;
    p->taken += taken;
    p->units += units;
    p->works++;
    if ((p->works >= WORKS && p->taken >= MEASURE) || p->taken >= MEASURED) end_measure(p);
}
