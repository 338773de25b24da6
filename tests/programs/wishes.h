/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kinds of memory, and what a program can do to say that its memory should
 * stay where it is.
 *
 * Knows the system calls. Does not know who should respect them.
 */
#ifndef TC_WISHES_H
#define TC_WISHES_H

#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/kvm.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define WISH_PAGE 4096UL
#define BOTH_NODES 3UL

/* Memory that wishes something: @node is where it begins, and what the policies name. */
struct wish_memory {
	char *start;
	unsigned long pages;
	int node;
};

static inline void must(bool ok, const char *what)
{
	if (ok)
		return;
	perror(what);
	exit(2);
}

/* --- memory ----------------------------------------------------------------------------------- */

static inline char *map_anon(unsigned long bytes)
{
	char *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(start != MAP_FAILED, "mmap");
	madvise(start, bytes, MADV_NOHUGEPAGE);
	return start;
}

#define HUGE_PAGE (2UL << 20)

static inline char *map_huge(unsigned long bytes)
{
	char *start = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(start != MAP_FAILED, "mmap");
	start = (char *)(((unsigned long)start + HUGE_PAGE - 1) & -HUGE_PAGE);
	must(!madvise(start, bytes, MADV_HUGEPAGE), "madvise");
	return start;
}

#define TMPFS_FILE "/dev/shm/wish"

static inline char *map_tmpfs(unsigned long bytes)
{
	int fd = open(TMPFS_FILE, O_RDWR | O_CREAT, 0600);
	char *start;

	must(fd >= 0 && !ftruncate(fd, bytes), TMPFS_FILE);
	start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	must(start != MAP_FAILED, "mmap");
	close(fd);
	return start;
}

static int sysv_id = -1;

/* The same segment each time. It goes with the last process that has it. */
static inline char *map_sysv(unsigned long bytes)
{
	char *start;

	if (sysv_id < 0)
		sysv_id = shmget(IPC_PRIVATE, bytes, 0600);
	must(sysv_id >= 0, "shmget");
	start = shmat(sysv_id, NULL, 0);
	must(start != (void *)-1, "shmat");
	shmctl(sysv_id, IPC_RMID, NULL);
	return start;
}

/* --- policies of a range ---------------------------------------------------------------------- */

static inline void range_policy(const struct wish_memory *m, int mode, unsigned long nodes)
{
	must(!syscall(SYS_mbind, m->start, m->pages * WISH_PAGE, mode, nodes ? &nodes : NULL,
		      8 * sizeof(nodes), 0),
	     "mbind");
}

static inline void wish_bind(const struct wish_memory *m)
{
	range_policy(m, MPOL_BIND, 1UL << m->node);
}

static inline void wish_preferred(const struct wish_memory *m)
{
	range_policy(m, MPOL_PREFERRED, 1UL << m->node);
}

static inline void wish_preferred_many(const struct wish_memory *m)
{
	range_policy(m, MPOL_PREFERRED_MANY, 1UL << m->node);
}

static inline void wish_preferred_both(const struct wish_memory *m)
{
	range_policy(m, MPOL_PREFERRED_MANY, BOTH_NODES);
}

static inline void wish_interleave(const struct wish_memory *m)
{
	range_policy(m, MPOL_INTERLEAVE, BOTH_NODES);
}

static inline void wish_weighted(const struct wish_memory *m)
{
	range_policy(m, MPOL_WEIGHTED_INTERLEAVE, BOTH_NODES);
}

static inline void wish_local(const struct wish_memory *m)
{
	range_policy(m, MPOL_LOCAL, 0);
}

/* A process that shares the pages copy-on-write, and it alone has a policy for them. */
static inline void wish_child_bind(const struct wish_memory *m)
{
	int ready[2];
	char byte;

	must(!pipe(ready), "pipe");
	if (!fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		wish_bind(m);
		must(write(ready[1], "", 1) == 1, "write");
		for (;;)
			pause();
	}
	close(ready[1]);
	must(read(ready[0], &byte, 1) == 1, "the child");
}

/* --- policies of a task ----------------------------------------------------------------------- */

static inline void task_policy(int mode, unsigned long nodes)
{
	must(!syscall(SYS_set_mempolicy, mode, &nodes, 8 * sizeof(nodes)), "set_mempolicy");
}

static inline void wish_task_bind(const struct wish_memory *m)
{
	task_policy(MPOL_BIND, 1UL << m->node);
}

static inline void wish_task_preferred(const struct wish_memory *m)
{
	task_policy(MPOL_PREFERRED, 1UL << m->node);
}

static inline void wish_task_interleave(const struct wish_memory *m)
{
	(void)m;
	task_policy(MPOL_INTERLEAVE, BOTH_NODES);
}

static pthread_barrier_t bound;

static inline void *bound_thread(void *arg)
{
	wish_task_bind(arg);
	pthread_barrier_wait(&bound);
	for (;;)
		pause();
	return NULL;
}

/* Any thread may have allocated the memory: the wish of one is enough. */
static inline void wish_thread_bind(const struct wish_memory *m)
{
	pthread_t thread;

	pthread_barrier_init(&bound, NULL, 2);
	must(!pthread_create(&thread, NULL, bound_thread, (void *)m), "pthread_create");
	pthread_barrier_wait(&bound);
}

/* --- locks, pins and guests ------------------------------------------------------------------- */

static inline void wish_mlock(const struct wish_memory *m)
{
	must(!mlock(m->start, m->pages * WISH_PAGE), "mlock");
}

/* A buffer that io_uring may read and write at any time: a long-term pin. */
static inline void wish_io_uring(const struct wish_memory *m)
{
	struct iovec buffer = { .iov_base = m->start, .iov_len = m->pages * WISH_PAGE };
	struct io_uring_params params = { 0 };
	int fd = syscall(SYS_io_uring_setup, 1, &params);

	must(fd >= 0, "io_uring_setup");
	must(!syscall(SYS_io_uring_register, fd, IORING_REGISTER_BUFFERS, &buffer, 1),
	     "io_uring_register");
}

/* The pages themselves are in a pipe, by reference. */
static inline void wish_vmsplice(const struct wish_memory *m)
{
	struct iovec pages = { .iov_base = m->start, .iov_len = m->pages * WISH_PAGE };
	int pipes[2];

	must(!pipe(pipes), "pipe");
	must(fcntl(pipes[1], F_SETPIPE_SZ, pages.iov_len) >= (int)pages.iov_len, "F_SETPIPE_SZ");
	must(vmsplice(pipes[1], &pages, 1, 0) == (ssize_t)pages.iov_len, "vmsplice");
}

/* KVM watches the memory of a process from the moment that it has a virtual machine. */
static inline void wish_kvm(const struct wish_memory *m)
{
	int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);

	(void)m;
	must(kvm >= 0, "/dev/kvm");
	must(ioctl(kvm, KVM_CREATE_VM, 0) >= 0, "KVM_CREATE_VM");
}

static inline void wish_none(const struct wish_memory *m)
{
	(void)m;
}

#endif
