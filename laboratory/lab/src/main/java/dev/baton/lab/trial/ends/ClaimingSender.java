package dev.baton.lab.trial.ends;

import dev.baton.Claim;
import dev.baton.MessageFields;
import dev.baton.measuring.rig.SourceSender;
import java.nio.ByteBuffer;

/**
 * A sender into one chain of Baton's, through its inlet or through the outlet of a source. A subclass writes the messages.
 * Confined to the thread that sends.
 */
public abstract class ClaimingSender implements SourceSender {
    /** The entrance to the first topic. */
    @FunctionalInterface
    public interface Entry {
        /** Begins a message; null when there is no room now. */
        Claim claim(int maxLength, MessageFields fields);
    }

    private final MessageFields fields = new MessageFields();
    private Entry entry; // null until the first turn

    /** Sets the entrance for the following messages. */
    public final void enterBy(Entry other) {
        entry = other;
    }

    /** Begins a message; null when there is no room now. @param key null for none */
    protected final Claim claim(int maxLength, long originNanos, ByteBuffer key) {
        return entry.claim(maxLength, fields.originNanos(originNanos).key(key));
    }
}
