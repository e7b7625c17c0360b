package dev.baton.lab.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Directories that only their owner may look into, where the file system knows owners. Stateless, thread-safe. */
final class PrivateDirectory {
    private PrivateDirectory() {}

    /** Makes one whose parent exists. */
    static Path create(Path directory) throws IOException {
        return directory.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
                : Files.createDirectory(directory);
    }
}
