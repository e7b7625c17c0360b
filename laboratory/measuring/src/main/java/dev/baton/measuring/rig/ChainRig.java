package dev.baton.measuring.rig;

import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.TransportProperties;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An engine over a transport, which carries messages from the generators to the receivers. The laboratory measures only implementations of
 * this interface: Baton's chains are one, reference loops on a library another.
 *
 * <p>A source is turned by the thread that writes its chain's first topic, a sink by the one that reads the last; the rig decides which
 * those are. Called by the trial's thread alone.
 */
public interface ChainRig extends AutoCloseable {
    /** {@return the properties of the transport, with its guarantees} */
    TransportProperties properties();

    /** Makes fresh topics for this many instances. May block. */
    void prepare(int instances);

    /** Starts one instance, ready to carry messages when this returns. May block. */
    void start(ChainEnds instance);

    /** {@return the failure that stopped one of the chains, if any; {@code instance} counts from 1} */
    Optional<Failure> failure();

    /**
     * Ends all chains and threads: when this returns, no source and no sink is turned any more. In-flight messages may be drained within
     * the limit. Idempotent.
     */
    void stop(Duration limit);

    /**
     * {@return whether an instance had drained all in-flight messages before it was stopped, so that missing messages will never arrive}
     * False also where a rig cannot know it. After {@link #stop}.
     *
     * @param instance from 0
     */
    default boolean isDrained(int instance) {
        return false;
    }

    /**
     * {@return whether an instance had time to drain, drained or not: if no message came out of it meanwhile, none will} After {@link
     * #stop}.
     *
     * @param instance from 0
     */
    default boolean hadTimeToDrain(int instance) {
        return false;
    }

    /** {@return the times of messages in the stages of the chains; empty if they were not measured} After {@link #stop}. */
    default List<Stage> stages() {
        return List.of();
    }

    /**
     * The kernel's numbers of threads that only generate load; empty where generators share the threads of the chains. After
     * the instances were started.
     */
    default List<Long> generatorTasks() {
        return List.of();
    }

    /** Removes the topics and closes the transport; stops a chain that still runs first. Idempotent. */
    @Override
    void close();

    /** A chain that stopped. @param instance counted from 1 */
    record Failure(int instance, Throwable cause) {}
}
