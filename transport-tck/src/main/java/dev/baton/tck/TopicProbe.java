package dev.baton.tck;

import dev.baton.spi.Connection;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;
import dev.baton.spi.errors.TransportException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A topic with its connection in a test: it writes and reads texts, and opens its writer and its reader on first use. Confined to the
 * thread of its connection.
 */
public final class TopicProbe {
    /** The name of the consumer of {@link #reader()}. */
    public static final String CONSUMER = "tck";

    private static final int READ_LIMIT = 16;

    private final String name;
    private final Connection connection;
    private final Turns turns;
    private TopicWriter writer;
    private TopicReader reader;

    /** Probes a topic that exists. */
    public TopicProbe(String name, Connection connection, Turns turns) {
        this.name = name;
        this.connection = connection;
        this.turns = turns;
    }

    /** Returns the name of the topic. */
    public String name() {
        return name;
    }

    /** Returns the writer of the topic, which is opened by the first call. */
    public TopicWriter writer() {
        if (writer == null) {
            writer = connection.openWriter(name);
        }
        return writer;
    }

    /** Returns the reader of consumer {@value #CONSUMER}, which is opened by the first call. */
    public TopicReader reader() {
        if (reader == null) {
            reader = connection.openReader(name, CONSUMER);
        }
        return reader;
    }

    /** Commits the texts without a flush, awaiting room for each. */
    public void commit(String... texts) {
        for (String text : texts) {
            byte[] payload = text.getBytes(StandardCharsets.UTF_8);
            commit(payload, 0, 0, 0L, 0L, 0L);
        }
    }

    /** Commits one frame without a flush, awaiting room for it. */
    public long commit(byte[] payload, int hops, int type, long cause, long originNanos, long sentNanos) {
        Frame frame = claim(payload.length);
        frame.putBytes(0, payload, 0, payload.length);
        frame.stamp(hops, type, cause, originNanos, sentNanos);
        return writer().commit(payload.length);
    }

    /**
     * Claims, awaiting room.
     *
     * @throws TransportException when there is no room as the writer has ended
     */
    public Frame claim(int maxLength) {
        turns.until(
                "room on " + name,
                "a writer has room once its frames are stored, and read and acknowledged by every consumer"
                        + " (TopicWriter.capacity)",
                () -> "the newest frame is " + writer().sequence() + ", the newest stored one "
                        + writer().storedSequence() + ", of " + writer().capacity() + " there is room for "
                        + writer().remainingCapacity(),
                () -> {
                    if (writer().remainingCapacity() > 0) {
                        return true;
                    }
                    requireWorking();
                    return false;
                });
        Frame frame = writer().claim(maxLength);
        if (frame == null) {
            throw new AssertionError("claim refused though remainingCapacity() answered "
                    + writer().remainingCapacity()
                    + "; rule: as many claims succeed as it promises (TopicWriter.remainingCapacity)");
        }
        return frame;
    }

    /** Writes the texts as one batch. */
    public void write(String... texts) {
        commit(texts);
        writer().flush();
    }

    /**
     * Takes turns until the transport has stored every written frame.
     *
     * @throws TransportException when the writer has ended
     */
    public void awaitStored() {
        turns.until(
                "stored frames on " + name,
                "a flushed frame is stored in the end, or its loss is reported (TopicWriter.storedSequence)",
                () -> "the newest frame is " + writer().sequence() + ", the newest stored one "
                        + writer().storedSequence(),
                () -> {
                    requireWorking();
                    return writer().storedSequence() == writer().sequence();
                });
    }

    /** Throws the failure of the writer, if it has ended. */
    public void requireWorking() {
        TransportException ended = writer().failure();
        if (ended != null) {
            throw ended;
        }
    }

    /** Reads exactly this number of frames, without acknowledging them. */
    public Recorder read(int count) {
        return read(reader(), count);
    }

    /** Reads exactly this number of frames from a reader of this connection. */
    public Recorder read(TopicReader from, int count) {
        Recorder recorder = new Recorder();
        turns.until(
                count + " frames on " + name,
                "every consumer gets each flushed frame that it has not acknowledged, or an exception that says why"
                        + " not (TopicReader.poll)",
                () -> "came: " + recorder,
                () -> {
                    from.poll(recorder, Math.max(1, Math.min(READ_LIMIT, count - recorder.count())));
                    return recorder.count() >= count;
                });
        return recorder;
    }

    /** Reads exactly this number of texts and acknowledges the last. */
    public List<String> take(int count) {
        Recorder recorder = read(count);
        reader().acknowledge(recorder.lastPosition());
        return recorder.texts();
    }
}
