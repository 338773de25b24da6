// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the section PARAMETERS of thermocline(4) from the module's own tables. Runs when the tools
 * are built; is not installed.
 */
#include <stdio.h>
#include <string.h>

#include "../lib/params.h"

/* Text of a man page: a hyphen that is typed, a backslash, a line's first dot. */
static void print_text(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (; *text; text++) {
		if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '\\')
			fputs("\\e", stdout);
		else
			putchar(*text);
	}
}

static void print_param(const struct tc_param *param)
{
	printf(".TP\n.B %s\n", param->name);
	if (param->number) {
		printf("%u to %u ", param->minimum, param->maximum);
		print_text(param->unit);
		printf(", default %s", param->value);
	} else {
		printf("text%s", *param->value ? ", default " : "");
		print_text(param->value);
	}
	printf("%s.\n", param->run_time ? "; at run time too" : "; at load only");
	print_text(param->text);
	printf(".\n");
}

int main(void)
{
	int i;

	puts(".SH PARAMETERS");
	for (i = 0; i < tc_nr_params; i++)
		print_param(&tc_params[i]);
	return 0;
}
