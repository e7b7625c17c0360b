package dev.baton.chronicle;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import net.openhft.posix.PosixAPI;
import net.openhft.posix.WhenceFlag;

/**
 * What the files below a directory take of its file system, which Java cannot say: their data without the holes that nothing
 * was written to, or that were freed. Space that is reserved and not written to does not count. Where a file system cannot
 * tell, a file counts with its length. Used on one thread.
 */
final class TakenSpace extends SimpleFileVisitor<Path> {
    private static final int READ_ONLY = 0; // O_RDONLY of open(2)

    private final PosixAPI posix = posix(); // null: there is none
    private long bytes;

    private TakenSpace() {}

    /** Bytes of all files below a directory; those that vanish meanwhile are left out. */
    static long below(Path directory) throws IOException {
        TakenSpace taken = new TakenSpace();
        Files.walkFileTree(directory, taken);
        return taken.bytes;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (attributes.isRegularFile()) {
            bytes += dataOf(file, attributes.size());
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException gone) {
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException gone) {
        return FileVisitResult.CONTINUE;
    }

    private static PosixAPI posix() {
        try {
            return PosixAPI.posix();
        } catch (RuntimeException | LinkageError none) {
            return null;
        }
    }

    private long dataOf(Path file, long length) {
        if (posix == null) {
            return length;
        }
        int descriptor = posix.open(file.toString(), READ_ONLY, 0);
        if (descriptor < 0) {
            return 0;
        }
        try {
            if (posix.lseek(descriptor, 0, WhenceFlag.SEEK_HOLE) < 0) {
                return length;
            }
            long data = 0;
            long from = posix.lseek(descriptor, 0, WhenceFlag.SEEK_DATA);
            while (from >= 0 && from < length) {
                long to = posix.lseek(descriptor, from, WhenceFlag.SEEK_HOLE);
                if (to <= from) {
                    break; // it was cut off meanwhile
                }
                data += to - from;
                from = posix.lseek(descriptor, to, WhenceFlag.SEEK_DATA);
            }
            return data;
        } finally {
            posix.close(descriptor);
        }
    }
}
