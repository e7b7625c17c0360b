package dev.baton.lab.launch;

import java.nio.file.Path;
import java.util.List;

/** Starts brokers for trials that need some. */
@FunctionalInterface
public interface BrokerSource {
    /** One broker or several that make a cluster, each in a process of its own. Confined to one thread. */
    interface Broker extends AutoCloseable {
        /** Where all of them listen, as a client's option wants it, whether they are up or not. */
        String bootstrapServers();

        /** The processes on this machine of those that are up. */
        List<Long> pids();

        /** How many there are, up or not; they are numbered from 0. */
        default int count() {
            return 1;
        }

        /** The process of one that is up. @throws IllegalArgumentException for a number that is not there */
        default long pid(int broker) {
            return pids().get(broker);
        }

        /** Ends one without a word, as SIGKILL does, and returns when its process is gone. Its files stay. */
        default void kill(int broker) {
            throw new UnsupportedOperationException("this broker cannot be killed");
        }

        /**
         * Starts one that was killed, over its files and at its address, and returns when it answers. Does nothing when
         * it is up.
         *
         * @throws Refusal when it does not answer within a stated time
         */
        default void restart(int broker) {
            throw new UnsupportedOperationException("this broker cannot be started again");
        }

        /** Ends all, within a bounded time. */
        @Override
        void close();
    }

    /**
     * Starts them and waits until each answers.
     *
     * @param directory for their data, empty
     * @param count 1 or 3; of three each keeps a copy of every topic, and two have to have a frame before it is stored
     * @throws Refusal when one does not answer within a stated time
     */
    Broker start(Path directory, int count);
}
