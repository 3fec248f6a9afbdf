/* SPDX-License-Identifier: Apache-2.0 */
/* mass-engine plot: charts of the time series of runs. */
#ifndef MASS_ENGINE_PLOT_H
#define MASS_ENGINE_PLOT_H

#include "base/error.h"

/* Draws a chart. `arguments` are those after "plot". Without -o, it draws on standard output. */
mass_status mass_plot(int count, char *const arguments[], mass_error *error);

#endif
