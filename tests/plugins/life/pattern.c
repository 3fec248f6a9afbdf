#include "pattern.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the patterns that ship are. */
#ifndef MASS_DATA_DIR
#define MASS_DATA_DIR "data"
#endif

enum { SPACE = 64 };

/* ---- the parsers ---- */

static life_pattern parsed(life_pattern_format format, const char *text)
{
    life_pattern pattern = {0};
    life_pattern_error error = {0};
    mass_status status = life_pattern_parse(format, (const uint8_t *)text, strlen(text), SPACE,
                                            SPACE, &pattern, &error);
    cr_assert_eq(status, MASS_OK, "%s", error.text);
    return pattern;
}

/* rows: as in a .cells file, each as wide as the pattern and ended by a newline. */
static void expect_cells(life_pattern_format format, const char *text, const char *rows)
{
    life_pattern pattern = parsed(format, text);
    char shown[SPACE * (SPACE + 1) + 1], *end = shown;
    for (int64_t i = 0; i < pattern.width * pattern.height; i++) {
        *end++ = ".O?"[pattern.cells[i] < 2 ? pattern.cells[i] : 2];
        if ((i + 1) % pattern.width == 0) *end++ = '\n';
    }
    *end = '\0';
    cr_expect_str_eq(shown, rows);
    life_pattern_free(&pattern);
}

static void expect_refusal(life_pattern_format format, const char *text, const char *saying)
{
    life_pattern pattern, before;
    life_pattern_error error = {0};
    memset(&pattern, 0x5a, sizeof pattern);
    memcpy(&before, &pattern, sizeof before);
    mass_status status = life_pattern_parse(format, (const uint8_t *)text, strlen(text), SPACE,
                                            SPACE, &pattern, &error);
    cr_expect_eq(status, MASS_BAD_INPUT, "%s", text);
    cr_expect_eq(memcmp(&pattern, &before, sizeof pattern), 0, "%s", text);
    cr_expect_str_eq(error.text, saying);
    char line[40];
    int length = snprintf(line, sizeof line, "line %lld: ", (long long)error.line);
    cr_expect_eq(strncmp(error.text, line, (size_t)length), 0, "%s", error.text);
}

static void expect_rle(const char *text, const char *rows)
{
    expect_cells(LIFE_PATTERN_RLE, text, rows);
}

static void expect_bad_rle(const char *text, const char *saying)
{
    expect_refusal(LIFE_PATTERN_RLE, text, saying);
}

static void expect_plain(const char *text, const char *rows)
{
    expect_cells(LIFE_PATTERN_CELLS, text, rows);
}

static void expect_bad_plain(const char *text, const char *saying)
{
    expect_refusal(LIFE_PATTERN_CELLS, text, saying);
}

Test(life_rle, runs_rows_and_end)
{
    expect_rle("x = 3, y = 3\nbo$2bo$3o!", ".O.\n..O\nOOO\n");
}

Test(life_rle, rows_that_are_not_given_are_dead)
{
    expect_rle("x = 2, y = 4\no2$bo!", "O.\n..\n.O\n..\n");
    expect_rle("x = 2, y = 2\n!", "..\n..\n");
}

Test(life_rle, the_last_row_may_be_ended)
{
    expect_rle("x = 2, y = 1\n2o$!", "OO\n");
}

Test(life_rle, comments_come_before_the_header_and_between_lines)
{
    expect_rle("#N x = 9\n#C ends!\n\nx = 2, y = 2\n2o$\n#C 9z!\n2o!", "OO\nOO\n");
}

Test(life_rle, white_space_may_be_anywhere)
{
    expect_rle(" x=12 ,\ty =2 \n 1\n2 o\t$ 1 \n2\no !", "OOOOOOOOOOOO\nOOOOOOOOOOOO\n");
}

Test(life_rle, lines_may_end_in_crlf)
{
    expect_rle("#C\r\nx = 2, y = 2, rule = B3/S23\r\n2o$\r\n2o!\r\n", "OO\nOO\n");
}

Test(life_rle, what_follows_the_end_is_ignored)
{
    expect_rle("x = 1, y = 1\no!99z\nx = 0", "O\n");
}

Test(life_rle, states_0_and_1_of_many_are_dead_and_alive)
{
    expect_rle("x = 4, y = 2\n2A2.$.3A!", "OO..\n.OOO\n");
}

Test(life_rle, the_header_may_name_a_rule)
{
    life_pattern pattern =
        parsed(LIFE_PATTERN_RLE, "x = 1, y = 1, rule = b36/s23:T48,48 \no!");
    cr_expect(pattern.has_rule);
    cr_expect_eq(pattern.rule.birth, 1u << 3 | 1u << 6);
    cr_expect_eq(pattern.rule.survive, 1u << 2 | 1u << 3);
    life_pattern_free(&pattern);
}

Test(life_rle, a_header_without_a_rule_has_none)
{
    life_pattern pattern = parsed(LIFE_PATTERN_RLE, "x = 1, y = 1\no!");
    cr_expect_eq(pattern.has_rule, 0);
    life_pattern_free(&pattern);
}

Test(life_rle, a_pattern_may_fill_the_space_and_no_more)
{
    life_pattern pattern = parsed(LIFE_PATTERN_RLE, "x = 64, y = 64\n64o!");
    life_pattern_free(&pattern);
    expect_bad_rle("x = 65, y = 1\n65o!",
                   "line 1: the pattern is 65 x 1, but the space only 64 x 64");
    expect_bad_rle("#C\nx = 1, y = 65\no!",
                   "line 2: the pattern is 1 x 65, but the space only 64 x 64");
}

Test(life_rle, an_empty_file_is_refused)
{
    expect_bad_rle("", "line 1: the file is empty");
}

Test(life_rle, a_file_without_a_header_is_refused)
{
    const char *wrong = "line 1: not a header, which is written x = 36, y = 9, rule = B3/S23";
    expect_bad_rle("bo$2bo$3o!", wrong);
    expect_bad_rle("x = 3\n3o!", wrong);
    expect_bad_rle("x = -3, y = 3\n3o!", wrong);
    expect_bad_rle("x = 3, y = three\n3o!", wrong);
    expect_bad_rle("x = 3, y = 3,\n3o!", wrong);
    expect_bad_rle("x = 3, y = 3 3o!", wrong);
    expect_bad_rle("x = 3, y = 3, role = B3/S23\n3o!", wrong);
    expect_bad_rle("x = 9223372036854775808, y = 1\no!", wrong);
    expect_bad_rle("#C only\n\n",
                   "line 3: ends without a header such as x = 36, y = 9, rule = B3/S23");
}

Test(life_rle, extents_of_nothing_are_refused)
{
    expect_bad_rle("x = 0, y = 3\n!", "line 1: x = 0, but a pattern has at least one cell");
    expect_bad_rle("x = 3, y = 0\n!", "line 1: y = 0, but a pattern has at least one cell");
}

Test(life_rle, a_wrong_rule_is_refused)
{
    expect_bad_rle("#C\nx = 1, y = 1, rule = B3/S29\no!",
                   "line 2: rule 'B3/S29' has '9' where a digit from 0 to 8 belongs: "
                   "rules are written B3/S23 or 23/3");
    expect_bad_rle("x = 1, y = 1, rule =\no!",
                   "line 1: rule '' ends where a digit from 0 to 8 or '/' belongs: "
                   "rules are written B3/S23 or 23/3");
}

Test(life_rle, a_file_without_an_end_is_refused)
{
    expect_bad_rle("x = 3, y = 3\nbo$2bo$3o\n", "line 3: ends without !");
    expect_bad_rle("x = 3, y = 3", "line 1: ends without !");
    expect_bad_rle("x = 3, y = 3\n3o\n#C !", "line 3: ends without !");
}

Test(life_rle, an_unknown_tag_is_refused)
{
    expect_bad_rle("x = 3, y = 3\nbo$\n2xo!", "line 3: 'x' is not one of b, o, $, !");
    expect_bad_rle("x = 3, y = 3\nb\x80!", "line 2: '\\x80' is not one of b, o, $, !");
    expect_bad_rle("x = 3, y = 3\nbo #C\n!", "line 2: '#' is not one of b, o, $, !");
}

Test(life_rle, other_states_are_refused)
{
    expect_bad_rle("x = 3, y = 3\nAB!",
                   "line 2: 'B' is state 2, but a place is dead (b or .) or alive (o or A)");
    expect_bad_rle("x = 3, y = 3\n2X!",
                   "line 2: 'X' is state 24, but a place is dead (b or .) or alive (o or A)");
    expect_bad_rle("x = 3, y = 3\npA!", "line 2: 'p' is not one of b, o, $, !");
}

Test(life_rle, a_count_of_0_is_refused)
{
    expect_bad_rle("x = 3, y = 3\n0o!", "line 2: a count is 0");
    expect_bad_rle("x = 3, y = 3\no00$!", "line 2: a count is 0");
}

Test(life_rle, a_count_without_a_tag_is_refused)
{
    expect_bad_rle("x = 3, y = 3\no3!", "line 2: a count before '!'");
}

Test(life_rle, a_count_beyond_every_number_is_refused)
{
    expect_bad_rle("x = 3, y = 3\n9223372036854775808o!",
                   "line 2: a count is larger than 9223372036854775807");
    expect_bad_rle("x = 3, y = 3\n99999999999999999999999999$!",
                   "line 2: a count is larger than 9223372036854775807");
}

Test(life_rle, a_run_beyond_the_row_is_refused)
{
    expect_bad_rle("x = 3, y = 3\n4o!",
                   "line 2: a run of 4 after 0 cells of a row, but the header says x = 3");
    expect_bad_rle("x = 3, y = 3\n2ob2b!",
                   "line 2: a run of 2 after 3 cells of a row, but the header says x = 3");
    expect_bad_rle("x = 3, y = 3\n2o9223372036854775807b!",
                   "line 2: a run of 9223372036854775807 after 2 cells of a row, "
                   "but the header says x = 3");
}

Test(life_rle, more_rows_than_the_header_says_are_refused)
{
    expect_bad_rle("x = 3, y = 2\no$o$\nb!", "line 3: 3 rows, but the header says y = 2");
    expect_bad_rle("x = 3, y = 2\no3$!", "line 2: 3 rows, but the header says y = 2");
    expect_bad_rle("x = 3, y = 2\no$9223372036854775807$!",
                   "line 2: 9223372036854775808 rows, but the header says y = 2");
}

Test(life_rle, extents_too_large_for_memory_are_refused)
{
    const char *text = "x = 9223372036854775807, y = 9223372036854775807\no!";
    life_pattern pattern;
    life_pattern_error error;
    mass_status status = life_pattern_parse_rle((const uint8_t *)text, strlen(text), INT64_MAX,
                                                INT64_MAX, &pattern, &error);
    cr_expect_eq(status, MASS_NO_DEVICE);
    cr_expect_str_eq(error.text, "line 1: a pattern of 9223372036854775807 x 9223372036854775807 "
                                 "cells does not fit in memory");
}

Test(life_cells, dots_are_dead_and_o_and_star_alive)
{
    expect_plain(".O*\n*.O\n", ".OO\nO.O\n");
}

Test(life_cells, short_rows_are_padded_with_dead_cells)
{
    expect_plain("O\n\n..O\n.*", "O..\n...\n..O\n.O.\n");
}

Test(life_cells, comments_may_be_anywhere)
{
    expect_plain("!Name: x\n!\nO.\n!between\n.O\n!after", "O.\n.O\n");
}

Test(life_cells, lines_may_end_in_crlf)
{
    expect_plain("!Name\r\nO.\r\n\r\n.O\r\n", "O.\n..\n.O\n");
}

Test(life_cells, empty_lines_at_the_end_are_no_rows)
{
    expect_plain("O\n.\n\n\n", "O\n.\n");
}

Test(life_cells, a_file_without_cells_is_refused)
{
    expect_bad_plain("", "line 1: the file is empty");
    expect_bad_plain("!Name: x\n\n", "line 3: ends without any cells");
}

Test(life_cells, another_character_is_refused)
{
    expect_bad_plain("!Name\n.O\n.o\n", "line 3: 'o' is not one of ., O, *");
    expect_bad_plain(".O \n", "line 1: ' ' is not one of ., O, *");
    expect_bad_plain("O\rO\n", "line 1: '\\x0d' is not one of ., O, *");
}

Test(life_cells, a_row_beyond_the_space_is_refused)
{
    char text[70] = "O\n";
    memset(text + 2, '.', 65);
    expect_bad_plain(text, "line 2: a row of 65 cells, but the space is 64 wide");
}

Test(life_cells, more_rows_than_the_space_has_are_refused)
{
    char text[70] = "!\n";
    memset(text + 2, '\n', 64);
    text[66] = '.';
    expect_bad_plain(text, "line 66: row 65, but the space is 64 high");
}

/* ---- either format ---- */

static mass_status rule_of(life_pattern_format format, const char *text, int *has_rule,
                           life_rule *rule)
{
    life_pattern_error error;
    return life_pattern_rule((const uint8_t *)text, strlen(text), format, has_rule, rule, &error);
}

Test(life_pattern, the_rule_is_read_without_the_cells)
{
    int has_rule = 0;
    life_rule rule = {0, 0};
    const char *text = "#C\nx = 900, y = 900, rule = 23/3\nz";
    cr_assert_eq(rule_of(LIFE_PATTERN_RLE, text, &has_rule, &rule), MASS_OK);
    cr_expect(has_rule && rule.birth == 1u << 3 && rule.survive == (1u << 2 | 1u << 3));
}

Test(life_pattern, a_file_may_have_no_rule)
{
    int has_rule = 1;
    life_rule rule = {7, 7};
    cr_expect_eq(rule_of(LIFE_PATTERN_RLE, "x = 9, y = 9\n!", &has_rule, &rule), MASS_OK);
    cr_expect_eq(has_rule, 0);
    has_rule = 1;
    cr_expect_eq(rule_of(LIFE_PATTERN_CELLS, "x = 9, y = 9, rule = B3/S23", &has_rule, &rule),
                 MASS_OK);
    cr_expect_eq(has_rule, 0);
    cr_expect(rule.birth == 7 && rule.survive == 7);
}

Test(life_pattern, a_wrong_header_has_no_rule)
{
    int has_rule = 5;
    life_rule rule = {7, 7};
    cr_expect_eq(rule_of(LIFE_PATTERN_RLE, "x = 1, y = 1, rule = B9/S\n", &has_rule, &rule),
                 MASS_BAD_INPUT);
    cr_expect_eq(rule_of(LIFE_PATTERN_RLE, "", &has_rule, &rule), MASS_BAD_INPUT);
    cr_expect(has_rule == 5 && rule.birth == 7 && rule.survive == 7);
}

static life_pattern_format format_of(const char *path, const char *text)
{
    return life_pattern_format_of(path, (const uint8_t *)text, strlen(text));
}

Test(life_pattern, the_format_follows_from_the_name)
{
    cr_expect_eq(format_of("a/glider.rle", "!"), LIFE_PATTERN_RLE);
    cr_expect_eq(format_of("glider.CELLS", "x = 3"), LIFE_PATTERN_CELLS);
}

Test(life_pattern, the_format_of_another_name_follows_from_the_content)
{
    cr_expect_eq(format_of("glider.txt", "\r\n!Name"), LIFE_PATTERN_CELLS);
    cr_expect_eq(format_of("glider", "..O"), LIFE_PATTERN_CELLS);
    cr_expect_eq(format_of("glider", "O"), LIFE_PATTERN_CELLS);
    cr_expect_eq(format_of("glider", "*"), LIFE_PATTERN_CELLS);
    cr_expect_eq(format_of("glider", "#C !"), LIFE_PATTERN_RLE);
    cr_expect_eq(format_of("glider", "\nx = 3"), LIFE_PATTERN_RLE);
    cr_expect_eq(format_of("", ""), LIFE_PATTERN_RLE);
    cr_expect_eq(life_pattern_format_of("x", (const uint8_t *)"\0", 1), LIFE_PATTERN_RLE);
}

/* ---- files ---- */

typedef struct read_result {
    mass_status status;
    uint8_t *bytes;
    size_t size;
    char message[200];
} read_result;

static read_result read_file(const char *path)
{
    read_result r = {0};
    r.status = life_pattern_read_file(path, &r.bytes, &r.size, r.message, sizeof r.message);
    return r;
}

static void expect_unreadable(const char *path, const char *saying)
{
    read_result r = read_file(path);
    cr_expect_eq(r.status, MASS_BAD_INPUT, "%s", path);
    cr_expect_null(r.bytes);
    cr_expect_str_eq(r.message, saying);
}

/* A new folder, whose name goes into path, with room for "/x" after it. */
static void make_folder(char path[40])
{
    strcpy(path, "/tmp/life-pattern-XXXXXX");
    cr_assert_not_null(mkdtemp(path));
}

static void remove_folder(char *path, const char *file)
{
    unlink(file);
    rmdir(path);
}

Test(life_pattern_file, all_bytes_are_read)
{
    char folder[40], path[50];
    make_folder(folder);
    sprintf(path, "%s/x", folder);
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file);
    for (int i = 0; i < 100000; i++) fputc(i % 251, file);
    cr_assert_eq(fclose(file), 0);
    read_result r = read_file(path);
    remove_folder(folder, path);
    cr_assert_eq(r.status, MASS_OK, "%s", r.message);
    cr_assert_eq(r.size, (size_t)100000);
    for (int i = 0; i < 100000; i++) cr_assert_eq(r.bytes[i], i % 251);
    free(r.bytes);
}

Test(life_pattern_file, an_empty_file_is_no_error)
{
    char folder[40], path[50];
    make_folder(folder);
    sprintf(path, "%s/x", folder);
    FILE *file = fopen(path, "wb");
    cr_assert(file && fclose(file) == 0);
    read_result r = read_file(path);
    remove_folder(folder, path);
    cr_expect_eq(r.status, MASS_OK, "%s", r.message);
    cr_expect_eq(r.size, (size_t)0);
    free(r.bytes);
}

Test(life_pattern_file, a_missing_file_is_refused)
{
    expect_unreadable("/nowhere/glider.rle", "cannot be read: No such file or directory");
}

Test(life_pattern_file, a_folder_is_refused)
{
    expect_unreadable("/tmp", "is a folder, not a file");
}

Test(life_pattern_file, a_pipe_is_refused_without_waiting, .timeout = 10)
{
    char folder[40], path[50];
    make_folder(folder);
    sprintf(path, "%s/x", folder);
    cr_assert_eq(mkfifo(path, 0600), 0);
    expect_unreadable(path, "is not a regular file");
    remove_folder(folder, path);
}

Test(life_pattern_file, a_file_beyond_1_gib_is_refused)
{
    char folder[40], path[50];
    make_folder(folder);
    sprintf(path, "%s/x", folder);
    FILE *file = fopen(path, "wb");
    cr_assert(file && fclose(file) == 0);
    cr_assert_eq(truncate(path, ((off_t)1 << 30) + 1), 0);
    expect_unreadable(path, "is larger than 1 GiB");
    remove_folder(folder, path);
}

/* ---- the patterns that ship ---- */

/* A torus of SIDE x SIDE that visits living places and their neighbours only. */
enum { SIDE = 4096, PLACES = SIDE * SIDE, CROWD_MAX = 100000 };

typedef struct world {
    life_rule rule;
    uint8_t *alive, *near; /* [SIDE][SIDE]; near: living neighbours, 0 between generations */
    int32_t *living, *touched;
    int population;
} world;

static int32_t place(int64_t x, int64_t y)
{
    return (int32_t)((y & (SIDE - 1)) * SIDE + (x & (SIDE - 1)));
}

static life_pattern load(const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", MASS_DATA_DIR, name);
    read_result r = read_file(path);
    cr_assert_eq(r.status, MASS_OK, "%s: %s", path, r.message);
    life_pattern pattern = {0};
    life_pattern_error error;
    mass_status status = life_pattern_parse(life_pattern_format_of(path, r.bytes, r.size), r.bytes,
                                            r.size, SIDE, SIDE, &pattern, &error);
    cr_assert_eq(status, MASS_OK, "%s, %s", path, error.text);
    free(r.bytes);
    return pattern;
}

static void set_alive(world *w, int32_t at)
{
    w->alive[at] = 1;
    w->living[w->population++] = at;
}

static void put(world *w, const life_pattern *p, int64_t x0, int64_t y0)
{
    for (int64_t y = 0; y < p->height; y++)
        for (int64_t x = 0; x < p->width; x++)
            if (p->cells[y * p->width + x]) set_alive(w, place(x0 + x, y0 + y));
}

/* The pattern in the middle, under its own rule or Conway's. */
static world world_of(const life_pattern *p)
{
    world w = {.rule = {1u << 3, 1u << 2 | 1u << 3}};
    if (p->has_rule) w.rule = p->rule;
    w.alive = (uint8_t *)calloc(PLACES, 1);
    w.near = (uint8_t *)calloc(PLACES, 1);
    w.living = (int32_t *)calloc(CROWD_MAX, sizeof *w.living);
    w.touched = (int32_t *)calloc(9 * CROWD_MAX, sizeof *w.touched);
    cr_assert(w.alive && w.near && w.living && w.touched);
    put(&w, p, SIDE / 2, SIDE / 2);
    return w;
}

static void free_world(world *w)
{
    free(w->alive);
    free(w->near);
    free(w->living);
    free(w->touched);
}

/* Counts the living neighbours of every place that has any, or lives. */
static int touch_neighbours(world *w)
{
    int touched = 0;
    for (int i = 0; i < w->population; i++) {
        int64_t x = w->living[i] % SIDE, y = w->living[i] / SIDE;
        for (int64_t dy = -1; dy <= 1; dy++)
            for (int64_t dx = -1; dx <= 1; dx++) {
                int32_t at = place(x + dx, y + dy);
                w->touched[touched++] = at;
                w->near[at] = (uint8_t)(w->near[at] + (dx || dy));
            }
    }
    return touched;
}

static void generation(world *w)
{
    int touched = touch_neighbours(w);
    cr_assert_leq(touched, 8 * CROWD_MAX);
    w->population = 0;
    for (int i = 0; i < touched; i++) {
        int32_t at = w->touched[i];
        if (w->near[at] & 0x80) continue; /* a place touched twice is decided once */
        unsigned counts = w->alive[at] ? w->rule.survive : w->rule.birth;
        int lives = counts >> w->near[at] & 1;
        w->near[at] = 0x80;
        w->alive[at] = 0;
        if (lives) w->living[w->population++] = at;
    }
    for (int i = 0; i < touched; i++) w->near[w->touched[i]] = 0;
    for (int i = 0; i < w->population; i++) w->alive[w->living[i]] = 1;
}

static void generations(world *w, int count)
{
    while (count-- > 0) generation(w);
}

/* Whether exactly the places of the pattern live, in a box as wide and high at x0, y0. */
static int shows(const world *w, const life_pattern *p, int64_t x0, int64_t y0)
{
    for (int64_t y = 0; y < p->height; y++)
        for (int64_t x = 0; x < p->width; x++)
            if (w->alive[place(x0 + x, y0 + y)] != p->cells[y * p->width + x]) return 0;
    return 1;
}

static int cells_alive(const life_pattern *p)
{
    int alive = 0;
    for (int64_t i = 0; i < p->width * p->height; i++) alive += p->cells[i];
    return alive;
}

static void expect_population(const char *name, int count, int population)
{
    life_pattern pattern = load(name);
    world w = world_of(&pattern);
    generations(&w, count);
    cr_expect_eq(w.population, population, "%s: %d at %d", name, w.population, count);
    free_world(&w);
    life_pattern_free(&pattern);
}

Test(life_data, acorn_has_633_cells_at_5206)
{
    expect_population("acorn.rle", 5206, 633);
}

Test(life_data, r_pentomino_has_116_cells_at_1103)
{
    expect_population("r-pentomino.rle", 1103, 116);
}

Test(life_data, gosper_gun_adds_a_glider_every_30_generations)
{
    life_pattern gun = load("gosper-gun.rle");
    world w = world_of(&gun);
    cr_assert_eq(w.population, 36);
    for (int gliders = 1; gliders <= 20; gliders++) {
        generations(&w, 30);
        cr_expect(shows(&w, &gun, SIDE / 2, SIDE / 2), "after %d", 30 * gliders);
        cr_expect_eq(w.population, 36 + 5 * gliders);
    }
    free_world(&w);
    life_pattern_free(&gun);
}

static void expect_ship(const char *name, int64_t dx, int64_t dy)
{
    life_pattern ship = load(name);
    world w = world_of(&ship);
    generations(&w, 4);
    cr_expect(shows(&w, &ship, SIDE / 2 + dx, SIDE / 2 + dy), "%s", name);
    cr_expect_eq(w.population, cells_alive(&ship), "%s", name);
    free_world(&w);
    life_pattern_free(&ship);
}

Test(life_data, glider_moves_right_and_down)
{
    expect_ship("glider.cells", 1, 1);
}

Test(life_data, lwss_moves_left)
{
    expect_ship("lwss.cells", -2, 0);
}

Test(life_data, replicator_becomes_two_of_itself_in_12_generations)
{
    life_pattern replicator = load("replicator.rle");
    cr_assert(replicator.has_rule && replicator.rule.birth == (1u << 3 | 1u << 6));
    world w = world_of(&replicator);
    generations(&w, 12);
    cr_expect(shows(&w, &replicator, SIDE / 2 - 2, SIDE / 2 - 2));
    cr_expect(shows(&w, &replicator, SIDE / 2 + 2, SIDE / 2 + 2));
    cr_expect_eq(w.population, 2 * cells_alive(&replicator));
    free_world(&w);
    life_pattern_free(&replicator);
}
