/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a run: values that a user draws on places between two steps, while the run is paused. They are kept as a
 * table, so that the run can be repeated:
 *
 *   step,world,attribute,x,y,z,value
 *   120,0,grid.health,10,12,0,1
 *
 * A row is applied after its step and before the next one. Rows are in order of steps, and are applied in that order. A
 * file may leave out world (the run's first), y and z (0), and the name of the first space. Main thread. */
#ifndef MASS_ENGINE_IO_INPUT_EVENTS_H
#define MASS_ENGINE_IO_INPUT_EVENTS_H

#include "state/domain.h"
#include "text/number.h"

enum { MASS_EVENTS_MOST = 1000000, MASS_EVENTS_BYTES_MOST = 256 << 20 };

/* A new value for one component of one place. */
typedef struct mass_event {
    uint64_t step;
    uint32_t attribute, component;
    int32_t world; /* index in the run, from 0 */
    mass_gidx at[3];
    uint8_t value[8]; /* in the attribute's type */
} mass_event;

typedef struct mass_events {
    mass_event *list; /* [count]; owned */
    size_t count;
} mass_events;

/* The run that events belong to. */
typedef struct mass_events_of {
    const mass_model *model;
    int32_t worlds, first_world;
} mass_events_of;

/* Returns true if users can draw an attribute: numbers of places that are part of the state. */
bool mass_event_suits(const mass_attribute_def *a);
/* Sets attribute and component by name; MASS_BAD_USAGE, with the possible names, if there is none. */
mass_status mass_event_name(const mass_model *m, const char *name, mass_event *e, mass_error *error);
/* Sets the value. MASS_BAD_USAGE if the attribute, which is set before, cannot hold it, or if it is out of range. */
mass_status mass_event_value(const mass_model *m, mass_number value, mass_event *e, mass_error *error);
/* MASS_BAD_USAGE if the run has no such world, or the space of the attribute, which is set before, no such place. */
mass_status mass_event_place(const mass_events_of *of, const mass_event *e, mass_error *error);

/* Reads a table. Errors are MASS_BAD_INPUT, in the form "PATH, line N: ...". The caller frees *out, also on failure. */
mass_status mass_events_parse(const mass_events_of *of, const char *path, const char *text, size_t size,
                              mass_events *out, mass_error *error);
/* Formats events as a table, which the caller frees; NULL: out of memory. */
char *mass_events_text(const mass_events_of *of, const mass_events *e, size_t *size);

/* Inserts `count` events before number `at`. MASS_BAD_USAGE if there are too many. On failure nothing changes. */
mass_status mass_events_insert(mass_events *e, size_t at, const mass_event *more, size_t count, mass_error *error);
void mass_events_free(mass_events *); /* all zero is allowed */

/* Writes the values of `count` events to their places in order, on the ranks and devices that hold them. */
mass_status mass_events_apply(const mass_event *list, size_t count, mass_domain *d, mass_error *error);

#endif
