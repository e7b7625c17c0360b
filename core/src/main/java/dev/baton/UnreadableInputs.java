package dev.baton;

import dev.baton.spi.DamagedTopicException;
import dev.baton.spi.Frame;
import dev.baton.spi.TopicReader;
import dev.baton.spi.TransportException;

/**
 * Inputs that cannot be read: they stop the chain, or are skipped and counted, as the deployment says. Confined to its
 * loop.
 */
final class UnreadableInputs {
    private final ServicePlan plan;
    private final ChainState state;
    private long skipped;

    UnreadableInputs(ServicePlan plan, ChainState state) {
        this.plan = plan;
        this.state = state;
    }

    /** Records that were no frames, or damaged ones, since the start. */
    long skipped() {
        return skipped;
    }

    /**
     * Whether a frame with flags is fine; false: it is to be skipped.
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
        count(text);
        return false;
    }

    /**
     * Steps over the record that a poll could not hand over.
     *
     * @throws DamagedTopicException the same, when it stops the chain
     */
    void skip(DamagedTopicException unreadable, TopicReader reader) {
        if (plan.edges().unreadable() == UnreadableFrames.STOP || !reader.skipUnreadable()) {
            throw unreadable;
        }
        count(unreadable.getMessage());
    }

    /** Another sequence than the one that was due. */
    TransportException outOfOrder(long position, long sequence, long consumed) {
        return new TransportException("topic " + plan.input() + ", position " + position + ": sequence " + sequence
                + " where " + (consumed + 1)
                + " was due; frames were lost or repeated, or the topic has a second writer");
    }

    private void count(String what) {
        skipped++;
        state.warn("skipped an unreadable record, number " + skipped + " since the start: " + what);
    }
}
