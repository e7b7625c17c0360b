package dev.baton.aeron;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One topic of a transport of its own, with its writer and a reader. Confined to one thread. */
final class AeronEnds implements AutoCloseable {
    static final String TOPIC = "t";

    private static final long LIMIT_NANOS = 30_000_000_000L;
    private static final long PAUSE_NANOS = 100_000;

    final AeronTransport transport;
    final Connection connection;
    final TopicWriter writer;
    final TopicReader reader;

    AeronEnds(AeronOptions options) {
        transport = AeronTransport.open(options);
        transport.createTopics(List.of(TOPIC));
        connection = transport.connect();
        writer = connection.openWriter(TOPIC);
        reader = connection.openReader(TOPIC, "c");
    }

    /** Awaits something, without a turn. */
    static void until(String what, BooleanSupplier condition) {
        until(what, LIMIT_NANOS, condition);
    }

    /** Awaits something for a time at most, without a turn. */
    static void until(String what, long limitNanos, BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begun > limitNanos) {
                throw new AssertionError("waited for " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Takes turns for ever, or until one fails. */
    void turnUntilItFails() {
        until("its end", () -> {
            connection.doWork();
            return false;
        });
    }

    /** Writes and flushes a frame with a value, once there is room. */
    void write(long value) {
        until("room", () -> {
            connection.doWork();
            return writer.remainingCapacity(Long.BYTES) > 0;
        });
        Frame frame = writer.claim(Long.BYTES);
        frame.stamp(0, 0, 0, 0, 0);
        frame.putLong(0, value);
        writer.commit(Long.BYTES);
        writer.flush();
    }

    /** Reads and acknowledges what is there. */
    List<Long> read() {
        List<Long> values = new ArrayList<>();
        reader.poll(
                (frame, position) -> {
                    values.add(frame.getLong(0));
                    return Verdict.DONE;
                },
                Integer.MAX_VALUE);
        reader.acknowledge(reader.found().acknowledged() + readSoFar(values));
        return values;
    }

    private long readSoFar;

    private long readSoFar(List<Long> values) {
        readSoFar += values.size();
        return readSoFar;
    }

    @Override
    public void close() {
        connection.close();
        try {
            transport.deleteTopics(List.of(TOPIC));
        } catch (TransportException gone) {
            // with its media driver
        } finally {
            transport.close();
        }
    }
}
