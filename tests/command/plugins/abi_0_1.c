/* SPDX-License-Identifier: Apache-2.0 */
/* What a plugin of ABI 0.1 exported, in its own words: it includes nothing of the SDK. */
#include <stddef.h>
#include <stdint.h>

typedef struct plugin_0_1 {
    uint32_t struct_size;
    uint16_t abi_major, abi_minor;
    const char *name, *version, *help;
    const char *const *services;
    const void *device_code;
    int (*open)(void *host);
    int (*load)(void *host);
    int (*finish)(void *host);
} plugin_0_1;

typedef struct note_0_1 {
    uint32_t name_size, value_size, type;
    char name[8];
    uint32_t major, minor;
} note_0_1;

static int open_model(void *host)
{
    (void)host;
    return 0;
}

__attribute__((section(".note.mass"), used, aligned(4))) static const note_0_1 note = {8, 8, 1, "mass", 0, 1};

extern const plugin_0_1 mass_plugin_entry;
__attribute__((visibility("default"))) const plugin_0_1 mass_plugin_entry = {
    .struct_size = sizeof(plugin_0_1), .abi_major = 0, .abi_minor = 1, .name = "elder", .version = "1.0.0",
    .help = "was built before", .services = (const char *const[]){"mass.declare/0", NULL}, .open = open_model};
