/* SPDX-License-Identifier: Apache-2.0 */
/* The format is described in numpy.lib.format: "\x93NUMPY", a version, the length of the header, and the header. The
 * header is a Python dictionary literal with the keys descr, fortran_order and shape. */
#include "io/input/npy.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct cursor {
    const char *at, *end;
} cursor;

typedef struct header {
    char descr[16];
    bool has_descr, has_order, has_shape;
} header;

/* Sets the error for a .npy file that cannot be read. */
static mass_status refuse(const char *path, mass_error *error, const char *what)
{
    return mass_error_set(error, MASS_BAD_INPUT, "%s is not a .npy file that can be read: %s", path, what);
}

/* ---- the literal ---- */

/* Moves past blanks and line ends. */
static void skip_blanks(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t' || *c->at == '\r')) c->at++;
}

/* Skips blanks and takes one byte; false if another follows. */
static bool take(cursor *c, char byte)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != byte) return false;
    c->at++;
    return true;
}

/* Reads a text in single or double quotes. Returns false if there is none, if it has escapes, or if it does not fit. */
static bool take_text(cursor *c, char *out, size_t room)
{
    const char quote = take(c, '\'') ? '\'' : take(c, '"') ? '"' : '\0';
    const char *start = c->at, *stop = quote ? memchr(start, quote, (size_t)(c->end - start)) : NULL;
    if (!stop || (size_t)(stop - start) >= room || memchr(start, '\\', (size_t)(stop - start))) return false;
    memcpy(out, start, (size_t)(stop - start));
    out[stop - start] = '\0';
    c->at = stop + 1;
    return true;
}

/* Skips blanks and takes a word; false if another text follows. */
static bool take_word(cursor *c, const char *word)
{
    const size_t length = strlen(word);
    skip_blanks(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) return false;
    c->at += length;
    return true;
}

/* Takes a whole number, after blanks, with an L behind it if there is one. Returns false if there is none or it
 * exceeds 64 bits. */
static bool take_extent(cursor *c, uint64_t *out)
{
    skip_blanks(c);
    const char *start = c->at;
    *out = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
        if (__builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, (uint64_t)(*c->at - '0'), out))
            return false;
    if (c->at == start) return false;
    take(c, 'L'); /* Python 2 wrote it */
    return true;
}

/* Reads "(3, 4)", "(3,)" or "()" into the rank and extents. Returns false for other text, or too many axes. */
static bool take_shape(cursor *c, mass_npy *out)
{
    if (!take(c, '(')) return false;
    for (out->rank = 0; !take(c, ')'); out->rank++) {
        if (out->rank == MASS_NUMBERS_AXES || !take_extent(c, &out->extent[out->rank])) return false;
        if (!take(c, ',')) {
            out->rank++;
            return take(c, ')');
        }
    }
    return true;
}

/* Reads the value of a key. Returns NULL, or what is wrong: the value, a key that is unknown, or one given twice. */
static const char *take_value(cursor *c, const char *key, header *h, mass_npy *out)
{
    if (strcmp(key, "descr") == 0) {
        if (h->has_descr) return "its header has two descr";
        h->has_descr = true;
        skip_blanks(c);
        if (c->at < c->end && *c->at == '[') return "it holds structs, and not numbers";
        return take_text(c, h->descr, sizeof h->descr) ? NULL : "its descr is not a text";
    }
    if (strcmp(key, "fortran_order") == 0) {
        if (h->has_order) return "its header has two fortran_order";
        h->has_order = true;
        out->fortran = take_word(c, "True");
        return out->fortran || take_word(c, "False") ? NULL : "its fortran_order is neither True nor False";
    }
    if (strcmp(key, "shape") == 0) {
        if (h->has_shape) return "its header has two shape";
        h->has_shape = true;
        return take_shape(c, out) ? NULL : "its shape is not a tuple of at most 6 integers of 64 bits";
    }
    return "its header has a key that is not one of descr, fortran_order and shape";
}

/* Reads the header's dictionary into *h and *out. Returns the fault, or NULL. */
static const char *take_header(cursor *c, header *h, mass_npy *out)
{
    if (!take(c, '{')) return "its header is not a dictionary";
    while (!take(c, '}')) {
        char key[16];
        if (!take_text(c, key, sizeof key) || !take(c, ':')) return "its header has no key where one should be";
        const char *fault = take_value(c, key, h, out);
        if (fault) return fault;
        if (take(c, ',')) continue;
        if (take(c, '}')) break;
        return "its header goes on after a value";
    }
    skip_blanks(c);
    if (c->at < c->end) return "its header goes on after its end";
    return h->has_descr && h->has_order && h->has_shape ? NULL : "its header lacks one of descr, fortran_order and "
                                                                 "shape";
}

/* ---- the file ---- */

/* Finds the type of a little-endian or single-byte number. Half precision becomes MASS_F32 with `half` set, a truth
 * value MASS_U8 with `truth` set. Returns false for any other type. */
static bool find_type(const char *descr, mass_npy *out)
{
    static const struct { const char *descr; uint32_t type; } types[] = {
        {"b1", MASS_U8}, {"i1", MASS_I8}, {"u1", MASS_U8}, {"i2", MASS_I16}, {"u2", MASS_U16}, {"i4", MASS_I32},
        {"u4", MASS_U32}, {"i8", MASS_I64}, {"u8", MASS_U64}, {"f2", MASS_F32}, {"f4", MASS_F32}, {"f8", MASS_F64}};
    const char *rest = descr + (descr[0] == '<' || descr[0] == '|' || descr[0] == '=');
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(rest, types[i].descr) == 0) {
            out->type = types[i].type;
            out->half = strcmp(rest, "f2") == 0;
            out->truth = strcmp(rest, "b1") == 0;
            return true;
        }
    return false;
}

size_t mass_npy_number_size(const mass_npy *npy) { return npy->half ? 2 : mass_type_size(npy->type); }

/* Finds the header, whose length is in 2 bytes in version 1, else in 4. Returns false if the file is too short. */
static bool find_header(const uint8_t *bytes, size_t size, cursor *out)
{
    const size_t prefix = bytes[6] == 1 ? 10 : 12;
    if (size < prefix) return false;
    size_t length = bytes[8] | (size_t)bytes[9] << 8;
    if (bytes[6] != 1) length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
    if (length > size - prefix) return false;
    *out = (cursor){(const char *)bytes + prefix, (const char *)bytes + prefix + length};
    return true;
}

/* Sets npy->count, and refuses a shape that does not match exactly the bytes after the header. */
static mass_status measure(const char *path, size_t size, mass_npy *npy, mass_error *error)
{
    uint64_t bytes;
    bool beyond = false;
    npy->count = 1;
    for (uint32_t i = 0; i < npy->rank; i++) beyond |= __builtin_mul_overflow(npy->count, npy->extent[i], &npy->count);
    beyond |= __builtin_mul_overflow(npy->count, mass_npy_number_size(npy), &bytes);
    if (!beyond && bytes == size - npy->offset) return MASS_OK;
    if (beyond) return refuse(path, error, "its shape is beyond counting");
    return mass_error_set(error, MASS_BAD_INPUT, "%s is not a .npy file that can be read: its shape asks for %" PRIu64
                          " bytes, and %zu follow its header", path, bytes, size - npy->offset);
}

mass_status mass_npy_parse(const char *path, const uint8_t *bytes, size_t size, mass_npy *out, mass_error *error)
{
    cursor c;
    header h = {0};
    mass_npy npy = {0};
    if (size < 10 || memcmp(bytes, "\x93NUMPY", 6) != 0) return refuse(path, error, "it does not begin as one");
    if (bytes[6] < 1 || bytes[6] > 3) return refuse(path, error, "its version is not one of 1, 2 and 3");
    if (!find_header(bytes, size, &c)) return refuse(path, error, "it ends within its header");
    npy.offset = (size_t)(c.end - (const char *)bytes);
    const char *fault = take_header(&c, &h, &npy);
    if (fault) return refuse(path, error, fault);
    if (h.descr[0] == '>')
        return refuse(path, error, "its numbers are big-endian: save array.astype(array.dtype.newbyteorder('<'))");
    if (!find_type(h.descr, &npy))
        return refuse(path, error, "its descr is not a type of numbers that mass-engine reads");
    const mass_status status = measure(path, size, &npy, error);
    if (status == MASS_OK) *out = npy;
    return status;
}

void mass_npy_transpose(const mass_npy *npy, const uint8_t *from, uint8_t *to)
{
    const size_t size = mass_npy_number_size(npy);
    uint64_t at[MASS_NUMBERS_AXES] = {0}, stride[MASS_NUMBERS_AXES], source = 0;
    for (uint32_t i = 0; i < npy->rank; i++) stride[i] = i ? stride[i - 1] * npy->extent[i - 1] : 1;
    for (uint64_t k = 0; k < npy->count; k++) {
        memcpy(to + k * size, from + source * size, size);
        for (uint32_t i = npy->rank; i-- > 0;) {
            source += stride[i];
            if (++at[i] < npy->extent[i]) break;
            source -= npy->extent[i] * stride[i];
            at[i] = 0;
        }
    }
}

/* Converts a 16-bit float exactly: a sign, 5 bits of exponent and 10 of fraction, subnormal numbers, infinities and
 * NaN. */
static float widen(uint16_t half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const float value = exponent == 31 ? (fraction ? NAN : INFINITY)
                        : exponent     ? ldexpf((float)(fraction + 1024), exponent - 25)
                                       : ldexpf((float)fraction, -24);
    return half >> 15 ? -value : value;
}

void mass_npy_widen(const uint8_t *from, uint64_t count, float *to)
{
    for (uint64_t i = 0; i < count; i++) to[i] = widen((uint16_t)(from[2 * i] | from[2 * i + 1] << 8));
}
