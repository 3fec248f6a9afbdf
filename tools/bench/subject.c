/* SPDX-License-Identifier: Apache-2.0 */
#include "device/cpu/cpu.h"
#include "process/progress.h"
#include "subject.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SHORTEST = 0.05; /* least seconds of copies that are measured */

/* ---- the device ---- */

/* Opens the GPU, and reports what it is and how fast it copies and reads. context: seconds to open the device. */
static mass_status describe_gpu(bench_subject *s, double context, bench_report *report, mass_error *error)
{
    mass_status status = bench_gpu_open(&s->gpu, (int)strtol(strchr(s->device, ':') + 1, NULL, 10), error);
    if (status != MASS_OK) return status;
    bench_report_fact(report, "gpu", "%s", s->gpu.name);
    bench_report_fact(report, "cuda", "driver %d.%d, runtime %d.%d", s->gpu.driver / 1000, s->gpu.driver % 1000 / 10,
                      s->gpu.runtime / 1000, s->gpu.runtime % 1000 / 10);
    bench_report_fact(report, "context", "%.0f ms, once, to open the device", context * 1e3);
    double copy, read;
    status = bench_gpu_copy(&s->gpu, &copy, error);
    if (status == MASS_OK) status = bench_gpu_read(&s->gpu, &read, error);
    if (status != MASS_OK) return status;
    bench_report_fact(report, "copy", "%.0f GB/s read and written, device to device", copy / 1e9);
    bench_report_fact(report, "read", "%.0f GB/s read by a sum", read / 1e9);
    return MASS_OK;
}

/* Reports the CPU's vectors, and chooses the numbers of threads to measure: one, and as many as wanted. */
static void describe_cpu(bench_subject *s, const bench_options *o, bench_report *report)
{
    static const char *const sets[] = {"base", "AVX2", "AVX-512"};
    bench_report_fact(report, "vectors", "%s", sets[s->isa]);
    s->threads[s->count++] = 1;
    const int most = o->threads ? o->threads : bench_cores();
    if (most > 1) s->threads[s->count++] = most;
}

/* Adds the version of the driver, from its kernel module. */
static void describe_driver(bench_report *report)
{
    char version[64] = "";
    FILE *file = fopen("/sys/module/nvidia/version", "r");
    if (file && fscanf(file, "%63s", version) == 1) bench_report_fact(report, "driver", "%s", version);
    if (file) fclose(file);
}

mass_status bench_subject_open(bench_subject *s, const bench_options *o, bench_report *report, mass_error *error)
{
    *s = (bench_subject){0};
    mass_device *device;
    const double began = mass_seconds();
    const mass_status status = mass_device_open(o->device ? o->device : "auto", o->threads, true, &device, error);
    if (status != MASS_OK) return status;
    const double context = mass_seconds() - began;
    snprintf(s->device, sizeof s->device, "%s", device->table->name(device));
    s->on_gpu = strcmp(s->device, "cpu") != 0;
    if (!s->on_gpu) s->isa = ((const mass_cpu *)device)->isa;
    mass_device_close(device);
    if (!s->on_gpu) {
        describe_cpu(s, o, report);
        return MASS_OK;
    }
    s->threads[s->count++] = 0;
    describe_driver(report);
    return describe_gpu(s, context, report, error);
}

void bench_subject_close(bench_subject *s)
{
    if (s->on_gpu) bench_gpu_close(&s->gpu);
}

/* ---- its limit ---- */

mass_status bench_size_absent(const bench_options *o, const char *command, mass_error *error)
{
    return mass_error_set(error, MASS_BAD_USAGE, "%s has no row of --size %" PRId64 " on this device: without --size "
                          "it measures all", command, o->size);
}

mass_status bench_limit_create(bench_limit *l, bench_subject *s, size_t bytes, int threads, mass_error *error)
{
    l->subject = s;
    l->count = 0;
    l->copy = (bench_copy){0};
    return s->on_gpu ? MASS_OK : bench_copy_create(&l->copy, bytes, threads, error);
}

mass_status bench_limit_measure(bench_limit *l, mass_error *error)
{
    double *rate = &l->rates[l->count++];
    if (l->subject->on_gpu) return bench_gpu_copy(&l->subject->gpu, rate, error);
    const double began = mass_seconds();
    double seconds, times = 0;
    do {
        bench_copy_run(&l->copy);
        times++;
        seconds = mass_seconds() - began;
    } while (seconds < SHORTEST);
    *rate = 2 * times * (double)l->copy.bytes / seconds;
    return MASS_OK;
}

double bench_limit_rate(bench_limit *l) { return bench_median(l->rates, l->count); }

void bench_limit_free(bench_limit *l) { bench_copy_free(&l->copy); }
