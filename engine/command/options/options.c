/* SPDX-License-Identifier: Apache-2.0 */
#include "command/options/options.h"
#include "comm/options.h"
#include "command/options/positional.h"
#include "command/options/run_file.h"
#include "split/share.h"
#include "plan/fuse.h"
#include "process/limits.h"
#include "text/decimal.h"
#include "text/reduction.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { COUNT_MAX = INT32_MAX / 2 };

bool mass_options_size(const char *text, mass_gidx size[3], uint32_t *dimensions)
{
    mass_gidx found[3] = {1, 1, 1};
    uint32_t count = 0;
    for (const char *at = text;;) {
        char number[24];
        const size_t length = strcspn(at, "x");
        if (count == 3 || length == 0 || length >= sizeof number) return false;
        memcpy(number, at, length);
        number[length] = '\0';
        if (!mass_read_whole(number, &found[count]) || found[count] < 1) return false;
        count++;
        if (at[length] == '\0') break;
        at += length + 1;
    }
    memcpy(size, found, sizeof found);
    *dimensions = count;
    return true;
}

/* ---- options whose text is kept ---- */

/* Appends a --set NAME=VALUE to the options. Copies both. VALUE may be empty, NAME not. A name may be given again. */
static mass_status add_setting(void *into, const mass_option *option, const char *text, mass_error *error)
{
    (void)option;
    mass_options *o = into;
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return mass_error_set(error, MASS_BAD_USAGE, "--set %s is not of the form NAME=VALUE", text);
    mass_setting *settings = realloc(o->settings, (o->setting_count + 1) * sizeof *settings);
    if (!settings) return mass_error_memory(error, sizeof *settings, "a setting");
    o->settings = settings;
    char *name = strndup(text, (size_t)(equals - text)), *value = strdup(equals + 1);
    settings[o->setting_count++] = (mass_setting){name, value, NULL};
    return name && value ? MASS_OK : mass_error_memory(error, strlen(text), "a setting");
}

/* Appends a copy of an option's text to a list. Refuses an empty one, which the list then has. */
static mass_status add_text(const mass_option *option, char ***list, uint32_t *count, const char *text,
                            mass_error *error)
{
    char **larger = realloc(*list, (*count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(error, sizeof *larger, option->name);
    *list = larger;
    larger[*count] = strdup(text);
    if (!larger[*count]) return mass_error_memory(error, strlen(text), option->name);
    ++*count;
    return text[0] ? MASS_OK : mass_error_set(error, MASS_BAD_USAGE, "--%s needs a value", option->name);
}

/* Appends a --log [NAME=]EXPR to the options. Does not read it. */
static mass_status add_log(void *into, const mass_option *option, const char *text, mass_error *error)
{
    mass_options *o = into;
    return add_text(option, &o->logs, &o->log_count, text, error);
}

/* Appends a --load NAME=FILE to the options. Checks the form only. */
static mass_status add_load(void *into, const mass_option *option, const char *text, mass_error *error)
{
    mass_options *o = into;
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return mass_error_set(error, MASS_BAD_USAGE, "--load %s is not of the form NAME=FILE", text);
    return add_text(option, &o->loads, &o->load_count, text, error);
}

/* Appends a --agents POPULATION=FILE, whose text is borrowed. Checks the form only. */
static mass_status add_agents(void *into, const mass_option *option, const char *text, mass_error *error)
{
    (void)option;
    mass_options *o = into;
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return mass_error_set(error, MASS_BAD_USAGE, "--agents %s is not of the form POPULATION=FILE.csv", text);
    if (o->agents_count == MASS_POPULATIONS_MAX)
        return mass_error_set(error, MASS_BAD_USAGE, "--agents is given more than %d times", MASS_POPULATIONS_MAX);
    o->agents[o->agents_count++] = text;
    return MASS_OK;
}

/* Adds --tally. A wrong text is refused here, before there is a model. */
static mass_status add_tally(void *into, const mass_option *option, const char *text, mass_error *error)
{
    mass_options *o = into;
    mass_reduction_text reduction;
    const mass_status status = add_text(option, &o->tallies, &o->tally_count, text, error);
    return status == MASS_OK ? mass_reduction_parse(text, &reduction, error) : status;
}

/* Takes --size: one to three extents of at least 1. */
static mass_status take_size(void *into, const mass_option *option, const char *text, mass_error *error)
{
    (void)option;
    mass_options *o = into;
    if (mass_options_size(text, o->size, &o->dimensions)) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "--size %s is not N, NXxNY or NXxNYxNZ with extents of at least 1",
                          text);
}

/* Reads the weights of ranks, "3,1,2": one for each rank; or "auto" or "edges". Replaces an earlier --shares. */
static mass_status take_shares(void *into, const mass_option *option, const char *text, mass_error *error)
{
    (void)option;
    mass_options *o = into;
    o->share_count = 0;
    o->measured_shares = strcmp(text, "auto") == 0;
    o->edge_shares = strcmp(text, "edges") == 0;
    if (o->measured_shares || o->edge_shares) return MASS_OK;
    for (const char *at = text;; at++) {
        char number[24] = "";
        const size_t length = strcspn(at, ",");
        int64_t share = 0;
        if (length < sizeof number) memcpy(number, at, length);
        const bool whole = mass_read_whole(number, &share) && share >= 1 && share <= MASS_SHARE_MOST;
        if (!whole || o->share_count == MASS_RANKS_MAX)
            return mass_error_set(error, MASS_BAD_USAGE, "--shares %s is not a list as 3,1,2 of numbers from 1 to %d, "
                                  "one for each rank, nor auto or edges", text, MASS_SHARE_MOST);
        int32_t *larger = realloc(o->shares, (o->share_count + 1) * sizeof *larger);
        if (!larger) return mass_error_memory(error, sizeof *larger, "shares");
        o->shares = larger;
        larger[o->share_count++] = (int32_t)share;
        at += length;
        if (*at == '\0') return MASS_OK;
    }
}

/* Reads --movie-rate. Viewers slow down frames that are shorter than two hundredths of a second. */
static mass_status take_rate(void *into, const mass_option *option, const char *text, mass_error *error)
{
    mass_options *o = into;
    (void)option;
    o->movie_rate_given = mass_read_f64(text, &o->movie_rate) && o->movie_rate >= 0.01 && o->movie_rate <= 50;
    if (o->movie_rate_given) return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "--movie-rate %s is not a number from 0.01 to 50, frames a second",
                          text);
}

/* Takes --design. */
static mass_status take_design(void *into, const mass_option *option, const char *text, mass_error *error)
{
    (void)option;
    return mass_design_read(text, &((mass_options *)into)->design, error);
}

/* Reads two whole numbers with a character between them. Returns false if a text is another. */
static bool read_pair(const char *text, char between, int64_t *a, int64_t *b)
{
    char first[24] = "";
    const char *at = strchr(text, between);
    if (!at || (size_t)(at - text) >= sizeof first) return false;
    memcpy(first, text, (size_t)(at - text));
    return mass_read_whole(first, a) && mass_read_whole(at + 1, b);
}

/* Reads --sweep-part I/N, with I from 1 to N. */
static mass_status take_part(void *into, const mass_option *option, const char *text, mass_error *error)
{
    (void)option;
    mass_options *o = into;
    int64_t part, parts;
    if (!read_pair(text, '/', &part, &parts) || part < 1 || part > parts || parts > COUNT_MAX)
        return mass_error_set(error, MASS_BAD_USAGE, "--sweep-part %s is not I/N, with I from 1 to N", text);
    o->sweep_part = (int32_t)part;
    o->sweep_parts = (int32_t)parts;
    return MASS_OK;
}

/* Reads the worlds of a table that a subprocess runs, FIRST,COUNT. The option is the engine's own: a wrong value is
 * an unknown option. */
static mass_status take_worlds(void *into, const mass_option *option, const char *text, mass_error *error)
{
    (void)option;
    mass_options *o = into;
    if (read_pair(text, ',', &o->worlds_from, &o->worlds_count) && o->worlds_from >= 0 && o->worlds_count > 0)
        return MASS_OK;
    return mass_error_set(error, MASS_BAD_USAGE, "there is no option --sweep-worlds; --help lists them");
}

/* Handles an option of a subprocess that tries or reads something; `least` is its mode. Its value becomes o->plugin, or
 * for files o->resume. */
static mass_status take_probe(void *into, const mass_option *option, const char *text, mass_error *error)
{
    (void)error;
    mass_options *o = into;
    o->mode = (mass_mode)option->least;
    if (o->mode <= MASS_MODE_PROBE_ENTRY) o->plugin = text;
    else o->resume = text;
    return MASS_OK;
}

/* Takes a word as the plugin, which needs no --plugin before it. Refuses an empty word, words that look like
 * commands, and a second one. */
static mass_status take_word(void *into, const char *word, mass_error *error)
{
    static const char *const asked[] = {"explain", "help", "info", "list", "resume", "version"};
    mass_options *o = into;
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        if (strcmp(word, asked[i]) == 0)
            return mass_error_set(error, MASS_BAD_USAGE, "there is no command %s; did you mean --%s?", word, word);
    if (strcmp(word, "plot") == 0)
        return mass_error_set(error, MASS_BAD_USAGE, "plot comes first, as in mass-engine plot SERIES.h5 NAME");
    if (!word[0])
        return mass_error_set(error, MASS_BAD_USAGE, "an argument is empty, and has to be an option or a plugin");
    if (!o->word) {
        o->word = word;
        return MASS_OK;
    }
    if (strcmp(o->word, "run") == 0)
        return mass_error_set(error, MASS_BAD_USAGE, "there is no command run; did you mean mass-engine %s?", word);
    const char *meant = mass_command_like(o->word);
    if (meant)
        return mass_error_set(error, MASS_BAD_USAGE, "there is no command %s; did you mean %s?", o->word, meant);
    if (strspn(word, "0123456789") == strlen(word))
        return mass_error_set(error, MASS_BAD_USAGE, "'%s' needs an option; a size along two axes is one word, as in "
                              "--size 100x%s", word, word);
    return strchr(word, '=') ? mass_error_set(error, MASS_BAD_USAGE, "'%s' needs an option; did you mean --set %s?",
                                              word, word)
                             : mass_error_set(error, MASS_BAD_USAGE, "one plugin at a time: %s or %s", o->word, word);
}

/* ---- the table ---- */

#define AT(member) offsetof(mass_options, member)
#define FLAG(member) .kind = MASS_OPTION_FLAG, .at = AT(member)
#define MODE(mode_) .kind = MASS_OPTION_MODE, .at = AT(mode), .least = (mode_)
#define TEXT(member) .kind = MASS_OPTION_TEXT, .at = AT(member)
#define COUNT(member, least_, most_) .kind = MASS_OPTION_INT32, .at = AT(member), .least = (least_), .most = (most_)
#define LONG(member, least_, most_) .kind = MASS_OPTION_INT64, .at = AT(member), .least = (least_), .most = (most_)
#define OTHER(take_) .kind = MASS_OPTION_OTHER, .take = (take_)
#define PROBE(name_, mode_) {.name = (name_), .value = "FILE", .hidden = true, OTHER(take_probe), .least = (mode_)}

static const mass_option options[] = {
    {.heading = "Model", .name = "plugin", .value = "P", TEXT(plugin), .expected = MASS_EXPECTED_PLUGIN,
     .help = "the model: a name, as in --list, or a path such as ./life.so; --plugin may be left out before it",
     .more = "A name is looked up in the folders of MASS_PLUGIN_PATH, in ../lib/mass/plugins next to the program, in "
             "~/.local/lib/mass/plugins and in the folder that plugins are installed in."},
    {.name = "run", .value = "FILE", TEXT(run), .expected = MASS_EXPECTED_FILE, .words = ".yaml .yml .json",
     .help = "options from a .yaml, .yml or .json, whose keys are their names; those given here override them"},
    {.name = "set", .value = "NAME=VALUE", OTHER(add_setting), .repeated = true, .expected = MASS_EXPECTED_PARAMETER,
     .help = "a parameter of the model, as --info lists them"},
    {.name = "params", .value = "FILE", TEXT(params), .expected = MASS_EXPECTED_FILE, .words = ".yaml .yml .json",
     .help = "parameters from a .yaml, .yml or .json; --set overrides them"},
    {.name = "load", .value = "NAME=FILE", OTHER(add_load), .repeated = true, .expected = MASS_EXPECTED_FILE,
     .help = "an attribute of places starts with a .npy, .csv, .png, or FILE.h5:/path",
     .more = "NAME is health, of the first space, grid.health, or a component of an attribute that has several, "
             "counted from 0: temperature[1]."},
    {.name = "size", .value = "NX[xNY[xNZ]]", OTHER(take_size),
     .help = "extents of the space; one number alone is that of all axes"},
    {.name = "steps", .value = "N", LONG(steps, 0, (int64_t)MASS_STEPS_MAX), .given = AT(steps_given),
     .help = "the step to end at, also written 1e6 (default: the model's, or that of the run which is resumed)"},
    {.name = "until", .value = "EXPR", TEXT(until),
     .help = "end at the first step at which it holds: 'population == 0', 'steady(population, 100)'"},
    {.name = "seed", .value = "N", LONG(seed, 0, INT64_MAX), .given = AT(seed_given), /* greatest integer that JSON can
                                                                                         store */
     .help = "seed of the random numbers (default: a random one, which is printed)"},
    {.name = "worlds", .value = "N", COUNT(worlds, 1, COUNT_MAX), .given = AT(worlds_given),
     .help = "independent copies of the model, run together (default 1)"},
    {.name = "first-world", .value = "K", COUNT(first_world, 0, COUNT_MAX), .given = AT(first_world_given),
     .help = "number of the first of them (default 0)"},
    {.name = "sweep", .value = "FILE.csv", TEXT(sweep), .expected = MASS_EXPECTED_FILE, .words = ".csv",
     .help = "a world for each row, with the parameters that the header names; lists and ranges are every combination",
     .more = "The header may name seed, steps, size and repeat, too. 1..4 and '1; 2; 5' are several values. --worlds N "
             "runs each row N times."},
    {.name = "design", .value = "D:N[:SEED]", OTHER(take_design), .expected = MASS_EXPECTED_WORDS,
     .words = "random: latin: sobol:",
     .help = "in place of every combination, N rows of --sweep by random numbers, a Latin hypercube, or Sobol's "
             "sequence",
     .more = "1..4 is then a range of whole numbers, 0.0..1.0 one of reals, and '1; 2; 5' a choice. SEED is 1 by "
             "default."},
    {.name = "sweep-part", .value = "I/N", OTHER(take_part),
     .help = "only the I-th of N equal parts of the rows of --sweep"},
    {.name = "results", .value = "FILE.h5", TEXT(results), .expected = MASS_EXPECTED_FILE, .words = ".h5",
     .help = "a table of what --sweep gives, row by row as they end; the same command goes on after the last one",
     .more = "Rows run in groups, each in a process of its own. A group that had not ended runs again. With --log, the "
             "file has series, too."},
    {.name = "means", .value = "FILE.csv", TEXT(means), .expected = MASS_EXPECTED_FILE, .words = ".csv",
     .help = "means and standard deviations of the results of each row of a sweep"},
    {.name = "resume", .value = "CHECKPOINT", TEXT(resume), .expected = MASS_EXPECTED_FILE, .words = ".h5",
     .help = "go on from a file, or from the newest whole one of a folder"},

    {.heading = "Where it runs (the results are the same bits everywhere)", .name = "device", .value = "D",
     TEXT(device), .expected = MASS_EXPECTED_WORDS, .words = "auto cpu paranoid cuda cuda:0",
     .help = "auto (default), cpu, cuda, cuda:N, cuda:N,M for two ranks, or paranoid: a slow CPU that checks what "
             "callbacks do"},
    {.name = "threads", .value = "N", COUNT(threads, 1, MASS_THREADS_MAX),
     .help = "CPU threads (default: as many as make it fastest)"},
    {.name = "partitions", .value = "N", COUNT(partitions, 1, COUNT_MAX),
     .help = "slabs that the space, or a rank's part of it, is cut into (default 1)"},
    {.name = "fuse", .value = "N", COUNT(fuse, 1, MASS_FUSE_MOST),
     .help = "steps to do in one pass over memory, if no output is due in between (default: as many as are fastest)"},
    {.name = "ranks", .value = "N", COUNT(ranks, 1, MASS_RANKS_MAX),
     .help = "processes that the run is spread over (default 1), started by mpirun on this host",
     .more = "Where mpirun or srun starts mass-engine itself, the number is theirs, and --ranks may be left out."},
    {.name = "shares", .value = "A,B,...", OTHER(take_shares),
     .help = "the proportion in which ranks hold the space, or the worlds: 3,1; auto: by the speed of their devices' "
             "memory; or edges: of a network, equal numbers of nodes and edges (default: auto for devices of "
             "different kinds, else equal parts)"},
    {.name = "rebalance", .value = "N", LONG(rebalance, 1, INT64_MAX),
     .help = "every N steps, cut the space again if a rank takes 1.2 times the mean time of all ranks"},
    {.name = "comm", .value = "C", TEXT(comm), .expected = MASS_EXPECTED_WORDS, .words = "auto mpi nccl",
     .help = "how ranks exchange data: from GPU to GPU by nccl, through the host by mpi, or auto (default), as they "
             "can"},
    {.name = "no-bits", FLAG(no_bits), .help = "run callbacks over bits place by place, and not as rules by words"},
    {.name = "no-graph", FLAG(no_graph), .help = "queue each step on a GPU by itself, and record none for replay"},
    {.name = "no-block", FLAG(no_block), .help = "run small worlds by launches of kernels, and not each in one block"},
    {.name = "no-overlap", FLAG(no_overlap),
     .help = "exchange data between GPUs before computing, and not at the same time"},
    {.name = "comm-timeout", .value = "S", LONG(comm_timeout, 0, INT32_MAX),
     .help = "seconds that a rank waits for another before the run is ended (default 600; 0: for ever)"},

    {.heading = "Output", .name = "checkpoint", .value = "FOLDER", TEXT(checkpoint), .expected = MASS_EXPECTED_FOLDER,
     .help = "the final state, also after a signal, in ckpt-<step>.h5 there"},
    {.name = "checkpoint-every", .value = "N", LONG(checkpoint_every, 1, INT64_MAX), .given = AT(every_given),
     .help = "... and the state every N steps"},
    {.name = "checkpoint-parts", FLAG(parts), .help = "each of several ranks writes a file of its own next to it"},
    {.name = "keep", .value = "K", COUNT(keep, 0, COUNT_MAX), .given = AT(keep_given),
     .help = "newest checkpoints to keep (default 3; 0: all)"},
    {.name = "log", .value = "[NAME=]EXPR", OTHER(add_log), .repeated = true,
     .help = "a time series, in series.h5 in the checkpoint folder"},
    {.name = "log-every", .value = "N", LONG(log_every, 1, INT64_MAX), .given = AT(log_every_given),
     .help = "steps from row to row (default 1); without --log, it logs what the model declares"},
    {.name = "series", .value = "FILE", TEXT(series), .expected = MASS_EXPECTED_FILE, .words = ".csv .jsonl",
     .help = "rows as text too, as they come: .csv or .jsonl"},
    {.name = "tally", .value = "NAME=OP(ATTRIBUTE)", OTHER(add_tally), .repeated = true,
     .help = "a tally that the model lacks: sum, mean, min or max of an attribute, or hist(ATTRIBUTE,BINS,LOW,HIGH)",
     .more = "ATTRIBUTE may be SPACE.ATTRIBUTE or POPULATION.ATTRIBUTE, with [COMPONENT] if it has several. A hist "
             "has NAME.below, NAME.above and NAME.nan, too. --log, --until and --info know tallies by name."},
    {.name = "fields", .value = "FOLDER", TEXT(fields), .expected = MASS_EXPECTED_FOLDER,
     .help = "places and agents for ParaView and VisIt: HDF5 files and fields.xmf"},
    {.name = "fields-every", .value = "N", LONG(fields_every, 1, INT64_MAX),
     .help = "... every N steps, besides the first and the last"},
    {.name = "image", .value = "FILE.png", TEXT(image), .expected = MASS_EXPECTED_FILE, .words = ".png",
     .help = "a picture of the final state"},
    {.name = "network", .value = "FILE.graphml", TEXT(network), .expected = MASS_EXPECTED_FILE, .words = ".graphml",
     .help = "the network of the final state, with the attributes of nodes and edges"},
    {.name = "agents", .value = "POPULATION=FILE.csv", OTHER(add_agents), .repeated = true,
     .expected = MASS_EXPECTED_FILE,
     .help = "the agents of the final state: a table with a row for each, which a model may start from"},
    {.name = "movie", .value = "FILE.gif", TEXT(movie), .expected = MASS_EXPECTED_FILE, .words = ".gif",
     .help = "a movie, from the first state to the final one"},
    {.name = "movie-every", .value = "N", LONG(movie_every, 1, INT64_MAX), .given = AT(movie_every_given),
     .help = "steps from frame to frame (default 1)"},
    {.name = "movie-rate", .value = "R", OTHER(take_rate),
     .help = "frames a second, from 0.01 to 50 (default 20)",
     .more = "A GIF counts in hundredths of a second. At 50, 25, 20, 10, 5, 4, 2 and 1 all frames last equally long. "
             "At other rates some last a hundredth longer, and the mean is exact."},
    {.name = "crate", .value = "FOLDER", TEXT(crate), .expected = MASS_EXPECTED_FOLDER,
     .help = "describe the finished run there, as an RO-Crate: ro-crate-metadata.json"},
    {.name = "watch", FLAG(watch), .help = "show the run in the terminal while it goes on"},
    {.name = "view", .value = "[=AT]", .bare = true, TEXT(view), .expected = MASS_EXPECTED_WORDS,
     .words = "control",
     .help = "serve the run to a browser on this host: at a free port, or =PORT, or =unix:PATH; =control lets it stop "
             "and change the run",
     .more = "The value follows '=', and may have both, as --view=8080,control. The address that is printed has a "
             "token, without which the page shows nothing. ssh -L 8080:127.0.0.1:8080 HOST forwards the port of "
             "another host."},
    {.name = "events", .value = "FILE.csv", TEXT(events), .expected = MASS_EXPECTED_FILE, .words = ".csv",
     .help = "values that places get between steps, as they were drawn in a browser with --view=control",
     .more = "The run repeats them at their steps. It records new ones in the same file, or, with --checkpoint, in "
             "FOLDER/events.csv."},
    {.name = "view-wait", FLAG(view_wait),
     .help = "with --view, wait before the first step until somebody opens the page; with "
             "control, until they press Go"},
    {.name = "view-go", FLAG(view_go),
     .help = "with --view=control, begin at once, and not paused"},
    {.name = "view-stay", .value = "S", LONG(view_stay, 0, INT32_MAX),
     .help = "seconds that the page of a run without a terminal waits for a viewer (default 60)",
     .more = "A run with --view=control waits at most that long before it begins, and every run after it has ended. On "
             "a terminal it waits until Ctrl-C."},
    {.name = "view-every", .value = "N", LONG(view_every, 1, INT64_MAX),
     .help = "steps from count to count in the charts of --view",
     .more = "Without it, every step is counted while somebody has the page open, and in runs of up to 5,000 steps. "
             "Other runs count as many steps as take at most a twentieth of their time."},
    {.name = "slice", .value = "Z", LONG(slice, 0, INT32_MAX),
     .help = "the layer of a three-dimensional space to draw (default: the middle one)"},
    {.name = "force", FLAG(force), .help = "replace files that would be refused: those of another run, or of no run"},
    {.name = "json", FLAG(json), .help = "the result as one JSON object on standard output"},
    {.name = "profile", FLAG(profile),
     .help = "at the end, the time of each operation of the steps, and its rate compared with a copy of memory",
     .more = "The run waits for each operation, so that steps are not recorded on a GPU and take longer."},
    {.name = "quiet", FLAG(quiet),
     .help = "nothing on standard error but errors, faults of the model, and a seed that was drawn if there is no "
             "--json"},
    {.name = "strict", FLAG(strict),
     .help = "a fault of the model, found in its trial or in the run, is a failure with exit status 3"},

    {.heading = "Information", .name = "info", MODE(MASS_MODE_INFO),
     .help = "describe a plugin: its parameters, sizes, tallies"},
    {.name = "explain", MODE(MASS_MODE_EXPLAIN),
     .help = "what a run with these options does in a step, operation by operation, and how much memory it moves",
     .more = "Nothing runs. With --json, one object."},
    {.name = "print-run", MODE(MASS_MODE_PRINT_RUN),
     .help = "print the file for --run that says what these options say, or of a checkpoint in place of the plugin",
     .more = "The file is in YAML, or with --json in JSON. A checkpoint is a file, or a folder with the newest one."},
    {.name = "list", MODE(MASS_MODE_LIST), .help = "the plugins that are found"},
    {.name = "version", MODE(MASS_MODE_VERSION), .help = "the version of this program"},
    {.name = "help", .letter = 'h', MODE(MASS_MODE_HELP), .help = "this text; man mass-engine has more"},
    {.name = "verbose", FLAG(verbose),
     .help = "with --info, details for authors; with --list, where plugins are; with --version, the libraries"},

    /* Options that only this program gives, to its subprocesses. */
    {.name = "resumed", .hidden = true, FLAG(resumed)},
    {.name = "loaded", .hidden = true, FLAG(loaded)},
    {.name = "explained", .hidden = true, FLAG(explained)},
    {.name = "sweep-run", .value = "N", .hidden = true, COUNT(sweep_run, 1, COUNT_MAX)},
    {.name = "sweep-worlds", .value = "FIRST,COUNT", .hidden = true, OTHER(take_worlds)},
    {.name = "view-handed", .value = "N", .hidden = true, COUNT(view_handed, 3, COUNT_MAX)},
    {.name = "held", .value = "N", .hidden = true, LONG(held, 0, INT64_MAX)},
    {.name = "probe-run", .hidden = true, MODE(MASS_MODE_PROBE_RUN)},
    PROBE("probe-plugin", MASS_MODE_PROBE_PLUGIN),
    PROBE("probe-cut", MASS_MODE_PROBE_CUT),
    PROBE("probe-entry", MASS_MODE_PROBE_ENTRY),
    PROBE("probe-checkpoint", MASS_MODE_PROBE_CHECKPOINT),
    PROBE("probe-part", MASS_MODE_PROBE_PART),
    PROBE("probe-series", MASS_MODE_PROBE_SERIES),
    PROBE("probe-table", MASS_MODE_PROBE_TABLE),
    PROBE("probe-numbers", MASS_MODE_PROBE_NUMBERS),
    {.name = NULL}};

const mass_command mass_engine_command = {
    .name = "mass-engine",
    .summary = "run agent-based models and cellular automata",
    .about = "mass-engine runs agent-based models and cellular automata, which are plugins, on CPUs and GPUs.",
    .ways = (const char *const[][2]){
        {"mass-engine PLUGIN [OPTION...]", "run a model, say life"},
        {"mass-engine --resume CHECKPOINT [OPTION...]", "go on from a checkpoint"},
        {"mass-engine --info PLUGIN [OPTION...]", "describe a plugin"},
        {"mass-engine --explain PLUGIN [OPTION...]", "what a step of a run does"},
        {"mass-engine plot SERIES.h5 NAME[,NAME...]", "draw time series (plot --help)"},
        {"mass-engine --run FILE [OPTION...]", "a run whose options are in a file"},
        {"mass-engine --list | --version | --help", "plugins, version, or this text"},
        {NULL}},
    .options = options,
    .paragraphs = (const char *const[][2]){
        {"Resuming", "A resumed run goes on with the model, size, worlds, seed and parameters of its checkpoint, and "
                     "into the same folder; --steps, device options and output options may differ."},
        {"Signals", "SIGINT and SIGTERM end a run with a last checkpoint, SIGUSR1 writes one and goes on; a second "
                    "signal ends it at once."},
        {"Environment", "MASS_PLUGIN_PATH names folders to look for plugins in; OMP_NUM_THREADS limits the CPU "
                        "threads if --threads is not given."},
        {"Exit status", "0 done, 1 run failed, 2 bad usage or parameter, 3 bad plugin, 4 bad input or checkpoint, 5 "
                        "no such device or not enough memory, 130 interrupted after a final checkpoint."},
        {NULL}},
    .asks = "--help lists them",
    .setter = "--set",
    .expected = MASS_EXPECTED_PLUGIN,
    .word = take_word};

/* ---- combinations of options ---- */

/* Refuses options that do not fit the command, and the engine's own ones if a user gives them. Returns
 * MASS_BAD_USAGE. */
static mass_status check_mode(const mass_options *o, mass_error *error)
{
    if (o->mode == MASS_MODE_INFO && !o->plugin)
        return mass_error_set(error, MASS_BAD_USAGE, "--info needs a plugin, as in mass-engine --info life");
    if ((o->resumed || o->loaded || o->explained) && o->mode != MASS_MODE_PROBE_PLUGIN)
        return mass_error_set(error, MASS_BAD_USAGE, "there is no option --%s; --help lists them",
                              o->resumed ? "resumed" : o->loaded ? "loaded" : "explained");
    if (o->held && o->mode != MASS_MODE_PROBE_RUN)
        return mass_error_set(error, MASS_BAD_USAGE, "there is no option --held; --help lists them");
    if (o->verbose && o->mode != MASS_MODE_VERSION && o->mode != MASS_MODE_INFO && o->mode != MASS_MODE_LIST)
        return mass_error_set(error, MASS_BAD_USAGE, "--verbose goes with --info, --list or --version");
    return MASS_OK;
}

/* Refuses combinations of options that a run cannot have, such as one that needs another. Returns MASS_BAD_USAGE. */
static mass_status check_run(const mass_options *o, mass_error *error)
{
    if (!o->plugin && !o->resume)
        return mass_error_set(error, MASS_BAD_USAGE, "name a model, as in mass-engine life, or a checkpoint with "
                              "--resume; --list names models, and --help tells more");
    if (o->resume && (o->setting_count || o->dimensions || o->seed_given || o->worlds_given || o->first_world_given ||
                      o->sweep || o->params || o->load_count))
        return mass_error_set(error, MASS_BAD_USAGE, "a resumed run keeps its parameters, size, seed and worlds: "
                              "leave out --set, --params, --load, --sweep, --size, --seed, --worlds and --first-world");
    if (o->resume && o->events)
        return mass_error_set(error, MASS_BAD_USAGE, "a resumed run keeps its events, which its checkpoint and "
                              "events.csv next to that have: leave out --events");
    if (o->every_given && !o->checkpoint && !o->resume)
        return mass_error_set(error, MASS_BAD_USAGE, "--checkpoint-every needs --checkpoint FOLDER");
    if (o->parts && !o->checkpoint && !o->resume)
        return mass_error_set(error, MASS_BAD_USAGE, "--checkpoint-parts needs --checkpoint FOLDER");
    if (o->keep_given && !o->checkpoint && !o->resume)
        return mass_error_set(error, MASS_BAD_USAGE, "--keep needs --checkpoint FOLDER");
    if (o->results && (o->checkpoint || o->series || o->fields || o->image || o->movie || o->network ||
                       o->agents_count || o->view || o->crate || o->means || o->watch || o->profile || o->events))
        return mass_error_set(error, MASS_BAD_USAGE, "--results has the tallies and series of each row: leave out "
                              "--checkpoint, --series, --fields, --image, --movie, --network, --agents, --crate, "
                              "--view, --watch, --means, --profile and --events");
    if ((o->log_count || o->log_every_given) && !o->checkpoint && !o->resume && !o->series && !o->results)
        return mass_error_set(error, MASS_BAD_USAGE, "--log and --log-every need --checkpoint FOLDER or --series FILE, "
                              "or in a sweep --results FILE.h5");
    if (o->movie_every_given && !o->movie)
        return mass_error_set(error, MASS_BAD_USAGE, "--movie-every needs --movie FILE.gif");
    if (o->movie_rate_given && !o->movie)
        return mass_error_set(error, MASS_BAD_USAGE, "--movie-rate needs --movie FILE.gif");
    if (o->sweep_run && !o->sweep) return mass_error_set(error, MASS_BAD_USAGE, "--sweep-run needs --sweep FILE.csv");
    if ((o->design.points || o->sweep_parts || o->results || o->worlds_count) && !o->sweep)
        return mass_error_set(error, MASS_BAD_USAGE, "--%s needs --sweep FILE.csv",
                              o->design.points ? "design" : o->sweep_parts ? "sweep-part" : "results");
    if (o->fields_every && !o->fields)
        return mass_error_set(error, MASS_BAD_USAGE, "--fields-every needs --fields FOLDER");
    if (o->watch && o->quiet)
        return mass_error_set(error, MASS_BAD_USAGE, "--watch shows on standard error what --quiet forbids: leave out "
                              "one of them");
    if (o->view_wait && !o->view)
        return mass_error_set(error, MASS_BAD_USAGE, "--view-wait needs --view");
    if ((o->view_go || o->view_stay >= 0 || o->view_every) && !o->view)
        return mass_error_set(error, MASS_BAD_USAGE, "--view-go, --view-stay and --view-every need --view");
    if (o->view_go && o->view_wait)
        return mass_error_set(error, MASS_BAD_USAGE, "--view-go begins at once, and --view-wait waits: leave out one "
                              "of them");
    if (o->slice >= 0 && !o->movie && !o->image && !o->watch)
        return mass_error_set(error, MASS_BAD_USAGE, "--slice needs --image FILE.png, --movie FILE.gif or --watch");
    return MASS_OK;
}

/* Tells messages where the parameters of --run are from. Call it once the words are read: each --set has added one
 * setting, in order. The file's come first, as --set=NAME=VALUE. Texts stay those of o->run_words. */
static void place_settings(mass_options *o)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < o->run_words.count && next < o->setting_count; i++)
        if (o->run_words.where[i] && strncmp(o->run_words.words[i], "--set=", 6) == 0)
            o->settings[next++].where = o->run_words.where[i];
}

/* Returns whether a word ends in ".h5", or is a folder: it is then a checkpoint, or has some, and is no plugin. */
static bool names_checkpoint(const char *word)
{
    struct stat facts;
    const size_t length = strlen(word);
    return (length > 3 && strcmp(word + length - 3, ".h5") == 0) || (stat(word, &facts) == 0 && S_ISDIR(facts.st_mode));
}

mass_status mass_options_parse(int count, char *const arguments[], mass_options *out, mass_error *error)
{
    *out = (mass_options){.worlds = 1, .partitions = 1, .keep = 3, .movie_every = 1, .movie_rate = 20, .slice = -1,
                          .comm_timeout = MASS_COMM_TIMEOUT, .view_stay = -1};
    mass_status status = mass_run_words_make(count, arguments, &out->run_words, error);
    if (status != MASS_OK) return status;
    if (out->run_words.words) {
        arguments = out->run_words.words;
        count = (int)out->run_words.count;
    }
    status = mass_command_read(&mass_engine_command, count, arguments, out, error);
    place_settings(out);
    if (status == MASS_OK && out->word && out->plugin && strcmp(out->word, "run") == 0)
        return mass_error_set(error, MASS_BAD_USAGE, "there is no command run; leave the word out");
    if (status == MASS_OK && out->word && out->plugin)
        return mass_error_set(error, MASS_BAD_USAGE, "one plugin at a time: %s or %s", out->plugin, out->word);
    if (out->mode == MASS_MODE_PRINT_RUN && out->word && names_checkpoint(out->word)) {
        out->of_checkpoint = true;
        out->resume = out->word;
    } else if (out->word) out->plugin = out->word;
    if (status == MASS_OK) status = check_mode(out, error);
    const bool runs = out->mode == MASS_MODE_RUN || out->mode == MASS_MODE_EXPLAIN ||
                      out->mode == MASS_MODE_PROBE_RUN || (out->mode == MASS_MODE_PRINT_RUN && !out->of_checkpoint);
    return status == MASS_OK && runs ? check_run(out, error) : status;
}

void mass_options_free(mass_options *o)
{
    for (uint32_t i = 0; i < o->setting_count; i++) {
        free((void *)(uintptr_t)o->settings[i].name);
        free((void *)(uintptr_t)o->settings[i].value);
    }
    for (uint32_t i = 0; i < o->log_count; i++) free(o->logs[i]);
    for (uint32_t i = 0; i < o->load_count; i++) free(o->loads[i]);
    for (uint32_t i = 0; i < o->tally_count; i++) free(o->tallies[i]);
    free(o->logs);
    free(o->loads);
    free(o->tallies);
    free(o->settings);
    free(o->shares);
    mass_run_words_free(&o->run_words);
    *o = (mass_options){0};
}
