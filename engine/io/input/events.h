/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a run: values that places get between two steps, because somebody drew them while the run was paused. They
 * are kept as a table, so that the run can be had again:
 *
 *   step,world,attribute,x,y,z,value
 *   120,0,grid.health,10,12,0,1
 *
 * A row happens after its step and before the next one, in the order of the rows, whose steps ascend. In a file, world
 * (the run's first), y and z (0) may be left out, and an attribute of the first space may be named alone. Main thread.
 */
#ifndef MASS_ENGINE_IO_INPUT_EVENTS_H
#define MASS_ENGINE_IO_INPUT_EVENTS_H

#include "state/domain.h"
#include "text/number.h"

enum { MASS_EVENTS_MOST = 1000000, MASS_EVENTS_BYTES_MOST = 256 << 20 };

/* One component of one place. */
typedef struct mass_event {
    uint64_t step;
    uint32_t attribute, component;
    int32_t world; /* of the run, from 0 */
    mass_gidx at[3];
    uint8_t value[8]; /* as the attribute has it */
} mass_event;

typedef struct mass_events {
    mass_event *list; /* [count]; owned */
    size_t count;
} mass_events;

/* Of which run they are. */
typedef struct mass_events_of {
    const mass_model *model;
    int32_t worlds, first_world;
} mass_events_of;

/* Whether places of an attribute can be drawn: numbers that are part of the state. */
bool mass_event_suits(const mass_attribute_def *a);
/* Sets attribute and component by a name; MASS_BAD_USAGE says which there are. */
mass_status mass_event_name(const mass_model *m, const char *name, mass_event *e, mass_error *error);
/* Sets the value. MASS_BAD_USAGE: the attribute cannot have it, or it lies outside of its range. */
mass_status mass_event_value(const mass_model *m, mass_number value, mass_event *e, mass_error *error);
/* Whether world and place are there: MASS_BAD_USAGE. */
mass_status mass_event_place(const mass_events_of *of, const mass_event *e, mass_error *error);

/* Reads a table, "PATH, line N: ..." MASS_BAD_INPUT. The caller frees *out, also on failure. */
mass_status mass_events_parse(const mass_events_of *of, const char *path, const char *text, size_t size,
                              mass_events *out, mass_error *error);
/* As a table, which the caller frees; NULL: there is no memory. */
char *mass_events_text(const mass_events_of *of, const mass_events *e, size_t *size);

/* Puts `count` more before number `at`. MASS_BAD_USAGE if there are too many; nothing is changed on failure. */
mass_status mass_events_insert(mass_events *e, size_t at, const mass_event *more, size_t count, mass_error *error);
void mass_events_free(mass_events *); /* all zero is fine */

/* Gives places the values of `count` of them in order, on whatever ranks and devices they are. */
mass_status mass_events_apply(const mass_event *list, size_t count, mass_domain *d, mass_error *error);

#endif
