/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/yaml.h"

#include <stdio.h>
#include <string.h>

#define BAD_LINE(Y, LINE, FORMAT, ...) \
    mass_error_set((Y)->error, MASS_BAD_INPUT, "%s, line %zu: " FORMAT, (Y)->path, (size_t)(LINE), __VA_ARGS__)

mass_status mass_yaml_next(mass_yaml *y)
{
    yaml_event_delete(&y->event);
    if (yaml_parser_parse(&y->parser, &y->event)) return MASS_OK;
    const yaml_parser_t *p = &y->parser;
    if (p->error == YAML_MEMORY_ERROR) return mass_error_memory(y->error, 4096, "a file in YAML");
    const size_t line = p->error == YAML_READER_ERROR ? p->mark.line : p->problem_mark.line;
    return BAD_LINE(y, line + 1, "it is not YAML: %s", p->problem ? p->problem : "it cannot be read");
}

size_t mass_yaml_line(const mass_yaml *y) { return y->event.start_mark.line + 1; }

/* Reads the next event and checks its type, which messages call `what`. */
static mass_status expect(mass_yaml *y, yaml_event_type_t type, const char *what)
{
    const mass_status status = mass_yaml_next(y);
    if (status != MASS_OK || y->event.type == type) return status;
    return BAD_LINE(y, mass_yaml_line(y), "%s is expected here", what);
}

mass_status mass_yaml_begin_map(mass_yaml *y, const char *what)
{
    char map[80];
    snprintf(map, sizeof map, "a map of %s, as in NAME: VALUE,", what);
    mass_status status = expect(y, YAML_STREAM_START_EVENT, "a beginning");
    if (status == MASS_OK) status = expect(y, YAML_DOCUMENT_START_EVENT, map);
    if (status == MASS_OK) status = expect(y, YAML_MAPPING_START_EVENT, map);
    if (status != MASS_OK) return status;
    const bool anchored = y->event.data.mapping_start.anchor, tagged = y->event.data.mapping_start.tag;
    if (!anchored && !tagged) return MASS_OK;
    return BAD_LINE(y, mass_yaml_line(y), "the map of %s is given %s", what, anchored ? "an anchor" : "a tag");
}

mass_status mass_yaml_end_map(mass_yaml *y)
{
    const mass_status status = expect(y, YAML_DOCUMENT_END_EVENT, "the end of the map");
    return status == MASS_OK ? expect(y, YAML_STREAM_END_EVENT, "the end of the file, and no other document,") : status;
}

const char *mass_yaml_fault(const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_ALIAS_EVENT: return "an alias";
    case YAML_SEQUENCE_START_EVENT: return "a list";
    case YAML_MAPPING_START_EVENT: return "a map";
    case YAML_SCALAR_EVENT:
        return e->data.scalar.anchor ? "given an anchor" : e->data.scalar.tag ? "given a tag" : NULL;
    default: return "missing";
    }
}

bool mass_yaml_is_null(const yaml_event_t *e)
{
    static const char *const nulls[] = {"", "~", "null", "Null", "NULL"};
    if (e->data.scalar.style != YAML_PLAIN_SCALAR_STYLE) return false;
    for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
        if (strcmp((const char *)e->data.scalar.value, nulls[i]) == 0) return true;
    return false;
}

/* Returns the size without blank lines at the end, if a tab is among them: the library would refuse the tab. */
static size_t without_last_blanks(const uint8_t *bytes, size_t size)
{
    size_t end = size;
    bool tab = false;
    for (; end > 0 && strchr(" \t\r\n", bytes[end - 1]) && bytes[end - 1]; end--) tab |= bytes[end - 1] == '\t';
    return tab ? end : size;
}

mass_status mass_yaml_open(const char *path, const uint8_t *bytes, size_t size, mass_yaml *out, mass_error *error)
{
    *out = (mass_yaml){.path = path, .error = error};
    out->open = yaml_parser_initialize(&out->parser);
    if (!out->open) return mass_error_memory(error, size, "a file in YAML");
    yaml_parser_set_input_string(&out->parser, bytes, without_last_blanks(bytes, size));
    return MASS_OK;
}

void mass_yaml_close(mass_yaml *y)
{
    if (!y->open) return;
    yaml_event_delete(&y->event);
    yaml_parser_delete(&y->parser);
    *y = (mass_yaml){0};
}
