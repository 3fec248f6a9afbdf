/* SPDX-License-Identifier: Apache-2.0 */
/* Commands and their options as data. The parser, --help, the manual page and completion are made from these. */
#ifndef MASS_ENGINE_COMMAND_LINE_H
#define MASS_ENGINE_COMMAND_LINE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum mass_option_kind {
    MASS_OPTION_FLAG,  /* sets a bool */
    MASS_OPTION_MODE,  /* sets an int to `least` */
    MASS_OPTION_TEXT,  /* const char *, not "" */
    MASS_OPTION_INT32, /* a whole number from least to most */
    MASS_OPTION_INT64,
    MASS_OPTION_OTHER  /* `take` handles the value */
} mass_option_kind;

/* Kinds of values, for completion. */
typedef enum mass_expected {
    MASS_EXPECTED_ANYTHING,
    MASS_EXPECTED_WORDS,     /* one of `words` */
    MASS_EXPECTED_FILE,      /* with one of the suffixes `words` */
    MASS_EXPECTED_FOLDER,
    MASS_EXPECTED_PLUGIN,
    MASS_EXPECTED_PARAMETER  /* of the plugin, as NAME=VALUE */
} mass_expected;

typedef struct mass_option {
    const char *heading; /* of a group of options, which begins here; NULL: the option belongs to the group before */
    const char *name;    /* "steps" for --steps; one letter, "o" for -o; NULL ends the list */
    char letter;         /* a short form: 'h' for -h; 0: none */
    const char *value;   /* the value's name in texts, "[=AT]" if it is bare; NULL: the option takes none */
    const char *help;    /* a phrase for --help, with which the manual page begins */
    const char *more;    /* further sentences of the manual page; or NULL */
    bool bare;           /* the value is optional, "" by default, and is given only after '=' */
    bool repeated, hidden;
    mass_option_kind kind;
    size_t at;           /* offset of the member that takes the value */
    size_t given;        /* offset of a bool that is set if the option is given; 0: none */
    int64_t least, most;
    mass_status (*take)(void *into, const struct mass_option *, const char *value, mass_error *error);
    mass_expected expected;
    const char *words;   /* separated by blanks */
} mass_option;

typedef struct mass_command {
    const char *name;    /* "mass-engine plot" */
    const char *summary; /* a phrase for the head of the manual page */
    const char *about;   /* a paragraph */
    const char *const (*ways)[2]; /* how the command is called, and what that does; {NULL} ends the list */
    const mass_option *options;
    const char *const (*paragraphs)[2]; /* heading and text, after the options; {NULL} ends the list */
    const char *asks;    /* how to see the options: "--help lists them" */
    const char *setter;  /* the option that sets a named value, "--set"; NULL: there is none */
    mass_expected expected; /* kind of the command's words */
    const char *words;      /* as of an option */
    mass_status (*word)(void *into, const char *word, mass_error *error); /* handles a word that is no option */
} mass_command;

/* Reads the arguments after the command's name into a struct that already has the defaults. Options may be abbreviated
 * while the abbreviation is unique, and come in any order. A value is the next word, or follows '='. Texts are
 * borrowed. Reports the first mistake and returns MASS_BAD_USAGE. Pure. */
mass_status mass_command_read(const mass_command *c, int count, char *const arguments[], void *into,
                              mass_error *error);

/* Returns the option that the first `length` bytes of a word name, such as "--steps", "--st" or "-h". Returns NULL if
 * none or several match. Hidden options match only in full. */
const mass_option *mass_option_find(const mass_command *c, const char *word, size_t length);

/* Writes an option's spelling, "--steps" or "-o". Returns buffer. */
const char *mass_option_spelling(const mass_option *option, char buffer[64]);

/* Returns the next visible option, or NULL at the end. NULL starts. */
const mass_option *mass_option_next(const mass_command *c, const mass_option *before);

#endif
