package dev.baton.engine.plan;

import dev.baton.Message;
import dev.baton.MessageHandler;
import dev.baton.Service;
import dev.baton.ServiceContext;
import java.util.function.Predicate;

/**
 * A topic of another chain that a chain begins at. Immutable, thread-safe as far as the predicate is.
 *
 * @param topic its name
 * @param passes filter of its messages; null for all
 * @param consumer consumer that reads it; null for the default of the chain
 * @param isObserved whether that consumer reads without back-pressure
 */
public record ForeignTopic(String topic, Predicate<? super Message> passes, String consumer, boolean isObserved) {
    /** Returns the service with the filter in front of it. */
    public Service behind(Service service) {
        return passes == null ? service : new InterceptedService(service, this::filter);
    }

    private MessageHandler filter(ServiceContext context, MessageHandler next) {
        return (in, out) -> {
            if (passes.test(in)) {
                next.onMessage(in, out);
            }
        };
    }
}
