/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU device: a team of threads, and the widest instruction set of the machine or the one that MASS_ISA names. */
#include "device/cpu/cpu.h"
#include "device/cpu/key_counts.h"
#include "device/cpu/rule.h"
#include "device/cpu/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const isa_names[] = {[MASS_ISA_BASE] = "base", [MASS_ISA_AVX2] = "avx2",
                                       [MASS_ISA_AVX512] = "avx512"};

/* Returns the widest instruction set of this machine that callbacks are compiled for. */
static uint32_t widest_isa(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        return MASS_ISA_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) return MASS_ISA_AVX2;
#endif
    return MASS_ISA_BASE;
}

const char *mass_cpu_isa_name(uint32_t isa) { return isa_names[isa]; }

/* Chooses the instruction set: MASS_ISA of the environment, else the widest. MASS_BAD_USAGE if the machine lacks it. */
static mass_status choose_isa(uint32_t *isa, mass_error *error)
{
    const uint32_t widest = widest_isa();
    const char *asked = getenv("MASS_ISA");
    *isa = widest;
    if (!asked || !*asked) return MASS_OK;
    for (uint32_t i = 0; i < sizeof isa_names / sizeof *isa_names; i++)
        if (strcmp(asked, isa_names[i]) == 0 && i <= widest) {
            *isa = i;
            return MASS_OK;
        }
    return mass_error_set(error, MASS_BAD_USAGE, "MASS_ISA=%s is not an instruction set of this machine: it has "
                          "base%s%s", asked, widest >= MASS_ISA_AVX2 ? ", avx2" : "",
                          widest >= MASS_ISA_AVX512 ? ", avx512" : "");
}

mass_status mass_cpu_open(const mass_device_table *table, int threads, mass_device **out, mass_error *error)
{
    mass_cpu *cpu = calloc(1, sizeof *cpu);
    if (!cpu) return mass_error_memory(error, sizeof *cpu, "the CPU device");
    cpu->device.table = table;
    const mass_status status = choose_isa(&cpu->isa, error);
    if (status != MASS_OK) {
        free(cpu);
        return status;
    }
    cpu->team = mass_threads_team(threads > 0 ? threads : mass_threads_default());
    cpu->paced = threads <= 0;
    *out = &cpu->device;
    return MASS_OK;
}

/* Opens the CPU with this many threads. There is only one CPU, so the ordinal is ignored. */
static mass_status open_cpu(int ordinal, int threads, mass_device **out, mass_error *error)
{
    (void)ordinal;
    return mass_cpu_open(&mass_cpu_table, threads, out, error);
}

void mass_cpu_close(mass_device *device)
{
    mass_cpu *cpu = (mass_cpu *)device;
    while (cpu->prepared) {
        mass_prepared *next = cpu->prepared->next;
        free(cpu->prepared->tuner);
        mass_cpu_rules_free(cpu->prepared->rules);
        free(cpu->prepared);
        cpu->prepared = next;
    }
    mass_cpu_team_stop(cpu->team);
    mass_cpu_manage_free(&cpu->manage);
    free(cpu->scratch);
    free(cpu->between);
    free(cpu->strips);
    free(cpu->turn_slabs.list);
    free(cpu->turn_slabs.memory);
    free(cpu);
}

/* Returns the device's name in messages and reports. */
static const char *name_of_cpu(mass_device *device)
{
    (void)device;
    return "cpu";
}

/* Writes the processor's name, or nothing in its place if the system does not tell it, and the number of threads. */
void mass_cpu_kind(mass_device *device, char kind[MASS_DEVICE_KIND])
{
    static const char label[] = "model name";
    char line[MASS_DEVICE_KIND - 32] = "";
    FILE *facts = fopen("/proc/cpuinfo", "re");
    while (facts && fgets(line, sizeof line, facts) && strncmp(line, label, sizeof label - 1) != 0) line[0] = '\0';
    if (facts) fclose(facts);
    line[strcspn(line, "\n")] = '\0';
    const char *name = strchr(line, ':');
    snprintf(kind, MASS_DEVICE_KIND, "%s, %d threads", name ? name + 1 : "",
             mass_cpu_team_threads(((mass_cpu *)device)->team));
}

const mass_device_table mass_cpu_table = {
    .struct_size = sizeof mass_cpu_table,
    .open = open_cpu,
    .close = mass_cpu_close,
    .name = name_of_cpu,
    .kind = mass_cpu_kind,
    .memory = &mass_cpu_memory,
    .launch = &mass_cpu_launch,
    .conditions = &mass_cpu_conditions,
    .keys = &mass_cpu_keys,
    .agents = &mass_cpu_agents,
    .pictures = &mass_cpu_pictures,
};
