/* SPDX-License-Identifier: Apache-2.0 */
#include "device/buffer.h"
#include "device/cpu/cpu.h"
#include "../expect.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 6 };

static mass_device *open_one(void)
{
    mass_device *device;
    EXPECT_OK(mass_cpu_open(&mass_cpu_table, 1, &device, e));
    return device;
}

static mass_buffer allocate(mass_device *device)
{
    static const uint16_t values[COUNT] = {1, 2, 3, 4, 5, 6};
    mass_buffer b;
    EXPECT_OK(mass_buffer_allocate(device, sizeof values, &b, e));
    EXPECT_OK(mass_buffer_upload(b, values, sizeof values, e));
    return b;
}

static void expect_values(mass_buffer b, const uint16_t expected[COUNT])
{
    uint16_t values[COUNT];
    EXPECT_OK(mass_buffer_download(b, values, sizeof values, e));
    cr_assert_arr_eq(values, expected, sizeof values);
}

Test(buffer, a_part_reaches_what_it_says)
{
    mass_device *device = open_one();
    mass_buffer b = allocate(device);
    const mass_buffer third = mass_buffer_part(b, 4, 2), rest = mass_buffer_from(b, 8);
    uint16_t value;
    EXPECT_OK(mass_buffer_download(third, &value, sizeof value, e));
    cr_assert_eq(value, 3);
    EXPECT_OK(mass_buffer_fill(rest, &(uint16_t){7}, sizeof value, 2, e));
    EXPECT_OK(mass_buffer_upload(third, &(uint16_t){9}, sizeof value, e));
    expect_values(b, (const uint16_t[COUNT]){1, 2, 9, 4, 7, 7});
    cr_assert_eq(mass_buffer_from(b, 12).bytes, 0);
    mass_buffer_release(&b);
    cr_assert_null(b.device);
    mass_buffer_release(&b);
    mass_device_close(device);
}

Test(buffer, what_it_does_not_have_is_no_memory)
{
    mass_device *device = open_one();
    mass_buffer b = allocate(device);
    cr_assert_null(mass_buffer_part(b, 4, 9).device);
    cr_assert_null(mass_buffer_part(b, 13, 0).device);
    cr_assert_null(mass_buffer_from(b, 13).device);
    cr_assert_null(mass_buffer_part(b, SIZE_MAX, 2).device);
    uint16_t value = 5;
    EXPECT_REFUSAL(mass_buffer_download(mass_buffer_from(b, 14), &value, sizeof value, e), MASS_FAILED,
                   "no device: 2 bytes are asked for of an array of 0");
    cr_assert_eq(value, 5);
    mass_buffer_release(&b);
    mass_device_close(device);
}

Test(buffer, nothing_reaches_beyond_its_end)
{
    static const char text[] = "cpu: 6 bytes are asked for of an array of 4";
    mass_device *device = open_one();
    mass_buffer b = allocate(device);
    const mass_buffer part = mass_buffer_part(b, 2, 4);
    uint16_t values[4] = {11, 12, 13, 14}, before[4];
    memcpy(before, values, sizeof values);
    const mass_strided box = {values, values, 2, {2, 1, 1}, {4}, {4}};
    EXPECT_REFUSAL(mass_buffer_upload(part, values, 6, e), MASS_FAILED, text);
    EXPECT_REFUSAL(mass_buffer_download(part, values, 6, e), MASS_FAILED, text);
    EXPECT_REFUSAL(mass_buffer_upload_box(part, &box, e), MASS_FAILED, text);
    EXPECT_REFUSAL(mass_buffer_download_box(part, &box, e), MASS_FAILED, text);
    EXPECT_REFUSAL(mass_buffer_fill(part, values, 2, 3, e), MASS_FAILED, text);
    EXPECT_REFUSAL(mass_buffer_send(part, 0, values, 6, e), MASS_FAILED, text);
    cr_assert_arr_eq(values, before, sizeof values);
    expect_values(b, (const uint16_t[COUNT]){1, 2, 3, 4, 5, 6});
    mass_buffer_release(&b);
    mass_device_close(device);
}

Test(buffer, boxes_go_both_ways)
{
    mass_device *device = open_one();
    mass_buffer b = allocate(device);
    uint16_t values[2] = {0, 0};
    const mass_strided every_other = {values, NULL, 2, {2, 1, 1}, {2}, {4}};
    EXPECT_OK(mass_buffer_download_box(mass_buffer_from(b, 2), &every_other, e));
    cr_assert_arr_eq(values, ((const uint16_t[2]){2, 4}), sizeof values);
    const mass_strided back = {NULL, values, 2, {2, 1, 1}, {8}, {2}};
    EXPECT_OK(mass_buffer_upload_box(mass_buffer_from(b, 2), &back, e));
    expect_values(b, (const uint16_t[COUNT]){1, 2, 3, 4, 5, 4});
    mass_buffer_release(&b);
    mass_device_close(device);
}

Test(buffer, one_that_cannot_be_had_leaves_the_old_one)
{
    mass_device *device = open_one();
    mass_buffer b = {device, &b, 77};
    mass_error error = {0};
    cr_assert_eq(mass_buffer_allocate(device, SIZE_MAX, &b, &error), MASS_NO_DEVICE);
    cr_assert_eq(b.bytes, 77);
    mass_device_close(device);
}

/* Opens a CPU that says that its memory is not the host's, as a GPU does. */
static mass_device *open_apart(void)
{
    static mass_memory_operations memory;
    static mass_device_table table;
    memory = *mass_cpu_table.memory;
    memory.in_host_memory = false;
    table = mass_cpu_table;
    table.memory = &memory;
    mass_device *device;
    EXPECT_OK(mass_cpu_open(&table, 1, &device, e));
    return device;
}

Test(buffer, the_host_views_its_own_memory_and_a_copy_of_other)
{
    static const uint16_t first[COUNT] = {1, 2, 3, 4, 5, 6};
    for (int apart = 0; apart < 2; apart++) {
        mass_device *device = apart ? open_apart() : open_one();
        mass_buffer b = allocate(device);
        mass_error error = {0};
        mass_status status = MASS_OK;
        void *copy = b.address, *none = b.address;
        const uint16_t *const seen = mass_buffer_view(device, b, sizeof first, &copy, &status, &error);
        cr_assert_eq(status, MASS_OK);
        cr_assert_arr_eq(seen, first, sizeof first);
        cr_assert_eq(seen == b.address, !apart);
        cr_assert_eq(copy != NULL, apart);
        status = MASS_FAILED;
        mass_buffer_view(device, b, sizeof first, &none, &status, &error);
        cr_assert_eq(status, MASS_FAILED);
        cr_assert_null(none);
        free(copy);
        mass_buffer_release(&b);
        mass_device_close(device);
    }
}

Test(buffer, what_is_shown_is_the_hosts_own_or_a_copy)
{
    static const uint16_t first[COUNT] = {6, 5, 4, 3, 2, 1};
    for (int apart = 0; apart < 2; apart++) {
        mass_device *device = apart ? open_apart() : open_one();
        mass_buffer shown = {0};
        EXPECT_OK(mass_buffer_show(device, first, sizeof first, &shown, e));
        cr_assert_arr_eq(shown.address, first, sizeof first);
        cr_assert_eq(shown.address == (const void *)first, !apart);
        mass_buffer_release(&shown);
        cr_assert_null(shown.address);
        mass_device_close(device);
    }
}
