/* SPDX-License-Identifier: Apache-2.0 */
/* The entries of a callback's list: READS(state), SUMS(burning). Each name in an entry becomes a tuple. kernel.h and
 * its parts make all code for a field from its tuple:
 *
 *     (CLASS, VIEW, ACCESS, n, n2, S, T, name, target, OWNER)
 *
 * - CLASS: the kind of owner of the values. PLACES and AGENTS have arrays, the WORLD has one value, a TALLY collects
 * contributions, a TOTAL is the value of a tally. KEPT are the values of a world attribute. REQUESTS and SPROUTS are
 * stored until manage applies them.
 * - VIEW: how a body holds the values (views.h).
 * - ACCESS: the engine's number (callback.h).
 * - n: the field's name in the body's window, with the access as a prefix; n2: that of the value for elements that the
 * body may not see.
 * - S: the declared type; T: the same type, named for this callback.
 * - name and target: texts.
 * - OWNER: the number of the population, among those that the callback sees, whose attribute it is.
 *
 * A new access needs:
 * - its number (callback.h);
 * - here: its word, a line for each kind of callback that may have it, and its place in the compiler messages of that
 * kind;
 * - here: a line in the lists of accesses that only read, or are loaded, if it is one;
 * - its accessor (kernel*.h), and MASS_FITS_ (fields.h) if it does not fit every type;
 * - its row in the engine (model/access.c).
 *
 * An access that fits no view needs a view too: a row of views.h, and the code that the first comment there names. */
#ifndef MASS_ENTRIES_H
#define MASS_ENTRIES_H

#include <mass/impl/each.h>
#include <mass/impl/slips.h>
#include <mass/impl/views.h>

/* Words of lists: the access, the prefix of its fields' names in a body's window, and the prefix of the names of the
 * values for elements out of sight. */
#define MASS_WORD_READS(...) ~, MASS_READ, in_, near_, (__VA_ARGS__)
#define MASS_WORD_WRITES(...) ~, MASS_WRITE, out_, , (__VA_ARGS__)
#define MASS_WORD_UPDATES(...) ~, MASS_UPDATE, out_, , (__VA_ARGS__)
#define MASS_WORD_ITEMS(...) ~, MASS_ITEMS, item_, , (__VA_ARGS__)
#define MASS_WORD_SCATTERS(...) ~, MASS_SCATTER_ADD, scatter_, , (__VA_ARGS__)
#define MASS_WORD_SEES(...) ~, MASS_PLACE, see_, unseen_, (__VA_ARGS__)
#define MASS_WORD_ALTERS(...) ~, MASS_ALTER, there_, beyond_, (__VA_ARGS__)
#define MASS_WORD_RACES(...) ~, MASS_RACE, here_, , (__VA_ARGS__)
#define MASS_WORD_CHILDREN(...) ~, MASS_CHILD, child_, , (__VA_ARGS__)
#define MASS_WORD_ASKS(...) ~, MASS_ASK, , , (__VA_ARGS__)
#define MASS_WORD_MEETS(...) ~, MASS_RESIDENT, of_, of_nobody_, (__VA_ARGS__)
#define MASS_WORD_CHANGES(...) ~, MASS_RESIDENT_UPDATE, of_, of_nobody_, (__VA_ARGS__)
#define MASS_WORD_NEARBY(...) ~, MASS_NEARBY, nearby_, of_, (__VA_ARGS__)
#define MASS_WORD_NEARBY_OF(...) ~, MASS_NEARBY_OF, nearby_, of_, (MASS_OF_POPULATION_(__VA_ARGS__))
#define MASS_WORD_WITHIN(population) ~, MASS_NEARBY, within_, position_in_, (MASS_POSITION_OF_(population))
#define MASS_WORD_ADDS(...) ~, MASS_NEARBY_ADD, adds_, to_, (__VA_ARGS__)
#define MASS_WORD_ANYBODY(...) ~, MASS_ANYBODY, anybody_, of_, (__VA_ARGS__)
#define MASS_WORD_ADDS_ANYBODY(...) ~, MASS_ANYBODY_ADD, adds_anybody_, to_, (__VA_ARGS__)
#define MASS_WORD_BY_ID(population) ~, MASS_BY_ID, by_id_, id_in_, (MASS_IDS_OF_(population))
#define MASS_WORD_FREE_PLACES(population) ~, MASS_FREE_PLACES, free_, free_in_, (MASS_IDS_OF_(population))
#define MASS_WORD_LINKED(...) ~, MASS_LINKED, linked_, of_, (__VA_ARGS__)
#define MASS_WORD_EDGES(...) ~, MASS_EDGE, edges_, edge_, (__VA_ARGS__)
#define MASS_WORD_SPROUTS(...) ~, MASS_SPROUT, sprout_, , (__VA_ARGS__)
#define MASS_WORD_WALKS(...) ~, MASS_WALKED_SET, , , (__VA_ARGS__)
#define MASS_WORD_LINKS(network) ~, MASS_SPROUT, links_, , (MASS_SOURCES_OF_(network))
#define MASS_WORD_NEW_EDGES(...) ~, MASS_SPROUT, new_, , (__VA_ARGS__)
#define MASS_WORD_CLAIMS(...) ~, MASS_CLAIM, claim_, , (MASS_CLAIMED_BY_(_claims, __VA_ARGS__))
#define MASS_WORD_PAIRS(...) ~, MASS_PAIR, pair_, , (MASS_CLAIMED_BY_(_pairs, __VA_ARGS__))
#define MASS_WORD_GIVEN(...) ~, MASS_PARAM, given_, , (__VA_ARGS__)
#define MASS_WORD_LISTS(...) ~, MASS_LIST, list_, , (__VA_ARGS__)
#define MASS_WORD_SUMS(...) ~, MASS_SUM, sum_, , (__VA_ARGS__)
#define MASS_WORD_MINS(...) ~, MASS_MIN, least_, , (__VA_ARGS__)
#define MASS_WORD_MAXES(...) ~, MASS_MAX, most_, , (__VA_ARGS__)
#define MASS_WORD_BINS(...) ~, MASS_BINS, bins_, , (__VA_ARGS__)
#define MASS_WORD_KEYS(...) ~, MASS_KEYS, keys_, , (__VA_ARGS__)
#define MASS_WORD_TOTALS(...) ~, MASS_TOTAL, total_, , (__VA_ARGS__)
#define MASS_WORD_WORLD(...) ~, MASS_WORLD, world_, , (__VA_ARGS__)

/* The accesses of each kind of callback, with class and view; ALL: every kind. */
#define MASS_IN_ALL_MASS_PARAM ~, WORLD_, SCALAR_
#define MASS_IN_ALL_MASS_LIST ~, WORLD_, LIST_
#define MASS_IN_ALL_MASS_TOTAL ~, TOTAL_, SCALAR_
#define MASS_IN_ALL_MASS_WORLD ~, KEPT_, LIST_
#define MASS_IN_ALL_MASS_SUM ~, TALLY_, SUM_
#define MASS_IN_ALL_MASS_MIN ~, TALLY_, EXTREME_
#define MASS_IN_ALL_MASS_MAX ~, TALLY_, EXTREME_
#define MASS_IN_ALL_MASS_BINS ~, TALLY_, BINS_
#define MASS_IN_ALL_MASS_KEYS ~, TALLY_, KEYS_
#define MASS_IN_ALL_MASS_SCATTER_ADD ~, PLACES_, WHOLE_

/* Those of any agents of the world: all kinds that see a population. */
#define MASS_IN_RESIDENTS_MASS_ANYBODY ~, AGENTS_, ANYBODY_
#define MASS_IN_RESIDENTS_MASS_ANYBODY_ADD ~, AGENTS_, ANYBODY_
#define MASS_IN_RESIDENTS_MASS_BY_ID ~, AGENTS_, ANYBODY_
#define MASS_IN_OCCUPIED_MASS_ANYBODY ~, AGENTS_, ANYBODY_
#define MASS_IN_OCCUPIED_MASS_ANYBODY_ADD ~, AGENTS_, ANYBODY_
#define MASS_IN_OCCUPIED_MASS_BY_ID ~, AGENTS_, ANYBODY_
#define MASS_IN_AGENTS_MASS_ANYBODY ~, AGENTS_, ANYBODY_
#define MASS_IN_AGENTS_MASS_ANYBODY_ADD ~, AGENTS_, ANYBODY_
#define MASS_IN_AGENTS_MASS_BY_ID ~, AGENTS_, ANYBODY_
#define MASS_IN_AGENTS_MASS_FREE_PLACES ~, AGENTS_, ANYBODY_
#define MASS_IN_REFUSED_MASS_ANYBODY ~, AGENTS_, ANYBODY_
#define MASS_IN_REFUSED_MASS_ANYBODY_ADD ~, AGENTS_, ANYBODY_
#define MASS_IN_REFUSED_MASS_BY_ID ~, AGENTS_, ANYBODY_
#define MASS_IN_REFUSED_MASS_FREE_PLACES ~, AGENTS_, ANYBODY_

#define MASS_IN_PLACES_MASS_READ ~, PLACES_, AROUND_
#define MASS_IN_PLACES_MASS_WRITE ~, PLACES_, VALUE_
#define MASS_IN_PLACES_MASS_UPDATE ~, PLACES_, VALUE_
#define MASS_IN_PLACES_MASS_ITEMS ~, PLACES_, POINT_
#define MASS_IN_PLACES_MASS_NEARBY_OF ~, AGENTS_, NEARBY_

#define MASS_IN_RESIDENTS_MASS_READ ~, PLACES_, AROUND_
#define MASS_IN_RESIDENTS_MASS_WRITE ~, PLACES_, VALUE_
#define MASS_IN_RESIDENTS_MASS_UPDATE ~, PLACES_, VALUE_
#define MASS_IN_RESIDENTS_MASS_RESIDENT ~, AGENTS_, OTHERS_
#define MASS_IN_RESIDENTS_MASS_RESIDENT_UPDATE ~, AGENTS_, OTHERS_
#define MASS_IN_RESIDENTS_MASS_NEARBY ~, AGENTS_, NEARBY_
#define MASS_IN_RESIDENTS_MASS_NEARBY_OF ~, AGENTS_, NEARBY_
#define MASS_IN_RESIDENTS_MASS_NEARBY_ADD ~, AGENTS_, NEARBY_
#define MASS_IN_RESIDENTS_MASS_CHILD ~, REQUESTS_, OTHERS_
#define MASS_IN_RESIDENTS_MASS_SPROUT ~, SPROUTS_, OTHERS_

#define MASS_IN_OCCUPIED_MASS_READ ~, PLACES_, AROUND_
#define MASS_IN_OCCUPIED_MASS_UPDATE ~, PLACES_, VALUE_
#define MASS_IN_OCCUPIED_MASS_RESIDENT ~, AGENTS_, OTHERS_
#define MASS_IN_OCCUPIED_MASS_RESIDENT_UPDATE ~, AGENTS_, OTHERS_
#define MASS_IN_OCCUPIED_MASS_NEARBY ~, AGENTS_, NEARBY_
#define MASS_IN_OCCUPIED_MASS_NEARBY_OF ~, AGENTS_, NEARBY_
#define MASS_IN_OCCUPIED_MASS_NEARBY_ADD ~, AGENTS_, NEARBY_
#define MASS_IN_OCCUPIED_MASS_CHILD ~, REQUESTS_, OTHERS_
#define MASS_IN_OCCUPIED_MASS_SPROUT ~, SPROUTS_, OTHERS_

#define MASS_IN_AGENTS_MASS_READ ~, AGENTS_, POINT_
#define MASS_IN_AGENTS_MASS_WRITE ~, AGENTS_, VALUE_
#define MASS_IN_AGENTS_MASS_UPDATE ~, AGENTS_, VALUE_
#define MASS_IN_AGENTS_MASS_PLACE ~, PLACES_, AROUND_
#define MASS_IN_AGENTS_MASS_RACE ~, PLACES_, POINT_
#define MASS_IN_AGENTS_MASS_CHILD ~, REQUESTS_, POINT_
#define MASS_IN_AGENTS_MASS_NEARBY ~, AGENTS_, NEARBY_
#define MASS_IN_AGENTS_MASS_NEARBY_OF ~, AGENTS_, NEARBY_
#define MASS_IN_AGENTS_MASS_NEARBY_ADD ~, AGENTS_, NEARBY_
#define MASS_IN_AGENTS_MASS_CLAIM ~, AGENTS_, VALUE_
#define MASS_IN_AGENTS_MASS_PAIR ~, AGENTS_, POINT_

#define MASS_IN_REFUSED_MASS_READ ~, AGENTS_, POINT_
#define MASS_IN_REFUSED_MASS_UPDATE ~, AGENTS_, VALUE_
#define MASS_IN_REFUSED_MASS_PLACE ~, PLACES_, AROUND_
#define MASS_IN_REFUSED_MASS_RACE ~, PLACES_, POINT_
#define MASS_IN_REFUSED_MASS_CHILD ~, REQUESTS_, POINT_
#define MASS_IN_REFUSED_MASS_NEARBY ~, AGENTS_, NEARBY_
#define MASS_IN_REFUSED_MASS_NEARBY_OF ~, AGENTS_, NEARBY_
#define MASS_IN_REFUSED_MASS_NEARBY_ADD ~, AGENTS_, NEARBY_
#define MASS_IN_REFUSED_MASS_CLAIM ~, AGENTS_, VALUE_
#define MASS_IN_REFUSED_MASS_PAIR ~, AGENTS_, POINT_

#define MASS_IN_TURNS_MASS_READ ~, AGENTS_, POINT_
#define MASS_IN_TURNS_MASS_UPDATE ~, AGENTS_, VALUE_
#define MASS_IN_TURNS_MASS_PLACE ~, PLACES_, WHOLE_
#define MASS_IN_TURNS_MASS_ALTER ~, PLACES_, WHOLE_
#define MASS_IN_TURNS_MASS_NEARBY ~, AGENTS_, NEARBY_
#define MASS_IN_TURNS_MASS_RESIDENT_UPDATE ~, AGENTS_, NEARBY_

#define MASS_IN_PLACES_IN_TURN_MASS_PLACE ~, PLACES_, WHOLE_
#define MASS_IN_PLACES_IN_TURN_MASS_ALTER ~, PLACES_, WHOLE_

/* Fields of linked nodes and of edges have the view of agents anywhere: OF and EDGE find them by the handle's type. */
#define MASS_IN_NODES_MASS_READ ~, PLACES_, AROUND_
#define MASS_IN_NODES_MASS_WRITE ~, PLACES_, VALUE_
#define MASS_IN_NODES_MASS_UPDATE ~, PLACES_, VALUE_
#define MASS_IN_NODES_MASS_LINKED ~, LINKED_, ANYBODY_
#define MASS_IN_NODES_MASS_EDGE ~, EDGES_, ANYBODY_
#define MASS_IN_NODES_MASS_SPROUT ~, NEW_, OTHERS_

/* In turn, a body holds its own node's values as others do, and those of linked nodes are the present ones. */
#define MASS_IN_NODES_IN_TURN_MASS_READ ~, PLACES_, POINT_
#define MASS_IN_NODES_IN_TURN_MASS_UPDATE ~, PLACES_, VALUE_
#define MASS_IN_NODES_IN_TURN_MASS_LINKED ~, LINKED_, ANYBODY_
#define MASS_IN_NODES_IN_TURN_MASS_RESIDENT_UPDATE ~, LINKED_, ANYBODY_
#define MASS_IN_NODES_IN_TURN_MASS_EDGE ~, EDGES_, ANYBODY_

/* Agents on nodes have all that agents have. */
#define MASS_IN_ON_NODES_MASS_READ MASS_IN_AGENTS_MASS_READ
#define MASS_IN_ON_NODES_MASS_WRITE MASS_IN_AGENTS_MASS_WRITE
#define MASS_IN_ON_NODES_MASS_UPDATE MASS_IN_AGENTS_MASS_UPDATE
#define MASS_IN_ON_NODES_MASS_PLACE MASS_IN_AGENTS_MASS_PLACE
#define MASS_IN_ON_NODES_MASS_CHILD MASS_IN_AGENTS_MASS_CHILD
#define MASS_IN_ON_NODES_MASS_ANYBODY MASS_IN_AGENTS_MASS_ANYBODY
#define MASS_IN_ON_NODES_MASS_ANYBODY_ADD MASS_IN_AGENTS_MASS_ANYBODY_ADD
#define MASS_IN_ON_NODES_MASS_BY_ID MASS_IN_AGENTS_MASS_BY_ID
#define MASS_IN_ON_NODES_MASS_FREE_PLACES MASS_IN_AGENTS_MASS_FREE_PLACES
#define MASS_IN_ON_NODES_MASS_LINKED ~, LINKED_, ANYBODY_
#define MASS_IN_ON_NODES_MASS_EDGE ~, ALONG_, ANYBODY_

#define MASS_IN_WORLDS_MASS_WRITE ~, KEPT_, VALUE_
#define MASS_IN_WORLDS_MASS_UPDATE ~, KEPT_, VALUE_

/* ... and all words of a kind, for messages of the compiler. */
#define MASS_ENTRIES_OF_PLACES_ "places: READS, WRITES, UPDATES, ITEMS, NEARBY_OF" MASS_ENTRIES_OF_ALL
#define MASS_ENTRIES_OF_RESIDENTS_ \
    "residents: READS, WRITES, UPDATES, MEETS, CHANGES, CHILDREN, ASKS, NEARBY, NEARBY_OF, ADDS, SPROUTS" \
    MASS_ENTRIES_OF_ANYBODY_ MASS_ENTRIES_OF_ALL
#define MASS_ENTRIES_OF_OCCUPIED_ \
    "occupied places: READS, UPDATES, MEETS, CHANGES, CHILDREN, ASKS, NEARBY, NEARBY_OF, ADDS, SPROUTS" \
    MASS_ENTRIES_OF_ANYBODY_ MASS_ENTRIES_OF_ALL
#define MASS_ENTRIES_OF_AGENTS_ \
    "agents: READS, WRITES, UPDATES, SEES, CHILDREN, RACES, NEARBY, NEARBY_OF, ADDS, CLAIMS, PAIRS" \
    MASS_ENTRIES_OF_MOVERS_
#define MASS_ENTRIES_OF_REFUSED_ \
    "refused agents: READS, UPDATES, SEES, CHILDREN, RACES, NEARBY, NEARBY_OF, ADDS, CLAIMS, PAIRS" \
    MASS_ENTRIES_OF_MOVERS_
#define MASS_ENTRIES_OF_MOVERS_ MASS_ENTRIES_OF_ANYBODY_ ", FREE_PLACES" MASS_ENTRIES_OF_ALL
#define MASS_ENTRIES_OF_ANYBODY_ ", ANYBODY, ADDS_ANYBODY, BY_ID"
#define MASS_ENTRIES_OF_ALL ", SCATTERS, GIVEN, TOTALS, SUMS, MINS, MAXES, BINS, KEYS, LISTS, WORLD"
#define MASS_ENTRIES_OF_TURNS_ \
    "agents in turn: READS, UPDATES, SEES, ALTERS, NEARBY, CHANGES, GIVEN, TOTALS, SUMS, MINS, MAXES, BINS, LISTS, " \
    "WORLD"
#define MASS_ENTRIES_OF_PLACES_IN_TURN_ \
    "places in turn: SEES, ALTERS, GIVEN, TOTALS, SUMS, MINS, MAXES, BINS, LISTS, WORLD"
#define MASS_ENTRIES_OF_NODES_ \
    "nodes: READS, WRITES, UPDATES, LINKED, EDGES, WALKS, LINKS, NEW_EDGES" MASS_ENTRIES_OF_ALL
#define MASS_ENTRIES_OF_NODES_IN_TURN_ \
    "nodes in turn: READS, UPDATES, LINKED, CHANGES, EDGES, WALKS, GIVEN, TOTALS, SUMS, MINS, MAXES, BINS, LISTS, " \
    "WORLD"
#define MASS_ENTRIES_OF_ON_NODES_ \
    "agents on nodes: READS, WRITES, UPDATES, SEES, CHILDREN, LINKED, EDGES, WALKS" MASS_ENTRIES_OF_MOVERS_
#define MASS_ENTRIES_OF_WORLDS_ "worlds: UPDATES, WRITES, WORLD, TOTALS, GIVEN, LISTS"

/* Accesses that only read. */
#define MASS_CONST_MASS_READ ~, const
#define MASS_CONST_MASS_PLACE ~, const
#define MASS_CONST_MASS_PAIR ~, const
#define MASS_CONST_MASS_ITEMS ~, const
#define MASS_CONST_MASS_RESIDENT ~, const
#define MASS_CONST_MASS_PARAM ~, const
#define MASS_CONST_MASS_NEARBY ~, const
#define MASS_CONST_MASS_NEARBY_OF ~, const
#define MASS_CONST_MASS_ANYBODY ~, const
#define MASS_CONST_MASS_BY_ID ~, const
#define MASS_CONST_MASS_FREE_PLACES ~, const
#define MASS_CONST_MASS_LINKED ~, const
#define MASS_CONST_MASS_EDGE ~, const
#define MASS_CONST_MASS_LIST ~, const
#define MASS_CONST_MASS_TOTAL ~, const
#define MASS_CONST_MASS_WORLD ~, const
#define MASS_IS_CONST_(ACCESS) (MASS_COUNT_(MASS_CONST_##ACCESS) == 2)

/* Accesses whose VALUE is loaded before the body, and those that are requests: by number, which templates can use. */
#define MASS_IS_LOADED_(ACCESS) ((ACCESS) == MASS_UPDATE)
#define MASS_IS_REQUEST_(ACCESS) ((ACCESS) == MASS_CHILD)
#define MASS_IS_SPROUT_(ACCESS) ((ACCESS) == MASS_SPROUT)

/* `CLASS, VIEW` of an access, or nothing if that kind of callback may not have it. */
#define MASS_PLACED_(KIND, ACCESS) \
    MASS_REST_(MASS_IN_##KIND##ACCESS) MASS_REST_(MASS_JOIN(MASS_SHARED_##KIND, ACCESS))
/* Callbacks over worlds contribute to nothing, and have only these of all. */
#define MASS_SHARED_PLACES_ MASS_IN_ALL_
#define MASS_SHARED_RESIDENTS_ MASS_IN_ALL_
#define MASS_SHARED_OCCUPIED_ MASS_IN_ALL_
#define MASS_SHARED_AGENTS_ MASS_IN_ALL_
#define MASS_SHARED_REFUSED_ MASS_IN_ALL_
#define MASS_SHARED_NODES_ MASS_IN_ALL_
#define MASS_SHARED_ON_NODES_ MASS_IN_ALL_
#define MASS_SHARED_WORLDS_ MASS_IN_EVERY_
#define MASS_SHARED_TURNS_ MASS_IN_TURN_
#define MASS_SHARED_PLACES_IN_TURN_ MASS_IN_TURN_
#define MASS_SHARED_NODES_IN_TURN_ MASS_IN_TURN_
#define MASS_IN_EVERY_MASS_PARAM MASS_IN_ALL_MASS_PARAM
#define MASS_IN_EVERY_MASS_LIST MASS_IN_ALL_MASS_LIST
#define MASS_IN_EVERY_MASS_TOTAL MASS_IN_ALL_MASS_TOTAL
#define MASS_IN_EVERY_MASS_WORLD MASS_IN_ALL_MASS_WORLD

/* Callbacks in turn contribute to tallies, but not by key. */
#define MASS_IN_TURN_MASS_PARAM MASS_IN_ALL_MASS_PARAM
#define MASS_IN_TURN_MASS_LIST MASS_IN_ALL_MASS_LIST
#define MASS_IN_TURN_MASS_TOTAL MASS_IN_ALL_MASS_TOTAL
#define MASS_IN_TURN_MASS_WORLD MASS_IN_ALL_MASS_WORLD
#define MASS_IN_TURN_MASS_SUM MASS_IN_ALL_MASS_SUM
#define MASS_IN_TURN_MASS_MIN MASS_IN_ALL_MASS_MIN
#define MASS_IN_TURN_MASS_MAX MASS_IN_ALL_MASS_MAX
#define MASS_IN_TURN_MASS_BINS MASS_IN_ALL_MASS_BINS

/* Entries of claims name attributes that MASS_CLAIMS declares: CLAIMS(hunt) names hunt_claims. */
#define MASS_CLAIMED_BY_(END, ...) MASS_CLAIMED_LIST_(MASS_NAMES_(MASS_CLAIMED_NAME_, END, __VA_ARGS__))
#define MASS_CLAIMED_LIST_(...) MASS_CLAIMED_LIST1_(__VA_ARGS__)
#define MASS_CLAIMED_LIST1_(none, ...) __VA_ARGS__
#define MASS_CLAIMED_NAME_(END, x) , AS(x, x##END)

/* NEARBY_OF(sheep, energy, AS(years, age)) has the fields FROM(sheep, energy) and FROM(sheep, years, age). Without
 * attributes it has the ids, so that there is a field of the population. */
#define MASS_OF_POPULATION_(...)                                                                   \
    MASS_JOIN(MASS_OF_POPULATION_, MASS_SECOND_(MASS_JOIN(MASS_ALONE_, MASS_COUNT_(__VA_ARGS__)), 2)) \
    (__VA_ARGS__)
#define MASS_ALONE_1 ~, 1
#define MASS_OF_POPULATION_1(population) MASS_IDS_OF_(population)
#define MASS_OF_POPULATION_2(population, ...) \
    MASS_CLAIMED_LIST_(MASS_NAMES_(MASS_OF_POPULATION_NAME_, population, __VA_ARGS__))
#define MASS_OF_POPULATION_NAME_(population, x) , MASS_OF_POPULATION_FORM_(population, MASS_RENAMED_##x, (x), )
#define MASS_OF_POPULATION_FORM_(...) MASS_OF_POPULATION_FORM1_(__VA_ARGS__)
#define MASS_OF_POPULATION_FORM1_(population, first, names, ...) FROM(population, MASS_UNWRAPPED_ names)
#define MASS_RENAMED_AS(...) ~, (__VA_ARGS__)

/* The populations that a callback over places sees, each after a comma: those of NEARBY_OF. */
#define MASS_SEEN_BY_PLACES_(E, ...) MASS_ENTRIES_(E, MASS_SEEN_BY_ENTRY_, , __VA_ARGS__##E)
#define MASS_SEEN_BY_ENTRY_(none, entry) MASS_REST_(MASS_SEEN_BY_##entry)
#define MASS_SEEN_BY_NEARBY_OF(...) ~, , MASS_SEEN_FIRST_(__VA_ARGS__, )
#define MASS_SEEN_FIRST_(population, ...) population
/* The sets of edges of WALKS, each after a comma. */
#define MASS_WALKED_SETS_(E, ...) MASS_ENTRIES_(E, MASS_SETS_IN_ENTRY_, , __VA_ARGS__##E)
#define MASS_SETS_IN_ENTRY_(none, entry) MASS_REST_(MASS_SETS_IN_##entry)
#define MASS_SETS_IN_WALKS(...) ~, , __VA_ARGS__
#define MASS_SEEN_BY_LINKS(network) ~, , network##_edges

/* The entry that names populations. It makes no field: it sets bits of mass_callback.asks. MASS_ALLOWED_ is the same as
 * MASS_PLACED_, with this entry. */
#define MASS_NAMES_POPULATIONS_RESIDENTS_MASS_ASK ~, POPULATIONS_, NONE_
#define MASS_NAMES_POPULATIONS_OCCUPIED_MASS_ASK ~, POPULATIONS_, NONE_
#define MASS_NAMES_POPULATIONS_NODES_MASS_WALKED_SET ~, POPULATIONS_, NONE_
#define MASS_NAMES_POPULATIONS_ON_NODES_MASS_WALKED_SET ~, POPULATIONS_, NONE_
#define MASS_NAMES_POPULATIONS_NODES_IN_TURN_MASS_WALKED_SET ~, POPULATIONS_, NONE_
#define MASS_ALLOWED_(KIND, ACCESS) \
    MASS_PLACED_(KIND, ACCESS) MASS_REST_(MASS_NAMES_POPULATIONS_##KIND##ACCESS)

/* The set of the populations that a callback over residents asks to die or to have children, NAME_asks: those of ASKS,
 * and the owners of CHILDREN. */
#define MASS_ASKING_(E, NAME, LIST, ...)                                               \
    enum { MASS_JOIN(NAME, _asks) = 0 MASS_ENTRIES_(E, MASS_REQUESTED_, NAME, __VA_ARGS__##E) \
               MASS_EACH_(MASS_BEARING_, LIST) };
#define MASS_REQUESTED_(NAME, entry) MASS_REQUESTED1_(NAME, MASS_REQUESTED_BY_##entry)
#define MASS_REQUESTED_BY_ASKS(...) ~, (__VA_ARGS__)
#define MASS_REQUESTED1_(...) MASS_REQUESTED2_(__VA_ARGS__)
#define MASS_REQUESTED2_(NAME, ...) MASS_JOIN(MASS_REQUESTED_OF_, MASS_COUNT_(__VA_ARGS__))(NAME, __VA_ARGS__)
#define MASS_REQUESTED_OF_1(NAME, none)
#define MASS_REQUESTED_OF_2(NAME, first, POPULATIONS) \
    MASS_NAMES_(MASS_REQUESTED_BIT_, NAME, MASS_UNWRAPPED_ POPULATIONS)
#define MASS_REQUESTED_BIT_(NAME, population) | 1 << NAME##_sees_##population
#define MASS_BEARING_(CLASS, VIEW, ACCESS, n, n2, S, T, name, target, OWNER) MASS_REST_(MASS_BEARING_##CLASS(OWNER))
#define MASS_BEARING_REQUESTS_(OWNER) ~, | 1 << (OWNER)

/* The types: typedefs of the model's declarations (model.h). */
#define MASS_TYPE_PLACES_(OWNER, n) mass_attribute_of_the_space_##n
#define MASS_TYPE_AGENTS_(OWNER, n) mass_attribute_of_##OWNER##_##n
#define MASS_TYPE_REQUESTS_(OWNER, n) mass_attribute_of_##OWNER##_##n
#define MASS_TYPE_SPROUTS_(OWNER, n) mass_attribute_of_##OWNER##_##n
#define MASS_TYPE_LINKED_(OWNER, n) mass_attribute_of_the_space_##n
#define MASS_TYPE_EDGES_(OWNER, n) mass_edge_attribute_of_##OWNER##_##n
#define MASS_TYPE_NEW_(OWNER, n) mass_edge_attribute_of_##OWNER##_##n
#define MASS_TYPE_ALONG_(OWNER, n) mass_edge_attribute_of_the_network_##n
#define MASS_TYPE_WORLD_(OWNER, n) mass_parameter_##n
#define MASS_TYPE_TALLY_(OWNER, n) mass_tally_##n
#define MASS_TYPE_TOTAL_(OWNER, n) mass_tally_##n
#define MASS_TYPE_KEPT_(OWNER, n) mass_world_attribute_##n

/* The forms of a name in an entry's parentheses: a declared name, or
 *     AS(name, declared[, component])   a name of its own, and one component of several
 *     TYPED(name, type[, declared])     a value of that type that MASS_OPEN declares by hand
 *     FROM(population, declared)        an attribute of another population that the callback sees, also
 *     FROM(population, name, declared[, component]) */
#define MASS_FORM_AS(own, ...) ~, own, DECLARED_, MASS_JOIN(MASS_AS_, MASS_COUNT_(__VA_ARGS__))(__VA_ARGS__)
#define MASS_AS_1(n) n, #n
#define MASS_AS_2(n, component) n, #n "[" #component "]"
#define MASS_FORM_TYPED(own, ...) ~, own, TYPED_, MASS_JOIN(MASS_TYPED_AS_, MASS_COUNT_(__VA_ARGS__))(own, __VA_ARGS__)
#define MASS_TYPED_AS_1(own, T) T, #own
#define MASS_TYPED_AS_2(own, T, declared) T, #declared
#define MASS_FORM_FROM(population, ...) \
    ~, MASS_JOIN(MASS_FROM_AS_, MASS_COUNT_(__VA_ARGS__))(population, __VA_ARGS__)
#define MASS_FROM_AS_1(population, n) n, OTHER_, (population, n), #n
#define MASS_FROM_AS_2(population, own, n) own, OTHER_, (population, n), #n
#define MASS_FROM_AS_3(population, own, n, component) own, OTHER_, (population, n), #n "[" #component "]"
/* The ids of a population, in a field named as it. */
#define MASS_FORM_MASS_IDS_OF_(population) ~, population, IDS_, population, "id"
#define MASS_FROM_IDS_(CLASS, OWNER, population) uint64_t
#define MASS_OWNER_IDS_(NAME, population) NAME##_sees_##population
/* The nodes at the other ends of new edges, in a field named `source`. */
#define MASS_FORM_MASS_SOURCES_OF_(network) ~, source, SOURCES_, network, "source"
#define MASS_FROM_SOURCES_(CLASS, OWNER, network) uint32_t
#define MASS_OWNER_SOURCES_(NAME, network) NAME##_sees_##network##_edges
/* The positions of a population, likewise. */
#define MASS_FORM_MASS_POSITION_OF_(population) ~, population, POSITION_, population, "position"
#define MASS_FROM_POSITION_(CLASS, OWNER, population) mass_attribute_of_##population##_position
#define MASS_OWNER_POSITION_(NAME, population) NAME##_sees_##population
#define MASS_FROM_DECLARED_(CLASS, OWNER, n) MASS_TYPE_##CLASS(OWNER, n)
#define MASS_FROM_TYPED_(CLASS, OWNER, T) T
#define MASS_FROM_OTHER_(CLASS, OWNER, pair) MASS_FROM_PAIR_(CLASS, MASS_UNWRAPPED_ pair)
#define MASS_FROM_PAIR_(...) MASS_FROM_PAIR1_(__VA_ARGS__)
#define MASS_FROM_PAIR1_(CLASS, population, n) MASS_TYPE_##CLASS(population, n)
/* The number of the population that has the attribute (MASS_POPULATED_). */
#define MASS_OWNER_DECLARED_(NAME, n) 0
#define MASS_OWNER_TYPED_(NAME, T) 0
#define MASS_OWNER_OTHER_(NAME, pair) MASS_OWNER_PAIR_(NAME, MASS_UNWRAPPED_ pair)
#define MASS_OWNER_PAIR_(...) MASS_OWNER_PAIR1_(__VA_ARGS__)
#define MASS_OWNER_PAIR1_(NAME, population, n) NAME##_sees_##population

/* A member of a window, for an attribute of the agents on the place, or of its sprouts: an array whose length is the
 * owner's number plus one. */
#define MASS_OWNER_(CLASS, VIEW, ACCESS, n, n2, S, T, name, target, OWNER) MASS_REST_(MASS_OWNER_OF_##VIEW(n, OWNER))
#define MASS_OWNER_OF_OTHERS_(n, OWNER) ~, char (*MASS_JOIN(n, _owner))[(OWNER) + 1];

/* 1 if every entry as written is a word, else 2: one may be a macro that expands to entries. */
#define MASS_IS_EXPANDED_(E, ...) MASS_SECOND_(~ MASS_ENTRIES_(E, MASS_IS_STRANGE_, , __VA_ARGS__##E), 1)
#define MASS_IS_STRANGE_(none, entry) MASS_JOIN(MASS_STRANGE_OF_, MASS_COUNT_(MASS_WORD_##entry))
#define MASS_STRANGE_OF_1 , 2
#define MASS_STRANGE_OF_5

/* The tuples of a list of entries. An unknown entry has none; fields.h refuses it. The numbered steps only expand the
 * result of the step before. */
#define MASS_LISTED_(E, KIND, OWNER, NAME, ...) MASS_ENTRIES_(E, MASS_ENTRY_, (KIND, OWNER, NAME), __VA_ARGS__##E)
#define MASS_ENTRY_(CONTEXT, entry) MASS_ENTRY1_(CONTEXT, MASS_WORD_##entry, MASS_UNKNOWN, , , ())
#define MASS_ENTRY1_(...) MASS_ENTRY2_(__VA_ARGS__)
#define MASS_ENTRY2_(CONTEXT, first, ...) MASS_ENTRY3_(MASS_UNWRAPPED_ CONTEXT, __VA_ARGS__)
#define MASS_ENTRY3_(...) MASS_ENTRY4_(__VA_ARGS__)
#define MASS_ENTRY4_(KIND, OWNER, NAME, ACCESS, P, P2, NAMES, ...) \
    MASS_ENTRY5_(OWNER, NAME, ACCESS, P, P2, NAMES, MASS_PLACED_(KIND, ACCESS))
#define MASS_ENTRY5_(OWNER, NAME, ACCESS, P, P2, NAMES, ...) \
    MASS_JOIN(MASS_ENTRY_OF_, MASS_COUNT_(__VA_ARGS__))(OWNER, NAME, ACCESS, P, P2, NAMES, __VA_ARGS__)
#define MASS_ENTRY_OF_1(OWNER, NAME, ACCESS, P, P2, NAMES, none)
#define MASS_ENTRY_OF_2(OWNER, NAME, ACCESS, P, P2, NAMES, CLASS, VIEW) \
    MASS_NAMES_(MASS_NAMED_, (OWNER, NAME, ACCESS, P, P2, CLASS, VIEW), MASS_UNWRAPPED_ NAMES)
#define MASS_NAMED_(CONTEXT, x) MASS_NAMED1_(CONTEXT, MASS_FORM_##x, x, DECLARED_, x, #x)
#define MASS_NAMED1_(...) MASS_NAMED2_(__VA_ARGS__)
#define MASS_NAMED2_(CONTEXT, first, own, HOW, t, text, ...) \
    MASS_NAMED3_(MASS_UNWRAPPED_ CONTEXT, own, HOW, t, text)
#define MASS_NAMED3_(...) MASS_NAMED4_(__VA_ARGS__)
#define MASS_NAMED4_(OWNER, NAME, ACCESS, P, P2, CLASS, VIEW, own, HOW, t, text)                                    \
    , (CLASS, VIEW, ACCESS, P##own, P2##own, MASS_FROM_##HOW(CLASS, OWNER, t), NAME##_type_of_##P##own, #own, text, \
       MASS_OWNER_##HOW(NAME, t))

#endif
