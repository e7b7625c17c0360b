package dev.baton.aeron;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One topic of an Archive with a connection of its own: what tests and their child processes write and read. Confined to one thread. */
public final class ArchiveTopic implements AutoCloseable {
    static final String CONSUMER = "c";

    private static final long LIMIT_NANOS = 30_000_000_000L;
    private static final long PAUSE_NANOS = 100_000;

    public final String name;
    final ArchiveTransport transport;
    final Connection connection;

    private ArchiveTopic(String name, ArchiveTransport transport) {
        this.name = name;
        this.transport = transport;
        connection = transport.connect();
    }

    /** Of an Archive with these options; created unless it is there. */
    public static ArchiveTopic in(ArchiveOptions options, String name) {
        ArchiveTransport transport = ArchiveTransport.open(options);
        transport.createTopics(List.of(name));
        return new ArchiveTopic(name, transport);
    }

    public TopicWriter writer() {
        return connection.openWriter(name);
    }

    public TopicReader reader() {
        return connection.openReader(name, CONSUMER);
    }

    /** Takes turns until something is true. */
    public void until(String what, BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            connection.doWork();
            if (System.nanoTime() - begun > LIMIT_NANOS) {
                throw new AssertionError("waited for " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Writes frames of so many bytes in one batch, each with its sequence. */
    public void write(TopicWriter writer, int frames, int bytes) {
        for (int i = 0; i < frames; i++) {
            until("room", () -> writer.remainingCapacity() > 0);
            Frame frame = writer.claim(bytes);
            frame.stamp(0, 0, writer.sequence() + 1, 0, System.nanoTime());
            frame.putLong(0, writer.sequence() + 1);
            writer.commit(bytes);
        }
        writer.flush();
    }

    /** Writes frames of so many bytes in batches of ten, and awaits that they are stored. */
    public void store(TopicWriter writer, int frames, int bytes) {
        for (int i = 0; i < frames; i += 10) {
            write(writer, Math.min(10, frames - i), bytes);
        }
        awaitStored(writer);
    }

    public void awaitStored(TopicWriter writer) {
        until("stored frames", () -> writer.storedSequence() == writer.sequence());
    }

    /** Reads so many frames, and returns their sequences. */
    public List<Long> read(TopicReader reader, int count) {
        List<Long> sequences = new ArrayList<>();
        until(count + " frames", () -> {
            if (sequences.size() < count) {
                reader.poll(
                        (frame, position) -> {
                            if (frame.getLong(0) != frame.sequence()) {
                                throw new AssertionError("frame " + frame.sequence() + " has " + frame.getLong(0));
                            }
                            sequences.add(frame.sequence());
                            return Verdict.DONE;
                        },
                        count - sequences.size());
            }
            return sequences.size() == count;
        });
        return sequences;
    }

    @Override
    public void close() {
        connection.close();
        transport.close();
    }
}
