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
 * The directory with the logs of a cluster, one folder for each node.
 *
 * @param isTemporary created here and removed by {@link #release}; otherwise it belongs to the caller and is kept
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

    /**
     * Creates a directory with access for its owner only, where the file system has owners and the directory does not exist.
     *
     * @return its absolute path
     */
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

    /** {@return the prefix of this process's temporary directories, which shows the origin of leftovers} */
    static String temporaryPrefix() {
        return "baton-kafka-" + ProcessHandle.current().pid() + "-";
    }

    /** {@return the authority of the brokers' certificate, if they have one} */
    Optional<Path> authority(EmbeddedKafkaOptions options) {
        return options.security().map(any -> BrokerCertificate.authorityIn(path));
    }

    Path ofNode(int node) {
        return path.resolve("node-" + node);
    }

    /** {@return the identity with which the nodes here were formatted; a new one where there are none} */
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

    /** Removes a temporary directory with its content; the broker may still be deleting files in it. */
    void release() {
        if (isTemporary) {
            remove(path);
        }
    }

    /** Removes a directory. An attempt fails when another process deletes a file meanwhile; the next one continues. */
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
