// SPDX-License-Identifier: GPL-2.0
/*
 * wish MEMORY WISH stay|go|down [PAGES]: makes memory that wishes something
 * and, in a process of its own (command name "control", root cgroup), as
 * much ordinary memory, and heats both until one of them has moved.
 *
 *   stay  begin on the slow node; the control memory must come up
 *   go    begin on the slow node; the memory that wishes must come up
 *   down  begin on a fast node that is full, stay cold beside other memory
 *         that is hot; the control memory must go down
 *
 * From then on the other one has a few rounds more to do what it should not.
 * Prints "name value" lines: pages, moved (page frames that are not where
 * they began), node0, node1, control_moved. Exit status 1: what must move
 * did not; what must not move is the caller's to judge.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>

#include "balloon.h"
#include "feed.h"
#include "node.h"
#include "placement.h"
#include "wishes.h"

#define FAST 0
#define SLOW 1
#define DEFAULT_PAGES 512UL
#define MOST_PAGES (1UL << 16)
#define SAMPLES 10
#define MOST_ROUNDS 100
/* Rounds after the leader has arrived, and the pause in each, several times a worker's sleep. */
#define MORE_ROUNDS 6
#define PAUSE_MS 200
#define ARRIVED_PERCENT 75
/* What is hot when the two are not: samples pass, by which the module tells time. */
#define HEATER_PAGES 512UL
/* Memory of the fast node that "down" leaves beside the two, above the kernel's watermarks. */
#define SPARE_PAGES 8192L

static const struct {
	const char *name;
	char *(*map)(unsigned long bytes);
	bool shared;
} memories[] = {
	{ "anon", map_anon, false },
	{ "thp", map_huge, false },
	{ "tmpfs", map_tmpfs, true },
	{ "sysv", map_sysv, true },
};

/* @first: before the pages are there, as it says where they begin. */
static const struct {
	const char *name;
	void (*wish)(const struct wish_memory *m);
	bool first;
} wishes[] = {
	{ "none", wish_none, false },
	{ "bind", wish_bind, false },
	{ "preferred", wish_preferred, false },
	{ "preferred-many", wish_preferred_many, false },
	{ "preferred-both", wish_preferred_both, false },
	{ "interleave", wish_interleave, true },
	{ "weighted-interleave", wish_weighted, true },
	{ "local", wish_local, false },
	{ "child-bind", wish_child_bind, false },
	{ "task-bind", wish_task_bind, false },
	{ "task-preferred", wish_task_preferred, false },
	{ "task-interleave", wish_task_interleave, false },
	{ "thread-bind", wish_thread_bind, false },
	{ "mlock", wish_mlock, false },
	{ "io_uring", wish_io_uring, false },
	{ "vmsplice", wish_vmsplice, false },
	{ "kvm", wish_kvm, false },
};

/* What the two processes tell each other. */
static struct {
	_Atomic unsigned long moved;
	_Atomic unsigned int rounds;
	_Atomic bool stop;
} *control;

static bool down;
static struct wish_memory heater = { .pages = HEATER_PAGES, .node = FAST };

static void nap(void)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };

	nanosleep(&pause, NULL);
}

/* A store, as shared memory of a child would be copied by it: only before that. */
static void touch(const struct wish_memory *m)
{
	unsigned long i;

	place_on(m->node);
	for (i = 0; i < m->pages; i++)
		m->start[i * WISH_PAGE] = 1;
	place_anywhere();
}

static void count_nodes(const struct wish_memory *m, unsigned long *count)
{
	static unsigned char node[MOST_PAGES];
	unsigned long i;

	memset(count, 0, 256 * sizeof(*count));
	placement_query(m->start, m->pages, node);
	for (i = 0; i < m->pages; i++)
		count[node[i]]++;
}

static unsigned long count_away(const struct wish_memory *m)
{
	unsigned long count[256];

	count_nodes(m, count);
	return count[m->node == FAST ? SLOW : FAST];
}

/* Page frames, as /proc/self/pagemap has them; none for a page that is not mapped. */
static void read_frames(const struct wish_memory *m, uint64_t *frame)
{
	size_t bytes = m->pages * sizeof(*frame);
	int fd = open("/proc/self/pagemap", O_RDONLY);
	unsigned long i;

	must(fd >= 0, "/proc/self/pagemap");
	must(pread(fd, frame, bytes, (unsigned long)m->start / WISH_PAGE * sizeof(*frame)) ==
		     (ssize_t)bytes,
	     "/proc/self/pagemap");
	for (i = 0; i < m->pages; i++)
		frame[i] = frame[i] >> 63 ? frame[i] & ((1UL << 55) - 1) : 0;
	close(fd);
}

static void round_of(int fd, const struct wish_memory *m)
{
	if (down)
		m = &heater;
	feed_pages(fd, m->start, m->pages, SAMPLES, 0);
	nap();
}

static void leave_cgroup(void)
{
	int fd = open("/sys/fs/cgroup/cgroup.procs", O_WRONLY);

	must(fd >= 0 && write(fd, "0", 1) == 1, "cgroup.procs");
	close(fd);
}

static void run_control(unsigned long pages, int node)
{
	struct wish_memory m = { .pages = pages, .node = node };
	int fd = feed_open();

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "control");
	leave_cgroup();
	m.start = map_anon(pages * WISH_PAGE);
	touch(&m);
	while (!control->stop) {
		round_of(fd, &m);
		control->moved = count_away(&m);
		control->rounds++;
	}
	exit(0);
}

static pid_t start_control(unsigned long pages, int node)
{
	pid_t pid;

	control = mmap(NULL, sizeof(*control), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	must(control != MAP_FAILED, "mmap");
	pid = fork();
	must(pid >= 0, "fork");
	if (!pid)
		run_control(pages, node);
	return pid;
}

/* Rounds until the leader has arrived, and some more; false when it does not. */
static bool play(const struct wish_memory *m, bool wisher_leads)
{
	unsigned long wanted = m->pages * ARRIVED_PERCENT / 100, led = 0;
	int fd = feed_open();
	unsigned int i, end;

	for (i = 0; i < MOST_ROUNDS && led < wanted; i++) {
		round_of(fd, m);
		led = wisher_leads ? count_away(m) : control->moved;
		must(!waitpid(-1, NULL, WNOHANG), "the control process ended");
	}
	end = control->rounds + MORE_ROUNDS;
	for (i = 0; led >= wanted && (i < MORE_ROUNDS || control->rounds < end); i++)
		round_of(fd, m);
	close(fd);
	return led >= wanted;
}

static void say(const struct wish_memory *m, const uint64_t *before)
{
	uint64_t *now = calloc(m->pages, sizeof(*now));
	unsigned long count[256], moved = 0, i;

	read_frames(m, now);
	for (i = 0; i < m->pages; i++)
		moved += now[i] != before[i];
	count_nodes(m, count);
	printf("pages %lu\nmoved %lu\nnode0 %lu\nnode1 %lu\ncontrol_moved %lu\n", m->pages, moved,
	       count[FAST], count[SLOW], control->moved);
	free(now);
}

/*
 * Takes the rest of the fast node, but for what the kernel keeps from programs anyway, and puts the
 * heater there, which the control process inherits.
 */
static void crowd(unsigned long pages)
{
	long watermarks = node_free_pages(FAST) - node_usable_pages(FAST);

	heater.start = map_anon(HEATER_PAGES * WISH_PAGE);
	touch(&heater);
	balloon_leave_free(FAST, 2 * pages + SPARE_PAGES + watermarks);
}

static void usage(void)
{
	fprintf(stderr, "usage: wish MEMORY WISH stay|go|down [PAGES]\n");
	exit(2);
}

#define INDEX_OF(table, text)                                      \
	({                                                         \
		size_t index = 0;                                  \
		while (index < sizeof(table) / sizeof(*(table)) && \
		       strcmp((table)[index].name, text))          \
			index++;                                   \
		if (index == sizeof(table) / sizeof(*(table)))     \
			usage();                                   \
		index;                                             \
	})

/*
 * A policy of shared memory lives in its inode: it is set through one mapping and met through
 * another, which never had one.
 */
static void make_wish(struct wish_memory *m, size_t memory, size_t wish)
{
	unsigned long bytes = m->pages * WISH_PAGE;
	char *first = m->start;

	wishes[wish].wish(m);
	if (!memories[memory].shared)
		return;
	m->start = memories[memory].map(bytes);
	must(!munmap(first, bytes), "munmap");
	if (!wishes[wish].first)
		touch(m);
}

int main(int argc, char **argv)
{
	struct wish_memory m = { .pages = DEFAULT_PAGES };
	size_t memory, wish;
	uint64_t *before;
	bool arrived;
	pid_t pid;

	if (argc < 4 || argc > 5)
		usage();
	memory = INDEX_OF(memories, argv[1]);
	wish = INDEX_OF(wishes, argv[2]);
	down = !strcmp(argv[3], "down");
	m.node = down ? FAST : SLOW;
	if (argc == 5)
		m.pages = strtoul(argv[4], NULL, 10);
	if (!m.pages || m.pages > MOST_PAGES)
		usage();
	if (down)
		crowd(m.pages);
	pid = start_control(m.pages, m.node);
	m.start = memories[memory].map(m.pages * WISH_PAGE);
	if (wishes[wish].first)
		make_wish(&m, memory, wish);
	touch(&m);
	if (!wishes[wish].first)
		make_wish(&m, memory, wish);
	before = calloc(m.pages, sizeof(*before));
	read_frames(&m, before);
	arrived = play(&m, !strcmp(argv[3], "go"));
	control->stop = true;
	waitpid(pid, NULL, 0);
	say(&m, before);
	return !arrived;
}
