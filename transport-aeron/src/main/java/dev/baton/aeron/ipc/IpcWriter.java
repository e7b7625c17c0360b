package dev.baton.aeron.ipc;

import dev.baton.aeron.log.BatchWriter;
import dev.baton.aeron.log.FragmentLayout;
import dev.baton.aeron.log.StagedBatch;
import dev.baton.aeron.log.StagingPool;
import dev.baton.spi.InputRef;
import dev.baton.spi.TopicWriter.ConsumerLag;
import dev.baton.spi.errors.TransportException;
import io.aeron.Publication;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * The writer of a topic's stream over IPC. A batch reserves room for the rest of a term in which its next frame does not fit.
 * Confined to the thread that opened it.
 */
final class IpcWriter extends BatchWriter {
    private static final int ATTEMPTS = 3; // a batch crosses the end of a term once
    private static final int STEPS_PER_WINDOW = 8; // the publication's limit moves in such steps

    private final IpcTopic log;
    private final Consumer<IpcWriter> onClose;
    private final int window; // bytes that may be unread
    private final int step; // the publication's limit moves in such steps

    private long givenTo; // log position up to which the log has given room
    private long nextLook; // log position at which a flush looks for room

    /** Continues a topic. */
    IpcWriter(IpcTopic log, IpcTopic.Place place, StagingPool pool, int maxPayload, Consumer<IpcWriter> onClose) {
        super(
                log.name,
                place.publication(),
                pool,
                maxPayload,
                FragmentLayout.logBytes(maxPayload),
                capacity(window(place), FragmentLayout.logBytes(maxPayload)),
                place.incarnation(),
                place.newest(),
                place.found());
        this.log = log;
        this.onClose = onClose;
        window = window(place);
        step = window / STEPS_PER_WINDOW;
        nextLook = log.driver.isAlone() ? Long.MAX_VALUE : 0;
    }

    private static int window(IpcTopic.Place place) {
        return TopicStream.window(place.publication().termBufferLength());
    }

    /** Returns the number of frames of the longest payload that have room once all is read. */
    private static int capacity(int window, int longest) {
        return (window - 2 * (window / STEPS_PER_WINDOW) - longest) / longest;
    }

    @Override
    public long storedSequence() {
        return flushed();
    }

    @Override
    public ConsumerLag slowestConsumer() {
        check();
        return log.state.slowest();
    }

    @Override
    public void answers(InputRef input) {
        check();
        log.answers(sequence() + 1, input);
    }

    @Override
    protected void onRewind() {
        log.rewound(sequence() + 1);
    }

    @Override
    protected boolean isAlive() {
        return !log.driver.isLost();
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
        long available = publication().availableWindow();
        if (available == Publication.CLOSED) {
            throw refused(available);
        }
        return giveRoom(available);
    }

    /** Returns the window, after giving the room that readers have acknowledged if that is worth a step. */
    private long giveRoom(long available) {
        if (available < window - 2 * step && log.heldFrom() - givenTo >= step) {
            givenTo = Math.max(givenTo, log.giveRoom());
            return publication().availableWindow();
        }
        return available;
    }

    /**
     * Gives room while some is left: the threads of a running driver, which may pause, move the limit later. An embedded driver
     * moves it at once, when a claim needs it. Does not throw, as the batch is stored.
     */
    @Override
    protected long roomAfterFlush() {
        long position = publication().position();
        if (position < nextLook) { // or closed
            return super.roomAfterFlush();
        }
        nextLook = position + step;
        return giveRoom(super.roomAfterFlush());
    }

    @Override
    protected void publish(StagedBatch batch) {
        int bytes = batch.bytes();
        long end = 0; // not the publication's position, which is negative once the client has closed it
        for (int from = 0; from < bytes; ) {
            int next = batch.endOfFragment(from, publication(), Long.MAX_VALUE);
            end = write(batch.memory(), from, next - from);
            from = next;
        }
        try {
            log.published(
                    sequence(),
                    end,
                    batch.memory(),
                    batch.newest() + FragmentLayout.FRAME_OFFSET,
                    batch.payload(batch.newest()));
        } catch (TransportException replaced) {
            throw fail(replaced);
        }
    }

    /** Writes a fragment, and returns the log position behind it. */
    private long write(ByteBuffer memory, int from, int length) {
        long result = Publication.ADMIN_ACTION;
        for (int i = 0; i < ATTEMPTS && result == Publication.ADMIN_ACTION; i++) {
            result = tryWrite(memory, from, length);
        }
        if (result < 0) {
            throw refused(result);
        }
        return result;
    }

    private TransportException refused(long result) {
        return fail(
                new TransportException("topic '" + topic() + "' cannot be written: " + log.refusal(refusal(result))));
    }
}
