#include "command.h"
Test(x, y) { cr_assert(1); }
