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
 * @param passes which of its messages the chain takes, null for all
 * @param consumer that reads it, null for the one that the chain's own names make
 * @param isObserved whether that consumer holds nothing back
 */
public record ForeignTopic(String topic, Predicate<? super Message> passes, String consumer, boolean isObserved) {
    /** The service, for what passes. */
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
