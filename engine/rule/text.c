/* SPDX-License-Identifier: Apache-2.0 */
/* Rules as text for people: their names and operations. */
#include "rule/rule.h"
#include "base/plural.h"

#include <stdio.h>
#include <stdlib.h>

/* Returns the bit of an output; `set` tells which inputs are set. */
static bool evaluate(const mass_rule *rule, const mass_rule_output *o, uint32_t set)
{
    uint32_t value = o->value;
    while (value >= 2) {
        const mass_rule_node *n = &rule->nodes[value - 2];
        value = set >> n->input & 1 ? n->high : n->low;
    }
    return value;
}

/* Returns the number of the input that is the image of another: mirrored along x, or with x and y exchanged. Returns
 * the number of inputs if there is none. Ignores z. */
static uint32_t find_image(const mass_rule *rule, uint32_t input, bool mirrored)
{
    const mass_rule_input *in = &rule->inputs[input];
    const int x = mirrored ? -in->x : in->y, y = mirrored ? in->y : in->x;
    for (uint32_t i = 0; i < rule->input_count; i++)
        if (rule->inputs[i].field == in->field && rule->inputs[i].x == x && rule->inputs[i].y == y) return i;
    return rule->input_count;
}

/* Returns whether the fields' outputs stay the same if the inputs are mirrored along x, or if not `mirrored` x and y
 * are exchanged. */
static bool is_symmetric(const mass_rule *rule, bool mirrored)
{
    uint32_t image[MASS_RULE_INPUTS_MOST];
    for (uint32_t i = 0; i < rule->input_count; i++) {
        image[i] = find_image(rule, i, mirrored);
        if (image[i] == rule->input_count) return false;
    }
    for (uint32_t set = 0; set < 1u << rule->input_count; set++) {
        uint32_t other = 0;
        for (uint32_t i = 0; i < rule->input_count; i++) other |= (set >> i & 1) << image[i];
        for (uint32_t o = 0; o < rule->output_count; o++)
            if (rule->outputs[o].kind == MASS_RULE_FIELD &&
                evaluate(rule, &rule->outputs[o], set) != evaluate(rule, &rule->outputs[o], other))
                return false;
    }
    return true;
}

/* Returns whether a rule has two dimensions, and is the same in all directions; false for more than 9 inputs. */
static bool is_isotropic(const mass_rule *rule)
{
    bool flat = rule->input_count <= 9, wide = false;
    for (uint32_t i = 0; i < rule->input_count; i++) {
        flat &= rule->inputs[i].z == 0;
        wide |= rule->inputs[i].y != 0;
    }
    return flat && wide && is_symmetric(rule, true) && is_symmetric(rule, false);
}

/* Returns the number of outputs that are fields, not sums. */
static uint32_t count_fields(const mass_rule *rule)
{
    uint32_t fields = 0;
    for (uint32_t o = 0; o < rule->output_count; o++) fields += rule->outputs[o].kind == MASS_RULE_FIELD;
    return fields;
}

/* Writes a rule's name, as B3/S23: the numbers of set neighbours with which places become set, and stay set. V
 * follows if they are 4 at most. The rule is counted, and has an output of a field. */
static void name_counts(const mass_rule *rule, char name[32])
{
    const mass_rule_output *o = rule->outputs;
    while (o->kind != MASS_RULE_FIELD) o++;
    char *at = name;
    *at++ = 'B';
    for (int n = 0; n <= 8; n++)
        if (o->birth >> n & 1) *at++ = (char)('0' + n);
    *at++ = '/';
    *at++ = 'S';
    for (int n = 0; n <= 8; n++)
        if (o->survive >> n & 1) *at++ = (char)('0' + n);
    if (rule->von_neumann) *at++ = 'V';
    *at = '\0';
}

/* Marks the node of a value, and all nodes that it chooses from, in noted[node_count]. Returns how many are new. */
static uint32_t note_nodes(const mass_rule *rule, uint32_t value, bool *noted)
{
    if (value < 2 || noted[value - 2]) return 0;
    const mass_rule_node *n = &rule->nodes[value - 2];
    noted[value - 2] = true;
    return 1 + note_nodes(rule, n->high, noted) + note_nodes(rule, n->low, noted);
}

/* Counts the operations for places, each shared one once, without tallies; -1 for lack of memory. */
static long count_operations(const mass_rule *rule)
{
    bool *noted = calloc(rule->node_count + 1, sizeof *noted);
    long count = 0;
    if (!noted) return -1;
    for (uint32_t o = 0; o < rule->output_count; o++)
        if (rule->outputs[o].kind == MASS_RULE_FIELD) count += note_nodes(rule, rule->outputs[o].value, noted);
    free(noted);
    return count;
}

void mass_rule_text(const mass_rule *rule, char *text, size_t size)
{
    char name[32];
    const long operations = count_operations(rule);
    if (rule->counted && count_fields(rule) == 1) name_counts(rule, name);
    else if (rule->counted) snprintf(name, sizeof name, "counts");
    else if (is_isotropic(rule)) snprintf(name, sizeof name, "isotropic");
    else snprintf(name, sizeof name, "a table of %lu", 1ul << rule->input_count);
    const int used = snprintf(text, size, "%s%s", name, rule->counted ? ", neighbours are counted" : "");
    if (operations >= 0 && used >= 0 && (size_t)used < size)
        snprintf(text + used, size - (size_t)used, "%s%ld operation%s a word", rule->counted ? "; as a table " : ", ",
                 operations, mass_plural(operations));
}
