/* SPDX-License-Identifier: Apache-2.0 */
#define MASS_SHARED_CALLBACKS
#include "bodies.h"

#include <mass/kernel.h>

#define CELL READS(TYPED(from, bool, cell)), WRITES(TYPED(to, bool, cell))
#define MASKS GIVEN(TYPED(birth, int64_t), TYPED(survive, int64_t))
#define TALLIES SUMS(TYPED(alive, int64_t), TYPED(worth, int64_t))

/* ---- by counts ---- */

/* Of places that count neighbours: so many different values, and negative ones. */
#define WORTH(own, n) ((own) ? -7 * (int64_t)(n) : (n) == 3 ? (int64_t)1 << 40 : 5)

MASS_STENCIL(moore, 2, 1, CELL, MASKS, TALLIES)
{
    int n = 0;
    MASS_MOORE_2D(dx, dy, 1) { n += NEAR(from, dx, dy); }
    OUT(to) = (IN(from) ? PARAM(survive) : PARAM(birth)) >> n & 1;
    ADD(alive, OUT(to));
    ADD(worth, WORTH(IN(from), n));
}

MASS_STENCIL(neumann, 2, 1, CELL, MASKS, TALLIES)
{
    const int n = NEAR(from, 1, 0) + NEAR(from, -1, 0) + NEAR(from, 0, 1) + NEAR(from, 0, -1);
    OUT(to) = (IN(from) ? PARAM(survive) : PARAM(birth)) >> n & 1;
    ADD(alive, OUT(to));
    ADD(worth, WORTH(IN(from), n));
}

static answer by_count(bool own, int n, const uint64_t *given)
{
    const bool bit = given[own] >> n & 1;
    return (answer){{bit}, {bit, own ? -7 * n : n == 3 ? (int64_t)1 << 40 : 5}};
}

static answer answer_moore(const bool *in, const uint64_t *given)
{
    int n = 0;
    for (int i = 0; i < 9; i++) n += i != 4 && in[i];
    return by_count(in[4], n, given);
}

static answer answer_neumann(const bool *in, const uint64_t *given)
{
    return by_count(in[4], in[1] + in[3] + in[5] + in[7], given);
}

const body by_moore = {&moore, answer_moore, 1, 1, 2, 2, false};
const body by_neumann = {&neumann, answer_neumann, 1, 1, 2, 2, false};

/* ---- by tables ---- */

#define WORDS8 TYPED(t0, int64_t), TYPED(t1, int64_t), TYPED(t2, int64_t), TYPED(t3, int64_t), TYPED(t4, int64_t), \
        TYPED(t5, int64_t), TYPED(t6, int64_t), TYPED(t7, int64_t)
#define WORDS16 WORDS8, TYPED(t8, int64_t), TYPED(t9, int64_t), TYPED(t10, int64_t), TYPED(t11, int64_t), \
        TYPED(t12, int64_t), TYPED(t13, int64_t), TYPED(t14, int64_t), TYPED(t15, int64_t)
#define LOOK8(i)                                                                                             \
    ((i) < 128 ? (i) < 64 ? PARAM(t0) : PARAM(t1) : (i) < 256 ? (i) < 192 ? PARAM(t2) : PARAM(t3)             \
     : (i) < 384 ? (i) < 320 ? PARAM(t4) : PARAM(t5) : (i) < 448 ? PARAM(t6) : PARAM(t7))
#define LOOK16(i)                                                                                            \
    ((i) < 512 ? LOOK8(i) : (i) < 640 ? (i) < 576 ? PARAM(t8) : PARAM(t9) : (i) < 768 ? (i) < 704 ? PARAM(t10)  \
     : PARAM(t11) : (i) < 896 ? (i) < 832 ? PARAM(t12) : PARAM(t13) : (i) < 960 ? PARAM(t14) : PARAM(t15))

MASS_STENCIL(table, 2, 1, CELL, GIVEN(WORDS8), SUMS(TYPED(changed, int64_t), TYPED(number, int64_t)))
{
    unsigned i = 0, k = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) i |= (unsigned)NEAR(from, dx, dy) << k++;
    OUT(to) = (uint64_t)LOOK8(i) >> i % 64 & 1;
    ADD(changed, OUT(to) != IN(from));
    ADD(number, (int64_t)i * 3 - 100);
}

static answer answer_table(const bool *in, const uint64_t *given)
{
    unsigned i = 0;
    for (unsigned k = 0; k < 9; k++) i |= (unsigned)in[k] << k;
    const bool bit = given[i / 64] >> i % 64 & 1;
    return (answer){{bit}, {bit != in[4], (int64_t)i * 3 - 100}};
}

const body by_table = {&table, answer_table, 1, 1, 2, 8, false};

/* Two attributes; the second follows from both in another way. */
#define CROSS(f, i)                                                                                       \
    ((unsigned)NEAR(f, 0, -1) << (i) | (unsigned)NEAR(f, -1, 0) << (i + 1) | (unsigned)IN(f) << (i + 2) | \
     (unsigned)NEAR(f, 1, 0) << (i + 3) | (unsigned)NEAR(f, 0, 1) << (i + 4))

MASS_STENCIL(two, 2, 1, READS(TYPED(a, bool), TYPED(b, bool)), WRITES(TYPED(new_a, bool, a), TYPED(new_b, bool, b)),
             GIVEN(WORDS16), SUMS(TYPED(both, int64_t)))
{
    const unsigned i = CROSS(a, 0) | CROSS(b, 5);
    OUT(new_a) = (uint64_t)LOOK16(i) >> i % 64 & 1;
    OUT(new_b) = NEAR(a, 1, 1) ^ NEAR(b, -1, 1) ^ IN(a);
    ADD(both, OUT(new_a) + 2 * OUT(new_b));
}

static answer answer_two(const bool *in, const uint64_t *given)
{
    static const int cross[5] = {1, 3, 4, 5, 7};
    unsigned i = 0;
    for (int k = 0; k < 5; k++) i |= (unsigned)in[cross[k]] << k | (unsigned)in[9 + cross[k]] << (5 + k);
    const bool a = given[i / 64] >> i % 64 & 1, b = in[8] ^ in[9 + 6] ^ in[4];
    return (answer){{a, b}, {a + 2 * b}};
}

const body by_two = {&two, answer_two, 2, 2, 1, 16, false};

MASS_STENCIL(line, 1, 3, CELL, GIVEN(TYPED(t0, int64_t), TYPED(t1, int64_t)), SUMS(TYPED(alive, int64_t)))
{
    unsigned i = 0;
    for (int dx = -3; dx <= 3; dx++) i |= (unsigned)NEAR(from, dx) << (dx + 3);
    OUT(to) = (uint64_t)(i < 64 ? PARAM(t0) : PARAM(t1)) >> i % 64 & 1;
    ADD(alive, OUT(to) * -3);
}

static answer answer_line(const bool *in, const uint64_t *given)
{
    unsigned i = 0;
    for (unsigned k = 0; k < 7; k++) i |= (unsigned)in[k] << k;
    const bool bit = given[i / 64] >> i % 64 & 1;
    return (answer){{bit}, {bit * -3}};
}

const body by_line = {&line, answer_line, 1, 1, 1, 2, false};

/* In place, each out of the other. */
MASS_MAP(swap, UPDATES(TYPED(a, bool), TYPED(b, bool)), SUMS(TYPED(places, int64_t)))
{
    const bool was = OUT(a);
    OUT(a) = OUT(b);
    OUT(b) = was;
    ADD(places, 11);
}

static answer answer_swap(const bool *in, const uint64_t *given)
{
    (void)given;
    return (answer){{in[1], in[0]}, {11}};
}

const body by_swap = {&swap, answer_swap, 0, 2, 1, 0, true};

/* ---- by some of many places ---- */

#define STAR(f)                                                                                              \
    ((unsigned)NEAR(f, 0, 0, -1) | (unsigned)NEAR(f, 0, -1, 0) << 1 | (unsigned)NEAR(f, -1, 0, 0) << 2 |     \
     (unsigned)IN(f) << 3 | (unsigned)NEAR(f, 1, 0, 0) << 4 | (unsigned)NEAR(f, 0, 1, 0) << 5 |              \
     (unsigned)NEAR(f, 0, 0, 1) << 6)
static unsigned star_of(const bool *in)
{
    static const int star[7] = {4, 10, 12, 13, 14, 16, 22};
    unsigned i = 0;
    for (int k = 0; k < 7; k++) i |= (unsigned)in[star[k]] << k;
    return i;
}

MASS_STENCIL(star, 3, 1, CELL, GIVEN(TYPED(t0, int64_t), TYPED(t1, int64_t)), SUMS(TYPED(number, int64_t)))
{
    const unsigned i = STAR(from);
    OUT(to) = (uint64_t)(i < 64 ? PARAM(t0) : PARAM(t1)) >> i % 64 & 1;
    ADD(number, (int64_t)i - 60);
}

static answer answer_star(const bool *in, const uint64_t *given)
{
    const unsigned i = star_of(in);
    return (answer){{given[i / 64] >> i % 64 & 1}, {(int64_t)i - 60}};
}

const body by_star = {&star, answer_star, 1, 1, 1, 2, false};

MASS_STENCIL(far_star, 2, 2, CELL, GIVEN(WORDS8), SUMS(TYPED(alive, int64_t)))
{
    unsigned i = IN(from), k = 1;
    for (int d = -2; d <= 2; d++)
        if (d != 0) i |= (unsigned)NEAR(from, d, 0) << k | (unsigned)NEAR(from, 0, d) << (k + 4), k++;
    OUT(to) = (uint64_t)LOOK8(i) >> i % 64 & 1;
    ADD(alive, OUT(to));
}

static answer answer_far(const bool *in, const uint64_t *given)
{
    static const int places[9] = {12, 10, 11, 13, 14, 2, 7, 17, 22};
    unsigned i = 0;
    for (int k = 0; k < 9; k++) i |= (unsigned)in[places[k]] << k;
    const bool bit = given[i / 64] >> i % 64 & 1;
    return (answer){{bit}, {bit}};
}

const body by_far = {&far_star, answer_far, 1, 1, 1, 8, false};

/* Two attributes of a space, of which the second is looked at in three corners. */
MASS_STENCIL(stars, 3, 1, READS(TYPED(a, bool), TYPED(b, bool)), WRITES(TYPED(new_a, bool, a), TYPED(new_b, bool, b)),
             GIVEN(WORDS16), SUMS(TYPED(both, int64_t)))
{
    const unsigned i = STAR(a) | (unsigned)NEAR(b, 1, 1, 1) << 7 | (unsigned)NEAR(b, -1, 1, -1) << 8 |
                       (unsigned)NEAR(b, -1, -1, 1) << 9;
    OUT(new_a) = (uint64_t)LOOK16(i) >> i % 64 & 1;
    OUT(new_b) = NEAR(a, 0, 0, 1) ^ NEAR(b, 1, 1, 1) ^ IN(b);
    ADD(both, OUT(new_a) + 2 * OUT(new_b));
}

static answer answer_stars(const bool *in, const uint64_t *given)
{
    const bool *const of_b = in + 27;
    const unsigned i = star_of(in) | (unsigned)of_b[26] << 7 | (unsigned)of_b[6] << 8 | (unsigned)of_b[18] << 9;
    const bool a = given[i / 64] >> i % 64 & 1, b = in[22] ^ of_b[26] ^ of_b[13];
    return (answer){{a, b}, {a + 2 * b}};
}

const body by_stars = {&stars, answer_stars, 2, 2, 1, 16, false};

/* It looks around only where it is set, and further only where it sees enough. */
MASS_STENCIL(turns, 2, 3, CELL, GIVEN(TYPED(t0, int64_t)), SUMS(TYPED(looks, int64_t)))
{
    unsigned i = 0;
    if (IN(from)) {
        i = 1u | (unsigned)NEAR(from, 1, 0) << 1 | (unsigned)NEAR(from, 0, -1) << 2;
        if (i == 7) i |= (unsigned)NEAR(from, -3, 3) << 3 | (unsigned)NEAR(from, 2, -3) << 4;
        if (i == 31) i |= (unsigned)NEAR(from, 0, 3) << 5;
    }
    OUT(to) = (uint64_t)PARAM(t0) >> i & 1;
    ADD(looks, i);
}

static answer answer_turns(const bool *in, const uint64_t *given)
{
    unsigned i = 0;
    if (in[24]) {
        i = 1u | (unsigned)in[25] << 1 | (unsigned)in[17] << 2;
        if (i == 7) i |= (unsigned)in[42] << 3 | (unsigned)in[5] << 4;
        if (i == 31) i |= (unsigned)in[45] << 5;
    }
    return (answer){{given[0] >> i & 1}, {i}};
}

const body by_turns = {&turns, answer_turns, 1, 1, 1, 1, false};

/* How many of the first places around a place of a space are set, row by row. */
#define FIRST(count, n)                                                                          \
    unsigned n = 0;                                                                              \
    for (int i = 0; i < (count); i++) n += NEAR(from, i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1)

/* As many as may be asked. */
MASS_STENCIL(most, 3, 1, CELL)
{
    FIRST(18, n);
    OUT(to) = n == 5 || n == 9;
}

static answer answer_most(const bool *in, const uint64_t *given)
{
    unsigned n = 0;
    (void)given;
    for (int i = 0; i < 18; i++) n += in[i];
    return (answer){{n == 5 || n == 9}, {0}};
}

const body by_most = {&most, answer_most, 1, 1, 0, 0, false};

/* Of many attributes one place. */
MASS_STENCIL(one, 3, 1, READS(TYPED(a, bool), TYPED(b, bool), TYPED(c, bool)), WRITES(TYPED(to, bool, a)))
{
    OUT(to) = NEAR(b, 0, 1, 1);
}
const body by_one = {&one, NULL, 3, 1, 0, 0, false};

/* ---- no rules ---- */

/* Where few neighbours are set, as what they ask for then shows. */
#define LONELY(f) (NEAR(f, 1, 0) & NEAR(f, -1, 1) & !NEAR(f, 0, 1))

MASS_STENCIL(asks_position, 2, 1, CELL) { OUT(to) = LONELY(from) && AT_Y == 3; }
MASS_STENCIL(asks_size, 2, 1, CELL) { OUT(to) = LONELY(from) && SIZE_X == 3; }
static volatile int64_t zero;
MASS_STENCIL(divides, 2, 1, CELL) { OUT(to) = 1000 / (IN(from) + NEAR(from, 1, 0) + zero) > 600; }
MASS_STENCIL(never_ends, 2, 1, CELL)
{
    while (LONELY(from) && !zero) continue;
    OUT(to) = 0;
}
MASS_STENCIL(asks_step, 2, 1, CELL) { OUT(to) = LONELY(from) && STEP % 2; }
MASS_STENCIL(asks_random, 2, 1, CELL) { OUT(to) = LONELY(from) && RANDOM(0).v[0] % 2; }
MASS_STENCIL(asks_exists, 2, 1, CELL) { OUT(to) = LONELY(from) && EXISTS(1, 0); }
MASS_STENCIL(looks_far, 2, 1, CELL)
{
    const int remote = LONELY(from) ? 2 : 1;
    OUT(to) = NEAR(from, remote, 0);
}
MASS_STENCIL(of_bytes, 2, 1, CELL, READS(TYPED(age, uint8_t))) { OUT(to) = NEAR(from, 1, 0) && IN(age) > 2; }
MASS_STENCIL(of_no_bits, 2, 1, READS(TYPED(age, uint8_t)), WRITES(TYPED(older, uint8_t))) { OUT(older) = IN(age) + 1; }
MASS_STENCIL(of_space, 3, 1, CELL) { OUT(to) = NEAR(from, 1, 0, -1); }
MASS_STENCIL(divides_in_space, 3, 1, CELL) { OUT(to) = 1000 / (IN(from) + NEAR(from, 1, 0, -1) + zero) > 600; }
MASS_STENCIL(looks_at_19, 3, 1, CELL)
{
    FIRST(19, n);
    OUT(to) = n == 5;
}
MASS_STENCIL(looks_at_19_at_times, 3, 1, CELL)
{
    FIRST(18, n);
    OUT(to) = n == 18 ? NEAR(from, 1, 1, 1) : n == 5;
}
MASS_STENCIL(adds_doubles, 2, 1, CELL, SUMS(TYPED(alive, int64_t), TYPED(mean, double)))
{
    OUT(to) = NEAR(from, 1, 0);
    ADD(alive, OUT(to));
    ADD(mean, OUT(to) * 0.5);
}
