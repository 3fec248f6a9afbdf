/* The paranoid device: the CPU, for authors who want to know that a callback keeps its promises.
 *
 * A launch never shows a callback the engine's memory, but copies of it in which everything that
 * the callback may not read is poison. It runs several times and has to compute the same each time:
 *     over the whole range, with one poison and with its complement: it reads no poison, and writes
 *     all that it has to, or one of the two would show;
 *     for every bit of a row's number, over the rows that have it and then over the others, the
 *     last first; and likewise for every bit of x. Any two places are told apart by some bit, so
 *     that a call for one can neither write the other nor look at its result unnoticed. A large
 *     launch tries one bit, and those of the steps after it the others.
 * After each part, all memory but the places asked for has to be as before. A NaN that it computes has to
 * be the canonical one. Only when all of this holds do the results become the engine's. */
#include "device/canonical.h"
#include "device/paranoid_agents.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIELDS_MAX = 256,
    COPIES_MAX = FIELDS_MAX + 5, /* and record, pointers, keys, gates, clock */
    ALIGNMENT = 256,
    PLACE_TEXT = 160,
    GAP = 1,        /* of poison between rows, planes and worlds */
    LARGE = 1 << 20 /* places of a launch that tries one cut a step */
};

/* What a callback gets instead of one piece of the engine's memory: that piece between two guards,
 * `total` bytes, three times. */
typedef struct copy {
    const mass_field *field; /* NULL for what is not a field */
    const char *name;
    bool on_places; /* an attribute's array; else one value a world, or a single one */
    bool written;   /* the callback may write its places, or its worlds' tallies */
    void *real;
    size_t bytes, guard, total, element;
    int64_t first;           /* element of place (0, 0, 0) of world 0 */
    int64_t real_first;      /* ... in the engine's memory */
    unsigned char *memory;   /* the callback's */
    unsigned char *expected; /* what memory has to hold, apart from the places asked for */
    unsigned char *result;   /* what memory held after the first run */
} copy;

typedef struct trial {
    const mass_work *work;
    const mass_callback *callback;
    const mass_launch *launch; /* the engine's */
    mass_loop *loop;
    bool tallies;
    mass_launch record; /* the callback's, as are the pointers */
    void *pointers[FIELDS_MAX];
    copy copies[COPIES_MAX]; /* those of the fields first */
    uint32_t count, record_at, pointers_at;
    mass_error *error;
} trial;

/* Which copies have the complement of their poison: one, or these. */
enum { NONE = -1, ALL = -2 };

/* The two parts of a run's places: those whose row or x has a bit, and the others. */
typedef struct cut {
    bool along_x;
    int bit;
} cut;

static const cut whole = {false, 62}; /* no row has that bit */

static bool is_tally(const mass_field *f) { return f->access >= MASS_SUM && f->access <= MASS_MAX; }

static bool is_open(const mass_launch *l, int64_t world)
{
    return !l->gates || l->gates[world] == 0;
}

static int64_t rows_of(const mass_launch *l)
{
    return (int64_t)l->worlds * l->extent[2] * l->extent[1];
}

static int64_t world_of(const mass_launch *l, int64_t row)
{
    return row / ((int64_t)l->extent[2] * l->extent[1]);
}

static int64_t element_at(const mass_launch *l, int64_t world, int64_t z, int64_t y, int64_t x)
{
    return world * l->world_stride + z * l->plane + y * l->pitch + x;
}

/* Byte of a place in a copy; ghosts are places too. */
static size_t byte_at(const trial *t, const copy *c, int64_t world, int64_t z, int64_t y, int64_t x)
{
    return c->guard + (size_t)(c->first + element_at(&t->record, world, z, y, x)) * c->element;
}

/* The same place in the engine's memory. */
static char *real_at(const trial *t, const copy *c, int64_t world, int64_t z, int64_t y, int64_t x)
{
    return (char *)c->real + (size_t)(c->real_first + element_at(t->launch, world, z, y, x)) * c->element;
}

static size_t byte_of_row(const trial *t, const copy *c, int64_t row, int64_t x)
{
    const mass_launch *l = t->launch;
    const int64_t sheet = row / l->extent[1];
    return byte_at(t, c, sheet / l->extent[2], sheet % l->extent[2], row % l->extent[1], x);
}

static char *real_row(const trial *t, const copy *c, int64_t row, int64_t x)
{
    const mass_launch *l = t->launch;
    const int64_t sheet = row / l->extent[1];
    return real_at(t, c, sheet / l->extent[2], sheet % l->extent[2], row % l->extent[1], x);
}

/* ---- messages ---- */

static mass_status blame(const trial *t, const copy *c, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static mass_status blame(const trial *t, const copy *c, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return mass_error_set(t->error, MASS_BAD_PLUGIN, "callback %s%s%s, step %" PRIu64 ": %s",
                          t->callback->name, c->field ? ", field " : "",
                          c->field ? c->field->name : "", t->work->step, text);
}

typedef struct spot {
    int64_t world, at[3];
    bool inside; /* the array, for a copy on places */
    bool own;    /* a place of the partition */
} spot;

static spot locate(const trial *t, const copy *c, size_t byte)
{
    const mass_launch *l = &t->record;
    spot s = {.inside = byte >= c->guard && byte - c->guard < c->bytes};
    if (!s.inside) return s;
    int64_t element = (int64_t)((byte - c->guard) / c->element);
    if (!c->on_places) {
        s.world = element;
        return s;
    }
    element -= c->first - l->ghost[2] * l->plane - l->ghost[1] * l->pitch - l->ghost[0]; /* from the first ghost */
    if (element < 0) {
        s.at[0] = element - l->ghost[0];
        s.at[1] = -l->ghost[1];
        s.at[2] = -l->ghost[2];
        return s;
    }
    s.world = element / l->world_stride;
    element %= l->world_stride;
    s.at[2] = element / l->plane - l->ghost[2];
    element %= l->plane;
    s.at[1] = element / l->pitch - l->ghost[1];
    s.at[0] = element % l->pitch - l->ghost[0];
    s.own = s.world < l->worlds;
    for (int a = 0; a < 3; a++) s.own &= s.at[a] >= 0 && s.at[a] < l->extent[a];
    return s;
}

/* "place (3, 4) of world 0", in global coordinates. */
static const char *describe(const trial *t, const spot *s, char text[PLACE_TEXT])
{
    const mass_launch *l = t->launch;
    const int axes = l->size[2] > 1 ? 3 : l->size[1] > 1 ? 2 : 1;
    int used = snprintf(text, PLACE_TEXT, "%s(", s->own ? "place " : "");
    for (int a = 0; a < axes; a++)
        used += snprintf(text + used, PLACE_TEXT - (size_t)used, "%s%" PRId64, a ? ", " : "",
                         l->origin[a] + s->at[a]);
    snprintf(text + used, PLACE_TEXT - (size_t)used, ") of world %" PRId64,
             l->first_world + s->world);
    return text;
}

/* "place (3, 4) of world 0", or "world 0" for a tally. */
static const char *describe_result(const trial *t, const copy *c, size_t byte,
                                   char text[PLACE_TEXT])
{
    const spot s = locate(t, c, byte);
    if (c->on_places) return describe(t, &s, text);
    snprintf(text, PLACE_TEXT, "world %" PRId64, t->launch->first_world + s.world);
    return text;
}

/* The callback wrote a byte that it had to leave alone. */
static mass_status blame_write(const trial *t, const copy *c, size_t byte)
{
    const spot s = locate(t, c, byte);
    const int64_t world = t->launch->first_world + s.world;
    char place[PLACE_TEXT];
    if (!c->field) return blame(t, c, "it writes to %s, which it may only read", c->name);
    if (!s.inside) return blame(t, c, "it is written outside its array");
    if (c->on_places) {
        describe(t, &s, place);
        if (c->field->access == MASS_READ)
            return blame(t, c, "it is READ, but is written at %s", place);
        if (!s.own) return blame(t, c, "it is written outside the partition, at %s", place);
        if (!is_open(t->launch, s.world))
            return blame(t, c, "it is written at %s, whose gate is closed", place);
        return blame(t, c, "it is written at %s by a call for other places", place);
    }
    if (c->field->access == MASS_PARAM)
        return blame(t, c, "it is PARAM, but is written for world %" PRId64, world);
    if (c->written)
        return blame(t, c, "it is added to for world %" PRId64 ", whose gate is closed", world);
    return blame(t, c, "it is added to for world %" PRId64 " in the form without tallies", world);
}

/* Where poison was read. */
static const char *describe_poison(const trial *t, const copy *c, char text[64])
{
    const bool quiet_tally = c->field && is_tally(c->field) && !c->written;
    if (!c->on_places) return quiet_tally ? "in the form without tallies" : "outside its array";
    if (c->field->access == MASS_WRITE) return "before it is written";
    if (c->field->access == MASS_UPDATE || t->callback->radius == 0)
        return "elsewhere than at the own place";
    snprintf(text, 64, "farther than %d away", t->callback->radius);
    return text;
}

/* The result of `changed` is another when `read` has another poison. */
static mass_status blame_read(const trial *t, const copy *read, const copy *changed, size_t byte)
{
    char where[PLACE_TEXT], how[64];
    return blame(t, read, "%s read %s, to compute field %s for %s",
                 read->field ? "it is" : read->name, describe_poison(t, read, how), changed->name,
                 describe_result(t, changed, byte, where));
}

static mass_status blame_state(const trial *t, const copy *c, size_t byte)
{
    char where[PLACE_TEXT];
    return blame(t, c, "its value for %s is another when the same call is repeated",
                 describe_result(t, c, byte, where));
}

static mass_status blame_order(const trial *t, const copy *c, size_t byte)
{
    char where[PLACE_TEXT];
    return blame(t, c, "its value for %s depends on the order in which places are computed",
                 describe_result(t, c, byte, where));
}

/* ---- copies ---- */

/* Room to read and write two layers beyond the ghosts and still hit poison. */
static size_t guard_of(const mass_launch *l, size_t element)
{
    const int64_t layer = l->size[2] > 1 ? l->plane : l->size[1] > 1 ? l->pitch : 1;
    return (2 * (size_t)layer * element + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
}

static mass_status add_copy(trial *t, const copy *kind)
{
    copy *c = &t->copies[t->count];
    *c = *kind;
    c->guard = c->on_places ? guard_of(&t->record, c->element) : ALIGNMENT;
    c->total = (2 * c->guard + c->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *memory;
    if (c->bytes > SIZE_MAX / 16 || posix_memalign(&memory, ALIGNMENT, 3 * c->total) != 0)
        return mass_error_memory(t->error, 3 * c->bytes, "the paranoid device");
    c->memory = memory;
    c->expected = c->memory + c->total;
    c->result = c->expected + c->total;
    t->count++;
    return MASS_OK;
}

/* The callback's record. What lies beyond the ghosts of a row, a plane or a world is poison, and not the ghosts of
 * the next. */
static void spread(trial *t)
{
    const mass_launch *l = t->launch;
    const int64_t rows = l->plane / l->pitch, planes = l->world_stride / l->plane;
    t->record = *l;
    t->record.pitch = l->pitch + GAP;
    t->record.plane = t->record.pitch * (rows > 1 ? rows + GAP : rows);
    t->record.world_stride = t->record.plane * (planes > 1 ? planes + GAP : planes);
}

/* From the layout of the engine's memory to that of the copy. */
static void spread_copy(const trial *t, copy *c)
{
    const mass_launch *l = t->launch, *r = &t->record;
    c->first = c->real_first + element_at(r, 0, l->ghost[2], l->ghost[1], 0) -
               element_at(l, 0, l->ghost[2], l->ghost[1], 0);
    c->bytes += (size_t)(l->worlds * (r->world_stride - l->world_stride)) * c->element;
}

static mass_status add_field(trial *t, uint32_t i)
{
    const mass_field *f = &t->callback->fields[i];
    const mass_field_memory *m = &t->work->memory[i];
    copy c = {.field = f, .name = f->name, .on_places = f->access <= MASS_UPDATE};
    if (c.on_places) {
        const ptrdiff_t before = (char *)t->work->fields[i] - (char *)m->start;
        c.real = m->start;
        c.bytes = m->bytes;
        c.element = m->element_size;
        c.real_first = before / (ptrdiff_t)c.element;
        spread_copy(t, &c);
        c.written = f->access != MASS_READ;
    } else {
        c.real = t->work->fields[i];
        c.element = is_tally(f) ? sizeof(int64_t) : f->size;
        c.bytes = (size_t)t->launch->worlds * c.element;
        c.written = is_tally(f) && t->tallies;
    }
    const mass_status status = add_copy(t, &c);
    if (status == MASS_OK)
        t->pointers[i] = t->copies[i].memory + t->copies[i].guard + (size_t)c.first * c.element;
    return status;
}

/* Copies what the record points at, and points the callback's record there. */
static mass_status add_list(trial *t, const char *name, const void *real, size_t bytes, void **to)
{
    const mass_status status =
        add_copy(t, &(copy){.name = name, .real = (void *)real, .bytes = bytes, .element = bytes});
    if (status == MASS_OK) *to = t->copies[t->count - 1].memory + t->copies[t->count - 1].guard;
    return status;
}

static mass_status add_copies(trial *t)
{
    const mass_launch *l = t->launch;
    const size_t worlds = (size_t)l->worlds;
    void *keys = NULL, *gates = NULL, *clock = NULL, *ignored;
    mass_status status = MASS_OK;
    spread(t);
    for (uint32_t i = 0; status == MASS_OK && i < t->callback->field_count; i++)
        status = add_field(t, i);
    if (status == MASS_OK && l->keys)
        status = add_list(t, "the random keys", l->keys, worlds * sizeof *l->keys, &keys);
    if (status == MASS_OK && l->gates)
        status = add_list(t, "the gates", l->gates, worlds * sizeof *l->gates, &gates);
    if (status == MASS_OK && l->clock)
        status = add_list(t, "the clock", l->clock, sizeof *l->clock, &clock);
    t->record.keys = keys;
    t->record.gates = gates;
    t->record.clock = clock;
    t->record_at = t->count;
    if (status == MASS_OK)
        status = add_list(t, "the launch record", &t->record, sizeof t->record, &ignored);
    t->pointers_at = t->count;
    if (status == MASS_OK)
        status = add_list(t, "the struct of pointers", t->pointers,
                          t->callback->field_count * sizeof *t->pointers, &ignored);
    return status;
}

static void free_copies(trial *t)
{
    for (uint32_t i = 0; i < t->count; i++) free(t->copies[i].memory);
}

/* Poison: bits without a pattern, others in each step, phase and copy. */
static uint64_t poison_word(const trial *t, uint32_t index, size_t word)
{
    const uint64_t where = (uint64_t)index << 40 ^ (uint64_t)t->launch->phase << 52 ^ word;
    uint64_t bits = (where + t->work->step * 0xd1342543de82ef95u) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 32) * 0xd6e8feb86659fd93u;
    return bits ^ bits >> 32;
}

static unsigned char poison_byte(const trial *t, uint32_t index, size_t byte)
{
    unsigned char bytes[8];
    const uint64_t word = poison_word(t, index, byte / 8);
    memcpy(bytes, &word, sizeof bytes);
    return bytes[byte % 8];
}

/* How far along an axis a field may be read. */
static int64_t reach(const trial *t, const copy *c, int axis)
{
    const mass_callback *k = t->callback;
    if (c->field->access != MASS_READ || (k->dimensions != 0 && axis >= k->dimensions)) return 0;
    return k->radius < t->launch->ghost[axis] ? k->radius : t->launch->ghost[axis];
}

/* What a callback may read of an attribute. */
static void reveal_places(const trial *t, const copy *c)
{
    const mass_launch *l = t->launch;
    const int64_t rx = reach(t, c, 0), ry = reach(t, c, 1), rz = reach(t, c, 2);
    const size_t bytes = (size_t)(l->extent[0] + 2 * rx) * c->element;
    for (int64_t w = 0; w < l->worlds; w++)
        for (int64_t z = -rz; is_open(l, w) && z < l->extent[2] + rz; z++)
            for (int64_t y = -ry; y < l->extent[1] + ry; y++) {
                const size_t at = byte_at(t, c, w, z, y, -rx);
                memcpy(c->expected + at, real_at(t, c, w, z, y, -rx), bytes);
            }
}

static void reveal(const trial *t, const copy *c)
{
    if (c->on_places) {
        if (c->field->access != MASS_WRITE) reveal_places(t, c);
    } else if (!c->field || !is_tally(c->field)) {
        memcpy(c->expected + c->guard, c->real, c->bytes);
    } else if (c->written) {
        const int64_t neutral = mass_cpu_neutral(c->field->access);
        for (int32_t w = 0; w < t->launch->worlds; w++)
            memcpy(c->expected + c->guard + (size_t)w * sizeof neutral, &neutral, sizeof neutral);
    }
}

static void prepare_copy(const trial *t, uint32_t index, int flipped)
{
    const copy *c = &t->copies[index];
    const uint64_t flip = flipped == ALL || flipped == (int)index ? UINT64_MAX : 0;
    for (size_t at = 0; at < c->total; at += sizeof flip) {
        const uint64_t word = poison_word(t, index, at / sizeof flip) ^ flip;
        memcpy(c->expected + at, &word, sizeof word);
    }
    reveal(t, c);
    memcpy(c->memory, c->expected, c->total);
}

/* ---- runs ---- */

/* Asks for one part of the places, in calls as long as they can be, the last first. */
static void call_part(const trial *t, cut by, int64_t part)
{
    const copy *record = &t->copies[t->record_at], *pointers = &t->copies[t->pointers_at];
    const void *fields = pointers->memory + pointers->guard;
    const mass_launch *l = (const void *)(record->memory + record->guard);
    const int64_t rows = rows_of(t->launch), width = t->launch->extent[0];
    const int64_t count = by.along_x ? width : rows, length = (int64_t)1 << by.bit;
    for (int64_t first = (count - 1) / length * length; first >= 0; first -= length) {
        if ((first >> by.bit & 1) != part) continue;
        const int64_t last = first + length < count ? first + length : count;
        mass_range range = {0, rows, 0, (mass_lidx)width};
        if (by.along_x) range.first_x = (mass_lidx)first, range.last_x = (mass_lidx)last;
        else range.first_row = first, range.last_row = last;
        t->loop(fields, l, &range);
    }
}

/* Expects what was written at the places of one part. */
static void accept_row(const trial *t, const copy *c, cut by, int64_t part, int64_t row)
{
    const int64_t width = t->launch->extent[0], length = (int64_t)1 << by.bit;
    const size_t at = byte_of_row(t, c, row, 0);
    if (!by.along_x && (row >> by.bit & 1) == part)
        memcpy(c->expected + at, c->memory + at, (size_t)width * c->element);
    for (int64_t x = part * length; by.along_x && x < width; x += 2 * length) {
        const int64_t count = x + length < width ? length : width - x;
        const size_t from = at + (size_t)x * c->element;
        memcpy(c->expected + from, c->memory + from, (size_t)count * c->element);
    }
}

static void accept_places(const trial *t, cut by, int64_t part)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const copy *c = &t->copies[i];
        if (!c->on_places || !c->written) continue;
        for (int64_t row = 0; row < rows_of(t->launch); row++)
            if (is_open(t->launch, world_of(t->launch, row))) accept_row(t, c, by, part, row);
    }
}

static void accept_tallies(const trial *t)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const copy *c = &t->copies[i];
        if (c->on_places || !c->written) continue;
        for (int32_t w = 0; w < t->launch->worlds; w++) {
            const size_t at = c->guard + (size_t)w * c->element;
            if (is_open(t->launch, w)) memcpy(c->expected + at, c->memory + at, c->element);
        }
    }
}

static size_t first_difference(const unsigned char *a, const unsigned char *b)
{
    size_t at = 0;
    while (a[at] == b[at]) at++;
    return at;
}

static mass_status check_untouched(const trial *t)
{
    for (uint32_t i = 0; i < t->count; i++) {
        const copy *c = &t->copies[i];
        if (memcmp(c->memory, c->expected, c->total) != 0)
            return blame_write(t, c, first_difference(c->memory, c->expected));
    }
    return MASS_OK;
}

static mass_status run(const trial *t, cut by, int flipped)
{
    for (uint32_t i = 0; i < t->count; i++) prepare_copy(t, i, flipped);
    mass_status status = MASS_OK;
    for (int64_t part = 1; status == MASS_OK && part >= 0; part--) {
        call_part(t, by, part);
        accept_places(t, by, part);
        accept_tallies(t);
        status = check_untouched(t);
    }
    return status;
}

/* ---- results ---- */

static void keep_results(const trial *t)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const copy *c = &t->copies[i];
        if (c->written) memcpy(c->result, c->memory, c->total);
    }
}

static bool differs(const copy *c, size_t at, size_t bytes, size_t *byte)
{
    if (memcmp(c->memory + at, c->result + at, bytes) == 0) return false;
    *byte = at + first_difference(c->memory + at, c->result + at);
    return true;
}

static bool places_differ(const trial *t, const copy *c, size_t *byte)
{
    const size_t bytes = (size_t)t->launch->extent[0] * c->element;
    for (int64_t row = 0; row < rows_of(t->launch); row++)
        if (is_open(t->launch, world_of(t->launch, row)) &&
            differs(c, byte_of_row(t, c, row, 0), bytes, byte))
            return true;
    return false;
}

/* A field, and the first byte of it, whose result is not that of the first run. */
static const copy *find_difference(const trial *t, size_t *byte)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const copy *c = &t->copies[i];
        if (!c->written) continue;
        if (c->on_places && places_differ(t, c, byte)) return c;
        if (!c->on_places && differs(c, c->guard, c->bytes, byte)) return c;
    }
    return NULL;
}

/* Whether a byte is poison after both runs, and was never written. */
static bool is_unwritten(const trial *t, const copy *c, size_t byte)
{
    const unsigned char poison = poison_byte(t, (uint32_t)(c - t->copies), byte);
    return c->on_places && c->field->access == MASS_WRITE && c->result[byte] == poison &&
           c->memory[byte] == (unsigned char)~poison;
}

/* After a run with the complement of all poison that came to other results: repeats the first run,
 * and then gives one copy after the other the complement. */
static mass_status explain_poison(const trial *t, const copy *changed, size_t byte)
{
    char where[PLACE_TEXT];
    if (is_unwritten(t, changed, byte))
        return blame(t, changed, "it is WRITE, but is left unwritten at %s",
                     describe_result(t, changed, byte, where));
    mass_status status = run(t, whole, NONE);
    if (status != MASS_OK) return status;
    size_t at;
    const copy *c = find_difference(t, &at);
    if (c) return blame_state(t, c, at);
    for (uint32_t i = 0; i < t->count; i++) {
        status = run(t, whole, (int)i);
        if (status != MASS_OK) return status;
        c = find_difference(t, &at);
        if (c) return blame_read(t, &t->copies[i], c, at);
    }
    return blame(t, changed, "its value for %s depends on values that the callback may not read",
                 describe_result(t, changed, byte, where));
}

static mass_status try_poison(const trial *t)
{
    mass_status status = run(t, whole, NONE);
    if (status != MASS_OK) return status;
    keep_results(t);
    status = run(t, whole, ALL);
    if (status != MASS_OK) return status;
    size_t byte;
    const copy *changed = find_difference(t, &byte);
    return changed ? explain_poison(t, changed, byte) : MASS_OK;
}

static mass_status try_cut(const trial *t, cut by)
{
    const mass_status status = run(t, by, NONE);
    if (status != MASS_OK) return status;
    size_t byte;
    const copy *changed = find_difference(t, &byte);
    return changed ? blame_order(t, changed, byte) : MASS_OK;
}

static int bits_of(int64_t last)
{
    int bits = 0;
    while (last >> bits) bits++;
    return bits;
}

/* From the highest bit on: two places are then in one call until they are in different parts, so
 * that a write from one to the other shows as such. */
static mass_status try_cuts(const trial *t)
{
    const int64_t rows = rows_of(t->launch), width = t->launch->extent[0];
    const int of_rows = bits_of(rows - 1), count = of_rows + bits_of(width - 1);
    const bool large = width * rows > LARGE;
    const int first = large ? (int)(t->work->step % (uint64_t)count) : 0;
    const int last = large ? first : count - 1;
    mass_status status = MASS_OK;
    for (int i = first; status == MASS_OK && i <= last; i++)
        status = try_cut(t, i < of_rows ? (cut){false, of_rows - 1 - i} : (cut){true, count - 1 - i});
    return status;
}

/* A NaN that was there before is not the callback's. */
static mass_status check_numbers(const trial *t, uint32_t field)
{
    const copy *c = &t->copies[field];
    char where[PLACE_TEXT];
    for (int64_t row = 0; row < rows_of(t->launch); row++)
        for (int64_t x = 0; is_open(t->launch, world_of(t->launch, row)) && x < t->launch->extent[0]; x++) {
            const size_t at = byte_of_row(t, c, row, x);
            if (!mass_is_canonical(c->field, t->work->memory[field].attribute, c->result + at) &&
                memcmp(real_row(t, c, row, x), c->result + at, c->element) != 0)
                return blame(t, c, "it is a NaN of other bits than the canonical one at %s: store what "
                             "mass_canonical_f32 or _f64 makes of it", describe_result(t, c, at, where));
        }
    return MASS_OK;
}

static mass_status check_all_numbers(const trial *t)
{
    mass_status status = MASS_OK;
    for (uint32_t i = 0; status == MASS_OK && i < t->callback->field_count; i++)
        if (t->copies[i].on_places && t->copies[i].written) status = check_numbers(t, i);
    return status;
}

static void hand_over_places(const trial *t, const copy *c)
{
    const size_t bytes = (size_t)t->launch->extent[0] * c->element;
    for (int64_t row = 0; row < rows_of(t->launch); row++) {
        if (!is_open(t->launch, world_of(t->launch, row))) continue;
        const size_t at = byte_of_row(t, c, row, 0);
        memcpy(real_row(t, c, row, 0), c->result + at, bytes);
    }
}

static void hand_over_tally(const trial *t, const copy *c)
{
    int64_t *total = c->real;
    for (int32_t w = 0; w < t->launch->worlds; w++) {
        int64_t added;
        memcpy(&added, c->result + c->guard + (size_t)w * sizeof added, sizeof added);
        total[w] = mass_cpu_combine(c->field->access, total[w], added);
    }
}

static void hand_over(const trial *t)
{
    for (uint32_t i = 0; i < t->callback->field_count; i++) {
        const copy *c = &t->copies[i];
        if (!c->written) continue;
        if (c->on_places) hand_over_places(t, c);
        else hand_over_tally(t, c);
    }
}

/* ---- the device ---- */

static bool has_tally(const mass_callback *c)
{
    for (uint32_t i = 0; i < c->field_count; i++)
        if (is_tally(&c->fields[i])) return true;
    return false;
}

static mass_status launch(mass_device *device, const mass_work *work, mass_error *error)
{
    const mass_prepared *p = work->prepared;
    if (p->callback->over != MASS_OVER_PLACES) return mass_paranoid_agents(device, work, error);
    trial *t = calloc(1, sizeof *t);
    if (!t) return mass_error_memory(error, sizeof *t, "the paranoid device");
    t->work = work;
    t->callback = p->callback;
    t->launch = work->launch;
    t->tallies = work->tallies && has_tally(p->callback);
    t->loop = (t->tallies ? p->tally : p->quiet)->loop;
    t->error = error;
    mass_cpu_set_float_environment();
    mass_status status = add_copies(t);
    if (status == MASS_OK) status = try_poison(t);
    if (status == MASS_OK) status = try_cuts(t);
    if (status == MASS_OK) status = check_all_numbers(t);
    if (status == MASS_OK) hand_over(t);
    free_copies(t);
    free(t);
    return status;
}

static mass_status open_paranoid(int ordinal, int threads, mass_device **out, mass_error *error)
{
    (void)ordinal;
    return mass_cpu_open(&mass_paranoid_table, threads, out, error);
}

static const char *name_of_paranoid(mass_device *device)
{
    (void)device;
    return "paranoid";
}

/* Every array has three copies while it is in use. */
static mass_status free_memory(mass_device *device, size_t *bytes, mass_error *error)
{
    size_t available;
    const mass_status status = mass_cpu_free_memory(device, &available, error);
    if (status == MASS_OK) *bytes = available / 4;
    return status;
}

const mass_device_table mass_paranoid_table = {
    .struct_size = sizeof(mass_device_table),
    .in_host_memory = true,
    .open = open_paranoid,
    .close = mass_cpu_close,
    .name = name_of_paranoid,
    .free_memory = free_memory,
    .allocate = mass_cpu_allocate,
    .release = mass_cpu_release,
    .upload = mass_cpu_upload,
    .download = mass_cpu_upload,
    .upload_box = mass_cpu_box,
    .download_box = mass_cpu_box,
    .fill = mass_cpu_fill_array,
    .copy = mass_cpu_box,
    .prepare = mass_cpu_prepare,
    .launch = launch,
    .manage = mass_cpu_carry_out,
    .gate = mass_cpu_gate,
    .census = mass_cpu_census,
    .synchronise = mass_cpu_synchronise,
};
