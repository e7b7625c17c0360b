package dev.baton.engine.cycle;

import dev.baton.ErrorPolicy;
import dev.baton.engine.cycle.FailedCalls.Outcome;
import dev.baton.engine.message.InboundMessage;
import dev.baton.engine.plan.PartPlan;
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
 * Inputs that failed and wait for redelivery while later ones are handled: {@link ErrorPolicy#retryUnorderedAtLeastOnce}.
 * Each is a copy, because the reader advances in the memory of the topic.
 *
 * <p>The oldest waiting input and all later ones are not acknowledged, so that a crash loses none. Outputs that are sent
 * while an input waits are marked in their cause ({@link Cause#ahead}), so that the next start, with any policy, does not
 * regard earlier inputs as answered. Confined to its loop.
 */
public final class WaitingInputs implements InputOwner.Later {
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

    private final PartPlan plan;
    private final ServiceCalls calls;
    private final FailedCalls failed;
    private final WriterOutlet outlet;
    private final InboundMessage message;
    private final PendingAcknowledgements pending;
    private final Environment environment;
    private final int most;
    private final List<Waiting> all = new ArrayList<>(); // by sequence
    private Waiting lettered; // input whose dead letter is being stored; null for none
    private long dueAt = Long.MAX_VALUE; // earliest time of redelivery

    WaitingInputs(
            PartPlan plan,
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

    @Override
    public int unfinished() {
        return all.size();
    }

    @Override
    public boolean consumed(long sequence, long position) {
        pending.consumed(sequence, position);
        return true;
    }

    /** Returns the cause for outputs of an input; it is marked if an earlier input waits. */
    long cause(long of) {
        return all.isEmpty() ? of : Cause.ahead(of);
    }

    @Override
    public boolean isWritingLetter() {
        return lettered != null;
    }

    /** Returns the number of inputs that can be taken even if all of them fail. */
    @Override
    public int room() {
        return (int) Math.min(most - all.size(), plan.edges().maxHeld() - pending.heldCount());
    }

    @Override
    public long dueAt() {
        return dueAt;
    }

    /** Stores a copy of an input that has failed; the input then counts as consumed. */
    void add(Frame frame, int failures, ErrorPolicy policy) {
        all.add(new Waiting(copy(frame), failures, environment.nanoTime() + policy.pauseNanos()));
        changed();
    }

    /** Returns a copy on the heap of a received frame. */
    static Frame copy(Frame frame) {
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
     * Delivers inputs that are due, within the room for their outputs and the time of the batch, and continues a dead
     * letter.
     *
     * @return number of deliveries and of letters stored
     */
    @Override
    public int turn(TopicWriter writer, int maxOutputs, BatchTime time) {
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
            } else if (writer.remainingCapacity() < Math.max(1, maxOutputs) || pending.isFull()) {
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
        if (outlet.writer().remainingCapacity() == 0) { // for the reply of a request
            return 0;
        }
        message.of(lettered.frame, lettered.frame.head());
        Throwable thrown = failed.letters().thrown();
        if (!failed.hasStoredLetter()) {
            return 0;
        }
        calls.giveUp(lettered.frame, cause(lettered), thrown);
        all.remove(lettered);
        lettered = null;
        changed();
        return 1;
    }

    /** Redelivers an input; returns whether it is handled or skipped. */
    private boolean isConsumed(Waiting input) {
        Frame frame = input.frame;
        long sequence = frame.sequence();
        long cause = cause(input);
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
            case SKIPPED -> calls.giveUp(frame, cause, thrown);
            default -> {}
        }
        return outcome == Outcome.SKIPPED;
    }

    private long cause(Waiting input) {
        long sequence = input.frame.sequence();
        return all.size() == 1 ? sequence : Cause.ahead(sequence);
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
