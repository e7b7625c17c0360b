package dev.baton.disruptor;

/**
 * Belongs to one thread until it is closed, and says so when it is used otherwise.
 *
 * <p>Both mistakes are found with one comparison: a closed object belongs to nobody. A stranger's use may race with a
 * close and then get either text; what the owner does is always judged right.
 */
abstract class Confined implements AutoCloseable {
    private final String what;
    private Thread owner = Thread.currentThread(); // changed once, to null, by close

    /** Confines to the calling thread what is named so in errors. */
    Confined(String what) {
        this.what = what;
    }

    /** Throws unless the caller is the owner and this is open. */
    final void check() {
        if (Thread.currentThread() != owner) {
            throw misuse();
        }
    }

    /** Takes this from its owner; any thread may do so that has synchronized with the owner. */
    final boolean disown() {
        boolean wasOpen = owner != null;
        owner = null;
        return wasOpen;
    }

    /** Idempotent. */
    @Override
    public abstract void close();

    private IllegalStateException misuse() {
        Thread expected = owner;
        return new IllegalStateException(
                expected == null
                        ? what + " is closed"
                        : what + " belongs to thread '" + expected.getName() + "', used by thread '"
                                + Thread.currentThread().getName() + "'");
    }
}
