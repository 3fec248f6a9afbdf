/* SPDX-License-Identifier: Apache-2.0 */
/* Reads edges from files of any format: arrays [m][2] of integers in .npy files and HDF5 data sets ("FILE.h5:/path"),
 * and the text files of network/. */
#ifndef MASS_ENGINE_IO_INPUT_EDGE_ARRAYS_H
#define MASS_ENGINE_IO_INPUT_EDGE_ARRAYS_H

#include "network/edges.h"

/* A reader for mass_opening. A fault of an array is reported with its row, counted from 0. */
mass_edge_reader mass_edge_arrays_read;
/* A reader for a run that reads the file more than once, as each rank does. Reads as mass_edge_arrays_read does, but
 * refuses a pipe or a device. */
mass_edge_reader mass_edge_arrays_read_again;

#endif
