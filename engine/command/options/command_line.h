/* SPDX-License-Identifier: Apache-2.0 */
/* A command and its options as data, from which come reading a command line, --help, the manual page and completion. */
#ifndef MASS_ENGINE_COMMAND_LINE_H
#define MASS_ENGINE_COMMAND_LINE_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum mass_option_kind {
    MASS_OPTION_FLAG,  /* a bool becomes true */
    MASS_OPTION_MODE,  /* an int becomes `least` */
    MASS_OPTION_TEXT,  /* const char *, not "" */
    MASS_OPTION_INT32, /* a whole number from least to most, */
    MASS_OPTION_INT64,
    MASS_OPTION_OTHER  /* take says what comes of it */
} mass_option_kind;

/* What a value may be, for completion. */
typedef enum mass_expected {
    MASS_EXPECTED_ANYTHING,
    MASS_EXPECTED_WORDS,     /* `words` */
    MASS_EXPECTED_FILE,      /* that ends like one of `words` */
    MASS_EXPECTED_FOLDER,
    MASS_EXPECTED_PLUGIN,
    MASS_EXPECTED_PARAMETER  /* of the plugin, as NAME=VALUE */
} mass_expected;

typedef struct mass_option {
    const char *heading; /* of a group that begins with it; NULL: it belongs to the one before */
    const char *name;    /* "steps", of --steps; of one letter alone, "o" of -o; NULL: the last, which is none */
    char letter;         /* that may stand for it: 'h', of -h; 0: none */
    const char *value;   /* what its value is called in texts, "[=AT]" of one that is bare; NULL: it takes none */
    const char *help;    /* a phrase for --help; the manual page goes on with */
    const char *more;    /* sentences; or NULL */
    bool bare;           /* the value may be left out, is then "", and stands only behind '=' */
    bool repeated, hidden;
    mass_option_kind kind;
    size_t at;           /* its place in the struct that is read into; */
    size_t given;        /* and of a bool that says that it was given; 0: there is none */
    int64_t least, most;
    mass_status (*take)(void *into, const struct mass_option *, const char *value, mass_error *error);
    mass_expected expected;
    const char *words;   /* separated by blanks */
} mass_option;

typedef struct mass_command {
    const char *name;    /* "mass-engine plot" */
    const char *summary; /* a phrase, for the head of the manual page */
    const char *about;   /* a paragraph */
    const char *const (*ways)[2]; /* how it is called, and what that does; the last is {NULL} */
    const mass_option *options;
    const char *const (*paragraphs)[2]; /* heading and text, after the options; the last is {NULL} */
    const char *asks;    /* "--help lists them" */
    mass_expected expected; /* what its words are, */
    const char *words;      /* as those of an option */
    mass_status (*word)(void *into, const char *word, mass_error *error); /* what comes of one that is no option */
} mass_command;

/* Reads the arguments after the command's name into a struct that has its defaults. Options may be abbreviated, as long
 * as that is one's alone, and come in any order; their values are the next word, or what stands behind '='. The first
 * mistake is MASS_BAD_USAGE and said. Pure. */
mass_status mass_command_read(const mass_command *c, int count, char *const arguments[], void *into,
                              mass_error *error);

/* The option that a word such as "--steps", "--st" or "-h" names, of which `length` bytes count; NULL: none, or several
 * do. Hidden ones only in full. */
const mass_option *mass_option_find(const mass_command *c, const char *word, size_t length);

/* "--steps", "-o". Returns buffer. */
const char *mass_option_spelling(const mass_option *option, char buffer[64]);

/* Goes through the visible options: NULL begins, and ends. */
const mass_option *mass_option_next(const mass_command *c, const mass_option *before);

#endif
