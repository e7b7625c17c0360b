package dev.baton.lab.trial.ends;

import dev.baton.Claim;
import dev.baton.measuring.rig.Sender;
import java.nio.ByteBuffer;

/**
 * A sender into one chain of Baton's, through its inlet or through the outlet of a source. A subclass writes the messages.
 * Confined to the thread that sends.
 */
public abstract class ClaimingSender implements Sender {
    /** The entrance to the first topic. */
    @FunctionalInterface
    public interface Entry {
        /** Begins a message; null when there is no room now. @param key null for none */
        Claim claim(int maxLength, long originNanos, ByteBuffer key);
    }

    private Entry entry; // null until the first turn

    /** Sets the entrance for the following messages. */
    public final void enterBy(Entry other) {
        entry = other;
    }

    protected final Claim claim(int maxLength, long originNanos, ByteBuffer key) {
        return entry.claim(maxLength, originNanos, key);
    }
}
