/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading and writing the kernel's small files. Knows that all of them may be below another root
 * (THERMOCTL_ROOT, for tests with saved trees); does not know what is in them.
 */
#ifndef TC_LIB_FILES_H
#define TC_LIB_FILES_H

#include <stdbool.h>

/* @path below the root of the files, in new memory. */
char *tc_file_path(const char *path);

/**
 * tc_file_read() - all of a file
 * @path: its path, below the root
 *
 * Return: its text in new memory, ended by NUL; NULL with errno set.
 */
char *tc_file_read(const char *path);

/* The first line of a file without its end, in new memory; NULL with errno set. */
char *tc_file_line(const char *path);

bool tc_file_exists(const char *path);

/* Write @text in one piece, as sysfs wants it. Return: 0 or a negative errno. */
int tc_file_write(const char *path, const char *text);

/* Replace a file by one with @text, or leave it as it is. Return: 0 or a negative errno. */
int tc_file_replace(const char *path, const char *text);

/**
 * tc_file_list() - names in a folder, sorted by version (node2 before node10)
 * @path: the folder, below the root
 * @prefix: only names that begin so
 * @count: their number
 *
 * Return: names in new memory; NULL when there is no such folder or none matches.
 */
char **tc_file_list(const char *path, const char *prefix, int *count);
void tc_file_list_free(char **names, int count);

#endif /* TC_LIB_FILES_H */
