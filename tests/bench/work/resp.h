/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RESP, the protocol of Redis, as far as SET and GET need it.
 *
 * Knows commands as arrays of bulk strings, and the replies "+OK" and bulk
 * string. Does not know what keys mean. A connection that ends, or a reply
 * that is not RESP, ends the program.
 */
#ifndef TC_RESP_H
#define TC_RESP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "work.h"

#define RESP_BUFFER (256UL << 10)
#define RESP_KEY_BYTES 12

struct resp {
	FILE *in;
	FILE *out;
	char line[256]; /* the last line read, without its end */
};

static inline FILE *resp_stream(int fd, const char *mode)
{
	FILE *stream = fd < 0 ? NULL : fdopen(fd, mode);

	if (!stream || setvbuf(stream, NULL, _IOFBF, RESP_BUFFER))
		work_die("no memory for the connection");
	return stream;
}

static inline void resp_open(struct resp *resp, int fd)
{
	resp->in = resp_stream(fd, "r");
	resp->out = resp_stream(dup(fd), "w");
}

/* VERB key, or VERB key value; it leaves with resp_flush(). */
static inline void resp_command(struct resp *resp, const char *verb, uint64_t key,
				const void *value, size_t bytes)
{
	fprintf(resp->out, "*%d\r\n$%zu\r\n%s\r\n$%d\r\n%0*llu\r\n", value ? 3 : 2, strlen(verb),
		verb, RESP_KEY_BYTES, RESP_KEY_BYTES, (unsigned long long)key);
	if (!value)
		return;
	fprintf(resp->out, "$%zu\r\n", bytes);
	fwrite(value, bytes, 1, resp->out);
	fputs("\r\n", resp->out);
}

static inline void resp_flush(struct resp *resp)
{
	if (fflush(resp->out))
		work_die("the connection has ended");
}

static inline void resp_read_line(struct resp *resp)
{
	if (!fgets(resp->line, sizeof(resp->line), resp->in) || !strchr(resp->line, '\r'))
		work_die("the connection has ended, or speaks no RESP");
	*strchr(resp->line, '\r') = 0;
}

static inline bool resp_is_ok(struct resp *resp)
{
	resp_read_line(resp);
	return !strcmp(resp->line, "+OK");
}

/* True if the reply is a bulk string of just so many bytes; only one of those may come, or none. */
static inline bool resp_bulk(struct resp *resp, void *value, size_t bytes)
{
	char end[2];

	resp_read_line(resp);
	if (!strcmp(resp->line, "$-1"))
		return false;
	if (resp->line[0] != '$' || strtoul(resp->line + 1, NULL, 10) != bytes ||
	    fread(value, bytes, 1, resp->in) != 1 || fread(end, 2, 1, resp->in) != 1)
		work_die("an unexpected reply: %s", resp->line);
	return true;
}

#endif
