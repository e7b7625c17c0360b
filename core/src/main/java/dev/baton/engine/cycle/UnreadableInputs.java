package dev.baton.engine.cycle;

import dev.baton.Deployment.UnreadableFrames;
import dev.baton.engine.chain.ChainState;
import dev.baton.engine.plan.PartPlan;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.util.function.Supplier;

/**
 * The handling of inputs that cannot be read: depending on the deployment they stop the chain, are skipped and counted, or
 * become dead letters and are then skipped. Confined to its loop.
 */
final class UnreadableInputs {
    private final PartPlan plan;
    private final ChainState state;
    private final DeadLetterTopic letters; // null if the policy writes no dead letters
    private final PartListener listening; // null if the chain has no listener
    private long skipped;
    private boolean isWaiting; // for the letter of the current record

    UnreadableInputs(PartPlan plan, ChainState state, DeadLetterTopic letters, PartListener listening) {
        this.plan = plan;
        this.state = state;
        this.letters = plan.edges().unreadable() == UnreadableFrames.DEAD_LETTER ? letters : null;
        this.listening = listening;
    }

    /** Returns the number of records since the start that were not frames, or damaged frames. */
    long skipped() {
        return skipped;
    }

    /** Returns whether the current record has to be redelivered because its letter is not stored yet. */
    boolean isWaiting() {
        return isWaiting;
    }

    /**
     * Returns whether a frame with flags is valid. If not, it is to be skipped, or redelivered if this {@link #isWaiting}.
     *
     * @param consumed sequence of the input before it
     * @throws DamagedTopicException if it is not valid and stops the chain; {@link #skip} follows, and adds the remedy
     */
    boolean isReadable(Frame frame, long position, long consumed) {
        String defect = frame.validate();
        if (defect == null) {
            return true;
        }
        String text = "topic " + plan.input() + ", position " + position + ", sequence " + frame.sequence()
                + " (expected: " + (consumed == TopicReader.UNKNOWN ? "any" : consumed + 1) + "): " + defect;
        if (plan.edges().unreadable() == UnreadableFrames.STOP) {
            throw new DamagedTopicException(text, false);
        }
        if (hasLetter(() -> new DamagedTopicException(text, false), () -> bytes(frame))) {
            count(text);
        }
        return false;
    }

    /**
     * Skips the record that a poll could not deliver; returns false if it is not skipped yet because its letter is not
     * stored.
     *
     * @throws DamagedTopicException if the record stops the chain
     */
    boolean skip(DamagedTopicException unreadable, TopicReader reader) {
        if (unreadable.isEnd()) {
            throw unreadable;
        }
        if (plan.edges().unreadable() == UnreadableFrames.STOP) {
            throw stop(unreadable);
        }
        if (!hasLetter(() -> unreadable, reader::unreadableBytes)) {
            return false;
        }
        if (!reader.skipUnreadable()) {
            throw unreadable;
        }
        count(unreadable.getMessage());
        return true;
    }

    /** Returns whether the letter is stored or none is needed. Until then the record is redelivered. */
    private boolean hasLetter(Supplier<DamagedTopicException> cause, Supplier<byte[]> bytes) {
        if (letters == null) {
            return true;
        }
        if (!isWaiting) {
            letters.beginRecord(cause.get(), bytes.get());
        }
        isWaiting = !letters.storeRecord();
        if (!isWaiting && listening != null) {
            listening.deadLetter(0, 0, letters.thrown());
        }
        return !isWaiting;
    }

    /** Returns the bytes after the header, unchanged. */
    private static byte[] bytes(Frame frame) {
        byte[] bytes = new byte[frame.length()];
        frame.getBytes(0, bytes, 0, bytes.length);
        return bytes;
    }

    /** Returns the exception for a sequence that is not the expected one. */
    TransportException outOfOrder(long position, long sequence, long consumed) {
        return new TransportException("topic " + plan.input() + ", position " + position + ": sequence " + sequence
                + " where " + (consumed + 1)
                + " was due; frames were lost or repeated, or the topic has a second writer");
    }

    private static DamagedTopicException stop(DamagedTopicException cause) {
        return new DamagedTopicException(
                cause.getMessage()
                        + ". To skip such records, start the chain with onUnreadable(SKIP) or onUnreadable(DEAD_LETTER)"
                        + " (--on-unreadable); or delete the topic while no process uses it",
                false,
                cause);
    }

    private void count(String what) {
        skipped++;
        state.warn((letters == null ? "skipped an unreadable record" : "an unreadable record is a dead letter")
                + ", number " + skipped + " since the start: " + what);
    }
}
