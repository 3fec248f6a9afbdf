/* SPDX-License-Identifier: Apache-2.0 */
/* --run FILE: the options of a run as a map, in YAML (.yaml, .yml) or JSON (.json). The keys are names of options
 * without dashes. The file becomes words of a command line, so that it means what they mean. Main thread. */
#ifndef MASS_ENGINE_RUN_FILE_H
#define MASS_ENGINE_RUN_FILE_H

#include "command/options/options.h"

/* An option that a file gives, as one word. */
typedef struct mass_run_word {
    const mass_option *option;
    char *word;  /* "--steps=100"; owned */
    size_t line; /* of the file */
} mass_run_word;

typedef struct mass_run_file {
    mass_run_word *words;
    uint32_t count;
} mass_run_file;

/* Reads a file. Refuses unknown keys and wrong values with MASS_BAD_USAGE, and what is no such file with
 * MASS_BAD_INPUT. Messages begin with "PATH, line N: ". The caller frees *out with mass_run_file_free, also on
 * failure. */
mass_status mass_run_file_read(const char *path, mass_run_file *out, mass_error *error);

/* Reads the bytes of a file as mass_run_file_read does; the suffix of `path` decides the language. */
mass_status mass_run_file_parse(const char *path, const uint8_t *bytes, size_t size, mass_run_file *out,
                                mass_error *error);
void mass_run_file_free(mass_run_file *f); /* may be all zero */

/* Returns whether a run file can have the option: those of a run, but --run itself. */
bool mass_run_file_has(const mass_option *o);

/* Returns whether an option is a map from names to values in a file: set, load, tally and agents, whose words are
 * NAME=VALUE. */
bool mass_run_file_is_map(const mass_option *o);

/* Returns the character between the items of an option that may be a list of numbers: 'x' of size, ',' of shares; 0: it
 * may not. */
char mass_run_file_separator(const mass_option *o);

/* Returns whether a checkpoint has what an option of this value says, so that a resumed run does not take it. */
bool mass_run_file_is_resumed(const mass_option *o, const char *value);

/* Replaces --run FILE among the arguments of a command by the words of the file, which come first. Leaves out words
 * that the arguments override: the same option, or the same name of --set, --load, --tally, --log and --agents; and
 * with --resume all that a checkpoint has. The caller frees *out with mass_run_words_free, also on failure. */
mass_status mass_run_words_make(int count, char *const arguments[], mass_run_words *out, mass_error *error);
void mass_run_words_free(mass_run_words *w); /* may be all zero */

#endif
