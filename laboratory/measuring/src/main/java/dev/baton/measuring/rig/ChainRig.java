package dev.baton.measuring.rig;

import dev.baton.measuring.data.Stage;
import dev.baton.measuring.data.TransportProperties;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What carries messages from the generators to the receivers: one engine over one transport. The laboratory measures
 * nothing but this; Baton's chains are one implementation, reference loops on a library another.
 *
 * <p>A source is turned by the thread that writes its chain's first topic, a sink by the one that reads the last; the rig
 * decides which those are. Called by the trial's thread alone.
 */
public interface ChainRig extends AutoCloseable {
    /** What the transport promises. */
    TransportProperties properties();

    /** Makes fresh topics for this many instances. May block. */
    void prepare(int instances);

    /** Starts one instance, ready to carry messages when this returns. May block. */
    void start(ChainEnds instance);

    /** What stopped one of the chains, if anything did; {@code instance} counts from 1. */
    Optional<Failure> failure();

    /**
     * Ends all chains and threads: when this returns, no source and no sink is turned any more. What is in hand may be
     * passed on for as long as the limit allows. Idempotent.
     */
    void stop(Duration limit);

    /**
     * Whether an instance passed on all that it had in hand before it was stopped, so that what has not arrived never
     * will. False also where a rig cannot tell. After {@link #stop}.
     *
     * @param instance from 0
     */
    default boolean isDrained(int instance) {
        return false;
    }

    /**
     * Whether an instance was given time to pass on what it had in hand, drained or not: when nothing came out of it
     * meanwhile, nothing will. After {@link #stop}.
     *
     * @param instance from 0
     */
    default boolean hadTimeToDrain(int instance) {
        return false;
    }

    /** Where in the chains the time went; empty when nobody looked. After {@link #stop}. */
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
