package dev.baton.jmh;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.Transport;
import java.util.List;

/** A topic of Baton's with both its ends on one thread, which opens and closes it. */
final class BatonHop implements FrameHandler, AutoCloseable {
    private static final String TOPIC = "hop";

    private final Transport transport;
    private final int payloadBytes;
    private final Connection connection;
    private final TopicWriter writer;
    private final TopicReader reader;
    private long number;
    private long position;
    private long sum;

    /** @param transport closed with this */
    BatonHop(Transport transport, int payloadBytes) {
        this.transport = transport;
        this.payloadBytes = payloadBytes;
        transport.createTopics(List.of(TOPIC));
        connection = transport.connect();
        writer = connection.openWriter(TOPIC);
        reader = connection.openReader(TOPIC, "reader");
    }

    /** Writes a batch, reads it, acknowledges it. @return something that depends on all that was read */
    long carry(int batch) {
        for (int i = 0; i < batch; i++) {
            long value = ++number;
            Frame frame = writer.claim(payloadBytes);
            frame.stamp(1, 2, value, value, value);
            for (int index = 0; index < payloadBytes; index += Long.BYTES) {
                frame.putLong(index, value);
            }
            writer.commit(payloadBytes);
        }
        writer.flush();
        connection.doWork();
        for (int read = 0; read < batch; ) {
            read += reader.poll(this, batch - read);
        }
        reader.acknowledge(position);
        return sum;
    }

    @Override
    public Verdict onFrame(Frame frame, long place) {
        position = place;
        sum += frame.servicesPassed()
                + frame.type()
                + frame.sequence()
                + frame.cause()
                + frame.originNanos()
                + frame.sentNanos();
        for (int index = 0; index < payloadBytes; index += Long.BYTES) {
            sum += frame.getLong(index);
        }
        return Verdict.DONE;
    }

    @Override
    public void close() {
        connection.close();
        transport.close();
    }
}
