/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of numbers from files: .npy, .csv, .png, and data sets of .h5 and .hdf5 ("FILE.h5:/path"). */
#ifndef MASS_ENGINE_IO_INPUT_NUMBERS_H
#define MASS_ENGINE_IO_INPUT_NUMBERS_H

#include "io/hdf5/open.h"
#include "model/model.h"
#include "text/number.h"

enum { MASS_NUMBERS_AXES = 6, MASS_NUMBERS_PATH = 4096 };

typedef struct mass_numbers {
    uint32_t type, rank;                 /* of numbers */
    uint64_t extent[MASS_NUMBERS_AXES];  /* outermost first */
    uint64_t count;                      /* their product */
    const void *values;                  /* [count], row-major */
    bool decimal;                        /* written as decimals, so that floats are the nearest of any type */
    bool picture;                        /* of pixels, which `memory` holds */
    bool colours;                        /* ... as 0xRRGGBB, of u32 */
    uint32_t white;                      /* ... or grey: the value of white */
    bool transparent;                    /* ... some of which are not opaque */
    int32_t grow;                        /* ... and so many for a place, along each side; 0: fewer; -1: unknown */
    void *memory;                        /* owned, which values lie in */
    char hash[33];                       /* XXH3-128 of the file's bytes, as xxh128sum prints it */
} mass_numbers;

/* Reads what `source` names, for an attribute. Text may have names of its values (value_names.h). What is wrong with a
 * file is MASS_BAD_INPUT, and said with its place. The caller ends with mass_numbers_free; on failure *out is
 * untouched. */
mass_status mass_numbers_read(const char *source, const mass_attribute_def *attribute, mass_numbers *out,
                              mass_error *error);
void mass_numbers_free(mass_numbers *n); /* all zero is fine */

/* ---- one for each format: path is what messages call it ---- */

/* Text: a row a line, at most 4,096 columns. Pure. */
mass_status mass_numbers_parse_csv(const char *path, const uint8_t *bytes, size_t size,
                                   const mass_attribute_def *attribute, mass_numbers *out, mass_error *error);

/* An image of 1 to 16 bits of grey, or in colours, [rows][columns]; of n bits of grey, 0 is black and 2^n - 1 white.
 * A transparent pixel has the value of its colour. Pure. */
mass_status mass_numbers_parse_png(const char *path, const uint8_t *bytes, size_t size, mass_numbers *out,
                                   mass_error *error);

/* The file of a data set, whose path becomes the source's; and the data set in it, which a confined subprocess,
 * started with "--probe-numbers" SOURCE, reads first, as a hostile file may crash HDF5; and what that subprocess runs,
 * which reports and returns its exit status. */
mass_status mass_numbers_find_hdf5(const char *source, char path[MASS_NUMBERS_PATH], mass_hdf5_source *out,
                                   mass_error *error);
mass_status mass_numbers_read_hdf5(const mass_hdf5_source *file, const char *source, mass_numbers *out,
                                   mass_error *error);
int mass_numbers_answer_probe(const char *source);

/* The file in "FILE.h5:/path", whose length is returned; 0 if the source names none. */
size_t mass_numbers_hdf5_file(const char *source);

#endif
