package dev.baton.spi.support;

/**
 * The confinement of an object to one thread, until the object is released. A transport's connections, writers and readers
 * extend this class or have an instance of it.
 *
 * <p>{@link #check} detects both mistakes, the wrong thread and use after the release, with one comparison of a plain field: a
 * released object has no thread. A wrong thread that races with the release may get either error; the owner always passes.
 * {@link #thread} may be called by any thread, {@link #release} by any thread that has synchronized with the owner.
 */
public class ThreadConfinement {
    private final String what;
    private Thread owner = Thread.currentThread(); // null once released

    /**
     * Confines to the calling thread.
     *
     * @param what names the object in errors, such as {@code this writer of topic 'orders'}
     */
    public ThreadConfinement(String what) {
        this.what = what;
    }

    /**
     * Checks that the calling thread is the owner and that the object is not released.
     *
     * @throws IllegalStateException for another thread, with both names, and after the release
     */
    public final void check() {
        if (Thread.currentThread() != owner) {
            throw misuse();
        }
    }

    /** {@return whether the calling thread is the owner} */
    public final boolean isCurrentThread() {
        return Thread.currentThread() == owner;
    }

    /** {@return whether there was no {@link #release} yet} */
    public final boolean isHeld() {
        return owner != null;
    }

    /** {@return the owner; null after the release} */
    public final Thread thread() {
        return owner;
    }

    /**
     * Ends the confinement permanently: no thread may use the object.
     *
     * @return false when it was released before
     */
    public final boolean release() {
        boolean wasHeld = owner != null;
        owner = null;
        return wasHeld;
    }

    private IllegalStateException misuse() {
        Thread expected = owner;
        return new IllegalStateException(
                expected == null
                        ? what + " is closed"
                        : what + " belongs to thread '" + expected.getName() + "', used by thread '"
                                + Thread.currentThread().getName() + "'");
    }
}
