/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the JSON Schema of a file for --run, from the table of options: run-schema FILE. */
#include "command/options/options.h"
#include "command/options/run_file.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* Returns {"type": TYPE}. */
static json_t *of_type(const char *type) { return json_pack("{s:s}", "type", type); }

/* Returns a schema of a text or a number. */
static json_t *scalar(void) { return json_pack("{s:[s, s]}", "type", "string", "number"); }

/* Returns a schema of a list of these items. */
static json_t *list_of(json_t *items) { return json_pack("{s:s, s:o}", "type", "array", "items", items); }

/* Returns a schema of a map from names to these values. */
static json_t *map_of(json_t *values)
{
    return json_pack("{s:s, s:o}", "type", "object", "additionalProperties", values);
}

/* Returns a schema that one of two others has to hold for. */
static json_t *either(json_t *a, json_t *b) { return json_pack("{s:[o, o]}", "anyOf", a, b); }

/* Returns a schema of a whole number in the option's range, also written as a text such as "1e6". */
static json_t *whole(const mass_option *o)
{
    return either(json_pack("{s:s, s:I, s:I}", "type", "integer", "minimum", (json_int_t)o->least, "maximum",
                            (json_int_t)o->most),
                  json_pack("{s:s, s:s}", "type", "string", "pattern", "^[0-9]"));
}

/* Returns the schema of an option's value. */
static json_t *value_of(const mass_option *o)
{
    if (!o->value) return of_type("boolean");
    if (o->bare) return either(of_type("boolean"), scalar());
    if (strcmp(o->name, "set") == 0) return map_of(either(scalar(), list_of(of_type("number"))));
    if (mass_run_file_is_map(o)) return map_of(of_type("string"));
    if (o->repeated)
        return json_pack("{s:[o, o, o]}", "anyOf", scalar(), list_of(scalar()), map_of(scalar()));
    if (o->kind == MASS_OPTION_INT32 || o->kind == MASS_OPTION_INT64) return whole(o);
    if (mass_run_file_separator(o)) return either(scalar(), list_of(of_type("integer")));
    return scalar();
}

/* Returns the schema of a file. */
static json_t *make(void)
{
    json_t *properties = json_object();
    for (const mass_option *o = NULL; (o = mass_option_next(&mass_engine_command, o));) {
        if (!mass_run_file_has(o)) continue;
        json_t *value = value_of(o);
        json_object_set_new(value, "description", json_string(o->help));
        json_object_set_new(properties, o->name, value);
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:o}", "$schema", "https://json-schema.org/draft/2020-12/schema",
                     "title", "mass-engine run", "description", "The options of a run, for mass-engine --run FILE",
                     "type", "object", "additionalProperties", 0, "properties", properties);
}

/* Writes the file. Returns the exit status. */
int main(int count, char *arguments[])
{
    if (count != 2) {
        fputs("usage: run-schema FILE\n", stderr);
        return 2;
    }
    json_t *schema = make();
    const bool good = schema && json_dump_file(schema, arguments[1], JSON_INDENT(2)) == 0;
    json_decref(schema);
    if (!good) fprintf(stderr, "run-schema: %s cannot be written\n", arguments[1]);
    return good ? 0 : 1;
}
