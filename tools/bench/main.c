/* SPDX-License-Identifier: Apache-2.0 */
/* mass-bench: the command line. */
#include "bench.h"
#include "model/parameter.h"
#include "text/decimal.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "mass-bench measures mass-engine, compares it with the machine's own limits, and checks before it prints.\n"
    "\n"
    "  mass-bench life        250 generations of Life on 512x512 to 16384x16384\n"
    "  mass-bench rules       rules over bits, of Life's kind, isotropic and any, one step a pass and more\n"
    "  mass-bench heat        diffusion of one material, in 2 and 3 dimensions\n"
    "  mass-bench stencils    star2d1r, box2d1r and star3d1r, one f32 a place\n"
    "  mass-bench sugarscape  ants on a tenth of the places of 1024x1024 and 4096x4096\n"
    "  mass-bench minesweeper 512 agents on 46x46, in 1, 64 and 1024 worlds\n"
    "  mass-bench standard    standard models: wolf-sheep, schelling, boltzmann, el-farol, small and large\n"
    "  mass-bench meetings    agents that see and claim one another, places that read a total, models in 100 worlds\n"
    "  mass-bench turns       ants that act one after the other, on a tenth of the places or most, near and far\n"
    "  mass-bench networks    nodes that follow edges, in networks of 10 edges a node; edges that change; a list\n"
    "  mass-bench manage      10 million agents on 8192x8192 that move to one of the four places next to theirs\n"
    "  mass-bench tallies     the cost of tallies in every step: Life of bits and bytes, star2d1r, sugarscape\n"
    "  mass-bench histogram   bytes and numbers of a file, counted by value\n"
    "  mass-bench start       time from the start of the command to the end of the first step\n"
    "  mass-bench ranks       runs of several ranks, compared with those of one: models of places, of agents, worlds\n"
    "  mass-bench view        how much a viewer in a browser slows a run, and the frames a second that it gets\n"
    "  mass-bench checkpoint  time to write a checkpoint, and how much it slows a run\n"
    "  mass-bench --help\n"
    "\n"
    "  --device D    cpu, cuda or cuda:N (default: a GPU if one works, else the CPU)\n"
    "  --threads N   CPU threads; all but start and checkpoint measure 1 and N (default: all cores)\n"
    "  --size N      only the space of N places along every axis, with as many agents a place; for histogram,\n"
    "                a file of N bytes\n"
    "  --ranks N     number of ranks for `ranks` (default: 2)\n"
    "  --runs N      repetitions, whose median counts (default: 5; for start 20)\n"
    "  --folder DIR  where checkpoint, histogram and networks write and delete files (default: the working directory)\n"
    "  --json        one JSON object in place of the table\n"
    "\n"
    "Columns\n"
    "  init     time from the open device to the ready state; `first`: the first time in this process\n"
    "  step     time of a step, the mean of very many; `total`: init and 250 generations\n"
    "  limit    updates a second if a step read and wrote the memory once, at the rate of a plain copy\n"
    "           (device to device on a GPU; memcpy of arrays as large, with as many threads, on a CPU)\n"
    "  loop     a loop of ten lines over raw arrays: one thread, same compiler and instruction set\n"
    "  jax, cupy, torch\n"
    "           Life by these libraries, if python3 has them\n"
    "  made     time to draw a network, or to read the list, and to sort its edges by node; `read`: of the list\n"
    "           alone, per second of a core\n"
    "  plain    a step of a plain sequential program with the same rules, one thread\n"
    "  sort     keys a second of a radix sort of as many 64-bit keys, with as many threads\n"
    "  pass     time to count all items, which are on the device; `peer`: the same by CUB on a GPU, by a loop with\n"
    "           eight tables on a CPU, and for words by tr | sort | uniq -c on the CPU\n"
    "  alone, seen\n"
    "           steps a second of a run whose viewer requests a frame of 1920x1080 every two seconds, and ten a\n"
    "           second, in turns; `first`: time of the first frame; `most`: frames a second of a viewer that waits\n"
    "           for each new step\n"
    "  file     time of a pass that reads the file into the GPU's memory, relative to one that does not\n"
    "  /read    rate relative to a sum over memory\n"
    "  tallied  a step that counts all that the model declares, as with --until; `times`: relative to a step\n"
    "           without, both with one step a pass\n"
    "  fastest  a step with as many steps a pass as are fastest; `a pass`: that number\n"
    "  beside   a step of the model that does not read the total, or of one world; `/beside`: relative to that\n"
    "  over     time of a step of several ranks beyond its share of one rank's; `ratio`: that share of its time\n"
    "  /limit, /loop, /plain, /sort, /1 thread, /1 world\n"
    "           the engine's rate relative to these, measured in turns with it\n"
    "\n"
    "Exit status: 0 done, 1 a result was wrong or a measurement failed, 2 bad usage, 3 to 5 as mass-engine.\n";

typedef mass_status bench_command(const bench_options *o, mass_error *error);

static const struct {
    const char *name;
    bench_command *run;
} commands[] = {
    {"life", bench_life}, {"rules", bench_rules}, {"heat", bench_heat}, {"stencils", bench_stencils},
    {"sugarscape", bench_sugarscape}, {"minesweeper", bench_minesweeper}, {"standard", bench_standard},
    {"meetings", bench_meetings}, {"turns", bench_turns}, {"networks", bench_networks}, {"manage", bench_manage},
    {"tallies", bench_tallies},
    {"histogram", bench_histogram}, {"start", bench_start}, {"ranks", bench_ranks}, {"view", bench_view},
    {"checkpoint", bench_checkpoint}};

/* Returns the function of a command, or NULL. */
static bench_command *find_command(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0) return commands[i].run;
    return NULL;
}

/* Stores the value of an option in *o. Fails if it is not one that the option takes. */
static mass_status take_value(bench_options *o, const char *option, const char *value, mass_error *error)
{
    int64_t number = 0;
    const bool numeric = strcmp(option, "--threads") == 0 || strcmp(option, "--runs") == 0 ||
                         strcmp(option, "--ranks") == 0 || strcmp(option, "--size") == 0;
    const int most = strcmp(option, "--runs") == 0 ? BENCH_RUNS_MAX : strcmp(option, "--size") == 0 ? 1 << 30 : 1 << 20;
    if (numeric && (!mass_read_i64(value, &number) || number < 1 || number > most))
        return mass_error_set(error, MASS_BAD_USAGE, "%s %s is not an integer from 1 to %d", option, value, most);
    if (strcmp(option, "--threads") == 0) o->threads = (int)number;
    else if (strcmp(option, "--ranks") == 0) o->ranks = (int)number;
    else if (strcmp(option, "--runs") == 0) o->runs = (int)number;
    else if (strcmp(option, "--size") == 0) o->size = number;
    else if (strcmp(option, "--folder") == 0) o->folder = value;
    else if (strcmp(value, "cpu") != 0 && strncmp(value, "cuda", 4) != 0)
        return mass_error_set(error, MASS_BAD_USAGE, "--device %s is not one of cpu, cuda, cuda:N", value);
    else o->device = value;
    return MASS_OK;
}

/* Parses options and the name of the command, in any order, into *o. Fails without a command. */
static mass_status parse(int count, char *const arguments[], bench_options *o, mass_error *error)
{
    static const char *const valued[] = {"--device", "--threads", "--size", "--ranks", "--runs", "--folder"};
    for (int i = 0; i < count; i++) {
        const char *argument = arguments[i];
        bool takes_value = false;
        for (size_t k = 0; k < sizeof valued / sizeof *valued; k++) takes_value |= strcmp(argument, valued[k]) == 0;
        mass_status status = MASS_OK;
        if (takes_value && i + 1 == count)
            status = mass_error_set(error, MASS_BAD_USAGE, "%s needs a value", argument);
        else if (takes_value) status = take_value(o, argument, arguments[++i], error);
        else if (strcmp(argument, "--json") == 0) o->json = true;
        else if (argument[0] == '-')
            status = mass_error_set(error, MASS_BAD_USAGE, "there is no option %s; --help lists them", argument);
        else if (o->command)
            status = mass_error_set(error, MASS_BAD_USAGE, "one command at a time: %s or %s", o->command, argument);
        else if (!find_command(argument))
            status = mass_error_set(error, MASS_BAD_USAGE, "%s is not one of life, heat, stencils, "
                                    "sugarscape, minesweeper, standard, meetings, turns, networks, manage, "
                                    "tallies, histogram, start, ranks, view, checkpoint", argument);
        else o->command = argument;
        if (status != MASS_OK) return status;
    }
    return o->command ? MASS_OK
                      : mass_error_set(error, MASS_BAD_USAGE, "say what to measure: life, heat, stencils, "
                                       "sugarscape, minesweeper, standard, meetings, turns, networks, manage, "
                                       "tallies, histogram, start, ranks, view or checkpoint; --help tells more");
}

/* Returns true if --help or -h is among the arguments. */
static bool wants_help(int count, char *const arguments[])
{
    for (int i = 0; i < count; i++)
        if (strcmp(arguments[i], "--help") == 0 || strcmp(arguments[i], "-h") == 0) return true;
    return false;
}

/* Runs one command, and returns the exit status. */
int main(int count, char *arguments[])
{
    if (wants_help(count - 1, arguments + 1)) {
        fputs(help, stdout);
        return MASS_OK;
    }
    mass_error error = {0};
    bench_options options = {.folder = "."};
    mass_status status = parse(count - 1, arguments + 1, &options, &error);
    if (status == MASS_OK) status = find_command(options.command)(&options, &error);
    if (status != MASS_OK) fprintf(stderr, "mass-bench: %s\n", error.text);
    return (int)status;
}
