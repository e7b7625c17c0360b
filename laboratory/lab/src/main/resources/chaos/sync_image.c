/*
 * A preload library that keeps an image of what a process has synced, as a storage device would have it after a power failure.
 *
 * BATON_SYNC_ROOT   only files and directories below it count
 * BATON_SYNC_IMAGE  where the image is kept; the contents lie in .inodes, and the synced names are hard links to them
 * BATON_SYNC_FAIL   the number of the first sync that fails with EIO, as all later ones do; 0: none
 *
 * fsync and fdatasync of a file copy its pages and its name (as ext4 does for a new file); of a directory the names in it. msync
 * copies the pages of its range. Nothing reaches the real device. Calls that bypass the dynamic linker are not seen.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE 4096
#define TEXT (PATH_MAX + 64)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long syncs;

static const char *below_root(const char *path) {
    const char *root = getenv("BATON_SYNC_ROOT");
    size_t length = root == NULL ? 0 : strlen(root);
    return length > 0 && strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0) ? path + length : NULL;
}

static void make_parents(char *path) {
    for (char *at = strchr(path + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = 0;
        mkdir(path, 0755);
        *at = '/';
    }
}

/* Gives an inode its name in the image. */
static int content(const char *relative, const struct stat *of) {
    const char *image = getenv("BATON_SYNC_IMAGE");
    char inode[TEXT], name[TEXT];
    struct stat named, there;
    snprintf(inode, sizeof inode, "%s/.inodes/%lu", image, (unsigned long)of->st_ino);
    snprintf(name, sizeof name, "%s%s", image, relative);
    make_parents(inode);
    make_parents(name);
    int fd = open(inode, O_RDWR | O_CREAT, 0644);
    if (fd >= 0 && fstat(fd, &there) == 0 && (stat(name, &named) != 0 || named.st_ino != there.st_ino)) {
        unlink(name);
        if (link(inode, name) != 0) perror("baton: link");
    }
    return fd;
}

static void copy(int from, int to, off_t begin, off_t end) {
    char page[PAGE], there[PAGE];
    for (off_t at = begin; at < end; at += PAGE) {
        ssize_t length = pread(from, page, PAGE, at);
        if (length <= 0) return;
        ssize_t old = pread(to, there, PAGE, at);
        memset(there + (old < 0 ? 0 : old), 0, PAGE - (old < 0 ? 0 : old));
        if (memcmp(page, there, length) != 0 && pwrite(to, page, length, at) != length) perror("baton: pwrite");
    }
}

static void sync_names(const char *path, const char *relative) {
    const char *image = getenv("BATON_SYNC_IMAGE");
    char full[TEXT + 256], name[TEXT + 256];
    struct stat of;
    struct dirent *each;
    snprintf(name, sizeof name, "%s%s/.", image, relative);
    make_parents(name);
    DIR *names = opendir(path);
    while (names != NULL && (each = readdir(names)) != NULL) {
        snprintf(full, sizeof full, "%s/%s", path, each->d_name);
        snprintf(name, sizeof name, "%s/%s", relative, each->d_name);
        if (lstat(full, &of) == 0 && S_ISREG(of.st_mode)) {
            close(content(name, &of));
        }
    }
    if (names != NULL) closedir(names);
    snprintf(name, sizeof name, "%s%s", image, relative);
    names = opendir(name);
    while (names != NULL && (each = readdir(names)) != NULL) {
        snprintf(full, sizeof full, "%s/%s", path, each->d_name);
        if (lstat(full, &of) != 0 && strcmp(each->d_name, ".inodes") != 0) {
            snprintf(full, sizeof full, "%.*s/%s", PATH_MAX, name, each->d_name);
            unlink(full);
        }
    }
    if (names != NULL) closedir(names);
}

/* Takes a sync of a part of a file into the image, or fails. */
static int taken(const char *path, off_t begin, off_t end, int is_whole) {
    const char *relative = below_root(path);
    if (relative == NULL || strstr(path, " (deleted)") != NULL) return 0;
    pthread_mutex_lock(&lock);
    const char *first = getenv("BATON_SYNC_FAIL");
    long failing = first == NULL ? 0 : atol(first);
    int result = 0;
    struct stat of;
    if (++syncs >= failing && failing > 0) {
        char mark[TEXT];
        snprintf(mark, sizeof mark, "%s.failed", getenv("BATON_SYNC_IMAGE"));
        close(open(mark, O_CREAT | O_WRONLY, 0644));
        errno = EIO;
        result = -1;
    } else if (stat(path, &of) == 0 && S_ISDIR(of.st_mode)) {
        sync_names(path, relative);
    } else if (S_ISREG(of.st_mode)) {
        int from = open(path, O_RDONLY), to = content(relative, &of);
        if (is_whole && ftruncate(to, of.st_size) != 0) perror("baton: ftruncate");
        copy(from, to, begin, is_whole ? of.st_size : end);
        close(from);
        close(to);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static int sync_of(int fd) {
    char link[64], path[PATH_MAX + 1];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX);
    if (length < 0) {
        errno = EBADF;
        return -1;
    }
    path[length] = 0;
    return taken(path, 0, 0, 1);
}

int fsync(int fd) { return sync_of(fd); }

int fdatasync(int fd) { return sync_of(fd); }

int msync(void *address, size_t length, int flags) {
    (void)flags;
    uintptr_t at = (uintptr_t)address, end = at + length;
    char line[TEXT];
    int result = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && result == 0 && fgets(line, sizeof line, maps) != NULL) {
        unsigned long from, to, offset;
        int name = 0;
        if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %n", &from, &to, &offset, &name) == 3 && from < end && to > at) {
            line[strcspn(line, "\n")] = 0;
            uintptr_t first = from > at ? from : at, last = to < end ? to : end;
            if (line[name] == '/') {
                result = taken(line + name, offset + (first - from), offset + (last - from), 0);
            }
        }
    }
    if (maps != NULL) fclose(maps);
    return result;
}
