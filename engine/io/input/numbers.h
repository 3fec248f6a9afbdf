/* SPDX-License-Identifier: Apache-2.0 */
/* Reads arrays of numbers from files: .npy, .csv, .png, and data sets of .h5 and .hdf5 ("FILE.h5:/path"). */
#ifndef MASS_ENGINE_IO_INPUT_NUMBERS_H
#define MASS_ENGINE_IO_INPUT_NUMBERS_H

#include "io/hdf5/open.h"
#include "model/model.h"
#include "text/number.h"

enum { MASS_NUMBERS_AXES = 6, MASS_NUMBERS_PATH = 4096 };

typedef struct mass_numbers {
    uint32_t type, rank;                 /* type of the numbers; number of axes */
    uint64_t extent[MASS_NUMBERS_AXES];  /* outermost first */
    uint64_t count;                      /* product of the extents */
    const void *values;                  /* [count], row-major */
    bool decimal;                        /* written as decimals, so that rounding to a type of floats is no loss */
    bool truth;                          /* truth values, or those of another enumeration, as integers */
    bool picture;                        /* these are pixels, stored in `memory`; the next four are about them */
    bool colours;                        /* u32 colours 0xRRGGBB; else grey */
    uint32_t white;                      /* grey value of white */
    bool transparent;                    /* some pixels are not opaque */
    int32_t grow;                        /* pixels of a place, along each side; 0: fewer than one; -1: unknown */
    void *memory;                        /* owned; contains `values` */
    char hash[33];                       /* XXH3-128 of the file's bytes, as from xxh128sum */
} mass_numbers;

/* Reads the numbers that `source` names, for an attribute, which may be NULL if the file is no .csv. Text may use names
 * of the attribute's values (value_names.h). A fault of the file is MASS_BAD_INPUT, with its position. The caller ends
 * with mass_numbers_free; on failure *out is untouched. */
mass_status mass_numbers_read(const char *source, const mass_attribute_def *attribute, mass_numbers *out,
                              mass_error *error);
void mass_numbers_free(mass_numbers *n); /* all zero is allowed */

/* ---- one function for each format; path: the file's name in messages; none sets the hash ---- */

/* Reads text: a row a line, with at most 4,096 columns. The numbers become i64, u64 or f64, as the attribute's type is.
 * Pure. */
mass_status mass_numbers_parse_csv(const char *path, const uint8_t *bytes, size_t size,
                                   const mass_attribute_def *attribute, mass_numbers *out, mass_error *error);

/* Reads an image of 1 to 16 bits of grey, or in colours: [rows][columns]. For n bits of grey, 0 is black and 2^n - 1 is
 * white. A transparent pixel has the value of its colour. Pure. */
mass_status mass_numbers_parse_png(const char *path, const uint8_t *bytes, size_t size, mass_numbers *out,
                                   mass_error *error);

/* Open the file of a source "FILE.h5:/path", whose path is written to `path`, which *out borrows; read its data set;
 * and run in the subprocess. A hostile file may crash HDF5, so a confined subprocess, started with "--probe-numbers"
 * SOURCE, reads it first. mass_numbers_answer_probe runs there, reports, and returns the exit status. */
mass_status mass_numbers_find_hdf5(const char *source, char path[MASS_NUMBERS_PATH], mass_hdf5_source *out,
                                   mass_error *error);
mass_status mass_numbers_read_hdf5(const mass_hdf5_source *file, const char *source, mass_numbers *out,
                                   mass_error *error);
int mass_numbers_answer_probe(const char *source);

/* Returns the length of the file's name in "FILE.h5:/path"; 0 if the source names no data set. */
size_t mass_numbers_hdf5_file(const char *source);

#endif
