/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .png: refused in one line, or numbers that a PNG written from them has again. What is changed
 * gets the checksums of its chunks, without which little of a PNG would be read. */
#include "harness.h"
#include "io/input/numbers.h"

#include <png.h>
#include <string.h>
#include <zlib.h>

static uint32_t get_u32(const uint8_t *at) { return (uint32_t)at[0] << 24 | at[1] << 16 | at[2] << 8 | at[3]; }

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned int seed)
{
    (void)seed;
    size = LLVMFuzzerMutate(bytes, size, most);
    for (size_t at = 8; at + 12 <= size && get_u32(bytes + at) <= size - at - 12;) {
        const size_t length = get_u32(bytes + at);
        const uint32_t sum = (uint32_t)crc32(0, bytes + at + 4, (uInt)(length + 4));
        for (int i = 0; i < 4; i++) bytes[at + 8 + length + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
        at += length + 12;
    }
    return size;
}

/* ---- a PNG of numbers ---- */

typedef struct memory {
    uint8_t *bytes;
    size_t size, room;
} memory;

static void take(png_structp png, png_bytep bytes, size_t size)
{
    memory *m = png_get_io_ptr(png);
    if (m->size + size > m->room) {
        m->room = 2 * (m->size + size);
        m->bytes = realloc(m->bytes, m->room);
        ALWAYS(m->bytes);
    }
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

static memory write_png(const mass_numbers *n)
{
    memory m = {0};
    const int depth = n->type == MASS_U16 ? 16 : 8, kind = n->colours ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY;
    const uint32_t width = (uint32_t)n->extent[1], height = (uint32_t)n->extent[0];
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    ALWAYS(png && info && setjmp(png_jmpbuf(png)) == 0);
    png_set_write_fn(png, &m, take, NULL);
    png_set_compression_level(png, 0);
    png_set_IHDR(png, info, width, height, depth, kind, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    if (depth == 16) png_set_swap(png);
    if (n->colours) png_set_bgr(png), png_set_filler(png, 0, PNG_FILLER_AFTER); /* 0xRRGGBB, its least byte first */
    for (uint32_t y = 0; y < height; y++)
        png_write_row(png, (png_const_bytep)n->values + (size_t)y * width * mass_type_size(n->type));
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return m;
}

static void check_numbers(const mass_numbers *n)
{
    mass_numbers again = {0};
    mass_error error = {0};
    ALWAYS(n->colours ? n->type == MASS_U32 : n->type == MASS_U8 || n->type == MASS_U16);
    ALWAYS(n->rank == 2 && !n->decimal && n->picture && n->grow >= -1);
    ALWAYS(n->extent[0] > 0 && n->extent[1] > 0 && n->count == n->extent[0] * n->extent[1]);
    if (n->count > 1 << 16) return;
    memory m = write_png(n);
    ALWAYS(mass_numbers_parse_png("again", m.bytes, m.size, &again, &error) == MASS_OK);
    ALWAYS(again.type == n->type && memcmp(again.extent, n->extent, sizeof n->extent) == 0);
    ALWAYS(memcmp(again.values, n->values, n->count * mass_type_size(n->type)) == 0);
    mass_numbers_free(&again);
    free(m.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    mass_numbers n = {.rank = 77};
    mass_error error = {0};
    const mass_status status = mass_numbers_parse_png("f", bytes, size, &n, &error);
    ALWAYS(status == error.status);
    if (status == MASS_OK) {
        check_numbers(&n);
        mass_numbers_free(&n);
    } else {
        ALWAYS(status == MASS_BAD_INPUT && n.rank == 77 && error.text[0] == 'f' && error.text[1] && !n.memory);
        ALWAYS_ONE_LINE(error.text);
    }
    return 0;
}
