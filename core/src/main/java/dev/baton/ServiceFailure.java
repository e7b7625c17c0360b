package dev.baton;

/**
 * The failure of a chain that stopped because a service threw. It names the service, the topic and the message; its cause is
 * what the service threw. {@link RunningChain#failure} returns it, and {@link Deployment#onFailure} receives it. Immutable,
 * thread-safe.
 */
public final class ServiceFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The value of {@link #sequence} if there was no message: in {@code onStart}, a tick or {@code onClosing}. */
    public static final long NO_MESSAGE = 0;

    /** Name of the service; {@link Chain#SINK} for the handler of the outputs. */
    private final String service;

    /** Name of the topic that the service reads. */
    private final String topic;

    /** Sequence of the message in that topic; {@link #NO_MESSAGE} for none. */
    private final long sequence;

    /**
     * Creates a failure.
     *
     * @param service name of the service; {@link Chain#SINK} for the handler of the outputs
     * @param topic topic that the service reads
     * @param sequence sequence of the message; {@link #NO_MESSAGE} for none
     * @param thrown exception thrown by the service
     */
    public ServiceFailure(String service, String topic, long sequence, Throwable thrown) {
        super(
                "service " + service + " failed"
                        + (sequence == NO_MESSAGE ? "" : " at message " + sequence + " of topic " + topic) + ": "
                        + text(thrown),
                thrown);
        this.service = service;
        this.topic = topic;
        this.sequence = sequence;
    }

    private static String text(Throwable thrown) {
        try {
            return String.valueOf(thrown);
        } catch (RuntimeException | Error ofText) { // thrown by its toString or getMessage
            return thrown.getClass().getName();
        }
    }

    /** {@return the name of the service; {@link Chain#SINK} for the handler of the outputs} */
    public String service() {
        return service;
    }

    /** {@return the name of the topic that the service reads, with the partition's number if the chain has partitions} */
    public String topic() {
        return topic;
    }

    /**
     * {@return the sequence of the message at which the service threw, which is not acknowledged; {@link #NO_MESSAGE} if there
     * was none}
     */
    public long sequence() {
        return sequence;
    }
}
