/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The project's version: the only place that states it for C code.
 * dkms.conf and the packages carry the same string; `make lint` compares them.
 */
#ifndef THERMOCLINE_VERSION_H
#define THERMOCLINE_VERSION_H

#define TC_VERSION "0.1.0"

#endif /* THERMOCLINE_VERSION_H */
