/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the items of a file: bytes, 16- and 32-bit numbers, floats, words. */
#include <mass/model.h>

#if MASS_HOST
#include "chart.h"
#include "input.h"

#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#endif

/* ---- the bin of an item; the item's type depends on the mode, which is known when the engine opens the plugin ---- */

enum { APART_BELOW, APART_ABOVE, APART_INFINITE, APART_NAN, APART_BINS };
#define COUNTS TYPED(counts, int64_t)
#define APART TYPED(apart, int64_t)

MASS_MAP(histogram_bytes, READS(TYPED(item, uint8_t)), BINS(COUNTS)) { COUNT_IN(counts, IN(item)); }

/* Bin i has the numbers from lo + i * (hi - lo) / bins to below the next bin; the last bin also has hi. This macro is
 * for numbers below 2^32. `first` is lo, `last` the last number below hi, `closed` 1 if hi itself can occur. */
#define SHIFT(NAME, TYPE)                                                                                       \
    MASS_MAP(NAME, READS(TYPED(item, TYPE)), BINS(COUNTS, APART),                                               \
             GIVEN(TYPED(first, int64_t), TYPED(last, int64_t), TYPED(closed, int64_t), TYPED(shift, int64_t))) \
    {                                                                                                           \
        const uint32_t span = (uint32_t)PARAM(last) - (uint32_t)PARAM(first);                                   \
        const uint32_t from_lo = (uint32_t)IN(item) - (uint32_t)PARAM(first);                                   \
        const uint32_t at = from_lo - ((from_lo == span + 1) & (uint32_t)PARAM(closed));                        \
        COUNT_IN(counts, at <= span ? at >> PARAM(shift) : UINT32_MAX);                                         \
        if (at > span) COUNT_IN(apart, IN(item) < PARAM(first) ? APART_BELOW : APART_ABOVE);                    \
    }

SHIFT(histogram_u16_shift, uint16_t)
SHIFT(histogram_u32_shift, uint32_t)

/* For all others. An item belongs to the bin whose begin is nearest, or to the one before. Rounding moves neither by as
 * much as half a bin, since bins that are too narrow are refused. */
#define SCALE(NAME, TYPE)                                                                                        \
    MASS_MAP(NAME, READS(TYPED(item, TYPE)), BINS(COUNTS, APART),                                                \
             GIVEN(TYPED(lo, double, begin), TYPED(hi, double, end), TYPED(width, double), TYPED(scale, double), \
                   TYPED(last, int64_t)))                                                                        \
    {                                                                                                            \
        const double v = (double)IN(item);                                                                       \
        const int inside = (v >= PARAM(lo)) & (v <= PARAM(hi));                                                  \
        const int32_t nearest = mass_i32_f64((v - PARAM(lo)) * PARAM(scale) + 0.5);                              \
        const int64_t bin = (int64_t)nearest - (v < PARAM(lo) + nearest * PARAM(width));                         \
        COUNT_IN(counts, !inside ? -1 : bin < PARAM(last) ? bin : PARAM(last));                                  \
        if (!inside)                                                                                             \
            COUNT_IN(apart, v != v ? APART_NAN : v - v != 0 ? APART_INFINITE                                     \
                            : v < PARAM(lo) ? APART_BELOW : APART_ABOVE);                                        \
    }

SCALE(histogram_u16, uint16_t)
SCALE(histogram_u32, uint32_t)
SCALE(histogram_f32, float)

/* ---- words: the longest sequences of bytes that are not white space ---- */

MASS_FN int is_space(uint8_t byte) { return (byte >= 0x09 && byte <= 0x0d) | (byte == 0x20); }

/* Replaces capital letters by small ones. */
MASS_MAP(histogram_fold, UPDATES(TYPED(item, uint8_t)))
{
    OUT(item) = (uint8_t)(OUT(item) + ((OUT(item) >= 'A') & (OUT(item) <= 'Z')) * 32);
}

#ifndef __CUDACC__
/* Returns the number of bytes before the first white space of eight, without a branch: the ends of words are hard to
 * predict for a processor. */
MASS_FN int64_t before_space(const uint8_t bytes[8])
{
    const uint64_t ones = 0x0101010101010101u, high = 0x80 * ones;
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    const uint64_t low = word & ~high, blank = ~((low ^ 0x20 * ones) + 0x7f * ones);
    const uint64_t control = (low + 0x77 * ones) & ~(low + 0x72 * ones); /* 9 to 13 */
    const uint64_t spaces = (blank | control) & ~word & high;
    return spaces ? __builtin_ctzll(spaces) / 8 : 8;
}
#endif

/* Returns the length in bytes of a word that begins at text, at most `most`. */
MASS_FN int64_t word_length(const uint8_t *text, int64_t most)
{
    int64_t length = 0;
#ifndef __CUDACC__
    while (most - length >= 8) {
        const int64_t found = before_space(text + length);
        length += found;
        if (found < 8) return length;
    }
#endif
    while (length < most && !is_space(text[length])) length++;
    return length;
}

/* Chunks end between words, so a word is whole in its chunk. */
MASS_MAP(histogram_words, ITEMS(TYPED(text, uint8_t, item)), KEYS(COUNTS))
{
    if (is_space(ITEM(text, 0)) || (ITEMS_BEFORE > 0 && !is_space(ITEM(text, -1)))) return;
    COUNT_TEXT(counts, ITEMS_AT(text), word_length(ITEMS_AT(text), ITEMS_LEFT));
}

/* Counts the words: a word starts at a byte that is no space, after a space or at the start of the file. */
MASS_MAP(histogram_word_starts, ITEMS(TYPED(text, uint8_t, item)), SUMS(TYPED(total, int64_t)))
{
    const int after_space = ITEMS_BEFORE > 0 ? is_space(ITEM(text, -1)) : 1;
    ADD(total, (uint8_t)(!is_space(ITEM(text, 0)) && after_space));
}

/* ---- declarations ---- */

#if MASS_HOST

enum { BYTES, U16, U32, F32, WORDS };
static const char *const modes[] = {"bytes", "u16", "u32", "f32", "words", NULL};
static const char *const folds[] = {"no", "yes", NULL};
static const char *const methods[] = {"auto", "sequential", "global", "stride", "shared", NULL};

typedef struct mode {
    uint32_t type;
    size_t size;
    int64_t bins; /* its default number of bins, and the default end of the last one */
    double hi;
    const mass_callback *any, *shift;
} mode;
static const mode kinds[] = {{MASS_U8, 1, 256, 256, NULL, &histogram_bytes},
                             {MASS_U16, 2, 65536, 65536, &histogram_u16, &histogram_u16_shift},
                             {MASS_U32, 4, 65536, 4294967296.0, &histogram_u32, &histogram_u32_shift},
                             {MASS_F32, 4, 256, 1, &histogram_f32, NULL},
                             {MASS_U8, 1, 1, 1, NULL, NULL}};

enum { PIECE = 1 << 25, TOP_MOST = 1000, ROWS_MOST = 1000, LOGGED_MOST = 1 << 16 };
static const char *const own_file = "/proc/self/exe"; /* the file of this program */

/* The input and the parameters of a run. */
static struct {
    input in;
    char path[PATH_MAX];
    const mode *kind;
    int64_t bins, top, rows;
    int demonstrates; /* the user named no input */
    double lo, hi;
} run = {.in = {.file = -1}};

/* Declares the parameters. The mode is first, and sets run.kind: defaults of others depend on it. */
static void declare_parameters(mass_host *host)
{
    MASS_DECLARE(host, parameter, .name = "input", .type = MASS_TEXT, .text = "",
                 .help = "the file whose items are counted",
                 .by_default = "that of this program, to show what comes out");
    MASS_DECLARE(host, parameter, .name = "mode", .type = MASS_CHOICE, .choices = modes, .text = "bytes",
                 .help = "what an item is: a byte, a little-endian number of 16 or 32 bits, a float, a word");
    run.kind = &kinds[mass_values_of(host)->integer(host, "mode")];
    MASS_DECLARE(host, parameter, .name = "bins", .type = MASS_INTEGER, .integer = run.kind->bins, .integer_min = 1,
                 .integer_max = MASS_BINS_MAX, .help = "how many bins",
                 .by_default = "65536 for u16 and u32, else 256");
    MASS_DECLARE(host, parameter, .name = "lo", .type = MASS_REAL, .real = 0, .help = "where the first bin begins");
    MASS_DECLARE(host, parameter, .name = "hi", .type = MASS_REAL, .real = run.kind->hi,
                 .help = "where the last bin ends", .by_default = "1 for f32, else where the mode's numbers end");
    MASS_DECLARE(host, parameter, .name = "method", .type = MASS_CHOICE, .choices = methods, .text = "auto",
                 .help = "how it is counted: the engine's way, or one of four programs of a course");
    MASS_DECLARE(host, parameter, .name = "fold", .type = MASS_CHOICE, .choices = folds, .text = "no",
                 .help = "whether words in capitals count as those without: letters of ASCII");
    MASS_DECLARE(host, parameter, .name = "rows", .type = MASS_INTEGER, .integer = 16, .integer_min = 0,
                 .integer_max = ROWS_MOST, .help = "most rows of the chart of the bins at the end; 0: no chart");
    MASS_DECLARE(host, parameter, .name = "top", .type = MASS_INTEGER, .integer = 0, .integer_min = 0,
                 .integer_max = TOP_MOST,
                 .help = "how many of the fullest bins, or most frequent words, to print at the end");
}

static double bin_width(void) { return (run.hi - run.lo) / (double)run.bins; }

/* Copies the parameters into `run`, and fails if some do not fit each other. */
static mass_status take_parameters(mass_host *host)
{
    const mass_values_table *v = mass_values_of(host);
    run.bins = v->integer(host, "bins");
    run.lo = v->real(host, "lo");
    run.hi = v->real(host, "hi");
    run.top = v->integer(host, "top");
    run.rows = v->integer(host, "rows");
    run.demonstrates = !v->text(host, "input")[0];
    snprintf(run.path, sizeof run.path, "%s", run.demonstrates ? own_file : v->text(host, "input"));
    if (run.kind == &kinds[WORDS] && (run.bins != 1 || run.lo != 0 || run.hi != 1 || v->integer(host, "method")))
        return host->fail(host, MASS_BAD_USAGE, "mode=words has no bins: bins, lo, hi and method are for the others");
    if (run.kind != &kinds[WORDS] && v->integer(host, "fold"))
        return host->fail(host, MASS_BAD_USAGE, "fold=yes is for mode=words");
    if (run.kind == &kinds[BYTES] && (run.bins != 256 || run.lo != 0 || run.hi != 256))
        return host->fail(host, MASS_BAD_USAGE, "mode=bytes has 256 bins, one a byte: bins, lo and hi are for the "
                          "others");
    if (!(run.lo < run.hi) || !isfinite(run.hi - run.lo))
        return host->fail(host, MASS_BAD_USAGE, "lo=%.15g has to be less than hi=%.15g", run.lo, run.hi);
    if (!isnormal(bin_width()) || bin_width() < 8 * DBL_EPSILON * fmax(fabs(run.lo), fabs(run.hi)))
        return host->fail(host, MASS_BAD_USAGE, "bins=%lld: from lo=%.15g to hi=%.15g they are too narrow to be told "
                          "apart", (long long)run.bins, run.lo, run.hi);
    return MASS_OK;
}

/* Returns the power of two that is a bin's width; -1 if there is none, or if the bins exceed numbers of 32 bits. */
static int bin_shift(void)
{
    if (run.lo != floor(run.lo) || run.lo < 0 || run.hi > 0x1p32) return -1;
    const double width = bin_width();
    for (int shift = 0; shift < 32; shift++)
        if (width == (double)(INT64_C(1) << shift)) return shift;
    return -1;
}

/* Declares the constants of bins for the callbacks: by shifts if `shift` is not negative, else by a scale. */
static void declare_constants(mass_host *host, int shift)
{
    if (run.kind == &kinds[BYTES] || run.kind == &kinds[WORDS]) return;
    if (shift >= 0 && run.kind->shift) {
        MASS_DECLARE(host, constant, .name = "first", .type = MASS_INTEGER, .integer = (int64_t)run.lo);
        MASS_DECLARE(host, constant, .name = "last", .type = MASS_INTEGER, .integer = (int64_t)run.hi - 1);
        MASS_DECLARE(host, constant, .name = "closed", .type = MASS_INTEGER, .integer = run.hi < 0x1p32);
        MASS_DECLARE(host, constant, .name = "shift", .type = MASS_INTEGER, .integer = shift);
        return;
    }
    MASS_DECLARE(host, constant, .name = "begin", .type = MASS_REAL, .real = run.lo);
    MASS_DECLARE(host, constant, .name = "end", .type = MASS_REAL, .real = run.hi);
    MASS_DECLARE(host, constant, .name = "width", .type = MASS_REAL, .real = bin_width());
    MASS_DECLARE(host, constant, .name = "scale", .type = MASS_REAL, .real = (double)run.bins / (run.hi - run.lo));
    MASS_DECLARE(host, constant, .name = "last", .type = MASS_INTEGER, .integer = run.bins - 1);
}

/* Sets *count to the bytes up to the end of the last word that is whole, in a full chunk that begins at `at`. */
static mass_status cut_behind_word(mass_host *host, uint64_t at, const unsigned char *text, uint64_t *count)
{
    unsigned char next;
    uint64_t end = *count, got;
    const mass_status status = input_read(&run.in, host, at + end, &next, 1, &got);
    if (status != MASS_OK || got == 0 || is_space(next)) return status;
    while (end > 0 && !is_space(text[end - 1])) end--;
    if (end == 0)
        return host->fail(host, MASS_BAD_INPUT, "input %s has a word of more than %" PRIu64 " bytes, which is as much "
                          "as a piece holds: give a larger --size, or fewer --partitions or --ranks", run.path, *count);
    *count = end;
    return MASS_OK;
}

/* Reads the next items. A pass begins by opening the file again. */
static mass_status read_items(mass_host *host, uint64_t given, void *data, int64_t room, int64_t *count)
{
    uint64_t got;
    mass_status status = MASS_OK;
    if (given == 0) {
        input_close(&run.in);
        status = input_open(&run.in, host, run.path, run.kind->size);
    }
    if (status == MASS_OK)
        status = input_read(&run.in, host, given * run.kind->size, data, (uint64_t)room * run.kind->size, &got);
    if (status == MASS_OK && got % run.kind->size != 0)
        status = host->fail(host, MASS_BAD_INPUT, "input %s changed while it was read: it ends within an item",
                            run.path);
    if (status == MASS_OK && run.kind == &kinds[WORDS] && got == (uint64_t)room)
        status = cut_behind_word(host, given, data, &got);
    if (status == MASS_OK) *count = (int64_t)(got / run.kind->size);
    return status;
}

/* Declares tallies, phases and the stream of mode=words. */
static mass_status declare_words(mass_host *host, uint64_t items)
{
    MASS_DECLARE(host, tally, .name = "counts", .access = MASS_SUM, .keys = MASS_KEYS_TEXTS, .help = "words by text");
    MASS_DECLARE(host, tally, .name = "total", .access = MASS_SUM, .unit = "words", .help = "words of the file");
    mass_declare_of(host)->steps(host, 1);
    if (mass_values_of(host)->integer(host, "fold"))
        MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &histogram_fold);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &histogram_words);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP, .callback = &histogram_word_starts);
    return MASS_DECLARE_STREAM(host, .attribute = "item", .items = items, .read = read_items);
}

/* Declares the model. Opens the file only to learn its size, unless a resumed run no longer needs it. */
MASS_OPEN(histogram_declare)
{
    declare_parameters(host);
    mass_status status = take_parameters(host);
    /* A resumed run may have no steps left that need the file. */
    const int gone = mass_values_of(host)->resumed(host) && access(run.path, F_OK) != 0;
    if (status == MASS_OK && !gone) status = input_open(&run.in, host, run.path, run.kind->size);
    input_close(&run.in);
    if (status != MASS_OK) return status;
    const uint64_t items = run.in.size / run.kind->size;
    const int shift = bin_shift();
    const uint32_t method = (uint32_t)mass_values_of(host)->integer(host, "method");
    declare_constants(host, shift);
    MASS_DECLARE(host, space, .name = "piece", .dimensions_min = 1, .dimensions_max = 1,
                 .size = {items < 1 ? 1 : items < PIECE ? (mass_gidx)items : PIECE});
    MASS_DECLARE(host, attribute, .name = "item", .type = run.kind->type, .help = "an item of the file");
    mass_seed_of(host)->unused(host);
    if (run.kind == &kinds[WORDS]) return declare_words(host, items);
    MASS_DECLARE(host, tally, .name = "counts", .access = MASS_SUM, .bins = (uint32_t)run.bins, .method = method,
                 .low = run.lo, .high = run.hi, .help = "items by bin");
    MASS_DECLARE(host, tally, .name = "total", .access = MASS_SUM, .unit = "items", .help = "items of the file");
    if (run.kind != &kinds[BYTES])
        MASS_DECLARE(host, tally, .name = "apart", .access = MASS_SUM, .bins = APART_BINS,
                     .help = "items below lo, above hi, infinite, and not a number");
    if (run.bins <= LOGGED_MOST) MASS_DECLARE_SERIES(host, .expression = "counts");
    mass_declare_of(host)->steps(host, 1);
    MASS_DECLARE(host, phase, .schedule = MASS_STEP,
                 .callback = run.kind->shift && shift >= 0 ? run.kind->shift : run.kind->any);
    return MASS_DECLARE_STREAM(host, .attribute = "item", .items = items, .total = "total", .read = read_items);
}

/* ---- the end ---- */

typedef struct bin {
    int64_t count;
    uint32_t number;
} bin;

/* Compares two bins for qsort(): the larger count first, then the smaller number. */
static int fuller_first(const void *a, const void *b)
{
    const bin *x = a, *y = b;
    if (x->count != y->count) return x->count < y->count ? 1 : -1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Prints a bin's count and range. */
static void say_bin(mass_host *host, const bin *b)
{
    char line[120];
    const double width = bin_width(), from = run.lo + b->number * width;
    if (run.kind == &kinds[BYTES] && b->number > ' ' && b->number < 127)
        snprintf(line, sizeof line, "%12" PRId64 "  byte %3u  %c", b->count, b->number, (char)b->number);
    else if (run.kind == &kinds[BYTES]) snprintf(line, sizeof line, "%12" PRId64 "  byte %3u", b->count, b->number);
    else if (width == 1) snprintf(line, sizeof line, "%12" PRId64 "  %.15g", b->count, from);
    else snprintf(line, sizeof line, "%12" PRId64 "  %.6g to %.6g", b->count, from, from + width);
    mass_run_of(host)->say(host, line);
}

/* Prints the fullest bins, at most run.top. Prints no empty ones. */
static mass_status say_top(mass_host *host)
{
    int64_t *counts = malloc((size_t)run.bins * sizeof *counts);
    bin *bins = malloc((size_t)run.bins * sizeof *bins);
    mass_status status = counts && bins ? mass_tallies_of(host)->bins(host, "counts", 0, 0, (uint32_t)run.bins, counts)
                                        : host->fail(host, MASS_FAILED, "there is no memory to sort the bins");
    for (int64_t i = 0; status == MASS_OK && i < run.bins; i++) bins[i] = (bin){counts[i], (uint32_t)i};
    if (status == MASS_OK) qsort(bins, (size_t)run.bins, sizeof *bins, fuller_first);
    for (int64_t i = 0; status == MASS_OK && i < run.top && i < run.bins && bins[i].count > 0; i++)
        say_bin(host, &bins[i]);
    free(counts);
    free(bins);
    return status;
}

/* Prints words. Bytes other than printable ASCII, and the backslash, are printed as \\x and two digits. */
static mass_status say_words(mass_host *host)
{
    uint64_t count = (uint64_t)run.top, lengths[TOP_MOST];
    const unsigned char *texts[TOP_MOST];
    int64_t counts[TOP_MOST];
    const mass_status status = mass_keys_of(host)->top(host, "counts", 0, &count, NULL, texts, lengths, counts);
    for (uint64_t i = 0; status == MASS_OK && i < count; i++) {
        char line[160];
        int used = snprintf(line, sizeof line, "%12" PRId64 "  ", counts[i]);
        uint64_t k = 0;
        for (; k < lengths[i] && used < (int)sizeof line - 8; k++) {
            const unsigned char c = texts[i][k];
            const int plain = c > ' ' && c < 127 && c != '\\';
            used += snprintf(line + used, sizeof line - (size_t)used, plain ? "%c" : "\\x%02x", c);
        }
        if (k < lengths[i]) snprintf(line + used, sizeof line - (size_t)used, "...");
        mass_run_of(host)->say(host, line);
    }
    return status;
}

/* Prints how many items are in no bin, by cause. Prints nothing for causes that did not occur. */
static mass_status say_apart(mass_host *host)
{
    static const char *const what[APART_BINS] = {"below lo", "above hi", "infinite", "not a number"};
    int64_t apart[APART_BINS];
    const mass_status status = mass_tallies_of(host)->bins(host, "apart", 0, 0, APART_BINS, apart);
    for (int i = 0; status == MASS_OK && i < APART_BINS; i++) {
        char line[80];
        snprintf(line, sizeof line, "%" PRId64 " item%s %s, and in no bin", apart[i], apart[i] == 1 ? " is" : "s are",
                 what[i]);
        if (apart[i]) mass_run_of(host)->say(host, line);
    }
    return status;
}

/* Prints the results after the last step, and closes the file. */
static mass_status histogram_finish(mass_host *host)
{
    const int words = run.kind == &kinds[WORDS];
    const chart bars = {"counts", run.bins, run.lo, bin_width()};
    if (run.demonstrates)
        mass_run_of(host)->say(host, "no --set input=FILE was given: it counts this program's own file");
    mass_status status = run.rows && !words ? chart_say(host, &bars, run.rows) : MASS_OK;
    if (status == MASS_OK && run.kind != &kinds[BYTES] && !words) status = say_apart(host);
    if (status == MASS_OK && run.top) status = words ? say_words(host) : say_top(host);
    input_close(&run.in);
    return status;
}

#endif

MASS_PLUGIN(.name = "histogram", .version = "1.1.0", .help = "counts the items of a file by value",
            .finish = histogram_finish);
