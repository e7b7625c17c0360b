package dev.baton.broken.heap;

/** What one thread opened and closes. Confined to that thread. */
public abstract class Confined implements AutoCloseable {
    private final String what;
    private volatile Thread owner = Thread.currentThread(); // null once closed

    public Confined(String what) {
        this.what = what;
    }

    /** Throws unless the caller is the owner and this is open. */
    public void check() {
        Thread expected = owner;
        if (Thread.currentThread() != expected) {
            throw new IllegalStateException(
                    expected == null
                            ? what + " is closed"
                            : what + " belongs to thread '" + expected.getName() + "', used by thread '"
                                    + Thread.currentThread().getName() + "'");
        }
    }

    public final boolean isOpen() {
        return owner != null;
    }

    /** Throws when this is closed, on every thread. */
    public final void checkOpen() {
        if (owner == null) {
            throw new IllegalStateException(what + " is closed");
        }
    }

    /** Whether this was open. */
    public final boolean disown() {
        boolean wasOpen = owner != null;
        owner = null;
        return wasOpen;
    }

    @Override
    public abstract void close();
}
