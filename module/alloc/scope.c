// SPDX-License-Identifier: GPL-2.0
/*
 * The lists of tasks and cgroups, as thermocline.ko has them: the same code and the same parameters,
 * as this is a module of its own.
 */
#include "../move/scope.c"
#include "../ui/scope_params.c"
