// SPDX-License-Identifier: GPL-2.0
/*
 * preferring NODE COMMAND [ARGUMENTS...]: runs a command whose memory policy prefers a node.
 * Knows set_mempolicy(2). Does not know what the command does.
 */
#include "placement.h"

int main(int argc, char **argv)
{
	unsigned long mask;

	if (argc < 3) {
		fputs("usage: preferring NODE COMMAND [ARGUMENTS...]\n", stderr);
		return 2;
	}
	mask = 1UL << atoi(argv[1]);
	if (syscall(SYS_set_mempolicy, MPOL_PREFERRED, &mask, 8 * sizeof(mask))) {
		perror("set_mempolicy");
		return 2;
	}
	execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 2;
}
