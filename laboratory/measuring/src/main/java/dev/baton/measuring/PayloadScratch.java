package dev.baton.measuring;

/**
 * The array in which a thread makes and checks payloads: one for all instances on its loop, so that it stays in the
 * cache.
 */
public final class PayloadScratch {
    private static final ThreadLocal<byte[]> OF_THREAD = ThreadLocal.withInitial(() -> new byte[0]);

    private PayloadScratch() {}

    /** This thread's own, of at least that length; to be asked for once, not for each message. */
    public static byte[] ofThisThread(int length) {
        byte[] scratch = OF_THREAD.get();
        if (scratch.length < length) {
            scratch = new byte[length];
            OF_THREAD.set(scratch);
        }
        return scratch;
    }
}
