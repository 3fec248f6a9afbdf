/* SPDX-License-Identifier: Apache-2.0 */
/* Agents, places or nodes in turn: they act one after the other. Each acts at once, and sees all that those before it
 * did.
 *
 *     MASS_IN_TURN(live, (wolves, sheep), 2, 1, UPDATES(energy), CHANGES(energy), SUMS(eaten))
 *     {
 *         const mass_peer prey = ONE_NEARBY_OF(sheep, 1, 0);
 *         if (IS_ANYBODY(prey)) {
 *             KILL_NEARBY_OF(sheep, prey);
 *             OUT(energy) += 20;
 *             ADD(eaten, 1);
 *         }
 *         const mass_peer child = OUT(energy) > 40 ? BEAR(0, 0) : NOBODY;
 *         if (IS_ANYBODY(child)) OF(energy, child) = OUT(energy) /= 2;
 *         if (--OUT(energy) < 0) DIE();
 *         else MOVE((int)(RANDOM(1).v[0] % 3) - 1, (int)(RANDOM(1).v[1] % 3) - 1);
 *     }
 *     MASS_SCHEDULE(STEPS(live))
 *
 * MASS_IN_TURN(name, population, dimensions, radius, entries...) is called for each agent that was alive when the phase
 * began, unless it has died by its turn. The order is shuffled in every step: by 64 random bits of each agent, the
 * first two words of its RANDOM(65535), and by id if they are equal. A phase may have another one: STEPS(live, .order =
 * "energy", .reversed = 1); see mass_agent_phase in agents.h. There may be up to four populations of one space,
 * the callback's own first: MASS_IN_TURN(name, (wolves, sheep), ...).
 *
 * Phases may share a turn: STEPS(hunt, .turn = "day"), STEPS(graze, .turn = "day"). Then the agents of all of them come
 * in one order: by their random bits, each as for its own phase, then by phase and id. Each acts by the body of its own
 * phase. All begin together: frames are the places at the beginning of the turn, and children that it brings forth act
 * from the next phase after it on. Up to four phases that follow one another may share a turn. They are of different
 * populations of one space, have the same .condition and no .order. Totals are those from before the turn.
 *
 * Its frame is the place on which the agent was when the phase began. Offsets count from there, also after the agent
 * has moved. A body acts within the radius of its frame, along each axis. Beyond it and over a bounded edge, places
 * have the attribute's default and ignore changes, and nothing moves or is born there. An axis that wraps has no edge.
 * A phase may have a smaller radius than its callback, which parameters decide: STEPS(live, .reach = 1).
 *
 * A phase may say more of what its body does, and then fewer agents wait for each other: STEPS(live, .meets = 2,
 * .changes = 1, .shape = MASS_AXES). Within .meets it meets agents: it walks, counts and reads them. Within .changes it
 * changes something: it alters places, moves, bears, kills and changes agents. What it only sees may be as far as the
 * radius. With MASS_AXES it does all that along the axes alone, and walks meet those on the axes. See mass_agent_phase.
 *
 * READS and UPDATES name attributes of the agent. SEES names attributes of places, which are read, and ALTERS those
 * that are also changed. NEARBY names attributes of other agents, which are read, and CHANGES those that are also
 * changed. FROM(sheep, energy) is one of another population. Tallies are those of SUMS, MINS, MAXES and BINS. A body
 * may use what kernel.h lists (IN, OUT, PARAM, TOTAL, tallies, AT_X, SIZE_X, EXISTS, STEP, RANDOM), and:
 *     SEE(f, dx[,dy[,dz]])    element of SEES at an offset
 *     THERE(f, dx[,dy[,dz]])  element of ALTERS at an offset, to be read and written
 *     COUNT_AT(dx[,dy[,dz]])  the number of agents of its own population on a place, itself included
 *     AGENT_ID  WAS_REFUSED   its id; 1 if a manage refused its last request to move, else 0
 *     EACH_NEARBY(o, r) { OF(f, o) ... }   loops over the other agents within r. Places come by offset, z first, then
 *                             y, then x; on an axis that wraps each is met once, at its shortest offset. The agents of
 *                             a place come by id; then children that were born in this phase, by their parent's place
 *                             when the phase began, their parent's id and their number
 *     COUNT_NEARBY(r)  ONE_NEARBY(r, draw)  NEAREST(r)   the number of these agents; one of them, drawn evenly; the
 *                             nearest. EACH_NEARBY_OF(sheep, o, r) and the others with _OF take another population
 *     ONE_NEARBY_WHERE(o, r, draw, condition)  LEAST_NEARBY(o, r, value)  MOST_NEARBY(o, r, value)   one of those for
 *                             which a condition of `o` holds; the one with the least or the greatest value
 *     EACH_AT(o, dx[,dy[,dz]]) { OF(f, o) ... }   loops over the other agents on one place
 *     ONE_AT(draw, dx[,dy[,dz]])   one of them, drawn evenly. With _OF both take another population:
 *                             EACH_AT_OF(sheep, o, dx, dy), ONE_AT_OF(sheep, draw, dx, dy)
 *     OF(f, o)                attribute of NEARBY or CHANGES of agent `o`, a mass_peer
 *     ID_OF(o)  ID_OF_IN(sheep, o)   its id; 2^64 - 1 for a child that was born in this phase, and for nobody
 *     IS_ANYBODY(o)  NOBODY   0 if `o` is nobody, else 1; nobody
 *     MOVE(dx[,dy[,dz]])      moves the agent, if the place has a free seat. Is 1 if it is there now, else 0
 *     BEAR(dx[,dy[,dz]])      bears a child on a place, if it has a free seat; is the child, or nobody. The child's
 *                             attributes are the defaults: set them by OF. An agent has at most `children` of its
 *                             population in one phase
 *     DIE()                   the agent dies. Its body goes on, but can no longer move or bear
 *     KILL_NEARBY(o)  KILL_NEARBY_OF(sheep, o)   kills another agent
 *     IS_DEAD(o)  IS_DEAD_OF(sheep, o)           1 if `o` has died or is nobody, else 0. OF still has its last values
 *
 * Agents with positions move by MOVE_BY and MOVE_TO, bear by BEAR_AT, and look for others by EACH_WITHIN and
 * EACH_NEAREST (positions.h). The radius and the distances of the phase are in cells: CELLS(sky, distance).
 *
 * A dead agent does not act, and no walk meets it. A child takes its seat and is met, but acts from the next phase on.
 * It gets its id at the end of the phase, in the order in which children are met; a child that was killed gets none.
 * The population's tallies `born`, `died` and `unborn` count; the last counts births for which there was no free seat.
 * No manage is needed. A phase in turn may not see a population whose agents may have requests of MASS_AGENT and
 * others. Put a MANAGES before the phase, which applies them.
 *
 * MASS_IN_TURN_PLACES(name, dimensions, radius, entries...) is called for each place, in an order that is shuffled in
 * every step:
 *
 *     MASS_IN_TURN_PLACES(flip, 2, 1, ALTERS(spin), GIVEN(temperature), SUMS(flips))
 *     {
 *         const int around = THERE(spin, -1, 0) + THERE(spin, 1, 0) + THERE(spin, 0, -1) + THERE(spin, 0, 1);
 *         const double work = 2.0 * THERE(spin, 0, 0) * around;
 *         const mass_random4 r = RANDOM(0);
 *         if (mass_unit_f64(r.v[0], r.v[1]) >= mass_exp_f64(-work / PARAM(temperature))) return;
 *         THERE(spin, 0, 0) = (int8_t)-THERE(spin, 0, 0);
 *         ADD(flips, 1);
 *     }
 *
 * Offsets count from the place. It has SEES, ALTERS and tallies, and meets no agents. Of the above it may use SEE and
 * THERE, and all that kernel.h lists but IN and OUT. If it changes its own place alone, its phase says so, and the body
 * reads the places around by SEES(spin) and SEE: STEPS(flip, .changes = MASS_OWN_PLACE, .shape = MASS_AXES).
 *
 * MASS_IN_TURN_NODES(name, network, entries...) is called for each node of a network, in an order that is shuffled in
 * every step:
 *
 *     MASS_IN_TURN_NODES(pay, town, UPDATES(coins), CHANGES(AS(theirs, coins)))
 *     {
 *         const mass_edge one = ONE_EDGE(0);
 *         if (!IS_EDGE(one) || OUT(coins) == 0) return;
 *         OUT(coins)--;
 *         OF(theirs, one)++;
 *     }
 *
 * It has the words of MASS_NODES (network.h) but LINK, UNLINK and NEW_EDGE, and they mean the present state. READS and
 * UPDATES name attributes of the node, LINKED those of the nodes at the other ends of edges, CHANGES those of them that
 * are also changed. EDGES, WALKS, tallies and all that kernel.h lists are as in MASS_NODES. A body stores what UPDATES
 * names when it ends. So over an edge from the node to itself, OF is the value from before the node's turn, and an
 * UPDATES of the same attribute replaces what the body sets there. The phase may have .order, .reversed and .condition.
 *
 * The result is that of a loop over the agents, places or nodes, on every device. An agent waits for those that act
 * before it and can matter to it: one of them changes what the other sees, meets or changes. When the phase began they
 * were at most 2 radii apart along each axis, or .meets + .changes. On CPUs, threads share worlds, or slabs of a world:
 * an agent waits for those of other slabs. Phases with .order or .reversed run on one thread a world, and so do those
 * that share a turn, which do not run on GPUs. GPUs let agents act at once if none waits for another; the others act
 * round by round (--profile counts the rounds). If the ranks of a run share a world, each also lets those near its part
 * act, as far as they matter to it. On CPUs, nodes run on one thread a world. Each rank lets all nodes of a world
 * act. */
#include <mass/kernel.h> /* which includes this file where it belongs */

#ifndef MASS_TURN_H
#define MASS_TURN_H

#define THERE(f, ...)                                                                              \
    (*(__typeof__(MASS_MEMBER_OF_(POINTER, there_##f)))mass_turn_there(                            \
        &mass_w->site, &mass_w->reach_, MASS_MEMBER_OF_(POINTER, there_##f),                       \
        MASS_MEMBER_OF_(POINTER, beyond_##f), &MASS_MEMBER_OF_(ELEMENT, there_##f##_nowhere),      \
        sizeof *MASS_MEMBER_OF_(POINTER, there_##f),                                               \
        MASS_THREE_("THERE(" #f ", " #__VA_ARGS__ ")", __VA_ARGS__)))
#define NOBODY mass_turn_nobody()
#define MASS_WALK_AT_(k, call, ...)                                                                  \
    (MASS_CHECK_NEAR_(k, call) mass_turn_walk_at(&mass_w->site, &mass_w->reach_, (uint32_t)(k),      \
                                                 (k) ? MASS_NOBODY : mass_w->agent_,                 \
                                                 MASS_OFFSET_(call, __VA_ARGS__)))
#define MASS_EACH_AT_(k, call, o, ...)                                                                     \
    for (mass_turn_walk mass_walk_##o = MASS_WALK_AT_(k, call, __VA_ARGS__); mass_walk_##o.once;           \
         mass_walk_##o.once = 0)                                                                           \
        for (mass_peer o; mass_turn_walk_next(&mass_walk_##o, &o);)
#define EACH_AT(o, ...) MASS_EACH_AT_(0, "EACH_AT(" #o ", " #__VA_ARGS__ ")", o, __VA_ARGS__)
#define EACH_AT_OF(population, o, ...)                                                                           \
    MASS_EACH_AT_(MASS_POPULATION_IN_(population), "EACH_AT_OF(" #population ", " #o ", " #__VA_ARGS__ ")", o, \
                  __VA_ARGS__)
#define ONE_AT(draw, ...) \
    mass_turn_walk_one(MASS_WALK_AT_(0, "ONE_AT(" #draw ", " #__VA_ARGS__ ")", __VA_ARGS__), RANDOM(draw))
#define ONE_AT_OF(population, draw, ...)                                                                      \
    mass_turn_walk_one(MASS_WALK_AT_(MASS_POPULATION_IN_(population),                                         \
                                     "ONE_AT_OF(" #population ", " #draw ", " #__VA_ARGS__ ")", __VA_ARGS__), \
                       RANDOM(draw))
#define MOVE(...)                                                  \
    mass_turn_move(&mass_w->site, &mass_w->reach_, mass_w->agent_, \
                   MASS_OFFSET_("MOVE(" #__VA_ARGS__ ")", __VA_ARGS__))
#define BEAR(...)                                                                       \
    mass_turn_bear(&mass_w->site, &mass_w->reach_, mass_w->agent_, &mass_w->born_,      \
                   MASS_OFFSET_("BEAR(" #__VA_ARGS__ ")", __VA_ARGS__))
#define DIE() mass_turn_kill(&mass_w->site, 0, mass_w->agent_)
#define KILL_NEARBY(o) mass_turn_kill_peer(&mass_w->site, &mass_w->reach_, 0 * mass_w->agent_, (o))
#define KILL_NEARBY_OF(population, o) \
    mass_turn_kill_peer(&mass_w->site, &mass_w->reach_, (uint32_t)MASS_POPULATION_IN_(population), (o))
#define IS_DEAD(o) mass_turn_is_dead_peer(&mass_w->site, &mass_w->reach_, 0 * mass_w->agent_, (o))
#define IS_DEAD_OF(population, o) \
    mass_turn_is_dead_peer(&mass_w->site, &mass_w->reach_, (uint32_t)MASS_POPULATION_IN_(population), (o))

/* Members of a window for other agents, by the name of OF. */
#define MASS_TURN_OTHER_(CLASS, VIEW, ACCESS, n, n2, S, T, name, target, OWNER) \
    MASS_REST_(MASS_TURN_OTHER_##VIEW(ACCESS, n, n2, T, OWNER))
#define MASS_TURN_OTHER_NEARBY_(ACCESS, n, n2, T, OWNER) \
    MASS_OTHER_MEMBER_NEARBY_(ACCESS, MASS_TURN_OF_##ACCESS(n, n2), T, ((OWNER) | MASS_TURN_BIT_OF_##ACCESS))
#define MASS_TURN_OF_MASS_NEARBY(n, n2) n2
#define MASS_TURN_OF_MASS_RESIDENT_UPDATE(n, n2) n
#define MASS_TURN_BIT_OF_MASS_NEARBY 0
#define MASS_TURN_BIT_OF_MASS_RESIDENT_UPDATE MASS_TURN_CHANGED

/* The populations that a body may walk, as bits: places and nodes in turn meet no agents. */
#define MASS_TURN_NEAR_AGENT_ 15
#define MASS_TURN_NEAR_PLACE_ 0
#define MASS_TURN_NEAR_NODE_ 0

#ifdef __CUDACC__
#include <mass/impl/kernel_cuda_turn.h>
#else
#include <mass/impl/kernel_cpu_turn.h>
#endif

/* NAME, POPULATION, DIMENSIONS, RADIUS, entries... */
#define MASS_IN_TURN(NAME, POPULATION, ...) MASS_WRITTEN_TURN_(, NAME, POPULATION, ##__VA_ARGS__)
#define MASS_WRITTEN_TURN_(E, NAME, POPULATION, ...) \
    MASS_JOIN(MASS_TURN_GIVEN_, MASS_IS_ALONE_(__VA_ARGS__##E))(E, NAME, POPULATION, __VA_ARGS__##E)
#define MASS_TURN_GIVEN_1(E, NAME, POPULATION, ...)                                                        \
    MASS_ASSERT_(0, #NAME " lacks its dimensions and its radius before " #__VA_ARGS__)                     \
    MASS_TURN_GIVEN_2(E, NAME, POPULATION, 1, 0, __VA_ARGS__##E)
#define MASS_TURN_GIVEN_2(E, NAME, POPULATION, DIMENSIONS, RADIUS, ...) \
    MASS_JOIN(MASS_IN_TURN_OF_, MASS_IS_EXPANDED_(E, __VA_ARGS__##E))(  \
        E, NAME, POPULATION, DIMENSIONS, RADIUS, __VA_ARGS__##E)
#define MASS_IN_TURN_OF_2(E, NAME, POPULATION, DIMENSIONS, RADIUS, ...) \
    MASS_IN_TURN_OF_1(E, NAME, POPULATION, DIMENSIONS, RADIUS, __VA_ARGS__)
/* An array that nobody defines. MASS_NETWORK declares it with another length, and the compiler says its name. */
#define MASS_NO_NETWORK_(NAME) extern const char MASS_JOIN(NAME, _is_a_network_for_MASS_IN_TURN_NODES)[1];
#define MASS_IN_TURN_OF_1(E, NAME, POPULATION, DIMENSIONS, RADIUS, ...)                                      \
    MASS_NO_NETWORK_(MASS_OWN_POPULATION_(POPULATION))                                                       \
    MASS_POPULATED_(NAME, MASS_POPULATIONS_(POPULATION))                                                     \
    MASS_CHECK_NUMBER_(NAME, "its dimensions and its radius", DIMENSIONS)                                    \
    MASS_CHECK_RADIUS_(NAME, RADIUS)                                                                         \
    MASS_CHECKED_(E, NAME, TURNS_, MASS_OWN_POPULATION_(POPULATION), __VA_ARGS__##E)                         \
    MASS_TURN_(NAME, (MASS_LISTED_(E, TURNS_, MASS_OWN_POPULATION_(POPULATION), NAME, __VA_ARGS__##E)), \
               AGENT_, MASS_NUMBER_(DIMENSIONS), MASS_NUMBER_(RADIUS))

#define MASS_IN_TURN_PLACES(NAME, DIMENSIONS, RADIUS, ...) \
    MASS_WRITTEN_TURN_PLACES_(, NAME, DIMENSIONS, RADIUS, ##__VA_ARGS__)
#define MASS_WRITTEN_TURN_PLACES_(E, NAME, DIMENSIONS, RADIUS, ...)              \
    MASS_JOIN(MASS_IN_TURN_PLACES_OF_, MASS_IS_EXPANDED_(E, __VA_ARGS__##E))(    \
        E, NAME, DIMENSIONS, RADIUS, __VA_ARGS__##E)
#define MASS_IN_TURN_PLACES_OF_2(E, NAME, DIMENSIONS, RADIUS, ...) \
    MASS_IN_TURN_PLACES_OF_1(E, NAME, DIMENSIONS, RADIUS, __VA_ARGS__)
#define MASS_IN_TURN_PLACES_OF_1(E, NAME, DIMENSIONS, RADIUS, ...)                                        \
    MASS_UNPOPULATED_(NAME)                                                                               \
    MASS_CHECK_RADIUS_(NAME, RADIUS)                                                                      \
    MASS_CHECKED_(E, NAME, PLACES_IN_TURN_, , __VA_ARGS__##E)                                             \
    MASS_TURN_(NAME, (MASS_LISTED_(E, PLACES_IN_TURN_, , NAME, __VA_ARGS__##E)), PLACE_, DIMENSIONS,       \
               MASS_NUMBER_(RADIUS))

#define MASS_IN_TURN_NODES(NAME, NETWORK, ...) MASS_WRITTEN_TURN_NODES_(, NAME, NETWORK, ##__VA_ARGS__)
#define MASS_WRITTEN_TURN_NODES_(E, NAME, NETWORK, ...) \
    MASS_JOIN(MASS_IN_TURN_NODES_OF_, MASS_IS_EXPANDED_(E, __VA_ARGS__##E))(E, NAME, NETWORK, __VA_ARGS__##E)
#define MASS_IN_TURN_NODES_OF_2(E, NAME, NETWORK, ...) MASS_IN_TURN_NODES_OF_1(E, NAME, NETWORK, __VA_ARGS__)
#define MASS_IN_TURN_NODES_OF_1(E, NAME, NETWORK, ...)                                                     \
    MASS_SETS_OF_(NAME, MASS_WALKED_SETS_(E, __VA_ARGS__##E))                                              \
    MASS_UNPOPULATED_BUT_(NAME, char (*MASS_NODES_MEMBER_)[1]; MASS_JOIN(NAME, _walked_sets) sets;,        \
                          #NETWORK)                                                                        \
    MASS_CHECKED_(E, NAME, NODES_IN_TURN_, NETWORK, __VA_ARGS__##E)                                        \
    MASS_TURN_(NAME, (MASS_LISTED_(E, NODES_IN_TURN_, NETWORK, NAME, __VA_ARGS__##E)), NODE_, 1, 0)

#endif
