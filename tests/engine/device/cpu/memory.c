/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of a CPU: given, filled, copied, and refused where there is none. */
#include "launching.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static bool is_slow; /* a second passes with each look at the clock */
static time_t seconds;

/* Replaces the C library's. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!is_slow) return (int)syscall(SYS_clock_gettime, clock, now);
    *now = (struct timespec){.tv_sec = seconds++};
    return 0;
}

Test(cpu, memory_is_aligned_and_moves_both_ways)
{
    mass_error error = {0};
    mass_device *device = open_cpu(2);
    static const size_t sizes[] = {0, 1, 100, 1 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *memory = NULL;
        cr_assert_eq(mass_cpu_table.memory->allocate(device, sizes[i], &memory, &error), MASS_OK);
        cr_assert_not_null(memory);
        cr_assert_eq((uintptr_t)memory % 256, 0);
        mass_cpu_table.memory->release(device, memory);
    }
    uint32_t up[5] = {1, 2, 3, 4, 5}, there[5] = {0}, down[5] = {0};
    cr_assert_eq(mass_cpu_table.memory->upload(device, there, up, sizeof up, &error), MASS_OK);
    cr_assert_eq(mass_cpu_table.memory->download(device, down, there, sizeof down, &error), MASS_OK);
    cr_assert_eq(memcmp(up, down, sizeof up), 0);
    mass_cpu_table.memory->release(device, NULL);
    mass_cpu_table.close(device);
}

Test(cpu, memory_that_no_machine_has_is_refused_in_a_sentence)
{
    mass_error error = {0};
    mass_device *device = open_cpu(1);
    void *memory = NULL;
    cr_assert_eq(mass_cpu_table.memory->allocate(device, SIZE_MAX, &memory, &error), MASS_NO_DEVICE);
    cr_assert_null(memory);
    cr_assert(strstr(error.text, "EiB"), "%s", error.text);
    mass_cpu_table.close(device);
}

Test(cpu, free_memory_is_less_than_the_machine_has)
{
    mass_error error = {0};
    mass_device *device = open_cpu(1);
    size_t bytes = 0;
    unsigned long long kib = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    cr_assert(file && fscanf(file, "MemTotal: %llu", &kib) == 1);
    fclose(file);
    cr_assert_eq(mass_cpu_table.memory->available(device, &bytes, &error), MASS_OK);
    cr_assert(bytes > 0 && bytes / 1024 <= kib);
    mass_cpu_table.close(device);
}

Test(cpu, fill_and_copy_reach_the_kernels)
{
    mass_error error = {0};
    mass_device *device = open_cpu(2);
    uint16_t row[6] = {0}, column[6][3] = {{0}};
    const uint16_t element = 0x1234;
    cr_assert_eq(mass_cpu_table.memory->fill(device, row, &element, 2, 5, &error), MASS_OK);
    const mass_strided copy = {.to = &column[0][1], .from = row, .bytes = 2, .count = {6, 1, 1}, .to_stride = {6, 0, 0},
                               .from_stride = {2, 0, 0}};
    cr_assert_eq(mass_cpu_table.memory->copy(device, &copy, &error), MASS_OK);
    for (int i = 0; i < 6; i++) {
        cr_assert_eq(column[i][0], 0);
        cr_assert_eq(column[i][1], i < 5 ? element : 0);
        cr_assert_eq(column[i][2], 0);
    }
    mass_cpu_table.close(device);
}

Test(cpu, a_copy_is_measured_on_few_pages_where_they_come_slowly)
{
    mass_error error = {0};
    mass_device *device = open_cpu(1);
    double rate = 0;
    is_slow = true;
    const mass_status status = mass_cpu_table.memory->copy_rate(device, &rate, &error);
    is_slow = false;
    cr_assert_eq(status, MASS_OK);
    cr_assert(rate > 0 && rate <= 2.0 * (64 << 20), "%g bytes in a second", rate);
    cr_assert_leq(seconds, 6, "the clock was read %d times", (int)seconds);
    mass_cpu_table.close(device);
}
