// SPDX-License-Identifier: GPL-2.0
/*
 * The questions of ask.h, with nobody to ask.
 */
#include "ask.h"

unsigned int tc_ask_split_order(const struct tc_ask_page *page, unsigned int order)
{
	return order;
}

bool tc_ask_piece_cold(const struct tc_ask_page *page, bool cold)
{
	return cold;
}

bool tc_ask_admit(const struct tc_ask_page *page, bool admit)
{
	return admit;
}
