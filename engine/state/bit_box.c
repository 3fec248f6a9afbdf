/* SPDX-License-Identifier: Apache-2.0 */
#include "state/bit_box.h"

#include <stdlib.h>

/* Moves a row between its stored form, whose first place is bit `bit`, and the host's bytes. */
static void move_row(uint8_t *stored, int64_t bit, char *data, const mass_bits_box *b)
{
    for (int64_t x = 0; x < b->extent[0]; x++, data += b->step) {
        uint8_t *at = stored + (bit + x) / 8;
        const int shift = (int)((bit + x) % 8);
        if (b->write) *at = (uint8_t)((*at & ~(1u << shift)) | (uint32_t)(*data != 0) << shift);
        else *data = (char)(*at >> shift & 1);
    }
}

/* Copies all rows of a box between the stage and the caller's data, in the direction of b->write. */
static void move_rows(uint8_t *stage, size_t bytes, const mass_bits_box *b)
{
    for (int64_t z = 0; z < b->extent[2]; z++)
        for (int64_t y = 0; y < b->extent[1]; y++) {
            uint8_t *stored = stage + (size_t)(z * b->extent[1] + y) * bytes;
            char *data = b->data + z * b->sheet + y * b->row;
            if (!b->write && b->step == 1 && b->x % 8 == 0) mass_bits_unpack((uint8_t *)data, stored, b->extent[0]);
            else move_row(stored, b->x % 8, data, b);
        }
}

/* Moves a box through a stage. Reads first also for a write, since some bytes change only in part. */
mass_status mass_bits_move(const mass_bits_box *b, mass_error *error)
{
    const int64_t first = b->x / 8, end = (b->x + b->extent[0] + 7) / 8;
    const size_t bytes = (size_t)(end - first), room = bytes * (size_t)(b->extent[1] * b->extent[2]);
    const mass_buffer there = mass_buffer_from(b->there, (size_t)first);
    const int64_t staged[3] = {(int64_t)bytes, (int64_t)bytes * b->extent[1], 0};
    const int64_t lies[3] = {b->pitch / 8, b->plane / 8, 0};
    uint8_t *stage = malloc(room);
    if (!stage) return mass_error_memory(error, room, "a copy of an attribute");
    mass_strided in = {.to = stage, .bytes = bytes, .count = {b->extent[1], b->extent[2], 1}}, out = in;
    out.to = NULL;
    out.from = stage;
    for (int k = 0; k < 3; k++) {
        in.to_stride[k] = out.from_stride[k] = staged[k];
        in.from_stride[k] = out.to_stride[k] = lies[k];
    }
    mass_status status = mass_buffer_download_box(there, &in, error);
    if (status == MASS_OK) move_rows(stage, bytes, b);
    if (status == MASS_OK && b->write) status = mass_buffer_upload_box(there, &out, error);
    free(stage);
    return status;
}
