package dev.baton.test.guard;

import dev.baton.Message;
import java.util.List;

/**
 * The hooks around the callbacks of guarded services: they observe callbacks, have them fail and report misuse. By default nothing
 * happens. Confined to the loop of the services.
 */
public interface CallbackHooks {
    /** Called before a callback, which throws what this throws. */
    default void before(String service) throws Exception {}

    /**
     * Called before a claim, which throws what this throws.
     *
     * @param mayRetry whether the callback may be called again on the same instance
     */
    default void claims(String service, boolean mayRetry) {}

    /** {@return whether a message whose first claim has failed is delivered to the same instance again} */
    default boolean retries() {
        return false;
    }

    /** Called after a callback has returned; the callback throws what this throws. */
    default void after(String service) {}

    /** Called after an input was handled, with the messages that the callback has sent. */
    default void handled(String service, Message in, List<Sent> sent) {}

    /** {@return whether a tick is postponed to a later sweep} */
    default boolean delaysTick(String service) {
        return false;
    }

    /** Called when a service breaks a rule of callbacks, before this exception is thrown to it. */
    default void misused(String service, RuntimeException misuse) {}

    /** {@return the nanoseconds by which {@link dev.baton.ServiceContext#nanoTime} of a service is ahead of the environment's} */
    default long clockShift() {
        return 0;
    }

    /** {@return the byte that overwrites a message after its callback} */
    default byte poison() {
        return (byte) 0xdb;
    }
}
