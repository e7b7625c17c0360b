package dev.baton.lab.trial.ends;

import dev.baton.chains.ProvidedChain;
import dev.baton.chains.ProvidedChain.MessageGenerator;
import dev.baton.chains.ProvidedChain.OutputCheck;
import dev.baton.lab.request.TrialPlan;
import dev.baton.measuring.Counter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The messages and the check of one instance of a provided chain, and the data that its ends share: a note of each message, since its frame
 * has no field that services leave unchanged.
 *
 * <p>A note is the send delay, or at saturation the origin, of one of the newest messages, found by its number. The sender writes it before
 * it commits. The note of a message that takes longer than others need is overwritten; then its send delay counts as 0, which makes its
 * service time the longest possible. At saturation none is overwritten while an output is due: {@link #inFlight}.
 *
 * <p>{@link #note} and the generator are confined to the sender's loop; the check, {@link #tagOf}, {@link #numberOf} and {@link #passed} to
 * the receiver's; any thread may call the rest.
 */
final class ProvidedMessages {
    private static final VarHandle NOTE = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int FEWEST_NOTES = 1 << 8;
    private static final int MOST_NOTES = 1 << 16;

    /** The time of messages in a chain at a rate after which send delays are overwritten. */
    private static final double NOTED_SECONDS = 0.25;

    private static final int LOW_BITS = 32;

    final String chain;
    final int maxPayload; // the longest that may be written
    final boolean isOneEach;
    final MessageGenerator generator;
    private final OutputCheck atSender;
    final OutputCheck check;
    private final boolean isSaturated;
    private final long[] notes;
    private final int mask;
    private final Counter answerable = new Counter(); // sent, with an output due
    private final AtomicLong next = new AtomicLong(); // number behind the newest that an output has come of

    ProvidedMessages(ProvidedChain provided, TrialPlan plan, int instance) {
        long seed = plan.load().seed();
        chain = plan.shape().chain().name();
        maxPayload = plan.shape().payloadBytes();
        isOneEach = provided.outputs() == ProvidedChain.Outputs.ONE_EACH;
        generator = provided.generator(seed, instance);
        atSender = provided.check(seed, instance);
        check = provided.check(seed, instance);
        isSaturated = plan.load().isSaturated();
        double needed = isSaturated
                ? 4.0 * plan.load().inFlight(plan.shape().instances())
                : plan.load().ratePerSecond() * NOTED_SECONDS;
        long most = isSaturated ? Long.MAX_VALUE : MOST_NOTES;
        long least = isSaturated ? 8 * Generator.MOST_PER_TURN : FEWEST_NOTES;
        long notesNeeded = Math.max(least, Math.min(most, (long) needed));
        notes = new long[Math.toIntExact(Long.highestOneBit(2 * notesNeeded - 1))];
        mask = notes.length - 1;
    }

    /** Notes a message that is about to be sent. @param tag its send delay, encoded; at saturation of no use */
    void note(long number, long originNanos, int tag) {
        long note = isSaturated ? originNanos : number << LOW_BITS | Integer.toUnsignedLong(tag);
        NOTE.setRelease(notes, (int) number & mask, note);
        if (isOneEach || hasOutput(number)) {
            answerable.increment();
        }
    }

    private boolean hasOutput(long number) {
        try {
            return atSender.outputs(number) > 0;
        } catch (RuntimeException | LinkageError namedAtTheOtherEnd) {
            return true;
        }
    }

    /** The send delay that was noted, encoded; 0 when it was overwritten. At a rate. */
    int tagOf(long number) {
        long note = (long) NOTE.getAcquire(notes, (int) number & mask);
        return (int) (note >>> LOW_BITS) == (int) number ? (int) note : 0;
    }

    /**
     * The number of the message with this origin; -1 when none of the newest has it. At saturation, where origins rise.
     *
     * @param expected number of the next message that an output is due of
     */
    long numberOf(long originNanos, long expected) {
        for (long number = expected; number - expected < mask; number++) {
            long ahead = originAt(number) - originNanos;
            if (ahead == 0) {
                return number;
            }
            if (ahead > 0) {
                break;
            }
        }
        for (long number = expected - 1; number >= 0 && expected - number < mask; number--) {
            if (originAt(number) == originNanos) {
                return number;
            }
        }
        return -1;
    }

    private long originAt(long number) {
        return (long) NOTE.getAcquire(notes, (int) number & mask);
    }

    /** Outputs have come of all messages before this number that will ever have any, or have been missed. */
    void passed(long number) {
        next.setRelease(number);
    }

    /** Messages sent with an output due. */
    long answerableCount() {
        return answerable.count();
    }

    /**
     * Messages sent that an output is still due of; more than any bound while notes that they need would be overwritten.
     *
     * @param sent messages, with an output due or not
     * @param received those that all outputs have come of
     */
    long inFlight(long sent, long received) {
        long due = answerable.count() - received;
        boolean isFull = sent - next.getAcquire() > mask - 2L * Generator.MOST_PER_TURN;
        return due > 0 && isFull ? Integer.MAX_VALUE : due;
    }
}
