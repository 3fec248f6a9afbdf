/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a chart as a script, and passes it to gnuplot through a pipe. */
#include "base/file.h"
#include "io/chart/chart.h"
#include "io/chart/format.h"
#include "io/folder/names.h"
#include "io/folder/publish.h"
#include "io/picture/image.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const size_t FILE_BYTES_MAX = (size_t)1 << 28;

enum { NO_TERMINAL = 77 /* an exit status */, TITLES_MOST = 32, COLOURS = 6 /* that are easy to tell apart */ };

/* Prints a text in gnuplot's single quotes, where quotes are doubled. Ends of lines become blanks. */
static void put_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text; text++) {
        if (*text == '\'') fputc('\'', to);
        fputc(*text == '\n' ? ' ' : *text, to);
    }
    fputc('\'', to);
}

/* Prints a "set" command with the quoted text. */
static void put_setting(FILE *to, const char *name, const char *text)
{
    fprintf(to, "set %s ", name);
    put_quoted(to, text);
    fputc('\n', to);
}

/* Returns the distance from point to point, or from bar to bar. */
static double step_of(const mass_chart *c)
{
    const size_t parts = c->kind == MASS_CHART_BINS ? c->count : c->count - 1;
    return parts > 0 ? (c->x_last - c->x_first) / (double)parts : 1;
}

/* Prints a line's points as inline data. A value that is not finite becomes a gap. */
static void put_points(FILE *to, const mass_chart *c, size_t line)
{
    const double step = step_of(c), middle = c->kind == MASS_CHART_BINS ? 0.5 : 0;
    for (size_t i = 0; i < c->count; i++) {
        const double y = c->lines[line].y[i];
        if (isfinite(y)) fprintf(to, "%.17g %.17g\n", c->x_first + step * ((double)i + middle), y);
        else fputc('\n', to); /* a gap */
    }
    fputs("e\n", to);
}

/* Prints a band's points, with a gap where an edge of it is not finite. They precede those of its line. */
static void put_band(FILE *to, const mass_chart *c, size_t line)
{
    const mass_chart_line *l = &c->lines[line];
    const double step = step_of(c);
    for (size_t i = 0; i < c->count; i++) {
        if (isfinite(l->low[i]) && isfinite(l->high[i]))
            fprintf(to, "%.17g %.17g %.17g\n", c->x_first + step * (double)i, l->low[i], l->high[i]);
        else fputc('\n', to); /* a gap */
    }
    fputs("e\n", to);
}

/* Returns the colour of a line: distinct colours for a few lines, else a gradient in the order of lines. */
static uint32_t colour_of(const mass_chart *c, size_t line)
{
    static const uint32_t few[COLOURS] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9};
    static const uint8_t way[3][3] = {{68, 1, 84}, {33, 145, 140}, {240, 200, 30}};
    if (c->line_count <= COLOURS) return few[line];
    const double at = 2.0 * (double)line / (double)(c->line_count - 1);
    const int from = at < 1 ? 0 : 1;
    uint32_t colour = 0;
    for (int k = 0; k < 3; k++)
        colour = colour << 8 | (uint32_t)lround(way[from][k] + (at - from) * (way[from + 1][k] - way[from][k]));
    return colour;
}

/* Prints the title of a line. If the legend cannot show all lines, its last entry gives the number of the others. */
static void put_title(FILE *to, const mass_chart *c, size_t line)
{
    char rest[40];
    const bool fits = c->line_count <= TITLES_MOST || line + 1 < TITLES_MOST;
    snprintf(rest, sizeof rest, "... %zu more", c->line_count - TITLES_MOST + 1);
    if (!fits && line + 1 > TITLES_MOST) {
        fputs(" notitle", to);
        return;
    }
    fputs(" title ", to);
    put_quoted(to, fits ? c->lines[line].label : rest);
}

/* Prints the plot command, then the data of each of its parts in the same order. */
static void put_plot(FILE *to, const mass_chart *c)
{
    const char *next = "plot ";
    for (size_t l = 0; l < c->line_count; l++, next = ", ") {
        const uint32_t colour = colour_of(c, l);
        const bool lines = c->kind == MASS_CHART_LINES;
        if (c->lines[l].low)
            fprintf(to, "%s'-' using 1:2:3 notitle with filledcurves fillstyle transparent solid 0.2 noborder "
                    "fillcolor rgb '#%06x'", next, (unsigned)colour);
        fprintf(to, "%s'-'", c->lines[l].low ? ", " : next);
        put_title(to, c, l);
        fprintf(to, " with %s linecolor rgb '#%06x'", lines ? "lines linewidth 2" : "boxes", (unsigned)colour);
    }
    fputc('\n', to);
    for (size_t l = 0; l < c->line_count; l++) {
        if (c->lines[l].low) put_band(to, c, l);
        put_points(to, c, l);
    }
}

/* Prints the range of the y axis. gnuplot chooses ends that are not given; bars include 0, and counts do not go below
 * 0. */
static void put_y_range(FILE *to, const mass_chart *c)
{
    const bool bars = c->kind != MASS_CHART_LINES;
    const char *low = bars ? "*<0" : c->counts ? "0<*" : "*", *high = bars ? "0<*" : "*";
    char from[32], to_[32];
    if (c->y_min_given) snprintf(from, sizeof from, "%.17g", c->y_min);
    if (c->y_max_given) snprintf(to_, sizeof to_, "%.17g", c->y_max);
    fprintf(to, "set yrange [%s:%s]\n", c->y_min_given ? from : low, c->y_max_given ? to_ : high);
}

/* Prints all commands of the chart except its terminal and output. */
static void put_chart(FILE *to, const mass_chart *c)
{
    put_setting(to, "xlabel", c->x_label);
    put_setting(to, "ylabel", c->y_label);
    if (c->kind == MASS_CHART_LINES) fputs("set key outside\n", to);
    else
        fprintf(to, "set style fill solid\nset boxwidth %.17g absolute\n",
                step_of(c) * (c->kind == MASS_CHART_BINS ? 1 : 0.9));
    put_y_range(to, c);
    if (c->kind != MASS_CHART_BARS && c->x_first < c->x_last)
        fprintf(to, "set xrange [%.17g:%.17g]\n", c->x_first, c->x_last);
    if (c->line_count < 2) fputs("unset key\n", to);
    put_plot(to, c);
}

/* Prints the script, which draws to the file `output`. It exits with NO_TERMINAL if gnuplot lacks the terminal. */
static void put_script(FILE *to, const mass_chart_format *format, const mass_chart *charts, size_t count,
                       const char *output)
{
    fprintf(to, "if (strstrt(GPVAL_TERMINALS, ' %s ') == 0) exit status %d\nset terminal %s ", format->terminal,
            NO_TERMINAL, format->terminal);
    fprintf(to, format->options, format->scale * (double)(count < 3 ? 800 : 400 * count));
    fputc('\n', to);
    put_setting(to, "output", output);
    if (count > 1) fprintf(to, "set multiplot layout %zu,1\n", count);
    for (size_t i = 0; i < count; i++)
        if (mass_chart_has_numbers(&charts[i])) put_chart(to, &charts[i]);
    fputs(count > 1 ? "unset multiplot\nunset output\n" : "unset output\n", to);
}

/* Starts gnuplot, which prints nothing, and opens the pipe that it reads. Returns 0 or an errno: ENOENT if there is
 * no gnuplot. */
static int start(pid_t *process, FILE **to)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return errno;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    char *arguments[] = {"gnuplot", "-", NULL};
    const int problem = posix_spawnp(process, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    *to = problem == 0 ? fdopen(ends[1], "w") : NULL;
    if (!*to) close(ends[1]);
    return problem ? problem : *to ? 0 : ENOMEM;
}

/* Sets MASS_FAILED: the chart's file cannot be written. */
static mass_status refuse(mass_error *error, const char *path, const char *why)
{
    return mass_error_set(error, MASS_FAILED, "cannot write %s: %s", path, why);
}

/* Writes all bytes; false, with errno set, on a failed write. */
static bool put_all(int to, const void *from, size_t size)
{
    const char *bytes = from;
    for (ssize_t put; size > 0; bytes += put, size -= (size_t)put)
        if ((put = write(to, bytes, size)) < 0) return false;
    return true;
}

/* Adds the mark of this program to gnuplot's file: in a PNG after the first chunk. Returns false, with errno, if that
 * fails. */
static bool put_mark(const mass_chart_format *format, int to, const mass_file *file)
{
    if (format->mark) return lseek(to, 0, SEEK_END) >= 0 && put_all(to, format->mark, strlen(format->mark));
    return lseek(to, MASS_PNG_FIRST, SEEK_SET) >= 0 && put_all(to, mass_png_mark, MASS_PNG_MARK_BYTES) &&
           put_all(to, file->bytes + MASS_PNG_FIRST, file->size - MASS_PNG_FIRST);
}

/* Checks that gnuplot's file is complete, adds the mark of this program, and brings the file to disk. */
static mass_status mark(const mass_chart_format *format, const char *path, const mass_temporary *t, mass_error *error)
{
    mass_file file = {0};
    mass_status status = mass_file_read(t->path, FILE_BYTES_MAX, MASS_FAILED, &file, error);
    if (status != MASS_OK) return status;
    if (!mass_chart_is_whole(format, file.bytes, file.size)) {
        char why[60];
        snprintf(why, sizeof why, "gnuplot made no whole %s", format->name);
        status = refuse(error, path, why);
    } else if (!put_mark(format, t->file, &file) || fsync(t->file) != 0) status = refuse(error, path, strerror(errno));
    mass_file_free(&file);
    return status;
}

/* Runs gnuplot with the script, and waits for its end. gnuplot draws to the temporary file. */
static mass_status run(const mass_chart_format *format, const mass_chart *charts, size_t count, const char *path,
                       const char *temporary, mass_error *error)
{
    char why[120];
    pid_t process;
    FILE *to = NULL;
    const int problem = start(&process, &to);
    if (problem == ENOENT)
        return refuse(error, path, "-o needs gnuplot, which is not installed: install it (gnuplot-nox), or leave "
                      "out -o to draw here");
    if (problem) return refuse(error, path, strerror(problem));
    put_script(to, format, charts, count, temporary);
    const bool sent = fclose(to) == 0;
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
    if (WIFEXITED(status) && WEXITSTATUS(status) == NO_TERMINAL) {
        snprintf(why, sizeof why, "this gnuplot has no terminal %s, which draws %s: install gnuplot-nox, or give a "
                 "name of another ending", format->terminal, format->name);
        return refuse(error, path, why);
    }
    if (!sent || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return refuse(error, path, "gnuplot failed");
    return MASS_OK;
}

mass_status mass_chart_write(const mass_chart *charts, size_t count, const char *path, bool force, mass_error *error)
{
    const mass_chart_format *format = mass_chart_format_of(path);
    mass_temporary temporary;
    struct stat there;
    char why[MASS_WHY_NOT_MADE];
    const bool stays = lstat(path, &there) == 0 && !mass_chart_may_replace(&force, path);
    if (stays && errno != EEXIST) return mass_error_unread(error, MASS_BAD_USAGE, path, errno);
    if (stays)
        return mass_error_set(error, MASS_BAD_USAGE, "-o %s exists, and is not a picture that this version wrote: give "
                              "another name, or --force to replace it", path);
    if (!mass_temporary_make(path, &temporary))
        return mass_error_set(error, errno == ENOMEM ? MASS_FAILED : MASS_BAD_USAGE, "cannot write %s: %s", path,
                              mass_folder_why_not_made(path, errno, why));
    mass_status status = run(format, charts, count, path, temporary.path, error);
    if (status == MASS_OK) status = mark(format, path, &temporary, error);
    if (status == MASS_OK && !mass_publish(temporary.path, path, mass_chart_may_replace, &force))
        status = refuse(error, path, strerror(errno));
    mass_temporary_end(&temporary);
    return status;
}
