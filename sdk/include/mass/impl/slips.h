/* SPDX-License-Identifier: Apache-2.0 */
/* Slips in lists of entries: an accessor of bodies instead of an entry, SEE(a) for SEES(a), and similar words, READ(a)
 * for READS(a). Each is defined as the right word, so that the body compiles as with that word, and the only error is
 * one sentence. Included by entries.h.
 *
 * Other errors in a list give one sentence, too. For the rest of the file, the accessors of fields are then
 * placeholders without meaning, and no kernel is made. */
#ifndef MASS_SLIPS_H
#define MASS_SLIPS_H

#include <stdint.h>

/* No entry: an empty list has one of these. */
#define MASS_WORD_ ~, MASS_NO_ACCESS, , , ()
#define MASS_SLIP_ ~, ~, ~, ~

/* Accessors of bodies. */
#define MASS_BODY_READS_(accessor, word) ~, accessor " reads in a body; a list has " word
#define MASS_BODY_WRITES_(accessor, word) ~, accessor " writes in a body; a list has " word
#define MASS_BODY_ADDS_(accessor, word) ~, accessor " contributes in a body; a list has " word
#define MASS_WORD_IN MASS_WORD_READS
#define MASS_SLIP_IN(...) MASS_BODY_READS_("IN", "READS")
#define MASS_WORD_NEAR MASS_WORD_READS
#define MASS_SLIP_NEAR(...) MASS_BODY_READS_("NEAR", "READS")
#define MASS_WORD_OUT MASS_WORD_UPDATES
#define MASS_SLIP_OUT(...) MASS_BODY_WRITES_("OUT", "WRITES or UPDATES")
#define MASS_WORD_PARAM MASS_WORD_GIVEN
#define MASS_SLIP_PARAM(...) MASS_BODY_READS_("PARAM", "GIVEN")
#define MASS_WORD_PARAM_AT MASS_WORD_LISTS
#define MASS_SLIP_PARAM_AT(...) MASS_BODY_READS_("PARAM_AT", "LISTS")
#define MASS_WORD_PARAM_NOW MASS_WORD_LISTS
#define MASS_SLIP_PARAM_NOW(...) MASS_BODY_READS_("PARAM_NOW", "LISTS")
#define MASS_WORD_PARAM_COUNT MASS_WORD_LISTS
#define MASS_SLIP_PARAM_COUNT(...) MASS_BODY_READS_("PARAM_COUNT", "LISTS")
#define MASS_WORD_TOTAL MASS_WORD_TOTALS
#define MASS_SLIP_TOTAL(...) MASS_BODY_READS_("TOTAL", "TOTALS")
#define MASS_WORD_OF_WORLD MASS_WORD_WORLD
#define MASS_SLIP_OF_WORLD(...) MASS_BODY_READS_("OF_WORLD", "WORLD")
#define MASS_WORD_OF_WORLD_AT MASS_WORD_WORLD
#define MASS_SLIP_OF_WORLD_AT(...) MASS_BODY_READS_("OF_WORLD_AT", "WORLD")
#define MASS_WORD_OUT_AT MASS_WORD_UPDATES
#define MASS_SLIP_OUT_AT(...) MASS_BODY_WRITES_("OUT_AT", "WRITES or UPDATES")
#define MASS_WORD_ITEM MASS_WORD_ITEMS
#define MASS_SLIP_ITEM(...) MASS_BODY_READS_("ITEM", "ITEMS")
#define MASS_WORD_ITEMS_AT MASS_WORD_ITEMS
#define MASS_SLIP_ITEMS_AT(...) MASS_BODY_READS_("ITEMS_AT", "ITEMS")
#define MASS_WORD_SCATTER MASS_WORD_SCATTERS
#define MASS_SLIP_SCATTER(...) MASS_BODY_WRITES_("SCATTER", "SCATTERS")
#define MASS_WORD_SEE MASS_WORD_SEES
#define MASS_SLIP_SEE(...) MASS_BODY_READS_("SEE", "SEES")
#define MASS_WORD_HERE MASS_WORD_RACES
#define MASS_SLIP_HERE(...) MASS_BODY_WRITES_("HERE", "RACES")
#define MASS_WORD_CHILD MASS_WORD_CHILDREN
#define MASS_SLIP_CHILD(...) MASS_BODY_WRITES_("CHILD", "CHILDREN")
#define MASS_WORD_OF MASS_WORD_CHANGES
#define MASS_SLIP_OF(...) MASS_BODY_READS_("OF", "MEETS or CHANGES")
#define MASS_WORD_CHILD_OF_RESIDENT MASS_WORD_CHILDREN
#define MASS_SLIP_CHILD_OF_RESIDENT(...) MASS_BODY_WRITES_("CHILD_OF_RESIDENT", "CHILDREN")
#define MASS_BODY_ASKS_(accessor) ~, accessor " asks in a body; a list has ASKS with the population", ~
#define MASS_WORD_KILL_RESIDENT(...) MASS_WORD_
#define MASS_SLIP_KILL_RESIDENT(...) MASS_BODY_ASKS_("KILL_RESIDENT")
#define MASS_WORD_KILL_RESIDENT_OF(...) MASS_WORD_
#define MASS_SLIP_KILL_RESIDENT_OF(...) MASS_BODY_ASKS_("KILL_RESIDENT_OF")
#define MASS_WORD_SPAWN_OF_RESIDENT(...) MASS_WORD_
#define MASS_SLIP_SPAWN_OF_RESIDENT(...) MASS_BODY_ASKS_("SPAWN_OF_RESIDENT")
#define MASS_WORD_EACH_RESIDENT_WHERE MASS_WORD_MEETS
#define MASS_SLIP_EACH_RESIDENT_WHERE(...) MASS_BODY_READS_("EACH_RESIDENT_WHERE", "MEETS or CHANGES")
#define MASS_WORD_EACH_NEARBY MASS_WORD_NEARBY
#define MASS_SLIP_EACH_NEARBY(...) MASS_BODY_READS_("EACH_NEARBY", "NEARBY")
#define MASS_WORD_EACH_NEARBY_OF MASS_WORD_NEARBY_OF
#define MASS_SLIP_EACH_NEARBY_OF(...) MASS_BODY_READS_("EACH_NEARBY_OF", "NEARBY_OF")
#define MASS_SEEN_BY_EACH_NEARBY_OF MASS_SEEN_BY_NEARBY_OF
#define MASS_WORD_COUNT_NEARBY_OF MASS_WORD_NEARBY_OF
#define MASS_SLIP_COUNT_NEARBY_OF(...) MASS_BODY_READS_("COUNT_NEARBY_OF", "NEARBY_OF")
#define MASS_SEEN_BY_COUNT_NEARBY_OF MASS_SEEN_BY_NEARBY_OF
#define MASS_WORD_ADD_TO MASS_WORD_ADDS
#define MASS_SLIP_ADD_TO(...) MASS_BODY_ADDS_("ADD_TO", "ADDS")
#define MASS_WORD_SPROUT_VALUE MASS_WORD_SPROUTS
#define MASS_SLIP_SPROUT_VALUE(...) MASS_BODY_WRITES_("SPROUT_VALUE", "SPROUTS")
#define MASS_WORD_CLAIM MASS_WORD_CLAIMS
#define MASS_SLIP_CLAIM(...) MASS_BODY_WRITES_("CLAIM", "CLAIMS")
#define MASS_WORD_CLAIM_BY_LOT MASS_WORD_CLAIMS
#define MASS_SLIP_CLAIM_BY_LOT(...) MASS_BODY_WRITES_("CLAIM_BY_LOT", "CLAIMS")
#define MASS_WORD_PARTNER MASS_WORD_PAIRS
#define MASS_SLIP_PARTNER(...) MASS_BODY_READS_("PARTNER", "PAIRS")
#define MASS_WORD_ADD MASS_WORD_SUMS
#define MASS_SLIP_ADD(...) MASS_BODY_ADDS_("ADD", "SUMS")
#define MASS_WORD_ADD_UNLESS MASS_WORD_SUMS
#define MASS_SLIP_ADD_UNLESS(...) MASS_BODY_ADDS_("ADD_UNLESS", "SUMS")
#define MASS_WORD_LEAST MASS_WORD_MINS
#define MASS_SLIP_LEAST(...) MASS_BODY_ADDS_("LEAST", "MINS")
#define MASS_WORD_MOST MASS_WORD_MAXES
#define MASS_SLIP_MOST(...) MASS_BODY_ADDS_("MOST", "MAXES")
#define MASS_WORD_COUNT_IN MASS_WORD_BINS
#define MASS_SLIP_COUNT_IN(...) MASS_BODY_ADDS_("COUNT_IN", "BINS")
#define MASS_WORD_ADD_IN MASS_WORD_BINS
#define MASS_SLIP_ADD_IN(...) MASS_BODY_ADDS_("ADD_IN", "BINS")
#define MASS_WORD_COUNT_KEY MASS_WORD_KEYS
#define MASS_SLIP_COUNT_KEY(...) MASS_BODY_ADDS_("COUNT_KEY", "KEYS")
#define MASS_WORD_COUNT_TEXT MASS_WORD_KEYS
#define MASS_SLIP_COUNT_TEXT(...) MASS_BODY_ADDS_("COUNT_TEXT", "KEYS")

#define MASS_WORD_ONE_OF(...) MASS_WORD_
#define MASS_SLIP_ONE_OF(...) ~, "ONE_OF draws an agent in a body; a list has ANYBODY or ADDS_ANYBODY", ~
#define MASS_WORD_AGENT(...) MASS_WORD_
#define MASS_SLIP_AGENT(...) ~, "AGENT finds an agent in a body; a list has BY_ID(population)", ~
#define MASS_WORD_FREE_PLACE(...) MASS_WORD_
#define MASS_SLIP_FREE_PLACE(...) ~, "FREE_PLACE draws a place in a body; a list has FREE_PLACES(population)", ~

/* Accessors that every body has, without an entry. */
#define MASS_EVERY_BODY_(accessor) ~, accessor " is in every body, and a list has no entry for it", ~
#define MASS_WORD_RANDOM(...) MASS_WORD_
#define MASS_SLIP_RANDOM(...) MASS_EVERY_BODY_("RANDOM")
#define MASS_WORD_SHUFFLED(...) MASS_WORD_
#define MASS_SLIP_SHUFFLED(...) MASS_EVERY_BODY_("SHUFFLED")
#define MASS_WORD_EXISTS(...) MASS_WORD_
#define MASS_SLIP_EXISTS(...) MASS_EVERY_BODY_("EXISTS")
#define MASS_WORD_CROWD(...) MASS_WORD_
#define MASS_SLIP_CROWD(...) MASS_SLIP_COUNT_AT(__VA_ARGS__)
#define MASS_WORD_COUNT_AT(...) MASS_WORD_
#define MASS_SLIP_COUNT_AT(...) ~, "COUNT_AT counts in a body over agents, and a list has no entry for it", ~
#define MASS_WORD_STEP(...) MASS_WORD_
#define MASS_SLIP_STEP(...) ~, "STEP is the number of the step in a body; a schedule has STEPS, and a list neither", ~
#define MASS_WORD_STEPS(...) MASS_WORD_
#define MASS_SLIP_STEPS(...) ~, "STEPS is for a schedule, MASS_SCHEDULE(STEPS(callback)), and no entry of a list", ~

/* Words that authors may try. */
#define MASS_MEANT_(said, word) ~, said " is not an entry of a list; it is " word
#define MASS_WORD_READ MASS_WORD_READS
#define MASS_SLIP_READ(...) MASS_MEANT_("READ", "READS")
#define MASS_WORD_WRITE MASS_WORD_WRITES
#define MASS_SLIP_WRITE(...) MASS_MEANT_("WRITE", "WRITES")
#define MASS_WORD_UPDATE MASS_WORD_UPDATES
#define MASS_SLIP_UPDATE(...) MASS_MEANT_("UPDATE", "UPDATES")
#define MASS_WORD_RACE MASS_WORD_RACES
#define MASS_SLIP_RACE(...) MASS_MEANT_("RACE", "RACES")
#define MASS_WORD_CHILDS MASS_WORD_CHILDREN
#define MASS_SLIP_CHILDS(...) MASS_MEANT_("CHILDS", "CHILDREN")
#define MASS_WORD_ASK MASS_WORD_ASKS
#define MASS_SLIP_ASK(...) MASS_MEANT_("ASK", "ASKS")
#define MASS_REQUESTED_BY_ASK(...) ~, (__VA_ARGS__)
#define MASS_REQUESTED_BY_KILLS(...) ~, (__VA_ARGS__)
#define MASS_WORD_KILLS MASS_WORD_ASKS
#define MASS_SLIP_KILLS(...) MASS_MEANT_("KILLS", "ASKS")
#define MASS_WORD_MEET MASS_WORD_MEETS
#define MASS_SLIP_MEET(...) MASS_MEANT_("MEET", "MEETS")
#define MASS_WORD_CHANGE MASS_WORD_CHANGES
#define MASS_SLIP_CHANGE(...) MASS_MEANT_("CHANGE", "CHANGES")
#define MASS_WORD_SPROUT MASS_WORD_SPROUTS
#define MASS_SLIP_SPROUT(...) MASS_MEANT_("SPROUT", "SPROUTS")
#define MASS_WORD_GIVE MASS_WORD_GIVEN
#define MASS_SLIP_GIVE(...) MASS_MEANT_("GIVE", "GIVEN")
#define MASS_WORD_GIVES MASS_WORD_GIVEN
#define MASS_SLIP_GIVES(...) MASS_MEANT_("GIVES", "GIVEN")
#define MASS_WORD_PARAMS MASS_WORD_GIVEN
#define MASS_SLIP_PARAMS(...) MASS_MEANT_("PARAMS", "GIVEN")
#define MASS_WORD_PAIR MASS_WORD_PAIRS
#define MASS_SLIP_PAIR(...) MASS_MEANT_("PAIR", "PAIRS")
#define MASS_WORD_SUM MASS_WORD_SUMS
#define MASS_SLIP_SUM(...) MASS_MEANT_("SUM", "SUMS")
#define MASS_WORD_MIN MASS_WORD_MINS
#define MASS_SLIP_MIN(...) MASS_MEANT_("MIN", "MINS")
#define MASS_WORD_MAX MASS_WORD_MAXES
#define MASS_SLIP_MAX(...) MASS_MEANT_("MAX", "MAXES")
#define MASS_WORD_MAXS MASS_WORD_MAXES
#define MASS_SLIP_MAXS(...) MASS_MEANT_("MAXS", "MAXES")
#define MASS_WORD_BIN MASS_WORD_BINS
#define MASS_SLIP_BIN(...) MASS_MEANT_("BIN", "BINS")
#define MASS_WORD_WORLDS MASS_WORD_WORLD
#define MASS_SLIP_WORLDS(...) MASS_MEANT_("WORLDS", "WORLD")
#define MASS_WORD_KEY MASS_WORD_KEYS
#define MASS_SLIP_KEY(...) MASS_MEANT_("KEY", "KEYS")

/* The member of a window that an accessor uses. KIND is an ELEMENT, a POINTER to elements, or the member of a tally of
 * SUMS, BINS or KEYS. Once a list is wrong, MASS_LOST_ replaces this definition by one that fits every name. In device
 * code it replaces the kernel's definition. The replacement is at the bottom of the stack of definitions, and remains
 * there. */
#ifdef __CUDACC__
#define MASS_KERNEL_(NAME, ...) MASS_NO_KERNEL_(NAME)
#define MASS_AGENT_(NAME, ...) MASS_NO_KERNEL_(NAME)
#define MASS_OCCUPIED_(NAME, ...) MASS_NO_KERNEL_(NAME)
#define MASS_REFUSED_(NAME, ...) MASS_NO_KERNEL_(NAME)
#define MASS_ONCE_OF_(NAME, ...) MASS_NO_KERNEL_(NAME)
#define MASS_NO_KERNEL_(NAME)                                                         \
    template <class... A> __device__ void MASS_JOIN(NAME, _in_world)(const A &...) {} \
    template <class Window> __device__ void MASS_JOIN(NAME, _body)(Window *const mass_w)
#pragma push_macro("MASS_KERNEL_")
#pragma push_macro("MASS_AGENT_")
#pragma push_macro("MASS_OCCUPIED_")
#pragma push_macro("MASS_REFUSED_")
#pragma push_macro("MASS_ONCE_OF_")
#undef MASS_KERNEL_
#undef MASS_AGENT_
#undef MASS_OCCUPIED_
#undef MASS_REFUSED_
#undef MASS_ONCE_OF_
#define MASS_LOST_                                                                          \
    _Pragma("pop_macro(\"MASS_KERNEL_\")") _Pragma("push_macro(\"MASS_KERNEL_\")")          \
    _Pragma("pop_macro(\"MASS_AGENT_\")") _Pragma("push_macro(\"MASS_AGENT_\")")            \
    _Pragma("pop_macro(\"MASS_OCCUPIED_\")") _Pragma("push_macro(\"MASS_OCCUPIED_\")")      \
    _Pragma("pop_macro(\"MASS_REFUSED_\")") _Pragma("push_macro(\"MASS_REFUSED_\")")      \
    _Pragma("pop_macro(\"MASS_ONCE_OF_\")") _Pragma("push_macro(\"MASS_ONCE_OF_\")")
#else
typedef char (*mass_lost_asked)[256];
#define MASS_MEMBER_OF_(KIND, member) (*(MASS_LOST_##KIND *)(void *)mass_w)
#define MASS_HELD_BY_(KIND, holder, member) (*(MASS_LOST_##KIND *)(void *)mass_w)
#pragma push_macro("MASS_MEMBER_OF_")
#pragma push_macro("MASS_HELD_BY_")
#undef MASS_MEMBER_OF_
#undef MASS_HELD_BY_
#define MASS_LOST_                                                                              \
    _Pragma("pop_macro(\"MASS_MEMBER_OF_\")") _Pragma("push_macro(\"MASS_MEMBER_OF_\")")        \
    _Pragma("pop_macro(\"MASS_HELD_BY_\")") _Pragma("push_macro(\"MASS_HELD_BY_\")")
#define MASS_LOST_ELEMENT int
#define MASS_LOST_POINTER int *
#define MASS_LOST_SUM mass_sum
#define MASS_LOST_LIST mass_lost_list *
#define MASS_LOST_WORLD int *
#define MASS_LOST_WORLD_AT mass_lost_list *
#define MASS_LOST_WORLD_OUT mass_lost_list
typedef struct mass_lost_list {
    int64_t count, values[1], rows_of_a_MASS_PARAMETER_TABLE[1];
} mass_lost_list;
#define MASS_LOST_CLAIM mass_lost_claim
#define MASS_LOST_PAIR mass_lost_pair *
#define MASS_LOST_BINS mass_counter
#define MASS_LOST_KEYS mass_key_counter
#define MASS_LOST_ASKED mass_lost_asked
#endif
#define MASS_MEMBER_OF_(KIND, member) mass_w->member
/* The same of a part of the window, by a pointer to it. */
#define MASS_HELD_BY_(KIND, holder, member) (holder)->member

#endif
