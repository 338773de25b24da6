// SPDX-License-Identifier: GPL-2.0
/*
 * crowd NODE PAGES: takes the memory of a node but for so many free pages,
 * says "crowded", and keeps it until it is ended.
 *
 * Knows balloon.h. Does not know for whom the node is too small then.
 */
#include <unistd.h>

#include "balloon.h"

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: crowd NODE PAGES\n");
		return 2;
	}
	balloon_leave_free(atoi(argv[1]), atol(argv[2]));
	printf("crowded\n");
	fflush(stdout);
	for (;;)
		pause();
}
