package dev.baton;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The calls of this module's tests that broke a rule on threads of {@link dev.baton.spi.Connection}. An exception may only
 * fail a chain, which a test may expect, so each call is noted here, and fails the test in which it is found. JUnit runs this after each
 * test of the module. Thread-safe.
 */
@SuppressWarnings("exports") // of JUnit, whose classes are on the class path
public final class Misuses implements AfterEachCallback {
    private static final ConcurrentLinkedQueue<IllegalStateException> FOUND = new ConcurrentLinkedQueue<>();

    /** For JUnit. */
    public Misuses() {}

    /** Notes a call that is not allowed. */
    static void found(String what) {
        FOUND.add(new IllegalStateException(what));
    }

    /** The calls found since the last time, which are not found again. */
    static List<IllegalStateException> taken() {
        List<IllegalStateException> taken = List.copyOf(FOUND);
        FOUND.removeAll(taken);
        return taken;
    }

    @Override
    public void afterEach(ExtensionContext test) {
        List<IllegalStateException> taken = taken();
        if (!taken.isEmpty()) {
            AssertionError failure = new AssertionError(taken.size() + " calls broke a rule on threads; the first: "
                    + taken.get(0).getMessage());
            taken.forEach(failure::addSuppressed);
            throw failure;
        }
    }
}
