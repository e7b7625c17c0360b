package dev.baton.test;

import dev.baton.Message;
import java.util.List;

/** What happens to the services of one life of a chain, and who is told. Nothing by default. Confined to one thread. */
class Watch {
    Watch() {}

    /** A callback begins; what this throws the callback throws. */
    void before(String service) throws Exception {}

    /** A callback claims, which may be called again on the same instance or not; what this throws the claim throws. */
    void claims(String service, boolean mayRetry) {}

    /** Whether a message whose first claim has failed comes again to the same instance. */
    boolean retries() {
        return false;
    }

    /** A callback has returned; what this throws the callback throws. */
    void after(String service) {}

    /** An input was handled: the callback has returned and sent this. */
    void handled(String service, Message in, List<Sent> sent) {}

    /** Whether a tick waits for a later sweep. */
    boolean delaysTick(String service) {
        return false;
    }

    /** A service does what no service may; it is about to be told so by this exception. */
    void misused(String service, RuntimeException misuse) {}

    /** How far the clock of {@link dev.baton.ServiceContext#nanoTime} is ahead of the world's. */
    long clockShift() {
        return 0;
    }

    /** What is left in the memory of a message when its callback has ended. */
    byte poison() {
        return (byte) 0xdb;
    }
}
