package dev.baton.engine.cycle;

import dev.baton.engine.plan.PartPlan;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;

/**
 * Flushes the outputs of a part to the transport, one batch at a time, and records which inputs they answer. Confined to
 * its loop.
 */
public final class HandOver {
    private final PartPlan plan;
    private final TopicReader reader;
    private final TopicWriter writer;
    private final PendingAcknowledgements pending;
    private final PartContext context;
    private final Listening listening; // null if the chain has no listener
    private final boolean isLate;
    private long flushed; // sequence of the newest output flushed

    /**
     * Flushes {@code writer}.
     *
     * @param isLate whether inputs that are held or wait delay acknowledgements beyond the storage of outputs
     */
    HandOver(
            PartPlan plan,
            TopicReader reader,
            TopicWriter writer,
            PendingAcknowledgements pending,
            PartContext context,
            Listening listening,
            boolean isLate) {
        this.plan = plan;
        this.reader = reader;
        this.writer = writer;
        this.pending = pending;
        this.context = context;
        this.listening = listening;
        this.isLate = isLate;
    }

    /** Flushes the outputs of one poll, whose last input is at this position. */
    void batch(long consumed, long position, int taken) {
        flushed = writer.sequence();
        context.hadInHand();
        if (isLate) {
            writer.flush(); // not every consumed input is answered: the pending entries limit it
        } else {
            writer.flush(reader, position);
        }
        answer(consumed, position);
        handedOver(taken);
    }

    /**
     * Flushes the outputs of a tick and records the inputs that it released; they are released when those outputs are
     * stored.
     */
    void tick(long consumed, long position, boolean hasFailed) {
        flush();
        if (context.hasSaidHold() && !hasFailed) {
            context.applyHold(pending);
            answer(consumed, position);
        }
    }

    /** Flushes the outputs of inputs that waited; inputs that no longer wait are released when those outputs are stored. */
    void again(long consumed, long position) {
        flush();
        answer(consumed, position);
    }

    private void flush() {
        long unflushed = writer.sequence();
        if (unflushed != flushed) {
            flushed = unflushed;
            writer.flush();
            handedOver(0);
        }
    }

    private void handedOver(int inputs) {
        plan.wakeNext();
        if (listening != null) {
            listening.batch(inputs);
        }
    }

    /** Records that the consumed inputs are answered when the outputs up to the newest one are stored. */
    private void answer(long consumed, long position) {
        if (pending.isEmpty() && writer.storedSequence() >= flushed) {
            pending.answered(consumed, position);
        } else {
            pending.note(consumed, position, flushed);
        }
    }
}
