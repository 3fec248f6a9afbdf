/* SPDX-License-Identifier: Apache-2.0 */
/* Time series that a model declares: the columns that --log-every and --series write by default. */
#ifndef MASS_SERIES_H
#define MASS_SERIES_H

#include <mass/plugin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A name, and an expression over tallies as --log takes it ("population", "eaten / alive"). */
typedef struct mass_series {
    uint32_t struct_size;
    const char *name;       /* NULL: the expression, which must be a tally's name then */
    const char *expression;
    const char *unit;       /* NULL: a tally's own unit, or none */
} mass_series;

#define MASS_SERIES_ID "mass.series/0"
typedef struct mass_series_table {
    uint32_t struct_size;
    mass_status (*series)(mass_host *, const mass_series *); /* in open, after the tallies that it names */
} mass_series_table;

/* Returns the functions for series that a plugin may call. */
static inline const mass_series_table *mass_series_of(mass_host *host)
{
    return (const mass_series_table *)host->service(host, MASS_SERIES_ID);
}

/* MASS_DECLARE_SERIES(host, .expression = "population"); */
#define MASS_DECLARE_SERIES(HOST, ...) \
    mass_series_of(HOST)->series((HOST), &(const mass_series){.struct_size = sizeof(mass_series), __VA_ARGS__})

#ifdef __cplusplus
}
#endif
#endif
