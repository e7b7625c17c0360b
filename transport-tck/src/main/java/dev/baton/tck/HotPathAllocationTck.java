package dev.baton.tck;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.tck.harness.AllocationMeter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The contract on allocation: the path of a frame from claim to acknowledge allocates nothing once warm, as {@link AllocationMeter} defines
 * it.
 */
public abstract class HotPathAllocationTck extends TransportTck {
    private static final int BATCH = 4;

    /** Called by the test of a transport. */
    protected HotPathAllocationTck() {}

    @Test
    void nothingIsAllocatedPerMessage() {
        assumeTrue(fixture().allocatesNothing(), "this transport does not claim it");
        TopicProbe topic = openTopic();

        AllocationMeter.assertNothingAllocated(
                new Path(connection(), topic.writer(), topic.reader(), fixture().longestWait())::carry, 1);
    }

    /** Carries one frame after the other through a topic, on one thread. */
    private static final class Path implements FrameHandler {
        private final Connection connection;
        private final TopicWriter writer;
        private final TopicReader reader;
        private final long limitNanos;
        private long position;
        private long sum;

        Path(Connection connection, TopicWriter writer, TopicReader reader, Duration limit) {
            this.limitNanos = limit.toNanos();
            this.connection = connection;
            this.writer = writer;
            this.reader = reader;
        }

        void carry(int messages) {
            int sent = 0;
            int received = 0;
            long progressNanos = System.nanoTime();
            while (received < messages) {
                for (int i = 0; i < BATCH && sent < messages && writer.remainingCapacity() > 0; i++) {
                    Frame frame = writer.claim(Long.BYTES);
                    if (frame == null) {
                        throw new AssertionError("claim refused within the promised room");
                    }
                    frame.putLong(0, sent);
                    frame.stamp(1, 2, sent, 3, 4);
                    writer.commit(Long.BYTES);
                    sent++;
                }
                writer.flush();
                connection.doWork();
                int consumed = reader.poll(this, BATCH);
                if (consumed > 0) {
                    reader.acknowledge(position);
                    received += consumed;
                    progressNanos = System.nanoTime();
                } else if (System.nanoTime() - progressNanos > limitNanos) {
                    throw new AssertionError("sent " + sent + " frames, received " + received + ", and then none for "
                            + limitNanos / 1_000_000 + " ms");
                }
            }
        }

        @Override
        public Verdict onFrame(Frame frame, long position) {
            this.position = position;
            sum += frame.getLong(0) + frame.sequence();
            return Verdict.DONE;
        }
    }
}
