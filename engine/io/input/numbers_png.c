/* SPDX-License-Identifier: Apache-2.0 */
/* Reads grey levels and colours of a PNG. */
#include "io/hdf5/library.h"
#include "io/input/numbers.h"
#include "io/picture/image.h"
#include "text/decimal.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bytes that libpng has not read yet, and its error. */
typedef struct source {
    const uint8_t *next, *end;
    char reason[120];
    size_t missing; /* bytes of a failed allocation; 0: none failed */
} source;

/* Allocates for libpng and zlib, and records the size of a failed request in the source. */
static png_voidp get_memory(png_structp png, png_alloc_size_t size)
{
    source *s = png_get_mem_ptr(png);
    void *memory = malloc(size);
    if (!memory) s->missing = size;
    return memory;
}

/* Frees memory of libpng. */
static void free_memory(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

/* Keeps libpng's message in the source and jumps out of libpng, whose own function would print. */
static void fail(png_structp png, png_const_charp message)
{
    source *s = png_get_error_ptr(png);
    snprintf(s->reason, sizeof s->reason, "%s", message);
    png_longjmp(png, 1);
}

/* Discards a warning of libpng. */
static void warn(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* Passes libpng the next bytes of the file. */
static void give(png_structp png, png_bytep bytes, size_t size)
{
    source *s = png_get_io_ptr(png);
    if ((size_t)(s->end - s->next) < size) png_error(png, "it ends too early");
    memcpy(bytes, s->next, size);
    s->next += size;
}

/* Reads the PNG's header; false after an error. libpng leaves this function and read_rows by longjmp then, so they
 * own nothing. */
static bool read_header(png_structp png, png_infop info)
{
    if (setjmp(png_jmpbuf(png))) return false;
    png_read_info(png, info);
    return true;
}

/* The form of pixels, and the bytes that each takes while they are read. */
typedef struct layout {
    int depth;
    bool colours, alpha; /* alpha: each pixel has a value for its opacity */
    bool one_is_clear;   /* pixels of the grey value `clear` are transparent */
    uint16_t clear;
    size_t bytes;
} layout;

/* Returns how the image stores its pixels, and how many bytes each takes once read. */
static layout find_layout(png_structp png, png_infop info)
{
    const int kind = png_get_color_type(png, info);
    const bool list = png_get_valid(png, info, PNG_INFO_tRNS);
    layout l = {.depth = png_get_bit_depth(png, info), .colours = kind & PNG_COLOR_MASK_COLOR};
    png_color_16p clear = NULL;
    l.alpha = kind & PNG_COLOR_MASK_ALPHA || (l.colours && list);
    if (list && !l.colours && png_get_tRNS(png, info, NULL, NULL, &clear) && clear) {
        l.one_is_clear = true;
        l.clear = clear->gray;
    }
    l.bytes = l.colours ? 4 : (l.depth == 16 ? 2 : 1) * (l.alpha ? 2 : 1);
    return l;
}

/* Decodes all rows to the layout's form. False after an error of libpng, which jumps back here. */
static bool read_rows(png_structp png, const layout *l, uint8_t **rows)
{
    if (setjmp(png_jmpbuf(png))) return false;
    if (l->colours) {
        png_set_palette_to_rgb(png);
        png_set_strip_16(png);
        if (l->alpha) png_set_tRNS_to_alpha(png);
    } else if (l->depth == 16) png_set_swap(png);
    if (!l->colours && l->depth < 8) png_set_packing(png); /* one pixel a byte */
    png_read_image(png, rows);
    png_read_end(png, NULL);
    return true;
}

/* Allocates the pixels and a table of rows. Refuses more pixels than a file of this size can hold. The caller frees
 * n->memory and *rows, also on failure. */
static mass_status allocate(const char *path, size_t size, const layout *l, mass_numbers *n, uint8_t ***rows,
                            mass_error *error)
{
    const size_t width = n->extent[1] * l->bytes;
    n->count = n->extent[0] * n->extent[1];
    if (n->count / MASS_HDF5_PACKED_MOST > size)
        return mass_error_set(error, MASS_BAD_INPUT, "%s: it says that it has more pixels than so small a file can",
                              path);
    n->memory = malloc(n->extent[0] * width);
    n->values = n->memory;
    *rows = malloc(n->extent[0] * sizeof **rows);
    if (!n->memory || !*rows) return mass_error_memory(error, n->extent[0] * width, "an image");
    for (uint64_t y = 0; y < n->extent[0]; y++) (*rows)[y] = (uint8_t *)n->memory + y * width;
    return MASS_OK;
}

/* Joins the bytes of colours to 0xRRGGBB in place, and sets n->transparent. A row has three bytes a pixel, from its
 * start, or four. */
static void join_colours(const layout *l, mass_numbers *n)
{
    const size_t bytes = l->alpha ? 4 : 3;
    for (uint64_t y = 0; y < n->extent[0]; y++) {
        uint32_t *row = (uint32_t *)n->memory + y * n->extent[1];
        for (uint64_t i = 0; i < n->extent[1]; i++) {
            const uint64_t x = l->alpha ? i : n->extent[1] - 1 - i; /* three bytes grow to four: last pixel first */
            const uint8_t *rgb = (const uint8_t *)row + bytes * x;
            n->transparent |= l->alpha && rgb[3] != 255;
            row[x] = (uint32_t)(rgb[0] << 16 | rgb[1] << 8 | rgb[2]);
        }
    }
}

/* Drops the alpha value after each grey value in place, and sets n->transparent if a pixel is not opaque. */
static void join_grey(const layout *l, mass_numbers *n)
{
    uint8_t *narrow = n->memory;
    uint16_t *wide = n->memory;
    for (uint64_t i = 0; l->alpha && i < n->count; i++) {
        n->transparent |= l->depth == 16 ? wide[2 * i + 1] != UINT16_MAX : narrow[2 * i + 1] != UINT8_MAX;
        if (l->depth == 16) wide[i] = wide[2 * i];
        else narrow[i] = narrow[2 * i];
    }
    for (uint64_t i = 0; l->one_is_clear && i < n->count && !n->transparent; i++)
        n->transparent = (l->depth == 16 ? wide[i] : narrow[i]) == l->clear;
}

/* Returns the pixels of a place, if the picture is of this program and says so; else -1. */
static int32_t find_grow(png_structp png, png_infop info)
{
    png_textp texts;
    int count = 0;
    png_get_text(png, info, &texts, &count);
    for (int i = 0; i < count; i++) {
        int64_t pixels;
        if (strcmp(texts[i].key, MASS_PNG_PLACES) == 0 && mass_read_i64(texts[i].text, &pixels) && pixels >= 0 &&
            pixels <= MASS_RASTER_MAXIMUM)
            return (int32_t)pixels;
    }
    return -1;
}

/* Refuses a file. If memory was short, the file is not at fault. */
static mass_status refuse(const char *path, const source *s, mass_error *error)
{
    if (s->missing) return mass_error_memory(error, s->missing, "an image");
    return mass_error_set(error, MASS_BAD_INPUT, "%s is not a PNG that can be read: %s", path, s->reason);
}

/* Reads the image into *n: grey as 8 or 16 bits, colours as 32. The caller frees n->memory, also on failure. */
static mass_status decode(const char *path, size_t size, const source *s, png_structp png, png_infop info,
                          mass_numbers *n, mass_error *error)
{
    uint8_t **rows = NULL;
    if (!read_header(png, info) || s->missing) return refuse(path, s, error); /* libpng skips what it cannot allocate */
    const layout l = find_layout(png, info);
    n->picture = true;
    n->colours = l.colours;
    n->white = l.colours ? 0xffffff : (1u << l.depth) - 1;
    n->grow = find_grow(png, info);
    n->type = l.colours ? MASS_U32 : l.depth == 16 ? MASS_U16 : MASS_U8;
    n->rank = 2;
    n->extent[0] = png_get_image_height(png, info);
    n->extent[1] = png_get_image_width(png, info);
    mass_status status = allocate(path, size, &l, n, &rows, error);
    if (status == MASS_OK && (!read_rows(png, &l, rows) || s->missing)) status = refuse(path, s, error);
    if (status == MASS_OK && l.colours) join_colours(&l, n);
    else if (status == MASS_OK) join_grey(&l, n);
    free(rows);
    return status;
}

mass_status mass_numbers_parse_png(const char *path, const uint8_t *bytes, size_t size, mass_numbers *out,
                                   mass_error *error)
{
    source s = {.next = bytes, .end = bytes + size};
    mass_numbers n = {0};
    png_structp png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &s, fail, warn, &s, get_memory, free_memory);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (info) png_set_read_fn(png, &s, give);
    const mass_status status = info ? decode(path, size, &s, png, info, &n, error) : refuse(path, &s, error);
    png_destroy_read_struct(&png, &info, NULL);
    if (status == MASS_OK) *out = n;
    else free(n.memory);
    return status;
}
