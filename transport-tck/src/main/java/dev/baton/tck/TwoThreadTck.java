package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.FrameHandler;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.tck.harness.OtherThread;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract on two threads: a writer on one and a reader on the other have the same frames, in seeded bursts of any size. */
public abstract class TwoThreadTck extends TransportTck {
    private static final int LONGEST_BURST = 64;
    private static final int LONGEST_PAYLOAD = 48;

    /**
     * The first failure among the threads of a test. The others stop when there is one, so that none of them reports a time-out that the
     * failure has caused. Thread-safe.
     */
    private static final class FirstFailure {
        private final AtomicReference<Throwable> first = new AtomicReference<>();

        /** Runs a thread's part of the test, and returns -1 if it failed. */
        long orResultOf(Callable<Long> part) {
            try {
                return part.call();
            } catch (Exception | Error failed) {
                if (!first.compareAndSet(null, failed)) {
                    first.get().addSuppressed(failed);
                }
                return -1;
            }
        }

        boolean isThere() {
            return first.get() != null;
        }

        /** Throws the first failure, if there is one. */
        void rethrow() throws Exception {
            if (first.get() instanceof Error error) {
                throw error;
            }
            if (first.get() != null) {
                throw (Exception) first.get();
            }
        }
    }

    /** Called by the test of a transport. */
    protected TwoThreadTck() {}

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void framesCrossThreadsInOrderAndUnaltered(long seed) throws Exception {
        int frames = fixture().manyFrames();
        String topic = newTopic().name();
        FirstFailure failure = new FirstFailure();
        FutureTask<Long> reading = OtherThread.start(
                "tck-reader", () -> failure.orResultOf(() -> read(topic, frames, new Random(~seed), failure)));
        FutureTask<Long> writing = OtherThread.start(
                "tck-writer", () -> failure.orResultOf(() -> write(topic, frames, new Random(seed), failure)));

        long written = OtherThread.outcome(writing);
        long read = OtherThread.outcome(reading);
        failure.rethrow();
        assertThat(written).as("frames written").isEqualTo(frames);
        assertThat(read).as("frames read").isEqualTo(frames);
    }

    private long write(String topic, int frames, Random random, FirstFailure failure) {
        try (Connection mine = transport().connect()) {
            TopicWriter writer = mine.openWriter(topic);
            Turns turns = new Turns(fixture().longestWait(), mine);
            byte[] payload = new byte[longestPayload()];
            while (writer.sequence() < frames) {
                turns.until(
                        "room",
                        "a writer has room once its frames are stored, and read and acknowledged by every consumer (TopicWriter.capacity)",
                        () -> failure.isThere() || writer.remainingCapacity() > 0);
                if (failure.isThere()) {
                    return writer.sequence();
                }
                long burst = Math.min(
                        Math.min(1 + random.nextInt(LONGEST_BURST), writer.remainingCapacity()),
                        frames - writer.sequence());
                for (long i = 0; i < burst; i++) {
                    writeOne(writer, payload);
                }
                writer.flush();
                mine.doWork();
            }
            turns.until(
                    "all stored",
                    "a flushed frame is stored in the end, or its loss is reported (TopicWriter.storedSequence)",
                    () -> failure.isThere() || writer.storedSequence() == frames);
            return writer.storedSequence();
        }
    }

    private static void writeOne(TopicWriter writer, byte[] payload) {
        long sequence = writer.sequence() + 1;
        int length = fill(payload, sequence);
        Frame frame = writer.claim(payload.length);
        if (frame == null) {
            throw new AssertionError("claim refused within the promised room");
        }
        frame.putBytes(0, payload, 0, length);
        frame.stamp((int) (sequence & 0xFFFF), (int) sequence, sequence - 1, sequence + 1, sequence + 2);
        writer.commit(length);
    }

    private long read(String topic, int frames, Random random, FirstFailure failure) {
        try (Connection mine = transport().connect()) {
            TopicReader reader = mine.openReader(topic, "reader");
            Turns turns = new Turns(fixture().longestWait(), mine);
            Checker checker = new Checker(new byte[longestPayload()]);
            while (checker.sequence < frames) {
                turns.until(
                        "frames after " + checker.sequence,
                        "every consumer gets each flushed frame (TopicReader.poll)",
                        () -> {
                            int consumed = reader.poll(checker, 1 + random.nextInt(LONGEST_BURST));
                            return consumed > 0 || failure.isThere();
                        });
                if (failure.isThere()) {
                    break;
                }
                reader.acknowledge(checker.position);
            }
            return checker.sequence;
        }
    }

    private int longestPayload() {
        return Math.min(LONGEST_PAYLOAD, transport().maxPayload());
    }

    /** Fills the payload of a sequence, whose length and bytes follow from the number, and returns the length. */
    private static int fill(byte[] payload, long sequence) {
        int length = (int) (sequence * 31 % (payload.length + 1));
        for (int i = 0; i < length; i++) {
            payload[i] = (byte) (sequence + i * 7);
        }
        return length;
    }

    private static final class Checker implements FrameHandler {
        private final byte[] expected;
        private long sequence;
        private long position;

        Checker(byte[] expected) {
            this.expected = expected;
        }

        @Override
        public Verdict onFrame(Frame frame, long position) {
            long next = sequence + 1;
            int length = fill(expected, next);
            boolean same = frame.validate() == null
                    && frame.sequence() == next
                    && frame.length() == length
                    && frame.cause() == next - 1
                    && frame.type() == (int) next
                    && frame.sentNanos() == next + 2;
            for (int i = 0; same && i < length; i++) {
                same = frame.getByte(i) == expected[i];
            }
            if (!same) {
                throw new AssertionError("expected frame " + next + " unaltered, met " + frame.sequence());
            }
            sequence = next;
            this.position = position;
            return Verdict.DONE;
        }
    }
}
