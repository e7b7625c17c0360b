package dev.baton.kafka.embedded;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Utils;

/**
 * Where the logs of a cluster lie, one folder for each node.
 *
 * @param isTemporary made here and removed by {@link #release}; otherwise the caller's, and kept
 */
record WorkDirectory(Path path, boolean isTemporary) {
    private static final int REMOVAL_ATTEMPTS = 10;

    static WorkDirectory of(Optional<Path> given) {
        try {
            return given.isPresent()
                    ? new WorkDirectory(made(given.get()), false)
                    : new WorkDirectory(Files.createTempDirectory(temporaryPrefix()), true);
        } catch (IOException failure) {
            throw new UncheckedIOException("no directory for the broker's logs", failure);
        }
    }

    /** For its owner alone, where the file system knows owners and the directory is not there yet. Absolute. */
    private static Path made(Path given) throws IOException {
        Path wanted = given.toAbsolutePath();
        if (Files.isDirectory(wanted)) {
            return wanted;
        }
        Files.createDirectories(wanted.getParent());
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

    /** What somebody else deletes in there meanwhile makes an attempt fail; the next one goes on. */
    static void remove(Path directory) {
        for (int attempt = 1; Files.exists(directory); attempt++) {
            try {
                Utils.delete(directory.toFile());
            } catch (IOException failure) {
                if (attempt == REMOVAL_ATTEMPTS) {
                    throw new UncheckedIOException(directory + " could not be removed", failure);
                }
            }
        }
    }
}
