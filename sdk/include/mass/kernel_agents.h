/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel macros for agents: one body for every agent, or for every place with the agents on it.
 *
 *     MASS_AGENT(graze, sheep, 2, SEES(grass), UPDATES(energy), CHILDREN(energy))
 *     {
 *         OUT(energy) += SEE(grass, 0, 0);
 *         if (SEE(grass, 1, 0) > 0) MIGRATE(1, 0);
 *         if (OUT(energy) > 10) { SPAWN(1); CHILD(energy, 0) = 5; }
 *         if (OUT(energy) < 0) KILL();
 *     }
 *
 * MASS_AGENT(name, population, dimensions, entries...): READS, WRITES and UPDATES name attributes of the agent. SEES
 * names attributes of the places around it, RACES those of its own place. SCATTERS names attributes of the places
 * around it too: SCATTER adds to them, within the phase's reach. A body may use what kernel.h lists (IN, OUT, PARAM,
 * tallies, AT_X, SIZE_X, EXISTS, STEP, RANDOM), and:
 *     SEE(f, dx[,dy[,dz]])    element of SEES at an offset from the agent's place, within the phase's reach; beyond
 *                             that the attribute's default
 *     HERE(f)                 the element of RACES at the agent's place, to be read and written
 *     COUNT_AT(dx[,dy[,dz]])  the number of the population's agents at that offset, itself included at (0, 0);
 *                             beyond the reach 0
 *     AGENT_ID  WAS_REFUSED   its id; 1 if its last request to move was refused, else 0
 *     MIGRATE(dx[,dy[,dz]])   requests a move by an offset of any length, in integers of a signed type;
 *                             MIGRATE_TO(x[,y[,z]]) requests a move to a place. Coordinates wrap along an axis that
 *                             wraps; a move over a bounded edge is refused. The last request counts
 *     KILL()                  requests the agent's death
 *     SPAWN(n)                requests n children, at most the population's `children`. Each is born on its parent's
 *                             place, or at CHILD_TO(k, dx[,dy[,dz]]), an offset of any length as of MIGRATE. Over a
 *                             bounded edge it is not born
 *     CHILD(f, k) = v         sets the first value of an attribute in CHILDREN for child k (0 to n - 1); other
 *                             attributes start with their defaults. A k of `children` or more means the last child,
 *                             and CHILD_TO does nothing then
 *
 * RACES is for comparison with programs with data races: agents of one place write its element by plain stores, in no
 * order and perhaps at once. Contributions may get lost, and two runs may differ. SEES of the same attribute may get
 * values from before the phase, or later ones. A model with RACES is not reproducible, and its runs report that.
 *
 * MASS_REFUSED(name, population, dimensions, entries...) is the same for agents whose WAS_REFUSED is true. It does not
 * change other agents, and may only have READS and UPDATES of the agent's attributes. If few agents were refused, it
 * saves most of the work.
 *
 * CROWD, WAS_LOST and MASS_LOSERS are the old names of COUNT_AT, WAS_REFUSED and MASS_REFUSED.
 *
 * MASS_RESIDENTS(name, population, dimensions, radius, entries...): a stencil over places that also sees the agents on
 * its own place. READS, WRITES and UPDATES name attributes of the space, MEETS and CHANGES those of the population. A
 * body may use the accessors of a stencil, and:
 *     EACH_RESIDENT(a) { OF(f, a) ... }   loops over the agents on this place, in the order of their ids. OF an `a`
 *                                         that is no resident's number reads 0, and ignores writes. The numbers
 *                                         are valid in this launch only, and differ between devices
 *     EACH_RESIDENT_WHERE(f, a) { ... }   loops over those whose f, of MEETS or CHANGES, is not 0 when their turn comes
 *     RESIDENT_COUNT  RESIDENT_ID(a)      the number of agents on this place; the id of one
 *
 * Instead of one population there may be up to four of one space, the callback's own first: MASS_RESIDENTS(name,
 * (sheep, wolves), ...). MEETS(FROM(wolves, energy)) and CHANGES then name attributes of another one. FROM(wolves,
 * hunger, energy) gives the field a name of its own. In a body:
 *     EACH_RESIDENT_OF(wolves, b) { OF(hunger, b) ... }   b is an int64_t, which says of which population it is
 *     RESIDENT_COUNT_OF(wolves)  RESIDENT_ID_OF(wolves, b)
 *
 * A body may ask agents on its place to die or to have children. The next manage of their population carries that out.
 * ASKS(sheep) names the populations that it asks; CHILDREN(energy) and CHILDREN(FROM(sheep, energy)) name attributes of
 * their children, and imply it. Of its own population, and with _OF of another one by name:
 *     KILL_RESIDENT(a)  KILL_RESIDENT_OF(sheep, a)   requests the death of an agent; 1 for the first who asks, else 0
 *     IS_KILLED(a)  IS_KILLED_OF(sheep, a)           1 if a request for its death waits for the next manage, else 0
 *     SPAWN_OF_RESIDENT(a, n)  SPAWN_OF_RESIDENT_OF(sheep, a, n)   requests n children of an agent, on its place, as
 *                                                    SPAWN does
 *     CHILD_OF_RESIDENT(f, a, k) = v                 sets the first value of an attribute in CHILDREN for its child k
 * An `a` that is no resident's number asks nobody, and counts as killed.
 *
 * Agents nearby, as they were before the phase: NEARBY names attributes of the callback's own population, or FROM
 * another one. NEARBY_OF(wolves, energy) names a population and attributes of it. Maps and stencils may have this
 * entry only, once for each population; then words without a population's name mean the first. ADDS names integers
 * that are added to. Handles are mass_other, with the offset dx, dy, dz. Within r along each axis, the agent itself
 * left out, and with _OF of another population by name:
 *     EACH_NEARBY(o, r) { ... }           a loop: by offset along z, y and x, and in a place by id
 *     COUNT_NEARBY(r)  ONE_NEARBY(r, draw)  their number; one of them, drawn evenly, or nobody
 *     ONE_NEARBY_WHERE(o, r, draw, condition)  one of those for which the condition on `o` holds
 *     NEAREST(r)                          the one with the least squared offset
 *     LEAST_NEARBY(o, r, value)  MOST_NEARBY(o, r, value)  the one for which an expression of `o` is least, or greatest
 *     OF(f, o)  ADD_TO(f, o, v)  ID_OF(o)  IS_ANYBODY(o)
 *
 * Any agents of the world, in bodies over agents, refused agents, residents and occupied places. ANYBODY names
 * attributes that are read, as they were before the phase; ADDS_ANYBODY integers that are added to, which later phases
 * see. FROM(wolves, energy) names one of another population that the callback sees. BY_ID(wolves) is needed for AGENT,
 * and FREE_PLACES(sheep) for FREE_PLACE, with the callback's own population. Handles are mass_somebody. In a body:
 *     ONE_OF(wolves, draw)    one agent of the world, drawn evenly; nobody if there is none. It may be the body's own
 *     AGENT(wolves, id)       the living agent with that id, or nobody
 *     SELF                    the body's own agent, over agents
 *     IS_ANYBODY(o)           0 if `o` is nobody, else 1
 *     OF(f, o)                its value of ANYBODY; of nobody 0
 *     ADD_TO(f, o, v)         adds v to its value of ADDS_ANYBODY, modulo 2^bits; nothing for nobody
 *     ID_OF_IN(wolves, o)     its id, of nobody 2^64 - 1; ID_OF(o) if it is of the callback's own population
 *     FREE_PLACE(draw)        the number of a place, drawn evenly from those of the world that had a free seat for the
 *                             callback's own population before the phase; -1 if there is none
 *     MIGRATE_TO_PLACE(p)     requests a move to the place with that number; a negative one: the agent stays
 *
 * One body handles the residents of a place one after another, so it can update shared state without races.
 *
 * MASS_OCCUPIED(name, population, dimensions, radius, entries...) is the same, but does not change places without
 * agents of any of its populations. It may only have READS and UPDATES of the space's attributes.
 *
 * Both may bring forth agents on their own place. The population's next manage carries it out (agents.h). SPROUTS names
 * attributes with which these agents start; the others start with their defaults.
 *     SPROUT(n)               requests n new agents here, at most the population's `sprouts`. The last request counts
 *     SPROUT_OF(wolves, n)    the same for another population that the callback sees
 *     SPROUT_VALUE(f, k) = v  sets the first value of an attribute in SPROUTS for sprout k (0 to n - 1), after SPROUT.
 *                             If it is not set, it is the default. Another k is ignored, and reads 0 */
#include <mass/kernel.h> /* kernel.h includes this file in its right position */

#ifndef MASS_KERNEL_AGENTS_H
#define MASS_KERNEL_AGENTS_H

#ifdef __CUDACC__
#define SEE(f, ...) \
    mass_see(*mass_w, mass_w->see_##f, mass_w->unseen_##f, MASS_THREE_("SEE(" #f ", " #__VA_ARGS__ ")", __VA_ARGS__))
#else
#define SEE(f, ...)                                                                                          \
    MASS_BESIDE_BY_(MASS_BY_TURN_(mass_turn_place, mass_place), MASS_OUT_OF_REACH_SEE, see_##f, unseen_##f, \
                    MASS_THREE_("SEE(" #f ", " #__VA_ARGS__ ")", __VA_ARGS__))
#endif
#define HERE(f) (*MASS_MEMBER_OF_(POINTER, here_##f))

/* The same as MASS_THREE_ for an offset of any length. The type must be signed: -1 of an unsigned type is a large
 * number, which wraps to the place before only if extents are powers of two. */
#define MASS_OFFSET_(call, ...) \
    MASS_PICK_(__VA_ARGS__, MASS_OFFSET3_, MASS_OFFSET2_, MASS_OFFSET1_, )(call, __VA_ARGS__)
#define MASS_OFFSET1_(call, x) (MASS_CHECK_AXES_(1, call, y) MASS_SIGNED_(x)), 0, 0
#define MASS_OFFSET2_(call, x, y) (MASS_CHECK_AXES_(2, call, z) MASS_SIGNED_(x)), MASS_SIGNED_(y), 0
#define MASS_OFFSET3_(call, x, y, z) MASS_SIGNED_(x), MASS_SIGNED_(y), MASS_SIGNED_(z)
#define MASS_SIGNED_TEXT_ "an offset to move by is a whole number of a type with a sign: cast it to int, or use " \
                          "MOVE_BY, MOVE_TO, BEAR_AT or CHILD_AT for agents with positions"
#ifdef __cplusplus
/* Returns the offset. It compiles only for whole numbers of a type with a sign. */
template <class T> MASS_FN T mass_signed(T offset)
{
    static_assert(T(-1) < T(1) && T(0.5) == T(0), MASS_SIGNED_TEXT_);
    return offset;
}
#define MASS_SIGNED_(d) mass_signed(+(d))
#else
#define MASS_SIGNED_(d) \
    ((void)sizeof(struct { _Static_assert(MASS_IS_SIGNED_(d), MASS_SIGNED_TEXT_); int mass_; }), (d))
#define MASS_IS_SIGNED_(d) _Generic(+(d), int: 1, long: 1, long long: 1, default: 0)
#endif
/* Stores a request for a place. It is ignored and reported if the population has positions (positions.h). */
#define MASS_ASK_FOR_PLACE_(request) \
    ((void)(mass_w->move = mass_may_ask_for_place(&mass_w->site) ? (request) : mass_w->move))
#ifdef __CUDACC__
#define COUNT_AT(...)     \
    ((void)mass_w->agent, \
     mass_count_at(&mass_w->site, &mass_w->reach_, MASS_THREE_("COUNT_AT(" #__VA_ARGS__ ")", __VA_ARGS__)))
#define MIGRATE(...)                                           \
    MASS_ASK_FOR_PLACE_(mass_move(&mass_w->site, mass_w->agent, \
                                  MASS_OFFSET_("MIGRATE(" #__VA_ARGS__ ")", __VA_ARGS__)))
#else
#define COUNT_AT(...)                                                                                 \
    ((void)mass_w->agent, MASS_BY_TURN_(mass_turn_count_seen, mass_count_seen)(                       \
                              &mass_w->site, &mass_w->reach_, mass_w->amid, mass_w->cell,             \
                              MASS_THREE_("COUNT_AT(" #__VA_ARGS__ ")", __VA_ARGS__)))
#define MIGRATE(...)                                                                            \
    MASS_ASK_FOR_PLACE_(mass_move_seen(&mass_w->site, mass_w->amid, mass_w->cell, mass_w->agent, \
                                       MASS_OFFSET_("MIGRATE(" #__VA_ARGS__ ")", __VA_ARGS__)))
#endif
#define AGENT_ID ((void)mass_w->agent, *mass_w->site.id)
#define WAS_REFUSED (mass_w->lost)
/* Old names. */
#define CROWD(...) COUNT_AT(__VA_ARGS__)
#define WAS_LOST WAS_REFUSED
#define MASS_LOSERS MASS_REFUSED
#define MIGRATE_TO(...)                                           \
    MASS_ASK_FOR_PLACE_(mass_move_to(&mass_w->site, mass_w->agent, \
                                     MASS_THREE_("MIGRATE_TO(" #__VA_ARGS__ ")", __VA_ARGS__)))
#define KILL() ((void)(mass_w->asked = mass_kill(&mass_w->site, mass_w->asked)))
#define SPAWN(n) ((void)(mass_w->asked = mass_spawn(&mass_w->site, mass_w->agent, mass_w->asked, (n))))
#define CHILD(f, k) (MASS_MEMBER_OF_(POINTER, child_##f)[mass_child(&mass_w->site, &mass_w->reach_, (k))])
#define CHILD_TO(k, ...)                                              \
    ((void)mass_w->asked,                                             \
     mass_child_to(&mass_w->site, &mass_w->reach_, mass_w->agent, (k), \
                   MASS_OFFSET_("CHILD_TO(" #k ", " #__VA_ARGS__ ")", __VA_ARGS__)))

/* The first resident. It compiles only in bodies over residents. */
#define MASS_FIRST_RESIDENT_ ((void)sizeof(mass_w->residents), mass_w->first_resident)
/* Compilers know that the numbers of EACH_RESIDENT are residents': nvcc by their type, other compilers by the loop. */
#ifdef __CUDACC__
struct mass_resident {
    uint32_t number;
    MASS_FN_MEMBER operator uint32_t() const { return number; }
};
#define EACH_RESIDENT(a)                                                                                     \
    for (uint32_t mass_at_##a = MASS_FIRST_RESIDENT_, mass_end_##a = mass_w->end_of_residents;               \
         mass_at_##a < mass_end_##a; /* a separate number, by which compilers unroll the loop */             \
         mass_at_##a = mass_next_resident(mass_w, mass_at_##a, mass_end_##a))                                \
        if (const mass_resident a = {mass_at_##a}; true)
/* The base of windows of residents. ALONE: a place has at most one resident, so no loop is needed. */
template <bool ALONE> struct mass_residents {};
MASS_FN uint32_t mass_next_resident(const void *, uint32_t at, uint32_t) { return at + 1; }
MASS_FN uint32_t mass_next_resident(const mass_residents<true> *, uint32_t, uint32_t end) { return end; }
/* A base of windows in block-resident worlds, in which arrays of agents begin and end at multiples of 16 bytes. */
struct mass_in_block {};
/* Returns 16 bits, one for each byte of v: 1 if the byte is not 0. */
MASS_FN uint32_t mass_set_of_16(uint4 v)
{
    const uint32_t words[] = {v.x, v.y, v.z, v.w};
    uint32_t set = 0;
    for (int k = 0; k < 4; k++) {
        const uint32_t high = (((words[k] & 0x7f7f7f7fu) + 0x7f7f7f7fu) | words[k]) & 0x80808080u;
        set |= ((high >> 7) * 0x10204080u >> 28) << 4 * k; /* the product has the four bits next to each other */
    }
    return set;
}
/* Returns the first agent from `at` on whose f is not 0, or `end`. */
template <class T> MASS_FN uint32_t mass_next_where(const void *, const T *f, uint32_t at, uint32_t end)
{
    while (at < end && !f[at]) at++;
    return at;
}
/* Does the same in a block-resident world (world.h): skips 16 agents at once if the f of all of them is 0. */
template <class T> MASS_FN uint32_t mass_next_where(const mass_in_block *, const T *f, uint32_t at, uint32_t end)
{
    if constexpr (sizeof(T) != 1) return mass_next_where((const void *)nullptr, f, at, end);
    if (at >= end || f[at]) return at;
    for (uint32_t first = at / 16 * 16, skipped = at - first; first < end; first += 16, skipped = 0) {
        const uint4 v = ((const uint4 *)f)[first / 16];
        if (!(v.x | v.y | v.z | v.w)) continue;
        const uint32_t set = mass_set_of_16(v) & ~0u << skipped;
        if (set) return min(end, first + __ffs((int)set) - 1);
    }
    return end;
}
/* If bodies only read f, mass_ahead finds the next agent before the body of the present one, so that no body waits for
 * it. If they change f, mass_behind finds it after the body. */
template <class T> constexpr bool mass_is_only_read = false;
template <class T> constexpr bool mass_is_only_read<const T> = true;
template <class Window, class T> MASS_FN uint32_t mass_ahead(const Window *w, T *f, uint32_t at, uint32_t end)
{
    return mass_is_only_read<T> ? mass_next_where(w, f, at + 1, end) : 0;
}
template <class Window, class T>
MASS_FN uint32_t mass_behind(const Window *w, T *f, uint32_t at, uint32_t end, uint32_t ahead)
{
    return mass_is_only_read<T> ? ahead : mass_next_where(w, f, at + 1, end);
}
#define EACH_RESIDENT_WHERE(f, a)                                                                               \
    for (uint32_t mass_end_##a = mass_w->end_of_residents,                                                      \
                  mass_at_##a = mass_next_where(mass_w, mass_w->of_##f, MASS_FIRST_RESIDENT_, mass_end_##a),    \
                  mass_ahead_##a = 0;                                                                           \
         mass_at_##a < mass_end_##a &&                                                                          \
         (mass_ahead_##a = mass_ahead(mass_w, mass_w->of_##f, mass_at_##a, mass_end_##a), true);                \
         mass_at_##a = mass_behind(mass_w, mass_w->of_##f, mass_at_##a, mass_end_##a, mass_ahead_##a))          \
        if (const mass_resident a = {mass_at_##a}; true)
#else
#define EACH_RESIDENT(a)                                      \
    for (uint32_t a = MASS_FIRST_RESIDENT_, mass_nth_##a = 0; \
         mass_nth_##a < RESIDENT_COUNT && (a = mass_w->first_resident + mass_nth_##a, 1); mass_nth_##a++)
#define EACH_RESIDENT_WHERE(f, a) \
    EACH_RESIDENT(a)              \
        if (OF(f, a))
#endif
/* The agents here of the population with a number among those that the callback sees. */
#define MASS_NUMBER_IN_(member) (sizeof *MASS_MEMBER_OF_(POINTER, member) - 1)
#define MASS_FIRST_OF_(w, k) ((k) ? (w)->sight.others[k].first : (w)->first_resident)
#define MASS_END_OF_(w, k) ((k) ? (w)->sight.others[k].end : (w)->end_of_residents)
/* The same by the population's name. The numbers are marked with it, so that OF refuses those of another one, on GPUs
 * too. */
#define EACH_RESIDENT_OF(population, a)                                                                  \
    for (int64_t mass_nth_##a = 0, a = 0;                                                                \
         mass_nth_##a < RESIDENT_COUNT_OF(population) &&                                                 \
         (a = MASS_MARK_OF_(MASS_NUMBER_IN_(sight.sees_##population)) +                                  \
              MASS_FIRST_OF_(mass_w, MASS_NUMBER_IN_(sight.sees_##population)) + mass_nth_##a, 1);       \
         mass_nth_##a++)
#define RESIDENT_COUNT_OF(population) MASS_COUNT_OF_(MASS_NUMBER_IN_(sight.sees_##population))
#define MASS_COUNT_OF_(k) (MASS_END_OF_(mass_w, k) - MASS_FIRST_OF_(mass_w, k))
#define RESIDENT_ID_OF(population, a) MASS_ID_OF_(MASS_NUMBER_IN_(sight.sees_##population), (a))
#define MASS_ID_OF_(k, a) \
    mass_resident_id(&mass_w->site, &mass_w->reach_, MASS_FIRST_OF_(mass_w, k), MASS_END_OF_(mass_w, k), \
                     mass_unmarked((k), (a)), (k))
/* New agents on the place. They compile only in bodies over residents. */
#define SPROUT(n) ((void)sizeof(mass_w->residents), mass_sprout(&mass_w->site, 0, (n)))
#define SPROUT_OF(population, n) \
    ((void)sizeof(mass_w->residents), mass_sprout(&mass_w->site, MASS_NUMBER_IN_(sight.sees_##population), (n)))
#define SPROUT_VALUE(f, k) MASS_SPROUT_VALUE_(sprout_##f, sprout_##f##_nobody, MASS_NUMBER_IN_(sprout_##f##_owner), (k))
#define MASS_SPROUT_VALUE_(f, none, owner, k)                                                                   \
    (*(__typeof__(MASS_MEMBER_OF_(POINTER, f)))mass_sprout_value(                                               \
        &mass_w->site, &mass_w->reach_, owner, (k), MASS_MEMBER_OF_(POINTER, f),                                \
        sizeof *MASS_MEMBER_OF_(POINTER, f), MASS_MEMBER_OF_(POINTER, none)))
#define RESIDENT_COUNT (mass_w->end_of_residents - MASS_FIRST_RESIDENT_)
#define RESIDENT_ID(a) \
    mass_resident_id(&mass_w->site, &mass_w->reach_, MASS_FIRST_RESIDENT_, mass_w->end_of_residents, (a), 0)
/* Requests of residents, which the next manage of their population applies. */
#define KILL_RESIDENT(a) MASS_KILL_RESIDENT_("KILL_RESIDENT(" #a ")", MASS_OWN_NUMBER_, (a))
#define KILL_RESIDENT_OF(population, a) \
    MASS_KILL_RESIDENT_("KILL_RESIDENT_OF(" #population ", " #a ")", MASS_NUMBER_IN_(sight.sees_##population), (a))
#define MASS_KILL_RESIDENT_(call, k, a) \
    (MASS_CHECK_ASKS_(call, k) mass_kill_resident(MASS_RESIDENT_NAMED_(k, a), (k)))
#define IS_KILLED(a) MASS_IS_KILLED_("IS_KILLED(" #a ")", MASS_OWN_NUMBER_, (a))
#define IS_KILLED_OF(population, a) \
    MASS_IS_KILLED_("IS_KILLED_OF(" #population ", " #a ")", MASS_NUMBER_IN_(sight.sees_##population), (a))
#define MASS_IS_KILLED_(call, k, a) (MASS_CHECK_ASKS_(call, k) mass_is_killed(MASS_RESIDENT_NAMED_(k, a), (k)))
#define SPAWN_OF_RESIDENT(a, n) MASS_SPAWN_OF_("SPAWN_OF_RESIDENT(" #a ", " #n ")", MASS_OWN_NUMBER_, (a), (n))
#define SPAWN_OF_RESIDENT_OF(population, a, n)                                    \
    MASS_SPAWN_OF_("SPAWN_OF_RESIDENT_OF(" #population ", " #a ", " #n ")",       \
                   MASS_NUMBER_IN_(sight.sees_##population), (a), (n))
#define MASS_SPAWN_OF_(call, k, a, n) \
    (MASS_CHECK_ASKS_(call, k) mass_spawn_of_resident(MASS_RESIDENT_NAMED_(k, a), (k), (n)))
#define CHILD_OF_RESIDENT(f, a, n) \
    MASS_CHILD_OF_(child_##f, child_##f##_nobody, MASS_NUMBER_IN_(child_##f##_owner), (a), (n))
#define MASS_CHILD_OF_(f, nobody, k, a, n)                                                                     \
    (*(__typeof__(MASS_MEMBER_OF_(POINTER, f)))mass_child_of_resident(                                         \
        MASS_RESIDENT_NAMED_(k, a), MASS_MEMBER_OF_(POINTER, f), sizeof *MASS_MEMBER_OF_(POINTER, f),          \
        MASS_MEMBER_OF_(POINTER, nobody), (k), (n)))
#define MASS_OWN_NUMBER_ ((uint32_t)(0 * sizeof(mass_w->residents)))
#define MASS_RESIDENT_NAMED_(k, a) \
    &mass_w->site, &mass_w->reach_, MASS_FIRST_OF_(mass_w, k), MASS_END_OF_(mass_w, k), mass_unmarked((k), (a))
#define MASS_IS_ANYBODY_HERE_(NAME) \
    (RESIDENT_COUNT != 0 ||         \
     (MASS_JOIN(NAME, _populations) > 1 && mass_has_others(mass_w->sight.others, MASS_JOIN(NAME, _populations))))

#include <mass/impl/kernel_agents_sites.h>
#include <mass/impl/kernel_anybody.h>
#include <mass/impl/kernel_turn.h>
#include <mass/impl/kernel_agents_nearby.h>
#include <mass/impl/kernel_agents_choices.h>
#include <mass/impl/kernel_agents_claims.h>
#include <mass/positions.h>
#include <mass/point_fields.h>

#ifdef __CUDACC__
#include <mass/impl/kernel_cuda_agents.h>
#else
#include <mass/impl/kernel_cpu_agents.h>
#include <mass/impl/kernel_cpu_sites.h>
#endif

#define MASS_OCCUPIED_(NAME, LIST, DIMENSIONS, RADIUS)                       \
    MASS_KERNEL_(NAME, LIST, DIMENSIONS, RADIUS, MASS_OVER_OCCUPIED);        \
    MASS_BODY_(NAME, _occupied);                                             \
    MASS_BODY_(NAME, _body)                                                  \
    {                                                                        \
        if (MASS_IS_ANYBODY_HERE_(NAME)) MASS_JOIN(NAME, _occupied)(mass_w); \
    }                                                                        \
    MASS_BODY_(NAME, _occupied)

/* Loops over agents skip the other agents before they call the body, if they can. */
#define MASS_REFUSED_(NAME, LIST, DIMENSIONS)                   \
    MASS_AGENT_(NAME, LIST, DIMENSIONS, 1);                     \
    MASS_BODY_(NAME, _of_refused);                              \
    MASS_BODY_(NAME, _body)                                     \
    {                                                           \
        if (WAS_REFUSED) MASS_JOIN(NAME, _of_refused)(mass_w);  \
    }                                                           \
    MASS_BODY_(NAME, _of_refused)

#define MASS_AGENT(NAME, POPULATION, DIMENSIONS, ...) \
    MASS_WRITTEN_AGENT_(, NAME, POPULATION, DIMENSIONS, ##__VA_ARGS__)
#define MASS_WRITTEN_AGENT_(E, NAME, POPULATION, DIMENSIONS, ...) \
    MASS_JOIN(MASS_AGENT_OF_, MASS_IS_EXPANDED_(E, __VA_ARGS__##E))(E, NAME, POPULATION, DIMENSIONS, __VA_ARGS__##E)
#define MASS_AGENT_OF_2(E, NAME, POPULATION, DIMENSIONS, ...) \
    MASS_AGENT_OF_1(E, NAME, POPULATION, DIMENSIONS, __VA_ARGS__)
#define MASS_AGENT_OF_1(E, NAME, POPULATION, DIMENSIONS, ...)                \
    MASS_POPULATED_(NAME, MASS_POPULATIONS_(POPULATION)) \
    MASS_CHECK_NUMBER_(NAME, "its number of dimensions", DIMENSIONS) \
    MASS_CHECKED_(E, NAME, AGENTS_, MASS_OWN_POPULATION_(POPULATION), __VA_ARGS__##E)            \
    MASS_AGENT_(NAME, (MASS_LISTED_(E, AGENTS_, MASS_OWN_POPULATION_(POPULATION), NAME, __VA_ARGS__##E)), \
                MASS_NUMBER_(DIMENSIONS), 0)
#define MASS_REFUSED(NAME, POPULATION, DIMENSIONS, ...) \
    MASS_WRITTEN_REFUSED_(, NAME, POPULATION, DIMENSIONS, ##__VA_ARGS__)
#define MASS_WRITTEN_REFUSED_(E, NAME, POPULATION, DIMENSIONS, ...) \
    MASS_JOIN(MASS_REFUSED_OF_, MASS_IS_EXPANDED_(E, __VA_ARGS__##E))(E, NAME, POPULATION, DIMENSIONS, __VA_ARGS__##E)
#define MASS_REFUSED_OF_2(E, NAME, POPULATION, DIMENSIONS, ...) \
    MASS_REFUSED_OF_1(E, NAME, POPULATION, DIMENSIONS, __VA_ARGS__)
#define MASS_REFUSED_OF_1(E, NAME, POPULATION, DIMENSIONS, ...)               \
    MASS_POPULATED_(NAME, MASS_POPULATIONS_(POPULATION)) \
    MASS_CHECK_NUMBER_(NAME, "its number of dimensions", DIMENSIONS) \
    MASS_CHECKED_(E, NAME, REFUSED_, MASS_OWN_POPULATION_(POPULATION), __VA_ARGS__##E)            \
    MASS_REFUSED_(NAME, (MASS_LISTED_(E, REFUSED_, MASS_OWN_POPULATION_(POPULATION), NAME, __VA_ARGS__##E)), \
                 MASS_NUMBER_(DIMENSIONS))
#define MASS_RESIDENTS(NAME, POPULATION, DIMENSIONS, RADIUS, ...) \
    MASS_WRITTEN_RESIDENTS_(, NAME, POPULATION, DIMENSIONS, RADIUS, ##__VA_ARGS__)
#define MASS_WRITTEN_RESIDENTS_(E, NAME, POPULATION, DIMENSIONS, RADIUS, ...) \
    MASS_JOIN(MASS_RESIDENTS_OF_, MASS_IS_EXPANDED_(E, __VA_ARGS__##E))(      \
        E, NAME, POPULATION, DIMENSIONS, RADIUS, __VA_ARGS__##E)
#define MASS_RESIDENTS_OF_2(E, NAME, POPULATION, DIMENSIONS, RADIUS, ...) \
    MASS_RESIDENTS_OF_1(E, NAME, POPULATION, DIMENSIONS, RADIUS, __VA_ARGS__)
#define MASS_RESIDENTS_OF_1(E, NAME, POPULATION, DIMENSIONS, RADIUS, ...) \
    MASS_POPULATED_(NAME, MASS_POPULATIONS_(POPULATION)) \
    MASS_CHECK_RADIUS_(NAME, RADIUS)                                                                                \
    MASS_CHECKED_(E, NAME, RESIDENTS_, MASS_OWN_POPULATION_(POPULATION), __VA_ARGS__##E) \
    MASS_ASKING_(E, NAME, (MASS_LISTED_(E, RESIDENTS_, MASS_OWN_POPULATION_(POPULATION), NAME, __VA_ARGS__##E)), \
                 __VA_ARGS__##E) \
    MASS_KERNEL_(NAME, (MASS_LISTED_(E, RESIDENTS_, MASS_OWN_POPULATION_(POPULATION), NAME, __VA_ARGS__##E)), \
                 DIMENSIONS, MASS_NUMBER_(RADIUS), \
                 MASS_OVER_RESIDENTS)
#define MASS_OCCUPIED(NAME, POPULATION, DIMENSIONS, RADIUS, ...) \
    MASS_WRITTEN_OCCUPIED_(, NAME, POPULATION, DIMENSIONS, RADIUS, ##__VA_ARGS__)
#define MASS_WRITTEN_OCCUPIED_(E, NAME, POPULATION, DIMENSIONS, RADIUS, ...) \
    MASS_JOIN(MASS_OCCUPIED_OF_, MASS_IS_EXPANDED_(E, __VA_ARGS__##E))(      \
        E, NAME, POPULATION, DIMENSIONS, RADIUS, __VA_ARGS__##E)
#define MASS_OCCUPIED_OF_2(E, NAME, POPULATION, DIMENSIONS, RADIUS, ...) \
    MASS_OCCUPIED_OF_1(E, NAME, POPULATION, DIMENSIONS, RADIUS, __VA_ARGS__)
#define MASS_OCCUPIED_OF_1(E, NAME, POPULATION, DIMENSIONS, RADIUS, ...) \
    MASS_POPULATED_(NAME, MASS_POPULATIONS_(POPULATION)) \
    MASS_CHECK_RADIUS_(NAME, RADIUS)                             \
    MASS_CHECKED_(E, NAME, OCCUPIED_, MASS_OWN_POPULATION_(POPULATION), __VA_ARGS__##E)      \
    MASS_ASKING_(E, NAME, (MASS_LISTED_(E, OCCUPIED_, MASS_OWN_POPULATION_(POPULATION), NAME, __VA_ARGS__##E)), \
                 __VA_ARGS__##E) \
    MASS_OCCUPIED_(NAME, (MASS_LISTED_(E, OCCUPIED_, MASS_OWN_POPULATION_(POPULATION), NAME, __VA_ARGS__##E)), \
                 DIMENSIONS, MASS_NUMBER_(RADIUS))

#include <mass/turn.h>

#endif
