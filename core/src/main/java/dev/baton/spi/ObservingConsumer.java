package dev.baton.spi;

/**
 * The name of a consumer that does not hold its topic back: its topic's writers do not wait for it, and retention removes
 * frames that it has not acknowledged, which it then reports as lost. It is for runs that must not affect the topic that
 * they read, even if they are killed. Otherwise it is a consumer like any other, with a position that is kept.
 *
 * <p>A transport that guarantees {@link Guarantee#DURABLE} has to treat it so; its retention may wait while a reader of the
 * consumer is open. On other transports it may hold the topic back like other consumers. Stateless, thread-safe.
 */
public final class ObservingConsumer {
    /** The beginning of such a name. */
    public static final String PREFIX = "observer.";

    private ObservingConsumer() {}

    /**
     * {@return the name of an observing consumer}
     *
     * @param name rest of the name
     */
    public static String name(String name) {
        return PREFIX + name;
    }

    /**
     * {@return whether a consumer of this name is an observing one}
     *
     * @param consumer name of a consumer
     */
    public static boolean isObserving(String consumer) {
        return consumer.startsWith(PREFIX);
    }
}
