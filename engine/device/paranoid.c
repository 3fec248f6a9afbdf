#include "device/cpu.h"
const mass_device_table mass_paranoid_table = {0};
