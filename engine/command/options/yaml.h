/* SPDX-License-Identifier: Apache-2.0 */
/* Reads YAML as events that expand nothing: libyaml's, without aliases, anchors and tags. */
#ifndef MASS_ENGINE_YAML_H
#define MASS_ENGINE_YAML_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

/* A file that is being read, and its current event. */
typedef struct mass_yaml {
    const char *path; /* for messages; borrowed */
    mass_error *error;
    yaml_parser_t parser;
    yaml_event_t event;
    bool open;
} mass_yaml;

/* Begins to read bytes, which have to stay. The caller ends with mass_yaml_close, also on failure. */
mass_status mass_yaml_open(const char *path, const uint8_t *bytes, size_t size, mass_yaml *out, mass_error *error);
void mass_yaml_close(mass_yaml *y); /* may be all zero */

/* Reads the next event and deletes the one before. Reports what is not YAML, with its line. */
mass_status mass_yaml_next(mass_yaml *y);

/* Begin and end the one document, which is one map without an anchor or a tag: of `what`, as in "parameters". In
 * between, the caller reads names and values until the event is the end of the map. */
mass_status mass_yaml_begin_map(mass_yaml *y, const char *what);
mass_status mass_yaml_end_map(mass_yaml *y);

/* Returns the line of the event, from 1. */
size_t mass_yaml_line(const mass_yaml *y);

/* Returns why an event is no name and no single value, in words; NULL: it is one. */
const char *mass_yaml_fault(const yaml_event_t *e);

/* Returns whether YAML reads a scalar as no value. */
bool mass_yaml_is_null(const yaml_event_t *e);

#endif
