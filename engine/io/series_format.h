/* What the writer and the reader of series share. */
#ifndef MASS_ENGINE_SERIES_FORMAT_H
#define MASS_ENGINE_SERIES_FORMAT_H

#include "io/series.h"

#define MASS_SERIES_FORMAT_NAME "mass-engine series"
#define MASS_SERIES_NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."

/* The temporary file of a series in a folder; false if too long. */
bool mass_series_temporary_name(const char *folder, char path[PATH_MAX]);

#endif
