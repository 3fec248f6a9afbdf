/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of bits outside the device. Hosts have bytes of 0 or 1. Files and hashes have bytes of eight places: a row
 * of nx places is (nx + 7) / 8 bytes, whose spare bits are 0. So stored data is like that of a U8 attribute with that
 * many bytes along x. Main thread. */
#ifndef MASS_ENGINE_BIT_BOX_H
#define MASS_ENGINE_BIT_BOX_H

#include "bits.h"
#include "model/model.h"
#include "device/buffer.h"

/* The part of a box that is in one array of one partition. */
typedef struct mass_bits_box {
    mass_buffer there;  /* from place 0 of the first row on */
    int64_t x;          /* the first place of each row */
    int64_t extent[3];  /* in places */
    int64_t pitch, plane; /* of the array, in places */
    char *data;         /* on the host, one byte for each place */
    int64_t step, row, sheet; /* bytes between places, rows and planes of `data` */
    bool write;
} mass_bits_box;

/* Reads or writes the box, as bytes of 0 or 1. Any byte but 0 is written as 1. */
mass_status mass_bits_move(const mass_bits_box *b, mass_error *error);

#endif
