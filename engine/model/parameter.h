/* SPDX-License-Identifier: Apache-2.0 */
/* A model's parameters and constants, with types and ranges. Main thread. text/parameter.h sets them from text. */
#ifndef MASS_ENGINE_PARAMETER_H
#define MASS_ENGINE_PARAMETER_H

#include "base/error.h"

#include <mass/plugin.h>
#include <stdbool.h>

enum { MASS_NAME_SIZE = 64, MASS_RANGE_SIZE = 80 }; /* bytes of a name, and of a range in words, with the final 0 */

typedef struct mass_parameter_slot {
    char name[MASS_NAME_SIZE];
    char *help, *unit, *by_default; /* "" if not given */
    uint32_t type;     /* mass_parameter_type */
    bool constant;     /* the model's, not the user's */
    bool given;        /* set by the user or a checkpoint */
    int64_t integer, integer_min, integer_max;
    double real, real_min, real_max;
    char *text;     /* value of TEXT and CHOICE */
    char **choices; /* for CHOICE; ends with NULL */
    uint32_t list;   /* MASS_INTEGER or MASS_REAL: it is a CHOICE whose texts are lists of such numbers (list.h) */
    uint64_t length; /* of a list: the most values that it may have */
    bool by_step;    /* of a list: value i is that of step i + 1 */
    uint64_t *swept; /* mass_parameter_bits by world; NULL: the same in all worlds, as above */
} mass_parameter_slot;

typedef struct mass_parameters {
    mass_parameter_slot *slots;
    uint32_t count;
    int32_t worlds; /* worlds that the swept ones have values for; 0: none is swept */
} mass_parameters;

/* Returns whether a name is a letter or '_', then letters, digits and '_', at most 63 characters. */
bool mass_name_valid(const char *name);

/* Check a parameter or a constant, and copy it. A parameter gets its default; a list gets no values (text/list.h). They
 * refuse a name that the list has already. Once it is counted, it stays in the list on failure. */
mass_status mass_parameters_add(mass_parameters *list, const mass_parameter *parameter, mass_error *error);
mass_status mass_parameters_add_constant(mass_parameters *list, const mass_constant *constant,
                                         mass_error *error);
/* Frees the slots and their texts. The list is empty then. */
void mass_parameters_free(mass_parameters *list);

/* Returns a parameter or constant by name, or NULL. Valid until the next is added. */
mass_parameter_slot *mass_parameters_find(const mass_parameters *list, const char *name);

/* Returns the type of its numbers: its type, or that of a list's values. */
uint32_t mass_parameter_number(const mass_parameter_slot *slot);

/* Return whether numbers have a least, and a greatest, value; and their range in words: "between 0 and 1", "at least
 * 0", "at most 1", or "" for all values. The range is in buffer. */
bool mass_parameter_has_least(const mass_parameter_slot *slot);
bool mass_parameter_has_most(const mass_parameter_slot *slot);
const char *mass_parameter_range(const mass_parameter_slot *slot, char buffer[MASS_RANGE_SIZE]);

/* Returns the number of a choice, from 0 on; -1: there is no such choice, or the parameter has none. */
int mass_parameter_choice_index(const mass_parameter_slot *slot, const char *text);

/* Returns the value as a PARAM field sees it: bits of an int64_t or a double; the number of a choice or of a list's
 * text. 0 for TEXT. */
uint64_t mass_parameter_bits(const mass_parameter_slot *slot);
/* Returns the value, in the same form, that a parameter has in one world of the run, counted from 0. */
uint64_t mass_parameter_bits_in(const mass_parameter_slot *slot, int32_t world);

#endif
