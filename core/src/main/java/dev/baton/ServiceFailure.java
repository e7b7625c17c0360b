package dev.baton;

/**
 * A service threw, and its chain stopped: which service, at which message of which topic. What it threw is the cause.
 * {@link RunningChain#failure} returns it, and {@link Deployment#onFailure} receives it. Immutable, thread-safe.
 */
public final class ServiceFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What {@link #sequence} returns when no message was in hand: in {@code onStart}, a tick or {@code onClosing}. */
    public static final long NO_MESSAGE = 0;

    /** Name of the service; {@link Chain#OUTLET} for the handler of the outputs. */
    private final String service;

    /** Name of the topic that the service reads. */
    private final String topic;

    /** Sequence of the message in that topic; {@link #NO_MESSAGE} for none. */
    private final long sequence;

    ServiceFailure(String service, String topic, long sequence, Throwable thrown) {
        super(
                "service " + service + " failed"
                        + (sequence == NO_MESSAGE ? "" : " at message " + sequence + " of topic " + topic) + ": "
                        + thrown,
                thrown);
        this.service = service;
        this.topic = topic;
        this.sequence = sequence;
    }

    /** {@return the name of the service; {@link Chain#OUTLET} for the handler of the outputs} */
    public String service() {
        return service;
    }

    /** {@return the name of the topic that it reads, with the partition's number where the chain has partitions} */
    public String topic() {
        return topic;
    }

    /**
     * {@return the sequence of the message at which it threw, which is not acknowledged; {@link #NO_MESSAGE} when there was
     * none}
     */
    public long sequence() {
        return sequence;
    }
}
