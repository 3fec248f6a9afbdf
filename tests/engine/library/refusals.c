/* SPDX-License-Identifier: Apache-2.0 */
/* What the library refuses: with a status and a sentence, and nothing changed. */
#include "scene.h"

static int open_with(const char *plugin, const char *name, const char *value)
{
    mass_engine *run = NULL;
    const mass_engine_option option = {name, value};
    const int status = mass_engine_open(plugin, &option, 1, &run);
    cr_expect(status == MASS_OK ? run != NULL : run == NULL);
    mass_engine_close(run);
    return status;
}

Test(refusals, of_what_is_opened)
{
    FAILS(open_with("lief", "seed", "1"), MASS_BAD_PLUGIN, "did you mean life?");
    FAILS(open_with("life", "sead", "1"), MASS_BAD_USAGE, "--sead");
    FAILS(open_with("life", "seed", "many"), MASS_BAD_USAGE, "--seed many");
    FAILS(open_with("life", "set", "densty=0.5"), MASS_BAD_USAGE, "density");
    FAILS(open_with("life", "size", "0"), MASS_BAD_USAGE, "--size 0");
    FAILS(open_with("life", "watch", NULL), MASS_BAD_USAGE, "--watch is an option of the command alone");
    FAILS(open_with("life", "checkpoint", "here"), MASS_BAD_USAGE, "--checkpoint is an option of the command alone");
    FAILS(open_with("life", "help", NULL), MASS_BAD_USAGE, "--help is an option of the command alone");
    FAILS(open_with("life", "device", "abacus"), MASS_BAD_USAGE, "--device abacus");
    FAILS(open_with(NULL, "resume", "/nowhere"), MASS_BAD_INPUT, "/nowhere");
    FAILS(open_with(NULL, "seed", "1"), MASS_BAD_USAGE, "");
    FAILS(open_with("life", "ranks", "3"), MASS_BAD_USAGE, "start it by mpirun -n 3");
}

Test(refusals, of_a_device_that_is_not_there)
{
    const int status = open_with("life", "device", "cuda:77");
    cr_expect(status == MASS_NO_DEVICE || status == MASS_BAD_USAGE, "%d", status);
    cr_expect(strlen(mass_engine_error()) > 20);
}

Test(refusals, of_values)
{
    mass_engine_array a = {.struct_size = sizeof a};
    mass_engine *run = OPEN("life", {"size", "16x12"}, {"seed", "2"});
    FAILS(mass_engine_find(run, "helth", &a), MASS_BAD_USAGE, "life has no attribute helth: did you mean health?");
    FAILS(mass_engine_find(run, "zzzzzz", &a), MASS_BAD_USAGE, "its places have health");
    a.struct_size = 3;
    FAILS(mass_engine_find(run, "health", &a), MASS_BAD_USAGE, "set struct_size");
    a.struct_size = sizeof a;
    WORKS(mass_engine_find(run, "health", &a));
    uint8_t cells[12][16] = {{0}};
    char before[33];
    WORKS(mass_engine_hash(run, before));
    FAILS(mass_engine_read(run, a.attribute, NULL, cells, 7), MASS_BAD_USAGE, "192 bytes, and not 7");
    FAILS(mass_engine_read(run, 1000, NULL, cells, sizeof cells), MASS_BAD_USAGE, "none with number 1000");
    const mass_engine_box beyond = {.worlds = 1, .origin = {10, 0, 0}, .extent = {7, 1, 1}};
    FAILS(mass_engine_read(run, a.attribute, &beyond, cells, 7), MASS_BAD_USAGE, "not in the space");
    cells[2][3] = 2;
    FAILS(mass_engine_write(run, a.attribute, NULL, cells, sizeof cells), MASS_BAD_INPUT,
          "value 35 of health is 2, and bits are 0 or 1");
    double values[2];
    FAILS(mass_engine_tally(run, "popullation", values, 1), MASS_BAD_USAGE, "did you mean population?");
    FAILS(mass_engine_tally(run, "population", values, 2), MASS_BAD_USAGE, "has 1 value, and not 2");
    FAILS(mass_engine_until(run, "population <"), MASS_BAD_USAGE, "--until");
    FAILS(mass_engine_log(run, (const char *const[]){"popullation"}, 1, 1), MASS_BAD_USAGE, "population");
    FAILS(mass_engine_step(run, UINT64_MAX, 0, NULL), MASS_BAD_USAGE, "the last step can be");
    FAILS(mass_engine_picture(run, "here.gif", -1, 0), MASS_BAD_USAGE, "here.gif");
    FAILS(mass_engine_checkpoint(run, "/nowhere/at/all", 0), MASS_BAD_USAGE, "/nowhere/at/all");
    check_state(run, before);
    mass_engine_close(run);
}

Test(refusals, of_agents)
{
    mass_engine_array a = {.struct_size = sizeof a};
    mass_engine *run = OPEN("sugarscape", {"size", "20x20"}, {"seed", "2"});
    WORKS(mass_engine_find(run, "ants.place", &a));
    char *bytes = calloc(a.bytes, 1);
    const mass_engine_box box = {.worlds = 1, .extent = {1, 1, 1}};
    FAILS(mass_engine_write(run, a.attribute, NULL, bytes, a.bytes), MASS_BAD_USAGE, "is the engine's");
    FAILS(mass_engine_read(run, a.attribute, &box, bytes, a.bytes), MASS_BAD_USAGE, "no boxes");
    FAILS(mass_engine_read_packed(run, a.attribute, bytes, a.bytes), MASS_BAD_USAGE, "not stored as bits");
    free(bytes);
    mass_engine_close(run);
}

Test(refusals, say_what_they_are_about)
{
    cr_expect_str_eq(mass_engine_error(), "");
    cr_expect_str_eq(mass_engine_version(), "0.1.0");
    cr_expect_eq(mass_engine_abi() >> 16, MASS_ABI_MAJOR);
}
