package dev.baton.spi.support;

import dev.baton.spi.TopicWriter;

/**
 * The claim of a topic's writer: one at a time, with the checks of thread, lengths and sequences that {@link TopicWriter}
 * requires, and the texts of what it refuses. A transport's writer extends this class and keeps the frames itself. Confined to
 * the thread that opened it.
 */
public abstract class ClaimingWriter extends ThreadConfinement implements TopicWriter {
    private static final int NO_CLAIM = -1;

    private final String topic;
    private final int maxPayload;
    private final String payloadOption;
    private int claimed = NO_CLAIM; // bytes of the open claim

    /**
     * Confines to the calling thread.
     *
     * @param topic topic for errors
     * @param maxPayload longest payload of a claim, in bytes
     * @param payloadOption option that sets the longest payload
     */
    protected ClaimingWriter(String topic, int maxPayload, String payloadOption) {
        super("this writer of topic '" + topic + "'");
        this.topic = topic;
        this.maxPayload = maxPayload;
        this.payloadOption = payloadOption;
    }

    /** {@return the name of the topic} */
    public final String topic() {
        return topic;
    }

    /** {@return the longest payload of a claim, in bytes} */
    protected final int maxPayload() {
        return maxPayload;
    }

    /**
     * Checks that a claim may be opened here and now, as far as its length and earlier claims are concerned.
     *
     * @param maxLength as for {@link #claim}
     */
    protected final void requireClaimable(int maxLength) {
        check();
        if (maxLength < 0 || maxLength > maxPayload) {
            throw new IllegalArgumentException("claim of " + maxLength + " bytes; 0 to " + maxPayload
                    + " are allowed on topic '" + topic + "'; the option " + payloadOption + " governs it");
        }
        requireNoClaim();
    }

    /**
     * Opens a claim for which there is room.
     *
     * @param maxLength length that {@link #requireClaimable} has accepted
     */
    protected final void openClaim(int maxLength) {
        claimed = maxLength;
    }

    /**
     * Ends the open claim with a commit.
     *
     * @param length as for {@link #commit}; if it is out of range, the claim stays open
     */
    protected final void endClaim(int length) {
        check();
        if (length < 0 || length > claimed) {
            throw refusedCommit(length);
        }
        claimed = NO_CLAIM;
    }

    private RuntimeException refusedCommit(int length) {
        return claimed == NO_CLAIM
                ? new IllegalStateException("topic '" + topic + "': there is no open claim to commit")
                : new IllegalArgumentException("topic '" + topic + "': commit of " + length + " bytes; 0 to " + claimed
                        + ", the length claimed, are allowed");
    }

    /** Checks that no claim is open. */
    protected final void requireNoClaim() {
        if (claimed != NO_CLAIM) {
            throw new IllegalStateException("topic '" + topic + "': commit or abort the open claim first");
        }
    }

    /** {@return whether a claim is open} */
    protected final boolean hasClaim() {
        return claimed != NO_CLAIM;
    }

    /** Discards the open claim, if there is one, on any thread that closes the writer. */
    protected final void discardClaim() {
        claimed = NO_CLAIM;
    }

    /**
     * Checks that frames may be withdrawn.
     *
     * @param sequence as for {@link #rewind}
     * @param flushed sequence of the newest frame that was flushed
     */
    protected final void requireRewindable(long sequence, long flushed) {
        check();
        if (sequence < flushed || sequence > sequence()) {
            throw new IllegalArgumentException("topic '" + topic + "': rewind to sequence " + sequence + "; " + flushed
                    + ", the newest flushed, to " + sequence() + ", the newest committed, are allowed");
        }
        requireNoClaim();
    }

    @Override
    public void abort() {
        check();
        claimed = NO_CLAIM;
    }
}
