// SPDX-License-Identifier: GPL-2.0
/*
 * Reading and writing the kernel's small files. Knows that all of them may be below another root;
 * does not know what is in them.
 */
#include "files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "errors.h"

char *tc_file_path(const char *path)
{
	const char *root = getenv("THERMOCTL_ROOT");

	return tc_format("%s%s", root ? root : "", path);
}

static char *read_all(FILE *file)
{
	size_t used = 0, size = 4096, got;
	char *text = tc_alloc(size), *more;

	while ((got = fread(text + used, 1, size - used - 1, file)) > 0) {
		used += got;
		if (used < size - 1)
			continue;
		more = realloc(text, size *= 2);
		if (!more)
			break;
		text = more;
	}
	text[used] = '\0';
	return text;
}

char *tc_file_read(const char *path)
{
	char *full = tc_file_path(path), *text = NULL;
	FILE *file = fopen(full, "re");
	int err = errno;

	free(full);
	if (file) {
		text = read_all(file);
		err = ferror(file) ? errno : 0;
		fclose(file);
	}
	if (err && text) {
		free(text);
		text = NULL;
	}
	errno = err;
	return text;
}

char *tc_file_line(const char *path)
{
	char *text = tc_file_read(path);

	if (text)
		text[strcspn(text, "\n")] = '\0';
	return text;
}

bool tc_file_exists(const char *path)
{
	char *full = tc_file_path(path);
	bool there = !access(full, F_OK);

	free(full);
	return there;
}

static int write_at(const char *full, int flags, const char *text)
{
	int fd = open(full, O_WRONLY | O_CLOEXEC | flags, 0644), err = 0;
	ssize_t length = strlen(text);

	if (fd < 0)
		return -errno;
	if (write(fd, text, length) != length)
		err = errno ? -errno : -EIO;
	if ((flags & O_CREAT) && fsync(fd) && !err)
		err = -errno;
	if (close(fd) && !err)
		err = -errno;
	return err;
}

int tc_file_write(const char *path, const char *text)
{
	char *full = tc_file_path(path);
	int err = write_at(full, O_TRUNC, text);

	free(full);
	return err;
}

int tc_file_replace(const char *path, const char *text)
{
	char *full = tc_file_path(path), *fresh = tc_format("%s.new", full);
	int err = write_at(fresh, O_CREAT | O_TRUNC, text);

	if (!err && rename(fresh, full))
		err = -errno;
	if (err)
		unlink(fresh);
	free(fresh);
	free(full);
	return err;
}

static int compare_names(const void *a, const void *b)
{
	const char *x = *(char *const *)a, *y = *(char *const *)b;
	size_t digits_x, digits_y;

	while (*x && *y) {
		digits_x = strspn(x, "0123456789");
		digits_y = strspn(y, "0123456789");
		if (digits_x && digits_y && digits_x != digits_y)
			return digits_x < digits_y ? -1 : 1;
		if (*x != *y)
			break;
		x++;
		y++;
	}
	return (unsigned char)*x - (unsigned char)*y;
}

static char **read_names(DIR *dir, const char *prefix, int *count)
{
	char **names = NULL, **more;
	struct dirent *entry;

	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.' || strncmp(entry->d_name, prefix, strlen(prefix)))
			continue;
		more = realloc(names, (*count + 1) * sizeof(*names));
		if (!more)
			break;
		names = more;
		names[(*count)++] = tc_strdup(entry->d_name);
	}
	if (names)
		qsort(names, *count, sizeof(*names), compare_names);
	return names;
}

char **tc_file_list(const char *path, const char *prefix, int *count)
{
	char *full = tc_file_path(path), **names = NULL;
	DIR *dir = opendir(full);

	free(full);
	*count = 0;
	if (dir) {
		names = read_names(dir, prefix, count);
		closedir(dir);
	}
	return names;
}

void tc_file_list_free(char **names, int count)
{
	while (count > 0)
		free(names[--count]);
	free(names);
}
