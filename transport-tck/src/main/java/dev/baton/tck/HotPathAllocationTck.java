package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/**
 * The way of a frame from claim to acknowledge allocates nothing once warm.
 *
 * <p>The thread's own allocation counter is read around rounds of messages. The best round counts: what allocates per
 * message shows in every round, what the JVM itself does now and then does not.
 */
public abstract class HotPathAllocationTck extends TransportTck {
    private static final int WARM_UP_MESSAGES = 60_000;
    private static final int ROUND_MESSAGES = 20_000;
    private static final int ROUNDS = 5;
    private static final int BATCH = 4;

    /** One small object per round: under a twentieth of a byte per message. */
    private static final long MOST_BYTES_PER_ROUND = 1_000;

    /** For transports. */
    protected HotPathAllocationTck() {}

    @Test
    void nothingIsAllocatedPerMessage() {
        assumeTrue(fixture().allocatesNothing(), "this transport does not claim it");
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        assumeTrue(threads.isThreadAllocatedMemorySupported() && threads.isThreadAllocatedMemoryEnabled());
        TopicProbe topic = openTopic();
        Path path = new Path(connection(), topic.writer(), topic.reader());
        path.carry(WARM_UP_MESSAGES);

        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            path.carry(ROUND_MESSAGES);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least)
                .as("bytes allocated for %d messages in the best of %d rounds", ROUND_MESSAGES, ROUNDS)
                .isLessThanOrEqualTo(MOST_BYTES_PER_ROUND);
    }

    /** One frame after the other through a topic, by the same thread. */
    private static final class Path implements FrameHandler {
        private final Connection connection;
        private final TopicWriter writer;
        private final TopicReader reader;
        private long position;
        private long sum;

        Path(Connection connection, TopicWriter writer, TopicReader reader) {
            this.connection = connection;
            this.writer = writer;
            this.reader = reader;
        }

        void carry(int messages) {
            int sent = 0;
            int received = 0;
            while (received < messages) {
                for (int i = 0; i < BATCH && sent < messages && writer.room() > 0; i++) {
                    Frame frame = writer.claim(Long.BYTES);
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
