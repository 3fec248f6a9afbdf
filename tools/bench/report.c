/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"
#include "measure.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_WIDTH = 24, FACT_WIDTH = 10 };

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* Reads the name of the host's processor, or "unknown". */
static void read_processor(char name[128])
{
    char line[256];
    snprintf(name, 128, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %127[^\n]", name) == 1) break;
    if (file) fclose(file);
}

void bench_report_begin(bench_report *r, const char *command, const bench_column *columns, int column_count,
                        bool json)
{
    *r = (bench_report){columns, column_count, json, false, json_object(), json_object(), json_array()};
    json_object_set_new(r->root, "command", json_string(command));
    json_object_set(r->root, "machine", r->facts);
    json_object_set(r->root, "rows", r->rows);
    char processor[128];
    read_processor(processor);
    bench_report_fact(r, "cpu", "%s", processor);
    bench_report_fact(r, "cores", "%d", bench_cores());
    bench_report_fact(r, "compiler", "%s", COMPILER);
    bench_report_fact(r, "engine", "%s", MASS_ENGINE_VERSION);
}

void bench_report_fact(bench_report *r, const char *key, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    json_object_set_new(r->facts, key, json_string(text));
    if (!r->json) printf("%-*s %s\n", FACT_WIDTH, key, text);
}

/* Prints the headings of the columns. */
static void print_heading(bench_report *r)
{
    printf("\n%-*s", LABEL_WIDTH, "");
    for (int i = 0; i < r->column_count; i++) printf(" %*s", r->columns[i].width, r->columns[i].heading);
    putchar('\n');
    r->headed = true;
}

void bench_report_row(bench_report *r, const char *label, const double *values)
{
    json_t *row = json_object();
    json_object_set_new(row, "what", json_string(label));
    if (!r->json && !r->headed) print_heading(r);
    if (!r->json) printf("%-*s", LABEL_WIDTH, label);
    for (int i = 0; i < r->column_count; i++) {
        const bench_column *c = &r->columns[i];
        const bool there = isfinite(values[i]);
        json_object_set_new(row, c->key, there ? json_real(values[i]) : json_null());
        if (r->json) continue;
        if (there) printf(" %*.*f", c->width, c->decimals, values[i] * c->scale);
        else printf(" %*s", c->width, "-");
    }
    if (!r->json) putchar('\n');
    fflush(stdout);
    json_array_append_new(r->rows, row);
}

mass_status bench_report_end(bench_report *r, mass_status status, mass_error *error)
{
    if (status == MASS_OK && r->json) json_dumpf(r->root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    if (status == MASS_OK && r->json) putchar('\n');
    if (status == MASS_OK && (fflush(stdout) != 0 || ferror(stdout)))
        status = mass_error_set(error, MASS_FAILED, "standard output cannot be written");
    json_decref(r->facts);
    json_decref(r->rows);
    json_decref(r->root);
    return status;
}
