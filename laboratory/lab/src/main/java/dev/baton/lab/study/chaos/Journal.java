package dev.baton.lab.study.chaos;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The receiver's file of {@linkplain Arrival arrivals}: each is written before it is consumed, in one call, so that it
 * survives the process. Rivals append to the same file. Confined to one thread.
 */
final class Journal implements AutoCloseable {
    private final FileChannel channel;
    private final ByteBuffer record = ByteBuffer.allocateDirect(Arrival.BYTES);

    private Journal(FileChannel channel) {
        this.channel = channel;
    }

    /** Opens it behind what it holds; half a record at its end is cut off. */
    static Journal at(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        try {
            long whole = channel.size() / Arrival.BYTES * Arrival.BYTES;
            if (channel.size() > whole) {
                channel.truncate(whole);
            }
            return new Journal(channel);
        } catch (IOException failed) {
            channel.close();
            throw failed;
        }
    }

    void add(Arrival arrival) throws IOException {
        record.clear();
        arrival.write(record);
        record.flip();
        while (record.hasRemaining()) {
            channel.write(record);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
