/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters that are lists of numbers. The text of a list is "1,2,3", with each number in the fewest digits that give
 * it exactly. A slot knows the texts of all lists that it has in any world: slot->choices. So a list is stored and sent
 * as a choice. Main thread. */
#ifndef MASS_ENGINE_LIST_H
#define MASS_ENGINE_LIST_H

#include "model/parameter.h"

enum { MASS_LIST_TEXT_MAX = 65000 /* bytes of a list's text, which checkpoints hold */ };

/* Returns the number of values in a list's text; 0 for "". */
uint64_t mass_list_count(const char *text);

/* Gets the values of a list's text as bits of int64_t or double: to[mass_list_count(text)]. */
void mass_list_values(const mass_parameter_slot *slot, const char *text, uint64_t *to);

/* Finds a text among the slot's choices, or adds a copy, and sets *out to its number. slot->choices may move. */
mass_status mass_list_meet(mass_parameter_slot *slot, const char *text, uint64_t *out, mass_error *error);

/* Frees a slot's choices; replaces them by those of another, which then has none. */
void mass_list_free(mass_parameter_slot *slot);
void mass_list_take(mass_parameter_slot *slot, mass_parameter_slot *from);

/* Returns the text of a list in one world, counted from 0. */
const char *mass_list_text_in(const mass_parameter_slot *slot, int32_t world);

/* Return the 64-bit words that a list has on devices for each world: its count, then room for its values; 0 for other
 * parameters. And those of all lists before parameter `slot`, which may be list->count. */
uint64_t mass_list_words(const mass_parameter_slot *slot);
uint64_t mass_list_words_before(const mass_parameters *list, uint32_t slot);

enum { MASS_LIST_SHOWN = 80 };
/* Writes a list for people: "1,2,3", or its first values and how many there are. Returns `out`. */
const char *mass_list_show(const char *text, char out[MASS_LIST_SHOWN]);

#endif
