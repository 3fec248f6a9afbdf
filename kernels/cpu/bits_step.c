/* SPDX-License-Identifier: Apache-2.0 */
/* Steps rows of bits in blocks whose intermediate results fit into the nearest cache. By operations, it takes several
 * short rows at once, together with the words between them. By counts, it takes bands of rows, and sums the row above
 * and the row below a band twice. */
#include "cpu/bits_step.h"
#include "bits.h"
#include "cpu/bits_counts.h"
#include "cpu/bits_loops.h"

enum {
    BAND_WORDS = 8192,
    BAND_ROWS = 16, /* for the longest rows; shorter ones up to BAND_ROWS_MOST */
    BAND_ROWS_MOST = 64,
    LONGEST = BAND_WORDS / BAND_ROWS,
    SCRATCH_WORDS = 8192,
    WORDS_LEAST = 8,
    WORDS_MOST = 128,
    ALIGNMENT = 64
};

/* Words of the rows first to last - 1 of one plane of a world. */
typedef struct sheet {
    int64_t at;               /* row 0, in words from place (0, 0, 0) of world 0 */
    int64_t first, last;
    int64_t pitch, plane;     /* in words */
    int64_t word, words;      /* of each row: first word, number of words */
    uint64_t mask;            /* places of the last word */
    int32_t ghosts, extent;   /* width of the ghosts along x to write on both sides of each row, 0 for none; places of a
                                 row */
} sheet;

typedef struct stepping {
    const mass_bits_program *p;
    const mass_bits_loops *loops;
    const mass_bits_by_counts *by_counts;
    void *const *fields;
    bool tallies;
    int64_t counts[MASS_BITS_FIELDS]; /* by output: bits counted in this world */
} stepping;

/* Returns the sheet's first word in row y of a field; y may be a ghost row. */
static uint64_t *row_of(const stepping *s, const sheet *h, uint32_t field, int64_t y)
{
    return (uint64_t *)s->fields[field] + h->at + y * h->pitch + h->word;
}

/* Copies `count` bits within a row, from bit `from` to bit `to`. Both may be below 0. */
static void copy_places(uint64_t *row, int32_t to, int32_t from, int32_t count)
{
    mass_bits_copy_run(row + (to >> 6), (uint32_t)to & 63, row + (from >> 6), (uint32_t)from & 63, count, false);
}

/* Copies ghosts of `row` along x. The nearest go first: in a space narrower than its ghosts, they are the source of the
 * next ones. */
static void push_any_row(uint64_t *row, int32_t extent, int32_t ghosts)
{
    for (int32_t done = 0, n; done < ghosts; done += n) {
        n = ghosts - done < extent ? ghosts - done : extent;
        copy_places(row, -done - n, extent - done - n, n);
        copy_places(row, extent + done, done, n);
    }
}

void mass_cpu_push_bits(uint64_t *row, int64_t pitch, int64_t rows, int32_t extent, int32_t ghosts)
{
    const uint64_t few = ((uint64_t)1 << (ghosts & 63)) - 1;
    const int32_t last = extent - ghosts, from = last >> 6, to = extent >> 6;
    const int32_t from_bit = last & 63, to_bit = extent & 63, left_bit = 64 - ghosts;
    if (ghosts >= MASS_BITS_WORD || extent < MASS_BITS_WORD) {
        for (int64_t i = 0; i < rows; i++) push_any_row(row + i * pitch, extent, ghosts);
        return;
    }
    for (int64_t i = 0; i < rows; i++, row += pitch) {
        uint64_t left = row[from] >> from_bit;
        const uint64_t right = row[0] & few;
        if (from_bit > left_bit) left |= row[from + 1] << (64 - from_bit);
        row[-1] = (row[-1] & ~(few << left_bit)) | left << left_bit;
        row[to] = (row[to] & ~(few << to_bit)) | right << to_bit;
        if (to_bit > left_bit)
            row[to + 1] = (row[to + 1] & ~(few >> (64 - to_bit))) | right >> (64 - to_bit);
    }
}

/* Restores the bits of a row's last word that are not places. */
static void put_back(uint64_t *last, uint64_t mask, uint64_t old) { *last = (*last & mask) | (old & ~mask); }

/* Returns the number of set bits in words of a row. `last`: the last word ends the row, and bits beyond the row do not
 * count. */
static int64_t count_places(const stepping *s, const sheet *h, const uint64_t *words, int64_t count, bool last)
{
    if (!last) return s->loops->count(words, count);
    return s->loops->count(words, count - 1) + __builtin_popcountll(words[count - 1] & h->mask);
}

/* ---- by counts ---- */

/* Returns the work of a step of `rows` rows from row y on, by the counts of output o, into `to`. */
static mass_bits_band band_of(const stepping *s, const sheet *h, const mass_bits_output *o, uint64_t *to,
                              int64_t to_pitch, int64_t y, int64_t rows)
{
    return (mass_bits_band){row_of(s, h, s->p->inputs[0].field, y), to, h->pitch, to_pitch, rows, h->words,
                            s->p->von_neumann, o->birth, o->survive};
}

/* After a step of a band: adds to s->counts for the sums that depend only on how places change to output `field`. */
static void add_changes(stepping *s, const sheet *h, const mass_bits_band *b, uint32_t field)
{
    bool any = false;
    for (uint32_t i = 0; s->tallies && i < s->p->output_count; i++)
        any |= s->p->outputs[i].sum && s->p->outputs[i].after == field;
    if (!any) return;
    const mass_bits_changes c = s->by_counts->changes(b, h->mask);
    const int64_t row = (h->words - 1) * MASS_BITS_WORD + __builtin_popcountll(h->mask), both = c.both;
    const int64_t unset = b->rows * row - c.before - c.after + both;
    for (uint32_t i = 0; i < s->p->output_count; i++) {
        const mass_bits_output *o = &s->p->outputs[i];
        if (o->sum && o->after == field)
            s->counts[i] += o->adds[0][0] * unset + o->adds[0][1] * (c.after - both) +
                            o->adds[1][0] * (c.before - both) + o->adds[1][1] * both;
    }
}

/* Steps rows of an output's field, at most BAND_ROWS_MOST. Bits behind their ends become ghosts or keep their values.
 * Adds to s->counts what follows from changes. */
static void write_band(stepping *s, const sheet *h, uint32_t output, int64_t y, int64_t rows)
{
    const mass_bits_output *const o = &s->p->outputs[output];
    uint64_t old[BAND_ROWS_MOST], *const to = row_of(s, h, o->field, y), *const last = to + h->words - 1;
    const mass_bits_band b = band_of(s, h, o, to, h->pitch, y, rows);
    for (int64_t i = 0; ~h->mask && i < rows; i++) old[i] = last[i * h->pitch];
    s->by_counts->step(&b);
    for (int64_t i = 0; ~h->mask && i < rows; i++) put_back(&last[i * h->pitch], h->mask, old[i]);
    add_changes(s, h, &b, output);
    if (h->ghosts) mass_cpu_push_bits(to, h->pitch, rows, h->extent, h->ghosts);
}

/* Steps rows into `spare` only to count their set bits, and returns their number. Writes no field. */
static int64_t count_band(const stepping *s, const sheet *h, const mass_bits_output *o, uint64_t *spare, int64_t y,
                          int64_t rows)
{
    const mass_bits_band b = band_of(s, h, o, spare, h->words, y, rows);
    int64_t count = 0;
    s->by_counts->step(&b);
    for (int64_t i = 0; i < rows; i++) count += count_places(s, h, spare + i * h->words, h->words, true);
    return count;
}

/* Steps a sheet in bands of rows that fit into `spare`; adds sums to s->counts, if tallies are taken. */
static void step_by_counts(stepping *s, const sheet *h)
{
    _Alignas(ALIGNMENT) uint64_t spare[BAND_WORDS];
    const int64_t fit = BAND_WORDS / h->words, most = fit < BAND_ROWS_MOST ? fit : BAND_ROWS_MOST;
    for (int64_t y = h->first, rows; y < h->last; y += rows) {
        rows = h->last - y < most ? h->last - y : most;
        for (uint32_t i = 0; i < s->p->output_count; i++)
            if (!s->p->outputs[i].sum) write_band(s, h, i, y, rows);
        for (uint32_t i = 0; s->tallies && i < s->p->output_count; i++)
            if (s->p->outputs[i].sum && s->p->outputs[i].after == MASS_BITS_FIELDS)
                s->counts[i] += count_band(s, h, &s->p->outputs[i], spare, y, rows);
    }
}

/* ---- by operations ---- */

typedef struct slots {
    _Alignas(ALIGNMENT) uint64_t scratch[SCRATCH_WORDS];
    const uint64_t *rows[MASS_BITS_INPUTS]; /* start of input i, without its offset along x */
    uint64_t *at[MASS_BITS_SLOTS]; /* words of each slot: 0 has zeros, 1 ones, 2 + i input i (bits_step.h) */
} slots;

/* Points the slots of all inputs at their rows for row y, from `word` on. */
static void find_rows(const stepping *s, const sheet *h, slots *t, int64_t y, int64_t word)
{
    for (uint32_t i = 0; i < s->p->input_count; i++) {
        const mass_bits_input *in = &s->p->inputs[i];
        uint64_t *const row = row_of(s, h, in->field, y + in->y) + in->z * h->plane + word;
        t->rows[i] = row;
        t->at[2 + i] = row;
    }
}

/* Returns the operands of an operation, as pointers to the slots' words. */
static mass_bits_choices choices_of(const slots *t, const mass_bits_operation *o)
{
    return (mass_bits_choices){t->at[o->x], t->at[o->y], t->at[o->high], t->at[o->high_else],
                               t->at[o->z], t->at[o->low], t->at[o->low_else]};
}

/* Runs the program's operations on a row of words, in order: each makes a row in its slot from the rows of others. All
 * of t->at[] must be set. The words may be those of several rows, with the words between the rows. */
static void operate(const stepping *s, const slots *t, int64_t words)
{
    const mass_bits_loops *const loops = s->loops;
    mass_bits_choices c;
    for (uint32_t i = 0; i < s->p->operation_count; i++) {
        const mass_bits_operation *o = &s->p->operations[i];
        uint64_t *const to = t->at[o->to];
        const uint64_t *const x = t->at[o->x], *const high = t->at[o->high], *const low = t->at[o->low];
        switch (o->kind) {
        case MASS_BITS_SHIFT: loops->shift(to, t->rows[o->input], s->p->inputs[o->input].x, words); break;
        case MASS_BITS_CHOOSE: loops->choose(to, x, high, low, words); break;
        case MASS_BITS_CHOOSE_HIGH: loops->choose_high(to, (c = choices_of(t, o), &c), words); break;
        case MASS_BITS_CHOOSE_LOW: loops->choose_low(to, (c = choices_of(t, o), &c), words); break;
        case MASS_BITS_CHOOSE_BOTH: loops->choose_both(to, (c = choices_of(t, o), &c), words); break;
        case MASS_BITS_AND: loops->and(to, x, high, words); break;
        case MASS_BITS_OR: loops->or(to, x, low, words); break;
        case MASS_BITS_LESS: loops->less(to, x, low, words); break;
        case MASS_BITS_MORE: loops->more(to, x, high, words); break;
        case MASS_BITS_NOT: loops->less(to, x, t->at[1], words); break;
        }
    }
}

/* Writes the outputs of row y, which is row k of those in the slots. Sums are added to s->counts first, since a field
 * may be written in place. */
static void put_outputs(stepping *s, const sheet *h, const slots *t, int64_t y, int64_t k, int64_t word, int64_t words)
{
    const bool last = word + words == h->words;
    const int64_t at = k * h->pitch;
    for (uint32_t i = 0; s->tallies && i < s->p->output_count; i++) {
        const mass_bits_output *o = &s->p->outputs[i];
        if (o->sum) s->counts[i] += count_places(s, h, t->at[o->slot] + at, words, last);
    }
    for (uint32_t i = 0; i < s->p->output_count; i++) {
        const mass_bits_output *o = &s->p->outputs[i];
        if (o->sum) continue;
        uint64_t *const to = row_of(s, h, o->field, y) + word;
        const uint64_t old = to[words - 1];
        s->loops->and(to, t->at[o->slot] + at, t->at[o->slot] + at, words);
        if (last) put_back(&to[words - 1], h->mask, old);
        if (last && h->ghosts) mass_cpu_push_bits(row_of(s, h, o->field, y) - h->word, 0, 1, h->extent, h->ghosts);
    }
}

/* Returns how many rows to step at once; a slot has `most` words. Several only if rows are whole: then no other thread
 * uses the words between them. */
static int64_t rows_at_once(const sheet *h, int64_t most)
{
    const bool whole = h->word == 0 && h->words * MASS_BITS_WORD >= h->extent;
    return whole && h->words < most ? 1 + (most - h->words) / h->pitch : 1;
}

/* Steps a sheet by the rule's operations, in blocks of words that fit into the slots' scratch memory. */
static void step_by_operations(stepping *s, const sheet *h)
{
    slots t;
    const uint32_t inputs_end = 2 + s->p->input_count, held = s->p->slots - s->p->input_count;
    int64_t most = SCRATCH_WORDS / held / WORDS_LEAST * WORDS_LEAST;
    most = most > WORDS_MOST ? WORDS_MOST : most;
    t.at[0] = t.scratch;
    t.at[1] = t.scratch + most;
    for (uint32_t i = inputs_end; i < s->p->slots; i++) t.at[i] = t.scratch + (2 + i - inputs_end) * most;
    for (int64_t i = 0; i < most; i++) {
        t.at[0][i] = 0;
        t.at[1][i] = ~(uint64_t)0;
    }
    const int64_t at_once = rows_at_once(h, most);
    for (int64_t y = h->first, rows; y < h->last; y += rows) {
        rows = h->last - y < at_once ? h->last - y : at_once;
        for (int64_t word = 0, words; word < h->words; word += words) {
            words = h->words - word < most ? h->words - word : most;
            find_rows(s, h, &t, y, word);
            operate(s, &t, (rows - 1) * h->pitch + words);
            for (int64_t k = 0; k < rows; k++) put_outputs(s, h, &t, y + k, k, word, words);
        }
    }
}

/* ---- a range ---- */

/* Adds a world's counts to its tallies, and clears them. */
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

/* Copies the sheet's own edge bits into its ghosts, for each output field. */
static void push_rows(const stepping *s, const sheet *h)
{
    for (uint32_t i = 0; i < s->p->output_count; i++)
        if (!s->p->outputs[i].sum)
            mass_cpu_push_bits(row_of(s, h, s->p->outputs[i].field, h->first), h->pitch, h->last - h->first,
                               h->extent, h->ghosts);
}

/* Steps long rows in columns, since a band of whole rows would have too many words. */
static void step_columns(stepping *s, const sheet *h)
{
    sheet part = *h;
    part.ghosts = 0;
    for (int64_t done = 0; done < h->words; done += part.words) {
        part.word = h->word + done;
        part.words = h->words - done < LONGEST ? h->words - done : LONGEST;
        part.mask = done + part.words == h->words ? h->mask : ~(uint64_t)0;
        step_by_counts(s, &part);
    }
    if (h->ghosts) push_rows(s, h);
}

/* Steps one sheet in the way that fits its rule and width. */
static void step_sheet(stepping *s, const sheet *h)
{
    if (!s->p->counted) step_by_operations(s, h);
    else if (h->words <= LONGEST) step_by_counts(s, h);
    else step_columns(s, h);
}

/* Returns the rows of a range from `row` on that are in one plane, and their world. */
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

void mass_cpu_count_bits(const mass_bits_program *p, uint32_t isa, void *const *fields, const mass_launch *l,
                         const mass_range *range)
{
    stepping s = {.p = p, .loops = mass_bits_loops_of(isa), .by_counts = mass_bits_by_counts_of(isa),
                  .fields = fields, .tallies = true};
    int64_t world;
    const sheet h = sheet_of(l, range, range->first_row, &world);
    for (uint32_t i = 0; i < p->output_count; i++) {
        const mass_bits_output *o = &p->outputs[i];
        if (o->sum) continue;
        const mass_bits_band b = band_of(&s, &h, o, row_of(&s, &h, o->field, h.first), h.pitch, h.first,
                                         h.last - h.first);
        add_changes(&s, &h, &b, i);
    }
    add_counts(&s, 0);
}

void mass_cpu_step_bits(const mass_bits_program *p, uint32_t isa, void *const *fields, bool tallies,
                        const mass_launch *l, const mass_range *range)
{
    stepping s = {.p = p, .loops = mass_bits_loops_of(isa),
                  .by_counts = mass_bits_by_counts_of(isa), .fields = fields, .tallies = tallies};
    sheet h;
    for (int64_t row = range->first_row, world; row < range->last_row; row += h.last - h.first) {
        h = sheet_of(l, range, row, &world);
        if (l->gates && l->gates[world]) continue;
        step_sheet(&s, &h);
        add_counts(&s, world);
    }
}
