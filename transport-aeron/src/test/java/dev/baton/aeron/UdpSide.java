package dev.baton.aeron;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler.Verdict;
import dev.baton.spi.Opening;
import dev.baton.spi.StartPosition;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One process of a topic over UDP in tests: a transport and a connection. Its frames contain their sequence. As a program it reads or
 * writes until it has all frames. Confined to one thread.
 */
final class UdpSide implements AutoCloseable {
    static final String TOPIC = "orders";
    static final String CONSUMER = "c";
    static final String READY = "ready";

    private static final long PAUSE_NANOS = 100_000;
    private static final long LIMIT_NANOS = 30_000_000_000L;

    private final UdpTransport transport;
    final Connection connection;

    /** Opens the transport and creates the topic. */
    UdpSide(UdpOptions options) {
        transport = UdpTransport.open(options);
        try {
            transport.createTopics(List.of(TOPIC));
            connection = transport.connect();
        } catch (RuntimeException failed) {
            transport.close();
            throw failed;
        }
    }

    UdpTransport transport() {
        return transport;
    }

    TopicWriter writer() {
        return connection.openWriter(TOPIC);
    }

    TopicReader reader() {
        return connection.openReader(TOPIC, CONSUMER, StartPosition.stored());
    }

    /** Opens a reader of another process while this one, which writes, has its turns. */
    TopicReader admit(UdpSide reading, String consumer, StartPosition from) {
        Opening<TopicReader> opening = reading.connection.beginReader(TOPIC, consumer, from);
        CompletableFuture<Void> prepared = CompletableFuture.runAsync(opening::prepare);
        await("an answer to the open", prepared::isDone, reading);
        try {
            prepared.join();
        } catch (CompletionException refused) {
            throw (RuntimeException) refused.getCause();
        }
        return opening.finish();
    }

    /** Opens the reader of another process at the position of its consumer. */
    TopicReader admit(UdpSide reading) {
        return admit(reading, CONSUMER, StartPosition.stored());
    }

    /** Writes a frame in a batch of its own, if there is room. */
    static boolean offer(TopicWriter writer) {
        Frame frame = writer.claim(Long.BYTES);
        if (frame == null) {
            return false;
        }
        frame.stamp(0, 0, 0, 0, 0);
        frame.putLong(0, writer.sequence() + 1);
        writer.commit(Long.BYTES);
        writer.flush();
        return true;
    }

    /** Writes frames, each when there is room, while other sides have their turns. */
    void write(TopicWriter writer, int count, UdpSide... others) {
        for (int i = 0; i < count; i++) {
            await("room for " + (writer.sequence() + 1), () -> offer(writer), others);
        }
    }

    /** Polls frames up to a sequence, while other sides have their turns, and acknowledges each batch. */
    List<Long> read(TopicReader reader, long last, UdpSide... others) {
        List<Long> sequences = new ArrayList<>();
        await(
                "frame " + last,
                () -> {
                    poll(reader, sequences);
                    return !sequences.isEmpty() && sequences.get(sequences.size() - 1) >= last;
                },
                others);
        return sequences;
    }

    /** Polls what has arrived, and acknowledges it. */
    static void poll(TopicReader reader, List<Long> sequences) {
        int before = sequences.size();
        reader.poll(
                (frame, position) -> {
                    if (frame.getLong(0) != frame.sequence()) {
                        throw new AssertionError("frame " + frame.sequence() + " contains " + frame.getLong(0));
                    }
                    sequences.add(frame.sequence());
                    return Verdict.DONE;
                },
                64);
        if (sequences.size() > before) {
            reader.acknowledge(sequences.get(sequences.size() - 1));
        }
    }

    /** Takes turns until a condition holds. */
    void await(String what, BooleanSupplier condition, UdpSide... others) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            connection.doWork();
            for (UdpSide each : others) {
                each.connection.doWork();
            }
            if (System.nanoTime() - begun > LIMIT_NANOS) {
                throw new AssertionError("waited for " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Awaits the failure of a reader. */
    TransportException failure(TopicReader reader, UdpSide... others) {
        await("the failure of the reader", () -> reader.failure() != null, others);
        return reader.failure();
    }

    @Override
    public void close() {
        connection.close();
        transport.close();
    }

    /**
     * Writes, or reads as a consumer, and prints the last sequence.
     *
     * @param arguments write or the name of the consumer, the number of frames, and options as {@code key=value}
     */
    public static void main(String[] arguments) {
        int count = Integer.parseInt(arguments[1]);
        Map<String, String> options = new TreeMap<>();
        for (int i = 2; i < arguments.length; i++) {
            String[] option = arguments[i].split("=", 2);
            options.put(option[0], option[1]);
        }
        try (UdpSide side = new UdpSide(UdpOptions.parse(options))) {
            if (arguments[0].equals("write")) {
                TopicWriter writer = side.writer();
                System.out.println(READY);
                side.write(writer, count);
                side.await("acknowledgements", () -> writer.slowestConsumer() == null);
                System.out.println(writer.sequence());
                long end = System.nanoTime() + LIMIT_NANOS; // the test ends it
                side.await("the end", () -> System.nanoTime() > end);
            } else {
                TopicReader reader = side.connection.openReader(TOPIC, arguments[0]);
                System.out.println(READY);
                List<Long> read = side.read(reader, count);
                long due = reader.found().acknowledged();
                for (long sequence : read) {
                    if (sequence != ++due) {
                        throw new AssertionError("frame " + sequence + " instead of " + due);
                    }
                }
                System.out.println(read.get(read.size() - 1));
                reader.close();
            }
        }
    }
}
