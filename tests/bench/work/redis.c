// SPDX-License-Identifier: GPL-2.0
/*
 * redis: GETs with Zipf popularity from a redis-server of its own.
 *
 * Knows the keys, and how to start, fill, ask and end the server; the protocol
 * is in resp.h. Does not know what the server does inside: the memory that is
 * measured is the server's, so there is no region of the program's own. An
 * operation is one GET, of which every byte is compared.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "resp.h"
#include "values.h"
#include "work.h"
#include "zipf.h"

#define BYTES_A_KEY (VALUE_BYTES + 128) /* with what the server keeps beside a value */
#define POLL_NS 20000000L
#define MOST_POLLS 1500
#define MOST_PIPELINE 1024UL

static const char *server = "redis-server";
static unsigned long pipeline = 32;
static char socket_path[108];
static pid_t server_pid;
static struct resp resp;
static uint64_t nr_keys;
static struct spread spread_keys;
static struct zipf zipf;

static const struct argp_option extra_options[] = {
	{ "server", 's', "PROGRAM", 0, "the server (default redis-server)", 0 },
	{ "pipeline", 'p', "N", 0, "GETs on the way at a time (default 32)", 0 },
	{ 0 },
};

static error_t parse(int key, char *text, struct argp_state *state)
{
	if (key == 's')
		server = text;
	else if (key == 'p')
		pipeline = option_number(text, state);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static const struct argp extra = { .options = extra_options, .parser = parse };

static void plan(void)
{
	if (!pipeline || pipeline > MOST_PIPELINE)
		work_die("--pipeline is from 1 to %lu", MOST_PIPELINE);
	nr_keys = (option.size_mib << 20) / BYTES_A_KEY;
	zipf_init(&zipf, nr_keys, option.seed);
	spread_init(&spread_keys, nr_keys, option.seed);
	if (!zipf_check(nr_keys, option.seed) || !spread_check(&spread_keys))
		work_die("the keys are not drawn as they should be");
}

/* --- the server ------------------------------------------------------------------------------- */

static void run_server(void)
{
	/* what it says goes where our own messages go */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execlp(server, server, "--port", "0", "--unixsocket", socket_path, "--save", "",
	       "--appendonly", "no", "--loglevel", "warning", NULL);
	fprintf(stderr, "redis: cannot run %s: %s\n", server, strerror(errno));
	_exit(127);
}

static int try_to_connect(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(address.sun_path, socket_path, sizeof(socket_path));
	if (fd >= 0 && !connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	close(fd);
	return -1;
}

static void start_server(void)
{
	const struct timespec pause = { .tv_nsec = POLL_NS };
	int fd, polls;

	snprintf(socket_path, sizeof(socket_path), "/tmp/redis-%d.sock", getpid());
	server_pid = fork();
	if (!server_pid)
		run_server();
	for (polls = 0; polls < MOST_POLLS; polls++) {
		fd = try_to_connect();
		if (fd >= 0) {
			resp_open(&resp, fd);
			return;
		}
		if (waitpid(server_pid, NULL, WNOHANG))
			work_die("the server has ended");
		nanosleep(&pause, NULL);
	}
	work_die("the server does not listen at %s", socket_path);
}

/* --- sets and gets ---------------------------------------------------------------------------- */

static void send_set(uint64_t key)
{
	uint64_t value[WORDS_PER_VALUE];

	value_make(value, key);
	resp_command(&resp, "SET", key, value, VALUE_BYTES);
}

static void fill(void)
{
	uint64_t key, sent, batch;

	start_server();
	for (key = 0; key < nr_keys; key += batch) {
		batch = nr_keys - key < pipeline ? nr_keys - key : pipeline;
		for (sent = 0; sent < batch; sent++)
			send_set(key + sent);
		resp_flush(&resp);
		for (sent = 0; sent < batch; sent++)
			if (!resp_is_ok(&resp))
				work_die("the server refuses a SET: %s", resp.line);
	}
}

/* The reply to a GET: absent is as wrong as different. */
static void expect_value(uint64_t key)
{
	uint64_t value[WORDS_PER_VALUE];

	work_expect(resp_bulk(&resp, value, VALUE_BYTES) && !value_wrong_words(value, key));
}

static void get_batch(const uint64_t *keys, unsigned long nr)
{
	unsigned long i;

	for (i = 0; i < nr; i++)
		resp_command(&resp, "GET", keys[i], NULL, 0);
	resp_flush(&resp);
	for (i = 0; i < nr; i++)
		expect_value(keys[i]);
}

static unsigned long run(unsigned long operations)
{
	uint64_t keys[MOST_PIPELINE];
	unsigned long done, i, batch;

	for (done = 0; done < operations; done += batch) {
		batch = operations - done < pipeline ? operations - done : pipeline;
		for (i = 0; i < batch; i++) {
			keys[i] = spread(&spread_keys, zipf_next(&zipf) - 1);
			result.digest += keys[i];
		}
		get_batch(keys, batch);
	}
	return operations;
}

/* One byte of one value becomes another. */
static void corrupt(unsigned long word)
{
	uint64_t value[WORDS_PER_VALUE], key = word % nr_keys;

	value_make(value, key);
	value[word % WORDS_PER_VALUE] ^= 1;
	resp_command(&resp, "SET", key, value, VALUE_BYTES);
	resp_flush(&resp);
	if (!resp_is_ok(&resp))
		work_die("the server refuses a SET: %s", resp.line);
}

static void check(void)
{
	uint64_t keys[MOST_PIPELINE], key, i, batch;

	for (key = 0; key < nr_keys; key += batch) {
		batch = nr_keys - key < pipeline ? nr_keys - key : pipeline;
		for (i = 0; i < batch; i++)
			keys[i] = key + i;
		get_batch(keys, batch);
	}
}

static void end(void)
{
	kill(server_pid, SIGKILL);
	waitpid(server_pid, NULL, 0);
	unlink(socket_path);
}

const struct work work = {
	.name = "redis",
	.doc = "GETs from a redis-server with Zipf popularity of keys.",
	.window_per_mib = 2048,
	.options = &extra,
	.plan = plan,
	.fill = fill,
	.run = run,
	.corrupt = corrupt,
	.check = check,
	.end = end,
};
