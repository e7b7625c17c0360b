package dev.baton.lab.engines;

import dev.baton.spi.errors.TransportException;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.MappedBytes;

/**
 * The sync behind each excerpt of one appender, by {@code fdatasync(2)} of its file, as Baton's writer has one behind each flush
 * with {@code durability=host}; nothing with {@code durability=process}. A file is opened once, with the first excerpt in it.
 * Confined to the appender's thread.
 */
public final class ExcerptSync implements AutoCloseable {
    private final boolean isHost;
    private File file; // null before the first excerpt
    private FileChannel channel;

    ExcerptSync(boolean isHost) {
        this.isHost = isHost;
    }

    /** Notes the file of an excerpt. Called while its document is open. */
    public void in(Bytes<?> document) {
        if (isHost && document instanceof MappedBytes mapped) {
            File next = mapped.mappedFile().file();
            if (!next.equals(file)) {
                open(next);
            }
        }
    }

    private void open(File next) {
        close();
        try {
            channel = FileChannel.open(next.toPath(), StandardOpenOption.READ);
            file = next;
        } catch (IOException failed) {
            throw new TransportException("cannot open " + next + " to sync it: " + failed.getMessage(), failed);
        }
    }

    /** Blocks until the storage device has the excerpt. Called when its document is closed. */
    public void sync() {
        if (isHost) {
            try {
                channel.force(false);
            } catch (IOException failed) {
                throw new TransportException("cannot sync " + file + ": " + failed.getMessage(), failed);
            }
        }
    }

    @Override
    public void close() {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException failed) {
                throw new TransportException("cannot close " + file + ": " + failed.getMessage(), failed);
            }
        }
    }
}
