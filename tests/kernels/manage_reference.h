/* manage from its words (kernels/manage.h), one agent after the other, for tests. */
#ifndef MANAGE_REFERENCE_H
#define MANAGE_REFERENCE_H

#include "manage.h"

uint64_t manage_reference(const mass_manage_work *w);

#endif
