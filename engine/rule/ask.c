/* SPDX-License-Identifier: Apache-2.0 */
/* A body is asked by the loop that checks it, over worlds of one place each: every world has a neighbourhood of its
 * own, and tallies of its own, which tell what the place adds to them. */
#include "core/access.h"
#include "core/floats.h"
#include "process/crash.h"
#include "process/rehearse.h"
#include "rule/diagram.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ASKED_AT_ONCE = 4096, FIELDS_MOST = 64, ALIGNMENT = 64, REHEARSAL_SECONDS = 5 };

typedef struct asking {
    const mass_callback *callback;
    const mass_form *form;
    bool tallies;          /* asked as well */
    int64_t width, volume; /* of a neighbourhood, in places; one place where nothing is read around */
    int64_t centre;        /* its own place */
    void *memory[FIELDS_MOST], *fields[FIELDS_MOST]; /* of the worlds that are asked at once; where place 0 is */
    int64_t *addends[FIELDS_MOST];                   /* of tallies, by entry */
    uint64_t *keys;
    mass_rule_tables tables;
    const char *why_not; /* there is no rule; NULL: nothing is against it yet */
} asking;

static bool does(const mass_field *f, unsigned effect)
{
    return mass_access_does_to_places(f->access, MASS_OVER_PLACES, effect);
}
static bool is_input(const mass_field *f) { return does(f, MASS_EFFECT_READS); }
static bool is_output(const mass_field *f) { return does(f, MASS_EFFECT_WRITES); }
static bool is_around(const mass_field *f) { return mass_access_of(f->access)->reach == MASS_REACH_AROUND; }
static bool is_given(const mass_field *f)
{
    return mass_access_class_of(f->access, MASS_OVER_PLACES) == MASS_CLASS_WORLD;
}

static bool is_asked_tally(const mass_field *f) { return f->access == MASS_SUM && f->type == MASS_I64; }

/* Why rules cannot be of such a callback: they are of places of bits alone, and some of them written. *any: there are
 * bits at all. */
static const char *why_not_of(const mass_callback *c, bool *any)
{
    const char *why = c->over != MASS_OVER_PLACES ? "it is not over places"
                    : c->field_count > FIELDS_MOST ? "it has too many attributes" : NULL;
    bool written = false;
    *any = false;
    for (uint32_t i = 0; i < c->field_count; i++) {
        const mass_field *f = &c->fields[i];
        const bool of_places = is_input(f) || is_output(f);
        *any |= f->type == MASS_BIT;
        written |= is_output(f);
        if (why) continue;
        if (of_places && f->type != MASS_BIT) why = "attributes of other types than bool take part";
        else if (of_places ? mass_access_of(f->access)->reach == MASS_REACH_ROW
                           : !is_given(f) && !mass_access_is_tally(f->access))
            why = "it does more than to look at bits, to write them and to count";
    }
    return why || written ? why : "it writes no attribute of places";
}

/* All tallies are sums of integers. */
static bool asks_tallies(const mass_callback *c)
{
    bool all = true;
    for (uint32_t i = 0; i < c->field_count; i++)
        all &= !mass_access_is_tally(c->fields[i].access) || is_asked_tally(&c->fields[i]);
    return all;
}

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

/* The inputs of all fields, row by row, as long as there are not too many. */
static void find_inputs(asking *a)
{
    const mass_callback *c = a->callback;
    mass_rule_tables *t = &a->tables;
    const int r = c->radius, ry = c->dimensions > 1 ? r : 0, rz = c->dimensions > 2 ? r : 0;
    a->width = 2 * r + 1;
    a->volume = a->width * (2 * ry + 1) * (2 * rz + 1);
    a->centre = a->volume / 2;
    for (uint32_t i = 0; i < c->field_count; i++) {
        const bool around = is_around(&c->fields[i]);
        if (!is_input(&c->fields[i])) continue;
        if (t->input_count + (around ? a->volume : 1) > MASS_RULE_ASKED_MOST) {
            static_assert(MASS_RULE_ASKED_MOST == 18, "as people are told");
            a->why_not = "it may look at more than 18 bits";
            return;
        }
        for (int z = around ? -rz : 0; z <= (around ? rz : 0); z++)
            for (int y = around ? -ry : 0; y <= (around ? ry : 0); y++)
                for (int x = around ? -r : 0; x <= (around ? r : 0); x++)
                    t->inputs[t->input_count++] = (mass_rule_input){i, (int8_t)x, (int8_t)y, (int8_t)z};
    }
}

/* ---- memory ---- */

static size_t worlds_at_once(const asking *a)
{
    const size_t entries = (size_t)1 << a->tables.input_count;
    return entries < ASKED_AT_ONCE ? entries : ASKED_AT_ONCE;
}

static mass_status make_field(asking *a, uint32_t i, mass_error *error)
{
    const mass_field *f = &a->callback->fields[i];
    const size_t worlds = worlds_at_once(a), places = worlds * (size_t)a->volume;
    const bool of_places = is_input(f) || is_output(f);
    const size_t bytes = of_places ? places + ALIGNMENT : worlds * sizeof(uint64_t);
    a->memory[i] = calloc(1, bytes);
    if (!a->memory[i]) return mass_error_memory(error, bytes, "a rule");
    a->fields[i] = (uint8_t *)a->memory[i] + (of_places ? a->centre : 0);
    if (!a->tallies || !is_asked_tally(f)) return MASS_OK;
    a->addends[i] = calloc((size_t)1 << a->tables.input_count, sizeof(int64_t));
    return a->addends[i] ? MASS_OK : mass_error_memory(error, sizeof(int64_t) << a->tables.input_count, "a rule");
}

static mass_status make(asking *a, mass_error *error)
{
    a->keys = calloc(worlds_at_once(a), sizeof *a->keys);
    mass_status status = a->keys ? MASS_OK : mass_error_memory(error, sizeof *a->keys, "a rule");
    for (uint32_t i = 0; status == MASS_OK && i < a->callback->field_count; i++) {
        const mass_field *f = &a->callback->fields[i];
        const mass_rule_output output = {.kind = MASS_RULE_FIELD, .field = i};
        status = make_field(a, i, error);
        if (status == MASS_OK && is_output(f) && !mass_rule_tables_add(&a->tables, output))
            status = mass_error_memory(error, (size_t)1 << a->tables.input_count, "a rule");
    }
    return status;
}

static void clean_up(asking *a)
{
    for (uint32_t i = 0; i < FIELDS_MOST; i++) {
        free(a->memory[i]);
        free(a->addends[i]);
    }
    mass_rule_tables_free(&a->tables);
    free(a->keys);
    free(a);
}

/* ---- questions ---- */

/* Parameters, the same in all that are asked. */
static void give(asking *a, const void *const *parameters)
{
    const size_t worlds = worlds_at_once(a);
    for (uint32_t i = 0; i < a->callback->field_count; i++)
        for (size_t w = 0; is_given(&a->callback->fields[i]) && w < worlds; w++)
            memcpy((uint64_t *)a->memory[i] + w, parameters[i], sizeof(uint64_t));
}

/* Neighbourhoods number `first` and those that follow it. */
static void write_questions(asking *a, size_t first, size_t worlds)
{
    const mass_rule_tables *t = &a->tables;
    for (uint32_t i = 0; i < a->callback->field_count; i++)
        if (a->addends[i]) memset(a->memory[i], 0, worlds * sizeof(int64_t));
    for (uint32_t k = 0; k < t->input_count; k++) {
        const mass_rule_input *in = &t->inputs[k];
        uint8_t *at = (uint8_t *)a->fields[in->field] + (in->z * a->width + in->y) * a->width + in->x;
        for (size_t w = 0; w < worlds; w++, at += a->volume) *at = (first + w) >> k & 1;
    }
}

static void read_answers(asking *a, size_t first, size_t worlds)
{
    for (uint32_t o = 0; o < a->tables.count; o++) {
        const mass_rule_table *table = &a->tables.list[o];
        const uint8_t *at = a->fields[table->output.field];
        for (size_t w = 0; w < worlds; w++, at += a->volume) table->bits[first + w] = *at != 0;
    }
    for (uint32_t i = 0; i < a->callback->field_count; i++)
        if (a->addends[i]) memcpy(a->addends[i] + first, a->memory[i], worlds * sizeof(int64_t));
}

/* What a body went by beside its values, if anything. */
static const char *what_was_noted(uint32_t asked)
{
    static const struct { uint32_t what; const char *why; } all[] = {
        {MASS_NOTED_RANDOM, "its body draws random numbers"}, {MASS_NOTED_POSITION, "its body asks for the position"},
        {MASS_NOTED_SIZE, "its body asks for the size of the space"}, {MASS_NOTED_STEP, "its body asks for the step"},
        {MASS_NOTED_EXISTS, "its body asks which places exist"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (asked & all[i].what) return all[i].why;
    return asked ? "its body goes by more than bits" : NULL;
}

/* Asks all, as long as bodies go by their values alone, and look no further than they may. */
static void put_questions(asking *a)
{
    const size_t entries = (size_t)1 << a->tables.input_count, worlds = worlds_at_once(a);
    mass_note note = {.struct_size = sizeof note};
    mass_diagnostics diagnostics = {.struct_size = sizeof diagnostics};
    const mass_callback *c = a->callback;
    mass_launch l = {.struct_size = sizeof l, .step = 1, .random_keys = a->keys, .world_stride = a->volume,
                     .plane = a->width * a->width, .pitch = a->width, .size = {1, 1, 1}, .extent = {1, 1, 1},
                     .ghost = {c->radius, c->dimensions > 1 ? c->radius : 0, c->dimensions > 2 ? c->radius : 0},
                     .worlds = (int32_t)worlds, .diagnostics = &diagnostics, .note = &note, .reach = c->radius};
    const mass_range all = {0, (int64_t)worlds, 0, 1};
    mass_crash_plugin_thread();
    for (size_t first = 0; !a->why_not && first < entries; first += worlds) {
        write_questions(a, first, worlds);
        a->form->loop(a->fields, &l, &all);
        read_answers(a, first, worlds);
        a->why_not = diagnostics.seen ? "its body looks further than it says" : what_was_noted(note.asked);
    }
    mass_crash_plugin_thread_done();
    mass_floats_settle();
}

typedef struct rehearsal {
    asking *asking;
    const void *const *parameters; /* [count][field_count] */
    uint32_t count;
} rehearsal;

static void rehearse(void *context)
{
    const rehearsal *all = context;
    for (uint32_t k = 0; k < all->count && !all->asking->why_not; k++) {
        give(all->asking, all->parameters + (size_t)k * all->asking->callback->field_count);
        put_questions(all->asking);
    }
}

/* Neighbourhoods that no run has are asked, too, and a body may divide by zero there: a copy of the process is asked
 * first, one for all values of the parameters. */
static void try_all(asking *a, const void *const *parameters, uint32_t count)
{
    const mass_rehearsal r = mass_rehearse(rehearse, &(rehearsal){a, parameters, count}, REHEARSAL_SECONDS);
    if (r == MASS_REHEARSAL_BROKE)
        a->why_not = "its body crashes, or goes on for long, with some values of the bits";
    else if (r != MASS_REHEARSAL_DONE)
        a->why_not = "there is no copy of the process to try its body in: processes or memory are short";
}

/* ---- the rule ---- */

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

/* Whether the inputs are all those of a field in two dimensions. */
static bool is_around_one(const asking *a)
{
    return a->callback->dimensions == 2 && a->callback->radius == 1 && a->tables.input_count == a->volume &&
           a->tables.inputs[0].x < 0;
}

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

/* Ready to be asked, or with a reason why not; NULL: there is no memory. */
static asking *begin(const mass_callback *callback)
{
    asking *a = calloc(1, sizeof *a);
    if (!a) return NULL;
    a->callback = callback;
    a->tallies = asks_tallies(callback);
    a->form = find_form(callback, a->tallies);
    if (a->form) find_inputs(a);
    else a->why_not = "it was compiled without a loop that checks";
    return a;
}

/* With a value of each parameter; if `rehearsed` is not 0, a copy is first asked with so many, which follow. */
static mass_status ask(asking *a, const void *const *parameters, uint32_t rehearsed, mass_rule **out,
                       mass_error *error)
{
    mass_status status = make(a, error);
    if (status == MASS_OK && rehearsed) try_all(a, parameters, rehearsed);
    if (status != MASS_OK || a->why_not) return status;
    give(a, parameters);
    put_questions(a);
    if (a->why_not) return MASS_OK;
    status = take_addends(a, error);
    return status == MASS_OK ? make_rule(a, out, error) : status;
}

mass_status mass_rule_ask(const mass_callback *callback, const void *const *parameters, uint32_t count,
                          mass_rule **out, const char **why_not, mass_error *error)
{
    bool any;
    mass_status status = MASS_OK;
    const char *why = why_not_of(callback, &any);
    for (uint32_t k = 0; k < count; k++) out[k] = NULL;
    for (uint32_t k = 0; k < count && !why && status == MASS_OK; k++) {
        asking *a = begin(callback);
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

size_t mass_rule_questions(const mass_callback *callback)
{
    bool any;
    asking *a = why_not_of(callback, &any) ? NULL : begin(callback);
    const size_t questions = !a || a->why_not ? 1 : (size_t)1 << a->tables.input_count;
    if (a) clean_up(a);
    return questions;
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
