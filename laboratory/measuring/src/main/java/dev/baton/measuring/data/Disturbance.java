package dev.baton.measuring.data;

/**
 * Something that held up more than one message.
 *
 * @param kind who did it
 * @param startNanos from the first measured slot; negative when it began before it
 * @param nanos how long
 * @param what in a few words: the safepoint's operation, the collection's cause
 */
public record Disturbance(Kind kind, long startNanos, long nanos, String what) {
    /** Who held them up. */
    public enum Kind {
        /** A stop of the JVM in which a collection ran. */
        GC,
        /** Any other stop of the JVM. */
        SAFEPOINT,
        /** Someone stopped this process, as SIGSTOP, a debugger or a frozen container does. */
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
