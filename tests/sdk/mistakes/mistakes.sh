#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The mistakes that come naturally, one a file beside this one: the first error that a compiler says is of the line
# that ends with /* here */ and has the words that the file says after `says:`, and it says no more than three
# different ones, gcc without the macros behind them; of an accessor in a list, or a misspelt entry, one alone. nvcc
# refuses them too, but those that say `nvcc: no`. Entries, types and accessors that do not go with a callback are
# lines of this file, for C compilers; nvcc gets the accessors.
# Usage: mistakes.sh INCLUDE [NVCC]
set -u
include=$1 nvcc=${2:-} wrong=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
log=$scratch/log
fail() { echo "$*" >&2; sed 's/^/    /' "$scratch/errors" >&2; wrong=1; }

# What is right is built by all of them, without a word.
cat >"$scratch/right.c" <<'END'
#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, uint8_t, state)
MASS_ATTRIBUTE(grid, uint32_t, heap, .initial = &(const uint32_t){1})
MASS_ATTRIBUTE(grid, bool, open, .initial = &(const uint8_t){1})
MASS_POPULATION(sheep, grid, .count = 8, .children = 1)
MASS_AGENT_ATTRIBUTE(sheep, float, energy)
MASS_PARAMETER(double, growth, 0.5, 0, 1, "chance")
MASS_TALLY(SUM, int64_t, ones, "places that are 1")
MASS_TALLY(SUM, double, mass, "of all places")
MASS_TALLY(MIN, double, least, "of all places")
MASS_TALLY(SUM, int64_t, counts, "places of each state", .bins = 4)
MASS_WORLD_ATTRIBUTE(double, price, .initial = 1)
MASS_WORLD_ATTRIBUTE(int64_t, turns)
MASS_WORLD_ARRAY(int64_t, memory, 3, .help = "of the last steps")

MASS_STENCIL(step, 2, 1, READS(state), WRITES(state), SUMS(ones))
{
    int n = 0, far = 1;
    MASS_MOORE_2D(dx, dy, 1) n += NEAR(state, dx, dy);
    OUT(state) = (uint8_t)(n + NEAR(state, -1, 1) + NEAR(state, far, 0) > 3);
    ADD(ones, OUT(state));
}
MASS_MAP(earn, UPDATES(state), SUMS(ones, mass), MINS(least), BINS(counts), GIVEN(growth), TOTALS(ones, mass))
{
    if (TOTAL(ones) > 2 && TOTAL(mass) > 0.5) OUT(state) = 1;
    if (ITEMS_LEFT + ITEMS_BEFORE == 0 && EXISTS(1)) OUT(state) = 2; /* a map is for any number of dimensions */
    if (OUT(state)) ADD(ones, OUT(state));
    else ADD_IN(counts, 1, (int64_t)PARAM(growth));
    ADD(ones, -1), ADD(mass, 2), ADD(mass, 0.5f), LEAST(least, 2);
}
MASS_MAP(follow, UPDATES(state), WORLD(price, memory))
{
    if (OF_WORLD(price) > 1 && OF_WORLD_AT(memory, OUT(state)) > 2) OUT(state) = 1;
}
MASS_RESIDENTS(meet, sheep, 2, 0, UPDATES(state), MEETS(energy), SCATTERS(heap)) { OUT(state) = RESIDENT_COUNT > 1; }
MASS_OCCUPIED(stay, sheep, 2, 0, UPDATES(state), MEETS(energy), SCATTERS(heap)) { OUT(state) = RESIDENT_COUNT > 1; }
MASS_AGENT(go, sheep, 2, WRITES(energy), CHILDREN(energy), SEES(state))
{
    OUT(energy) = SEE(state, 0, 0) > COUNT_AT(0, 0) + (AGENT_ID > 4);
}
MASS_AGENT(stroll, sheep, 2) { MIGRATE((int)(RANDOM(0).v[0] % 3) - 1, 0); }

MASS_NETWORK(town, .nodes = 8, .generator = MASS_RING, .degree = 2)
MASS_ATTRIBUTE(town, int32_t, heat)
MASS_ATTRIBUTE(town, bool, lit)
MASS_EDGE_ATTRIBUTE(town, float, weight, .initial = 1)
MASS_NODES(warm, town, LINKED(AS(theirs, heat), lit), EDGES(weight), UPDATES(heat, AS(own_lit, lit)), SUMS(ones))
{
    float sum = 0;
    EACH_EDGE(e) EACH_EDGE(d) if (SOURCE(e) < SOURCE(d)) sum += EDGE(weight, e) * (float)OF(theirs, d) + OF(lit, e);
    const mass_edge one = ONE_EDGE(0);
    if (IS_EDGE(one) && DEGREE > 2) OUT(heat) = OF(theirs, one);
    OUT(own_lit) = sum > 3;
    ADD(ones, OUT(heat) > 1);
}

/* No macro takes a name that a body may want for its own. */
#define OWN_NAMES(VALUE) \
    const int a = VALUE, b = a, c = b, d = c, e = d, f = e, g = f, h = g, i = h, j = i, k = j, l = k, m = l, n = m, \
              o = n, p = o, q = p, r = q, s = r, t = s, u = t, v = u, w = v, x = w, y = x, z = y, self = z, \
              count = self, index = count, place = index, agent = place, world = agent, site = world, row = site, \
              at = row, here = at, lane = here, window = lane, launch = window, fields = launch, range = fields, \
              sum = range, value = sum, what = value, reach = what, draw = reach, next = draw, state = next, \
              energy = state, ones = energy, bin = ones, key = bin, own = key, none = own;
MASS_ONCE(trade, UPDATES(price, AS(past, memory)), WRITES(turns), TOTALS(ones, mass), GIVEN(growth))
{
    OWN_NAMES(STEP > 2)
    const mass_random4 random = RANDOM(none);
    OUT(price) += PARAM(growth) * (TOTAL(mass) - n), OUT(turns) = TOTAL(ones);
    for (int at_once = 2; at_once > 0; at_once--) OUT_AT(past, at_once) = OUT_AT(past, at_once - 1) + random.v[0];
    OUT_AT(past, 0)++;
}
MASS_STENCIL(name_places, 2, 1, READS(state), WRITES(state), SUMS(ones, mass), MINS(least), BINS(counts), GIVEN(growth))
{
    OWN_NAMES(STEP > 2)
    const mass_random4 random = RANDOM(none);
    MASS_MOORE_2D(dx, dy, 1) ADD(mass, NEAR(state, dx, dy) + EXISTS(dx, dy));
    OUT(state) = (uint8_t)(IN(state) + (AT_X + SIZE_X > w) + random.v[0]), ADD(ones, v), LEAST(least, PARAM(growth));
    ADD_IN(counts, k, n), COUNT_IN(counts, SHUFFLED(1, i, 8));
}
MASS_AGENT(name_agents, sheep, 2, UPDATES(energy), CHILDREN(energy), SEES(state), SCATTERS(heap), NEARBY(energy))
{
    OWN_NAMES(COUNT_AT(0, 0) > 1)
    if (SEE(state, a, b) > w && AGENT_ID > 2) SPAWN(n), CHILD(energy, k) = 2, CHILD_TO(k, x, y);
    if (OUT(energy) > none || WAS_REFUSED) KILL();
    EACH_NEARBY(one, n) OUT(energy) += OF(energy, one) + ID_OF(one) + one.dx + COUNT_NEARBY(k);
    MIGRATE(x, y);
    SCATTER(heap, v, x, y);
}
MASS_IN_TURN(name_turns, sheep, 2, 1, UPDATES(energy), CHANGES(AS(theirs, energy)), ALTERS(state), SUMS(ones))
{
    OWN_NAMES(COUNT_AT(0, 0) > 1)
    const mass_peer least = LEAST_NEARBY(one, 1, OF(theirs, one) + n), most = MOST_NEARBY(one, w, one.dx),
                    some = ONE_NEARBY_WHERE(one, 1, k, OF(theirs, one) > v);
    EACH_NEARBY(one, 1) OF(theirs, one) += w;
    if (IS_ANYBODY(least) && !IS_DEAD(most)) KILL_NEARBY(some);
    if (MOVE(x, y) && IS_ANYBODY(BEAR(0, 0))) THERE(state, x, y) = (uint8_t)none, ADD(ones, i);
    else if (OUT(energy) < n) DIE();
}
MASS_IN_TURN_PLACES(name_flips, 2, 1, ALTERS(state), SEES(heap), SUMS(ones))
{
    OWN_NAMES(SEE(heap, 0, 1) > 1)
    if (EXISTS(x, y) && AT_X > k) THERE(state, x, y) = (uint8_t)(THERE(state, 0, 0) + w), ADD(ones, n + none);
}
MASS_RESIDENTS(name_residents, sheep, 2, 0, UPDATES(state), CHANGES(energy))
{
    OWN_NAMES(RESIDENT_COUNT > 1)
    EACH_RESIDENT(one) OF(energy, one) += w + (RESIDENT_ID(one) > 4);
    EACH_RESIDENT_WHERE(energy, one) OUT(state) = (uint8_t)(OUT(state) + none);
}
MASS_OCCUPIED(name_asked, sheep, 2, 0, CHILDREN(energy), ASKS(sheep))
{
    OWN_NAMES(RESIDENT_COUNT > 1)
    EACH_RESIDENT(one) if (!IS_KILLED(one) && w) SPAWN_OF_RESIDENT(one, n), CHILD_OF_RESIDENT(energy, one, k) = 2;
    EACH_RESIDENT_OF(sheep, one) if (none) KILL_RESIDENT_OF(sheep, one);
}
MASS_STENCIL(name_around, 2, 1, UPDATES(state), NEARBY_OF(sheep, energy))
{
    OWN_NAMES(COUNT_NEARBY(1) > 1)
    const mass_other least = LEAST_NEARBY(one, 1, OF(energy, one) + n), most = MOST_NEARBY_OF(sheep, one, w, one.dx);
    if (IS_ANYBODY(ONE_NEARBY_WHERE(one, 1, draw, OF(energy, one) > v))) OUT(state) = OF(energy, least) > k;
    EACH_NEARBY_OF(sheep, one, none) OUT(state) = (uint8_t)(OUT(state) + ID_OF_IN(sheep, one) + OF(energy, most) + x);
}
MASS_SCHEDULE(STEPS(step), STEPS(earn), STEPS(trade), STEPS(follow), STEPS(meet), STEPS(stay), STEPS(go), STEPS(stroll))
MASS_SCHEDULE(MANAGES(sheep), STEPS(warm))
MASS_SCHEDULE(STEPS(name_turns, .order = "energy"), STEPS(name_flips, .reversed = 1), STEPS(name_places),
              STEPS(name_around), STEPS(name_agents), STEPS(name_residents), STEPS(name_asked))
MASS_SCHEDULE(MANAGES(sheep))
MASS_PLUGIN(.name = "right", .version = "1", .help = "is built");
END

# Lines that are wrong in such a file, of callbacks by the name of `act`, and what compilers say of each.
context='#include <mass/model.h>
MASS_SPACE(grid, 2, .size = {8, 8})
MASS_ATTRIBUTE(grid, uint8_t, state)
MASS_POPULATION(sheep, grid, .count = 8)
MASS_AGENT_ATTRIBUTE(sheep, float, energy)
MASS_TALLY(SUM, int64_t, ones, "places that are 1")
MASS_TALLY(SUM, int64_t, counts, "places of each state", .bins = 4)
MASS_WORLD_ATTRIBUTE(double, price)
MASS_WORLD_ARRAY(int64_t, memory, 3)'
mkdir "$scratch/lines"
accessors=() # lines of which a member's name is said: nvcc gets ten at once
while IFS='|' read -r line says; do
    printf '/* says: %s */\n%s\n%s /* here */\n%s\n' "$says" "$context" "$line" 'MASS_SCHEDULE(STEPS(act))
MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");' \
        >"$scratch/lines/$(find "$scratch/lines" -type f | wc -l).c"
    [[ $says == *" "* ]] || accessors+=("${line/(act/(act${#accessors[@]}}")
done <<'END'
MASS_STENCIL(act, 2, 1, SEES(state)) { }|SEES(state) is not an entry of a callback over places
MASS_AGENT(act, sheep, 2, ITEMS(energy)) { }|ITEMS(energy) is not an entry of a callback
MASS_IN_TURN(act, sheep, 2, 1, UPDATES(energy)) { MOVE(0.5, 1); }|cast it to int, or use MOVE_BY, MOVE_TO, BEAR_AT
MASS_REFUSED(act, sheep, 2, WRITES(energy)) { }|WRITES(energy) is not an entry of a callback over refused agents
MASS_RESIDENTS(act, sheep, 2, 0, SEES(state)) { }|SEES(state) is not an entry of a callback over residents
MASS_AGENT(act, sheep, 2, ASKS(sheep)) { KILL(); }|ASKS(sheep) is not an entry of a callback over agents
MASS_MAP(act, ASKS(sheep)) { }|ASKS(sheep) is not an entry of a callback over places
MASS_RESIDENTS(act, sheep, 2, 0, CHANGES(energy)) { EACH_RESIDENT(a) KILL_RESIDENT(a); }|add ASKS(population)
MASS_OCCUPIED(act, sheep, 2, 0, CHANGES(energy)) { EACH_RESIDENT(a) SPAWN_OF_RESIDENT(a, 1); }|add ASKS(population)
MASS_OCCUPIED(act, sheep, 2, 0, CHANGES(energy)) { EACH_RESIDENT(a) OF(energy, a) = IS_KILLED(a); }|add ASKS(population)
MASS_RESIDENTS(act, sheep, 2, 0, ASKS(owls)) { }|act_sees_owls
MASS_RESIDENTS(act, sheep, 2, 0, CHILDREN(FROM(owls, energy))) { }|owls
MASS_OCCUPIED(act, sheep, 2, 0, WRITES(state)) { }|WRITES(state) is not an entry of a callback over occupied places
MASS_STENCIL(act, 2, 1, NEARBY(energy)) { }|NEARBY(energy) is not an entry of a callback over places
MASS_MAP(act, NEARBY(FROM(sheep, energy))) { }|NEARBY(FROM(sheep, energy)) is not an entry of a callback over places
MASS_MAP(act, NEARBY_OF(owls, energy)) { }|mass_attribute_of_owls_energy
MASS_STENCIL(act, 2, 1, NEARBY_OF(sheep, age)) { }|mass_attribute_of_sheep_age
MASS_AGENT(act, sheep, 2, NEARBY_OF(owls, energy)) { }|owls
MASS_ONCE(act, NEARBY_OF(sheep, energy)) { }|NEARBY_OF(sheep, energy) is not an entry of a callback over worlds
MASS_STENCIL(act, 2, 1, NEARBY_OF(sheep, energy), NEARBY_OF(sheep)) { }|act_sees_sheep
MASS_MAP(act, ADDS(energy)) { }|ADDS(energy) is not an entry of a callback over places
MASS_AGENT(act, sheep, 2, ADDS(energy)) { }|energy: what is counted by BINS and KEYS is int64_t
MASS_MAP(act, SUMS(TYPED(n, int32_t))) { }|n: what is counted by BINS and KEYS is int64_t
MASS_MAP(act, SUMS(TYPED(n, float))) { }|n: what is counted by BINS and KEYS is int64_t
MASS_MAP(act, MINS(TYPED(n, int32_t))) { }|n: what is counted by BINS and KEYS is int64_t
MASS_MAP(act, MAXES(TYPED(n, float))) { }|n: what is counted by BINS and KEYS is int64_t
MASS_MAP(act, GIVEN(TYPED(n, float))) { }|n: what is counted by BINS and KEYS is int64_t
MASS_MAP(act, BINS(TYPED(n, double))) { }|n: what is counted by BINS and KEYS is int64_t
MASS_MAP(act, TOTALS(TYPED(n, float))) { }|n: what is counted by BINS and KEYS is int64_t
MASS_MAP(act, TOTAL(ones)) { }|TOTAL reads in a body; a list has TOTALS
MASS_MAP(act, SUMS(ones)) { ADD(ones, TOTAL(ones)); }|total_ones
MASS_ONCE(act, READS(price)) { }|READS(price) is not an entry of a callback over worlds: UPDATES
MASS_ONCE(act, SUMS(ones)) { }|SUMS(ones) is not an entry of a callback over worlds: UPDATES
MASS_ONCE(act, SCATTERS(state)) { }|SCATTERS(state) is not an entry of a callback over worlds: UPDATES
MASS_ONCE(act) { }|act has no entries and can change nothing; there are, over worlds: UPDATES
MASS_ONCE(act, UPDATES(state)) { OUT(state) = 1; }|mass_world_attribute_state
MASS_ONCE(act, WORLD(price), UPDATES(memory)) { OUT(price) = 1; }|out_price
MASS_ONCE(act, UPDATES(memory)) { OUT_AT(memory, 0) = OF_WORLD_AT(memory, 1); }|world_memory
MASS_ONCE(act, UPDATES(price)) { OUT_AT(price, 0) = 1; }|OUT_AT(price, ...) of a single value
MASS_ONCE(act, OUT_AT(memory)) { }|OUT_AT writes in a body; a list has WRITES or UPDATES
MASS_MAP(act, UPDATES(price)) { }|mass_attribute_of_the_space_price
MASS_MAP(act, WORLD(state)) { }|mass_world_attribute_state
MASS_MAP(act, OF_WORLD(price)) { }|OF_WORLD reads in a body; a list has WORLD
MASS_MAP(act, WORLDS(price)) { }|WORLDS is not an entry of a list; it is WORLD
MASS_MAP(act, WORLD(TYPED(n, float))) { }|n: what is counted by BINS and KEYS is int64_t
MASS_MAP(act, SUMS(ones)) { ADD(ones, OF_WORLD(price) > 1); }|world_price
MASS_MAP(act, WORLD(price)) { OF_WORLD(price) = 1; }|assign
MASS_MAP(act, SUMS(ones), WORLD(price)) { ADD(ones, OF_WORLD_AT(price, 0) > 1); }|OF_WORLD_AT(price, ...) of a single
MASS_MAP(act, SUMS(ones), WORLD(memory)) { ADD(ones, OF_WORLD(memory)); }|OF_WORLD(memory) of an array
MASS_WORLD_ATTRIBUTE(float, p) MASS_MAP(act, READS(state)) { }|p is of int64_t or of double, and not of float
MASS_WORLD_ARRAY(double, p, 0) MASS_MAP(act, READS(state)) { }|MASS_WORLD_ARRAY p has a length of 0, not 1 to 1024
MASS_MAP(act, KEYS(TYPED(n, uint64_t))) { }|n: what is counted by BINS and KEYS is int64_t
MASS_MAP(act, SCATTERS(state)) { }|state: what is counted by BINS and KEYS is int64_t
MASS_PARAMETER(float, p, 0, 0, 1, "p") MASS_MAP(act, GIVEN(p)) { }|p is of int64_t, double, text or choice
MASS_PARAMETER(bool, p, 0, "p") MASS_MAP(act, GIVEN(p)) { }|p is of int64_t, double, text or choice
MASS_PARAMETER(text, p, "", "p") MASS_MAP(act, GIVEN(p)) { }|p: what is counted by BINS and KEYS is int64_t
MASS_MAP(act) { }|act has no entries and can change nothing; there are, over places: READS
MASS_ATTRIBUTE(grid, float, heat, .initial = &(const int){1}) MASS_MAP(act, READS(heat)) { }|incompatible pointer type
MASS_AGENT_ATTRIBUTE(sheep, int, age, .initial = &(const double){1}) MASS_MAP(act) { }|incompatible pointer type
MASS_SCHEDULE(STEP(act)) MASS_MAP(act, READS(state)) { }|it is STEPS(callback), and not STEP
MASS_SCHEDULE(START(act)) MASS_MAP(act, READS(state)) { }|it is STARTS(callback), and not START
MASS_SCHEDULE(MANAGE(sheep)) MASS_MAP(act, READS(state)) { }|it is MANAGES(population), and not MANAGE
MASS_RESIDENTS(act, sheep, 2, 0) { }|act has no entries and can change nothing; there are, over residents: READS
MASS_MAP(act, SUMS(ones)) { ADD(ones, 0.5); }|ADD(ones, ...) of a real number, and ones is a sum of integers
MASS_AGENT(act, sheep, 2, UPDATES(energy), SUMS(ones)) { ADD(ones, OUT(energy)); }|ADD(ones, ...) of a real number
MASS_MAP(act, BINS(counts)) { ADD_IN(counts, 1, 0.5); }|ADD_IN(counts, ...) of a real number
MASS_AGENT(act, sheep, 2, WRITES(energy)) { OUT(energy) = (float)COUNT_NEARBY(1); }|walks agents that no entry names
MASS_AGENT(act, sheep, 2, UPDATES(energy)) { EACH_NEARBY(o, 1) OUT(energy) += 1; }|walks agents that no entry names
MASS_AGENT(act, sheep, 2, NEARBY(energy)) { EACH_NEARBY_OF(wolves, o, 1) KILL(); }|sees_wolves
MASS_AGENT(act, sheep, 2, NEARBY(energy)) { EACH_NEARBY(o, 1) OF(energy, o) = 1; }|read-only
MASS_AGENT(act, sheep, 2, ADDS(TYPED(n, int))) { EACH_NEARBY(o, 1) ADD_TO(n, o, 0.5); }|ADD_TO(n, ...) of a real number
MASS_AGENT(act, sheep, 2, UPDATES(energy)) { if (IS_ANYBODY(LEAST_NEARBY(o, 1, 1))) KILL(); }|walks agents that no entry
MASS_AGENT(act, sheep, 2, NEARBY(energy)) { if (IS_ANYBODY(MOST_NEARBY(o, 1, IN(energy)))) KILL(); }|in_energy
MASS_AGENT(act, sheep, 2, NEARBY(energy)) { IS_ANYBODY(ONE_NEARBY_WHERE_OF(owls, o, 1, 0, o.dx)); }|sees_owls
MASS_STENCIL(act, 2, 1, WRITES(state)) { OUT(state) = (uint8_t)COUNT_NEARBY(1); }|walks agents that no entry names
MASS_MAP(act, UPDATES(state), NEARBY_OF(sheep)) { OUT(state) = (uint8_t)COUNT_NEARBY_OF(owls, 0); }|sees_owls
MASS_MAP(act, UPDATES(state), NEARBY_OF(sheep)) { EACH_NEARBY(o, 0) OUT(state) = OF(energy, o) > 1; }|of_energy
MASS_MAP(act, NEARBY_OF(sheep, energy)) { EACH_NEARBY_OF(sheep, o, 0) OF(energy, o) = 1; }|read-only
MASS_MAP(act, UPDATES(state), NEARBY_OF(sheep)) { EACH_RESIDENT(a) OUT(state) = 1; }|residents
MASS_MAP(act, UPDATES(state), NEARBY_OF(sheep)) { OUT(state) = (uint8_t)COUNT_AT(0, 0); }|agent
MASS_STENCIL(act, 2, 1, READS(state), WRITES(state)) { OUT(state) = NEAR(state, 1); }|) lacks a number for y
MASS_STENCIL(act, 3, 1, READS(state), WRITES(state)) { OUT(state) = NEAR(state, 1, 0); }|) lacks a number for z
MASS_STENCIL(act, 2, 1025, READS(state), WRITES(state)) { OUT(state) = 0; }|act has a radius of 1025, not 0 to 1024
MASS_STENCIL(act, 2, 1, WRITES(state)) { OUT(state) = (uint8_t)EXISTS(1); }|) lacks a number for y
MASS_SCATTER(act, 2, 1, SCATTERS(TYPED(heap, uint32_t))) { SCATTER(heap, 1, -1); }|) lacks a number for y
MASS_AGENT(act, sheep, 2, WRITES(energy), SEES(state)) { OUT(energy) = SEE(state, 1); }|) lacks a number for y
MASS_AGENT(act, sheep, 3, WRITES(energy), SEES(state)) { OUT(energy) = SEE(state, 1, 1); }|) lacks a number for z
MASS_AGENT(act, sheep, 2, WRITES(energy)) { OUT(energy) = (float)COUNT_AT(0); }|) lacks a number for y
MASS_AGENT(act, sheep, 3) { MIGRATE(1, 0); }|) lacks a number for z
MASS_AGENT(act, sheep, 2) { MIGRATE_TO(1); }|) lacks a number for y
MASS_AGENT(act, sheep, 2) { SPAWN(1), CHILD_TO(0, 1); }|) lacks a number for y
MASS_RESIDENTS(act, sheep, 2, 0, UPDATES(energy)) { }|mass_attribute_of_the_space_energy
MASS_AGENT(act, sheep, 2, READS(state)) { }|mass_attribute_of_sheep_state
MASS_MAP(act, UPDATES(state)) { OUT(state) = PARAM(growth) > 0; }|given_growth
MASS_PARAMETER(double, p, 0, 0, 1, "p") MASS_MAP(act, UPDATES(state)) { OUT(state) = VALUE(p) > 0; }|host
MASS_MAP(act, UPDATES(state)) { OUT(state) = COUNT_AT(0, 0); }|agent
MASS_MAP(act, UPDATES(state)) { OUT(state) = (uint8_t)AGENT_ID; }|agent
MASS_MAP(act, UPDATES(state)) { OUT(state) = RESIDENT_COUNT; }|residents
MASS_MAP(act, UPDATES(state)) { EACH_RESIDENT(a) OUT(state) = 1; }|residents
MASS_MAP(act, UPDATES(state)) { OUT(state) = (uint8_t)RESIDENT_ID(0); }|residents
MASS_RESIDENTS(act, sheep, 2, 0, UPDATES(state)) { OUT(state) = COUNT_AT(0, 0); }|agent
MASS_RESIDENTS(act, sheep, 2, 0, UPDATES(state)) { OUT(state) = (uint8_t)AGENT_ID; }|agent
MASS_OCCUPIED(act, sheep, 2, 0, UPDATES(state)) { OUT(state) = (uint8_t)AGENT_ID; }|agent
MASS_RESIDENTS(act, sheep, 2, 0, UPDATES(state)) { OUT(state) = (uint8_t)ITEMS_LEFT; }|items
MASS_AGENT(act, sheep, 2, UPDATES(energy)) { OUT(energy) = (float)ITEMS_LEFT; }|items
MASS_AGENT(act, sheep, 2, UPDATES(energy)) { OUT(energy) = (float)ITEMS_BEFORE; }|items
MASS_AGENT(act, sheep, 2, UPDATES(energy)) { OUT(energy) = (float)RESIDENT_COUNT; }|residents
MASS_AGENT(act, sheep, 2, UPDATES(energy)) { OUT(energy) = 0; SPROUT(1); }|residents
MASS_MAP(act, UPDATES(state)) { OUT(state) = 0; SPROUT(1); }|residents
MASS_AGENT(act, sheep, 2, SPROUTS(energy)) { }|SPROUTS(energy) is not an entry of a callback over agents
MASS_MAP(act, SPROUTS(energy)) { }|SPROUTS(energy) is not an entry of a callback over places
MASS_RESIDENTS(act, sheep, 2, 0, SPROUT(energy)) { }|SPROUT is not an entry of a list; it is SPROUTS
MASS_RESIDENTS(act, sheep, 2, 0, UPDATES(state)) { SPROUT(1); SPROUT_VALUE(energy, 0) = 1; }|sprout_energy
MASS_RESIDENTS(act, sheep, 2, 0, ASKS(sheep)) { KILL(); }|asked
MASS_RESIDENTS(act, sheep, 2, 0, ASKS(sheep)) { SPAWN(1); }|asked
MASS_RESIDENTS(act, sheep, 2, 0, ASKS(sheep)) { EACH_RESIDENT(a) CHILD_OF_RESIDENT(energy, a, 0) = 1; }|child_energy
MASS_RESIDENTS(act, sheep, 2, 0, ASKS(sheep)) { EACH_RESIDENT(a) KILL_RESIDENT_OF(owls, a); }|sees_owls
END

# Lists that are wrong, each of which is one error of every compiler, whatever the body does.
mkdir "$scratch/lists"
while IFS='|' read -r line says; do
    printf '/* says: %s */\n%s\n%s\n%s /* here */\n%s\n' "$says" "$context" \
        'MASS_PARAMETER(double, growth, 0.5, 0, 1, "chance")' "$line" 'MASS_SCHEDULE(STEPS(act))
MASS_PLUGIN(.name = "mistake", .version = "1", .help = "does not compile");' \
        >"$scratch/lists/$(find "$scratch/lists" -type f | wc -l).c"
done <<'END'
MASS_AGENT(act, sheep, 2, SEE(state)) { if (SEE(state, 1, 0)) KILL(); }|SEE reads in a body; a list has SEES
MASS_AGENT(act, sheep, 2, CHILD(energy)) { SPAWN(1), CHILD(energy, 0) = 3; }|CHILD writes in a body; a list has CHILDREN
MASS_AGENT(act, sheep, 2, HERE(state)) { HERE(state)++; }|HERE writes in a body; a list has RACES
MASS_MAP(act, IN(state)) { (void)IN(state); }|IN reads in a body; a list has READS
MASS_MAP(act, OUT(state)) { OUT(state) = 1; }|OUT writes in a body; a list has WRITES or UPDATES
MASS_STENCIL(act, 2, 1, NEAR(state)) { (void)NEAR(state, 1, 1); }|NEAR reads in a body; a list has READS
MASS_MAP(act, PARAM(growth), UPDATES(state)) { OUT(state) = PARAM(growth) > 0; }|PARAM reads in a body; a list has GIVEN
MASS_MAP(act, ADD(ones)) { ADD(ones, 1); }|ADD contributes in a body; a list has SUMS
MASS_MAP(act, COUNT_IN(counts)) { COUNT_IN(counts, 1); }|COUNT_IN contributes in a body; a list has BINS
MASS_MAP(act, KEY(counts)) { COUNT_KEY(counts, 1); }|KEY is not an entry of a list; it is KEYS
MASS_MAP(act, LEAST(ones)) { LEAST(ones, 1); }|LEAST contributes in a body; a list has MINS
MASS_RESIDENTS(act, sheep, 2, 0, OF(energy)) { EACH_RESIDENT(a) OF(energy, a)++; }|OF reads in a body; a list has MEETS
MASS_RESIDENTS(act, sheep, 2, 0, KILL_RESIDENT(sheep)) { EACH_RESIDENT(a) KILL_RESIDENT(a); }|a list has ASKS
MASS_RESIDENTS(act, sheep, 2, 0, ASK(sheep)) { EACH_RESIDENT(a) KILL_RESIDENT(a); }|ASK is not an entry
MASS_AGENT(act, sheep, 2, EACH_NEARBY(energy)) { EACH_NEARBY(o, 1) if (OF(energy, o) > 1) KILL(); }|a list has NEARBY
MASS_MAP(act, EACH_NEARBY_OF(sheep, energy)) { EACH_NEARBY_OF(sheep, o, 0) (void)OF(energy, o); }|a list has NEARBY_OF
MASS_STENCIL(act, 2, 1, COUNT_NEARBY_OF(sheep)) { (void)COUNT_NEARBY_OF(sheep, 1); }|a list has NEARBY_OF
MASS_AGENT(act, sheep, 2, ADD_TO(TYPED(n, int))) { EACH_NEARBY(o, 1) ADD_TO(n, o, 1); }|a list has ADDS
MASS_MAP(act, STEP(state)) { OUT(state) = 1; }|STEP is the number of the step in a body; a schedule has STEPS
MASS_MAP(act, STEPS(state)) { OUT(state) = 1; }|STEPS is for a schedule
MASS_MAP(act, SEE(state)) { (void)SEE(state, 0, 0); }|SEE(state) is not an entry of a callback over places
MASS_ONCE(act, OUT_AT(memory)) { OUT_AT(memory, 1) = 2; }|OUT_AT writes in a body; a list has WRITES or UPDATES
MASS_ONCE(act, OUT(price)) { OUT(price) = STEP; }|OUT writes in a body
MASS_MAP(act, WORLDS(memory), UPDATES(state)) { OUT(state) = OF_WORLD_AT(memory, 1) > 1; }|WORLDS is not an entry
MASS_MAP(act, OF_WORLD(price), UPDATES(state)) { OUT(state) = OF_WORLD(price) > 1; }|OF_WORLD reads in a body
MASS_ONCE(act, UPDATE(price)) { OUT(price) += STEP; }|UPDATE is not an entry of a list; it is UPDATES
MASS_STENCIL(act, 2, 1, REEDS(state), WRITES(state)) { OUT(state) = NEAR(state, 1, 0); }|REEDS(state) is not an entry
MASS_AGENT(act, sheep, 2, REEDS(energy)) { if (IN(energy) > 1) KILL(); }|REEDS(energy) is not an entry of a callback
MASS_REFUSED(act, sheep, 2, SEAS(state)) { if (SEE(state, 0, 0)) KILL(); }|SEAS(state) is not an entry of a callback
MASS_OCCUPIED(act, sheep, 2, 0, MEATS(energy)) { EACH_RESIDENT_WHERE(energy, a) { } }|MEATS(energy) is not an entry of a
MASS_MAP(act, SUMMS(ones), UPDATES(state)) { ADD(ones, OUT(state)); }|SUMMS(ones) is not an entry of a callback
END
# Entries may come from a macro.
sed -i 's/^MASS_STENCIL(step, 2, 1, READS(state), WRITES(state), SUMS(ones))/#define FIELDS READS(state), WRITES(state)\
MASS_STENCIL(step, 2, 1, FIELDS, SUMS(ones))/' "$scratch/right.c"

# A variable of the file in a body, which compilers take and check-kernels.sh refuses; nvcc refuses it itself.
cat >"$scratch/variable.c" <<END
$context
static int bound = 3;
static int of_the_host;
static const uint8_t raise = 2;
MASS_MAP(act, UPDATES(state)) { OUT(state) = (uint8_t)(OUT(state) + raise + bound); }
#if MASS_HOST
static mass_status load(mass_host *host) { bound = (int)mass_run_of(host)->seed(host), of_the_host++; return MASS_OK; }
#else
#define load nullptr
#endif
MASS_SCHEDULE(STEPS(act))
MASS_PLUGIN(.name = "mistake", .version = "1", .help = "is not linked", .load = load);
END

compile() # COMPILER FILE
{
    local made=(-O2 -c -o "$scratch/out")
    [[ $2 != "$scratch/li"[ns]* ]] || made=(-fsyntax-only)
    if [[ $1 == *nvcc ]]; then
        "$1" -x cu -std=c++20 -arch=compute_75 -ptx -I"$include" -o "$scratch/out" "$2" >"$log" 2>&1
    else
        local options=(-std=gnu17 -Wall -Wextra -Werror=unused-const-variable -Werror=implicit-function-declaration
            -Werror=incompatible-pointer-types -DMASS_BASELINE_ONLY -isystem "$include")
        [[ $1 != gcc ]] || options+=(-ftrack-macro-expansion=0) # as mass_add_plugin
        # clang loses the macros that impl/slips.h pushes for lists.
        [[ $2 == "$scratch/right.c" || $1 == clang && $2 == "$scratch/lists"* ]] || take_read "$1" "${made[0]}"
        "$1" "${options[@]}" "${made[@]}" "$2" >"$log" 2>&1
    fi
}

# Adds to the options that the compiler takes mass/model.h as it has read it before: reading it takes longer than all
# else in a file. LEVEL is the one of optimisation, or anything else for none.
take_read() # COMPILER LEVEL
{
    local header=$scratch/$1$2.h level=()
    if [ ! -e "$header" ]; then
        echo '#include <mass/model.h>' >"$header"
        [[ $2 != -O* ]] || level=("$2")
        "$1" "${options[@]}" "${level[@]}" -x c-header -o "$header.gch" "$header" 2>"$scratch/errors" ||
            fail "$1 does not read mass/model.h"
    fi
    if [ "$1" = clang ]; then options+=(-include-pch "$header.gch"); else options+=(-include "$header"); fi
}

check_variable() # COMPILER LEVEL
{
    local source=$scratch/variable.c
    "$1" -std=gnu17 "$2" -fPIC -DMASS_BASELINE_ONLY -ffunction-sections -fdata-sections -isystem "$include" \
        -c -o "$scratch/variable.o" "$source" 2>"$scratch/errors" || fail "$1 $2: a variable does not compile"
    ! sh "$include/../cmake/check-kernels.sh" "$(command -v readelf)" variable.c "$scratch/variable.o" \
        2>"$scratch/errors" || fail "$1 $2: a variable of the file is built into a callback"
    [ "$(grep -c . "$scratch/errors")" -eq 1 ] &&
        grep -q "variable.c: error: a callback uses the file's variable bound, which" "$scratch/errors" ||
        fail "$1 $2: not one sentence about the variable"
}

check() # COMPILER FILE [MOST]
{
    local said here first
    compile "$1" "$2" && { : >"$scratch/errors"; fail "$1 takes $2"; return; }
    grep 'error: ' "$log" >"$scratch/errors"
    if [[ $1 == *nvcc ]]; then
        [ -z "${3:-}" ] || [ "$(wc -l <"$scratch/errors")" -le "$3" ] || fail "$1, $2: more than $3 errors"
        return
    fi
    said=$(sed -n 's/.*says: \(.*\) \*\/$/\1/p' "$2")
    said=${said%; nvcc: no}
    here=$(grep -n '/\* here \*/$' "$2" | cut -d: -f1)
    first=$(head -1 "$scratch/errors")
    [[ $first == *"/$(basename "$2"):$here:"*"$said"* ]] || fail "$1, $2: the first error is not of line $here: $said"
    ! grep -q 'in expansion of macro' "$log" || fail "$1, $2: the macros behind it are said"
    [ "$(sed 's/.*error: //' "$scratch/errors" | sort -u | wc -l)" -le "${3:-3}" ] ||
        fail "$1, $2: more than ${3:-3} errors"
}

for compiler in gcc clang $nvcc; do
    command -v "$compiler" >/dev/null || continue
    : >"$scratch/errors"
    compile "$compiler" "$scratch/right.c" || fail "$compiler does not take what is right: $(head -3 "$log")"
    [ ! -s "$log" ] || fail "$compiler says something of what is right: $(head -3 "$log")"
    for file in "$(dirname "$0")"/*.c; do
        if [[ $compiler != *nvcc ]] || ! grep -q 'nvcc: no' "$file"; then check "$compiler" "$file"; fi
    done
    if [[ $compiler == *nvcc ]]; then
        for file in "$scratch/lists"/{0,1,15}.c; do check "$compiler" "$file" 1; done
        check "$compiler" "$scratch/variable.c"
    else
        for file in "$scratch/lines"/*.c; do check "$compiler" "$file"; done
        for file in "$scratch/lists"/*.c; do check "$compiler" "$file" 1; done
        for level in -O0 -O2 -O3; do check_variable "$compiler" "$level"; done
    fi
done
# nvcc says no more than a hundred errors of a file, so that a file gets few of these lines.
if [ "$nvcc" ]; then
    for ((first = 0; first < ${#accessors[@]}; first += 10)); do
        some=("${accessors[@]:first:10}")
        { echo "$context"; printf '%s\n' "${some[@]}"; echo "MASS_SCHEDULE(STEPS(act$first))"; } >"$scratch/accessors.c"
        compile "$nvcc" "$scratch/accessors.c"
        grep 'error: ' "$log" >"$scratch/errors"
        for i in "${!some[@]}"; do
            grep -q "accessors.c($(($(wc -l <<<"$context") + 1 + i))): error" "$scratch/errors" ||
                fail "nvcc takes ${some[i]}"
        done
    done
fi
exit $wrong
