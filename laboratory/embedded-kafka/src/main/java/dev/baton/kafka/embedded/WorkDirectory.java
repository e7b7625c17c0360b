package dev.baton.kafka.embedded;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.Uuid;

/**
 * Where the logs of a cluster lie, one folder for each node.
 *
 * @param path of the whole
 * @param isTemporary made here and removed by {@link #release}; otherwise the caller's, and kept
 */
record WorkDirectory(Path path, boolean isTemporary) {
    static WorkDirectory of(Optional<Path> given) {
        try {
            return given.isPresent()
                    ? new WorkDirectory(made(given.get()), false)
                    : new WorkDirectory(Files.createTempDirectory(temporaryPrefix()), true);
        } catch (IOException failure) {
            throw new UncheckedIOException("no directory for the broker's logs", failure);
        }
    }

    /** For its owner alone, where the file system knows owners and the directory is not there yet. */
    private static Path made(Path wanted) throws IOException {
        if (Files.isDirectory(wanted)) {
            return wanted;
        }
        Path parent = wanted.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        boolean hasOwners = wanted.getFileSystem().supportedFileAttributeViews().contains("posix");
        return hasOwners
                ? Files.createDirectory(
                        wanted, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
                : Files.createDirectory(wanted);
    }

    /** What the names of this process's temporary directories begin with, so that leftovers tell whose they are. */
    static String temporaryPrefix() {
        return "baton-kafka-" + ProcessHandle.current().pid() + "-";
    }

    /** Where the authority of the brokers' certificate is, if they have one. */
    Optional<Path> authority(EmbeddedKafkaOptions options) {
        return options.security().map(any -> BrokerCertificate.authorityIn(path));
    }

    Path ofNode(int node) {
        return path.resolve("node-" + node);
    }

    /** The identity that the nodes here were formatted with; a new one where there are none. */
    String clusterId() {
        Path identity = ofNode(0).resolve("meta.properties");
        if (!Files.exists(identity)) {
            return Uuid.randomUuid().toString();
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(identity)) {
            properties.load(reader);
        } catch (IOException failure) {
            throw new UncheckedIOException("the cluster's identity could not be read", failure);
        }
        return properties.getProperty("cluster.id");
    }

    /** Removes a temporary directory with all that is in it; the broker may still be deleting in there. */
    void release() {
        if (isTemporary) {
            remove(path);
        }
    }

    static void remove(Path directory) {
        try {
            Files.walkFileTree(directory, new Remover());
        } catch (NoSuchFileException gone) {
            // removed by somebody else meanwhile
        } catch (IOException failure) {
            throw new UncheckedIOException(directory + " could not be removed", failure);
        }
    }

    private static final class Remover extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, IOException failure) throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
