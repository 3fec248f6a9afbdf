/* SPDX-License-Identifier: Apache-2.0 */
/* --params FILE: parameters from a flat map of names to values, in YAML (.yaml, .yml) or JSON (.json). */
#ifndef MASS_ENGINE_PARAMETER_FILE_H
#define MASS_ENGINE_PARAMETER_FILE_H

#include "plugin/host.h"

enum { MASS_PARAMETER_FILE_MAX = 1000, /* parameters */ MASS_PARAMETER_VALUE_MAX = 65000 /* bytes of a value */ };

typedef struct mass_parameter_file {
    mass_setting *settings; /* own ones with their texts, then borrowed ones */
    uint32_t own, count;    /* settings of the file; all settings */
    char hash[33];          /* of the file's bytes, as xxh128sum prints it */
} mass_parameter_file;

/* Reads a file. Numbers are kept as they are written. Refusals return MASS_BAD_INPUT and begin with "PATH, line N: ".
 * The caller frees *out with mass_parameter_file_free, also on failure. */
mass_status mass_parameter_file_read(const char *path, mass_parameter_file *out, mass_error *error);

/* Reads the bytes of a file as mass_parameter_file_read does, but leaves out->hash empty. The suffix of `path` decides
 * the language. Pure. */
mass_status mass_parameter_file_parse(const char *path, const uint8_t *bytes, size_t size, mass_parameter_file *out,
                                      mass_error *error);

/* Adds settings from elsewhere, which replace those of the same names in the file. Their texts are borrowed. */
mass_status mass_parameter_file_override(mass_parameter_file *f, const mass_setting *settings, uint32_t count,
                                         mass_error *error);

void mass_parameter_file_free(mass_parameter_file *f); /* may be all zero */

#endif
