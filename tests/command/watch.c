/* SPDX-License-Identifier: Apache-2.0 */
/* --watch: what comes to a terminal while a run goes on, and how the terminal is left. */
#include "command.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define HIDE "\033[?25l"
#define SHOW "\033[?25h"
#define LIFE "--plugin", "life", "--seed", "3", "--size", "64x64"
#define NAPPING "--plugin", bad_plugin("shape"), "--set", "nap=10", "--seed", "9", "--steps"

/* ---- a terminal, and what was written to it ---- */

static struct {
    int master;
    const char *name;
    pthread_t reader;
    atomic_size_t size;
    char text[64 << 20];
} terminal;

/* Until the last one that could write has closed it, and what it wrote is read. */
static void *read_terminal(void *context)
{
    ssize_t got;
    while ((got = read(terminal.master, terminal.text + terminal.size, sizeof terminal.text - terminal.size - 1)) > 0)
        terminal.size += (size_t)got;
    return context;
}

static void resize(unsigned short columns, unsigned short rows)
{
    const struct winsize size = {.ws_col = columns, .ws_row = rows};
    cr_assert_eq(ioctl(terminal.master, TIOCSWINSZ, &size), 0);
}

static void open_terminal(void)
{
    terminal.master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    cr_assert(grantpt(terminal.master) == 0 && unlockpt(terminal.master) == 0, "%m");
    terminal.name = kept(strdup(ptsname(terminal.master)));
    resize(80, 24);
}

static void make_terminal(void)
{
    scratch_make();
    open_terminal();
}

static void take_another_terminal(void)
{
    close(terminal.master);
    memset(terminal.text, 0, terminal.size);
    terminal.size = 0;
    open_terminal();
}

TestSuite(watch, .init = make_terminal, .fini = scratch_remove);

static void at_the_terminal(void)
{
    setenv("TERM", "xterm", 1);
    setsid();
    const int slave = open(terminal.name, O_RDWR);
    if (slave < 0 || ioctl(slave, TIOCSCTTY, 0) != 0 || dup2(slave, STDERR_FILENO) < 0) _exit(125);
    close(slave);
}

static void start_reading(void) { cr_assert_eq(pthread_create(&terminal.reader, NULL, read_terminal, NULL), 0); }

static process start(const char *const arguments[])
{
    const setting s = {.prepare = at_the_terminal};
    return command_start(&s, arguments);
}

static outcome finish(process *p)
{
    const outcome o = command_finish(p);
    pthread_join(terminal.reader, NULL);
    return o;
}

static outcome watch(const char *const arguments[])
{
    process p = start(arguments);
    start_reading();
    return finish(&p);
}

static int count(const char *text)
{
    int found = 0;
    for (const char *at = terminal.text; (at = strstr(at, text)); at++) found++;
    return found;
}

static void await(const process *p, const char *text, int times)
{
    siginfo_t ended = {0};
    while (count(text) < times && waitid(P_PID, (id_t)p->id, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0)
        usleep(1000);
    cr_assert_geq(count(text), times, "%s", terminal.text);
}

static const char *last(const char *text)
{
    const char *found = NULL;
    for (const char *at = terminal.text; (at = strstr(at, text)); at++) found = at;
    return found;
}

static void assert_given_back(void)
{
    cr_assert(last(HIDE) && last(SHOW) > last(HIDE), "%s", terminal.text);
    cr_assert_null(strstr(last(SHOW), "\033[38"), "it is drawn on after that");
}

/* ---- what is shown ---- */

Test(watch, shows_the_run_and_changes_nothing)
{
    const outcome o = watch(ARGUMENTS(LIFE, "--steps", "2000", "--json", "--watch"));
    const outcome plain = RUN(LIFE, "--steps", "2000", "--json", "--quiet");
    cr_assert_str_eq(outcome_hash(&o, 0), outcome_hash(&plain, 0));
    json_t *tallies = json_object_get(outcome_json(&o), "tallies");
    cr_assert(json_equal(tallies, json_object_get(outcome_json(&plain), "tallies")));
    cr_assert_geq(count("life: step "), 2);
    cr_assert_geq(count("\u2580"), 100);
    cr_assert_not_null(strstr(terminal.text, "life: step 0 of 2000 "));
    cr_assert_not_null(strstr(last("life: step 2000 of 2000"), "population "));
    cr_assert_lt(last("life: step 2000 of 2000"), last(SHOW));
    cr_assert_not_null(strstr(last(SHOW), "\n  state "), "the report follows");
    assert_given_back();
}

Test(watch, a_model_without_a_picture_shows_tallies)
{
    DONE(watch(ARGUMENTS(NAPPING, "2", "--watch")));
    cr_assert_not_null(strstr(terminal.text, "step 2 of 2"));
    cr_assert_eq(count("\u2580"), 0);
    assert_given_back();
}

/* Half-block characters with 24-bit colours, read back: pixels of each of two colours in the last frame. */
static void count_pixels(int counts[2])
{
    uint32_t colours[2] = {0}, ink = 0, paper = 0, used = 0;
    counts[0] = counts[1] = 0;
    const char *at = last("\033[J\033[0m"), *end = at;
    while (strncmp(at, "\033[J", 3) != 0 || at == end) at--;
    for (; at < end; at++) {
        unsigned red, green, blue;
        const bool upper = strncmp(at, "\u2580", 3) == 0, both = strncmp(at, "\u2588", 3) == 0;
        if (sscanf(at, "\033[38;2;%u;%u;%um", &red, &green, &blue) == 3) ink = red << 16 | green << 8 | blue;
        if (sscanf(at, "\033[48;2;%u;%u;%um", &red, &green, &blue) == 3) paper = red << 16 | green << 8 | blue;
        for (int half = 0; (upper || both) && half < 2; half++) {
            const uint32_t colour = half == 0 || both ? ink : paper;
            uint32_t i = 0;
            while (i < used && colours[i] != colour) i++;
            cr_assert_lt(i, 2, "three colours");
            if (i == used) colours[used++] = colour;
            counts[i]++;
        }
    }
}

static void with_all_colours(void)
{
    setenv("COLORTERM", "truecolor", 1);
    at_the_terminal();
}

Test(watch, a_place_is_a_pixel_where_there_is_room)
{
    int counts[2];
    const setting s = {.prepare = with_all_colours};
    process p = command_start(&s, ARGUMENTS("--plugin", "life", "--seed", "3", "--size", "60x40", "--steps", "20",
                                            "--json", "--watch"));
    start_reading();
    const outcome o = finish(&p);
    json_t *population = json_object_get(json_object_get(outcome_json(&o), "tallies"), "population");
    count_pixels(counts);
    const int living = counts[0] < counts[1] ? counts[0] : counts[1];
    cr_assert_eq(counts[0] + counts[1], 60 * 40);
    cr_assert_eq(living, json_integer_value(population));
}

/* Characters of the longest line after `text`, and lines up to where it ends: as it stands in the terminal. */
static void measure(const char *text, int *columns, int *rows)
{
    int column = 0;
    *columns = *rows = 0;
    for (const char *at = text; *at && strncmp(at, "\033[J", 3) != 0; at++) {
        if (*at == '\033') at += strcspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
        else if (*at == '\n') ++*rows, column = 0;
        else if (*at != '\r' && (*at & 0xc0) != 0x80) column++;
        *columns = column > *columns ? column : *columns;
    }
}

Test(watch, follows_the_size_of_the_terminal)
{
    int columns, rows;
    process p = start(ARGUMENTS("--plugin", "heat", "--size", "64x64x64", "--seed", "1", "--steps", "1000000",
                                "--watch", "--threads", "1"));
    start_reading();
    await(&p, "heat: step ", 2);
    measure(strstr(terminal.text, HIDE), &columns, &rows);
    cr_assert(columns <= 79 && rows <= 23 && rows >= 16, "%d x %d", columns, rows);
    resize(40, 12);
    await(&p, "\033[H\033[2J", 1);
    await(&p, "heat: step ", count("heat: step ") + 2);
    measure(strstr(terminal.text, "\033[H\033[2J"), &columns, &rows);
    cr_assert(columns == 39 && rows <= 11 && rows >= 6, "%d x %d", columns, rows);
    kill(p.id, SIGTERM);
    assert_done(&(const outcome[]){finish(&p)}[0], MASS_INTERRUPTED);
    assert_given_back();
}

Test(watch, a_large_space_is_made_to_fit)
{
    int columns, rows;
    DONE(watch(ARGUMENTS("--plugin", "life", "--seed", "3", "--size", "5003x3001", "--steps", "1", "--watch")));
    measure(strstr(terminal.text, HIDE), &columns, &rows);
    cr_assert(columns <= 79 && rows <= 23 && rows >= 16 && count("\u2580") > 100, "%d x %d", columns, rows);
}

Test(watch, a_line_that_is_said_keeps_the_picture_whole)
{
    process p = start(ARGUMENTS(NAPPING, "200", "--watch"));
    start_reading();
    await(&p, ": step ", 2);
    kill(p.id, SIGUSR1);
    assert_done(&(const outcome[]){finish(&p)}[0], 0);
    cr_assert_not_null(strstr(terminal.text, "A\033[Jmass-engine: no checkpoint: give --checkpoint FOLDER\r\n"), "%s",
                       terminal.text);
}

/* ---- several ranks ---- */

/* The picture of step 200, which is drawn last. */
static char *last_picture(void)
{
    const char *end = last("life: step 200 of 200"), *at = end;
    cr_assert_not_null(end, "%s", terminal.text);
    while (at > terminal.text && strncmp(at - 1, "\033[38;", 5) != 0 && strncmp(at - 1, "A", 1) != 0) at--;
    while (at > terminal.text && at[-1] != 'A' && strncmp(at - 1, "\033[J", 3) != 0) at--;
    return kept(strndup(at, (size_t)(end - at)));
}

Test(watch, ranks_show_what_one_does)
{
    if (!ranks_can_run()) cr_skip_test("no ranks can be started here");
    DONE(watch(ARGUMENTS(LIFE, "--steps", "200", "--watch")));
    const char *one = last_picture();
    take_another_terminal();
    DONE(watch(ARGUMENTS(LIFE, "--steps", "200", "--watch", "--ranks", "3")));
    cr_assert_gt(strlen(one), 64 * 10);
    cr_assert_str_eq(last_picture(), one);
    cr_assert_eq(count(HIDE), 0, "who stops ranks cannot show it again");
    cr_assert_not_null(strstr(last("life: step 200 of 200"), "\n\r\033[K  state "), "the report follows");
}

/* Frames that were drawn over another. */
static int count_over(void)
{
    int found = 0, lines;
    for (const char *at = terminal.text; (at = strstr(at, "\r\033[")); at++) {
        char what = 0;
        found += sscanf(at + 3, "%d%c", &lines, &what) == 2 && what == 'A';
    }
    return found;
}

/* Signals as of Ctrl-Z and fg go to the launcher as well, which passes them on. */
Test(watch, ranks_that_were_stopped_begin_anew)
{
    if (!ranks_can_run()) cr_skip_test("no ranks can be started here");
    process p = start(ARGUMENTS(NAPPING, "3000", "--watch", "--ranks", "2"));
    start_reading();
    await(&p, ": step ", 2);
    kill(-p.id, SIGTSTP);
    usleep(500000);
    const int before = count(": step ");
    kill(-p.id, SIGCONT);
    await(&p, ": step ", before + 3);
    kill(p.id, SIGTERM);
    assert_done(&(const outcome[]){finish(&p)}[0], MASS_INTERRUPTED);
    cr_assert_eq(count(": step ") - count_over(), 3, "two beginnings, and the report");
}

/* ---- how it ends ---- */

Test(watch, ctrl_c_ends_the_run_and_leaves_the_terminal_sane)
{
    process p = start(ARGUMENTS(LIFE, "--steps", "100000000", "--json", "--watch", "--checkpoint", scratch("out")));
    start_reading();
    await(&p, "life: step ", 2);
    cr_assert_eq(write(terminal.master, "\003", 1), 1);
    const outcome o = finish(&p);
    outcome_hash(&o, MASS_INTERRUPTED);
    cr_assert_not_null(strstr(last(SHOW), "\n  checkpoint "));
    assert_given_back();
}

static void assert_given_back_after(int number)
{
    process p = start(ARGUMENTS(NAPPING, "3000", "--watch"));
    start_reading();
    await(&p, ": step ", 1);
    kill(p.id, number);
    const outcome o = finish(&p);
    cr_assert_eq(o.signal, number);
    assert_given_back();
}

Test(watch, an_alarm_gives_the_terminal_back) { assert_given_back_after(SIGALRM); }
Test(watch, a_quit_gives_the_terminal_back) { assert_given_back_after(SIGQUIT); }

Test(watch, a_second_signal_gives_the_terminal_back)
{
    process p = start(ARGUMENTS(NAPPING, "3000", "--set", "nap=1000", "--watch"));
    start_reading();
    await(&p, ": step ", 1);
    kill(p.id, SIGTERM);
    usleep(300000);
    kill(p.id, SIGTERM);
    cr_assert_eq(finish(&p).signal, SIGTERM);
    assert_given_back();
}

Test(watch, a_crash_gives_the_terminal_back_and_is_said)
{
    assert_given_back_after(SIGSEGV);
    cr_assert_not_null(strstr(last(SHOW), "mass-engine: "), "%s", last(SHOW));
}

Test(watch, a_stopped_run_gives_the_terminal_back_and_begins_anew)
{
    int how;
    process p = start(ARGUMENTS(NAPPING, "3000", "--watch"));
    start_reading();
    await(&p, ": step ", 2);
    kill(p.id, SIGTSTP);
    cr_assert(waitpid(p.id, &how, WUNTRACED) == p.id && WIFSTOPPED(how));
    await(&p, SHOW, 1);
    assert_given_back();
    kill(p.id, SIGCONT);
    await(&p, HIDE, 2);
    kill(p.id, SIGTERM);
    assert_done(&(const outcome[]){finish(&p)}[0], MASS_INTERRUPTED);
    assert_given_back();
}

Test(watch, a_terminal_that_takes_nothing_does_not_hold_the_run)
{
    const char *rows = scratch("rows.csv");
    resize(1000, 500);
    process p = start(ARGUMENTS(LIFE, "--steps", "100000000", "--json", "--watch", "--series", rows, "--log-every",
                                "100"));
    command_await_file(&p, rows);
    sleep(2); /* after which looks were due that it does not take */
    const size_t size = file_read(rows).size;
    for (int i = 0; i < 1000 && file_read(rows).size == size; i++) usleep(10000);
    cr_assert_gt(file_read(rows).size, size, "the run stands still");
    kill(p.id, SIGTERM);
    start_reading();
    const outcome o = finish(&p);
    outcome_hash(&o, MASS_INTERRUPTED);
    assert_given_back();
}

/* ---- what is refused ---- */

Test(watch, what_is_refused)
{
    REFUSED(RUN(LIFE, "--watch"), MASS_BAD_USAGE, "--watch: standard error is not a terminal");
    REFUSED(RUN(LIFE, "--watch", "--quiet"), MASS_BAD_USAGE, "--watch", "--quiet");
    const outcome o = watch(ARGUMENTS(LIFE, "--watch", "--slice", "1"));
    assert_done(&o, MASS_BAD_USAGE);
    cr_assert_not_null(strstr(terminal.text, "--slice 1 is beyond"));
    cr_assert_eq(count(HIDE), 0);
}
