// SPDX-License-Identifier: GPL-2.0
/*
 * Names of cgroups, by the inode numbers of their folders. Does not know what is told of a cgroup.
 */
#include "cgroups.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "errors.h"
#include "files.h"

#define MOUNT "/sys/fs/cgroup"

/* Path of the folder with an inode number in and below @folder, in new memory; NULL: there is none. */
static char *find_inode(const char *folder, ino_t inode)
{
	struct dirent *entry;
	char *path, *found = NULL;
	struct stat status;
	DIR *dir;

	if (stat(folder, &status))
		return NULL;
	if (status.st_ino == inode)
		return tc_strdup(folder);
	dir = opendir(folder);
	while (dir && !found && (entry = readdir(dir)) != NULL) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		path = tc_format("%s/%s", folder, entry->d_name);
		found = find_inode(path, inode);
		free(path);
	}
	if (dir)
		closedir(dir);
	return found;
}

char *tc_cgroup_path(const char *id)
{
	char *end, *mount, *found, *path;
	unsigned long long inode = strtoull(id, &end, 10);

	if (end == id || *end)
		return tc_strdup(id);
	mount = tc_file_path(MOUNT);
	found = find_inode(mount, inode);
	path = tc_strdup(!found ? id : found[strlen(mount)] ? found + strlen(mount) : "/");
	free(found);
	free(mount);
	return path;
}
