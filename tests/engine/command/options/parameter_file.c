/* SPDX-License-Identifier: Apache-2.0 */
/* Files of parameters: what is read, and the line that everything else is refused with. */
#include "command/options/parameter_file.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mass_status parse(const char *path, const char *text, size_t size, mass_parameter_file *f, mass_error *e)
{
    uint8_t *bytes = malloc(size ? size : 1); /* without an end, so that reading beyond them is seen */
    memcpy(bytes, text, size);
    const mass_status status = mass_parameter_file_parse(path, bytes, size, f, e);
    free(bytes);
    return status;
}

/* Names and values, with the lines they stand in: "1:a=2|2:b=text". */
static void expect(const char *path, const char *text, const char *shown)
{
    mass_parameter_file f;
    mass_error e = {0};
    char found[400] = "";
    cr_assert_eq(parse(path, text, strlen(text), &f, &e), MASS_OK, "%s: %s", text, e.text);
    for (uint32_t i = 0; i < f.count; i++)
        snprintf(found + strlen(found), 100, "%s%s:%s=%s", i ? "|" : "", strrchr(f.settings[i].where, ' ') + 1,
                 f.settings[i].name, f.settings[i].value);
    cr_assert_str_eq(found, shown, "%s", text);
    mass_parameter_file_free(&f);
}

static void refuse_bytes(const char *path, const char *text, size_t size, const char *said)
{
    mass_parameter_file f;
    mass_error e = {0};
    cr_assert_eq(parse(path, text, size, &f, &e), MASS_BAD_INPUT, "%s", text);
    cr_assert_not_null(strstr(e.text, said), "'%s' is not said of '%s': %s", said, text, e.text);
    mass_parameter_file_free(&f);
}

typedef struct refusal {
    int line; /* 0: any */
    const char *text, *said;
} refusal;

static void refuse_all(const char *path, const refusal *all, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char said[200];
        if (all[i].line) snprintf(said, sizeof said, "%s, line %d: %s", path, all[i].line, all[i].said);
        else snprintf(said, sizeof said, "%s", all[i].said);
        refuse_bytes(path, all[i].text, strlen(all[i].text), said);
    }
}

Test(parameter_file, any_line_ends_and_a_mark_before_them)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    for (size_t i = 0; i < 3; i++) {
        char text[200];
        const char *e = ends[i];
        snprintf(text, sizeof text, "\xef\xbb\xbf# note%s%s  a: 1 %s  b: 2\t %s\t %s", e, e, e, e, e);
        expect("p.yaml", text, "3:a=1|4:b=2");
        snprintf(text, sizeof text, "\xef\xbb\xbf%s  {%s\"a\" : 1 ,%s\t\"b\":%s2 } %s %s", e, e, e, e, e, e);
        expect("p.json", text, "3:a=1|4:b=2");
        snprintf(text, sizeof text, "\xef\xbb\xbf{%s\"a\": 1,%s\"b\" 2}", e, e);
        refuse_bytes("p.json", text, strlen(text), "p.json, line 3: it is not JSON");
    }
}

Test(parameter_file, yaml)
{
    expect("p.yaml", "a: 1\n# a remark\nb: 0.10 \n\nc: 'it''s'\nd: \"two\\nlines\"\ne: b3/s23",
           "1:a=1|3:b=0.10|5:c=it's|6:d=two\nlines|7:e=b3/s23");
    expect("p.YML", "---\na: on\nb: ''\nc: |\n  text\n...\n", "2:a=on|3:b=|4:c=text\n");
    expect("p.yml", "{a: 1,\n b: -2e3}", "1:a=1|2:b=-2e3");
    expect("p.yml", "{}", "");
    expect("p.yml", "a: [1, 2.5,\n -3e1]\nb:\n  - 4\nc: []\nd: 1", "1:a=[1,2.5,-3e1]|3:b=[4]|5:c=[]|6:d=1");
}

Test(parameter_file, json)
{
    expect("p.json", "{\"a\": 1, \"b\":\n 0.10,\n\n\"c\" : \"a \\\"b\\\": {,}\", \"d\"\n:\t-2E+3}\n",
           "1:a=1|1:b=0.10|4:c=a \"b\": {,}|4:d=-2E+3");
    expect("p.JSON", "\n{ \"a\\u0062\": 99999999999999999999, \"\\\\\": \"\\u00e9\\\\\" }", "2:ab=99999999999999999999|"
           "2:\\=\xc3\xa9\\");
    expect("p.json", "{}", "");
    expect("p.json", "{\"a\": [1,\n2.5],\"b\": [ ], \"c\": 3}", "1:a=[1,\n2.5]|2:b=[ ]|2:c=3");
}

Test(parameter_file, yaml_that_is_refused)
{
    static const refusal all[] = {
        {1, "", "a map of parameters, as in NAME: VALUE, is expected here"},
        {1, "- a\n- b\n", "a map of parameters"},
        {2, "a: 1\nb: [1, x]\n", "b is a list with more in it than numbers, and has to be a number, a text or a list"},
        {2, "a: 1\nb:\n  c: 2\n", "b is a map"},
        {1, "a:\nb: 1\n", "a is given no value"},
        {1, "a: ~\n", "a is given no value"},
        {3, "a: 1\nb: 2\na: 3\n", "a is given twice"},
        {1, "a: &x 1\nb: *x\n", "a is given an anchor"},
        {1, "a: *x\n", "a is an alias"},
        {1, "a: !!int 1\n", "a is given a tag"},
        {0, "&m\na: 1\n", "the map of parameters is given an anchor"},
        {1, "? [a, b]\n: 1\n", "a name of a parameter is a list"},
        {2, "a: 1\n b: 2\n", "it is not YAML: "},
        {0, "a: 'x\n", "it is not YAML: "},
        {1, "a: \xff\xfe\n", "it is not YAML: "},
        {1, "a: \"\\0\"\n", "a zero byte in a text"},
        {2, "a: 1\n\"\": 2\n", "a parameter has no name"},
        {0, "a: 1\n---\nb: 2\n", "no other document, is expected here"}};
    refuse_all("p.yaml", all, sizeof all / sizeof *all);
}

Test(parameter_file, json_that_is_refused)
{
    static const refusal all[] = {
        {1, "", "it is not JSON: "},
        {1, "[1]", "it is not an object of parameters"},
        {2, "{\"a\": 1,\n \"b\": {\"c\": 2}}", "b is an object, and has to be a number, a text or a list of numbers"},
        {2, "{\"a\": 1,\n \"b\": [[2]]}", "b is a list with more in it than numbers"},
        {1, "{\"\": 1}", "a parameter has no name"},
        {1, "{\"a\": true}", "a is true"},
        {1, "{\"a\": null}", "a is null"},
        {2, "{\"a\": 1,\n\"a\": 2}", "it is not JSON: duplicate object key"},
        {2, "{\"a\": 1,\n\"b\" 2}", "it is not JSON: "},
        {1, "{\"a\": \"\\u0000\"}", "it is not JSON: "},
        {1, "{\"a\": 1} {\"b\": 2}", "it is not JSON: "}};
    refuse_all("p.json", all, sizeof all / sizeof *all);
}

Test(parameter_file, other_names_are_refused)
{
    const refusal one = {0, "a: 1\n", "parameters p.ini: its name does not end in .yaml, .yml or .json"};
    refuse_all("p.ini", &one, 1);
}

Test(parameter_file, more_than_there_can_be)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    for (int i = 0; i <= MASS_PARAMETER_FILE_MAX; i++) fprintf(to, "a%d: 1\n", i);
    fclose(to);
    refuse_bytes("p.yaml", text, size, "p.yaml, line 1001: there are more than 1000 parameters");
    free(text);
    to = open_memstream(&text, &size);
    fprintf(to, "{\"a\": \"%0*d\"}", MASS_PARAMETER_VALUE_MAX + 1, 0);
    fclose(to);
    refuse_bytes("p.json", text, size, "p.json, line 1: a: a value of 65001 bytes");
    free(text);
}

Test(parameter_file, others_go_before)
{
    mass_parameter_file f;
    mass_error e = {0};
    const mass_setting given[] = {{"b", "20", NULL}, {"d", "4", NULL}};
    cr_assert_eq(parse("p.yaml", "a: 1\nb: 2\nc: 3\n", 15, &f, &e), MASS_OK);
    cr_assert_eq(mass_parameter_file_override(&f, given, 2, &e), MASS_OK);
    static const char *const expected[] = {"a", "1", "c", "3", "b", "20", "d", "4"};
    cr_assert(f.count == 4 && f.own == 2);
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert_str_eq(f.settings[i].name, expected[2 * i]);
        cr_assert_str_eq(f.settings[i].value, expected[2 * i + 1]);
    }
    mass_parameter_file_free(&f);
}
