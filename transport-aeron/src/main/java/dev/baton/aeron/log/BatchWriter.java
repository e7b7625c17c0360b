package dev.baton.aeron.log;

import dev.baton.aeron.AeronOptions;
import dev.baton.spi.Frame;
import dev.baton.spi.Incarnation;
import dev.baton.spi.TopicEnd;
import dev.baton.spi.errors.TransportException;
import dev.baton.spi.support.ClaimingWriter;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.logbuffer.BufferClaim;
import java.nio.ByteBuffer;

/**
 * A writer that stages the frames of a batch and copies them into the log of a publication, as many into one fragment as it
 * holds.
 *
 * <p>Capacity is counted as if every frame had a fragment of its own. Confined to the thread that opened it.
 */
public abstract class BatchWriter extends ClaimingWriter {
    private final ExclusivePublication publication;
    private final StagedBatch batch;

    private long flushed; // sequences
    private long committed;
    private long available; // bytes that the log has room for, as of the last look
    private long reserved; // bytes of the log that are written between the committed frames
    private TransportException failure; // after it nothing is written

    private final BufferClaim fragment = new BufferClaim();
    private final int reserve; // bytes of the log that a batch may take beside its frames
    private final int capacity;
    private final Incarnation incarnation;
    private final TopicEnd found;

    /**
     * Continues behind the newest frame of a topic.
     *
     * @param pool memory of the batches of the connection's writers
     * @param reserve bytes of the log that a batch may take beside its frames
     * @param capacity frames of the longest payload in one batch
     * @param newest sequence of that frame, 0 for none
     */
    protected BatchWriter(
            String topic,
            ExclusivePublication publication,
            StagingPool pool,
            int maxPayload,
            int reserve,
            int capacity,
            Incarnation incarnation,
            long newest,
            TopicEnd found) {
        super(topic, maxPayload, AeronOptions.MAX_PAYLOAD.toString());
        this.publication = publication;
        batch = new StagedBatch(pool);
        this.reserve = reserve;
        this.capacity = capacity;
        this.incarnation = incarnation;
        flushed = newest;
        committed = flushed;
        this.found = found;
    }

    /** {@return whether the log can still be written, as far as is known} */
    protected abstract boolean isAlive();

    /** {@return the bytes that the log has room for now} */
    protected abstract long availableBytes();

    /** {@return the bytes that the log has room for just after a flush, without a turn of the driver} */
    protected long roomAfterFlush() {
        return publication.availableWindow();
    }

    /** Writes a batch of at least one frame. */
    protected abstract void publish(StagedBatch frames);

    /** Closes the log, once the batch is published. */
    protected abstract void closeLog();

    /** Throws the failure after which this writer cannot write. */
    protected void requireUsable() {
        if (failure != null) {
            throw new TransportException(failure.getMessage(), failure);
        }
    }

    /** Ends this writer, and returns the failure that its further calls report. */
    protected final TransportException fail(TransportException reason) {
        failure = reason;
        return failure;
    }

    /** Ends this writer, and returns the failure that its further calls report. */
    protected final TransportException fail(String message) {
        return fail(new TransportException(message));
    }

    @Override
    public final TransportException failure() {
        return failure;
    }

    @Override
    public final void close() {
        if (release()) {
            discardClaim();
            try {
                if (failure == null && isAlive()) {
                    publish();
                }
            } finally {
                closeLog();
                batch.clear();
            }
        }
    }

    @Override
    public final int remainingCapacity() {
        return remainingCapacity(maxPayload());
    }

    @Override
    public final int remainingCapacity(int maxLength) {
        check();
        requireUsable();
        int room = room(maxLength);
        if (committed - flushed + room < capacity) {
            available = availableBytes();
            room = room(maxLength);
        }
        return room;
    }

    @Override
    public final int capacity() {
        return capacity;
    }

    @Override
    public final Frame claim(int maxLength) {
        requireClaimable(maxLength);
        requireUsable();
        if (!hasRoom(maxLength)) {
            available = availableBytes();
            if (!hasRoom(maxLength)) {
                return null;
            }
        }
        Frame frame = batch.claim(maxLength); // first: there may be no memory
        openClaim(maxLength);
        return frame;
    }

    @Override
    public final long commit(int length) {
        endClaim(length);
        committed++;
        batch.commit(length, committed);
        return committed;
    }

    @Override
    public final void flush() {
        check();
        requireNoClaim();
        requireUsable();
        publish();
    }

    @Override
    public final void rewind(long sequence) {
        requireRewindable(sequence, flushed);
        batch.keep(sequence - flushed);
        committed = sequence;
        if (committed == flushed) {
            reserved = 0;
        }
        onRewind();
    }

    /** Adapts what is noted of the frames that were withdrawn just now. */
    protected void onRewind() {}

    @Override
    public final long sequence() {
        return committed;
    }

    @Override
    public final TopicEnd found() {
        return found;
    }

    @Override
    public final Incarnation incarnation() {
        return incarnation;
    }

    /** Returns the number of frames of a payload that fit beside those staged, at most what is left of the capacity. */
    private int room(int payload) {
        long fit = Math.max(0, left() / FragmentLayout.logBytes(payload));
        return (int) Math.min(fit, capacity - (committed - flushed));
    }

    /** Returns whether {@link #room} is at least 1, without a division. */
    private boolean hasRoom(int payload) {
        return left() >= FragmentLayout.logBytes(payload) && committed - flushed < capacity;
    }

    private long left() {
        return available - batch.logBytes() - reserved - reserve;
    }

    /** {@return the sequence of the newest frame that was flushed} */
    protected final long flushed() {
        return flushed;
    }

    /** Counts bytes of the log that are written between the committed frames. */
    protected final void reserve(int bytes) {
        reserved += bytes;
    }

    private void publish() {
        if (batch.bytes() > 0) {
            publish(batch);
            flushed = committed;
            batch.clear();
            reserved = 0;
            available = roomAfterFlush();
        }
    }

    /** {@return the publication that has the log} */
    protected final ExclusivePublication publication() {
        return publication;
    }

    /** Writes a fragment and returns the result of {@link Publication#tryClaim}. */
    protected final long tryWrite(ByteBuffer memory, int from, int length) {
        long result = publication.tryClaim(length, fragment);
        if (result > 0) {
            fragment.buffer().putBytes(fragment.offset(), memory, from, length);
            fragment.commit();
        }
        return result;
    }

    /** Describes the result with which Aeron refuses a fragment for good. */
    protected static String refusal(long result) {
        return "Aeron reports " + Publication.errorString(result)
                + (result == Publication.MAX_POSITION_EXCEEDED ? "; create the topic again, with longer terms" : "");
    }
}
