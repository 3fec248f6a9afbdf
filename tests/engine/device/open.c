/* SPDX-License-Identifier: Apache-2.0 */
/* What is refused of --device before any device is looked for, for one process and for ranks. */
#include "device/device.h"

#include <criterion/criterion.h>
#include <string.h>

static void refuse(const char *spec, int32_t size, int32_t local_size, mass_status status, const char *sentence)
{
    const mass_comm comm = {.size = size, .local_size = local_size, .host = "node7"};
    mass_device *device = NULL;
    mass_error error = {0};
    cr_assert(mass_device_open_for(&comm, spec, 1, true, &device, &error) == status, "%s: %s", spec, error.text);
    cr_assert(strstr(error.text, sentence), "%s: %s", spec, error.text);
    cr_assert(!device);
}

Test(open, what_is_no_list_of_gpus)
{
    static const char *const specs[] = {"cuda:", "cuda:0,", "cuda:,0", "cuda:0,,1", "cuda:0;1", "cuda,1", "cuda:0 1",
                                        "cuda:-1", "cudas", "gpu"};
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        refuse(specs[i], 2, 2, MASS_BAD_USAGE, "is not one of auto, cpu, paranoid, cuda, cuda:N");
}

Test(open, several_gpus_for_one_process)
{
    refuse("cuda:3,1", 1, 1, MASS_NO_DEVICE, "this version runs on one GPU; name one, as in cuda:3");
}

Test(open, more_gpus_than_ranks)
{
    refuse("cuda:0,1,2", 4, 2, MASS_BAD_USAGE, "names 3 GPUs, and node7 has 2 ranks, with one GPU each");
    refuse("cuda:0,1", 2, 1, MASS_BAD_USAGE, "names 2 GPUs, and node7 has 1 rank, with one GPU each");
}
