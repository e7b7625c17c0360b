package dev.baton.engine.cycle;

import dev.baton.UnreadableFrames;
import dev.baton.engine.chain.ChainState;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicReader;
import dev.baton.spi.errors.DamagedTopicException;
import dev.baton.spi.errors.TransportException;
import java.util.function.Supplier;

/**
 * Inputs that cannot be read: they stop the chain, are skipped and counted, or become dead letters before that, as the
 * deployment says. Confined to its loop.
 */
public final class UnreadableInputs {
    private final ServicePlan plan;
    private final ChainState state;
    private final DeadLetterTopic letters; // null: none are written
    private final Listening listening; // null: nobody listens
    private long skipped;
    private boolean isWaiting; // for the letter of the record in hand

    UnreadableInputs(ServicePlan plan, ChainState state, DeadLetterTopic letters, Listening listening) {
        this.plan = plan;
        this.state = state;
        this.letters = plan.edges().unreadable() == UnreadableFrames.DEAD_LETTER ? letters : null;
        this.listening = listening;
    }

    /** Records that were no frames, or damaged ones, since the start. */
    long skipped() {
        return skipped;
    }

    /** Whether the record in hand has to come again, as its letter is not stored yet. */
    boolean isWaiting() {
        return isWaiting;
    }

    /**
     * Whether a frame with flags is fine; false: it is to be skipped, unless this {@link #isWaiting}.
     *
     * @param consumed sequence of the input before it
     * @throws DamagedTopicException when it is not fine and stops the chain
     */
    boolean isReadable(Frame frame, long position, long consumed) {
        String defect = frame.validate();
        if (defect == null) {
            return true;
        }
        String text = "topic " + plan.input() + ", position " + position + ", sequence " + frame.sequence()
                + " (due is " + (consumed == TopicReader.UNKNOWN ? "any" : consumed + 1) + "): " + defect;
        if (plan.edges().unreadable() == UnreadableFrames.STOP) {
            throw new DamagedTopicException(text, false);
        }
        if (hasLetter(() -> new DamagedTopicException(text, false), () -> bytes(frame))) {
            count(text);
        }
        return false;
    }

    /**
     * Steps over the record that a poll could not hand over; false: not yet, as its letter is not stored.
     *
     * @throws DamagedTopicException the same, when it stops the chain
     */
    boolean skip(DamagedTopicException unreadable, TopicReader reader) {
        if (plan.edges().unreadable() == UnreadableFrames.STOP || unreadable.isEnd()) {
            throw unreadable;
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

    /** Whether the letter is stored, or none is needed. The record comes again until it is. */
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

    /** What is behind the header, as it was found. */
    private static byte[] bytes(Frame frame) {
        byte[] bytes = new byte[frame.length()];
        frame.getBytes(0, bytes, 0, bytes.length);
        return bytes;
    }

    /** Another sequence than the one that was due. */
    TransportException outOfOrder(long position, long sequence, long consumed) {
        return new TransportException("topic " + plan.input() + ", position " + position + ": sequence " + sequence
                + " where " + (consumed + 1)
                + " was due; frames were lost or repeated, or the topic has a second writer");
    }

    private void count(String what) {
        skipped++;
        state.warn((letters == null ? "skipped an unreadable record" : "an unreadable record is a dead letter")
                + ", number " + skipped + " since the start: " + what);
    }
}
