/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a callback over bits into a rule. The checking loop runs the body over worlds of one place each. Every world
 * has its own neighbourhood, and its own tallies, which tell what the place adds to them. All combinations of the
 * inputs are probed, never a sample. The loop writes an effect log, which tells if the body used anything but its
 * values; then there is no rule.
 *
 * - If all neighbours are 18 bits at most, all of them are inputs. Otherwise the body is first probed with only its own
 *   places. Places that it read in any of these worlds become inputs, and probing begins again, until it reads nothing
 *   new. A body's next read depends only on what it has read. So it has then been probed with all that it can see.
 *   This needs a plugin whose effect logs tell where bodies read (effects_size).
 * - Some combinations never occur in a run, and the body may crash or loop on them. So a copy of the process probes
 *   first, once for all sets of parameters. If it does not come back, there is no rule.
 * - Worlds of a sweep have a rule for each set of the parameters that the body gets: up to 64.
 * - Without a rule, the body runs as it is written. */
#include "model/access.h"
#include "base/floats.h"
#include "base/sized.h"
#include "process/crash.h"
#include "process/rehearse.h"
#include "rule/diagram.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    ASKED_AT_ONCE = 4096,
    BYTES_AT_ONCE = 1 << 22, /* of the places of worlds that are probed at once */
    FIELDS_MOST = 64,
    VOLUME_MOST = 1 << 16,   /* places of a world, of all fields, if probes find where bodies read */
    RADIUS_MOST = INT8_MAX,
    REHEARSAL_SECONDS = 5,   /* for SETS_AT_ONCE sets of parameters */
    SETS_AT_ONCE = 8         /* sets of parameters for REHEARSAL_SECONDS of processor time */
};

typedef struct asking {
    const mass_callback *callback;
    const mass_form *form;
    bool tallies;          /* probed as well */
    bool by_looks;         /* the inputs are own places and places that bodies read */
    int64_t width, volume; /* of a neighbourhood, in places; one place if only the own place is read */
    int64_t centre;        /* number of the own place in it */
    int64_t stride;        /* of a world: the neighbourhoods of all fields of places, one after the other */
    size_t worlds;         /* worlds that are probed at once, a power of two */
    uint8_t *places;       /* [worlds + 1][stride], the last with defaults */
    uint8_t *looks;        /* [stride] 1: a body read this place in any world */
    int64_t at[FIELDS_MOST];         /* for fields of places: start of their neighbourhood in a world */
    uint64_t *values[FIELDS_MOST];   /* [worlds] for other fields */
    void *fields[FIELDS_MOST];       /* as loops take them */
    int64_t *addends[FIELDS_MOST];   /* for tallies, by entry */
    uint64_t *keys;
    mass_rule_tables tables;
    const char *why_not; /* reason against a rule; NULL: none so far */
} asking;

/* Returns whether a field has the effect on places. */
static bool does(const mass_field *f, unsigned effect)
{
    return mass_access_does_to_places(f->access, MASS_OVER_PLACES, effect);
}
/* Return whether a field is read, is written, reaches around the place, is of places, or is a parameter or constant. */
static bool is_input(const mass_field *f) { return does(f, MASS_EFFECT_READS); }
static bool is_output(const mass_field *f) { return does(f, MASS_EFFECT_WRITES); }
static bool is_around(const mass_field *f) { return mass_access_of(f->access)->reach == MASS_REACH_AROUND; }
static bool is_of_places(const mass_field *f) { return is_input(f) || is_output(f); }
static bool is_given(const mass_field *f)
{
    return mass_access_class_of(f->access, MASS_OVER_PLACES) == MASS_CLASS_WORLD;
}

/* Returns whether a field is an integer sum, whose addends are probed. */
static bool is_asked_tally(const mass_field *f) { return f->access == MASS_SUM && f->type == MASS_I64; }

/* Returns why a callback cannot have a rule, or NULL: all its places must be bits, and it must write some. *any: it has
 * bits at all. */
static const char *why_not_of(const mass_callback *c, bool *any)
{
    const char *why = c->over != MASS_OVER_PLACES ? "it is not over all places at once"
                    : c->network && c->network[0] ? "it follows the edges of a network"
                    : c->field_count > FIELDS_MOST ? "it has too many attributes" : NULL;
    bool written = false;
    *any = false;
    for (uint32_t i = 0; i < c->field_count; i++) {
        const mass_field *f = &c->fields[i];
        const bool of_places = is_of_places(f), list = is_given(f) && f->type == MASS_STRUCT;
        *any |= f->type == MASS_BIT;
        written |= is_output(f);
        if (why) continue;
        if (of_places && f->type != MASS_BIT) why = "attributes of other types than bool take part";
        else if (list) why = "it has a list of parameters";
        else if (of_places ? mass_access_of(f->access)->reach == MASS_REACH_ROW
                           : !is_given(f) && !mass_access_is_tally(f->access))
            why = "it does more than to look at bits, to write them and to count";
    }
    return why || written ? why : "it writes no attribute of places";
}

/* Returns whether all tallies are sums of integers, so that addends can be probed. */
static bool asks_tallies(const mass_callback *c)
{
    bool all = true;
    for (uint32_t i = 0; i < c->field_count; i++)
        all &= !mass_access_is_tally(c->fields[i].access) || is_asked_tally(&c->fields[i]);
    return all;
}

/* Returns the checked form for any CPU, with or without tallies; NULL if there is none. */
static const mass_form *find_form(const mass_callback *c, bool tallies)
{
    const uint32_t flags = tallies ? MASS_FORM_TALLIES : 0;
    for (uint32_t i = 0; i < c->form_count; i++) {
        const mass_form *f = &c->forms[i];
        if (f->id == MASS_FORM_CHECKED && f->loop && f->isa == MASS_ISA_BASE &&
            (f->flags & ~(uint32_t)MASS_FORM_PUSHES) == flags)
            return f;
    }
    return NULL;
}

/* Sets the size of a neighbourhood, and where each field has its own in a probed world. */
static void find_neighbourhoods(asking *a)
{
    const mass_callback *c = a->callback;
    const int64_t width = 2 * (int64_t)c->radius + 1;
    a->width = width;
    a->volume = width * (c->dimensions > 1 ? width : 1) * (c->dimensions > 2 ? width : 1);
    a->centre = a->volume / 2;
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (!is_of_places(&c->fields[i])) continue;
        a->at[i] = a->stride;
        a->stride += a->volume;
    }
}

/* ---- inputs ---- */

/* Adds place `cell` of a field's neighbourhood as an input. */
static void add_input(asking *a, uint32_t field, int64_t cell)
{
    const mass_callback *c = a->callback;
    const int r = c->radius, ry = c->dimensions > 1 ? r : 0, rz = c->dimensions > 2 ? r : 0;
    const int64_t row = cell / a->width, rows = 2 * ry + 1;
    a->tables.inputs[a->tables.input_count++] =
        (mass_rule_input){field, (int8_t)(cell % a->width - r), (int8_t)(row % rows - ry), (int8_t)(row / rows - rz)};
}

/* Makes all places that bodies may read inputs, row by row. If there are too many, adds none and returns false. */
static bool take_all(asking *a)
{
    const mass_callback *c = a->callback;
    int64_t count = 0;
    for (uint32_t i = 0; i < c->field_count; i++)
        if (is_input(&c->fields[i])) count += is_around(&c->fields[i]) ? a->volume : 1;
    if (count > MASS_RULE_PROBES_MOST) return false;
    for (uint32_t i = 0; i < c->field_count; i++) {
        const bool around = is_around(&c->fields[i]);
        const int64_t first = around ? 0 : a->centre, last = around ? a->volume - 1 : a->centre;
        for (int64_t cell = first; is_input(&c->fields[i]) && cell <= last; cell++) add_input(a, i, cell);
    }
    return true;
}

/* Makes own places, and places that bodies have read so far, inputs, in the same order. Returns false if there are no
 * more than before, or if there are too many, for which it sets why_not. */
static bool take_looks(asking *a)
{
    const mass_callback *c = a->callback;
    const uint32_t before = a->tables.input_count;
    a->tables.input_count = 0;
    for (uint32_t i = 0; i < c->field_count; i++) {
        if (!is_input(&c->fields[i])) continue;
        uint8_t *const looks = a->looks + a->at[i], *const end = looks + a->volume;
        looks[a->centre] = 1; /* reads of it are not logged */
        for (uint8_t *at = looks; (at = memchr(at, 1, (size_t)(end - at))); at++) {
            if (a->tables.input_count == MASS_RULE_PROBES_MOST) {
                static_assert(MASS_RULE_PROBES_MOST == 18, "as people are told");
                a->why_not = "it looks at more than 18 bits";
                return false;
            }
            add_input(a, i, at - looks);
        }
    }
    return a->tables.input_count > before;
}

/* Finds the inputs, if they are known without probing. Otherwise sets by_looks, or why there is no rule. */
static void find_inputs(asking *a, uint32_t effects_size)
{
    find_neighbourhoods(a);
    if (take_all(a)) return;
    a->by_looks = effects_size >= MASS_THROUGH(mass_effects, looks_period) && a->stride <= VOLUME_MOST &&
                  a->callback->radius <= RADIUS_MOST;
    if (!a->by_looks) a->why_not = "it may look at more than 18 bits";
}

/* ---- memory ---- */

/* Returns the number of combinations of all inputs. */
static size_t entries_of(const asking *a) { return (size_t)1 << a->tables.input_count; }

/* Sets how many combinations are probed at once: one a world, within BYTES_AT_ONCE. */
static void find_worlds(asking *a)
{
    a->worlds = a->by_looks || entries_of(a) > ASKED_AT_ONCE ? ASKED_AT_ONCE : entries_of(a);
    while (a->worlds > 1 && (int64_t)a->worlds * a->stride > BYTES_AT_ONCE) a->worlds /= 2;
}

/* Points a field to its neighbourhood in the probed worlds, or allocates its values. */
static mass_status make_field(asking *a, uint32_t i, mass_error *error)
{
    const mass_field *f = &a->callback->fields[i];
    if (is_of_places(f)) {
        a->fields[i] = a->places + a->at[i] + a->centre;
        return MASS_OK;
    }
    a->fields[i] = a->values[i] = calloc(a->worlds, sizeof *a->values[i]);
    return a->values[i] ? MASS_OK : mass_error_memory(error, a->worlds * sizeof *a->values[i], "a rule");
}

/* Allocates the places, keys and fields with which the callback is called. clean_up frees them, also on failure. */
static mass_status make(asking *a, mass_error *error)
{
    find_worlds(a);
    const size_t bytes = (a->worlds + 1) * (size_t)a->stride;
    a->places = calloc(bytes, 1);
    a->looks = calloc((size_t)a->stride, 1);
    a->keys = calloc(a->worlds, sizeof *a->keys);
    mass_status status = a->places && a->looks && a->keys ? MASS_OK : mass_error_memory(error, bytes, "a rule");
    for (uint32_t i = 0; status == MASS_OK && i < a->callback->field_count; i++)
        status = make_field(a, i, error);
    return status;
}

/* Makes a table for each field that is written, and addends for each sum if tallies are probed. The inputs are
 * known. */
static mass_status make_tables(asking *a, mass_error *error)
{
    for (uint32_t i = 0; i < a->callback->field_count; i++) {
        const mass_field *f = &a->callback->fields[i];
        const mass_rule_output output = {.kind = MASS_RULE_FIELD, .field = i};
        if (is_output(f) && !mass_rule_tables_add(&a->tables, output))
            return mass_error_memory(error, entries_of(a), "a rule");
        if (!a->tallies || !is_asked_tally(f)) continue;
        a->addends[i] = calloc(entries_of(a), sizeof(int64_t));
        if (!a->addends[i]) return mass_error_memory(error, sizeof(int64_t) * entries_of(a), "a rule");
    }
    return MASS_OK;
}

/* Frees the probe and all that it allocated, tables included. */
static void clean_up(asking *a)
{
    for (uint32_t i = 0; i < FIELDS_MOST; i++) {
        free(a->values[i]);
        free(a->addends[i]);
    }
    mass_rule_tables_free(&a->tables);
    free(a->places);
    free(a->looks);
    free(a->keys);
    free(a);
}

/* ---- probes ---- */

/* Sets the parameters, the same in all probes. With by_looks, forgets where bodies read, and the inputs. */
static void give(asking *a, const void *const *parameters)
{
    for (uint32_t i = 0; i < a->callback->field_count; i++)
        for (size_t w = 0; is_given(&a->callback->fields[i]) && w < a->worlds; w++)
            memcpy(&a->values[i][w], parameters[i], sizeof *a->values[i]);
    if (!a->by_looks) return;
    memset(a->looks, 0, (size_t)a->stride);
    a->tables.input_count = 0;
}

/* Writes `worlds` combinations of the inputs, from number `first` on, and sets the sums to 0. */
static void write_questions(asking *a, size_t first, size_t worlds)
{
    const mass_rule_tables *t = &a->tables;
    for (uint32_t i = 0; i < a->callback->field_count; i++)
        if (is_asked_tally(&a->callback->fields[i])) memset(a->values[i], 0, worlds * sizeof *a->values[i]);
    for (uint32_t k = 0; k < t->input_count; k++) {
        const mass_rule_input *in = &t->inputs[k];
        uint8_t *at = (uint8_t *)a->fields[in->field] + (in->z * a->width + in->y) * a->width + in->x;
        for (size_t w = 0; w < worlds; w++, at += a->stride) *at = (first + w) >> k & 1;
    }
}

/* Stores the outputs and addends of the probed combinations `first` and up in the tables. */
static void read_answers(asking *a, size_t first, size_t worlds)
{
    for (uint32_t o = 0; o < a->tables.count; o++) {
        const mass_rule_table *table = &a->tables.list[o];
        const uint8_t *at = a->fields[table->output.field];
        for (size_t w = 0; w < worlds; w++, at += a->stride) table->bits[first + w] = *at != 0;
    }
    for (uint32_t i = 0; i < a->callback->field_count; i++)
        if (a->addends[i]) memcpy(a->addends[i] + first, a->values[i], worlds * sizeof *a->addends[i]);
}

/* Returns the first thing that a body used besides its values, as a clause; NULL: nothing. */
static const char *what_was_noted(uint32_t asked)
{
    static const struct { uint32_t what; const char *why; } all[] = {
        {MASS_NOTED_RANDOM, "its body draws random numbers"}, {MASS_NOTED_POSITION, "its body asks for the position"},
        {MASS_NOTED_SIZE, "its body asks for the size of the space"}, {MASS_NOTED_STEP, "its body asks for the step"},
        {MASS_NOTED_EXISTS, "its body asks which places exist"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (asked & all[i].what) return all[i].why;
    return asked ? "its body depends on more than bits" : NULL;
}

/* Probes some neighbourhoods. Sets why_not if bodies used more than their values, or read further than they may. */
static void put_questions(asking *a, size_t first, size_t worlds)
{
    mass_effects note = {.struct_size = sizeof note, .looks = a->by_looks ? a->looks : NULL, .looks_from = a->places,
                      .looks_period = (uint64_t)a->stride};
    mass_diagnostics diagnostics = {.struct_size = sizeof diagnostics};
    const mass_callback *c = a->callback;
    mass_launch l = {.struct_size = sizeof l, .step = 1, .random_keys = a->keys, .world_stride = a->stride,
                     .plane = a->width * a->width, .pitch = a->width, .size = {1, 1, 1}, .extent = {1, 1, 1},
                     .ghost = {c->radius, c->dimensions > 1 ? c->radius : 0, c->dimensions > 2 ? c->radius : 0},
                     .worlds = (int32_t)a->worlds, .diagnostics = &diagnostics, .note = &note, .reach = c->radius};
    const mass_range all = {0, (int64_t)worlds, 0, 1};
    write_questions(a, first, worlds);
    a->form->loop(a->fields, &l, &all);
    read_answers(a, first, worlds);
    a->why_not = diagnostics.seen ? "its body looks further than it says" : what_was_noted(note.asked);
}

/* Probes all combinations of the known inputs. Returns false if there is a reason against a rule, or if one of them led
 * to a read of another place, which is then an input too. */
static bool ask_all(asking *a)
{
    const size_t entries = entries_of(a), worlds = entries < a->worlds ? entries : a->worlds;
    bool more = false;
    mass_crash_plugin_thread();
    for (size_t first = 0; !a->why_not && !more && first < entries; first += worlds) {
        put_questions(a, first, worlds);
        more = a->by_looks && !a->why_not && take_looks(a);
    }
    mass_crash_plugin_thread_done();
    mass_floats_settle();
    return !a->why_not && !more;
}

/* Probes until no combination of the inputs leads to a read of another place. Then the bodies have read all that they
 * ever do, since what they read next depends on what they have read. */
static void look_around(asking *a)
{
    if (a->by_looks) take_looks(a);
    while (!a->why_not && !ask_all(a)) continue;
}

typedef struct rehearsal {
    asking *asking;
    const void *const *parameters; /* [count][field_count] */
    uint32_t count;
} rehearsal;

/* Probes with each set of parameters in turn. A reason against one set need not hold for the next. */
static void rehearse(void *context)
{
    const rehearsal *all = context;
    for (uint32_t k = 0; k < all->count; k++) {
        all->asking->why_not = NULL;
        give(all->asking, all->parameters + (size_t)k * all->asking->callback->field_count);
        look_around(all->asking);
    }
}

/* Probes in a copy of the process first. Some neighbourhoods occur in no run, and a body may divide by zero there. One
 * copy probes all sets of parameters. Sets why_not if it does not come back, or if there can be no copy. */
static void try_all(asking *a, const void *const *parameters, uint32_t count)
{
    const int seconds = REHEARSAL_SECONDS * (1 + (int)count / SETS_AT_ONCE);
    const mass_rehearsal r = mass_rehearse(rehearse, &(rehearsal){a, parameters, count}, seconds);
    if (r == MASS_REHEARSAL_BROKE)
        a->why_not = "its body crashes, or goes on for long, with some values of the bits";
    else if (r != MASS_REHEARSAL_DONE)
        a->why_not = "there is no copy of the process to try its body in: processes or memory are short";
}

/* ---- the rule ---- */

/* Adds tables for the sums. If they do not fit, removes them again and clears `tallies`. */
static mass_status take_addends(asking *a, mass_error *error)
{
    mass_status status = MASS_OK;
    const uint32_t fields = a->tables.count;
    bool fit = true;
    for (uint32_t i = 0; status == MASS_OK && fit && i < a->callback->field_count; i++)
        if (a->addends[i]) status = mass_rule_add_addends(&a->tables, i, a->addends[i], &fit, error);
    if (status != MASS_OK || fit) return status;
    while (a->tables.count > fields) free(a->tables.list[--a->tables.count].bits);
    a->tallies = false;
    return MASS_OK;
}

/* Returns whether the inputs are all those of one field in two dimensions, row by row. */
static bool is_around_one(const asking *a)
{
    const mass_rule_input *in = a->tables.inputs;
    if (a->callback->dimensions != 2 || a->callback->radius != 1 || a->tables.input_count != a->volume) return false;
    for (int i = 0; i < (int)a->volume; i++)
        if (in[i].field != in[0].field || in[i].x != i % 3 - 1 || in[i].y != i / 3 - 1) return false;
    return true;
}

/* Makes the rule from the tables. Narrows them. If it takes too many operations, sets why_not and leaves *out. */
static mass_status make_rule(asking *a, mass_rule **out, mass_error *error)
{
    mass_rule_tables *t = &a->tables;
    mass_rule *rule = calloc(1, sizeof *rule);
    if (rule) rule->outputs = calloc(t->count, sizeof *rule->outputs);
    if (!rule || !rule->outputs) {
        mass_rule_free(rule);
        return mass_error_memory(error, sizeof *rule, "a rule");
    }
    rule->tallies = a->tallies;
    rule->output_count = t->count;
    for (uint32_t o = 0; o < t->count; o++) rule->outputs[o] = t->list[o].output;
    rule->von_neumann = is_around_one(a) && mass_rule_is_counted(t, true, rule->outputs);
    rule->counted = rule->von_neumann || (is_around_one(a) && mass_rule_is_counted(t, false, rule->outputs));
    mass_rule_tables_narrow(t);
    bool fits = false;
    mass_status status = mass_rule_draw(t, rule, &fits, error);
    rule->inputs = fits ? malloc((t->input_count + 1) * sizeof *rule->inputs) : NULL;
    if (rule->inputs) memcpy(rule->inputs, t->inputs, t->input_count * sizeof *rule->inputs);
    else if (fits && status == MASS_OK) status = mass_error_memory(error, sizeof t->inputs, "a rule");
    rule->input_count = t->input_count;
    if (!fits) a->why_not = "its table takes too many operations";
    if (status == MASS_OK && fits) *out = rule;
    else mass_rule_free(rule);
    return status;
}

/* Makes the state for probing, perhaps with a reason against a rule. Returns NULL if out of memory. */
static asking *begin(const mass_callback *callback, uint32_t effects_size)
{
    asking *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->callback = callback;
    a->tallies = asks_tallies(callback);
    a->form = find_form(callback, a->tallies);
    if (!a->form) a->why_not = "it was compiled without a loop that checks";
    else if (effects_size < MASS_THROUGH(mass_effects,
                                         asked)) a->why_not = "it leaves no notes of what its body asks for";
    else find_inputs(a, effects_size);
    return a;
}

/* Makes a rule for one set of parameters. If `rehearsed` is not 0, a copy of the process first probes that many sets,
 * this one and those after it. If there is no rule, a->why_not is the reason, and *out stays. */
static mass_status ask(asking *a, const void *const *parameters, uint32_t rehearsed, mass_rule **out,
                       mass_error *error)
{
    mass_status status = make(a, error);
    if (status == MASS_OK && rehearsed) try_all(a, parameters, rehearsed);
    if (status != MASS_OK || a->why_not) return status;
    give(a, parameters);
    if (a->by_looks) look_around(a);
    if (a->why_not) return MASS_OK;
    status = make_tables(a, error);
    if (status != MASS_OK) return status;
    if (!ask_all(a)) { /* its results differ from those before */
        if (!a->why_not) a->why_not = "its body depends on more than bits";
        return MASS_OK;
    }
    status = take_addends(a, error);
    return status == MASS_OK ? make_rule(a, out, error) : status;
}

mass_status mass_rule_probe(const mass_callback *callback, uint32_t effects_size, const void *const *parameters,
                          uint32_t count, mass_rule **out, const char **why_not, mass_error *error)
{
    bool any;
    mass_status status = MASS_OK;
    const char *why = why_not_of(callback, &any);
    for (uint32_t k = 0; k < count; k++) out[k] = NULL;
    for (uint32_t k = 0; k < count && !why && status == MASS_OK; k++) {
        asking *a = begin(callback, effects_size);
        if (!a) status = mass_error_memory(error, sizeof *a, "a rule");
        else if (!a->why_not)
            status = ask(a, parameters + (size_t)k * callback->field_count, k ? 0 : count, &out[k], error);
        if (!a) break;
        why = a->why_not;
        clean_up(a);
    }
    for (uint32_t k = 0; k < count && (why || status != MASS_OK); k++) {
        mass_rule_free(out[k]);
        out[k] = NULL;
    }
    *why_not = any ? why : NULL;
    return status;
}

size_t mass_rule_questions(const mass_callback *callback, uint32_t effects_size)
{
    bool any;
    asking *a = why_not_of(callback, &any) ? NULL : begin(callback, effects_size);
    const uint32_t inputs = !a || a->why_not ? 0 : a->by_looks ? MASS_RULE_PROBES_MOST : a->tables.input_count;
    if (a) clean_up(a);
    return (size_t)1 << inputs;
}

void mass_rule_free(mass_rule *rule)
{
    if (!rule) return;
    free(rule->inputs);
    free(rule->nodes);
    free(rule->outputs);
    free(rule);
}

void mass_world_rules_free(mass_world_rules *rules)
{
    if (!rules) return;
    for (uint32_t i = 0; i < rules->count; i++) mass_rule_free(rules->list[i]);
    free(rules->list);
    free(rules->of);
    free(rules);
}
