/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a rule over bits as PTX. A thread reads its words of all rows that it needs, then writes its own rows. For
 * each word, it shifts the inputs out of the words that it has read; every node is one choice between words. The driver
 * removes what is not used. */
#include "device/cuda/rule_ptx.h"
#include "base/memory_stream.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

enum { WORDS = MASS_RULE_PTX_WORDS, WARPS = MASS_RULE_PTX_WARPS, WORD = 32, HELD_MOST = 96, OPERATIONS_MOST = 1200 };

#define ARGUMENT(MEMBER) ((int)offsetof(mass_rule_arguments, MEMBER))

/* Rows of one field, all with the same offset along z. */
typedef struct source {
    uint32_t field;
    int z;
} source;

typedef struct shape {
    source sources[MASS_RULE_INPUTS_MOST];
    int source_count, source_of[MASS_RULE_INPUTS_MOST];
    int above, below; /* rows before and after those that are written */
    int rows;
} shape;

/* Returns the index of an input's source, a plane of a field; adds it if it is new. */
static int find_source(shape *s, const mass_rule_input *input)
{
    int i = 0;
    while (i < s->source_count && (s->sources[i].field != input->field || s->sources[i].z != input->z)) i++;
    if (i == s->source_count) s->sources[s->source_count++] = (source){input->field, input->z};
    return i;
}

/* Returns how a kernel reads a rule's inputs, and how many rows a thread takes: as many as registers allow. */
static shape shape_of(const mass_rule *rule)
{
    shape s = {.rows = 8};
    for (uint32_t i = 0; i < rule->input_count; i++) {
        const mass_rule_input *in = &rule->inputs[i];
        s.source_of[i] = find_source(&s, in);
        if (-in->y > s.above) s.above = -in->y;
        if (in->y > s.below) s.below = in->y;
    }
    while (s.rows > 1 && (s.source_count * (s.above + s.rows + s.below) * (WORDS + 2) > HELD_MOST ||
                          (int)rule->node_count * s.rows * WORDS > OPERATIONS_MOST))
        s.rows /= 2;
    return s;
}

int mass_rule_ptx_rows(const mass_rule *rule) { return shape_of(rule).rows; }

bool mass_rule_ptx_fits(const mass_rule *rule)
{
    bool fits = rule->node_count <= MASS_RULE_PTX_NODES;
    for (uint32_t i = 0; i < rule->input_count; i++)
        fits &= rule->inputs[i].field < MASS_RULE_PTX_FIELDS && abs(rule->inputs[i].x) < WORD;
    for (uint32_t i = 0; i < rule->output_count; i++) fits &= rule->outputs[i].field < MASS_RULE_PTX_FIELDS;
    return fits;
}

/* ---- the code before the rows ---- */

/* Writes the declarations of all registers. */
static void declare(FILE *f, const mass_rule *rule, const shape *s)
{
    fputs(".reg .pred p, mine, whole, part<4>;\n"
          ".reg .b32 t, x, lane, words, width, height, depth, sheets, sheet, world, z, y, stride, pitch, zero, ones;\n"
          ".reg .b32 open, inside<4>, places<4>, low, high;\n"
          ".reg .b64 b, c, offset, plane, between, gates, at, left, sum;\n", f);
    fprintf(f, ".reg .b64 source<%d>, target<%d>;\n", s->source_count + 1, (int)rule->output_count + 1);
    fprintf(f, ".reg .b32 beyond<%d>, count<%d>, out<%d>;\n", (int)rule->output_count + 1,
            (int)rule->output_count + 1, (int)rule->output_count * WORDS + 1);
    fprintf(f, ".reg .b32 v<%d>;\n", s->source_count * (s->above + s->rows + s->below) * (WORDS + 2) + 1);
}

/* Writes code that loads the arguments, and finds which of a thread's words the row has, and which of their places. */
static void find_words(FILE *f)
{
    fprintf(f, "mov.b32 zero, 0;\nmov.b32 ones, -1;\n"
               "ld.param.b32 width, [a+%d];\nld.param.b32 height, [a+%d];\nld.param.b32 depth, [a+%d];\n"
               "ld.param.b32 t, [a+%d];\nmul.lo.s32 sheets, depth, t;\nld.param.b32 pitch, [a+%d];\n"
               "ld.param.b32 open, [a+%d];\nld.param.b64 plane, [a+%d];\nld.param.b64 between, [a+%d];\n"
               "ld.param.b64 gates, [a+%d];\n",
            ARGUMENT(width), ARGUMENT(height), ARGUMENT(depth), ARGUMENT(worlds), ARGUMENT(pitch), ARGUMENT(open),
            ARGUMENT(plane), ARGUMENT(world_stride), ARGUMENT(gates));
    fprintf(f, "add.s32 words, width, %d;\nshr.s32 words, words, 5;\n"
               "mov.u32 t, %%ctaid.x;\nmov.u32 lane, %%tid.x;\nmad.lo.s32 x, t, %d, lane;\nshl.b32 x, x, 2;\n"
               "add.s32 t, x, %d;\nsetp.le.s32 whole, t, words;\nsetp.lt.s32 mine, x, words;\n",
            WORD - 1, WORD, WORDS);
    for (int k = 0; k < WORDS; k++)
        fprintf(f, "add.s32 t, x, %d;\nsetp.lt.s32 part%d, t, words;\nshl.b32 t, t, 5;\nsub.s32 t, width, t;\n"
                   "max.s32 t, t, 0;\nmin.s32 t, t, %d;\nshl.b32 places%d, 1, t;\nsub.s32 places%d, places%d, 1;\n"
                   "setp.ne.s32 p, open, 0;\nselp.b32 inside%d, places%d, -1, p;\n"
                   "not.pred p, whole;\nand.pred part%d, part%d, p;\n",
                k, k, WORD, k, k, k, k, k, k, k);
    fprintf(f, "sub.s32 t, words, 1;\nand.b32 t, t, %d;\nmin.s32 t, x, t;\nmul.wide.s32 offset, t, 4;\n", -WORDS);
}

/* Writes code that loads each output's default, as a word. */
static void find_defaults(FILE *f, const mass_rule *rule)
{
    fprintf(f, "ld.param.b64 b, [a+%d];\n", ARGUMENT(beyond));
    for (uint32_t o = 0; o < rule->output_count; o++)
        fprintf(f, "shr.u64 c, b, %" PRIu32 ";\ncvt.u32.u64 t, c;\nand.b32 t, t, 1;\nsub.s32 beyond%" PRIu32
                   ", 0, t;\n", o, o);
}

/* Writes code that begins a plane of a world: skips closed worlds, and finds addresses and rows. */
static void begin_sheet(FILE *f, const mass_rule *rule, const shape *s)
{
    fputs("mov.u32 sheet, %ctaid.z;\nSHEET:\nsetp.ge.s32 p, sheet, sheets;\n@p bra DONE;\n"
          "div.s32 world, sheet, depth;\nmul.lo.s32 z, world, depth;\nsub.s32 z, sheet, z;\n"
          "setp.eq.b64 p, gates, 0;\n@p bra OPEN;\n"
          "mul.wide.s32 b, world, 4;\nadd.s64 b, b, gates;\nld.global.b32 t, [b];\nsetp.ne.s32 p, t, 0;\n@p bra NEXT;\n"
          "OPEN:\ncvt.s64.s32 b, world;\nmad.lo.s64 at, b, between, offset;\n"
          "cvt.s64.s32 b, z;\nmad.lo.s64 at, b, plane, at;\n", f);
    for (int i = 0; i < s->source_count; i++)
        fprintf(f, "ld.param.b64 b, [a+%d];\nadd.s64 b, b, at;\nmul.lo.s64 c, plane, %d;\nadd.s64 source%d, b, c;\n",
                ARGUMENT(field) + 8 * (int)s->sources[i].field, s->sources[i].z, i);
    for (uint32_t o = 0; o < rule->output_count; o++)
        fprintf(f, rule->outputs[o].kind == MASS_RULE_FIELD
                       ? "ld.param.b64 b, [a+%d];\nadd.s64 target%" PRIu32 ", b, at;\n"
                       : "ld.param.b64 b, [a+%d];\nmov.b32 count%" PRIu32 ", 0;\n",
                ARGUMENT(field) + 8 * (int)rule->outputs[o].field, o);
    fprintf(f, "mov.u32 t, %%nctaid.y;\nmul.lo.s32 stride, t, %d;\nmov.u32 t, %%ctaid.y;\nmov.u32 y, %%tid.y;\n"
               "mad.lo.s32 y, t, %d, y;\nmul.lo.s32 y, y, %d;\n", WARPS * s->rows, WARPS, s->rows);
}

/* ---- rows ---- */

/* Returns the register of word k, -1 to WORDS, of a row of a source. */
static int chunk(const shape *s, int of, int row, int k)
{
    return ((of * (s->above + s->rows + s->below)) + s->above + row) * (WORDS + 2) + k + 1;
}

/* Writes code that reads a thread's rows; none below the ghosts. */
static void read_rows(FILE *f, const shape *s)
{
    for (int row = -s->above; row < s->rows + s->below; row++)
        for (int i = 0; i < s->source_count; i++) {
            const int first = chunk(s, i, row, 0);
            fprintf(f, "add.s32 t, height, %d;\nadd.s32 low, y, %d;\nmin.s32 t, t, low;\n"
                       "mad.wide.s32 b, t, pitch, source%d;\nld.global.b32 v%d, [b+-4];\n"
                       "ld.global.v4.b32 {v%d, v%d, v%d, v%d}, [b];\nld.global.b32 v%d, [b+16];\n",
                    s->below - 1, row, i, first - 1, first, first + 1, first + 2, first + 3, first + 4);
        }
}

/* Writes code that shifts word k of a row to an input's offset along x. */
static void read_input(FILE *f, const mass_rule_input *in, const shape *s, int of, int row, int k, uint32_t to)
{
    const int here = chunk(s, of, row + in->y, k);
    if (in->x == 0) fprintf(f, "mov.b32 i%" PRIu32 ", v%d;\n", to, here);
    else if (in->x > 0) fprintf(f, "shf.r.wrap.b32 i%" PRIu32 ", v%d, v%d, %d;\n", to, here, here + 1, in->x);
    else fprintf(f, "shf.l.wrap.b32 i%" PRIu32 ", v%d, v%d, %d;\n", to, here - 1, here, -in->x);
}

/* Returns the register of a value. */
static const char *value(char name[16], uint16_t v)
{
    if (v < 2) return v ? "ones" : "zero";
    snprintf(name, 16, "n%d", v - 2);
    return name;
}

/* Writes code that computes all nodes of the rule for one word. */
static void write_nodes(FILE *f, const mass_rule *rule)
{
    char high[16], low[16];
    for (uint32_t i = 0; i < rule->node_count; i++) {
        const mass_rule_node *n = &rule->nodes[i];
        fprintf(f, "lop3.b32 n%" PRIu32 ", i%d, %s, %s, 0xCA;\n", i, n->input, value(high, n->high),
                value(low, n->low));
    }
}

/* Writes code that computes the outputs of one word, and counts bits if `tallies`. */
static void write_word(FILE *f, const mass_rule *rule, const shape *s, int row, int k, bool tallies)
{
    char name[16];
    fprintf(f, "{\n.reg .b32 i<%d>, n<%d>;\n", (int)rule->input_count + 1, (int)rule->node_count + 1);
    for (uint32_t i = 0; i < rule->input_count; i++)
        read_input(f, &rule->inputs[i], s, s->source_of[i], row, k, i);
    write_nodes(f, rule);
    for (uint32_t o = 0; o < rule->output_count; o++) {
        const mass_rule_output *out = &rule->outputs[o];
        const char *v = value(name, out->value);
        if (out->kind == MASS_RULE_FIELD)
            fprintf(f, "lop3.b32 out%d, inside%d, %s, beyond%" PRIu32 ", 0xCA;\n", (int)o * WORDS + k, k, v, o);
        else if (tallies)
            fprintf(f, "and.b32 t, %s, places%d;\npopc.b32 t, t;\nadd.s32 count%" PRIu32 ", count%" PRIu32 ", t;\n", v,
                    k, o, o);
    }
    fputs("}\n", f);
}

/* Writes code that stores a row's words: all at once, or those within the width. */
static void store_row(FILE *f, const mass_rule *rule, int row)
{
    for (uint32_t o = 0; o < rule->output_count; o++) {
        if (rule->outputs[o].kind != MASS_RULE_FIELD) continue;
        const int first = (int)o * WORDS;
        fprintf(f, "add.s32 t, y, %d;\nmad.wide.s32 b, t, pitch, target%" PRIu32 ";\n"
                   "@whole st.global.v4.b32 [b], {out%d, out%d, out%d, out%d};\n",
                row, o, first, first + 1, first + 2, first + 3);
        for (int k = 0; k < WORDS; k++) fprintf(f, "@part%d st.global.b32 [b+%d], out%d;\n", k, 4 * k, first + k);
    }
}

/* Writes the loop over rows. */
static void write_rows(FILE *f, const mass_rule *rule, const shape *s, bool tallies)
{
    fputs("ROWS:\nsetp.ge.s32 p, y, height;\n@p bra END;\n", f);
    read_rows(f, s);
    for (int row = 0; row < s->rows; row++) {
        fprintf(f, "add.s32 t, y, %d;\nsetp.ge.s32 p, t, height;\n@p bra END;\n", row);
        for (int k = 0; k < WORDS; k++) write_word(f, rule, s, row, k, tallies);
        store_row(f, rule, row);
    }
    fputs("add.s32 y, y, stride;\nbra ROWS;\nEND:\n", f);
}

/* ---- tallies ---- */

/* Writes code that adds a warp's count for one tally to the world's tally. Each lane has a count<o> for each output o.
 * It is multiplied by the output's weight, and summed over the tally's outputs and over the lanes. All 32 lanes must
 * reach the code. */
static void flush_tally(FILE *f, const mass_rule *rule, uint32_t field)
{
    fputs("mov.b64 sum, 0;\n", f);
    for (uint32_t o = 0; o < rule->output_count; o++)
        if (rule->outputs[o].kind == MASS_RULE_SUM && rule->outputs[o].field == field)
            fprintf(f, "cvt.u64.u32 b, count%" PRIu32 ";\nmad.lo.s64 sum, b, 0x%016" PRIx64 ", sum;\n", o,
                    (uint64_t)rule->outputs[o].weight);
    for (int d = WORD / 2; d > 0; d /= 2)
        fprintf(f, "mov.b64 {low, high}, sum;\nshfl.sync.bfly.b32 low, low, %d, 31, -1;\n"
                   "shfl.sync.bfly.b32 high, high, %d, 31, -1;\nmov.b64 b, {low, high};\nadd.s64 sum, sum, b;\n", d, d);
    fprintf(f, "setp.eq.s32 p, lane, 0;\nld.param.b64 b, [a+%d];\nmul.wide.s32 c, world, 8;\nadd.s64 b, b, c;\n"
               "@p red.global.add.u64 [b], sum;\n", ARGUMENT(field) + 8 * (int)field);
}

/* Writes code that adds the counts to the tallies, once for each tally. */
static void flush_tallies(FILE *f, const mass_rule *rule)
{
    uint64_t done = 0; /* bits of fields */
    for (uint32_t o = 0; o < rule->output_count; o++) {
        const mass_rule_output *out = &rule->outputs[o];
        if (out->kind != MASS_RULE_SUM || done >> out->field & 1) continue;
        flush_tally(f, rule, out->field);
        done |= 1ull << out->field;
    }
}

/* Writes the text of one kernel in PTX to f. tallies: it counts the tallies. overlaps: it may begin while the kernel
 * before it ends. */
static void write_kernel(FILE *f, const mass_rule *rule, const shape *s, const char *name, bool tallies, bool overlaps)
{
    fprintf(f, ".visible .entry %s(.param .align 8 .b8 a[%d])\n.maxntid %d, %d, 1\n{\n", name,
            (int)sizeof(mass_rule_arguments), WORD, WARPS);
    declare(f, rule, s);
    if (overlaps) fputs("griddepcontrol.launch_dependents;\ngriddepcontrol.wait;\n", f);
    find_words(f);
    find_defaults(f, rule);
    begin_sheet(f, rule, s);
    write_rows(f, rule, s, tallies);
    if (tallies) flush_tallies(f, rule);
    fputs("NEXT:\nmov.u32 t, %nctaid.z;\nadd.s32 sheet, sheet, t;\nbra SHEET;\nDONE:\nret;\n}\n", f);
}

char *mass_rule_ptx(const mass_rule *rule, int capability)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = mass_memory_stream(&text, &size);
    if (!f) return NULL;
    const shape s = shape_of(rule);
    const bool overlaps = capability >= 90;
    fprintf(f, ".version %s\n.target sm_%d\n.address_size 64\n", overlaps ? "7.8" : "6.4", overlaps ? 90 : 75);
    write_kernel(f, rule, &s, MASS_RULE_PTX_QUIET, false, overlaps);
    write_kernel(f, rule, &s, MASS_RULE_PTX_TALLY, true, overlaps);
    return fclose(f) == 0 ? text : NULL;
}
