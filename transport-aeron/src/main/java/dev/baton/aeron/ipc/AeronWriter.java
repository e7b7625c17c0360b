package dev.baton.aeron.ipc;

import dev.baton.aeron.log.BatchWriter;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.log.StagedBatch;
import dev.baton.spi.ConsumerLag;
import dev.baton.spi.Incarnation;
import dev.baton.spi.InputRef;
import dev.baton.spi.errors.TransportException;
import io.aeron.Publication;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * The writer of a topic's stream. A batch reserves room for the rest of a term in which its next frame does not fit. Confined to
 * the thread that opened it.
 */
final class AeronWriter extends BatchWriter {
    private static final int ATTEMPTS = 3; // a batch crosses the end of a term once
    private static final int STEPS_PER_WINDOW = 8; // the publication's limit moves in such steps

    private final IpcTopics topics;
    private final AeronTopic log;
    private final Consumer<AeronWriter> onClose;
    private final int window; // bytes that may be unread
    private final int step; // the publication's limit moves in such steps

    private long floorWhenRaised;

    private AeronWriter(IpcTopics topics, AeronTopic log, Incarnation incarnation, Consumer<AeronWriter> onClose) {
        super(
                log.name,
                log.publication,
                topics.maxPayload(),
                FragmentLayout.logBytes(topics.maxPayload()),
                capacity(log.window, FragmentLayout.logBytes(topics.maxPayload())),
                incarnation,
                log.published(),
                log.end());
        this.topics = topics;
        this.log = log;
        window = log.window;
        this.onClose = onClose;
        step = window / STEPS_PER_WINDOW;
    }

    /** Returns the number of frames of the longest payload that have room once all is read. */
    private static int capacity(int window, int longest) {
        return (window - 2 * (window / STEPS_PER_WINDOW) - longest) / longest;
    }

    /** Opens the one writer of a topic. */
    static AeronWriter open(IpcTopics topics, AeronTopic log, String topology, Consumer<AeronWriter> onClose) {
        Incarnation incarnation = log.openWriter(topology);
        return new AeronWriter(topics, log, incarnation, onClose);
    }

    @Override
    public long storedSequence() {
        return flushed();
    }

    @Override
    public ConsumerLag slowestConsumer() {
        check();
        return log.slowestConsumer();
    }

    @Override
    public void answers(InputRef input) {
        check();
        log.answers(sequence() + 1, input);
    }

    /** Returns whether the client is not lost, which is detected when there is no room, and in the turns of the connection. */
    @Override
    protected boolean isAlive() {
        return !topics.isLost();
    }

    @Override
    protected void closeLog() {
        log.closeWriter();
        onClose.accept(this);
    }

    /**
     * Returns the window of the publication. Its limit moves when the driver runs, as far as readers have acknowledged. One turn
     * of an embedded driver serves all topics, so that the limit may have moved since the last call.
     */
    @Override
    protected long availableBytes() {
        long available = log.publication.availableWindow();
        if (available == Publication.CLOSED) {
            throw refused(available);
        }
        long floor = log.heldFrom();
        if (available < window - 2 * step && floor - floorWhenRaised >= step) {
            if (log.driver.giveRoom(log)) {
                floorWhenRaised = floor;
            }
            available = log.publication.availableWindow();
        }
        return available;
    }

    @Override
    protected void publish(StagedBatch batch) {
        int end = batch.bytes();
        for (int from = 0; from < end; ) {
            int next = batch.endOfFragment(from, log.publication, Long.MAX_VALUE);
            write(batch.memory(), from, next - from);
            from = next;
        }
        log.published(
                sequence(),
                batch.memory(),
                batch.newest() + FragmentLayout.FRAME_OFFSET,
                batch.payload(batch.newest()));
    }

    private void write(ByteBuffer memory, int from, int length) {
        long result = Publication.ADMIN_ACTION;
        for (int i = 0; i < ATTEMPTS && result == Publication.ADMIN_ACTION; i++) {
            result = tryWrite(memory, from, length);
        }
        if (result < 0) {
            throw refused(result);
        }
    }

    private TransportException refused(long result) {
        return fail("topic '" + topic() + "' cannot be written: " + topics.refusal(refusal(result)));
    }
}
