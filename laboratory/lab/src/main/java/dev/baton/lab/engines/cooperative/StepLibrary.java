package dev.baton.lab.engines.cooperative;

import dev.baton.measuring.rig.ChainEnds;
import java.util.List;
import java.util.Map;

/** A library as the cooperative loops use it. Called by the rig's thread, except for what {@link Io} says. */
interface StepLibrary extends AutoCloseable {
    /** The stages of one chain: the way in, then one step for each service and one for the receiver, in order. */
    record Chain(LoopStep.Entry entry, List<LoopStep> steps) {}

    /** The input and output that all steps of a loop share. Confined to the loop, except {@link #wake}. */
    interface Io extends AutoCloseable {
        /** The input and output of a library that needs none. */
        Io NONE = new Io() {};

        /** Does what is due. Does not block. @return work count */
        default int turn() {
            return 0;
        }

        /** Waits for news or for a time; null where the loop may park. */
        default Waiting waiting() {
            return null;
        }

        /** {@return whether nothing is on its way to or from a server; asked while nothing is sent any more} May block. */
        default boolean isQuiet() {
            return true;
        }

        @Override
        default void close() {}
    }

    /** A wait in the library's own call. */
    interface Waiting {
        void await(long nanos);

        /** Ends a wait in progress. Any thread. */
        void wake();
    }

    /** {@return the facts that a reader must know to judge a figure, by the usual keys} */
    Map<String, String> properties();

    /** Makes topics that do not exist yet. May block. */
    void createTopics(List<String> names);

    /** {@return whether a loop that waits has to be woken for a message that another thread sends} */
    default boolean needsWake() {
        return true;
    }

    /** Opens the input and output of one more loop. */
    default Io io() {
        return Io.NONE;
    }

    /**
     * Prepares the stages of one chain; nothing runs yet.
     *
     * @param ios of the loops that run the steps: of the sender's, of each service's, of the receiver's
     */
    Chain chain(ChainEnds ends, List<String> topics, List<Io> ios);

    /** Removes the topics, after all loops have ended. Idempotent. */
    @Override
    void close();
}
