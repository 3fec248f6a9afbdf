#include "command/options.h"
#include "core/wish.h"
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT_MAX = INT32_MAX / 2 };

const char mass_options_help[] =
    "mass-engine runs agent-based models and cellular automata that ship as plugins.\n"
    "\n"
    "  mass-engine --plugin life.so [options]     run a model\n"
    "  mass-engine --resume FILE-OR-FOLDER        go on from a checkpoint\n"
    "  mass-engine --info --plugin life.so        what a plugin is and takes\n"
    "  mass-engine plot SERIES.h5 NAME            draws time series; plot --help tells more\n"
    "  mass-engine --list                         the plugins found\n"
    "  mass-engine --version [--verbose] | --help\n"
    "\n"
    "Model\n"
    "  --plugin P          a path (./life.so), or a name looked up in MASS_PLUGIN_PATH, beside the\n"
    "                      program (../lib/mass/plugins) and in the install folder\n"
    "  --set NAME=VALUE    set a parameter; may be repeated\n"
    "  --params FILE       parameters from a .yaml, .yml or .json; --set goes before\n"
    "  --load NAME=FILE    an attribute of places to start with, as in health=soup.png, or\n"
    "                      grid.temperature[0]=FILE.h5:/path; also .npy and .csv; may be repeated\n"
    "  --size NX[xNY[xNZ]] extents of the space\n"
    "  --steps N           the step to end at (default: the plugin's, or the resumed run's)\n"
    "  --until EXPR        end at the first step at which it holds: 'population == 0',\n"
    "                      'steady(population, 100)'\n"
    "  --seed N            seed of the random numbers (default: a random one, which is printed)\n"
    "  --worlds N          independent copies of the model, run together (default 1)\n"
    "  --first-world K     number of the first of them (default 0)\n"
    "  --sweep FILE.csv    a world for each row, with the parameters that the header names\n"
    "Where it runs; the results are the same bits everywhere\n"
    "  --device D          auto (default), cpu, paranoid, cuda or cuda:N. paranoid is a slow CPU that\n"
    "                      checks that callbacks read and write only what they declare\n"
    "  --threads N         CPU threads (default: all cores)\n"
    "  --partitions N      slabs that the space is cut into (default 1)\n"
    "Output\n"
    "  --checkpoint FOLDER      write the final state, and on a signal, to ckpt-<step>.h5 there\n"
    "  --checkpoint-every N     ... and every N steps\n"
    "  --keep K                 newest checkpoints to keep (default 3; 0: all)\n"
    "  --log EXPR, NAME=EXPR    a time series, in series.h5 there; may be repeated\n"
    "  --log-every N            steps from row to row (default 1); alone: what the plugin logs\n"
    "  --series FILE            the series as text too, on the fly: .csv or .jsonl\n"
    "  --tally NAME=OP(ATTRIBUTE)  a tally of an attribute over places or agents: sum, mean, min, max of\n"
    "                           ATTRIBUTE, SPACE.ATTRIBUTE or POPULATION.ATTRIBUTE, with [COMPONENT] where it has\n"
    "                           several; or NAME=hist(ATTRIBUTE,BINS,LOW,HIGH), with NAME.below, NAME.above and\n"
    "                           NAME.nan. May be repeated; --log, --until and --info know it by its name\n"
    "  --fields FOLDER          places and agents for ParaView and VisIt: HDF5 files and fields.xmf\n"
    "  --fields-every N         ... of every N steps, besides the first and the last\n"
    "  --image FILE.png         a picture of the final state\n"
    "  --movie FILE.gif         a movie\n"
    "  --movie-every N          steps from frame to frame (default 1)\n"
    "  --watch                  a look at the run while it goes on: picture and tallies, in the terminal\n"
    "  --slice Z                the layer of a three-dimensional space to draw (default: the middle)\n"
    "  --json                   one JSON object with the result on standard output\n"
    "  --quiet                  no text and no progress on standard error, but errors, and a seed that was\n"
    "                           drawn if there is no --json\n"
    "\n"
    "A resumed run goes on with the model, size, worlds, seed and parameters of its checkpoint, and into\n"
    "the same folder; --steps, device options and output options may differ. --resume FOLDER takes the\n"
    "newest checkpoint that is whole. SIGINT and SIGTERM end a run with a last checkpoint, SIGUSR1 writes\n"
    "one and goes on; a second signal ends it at once.\n"
    "\n"
    "Exit status: 0 done, 1 run failed, 2 bad usage or parameter, 3 bad plugin, 4 bad input or\n"
    "checkpoint, 5 no such device or out of its memory, 130 interrupted after a final checkpoint.\n";

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
        if (!mass_read_i64(number, &found[count]) || found[count] < 1) return false;
        count++;
        if (at[length] == '\0') break;
        at += length + 1;
    }
    memcpy(size, found, sizeof found);
    *dimensions = count;
    return true;
}

static mass_status add_setting(mass_options *o, const char *text, mass_error *error)
{
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

static mass_status add_text(const char *option, char ***list, uint32_t *count, const char *text, mass_error *error)
{
    char **larger = realloc(*list, (*count + 1) * sizeof *larger);
    if (!larger) return mass_error_memory(error, sizeof *larger, option);
    *list = larger;
    larger[*count] = strdup(text);
    if (!larger[*count]) return mass_error_memory(error, strlen(text), option);
    ++*count;
    return text[0] ? MASS_OK : mass_error_set(error, MASS_BAD_USAGE, "%s needs a value", option);
}

static mass_status add_load(mass_options *o, const char *text, mass_error *error)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return mass_error_set(error, MASS_BAD_USAGE, "--load %s is not of the form NAME=FILE", text);
    return add_text("--load", &o->loads, &o->load_count, text, error);
}

/* Its text can be refused before there is a model. */
static mass_status add_tally(mass_options *o, const char *text, mass_error *error)
{
    mass_wish wish;
    const mass_status status = add_text("--tally", &o->tallies, &o->tally_count, text, error);
    return status == MASS_OK ? mass_wish_parse(text, &wish, error) : status;
}

static mass_status read_number(const char *option, const char *text, int64_t least, int64_t most, int64_t *out,
                               mass_error *error)
{
    if (!mass_read_i64(text, out) || *out < least || *out > most)
        return mass_error_set(error, MASS_BAD_USAGE, "%s %s is not an integer from %lld to %lld", option, text,
                              (long long)least, (long long)most);
    return MASS_OK;
}

static mass_status read_unsigned(const char *option, const char *text, uint64_t *out, mass_error *error)
{
    if (!mass_read_u64(text, out) || *out > INT64_MAX) /* JSON has no greater integers */
        return mass_error_set(error, MASS_BAD_USAGE, "%s %s is not an integer from 0 to 2^63 - 1", option, text);
    return MASS_OK;
}

/* Options that take a value. Returns MASS_INTERRUPTED, which no value can cause, for an unknown one. */
static mass_status take_value(mass_options *o, const char *option, const char *value, mass_error *error)
{
    const struct {
        const char *name;
        const char **to;
    } texts[] = {{"--plugin", &o->plugin}, {"--resume", &o->resume}, {"--device", &o->device},
                 {"--checkpoint", &o->checkpoint}, {"--sweep", &o->sweep}, {"--image", &o->image},
                 {"--movie", &o->movie}, {"--until", &o->until}, {"--series", &o->series},
                 {"--params", &o->params}, {"--fields", &o->fields}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(option, texts[i].name) == 0) {
            *texts[i].to = value;
            return value[0] ? MASS_OK : mass_error_set(error, MASS_BAD_USAGE, "%s needs a value", option);
        }
    const struct {
        const char *name;
        int32_t *to;
        int32_t least, most;
        bool *given;
    } counts[] = {{"--threads", &o->threads, 1, MASS_THREADS_MAX, NULL},
                  {"--partitions", &o->partitions, 1, COUNT_MAX, NULL},
                  {"--worlds", &o->worlds, 1, COUNT_MAX, &o->worlds_given},
                  {"--keep", &o->keep, 0, COUNT_MAX, &o->keep_given},
                  {"--first-world", &o->first_world, 0, COUNT_MAX, &o->first_world_given}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (strcmp(option, counts[i].name) == 0) {
            int64_t number;
            const mass_status status = read_number(option, value, counts[i].least, counts[i].most, &number, error);
            if (status == MASS_OK) *counts[i].to = (int32_t)number;
            if (counts[i].given) *counts[i].given = true;
            return status;
        }
    if (strcmp(option, "--set") == 0) return add_setting(o, value, error);
    if (strcmp(option, "--slice") == 0) return read_number(option, value, 0, INT32_MAX, &o->slice, error);
    if (strcmp(option, "--steps") == 0) {
        o->steps_given = true;
        int64_t steps = 0;
        const mass_status status = read_number(option, value, 0, (int64_t)MASS_STEPS_MAX, &steps, error);
        o->steps = (uint64_t)steps;
        return status;
    }
    if (strcmp(option, "--seed") == 0) {
        o->seed_given = true;
        return read_unsigned(option, value, &o->seed, error);
    }
    if (strcmp(option, "--log") == 0) return add_text(option, &o->logs, &o->log_count, value, error);
    if (strcmp(option, "--load") == 0) return add_load(o, value, error);
    if (strcmp(option, "--tally") == 0) return add_tally(o, value, error);
    if (strcmp(option, "--checkpoint-every") == 0 || strcmp(option, "--movie-every") == 0 ||
        strcmp(option, "--log-every") == 0 || strcmp(option, "--fields-every") == 0) {
        int64_t every = 1;
        const mass_status status = read_number(option, value, 1, INT64_MAX, &every, error);
        if (option[2] == 'f') o->fields_every = (uint64_t)every;
        else
        if (option[2] == 'l') o->log_every = (uint64_t)every, o->log_every_given = true;
        else
        if (option[2] == 'm') o->movie_every = (uint64_t)every, o->movie_every_given = true;
        else o->checkpoint_every = (uint64_t)every, o->every_given = true;
        return status;
    }
    if (strcmp(option, "--size") == 0)
        return mass_options_size(value, o->size, &o->dimensions) ? MASS_OK
             : mass_error_set(error, MASS_BAD_USAGE, "--size %s is not NX, NXxNY or NXxNYxNZ with extents of at "
                              "least 1", value);
    if (strcmp(option, "--probe-plugin") == 0) {
        o->mode = MASS_MODE_PROBE_PLUGIN;
        o->plugin = value;
        return MASS_OK;
    }
    if (strcmp(option, "--probe-checkpoint") == 0 || strcmp(option, "--probe-table") == 0 ||
        strcmp(option, "--probe-series") == 0 || strcmp(option, "--probe-numbers") == 0) {
        o->mode = option[8] == 't' ? MASS_MODE_PROBE_TABLE : option[8] == 'n' ? MASS_MODE_PROBE_NUMBERS
                : option[8] == 's' ? MASS_MODE_PROBE_SERIES : MASS_MODE_PROBE_CHECKPOINT;
        o->resume = value;
        return MASS_OK;
    }
    return MASS_INTERRUPTED;
}

static bool take_flag(mass_options *o, const char *option)
{
    if (strcmp(option, "--json") == 0) o->json = true;
    else if (strcmp(option, "--quiet") == 0) o->quiet = true;
    else if (strcmp(option, "--watch") == 0) o->watch = true;
    else if (strcmp(option, "--resumed") == 0) o->resumed = true;
    else if (strcmp(option, "--verbose") == 0) o->verbose = true;
    else if (strcmp(option, "--info") == 0) o->mode = MASS_MODE_INFO;
    else if (strcmp(option, "--list") == 0) o->mode = MASS_MODE_LIST;
    else if (strcmp(option, "--version") == 0) o->mode = MASS_MODE_VERSION;
    else if (strcmp(option, "--help") == 0 || strcmp(option, "-h") == 0) o->mode = MASS_MODE_HELP;
    else return false;
    return true;
}

static mass_status check_together(const mass_options *o, mass_error *error)
{
    if (o->mode == MASS_MODE_INFO && !o->plugin)
        return mass_error_set(error, MASS_BAD_USAGE, "--info needs --plugin");
    if (o->resumed && o->mode != MASS_MODE_PROBE_PLUGIN)
        return mass_error_set(error, MASS_BAD_USAGE, "there is no option --resumed; --help lists them");
    if (o->verbose && o->mode != MASS_MODE_VERSION)
        return mass_error_set(error, MASS_BAD_USAGE, "--verbose goes with --version");
    if (o->mode != MASS_MODE_RUN) return MASS_OK;
    if (!o->plugin && !o->resume)
        return mass_error_set(error, MASS_BAD_USAGE, "name a model with --plugin or a checkpoint with --resume; "
                              "--help tells more");
    if (o->resume && (o->setting_count || o->dimensions || o->seed_given || o->worlds_given || o->first_world_given ||
                      o->sweep || o->params || o->load_count))
        return mass_error_set(error, MASS_BAD_USAGE, "a resumed run keeps its parameters, size, seed and worlds: "
                              "leave out --set, --params, --load, --sweep, --size, --seed, --worlds and --first-world");
    if (o->every_given && !o->checkpoint && !o->resume)
        return mass_error_set(error, MASS_BAD_USAGE, "--checkpoint-every needs --checkpoint FOLDER");
    if (o->keep_given && !o->checkpoint && !o->resume)
        return mass_error_set(error, MASS_BAD_USAGE, "--keep needs --checkpoint FOLDER");
    if ((o->log_count || o->log_every_given) && !o->checkpoint && !o->resume && !o->series)
        return mass_error_set(error, MASS_BAD_USAGE, "--log and --log-every need --checkpoint FOLDER or --series FILE");
    if (o->movie_every_given && !o->movie)
        return mass_error_set(error, MASS_BAD_USAGE, "--movie-every needs --movie FILE.gif");
    if (o->fields_every && !o->fields)
        return mass_error_set(error, MASS_BAD_USAGE, "--fields-every needs --fields FOLDER");
    if (o->watch && o->quiet)
        return mass_error_set(error, MASS_BAD_USAGE, "--watch shows on standard error what --quiet forbids: leave out "
                              "one of them");
    if (o->slice >= 0 && !o->movie && !o->image && !o->watch)
        return mass_error_set(error, MASS_BAD_USAGE, "--slice needs --image FILE.png, --movie FILE.gif or --watch");
    return MASS_OK;
}

mass_status mass_options_parse(int count, char *const arguments[], mass_options *out, mass_error *error)
{
    *out = (mass_options){.worlds = 1, .partitions = 1, .keep = 3, .movie_every = 1, .slice = -1};
    for (int i = 0; i < count; i++) {
        char option[64];
        const char *argument = arguments[i], *equals = strchr(argument, '=');
        if (strncmp(argument, "--", 2) == 0 && equals && (size_t)(equals - argument) < sizeof option) {
            memcpy(option, argument, (size_t)(equals - argument)); /* --steps=10 */
            option[equals - argument] = '\0';
            if (take_flag(out, option))
                return mass_error_set(error, MASS_BAD_USAGE, "%s takes no value", option);
        } else {
            equals = NULL;
            if (take_flag(out, argument)) continue;
        }
        const bool missing = !equals && i + 1 == count;
        const char *name = equals ? option : argument;
        const char *value = equals ? equals + 1 : missing ? "" : arguments[i + 1];
        const mass_status status = take_value(out, name, value, error);
        if (status == MASS_INTERRUPTED && equals && take_flag(out, name))
            return mass_error_set(error, MASS_BAD_USAGE, "%s takes no value", name);
        if (status == MASS_INTERRUPTED)
            return mass_error_set(error, MASS_BAD_USAGE, "there is no option %s; --help lists them", name);
        if (missing) {
            *error = (mass_error){0};
            return mass_error_set(error, MASS_BAD_USAGE, "%s needs a value", name);
        }
        if (status != MASS_OK) return status;
        if (!equals) i++;
    }
    return check_together(out, error);
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
    *o = (mass_options){0};
}
