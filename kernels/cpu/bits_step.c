/* SPDX-License-Identifier: Apache-2.0 */
/* Rows are taken in blocks of words whose intermediate results fit into the nearest cache. */
#include "cpu/bits_step.h"
#include "bits.h"
#include "cpu/bits_loops.h"

enum { COUNTED_WORDS = 512, SCRATCH_WORDS = 8192, WORDS_LEAST = 8, WORDS_MOST = 128, ALIGNMENT = 64 };

/* Some words of the rows of one world's sheet, from first to before last. */
typedef struct sheet {
    int64_t at;               /* of row 0, in words from place (0, 0, 0) of world 0 */
    int64_t first, last;
    int64_t pitch, plane;     /* in words */
    int64_t word, words;      /* of each row */
    uint64_t mask;            /* of the last of them: places */
    int32_t ghosts, extent;   /* ghosts: along x, to be written behind each row; 0: none */
} sheet;

typedef struct stepping {
    const mass_bits_program *p;
    const mass_bits_loops *loops;
    void *const *fields;
    bool tallies;
    int64_t counts[MASS_BITS_FIELDS]; /* by output: bits in this world */
} stepping;

static uint64_t *row_of(const stepping *s, const sheet *h, uint32_t field, int64_t y)
{
    return (uint64_t *)s->fields[field] + h->at + y * h->pitch + h->word;
}

static void copy_places(uint64_t *row, int32_t to, int32_t from, int32_t count)
{
    mass_bits_copy_run(row + (to >> 6), (uint32_t)to & 63, row + (from >> 6), (uint32_t)from & 63, count, false);
}

/* `count` bits, less than a word, from bit `bit` of `row` on; whatever is around them stays. */
static void put_few(uint64_t *row, int64_t bit, uint64_t bits, int32_t count)
{
    const uint64_t few = ((uint64_t)1 << count) - 1;
    const int64_t shift = bit & 63, over = shift + count - MASS_BITS_WORD;
    uint64_t *const word = row + (bit >> 6);
    word[0] = (word[0] & ~(few << shift)) | bits << shift;
    if (over > 0) word[1] = (word[1] & ~(few >> (count - over))) | bits >> (count - over);
}

/* Ghosts of `row` along x. The nearest go first: in a space narrower than its ghosts, they are the source of those
 * beyond. */
static void push_row(uint64_t *row, int32_t extent, int32_t ghosts)
{
    if (ghosts < MASS_BITS_WORD && extent >= MASS_BITS_WORD) {
        const uint64_t few = ((uint64_t)1 << ghosts) - 1;
        const uint64_t left = mass_bits_at(row, extent - ghosts, ghosts) & few, right = row[0] & few;
        put_few(row, -ghosts, left, ghosts);
        put_few(row, extent, right, ghosts);
        return;
    }
    for (int32_t done = 0, n; done < ghosts; done += n) {
        n = ghosts - done < extent ? ghosts - done : extent;
        copy_places(row, -done - n, extent - done - n, n);
        copy_places(row, extent + done, done, n);
    }
}

/* What of a row's last word is no place, and stays. */
static void put_back(uint64_t *last, uint64_t mask, uint64_t old) { *last = (*last & mask) | (old & ~mask); }

static int64_t count_places(const stepping *s, const sheet *h, const uint64_t *words, int64_t count, bool last)
{
    if (!last) return s->loops->count(words, count);
    return s->loops->count(words, count - 1) + __builtin_popcountll(words[count - 1] & h->mask);
}

/* ---- by counts ---- */

typedef struct sums {
    _Alignas(ALIGNMENT) uint64_t low[3][COUNTED_WORDS], high[3][COUNTED_WORDS], spare[COUNTED_WORDS];
} sums;

/* Those of a sheet's first row. */
static mass_bits_rows begin_rows(const stepping *s, const sheet *h, sums *m)
{
    const uint64_t *const own = row_of(s, h, s->p->inputs[0].field, h->first);
    mass_bits_rows r = {own - h->pitch, own, own + h->pitch, {m->low[0], m->low[1], m->low[2]},
                        {m->high[0], m->high[1], m->high[2]}};
    if (s->p->von_neumann) return r;
    s->loops->sum(r.low[0], r.high[0], r.above, h->words);
    s->loops->sum(r.low[1], r.high[1], r.own, h->words);
    return r;
}

static void next_rows(mass_bits_rows *r, int64_t pitch)
{
    uint64_t *const low = r->low[0], *const high = r->high[0];
    r->above = r->own;
    r->own = r->below;
    r->below += pitch;
    r->low[0] = r->low[1];
    r->low[1] = r->low[2];
    r->low[2] = low;
    r->high[0] = r->high[1];
    r->high[1] = r->high[2];
    r->high[2] = high;
}

static mass_bits_by_counts *loop_of(const stepping *s, const mass_bits_output *o)
{
    if (s->p->von_neumann) return s->loops->neumann;
    return o->birth == 1u << 3 && o->survive == (1u << 2 | 1u << 3) ? s->loops->life : s->loops->moore;
}

/* The row that has an output's bits already, or NULL. */
static const uint64_t *find_same(const stepping *s, const sheet *h, uint32_t output, int64_t y)
{
    const mass_bits_output *o = &s->p->outputs[output];
    for (uint32_t i = 0; i < s->p->output_count; i++) {
        const mass_bits_output *f = &s->p->outputs[i];
        if (!f->sum && f->birth == o->birth && f->survive == o->survive) return row_of(s, h, f->field, y);
    }
    return NULL;
}

static void step_row_by_counts(stepping *s, const sheet *h, const mass_bits_rows *r, uint64_t *spare, int64_t y)
{
    for (uint32_t i = 0; i < s->p->output_count; i++) {
        const mass_bits_output *o = &s->p->outputs[i];
        if (o->sum) continue;
        uint64_t *const to = row_of(s, h, o->field, y);
        const uint64_t old = to[h->words - 1];
        loop_of(s, o)(to, r, o->birth, o->survive, h->words);
        if (~h->mask) put_back(&to[h->words - 1], h->mask, old);
        if (h->ghosts) push_row(to, h->extent, h->ghosts);
    }
    for (uint32_t i = 0; s->tallies && i < s->p->output_count; i++) {
        const mass_bits_output *o = &s->p->outputs[i];
        if (!o->sum) continue;
        const uint64_t *bits = find_same(s, h, i, y);
        if (!bits) loop_of(s, o)(spare, r, o->birth, o->survive, h->words);
        s->counts[i] += count_places(s, h, bits ? bits : spare, h->words, true);
    }
}

static void step_by_counts(stepping *s, const sheet *h)
{
    sums m;
    mass_bits_rows r = begin_rows(s, h, &m);
    for (int64_t y = h->first; y < h->last; y++, next_rows(&r, h->pitch)) step_row_by_counts(s, h, &r, m.spare, y);
}

/* ---- by operations ---- */

typedef struct slots {
    _Alignas(ALIGNMENT) uint64_t scratch[SCRATCH_WORDS];
    const uint64_t *rows[MASS_BITS_INPUTS]; /* where input i lies, but for its offset along x */
    uint64_t *at[MASS_BITS_SLOTS];
} slots;

static void find_rows(const stepping *s, const sheet *h, slots *t, int64_t y, int64_t word)
{
    for (uint32_t i = 0; i < s->p->input_count; i++) {
        const mass_bits_input *in = &s->p->inputs[i];
        uint64_t *const row = row_of(s, h, in->field, y + in->y) + in->z * h->plane + word;
        t->rows[i] = row;
        t->at[2 + i] = row;
    }
}

static void operate(const stepping *s, const slots *t, int64_t words)
{
    const mass_bits_loops *const loops = s->loops;
    for (uint32_t i = 0; i < s->p->operation_count; i++) {
        const mass_bits_operation *o = &s->p->operations[i];
        uint64_t *const to = t->at[o->to];
        const uint64_t *const x = t->at[o->x], *const high = t->at[o->high], *const low = t->at[o->low];
        switch (o->kind) {
        case MASS_BITS_SHIFT: loops->shift(to, t->rows[o->input], s->p->inputs[o->input].x, words); break;
        case MASS_BITS_CHOOSE: loops->choose(to, x, high, low, words); break;
        case MASS_BITS_AND: loops->and(to, x, high, words); break;
        case MASS_BITS_OR: loops->or(to, x, low, words); break;
        case MASS_BITS_LESS: loops->less(to, x, low, words); break;
        case MASS_BITS_MORE: loops->more(to, x, high, words); break;
        case MASS_BITS_NOT: loops->less(to, x, t->at[1], words); break;
        }
    }
}

/* Tallies first: what is written may be an input in place. */
static void put_outputs(stepping *s, const sheet *h, const slots *t, int64_t y, int64_t word, int64_t words)
{
    const bool last = word + words == h->words;
    for (uint32_t i = 0; s->tallies && i < s->p->output_count; i++) {
        const mass_bits_output *o = &s->p->outputs[i];
        if (o->sum) s->counts[i] += count_places(s, h, t->at[o->slot], words, last);
    }
    for (uint32_t i = 0; i < s->p->output_count; i++) {
        const mass_bits_output *o = &s->p->outputs[i];
        if (o->sum) continue;
        uint64_t *const to = row_of(s, h, o->field, y) + word;
        const uint64_t old = to[words - 1];
        s->loops->and(to, t->at[o->slot], t->at[o->slot], words);
        if (last) put_back(&to[words - 1], h->mask, old);
        if (last && h->ghosts) push_row(row_of(s, h, o->field, y) - h->word, h->extent, h->ghosts);
    }
}

static void step_by_operations(stepping *s, const sheet *h)
{
    slots t;
    const uint32_t rows = 2 + s->p->input_count, held = s->p->slots - s->p->input_count;
    int64_t most = SCRATCH_WORDS / held / WORDS_LEAST * WORDS_LEAST;
    most = most > WORDS_MOST ? WORDS_MOST : most;
    t.at[0] = t.scratch;
    t.at[1] = t.scratch + most;
    for (uint32_t i = rows; i < s->p->slots; i++) t.at[i] = t.scratch + (2 + i - rows) * most;
    for (int64_t i = 0; i < most; i++) {
        t.at[0][i] = 0;
        t.at[1][i] = ~(uint64_t)0;
    }
    for (int64_t y = h->first; y < h->last; y++)
        for (int64_t word = 0, words; word < h->words; word += words) {
            words = h->words - word < most ? h->words - word : most;
            find_rows(s, h, &t, y, word);
            operate(s, &t, words);
            put_outputs(s, h, &t, y, word, words);
        }
}

/* ---- a range ---- */

/* Adds what a world's places have counted to its tallies. */
static void add_counts(stepping *s, int64_t world)
{
    for (uint32_t i = 0; s->tallies && i < s->p->output_count; i++) {
        const mass_bits_output *o = &s->p->outputs[i];
        if (!o->sum) continue;
        int64_t *const tally = (int64_t *)s->fields[o->field] + world;
        *tally = (int64_t)((uint64_t)*tally + (uint64_t)o->weight * (uint64_t)s->counts[i]);
        s->counts[i] = 0;
    }
}

static void push_rows(const stepping *s, const sheet *h)
{
    for (uint32_t i = 0; i < s->p->output_count; i++)
        for (int64_t y = h->first; !s->p->outputs[i].sum && y < h->last; y++)
            push_row(row_of(s, h, s->p->outputs[i].field, y), h->extent, h->ghosts);
}

/* Rows that are longer than a block go column by column. */
static void step_columns(stepping *s, const sheet *h)
{
    sheet part = *h;
    part.ghosts = 0;
    for (int64_t done = 0; done < h->words; done += part.words) {
        part.word = h->word + done;
        part.words = h->words - done < COUNTED_WORDS ? h->words - done : COUNTED_WORDS;
        part.mask = done + part.words == h->words ? h->mask : ~(uint64_t)0;
        step_by_counts(s, &part);
    }
    if (h->ghosts) push_rows(s, h);
}

static void step_sheet(stepping *s, const sheet *h)
{
    if (!s->p->counted) step_by_operations(s, h);
    else if (h->words <= COUNTED_WORDS) step_by_counts(s, h);
    else step_columns(s, h);
}

/* The rows of a range that lie in one sheet, from `row` on; *world is theirs. */
static sheet sheet_of(const mass_launch *l, const mass_range *range, int64_t row, int64_t *world)
{
    const int64_t y = row % l->extent[1], z = row / l->extent[1] % l->extent[2];
    const int64_t left = range->last_row - row, rest = l->extent[1] - y;
    const mass_lidx end = range->last_x % MASS_BITS_WORD;
    const bool whole = range->first_x == 0 && range->last_x == l->extent[0];
    *world = row / l->extent[1] / l->extent[2];
    return (sheet){.at = (*world * l->world_stride + z * l->plane) / MASS_BITS_WORD,
                   .first = y, .last = y + (left < rest ? left : rest), .pitch = l->pitch / MASS_BITS_WORD,
                   .plane = l->plane / MASS_BITS_WORD, .word = range->first_x / MASS_BITS_WORD,
                   .words = (range->last_x + MASS_BITS_WORD - 1) / MASS_BITS_WORD - range->first_x / MASS_BITS_WORD,
                   .mask = end ? ((uint64_t)1 << end) - 1 : ~(uint64_t)0,
                   .ghosts = whole && (l->push & MASS_AXIS_X) ? l->ghost[0] : 0, .extent = l->extent[0]};
}

void mass_cpu_step_bits(const mass_bits_program *p, uint32_t isa, void *const *fields, bool tallies,
                        const mass_launch *l, const mass_range *range)
{
    stepping s = {.p = p, .loops = mass_bits_loops_of(isa), .fields = fields, .tallies = tallies};
    sheet h;
    for (int64_t row = range->first_row, world; row < range->last_row; row += h.last - h.first) {
        h = sheet_of(l, range, row, &world);
        if (l->gates && l->gates[world]) continue;
        step_sheet(&s, &h);
        add_counts(&s, world);
    }
}
