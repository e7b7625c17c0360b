package dev.baton.engine.cycle;

import dev.baton.spi.TopicReader;
import dev.baton.spi.TopicWriter;

/**
 * Hands what a part has sent over to the transport, a batch at a time, and notes which inputs it answers. Confined to its
 * loop.
 */
public final class HandOver {
    private final ServicePlan plan;
    private final TopicReader reader;
    private final TopicWriter writer;
    private final PendingAcknowledgements pending;
    private final PartContext context;
    private final Listening listening; // null: nobody listens
    private final boolean isLate;
    private long flushed; // sequence of the newest output handed over

    /**
     * Hands over from {@code writer}.
     *
     * @param isLate whether inputs are acknowledged later than their outputs are stored, because they are held or wait
     */
    HandOver(
            ServicePlan plan,
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

    /** What the inputs of one poll have led to, up to the one at this position. */
    void batch(long consumed, long position, int taken) {
        flushed = writer.sequence();
        context.hadInHand();
        if (isLate) {
            writer.flush(); // what it consumed is not all answered: what is pending says how far
        } else {
            writer.flush(reader, position);
        }
        answer(consumed, position);
        handedOver(taken);
    }

    /** What a tick has sent and let go of: inputs are let go when what it sent is stored. */
    void tick(long consumed, long position, boolean hasFailed) {
        flush();
        if (context.hasSaidHold() && !hasFailed) {
            context.applyHold(pending);
            answer(consumed, position);
        }
    }

    /** What inputs that waited have led to: those that no longer wait are let go when it is stored. */
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

    /** The inputs consumed are answered when the outputs up to the newest one are stored. */
    private void answer(long consumed, long position) {
        if (pending.isEmpty() && writer.storedSequence() >= flushed) {
            pending.answered(consumed, position);
        } else {
            pending.note(consumed, position, flushed);
        }
    }
}
