/*
 * A disk that loses its power, for LD_PRELOAD: keeps a copy of what fsync, fdatasync and msync have stored of the files
 * below one directory, and lets them fail.
 *
 * BATON_POWER_ROOT   the directory, by its real path
 * BATON_POWER_IMAGE  a directory for the copy: one file KEY for each file, one KEY.dir for each directory with a line
 *                    "f KEY NAME" or "d KEY NAME" for each of its entries, and root.dir for the directory itself. A KEY
 *                    is an inode with the time of its birth, as numbers of inodes are used again.
 * BATON_POWER_FAIL   a file with the number of calls that fail with EIO from now on; none where it is missing
 *
 * A call that fails does what Linux does: it takes the changed pages for stored, so that a later call skips them unless
 * somebody changes them again (KEY.lost has what they were).
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
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
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096
#define CACHESTAT 451

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int below_root(const char *path) {
    const char *root = getenv("BATON_POWER_ROOT");
    size_t length = root ? strlen(root) : 0;
    return length && !strncmp(path, root, length) && (path[length] == '/' || path[length] == 0);
}

static void image(char *path, const char *key, const char *suffix) {
    snprintf(path, PATH_MAX, "%s/%s%s", getenv("BATON_POWER_IMAGE"), key, suffix);
}

static void key_of(int directory, const char *name, char *key, int *is_directory) {
    struct statx s;
    if (statx(directory, name, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS | STATX_BTIME, &s)) {
        abort();
    }
    *is_directory = S_ISDIR(s.stx_mode);
    snprintf(key, 80, "%llu-%lld.%u", (unsigned long long) s.stx_ino, (long long) s.stx_btime.tv_sec,
            s.stx_btime.tv_nsec);
}

/* the number of calls to fail, minus this one */
static int fails(void) {
    FILE *file = fopen(getenv("BATON_POWER_FAIL"), "r+");
    int left = 0;
    if (file) {
        if (fscanf(file, "%d", &left) == 1 && left > 0) {
            rewind(file);
            fprintf(file, "%-10d", left - 1);
        }
        fclose(file);
    }
    return left > 0;
}

/* 1 also where the kernel cannot say, as older ones */
static int is_changed(int fd, off_t offset) {
    struct { uint64_t offset, length; } range = {(uint64_t) offset, PAGE};
    struct { uint64_t cached, dirty, writeback, evicted, recently; } state = {0};
    return syscall(CACHESTAT, fd, &range, &state, 0) || state.dirty + state.writeback > 0;
}

static void store(int fd, const char *key, off_t from, off_t to, int is_lost) {
    char path[PATH_MAX];
    char page[PAGE], old[PAGE];
    struct stat s;
    char opened[64];
    snprintf(opened, sizeof opened, "/proc/self/fd/%d", fd);
    int in = open(opened, O_RDONLY | O_CLOEXEC); /* fd may be for writing alone */
    image(path, key, ".lost");
    int lost = is_lost ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    image(path, key, is_lost ? ".lost" : "");
    int out = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (in < 0 || out < 0 || fstat(in, &s)) {
        abort();
    }
    to = to < s.st_size ? to : s.st_size;
    for (off_t at = from / PAGE * PAGE; at < to; at += PAGE) {
        memset(page, 0, PAGE);
        memset(old, 0, PAGE);
        ssize_t length = pread(in, page, PAGE, at);
        if (lost >= 0 && pread(lost, old, PAGE, at) > 0 && !memcmp(page, old, PAGE) && !is_changed(in, at)) {
            continue;
        }
        memset(old, 0, PAGE);
        ssize_t before = pread(out, old, PAGE, at);
        if ((before < length || memcmp(page, old, PAGE)) && pwrite(out, page, length, at) != length) {
            abort();
        }
    }
    if (from == 0 && to == s.st_size && ftruncate(out, to)) {
        abort();
    }
    close(in);
    close(out);
    if (lost >= 0) {
        close(lost);
    }
}

static void store_names(int fd, const char *path, const char *key) {
    char made[PATH_MAX], final[PATH_MAX], entry_key[80];
    int is_directory;
    image(made, key, ".tmp");
    image(final, strcmp(path, getenv("BATON_POWER_ROOT")) ? key : "root", ".dir");
    FILE *out = fopen(made, "w");
    DIR *entries = opendir(path);
    if (!out || !entries) {
        abort();
    }
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) {
            key_of(fd, entry->d_name, entry_key, &is_directory);
            fprintf(out, "%c %s %s\n", is_directory ? 'd' : 'f', entry_key, entry->d_name);
        }
    }
    closedir(entries);
    fclose(out);
    rename(made, final);
}

static int sync_file(const char *function, int fd) {
    int (*real)(int) = (int (*)(int)) dlsym(RTLD_NEXT, function);
    char link[64], path[PATH_MAX] = "", key[80];
    int is_directory;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, path, sizeof path - 1) < 0 || !below_root(path)) {
        return real(fd);
    }
    pthread_mutex_lock(&lock);
    key_of(fd, "", key, &is_directory);
    int failed = fails();
    if (is_directory) {
        if (!failed) {
            store_names(fd, path, key);
        }
    } else {
        store(fd, key, 0, LLONG_MAX, failed);
    }
    int result = real(fd);
    pthread_mutex_unlock(&lock);
    if (failed) {
        errno = EIO;
        return -1;
    }
    return result;
}

int fsync(int fd) {
    return sync_file("fsync", fd);
}

int fdatasync(int fd) {
    return sync_file("fdatasync", fd);
}

/* of the file that is mapped at an address, and the address's place in it; -1: none of ours */
static int mapped(void *address, off_t *offset) {
    char line[PATH_MAX + 128], path[PATH_MAX];
    FILE *maps = fopen("/proc/self/maps", "re");
    int fd = -1;
    while (fd < 0 && fgets(line, sizeof line, maps)) {
        unsigned long from, to, place;
        path[0] = 0;
        if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %4000[^\n]", &from, &to, &place, path) >= 3
                && (unsigned long) address >= from && (unsigned long) address < to) {
            if (!below_root(path)) {
                break;
            }
            fd = open(path, O_RDONLY | O_CLOEXEC);
            *offset = (off_t) ((unsigned long) address - from + place);
        }
    }
    fclose(maps);
    return fd;
}

int msync(void *address, size_t length, int flags) {
    int (*real)(void *, size_t, int) = (int (*)(void *, size_t, int)) dlsym(RTLD_NEXT, "msync");
    off_t offset;
    int fd = flags & MS_SYNC ? mapped(address, &offset) : -1;
    if (fd < 0) {
        return real(address, length, flags);
    }
    char key[80];
    int is_directory;
    pthread_mutex_lock(&lock);
    key_of(fd, "", key, &is_directory);
    int failed = fails();
    store(fd, key, offset, offset + (off_t) length, failed);
    int result = real(address, length, flags);
    close(fd);
    pthread_mutex_unlock(&lock);
    if (failed) {
        errno = EIO;
        return -1;
    }
    return result;
}

/* jffi asks the C library itself for its functions */
void *dlsym(void *handle, const char *name) {
    static void *(*real)(void *, const char *);
    if (!real) {
        const char *versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
        for (int i = 0; i < 3 && !real; i++) {
            real = (void *(*)(void *, const char *)) dlvsym(RTLD_NEXT, "dlsym", versions[i]);
        }
    }
    if (handle != RTLD_NEXT && !strcmp(name, "msync")) {
        return (void *) msync;
    }
    return real(handle, name);
}
