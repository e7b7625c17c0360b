package dev.baton.aeron.driver;

import dev.baton.aeron.AeronOptions;
import dev.baton.spi.errors.TransportException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.IoUtil;

/** The directories of embedded media drivers, named after their processes. Stateless, thread-safe. */
public final class DriverDirectory {
    private static final String PREFIX = "baton-aeron-";
    private static final AtomicInteger STARTED = new AtomicInteger();

    private DriverDirectory() {}

    /**
     * Returns a directory for another driver of this process, which does not exist yet, and removes those of processes that have
     * ended.
     *
     * @throws TransportException when the parent cannot be read and written
     */
    public static Path next(Path parent) {
        removeLeftOvers(parent);
        return parent.resolve(PREFIX + ProcessHandle.current().pid() + "-" + STARTED.incrementAndGet());
    }

    private static void removeLeftOvers(Path parent) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path each : all) {
                String pid =
                        each.getFileName().toString().substring(PREFIX.length()).split("-", 2)[0];
                if (pid.matches("[0-9]{1,18}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty()) {
                    IoUtil.delete(each.toFile(), true);
                }
            }
        } catch (IOException failed) {
            throw new TransportException(
                    AeronOptions.DIRECTORY + "=" + parent + " is not a readable and writable directory; create it,"
                            + " or name another one, best in memory",
                    failed);
        }
    }
}
