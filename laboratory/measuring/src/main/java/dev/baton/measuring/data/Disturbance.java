package dev.baton.measuring.data;

/**
 * An event that delayed more than one message.
 *
 * @param kind its origin
 * @param startNanos from the first measured slot; negative when it began before it
 * @param nanos its duration
 * @param what in a few words: the safepoint's operation, the collection's cause
 */
public record Disturbance(Kind kind, long startNanos, long nanos, String what) {
    /** The origin of a disturbance. */
    public enum Kind {
        /** A stop of the JVM in which a collection ran. */
        GC,
        /** Any other stop of the JVM. */
        SAFEPOINT,
        /** A stop of this process, as by SIGSTOP, a debugger or a frozen container. */
        STOPPED,
        /** The machine did not run this JVM: a stall whose {@link HostActivity.Cause} is foreign. */
        HOST,
        /** All cores were busy with the trial itself. */
        BUSY
    }

    public long endNanos() {
        return startNanos + nanos;
    }
}
