package dev.baton.benchmark.launch;

import java.nio.file.Path;
import java.util.List;

/** Starts brokers for trials that need one. */
@FunctionalInterface
public interface BrokerSource {
    /** A broker in a process of its own. */
    interface Broker extends AutoCloseable {
        /** Where it listens, as a client's option wants it. */
        String bootstrapServers();

        /** Its processes on this machine. */
        List<Long> pids();

        /** Ends it, within a bounded time. */
        @Override
        void close();
    }

    /**
     * Starts one and waits until it answers.
     *
     * @param directory for its data, empty
     * @throws Refusal when it does not answer within a stated time
     */
    Broker start(Path directory);
}
