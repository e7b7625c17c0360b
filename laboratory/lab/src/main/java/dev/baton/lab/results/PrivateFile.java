package dev.baton.lab.results;

import dev.baton.operations.line.Checks;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that appear completely or not at all, and that only their owner may read: written to a temporary file, then renamed. */
public final class PrivateFile {
    private PrivateFile() {}

    /** Text, such as a table for other programs. */
    public static void write(Path file, String text) throws IOException {
        Path whole = file.toAbsolutePath();
        Path part = createBeside(whole);
        try {
            Files.writeString(part, text);
            publish(part, whole);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** A directory, whose parent exists, that only its owner may read, where the file system has owners. */
    public static Path createDirectory(Path directory) throws IOException {
        return Files.createDirectory(directory, ownerOnly("rwx------"));
    }

    /**
     * An empty file in the same directory, for {@link #publish}.
     *
     * @throws FileSystemException when there is something else than a file in its place, such as a device, which the one
     *     that publishes would take from all other processes
     */
    static Path createBeside(Path file) throws IOException {
        String obstacle = obstacle(file);
        if (obstacle != null) {
            throw new FileSystemException(file.toString(), null, obstacle);
        }
        return Files.createTempFile(
                file.toAbsolutePath().getParent(), "." + file.getFileName(), ".part", ownerOnly("rw-------"));
    }

    /** Returns why such a file cannot be written, as far as that is known beforehand; null when it can. */
    private static String obstacle(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (isSomethingElse(file)) {
            return "it is not a regular file; name another one";
        }
        if (!Files.isDirectory(folder)) {
            return "there is no folder " + folder + "; make it, or name another file";
        }
        return Files.isWritable(folder) ? null : "folder " + folder + " cannot be written to; name another file";
    }

    /** Checks before minutes of measurements that the file of an option can be written; null for no file. */
    public static void require(String option, Path file) {
        String obstacle = file == null ? null : obstacle(file);
        Checks.require(obstacle == null, option + " " + file + ": " + obstacle);
    }

    /** {@return whether a path is no file: a directory, a device, or a link that leads to no file} */
    public static boolean isSomethingElse(Path file) {
        return Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file);
    }

    /** Gives a part its name, atomically where the file system can. */
    static void publish(Path part, Path file) throws IOException {
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static FileAttribute<?>[] ownerOnly(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
