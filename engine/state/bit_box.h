/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of bits as others see them: hosts as bytes of 0 or 1; files and hashes as bytes of eight places, a row of
 * nx places being (nx + 7) / 8 bytes whose spare bits are 0. What is stored is that of a U8 attribute with so many
 * bytes along x. Main thread. */
#ifndef MASS_ENGINE_BIT_BOX_H
#define MASS_ENGINE_BIT_BOX_H

#include "bits.h"
#include "model/model.h"
#include "device/buffer.h"

/* Part of a box that lies in one array of one partition. */
typedef struct mass_bits_box {
    mass_buffer there;  /* from the first row's place 0 on */
    int64_t x;          /* the first place of each row */
    int64_t extent[3];  /* in places */
    int64_t pitch, plane; /* of the array, in places */
    char *data;         /* the host's, a byte each */
    int64_t step, row, sheet; /* from place to place there, and so on, in bytes */
    bool write;
} mass_bits_box;

/* Moves it, as bytes of 0 or 1; any byte but 0 is written as 1. */
mass_status mass_bits_move(const mass_bits_box *b, mass_error *error);

#endif
