package dev.baton.chronicle.platform;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Path;

/** The storage device: forces a file or a directory to it. Tests have one that fails, or that loses its power. Thread-safe. */
@FunctionalInterface
public interface Device {
    /** The real one, by {@code fdatasync(2)}. */
    Device REAL = (path, channel) -> channel.force(false);

    /** None, where files only have to survive the process. */
    Device NONE = (path, channel) -> {};

    /**
     * Blocks until the device has all of a file, or the names in a directory.
     *
     * @throws IOException when it may not have it
     */
    void force(Path path, AsynchronousFileChannel channel) throws IOException;
}
