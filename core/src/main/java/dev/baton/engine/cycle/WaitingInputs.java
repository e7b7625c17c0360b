package dev.baton.engine.cycle;

import dev.baton.ErrorPolicy;
import dev.baton.engine.cycle.FailedCalls.Outcome;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.writing.WriterOutlet;
import dev.baton.run.Environment;
import dev.baton.spi.Cause;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Inputs that failed and wait for another delivery while those behind them go on: {@link
 * ErrorPolicy#retryUnorderedAtLeastOnce}. Each is a copy, as the topic's memory is read on.
 *
 * <p>No input from the oldest one on is acknowledged, so that a crash loses none. What is sent while one waits says so in its
 * cause ({@link Cause#ahead}), so that the next start does not take the inputs before it for answered, whatever policy it has.
 * Confined to its loop.
 */
public final class WaitingInputs {
    private static final class Waiting {
        final Frame frame;
        int failures;
        long dueAt;

        Waiting(Frame frame, int failures, long dueAt) {
            this.frame = frame;
            this.failures = failures;
            this.dueAt = dueAt;
        }
    }

    private final ServicePlan plan;
    private final ServiceCalls calls;
    private final FailedCalls failed;
    private final WriterOutlet outlet;
    private final InboundMessage message;
    private final PendingAcknowledgements pending;
    private final Environment environment;
    private final int most;
    private final List<Waiting> all = new ArrayList<>(); // by sequence
    private Waiting lettered; // whose dead letter is being stored; null for none
    private long dueAt = Long.MAX_VALUE; // the earliest of them

    WaitingInputs(
            ServicePlan plan,
            ServiceCalls calls,
            FailedCalls failed,
            WriterOutlet outlet,
            InboundMessage message,
            PendingAcknowledgements pending,
            Environment environment) {
        this.plan = plan;
        this.calls = calls;
        this.failed = failed;
        this.outlet = outlet;
        this.message = message;
        this.pending = pending;
        this.environment = environment;
        this.most = plan.errors().mostWaiting();
        pending.holdInputs();
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    int size() {
        return all.size();
    }

    /** The cause of what is sent now: whether an input before it waits. */
    long cause(long of) {
        return all.isEmpty() ? of : Cause.ahead(of);
    }

    /** Whether the dead letter of one is being stored: no other input can have one meanwhile. */
    boolean isWritingLetter() {
        return lettered != null;
    }

    /** The most inputs that may be taken, if all of them fail. */
    int budget() {
        return (int) Math.min(most - all.size(), plan.edges().maxHeld() - pending.heldCount());
    }

    /** When the next one is due, {@link Long#MAX_VALUE} for never. */
    long dueAt() {
        return dueAt;
    }

    /** Keeps a copy of an input that has failed, which counts as consumed. */
    void add(Frame frame, int failures, ErrorPolicy policy) {
        all.add(new Waiting(copy(frame), failures, environment.nanoTime() + policy.pauseNanos()));
        changed();
    }

    private static Frame copy(Frame frame) {
        int behind = frame.extensionBytes() + frame.length() + (frame.isChecked() ? Frame.CHECKSUM_BYTES : 0);
        int begin = frame.offset(0, 0) - frame.extensionBytes() - Frame.HEADER_BYTES;
        ByteBuffer memory = ByteBuffer.allocate(Frame.HEADER_BYTES + behind).order(ByteOrder.LITTLE_ENDIAN);
        memory.put(0, frame.memory(), begin, memory.capacity());
        Frame copied = new Frame().wrap(memory, 0, behind);
        if (!copied.isPlain()) {
            copied.validate();
        }
        return copied;
    }

    /**
     * Delivers those that are due, as far as there is room for their outputs and time, and continues a letter.
     *
     * @return deliveries and letters stored
     */
    int turn(TopicWriter writer, int maxOutputs, BatchTime time) {
        int work = lettered == null ? 0 : storeLetter();
        long now = environment.nanoTime();
        if (dueAt == Long.MAX_VALUE || now - dueAt < 0 || calls.isWritingLetter()) {
            return work;
        }
        outlet.beginBatch();
        for (int i = 0; i < all.size() && work < plan.limit() && lettered == null && calls.failure() == null; ) {
            Waiting next = all.get(i);
            if (now - next.dueAt < 0) {
                i++;
            } else if (writer.remainingCapacity() < maxOutputs || pending.isFull()) {
                break;
            } else {
                work++;
                if (isConsumed(next)) {
                    all.remove(i);
                } else {
                    i++;
                }
                time.callEnded();
                if (!plan.loop().isManual() && environment.nanoTime() - now >= BatchTime.MOST_NANOS) {
                    break;
                }
            }
        }
        changed();
        return work;
    }

    private int storeLetter() {
        message.of(lettered.frame, lettered.frame.head());
        if (!failed.hasStoredLetter()) {
            return 0;
        }
        all.remove(lettered);
        lettered = null;
        changed();
        return 1;
    }

    /** Delivers it once more; whether it is handled or skipped. */
    private boolean isConsumed(Waiting input) {
        Frame frame = input.frame;
        long sequence = frame.sequence();
        long cause = all.size() == 1 ? sequence : Cause.ahead(sequence);
        Throwable thrown = calls.deliverAgain(frame, cause);
        if (thrown == null) {
            return true;
        }
        Outcome outcome = failed.after(thrown, ++input.failures);
        switch (outcome) {
            case AGAIN ->
                input.dueAt = environment.nanoTime() + plan.errors().of(thrown).pauseNanos();
            case LETTER -> lettered = input;
            case STOPPED -> calls.failed(sequence, failed.failure());
            default -> {}
        }
        return outcome == Outcome.SKIPPED;
    }

    private void changed() {
        dueAt = Long.MAX_VALUE;
        for (Waiting each : all) {
            if (each != lettered && (dueAt == Long.MAX_VALUE || each.dueAt - dueAt < 0)) {
                dueAt = each.dueAt;
            }
        }
        pending.holdFrom(all.isEmpty() ? Long.MAX_VALUE : all.get(0).frame.sequence());
    }
}
