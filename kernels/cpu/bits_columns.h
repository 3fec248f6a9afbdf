/* SPDX-License-Identifier: Apache-2.0 */
/* Steps of bits by counts of neighbours, LANES words at a time. The loop walks down a column of words, and keeps sums
 * that rows share in registers. bits_counts.c includes this file once for each width, and defines:
 * - LANES; NAME(x), which makes names unique; TARGET, the instruction set as an attribute; IN_THREES, which unrolls a
 *   loop
 * - XOR3, MAJ and CHOOSE, on three words: MAJ is set where at least two are; CHOOSE is high where x is set, else low
 * - LIFE, the bits after a step of Life, from the sums of three rows; COUNT, the number of bits set in each word */

#if LANES == 1
typedef uint64_t NAME(words);
#else
typedef uint64_t NAME(words) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
#endif

/* Words of a row, and for each place the number of set bits, 0 to 3, among it and its two neighbours along x. */
typedef struct NAME(row) {
    NAME(words) own, low, high;
} NAME(row);

#define INLINE TARGET static inline __attribute__((always_inline))

/* Loads LANES words, at any address that is a multiple of 8. */
INLINE NAME(words) NAME(load)(const uint64_t *at) { return *(const NAME(words) *)(const void *)at; }

/* Returns the words at `at`, and for each bit how many of it and its left and right neighbours are set, as two
 * digits. */
INLINE NAME(row) NAME(sum)(const uint64_t *at)
{
    const NAME(words) own = NAME(load)(at);
    const NAME(words) left = own << 1 | NAME(load)(at - 1) >> 63, right = own >> 1 | NAME(load)(at + 1) << 63;
    return (NAME(row)){own, XOR3(left, own, right), MAJ(left, own, right)};
}

/* Returns the new bits. The count of set places (neighbours and the place itself) is given in binary, n0 lowest. A
 * place with count k becomes survive[k] if it is set, else birth[k]. */
INLINE NAME(words) NAME(by_count)(const NAME(words) *birth, const NAME(words) *survive, NAME(words) own,
                                  NAME(words) n0, NAME(words) n1, NAME(words) n2, NAME(words) n3)
{
#define OF(k) CHOOSE(own, survive[k], birth[k])
    const NAME(words) c01 = CHOOSE(n0, OF(1), OF(0)), c23 = CHOOSE(n0, OF(3), OF(2));
    const NAME(words) c45 = CHOOSE(n0, OF(5), OF(4)), c67 = CHOOSE(n0, OF(7), OF(6));
    const NAME(words) c89 = CHOOSE(n0, OF(9), OF(8));
#undef OF
    const NAME(words) c0to3 = CHOOSE(n1, c23, c01), c4to7 = CHOOSE(n1, c67, c45);
    return CHOOSE(n3, c89, CHOOSE(n2, c4to7, c0to3));
}

/* Expands the bits of the rule to words of all ones or all zeros. The index of `survive` includes the place itself. */
INLINE void NAME(spread)(const mass_bits_band *b, NAME(words) birth[10], NAME(words) survive[10])
{
    for (int k = 0; k < 10; k++) {
        birth[k] = (NAME(words)){0} - ((uint64_t)b->birth >> k & 1);
        survive[k] = (NAME(words)){0} - ((uint64_t)b->survive << 1 >> k & 1);
    }
}

/* Computes a step of Life in all rows of a band, for the column of words that begins at `word`. */
TARGET static void NAME(life)(const mass_bits_band *b, int64_t word)
{
    const int64_t rows = b->rows, pitch = b->pitch, to_pitch = b->to_pitch;
    const uint64_t *from = b->from + word;
    uint64_t *to = b->to + word;
    NAME(row) above = NAME(sum)(from - pitch), own = NAME(sum)(from);
    IN_THREES for (int64_t y = 0; y < rows; y++, to += to_pitch) {
        from += pitch;
        const NAME(row) below = NAME(sum)(from);
        const NAME(words) n0 = XOR3(above.low, own.low, below.low), twos = MAJ(above.low, own.low, below.low);
        const NAME(words) odd = XOR3(above.high, own.high, below.high), fours = MAJ(above.high, own.high, below.high);
        *(NAME(words) *)(void *)to = LIFE(own.own, n0, twos, odd, fours);
        above = own;
        own = below;
    }
}

/* Computes a step of any rule by the count of the eight neighbours, for the column of words that begins at `word`. */
TARGET static void NAME(moore)(const mass_bits_band *b, int64_t word)
{
    NAME(words) birth[10], survive[10];
    const int64_t rows = b->rows, pitch = b->pitch, to_pitch = b->to_pitch;
    const uint64_t *from = b->from + word;
    uint64_t *to = b->to + word;
    NAME(row) above = NAME(sum)(from - pitch), own = NAME(sum)(from);
    NAME(spread)(b, birth, survive);
    IN_THREES for (int64_t y = 0; y < rows; y++, to += to_pitch) {
        from += pitch;
        const NAME(row) below = NAME(sum)(from);
        const NAME(words) n0 = XOR3(above.low, own.low, below.low), twos = MAJ(above.low, own.low, below.low);
        const NAME(words) odd = XOR3(above.high, own.high, below.high), fours = MAJ(above.high, own.high, below.high);
        const NAME(words) more = odd & twos;
        *(NAME(words) *)(void *)to = NAME(by_count)(birth, survive, own.own, n0, odd ^ twos, fours ^ more,
                                                    fours & more);
        above = own;
        own = below;
    }
}

/* Computes a step of any rule by the count of the four neighbours, for the column of words that begins at `word`. */
TARGET static void NAME(neumann)(const mass_bits_band *b, int64_t word)
{
    NAME(words) birth[10], survive[10];
    const int64_t rows = b->rows, pitch = b->pitch, to_pitch = b->to_pitch;
    const uint64_t *from = b->from + word;
    uint64_t *to = b->to + word;
    NAME(words) above = NAME(load)(from - pitch);
    NAME(spread)(b, birth, survive);
    IN_THREES for (int64_t y = 0; y < rows; y++, to += to_pitch) {
        const NAME(row) own = NAME(sum)(from);
        from += pitch;
        const NAME(words) below = NAME(load)(from);
        const NAME(words) n0 = XOR3(own.low, above, below), twos = MAJ(own.low, above, below);
        *(NAME(words) *)(void *)to = NAME(by_count)(birth, survive, own.own, n0, own.high ^ twos, own.high & twos,
                                                    (NAME(words)){0});
        above = own.own;
    }
}

/* Steps the rows' words from `word` on in whole vectors. The last vector of a row ends with the row, and may repeat
 * words of the one before. Returns the first word that is left. If a row has fewer words than a vector, does
 * nothing. */
INLINE int64_t NAME(columns)(const mass_bits_band *b, int64_t word)
{
    if (word == b->words || b->words < LANES) return word;
    const bool life = b->birth == 1u << 3 && b->survive == (1u << 2 | 1u << 3);
    for (; word < b->words; word += LANES) {
        const int64_t at = word + LANES > b->words ? b->words - LANES : word;
        if (b->von_neumann) NAME(neumann)(b, at);
        else if (life) NAME(life)(b, at);
        else NAME(moore)(b, at);
    }
    return b->words;
}

/* Counts of set bits as a sum of digits: `total` counts the fours. */
typedef struct NAME(digits) {
    NAME(words) ones, twos, total;
} NAME(digits);

/* Adds four words to the counts of bits that *d has: carry-save addition. */
INLINE void NAME(add_four)(NAME(digits) *d, const NAME(words) v[4])
{
    const NAME(words) twos = MAJ(d->ones, v[0], v[1]), ones = XOR3(d->ones, v[0], v[1]);
    const NAME(words) more = MAJ(ones, v[2], v[3]), fours = MAJ(d->twos, twos, more);
    d->ones = XOR3(ones, v[2], v[3]);
    d->twos = XOR3(d->twos, twos, more);
    d->total += COUNT(fours);
}

/* Returns the number of all bits that were counted in *d. */
INLINE int64_t NAME(sum_up)(const NAME(digits) *d)
{
    const NAME(words) total = (d->total << 2) + (COUNT(d->twos) << 1) + COUNT(d->ones);
    uint64_t lanes[LANES];
    int64_t sum = 0;
    memcpy(lanes, &total, sizeof lanes);
    for (int i = 0; i < LANES; i++) sum += (int64_t)lanes[i];
    return sum;
}

/* Adds the counts of a column of words to *c. Only the bits in `places` count. */
INLINE void NAME(count)(const mass_bits_band *b, int64_t word, NAME(words) places, mass_bits_changes *c)
{
    const uint64_t *from = b->from + word, *to = b->to + word;
    NAME(digits) before = {0}, after = {0}, both = {0};
    for (int64_t y = 0; y < b->rows; y += 4) {
        NAME(words) old[4] = {0}, now[4] = {0}, and[4];
        for (int64_t k = 0; k < 4 && y + k < b->rows; k++, from += b->pitch, to += b->to_pitch) {
            old[k] = NAME(load)(from) & places;
            now[k] = NAME(load)(to) & places;
        }
        for (int k = 0; k < 4; k++) and[k] = old[k] & now[k];
        NAME(add_four)(&before, old);
        NAME(add_four)(&after, now);
        NAME(add_four)(&both, and);
    }
    c->before += NAME(sum_up)(&before);
    c->after += NAME(sum_up)(&after);
    c->both += NAME(sum_up)(&both);
}

/* Adds changes to *c, in whole vectors, like NAME(columns). `last`: as in mass_bits_by_counts. Words that the last
 * vector shares with the one before count once. */
INLINE int64_t NAME(counts)(const mass_bits_band *b, uint64_t last, int64_t word, mass_bits_changes *c)
{
    if (b->words < LANES) return word;
    for (; word < b->words; word += LANES) {
        const int64_t at = word + LANES > b->words ? b->words - LANES : word;
        uint64_t mask[LANES];
        for (int i = 0; i < LANES; i++)
            mask[i] = at + i < word ? 0 : at + i == b->words - 1 ? last : ~(uint64_t)0;
        NAME(words) places;
        memcpy(&places, mask, sizeof places);
        NAME(count)(b, at, places, c);
    }
    return b->words;
}

#undef INLINE
#undef LANES
#undef NAME
#undef TARGET
