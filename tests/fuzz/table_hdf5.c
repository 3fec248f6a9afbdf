/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a table of agents in HDF5: refused in one line, or agents on places that there are. HDF5 itself may
 * crash on them. The engine therefore probes such files in a child process, which this harness replaces. With -fork=1
 * -ignore_crashes=1 fuzzing goes on after crashes. */
#include "harness.h"
#include "hdf5_probe.h"
#include "io/input/table.h"
#include "population/table.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { PLACES = 12, WORLDS = 2 };

static mass_model make_model(void)
{
    mass_model m = {.plugin = "folk"};
    mass_error e = {0};
    mass_model_add_space(&m, &(mass_space){.name = "grid", .dimensions_min = 2, .dimensions_max = 2, .size = {4, 3}},
                         NULL, 0, &e);
    mass_model_add_population(&m, &(mass_population){.name = "folk"}, &e);
    mass_model_add_attribute(&m, &(mass_attribute){.population = "folk", .name = "a", .type = MASS_I32}, &e);
    mass_model_add_attribute(&m, &(mass_attribute){.population = "folk", .name = "b", .type = MASS_F64, .length = 2},
                             &e);
    ALWAYS(e.status == MASS_OK);
    return m;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[64]; /* HDF5 refuses files without a path, such as those of memfd_create */
    mass_model m = make_model();
    const mass_table_request request = {&m, 0, WORLDS, 0};
    mass_table t = {0};
    mass_error error = {0};
    snprintf(path, sizeof path, "/dev/shm/mass-fuzz-table-%ld.h5", (long)getpid());
    const int file = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    ALWAYS(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    close(file);
    const mass_status status = mass_table_read(&request, path, &t, &error);
    ALWAYS(status == error.status);
    if (status == MASS_OK) {
        for (uint32_t i = 0; i < t.count; i++)
            ALWAYS(t.cell[i] < WORLDS * PLACES && t.id[i] < (uint64_t)t.next_id[t.cell[i] / PLACES]);
    } else {
        ALWAYS((status == MASS_BAD_INPUT || status == MASS_NO_DEVICE) && !t.id && !t.values);
        ALWAYS(status != MASS_BAD_INPUT || strstr(error.text, path));
        ALWAYS_ONE_LINE(error.text);
    }
    mass_table_free(&m, &t);
    mass_model_free(&m);
    unlink(path);
    return 0;
}
