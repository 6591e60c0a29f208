/* Watch what a program does to the files below one folder: write it down, or kill the program in the middle of it.
 *
 * Loaded before the C library (LD_PRELOAD). Environment, or `shim_set` for a process that was forked:
 *   SHIM_ROOT   the folder; operations on files elsewhere are passed on as they are
 *   SHIM_LOG    a file to which each operation is appended as a record (struct record, then path, other path, data)
 *   SHIM_KILL   the number of the operation, from 1, at which the program kills itself with SIGKILL
 *   SHIM_HOW    0: before the operation; 1: in the middle, after half of a write; 2: after it
 *   SHIM_CLOCK  seconds that are added to the time of the day
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, SYNC, TRUNCATE, RENAME, UNLINK, LINK, MKDIR, RMDIR };

struct record {
    uint32_t kind, path, other, flags;
    uint64_t file;   /* the inode */
    int64_t offset;  /* of a write; the size for TRUNCATE */
    uint64_t data;
};

static char root[PATH_MAX];
static size_t root_length;
static int log_file = -1, how;
static long kill_at, done_operations;
static long clock_offset;

void shim_set(const char *folder, const char *log, long at, int when, long seconds) {
    snprintf(root, sizeof root, "%s", folder);
    root_length = strlen(root);
    if (log_file >= 0) syscall(SYS_close, log_file);
    log_file = -1;
    if (log[0]) {
        int opened = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
        log_file = syscall(SYS_fcntl, opened, F_DUPFD_CLOEXEC, 900);
        syscall(SYS_close, opened);
    }
    kill_at = at;
    how = when;
    clock_offset = seconds;
    done_operations = 0;
}

__attribute__((constructor)) static void begin(void) {
    const char *folder = getenv("SHIM_ROOT"), *log = getenv("SHIM_LOG"), *at = getenv("SHIM_KILL");
    const char *when = getenv("SHIM_HOW"), *seconds = getenv("SHIM_CLOCK");
    shim_set(folder ? folder : "", log ? log : "", at ? atol(at) : 0, when ? atoi(when) : 0,
             seconds ? atol(seconds) : 0);
}

static int below(const char *path) {
    return root_length && !strncmp(path, root, root_length) && path[root_length] == '/';
}

/* The absolute path of a name that a program uses, in `to`; whether it is below the folder. */
static int named(int folder, const char *name, char *to) {
    if (!root_length) return 0;
    if (name[0] == '/') {
        snprintf(to, PATH_MAX, "%s", name);
    } else {
        char link[64], base[PATH_MAX];
        if (folder == AT_FDCWD) snprintf(link, sizeof link, "/proc/self/cwd");
        else snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
        ssize_t length = readlink(link, base, sizeof base - 1);
        if (length < 0) return 0;
        base[length] = 0;
        if (snprintf(to, PATH_MAX, "%s/%s", base, name) >= PATH_MAX) return 0;
    }
    return below(to);
}

static int opened(int file, char *to) {
    char link[64];
    if (!root_length || file < 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, to, PATH_MAX - 1);
    if (length < 0) return 0;
    to[length] = 0;
    return below(to) || !strcmp(to, root);
}

static uint64_t inode(int file) {
    struct stat status;
    return fstat(file, &status) ? 0 : status.st_ino;
}

static void die(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
}

/* Count an operation; return whether the program is to be killed in or after it. */
static int counted(void) {
    int doomed = __atomic_add_fetch(&done_operations, 1, __ATOMIC_SEQ_CST) == kill_at;
    if (doomed && how == 0) die();
    return doomed;
}

static void note(uint32_t kind, const char *path, const char *other, uint32_t flags, uint64_t file, int64_t offset,
                 const void *data, uint64_t length) {
    if (log_file < 0) return;
    int saved = errno;
    size_t first = strlen(path), second = other ? strlen(other) : 0, size = sizeof(struct record) + first + second + length;
    struct record head = {kind, first, second, flags, file, offset, length};
    char *whole = malloc(size), *at = whole;
    memcpy(at, &head, sizeof head);
    memcpy(at += sizeof head, path, first);
    if (other) memcpy(at + first, other, second);
    if (length) memcpy(at + first + second, data, length);
    syscall(SYS_write, log_file, whole, size);
    free(whole);
    errno = saved;
}

static int open_watched(int folder, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    int writes = (flags & O_ACCMODE) != O_RDONLY;
    if (!writes || !named(folder, name, path)) return syscall(SYS_openat, folder, name, flags, mode);
    int doomed = counted();
    int file = syscall(SYS_openat, folder, name, flags, mode);
    if (file >= 0) note(OPEN, path, NULL, flags & (O_CREAT | O_TRUNC), inode(file), 0, NULL, 0);
    if (doomed) die();
    return file;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { va_list rest; va_start(rest, flags); mode = va_arg(rest, int); va_end(rest); }

int open(const char *name, int flags, ...) { MODE(flags) return open_watched(AT_FDCWD, name, flags, mode); }
int open64(const char *name, int flags, ...) { MODE(flags) return open_watched(AT_FDCWD, name, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *name, int flags, ...) { MODE(flags) return open_watched(folder, name, flags, mode); }
int openat64(int folder, const char *name, int flags, ...) { MODE(flags) return open_watched(folder, name, flags | O_LARGEFILE, mode); }
int creat(const char *name, mode_t mode) { return open_watched(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *name, mode_t mode) { return creat(name, mode); }

ssize_t write(int file, const void *data, size_t length) {
    char path[PATH_MAX];
    if (!opened(file, path)) return syscall(SYS_write, file, data, length);
    int doomed = counted();
    if (doomed && how == 1) { syscall(SYS_write, file, data, length / 2); die(); }
    ssize_t written = syscall(SYS_write, file, data, length);
    if (written > 0) note(WRITE, path, NULL, 0, inode(file), lseek(file, 0, SEEK_CUR) - written, data, written);
    if (doomed) die();
    return written;
}

static ssize_t written_at(int file, const void *data, size_t length, off_t offset) {
    char path[PATH_MAX];
    if (!opened(file, path)) return syscall(SYS_pwrite64, file, data, length, offset);
    int doomed = counted();
    if (doomed && how == 1) { syscall(SYS_pwrite64, file, data, length / 2, offset); die(); }
    ssize_t written = syscall(SYS_pwrite64, file, data, length, offset);
    if (written > 0) note(WRITE, path, NULL, 0, inode(file), offset, data, written);
    if (doomed) die();
    return written;
}

ssize_t pwrite(int file, const void *data, size_t length, off_t offset) { return written_at(file, data, length, offset); }
ssize_t pwrite64(int file, const void *data, size_t length, off64_t offset) { return written_at(file, data, length, offset); }

/* Copying within the kernel is refused, so that programs copy by writing. */
ssize_t sendfile(int to, int from, off_t *offset, size_t length) {
    char path[PATH_MAX];
    if (opened(to, path)) { errno = ENOTSOCK; return -1; }
    return syscall(SYS_sendfile, to, from, offset, length);
}
ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) { return sendfile(to, from, offset, length); }

static int synced(long call, int file) {
    char path[PATH_MAX];
    if (!opened(file, path)) return syscall(call, file);
    int doomed = counted();
    int result = syscall(call, file);
    if (!result) note(SYNC, path, NULL, 0, inode(file), 0, NULL, 0);
    if (doomed) die();
    return result;
}

int fsync(int file) { return synced(SYS_fsync, file); }
int fdatasync(int file) { return synced(SYS_fdatasync, file); }

static int cut(int file, off_t size) {
    char path[PATH_MAX];
    if (!opened(file, path)) return syscall(SYS_ftruncate, file, size);
    int doomed = counted();
    int result = syscall(SYS_ftruncate, file, size);
    if (!result) note(TRUNCATE, path, NULL, 0, inode(file), size, NULL, 0);
    if (doomed) die();
    return result;
}

int ftruncate(int file, off_t size) { return cut(file, size); }
int ftruncate64(int file, off64_t size) { return cut(file, size); }

static int cut_named(const char *name, off_t size) {
    int file = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    int result = cut(file, size), saved = errno;
    syscall(SYS_close, file);
    errno = saved;
    return result;
}

int truncate(const char *name, off_t size) { return cut_named(name, size); }
int truncate64(const char *name, off64_t size) { return cut_named(name, size); }

/* Space is never reserved ahead, so that a file grows by writes alone. */
int posix_fallocate(int file, off_t offset, off_t length) {
    char path[PATH_MAX];
    if (opened(file, path)) return EOPNOTSUPP;
    return syscall(SYS_fallocate, file, 0, offset, length) ? errno : 0;
}
int posix_fallocate64(int file, off64_t offset, off64_t length) { return posix_fallocate(file, offset, length); }

static int renamed(int folder, const char *old, int other_folder, const char *new) {
    char from[PATH_MAX], to[PATH_MAX];
    int leaves = named(folder, old, from), arrives = named(other_folder, new, to);
    if (!leaves && !arrives) return syscall(SYS_renameat, folder, old, other_folder, new);
    int doomed = counted();
    int result = syscall(SYS_renameat, folder, old, other_folder, new);
    if (!result) note(RENAME, from, to, 0, 0, 0, NULL, 0);
    if (doomed) die();
    return result;
}

int rename(const char *old, const char *new) { return renamed(AT_FDCWD, old, AT_FDCWD, new); }
int renameat(int folder, const char *old, int other, const char *new) { return renamed(folder, old, other, new); }

static int removed(int folder, const char *name, int flags) {
    char path[PATH_MAX];
    if (!named(folder, name, path)) return syscall(SYS_unlinkat, folder, name, flags);
    int doomed = counted();
    int result = syscall(SYS_unlinkat, folder, name, flags);
    if (!result) note(flags & AT_REMOVEDIR ? RMDIR : UNLINK, path, NULL, 0, 0, 0, NULL, 0);
    if (doomed) die();
    return result;
}

int unlink(const char *name) { return removed(AT_FDCWD, name, 0); }
int unlinkat(int folder, const char *name, int flags) { return removed(folder, name, flags); }
int rmdir(const char *name) { return removed(AT_FDCWD, name, AT_REMOVEDIR); }

static int linked(int folder, const char *old, int other_folder, const char *new, int flags) {
    char from[PATH_MAX], to[PATH_MAX];
    named(folder, old, from);
    if (!named(other_folder, new, to)) return syscall(SYS_linkat, folder, old, other_folder, new, flags);
    int doomed = counted();
    int result = syscall(SYS_linkat, folder, old, other_folder, new, flags);
    if (!result) note(LINK, from, to, 0, 0, 0, NULL, 0);
    if (doomed) die();
    return result;
}

int link(const char *old, const char *new) { return linked(AT_FDCWD, old, AT_FDCWD, new, 0); }
int linkat(int folder, const char *old, int other, const char *new, int flags) { return linked(folder, old, other, new, flags); }

static int made(int folder, const char *name, mode_t mode) {
    char path[PATH_MAX];
    if (!named(folder, name, path)) return syscall(SYS_mkdirat, folder, name, mode);
    int doomed = counted();
    int result = syscall(SYS_mkdirat, folder, name, mode);
    if (!result) note(MKDIR, path, NULL, 0, 0, 0, NULL, 0);
    if (doomed) die();
    return result;
}

int mkdir(const char *name, mode_t mode) { return made(AT_FDCWD, name, mode); }
int mkdirat(int folder, const char *name, mode_t mode) { return made(folder, name, mode); }

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = syscall(SYS_clock_gettime, clock, now);
    if (!result && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += clock_offset;
    return result;
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact)) return -1;
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *to) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (to) *to = now.tv_sec;
    return now.tv_sec;
}
