// SPDX-License-Identifier: GPL-2.0
/*
 * Makes the trace events of thermocline/trace.h; the only file that does.
 */
#include "../move/account.h"
#include "../policy/granularity.h"
#include "../policy/price.h"

#define CREATE_TRACE_POINTS
#include <thermocline/trace.h>
