/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin whose note or entry is wrong in one way; what is not defined is right. */
#include "plain.h"

#ifndef NOTE_MAJOR
#define NOTE_MAJOR MASS_ABI_MAJOR
#endif
#ifndef NOTE_MINOR
#define NOTE_MINOR MASS_ABI_MINOR
#endif
#ifndef ENTRY_MAJOR
#define ENTRY_MAJOR MASS_ABI_MAJOR
#endif
#ifndef ENTRY_MINOR
#define ENTRY_MINOR MASS_ABI_MINOR
#endif
#ifndef STRUCT_SIZE
#define STRUCT_SIZE sizeof(mass_plugin)
#endif
#ifndef LAUNCH_SIZE
#define LAUNCH_SIZE sizeof(mass_launch)
#endif
#ifndef NAME
#define NAME "entry"
#endif
#ifndef OPEN
#define OPEN open_model
#endif
#ifndef SERVICE
#define SERVICE MASS_DECLARE_ID
#endif
#ifndef SYMBOL
#define SYMBOL mass_plugin_entry
#endif

PLAIN_CALLBACK(grow, plain_grow, PLAIN_FIELD)

__attribute__((unused)) static mass_status open_model(mass_host *host)
{
    return plain_declare(host, &grow);
}

#ifndef NO_NOTE
__attribute__((section(".note.mass"), used, aligned(4))) static const mass_abi_note note = {
    8, 8, MASS_NOTE_TYPE, MASS_NOTE_NAME, NOTE_MAJOR, NOTE_MINOR};
#endif

extern const mass_plugin SYMBOL;
__attribute__((visibility("default"))) const mass_plugin SYMBOL = {
    .struct_size = STRUCT_SIZE, .abi_major = ENTRY_MAJOR, .abi_minor = ENTRY_MINOR, .launch_size = LAUNCH_SIZE,
    .diagnostics_size = sizeof(mass_diagnostics), .effects_size = sizeof(mass_effects), .name = NAME,
    .version = "1.0.0", .services = (const char *const[]){SERVICE, NULL}, .open = OPEN};
