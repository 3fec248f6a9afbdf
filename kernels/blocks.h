/* SPDX-License-Identifier: Apache-2.0 */
/* Hashes of an attribute's blocks: XXH64 (Y. Collet's xxHash, seed 0) of every 4 KiB of its canonical bytes. Canonical
 * order is [worlds][nz][ny][nx][length] for places, [agents][length] for agents. The bytes are never assembled: a walk
 * visits the arrays that hold a block, and skips ghosts, component planes and partition boundaries. One thread hashes a
 * block, with the same code on a CPU and on a GPU. The same walk counts values outside a range. */
#ifndef MASS_KERNELS_BLOCKS_H
#define MASS_KERNELS_BLOCKS_H

#include <mass/arithmetic.h>
#include <mass/types.h>

enum { MASS_BLOCK_BYTES = 4096 };

/* The elements that one partition holds: in every world, those from `first` on in row-major order. */
typedef struct mass_blocks_part {
    int64_t first;
    int64_t extent[3];                   /* x first */
    int64_t pitch, plane, world_stride;  /* of the partition's arrays, in elements */
    uint32_t last_bits; /* not 0: elements are bytes, and the last one of each row is hashed as if only its lowest
                           `last_bits` bits could be set */
} mass_blocks_part;

enum { MASS_BLOCKS_PLAIN, MASS_BLOCKS_WORLDS, MASS_BLOCKS_PLACES };

/* Pointers are addresses on the device. Each is aligned to the size of its elements, up to 8 bytes. */
typedef struct mass_blocks {
    const mass_blocks_part *parts; /* [part_count] by rising `first`; together they cover all elements */
    const void *const *arrays;     /* [part_count][array_count] address of place (0, 0, 0) in world 0 */
    int32_t part_count, array_count; /* array_count > 1: one array for each component */
    uint32_t size;                 /* bytes of an array's element, as hashed */
    uint32_t derived;              /* MASS_BLOCKS_PLAIN: hash the arrays as they are. Otherwise the only array holds
                                      cells (uint32_t): hash their worlds, cell / cells (4 bytes), or their places, cell
                                      % cells (8 bytes) */
    int64_t elements, worlds;
    int64_t cells;                 /* cells of a world, if `derived` is not PLAIN */
    int64_t first_world;           /* global number of the first world here */
    int64_t first_place;           /* global number of the first place of a world here */
    int64_t skip;                  /* bytes before the first block */
    uint32_t values;               /* not 0: count values outside [low, high]; the type of the values */
    uint64_t low, high;            /* bits of an int64_t; of a double for floats; a uint64_t for MASS_U64 */
} mass_blocks;

#define MASS_BLOCKS_1_ 0x9E3779B185EBCA87ull
#define MASS_BLOCKS_2_ 0xC2B2AE3D27D4EB4Full
#define MASS_BLOCKS_3_ 0x165667B19E3779F9ull
#define MASS_BLOCKS_4_ 0x85EBCA77C2B2AE63ull
#define MASS_BLOCKS_5_ 0x27D4EB2F165667C5ull

/* A GPU loads an aligned number at once. */
#ifdef __CUDA_ARCH__
#define MASS_BLOCKS_LOAD_(T, at) (*(const T *)(at))
#define MASS_BLOCKS_ALIGNED_(at) (((uintptr_t)(at) & 7) == 0)
#else
#define MASS_BLOCKS_LOAD_(T, at) mass_blocks_load_##T##_(at)
#define MASS_BLOCKS_ALIGNED_(at) 1
MASS_FN uint64_t mass_blocks_load_uint64_t_(const uint8_t *at) { uint64_t v; memcpy(&v, at, sizeof v); return v; }
MASS_FN uint32_t mass_blocks_load_uint32_t_(const uint8_t *at) { uint32_t v; memcpy(&v, at, sizeof v); return v; }
MASS_FN uint16_t mass_blocks_load_uint16_t_(const uint8_t *at) { uint16_t v; memcpy(&v, at, sizeof v); return v; }
#endif

/* A position in the canonical bytes: the address of the next byte, and the number of contiguous bytes from there. */
typedef struct mass_blocks_walk {
    const mass_blocks *blocks;
    const uint8_t *at;
    int64_t run;
    int64_t x, y, z, world; /* of the element, in its partition */
    uint8_t mask;           /* applied to the bytes of this run */
    int32_t part, array;
    uint32_t unit; /* bytes that are always contiguous: the largest power of two, up to 8, that divides the element
                      size */
} mass_blocks_walk;

/* Returns the number of contiguous elements from the walk's place on that have the same mask. */
MASS_FN int64_t mass_blocks_together_(const mass_blocks_walk *w)
{
    const mass_blocks *b = w->blocks;
    const mass_blocks_part *p = &b->parts[w->part];
    const int64_t left = p->extent[0] - w->x;
    return b->array_count > 1 || b->derived ? 1 : p->last_bits && left > 1 ? left - 1 : left;
}

/* Finds the run that begins at byte `byte` of the walk's element and component. Sets at, run and mask. */
MASS_FN void mass_blocks_find_(mass_blocks_walk *w, int64_t byte)
{
    const mass_blocks *b = w->blocks;
    const mass_blocks_part *p = &b->parts[w->part];
    const int64_t element = w->world * p->world_stride + w->z * p->plane + w->y * p->pitch + w->x;
    w->at = (const uint8_t *)b->arrays[w->part * b->array_count + w->array] +
            element * (b->derived ? (int64_t)sizeof(uint32_t) : (int64_t)b->size) + byte;
    w->run = mass_blocks_together_(w) * (int64_t)b->size - byte;
    w->mask = p->last_bits && w->x + 1 == p->extent[0] ? (uint8_t)((1u << p->last_bits) - 1) : UINT8_MAX;
}

/* Moves the walk to the run of bytes after the one that has ended: the next array, then along x, y and z, then part and
 * world. */
MASS_FN void mass_blocks_next_(mass_blocks_walk *w)
{
    const mass_blocks *b = w->blocks;
    const mass_blocks_part *p = &b->parts[w->part];
    if (++w->array == b->array_count) {
        w->array = 0;
        w->x += mass_blocks_together_(w);
        if (w->x == p->extent[0]) {
            w->x = 0;
            if (++w->y == p->extent[1]) {
                w->y = 0;
                if (++w->z == p->extent[2]) {
                    w->z = 0;
                    if (++w->part == b->part_count) {
                        w->part = 0;
                        w->world++;
                    }
                }
            }
        }
    }
    mass_blocks_find_(w, 0);
}

/* Begins a walk over the canonical bytes at byte `byte`: finds its world, part, place and array. */
MASS_FN void mass_blocks_begin_(mass_blocks_walk *w, const mass_blocks *b, int64_t byte)
{
    const int64_t size = (int64_t)b->size * b->array_count, element = byte / size, within = byte % size;
    int32_t low = 0, high = b->part_count - 1;
    int64_t at = element % b->elements;
    w->blocks = b;
    w->unit = b->size % 8 == 0 ? 8 : b->size % 4 == 0 ? 4 : b->size % 2 == 0 ? 2 : 1;
    w->world = element / b->elements;
    while (low < high) { /* finds the last part that begins at or before `at` */
        const int32_t middle = (low + high + 1) / 2;
        if (b->parts[middle].first <= at) low = middle;
        else high = middle - 1;
    }
    const mass_blocks_part *p = &b->parts[low];
    at -= p->first;
    w->part = low;
    w->x = at % p->extent[0];
    w->y = at / p->extent[0] % p->extent[1];
    w->z = at / p->extent[0] / p->extent[1];
    w->array = (int32_t)(within / b->size);
    mass_blocks_find_(w, within % b->size);
}

/* Returns the unit at w->at. In a derived array, that is the number of the world or the place of a cell. */
MASS_FN uint64_t mass_blocks_unit_(const mass_blocks_walk *w)
{
    const mass_blocks *b = w->blocks;
    if (b->derived) {
        const int64_t cell = MASS_BLOCKS_LOAD_(uint32_t, w->at);
        return (uint64_t)(b->derived == MASS_BLOCKS_WORLDS ? b->first_world + cell / b->cells
                                                              : b->first_place + cell % b->cells);
    }
    return w->unit == 8 ? MASS_BLOCKS_LOAD_(uint64_t, w->at)
         : w->unit == 4 ? MASS_BLOCKS_LOAD_(uint32_t, w->at)
         : w->unit == 2 ? MASS_BLOCKS_LOAD_(uint16_t, w->at) : *w->at & w->mask;
}

/* Returns the next `bytes` bytes, at most 8, and moves the walk behind them. The first is the lowest. */
MASS_FN uint64_t mass_blocks_take_(mass_blocks_walk *w, uint32_t bytes)
{
    uint64_t word = 0;
    if (bytes == 8 && w->run >= 8 && !w->blocks->derived && MASS_BLOCKS_ALIGNED_(w->at)) {
        word = MASS_BLOCKS_LOAD_(uint64_t, w->at);
        w->at += 8;
        w->run -= 8;
        return word;
    }
    for (uint32_t have = 0; have < bytes; have += w->unit) {
        if (w->run == 0) mass_blocks_next_(w);
        word |= mass_blocks_unit_(w) << 8 * have;
        w->at += w->unit;
        w->run -= w->unit;
    }
    return word;
}

/* Rotates a word to the left by 1 to 63 bits. */
MASS_FN uint64_t mass_blocks_rotate_(uint64_t v, int bits) { return v << bits | v >> (64 - bits); }

/* Mixes a word into a lane of the hash; returns the new lane. */
MASS_FN uint64_t mass_blocks_round_(uint64_t lane, uint64_t word)
{
    return mass_blocks_rotate_(lane + word * MASS_BLOCKS_2_, 31) * MASS_BLOCKS_1_;
}

/* Hashes as many stripes of 32 bytes as are contiguous into lane[]: at least one, `left` bytes at most. Returns the
 * bytes left. */
MASS_FN int64_t mass_blocks_stripes_(mass_blocks_walk *w, uint64_t lane[4], int64_t left)
{
    if (w->run == 0) mass_blocks_next_(w);
    const int64_t stripes = (w->run < left ? w->run : left) / 32;
    if (stripes == 0 || w->blocks->derived || !MASS_BLOCKS_ALIGNED_(w->at)) {
        for (int i = 0; i < 4; i++) lane[i] = mass_blocks_round_(lane[i], mass_blocks_take_(w, 8));
        return left - 32;
    }
    const uint8_t *at = w->at;
    for (int64_t k = 0; k < stripes; k++, at += 32)
        for (int i = 0; i < 4; i++) lane[i] = mass_blocks_round_(lane[i], MASS_BLOCKS_LOAD_(uint64_t, at + 8 * i));
    w->at = at;
    w->run -= 32 * stripes;
    return left - 32 * stripes;
}

/* Merges the four lanes into one hash. Used if there was at least one stripe. */
MASS_FN uint64_t mass_blocks_merge_(const uint64_t lane[4])
{
    uint64_t h = mass_blocks_rotate_(lane[0], 1) + mass_blocks_rotate_(lane[1], 7) +
                 mass_blocks_rotate_(lane[2], 12) + mass_blocks_rotate_(lane[3], 18);
    for (int i = 0; i < 4; i++) h = (h ^ mass_blocks_round_(0, lane[i])) * MASS_BLOCKS_1_ + MASS_BLOCKS_4_;
    return h;
}

/* Hashes the bytes after the last stripe, and mixes the result. left: their number, below 32. */
MASS_FN uint64_t mass_blocks_finish_(mass_blocks_walk *w, uint64_t h, int64_t left)
{
    for (; left >= 8; left -= 8)
        h = mass_blocks_rotate_(h ^ mass_blocks_round_(0, mass_blocks_take_(w, 8)), 27) * MASS_BLOCKS_1_ +
            MASS_BLOCKS_4_;
    uint64_t rest = mass_blocks_take_(w, (uint32_t)left);
    if (left >= 4) {
        h = mass_blocks_rotate_(h ^ (rest & 0xffffffff) * MASS_BLOCKS_1_, 23) * MASS_BLOCKS_2_ + MASS_BLOCKS_3_;
        rest >>= 32;
        left -= 4;
    }
    for (; left > 0; left--, rest >>= 8)
        h = mass_blocks_rotate_(h ^ (rest & 0xff) * MASS_BLOCKS_5_, 11) * MASS_BLOCKS_1_;
    h = (h ^ h >> 33) * MASS_BLOCKS_2_;
    h = (h ^ h >> 29) * MASS_BLOCKS_3_;
    return h ^ h >> 32;
}

/* Returns the canonical bytes of all worlds, elements and arrays. */
MASS_FN int64_t mass_blocks_bytes(const mass_blocks *b)
{
    return b->worlds * b->elements * b->array_count * (int64_t)b->size;
}

/* Returns the hash of block `index`, which must exist. The last block may be shorter. */
MASS_FN uint64_t mass_block_hash(const mass_blocks *b, int64_t index)
{
    const int64_t first = b->skip + index * MASS_BLOCK_BYTES, rest = mass_blocks_bytes(b) - first;
    const int64_t bytes = rest < MASS_BLOCK_BYTES ? rest : MASS_BLOCK_BYTES;
    uint64_t lane[4] = {MASS_BLOCKS_1_ + MASS_BLOCKS_2_, MASS_BLOCKS_2_, 0, 0 - MASS_BLOCKS_1_};
    int64_t left = bytes;
    mass_blocks_walk w;
    mass_blocks_begin_(&w, b, first);
    while (left >= 32) left = mass_blocks_stripes_(&w, lane, left);
    const uint64_t h = bytes < 32 ? MASS_BLOCKS_5_ : mass_blocks_merge_(lane);
    return mass_blocks_finish_(&w, h + (uint64_t)bytes, left);
}

/* ---- values outside of a range ---- */

/* Adds to `count` how many of the T in `bytes` bytes at `at` are outside LOW to HIGH. NaN is outside. */
#define MASS_BLOCKS_OUTSIDE_(T, LOW, HIGH)                   \
    for (int64_t i = 0; i < bytes / (int64_t)sizeof(T); i++) \
        count += !((((const T *)at)[i] >= (LOW)) & (((const T *)at)[i] <= (HIGH)));

/* Counts the contiguous values that are outside [low, high]. NaN is outside. */
MASS_FN uint64_t mass_blocks_outside_of_(const mass_blocks *b, const void *at, int64_t bytes)
{
    const int64_t low = (int64_t)b->low, high = (int64_t)b->high;
    const double least = mass_f64_bits(b->low), most = mass_f64_bits(b->high);
    uint64_t count = 0;
    switch (b->values) {
    case MASS_I8: MASS_BLOCKS_OUTSIDE_(int8_t, (int8_t)low, (int8_t)high) break;
    case MASS_U8: MASS_BLOCKS_OUTSIDE_(uint8_t, (uint8_t)low, (uint8_t)high) break;
    case MASS_I16: MASS_BLOCKS_OUTSIDE_(int16_t, (int16_t)low, (int16_t)high) break;
    case MASS_U16: MASS_BLOCKS_OUTSIDE_(uint16_t, (uint16_t)low, (uint16_t)high) break;
    case MASS_I32: MASS_BLOCKS_OUTSIDE_(int32_t, (int32_t)low, (int32_t)high) break;
    case MASS_U32: MASS_BLOCKS_OUTSIDE_(uint32_t, (uint32_t)low, (uint32_t)high) break;
    case MASS_I64: MASS_BLOCKS_OUTSIDE_(int64_t, low, high) break;
    case MASS_U64: MASS_BLOCKS_OUTSIDE_(uint64_t, b->low, b->high) break;
    case MASS_F32: MASS_BLOCKS_OUTSIDE_(float, least, most) break;
    default: MASS_BLOCKS_OUTSIDE_(double, least, most) break;
    }
    return count;
}

/* Counts the values of block `index` that are outside [low, high]. The block must exist. The arrays must not be
 * derived, nor hold bits. */
MASS_FN uint64_t mass_block_outside(const mass_blocks *b, int64_t index)
{
    const int64_t first = b->skip + index * MASS_BLOCK_BYTES, rest = mass_blocks_bytes(b) - first;
    int64_t left = rest < MASS_BLOCK_BYTES ? rest : MASS_BLOCK_BYTES;
    uint64_t count = 0;
    mass_blocks_walk w;
    mass_blocks_begin_(&w, b, first);
    while (left > 0) {
        if (w.run == 0) mass_blocks_next_(&w);
        const int64_t bytes = w.run < left ? w.run : left;
        count += mass_blocks_outside_of_(b, w.at, bytes);
        w.at += bytes;
        w.run -= bytes;
        left -= bytes;
    }
    return count;
}

/* Returns the hash of a block, or the number of its values outside the range if `values` is set. */
MASS_FN uint64_t mass_block_answer(const mass_blocks *b, int64_t index)
{
    return b->values ? mass_block_outside(b, index) : mass_block_hash(b, index);
}

#endif
