/* SPDX-License-Identifier: Apache-2.0 */
/* Bodies in turn on CUDA devices. One launch does a phase: it draws the order, finds out who waits for whom, and lets
 * agents, places or nodes act round by round (mass_turn_rounds). The result is that of the plain loop. All blocks are
 * on the device at once, so that they can wait for each other. There is no list of who waits for whom: an actor counts
 * the rivals before it, and after it has acted it looks around again and counts down those of its later rivals.
 *
 * The method is that of G. Blelloch, J. Fineman, P. Gibbons and J. Shun, "Internally deterministic parallel algorithms
 * can be fast" (2012), with all conflicts known in advance. */
#ifndef MASS_KERNEL_CUDA_TURN_H
#define MASS_KERNEL_CUDA_TURN_H

#include <mass/impl/kernel_cuda_agents.h>

/* Waits until all threads of the launch have arrived for the `times`-th time. The count of blocks may wrap. */
MASS_FN void mass_turn_meet(uint32_t *arrived, uint32_t times)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while ((int32_t)(*(volatile uint32_t *)arrived - times * gridDim.x) < 0) {}
        __threadfence();
    }
    __syncthreads();
}

/* The agents that a block has found ready for a round. It adds them to the list of the round together, as additions of
 * single agents to one number would take longer than all else. */
struct mass_turn_found {
    enum { MOST = 4096 };
    uint32_t number, first, agents[MOST];
};
/* Notes an agent that is ready; if the block has no room for it, adds it to the list at once. */
MASS_FN void mass_turn_append(mass_turn_found &found, uint32_t *list, uint32_t *number, uint32_t agent)
{
    const uint32_t at = atomicAdd(&found.number, 1u);
    if (at < mass_turn_found::MOST) found.agents[at] = agent;
    else list[atomicAdd(number, 1u)] = agent;
}
/* Adds the agents that the block has found to the list of the round. All threads of the block call it. */
MASS_FN void mass_turn_hand_over(mass_turn_found &found, uint32_t *list, uint32_t *number)
{
    __syncthreads();
    const uint32_t count = found.number < mass_turn_found::MOST ? found.number : mass_turn_found::MOST;
    if (threadIdx.x == 0 && count > 0) found.first = atomicAdd(number, count);
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < count; k += blockDim.x) list[found.first + k] = found.agents[k];
    if (threadIdx.x == 0) found.number = 0;
}

/* When an actor acts. */
struct mass_turn_moment {
    uint32_t actor, high;
};

/* Those that act in a phase: agents, places or nodes. They are numbered as in mass_turn. At least LEAST_GROUP threads
 * share the search for the rivals of one. */
template <int DIMENSIONS> struct mass_turn_agents {
    enum : uint32_t { LEAST_GROUP = 1 };
    const mass_launch &l;
    const int part, shared; /* as in mass_reach and mass_turn_part */
    __device__ mass_gidx places() const { return l.populations[0].places; }
    __device__ uint64_t id(uint32_t i) const { return l.turn->populations[0].id[i]; }
    __device__ int32_t world(uint32_t i) const { return (int32_t)(l.populations[0].cell[i] / (uint32_t)places()); }
    __device__ void stand(mass_site *s, uint32_t i) const
    {
        mass_stand_in<DIMENSIONS>(s, &l, i, 0, 0);
        if (part) mass_turn_leave_part(s);
    }
    __device__ bool acts(uint32_t i) const { return !mass_turn_is_dead(&l.turn->populations[0], i); }
    /* Calls `visit` for each that began on some neighbouring cells. */
    template <class Visit> __device__ void each_on(int64_t first, int64_t end, Visit visit) const
    {
        const uint32_t last = mass_first_agent(&l, end);
        for (uint32_t i = mass_first_agent(&l, first); i < last; i++) visit(i);
    }
};
template <int DIMENSIONS> struct mass_turn_all_places {
    enum : uint32_t { LEAST_GROUP = 1 };
    const mass_launch &l;
    const int part, shared;
    __device__ mass_gidx places() const { return mass_turn_places(&l); }
    __device__ uint64_t id(uint32_t i) const
    {
        return (uint64_t)mass_turn_from_part(&l.turn->part, i - world(i) * places());
    }
    __device__ int32_t world(uint32_t i) const { return (int32_t)(i / (uint32_t)places()); }
    __device__ void stand(mass_site *s, uint32_t i) const { mass_turn_stand_on(s, &l, i, world(i)); }
    __device__ bool acts(uint32_t) const { return true; }
    template <class Visit> __device__ void each_on(int64_t first, int64_t end, Visit visit) const
    {
        for (int64_t i = first; i < end; i++) visit((uint32_t)i);
    }
};
/* Nodes are places that find each other by edges. A group shares more edges of a node than MASS_TURN_MANY_EDGES. */
enum { MASS_TURN_MANY_EDGES = 64 };
template <int DIMENSIONS> struct mass_turn_all_nodes : mass_turn_all_places<DIMENSIONS> {
    enum : uint32_t { LEAST_GROUP = 8 };
};

/* Returns whether actor a acts before actor b of its world. */
template <class Actors>
MASS_FN bool mass_turn_is_sooner(const Actors &actors, const mass_turn &t, const mass_turn_moment &a,
                                 const mass_turn_moment &b)
{
    if (a.high != b.high) return a.high < b.high;
    const uint32_t of_a = t.rounds.low[a.actor], of_b = t.rounds.low[b.actor];
    if (of_a != of_b) return of_a < of_b;
    const uint64_t id_a = actors.id(a.actor), id_b = actors.id(b.actor);
    return t.keys.reversed ? id_a > id_b : id_a < id_b;
}

/* Threads of a warp that share the search for the rivals of an agent. */
struct mass_turn_group {
    uint32_t size, member; /* a power of two; this thread's number among them */
    unsigned lanes;        /* their lanes in the warp */
};
/* Makes groups as large as so many agents leave threads for, and of `least` threads at least. */
MASS_FN mass_turn_group mass_turn_make_group(uint32_t agents, uint32_t threads, uint32_t least)
{
    uint32_t size = least;
    while (size < 32 && (uint64_t)agents * 2 * size <= threads) size *= 2;
    const uint32_t lane = threadIdx.x % 32, lanes = size < 32 ? (1u << size) - 1 : ~0u;
    return {size, lane % size, lanes << (lane - lane % size)};
}

/* Returns how far along x those can be that matter to each other, whose offsets are dy and dz along the other axes.
 * -1: none can. If bodies act along the axes alone, one sees along one axis what the other changes along another. */
MASS_FN int32_t mass_turn_row_reach(const mass_turn_scope &c, int32_t dy, int32_t dz)
{
    const int32_t y = dy < 0 ? -dy : dy, z = dz < 0 ? -dz : dz, all = c.sees + c.changes;
    if (!c.axes || (y | z) == 0) return all;
    if (y && z) return max(y, z) <= c.sees && min(y, z) <= c.changes ? 0 : -1;
    return y + z <= c.changes ? c.sees : y + z <= c.sees ? c.changes : 0;
}

/* Returns how many places of the part are before a place of the space, which may be beyond the part. */
MASS_FN mass_gidx mass_turn_before(const mass_turn_part &p, mass_gidx places, mass_gidx place)
{
    if (place <= p.low_end) return place;
    const mass_gidx beyond = place - p.gap;
    return beyond <= p.low_end ? p.low_end : beyond < places ? beyond : places;
}

/* Calls `visit` for each actor that can matter to one at a site, from where they were when the phase began, itself
 * included. The threads of a group share the rows of places. */
template <int DIMENSIONS, class Actors, class Visit>
MASS_FN void mass_turn_each_rival(const Actors &actors, const mass_turn_scope &scope, const mass_site &s,
                                  const mass_turn_group &group, Visit visit)
{
    const mass_launch &l = actors.l;
    const mass_gidx at[3] = {s.x, s.y, s.z};
    int32_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++)
        if (DIMENSIONS == 0 || a < DIMENSIONS) {
            low[a] = mass_walk_low(&l, a, at[a], scope.sees + scope.changes);
            high[a] = mass_walk_high(&l, a, at[a], scope.sees + scope.changes);
        }
    const int64_t of_world = s.world * actors.places();
    const auto at_place = [&](mass_gidx place) {
        return of_world + (actors.shared ? mass_turn_before(l.turn->part, actors.places(), place) : place);
    };
    const uint32_t of_sheet = (uint32_t)(high[1] - low[1]) + 1, rows = of_sheet * ((uint32_t)(high[2] - low[2]) + 1);
    for (uint32_t k = group.member; k < rows; k += group.size) {
        const int32_t dz = low[2] + (int32_t)(k / of_sheet), dy = low[1] + (int32_t)(k % of_sheet);
        const int32_t reach = mass_turn_row_reach(scope, dy, dz);
        if (reach < 0) continue;
        const mass_gidx y = mass_turn_wrap(s.y + dy, l.size[1]), z = mass_turn_wrap(s.z + dz, l.size[2]);
        const mass_gidx row = (z * l.size[1] + y) * l.size[0];
        mass_gidx first = s.x + max(low[0], -reach), end = s.x + min(high[0], reach) + 1;
        if (first < 0) {
            actors.each_on(at_place(row + first + l.size[0]), at_place(row + l.size[0]), visit);
            first = 0;
        }
        if (end > l.size[0]) {
            actors.each_on(at_place(row), at_place(row + end - l.size[0]), visit);
            end = l.size[0];
        }
        actors.each_on(at_place(row + first), at_place(row + end), visit);
    }
}

/* Calls `visit` for each node that an edge joins to the one at a site. If bodies change something at the other ends of
 * edges, it also does so for each node that an edge joins to one of these. A node is visited as often as edges lead to
 * it, which is the same number both ways, and the own node may be visited. The threads of a group share the edges of
 * the site's node, and then those of each other node that has many. All of them call it. */
template <int DIMENSIONS, class Visit>
MASS_FN void mass_turn_each_rival(const mass_turn_all_nodes<DIMENSIONS> &actors, const mass_turn_scope &scope,
                                  const mass_site &s, const mass_turn_group &group, Visit visit)
{
    const mass_turn_joined &j = actors.l.turn->joined;
    const uint64_t *const first = j.first + s.world * j.each;
    const uint32_t of_world = (uint32_t)s.world * (uint32_t)actors.places();
    const uint64_t end = first[s.x + 1];
    for (uint64_t e = first[s.x]; e < end; e += group.size) {
        uint64_t from = 0, to = 0; /* the edges of the other node */
        if (e + group.member < end) {
            const uint32_t other = j.node[e + group.member];
            visit(of_world + other);
            if (scope.changes) from = first[other], to = first[other + 1];
        }
        const bool many = to - from > MASS_TURN_MANY_EDGES;
        for (uint64_t k = from; !many && k < to; k++) visit(of_world + j.node[k]);
        for (unsigned left = __ballot_sync(group.lanes, many); left; left &= left - 1) {
            const int lane = __ffs((int)left) - 1;
            const uint64_t last = __shfl_sync(group.lanes, to, lane);
            for (uint64_t k = __shfl_sync(group.lanes, from, lane) + group.member; k < last; k += group.size)
                visit(of_world + j.node[k]);
        }
    }
}

/* The site of a body in turn. The accessors that other bodies over agents have too know it by its type. */
struct mass_turn_site : mass_site {};
template <class X, class Y, class Z>
MASS_FN const void *mass_place(const mass_turn_site *s, const mass_reach *r, uint32_t what, const void *array,
                               const void *none, size_t size, int64_t pitch, int64_t plane, X dx, Y dy, Z dz)
{
    return mass_turn_place(s, r, what, array, none, size, pitch, plane, dx, dy, dz);
}
template <class X, class Y, class Z>
MASS_FN uint32_t mass_count_at(const mass_turn_site *s, const mass_reach *r, X dx, Y dy, Z dz)
{
    return mass_turn_count_seen(s, r, 0, 0, dx, dy, dz);
}

/* Adds to a tally what a thread has gathered for a world. */
template <class Gathered> MASS_FN void mass_turn_give(Gathered &) {}
MASS_FN void mass_turn_give(mass_exact_window &g) { mass_exact_flush(&g); }

/* Goes through the rounds of a phase. `act(i, site)` lets actor i act, which stands at the site. */
template <int DIMENSIONS, class Actors, class Act> MASS_FN void mass_turn_take(const Actors &actors, Act act)
{
    const mass_launch &l = actors.l;
    const mass_turn &t = *l.turn;
    const mass_turn_rounds &g = t.rounds;
    const mass_turn_scope scope = t.scope;
    const uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    const uint32_t count = t.populations[0].count;
    const uint64_t step = mass_launch_step(&l);
    __shared__ mass_turn_found found;
    mass_turn_site site;
    if (threadIdx.x == 0) found.number = 0;
    for (uint32_t i = thread; i < count; i += threads) {
        if (l.gates && l.gates[actors.world(i)]) continue;
        const uint64_t key = mass_turn_key(&t.keys, l.random_keys[actors.world(i)], step, l.phase, actors.id(i), i);
        g.high[i] = (uint32_t)(key >> 32);
        g.low[i] = (uint32_t)key;
    }
    mass_turn_meet(g.arrived, 1);
    mass_turn_group group = mass_turn_make_group(count, threads, Actors::LEAST_GROUP);
    for (uint32_t i = thread / group.size; i < count; i += threads / group.size) {
        uint32_t waits = 0;
        actors.stand(&site, i);
        if (l.gates && l.gates[site.world]) continue;
        const mass_turn_moment own = {i, g.high[i]};
        mass_turn_each_rival<DIMENSIONS>(actors, scope, site, group, [&](uint32_t j) {
            waits += mass_turn_is_sooner(actors, t, {j, g.high[j]}, own);
        });
        for (uint32_t by = group.size / 2; by > 0; by /= 2) waits += __shfl_xor_sync(group.lanes, waits, (int)by);
        if (group.member != 0) continue;
        g.waits[i] = waits;
        if (waits == 0) mass_turn_append(found, g.ready[0], &g.number[0], i);
    }
    mass_turn_hand_over(found, g.ready[0], &g.number[0]);
    mass_turn_meet(g.arrived, 2);
    uint32_t round = 0;
    for (;; round++) {
        const uint32_t number = *(volatile uint32_t *)&g.number[round % 3];
        const uint32_t *const ready = round % 2 ? g.ready[1] : g.ready[0];
        uint32_t *const next = round % 2 ? g.ready[0] : g.ready[1];
        if (number == 0) break;
        if (thread == 0) g.number[(round + 2) % 3] = 0;
        group = mass_turn_make_group(number, threads, Actors::LEAST_GROUP);
        for (uint32_t k = thread / group.size; k < number; k += threads / group.size) {
            const uint32_t i = ready[k];
            actors.stand(&site, i);
            if (group.member == 0 && actors.acts(i) && (!actors.shared || mass_turn_may_act(&site))) act(i, site);
            __syncwarp(group.lanes);
            const mass_turn_moment own = {i, g.high[i]};
            mass_turn_each_rival<DIMENSIONS>(actors, scope, site, group, [&](uint32_t j) {
                if (mass_turn_is_sooner(actors, t, own, {j, g.high[j]}) && atomicSub(&g.waits[j], 1u) == 1)
                    mass_turn_append(found, next, &g.number[(round + 1) % 3], j);
            });
        }
        mass_turn_hand_over(found, next, &g.number[(round + 1) % 3]);
        mass_turn_meet(g.arrived, 3 + round);
    }
    if (thread != 0) return;
    t.round_counts[0] += round;
    if (round > t.round_counts[1]) t.round_counts[1] = round;
}

/* The members of a window, by view, and what they are set to. */
#define MASS_TURN_SELF_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_JOIN(MASS_TURN_SELF_, MASS_COUNT_(MASS_TURN_SELF_##VIEW(ACCESS, n, n2, T)))(VIEW, ACCESS, n, n2, T)
#define MASS_TURN_SELF_WHOLE_(ACCESS, n, n2, T) ~, ~
#define MASS_TURN_SELF_2(VIEW, ACCESS, n, n2, T) MASS_CONST_(ACCESS) T *n; const T *n2; T MASS_JOIN(n, _nowhere);
#define MASS_TURN_SELF_1(VIEW, ACCESS, n, n2, T) MASS_MET_(VIEW, ACCESS, T)::window n;
#define MASS_TURN_MEET_(CLASS, VIEW, ACCESS, n, n2, S, T, ...) \
    MASS_JOIN(MASS_TURN_MEET_, MASS_COUNT_(MASS_TURN_SELF_##VIEW(ACCESS, n, n2, T)))(VIEW, ACCESS, n, n2, T) \
    MASS_REST_(MASS_TURN_MEET_##VIEW(ACCESS, n, n2, T))
#define MASS_TURN_MEET_2(VIEW, ACCESS, n, n2, T) window.n = f.n; window.n2 = f.n + none;
#define MASS_TURN_MEET_1(VIEW, ACCESS, n, n2, T) \
    MASS_MET_(VIEW, ACCESS, T)::get(window.n, f.n, met, gathers ? &gathered.n : nullptr, MASS_BIN_NUMBER_(VIEW, n));
#define MASS_TURN_MEET_NEARBY_(ACCESS, n, n2, T) MASS_GET_OTHER_(others_, n, MASS_TURN_OF_##ACCESS(n, n2), T)
#define MASS_TURN_MEET_ANYBODY_(ACCESS, n, n2, T) MASS_GET_ANY_(n, MASS_ANY_NAME_(ACCESS, n, n2), T)
#define MASS_TURN_GIVE_(CLASS, VIEW, ACCESS, n, ...) mass_turn_give(gathered.n);

/* What a body has that acts for an agent, a place or a node: its actors; the element of its own values; members of its
 * window, and what they are set to. */
#define MASS_TURN_ALL_AGENT_ mass_turn_agents
#define MASS_TURN_ALL_PLACE_ mass_turn_all_places
#define MASS_TURN_ALL_NODE_ mass_turn_all_nodes
#define MASS_TURN_AT_AGENT_ actor
#define MASS_TURN_AT_PLACE_ actor
#define MASS_TURN_AT_NODE_ (uint32_t)(site.world * l.world_stride + site.x)
#define MASS_TURN_HAS_NODE_
#define MASS_TURN_SET_NODE_ MASS_TURN_SET_PLACE_
#define MASS_TURN_HAS_AGENT_             \
    uint32_t agent, agent_, lost, born_; \
    mass_turn_moves move;
#define MASS_TURN_HAS_PLACE_
#define MASS_TURN_SET_AGENT_                         \
    window.agent = window.agent_ = window.self_ = i; \
    window.lost = l.populations[0].lost[i];          \
    window.born_ = 0;                                \
    window.move.there = 0;
#define MASS_TURN_SET_PLACE_ window.self_ = MASS_NOBODY;

#define MASS_TURN_KERNEL_(NAME, LIST, WHO, DIMENSIONS, SUFFIX, TALLIES)                                         \
    extern "C" __global__ void __launch_bounds__(MASS_TURN_THREADS) MASS_JOIN(NAME, SUFFIX)(                    \
        const __grid_constant__ MASS_JOIN(NAME, _fields) f, const __grid_constant__ mass_launch l)              \
    {                                                                                                           \
        enum { MASS_EACH_(MASS_TALLY_NUMBER_, LIST) tallies };                                                  \
        enum { MASS_EACH_(MASS_BIN_FIELD_, LIST) MASS_JOIN(NAME, _bin_fields) };                                \
        enum { MASS_EACH_(MASS_SUM_FIELD_, LIST) MASS_JOIN(NAME, _sum_fields) };                                \
        constexpr bool gathers = TALLIES && (0 MASS_EACH_(MASS_GATHERS_, LIST)) != 0;                           \
        constexpr bool keeps = TALLIES && (tallies > 0 || gathers);                                             \
        const int64_t none = mass_default_element(&l);                                                          \
        MASS_JOIN(NAME, _gathered) gathered;                                                                    \
        MASS_JOIN(NAME, _kept) kept;                                                                            \
        int32_t world = -1; /* the world of the contributions that it keeps */                                  \
        (void)none, (void)gathered, (void)kept;                                                                 \
        const auto give = [&] {                                                                                 \
            if (keeps && world >= 0) { MASS_EACH_(MASS_KEPT_GIVE_, LIST) }                                      \
            if (gathers && world >= 0) { MASS_EACH_(MASS_TURN_GIVE_, LIST) }                                    \
        };                                                                                                      \
        mass_follow_predecessor();                                                                              \
        const MASS_TURN_ALL_##WHO<DIMENSIONS> actors = {l, l.turn->part.gap != 0, l.turn->part.shared != 0};   \
        const mass_reach reach = mass_turn_reach(&l, DIMENSIONS, 0);                                            \
        mass_turn_take<DIMENSIONS>(actors, [&](uint32_t actor, const mass_turn_site &site) {                    \
            const uint32_t i = MASS_TURN_AT_##WHO;                                                              \
            MASS_JOIN(NAME, _window)<mass_turn_site> window;                                                    \
            const bool counts = !actors.shared || mass_turn_counts(&site);                                     \
            const mass_met_at met = {l, i, 0, site.world, gathers && counts};                                   \
            if (keeps && world != site.world) {                                                                 \
                const int32_t k = site.world;                                                                   \
                give();                                                                                         \
                (void)k;                                                                                        \
                MASS_EACH_(MASS_KEPT_START_, LIST)                                                              \
                if (gathers) { MASS_EACH_(MASS_BEGIN_, LIST) }                                                  \
                world = site.world;                                                                             \
            }                                                                                                   \
            window.site = site;                                                                                 \
            window.pitch = l.pitch;                                                                             \
            window.plane = l.plane;                                                                             \
            window.reach_ = reach;                                                                              \
            MASS_TURN_SET_##WHO                                                                                 \
            (void)met;                                                                                          \
            MASS_EACH_(MASS_TURN_MEET_, LIST)                                                                   \
            MASS_JOIN(NAME, _body)(&window);                                                                    \
            MASS_EACH_(MASS_LEAVE_, LIST)                                                                       \
            if (keeps && counts) { MASS_EACH_(MASS_KEPT_FOLD_, LIST) }                                          \
        });                                                                                                     \
        give();                                                                                                 \
    }

#define MASS_TURN_(NAME, LIST, WHO, DIMENSIONS, RADIUS)                                                       \
    struct MASS_JOIN(NAME, _fields) { MASS_EACH_(MASS_POINTER_, LIST) };                                      \
    template <class Site> struct MASS_JOIN(NAME, _window) {                                                   \
        static const char axes_[DIMENSIONS + 1];                                                              \
        MASS_EACH_(MASS_TURN_SELF_, LIST)                                                                     \
        int64_t pitch, plane;                                                                                 \
        mass_reach reach_;                                                                                    \
        Site site;                                                                                            \
        MASS_TURN_HAS_##WHO                                                                                   \
        MASS_JOIN(NAME, _sight) sight;                                                                        \
        MASS_OTHERS_OF_(LIST, MASS_TURN_OTHER_, MASS_TURN_NEAR_##WHO, mass_turn_walked)                        \
    };                                                                                                        \
    struct MASS_JOIN(NAME, _gathered) { MASS_EACH_(MASS_GATHER_, LIST) };                                     \
    struct MASS_JOIN(NAME, _kept) { MASS_EACH_(MASS_KEPT_, LIST) };                                           \
    MASS_BODY_(NAME, _body);                                                                                  \
    MASS_TURN_KERNEL_(NAME, LIST, WHO, DIMENSIONS, _turn_quiet, false)                                        \
    MASS_TURN_KERNEL_(NAME, LIST, WHO, DIMENSIONS, _turn_tally, true)                                         \
    template <class... A> __device__ void MASS_JOIN(NAME, _in_world)(const A &...) {}                         \
    MASS_BODY_(NAME, _body)

#endif
