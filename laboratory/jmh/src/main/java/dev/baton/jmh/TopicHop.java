package dev.baton.jmh;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

/**
 * A hop through one topic of Baton's with both ends on one thread; a subclass opens the transport, and implements the hop with the library.
 */
public abstract class TopicHop extends NanosBenchmark implements FrameHandler {
    static final int MESSAGES = 16;

    /** The beginning of a frame: version 1, one hop, type 2. */
    static final long FIRST = 1 | 1L << 16 | 2L << 32;

    private static final String TOPIC = "hop";

    /** Messages written before they are read; each invocation carries 16 in all. */
    @Param({"1", "16"})
    public int batch;

    /** Bytes behind the header, a multiple of 8. */
    @Param("32")
    public int payload;

    private Transport transport;
    private Connection connection;
    private TopicWriter writer;
    private TopicReader reader;
    private long written;
    private long position;
    private long total;

    /**
     * Opens Baton's topic.
     *
     * @param over closed by {@link #closeBaton}
     */
    final void openBaton(Transport over) {
        transport = over;
        written = 0;
        total = 0;
        transport.createTopics(List.of(TOPIC));
        connection = transport.connect();
        writer = connection.openWriter(TOPIC);
        reader = connection.openReader(TOPIC, "reader");
    }

    final void closeBaton() {
        connection.close();
        transport.close();
    }

    /** Opens Baton's topic and the library's. */
    public abstract void open() throws Exception;

    /** Closes both. */
    public abstract void close() throws Exception;

    /** Carries these messages through the library's own calls, one for each message. @return a value that depends on everything read */
    public abstract long reference() throws Exception;

    /** Carries these messages through a hand-written loop that batches like Baton. @return a value that depends on everything read */
    public abstract long cooperative() throws Exception;

    /** Claim, commit, flush, poll, acknowledge. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long baton() {
        long read = 0;
        for (int done = 0; done < MESSAGES; done += batch) {
            read = carry();
        }
        return read;
    }

    /** Writes a batch, reads it, acknowledges it. @return a value that depends on everything read */
    private long carry() {
        for (int i = 0; i < batch; i++) {
            long value = ++written;
            Frame frame = writer.claim(payload);
            while (frame == null) { // a running media driver frees what was read
                connection.doWork();
                frame = writer.claim(payload);
            }
            frame.stamp(1, 2, value, value, value);
            for (int index = 0; index < payload; index += Long.BYTES) {
                frame.putLong(index, value);
            }
            writer.commit(payload);
        }
        writer.flush();
        connection.doWork();
        for (int read = 0; read < batch; ) {
            read += reader.poll(this, batch - read);
        }
        reader.acknowledge(position);
        return total;
    }

    @Override
    public Verdict onFrame(Frame frame, long place) {
        position = place;
        total += frame.servicesPassed()
                + frame.type()
                + frame.sequence()
                + frame.cause()
                + frame.originNanos()
                + frame.sentNanos();
        for (int index = 0; index < payload; index += Long.BYTES) {
            total += frame.getLong(index);
        }
        return Verdict.DONE;
    }
}
